"""Simulated phones with Onegini's app: by the control API, on the page, from the command line, and beside the independent device in Python.

The SDK's numbers: `ONGErrors.h` of the vendor's SDK for iOS.
"""

import base64
import contextlib
import json

import pytest
import requests

from oauth_browser import Browser
from onegini_device import Device
from phones import Phone, Refused, new_phone
from test_onegini_otp import Portal, signature
from understudy import run, until

NO_SUCH_TRANSACTION = "cf51a27a-df80-42ad-bdd7-936c476b2c87"


class Handset(Phone):
    """A phone of which Onegini's app is meant."""

    def enrol(self, **more):
        return super().enrol(platform="onegini", **more)

    def fact(self, name, platform="onegini"):
        return super().fact(name, platform)

    def act(self, action, **inputs):
        return self.do(action, "onegini", **inputs)

    def bearer(self, **more):
        return self.sign(platform="onegini", **more)

    @property
    def device(self):
        return self.fact("Device")


@pytest.fixture
def portal(world):
    with contextlib.closing(Portal(world.oauth)) as portal:
        yield portal


@pytest.fixture
def ada(world):
    phone = Handset(world, "ada")
    phone.enrol()
    return phone


@pytest.fixture
def make_device(world):
    made = []

    def make(user="ada", platform="android"):
        device = Device(world.oauth, signature(platform), platform)
        made.append(device)
        device.log_in(Browser(), user, "13524")
        device.enroll()
        return device

    yield make
    for device in made:
        device.close()


def push(portal, phone, type="push", **more):
    return portal.start(type=type, user_id=more.pop("user_id", "ada"), device_id=phone.device, **more)["transaction_id"]


def end_user_api(world, method, path):
    answer = requests.request(method, f"{world.oauth}/api/v4/users/ada{path}", auth=("end-user-api", "end-user-api-secret"), timeout=30)
    assert answer.ok, answer.text
    return answer.json() if answer.content else None


def change_section(world, **members):
    """The token server's section with these members; what happened so far is forgotten."""
    fixtures = world.get("/fixtures")
    fixtures["phones"]["apps"] = []
    for name, value in members.items():
        fixtures["onegini"][name] = fixtures["onegini"].get(name, {}) | value if isinstance(value, dict) else value
    answer = world.control("PUT", "/fixtures", json=fixtures)
    assert answer.ok, answer.text


def change_application(world, **members):
    [application] = world.get("/fixtures")["onegini"]["applications"]
    change_section(world, applications=[application | members])


def error(body):
    """What the SDK reports."""
    with pytest.raises(Refused) as refused:
        body()
    assert refused.value.status == 422, refused.value.detail
    return refused.value.error


INVALID_PIN = "ONGAuthenticationErrorInvalidPin 9009"
HANDLED = "ONGMobileAuthRequestErrorAlreadyHandled 9029"
NOT_FOUND = "ONGMobileAuthRequestErrorNotFound 10013"
DEREGISTERED = "ONGGenericErrorUserDeregistered 9003"


def test_the_first_use_enrols_everywhere(world, portal):
    ada, grace = Handset(world, "ada"), Handset(world, "grace")
    assert ada.pending() == []
    assert ada.app("onegini")["isEnrolled"] and ada.app("powerauth")["isEnrolled"]
    assert ada.approve(ada.scan(portal.start()["otp"])["id"])["kind"] == "approved"
    # Grace's phone is empty, and stays so.
    assert error(lambda: grace.scan(portal.start()["otp"])) == "ONGMobileAuthRequestErrorUserNotAuthenticated 9010"
    assert grace.pending() == [] and grace.shown()["apps"] == []


def test_a_scanned_code_enrols_at_its_first_use(world, portal):
    ada = Handset(world, "ada")
    scanned = ada.scan(portal.start()["otp"])
    assert scanned["kind"] == "transaction" and ada.app("powerauth") is None
    assert ada.approve()["id"] == scanned["id"] and portal.result(scanned["id"])["user_id"] == "ada"


@pytest.mark.parametrize("model", ["ios", "android"])
@pytest.mark.parametrize("user", ["grace", "somebody-new"])
def test_from_the_registration_to_the_login_at_the_portal(world, portal, model, user):
    phone = Handset(world, new_phone(world, "eva", owner=user, model=model).name)
    enrolled = phone.enrol(pin="86013")
    assert enrolled["kind"] == "enrolment" and enrolled["id"] == phone.device
    [device] = requests.get(f"{world.oauth}/api/v4/users/{user}/devices", auth=("end-user-api", "end-user-api-secret"), timeout=30).json()["devices"]
    assert (device["id"], device["name"], device["mobileAuthenticationEnabled"], device["pushAuthenticationEnabled"]) == (phone.device, "Phone eva", True, True), device
    assert phone.fact("PIN") == "86013" and phone.fact("Version") == f"1.0.0 for {model}"

    started = portal.start(secure_message="Do you want to log in to the portal?")
    assert phone.scan(started["otp"])["id"] == started["transaction_id"]
    [request] = phone.pending()
    assert (request["kind"], request["message"], request["ways"]) == ("otp", "Do you want to log in to the portal?", ["possession", "pin"])
    phone.approve()
    result = portal.result(started["transaction_id"])
    assert result["is_authenticated"] is True and result["user_id"] == user
    assert phone.pending() == []


def test_a_link_of_the_app_is_as_good_as_its_code(portal, ada):
    started = portal.start()
    ada.scan(requests.Request("GET", "http://x/", params={"otp": started["otp"]}).prepare().url.replace("http://x/", "myapp://login"))
    ada.decline(started["transaction_id"])
    assert portal.result(started["transaction_id"])["not_authenticated_reason"]["reason"] == "not_accepted"


@pytest.mark.parametrize("type", ["push", "push_with_pin"])
@pytest.mark.parametrize("verdict", ["approve", "decline"])
def test_pushes(portal, ada, type, verdict):
    transaction = push(portal, ada, type)
    [request] = ada.pending(wait=10)
    assert request["id"] == transaction and request["ways"] == (["pin"] if type == "push_with_pin" else ["possession", "pin"])
    getattr(ada, verdict)(transaction)
    assert portal.result(transaction)["is_authenticated"] is (verdict == "approve")


def test_what_is_to_be_signed_is_shown_and_signed(world, portal):
    change_section(world, mobile_authentication={"types": [{"name": "payment", "method": "PUSH", "signing": True}]})
    ada = Handset(world, "ada")
    ada.enrol()
    transaction = push(portal, ada, "payment", signing_data="100 EUR to Bob")
    [request] = ada.pending(wait=10)
    assert request["details"] == [{"name": "To be signed", "value": "100 EUR to Bob"}]
    ada.approve(transaction)
    assert portal.result(transaction)["signature_verified"] is True


def test_wrong_pins_are_counted_until_the_user_is_gone(portal, ada):
    transaction = push(portal, ada, "push_with_pin")
    assert error(lambda: ada.approve(transaction, **{"with": "wrong-pin"})) == INVALID_PIN
    with pytest.raises(Refused) as refused:
        ada.approve(transaction, pin="11111")
    assert "wrong 2 times in a row, 1 attempt left" in refused.value.detail, refused.value.detail
    assert error(lambda: ada.approve(transaction, pin="22222")) == DEREGISTERED
    assert not ada.app("onegini")["isEnrolled"] and ada.pending() == []
    assert portal.result(transaction)["not_authenticated_reason"]["reason"] == "invalid_answer"
    # The device is known still, and takes a user anew; the push address is free again.
    ada.enrol(pin="97205")
    assert ada.fact("Mobile authentication") == "by QR code and push"
    again = push(portal, ada, "push_with_pin")
    assert ada.approve(again, wait=10, pin="97205")["kind"] == "approved"


def test_a_wrong_pin_before_an_answer_is_a_wrong_login(portal, ada):
    scanned = ada.scan(portal.start()["otp"])["id"]
    assert error(lambda: ada.approve(scanned, **{"with": "wrong-pin"})) == INVALID_PIN
    assert "not_authenticated_reason" not in portal.result(scanned)
    assert ada.approve(scanned, **{"with": "pin"})["kind"] == "approved"


def test_a_code_is_good_once_and_in_time(world, portal, ada):
    started = portal.start()
    ada.scan(started["otp"])
    assert error(lambda: ada.scan(started["otp"])) == HANDLED
    world.advance(301)
    assert error(lambda: ada.approve(started["transaction_id"])) == NOT_FOUND
    assert ada.pending() == []
    late = portal.start()
    world.advance(301)
    assert error(lambda: ada.scan(late["otp"])) == NOT_FOUND
    assert any("expired" in told for told in world.explanations(status=404))


def test_codes_that_are_none(portal, ada):
    def scan(transaction, code="0" * 64):
        text = json.dumps({"transaction_id": transaction, "otp": code})
        return lambda: ada.scan(base64.b64encode(text.encode()).decode())

    started = portal.start()["transaction_id"]
    assert error(scan(NO_SUCH_TRANSACTION)) == NOT_FOUND
    assert error(scan(push(portal, ada))) == "ONGMobileAuthRequestErrorNotHandleable 10018"
    # A wrong code is counted; the third ends the transaction.
    assert [error(scan(started)) for _ in range(3)] == [NOT_FOUND] * 3
    assert portal.result(started)["not_authenticated_reason"]["reason"] == "invalid_request"
    with pytest.raises(Refused) as refused:
        ada.scan("bm8=")
    assert "No app on the phone knows" in refused.value.detail and "portal's QR code" in refused.value.detail


def test_an_answer_without_the_pin_that_was_asked_for_is_none(portal, ada):
    transaction = push(portal, ada, "push_with_pin")
    assert ada.pending(wait=10)
    assert error(lambda: ada.approve(transaction, **{"with": "possession"})) == "ONGGenericErrorRequestInvalid 10015"
    assert ada.pending() == [] and portal.result(transaction)["not_authenticated_reason"]["reason"] == "invalid_answer"
    other = push(portal, ada)
    assert ada.pending(wait=10)
    assert "no biometry" in detail(lambda: ada.approve(other, **{"with": "biometry"}))


def detail(body):
    with pytest.raises(Refused) as refused:
        body()
    return refused.value.detail


def test_who_decides_past_the_protocol_is_faster(world, portal, ada):
    scanned = ada.scan(portal.start()["otp"])["id"]
    assert world.control("POST", f"/transactions/{scanned}/deny").status_code == 200
    assert error(lambda: ada.approve(scanned)) == HANDLED


@pytest.mark.parametrize("pin, name", [
    ("90210", "ONGPinValidationErrorPinBlackListed 9011"), ("12345", "ONGPinValidationErrorPinShouldNotBeASequence 9012"),
    ("11123", "ONGPinValidationErrorPinShouldNotUseSimilarDigits 9013"), ("2580", "ONGPinValidationErrorWrongPinLength 9014"),
    ("abcde", "ONGPinValidationErrorWrongPinLength 9014")])
def test_pins_that_the_application_does_not_allow(world, pin, name):
    grace = Handset(world, "grace")
    assert error(lambda: grace.enrol(pin=pin)) == name
    assert not grace.app("onegini")["isEnrolled"]
    assert grace.enrol()["kind"] == "enrolment"
    assert error(lambda: grace.act("change_pin", pin=pin)) == name
    grace.act("change_pin", pin="97205")
    grace.act("log_in", pin="97205")
    assert error(lambda: grace.act("log_in", pin="25807")) == INVALID_PIN


def test_a_device_that_may_not_register(world):
    grace = Handset(world, "grace")
    grace.change(network="offline")
    assert error(grace.enrol) == "ONGGenericErrorNetworkConnectivityFailure 9000"
    grace.change(network="online", clockSkew=900)
    assert error(grace.enrol) == "ONGGenericErrorInvalidDateTime 9031"
    grace.change(clockSkew=500)
    grace.enrol()
    [application] = world.get("/fixtures")["onegini"]["applications"]

    def built(**members):
        change_application(world, versions=[version | members for version in application["versions"]])
        return Handset(world, "grace")

    assert error(built(minimum_os_version="99").enrol) == "ONGGenericErrorOutdatedOS 9005"
    assert "no application" in detail(built(status="DISABLED").enrol)
    with pytest.raises(Refused) as refused:
        built().enrol(application="another")
    assert refused.value.status == 422
    with pytest.raises(Refused) as refused:
        built().enrol(protocol="3.3")
    assert refused.value.status == 400


def test_what_is_switched_off(world, portal):
    change_section(world, enrollment={"enabled": False})
    ada = Handset(world, "ada")
    assert error(ada.enrol) == "ONGMobileAuthEnrollmentErrorEnrollmentNotAvailable 9017"
    # The user is registered all the same, and can be enrolled later.
    assert ada.fact("Mobile authentication") == "not enrolled"
    assert error(lambda: ada.scan(portal.start()["otp"])) == "ONGMobileAuthRequestErrorNotEnrolled 9021"

    otp = portal.start()["otp"]
    change_section(world, enrollment={"enabled": True}, mobile_authentication={"enabled": False})
    ada.enrol()
    for ask in (lambda: ada.scan(otp), lambda: ada.tell("/pending", method="GET")):
        assert error(ask) == "ONGMobileAuthEnrollmentErrorEnrollmentNotAvailable 9017"


def test_pushes_on_one_phone_and_not_on_another(world, portal, ada):
    second = Handset(world, new_phone(world, "second", owner="ada").name)
    assert "9018" in second.enrol()["detail"]
    assert "ONGMobileAuthEnrollmentErrorUserAlreadyEnrolled 9018" in second.fact("Mobile authentication")
    # Codes are no pushes.
    assert second.approve(second.scan(portal.start()["otp"])["id"])["kind"] == "approved"
    transaction = push(portal, ada)
    assert [request["id"] for request in ada.pending(wait=10)] == [transaction] and second.pending() == []


def test_a_phone_hears_what_was_taken_from_it(world, portal, ada):
    end_user_api(world, "POST", f"/devices/{ada.device}/disableMobileAuthentication")
    assert error(lambda: ada.scan(portal.start()["otp"])) == "ONGMobileAuthRequestErrorUserDisenrolled 9020"
    assert ada.fact("Mobile authentication") == "not enrolled"
    assert error(lambda: ada.scan(portal.start()["otp"])) == "ONGMobileAuthRequestErrorNotEnrolled 9021"
    ada.act("mobile_enrol")
    assert ada.approve(ada.scan(portal.start()["otp"])["id"])["kind"] == "approved"

    end_user_api(world, "DELETE", f"/devices/{ada.device}")
    assert error(lambda: ada.scan(portal.start()["otp"])) in (DEREGISTERED, "ONGGenericErrorDeviceDeregistered 9002")
    assert not ada.app("onegini")["isEnrolled"]
    ada.enrol()
    assert ada.approve(ada.scan(portal.start()["otp"])["id"])["kind"] == "approved"


def test_a_login_ends_and_the_person_logs_in_again(world, portal, ada):
    def userinfo(headers):
        return requests.get(world.oauth + "/v1/userinfo", headers=headers, timeout=30).status_code

    token = ada.bearer(**{"with": "possession"})
    assert userinfo(token) == 200
    world.advance(1000)
    assert userinfo(token) == 401 and userinfo(ada.bearer(**{"with": "possession"})) == 401
    # An answer logs in by PIN; so does the next header.
    assert ada.approve(ada.scan(portal.start()["otp"])["id"])["kind"] == "approved"
    assert userinfo(ada.bearer(**{"with": "possession"})) == 200 and userinfo(ada.bearer()) == 200
    assert error(lambda: ada.bearer(**{"with": "wrong-pin"})) == INVALID_PIN
    with pytest.raises(Refused) as refused:
        ada.bearer(token="shop")
    assert refused.value.status == 400

    token = ada.bearer()
    assert ada.act("log_out")["kind"] == "done"
    assert userinfo(token) == 401 and ada.fact("State") == "logged out"
    assert error(lambda: ada.bearer(**{"with": "possession"})) == "ONGMobileAuthRequestErrorUserNotAuthenticated 9010"
    ada.act("log_in")
    assert userinfo(ada.bearer(**{"with": "possession"})) == 200


def test_a_user_is_disconnected(world, portal, ada):
    device = ada.device
    ada.act("disenrol")
    assert error(lambda: ada.scan(portal.start()["otp"])) == "ONGMobileAuthRequestErrorNotEnrolled 9021"
    ada.act("mobile_enrol")
    assert error(lambda: ada.enrol()) != "" and ada.app("onegini")["isEnrolled"]
    ada.act("disconnect")
    assert not ada.app("onegini")["isEnrolled"] and ada.app("onegini")["actions"] == []
    ada.enrol()
    assert ada.device == device, "the device stays registered"


@pytest.mark.parametrize("policy, authenticated", [
    ("approve", True), ("decline", False), ("approve after 1 s", True), ("wrong PIN twice, then right", True)])
def test_policies(portal, ada, policy, authenticated):
    ada.change(policy=policy)
    transaction = push(portal, ada, "push_with_pin")
    until(lambda: portal.callbacks, "the answer")
    result = portal.result(transaction)
    assert result["is_authenticated"] is authenticated
    assert result.get("used_authentication_attempts", 0) == (3 if policy.startswith("wrong") else 1 if authenticated else 0), result


def test_a_phone_that_ignores_does_not_even_fetch(world, portal, ada):
    ada.change(policy="ignore")
    transaction = push(portal, ada)
    [state] = [one["state"] for one in world.get("/transactions")["transactions"] if one["id"] == transaction]
    assert state == "INITIALIZED" and ada.shown()["requests"] == []


def test_phones_go_with_snapshots_and_exports(world, portal, ada, make_world):
    world.control("POST", "/snapshots", json={"name": "enrolled"})
    ada.act("log_in")
    ada.approve(ada.scan(portal.start()["otp"])["id"])
    assert world.control("POST", "/snapshots/enrolled/restore").status_code == 204
    assert ada.act("log_in")["kind"] == "done", "refresh tokens are those of the snapshot, on both sides"

    copy = make_world(fixtures=world.get("/fixtures"))
    assert copy.get("/fixtures")["phones"] == world.get("/fixtures")["phones"]
    with contextlib.closing(Portal(copy.oauth)) as other:
        twin = Handset(copy, "ada")
        assert twin.approve(twin.scan(other.start()["otp"])["id"])["kind"] == "approved"


def test_phone_and_independent_device_side_by_side(world, portal, ada, make_device):
    """Both of one user, each with its own keys: what one fetched is nothing for the other."""
    device = make_device()
    for _ in range(2):
        first, second = portal.start(), portal.start()
        ada.scan(first["otp"])
        question = device.scan(second["otp"])
        assert device.scan(first["otp"]).json()["sdk_code"] == 10013
        assert error(lambda: ada.scan(second["otp"])) == NOT_FOUND
        ada.approve(first["transaction_id"])
        assert device.answer(question, "confirm").json()["state"] == "AUTHENTICATED"
        assert [portal.result(one["transaction_id"])["user_id"] for one in (first, second)] == ["ada", "ada"]
    # Wrong PINs of one are none of the other.
    assert [device.enter_pin("24680").json()["sdk_code"] for _ in range(3)] == [9009, 9009, 9003]
    assert ada.act("log_in")["kind"] == "done"


def test_what_a_stranger_cannot_do_to_a_phone_s_transactions(portal, ada, make_device):
    """Nor to its own with an answer that is not to the question: what ``Device`` sends is wrong in one thing each."""
    device = make_device("grace")
    waiting, scanned = push(portal, ada), ada.scan(portal.start()["otp"])["id"]
    assert device.call("POST", f"/mobile-auth/push/{waiting}/fetch", {"profile_id": device.profile}).json()["sdk_code"] == 10013
    assert device.answer({"transaction_id": scanned, "challenge": "0" * 32}, "confirm").json()["sdk_code"] == 10013
    assert {ada.approve(waiting)["kind"], ada.approve(scanned)["kind"]} == {"approved"}
    assert device.answer({"transaction_id": scanned, "challenge": "0" * 32}, "confirm").json()["sdk_code"] == 9029

    question = device.scan(portal.start()["otp"])
    assert device.answer(question | {"challenge": "0" * 32}, "confirm").json()["sdk_code"] == 10015
    assert portal.result(question["transaction_id"])["not_authenticated_reason"]["reason"] == "invalid_answer"
    assert device.answer(question, "confirm").json()["sdk_code"] == 9029
    stranger = device.call("POST", "/mobile-auth/otp/fetch", {"otp": portal.start()["otp"], "profile_id": ada.fact("Profile")})
    assert (stranger.status_code, stranger.json()["error"]) == (403, "profile_mismatch")


@pytest.mark.parametrize("verdict", ["approve", "decline"])
@pytest.mark.parametrize("type", ["otp", "push", "push_with_pin"])
def test_an_answer_that_comes_two_times_at_once_is_taken_once(portal, ada, type, verdict):
    transaction = ada.scan(portal.start()["otp"])["id"] if type == "otp" else push(portal, ada, type)
    told = getattr(ada, verdict)(transaction, fault="twice")
    assert told["kind"] == verdict + "d"
    assert "two times at once: 200; 409, “The transaction" in told["detail"], told
    assert portal.result(transaction)["is_authenticated"] is (verdict == "approve")
    assert ada.approve(push(portal, ada))["kind"] == "approved"


@pytest.mark.parametrize("verdict", ["approve", "decline"])
@pytest.mark.parametrize("fault, why", [
    ("changed-counter", "has the challenge"), ("old-protocol", "has v 0, expected 1"), ("other-data", "is for the transaction")])
def test_an_answer_that_is_not_to_the_question_ends_the_transaction(portal, ada, fault, why, verdict):
    scanned = ada.scan(portal.start()["otp"])["id"]
    with pytest.raises(Refused) as refused:
        getattr(ada, verdict)(scanned, fault=fault)
    assert refused.value.error == "ONGGenericErrorRequestInvalid 10015" and why in refused.value.detail
    assert portal.result(scanned)["not_authenticated_reason"]["reason"] == "invalid_answer" and ada.pending() == []
    assert ada.approve(ada.scan(portal.start()["otp"])["id"])["kind"] == "approved"


def test_other_data_than_were_to_be_signed_are_noticed_by_the_portal(world, portal):
    change_section(world, mobile_authentication={"types": [{"name": "payment", "method": "PUSH", "signing": True}]})
    ada = Handset(world, "ada")
    ada.enrol()
    transaction = push(portal, ada, "payment", signing_data="100 EUR to Bob")
    assert "other data than the phone was shown" in ada.approve(transaction, fault="other-data")["detail"]
    assert portal.result(transaction)["signature_verified"] is False
    again = push(portal, ada, "payment", signing_data="100 EUR to Bob")
    ada.approve(again)
    assert portal.result(again)["signature_verified"] is True


@pytest.mark.parametrize("type", ["push", "push_with_pin"])
def test_who_copies_what_a_phone_stores_lacks_the_pin(portal, ada, type):
    transaction = push(portal, ada, type)
    for left in (2, 1):
        with pytest.raises(Refused) as refused:
            ada.approve(transaction, fault="stolen-key")
        assert refused.value.error == INVALID_PIN and f"{left} attempt" in refused.value.detail, refused.value.detail
    assert "not_authenticated_reason" not in portal.result(transaction)
    # The phone has its keys and its login still; its own PIN sets the count back.
    assert ada.approve(transaction, **{"with": "pin"})["kind"] == "approved"
    assert portal.result(transaction)["is_authenticated"] is True
    transaction = push(portal, ada, type)
    for name in (INVALID_PIN, INVALID_PIN, DEREGISTERED):
        assert error(lambda: ada.approve(transaction, fault="stolen-key")) == name
    assert error(lambda: ada.act("log_in")) == DEREGISTERED and not ada.app("onegini")["isEnrolled"]


def test_who_was_not_asked_answers_nothing(world, portal, ada):
    grace = Handset(world, "grace")
    grace.enrol()
    waiting, scanned = push(portal, ada), ada.scan(portal.start()["otp"])["id"]
    fresh = portal.start()["transaction_id"]
    for verdict in (grace.approve, grace.decline):
        for transaction in (waiting, scanned, fresh, NO_SUCH_TRANSACTION):
            assert error(lambda: verdict(transaction, fault="unasked", platform="onegini")) == NOT_FOUND
    with pytest.raises(Refused) as refused:
        ada.approve(scanned, fault="unasked", platform="onegini")
    assert refused.value.status == 400 and "was asked about" in refused.value.detail
    assert {ada.approve(waiting)["kind"], ada.approve(scanned)["kind"]} == {"approved"}
    assert grace.approve(push(portal, grace, user_id="grace"))["kind"] == "approved"


def test_a_fault_that_the_protocol_does_not_have(portal, ada):
    scanned = ada.scan(portal.start()["otp"])["id"]
    with pytest.raises(Refused) as refused:
        ada.approve(scanned, fault="rooted")
    assert refused.value.status == 400
    assert "it knows “twice”, “changed-counter”, “stolen-key”, “old-protocol”, “other-data”, “unasked”" in refused.value.detail
    assert ada.approve(scanned)["kind"] == "approved"


def test_by_the_command_line(server, world, portal):
    def phone(*arguments):
        return run("phone", *arguments, "--world", world.name, url=server.url)

    assert phone("create", "eva", "--user", "grace").stdout == "eva\n"
    assert "the app is registered" in phone("enrol", "eva", "--platform", "onegini", "--pin", "86013").stdout.lower()
    assert "log_out" in phone("show", "eva").stdout
    scanned = phone("scan", "eva", portal.start()["otp"])
    assert "is waiting for an answer" in scanned.stdout
    refused = phone("approve", "eva", "--with", "wrong-pin")
    assert refused.returncode == 1 and INVALID_PIN in refused.stderr
    assert "was approved" in phone("approve", "eva").stdout
    assert phone("sign", "eva", "--platform", "onegini").stdout.startswith("Authorization: Bearer ")
    assert "logged out" in phone("do", "eva", "log_out", "--platform", "onegini").stdout
    unknown = phone("do", "eva", "dance", "--platform", "onegini")
    assert unknown.returncode == 1 and "log_in, log_out" in unknown.stderr
    assert "powerauth, onegini, nextauth" in phone("enrol", "eva", "--platform", "hanko").stderr


def test_the_page_of_a_phone(browse, world, portal):
    page = browse(world.url + "/phones/ada")
    page.get_by_role("button", name="Enrol ada at Onegini Token Server").click()
    page.locator(".icon", has_text="Onegini").wait_for()
    ada = Handset(world, "ada")
    transaction = push(portal, ada, "push_with_pin")
    card = page.locator(f".request[data-id='{transaction}']")
    card.locator("input[name='input.pin']").fill("11111")
    card.get_by_role("button", name="Approve with PIN").click()
    page.locator(".refusal", has_text=INVALID_PIN).wait_for()
    card.get_by_role("button", name="Approve with PIN").click()
    card.wait_for(state="detached")
    assert portal.result(transaction)["is_authenticated"] is True
    # What else the app can do.
    page.get_by_role("link", name="Onegini Token Server").click()
    page.locator("summary", has_text="Actions").click()
    page.get_by_role("button", name="Log out").click()
    page.locator(".icon", has_text="logged out").wait_for()
    assert ada.fact("State") == "logged out"
