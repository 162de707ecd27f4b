"""What apps with Onegini's SDK computed, encrypted and signed is made again by apps of the world: recordings of an independent device, whose
OpenPGP is GnuPG's, and of the world's own phones agree with a fresh world of other chance."""

import contextlib
import json
import time

import pytest
import requests

from compare_recordings import Changed, agrees, reasons, recording, whole
from oauth_browser import Browser
from onegini_device import Device, ocra
from phones import Refused
from test_onegini_otp import PIN, Portal, signature
from test_phone_onegini import Handset, change_section, push
from test_stubs_onegini import BareDevice

OLDER = "it answers a request of mobile authentication that the recording does not show from its beginning"


@pytest.fixture
def portal(world):
    with contextlib.closing(Portal(world.oauth)) as portal:
        yield portal


@pytest.fixture
def make_device(world):
    made = []

    def make(user="ada", platform="android", enrolled=True, **keys):
        device = Device(world.oauth, signature(platform), platform)
        made.append(device)
        device.log_in(Browser(), user, PIN)
        if enrolled:
            device.enroll(**keys)
        return device

    yield make
    for device in made:
        device.close()


@pytest.mark.parametrize("keys", [{}, {"algorithm": "future-default", "usage": "default"}], ids=["rsa", "cv25519"])
@pytest.mark.parametrize("signs", [False, True], ids=["unsigned", "signed"])
def test_a_login_by_scanning(world, portal, make_device, compare, keys, signs):
    phone = make_device(**keys)
    for result in ("confirm", "deny"):
        started = portal.start(secure_message="Do you want to log in to the portal?")
        question = phone.scan(started["otp"])
        assert phone.answer(question, result, signs).status_code == 200
        assert phone.answer(question, result, signs).status_code == 409
        assert phone.scan(started["otp"]).status_code == 404
        assert portal.result(started["transaction_id"])["is_authenticated"] is (result == "confirm")

    assert whole(compare.report(recording(world)), "onegini")["agree"] >= 10


def test_devices_beside_each_other(world, portal, make_device, compare):
    ada, grace = make_device(), make_device("grace", "ios")
    questions = [phone.scan(portal.start()["otp"]) for phone in (ada, grace)]
    for phone, question in zip((grace, ada), reversed(questions), strict=True):
        assert phone.answer(question, "confirm").status_code == 200
        assert portal.result(question["transaction_id"])["is_authenticated"] is True

    whole(compare.report(recording(world)), "onegini")


def test_right_and_wrong_pins_of_a_login(world, make_device, compare):
    phone = make_device(enrolled=False)
    assert phone.enter_pin(PIN).status_code == 200
    assert [phone.enter_pin("24680").json()["sdk_code"] for _ in range(3)] == [9009, 9009, 9003]
    assert phone.enter_pin(PIN).status_code == 400

    whole(compare.report(recording(world)), "onegini")


@pytest.mark.parametrize("wrong", ["other signature", "a clock that is off"])
def test_a_response_that_was_refused(world, compare, wrong):
    class Wrong(Device):
        def register(self, signature):
            asked = requests.post(self.sdk + "/clients/challenge", timeout=30, json={
                "app_identifier": "com.example.understudy", "app_platform": "android", "app_version": "1.0.0"}).json()
            seconds = asked["server_time"] / 1000 + (900 if wrong == "a clock that is off" else 0)
            refused = requests.post(self.sdk + "/clients", timeout=30, json={
                "identifier": asked["identifier"],
                "ocra_response": ocra("another" if wrong == "other signature" else signature, asked["challenge"], seconds)})
            assert refused.status_code >= 400

    with contextlib.closing(Wrong(world.oauth, signature("android"))):
        whole(compare.report(recording(world)), "onegini")


@pytest.mark.parametrize("type", ["push", "push_with_pin"])
def test_pushes_to_a_phone_of_the_world(world, portal, compare, type):
    ada = Handset(world, "ada")
    ada.enrol()
    for verdict in ("approve", "decline"):
        transaction = push(portal, ada, type)
        assert [request["id"] for request in ada.pending(wait=10)] == [transaction]
        if type == "push_with_pin":
            with pytest.raises(Refused):
                ada.approve(transaction, **{"with": "wrong-pin"})
        getattr(ada, verdict)(transaction)
        assert portal.result(transaction)["is_authenticated"] is (verdict == "approve")

    whole(compare.report(recording(world)), "onegini")


def test_a_phone_of_the_tenant_does_nothing_in_the_comparison(world, portal, compare, tmp_path):
    """It would enrol by itself when the push of the recording reaches it, and answer by its policy."""
    fixtures = world.get("/fixtures")
    [phone] = [phone for phone in fixtures["phones"]["devices"] if phone["name"] == "ada"]
    assert phone["enrols_at_first_use"]
    phone["policy"] = "decline"
    file = tmp_path / "tenant.json"
    file.write_text(json.dumps(fixtures))
    ada = Handset(world, "ada")
    ada.enrol()
    transaction = push(portal, ada)
    ada.approve(transaction)
    assert portal.result(transaction)["is_authenticated"] is True
    for _ in range(3):
        time.sleep(0.2)
        listed = requests.get(world.oauth + "/api/v4/users/ada/devices", auth=("end-user-api", "end-user-api-secret"), timeout=30)
        assert len(listed.json()["devices"]) == 2, "that of the fixtures, and this one"

    whole(compare.report(recording(world), "--fixtures", file), "onegini")


def test_what_was_signed(world, portal, compare, tmp_path):
    change_section(world, mobile_authentication={"types": [{"name": "payment", "method": "PUSH", "signing": True}]})
    file = tmp_path / "tenant.json"
    file.write_text(json.dumps(world.get("/fixtures")))
    world.control("DELETE", "/journal").raise_for_status()
    ada = Handset(world, "ada")
    ada.enrol()
    for options in ({"fault": "other-data"}, {}):
        transaction = push(portal, ada, "payment", signing_data="100 EUR to Bob")
        ada.approve(transaction, **options)
        assert portal.result(transaction)["signature_verified"] is (not options)

    whole(compare.report(recording(world), "--fixtures", file), "onegini")


def test_a_bare_key(world, portal, compare):
    with contextlib.closing(BareDevice(world.oauth, signature("android"))) as bare:
        bare.log_in(Browser(), "ada", PIN)
        assert bare.enroll().status_code == 200
        started = portal.start()
        assert bare.reply(bare.read(started["otp"])).status_code == 200
        assert portal.result(started["transaction_id"])["is_authenticated"] is True

    whole(compare.report(recording(world)), "onegini")


def test_an_answer_that_nobody_can_read_is_named(world, portal, make_device, compare):
    phone = make_device()
    started = portal.start()
    question = phone.scan(started["otp"])
    assert phone.answer(question | {"challenge": "0" * 32}, "confirm").json()["error"] == "invalid_answer"
    assert portal.result(started["transaction_id"])["is_authenticated"] is False

    told = agrees(compare.report(recording(world)), "onegini", "it was refused there for what it said, which is encrypted", "it depends on request")
    assert told["notComparable"] >= 1


def test_a_message_that_is_older_than_the_recording(world, portal, make_device, compare):
    """The enrolment and the question are not in it: the answer is never equal."""
    phone = make_device()
    started = portal.start()
    question = phone.scan(started["otp"])
    before = len(recording(world)["log"]["entries"])
    assert phone.answer(question, "confirm").status_code == 200
    har = recording(world)
    [answer] = [entry for entry in har["log"]["entries"][before:] if entry["request"]["url"].endswith("/answer")]
    har["log"]["entries"] = [answer]

    report = compare.report(har)
    [told] = [one for one in report["platforms"] if one["name"] == "onegini"]
    assert report["differences"] == 0 and (told["agree"], told["notComparable"]) == (0, 1) and reasons(report) == {OLDER}


DIFFERENCES = {
    "another status of an answer": (lambda har: har.answer("/answer").update(status=202), "status", "status"),
    "another word of a state": (
        lambda har: har.body("/answer", lambda body: body | {"state": "ACCEPTED"}), "word", "body state"),
    "a member less around a message": (
        lambda har: har.body("/otp/fetch", lambda body: {name: body[name] for name in body if name != "expires_in"}),
        "more", "body expires_in"),
    "a member more of a registration": (
        lambda har: har.body("/sdk/v1/clients", lambda body: body | {"surplus": 1}), "missing", "body surplus"),
    "another time to live": (
        lambda har: har.body("/authenticate/user", lambda body: body | {"time_to_live": 290_000}), "value", "body time_to_live"),
    "another type of a fingerprint": (
        lambda har: har.body("/keys", lambda body: body | {"device_key_fingerprint": 7}), "type", "body device_key_fingerprint"),
}


@pytest.mark.parametrize("what", DIFFERENCES)
def test_a_difference_is_told_once(world, portal, make_device, compare, what):
    phone = make_device()
    assert phone.answer(phone.scan(portal.start()["otp"]), "confirm").status_code == 200
    change, kind, place = DIFFERENCES[what]
    har = Changed(recording(world))
    change(har)
    found = compare.differences(har.har)
    assert [(one[1], one[2]) for one in found] == [(kind, place)], found
