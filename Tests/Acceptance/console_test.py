"""The console in a real browser: a login with the outbox open, and what every page owes its readers.

Needs Chromium (`chromium` on the path) and the environment variable UNDERSTUDY_BINARY.
"""

import os
import re
import shutil
import subprocess
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

import pytest
import requests

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")

HERE = Path(__file__).parent
CHROMIUM = shutil.which("chromium")
BINARY = os.environ.get("UNDERSTUDY_BINARY")
HOSTILE = "<img src=x onerror=\"document.title='owned'\">"

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason="chromium is not on the path"),
    pytest.mark.skipif(not BINARY, reason="UNDERSTUDY_BINARY does not name the program"),
]


@contextmanager
def running(port=0):
    """Base URL of a fresh program; 0 is any free port."""
    with subprocess.Popen([BINARY, "serve", "--port", str(port)], stdout=subprocess.PIPE, text=True) as process:
        try:
            ready = next(line for line in process.stdout if line.startswith("ready "))
            yield ready.split()[1].rstrip("/")
        finally:
            process.terminate()
    assert process.returncode == 0


@pytest.fixture(scope="module")
def server():
    with running() as url:
        yield url


@pytest.fixture(scope="module")
def chromium():
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def browse(chromium):
    """A function that goes to an address, in the same window as long as the options are the same; the address as the user
    would find it, with scripts started and streams open. Whatever the browser complains of fails the test."""
    windows, complaints = {}, []

    def listen(message):
        # Chromium tells a page that is not found, and a server that is gone, as errors; tests want both.
        if message.type in ("error", "warning") and not re.search("status of 404|net::ERR_", message.text):
            complaints.append(message.text)

    def window(**options):
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", **options)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", listen)
        return page

    def go(url, **options):
        if str(options) not in windows:
            windows[str(options)] = window(**options)
        page = windows[str(options)]
        page.goto(url)
        if options.get("java_script_enabled", True):
            page.locator(".clock").wait_for(state="attached")
            if page.locator("#mails, #entries, #codes").count():
                page.locator(".light[data-state=live]").wait_for()
        return page

    yield go
    for page in windows.values():
        page.context.close()
    assert complaints == []


def control(server, path):
    return f"{server}/_understudy/v1/{path}"


def person(server, index=0):
    return requests.get(control(server, "info"), timeout=5).json()["people"][index]


def start_login(server, who):
    user = requests.post(f"{server}/hanko/user", json={"email": who["email"]}, timeout=5).json()["id"]
    answer = requests.post(f"{server}/hanko/passcode/login/initialize", json={"user_id": user}, timeout=5)
    assert answer.status_code == 200, answer.text
    return answer.json()["id"]


def finish_login(server, passcode_id, code):
    return requests.post(
        f"{server}/hanko/passcode/login/finalize", json={"id": passcode_id, "code": code}, timeout=5)


def newest_message(server):
    return requests.get(control(server, "outbox"), params={"limit": 1}, timeout=5).json()["messages"][0]


@pytest.fixture(scope="module")
def story(server):
    """Something on every page: a mail, a login refused, and a request full of markup."""
    passcode = start_login(server, person(server, 1))
    refused = finish_login(server, passcode, "000000" if newest_message(server)["code"] != "000000" else "000001")
    assert refused.status_code == 401
    requests.post(f"{server}/hanko/user", data=HOSTILE, headers={"X-Odd": HOSTILE}, timeout=5)
    requests.get(f"{server}/hanko/" + requests.utils.quote(HOSTILE), timeout=5)
    return newest_message(server)


@pytest.fixture
def pages(server, story):
    return {
        "home": f"{server}/",
        "outbox": f"{server}/outbox",
        "mail": f"{server}/outbox/{story['id']}",
        "html": f"{server}/outbox/{story['id']}?view=html",
        "raw": f"{server}/outbox/{story['id']}?view=raw",
        "journal": f"{server}/journal",
        "not found": f"{server}/outbox/999999",
    }


# --- The login


def test_a_passcode_arrives_in_the_open_outbox_and_finishes_the_login(server, browse):
    page = browse(f"{server}/outbox", permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("window.untouched = true")
    who = person(server)

    passcode = start_login(server, who)
    row = page.locator("#mails .mail").first
    playwright.expect(row).to_contain_text(who["email"])
    row.get_by_role("button", name=re.compile("^Copy ")).click()
    playwright.expect(row.locator(".copy")).to_have_text("Copied")
    code = page.evaluate("navigator.clipboard.readText()")

    assert code == newest_message(server)["code"]
    assert page.evaluate("window.untouched") is True
    assert finish_login(server, passcode, code).headers["X-Auth-Token"].count(".") == 2


def test_a_refusal_shows_its_reason_in_the_open_journal(server, story, browse):
    page = browse(f"{server}/journal")
    refused = finish_login(server, "00000000-0000-4000-8000-000000000000", "123456")

    row = page.locator("#entries .entry").first
    playwright.expect(row.locator(".outcome")).to_have_text(str(refused.status_code))
    assert row.locator(".why").first.inner_text().endswith(".")

    row.locator("summary").click()
    assert "00000000-0000-4000-8000-000000000000" in row.locator(".body").first.inner_text()


def test_the_outbox_is_searched_as_one_types(server, story, browse):
    page = browse(f"{server}/outbox")
    page.keyboard.press("/")
    page.keyboard.type("no such message")
    playwright.expect(page.locator("#mails-nothing")).to_be_visible()

    page.locator("input[type=search]").fill(story["to"]["address"])
    playwright.expect(page.locator("#mails .mail").first).to_contain_text(story["to"]["address"])


def test_keys_walk_the_list_and_open_a_message(server, story, browse):
    page = browse(f"{server}/outbox")
    page.locator("#mails .mail").first.wait_for()
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    playwright.expect(page.locator("article.letter")).to_be_visible()
    page.locator(".clock").wait_for()

    page.keyboard.press("g")
    page.keyboard.press("j")
    page.wait_for_url("**/journal")


def test_a_lost_connection_is_told_and_taken_up_again(browse):
    with running() as url:
        page = browse(f"{url}/outbox")
        start_login(url, person(url))
        playwright.expect(page.locator("#mails .mail")).to_have_count(1)
    playwright.expect(page.locator("#lost")).to_contain_text("lost")

    with running(url.rsplit(":", 1)[1]) as url:
        page.get_by_role("button", name="Try now").click()
        playwright.expect(page.locator("#lost")).to_be_hidden()
        playwright.expect(page.locator("#mails-empty")).to_be_visible()
        start_login(url, person(url, 1))
        playwright.expect(page.locator("#mails .mail")).to_contain_text(person(url, 1)["email"])


def test_the_clock_is_moved_from_the_home_page(server, story, browse):
    page = browse(f"{server}/")
    before = requests.get(control(server, "clock"), timeout=5).json()["now"]
    page.get_by_role("button", name="+1 day").click()
    playwright.expect(page.locator(".ticket .expiry").first).to_have_class(re.compile("over"))
    after = requests.get(control(server, "clock"), timeout=5).json()["now"]
    page.get_by_role("button", name="Real time").click()

    assert after[:10] > before[:10]


# --- Safe, and ours alone


@pytest.mark.parametrize("scripted", [True, False])
def test_what_clients_send_is_shown_as_text(server, story, browse, scripted):
    page = browse(f"{server}/journal", java_script_enabled=scripted)
    for summary in page.locator("#entries summary").all():
        summary.click()
    bodies = page.locator("#entries .body", has_text="onerror")
    playwright.expect(bodies.first).to_be_visible()
    assert page.locator("main img").count() == 0
    assert "owned" not in page.title()


def test_pages_have_a_strict_policy_and_load_nothing_from_elsewhere(server, pages, chromium):
    context = chromium.new_context()
    asked = []
    context.on("request", lambda request: asked.append(request.url))
    for name, url in pages.items():
        policy = context.new_page().goto(url).headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy, name
        assert "frame-ancestors" in policy and "base-uri 'none'" in policy, name
    context.close()
    assert [url for url in asked if not url.startswith(server)] == []


def test_the_html_of_a_message_stands_in_a_sandbox(server, pages, browse):
    page = browse(pages["html"])
    assert page.locator("iframe").get_attribute("sandbox") == ""
    answer = requests.get(page.locator("iframe").evaluate("frame => frame.src"), timeout=5)
    assert "sandbox" in answer.headers["content-security-policy"]


# --- Without JavaScript


def test_every_page_is_readable_without_javascript(server, pages, story, browse):
    shown = {name: browse(url, java_script_enabled=False).locator("main").inner_text()
             for name, url in pages.items()}

    assert person(server)["email"] in shown["home"] and f"{server}/hanko" in shown["home"]
    assert story["code"] in shown["outbox"] and story["code"] in shown["mail"] and story["code"] in shown["raw"]
    assert story["subject"] in shown["outbox"] and story["subject"] in shown["mail"]
    assert "/hanko/passcode/login/finalize" in shown["journal"] and "401" in shown["journal"]
    assert "999999" in shown["not found"]


class Shapes(HTMLParser):
    """Every element below <main>, as tag and classes."""

    def __init__(self, text):
        super().__init__()
        self.found = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.add((tag, dict(attributes).get("class", "")))


def test_the_server_writes_the_markup_that_the_scripts_and_styles_know(server, pages):
    known = set().union(*(Shapes(file.read_text()).found for file in HERE.glob("console_fragments/*.html")))
    known |= {("span", f"outcome {name}") for name in ("good", "moved", "refused", "broken", "bug")}
    for name, url in pages.items():
        main = re.search(r"<main.*?>(.*)</main>", requests.get(url, timeout=5).text, re.S).group(1)
        assert Shapes(main).found - known == set(), name


# --- For every reader

CONTRAST = """() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const over = (top, below) => Object.fromEntries(['r', 'g', 'b'].map((c) => [c, top[c] * top.a + below[c] * (1 - top.a)]));
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = (node) => {
    const own = parse(getComputedStyle(node).backgroundColor);
    return own.a === 1 ? own : over(own, node.parentElement ? ground(node.parentElement) : { r: 255, g: 255, b: 255 });
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    const style = getComputedStyle(node);
    if (!walker.currentNode.data.trim() || !node.checkVisibility() || node.closest('.quiet, :disabled')) continue;
    const below = ground(node);
    const [high, low] = [light(over(parse(style.color), below)), light(below)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) poor.push(`${ratio.toFixed(2)} ${walker.currentNode.data.trim()}`);
  }
  return poor;
}"""

UNNAMED = """() => {
  const byID = (ids) => ids.split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ');
  const name = (node) => node.ariaLabel || byID(node.getAttribute('aria-labelledby') ?? '') || node.alt || node.title
    || [...(node.labels ?? [])].map((label) => label.textContent).join(' ') || (node.matches('input, select') ? '' : node.textContent);
  const controls = [...document.querySelectorAll('a, button, input, select, iframe, summary, nav, dialog, section')];
  const nameless = controls.filter((node) => !name(node).trim()).map((node) => node.outerHTML.slice(0, 120));
  const images = [...document.querySelectorAll('img:not([alt])')].map((node) => node.outerHTML);
  const ids = [...document.querySelectorAll('[id]')].map((node) => node.id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  const levels = [...document.querySelectorAll('main :is(h1, h2, h3, h4)')].filter((h) => h.checkVisibility()).map((h) => Number(h.tagName[1]));
  const skipped = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
  const titles = document.querySelectorAll('h1').length === 1 && document.documentElement.lang === 'en' ? [] : ['one h1, a language'];
  return [...nameless, ...images, ...twice, ...skipped, ...titles];
}"""


def unfold(page):
    """Shows what can be shown, so that it is judged as well."""
    if page.locator("#entries .entry").count():
        for summary in page.locator("#entries summary").all()[:5]:
            summary.click()
    page.get_by_role("button", name="Keys").click()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_enough_contrast(pages, browse, scheme):
    grounds = set()
    for name, url in pages.items():
        page = browse(url, color_scheme=scheme)
        unfold(page)
        assert page.evaluate(CONTRAST) == [], name
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    red = int(re.search(r"\d+", grounds.pop()).group())
    assert red > 200 if scheme == "light" else red < 60


def test_every_control_has_a_name_and_headings_skip_no_level(pages, browse):
    for name, url in pages.items():
        page = browse(url)
        assert page.evaluate(UNNAMED) == [], name


@pytest.mark.parametrize("scripted", [True, False])
def test_no_page_scrolls_sideways(pages, browse, scripted):
    for name, url in pages.items():
        page = browse(url, java_script_enabled=scripted)
        for width in (320, 360, 768, 1280):
            page.set_viewport_size({"width": width, "height": 740})
            assert page.locator("html").evaluate("root => root.scrollWidth - root.clientWidth") == 0, (name, width)


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


def test_the_pages_of_a_world_stay_in_that_world(server, browse):
    made = requests.post(control(server, "worlds"), json={"name": "console-test"}, timeout=5)
    assert made.status_code == 201, made.text
    base = f"{server}/w/console-test"
    page = browse(f"{base}/outbox")

    playwright.expect(page.locator("#mails-empty .shell")).to_contain_text(f"{base}/hanko")
    start_login(base, person(base))
    playwright.expect(page.locator("#mails .mail")).to_have_count(1)
    links = page.evaluate("[...document.querySelectorAll('a:not(.skip)')].map((link) => link.href)")
    requests.delete(control(server, "worlds/console-test"), timeout=5)

    assert [link for link in links if not link.startswith(base)] == []
    assert requests.get(f"{base}/outbox", timeout=5).status_code == 404
