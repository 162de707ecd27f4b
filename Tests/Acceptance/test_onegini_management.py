"""The management APIs of the token server, with the API clients that the built-in fixtures have for each.

Sources: Token Server documentation, end-user, config, admin and events APIs, token introspection v1 and v2.
"""

import pytest
import requests

from oauth_browser import built_in
from oauth_party import Party


def credentials(name):
    return name, name + "-secret"


@pytest.mark.parametrize(("client", "path"), [
    ("end-user-api", "/api/v4/users/ada/devices"), ("config-api", "/api/v1/configuration/web-clients"),
    ("admin-api", "/api/v1/configuration/api-clients"), ("events-api", "/api/v1/events"),
    ("portal-api", "/api/v4/authenticate/user/ada/enabled"),
])
def test_each_api_has_a_client_out_of_the_box(world, client, path):
    answer = requests.get(world.oauth + path, auth=credentials(client), timeout=30)
    assert answer.status_code == 200, answer.text
    posted = requests.get(world.oauth + path, auth=credentials("resource-gateway"), timeout=30)
    assert posted.status_code == 403


@pytest.fixture
def token(world, browser):
    party = Party(world.oauth, browser, known=built_in(world, "portal"))
    party.log_in(scope="openid profile")
    return party.token["access_token"]


def introspect(world, version, token):
    answer = requests.post(f"{world.oauth}/api/{version}/token/introspect", data={"token": token}, timeout=30,
                           auth=credentials("resource-gateway"))
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_resource_gateway_of_api_v1_learns_what_a_token_is_good_for(world, token):
    world.advance(600)
    first, second = introspect(world, "v1", token), introspect(world, "v2", token)
    assert first["active"] is True and first["sub"] == "ada" and first["amr"] == ["DEFAULT"]
    assert first["user_details"]["name"] == "Ada Lovelace"
    # Not when it ends, but how many seconds it has left.
    assert 2990 <= first.pop("exp") <= 3000 and second.pop("exp") - second["iat"] == 3600
    assert first == second
    world.advance(3600)
    assert introspect(world, "v1", token) == {"active": False}


def test_what_the_config_api_says_of_a_client_is_in_its_tokens(world, browser):
    made = requests.post(
        world.oauth + "/api/v1/configuration/web-clients", auth=credentials("config-api"), timeout=30, json={
            "name": "Shop", "client_id": "shop", "client_secret": "shop-secret", "grant_types": ["AUTHORIZATION_CODE"],
            "client_authentication_method": "CLIENT_SECRET_BASIC", "access_token_format": "JWT",
            "redirect_url": "https://shop.example.test/cb", "access_grant_expires_in": 30, "access_token_expires_in": 900,
            "resource_gateway_ids": ["resource-gateway"], "additional_audiences": ["https://api.example.test"],
            "default_scopes": ["openid"], "additional_scopes": ["email"], "consent_disabled": True,
            "open_id_connect": {"expiration_time_seconds": 600, "post_logout_redirect_url": "https://shop.example.test/bye"}})
    assert made.status_code == 201, made.text
    known = built_in(world, "shop")
    party = Party(world.oauth, browser, known=known)
    # The secret in the form: the vendor's CLIENT_SECRET_BASIC means both places.
    party.call = lambda **form: requests.post(
        party.metadata["token_endpoint"], timeout=30, data=form | {"client_id": "shop", "client_secret": "shop-secret"})
    claims = party.log_in(scope="openid email")
    assert claims["email"] == "ada@example.com" and claims["aud"] == "shop"
    told = introspect(world, "v2", party.token["access_token"])
    assert sorted(told["aud"]) == ["https://api.example.test", "resource-gateway"]

    arrival = party.log_out(id_token_hint=party.hint, state="bye")
    assert arrival.address == "https://shop.example.test/bye" and arrival.query == {"state": "bye"}
