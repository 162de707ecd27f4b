"""Compilers for what we hand out in Kotlin, Java and Swift. The same files are compiled once in a run, also by tests that run side by side,
and not again while nothing has changed: what was made stands in .build/test/compiled, by the content of the sources."""

import contextlib
import fcntl
import hashlib
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from understudy import ROOT

COMPILED = ROOT / ".build/test/compiled"
# Debian's JUnit 5, all of it in one file.
JUNIT = Path("/usr/share/java/junit-platform-console-standalone.jar")
# JUnit 4, which Android's tests have.
JUNIT_4 = [Path("/usr/share/java/junit4.jar"), Path("/usr/share/java/hamcrest-core.jar")]
# The Kotlin kernel for Jupyter carries the whole compiler.
JARS = Path(sysconfig.get_path("purelib"), "run_kotlin_kernel/jars")
# A compiler lives for seconds: what the JVM's second compiler would gain comes too late.
SHORT_LIVED = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]


class DoesNotCompile(AssertionError):
    """What the compiler said."""


def tool(name):
    """The path of a program; the test is skipped where it is missing."""
    return shutil.which(name) or pytest.skip(f"{name} is not on the path; script/bootstrap --tests installs it")


def jar(pattern):
    """The one file of the Kotlin kernel of that name."""
    return next(iter(sorted(JARS.glob(pattern))), None) or pytest.skip("the Python package kotlin-jupyter-kernel is missing")


def kotlin_library():
    return jar("kotlin-stdlib-[0-9]*.jar")


def run_tool(command, seconds=300, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=seconds, **options)
    if done.returncode:
        raise DoesNotCompile(f"{Path(command[0]).name} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def made_once(command, sources, make):
    """The folder that `make(folder)` fills, or has filled before from the same `sources` by the same `command`."""
    digest = hashlib.sha256("\0".join(map(str, command)).encode())
    for source in sources:
        digest.update(Path(source).name.encode() + b"\0" + Path(source).read_bytes())
    folder = COMPILED / digest.hexdigest()[:24]
    COMPILED.mkdir(parents=True, exist_ok=True)
    with locked(folder.with_suffix(".lock")):
        if not (folder / "whole").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            (folder / "whole").touch()
    return folder


@contextlib.contextmanager
def locked(path):
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compile_kotlin(*sources, classpath=(), options=()):
    """The folder of classes of some Kotlin files. `classpath`: jars and folders of classes that they use."""
    compiler = jar("kotlin-jupyter-kernel-*-all.jar")
    used = [kotlin_library(), *classpath]
    command = [
        tool("java"), *SHORT_LIVED, "-cp", f"{compiler}:{kotlin_library()}", "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
        "-no-stdlib", "-no-reflect", "-jvm-target", "17", "-cp", ":".join(map(str, used)), *options]
    return made_once(command, sources, lambda folder: run_tool([*command, "-d", folder, *sources]))


def compile_java(*sources, classpath=(), options=("-Xlint:all", "-Werror")):
    """The folder of classes of some Java files."""
    command = [tool("javac"), *(f"-J{option}" for option in SHORT_LIVED), "--release", "17", *options]
    if classpath:
        command += ["-cp", ":".join(map(str, classpath))]
    return made_once(command, sources, lambda folder: run_tool([*command, "-d", folder, *sources]))


def compile_swift(*sources, options=()):
    """The program that some Swift files make."""
    command = [tool("swiftc"), "-swift-version", "6", "-warnings-as-errors", *options]
    return made_once(command, sources, lambda folder: run_tool([*command, "-o", folder / "program", *sources])) / "program"


def swift_tests(*sources):
    """The folder of a package whose tests some Swift files are, built."""
    def make(folder):
        (folder / "Package.swift").write_text(
            "// swift-tools-version: 6.2\nimport PackageDescription\n"
            'let package = Package(name: "Team", targets: [.testTarget(name: "TeamTests", swiftSettings: [.treatAllWarnings(as: .error)])])\n')
        (folder / "Tests/TeamTests").mkdir(parents=True)
        for source in sources:
            shutil.copy(source, folder / "Tests/TeamTests")
        run_tool([tool("swift"), "build", "--build-tests", "--package-path", folder], seconds=600)

    return made_once([tool("swift"), "test"], sources, make)


def java_command(classpath, *arguments):
    """What runs a class: java_command([folder, kotlin_library()], "MainKt")."""
    return [tool("java"), *SHORT_LIVED, "-cp", ":".join(map(str, classpath)), *map(str, arguments)]


def junit_command(classes, classpath=()):
    """What runs all tests of a folder of classes with JUnit 5."""
    return java_command([JUNIT, classes, *classpath], "org.junit.platform.console.ConsoleLauncher",
                        "--scan-class-path", classes, "--disable-banner", "--disable-ansi-colors", "--details=tree")
