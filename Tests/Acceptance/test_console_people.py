"""Phones, people and what waits, as the console shows them: how high a page is, how many clicks a task takes, and who belongs together."""

import pytest
import requests

from nextauth_server import Backend as Server
from nextauth_server import new_nonce
from phones import new_phone
from powerauth_backend import APPLICATION, INTEGRATION, Backend
from understudy import until

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")
expect = playwright.expect

APPS = ["powerauth", "onegini", "nextauth", "miracl"]
#: Fields for a PIN that somebody sees.
PINS = """() => [...document.querySelectorAll("input[name*=pin]")].filter((field) => field.checkVisibility()).length"""


@pytest.fixture
def office(world):
    return Backend(world.url + "/powerauth-cloud", INTEGRATION)


@pytest.fixture
def full(world):
    """Ada's phone with four apps."""
    phone = new_phone(world, "pocket", owner="ada", mail="ada@example.com")
    for platform in APPS:
        phone.enrol(platform=platform)
    return phone


def ask(world, user="ada"):
    inputs = {"user": user, "template": "payment", "parameters": "amount=10\ncurrency=EUR\naccount=CZ65"}
    return world.control("POST", "/records", json={"platform": "powerauth", "kind": "operation", "inputs": inputs}).json()["id"]


def waits(phone, count=1):
    until(lambda: len(phone.shown()["requests"]) == count, "the phone to be asked")


class Counted:
    """A page whose clicks are counted."""

    def __init__(self, page):
        self.page, self.clicks = page, 0

    def click(self, locator):
        locator.click()
        self.clicks += 1


# --- Phones


@pytest.mark.parametrize("scripted", [True, False])
def test_a_phone_with_four_apps_is_at_most_one_screen_and_a_fifth_high(world, full, browse, scripted):
    page = browse(world.url + "/phones/pocket", java_script_enabled=scripted)
    assert page.locator(".icons .icon").count() == 4
    height = "document.documentElement.scrollHeight"
    assert page.evaluate(height) <= 1.2 * 800
    assert page.locator("main form").count() <= 2
    # And with something to approve.
    ask(world)
    waits(full)
    page.reload()
    page.locator(".request").wait_for()
    assert page.evaluate(height) <= 1.2 * 800
    for screen in ("/scan", "/settings", *[f"/apps/{app}" for app in APPS]):
        page.goto(world.url + "/phones/pocket" + screen)
        assert page.evaluate(height) <= 1.2 * 800, screen


def test_no_screen_of_a_phone_has_two_fields_for_a_pin(world, full, browse):
    for _ in range(2):
        ask(world)
    waits(full, 2)
    page = browse(world.url + "/phones/pocket")
    assert page.evaluate(PINS) == 1 and page.locator(".request").count() == 1
    # The other one is a line, which takes its place.
    first = page.locator(".request").get_attribute("data-id")
    page.locator(".others-waiting a").click()
    page.locator(".request").wait_for()
    assert page.locator(".request").get_attribute("data-id") != first and page.evaluate(PINS) == 1
    screens = ["/scan", "/settings"] + [f"/apps/{app}" for app in APPS]
    screens += ["/apps/onegini?do=change_pin", "/apps/nextauth?do=change_pin", "/apps/powerauth?do=rename"]
    for screen in screens:
        page.goto(world.url + "/phones/pocket" + screen)
        for fold in page.locator("main details").all():
            fold.evaluate("fold => fold.open = true")
        assert page.evaluate(PINS) <= 1, screen


def test_of_many_that_wait_the_next_stand_on_the_phone(world, full, browse):
    for _ in range(12):
        ask(world)
    waits(full, 12)
    for scripted in (True, False):
        page = browse(world.url + "/phones/pocket", java_script_enabled=scripted)
        assert page.locator(".others-waiting li").count() == 4
        assert page.evaluate("document.documentElement.scrollHeight") <= 1.6 * 800
    page.get_by_role("link", name="8 more").click()
    assert page.locator("#transactions .record").count() == 12


def test_a_phone_finds_its_requests_however_busy_the_world_is(world, full, browse):
    with requests.Session() as session:
        for _ in range(400):
            session.get(world.url + "/hanko/me", timeout=30)
    newest = world.journal(kind="request", limit=200)
    assert len(newest) == 200 and all("/hanko/me" in entry["exchange"]["target"] for entry in newest)
    page = browse(world.url + "/phones/pocket")
    assert page.locator("[data-piece=requests] li").count() == 8
    page.goto(world.url + "/phones/pocket/apps/powerauth")
    lines = page.locator("[data-piece=requests] li a").all_inner_texts()
    assert lines and all("/enrollment-server/" in line for line in lines)


def test_what_waits_is_approved_in_three_clicks_from_home(world, office, full, browse):
    operation = ask(world)
    waits(full)
    task = Counted(browse(world.url + "/"))
    task.click(task.page.locator(".rail a", has_text="Phones"))
    task.click(task.page.get_by_role("link", name="pocket"))
    task.click(task.page.get_by_role("button", name="Approve with PIN"))
    until(lambda: office.operation(operation)["status"] == "APPROVED", "the approval")
    assert task.clicks == 3


def test_what_waits_is_approved_in_three_clicks_beside_the_list(world, office, full, browse):
    operation = ask(world)
    waits(full)
    task = Counted(browse(world.url + "/"))
    task.click(task.page.locator(".rail a", has_text="Waiting"))
    task.click(task.page.locator("#transactions .subject").first)
    task.click(task.page.frame_locator(".pane iframe").get_by_role("button", name="Approve on the phone pocket"))
    until(lambda: office.operation(operation)["status"] == "APPROVED", "the approval")
    assert task.clicks == 3


def test_a_phone_is_enrolled_by_a_code_on_screen_in_three_clicks(world, office, browse):
    registration = office.register("grace", APPLICATION)["registrationId"]
    phone = new_phone(world, "pocket", owner="grace")
    task = Counted(browse(world.url + "/"))
    task.click(task.page.locator(".rail a", has_text="Waiting"))
    task.click(task.page.locator("#enrolments .subject").first)
    task.click(task.page.frame_locator(".pane iframe").get_by_role("button", name="Scan with the phone pocket"))
    task.page.locator(".told", has_text="The app is activated").wait_for()
    assert task.clicks == 3 and phone.registration == registration


def test_an_app_asks_for_what_an_action_needs_and_before_it_loses_something(world, full, browse):
    page = browse(world.url + "/phones/pocket/apps/onegini", java_script_enabled=False)
    page.locator("summary", has_text="Actions").click()
    page.get_by_role("link", name="Change the PIN").click()
    page.get_by_label("New PIN").fill("1")
    page.get_by_role("button", name="Change the PIN").click()
    assert page.locator(".refusal").count() == 1
    # What was typed stands again.
    assert page.get_by_label("New PIN").input_value() == "1"
    page.get_by_role("link", name="Cancel").click()
    page.locator("summary", has_text="Actions").click()
    page.get_by_role("button", name="Disconnect the user").click()
    assert page.locator("h1").inner_text() == "Disconnect the user: are you sure?"
    page.get_by_role("link", name="Cancel").click()
    assert page.url.endswith("/phones/pocket/apps/onegini")
    page.locator("summary", has_text="Actions").click()
    page.get_by_role("button", name="Disconnect the user").click()
    page.get_by_role("button", name="Disconnect the user").click()
    assert [app["isEnrolled"] for app in full.shown()["apps"] if app["platform"] == "onegini"] in ([False], [])


def test_codes_are_searched_without_scripts_too(world, office, browse):
    office.register("grace", APPLICATION)
    new_phone(world, "pocket", owner="grace")
    page = browse(world.url + "/phones/pocket/scan", java_script_enabled=False)
    for words, count in (("grace", 1), ("nobody has it", 0)):
        page.get_by_label("Search", exact=True).fill(words)
        page.get_by_role("button", name="Search").click()
        assert page.get_by_role("button", name="Scan: ").count() == count


def test_a_phone_that_is_not_there_and_an_app_that_it_has_not(world, full):
    for path in ("/phones/nobody", "/phones/nobody/scan", "/phones/pocket/apps/nobody", "/phones/pocket/apps/miracl/nobody"):
        answer = requests.get(world.url + path, headers={"Accept": "text/html"}, timeout=30)
        assert answer.status_code == 404 and "<h1>Not found</h1>" in answer.text, path


# --- People


def test_a_person_is_one_row_over_all_platforms_with_the_same_address(world, full, browse):
    page = browse(world.url + "/devices")
    row = page.locator("[data-id='person/ada@example.com']")
    assert row.locator("summary b").inner_text() == "Ada Lovelace"
    row.locator("summary").click()
    kinds = {about.split(" · ")[1] for about in row.locator(".record .about").all_inner_texts()}
    assert {"Hanko", "Onegini Token Server", "Wultra PowerAuth", "MIRACL MFA", "nextAuth"} <= kinds
    assert page.locator(".person summary b", has_text="Ada").count() == 1
    # Whatever name one knows, the address of the row has all of them.
    every = row.locator(".record").count()
    for name in ("ada", "ADA@example.com"):
        page.goto(world.url + "/devices?user=" + name)
        assert page.locator("#records .person").count() == 1 and page.locator("#records .record").count() >= every, name


def test_a_person_opens_and_stays_open_while_records_change(world, full, browse):
    page = browse(world.url + "/devices")
    row = page.locator("[data-id='person/ada@example.com']")
    row.locator("summary").press("Enter")
    line = row.locator(".record", has_text="Wultra PowerAuth").first
    world.control("POST", f"/records/powerauth/{full.registration}/block", json={"inputs": {}})
    expect(line.locator(".outcome")).to_have_text("blocked")
    expect(line).to_be_visible()
    line.locator(".subject").click()
    expect(page.frame_locator(".pane iframe").locator(".standing .outcome")).to_have_text("blocked")


def test_what_can_be_created_is_a_menu_of_one_button(world, browse):
    page = browse(world.url + "/devices")
    assert page.locator("main .primary").count() == 1 and page.locator("main form.inputs").count() == 0
    page.locator(".menu summary").press("Enter")
    page.get_by_role("link", name="Start a registration").press("Enter")
    form = page.get_by_role("form", name="Start a registration")
    form.get_by_label("User").fill("ada")
    form.get_by_label("User").press("Enter")
    page.wait_for_url("**/devices/powerauth/*")


# --- What waits


def test_the_rail_counts_what_is_open_on_every_platform(world, office, full):
    """By the database, and the same as the list of the control API."""
    def counted():
        page = requests.get(world.url + "/time", headers={"Accept": "text/html"}, timeout=30).text
        entry = page.split('/transactions">Waiting', 1)[1].split("</a>", 1)[0]
        return int(entry.split(">")[1].split("<")[0]) if "count" in entry else 0

    def listed():
        return len(world.get("/transactions", open="true")["transactions"])

    assert counted() == listed() == 0
    operations = [ask(world) for _ in range(2)]
    form = {"type": "otp", "message": "Log in?", "callback_uri": "http://localhost:9/callback"}
    asked = [requests.post(f"{world.url}/oauth/api/v4/authenticate/user", data=form, auth=("portal-api", "portal-api-secret"), timeout=30).json()
             for _ in range(2)]
    began = requests.post(f"{world.url}/miracl/rps/v2/session", json={"projectId": "understudy"}, timeout=30)
    assert began.status_code == 200, began.text
    nonces = [new_nonce() for _ in range(2)]
    portal = Server(world.url + "/nextauth")
    for nonce in nonces:
        portal.ask("GET", "/sessions/qr/login", nonce)
    assert counted() == listed() == 7
    world.control("POST", f"/transactions/{operations[0]}/reject")
    world.control("POST", f"/transactions/{asked[0]['transaction_id']}/expire")
    shown = [one["id"] for one in world.get("/transactions", open="true")["transactions"] if one["platform"] == "nextauth"]
    world.control("POST", f"/transactions/{requests.utils.quote(shown[0], safe='')}/decline")
    assert counted() == listed() == 4
    world.advance(86400 * 3)
    assert counted() == listed() == 0
