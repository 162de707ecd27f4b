"""nextAuth's quick start “AppLogin”, from the first start of the app to the deletion of its account, and the login of a browser by code:
an app on a simulated phone, the app's own back end, with nothing but the program, requests and Chromium."""

import pytest
import requests

from camera import read
from nextauth_server import new_nonce
from phones import Refused, new_phone
from understudy import until

SERVER, KEY = "NP3zfIyXOwwzWEIfcetxjQ==", "nextauth-api-key"
USER = "eva@example.com"


@pytest.fixture
def world(make_world):
    return make_world(clock="2026-03-02T09:00:00Z", frozen=True)


class Shop:
    """The app's back end. It asks the server API, and its token service trades the web nonce."""

    def __init__(self, world):
        self.nextauth, self.app = world.url + "/nextauth", world.url + "/app/nextauth"

    def ask(self, method, path, nonce, **query):
        answer = requests.request(method, f"{self.nextauth}/servers/{SERVER}{path}", params=query, timeout=30,
                                  headers={"X-apikey": KEY, "X-nonce": nonce})
        assert answer.status_code == 200, answer.text
        return answer

    def user(self, nonce):
        """Who is logged in on a session, or None."""
        return self.ask("GET", "/sessions/", nonce).json().get("userid")

    def token(self, web_nonce):
        form = {"grant_type": "urn:understudy:webnonce", "webnonce": web_nonce}
        return requests.post(self.app + "/token", data=form, timeout=30)

    def me(self, token):
        return requests.get(self.app + "/me", headers={"Authorization": "Bearer " + token}, timeout=30)


@pytest.fixture
def shop(world):
    return Shop(world)


@pytest.fixture
def phone(world, shop):
    """Onboarding: the app has no account, scans an enrolment code, and its user chooses a PIN."""
    phone = new_phone(world, "eva", owner="eva", mail=USER, keepsAlive=True)
    assert phone.shown()["apps"] == []
    nonce = new_nonce()
    code = shop.ask("GET", "/sessions/qr/enrol", nonce, name="Eva", userid=USER).text
    assert phone.scan(code, pin="24680")["kind"] == "activation"
    assert shop.user(nonce) == USER
    return phone


def log_in(phone):
    """`AppLogin.start()`: the app asks for the PIN and nothing else."""
    asked = phone.do("applogin")
    assert asked["kind"] == "applogin"
    return phone.approve(asked["id"], pin="24680")["code"]


def test_app_login(world, shop, phone):
    # Right after the enrolment no PIN is asked.
    silent = phone.do("applogin")
    assert silent["kind"] == "approved" and shop.user(silent["code"]) == USER
    phone.do("stop")
    assert shop.user(silent["code"]) is None

    # After a stop it is; the web nonce tells the back end who it is, and its token service makes a token of it.
    web_nonce = log_in(phone)
    assert phone.fact("State") == "LOGGED_IN" and phone.fact("Web nonce") == web_nonce
    token = shop.token(web_nonce).json()["access_token"]
    assert shop.me(token).json()["userid"] == USER

    # The user goes on using the app, whose pings keep the login alive for an hour and more.
    world.advance(3700)
    assert shop.user(web_nonce) == USER
    phone.do("stop")
    assert shop.me(shop.token(web_nonce).json().get("access_token", "none")).status_code == 401


def test_a_wrong_pin_and_the_end_of_patience(shop, phone):
    phone.do("applogin")
    phone.do("stop")
    phone.do("applogin")
    for left in (4, 3, 2, 1):
        with pytest.raises(Refused) as refused:
            phone.approve(pin="11111")
        assert refused.value.error == "SecondFactor.WRONG" and f"tries left: {left}" in refused.value.detail
    with pytest.raises(Refused) as refused:
        phone.approve(pin="11111")
    assert refused.value.error == "SecondFactor.BLOCKED" and phone.fact("State") == "LOGGED_OUT"


@pytest.mark.parametrize("setting, reason", [("inactivity_timeout", "INACTIVITY"), ("applogin_timeout", "APPLOGIN_TIMEOUT")])
def test_timeouts_of_the_app(world, shop, phone, setting, reason):
    web_nonce = phone.do("applogin", **{setting: "300"})["code"]
    token = shop.token(web_nonce).json()["access_token"]
    world.advance(200)
    assert shop.me(token).status_code == 200
    world.advance(101)
    assert shop.user(web_nonce) is None and shop.me(token).status_code == 401
    assert phone.fact("State") == "LOGGED_OUT"
    [ended] = [entry["explanation"] for entry in world.journal(limit=1000) if entry.get("event") == "AppLogin ended"]
    assert reason in ended
    # The next one asks for the PIN.
    assert shop.user(log_in(phone)) == USER


def test_a_missed_ping(world, shop, phone):
    phone.change(keepsAlive=False)
    web_nonce = phone.do("applogin")["code"]
    world.advance(303)
    assert shop.user(web_nonce) is None
    until(lambda: phone.fact("State") == "LOGGED_OUT", "the app to hear SESSION_STOP")


def test_a_logout_by_the_back_end(shop, phone):
    web_nonce = phone.do("applogin")["code"]
    shop.ask("POST", "/sessions/logout", web_nonce)
    assert shop.user(web_nonce) is None
    until(lambda: phone.fact("State") == "LOGGED_OUT", "the app to hear SESSION_STOP")


@pytest.mark.parametrize("side", ["app", "back end"])
def test_the_deletion_of_the_account(shop, phone, side):
    web_nonce = phone.do("applogin")["code"]
    [account] = shop.ask("GET", "/accounts/", "any").json()["accounts"]
    if side == "app":
        phone.do("delete_account")
    else:
        shop.ask("DELETE", f"/accounts/{account['id']}/", "any")
        phone.pending()
    assert shop.user(web_nonce) is None and shop.ask("GET", "/accounts/", "any").json()["accounts"] == []
    # Nothing is left but onboarding, with a PIN that is chosen anew.
    assert not [fact for app in phone.shown()["apps"] for fact in app["facts"] if fact["name"].startswith("Account ")]
    code = shop.ask("GET", "/sessions/qr/enrol", new_nonce(), name="Eva", userid=USER).text
    assert phone.scan(code, pin="11111")["kind"] == "activation" and phone.fact("PIN") == "11111"


def test_a_browser_by_code(shop, phone, receiver, window):
    """The page of a shop has the blocks of the server; the camera reads the code off the screen."""
    def page():
        block = shop.ask("GET", "/sessions/html/login", nonce).text
        footer = shop.ask("GET", "/sessions/html/footer", nonce).text
        return f"<!doctype html><html lang='en'><meta charset='utf-8'><title>Shop</title>{block}{footer}</html>"

    nonce = new_nonce()
    receiver.pages["/shop"] = page()
    browser = window()
    browser.goto(receiver.url + "/shop")
    browser.locator(".nextauth-block[data-state=LOGOUT]").wait_for()
    asked = phone.scan(read(browser.screenshot()).decode())
    receiver.pages["/shop"] = page()
    assert asked["kind"] == "login" and phone.approve(asked["id"], pin="24680")["kind"] == "approved"
    receiver.pages["/shop"] = page()
    browser.get_by_text(f"Logged in as {USER}").wait_for()

    # The next login of this browser is a push away.
    shop.ask("POST", "/sessions/logout", nonce)
    receiver.pages["/shop"] = page()
    browser.get_by_role("button", name="Log in with nextAuth on your phone").click()
    [request] = until(phone.pending, "the push")
    phone.approve(request["id"], **{"with": "biometry"})
    receiver.pages["/shop"] = page()
    browser.get_by_text(f"Logged in as {USER}").wait_for()
