"""AppLogin, as the vendor's quick start describes it: no code, no confirmation, silent right after an enrolment, and the PIN
after every logout, however it came about."""

import pytest

from nextauth_device import PIN, Key, signed_text
from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ADA, ASKED, SILENT
from nextauth_server import new_nonce
from nextauth_stub import App


def test_an_app_login(backend, sdk):
    flow = sdk.app_login.start()
    assert sdk.take() == ASKED  # and no ConfirmLogin

    session = flow["session"]
    assert (session["type"], session["applogin"], session["oneshot"], session["pingTime"]) == ("APPLOGIN", True, False, 300)
    assert len(bytes.fromhex(sdk.app_login.web_nonce)) == 16 and sdk.app_login.web_nonce.islower()
    assert sdk.app_login.user_name == "Ada"
    told = backend.session(sdk.app_login.web_nonce)
    assert (told["loggedin"], told["userid"], told["accountid"]) == (True, ADA, sdk.account)
    assert told["hsid"] == session["hsid"]


def test_a_web_nonce_is_there_while_the_login_lasts(backend, sdk):
    flow = sdk.device.start("APPLOGIN")
    assert (flow["state"], flow["session"], sdk.app_login.web_nonce) == ("WAIT_FOR_INPUT", None, None)
    sdk.app_login.start()
    nonce = sdk.app_login.web_nonce
    sdk.app_login.stop()
    assert sdk.take()[-1] == "SessionStop USER"
    assert (sdk.app_login.web_nonce, sdk.app_login.user_name) == (None, None)
    told = backend.session(nonce)
    assert not told["loggedin"] and "userid" not in told
    sdk.app_login.start()
    assert sdk.app_login.web_nonce != nonce and not backend.session(nonce)["loggedin"]


@pytest.mark.parametrize("pin_timeout", [0, 60])
@pytest.mark.parametrize("seconds", [0, 60])
def test_an_app_login_right_after_an_enrolment_is_silent(world, backend, make_sdk, seconds, pin_timeout):
    backend.update(pinTimeout=pin_timeout)
    sdk = make_sdk()
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    world.advance(seconds)
    sdk.take()
    flow = sdk.app_login.start()
    assert sdk.take() == SILENT
    assert flow["interaction"] is None and backend.session(sdk.app_login.web_nonce)["loggedin"]


def test_a_clock_that_stands_still_between_two_milliseconds(world, backend, make_sdk):
    sdk = make_sdk()
    world.control("PUT", "/clock", json={"now": "2026-03-02T09:00:00.005Z"})
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    sdk.take()
    sdk.app_login.start()
    assert sdk.take() == SILENT


def test_an_app_login_a_while_after_an_enrolment_asks(world, backend, make_sdk):
    sdk = make_sdk()
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    world.advance(61)
    sdk.take()
    sdk.app_login.start()
    assert sdk.take() == ASKED


def user_stops(world, backend, sdk):
    sdk.app_login.stop()


def user_is_away(world, backend, sdk):
    world.advance(121)
    sdk.tick()


def app_login_is_old(world, backend, sdk):
    for _ in range(5):
        world.advance(100)
        sdk.activity = sdk.now()
        sdk.tick()
    sdk.listen(0)


def ping_is_missed(world, backend, sdk):
    world.advance(303)
    sdk.listen(0)


def back_end_logs_out(world, backend, sdk):
    backend.log_out(sdk.app_login.web_nonce)
    sdk.listen()


def account_is_blocked(world, backend, sdk):
    backend.block(sdk.account)
    backend.block(sdk.account, False)
    sdk.listen()


ENDINGS = {"USER": user_stops, "INACTIVITY": user_is_away, "APPLOGIN_TIMEOUT": app_login_is_old, "PING_TIMEOUT": ping_is_missed,
           "SERVER_LOGOUT": back_end_logs_out, "ACCOUNT_BLOCKED": account_is_blocked}


@pytest.mark.parametrize("pin_timeout", [-1, 0, 60])
@pytest.mark.parametrize("reason", ENDINGS)
def test_after_every_end_an_app_login_asks(world, backend, make_sdk, reason, pin_timeout):
    backend.update(pinTimeout=pin_timeout)
    sdk = make_sdk(inactivityTimeout=120, appLoginTimeout=450)
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    for session in list(sdk.sessions):
        sdk.stop(session)
    [sdk.account] = sdk.accounts
    sdk.take()
    sdk.app_login.start()
    assert sdk.take() == SILENT
    nonce = sdk.app_login.web_nonce

    ENDINGS[reason](world, backend, sdk)

    assert [one for one in sdk.take() if one != "AccountUpdate"] == ["SessionStop " + reason]
    assert not sdk.app_login.is_logged_in and not backend.session(nonce)["loggedin"]
    [told] = [entry["explanation"] for entry in world.journal() if entry.get("event") == "AppLogin ended"]
    assert f" ended with {reason}. " in told
    sdk.app_login.start()
    assert sdk.take() == ASKED


def test_what_an_app_login_needs(backend, make_sdk, sdk, refused):
    new = make_sdk()
    refused("NO_ACCOUNTS_FOR_SERVER", 34, 404, new.app_login.start)
    refused("SERVER_NOT_FOUND", 35, 404, sdk.app_login.start, "AAAA")
    device = sdk.device
    flow = device.start("APPLOGIN")
    refused("WRONG_STATE", 37, 409, device.confirm_login, flow, sdk.account)
    refused("WRONG_STATE", 37, 409, device.step, flow, "complete", signature=device.signature(flow, sdk.account))
    refused("BAD_REQUEST", 1, 400, device.prove_pin, flow, PIN)  # the account's signature is missing
    backend.block(sdk.account)
    refused("ACCOUNT_BLOCKED", 30, 403, sdk.app_login.start)
    backend.block(sdk.account, False)
    backend.update(pingTime=0)
    refused("CONTINUOUS_AUTH_REQUIRED", 39, 409, sdk.app_login.start)


def test_an_app_login_among_several_accounts(backend, sdk, refused):
    other = backend.new_server(serverName="Other", pingTime=300)
    sdk.start_session(other.enrolment_code(new_nonce(), "Elsewhere", "eve"))
    refused("MULTIPLE_ACCOUNTS", 38, 409, sdk.app_login.start)
    sdk.app_login.start(other.server_id)
    assert other.session(sdk.app_login.web_nonce)["userid"] == "eve"
    assert not backend.session(sdk.app_login.web_nonce)["loggedin"]
    sdk.start_session(other.enrolment_code(new_nonce(), "Third", "tom"))
    refused("MULTIPLE_ACCOUNTS", 38, 409, sdk.app_login.start, other.server_id)


def test_a_silent_app_login_has_to_be_signed(backend, make_sdk, refused):
    sdk = make_sdk()
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    [account] = sdk.accounts
    flow = sdk.device.start("APPLOGIN")
    text = signed_text(flow["flowid"], "APPLOGIN", flow["challenge"], str(account))
    refused("BAD_SIGNATURE", 3, 403, sdk.device.step, flow, "complete", signature=Key().sign(text))
    refused("BAD_REQUEST", 1, 400, sdk.device.step, flow, "complete")
    assert sdk.device.step(flow, "complete", signature=sdk.device.keys[account].sign(text))["state"] == "DONE"


def test_a_second_app_login_takes_the_place_of_the_first(backend, sdk):
    sdk.app_login.start()
    first = sdk.app_login.web_nonce
    sdk.app_login.start()
    assert not backend.session(first)["loggedin"] and backend.session(sdk.app_login.web_nonce)["loggedin"]
    assert [one["webnonce"] for one in sdk.list_sessions()] == [sdk.app_login.web_nonce]


def test_an_app_follows_the_callbacks(backend, make_sdk):
    sdk = make_sdk()
    app = App(sdk)
    app.resume()
    assert app.screen == "onboarding"
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    app.resume()
    assert app.screen == "login"
    sdk.app_login.start()
    assert (app.screen, app.greeting) == ("home", "Ada")
    backend.log_out(sdk.app_login.web_nonce)
    sdk.listen()
    assert (app.screen, app.greeting) == ("login", None)
    sdk.app_login.start()
    backend.delete_account(*sdk.accounts)
    sdk.listen()
    assert (app.screen, app.greeting) == ("onboarding", None)
