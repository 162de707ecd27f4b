"""A phone with an app of PowerAuth's mobile SDK 2.x and a suite of protocol 4.0.

It knows the protocol from its published description alone, keeps what a phone keeps, and refuses what the SDK refuses.
"""

import hashlib
import hmac
import json
import os
import struct
import time
import uuid

import requests

from powerauth4_arithmetic import (
    SECOND, SUITES, Exchange, Signers, Status, below, ctr, ec_point, ec_public, fingerprint, kdf, kmac, new_ec, next_counter,
    offline_code, online_code, seal, second_public, sized, spki, token_digest, unseal)
from powerauth_answers import checked, unwrapped
from powerauth_arithmetic import b64, b64url, canonical_query, is_activation_code, normalised, unb64

PIN = "13524"
APPLICATION, ACTIVATION = "application", "activation"


class Configuration4:
    """What the app is built with: the text of the SDK 2.x."""

    def __init__(self, text):
        data = unb64(text)
        assert data[0] == 1, data[:1]
        self._rest = data[1:]
        self.key_bytes, self.secret_bytes = self._field(), self._field()
        assert len(self.key_bytes) == len(self.secret_bytes) == 16
        self.key, self.secret = b64(self.key_bytes), b64(self.secret_bytes)
        self.keys = {}
        for _ in range(self._count()):
            number, self._rest = self._rest[0], self._rest[1:]
            self.keys[number] = self._field()
        assert not self._rest

    def _count(self):
        first = self._rest[0]
        size = 1 if first < 0x80 else 2 if first < 0xC0 else 4
        number = int.from_bytes(self._rest[:size], "big") & {1: 0x7F, 2: 0x3FFF, 4: 0x3FFFFFFF}[size]
        self._rest = self._rest[size:]
        return number

    def _field(self):
        size = self._count()
        field, self._rest = self._rest[:size], self._rest[size:]
        assert len(field) == size
        return field

    def signers(self, suite):
        second = SECOND[suite] and second_public(self.keys[SECOND[suite][1]])
        return Signers(suite, ec_public(self.keys[2]), second)


class TemporaryKey4:
    def __init__(self, claims, secret):
        self.id, self.secret, self.expires = str(uuid.UUID(claims["keyId"])), secret, claims["expiration"]


class Message:
    """One encrypted exchange."""

    def __init__(self, device, scope, purpose, key=None):
        self.scope, self.key = scope, key or device.temporary_key(scope)
        self.nonce = os.urandom(24)
        self.context = b"4.0" + purpose.encode() + self.nonce
        names, secret = [b"4.0", device.application.key.encode()], device.application.secret_bytes
        if scope == ACTIVATION:
            names.append(device.activation_id.encode())
            shared = kmac(below(device.secret, "util", "util/key-e2ee-sh2"), secret, "PA4SH2")
        else:
            shared = hashlib.sha3_256(secret).digest()
        self._associated = lambda timestamp: sized(*names, self.key.id.encode()) + sized(
            struct.pack(">q", timestamp), self.nonce, shared)

    def seal(self, plaintext, timestamp):
        sealed = seal(self.key.secret, self.context, self.nonce[:12], self._associated(timestamp), plaintext)
        return {"temporaryKeyId": self.key.id, "encryptedData": b64(sealed), "nonce": b64(self.nonce), "timestamp": timestamp}

    def open(self, answer):
        assert set(answer) == {"encryptedData", "timestamp"}, answer
        sealed = unb64(answer["encryptedData"])
        assert sealed[:12] == self.nonce[12:], "not the answer to this request"
        return json.loads(unseal(self.key.secret, self.context, self._associated(answer["timestamp"]), sealed))


class Device4:
    """One installation of the app. `base` is the enrollment server's base URL."""

    def __init__(self, base, configuration, suite="EC_P384", jwt_hash="sha256"):
        self.base, self.application, self.suite, self.jwt_hash = base, configuration, suite, jwt_hash
        self.activation_id = self.secret = None
        self.temporary_keys, self.clock_offset = {}, 0
        self.session = requests.Session()
        self.session.trust_env = False

    def now(self):
        return int(time.time() * 1000) + self.clock_offset

    @staticmethod
    def write(value):
        return json.dumps(value, separators=(",", ":")).encode()

    def post(self, path, body=b"", headers=(), method="POST"):
        # The core adds a Content-Type to a body alone.
        kind = {"Content-Type": "application/json"} if body else {}
        return self.session.request(method, self.base + path, data=body, headers=kind | dict(headers), timeout=30)

    @staticmethod
    def header(**pairs):
        return "PowerAuth " + ", ".join(f'{name}="{value}"' for name, value in pairs.items())

    # Time and temporary keys.

    def server_status(self):
        told = unwrapped(self.post("/pa/v4/status", self.write({"requestObject": {"applicationKey": self.application.key}})))
        self.clock_offset = told["serverTime"] - int(time.time() * 1000)
        return told

    def temporary_key(self, scope):
        kept = self.temporary_keys.get(scope)
        if not kept or kept.expires - 10_000 < self.now():
            kept = self.temporary_keys[scope] = self.fetch_temporary_key(scope)
        return kept

    def key_request(self, scope, exchange, mac_key=None, **more):
        claims = {"applicationKey": self.application.key, "challenge": b64(os.urandom(32)),
                  "sharedSecretRequest": exchange.request()}
        key = kdf(self.application.secret_bytes, "util/mac/get-app-temp-key")
        if scope == ACTIVATION:
            claims["activationId"] = self.activation_id
            key = below(self.secret, "util", "util/mac/get-act-temp-key")
        claims |= more
        algorithm = {"sha256": "HS256", "sha384": "HS384"}[self.jwt_hash]
        signed = ".".join(b64url(json.dumps(part).encode()) for part in ({"alg": algorithm}, claims))
        return claims, signed + "." + b64url(hmac.digest(mac_key or key, signed.encode(), self.jwt_hash))

    def fetch_temporary_key(self, scope):
        exchange = Exchange(self.suite)
        claims, jwt = self.key_request(scope, exchange)
        told = unwrapped(self.post("/pa/v4/keystore/create", self.write({"requestObject": {"jwt": jwt}})))["jwt"]
        signers = self.server if scope == ACTIVATION else self.application.signers(self.suite)
        answer = signers.payload(json.loads(told) if isinstance(told, str) else told)
        for name in ("applicationKey", "activationId", "challenge"):
            assert answer.get(name) == claims.get(name), (name, answer)
        assert answer["expiration"] - answer["serverTime"] == 300_000, answer
        self.clock_offset = answer["serverTime"] - int(time.time() * 1000)
        return TemporaryKey4(answer, exchange.secret(answer["sharedSecretResponse"]))

    # Encryption.

    def encryption_header(self, scope):
        pairs = {"version": "4.0", "application_key": self.application.key}
        if scope == ACTIVATION:
            pairs["activation_id"] = self.activation_id
        return {"X-PowerAuth-Encryption": self.header(**pairs)}

    def encrypted(self, path, purpose, request=None, scope=ACTIVATION, headers=()):
        """`request` is a dictionary, or `None` for an empty plaintext."""
        message = Message(self, scope, purpose)
        sealed = message.seal(b"" if request is None else self.write(request), self.now())
        return message.open(checked(self.post(path, self.write(sealed), self.encryption_header(scope) | dict(headers))))

    def encrypted_then_coded(self, path, purpose, request=None, factors="possession_knowledge", pin=PIN):
        message = Message(self, ACTIVATION, purpose)
        sealed = self.write(message.seal(b"" if request is None else self.write(request), self.now()))
        return message.open(checked(self.post(path, sealed, self.authorization("POST", purpose, sealed, factors, pin))))

    # Activation.

    def activate(self, scanned, pin=PIN, **more):
        code = scanned.partition("#")[0]
        assert is_activation_code(code), code
        return self.create_activation("CODE", {"code": code}, pin, **more)

    def create_activation(self, kind, identity, pin=PIN, custom=None, exchange=None, **inner):
        exchange = exchange or Exchange(self.suite)
        signing, second = new_ec(), SUITES[self.suite][1]
        second = second and second.generate()
        keys = {"ecdsa": b64(ec_point(signing.public_key()))}
        if second:
            keys["mldsa"] = b64(spki(second.public_key()))
        request = {"sharedSecretRequest": exchange.request(), "devicePublicKeys": keys, "activationName": "Test phone",
                   "platform": "ios", "deviceInfo": "Phone in software"} | inner
        outside = Message(self, APPLICATION, "/pa/generic/application")
        inside = Message(self, APPLICATION, "/pa/activation", outside.key)
        layers = {"type": kind, "identityAttributes": identity, "activationData": inside.seal(self.write(request), self.now())}
        if custom is not None:
            layers["customAttributes"] = custom
        answer = checked(self.post("/pa/v4/activation/create", self.write(outside.seal(self.write(layers), self.now())),
                                   self.encryption_header(APPLICATION)))
        told = outside.open(answer)
        created = inside.open(told["activationData"])
        assert set(created) == {"sharedSecretResponse", "serverPublicKeys", "activationId", "ctrData"}, created
        self.signing, self.second_signing = signing, second
        self._keep(created, exchange.secret(created["sharedSecretResponse"]), pin)
        return told

    def _keep(self, created, secret, pin):
        self.activation_id = str(uuid.UUID(created["activationId"]))
        self.secret, self.counter, self.counter_byte = secret, unb64(created["ctrData"]), 0
        assert len(self.counter) == 32, created
        keys = {name: unb64(key) for name, key in created["serverPublicKeys"].items()}
        assert set(keys) == {"ecdsa"} | ({"mldsa"} if SECOND[self.suite] else set()), created
        self.server = Signers(self.suite, ec_public(keys["ecdsa"]), second_public(keys.get("mldsa")))
        self.possession = below(secret, "auth", "auth/possession")
        self.biometry = None
        self._hide(below(secret, "auth", "auth/knowledge"), pin)
        self.temporary_keys.pop(ACTIVATION, None)
        device = (self.signing.public_key(), self.second_signing and self.second_signing.public_key())
        self.fingerprint = fingerprint(self.suite, device, self.activation_id, (self.server.first, self.server.second))

    def _hide(self, key, pin):
        self.salt, self.iv = os.urandom(32), os.urandom(12)
        self.hidden_knowledge = ctr(kmac(pin.encode(), self.salt, "PA4PBKDF"), self.iv, key)

    def knowledge(self, pin):
        """The knowledge key, or another one if the PIN is wrong: the phone cannot tell."""
        return ctr(kmac(pin.encode(), self.salt, "PA4PBKDF"), self.iv, self.hidden_knowledge)

    def confirm(self, biometry=False, pin=PIN):
        body = self.write({"requestObject": {"enableBiometry": biometry}})
        headers = self.authorization("POST", "/pa/activation/confirm", body, pin=pin)
        assert checked(self.post("/pa/v4/activation/confirm", body, headers)) == {"status": "OK"}
        if biometry:
            self.biometry = below(self.secret, "auth", "auth/biometry")

    # Authentication codes.

    def factor_keys(self, factors, pin):
        keys = {"possession": lambda: self.possession, "knowledge": lambda: self.knowledge(pin), "biometry": lambda: self.biometry}
        return [keys[factor]() for factor in factors.split("_")]

    def step(self, count=1):
        for _ in range(count):
            self.counter, self.counter_byte = next_counter(self.counter), (self.counter_byte + 1) % 256

    def authorization(self, method, uri_id, body=b"", factors="possession_knowledge", pin=PIN, version="4.0"):
        nonce = b64(os.urandom(16))
        data = normalised(method, uri_id, nonce, body, self.application.secret)
        code = online_code(self.factor_keys(factors, pin), self.counter, data)
        self.step()
        return {"X-PowerAuth-Authorization": self.header(
            pa_version=version, pa_application_key=self.application.key, pa_activation_id=self.activation_id,
            pa_auth_code_type=factors, pa_auth_code=code, pa_nonce=nonce)}

    def offline(self, uri_id, nonce, data, pin=PIN):
        code = offline_code(self.factor_keys("possession_knowledge", pin), self.counter,
                            normalised("POST", uri_id, nonce, data, "offline"))
        self.step()
        return code

    def coded(self, path, uri_id, body=b"", factors="possession_knowledge", pin=PIN):
        return self.post(path, body, self.authorization("POST", uri_id, body, factors, pin))

    def validate(self, body=b"{}", factors="possession_knowledge", pin=PIN, method="POST", query=""):
        over = canonical_query(query).encode() if method == "GET" else body
        headers = self.authorization(method, "/pa/auth/validate", over, factors, pin)
        path = "/pa/v4/auth/validate" + ("?" + query if query else "")
        assert checked(self.post(path, b"" if method == "GET" else body, headers, method)) == {"status": "OK"}

    # Status.

    def status(self, purpose="/pa/generic/activation"):
        """The state of the activation, and the phone's counter set right by it."""
        told = self.encrypted("/pa/v4/activation/status", purpose)
        assert set(told) == {"activationStatus", "customObject"}, told
        status = Status(self.secret, unb64(told["activationStatus"]))
        if status.state == "ACTIVE":
            self._synchronise(status)
        return status

    def _synchronise(self, status):
        counter = self.counter
        for steps in range(status.look_ahead + 1):
            if hmac.compare_digest(Status.code_of(self.secret, counter), status.counter_code):
                assert steps == (status.counter_byte - self.counter_byte) % 256
                return self.step(steps)
            counter = next_counter(counter)
        ahead = (self.counter_byte - status.counter_byte) % 256
        assert ahead <= status.look_ahead, "a deadlock"
        if ahead > status.look_ahead // 2:
            self.validate(b"{}", "possession")
        return None

    # Tokens, vault, factors.

    def create_token(self, factors="possession", pin=PIN):
        told = self.encrypted_then_coded("/pa/v4/token/create", "/pa/token/create", None, factors, pin)
        assert set(told) == {"tokenId", "tokenSecret"} and len(unb64(told["tokenSecret"])) == 32, told
        return told["tokenId"], unb64(told["tokenSecret"])

    def token_header(self, token, nonce=None, timestamp=None):
        nonce, timestamp = nonce or os.urandom(16), self.now() if timestamp is None else timestamp
        return {"X-PowerAuth-Token": self.header(
            version="4.0", token_id=token[0], token_digest=token_digest(token[1], nonce, timestamp), nonce=b64(nonce),
            timestamp=timestamp)}

    def remove_token(self, token):
        body = self.write({"requestObject": {"tokenId": token[0]}})
        assert unwrapped(self.coded("/pa/v4/token/remove", "/pa/token/remove", body, "possession")) == {"tokenId": token[0]}

    def vault_key(self, name, factors="possession_knowledge", pin=PIN):
        told = self.encrypted_then_coded("/pa/v4/vault/unlock", "/pa/vault/unlock", {"keyIdentifier": name}, factors, pin)
        assert set(told) == {"vaultEncryptionKey"}, told
        return unb64(told["vaultEncryptionKey"])

    def change_pin(self, old, new):
        exchange = Exchange(self.suite)
        told = self.encrypted_then_coded("/pa/v4/password/change", "/pa/password/change", exchange.request(), pin=old)
        self._hide(exchange.secret(told), new)

    def add_biometry(self, pin=PIN):
        exchange = Exchange(self.suite)
        told = self.encrypted_then_coded("/pa/v4/biometry/add", "/pa/biometry/add", exchange.request(), pin=pin)
        self.biometry = exchange.secret(told)

    def remove_biometry(self):
        assert checked(self.coded("/pa/v4/biometry/remove", "/pa/biometry/remove", factors="possession")) == {"status": "OK"}

    # The rest of the life.

    def user_info(self):
        return self.encrypted("/pa/v4/user/info", "/pa/generic/activation")

    def detail(self, token):
        return self.encrypted("/pa/v4/activation/detail", "/pa/generic/activation", headers=self.token_header(token))

    def rename(self, name, pin=PIN):
        """Makes the code over the plain request and then encrypts it."""
        plain, message = self.write({"activationName": name}), Message(self, ACTIVATION, "/pa/generic/activation")
        headers = self.authorization("POST", "/pa/activation/rename", plain, pin=pin)
        return message.open(checked(self.post("/pa/v4/activation/rename", self.write(message.seal(plain, self.now())), headers)))

    def remove(self, pin=PIN):
        told = unwrapped(self.coded("/pa/v4/activation/remove", "/pa/activation/remove", pin=pin))
        assert told == {"activationId": self.activation_id}, told
