"""A phone with an app of PowerAuth's mobile SDK, for the protocol's versions 3.0 to 3.3.

It knows the protocol from its published description alone, keeps what a phone keeps, and refuses what the SDK refuses.
"""

import hashlib
import hmac
import json
import os
import uuid

from powerauth_answers import checked, unwrapped
from powerauth_arithmetic import (
    BIOMETRY, FACTORS, KNOWLEDGE, POSSESSION, TRANSPORT, VAULT, ZERO_IV, agree, b64, base64_code, canonical_query, decimal_code,
    decrypt, derive, encrypt, fingerprint, fold, is_activation_code, new_key, next_counter, normalised, number, point, private_key,
    public_key, sign, token_digest, unb64, verifies)
from powerauth_channel import ACTIVATION, APPLICATION, Channel
from powerauth_messages import StatusBlob, counter_hash

PIN = "13524"


class Deadlock(Exception):
    """Phone and server disagree on the counter by more than can be mended."""


class Token:
    def __init__(self, identifier, secret):
        self.id, self.secret = identifier, secret


class Device(Channel):
    """One installation of the app."""

    # Activation.

    def activate(self, scanned, pin=PIN, **more):
        """Takes the text of the registration's QR code, or the code alone."""
        code, _, signature = scanned.partition("#")
        assert is_activation_code(code), code
        assert not signature or verifies(self.application.master_public_key, unb64(signature), code.encode()), scanned
        return self.create_activation("CODE", {"code": code}, pin, **more)

    def create_activation(self, kind, identity, pin=PIN, custom=None, **inner):
        """Exchanges keys; `inner` are members of the inner request. The server's outer answer."""
        device_key = new_key()
        outside = self.envelope(APPLICATION, "/pa/generic/application")
        inside = self.envelope(APPLICATION, "/pa/activation")
        request = {"devicePublicKey": b64(point(device_key.public_key(), self.compressed)), "activationName": "Test phone",
                   "platform": self.platform, "deviceInfo": "Phone in software"} | inner
        layers = {"type": kind, "identityAttributes": identity,
                  "activationData": inside.seal(self.write(request), self.now())}
        if custom is not None:
            layers["customAttributes"] = custom
        answer = self.post("/pa/v3/activation/create", self.write(outside.seal(self.write(layers), self.now())),
                           self.encryption_header(APPLICATION))
        told = json.loads(outside.open(checked(answer)))
        created = json.loads(inside.open(told["activationData"]))
        self._keep(created, device_key, pin)
        self.recovery = created.get("activationRecovery")
        return told

    def _keep(self, created, device_key, pin):
        self.activation_id = str(uuid.UUID(created["activationId"]))
        self.server_public_key = public_key(unb64(created["serverPublicKey"]))
        self.counter, self.counter_byte = unb64(created["ctrData"]), 0
        assert len(self.counter) == 16, created
        self.temporary_keys.pop(ACTIVATION, None)
        master = fold(agree(device_key, self.server_public_key))
        self.possession, self.biometry = derive(master, POSSESSION), derive(master, BIOMETRY)
        self.transport = derive(master, TRANSPORT)
        self.salt = os.urandom(16)
        self.hidden_knowledge = encrypt(self._mask(pin), ZERO_IV, derive(master, KNOWLEDGE), padded=False)
        self.hidden_device_key = encrypt(derive(master, VAULT), ZERO_IV, number(device_key))
        self.device_public_key = device_key.public_key()
        self.fingerprint = fingerprint(self.device_public_key, self.activation_id, self.server_public_key)

    def _mask(self, pin):
        """What hides the knowledge key: made of the PIN, which never leaves the phone. The SDK takes a hundred times as many
        rounds; nobody guesses here."""
        return hashlib.pbkdf2_hmac("sha1", pin.encode(), self.salt, 100, 16)

    def knowledge(self, pin):
        """The knowledge key, or another one if the PIN is wrong: the phone cannot tell."""
        return decrypt(self._mask(pin), ZERO_IV, self.hidden_knowledge, padded=False)

    def change_pin(self, old, new):
        knowledge, self.salt = self.knowledge(old), os.urandom(16)
        self.hidden_knowledge = encrypt(self._mask(new), ZERO_IV, knowledge, padded=False)

    # Authentication codes.

    def factor_keys(self, factors, pin):
        keys = {"possession": lambda: self.possession, "knowledge": lambda: self.knowledge(pin), "biometry": lambda: self.biometry}
        return [keys[factor]() for factor in FACTORS if factor in factors.split("_")]

    def step(self):
        self.counter, self.counter_byte = next_counter(self.counter), (self.counter_byte + 1) % 256

    def code(self, method, uri_id, nonce, body, factors, pin):
        """The code itself; the counter moves on."""
        keys = self.factor_keys(factors, pin)
        compute = decimal_code if self.version == "3.0" else base64_code
        made = compute(keys, self.counter, normalised(method, uri_id, nonce, body, self.application.secret))
        self.step()
        return made

    def authorization(self, method, uri_id, body=b"", factors="possession_knowledge", pin=PIN):
        """The header with an authentication code over the request."""
        nonce = b64(os.urandom(16))
        code = self.code(method, uri_id, nonce, body, factors, pin)
        return {"X-PowerAuth-Authorization": self.header(
            pa_activation_id=self.activation_id, pa_application_key=self.application.key, pa_nonce=nonce,
            pa_signature_type=factors, pa_signature=code, pa_version=self.version)}

    def signed(self, path, uri_id, body=b"{}", factors="possession_knowledge", pin=PIN, headers=()):
        return self.post(path, body, self.authorization("POST", uri_id, body, factors, pin) | dict(headers))

    def validate(self, body=b"{}", factors="possession_knowledge", pin=PIN, method="POST", query=""):
        """Has the server check a code, which is the least that a signed request can do."""
        over = canonical_query(query).encode() if method == "GET" else body
        headers = self.authorization(method, "/pa/signature/validate", over, factors, pin)
        path = "/pa/v3/signature/validate" + ("?" + query if query else "")
        assert checked(self.post(path, b"" if method == "GET" else body, headers, method)) == {"status": "OK"}

    # Status.

    def status(self):
        """The state of the activation, and the phone's counter set right by it."""
        blob = self.status_blob()
        assert blob.is_readable, "the status blob is not meant for this phone"
        assert 1 <= blob.look_ahead <= 64 or self.version == "3.0"
        if self.version >= "3.1" and blob.state == "ACTIVE":
            self._synchronise_counter(blob)
        return blob

    def status_blob(self):
        request, challenge = {"activationId": self.activation_id}, None
        if self.version >= "3.1":
            challenge = os.urandom(16)
            request["challenge"] = b64(challenge)
        told = self.plain("/pa/v3/activation/status", request)
        assert told["activationId"] == self.activation_id, told
        nonce = unb64(told["nonce"]) if challenge else None
        assert challenge or told.get("nonce") is None, told
        self.custom_object = told.get("customObject")
        return StatusBlob(self.transport, unb64(told["encryptedStatusBlob"]), challenge, nonce)

    def _synchronise_counter(self, blob):
        behind = (blob.counter_byte - self.counter_byte) % 256
        counter = self.counter
        for steps in range(blob.look_ahead + 1):
            if hmac.compare_digest(counter_hash(self.transport, counter), blob.counter_hash):
                if steps != behind:
                    raise Deadlock(f"{steps} steps behind by the hash, {behind} by the byte")
                self.counter, self.counter_byte = counter, blob.counter_byte
                return
            counter = next_counter(counter)
        ahead = 256 - behind
        if ahead > blob.look_ahead:
            raise Deadlock(f"{ahead} steps ahead of a server that looks {blob.look_ahead} ahead")
        if ahead > blob.look_ahead // 2:
            self.validate(self.write({"requestObject": {"reason": "COUNTER_SYNCHRONIZATION"}}), "possession")

    # Tokens.

    def create_token(self, factors="possession", pin=PIN):
        told = self.encrypted_then_signed("/pa/v3/token/create", "/pa/token/create", {}, factors, pin)
        assert set(told) == {"tokenId", "tokenSecret"}, told
        secret = unb64(told["tokenSecret"])
        assert len(secret) == 16, told
        return Token(str(uuid.UUID(told["tokenId"])), secret)

    def token_header(self, token, nonce=None, timestamp=None):
        nonce, timestamp = nonce or os.urandom(16), self.now() if timestamp is None else timestamp
        return {"X-PowerAuth-Token": self.header(
            version=self.version, token_id=token.id, token_digest=token_digest(token.secret, nonce, timestamp, self.version),
            nonce=b64(nonce), timestamp=timestamp)}

    def remove_token(self, token):
        body = self.write({"requestObject": {"tokenId": token.id}})
        assert unwrapped(self.signed("/pa/v3/token/remove", "/pa/token/remove", body, "possession")) == {"tokenId": token.id}

    # The vault.

    def unlock_vault(self, pin=PIN, reason="FETCH_ENCRYPTION_KEY", factors="possession_knowledge"):
        """The vault's key; `reason` may be `None`."""
        request = {} if reason is None else {"reason": reason}
        told = self.encrypted_then_signed("/pa/v3/vault/unlock", "/pa/vault/unlock", request, factors, pin)
        assert set(told) == {"encryptedVaultEncryptionKey"}, told
        hidden = unb64(told["encryptedVaultEncryptionKey"])
        assert len(hidden) == 32, "16 bytes and their padding are 32"
        return decrypt(self.transport, ZERO_IV, hidden)

    def sign_data(self, data, pin=PIN):
        """A signature with the device's own key, which the vault's key opens. DER."""
        vault = self.unlock_vault(pin, "SIGN_WITH_DEVICE_PRIVATE_KEY")
        return sign(private_key(decrypt(vault, ZERO_IV, self.hidden_device_key)), data)

    # The rest of the life.

    def user_info(self):
        return self.encrypted("/pa/v3/user/info", "/pa/generic/activation", {})

    def detail(self, token):
        told = self.encrypted("/pa/v3/activation/detail", "/pa/generic/activation", {}, headers=self.token_header(token))
        assert told["status"] == "OK", told
        return told["responseObject"]

    def rename(self, name, pin=PIN):
        """Signs the plain request and then encrypts it."""
        plain, uri_id = self.write({"activationName": name}), "/pa/activation/rename"
        envelope = self.envelope(ACTIVATION, "/pa/generic/activation")
        headers = self.authorization("POST", uri_id, plain, pin=pin)
        answer = self.post("/pa/v3/activation/rename", self.write(envelope.seal(plain, self.now())), headers)
        told = json.loads(envelope.open(checked(answer)))
        assert told["status"] == "OK", told
        return told["responseObject"]

    def remove(self, pin=PIN, factors="possession_knowledge"):
        told = unwrapped(self.signed("/pa/v3/activation/remove", "/pa/activation/remove", factors=factors, pin=pin))
        assert told == {"activationId": self.activation_id}, told

    def confirm_recovery(self, code, pin=PIN):
        """Whether the code had been confirmed before."""
        told = self.encrypted_then_signed(
            "/pa/v3/recovery/confirm", "/pa/recovery/confirm", {"recoveryCode": code}, "possession_knowledge", pin)
        return told["alreadyConfirmed"]
