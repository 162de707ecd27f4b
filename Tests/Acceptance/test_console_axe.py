"""Every page of the console, judged by axe-core in both schemes, and as narrow as a phone."""

import pytest
import requests

from accessibility import overflow, too_wide
from understudy import until

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the Python package axe-playwright-python is missing")

PLACES = [
    "/", "/?platform=powerauth&caller=android", "/?platform=onegini&caller=back-end", "/outbox", "/transactions", "/devices", "/devices?create=powerauth/operation", "/devices?user=ada", "/phones",
    "/faults", "/flows", "/journal", "/audit", "/compare", "/mint", "/worlds", "/time", "/snapshots", "/ca", "/search", "/search?q=ada", "/_understudy", "/nowhere", "/oauth", "/miracl", "/miracl/otpgen?client_id=miracl-app", "/app", "/docs", "/docs/hanko",
]

OPEN = "which => { for (const fold of document.querySelectorAll(which)) fold.open = true; }"


@pytest.fixture
def lived_in(world, hanko):
    """A world with something on every page."""
    hanko.start(hanko.sign_up("axe@example.com"))
    hanko.finish("00000000-0000-4000-8000-000000000000", "123456")
    for _ in range(2):
        form = {"type": "otp", "message": "Log in?", "callback_uri": "http://localhost:9/callback"}
        begun = requests.post(
            f"{world.url}/oauth/api/v4/authenticate/user", data=form, auth=("portal-api", "portal-api-secret"), timeout=30)
        assert begun.status_code == 200, begun.text
    world.control("POST", "/snapshots", json={"name": "before"})
    world.control("POST", "/phones", json={"name": "axe", "owner": "ada"})
    world.control("POST", "/phones/axe/enrol", json={"platform": "powerauth"})
    world.control("POST", "/faults", json={"match": {"platform": "miracl", "path": "/rps/*"}, "effect": {"answer": {"status": 503}}})
    world.advance(93780)
    message, record = world.messages()[0], world.get("/records")["records"][0]
    entry = world.journal(kind="request", status="4xx")[0]
    operation = {"platform": "powerauth", "kind": "operation", "inputs": {"user": "ada", "template": "login"}}
    asked = world.control("POST", "/records", json=operation).json()["id"]
    until(lambda: world.get("/phones/axe")["requests"], "the phone to be asked")
    return world, PLACES + [
        f"/outbox/{message['id']}", f"/outbox/{message['id']}?view=html", f"/journal/{entry['id']}", f"/flows/{entry['id']}", "/phones/axe", "/phones/axe/scan", "/phones/axe/settings",
        "/phones/axe/apps/powerauth", "/phones/axe/apps/powerauth?do=rename", "/phones/axe/apps/miracl", f"/transactions/{asked}",
        f"/devices/{record['platform']}/{requests.utils.quote(record['id'], safe='')}",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_any_page(lived_in, chromium, scheme):
    world, places = lived_in
    context = chromium.new_context(color_scheme=scheme, reduced_motion="reduce", viewport={"width": 1280, "height": 900}, bypass_csp=True)
    found = {}
    for place in places:
        # A browser allows six connections to a host, and live pages keep theirs.
        page = context.new_page()
        page.goto(world.url + place)
        # The menu lies over the page, so it is judged on one alone.
        page.evaluate(OPEN, "details" if place == "/_understudy" else "main details")
        result = axe.Axe().run(page)
        found |= {(place, one["id"]): [node["html"][:160] for node in one["nodes"]][:3] for one in result.response["violations"]}
        page.close()
    context.close()
    assert found == {}


#: Keeps what the server sent, and counts how often it was looked at again. What has come since then is not drawn anew; it is new.
WITNESS = """
    const parts = () => [...document.querySelectorAll("#pieces > *, main li[data-id]")];
    const key = (node) => node.dataset.piece ?? node.dataset.id;
    const sent = new Map();
    addEventListener("DOMContentLoaded", () => parts().forEach((node) => sent.set(key(node), [node, node.outerHTML])));
    window.isLive = () => sent.size > 0;
    window.redrawn = () => parts().filter((node) => sent.has(key(node)) && sent.get(key(node))[0] !== node)
        .map((node) => ({ sent: sent.get(key(node))[1], drawn: node.outerHTML }));
    const parse = DOMParser.prototype.parseFromString;
    window.looks = 0;
    DOMParser.prototype.parseFromString = function (...all) { looks += 1; return parse.apply(this, all); };
"""


def test_a_first_look_at_the_server_draws_nothing_anew(lived_in, chromium):
    """Every live page looks once when its stream is open: what is clicked, read aloud or filled in just then stays."""
    world, places = lived_in
    anew = {}
    for place in places:
        # A browser allows six connections to a host, and live pages keep theirs.
        page = chromium.new_page()
        page.add_init_script(WITNESS)
        page.goto(world.url + place)
        # Snapshots are no live list.
        if page.evaluate("isLive()") and place != "/snapshots":
            until(lambda: page.evaluate("looks"), f"a look at the server from {place}")
            anew[place] = page.evaluate("redrawn()")
        page.close()
    assert len(anew) > 10
    assert {place: parts for place, parts in anew.items() if parts} == {}


@pytest.mark.parametrize("scripted", [True, False])
def test_no_page_scrolls_sideways_on_a_phone(lived_in, chromium, scripted):
    """Nor at 320 pixels, which a window of 1,280 has where it is magnified four times: WCAG 2.2, 1.4.10."""
    world, places = lived_in
    context = chromium.new_context(java_script_enabled=scripted)
    wide = {}
    for place in places:
        page = context.new_page()
        page.goto(world.url + place)
        for width in (360, 320):
            page.set_viewport_size({"width": width, "height": 740})
            over = overflow(page)
            wide |= {(place, width): (over, too_wide(page))} if over else {}
        page.close()
    context.close()
    assert wide == {}


def test_the_clock_is_moved_back_from_any_page(lived_in, browse):
    world, _ = lived_in
    page = browse(f"{world.url}/journal")
    playwright.expect(page.locator("#shift")).to_contain_text("+1 day 2 h")
    page.locator("#shift button").press("Enter")
    page.wait_for_url("**/journal")
    playwright.expect(page.locator("#shift")).to_be_hidden()
    assert "shift" not in world.get("/clock")


def test_the_clock_of_a_phone_goes_on_and_its_screen_stays(world, browse):
    """The screen is no other one because a minute has passed, which it did for whoever was reading it."""
    made = world.control("POST", "/phones", json={"name": "late", "owner": "ada", "clockSkew": 600})
    assert made.status_code == 201, made.text
    frozen = world.control("PUT", "/clock", json={"now": "2026-05-01T09:55:30Z", "frozen": True})
    assert frozen.status_code == 200, frozen.text
    page = browse(f"{world.url}/phones/late")
    hour = page.locator(".handset .hour")
    playwright.expect(hour).to_have_text("10:05")
    page.evaluate("document.querySelector('.handset').isKept = true")
    world.advance(3600)
    playwright.expect(hour).to_have_text("11:05")
    page.wait_for_timeout(500)
    assert page.evaluate("document.querySelector('.handset').isKept")


def test_another_world_is_found_and_entered_by_keyboard_and_keeps_the_page(lived_in, browse, make_world):
    world, _ = lived_in
    other = make_world()
    page = browse(f"{world.url}/journal")
    page.locator("#world-menu summary").press("Enter")
    page.keyboard.type(other.name)
    link = page.locator("#others a", has_text=other.name)
    link.press("Enter")
    page.wait_for_url(f"**/w/{other.name}/journal")


def test_the_clock_jumps_past_what_expires_next(world, hanko, browse):
    hanko.start(hanko.sign_up("jump@example.com"))
    expiry = world.messages()[0]["expiresAt"]
    page = browse(f"{world.url}/time")
    with page.expect_navigation():
        page.locator(".ending button").first.click()
    assert world.get("/clock")["now"] > expiry


def test_a_snapshot_is_taken_and_gone_back_to_in_the_browser(world, hanko, browse):
    page = browse(f"{world.url}/snapshots")
    page.locator("main input[name=name]").first.fill("before")
    page.get_by_role("button", name="Take snapshot").click()
    page.locator(".snapshot-row").wait_for()
    hanko.start(hanko.sign_up("later@example.com"))
    page.on("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        page.get_by_role("button", name="Restore: before").click()
    assert world.messages() == []
