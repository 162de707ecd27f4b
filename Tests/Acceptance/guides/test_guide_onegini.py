"""Onegini's guide “Mobile authentication with OTP”, from the first step to the last, and a payment that is confirmed by push: a portal, its
QR page as zbarimg reads it, and a phone; with nothing but the program, requests and its command line."""

import pytest
import requests

from camera import needs_zbar, read
from oauth_browser import Receiver
from understudy import run, until

CREDENTIALS = ("portal-api", "portal-api-secret")


class Shop:
    """The portal of the guide: it asks the token server, shows the QR page, and hears of results at its callback."""

    def __init__(self, world):
        self.world, self.receiver = world, Receiver()

    def start(self, **more):
        answer = requests.post(self.world.oauth + "/api/v4/authenticate/user", auth=CREDENTIALS, timeout=30, data={
            "message": "Log in at the shop?", "callback_uri": self.receiver.url + "/callback"} | more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def picture(self, transaction):
        """The QR code of the token server's own page, as a PNG."""
        page, _, key = transaction["qr_url"].partition("?")
        return requests.get(f"{page}.png?{key}", timeout=30).content

    def result(self, transaction):
        """What the portal fetches when its callback was called."""
        [called] = self.receiver.wait("/callback")
        assert transaction["transaction_id"] in called["body"]
        return requests.get(f"{self.world.oauth}/api/v4/authenticate/transaction/{transaction['transaction_id']}",
                            auth=CREDENTIALS, timeout=30).json()


@pytest.fixture
def shop(world):
    """The token server tells the address of its page, as the guide's portal without pages of its own wants it."""
    fixtures = world.get("/fixtures")
    fixtures["onegini"].setdefault("mobile_authentication", {})["qr_url"] = True
    assert world.control("PUT", "/fixtures", json=fixtures).ok
    shop = Shop(world)
    yield shop
    shop.receiver.stop()


@pytest.fixture
def phone(server, shop):
    """The command line of the program, and a phone on which Eva's app is enrolled: she logged in by a browser and chose a PIN."""
    def phone(*arguments):
        return run("phone", *arguments, "--world", shop.world.name, url=server.url)

    assert phone("create", "eva", "--user", "eva").returncode == 0
    assert "by QR code and push" in phone("enrol", "eva", "--platform", "onegini", "--pin", "86013").stdout
    return phone


@needs_zbar
@pytest.mark.parametrize("verdict", ["approve", "decline"])
def test_a_login_at_the_portal_by_scanning(shop, phone, verdict):
    # 1 to 3: the portal starts a transaction and shows its page.
    started = shop.start(type="qr-code")
    # 4 to 6: the app reads the code, trades it for the encrypted question, and shows that.
    scanned = phone("scan", "eva", read(shop.picture(started)).decode())
    assert "Log in at the shop?" in scanned.stdout, scanned.stderr
    # 7: Eva says yes or no.
    assert phone(verdict, "eva").returncode == 0
    # 8 to 10: the portal hears that there is a result, and fetches it.
    result = shop.result(started)
    assert result["is_authenticated"] is (verdict == "approve") and result["user_id"] == "eva"
    assert result.get("not_authenticated_reason", {}).get("reason") == (None if verdict == "approve" else "not_accepted")


def test_a_payment_that_is_confirmed_by_push_and_pin(shop, phone):
    [device] = requests.get(shop.world.oauth + "/api/v4/users/eva/devices", auth=("end-user-api", "end-user-api-secret"), timeout=30).json()["devices"]
    started = shop.start(type="push_with_pin", user_id="eva", device_id=device["id"], message="Pay 100 EUR to Bob?")
    assert started["transaction_id"] in phone("pending", "eva", "--wait", "10s").stdout
    refused = phone("approve", "eva", "--pin", "11111")
    assert refused.returncode == 1 and "ONGAuthenticationErrorInvalidPin 9009" in refused.stderr
    assert "was approved" in phone("approve", "eva").stdout
    result = shop.result(started)
    assert (result["is_authenticated"], result["authentication_method"], result["used_authentication_attempts"]) == (True, "push_with_pin", 2)


def test_the_app_fetches_a_resource_and_logs_out(shop, phone):
    def active():
        name, value = header.strip().split(": ")
        answer = requests.post(shop.world.oauth + "/api/v2/token/introspect", data={"token": value.split()[1]}, timeout=30,
                               auth=("resource-gateway", "resource-gateway-secret")).json()
        return name == "Authorization" and answer["active"] and answer["sub"] == "eva"

    header = phone("sign", "eva", "--platform", "onegini").stdout
    assert active()
    assert "logged out" in phone("do", "eva", "log_out").stdout
    assert not active()
    assert "removed from the device" in phone("do", "eva", "disconnect").stdout
    assert requests.get(shop.world.oauth + "/api/v4/users/eva/devices", auth=("end-user-api", "end-user-api-secret"), timeout=30).status_code == 404


@needs_zbar
def test_the_sample_portal_in_a_browser(window, shop, phone):
    page = window()
    page.goto(shop.world.url + "/app/portal")
    page.get_by_role("button", name="Log in with a QR code").click()
    page.locator("[data-otp]").wait_for()
    assert phone("scan", "eva", read(page.locator("[data-otp]").screenshot()).decode()).returncode == 0
    assert phone("approve", "eva").returncode == 0
    page.locator("[data-user=eva]").wait_for(timeout=15_000)
    until(lambda: shop.world.journal(user="eva"), "Eva in the journal")
