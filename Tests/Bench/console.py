"""The console in Chromium: how soon the journal is there, and whether the page stays smooth while requests stream in; how soon a long flow is drawn."""

import json
import shutil
import threading
import time

from tools import Connection, median, understudy

ENTRIES = 10_000
STREAMED = 1_500
ARROWS = 200
CONTROL = "/_understudy/v1"
OFFICE = {"Authorization": "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0"}

#: Milliseconds between two frames, from now on.
WATCH_FRAMES = """() => {
  window.gaps = [];
  let before = performance.now();
  const look = (now) => { window.gaps.push(now - before); before = now; window.watching = requestAnimationFrame(look); };
  window.watching = requestAnimationFrame(look);
}"""


def fill(connection, count):
    """Requests of several kinds, a part of them refused."""
    for number in range(count):
        if number % 3:
            connection.call("POST", "/hanko/user", {"email": f"nobody-{number}@example.com"})
        else:
            connection.call("GET", f"/hanko/.well-known/jwks.json?n={number}")


def first_paint(browser, url):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(url, wait_until="commit")
    page.locator(".entry").first.wait_for()
    painted = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    while painted is None:
        time.sleep(0.02)
        painted = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
    return page, painted


def worst_frame(page, ours):
    """While requests stream in, as fast as the server takes them; and until the page shows the last."""
    page.locator(".light[data-state=live]").wait_for()
    page.wait_for_timeout(1000)
    page.evaluate(WATCH_FRAMES)

    def stream():
        with Connection(ours.port) as connection:
            fill(connection, STREAMED)
            connection.call("GET", "/hanko/.well-known/jwks.json?last=1")

    sender = threading.Thread(target=stream)
    sender.start()
    page.locator(".target", has_text="last=1").wait_for(timeout=60_000)
    sender.join()
    page.wait_for_timeout(500)
    return max(page.evaluate("() => { cancelAnimationFrame(window.watching); return window.gaps; }"))


def measure_console(table):
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("    left out: the Python package playwright is missing")
        return
    with understudy() as ours, Connection(ours.port) as connection, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        fill(connection, ENTRIES)
        page, painted = first_paint(browser, f"http://localhost:{ours.port}/journal")
        table.add(f"journal with {ENTRIES:,} entries, first paint", painted, "ms", bar=1000)
        table.add(f"  longest frame while {STREAMED:,} requests stream in", worst_frame(page, ours), "ms", bar=100)
        browser.close()


def measure_flows(table):
    with understudy() as ours, Connection(ours.port, OFFICE) as office:
        fill(office, ENTRIES // 4)
        operation = json.loads(office.expect(
            200, "POST", "/powerauth-cloud/v2/operations", {"template": "login", "userId": "ada"}))["operationId"]
        for number in range(ARROWS // 2 - 1):
            office.expect(200, "GET", f"/powerauth-cloud/v2/operations/{operation}?n={number}")
        flow = json.loads(office.expect(200, "GET", CONTROL + "/flows/last"))["flow"]["id"]
        times = []
        for _ in range(20):
            began = time.perf_counter()
            office.expect(200, "GET", f"{CONTROL}/flows/{flow}?format=svg")
            times.append((time.perf_counter() - began) * 1e3)
        table.add(f"flow of {ARROWS} arrows as SVG, median", median(times), "ms", bar=30)
