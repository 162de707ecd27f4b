"""Other ways for a phone to become known to PowerAuth than a code: recovery, and an OpenID provider's word."""

import pytest

from powerauth_arithmetic import is_activation_code
from powerauth_backend import APPLICATION
from powerauth_channel import APPLICATION as APPLICATION_SCOPE
from powerauth_device import Device
from powerauth_messages import Configuration


@pytest.fixture
def recoverable(world, configuration):
    """A world whose application gives out recovery codes."""
    fixtures = world.get("/fixtures")
    [settings] = [one for one in fixtures["powerauth"]["applications"] if one["id"] == APPLICATION]
    settings["offers_recovery"] = True
    loaded = world.control("PUT", "/fixtures", json=fixtures)
    assert loaded.ok, loaded.text


@pytest.fixture
def recover(enrollment, configuration):
    def recover(code, puk, version="3.3"):
        phone = Device(enrollment, configuration, version)
        phone.user = "eva"
        phone.create_activation("RECOVERY", {"recoveryCode": code, "puk": puk})
        return phone

    return recover


def test_a_lost_phone_is_replaced(backend, recoverable, make_phone, recover, refused, version):
    lost = make_phone(version=version)
    code, puk = lost.recovery["recoveryCode"], lost.recovery["puk"]
    assert is_activation_code(code) and len(puk) == 10 and puk.isdecimal()
    assert lost.confirm_recovery(code) is True

    found = recover(code, puk, version)

    assert found.status().state == "ACTIVE" and found.activation_id != lost.activation_id
    assert lost.status().state == "REMOVED"
    assert backend.registration(found.activation_id)["userId"] == "eva"
    found.validate()
    with refused(400):
        recover(code, puk, version)


def test_a_wrong_puk_is_counted(recoverable, make_phone, recover, refused):
    phone = make_phone()
    code, puk = phone.recovery["recoveryCode"], phone.recovery["puk"]
    wrong = f"{(int(puk) + 1) % 10**10:010d}"
    for _ in range(5):
        with refused(400, None, "POWER_AUTH_RECOVERY_INVALID") as refusal:
            recover(code, wrong)
        assert refusal.code in ("ERR_RECOVERY", "INVALID_RECOVERY_CODE")
    with refused(400):
        recover(code, puk)
    phone.validate()


def test_a_wrong_puk_is_told_with_the_number_of_the_right_one(recoverable, make_phone, recover, refused):
    phone = make_phone()
    with refused(400, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID") as refusal:
        recover(phone.recovery["recoveryCode"], "0000000000" if phone.recovery["puk"] != "0000000000" else "1111111111")
    assert refusal.details == {"currentRecoveryPukIndex": 1}


def test_a_recovery_code_of_somebody_else_is_not_confirmed(recoverable, make_phone, refused, version):
    phone, other = make_phone(version=version), make_phone("grace", version)
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_RECOVERY_CONFIRM_ERROR"):
        phone.confirm_recovery(other.recovery["recoveryCode"])


def test_a_recovery_code_is_confirmed_by_the_pin_alone(recoverable, phone, refused):
    code = phone.recovery["recoveryCode"]
    for factors in ("possession", "possession_biometry"):
        with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", about=factors):
            phone.encrypted_then_signed("/pa/v3/recovery/confirm", "/pa/recovery/confirm", {"recoveryCode": code}, factors, None)
    assert phone.confirm_recovery(code) is True


def test_a_blocked_recovery_code_is_not_confirmed(recoverable, phone, recover, refused):
    code, puk = phone.recovery["recoveryCode"], phone.recovery["puk"]
    for _ in range(5):
        with refused(400, "INVALID_RECOVERY_CODE"):
            recover(code, f"{(int(puk) + 1) % 10**10:010d}")
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_RECOVERY_CONFIRM_ERROR"):
        phone.confirm_recovery(code)


def test_a_recovery_code_is_good_once_its_activation_is_committed(backend, recoverable, make_phone, recover, refused):
    phone = make_phone(commit=False)
    code, puk = phone.recovery["recoveryCode"], phone.recovery["puk"]
    with refused(400, "INVALID_RECOVERY_CODE"):
        recover(code, puk)
    backend.commit(phone.activation_id)
    assert recover(code, puk).status().state == "ACTIVE"


def test_a_recovery_code_is_good_in_its_own_application_alone(
        administrator, recoverable, make_phone, enrollment, recover, refused):
    shop = Configuration(administrator.create_application("shop")["mobileSdkConfig"])
    phone = make_phone()
    code, puk = phone.recovery["recoveryCode"], phone.recovery["puk"]
    with refused(400, "INVALID_RECOVERY_CODE"):
        Device(enrollment, shop).create_activation("RECOVERY", {"recoveryCode": code, "puk": puk})
    assert recover(code, puk).status().state == "ACTIVE"


def test_nothing_to_recover_unless_the_application_offers_it(make_phone):
    assert make_phone().recovery is None


def test_a_fake_provider_vouches_for_the_user(backend, enrollment, configuration, version):
    phone = Device(enrollment, configuration, version)
    phone.create_activation("DIRECT", {
        "method": "oidc", "providerId": "understudy-fake", "code": "any", "nonce": "K1mP3rT9bQ8lV6zN7sW2xY4d",
        "codeVerifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"})

    assert phone.status().state == "ACTIVE" and backend.registration(phone.activation_id)["userId"] == "ada"
    phone.validate()


def test_a_provider_that_nobody_knows_vouches_for_nobody(enrollment, configuration, refused, version):
    with refused(400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID"):
        Device(enrollment, configuration, version).create_activation(
            "DIRECT", {"method": "oidc", "providerId": "nobody", "code": "any", "nonce": "n"})


@pytest.mark.parametrize("wrap", (lambda asked: asked, lambda asked: {"requestObject": asked}), ids=("bare", "wrapped"))
def test_an_app_asks_for_its_providers(world, enrollment, configuration, refused, version, wrap):
    phone = Device(enrollment, configuration, version)
    applications = world.get("/fixtures")["powerauth"]["applications"]
    [providers] = [one["oauth2_providers"] for one in applications if one["id"] == APPLICATION]

    def ask(identifier):
        told = phone.encrypted("/api/config/oidc", "/pa/generic/application", wrap({"providerId": identifier}), APPLICATION_SCOPE)
        assert told["status"] == "OK", told
        return told["responseObject"]

    told = [ask(provider["providerId"]) for provider in providers]
    for one, provider in zip(told, providers, strict=True):
        assert set(one) == {"providerId", "clientId", "scopes", "authorizeUri", "redirectUri", "pkceEnabled"}
        # A path is one of the world that is asked.
        expected = {name: provider[name] for name in one}
        assert one == expected | {"authorizeUri": world.url + provider["authorizeUri"]}
    assert {one["pkceEnabled"] for one in told} == {True, False}
    with refused(400, "APPLICATION_CONFIGURATION_ERROR"):
        ask("nobody")
