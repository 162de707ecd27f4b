"""Which factors a call of a phone to PowerAuth is signed with, and what form its parts have: everything else is refused."""

import json

import pytest

from powerauth_answers import checked
from powerauth_backend import APPLICATION as OWN
from powerauth_channel import ACTIVATION
from powerauth_device import PIN, Device

UNSIGNED = 401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID"


def signed_and_encrypted(phone, path, uri_id, request, factors):
    """What was signed, encrypted: its plain answer."""
    plain = phone.write(request)
    envelope = phone.envelope(ACTIVATION, "/pa/generic/activation")
    headers = phone.authorization("POST", uri_id, plain, factors)
    return json.loads(envelope.open(checked(phone.post(path, phone.write(envelope.seal(plain, phone.now())), headers))))


@pytest.mark.parametrize("factors", ["possession", "possession_knowledge_biometry"])
def test_a_name_is_given_by_two_factors(backend, refused, phone, factors):
    with refused(*UNSIGNED):
        signed_and_encrypted(phone, "/pa/v3/activation/rename", "/pa/activation/rename", {"activationName": "Mine"}, factors)
    assert backend.registration(phone.activation_id)["name"] == "Test phone"


@pytest.mark.parametrize("name", ["", "x" * 256])
def test_a_name_has_its_length(backend, refused, phone, name):
    with refused(400, "ERR_ACTIVATION"):
        phone.rename(name)
    assert backend.registration(phone.activation_id)["name"] == "Test phone"
    phone.rename("x" * 255)


@pytest.mark.parametrize("factors", ["possession_knowledge", "possession_biometry"])
def test_an_upgrade_is_committed_by_possession(refused, phone, factors):
    with refused(*UNSIGNED):
        checked(phone.signed("/pa/v3/upgrade/commit", "/pa/upgrade/commit", factors=factors))
    with refused(400, "ERR_UPGRADE"):
        checked(phone.signed("/pa/v3/upgrade/commit", "/pa/upgrade/commit", factors="possession"))


def test_a_rejection_is_signed_by_possession_and_by_nothing_else(backend, refused, mobile, start_operation):
    identifier = start_operation()
    for factors in ("possession_knowledge", "possession_biometry"):
        with refused(401, "POWERAUTH_AUTH_FAIL"):
            checked(mobile.by_code("/auth/token/app/operation/cancel", "/operation/cancel", {"id": identifier}, factors, PIN))
    assert backend.operation(identifier)["status"] == "PENDING"
    mobile.reject(identifier)


def test_another_app_is_let_in_by_two_factors_and_a_long_secret(backend, refused, enrollment, configuration, phone):
    def spawn(otp, factors="possession_knowledge"):
        return signed_and_encrypted(
            phone, "/api/activation/code", "/api/activation/code", {"applicationId": OWN, "otp": otp}, factors)["responseObject"]

    with refused(401, "POWERAUTH_AUTH_FAIL"):
        spawn("0123456789abcdef", "possession")
    with refused(400, "INVALID_REQUEST"):
        spawn("0123456789abcde")
    told = spawn("0123456789abcdef")
    other = Device(enrollment, configuration, phone.version)
    with refused(400, "ERR_ACTIVATION"):
        other.activate(told["activationCode"], activationOtp="0123456789abcdee")
    other.activate(f"{told['activationCode']}#{told['activationSignature']}", activationOtp="0123456789abcdef")
    assert backend.registration(told["activationId"])["userId"] == "eva" and other.status().state == "ACTIVE"


def test_a_header_says_each_thing_once(backend, refused, phone):
    body = b"{}"
    [header] = phone.authorization("POST", "/pa/signature/validate", body, "possession").values()
    token = phone.token_header(phone.create_token())["X-PowerAuth-Token"]
    for doubled in (f'{header}, pa_signature_type="possession"', f'PowerAuth pa_version="{phone.version}", {header[10:]}'):
        with refused(*UNSIGNED):
            checked(phone.post("/pa/v3/signature/validate", body, {"X-PowerAuth-Authorization": doubled}))
    with refused(400, "ERROR_TOKEN_INVALID"):
        backend.verify_token({"X-PowerAuth-Token": f'{token}, version="{phone.version}"'})
    assert backend.verify_token({"X-PowerAuth-Token": token})["tokenValid"] is True
