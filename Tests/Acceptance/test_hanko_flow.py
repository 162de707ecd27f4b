"""Hanko's Flow API, driven as an app drives it: registration, login and profile, with mailed codes, passwords, authenticator apps
and passkeys that are not ours.

Source: Hanko documentation, “Flow API” and “Configuration”; Web Authentication Level 3; RFC 6238, RFC 7519.
"""

import base64
import threading
import uuid
from urllib.parse import parse_qs, unquote, urlsplit

import jwt
import pytest
import requests
from fido2.utils import websafe_encode

from camera import read
from hanko_flow import App, another, now_of, totp
from passkey_device import PasskeyDevice

ORIGIN = "http://localhost:8888"
ADA = {"id": "ada00000-0000-4000-8000-000000000001", "emails": [{"address": "ada@example.com"}],
       "password": {"text": "analytical-engine"}}
GRACE = {"id": "9ace0000-0000-4000-8000-000000000002", "emails": [{"address": "grace@example.com"}]}
#: The classic feel of Hanko: an address, a code, perhaps a passkey.
PASSWORDLESS = {"mfa": {"enabled": False}, "password": {"enabled": False}}
HEADER = {"session": {"enable_auth_token_header": True}}
STILL = {"clock": "2026-03-04T05:06:07Z", "frozen": True}


@pytest.fixture
def world_of(make_world):
    """Makes worlds in which Hanko has only the given configuration, and its own defaults beside it."""

    def world_of(config=None, users=(ADA, GRACE), **order):
        return make_world(fixtures={"hanko": {"config": config or {}, "users": list(users)}}, **order)

    return world_of


class SoftwarePhone:
    """The control API's authenticator, with the two calls of the one that is not ours."""

    def __init__(self, world):
        self.world = world
        made = world.control("POST", "/authenticators", json={"name": "Phone", "origin": ORIGIN})
        assert made.status_code == 201, made.text
        self.path = "/authenticators/" + made.json()["id"]

    def ask(self, call, options):
        answer = self.world.control("POST", f"{self.path}/{call}", json=options)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def create(self, options):
        return self.ask("create", options)

    def get(self, options):
        return self.ask("get", options)


def phones(kind, world):
    return SoftwarePhone(world) if kind == "ours" else PasskeyDevice(ORIGIN, algorithm=kind)


def make_passkey(flow, device):
    """Answers the creation options that the flow shows."""
    return flow.run("webauthn_verify_attestation_response", public_key=device.create(flow.payload["creation_options"]))


def sign_up(app, address):
    """Registers where passwords are off; the payload of the success."""
    flow = app.flow("registration").run("register_login_identifier", email=address).code(address)
    while flow.name != "success":
        flow.through("skip")
    return flow.done()


def to_password(app, address):
    """A login that asks for the password."""
    flow = app.flow("login").through(("continue_with_login_identifier", {"email": address}))
    return flow if flow.name == "login_password" else flow.through("continue_to_password_login")


def identifiers(world):
    """Everybody's addresses, as the admin API lists them."""
    users = requests.get(world.url + "/hanko-admin/users", timeout=30).json()
    return sorted(email["address"] for user in users for email in user["emails"])


# --- Registration and login


@pytest.mark.parametrize("header", [True, False], ids=["bearer", "cookie"])
def test_somebody_registers_without_a_password_and_comes_back(world_of, header):
    world = world_of(PASSWORDLESS | {"session": {"enable_auth_token_header": header}})
    app = App(world, language="de")
    flow = app.flow("registration")
    assert flow.actions["register_login_identifier"]["inputs"] == {
        "email": {"name": "email", "type": "email", "max_length": 120, "required": True}}
    flow.run("register_login_identifier", email=" Newcomer@Example.com ")
    assert (flow.name, sorted(flow.actions)) == ("passcode_confirmation", ["back", "resend_passcode", "verify_passcode"])
    assert identifiers(world) == ["ada@example.com", "grace@example.com"]
    [mail] = world.messages()
    assert mail["to"]["address"] == "newcomer@example.com" and "Passcode" in mail["subject"]

    registered = flow.code("newcomer@example.com").done()
    assert flow.path == ["preflight", "registration_init", "passcode_confirmation", "success"]
    assert registered["claims"]["amr"] == ["otp"] and "last_login" not in registered
    assert ("X-Auth-Token" in flow.answer.headers, "hanko" in app.cookies) == (header, not header)
    assert registered["user"]["emails"][0]["address"] == "newcomer@example.com"
    assert app.send("GET", "/me").json()["id"] == registered["user"]["user_id"] == str(uuid.UUID(registered["claims"]["subject"]))
    assert app.send("POST", "/logout").status_code == 204
    assert "hanko" not in app.cookies
    assert app.send("GET", "/me").status_code == 401

    back = App(world).flow("login").run("continue_with_login_identifier", email="NEWCOMER@example.com")
    assert (back.name, world.messages()[0]["subject"].endswith("to login to your account")) == ("passcode_confirmation", True)
    returned = back.code("newcomer@example.com").done()
    assert returned["last_login"] == {"login_method": "passcode"}
    assert returned["claims"]["subject"] == registered["claims"]["subject"]
    assert returned["claims"]["session_id"] != registered["claims"]["session_id"]


@pytest.mark.parametrize("kind", ["ES256", "EdDSA", "RS256", "ours"])
def test_the_default_configuration_asks_for_code_password_second_factor_and_passkey(world_of, kind):
    world = world_of()
    app, phone = App(world, passkeys=True), phones(kind, world)
    flow = app.flow("registration")
    flow.through(("register_login_identifier", {"email": "new@example.com"})).code("new@example.com")
    assert (flow.name, list(flow.actions)) == ("password_creation", ["register_password"])
    flow.run("register_password", new_password="short")
    assert (flow.status, flow.input_error("register_password", "new_password")) == (400, "value_too_short_error")
    flow.through(("register_password", {"new_password": "difference engine"}))
    assert {"continue_to_otp_secret_creation", "continue_to_security_key_creation", "skip"} <= set(flow.actions)
    flow.through("skip")
    assert (flow.name, sorted(flow.actions)) == (
        "onboarding_create_passkey", ["back", "skip", "webauthn_generate_creation_options"])
    flow.through("webauthn_generate_creation_options")
    options = flow.payload["creation_options"]["publicKey"]
    assert options["rp"]["id"] == "localhost" and options["user"]["name"] == "new@example.com"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    assert identifiers(world) == ["ada@example.com", "grace@example.com"], "nobody is a user before the success"

    registered = make_passkey(flow, phone).done()
    assert flow.path == [
        "preflight", "registration_init", "passcode_confirmation", "password_creation", "mfa_method_chooser",
        "onboarding_create_passkey", "onboarding_verify_passkey_attestation", "success"]
    assert registered["claims"]["amr"] == ["otp", "pwd", "passkey"]
    assert len(registered["user"]["passkeys"]) == 1
    assert "new@example.com" in identifiers(world)

    # The passkey alone signs in: nobody is named, no second factor is asked for.
    login = App(world, passkeys=True).flow("login").through("webauthn_generate_request_options")
    assert login.name == "login_passkey" and "allowCredentials" not in login.payload["request_options"]["publicKey"]
    signed = login.run(
        "webauthn_verify_assertion_response", assertion_response=phone.get(login.payload["request_options"])).done()
    assert signed["user"]["user_id"] == registered["user"]["user_id"]
    assert (signed["claims"]["amr"], signed["last_login"]) == (["passkey"], {"login_method": "passkey"})


def test_a_password_and_the_code_of_an_authenticator_app(world_of):
    world = world_of(HEADER)
    app = App(world)
    flow = app.flow("registration").through(("register_login_identifier", {"email": "two@example.com"}))
    flow.code("two@example.com").through(
        ("register_password", {"new_password": "difference engine"}), "continue_to_otp_secret_creation")
    secret, picture = flow.payload["otp_secret"], flow.payload["otp_image_source"]
    kind, _, data = picture.partition(",")
    assert kind == "data:image/png;base64" and flow.name == "mfa_otp_secret_creation"
    link = urlsplit(read(base64.b64decode(data, validate=True)).decode())
    assert (link.scheme, link.netloc) == ("otpauth", "totp") and "two@example.com" in unquote(link.path)
    assert parse_qs(link.query)["secret"] == [secret]
    wrong = another(totp(secret, now_of(world)))
    flow.run("otp_code_verify", otp_code=wrong)
    assert (flow.status, flow.input_error("otp_code_verify", "otp_code")) == (400, "passcode_invalid")
    assert flow.payload == {"otp_secret": secret, "otp_image_source": picture}
    registered = flow.run("otp_code_verify", otp_code=totp(secret, now_of(world))).done()
    assert registered["claims"]["amr"] == ["otp", "pwd", "totp"]
    assert registered["user"]["mfa_config"]["auth_app_set_up"] is True

    phone = App(world)
    login = to_password(phone, "two@example.com").through(("password_login", {"password": "difference engine"}))
    assert (login.name, sorted(login.actions)) == ("login_otp", ["otp_code_validate"])
    # A minute is two steps: too far away from now.
    login.run("otp_code_validate", otp_code=totp(secret, now_of(world) - 60))
    assert (login.status, login.input_error("otp_code_validate", "otp_code")) == (400, "passcode_invalid")
    assert "60 s" in world.explanations(status=400)[0]
    login.run("otp_code_validate", otp_code=totp(secret, now_of(world)))
    assert (login.name, sorted(login.actions)) == ("device_trust", ["skip", "trust_device"])
    signed = login.run("trust_device").done()
    assert (signed["claims"]["amr"], signed["last_login"]) == (
        ["pwd", "totp"], {"login_method": "password", "mfa_method": "totp"})

    # That device is trusted now; another one is not.
    assert phone.cookies["hanko-device-token"].startswith(registered["user"]["user_id"] + ":")
    again = to_password(phone, "two@example.com").run("password_login", password="difference engine")
    assert again.done()["claims"]["amr"] == ["pwd"]
    elsewhere = to_password(App(world), "two@example.com").run("password_login", password="difference engine")
    assert elsewhere.name == "login_otp"


def test_a_security_key_is_the_second_factor_and_never_the_first(world_of):
    world, key = world_of(), PasskeyDevice(ORIGIN)
    flow = App(world, passkeys=True).flow("registration")
    flow.through(("register_login_identifier", {"email": "key@example.com"})).code("key@example.com").through(
        ("register_password", {"new_password": "difference engine"}), "continue_to_security_key_creation",
        "webauthn_generate_creation_options")
    selection = flow.payload["creation_options"]["publicKey"]["authenticatorSelection"]
    assert (selection["residentKey"], selection["authenticatorAttachment"]) == ("discouraged", "cross-platform")
    make_passkey(flow, key)
    registered = flow.through("skip").done()
    assert registered["claims"]["amr"] == ["otp", "pwd", "security_key"]

    login = to_password(App(world, passkeys=True), "key@example.com")
    login.through(("password_login", {"password": "difference engine"}))
    assert login.name == "login_security_key"
    login.through("webauthn_generate_request_options")
    [allowed] = login.payload["request_options"]["publicKey"]["allowCredentials"]
    assert allowed["id"] == websafe_encode(key.id)
    login.run("webauthn_verify_assertion_response", assertion_response=key.get(login.payload["request_options"]))
    while login.name != "success":
        login.through("skip")
    assert login.done()["claims"]["amr"] == ["pwd", "security_key"]

    first = App(world, passkeys=True).flow("login").through("webauthn_generate_request_options")
    first.run("webauthn_verify_assertion_response", assertion_response=key.get(first.payload["request_options"]))
    assert (first.status, first.error) == (401, "webauthn_credential_invalid_mfa_only")


def test_a_passkey_from_autofill_answers_the_newest_challenge(world_of):
    world, phone = world_of(PASSWORDLESS | HEADER), PasskeyDevice(ORIGIN)
    flow = App(world, passkeys=True).flow("registration")
    flow.through(("register_login_identifier", {"email": "fill@example.com"})).code("fill@example.com")
    make_passkey(flow.through("webauthn_generate_creation_options"), phone).done()

    login = App(world, passkeys=True, conditional=True).flow("login")
    first = login.payload["request_options"]
    login.run("continue_with_login_identifier", email="")
    assert login.input_error("continue_with_login_identifier", "email") == "value_missing_error"
    second = login.payload["request_options"]
    assert first["publicKey"]["challenge"] != second["publicKey"]["challenge"]
    login.run("webauthn_verify_assertion_response", assertion_response=phone.get(first))
    assert (login.name, login.status, login.error) == ("login_init", 401, "passkey_invalid")
    assert "challenge" in world.explanations(status=401)[0]
    third = login.payload["request_options"]
    assert login.run("webauthn_verify_assertion_response", assertion_response=phone.get(third)).done()["claims"]["amr"] == [
        "passkey"]


def test_a_forgotten_password_is_recovered_by_mail(world_of):
    world = world_of()
    flow = to_password(App(world), "ada@example.com").through("continue_to_passcode_confirmation_recovery")
    assert world.messages()[0]["subject"].endswith("to recover your account")
    flow.code("ada@example.com")
    assert (flow.name, list(flow.actions)) == ("login_password_recovery", ["password_recovery"])
    flow.through(("password_recovery", {"new_password": "a new engine"}))
    while flow.name != "success":
        flow.through("skip")
    flow.done()

    old = to_password(App(world), "ada@example.com").run("password_login", password="analytical-engine")
    assert (old.status, old.input_error("password_login", "password")) == (400, "value_invalid_error")
    assert old.run("password_login", password="a new engine").name == "success"


def test_the_language_of_the_mail_is_that_of_each_request(world_of):
    world = world_of(PASSWORDLESS)
    app = App(world, language="fr")
    flow = app.flow("login").through(("continue_with_login_identifier", {"email": "ada@example.com"}))
    french = world.messages()[0]["subject"]
    app.language = "en"
    flow.through("resend_passcode")
    english = world.messages()[0]["subject"]
    code = world.code("ada@example.com")["code"]
    assert english == f"Use passcode {code} to login to your account"
    assert french != english and not french.startswith("Use passcode")


# --- What goes wrong


def test_the_third_wrong_code_is_the_last(world_of):
    world = world_of(PASSWORDLESS)
    flow = App(world).flow("login").through(("continue_with_login_identifier", {"email": "ada@example.com"}))
    right = world.code("ada@example.com")["code"]
    seen = []
    for code in [another(right)] * 3 + [right]:
        flow.run("verify_passcode", code=code)
        seen.append((flow.name, flow.status, flow.error, flow.input_error("verify_passcode", "code")))
    wrong = ("passcode_confirmation", 400, "form_data_invalid_error", "passcode_invalid")
    exhausted = ("passcode_confirmation", 401, "passcode_max_attempts_reached", None)
    assert seen == [wrong, wrong, exhausted, exhausted]
    told = world.explanations(path="/login")
    assert len(told) >= 4 and all(len(sentence.split()) > 3 for sentence in told), told

    # A new code makes it good again.
    assert flow.through("resend_passcode").code("ada@example.com").name == "success"


def test_a_code_expires_by_the_clock_of_its_world(world_of):
    world = world_of(PASSWORDLESS, **STILL)
    flow = App(world).flow("login").through(("continue_with_login_identifier", {"email": "ada@example.com"}))
    code = world.code("ada@example.com")["code"]
    world.advance(301)
    flow.run("verify_passcode", code=code)
    assert (flow.status, flow.input_error("verify_passcode", "code")) == (400, "passcode_invalid")
    assert "expired" in world.explanations(status=400)[0]


def test_one_resend_is_free_and_the_next_one_waits(world_of):
    world = world_of(PASSWORDLESS, **STILL)
    flow = App(world).flow("login").through(("continue_with_login_identifier", {"email": "ada@example.com"}))
    first = world.code("ada@example.com")["code"]
    flow.through("resend_passcode")
    assert len(world.messages()) == 2
    flow.run("resend_passcode")
    assert (flow.name, flow.status, flow.error) == ("passcode_confirmation", 429, "rate_limit_exceeded")
    assert flow.payload == {"resend_after": 60} and "Retry-After" not in flow.answer.headers
    assert len(world.messages()) == 2

    world.advance(59)
    flow.run("resend_passcode")
    assert (flow.status, flow.payload) == (429, {"resend_after": 1})
    world.advance(1)
    flow.through("resend_passcode")
    assert len(world.messages()) == 3
    newest = world.code("ada@example.com")["code"]
    if first != newest:
        assert flow.run("verify_passcode", code=first).input_error("verify_passcode", "code") == "passcode_invalid"
    assert flow.run("verify_passcode", code=newest).name == "success"


def test_a_limit_counts_at_a_fraction_of_a_second(world_of):
    """What was stored came back a nanosecond later than now, and the bucket began anew with each call."""
    world = world_of(PASSWORDLESS, clock="2026-03-04T05:06:06.999Z", frozen=True)
    flow = App(world).flow("login").through(("continue_with_login_identifier", {"email": "ada@example.com"}))
    flow.through("resend_passcode").run("resend_passcode")
    assert (flow.status, flow.error) == (429, "rate_limit_exceeded")


def test_passwords_are_tried_five_times_a_minute(world_of):
    world = world_of(**STILL)
    flow = to_password(App(world), "ada@example.com")
    statuses = [flow.run("password_login", password=f"guess {number}").status for number in range(5)]
    assert statuses == [400] * 5
    flow.run("password_login", password="analytical-engine")
    assert (flow.name, flow.status, flow.payload) == ("login_password", 429, {"retry_after": 60})
    # Another flow changes nothing: the guesses are counted for the identifier.
    assert to_password(App(world), "ada@example.com").run("password_login", password="analytical-engine").status == 429
    world.advance(60)
    assert flow.run("password_login", password="analytical-engine").name == "success"


def test_back_leads_where_the_user_came_from_and_mails_nothing_again(world_of):
    world = world_of()
    flow = App(world).flow("login").through(("continue_with_login_identifier", {"email": "ada@example.com"}))
    assert flow.through("continue_to_passcode_confirmation", "back").name == "login_method_chooser"
    assert flow.through("continue_to_password_login", "back").name == "login_method_chooser"
    assert flow.through("back").name == "login_init"
    assert "back" not in flow.actions
    flow.through(("continue_with_login_identifier", {"email": "ada@example.com"}), "continue_to_passcode_confirmation")
    assert len(world.messages()) == 1
    assert flow.code("ada@example.com").name == "success"


def test_what_was_proved_cannot_be_taken_back(world_of):
    flow = App(world_of()).flow("registration").through(("register_login_identifier", {"email": "on@example.com"}))
    assert "back" in flow.actions
    flow.code("on@example.com")
    assert flow.name == "password_creation" and "back" not in flow.actions


def test_a_flow_expires_after_a_day(world_of):
    world = world_of(PASSWORDLESS, **STILL)
    flow = App(world).flow("login")
    world.advance(86_401)
    flow.run("continue_with_login_identifier", email="ada@example.com")
    assert (flow.name, flow.status, flow.error) == ("error", 410, "flow_expired_error")
    assert "expired" in world.explanations(status=410)[0]
    assert world.messages() == []


def test_what_is_not_permitted_changes_nothing(world_of):
    world = world_of(PASSWORDLESS)
    flow = App(world).flow("login")
    href = flow.actions["continue_with_login_identifier"]["href"]
    inputs = {"email": "ada@example.com"}
    _, _, identifier = href.partition("%40")
    forbidden = (403, "operation_not_permitted_error")
    cases = [
        (href, "0" * 32, *forbidden, "csrf_token"),
        (f"/login?action=continue_with_login_identifier%40{uuid.uuid4()}", None, *forbidden, "There is no login flow"),
        (f"/login?action=verify_passcode%40{identifier}", None, *forbidden, "verify_passcode"),
        ("/login?action=continue_with_login_identifier", None, 500, "technical_error", "name@flow-id"),
        (href.replace("/login", "/registration"), None, *forbidden, f"There is no registration flow {identifier}"),
    ]
    for where, token, status, error, reason in cases:
        refused = flow.post(where, inputs, token)
        body = refused.json()
        assert (refused.status_code, body["name"], body["error"]["code"]) == (status, "error", error)
        assert (body["csrf_token"], body["actions"], "payload" in body) == ("", {}, False)
        assert reason in world.explanations(status=status)[0]
    assert flow.run("continue_with_login_identifier", **inputs).name == "passcode_confirmation"


def test_of_requests_at_once_on_one_flow_one_isheard(world_of):
    world = world_of(PASSWORDLESS | {"rate_limiter": {"enabled": False}})
    for _ in range(5):
        flow = App(world).flow("login")
        href, together, answers = flow.actions["continue_with_login_identifier"]["href"], threading.Barrier(8), []
        body = {"input_data": {"email": "grace@example.com"}, "csrf_token": flow.body["csrf_token"]}

        def post():
            together.wait(timeout=10)
            answers.append(requests.post(world.hanko + href, json=body, timeout=30))

        before = len(world.messages())
        threads = [threading.Thread(target=post) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answer.status_code for answer in answers) == [200] + [403] * 7
        assert len(world.messages()) == before + 1
        [heard] = [answer for answer in answers if answer.status_code == 200]
        flow.hear(heard)
        assert flow.code("grace@example.com").name == "success"


def test_guesses_at_once_are_all_counted(world_of):
    """Every one with the token of the state: one is heard, and no second code is tried with it."""
    world = world_of(PASSWORDLESS)
    flow = App(world).flow("login").through(("continue_with_login_identifier", {"email": "ada@example.com"}))
    right, together, answers = world.code("ada@example.com")["code"], threading.Barrier(10), []
    href, token = flow.actions["verify_passcode"]["href"], flow.body["csrf_token"]

    def guess(code):
        together.wait(timeout=10)
        answers.append(requests.post(world.hanko + href, timeout=30, json={"input_data": {"code": code}, "csrf_token": token}))

    threads = [threading.Thread(target=guess, args=[another(right)]) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer.status_code for answer in answers) == [400] + [403] * 9
    [heard] = [answer for answer in answers if answer.status_code == 400]
    flow.hear(heard)
    assert flow.code("ada@example.com").name == "success"


def test_nobody_learns_who_has_an_account_and_the_journal_says_why_no_code_comes(world_of):
    world = world_of(PASSWORDLESS)

    def shape(kind, action, address):
        flow = App(world).flow(kind).run(action, email=address)
        body = {key: value for key, value in flow.body.items() if key not in ("csrf_token", "actions")}
        return flow, (body, {name: one["inputs"] for name, one in flow.actions.items()}, sorted(flow.answer.headers))

    known, told_known = shape("login", "continue_with_login_identifier", "ada@example.com")
    unknown, told_unknown = shape("login", "continue_with_login_identifier", "nobody@example.com")
    assert told_known == told_unknown
    free, told_free = shape("registration", "register_login_identifier", "free@example.com")
    taken, told_taken = shape("registration", "register_login_identifier", "grace@example.com")
    assert told_free == told_taken

    notices = {mail["to"]["address"]: mail for mail in world.messages() if not mail.get("code")}
    assert {address: mail["subject"] for address, mail in notices.items()} == {
        "nobody@example.com": "Provided email address is not recognized",
        "grace@example.com": "Provided email address already taken"}
    events = " ".join(event["explanation"] for event in world.journal(kind="event", limit=100))
    for address in notices:
        assert f"A mail without a code went to {address}" in events
    assert "no code will ever succeed" in events and "show_account_existence_hints" in events
    for flow in unknown, taken:
        flow.run("verify_passcode", code="123456")
        assert flow.status in (400, 403) and flow.name == "passcode_confirmation"

    hinting = world_of(PASSWORDLESS | {"privacy": {"show_account_existence_hints": True}})
    login = App(hinting).flow("login").run("continue_with_login_identifier", email="nobody@example.com")
    assert login.input_error("continue_with_login_identifier", "email") == "unknown_email_error"
    registration = App(hinting).flow("registration").run("register_login_identifier", email="ada@example.com")
    assert registration.input_error("register_login_identifier", "email") == "email_already_exists"


# --- Profile


def test_a_profile_needs_a_session_at_every_step(world_of):
    world = world_of(PASSWORDLESS | HEADER)
    stranger = App(world).send("POST", "/profile")
    assert (stranger.status_code, stranger.json()["error"]["code"]) == (401, "unauthorized")
    app = App(world)
    sign_up(app, "me@example.com")
    flow = app.flow("profile")
    assert flow.name == "profile_init"
    app.token = None
    refused = flow.post(flow.actions["patch_metadata"]["href"], {"patch_metadata": {"a": 1}})
    assert (refused.status_code, refused.json()["name"]) == (401, "error")


def test_passkeys_are_added_renamed_and_deleted(world_of):
    world, phone = world_of(PASSWORDLESS), PasskeyDevice(ORIGIN)
    app = App(world, passkeys=True)
    sign_up(app, "keys@example.com")
    flow = app.flow("profile").through("webauthn_credential_create")
    assert (flow.name, sorted(flow.actions)) == (
        "webauthn_credential_verification", ["back", "webauthn_verify_attestation_response"])
    make_passkey(flow, phone)
    identifier = websafe_encode(phone.id)
    assert (flow.name, [one["id"] for one in flow.payload["user"]["passkeys"]]) == ("profile_init", [identifier])

    flow.through(("webauthn_credential_rename", {"passkey_id": identifier, "passkey_name": "My phone"}))
    assert flow.payload["user"]["passkeys"][0]["name"] == "My phone"
    flow.through("webauthn_credential_create")
    excluded = flow.payload["creation_options"]["publicKey"]["excludeCredentials"]
    assert [one["id"] for one in excluded] == [identifier]
    flow.through("back", ("webauthn_credential_delete", {"passkey_id": identifier}))
    assert "passkeys" not in flow.payload["user"] and "webauthn_credential_delete" not in flow.actions
    login = App(world, passkeys=True).flow("login").through("webauthn_generate_request_options")
    login.run("webauthn_verify_assertion_response", assertion_response=phone.get(login.payload["request_options"]))
    assert (login.status, login.error) == (401, "passkey_invalid")


def test_addresses_are_added_confirmed_made_primary_and_deleted(world_of):
    world = world_of(PASSWORDLESS)
    app = App(world)
    sign_up(app, "first@example.com")
    flow = app.flow("profile").through(("email_create", {"email": "second@example.com"}))
    assert flow.name == "passcode_confirmation"
    flow.code("second@example.com")
    first, second = (
        next(one for one in flow.payload["user"]["emails"] if one["address"] == f"{name}@example.com")
        for name in ("first", "second"))
    assert (first["is_primary"], second["is_primary"], second["is_verified"]) == (True, False, True)
    assert [one["value"] for one in flow.actions["email_delete"]["inputs"]["email_id"]["allowed_values"]] == [second["id"]]
    flow.through(("email_set_primary", {"email_id": second["id"]}), ("email_delete", {"email_id": first["id"]}))
    assert [one["address"] for one in flow.payload["user"]["emails"]] == ["second@example.com"]
    flow.run("email_create", email="second@example.com")
    assert flow.input_error("email_create", "email") == "email_already_exists"


def test_sessions_are_shown_and_ended_from_another_device(world_of):
    world = world_of(PASSWORDLESS | HEADER)
    phone, laptop = App(world), App(world)
    sign_up(phone, "many@example.com")
    laptop.flow("login").run("continue_with_login_identifier", email="many@example.com").code("many@example.com").done()
    flow = laptop.flow("profile")
    sessions = flow.payload["sessions"]
    assert sorted(one["current"] for one in sessions) == [False, True]
    [other] = [one["id"] for one in sessions if not one["current"]]
    assert [one["value"] for one in flow.actions["session_delete"]["inputs"]["session_id"]["allowed_values"]] == [other]
    flow.through(("session_delete", {"session_id": other}))
    assert [one["current"] for one in flow.payload["sessions"]] == [True]
    assert "session_delete" not in flow.actions
    assert (phone.send("GET", "/me").status_code, laptop.send("GET", "/me").status_code) == (401, 200)


def test_metadata_is_merged(world_of):
    world = world_of(PASSWORDLESS)
    app = App(world)
    sign_up(app, "meta@example.com")
    flow = app.flow("profile").through(
        ("patch_metadata", {"patch_metadata": {"theme": "dark", "seen": {"intro": True}}}),
        ("patch_metadata", {"patch_metadata": {"seen": {"intro": None, "tour": 2}}}))
    assert flow.payload["user"]["metadata"]["unsafe_metadata"] == {"theme": "dark", "seen": {"tour": 2}}
    flow.run("patch_metadata", patch_metadata={"much": "x" * 3000})
    assert (flow.status, flow.input_error("patch_metadata", "patch_metadata")) == (400, "invalid_metadata_error")
    user = flow.payload["user"]["user_id"]
    seen = requests.get(f"{world.url}/hanko-admin/users/{user}/metadata", timeout=30).json()
    assert seen["unsafe_metadata"] == {"theme": "dark", "seen": {"tour": 2}}


def test_an_account_is_deleted_where_that_is_allowed(world_of):
    world = world_of(PASSWORDLESS | {"account": {"allow_deletion": True}})
    app = App(world)
    sign_up(app, "gone@example.com")
    kept = dict(app.cookies)
    flow = app.flow("profile").through("account_delete")
    assert (flow.name, flow.actions, flow.payload) == ("account_deleted", {}, {})
    assert "hanko" not in app.cookies and "gone@example.com" not in identifiers(world)
    app.cookies = kept
    assert app.send("GET", "/me").status_code == 401

    other = world_of(PASSWORDLESS)
    app = App(other)
    sign_up(app, "stays@example.com")
    assert "account_delete" not in app.flow("profile").actions


# --- Sessions


def test_the_token_of_a_flow_is_verified_by_others(world_of):
    world = world_of()
    app = App(world)
    flow = to_password(app, "ada@example.com").run("password_login", password="analytical-engine")
    success = flow.done()
    key = jwt.PyJWKClient(world.hanko + "/.well-known/jwks.json").get_signing_key_from_jwt(app.session)
    claims = jwt.decode(
        app.session, key, algorithms=["RS256"], audience="localhost",
        options={"require": ["sub", "iat", "exp", "aud", "session_id"]})
    assert claims["sub"] == ADA["id"] == success["user"]["user_id"]
    assert claims["exp"] - claims["iat"] == 43200 == int(flow.answer.headers["X-Session-Lifetime"])
    assert claims["amr"] == ["pwd"] and claims["session_id"] == success["claims"]["session_id"]
    assert claims["email"] == {"address": "ada@example.com", "is_primary": True, "is_verified": True}


@pytest.mark.parametrize("header", [True, False], ids=["bearer", "cookie"])
def test_a_session_is_validated(world_of, header):
    world = world_of({"session": {"enable_auth_token_header": header}})
    app = App(world)
    assert app.send("GET", "/sessions/validate").json() == {"is_valid": False}
    success = to_password(app, "ada@example.com").run("password_login", password="analytical-engine").done()
    asked = app.send("GET", "/sessions/validate")
    assert asked.status_code == 200
    said = asked.json()
    assert said == {
        "is_valid": True, "claims": success["claims"], "expiration_time": success["claims"]["expiration"], "user_id": ADA["id"]}
    assert requests.post(
        world.hanko + "/sessions/validate", json={"session_token": app.session}, timeout=30).json() == said
    world.advance(43201)
    assert app.send("GET", "/sessions/validate").json() == {"is_valid": False}


def test_a_session_that_is_not_used_ends_and_its_cookie_with_it(world_of):
    world = world_of({"session": {"idle_timeout": "30m"}})
    app = App(world)
    to_password(app, "ada@example.com").run("password_login", password="analytical-engine").done()
    world.advance(1700)
    assert app.send("GET", "/me").status_code == 200
    world.advance(1700)
    assert app.send("GET", "/sessions/validate").json()["claims"]["session_id"]
    world.advance(200)
    assert app.send("GET", "/me").status_code == 401
    assert "hanko" not in app.cookies


def test_the_current_profile_has_the_flows_and_none_of_the_classic_endpoints(make_world):
    world = make_world(fixtures={"hanko": {"profile": "current", "users": [ADA]}})
    app = App(world)
    assert to_password(app, "ada@example.com").run("password_login", password="analytical-engine").name == "success"
    assert app.send("GET", "/me").json()["user_id"] == ADA["id"]
    for method, path in [
            ("POST", "/user"), ("POST", "/users"), ("GET", "/.well-known/config"), ("POST", "/passcode/login/initialize")]:
        assert app.send(method, path, json={}).status_code == 404, path
    assert any("3.x" in told for told in world.explanations(status=404))
