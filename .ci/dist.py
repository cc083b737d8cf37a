"""Parts of .ci/dist.sh that a shell is bad at.

    dist.py rows                       a small table with numbers, categories and labels
    dist.py samples FOLDER             small files under the names that README.md uses
    dist.py times HOME EPOCH           sets the time of HOME and of all in it
    dist.py sbom HOME VERSION          adds the Java runtime to HOME/sbom.cdx.json
    dist.py pack HOME TARGET EPOCH FORMAT...    TARGET.tar.gz, TARGET.zip of the folder HOME, the same bytes each time
"""

import gzip
import json
import lzma
import os
import stat
import struct
import sys
import tarfile
import time
import zipfile
from pathlib import Path
from random import Random


def rows():
    print("a,b,city,label")
    for i in range(300):
        a, b = i * 7 % 11, i * 5 % 13
        print(f"{a},{b},{'Oslo' if i % 3 else 'Lima'},{'yes' if a * b > 30 else 'no'}")


def samples(folder):
    random = Random(1)

    def libsvm(count):
        for _ in range(count):
            active = sorted(random.sample(range(1, 20), 5))
            label = "+1" if (1 in active) != (2 in active) else "-1"
            yield label + "".join(f" {i}:1" for i in active) + "\n"

    for name in ("a9a.xz", "a9a.t.xz"):
        Path(folder, name).write_bytes(lzma.compress("".join(libsvm(1000)).encode()))
    with open(Path(folder, "CASP.csv"), "w", encoding="ascii") as file:
        file.write("RMSD,F1,F2\n")
        for _ in range(1000):
            a, b = random.random(), random.random()
            file.write(f"{a * b + 0.1 * random.random():.4f},{a:.4f},{b:.4f}\n")


def sbom(home, version):
    file = Path(home, "sbom.cdx.json")
    bom = json.loads(file.read_text())
    bom["components"].append(
        {
            "type": "platform",
            "name": "OpenJDK",
            "version": version,
            "description": "the Java runtime in the folder runtime",
            "licenses": [{"expression": "GPL-2.0-only WITH Classpath-exception-2.0"}],
        }
    )
    file.write_text(json.dumps(bom, indent=2, ensure_ascii=False) + "\n")


def entries(home):
    """The folder and all below it, by name."""
    paths = [home]
    for folder, folders, files in os.walk(home):
        paths += [Path(folder, name) for name in folders + files]
    return sorted(paths, key=lambda path: path.as_posix())


def times(home, epoch):
    for path in entries(home):
        if path.is_symlink():
            if os.utime in os.supports_follow_symlinks:
                os.utime(path, (epoch, epoch), follow_symlinks=False)
        else:
            os.utime(path, (epoch, epoch))


def mode(path):
    """Read by all, written by the owner; executable as it is."""
    return 0o755 if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0o644


def tar(home, target, epoch):
    with open(target, "wb") as file, gzip.GzipFile("", "wb", 6, file, epoch) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for path in entries(home):
                info = archive.gettarinfo(path, path.relative_to(home.parent).as_posix())
                if info.islnk():  # two names of one file: each with its bytes
                    info.type, info.linkname, info.size = tarfile.REGTYPE, "", path.stat().st_size
                info.uid = info.gid = 0
                info.uname = info.gname = ""
                info.mtime = epoch
                info.mode = 0o777 if info.issym() else mode(path)
                if info.isreg():
                    with open(path, "rb") as content:
                        archive.addfile(info, content)
                else:
                    archive.addfile(info)


def zip_(home, target, epoch):
    # The time twice: in the local time of nobody, and in the field of seconds that unzip restores, on which the class archive depends.
    seconds = struct.pack("<HHBl", 0x5455, 5, 1, epoch)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path in entries(home):
            name = path.relative_to(home.parent).as_posix()
            info = zipfile.ZipInfo(name + "/" * path.is_dir(), time.gmtime(epoch)[:6])
            info.create_system = 3
            info.extra = seconds
            kind = stat.S_IFDIR if path.is_dir() else stat.S_IFREG
            info.external_attr = (kind | mode(path)) << 16 | (0x10 if path.is_dir() else 0)
            info.compress_type = zipfile.ZIP_STORED if path.is_dir() else zipfile.ZIP_DEFLATED
            archive.writestr(info, b"" if path.is_dir() else path.read_bytes())


if __name__ == "__main__":
    what, arguments = sys.argv[1], sys.argv[2:]
    if what == "rows":
        rows()
    elif what == "samples":
        samples(*arguments)
    elif what == "sbom":
        sbom(*arguments)
    elif what == "times":
        times(Path(arguments[0]), int(arguments[1]))
    elif what == "pack":
        packers = {"tar.gz": tar, "zip": zip_}
        for form in arguments[3:]:
            packers[form](Path(arguments[0]), f"{arguments[1]}.{form}", int(arguments[2]))
    else:
        sys.exit(f"dist.py knows rows, samples, sbom, times and pack, not {what}")
