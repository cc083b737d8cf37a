#!/usr/bin/env python3
"""What a change costs: error and speed of the working tree beside those of main, measured in one run.

    .ci/cost.py [BASE]            BASE is a commit, main by default
    .ci/cost.py --base-folder FOLDER    a tree of the base that is built already

Builds both, evaluates ten public data sets in one shuffled order (streams in their own), runs the JMH benchmarks of both in turn, and
prints a table. It fails where an error grows by more than 2 % of itself or a time by more than 15 %. AVM4J_DATA is the folder of data sets,
../shared/data by default; other sets are downloaded, or named and passed over. Takes about ten minutes on two idle cores; run nothing beside it.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Data sets of the laboratory's catalogue, and options of avm evaluate. Rows are limited where a set would take minutes.
SETS = {
    "a9a": "--shuffle",
    "w8a": "--shuffle",
    "cod-rna": "--shuffle",
    "ijcnn1": "--shuffle",
    "covtype": "--limit 40000",
    "casp": "--shuffle",
    "electricity": "",
    "weather": "",
    "letter": "--shuffle",
    "magic04": "--shuffle",
}
BENCHMARKS = "LearnBenchmark.learn$|PredictBenchmark.predict$"
SHAPES = "400x8,500x22,130x123/14,27x384"
JMH = ["-f", "1", "-wi", "3", "-w", "1s", "-i", "5", "-r", "200ms", "-foe", "true", "-rf", "json"]


def build(tree, offline):
    print(f"building {tree}", flush=True)
    command = ["mvn", "-q", "-B", "-ntp", "-DskipTests", "package", "-pl", "cli", "-am"]
    subprocess.run(command + (["-o"] if offline else []), cwd=tree, check=True)
    subprocess.run(["lab/build.sh"], cwd=tree, check=True, env={**os.environ, "AVM_MAVEN": "-o" if offline else ""})


def avm(tree, *words, **more):
    command = [tree / "cli/target/avm/bin/avm", *words]
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def data(name):
    """The rows of a data set and what avm evaluate is told of them; None if the set is not here and cannot be downloaded."""
    jar = ROOT / "lab/experiments/target/avm4j-experiments-0.1.0-SNAPSHOT.jar"
    command = ["java", "-cp", jar, "io.github.avm4j.experiments.catalogue.DataSets", "get", name, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if done.returncode != 0:
        return None
    found = json.loads(done.stdout)
    words = [*found["train"], "--task", found["task"]]
    words += ["--label", found["label"]] if found["label"] else []
    return words + (["--ignore", ",".join(found["ignored"])] if found["ignored"] else [])


def error(tree, rows, options):
    """The prequential error: share of mistakes, or the root of the mean squared error."""
    said = avm(tree, "evaluate", *rows, "--json", *options.split(), check=True).stdout
    result = json.loads(said)
    return result["mistake_rate" if "mistake_rate" in result else "rmse"]


def times(tree, work, options):
    """Nanoseconds by benchmark."""
    out = work / "jmh.json"
    jar = tree / "lab/bench/target/avm4j-bench.jar"
    command = ["java", "--add-modules", "jdk.incubator.vector", "-jar", jar, options.benchmarks, "-p", f"shape={options.shapes}", *JMH]
    subprocess.run([*command, "-rff", out], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = {}
    for entry in json.loads(out.read_text()):
        name = f"{entry['benchmark'].rsplit('.', 1)[-1]} {entry['params']['shape']}"
        found[name] = entry["primaryMetric"]["score"]
    return found


def row(name, before, after, most):
    """A line of the table, and whether it is within its bound."""
    ratio = after / before if before else 1.0 if after == before else float("inf")
    bad = ratio > most
    print(f"| {name} | {before:.4g} | {after:.4g} | {ratio:.3f} | {'**more than ' + format(most, '.2f') + '**' if bad else 'yes'} |", flush=True)
    return not bad


def accuracy(base, options):
    print("\n| error of | base | this tree | ratio | within bound |\n|---|--:|--:|--:|---|", flush=True)
    good = []
    missing = []
    for name in options.sets.split(","):
        rows = data(name)
        if rows is None:
            missing.append(name)
            continue
        choices = SETS[name]
        if options.rows:
            choices = re.sub(r"--limit \d+", "", choices) + f" --limit {options.rows}"
        good.append(row(name, error(base, rows, choices), error(ROOT, rows, choices), options.error))
    if missing:
        print(f"\nNOT RUN, because they are not here and cannot be downloaded: {', '.join(missing)}")
    return good


def speed(base, options, work):
    """Both in turn, several times; the best time of each counts, since other work only adds to it."""
    best = [{}, {}]
    for _ in range(options.rounds):
        for which, tree in enumerate((base, ROOT)):
            for name, time in times(tree, work, options).items():
                best[which][name] = min(time, best[which].get(name, time))
    print("\n| nanoseconds of | base | this tree | ratio | within bound |\n|---|--:|--:|--:|---|", flush=True)
    both = [name for name in best[0] if name in best[1]]
    if not both:
        sys.exit("no benchmark is in both trees")
    return [row(name, best[0][name], best[1][name], options.time) for name in both]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", nargs="?", default="main", help="commit to compare with")
    parser.add_argument("--base-folder", type=Path, help="a built tree of the base, instead of a commit")
    parser.add_argument("--built", action="store_true", help="take this tree as it was built before")
    parser.add_argument("--offline", action="store_true", help="let Maven use what it has")
    parser.add_argument("--sets", default=",".join(SETS), help="data sets, divided by commas")
    parser.add_argument("--rows", type=int, help="only so many first rows of each file")
    parser.add_argument("--benchmarks", default=BENCHMARKS, help="regular expression of JMH")
    parser.add_argument("--shapes", default=SHAPES)
    parser.add_argument("--rounds", type=int, default=2, help="runs of the benchmarks of each tree")
    parser.add_argument("--error", type=float, default=1.02, help="largest ratio of errors")
    parser.add_argument("--time", type=float, default=1.15, help="largest ratio of times")
    options = parser.parse_args()
    data = Path(os.environ.get("AVM4J_DATA", ROOT.parent / "shared" / "data")).resolve()
    if data.is_dir():
        os.environ["AVM_MIRROR"] = str(data)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        base = options.base_folder
        if base is None:
            base = work / "base"
            base.mkdir()
            archive = subprocess.run(["git", "archive", options.base], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
            subprocess.run(["tar", "-x", "-C", base], input=archive, check=True)
            build(base, options.offline)
        if not options.built:
            build(ROOT, options.offline)
        good = accuracy(base.resolve(), options) + speed(base.resolve(), options, work)
    bad = good.count(False)
    print(f"\n{len(good)} figures, {bad} out of bounds" if bad else f"\n{len(good)} figures, all within bounds")
    sys.exit(1 if bad or not good else 0)


if __name__ == "__main__":
    main()
