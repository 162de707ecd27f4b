"""FAPI 2.0 as requests_oauth2client does it: a key for the client, pushed requests, PKCE, DPoP, signed requests.

Sources: FAPI 2.0 Security Profile §5.3.2; FAPI 2.0 Message Signing §5.3.1.
"""

import json
from urllib.parse import parse_qsl

import pytest
import requests
from jwskate import Jwk, Jwt, SignedJwt
from requests_oauth2client import DPoPToken, InvalidClient, InvalidRequest, OAuth2Client, PrivateKeyJwt

from oauth_browser import metadata_of
from test_oauth_dpop import CALLBACK, fixtures
from understudy import run

KEY = Jwk.generate(alg="ES256").with_kid_thumbprint()


def cast(profile):
    return fixtures({"profile": profile}, client_id="bank", client_secret=None, token_endpoint_auth_method="private_key_jwt",
                    jwks={"keys": [dict(KEY.public_jwk())]}, grant_types=["authorization_code", "refresh_token"],
                    scope="openid offline_access", claims={"tenant": "t1"})


@pytest.fixture
def world(make_world):
    return make_world(fixtures=cast("fapi2"))


def bank(issuer, **options):
    metadata = metadata_of(issuer)
    return OAuth2Client.from_discovery_document(
        metadata, issuer=issuer, testing=True, redirect_uri=CALLBACK,
        auth=options.pop("auth", PrivateKeyJwt("bank", KEY, aud=issuer)), dpop_bound_access_tokens=True, **options)


def test_a_client_of_the_security_profile_logs_in_and_refreshes(world, browser):
    client = bank(world.oauth)
    asked = client.authorization_request(scope="openid offline_access")
    pushed = client.pushed_authorization_request(asked)
    arrived = asked.validate_callback(browser.authorize(pushed.uri).url)
    token = client.authorization_code(arrived, validate=False)
    assert isinstance(token, DPoPToken) and token.id_token.alg == "ES256"
    told = requests.get(metadata_of(world.oauth)["userinfo_endpoint"], auth=token)
    assert told.json()["sub"] == "ada"
    # No rotation: the same one is good again.
    for _ in range(2):
        assert client.refresh_token(token).token_type == "DPoP"


def test_the_browser_alone_gets_nothing(world, browser):
    client = bank(world.oauth)
    arrived = browser.open(client.authorization_request(scope="openid").uri)
    assert arrived.query["error"] == "invalid_request"
    [entry] = world.get("/journal", limit=1)["entries"]
    assert "require_pushed_authorization_requests" in entry["explanation"]


def test_pkce_is_s256_and_plain_is_not_offered(world):
    assert metadata_of(world.oauth)["code_challenge_methods_supported"] == ["S256"]
    client = bank(world.oauth, code_challenge_method="plain")
    with pytest.raises(InvalidRequest):
        client.pushed_authorization_request(client.authorization_request(scope="openid"))


def test_an_assertion_for_the_token_endpoint_is_refused(world):
    client = bank(world.oauth, auth=PrivateKeyJwt("bank", KEY, aud=metadata_of(world.oauth)["token_endpoint"]))
    with pytest.raises(InvalidClient):
        client.pushed_authorization_request(client.authorization_request(scope="openid"))


def test_with_message_signing_requests_are_signed(make_world, browser):
    world = make_world(fixtures=cast("fapi2-message-signing"))
    assert metadata_of(world.oauth)["require_signed_request_object"] is True
    client = bank(world.oauth)
    asked = client.authorization_request(scope="openid")
    with pytest.raises(InvalidRequest):
        client.pushed_authorization_request(asked)
    # The library's objects have no nbf, and their aud stands in the header.
    claims = asked.sign(KEY, alg="ES256", lifetime=300, aud=world.oauth).request.claims | {"aud": world.oauth}
    assert "nbf" not in claims
    assert push(world.oauth, claims) == (400, "invalid_request_object")
    assert push(world.oauth, claims | {"nbf": claims["iat"], "exp": claims["iat"] + 4000}) == (400, "invalid_request_object")
    assert push(world.oauth, claims | {"nbf": claims["iat"]}) == (201, None)


def push(issuer, claims):
    """Status and error of a request object with these claims."""
    proof = PrivateKeyJwt("bank", KEY, aud=issuer)(requests.Request("POST", issuer, data={}).prepare()).body
    answer = requests.post(metadata_of(issuer)["pushed_authorization_request_endpoint"], dict(parse_qsl(proof)) | {
        "request": str(Jwt.sign(dict(claims), key=KEY, alg="ES256"))})
    return answer.status_code, answer.json().get("error")


def test_claims_of_a_client_are_in_what_it_gets_for_itself(make_world):
    world = make_world(fixtures=fixtures(
        {}, grant_types=["client_credentials"], access_token_format="jwt", claims={"roles": ["batch"], "tenant": {"id": 7}}))
    answer = requests.post(world.oauth + "/v1/token", {"grant_type": "client_credentials", "scope": "email"},
                           auth=("signer", "signer-secret")).json()
    claims = SignedJwt(answer["access_token"]).claims
    assert claims["roles"] == ["batch"] and claims["tenant"] == {"id": 7} and claims["sub"] == "signer"


def test_a_client_that_registers_without_a_method_sends_its_secret_either_way(make_world):
    issuer = make_world().oauth
    made = requests.post(issuer + "/register", json={"redirect_uris": [CALLBACK], "grant_types": ["client_credentials"],
                                                     "response_types": []}).json()
    assert made["token_endpoint_auth_method"] == "client_secret_basic"
    name, secret = made["client_id"], made["client_secret"]
    fields = {"grant_type": "client_credentials", "scope": "openid"}
    assert requests.post(issuer + "/v1/token", fields, auth=(name, secret)).status_code == 200
    posted = requests.post(issuer + "/v1/token", fields | {"client_id": name, "client_secret": secret})
    assert posted.status_code == 200, posted.text


def test_the_check_names_clients_that_the_profile_locks_out(tmp_path):
    file = tmp_path / "fapi.json"
    file.write_text(json.dumps({"onegini": {"oauth": {"settings": {"profile": "fapi2"}, "clients": [
        {"client_id": "web", "client_secret": "s", "redirect_uris": [CALLBACK]}]}}}))
    checked = run("fixtures", "check", file)
    assert checked.returncode == 1 and "private_key_jwt alone" in checked.stderr + checked.stdout
