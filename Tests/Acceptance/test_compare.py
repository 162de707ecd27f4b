"""`understudy compare`: flows of each platform against a fresh world with other chance, and files that are no recordings.

A recording of this program is compared with this program, so nothing may differ; what a device signed is signed again.
"""

import json
import time

import pytest
import requests

from compare_recordings import Changed, Comparisons, agrees, reasons, recording
from nextauth_device import Device
from nextauth_server import Backend as NextAuthBackend
from nextauth_server import new_nonce
from nextauth_stub import SDK
from oauth_browser import Browser
from oauth_party import Party
from understudy import run, token_of


@pytest.fixture
def compare(tmp_path):
    return Comparisons(tmp_path)


# Ourselves against ourselves.

def test_hanko_agrees_with_itself(world, hanko, compare):
    assert hanko.post("/user", {"email": "newcomer@example.com"}).status_code == 404
    passcode = hanko.start(hanko.sign_up("newcomer@example.com"))
    assert hanko.finish(passcode, "000000").status_code == 401
    token = token_of(hanko.finish(passcode, world.code("newcomer@example.com")["code"]))
    assert hanko.get("/me", token).status_code == 200
    assert hanko.get("/.well-known/jwks.json").status_code == 200
    late = hanko.start(hanko.get("/me", token).json()["id"])
    code = world.code("newcomer@example.com")["code"]
    world.advance(301)
    assert hanko.finish(late, code).status_code == 408

    report = compare.report(recording(world))
    assert agrees(report, "hanko")["notComparable"] == 0
    assert reasons(report) == set()


def test_onegini_agrees_with_itself(world, compare):
    party = Party(world.oauth, Browser(), grant_types=["authorization_code", "refresh_token"])
    party.log_in(scope="openid offline_access profile email")
    party.userinfo()
    party.refresh(party.token["refresh_token"])
    assert party.redeem("no code").status_code == 400
    party.log_out(id_token_hint=party.hint)

    report = compare.report(recording(world))
    assert reasons(report) <= {"a code that nobody was sent"}
    assert agrees(report, "onegini")["agree"] >= 6


def test_powerauth_agrees_with_itself(world, backend, application, make_phone, compare):
    registration = backend.register("eva", application)["registrationId"]
    assert backend.registration(registration)["registrationStatus"] == "CREATED"
    operation = backend.start("login", userId="eva")["operationId"]
    assert backend.operation(operation)["status"] == "PENDING"
    make_phone("frank")

    report = compare.report(recording(world))
    assert agrees(report, "powerauth")["notComparable"] == 0


def test_miracl_agrees_with_itself(world, native, sample, compare):
    native.set_backend()
    code = native.access_code(sample.authorize_url())
    native.start_authentication(code)
    assert sample.redeem(native.code_for(code), native.user).status_code == 200

    assert agrees(compare.report(recording(world)), "miracl")["notComparable"] == 0


def test_nextauth_agrees_with_itself(make_world, compare):
    world = make_world(clock="2026-03-02T09:00:00Z", frozen=True)
    backend = NextAuthBackend(world.url + "/nextauth")
    sdk = SDK(Device(world.url + "/nextauth"), lambda: 1772442000)
    nonce = new_nonce()
    assert sdk.start_session(backend.enrolment_code(nonce, "Ada", "ada@example.com"))["state"] == "DONE"
    assert backend.session(new_nonce())["loggedin"] is False

    told = agrees(compare.report(recording(world)), "nextauth")
    assert told["agree"] >= 3 and told["notComparable"] == 0


# What a recording may be.

def test_a_foreign_service_is_told_by_its_paths_or_by_its_address(world, hanko, compare):
    hanko.log_in(world, "newcomer@example.com")
    text = json.dumps(recording(world)).replace(world.hanko, "https://tenant.hanko.example")
    assert agrees(compare.report(text), "hanko")
    assert agrees(compare.report(text, "--base", "hanko=https://tenant.hanko.example"), "hanko")
    moved = text.replace("https://tenant.hanko.example", "https://api.example/identity")
    assert agrees(compare.report(moved, "--platform", "hanko", "--base", "https://api.example/identity"), "hanko")


def test_what_differs_is_told_to_people_and_accepted_by_rules(world, hanko, compare, tmp_path):
    hanko.log_in(world, "newcomer@example.com")
    changed = Changed(recording(world))
    changed.body("/passcode/login/initialize", lambda body: body | {"attempts_left": 3})
    ran = compare.run(changed.har, "--html", str(tmp_path / "report.html"))
    assert ran.returncode == 1, ran.stderr
    assert "POST /hanko/passcode/login/initialize\n  body attempts_left is missing: the recording has 3 (#2)" in ran.stdout
    assert "Your app calls 3 routes of Hanko: 2 agree, 1 differs." in ran.stdout
    assert "body attempts_left is missing" in (tmp_path / "report.html").read_text()

    rules = tmp_path / "known.jsonl"
    accepted = compare.run(changed.har, "--rules", str(rules), "--accept")
    assert accepted.returncode == 0 and "wrote 1 rule to " in accepted.stderr
    [rule] = map(json.loads, rules.read_text().splitlines())
    assert (rule["kind"], rule["place"]) == ("missing", "body attempts_left") and rule["why"]
    assert compare.run(changed.har, "--rules", str(rules)).returncode == 0
    idle = compare.run(recording(world), "--rules", str(rules))
    assert idle.returncode == 0 and "The rule in line 1 allows nothing that is there." in idle.stdout


def test_people_whom_the_world_lacks_are_asked_for_with_the_line_that_helps(make_world, compare, tmp_path):
    stranger = {"id": "12345678-0000-4000-8000-000000000001", "emails": [{"address": "stranger@tenant.example"}]}
    world = make_world(fixtures={"hanko": {"users": [stranger]}})
    answer = requests.post(world.hanko + "/user", json={"email": "stranger@tenant.example"}, timeout=30)
    assert answer.status_code == 200
    report = compare.report(recording(world), "--as-is")
    [need] = report["needs"]
    assert "stranger@tenant.example" in need["sentence"] and report["made"] == []
    fixtures = tmp_path / "tenant.json"
    fixtures.write_text(need["line"])
    assert run("fixtures", "check", fixtures).returncode == 0
    assert agrees(compare.report(recording(world), "--fixtures", "default", "--fixtures", str(fixtures)), "hanko")


@pytest.mark.parametrize(("text", "says"), [
    ("", "it ends where a value is expected"), ("no recording", "this is no HTTP archive"), ("[]", "not an object"),
    ('{"log": {}}', "has no member “entries”"), ('{"log": {"entries": []}}', "the recording has no requests"),
    ('{"log": {"entries": [{"request": {}, "response": {}}]}}', "entry 1: "), ("[" * 100_000, "more than 200 levels are nested"),
])
def test_what_is_no_recording_is_refused_with_a_sentence(compare, text, says):
    ran = compare.run(text)
    assert ran.returncode == 2 and says in ran.stderr, ran.stderr
    assert ran.stdout == "" and len(ran.stderr.splitlines()) == 1


def test_a_hostile_request_is_not_sent_and_the_others_are(world, hanko, compare):
    hanko.get("/.well-known/config")
    hanko.get("/.well-known/jwks.json")
    har = recording(world)
    har["log"]["entries"][0]["request"]["headers"].append({"name": "X-Injected", "value": "a\r\nContent-Length: 7"})
    har["log"]["entries"].append({
        "startedDateTime": har["log"]["entries"][0]["startedDateTime"], "time": -1,
        "request": {"method": "GET", "url": "http://169.254.169.254/latest/meta-data", "headers": []},
        "response": {"status": 200, "headers": [], "content": {}}})
    report = compare.report(har)
    assert agrees(report, "hanko", "the request cannot be sent")["notComparable"] == 1
    assert report["elsewhere"] == [{"origin": "http://169.254.169.254", "requests": 1}]


def test_a_body_that_the_recording_lacks_is_not_compared(world, hanko, compare):
    hanko.get("/.well-known/config")
    hanko.get("/.well-known/jwks.json")
    har = recording(world)
    [cut] = [entry["response"]["content"] for entry in har["log"]["entries"] if entry["request"]["url"].endswith("/config")]
    begun = {"text": cut["text"][:20], "size": cut["size"], "comment": f"The first 20 of {cut['size']} bytes."}
    # Beside it what is missing altogether, as this program and browsers leave it out.
    for left in (begun, {"size": -1, "comment": "The body is not kept: it was passed on in pieces, or has a coding that hides its secrets."}, {"size": 300}):
        cut.clear()
        cut.update(mimeType="application/json", **left)
        told = agrees(compare.report(har), "hanko", "the recording has not all of the answer's body")
        assert (told["agree"], told["notComparable"]) == (1, 1)


def test_a_web_socket_of_a_browser_is_not_compared(world, hanko, compare):
    hanko.get("/.well-known/config")
    har = recording(world)
    [entry] = har["log"]["entries"]
    har["log"]["entries"].append({
        "startedDateTime": entry["startedDateTime"], "time": 1, "_resourceType": "websocket", "_webSocketMessages": [],
        "request": {"method": "GET", "url": entry["request"]["url"].replace("http", "ws", 1), "headers": []},
        "response": {"status": 101, "headers": [], "content": {}}})
    report = compare.report(har)
    agrees(report, "hanko", "a web socket is not played")
    assert reasons(report) == {"a web socket is not played"}


def test_what_browsers_and_proxies_list_beside_requests_hinders_nothing(world, hanko, compare):
    hanko.get("/.well-known/config")
    har = recording(world)
    [entry] = har["log"]["entries"]
    for url in "data:image/png;base64,AA==", "blob:https://a.example/1", "tenant.example:443":
        har["log"]["entries"].append({
            "startedDateTime": entry["startedDateTime"], "time": 1, "request": {"method": "CONNECT", "url": url, "headers": []},
            "response": {"status": 200, "headers": [], "content": {}}})
    assert agrees(compare.report(har), "hanko")["agree"] == 1


def test_back_ends_of_the_recording_are_not_called_unless_fixtures_say_so(world, hanko, receiver, compare, tmp_path):
    hook = {"callback": receiver.url + "/hook", "events": ["user.create"]}
    assert requests.post(world.url + "/hanko-admin/webhooks", json=hook, timeout=30).status_code == 201
    token = token_of(hanko.finish(hanko.start(hanko.sign_up("heard@example.com")), world.code("heard@example.com")["code"]))
    assert hanko.get("/me", token).status_code == 200
    receiver.wait("/hook", count=1)
    har = recording(world)

    report = compare.report(har)
    assert agrees(report, "hanko")["notComparable"] == 0
    assert len(receiver.wait("/hook")) == 1

    (tmp_path / "calls.json").write_text(json.dumps({"calls": {"only": [receiver.url + "/hook"]}}))
    compare.report(har, "--fixtures", "default", "--fixtures", str(tmp_path / "calls.json"))
    # From both worlds.
    receiver.wait("/hook", count=3)


def test_what_is_asked_wrongly_is_wrong_usage(compare, tmp_path):
    for options in ([], ["a.har", "--platform", "nobody"], ["a.har", "--base", "nowhere=https://a.example"], ["a.har", "--accept"]):
        ran = run("compare", *options)
        assert ran.returncode == 2 and "usage: understudy compare" in ran.stderr, options
    missing = run("compare", tmp_path / "missing.har")
    assert missing.returncode == 2 and "no such file" in missing.stderr


def test_a_thousand_exchanges(world, hanko, compare, record_property):
    """How long they take is told, not asserted."""
    token = hanko.log_in(world, "newcomer@example.com")
    har = recording(world)
    assert hanko.get("/me", token).status_code == 200
    asked = recording(world)["log"]["entries"][-1]
    har["log"]["entries"] += [asked] * (1000 - len(har["log"]["entries"]))
    began = time.monotonic()
    report = compare.report(har)
    seconds = round(time.monotonic() - began, 1)
    record_property("seconds", seconds)
    print(f"1,000 exchanges were compared in {seconds} s")
    assert agrees(report, "hanko")
