"""`script/new-platform` in a throw-away copy: what it writes is typed right, and stands wherever platforms are listed."""

import json
import re
import subprocess

import json5
import pytest

from understudy import BINARY, ROOT

MODULES = BINARY.parent / "Modules"
COPIED = ["Package.swift", "Sources/Platforms", "Fixtures", "Web/docs/index.md", "script/new-platform"]
C_MODULES = ["COpenSSL", "CSQLite", "CQREncode"]
FEATURES = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]


@pytest.fixture
def copy(tmp_path):
    listed = subprocess.run(["git", "ls-files", *COPIED], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in listed.split():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "script/new-platform").chmod(0o755)
    return tmp_path


def new_platform(copy, *arguments):
    return subprocess.run([copy / "script/new-platform", *arguments], capture_output=True, text=True)


def texts(folder):
    return {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def test_a_new_platform_stands_in_every_list(copy):
    made = new_platform(copy, "Acme", "Acme Identity")
    assert (made.returncode, made.stderr) == (0, ""), made

    manifest = (copy / "Package.swift").read_text()
    assert 'module("Acme", ["PlatformKit"' in manifest and 'tests(of: "Acme", ["TestKit"' in manifest
    platforms = manifest[manifest.index('"Platforms",') :]
    assert '"Acme"' in platforms[: platforms.index("]")]
    listed = (copy / "Sources/Platforms/Platforms.swift").read_text()
    assert re.findall(r"(?m)^import Acme$", listed) and "Acme.self" in listed

    fixtures = json5.loads((copy / "Fixtures/default.json").read_text())
    schema = json.loads((copy / "Fixtures/schema.json").read_text())
    assert fixtures["acme"] == {"tenants": [{"id": "first", "name": "The first tenant"}]}
    assert [key["alg"] for key in fixtures["keys"] if key["for"] == "acme"] == ["ES256"]
    assert schema["properties"]["acme"]["properties"].keys() == {"tenants"}
    assert json5.loads((copy / "Fixtures/starters/acme.json").read_text())["acme"] == fixtures["acme"]
    assert "- [Acme Identity](acme.md)\n" in (copy / "Web/docs/index.md").read_text()
    assert (copy / "Web/docs/acme.md").read_text().startswith("# Acme Identity\n")

    written = [*copy.glob("Sources/Acme/**/*.swift"), *copy.glob("Tests/AcmeTests/*.swift")]
    assert len(written) == 5
    for file in written:
        text = file.read_text()
        assert not re.search("@(NAME|TITLE|PATH)@", text), file
        assert all(line == line.rstrip() and len(line) <= 110 for line in text.splitlines()), file


@pytest.mark.skipif(not (MODULES / "PlatformKit.swiftmodule").exists(), reason="the modules that the program was built from are not beside it")
def test_what_is_written_compiles(copy):
    assert new_platform(copy, "Acme").returncode == 0
    command = ["swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-module-name", "Acme", "-package-name", ROOT.name.lower(), "-I", MODULES]
    command += ["-warnings-as-errors"]
    for module in C_MODULES:
        command += ["-Xcc", f"-fmodule-map-file={ROOT}/Sources/{module}/module.modulemap"]
    for feature in FEATURES:
        command += ["-enable-upcoming-feature", feature]
    checked = subprocess.run([*command, *copy.glob("Sources/Acme/**/*.swift")], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["acme"], "begins with a capital"),
        (["A"], "2 to 40 letters"),
        (["Acme", 'A "quoted" one'], "neither quotation marks"),
        (["Phones"], "called Phones already"),
        (["Platforms"], "is there already"),
    ],
)
def test_what_cannot_be_is_refused_and_writes_nothing(copy, arguments, reason):
    before = texts(copy)
    refused = new_platform(copy, *arguments)
    assert refused.returncode == 1 and reason in refused.stderr and "nothing was written" in refused.stderr
    assert texts(copy) == before


def test_a_second_one_of_the_name_is_refused(copy):
    assert new_platform(copy, "Acme").returncode == 0
    before = texts(copy)
    refused = new_platform(copy, "Acme")
    assert refused.returncode == 1 and "is there already" in refused.stderr
    assert texts(copy) == before
