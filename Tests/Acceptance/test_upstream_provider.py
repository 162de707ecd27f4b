"""A provider that is not ours, in the place of the token server: three OAuth clients log somebody in through the program."""

import os
import subprocess
import sys
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from requests_oauth2client import OAuth2Client
from requests_oauthlib import OAuth2Session as OAuthlibSession

from oauth_browser import Page
from understudy import free_port, until

CALLBACK = "https://app.example.test/callback"


@pytest.fixture(autouse=True)
def plain_http(monkeypatch):
    for name in ("AUTHLIB_INSECURE_TRANSPORT", "OAUTHLIB_INSECURE_TRANSPORT"):
        monkeypatch.setenv(name, "1")


@pytest.fixture(scope="module")
def provider():
    """Its address; a process of its own."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock", "--port", str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ | {"PYTHONWARNINGS": "ignore"})
    url = f"http://127.0.0.1:{port}"

    def answers():
        try:
            return requests.get(url, timeout=5).ok
        except requests.ConnectionError:
            return False

    try:
        until(answers, "the provider", seconds=30)
        yield url
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
def mount(provider, world):
    """The token server's mount, with the provider behind it."""
    assert world.control("PUT", "/upstreams/oauth", json={"url": provider}).status_code == 201
    return world.oauth


@pytest.fixture
def metadata(mount):
    return requests.get(mount + "/.well-known/openid-configuration", timeout=30).json()


def authorize(url):
    """The address to which somebody is sent who logs in as ada, at a browser that never leaves our address."""
    page = Page(requests.get(url, timeout=30))
    assert page.url.startswith(url.split("?")[0]) and "Authorize Client" in page.text
    form = page.forms[0]
    answer = requests.request(form.method, form.action, data={"sub": "ada"}, allow_redirects=False, timeout=30)
    assert answer.status_code == 302, answer.text
    return answer.headers["Location"]


def claims_of(token, metadata, provider, audience):
    """As OpenID Connect Core 1.0 §3.1.3.7 asks: the issuer is that of the metadata, which the provider signed."""
    assert metadata["issuer"] == provider
    [key] = jwt.PyJWKSet.from_dict(requests.get(metadata["jwks_uri"], timeout=30).json()).keys
    return jwt.decode(token, key.key, algorithms=["RS256"], audience=audience, issuer=metadata["issuer"])


def test_its_metadata_has_our_addresses_and_its_issuer(metadata, mount, provider):
    assert metadata["issuer"] == provider
    urls = {name: value for name, value in metadata.items() if name.endswith(("_endpoint", "_uri"))}
    assert len(urls) >= 4 and all(url.startswith(mount + "/") for url in urls.values()), urls


def test_authlib_logs_somebody_in(metadata, provider, world):
    client = OAuth2Session("one", "secret", scope="openid email", redirect_uri=CALLBACK, default_timeout=30)
    url, state = client.create_authorization_url(metadata["authorization_endpoint"])
    token = client.fetch_token(metadata["token_endpoint"], authorization_response=authorize(url), state=state)
    claims = claims_of(token["id_token"], metadata, provider, "one")
    assert claims["sub"] == "ada" == client.get(metadata["userinfo_endpoint"]).json()["sub"]
    again = client.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
    assert again["access_token"] != token["access_token"]

    entries = world.journal(kind="request")
    assert {entry["upstream"] for entry in entries} == {provider}
    kept = str(entries)
    for secret in (token["access_token"], token["id_token"], token["refresh_token"]):
        assert secret not in kept


def test_oauthlib_logs_somebody_in(metadata, provider):
    client = OAuthlibSession("two", redirect_uri=CALLBACK, scope=["openid"])
    url, _ = client.authorization_url(metadata["authorization_endpoint"])
    token = client.fetch_token(
        metadata["token_endpoint"], authorization_response=authorize(url), client_secret="secret", timeout=30)
    assert claims_of(token["id_token"], metadata, provider, "two")["sub"] == "ada"
    assert client.get(metadata["userinfo_endpoint"], timeout=30).json()["sub"] == "ada"


def test_requests_oauth2client_logs_somebody_in_by_discovery(mount, metadata, provider):
    client = OAuth2Client.from_discovery_document(
        metadata, issuer=provider, client_id="three", client_secret="secret", redirect_uri=CALLBACK, testing=True)
    request = client.authorization_request(scope="openid")
    token = client.authorization_code(request.validate_callback(authorize(request.uri)), validate=False)
    assert token.access_token and claims_of(str(token.id_token), metadata, provider, "three")["sub"] == "ada"


def test_what_the_provider_refuses_is_refused_and_told(metadata, world):
    answer = requests.post(metadata["token_endpoint"], timeout=30, auth=("one", "secret"), data={
        "grant_type": "authorization_code", "code": "wrong", "redirect_uri": CALLBACK})
    assert answer.status_code == 400 and answer.json()["error"] == "invalid_grant"
    assert "refused it: 400" in world.explanations(status="400")[0] and "invalid_grant" in world.explanations(status="400")[0]


def test_the_same_world_s_other_platforms_are_ours(mount, world):
    assert requests.get(world.hanko + "/.well-known/jwks.json", timeout=10).json()["keys"]
    assert parse_qs(urlsplit(mount).query) == {}
