"""Passkeys without a browser: what the control API's software authenticators make, an independent relying party accepts, and what they
are told to do wrong, it refuses."""

import json

import pytest
import webauthn
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.cose import COSEAlgorithmIdentifier as Algorithm
from webauthn.helpers.exceptions import InvalidAuthenticationResponse, InvalidRegistrationResponse
from webauthn.helpers.structs import (
    AttestationConveyancePreference, AttestationFormat, AuthenticatorSelectionCriteria, PublicKeyCredentialDescriptor,
    UserVerificationRequirement)

from software_authenticator import ORIGIN, RP, USER, Authenticator


def creation(**more):
    return webauthn.generate_registration_options(
        rp_id=RP, rp_name="Example", user_id=USER, user_name="ada@example.com", **more)


def register(options, credential, **more):
    return webauthn.verify_registration_response(
        credential=json.dumps(credential), expected_challenge=options.challenge, expected_rp_id=RP,
        expected_origin=ORIGIN, require_user_verification=True, **more)


def log_in(options, credential, registered, count=0):
    return webauthn.verify_authentication_response(
        credential=credential, expected_challenge=options.challenge, expected_rp_id=RP, expected_origin=ORIGIN,
        credential_public_key=registered.credential_public_key, credential_current_sign_count=count,
        require_user_verification=True)


@pytest.fixture
def phone(world):
    return Authenticator(world, name="Ada's phone")


@pytest.mark.parametrize("algorithm", [
    Algorithm.ECDSA_SHA_256, Algorithm.EDDSA, Algorithm.RSASSA_PKCS1_v1_5_SHA_256])
def test_a_passkey_is_made_and_logs_in(phone, algorithm):
    options = creation(supported_pub_key_algs=[algorithm])
    registered = register(options, phone.create(options))
    assert registered.fmt == AttestationFormat.NONE and registered.user_verified

    named = webauthn.generate_authentication_options(
        rp_id=RP, allow_credentials=[PublicKeyCredentialDescriptor(id=registered.credential_id)])
    assert log_in(named, phone.get(named), registered).credential_id == registered.credential_id
    # Without a name, the passkey says whose it is.
    open_to_all = webauthn.generate_authentication_options(rp_id=RP)
    found = phone.get(open_to_all)
    assert found["response"]["userHandle"] == bytes_to_base64url(USER)
    assert log_in(open_to_all, found, registered).new_sign_count == 0


@pytest.mark.parametrize("attestation", ["packed-self", "packed-x5c"])
def test_an_attestation_is_verified_up_to_the_root(world, attestation):
    aaguid = "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4"
    phone = Authenticator(world, behaviour={"attestation": attestation, "aaguid": aaguid})
    root = world.get("/authenticators")["attestationRoot"].encode()
    options = creation(attestation=AttestationConveyancePreference.DIRECT)

    registered = register(
        options, phone.create(options), pem_root_certs_bytes_by_fmt={AttestationFormat.PACKED: [root]})
    assert registered.fmt == AttestationFormat.PACKED
    assert registered.aaguid == aaguid


def test_flags_and_counters_are_as_they_are_set(world):
    phone = Authenticator(
        world, behaviour={"backupEligible": True, "backedUp": True, "counter": "increasing"})
    options = creation()
    registered = register(options, phone.create(options))
    assert registered.credential_backed_up and registered.credential_device_type.value == "multi_device"

    count = registered.sign_count
    for _ in range(3):
        request = webauthn.generate_authentication_options(rp_id=RP)
        count, before = log_in(request, phone.get(request), registered, count).new_sign_count, count
        assert count > before
    phone.change(counter="backwards")
    request = webauthn.generate_authentication_options(rp_id=RP)
    with pytest.raises(InvalidAuthenticationResponse, match="sign count"):
        log_in(request, phone.get(request), registered, count)


LIES = [
    ({"clientDataOrigin": "https://evil.example"}, "origin"), ({"challenge": "AQID"}, "challenge"),
    ({"type": "payment.get"}, "type"), ({"userVerified": False}, "not verified"), ({"userPresent": False}, "not present"),
    ({"rpId": "example.net"}, "RP ID"),
]


@pytest.mark.parametrize("behaviour, reason", LIES)
def test_a_lie_in_a_registration_is_found(world, behaviour, reason):
    options = creation()
    lie = Authenticator(world, behaviour=behaviour).create(options)
    with pytest.raises(InvalidRegistrationResponse, match=f"(?i){reason}"):
        register(options, lie)


@pytest.mark.parametrize("behaviour, reason", LIES + [({"breaksSignature": True}, "signature")])
def test_a_lie_in_a_login_is_found(phone, behaviour, reason):
    options = creation()
    registered = register(options, phone.create(options))
    request = webauthn.generate_authentication_options(rp_id=RP)
    phone.change(**behaviour)
    with pytest.raises(InvalidAuthenticationResponse, match=f"(?i){reason}"):
        log_in(request, phone.get(request), registered)

    phone.change(**dict.fromkeys(behaviour))
    assert log_in(request, phone.get(request), registered)


def test_refusals_have_the_names_that_a_browser_gives_them(phone):
    options = creation()
    made = phone.create(options)
    known = [PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(made["id"]))]
    unknown = [PublicKeyCredentialDescriptor(id=b"unknown")]
    cases = [
        ("create", creation(exclude_credentials=known), {}, 409, "InvalidStateError"),
        ("create", creation(), {"origin": "https://example.net"}, 422, "SecurityError"),
        ("create", creation(supported_pub_key_algs=[Algorithm.RSASSA_PSS_SHA_512]), {}, 422, "NotSupportedError"),
        ("get", webauthn.generate_authentication_options(rp_id=RP, allow_credentials=unknown), {}, 422, "NotAllowedError"),
        ("get", webauthn.generate_authentication_options(rp_id="other.com"), {"origin": "https://other.com"}, 422,
         "NotAllowedError"),
    ]
    for call, asked, query, status, title in cases:
        refused = phone.ask(call, asked, **query)
        assert refused.headers["Content-Type"] == "application/problem+json"
        problem = refused.json()
        assert (refused.status_code, problem["title"]) == (status, title), problem
        assert len(problem["detail"]) > 40
        [entry] = phone.world.journal(kind="event", limit=1)
        assert entry["event"] == "ceremony refused" and title in entry["explanation"]


def test_authenticators_go_with_their_world(make_world):
    blue, green = make_world(), make_world()
    phone = Authenticator(blue)
    assert blue.control("GET", phone.path).status_code == 200
    assert green.control("GET", phone.path).status_code == 404
    assert blue.control("POST", f"/worlds/{blue.name}/reset", json={}).status_code == 204
    assert blue.control("GET", phone.path).status_code == 404


def test_a_seed_repeats_the_passkeys(make_world):
    def story(seed):
        phone = Authenticator(make_world(seed=seed))
        options = creation(authenticator_selection=AuthenticatorSelectionCriteria(
            user_verification=UserVerificationRequirement.REQUIRED))
        made = phone.create(options)
        return phone.id, made["id"], made["response"]["publicKey"]

    assert story(7) == story(7) != story(8)


def test_authenticators_survive_the_program(start, tmp_path):
    server = start("--data", tmp_path)
    phone = Authenticator(server.default_world)
    options = creation()
    registered = register(options, phone.create(options))

    server.stop()
    again = start("--data", tmp_path)
    phone.world = again.default_world
    request = webauthn.generate_authentication_options(rp_id=RP)
    assert log_in(request, phone.get(request), registered)
