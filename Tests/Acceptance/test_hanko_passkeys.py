"""Passkeys of Hanko's classic endpoints, made and used by an authenticator that is not ours.

Source: Hanko documentation, “Mobile” guide; API description of the public API 1.2.0; Web Authentication Level 3.
"""

import json
import uuid

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from fido2.utils import websafe_decode, websafe_encode

from passkey_device import ALGORITHMS, PasskeyDevice, sha256
from software_authenticator import Authenticator
from understudy import Client, token_of

ORIGIN = "http://localhost:3000"


def bearer(token):
    return {"headers": {"Authorization": "Bearer " + token}}


def registered(hanko, token, device):
    """The answer to a passkey that the device makes for whoever has the token."""
    options = hanko.post("/webauthn/registration/initialize", **bearer(token))
    assert options.status_code == 200, options.text
    return hanko.post("/webauthn/registration/finalize", device.create(options.json()), **bearer(token))


def asked(hanko, user=None):
    options = hanko.post("/webauthn/login/initialize", {"user_id": user} if user else None)
    assert options.status_code == 200, options.text
    return options.json()


@pytest.fixture
def device():
    return PasskeyDevice(ORIGIN)


@pytest.fixture
def user(world, hanko, device):
    """The id of a user whose passkey is on the device."""
    token = hanko.log_in(world, "keys@example.com")
    answer = registered(hanko, token, device)
    assert answer.status_code == 200, answer.text
    return answer.json()["user_id"]


def test_the_guide_step_by_step(world, hanko, device):
    # Somebody new confirms an address.
    created = hanko.post("/users", {"email": "newcomer@example.com"}).json()
    passcode = hanko.start(created["id"])
    token = token_of(hanko.finish(passcode, world.code("newcomer@example.com")["code"]))

    # Then makes a passkey.
    options = hanko.post("/webauthn/registration/initialize", {"user_id": created["id"]}, **bearer(token))
    assert options.status_code == 200
    public_key = options.json()["publicKey"]
    assert public_key["rp"] == {"id": "localhost", "name": "Hanko Authentication Service"}
    assert websafe_decode(public_key["user"]["id"]) == uuid.UUID(created["id"]).bytes
    assert public_key["user"]["name"] == "newcomer@example.com"
    assert "excludeCredentials" not in public_key
    finished = hanko.post("/webauthn/registration/finalize", device.create(options.json()), **bearer(token))
    assert (finished.status_code, finished.json()) == (
        200, {"credential_id": websafe_encode(device.id), "user_id": created["id"]})

    # Leaves.
    assert hanko.post("/logout", **bearer(token)).status_code == 204
    assert hanko.get("/me", token).status_code == 401

    # And comes back without saying who it is.
    login = hanko.post("/webauthn/login/finalize", device.get(asked(hanko)))
    assert (login.status_code, login.json()) == (200, finished.json())
    assert login.headers["X-Session-Lifetime"] == "43200"
    again = token_of(login)
    [credential] = hanko.get("/webauthn/credentials", again).json()
    assert credential["id"] == websafe_encode(device.id)
    assert credential["transports"] == ["internal"]
    assert hanko.post("/user", {"email": "newcomer@example.com"}).json()["has_webauthn_credential"] is True


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("attests", [False, True], ids=["none", "self"])
def test_every_algorithm_registers_and_signs_in(world, hanko, algorithm, attests):
    device = PasskeyDevice(ORIGIN, algorithm, attests)
    token = hanko.log_in(world, "algorithm@example.com")

    answer = registered(hanko, token, device)
    assert answer.status_code == 200, world.explanations()
    [credential] = hanko.get("/webauthn/credentials", token).json()
    assert credential["attestation_type"] == ("packed" if attests else "none")
    login = hanko.post("/webauthn/login/finalize", device.get(asked(hanko, answer.json()["user_id"])))
    assert login.status_code == 200, world.explanations()


def attested(world, hanko, **behaviour):
    """The answer to a passkey of a software authenticator, and the token of whom it is for."""
    phone = Authenticator(world, origin=ORIGIN, behaviour=behaviour)
    token = hanko.log_in(world, "attested@example.com")
    options = hanko.post("/webauthn/registration/initialize", **bearer(token)).json()
    return hanko.post("/webauthn/registration/finalize", phone.create(json.dumps(options)), **bearer(token)), token, phone


@pytest.mark.parametrize("attestation", ["packed-self", "packed-x5c", "fido-u2f", "tpm", "android-key", "apple"])
def test_each_attestation_registers_and_its_passkey_signs_in(world, hanko, attestation):
    answer, token, phone = attested(world, hanko, attestation=attestation)
    assert answer.status_code == 200, world.explanations()
    [credential] = hanko.get("/webauthn/credentials", token).json()
    assert credential["attestation_type"] == attestation.removesuffix("-self").removesuffix("-x5c")
    assertion = phone.get(json.dumps(asked(hanko)))
    assert hanko.post("/webauthn/login/finalize", assertion).status_code == 200, world.explanations()


@pytest.mark.parametrize("attestation, fault, told", [
    ("packed-x5c", "certificate", 'the organizational unit “Authenticator Attestation”'),
    ("packed-x5c", "aaguid", "the AAGUID of the authenticator data, in the certificate"),
    ("tpm", "certificate", "an empty subject"), ("tpm", "key", "the key of the credential in pubArea"),
    ("tpm", "nonce", "in certInfo"), ("tpm", "properties", "the magic ff544347"),
    ("android-key", "key", "the key of the credential"), ("android-key", "nonce", "attestationChallenge"),
    ("android-key", "properties", "no allApplications"),
    ("apple", "key", "the key of the credential"), ("apple", "nonce", "the nonce"),
])
def test_a_lie_in_a_statement_is_refused_and_the_journal_names_it(world, hanko, attestation, fault, told):
    answer, token, _ = attested(world, hanko, attestation=attestation, attestationFault=fault)
    assert answer.status_code == 400
    assert told in world.explanations(status=400)[0]
    assert not hanko.get("/webauthn/credentials", token).json()


def test_a_known_user_is_asked_for_own_passkeys_without_transports(hanko, device, user):
    options = asked(hanko, user)["publicKey"]

    assert options["allowCredentials"] == [{"type": "public-key", "id": websafe_encode(device.id)}]
    assert options["userVerification"] == "preferred"


def test_a_challenge_works_once(hanko, device, user):
    assertion = device.get(asked(hanko))

    assert hanko.post("/webauthn/login/finalize", assertion).status_code == 200
    replayed = hanko.post("/webauthn/login/finalize", assertion)
    assert (replayed.status_code, replayed.json()) == (
        401, {"code": 401, "message": "Stored challenge and received challenge do not match"})


def test_a_changed_signature_is_refused_and_the_right_one_still_works(world, hanko, device, user):
    assertion = device.get(asked(hanko))
    right = assertion["response"]["signature"]
    wrong = bytearray(websafe_decode(right))
    wrong[-1] ^= 1

    assertion["response"]["signature"] = websafe_encode(bytes(wrong))
    refused = hanko.post("/webauthn/login/finalize", assertion)
    assert (refused.status_code, refused.json()) == (401, {"code": 401, "message": "failed to validate assertion"})
    assert "signature" in world.explanations(status=401)[0]
    assertion["response"]["signature"] = right
    assert hanko.post("/webauthn/login/finalize", assertion).status_code == 200


@pytest.mark.parametrize("origin", ["https://localhost.attacker.example", "https://127.0.0.1:3000"])
def test_another_origin_is_refused_and_the_journal_has_the_line_to_allow_it(world, hanko, device, user, origin):
    device.origin = origin

    refused = hanko.post("/webauthn/login/finalize", device.get(asked(hanko)))
    assert (refused.status_code, refused.json()["message"]) == (401, "failed to validate assertion")
    [told, *_] = world.explanations(status=401)
    assert '"origins": [' in told and f'"{origin}"' in told


def test_a_counter_that_falls_is_refused(world, hanko):
    device = PasskeyDevice(ORIGIN)
    device.counter = 5
    assert registered(hanko, hanko.log_in(world, "copy@example.com"), device).status_code == 200

    device.counter = 6
    assert hanko.post("/webauthn/login/finalize", device.get(asked(hanko))).status_code == 200
    copied = hanko.post("/webauthn/login/finalize", device.get(asked(hanko)))
    assert (copied.status_code, copied.json()["message"]) == (400, "failed to validate assertion")


def test_registration_options_expire_by_the_clock_of_the_world(world, hanko, device):
    token = hanko.log_in(world, "late@example.com")
    options = hanko.post("/webauthn/registration/initialize", **bearer(token)).json()

    world.advance(601)
    late = hanko.post("/webauthn/registration/finalize", device.create(options), **bearer(token))
    assert (late.status_code, late.json()["message"]) == (400, "failed to validate attestation")


def test_the_spelling_and_places_of_the_android_sample(world, hanko, device):
    token = hanko.log_in(world, "android@example.com")
    options = hanko.post("/webauthn/registration/initialize", {"user_id": "ignored"}, **bearer(token)).json()
    made = device.create(options)
    assert made["transports"] == ["internal"]
    assert hanko.post("/webauthn/registration/finalize", made, **bearer(token)).status_code == 200

    empty = hanko.post("/webauthn/login/initialize", headers={"Content-Type": "application/json"})
    assertion = device.get(empty.json())
    assertion["response"]["clientDataJson"] = assertion["response"].pop("clientDataJSON")
    assert hanko.post("/webauthn/login/finalize", assertion).status_code == 200


def test_a_passkey_is_renamed_and_removed(world, hanko, device, user):
    token = token_of(hanko.post("/webauthn/login/finalize", device.get(asked(hanko))))
    path = "/webauthn/credentials/" + websafe_encode(device.id)

    renamed = hanko.patch(path, token, {"name": "Phone"})
    assert (renamed.status_code, renamed.content) == (200, b"")
    assert hanko.get("/webauthn/credentials", token).json()[0]["name"] == "Phone"
    assert hanko.delete(path, token).status_code == 204
    assert hanko.get("/webauthn/credentials", token).json() == []
    assert hanko.post("/webauthn/login/finalize", device.get(asked(hanko))).status_code == 401


def test_a_password_beside_the_passkey(world, hanko):
    token = hanko.log_in(world, "word@example.com")
    user = hanko.get("/me", token).json()["id"]
    body = {"user_id": user, "password": "correct horse"}

    first = hanko.put("/password", token, body)
    assert (first.status_code, first.text) == (201, "null\n")
    login = hanko.post("/password/login", body)
    assert (login.status_code, login.text) == (200, "null\n")
    assert login.headers["X-RateLimit-Limit"] == "5"
    assert hanko.get("/me", token_of(login)).json()["id"] == user
    assert hanko.post("/password/login", body | {"password": "wrong horse"}).status_code == 401
    # The cast has a password from the fixtures.
    ada = hanko.post("/user", {"email": "ada@example.com"}).json()["id"]
    assert hanko.post("/password/login", {"user_id": ada, "password": "analytical-engine"}).status_code == 200


def raw(der):
    """r and s, one after the other, as WebCrypto and many hardware modules give them."""
    r, s = decode_dss_signature(der)
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def respaced(client_data):
    return json.dumps(json.loads(client_data)).encode()


#: How clients sign wrongly: the message, what becomes of the signature, what becomes of the client data, what the journal finds.
MISTAKES = {
    "raw": (lambda data, client: data + sha256(client), raw, bytes, "r and s, one after the other"),
    "not hashed": (lambda data, client: data + client, bytes, bytes, "client data that are not hashed"),
    "hashed twice": (lambda data, client: data + sha256(sha256(client)), bytes, bytes, "hashed twice"),
    "hash alone": (lambda data, client: sha256(client), bytes, bytes, "over the hash of client data alone"),
    "prehashed": (lambda data, client: sha256(data + sha256(client)), bytes, bytes, "hashed before it was signed"),
    "re-serialised": (lambda data, client: data + sha256(client), bytes, respaced, "were re-serialised"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_the_journal_names_the_mistake_behind_a_wrong_signature(world, hanko, device, user, mistake):
    message, form, posted, found = MISTAKES[mistake]
    credential = device.get(asked(hanko))
    response = credential["response"]
    data, client_data = (websafe_decode(response[name]) for name in ("authenticatorData", "clientDataJSON"))
    signature = device.key.sign(message(data, client_data), ec.ECDSA(hashes.SHA256()))
    response["signature"] = websafe_encode(form(signature))
    response["clientDataJSON"] = websafe_encode(posted(client_data))

    refused = hanko.post("/webauthn/login/finalize", credential)
    assert (refused.status_code, refused.json()["message"]) == (401, "failed to validate assertion")
    [entry] = world.journal(path="/hanko/webauthn/login/finalize", limit=1)
    assert found in entry["explanation"]


def test_ids_and_challenges_that_are_encoded_twice_are_told(world, hanko, device, user):
    def told(credential):
        assert hanko.post("/webauthn/login/finalize", credential).status_code == 401
        [entry] = world.journal(path="/hanko/webauthn/login/finalize", limit=1)
        return entry["explanation"]

    credential = device.get(asked(hanko))
    credential["id"] = credential["rawId"] = websafe_encode(credential["id"].encode())
    assert "The credential id is encoded twice" in told(credential)
    options = asked(hanko)
    options["publicKey"]["challenge"] = websafe_encode(options["publicKey"]["challenge"].encode())
    assert "The challenge is encoded twice" in told(device.get(options))


def test_a_page_that_can_never_use_the_relying_party_id_is_told(world, hanko, device, user):
    device.origin = "https://app.example.com"
    assert hanko.post("/webauthn/login/finalize", device.get(asked(hanko))).status_code == 401
    [entry] = world.journal(path="/hanko/webauthn/login/finalize", limit=1)
    assert "https://app.example.com can never use localhost" in entry["explanation"]


def test_strict_fixtures_refuse_what_hanko_lets_pass(make_world, device):
    for strict in False, True:
        world = make_world(fixtures={"hanko": {
            "strict_webauthn": strict, "any_localhost_origin": True,
            "config": {"mfa": {"enabled": False}, "session": {"enable_auth_token_header": True}}}})
        hanko = Client(world.hanko)
        device.counter = 7
        assert registered(hanko, hanko.log_in(world, "strict@example.com"), device).status_code == 200
        device.counter = 0
        answer = hanko.post("/webauthn/login/finalize", device.get(asked(hanko)))
        assert answer.status_code == (400 if strict else 200)
        told = "".join(entry.get("explanation") or "" for entry in world.journal(limit=8))
        assert ('“strict_webauthn” is on' if strict else "Let pass as Hanko does") in told


def test_an_app_of_the_association_file_may_log_in(hanko, device, user):
    # The fingerprint of com.example.app in the built-in fixtures.
    fingerprint = "146DE983C5730650D8EEB9952F34FC6416A08342E61DBEA88A0496B23FCF44E5"
    device.origin = "android:apk-key-hash:" + websafe_encode(bytes.fromhex(fingerprint))
    assert hanko.post("/webauthn/login/finalize", device.get(asked(hanko))).status_code == 200


#: What the models of Hanko's Android sample demand of each answer. Source: hanko-android-example, folder models.
DEMANDED = {
    "config": {"password"}, "user": {"id", "email", "created_at", "updated_at", "verified"}, "found": {"id", "verified"},
    "passcode": {"id", "ttl", "created_at"}, "finalized": {"credential_id", "user_id"},
}


def test_the_vendors_android_sample_can_read_every_answer(make_world, device):
    world = make_world(fixtures={"hanko": {
        "full_user_answers": True, "any_localhost_origin": True,
        "config": {"mfa": {"enabled": False}, "session": {"enable_auth_token_header": True}}}})
    hanko = Client(world.hanko)

    def read(model, answer):
        assert answer.ok, answer.text
        assert DEMANDED[model] <= {name for name, value in answer.json().items() if value is not None}, answer.text
        return answer.json()

    assert "min_password_length" in read("config", hanko.get("/.well-known/config"))["password"]
    assert hanko.post("/user", {"email": "android@example.com"}).status_code == 404
    user = read("user", hanko.post("/users", {"email": "android@example.com"}))
    passcode = read("passcode", hanko.post("/passcode/login/initialize", {"user_id": user["id"]}))
    finished = hanko.post(
        "/passcode/login/finalize", {"id": passcode["id"], "code": world.code("android@example.com")["code"]})
    read("passcode", finished)
    token = finished.headers["X-Auth-Token"]
    read("found", hanko.post("/user", {"email": "android@example.com"}))
    assert hanko.get("/me", token).json()["id"] == user["id"]
    shown = read("user", hanko.get("/users/" + user["id"], token))
    assert shown["verified"] is True
    read("finalized", registered(hanko, token, device))
    read("finalized", hanko.post("/webauthn/login/finalize", device.get(asked(hanko))))
