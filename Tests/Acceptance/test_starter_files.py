"""`fixtures init PLATFORM`: each file has no mistake, and the first login that its comments describe works."""

import json5
import pytest
import requests
from requests_oauth2client import ClientSecretBasic, OAuth2Client

from miracl_fixtures import *  # noqa: F403 - the fixtures
from miracl_trust import TrustDevice
from nextauth_device import Device as NextAuthDevice
from nextauth_server import Backend as NextAuthBackend
from nextauth_server import new_nonce
from nextauth_stub import SDK
from powerauth_backend import Backend as PowerAuthBackend
from powerauth_device import Device as PowerAuthDevice
from powerauth_messages import Configuration
from powerauth_mobile_token import MobileToken
from understudy import Client, run, token_of

PLATFORMS = ["hanko", "miracl", "nextauth", "onegini", "powerauth"]
ROBIN = "robin@example.com"


def starter(platform, folder):
    """The file that `init` writes, after `check` found nothing in it."""
    file = folder / f"{platform}.json"
    written = run("fixtures", "init", platform, file)
    assert written.returncode == 0, written
    checked = run("fixtures", "check", file)
    assert (checked.returncode, checked.stderr) == (0, ""), checked
    return json5.loads(file.read_text())


def test_the_person_of_the_file_for_all_platforms_signs_in_with_a_passcode(make_world, tmp_path):
    file = tmp_path / "team.json"
    assert run("fixtures", "init", file).returncode == 0
    world = make_world(fixtures=json5.loads(file.read_text()))
    hanko = world.hanko
    user = requests.post(hanko + "/user", json={"email": ROBIN}, timeout=30).json()["id"]
    passcode = requests.post(hanko + "/passcode/login/initialize", json={"user_id": user}, timeout=30)
    assert passcode.status_code == 200, passcode.text
    done = requests.post(hanko + "/passcode/login/finalize", json={"id": passcode.json()["id"], "code": world.code(ROBIN)["code"]}, timeout=30)
    assert done.status_code == 200 and done.headers["X-Auth-Token"]


def test_a_starter_file_is_printed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = run("fixtures", "init", "hanko", "-")
    assert printed.returncode == 0 and json5.loads(printed.stdout)["hanko"]["users"]
    assert not list(tmp_path.iterdir())


@pytest.fixture
def world(request, make_world, tmp_path):
    """A world of the starter file that the test's name begins with."""
    platform = request.function.__name__.split("_")[1]
    return make_world(fixtures=starter(platform, tmp_path))


def test_init_takes_platforms_and_no_other_word_before_a_file(tmp_path):
    told = run("fixtures", "init", "onegni", tmp_path / "a.json")
    assert told.returncode == 2 and all(platform in told.stderr for platform in PLATFORMS)
    assert not (tmp_path / "a.json").exists()


def test_onegini_logs_in(world, browser):
    party = OAuth2Client.from_discovery_endpoint(
        issuer=world.oauth, auth=ClientSecretBasic("web", "web-secret"), testing=True, redirect_uri="http://localhost:3000/callback")
    asked = party.authorization_request(scope="openid profile email accounts:read")
    arrived = asked.validate_callback(browser.authorize(asked.uri, "robin").url)
    token = party.authorization_code(arrived, validate=True)
    assert party.userinfo(token)["email"] == ROBIN

    service = requests.post(world.oauth + "/v1/token", auth=("service", "service-secret"), data={"grant_type": "client_credentials"})
    told = requests.post(world.oauth + "/introspect", auth=("gateway", "gateway-secret"),
                         data={"token": service.json()["access_token"]}).json()
    assert told["active"] and told["scope"] == "accounts:read"


def test_hanko_logs_in(world):
    hanko = Client(world.hanko)
    user = hanko.post("/user", {"email": ROBIN}).json()["id"]
    started = hanko.post("/passcode/login/initialize", {"user_id": user}).json()
    finished = hanko.post("/passcode/login/finalize", {"id": started["id"], "code": world.code(ROBIN)["code"]})
    assert hanko.get("/me", token_of(finished)).json()["id"] == user


def test_powerauth_logs_in(world):
    backend = PowerAuthBackend(world.url + "/powerauth-cloud", ("back-office", "back-office-secret"))
    administrator = PowerAuthBackend(world.url + "/powerauth-cloud", ("admin", "admin-secret"))
    configuration = Configuration(administrator.application("my-app")["mobileSdkConfig"])
    started = backend.register("robin", "my-app")
    phone = PowerAuthDevice(world.url + "/enrollment-server", configuration, "3.3")
    phone.activate(started["activationQrCodeData"])
    backend.tell("POST", f"/v2/registrations/{started['registrationId']}/commit")
    phone.validate()

    operation = backend.ask("POST", "/v2/operations", {"template": "login", "userId": "robin"})["operationId"]
    mobile = MobileToken(phone)
    [waiting] = mobile.operations()
    assert waiting["id"] == operation
    mobile.authorize(waiting)
    assert backend.ask("GET", f"/v2/operations/{operation}")["status"] == "APPROVED"


def test_miracl_logs_in(world, open_mail):
    device = TrustDevice(world.url + "/miracl", "example", user=ROBIN)
    device.ask_for_mail()
    device.register(device.confirm(open_mail(ROBIN, press=False)))
    assert device.jwt()


def test_nextauth_logs_in(world):
    backend = NextAuthBackend(world.url + "/nextauth")
    sdk = SDK(NextAuthDevice(world.url + "/nextauth"), __import__("time").time)
    nonce = new_nonce()
    assert sdk.start_session(backend.enrolment_code(nonce, "Robin", ROBIN))["state"] == "DONE"
    told = backend.session(nonce)
    assert (told["loggedin"], told["userid"]) == (True, ROBIN)
