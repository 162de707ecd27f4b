"""Simulated phones whose app of PowerAuth has the SDK 2.x, which speaks protocol 4.0: by the control API, from the command line and in the
console."""

import json
import re

import pytest
import requests

from accessibility import overflow
from oauth_browser import Browser
from phones import Phone, Refused, new_phone
from powerauth_backend import APPLICATION, INTEGRATION, Backend
from understudy import run, until

NEXT = {"powerauth": "2.x"}
ALGORITHMS = ["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5", "LEGACY_P256"]


@pytest.fixture
def office(world):
    return Backend(world.url + "/powerauth-cloud", INTEGRATION)


def start(office, user="eva", template="login", **more):
    return office.ask("POST", "/v2/operations", {"template": template, "userId": user} | more)["operationId"]


def state(office, operation):
    return office.ask("GET", f"/v2/operations/{operation}")["status"]


def spoken(world):
    """Paths of the mobile API that were asked."""
    return {found for entry in world.journal(limit=200) for found in re.findall(r"/pa/v\d/[a-z/]+", json.dumps(entry))}


@pytest.mark.parametrize("suite", ["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5"])
@pytest.mark.parametrize("model", ["ios", "android"])
def test_from_the_code_to_the_approved_operation(world, office, model, suite):
    phone = new_phone(world, "eva", owner="eva", model=model, sdks=NEXT)
    registration = office.register("eva", APPLICATION)
    scanned = phone.scan(registration["activationQrCodeData"], pin="97531", protocol=suite)
    assert (scanned["kind"], scanned["id"]) == ("activation", registration["registrationId"])
    told = office.registration(scanned["id"])
    assert (told["registrationStatus"], told["activationFingerprint"]) == ("PENDING_COMMIT", scanned["code"])
    office.tell("POST", f"/v2/registrations/{scanned['id']}/commit", {"externalUserId": "clerk"})
    assert phone.fact("Protocol") == "4.0, " + suite

    operation = start(office, template="payment", parameters={"amount": "10", "currency": "EUR", "account": "CZ65"})
    [request] = phone.pending(wait=10)
    assert request["id"] == operation and request["ways"] == ["pin", "biometry"]
    with pytest.raises(Refused) as refused:
        phone.approve(operation, **{"with": "wrong-pin"})
    assert "PIN" in refused.value.detail
    assert phone.approve(operation, pin="97531")["kind"] == "approved"
    assert state(office, operation) == "APPROVED" and phone.pending() == []
    paths = spoken(world)
    assert paths and not any("/pa/v3/" in path for path in paths), paths


@pytest.mark.parametrize("provider", ["understudy", "understudy-pkce"])
def test_a_login_activates_the_app(world, office, provider):
    phone = new_phone(world, "eva", owner="ada", sdks=NEXT)
    begun = phone.enrol(provider=provider)
    landed = Browser().authorize(begun["code"])
    assert phone.scan(landed.url)["kind"] == "activation"
    assert office.registration(phone.registration)["userId"] == "ada" and phone.fact("State") == "ACTIVE"
    assert phone.fact("Protocol") == "4.0, EC_P384_ML_L3"
    assert phone.approve(start(office, "ada"), wait=10)["kind"] == "approved"


@pytest.mark.parametrize("fault, error", [
    ("changed-counter", "authenticationFailure"), ("stolen-key", "operationFailed"), ("old-protocol", "authenticationFailure"),
    ("other-data", "operationFailed")])
def test_answers_with_a_fault_are_refused(world, office, fault, error):
    phone = new_phone(world, "eva", owner="eva", sdks=NEXT)
    phone.enrol()
    operation = start(office)
    with pytest.raises(Refused) as refused:
        phone.approve(operation, fault=fault)
    assert refused.value.error.endswith(error), refused.value.error
    assert phone.approve(operation)["kind"] == "approved"


def test_by_the_command_line(server, office, world):
    def phone(*arguments):
        return run("phone", *arguments, "--world", world.name, url=server.url)

    assert phone("create", "eva", "--user", "eva", "--sdk", "powerauth=2.x").stdout == "eva\n"
    assert phone("create", "two", "--sdk", "powerauth").returncode != 0
    assert "1.9, 2.x" in phone("create", "two", "--sdk", "powerauth=9").stderr
    assert "powerauth 2.x" in phone("show", "eva").stdout
    assert "the app is activated" in phone("enrol", "eva").stdout.lower()
    operation = start(office)
    assert "was approved" in phone("approve", "eva", operation).stdout
    signed = phone("sign", "eva", "/login", "--body", "{}").stdout.strip()
    assert re.fullmatch(r'X-PowerAuth-Authorization: PowerAuth pa_version="4\.0", .*pa_auth_code="[^"]{88}"', signed), signed
    name, value = signed.split(": ", 1)
    answer = requests.post(f"{world.url}/app/login", data="{}", headers={name: value, "Content-Type": "application/json"}, timeout=30)
    assert answer.status_code == 200, answer.text
    assert "the pin is another one" in phone("do", "eva", "change_pin", "new_pin=8642").stdout.lower()
    assert json.loads(phone("show", "eva", "--json").stdout)["sdks"] == NEXT
    assert phone("sdk", "eva", "1.9").stdout == "eva has the SDK of powerauth 1.9\n"
    assert phone("approve", "eva", start(office)).returncode == 0


def test_an_app_that_was_updated_is_upgraded(make_world, tmp_path):
    fixtures = {"powerauth": {"applications": [{
        "id": "bank-app", "offers_upgrade": True, "master_key": MASTER, "versions": [
            {"name": "default", "app_key": "QUFBQUFBQUFBQUFBQUFBQQ==", "app_secret": "QkJCQkJCQkJCQkJCQkJCQg=="}]}],
        "users": [{"username": "office", "password": "secret", "roles": ["ROLE_USER"], "applications": ["bank-app"]}],
        "operation_templates": [{"id": "login", "type": "login", "data": "A2", "max_failures": 5, "seconds": 300,
                                 "factors": ["possession_knowledge"]}],
        "mobile_templates": [{"id": "login", "texts": {"en": {"title": "Login approval", "message": "Log in?"}}}]}}
    world = make_world(fixtures=fixtures)
    office = Backend(world.url + "/powerauth-cloud", ("office", "secret"))
    phone = new_phone(world, "eva", owner="eva")
    phone.enrol()
    assert phone.fact("Protocol") == "3.3" and "upgrade" not in phone.actions("powerauth")
    phone.change(sdks=NEXT)
    assert phone.do("upgrade")["kind"] == "upgrade"
    assert phone.fact("Protocol") == "4.0, EC_P384_ML_L3" and "upgrade" not in phone.actions("powerauth")
    assert phone.approve(start(office), wait=10)["kind"] == "approved"


def test_what_a_world_keeps_of_a_registration(make_world, world, office):
    """A snapshot and an export bring server and phone back together, tokens and counters and all."""
    phone = new_phone(world, "eva", owner="eva", sdks=NEXT)
    phone.enrol()
    assert phone.approve(start(office), wait=10)["kind"] == "approved"
    assert world.control("POST", "/snapshots", json={"name": "enrolled"}).status_code == 201
    phone.do("change_pin", new_pin="8642")
    phone.do("remove")
    assert world.control("POST", "/snapshots/enrolled/restore").status_code == 204
    assert phone.fact("Protocol") == "4.0, EC_P384_ML_L3" and phone.fact("PIN") == "2580"
    assert phone.approve(start(office), wait=10)["kind"] == "approved"

    other = make_world(fixtures=world.get("/fixtures"))
    moved = Phone(other, "eva")
    there = Backend(other.url + "/powerauth-cloud", INTEGRATION)
    assert moved.approve(start(there), wait=10)["kind"] == "approved"
    headers = moved.sign("/login", body="{}") | {"Content-Type": "application/json"}
    assert requests.post(other.url + "/app/login", data="{}", headers=headers, timeout=30).status_code == 200


def test_a_flow_tells_each_step(world, office):
    new_phone(world, "eva", owner="eva", sdks=NEXT).enrol()
    told = world.control("GET", "/flows/last", params={"format": "text", "platform": "powerauth", "wait": 5}).text
    for path in ("activation/create", "activation/confirm", "token/create"):
        assert f"phone eva → powerauth: POST /enrollment-server/pa/v4/{path} → 200" in told, told


def test_the_page_of_an_application(browse, world):
    page = browse(world.url + f"/devices/powerauth/{APPLICATION}", permissions=["clipboard-read", "clipboard-write"])
    form = page.locator("main form.inputs")
    assert form.locator("textarea").input_value().split() == ALGORITHMS
    form.locator("textarea").fill("EC_P384\nEC_P384_ML_L5")
    form.get_by_label("Least protocol").select_option("4")
    form.get_by_label("Offers the upgrade").select_option("yes")
    form.get_by_role("button", name="Change").click()
    page.locator("dl.facts", has_text="of protocol 4 alone").wait_for()
    # The form shows what holds now, and does not take it back when it is sent once more.
    until(lambda: form.locator("textarea").input_value().split() == ["EC_P384", "EC_P384_ML_L5"], "the form")
    assert form.get_by_label("Least protocol").input_value() == "4" and form.get_by_label("Offers the upgrade").input_value() == "yes"
    facts = page.locator("dl.facts").inner_text()
    assert "EC_P384, EC_P384_ML_L5" in facts and "offered" in facts
    page.locator("main form.inputs textarea").fill("EC_P521")
    page.locator("main form.inputs").get_by_role("button", name="Change").click()
    page.get_by_role("alert").filter(has_text="no algorithm “EC_P521”").wait_for()

    account = ("admin", "admin-secret")
    told = requests.get(f"{world.url}/powerauth-cloud/admin/applications/{APPLICATION}", auth=account, timeout=30).json()
    for width in (1280, 360):
        page.set_viewport_size({"width": width, "height": 800})
        for name, count in (("mobileSdkConfig", 140), ("mobileSdkConfigV4", 6288)):
            assert len(told[name]) == count
            page.get_by_role("button", name=f"Copy {name},").click()
            assert page.evaluate("navigator.clipboard.readText()") == told[name]
        assert overflow(page) == 0


def test_the_page_of_a_phone(browse, world):
    phone = new_phone(world, "eva", owner="eva")
    page = browse(world.url + "/phones/eva/settings")
    page.get_by_label("SDK of Wultra PowerAuth").select_option("2.x")
    page.get_by_role("button", name="Save").click()
    page.wait_for_load_state()
    assert phone.shown()["sdks"] == NEXT
    phone.enrol()
    assert phone.fact("Protocol") == "4.0, EC_P384_ML_L3"


MASTER = [
    "-----BEGIN PRIVATE KEY-----",
    "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHU86W2x9jp+gscLT",
    "5PUGFyg5SltsfY6foLHC0+T1BhehRANCAAR1Hnff1snbS9N2bZUjLrTr/PAkYUSj",
    "X1wDKpTTnTl2RlyxisyCoMXRYiKMQDQwpT6e6RSOxhBoyslzZyn9hhE1",
    "-----END PRIVATE KEY-----",
]
