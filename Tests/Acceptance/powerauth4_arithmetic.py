"""The arithmetic of PowerAuth's protocol 4.0, from its published description: keys, encryption, codes. Nothing is sent here."""

import hashlib
import hmac
import struct

from Crypto.Hash import cSHAKE256
from cryptography.hazmat.primitives.asymmetric import ec, mldsa, mlkem, utils
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA384
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key

from powerauth_arithmetic import b64, unb64, unb64url

CURVE = ec.SECP384R1()
#: KEMs and signatures beside those over P-384, by suite.
SUITES = {
    "EC_P384": (None, None),
    "EC_P384_ML_L3": (mlkem.MLKEM768PrivateKey, mldsa.MLDSA65PrivateKey),
    "EC_P384_ML_L5": (mlkem.MLKEM1024PrivateKey, mldsa.MLDSA87PrivateKey)}
#: By suite: the name of its second signature in a JWS, and the id of that key in the configuration string.
SECOND = {"EC_P384": None, "EC_P384_ML_L3": ("ML-DSA-65", 3), "EC_P384_ML_L5": ("ML-DSA-87", 4)}


def sized(*parts):
    return b"".join(struct.pack(">I", len(part or b"")) + (part or b"") for part in parts)


def _encoded(number):
    """A number in as few bytes as it takes."""
    return number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")


def _string(data):
    length = _encoded(8 * len(data))
    return bytes([len(length)]) + length + data


def kmac(key, data, custom, size=32):
    """KMAC256 of SP 800-185 §4.3. The package's own takes no key of 16 bytes, which an application secret is."""
    padded = b"\x01\x88" + _string(key)
    padded += bytes(-len(padded) % 136)
    length = _encoded(8 * size)
    return cSHAKE256._new(padded + data + length + bytes([len(length)]), custom.encode(), b"KMAC").read(size)


def kdf(key, label, diversifier=b"", size=32):
    return kmac(key, sized(label.encode(), diversifier), "PA4KDF", size)


def below(key, *labels):
    for label in labels:
        key = kdf(key, label)
    return key


def ctr(key, iv, data):
    cipher = Cipher(algorithms.AES(key), modes.CTR(iv + bytes(4))).encryptor()
    return cipher.update(data) + cipher.finalize()


def seal(key, context, iv, ad, plaintext):
    sealed = ctr(kdf(key, "aead/enc", context), iv, plaintext)
    return iv + kmac(kdf(key, "aead/mac", context), iv + ad + sealed, "PA4MAC-AEAD") + sealed


def unseal(key, context, ad, sealed):
    iv, tag, body = sealed[:12], sealed[12:44], sealed[44:]
    assert hmac.compare_digest(tag, kmac(kdf(key, "aead/mac", context), iv + ad + body, "PA4MAC-AEAD")), "wrong tag"
    return ctr(kdf(key, "aead/enc", context), iv, body)


# The shared secret.

def new_ec():
    return ec.generate_private_key(CURVE)


def ec_point(key, compressed=False):
    return key.public_bytes(Encoding.X962, PublicFormat.CompressedPoint if compressed else PublicFormat.UncompressedPoint)


def ec_public(data):
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)


def spki(key):
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _extract(salt, suite, label, ikm):
    return hmac.digest(salt or bytes(48), b"HPKE-v1" + suite + label + ikm, "sha384")


def _expand(prk, suite, label, info, size):
    info = struct.pack(">H", size) + b"HPKE-v1" + suite + label + info
    # 48 bytes at the most: one block.
    return hmac.digest(prk, info + b"\x01", "sha384")[:size]


def first_secret(own, encapsulated):
    """What an HPKE recipient exports: RFC 9180, base mode, DHKEM(P-384, HKDF-SHA384), HKDF-SHA384, export only."""
    kem, suite, name = b"KEM\x00\x11", b"HPKE\x00\x11\x00\x02\xff\xff", b"DHKEM-P384"
    agreed = own.exchange(ec.ECDH(), ec_public(encapsulated))
    shared = _expand(_extract(b"", kem, b"eae_prk", agreed), kem, b"shared_secret", encapsulated + ec_point(own.public_key()), 48)
    context = b"\x00" + _extract(b"", suite, b"psk_id_hash", b"") + _extract(b"", suite, b"info_hash", name)
    exporter = _expand(_extract(shared, suite, b"secret", b""), suite, b"exp", context, 48)
    return _expand(exporter, suite, b"sec", name, 48)


class Exchange:
    """New key pairs of the device's, to which the server encapsulates a secret."""

    def __init__(self, suite):
        self.suite, self.first = suite, new_ec()
        second = SUITES[suite][0]
        self.second = second and second.generate()

    def request(self):
        keys = [ec_point(self.first.public_key())] + ([spki(self.second.public_key())] if self.second else [])
        return {"algorithm": self.suite, "encapsulationKeys": [b64(key) for key in keys]}

    def secret(self, response):
        keys = [unb64(key) for key in response["encapsulatedKeys"]]
        assert len(keys) == (2 if self.second else 1), response
        secrets = [first_secret(self.first, keys[0])] + ([self.second.decapsulate(keys[1])] if self.second else [])
        assert set(response) == {"salt", "encapsulatedKeys"} and len(unb64(response["salt"])) == 32, response
        parts = struct.pack(">I", 1) + sized(*secrets) + sized(f"shared-secret/{self.suite}".encode(), b"4.0")
        return kmac(unb64(response["salt"]), parts, "KDF")


# Signatures.

class Signers:
    """The public keys that must all have signed: over P-384, and of ML-DSA where the suite has it."""

    def __init__(self, suite, first, second=None):
        self.suite, self.first, self.second = suite, first, second

    def payload(self, jws):
        """The payload of a JWS in general JSON serialization."""
        import json
        wanted = {"ES384": self._first} | ({SECOND[self.suite][0]: self._second} if SECOND[self.suite] else {})
        assert len(jws["signatures"]) == len(wanted), jws
        for one in jws["signatures"]:
            verify = wanted.pop(json.loads(unb64url(one["protected"]))["alg"])
            verify(unb64url(one["signature"]), f"{one['protected']}.{jws['payload']}".encode())
        assert not wanted
        return json.loads(unb64url(jws["payload"]))

    def _first(self, signature, data):
        assert len(signature) == 96
        numbers = (int.from_bytes(half, "big") for half in (signature[:48], signature[48:]))
        self.first.verify(utils.encode_dss_signature(*numbers), data, ec.ECDSA(SHA384()))

    def _second(self, signature, data):
        self.second.verify(signature, data)


def x_coordinate(key):
    """Without leading zeros."""
    number = key.public_numbers().x
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def fingerprint(suite, device, activation_id, server):
    """Each side is a pair of its keys, the second `None` where the suite has none."""
    parts = [x_coordinate(key) + (spki(second) if second else b"") for key, second in (device, server)]
    return decimal(hashlib.sha3_256(suite.encode() + parts[0] + activation_id.encode() + parts[1]).digest(), 8)


def decimal(data, digits):
    return str((int.from_bytes(data[-4:], "big") & 0x7FFFFFFF) % 10 ** digits).zfill(digits)


def second_public(data):
    return data and load_der_public_key(data)


# Codes, tokens, status.

def next_counter(counter):
    return hashlib.sha3_256(counter).digest()


def components(keys, counter, data):
    made = []
    for last in range(1, len(keys) + 1):
        link = b""
        for key in keys[:last]:
            link = kmac(key, counter + link, "PA4CODE")
        made.append(kmac(link, data, "PA4CODE"))
    return made


def online_code(keys, counter, data):
    return b64(b"".join(components(keys, counter, data)))


def offline_code(keys, counter, data, digits=8):
    return "-".join(decimal(part, digits) for part in components(keys, counter, data))


def token_digest(secret, nonce, timestamp):
    return b64(kmac(secret, nonce + f"&{timestamp}&4.0".encode(), "PA4DIGEST"))


class Status:
    """The 80 bytes of an activation's status, of which the last 32 authenticate the others."""

    STATES = [None, "CREATED", "PENDING_COMMIT", "ACTIVE", "BLOCKED", "REMOVED"]

    def __init__(self, secret, data):
        assert len(data) == 80 and data[:4] == bytes.fromhex("dec0ded4"), data
        expected = kmac(below(secret, "util", "util/mac/status"), data[:48], "PA4MAC-STATUS")
        assert hmac.compare_digest(data[48:], expected), "the status is not meant for this phone"
        self.state, self.versions, flags = self.STATES[data[4]], tuple(data[5:7]), data[7]
        names = {1: "confirmation pending", 2: "upgrade pending", 4: "suite unsupported", 8: "biometry"}
        self.flags = {name for bit, name in names.items() if flags & bit}
        self.counter_byte, self.failed_attempts, self.max_failed_attempts, self.look_ahead = data[12:16]
        self.counter_code = data[16:48]

    @staticmethod
    def code_of(secret, counter):
        return kmac(below(secret, "util", "util/mac/ctr-data"), counter, "PA4MAC-CTR")
