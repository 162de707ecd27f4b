"""Software authenticators with attestations, against two relying parties that are not ours: py_webauthn and Yubico's fido2.

Their trust anchor is the root in `GET …/authenticators`. What an authenticator is told to do wrong, at least one of them finds.
"""

import json

import pytest
import webauthn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from fido2.attestation import AttestationVerifier
from fido2.attestation.base import InvalidAttestation
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestationObject, AttestedCredentialData, AuthenticatorData, PublicKeyCredentialParameters, PublicKeyCredentialRpEntity,
    PublicKeyCredentialType)
from webauthn.helpers.cose import COSEAlgorithmIdentifier as Algorithm
from webauthn.helpers.exceptions import InvalidRegistrationResponse
from webauthn.helpers.structs import AttestationConveyancePreference, AttestationFormat

from software_authenticator import ORIGIN, RP, USER, Authenticator

ES256, ES384, ES512, EDDSA, RS256, PS256 = -7, -35, -36, -8, -257, -37
FORMATS = ["fido-u2f", "tpm", "android-key", "apple"]


def root(world):
    return world.get("/authenticators")["attestationRoot"].encode()


class PyWebAuthn:
    """Checks every format."""

    refusal = InvalidRegistrationResponse

    def __init__(self, world):
        self.root = root(world)

    def register(self, phone, algorithm=ES256):
        options = webauthn.generate_registration_options(
            rp_id=RP, rp_name="Example", user_id=USER, user_name="ada@example.com",
            attestation=AttestationConveyancePreference.DIRECT, supported_pub_key_algs=[Algorithm(algorithm)])
        registered = webauthn.verify_registration_response(
            credential=json.dumps(phone.create(options)), expected_challenge=options.challenge, expected_rp_id=RP,
            expected_origin=ORIGIN, supported_pub_key_algs=[Algorithm(algorithm)],
            pem_root_certs_bytes_by_fmt={format: [self.root] for format in AttestationFormat})
        return AttestationFormat(registered.fmt).value


class Fido2:
    """Checks packed, fido-u2f, tpm and apple; android-key it does not know."""

    refusal = InvalidAttestation

    def __init__(self, world):
        root_der = x509.load_pem_x509_certificate(root(world)).public_bytes(serialization.Encoding.DER)

        class Verifier(AttestationVerifier):
            def ca_lookup(self, attestation_result, auth_data):
                return root_der

        self.server = Fido2Server(
            PublicKeyCredentialRpEntity(id=RP, name="Example"), attestation="direct", verify_attestation=Verifier())

    def register(self, phone, algorithm=ES256):
        credential, _ = self.register_credential(phone, algorithm)
        return AttestationObject(webauthn.base64url_to_bytes(credential["response"]["attestationObject"])).fmt

    def register_credential(self, phone, algorithm):
        self.server.allowed_algorithms = [PublicKeyCredentialParameters(type=PublicKeyCredentialType.PUBLIC_KEY, alg=algorithm)]
        options, state = self.server.register_begin({"id": USER, "name": "ada", "displayName": "Ada"})
        credential = phone.create(json.dumps(dict(options)))
        return credential, self.server.register_complete(state, credential).credential_data

    def log_in(self, phone, data):
        options, state = self.server.authenticate_begin([data])
        return self.server.authenticate_complete(state, [data], phone.get(json.dumps(dict(options))))


PARTIES = {"py_webauthn": PyWebAuthn, "fido2": Fido2}


@pytest.mark.parametrize("party", PARTIES)
@pytest.mark.parametrize("attestation", ["packed-self", "packed-x5c"] + FORMATS)
def test_a_statement_leads_to_the_root(world, attestation, party):
    if (party, attestation) in {("fido2", "android-key"), ("fido2", "packed-self")}:
        pytest.skip("fido2 knows no android-key, and finds no authority behind self attestation")
    phone = Authenticator(world, behaviour={"attestation": attestation})
    assert PARTIES[party](world).register(phone) == attestation.removesuffix("-self").removesuffix("-x5c")


@pytest.mark.parametrize("algorithm", [ES256, ES512, EDDSA, RS256])
def test_android_attests_keys_of_each_kind(world, algorithm):
    assert PyWebAuthn(world).register(Authenticator(world, behaviour={"attestation": "android-key"}), algorithm) == "android-key"


@pytest.mark.parametrize("party", PARTIES)
@pytest.mark.parametrize("algorithm", [ES256, ES512, RS256])
def test_a_tpm_attests_keys_on_curves_and_of_rsa(world, algorithm, party):
    assert PARTIES[party](world).register(Authenticator(world, behaviour={"attestation": "tpm"}), algorithm) == "tpm"


CHAIN = {"py_webauthn": "Certificate chain could not be validated", "fido2": "^$"}

#: By attestation and fault: who finds it, and what it says.
LIES = [
    ("packed-x5c", "issuer", CHAIN),
    ("packed-x5c", "certificate", {"fido2": 'must have OU = "Authenticator Attestation"'}),
    ("packed-x5c", "aaguid", {"fido2": "AAGUID .* does not match"}),
    ("fido-u2f", "issuer", CHAIN),
    ("tpm", "issuer", CHAIN),
    ("tpm", "certificate", {"py_webauthn": "Subject .* was not empty", "fido2": "should not have Subject"}),
    ("tpm", "key", {"py_webauthn": "was not same as public key", "fido2": "pubArea does not match"}),
    ("tpm", "nonce", {"py_webauthn": "extra data did not match", "fido2": "does not sign for authData"}),
    ("tpm", "properties", {"py_webauthn": "magic .* was not", "fido2": "generated value field"}),
    ("android-key", "issuer", {"py_webauthn": CHAIN["py_webauthn"]}),
    ("android-key", "key", {"py_webauthn": "public key did not match"}),
    ("android-key", "nonce", {"py_webauthn": "attestationChallenge field was not"}),
    ("android-key", "properties", {"py_webauthn": "allApplications field was present"}),
    ("apple", "issuer", CHAIN),
    ("apple", "key", {"py_webauthn": "public key did not match"}),
    ("apple", "nonce", {"py_webauthn": "nonce was not expected", "fido2": "Nonce does not match"}),
]


@pytest.mark.parametrize("attestation, fault, finders", LIES)
def test_a_lie_in_a_statement_is_found(world, attestation, fault, finders):
    phone = Authenticator(world, behaviour={"attestation": attestation})
    for name, reason in finders.items():
        party = PARTIES[name](world)
        phone.change(attestationFault=fault)
        with pytest.raises(party.refusal, match=reason):
            party.register(phone)
        phone.change(attestationFault=None)
        assert party.register(phone)


@pytest.mark.parametrize("attestation", ["packed-x5c", "fido-u2f", "tpm", "android-key"])
def test_a_broken_signature_of_a_statement_is_found(world, attestation):
    phone = Authenticator(world, behaviour={"attestation": attestation, "breaksSignature": True})
    with pytest.raises(InvalidRegistrationResponse, match="(?i)signature"):
        PyWebAuthn(world).register(phone)


def test_a_fault_belongs_to_an_attestation(world):
    phone = Authenticator(world, behaviour={"attestation": "apple", "attestationFault": "nonce"})
    before = world.control("GET", phone.path).json()
    refused = world.control("PATCH", phone.path, json={"behaviour": {"attestation": "fido-u2f"}})
    assert refused.status_code == 400
    assert refused.json()["detail"] == (
        'The value of “behaviour.attestationFault” must be null or one of “issuer” with the attestation “fido-u2f”, '
        'but is “nonce”.')
    assert world.control("GET", phone.path).json() == before


@pytest.mark.parametrize("attestation, algorithm", [("fido-u2f", ES384), ("apple", RS256), ("tpm", EDDSA)])
def test_an_algorithm_that_such_a_device_has_not_is_refused(world, attestation, algorithm):
    phone = Authenticator(world, behaviour={"attestation": attestation})
    refused = phone.ask("create", json.dumps({
        "rp": {"id": RP, "name": "Example"}, "user": {"id": "YWRh", "name": "ada", "displayName": "Ada"},
        "challenge": "AQID", "pubKeyCredParams": [{"type": "public-key", "alg": algorithm}]}))
    assert (refused.status_code, refused.json()["title"]) == (422, "NotSupportedError")


@pytest.mark.parametrize("algorithm", [ES256, ES384, ES512, EDDSA, RS256])
def test_a_passkey_of_each_algorithm_logs_in_at_fido2(world, algorithm):
    phone, party = Authenticator(world, behaviour={"attestation": "packed-x5c"}), Fido2(world)
    _, data = party.register_credential(phone, algorithm)
    assert data.public_key[3] == algorithm
    assert party.log_in(phone, data).credential_id == data.credential_id


def test_ps256_has_a_salt_as_long_as_the_hash(world):
    # RFC 8230, section 2. Both libraries ask for the longest salt instead, so the signature goes to cryptography.
    phone = Authenticator(world, behaviour={"attestation": "packed-self"})
    created = phone.create(json.dumps({
        "rp": {"id": RP, "name": "Example"}, "user": {"id": "YWRh", "name": "ada", "displayName": "Ada"},
        "challenge": "AQID", "pubKeyCredParams": [{"type": "public-key", "alg": PS256}]}))
    response = {name: webauthn.base64url_to_bytes(created["response"][name])
                for name in ("attestationObject", "clientDataJSON", "publicKey")}
    attested = AttestationObject(response["attestationObject"])
    assert attested.att_stmt["alg"] == created["response"]["publicKeyAlgorithm"] == PS256
    assert attested.auth_data.credential_data.public_key[3] == PS256
    key = serialization.load_der_public_key(response["publicKey"])

    def verify(signature, data, client_data):
        digest = hashes.Hash(hashes.SHA256())
        digest.update(client_data)
        key.verify(signature, data + digest.finalize(), padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())

    verify(attested.att_stmt["sig"], bytes(attested.auth_data), response["clientDataJSON"])
    got = phone.get(json.dumps({"rpId": RP, "challenge": "AQID"}))["response"]
    verify(*(webauthn.base64url_to_bytes(got[name]) for name in ("signature", "authenticatorData", "clientDataJSON")))
