"""Codes that fixtures fix for an address: the same on every platform, marked wherever somebody looks, and otherwise codes like any other."""

import json
import subprocess

import pytest
import requests

from understudy import BINARY, CONTROL, Server, plain_environment, run

REVIEWER, CODE = "review@example.com", "123456"
PHONE, PHONE_CODE = "+31612345678", "000000"
FIXED = {REVIEWER: CODE, PHONE: PHONE_CODE}


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    file = tmp_path_factory.mktemp("codes") / "codes.json"
    file.write_text(json.dumps({"codes": FIXED}))
    server = Server("--fixtures", "default", "--fixtures", file)
    yield server
    server.stop()


def marks(url):
    """What the journal says aloud of fixed codes."""
    entries = requests.get(url + CONTROL + "/journal?limit=200", timeout=30).json()["entries"]
    return [entry["explanation"] for entry in entries if (entry.get("event") or "") == "not in production" and "FIXED CODE" in entry["explanation"]]


def register(url, address):
    return requests.post(url + "/hanko/users", json={"email": address}, timeout=30).json()


def ask(url, new):
    asked = requests.post(url + "/hanko/passcode/login/initialize",
                          json={"user_id": new["user_id"], "email_id": new["email_id"]}, timeout=30)
    assert asked.status_code == 200, asked.text
    return asked.json()["id"]


def finish(url, passcode, code):
    return requests.post(url + "/hanko/passcode/login/finalize", json={"id": passcode, "code": code}, timeout=30)


def test_a_passcode_is_the_fixed_one_for_somebody_who_was_not_in_the_fixtures_and_is_good_once(fixed):
    new = register(fixed.url, REVIEWER.upper())
    first = ask(fixed.url, new)
    assert finish(fixed.url, first, "654321").status_code == 401
    assert finish(fixed.url, first, CODE).status_code == 200
    assert finish(fixed.url, first, CODE).status_code == 401
    second = ask(fixed.url, new)
    assert finish(fixed.url, second, CODE).status_code == 200

    sent = requests.get(fixed.url + CONTROL + f"/outbox?to={REVIEWER}", timeout=30).json()["messages"]
    assert [message["code"] for message in sent] == [CODE, CODE] and all(message["usedAt"] for message in sent)
    assert sum(CODE in mark and REVIEWER in mark for mark in marks(fixed.url)) >= 2


def test_it_expires_like_any_other(fixed):
    world = requests.post(fixed.url + CONTROL + "/worlds", json={}, timeout=30).json()["baseURL"]
    passcode = ask(world, register(world, REVIEWER))
    requests.post(world + CONTROL + "/clock/advance", json={"seconds": 301}, timeout=30).raise_for_status()
    assert finish(world, passcode, CODE).status_code == 408


def test_a_code_of_the_flow_api_is_the_fixed_one(fixed):
    world = requests.post(fixed.url + CONTROL + "/worlds", json={}, timeout=30).json()["baseURL"]
    register(world, REVIEWER)
    flow = requests.post(world + "/hanko/registration", json={}, timeout=30).json()
    action = flow["actions"]["register_client_capabilities"]
    flow = requests.post(world + "/hanko" + action["href"].split("/hanko")[-1], json={
        "input_data": {"webauthn_available": False}, "csrf_token": flow["csrf_token"]}, timeout=30).json()
    action = flow["actions"]["register_login_identifier"]
    flow = requests.post(world + "/hanko" + action["href"].split("/hanko")[-1], json={
        "input_data": {"email": REVIEWER}, "csrf_token": flow["csrf_token"]}, timeout=30).json()
    assert flow["name"] == "passcode_confirmation", flow
    assert requests.get(world + CONTROL + f"/codes?to={REVIEWER}&wait=5", timeout=30).json()["code"] == CODE


def test_others_get_the_codes_that_they_would_have_got(start, tmp_path):
    file = tmp_path / "codes.json"
    file.write_text(json.dumps({"codes": {"grace@example.com": CODE}}))
    drawn = []
    for options in (["--fixtures", "default"], ["--fixtures", "default", "--fixtures", file]):
        server = start("--seed", "7", *options)
        for name in ("grace", "ada"):
            user = requests.post(server.url + "/hanko/user", json={"email": f"{name}@example.com"}, timeout=30).json()["id"]
            requests.post(server.url + "/hanko/passcode/login/initialize", json={"user_id": user}, timeout=30).raise_for_status()
        drawn.append([requests.get(server.url + CONTROL + f"/codes?to={name}@example.com", timeout=30).json()["code"] for name in ("grace", "ada")])
    (grace, ada), (fixed_grace, same_ada) = drawn
    assert fixed_grace == CODE != grace and same_ada == ada


def test_a_text_message_of_the_token_server_has_it(fixed):
    portal = ("portal-api", "portal-api-secret")
    asked = requests.post(fixed.url + "/oauth/api/v4/authenticate/user", auth=portal, timeout=30, data={
        "type": "sms", "user_id": "ada", "callback_uri": fixed.url + "/app/callback", "phone_number": PHONE})
    assert asked.status_code == 200, asked.text
    sent = requests.get(fixed.url + CONTROL + "/outbox/latest?to=" + PHONE.replace("+", "%2B"), timeout=30).json()
    assert sent["code"] == PHONE_CODE and PHONE_CODE in sent["text"]
    assert any(PHONE in mark for mark in marks(fixed.url))


def test_mails_of_miracl_have_it_twice(start, tmp_path):
    file = tmp_path / "codes.json"
    file.write_text(json.dumps({"codes": FIXED}))
    server = start("--fixtures", "default", "--fixtures", file)
    exported = json.loads(run("fixtures", "export", "--url", server.url).stdout)
    project = exported["miracl"]["projects"][0]
    project["verification_method"] = "code"
    requests.put(server.url + CONTROL + "/fixtures", json=exported, timeout=30).raise_for_status()
    for _ in range(2):
        sent = requests.post(server.url + "/miracl/verification/email", timeout=30, json={
            "userId": REVIEWER, "projectId": project["id"], "deviceName": "phone"})
        assert sent.status_code == 200 and sent.json()["method"] == "code", sent.text
        assert requests.get(server.url + CONTROL + f"/codes?to={REVIEWER}", timeout=30).json()["code"] == CODE
        confirmed = requests.post(server.url + "/miracl/verification/confirmation", timeout=30, json={"userId": REVIEWER, "code": CODE})
        assert confirmed.status_code == 200, confirmed.text
        requests.post(server.url + CONTROL + "/clock/advance", json={"seconds": 301}, timeout=30).raise_for_status()


def test_they_are_said_aloud_when_the_server_starts_and_on_the_pages(fixed, start, tmp_path):
    assert fixed.banner["fixedCodes"] == [{"to": address, "code": code} for address, code in sorted(FIXED.items())]
    for path in ("/", "/outbox"):
        page = requests.get(fixed.url + path, timeout=30).text
        assert "Fixed codes" in page and REVIEWER in page and PHONE_CODE in page
    file = tmp_path / "codes.json"
    file.write_text(json.dumps({"codes": FIXED}))
    fresh = start("--fixtures", "default", "--fixtures", file).url
    for address, is_fixed in ((REVIEWER, True), ("somebody@example.com", False)):
        ask(fresh, register(fresh, address))
        message = requests.get(fresh + CONTROL + f"/outbox/latest?to={address}", timeout=30).json()["id"]
        assert ("A fixed code" in requests.get(f"{fresh}/outbox/{message}", timeout=30).text) is is_fixed
    plain = start("--fixtures", "default")
    assert "Fixed codes" not in requests.get(plain.url + "/", timeout=30).text


def test_a_quiet_start_says_them_too(tmp_path):
    file = tmp_path / "codes.json"
    file.write_text(json.dumps({"codes": FIXED}))
    program = subprocess.Popen(
        [BINARY, "serve", "--port", "0", "--quiet", "--fixtures", file], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, env=plain_environment())
    try:
        said = [program.stdout.readline() for _ in range(3)]
    finally:
        program.terminate()
        program.wait(10)
    assert sorted(said[:2]) == sorted(f"fixed code {code} for {address}\n" for address, code in FIXED.items())
    assert said[2].startswith("ready http://")


def test_an_export_and_a_snapshot_keep_them(fixed):
    exported = json.loads(run("fixtures", "export", "--url", fixed.url).stdout)
    assert exported["codes"] == FIXED
    api = fixed.url + CONTROL
    world = requests.post(api + "/worlds", json={}, timeout=30).json()["baseURL"]
    requests.post(world + CONTROL + "/snapshots", json={"name": "with-codes"}, timeout=30).raise_for_status()
    requests.put(world + CONTROL + "/fixtures", json={k: v for k, v in exported.items() if k != "codes"}, timeout=30).raise_for_status()
    assert "codes" not in requests.get(world + CONTROL + "/fixtures", timeout=30).json()
    requests.post(world + CONTROL + "/snapshots/with-codes/restore", timeout=30).raise_for_status()
    assert requests.get(world + CONTROL + "/fixtures", timeout=30).json()["codes"] == FIXED


@pytest.mark.parametrize("codes, place, why", [
    ('{"review@example.com": "12345"}', 'codes.review@example.com', "expected 6 digits in quotes"),
    ('{"review@example.com": "12345a"}', 'codes.review@example.com', "expected 6 digits in quotes"),
    ('{"review@example.com": 123456}', 'codes.review@example.com', "expected a text in quotes, found 123456"),
    ('{"": "123456"}', 'codes', "expected a mail address or a telephone number"),
    ('{"two words": "123456"}', 'codes', "expected a mail address or a telephone number"),
    ('{"Ada@example.com": "123456", "ada@example.com": "123457"}', 'codes', "appears twice"),
    ('["review@example.com"]', 'codes', "expected an object, found an array"),
])
def test_what_is_no_code_or_no_address_is_refused_with_its_place(tmp_path, codes, place, why):
    file = tmp_path / "codes.json"
    file.write_text('{\n  "codes": ' + codes + "\n}")
    checked = run("fixtures", "check", file)
    said = checked.stdout + checked.stderr
    assert checked.returncode == 1 and "codes.json:2:" in said and place in said and why in said, said
