"""The token service that the quick start “AppLogin” recommends, at the sample app: a web nonce in, an access token out, which
is worth something for as long as the AppLogin lasts."""

import base64

import jwt
import pytest
import requests

from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ADA
from nextauth_server import new_nonce

GRANT = "urn:understudy:webnonce"


class Service:
    """`base` is the sample app's address."""

    def __init__(self, base):
        self.base = base

    def trade(self, nonce, grant=GRANT):
        form = {name: value for name, value in {"grant_type": grant, "webnonce": nonce}.items() if value is not None}
        return requests.post(self.base + "/nextauth/token", data=form, timeout=30)

    def token(self, nonce):
        answer = self.trade(nonce)
        assert answer.status_code == 200, answer.text
        assert answer.headers["Cache-Control"] == "no-store"
        assert set(answer.json()) == {"access_token", "token_type", "expires_in"}
        assert (answer.json()["token_type"], answer.json()["expires_in"]) == ("Bearer", 300)
        return answer.json()["access_token"]

    def me(self, token=None):
        headers = {"Authorization": "Bearer " + token} if token else {}
        return requests.get(self.base + "/nextauth/me", headers=headers, timeout=30)


@pytest.fixture
def service(world):
    return Service(world.url + "/app")


@pytest.fixture
def refuses(world):
    """Claims that a trade is refused with this error, and the reason told."""
    def refuses(answer, status, error, reason):
        assert (answer.status_code, answer.json()["error"]) == (status, error), answer.text
        assert reason in world.explanations(status=status)[0]
    return refuses


def test_the_service_describes_itself(service):
    told = requests.get(service.base + "/.well-known/oauth-authorization-server", timeout=30).json()
    assert (told["issuer"], told["token_endpoint"], told["jwks_uri"]) == (
        service.base, service.base + "/nextauth/token", service.base + "/nextauth/jwks")
    assert told["grant_types_supported"] == [GRANT] and told["token_endpoint_auth_methods_supported"] == ["none"]
    assert told["response_types_supported"] == [] and "authorization_endpoint" not in told


def test_a_web_nonce_brings_a_token(service, sdk):
    sdk.app_login.start()
    token = service.token(sdk.app_login.web_nonce)

    key = jwt.PyJWKClient(service.base + "/nextauth/jwks").get_signing_key_from_jwt(token)
    # The world's time is not the time of PyJWT.
    timeless = {"verify_exp": False, "verify_nbf": False, "verify_iat": False, "verify_aud": False}
    claims = jwt.decode(token, key, algorithms=[key.algorithm_name], issuer=service.base, options=timeless)
    assert (claims["sub"], claims["iat"], claims["exp"]) == (ADA, int(sdk.now()), int(sdk.now()) + 300)
    me = service.me(token)
    assert me.status_code == 200 and me.json() == {"userid": ADA, "attributes": {"name": "Ada Lovelace"}}


def user_stops(world, backend, sdk):
    sdk.app_login.stop()


def back_end_logs_out(world, backend, sdk):
    backend.log_out(sdk.app_login.web_nonce)


def account_is_deleted(world, backend, sdk):
    backend.delete_account(sdk.account)


@pytest.mark.parametrize("end", [user_stops, back_end_logs_out, account_is_deleted])
def test_a_token_ends_with_its_app_login(world, backend, service, sdk, end):
    sdk.app_login.start()
    token = service.token(sdk.app_login.web_nonce)
    assert service.me(token).status_code == 200

    end(world, backend, sdk)

    refused = service.me(token)
    assert refused.status_code == 401 and 'error="invalid_token"' in refused.headers["WWW-Authenticate"]
    if end is not account_is_deleted:
        sdk.app_login.start()
        assert service.me(token).status_code == 401
        assert service.me(service.token(sdk.app_login.web_nonce)).status_code == 200


def test_a_missed_ping_ends_the_token_before_its_time(world, backend, service, sdk):
    backend.update(pingTime=60)
    sdk.app_login.start()
    token = service.token(sdk.app_login.web_nonce)
    world.advance(62)
    assert service.me(token).status_code == 200
    world.advance(1)
    assert service.me(token).status_code == 401


def test_a_token_has_a_time_of_its_own(world, backend, service, sdk):
    sdk.app_login.start()
    token = service.token(sdk.app_login.web_nonce)
    world.advance(299)
    sdk.tick()
    assert service.me(token).status_code == 200
    world.advance(1)
    sdk.tick()
    assert service.me(token).status_code == 401 and backend.session(sdk.app_login.web_nonce)["loggedin"]
    assert service.me(service.token(sdk.app_login.web_nonce)).status_code == 200


def test_nonces_that_are_not_good(service, sdk, refuses):
    refuses(service.trade("0" * 32), 400, "invalid_grant", "no user is logged in")
    refuses(service.trade(None), 400, "invalid_request", "webnonce")
    refuses(service.trade(""), 400, "invalid_request", "webnonce")
    sdk.app_login.start()
    nonce = sdk.app_login.web_nonce
    for grant in ("authorization_code", "urn:understudy:WEBNONCE", "", None):
        refuses(service.trade(nonce, grant), 400, "unsupported_grant_type", GRANT)
    refuses(service.trade(nonce.upper()), 400, "invalid_grant", "no user is logged in")
    # Several back ends trade it, at any time while the AppLogin lives.
    tokens = [service.token(nonce), service.token(nonce)]
    assert [service.me(token).status_code for token in tokens] == [200, 200]
    sdk.app_login.stop()
    assert [service.me(token).status_code for token in tokens] == [401, 401]
    refuses(service.trade(nonce), 400, "invalid_grant", "no user is logged in")


def test_a_nonce_that_was_stopped_before_it_was_traded(world, service, sdk, refuses):
    sdk.app_login.start()
    nonce = sdk.app_login.web_nonce
    sdk.app_login.stop()
    refuses(service.trade(nonce), 400, "invalid_grant", "stopped")
    sdk.app_login.start()
    nonce = sdk.app_login.web_nonce
    world.advance(303)
    refuses(service.trade(nonce), 400, "invalid_grant", "missed its ping")


def test_an_account_without_a_user_gets_no_token(backend, service, make_sdk, refuses):
    sdk, nonce = make_sdk(), new_nonce()
    sdk.start_session(backend.enrolment_code(nonce))
    sdk.app_login.start()
    refuses(service.trade(sdk.app_login.web_nonce), 400, "invalid_grant", "registeruser")
    backend.register_user(nonce, "eve@example.com")
    assert service.me(service.token(sdk.app_login.web_nonce)).json() == {"userid": "eve@example.com", "attributes": {}}


def test_tokens_that_are_none(make_world, service, sdk):
    sdk.app_login.start()
    token = service.token(sdk.app_login.web_nonce)
    head, body, signature = token.split(".")
    other = bytearray(base64.urlsafe_b64decode(body + "=="))
    other[-2] ^= 1
    changed = ".".join([head, base64.urlsafe_b64encode(other).rstrip(b"=").decode(), signature])
    for wrong in (None, changed, sdk.app_login.web_nonce, "x"):
        assert service.me(wrong).status_code == 401
    assert Service(make_world().url + "/app").me(token).status_code == 401
    assert service.me(token).status_code == 200
