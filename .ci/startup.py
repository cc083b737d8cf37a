"""Measures how long avm takes to start, with and without its class archive: startup.py HOME [RUNS]

HOME is an unpacked archive of .ci/dist.sh. Prints the medians of CPU seconds (user and system) and of seconds on a clock.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

home = Path(sys.argv[1]).resolve()
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 15
avm = home / "bin" / "avm"


def once(words, cds):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([avm, *words], check=True, capture_output=True, env={**os.environ, "AVM_CDS": cds})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.monotonic() - start


with tempfile.TemporaryDirectory() as folder:
    rows, model = Path(folder, "rows.csv"), Path(folder, "rows.avm")
    table = subprocess.run([sys.executable, Path(__file__).with_name("dist.py"), "rows"], check=True, capture_output=True)
    rows.write_bytes(table.stdout)
    subprocess.run([avm, "train", rows, "-m", model], check=True, capture_output=True)
    for words in (["--help"], ["inspect", model], ["predict", model, rows]):
        # Alternating, so that what else the machine does meets both.
        both = [(once(words, "on"), once(words, "off")) for _ in range(runs)]
        medians = [statistics.median(pair[side][what] for pair in both) for what in (0, 1) for side in (0, 1)]
        print("avm %-8s CPU %.2f s, without the archive %.2f s; clock %.2f s, %.2f s" % (words[0], *medians))
