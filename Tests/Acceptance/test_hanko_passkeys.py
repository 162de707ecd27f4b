"""Passkeys of Hanko's classic endpoints, made and used by an authenticator that is not ours.

Source: Hanko documentation, «Mobile» guide; API description of the public API 1.2.0; Web Authentication Level 3.
"""

import json
import uuid

import pytest
from fido2.utils import websafe_decode, websafe_encode

from passkey_device import ALGORITHMS, PasskeyDevice
from software_authenticator import Authenticator
from understudy import token_of

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
    ("packed-x5c", "certificate", 'the organizational unit "Authenticator Attestation"'),
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
    ada = hanko.post("/user", {"email": "ada@example.test"}).json()["id"]
    assert hanko.post("/password/login", {"user_id": ada, "password": "analytical-engine"}).status_code == 200
