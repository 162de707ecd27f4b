"""mod_auth_openidc behind nginx, which also stands before this program: TLS in front, a prefix that nginx takes away, and forwarded
headers of each kind. Neither side is told its public address.

Sources: RFC 7239; the manuals of ngx_http_proxy_module and mod_auth_openidc; OpenID Connect Core 1.0 §3.1.3.7.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

import pytest
import requests

from oauth_apache import NEEDS_APACHE, Apache
from oauth_browser import ADA, Browser, built_in, metadata_of
from understudy import ROOT, World, free_port, until

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")

pytestmark = [*NEEDS_APACHE, pytest.mark.skipif(not NGINX, reason="nginx is not on the path")]

#: What nginx tells this program. The first are the lines of the documentation.
TOLD = {
    "fields with X-": """
        proxy_set_header X-Forwarded-Host $http_host;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Prefix /idp;""",
    "host and port apart": """
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header X-Forwarded-Port $server_port;
        proxy_set_header X-Forwarded-Prefix /idp;""",
    "RFC 7239": """
        proxy_set_header Forwarded 'for=$remote_addr;host="$http_host";proto=$scheme';
        proxy_set_header X-Forwarded-Prefix /idp;""",
}

CONFIGURATION = """
daemon off;
pid {folder}/pid;
error_log {folder}/errors;
worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {certificate};
        ssl_certificate_key {key};
        location /idp/ {{
            proxy_pass {understudy}/;{told}
        }}
        location / {{
            proxy_pass http://127.0.0.1:{apache};
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-Host $http_host;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header X-Forwarded-Port $server_port;
        }}
    }}
}}
"""


class Nginx:
    def __init__(self, understudy, apache, certificate, told):
        self.port = free_port()
        self.url = f"https://localhost:{self.port}"
        self.certificate = certificate[0]
        self.folder = Path(tempfile.mkdtemp(prefix="understudy-nginx-"))
        (self.folder / "conf").write_text(CONFIGURATION.format(
            folder=self.folder, port=self.port, certificate=certificate[0], key=certificate[1], understudy=understudy,
            apache=apache, told=told))
        self.process = subprocess.Popen(
            [NGINX, "-c", self.folder / "conf", "-e", self.folder / "errors"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        until(self._answers, "nginx", 20)

    def _answers(self):
        assert self.process.poll() is None, (self.folder / "errors").read_text()
        try:
            return requests.get(self.url + "/idp/_understudy/v1/health", verify=str(self.certificate), timeout=5).ok
        except requests.ConnectionError:
            return False

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)
        shutil.rmtree(self.folder)


@pytest.fixture(params=TOLD, ids=[name.replace(" ", "-") for name in TOLD])
def front(request, server, world, certificate):
    """nginx, and the shop behind it; users and the shop know both by one https address."""
    port = free_port()
    nginx = Nginx(server.url, port, certificate, TOLD[request.param])
    nginx.world = World(world.name, f"{nginx.url}/idp/w/{world.name}")
    apache = None
    try:
        apache = Apache(nginx.world.oauth, built_in(world, "resource-gateway"), port, nginx.url, certificate[0])
        nginx.shop = apache
        yield nginx
    finally:
        if apache:
            apache.stop()
        nginx.stop()


def test_the_lines_of_the_documentation_are_those_that_are_tested():
    text = (ROOT / "Web/docs/proxies.md").read_text()
    block = text[text.index("```nginx"):].split("```")[1]
    for line in TOLD["fields with X-"].strip().split("\n"):
        assert line.strip() in block, line


def test_a_shop_and_its_provider_behind_one_proxy(front, world):
    browser = Browser(verify=str(front.certificate))
    metadata = metadata_of(front.world.oauth, verify=str(front.certificate))
    assert metadata["issuer"] == front.world.oauth
    told = requests.get(
        front.url + "/idp/_understudy/v1/worlds/" + world.name, verify=str(front.certificate), timeout=30).json()
    assert told["baseURL"] == front.world.url and told["urls"]["oauth"] == front.world.oauth
    for name, place in metadata.items():
        if name.endswith("_endpoint") or name in ("jwks_uri", "check_session_iframe"):
            assert place.startswith(front.world.oauth + "/"), (name, place)

    away = browser.open(front.url + "/shop/")
    # Both live at one origin, so the browser follows to the login page by itself.
    assert away.url.startswith(front.world.oauth + "/login?"), away.url
    page = browser.press(ADA)
    assert "Welcome" in page.text, front.shop.errors
    assert page.answer.headers["X-Name"] == "Ada Lovelace"
    cookies = [cookie for cookie in browser.session.cookies if cookie.name.startswith("__Host-onegini")]
    assert len(cookies) == 3 and all(cookie.secure and cookie.path == "/" for cookie in cookies)

    called = requests.get(
        front.url + "/api/", headers={"Authorization": "Bearer " + page.answer.headers["X-Token"]}, timeout=30,
        verify=str(front.certificate))
    assert called.status_code == 200, front.shop.errors
    bye = browser.open(front.url + "/shop/callback?logout=" + quote(front.url + "/bye.html", safe=""))
    assert bye.url == front.url + "/bye.html"
    browser.open(front.url + "/shop/")
    assert browser.offers(ADA), "logged out at the provider as well"
    assert "auth_openidc:error]" not in front.shop.errors, front.shop.errors
    assert world.explanations(path="/oauth/v1/authorize") == [], "one issuer: nothing to warn of"


def test_a_browser_logs_in_and_sees_the_console_behind_the_proxy(front, window):
    page = window(ignore_https_errors=True)
    page.goto(front.url + "/shop/")
    page.get_by_role("button", name="Grace Hopper").click()
    page.get_by_role("heading", name="Welcome").wait_for()

    page.goto(front.url + f"/idp/w/{front.world.name}/journal")
    page.locator(".light[data-state=live]").wait_for()
    assert page.get_by_role("link", name="Outbox").get_attribute("href").startswith("/idp/w/")
