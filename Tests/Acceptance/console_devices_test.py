"""People and devices in a real browser: registrations that are started, looked at and changed on the console's pages."""

import base64
import re

import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from accessibility import CONTRAST, SMALL, UNNAMED, found, overflow
from camera import read

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")
expect = playwright.expect

#: The dialog of the keys is closed, so that nothing in it has a size.
SMALL_HERE = SMALL.replace("document.", "document.querySelector('main').", 1)
ACTIVE = "11111111-1111-4111-8111-111111111111"
WAITING = "22222222-2222-4222-8222-222222222222"


def keys():
    """What the fixtures tell of a device whose keys were exchanged."""
    server, device = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    point = device.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    return {
        "server_key": base64.b64encode(server.private_numbers().private_value.to_bytes(32, "big")).decode(),
        "device_public_key": base64.b64encode(point).decode(),
        "counter_data": base64.b64encode(bytes(range(16))).decode(),
    }


def fixtures():
    master = ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()
    return {"powerauth": {
        "applications": [{
            "id": "bank", "master_key": master.splitlines(),
            "versions": [{"name": "1.0", "app_key": "QUFBQUFBQUFBQUFBQUFBQQ==", "app_secret": "QkJCQkJCQkJCQkJCQkJCQg=="}]}],
        "operation_templates": [{
            "id": "payment", "type": "payment", "data": "A1*A${amount}*N${note}", "factors": ["possession_knowledge"]}],
        "activations": [
            {"id": ACTIVE, "application": "bank", "user": "ada", "name": "Ada's phone", "platform": "ios", "flags": ["VIP"],
             "device_info": "iPhone14,5", "counter": 7, "failed_attempts": 2, **keys()},
            {"id": WAITING, "application": "bank", "user": "grace", "name": "Grace's phone", "platform": "android",
             "state": "PENDING_COMMIT", "otp": "2468", "expires_at": "2126-01-01T00:00:00Z", **keys()}]}}


@pytest.fixture
def bank(make_world):
    """A world in which ada has an active device, and grace one that waits for its commit."""
    return make_world(fixtures=fixtures())


def show(bank, identifier):
    return bank.get(f"/records/powerauth/{identifier}")


def choose(page, title):
    """Opens the form that creates something."""
    page.locator(".menu summary").click()
    page.get_by_role("link", name=title).first.click()
    return page.get_by_role("form", name=title)


def unfold(page):
    for fold in page.locator(".person summary").all():
        fold.click()


def facts(page):
    return dict(zip(page.locator(".facts dt").all_inner_texts(), page.locator(".facts dd").all_inner_texts()))


# --- With scripts


def test_a_registration_is_started_and_its_code_is_scanned_off_the_page(bank, browse):
    page = browse(f"{bank.url}/devices")
    form = choose(page, "Start a registration")
    form.get_by_label("User").fill("linus")
    form.get_by_role("button").click()

    page.wait_for_url(re.compile("/devices/powerauth/"))
    expect(page.locator(".standing .outcome")).to_have_text("created")
    record = bank.get("/records", user="linus")["records"][0]
    assert page.url == f"{bank.url}/devices/powerauth/{record['id']}"
    assert re.fullmatch(r"([A-Z2-7]{5}-){3}[A-Z2-7]{5}#[A-Za-z0-9+/=]+", record["code"])
    assert facts(page)["Activation code"] == record["code"].split("#")[0]
    assert read(page.locator(".symbol svg").screenshot()).decode() == record["code"]


def test_a_device_is_blocked_and_unblocked_without_leaving_its_page(bank, browse):
    page = browse(f"{bank.url}/devices/powerauth/{ACTIVE}")
    page.evaluate("window.untouched = true")
    known = facts(page)
    assert known["User"] == "ada" and known["Counter"] == "7" and known["Failed attempts"] == "2 of 5"
    assert known["CTR_DATA"] == base64.b64encode(bytes(range(16))).decode() and known["Flags"] == "VIP"

    page.get_by_label("Reason").fill("LOST")
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.locator(".standing .outcome")).to_have_text("blocked")
    expect(page.locator(".facts")).to_contain_text("LOST")
    expect(page.locator(".steps")).to_contain_text("BLOCKED: LOST")
    assert show(bank, ACTIVE)["state"] == "BLOCKED"

    page.get_by_role("button", name="Unblock").click()
    expect(page.locator(".standing .outcome")).to_have_text("active")
    assert page.evaluate("window.untouched") is True
    assert "record changed" in [entry.get("event") for entry in bank.journal(kind="event")]


def test_a_wrong_otp_is_counted_and_told_and_the_right_one_commits(bank, browse):
    page = browse(f"{bank.url}/devices/powerauth/{WAITING}")
    page.get_by_label("Activation OTP").fill("1357")
    page.get_by_role("button", name="Commit").click()
    expect(page.locator("#lost")).to_contain_text("4 attempts are left")
    expect(page.locator(".facts")).to_contain_text(re.compile("Wrong activation OTPs\\s*1"))
    # What was typed is still there, though the page was drawn anew.
    expect(page.get_by_label("Activation OTP")).to_have_value("1357")

    page.get_by_label("Activation OTP").fill("2468")
    page.get_by_role("button", name="Commit").click()
    expect(page.locator(".standing .outcome")).to_have_text("active")
    expect(page.locator("#lost")).to_be_hidden()


def test_a_removal_is_asked_back(bank, browse):
    page = browse(f"{bank.url}/devices/powerauth/{ACTIVE}")
    asked = []

    def answer(dialog):
        asked.append(dialog.message)
        dialog.accept() if len(asked) > 1 else dialog.dismiss()

    page.on("dialog", answer)
    page.get_by_role("button", name="Remove").click()
    assert show(bank, ACTIVE)["state"] == "ACTIVE"
    page.get_by_role("button", name="Remove").click()
    expect(page.locator(".standing .outcome")).to_have_text("removed")
    assert asked == ["Remove: Ada's phone? This cannot be undone."] * 2
    assert page.locator("main form.inputs").count() == 0


def test_what_others_do_appears_and_typed_text_stays(bank, browse):
    page = browse(f"{bank.url}/devices/powerauth/{WAITING}")
    page.get_by_label("Activation OTP").fill("24")
    for count in (1, 2):
        bank.control("POST", f"/records/powerauth/{WAITING}/commit", json={"inputs": {"otp": "1"}})
        expect(page.locator(".facts")).to_contain_text(re.compile(f"Wrong activation OTPs\\s*{count}"))
    expect(page.get_by_label("Activation OTP")).to_have_value("24")
    assert page.evaluate("document.activeElement.name") == "input.otp"

    bank.control("POST", f"/records/powerauth/{WAITING}/commit", json={"inputs": {"otp": "2468"}})
    expect(page.locator(".standing .outcome")).to_have_text("active")
    expect(page.get_by_role("button", name="Block", exact=True)).to_be_visible()


def test_a_span_that_is_typed_stays_while_another_moves_the_clock(world, browse):
    page = browse(f"{world.url}/time")
    span = page.get_by_role("textbox", name="Move by")
    span.fill("1h30m")
    world.advance(60)
    expect(page.locator(".clock-state")).to_have_text("running, +1 min")
    expect(span).to_have_value("1h30m")


def test_what_was_refused_stays_when_the_page_is_drawn_anew(world, browse):
    page = browse(f"{world.url}/phones/ada/scan")
    field = page.get_by_label("Content of a QR code")
    field.fill("nonsense")
    page.get_by_role("button", name="Scan", exact=True).click()
    expect(page.locator(".refusal")).to_contain_text("nonsense")
    assert world.control("PATCH", "/phones/ada", json={"network": "slow"}).status_code < 300
    expect(page.locator("#pieces")).to_contain_text("slow")
    expect(field).to_have_value("nonsense")


# Runs in the page right after each redraw: what a key that is pressed then would meet.
WATCH_FOCUS = """() => {
    window.seen = [];
    const note = () => window.seen.push(`${document.activeElement.name} ${document.activeElement.selectionStart}`);
    new MutationObserver(note).observe(document.querySelector("#pieces"), { childList: true });
}"""


def test_a_redraw_leaves_focus_and_caret_where_they_are(bank, browse):
    page = browse(f"{bank.url}/devices/powerauth/{WAITING}")
    held = []
    page.route(lambda url: WAITING in url, lambda route, request: (
        held.append(route) if request.resource_type == "fetch" and not held else route.continue_()))
    page.reload()
    wait_until(lambda: held, page)
    field = page.get_by_label("Activation OTP")
    field.fill("24")
    field.press("ArrowLeft")
    page.evaluate(WATCH_FOCUS)
    bank.control("POST", f"/records/powerauth/{WAITING}/commit", json={"inputs": {"otp": "1"}})
    held[0].continue_()
    # Not wait_for_function, which the content security policy of the page forbids to evaluate its text.
    wait_until(lambda: page.evaluate("window.seen.length") > 0, page)
    assert set(page.evaluate("window.seen")) == {"input.otp 1"}
    expect(field).to_have_value("24")


def wait_until(is_true, page):
    for _ in range(500):
        if is_true():
            return
        page.wait_for_timeout(10)
    raise AssertionError("never came true")


def test_the_list_is_live_and_filtered(bank, browse):
    page = browse(f"{bank.url}/devices")
    rows = page.locator("#records .record")
    # Two registrations, and the application.
    expect(rows).to_have_count(3)
    bank.control("POST", f"/records/powerauth/{ACTIVE}/block", json={"inputs": {"reason": "LOST"}})
    expect(rows.filter(has_text="Ada's phone").locator(".outcome")).to_have_text("blocked")

    page.get_by_label("State").select_option("blocked")
    expect(rows).to_have_count(1)
    assert page.url.endswith("?state=blocked")
    page.keyboard.press("Escape")
    page.get_by_label("State").select_option("")
    page.locator("input[name=user]").fill("nobody")
    expect(page.locator("#records-nothing")).to_be_visible()


def test_keys_lead_to_the_devices_and_into_one(bank, browse):
    page = browse(f"{bank.url}/journal")
    page.keyboard.press("g")
    page.keyboard.press("d")
    page.wait_for_url("**/devices")
    page.locator("#records .person").first.wait_for()
    page.locator(".light[data-state=live]").wait_for()
    # A person, whose records open, and the first of these.
    for key in ("j", "Enter", "j", "Enter"):
        page.keyboard.press(key)
    page.wait_for_url("**/devices/powerauth/**")


def test_an_operation_is_created_and_approved(bank, browse):
    page = browse(f"{bank.url}/devices")
    form = choose(page, "Create an operation")
    form.get_by_label("User").fill("ada")
    form.get_by_label(re.compile("^Parameters")).fill("amount=100\nnote=two words")
    form.get_by_role("button").click()

    page.wait_for_url("**/transactions/*")
    expect(page.locator(".facts")).to_contain_text("A1*A100*Ntwo words")
    expect(page.locator(".facts")).to_contain_text("0 of 5")
    # Ada has a device, so the operation can be approved without a network.
    expect(page.locator(".symbol svg")).to_be_visible()
    page.get_by_role("button", name="Approve").click()
    expect(page.locator(".standing .outcome")).to_have_text("confirmed by ada")


# --- Without scripts


def test_everything_is_done_without_javascript(bank, browse):
    page = browse(f"{bank.url}/devices", java_script_enabled=False)
    form = choose(page, "Start a registration")
    form.get_by_label("User").fill("linus")
    form.get_by_role("button").click()
    assert page.locator(".symbol svg").is_visible()
    assert page.locator(".standing .outcome").inner_text() == "created"

    page.goto(f"{bank.url}/devices/powerauth/{WAITING}")
    page.get_by_label("Activation OTP").fill("1357")
    page.get_by_role("button", name="Commit").click()
    assert "4 attempts are left" in page.locator(".refusal").inner_text()
    page.get_by_label("Activation OTP").fill("2468")
    page.get_by_role("button", name="Commit").click()
    assert page.locator(".standing .outcome").inner_text() == "active"

    page.get_by_role("button", name="Remove").click()
    assert page.locator("h1").inner_text() == "Remove: are you sure?"
    page.get_by_role("link", name="Cancel").click()
    assert show(bank, WAITING)["state"] == "ACTIVE"
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove").click()
    assert show(bank, WAITING)["state"] == "REMOVED"
    assert page.url == f"{bank.url}/devices/powerauth/{WAITING}"


def test_a_form_that_is_refused_says_why(bank, browse):
    page = browse(f"{bank.url}/devices", java_script_enabled=False)
    form = choose(page, "Create an operation")
    form.get_by_label(re.compile("^Parameters")).fill("amount")
    form.get_by_role("button").click()
    assert "not of the form name=value" in page.locator(".refusal").inner_text()
    assert form.get_by_label(re.compile("^Parameters")).input_value() == "amount"


def test_another_site_changes_nothing(bank):
    evil = {"Origin": "https://evil.example"}
    for path, form in [(f"/devices/powerauth/{ACTIVE}", {"action": "remove", "sure": "yes"}),
                       ("/devices", {"platform": "powerauth", "kind": "registration", "input.user": "eve"})]:
        assert requests.post(bank.url + path, data=form, headers=evil, timeout=30).status_code == 403
    assert {record["user"] for record in bank.get("/records", kind="registration")["records"]} == {"ada", "grace"}
    assert show(bank, ACTIVE)["state"] == "ACTIVE"


# --- For every reader


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_owe_their_readers_what_every_page_does(bank, browse, scheme):
    made = bank.control("POST", "/records", json={
        "platform": "powerauth", "kind": "registration",
        "inputs": {"user": "a-user-with-a-very-long-name-" * 4, "application": "bank"}}).json()
    bank.control("POST", f"/records/powerauth/{ACTIVE}/block", json={"inputs": {"reason": "LOST"}})
    places = ["", "?create=powerauth/operation", f"/powerauth/{made['id']}", f"/powerauth/{ACTIVE}", f"/powerauth/{WAITING}"]
    for place in places:
        page = browse(f"{bank.url}/devices{place}", color_scheme=scheme)
        unfold(page)
        for check in (CONTRAST, UNNAMED, SMALL_HERE):
            assert found(page, check) == [], place
        for width in (320, 360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert overflow(page) == 0, (place, width)


def test_the_question_owes_its_readers_the_same(bank, browse):
    for scheme in ("light", "dark"):
        page = browse(f"{bank.url}/devices/powerauth/{ACTIVE}", color_scheme=scheme, java_script_enabled=False)
        page.set_viewport_size({"width": 320, "height": 740})
        page.get_by_role("button", name="Remove").click()
        for check in (CONTRAST, UNNAMED, SMALL_HERE):
            assert found(page, check) == []
        assert overflow(page) == 0
