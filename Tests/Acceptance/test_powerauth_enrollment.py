"""A back end that runs its own enrollment server needs the management API, and nothing of ours in front of it."""

import uuid

import pytest
import requests

from powerauth_arithmetic import activation_code, agree, b64, derive_x963, new_key, point, public_key, unb64
from powerauth_enrollment import Enrollment, PhoneBehind


@pytest.fixture
def server_in_front(world):
    return Enrollment(world.url)


@pytest.fixture
def new_phone(server_in_front, configuration):
    return lambda version="3.3": PhoneBehind(server_in_front, configuration, version)


@pytest.fixture
def active(backend, server_in_front, new_phone, application):
    """A phone that is active behind the enrollment server."""
    def make(version="3.3", user="eva"):
        phone = new_phone(version)
        phone.activate(backend.register(user, application)["activationCode"])
        assert server_in_front.status == "PENDING_COMMIT"
        assert server_in_front.manage("activation/commit", activationId=phone.activation_id)["activated"]
        return phone
    return make


def refused(code):
    return pytest.raises(Exception, match=code)


def test_a_phone_lives_behind_it(active, server_in_front, version):
    phone = active(version)
    phone.validate()
    with refused("ERR_AUTHENTICATION"):
        phone.validate(pin="0000")
    token = phone.create_token()
    assert server_in_front.manage("token/remove", tokenId=token.id, activationId=phone.activation_id)["removed"]
    signature = phone.sign_data(b"contract")
    told = server_in_front.manage(
        "signature/ecdsa/verify", activationId=phone.activation_id, data=b64(b"contract"), signature=b64(signature))
    assert told == {"signatureValid": True}
    with refused("ERR_AUTHENTICATION"):
        phone.unlock_vault(pin="0000")
    assert phone.user_info() == {"sub": "told by the enrollment server", "asked": {}}


def test_the_status_is_readable_for_its_phone_alone(active, server_in_front, version):
    phone = active(version)
    with refused("ERR_AUTHENTICATION"):
        phone.validate(pin="0000")
    told = phone.status()
    assert (told.state, told.failed_attempts, told.max_failed_attempts) == ("ACTIVE", 1, 5)
    phone.validate()
    server_in_front.manage("activation/block", activationId=phone.activation_id)
    assert phone.status().state == "BLOCKED"

    server_in_front.manage("activation/remove", activationId=phone.activation_id)
    assert phone.status().state == "REMOVED"
    told = server_in_front.manage("activation/status", activationId=str(uuid.uuid4()))
    assert (told["activationStatus"], told["userId"], told["version"]) == ("REMOVED", "unknown", 0)


def test_what_is_signed_may_be_as_long_as_a_body(active):
    phone = active()
    phone.validate(phone.write({"requestObject": {"text": "x" * 2_000_000}}))
    phone.sign_data(b"contract")


def test_an_activation_without_a_registration_waits_for_its_commit(backend, new_phone, server_in_front, version):
    phone = new_phone(version)
    phone.create_activation("CUSTOM", {"username": "eva"})
    told = server_in_front.manage("activation/status", activationId=phone.activation_id)
    assert (told["activationStatus"], told["userId"]) == ("PENDING_COMMIT", "eva")
    server_in_front.manage("activation/commit", activationId=phone.activation_id)
    phone.validate()


def test_recovery_is_switched_on_while_the_server_runs(active, new_phone, server_in_front, application):
    manage = server_in_front.manage
    assert manage("recovery/config/detail", applicationId=application)["activationRecoveryEnabled"] is False
    assert active().recovery is None
    assert manage("recovery/config/update", applicationId=application, activationRecoveryEnabled=True) == {"updated": True}
    assert manage("recovery/config/detail", applicationId=application) == {
        "applicationId": application, "activationRecoveryEnabled": True, "recoveryPostcardEnabled": False,
        "allowMultipleRecoveryCodes": False, "postcardPublicKey": None, "remotePostcardPublicKey": None}
    lost = active()
    recovery = lost.recovery
    codes = manage("recovery/lookup", userId="eva", activationId=lost.activation_id)["recoveryCodes"]
    assert [(code["status"], code["recoveryCodeMasked"]) for code in codes] == [
        ("ACTIVE", "XXXXX-XXXXX-XXXXX-" + recovery["recoveryCode"][-5:])]

    phone = new_phone()
    with refused("ERR_RECOVERY") as wrong:
        phone.create_activation("RECOVERY", {"recoveryCode": recovery["recoveryCode"], "puk": "0000000000"})
    assert wrong.value.details == {"currentRecoveryPukIndex": 1}
    with refused("ERR0028"):
        phone.create_activation("RECOVERY", {"recoveryCode": "AAAAA-AAAAA-AAAAA-AAAAA", "puk": "0000000000"})
    phone.create_activation("RECOVERY", recovery)
    assert server_in_front.status == "PENDING_COMMIT"
    manage("activation/commit", activationId=phone.activation_id)
    phone.validate()
    assert manage("activation/status", activationId=lost.activation_id)["activationStatus"] == "REMOVED"

    server_in_front.generates_recovery_codes = False
    assert active().recovery is None


def test_the_last_wrong_puk_blocks_the_code(active, new_phone, server_in_front, application):
    server_in_front.manage("recovery/config/update", applicationId=application, activationRecoveryEnabled=True)
    code = active().recovery["recoveryCode"]
    for _ in range(4):
        with refused("ERR_RECOVERY"):
            new_phone().create_activation("RECOVERY", {"recoveryCode": code, "puk": "0000000000"})
    for _ in range(2):
        with refused("ERR0028") as blocked:
            new_phone().create_activation("RECOVERY", {"recoveryCode": code, "puk": "0000000000"})
        assert blocked.value.details == {}


def test_codes_on_printed_cards(active, server_in_front, application):
    manage, printer = server_in_front.manage, new_key()
    phone = active()
    with refused("ERR0024"):
        manage("recovery/create", applicationId=application, userId="eva", pukCount=2)
    switch = {"applicationId": application, "activationRecoveryEnabled": True, "recoveryPostcardEnabled": True}
    manage("recovery/config/update", **switch)
    with refused("ERR0029"):
        manage("recovery/create", applicationId=application, userId="eva", pukCount=2)
    manage("recovery/config/update", **switch, remotePostcardPublicKey=b64(point(printer.public_key())))
    card = manage("recovery/create", applicationId=application, userId="eva", pukCount=2)
    with refused("ERR0025"):
        manage("recovery/create", applicationId=application, userId="eva", pukCount=2)

    # The printing centre computes the code by itself. Source: PowerAuth documentation, “Activation recovery”.
    key = public_key(unb64(manage("recovery/config/detail", applicationId=application)["postcardPublicKey"]))

    code = activation_code(derive_x963(agree(printer, key), unb64(card["nonce"]), 26)[:10])
    assert card["recoveryCodeMasked"] == "XXXXX-XXXXX-XXXXX-" + code[-5:]
    assert [puk["pukIndex"] for puk in card["puks"]] == [1, 2] and card["status"] == "CREATED"
    assert phone.confirm_recovery(code) is False
    assert phone.confirm_recovery(code) is True
    assert manage("recovery/revoke", recoveryCodeIds=[card["recoveryCodeId"]]) == {"revoked": True}
    assert manage("recovery/revoke", recoveryCodeIds=[card["recoveryCodeId"], 4711]) == {"revoked": False}


def test_what_is_refused_has_the_servers_codes(active, server_in_front, application):
    manage = server_in_front.manage
    phone = active()
    with refused("ERR0008"):
        manage("upgrade/commit", activationId=phone.activation_id, applicationKey=phone.application.key)
    with refused("ERR0015"):
        manage("ecies/decryptor", applicationKey=b64(bytes(16)), protocolVersion="3.1", nonce=b64(bytes(16)),
               ephemeralPublicKey=b64(point(new_key().public_key())))
    with refused("ERR0018"):
        manage("ecies/decryptor", applicationKey=phone.application.key, protocolVersion="3.1", nonce=b64(bytes(16)),
               ephemeralPublicKey=b64(b"\4" + bytes(64)))
    with refused("ERR0045"):
        manage("keystore/create", jwt="a.b.c")
    assert manage("keystore/remove", id="nobody") == {"id": "nobody", "removed": False}


def test_reports(active, server_in_front, application):
    active(user="eva"), active(user="ada")
    report = server_in_front.manage("telemetry/report", name="CURRENT_MAU", parameters={"application": application})
    assert report == {"name": "CURRENT_MAU", "reportData": {"application": application, "days": 30, "users": 2}}
    with refused("ERROR_TELEMETRY"):
        server_in_front.manage("telemetry/report", name="WEATHER")


def test_passkeys_say_that_they_are_not_here(world):
    answer = requests.post(world.url + "/powerauth-java-server/fido2/registrations/challenge", json={}, timeout=30)
    assert answer.status_code == 501 and "WebAuthn" in answer.json()["responseObject"]["message"]
