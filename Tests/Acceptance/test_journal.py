"""The journal in the terminal, as an HTTP archive, and the explanation in the answer itself."""

import base64
import json
import subprocess

import requests

from understudy import BINARY, CONTROL, plain_environment, run


def refuse(world, path="/passcode/login/finalize", **headers):
    return requests.post(
        world.hanko + path, json={"id": "00000000-0000-4000-8000-000000000000", "code": "1"}, headers=headers, timeout=30)


def test_the_terminal_says_what_was_refused_and_why(world, server):
    requests.get(f"{world.hanko}/.well-known/config", timeout=30)
    refused = refuse(world)
    told = run("journal", "--world", world.name, url=server.url).stdout
    assert "GET " in told and f"{refused.status_code} POST " in told and world.explanations()[0] in told
    only = run("journal", "--refused", "--world", world.name, url=server.url).stdout
    assert "GET " not in only and world.explanations()[0] in only
    assert "\x1b" not in only, "no colours where nobody sees them"
    found = json.loads(run("journal", "--json", "--search", "FINALIZE", "--world", world.name, url=server.url).stdout)
    assert [entry["exchange"]["status"] for entry in found["entries"] if "exchange" in entry] == [refused.status_code]
    assert run("journal", "--limit", "0", url=server.url).returncode == 2


def test_the_terminal_follows(world, server):
    refuse(world)
    with subprocess.Popen(
            [BINARY, "journal", "--follow", "--refused", "--world", world.name], stdout=subprocess.PIPE, text=True,
            env=plain_environment(UNDERSTUDY_URL=server.url)) as following:
        try:
            assert " POST " in following.stdout.readline()
            assert following.stdout.readline().strip()
            refuse(world, "/passcode/login/nonsense")
            assert "nonsense" in following.stdout.readline()
        finally:
            following.kill()


def test_a_browser_reads_the_archive(world):
    refuse(world)
    refuse(world)
    archive = requests.get(f"{world.url}{CONTROL}/journal.har", timeout=30)
    assert "attachment" in archive.headers["Content-Disposition"]
    log = archive.json()["log"]
    required = {"startedDateTime", "time", "request", "response", "cache", "timings"}
    for entry in log["entries"]:
        assert required <= entry.keys()
        assert {"method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize"} <= entry["request"].keys()
        assert {"status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL"} <= entry["response"].keys()
        assert {"send", "wait", "receive"} <= entry["timings"].keys()
    # By the computer's clock, in the order in which they were asked one after the other.
    taken = [entry["_taken"] for entry in log["entries"]]
    assert len(taken) > 1 and taken == sorted(set(taken)) and 0 < taken[0] and taken[-1] < 60
    assert json.loads(log["entries"][-1]["request"]["postData"]["text"])["code"] == "1"
    assert log["entries"][-1]["comment"] == world.explanations()[0]


def test_the_archive_has_cookies_and_bytes(world):
    """HTTP Archive 1.2: cookies in their members, and what is no text in base64."""
    body = b"\x89PNG\r\n\x1a\n\xff"
    sent = requests.post(f"{world.url}/hanko/passcode/login/initialize", data=body, timeout=30,
                         headers={"Content-Type": "image/png", "Cookie": "theme=dark; session=a=b"})
    assert sent.status_code == 415
    browser = requests.get(f"{world.oauth}/v1/authorize", timeout=30, allow_redirects=False, params={
        "response_type": "code", "client_id": "web-app", "redirect_uri": "http://localhost:3000/callback", "scope": "openid", "state": "1"})
    long = requests.post(f"{world.url}/hanko/passcode/login/initialize", data="é".encode() * 20_000, timeout=30)
    assert long.status_code == 415
    entries = requests.get(f"{world.url}{CONTROL}/journal.har", timeout=30).json()["log"]["entries"]
    [posted, page, cut] = [entries[index] for index in (0, 1, -1)]
    assert posted["request"]["cookies"] == [{"name": "theme", "value": "dark"}, {"name": "session", "value": "a=b"}]
    data = posted["request"]["postData"]
    assert data["encoding"] == "base64" and base64.b64decode(data["text"]) == body and data["mimeType"] == "image/png"
    assert {cookie["name"]: cookie["value"] for cookie in page["response"]["cookies"]} == dict(browser.cookies)
    assert all(cookie["httpOnly"] and cookie["path"] for cookie in page["response"]["cookies"])
    shown = cut["request"]["postData"]
    assert set(shown["text"]) == {"é"} and "encoding" not in shown and shown["comment"] == "The first 16384 of 40000 bytes."


def test_a_refusal_says_why_to_those_who_ask(world, start):
    assert "X-Understudy-Explanation" not in refuse(world).headers
    asked = refuse(world, **{"X-Understudy-Explain": "1"})
    assert asked.headers["X-Understudy-Explanation"] == world.explanations()[0]
    always = start("--explain").default_world
    assert refuse(always).headers["X-Understudy-Explanation"] == always.explanations()[0]


def test_a_request_is_found_by_its_trace(world):
    # W3C Trace Context §3.2.2: version, trace id, parent id, flags.
    trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    requests.get(world.hanko + "/status", headers={"traceparent": f"00-{trace}-00f067aa0ba902b7-01"}, timeout=30)
    requests.get(world.hanko + "/status", timeout=30)
    [entry] = world.journal(q=trace)
    assert entry["exchange"]["requestHeaders"]
