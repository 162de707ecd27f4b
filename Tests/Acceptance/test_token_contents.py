"""What tokens say: claims of the user by scope, audiences, and who changes a user while the program runs.

Sources: OpenID Connect Core 1.0 §5.4; RFC 7519 §4.1.3; RFC 8707; RFC 9068 §2.2; Token Server documentation, “ID token”,
“Access token”, web clients API.
"""

import jwt
import pytest
import requests

from oauth_browser import GRACE, built_in, change_client
from oauth_party import Party
from understudy import CONTROL

API = "http://localhost:8080/api"
REPORTS = "https://reports.example.test"


@pytest.fixture
def portal(world, browser):
    """The built-in client `portal` with a back end at work."""
    return Party(world.oauth, browser, known=built_in(world, "portal"))


@pytest.fixture
def web_app(world, browser):
    """The built-in client `web-app`, whose access tokens are JWTs, with a second audience."""
    known = change_client(world, "web-app", audiences=[API, REPORTS])
    return Party(world.oauth, browser, known=known)


def access(party, answer=None):
    """The claims of an access token as an API checks them: by the published keys, for any audience."""
    token = (answer or party.token)["access_token"]
    key = jwt.PyJWKClient(party.metadata["jwks_uri"]).get_signing_key_from_jwt(token)
    return jwt.decode(token, key, algorithms=["RS256"], issuer=party.issuer, options={"verify_aud": False})


def change_settings(world, **settings):
    fixtures = world.get("/fixtures")
    fixtures["onegini"]["oauth"].setdefault("settings", {}).update(settings)
    loaded = world.control("PUT", "/fixtures", json=fixtures)
    assert loaded.status_code == 204, loaded.text


def test_id_tokens_carry_the_claims_of_their_scopes(portal):
    alone = portal.log_in(scope="openid")
    assert not {"name", "email", "phone_number", "address"} & set(alone)

    claims = portal.log_in(scope="openid profile email phone address")
    assert (claims["name"], claims["given_name"], claims["birthdate"]) == ("Ada Lovelace", "Ada", "1815-12-10")
    assert claims["email"] == "ada@example.com" and claims["email_verified"] is True
    assert claims["phone_number_verified"] is True and claims["address"]["country"] == "GB"
    said = portal.userinfo()
    assert said == {name: claims[name] for name in said}


def test_roles_groups_and_tenants_reach_every_place_without_a_mapping(world, web_app):
    mine = {"roles": ["admin", "auditor"], "groups": ["staff"], "tenant": "acme"}
    changed = world.control("PATCH", "/users/onegini/ada", json={"claims": mine})
    assert changed.status_code == 200, changed.text
    identity = web_app.log_in(scope="openid")
    for place in identity, web_app.userinfo(), access(web_app):
        assert {name: place[name] for name in mine} == mine
    # A resource gateway that gets an opaque token asks for the same.
    told = requests.post(
        world.oauth + "/api/v2/token/introspect", data={"token": web_app.token["access_token"]}, timeout=30,
        auth=("resource-gateway", "resource-gateway-secret")).json()
    assert told["roles"] == mine["roles"] and told["tenant"] == "acme"


def test_a_mapping_says_which_scope_brings_a_claim_to_which_place(world, browser):
    change_settings(world, claims_by_scope={
        "accounts:read": {"roles": ["access_token"], "limit": ["access_token", "userinfo"]}, "email": {"email": ["userinfo"]}})
    change_client(world, "web-app", claims_by_scope={"*": {"tenant": ["id_token"]}})
    world.control("PATCH", "/users/onegini/ada", json={"claims": {"roles": ["admin"], "limit": 500, "tenant": "acme"}})
    party = Party(world.oauth, browser, known=built_in(world, "web-app"))

    identity = party.log_in(scope="openid profile email accounts:read")
    assert identity["tenant"] == "acme" and not {"roles", "limit", "email"} & set(identity)
    assert access(party)["roles"] == ["admin"] and access(party)["limit"] == 500 and "tenant" not in access(party)
    said = party.userinfo()
    assert said["limit"] == 500 and said["email"] == "ada@example.com" and not {"roles", "tenant"} & set(said)

    party.log_in(scope="openid")
    assert not {"roles", "limit"} & set(access(party))


def test_the_audience_of_access_tokens_is_the_clients(web_app):
    web_app.log_in()
    assert access(web_app)["aud"] == [API, REPORTS]


@pytest.mark.parametrize("pushed", [False, True])
def test_a_resource_becomes_the_audience_in_the_code_flow(web_app, pushed):
    asked = {"resource": REPORTS}
    if pushed:
        order = {"response_type": "code", "redirect_uri": web_app.client["redirect_uris"][0], "scope": "openid",
                 "state": "the state"} | asked
        kept = requests.post(web_app.metadata["pushed_authorization_request_endpoint"], data=order, timeout=30,
                             auth=(web_app.id, web_app.client["client_secret"]))
        assert kept.status_code == 201, kept.text
        asked = {"request_uri": kept.json()["request_uri"]}
    web_app.log_in(**asked)
    assert access(web_app)["aud"] == REPORTS
    # RFC 8707 §2.2: what was granted once is not widened later.
    wider = web_app.call(grant_type="refresh_token", refresh_token=web_app.token["refresh_token"], resource=API)
    assert (wider.status_code, wider.json()["error"]) == (400, "invalid_target")
    again = web_app.call(grant_type="refresh_token", refresh_token=web_app.token["refresh_token"], resource=REPORTS)
    assert access(web_app, again.json())["aud"] == REPORTS


def test_a_resource_that_the_client_does_not_have_is_refused(world, web_app, browser):
    refused = browser.authorize(web_app.url(resource="https://elsewhere.example.test"))
    assert refused.parameters["error"] == "invalid_target"
    [explanation, *_] = [entry["explanation"] for entry in world.journal() if "elsewhere" in entry.get("explanation", "")]
    assert API in explanation
    web_app.log_in()
    code = browser.authorize(web_app.url()).parameters["code"]
    body = {"grant_type": "authorization_code", "code": code, "redirect_uri": web_app.client["redirect_uris"][0]}
    refused = web_app.call(**body, resource="https://elsewhere.example.test")
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_target")
    # Nothing was spent.
    narrowed = web_app.call(**body, resource=API)
    assert narrowed.status_code == 200 and access(web_app, narrowed.json())["aud"] == API


def test_one_user_is_changed_while_the_program_runs(world, portal):
    portal.log_in(GRACE, scope="openid profile email")
    before = world.get("/users/onegini/grace")
    assert before["username"] == "grace@example.com"
    world.control("PATCH", "/users/onegini/grace", json={"claims": {"email_verified": True, "nickname": None}})
    said = portal.userinfo()
    assert said["email_verified"] is True and "nickname" not in said and said["name"] == "Grace Hopper"

    made = world.control("PUT", "/users/onegini/hedy", json={"username": "hedy", "claims": {"name": "Hedy Lamarr"}})
    assert made.status_code == 201, made.text
    claims = portal.log_in("hedy", scope="openid profile", prompt="login")
    assert (claims["sub"], claims["name"]) == ("hedy", "Hedy Lamarr")
    replaced = world.control("PUT", "/users/onegini/hedy", json={"username": "hedy"})
    assert replaced.status_code == 200 and "name" not in portal.userinfo()

    for user, body, status in [
        ("hedy", {"username": "grace@example.com"}, 409), ("hedy", {"sub": "other"}, 422), ("hedy", {"name": "Hedy"}, 422),
        ("hedy", ["no object"], 400), ("nobody", {}, 404),
    ]:
        refused = world.control("PATCH", f"/users/onegini/{user}", json=body)
        assert refused.status_code == status, (body, refused.text)
        assert refused.headers["Content-Type"] == "application/problem+json"
    assert world.get("/users/onegini/hedy") == replaced.json()
    assert requests.get(world.url + CONTROL + "/users/hanko/ada", timeout=30).status_code == 404
