"""The page on continuous integration: what its steps run is run here, as far as no runner, registry or Docker is needed."""

import json
import re
import shutil
import subprocess
import sys

import pytest
import requests
import yaml

from snippets import blocks_of
from test_packaging import check
from understudy import BINARY, ROOT, plain_environment, run

PAGE = "ci.md"


def blocks(heading):
    return [yaml.safe_load(block.text) for block in blocks_of(PAGE) if block.heading == heading and block.language in ("yaml", "yml")]


def steps(heading, word):
    """The commands of steps that have a word."""
    lists = [document.get("steps", []) if isinstance(document, dict) else document for document in blocks(heading)]
    found = [step["run"] for listed in lists for step in listed if "run" in step]
    return [command for command in found if word in command]


def shell(command, folder, **environment):
    """Runs a step as a runner does, with the program on its PATH, and npm and docker as somebody else wrote them into the folder."""
    path = f"{folder / 'bin'}:{BINARY.parent}:/usr/bin:/bin"
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=60, cwd=folder,
                          env=plain_environment(PATH=path, **environment))


def tool_of(folder, name, text):
    (folder / "bin").mkdir(exist_ok=True)
    (folder / "bin" / name).write_text("#!/bin/sh\n" + text)
    (folder / "bin" / name).chmod(0o755)


def test_every_block_of_yaml_is_one():
    count = [yaml.safe_load(block.text) for block in blocks_of(PAGE) if block.language in ("yaml", "yml")]
    assert len(count) >= 8 and all(count)


@pytest.mark.parametrize("status", [0, 3])
def test_exec_keeps_the_journal_of_a_failure_alone(tmp_path, status):
    [step] = steps("Without a container", "exec")
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "Fixtures/default.json", tmp_path / "tests/world.json")
    tool_of(tmp_path, "npm", f'curl -sS -d "{{}}" "$UNDERSTUDY_HANKO_URL/passcode/login/initialize" > /dev/null\nexit {status}\n')
    done = shell(step, tmp_path)
    assert done.returncode == status, done.stderr
    assert (tmp_path / "journal.har").exists() == bool(status)
    if status:
        requested = [entry["request"]["url"] for entry in json.loads((tmp_path / "journal.har").read_text())["log"]["entries"]]
        assert any(url.endswith("/hanko/passcode/login/initialize") for url in requested)


def test_github_keeps_journal_and_flow(start, tmp_path):
    server = start("--host", "0.0.0.0", "--control-token", "development")
    requests.get(server.url + "/hanko/me", timeout=30)
    [step] = steps("After a failure", "journal.har")
    done = shell(step, tmp_path, UNDERSTUDY_URL=server.url)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "journal.har").read_text())["log"]["entries"] and "/me" in (tmp_path / "flow.txt").read_text()
    uploaded = next(step["with"]["path"] for document in blocks("After a failure") for step in document if "upload-artifact" in step.get("uses", ""))
    assert set(uploaded.split()) == {"journal.har", "flow.txt"}


def test_gitlab_keeps_the_journal(start, tmp_path):
    server = start("--host", "0.0.0.0", "--control-token", "development")
    [pipeline] = blocks("In GitLab CI")
    [service] = pipeline["test"]["services"]
    assert "." not in service["alias"] and service["alias"] in pipeline["test"]["variables"]["UNDERSTUDY_URL"]
    [step] = pipeline["test"]["after_script"]
    done = shell(step, tmp_path, UNDERSTUDY_URL=server.url)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "journal.har").read_text())["log"]
    assert pipeline["test"]["artifacts"]["paths"] == ["journal.har"]


def test_compose_waits_for_a_health_check_and_finds_the_service(start, tmp_path):
    [composed] = [document for document in blocks("With Compose") if "services" in document]
    (tmp_path / "compose.yaml").write_text(yaml.safe_dump(composed))
    check("vendor.compose-spec", tmp_path / "compose.yaml")
    server, tests = composed["services"]["understudy"], composed["services"]["tests"]
    assert tests["depends_on"]["understudy"]["condition"] == "service_healthy"
    assert re.search(r"^HEALTHCHECK ", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    settings = run("help", "--markdown").stdout
    assert all(f"`{name}`" in settings for name in server["environment"])
    # In the network of the container the name leads to it.
    started = start("--host", "0.0.0.0", UNDERSTUDY_CONTROL_TOKEN=server["environment"]["UNDERSTUDY_CONTROL_TOKEN"])
    assert requests.get(started.url + "/hanko/.well-known/jwks.json", headers={"Host": "understudy:8420"}, timeout=30).status_code == 200
    [keeping] = steps("With Compose", "journal.har")
    tool_of(tmp_path, "docker", 'shift 4\n"$@"\n')
    done = shell(keeping, tmp_path, UNDERSTUDY_URL=started.url)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "journal.har").read_text())["log"]


def test_the_package_of_the_wheel_is_the_one_that_is_made():
    [step] = steps("Without a container", "pip install")
    assert "dist/understudy_server-*.whl" in step
    assert "understudy_server-VERSION-…-ARCH.whl" in (ROOT / "script/package").read_text()


def code(heading, language):
    [block] = [block.text for block in blocks_of(PAGE) if (block.heading, block.language) == (heading, language)]
    return block


def run_pytest(folder, **environment):
    (folder / "understudy.py").write_text(run("helper", "python").stdout)
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "understudy", "-p", "no:cacheprovider", "--rootdir", folder, folder],
                          capture_output=True, text=True, timeout=60, cwd=folder, env=plain_environment(
                              PYTHONPATH=str(folder), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", HOME=str(folder), **environment))


def test_a_service_begins_with_fixtures_that_are_loaded(start, tmp_path):
    server = start("--host", "0.0.0.0", "--control-token", "development")
    (tmp_path / "tests").mkdir()
    people = '// of the team\n{"people": [{"id": "robin", "name": "Robin", "email": "robin@example.com", "story": "new"}]}\n'
    (tmp_path / "tests/world.json").write_text(people)
    [step] = steps("Your own fixtures", "fixtures")
    done = shell(step, tmp_path, UNDERSTUDY_URL=server.url)
    assert done.returncode == 0, done.stderr
    (tmp_path / "conftest.py").write_text(code("Your own fixtures", "py"))
    (tmp_path / "test_people.py").write_text(
        'def test_people(world):\n    assert [one["id"] for one in world.call("GET", "/fixtures")["people"]] == ["robin"]\n')
    done = run_pytest(tmp_path, UNDERSTUDY_URL=server.url, UNDERSTUDY_CONTROL_TOKEN="development")
    assert done.returncode == 0, done.stdout


def test_pytest_keeps_journal_and_flow_of_a_failing_test(tmp_path):
    (tmp_path / "conftest.py").write_text(code("After a failure", "py"))
    (tmp_path / "test_it.py").write_text("""
import urllib.request


def test_fails(world):
    urllib.request.urlopen(world.urls["hanko"] + "/me")


def test_fails_without_a_request(world):
    assert False


def test_passes(world):
    pass
""")
    done = run_pytest(tmp_path, UNDERSTUDY_BINARY=str(BINARY))
    assert "2 failed, 1 passed" in done.stdout, done.stdout
    kept = tmp_path / "understudy"
    assert sorted(file.relative_to(kept).as_posix() for file in kept.rglob("*.*")) == [
        "test_fails/flow.txt", "test_fails/journal.har", "test_fails_without_a_request/journal.har"]
    [entry] = json.loads((kept / "test_fails/journal.har").read_text())["log"]["entries"]
    assert entry["request"]["url"].endswith("/hanko/me") and "/hanko/me" in (kept / "test_fails/flow.txt").read_text()


def test_node_keeps_the_journal_of_a_failing_test(tmp_path):
    if not (node := shutil.which("node")):
        pytest.skip("node is not on the path")
    (tmp_path / "understudy.mjs").write_text(run("helper", "javascript").stdout)
    (tmp_path / "kept.mjs").write_text(code("After a failure", "js"))
    (tmp_path / "it.test.mjs").write_text("""
import { test } from "node:test";
import { inKeptWorld } from "./kept.mjs";
test("fails", inKeptWorld(async world => {
    await fetch(world.urls.hanko + "/me");
    throw new Error("no");
}));
test("passes", inKeptWorld(async world => {}));
""")
    done = subprocess.run([node, "--test"], capture_output=True, text=True, timeout=60, cwd=tmp_path,
                          env=plain_environment(UNDERSTUDY_BINARY=str(BINARY), HOME=str(tmp_path)))
    assert "fail 1\n" in done.stdout and "pass 1\n" in done.stdout, done.stdout
    [kept] = (tmp_path / "understudy").iterdir()
    [entry] = json.loads(kept.read_text())["log"]["entries"]
    assert entry["request"]["url"].endswith("/hanko/me")
