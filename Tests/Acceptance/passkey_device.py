"""A client with an authenticator in software. Its structures are written by Yubico's fido2, its keys are those of cryptography.

Source: Web Authentication Level 3, sections 5.1.3, 5.1.4, 6.3.2 and 6.3.3.
"""

import os

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from fido2.cose import ES256, ES384, ES512, PS256, RS256, EdDSA
from fido2.utils import websafe_decode, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

FLAG = AuthenticatorData.FLAG

#: Each algorithm makes a key, and signs a message with it in the form that WebAuthn gives to the signature.
ALGORITHMS = {
    "ES256": (ES256, lambda: ec.generate_private_key(ec.SECP256R1()), lambda key, m: key.sign(m, ec.ECDSA(hashes.SHA256()))),
    "ES384": (ES384, lambda: ec.generate_private_key(ec.SECP384R1()), lambda key, m: key.sign(m, ec.ECDSA(hashes.SHA384()))),
    "ES512": (ES512, lambda: ec.generate_private_key(ec.SECP521R1()), lambda key, m: key.sign(m, ec.ECDSA(hashes.SHA512()))),
    "EdDSA": (EdDSA, ed25519.Ed25519PrivateKey.generate, lambda key, m: key.sign(m)),
    "RS256": (RS256, lambda: rsa.generate_private_key(65537, 2048),
              lambda key, m: key.sign(m, padding.PKCS1v15(), hashes.SHA256())),
    "PS256": (PS256, lambda: rsa.generate_private_key(65537, 2048),
              lambda key, m: key.sign(m, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())),
}


def sha256(data):
    digest = hashes.Hash(hashes.SHA256())
    digest.update(data)
    return digest.finalize()


class PasskeyDevice:
    """Keeps one passkey, the last that was made."""

    def __init__(self, origin, algorithm="ES256", attests=False):
        self.origin = origin
        self.algorithm = algorithm
        self.attests = attests
        self.counter = 0

    def _client_data(self, kind, challenge):
        return CollectedClientData.create(kind, websafe_decode(challenge), self.origin)

    def _sign(self, message):
        return ALGORITHMS[self.algorithm][2](self.key, message)

    def create(self, options):
        """What `navigator.credentials.create()` gives for `{"publicKey": …}`, as JSON."""
        asked = options["publicKey"]
        cose, generate, _ = ALGORITHMS[self.algorithm]
        assert cose.ALGORITHM in [parameter["alg"] for parameter in asked["pubKeyCredParams"]]
        self.key, self.id, self.relying_party = generate(), os.urandom(32), asked["rp"]["id"]
        self.user_handle = websafe_decode(asked["user"]["id"])
        client_data = self._client_data("webauthn.create", asked["challenge"])
        attested = AttestedCredentialData.create(
            bytes(16), self.id, cose.from_cryptography_key(self.key.public_key()))
        data = AuthenticatorData.create(
            sha256(self.relying_party.encode()), FLAG.UP | FLAG.UV | FLAG.AT, self.counter, attested)
        statement = {"alg": cose.ALGORITHM, "sig": self._sign(data + sha256(client_data))} if self.attests else {}
        attestation = AttestationObject.create("packed" if self.attests else "none", data, statement)
        return self._posted(clientDataJSON=client_data, attestationObject=attestation) | {"transports": ["internal"]}

    def get(self, options):
        """What `navigator.credentials.get()` gives for `{"publicKey": …}`, as JSON."""
        asked = options["publicKey"]
        allowed = [websafe_decode(credential["id"]) for credential in asked.get("allowCredentials", [])]
        assert not allowed or self.id in allowed
        client_data = self._client_data("webauthn.get", asked["challenge"])
        data = AuthenticatorData.create(sha256(asked["rpId"].encode()), FLAG.UP | FLAG.UV, self.counter)
        return self._posted(
            clientDataJSON=client_data, authenticatorData=data, signature=self._sign(data + sha256(client_data)),
            userHandle=self.user_handle)

    def _posted(self, **response):
        identifier = websafe_encode(self.id)
        return {"id": identifier, "rawId": identifier, "type": "public-key", "clientExtensionResults": {},
                "response": {name: websafe_encode(value) for name, value in response.items()}}
