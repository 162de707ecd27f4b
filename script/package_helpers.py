"""The helpers of a release as installable things, for script/package: VERSION TREE FOLDER LEVEL.

npm tarballs (the helper, and the program for this system as its optional dependency), a jar with its sources and its POM, a folder for SwiftPM.

Sources: npm, package.json; Maven, POM 4.0.0; reproducible archives by SOURCE_DATE_EPOCH.
"""

import gzip
import io
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

version, tree, folder, level = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), int(sys.argv[4])
epoch = int(os.environ["SOURCE_DATE_EPOCH"])
ROOT = pathlib.Path(__file__).resolve().parent.parent
NODE = {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), platform.machine())
#: Those for which there are releases; npm installs the one that fits.
SYSTEMS = ["linux-x64", "linux-arm64"]
LICENCE = (tree / "share/doc/understudy/licences/understudy").read_bytes()
JUNIT = pathlib.Path("/usr/share/java/junit-platform-console-standalone.jar")
POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
    <modelVersion>4.0.0</modelVersion>
    <groupId>understudy</groupId>
    <artifactId>understudy-testing</artifactId>
    <version>{version}</version>
    <name>Understudy, helper for tests</name>
    <licenses>
        <license>
            <name>Apache-2.0</name>
        </license>
    </licenses>
    <dependencies>
        <dependency>
            <groupId>org.junit.jupiter</groupId>
            <artifactId>junit-jupiter-api</artifactId>
            <version>5.9.2</version>
        </dependency>
    </dependencies>
</project>
"""


def helper(language):
    """As the program hands it out."""
    return subprocess.run([tree / "bin/understudy", "helper", language], capture_output=True, check=True).stdout


def tarball(name, files):
    """`files`: content by path; what stands in bin, and a script for node, can be run."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, content in sorted(files.items()):
            entry = tarfile.TarInfo(path)
            entry.size, entry.mtime = len(content), epoch
            entry.mode = 0o755 if "/bin/" in path or content.startswith(b"#!") else 0o644
            archive.addfile(entry, io.BytesIO(content))
    with gzip.GzipFile(folder / name, "wb", level or 1, mtime=epoch) as file:
        file.write(packed.getvalue())


def npm(name, files, **members):
    description = {
        "name": name, "version": version, "description": "Stands in for the identity platforms behind mobile apps, for development and tests",
        "license": "Apache-2.0"} | members
    files = files | {"LICENSE": LICENCE, "package.json": json.dumps(description, indent=2).encode() + b"\n"}
    tarball(f"{name}-{version}.tgz", {"package/" + path: content for path, content in files.items()})


def node():
    system = f"linux-{NODE}"
    npm(f"understudy-server-{system}",
        {"bin/understudy": (tree / "bin/understudy").read_bytes(), "NOTICES": (tree / "share/doc/understudy/NOTICES").read_bytes()},
        os=["linux"], cpu=[NODE])
    files = {path.name: path.read_bytes() for path in (ROOT / "Packages/npm").iterdir()}
    files |= {"understudy.mjs": helper("javascript"), "understudy.d.mts": helper("typescript")}
    npm("understudy-server", files, type="module", bin={"understudy": "cli.cjs"}, engines={"node": ">=18"},
        exports={".": {"types": "./index.d.mts", "default": "./index.mjs"}},
        optionalDependencies={f"understudy-server-{each}": version for each in SYSTEMS})


def jar(name, files):
    # A ZIP knows no time before 1980.
    date = time.gmtime(max(epoch, 315_532_800))[:6]
    files = {"META-INF/MANIFEST.MF": f"Manifest-Version: 1.0\r\nImplementation-Version: {version}\r\n\r\n".encode(), "META-INF/LICENSE": LICENCE} | files
    with zipfile.ZipFile(folder / name, "w") as archive:
        for path, content in files.items():
            archive.writestr(zipfile.ZipInfo(path, date), content, zipfile.ZIP_DEFLATED, level or 1)


def java():
    if not (shutil.which("javac") and JUNIT.exists()):
        return print("package: no jar, for want of javac or JUnit 5", file=sys.stderr)
    with tempfile.TemporaryDirectory() as work:
        source, classes = pathlib.Path(work, "understudy/Understudy.java"), pathlib.Path(work, "classes")
        source.parent.mkdir()
        source.write_bytes(helper("java"))
        subprocess.run(["javac", "--release", "17", "-g", "-cp", JUNIT, "-d", classes, source], check=True)
        jar(f"understudy-testing-{version}.jar",
            {path.relative_to(classes).as_posix(): path.read_bytes() for path in sorted(classes.rglob("*.class"))})
        jar(f"understudy-testing-{version}-sources.jar", {"understudy/Understudy.java": source.read_bytes()})
    (folder / f"understudy-testing-{version}.pom").write_text(POM.format(version=version))


def swift():
    name = f"understudy-swift-{version}"
    files = {
        "Package.swift": (ROOT / "Packages/swift/Package.swift").read_bytes(), "LICENSE": LICENCE,
        "Sources/UnderstudyTesting/Understudy.swift": helper("swift"),
        "Sources/UnderstudyPasskeys/UnderstudyPasskeys.swift": helper("swift-passkeys")}
    tarball(f"{name}.tar.gz", {f"{name}/{path}": content for path, content in files.items()})


node()
java()
swift()
