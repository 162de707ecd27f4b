"""Protocol 4.0 of PowerAuth, which the SDK 2.x speaks: the life of a registration in each suite, with a phone and a back end that are
not ours, and what is refused on the way."""

import json
import os
import time

import pytest
import requests

from powerauth4_arithmetic import Exchange, below
from powerauth4_device import ACTIVATION, APPLICATION, PIN, Device4, Message
from powerauth_answers import checked, unwrapped
from powerauth_arithmetic import b64, unb64
from powerauth_device import Device

ALGORITHMS = ["EC_P384", "EC_P384_ML_L3", "EC_P384_ML_L5", "LEGACY_P256"]
CODE = (401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID")
TYPE = (401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_TYPE_INVALID")
ENCRYPTION = (400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED")
ACTIVATION_ERROR = (400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID")
KEY = (400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE")


@pytest.fixture
def phone4(make_phone4, suite):
    return make_phone4(suite=suite)


def explanation(world):
    return next(entry["explanation"] for entry in world.journal(limit=5) if entry.get("explanation"))


def managed(world, path, request, version=3):
    url = f"{world.url}/powerauth-java-server/rest/v{version}/{path}"
    return unwrapped(requests.post(url, json={"requestObject": request}, timeout=30))


# Configuration and time.

def test_the_configuration_holds_a_key_of_each_kind(configuration, configuration4, administrator, application):
    told = administrator.application(application)["mobileSdkConfigV4"]

    assert len(told) == 6288
    assert {number: len(key) for number, key in configuration4.keys.items()} == {1: 33, 2: 49, 3: 1974, 4: 2614}
    assert (configuration4.key, configuration4.secret) == (configuration.key, configuration.secret)


def test_the_status_of_the_server(world, make_phone4):
    told = make_phone4().server_status()

    assert told["supportedAlgorithms"] == ALGORITHMS
    assert abs(told["serverTime"] - time.time() * 1000) < 60_000 and told["application"]["version"].startswith("2.")


# The life.

def test_from_the_qr_code_to_an_active_registration(backend, configuration4, application, suite, enrollment, world):
    started = backend.register("eva", application, flags=["VIP"])
    phone = Device4(enrollment, configuration4, suite)

    told = phone.activate(started["activationQrCodeData"], activationName="Eva's phone", deviceInfo="Pixel 8")

    assert phone.activation_id == started["registrationId"] and told["userInfo"]["sub"] == "eva"
    pending = backend.registration(phone.activation_id)
    assert pending["registrationStatus"] == "PENDING_COMMIT" and pending["activationFingerprint"] == phone.fingerprint
    status = phone.status()
    assert (status.state, status.versions, status.flags) == ("PENDING_COMMIT", (4, 4), {"confirmation pending"})
    assert managed(world, "activation/status", {"activationId": phone.activation_id})["confirmationPending"] is True

    phone.confirm()

    assert phone.status().flags == set() and phone.status().state == "PENDING_COMMIT"
    shown = managed(world, "activation/status", {"activationId": phone.activation_id})
    assert shown["confirmationPending"] is False and shown["version"] == 4
    assert shown["devicePublicKeyFingerprint"] == phone.fingerprint

    backend.commit(phone.activation_id)

    status = phone.status()
    assert (status.state, status.counter_byte, status.failed_attempts, status.max_failed_attempts, status.look_ahead) == (
        "ACTIVE", 1, 0, 5, 20)
    active = backend.registration(phone.activation_id)
    assert (active["name"], active["deviceInfo"], active["platform"]) == ("Eva's phone", "Pixel 8", "ios")
    for factors in ("possession", "possession_knowledge"):
        phone.validate(factors=factors)
    for method in ("GET", "PUT", "DELETE"):
        phone.validate(b"" if method == "GET" else b"x", method=method, query="b=2&a=1" if method == "GET" else "")


def test_the_whole_life(backend, phone4):
    phone = phone4
    token = phone.create_token("possession_knowledge")
    detail = phone.detail(token)
    assert detail["activationName"] == detail["responseObject"]["activationName"] == "Test phone"
    assert phone.rename("Another")["activationName"] == "Another"
    assert phone.user_info()["sub"] == "eva"
    assert backend.verify_token(phone.token_header(token))["tokenValid"] is True
    for name, path in [("KEK_DEVICE_PRIVATE", "vault/kek-device-private"), ("KDK_APP_VAULT_2FA", "vault/kdk-app-vault-2fa"),
                       ("KDK_APP_VAULT_KNOWLEDGE", "vault/kdk-app-vault-knowledge")]:
        assert phone.vault_key(name) == below(phone.secret, "vault", path)
    phone.remove_token(token)
    assert backend.verify_token(phone.token_header(token))["tokenValid"] is False
    assert phone.encrypted("/pa/v4/config/application", "/pa/generic/application", scope=APPLICATION) == {"config": []}
    assert phone.encrypted("/pa/v4/config/activation", "/pa/generic/activation") == {"config": []}

    phone.remove()

    assert backend.state(phone.activation_id) == "REMOVED" and phone.status().state == "REMOVED"


def test_a_back_end_verifies_codes_of_its_own_api(backend, make_phone4):
    phone, body = make_phone4(biometry=True), b'{"amount": 7}\n'
    for factors in ("possession", "possession_knowledge", "possession_biometry"):
        told = backend.verify(phone.authorization("POST", "/transfer", body, factors), "POST", "/transfer", body)
        assert told["signatureValid"] is True and told["signatureType"] == factors, told
    told = backend.verify(phone.authorization("GET", "/transfer", b"a=1&b=2"), "GET", "/transfer", query={"b": "2", "a": "1"})
    assert told["signatureValid"] is True
    assert backend.verify(phone.authorization("POST", "/other", body), "POST", "/transfer", body)["signatureValid"] is False


def test_blocked_and_unblocked(backend, phone4, refused):
    backend.block(phone4.activation_id)
    assert phone4.status().state == "BLOCKED"
    with refused(*CODE):
        phone4.validate()
    backend.unblock(phone4.activation_id)
    assert phone4.status().state == "ACTIVE"
    phone4.validate()


# Ways to an activation.

def test_custom_attributes_and_openid_connect(backend, application, configuration4, enrollment, suite):
    phone = Device4(enrollment, configuration4, suite, "sha384")
    told = phone.create_activation("CUSTOM", {"username": "mia"}, custom={"theme": "dark"})
    assert told["customAttributes"] == {"theme": "dark"}
    assert backend.registration(phone.activation_id)["userId"] == "mia" and phone.status().state == "ACTIVE"

    phone = Device4(enrollment, configuration4, suite)
    phone.create_activation("DIRECT", {"method": "oidc", "providerId": "understudy-fake", "code": "any", "nonce": "n"})
    assert backend.registration(phone.activation_id)["userId"] == "ada"
    phone.validate()


def test_no_recovery_codes(configuration4, enrollment, refused, world):
    phone = Device4(enrollment, configuration4)
    with refused(*ACTIVATION_ERROR):
        phone.create_activation("RECOVERY", {"recoveryCode": "AAAAA-AAAAA-AAAAA-AAAAA", "puk": "0000000000"})
    assert "3.x" in explanation(world)


def test_a_code_is_used_once(backend, application, configuration4, enrollment, refused):
    code = backend.register("eva", application)["activationCode"]
    Device4(enrollment, configuration4).activate(code)
    with refused(*ACTIVATION_ERROR):
        Device4(enrollment, configuration4).activate(code)


@pytest.mark.parametrize("change, says", [
    (lambda wish: wish | {"algorithm": "EC_P521"}, "EC_P521"), (lambda wish: wish | {"algorithm": "ec_p384"}, "ec_p384"),
    (lambda wish: wish | {"encapsulationKeys": wish["encapsulationKeys"] * 2}, "expected 1 for EC_P384, got 2"),
    (lambda wish: wish | {"encapsulationKeys": [b64(b"\x04" + bytes(95) + b"\x01")]}, "a point of P-384"),
    (lambda wish: {}, "algorithm")])
def test_an_offer_that_cannot_be_used(backend, application, configuration4, enrollment, refused, world, change, says):
    code = backend.register("eva", application)["activationCode"]
    phone = Device4(enrollment, configuration4)
    with refused(*ACTIVATION_ERROR):
        phone.create_activation("CODE", {"code": code}, sharedSecretRequest=change(Exchange("EC_P384").request()))
    assert says in explanation(world)


def test_compressed_points_are_taken(backend, application, configuration4, enrollment):
    from powerauth4_arithmetic import ec_point

    class Compressed(Exchange):
        def request(self):
            return super().request() | {"encapsulationKeys": [b64(ec_point(self.first.public_key(), True))]}

    code = backend.register("eva", application)["activationCode"]
    phone = Device4(enrollment, configuration4)
    phone.create_activation("CODE", {"code": code}, exchange=Compressed("EC_P384"))
    phone.confirm()


@pytest.mark.parametrize("body", [b"", b"x", b"[]", b"{}", b'{"requestObject":7}', b'{"enableBiometry":true}',
                                  b'{"requestObject":{"enableBiometry":"true"}}'])
def test_a_confirmation_that_cannot_be_read(backend, application, configuration4, enrollment, refused, body):
    phone = Device4(enrollment, configuration4)
    phone.activate(backend.register("eva", application)["activationQrCodeData"])
    with refused(400, "ERR_VALIDATION"):
        checked(phone.coded("/pa/v4/activation/confirm", "/pa/activation/confirm", body))
    assert phone.status().flags == {"confirmation pending"}
    phone.confirm(biometry=True)
    assert phone.status().flags == {"biometry"}


def test_what_an_application_takes_is_changed(backend, application, configuration4, enrollment, make_phone4, refused, world):
    def change(**inputs):
        return world.control("POST", f"/records/powerauth/{application}/change", json={"inputs": inputs}).json()

    told = change(supported_algorithms="EC_P384, LEGACY_P256", minimum_protocol="4")
    facts = {fact["name"]: fact["value"] for fact in told["facts"]}
    assert (facts["Supported algorithms"], facts["New activations"]) == ("EC_P384, LEGACY_P256", "of protocol 4 alone")
    phone = make_phone4()
    assert phone.server_status()["supportedAlgorithms"] == ["EC_P384", "LEGACY_P256"]
    code = backend.register("eva", application)["activationCode"]
    with refused(*KEY):
        Device4(enrollment, configuration4, "EC_P384_ML_L3").activate(code)
    assert "does not take EC_P384_ML_L3" in explanation(world)
    with refused(*ACTIVATION_ERROR):
        from powerauth_messages import Configuration
        Device(enrollment, Configuration(managed(world, "application/detail", {"applicationId": application})["versions"][0][
            "mobileSdkConfig"]), "3.3").activate(code)
    change(supported_algorithms="\n".join(ALGORITHMS), minimum_protocol="3")
    assert make_phone4().server_status()["supportedAlgorithms"] == ALGORITHMS


# A server in front of this one.

def test_what_a_server_in_front_hands_on(make_phone4, world):
    phone = make_phone4()

    def handed_on(path, purpose, request, **more):
        message = Message(phone, ACTIVATION, purpose)
        sealed = message.seal(phone.write(request), phone.now())
        if "signed" in more:
            header = phone.authorization("POST", purpose, phone.write(sealed), pin=more.pop("signed"))["X-PowerAuth-Authorization"]
            parts = dict(part.strip().split("=", 1) for part in header.removeprefix("PowerAuth ").split(", "))
            nonce = parts["pa_nonce"].strip('"')
            more |= {"signedData": "&".join(["POST", b64(purpose.encode()), nonce, b64(phone.write(sealed))]),
                     "authenticationCode": parts["pa_auth_code"].strip('"'), "authenticationVersion": "4.0"}
        told = managed(world, path, sealed | more | {
            "activationId": phone.activation_id, "applicationKey": phone.application.key, "protocolVersion": "4.0"}, 4)
        valid = told.pop("authenticationValid", None)
        return message.open(told), valid

    token, _ = handed_on("token/create", "/pa/token/create", {}, authenticationCodeType="POSSESSION")
    assert len(unb64(token["tokenSecret"])) == 32
    key = {"keyIdentifier": "KEK_DEVICE_PRIVATE"}
    for pin, is_right in (("00000", False), (PIN, True)):
        told, valid = handed_on("vault/unlock", "/pa/vault/unlock", key, signed=pin, authenticationCodeType="POSSESSION_KNOWLEDGE")
        assert valid is is_right and ("vaultEncryptionKey" in told) is is_right
    assert unb64(told["vaultEncryptionKey"]) == below(phone.secret, "vault", "vault/kek-device-private")


def test_a_registration_is_prepared_for_a_server_in_front(backend, application, configuration4, enrollment, suite, world):
    started = managed(world, "activation/init", {"userId": "eva", "applicationId": application}, 4)
    assert set(started["activationSignatures"]) == set(ALGORITHMS)
    phone, exchange = Device4(enrollment, configuration4, suite), Exchange(suite)
    from powerauth4_arithmetic import SUITES, ec_point, new_ec, spki
    keys, second = {"ecdsa": b64(ec_point(new_ec().public_key()))}, SUITES[suite][1]
    if second:
        keys["mldsa"] = b64(spki(second.generate().public_key()))
    inside = Message(phone, APPLICATION, "/pa/activation")
    sealed = inside.seal(phone.write({"sharedSecretRequest": exchange.request(), "devicePublicKeys": keys}), phone.now())
    told = managed(world, "activation/prepare", sealed | {
        "activationCode": started["activationCode"], "applicationKey": phone.application.key, "protocolVersion": "4.0"}, 4)
    assert (told["activationId"], told["activationStatus"]) == (started["activationId"], "PENDING_COMMIT")
    answer = inside.open({name: told[name] for name in ("encryptedData", "timestamp")})
    phone.signing = phone.second_signing = None
    secret = exchange.secret(answer["sharedSecretResponse"])
    blob = unb64(managed(world, "activation/status", {"activationId": told["activationId"]}, 4)["statusBlob"])
    from powerauth4_arithmetic import Status
    assert Status(secret, blob).state == "PENDING_COMMIT"


def test_codes_are_listed_with_their_protocol(make_phone, make_phone4, world):
    old, new = make_phone(), make_phone4()
    old.validate()
    new.validate()
    items = managed(world, "audit/list", {"userId": "eva"}, 4)["items"]
    assert {(item["version"], item["signatureAlgorithm"]) for item in items} == {(3, "PowerAuth-V3"), (4, "PowerAuth-V4")}
    assert {item["version"] for item in managed(world, "signature/list", {"userId": "eva"})["items"]} == {3, 4}


# Temporary keys and encryption.

def test_requests_for_a_temporary_key(make_phone4, refused, world):
    phone = make_phone4()

    def ask(scope, suite="EC_P384", mac_key=None, **more):
        _, jwt = phone.key_request(scope, Exchange(suite), mac_key, **more)
        return phone.post("/pa/v4/keystore/create", phone.write({"requestObject": {"jwt": jwt}}))

    for hash_name in ("sha256", "sha384"):
        phone.jwt_hash = hash_name
        checked(ask(APPLICATION))
        checked(ask(ACTIVATION, iat=1, exp=2))
    for answer, says in [(ask(APPLICATION, mac_key=bytes(32)), "signature"), (ask(ACTIVATION, "EC_P384_ML_L3"), "EC_P384_ML_L3"),
                         (ask(APPLICATION, applicationKey=b64(bytes(16))), "No application"),
                         (ask(ACTIVATION, activationId="d54a2b1f-0000-4000-8000-000000000000"), "There is no activation")]:
        with refused(*KEY):
            checked(answer)
    with refused(400, "ERR_VALIDATION", "requestObject.jwt must not be blank"):
        checked(phone.post("/pa/v4/keystore/create", phone.write({"requestObject": {"jwt": " "}})))
    # Some builds name the activation in application scope.
    from powerauth4_arithmetic import kdf
    own = kdf(phone.application.secret_bytes, "util/mac/get-app-temp-key")
    told = json.loads(unwrapped(ask(ACTIVATION, mac_key=own))["jwt"])
    assert "activationId" not in phone.application.signers("EC_P384").payload(told)


def test_what_cannot_be_opened(make_phone4, refused, world):
    phone = make_phone4()
    path, purpose = "/pa/v4/user/info", "/pa/generic/activation"

    def send(sealed, scope=ACTIVATION):
        return checked(phone.post(path, phone.write(sealed), phone.encryption_header(scope)))

    def sealed(purpose=purpose, timestamp=None, scope=ACTIVATION):
        return Message(phone, scope, purpose).seal(b"{}", phone.now() if timestamp is None else timestamp)

    good = sealed()
    send(good)
    with refused(*ENCRYPTION):
        send(good)
    assert "sent before" in explanation(world)
    tampered = sealed()
    data = bytearray(unb64(tampered["encryptedData"]))
    data[-1] ^= 1
    same = sealed()
    for bad, says in [
            (tampered | {"encryptedData": b64(bytes(data))}, "tag"), (sealed("/pa/vault/unlock"), "“/pa/vault/unlock”, expected"),
            (same | {"nonce": b64(unb64(same["nonce"])[:12] * 2)}, "two halves that differ"),
            (same | {"nonce": b64(os.urandom(24))}, "the first half of the nonce"),
            (same | {"timestamp": same["timestamp"] + 1}, "tag"), (sealed(timestamp=phone.now() - 301_000), "in the past"),
            (sealed(timestamp=phone.now() + 310_000), "in the future"),
            (same | {"temporaryKeyId": "d54a2b1f-0000-4000-8000-000000000000"}, "There is no temporary key"),
            (sealed(scope=APPLICATION), "given to an application"),
            ({name: same[name] for name in same if name != "timestamp"}, "timestamp")]:
        with refused(*ENCRYPTION):
            send(bad)
        assert says in explanation(world), (says, explanation(world))
    send(same)


def test_an_old_temporary_key(make_phone4, refused, world):
    phone = make_phone4()
    message = Message(phone, ACTIVATION, "/pa/generic/activation")
    world.advance(301)
    with refused(*ENCRYPTION):
        checked(phone.post("/pa/v4/user/info", phone.write(message.seal(b"", phone.now() + 301_000)),
                           phone.encryption_header(ACTIVATION)))
    assert "expired at" in explanation(world)


def test_the_other_reading_of_the_status(make_phone4):
    phone = make_phone4()
    assert phone.status("/pa/activation/status").state == "ACTIVE"


# Codes.

def test_wrong_codes(backend, make_phone4, refused, world):
    phone = make_phone4()
    for left in (4, 3):
        with refused(*CODE):
            phone.validate(pin="00000")
        assert "the PIN is wrong" in explanation(world) and f"{left} attempts remain" in explanation(world)
    with refused(*CODE):
        checked(phone.coded("/pa/v4/auth/validate", "/pa/v4/auth/validate", b"{}"))
    assert "it was made for the uriId “/pa/v4/auth/validate”" in explanation(world)
    with refused(*CODE):
        checked(phone.post("/pa/v4/auth/validate", b"{} ", phone.authorization("POST", "/pa/auth/validate", b"{}")))
    phone.status()
    phone.validate(factors="possession_knowledge")
    assert phone.status().failed_attempts == 0
    for _ in range(5):
        with refused(*CODE):
            phone.validate(pin="00000")
    assert backend.state(phone.activation_id) == "BLOCKED" and phone.status().state == "BLOCKED"


def test_the_window_of_the_counter(make_phone4, refused, world):
    phone = make_phone4()
    phone.step(19)
    phone.validate()
    phone.step(20)
    with refused(*CODE):
        phone.validate(factors="possession")
    assert "20 counter values ahead" in explanation(world)


def test_a_code_is_used_up(make_phone4, refused, world):
    phone = make_phone4()
    headers = phone.authorization("POST", "/pa/auth/validate", b"{}")
    checked(phone.post("/pa/v4/auth/validate", b"{}", headers))
    with refused(*CODE):
        checked(phone.post("/pa/v4/auth/validate", b"{}", headers))
    assert "which is used up" in explanation(world)


def test_types_that_a_path_does_not_take(make_phone4, refused):
    phone = make_phone4()
    with refused(*TYPE):
        checked(phone.coded("/pa/v4/activation/remove", "/pa/activation/remove", factors="possession"))
    with refused(*TYPE):
        checked(phone.coded("/pa/v4/biometry/remove", "/pa/biometry/remove"))


def test_each_activation_speaks_its_protocol(backend, application, configuration, configuration4, enrollment, make_phone,
                                             make_phone4, refused, world):
    old, new = make_phone(), make_phone4()
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID"):
        checked(new.post("/pa/v3/signature/validate", b"", new.authorization("POST", "/pa/signature/validate")))
    with refused(*CODE):
        checked(old.post("/pa/v4/auth/validate", b"", old.authorization("POST", "/pa/auth/validate")))
    told = backend.verify(old.authorization("POST", "/x"), "POST", "/x")
    assert told["signatureValid"] is True
    header = new.authorization("POST", "/x")["X-PowerAuth-Authorization"].replace(new.activation_id, old.activation_id)
    assert backend.verify({"X-PowerAuth-Authorization": header}, "POST", "/x")["signatureValid"] is False
    assert "speaks protocol 3" in explanation(world)
    old.validate()
    new.validate()


# Tokens.

def test_tokens(backend, make_phone4, world):
    phone = make_phone4()
    token = phone.create_token()
    header = phone.token_header(token)
    assert backend.verify_token(header)["tokenValid"] is True
    for bad in (header, phone.token_header(token, timestamp=phone.now() - 301_000),
                phone.token_header(token, timestamp=phone.now() + 310_000)):
        assert backend.call("POST", "/v2/token/verify", {"authHeader": bad["X-PowerAuth-Token"]}).status_code == 400
    assert backend.verify_token(phone.token_header((token[0], bytes(32))))["tokenValid"] is False


# Factors.

def test_another_pin(phone4, refused):
    phone = phone4
    old = phone.salt, phone.iv, phone.hidden_knowledge
    phone.change_pin(PIN, "24680")
    new = phone.salt, phone.iv, phone.hidden_knowledge
    # Until a code is made with the new key, the old one counts: the answer may have been lost.
    phone.salt, phone.iv, phone.hidden_knowledge = old
    phone.validate(pin=PIN)
    phone.salt, phone.iv, phone.hidden_knowledge = new
    phone.validate(pin="24680")
    phone.salt, phone.iv, phone.hidden_knowledge = old
    with refused(*CODE):
        phone.validate(pin=PIN)
    phone.salt, phone.iv, phone.hidden_knowledge = new
    phone.status()
    phone.validate(pin="24680")


def test_biometry(phone4, refused, world):
    phone = phone4
    phone.biometry = below(phone.secret, "auth", "auth/biometry")
    with refused(*CODE):
        phone.validate(factors="possession_biometry")
    assert "biometry is not enabled" in explanation(world)
    phone.add_biometry()
    phone.validate(factors="possession_biometry")
    assert phone.status().flags == {"biometry"}
    first = phone.biometry
    phone.add_biometry()
    second, phone.biometry = phone.biometry, first
    phone.validate(factors="possession_biometry")
    phone.biometry = second
    phone.validate(factors="possession_biometry")
    phone.biometry = first
    with refused(*CODE):
        phone.validate(factors="possession_biometry")
    phone.biometry = second
    phone.remove_biometry()
    assert phone.status().flags == set()
    with refused(*CODE):
        phone.validate(factors="possession_biometry")


def test_exchanges_of_another_suite(make_phone4, refused):
    phone = make_phone4()
    request = Exchange("EC_P384_ML_L3").request()
    for path, code in [("password/change", "ERR_PASSWORD_CHANGE"), ("biometry/add", "ERR_BIOMETRY")]:
        with refused(400, code):
            phone.encrypted_then_coded(f"/pa/v4/{path}", f"/pa/{path}", request)


def test_the_vault(make_phone4, refused):
    phone = make_phone4(biometry=True)
    with refused(400, "ERR_VALIDATION"):
        phone.vault_key(" ")
    with refused(400, "ERR_SECURE_VAULT"):
        phone.vault_key("KEY_OF_NOBODY")
    with refused(*TYPE):
        phone.vault_key("KDK_APP_VAULT_2FA", "possession_biometry")


# Beside it.

def test_what_is_not_there_says_so(world):
    for path in ("/enrollment-server/pa/v4/recovery/confirm", "/powerauth-java-server/rest/v4/upgrade/start"):
        answer = requests.post(world.url + path, data="{}", timeout=30)
        assert answer.status_code == 501 and "not emulated" in answer.json()["responseObject"]["message"], answer.text
