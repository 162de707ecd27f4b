"""The API of PowerAuth Cloud before version 2: a user has one device. Wultra's published demo portal speaks nothing else."""

import pytest

from powerauth_answers import Refused
from powerauth_device import Device


@pytest.fixture
def new_phone(enrollment, configuration):
    return lambda: Device(enrollment, configuration)


@pytest.fixture
def portal(backend):
    """What the demo portal asks, as it asks it."""
    class Portal:
        def register(self, user):
            return backend.ask("POST", "/registration", {"userId": user})["activationQrCodeData"]

        def registration(self, user):
            return backend.ask("GET", "/registration", userId=user)

        def commit(self, user):
            backend.tell("POST", "/registration/commit", {"userId": user, "externalUserId": "clerk"})

        def operate(self, user, template, **parameters):
            return backend.ask("POST", "/operations", {
                "userId": user, "template": template, "language": "en", "externalId": None, "parameters": parameters})

        def operation(self, identifier):
            return backend.ask("GET", "/operations", operationId=identifier)

    return Portal()


def test_a_user_gets_a_device_and_another_one(portal, new_phone):
    assert portal.registration("eva") == {"registration": "NONE"}
    code = portal.register("eva")
    created = portal.registration("eva")
    assert created["registration"] == "CREATED" and "registrationStatus" not in created
    assert created["activationQrCodeData"].split("#")[0] == code.split("#")[0]
    phone = new_phone()
    phone.activate(code)
    pending = portal.registration("eva")
    assert (pending["registration"], pending["activationFingerprint"]) == ("PENDING_COMMIT", phone.fingerprint)
    assert (pending["name"], pending["platform"]) == ("Test phone", "ios")
    portal.commit("eva")
    assert portal.registration("eva")["registration"] == "ACTIVE"
    phone.validate()

    other = new_phone()
    other.activate(portal.register("eva"))
    portal.commit("eva")
    other.validate()
    assert phone.status().state == "REMOVED"


def test_a_device_is_blocked_and_removed(backend, portal, new_phone):
    phone = new_phone()
    phone.activate(portal.register("eva"))
    portal.commit("eva")
    backend.tell("PUT", "/registration", {"userId": "eva", "change": "BLOCK", "blockedReason": "LOST"})
    told = portal.registration("eva")
    assert (told["registration"], told["blockedReason"]) == ("BLOCKED", "LOST")
    backend.tell("PUT", "/registration", {"userId": "eva", "change": "UNBLOCK"})
    phone.validate()
    backend.tell("DELETE", "/registration", userId="eva")
    assert portal.registration("eva") == {"registration": "NONE"}
    for method, path, body in (("PUT", "/registration", {"userId": "eva", "change": "BLOCK"}),
                               ("POST", "/registration/commit", {"userId": "eva"})):
        with pytest.raises(Refused, match="ERROR_REGISTRATION_NOT_FOUND"):
            backend.tell(method, path, body)
    with pytest.raises(Refused, match="ERROR_REQUEST"):
        portal.register("")


def test_an_operation_is_asked_for_by_its_id(backend, portal, make_mobile):
    mobile = make_mobile("eva")
    started = portal.operate("eva", "payment", amount="10", currency="EUR", account="CZ65")
    identifier = started["operationId"]
    assert (started["status"], started["userId"], started["operationType"]) == ("PENDING", "eva", "payment")
    assert portal.operation(identifier)["parameters"] == {"amount": "10", "currency": "EUR", "account": "CZ65"}
    assert backend.ask("GET", "/operations/offline/qr", operationId=identifier)["operationQrCodeData"].startswith(identifier)
    mobile.authorize(mobile.operation(identifier))
    assert portal.operation(identifier)["status"] == "APPROVED"

    other = portal.operate("eva", "login")["operationId"]
    backend.tell("DELETE", "/operations", operationId=other)
    assert portal.operation(other)["status"] == "CANCELED"
    with pytest.raises(Refused, match="ERROR_OPERATION_NOT_FOUND"):
        portal.operation("0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0")
