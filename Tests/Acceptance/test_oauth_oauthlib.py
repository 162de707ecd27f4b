"""The token server as oauthlib and requests-oauthlib see it, the libraries behind most Python applications.

oauthlib warns, and these tests fail, when a token's scope is not the one that was asked for.

Sources: RFC 6749, 7009, 7636, 8628; OpenID Connect Core 1.0 §3.2.
"""

from urllib.parse import parse_qsl

import jwt
import pytest
import requests
from oauthlib.oauth2 import (
    BackendApplicationClient, DeviceClient, InvalidClientError, InvalidGrantError, LegacyApplicationClient,
    MobileApplicationClient, MismatchingStateError, WebApplicationClient)
from oauthlib.oauth2.rfc6749.errors import CustomOAuth2Error, InvalidScopeError
from requests_oauthlib import OAuth2Session

from oauth_browser import CALLBACK, built_in, change_client, metadata_of, register

pytestmark = pytest.mark.filterwarnings("error::Warning:oauthlib")

SCOPE = ["openid", "profile", "email"]


@pytest.fixture(autouse=True)
def plain_http(monkeypatch):
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")


@pytest.fixture
def metadata(issuer):
    return metadata_of(issuer)


@pytest.fixture
def web(issuer):
    return register(issuer, grant_types=["authorization_code", "refresh_token"])


def log_in(session, metadata, browser, secret, **parameters):
    url, _ = session.authorization_url(metadata["authorization_endpoint"], **parameters)
    return session.fetch_token(
        metadata["token_endpoint"], authorization_response=browser.authorize(url).url, client_secret=secret)


@pytest.mark.parametrize("pkce", ["S256", None])
def test_a_web_application_logs_a_user_in(metadata, web, browser, pkce):
    session = OAuth2Session(web["client_id"], redirect_uri=CALLBACK, scope=SCOPE, pkce=pkce)
    token = log_in(session, metadata, browser, web["client_secret"])
    assert token["token_type"] == "Bearer" and sorted(token.scopes) == sorted(SCOPE)

    user = session.get(metadata["userinfo_endpoint"]).json()
    assert user["name"] == "Ada Lovelace"
    in_body = requests.post(
        metadata["userinfo_endpoint"], data={"access_token": token["access_token"]}, timeout=30)
    assert in_body.json() == user


def test_the_state_of_somebody_else_is_noticed(metadata, web, browser):
    session = OAuth2Session(web["client_id"], redirect_uri=CALLBACK, scope=SCOPE, pkce="S256")
    url, state = session.authorization_url(metadata["authorization_endpoint"], state="a b+c&d=%20\u00e9")
    arrival = browser.authorize(url)
    assert arrival.query["state"] == state
    with pytest.raises(MismatchingStateError):
        WebApplicationClient(web["client_id"]).parse_request_uri_response(arrival.url, state="another")


def test_an_expired_token_is_renewed_on_the_way(world, metadata, web, browser):
    renewed = []
    session = OAuth2Session(
        web["client_id"], redirect_uri=CALLBACK, scope=SCOPE, pkce="S256", token_updater=renewed.append,
        auto_refresh_url=metadata["token_endpoint"],
        auto_refresh_kwargs={"client_id": web["client_id"], "client_secret": web["client_secret"]})
    token = dict(log_in(session, metadata, browser, web["client_secret"]))
    world.advance(3601)
    session.token = token | {"expires_in": -1, "expires_at": 1}

    auth = (web["client_id"], web["client_secret"])
    session.auto_refresh_kwargs = {}
    assert session.get(metadata["userinfo_endpoint"], client_id=auth[0], client_secret=auth[1]).json()["name"] == "Ada Lovelace"
    assert renewed[0]["refresh_token"] != token["refresh_token"]


def test_a_token_is_revoked(metadata, web, browser):
    session = OAuth2Session(web["client_id"], redirect_uri=CALLBACK, scope=SCOPE, pkce="S256")
    token = log_in(session, metadata, browser, web["client_secret"])
    url, headers, body = WebApplicationClient(web["client_id"]).prepare_token_revocation_request(
        metadata["revocation_endpoint"], token["refresh_token"], token_type_hint="refresh_token")
    auth = (web["client_id"], web["client_secret"])
    ended = requests.post(url, headers=headers, data=dict(parse_qsl(body)), auth=auth, timeout=30)
    assert ended.status_code == 200
    with pytest.raises(InvalidGrantError):
        session.refresh_token(metadata["token_endpoint"], auth=auth)


def test_a_service_gets_a_token_for_itself(world, metadata):
    backend = built_in(world, "backend")
    scope = backend["scope"].split()[:1]
    session = OAuth2Session(client=BackendApplicationClient(backend["client_id"], scope=scope))
    token = session.fetch_token(metadata["token_endpoint"], client_secret=backend["client_secret"], scope=scope)
    assert token.scopes == scope and "refresh_token" not in token

    with pytest.raises(InvalidClientError):
        session.fetch_token(metadata["token_endpoint"], client_secret="not the secret", scope=scope)
    with pytest.raises(InvalidScopeError):
        session.fetch_token(metadata["token_endpoint"], client_secret=backend["client_secret"], scope=["no-such"])


def test_an_old_app_takes_the_token_from_the_fragment(world, issuer, metadata, browser):
    made = change_client(world, "old-app", grant_types=["implicit"], response_types=["id_token token"],
                         token_endpoint_auth_method="none", redirect_uris=[CALLBACK], scope=" ".join(SCOPE))
    client = MobileApplicationClient(made["client_id"])
    client.response_type = "id_token token"
    session = OAuth2Session(client=client, redirect_uri=CALLBACK, scope=SCOPE)
    url, _ = session.authorization_url(metadata["authorization_endpoint"], nonce="once")
    arrival = browser.authorize(url)
    assert arrival.query == {}

    token = session.token_from_fragment(arrival.url)
    assert session.get(metadata["userinfo_endpoint"]).json()["name"] == "Ada Lovelace"
    key = jwt.PyJWKClient(metadata["jwks_uri"]).get_signing_key_from_jwt(token["id_token"])
    claims = jwt.decode(token["id_token"], key, algorithms=["RS256"], audience=made["client_id"], issuer=issuer)
    assert claims["nonce"] == "once" and "refresh_token" not in token


def test_a_very_old_app_sends_the_password(world, metadata):
    users = world.get("/fixtures")["onegini"]["oauth"]["users"]
    user = next(user for user in users if user.get("password"))
    made = change_client(
        world, "very-old-app", client_secret="of old", grant_types=["password"], scope=" ".join(SCOPE))
    session = OAuth2Session(client=LegacyApplicationClient(made["client_id"], scope=SCOPE))
    name = user.get("username", user["sub"])

    token = session.fetch_token(
        metadata["token_endpoint"], username=name, password=user["password"], client_secret=made["client_secret"])
    assert session.get(metadata["userinfo_endpoint"]).json()["sub"] == user["sub"]
    assert sorted(token.scopes) == sorted(SCOPE)
    with pytest.raises(InvalidGrantError):
        session.fetch_token(metadata["token_endpoint"], username=name, password="not the password",
                            client_secret=made["client_secret"])


def test_the_device_of_the_fixtures_is_connected(world, metadata, browser):
    device = built_in(world, "device")
    client = DeviceClient(device["client_id"], scope="openid")
    started = requests.post(
        metadata["device_authorization_endpoint"], data={"client_id": client.client_id, "scope": "openid"},
        timeout=30).json()

    def poll():
        body = client.prepare_request_body(started["device_code"], include_client_id=True)
        answer = requests.post(metadata["token_endpoint"], data=dict(parse_qsl(body)), timeout=30)
        return client.parse_request_body_response(answer.text)

    with pytest.raises(CustomOAuth2Error, match="authorization_pending"):
        poll()
    browser.connect_device(started["user_code"], started["verification_uri"])
    world.advance(started["interval"] + 1)
    assert poll()["id_token"]
