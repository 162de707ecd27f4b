"""What nextAuth has acknowledged outlives kills, exports and haste: an AppLogin goes on, a wrong PIN stays counted, and of many
who want the same only one gets it."""

import time
from concurrent.futures import ThreadPoolExecutor

import requests

from nextauth_device import PIN, Device, Refused
from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ADA, ASKED
from nextauth_server import Backend, new_nonce
from nextauth_stub import SDK


def at_once(*calls):
    """What they give or raise, made at the same moment."""
    def outcome(call):
        try:
            return call()
        except Refused as refusal:
            return refusal
    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(outcome, calls))


def test_an_app_login_survives_a_kill(start, tmp_path):
    server = start("--data", tmp_path / "data")
    base = server.default_world.url + "/nextauth"
    sdk = SDK(Device(base), time.time)
    sdk.start_session(Backend(base).enrolment_code(new_nonce(), "Ada", ADA))
    [account] = sdk.accounts
    sdk.app_login.start()
    sdk.device.prove_pin(sdk.device.start("LOGIN", data=Backend(base).login_code(new_nonce()).decode()), "wrong", account)
    nonce, session = sdk.app_login.web_nonce, sdk.app_login.session["sessionid"]
    heard = sdk.device.events()
    server.kill()

    server.start()
    base = server.default_world.url + "/nextauth"
    sdk.device.base = base + "/device/v1"
    assert Backend(base).session(nonce)["loggedin"]
    assert sdk.device.ping(session)["state"] == "ACTIVE"
    assert sdk.device.events() == heard and sdk.device.factor["triesleft"] == 4
    server.default_world.advance(303)
    assert not Backend(base).session(nonce)["loggedin"]
    sdk.listen()
    assert sdk.take()[-1] == "SessionStop PING_TIMEOUT"


def test_an_app_login_goes_with_the_fixtures(world, backend, sdk, make_world):
    sdk.app_login.start()
    sdk.device.prove_pin(sdk.device.start("LOGIN", data=backend.login_code(new_nonce()).decode()), "wrong", sdk.account)
    nonce = sdk.app_login.web_nonce

    copy = make_world(fixtures=world.get("/fixtures"), frozen=True, clock=world.get("/clock")["now"])

    sdk.device.base = copy.url + "/nextauth/device/v1"
    there = Backend(copy.url + "/nextauth")
    assert there.session(nonce)["loggedin"] and sdk.device.factor["triesleft"] == 4
    sdk.tick()
    there.log_out(nonce)
    assert backend.session(nonce)["loggedin"] and not there.session(nonce)["loggedin"]
    sdk.listen()
    sdk.take()
    sdk.app_login.start()
    assert sdk.take() == ASKED
    assert copy.get("/fixtures")["nextauth"]["servers"] == world.get("/fixtures")["nextauth"]["servers"]


def test_wrong_pins_at_once_are_counted_each(backend, sdk):
    flows = [sdk.device.start("LOGIN", data=backend.login_code(new_nonce()).decode()) for _ in range(10)]
    outcomes = at_once(*[lambda flow=flow: sdk.device.prove_pin(flow, "wrong", sdk.account) for flow in flows])

    told = sorted(one.code if isinstance(one, Refused) else f"{one['interaction']['triesleft']} left" for one in outcomes)
    assert told == ["0 left", "1 left", "2 left", "3 left", "4 left"] + 5 * ["SECOND_FACTOR_BLOCKED"]
    assert sdk.device.factor["pin"] == "BLOCKED"


def test_a_flow_is_completed_once(backend, make_sdk):
    sdk = make_sdk()
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    [account] = sdk.accounts
    flow = sdk.device.start("APPLOGIN")
    signature = sdk.device.signature(flow, account)
    outcomes = at_once(*8 * [lambda: sdk.device.step(flow, "complete", signature=signature)])
    assert sorted(one.code if isinstance(one, Refused) else one["state"] for one in outcomes) == ["DONE"] + 7 * ["WRONG_STATE"]


def test_of_many_phones_one_gets_the_account(backend, make_sdk):
    code = backend.enrolment_code(new_nonce(), "Ada", ADA).decode()
    phones = [make_sdk().device for _ in range(6)]
    flows = [phone.confirm_enrolment(phone.start("ENROL", data=code)) for phone in phones]
    outcomes = at_once(*[lambda phone=phone, flow=flow: phone.set_pin(flow, PIN) for phone, flow in zip(phones, flows)])
    assert sorted(one.code if isinstance(one, Refused) else one["state"] for one in outcomes) == 5 * ["CODE_USED"] + ["DONE"]
    assert len(backend.accounts()) == 1
    # Who came too late has no PIN either.
    assert sorted(phone.factor["pin"] for phone in phones) == ["SET"] + 5 * ["UNSET"]


def test_a_transaction_is_decided_once(backend, sdk):
    nonce = new_nonce()
    sdk.start_session(backend.login_code(nonce))
    transaction = backend.transaction(nonce, amount="1")
    [message] = sdk.device.messages()
    flows = [sdk.device.start("TRANSACTION", messageid=message["messageid"]) for _ in range(6)]
    outcomes = at_once(*[lambda flow=flow: sdk.device.decide(flow, sdk.account, False) for flow in flows])
    assert sorted(one.code if isinstance(one, Refused) else one["state"] for one in outcomes) == ["DONE"] + 5 * ["WRONG_STATE"]
    assert backend.outcome(transaction) == "2"


def test_a_nonce_is_traded_by_many_at_once_while_its_app_login_lives(world, sdk):
    sdk.app_login.start()
    form = {"grant_type": "urn:understudy:webnonce", "webnonce": sdk.app_login.web_nonce}
    answers = at_once(*8 * [lambda: requests.post(world.url + "/app/nextauth/token", data=form, timeout=30)])
    assert [answer.status_code for answer in answers] == 8 * [200]
    assert len({answer.json()["access_token"] for answer in answers}) == 8
    sdk.app_login.stop()
    answers = at_once(*8 * [lambda: requests.post(world.url + "/app/nextauth/token", data=form, timeout=30).status_code])
    assert answers == 8 * [400]


def test_every_listener_hears_everything(backend, sdk):
    def listen():
        heard, last = [], 0
        while len(heard) < 20:
            told = sdk.device.events(last, 10)
            heard += [event["seq"] for event in told["events"]]
            last = heard[-1]
        return heard

    def change():
        for number in range(20):
            backend.update(pinTimeout=number)

    *heard, _ = at_once(*4 * [listen], change)
    assert heard == 4 * [list(range(1, 21))]
