"""The arithmetic of PowerAuth 3.0 to 3.3 as a device does it: keys, authentication codes, tokens.

Written from the published description of the protocol on top of pyca/cryptography; it shares nothing with the server. Binary values
are `bytes`, texts of the protocol `str`.
"""

import base64
import hashlib
import hmac
import itertools
import struct
import urllib.parse

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, padding, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

CURVE = ec.SECP256R1()
ZERO_IV = bytes(16)
POSSESSION, KNOWLEDGE, BIOMETRY, TRANSPORT, VAULT = 1, 2, 3, 1000, 2000
FACTORS = {"possession": POSSESSION, "knowledge": KNOWLEDGE, "biometry": BIOMETRY}


def b64(data):
    return base64.b64encode(data).decode()


def unb64(text):
    return base64.b64decode(text, validate=True)


def b64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64url(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def xor(left, right):
    return bytes(a ^ b for a, b in zip(left, right, strict=True))


def sha256(data):
    return hashlib.sha256(data).digest()


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def fold(value):
    """32 bytes folded to 16."""
    return xor(value[:16], value[16:])


def sized(*parts):
    """Each part behind its length in four bytes; an absent part is a length of zero."""
    return b"".join(struct.pack(">I", len(part or b"")) + (part or b"") for part in parts)


def decimal(value, digits):
    """The last four bytes of a hash as a number of that many digits."""
    return f"{(struct.unpack('>I', value[-4:])[0] & 0x7FFFFFFF) % 10**digits:0{digits}d}"


def crc16(data):
    """CRC-16/ARC."""
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0xA001 if crc & 1 else 0)
    return crc


# Symmetric encryption and derivation.

def encrypt(key, iv, plain, padded=True):
    """AES-128-CBC."""
    if padded:
        padder = padding.PKCS7(128).padder()
        plain = padder.update(plain) + padder.finalize()
    cipher = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return cipher.update(plain) + cipher.finalize()


def decrypt(key, iv, data, padded=True):
    cipher = Cipher(algorithms.AES(key), modes.CBC(iv)).decryptor()
    plain = cipher.update(data) + cipher.finalize()
    if not padded:
        return plain
    unpadder = padding.PKCS7(128).unpadder()
    return unpadder.update(plain) + unpadder.finalize()


def derive(key, index):
    """The key with that index under a 16-byte key."""
    return encrypt(key, ZERO_IV, struct.pack(">QQ", 0, index), padded=False)


def derive_internal(key, data):
    return fold(mac(key, data))


def derive_x963(secret, info, length):
    """ANSI X9.63 with SHA-256."""
    blocks = (sha256(secret + struct.pack(">I", number) + info) for number in itertools.count(1))
    return b"".join(itertools.islice(blocks, -(-length // 32)))[:length]


# The curve.

def new_key():
    return ec.generate_private_key(CURVE)


def private_key(data):
    """A private key from its big-endian number, of any length."""
    return ec.derive_private_key(int.from_bytes(data, "big"), CURVE)


def public_key(point):
    """A public key from its point, compressed or not."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)


def point(public, compressed=False):
    form = serialization.PublicFormat.CompressedPoint if compressed else serialization.PublicFormat.UncompressedPoint
    return public.public_bytes(serialization.Encoding.X962, form)


def number(private):
    return private.private_numbers().private_value.to_bytes(32, "big")


def agree(private, public):
    """The x coordinate of the shared point."""
    return private.exchange(ec.ECDH(), public)


def sign(private, data):
    return private.sign(data, ec.ECDSA(hashes.SHA256()))


def verifies(public, signature, data):
    try:
        public.verify(signature, data, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature:
        return False
    return True


def raw_verifies(public, signature, data):
    """The same of a signature that is r and s, 32 bytes each."""
    assert len(signature) == 64, len(signature)
    r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
    return verifies(public, utils.encode_dss_signature(r, s), data)


# What both sides share after the activation.

def master_secret(private, public):
    return fold(agree(private, public))


def fingerprint(device, activation_id, server):
    """What the user compares on both sides before the activation is committed."""
    def x(public):
        coordinate = public.public_numbers().x
        return coordinate.to_bytes((coordinate.bit_length() + 7) // 8, "big")

    return decimal(sha256(x(device) + activation_id.encode() + x(server)), 8)


def activation_code(entropy):
    """The code that ten random bytes make."""
    text = base64.b32encode(entropy + struct.pack(">H", crc16(entropy))).decode().rstrip("=")
    return "-".join(text[at:at + 5] for at in range(0, 20, 5))


def is_activation_code(code):
    """The SDK takes a code in its exact form alone, and checks what its last characters say of the others."""
    letters = code.replace("-", "")
    try:
        data = base64.b32decode(letters + "====")
    except ValueError:
        return False
    return activation_code(data[:10]) == code and len(letters) == 20


# Authentication codes.

def next_counter(counter):
    return fold(sha256(counter))


def components(keys, counter, data):
    """One 32-byte component for each factor key, in the order possession, knowledge, biometry."""
    hashed = [mac(key, counter) for key in keys]
    for position, value in enumerate(hashed):
        for inner in hashed[1:position + 1]:
            value = mac(inner, value)
        yield mac(value, data)


def decimal_code(keys, counter, data, digits=8):
    return "-".join(decimal(component, digits) for component in components(keys, counter, data))


def base64_code(keys, counter, data):
    return b64(b"".join(component[16:] for component in components(keys, counter, data)))


def normalised(method, uri_id, nonce, body, secret):
    """What an authentication code is computed over; `nonce` and `secret` are Base64 texts."""
    return "&".join([method.upper(), b64(uri_id.encode()), nonce, b64(body), secret]).encode()


def canonical_query(query):
    """What stands for the body of a GET request."""
    pairs = [pair.split("=", 1) for pair in query.split("&") if "=" in pair]
    decoded = sorted((urllib.parse.unquote_plus(name), urllib.parse.unquote_plus(value)) for name, value in pairs)

    def encode(text):
        return urllib.parse.quote_plus(text, safe="*").replace("~", "%7E")

    return "&".join(f"{encode(name)}={encode(value)}" for name, value in decoded)


def token_digest(secret, nonce, timestamp, version):
    parts = [nonce, str(timestamp).encode()] + ([version.encode()] if version >= "3.2" else [])
    return b64(mac(secret, b"&".join(parts)))


def totp(seed, seconds, digits=8, step=30):
    """RFC 6238 with HMAC-SHA256."""
    digest = mac(seed, struct.pack(">Q", int(seconds) // step))
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 10**digits:0{digits}d}"
