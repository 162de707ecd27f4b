"""WebAuthn answers of recordings are made again as wrong as they were: recordings of spoilt, foreign and lying ones agree with a fresh world of other
chance, and a refusal of what was right is found."""

import json

import pytest
from fido2.utils import websafe_decode, websafe_encode

from compare_recordings import Changed, agrees, recording, whole
from passkey_device import PasskeyDevice
from software_authenticator import Authenticator

ORIGIN = "http://localhost:3000"
FINALIZE = "/webauthn/login/finalize"


@pytest.fixture
def device():
    return PasskeyDevice(ORIGIN)


@pytest.fixture
def begin(world, hanko):
    """Options for a new passkey, and how to send its answer."""
    def make(email):
        headers = {"headers": {"Authorization": "Bearer " + hanko.log_in(world, email)}}
        options = hanko.post("/webauthn/registration/initialize", **headers).json()
        return options, lambda made: hanko.post("/webauthn/registration/finalize", made, **headers).status_code
    return make


@pytest.fixture
def passkey(begin, device):
    options, finish = begin("keys@example.com")
    assert finish(device.create(options)) == 200
    return device


@pytest.fixture
def login(hanko):
    """Statuses of logins with what a function makes of the options."""
    def log_in(make):
        return hanko.post(FINALIZE, make(hanko.post("/webauthn/login/initialize").json())).status_code
    return log_in


def spoilt(answer, name):
    wrong = bytearray(websafe_decode(answer["response"][name]))
    wrong[-1] ^= 1
    return answer | {"response": answer["response"] | {name: websafe_encode(bytes(wrong))}}


def test_a_spoilt_signature_is_spoilt_here(world, passkey, login, compare):
    assert login(lambda options: spoilt(passkey.get(options), "signature")) == 401
    assert login(passkey.get) == 200

    har = recording(world)
    whole(compare.report(har), "hanko")

    # Had the service refused the right one, that would be a difference.
    wrong = Changed(har)
    [last] = [entry for entry in wrong.har["log"]["entries"] if entry["request"]["url"].endswith(FINALIZE)][1:]
    last["response"]["status"] = 401
    assert [(route, kind) for route, kind, *_ in compare.differences(wrong.har)] == [("POST /hanko" + FINALIZE, "status")]


def test_a_challenge_and_an_id_that_are_encoded_twice_are_so_here(world, passkey, login, compare):
    def twice(options):
        options["publicKey"]["challenge"] = websafe_encode(options["publicKey"]["challenge"].encode())
        return passkey.get(options)

    def renamed(options):
        answer = passkey.get(options)
        return answer | dict.fromkeys(("id", "rawId"), websafe_encode(answer["id"].encode()))

    assert [login(twice), login(renamed), login(passkey.get)] == [401, 401, 200]

    whole(compare.report(recording(world)), "hanko")


@pytest.mark.parametrize("origin", ["https://localhost.attacker.example", "https://app.example.com"])
def test_a_page_of_somebody_else_is_one_here(world, passkey, login, compare, origin):
    passkey.origin = origin
    assert login(passkey.get) == 401

    whole(compare.report(recording(world)), "hanko")


def test_a_counter_that_falls_falls_here_and_goes_on(world, begin, device, login, compare):
    options, finish = begin("copy@example.com")
    device.counter = 5
    assert finish(device.create(options)) == 200
    statuses = []
    for count in (6, 6, 9, 3, 10):
        device.counter = count
        statuses.append(login(device.get))
    assert statuses == [200, 400, 200, 400, 200]

    whole(compare.report(recording(world)), "hanko")


def test_the_spelling_of_the_android_sample(world, passkey, login, compare):
    def spelled(options):
        answer = passkey.get(options)
        answer["response"]["clientDataJson"] = answer["response"].pop("clientDataJSON")
        return answer

    assert login(spelled) == 200

    whole(compare.report(recording(world)), "hanko")


@pytest.mark.parametrize("attestation, fault", [
    ("packed-x5c", "certificate"), ("packed-x5c", "aaguid"), ("tpm", "key"), ("tpm", "nonce"), ("android-key", "properties"),
    ("apple", "nonce")])
def test_a_lie_in_a_statement_is_one_here(world, begin, compare, attestation, fault):
    options, finish = begin("attested@example.com")
    phone = Authenticator(world, origin=ORIGIN, behaviour={"attestation": attestation, "attestationFault": fault})
    assert finish(phone.create(json.dumps(options))) == 400

    whole(compare.report(recording(world)), "hanko")


def test_who_stands_behind_a_statement_is_not_in_the_recording(world, begin, compare):
    options, finish = begin("attested@example.com")
    phone = Authenticator(world, origin=ORIGIN, behaviour={"attestation": "packed-x5c"})
    assert finish(phone.create(json.dumps(options))) == 200

    har = Changed(recording(world))
    har.answer("/webauthn/registration/finalize").update(status=400)
    told = agrees(compare.report(har.har), "hanko", "it was refused there, perhaps for its attestation, which is right here")
    assert told["notComparable"] == 1
