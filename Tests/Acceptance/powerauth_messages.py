"""What a PowerAuth device reads and writes: the configuration of its application, the status blob, encrypted envelopes."""

import hmac
import struct

from powerauth_arithmetic import (
    ZERO_IV, agree, b64, decrypt, derive, derive_internal, derive_x963, encrypt, mac, point, public_key, sized, unb64)


class Configuration:
    """The application as the SDK is told it: one string that holds key, secret and the master public key."""

    def __init__(self, text):
        data, at = unb64(text), 1

        def count():
            nonlocal at
            first = data[at]
            width, kept = (1, 0x7F) if first < 0x80 else (2, 0x3FFF) if first < 0xC0 else (4, 0x3FFFFFFF)
            value = int.from_bytes(data[at:at + width], "big") & kept
            at += width
            return value

        def chunk():
            nonlocal at
            length = count()
            at += length
            assert at <= len(data), "the configuration ends too early"
            return data[at - length:at]

        assert data[0] == 1, f"format {data[0]} of a configuration is unknown"
        self.key, self.secret = b64(chunk()), b64(chunk())
        keys = {}
        for _ in range(count()):
            identifier = data[at]
            at += 1
            keys[identifier] = chunk()
        assert at == len(data), "something follows the configuration"
        assert 1 in keys, "no P-256 master key in the configuration"
        self.master_public_key = public_key(keys[1])


STATES = {1: "CREATED", 2: "PENDING_COMMIT", 3: "ACTIVE", 4: "BLOCKED", 5: "REMOVED"}
MAGIC = bytes.fromhex("dec0ded1")


def status_iv(transport, challenge, nonce):
    return derive_internal(derive(transport, 3000), challenge + nonce)


def counter_hash(transport, counter):
    return derive_internal(derive(transport, 4000), counter)


class StatusBlob:
    """What the server says of an activation; without a challenge (3.0) the IV is zero and the counter is not told."""

    def __init__(self, transport, encrypted, challenge=None, nonce=None):
        iv = status_iv(transport, challenge, nonce) if challenge else ZERO_IV
        plain = decrypt(transport, iv, encrypted, padded=False)
        self.is_readable = len(plain) == 32 and plain[:4] == MAGIC
        self.state = STATES.get(plain[4])
        self.current_version, self.upgrade_version = plain[5], plain[6]
        self.counter_byte, self.failed_attempts, self.max_failed_attempts, self.look_ahead = plain[12:16]
        self.counter_hash = plain[16:]


class Envelope:
    """One exchange: a request and its response, encrypted by the same ephemeral key."""

    def __init__(self, version, key, nonce, ephemeral, shared_base, associated, temporary_key_id=None):
        self.version, self.temporary_key_id = version, temporary_key_id
        self.encryption_key, self.mac_key, self.iv_key = key[:16], key[16:32], key[32:48]
        self.nonce, self.ephemeral = nonce, ephemeral
        self.shared_base, self.associated = shared_base, associated

    @classmethod
    def to(cls, public, version, purpose, shared_base, associated, private, nonce, compressed=True, temporary_key_id=None):
        """`purpose` is the text that both sides agree on; `associated` are the texts that the message is bound to."""
        ephemeral = point(private.public_key(), compressed)
        prefix = version.encode() if version >= "3.2" else b""
        key = derive_x963(agree(private, public), prefix + purpose.encode() + ephemeral, 48)
        return cls(version, key, nonce, ephemeral, shared_base, associated, temporary_key_id)

    def _iv(self, nonce):
        return ZERO_IV if self.version == "3.0" else derive_internal(self.iv_key, nonce)

    def _mac(self, encrypted, nonce, timestamp, ephemeral):
        shared = self.shared_base
        if self.version >= "3.2":
            bound = sized(*(text.encode() for text in [self.version, *self.associated]))
            shared = sized(shared, nonce, struct.pack(">Q", timestamp), ephemeral, bound)
        return mac(self.mac_key, encrypted + shared)

    def seal(self, plain, timestamp=None):
        """The members of the request."""
        encrypted = encrypt(self.encryption_key, self._iv(self.nonce), plain)
        request = {"ephemeralPublicKey": b64(self.ephemeral), "encryptedData": b64(encrypted),
                   "mac": b64(self._mac(encrypted, self.nonce, timestamp, self.ephemeral))}
        if self.version >= "3.1":
            request["nonce"] = b64(self.nonce)
        if self.version >= "3.2":
            request["timestamp"] = timestamp
        if self.temporary_key_id:
            request["temporaryKeyId"] = self.temporary_key_id
        return request

    def open(self, response):
        """The plain text of the response, whose members and MAC are checked as the SDK does."""
        extra = {"nonce", "timestamp"} if self.version >= "3.2" else set()
        told = {name for name, value in response.items() if value is not None}
        assert told == {"encryptedData", "mac"} | extra, response
        nonce, timestamp = self.nonce, None
        if extra:
            nonce, timestamp = unb64(response["nonce"]), response["timestamp"]
            assert len(nonce) == 16 and nonce != self.nonce, "the response needs a nonce of its own"
            assert type(timestamp) is int, response
        encrypted = unb64(response["encryptedData"])
        assert hmac.compare_digest(b64(self._mac(encrypted, nonce, timestamp, None)), response["mac"]), "the MAC is wrong"
        return decrypt(self.encryption_key, self._iv(nonce), encrypted)
