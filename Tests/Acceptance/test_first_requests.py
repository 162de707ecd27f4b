"""What the home page prints for web frameworks, tried: the first request that a framework makes of it, up to the code.

Sources: the address of Spring Security is {baseUrl}/login/oauth2/code/{registrationId} (reference, OAuth 2.0 Login, “Redirection Endpoint”), of
Auth.js {origin}/api/auth/callback/{id} in Next.js and {origin}/auth/callback/{id} elsewhere (“basePath”), of django-allauth
/accounts/oidc/{provider_id}/login/callback/, of mozilla-django-oidc /oidc/callback/ (“Installation”).
"""

import ast
import html
import re

import pytest
import requests

from oauth_browser import Browser


def printed(server, caller):
    """The blocks of the token server on the home page, by their titles."""
    page = requests.get(server.url, params={"platform": "onegini", "caller": caller}, headers={"Accept": "text/html"}, timeout=30).text
    blocks = re.findall(r"<(?:h3|summary)[^>]*>([^<]*)</(?:h3|summary)>\s*<pre[^>]*>(.*?)</pre>", page, re.DOTALL)
    return {html.unescape(title): html.unescape(text) for title, text in blocks}


def address(url, parameters):
    return requests.Request("GET", url, params=parameters).prepare().url


def by_name(block):
    """Members `name: "text"` of an object in JavaScript."""
    return dict(re.findall(r'(\w+): "([^"]*)"', block))


def spring(block):
    told = dict(line.split("=", 1) for line in block.split())
    [name] = {key.split(".")[5] for key in told if ".registration." in key}
    base = f"spring.security.oauth2.client.registration.{name}."
    issuer = told[f"spring.security.oauth2.client.provider.{name}.issuer-uri"]
    return issuer, told[base + "client-id"], told[base + "client-secret"], [f"http://localhost:8080/login/oauth2/code/{name}"]


def auth_js(block):
    told = by_name(block)
    places = [f"http://localhost:3000/api/auth/callback/{told['id']}", f"http://localhost:3000/auth/callback/{told['id']}",
              f"http://localhost:5173/auth/callback/{told['id']}"]
    return told["issuer"], told["clientId"], told["clientSecret"], places


def passport(block):
    told = by_name(block)
    assert told["authorizationURL"] == told["issuer"] + "/v1/authorize"
    return told["issuer"], told["clientID"], told["clientSecret"], [told["callbackURL"], "http://localhost:3000/auth/callback"]


def allauth(block):
    [app] = ast.literal_eval(block.split("=", 1)[1].strip())["openid_connect"]["APPS"]
    path = f"/accounts/oidc/{app['provider_id']}/login/callback/"
    return app["settings"]["server_url"], app["client_id"], app["secret"], ["http://localhost:8000" + path, "http://127.0.0.1:8000" + path]


def mozilla(block):
    told = {name: ast.literal_eval(value) for name, value in (line.split(" = ") for line in block.strip().splitlines())}
    issuer = told["OIDC_OP_AUTHORIZATION_ENDPOINT"].removesuffix("/v1/authorize")
    assert requests.get(told["OIDC_OP_JWKS_ENDPOINT"], timeout=30).json()["keys"]
    return issuer, told["OIDC_RP_CLIENT_ID"], told["OIDC_RP_CLIENT_SECRET"], [
        "http://localhost:8000/oidc/callback/", "http://127.0.0.1:8000/oidc/callback/"]


FRAMEWORKS = {
    "Spring Security, properties": spring, "Auth.js, JavaScript": auth_js, "Passport, JavaScript (passport-openidconnect)": passport,
    "Django with allauth, settings.py": allauth, "Django with mozilla-django-oidc, settings.py": mozilla,
}


def test_every_block_for_a_back_end_is_tried(server):
    assert set(printed(server, "back-end")) == set(FRAMEWORKS)


@pytest.mark.parametrize("title", FRAMEWORKS)
def test_the_first_login_of_a_framework_ends_with_a_token(server, title):
    issuer, client, secret, places = FRAMEWORKS[title](printed(server, "back-end")[title])
    metadata = requests.get(issuer + "/.well-known/openid-configuration", timeout=30).json()
    for place in places:
        arrival = Browser().authorize(address(metadata["authorization_endpoint"], {
            "response_type": "code", "client_id": client, "redirect_uri": place, "scope": "openid profile", "state": "s", "nonce": "n"}))
        assert arrival.address == place
        token = requests.post(metadata["token_endpoint"], auth=(client, secret), timeout=30, data={
            "grant_type": "authorization_code", "code": arrival.parameters["code"], "redirect_uri": place})
        assert token.status_code == 200 and token.json()["id_token"], token.text


@pytest.mark.parametrize("place", [
    "http://localhost:5173/callback", "http://localhost:5173/", "http://localhost:5173", "http://localhost:3000/callback",
    "http://localhost:3000/", "http://localhost:3000"])
def test_a_page_gets_the_public_client_and_no_secret(server, place):
    [(title, block)] = printed(server, "web").items()
    told = by_name(block)
    assert title == "oidc-client-ts, JavaScript" and "secret" not in block
    # RFC 7636, Appendix B.
    verifier, challenge = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    arrival = Browser().authorize(address(told["authority"] + "/v1/authorize", {
        "response_type": "code", "client_id": told["client_id"], "redirect_uri": place, "scope": told["scope"], "state": "s",
        "code_challenge": challenge, "code_challenge_method": "S256"}))
    token = requests.post(told["authority"] + "/v1/token", timeout=30, data={
        "grant_type": "authorization_code", "client_id": told["client_id"], "code": arrival.parameters["code"], "redirect_uri": place,
        "code_verifier": verifier})
    assert token.status_code == 200 and token.json()["access_token"], token.text
