"""The device in software that the other tests of PowerAuth use, checked by itself: published vectors and a worked example."""

import base64
import json

import pytest

from powerauth_arithmetic import (
    BIOMETRY, KNOWLEDGE, POSSESSION, TRANSPORT, VAULT, ZERO_IV, activation_code, b64, base64_code, canonical_query, crc16,
    decimal_code, decrypt, derive, derive_internal, derive_x963, encrypt, fingerprint, is_activation_code, mac, master_secret,
    next_counter, normalised, point, private_key, public_key, sha256, token_digest, totp, unb64, unb64url, verifies)
from powerauth_messages import Configuration, Envelope, StatusBlob, counter_hash, status_iv
from understudy import ROOT

VECTORS = ROOT / "Tests/Vectors/powerauth"
EXAMPLE = json.loads((VECTORS / "example.json").read_text())
ENVELOPES = [f"E2ee_{scope}_Scope_Test_Vectors_3{minor}" for scope in ("Application", "Activation") for minor in range(4)]
KEYS = {name: bytes.fromhex(key) for name, key in EXAMPLE["activation"]["derivedKeys"].items()}
FACTOR_KEYS = {"possession": KEYS["possession"], "knowledge": KEYS["knowledge"], "biometry": KEYS["biometry"]}


def pairs(name):
    """Inputs and outputs of a published file, which must have some."""
    data = json.loads((VECTORS / "v3" / f"{name}.json").read_text())["data"]
    assert data
    return [(one["input"], one["output"]) for one in data]


def keys_of(given):
    kinds = [kind for kind in FACTOR_KEYS if kind in given["signatureType"].lower()]
    return [unb64(given[f"signature{kind.capitalize()}Key"]) for kind in kinds]


def example_key(name):
    return private_key(bytes.fromhex(EXAMPLE["keys"][name]["private"]))


# Published vectors.

def test_master_secret():
    for given, expected in pairs("compute-master-secret-key"):
        device, server = (private_key(unb64(given[f"{side}PrivateKey"])) for side in ("device", "server"))
        assert master_secret(device, public_key(unb64(given["serverPublicKey"]))) == unb64(expected["masterSecretKey"])
        assert master_secret(server, public_key(unb64(given["devicePublicKey"]))) == unb64(expected["masterSecretKey"])


def test_derived_keys():
    names = {"signaturePossessionKey": POSSESSION, "signatureKnowledgeKey": KNOWLEDGE, "signatureBiometryKey": BIOMETRY,
             "transportKey": TRANSPORT, "vaultEncryptionKey": VAULT}
    for given, expected in pairs("compute-derived-keys"):
        assert {name: b64(derive(unb64(given["masterSecretKey"]), index)) for name, index in names.items()} == expected


def test_fingerprint():
    for given, expected in pairs("public-key-fingerprint-v3"):
        device, server = (public_key(unb64(given[f"{side}PublicKey"])) for side in ("device", "server"))
        assert fingerprint(device, expected["activationId"], server) == expected["fingerprint"]


def test_fingerprint_of_coordinates_that_begin_with_zero():
    cases = json.loads((VECTORS / "short-coordinates.json").read_text())
    assert cases
    for one in cases:
        device, server = (public_key(bytes.fromhex(one[f"{side}PublicKey"])) for side in ("device", "server"))
        assert fingerprint(device, one["activationId"], server) == one["fingerprint"]


def test_signature_of_an_activation_code():
    for given, expected in pairs("verify-activation-data-signature-v3"):
        assert is_activation_code(given["activationCode"])
        key = public_key(unb64(given["masterPublicKey"]))
        assert verifies(key, unb64(expected["activationSignature"]), given["activationCode"].encode())
        assert not verifies(key, unb64(expected["activationSignature"]), b"AAAAA-AAAAA-AAAAA-AAAAA")


@pytest.mark.parametrize("name, code", [("signatures-v3", decimal_code), ("signatures-v31", base64_code)])
def test_authentication_codes(name, code):
    for given, expected in pairs(name):
        assert code(keys_of(given), unb64(given["counterData"]), unb64(given["data"])) == expected["signature"]


def test_offline_codes():
    for given, expected in pairs("signatures-offline"):
        made = decimal_code(keys_of(given), unb64(given["counterData"]), unb64(given["data"]),
                            int(given["signatureComponentLength"]))
        assert made == expected["signature"]


def test_iv_of_the_status_blob():
    for given, expected in pairs("activation-status-blob-iv"):
        assert b64(status_iv(*(unb64(given[name]) for name in ("transportKey", "challenge", "nonce")))) == expected["iv"]


def test_status_blob():
    for given, expected in pairs("activation-status-blob-data"):
        transport, counter = unb64(given["transportKey"]), unb64(given["ctrData"])
        blob = StatusBlob(transport, unb64(given["encryptedStatusBlob"]), unb64(given["challenge"]), unb64(given["nonce"]))
        assert blob.is_readable
        read = [blob.current_version, blob.upgrade_version, blob.failed_attempts, blob.max_failed_attempts, blob.look_ahead,
                blob.counter_byte]
        names = ["currentVersion", "upgradeVersion", "failedAttempts", "maxFailedAttempts", "ctrLookAhead", "ctrByte"]
        assert read == [int(expected[name]) for name in names]
        assert blob.state == {"2": "PENDING_COMMIT", "3": "ACTIVE", "4": "BLOCKED", "5": "REMOVED"}[expected["activationStatus"]]
        for _ in range(int(expected["counterDistance"])):
            counter = next_counter(counter)
        assert blob.counter_hash == counter_hash(transport, counter) == unb64(expected["ctrDataHash"])


@pytest.mark.parametrize("name", ENVELOPES)
def test_envelopes(name):
    [entries] = json.loads((VECTORS / "v3-e2ee" / f"{name}.json").read_text()).values()
    assert entries
    for one in entries:
        version, temporary = one["protocolVersion"], one.get("temporaryKeyId")
        secret, bound = one["applicationSecret"].encode(), [one["applicationKey"]]
        if "transportKey" in one:
            shared = mac(unb64(one["transportKey"]), secret)
            bound.append(one["activationId"])
        else:
            shared = sha256(secret)
        assert b64(shared) == one["sharedInfo2Base"]
        if temporary:
            bound.append(temporary)
        nonce = unb64(one["requestNonce"]) if version >= "3.1" else None
        ephemeral = unb64(one["requestEphemeralPublicKey"])
        envelope = Envelope(version, unb64(one["envelopeKey"]), nonce, ephemeral, shared, bound, temporary)

        sealed = envelope.seal(one["requestData"].encode(), int(one["timestampRequest"]) if version >= "3.2" else None)
        assert (sealed["encryptedData"], sealed["mac"]) == (one["encryptedDataRequest"], one["requestMac"])
        response = {"encryptedData": one["encryptedDataResponse"], "mac": one["responseMac"]}
        if version >= "3.2":
            response |= {"nonce": one["responseNonce"], "timestamp": int(one["timestampResponse"])}
        assert envelope.open(response) == one["responseData"].encode()
        with pytest.raises(AssertionError):
            envelope.open(response | {"mac": b64(sha256(b"something else"))})


def test_primitives():
    derivations = json.loads((VECTORS / "primitives/kdf-x963.json").read_text())["testVectors"]
    ciphers = json.loads((VECTORS / "primitives/aes-cbc-pkcs7.json").read_text())["testVectors"]
    assert derivations and ciphers
    for one in derivations:
        expected = bytes.fromhex(one["expected"])
        assert derive_x963(bytes.fromhex(one["secret"]), bytes.fromhex(one["sinfo"]), len(expected)) == expected
    for one in ciphers:
        plain, key, iv, encrypted = (bytes.fromhex(one[name]) for name in ("plain", "key", "iv", "enc"))
        assert encrypt(key, iv, plain) == encrypted and decrypt(key, iv, encrypted) == plain


def test_one_time_passwords_by_time():
    head, *lines = (VECTORS / "primitives/totp.csv").read_text().splitlines()
    columns = [name.strip() for name in head.split(",")]
    rows = [dict(zip(columns, map(str.strip, line.split(",")), strict=True)) for line in lines]
    rows = [row for row in rows if row["Algorithm"] == "HmacSHA256"]
    assert rows
    for row in rows:
        assert totp(bytes.fromhex(row["Seed"]), int(row["Time (sec)"])) == row["TOTP"], row


# The worked example.

def test_example_configuration():
    application = Configuration(EXAMPLE["application"]["mobileSdkConfigBase64"])
    assert (application.key, application.secret) == (EXAMPLE["application"]["appKey"], EXAMPLE["application"]["appSecret"])
    master = EXAMPLE["keys"]["master"]
    assert point(application.master_public_key).hex() == master["publicUncompressed"]
    assert point(application.master_public_key, compressed=True).hex() == master["publicCompressed"]


def test_example_activation_code():
    example = EXAMPLE["activationCode"]
    assert f"{crc16(bytes.fromhex(example['random'])):04x}" == example["crc16"]
    assert activation_code(bytes.fromhex(example["random"])) == example["code"]
    code, signature = example["qrText"].split("#")
    assert code == example["code"] and verifies(example_key("master").public_key(), unb64(signature), code.encode())


@pytest.mark.parametrize("code", ["AAAAA-AAAAA-AAAAA-AAAAA", "MMMMM-MMMMM-MMMMM-MUTOA", "55555-55555-55555-55YMA",
                                  "W65WE-3T7VI-7FBS2-A4OYA", "X3TS3-TI35Z-JZDNT-TRPFA"])
def test_activation_codes_are_taken_in_their_exact_form(code):
    assert is_activation_code(code)
    for wrong in (code.lower(), code.replace("-", ""), code[:-1], code + "A", "B" + code[1:], code.replace("A", "0", 1) + "-"):
        assert not is_activation_code(wrong), wrong


def test_example_shared_keys():
    example = EXAMPLE["activation"]
    device, server = example_key("device"), example_key("server")
    master = master_secret(device, server.public_key())
    assert master.hex() == example["masterSecret"]
    indices = {"possession": POSSESSION, "knowledge": KNOWLEDGE, "biometry": BIOMETRY, "transport": TRANSPORT, "vault": VAULT}
    assert {name: derive(master, indices[name]).hex() for name in example["derivedKeys"]} == example["derivedKeys"]
    assert fingerprint(device.public_key(), example["activationId"], server.public_key()) == example["fingerprint"]


def test_example_authentication_codes():
    example = EXAMPLE["signature"]
    counter = bytes.fromhex(example["ctrData"])
    data = normalised("POST", example["uriId"], example["nonceBase64"], bytes.fromhex(example["bodyHex"]),
                      EXAMPLE["application"]["appSecret"])
    assert data.decode() == example["dataToSign"]
    assert next_counter(counter).hex() == example["nextCtrData"]
    for form, code in (("signature30", decimal_code), ("signature31", base64_code)):
        for factors, expected in example[form].items():
            assert code([FACTOR_KEYS[factor] for factor in factors.split("_")], counter, data) == expected


def test_example_query():
    example = EXAMPLE["canonicalQuery"]
    assert canonical_query(example["queryString"]) == example["bodyToSign"]
    assert canonical_query("b=2&a=hello+world&a=%C3%A9%26%3D%2B") == "a=hello+world&a=%C3%A9%26%3D%2B&b=2"
    assert canonical_query("") == canonical_query("alone") == ""


def test_example_offline_codes():
    example = EXAMPLE["offline"]
    data = normalised("POST", "/operation/authorize/offline", example["nonceBase64"], example["data"].encode(), "offline")
    assert data.decode() == example["dataToSign"].replace(EXAMPLE["application"]["appSecret"], "offline")
    counter = bytes.fromhex(EXAMPLE["signature"]["ctrData"])
    keys = [KEYS["possession"], KEYS["knowledge"]]
    assert decimal_code(keys, counter, data) == example["signatureLength8"]
    assert decimal_code(keys, counter, data, 4) == example["signatureLength4"]


def test_example_status():
    example = EXAMPLE["status"]
    challenge, nonce = unb64(example["challengeBase64"]), unb64(example["nonceBase64"])
    assert status_iv(KEYS["transport"], challenge, nonce).hex() == example["iv"]
    assert counter_hash(KEYS["transport"], bytes.fromhex(example["ctrDataOfServer"])).hex() == example["ctrDataHash"]
    blob = StatusBlob(KEYS["transport"], unb64(example["encryptedStatusBlobBase64"]), challenge, nonce)
    meaning = example["meaning"]
    assert blob.is_readable and blob.state == "ACTIVE" and meaning["status"] == 3
    assert [blob.counter_byte, blob.failed_attempts, blob.max_failed_attempts, blob.look_ahead] == [
        meaning[name] for name in ("ctrByte", "failCount", "maxFailCount", "lookAhead")]
    assert blob.counter_hash.hex() == example["ctrDataHash"]


@pytest.mark.parametrize("version", ["3.1", "3.2", "3.3"])
def test_example_token(version):
    example = EXAMPLE["token"]
    digest = token_digest(unb64(example["tokenSecretBase64"]), unb64(example["nonceBase64"]), example["timestamp"], version)
    assert digest == example["digest" + version.replace(".", "") + "Base64"]


def test_example_vault():
    hidden = unb64(EXAMPLE["vault"]["encryptedVaultEncryptionKeyBase64"])
    assert len(hidden) == 32 and decrypt(KEYS["transport"], ZERO_IV, hidden).hex() == EXAMPLE["vault"]["vaultKey"]


def test_example_request_of_a_temporary_key():
    example = EXAMPLE["keystoreRequest"]
    secret = base64.b64decode(EXAMPLE["application"]["appSecret"])
    keys = {"Application": secret, "Activation": derive_internal(KEYS["transport"], secret)}
    for scope, key in keys.items():
        assert key.hex() == example[f"hmacKey{scope}Scope"]
        signed, _, signature = example[f"jwt{scope}Scope"].rpartition(".")
        assert mac(key, signed.encode()) == unb64url(signature)


@pytest.mark.parametrize("example", EXAMPLE["ecies"], ids=[f"{one['version']}-{one['scope']}" for one in EXAMPLE["ecies"]])
def test_example_envelopes(example):
    version, request = example["version"], example["request"]
    bound, temporary = [EXAMPLE["application"]["appKey"]], request.get("temporaryKeyId")
    secret = EXAMPLE["application"]["appSecret"].encode()
    shared = sha256(secret)
    if example["scope"] == "activation":
        bound.append(EXAMPLE["activation"]["activationId"])
        shared = mac(KEYS["transport"], secret)
    if temporary:
        bound.append(temporary)
    nonce = unb64(request["nonce"]) if "nonce" in request else None
    envelope = Envelope.to(example_key(example["encryptionKeyUsed"]).public_key(), version, example["sharedInfo1"], shared, bound,
                           example_key("ephemeral"), nonce, True, temporary)
    assert (envelope.encryption_key + envelope.mac_key + envelope.iv_key).hex() == example["envelope48"]
    assert envelope.seal(example["requestPlain"].encode(), request.get("timestamp")) == request
    assert envelope.open(example["response"]) == example["responsePlain"].encode()
