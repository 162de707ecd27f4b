"""Apache with mod_auth_openidc: an ordinary relying party, and an API that checks tokens. Nothing of the module's checks is turned
off; it finds all but its own name and secret in the discovery document.

Source: the module's auth_openidc.conf.
"""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
import requests

from oauth_browser import ADA, register
from understudy import free_port, until

APACHE = shutil.which("apache2") or shutil.which("apache2", path="/usr/sbin")
MODULES = Path("/usr/lib/apache2/modules")

#: Marks of the tests that need it.
NEEDS_APACHE = [
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
OIDCRedirectURI {callback}
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
{more}

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
    """A web server in a folder of its own, run by somebody without rights; what it complains of is in `errors`.

    - proxy: address of the proxy in front of it, where there is one; then it must find out by itself how users reach it.
    - certificate: file of the one that the proxy shows.
    """

    def __init__(self, issuer, gateway, port=None, proxy=None, certificate=None):
        self.port = port or free_port()
        self.own = f"http://localhost:{self.port}"
        self.url = proxy or self.own
        self.verify = str(certificate) if certificate else True
        more = []
        if proxy:
            more = ["OIDCXForwardedHeaders X-Forwarded-Host X-Forwarded-Proto X-Forwarded-Port"]
        self.client = register(
            issuer, verify=self.verify, redirect_uris=[self.url + "/shop/callback"], grant_types=["authorization_code", "refresh_token"],
            backchannel_logout_uri=self.url + "/shop/callback?logout=backchannel",
            post_logout_redirect_uris=[self.url + "/bye.html"])
        self.folder = Path(tempfile.mkdtemp(prefix="understudy-apache-"))
        pages = self.folder / "pages"
        for name in ("shop", "api"):
            (pages / name).mkdir(parents=True)
            (pages / name / "index.html").write_text("<!doctype html><title>Shop</title><h1>Welcome</h1>")
        (pages / "bye.html").write_text("<!doctype html><title>Bye</title><h1>Bye</h1>")
        if certificate:
            shutil.copy(certificate, self.folder / "ca.pem")
            more.append(f"OIDCCABundlePath {self.folder}/ca.pem")
        (self.folder / "conf").write_text(CONFIGURATION.format(
            folder=self.folder, modules=MODULES, url=self.url, port=self.port, client=self.client, gateway=gateway,
            issuer=issuer, callback="/shop/callback" if proxy else self.url + "/shop/callback", more="\n".join(more)))
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
            return requests.get(self.own + "/bye.html", timeout=5).ok
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
