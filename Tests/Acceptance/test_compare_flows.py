"""Ourselves against ourselves: flows of the five platforms, recorded in one world and compared in a fresh one with other chance.

Nothing may differ, and what cannot be compared is named: what a device signed, and what follows from it.
"""

import contextlib
import json
import sys
from urllib.parse import urlencode

import jwt
import pytest
import requests
from joserfc.jwk import ECKey
from requests_oauth2client import OAuth2Client, PublicApp

from camera import needs_zbar, read
from compare_recordings import Changed, agrees, reasons, recording, refusal
from hanko_flow import App, now_of, totp
from nextauth_device import Device as NextAuthDevice
from nextauth_server import Backend as NextAuthBackend
from nextauth_server import new_nonce
from nextauth_stub import SDK
from oauth_browser import Browser, metadata_of, register
from oauth_party import Party
from onegini_device import Device as OneginiDevice
from passkey_device import PasskeyDevice
from powerauth_answers import Refused
from powerauth_device import Device as PowerAuthDevice
from test_oauth_dpop import CALLBACK, proof
from test_oauth_dpop import fixtures as bound
from test_onegini_otp import Portal, signature
from understudy import Client, run

FOLLOWS = "it depends on request"
NEWCOMER = "newcomer@example.com"
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"


def bearer(token):
    return {"headers": {"Authorization": "Bearer " + token}}


# Hanko

def test_hanko_by_passkey(world, hanko, compare):
    phone, token = PasskeyDevice("http://localhost:3000"), hanko.log_in(world, NEWCOMER)
    options = hanko.post("/webauthn/registration/initialize", **bearer(token)).json()
    assert hanko.post("/webauthn/registration/finalize", phone.create(options), **bearer(token)).status_code == 200
    asked = hanko.post("/webauthn/login/initialize").json()
    answer = hanko.post("/webauthn/login/finalize", phone.get(asked))
    assert answer.status_code == 200, answer.text
    assert hanko.get("/me", token).status_code == 200

    report = compare.report(recording(world))
    told = agrees(report, "hanko")
    assert (told["agree"], told["notComparable"]) == (8, 0), "a software authenticator of the world signs in its place"

    har = Changed(recording(world))
    har.body("/webauthn/registration/finalize", lambda answer: answer | {"surplus": 1})
    har.body("/webauthn/login/finalize", lambda answer: {"credential_id": answer["credential_id"]})
    found = {(route, kind, place) for route, kind, place, _ in compare.differences(har.har)}
    assert found == {
        ("POST /hanko/webauthn/registration/finalize", "missing", "body surplus"),
        ("POST /hanko/webauthn/login/finalize", "more", "body user_id")}


def test_hanko_by_a_passkey_that_is_older_than_the_recording(world, hanko, compare):
    phone, token = PasskeyDevice("http://localhost:3000"), hanko.log_in(world, "older@example.com")
    options = hanko.post("/webauthn/registration/initialize", **bearer(token)).json()
    assert hanko.post("/webauthn/registration/finalize", phone.create(options), **bearer(token)).status_code == 200
    world.control("DELETE", "/journal").raise_for_status()
    assert hanko.post("/webauthn/login/finalize", phone.get(hanko.post("/webauthn/login/initialize").json())).status_code == 200

    told = agrees(compare.report(recording(world)), "hanko", "it carries a WebAuthn answer, and the recording does not have the key")
    assert (told["agree"], told["notComparable"]) == (1, 1)


def test_hanko_by_an_account_elsewhere(world, hanko, compare):
    """Hanko redeems the code of the provider, which is a platform of the same world, by requests of its own: they are not sent twice."""
    query = urlencode({"provider": "google", "redirect_to": "http://localhost:3000/back"})
    started, browser = requests.get(world.hanko + "/thirdparty/auth?" + query, allow_redirects=False, timeout=30), Browser()
    # Browsers send what is for TLS alone to localhost too.
    browser.session.cookies.set("hanko_thirdparty_state", started.cookies["hanko_thirdparty_state"])
    token = browser.authorize(started.headers["Location"]).query["hanko_token"]
    assert hanko.post("/token", {"value": token}).status_code == 200

    report = compare.report(recording(world))
    assert agrees(report, "hanko")["agree"] == 3
    assert "POST /oauth/v1/token" not in [route["route"] for one in report["platforms"] for route in one["routes"]]


def test_hanko_by_flows_with_a_passkey(make_world, compare, tmp_path):
    fixtures = {"hanko": {"config": {"session": {"enable_auth_token_header": True}}, "users": []}}
    world = make_world(fixtures=fixtures)
    phone = PasskeyDevice("http://localhost:8888")
    flow = App(world, passkeys=True).flow("registration").through(("register_login_identifier", {"email": NEWCOMER}))
    flow.code(NEWCOMER).through(("register_password", {"new_password": "difference engine"}), "skip")
    flow.through("webauthn_generate_creation_options")
    flow.run("webauthn_verify_attestation_response", public_key=phone.create(flow.payload["creation_options"])).done()
    login = App(world, passkeys=True).flow("login").through("webauthn_generate_request_options")
    login.run("webauthn_verify_assertion_response", assertion_response=phone.get(login.payload["request_options"])).done()

    file = tmp_path / "tenant.json"
    file.write_text(json.dumps(fixtures))
    report = compare.report(recording(world), "--fixtures", file)
    assert agrees(report, "hanko")["notComparable"] == 0


@pytest.mark.parametrize("clock", [{}, {"clock": "2026-03-04T05:06:07Z", "frozen": True}], ids=["", "frozen"])
def test_hanko_by_flows_with_a_password_and_an_authenticator_app(make_world, compare, tmp_path, clock):
    fixtures = {"hanko": {"config": {"session": {"enable_auth_token_header": True}}, "users": []}}
    world = make_world(fixtures=fixtures, **clock)
    flow = App(world).flow("registration").through(("register_login_identifier", {"email": NEWCOMER}))
    flow.code(NEWCOMER).through(
        ("register_password", {"new_password": "difference engine"}), "continue_to_otp_secret_creation")
    flow.run("otp_code_verify", otp_code=totp(flow.payload["otp_secret"], now_of(world))).done()
    App(world).flow("login").through(("continue_with_login_identifier", {"email": "nobody@example.com"}))

    file = tmp_path / "tenant.json"
    file.write_text(json.dumps(fixtures))
    report = compare.report(recording(world), "--fixtures", file)
    agrees(report, "hanko", "authenticator app", FOLLOWS)
    assert any("authenticator app" in reason for reason in reasons(report))


def test_hanko_in_the_last_half_second_of_a_session(make_world, compare):
    """A clock that stands still: in the archive, requests that take a millisecond or more start before the second in which the world answered them."""
    world = make_world(clock="2026-03-04T05:06:07Z", frozen=True)
    hanko = Client(world.hanko)
    token = hanko.log_in(world, NEWCOMER)
    claims = jwt.decode(token, options={"verify_signature": False})
    world.advance(claims["exp"] - now_of(world) - 0.5)
    assert hanko.get("/me", token).status_code == 200

    report = compare.report(recording(world))
    assert agrees(report, "hanko")["notComparable"] == 0


# Onegini

def test_onegini_by_code_with_pkce(world, compare):
    party = Party(
        world.oauth, Browser(), grant_types=["authorization_code", "refresh_token"], token_endpoint_auth_method="none")
    party.log_in(scope="openid offline_access profile email")
    party.userinfo()
    party.refresh(party.token["refresh_token"])
    assert party.redeem("no code").status_code == 400

    report = compare.report(recording(world))
    assert reasons(report) <= {"it carries a code that nobody was sent"}
    assert agrees(report, "onegini")["agree"] >= 6


@pytest.mark.parametrize("nonce", [False, True])
def test_onegini_with_tokens_that_are_bound_to_a_key(make_world, browser, compare, tmp_path, nonce):
    """The address that asks for a code names the key before the first proof of it."""
    fixtures = bound({"dpop": True, "dpop_nonce": nonce})
    world = make_world(fixtures=fixtures)
    app = OAuth2Client.from_discovery_endpoint(
        issuer=world.oauth, auth=PublicApp("spa"), testing=True, redirect_uri=CALLBACK, dpop_bound_access_tokens=True)
    asked = app.authorization_request(scope="openid profile")
    arrived = asked.validate_callback(browser.authorize(asked.uri).url)
    token = app.authorization_code(arrived, validate=False)
    userinfo = metadata_of(world.oauth)["userinfo_endpoint"]
    assert requests.get(userinfo, auth=token, timeout=30).status_code == 200
    app.refresh_token(token)
    wrong = requests.get(userinfo, headers={"Authorization": "DPoP " + token.access_token, "DPoP": proof(
        ECKey.generate_key("P-256"), "GET", userinfo, token.access_token)}, timeout=30)
    assert wrong.status_code == 401

    file = tmp_path / "tenant.json"
    file.write_text(json.dumps(fixtures))
    report = compare.report(recording(world), "--fixtures", file)
    told = agrees(report, "onegini")
    assert told["notComparable"] == 0 and told["agree"] >= 5


def test_onegini_by_device_code_that_somebody_types_in_small_letters(world, compare):
    client = register(
        world.oauth, grant_types=[DEVICE_CODE, "refresh_token"], redirect_uris=[], response_types=[],
        token_endpoint_auth_method="none")["client_id"]
    started = requests.post(
        world.oauth + "/device_authorization", data={"client_id": client, "scope": "openid profile"}, timeout=30).json()

    def poll():
        return requests.post(world.oauth + "/v1/token", timeout=30, data={
            "grant_type": DEVICE_CODE, "device_code": started["device_code"], "client_id": client})

    assert poll().json()["error"] == "authorization_pending"
    typed = started["user_code"].lower().replace("-", " ")
    said = Browser().connect_device(typed, started["verification_uri"])
    assert said.status == 200 and "Connected" in said.text
    world.advance(started["interval"] + 5)
    assert poll().status_code == 200
    world.advance(60)
    assert poll().json()["error"] == "invalid_grant"

    report = compare.report(recording(world))
    assert reasons(report) == set()
    assert agrees(report, "onegini")["agree"] >= 6


def test_onegini_by_transaction_with_otp(world, compare):
    with contextlib.closing(OneginiDevice(world.oauth, signature("android"), "android")) as phone:
        phone.log_in(Browser(), "ada", "13524")
        phone.enroll()
        with contextlib.closing(Portal(world.oauth)) as portal:
            started = portal.start()
            assert phone.answer(phone.scan(started["otp"]), "confirm", True).status_code == 200
            assert portal.result(started["transaction_id"])["is_authenticated"] is True

    report = compare.report(recording(world))
    assert agrees(report, "onegini")["notComparable"] == 0


def test_a_page_whose_key_no_answer_gave(world, compare):
    """Only the console tells where the code of a transaction is to be seen."""
    with contextlib.closing(Portal(world.oauth)) as portal:
        portal.start()
        [waiting] = world.get("/transactions")["transactions"]
        assert requests.get(waiting["page"], timeout=30).status_code == 200

    told = agrees(compare.report(recording(world)), "onegini", "its address has a key that no answer gave")
    assert (told["agree"], told["notComparable"]) == (1, 1)


# PowerAuth

def test_powerauth_by_activation_and_operation(world, backend, mobile, start_operation, compare):
    operation = start_operation()
    assert mobile.ids() == [operation]
    mobile.authorize(mobile.operation(operation))
    assert backend.operation(operation)["status"] == "APPROVED"

    told = agrees(compare.report(recording(world)), "powerauth")
    assert told["agree"] >= 7 and told["notComparable"] == 0


def test_powerauth_by_a_registration_that_a_bad_key_ends(world, backend, application, enrollment, configuration, compare):
    """The recorded refusal is one of the key, ours is one of the encryption, and only the first removes the registration."""
    started = backend.register("eva", application)
    with pytest.raises(Refused):
        PowerAuthDevice(enrollment, configuration, "3.3").activate(started["activationQrCodeData"], devicePublicKey="")
    assert backend.registration(started["registrationId"])["registrationStatus"] == "REMOVED"

    agrees(compare.report(recording(world)), "powerauth", "what it said is encrypted", FOLLOWS)


# MIRACL

def test_miracl_by_enrolment_and_login(world, make_native, sample, open_mail, compare):
    phone = make_native(user="ada@example.com", ready=False)
    phone.set_backend()
    code = phone.access_code(sample.authorize_url())
    phone.start_registration(code)
    open_mail("ada@example.com")
    phone.confirm_registration()
    phone.choose_pin()
    phone.start_authentication(code)
    assert sample.redeem(phone.code_for(code), "ada@example.com").status_code == 200

    told = agrees(compare.report(recording(world)), "miracl")
    assert told["agree"] >= 8 and told["notComparable"] == 0


# nextAuth

@pytest.fixture
def still(make_world):
    return make_world(clock="2026-03-02T09:00:00Z", frozen=True)


@pytest.fixture
def sdk(still):
    return SDK(NextAuthDevice(still.url + "/nextauth"), lambda: now_of(still))


def test_nextauth_by_enrolment_login_and_web_socket(still, sdk, compare):
    backend, nonce = NextAuthBackend(still.url + "/nextauth"), new_nonce()
    assert sdk.start_session(backend.enrolment_code(nonce, "Ada", "ada@example.com"))["state"] == "DONE"
    still.advance(61)
    nonce = new_nonce()
    with backend.watch(nonce) as page:
        page.hear("LOGOUT")
        sdk.start_session(backend.login_code(nonce))
        page.hear("CONFIRMSCAN", "LOGIN")
    assert backend.session(nonce)["loggedin"] is True

    told = agrees(
        compare.report(recording(still)), "nextauth", "a web socket", FOLLOWS)
    assert told["agree"] >= 3


@needs_zbar
def test_nextauth_by_a_camera(still, sdk, compare):
    """What the phone read from the picture stands in no answer."""
    backend = NextAuthBackend(still.url + "/nextauth")
    picture = backend.enrolment_code(new_nonce(), "Zoë", "ada@example.com", img="png")
    assert sdk.start_session(read(picture))["state"] == "DONE"

    report = compare.report(recording(still))
    agrees(report, "nextauth", "a code in a picture", "has not all of the answer's body", "a signature of a nextAuth account", FOLLOWS)
    assert any("a code in a picture" in reason for reason in reasons(report))


# Stand between, record, compare.

CLIENT = """
import json, os, sys, urllib.request

def post(path, body):
    order = urllib.request.Request(
        os.environ["UNDERSTUDY_HANKO_URL"] + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(order))

user = post("/users", {"email": "newcomer@example.com"})["user_id"]
passcode = post("/passcode/login/initialize", {"user_id": user})["id"]
outbox = sys.argv[1] + "/_understudy/v1/codes?to=newcomer@example.com&wait=10"
code = json.load(urllib.request.urlopen(outbox))["code"]
post("/passcode/login/finalize", {"id": passcode, "code": code})
"""


def test_what_was_recorded_in_between_agrees(world, compare, tmp_path):
    """Another program of ours is the real service."""
    file = tmp_path / "login.har"
    done = run(
        "record", file, "--upstream", f"hanko={world.hanko}", "--show-secrets", "--", sys.executable, "-c", CLIENT, world.url)
    assert done.returncode == 0, done.stderr
    har = json.loads(file.read_text())
    assert {entry["_upstream"] for entry in har["log"]["entries"]} == {world.hanko}

    report = compare.report(har)
    assert agrees(report, "hanko")["agree"] == 3 and reasons(report) == set()
