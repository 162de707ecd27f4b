"""The same as test_compare_powerauth.py of protocol 4.0, which the SDK 2.x speaks: what its phones signed and encrypted is made again in the
suite of the recording."""

import json

import pytest
import requests

from compare_recordings import Changed, agrees, reasons, recording, refusal, whole
from phones import new_phone
from phones import Refused as PhoneRefused
from powerauth4_device import APPLICATION, Device4
from powerauth_arithmetic import canonical_query
from powerauth_backend import Backend
from test_phone_powerauth4 import MASTER, NEXT
from test_phone_powerauth4 import start as start_operation

BODY = b'{"user":"eva"}'
OLDER = "it is of an activation of PowerAuth whose beginning is not in the recording, or was not played"


def life(backend, application, phone):
    """Of a phone: activation, codes of all factors, right and wrong, tokens, vault, another PIN, biometry, name, end."""
    phone.server_status()
    started = backend.register("eva", application)
    phone.activate(started["activationQrCodeData"])
    assert phone.status().flags == {"confirmation pending"}
    phone.confirm(biometry=True)
    backend.commit(phone.activation_id)
    assert phone.status().flags == {"biometry"}
    assert backend.registration(phone.activation_id)["name"] == "Test phone"

    for factors in ("possession", "possession_knowledge", "possession_biometry"):
        phone.validate(factors=factors)
    phone.validate(method="GET", query="b=2&a=hello+world")
    assert refusal(phone.validate, pin="00000") == 401
    assert backend.verify(phone.authorization("POST", "/login", BODY), "POST", "/login", BODY)["remainingAttempts"] == 5
    wrong = backend.verify(phone.authorization("POST", "/login", BODY, pin="00000"), "POST", "/login", BODY)
    assert (wrong["signatureValid"], wrong["remainingAttempts"]) == (False, 4)
    query = {"to": "Zürich & back", "from": "a=b+c"}
    header = phone.authorization("GET", "/tickets", canonical_query("to=Z%C3%BCrich%20%26%20back&from=a%3Db%2Bc").encode())
    assert backend.verify(header, "GET", "/tickets", query=query)["signatureValid"] is True

    tokens = [phone.create_token(), phone.create_token("possession_knowledge")]
    assert refusal(phone.create_token, "possession_knowledge", pin="00000") == 401
    assert backend.verify_token(phone.token_header(tokens[0]))["tokenValid"] is True
    assert phone.detail(tokens[1])["activationName"] == "Test phone"
    phone.remove_token(tokens[0])
    for key in ("KEK_DEVICE_PRIVATE", "KDK_APP_VAULT_2FA", "KDK_APP_VAULT_KNOWLEDGE"):
        phone.vault_key(key)
    assert phone.encrypted("/pa/v4/config/application", "/pa/generic/application", scope=APPLICATION) == {"config": []}
    assert phone.encrypted("/pa/v4/config/activation", "/pa/generic/activation") == {"config": []}
    assert phone.user_info()["sub"] == "eva"
    assert phone.rename("Phone of all days")["activationName"] == "Phone of all days"

    phone.change_pin("13524", "97531")
    phone.validate(pin="97531")
    phone.remove_biometry()
    assert refusal(phone.validate, factors="possession_biometry") == 401
    phone.add_biometry("97531")
    phone.validate(factors="possession_biometry")
    phone.add_biometry("97531")
    phone.validate(factors="possession_biometry")

    backend.block(phone.activation_id, "LOST")
    assert phone.status().state == "BLOCKED" and refusal(phone.validate, pin="97531") == 401
    backend.unblock(phone.activation_id)
    phone.remove("97531")
    assert backend.state(phone.activation_id) == phone.status().state == "REMOVED"


@pytest.mark.parametrize("jwt_hash", ["sha256", "sha384"])
def test_the_life_of_a_phone(world, backend, application, enrollment, configuration4, suite, compare, jwt_hash):
    life(backend, application, Device4(enrollment, configuration4, suite, jwt_hash))
    assert whole(compare.report(recording(world)), "powerauth")["agree"] >= 20


def test_phones_of_all_suites_and_of_protocol_3_beside_each_other(world, backend, make_phone4, make_phone, compare):
    phones = [make_phone4(user, suite) for user, suite in (("eva", "EC_P384"), ("frank", "EC_P384_ML_L5"), ("mia", "EC_P384_ML_L3"))]
    older = make_phone("ada")
    tokens = [phone.create_token("possession_knowledge") for phone in (*phones, older)]
    for phone, token in zip((*phones, older), tokens, strict=True):
        assert backend.verify_token(phone.token_header(token))["userId"] == phone.user
        phone.validate()

    whole(compare.report(recording(world)), "powerauth")


def test_other_ways_to_an_activation(world, backend, enrollment, configuration4, application, compare):
    phone = Device4(enrollment, configuration4)
    phone.create_activation("CUSTOM", {"username": "mia"}, custom={"theme": "dark"})
    assert backend.registration(phone.activation_id)["userId"] == "mia"
    started = backend.register("eva", application, otp="1234-5678", commitPhase="ON_KEY_EXCHANGE")
    phone = Device4(enrollment, configuration4)
    phone.activate(started["activationQrCodeData"], activationOtp="1234-5678")
    assert backend.state(phone.activation_id) == "ACTIVE"
    phone.confirm()
    phone.validate()

    whole(compare.report(recording(world)), "powerauth")


@pytest.mark.parametrize("model", ["ios", "android"])
def test_operations_that_a_phone_of_the_world_answered(world, backend, application, compare, model):
    phone = new_phone(world, "eva", owner="eva", model=model, sdks=NEXT)
    registration = backend.register("eva", application)
    phone.scan(registration["activationQrCodeData"], pin="97531", protocol="EC_P384_ML_L3")
    backend.commit(registration["registrationId"])
    ids = [start_operation(backend) for _ in range(2)]
    assert {waiting["id"] for waiting in phone.pending(wait=10)} == set(ids)
    with pytest.raises(PhoneRefused):
        phone.approve(ids[0], **{"with": "wrong-pin"})
    phone.approve(ids[0], pin="97531")
    phone.decline(ids[1])
    assert [backend.operation(operation)["status"] for operation in ids] == ["APPROVED", "REJECTED"]

    assert whole(compare.report(recording(world)), "powerauth")["agree"] >= 5


def test_an_upgrade_from_3_3(make_world, compare, tmp_path):
    fixtures = {"powerauth": {"applications": [{
        "id": "bank-app", "offers_upgrade": True, "master_key": MASTER, "versions": [
            {"name": "default", "app_key": "QUFBQUFBQUFBQUFBQUFBQQ==", "app_secret": "QkJCQkJCQkJCQkJCQkJCQg=="}]}],
        "users": [{"username": "office", "password": "secret", "roles": ["ROLE_USER"], "applications": ["bank-app"]}],
        "operation_templates": [{"id": "login", "type": "login", "data": "A2", "max_failures": 5, "seconds": 300,
                                 "factors": ["possession_knowledge"]}],
        "mobile_templates": [{"id": "login", "texts": {"en": {"title": "Login approval", "message": "Log in?"}}}]}}
    world = make_world(fixtures=fixtures)
    backend = Backend(world.url + "/powerauth-cloud", ("office", "secret"))
    phone = new_phone(world, "eva", owner="eva")
    registration = backend.register("eva", "bank-app")
    phone.scan(registration["activationQrCodeData"], pin="97531")
    backend.commit(registration["registrationId"])
    start_operation(backend)
    [waiting] = phone.pending(wait=10)
    phone.approve(waiting["id"], pin="97531")
    phone.change(sdks=NEXT)
    assert phone.do("upgrade")["kind"] == "upgrade"
    assert phone.fact("Protocol") == "4.0, EC_P384_ML_L3"
    start_operation(backend)
    [waiting] = phone.pending(wait=10)
    phone.approve(waiting["id"], pin="97531")

    file = tmp_path / "tenant.json"
    file.write_text(json.dumps(fixtures))
    whole(compare.report(recording(world), "--fixtures", file), "powerauth")


def test_five_wrong_pins_block_it_here_as_there(world, backend, make_phone4, compare):
    phone = make_phone4()
    for _ in range(5):
        assert refusal(phone.validate, pin="00000") == 401
    assert backend.state(phone.activation_id) == phone.status().state == "BLOCKED"
    assert refusal(phone.change_pin, "13524", "97531") == 401

    whole(compare.report(recording(world)), "powerauth")


def test_another_app_of_the_tenant_stands_for_the_only_one_of_the_world(world, make_phone4, compare, configuration4):
    """What the app is called stands inside of tokens, too, where nothing is replaced here."""
    make_phone4().validate()
    har = json.dumps(recording(world))
    whole(compare.report(har.replace(configuration4.key, "AAECAwQFBgcICQoLDA0ODw==")), "powerauth")


def test_an_activation_that_is_older_than_the_recording(world, make_phone4, compare):
    phone = make_phone4()
    token = phone.create_token("possession_knowledge")
    world.control("DELETE", "/journal").raise_for_status()
    phone.validate()
    phone.temporary_keys.clear()
    phone.status()
    phone.detail(token)

    report = compare.report(recording(world))
    [told] = [one for one in report["platforms"] if one["name"] == "powerauth"]
    assert report["differences"] == 0 and told["agree"] == 0
    assert reasons(report) == {OLDER}


def test_what_nobody_can_read_is_named(world, backend, application, enrollment, configuration4, compare):
    started = backend.register("eva", application)
    phone = Device4(enrollment, configuration4)
    assert refusal(phone.activate, started["activationQrCodeData"], devicePublicKeys={}) == 400

    told = agrees(compare.report(recording(world)), "powerauth", "the exchange of keys was refused there, and what it said is encrypted")
    assert told["notComparable"] == 1


def test_codes_that_are_shown_without_a_network(world, backend, make_phone4, compare):
    phone = make_phone4()
    operation = backend.start("login", userId="eva")["operationId"]
    for pin in ("00000", "13524"):
        shown = backend.offline_qr(operation, phone.activation_id)
        lines = shown["operationQrCodeData"].split("\n")
        code = phone.offline("/operation/authorize/offline", lines[-2], "&".join([lines[0], lines[3]]).encode(), pin)
        told = backend.approve_offline(operation, phone.activation_id, shown["nonce"], code)
        assert told["otpValid"] is (pin == "13524"), told

    whole(compare.report(recording(world)), "powerauth")


def test_a_qr_code_that_is_older_than_the_recording(world, backend, make_phone4, compare):
    phone = make_phone4()
    operation = backend.start("login", userId="eva")["operationId"]
    lines = backend.offline_qr(operation, phone.activation_id)["operationQrCodeData"].split("\n")
    code = phone.offline("/operation/authorize/offline", lines[-2], "&".join([lines[0], lines[3]]).encode())
    har = recording(world)
    assert backend.approve_offline(operation, phone.activation_id, lines[-2], code)["otpValid"] is True
    whole_har = recording(world)
    har["log"]["entries"] = [
        entry for entry in whole_har["log"]["entries"] if not entry["request"]["url"].split("?")[0].endswith("/offline/qr")]

    told = agrees(compare.report(har), "powerauth", "it answers a QR code of an operation that is not in the recording")
    assert told["notComparable"] == 1


DIFFERENCES = {
    "another status of an activation": (lambda har: har.answer("/activation/create").update(status=201), "status", "status"),
    "a member more around what is encrypted": (
        lambda har: har.body("/vault/unlock", lambda body: body | {"hint": "x"}), "missing", "body hint"),
    "a member less around what is encrypted": (
        lambda har: har.body("/token/create", lambda body: {"encryptedData": body["encryptedData"]}), "more", "body timestamp"),
    "another word of a refusal": (
        lambda har: har.body("/auth/validate", lambda body: body | {"responseObject": body["responseObject"] | {
            "code": "ERR_VALIDATION"}}), "word", "body responseObject.code"),
}


@pytest.mark.parametrize("what", DIFFERENCES)
def test_a_difference_is_told_once(world, make_phone4, compare, what):
    phone = make_phone4(suite="EC_P384_ML_L3")
    assert refusal(phone.validate, pin="00000") == 401
    phone.create_token()
    phone.vault_key("KDK_APP_VAULT_2FA")
    change, kind, place = DIFFERENCES[what]
    har = Changed(recording(world))
    change(har)
    found = compare.differences(har.har)
    assert [(one[1], one[2]) for one in found] == [(kind, place)], found
