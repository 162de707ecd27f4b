"""The page `/compare` and the calls below `/comparison`: a recording of one world of a server, compared by that server."""

import html
import json
import re

import pytest
import requests

from accessibility import overflow
from compare_recordings import Changed, recording
from test_phone_onegini import Handset
from understudy import CONTROL, Server, World, until

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the Python package axe-playwright-python is missing")


@pytest.fixture
def har(world, hanko):
    """A login with one answer that is not ours."""
    hanko.log_in(world, "newcomer@example.com")
    changed = Changed(recording(world))
    changed.body("/passcode/login/initialize", lambda body: body | {"attempts_left": 3})
    return changed.har


@pytest.fixture
def calls(server):
    """The calls of the server, which forgets its comparison behind the test."""
    address = server.url + CONTROL + "/comparison"
    requests.delete(address, timeout=30)

    class Calls:
        def start(self, har, **query):
            return requests.post(address, params=query, json=har, timeout=30)

        def ended(self):
            return requests.get(address, params={"wait": 60}, timeout=70).json()

        def file(self, name):
            return requests.get(f"{address}/{name}", timeout=30)

        def delete(self):
            return requests.delete(address, timeout=30)

    yield Calls()
    requests.delete(address, timeout=30)


def worlds(server):
    return {world["name"] for world in requests.get(server.url + CONTROL + "/worlds", timeout=30).json()["worlds"]}


def test_a_recording_is_compared_by_calls(server, world, har, calls):
    before, asked = worlds(server), world.journal(kind="request")
    started = calls.start(har, name="session.har")
    assert started.status_code == 202 and started.json()["state"] == "running", started.text
    ended = calls.ended()
    assert ended["state"] == "done" and ended["name"] == "session.har", ended
    assert ended["report"]["differences"] == 1 and len(ended["worlds"]) == 2
    assert ended["report"]["platforms"][0]["summary"] == "Your app calls 3 routes of Hanko: 2 agree, 1 differs."
    assert worlds(server) - before == set(ended["worlds"])
    assert world.journal(kind="request") == asked, "no other world is touched"

    assert ended["files"] == ["report.json", "report.html", "faults.json", "rules.jsonl"]
    assert calls.file("report.json").json() == ended["report"]
    page = calls.file("report.html")
    assert "attempts_left" in page.text and page.headers["Content-Disposition"].startswith("attachment")
    assert calls.file("faults.json").json()["faults"]
    [rule] = map(json.loads, calls.file("rules.jsonl").text.splitlines())
    assert calls.file("made.json").status_code == 404

    assert calls.start(har, rules=json.dumps(rule)).status_code == 202
    again = calls.ended()
    assert again["report"]["differences"] == 0 and worlds(server) - before == set(again["worlds"])
    assert calls.delete().status_code == 204
    assert worlds(server) == before and calls.ended() == {"state": "none"}


def test_back_ends_of_the_recording_are_not_called(world, hanko, receiver, calls):
    hook = {"callback": receiver.url + "/hook", "events": ["user.create"]}
    assert requests.post(world.url + "/hanko-admin/webhooks", json=hook, timeout=30).status_code == 201
    hanko.log_in(world, "newcomer@example.com")
    receiver.wait("/hook", count=1)

    assert calls.start(recording(world)).status_code == 202
    ended = calls.ended()
    assert ended["report"]["differences"] == 0, ended
    assert len(receiver.wait("/hook")) == 1


def test_a_callback_to_the_sample_portal_comes_once(server, world, calls):
    """That of the recording: the token server of the comparison does not call as well, in a race with it."""
    ada, browser = Handset(world, "ada"), requests.Session()
    ada.enrol()
    page = browser.post(world.url + "/app/portal/login", timeout=30)
    ada.scan(html.unescape(re.search('data-otp="([^"]+)"', page.text)[1]))
    ada.approve()
    until(lambda: "ada" in browser.get(page.url, timeout=30).text, "the portal knows ada")

    assert calls.start(recording(world)).status_code == 202
    ended = calls.ended()
    assert ended["report"]["differences"] == 0, json.dumps(ended["report"], indent=1)
    for name in [world.name, *ended["worlds"]]:
        [callback] = World(name, f"{server.url}/w/{name}").journal(path="/app/portal/callback", kind="request")
        assert callback["exchange"]["status"] == 204, callback


@pytest.mark.parametrize(("har", "says"), [
    ({}, "it has no member “log”"), ({"log": {"entries": []}}, "The recording has no requests."),
    ({"log": {"entries": [{"request": {}, "response": {}}]}}, "entry 1: "),
])
def test_what_is_no_recording_fails_with_a_sentence(server, calls, har, says):
    before = worlds(server)
    assert calls.start(har).status_code == 202
    ended = calls.ended()
    assert ended["state"] == "failed" and says in ended["reason"], ended
    assert worlds(server) == before


def test_what_is_asked_wrongly(calls, har):
    assert calls.start(har, platform="nobody").status_code == 202
    assert "nobody" in calls.ended()["reason"]
    assert calls.start(har, base="nowhere=https://a.example").status_code == 202
    assert "nowhere" in calls.ended()["reason"]
    assert calls.start(har, asIs="perhaps").status_code == 400


def test_a_server_that_asks_for_a_token_compares(har):
    with_token = Server("--control-token", "let-me-in")
    try:
        headers = {"Authorization": "Bearer let-me-in"}
        address = with_token.url + CONTROL + "/comparison"
        assert requests.post(address, json=har, timeout=30).status_code == 401
        assert requests.post(address, json=har, headers=headers, timeout=30).status_code == 202
        ended = requests.get(address, params={"wait": 60}, headers=headers, timeout=70).json()
        assert ended["state"] == "done" and ended["report"]["differences"] == 1, ended
    finally:
        with_token.stop()


def choose(page, har):
    page.locator("input[type=file]").set_input_files(
        {"name": "session.har", "mimeType": "application/json", "buffer": json.dumps(har).encode()})
    page.get_by_role("button", name="Compare", exact=True).click()


@pytest.mark.parametrize("scripted", [True, False])
def test_the_page(server, har, calls, chromium, scripted):
    context = chromium.new_context(java_script_enabled=scripted)
    page = context.new_page()
    page.goto(server.url + "/compare")
    playwright.expect(page.locator("#compare-empty h2")).to_have_text("No comparison yet")
    choose(page, har)
    if not scripted:
        calls.ended()
        page.goto(server.url + "/compare")
    playwright.expect(page.locator("#summary-title")).to_have_text("session.har", timeout=30_000)
    playwright.expect(page.get_by_text("Your app calls 3 routes of Hanko: 2 agree, 1 differs.")).to_be_visible()
    playwright.expect(page.locator("#exchanges .record")).to_have_count(3)
    flow = page.locator("#runs-title ~ ul a").first.get_attribute("href")
    assert re.fullmatch(r"/w/compare-1/flows/\d+\?beside=compare-2/\d+", flow)

    page.get_by_role("link", name="POST /hanko/passcode/login/initialize").click()
    playwright.expect(page.locator(".sentence")).to_contain_text("attempts_left is missing")
    assert "attempts_left" in page.locator("#answer-recorded ~ .body").inner_text()
    assert "attempts_left" not in page.locator("#answer-ours ~ .body").inner_text()
    page.goto(server.url + flow)
    playwright.expect(page.locator("#drawing-beside")).to_be_visible()

    page.goto(server.url + "/compare?show=differs")
    playwright.expect(page.locator("#exchanges .record")).to_have_count(1)
    page.locator("input[type=file]").set_input_files({"name": "no.har", "mimeType": "text/plain", "buffer": b"no"})
    page.get_by_role("button", name="Compare", exact=True).click()
    if not scripted:
        calls.ended()
        page.goto(server.url + "/compare")
    playwright.expect(page.locator(".refusal")).to_contain_text("no.har could not be compared", timeout=30_000)
    context.close()


def test_a_form_without_a_file_says_so(server, calls):
    answer = requests.post(server.url + "/compare", files={"platform": (None, "hanko")}, timeout=30)
    assert answer.status_code == 422 and "Choose the file of a recording first." in answer.text
    answer = requests.post(server.url + "/compare", data="--x", headers={"Content-Type": "multipart/form-data"}, timeout=30)
    assert answer.status_code == 400 and "by what its parts are divided" in answer.text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_report_and_no_page_is_too_wide(server, har, calls, chromium, scheme, tmp_path):
    calls.start(har)
    assert calls.ended()["state"] == "done"
    found, wide = {}, {}
    for width in (360, 1280):
        context = chromium.new_context(color_scheme=scheme, viewport={"width": width, "height": 900}, bypass_csp=True)
        for place in ("/compare", "/compare/2"):
            page = context.new_page()
            page.goto(server.url + place)
            page.screenshot(path=tmp_path / f"{scheme}-{width}{place.replace('/', '-')}.png", full_page=True)
            result = axe.Axe().run(page)
            found |= {(place, one["id"]): [node["html"][:160] for node in one["nodes"]][:3] for one in result.response["violations"]}
            wide |= {(place, width): overflow(page)} if overflow(page) else {}
            page.close()
        context.close()
    assert found == {} and wide == {}
