"""An app that is built on one of our stubs, as a program with a user at its keyboard: lines in, lines out."""

import queue
import subprocess
import threading

from compilers import compile_kotlin, java_command, kotlin_library, made_once, run_tool, tool
from understudy import ROOT

STUBS = ROOT / "Web/stubs"
APPS = ROOT / "Tests/Acceptance/stubs"
# Vendors' modules that are not called as the stub's file.
MODULES = {"OneginiSDK": "OneginiSDKiOS"}


def kotlin_classes(name):
    """A stub in Kotlin and the app on it, compiled together."""
    return compile_kotlin(STUBS / f"{name}.kt", APPS / f"{name}Guide.kt")


def kotlin_app(name):
    """What starts the app on the stub of that name."""
    return java_command([kotlin_classes(name), kotlin_library()], f"guide.{name}GuideKt")


def swift_app(name):
    """The same in Swift: the stub is a module as the vendor's SDK is one, and a small stand-in takes CryptoKit's place. Stub and app compile
    without a warning, in the language modes of Swift 5 and 6."""
    compiler = [tool("swiftc"), "-parse-as-library", "-Onone"]
    strict = ["-swift-version", "6", "-warnings-as-errors"]
    openssl = ["-I", ROOT / "Sources/COpenSSL"]
    crypto, stub, app = APPS / "CryptoKit.swift", STUBS / f"{name}.swift", APPS / f"{name}Guide.swift"

    def module(folder, source, name, *options):
        run_tool([*compiler, *options, *openssl, "-I", folder, "-module-name", name, "-emit-module", "-emit-module-path",
                  folder / f"{name}.swiftmodule", "-emit-object", "-o", folder / f"{source.stem}.o", source])

    def make(folder):
        module(folder, crypto, "CryptoKit")
        run_tool([*compiler, "-swift-version", "5", "-warnings-as-errors", *openssl, "-I", folder, "-typecheck", stub])
        module(folder, stub, MODULES.get(name, name), *strict)
        run_tool([*compiler, *strict, *openssl, "-I", folder, app, folder / f"{crypto.stem}.o", folder / f"{stub.stem}.o",
                  "-lcrypto", "-o", folder / "program"])

    return [made_once([*compiler, *strict], [crypto, stub, app], make) / "program"]


class StubApp:
    """`command`: how to start it."""

    def __init__(self, command, **options):
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            bufsize=1, **options)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def do(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()

    def sees(self, *expected, seconds=20):
        """The next lines that the app shows are these; a line that ends in ` *` may go on in any way. What stood for the stars."""
        stars = []
        for line in expected:
            try:
                shown = self.lines.get(timeout=seconds)
            except queue.Empty:
                raise AssertionError(f"the app does not show {line!r}") from None
            assert shown is not None, f"the app ended before {line!r}"
            if line.endswith(" *"):
                assert shown.startswith(line[:-1]), (line, shown)
                stars.append(shown[len(line) - 1:])
            else:
                assert shown == line, (line, shown)
        return stars[0] if len(stars) == 1 else stars

    def reaches(self, line):
        """What the app shows up to this line."""
        shown = []
        while line not in shown:
            shown.append(self.lines.get(timeout=20))
            assert shown[-1] is not None, f"the app ended before {line!r}: {shown}"
        return shown

    def is_silent(self, seconds=0.3):
        try:
            shown = self.lines.get(timeout=seconds)
        except queue.Empty:
            return
        raise AssertionError(f"the app shows {shown!r}")

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
