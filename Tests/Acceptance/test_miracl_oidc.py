"""MIRACL's OpenID provider, by Authlib, requests-oauthlib and by hand.

Source: MIRACL's documentation of OpenID Connect and its samples' integration tests; RFC 6749; OpenID Connect Core.
"""

import base64
import hashlib
import re
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import jwt
import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from requests_oauthlib import OAuth2Session as OtherSession

from miracl_backend import CLIENT, REDIRECT, SECRET, AccessSession, claims_of
from miracl_device import PIN
from oauth_browser import Arrival, metadata_of

ASKED = {"client_id": CLIENT, "redirect_uri": REDIRECT, "response_type": "code", "scope": "openid email", "state": "the state"}


@pytest.fixture
def metadata(miracl):
    return metadata_of(miracl)


@pytest.fixture
def log_in(native):
    """Logs in on a web site whose address for it is given; the browser is sent to what is returned."""
    def log_in(url):
        session = AccessSession(native.post(url))
        native.start_authentication(session.code)
        native.log_in(PIN, ["oidc"], session.code)
        return session.poll()["redirectURL"]

    return log_in


@pytest.fixture
def code(log_in, metadata):
    """An authorization code for a question."""
    def code(**changes):
        arrived = log_in(metadata["authorization_endpoint"] + "?" + urlencode(ASKED | changes))
        return dict(parse_qsl(urlsplit(arrived).query))["code"]

    return code


def redeem(metadata, code, auth=(CLIENT, SECRET), **changes):
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": REDIRECT} | changes
    return requests.post(metadata["token_endpoint"], data=form, auth=auth, timeout=30)


def test_discovery(miracl, metadata):
    assert metadata["issuer"] == miracl
    assert metadata["authorization_endpoint"] == miracl + "/authorize"
    assert metadata["token_endpoint"] == miracl + "/oidc/token"
    assert metadata["userinfo_endpoint"] == miracl + "/oidc/userinfo"
    assert metadata["jwks_uri"] == miracl + "/oidc/certs"
    assert metadata["response_types_supported"] == ["code"] and metadata["subject_types_supported"] == ["public"]
    assert "RS256" in metadata["id_token_signing_alg_values_supported"]
    assert {"openid", "profile", "email"} <= set(metadata["scopes_supported"])
    assert {"client_secret_basic", "client_secret_post"} <= set(metadata["token_endpoint_auth_methods_supported"])
    assert {"sub", "iss", "email", "email_verified"} <= set(metadata["claims_supported"])


def test_keys(metadata):
    keys = requests.get(metadata["jwks_uri"], timeout=30).json()["keys"]
    signing = [key for key in keys if key["kty"] == "RSA"]
    assert signing
    for key in signing:
        assert key["kid"] and key["use"] == "sig" and key["alg"] == "RS256" and "d" not in key


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
def test_a_login_by_authlib(metadata, miracl, log_in, native, method):
    client = OAuth2Session(CLIENT, SECRET, scope="openid email", redirect_uri=REDIRECT, token_endpoint_auth_method=method)
    url, state = client.create_authorization_url(metadata["authorization_endpoint"], nonce="n-0S6_WzA2Mj")

    token = client.fetch_token(metadata["token_endpoint"], authorization_response=log_in(url), state=state)

    assert token["token_type"] == "Bearer" and token["expires_in"] == 900 and token["refresh_token"]
    assert set(token["scope"].split()) >= {"openid", "email"}
    claims = claims_of(token["id_token"], metadata["jwks_uri"], audience=CLIENT, issuer=miracl)
    assert (claims["sub"], claims["nonce"], claims["amr"]) == (native.user, "n-0S6_WzA2Mj", ["token"])
    assert claims["exp"] - claims["iat"] == 900
    about = client.get(metadata["userinfo_endpoint"]).json()
    assert (about["sub"], about["email"], about["email_verified"]) == (native.user, native.user, True)


def test_a_login_by_requests_oauthlib(metadata, log_in, native, monkeypatch):
    monkeypatch.setenv("OAUTHLIB_INSECURE_TRANSPORT", "1")
    client = OtherSession(CLIENT, redirect_uri=REDIRECT, scope=["openid", "email"])
    url, _ = client.authorization_url(metadata["authorization_endpoint"])
    # Nobody listens at the redirect URI, and the library looks at its address alone.
    client.fetch_token(metadata["token_endpoint"], authorization_response=log_in(url), client_secret=SECRET)
    assert client.post(metadata["userinfo_endpoint"]).json()["sub"] == native.user


def test_an_access_token_says_whose_it_is(metadata, miracl, code):
    token = redeem(metadata, code()).json()["access_token"]
    claims = claims_of(token, metadata["jwks_uri"], issuer=miracl, options={"verify_aud": False})
    assert claims["cid"] == CLIENT and "openid" in claims["scp"] and type(claims["scp"]) is list and claims["exp"]


def test_a_nonce_only_where_one_was_given(metadata, code):
    first, second = redeem(metadata, code()).json(), redeem(metadata, code(nonce="n1")).json()
    assert "nonce" not in jwt.decode(first["id_token"], options={"verify_signature": False})
    assert jwt.decode(second["id_token"], options={"verify_signature": False})["nonce"] == "n1"


def test_a_code_is_good_once(metadata, code):
    one = code()
    assert redeem(metadata, one).status_code == 200
    again = redeem(metadata, one)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")


def test_a_code_ends(metadata, code, world):
    one = code()
    world.advance(61)
    again = redeem(metadata, one)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")


@pytest.mark.parametrize("changes, status, error", [
    ({"redirect_uri": REDIRECT + "/"}, 400, "invalid_grant"), ({"code": "nothing"}, 400, "invalid_grant"),
    ({"auth": (CLIENT, "wrong")}, 401, "invalid_client"), ({"auth": ("nobody", SECRET)}, 401, "invalid_client"),
    ({"auth": None}, 401, "invalid_client"), ({"grant_type": "password"}, 400, "unsupported_grant_type")])
def test_what_the_token_endpoint_refuses(metadata, code, changes, status, error):
    answer = redeem(metadata, **({"code": code()} | changes))
    assert answer.json()["error"] in ({error, "unauthorized_client"} if "grant_type" in changes else {error})
    assert answer.status_code == status


def test_basic_is_form_encoded(world, miracl, native):
    """RFC 6749 §2.3.1."""
    fixtures = world.get("/fixtures")
    fixtures["miracl"]["projects"][0]["applications"].append(
        {"client_id": "an app:1", "client_secret": "s+ /%", "redirect_uris": [REDIRECT]})
    loaded = world.control("PUT", "/fixtures", json=fixtures)
    assert loaded.ok, loaded.text
    metadata = metadata_of(miracl)
    session = AccessSession(native.post(metadata["authorization_endpoint"] + "?" + urlencode(ASKED | {"client_id": "an app:1"})))
    native.log_in(PIN, ["oidc"], session.code)
    one = dict(parse_qsl(urlsplit(session.poll()["redirectURL"]).query))["code"]
    basic = base64.b64encode(f"{quote('an app:1', safe='')}:{quote('s+ /%', safe='')}".encode()).decode()
    form = {"grant_type": "authorization_code", "code": one, "redirect_uri": REDIRECT}
    answer = requests.post(metadata["token_endpoint"], data=form, headers={"Authorization": "Basic " + basic}, timeout=30)
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("changes", [
    {"client_id": "nobody"}, {"client_id": None}, {"redirect_uri": REDIRECT + "/"}, {"redirect_uri": REDIRECT + "?a=1"},
    {"redirect_uri": REDIRECT.upper()}, {"redirect_uri": "https://evil.example/login"}, {"redirect_uri": None}])
def test_nobody_is_sent_where_nobody_is_known(metadata, changes):
    query = {name: value for name, value in (ASKED | changes).items() if value is not None}
    answer = requests.get(metadata["authorization_endpoint"], params=query, allow_redirects=False, timeout=30)
    assert answer.status_code == 400 and answer.headers["Content-Type"].startswith("text/html")
    assert "Location" not in answer.headers


@pytest.mark.parametrize("changes, error", [
    ({"response_type": "token"}, "unsupported_response_type"), ({"response_type": None}, "invalid_request"),
    ({"scope": "email"}, "invalid_scope")])
def test_other_faults_are_told_to_the_client(metadata, changes, error):
    query = {name: value for name, value in (ASKED | changes).items() if value is not None}
    answer = requests.get(metadata["authorization_endpoint"], params=query, allow_redirects=False, timeout=30)
    assert answer.status_code in (302, 303)
    arrived = Arrival(answer.headers["Location"])
    assert arrived.address == REDIRECT
    told = arrived.parameters
    assert told["state"] == "the state"
    assert told["error"] in {error, "invalid_request", "unauthorized_client"}


@pytest.mark.parametrize("mode, mark", [("query", "?"), ("fragment", "#")])
def test_a_code_travels_as_the_client_asks(metadata, log_in, mode, mark):
    assert mode in metadata["response_modes_supported"]
    arrived = log_in(metadata["authorization_endpoint"] + "?" + urlencode(ASKED | {"response_mode": mode}))
    address, told = arrived.split(mark)
    assert address == REDIRECT and dict(parse_qsl(told))["state"] == "the state"
    assert redeem(metadata, dict(parse_qsl(told))["code"]).status_code == 200


def test_a_code_is_posted_to_who_asks_so(metadata, log_in):
    """What ASP.NET Core always asks."""
    assert "form_post" in metadata["response_modes_supported"]
    page = requests.get(log_in(metadata["authorization_endpoint"] + "?" + urlencode(ASKED | {"response_mode": "form_post"})), timeout=30)
    assert page.status_code == 200 and f'<form method="post" action="{REDIRECT}">' in page.text
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', page.text))
    assert fields["state"] == "the state"
    assert redeem(metadata, fields["code"]).status_code == 200


def test_what_is_the_token_servers_own_is_not_here(metadata, miracl, code):
    # Claims by scope stand in UserInfo alone, and resource is nobody's business.
    token = redeem(metadata, code(resource="https://elsewhere.example.test"), resource="https://elsewhere.example.test").json()
    assert "email" not in claims_of(token["id_token"], metadata["jwks_uri"], audience=CLIENT, issuer=miracl)
    said = claims_of(token["access_token"], metadata["jwks_uri"], issuer=miracl, options={"verify_aud": False})
    assert said["aud"] == miracl and not {"email", "mpin_id"} & set(said)


def test_scopes_that_are_unknown_are_ignored(world, metadata, code):
    """The vendor's library for Python asks for these."""
    answer = redeem(metadata, code(scope="openid email sub name"))
    assert answer.status_code == 200 and answer.json()["scope"].split() == ["openid", "email"]
    told = [entry["explanation"] for entry in world.journal() if entry.get("event") == "scopes ignored"]
    assert told and "“sub name”" in told[0]


def test_userinfo_by_scope(metadata, code, native):
    def about(scope):
        token = redeem(metadata, code(scope=scope)).json()["access_token"]
        answer = requests.get(metadata["userinfo_endpoint"], headers={"Authorization": "Bearer " + token}, timeout=30)
        assert answer.headers["Content-Type"].startswith("application/json")
        return answer.json()

    told = about("openid email mpin_id hash_mpin_id")
    assert told["mpin_id"] == native.mpin_id
    assert told["hash_mpin_id"] == hashlib.sha256(bytes.fromhex(native.mpin_id)).hexdigest()
    told = about("openid")
    assert told["sub"] == native.user and "mpin_id" not in told and "hash_mpin_id" not in told


def test_userinfo_tells_the_keys_for_signatures(metadata, code, native):
    native.register_signing()
    token = redeem(metadata, code(scope="openid dvs")).json()["access_token"]
    answer = requests.get(metadata["userinfo_endpoint"], headers={"Authorization": "Bearer " + token}, timeout=30)
    assert native.signing.public_key in str(answer.json()["dvs_keys"])


def test_a_login_by_a_device_of_trust(metadata, miracl, trust):
    session = AccessSession(trust.post(metadata["authorization_endpoint"] + "?" + urlencode(ASKED | {"nonce": "n1"})))
    details = trust.session_details(session.code)
    assert details["clientId"] == CLIENT
    trust.choose_user(session.code)
    trust.log_in(PIN, ["oidc"], session.code)
    one = dict(parse_qsl(urlsplit(session.poll()["redirectURL"]).query))["code"]
    claims = claims_of(redeem(metadata, one).json()["id_token"], metadata["jwks_uri"], audience=CLIENT, issuer=miracl)
    assert (claims["sub"], claims["nonce"]) == (trust.user, "n1")


def test_a_page_for_somebody_says_for_whom(metadata, native):
    page = requests.get(metadata["authorization_endpoint"], params=ASKED | {"prerollid": native.user}, timeout=30)
    shown = page.text.split("mobile-login/#")[1][:32]
    assert native.session_details(shown)["prerollId"] == native.user


def test_userinfo_for_nobody(metadata):
    for headers in ({}, {"Authorization": "Bearer nothing"}):
        answer = requests.get(metadata["userinfo_endpoint"], headers=headers, timeout=30)
        assert answer.status_code == 401 and answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_userinfo_ends(metadata, code, world):
    token = redeem(metadata, code()).json()["access_token"]
    world.advance(901)
    answer = requests.get(metadata["userinfo_endpoint"], headers={"Authorization": "Bearer " + token}, timeout=30)
    assert answer.status_code == 401


def test_the_page_of_a_login_is_for_people(metadata):
    for language in ("en", "ro", "fr", "xx"):
        answer = requests.get(metadata["authorization_endpoint"], params=ASKED | {"lang": language}, timeout=30)
        assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
        assert "mobile-login/#" in answer.text
