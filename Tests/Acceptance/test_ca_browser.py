"""Chromium with the development CA in its NSS store, and nothing else told: passkeys under https and a name of one's own."""

import os
import shutil
import subprocess

import pytest
import requests

from test_passkeys_page import live_through_it
from understudy import World, free_port

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")

pytestmark = pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("certutil")), reason="chromium or certutil (libnss3-tools) is missing")


class SecureWorld(World):
    """Read over plain HTTP, which the same port answers."""

    def __init__(self, server):
        super().__init__("default", server.url.replace("https://", "http://"))


@pytest.fixture
def team(start, tmp_path):
    """A server whose passkeys are for https://team.localhost."""
    port = free_port()
    fixtures = tmp_path / "team.json"
    fixtures.write_text("""{"hanko": {"config": {"webauthn": {"relying_party": {
        "id": "team.localhost", "origins": ["https://team.localhost:%d"]}}}}}""" % port)
    server = start("--tls", "auto", "--fixtures", "default", "--fixtures", fixtures, port=port, XDG_STATE_HOME=str(tmp_path))
    server.ca = server.banner["authority"]
    return server


def open_browser(driver, home, *trusted):
    store = home / ".pki/nssdb"
    store.mkdir(parents=True)
    subprocess.run(["certutil", "-d", f"sql:{store}", "-N", "--empty-password"], check=True, timeout=30)
    for file in trusted:
        subprocess.run(
            ["certutil", "-d", f"sql:{store}", "-A", "-t", "C,,", "-n", "understudy", "-i", file], check=True, timeout=30)
    return driver.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox"], env=os.environ | {"HOME": str(home)})


def test_a_passkey_is_made_and_used_under_https_and_a_name(team, tmp_path):
    address = f"https://team.localhost:{team.address[1]}/app/passkeys"
    with playwright.sync_playwright() as driver:
        stranger = open_browser(driver, tmp_path / "stranger")
        with pytest.raises(playwright.Error, match="ERR_CERT_AUTHORITY_INVALID"):
            stranger.new_page().goto(address)
        stranger.close()

        browser = open_browser(driver, tmp_path / "home", team.ca)
        context = browser.new_context(reduced_motion="reduce")
        context.add_init_script(
            "if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false")
        page = context.new_page()
        page.goto(address)
        assert page.evaluate("isSecureContext")
        live_through_it(page, SecureWorld(team), "team@example.com")
        browser.close()


def test_the_page_of_the_ca_can_be_read(team, tmp_path):
    with playwright.sync_playwright() as driver:
        browser = open_browser(driver, tmp_path / "home", team.ca)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(team.url + "/ca")
        for title in ("iOS simulator", "Android emulator and device", "Java", "Node", "Python", "Chrome and Chromium on Linux"):
            assert page.get_by_role("heading", name=title, exact=True).is_visible()
        with page.expect_download() as download:
            page.get_by_role("link", name="ca.mobileconfig").click()
        assert download.value.suggested_filename == "understudy-ca.mobileconfig"
        assert requests.get(team.url + "/_understudy/ca.pem", verify=team.ca, timeout=30).text == open(team.ca).read()
        browser.close()
