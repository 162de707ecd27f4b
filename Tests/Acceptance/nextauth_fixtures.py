"""What tests of nextAuth have in common: a back end, apps, and the claim that something is refused and the reason told.

Each test has a world of its own, whose clock moves only when the test moves it.
"""

from datetime import datetime

import pytest

from nextauth_device import Device, Refused
from nextauth_server import Backend, new_nonce
from nextauth_stub import SDK

__all__ = ["backend", "enrol", "make_sdk", "refused", "sdk", "world"]

ADA = "ada@example.com"
#: Callbacks of an enrolment, of a login that asks for the PIN, of one that does not.
ENROLLED = ["ConfirmEnrol", "SecondFactor FIRST_SET", "SecondFactor SUCCESS", "SessionLogin"]
ASKED = ["SecondFactor VERIFY", "SecondFactor SUCCESS", "SessionLogin"]
SILENT = ["SessionLogin"]


@pytest.fixture
def world(make_world):
    return make_world(clock="2026-03-02T09:00:00Z", frozen=True)


@pytest.fixture
def backend(world):
    return Backend(world.url + "/nextauth")


@pytest.fixture
def make_sdk(world):
    """Makes an installation of an app that has no account."""
    def make(*arguments, raw=False, **config):
        now = lambda: datetime.fromisoformat(world.get("/clock")["now"]).timestamp()  # noqa: E731
        return SDK(Device(world.url + "/nextauth", raw=raw), now, *arguments, **config)
    return make


@pytest.fixture
def enrol(world, backend, make_sdk):
    """Makes an app with an account, logged in by nothing any more; its nonce is that of the enrolment."""
    def enrol(*arguments, user=ADA, at=backend, rests=61, **config):
        sdk = make_sdk(*arguments, **config)
        sdk.nonce = new_nonce()
        sdk.enrolment = sdk.start_session(at.enrolment_code(sdk.nonce, "Ada", user))
        assert sdk.enrolment["state"] == "DONE"
        sdk.account = sdk.enrolment["account"]["accountid"]
        for session in list(sdk.sessions):
            sdk.stop(session)
        world.advance(rests)
        sdk.take()
        return sdk
    return enrol


@pytest.fixture
def sdk(enrol):
    return enrol()


@pytest.fixture
def refused(world):
    """Claims that a call is refused with this code, and that the journal says why."""
    def refused(code, number, status, call, *arguments, **options):
        with pytest.raises(Refused) as caught:
            call(*arguments, **options)
        assert (caught.value.code, caught.value.number, caught.value.status) == (code, number, status), caught.value
        assert len(world.explanations(status=status)[0]) > 20
    return refused
