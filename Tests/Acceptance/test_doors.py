"""Ports at whose root a platform or a world stands, names of platforms below every host that is allowed, and phones in the network."""

import re
import socket
import subprocess
import uuid
from urllib.parse import urlsplit

import pytest
import requests

from camera import read
from miracl_device import PIN
from miracl_fixtures import PROJECT
from miracl_mfa import MFADevice
from miracl_trust import OlderTrustDevice
from oauth_browser import Browser
from understudy import BINARY, CONTROL, free_port, plain_environment, run, until


def document(base, **options):
    return requests.get(base + "/.well-known/openid-configuration", timeout=30, **options).json()


@pytest.fixture
def doors(start):
    """A server with a port for each platform, and one for a world and one for a platform of it."""
    server = start("--listen", "all", "--listen", "blue=0", "--listen", "blue/miracl=0")
    requests.post(server.url + CONTROL + "/worlds", json={"name": "blue"}, timeout=30).raise_for_status()
    server.roots = {place["name"]: place["rootURL"] for place in server.banner["platforms"]}
    server.worlds = {door["name"]: door["url"] for door in server.banner["doors"]}
    return server


def test_a_platform_stands_at_the_root_of_its_port_in_what_it_hands_out_too(doors):
    for name, root in doors.roots.items():
        assert root and root != doors.url, name
    told = document(doors.roots["oauth"])
    assert told["issuer"] == doors.roots["oauth"]
    assert told["jwks_uri"].startswith(doors.roots["oauth"] + "/")
    assert requests.get(told["jwks_uri"], timeout=30).json()["keys"]
    assert document(doors.url + "/oauth")["issuer"] == doors.url + "/oauth"


def test_a_port_of_a_world_and_of_a_platform_in_it(doors):
    world = doors.worlds["blue"]
    assert document(world + "/oauth")["issuer"] == world + "/oauth"
    assert document(doors.worlds["blue/miracl"])["issuer"] == \
        doors.worlds["blue/miracl"]
    assert requests.get(world + CONTROL + "/info", timeout=30).json()["world"] == "blue"
    assert requests.get(doors.worlds["blue/miracl"] + CONTROL + "/info", timeout=30).json()["world"] == "blue"
    assert requests.get(world + "/", timeout=30).status_code == 200


def test_a_door_leads_nowhere_else(doors):
    refused = requests.get(doors.roots["oauth"] + "/hanko/.well-known/config", timeout=30)
    assert refused.status_code == 404


def test_a_port_that_is_taken_is_named_with_its_option():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = run("serve", "--port", 0, "--listen", f"app={port}")
    assert refused.returncode == 1
    assert f"port {port}, which --listen gives to app, is in use" in refused.stderr


@pytest.mark.parametrize("wrong", ["app", "app=x", "app=70000", "blue/none=8421", "=8421", "app=-1"])
def test_a_door_that_cannot_be_is_refused(wrong):
    refused = run("serve", "--listen", wrong)
    assert refused.returncode == 2 and "--listen expects NAME=PORT or all" in refused.stderr


@pytest.mark.parametrize("wrong", ["App=8421", "hnako=8421", "blue/oaut=8421"])
def test_a_name_that_is_nearly_one_of_a_platform_is_refused(wrong):
    refused = run("serve", "--listen", wrong)
    assert refused.returncode == 2 and "did you mean" in refused.stderr


def test_two_doors_at_one_port_are_refused():
    assert "gives port 9000 to both" in run("serve", "--listen", "app=9000", "--listen", "hanko=9000").stderr
    assert "gives port 8420 to both" in run("serve", "--listen", "app=8420").stderr
    assert "two ports" in run("serve", "--listen", "app=9000", "--listen", "app=9001").stderr
    assert "give a lower --port" in run("serve", "--port", 65530, "--listen", "all").stderr


def test_all_is_the_documented_range(start):
    names = ["app", "enrollment-server", "hanko", "hanko-admin", "miracl", "nextauth", "oauth", "powerauth-cloud"]
    port = free_port(1 + len(names))
    server = start("--listen", "all", port=port)
    roots = {place["name"]: place["rootURL"] for place in server.banner["platforms"]}
    assert [roots[name] for name in names] == [f"http://localhost:{port + 1 + index}" for index in range(len(names))]


# Clients that know a host and a port and nothing else.


class DroppingDevice(OlderTrustDevice):
    """As MIRACL's SDK for iOS: of the address that it is told it keeps scheme, host and port."""

    def __init__(self, base, *arguments, **options):
        parts = urlsplit(base)
        super().__init__(f"{parts.scheme}://{parts.netloc}", *arguments, **options)


class RetrofitPhone(MFADevice):
    """As Retrofit resolves `@POST("/rps/v2/user")`: a path that begins with a slash takes the place of the base URL's own."""

    def __init__(self, base, *arguments, **options):
        parts = urlsplit(base)
        super().__init__(f"{parts.scheme}://{parts.netloc}", *arguments, **options)


@pytest.mark.parametrize("door", ["miracl", "blue/miracl"])
def test_a_client_that_drops_the_path_registers_and_logs_in(doors, door):
    root = doors.roots.get(door) or doors.worlds[door]
    device = DroppingDevice(root + "/some/path", PROJECT, user=f"{uuid.uuid4()}@example.com")
    device.ask_for_mail()
    query = {"to": device.user, "wait": 10}
    link = requests.get(root + CONTROL + "/codes", params=query, timeout=30).json()["link"]
    assert link.startswith(root + "/verification/confirmation?")
    device.register(device.confirm(link))
    assert device.jwt()


def test_a_retrofit_client_goes_through_the_classic_steps(doors):
    root = doors.roots["miracl"]
    phone = RetrofitPhone(root + "/base/", PROJECT)
    phone.set_backend()
    assert all(url.startswith(root + "/") for name, url in phone.settings.items() if name.endswith("URL") and url)
    phone.start_registration()
    link = doors.default_world.code(phone.user)["link"]
    assert link.startswith(root + "/")
    browser = Browser()
    page = browser.press(browser.open(link).forms[0].buttons[0][0])
    assert page.status == 200
    phone.confirm_registration()
    phone.choose_pin()
    assert phone.status_of(PIN) == 200


def test_the_sample_back_end_at_its_own_port_logs_in(doors):
    """As MIRACL's iOS sample asks it: scheme://domain:port/authzurl."""
    told = requests.post(doors.roots["app"] + "/authzurl", timeout=30)
    assert told.status_code == 200
    page = requests.get(told.json()["authorizeURL"], timeout=30)
    assert page.status_code == 200, page.text
    at_home = requests.get(doors.roots["app"] + "/passkeys", allow_redirects=False, timeout=30)
    assert at_home.headers["Location"] == doors.url + "/app/passkeys"


# Names.


def asked(server, host, path="/.well-known/openid-configuration", **options):
    return requests.get(f"{server.url}{path}", headers={"Host": f"{host}:{server.address[1]}"}, timeout=30, **options)


def test_platforms_have_names_below_every_host_that_is_allowed(start):
    server = start("--allow-host", "mac.example", "--allow-host", "oauth.id.example", "--allow-host", "id.example")
    requests.post(server.url + CONTROL + "/worlds", json={"name": "blue"}, timeout=30).raise_for_status()
    port = server.address[1]
    for host in ("oauth.mac.example", "blue--oauth.mac.example", "oauth.host.docker.internal", "oauth.localhost"):
        assert asked(server, host).json()["issuer"] == f"http://{host}:{port}"
    # A name that was allowed as a whole is no platform's.
    assert asked(server, "oauth.id.example").status_code == 404
    told = asked(server, "oauth.id.example", "/oauth/.well-known/openid-configuration").json()
    assert told["issuer"] == f"http://oauth.id.example:{port}/oauth"


@pytest.mark.parametrize("host", ["oauth.stranger.example", "oauth.com", "oauth.dev", "x.oauth.mac.example", "nobody.mac.example",
                                  "oauth.mac.example.com"])
def test_names_of_strangers_stay_refused(start, host):
    assert asked(start("--allow-host", "mac.example"), host).status_code == 421


def test_a_login_ends_at_the_name_at_which_it_began(start):
    """The redirect URI of a page of ours is its address at the host name, and at the port."""
    server = start("--allow-host", "mac.example", "--listen", "all")
    port = server.address[1]
    begun = asked(server, "app.mac.example", "/miracl", allow_redirects=False)
    assert begun.status_code == 200
    info = asked(server, "mac.example", CONTROL + "/info").json()
    assert info["platforms"][0]["urls"]["host"] == f"http://hanko.mac.example:{port}"


# Phones in the network.


def test_lan_is_everything_at_once(start, tmp_path):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine is in no network")
        address = way.getsockname()[0]
    # The network of a test machine need not be a private one.
    server = start("--lan", "--allow-host", address, XDG_STATE_HOME=str(tmp_path))
    assert server.banner["controlToken"] and server.banner["authority"] == f"{tmp_path}/understudy/ca/ca.pem"
    assert all(place["rootURL"] for place in server.banner["platforms"])
    phone = server.banner["phoneConsole"]
    assert phone.startswith(f"http://{address}:") and phone.endswith("/?token=" + server.banner["controlToken"])
    assert requests.get(phone, timeout=30).status_code == 200
    secure = phone.replace("http://", "https://").split("/?")[0] + CONTROL + "/health"
    assert requests.get(secure, verify=server.banner["authority"], timeout=30).status_code == 200
    assert "for this machine only" in run("serve", "--lan", "--host", "localhost").stderr


def test_the_code_in_the_banner_is_the_consoles_address(tmp_path):
    """As the camera of a phone reads it: zbar."""
    with open(tmp_path / "banner", "wb") as banner:
        process = subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--lan", "--listen", "app=0"], stdout=banner, stderr=subprocess.DEVNULL,
            env=plain_environment(XDG_STATE_HOME=str(tmp_path)))
        try:
            until(lambda: "ready " in (tmp_path / "banner").read_text(), "the banner", seconds=20)
        finally:
            process.terminate()
            process.wait()
    lines = (tmp_path / "banner").read_text().splitlines()
    drawn = [line for line in lines if re.fullmatch("[█▀▄ ]{20,}", line)]
    address = next(line.strip() for line in lines if re.match(r"  http://[^ ]+/\?token=", line))
    # Without colours the blocks paint what is light.
    rows = []
    for line in drawn:
        rows.append("".join("1" if mark in " ▄" else "0" for mark in line))
        rows.append("".join("1" if mark in " ▀" else "0" for mark in line))
    scale = 6
    picture = [f"P1 {len(rows[0]) * scale + 48} {len(rows) * scale + 48}"]
    blank = " ".join("0" * (len(rows[0]) * scale + 48))
    picture += [blank] * 24
    for row in rows:
        line = " ".join("0" * 24 + "".join(bit * scale for bit in row) + "0" * 24)
        picture += [line] * scale
    picture += [blank] * 24
    assert read("\n".join(picture + [""]).encode(), "PBM").decode() == address


# Who is told which address.


def info_of(server, **options):
    info = requests.get(server.url + CONTROL + "/info", timeout=30, **options).json()
    return info, next(card["urls"] for card in info["platforms"] if card["name"] == "hanko")


def test_on_loopback_only_what_leads_to_loopback_is_told(server):
    info, urls = info_of(server)
    port = server.address[1]
    assert urls["this"] == urls["simulator"] == f"http://localhost:{port}/hanko"
    assert urls["emulator"] == f"http://10.0.2.2:{port}/hanko"
    assert urls["lan"] == [] and "container" not in urls and "port" not in urls
    assert info["adbReverse"] == [f"adb reverse tcp:{port} tcp:{port}"]
    home = requests.get(server.url + "/?platform=hanko&caller=android", timeout=30).text
    assert f"adb reverse tcp:{port} tcp:{port}" in home and "host.docker.internal" not in home


def test_on_every_network_each_address_works(start):
    server = start("--host", "0.0.0.0", "--listen", "all")
    token = {"Authorization": "Bearer " + server.banner["controlToken"]}
    info, urls = info_of(server, headers=token)
    port = server.address[1]
    assert urls["container"] == f"http://host.docker.internal:{port}/hanko"
    for url in (urls["this"], urls["simulator"], *urls["lan"]):
        assert requests.get(url + "/.well-known/config", timeout=30).status_code == 200, url
    assert requests.get(urls["port"] + "/.well-known/config", timeout=30).status_code == 200
    assert len(info["adbReverse"]) == 1 + len(server.banner["platforms"])


def test_on_one_address_of_the_network_loopback_is_not_told(start):
    found = requests.get(start("--host", "0.0.0.0", "--control-token", "12345678").url + CONTROL + "/info",
                         headers={"Authorization": "Bearer 12345678"}, timeout=30).json()
    lan = [url for url in found["platforms"][0]["urls"]["lan"] if "[" not in url]
    if not lan:
        pytest.skip("this machine is in no network")
    host = urlsplit(lan[0]).hostname
    server = start("--host", host, "--control-token", "12345678")
    info, urls = info_of(server, headers={"Authorization": "Bearer 12345678"})
    port = server.address[1]
    assert urls["emulator"] == urls["simulator"] == f"http://{host}:{port}/hanko"
    assert info["adbReverse"] == [] and "host" not in urls
