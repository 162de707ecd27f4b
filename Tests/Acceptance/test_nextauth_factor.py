"""PIN and biometrics of nextAuth: right, wrong, once too often, changed."""

import pytest

from nextauth_device import PIN, Key, unb64url
from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ASKED
from nextauth_server import new_nonce
from nextauth_stub import User


def test_five_wrong_pins(world, sdk, refused):
    sdk.user = User("1", "2", "3", "4", "5")
    flow = sdk.app_login.start()
    assert sdk.take() == ["SecondFactor VERIFY"] + 4 * ["SecondFactor WRONG"] + ["SecondFactor BLOCKED"]
    assert (flow["state"], flow["error"]["code"], flow["error"]["number"]) == ("ERROR", "SECOND_FACTOR_BLOCKED", 41)
    assert flow["interaction"]["triesleft"] == 0 and sdk.device.factor["pin"] == "BLOCKED"
    sdk.user = User()
    refused("SECOND_FACTOR_BLOCKED", 41, 423, sdk.app_login.start)
    world.advance(86_400)
    refused("SECOND_FACTOR_BLOCKED", 41, 423, sdk.app_login.start)
    refused("SECOND_FACTOR_BLOCKED", 41, 423, sdk.device.change_pin, PIN, "2468")


def test_a_blocked_pin_is_unlocked_by_hand(world, sdk):
    sdk.user = User("wrong")
    sdk.app_login.start()
    assert sdk.device.factor["pin"] == "BLOCKED"
    assert world.control("POST", f"/records/nextauth/device:{sdk.device.id}/unlock", json={}).status_code < 300
    sdk.user = User()
    sdk.take()
    sdk.app_login.start()
    assert sdk.take() == ASKED


def test_a_right_pin_resets_the_counter(sdk):
    for _ in range(3):
        sdk.user = User("1", "2", "3", "4", PIN)
        assert sdk.app_login.start()["state"] == "DONE"
        assert sdk.take() == ["SecondFactor VERIFY"] + 4 * ["SecondFactor WRONG"] + ASKED[1:]
        assert sdk.device.factor["triesleft"] == 5
        sdk.app_login.stop()
        sdk.take()


def test_tries_are_counted_over_flows(sdk):
    sdk.user = User("1", "2", None)
    sdk.app_login.start()
    assert sdk.take()[-1] == "SecondFactor CANCELLED" and sdk.device.factor["triesleft"] == 3
    flow = sdk.device.start("APPLOGIN")
    assert flow["interaction"]["triesleft"] == 3
    flow = sdk.device.prove_pin(flow, "3", sdk.account)
    assert (flow["interaction"]["result"], flow["interaction"]["triesleft"], flow["state"]) == ("WRONG", 2, "WAIT_FOR_INPUT")


def test_a_wrong_try_brings_a_new_challenge(sdk):
    device, flow = sdk.device, sdk.device.start("APPLOGIN")
    again = device.prove_pin(flow, "0", sdk.account)
    assert again["challenge"] != flow["challenge"] and len(unb64url(again["challenge"])) == 32
    assert device.prove_pin(flow, PIN, sdk.account)["interaction"]["result"] == "WRONG"
    last = device.flow(flow)
    assert device.prove_pin(last, PIN, sdk.account)["state"] == "DONE"


def test_a_proof_of_another_phone(backend, sdk, enrol):
    other, flow = enrol(user="eve"), sdk.device.start("APPLOGIN")
    proof = other.device.pin_proof(PIN, flow["challenge"])
    answer = sdk.device.step(flow, "secondfactor", pinproof=proof, signature=sdk.device.signature(flow, sdk.account))
    assert answer["interaction"]["result"] == "WRONG"


@pytest.mark.parametrize("kind", ["APPLOGIN", "LOGIN", "TRANSACTION"])
def test_biometrics_stand_in_for_the_pin(backend, enrol, kind):
    sdk = enrol(User(biometric=True))
    assert sdk.device.factor["biometric"] is True
    if kind == "APPLOGIN":
        sdk.app_login.start()
    else:
        nonce = new_nonce()
        sdk.start_session(backend.login_code(nonce))
    if kind == "TRANSACTION":
        transaction = backend.transaction(nonce, amount="1")
        sdk.take()
        sdk.listen()
        assert backend.outcome(transaction) == "1"
        assert sdk.take() == ["ConfirmTransaction"] + ASKED[:2]
    else:
        assert sdk.take() == ASKED


def test_biometrics_of_another_key(enrol, refused):
    sdk = enrol(User(biometric=True))
    sdk.device.biometry = Key()
    refused("BAD_SIGNATURE", 3, 403, sdk.app_login.start)
    assert sdk.device.factor["triesleft"] == 5


@pytest.mark.parametrize("blocks", [False, True])
def test_biometrics_while_the_pin_is_blocked(enrol, refused, blocks):
    sdk = enrol(User(biometric=True), blockSecondFactorOnPINBlocked=blocks)
    sdk.user = User("wrong")
    assert sdk.app_login.start()["state"] == "ERROR"
    sdk.user = User(biometric=True)
    sdk.take()
    if blocks:
        refused("SECOND_FACTOR_BLOCKED", 41, 423, sdk.app_login.start)
    else:
        assert sdk.device.start("APPLOGIN")["interaction"]["allowed"] == ["BIOMETRIC"]
        sdk.app_login.start()
        assert sdk.take() == ASKED


@pytest.mark.parametrize("by", ["PIN", "biometrics"])
def test_the_pin_is_changed(enrol, by):
    sdk = enrol(User(biometric=True))
    assert sdk.device.change_pin(PIN if by == "PIN" else None, "2468")["secondfactor"]["pin"] == "SET"
    sdk.user = User(PIN, "2468")
    sdk.app_login.start()
    assert sdk.take() == ["SecondFactor VERIFY", "SecondFactor WRONG"] + ASKED[1:]


def test_a_change_of_the_pin_that_is_refused(make_sdk, sdk, refused):
    device = sdk.device
    refused("BAD_SIGNATURE", 3, 403, device.change_pin, "wrong", "2468")
    assert device.factor["triesleft"] == 4
    refused("WRONG_STATE", 37, 409, make_sdk().device.change_pin, PIN, "2468")  # no PIN yet
    challenge = device.challenge()
    order = {"oldproof": device.pin_proof(PIN, challenge), "pinkey": device.pin_proof("any 32 bytes", challenge),
             "challenge": challenge}
    device.challenge()
    refused("WRONG_STATE", 37, 409, device.call, "POST", "/instance/pin", order)  # a newer one was given
    sdk.app_login.start()
    assert sdk.take() == ASKED
