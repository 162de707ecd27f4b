"""Hanko's Passkey API, as a back end and a page use it, with an authenticator that is not ours.

Source: OpenAPI description and JavaScript SDK of the vendor (teamhanko/passkeys).
"""

import hashlib

import jwt
import pytest
import requests
from fido2.utils import websafe_decode

from passkey_device import PasskeyDevice

TENANT = "7a3e1c52-52ab-4b1f-9a54-6f0d3c1b2a10"
KEY = "passkey-api-secret"
ORIGIN = "http://localhost:3000"


class Tenant:
    """The calls of the SDK, which sends the key with all of them."""

    def __init__(self, world):
        self.base = f"{world.url}/passkeyapi/{TENANT}"

    def call(self, method, path, body=None, key=KEY):
        return requests.request(
            method, self.base + path, json=body, headers={"apiKey": key, "Content-Type": "application/json"}, timeout=10)

    def post(self, path, body=None):
        return self.call("POST", path, body)

    def claims(self, answer):
        assert answer.status_code == 200, answer.text
        keys = jwt.PyJWKSet.from_dict(self.call("GET", "/.well-known/jwks.json").json())
        token = answer.json()["token"]
        key = keys[jwt.get_unverified_header(token)["kid"]]
        return jwt.decode(token, key.key, algorithms=["RS256"], audience="localhost")

    def register(self, device, user, below=""):
        options = self.post(below + "/registration/initialize", {"user_id": user, "username": user + "@example.com"})
        assert options.status_code == 200, options.text
        return self.claims(self.post(below + "/registration/finalize", device.create(options.json())))


@pytest.fixture
def tenant(world):
    return Tenant(world)


@pytest.fixture
def device():
    return PasskeyDevice(ORIGIN)


def test_the_sdk_call_by_call(world, tenant, device):
    made = tenant.register(device, "somebody")
    assert made["sub"] == "somebody"

    # Anybody may begin a login: the passkey says who signs in.
    options = tenant.post("/login/initialize").json()
    assert "allowCredentials" not in options["publicKey"]
    signed = tenant.claims(tenant.post("/login/finalize", device.get(options)))
    assert (signed["sub"], signed["cred"]) == ("somebody", made["cred"])

    [credential] = tenant.call("GET", "/credentials?user_id=somebody").json()
    assert credential["id"] == made["cred"] and not credential["is_mfa"]
    assert tenant.call("PATCH", "/credentials/" + made["cred"], {"name": "Phone"}).status_code == 204
    assert tenant.call("GET", "/credentials/" + made["cred"]).json()["name"] == "Phone"
    assert tenant.call("DELETE", "/credentials/" + made["cred"]).status_code == 204
    assert tenant.call("GET", "/credentials?user_id=somebody").json() == []

    types = [entry["type"] for entry in tenant.call("GET", "/audit_logs").json()]
    assert types[0] == "webauthn_credential_deleted" and "webauthn_authentication_final_succeeded" in types
    audit = world.get("/audit", platform="passkeyapi")["audit"]
    assert [line["event"] for line in audit] == types[: len(audit)]


def test_a_transaction_is_confirmed(tenant, device):
    tenant.register(device, "payer")
    order = {"user_id": "payer", "transaction_id": "order-1", "transaction_data": {"to": "eva", "amount": 3}}
    options = tenant.post("/transaction/initialize", order).json()
    digest = hashlib.sha256(b'order-1{"amount":3,"to":"eva"}').digest()
    assert websafe_decode(options["publicKey"]["challenge"])[32:] == digest
    assert tenant.claims(tenant.post("/transaction/finalize", device.get(options)))["trans"] == "order-1"


def test_a_second_factor_is_shown(tenant, device):
    tenant.register(device, "careful", below="/mfa")
    options = tenant.post("/mfa/login/initialize", {"user_id": "careful"}).json()
    assert tenant.claims(tenant.post("/mfa/login/finalize", device.get(options)))["sub"] == "careful"
    options = tenant.post("/login/initialize").json()
    assert tenant.post("/login/finalize", device.get(options)).status_code == 400


def test_refusals_are_explained(world, tenant, device):
    assert tenant.call("GET", "/credentials", key="guessed").json() == {
        "title": "The api key is invalid", "details": "api keys needs to be an apiKey Header and 32 byte long", "status": 401}
    assert "apiKey" in world.explanations()[0]

    stranger = PasskeyDevice("https://phishing.example")
    options = tenant.post("/registration/initialize", {"user_id": "victim", "username": "victim"}).json()
    refused = tenant.post("/registration/finalize", stranger.create(options))
    assert refused.status_code == 400 and refused.json()["title"] == "failed to validate attestation"
    assert "https://phishing.example" in world.explanations()[0]

    answer = requests.get(f"{world.url}/passkeyapi-admin/tenants", timeout=10)
    assert answer.status_code == 501 and "fixtures" in world.explanations()[0]
