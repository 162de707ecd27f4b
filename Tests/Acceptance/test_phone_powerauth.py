"""Simulated phones with PowerAuth's app: by the control API, from the command line, and beside the independent device in Python."""

import base64
import json
import re
import threading

import pytest

from accessibility import CONTRAST, SMALL, UNNAMED, found, overflow
from oauth_browser import Browser
from phones import Phone, Refused, new_phone
from powerauth_backend import APPLICATION, INTEGRATION, Backend
from understudy import run, until

expect = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing").expect


@pytest.fixture
def office(world):
    return Backend(world.url + "/powerauth-cloud", INTEGRATION)


@pytest.fixture
def ada(world):
    return Phone(world, "ada")


def start(office, user="ada", template="login", **more):
    return office.ask("POST", "/v2/operations", {"template": template, "userId": user} | more)["operationId"]


def state(office, operation):
    return office.ask("GET", f"/v2/operations/{operation}")["status"]


def test_the_built_in_cast(world, ada, office):
    shown = {phone["name"]: phone for phone in world.get("/phones")["phones"]}
    assert list(shown) == ["ada", "grace"]
    assert shown["ada"]["apps"] == shown["grace"]["apps"] == []
    # Ada's enrols when it is needed first; Grace's does not.
    assert ada.pending() == []
    assert office.state(ada.registration) == "ACTIVE"
    with pytest.raises(Refused) as refused:
        Phone(world, "grace").sign("/login")
    assert refused.value.status == 422 and "is not enrolled" in refused.value.detail


@pytest.mark.parametrize("version", ["3.0", "3.1", "3.2", "3.3"])
@pytest.mark.parametrize("model", ["ios", "android"])
def test_from_the_code_to_the_approved_operation(world, office, model, version):
    phone = new_phone(world, "eva", owner="eva", model=model)
    registration = office.register("eva", APPLICATION)
    scanned = phone.scan(registration["activationQrCodeData"], pin="97531", protocol=version)
    assert (scanned["kind"], scanned["id"]) == ("activation", registration["registrationId"])
    told = office.registration(scanned["id"])
    assert (told["registrationStatus"], told["activationFingerprint"]) == ("PENDING_COMMIT", scanned["code"])
    office.tell("POST", f"/v2/registrations/{scanned['id']}/commit", {"externalUserId": "clerk"})

    operation = start(office, "eva", "payment", parameters={"amount": "10", "currency": "EUR", "account": "CZ65"})
    [request] = phone.pending(wait=10)
    assert request["id"] == operation and request["ways"] == ["pin", "biometry"]
    assert {"name": "To account", "value": "CZ65"} in request["details"]
    assert phone.approve(operation, pin="97531")["kind"] == "approved"
    assert state(office, operation) == "APPROVED" and phone.pending() == []


def test_an_app_that_waits_to_be_let_in_notices_it_by_itself(world, office):
    phone = new_phone(world, "eva", owner="eva", policy="approve")
    registration = office.register("eva", APPLICATION)
    phone.scan(registration["activationQrCodeData"])
    office.tell("POST", f"/v2/registrations/{registration['registrationId']}/commit", {"externalUserId": "clerk"})
    until(lambda: phone.fact("State") == "ACTIVE", "the app to ask for its state")
    operation = start(office, "eva")
    until(lambda: state(office, operation) == "APPROVED", "the push to be answered")


def test_refusals_as_an_sdk_reports_them(world, office, ada):
    ada.enrol()
    operation = start(office)
    with pytest.raises(Refused) as refused:
        ada.approve(operation, **{"with": "wrong-pin"})
    assert refused.value.error == "WPNKnownRestApiError.authenticationFailure"
    assert "401 POWERAUTH_AUTH_FAIL" in refused.value.detail and "the PIN is wrong" in refused.value.detail
    assert ada.fact("Failed attempts") == "1"

    # Shown on the phone, and canceled meanwhile by the bank.
    assert [request["id"] for request in ada.pending()] == [operation]
    ada.change(policy="ignore")
    assert world.control("POST", f"/transactions/{operation}/cancel").status_code == 200
    with pytest.raises(Refused) as refused:
        ada.approve(operation)
    assert refused.value.error == "WPNKnownRestApiError.operationAlreadyCancelled"

    ada.change(network="offline")
    with pytest.raises(Refused) as refused:
        ada.tell("/pending", method="GET")
    assert refused.value.error == "PowerAuthErrorCode.networkError"
    ada.change(network="online")

    # A clock that is wrong is set by the server's, as in the SDK.
    ada.change(clockSkew=7200)
    fresh = start(office)
    assert ada.approve(fresh)["kind"] == "approved"


@pytest.mark.parametrize("section, field", [
    ({"devices": [{"name": "Ada!"}]}, "phones.devices[0].name"), ({"devices": [{"name": "a"}, {"name": "a"}]}, "phones.devices[1].name"),
    ({"devices": [{"name": "a", "policy": "maybe"}]}, "phones.devices[0].policy"),
    ({"devices": [{"name": "a", "policies": {"nokia": "approve"}}]}, "phones.devices[0].policies.nokia"),
    ({"devices": [{"name": "a", "policies": {"powerauth/login": "approve"}}]}, "phones.devices[0].policies.powerauth/login"),
    ({"plans": [{"phone": "a", "request": "x", "due_at": "2026-01-02T03:04:05Z", "answer": {"verdict": "approve"}, "is_by_policy": False}]},
     "phones.plans[0].phone"),
    ({"apps": [{"phone": "a", "platform": "powerauth", "revision": 1, "state": {}}]}, "phones.apps[0].phone"),
    ({"devices": [{"name": "a"}], "apps": [{"phone": "a", "platform": "hanko", "revision": 1, "state": {}}]}, "phones.apps[0].platform"),
    ({"devices": [{"name": "a"}], "apps": [{"phone": "a", "platform": "powerauth", "revision": 1, "state": {"pin": "1"}}]},
     "phones.apps[0].state")])
def test_bad_fixtures_are_told_at_their_place(world, section, field):
    answer = world.control("PUT", "/fixtures", json={"phones": section})
    assert answer.status_code == 422 and [error["field"] for error in answer.json()["errors"]] == [field], answer.text


@pytest.mark.parametrize("members, sentence", [
    ({"name": "Ada!"}, "1 to 40 of the characters"), ({"name": "x", "model": "nokia"}, '“ios” or “android”'),
    ({"name": "x", "policy": "maybe"}, "approve after 3 s"), ({"name": "x", "clockSkew": 1e6}, "whole seconds"),
    ({"name": "x", "owner": ""}, "1 to 255"), ({}, "the name of the phone")])
def test_bad_orders_of_phones_change_nothing(world, members, sentence):
    before = world.get("/phones")
    answer = world.control("POST", "/phones", json=members)
    assert answer.status_code == 400 and sentence in answer.json()["detail"], answer.text
    assert world.get("/phones") == before


def test_what_is_no_code_is_refused(world):
    grace = Phone(world, "grace")
    for text, status in (("hello", 422), ("data:image/png;base64,AAAA", 400), ("VVVVV-VVVVV-VVVVV-VTFVA", 422)):
        with pytest.raises(Refused) as refused:
            grace.scan(text)
        assert refused.value.status == status, text
    with pytest.raises(Refused) as refused:
        Phone(world, "nobody").scan("hello")
    assert refused.value.status == 404
    with pytest.raises(Refused) as refused:
        grace.enrol(protocol="5.0")
    assert refused.value.status == 400 and "3.0, 3.1, 3.2, 3.3 or 4.0" in refused.value.detail


@pytest.mark.parametrize("policy, end", [
    ("approve", "APPROVED"), ("decline", "REJECTED"), ("approve after 1 s", "APPROVED"), ("wrong PIN twice, then right", "APPROVED")])
def test_policies(world, office, ada, policy, end):
    ada.enrol()
    ada.change(policy=policy)
    operation = start(office)
    until(lambda: state(office, operation) == end, f"the operation to be {end}")
    assert office.ask("GET", f"/v2/operations/{operation}")["failureCount"] == (2 if policy.startswith("wrong") else 0)


@pytest.mark.parametrize("fault, error", [
    ("changed-counter", "WPNKnownRestApiError.authenticationFailure"), ("stolen-key", "WPNKnownRestApiError.operationFailed"),
    ("old-protocol", "WPNKnownRestApiError.authenticationFailure")])
def test_answers_with_a_fault_are_refused(office, ada, fault, error):
    ada.enrol()
    operation = start(office)
    with pytest.raises(Refused) as refused:
        ada.approve(operation, fault=fault)
    assert refused.value.error == error and state(office, operation) == "PENDING"
    assert ada.approve(operation)["kind"] == "approved" and state(office, operation) == "APPROVED"


def test_answers_with_a_fault_that_the_platform_takes(office, ada):
    ada.enrol()
    assert "It was sent two times at once: 200; 4" in ada.approve(start(office), fault="twice")["detail"]
    operation = start(office)
    assert "that the phone is rooted" in ada.approve(operation, fault="rooted")["detail"]
    assert office.ask("GET", f"/v2/operations/{operation}")["additionalData"]["mobileTokenData"] == {"rooted": True}


def test_a_late_answer_waits_for_the_clock_of_the_world(world, office, ada):
    ada.enrol()
    world.control("PUT", "/clock", json={"frozen": True})
    first, second = start(office, template="payment", parameters={"amount": "1", "currency": "EUR", "account": "A"}), start(office)
    assert ada.approve(first, after=200)["kind"] == "scheduled"
    assert ada.decline(second, after=100000 // 2)["kind"] == "scheduled"
    exported = world.get("/fixtures")["phones"]["plans"]
    assert [plan["request"] for plan in exported] == [first, second]
    world.control("POST", "/clock/advance", json={"seconds": 199})
    assert state(office, first) == "PENDING"
    world.control("POST", "/clock/advance", json={"seconds": 1})
    until(lambda: state(office, first) == "APPROVED", "the late approval")
    assert [request["id"] for request in ada.pending()] == [second]
    world.control("POST", "/clock/advance", json={"seconds": 50000})
    until(lambda: any("WPNKnownRestApiError.operationExpired" in entry.get("explanation", "") for entry in
                      world.get("/journal", q="phone failed")["entries"]), "the refusal of what came too late")
    assert "plans" not in world.get("/fixtures")["phones"]


def test_the_most_specific_policy_holds(world, office, ada):
    ada.enrol()
    ada.change(policy="decline", policies={"powerauth": "ignore", "powerauth/operation": "approve"})
    assert ada.shown()["policies"] == {"powerauth": "ignore", "powerauth/operation": "approve"}
    operation = start(office)
    until(lambda: state(office, operation) == "APPROVED", "the approval")
    ada.change(policies={"powerauth": None, "powerauth/operation": None})
    assert ada.shown()["policies"] == {}
    operation = start(office)
    until(lambda: state(office, operation) == "REJECTED", "the decline")

    # What a phone is told follows what it does: by then it has written down the decline.
    ada.pending()
    before = ada.shown()
    for policies, sentence in (({"nokia": "approve"}, "no app"), ({"powerauth/login": "approve"}, "operation, offline"),
                               ({"powerauth": "maybe"}, "approve after 3 s"), ([], "an object of policies")):
        with pytest.raises(Refused) as refused:
            ada.change(policies=policies)
        assert refused.value.status == 400 and sentence in refused.value.detail
    assert ada.shown() == before


def test_a_test_waits_for_the_operation_that_another_part_of_it_starts(world, office, ada):
    ada.enrol()
    starter = threading.Timer(0.5, start, [office])
    starter.start()
    assert ada.approve(wait=20)["kind"] == "approved"
    starter.join()
    with pytest.raises(Refused) as refused:
        ada.approve(wait=0.3)
    assert refused.value.status == 404


def test_a_qr_code_without_a_network(world, office, ada):
    ada.enrol()
    operation = start(office)
    code = office.ask("GET", f"/v2/operations/{operation}/offline/qr", registrationId=ada.registration)
    ada.change(network="offline")
    assert ada.scan(code["operationQrCodeData"]) | {"detail": ""} == {"kind": "offline", "id": operation, "detail": ""}
    shown = ada.approve(operation)["code"]
    assert re.fullmatch(r"\d{8}-\d{8}", shown)
    checked = office.ask("POST", f"/v2/operations/{operation}/offline/otp",
                         {"otp": shown, "nonce": code["nonce"], "registrationId": ada.registration})
    assert checked["otpValid"] and state(office, operation) == "APPROVED"


def test_a_code_on_a_screen_shows_that_the_phone_is_near(world, office, ada):
    ada.enrol()
    created = office.ask("POST", "/v2/operations", {"template": "login_preApproval", "proximityCheckEnabled": True})
    operation, otp = created["operationId"], created["proximityOtp"]
    scanned = ada.scan(f"bank://operation?oid={operation}&totp={otp}")
    assert (scanned["kind"], scanned["id"]) == ("operation", operation)
    assert ada.approve(operation)["kind"] == "approved"
    assert office.ask("GET", f"/v2/operations/{operation}")["userId"] == "ada"


@pytest.mark.parametrize("provider", ["understudy", "understudy-pkce"])
def test_a_login_activates_the_app(world, office, provider):
    """What an app does: it opens the provider's page in a browser, and comes back by a link."""
    phone = new_phone(world, "eva", owner="ada")
    begun = phone.enrol(provider=provider)
    assert begun["kind"] == "login" and begun["code"].startswith(world.url + "/oauth/v1/authorize?")
    landed = Browser().authorize(begun["code"])
    with pytest.raises(Refused) as refused:
        Phone(world, "grace").scan(landed.url)
    assert "has not begun this login" in refused.value.detail
    assert phone.scan(landed.url)["kind"] == "activation"
    assert office.registration(phone.registration)["userId"] == "ada" and phone.fact("State") == "ACTIVE"
    assert phone.approve(start(office), wait=10)["kind"] == "approved"
    with pytest.raises(Refused) as refused:
        phone.enrol(provider=provider)
    assert refused.value.error == "PowerAuthErrorCode.invalidActivationState"


def test_a_login_elsewhere_or_refused_activates_nothing(world):
    phone = new_phone(world, "eva", owner="ada")
    with pytest.raises(Refused):
        phone.enrol(provider="nobody")
    phone.enrol(provider="understudy-fake")
    with pytest.raises(Refused) as refused:
        phone.scan("bank://login?code=any&state=powerauth.other")
    assert "has not begun this login" in refused.value.detail
    assert not any(app["isEnrolled"] for app in phone.shown()["apps"])


def test_a_lost_phone_is_replaced_by_its_recovery_code(world, office):
    fixtures = world.get("/fixtures")
    [settings] = [one for one in fixtures["powerauth"]["applications"] if one["id"] == APPLICATION]
    settings["offers_recovery"] = True
    assert world.control("PUT", "/fixtures", json=fixtures).ok
    lost, found = new_phone(world, "lost", owner="eva"), new_phone(world, "found")
    lost.enrol()
    code, puk = lost.fact("Recovery code, PUK").split(", ")
    assert "is confirmed" in lost.do("confirm_recovery", "powerauth")["detail"]
    with pytest.raises(Refused) as refused:
        found.scan("R:" + code)
    assert refused.value.status == 400 and "PUK" in refused.value.detail
    with pytest.raises(Refused) as refused:
        found.scan("R:" + code, puk=f"{(int(puk) + 1) % 10**10:010d}")
    assert refused.value.status == 422 and "PUK" in refused.value.detail
    found.scan("R:" + code, puk=puk)
    assert office.registration(found.registration)["userId"] == "eva" and found.fact("State") == "ACTIVE"
    assert office.state(lost.registration) == "REMOVED"
    assert found.approve(start(office, "eva"), wait=10)["kind"] == "approved"


def test_the_vault(office, ada):
    ada.enrol(biometry=False)
    key = ada.do("unlock_vault", "powerauth")["code"]
    assert re.fullmatch(r"[0-9a-f]{32}", key) and ada.do("unlock_vault", "powerauth", pin="2580")["code"] == key
    with pytest.raises(Refused) as refused:
        ada.do("unlock_vault", "powerauth", pin="0000")
    assert refused.value.status == 422 and ada.fact("Failed attempts") == "1"
    operation = start(office)
    with pytest.raises(Refused) as refused:
        ada.approve(operation, **{"with": "biometry"})
    assert refused.value.error == "PowerAuthErrorCode.biometryNotAvailable"
    ada.do("add_biometry", "powerauth")
    assert ada.approve(operation, **{"with": "biometry"})["kind"] == "approved"
    registration = ada.registration
    ada.do("remove", "powerauth")
    assert office.state(registration) == "REMOVED" and not any(app["isEnrolled"] for app in ada.shown()["apps"])


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_a_picture_of_a_code(server, world, office, kind, tmp_path):
    registration = office.register("grace", APPLICATION)["registrationId"]
    answer = world.control("GET", f"/records/powerauth/{registration}/qr", params={"format": kind})
    assert answer.status_code == 200, answer.text
    phone = Phone(world, "grace")
    with pytest.raises(Refused) as refused:
        phone.scan("data:image/png;base64," + base64.b64encode(answer.content[:60]).decode())
    assert refused.value.status == 400
    file = tmp_path / ("code." + kind)
    file.write_bytes(answer.content)
    told = run("phone", "scan", "grace", "--picture", str(file), "--world", world.name, url=server.url)
    assert "the app is activated" in told.stdout.lower(), told.stderr
    assert office.state(registration) == "PENDING_COMMIT"


def test_the_inbox(world, office, ada):
    ada.enrol()
    office.ask("POST", "/v2/inbox/messages", {"userId": "ada", "applications": [APPLICATION], "subject": "Welcome, Ada", "summary": "Hello from the bank",
                                              "body": "Hello Ada, welcome to the bank.", "type": "text", "silent": True})
    [message] = world.get("/phones/ada/messages")["messages"]
    assert (message["subject"], message["isRead"]) == ("Welcome, Ada", False)
    assert ada.tell(f"/messages/{message['id']}/open")["body"] == "Hello Ada, welcome to the bank."
    [message] = world.get("/phones/ada/messages")["messages"]
    assert message["isRead"]


def test_phone_and_python_device_side_by_side(office, ada, make_phone):
    """Both of one user, each with its own keys and counters: an operation is approved by whichever comes first."""
    other = make_phone("ada")
    ada.enrol()
    for _ in range(3):
        assert office.ask("POST", "/v2/authentication/verify", verification(ada.sign("/login", "{}")))["signatureValid"]
        header = other.authorization("POST", "/login", b"{}", "possession_knowledge", "13524")
        assert office.ask("POST", "/v2/authentication/verify", verification(dict(header)))["signatureValid"]
    # One's header is not another's: the same again is refused.
    header = ada.sign("/login", "{}")
    assert office.ask("POST", "/v2/authentication/verify", verification(header))["signatureValid"]
    assert not office.ask("POST", "/v2/authentication/verify", verification(header))["signatureValid"]


def test_a_request_is_signed_with_the_pin_that_is_typed(office, ada):
    ada.enrol(pin="7319")
    for pin, is_valid in (("7319", True), ("1111", False), (None, True)):
        headers = ada.sign("/login", "{}", **({"pin": pin} if pin else {}))
        assert office.ask("POST", "/v2/authentication/verify", verification(headers))["signatureValid"] is is_valid, pin


def verification(headers):
    return {"method": "POST", "uriId": "/login", "requestBody": "e30=", "authHeader": headers["X-PowerAuth-Authorization"]}


def test_phones_go_with_snapshots_and_exports(world, office, ada, make_world):
    ada.enrol()
    world.control("POST", "/snapshots", json={"name": "enrolled"})
    exported = world.get("/fixtures")
    assert [app["phone"] for app in exported["phones"]["apps"]] == ["ada"]

    first = start(office)
    ada.approve(first)
    assert world.control("POST", "/snapshots/enrolled/restore").status_code == 204
    # Counter and keys are those of the snapshot, on both sides.
    assert ada.approve(start(office))["kind"] == "approved"

    copy = make_world(fixtures=exported)
    assert copy.get("/fixtures")["phones"] == exported["phones"]
    assert Phone(copy, "ada").approve(start(Backend(copy.url + "/powerauth-cloud", INTEGRATION)))["kind"] == "approved"


def test_a_phone_in_one_world_is_no_phone_in_another(world, make_world, office, ada):
    other = make_world()
    ada.enrol()
    ada.change(policy="approve")
    operation = start(Backend(other.url + "/powerauth-cloud", INTEGRATION))
    assert other.get("/phones/ada")["apps"] == [] and other.get("/phones/ada")["policy"] == "manual"
    assert state(Backend(other.url + "/powerauth-cloud", INTEGRATION), operation) == "PENDING"


def test_many_orders_at_once_are_done_one_after_the_other(office, ada):
    ada.enrol()
    operations = [start(office) for _ in range(8)]
    failures = []

    def approve(operation):
        try:
            ada.approve(operation)
        except Refused as refused:
            failures.append(refused.detail)

    threads = [threading.Thread(target=approve, args=[operation]) for operation in operations]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and {state(office, operation) for operation in operations} == {"APPROVED"}


def test_by_the_command_line(server, office, world):
    def phone(*arguments):
        return run("phone", *arguments, "--world", world.name, url=server.url)

    assert phone("create", "eva", "--user", "eva", "--model", "android").stdout == "eva\n"
    assert "the app is activated" in phone("enrol", "eva").stdout.lower()
    operation = start(office, "eva")
    assert operation in phone("pending", "eva").stdout
    refused = phone("approve", "eva", "--with", "wrong-pin")
    assert refused.returncode == 1 and "ApiErrorCode.POWERAUTH_AUTH_FAIL" in refused.stderr
    assert "was approved" in phone("approve", "eva", operation).stdout
    signed = phone("sign", "eva", "/login", "--body", "{}").stdout
    assert re.fullmatch(r"X-PowerAuth-Authorization: PowerAuth .*\n", signed)
    assert "X-PowerAuth-Token: " in phone("sign", "eva", "--token", "shop").stdout
    assert phone("policy", "eva", "approve after 3 s").returncode == 0
    assert "approve after 3 s" in phone("list").stdout
    told = phone("policy", "eva", "ignore", "--platform", "powerauth", "--kind", "offline").stdout
    assert told == 'eva is online, its policy is “approve after 3 s”, for powerauth/offline “ignore”\n'
    assert phone("policy", "eva", "default", "--platform", "powerauth", "--kind", "offline").stdout == 'eva is online, its policy is “approve after 3 s”\n'
    assert phone("policy", "eva", "manual", "--kind", "offline").returncode == 1
    assert phone("policy", "eva", "manual").returncode == 0
    start(office, "eva")
    assert "two times at once: 200" in phone("approve", "eva", "--fault", "twice").stdout
    start(office, "eva")
    assert "will be answered at" in phone("decline", "eva", "--after", "5m").stdout
    assert phone("policy", "eva", "approve after 3 s").returncode == 0
    assert json.loads(phone("show", "eva", "--json").stdout)["policy"] == "approve after 3 s"
    assert phone("network", "eva", "offline").returncode == 0
    assert phone("delete", "eva").stdout == "deleted eva\n"
    assert phone("show", "eva").returncode == 1


def test_the_page_of_a_phone(browse, world, office, ada):
    ada.enrol()
    operation = start(office)
    page = browse(world.url + "/phones/ada")
    card = page.locator(f".request[data-id='{operation}']")
    card.wait_for()
    # By keyboard alone: a wrong PIN, which is told, and then the right one.
    card.locator("input[name='input.pin']").focus()
    page.keyboard.type("000")
    page.keyboard.press("Enter")
    page.locator(".refusal", has_text="WPNKnownRestApiError.authenticationFailure").wait_for()
    page.locator(".light[data-state=live]").wait_for()
    # The digits come with the field.
    card.locator("input[name='input.pin']").focus()
    for digit in "2580":
        card.get_by_role("button", name=digit, exact=True).click()
    card.get_by_role("button", name="Approve with PIN").click()
    card.wait_for(state="detached")
    assert state(office, operation) == "APPROVED"

    # What comes meanwhile appears by itself.
    page.locator(".light[data-state=live]").wait_for()
    later = start(office)
    page.locator(f".request[data-id='{later}']").get_by_role("button", name="Decline").click()
    until(lambda: state(office, later) == "REJECTED", "the operation to be declined")

    # What a test wants to see refused, by keyboard too.
    hostile = start(office)
    card = page.locator(f".request[data-id='{hostile}']")
    card.locator("summary").focus()
    page.keyboard.press("Enter")
    card.get_by_label("Fault").select_option("changed-counter")
    card.get_by_role("button", name="Approve with PIN").click()
    page.locator(".refusal", has_text="counter values ahead").wait_for()
    page.get_by_role("link", name="Settings").click()
    page.locator("summary", has_text="Policies for single apps").click()
    page.get_by_label("Wultra PowerAuth: operation").select_option("approve")
    page.get_by_role("button", name="Save").click()
    until(lambda: state(office, hostile) == "APPROVED", "the policy to hold")
    assert ada.shown()["policies"] == {"powerauth/operation": "approve"}

    page.set_viewport_size({"width": 360, "height": 780})
    assert overflow(page) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_owe_their_readers_what_every_page_does(browse, world, office, ada, scheme):
    ada.enrol()
    start(office, template="payment", parameters={"amount": "10", "currency": "EUR", "account": "CZ65" * 12})
    with pytest.raises(Refused):
        ada.approve(wait=10, **{"with": "wrong-pin"})
    ada.change(network="slow")
    app = "/phones/ada/apps/powerauth"
    for place in ("/phones", "/phones/ada", "/phones/grace", "/phones/ada/scan", "/phones/ada/settings", app, app + "?do=change_pin"):
        page = browse(world.url + place, color_scheme=scheme)
        for fold in page.locator("summary").all():
            fold.click()
        for pin in page.locator(".request input[name='input.pin']").all():
            pin.focus()
        for check in (CONTRAST, UNNAMED, SMALL.replace("document.", "document.querySelector('main').", 1)):
            assert found(page, check) == [], place
        for width in (320, 360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert overflow(page) == 0, (place, width)


def test_a_code_on_a_page_is_scanned_by_a_phone(browse, world, office):
    registration = office.register("grace", APPLICATION)["registrationId"]
    page = browse(world.url + f"/devices/powerauth/{registration}")
    page.get_by_role("button", name="Scan with the phone grace").click()
    page.locator(".told", has_text="The app is activated").wait_for()
    assert office.state(registration) == "PENDING_COMMIT"

    office.tell("POST", f"/v2/registrations/{registration}/commit", {"externalUserId": "clerk"})
    operation = start(office, "grace")
    page = browse(world.url + "/transactions")
    page.locator(f"[data-id='{operation}'] .subject").click()
    page.frame_locator(".pane iframe").get_by_role("button", name="Scan with the phone grace").click()
    # Not in the pane, but in the window.
    page.wait_for_url("**/phones/grace")
    page.locator(".request", has_text="Login approval").first.wait_for()


def test_a_picture_on_the_page_of_a_phone(browse, world, office):
    """By the browser where it knows codes, and by the server where not."""
    registrations = [office.register("grace", APPLICATION) for _ in range(2)]
    pictures = [world.control("GET", f"/records/powerauth/{one['registrationId']}/qr", params={"format": "png"}).content for one in registrations]
    page = browse(world.url + "/phones/grace/scan")
    page.get_by_label("Or an image of the code").set_input_files({"name": "code.png", "mimeType": "image/png", "buffer": pictures[0]})
    page.locator(".told", has_text="The app is activated").wait_for()
    assert office.state(registrations[0]["registrationId"]) == "PENDING_COMMIT"

    other = new_phone(world, "eva")
    page = browse(world.url + "/phones/eva/scan")
    page.evaluate("""text => {
        window.BarcodeDetector = class {
            static async getSupportedFormats() { return ["qr_code"]; }
            async detect() { return [{ rawValue: text }]; }
        };
    }""", registrations[1]["activationQrCodeData"])
    page.get_by_label("Or an image of the code").set_input_files({"name": "code.png", "mimeType": "image/png", "buffer": pictures[1]})
    page.locator(".told", has_text="The app is activated").wait_for()
    assert other.registration == registrations[1]["registrationId"]


def test_a_code_on_another_page_is_picked_by_keyboard(browse, world, office):
    registration = office.register("grace", APPLICATION)["registrationId"]
    page = browse(world.url + "/phones/grace/scan")
    search = page.get_by_role("searchbox", name="Search", exact=True)
    search.fill("nobody has such a code")
    expect(page.get_by_role("button", name="Scan: ")).to_have_count(0)
    search.fill("registration")
    button = page.get_by_role("button", name="Scan: ").first
    assert "registration" in button.get_attribute("aria-label")
    button.focus()
    page.keyboard.press("Enter")
    page.locator(".told", has_text="The app is activated").wait_for()
    assert office.state(registration) == "PENDING_COMMIT"


def test_transactions_are_answered_by_the_phone_or_past_the_protocol(browse, world, office, ada):
    ada.enrol()
    first, second = start(office), start(office)
    until(lambda: len(ada.shown()["requests"]) == 2, "the pushes")
    registration = office.register("grace", APPLICATION)["registrationId"]
    page = browse(world.url + "/transactions")
    inside = page.frame_locator(".pane iframe")
    for operation, button, word in ((first, "Approve on the phone ada", "confirmed by ada"), (second, "Decline on the phone ada", "denied by ada")):
        page.locator(f"[data-id='{operation}'] .subject").click()
        inside.get_by_role("button", name=button).click()
        expect(inside.locator(".standing .outcome")).to_have_text(word)
        expect(page.locator(f"[data-id='{operation}'] .outcome")).to_have_text(word)
    assert [state(office, one) for one in (first, second)] == ["APPROVED", "REJECTED"]

    third = start(office)
    until(lambda: len(ada.shown()["requests"]) == 1, "the push")
    page = browse(world.url + f"/transactions/{third}")
    page.locator("summary", has_text="Decide without a phone").click()
    page.get_by_role("button", name="Reject").click()
    expect(page.locator(".standing .outcome")).to_have_text("denied by ada")

    page = browse(world.url + "/transactions")
    page.locator(f"#enrolments [data-id='powerauth/{registration}'] .subject").click()
    inside.get_by_role("button", name="Scan with the phone grace").click()
    page.locator(".told", has_text="The app is activated").wait_for()


def test_the_page_without_scripts(browse, world):
    page = browse(world.url + "/phones", java_script_enabled=False)
    page.get_by_label("Name: a-z, 0-9 and -").fill("eva")
    page.get_by_label("Owner's user id (optional)").fill("eva")
    page.get_by_role("button", name="Create phone").click()
    page.get_by_role("button", name="Enrol eva at Wultra PowerAuth").click()
    assert "active" in page.locator(".icon", has_text="Wultra PowerAuth").inner_text()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("button", name="Delete phone").click()
    assert "The phone eva, its apps and their keys will be lost." in page.locator("main").inner_text()
    page.get_by_role("button", name="Delete phone").click()
    assert page.url.endswith("/phones") and page.get_by_role("link", name="eva").count() == 0
