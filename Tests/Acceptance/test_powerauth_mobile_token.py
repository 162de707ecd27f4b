"""PowerAuth's phones near and far: proximity codes, approvals without a network, push registration and the inbox."""

import json
import time

import pytest

from powerauth_backend import TOLD
from powerauth_mobile_token import MobileToken, moment
from understudy import until

WRONG = "00000"


# Proximity.

def test_a_code_that_proves_that_the_user_is_near(world, backend, refused, mobile, start_operation):
    identifier = start_operation("login_preApproval", proximityCheckEnabled=True)
    shown = mobile.operation(identifier)
    otp = backend.operation(identifier)["proximityOtp"]
    assert len(otp) == 8 and otp.isdecimal()
    assert "proximityOtp" not in shown and shown["ui"]["preApprovalScreen"]["type"] == "QR_SCAN"
    assert shown["ui"]["preApprovalScreens"][0]["type"] == "QR_SCAN"

    for wrong in ({}, {"proximityCheck": {"otp": f"{(int(otp) + 1) % 10**8:08d}", "type": "QR_CODE"}},
                  {"proximityCheck": {"otp": "123", "type": "QR_CODE"}}):
        with refused(401, "OPERATION_FAILED"):
            mobile.authorize(shown, **wrong)
    assert backend.operation(identifier)["failureCount"] == 3

    # The code before the present one is good too, and no earlier one.
    world.control("PUT", "/clock", json={"frozen": True})
    otp = backend.operation(identifier)["proximityOtp"]
    world.advance(60)
    assert backend.operation(identifier)["proximityOtp"] != otp
    mobile.device.synchronise_clock()
    check = {"otp": otp, "type": "QR_CODE", "timestampReceived": "2025-10-23T06:13:18.120Z",
             "timestampSent": "2025-10-23T06:13:20.004Z"}
    with refused(401, "OPERATION_FAILED"):
        mobile.authorize(shown, proximityCheck=check)
    world.advance(-30)
    mobile.device.synchronise_clock()
    mobile.authorize(shown, proximityCheck=check | {"type": "DEEPLINK"})
    told = backend.operation(identifier)
    assert told["status"] == "APPROVED" and "proximity_otp" not in told["additionalData"]


@pytest.mark.parametrize("template, enabled, asked", [
    ("login", True, True), ("login", None, False), ("login_preApproval", False, False), ("login_preApproval", True, True)])
def test_the_order_decides_whether_the_user_must_be_near(backend, mobile, start_operation, template, enabled, asked):
    identifier = start_operation(template, proximityCheckEnabled=enabled)
    shown = mobile.operation(identifier)
    assert ("proximityOtp" in backend.operation(identifier)) is asked
    screens = shown.get("ui", {}).get("preApprovalScreens", [])
    assert any(screen["type"] == "QR_SCAN" for screen in screens) is (asked and template == "login_preApproval")
    if not asked:
        mobile.authorize(shown)


# Lists.

def test_of_many_operations_that_are_over_at_once_none_is_shown(world, mobile, start_operation):
    """More than the server ends in one go."""
    world.control("PUT", "/clock", json={"frozen": True})
    started = [start_operation() for _ in range(130)]
    assert set(mobile.ids()) <= set(started)
    world.advance(301)
    mobile.device.synchronise_clock()
    assert mobile.ids() == []


# Push and inbox.

def test_phones_register_for_push(mobile):
    for platform in ("apns", "fcm", "hms", "ios", "android", "huawei"):
        mobile.register_push(platform=platform, token="a token")
        mobile.register_push("/push/device/register", platform=platform, token="another", environment="development")


def test_registrations_for_push_that_make_no_sense(refused, mobile):
    for order in ({}, {"platform": "apns"}, {"platform": "apns", "token": " "}, {"platform": "pager", "token": "t"}, {"token": "t"},
                  {"platform": "apns", "token": "t", "environment": "moon"}):
        with refused(400, "INVALID_REQUEST", about=order):
            mobile.register_push(**order)


def test_pushes_are_kept_in_the_outbox_as_they_would_travel(world, backend, make_mobile):
    mobile, other = make_mobile(), make_mobile("grace")
    mobile.register_push(platform="apns", token="token-of-eva")
    other.register_push(platform="fcm", token="token-of-grace")
    operation = backend.start("login", userId="eva")["operationId"]
    backend.start("login", userId="eva", silent=True)
    message = backend.write_message("grace")["id"]
    backend.write_message("grace", silent=True)
    backend.tell("POST", "/v2/messages/send", {"userId": "eva", "title": "Hello", "message": "A message", "extras": {"a": "b"}})

    sent = until(lambda: len(world.messages()) >= 3 and world.messages(), "the pushes")

    pushes = {push["to"]["address"] + " " + push["subject"]: json.loads(push["text"]) for push in sent}
    assert len(pushes) == 3 and {push["channel"] for push in sent} == {"push"}
    login = pushes["token-of-eva Login approval"]["apns"]
    assert (login["messageType"], login["operationId"], login["operationName"]) == ("mtoken.operationInit", operation, "login")
    assert login["aps"]["alert"] == {"title": "Login approval", "body": "Do you want to log in?"}
    inbox = pushes["token-of-grace Your statement is ready"]["fcm"]
    assert inbox["data"] == {"messageType": "mtoken.inboxMessage.new", "inboxId": message}
    plain = pushes["token-of-eva Hello"]["apns"]
    assert (plain["a"], plain["aps"]["alert"]) == ("b", {"title": "Hello", "body": "A message"})


def test_the_older_way_to_write_a_message(backend, application, mobile):
    told = backend.ask("POST", f"/v2/inbox/eva?appId={application}", {"subject": "A subject", "body": "And a body"})
    assert mobile.message(told["id"])["body"] == "And a body"


def test_the_inbox(backend, refused, make_mobile):
    mobile, other = make_mobile(), make_mobile("grace")
    before = int(time.time())
    first, second, third = (backend.write_message("eva", f"Message number {number}") for number in (1, 2, 3))
    assert set(first) == {"id", "subject", "summary", "body", "type", "read", "timestamp"}
    assert (first["subject"], first["type"], first["read"]) == ("Message number 1", "text", False)

    assert mobile.unread() == 3 and other.unread() == 0 and other.messages() == []
    listed = mobile.messages()
    assert [one["id"] for one in listed] == [third["id"], second["id"], first["id"]]
    assert set(listed[0]) == {"id", "type", "subject", "summary", "read", "timestampCreated"}
    assert moment(listed[0]["timestampCreated"]) == third["timestamp"] // 1000 >= before - 1
    assert [len(mobile.messages(page, 2)) for page in range(4)] == [2, 1, 0, 0]
    detail = mobile.message(first["id"])
    assert detail["body"] == first["body"] and detail["read"] is False

    mobile.read(first["id"])
    mobile.read(first["id"])
    assert mobile.unread() == 2 and [one["id"] for one in mobile.messages(unread=True)] == [third["id"], second["id"]]
    assert mobile.message(first["id"])["read"] is True
    mobile.read_all()
    assert mobile.unread() == 0 and len(mobile.messages()) == 3

    for action in (other.message, other.read):
        with refused(400, "INBOX_FAILED"):
            action(first["id"])
    with refused(400, "INBOX_FAILED"):
        mobile.message("0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0")


def test_messages_that_make_no_sense(backend, refused):
    for order in ({"subject": "short"}, {"summary": "x" * 256}, {"body": "x" * 65_537}, {"type": "pdf"}, {"user": None},
                  {"body": None}):
        with refused(400, about=order) as refusal:
            backend.write_message(**({"user": "eva"} | order))
        assert refusal.code in ("ERROR_REQUEST", "ERROR_INBOX")


# Without a network.

@pytest.mark.parametrize("factors", ["possession_knowledge", "possession_biometry"])
def test_an_approval_without_a_network(backend, phone, start_operation, factors):
    mobile = MobileToken(phone)
    identifier = start_operation(parameters={"party.name": "Bank"})
    told = backend.offline_qr(identifier, phone.activation_id)
    scanned = mobile.scan(told["operationQrCodeData"])

    shown = mobile.operation(identifier)
    assert (scanned.id, scanned.data, scanned.nonce) == (identifier, shown["data"], told["nonce"])
    assert (scanned.title, scanned.message) == (shown["formData"]["title"], shown["formData"]["message"])
    assert "B" in scanned.flags and scanned.otp is None

    code = mobile.offline_code(scanned, factors=factors)
    answer = backend.approve_offline(identifier, phone.activation_id, told["nonce"], code)

    assert answer == {
        "otpValid": True, "userId": "eva", "registrationId": phone.activation_id, "registrationStatus": "ACTIVE",
        "signatureType": factors, "remainingAttempts": 5, "flags": [],
        "application": TOLD}
    ended = backend.operation(identifier)
    assert ended["status"] == "APPROVED" and ended["additionalData"]["authFactor"] == factors


def test_an_approval_without_a_network_that_is_wrong(backend, refused, mobile, start_operation):
    identifier, registration = start_operation(), mobile.device.activation_id
    told = backend.offline_qr(identifier, registration)
    scanned = mobile.scan(told["operationQrCodeData"])

    wrong = backend.approve_offline(identifier, registration, told["nonce"], mobile.offline_code(scanned, WRONG))
    assert (wrong["otpValid"], wrong["remainingAttempts"], wrong["registrationStatus"]) == (False, 4, "ACTIVE")
    assert backend.operation(identifier)["failureCount"] == 1
    for malformed in ("1234", "12345678-1234567x", "12345678-12345678-12345678", "1234567890123456789"):
        with refused(400, "ERROR_OTP_INVALID"):
            backend.approve_offline(identifier, registration, told["nonce"], malformed)
    assert backend.operation(identifier)["failureCount"] == 1

    code = mobile.offline_code(scanned)
    assert backend.approve_offline(identifier, registration, told["nonce"], code.replace("-", ""))["otpValid"] is True
    with refused(400, "ERROR_OPERATION_STATE_CHANGE"):
        backend.offline_qr(identifier, registration)


def test_an_approval_without_a_network_but_nearby(world, backend, make_mobile, start_operation):
    mobile = make_mobile()
    registration = mobile.device.activation_id
    world.control("PUT", "/clock", json={"frozen": True})
    identifier = start_operation("login_preApproval", proximityCheckEnabled=True)
    told = backend.offline_qr(identifier, registration)
    scanned = mobile.scan(told["operationQrCodeData"])
    assert scanned.otp == backend.operation(identifier)["proximityOtp"]

    world.advance(61)
    late = backend.approve_offline(identifier, registration, told["nonce"], mobile.offline_code(scanned))
    assert (late["otpValid"], late["remainingAttempts"]) == (False, 4)
    world.advance(-31)
    assert backend.approve_offline(identifier, registration, told["nonce"], mobile.offline_code(scanned))["otpValid"] is True
