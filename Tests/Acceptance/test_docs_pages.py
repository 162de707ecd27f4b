"""The documentation as pages of the console: the same as another reader of Markdown makes of it."""

import re
from html.parser import HTMLParser

import pytest
import requests
from markdown_it import MarkdownIt

from accessibility import overflow
from snippets import PAGES

NAMES = [name.removesuffix(".md") for name in PAGES if name != "README.md"]
TAGS = {"h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "table", "tr", "th", "td", "pre", "blockquote", "code", "em", "strong", "a", "img"}


class Outline(HTMLParser):
    """What a reader sees: elements and words in their order, without attributes but those of links."""

    def __init__(self, html):
        super().__init__()
        self.seen, self.pre, self.hrefs = [], False, []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "pre":
            self.pre = True
        # One has code inside of pre and the other has not.
        if tag in TAGS and not (tag == "code" and self.pre):
            self.seen.append(f"<{tag}>")
        if tag == "a":
            self.hrefs.append(dict(attributes).get("href"))

    def handle_endtag(self, tag):
        if tag in TAGS and not (tag == "code" and self.pre):
            self.seen.append(f"</{tag}>")
        if tag == "pre":
            self.pre = False

    def handle_data(self, text):
        words = text.strip("\n") if self.pre else " ".join(text.split())
        if words:
            self.seen.append(words)


def tidy(outline):
    """Without links, which differ on purpose, without the empty heads of tables, and with neighbouring words in one."""
    text = "\n".join(item for item in outline.seen if item not in ("<a>", "</a>"))
    text = re.sub(r"<tr>\n(?:<th>\n</th>\n)+</tr>\n", "", text)
    return " ".join(text.replace("\n", " ").split())


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_what_another_reader_of_markdown_reads(server, name):
    page = requests.get(f"{server.url}/docs/{name}", timeout=30)
    assert page.status_code == 200
    shown = re.search(r'<article class="doc">(.*)</article>', page.text, re.DOTALL).group(1)
    source = requests.get(f"{server.url}/docs/{name}.md", timeout=30).text
    read = MarkdownIt("commonmark").enable("table").render(source)
    ours, theirs = Outline(shown), Outline(read)
    assert tidy(ours) == tidy(theirs)
    # Every link leads to the page that it leads to on a forge; what is no page of the program is words alone.
    led = [href for href in theirs.hrefs if not href.startswith("../") or href.endswith(".js")]
    assert len(ours.hrefs) == len(led)
    for href, ours_href in zip(led, ours.hrefs):
        if re.match(r"[a-z-]+\.md", href):
            href = "/docs/" + href.replace(".md", "") if href != "index.md" else "/docs"
            assert ours_href == href
        if ours_href.startswith("/"):
            assert requests.get(server.url + ours_href, timeout=30).status_code == 200


def test_code_is_copied_to_the_letter(browse, server):
    page = browse(f"{server.url}/docs/start")
    blocks = page.locator("article pre").all_text_contents()
    source = PAGES["start.md"].read_text()
    assert len(blocks) == source.count("```") // 2 and all(block.lstrip("\n") in source for block in blocks)
    assert page.locator("article button.copy").count() == len(blocks)


@pytest.mark.parametrize("width, scheme", [(360, "dark"), (1280, "light")])
def test_pages_fit_the_screen(chromium, server, width, scheme):
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()
    for name in NAMES:
        page.goto(f"{server.url}/docs/{name}")
        assert overflow(page) == 0, name
    context.close()


#: Words of tables that stand on more than one line, where no hyphen or slash parted them.
BROKEN = """() => [...document.querySelectorAll(".doc :is(td, th)")].flatMap((cell) => {
    const found = [], walk = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        for (const word of walk.currentNode.data.matchAll(/[A-Za-z0-9_]{2,}/g)) {
            const range = document.createRange();
            range.setStart(walk.currentNode, word.index);
            range.setEnd(walk.currentNode, word.index + word[0].length);
            if (new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1) found.push(word[0]);
        }
    }
    return found;
})"""


def test_tables_break_no_word_on_a_phone(chromium, server):
    context = chromium.new_context(viewport={"width": 360, "height": 800})
    page = context.new_page()
    broken = {}
    for name in NAMES:
        page.goto(f"{server.url}/docs/{name}")
        broken[name] = page.evaluate(BROKEN)
    context.close()
    assert {name: words for name, words in broken.items() if words} == {}


def test_the_fixtures_reference_is_filtered(browse, server):
    page = browse(f"{server.url}/docs/fixtures-hanko")
    rows = page.locator(".doc td:first-child")
    everything = rows.count()
    page.get_by_label("Filter").fill("passcode_ttl seconds")
    left = [rows.nth(index).text_content() for index in range(everything) if rows.nth(index).is_visible()]
    assert left == ["passcode_ttl"]
    assert page.locator(".doc-filter output").text_content() == "1 member"
    assert page.locator(".doc h3").filter(visible=True).count() == 1
    page.get_by_label("Filter").fill("no such member")
    assert page.locator(".doc-filter output").text_content() == "0 members" and page.locator(".doc :is(h2, h3)").filter(visible=True).count() == 0
    page.get_by_label("Filter").fill("")
    assert page.locator(".doc td:first-child").filter(visible=True).count() == everything
    # Elsewhere there is none.
    assert browse(f"{server.url}/docs/start").get_by_label("Filter").count() == 0


def test_the_whole_documentation_is_searched_in_the_page(browse, server):
    page = browse(f"{server.url}/docs/start")
    field, hits = page.get_by_label("Search the documentation"), page.locator(".docs-hits li")
    field.fill("testcontainers kotlin")
    hits.first.wait_for()
    assert hits.count() == 1 and page.locator(".docs-list h2").filter(visible=True).count() == 0
    field.fill("qwertyuiop")
    page.get_by_text("No section has these words").wait_for()
    field.fill("testcontainers kotlin")
    hits.first.wait_for()
    hits.first.locator("a").click()
    assert page.url == f"{server.url}/docs/ci#with-testcontainers"
    page.get_by_label("Search the documentation").fill("")
    assert page.locator(".docs-list h2").first.is_visible()


#: What stands before the paths of a platform that a page leaves away.
MOUNTS = ["", "/_understudy/v1", "/hanko", "/hanko-admin", "/oauth", "/miracl", "/nextauth/api", "/passkeyapi", "/powerauth-java-server", "/powerauth-push-server"]
BASES = ["", "/_understudy/v1", "/api", "/app", "/enrollment-server", "/hanko", "/hanko-admin", "/miracl", "/nextauth", "/oauth",
         "/passkeyapi", "/passkeyapi-admin", "/powerauth-cloud", "/powerauth-java-server", "/powerauth-java-server/rest/v4",
         "/powerauth-push-server", "/user-data-store", "/nextauth/api", "/nextauth/device/v1", "/oauth/sdk/v1",
         # Of a resource server of the reader's own.
         "/resources"]


def addresses_of(page):
    """Every path of the program that a page names, in a sentence or a block."""
    text = PAGES[page].read_text()
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    found = re.findall(r"`(?:GET |POST |PUT |PATCH |DELETE )?(/[^`]*)`", prose) + re.findall(r"localhost:8420(/[^\s'\"`|)]*)", text)
    return sorted({re.sub(r"[?#].*", "", path) for path in found})


def answers(session, address):
    """Whether a route of the program has this address; a method that it does not take is one too."""
    answer = session.get(address, headers={"X-Understudy-Explain": "1"}, timeout=30, stream=True, allow_redirects=False)
    with answer:
        said = answer.headers.get("X-Understudy-Explanation", "") + (answer.text if answer.status_code == 404 else "")
    return "Nothing answers at" not in said and "There is no call" not in said


#: Their paths begin behind the base of a device protocol, and are held by its document.
DEVICES = ("onegini-device.md", "nextauth-device.md")


#: At the root of a world whose settings say `root_paths`, and tried in such a world by test_oauth_lost.py.
ROOT_PATHS = {"/authorize", "/oauth/token", "/userinfo", "/v2/logout"}


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("proxies.md", *DEVICES) and not (page.startswith("fixtures-"))])
def test_the_addresses_on_a_page_are_those_of_the_program(server, page):
    with requests.Session() as session:
        for path in addresses_of(page):
            # What stands for something else, in a shell or in a sentence.
            plain = re.sub(r"\$\w+$|…$|[;,]$", "", path)
            plain = re.sub(r"\{\w+\}|\b[A-Z]{2,}\b", "x", plain)
            plain = re.sub("^/w/(x|blue)", "", plain).rstrip("/")
            # The base address of a platform or of the control API is no route of its own.
            # Twilio's is there on request alone; the commands for text messages are tried where they are pasted.
            if plain not in {*BASES, *ROOT_PATHS} and not plain.startswith("/twilio"):
                assert any(answers(session, server.url + mount + plain) for mount in MOUNTS), f"{page}: {path}"
