"""What is refused outside of the platforms: a page for a browser, JSON for programs. Sources: RFC 9110 §12.5.1, RFC 9457."""

import pytest
import requests

BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


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
