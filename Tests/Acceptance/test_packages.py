"""What script/package makes is installed and used as somebody would who has nothing of ours. It packs the binary under test, so that no build
of its own is needed; what holds for the static program of a release alone is asked where that is the one."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import zipfile
from xml.etree import ElementTree

import pytest

from compilers import JUNIT, compile_java, java_command, made_once, run_tool, tool
from test_packaging import check
from understudy import BINARY, ROOT, plain_environment, run

IS_STATIC = b"statically linked" in subprocess.run(["file", "-L", BINARY], capture_output=True).stdout if shutil.which("file") else False


def package(folder):
    done = subprocess.run(
        [ROOT / "script/package", "--binary", BINARY, "--quick", folder], capture_output=True, text=True, timeout=300,
        env=plain_environment(SOURCE_DATE_EPOCH="1790000000"))
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    return package(tmp_path_factory.mktemp("packages"))


def one(folder, pattern):
    [found] = folder.glob(pattern)
    return found


def works(program, tmp_path):
    """Says its version, and serves a command of ours in an environment that knows nothing of us."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    told = subprocess.run([program, "version"], capture_output=True, text=True, env=environment)
    assert told.stdout.startswith("understudy 0.1.0 (commit "), told
    served = subprocess.run(
        [program, "exec", "--", "sh", "-c", "curl -sS --fail-with-body $UNDERSTUDY_HANKO_URL/.well-known/jwks.json"],
        capture_output=True, text=True, env=environment, cwd=tmp_path, timeout=60)
    assert served.returncode == 0 and json.loads(served.stdout)["keys"], served


def test_the_wheel_puts_the_program_on_the_path(packages, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    installed = subprocess.run(
        [tmp_path / "venv/bin/pip", "install", "--no-index", "--disable-pip-version-check", one(packages, "*.whl")],
        capture_output=True, text=True)
    assert installed.returncode == 0, installed.stderr
    works(tmp_path / "venv/bin/understudy", tmp_path)
    files = subprocess.run(
        [tmp_path / "venv/bin/pip", "show", "--files", "understudy-server"], capture_output=True, text=True).stdout
    assert "bin/understudy" in files and "licenses/NOTICES" in files


def test_the_wheel_has_the_helper_and_its_fixtures_for_pytest(packages, tmp_path):
    """Unpacked beside the pytest of our own tests, as pip would; nothing but the wheel is on the path."""
    subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--disable-pip-version-check",
                    "--target", tmp_path / "site", one(packages, "*.whl")], check=True)
    (tmp_path / "test_team.py").write_text(
        "import understudy\n\ndef test_a_world(world):\n    assert isinstance(world, understudy.World)\n"
        "    world.phone('ada').enrol(platform='nextauth')\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path / "test_team.py"], capture_output=True, text=True,
        cwd=tmp_path, timeout=120, env=plain_environment(
            PYTHONPATH=str(tmp_path / "site"), HOME=str(tmp_path), PATH=f"{tmp_path / 'site/bin'}:/usr/bin:/bin", PYTEST_ADDOPTS="-p no:xdist"))
    assert "1 passed" in done.stdout, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("npm"), reason="npm is not on the path")
def test_the_npm_tarballs_bring_helper_types_and_program(packages, tmp_path):
    (tmp_path / "package.json").write_text('{"private": true, "type": "module"}')
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    subprocess.run(
        ["npm", "install", "--offline", "--no-audit", "--no-fund", *sorted(packages.glob("understudy-server-*.tgz"))], cwd=tmp_path,
        env=environment, check=True, capture_output=True, timeout=120)
    works(tmp_path / "node_modules/.bin/understudy", tmp_path)
    refused = subprocess.run([tmp_path / "node_modules/.bin/understudy", "nonsense"], capture_output=True, text=True, env=environment)
    assert refused.returncode == 2 and "nonsense" in refused.stderr
    (tmp_path / "team.test.mjs").write_text(
        'import assert from "node:assert/strict";\nimport { after, test } from "node:test";\nimport { Understudy, inWorld } from "understudy-server";\n'
        'after(async () => (await Understudy.shared()).stop());\n'
        'test("a world", inWorld(async world => assert.match(world.urls.hanko, /hanko$/)));\n')
    done = subprocess.run([tool("node"), "--test"], capture_output=True, text=True, cwd=tmp_path, env=environment, timeout=120)
    assert done.returncode == 0 and "pass 1" in done.stdout, done
    (tmp_path / "team.ts").write_text('import { inWorld } from "understudy-server";\nexport const test = inWorld(async world => { await world.code("a@example.com"); });\n')
    run_tool([tool("tsc"), "--noEmit", "--strict", "--module", "node16", "--moduleResolution", "node16", "--target", "es2022", "--lib", "es2022,dom", "team.ts"], cwd=tmp_path)
    # Without the program for this system, it says which package is missing.
    shutil.rmtree(next(tmp_path.glob("node_modules/understudy-server-linux-*")))
    missing = subprocess.run([tmp_path / "node_modules/.bin/understudy", "version"], capture_output=True, text=True, env=environment)
    assert missing.returncode == 1 and "understudy-server-linux-" in missing.stderr


@pytest.mark.skipif(not (shutil.which("javac") and JUNIT.exists()), reason="javac or JUnit 5 is missing")
def test_the_jar_runs_a_teams_tests(packages, tmp_path):
    helper = one(packages, "understudy-testing-*[0-9].jar")
    assert "record World(" in unzipped(one(packages, "*-sources.jar"), "understudy/Understudy.java")
    pom = ElementTree.parse(one(packages, "*.pom")).getroot()
    assert pom.findtext("{*}artifactId") == "understudy-testing" and helper.name == f"understudy-testing-{pom.findtext('{*}version')}.jar"
    classes = compile_java(ROOT / "Tests/Acceptance/helpers/TeamTest.java", classpath=[JUNIT, helper])
    done = subprocess.run(
        java_command([JUNIT, helper, classes], "org.junit.platform.console.ConsoleLauncher", "--scan-class-path", classes, "--disable-banner"),
        capture_output=True, text=True, timeout=120, env=plain_environment(UNDERSTUDY_BINARY=str(BINARY), HOME=str(tmp_path)))
    assert "7 tests successful" in done.stdout, done.stdout


def unzipped(archive, name):
    with zipfile.ZipFile(archive) as opened:
        return opened.read(name).decode()


def test_the_swift_package_is_built_and_tested_with(packages, tmp_path):
    with tarfile.open(one(packages, "understudy-swift-*.tar.gz")) as archive:
        archive.extractall(tmp_path, filter="data")
    sources = sorted(path for path in tmp_path.rglob("*.swift"))

    def make(folder):
        shutil.copytree(next(tmp_path.glob("understudy-swift-*")), folder / "understudy-swift")
        (folder / "Package.swift").write_text(
            '// swift-tools-version: 6.2\nimport PackageDescription\nlet package = Package(name: "Team", dependencies: [.package(path: "understudy-swift")],\n'
            '    targets: [.testTarget(name: "TeamTests", dependencies: [.product(name: "UnderstudyTesting", package: "understudy-swift"),\n'
            '        .product(name: "UnderstudyPasskeys", package: "understudy-swift")])])\n')
        (folder / "Tests/TeamTests").mkdir(parents=True)
        (folder / "Tests/TeamTests/Team.swift").write_text(
            "import Testing\n@testable import UnderstudyPasskeys\n@testable import UnderstudyTesting\n\n@Test(.world) func aWorld() async throws {\n"
            '    let world = try World.current\n    let stand = PasskeyStandIn(world: world.url, phone: "ada", relyingPartyIdentifier: "example.com")\n'
            '    #expect(world.urls["hanko"]?.hasSuffix("/hanko") == true && stand.phone == "ada")\n}\n')
        run_tool([tool("swift"), "build", "--build-tests", "-j", "2", "--package-path", folder], seconds=600)

    built = made_once([tool("swift"), "package of a release"], sources, make)
    said = run_tool([tool("swift"), "test", "--skip-build", "--package-path", built], env=plain_environment(UNDERSTUDY_BINARY=str(BINARY), HOME=str(tmp_path)))
    assert "Test run with 1 test" in said and "passed" in said


def test_the_action_starts_it_for_later_steps(packages, tmp_path):
    check("vendor.github-actions", ROOT / ".github/actions/understudy/action.yml")
    archive = one(packages, "understudy-*-linux-*.tar.gz")
    files = {name: tmp_path / name for name in ("GITHUB_PATH", "GITHUB_ENV", "GITHUB_OUTPUT")}
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "RUNNER_TEMP": str(tmp_path / "runner"), "ARCHIVE": str(archive), "ARGUMENTS": "--seed 7",
                   "SHA256": hashlib.sha256(archive.read_bytes()).hexdigest()} | {name: str(path) for name, path in files.items()}
    (tmp_path / "runner").mkdir()
    start = [ROOT / ".github/actions/understudy/start.sh"]
    wrong = subprocess.run(start, capture_output=True, text=True, env=environment | {"SHA256": "0" * 64})
    assert wrong.returncode == 1 and "FAILED" in wrong.stdout + wrong.stderr
    refused = subprocess.run(start, capture_output=True, text=True, env=environment | {"ARGUMENTS": "--nonsense"})
    assert refused.returncode == 1 and "::error::" in refused.stdout and "--nonsense" in refused.stdout
    for path in files.values():
        path.unlink(missing_ok=True)
    done = subprocess.run(start, capture_output=True, text=True, env=environment, timeout=60)
    assert done.returncode == 0, done
    try:
        [(name, url)] = re.findall("^(.*?)=(.*)$", files["GITHUB_ENV"].read_text(), re.MULTILINE)
        assert name == "UNDERSTUDY_URL" and files["GITHUB_OUTPUT"].read_text() == f"url={url}\n"
        step = subprocess.run(["sh", "-c", "understudy ready && curl -sS --fail-with-body $UNDERSTUDY_URL/hanko/.well-known/jwks.json"], capture_output=True,
                              text=True, env={"PATH": files["GITHUB_PATH"].read_text().strip() + ":/usr/bin:/bin", "UNDERSTUDY_URL": url})
        assert step.returncode == 0 and "keys" in step.stdout, step
    finally:
        os.kill(int((tmp_path / "runner/understudy.pid").read_text()), signal.SIGTERM)


def test_the_feature_of_a_devcontainer_installs_the_program(packages, tmp_path):
    folder = ROOT / "Packages/devcontainer/understudy"
    feature = json.loads((folder / "devcontainer-feature.json").read_text())
    # As the specification of features has it: the folder's name, a version, and options that the script hears in capitals.
    assert feature["id"] == folder.name and f'"{feature["version"]}"' in (ROOT / "Sources/Understudy/Version.swift").read_text()
    assert all(option["type"] in ("string", "boolean") and "default" in option for option in feature["options"].values())
    archive, prefix = one(packages, "understudy-*-linux-*.tar.gz"), tmp_path / "usr"
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PREFIX": str(prefix), "ARCHIVE": str(archive)}
    assert {name.upper() for name in feature["options"]} == {"ARCHIVE", "SHA256"}
    wrong = subprocess.run([folder / "install.sh"], capture_output=True, text=True, env=environment | {"SHA256": "0" * 64})
    assert wrong.returncode != 0 and not prefix.exists()
    assert subprocess.run([folder / "install.sh"], capture_output=True, env=environment | {"ARCHIVE": ""}).returncode == 1
    done = subprocess.run([folder / "install.sh"], capture_output=True, text=True, env=environment | {
        "SHA256": hashlib.sha256(archive.read_bytes()).hexdigest()})
    assert done.returncode == 0, done
    works(prefix / "bin/understudy", tmp_path)


@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb is not on the path")
def test_the_debian_package_holds_a_program_that_works(packages, tmp_path):
    deb = one(packages, "*.deb")
    subprocess.run(["dpkg-deb", "--extract", deb, tmp_path / "root"], check=True)
    works(tmp_path / "root/usr/bin/understudy", tmp_path)
    share = tmp_path / "root/usr/share"
    for shell, place in (
            ("bash", "bash-completion/completions/understudy"), ("zsh", "zsh/vendor-completions/_understudy"),
            ("fish", "fish/vendor_completions.d/understudy.fish")):
        assert (share / place).read_text() == run("completion", shell).stdout
    if shutil.which("man"):
        page = subprocess.run(["man", "-M", share / "man", "understudy"], capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"})
        assert page.returncode == 0 and "stand in for identity platforms" in page.stdout


@pytest.mark.skipif(not shutil.which("lintian"), reason="lintian is not on the path")
def test_lintian_has_nothing_to_say_of_the_debian_package(packages):
    # A program of a developer's build finds its libraries where they are on this machine alone.
    own = [] if IS_STATIC else ["--suppress-tags", "custom-library-search-path,undeclared-elf-prerequisites"]
    told = subprocess.run(["lintian", "--allow-root", *own, one(packages, "*.deb")], capture_output=True, text=True)
    assert (told.returncode, told.stdout) == (0, ""), told


def test_the_archives_hold_the_same_and_the_sums_are_right(packages, tmp_path):
    names = []
    for suffix in ("gz", "xz"):
        with tarfile.open(one(packages, f"*-linux-*.tar.{suffix}")) as archive:
            names.append([(member.name, member.mode, member.size, member.mtime, member.uid) for member in archive])
            archive.extractall(tmp_path / suffix, filter="data")
    assert names[0] == names[1] and {name[3] for name in names[0]} == {1790000000} and {name[4] for name in names[0]} == {0}
    works(one(tmp_path, "xz/understudy-0.1.0-*/bin/understudy"), tmp_path)
    licences = {path.name for path in tmp_path.glob("xz/*/share/doc/understudy/licences/*")}
    assert {"understudy", "swift", "libssl", "libsqlite3", "libqrencode", "libc6"} <= licences

    sums = dict(reversed(line.split("  ")) for line in (packages / "SHA256SUMS").read_text().splitlines())
    assert sums == {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in packages.iterdir() if path.name != "SHA256SUMS"}


def test_the_bill_of_materials_names_what_is_linked_in(packages, tmp_path):
    bill = json.loads(one(packages, "*.spdx.json").read_text())
    own, *parts = bill["packages"]
    subprocess.run(["tar", "-xf", one(packages, "*-linux-*.tar.gz"), "-C", tmp_path, "--strip-components=1"], check=True)
    assert own["checksums"] == [
        {"algorithm": "SHA256", "checksumValue": hashlib.sha256((tmp_path / "bin/understudy").read_bytes()).hexdigest()}]
    assert {part["name"] for part in parts} == {"SQLite", "OpenSSL", "libqrencode", "glibc", "Swift"}
    known = {package["SPDXID"] for package in bill["packages"]} | {"SPDXRef-DOCUMENT"}
    assert {end for tie in bill["relationships"] for end in (tie["spdxElementId"], tie["relatedSpdxElement"])} == known


def test_the_same_program_gives_the_same_packages(packages, tmp_path):
    assert (package(tmp_path / "again") / "SHA256SUMS").read_text() == (packages / "SHA256SUMS").read_text()


def test_the_formula_names_the_archives_of_a_release_with_their_sums(packages, tmp_path):
    archive = one(packages, "*-linux-*.tar.gz")
    release = tmp_path / "release"
    release.mkdir()
    version = archive.name.split("-")[1]
    names = [f"understudy-{version}-linux-x86_64.tar.gz", f"understudy-{version}-linux-aarch64.tar.gz", f"understudy-{version}.tar.gz"]
    for name in names:
        (release / name).write_bytes(archive.read_bytes() + name.encode())
    url = f"https://example.com/understudy/releases/download/v{version}"
    formula = subprocess.run([ROOT / "script/formula", release, url], capture_output=True, text=True, check=True).stdout
    for name in names:
        assert f'url "{url}/{name}"\n' in formula
        assert f'sha256 "{hashlib.sha256((release / name).read_bytes()).hexdigest()}"\n' in formula
    assert formula.count("sha256") == 3 and f'version "{version}"' in formula and 'homepage "https://example.com/understudy"' in formula
    (release / names[1]).unlink()
    lacking = subprocess.run([ROOT / "script/formula", release, url], capture_output=True, text=True)
    assert lacking.returncode == 1 and names[1] in lacking.stderr
