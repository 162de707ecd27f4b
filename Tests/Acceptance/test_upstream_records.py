"""What is kept of a real service: marked as its own, with its secrets masked; faults strike it; and a command's requests as a file."""

import gzip
import json
import re
import stat
import sys

import jwt
import pytest
import requests

from understudy import run, until
from upstream_server import Service

TOKEN = jwt.encode({"sub": "ada"}, "a key of thirty-two bytes, at least", algorithm="HS256")
SECRETS = ["hunter2", "s3ss10n", "r3fr3sh", "s3cr3t-c0de", "cl13nt", TOKEN, "Basic-abc"]


@pytest.fixture
def service():
    service = Service()
    service.answers["/token"] = (200, [
        ("Content-Type", "application/json"), ("Set-Cookie", "sid=s3ss10n; HttpOnly"), ("Location", "/cb?code=s3cr3t-c0de&state=1")],
        json.dumps({"access_token": TOKEN, "refresh_token": "r3fr3sh", "expires_in": 60, "note": "see " + "x", "deep": [{"id_token": TOKEN}]}))
    yield service
    service.stop()


def log_in(base):
    return requests.post(
        base + "/token?code=s3cr3t-c0de&plain=1", timeout=10, allow_redirects=False,
        data={"username": "ada", "password": "hunter2", "client_secret": "cl13nt"},
        headers={"Authorization": "Basic Basic-abc", "Cookie": "sid=s3ss10n"})


def exports(url):
    control = url + "/_understudy/v1"
    return {place: requests.get(control + place, timeout=10).text
            for place in ("/journal", "/journal/1", "/journal.har", "/flows/1?format=json", "/flows/1?format=text")} | {
        place: requests.get(url + place, timeout=10).text for place in ("/journal", "/journal/1")}


def test_secrets_are_masked_wherever_they_are_kept(service, start):
    server = start("--upstream", f"hanko={service.url}")
    answer = log_in(server.url + "/hanko")
    assert answer.json()["access_token"] == TOKEN and answer.cookies["sid"] == "s3ss10n"
    assert service.last.body == b"username=ada&password=hunter2&client_secret=cl13nt"
    assert service.last.headers["Authorization"] == "Basic Basic-abc"

    for place, text in exports(server.url).items():
        assert not [secret for secret in SECRETS if secret in text], place
    [entry] = [entry for entry in server.default_world.journal(kind="request")]
    exchange = entry["exchange"]
    assert re.fullmatch(r"username=ada&password=masked-[a-z]{10}&client_secret=masked-[a-z]{10}", exchange["requestBody"])
    assert re.fullmatch(r"/hanko/token\?code=masked-[a-z]{10}&plain=1", exchange["target"])
    body = json.loads(exchange["responseBody"])
    assert body["expires_in"] == 60 and body["access_token"] == body["deep"][0]["id_token"]
    # The same secret has the same mask, so that one sees what comes from where.
    fields = {name.lower(): value for name, value in exchange["requestHeaders"]}
    answered = {name.lower(): value for name, value in exchange["responseHeaders"]}
    assert fields["cookie"] == answered["set-cookie"].split(";")[0]
    assert fields["authorization"].startswith("Basic masked-")


def test_secrets_are_kept_where_that_is_asked_for(service, start):
    server = start("--upstream", f"hanko={service.url}", "--show-secrets")
    assert "--show-secrets" in server.errors.read_text()
    log_in(server.url + "/hanko")
    text = requests.get(server.url + "/_understudy/v1/journal.har", timeout=10).text
    assert not [secret for secret in SECRETS if secret not in text]


def test_what_is_emulated_keeps_its_secrets_as_before(service, start):
    server = start("--upstream", f"hanko-admin={service.url}")
    log_in(server.url + "/hanko")
    [entry] = server.default_world.journal(kind="request")
    assert "hunter2" in entry["exchange"]["requestBody"] and "upstream" not in entry


@pytest.mark.parametrize("miss", ["/hankoo", "/w/nowhere/hanko", "/hanko with another Host"])
def test_what_misses_every_platform_is_masked_as_well(service, start, miss):
    server = start("--upstream", f"hanko={service.url}")
    path, *other = miss.split(" with ")
    missed = requests.post(
        server.url + path + "/token?code=s3cr3t-c0de", json={"password": "hunter2"}, timeout=10,
        headers={"Authorization": f"Bearer {TOKEN}"} | ({"Host": "wrong.example"} if other else {}))
    assert missed.status_code >= 400 and service.seen == []
    text = requests.get(server.url + "/_understudy/v1/journal.har", timeout=10).text
    assert "masked-" in text and not [secret for secret in SECRETS if secret in text]


def test_a_compressed_body_is_not_kept(service, start):
    packed = gzip.compress(json.dumps({"access_token": TOKEN}).encode())
    service.answers["/packed"] = (200, [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], packed)
    server = start("--upstream", f"hanko={service.url}")
    assert requests.get(server.url + "/hanko/packed", timeout=10).json() == {"access_token": TOKEN}
    [entry] = server.default_world.get("/journal.har")["log"]["entries"]
    content = entry["response"]["content"]
    assert content["size"] == len(packed) and not content.get("text")
    assert content["comment"] == "The body is not kept: it was passed on in pieces, or has a coding that hides its secrets."


def test_a_body_that_is_passed_on_as_it_comes_is_cut(service, start):
    service.answers["/large"] = (200, [("Content-Type", "application/octet-stream")], b"x" * 400_000)
    server = start("--upstream", f"hanko={service.url}")
    server.default_world.control("POST", "/faults", json={"match": {"platform": "hanko"}, "effect": {"truncate": {"bytes": 70_000}}})
    with requests.get(server.url + "/hanko/large", timeout=10, stream=True) as answer:
        got = b""
        with pytest.raises(requests.exceptions.RequestException):
            for piece in answer.iter_content(1000):
                got += piece
    assert len(got) == 70_000
    sentence = server.default_world.explanations()[0]
    assert "ends this answer after 70000 bytes of its body" in sentence, sentence


def test_journal_flow_and_archive_say_that_it_was_the_real_service(service, start):
    server = start("--upstream", f"hanko={service.url}")
    log_in(server.url + "/hanko")
    world = server.default_world
    assert world.journal(kind="request")[0]["upstream"] == service.url
    [entry] = world.get("/journal.har")["log"]["entries"]
    assert entry["_upstream"] == service.url
    flow = requests.get(server.url + "/_understudy/v1/flows/1", params={"format": "text"}, timeout=10).text
    assert "→ hanko (upstream): POST /hanko/token" in flow
    for page in ("/journal", "/journal/1", "/"):
        assert "upstream" in requests.get(server.url + page, timeout=10).text.lower(), page
    home = requests.get(server.url + "/", timeout=10).text
    assert "Not emulated: real services answer here" in home and service.url in home


def test_faults_strike_in_the_place_of_the_service(service, start):
    server = start("--upstream", f"hanko={service.url}")
    world = server.default_world
    world.control("POST", "/faults", json={
        "name": "down", "match": {"platform": "hanko", "path": "/token", "to": 1}, "effect": {"answer": {"status": 503}}})
    assert log_in(server.url + "/hanko").status_code == 503 and service.seen == []
    assert log_in(server.url + "/hanko").status_code == 200 and len(service.seen) == 1
    world.control("POST", "/faults", json={"name": "cut", "match": {"platform": "hanko"}, "effect": {"truncate": {"bytes": 5}}})
    with pytest.raises(requests.exceptions.RequestException):
        log_in(server.url + "/hanko").content
    assert [fault["struck"] for fault in world.get("/faults")["faults"]] == [1, 1]
    assert any("fault “down”" in sentence for sentence in world.explanations(status="503"))


CALLER = """
import os, sys, urllib.request
urllib.request.urlopen(os.environ["UNDERSTUDY_HANKO_URL"] + "/token?code=s3cr3t-c0de").read()
sys.exit(7)
"""


def test_record_writes_what_a_command_asked(service, tmp_path):
    file = tmp_path / "login.har"
    done = run("record", file, "--upstream", f"hanko={service.url}", "--", sys.executable, "-c", CALLER)
    assert done.returncode == 7, done.stderr
    [entry] = json.loads(file.read_text())["log"]["entries"]
    assert entry["_upstream"] == service.url and entry["response"]["status"] == 200
    assert "s3cr3t" not in file.read_text() and TOKEN not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("arguments, words", [
    ([], "FILE.har"), (["a.har"], "-- COMMAND"), (["/nowhere/a.har", "--", "true"], "no folder /nowhere"), (["/tmp", "--", "true"], "folder"),
])
def test_record_says_what_is_missing_before_it_runs_anything(arguments, words):
    refused = run("record", *arguments)
    assert refused.returncode in (1, 2) and words in refused.stderr, refused.stderr


@pytest.mark.parametrize("form", ["text", "json"])
def test_secrets_are_masked_in_the_log(service, start, form):
    service.answers["/refused"] = (400, [("Content-Type", "application/json")], json.dumps(
        {"error": "invalid_token", "error_description": f"the token {TOKEN} is over"}))
    server = start("--upstream", f"hanko={service.url}", "--log", form)
    log_in(server.url + "/hanko")
    requests.get(server.url + "/hanko/refused", params={"access_token": TOKEN, "plain": "shown"}, timeout=10)
    requests.get(server.url + "/oauth/nowhere", params={"code": "an-emulated-c0de"}, timeout=10)
    until(lambda: "an-emulated-c0de" in server.errors.read_text(), "the log")
    log = server.errors.read_text()
    assert re.search(r"/hanko/token\?code=masked-[a-z]{10}&plain=1", log) and re.search(r"access_token=masked-[a-z]{10}&plain=shown", log)
    assert not [secret for secret in SECRETS if secret in log]
    assert re.search(r"the token masked-[a-z]{10} is over", log)


def test_the_log_has_secrets_where_that_is_asked_for(service, start):
    server = start("--upstream", f"hanko={service.url}", "--log", "text", "--show-secrets")
    log_in(server.url + "/hanko")
    until(lambda: "/hanko/token?code=s3cr3t-c0de&plain=1" in server.errors.read_text(), "the log")


LARGE = json.dumps({"list": ["ä" * 100] * 2000, "access_token": TOKEN})
UPLOADER = """
import os, urllib.request
base = os.environ["UNDERSTUDY_HANKO_URL"]
urllib.request.urlopen(urllib.request.Request(base + "/large", b"x" * 300_000, {"Content-Type": "application/octet-stream"})).read()
urllib.request.urlopen(base + "/picture").read()
"""


def test_record_has_bodies_whole_and_says_which_are_missing(service, tmp_path):
    service.answers["/large"] = (200, [("Content-Type", "application/json")], LARGE)
    service.answers["/picture"] = (200, [("Content-Type", "image/png")], b"\x89PNG" * 100_000)
    file = tmp_path / "large.har"
    done = run("record", file, "--upstream", f"hanko={service.url}", "--", sys.executable, "-c", UPLOADER)
    assert done.returncode == 0 and "missing" not in done.stderr, done.stderr
    large, picture = json.loads(file.read_text())["log"]["entries"]
    assert len(large["request"]["postData"]["text"]) == 300_000 and "comment" not in large["request"]["postData"]
    body = json.loads(large["response"]["content"]["text"])
    assert body["list"] == json.loads(LARGE)["list"] and body["access_token"].startswith("masked-")
    assert "comment" not in large["response"]["content"]
    # What is long and no text passes through, and nobody holds it.
    content = picture["response"]["content"]
    assert "text" not in content and content["size"] in (-1, 400_000) and "not kept" in content["comment"]


def test_record_says_that_there_was_no_room(service, tmp_path):
    service.answers["/large"] = (200, [("Content-Type", "application/json")], json.dumps(["x" * 1000] * 4000))
    file = tmp_path / "much.har"
    caller = """
import os, urllib.request
for _ in range(20): urllib.request.urlopen(os.environ["UNDERSTUDY_HANKO_URL"] + "/large").read()
"""
    done = run("record", file, "--upstream", f"hanko={service.url}", "--", sys.executable, "-c", caller, seconds=120)
    assert done.returncode == 0, done.stderr
    log = json.loads(file.read_text())["log"]
    lost = 20 - len(log["entries"])
    assert 0 < lost < 8 and f"{lost} earlier entries" in done.stderr and log["comment"].startswith(f"{lost} earlier entries")
    assert all(len(entry["response"]["content"]["text"]) > 4_000_000 for entry in log["entries"])
