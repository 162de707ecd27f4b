"""Apache with mod_auth_openidc as an ordinary relying party, and as an API that checks tokens.

Nothing of the module's checks is turned off; it finds all but its own name and secret in the discovery document.

Sources: the module's auth_openidc.conf; OpenID Connect Core, Back-Channel Logout, RP-Initiated Logout; RFC 7662, 9068.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

import pytest
import requests

from oauth_browser import ADA, GRACE, Arrival, Browser, built_in, metadata_of, register
from understudy import free_port, until

APACHE = shutil.which("apache2") or shutil.which("apache2", path="/usr/sbin")
MODULES = Path("/usr/lib/apache2/modules")

pytestmark = [
    pytest.mark.skipif(not APACHE, reason="apache2 is not on the path"),
    pytest.mark.skipif(not (MODULES / "mod_auth_openidc.so").exists(), reason="libapache2-mod-auth-openidc is missing"),
]

CONFIGURATION = """
ServerName localhost
ServerRoot {folder}
Listen 127.0.0.1:{port}
PidFile {folder}/pid
ErrorLog {folder}/errors
LogLevel auth_openidc:info
DocumentRoot {folder}/pages
ForceType text/html
StartServers 1
ThreadsPerChild 8
MaxRequestWorkers 8
ServerLimit 1
LoadModule mpm_event_module {modules}/mod_mpm_event.so
LoadModule authn_core_module {modules}/mod_authn_core.so
LoadModule authz_core_module {modules}/mod_authz_core.so
LoadModule authz_user_module {modules}/mod_authz_user.so
LoadModule headers_module {modules}/mod_headers.so
LoadModule dir_module {modules}/mod_dir.so
LoadModule auth_openidc_module {modules}/mod_auth_openidc.so

OIDCProviderMetadataURL {issuer}/.well-known/openid-configuration
OIDCClientID {client[client_id]}
OIDCClientSecret {client[client_secret]}
OIDCRedirectURI {url}/shop/callback
OIDCCryptoPassphrase of-this-test-alone
OIDCScope "openid profile email offline_access"
OIDCPKCEMethod S256
OIDCRemoteUserClaim sub
OIDCDefaultLoggedOutURL {url}/bye.html
OIDCRefreshAccessTokenBeforeExpiry 5
OIDCCacheShmMax 50

OIDCOAuthServerMetadataURL {issuer}/.well-known/oauth-authorization-server
OIDCOAuthClientID {gateway[client_id]}
OIDCOAuthClientSecret {gateway[client_secret]}
OIDCOAuthRemoteUserClaim sub

<Location /shop>
    AuthType openid-connect
    Require valid-user
    Header set X-User "expr=%{{REMOTE_USER}}"
    Header set X-Name "%{{OIDC_CLAIM_name}}e"
    Header set X-Token "%{{OIDC_access_token}}e"
</Location>
<Location /api>
    AuthType oauth20
    Require claim client_id:{client[client_id]}
    Header set X-User "expr=%{{REMOTE_USER}}"
</Location>
"""


class Apache:
    """A web server in a folder of its own, run by somebody without rights; what it complains of is in `errors`."""

    def __init__(self, issuer, gateway):
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.client = register(
            issuer, redirect_uris=[self.url + "/shop/callback"], grant_types=["authorization_code", "refresh_token"],
            backchannel_logout_uri=self.url + "/shop/callback?logout=backchannel",
            post_logout_redirect_uris=[self.url + "/bye.html"])
        self.folder = Path(tempfile.mkdtemp(prefix="understudy-apache-"))
        pages = self.folder / "pages"
        for name in ("shop", "api"):
            (pages / name).mkdir(parents=True)
            (pages / name / "index.html").write_text("<!doctype html><title>Shop</title><h1>Welcome</h1>")
        (pages / "bye.html").write_text("<!doctype html><title>Bye</title><h1>Bye</h1>")
        (self.folder / "conf").write_text(CONFIGURATION.format(
            folder=self.folder, modules=MODULES, url=self.url, port=self.port, client=self.client, gateway=gateway,
            issuer=issuer))
        self.process = self._start()
        until(self._answers, "apache", 20)

    def _start(self):
        options = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            options = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            for path in [self.folder, *self.folder.rglob("*")]:
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
        return subprocess.Popen(
            [APACHE, "-DFOREGROUND", "-f", self.folder / "conf"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            **options)

    def _answers(self):
        assert self.process.poll() is None, self.process.stderr.read().decode() + self.errors
        try:
            return requests.get(self.url + "/bye.html", timeout=5).ok
        except requests.ConnectionError:
            return False

    @property
    def errors(self):
        file = self.folder / "errors"
        return file.read_text() if file.exists() else ""

    def log_in(self, browser, user=ADA):
        """Enters the shop, and comes back from the login; the shop's page."""
        away = browser.open(self.url + "/shop/")
        back = browser.authorize(away.url, user)
        page = browser.open(back.url)
        assert page.status == 200, page.text + self.errors
        return page

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        self.process.stderr.close()
        shutil.rmtree(self.folder)


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
    assert ":error]" not in apache.errors, apache.errors


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
