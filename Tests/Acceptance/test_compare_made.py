"""What a recording takes for granted is made in the worlds in which `understudy compare` plays it: people and clients that answers tell of.

Each recording is of a world with more people and clients than the built-in fixtures have, and is compared with those alone.
"""

import json
import time

import jwt
import pytest
import requests
from joserfc.jwk import ECKey

from compare_recordings import agrees, reasons, recording
from hanko_flow import App
from oauth_browser import CALLBACK, Browser
from oauth_party import Party
from passkey_device import PasskeyDevice
from understudy import Client, run, token_of

EVE = "eve@tenant.example"
TENANT = "0a1b2c3d-52ab-4b1f-9a54-6f0d3c1b2a10"
#: As whoever runs a tenant has it: nothing of it stands in the built-in fixtures.
PERSON = {"id": "12345678-0000-4000-8000-000000000001", "username": "eve",
          "emails": [{"id": "12345678-0000-4000-8000-0000000000e1", "address": EVE}], "password": {"text": "difference-engine"}}
SHOP = {"client_id": "shop", "client_secret": "the shop's own", "grant_types": ["authorization_code", "refresh_token"],
        "redirect_uris": [CALLBACK], "scope": "openid profile email offline_access"}
BUYER = SHOP | {"scope": SHOP["scope"] + " orders:read"}
KIOSK = {"client_id": "kiosk", "token_endpoint_auth_method": "none", "grant_types": ["authorization_code"],
         "redirect_uris": [CALLBACK], "scope": "openid", "default_scope": "openid"}
USER = {"sub": "user-eve", "username": EVE, "password": "moor", "claims": {
    "name": "Eve Moneypenny", "email": EVE, "email_verified": True, "department": "Ordering"}}


@pytest.fixture
def tenant(make_world):
    """Makes a world like the built-in one, with more in it."""
    def make(users=(), clients=(), scopes=(), people=(), tenants=(), callers=()):
        fixtures = make_world().get("/fixtures")
        oauth = fixtures["onegini"]["oauth"]
        for section, name, more in [(oauth, "users", users), (oauth, "clients", clients), (oauth, "scopes", scopes),
                                    (fixtures["hanko"], "users", people), (fixtures["passkeyapi"], "tenants", tenants),
                                    (fixtures["powerauth"], "users", callers)]:
            section[name] = section.get(name, []) + list(more)
        return make_world(fixtures=fixtures)
    return make


@pytest.fixture
def oauth_tenant(tenant):
    return tenant(users=[USER], clients=[SHOP])


def made(report, word):
    """The only thing that was made and is called so, as fixtures."""
    [entry] = [entry for entry in report["made"] if word in entry["sentence"]]
    return json.loads(entry["line"])


def test_a_person_of_hanko(tenant, compare, tmp_path):
    world = tenant(people=[PERSON])
    hanko = Client(world.hanko)
    found = hanko.post("/user", {"email": EVE}).json()
    token = token_of(hanko.finish(hanko.start(found["id"]), world.code(EVE)["code"]))
    assert hanko.get("/me", token).status_code == 200
    answer = hanko.post("/password/login", {"user_id": found["id"], "password": "difference-engine"})
    assert answer.status_code == 200, answer.text
    assert hanko.post("/user", {"email": "nobody@tenant.example"}).status_code == 404

    kept = tmp_path / "made.json"
    report = compare.report(recording(world), "--made", kept)
    assert agrees(report, "hanko")["notComparable"] == 0 and report["needs"] == []
    assert "difference-engine" not in json.dumps(report), "a report is shown around"
    [user] = made(report, EVE)["hanko"]["users"]
    assert user["id"] == found["id"] and user["emails"][0]["address"] == EVE and len(report["made"]) == 1

    assert json.loads(kept.read_text())["hanko"]["users"][0]["password"] == {"text": "difference-engine"}
    assert run("fixtures", "check", kept).returncode == 0
    again = compare.report(recording(world), "--fixtures", "default", "--fixtures", kept)
    assert agrees(again, "hanko") and again["made"] == [], "what the fixtures have is not made"
    as_is = compare.report(recording(world), "--as-is")
    assert as_is["differences"] > 0 and as_is["made"] == [] and EVE in as_is["needs"][0]["sentence"]


def test_a_person_of_hanko_by_flows(tenant, compare):
    world = tenant(people=[PERSON])
    login = App(world).flow("login").through(("continue_with_login_identifier", {"email": EVE}))
    if login.name == "login_method_chooser":
        login.through("continue_to_password_login")
    login.through(("password_login", {"password": "difference-engine"}))
    newcomer = "newcomer@tenant.example"
    App(world).flow("registration").through(("register_login_identifier", {"email": newcomer})).code(newcomer)

    report = compare.report(recording(world))
    assert agrees(report, "hanko")["notComparable"] == 0
    assert [EVE in entry["sentence"] for entry in report["made"]] == [True], report["made"]


def test_clients_and_a_person_of_the_token_server(tenant, compare, tmp_path):
    world = tenant(users=[USER], clients=[BUYER, KIOSK], scopes=[{"name": "orders:read"}])
    shop = Party(world.oauth, Browser(), known=BUYER)
    shop.log_in("user-eve", scope="openid profile email offline_access orders:read")
    assert shop.userinfo()["department"] == "Ordering"
    shop.refresh(shop.token["refresh_token"])
    kiosk = Party(world.oauth, Browser(), known=KIOSK)
    browser = kiosk.browser
    browser.open(kiosk.url())
    arrived = browser.submit(browser.page.form_with("username", "password"), username=EVE, password="moor")
    if not hasattr(arrived, "parameters"):
        arrived = browser.press("allow")
    assert kiosk.redeem(arrived.parameters["code"]).status_code == 200

    kept = tmp_path / "made.json"
    report = compare.report(recording(world), "--made", kept)
    assert agrees(report, "onegini")["notComparable"] == 0 and reasons(report) == set()
    [client] = made(report, '"shop"')["onegini"]["oauth"]["clients"]
    assert client["redirect_uris"] == [CALLBACK] and client["client_secret"] != SHOP["client_secret"]
    assert made(report, '"shop"')["onegini"]["oauth"]["scopes"] == [{"name": "orders:read"}]
    assert made(report, '"kiosk"')["onegini"]["oauth"]["clients"][0]["token_endpoint_auth_method"] == "none"
    [user] = made(report, EVE)["onegini"]["oauth"]["users"]
    assert user["sub"] == "user-eve" and user["claims"]["department"] == "Ordering"
    assert len(report["made"]) == 3

    [client] = [client for client in json.loads(kept.read_text())["onegini"]["oauth"]["clients"] if client["client_id"] == "shop"]
    assert client["client_secret"] == SHOP["client_secret"]
    assert run("fixtures", "check", "default", kept).returncode == 0
    again = compare.report(recording(world), "--fixtures", "default", "--fixtures", kept)
    assert agrees(again, "onegini") and again["made"] == []


def test_a_client_that_was_refused_stays_refused(oauth_tenant, compare):
    world = oauth_tenant
    stranger = Party(world.oauth, Browser(), known=SHOP | {"client_id": "stranger"})
    assert requests.get(stranger.url(), allow_redirects=False, timeout=30).status_code == 400
    assert stranger.redeem("no code").json()["error"] == "invalid_client"

    report = compare.report(recording(world))
    assert report["made"] == [] and report["differences"] == 0
    assert agrees(report, "onegini")["agree"] >= 2


def test_a_wrong_secret_stays_wrong(oauth_tenant, compare):
    world = oauth_tenant
    shop = Party(world.oauth, Browser(), known=SHOP | {"client_secret": "another"})
    code = shop.browser.authorize(shop.url(), "user-eve").parameters["code"]
    assert shop.redeem(code).json()["error"] == "invalid_client"

    report = compare.report(recording(world))
    assert agrees(report, "onegini")
    assert "whose secret it does not show" in next(
        entry["sentence"] for entry in report["made"] if '"shop"' in entry["sentence"])


def test_a_client_that_proves_itself_by_a_key_is_made_without_it(tenant, compare):
    own = ECKey.generate_key("P-256")
    client = SHOP | {"token_endpoint_auth_method": "private_key_jwt", "jwks": {"keys": [own.as_dict(private=False)]}}
    del client["client_secret"]
    world = tenant(users=[USER], clients=[client])
    party = Party(world.oauth, Browser(), known=client)
    code = party.browser.authorize(party.url(), "user-eve").parameters["code"]
    token = party.metadata["token_endpoint"]
    now = int(time.time())
    assertion = jwt.encode({"iss": "shop", "sub": "shop", "aud": token, "jti": "one", "iat": now, "exp": now + 60},
                           own.as_pem(private=True).decode(), algorithm="ES256")
    answer = requests.post(token, timeout=30, data={
        "grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "client_assertion": assertion,
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"})
    assert answer.status_code == 200, answer.text

    report = compare.report(recording(world))
    assert report["differences"] == 0
    assert any("a JWT that the client signed" in reason for reason in reasons(report))
    assert made(report, '"shop"')["onegini"]["oauth"]["clients"][0]["token_endpoint_auth_method"] == "private_key_jwt"


def test_a_tenant_of_the_passkey_api(tenant, compare):
    own = {"id": TENANT, "api_keys": ["the tenant's own"], "relying_party": {
        "id": "tenant.example", "display_name": "Tenant", "origins": ["https://tenant.example"]}}
    world = tenant(tenants=[own])
    base = f"{world.url}/passkeyapi/{TENANT}"
    back_end = {"apiKey": "the tenant's own"}
    phone = PasskeyDevice("https://tenant.example")
    options = requests.post(base + "/registration/initialize", json={"user_id": "eve", "username": "eve"},
                            headers=back_end, timeout=30)
    assert options.status_code == 200, options.text
    done = requests.post(base + "/registration/finalize", json=phone.create(options.json()), timeout=30)
    assert done.status_code == 200, done.text
    assert requests.get(base + "/credentials?user_id=eve", headers={"apiKey": "wrong"}, timeout=30).status_code == 401

    report = compare.report(recording(world))
    assert agrees(report, "passkeyapi")["notComparable"] == 0
    [one] = made(report, TENANT)["passkeyapi"]["tenants"]
    assert one["relying_party"]["id"] == "tenant.example" and one["api_keys"] == ["its secret"]


def test_a_back_end_of_powerauth(tenant, compare):
    caller = {"username": "branch", "password": "branch-secret", "roles": ["ROLE_USER"], "applications": ["my-app"]}
    world = tenant(callers=[caller])
    registrations = world.url + "/powerauth-cloud/v2/registrations"
    order = {"userId": "eve", "appId": "my-app"}
    assert requests.post(registrations, json=order, auth=("branch", "branch-secret"), timeout=30).status_code == 200
    assert requests.post(registrations, json=order, auth=("nobody", "wrong"), timeout=30).status_code == 401

    report = compare.report(recording(world))
    assert report["differences"] == 0 and [entry["sentence"] for entry in report["made"]] == [
        'The back end "branch" calls PowerAuth Cloud in the recording.']


def test_the_report_lists_what_was_made(tenant, compare, tmp_path):
    world = tenant(people=[PERSON])
    assert requests.post(world.hanko + "/user", json={"email": EVE}, timeout=30).status_code == 200
    page = tmp_path / "report.html"
    ran = compare.run(recording(world), "--html", str(page))
    assert ran.returncode == 0, ran.stdout
    assert "Made for this recording\n  The person \"eve@tenant.example\" has an account" in ran.stdout
    assert page.read_text().count("<h2>Made for this recording</h2>") == 1 and EVE in page.read_text()


def test_a_client_of_the_configuration_api_may_do_what_it_did(tenant, compare):
    admin = {"client_id": "hook-admin", "client_secret": "hook-admin-secret", "kind": "api", "grant_types": [],
             "scope": "onegini_api_admin onegini_api_config"}
    world = tenant(clients=[admin])

    def configure(path, body):
        answer = requests.post(world.oauth + "/api/v1/configuration" + path, json=body, timeout=30,
                               auth=(admin["client_id"], admin["client_secret"]))
        assert answer.status_code == 201, answer.text

    configure("/web-hooks", {
        "id": "hook", "type": "CUSTOMIZE_TOKEN", "name": "Hook", "base_uri": "https://hooks.example.test",
        "authentication_method": "BASIC", "username": "hook", "password": "hook secret"})
    configure("/web-clients", {
        "name": "Store", "client_id": "store", "client_secret": "store-secret", "grant_types": ["AUTHORIZATION_CODE"],
        "client_authentication_method": "CLIENT_SECRET_BASIC", "redirect_url": CALLBACK,
        "access_grant_expires_in": 60, "access_token_expires_in": 900})
    query = {"client_id": "store", "redirect_uri": CALLBACK, "response_type": "code", "state": "the state"}
    asked = requests.get(world.oauth + "/v1/authorize", params=query, allow_redirects=False, timeout=30)
    assert asked.status_code == 303, asked.text

    report = compare.report(recording(world))
    agrees(report, "onegini")
    [entry] = report["made"]
    assert "hook-admin" in entry["sentence"]
