"""Checks manifests, dashboard, workflows and the bill of materials: python3 .ci/deploy.py FOLDER. Writes the dashboard's queries to FOLDER as rules."""

import json
import re
import sys
from pathlib import Path

import yaml

problems = []


def wrong(place, what):
    problems.append(f"{place}: {what}")


def load(file):
    try:
        return [d for d in yaml.safe_load_all(file.read_text()) if d is not None]
    except yaml.YAMLError as e:
        wrong(file, e)
        return []


def at(tree, path, place):
    """The value at a/b/0/c; a problem if there is none."""
    for step in path.split("/"):
        try:
            tree = tree[int(step) if isinstance(tree, list) else step]
        except (KeyError, IndexError, TypeError, ValueError):
            wrong(place, f"no {path}")
            return None
    return tree


def expect(tree, path, value, place):
    found = at(tree, path, place)
    if found is not None and found != value:
        wrong(place, f"{path} is {found!r}, not {value!r}")


# What each kind must have besides apiVersion, kind and a name.
KINDS = {
    ("apps/v1", "Deployment"): ["spec/selector/matchLabels", "spec/template/metadata/labels", "spec/template/spec/containers/0/image"],
    ("v1", "ConfigMap"): ["data"],
    ("v1", "Service"): ["spec/selector", "spec/ports/0/port"],
    ("v1", "PersistentVolumeClaim"): ["spec/accessModes/0", "spec/resources/requests/storage"],
    ("autoscaling/v2", "HorizontalPodAutoscaler"): ["spec/scaleTargetRef/name", "spec/maxReplicas", "spec/metrics/0/type"],
    ("policy/v1", "PodDisruptionBudget"): ["spec/selector/matchLabels"],
    ("networking.k8s.io/v1", "NetworkPolicy"): ["spec/podSelector/matchLabels", "spec/policyTypes/0"],
    ("flink.apache.org/v1beta1", "FlinkDeployment"): [
        "spec/image", "spec/flinkVersion", "spec/job/jarURI", "spec/job/entryClass", "spec/job/upgradeMode",
        "spec/jobManager/resource/memory", "spec/taskManager/resource/memory"],
}


def manifests(folder):
    """All objects of a folder by kind; each file is listed in its kustomization and has one object."""
    objects = {}
    listed = load(folder / "kustomization.yaml")[0]["resources"]
    files = sorted(f.name for f in folder.glob("*.yaml") if f.name != "kustomization.yaml")
    if sorted(listed) != files:
        wrong(folder, f"kustomization.yaml lists {sorted(listed)}, there are {files}")
    for file in (folder / name for name in files):
        for thing in load(file):
            kind = (thing.get("apiVersion"), thing.get("kind"))
            if kind not in KINDS:
                wrong(file, f"unknown kind {kind}")
                continue
            for path in ["metadata/name", "metadata/labels", *KINDS[kind]]:
                at(thing, path, file)
            objects.setdefault(kind[1], []).append(thing)
    return objects


def volumes_exist(pod, objects, place):
    names = {o["metadata"]["name"] for kind in ("ConfigMap", "PersistentVolumeClaim") for o in objects.get(kind, [])}
    declared = set()
    for volume in pod.get("volumes", []):
        declared.add(volume["name"])
        source = volume.get("configMap", {}).get("name") or volume.get("persistentVolumeClaim", {}).get("claimName")
        if source and source not in names:
            wrong(place, f"volume {volume['name']} needs {source}, which is not here")
    for container in pod["containers"]:
        for mount in container.get("volumeMounts", []):
            if mount["name"] not in declared:
                wrong(place, f"no volume {mount['name']}")


def hardened(pod, container, place):
    expect(pod, "securityContext/runAsNonRoot", True, place)
    expect(pod, "securityContext/seccompProfile/type", "RuntimeDefault", place)
    if not isinstance(at(pod, "securityContext/runAsUser", place), int):
        wrong(place, "runAsUser must be a number")  # names cannot be seen not to be root
    expect(container, "securityContext/allowPrivilegeEscalation", False, place)
    expect(container, "securityContext/capabilities/drop", ["ALL"], place)


# Texts of a ConfigMap, which everybody reads who may read the namespace.
SECRET = re.compile(r"password|sasl\.jaas|PRIVATE KEY|secret *[:=]", re.IGNORECASE)


def closed(objects, place):
    """Policies of both directions without a rule for everybody; Flink's REST for the operator's pods alone; TLS to the
    brokers, at the port that the policy opens; no secret in a ConfigMap."""
    for policy in objects["NetworkPolicy"]:
        expect(policy, "spec/policyTypes", ["Ingress", "Egress"], place)
        for rule in policy["spec"]["ingress"] + policy["spec"].get("egress", []):
            peers = rule.get("from") or rule.get("to")
            if not peers:
                wrong(place, "a rule of the network policy admits everybody")
            ports = [p["port"] for p in rule.get("ports", [])]
            if 8081 in ports and not all("podSelector" in peer for peer in peers):
                wrong(place, "Flink's REST is open to a whole namespace")
    texts = [text for config in objects["ConfigMap"] for text in config["data"].values()]
    for text in texts:
        if SECRET.search(text):
            wrong(place, f"a ConfigMap holds a secret: {SECRET.search(text)[0]}")
    if not any(re.search(r"security\.protocol *[:=] *(SASL_)?SSL$", text, re.MULTILINE) for text in texts):
        wrong(place, "no ConfigMap says that Kafka is used with TLS")
    brokers = {int(port) for text in texts for port in re.findall(r"\bkafka:(\d+)", text)}
    opened = {
        port["port"]
        for policy in objects["NetworkPolicy"]
        for rule in policy["spec"]["egress"]
        for port in rule.get("ports", [])
        if {"app.kubernetes.io/name": "kafka"} in [to.get("podSelector", {}).get("matchLabels") for to in rule["to"]]
    }
    if brokers != opened:
        wrong(place, f"brokers listen at {brokers}, the network policy opens {opened}")


def serve():
    folder = Path("deploy/kubernetes/serve")
    objects = manifests(folder)
    deployment = objects["Deployment"][0]
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    pod = deployment["spec"]["template"]["spec"]
    container = pod["containers"][0]
    hardened(pod, container, folder)
    expect(container, "securityContext/readOnlyRootFilesystem", True, folder)
    expect(pod, "automountServiceAccountToken", False, folder)
    volumes_exist(pod, objects, folder)
    for resource in ("requests/cpu", "requests/memory", "limits/memory"):
        at(container, "resources/" + resource, folder)
    if container["image"].endswith(":latest") or ":" not in container["image"]:
        wrong(folder, "the image must have a version")
    ports = {p["name"]: p["containerPort"] for p in container["ports"]}
    named = [container[p]["httpGet"]["port"] for p in ("startupProbe", "livenessProbe", "readinessProbe")]
    named += [p["targetPort"] for p in objects["Service"][0]["spec"]["ports"]]
    for rule in objects["NetworkPolicy"][0]["spec"]["ingress"]:
        named += [p["port"] for p in rule["ports"]]
    for port in named:
        if port not in ports:
            wrong(folder, f"no port {port}")
    closed(objects, folder)
    selectors = [objects["Service"][0]["spec"]["selector"]]
    for kind, path in (("Deployment", "selector"), ("PodDisruptionBudget", "selector"), ("NetworkPolicy", "podSelector")):
        selectors.append(objects[kind][0]["spec"][path]["matchLabels"])
    if any(selector != labels for selector in selectors):
        wrong(folder, f"selectors {selectors} are not the pods' labels {labels}")
    expect(objects["HorizontalPodAutoscaler"][0], "spec/scaleTargetRef/name", deployment["metadata"]["name"], folder)
    if "replicas" in deployment["spec"]:
        wrong(folder, "replicas would fight the autoscaler")
    configs = {o["metadata"]["name"]: o["data"] for o in objects["ConfigMap"]}
    data = configs.get(container["envFrom"][0]["configMapRef"]["name"])
    if data is None:
        wrong(folder, "envFrom names no ConfigMap of this folder")
    elif not all(isinstance(value, str) for value in data.values()):
        wrong(folder, "values of a ConfigMap are texts: put them in quotes")
    budget = container["readinessProbe"]["periodSeconds"] * container["readinessProbe"]["failureThreshold"]
    if data and int(data["AVM_SERVE_CLOSE_AFTER"].removesuffix("s")) <= budget:
        wrong(folder, f"close-after is not longer than the {budget} s that probes take to notice")


def flink():
    folder = Path("deploy/kubernetes/flink")
    objects = manifests(folder)
    deployment = objects["FlinkDeployment"][0]
    pod = deployment["spec"]["podTemplate"]["spec"]
    expect(pod, "containers/0/name", "flink-main-container", folder)
    hardened(pod, pod["containers"][0], folder)
    volumes_exist(pod, objects, folder)
    for key, value in deployment["spec"]["flinkConfiguration"].items():
        if not isinstance(value, str):
            wrong(folder, f"{key}: values of flinkConfiguration are texts: put them in quotes")
    for need in ("execution.checkpointing.dir", "execution.checkpointing.savepoint-dir", "high-availability.storageDir"):
        if need not in deployment["spec"]["flinkConfiguration"]:
            wrong(folder, f"no {need}")
    expect(objects["NetworkPolicy"][0], "spec/podSelector/matchLabels", {"app": deployment["metadata"]["name"]}, folder)
    closed(objects, folder)
    version = re.search(r"<flink.version>(\d+)\.(\d+)\.", Path("pom.xml").read_text())
    expect(deployment, "spec/flinkVersion", f"v{version[1]}_{version[2]}", folder)
    if f"flink:{version[1]}.{version[2]}-" not in (folder / "Containerfile").read_text():
        wrong(folder, "the Containerfile has another Flink than pom.xml")


def dashboard(rules):
    file = Path("deploy/grafana/avm4j.json")
    board = json.loads(file.read_text())
    panels = board["panels"]
    ids = [panel["id"] for panel in panels]
    if len(set(ids)) != len(ids):
        wrong(file, "two panels have one id")
    variables = {v["name"] for v in board["templating"]["list"]} | {"__rate_interval"}
    taken = set()
    queries = []
    for panel in panels:
        place = panel["gridPos"]
        cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
        if cells & taken or place["x"] + place["w"] > 24:
            wrong(file, f"panel '{panel['title']}' lies on another")
        taken |= cells
        if panel["type"] == "row":
            continue
        if not panel.get("description"):
            wrong(file, f"panel '{panel['title']}' has no description")
        for target in panel["targets"]:
            unknown = set(re.findall(r"\$(\w+)", target["expr"])) - variables
            if unknown:
                wrong(file, f"no variable {unknown}")
            queries.append(target["expr"].replace("$__rate_interval", "1m").replace("$instance", ".*").replace("$job", ".*"))
    if len(queries) < 20:
        wrong(file, "has lost its queries")
    named = [{"record": f"panel:query:{k}", "expr": query} for k, query in enumerate(queries)]
    rules.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": named}]}))


PINNED = re.compile(r"^[\w-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$")
RUNNERS = {"ubuntu-24.04", "ubuntu-24.04-arm", "windows-2025", "macos-15"}
SCOPES = {"contents", "security-events", "id-token", "attestations", "pages"}


def workflows():
    for file in sorted(Path(".github").rglob("*.yml")):
        load(file)
    for file in sorted(Path(".github/workflows").glob("*.yml")):
        text = file.read_text()
        for line in text.splitlines():
            used = re.match(r"\s*-?\s*uses:\s*(.*)$", line)
            if used and not PINNED.match(used[1]):
                wrong(file, f"not pinned by a commit with its version: {used[1]}")
        flow = load(file)[0]
        expect(flow, "permissions", {"contents": "read"}, file)
        if "pull_request_target" in text or "workflow_run" in text:
            wrong(file, "runs other people's code with our rights")
        for name, job in flow["jobs"].items():
            place = f"{file} {name}"
            at(job, "timeout-minutes", place)
            runners = job.get("strategy", {}).get("matrix", {}).get("os", [job["runs-on"]])
            if not set(runners) <= RUNNERS:
                wrong(place, f"unknown runner among {runners}")
            if not set(job.get("permissions", {})) <= SCOPES:
                wrong(place, "unknown permission")
            for step in job["steps"]:
                if "${{" in step.get("run", ""):
                    wrong(place, "an expression in a script can be code: hand it over by env")
                if step.get("uses", "").startswith("actions/checkout@"):
                    expect(step, "with/persist-credentials", False, place)


def bom():
    """The bill of materials has the version of the parent and names every module that is published."""
    parent = Path("pom.xml").read_text()
    text = Path("bom/pom.xml").read_text()
    version = r"^  <version>(.*)</version>"
    if re.search(version, text, re.M)[1] != re.search(version, parent, re.M)[1]:
        wrong("bom/pom.xml", "has another version than pom.xml")
    if re.search(r"<gpg.plugin.version>(.*)<", parent)[1] not in text:
        wrong("bom/pom.xml", "has another version of the gpg plugin than pom.xml")
    modules = set(re.findall(r"<module>(\w+)</module>", parent)) - {"bom"}
    published = {m for m in modules if "<maven.deploy.skip>true" not in Path(m, "pom.xml").read_text()}
    if set(re.findall(r"<artifactId>avm4j-(\w+)</artifactId>", text)) - {"bom"} != published:
        wrong("bom/pom.xml", f"does not name {sorted(published)}")
    kept = set(re.findall(r"<excludeArtifact>avm4j-(\w+)<", parent))
    if kept != modules - published:
        wrong("pom.xml", f"profile central leaves out {sorted(kept)}, not {sorted(modules - published)}")


def main():
    bom()
    serve()
    flink()
    dashboard(Path(sys.argv[1]) / "dashboard.yml")
    workflows()
    for file in sorted(Path("deploy/prometheus").glob("*.yml")):
        load(file)
    print("\n".join(problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
