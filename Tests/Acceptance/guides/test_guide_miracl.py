"""MIRACL's guide for a web site whose users sign in with their phones, from the registration to the login in a browser: Chromium shows
the QR code, a simulated phone reads it off the screen, the page says welcome. And the vendor's mobile sample, with its own back end."""

import pytest
import requests

from camera import read
from phones import Refused, new_phone
from understudy import until

USER = "eva@example.com"


@pytest.fixture(params=["mfa", "trust"])
def phone(request, world, window):
    """Registration: the app asks for a mail, the user opens its link and confirms, and chooses a PIN."""
    phone = new_phone(world, "eva", owner="eva", mail=USER)
    assert phone.do("register", "miracl", protocol=request.param, pin="2468")["kind"] == "registration"
    link = world.code(USER, wait=10)["link"]
    if request.param == "trust":
        # The link opens the app.
        assert phone.scan(link)["kind"] == "activation"
        return phone
    browser = window()
    browser.goto(link)
    browser.get_by_role("button", name="Confirm").click()
    browser.get_by_text("is verified").wait_for()
    until(lambda: phone.fact("State") == "REGISTERED", "the app to fetch its shares")
    return phone


def code_on(browser):
    """What the camera sees on the screen."""
    browser.locator(".code svg").wait_for()
    return read(browser.screenshot()).decode()


def test_a_login_in_a_browser(world, phone, window):
    browser = window()
    browser.goto(world.url + "/app/miracl")
    browser.get_by_role("button", name="Sign in").click()
    browser.get_by_text("Scan this code with your app.").wait_for()

    asked = phone.scan(code_on(browser))
    [request] = phone.pending()
    assert request["id"] == asked["id"] and request["title"] == "Sign in to Sample app"
    browser.get_by_text(f"{USER} was chosen. Enter the PIN on the phone.").wait_for()
    with pytest.raises(Refused) as refused:
        phone.approve(pin="1111")
    assert refused.value.error in ("INCORRECT_PIN (11)", "AuthenticationException.UnsuccessfulAuthentication")
    assert phone.approve(pin="2468")["kind"] == "approved"
    browser.get_by_text(f"Welcome, {USER}").wait_for()
    assert browser.url == world.url + "/app/miracl"
    browser.get_by_role("button", name="Sign out").click()
    browser.get_by_text("Nobody is signed in.").wait_for()


def test_a_login_that_is_declined(world, phone, window):
    browser = window()
    browser.goto(world.url + "/app/miracl")
    browser.get_by_role("button", name="Sign in").click()
    phone.scan(code_on(browser))
    phone.decline()
    browser.get_by_text("The login was cancelled on the phone.").wait_for()
    browser.get_by_role("link", name="Back to Sample app").click()
    browser.wait_for_url(world.url + "/app/**")


def test_a_login_that_nobody_scans_in_time(world, phone, window):
    browser = window()
    browser.goto(world.url + "/app/miracl")
    browser.get_by_role("button", name="Sign in").click()
    code = code_on(browser)
    world.advance(301)
    browser.get_by_text("This login has expired.").wait_for()
    with pytest.raises(Refused) as refused:
        phone.scan(code)
    assert refused.value.status == 422 and "404 INVALID_AUTH_SESSION" in refused.value.detail


def test_a_stolen_phone(world, phone, window):
    browser = window()
    browser.goto(world.url + "/app/miracl")
    browser.get_by_role("button", name="Sign in").click()
    phone.scan(code_on(browser))
    for pin in ("1111", "2222", "3333"):
        with pytest.raises(Refused):
            phone.approve(pin=pin)
    assert phone.fact("State") == "BLOCKED" and phone.pending() == []
    browser.get_by_text("Enter the PIN on the phone").first.wait_for()
    assert browser.get_by_text("Welcome").count() == 0


def test_the_vendors_mobile_sample(world):
    """Its back end gives the address for an access code, and takes the authorization code: the app logs in by itself."""
    phone = new_phone(world, "eva", owner="eva", mail=USER)
    phone.enrol(platform="miracl", protocol="mfa", pin="2468")
    address = requests.post(world.url + "/app/authzurl", timeout=30).json()["authorizeURL"]
    asked = phone.do("applogin", authorize_url=address)
    code = phone.approve(asked["id"], pin="2468")["code"]
    answer = requests.post(world.url + "/app/authtoken", json={"code": code, "userID": USER}, timeout=30)
    assert answer.status_code == 200 and answer.json()["id_token"].count(".") == 2
