"""The console in Chromium: how soon the journal is there, and whether the page stays smooth while requests stream in; how soon a long flow is drawn."""

import json
import shutil
import threading
import time

from tools import Connection, median, understudy

ENTRIES = 10_000
STREAMED = 3_000
ARROWS = 200
CONTROL = "/_understudy/v1"
OFFICE = {"Authorization": "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0"}

#: Pages that are looked at while requests stream in, each with what has to be there before.
PAGES = {"/journal": ".entry", "/outbox": "#mails, #mails-empty", "/": "#entries", "/flows": "#flows", "/transactions": "#transactions", "/devices": "#records"}

#: Milliseconds between two frames, and of each task that is longer than 50 (W3C Long Tasks API), from now on.
WATCH = """() => {
  window.gaps = [0];
  window.tasks = [0];
  let before = performance.now();
  const look = (now) => { window.gaps.push(now - before); before = now; window.watching = requestAnimationFrame(look); };
  window.watching = requestAnimationFrame(look);
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((task) => task.duration))).observe({ type: "longtask" });
}"""


def fill(connection, count):
    """Requests of several kinds, a part of them refused."""
    for number in range(count):
        if number % 3:
            connection.call("POST", "/hanko/user", {"email": f"nobody-{number}@example.com"})
        else:
            connection.call("GET", f"/hanko/.well-known/jwks.json?n={number}")


def first_paint(browser, url, part):
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(url, wait_until="commit")
    page.locator(part).first.wait_for(state="attached")
    painted = None
    while painted is None:
        painted = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime")
        time.sleep(0.02)
    return page, painted


def worst_moments(page, ours):
    """The longest frame and the longest task while requests stream in, as fast as the server takes them, and until the page has settled."""
    page.locator(".light[data-state=live]").wait_for()
    page.wait_for_timeout(1000)
    page.evaluate(WATCH)

    def stream():
        with Connection(ours.port) as connection:
            fill(connection, STREAMED)

    sender = threading.Thread(target=stream)
    sender.start()
    while sender.is_alive():
        page.wait_for_timeout(100)
    page.wait_for_timeout(1500)
    return page.evaluate("() => { cancelAnimationFrame(window.watching); return [Math.max(...window.gaps), Math.max(...window.tasks)]; }")


def measure_console(table):
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("    left out: the Python package playwright is missing")
        return
    with understudy() as ours, Connection(ours.port) as connection, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        fill(connection, ENTRIES)
        for path, part in PAGES.items():
            page, painted = first_paint(browser, f"http://localhost:{ours.port}{path}", part)
            table.add(f"{path} with {ENTRIES:,} entries, first paint", painted, "ms", bar=1000)
            frame, task = worst_moments(page, ours)
            table.add(f"  longest frame while {STREAMED:,} requests stream in", frame, "ms", bar=100)
            table.add("  longest task meanwhile", task, "ms", bar=100)
            page.close()
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
