"""What installations of an app with nextAuth signed is signed again over the challenges of the world: recordings of an independent device agree
with a fresh world of other chance, and differences that are put into them are found."""

import pytest

from compare_recordings import Changed, recording, whole
from hanko_flow import now_of
from nextauth_device import Device, Key, Refused
from nextauth_server import Backend, new_nonce
from nextauth_stub import SDK, User

ADA = "ada@example.com"


@pytest.fixture
def still(make_world):
    return make_world(clock="2026-03-02T09:00:00Z", frozen=True)


@pytest.fixture
def portal(still):
    return Backend(still.url + "/nextauth")


@pytest.fixture
def make_sdk(still):
    return lambda *user, raw=False, **config: SDK(
        Device(still.url + "/nextauth", raw=raw), lambda: now_of(still), *user, **config)


def enrol(sdk, portal):
    assert sdk.start_session(portal.enrolment_code(new_nonce(), "Ada", ADA))["state"] == "DONE"
    [account] = sdk.accounts
    return account


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("biometric", [False, True])
def test_the_life_of_an_account(still, portal, make_sdk, compare, raw, biometric):
    sdk = make_sdk(User(biometric=biometric), raw=raw)
    enrol(sdk, portal)
    still.advance(61)
    nonce = new_nonce()
    assert sdk.start_session(portal.login_code(nonce))["state"] == "DONE"
    assert portal.session(nonce)["loggedin"] is True
    assert sdk.app_login.start()["state"] == "DONE"
    transaction = portal.transaction(nonce, amount="10.00", description="Ten crowns")
    sdk.pull()
    assert portal.outcome(transaction) == "1"
    sdk.user.confirms = False
    transaction = portal.transaction(nonce, amount="20.00", description="Twenty crowns")
    sdk.pull()
    assert portal.outcome(transaction) == "2"
    [account] = sdk.accounts
    sdk.delete_account(account)
    portal.accounts()

    assert whole(compare.report(recording(still)), "nextauth")["agree"] >= 12


def test_wrong_and_new_pins(still, portal, make_sdk, compare):
    sdk = make_sdk()
    enrol(sdk, portal)
    still.advance(61)
    sdk.user.pins = ["00000", "13524"]
    assert sdk.start_session(portal.login_code(new_nonce()))["state"] == "DONE"
    assert "SecondFactor WRONG" in sdk.trace
    sdk.device.change_pin("13524", "97531")
    still.advance(61)
    sdk.user.pins = ["97531"]
    assert sdk.start_session(portal.login_code(new_nonce()))["state"] == "DONE"

    whole(compare.report(recording(still)), "nextauth")


def test_a_signature_that_does_not_hold(still, portal, make_sdk, compare):
    sdk = make_sdk()
    account = enrol(sdk, portal)
    sdk.device.keys[account] = Key()
    with pytest.raises(Refused) as refused:
        sdk.device.delete_account(account)
    assert refused.value.code == "BAD_SIGNATURE"

    whole(compare.report(recording(still)), "nextauth")


DIFFERENCES = {
    "another status": (lambda har: har.answer("/secondfactor").update(status=202), "status", "status"),
    "another word": (lambda har: har.body("/secondfactor", lambda body: body | {"type": "JOIN"}), "word", "body type"),
    "a member less": (
        lambda har: har.body("/secondfactor", lambda body: {name: body[name] for name in body if name != "account"}),
        "more", "body account"),
}


@pytest.mark.parametrize("what", DIFFERENCES)
def test_a_difference_is_told_once(still, portal, make_sdk, compare, what):
    enrol(make_sdk(), portal)
    change, kind, place = DIFFERENCES[what]
    har = Changed(recording(still))
    change(har)
    found = compare.differences(har.har)
    assert [(one[1], one[2]) for one in found] == [(kind, place)], found
