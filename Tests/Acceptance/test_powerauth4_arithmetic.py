"""The arithmetic of the phone in software of protocol 4.0, checked by itself: published vectors and worked examples."""

import json

from cryptography.hazmat.primitives.serialization import load_der_private_key

from powerauth4_arithmetic import (
    Exchange, kdf, kmac, next_counter, offline_code, online_code, seal, token_digest, unseal)
from powerauth_arithmetic import b64, unb64
from understudy import ROOT


def rows(name):
    found = json.loads((ROOT / f"Tests/Vectors/powerauth/v4/{name}.json").read_text())["rows"]
    assert found
    return found


# Source: NIST SP 800-185, samples 4 and 5 of KMAC.
def test_kmac():
    key, data = bytes(range(0x40, 0x60)), bytes(range(4))
    expected = ("20c570c31346f703c9ac36c61c03cb64c3970d0cfc787e9b79599d273a68d2f7"
                "f69d4cc3de9d104a351689f27cf6f5951f0103f33f4f24871024d9c27773a8dd")
    assert kmac(key, data, "My Tagged Application", 64).hex() == expected
    assert len(kmac(bytes(16), b"", "x")) == 32


def test_derivation():
    for row in rows("kdf"):
        made = kdf(unb64(row["key"]), row["label"], unb64(row["diversifier"]), row["size"])
        assert b64(made) == row["derivedKey"]


def test_encryption():
    for row in rows("aead"):
        key, context, iv, ad, plaintext = (
            unb64(row[name]) for name in ("key", "keyContext", "nonce", "associatedData", "plaintext"))
        assert b64(seal(key, context, iv, ad, plaintext)) == row["ciphertext"]
        assert unseal(key, context, ad, unb64(row["ciphertext"])) == plaintext


def test_shared_secrets():
    for row in rows("shared-secret"):
        exchange = Exchange.__new__(Exchange)
        exchange.suite, exchange.second = row["algorithm"], None
        if exchange.suite != "EC_P384":
            # The package reads no expanded key of ML-KEM; the flows with the server cover this suite.
            continue
        exchange.first = load_der_private_key(unb64(row["ecPrivateKey"]), None)
        assert b64(exchange.secret(row["response"])) == row["sharedSecret"]


def test_codes():
    for row in rows("own-auth-code"):
        keys, counter, data = [unb64(key) for key in row["factorKeys"]], unb64(row["ctrData"]), unb64(row["data"])
        assert online_code(keys, counter, data) == row["online"]
        assert offline_code(keys, counter, data, int(row["length"])) == row["offline"]


def test_counters():
    for row in rows("counter"):
        chain = [unb64(one) for one in row["ctrData"]]
        assert all(next_counter(one) == other for one, other in zip(chain, chain[1:]))


def test_tokens():
    for row in rows("token-digest"):
        assert token_digest(unb64(row["tokenSecret"]), unb64(row["nonce"]), row["timestamp"]) == row["tokenDigest"]
