"""Checks a staged folder against the rules that Maven Central's portal publishes (central.sonatype.org, "Requirements").

    central.py STAGED

Places, checksums, signatures, sources, javadoc, and what a POM must say, its parent's words included. A rule that only the
portal can check (the namespace, a key on a public server) is not among them. Prints problems; fails if there are any.
"""

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

MAVEN = "{http://maven.apache.org/POM/4.0.0}"
SUMS = ("md5", "sha1", "sha256", "sha512")
MUST = ("md5", "sha1")
SAID = (
    "name",
    "description",
    "url",
    "licenses/license/name",
    "licenses/license/url",
    "developers/developer/name",
    "scm/connection",
    "scm/developerConnection",
    "scm/url",
)

staged = Path(sys.argv[1])
problems = []


def wrong(place, what):
    problems.append(f"{place.relative_to(staged)}: {what}")


def text(pom, path):
    return (pom.findtext("/".join(MAVEN + step for step in path.split("/"))) or "").strip()


def check_file(file):
    """Checksums and a good signature, which the rules ask of every file that is neither."""
    content = file.read_bytes()
    for kind in SUMS:
        beside = file.with_name(f"{file.name}.{kind}")
        if beside.exists():
            if beside.read_text().split()[0] != hashlib.new(kind, content).hexdigest():
                wrong(beside, "is the checksum of something else")
        elif kind in MUST:
            wrong(file, f"has no {kind}")
    signature = file.with_name(file.name + ".asc")
    if not signature.exists():
        wrong(file, "is not signed")
    elif subprocess.run(["gpg", "--batch", "--verify", signature, file], capture_output=True).returncode:
        wrong(file, "has a signature that does not hold")


def check_jar(file, wanted):
    try:
        names = zipfile.ZipFile(file).namelist()
    except (OSError, zipfile.BadZipFile) as e:
        wrong(file, f"cannot be read: {e}")
        return
    if not any(wanted(name) for name in names):
        wrong(file, "lacks what it is named for")
    for name in names:
        if name.startswith("/") or ".." in name.split("/"):
            wrong(file, f"has the entry {name}")


def check_module(folder, parents):
    artifact, version = folder.parent.name, folder.name
    base = folder / f"{artifact}-{version}"
    file = Path(f"{base}.pom")
    if not file.exists():
        wrong(folder, "has no POM of its name")
        return
    pom = ElementTree.parse(file).getroot()
    parent = parents.get(text(pom, "parent/artifactId"))
    group = text(pom, "groupId") or text(pom, "parent/groupId")
    found = (group, text(pom, "artifactId"), text(pom, "version") or text(pom, "parent/version"))
    if found != (".".join(folder.parent.parent.relative_to(staged).parts), artifact, version):
        wrong(file, f"says {':'.join(found)}")
    if parent is None and text(pom, "parent/artifactId"):
        wrong(file, f"has a parent that is not staged: {text(pom, 'parent/artifactId')}")
    for path in SAID:
        inherited = text(parent, path) if parent is not None and path not in ("name", "description") else ""
        if not (text(pom, path) or inherited):
            wrong(file, f"does not say {path}")
    if list(pom.iter(MAVEN + "systemPath")):
        wrong(file, "has a dependency that is a path of a machine")
    if (text(pom, "packaging") or "jar") != "pom":
        kinds = {
            "": lambda name: name.endswith(".class"),
            "-sources": lambda name: name.endswith(".java"),
            "-javadoc": lambda name: name == "index.html",
        }
        for kind, wanted in kinds.items():
            jar = Path(f"{base}{kind}.jar")
            if jar.exists():
                check_jar(jar, wanted)
            else:
                wrong(folder, f"has no {jar.name}")


poms = list(staged.glob("io/**/*.pom"))
by_name = {file.parent.parent.name: ElementTree.parse(file).getroot() for file in poms}
for pom_file in poms:
    check_module(pom_file.parent, by_name)
files = [f for f in staged.glob("io/**/*") if f.is_file() and f.suffix[1:] not in (*SUMS, "asc")]
for one in files:
    check_file(one)
if not poms:
    problems.append(f"{staged}: no POM is staged here")
print("\n".join(problems + [f"{len(poms)} modules, {len(files)} files checked by the portal's rules; {len(problems)} problems"]))
sys.exit(bool(problems))
