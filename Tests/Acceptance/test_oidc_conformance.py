"""Checks of the OpenID Foundation's conformance suite that need a browser with cookies, and the time to pass.

Each test is named after the module of the suite that it recreates. The modules that need no browser are unit tests.

Source: the plans oidcc-basic, oidcc-formpost-basic and oidcc-dynamic of https://gitlab.com/openid/conformance-suite.
"""

import json
import time
from urllib.parse import parse_qsl, urlsplit

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import ec

from oauth_browser import ADA, CALLBACK, GRACE, Arrival, built_in, change_client
from oauth_party import Party, at_once


@pytest.fixture
def party(issuer, browser):
    return Party(issuer, browser)


# --- oidcc-basic-certification-test-plan


def test_oidcc_prompt_login(world, party):
    first = party.log_in()
    world.advance(2)
    party.browser.open(party.url(prompt="login"))
    assert party.browser.offers(ADA)
    second = party.log_in(prompt="login")
    assert second["sub"] == first["sub"] and second["auth_time"] > first["auth_time"]


def test_oidcc_prompt_none_not_logged_in(party):
    arrival = party.browser.open(party.url(prompt="none"))
    assert arrival.address == CALLBACK
    assert arrival.query["error"] == "login_required" and arrival.query["state"] == "the state"


def test_oidcc_prompt_none_logged_in(world, party):
    first = party.log_in()
    world.advance(2)
    second = party.log_in(prompt="none")
    assert (second["sub"], second["auth_time"]) == (first["sub"], first["auth_time"])
    assert second["iat"] > first["iat"]


def test_oidcc_max_age_1(world, party):
    first = party.log_in()
    world.advance(2)
    party.browser.open(party.url(max_age=1))
    assert party.browser.offers(ADA)
    second = party.log_in(max_age=1)
    assert second["sub"] == first["sub"] and second["auth_time"] > first["auth_time"]


def test_oidcc_max_age_10000(world, party):
    first = party.log_in()
    world.advance(2)
    went = len(party.browser.went)
    second = party.log_in(max_age=10000)
    assert len(party.browser.went) == went + 1, "nobody was asked"
    assert second["auth_time"] == first["auth_time"]


def test_oidcc_id_token_hint(party):
    first = party.log_in()
    assert party.log_in(prompt="none", id_token_hint=party.hint)["sub"] == first["sub"]
    hint = party.hint
    party.log_in(user=GRACE, prompt="login")
    other = party.browser.open(party.url(prompt="none", id_token_hint=hint))
    assert other.query["error"] == "login_required"


def test_oidcc_login_hint(party):
    page = party.browser.open(party.url(login_hint="ada@example.com"))
    assert page.forms[0].buttons[0][1] == {"subject": ADA}
    assert page.form_with("username").fields["username"]


def test_oidcc_ensure_registered_redirect_uri(party):
    page = party.browser.open(party.url(redirect_uri="https://attacker.example.test/"))
    assert page.status == 400 and "redirect" in page.text.lower()


def test_oidcc_codereuse(party):
    party.log_in()
    again = party.redeem(party.arrival.query["code"])
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")


def test_oidcc_ensure_post_request_succeeds(party):
    parts = urlsplit(party.url())
    page = party.browser.open(party.metadata["authorization_endpoint"], "post", data=dict(parse_qsl(parts.query)))
    assert not isinstance(page, Arrival)
    assert party.redeem(party.browser.press(ADA).query["code"]).status_code == 200


# --- oidcc-dynamic-certification-test-plan


def test_oidcc_server_rotate_keys(world, party):
    before = party.log_in()
    old = party.hint
    rotated = world.control("POST", "/keys/rotate", json={"platform": "onegini"})
    assert rotated.status_code == 200, rotated.text
    after = party.log_in()
    assert jwt.get_unverified_header(old)["kid"] != jwt.get_unverified_header(party.hint)["kid"]
    assert party.verify(old)["sub"] == before["sub"] == after["sub"]


def test_oidcc_registration_logo_uri_policy_uri_and_tos_uri(issuer, browser):
    party = Party(issuer, browser, logo_uri="https://app.example.test/logo.png",
                  policy_uri="https://app.example.test/policy", tos_uri="https://app.example.test/terms")
    page = browser.open(party.url())
    assert '<img src="https://app.example.test/logo.png"' in page.answer.text
    assert page.links["Privacy policy"] == "https://app.example.test/policy"
    assert page.links["Terms of service"] == "https://app.example.test/terms"


# --- The clients of the fixtures


@pytest.mark.parametrize("name", ["portal", "web-app", "spa"])
def test_a_client_of_the_fixtures_logs_its_users_in(world, issuer, browser, name):
    party = Party(issuer, browser, known=built_in(world, name))
    claims = party.log_in(scope="openid profile email")
    assert claims["aud"] == name and party.arrival.address == "http://localhost:3000/callback"
    assert party.userinfo()["email"] == "ada@example.com"
    assert ("refresh_token" in party.token) == (name != "portal")
    assert (party.token["access_token"].count(".") == 2) == (name == "web-app")


def test_the_gateway_of_the_fixtures_introspects_at_the_vendors_address(world, issuer, browser):
    party = Party(issuer, browser, known=built_in(world, "portal"))
    party.log_in()
    gateway = built_in(world, "resource-gateway")
    asked = requests.post(
        issuer + "/api/v2/token/introspect", data={"token": party.token["access_token"]}, timeout=30,
        auth=(gateway["client_id"], gateway["client_secret"]))
    assert asked.status_code == 200, asked.text
    assert asked.json()["active"] is True and asked.json()["sub"] == "ada"


# --- Once is once


def test_a_code_is_redeemed_by_one_of_a_hundred_at_a_time(party):
    code = party.browser.authorize(party.url()).query["code"]
    given, errors = at_once(100, lambda: party.redeem(code))
    assert len(given) == 1 and errors == {"invalid_grant"}


def test_a_refresh_token_is_spent_by_one_of_fifty_at_a_time(issuer, browser):
    party = Party(issuer, browser, grant_types=["authorization_code", "refresh_token"])
    party.log_in(scope="openid offline_access")
    given, errors = at_once(50, lambda: party.refresh(party.token["refresh_token"]))
    assert len(given) == 1 and errors == {"invalid_grant"}


def test_within_the_grace_all_of_fifty_get_the_same_tokens(world, issuer, browser):
    party = Party(issuer, browser, grant_types=["authorization_code", "refresh_token"])
    change_client(world, party.id, refresh_token_grace=30)
    party.log_in(scope="openid offline_access")
    given, errors = at_once(50, lambda: party.refresh(party.token["refresh_token"]))
    assert len(given) == 50 and errors == set()
    assert len({answer["refresh_token"] for answer in given}) == len({answer["access_token"] for answer in given}) == 1

    world.advance(31)
    assert party.refresh(party.token["refresh_token"]).json()["error"] == "invalid_grant"
    assert party.refresh(given[0]["refresh_token"]).json()["error"] == "invalid_grant"


# --- oidcc-formpost-basic-certification-test-plan


def test_oidcc_formpost_server(party):
    assert party.log_in(response_mode="form_post")["nonce"] == "the nonce"
    assert party.arrival.url == CALLBACK and set(party.arrival.body) >= {"code", "state", "iss"}


def test_oidcc_formpost_prompt_none_not_logged_in(party):
    arrival = party.browser.open(party.url(prompt="none", response_mode="form_post"))
    assert arrival.url == CALLBACK
    assert arrival.body["error"] == "login_required" and arrival.body["state"] == "the state"


def test_a_device_code_is_redeemed_by_one_of_fifty_at_a_time(world, issuer, browser):
    grant = "urn:ietf:params:oauth:grant-type:device_code"
    party = Party(issuer, browser, grant_types=[grant], redirect_uris=[], response_types=[],
                  token_endpoint_auth_method="none")
    started = requests.post(
        party.metadata["device_authorization_endpoint"], data={"client_id": party.id, "scope": "openid"}, timeout=30).json()
    browser.connect_device(started["user_code"], started["verification_uri"])
    given, errors = at_once(50, lambda: party.call(grant_type=grant, device_code=started["device_code"]))
    assert len(given) == 1 and errors <= {"invalid_grant", "slow_down"}


def test_a_client_assertion_is_taken_from_one_of_fifty_at_a_time(issuer, browser):
    key = ec.generate_private_key(ec.SECP256R1())
    public = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key())) | {"kid": "one", "alg": "ES256"}
    party = Party(issuer, browser, grant_types=["client_credentials"], redirect_uris=[], response_types=[],
                  token_endpoint_auth_method="private_key_jwt", scope="accounts:read", jwks={"keys": [public]})
    claims = {"iss": party.id, "sub": party.id, "aud": issuer, "exp": int(time.time()) + 60, "jti": "the only one"}
    form = {
        "grant_type": "client_credentials", "client_assertion": jwt.encode(claims, key, "ES256", {"kid": "one"}),
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}
    given, errors = at_once(
        50, lambda: requests.post(party.metadata["token_endpoint"], data=form | {"scope": "accounts:read"}, timeout=30))
    assert len(given) == 1 and errors == {"invalid_client"}
