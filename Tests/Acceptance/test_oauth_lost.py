"""Clients that have the token server's address nearly right, and those that know Auth0's.

Sources: OpenID Connect Discovery 1.0 §4; Auth0, "Authentication API".
"""

import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet

from test_oauth_dpop import fixtures

CALLBACK = "http://localhost:3000/callback"


def refused(world, url):
    answer = requests.get(url)
    assert answer.status_code == 404
    [entry] = world.get("/journal", limit=1)["entries"]
    told = answer.json()["error_description"]
    assert told.removeprefix("Nothing answers at this path. ") in entry["explanation"]
    return told


def test_the_address_of_the_metadata_is_no_issuer(make_world):
    world = make_world()
    wrong = world.oauth + "/.well-known/openid-configuration"
    assert "for the issuer" in refused(world, wrong + "/.well-known/openid-configuration")


@pytest.mark.parametrize("path", ["/.well-known/jwks.json", "/protocol/openid-connect/certs", "/discovery/keys"])
def test_keys_that_are_guessed_are_found(make_world, path):
    world = make_world()
    assert "/oauth/v1/keys" in refused(world, world.oauth + path)


def test_a_client_of_auth0_logs_in_at_the_root(make_world, browser):
    world = make_world(fixtures=fixtures(
        {"root_paths": "auth0"}, redirect_uris=[CALLBACK], scope="openid profile",
        post_logout_redirect_uris=["http://localhost:3000/bye"]))
    domain = world.oauth.removesuffix("/oauth")
    metadata = requests.get(domain + "/.well-known/openid-configuration").json()
    assert metadata["issuer"] == domain + "/"
    session = OAuth2Session("signer", "signer-secret", redirect_uri=CALLBACK, scope="openid profile",
                            code_challenge_method="S256")
    url, state = session.create_authorization_url(domain + "/authorize", code_verifier="v" * 43)
    arrived = browser.authorize(url)
    token = session.fetch_token(domain + "/oauth/token", authorization_response=arrived.url, code_verifier="v" * 43, state=state)
    assert session.get(domain + "/userinfo").json()["name"] == "Ada Lovelace"

    claims = jwt.decode(token["id_token"], KeySet.import_key_set(requests.get(domain + "/.well-known/jwks.json").json())).claims
    assert claims["iss"] == domain + "/"
    gone = browser.open(domain + "/v2/logout?client_id=signer&returnTo=http://localhost:3000/bye")
    assert gone.address == "http://localhost:3000/bye"
    assert browser.open(url).status == 200, "asks for a login again"


def test_without_the_setting_the_root_is_nobodys(make_world):
    domain = make_world().oauth.removesuffix("/oauth")
    for path in ["/authorize", "/userinfo", "/v2/logout", "/.well-known/openid-configuration"]:
        assert requests.get(domain + path).status_code == 404
