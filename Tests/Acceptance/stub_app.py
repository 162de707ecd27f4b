"""An app that is built on one of our stubs, as a program with a user at its keyboard: lines in, lines out."""

import queue
import re
import subprocess
import threading

from compilers import COMPILED, compile_java, compile_kotlin, java_command, kotlin_library, locked, made_once, run_tool, tool
from understudy import ROOT

STUBS = ROOT / "Web/stubs"
APPS = ROOT / "Tests/Acceptance/stubs"
# Vendors' modules that are not called as the stub's file.
MODULES = {"OneginiSDK": "OneginiSDKiOS"}




def guide_code(guide):
    """The code blocks of a file of guide texts, by language and heading."""
    blocks, heading = {}, None
    for part in re.split(r"^## (.+)$", (APPS / guide).read_text(), flags=re.M):
        for language, text in re.findall(r"^```(\w+)\n(.*?)\n```$", part, flags=re.M | re.S):
            blocks[f"{language}: {heading}"] = text
        heading = part.strip()
    return blocks


def with_guide(name, guide="applogin-guide.md"):
    """The app's file with the guide's code, unchanged, where a line `//= LANGUAGE: HEADING | …` stands for it.

    What may follow a bar: `TEXT: CODE`, code for the line below the guide's comment `TODO: TEXT`; `,`, what ends each line; `to TEXT`, the text
    before which the guide's code ends; `without TEXT`, what this system's compiler does not know."""
    code = guide_code(guide)

    def block(match):
        place, *options = match[2].split(" | ")
        text = code[place]
        for option in options:
            word, _, rest = option.partition(" ")
            if option == ",":
                text = "".join(f"{line},\n" for line in text.splitlines())
            elif word == "to":
                text = text[:text.index(rest)]
            elif word == "without":
                text = text.replace(rest + " ", "")
            else:
                comment, _, line = option.partition(": ")
                assert f"// TODO: {comment}\n" in text, (place, comment)
                text = text.replace(f"// TODO: {comment}\n", f"// TODO: {comment}\n{line}\n")
        return "".join(f"{match[1]}{line}\n" for line in text.splitlines())

    made = COMPILED / "guides" / name
    made.parent.mkdir(parents=True, exist_ok=True)
    text = re.sub(r"^( *)//= (.+)\n", block, (APPS / name).read_text(), flags=re.M)
    with locked(made.with_suffix(".lock")):
        if not made.exists() or made.read_text() != text:
            made.write_text(text)
    return made


def kotlin_stub(name):
    """The files of a stub in Kotlin."""
    return sorted((STUBS / "onegini-android").glob("*.kt")) if name == "OneginiSDK" else [STUBS / f"{name}.kt"]


def android_classes():
    """Stand-ins for what signatures of the stubs name of Android and of its libraries."""
    return compile_java(*sorted((APPS / "android").rglob("*.java")))


def kotlin_app(name, app=None, classpath=()):
    """What starts the app on the stub of that name, compiled together. `classpath`: what an Android device or its imitation has besides."""
    if name == "OneginiSDK":
        classpath = [android_classes(), *classpath]
    classes = compile_kotlin(*kotlin_stub(name), with_guide(f"{app or name}Guide.kt"), classpath=classpath)
    return java_command([classes, kotlin_library(), *classpath], f"guide.{app or name}GuideKt")


def java_app(name, app=None):
    """The same in Java, on the stub in Kotlin."""
    device = [android_classes()] if name == "OneginiSDK" else []
    stub = compile_kotlin(*kotlin_stub(name), classpath=device)
    # The guide calls what is static by an object too.
    name = f"{app or name}Guide"
    classes = compile_java(with_guide(f"{name}.java"), classpath=[stub, kotlin_library(), *device], options=("-Xlint:all,-static", "-Werror"))
    return java_command([classes, stub, kotlin_library(), *device], f"guide.{name}")


def swift_app(name, app=None):
    """The same in Swift: the stub is a module as the vendor's SDK is one, and a small stand-in takes CryptoKit's place. Stub and app compile
    without a warning, in the language modes of Swift 5 and 6."""
    compiler = [tool("swiftc"), "-parse-as-library", "-Onone"]
    strict = ["-swift-version", "6", "-warnings-as-errors"]
    openssl = ["-I", ROOT / "Sources/COpenSSL"]
    crypto, stub, app = APPS / "CryptoKit.swift", STUBS / f"{name}.swift", with_guide(f"{app or name}Guide.swift")

    def module(folder, source, name, *options):
        run_tool([*compiler, *options, *openssl, "-I", folder, "-module-name", name, "-emit-module", "-emit-module-path",
                  folder / f"{name}.swiftmodule", "-emit-object", "-o", folder / f"{source.stem}.o", source])

    def make(folder):
        module(folder, crypto, "CryptoKit")
        run_tool([*compiler, "-swift-version", "5", "-warnings-as-errors", *openssl, "-I", folder, "-typecheck", stub])
        module(folder, stub, MODULES.get(name, name), *strict)
        # Warnings are the guide's own: it declares values that it does not use.
        run_tool([*compiler, "-swift-version", "6", *openssl, "-I", folder, app, folder / f"{crypto.stem}.o", folder / f"{stub.stem}.o",
                  "-lcrypto", "-o", folder / "program"])

    return [made_once([*compiler, *strict], [crypto, stub, app], make) / "program"]


def swift_module_check(name, app):
    """Type-checks an app's file on a stub."""
    compiler = [tool("swiftc"), "-swift-version", "6", "-parse-as-library", "-I", ROOT / "Sources/COpenSSL"]
    modules = {"CryptoKit": APPS / "CryptoKit.swift", MODULES.get(name, name): STUBS / f"{name}.swift"}

    def make(folder):
        for module, source in modules.items():
            run_tool([*compiler, "-I", folder, "-module-name", module, "-emit-module", "-o", folder / f"{module}.swiftmodule", source])
        run_tool([*compiler, "-warnings-as-errors", "-I", folder, "-typecheck", app])

    return made_once([*compiler, "check"], [*modules.values(), app], make)


#: What type-checks Objective-C's side of Swift where there is no Objective-C.
OBJECTIVE_C = ["-Xfrontend", "-enable-objc-interop", "-Xfrontend", "-disable-objc-attr-requires-foundation-module"]


def check_on_apple(name, app):
    """Type-checks a stub and an app on it as on an Apple system, with small stand-ins for Apple's modules."""
    compiler = [tool("swiftc"), "-swift-version", "5", "-parse-as-library", "-I", ROOT / "Sources/COpenSSL"]
    modules = {"CryptoKit": APPS / "CryptoKit.swift", "ObjectiveC": APPS / "apple/ObjectiveC.swift", "UIKit": APPS / "apple/UIKit.swift",
               MODULES.get(name, name): STUBS / f"{name}.swift"}
    app = with_guide(app)

    def make(folder):
        for module, source in modules.items():
            runtime = [] if module == "CryptoKit" else OBJECTIVE_C
            run_tool([*compiler, *runtime, "-I", folder, "-module-name", module, "-emit-module", "-o", folder / f"{module}.swiftmodule", source])
        run_tool([*compiler, *OBJECTIVE_C, "-I", folder, "-typecheck", app])

    return made_once([*compiler, "check"], [*modules.values(), app], make)


#: What a header of Swift calls Foundation's classes where Foundation has none for Objective-C.
FOUNDATION = ["NSString", "NSURL", "NSData", "NSDate", "NSArray", "NSSet", "NSDictionary"]


def objective_c_header(name):
    """The folder with the header for Objective-C that an Apple system's compiler makes of a stub in Swift."""
    apple, stub = APPS / "apple", STUBS / f"{name}.swift"
    compiler = [tool("swiftc"), "-swift-version", "5", "-parse-as-library", "-I", ROOT / "Sources/COpenSSL"]
    frontend = [tool("swiftc"), "-frontend", "-typecheck", *OBJECTIVE_C[1::2], *compiler[1:]]
    made = MODULES.get(name, name)

    def make(folder):
        for module, source, options in (("CryptoKit", APPS / "CryptoKit.swift", []), ("ObjectiveC", apple / "ObjectiveC.swift", OBJECTIVE_C)):
            run_tool([*compiler, *options, "-module-name", module, "-emit-module", "-o", folder / f"{module}.swiftmodule", source])
        run_tool([*frontend, "-I", folder, "-module-name", made, "-emit-objc-header-path", folder / f"{made}-Swift.h", apple / "Runtime.swift", stub])

    return made_once([*frontend, "header"], [APPS / "CryptoKit.swift", *sorted(apple.glob("*.swift")), stub], make)


def check_objective_c(name, app):
    """Has a compiler of Objective-C check an app's file on a stub; every warning is an error."""
    header = objective_c_header(name)
    command = [tool("clang"), "-fsyntax-only", "-x", "objective-c", "-fobjc-arc", "-fblocks", "-fobjc-runtime=macosx", "-Wall", "-Wextra", "-Werror",
               "-Wno-unused-parameter", "-Wno-implicit-fallthrough", "-Wundeclared-selector",
               *(f"-D_TtC10Foundation{len(name)}{name}={name}" for name in FOUNDATION), "-I", APPS / "apple", "-I", header]
    run_tool([*command, app])


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
            if line == "*":
                stars.append(shown)
            elif line.endswith(" *"):
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
