"""What is refused outside of the platforms: a page for a browser, JSON for programs. Sources: RFC 9110 §12.5.1, RFC 9457."""

import pytest
import requests

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize("scripts", [True, False])
def test_a_form_over_its_limit_says_so_and_going_back_finds_what_was_typed(browse, world, scripts):
    page = browse(f"{world.url}/mint", java_script_enabled=scripts)
    claims = '{"note": "' + "x" * 70_000 + '"}'
    page.locator("textarea[name=claims]").first.fill(claims)
    page.locator("form:has(textarea[name=claims]) button[type=submit], form:has(textarea[name=claims]) button:not([type])").first.click()
    page.get_by_text("larger than the 65536 bytes").first.wait_for()
    if "Too much for this form" in page.content():
        page.go_back()
    assert page.locator("textarea[name=claims]").first.input_value() == claims


@pytest.mark.parametrize(("method", "path", "status", "words"), [
    ("POST", "/time", 413, "larger than the 4096 bytes"), ("POST", "/journal", 405, "does not accept POST"),
    ("POST", "/nowhere", 404, "Nothing answers at /nowhere"), ("GET", "/outbox?q=" + "x" * 300, 400, "at most 256 bytes"),
])
def test_a_browser_gets_a_page_and_a_program_json(world, method, path, status, words):
    body = "span=" + "x" * 5000 if status == 413 else None
    page = requests.request(method, world.url + path, headers=BROWSER | FORM, data=body, timeout=30)
    assert page.status_code == status and page.headers["Content-Type"] == "text/html; charset=utf-8"
    assert words in page.text and "<h1>" in page.text
    told = requests.request(method, world.url + path, headers=FORM, data=body, timeout=30)
    assert told.status_code == status and told.headers["Content-Type"] == "application/problem+json"
    assert words in told.json()["detail"]


def test_a_host_that_is_not_ours_is_a_page(server):
    answer = requests.get(server.url + "/", headers=BROWSER | {"Host": "understudy.example.com"}, timeout=30)
    assert answer.status_code == 421 and "--allow-host understudy.example.com" in answer.text
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
