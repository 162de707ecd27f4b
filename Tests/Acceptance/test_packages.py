"""What script/package makes is installed and used as somebody would who has nothing of ours. It packs the binary under test, so that no build
of its own is needed; what holds for the static program of a release alone is asked where that is the one."""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile

import pytest

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
