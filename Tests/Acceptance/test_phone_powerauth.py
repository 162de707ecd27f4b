"""Simulated phones with PowerAuth's app: by the control API, from the command line, and beside the independent device in Python."""

import json
import re
import threading

import pytest

from accessibility import CONTRAST, SMALL, UNNAMED
from phones import Phone, Refused, new_phone
from powerauth_backend import APPLICATION, INTEGRATION, Backend
from understudy import run, until


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
    ({"apps": [{"phone": "a", "platform": "powerauth", "revision": 1, "state": {}}]}, "phones.apps[0].phone"),
    ({"devices": [{"name": "a"}], "apps": [{"phone": "a", "platform": "hanko", "revision": 1, "state": {}}]}, "phones.apps[0].platform"),
    ({"devices": [{"name": "a"}], "apps": [{"phone": "a", "platform": "powerauth", "revision": 1, "state": {"pin": "1"}}]},
     "phones.apps[0].state")])
def test_bad_fixtures_are_told_at_their_place(world, section, field):
    answer = world.control("PUT", "/fixtures", json={"phones": section})
    assert answer.status_code == 422 and [error["field"] for error in answer.json()["errors"]] == [field], answer.text


@pytest.mark.parametrize("members, sentence", [
    ({"name": "Ada!"}, "1 to 40 of the characters"), ({"name": "x", "model": "nokia"}, '"ios" or "android"'),
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
        grace.enrol(protocol="4.0")
    assert refused.value.status == 400 and "3.0, 3.1, 3.2 or 3.3" in refused.value.detail


@pytest.mark.parametrize("policy, end", [
    ("approve", "APPROVED"), ("decline", "REJECTED"), ("approve after 1 s", "APPROVED"), ("wrong PIN twice, then right", "APPROVED")])
def test_policies(world, office, ada, policy, end):
    ada.enrol()
    ada.change(policy=policy)
    operation = start(office)
    until(lambda: state(office, operation) == end, f"the operation to be {end}")
    assert office.ask("GET", f"/v2/operations/{operation}")["failureCount"] == (2 if policy.startswith("wrong") else 0)


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
    assert json.loads(phone("show", "eva", "--json").stdout)["policy"] == "approve after 3 s"
    assert phone("network", "eva", "offline").returncode == 0
    assert phone("delete", "eva").returncode == 0
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

    page.set_viewport_size({"width": 360, "height": 780})
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_owe_their_readers_what_every_page_does(browse, world, office, ada, scheme):
    ada.enrol()
    start(office, template="payment", parameters={"amount": "10", "currency": "EUR", "account": "CZ65" * 12})
    with pytest.raises(Refused):
        ada.approve(wait=10, **{"with": "wrong-pin"})
    ada.change(network="slow")
    for place in ("/phones", "/phones/ada", "/phones/grace"):
        page = browse(world.url + place, color_scheme=scheme)
        for fold in page.locator("summary").all():
            fold.click()
        for check in (CONTRAST, UNNAMED, SMALL.replace("document.", "document.querySelector('main').", 1)):
            assert page.evaluate(check) == [], place
        for width in (320, 360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.locator("html").evaluate("root => root.scrollWidth - root.clientWidth") == 0, (place, width)


def test_a_code_on_a_page_is_scanned_by_a_phone(browse, world, office):
    registration = office.register("grace", APPLICATION)["registrationId"]
    page = browse(world.url + f"/devices/powerauth/{registration}")
    page.get_by_role("button", name="Scan with the phone grace").click()
    page.locator(".told", has_text="The app is activated").wait_for()
    assert office.state(registration) == "PENDING_COMMIT"

    office.tell("POST", f"/v2/registrations/{registration}/commit", {"externalUserId": "clerk"})
    operation = start(office, "grace")
    page = browse(world.url + "/transactions")
    page.locator(f"[data-id='{operation}']").get_by_role("button", name="Scan with the phone grace").click()
    page.locator(".request", has_text="Login approval").first.wait_for()


def test_the_page_without_scripts(browse, world):
    page = browse(world.url + "/phones", java_script_enabled=False)
    page.get_by_label("Name: a-z, 0-9 and -").fill("eva")
    page.get_by_label("Owner, a user's id (optional)").fill("eva")
    page.get_by_role("button", name="Create phone").click()
    page.get_by_role("button", name="Enrol eva with a new code").click()
    assert "ACTIVE" in page.locator(".icon").inner_text()
    page.get_by_role("button", name="Delete the phone").click()
    assert page.url.endswith("/phones") and page.get_by_role("link", name="eva").count() == 0
