"""Ten things that people come to the console for, each done twice: with the mouse, and by keyboard alone.

Steps are counted: a click, a text that is typed, a key. `Web/DESIGN.md` promises how many clicks and texts each takes at the most, from the home page.
Seconds are printed and never asserted: `pytest Tests/Acceptance/test_console_tasks.py -s`.
"""

import re
import time

import pytest
import requests

from phones import new_phone
from powerauth_backend import APPLICATION, INTEGRATION, Backend
from test_passkeys_page import give_authenticator
from understudy import ROOT, until

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")
expect = playwright.expect


def promised():
    """How many steps each task takes at the most, by its words in `DESIGN.md`."""
    text = (ROOT / "Web/DESIGN.md").read_text().split("## Ten tasks")[1]
    return {words: int(steps) for words, steps in re.findall(r"^\| ([^|]+?) \| (\d+) \|", text, re.M)}


PROMISED = promised()
#: Whether the keyboard is in what is beside the list.
IS_INSIDE = """() => {
    const frame = document.querySelector(".pane iframe");
    return document.activeElement === frame && frame.contentDocument.activeElement?.matches("main, main *");
}"""


class Hands:
    """A page, on which steps are counted and timed."""

    def __init__(self, page, world):
        self.page, self.world, self.steps, self.began = page, world, 0, time.monotonic()

    def click(self, locator):
        locator.click()
        self.steps += 1

    def write(self, text, locator=None):
        if locator:
            locator.fill(text)
        else:
            self.page.keyboard.type(text)
        self.steps += 1

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
        self.steps += len(keys)

    def go(self, letter, path):
        self.press("g", letter)
        self.page.wait_for_url(f"**{path}")
        self.page.locator(".clock").wait_for(state="attached")

    def find(self, words, hit):
        """In the header's search, by keyboard."""
        self.press("/")
        self.write(words)
        expect(self.page.locator("#finder-sheet .hit").first).to_contain_text(hit)
        self.press("Enter")

    def rail(self, name):
        with self.page.expect_navigation():
            self.click(self.page.locator(".rail a", has_text=name))
        # Before its script runs, a line of a list leads to a page of its own.
        self.page.locator(".light[data-state=live]").wait_for()

    @property
    def beside(self):
        return self.page.frame_locator(".pane iframe")

    def open_first(self, line):
        """By keyboard: the first line of a list, and into what is beside it."""
        self.page.locator(line).first.wait_for()
        self.press("j", "Enter", "Enter")
        self.beside.locator("main").wait_for()
        self.page.wait_for_function(IS_INSIDE)

    def done(self, words, way):
        print(f"\n{words}: {self.steps} {way} in {time.monotonic() - self.began:.2f} s", end="")
        if way == "steps":
            assert self.steps <= PROMISED[words], words


@pytest.fixture(params=["mouse", "keyboard"])
def hands(request, world, browse):
    """From the home page, when what the task is about has happened."""
    def start():
        page = browse(world.url + "/", permissions=["clipboard-read", "clipboard-write"])
        return Hands(page, world), request.param == "mouse"

    return start


def finish(hands, by_mouse, words):
    hands.done(words, "steps" if by_mouse else "keys and texts")


def test_the_design_promises_ten():
    assert len(PROMISED) == 10


def test_see_why_the_last_login_failed(hands, hanko):
    hanko.finish(hanko.start(hanko.sign_up("why@example.com")), "000000")
    task, by_mouse = hands()
    why = task.page.locator("#entries .why").first
    expect(why).to_contain_text("is not the one that was mailed")
    if by_mouse:
        task.click(task.page.locator("#entries .target").first)
    else:
        task.go("j", "/journal")
        task.open_first(".entry .target")
    sentence = task.page.locator(".sentence") if by_mouse else task.beside.locator(".sentence")
    assert sentence.inner_text() == task.world.explanations()[0]
    finish(task, by_mouse, "See why the last login failed, with its request")


def test_copy_the_newest_code_of_a_person(hands, hanko):
    for person in ("first@example.com", "grace@example.org", "last@example.com"):
        hanko.start(hanko.sign_up(person))
    task, by_mouse = hands()
    if by_mouse:
        task.click(task.page.locator(".ticket", has_text="grace@example.org").locator(".copy"))
    else:
        task.go("o", "/outbox")
        task.press("s")
        task.write("grace")
        expect(task.page.locator("#mails .mail")).to_have_count(1)
        task.press("ArrowDown", "c")
    expect(task.page.locator(".copy.done")).to_have_count(1)
    assert task.page.evaluate("navigator.clipboard.readText()") == task.world.code("grace@example.org")["code"]
    finish(task, by_mouse, "Copy the newest code of a person")


def test_follow_a_link_of_a_mail(hands, world, make_native):
    """The mail with which MIRACL confirms an address."""
    phone = make_native(ready=False)
    phone.set_backend()
    phone.start_registration()
    [mail] = world.messages()
    assert "/miracl/" in mail["link"]
    task, by_mouse = hands()
    if by_mouse:
        task.click(task.page.locator(".ticket a.link"))
    else:
        task.go("o", "/outbox")
        task.open_first(".mail .subject")
        task.press("Enter")
    task.page.wait_for_url("**/miracl/**")
    assert task.page.locator("h1").inner_text()
    finish(task, by_mouse, "Follow a link of a message")


@pytest.fixture
def office(world):
    return Backend(world.url + "/powerauth-cloud", INTEGRATION)


def test_approve_what_waits_on_a_phone(hands, world, office):
    phone = new_phone(world, "pocket", owner="grace")
    phone.enrol(platform="powerauth")
    inputs = {"user": "grace", "template": "login"}
    operation = world.control("POST", "/records", json={"platform": "powerauth", "kind": "operation", "inputs": inputs}).json()["id"]
    until(lambda: phone.shown()["requests"], "the phone to be asked")
    task, by_mouse = hands()
    if by_mouse:
        task.click(task.page.locator("#waiting a").first)
        task.click(task.page.get_by_role("button", name="Approve on the phone pocket"))
    else:
        task.go("t", "/transactions")
        task.open_first("#transactions .subject")
        task.press("Enter")
    until(lambda: office.operation(operation)["status"] == "APPROVED", "the approval")
    finish(task, by_mouse, "Approve on a phone what waits")


def test_enrol_a_phone_by_a_code_on_screen(hands, world, office):
    registration = office.register("grace", APPLICATION)["registrationId"]
    phone = new_phone(world, "pocket", owner="grace")
    task, by_mouse = hands()
    if by_mouse:
        task.rail("Waiting")
        task.click(task.page.locator("#enrolments .subject").first)
        task.click(task.beside.get_by_role("button", name="Scan with the phone pocket"))
    else:
        task.go("t", "/transactions")
        task.open_first("#enrolments .subject")
        for _ in range(12):
            if task.beside.locator("button:focus", has_text="Scan with the phone pocket").count():
                break
            task.press("Tab")
        task.press("Enter")
    task.page.locator(".told", has_text="The app is activated").wait_for()
    assert phone.registration == registration
    finish(task, by_mouse, "Enrol a phone by a code on screen")


def test_let_a_code_expire_and_go_back(hands, hanko):
    hanko.start(hanko.sign_up("late@example.com"))
    task, by_mouse = hands()
    code = task.page.locator(".ticket .code").first
    if by_mouse:
        task.click(task.page.locator("#world").get_by_role("button", name="+5 min"))
        expect(code).to_have_attribute("data-state", "expired")
        task.click(task.page.locator("#world").get_by_role("button", name="Real time"))
        expect(code).not_to_have_attribute("data-state", "expired")
    else:
        task.find("advance 5 min", "Advance the clock by 5 minutes")
        task.page.wait_for_url("**/time")
        expect(task.page.locator("#shift")).to_contain_text("+5 min")
        task.find("real time", "Set the clock to the real time")
        expect(task.page.locator("#shift")).to_be_hidden()
    assert "shift" not in task.world.get("/clock")
    finish(task, by_mouse, "Let a code expire and go back")


def test_make_a_world_like_this_one(hands, server, hanko):
    hanko.start(hanko.sign_up("copied@example.com"))
    task, by_mouse = hands()
    if by_mouse:
        task.click(task.page.locator("#world-menu summary"))
        task.click(task.page.locator("#world-menu").get_by_role("button", name="Make a world like"))
    else:
        task.find("world like this", "Make a world like this one")
    task.page.wait_for_function("name => !location.pathname.startsWith(`/w/${name}/`)", arg=task.world.name)
    made = re.search(r"/w/([^/]+)", task.page.url).group(1)
    try:
        messages = requests.get(f"{server.url}/w/{made}/_understudy/v1/outbox", timeout=30).json()["messages"]
        assert [message["to"]["address"] for message in messages] == ["copied@example.com"]
    finally:
        requests.delete(f"{server.url}/_understudy/v1/worlds/{made}", timeout=30)
    finish(task, by_mouse, "Make a world like this one")


def test_give_a_person_a_passkey(hands, world):
    """On the sample app's page, as the person would: a passkey belongs to a device, here to the browser's."""
    task, by_mouse = hands()
    give_authenticator(task.page)
    if by_mouse:
        task.click(task.page.locator("a[href$='/app/passkeys']").first)
    else:
        task.find("passkeys register", "Passkeys")
    task.page.wait_for_url("**/app/passkeys")
    field = task.page.get_by_label("Or have a code sent by mail")
    if not by_mouse:
        while not field.evaluate("field => field === document.activeElement"):
            task.press("Tab")
    task.write("ada@example.com", field if by_mouse else None)
    task.press("Enter")
    code = task.page.get_by_role("textbox", name="Code", exact=True)
    expect(code).to_be_focused()
    task.write(world.code("ada@example.com")["code"], code if by_mouse else None)
    task.press("Enter")
    make = task.page.get_by_role("button", name="Create a passkey")
    make.wait_for()
    if by_mouse:
        task.click(make)
    else:
        while not make.evaluate("button => button === document.activeElement"):
            task.press("Tab")
        task.press("Enter")
    expect(task.page.locator("#passkeys li")).to_have_count(1)
    finish(task, by_mouse, "Give a person a passkey")


def test_make_the_next_token_call_fail_once(hands, world):
    task, by_mouse = hands()
    if by_mouse:
        task.rail("Faults")
        task.click(task.page.get_by_role("button", name="Fail the next token call"))
    else:
        task.find("token call", "Fail the next token call")
    expect(task.page.locator("#faults .fault")).to_have_count(1)
    asked = [requests.post(f"{world.oauth}/v1/token", data={"grant_type": "client_credentials"}, timeout=30).status_code for _ in range(2)]
    assert asked[0] == 503 and asked[1] != 503
    finish(task, by_mouse, "Make the next token call fail once")


def test_find_a_request_by_a_piece_of_its_body(hands, world, hanko):
    for number in range(30):
        hanko.post("/user", {"email": f"nobody-{number}@example.com"})
    task, by_mouse = hands()
    if by_mouse:
        task.rail("Journal")
        task.write("nobody-17@", task.page.locator("main input[type=search]"))
    else:
        task.go("j", "/journal")
        task.press("s")
        task.write("nobody-17@")
    expect(task.page.locator("#entries .entry")).to_have_count(1)
    expect(task.page.locator("#entries .entry .why")).to_contain_text("nobody-17@example.com")
    finish(task, by_mouse, "Find a request by a piece of its body")
