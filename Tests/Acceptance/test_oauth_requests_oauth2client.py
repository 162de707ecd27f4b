"""The token server as requests_oauth2client sees it, which checks more than most: pushed requests, `iss`, every claim.

Sources: RFC 6749, 7009, 7523, 7636, 7662, 8252, 8628, 8693, 9126, 9207; OpenID Connect Core 1.0.
"""

import pytest
from jwskate import Jwk
from requests_oauth2client import (
    AccessDenied, AuthorizationResponseError, BearerToken, ClientSecretBasic,
    DeviceAuthorizationPollingJob, ExpiredToken, InvalidClient, InvalidGrant, InvalidRequest, InvalidScope,
    InvalidTarget, OAuth2AccessTokenAuth, OAuth2Client, PrivateKeyJwt, PublicApp, UnauthorizedClient)

from oauth_browser import ADA, CALLBACK, GRACE, Arrival, change_client, metadata_of, register

CODE_GRANTS = ["authorization_code", "refresh_token"]
DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
EXCHANGE_GRANT = "urn:ietf:params:oauth:grant-type:token-exchange"
SCOPE = "openid profile email offline_access"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"


def discover(issuer, auth, **options):
    return OAuth2Client.from_discovery_endpoint(
        issuer=issuer, auth=auth, testing=True, redirect_uri=CALLBACK,
        device_authorization_endpoint=metadata_of(issuer)["device_authorization_endpoint"], **options)


@pytest.fixture
def client(issuer):
    """A web application with a secret."""
    made = register(issuer, grant_types=CODE_GRANTS, scope=SCOPE)
    return discover(issuer, ClientSecretBasic(made["client_id"], made["client_secret"]))


def log_in(client, browser, user=ADA, **parameters):
    """Logs a user in; the token, with its ID token checked."""
    asked = client.authorization_request(scope=SCOPE, **parameters)
    answered = asked.validate_callback(browser.authorize(asked.uri, user).url)
    return client.authorization_code(answered, validate=True)


# --- Codes


def test_an_app_without_a_secret_logs_a_user_in(issuer, browser):
    made = register(issuer, grant_types=CODE_GRANTS, token_endpoint_auth_method="none", application_type="native",
                    redirect_uris=["com.example.app:/callback", "http://127.0.0.1/callback"])
    assert "client_secret" not in made
    app = discover(issuer, PublicApp(made["client_id"]))
    for target in ["com.example.app:/callback", "http://127.0.0.1:49152/callback"]:
        asked = app.authorization_request(scope=SCOPE, redirect_uri=target)
        arrival = browser.authorize(asked.uri)
        assert arrival.address == target
        token = app.authorization_code(asked.validate_callback(arrival.url), validate=True)
        assert token.refresh_token and app.userinfo(token)["name"] == "Ada Lovelace"

    renewed = app.refresh_token(token)
    assert renewed.refresh_token != token.refresh_token


def test_an_app_without_a_secret_must_bring_a_challenge(issuer, browser):
    made = register(issuer, grant_types=CODE_GRANTS, token_endpoint_auth_method="none")
    app = discover(issuer, PublicApp(made["client_id"]), code_challenge_method=None)
    arrival = browser.open(app.authorization_request(scope="openid").uri)
    assert arrival.query["error"] == "invalid_request" and "code_challenge" in arrival.query["error_description"]


def test_the_id_token_stands_every_check(client, browser):
    token = log_in(client, browser, max_age=3600, acr_values="1")
    assert token.id_token.sub == client.userinfo(token)["sub"]
    assert token.id_token.get_claim("sid") and token.id_token.auth_datetime


def test_the_id_token_of_another_algorithm_stands_them_too(issuer, browser):
    made = register(issuer, grant_types=CODE_GRANTS, scope=SCOPE, id_token_signed_response_alg="ES256")
    client = discover(issuer, ClientSecretBasic(made["client_id"], made["client_secret"]),
                      id_token_signed_response_alg="ES256")
    assert log_in(client, browser).id_token.alg == "ES256"


def test_a_code_is_redeemed_once_and_then_ends_what_it_brought(world, client, browser):
    asked = client.authorization_request(scope=SCOPE)
    answered = asked.validate_callback(browser.authorize(asked.uri).url)
    token = client.authorization_code(answered)
    with pytest.raises(InvalidGrant):
        client.authorization_code(answered)
    assert client.introspect_token(token) == {"active": False}
    with pytest.raises(InvalidGrant):
        client.refresh_token(token)
    assert any("code" in sentence for sentence in world.explanations(path="/token"))


def test_a_code_is_good_for_a_minute(world, client, browser):
    asked = client.authorization_request(scope=SCOPE)
    answered = asked.validate_callback(browser.authorize(asked.uri).url)
    world.advance(61)
    with pytest.raises(InvalidGrant):
        client.authorization_code(answered)


def test_a_code_is_of_use_to_its_client_alone(issuer, client, browser):
    made = register(issuer, grant_types=CODE_GRANTS)
    other = discover(issuer, ClientSecretBasic(made["client_id"], made["client_secret"]))
    asked = client.authorization_request(scope=SCOPE)
    answered = asked.validate_callback(browser.authorize(asked.uri).url)
    with pytest.raises(InvalidGrant):
        other.authorization_code(answered)


def test_a_user_who_says_no_is_believed(client, browser):
    asked = client.authorization_request(scope=SCOPE, prompt="consent")
    arrival = browser.authorize(asked.uri, decision="deny")
    with pytest.raises(AuthorizationResponseError) as refused:
        asked.validate_callback(arrival.url)
    assert refused.value.error == "access_denied"


def test_a_session_of_the_client_renews_its_token_by_itself(world, client, browser):
    token = log_in(client, browser)
    world.advance(3601)
    stale = BearerToken(
        token.access_token, expires_at=token.expires_at.replace(year=2000), refresh_token=token.refresh_token)
    auth = OAuth2AccessTokenAuth(client, stale)
    answer = client.session.get(client.userinfo_endpoint, auth=auth, timeout=30)
    assert answer.json()["name"] == "Ada Lovelace"
    assert auth.token.refresh_token != token.refresh_token


def test_a_refresh_token_may_ask_for_less_and_never_for_more(client, browser):
    token = log_in(client, browser)
    less = client.refresh_token(token, scope="openid email")
    assert set(less.scope.split()) == {"openid", "email"}
    assert "name" not in client.userinfo(less)
    with pytest.raises(InvalidScope):
        client.refresh_token(less, scope="openid profile email offline_access admin")


# --- Pushed requests


def test_a_request_is_pushed_and_its_handle_used_once(client, browser):
    asked = client.authorization_request(scope=SCOPE)
    pushed = client.pushed_authorization_request(asked)
    assert pushed.request_uri.startswith("urn:ietf:params:oauth:request_uri:")
    assert asked.redirect_uri not in pushed.uri

    arrival = browser.authorize(pushed.uri)
    token = client.authorization_code(asked.validate_callback(arrival.url), validate=True)
    assert client.userinfo(token)["name"] == "Ada Lovelace"
    again = browser.open(pushed.uri)
    assert not isinstance(again, Arrival) and again.status == 400


def test_a_pushed_request_is_good_for_a_minute_and_for_its_client(world, issuer, client, browser):
    made = register(issuer, grant_types=CODE_GRANTS)
    pushed = client.pushed_authorization_request(client.authorization_request(scope=SCOPE))
    foreign = browser.open(pushed.uri.replace(client.client_id, made["client_id"]))
    assert foreign.status == 400
    world.advance(61)
    assert browser.open(pushed.uri).status == 400


def test_a_pushed_request_is_judged_at_once(client):
    with pytest.raises(InvalidRequest):
        client.pushed_authorization_request(
            client.authorization_request(redirect_uri="https://attacker.example.test/"))


# --- Keys instead of secrets


@pytest.mark.parametrize("algorithm", ["ES256", "RS256"])
def test_a_key_proves_the_client_at_every_endpoint(issuer, browser, algorithm):
    key = Jwk.generate(alg=algorithm).with_kid_thumbprint()
    made = register(
        issuer, grant_types=CODE_GRANTS, scope=SCOPE, token_endpoint_auth_method="private_key_jwt",
        jwks={"keys": [key.public_jwk().to_dict()]})
    # The library puts the address of each endpoint into `aud`; RFC 7523 §3 and RFC 9126 §2 want that understood.
    client = discover(issuer, PrivateKeyJwt(made["client_id"], key, alg=algorithm))
    asked = client.authorization_request(scope=SCOPE)
    pushed = client.pushed_authorization_request(asked)
    token = client.authorization_code(asked.validate_callback(browser.authorize(pushed.uri).url), validate=True)

    assert client.introspect_token(token)["active"] is True
    assert client.revoke_access_token(token) is True
    assert client.introspect_token(token) == {"active": False}


def test_an_assertion_is_good_once_and_for_this_server(world, issuer):
    key = Jwk.generate(alg="ES256").with_kid_thumbprint()
    made = register(
        issuer, grant_types=["client_credentials"], redirect_uris=[], response_types=[], scope="accounts:read",
        token_endpoint_auth_method="private_key_jwt", jwks={"keys": [key.public_jwk().to_dict()]})
    repeated = discover(issuer, PrivateKeyJwt(made["client_id"], key, jti_gen=lambda: "always the same"))
    assert repeated.client_credentials(scope="accounts:read")
    with pytest.raises(InvalidClient):
        repeated.client_credentials(scope="accounts:read")
    elsewhere = discover(issuer, PrivateKeyJwt(made["client_id"], key, aud="https://other.example.test"))
    with pytest.raises(InvalidClient):
        elsewhere.client_credentials(scope="accounts:read")
    foreign = discover(issuer, PrivateKeyJwt(made["client_id"], Jwk.generate(alg="ES256").with_kid_thumbprint()))
    with pytest.raises(InvalidClient):
        foreign.client_credentials(scope="accounts:read")
    assert len(world.explanations(path="/token", status=401)) == 3


# --- Introspection and revocation


def test_a_client_is_told_nothing_of_the_tokens_of_others(issuer, client, browser):
    token = log_in(client, browser)
    made = register(issuer, grant_types=CODE_GRANTS)
    other = discover(issuer, ClientSecretBasic(made["client_id"], made["client_secret"]))
    assert other.introspect_token(token) == {"active": False}
    assert client.introspect_token(token, token_type_hint="access_token")["active"] is True
    assert client.introspect_token(token, token_type_hint="refresh_token")["active"] is True


def test_a_revoked_refresh_token_takes_its_access_tokens_with_it(client, browser):
    token = log_in(client, browser)
    assert client.revoke_refresh_token(token) is True
    assert client.introspect_token(token) == {"active": False}
    with pytest.raises(InvalidGrant):
        client.refresh_token(token)
    assert client.revoke_token("nobody knows this one") is True


# --- Devices


def polling(world, client, device):
    """The library's own loop; it waits by the clock of its world."""
    class Job(DeviceAuthorizationPollingJob):
        def sleep(self):
            world.advance(self.interval)

    return Job(client, device)


@pytest.fixture
def television(issuer):
    made = register(issuer, grant_types=[DEVICE_GRANT, "refresh_token"], redirect_uris=[], response_types=[],
                    token_endpoint_auth_method="none", scope=SCOPE)
    return discover(issuer, PublicApp(made["client_id"]))


def test_a_device_polls_until_its_user_says_yes(world, television, browser):
    device = television.authorize_device(scope=SCOPE)
    assert device.interval == 5 and not device.is_expired()
    job = polling(world, television, device)
    assert job() is None
    assert job() is None

    browser.open(device.verification_uri_complete)
    browser.connect_device(device.user_code, device.verification_uri, GRACE)
    token = job()
    assert television.userinfo(token)["name"] == "Grace Hopper"
    assert television.refresh_token(token).refresh_token


def test_a_device_that_hurries_is_slowed_down(world, television):
    job = polling(world, television, television.authorize_device(scope=SCOPE))
    job()
    job.interval = 1
    job()
    assert job.interval == 1 + 5


def test_a_device_whose_user_says_no_is_told(world, television, browser):
    device = television.authorize_device(scope=SCOPE)
    browser.connect_device(device.user_code, device.verification_uri, decision="deny")
    with pytest.raises(AccessDenied):
        polling(world, television, device)()


def test_a_device_nobody_connects_is_told(world, television):
    device = television.authorize_device(scope=SCOPE)
    world.advance(601)
    with pytest.raises(ExpiredToken):
        polling(world, television, device)()


# --- Token exchange


@pytest.fixture
def exchanger(world, issuer):
    """A gateway that trades the tokens it is called with for such as the services behind it take."""
    made = change_client(world, "exchanger", access_token_format="jwt", audiences=["https://orders.example.test"])
    return discover(issuer, ClientSecretBasic(made["client_id"], made["client_secret"]))


def test_a_token_is_traded_for_one_of_another_service(exchanger, client, browser):
    token = log_in(client, browser)
    own = exchanger.client_credentials(scope="accounts:read")
    traded = exchanger.token_exchange(
        subject_token=token, actor_token=own, audience="https://orders.example.test", scope="profile")
    assert traded.issued_token_type == ACCESS_TOKEN
    assert traded.refresh_token is None

    claims = traded.access_token_jwt
    claims.verify_signature(exchanger.authorization_server_jwks.get_jwk_by_kid(claims.kid), alg="RS256")
    assert claims.get_claim("sub") == client.userinfo(token)["sub"]
    assert claims.audiences == ["https://orders.example.test"]
    assert claims.get_claim("act")["sub"] == exchanger.client_id


def test_a_trade_that_is_not_allowed_is_refused(exchanger, client, browser):
    token = log_in(client, browser)
    with pytest.raises(InvalidTarget):
        exchanger.token_exchange(subject_token=token, audience="https://nobody.example.test", scope="profile")
    with pytest.raises(InvalidRequest):
        exchanger.token_exchange(subject_token="no token", subject_token_type=ACCESS_TOKEN, scope="profile")
    with pytest.raises(UnauthorizedClient):
        client.token_exchange(subject_token=token, scope="profile")
