"""Browser, back end and phone know the server by different names, and the back end checks strictly: what Compose, an Android emulator
and a laptop make of one program.

The back end's name is resolved by the test itself, as a container network would do it. Authlib trades codes; joserfc checks the tokens as
OpenID Connect Core 1.0 §3.1.3.7 and RFC 9068 §4 say.
"""

import re
import socket

import pytest
import requests
import yaml
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.errors import InvalidClaimError
from joserfc.jwk import KeySet

from oauth_browser import ADA, Browser, Page, metadata_of
from understudy import ROOT, free_port

CALLBACK = "http://localhost:3000/callback"


@pytest.fixture(autouse=True)
def names(monkeypatch):
    """The names of a container network: all of them are this machine."""
    resolve = socket.getaddrinfo
    ours = ("understudy", "host.docker.internal", "10.0.2.2")
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda host, *rest, **more: resolve("127.0.0.1" if host in ours else host, *rest, **more))


@pytest.fixture
def named(start):
    """Starts a program whose port is known before: `named("--public-url", "http://localhost:{port}")`."""
    def named(*options):
        port = free_port()
        server = start(*[option.format(port=port) for option in options], port=port)
        server.at = lambda host: f"http://{host}:{port}/oauth"
        return server
    return named


class BackEnd:
    """A client that is told the address of the metadata and the issuer, and takes no other word."""

    def __init__(self, base, issuer=None):
        self.metadata = metadata_of(base)
        self.issuer = issuer or base
        self.session = OAuth2Session(
            "web-app", "web-app-secret", scope="openid profile", redirect_uri=CALLBACK, code_challenge_method="S256")
        self.verifier = "two-names-" * 6

    def log_in(self, browser, at=None):
        """Sends the browser away and trades the code; `at` is where the browser goes instead of the metadata's place."""
        url, _ = self.session.create_authorization_url(
            at or self.metadata["authorization_endpoint"], nonce="n-1", code_verifier=self.verifier)
        back = browser.authorize(url)
        # RFC 9207 §2.4
        self.told = back.query["iss"]
        return self.session.fetch_token(
            self.metadata["token_endpoint"], authorization_response=back.url, code_verifier=self.verifier)

    def check(self, token, **audience):
        """The claims of a token, once they are what a strict party wants."""
        keys = KeySet.import_key_set(requests.get(self.metadata["jwks_uri"], timeout=30).json())
        found = jwt.decode(token, keys, algorithms=["RS256"])
        jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": self.issuer}, exp={"essential": True},
            **{name: {"essential": True, "value": value} for name, value in audience.items()}).validate(found.claims)
        return found.claims


def test_without_one_issuer_a_strict_back_end_refuses_and_the_journal_says_why(named, browser):
    server = named()
    back_end = BackEnd(server.at("understudy"))
    tokens = back_end.log_in(browser, at=server.at("localhost") + "/v1/authorize")

    with pytest.raises(InvalidClaimError):
        back_end.check(tokens["id_token"], aud="web-app")
    port = server.address[1]
    for path in ("/oauth/v1/authorize", "/oauth/v1/token"):
        told = server.default_world.explanations(path=path)[0]
        assert f"iss “{server.at('localhost')}”" in told and f"“{server.at('understudy')}”" in told, told
        assert f"--public-url http://localhost:{port}" in told and f"adb reverse tcp:{port} tcp:{port}" in told


def recipe():
    """What the documentation's recipe for Compose sets, with `{port}` for 8420: of Understudy, and of the back end."""
    text = (ROOT / "Web/docs/proxies.md").read_text()
    block = re.search(r"\*\*Compose\.\*\*.*?```yaml\n(.*?)```", text, re.DOTALL).group(1)
    services = yaml.safe_load(block.replace("8420/", "{port}/").replace("localhost:8420", "localhost:{port}"))["services"]
    return services["understudy"]["environment"], services["back-end"]["environment"]


@pytest.mark.parametrize("container", ["understudy", "host.docker.internal"])
def test_one_issuer_for_a_browser_at_localhost_and_a_back_end_elsewhere(named, browser, container):
    """The recipe for Compose."""
    settings, told = recipe()
    server = named("--public-url", settings["UNDERSTUDY_PUBLIC_URL"])
    port = server.address[1]
    own = told["OIDC_METADATA_URL"].format(port=port).removesuffix("/.well-known/openid-configuration")
    own = own.replace("//understudy:", f"//{container}:")
    seen = told["OIDC_ISSUER"].format(port=port)
    assert (own, seen) == (server.at(container), server.at("localhost"))
    back_end = BackEnd(own, issuer=seen)
    metadata = back_end.metadata
    assert metadata["issuer"] == seen
    for name in ("authorization_endpoint", "end_session_endpoint", "check_session_iframe"):
        assert metadata[name].startswith(seen + "/"), name
    for name in ("token_endpoint", "jwks_uri", "userinfo_endpoint", "introspection_endpoint", "revocation_endpoint",
                 "registration_endpoint", "device_authorization_endpoint", "pushed_authorization_request_endpoint"):
        assert metadata[name].startswith(own + "/"), name

    tokens = back_end.log_in(browser)
    assert back_end.told == seen
    assert back_end.check(tokens["id_token"], aud="web-app", nonce="n-1")["sub"] == ADA
    assert back_end.check(tokens["access_token"])["client_id"] == "web-app"
    renewed = back_end.session.refresh_token(metadata["token_endpoint"])
    assert back_end.check(renewed["id_token"], aud="web-app")["sub"] == ADA
    about = back_end.session.get(metadata["userinfo_endpoint"], timeout=30)
    assert about.json()["name"] == "Ada Lovelace"
    asked = back_end.session.introspect_token(metadata["introspection_endpoint"], token=renewed["access_token"])
    assert asked.json()["iss"] == seen
    assert server.default_world.explanations(path="/oauth/v1/authorize") == []


def test_pushed_requests_and_devices_go_to_the_back_channel_and_people_to_the_pages(named, browser):
    server = named("--public-url", "http://localhost:{port}")
    metadata = metadata_of(server.at("understudy"))
    pushed = requests.post(
        metadata["pushed_authorization_request_endpoint"], auth=("web-app", "web-app-secret"), timeout=30,
        data={"response_type": "code", "redirect_uri": CALLBACK, "scope": "openid"})
    assert pushed.status_code == 201, pushed.text
    back = browser.authorize(
        metadata["authorization_endpoint"] + "?client_id=web-app&request_uri=" + pushed.json()["request_uri"])
    assert back.query["iss"] == server.at("localhost") and "code" in back.query

    started = requests.post(
        metadata["device_authorization_endpoint"], data={"client_id": "device", "scope": "openid"}, timeout=30).json()
    assert started["verification_uri"].startswith(server.at("localhost") + "/")
    assert "Connected" in Browser().connect_device(started["user_code"], started["verification_uri"]).text
    tokens = requests.post(metadata["token_endpoint"], timeout=30, data={
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": started["device_code"],
        "client_id": "device"})
    strict = BackEnd(server.at("understudy"), issuer=server.at("localhost"))
    assert strict.check(tokens.json()["id_token"], aud="device")["sub"] == ADA


def test_a_phone_on_an_emulator_has_the_same_issuer(named, browser):
    """It calls by 10.0.2.2; its browser comes to localhost, which adb reverse makes this machine."""
    server = named("--public-url", "http://localhost:{port}")
    phone = BackEnd(server.at("10.0.2.2"), issuer=server.at("localhost"))
    assert phone.metadata["token_endpoint"].startswith(server.at("10.0.2.2") + "/")
    tokens = phone.log_in(browser)
    api = BackEnd(server.at("localhost"))
    assert api.check(tokens["access_token"])["sub"] == ADA


def test_a_world_has_an_issuer_of_its_own(server, make_world, browser):
    name, port = "one-issuer", server.address[1]
    issuer = f"http://localhost:{port}/w/{name}/oauth"
    world = make_world(name=name)
    fixtures = world.get("/fixtures")
    fixtures["onegini"]["oauth"].setdefault("settings", {})["issuer"] = issuer
    assert world.control("PUT", "/fixtures", json=fixtures).ok
    assert world.get("/fixtures")["onegini"]["oauth"]["settings"]["issuer"] == issuer

    back_end = BackEnd(f"http://understudy:{port}/w/{name}/oauth", issuer=issuer)
    assert back_end.metadata["token_endpoint"].startswith(f"http://understudy:{port}/w/{name}/oauth/")
    tokens = back_end.log_in(browser)
    assert back_end.check(tokens["id_token"], aud="web-app")["sub"] == ADA
    # The worlds beside it know nothing of that.
    assert metadata_of(f"http://understudy:{port}/oauth")["issuer"] == f"http://understudy:{port}/oauth"


def test_the_back_channel_can_be_fixed_as_well(named):
    server = named("--public-url", "http://localhost:{port}", "--fixed-back-channel")
    metadata = metadata_of(server.at("understudy"))
    assert metadata["token_endpoint"] == server.at("localhost") + "/v1/token"


def test_the_pages_keep_to_the_host_where_the_browser_is(named, window):
    """The public address leads nowhere here, and is https: cookies and forms must not follow it."""
    server = named("--public-url", "https://id.example.test")
    page = window()
    page.goto(server.url + "/oauth/v1/authorize?client_id=portal&response_type=code&scope=openid%20payments:write"
              "&redirect_uri=http://localhost:3000/callback&state=s")
    assert page.url.startswith(server.url + "/oauth/login?")
    page.get_by_role("button", name="Ada Lovelace").click()
    assert page.url.startswith(server.url + "/oauth/consent?")
    with page.expect_request("http://localhost:3000/**") as sent:
        page.get_by_role("button", name="Allow").click()
    assert "iss=https%3A%2F%2Fid.example.test%2Foauth" in sent.value.url
    assert {cookie["name"] for cookie in page.context.cookies()} >= {"onegini.session", "onegini.browser"}


def test_the_portal_takes_its_own_forms_under_a_public_address(named):
    """The sample app's pages stay at the host where the browser is as well."""
    server = named("--public-url", "https://id.example.test")
    portal = Browser()
    portal.open(server.url + "/app/portal")
    portal.session.headers["Origin"] = server.url
    seen = portal.press("Log in with a QR code")
    assert isinstance(seen, Page) and seen.url.startswith(server.url + "/app/portal/login/"), seen.url
