"""The console in a real browser: a login with the outbox open, and what every page owes its readers."""

import re
import signal
from html.parser import HTMLParser
from pathlib import Path

import pytest
import requests

from accessibility import CONTRAST, UNNAMED, found, overflow
from camera import needs_zbar, read
from hanko_flow import App
from understudy import Client, World, free_port, token_of

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")

HERE = Path(__file__).parent
HOSTILE = "<img src=x onerror=\"document.title='owned'\">"


def send_passcode(hanko, email):
    """The passcode's id."""
    return hanko.start(hanko.sign_up(email))


@pytest.fixture
def story(world, hanko):
    """Something on every page: a mail, a refused login, and requests full of markup. The message."""
    passcode = send_passcode(hanko, "story@example.com")
    message = world.messages()[0]
    assert hanko.finish(passcode, "000000" if message["code"] != "000000" else "111111").status_code == 401
    requests.post(f"{world.hanko}/user", data=HOSTILE, headers={"X-Odd": HOSTILE}, timeout=30)
    requests.get(f"{world.hanko}/" + requests.utils.quote(HOSTILE), timeout=30)
    for match in [{"user": HOSTILE, "from": 9}, {"platform": "hanko", "path": "/" + "long" * 100}]:
        rule = {"match": match, "effect": {"answer": {"status": 503}}}
        assert world.control("POST", "/faults", json=rule).status_code == 201
    return message


def refused_entry(world):
    return world.journal(kind="request", status="4xx")[0]["id"]


@pytest.fixture
def pages(world, story):
    return {
        "home": f"{world.url}/",
        "outbox": f"{world.url}/outbox",
        "mail": f"{world.url}/outbox/{story['id']}",
        "html": f"{world.url}/outbox/{story['id']}?view=html",
        "raw": f"{world.url}/outbox/{story['id']}?view=raw",
        "transactions": f"{world.url}/transactions",
        "devices": f"{world.url}/devices",
        "phones": f"{world.url}/phones",
        "faults": f"{world.url}/faults",
        "worlds": f"{world.url}/worlds",
        "time": f"{world.url}/time",
        "snapshots": f"{world.url}/snapshots",
        "mint": f"{world.url}/mint",
        "ca": f"{world.url}/ca",
        "control api": f"{world.url}/_understudy",
        "journal": f"{world.url}/journal",
        "entry": f"{world.url}/journal/{refused_entry(world)}",
        "flows": f"{world.url}/flows",
        "flow": f"{world.url}/flows/{refused_entry(world)}",
        "audit": f"{world.url}/audit",
        "compare": f"{world.url}/compare",
        "search": f"{world.url}/search",
        "not found": f"{world.url}/outbox/999999",
    }


# --- The login


def test_a_passcode_arrives_in_the_open_outbox_and_finishes_the_login(world, hanko, browse):
    page = browse(f"{world.url}/outbox", permissions=["clipboard-read", "clipboard-write"])
    playwright.expect(page.locator("#mails-empty .shell")).to_contain_text(world.hanko)
    page.evaluate("window.untouched = true")

    passcode = send_passcode(hanko, "open@example.com")
    row = page.locator("#mails .mail").first
    playwright.expect(row).to_contain_text("open@example.com")
    row.get_by_role("button", name=re.compile("^Copy ")).click()
    playwright.expect(row.locator(".copy")).to_have_text("Copied")
    code = page.evaluate("navigator.clipboard.readText()")

    assert page.evaluate("window.untouched") is True
    assert token_of(hanko.finish(passcode, code)).count(".") == 2


def test_a_used_and_an_expired_code_look_so_everywhere(world, hanko, browse):
    used = send_passcode(hanko, "used@example.com")
    hanko.finish(used, world.code("used@example.com")["code"])
    send_passcode(hanko, "late@example.com")
    fresh = browse(f"{world.url}/outbox").locator("#mails .mail")
    playwright.expect(fresh.first.locator(".code")).not_to_have_attribute("data-state", re.compile(".*"))
    world.control("POST", "/clock/advance", json={"seconds": 3600})
    for place, row in [("/outbox", ".mail"), ("/", ".ticket")]:
        page = browse(world.url + place)
        for to, state in [("used@example.com", "used"), ("late@example.com", "expired")]:
            code = page.locator(row, has_text=to).locator(".code")
            playwright.expect(code).to_have_attribute("data-state", state)
            assert "line-through" in code.evaluate("code => getComputedStyle(code).textDecorationLine")
    page = browse(f"{world.url}/outbox")
    page.locator("#mails .mail", has_text="used@example.com").locator(".subject").click()
    playwright.expect(page.frame_locator(".pane iframe").locator(".code-line .code")).to_have_attribute("data-state", "used")


def test_a_refusal_shows_its_reason_in_the_open_journal(world, hanko, browse):
    page = browse(f"{world.url}/journal")
    refused = hanko.finish("00000000-0000-4000-8000-000000000000", "123456")

    row = page.locator("#entries .entry").first
    playwright.expect(row.locator(".outcome")).to_have_text(str(refused.status_code))
    assert row.locator(".why").first.inner_text() == world.explanations()[0]

    row.locator(".target").click()
    beside = page.frame_locator(".pane iframe")
    playwright.expect(beside.locator(".sentence")).to_have_text(world.explanations()[0])
    playwright.expect(beside.locator(".body").first).to_contain_text("00000000-0000-4000-8000-000000000000")


def test_the_journal_is_filtered(world, story, browse):
    page = browse(f"{world.url}/journal")
    page.locator("select[name=status]").select_option("2xx")
    playwright.expect(page.locator("#entries .refused")).to_have_count(0)
    playwright.expect(page.locator("#entries .good").first).to_be_visible()

    page.locator("input[name=path]").fill("no such path")
    playwright.expect(page.locator("#entries-nothing")).to_be_visible()


def test_the_outbox_is_searched_as_one_types(world, story, browse):
    page = browse(f"{world.url}/outbox")
    page.keyboard.press("s")
    page.keyboard.type("no such message")
    playwright.expect(page.locator("#mails-nothing")).to_be_visible()

    page.locator("main input[type=search]").fill(story["to"]["address"])
    playwright.expect(page.locator("#mails .mail").first).to_contain_text(story["to"]["address"])


def test_keys_walk_the_list_and_open_a_message(world, story, browse):
    page = browse(f"{world.url}/outbox")
    page.locator("#mails .mail").first.wait_for()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    playwright.expect(page.frame_locator(".pane iframe").locator("article.letter")).to_be_visible()

    page.keyboard.press("g")
    page.keyboard.press("j")
    page.wait_for_url("**/journal")


def test_a_message_stands_beside_the_list_under_its_own_address(world, story, browse):
    page = browse(f"{world.url}/outbox")
    page.locator("#mails .mail .subject").first.click()
    inside = page.frame_locator(".pane iframe")
    playwright.expect(inside.locator("article.letter")).to_be_visible()
    playwright.expect(inside.locator(".rail")).to_be_hidden()
    playwright.expect(page.locator("#mails .mail [aria-current]")).to_have_count(1)
    assert re.search(r"/outbox/\d+$", page.url)

    page.keyboard.press("Escape")
    playwright.expect(page.locator(".pane")).to_have_count(0)
    assert page.url == f"{world.url}/outbox"
    page.go_back()
    playwright.expect(inside.locator("article.letter")).to_be_visible()

    # Where there is no room, the message is a page.
    page.set_viewport_size({"width": 800, "height": 800})
    page.goto(f"{world.url}/outbox")
    page.locator("#mails .mail .subject").first.click()
    playwright.expect(page.locator("article.letter")).to_be_visible()


def test_the_search_in_the_header_finds_a_code_by_keyboard(world, story, browse):
    page = browse(f"{world.url}/journal")
    page.keyboard.press("Control+k")
    page.keyboard.type(story["code"])
    hit = page.locator("#finder-sheet .hit", has_text=story["code"]).first
    playwright.expect(hit).to_be_visible()
    page.keyboard.press("ArrowDown")
    playwright.expect(hit).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/outbox/{story['id']}")

    page.keyboard.press("/")
    page.keyboard.type("advance 5 min")
    playwright.expect(page.locator("#finder-sheet .hit")).to_have_count(1)
    page.keyboard.press("Enter")
    page.wait_for_url("**/time")
    playwright.expect(page.locator(".shift")).to_contain_text("+5 min")
    page.locator(".shift button").click()


@pytest.mark.parametrize("width", [360, 1280])
def test_every_page_is_reached_from_the_rail(world, story, browse, width):
    page = browse(f"{world.url}/")
    page.set_viewport_size({"width": width, "height": 800})
    if width == 360:
        page.locator(".dock a", has_text="More").click()
        playwright.expect(page.locator(".rail")).to_be_in_viewport()
    page.locator(".rail a", has_text="Certificates").click()
    playwright.expect(page.locator("h1")).to_have_text("Certificates")
    assert overflow(page) == 0


def test_a_passcode_that_expires_is_told_once_and_not_again_as_its_message(world, hanko):
    hanko.start(hanko.sign_up("once@example.com"))
    page = requests.get(f"{world.url}/time", headers={"Accept": "text/html"}, timeout=30).text
    endings = [ending for ending in re.findall(r'<li class="ending".*?</li>', page, re.S) if "once@example.com" in ending]
    assert len(endings) == 1 and "Hanko" in endings[0], endings


def test_the_header_has_one_row_at_every_width_also_while_the_clock_is_moved(world, browse):
    page = browse(f"{world.url}/time")
    world.advance(180_000)
    page.reload()
    for width in (360, 704, 720, 768, 900, 1024, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator(".bar").bounding_box()["height"] <= 50, width
        assert overflow(page) == 0, width


def test_the_words_of_a_persons_line_break_at_no_letter(world, hanko, browse):
    """Somebody without a name of their own has an address alone, and no second column."""
    hanko.sign_up("nobody@example.com")
    page = browse(f"{world.url}/devices")
    page.set_viewport_size({"width": 360, "height": 800})
    page.locator(".person summary", has_text="nobody@example.com").wait_for()
    widths = page.locator(".person summary .about").evaluate_all("all => all.map(one => one.offsetWidth)")
    assert widths and min(widths) > 100, widths


def test_a_transaction_that_nobody_can_answer_any_more_begins_at_the_left(world, browse):
    operation = {"platform": "powerauth", "kind": "operation", "inputs": {"user": "ada", "template": "login"}}
    transaction = world.control("POST", "/records", json=operation).json()["id"]
    world.advance(1_000)
    page = browse(f"{world.url}/transactions/{transaction}")
    left = page.locator(".pieces").bounding_box()["x"]
    assert page.locator('[data-piece="facts"]').bounding_box()["x"] == left


def test_a_lost_connection_is_told_and_taken_up_again(start, browse):
    server = start(port=free_port())
    hanko = Client(server.default_world.hanko)
    page = browse(f"{server.url}/outbox")
    send_passcode(hanko, "before@example.com")
    playwright.expect(page.locator("#mails .mail")).to_have_count(1)
    server.signal(signal.SIGTERM)
    assert server.process.wait(timeout=10) == 0
    playwright.expect(page.locator("#lost")).to_contain_text("lost")
    page.set_viewport_size({"width": 360, "height": 300})
    page.mouse.wheel(0, 400)
    playwright.expect(page.locator("#lost")).to_be_in_viewport()

    server.start()
    page.get_by_role("button", name="Try now").click()
    playwright.expect(page.locator("#lost")).to_be_hidden()
    playwright.expect(page.locator("#mails-empty")).to_be_visible()
    send_passcode(hanko, "after@example.com")
    playwright.expect(page.locator("#mails .mail")).to_contain_text("after@example.com")


def test_the_bar_fits_a_phone_whatever_it_has_to_say(start, browse):
    server = start(port=free_port())
    made = server.default_world.control("POST", "/worlds", json={"name": "a-world-with-quite-a-long-name"}).json()
    world = World(made["name"], made["baseURL"])
    world.advance(93_780)
    page = browse(f"{world.url}/phones")
    playwright.expect(page.locator("#shift")).to_contain_text("+1 day 2 h")
    server.signal(signal.SIGTERM)
    assert server.process.wait(timeout=10) == 0
    playwright.expect(page.locator("#lost")).to_contain_text("lost")
    for width in (320, 360, 390):
        page.set_viewport_size({"width": width, "height": 640})
        assert overflow(page) == 0
        assert page.get_by_role("button", name="Real time").bounding_box()["x"] > page.locator("#shift a").bounding_box()["x"] + 40


def test_the_clock_is_moved_from_the_home_page(world, story, browse):
    page = browse(f"{world.url}/")
    before = world.get("/clock")["now"]
    page.get_by_role("button", name="+1 day").click()
    playwright.expect(page.locator(".ticket .expiry").first).to_have_class(re.compile("over"))
    moved = world.get("/clock")["now"]
    page.get_by_role("button", name="Freeze").click()
    playwright.expect(page.locator(".clock-state")).to_have_text("frozen")
    stopped = world.get("/clock")["frozen"]
    page.locator("#world").get_by_role("button", name="Real time").click()
    playwright.expect(page.locator(".clock-state")).to_have_text("running")

    assert before[:10] < moved[:10] and stopped is True
    assert world.get("/clock")["now"][:10] < moved[:10]


# --- Transactions

#: A portal's credentials, a way to ask, and somebody to answer.
TOKEN_SERVER = {
    "onegini": {
        "oauth": {
            "clients": [{
                "client_id": "portal-api", "client_secret": "portal-api-secret", "kind": "api", "grant_types": [],
                "scope": "onegini_api_mobile_authentication"}],
            "users": [{"sub": "ada"}],
        },
        "mobile_authentication": {"enabled": True, "types": [{"name": "qr-code", "method": "OTP"}]},
    },
}


@pytest.fixture
def portal(make_world):
    """A world with a token server, and a function that starts a transaction there: its id and its one-time password."""
    world = make_world(fixtures=TOKEN_SERVER)

    def begin(message):
        form = {"type": "qr-code", "message": message, "callback_uri": "http://localhost:9/callback"}
        started = requests.post(
            f"{world.url}/oauth/api/v4/authenticate/user", data=form, auth=("portal-api", "portal-api-secret"), timeout=30)
        assert started.status_code == 200, started.text
        return started.json()["transaction_id"], started.json()["otp"]

    world.begin = begin
    return world


def test_a_transaction_appears_in_the_open_page_and_is_confirmed_there(portal, browse):
    page = browse(f"{portal.url}/transactions")
    playwright.expect(page.locator("#transactions-empty .shell")).to_contain_text(f"--world {portal.name}")
    page.evaluate("window.untouched = true")

    identifier, _ = portal.begin("Log in?")
    line = page.locator("#transactions .record").first
    playwright.expect(line.locator(".subject")).to_have_text("Log in?")
    playwright.expect(line.locator(".outcome")).to_have_text("waiting")
    playwright.expect(line.locator(".left")).to_have_text(re.compile(r"^\d+ s left$"))
    line.locator(".subject").click()
    assert page.url == f"{portal.url}/transactions/{identifier}"
    inside = page.frame_locator(".pane iframe")
    # Nobody has a device here: the reason is told, and nothing has changed.
    inside.get_by_role("button", name="Confirm").click()
    playwright.expect(inside.locator(".refusal")).to_contain_text("confirm:ada")
    portal.control("POST", f"/transactions/{identifier}/confirm:ada")
    playwright.expect(inside.locator(".standing .outcome")).to_have_text("confirmed by ada")
    playwright.expect(line.locator(".outcome")).to_have_text("confirmed by ada")
    assert page.evaluate("window.untouched") is True
    assert portal.get(f"/transactions/{identifier}")["state"] == "AUTHENTICATED"


def test_a_transaction_expires_in_the_open_page(portal, browse):
    portal.begin("Log in?")
    page = browse(f"{portal.url}/transactions")
    portal.advance(301)
    playwright.expect(page.locator("#transactions .outcome").first).to_have_text("expired")


def test_a_transaction_is_denied_without_javascript(portal, browse):
    identifier, otp = portal.begin("Log in?")
    page = browse(f"{portal.url}/transactions", java_script_enabled=False)
    page.get_by_role("link", name="Log in?").click()
    assert otp in page.locator("main").inner_text()
    page.get_by_role("button", name="Deny").click()
    assert page.locator(".refusal").inner_text().startswith("No user is enrolled")
    page.get_by_role("button", name="Expire").click()
    assert page.url == f"{portal.url}/transactions/{identifier}"
    assert page.locator(".standing .outcome").inner_text() == "expired"


@needs_zbar
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_scanner_reads_the_code_off_the_page(portal, browse, scheme):
    _, otp = portal.begin("Log in?")
    page = browse(f"{portal.url}/transactions", color_scheme=scheme)
    page.locator("#transactions .subject").first.click()
    page.frame_locator(".pane iframe").locator(".symbol svg").wait_for()
    assert read(page.screenshot()).decode() == otp


def test_the_pages_of_transactions_owe_their_readers_the_same(portal, browse):
    for _ in range(2):
        identifier, _ = portal.begin("Log in to " + "a-portal-with-a-very-long-name" * 3 + "?")
    portal.control("POST", f"/transactions/{identifier}/deny:ada")
    places = ["/transactions"] + [f"/transactions/{one['id']}" for one in portal.get("/transactions")["transactions"]]
    for scheme, place in [(scheme, place) for scheme in ("light", "dark") for place in places]:
        page = browse(portal.url + place, color_scheme=scheme)
        assert found(page, CONTRAST) == []
        assert found(page, UNNAMED) == []
        for width in (320, 360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert overflow(page) == 0, (place, width)
    assert len(places) == 3


# --- Safe, and ours alone


@pytest.mark.parametrize("scripted", [True, False])
def test_what_clients_send_is_shown_as_text(world, story, browse, scripted):
    page = browse(f"{world.url}/journal", java_script_enabled=scripted)
    assert page.locator("main img").count() == 0
    assert page.title() != "owned"
    seen = 0
    for entry in world.journal(kind="request"):
        page.goto(f"{world.url}/journal/{entry['id']}")
        seen += page.locator(".body", has_text="onerror").count()
        assert page.locator("main img").count() == 0
        assert page.title() != "owned"
    assert seen > 0


def test_a_request_copied_for_the_shell_runs_nothing_else(world, hanko, browse):
    requests.request("A|ID", f"{world.hanko}/me", timeout=30)
    page = browse(f"{world.url}/journal")
    page.locator("#entries .entry .target").first.click()
    command = page.frame_locator(".pane iframe").locator("pre.shell").first
    command.wait_for()
    assert command.inner_text().startswith("curl -X 'A|ID' 'http://")


def test_pages_have_a_strict_policy_and_load_nothing_from_elsewhere(server, pages, chromium):
    context = chromium.new_context()
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    for name, url in pages.items():
        page = context.new_page()
        policy = page.goto(url).headers["content-security-policy"]
        # A browser allows six connections to a host, and live pages keep theirs.
        page.close()
        assert "default-src 'none'" in policy and "unsafe" not in policy, name
        assert "frame-ancestors" in policy and "base-uri 'none'" in policy, name
    context.close()
    assert [url for url in asked if not url.startswith(server.url)] == []


def test_the_html_of_a_message_stands_in_a_sandbox(pages, browse):
    page = browse(pages["html"])
    assert page.locator("iframe").get_attribute("sandbox") == ""
    answer = requests.get(page.locator("iframe").evaluate("frame => frame.src"), timeout=5)
    assert "sandbox" in answer.headers["content-security-policy"]


# --- Without JavaScript


def test_every_page_is_readable_without_javascript(world, pages, story, browse):
    shown = {name: browse(url, java_script_enabled=False).locator("main").inner_text()
             for name, url in pages.items()}

    assert world.get("/info")["people"][0]["email"] in shown["home"] and world.hanko in shown["home"]
    assert story["code"] in shown["outbox"] and story["code"] in shown["mail"] and "Message-ID: <" in shown["raw"]
    assert story["subject"] in shown["outbox"] and story["subject"] in shown["mail"]
    assert "/hanko/passcode/login/finalize" in shown["journal"] and "401" in shown["journal"]
    assert "content-type" in shown["entry"].lower() and "curl" in shown["entry"]
    assert "999999" in shown["not found"]
    assert "Login of story@example.com by passcode" in shown["flows"] and "Nothing answers at" in shown["flow"]


class Shapes(HTMLParser):
    """Every element below <main>, as tag and classes."""

    def __init__(self, text):
        super().__init__()
        self.found = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.add((tag, dict(attributes).get("class", "")))


def test_the_server_writes_the_markup_that_the_scripts_and_styles_know(pages):
    known = set().union(*(Shapes(file.read_text()).found for file in HERE.glob("console_fragments/*.html")))
    known |= {("span", f"outcome {name}") for name in ("good", "moved", "refused", "broken", "bug")}
    known |= {("p", f"sentence {name}") for name in ("good", "moved", "refused", "broken", "bug", "told")}
    # What opens a menu with the main thing to do, and a body that is no JSON.
    known |= {("summary", "primary")}
    known |= {("pre", "body")}
    # No fragment has been written for flows; FlowTests look at their markup.
    for name, url in [page for page in pages.items() if page[0] not in ("flows", "flow")]:
        main = re.search(r"<main.*?>(.*)</main>", requests.get(url, headers={"Accept": "text/html"}, timeout=5).text, re.S).group(1)
        assert Shapes(main).found - known == set(), name


# --- For every reader


def unfold(page):
    """Shows what can be shown, so that it is judged as well."""
    if page.locator("#faults").count():
        page.locator("main summary").click()
    page.get_by_role("button", name="Keyboard shortcuts").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(pages, browse, scheme):
    grounds = set()
    for name, url in pages.items():
        page = browse(url, color_scheme=scheme)
        unfold(page)
        assert found(page, CONTRAST) == [], name
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    red = int(re.search(r"\d+", grounds.pop()).group())
    assert red > 200 if scheme == "light" else red < 60


def test_every_control_has_a_name_and_headings_skip_no_level(pages, browse):
    for name, url in pages.items():
        page = browse(url)
        assert found(page, UNNAMED) == [], name


@pytest.mark.parametrize("scripted", [True, False])
def test_no_page_scrolls_sideways(pages, browse, scripted):
    for name, url in pages.items():
        page = browse(url, java_script_enabled=scripted)
        for width in (320, 360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert overflow(page) == 0, (name, width)


def test_no_long_word_of_an_explanation_widens_a_page(world, browse):
    flow = App(world).flow("login").through(
        ("continue_with_login_identifier", {"email": "a" * 60 + "@example.com"}), "continue_to_passcode_confirmation")
    flow.run("verify_passcode", code="000000")
    for place in "/", "/journal", "/outbox", "/devices":
        page = browse(world.url + place)
        for width in (320, 360, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert overflow(page) == 0, (place, width)


def test_the_keyboard_reaches_everything_and_shows_where_it_is(pages, browse):
    for name, url in pages.items():
        page = browse(url)
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip", name
        for _ in range(12):
            page.keyboard.press("Tab")
            ring = page.evaluate("""() => {
                const node = document.activeElement;
                const shown = [node, node.closest('li')].filter(Boolean).map((one) => getComputedStyle(one));
                return node === document.body || node.matches('iframe') || shown.some((style) => style.outlineStyle !== 'none');
            }""")
            assert ring, (name, page.evaluate("document.activeElement.outerHTML"))


def test_the_pages_of_a_world_stay_in_that_world(world, pages, browse):
    for name, url in pages.items():
        page = browse(url)
        links = page.evaluate("[...document.querySelectorAll('a[href]:not(.skip, .others a, .world-row a)')].map((link) => new URL(link.getAttribute('href'), location).href)")
        assert [link for link in links if not link.startswith(world.url + "/")] == [], name
