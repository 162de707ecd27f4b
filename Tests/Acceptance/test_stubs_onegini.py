"""The stubs of Onegini's SDKs, under the app of the guide “Mobile authentication with OTP”; and the level of the device protocol that it
uses, a bare P-256 key in the place of OpenPGP, by keys and signatures of PyJWT and cryptography."""

import base64
import contextlib
import hashlib
import json
import re

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import ec

from oauth_browser import Browser
from onegini_device import Device
from stub_app import APPS, StubApp, check_objective_c, java_app, kotlin_app, objective_c_header, swift_app, with_guide
from test_onegini_otp import PIN, Portal, signature
from understudy import until


API = ("end-user-api", "end-user-api-secret")


@pytest.fixture
def portal(world):
    with contextlib.closing(Portal(world.oauth)) as portal:
        yield portal


@pytest.fixture(params=[kotlin_app, java_app, swift_app], ids=["kotlin", "java", "swift"])
def start_app(request, world, tmp_path):
    """Starts the guide's app; each start is the same installation."""
    command, apps = request.param("OneginiSDK"), []

    def start():
        apps.append(StubApp([*command, world.oauth, tmp_path / "installation.json"]))
        return apps[-1]

    yield start
    for app in apps:
        app.close()


def register(app, user="ada"):
    app.do("start")
    app.sees("started true 0")
    app.do("register")
    app.do("landed " + Browser().log_in(app.sees("open *"), user))
    app.sees("choose a PIN of 5 0")
    app.do("newpin 12345")
    app.sees("choose a PIN of 5 9012")  # a sequence
    app.do("newpin " + PIN)
    app.sees("registered 6")


def test_the_guide_from_registration_to_the_portal(start_app, world, portal):
    app = start_app()
    register(app)
    app.do("enroll")
    app.sees("enrolled")
    app.do("who")
    app.sees("1 true true")

    yes, no = portal.start(secure_message="Log in to the portal?"), portal.start(message="Pay 5 euros?")
    app.do("scan " + yes["otp"])
    app.sees("confirm? Log in to the portal? (qr-code)")
    app.do("scan " + yes["otp"])
    app.sees("not handled 9029")  # the same once more
    app.do("yes")
    app.sees("handled")
    until(lambda: portal.result(yes["transaction_id"])["is_authenticated"], "the portal's result")
    assert portal.result(yes["transaction_id"])["user_id"] == "ada"
    app.do("scan " + no["otp"])
    app.sees("confirm? Pay 5 euros? (qr-code)")
    app.do("no")
    app.sees("not handled 9006")
    assert portal.result(no["transaction_id"])["not_authenticated_reason"]["reason"] == "not_accepted"
    app.do("scan " + yes["otp"])
    app.sees("not handled 10013")
    app.do("scan bm90IGEgY29kZQ==")
    app.sees("cannot handle")

    app.do("logout")
    app.sees("logged out true")
    app.do("scan " + portal.start()["otp"])
    app.sees("not handled 9010")


def test_pins_are_counted_by_the_server(start_app, world):
    app = start_app()
    register(app)
    app.close()
    app = start_app()
    app.do("start")
    app.sees("started true 1")
    app.do("login")
    app.sees("PIN? 3 0")
    app.do("pin 99999")
    app.sees("PIN? 2 9009")
    app.do("pin " + PIN)
    app.sees("authenticated")
    app.do("changepin")
    app.sees("PIN? 3 0")
    app.do("pin " + PIN)
    app.sees("choose a PIN of 5 0")
    app.do("newpin 86420")
    app.sees("choose a PIN of 5 9012")
    app.do("newpin 77778")
    app.sees("choose a PIN of 5 9013")
    app.do("newpin 7777")
    app.sees("choose a PIN of 5 9014")
    app.do("newpin 71935")
    app.sees("PIN changed")
    app.do("login")
    app.sees("PIN? 3 0")
    app.do("pin " + PIN)
    app.sees("PIN? 2 9009")
    app.do("pin " + PIN)
    app.sees("PIN? 1 9009")
    app.do("pin " + PIN)
    app.sees("not authenticated 9003")
    app.do("who")
    app.sees("0 false false")


def devices(world):
    """Those of Ada."""
    told = requests.get(f"{world.oauth}/api/v4/users/ada/devices", auth=API, timeout=30)
    return {device["id"] for device in told.json()["devices"]}


def test_what_the_server_ends_the_app_hears_with_the_vendors_numbers(start_app, world, portal):
    app, others = start_app(), devices(world)
    register(app)
    app.do("scan " + portal.start()["otp"])
    app.sees("not handled 9021")
    app.do("enroll")
    app.sees("enrolled")
    disenroll(world, others)
    app.do("scan " + portal.start()["otp"])
    app.sees("not handled 9020")
    app.do("leave")
    app.sees("left true")
    app.do("who")
    app.sees("0 false false")


def act(world, known, kind, action):
    """An action of the console on the app's own record of that kind; `known` are those that were there before."""
    [record] = [one for one in records(world, kind) if one not in known]
    done = world.control("POST", f"/records/onegini/{requests.utils.quote(record, safe='')}/{action}", json={"inputs": {}})
    assert done.status_code == 204, done.text


def records(world, kind):
    return [one["id"] for one in world.get("/records", platform="onegini", kind=kind)["records"]]


def enrolled(app):
    register(app)
    app.do("enroll")
    app.sees("enrolled")


def fault(world, effect):
    added = world.control("POST", "/faults", json={
        "name": "f", "match": {"platform": "onegini", "path": "/sdk/v1/mobile-auth/otp/fetch"}, "effect": effect})
    assert added.status_code == 201, added.text


def disenroll(world, others):
    for device in devices(world) - others:
        revoked = requests.post(
            f"{world.oauth}/api/v4/users/ada/devices/{device}/disableMobileAuthentication", auth=API, timeout=30)
        assert revoked.status_code == 204, revoked.text


def unknown(otp):
    """A code in the portal's shape for a transaction that there is not."""
    told = json.loads(base64.b64decode(otp))
    return base64.b64encode(json.dumps(told | {"transaction_id": "00000000-0000-4000-8000-000000000000"}).encode()).decode()


#: The cases of the switch in the guide's “For the failure callback …”, in its order: the name behind ONGGenericError or
#: ONGMobileAuthRequestError, the number in the vendor's headers, and how it comes about.
NINE = [
    ("DeviceDeregistered", 9002, "the device is removed at the server"),
    ("UserDeregistered", 9003, "the user's profile is disconnected at the server"),
    ("NetworkConnectivityFailure", 9000, "the connection breaks"),
    ("ServerNotReachable", 9001, "something before the server answers 503"),
    ("NotFound", 10013, "the server does not know the transaction"),
    ("NotHandleable", 10018, "the text is no OTP"),
    ("UserDisenrolled", 9020, "the enrolment is revoked at the server"),
    ("NotEnrolled", 9021, "the user never enrolled"),
    ("UserNotAuthenticated", 9010, "nobody is logged in"),
]


@pytest.mark.parametrize("name, number, how", NINE, ids=[name for name, _, _ in NINE])
def test_the_nine_error_cases_of_the_guide(start_app, world, portal, name, number, how):
    app, others, profiles, machines = start_app(), devices(world), records(world, "profile"), records(world, "device")
    register(app)
    if name != "NotEnrolled":
        app.do("enroll")
        app.sees("enrolled")
    otp = portal.start()["otp"]
    match name:
        case "DeviceDeregistered": act(world, machines, "device", "remove")
        case "UserDeregistered": act(world, profiles, "profile", "disconnect")
        case "NetworkConnectivityFailure": fault(world, {"drop": {"when": "before"}})
        case "ServerNotReachable": fault(world, {"answer": {"status": 503}})
        case "NotFound": otp = unknown(otp)
        case "NotHandleable": otp = "bm90IGEgY29kZQ=="
        case "UserDisenrolled": disenroll(world, others)
        case "UserNotAuthenticated":
            app.do("logout")
            app.sees("logged out true")
    app.do("handle " + otp)
    app.sees(f"not handled {number}")
    app.do("why")
    app.sees(name)
    # “All locally stored data is removed from the device”, “all local data associated with the user profile has been removed”.
    gone = name in ("DeviceDeregistered", "UserDeregistered")
    app.do("who")
    app.sees("0 false false" if gone else f"1 {told(name != 'UserNotAuthenticated')} *")


def told(claim):
    return "true" if claim else "false"


@pytest.mark.parametrize("kind, action, number", [("profile", "disconnect", 9003), ("device", "remove", 9002)])
def test_who_is_removed_at_the_server_is_logged_out_by_the_next_request(start_app, world, portal, kind, action, number):
    app, known = start_app(), records(world, kind)
    enrolled(app)
    act(world, known, kind, action)
    app.do("scan " + portal.start()["otp"])
    app.sees(f"not handled {number}")
    app.do("who")
    app.sees("0 false false")


@pytest.mark.parametrize("effect, number", [
    ({"drop": {"when": "before"}}, 9000), ({"reset": {"when": "before"}}, 9000), ({"answer": {"status": 503}}, 9001)], ids=["drop", "reset", "503"])
def test_faults_of_the_network_have_the_vendors_numbers(start_app, world, portal, effect, number):
    app = start_app()
    enrolled(app)
    fault(world, effect)
    app.do("scan " + portal.start()["otp"])
    app.sees(f"not handled {number}")
    world.control("DELETE", "/faults")
    app.do("scan " + portal.start()["otp"])
    app.sees("confirm? Log in to the portal (qr-code)")
    app.do("yes")
    app.sees("handled")


def test_a_question_that_nobody_answers_is_in_nobodys_way(start_app, portal):
    app = start_app()
    enrolled(app)
    app.do("scan " + portal.start(message="Forgotten")["otp"])
    app.sees("confirm? Forgotten (qr-code)")
    app.do("scan " + portal.start(message="Urgent")["otp"])
    app.sees("confirm? Urgent (qr-code)")
    app.do("yes")
    app.sees("handled")


def push(portal, device):
    return portal.start(type="push", user_id="ada", device_id=device, secure_message="Pay?")["transaction_id"]


def test_pushes_are_fetched_confirmed_and_denied(start_app, world, portal):
    app, others = start_app(), devices(world)
    enrolled(app)
    app.do("pushes")
    app.sees("push enrolled")
    [device] = devices(world) - others
    confirmed = push(portal, device)
    app.do("pending")
    app.sees("pending *", "confirm? Pay? (push)")
    app.do("yes")
    app.sees("handled")
    until(lambda: portal.result(confirmed)["is_authenticated"], "the portal's result")
    denied = push(portal, device)
    app.do("denypending")
    app.sees("pending *", "denied")
    until(lambda: portal.result(denied).get("not_authenticated_reason"), "the portal's result")


def test_a_push_with_pin_is_refused(start_app, world, portal):
    """The stub has no PIN dialog for it, and must not take a mere yes for the PIN."""
    app, others = start_app(), devices(world)
    enrolled(app)
    app.do("pushes")
    app.sees("push enrolled")
    [device] = devices(world) - others
    asked = portal.start(type="push_with_pin", user_id="ada", device_id=device, secure_message="Pay?")["transaction_id"]
    app.do("pending")
    app.sees("pending *", "not handled 10000")
    assert not portal.result(asked).get("is_authenticated")


def test_a_provider_of_the_apps_own_registers_without_a_browser(start_app):
    app = start_app()
    app.do("start")
    app.sees("started true 0")
    app.do("providers")
    app.sees("providers [understudy-direct]")
    app.do("customize")
    app.sees("bring data 0")
    app.do('bring {"userId": "ada"}')
    app.sees("choose a PIN of 5 0")
    app.do("newpin " + PIN)
    app.sees("registered 6 2000")


def test_a_page_is_opened_with_the_user_logged_in(start_app, world):
    app = start_app()
    register(app)
    app.do("web http://localhost:8420/app/portal")
    link = app.sees("link *")
    followed = requests.get(link, allow_redirects=False, timeout=30)
    assert followed.status_code == 302 and followed.headers["Location"] == "http://localhost:8420/app/portal"
    app.do("web https://elsewhere.test/")
    app.sees("no link 10015")


def test_the_guides_objective_c_compiles():
    check_objective_c("OneginiSDK", with_guide("OneginiSDKGuide.m", "otp-guide.md"))


def test_the_guides_callbacks_are_methods_of_the_delegate():
    """A class may have methods that no protocol knows: what the guide implements is what the stub calls."""
    header = (objective_c_header("OneginiSDK") / "OneginiSDKiOS-Swift.h").read_text()
    known = selectors(re.search(r"@protocol ONGMobileAuthRequestDelegate\n(.*?)@end", header, re.S)[1])
    implemented = selectors((APPS / "otp-guide.md").read_text())
    assert len(implemented) == 3 and implemented <= known
    assert "@optional" in header and "@required" not in header


def selectors(text):
    """Of the declarations of instance methods in a text."""
    flat = re.sub(r"\([^()]*\)", "", re.sub(r"\(\^[^()]*\)\([^()]*\)", "", text))
    return {"".join(re.findall(r"\w+:", method)) for method in re.findall(r"^- ?(.*?)(?:;|```)", flat, re.M | re.S)}


# The level without OpenPGP, by other means than ours.

class BareDevice(Device):
    """Enrolls with a key instead of a certificate."""

    def enroll(self, key=None):
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        self.jwk = json.loads(jwt.algorithms.ECAlgorithm.to_jwk(self.key.public_key()))
        return self.call("POST", "/mobile-auth/enroll", {"profile_id": self.profile, "jwk": self.jwk})

    def read(self, otp):
        fetched = self.call("POST", "/mobile-auth/otp/fetch", {"otp": otp, "profile_id": self.profile})
        assert fetched.status_code == 200, fetched.text
        return json.loads(base64.b64decode(fetched.json()["message"]))

    def reply(self, question, key=None, algorithm="ES256", **changes):
        answer = {"v": 1, "transaction_id": question["transaction_id"], "challenge": question["challenge"], "result": "confirm"}
        message = jwt.encode(answer | changes, key or self.key, algorithm)
        return self.call("POST", f"/mobile-auth/otp/{question['transaction_id']}/answer", {"message": message})


@pytest.fixture
def bare(world):
    with contextlib.closing(BareDevice(world.oauth, signature("android"))) as device:
        device.log_in(Browser(), "ada", PIN)
        yield device


def test_a_bare_key_in_the_place_of_openpgp(world, portal, bare):
    enrolled = bare.enroll()
    assert enrolled.status_code == 200, enrolled.text
    # RFC 7638 §3.
    members = json.dumps({name: bare.jwk[name] for name in ("crv", "kty", "x", "y")}, separators=(",", ":"))
    thumbprint = base64.urlsafe_b64encode(hashlib.sha256(members.encode()).digest()).rstrip(b"=").decode()
    assert enrolled.json() == {"enrolled": True, "device_key_fingerprint": thumbprint}
    started = portal.start(secure_message="Log in?")
    question = bare.read(started["otp"])
    assert question["message"] == "Log in?" and question["profile_id"] == bare.profile
    answered = bare.reply(question)
    assert answered.json() == {"transaction_id": started["transaction_id"], "result": "confirm", "state": "AUTHENTICATED"}
    assert portal.result(started["transaction_id"])["user_id"] == "ada"
    shown = bare.call("GET", "/mobile-auth/enrollment?profile_id=" + bare.profile)
    assert shown.json() == {"enrolled": True, "push_enrolled": False, "device_key_fingerprint": thumbprint}


@pytest.mark.parametrize("wrong", ["key", "algorithm", "challenge", "openpgp"])
def test_an_answer_of_a_bare_key_that_is_none_fails_the_transaction(world, portal, bare, wrong):
    bare.enroll()
    started = portal.start()
    question = bare.read(started["otp"])
    match wrong:
        case "key": answered = bare.reply(question, key=ec.generate_private_key(ec.SECP256R1()))
        case "algorithm": answered = bare.reply(question, key="a secret of thirty-two characters", algorithm="HS256")
        case "challenge": answered = bare.reply(question, challenge="0" * 32)
        case "openpgp": answered = bare.call(
            "POST", f"/mobile-auth/otp/{started['transaction_id']}/answer", {"message": "-----BEGIN PGP MESSAGE-----"})
    assert (answered.status_code, answered.json()["sdk_code"]) == (400, 10015), answered.text
    assert len(world.explanations(status=400)[0]) > 40
    assert portal.result(started["transaction_id"])["not_authenticated_reason"]["reason"] == "invalid_answer"


@pytest.mark.parametrize("jwk", [
    {"kty": "RSA", "n": "AQAB", "e": "AQAB"}, {"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}, {}, "text",
    json.loads(jwt.algorithms.ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP384R1()).public_key())),
    json.loads(jwt.algorithms.ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1())))],
    ids=["rsa", "off the curve", "empty", "no object", "another curve", "private"])
def test_no_other_jwk_enrolls(bare, jwk):
    refused = bare.call("POST", "/mobile-auth/enroll", {"profile_id": bare.profile, "jwk": jwk})
    assert (refused.status_code, refused.json()["sdk_code"]) == (400, 10015), refused.text
    assert bare.call("GET", "/mobile-auth/enrollment?profile_id=" + bare.profile).json()["enrolled"] is False
