"""How a phone with PowerAuth's mobile SDK speaks: its JSON and headers, its clock, temporary keys, encryption from end to end."""

import json
import os
import time
import uuid

import requests

from powerauth_answers import checked, unwrapped
from powerauth_arithmetic import (
    b64, b64url, derive_internal, mac, new_key, public_key, raw_verifies, sha256, unb64, unb64url)
from powerauth_messages import Envelope

VERSIONS = ["3.0", "3.1", "3.2", "3.3"]
#: The scopes of encryption.
APPLICATION, ACTIVATION = "application", "activation"
USER_AGENTS = {
    "ios": "PowerAuthNetworking/1.5.1 (en-US; wifi) com.example.understudy/1.0.0 (Apple; iOS/18.1; iphone15,2)",
    "android": "PowerAuthNetworking/1.5.1 (en; cellular) com.example.understudy/1.0.0 (Google; Android/15; Pixel 8)"}


class TemporaryKey:
    """A key of the server's for a few minutes of encryption, as its token tells it."""

    def __init__(self, claims):
        self.id, self.public_key = claims["sub"], public_key(unb64(claims["publicKey"]))
        self.issued, self.expires = claims["iat_ms"], claims["exp_ms"]


class Channel:
    """`base` is the enrollment server's base URL, `version` the protocol that the phone's SDK speaks: set another one, and the app
    was updated. What an activation needs, `transport` and `server_public_key`, is the device's to know."""

    def __init__(self, base, configuration, version="3.3", platform="ios", compressed=True):
        self.base, self.application = base, configuration
        self.version, self.platform, self.compressed = version, platform, compressed
        self.activation_id, self.transport, self.server_public_key = None, None, None
        self.clock_offset = None
        self.temporary_keys = {}
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers.update({"User-Agent": USER_AGENTS[platform], "Accept-Language": "en"})

    def now(self):
        """The server's time as far as the phone knows it, in milliseconds."""
        return int(time.time() * 1000) + (self.clock_offset or 0)

    def write(self, value):
        """JSON as the platform writes it, with its habits of escaping."""
        text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        if self.platform == "ios":
            return text.replace("/", "\\/").encode()
        for letter in "=<>&'":
            text = text.replace(letter, f"\\u{ord(letter):04x}")
        return text.encode()

    def post(self, path, body=b"{}", headers=(), method="POST"):
        return self.session.request(
            method, self.base + path, data=body, headers={"Content-Type": "application/json"} | dict(headers), timeout=30)

    def plain(self, path, request, headers=()):
        return unwrapped(self.post(path, self.write({"requestObject": request}), headers))

    def header(self, separator=", ", **pairs):
        """iOS and Android agree neither on the order of the parameters nor, for encryption, on commas."""
        pairs = list(pairs.items())
        if self.platform == "android":
            pairs.reverse()
        return "PowerAuth " + separator.join(f'{name}="{value}"' for name, value in pairs)

    def encryption_header(self, scope):
        pairs = {"version": self.version, "application_key": self.application.key}
        if scope == ACTIVATION:
            pairs["activation_id"] = self.activation_id
        return {"X-PowerAuth-Encryption": self.header(" " if self.platform == "android" else ", ", **pairs)}

    # Time and temporary keys.

    def synchronise_clock(self):
        status = unwrapped(self.post("/pa/v3/status"))
        self.clock_offset = status["serverTime"] - int(time.time() * 1000)
        return status

    def temporary_key(self, scope):
        """A key of that scope that will do for ten seconds more."""
        kept = self.temporary_keys.get(scope)
        if not kept or kept.expires - 10_000 < self.now():
            kept = self.temporary_keys[scope] = self.fetch_temporary_key(scope)
        return kept

    def fetch_temporary_key(self, scope):
        claims = {"applicationKey": self.application.key, "challenge": b64(os.urandom(18))}
        key = unb64(self.application.secret)
        if scope == ACTIVATION:
            claims["activationId"] = self.activation_id
            key = derive_internal(self.transport, key)
        parts = [b64url(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims)]
        asked = ".".join([*parts, b64url(mac(key, ".".join(parts).encode()))])
        signed, _, signature = self.plain("/pa/v3/keystore/create", {"jwt": asked})["jwt"].rpartition(".")
        header, told = (json.loads(unb64url(part)) for part in signed.split("."))
        assert (header["alg"], header["typ"]) == ("ES256", "JWT"), header
        signer = self.server_public_key if scope == ACTIVATION else self.application.master_public_key
        assert raw_verifies(signer, unb64url(signature), signed.encode()), "somebody else signed the temporary key"
        for name in ("applicationKey", "activationId", "challenge"):
            assert told.get(name) == claims.get(name), (name, told)
        assert (told["iat"], told["exp"]) == (told["iat_ms"] // 1000, told["exp_ms"] // 1000), told
        uuid.UUID(told["sub"])
        self.clock_offset = told["iat_ms"] - int(time.time() * 1000)
        return TemporaryKey(told)

    # Encryption.

    def envelope(self, scope, purpose, key=None):
        """A new exchange; in 3.3 by the temporary key `key`, or by one that the phone has or fetches."""
        secret, bound = self.application.secret.encode(), [self.application.key]
        if scope == ACTIVATION:
            shared, public = mac(self.transport, secret), self.server_public_key
            bound.append(self.activation_id)
        else:
            shared, public = sha256(secret), self.application.master_public_key
        temporary = None
        if self.version == "3.3":
            temporary = key or self.temporary_key(scope)
            public = temporary.public_key
            bound.append(temporary.id)
        elif self.version == "3.2" and self.clock_offset is None:
            self.synchronise_clock()
        return Envelope.to(public, self.version, purpose, shared, bound, new_key(), os.urandom(16), self.compressed,
                           temporary and temporary.id)

    def encrypted(self, path, purpose, request, scope=ACTIVATION, headers=(), key=None):
        """An encrypted call that nobody signs: its plain answer."""
        envelope = self.envelope(scope, purpose, key)
        sealed = self.write(envelope.seal(self.write(request), self.now()))
        answer = self.post(path, sealed, self.encryption_header(scope) | dict(headers))
        return json.loads(envelope.open(checked(answer)))

    def encrypted_then_signed(self, path, uri_id, request, factors, pin):
        envelope = self.envelope(ACTIVATION, uri_id)
        sealed = self.write(envelope.seal(self.write(request), self.now()))
        answer = self.post(path, sealed, self.authorization("POST", uri_id, sealed, factors, pin))
        return json.loads(envelope.open(checked(answer)))
