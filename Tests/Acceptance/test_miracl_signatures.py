"""Signatures of documents (DVS) by identities of MIRACL, verified for back ends.

Source: client-js 4 to 8, MIRACL's libraries for Go and .NET, its documentation of the back end API.
"""

import hashlib
import json
import time

import pytest
import requests

import mpin_pairing
from miracl_backend import Backend
from miracl_channel import Refused
from miracl_device import PIN, WRONG
from mpin import Identity, hex_of, times

DOCUMENT = hashlib.sha256(b"I owe you ten crowns.").hexdigest()


@pytest.fixture
def signer(make_native):
    """A phone of MIRACL MFA with an identity for signatures."""
    phone = make_native()
    phone.register_signing()
    return phone


@pytest.fixture(params=["mfa", "trust"])
def signing(request, make_native, make_trust):
    """A device of either generation, and its PIN for signatures."""
    if request.param == "trust":
        return make_trust(), PIN
    phone = make_native()
    phone.register_signing("5678")
    return phone, "5678"


@pytest.mark.parametrize("kind", ["basic", "bearer", "hmac"])
def test_a_signature_is_verified_for_every_back_end(signing, customer, kind):
    device, pin = signing
    signature = device.sign_document(DOCUMENT, pin=pin)
    headers = {"basic": customer.basic, "bearer": customer.bearer, "hmac": customer.hmac_of(DOCUMENT)}[kind]
    query = {"project_id": customer.project} if kind == "bearer" else {}

    certificate = customer.verify(signature, headers=headers, **query)

    assert certificate["hash"] == DOCUMENT
    assert certificate["exp"] - certificate["cAt"] == 10
    assert certificate["cAt"] >= signature["timestamp"] and abs(certificate["cAt"] - time.time()) < 60


@pytest.mark.parametrize("text", [DOCUMENT, "00", "ab" * 64, DOCUMENT.upper()])
def test_the_bytes_of_a_hash_are_signed_and_not_its_text(trust, customer, text):
    assert customer.verify(trust.sign_document(text))["hash"] == text


def test_keys_of_a_signature_in_any_case(trust, customer):
    signature = trust.sign_document(DOCUMENT)
    spelled = {{"mpinId": "mpinid", "publicKey": "PublicKey", "u": "U", "v": "V"}.get(name, name): value
               for name, value in signature.items()}
    assert customer.verify(spelled, signature["timestamp"])["hash"] == DOCUMENT


def test_the_time_stands_beside_the_signature(trust, customer):
    signature = trust.sign_document(DOCUMENT)
    timestamp = signature.pop("timestamp")
    assert customer.verify(signature, timestamp)["hash"] == DOCUMENT


def change(signature, name, value):
    return signature | {name: value}


def test_what_is_not_what_was_signed(trust, customer, make_trust, declined):
    signature = trust.sign_document(DOCUMENT)
    stranger = make_trust()
    other = stranger.sign_document(DOCUMENT)
    wrong_u = hex_of(times(2, trust.identity.point))

    for changed in (change(signature, "hash", "ab" * 32), change(signature, "u", wrong_u), change(signature, "v", signature["u"]),
                    change(signature, "v", other["v"]), signature | {"u": other["u"], "v": other["v"]}):
        with declined(401):
            customer.verify(changed, signature["timestamp"])
    for timestamp in (signature["timestamp"] - 1, signature["timestamp"] + 1):
        with declined(401):
            customer.verify(signature | {"timestamp": timestamp}, timestamp)
    assert customer.verify(signature)["hash"] == DOCUMENT


def test_who_did_not_sign(trust, customer, make_trust, declined):
    signature = trust.sign_document(DOCUMENT)
    _, foreign = mpin_pairing.new_key_pair()
    for changed in (change(signature, "publicKey", foreign), change(signature, "mpinId", b'{"userID":"nobody"}'.hex())):
        with declined(403, "FORBIDDEN"):
            customer.verify(changed)
    with declined(403):
        customer.verify(change(signature, "mpinId", make_trust().mpin_id))


def test_a_login_identity_without_a_key_signs_nothing(native, customer):
    signature = native.sign(DOCUMENT)
    with pytest.raises(Refused) as refused:
        customer.verify(signature)
    assert refused.value.status in (400, 401, 403)


@pytest.mark.parametrize("changes", [
    {"u": "00"}, {"u": None}, {"v": ""}, {"mpinId": None}, {"hash": None}, {"hash": "no hex"}, {"publicKey": "00"},
    {"u": "04" + "0" * 128}])
def test_what_is_no_signature(trust, customer, changes):
    signature = trust.sign_document(DOCUMENT)
    with pytest.raises(Refused) as refused:
        customer.verify(signature | changes)
    assert refused.value.status in (400, 401, 403)
    if refused.value.status == 400:
        assert refused.value.code == "INVALID_REQUEST_PARAMETERS" and refused.value.context["params"]


def test_a_key_outside_the_group(trust, customer):
    signature = trust.sign_document(DOCUMENT) | {"publicKey": mpin_pairing.point_outside_the_subgroup()}
    with pytest.raises(Refused) as refused:
        customer.verify(signature)
    assert refused.value.status in (400, 403)


def test_a_wrong_pin_signs_nothing(trust, customer, declined):
    with declined(401):
        trust.sign_document(DOCUMENT, pin=WRONG)
    # Who does not prove it first gets a signature that nobody accepts.
    with declined(401):
        customer.verify(trust.sign(DOCUMENT, pin=WRONG))
    assert customer.verify(trust.sign_document(DOCUMENT))["hash"] == DOCUMENT


def test_wrong_pins_for_signatures_block(signer, declined):
    for status in (401, 401, 410):
        with declined(status):
            signer.sign_document(DOCUMENT, pin=WRONG)
    assert signer.status_of(PIN, scope=["otp"]) == 200, "the login has an identity of its own"


def test_a_signature_of_the_future(trust, customer):
    soon = trust.sign_document(DOCUMENT, timestamp=int(time.time()) + 30)
    assert customer.verify(soon)["hash"] == DOCUMENT
    late = trust.sign_document(DOCUMENT, timestamp=int(time.time()) + 300)
    with pytest.raises(Refused) as refused:
        customer.verify(late)
    assert refused.value.status in (400, 401)


def test_a_revoked_signer(signing, customer, declined):
    device, pin = signing
    signature = device.sign_document(DOCUMENT, pin=pin)
    customer.revoke(signature["mpinId"])
    with declined(410):
        customer.verify(signature)


def test_who_may_ask_for_a_verdict(trust, customer, miracl, declined):
    signature = trust.sign_document(DOCUMENT)
    stranger = Backend(miracl, secret="wrong", token="wrong")
    for headers in ({"Authorization": "nothing"}, stranger.basic, stranger.bearer, stranger.hmac_of(DOCUMENT),
                    customer.hmac_of("ab" * 32)):
        with declined(401, "UNAUTHORIZED"):
            customer.verify(signature, headers=headers)


# The back end of the sample.

@pytest.mark.parametrize("paths", [("/login/CreateDocumentHash", "/login/VerifySignature"), ("/document", "/verify-signature")])
def test_the_sample_has_a_document_signed(signing, world, paths):
    device, pin = signing
    made = requests.post(world.url + "/app" + paths[0], data={"document": "I owe you ten crowns."}, timeout=30)
    assert made.status_code == 200, made.text
    document = made.json()
    assert document["hash"] == DOCUMENT and document["authToken"] and type(document["timestamp"]) is int

    signature = device.sign_document(document["hash"], timestamp=document["timestamp"], pin=pin)
    form = {"verificationData": json.dumps(signature), "documentData": json.dumps(document)}
    told = requests.post(world.url + "/app" + paths[1], data=form, timeout=30)
    assert told.status_code == 200, told.text
    assert told.json()["verified"] is True and told.json()["status"]

    signature["v"] = signature["u"]
    form["verificationData"] = json.dumps(signature)
    told = requests.post(world.url + "/app" + paths[1], data=form, timeout=30)
    assert told.status_code == 200 and told.json()["verified"] is False


def test_the_sample_takes_no_document_that_it_did_not_make(trust, world):
    made = requests.post(world.url + "/app/document", params={"document": "I owe you ten crowns."}, timeout=30).json()
    signature = trust.sign_document("ab" * 32, timestamp=made["timestamp"])
    form = {"verificationData": json.dumps(signature), "documentData": json.dumps(made | {"hash": "ab" * 32})}
    told = requests.post(world.url + "/app/verify-signature", data=form, timeout=30)
    assert told.status_code == 400 or told.json()["verified"] is False


def test_a_token_for_a_signing_identity_is_good_once(make_native, declined):
    phone = make_native()
    used = phone.register_signing()
    _, public_key = mpin_pairing.new_key_pair()
    for token in (used, "0" * 32):
        with declined(403):
            phone.register_key(public_key, token)


def test_a_signing_identity_needs_a_key_of_the_right_group(make_native, declined):
    phone = make_native()
    for wrong in ("", "0" * 256, mpin_pairing.point_outside_the_subgroup()):
        token = phone.log_in(PIN, ["dvs-reg"])["dvsRegister"]["token"]
        with declined(400):
            phone.register_key(wrong, token)


def test_a_signing_identity_says_what_it_is(signer):
    claims = json.loads(bytes.fromhex(signer.signing.mpin_id))
    assert claims["scope"] == ["dvs"] and claims["vt"] == "dvs" and claims["userID"] == signer.user


def test_the_documented_sample_is_of_nobody(customer, trust):
    """A signature whose identity this server never made, as a back end may send it after a reset."""
    signature = trust.sign(DOCUMENT)
    made_up = Identity(b'{"userID":"old@example.com"}'.hex(), trust.shares, PIN, trust.secret, trust.public_key)
    with pytest.raises(Refused) as refused:
        customer.verify(signature | {"mpinId": made_up.mpin_id})
    assert (refused.value.status, refused.value.code) == (403, "FORBIDDEN")


def test_keys_of_certificates_are_published(miracl, customer):
    told = customer.get(miracl + "/dvs/jwks")
    assert [key["kid"] for key in told["keys"] if key["kid"] == "s1"] == ["s1"]
    assert all(key["kty"] == "RSA" and "d" not in key for key in told["keys"])
