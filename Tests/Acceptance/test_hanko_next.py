"""Hanko's profile `next`, its mails and its environment variables, as an app, a back end and a shell meet them.

Sources: the vendor's repository, main branch of 2026-08-14; RFC 6238 section 5.2.
"""

import json

import pytest
import requests

from hanko_flow import App, now_of, totp
from test_hanko_admin import BackEnd
from test_hanko_flow import to_password
from understudy import run

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
LINUS = {"id": "11450000-0000-4000-8000-000000000003", "password": {"text": "difference engine"}, "otp": {"secret": SECRET},
         "emails": [{"address": "linus@example.com"}]}
ADA = {"id": "ada00000-0000-4000-8000-000000000001", "emails": [{"address": "ada@example.com"}]}


@pytest.fixture
def world_of(make_world):
    def world_of(profile, config=None):
        config = {"session": {"enable_auth_token_header": True}} | (config or {})
        return make_world(fixtures={"hanko": {"profile": profile, "config": config, "users": [LINUS, ADA]}})

    return world_of


def second_factor(app, code):
    return to_password(app, "linus@example.com").through(
        ("password_login", {"password": "difference engine"})).run("otp_code_validate", otp_code=code)


@pytest.mark.parametrize("profile, second", [("next", "otp_code_already_used"), ("current", None)])
def test_a_code_of_an_authenticator_app_is_good_once(world_of, profile, second):
    world = world_of(profile)
    world.control("PUT", "/clock", json={"frozen": True})
    code = totp(SECRET, now_of(world))
    assert second_factor(App(world), code).name == "device_trust"
    again = second_factor(App(world), code)
    assert again.input_error("otp_code_validate", "otp_code") == second if second else again.name == "device_trust"
    remarked = [entry for entry in world.get("/journal", limit=100)["entries"] if entry.get("event") == "refused by the next version"]
    assert bool(remarked) == (second is None)


@pytest.mark.parametrize("profile, refused", [("next", True), ("current", False)])
@pytest.mark.parametrize("target", ["http://127.0.0.1.evil.example", "com.example.app://done"])
def test_a_redirect_url_stays_at_the_host_of_its_pattern(world_of, profile, refused, target):
    world = world_of(profile, {"third_party": {
        "redirect_url": "http://localhost:8420/hanko/thirdparty/callback", "error_redirect_url": "http://127.0.0.1/error",
        "allowed_redirect_urls": ["http://127.0.0.1**", "com.example.app://**"],
        "providers": {"google": {"enabled": True, "client_id": "hanko-google", "secret": "hanko-google-secret"}}}})
    flow = App(world).flow("login")
    flow.run("thirdparty_oauth", provider="google", redirect_to=target)
    assert (flow.status == 400) == refused, flow.payload


def test_a_back_end_hears_of_sessions(world_of, receiver):
    world = world_of("next", {"session": {"enable_auth_token_header": True}, "mfa": {"enabled": False}})
    back_end = BackEnd(world, receiver)
    back_end.listen("session.delete", "session.create.flow")
    app = App(world)
    to_password(app, "linus@example.com").run("password_login", password="difference engine").done()
    app.send("POST", "/logout")
    made, gone = back_end.heard(2)
    assert (made["evt"], gone["evt"]) == ("session.create.flow", "session.delete.explicit.logout")
    assert made["data"]["user_id"] == LINUS["id"] and made["data"]["id"] == gone["data"]["id"]


# The subjects are facts of the wire: tests wait for them.
@pytest.mark.parametrize("profile, language, subject", [
    ("current", "de", "Verwenden Sie den Passcode {}, um sich in Ihr Konto einzuloggen"),
    ("current", "fr", "Utilisez le code d'accès {} pour vous connecter à votre compte"),
    ("current", "pl", "Use passcode {} to login to your account"),
    ("next", "pl", "Użyj kodu {}, aby zalogować się na swoje konto"),
])
def test_subjects_are_the_originals(world_of, receiver, profile, language, subject):
    world = world_of(profile, {"mfa": {"enabled": False}, "password": {"enabled": False}, "passkey": {"enabled": False}})
    back_end = BackEnd(world, receiver)
    back_end.listen("email.send")
    App(world, language).flow("login").run("continue_with_login_identifier", email="ada@example.com")
    code = world.code("ada@example.com")["code"]
    assert [one["subject"] for one in world.get("/outbox")["messages"]] == [subject.format(code)]
    [told] = back_end.heard(1)
    assert (told["data"]["language"], told["data"]["accept_language"]) == (language, language)
    assert told["data"]["subject"] == subject.format(code)


def test_a_security_notification_has_a_body_and_the_language_alone(world_of, receiver):
    world = world_of("current", {"mfa": {"enabled": False}, "security_notifications": {"notifications": {"password_update": {"enabled": True}}}})
    back_end = BackEnd(world, receiver)
    back_end.listen("email.send")
    app = App(world, "de")
    to_password(app, "linus@example.com").run("password_login", password="difference engine").done()
    app.flow("profile").run("password_update", password="another engine")
    [told] = [one for one in back_end.heard(1) if one["data"]["type"] == "security_notification"]
    assert told["data"]["subject"] == "Ihr Passwort wurde aktualisiert."
    assert (told["data"]["language"], told["data"]["accept_language"]) == ("de", "")
    assert "<html" in told["data"]["body"] and told["data"]["body_plain"]
    [mail] = world.get("/outbox", to="linus@example.com")["messages"]
    shown = requests.get(f"{world.url}/_understudy/v1/outbox/{mail['id']}/html", timeout=30)
    assert shown.status_code == 200 and "<html" in shown.text


# --- Environment variables

SHOW = 'curl -sS --fail-with-body "$UNDERSTUDY_HANKO_URL/.well-known/config"'


def test_environment_variables_are_laid_over_the_files():
    shown = run("exec", "--", "sh", "-c", SHOW, HANKO_PASSWORD_MIN_LENGTH="12", HANKO_PASSWORD_ENABLED="true",
                HANKO_SERVICE_NAME="Harbour", HANKO_URL="http://unrelated")
    assert shown.returncode == 0, shown
    assert json.loads(shown.stdout)["password"]["min_password_length"] == 12


def test_an_environment_variable_that_does_not_fit_is_told_with_its_member():
    shown = run("exec", "--", "true", HANKO_PASSWORD_ENABLED="perhaps")
    assert shown.returncode == 1 and "hanko.config.password.enabled" in shown.stderr and "environment" in shown.stderr


def test_an_empty_id_in_a_path_of_the_admin_api_is_400(world):
    refused = requests.get(world.url + "/hanko-admin/users//emails", timeout=30)
    assert refused.status_code == 400 and "user_id is a required field" in refused.json()["message"]
