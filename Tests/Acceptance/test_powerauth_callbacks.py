"""What PowerAuth tells a back end by itself: who is told what, with which headers, and how often."""

import json
import uuid

import pytest

from powerauth_mobile_token import MobileToken
from understudy import until

OPERATIONS, REGISTRATIONS = "OPERATION_STATUS_CHANGE", "REGISTRATION_STATUS_CHANGE"


@pytest.fixture
def listen(backend, application, receiver):
    """Has callbacks of a kind sent to the receiver; what configures them."""
    def listen(kind, path="/hook", **more):
        made = backend.create_callback(application, kind, receiver.url + path, **more)
        assert made["id"] and (made["name"], made["type"], made["callbackUrl"]) == ("Test", kind, receiver.url + path)
        return made

    return listen


def heard(receiver, count, path="/hook"):
    """The bodies of so many callbacks."""
    return [json.loads(one["body"]) for one in receiver.wait(path, count=count)]


def test_the_life_of_an_operation_is_told(backend, refused, make_phone, receiver, listen):
    listen(OPERATIONS, attributes=["status", "userId", "failureCount", "timestampFinalized", "operationType", "additionalData"])
    phone = make_phone()
    mobile = MobileToken(phone)
    identifier = backend.start("login", userId="eva")["operationId"]
    with refused(401, "POWERAUTH_AUTH_FAIL"):
        mobile.authorize(mobile.operation(identifier), "00000")
    mobile.authorize(mobile.operation(identifier))

    told = heard(receiver, 3)

    assert {one["type"] for one in told} == {"OPERATION"} and {one["operationId"] for one in told} == {identifier}
    assert sorted((one["status"], one["failureCount"]) for one in told) == [("APPROVED", 1), ("PENDING", 0), ("PENDING", 1)]
    assert {one["userId"] for one in told} == {"eva"} and {one["operationType"] for one in told} == {"login"}
    [last] = [one for one in told if one["status"] == "APPROVED"]
    assert last["timestampFinalized"] == backend.operation(identifier)["timestampFinalized"]
    assert last["additionalData"]["device"]["os"] == "iOS" and last["additionalData"]["authFactor"] == "possession_knowledge"
    # What was asked for is there, even without a value.
    [first] = [one for one in told if (one["status"], one["failureCount"]) == ("PENDING", 0)]
    assert first["timestampFinalized"] is None


def test_only_what_was_asked_for_is_told(backend, application, receiver, listen):
    listen(OPERATIONS)
    listen(OPERATIONS, "/more", attributes=["parameters", "data", "maxFailureCount", "applications", "externalId"])
    identifier = backend.start("login", userId="eva", parameters={"session.id": "7"})["operationId"]

    assert heard(receiver, 1) == [{"type": "OPERATION", "operationId": identifier}]
    [told] = heard(receiver, 1, "/more")
    assert application in told.pop("applications")
    assert told == {"type": "OPERATION", "operationId": identifier, "parameters": {"session.id": "7"}, "data": "A2",
                    "maxFailureCount": 5, "externalId": None}


def test_the_ends_of_operations_are_told(world, backend, make_phone, receiver, listen):
    listen(OPERATIONS, attributes=["status"])
    mobile = MobileToken(make_phone())
    rejected, cancelled, expired = (backend.start("login", userId="eva")["operationId"] for _ in range(3))
    mobile.reject(rejected)
    backend.cancel(cancelled)
    heard(receiver, 5)
    world.advance(301)
    # Reading reports the end; whoever reads often must not be told of it often.
    for _ in range(3):
        assert backend.operation(expired)["status"] == "EXPIRED"

    told = until(lambda: [one for one in heard(receiver, 5) if one["status"] == "EXPIRED"], "the callback of the expiry")

    assert [one["operationId"] for one in told] == [expired]
    ends = sorted((one["operationId"], one["status"]) for one in heard(receiver, 6) if one["status"] != "PENDING")
    assert ends == sorted([(rejected, "REJECTED"), (cancelled, "CANCELED"), (expired, "EXPIRED")])


def test_the_life_of_a_registration_is_told(backend, make_phone, receiver, listen):
    listen(REGISTRATIONS, attributes=["activationStatus", "blockedReason", "userId", "platform", "applicationId"])
    phone = make_phone()
    backend.block(phone.activation_id, "LOST")
    backend.block(phone.activation_id, "LOST")
    backend.unblock(phone.activation_id)
    backend.unblock(phone.activation_id)
    for _ in range(5):
        backend.verify(phone.authorization("POST", "/x", pin="00000"), "POST", "/x")
    backend.remove(phone.activation_id)

    told = heard(receiver, 7)

    assert {one["type"] for one in told} == {"ACTIVATION"} and {one["activationId"] for one in told} == {phone.activation_id}
    states = sorted((one["activationStatus"], one["blockedReason"] or "") for one in told)
    assert states == sorted([("CREATED", ""), ("PENDING_COMMIT", ""), ("ACTIVE", ""), ("BLOCKED", "LOST"), ("ACTIVE", ""),
                             ("BLOCKED", "MAX_FAILED_ATTEMPTS"), ("REMOVED", "")])
    assert {one["userId"] for one in told} == {"eva"}


@pytest.mark.parametrize("exchanged", [False, True])
def test_the_end_of_an_unfinished_registration_is_told(world, backend, application, make_phone, receiver, listen, exchanged):
    listen(REGISTRATIONS, attributes=["activationStatus"])
    if exchanged:
        identifier = make_phone(commit=False).activation_id
    else:
        identifier = backend.register("eva", application)["registrationId"]
    states = ["CREATED", "PENDING_COMMIT", "REMOVED"] if exchanged else ["CREATED", "REMOVED"]
    heard(receiver, len(states) - 1)
    world.advance(301)
    for _ in range(3):
        assert backend.state(identifier) == "REMOVED"

    told = heard(receiver, len(states))

    assert sorted(one["activationStatus"] for one in told) == sorted(states)
    assert {one["activationId"] for one in told} == {identifier}


def test_who_calls_says_who_it_is_and_which_event_it_is(backend, receiver, listen):
    listen(OPERATIONS, authentication={"httpBasic": {"enabled": True, "username": "hook", "password": "s3cret"}})
    for _ in range(2):
        backend.start("login", userId="eva")

    first, second = receiver.wait("/hook", count=2)

    for one in (first, second):
        assert one["headers"]["Authorization"] == "Basic aG9vazpzM2NyZXQ="
        assert one["headers"]["Content-Type"].startswith("application/json")
    keys = {str(uuid.UUID(one["headers"]["Idempotency-Key"])) for one in (first, second)}
    assert len(keys) == 2


def test_what_fails_is_tried_again_as_often_as_was_ordered(backend, receiver, listen):
    receiver.failures["/hook"] = [500, 404]
    listen(OPERATIONS, maxAttempts=3, initialBackoff="PT0.01S")
    backend.start("login", userId="eva")

    tried = receiver.wait("/hook", count=3)

    assert len({one["headers"]["Idempotency-Key"] for one in tried}) == 1 and len({one["body"] for one in tried}) == 1


def test_what_fails_is_tried_once_if_nothing_else_was_ordered(world, backend, receiver, listen):
    receiver.failures["/hook"] = [500]
    listen(OPERATIONS)
    backend.start("login", userId="eva")
    receiver.wait("/hook")
    # The next event comes after; were there a second attempt of the first one, it would stand in the journal as to come.
    backend.start("login", userId="eva")

    first, second = receiver.wait("/hook", count=2)

    assert first["headers"]["Idempotency-Key"] != second["headers"]["Idempotency-Key"]


def test_callbacks_are_managed(backend, application, refused, receiver, listen):
    made = listen(OPERATIONS, attributes=["status"], authentication={
        "httpBasic": {"enabled": True, "username": "hook", "password": "s3cret"}})
    assert "s3cret" not in json.dumps(made)
    place = f"/v2/admin/applications/{application}/callbacks"
    assert [one["id"] for one in backend.ask("GET", place)["callbacks"]] == [made["id"]]
    assert backend.ask("GET", f"{place}/{made['id']}") == made

    changed = {"name": "Test", "type": OPERATIONS, "callbackUrl": receiver.url + "/other", "attributes": [],
               "authentication": {"httpBasic": {"enabled": True, "username": "hook"}}}
    backend.ask("PUT", f"{place}/{made['id']}", changed)
    backend.start("login", userId="eva")
    [told] = receiver.wait("/other")
    # A secret that is left out stays.
    assert told["headers"]["Authorization"] == "Basic aG9vazpzM2NyZXQ="

    backend.tell("DELETE", f"{place}/{made['id']}")
    assert backend.ask("GET", place)["callbacks"] == []
    listen(OPERATIONS, "/last")
    backend.start("login", userId="eva")
    receiver.wait("/last")
    assert len(receiver.wait("/other")) == 1


def test_orders_that_make_no_sense(backend, application, refused):
    for order in ({"url": "no address"}, {"url": "ftp://example.test/"}, {"kind": "WEATHER"}, {"name": None}, {"maxAttempts": 0},
                  {"initialBackoff": "a while"}, {"attributes": "status"}):
        with refused(400, "ERROR_REQUEST", about=order):
            backend.create_callback(**({"application": application, "kind": OPERATIONS, "url": "http://localhost:1/"} | order))
