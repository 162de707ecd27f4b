"""The helpers for tests, as a team would use them: written to a file by the program, run by the real runners."""

import shutil
import subprocess
import sys

import pytest

from understudy import BINARY, plain_environment, run

PYTHON_TESTS = '''
import json, urllib.request, urllib.error
import pytest
from understudy import Problem


def ask(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@pytest.mark.parametrize("turn", range(4))
def test_logs_in_alone(world, turn):
    user = ask(world.urls["hanko"] + "/users", {"email": "you@example.test"})["user_id"]
    passcode = ask(world.urls["hanko"] + "/passcode/login/initialize", {"user_id": user})["id"]
    code = world.code("you@example.test")
    assert len(world.outbox()) == 1
    world.snapshot("asked")
    world.advance(301)
    with pytest.raises(urllib.error.HTTPError, match="408"):
        ask(world.urls["hanko"] + "/passcode/login/finalize", {"id": passcode, "code": code})
    assert "expired" in world.refusals()[-1]
    world.restore("asked")
    assert ask(world.urls["hanko"] + "/passcode/login/finalize", {"id": passcode, "code": code})["id"] == passcode


def test_things_go_wrong_and_come_right(world):
    name = world.fault(match={"platform": "hanko"}, answer={"status": 503})
    with pytest.raises(urllib.error.HTTPError, match="503"):
        ask(world.urls["hanko"] + "/users", {"email": "you@example.test"})
    world.clear_faults()
    assert ask(world.urls["hanko"] + "/users", {"email": "you@example.test"})["user_id"]
    with pytest.raises(Problem, match="404"):
        world.restore("never-saved")


def test_a_phone_enrols(world):
    world.phone("ada", "enrol")
    assert world.phone("ada", "pending") is not None


def test_fails(world):
    ask(world.urls["hanko"] + "/passcode/login/initialize", {"user_id": "1cd5f0de-0000-4000-8000-000000000000"})
'''

JAVASCRIPT_TESTS = """
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Problem, Understudy } from "./understudy.mjs";

let understudy;
before(async () => { understudy = await Understudy.connect(); });
after(() => understudy.stop());

const ask = async (url, body) => {
    const answer = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
};

test("logs in alone", async () => {
    const world = await understudy.world();
    const hanko = world.urls.hanko;
    const user = (await ask(`${hanko}/users`, { email: "you@example.test" })).body.user_id;
    const passcode = (await ask(`${hanko}/passcode/login/initialize`, { user_id: user })).body.id;
    const code = await world.code("you@example.test");
    assert.equal((await world.outbox()).length, 1);
    await world.snapshot("asked");
    await world.advance(301);
    assert.equal((await ask(`${hanko}/passcode/login/finalize`, { id: passcode, code })).status, 408);
    assert.match((await world.refusals()).at(-1), /expired/);
    await world.restore("asked");
    assert.equal((await ask(`${hanko}/passcode/login/finalize`, { id: passcode, code })).status, 200);
    await world.delete();
});

test("things go wrong and come right", async () => {
    const world = await understudy.world();
    await world.fault({ answer: { status: 503 } }, { platform: "hanko" });
    assert.equal((await ask(`${world.urls.hanko}/users`, { email: "you@example.test" })).status, 503);
    await world.clearFaults();
    assert.equal((await ask(`${world.urls.hanko}/users`, { email: "you@example.test" })).status, 200);
    await assert.rejects(world.restore("never-saved"), error => error instanceof Problem && error.status === 404);
    await world.phone("ada", "enrol");
});

test("fails", async () => {
    const world = await understudy.world();
    await world.explain(async () => {
        assert.equal((await ask(`${world.urls.hanko}/passcode/login/initialize`, { user_id: "nobody" })).status, 200);
    });
});
"""


@pytest.fixture(params=["started", "found"])
def settings(request, start, tmp_path):
    """The environment of a team's tests: the program on the PATH, or one that runs, with a control token."""
    if request.param == "started":
        return plain_environment(UNDERSTUDY_BINARY=str(BINARY), HOME=str(tmp_path))
    server = start("--host", "0.0.0.0", "--control-token", "of-the-team")
    return plain_environment(UNDERSTUDY_URL=server.url, UNDERSTUDY_CONTROL_TOKEN="of-the-team", HOME=str(tmp_path))


def helper(language, file):
    printed = run("helper", language)
    assert printed.returncode == 0 and printed.stdout.count("\n") <= 200
    file.write_text(printed.stdout)


def test_python_helper_with_pytest_side_by_side(settings, tmp_path):
    helper("python", tmp_path / "understudy.py")
    (tmp_path / "conftest.py").write_text('pytest_plugins = ["understudy"]\n')
    (tmp_path / "test_team.py").write_text(PYTHON_TESTS)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", "--rootdir", tmp_path, tmp_path],
        capture_output=True, text=True, timeout=120, cwd=tmp_path, env=settings)
    assert "1 failed, 6 passed" in done.stdout, done.stdout + done.stderr
    assert "refused in the world w-" in done.stdout and "POST /w/" in done.stdout and "/passcode/login/initialize → 4" in done.stdout


@pytest.mark.skipif(not shutil.which("node"), reason="node is not on the path")
def test_javascript_helper_with_nodes_test_runner(settings, tmp_path):
    helper("javascript", tmp_path / "understudy.mjs")
    (tmp_path / "team.test.mjs").write_text(JAVASCRIPT_TESTS)
    done = subprocess.run(["node", "--test"], capture_output=True, text=True, timeout=120, cwd=tmp_path, env=settings)
    assert "# pass 2" in done.stdout and "# fail 1" in done.stdout or "pass 2" in done.stdout and "fail 1" in done.stdout, done.stdout
    assert "Refused in the world w-" in done.stdout and "/passcode/login/initialize → 4" in done.stdout


def test_helper_knows_its_languages():
    told = run("helper", "cobol")
    assert told.returncode == 2 and "javascript, python" in told.stderr
