"""The home page's “Connect my app”: what it offers to paste is what the running program answers to."""

import html
import re

import pytest
import requests

PLATFORMS = ["hanko", "miracl", "nextauth", "onegini", "powerauth", "app"]
CALLERS = ["ios", "android", "web", "back-end", "curl"]


def setup(world, platform, caller):
    """Values by their names, and the texts to paste."""
    page = requests.get(f"{world.url}/", {"platform": platform, "caller": caller}, headers={"Accept": "text/html"}, timeout=30).text
    part = page[page.index('id="setup"'):]
    part = part[:part.index("</section>")]
    values = {html.unescape(name): html.unescape(value) for name, value in
              re.findall(r"<dt>([^<]*)</dt><dd><code data-copy>([^<]*)</code></dd>", part)}
    return values, [html.unescape(text) for text in re.findall(r"<pre[^>]*>([^<]*)</pre>", part)], html.unescape(part)


def reachable(world, url):
    """The address as this machine reaches it: an emulator's name for us is the loopback."""
    return url.replace("//10.0.2.2:", "//localhost:")


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("caller", CALLERS)
def test_every_address_belongs_to_this_world_and_is_answered_by_its_platform(world, platform, caller):
    values, snippets, text = setup(world, platform, caller)
    if not values:
        assert "does not use" in text
        return
    urls = re.findall(r"https?://[^\s\"'<>,]+", "\n".join([*values.values(), *snippets]))
    # What lies behind the vendor's resource gateway is the integrator's own; nothing stands at the root of the device protocol.
    own = [reachable(world, url) for url in urls if f"/w/{world.name}" in url and not url.endswith(("/resources/", "/device/v1"))]
    assert own, (values, snippets)
    for url in own:
        if url != world.url:
            assert requests.get(url, headers={"Accept": "text/html"}, timeout=30).status_code != 404 or "POST " + url in text, url
    if caller == "android":
        assert any("//10.0.2.2:" in url for url in urls)


def test_powerauth_is_configured_with_what_its_administration_hands_out(world):
    answer = requests.get(f"{world.url}/powerauth-cloud/admin/applications/my-app", auth=("admin", "admin-secret"), timeout=30)
    for caller in ("ios", "android"):
        values, snippets, _ = setup(world, "powerauth", caller)
        assert values["mobileSdkConfig"] in snippets[0] and values["Base endpoint URL"] in snippets[0]
        if answer.status_code == 200:
            assert answer.json()["mobileSdkConfig"] == values["mobileSdkConfig"]
    values, snippets, _ = setup(world, "powerauth", "curl")
    asked = re.search(r"'(http[^']*)'", snippets[0]).group(1)
    auth = (values["User name"], values["Password"])
    assert requests.get(asked, auth=auth, timeout=30).status_code == 200
    assert requests.get(asked, auth=(auth[0], "wrong"), timeout=30).status_code == 401


def test_the_issuers_are_those_of_the_discovery_documents(world):
    for platform, caller in (("onegini", "back-end"), ("miracl", "back-end")):
        values, *_ = setup(world, platform, caller)
        document = requests.get(values["Issuer"] + "/.well-known/openid-configuration", timeout=30).json()
        assert document["issuer"] == values["Issuer"]
        if "JWKS" in values:
            assert requests.get(values["JWKS"], timeout=30).json()["keys"]
            assert document["jwks_uri"] == values["JWKS"]


def test_a_client_of_the_token_server_is_known_there(world):
    values, snippets, _ = setup(world, "onegini", "back-end")
    form = {"grant_type": "authorization_code", "code": "none", "redirect_uri": values["Redirect URIs"].split(", ")[0]}
    auth = (values["Client ID"], values["Client secret"])
    refused = requests.post(values["Issuer"] + "/token", data=form, auth=auth, timeout=30)
    assert refused.json()["error"] == "invalid_grant", "the client is right, the code is not"
    wrong = requests.post(values["Issuer"] + "/token", data=form, auth=(auth[0], "wrong"), timeout=30)
    assert wrong.json()["error"] == "invalid_client"
    assert f"client-id={auth[0]}" in snippets[0]


def test_the_key_of_nextauth_opens_its_server(world):
    values, snippets, _ = setup(world, "nextauth", "curl")
    key, url = re.search(r"'X-apikey: ([^']*)' (\S+)", snippets[0]).groups()
    assert values["Server ID"] in url
    assert requests.get(url, headers={"X-apikey": key}, timeout=30).status_code == 200
    assert requests.get(url, headers={"X-apikey": "wrong"}, timeout=30).status_code in (401, 403)


def test_the_association_files_are_offered_to_phones(world):
    *_, text = setup(world, "hanko", "ios")
    for path in re.findall(r'href="([^"]*\.well-known/[^"]*)"', text):
        assert requests.get(world.url.split("/w/")[0] + path, timeout=30).status_code == 200


def test_what_to_paste_follows_the_choice_at_once(world, browse):
    page = browse(f"{world.url}/")
    page.locator("#connect select[name=platform]").select_option("powerauth")
    page.locator("#connect select[name=caller]").select_option("android")
    page.locator("#setup", has_text="PowerAuthSDK.Builder").wait_for()
    page.locator("#setup summary", has_text="network_security_config.xml").click()
    assert "cleartextTrafficPermitted" in page.locator("#setup").inner_text()
    assert page.locator("#setup .copy").count() > 3
