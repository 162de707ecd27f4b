"""What somebody who listens to a phone, or meddles with what it sends, gets from PowerAuth: nothing."""

import concurrent.futures
import copy
import json
import os
import uuid

import pytest

from powerauth_answers import Refused, checked
from powerauth_arithmetic import b64, new_key, point, unb64
from powerauth_backend import Backend
from powerauth_channel import ACTIVATION, APPLICATION
from powerauth_device import Device
from powerauth_mobile_token import MobileToken

#: How a generic encrypted call and a signed one are refused.
UNDECIPHERED = 400, "ERR_ENCRYPTION", "POWER_AUTH_ENCRYPTION_FAILED"
UNSIGNED = 401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID"
NOT_CREATED = 400, "ERR_ACTIVATION", "POWER_AUTH_ACTIVATION_INVALID"
USER_INFO = "/pa/v3/user/info"
MEMBERS = ["encryptedData", "mac", "ephemeralPublicKey", "nonce", "timestamp", "temporaryKeyId"]
#: Nothing, infinity, the origin, beyond the field, zeros.
NO_POINTS = [b"", b"\0", b"\4" + bytes(64), b"\2" + b"\xff" * 32, bytes(65)]


def sealed(phone, key=None, timestamp=None):
    """An encrypted question for the user, not yet sent."""
    envelope = phone.envelope(ACTIVATION, "/pa/generic/activation", key)
    return envelope, envelope.seal(b"{}", phone.now() if timestamp is None else timestamp)


def send(phone, request, headers=None):
    return checked(phone.post(USER_INFO, json.dumps(request).encode(), headers or phone.encryption_header(ACTIVATION)))


def test_a_signed_request_is_taken_once(backend, refused, phone):
    body = b'{"requestObject":{}}'
    header = phone.authorization("POST", "/pa/signature/validate", body)
    assert checked(phone.post("/pa/v3/signature/validate", body, header)) == {"status": "OK"}

    with refused(*UNSIGNED):
        checked(phone.post("/pa/v3/signature/validate", body, header))
    assert backend.verify(phone.authorization("POST", "/x", factors="possession"), "POST", "/x")["remainingAttempts"] == 4


def test_of_many_at_once_one_is_taken(backend, refused, make_phone):
    """Each time the same, sent by several threads."""
    phone = make_phone()
    code = phone.authorization("POST", "/x", factors="possession")
    token = phone.token_header(phone.create_token())
    clients = [Backend(backend.base, backend.session.auth) for _ in range(8)]

    def verify(client):
        try:
            return client.verify(code, "POST", "/x")["signatureValid"], client.verify_token(token)["tokenValid"]
        except Refused as refusal:
            return refusal.code

    with concurrent.futures.ThreadPoolExecutor(len(clients)) as pool:
        answers = list(pool.map(verify, clients))
    verdicts = [answer for answer in answers if type(answer) is tuple]
    header = phone.authorization("POST", "/x", factors="possession")
    with concurrent.futures.ThreadPoolExecutor(len(clients)) as pool:
        codes = list(pool.map(lambda client: client.verify(header, "POST", "/x")["signatureValid"], clients))

    assert len(verdicts) == 1 and verdicts[0][1] is True and set(answers) - set(verdicts) == {"ERROR_TOKEN_INVALID"}
    assert sorted(codes) == [False] * 7 + [True]


def test_a_token_header_is_taken_once(backend, refused, phone):
    mobile = MobileToken(phone)
    header = phone.token_header(mobile.token)
    assert backend.verify_token(header)["tokenValid"] is True

    with refused(400, "ERROR_TOKEN_INVALID"):
        backend.verify_token(header)
    with refused(401, "POWERAUTH_AUTH_FAIL"):
        checked(phone.post("/api/auth/token/app/operation/list", headers=header))

    header = phone.token_header(mobile.token)
    checked(phone.post("/api/auth/token/app/operation/list", headers=header))
    with refused(401, "POWERAUTH_AUTH_FAIL"):
        checked(phone.post("/api/auth/token/app/operation/list", headers=header))
    assert mobile.operations() == []


@pytest.mark.parametrize("version", ["3.2", "3.3"])
def test_an_envelope_is_taken_once(refused, make_phone, version):
    phone = make_phone(version=version)
    envelope, request = sealed(phone)
    assert type(json.loads(envelope.open(send(phone, request)))) is dict

    with refused(*UNDECIPHERED):
        send(phone, request)


@pytest.mark.parametrize("version", ["3.0", "3.1"])
def test_old_versions_have_nothing_against_a_second_time(make_phone, version):
    phone = make_phone(version=version)
    envelope, request = sealed(phone)
    # The answers say of each time when it was (iat, jti) and of whom alike.
    first, second = (json.loads(envelope.open(send(phone, request))) for _ in range(2))
    assert first["sub"] == second["sub"]


@pytest.mark.parametrize("version", ["3.2", "3.3"])
def test_an_envelope_of_an_activation_is_taken_once(backend, refused, make_phone, version, enrollment, configuration, application):
    """The layers of `activation/create` are each bound to one time, too."""
    spy = Device(enrollment, configuration, version)
    sent = []
    post, spy.post = spy.post, lambda *given: sent.append(given) or post(*given)
    spy.activate(backend.register("eva", application)["activationQrCodeData"])
    [creation] = [one for one in sent if one[0] == "/pa/v3/activation/create"]

    with refused(*NOT_CREATED):
        checked(post(*creation))
    # Another outer layer around the same inner one does not help.
    inside = spy.envelope(APPLICATION, "/pa/activation")
    request = inside.seal(spy.write({"devicePublicKey": b64(point(new_key().public_key()))}), spy.now())

    def create(code):
        outside = spy.envelope(APPLICATION, "/pa/generic/application")
        layers = {"type": "CODE", "identityAttributes": {"code": code}, "activationData": request}
        return checked(post("/pa/v3/activation/create", spy.write(outside.seal(spy.write(layers), spy.now())),
                            spy.encryption_header(APPLICATION)))

    create(backend.register("eva", application)["activationCode"])
    with refused(*NOT_CREATED):
        create(backend.register("eva", application)["activationCode"])


def changed(text):
    """The same Base64 text with one bit of its bytes flipped."""
    data = bytearray(unb64(text))
    data[len(data) // 2] ^= 1
    return b64(bytes(data))


def test_a_changed_envelope_is_refused(refused, phone):
    # What belongs to a later version only may not be there at all.
    later = {"nonce": b64(os.urandom(16)), "timestamp": phone.now(), "temporaryKeyId": str(uuid.uuid4())}
    for member in MEMBERS:
        _, request = sealed(phone)
        match request.get(member):
            case None:
                given = later[member]
            case int(timestamp):
                given = timestamp + 1
            case _ if member == "temporaryKeyId":
                given = str(uuid.uuid4())
            case text:
                given = changed(text)
        with refused(*UNDECIPHERED, about=member):
            send(phone, request | {member: given})
    phone.user_info()


def test_an_envelope_without_one_of_its_members_is_refused(refused, phone):
    for member in MEMBERS:
        envelope, request = sealed(phone)
        if request.pop(member, None) is None:
            # This version has none: `null` says just that.
            envelope.open(send(phone, request | {member: None}))
            continue
        for given in (request, request | {member: None}):
            with refused(*UNDECIPHERED, about=member):
                send(phone, given)


@pytest.mark.parametrize("version", ["3.1", "3.2", "3.3"])
def test_a_nonce_has_sixteen_bytes(refused, make_phone, version):
    phone = make_phone(version=version)
    for nonce in (b"", bytes(15), bytes(17)):
        envelope = phone.envelope(ACTIVATION, "/pa/generic/activation")
        envelope.nonce = nonce
        with refused(*UNDECIPHERED, about=nonce):
            send(phone, envelope.seal(b"{}", phone.now()))


def test_an_ephemeral_key_is_a_point_of_the_curve(refused, phone):
    for encoded in NO_POINTS:
        _, request = sealed(phone)
        with refused(*UNDECIPHERED, about=encoded):
            send(phone, request | {"ephemeralPublicKey": b64(encoded)})


def test_the_encryption_header_is_bound_to_the_envelope(refused, make_phone, version):
    phone, other = make_phone(version=version), make_phone("grace", version)
    told = {"version": version, "application_key": phone.application.key, "activation_id": phone.activation_id}
    neighbour = {"3.0": "3.1", "3.1": "3.0", "3.2": "3.3", "3.3": "3.2"}[version]
    for wrong in (None, told | {"application_key": b64(os.urandom(16))}, told | {"activation_id": other.activation_id},
                  told | {"activation_id": "no id"}, told | {"version": neighbour}, told | {"version": "9.9"},
                  {name: told[name] for name in ("version", "application_key")}):
        _, request = sealed(phone)
        headers = {"X-PowerAuth-Encryption": phone.header(**wrong)} if wrong else {}
        with refused(*UNDECIPHERED, about=wrong):
            checked(phone.post(USER_INFO, json.dumps(request).encode(), headers))


@pytest.mark.parametrize("version", ["3.2", "3.3"])
def test_an_envelope_of_another_minute_is_refused(refused, make_phone, version):
    phone = make_phone(version=version)
    phone.synchronise_clock()
    for seconds in (-62, 62, -3600, 3600):
        _, request = sealed(phone, timestamp=phone.now() + seconds * 1000)
        with refused(*UNDECIPHERED, about=seconds):
            send(phone, request)
    for seconds in (-50, 50):
        envelope, request = sealed(phone, timestamp=phone.now() + seconds * 1000)
        envelope.open(send(phone, request))


@pytest.mark.parametrize("version", ["3.2", "3.3"])
def test_an_envelope_that_was_held_back_is_stale_by_the_worlds_clock(world, refused, make_phone, version):
    phone = make_phone(version=version)
    _, request = sealed(phone)
    world.advance(61)
    with refused(*UNDECIPHERED):
        send(phone, request)

    with refused(*UNDECIPHERED):
        phone.user_info()
    phone.synchronise_clock()
    phone.user_info()


@pytest.mark.parametrize("scope", [APPLICATION, ACTIVATION])
def test_a_temporary_key_lives_for_five_minutes(world, backend, refused, make_phone, scope, application):
    phone = make_phone(version="3.3")
    key = phone.temporary_keys[scope] = phone.fetch_temporary_key(scope)
    assert key.expires - key.issued == 300_000
    code = backend.register("eva", application, timestampRegistrationExpire=phone.now() + 86_400_000)["activationCode"]

    def use():
        """As a phone that does not look at its clock."""
        key.expires = phone.now() + 60_000
        if scope == ACTIVATION:
            phone.user_info()
        else:
            other = Device(phone.base, phone.application)
            other.temporary_keys[scope], other.clock_offset = key, phone.clock_offset
            other.activate(code)

    world.advance(299)
    phone.synchronise_clock()
    if scope == ACTIVATION:
        use()
    world.advance(2)
    phone.synchronise_clock()
    with refused(*(UNDECIPHERED if scope == ACTIVATION else NOT_CREATED)):
        use()
    key.expires = 0
    phone.user_info()


def test_a_temporary_key_is_for_whom_it_was_made(refused, make_phone):
    phone, other = make_phone(version="3.3"), make_phone("grace", version="3.3")
    for key in (other.fetch_temporary_key(ACTIVATION), phone.fetch_temporary_key(APPLICATION)):
        _, request = sealed(phone, key)
        with refused(*UNDECIPHERED):
            send(phone, request)


def test_a_temporary_key_may_be_used_often(make_phone):
    phone = make_phone(version="3.3")
    key = phone.temporary_key(ACTIVATION)
    for _ in range(3):
        phone.user_info()
    phone.sign_data(b"with the same key")
    assert phone.temporary_key(ACTIVATION) is key


@pytest.mark.parametrize("fault", ["key", "application", "activation", "signature", "no token", "nothing"])
def test_a_request_for_a_temporary_key_must_be_whole(refused, make_phone, configuration, fault):
    phone = make_phone(version="3.3")
    plain = phone.plain

    def meddle(path, request):
        head, body, signature = request["jwt"].split(".")
        wrong = {"signature": {"jwt": f"{head}.{body}.{'A' * len(signature)}"}, "no token": {"jwt": "no.token"}, "nothing": {}}
        return plain(path, wrong.get(fault, request))

    phone.plain = meddle
    match fault:
        case "key":
            phone.transport = os.urandom(16)
        case "application":
            phone.application = copy.copy(configuration)
            phone.application.key = b64(os.urandom(16))
        case "activation":
            phone.activation_id = str(uuid.uuid4())
    with refused(400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE"):
        phone.fetch_temporary_key(ACTIVATION)


def test_the_status_codes_of_signed_and_encrypted_calls(backend, refused, phone):
    """The code is checked first; an envelope that cannot be read is another error."""
    envelope = phone.envelope(ACTIVATION, "/pa/token/create")
    body = json.dumps(envelope.seal(b"{}", phone.now()) | {"mac": b64(os.urandom(32))}).encode()
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_TOKEN_ERROR"):
        checked(phone.signed("/pa/v3/token/create", "/pa/token/create", body))
    with refused(*UNSIGNED):
        phone.create_token("possession_knowledge", "00000")
    with refused(400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID"):
        checked(phone.signed("/pa/v3/vault/unlock", "/pa/vault/unlock", body))
    with refused(401, "ERR_AUTHENTICATION"):
        checked(phone.post("/pa/v3/activation/remove"))
    with refused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_TYPE_INVALID"):
        phone.remove(factors="possession")
    with refused(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED"):
        phone.encrypted("/pa/v3/upgrade/start", "/pa/upgrade", {})
    with refused(400, "ERR_UPGRADE", "POWER_AUTH_UPGRADE_FAILED"):
        checked(phone.signed("/pa/v3/upgrade/commit", "/pa/upgrade/commit", factors="possession"))
    assert backend.state(phone.activation_id) == "ACTIVE"


def test_a_malformed_authorization_is_refused_and_costs_nothing(backend, refused, make_phone):
    phone = make_phone()
    for header in ("", "PowerAuth", "PowerAuth ", "Basic dGVzdDp0ZXN0", 'PowerAuth pa_version="3.3"', 'PowerAuth pa_version="9.9"',
                   'PowerAuth "="', "PowerAuth " + 'pa_version="3.1", ' * 100):
        with refused(*UNSIGNED, about=header):
            checked(phone.post("/pa/v3/signature/validate", headers={"X-PowerAuth-Authorization": header}))
        with refused(401, "POWERAUTH_AUTH_FAIL", about=header):
            checked(phone.post("/api/auth/token/app/operation/list", headers={"X-PowerAuth-Token": header}))
    assert backend.verify(phone.authorization("POST", "/x"), "POST", "/x")["remainingAttempts"] == 5


def test_a_parameter_out_of_shape_is_refused_and_costs_nothing(backend, refused, phone):
    for name, value in (("pa_activation_id", "not-a-uuid"), ("pa_application_key", "AAAA"), ("pa_nonce", "AAAA"),
                        ("pa_signature", "1234"), ("pa_signature_type", "possession_luck"), ("pa_version", "2.0"),
                        ("pa_version", "4.0"), ("pa_nonce", None), ("pa_signature", None), ("pa_version", None)):
        good = phone.authorization("POST", "/x")["X-PowerAuth-Authorization"]
        pairs = dict(part.split("=", 1) for part in good.removeprefix("PowerAuth ").split(", ")) | {name: f'"{value}"'}
        if value is None:
            del pairs[name]
        header = {"X-PowerAuth-Authorization": "PowerAuth " + ", ".join(f"{key}={text}" for key, text in pairs.items())}
        with refused(400, "ERROR_SIGNATURE_INVALID", about=(name, value)):
            backend.verify(header, "POST", "/x")
        with refused(*UNSIGNED, about=(name, value)):
            checked(phone.post("/pa/v3/signature/validate", headers=header))
    assert backend.verify(phone.authorization("POST", "/x", factors="possession"), "POST", "/x")["remainingAttempts"] == 5


def test_an_application_key_that_nobody_knows_costs_an_attempt(backend, phone):
    good = phone.authorization("POST", "/x")["X-PowerAuth-Authorization"]
    header = {"X-PowerAuth-Authorization": good.replace(phone.application.key, b64(os.urandom(16)))}
    told = backend.verify(header, "POST", "/x")
    assert told["signatureValid"] is False
    assert backend.verify(phone.authorization("POST", "/x", factors="possession"), "POST", "/x")["remainingAttempts"] == 4


def test_an_activation_that_nobody_knows_is_removed(backend, phone):
    phone.activation_id = str(uuid.uuid4())
    told = backend.verify(phone.authorization("POST", "/x"), "POST", "/x")
    assert (told["signatureValid"], told["registrationStatus"]) == (False, "REMOVED")


def test_a_token_header_has_its_time(backend, refused, phone):
    phone.synchronise_clock()
    token = phone.create_token()
    for seconds in (-7210, 1810):
        header = phone.token_header(token, timestamp=phone.now() + seconds * 1000)
        with refused(400, "ERROR_TOKEN_INVALID", about=seconds):
            backend.verify_token(header)
        with refused(401, "POWERAUTH_AUTH_FAIL", about=seconds):
            checked(phone.post("/api/auth/token/app/operation/list", headers=header))
    for seconds in (-7190, 50):
        assert backend.verify_token(phone.token_header(token, timestamp=phone.now() + seconds * 1000))["tokenValid"] is True


def test_a_wrong_digest_costs_nothing(backend, phone):
    token = phone.create_token()
    token.secret, secret = os.urandom(16), token.secret
    for _ in range(6):
        told = backend.verify_token(phone.token_header(token))
        assert (told["tokenValid"], told["registrationStatus"]) == (False, "ACTIVE")
    token.secret = secret
    assert backend.verify_token(phone.token_header(token))["tokenValid"] is True
    assert backend.verify(phone.authorization("POST", "/x"), "POST", "/x")["remainingAttempts"] == 5
