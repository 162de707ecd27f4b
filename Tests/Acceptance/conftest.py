"""Fixtures that start the program, give each test a world of its own, and always stop what they started."""

import itertools
import shutil

import pytest
import requests

from oauth_browser import Browser, Receiver
from understudy import BINARY, CONTROL, Client, Server, World

numbers = itertools.count(1)


def pytest_report_header():
    return f"binary: {BINARY}"


def pytest_sessionstart():
    if not BINARY.exists():
        pytest.exit(f"{BINARY} is not there; build it with swift build, or name another in UNDERSTUDY_BINARY", 2)


@pytest.fixture
def start():
    """Starts a program with the given options of `serve`; it ends with the test."""
    started = []

    def start(*options, **settings):
        started.append(Server(*options, **settings))
        return started[-1]

    yield start
    for server in started:
        server.stop()


@pytest.fixture(scope="session")
def server():
    """One program for all tests that need nothing special of it."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def make_world(server):
    """Makes worlds in the shared program; they go with the test."""
    made = []

    def make(**order):
        order.setdefault("name", f"test-{next(numbers)}")
        answer = requests.post(server.url + CONTROL + "/worlds", json=order, timeout=30)
        assert answer.status_code == 201, answer.text
        made.append(World(answer.json()["name"], answer.json()["baseURL"]))
        return made[-1]

    yield make
    for world in made:
        requests.delete(server.url + CONTROL + "/worlds/" + world.name, timeout=30)


@pytest.fixture
def world(make_world):
    return make_world()


@pytest.fixture
def hanko(world):
    return Client(world.hanko)


@pytest.fixture
def issuer(world):
    return world.oauth


@pytest.fixture
def browser():
    """Somebody new at a browser, logged in nowhere."""
    return Browser()


@pytest.fixture
def receiver():
    """A server of the client's own, for what the program sends there."""
    receiver = Receiver()
    yield receiver
    receiver.stop()


@pytest.fixture(scope="module")
def chromium():
    """A real browser without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")
    if not (path := shutil.which("chromium")):
        pytest.skip("chromium is not on the path")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
