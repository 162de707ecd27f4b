"""mod_auth_openidc under Apache as an ordinary relying party, and as an API that checks tokens.

Sources: OpenID Connect Core, Back-Channel Logout, RP-Initiated Logout; RFC 7662, 9068.
"""

from urllib.parse import quote

import pytest
import requests

from oauth_apache import NEEDS_APACHE, Apache
from oauth_browser import ADA, GRACE, Arrival, Browser, built_in, metadata_of
from understudy import until

pytestmark = NEEDS_APACHE


@pytest.fixture
def apache(world, issuer):
    apache = Apache(issuer, built_in(world, "resource-gateway"))
    yield apache
    apache.stop()


def test_a_user_enters_and_leaves(apache, browser):
    page = apache.log_in(browser)
    assert "Welcome" in page.text
    assert page.answer.headers["X-User"].startswith("ada") and page.answer.headers["X-Name"] == "Ada Lovelace"
    assert browser.open(apache.url + "/shop/").text == page.text

    away = browser.open(apache.url + "/shop/callback?logout=" + quote(apache.url + "/bye.html", safe=""))
    assert browser.open(away.url).address == apache.url + "/bye.html"
    away = browser.open(apache.url + "/shop/")
    browser.open(away.url)
    assert browser.offers(ADA)
    assert "auth_openidc:error]" not in apache.errors, apache.errors


def test_the_end_of_the_session_elsewhere_ends_it_here(issuer, apache, browser):
    other = Browser()
    apache.log_in(browser)
    apache.log_in(other, GRACE)
    browser.open(metadata_of(issuer)["end_session_endpoint"])
    browser.press("Log out")

    until(lambda: isinstance(browser.open(apache.url + "/shop/"), Arrival), "the back-channel logout")
    assert "Welcome" in other.open(apache.url + "/shop/").text


def test_an_api_takes_the_token_that_the_shop_got(apache, browser):
    token = apache.log_in(browser).answer.headers["X-Token"]
    called = requests.get(apache.url + "/api/", headers={"Authorization": "Bearer " + token}, timeout=30)
    assert called.status_code == 200, apache.errors
    assert called.headers["X-User"].startswith("ada")
    refused = requests.get(apache.url + "/api/", headers={"Authorization": "Bearer " + token[::-1]}, timeout=30)
    assert refused.status_code == 401
