"""Mobile authentication with OTP, from portal to app and back, as the vendor's guide draws it: with a portal and a phone that are
not ours."""

import base64
import contextlib
import http.server
import json
import threading

import pytest
import requests

from oauth_browser import Browser
from onegini_device import Device
from understudy import ROOT, until

import json5

FIXTURES = json5.loads((ROOT / "Fixtures/default.json").read_text())
[APPLICATION] = [one for one in FIXTURES["onegini"]["applications"] if one["identifier"] == "com.example.understudy"]
PIN = "13524"


def signature(platform):
    [version] = [one for one in APPLICATION["versions"] if one["platform"] == platform and one["version_name"] == "1.0.0"]
    return version["application_signatures"][0]


class Portal:
    """A web application that logs users in by scanning: an API client, and a receiver of callbacks."""

    credentials = ("portal-api", "portal-api-secret")

    def __init__(self, base):
        self.api = base + "/api/v4/authenticate"
        self.callbacks = []
        portal = self

        class Receiver(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                portal.callbacks.append((self.headers["Content-Type"], json.loads(body)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.callback = f"http://127.0.0.1:{self.server.server_port}/callback"

    def start(self, **more):
        answer = requests.post(self.api + "/user", auth=self.credentials, timeout=30, data={
            "type": "qr-code", "message": "Log in to the portal", "callback_uri": self.callback} | more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def result(self, transaction):
        answer = requests.get(f"{self.api}/transaction/{transaction}", auth=self.credentials, timeout=30)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def portal(world):
    with contextlib.closing(Portal(world.url + "/oauth")) as portal:
        yield portal


@pytest.fixture
def make_device(world):
    made = []

    def make(user="ada", platform="android", pin=PIN, **keys):
        device = Device(world.url + "/oauth", signature(platform), platform)
        made.append(device)
        device.log_in(Browser(), user, pin)
        device.enroll(**keys)
        return device

    yield make
    for device in made:
        device.close()


@pytest.mark.parametrize("keys", [{}, {"algorithm": "future-default", "usage": "default"}], ids=["rsa", "cv25519"])
@pytest.mark.parametrize("signs", [False, True], ids=["unsigned", "signed"])
def test_the_ten_steps_of_the_guide(world, portal, make_device, keys, signs):
    phone = make_device(**keys)

    # 1 to 3: the user wants to log in at the portal, which starts a transaction and shows its code.
    started = portal.start(secure_message="Do you want to log in to the portal?")
    assert started["auth_method"] == "otp" and started["time_to_live"] == 300_000
    shown = json.loads(base64.b64decode(started["otp"]))
    assert list(shown) == ["transaction_id", "otp"] and shown["transaction_id"] == started["transaction_id"]
    pending = portal.result(started["transaction_id"])
    assert pending["is_authenticated"] is False and "not_authenticated_reason" not in pending

    # 4 and 5: the app hands the scanned code in and gets an encrypted message.
    question = phone.scan(started["otp"])
    assert question["message"] == "Do you want to log in to the portal?" and question["type"] == "qr-code"

    # 6 and 7: the user says yes; the answer travels encrypted.
    answered = phone.answer(question, "confirm", signs)
    assert answered.status_code == 200, answered.text
    assert answered.json() == {"transaction_id": started["transaction_id"], "result": "confirm", "state": "AUTHENTICATED"}

    # 8 to 10: the portal hears that there is a result, fetches it, and knows the user.
    until(lambda: portal.callbacks, "the callback")
    assert portal.callbacks == [("application/json;charset=UTF-8", {
        "callback_uri": portal.callback, "transaction_id": started["transaction_id"]})]
    result = portal.result(started["transaction_id"])
    assert result["is_authenticated"] is True and result["user_id"] == "ada"
    assert result["authentication_method"] == "otp"


def test_api_v1_starts_and_tells_without_credentials(world, portal, make_device):
    phone, api = make_device(), world.url + "/oauth/authenticate"
    assert "qr-code" in requests.get(api + "/user/ada/enabled", timeout=30).json()["enabled"]
    assert requests.get(api + "/user/ada/enabled/qr-code", timeout=30).json() == {"enabled": True}
    started = requests.post(api + "/user", timeout=30, data={
        "type": "qr-code", "message": "Log in", "callback_uri": portal.callback}).json()

    phone.answer(phone.scan(started["otp"]), "confirm")

    until(lambda: portal.callbacks, "the callback")
    result = requests.get(f"{api}/transaction/{started['transaction_id']}", timeout=30).json()
    assert result["is_authenticated"] is True and result["user_id"] == "ada"


def test_a_user_whose_keys_were_revoked_hears_so_once(world, portal, make_device):
    phone = make_device()
    started = portal.start()
    # As an administrator does it, with a client of the built-in fixtures.
    revoked = requests.post(
        f"{world.oauth}/api/v4/users/ada/devices/{phone.client_id}/disableMobileAuthentication", timeout=30,
        auth=("end-user-api", "end-user-api-secret"))
    assert revoked.status_code == 204, revoked.text

    told, again = phone.scan(started["otp"]), phone.scan(started["otp"])

    assert (told.status_code, told.json()["error"], told.json()["sdk_code"]) == (403, "user_disenrolled", 9020)
    assert (again.status_code, again.json()["sdk_code"]) == (403, 9021)


def test_a_user_who_says_no_is_a_result_too(portal, make_device):
    phone = make_device()
    started = portal.start()

    assert phone.answer(phone.scan(started["otp"]), "deny").json()["state"] == "DENIED"

    until(lambda: portal.callbacks, "the callback")
    result = portal.result(started["transaction_id"])
    assert result["is_authenticated"] is False
    assert result["not_authenticated_reason"] == {"reason": "not_accepted", "description": "User rejected push"}


def test_a_code_is_fetched_once_and_by_one_device(portal, make_device):
    first, second = make_device(), make_device("grace", "ios")
    started = portal.start()

    assert first.scan(started["otp"])["transaction_id"] == started["transaction_id"]
    again, other = first.scan(started["otp"]), second.scan(started["otp"])

    assert (again.status_code, again.json()["sdk_code"]) == (409, 9029)
    assert (other.status_code, other.json()["sdk_code"]) == (404, 10013)


def test_a_code_expires_by_the_worlds_clock(world, portal, make_device):
    phone = make_device()
    started = portal.start()
    world.advance(301)

    late = phone.scan(started["otp"])

    assert (late.status_code, late.json()["sdk_code"]) == (404, 10013)
    assert any("expired" in told for told in world.explanations(status=404))


def test_a_pin_is_checked_by_the_server_without_ever_seeing_it(world, make_device):
    phone = make_device()

    assert phone.enter_pin(PIN).status_code == 200
    wrong = [phone.enter_pin("24680").json() for _ in range(3)]

    assert [one["sdk_code"] for one in wrong] == [9009, 9009, 9003]
    assert [one["remaining_attempts"] for one in wrong] == [2, 1, 0]
    gone = phone.enter_pin(PIN)
    assert (gone.status_code, gone.json()["onegini_error"]) == (400, "user_deregistered")


def test_a_phone_that_was_removed_hears_so(world, portal, make_device):
    phone = make_device()
    left = requests.delete(phone.sdk + "/clients/self", auth=phone.credentials, timeout=30)
    assert left.status_code == 204, left.text

    told = phone.scan(portal.start()["otp"])

    assert (told.status_code, told.json()["sdk_code"]) == (401, 9002)
