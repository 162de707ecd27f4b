"""The descriptions of what is ours, the control API and the token server's device protocol, are valid, and true: what they say is
what the server does."""

import base64
import contextlib
import json
import os
import urllib.parse

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.checks import CHECKS, load_all_checks

from oauth_browser import Browser
from onegini_device import Device, mask, ocra, xor
from test_onegini_otp import FIXTURES, PIN, Portal, signature
from understudy import CONTROL, ROOT, Server

load_all_checks()
#: Would have every request accepted that the schema allows. A schema cannot say all that is asked of a fixture file.
BEYOND_SCHEMAS = CHECKS.get_one("positive_data_acceptance")
#: Holds `Allow` against the description.
ALLOWED_METHODS = CHECKS.get_one("allow_header_conformance")
EXAMPLES = int(os.environ.get("UNDERSTUDY_EXAMPLES", 15))


def rounds(examples):
    return settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def exercised():
    """A program of its own, whose worlds and clocks may be led astray."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def description(exercised):
    return schemathesis.openapi.from_url(exercised.url + CONTROL + "/openapi.json")


schema = schemathesis.pytest.from_fixture("description").exclude(path_regex="/stream$")


def test_the_description_is_valid(server):
    described = requests.get(server.url + CONTROL + "/openapi.json", timeout=30).json()
    OpenAPIV31SpecValidator(described).validate()
    assert described["openapi"].startswith("3.1.")


@schema.parametrize()
@rounds(EXAMPLES)
def test_every_answer_is_one_that_the_description_names(case):
    # A well-formed wait would only make this test wait; what is wrong in it is kept.
    if str((case.query or {}).get("wait", "")).replace(".", "", 1).isdigit():
        case.query["wait"] = 0
    excluded = [BEYOND_SCHEMAS]
    if case.path.endswith("/qr"):
        # A POST there is an action called `qr`, which no transaction knows.
        excluded.append(ALLOWED_METHODS)
    case.call_and_validate(timeout=30, excluded_checks=excluded)


def test_the_stream_sends_events_of_the_journal(exercised):
    url = exercised.url
    with requests.get(url + CONTROL + "/journal/stream", stream=True, timeout=10) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        requests.get(url + "/hanko/.well-known/config", timeout=10)
        lines = (line for line in stream.iter_lines(decode_unicode=True) if line.startswith("data:"))
        assert "/.well-known/config" in next(lines)


# --- The device protocol

DEVICE = CONTROL + "/openapi/onegini-device.json"
[ADA] = [one for one in FIXTURES["onegini"]["devices"] if one["client_id"].startswith("ADA")]
ADA_BASIC = "Basic " + base64.b64encode(f"{ADA['client_id']}:{ADA['client_secret']}".encode()).decode()


@pytest.fixture(scope="module")
def phones():
    """A program of its own, whose devices may be led astray."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def device_description(phones):
    return schemathesis.openapi.from_url(phones.url + DEVICE)


protocol = schemathesis.pytest.from_fixture("device_description")


def test_the_description_of_the_device_protocol_is_valid(server):
    described = requests.get(server.url + DEVICE, timeout=30).json()
    OpenAPIV31SpecValidator(described).validate()
    assert described["openapi"].startswith("3.1.")


@protocol.parametrize()
@rounds(max(EXAMPLES // 5, 1))
def test_every_answer_to_a_stranger_is_one_that_the_description_names(case):
    case.call_and_validate(timeout=30, excluded_checks=[BEYOND_SCHEMAS])


@protocol.parametrize()
@rounds(max(EXAMPLES // 2, 1))
def test_every_answer_to_a_registered_device_is_one_that_the_description_names(phones, case):
    # Other cases deregister the device, change its PIN or use up its attempts.
    assert requests.post(phones.url + CONTROL + "/worlds/default/reset", timeout=30).status_code == 204
    wanted = [name for way in case.operation.definition.raw["security"] for name in way]
    if "accessToken" in wanted:
        tokens = requests.post(
            phones.url + "/oauth/sdk/v1/profiles/ADA001/login", json={"pin": PIN}, headers={"Authorization": ADA_BASIC}, timeout=30)
        headers = {"Authorization": "Bearer " + tokens.json()["access_token"]}
    else:
        headers = {"Authorization": ADA_BASIC} if wanted else {}
    case.call_and_validate(headers=headers, timeout=30, excluded_checks=[BEYOND_SCHEMAS])


@pytest.fixture
def answers(monkeypatch):
    """Every answer that a test's requests get."""
    heard, send = [], requests.Session.send

    def listen(session, request, **options):
        heard.append(send(session, request, **options))
        return heard[-1]

    monkeypatch.setattr(requests.Session, "send", listen)
    return heard


def test_a_phone_and_its_portal_get_every_success_as_described(world, answers):
    description = schemathesis.openapi.from_url(world.url + DEVICE)
    base = world.oauth + "/sdk/v1"
    with contextlib.closing(Portal(world.oauth)) as portal, contextlib.closing(Device(world.oauth, signature("android"))) as phone:
        phone.log_in(Browser(), "ada", PIN)
        use_pins(phone)
        phone.enroll()
        scan_and_push(world, portal, phone)
        leave(phone)

    reached = set()
    for answer in answers:
        if not answer.url.startswith(base):
            continue
        path = urllib.parse.urlsplit(answer.url).path.removeprefix(urllib.parse.urlsplit(base).path)
        operation = description.find_operation_by_path(answer.request.method, path)
        assert operation, path
        operation.validate_response(answer)
        if answer.status_code < 400:
            reached.add(operation.label)
    assert reached == {result.ok().label for result in description.get_all_operations()}


def use_pins(phone):
    """The convenience mode, from the policy to a login."""
    device, place = {"auth": phone.credentials, "timeout": 30}, "/profiles/" + phone.profile
    assert requests.post(phone.sdk + "/clients/validate", json={"app_version": "1.0.0"}, **device).json()["status"] == "valid"
    assert requests.get(phone.sdk + "/pin-policy", **device).json()["pin_length"] == 5
    assert requests.post(phone.sdk + "/pin-policy/validate", json={"pin": PIN}, **device).status_code == 204
    assert phone.call("PUT", place + "/pin", {"pin": PIN}).status_code == 204
    assert phone.call("POST", place + "/pin/change", {"current_pin": PIN, "new_pin": "80214"}).status_code == 204
    tokens = requests.post(phone.sdk + place + "/login", json={"pin": "80214"}, **device)
    phone.keep(tokens.json(), PIN)


def scan_and_push(world, portal, phone):
    """One transaction of each kind, all its pages, and everything that is known of the enrollment."""
    started = portal.start()
    page = urllib.parse.urlsplit(world.get("/transactions/" + started["transaction_id"])["page"])
    for ending in ("", ".svg", ".png", "/status"):
        shown = requests.get(f"{phone.sdk}/qr/{started['transaction_id']}{ending}?{page.query}", timeout=30)
        assert shown.status_code == 200, shown.text
    assert phone.answer(phone.scan(started["otp"]), "confirm").json()["state"] == "AUTHENTICATED"

    assert phone.call("PUT", "/mobile-auth/push", {"profile_id": phone.profile, "push_token": "token"}).status_code == 204
    pushed = portal.start(type="push", user_id="ada", device_id=phone.client_id)
    waiting = phone.call("GET", "/mobile-auth/pending").json()["pending"]
    assert [one["transaction_id"] for one in waiting] == [pushed["transaction_id"]]
    fetched = phone.call("POST", f"/mobile-auth/push/{pushed['transaction_id']}/fetch", {"profile_id": phone.profile})
    question = json.loads(phone.wallet.run("--decrypt", given=base64.b64decode(fetched.json()["message"])))
    assert phone.answer(question, "deny", kind="push").json()["state"] == "DENIED"

    enrolled = phone.call("GET", "/mobile-auth/enrollment?profile_id=" + phone.profile).json()
    assert (enrolled["enrolled"], enrolled["push_enrolled"]) == (True, True)


def leave(phone):
    """Enrolls once more in one step, opens a page, and takes everything back."""
    key = phone.wallet.run("--armor", "--export", "phone@example.com").decode()
    whole = phone.call("POST", "/mobile-auth/enroll", {"profile_id": phone.profile, "public_key": key})
    assert whole.json()["enrolled"] is True
    link = phone.call("POST", "/app-to-web", {"target_url": "http://localhost:8420/app/portal"}).json()["redirect_url"]
    assert requests.get(link, allow_redirects=False, timeout=30).headers["Location"] == "http://localhost:8420/app/portal"
    for place in ("/mobile-auth/push?profile_id=", "/mobile-auth/enrollment?profile_id=", "/profiles/"):
        assert phone.call("DELETE", place + phone.profile).status_code == 204
    assert requests.delete(phone.sdk + "/clients/self", auth=phone.credentials, timeout=30).status_code == 204


def test_the_guides_worked_examples_are_right():
    guide = (ROOT / "Web/docs/onegini-device.md").read_text()
    challenge = "00112233445566778899aabbccddeeff" * 2
    for seconds in (1206446760, 1700000000):
        assert f"{ocra('ABCDE12345.com.example.app', challenge, seconds)}`" in guide
    client, token = "0D7293A4F2860EDABDB0F0B47FB356F2D088323A5636813887B2EE9C14677838", "0123456789ABCDEF" * 4
    stored = xor(bytes.fromhex(token), mask("13524", client, "W8DUJ2"))
    for text in (client, token, mask("13524", client, "W8DUJ2").hex(), stored.hex(),
                 xor(stored, mask("13525", client, "W8DUJ2")).hex().upper()):
        assert f"`{text}`" in guide
