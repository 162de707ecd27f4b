"""Logins of a browser by nextAuth: the phone scans a code or gets a push, and the page beside it hears by the WebSocket how far
it has come. Transactions go the same way."""

import pytest

from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ADA, ASKED
from nextauth_server import new_nonce
from nextauth_stub import User


def test_a_browser_is_logged_in(backend, sdk):
    nonce = new_nonce()
    assert (backend.session(nonce)["loggedin"], backend.session(nonce)["canprovoke"]) == (False, False)
    with backend.watch(nonce) as page:
        page.hear("LOGOUT")
        sdk.start_session(backend.login_code(nonce))
        page.hear("CONFIRMSCAN", "LOGIN")
        # With one account and a second factor ahead the confirmation is left out.
        assert sdk.take() == ASKED
        told = backend.session(nonce)
        assert (told["loggedin"], told["userid"], told["accountid"], told["canprovoke"]) == (True, ADA, sdk.account, False)
        page.say("LOGOUT")
        page.hear("LOGOUT", "CANPROVOKE")
    assert (backend.session(nonce)["loggedin"], backend.session(nonce)["canprovoke"]) == (False, True)
    sdk.listen()
    assert sdk.take() == ["SessionStop SERVER_LOGOUT"]
    with backend.watch(nonce) as page:
        page.hear("LOGOUT", "CANPROVOKE")


def test_an_app_that_wants_every_confirmation(backend, enrol):
    sdk, nonce = enrol(autoSelectSingleAccount=False), new_nonce()
    sdk.start_session(backend.login_code(nonce))
    assert sdk.take() == ["ConfirmLogin"] + ASKED
    assert backend.session(nonce)["loggedin"]


def test_without_a_second_factor_the_user_confirms(backend, sdk):
    backend.update(pinTimeout=-1)
    context = {"sessioninfo": {"ip": "192.0.2.1", "info": {"place": "Cambridge"}},
               "announceinfo": {"useragent": "Lynx", "info": {"wish": "log in"}}}
    nonce = new_nonce()
    code = backend.login_code(nonce, context)
    interaction = sdk.device.start("LOGIN", data=code.decode())["interaction"]
    assert interaction["type"] == "CONFIRM" and [one["accountid"] for one in interaction["accounts"]] == [sdk.account]
    assert interaction["announceinfo"]["info"] == {"wish": "log in"}
    assert interaction["sessioninfo"]["info"] == {"place": "Cambridge"}
    sdk.start_session(code)
    assert sdk.take() == ["ConfirmLogin", "SessionLogin"] and backend.session(nonce)["loggedin"]


def test_the_user_chooses_among_accounts(backend, sdk):
    sdk.start_session(backend.enrolment_code(new_nonce(), "Work", "ada@work.test"))
    sdk.take()
    for number, user in enumerate([ADA, "ada@work.test"]):
        nonce, sdk.user.account = new_nonce(), number
        sdk.start_session(backend.login_code(nonce))
        assert sdk.take() == ["ConfirmLogin"] + ASKED
        assert backend.session(nonce)["userid"] == user


def test_an_app_without_an_account_for_the_server(backend, make_sdk, sdk, refused):
    nonce, other = new_nonce(), backend.new_server(serverName="Other", pingTime=0)
    with other.watch(nonce) as page:
        for app in (sdk, make_sdk()):
            refused("NO_ACCOUNTS_FOR_SERVER", 34, 404, app.start_session, other.login_code(nonce))
            assert app.take() == ["UserErrorMessage 34"]
        page.hear("LOGOUT", "NOACCOUNTS", "NOACCOUNTS")


@pytest.mark.parametrize("where", ["ConfirmLogin", "SecondFactor VERIFY"])
def test_a_login_that_the_user_declines(backend, enrol, where):
    sdk, nonce = enrol(autoSelectSingleAccount=where != "ConfirmLogin"), new_nonce()
    sdk.user = User(confirms=False) if where == "ConfirmLogin" else User(None)
    with backend.watch(nonce) as page:
        assert sdk.start_session(backend.login_code(nonce))["state"] == "ERROR"
        page.hear("LOGOUT", "CONFIRMSCAN", "CANCEL")
    assert sdk.take() == [where] + (["SecondFactor CANCELLED"] if where != "ConfirmLogin" else [])
    assert not backend.session(nonce)["loggedin"]


def test_one_shot_logins(world, backend, sdk):
    backend.update(pingTime=0)
    nonce = new_nonce()
    session = sdk.start_session(backend.login_code(nonce))["session"]
    assert (session["oneshot"], session["pingTime"]) == (True, 0)
    world.advance(86_400)
    assert backend.session(nonce)["loggedin"] and sdk.list_sessions() == []
    backend.log_out(nonce)
    assert not backend.session(nonce)["loggedin"]


def test_pin_timeout_is_in_minutes(world, backend, enrol):
    backend.update(pinTimeout=5)
    sdk = enrol()

    def log_in():
        sdk.take()
        sdk.start_session(backend.login_code(new_nonce()))
        return sdk.take()

    world.advance(5 * 60 - 61)
    assert log_in() == ["ConfirmLogin", "SessionLogin"]
    world.advance(1)
    assert log_in() == ASKED
    world.advance(5 * 60)
    assert log_in() == ["ConfirmLogin", "SessionLogin"]
    assert sdk.device.factor["cacheduntil"] == int(sdk.now())


def test_an_app_that_wants_an_app_login_first(backend, enrol):
    backend.update(pinTimeout=60)
    sdk = enrol(alwaysRequireSecondFactorIfInactiveAppLogin=True)
    sdk.start_session(backend.login_code(new_nonce()))
    assert sdk.take() == ASKED
    sdk.app_login.start()
    sdk.take()
    sdk.start_session(backend.login_code(new_nonce()))
    assert sdk.take() == ["ConfirmLogin", "SessionLogin"]


def test_a_login_is_pushed(backend, sdk):
    nonce = new_nonce()
    assert backend.call("POST", "/sessions/provokelogin", nonce).status_code == 403
    sdk.start_session(backend.login_code(nonce))
    assert backend.call("POST", "/sessions/provokelogin", nonce).status_code == 403  # logged in
    backend.log_out(nonce)
    sdk.listen()
    sdk.take()
    with backend.watch(nonce) as page:
        page.hear("LOGOUT", "CANPROVOKE")
        backend.provoke(nonce, {"announceinfo": {"ip": "192.0.2.7", "info": {}}})
        [message] = sdk.device.messages()
        assert (message["type"], message["accountid"], message["announceinfo"]["ip"]) == ("LOGIN", sdk.account, "192.0.2.7")
        assert message["expires"] - message["created"] == 600
        sdk.listen()
        page.hear("CONFIRMPROVOKE", "LOGIN")
    assert sdk.take() == ASKED and backend.session(nonce)["loggedin"]
    assert sdk.device.messages() == []


def test_a_page_asks_for_the_push_and_the_user_declines(backend, sdk):
    nonce = new_nonce()
    sdk.start_session(backend.login_code(nonce))
    backend.log_out(nonce)
    sdk.listen()
    sdk.user = User(None)
    with backend.watch(nonce) as page:
        page.hear("LOGOUT", "CANPROVOKE")
        page.say("NONSENSE")
        page.say("PROVOKE")
        sdk.listen()
        page.hear("CONFIRMPROVOKE", "CANCEL")
    assert not backend.session(nonce)["loggedin"]


def test_a_message_that_is_read_is_gone(world, backend, sdk, refused):
    nonce = new_nonce()
    backend.ask("POST", f"/accounts/{sdk.account}/provokelogin", nonce)
    [message] = sdk.device.messages()
    with backend.watch(nonce) as page:
        page.hear("LOGOUT")
        for _ in range(2):
            assert sdk.device.call("POST", f"/messages/{message['messageid']}/read") == message
        page.hear("CONFIRMPROVOKE")
        assert sdk.device.messages() == []
        sdk.run("LOGIN", messageid=message["messageid"])
        # The phone has read it once.
        page.hear("LOGIN")
    refused("MESSAGE_NOT_FOUND", 43, 404, sdk.run, "LOGIN", messageid=message["messageid"])
    backend.ask("POST", f"/accounts/{sdk.account}/provokelogin", new_nonce())
    [message] = sdk.device.messages()
    world.advance(600)
    assert sdk.device.messages() == []
    refused("MESSAGE_NOT_FOUND", 43, 404, sdk.run, "LOGIN", messageid=message["messageid"])


# Transactions.

LUNCH = {"amount": "12.50 EUR", "benificiary": "Bob & Söhne", "description": "Lunch"}


@pytest.mark.parametrize("approves, outcome", [(True, "1"), (False, "2")])
def test_a_transaction(backend, enrol, approves, outcome):
    backend.update(pinTimeout=60)
    sdk, nonce = enrol(), new_nonce()
    sdk.start_session(backend.login_code(nonce))
    sdk.take()
    transaction = backend.transaction(nonce, **LUNCH)
    assert backend.outcome(transaction) == "0"
    [message] = sdk.device.messages()
    assert message["type"] == "TRANSACTION"

    sdk.user = User(confirms=approves)
    sdk.listen()

    assert sdk.shown["type"] == "CONFIRM_TRANSACTION" and sdk.shown["transaction"].items() >= LUNCH.items()

    # Never from the cache.
    assert sdk.take() == ["ConfirmTransaction"] + (ASKED[:2] if approves else [])
    assert backend.outcome(transaction) == outcome
    assert backend.session(nonce)["loggedin"]


def test_a_transaction_without_a_second_factor(backend, sdk):
    backend.update(pinTransTimeout=-1)
    nonce = new_nonce()
    sdk.start_session(backend.login_code(nonce))
    sdk.take()
    transaction = backend.transaction(nonce, **LUNCH)
    sdk.pull()
    assert sdk.take() == ["ConfirmTransaction"] and backend.outcome(transaction) == "1"


def test_transactions_that_are_none(backend, sdk, refused):
    assert backend.call("POST", "/sessions/transactions", new_nonce(), LUNCH).status_code == 403
    assert backend.call("GET", "/transactions/AAAA").status_code == 404
    nonce = new_nonce()
    sdk.start_session(backend.login_code(nonce))
    transaction = backend.transaction(nonce, **LUNCH)
    [message] = sdk.device.messages()
    flow = sdk.device.start("TRANSACTION", messageid=message["messageid"])
    # The signature is over the decision.
    refused("BAD_SIGNATURE", 3, 403, sdk.device.step, flow, "confirm", approve=True,
            signature=sdk.device.signature(flow, sdk.account, approve="0"))
    assert backend.outcome(transaction) == "0"
    sdk.run("TRANSACTION", messageid=message["messageid"])
    refused("WRONG_STATE", 37, 409, sdk.device.decide, flow, sdk.account, False)
    assert backend.outcome(transaction) == "1"
