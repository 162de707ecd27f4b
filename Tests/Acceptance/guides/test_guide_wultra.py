"""Wultra's guide “Implement Login in Mobile Apps”, from the first step to the last: a clerk at the bank, a phone, and the app's own back
end, with nothing but the program and requests."""

import pytest
import requests

from phones import Refused, new_phone
from powerauth_backend import INTEGRATION

AGENT = {"User-Agent": "Bank/1.0"}


class Bank:
    """A back end of the guide, spoken to by the app; the app's codes and tokens are made by the phone."""

    def __init__(self, world, phone):
        self.base, self.phone, self.session = world.url + "/app", phone, requests.Session()

    def call(self, path, body="", headers=()):
        return self.session.post(self.base + path, data=body, timeout=30,
                                 headers={"Content-Type": "application/json"} | AGENT | dict(headers))

    def is_logged_in(self, answer, user):
        assert answer.status_code == 200, answer.text
        told = self.session.get(self.base + "/me", headers={"Authorization": "Bearer " + answer.json()["session"]}, timeout=30)
        return told.json() == {"userId": user}


@pytest.fixture
def office(world):
    """What the bank's systems ask PowerAuth Cloud, by curl or requests."""
    def ask(method, path, body=None):
        answer = requests.request(method, world.url + "/powerauth-cloud/v2" + path, json=body, auth=INTEGRATION, timeout=30)
        assert answer.status_code == 200, answer.text
        return answer.json()
    return ask


@pytest.fixture
def bank(world, office):
    """Step 1: the user is registered by a QR code, compares the fingerprint, and the clerk commits."""
    phone = new_phone(world, "eva", owner="eva")
    started = office("POST", "/registrations", {"userId": "eva", "appId": "my-app"})
    shown = phone.scan(started["activationQrCodeData"], pin="24680")
    told = office("GET", "/registrations/" + started["registrationId"])
    assert told["activationFingerprint"] == shown["code"]
    office("POST", f"/registrations/{started['registrationId']}/commit", {"externalUserId": "clerk"})
    assert phone.pending() == [] and phone.fact("State") == "ACTIVE"
    return Bank(world, phone)


def test_login_by_an_authentication_code(bank):
    body = '{"user":"eva"}'
    assert bank.is_logged_in(bank.call("/login", body, bank.phone.sign("/login", body)), "eva")
    # Another body than the signed one, a wrong PIN, the same header again.
    assert bank.call("/login", body, bank.phone.sign("/login", "{}")).status_code == 401
    assert bank.call("/login", body, bank.phone.sign("/login", body, **{"with": "wrong-pin"})).status_code == 401
    header = bank.phone.sign("/login", body)
    assert bank.call("/login", body, header).status_code == 200
    assert bank.call("/login", body, header).status_code == 401


def test_login_by_an_operation(bank, office):
    started = bank.call("/login/init", '{"registrationId":"%s"}' % bank.phone.registration)
    operation = started.json()["operationId"]
    assert bank.call("/login/confirm", '{"operationId":"%s"}' % operation).status_code == 403
    assert bank.phone.approve(operation, wait=10)["kind"] == "approved"
    assert bank.is_logged_in(bank.call("/login/confirm", '{"operationId":"%s"}' % operation), "eva")


def test_login_by_an_operation_with_tokens(bank):
    started = bank.call("/login/init", "", bank.phone.sign(token="login"))
    operation = started.json()["operationId"]
    assert bank.phone.approve(operation, wait=10, **{"with": "biometry"})["kind"] == "approved"
    body = '{"operationId":"%s"}' % operation
    assert bank.is_logged_in(bank.call("/login/confirm", body, bank.phone.sign(token="login")), "eva")


def test_a_login_that_the_user_declines(bank):
    operation = bank.call("/login/init", '{"registrationId":"%s"}' % bank.phone.registration).json()["operationId"]
    assert bank.phone.decline(operation)["kind"] == "declined"
    assert bank.call("/login/confirm", '{"operationId":"%s"}' % operation).status_code == 403


def test_a_phone_that_was_stolen(world, bank, office):
    """Five wrong PINs block it, the bank unblocks it, and removes it in the end."""
    operation = bank.call("/login/init", '{"registrationId":"%s"}' % bank.phone.registration).json()["operationId"]
    for left in (4, 3, 2, 1, 0):
        with pytest.raises(Refused) as refused:
            bank.phone.approve(operation, pin="00000")
        assert refused.value.status == 422 and bank.phone.fact("Failed attempts") == str(5 - left)
        operation = bank.call("/login/init", '{"registrationId":"%s"}' % bank.phone.registration).json().get("operationId")
    assert bank.phone.fact("State") == "BLOCKED"
    office("PUT", f"/registrations/{bank.phone.registration}", {"change": "UNBLOCK"})
    assert bank.is_logged_in(bank.call("/login", "{}", bank.phone.sign("/login", "{}")), "eva")
    office("DELETE", f"/registrations/{bank.phone.registration}")
    assert bank.call("/login", "{}", bank.phone.sign("/login", "{}")).status_code == 401
