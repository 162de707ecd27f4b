"""A first login without fixtures, and what the login page lets people do: by Authlib, PyJWT and Chromium.

Sources: RFC 6749 §4.1.2.1; OpenID Connect Core 1.0 §3.1.3.7; RFC 7519 §4.1.6, of which PyJWT makes a check.
"""

import jwt
import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session

from accessibility import CONTRAST, SMALL, UNNAMED, found, overflow
from oauth_browser import ADA, Page, metadata_of

CALLBACK = "http://localhost:4711/never/registered"


def session(metadata, method="client_secret_basic", secret="made up on the spot", **more):
    return OAuth2Session(
        "dev", secret, scope="openid profile email", redirect_uri=CALLBACK, token_endpoint_auth_method=method,
        token_endpoint=metadata["token_endpoint"], **more)


def log_in(oauth, metadata, browser, **more):
    url, _ = oauth.create_authorization_url(metadata["authorization_endpoint"], nonce="n-1", **more)
    return oauth.fetch_token(authorization_response=browser.authorize(url).url)


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post", "none"])
def test_a_first_login_needs_no_fixture(world, issuer, browser, method):
    metadata = metadata_of(issuer)
    tokens = log_in(session(metadata, method), metadata, browser)
    keys = jwt.PyJWKClient(metadata["jwks_uri"])
    for token, audience in ((tokens["id_token"], "dev"), (tokens["access_token"], issuer)):
        key = keys.get_signing_key_from_jwt(token)
        assert jwt.decode(token, key, ["RS256"], audience=audience, issuer=issuer)["sub"] == ADA
    for path in ("/oauth/v1/authorize", "/oauth/v1/token"):
        told = world.explanations(path=path)
        assert told and all(one.startswith("LENIENT CLIENT “dev”: ") for one in told), told


def test_the_lenient_client_goes_nowhere_else(world, issuer, browser):
    answer = browser.open(
        metadata_of(issuer)["authorization_endpoint"] + "?client_id=dev&response_type=code&scope=openid&state=s"
        "&redirect_uri=http://localhost:4711@evil.example.test/cb")
    assert isinstance(answer, Page) and answer.status == 400


def test_times_in_tokens_after_the_clock_was_moved(world, issuer, browser):
    metadata = metadata_of(issuer)
    note = world.control("POST", "/clock/advance", json={"seconds": 3600}).json()["note"]
    assert "3600 s in the future" in note, note
    key = jwt.PyJWKClient(metadata["jwks_uri"])
    check = {"algorithms": ["RS256"], "issuer": issuer}

    ahead = log_in(session(metadata), metadata, browser)["id_token"]
    with pytest.raises(jwt.ImmatureSignatureError):
        jwt.decode(ahead, key.get_signing_key_from_jwt(ahead), audience="dev", **check)

    assert world.control("PUT", "/clock", json={"tokenTimes": "real"}).json()["tokenTimes"] == "real"
    oauth = session(metadata)
    tokens = log_in(oauth, metadata, browser)
    claims = jwt.decode(tokens["id_token"], key.get_signing_key(jwt.get_unverified_header(tokens["id_token"])["kid"]),
                        audience="dev", **check)
    assert claims["exp"] - claims["iat"] > 3600
    access = tokens["access_token"]
    claims = jwt.decode(access, key.get_signing_key_from_jwt(access), audience=issuer, **check)
    assert claims["nbf"] == claims["iat"]
    world.advance(3600)
    gone = requests.get(metadata["userinfo_endpoint"], headers={"Authorization": "Bearer " + access}, timeout=30)
    assert gone.status_code == 401, "expiry obeys the world"


class TestPage:
    """The login page in a browser."""

    @pytest.fixture
    def address(self, issuer):
        oauth = session(metadata_of(issuer))
        return oauth.create_authorization_url(metadata_of(issuer)["authorization_endpoint"], state="s", nonce="n")[0]

    def sent(self, page, press):
        with page.expect_request(CALLBACK + "**") as request:
            press()
        return request.value.url

    def test_cancel(self, address, window):
        page = window()
        page.goto(address)
        assert "error=access_denied" in self.sent(page, page.get_by_role("button", name="Cancel").click)

    def test_somebody_else_with_claims_of_their_own(self, issuer, address, window):
        page = window()
        page.goto(address)
        page.get_by_text("Another user, or other claims").click()
        page.get_by_label("User", exact=True).fill("zoe")
        page.get_by_label("Claims for this login").fill("{roles: admin}")
        page.get_by_role("button", name="Log in as this user").click()
        page.get_by_role("alert").get_by_text("expected a JSON object").wait_for()
        assert page.get_by_label("User", exact=True).input_value() == "zoe"
        page.get_by_label("Claims for this login").fill('{"name": "Zoe of the Page", "email": "zoe@example.com"}')
        back = self.sent(page, page.get_by_role("button", name="Log in as this user").click)
        metadata = metadata_of(issuer)
        oauth = session(metadata)
        tokens = oauth.fetch_token(authorization_response=back, state="s")
        about = requests.get(
            metadata["userinfo_endpoint"], headers={"Authorization": "Bearer " + tokens["access_token"]}, timeout=30)
        assert about.json()["sub"] == "zoe" and about.json()["name"] == "Zoe of the Page"

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("width", [360, 1280])
    def test_it_can_be_read_and_fits(self, world, issuer, address, window, scheme, width):
        page = window(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        google = (metadata_of(issuer)["authorization_endpoint"] + "?client_id=hanko&response_type=code&scope=openid%20email"
                  f"&redirect_uri={world.url}/hanko/thirdparty/callback&state=s")
        for place in (address, google):
            page.goto(place)
            page.get_by_text("Another user, or other claims").click()
            self.look(page)
        page.get_by_role("heading", name="Sign in with Google").wait_for()
        page.get_by_role("button", name="Ada Lovelace").click()
        page.get_by_role("button", name="Use another account").wait_for()
        self.look(page)

    def look(self, page):
        assert overflow(page) == 0
        for rule in (CONTRAST, SMALL, UNNAMED):
            assert found(page, rule) == []
