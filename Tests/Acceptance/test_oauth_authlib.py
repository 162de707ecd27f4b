"""The token server as Authlib sees it: a web application, a service, and an API that checks tokens.

Sources: RFC 6749, 6750, 7009, 7523, 7636, 7662, 8414, 8628, 9068; OpenID Connect Core 1.0.
"""

import pytest
import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc6750.errors import InsufficientScopeError, InvalidTokenError
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from authlib.oidc.core import CodeIDToken, UserInfo
from authlib.oidc.discovery import OpenIDProviderMetadata
from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, RSAKey

from oauth_browser import CALLBACK, Browser, built_in, change_client, claims_in, metadata_of, register

VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"


@pytest.fixture(autouse=True)
def plain_http(monkeypatch):
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")


@pytest.fixture
def metadata(issuer):
    return metadata_of(issuer)


@pytest.fixture
def keys(metadata):
    return KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=30).json())


@pytest.fixture
def web(issuer, metadata):
    """A web application with a secret, registered for codes and refresh tokens."""
    client = register(issuer, grant_types=["authorization_code", "refresh_token"])
    return session(metadata, client, scope="openid profile email offline_access", redirect_uri=CALLBACK,
                   code_challenge_method="S256")


def session(metadata, client, **options):
    options.setdefault("token_endpoint_auth_method", client.get("token_endpoint_auth_method"))
    return OAuth2Session(
        client["client_id"], options.pop("secret", client.get("client_secret")),
        token_endpoint=metadata["token_endpoint"], default_timeout=30, **options)


def log_in(web, metadata, browser, **parameters):
    """The token of a user who logged in."""
    url, state = web.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=VERIFIER, **parameters)
    arrival = browser.authorize(url)
    return web.fetch_token(authorization_response=arrival.url, state=state, code_verifier=VERIFIER)


def verified(token, keys, **expected):
    """The claims of an ID token, checked as OpenID Connect Core 1.0 §3.1.3.7 asks."""
    decoded = jwt.decode(token["id_token"], keys, algorithms=["RS256", "ES256"])
    options = {"iss": {"essential": True, "value": expected.pop("issuer")},
               "aud": {"essential": True, "value": expected["client_id"]}}
    claims = CodeIDToken(
        decoded.claims, decoded.header, options, {"access_token": token["access_token"]} | expected)
    claims.validate()
    return claims


def introspect(session, metadata, token):
    answer = session.introspect_token(metadata["introspection_endpoint"], token=token)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_metadata_is_what_the_registries_say(issuer, metadata):
    assert metadata["issuer"] == issuer
    OpenIDProviderMetadata(metadata).validate()
    AuthorizationServerMetadata(metadata).validate()

    base, world = issuer.split("/w/")
    elsewhere = requests.get(f"{issuer}/.well-known/oauth-authorization-server", timeout=30)
    assert elsewhere.json() == metadata
    inserted = requests.get(f"{base}/.well-known/oauth-authorization-server/w/{world}", timeout=30)
    assert inserted.status_code == 404 or inserted.json() == metadata


def test_with_tls_nothing_insecure_is_left(start, certificate, monkeypatch):
    server = start("--tls", "{},{}".format(*certificate))
    monkeypatch.delenv("AUTHLIB_INSECURE_TRANSPORT")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate[0]))
    for world in server.default_world.url, server.url + "/w/default":
        issuer, browser = world + "/oauth", Browser(certificate[0])
        metadata = metadata_of(issuer)
        OpenIDProviderMetadata(metadata).validate()
        assert [url for url in metadata.values() if str(url).startswith("http:")] == []

        web = session(metadata, register(issuer), scope="openid profile", redirect_uri=CALLBACK,
                      code_challenge_method="S256")
        keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=30).json())
        claims = verified(log_in(web, metadata, browser), keys, issuer=issuer, client_id=web.client_id)
        assert web.get(metadata["userinfo_endpoint"]).json()["sub"] == claims["sub"]
        for cookie in browser.session.cookies:
            assert cookie.secure and cookie.name.startswith("__Host-") and cookie.path == "/", cookie


def test_a_web_application_logs_a_user_in(issuer, metadata, keys, web, browser):
    token = log_in(web, metadata, browser, nonce="n-0S6_WzA2Mj")
    assert token["token_type"] == "Bearer" and token["expires_in"] == 3600
    assert set(token["scope"].split()) == {"openid", "profile", "email", "offline_access"}

    claims = verified(token, keys, issuer=issuer, client_id=web.client_id, nonce="n-0S6_WzA2Mj")
    assert claims["aud"] == web.client_id and claims["auth_time"] <= claims["iat"]
    user = UserInfo(web.get(metadata["userinfo_endpoint"]).json())
    assert user["sub"] == claims["sub"]
    assert user["name"] == "Ada Lovelace" and "@" in user["email"] and isinstance(user["email_verified"], bool)


def test_a_refresh_token_is_used_once(issuer, metadata, keys, web, browser):
    first = dict(log_in(web, metadata, browser))
    second = dict(web.refresh_token(metadata["token_endpoint"]))
    assert second["refresh_token"] != first["refresh_token"]
    assert second["access_token"] != first["access_token"]
    before, after = (verified(token, keys, issuer=issuer, client_id=web.client_id) for token in (first, second))
    assert (after["sub"], after["auth_time"]) == (before["sub"], before["auth_time"])

    # The first one is in two hands now, so neither is trusted any more.
    with pytest.raises(OAuthError, match="invalid_grant"):
        web.refresh_token(metadata["token_endpoint"], refresh_token=first["refresh_token"])
    with pytest.raises(OAuthError, match="invalid_grant"):
        web.refresh_token(metadata["token_endpoint"], refresh_token=second["refresh_token"])
    assert introspect(web, metadata, second["access_token"]) == {"active": False}


def test_the_client_sees_what_its_tokens_are_good_for_and_ends_them(metadata, web, browser):
    token = dict(log_in(web, metadata, browser))
    seen = introspect(web, metadata, token["access_token"])
    assert seen["active"] is True and seen["client_id"] == web.client_id
    assert seen["scope"] == token["scope"] and seen["exp"] - seen["iat"] == 3600

    ended = web.revoke_token(metadata["revocation_endpoint"], token=token["access_token"])
    assert (ended.status_code, ended.text) == (200, "")
    assert introspect(web, metadata, token["access_token"]) == {"active": False}
    assert introspect(web, metadata, token["refresh_token"])["active"] is True
    again = dict(web.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"]))
    web.revoke_token(metadata["revocation_endpoint"], token=again["refresh_token"])
    assert introspect(web, metadata, again["access_token"]) == {"active": False}


def test_an_expired_token_is_renewed_by_the_client_itself(world, metadata, web, browser):
    before = dict(log_in(web, metadata, browser))
    world.advance(3601)
    refused = web.get(metadata["userinfo_endpoint"])
    assert refused.status_code == 401 and 'error="invalid_token"' in refused.headers["WWW-Authenticate"]

    web.token = before | {"expires_at": 1}
    assert web.get(metadata["userinfo_endpoint"]).json()["name"] == "Ada Lovelace"
    assert web.token["refresh_token"] != before["refresh_token"]


def test_a_code_comes_in_a_form_when_that_is_asked_for(metadata, web, browser):
    url, state = web.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=VERIFIER, response_mode="form_post")
    arrival = browser.authorize(url)
    assert arrival.url == CALLBACK
    assert (arrival.body["state"], arrival.body["iss"]) == (state, metadata["issuer"])

    token = web.fetch_token(code=arrival.body["code"], code_verifier=VERIFIER)
    assert token["id_token"]


def test_the_wrong_verifier_brings_nothing(world, metadata, web, browser):
    url, state = web.create_authorization_url(metadata["authorization_endpoint"], code_verifier=VERIFIER)
    arrival = browser.authorize(url)
    with pytest.raises(OAuthError, match="invalid_grant"):
        web.fetch_token(authorization_response=arrival.url, state=state, code_verifier=VERIFIER[::-1])
    assert any("verifier" in sentence for sentence in world.explanations(path="/token"))


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_a_service_gets_tokens_for_itself(issuer, metadata, method):
    client = register(issuer, grant_types=["client_credentials"], redirect_uris=[], response_types=[],
                      scope="accounts:read payments:write", token_endpoint_auth_method=method)
    service = session(metadata, client)
    token = service.fetch_token(grant_type="client_credentials", scope="accounts:read")
    assert token["scope"] == "accounts:read" and "refresh_token" not in token and "id_token" not in token

    wrong = session(metadata, client, secret="not the secret")
    with pytest.raises(OAuthError, match="invalid_client"):
        wrong.fetch_token(grant_type="client_credentials", scope="accounts:read")
    with pytest.raises(OAuthError, match="invalid_scope"):
        service.fetch_token(grant_type="client_credentials", scope="openid")


@pytest.mark.parametrize("algorithm", ["RS256", "PS256", "ES256", "ES384"])
def test_a_service_proves_itself_with_a_key(issuer, metadata, algorithm):
    if algorithm.startswith("E"):
        key = ECKey.generate_key("P-" + algorithm[2:], {"use": "sig", "alg": algorithm}, auto_kid=True)
    else:
        key = RSAKey.generate_key(2048, {"use": "sig", "alg": algorithm}, auto_kid=True)
    client = register(
        issuer, grant_types=["client_credentials"], redirect_uris=[], response_types=[], scope="accounts:read",
        token_endpoint_auth_method="private_key_jwt", token_endpoint_auth_signing_alg=algorithm,
        jwks={"keys": [key.as_dict(private=False)]})
    assert "client_secret" not in client
    service = session(metadata, client, secret=key)
    service.register_client_auth_method(PrivateKeyJWT(metadata["token_endpoint"], alg=algorithm))

    token = service.fetch_token(grant_type="client_credentials", scope="accounts:read")
    assert token["access_token"]
    assert introspect(service, metadata, token["access_token"])["active"] is True


class API(JWTBearerTokenValidator):
    """A resource server that looks at the token and asks nobody."""

    def __init__(self, metadata, audience):
        super().__init__(issuer=metadata["issuer"], resource_server=audience)
        self.jwks_uri = metadata["jwks_uri"]

    def get_jwks(self):
        return KeySet.import_key_set(requests.get(self.jwks_uri, timeout=30).json())


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_an_api_checks_jwt_access_tokens_by_itself(world, issuer, metadata, algorithm):
    change_client(world, "backend", access_token_format="jwt", access_token_signed_response_alg=algorithm,
                  audiences=["https://api.example.test"])
    service = session(metadata, built_in(world, "backend"))
    token = service.fetch_token(
        grant_type="client_credentials", scope="accounts:read", resource="https://api.example.test")["access_token"]

    api = API(metadata, "https://api.example.test")
    claims = api.authenticate_token(token)
    api.validate_token(claims, ["accounts:read"], None)
    assert claims.header["typ"] == "at+jwt" and claims.header["alg"] == algorithm
    with pytest.raises(InsufficientScopeError):
        api.validate_token(claims, ["payments:write"], None)

    head, body, signature = token.split(".")
    with pytest.raises(InvalidTokenError):
        api.authenticate_token(".".join([head, body, signature[::-1]]))
    elsewhere = API(metadata, "https://other.example.test")
    with pytest.raises(InvalidTokenError):
        elsewhere.validate_token(elsewhere.authenticate_token(token), None, None)


def test_a_gateway_of_the_fixtures_introspects_the_tokens_of_others(world, metadata, web, browser):
    token = dict(log_in(web, metadata, browser))
    gateway = session(metadata, built_in(world, "resource-gateway"))
    seen = introspect(gateway, metadata, token["access_token"])
    assert seen["active"] is True and seen["client_id"] == web.client_id


def test_a_device_without_a_browser_is_connected(world, issuer, metadata, browser):
    client = register(
        issuer, grant_types=[DEVICE_CODE, "refresh_token"], redirect_uris=[], response_types=[],
        token_endpoint_auth_method="none")
    device = session(metadata, client, scope="openid profile")
    started = requests.post(
        metadata["device_authorization_endpoint"],
        data={"client_id": client["client_id"], "scope": "openid profile"}, timeout=30).json()

    def poll():
        return device.fetch_token(grant_type=DEVICE_CODE, device_code=started["device_code"])

    with pytest.raises(OAuthError, match="authorization_pending"):
        poll()
    with pytest.raises(OAuthError, match="slow_down"):
        poll()
    said = browser.connect_device(started["user_code"].lower(), started["verification_uri"])
    assert said.status == 200 and "Connected" in said.text
    world.advance(started["interval"] + 5)
    token = poll()
    assert claims_in(token["id_token"])["aud"] == client["client_id"]
    world.advance(60)
    with pytest.raises(OAuthError, match="invalid_grant"):
        poll()
