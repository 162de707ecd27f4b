"""The pages of the token server in a real browser: login and consent, by click, by password, and with the keyboard."""

import re
from urllib.parse import urlencode

import pytest
import requests

from accessibility import CONTRAST, SMALL, UNNAMED, UNSEEN_FOCUS, found, overflow
from oauth_browser import CALLBACK, Arrival, change_client, metadata_of, register

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")

HOSTILE = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture
def client(issuer, app):
    return register(
        issuer, redirect_uris=[app], client_name="Acceptance Shop", scope="openid profile email",
        client_uri="https://shop.example.test/", policy_uri="https://shop.example.test/privacy",
        tos_uri="https://shop.example.test/terms", grant_types=["authorization_code"])


@pytest.fixture
def url(issuer, client, app):
    """Makes the address at which a browser begins."""
    def url(**parameters):
        asked = {"client_id": client["client_id"], "redirect_uri": app, "response_type": "code",
                 "scope": "openid profile email", "state": "the state"} | parameters
        return metadata_of(issuer)["authorization_endpoint"] + "?" + urlencode(asked)

    return url


def landed(page):
    """The parameters with which the browser arrived at the application."""
    playwright.expect(page).to_have_title("The application")
    return Arrival(page.url).parameters


def redeem(issuer, client, code):
    answer = requests.post(
        metadata_of(issuer)["token_endpoint"], auth=(client["client_id"], client["client_secret"]), timeout=30,
        data={"grant_type": "authorization_code", "code": code, "redirect_uri": client["redirect_uris"][0]})
    assert answer.status_code == 200, answer.text
    return answer.json()


def judge(page):
    """What every page owes its readers, in light and dark, on a desk and in a hand."""
    assert found(page, UNNAMED) == [] and found(page, UNSEEN_FOCUS) == []
    for scheme, is_dark in ("light", False), ("dark", True):
        page.emulate_media(color_scheme=scheme)
        assert found(page, CONTRAST) == [], scheme
        red = int(re.search(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor")).group())
        assert red < 60 if is_dark else red > 200
        for width in (1280, 360):
            page.set_viewport_size({"width": width, "height": 740})
            assert found(page, SMALL) == [], width
            assert overflow(page) == 0, width


# --- Login and consent


def test_a_user_logs_in_by_a_click_and_consents(issuer, client, url, window):
    page = window()
    page.goto(url(prompt="consent"))
    playwright.expect(page.locator("main")).to_contain_text("Acceptance Shop")
    judge(page)
    page.get_by_role("button", name="Ada Lovelace").click()

    playwright.expect(page.locator("h1")).to_contain_text("Acceptance Shop")
    for scope in ("openid", "profile", "email"):
        playwright.expect(page.locator("main")).to_contain_text(scope)
    playwright.expect(page.get_by_role("link", name="Privacy policy")).to_have_attribute(
        "href", "https://shop.example.test/privacy")
    judge(page)
    page.get_by_role("button", name="Allow").click()
    arrived = landed(page)
    assert arrived["state"] == "the state" and arrived["iss"] == issuer
    assert redeem(issuer, client, arrived["code"])["id_token"]


def test_a_user_logs_in_with_a_password(world, url, window):
    users = world.get("/fixtures")["onegini"]["oauth"]["users"]
    user = next(user for user in users if user.get("password"))
    page = window()
    page.goto(url(prompt="consent"))
    page.get_by_label("User name").fill(user.get("username", user["sub"]))
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Log in", exact=True).click()
    playwright.expect(page.get_by_role("alert")).to_contain_text(re.compile("password", re.I))
    judge(page)

    assert page.get_by_label("User name").input_value() == user.get("username", user["sub"])
    page.get_by_label("Password").fill(user["password"])
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Allow").click()
    assert landed(page)["code"]


def test_a_user_says_no(url, window):
    page = window()
    page.goto(url(prompt="consent"))
    page.get_by_role("button", name="Ada Lovelace").click()
    page.get_by_role("button", name="Deny").click()
    assert landed(page)["error"] == "access_denied"


def test_the_keyboard_is_enough(url, window):
    page = window()
    page.goto(url(prompt="consent", login_hint="grace"))
    for _ in range(20):
        if "Grace" in page.evaluate("document.activeElement.textContent"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    playwright.expect(page.locator("main")).to_contain_text("Grace Hopper")
    for _ in range(20):
        if page.evaluate("document.activeElement.textContent") == "Allow":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert landed(page)["code"]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_code_comes_in_a_form(url, window, receiver, scripts):
    page = window(java_script_enabled=scripts)
    page.goto(url(response_mode="form_post", prompt="consent"))
    page.get_by_role("button", name="Ada Lovelace").click()
    page.get_by_role("button", name="Allow").click()
    if not scripts:
        page.get_by_role("button", name="Continue").click()
    sent = receiver.wait("/callback")[0]
    assert sent["form"]["code"] and sent["form"]["state"] == "the state"
    assert "?" not in sent["path"]


def test_going_back_and_again_leads_somewhere(url, window):
    page = window()
    page.goto(url(prompt="consent"))
    page.get_by_role("button", name="Ada Lovelace").click()
    page.get_by_role("button", name="Allow").click()
    first = landed(page)["code"]
    page.go_back()
    assert landed(page)["code"] != first


# --- An application in the browser

APPLICATION = """<!doctype html><title>An application in the browser</title><script>
const issuer = '%s', redirect = location.origin + '/app';
const encode = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
async function discover() { return (await fetch(issuer + '/.well-known/openid-configuration')).json(); }
async function register() {
  const order = { redirect_uris: [redirect], token_endpoint_auth_method: 'none', scope: 'openid profile',
    grant_types: ['authorization_code', 'refresh_token'] };
  const made = await fetch((await discover()).registration_endpoint,
    { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(order) });
  return (await made.json()).client_id;
}
async function begin(client) {
  const verifier = encode(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem('verifier', verifier);
  sessionStorage.setItem('client', client);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const asked = { client_id: client, redirect_uri: redirect, response_type: 'code', scope: 'openid profile',
    code_challenge: encode(new Uint8Array(digest)), code_challenge_method: 'S256' };
  location = (await discover()).authorization_endpoint + '?' + new URLSearchParams(asked);
}
async function finish() {
  const { token_endpoint, userinfo_endpoint, jwks_uri } = await discover();
  const body = new URLSearchParams({ grant_type: 'authorization_code', redirect_uri: redirect,
    code: new URLSearchParams(location.search).get('code'), client_id: sessionStorage.getItem('client'),
    code_verifier: sessionStorage.getItem('verifier') });
  const token = await (await fetch(token_endpoint, { method: 'POST', body })).json();
  const keys = await (await fetch(jwks_uri)).json();
  const user = await (await fetch(userinfo_endpoint, { headers: { Authorization: 'Bearer ' + token.access_token } })).json();
  const refused = await fetch(userinfo_endpoint, { headers: { Authorization: 'Bearer nonsense' } });
  return [user.name, keys.keys.length > 0, refused.status, refused.headers.get('WWW-Authenticate')];
}
</script>"""


def test_an_application_in_the_browser_does_all_by_itself(world, make_world, window, receiver):
    """Where the fixtures let pages of other origins register clients."""
    fixtures = requests.get(f"{world.url}/_understudy/v1/fixtures", timeout=30).json()
    fixtures["onegini"]["oauth"].setdefault("settings", {})["registration_from_pages"] = True
    receiver.pages["/app"] = APPLICATION % make_world(fixtures=fixtures).oauth
    page = window()
    page.goto(receiver.url + "/app")
    page.evaluate("register().then(begin)")
    page.get_by_role("button", name="Ada Lovelace").click()
    playwright.expect(page).to_have_title("An application in the browser")

    name, has_keys, status, reason = page.evaluate("finish()")
    assert name == "Ada Lovelace" and has_keys
    assert status == 401 and 'error="invalid_token"' in reason


def test_no_page_of_others_reads_the_pages_of_a_login(issuer, url):
    headers = {"Origin": "https://attacker.example.test"}
    for address in url(), metadata_of(issuer)["end_session_endpoint"]:
        answer = requests.get(address, headers=headers, timeout=30)
        assert "Access-Control-Allow-Origin" not in answer.headers


# --- What a stranger may not do


def test_what_a_client_says_of_itself_is_shown_as_text(world, issuer, window):
    client = register(issuer, client_name=HOSTILE)
    # Nobody may register that; somebody may have written it into a fixture file.
    change_client(world, client["client_id"], client_uri="javascript:alert(1)")
    page = window()
    page.goto(metadata_of(issuer)["authorization_endpoint"] + "?" + urlencode(
        {"client_id": client["client_id"], "redirect_uri": CALLBACK, "response_type": "code", "scope": "openid",
         "state": HOSTILE, "login_hint": HOSTILE, "prompt": "consent"}))
    playwright.expect(page.locator("main")).to_contain_text("onerror")
    assert page.locator("img").count() == 0 and page.locator("a[href^=javascript]").count() == 0
    page.get_by_role("button", name="Ada Lovelace").click()
    playwright.expect(page.locator("main")).to_contain_text("onerror")
    assert "owned" not in page.title()


def test_the_pages_stand_in_no_frame_and_load_nothing(url, window):
    answer = requests.get(url(prompt="consent"), timeout=30)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy
    assert answer.headers["Referrer-Policy"] == "same-origin" and "no-store" in answer.headers["Cache-Control"]

    asked = []
    page = window()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(url(prompt="consent"))
    assert {one.split("?")[0].rsplit("/", 1)[1] for one in asked} <= {"authorize", "login"}


# --- Logout


def test_the_user_is_asked_before_a_stranger_logs_them_out(issuer, url, window):
    page = window()
    page.goto(url(prompt="consent"))
    page.get_by_role("button", name="Ada Lovelace").click()
    page.goto(metadata_of(issuer)["end_session_endpoint"])
    playwright.expect(page.locator("main")).to_contain_text("Ada Lovelace")
    judge(page)
    page.get_by_role("button", name="Log out").click()
    playwright.expect(page.locator("h1")).to_have_text("Logged out")
    judge(page)
