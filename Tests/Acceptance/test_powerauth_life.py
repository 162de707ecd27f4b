"""The life of a registration from the QR code to its removal, in every version of the mobile protocol: with a phone and a back end
that are not ours."""

import json
import time

import pytest
import requests

from powerauth_answers import checked, unwrapped
from powerauth_arithmetic import b64, canonical_query, point, verifies
from powerauth_backend import INTEGRATION, TOLD
from powerauth_channel import ACTIVATION
from powerauth_device import PIN, Device
from powerauth_mobile_token import MobileToken, moment

LOGIN = {"party.id": "bank", "party.name": "Bank", "session.id": "42", "session.ip-address": "192.0.2.7"}
FACTORS = ["possession", "possession_knowledge", "possession_biometry", "possession_knowledge_biometry"]


def test_from_the_qr_code_to_an_active_registration(backend, configuration, application, version, enrollment):
    before = time.time() * 1000 - 1000
    started = backend.register("eva", application, flags=["VIP", "VIP", "BETA"])
    created = backend.registration(started["registrationId"])
    phone = Device(enrollment, configuration, version)

    assert set(started) == {"registrationId", "activationCode", "activationCodeSignature", "activationQrCodeData"}
    assert started["activationQrCodeData"] == started["activationCode"] + "#" + started["activationCodeSignature"]
    assert created["registrationStatus"] == "CREATED" and created["activationCode"] == started["activationCode"]
    assert created["activationQrCodeData"].split("#")[0] == started["activationCode"]
    assert "activationFingerprint" not in created

    phone.activate(started["activationQrCodeData"], activationName="Eva's phone", deviceInfo="Pixel 8")

    pending = backend.registration(started["registrationId"])
    assert phone.activation_id == started["registrationId"] == pending["registrationId"]
    assert pending["registrationStatus"] == phone.status().state == "PENDING_COMMIT"
    assert pending["activationFingerprint"] == phone.fingerprint
    assert "activationCode" not in pending and "activationQrCodeData" not in pending

    backend.commit(started["registrationId"], externalUserId=None)

    active = backend.registration(started["registrationId"])
    assert active["registrationStatus"] == "ACTIVE" and "activationFingerprint" not in active
    assert (active["userId"], active["applicationId"], active["flags"]) == ("eva", application, ["VIP", "BETA"])
    assert (active["name"], active["platform"], active["deviceInfo"]) == ("Eva's phone", "ios", "Pixel 8")
    assert before < active["timestampCreated"] <= active["timestampLastUsed"] < before + 60_000
    assert "blockedReason" not in active
    blob = phone.status()
    assert (blob.state, blob.current_version, blob.upgrade_version) == ("ACTIVE", 3, 3)
    if version >= "3.1":
        assert (blob.counter_byte, blob.failed_attempts, blob.max_failed_attempts, blob.look_ahead) == (0, 0, 5, 20)
    [listed] = backend.registrations("eva")
    assert listed["registrationId"] == started["registrationId"] and listed["registrationStatus"] == "ACTIVE"


def test_every_combination_of_factors(backend, phone):
    for factors in FACTORS:
        phone.validate(phone.write({"requestObject": {"text": "a=b / <c> & 'd' ů"}}), factors)

        body = phone.write({"amount": "10.00", "note": "a=b/c"})
        header = phone.authorization("POST", "/login", body, factors)
        told = backend.verify(header, "POST", "/login", body)

        assert told == {
            "signatureValid": True, "userId": "eva", "registrationId": phone.activation_id, "registrationStatus": "ACTIVE",
            "signatureType": factors, "remainingAttempts": 5, "flags": [], "application": TOLD}
    assert phone.status().failed_attempts == 0 or phone.version == "3.0"


def test_the_body_is_signed_as_it_travels(backend, phone):
    for body in (b"", b"{}", b"[1, 2 ]\n", "{\"a\": \"ž\\u003d\"}".encode(), b"\x00\xff not JSON"):
        for path in ("/v2/authentication/verify", "/v2/signature/verify"):
            header = phone.authorization("PUT", "/document/7", body)
            assert backend.verify(header, "PUT", "/document/7", body, path=path)["signatureValid"] is True, (path, body)


def test_a_code_is_validated_whatever_the_body(phone):
    for method in ("POST", "PUT", "DELETE"):
        for body in (b"{}", b"", b'{"requestObject":{"a":[1,  2]}}', b'{ "any" : "thing" }'):
            phone.validate(body, method=method)


def test_a_query_is_signed_in_its_canonical_form(backend, phone):
    phone.validate(method="GET", query="b=2&a=hello+world&a=%C3%A9&c=")
    phone.validate(method="GET")

    query = {"to": "Zürich & back", "from": "a=b+c", "empty": ""}
    text = "to=Z%C3%BCrich%20%26%20back&empty=&from=a%3Db%2Bc"
    header = phone.authorization("GET", "/tickets", canonical_query(text).encode())
    assert backend.verify(header, "GET", "/tickets", query=query)["signatureValid"] is True


def test_one_change_makes_a_code_wrong_and_costs_an_attempt(backend, phone):
    signed = {"method": "POST", "uri_id": "/login", "body": b'{"amount":10}'}
    for change in ({"body": b'{"amount":11}'}, {"body": b""}, {"uri_id": "/login/"}, {"method": "PUT"}):
        header = phone.authorization(**signed)

        told = backend.verify(header, **(signed | change))

        assert (told["signatureValid"], told["remainingAttempts"]) == (False, 4), change
        assert told["registrationStatus"] == "ACTIVE" and told["userId"] == "eva"
        # The code itself was good, so it still is.
        again = backend.verify(header, **signed)
        assert again["signatureValid"] is True and again["remainingAttempts"] == 5


def test_an_operation_from_creation_to_approval(backend, application, phone):
    mobile = MobileToken(phone)
    before = time.time() * 1000
    started = backend.start("login", userId="eva", parameters=LOGIN)

    assert (started["status"], started["template"], started["operationType"]) == ("PENDING", "login", "login")
    assert (started["userId"], started["parameters"]) == ("eva", LOGIN)
    assert (started["failureCount"], started["maxFailureCount"]) == (0, 5)
    assert before - 1000 <= started["timestampCreated"] <= before + 60_000
    assert started["timestampExpires"] - started["timestampCreated"] == 300_000
    assert not {"timestampFinalized", "registrationId", "proximityOtp", "statusReason"} & set(started)
    fresh = backend.operation(started["operationId"])
    assert fresh["additionalData"] == {} and fresh["status"] == "PENDING"

    [listed] = mobile.operations()
    assert listed == mobile.operation(started["operationId"])
    assert (listed["id"], listed["name"], listed["data"], listed["status"]) == (
        started["operationId"], "login", "A2", "PENDING")
    assert listed["allowedSignatureType"]["type"] == "2FA"
    assert sorted(listed["allowedSignatureType"]["variants"]) == ["possession_biometry", "possession_knowledge"]
    assert moment(listed["operationExpires"]) - moment(listed["operationCreated"]) == 300
    assert moment(listed["operationCreated"]) == started["timestampCreated"] // 1000
    form = listed["formData"]
    assert form["title"] and form["message"]
    assert {one["value"] for one in form["attributes"] if one["type"] == "KEY_VALUE"} == set(LOGIN.values())

    mobile.authorize(listed, mobileTokenData={"screen": "intro", "visits": 2})

    assert mobile.operations() == []
    approved = backend.operation(started["operationId"])
    assert approved == backend.ask("GET", f"/v2/operation/{started['operationId']}")
    assert (approved["status"], approved["failureCount"]) == ("APPROVED", 0)
    assert before - 1000 <= approved["timestampFinalized"] <= before + 60_000
    facts = approved["additionalData"]
    assert facts.pop("mobileTokenData") == {"screen": "intro", "visits": 2}
    assert facts.pop("ipAddress") in ("127.0.0.1", "::1")
    assert facts == {
        "userAgent": phone.session.headers["User-Agent"], "applicationId": application, "authFactor": "possession_knowledge",
        "device": {"networkVersion": "1.5.1", "language": "en-US", "connection": "wifi", "product": "com.example.understudy",
                   "version": "1.0.0", "platform": "Apple", "os": "iOS", "osVersion": "18.1", "model": "iphone15,2"}}


def test_operations_that_are_rejected_and_cancelled_stay_in_the_history(backend, phone):
    mobile = MobileToken(phone)
    approved, rejected, cancelled = (backend.start("login", userId="eva")["operationId"] for _ in range(3))
    backend.start("login", userId="somebody else")

    mobile.authorize(mobile.claim(approved), factors="possession_biometry")
    mobile.reject(rejected, "INCORRECT_DATA")
    backend.cancel(cancelled, statusReason="NO_LONGER_NEEDED")

    told = backend.operation(rejected)
    assert told["status"] == "REJECTED" and told["additionalData"]["rejectReason"] == "INCORRECT_DATA"
    assert "timestampFinalized" in told
    told = backend.operation(cancelled)
    assert (told["status"], told["statusReason"]) == ("CANCELED", "NO_LONGER_NEEDED") and "timestampFinalized" not in told
    assert backend.operation(approved)["additionalData"]["authFactor"] == "possession_biometry"
    history = {one["id"]: one for one in mobile.history()}
    assert {identifier: one["status"] for identifier, one in history.items()} == {
        approved: "APPROVED", rejected: "REJECTED", cancelled: "CANCELED"}
    assert history[cancelled]["statusReason"] == "NO_LONGER_NEEDED" and "statusReason" not in history[approved]
    assert {one["operationId"] for one in backend.operations("eva")} == {approved, rejected, cancelled}


def test_the_vault_gives_its_key_to_who_knows_the_pin(world, refused, phone):
    signature = phone.sign_data(b"A contract")
    assert verifies(phone.device_public_key, signature, b"A contract")
    for data, valid in ((b"A contract", True), (b"Another contract", False)):
        answer = requests.post(world.url + "/powerauth-java-server/rest/v3/signature/ecdsa/verify", timeout=30, json={
            "requestObject": {"activationId": phone.activation_id, "data": b64(data), "signature": b64(signature)}})
        assert unwrapped(answer) == {"signatureValid": valid}
    assert phone.unlock_vault(reason="ADD_BIOMETRY") == phone.unlock_vault(reason=None)

    for reason in ("ab", "no blanks please", "x" * 256):
        with refused(400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID"):
            phone.unlock_vault(reason=reason)
    for factors in ("possession", "possession_biometry"):
        with refused(400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID"):
            phone.unlock_vault(factors=factors)
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID"):
        phone.unlock_vault("00000")
    phone.validate()


def test_tokens_live_until_they_are_removed(backend, refused, phone):
    strong, weak = phone.create_token("possession_knowledge"), phone.create_token("possession")

    assert backend.verify_token(phone.token_header(strong)) == {
        "tokenValid": True, "userId": "eva", "registrationId": phone.activation_id, "registrationStatus": "ACTIVE",
        "signatureType": "possession_knowledge", "flags": [],
        "application": TOLD}
    assert backend.verify_token(phone.token_header(weak))["signatureType"] == "possession"

    assert phone.detail(strong) == {"activationId": phone.activation_id, "activationName": "Test phone"}
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID"):
        phone.detail(weak)
    assert phone.rename("Old phone") == {"activationId": phone.activation_id, "activationName": "Old phone"}
    assert backend.registration(phone.activation_id)["name"] == "Old phone" == phone.detail(strong)["activationName"]

    phone.remove_token(strong)
    phone.remove_token(strong)
    assert backend.verify_token(phone.token_header(strong)) == {"tokenValid": False}
    assert backend.verify_token(phone.token_header(weak))["tokenValid"] is True


def test_a_blocked_registration_does_nothing_until_it_is_unblocked(backend, refused, phone):
    token = phone.create_token()
    backend.block(phone.activation_id, "LOST_PHONE")
    backend.block(phone.activation_id, "ANOTHER_REASON")

    told = backend.registration(phone.activation_id)
    assert (told["registrationStatus"], told["blockedReason"]) == ("BLOCKED", "LOST_PHONE")
    assert phone.status().state == "BLOCKED"
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID"):
        phone.validate()
    dead = backend.verify_token(phone.token_header(token))
    assert (dead["tokenValid"], dead["registrationStatus"]) == (False, "BLOCKED")
    body = phone.authorization("POST", "/login")
    told = backend.verify(body, "POST", "/login")
    assert (told["signatureValid"], told["registrationStatus"]) == (False, "BLOCKED")
    if phone.version == "3.3":
        # It may have a key, and has no use for it.
        phone.fetch_temporary_key(ACTIVATION)
    with refused(400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED"):
        phone.user_info()

    backend.unblock(phone.activation_id)
    backend.unblock(phone.activation_id)

    told = backend.registration(phone.activation_id)
    assert told["registrationStatus"] == "ACTIVE" and "blockedReason" not in told
    phone.validate()
    assert backend.verify_token(phone.token_header(token))["tokenValid"] is True


@pytest.mark.parametrize("by", ["phone", "back end"])
def test_a_removed_registration_is_gone_for_good(backend, refused, phone, by):
    token = phone.create_token()
    operation = backend.start("login", userId="eva", registrationId=phone.activation_id)
    if by == "phone":
        phone.remove()
    else:
        backend.remove(phone.activation_id)

    assert backend.state(phone.activation_id) == phone.status().state == "REMOVED"
    assert backend.registrations("eva") == []
    [listed] = backend.registrations("eva", removed="true")
    assert listed["registrationId"] == phone.activation_id
    assert backend.verify_token(phone.token_header(token))["tokenValid"] is False
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID"):
        phone.validate()
    with refused(400, "ERROR_REGISTRATION_CHANGE"):
        backend.unblock(phone.activation_id)
    backend.remove(phone.activation_id)
    assert backend.operation(operation["operationId"])["status"] == "PENDING"


def test_the_phone_asks_who_its_user_is(world, backend, application, make_phone, version):
    claims = {"sub": "eva", "name": "Eva Nová", "email": "eva@example.com", "email_verified": True, "loyalty": [1, 2]}
    store = requests.post(world.url + "/user-data-store/public/user-claims?userId=eva", json=claims, auth=INTEGRATION, timeout=30)
    assert store.status_code == 200 and type(store.json()) is dict, store.text

    phone = make_phone("eva", version)

    assert phone.user_info() == claims
    another = Device(phone.base, phone.application, version)
    assert another.activate(backend.register("eva", application)["activationCode"])["userInfo"] == claims
    assert make_phone("nobody we know", version).user_info().get("sub") in (None, "nobody we know")


@pytest.mark.parametrize("compressed", [True, False], ids=["compressed", "uncompressed"])
@pytest.mark.parametrize("platform", ["ios", "android"])
def test_every_form_that_sdks_use(backend, make_phone, version, platform, compressed):
    phone = make_phone(version=version, platform=platform, compressed=compressed)
    mobile = MobileToken(phone)
    operation = backend.start("login", userId="eva")["operationId"]

    mobile.authorize(mobile.operation(operation))

    assert len(point(phone.device_public_key, compressed)) == (33 if compressed else 65)
    assert backend.registration(phone.activation_id)["platform"] == platform
    assert backend.operation(operation)["additionalData"]["device"]["os"] == {"ios": "iOS", "android": "Android"}[platform]
    phone.remove()


def test_an_app_is_updated_from_version_to_version(backend, make_phone):
    phone = make_phone(version="3.0")
    token = phone.create_token()
    mobile = MobileToken(phone)
    mobile._token = token

    for version in ("3.1", "3.2", "3.3", "3.1"):
        phone.version = version
        assert phone.status().state == "ACTIVE"
        phone.validate()
        assert backend.verify_token(phone.token_header(token))["tokenValid"] is True
        phone.sign_data(b"still the same phone")
        operation = backend.start("login", userId="eva")["operationId"]
        assert mobile.ids() == [operation]
        mobile.authorize(mobile.operation(operation))
    assert backend.registration(phone.activation_id)["registrationStatus"] == "ACTIVE"


def test_a_changed_pin_is_the_phones_own_business(backend, phone):
    phone.change_pin(PIN, "97531")

    phone.validate(pin="97531")
    told = backend.verify(phone.authorization("POST", "/login", pin=PIN), "POST", "/login")
    assert (told["signatureValid"], told["remainingAttempts"]) == (False, 4)


# Wultra's Flutter suite: its base address ends in a slash, and each path begins with one.
def test_several_slashes_are_one(world, backend, configuration, application):
    for base in (world.url + "/enrollment-server/", world.url + "/enrollment-server///"):
        phone = Device(base, configuration)
        phone.activate(backend.register("eva", application)["activationQrCodeData"])
        backend.commit(phone.activation_id)
        phone.validate()
        assert phone.status().state == "ACTIVE"


@pytest.mark.parametrize("path", ["/api/onboarding/start", "/api/identity/status", "/api/identity/document/submit"])
def test_digital_onboarding_says_that_it_is_not_here(enrollment, path):
    answer = requests.post(enrollment + path, json={"requestObject": {}}, timeout=30)
    told = answer.json()["responseObject"]
    assert (answer.status_code, told["code"]) == (501, "ERROR_GENERIC") and "not emulated" in told["message"]


def test_user_info_is_asked_for_with_nothing_as_well(phone):
    envelope = phone.envelope(ACTIVATION, "/pa/generic/activation")
    request = phone.write(envelope.seal(b"", phone.now()))
    sealed = checked(phone.post("/pa/v3/user/info", request, phone.encryption_header(ACTIVATION)))
    assert json.loads(envelope.open(sealed))["sub"] == phone.user
