"""DPoP and request objects as clients of others do them: requests_oauth2client and joserfc.

Sources: RFC 9101, 9126, 9449.
"""

import base64
import hashlib
import time
import uuid

import json5
import pytest
import requests
from joserfc import jwt as jose
from joserfc.jwk import ECKey
from jwskate import Jwk
from requests_oauth2client import (
    ClientSecretBasic, DPoPToken, OAuth2Client, PublicApp)

from oauth_browser import metadata_of
from understudy import ROOT

CALLBACK = "http://localhost:3000/callback"
KEY = Jwk.generate(alg="ES256").with_kid_thumbprint()


@pytest.fixture
def world(make_world):
    return make_world(fixtures=fixtures({"dpop": True, "request_objects": True}))


def fixtures(settings, **members):
    """The built-in ones with these settings of the token server, and a client that signs its requests."""
    changed = json5.loads((ROOT / "Fixtures/default.json").read_text())
    oauth = changed["onegini"]["oauth"]
    oauth["settings"] = oauth.get("settings", {}) | settings
    oauth["clients"].append({
        "client_id": "signer", "client_secret": "signer-secret", "redirect_uris": [CALLBACK], "scope": "openid email",
        "grant_types": ["authorization_code"], "jwks": {"keys": [dict(KEY.public_jwk())]}} | members)
    return changed


def party(issuer, auth, **options):
    return OAuth2Client.from_discovery_endpoint(issuer=issuer, auth=auth, testing=True, redirect_uri=CALLBACK, **options)


def test_nothing_of_it_is_offered_until_the_fixtures_say_so(issuer, make_world):
    plain = metadata_of(make_world().oauth)
    assert "dpop_signing_alg_values_supported" not in plain and plain["request_parameter_supported"] is False
    offered = metadata_of(issuer)
    assert "ES256" in offered["dpop_signing_alg_values_supported"] and offered["request_parameter_supported"] is True


@pytest.mark.parametrize("nonce", [False, True])
def test_a_public_client_logs_in_calls_and_refreshes_with_its_key(make_world, browser, nonce):
    world = make_world(fixtures=fixtures({"dpop": True, "dpop_nonce": nonce}))
    app = party(world.oauth, PublicApp("spa"), dpop_bound_access_tokens=True)
    asked = app.authorization_request(scope="openid profile")
    assert asked.dpop_jkt
    arrived = asked.validate_callback(browser.authorize(asked.uri).url)
    # Its own check of the ID token loses the key of the token that it checks.
    token = app.authorization_code(arrived, validate=False)
    assert isinstance(token, DPoPToken) and token.token_type == "DPoP"
    assert requests.get(metadata_of(world.oauth)["userinfo_endpoint"], auth=token).json()["name"] == "Ada Lovelace"
    bearer = requests.get(metadata_of(world.oauth)["userinfo_endpoint"], headers={"Authorization": f"Bearer {token.access_token}"})
    assert (bearer.status_code, bearer.json()["error"]) == (401, "invalid_token")

    renewed = app.refresh_token(token)
    assert renewed.token_type == "DPoP" and renewed.dpop_key.dpop_jkt == token.dpop_key.dpop_jkt


def test_a_code_is_good_for_the_key_that_asked_for_it(issuer, browser):
    app = party(issuer, PublicApp("spa"), dpop_bound_access_tokens=True)
    asked = app.authorization_request(scope="openid")
    arrived = asked.validate_callback(browser.authorize(asked.uri).url)
    fields = {"grant_type": "authorization_code", "client_id": "spa", "code": arrived.code, "redirect_uri": CALLBACK,
              "code_verifier": arrived.code_verifier}
    endpoint = metadata_of(issuer)["token_endpoint"]
    stolen = requests.post(endpoint, fields, headers={"DPoP": proof(ECKey.generate_key("P-256"), "POST", endpoint)})
    assert (stolen.status_code, stolen.json()["error"]) == (400, "invalid_grant")
    assert app.authorization_code(arrived, validate=False).token_type == "DPoP"


def proof(key, method, url, token=None, **changes):
    """A proof by joserfc. Source: RFC 9449 §4.2."""
    claims = {"jti": str(uuid.uuid4()), "htm": method, "htu": url, "iat": int(time.time())}
    if token:
        claims["ath"] = base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).decode().rstrip("=")
    return jose.encode({"typ": "dpop+jwt", "alg": "ES256", "jwk": key.as_dict(private=False)}, claims | changes, key)


def test_a_service_with_proofs_of_another_library(world, issuer):
    key, metadata = ECKey.generate_key("P-256"), metadata_of(issuer)
    fields = {"grant_type": "client_credentials", "scope": "accounts:read"}
    first = proof(key, "POST", metadata["token_endpoint"])
    answer = requests.post(metadata["token_endpoint"], fields, auth=("backend", "backend-secret"), headers={"DPoP": first}).json()
    assert answer["token_type"] == "DPoP"
    told = requests.post(metadata["introspection_endpoint"], {"token": answer["access_token"]},
                         auth=("resource-gateway", "resource-gateway-secret")).json()
    assert told["cnf"] == {"jkt": key.thumbprint()} and told["token_type"] == "DPoP"

    for wrong in [first, proof(key, "GET", metadata["token_endpoint"]), proof(key, "POST", issuer),
                  proof(key, "POST", metadata["token_endpoint"], iat=int(time.time()) - 4000), "nonsense"]:
        refused = requests.post(metadata["token_endpoint"], fields, auth=("backend", "backend-secret"), headers={"DPoP": wrong})
        assert (refused.status_code, refused.json()["error"]) == (400, "invalid_dpop_proof")
        [entry] = world.get("/journal", limit=1)["entries"]
        assert "DPoP proof was refused" in entry["explanation"]


def test_a_signed_request_counts_and_a_changed_one_does_not(world, issuer, browser):
    signer = party(issuer, ClientSecretBasic("signer", "signer-secret"))
    asked = signer.authorization_request(scope="openid email")
    signed = asked.sign(KEY, lifetime=60, aud=issuer, iss="signer")
    arrived = asked.validate_callback(browser.authorize(signed.uri).url)
    token = signer.authorization_code(arrived, validate=True)
    assert signer.userinfo(token)["email"] == "ada@example.com"

    forged = asked.sign(Jwk.generate(alg="ES256").with_kid_thumbprint(), lifetime=60, aud=issuer, iss="signer")
    refused = requests.get(forged.uri, allow_redirects=False)
    assert refused.status_code == 400 and "invalid_request_object" in refused.text


def test_a_signed_request_can_be_pushed(issuer, browser):
    signer = party(issuer, ClientSecretBasic("signer", "signer-secret"))
    asked = signer.authorization_request(scope="openid")
    endpoint, secret = metadata_of(issuer)["pushed_authorization_request_endpoint"], ("signer", "signer-secret")
    signed = str(asked.sign_request_jwt(KEY, lifetime=60))
    pushed = requests.post(endpoint, {"client_id": "signer", "request": signed}, auth=secret)
    assert pushed.status_code == 201
    link = requests.Request("GET", metadata_of(issuer)["authorization_endpoint"],
                            params={"client_id": "signer", "request_uri": pushed.json()["request_uri"]}).prepare().url
    arrived = asked.validate_callback(browser.authorize(link).url)
    assert str(signer.authorization_code(arrived, validate=True).scope) == "openid"

    reference = requests.post(endpoint, {"client_id": "signer", "request_uri": "https://app.example.test/object"}, auth=secret)
    assert (reference.status_code, reference.json()["error"]) == (400, "invalid_request")
