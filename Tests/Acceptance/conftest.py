"""Fixtures that start the program, give each test a world of its own, and always stop what they started."""

import datetime
import ipaddress
import itertools
import re
import shutil

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from oauth_browser import Browser, Receiver
from compare_recordings import compare  # noqa: F401 - a fixture
from living_browser import LivingBrowser, in_time
from miracl_fixtures import *  # noqa: F403 - fixtures for those tests that ask for them
from powerauth_fixtures import *  # noqa: F403 - and these
from understudy import BINARY, CONTROL, Client, Server, World

numbers = itertools.count(1)


def pytest_addoption(parser):
    parser.addoption("--compare-with-itself", action="store_true",
                     help="play what each test asked in its world in a fresh one, and tell what differs")


def pytest_configure(config):
    if config.getoption("--compare-with-itself", False):
        import compare_with_itself
        compare_with_itself.configure(config)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol():
    with in_time():
        return (yield)


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
def server(request):
    """One program for all tests that need nothing special of it."""
    server = Server(*(["--log", "json"] if request.config.pluginmanager.has_plugin("compare-with-itself") else []))
    yield server
    server.stop()


@pytest.fixture
def make_world(server, request):
    """Makes worlds in the shared program; they go with the test."""
    made, itself = [], request.config.pluginmanager.get_plugin("compare-with-itself")

    def make(**order):
        order.setdefault("name", f"test-{next(numbers)}")
        answer = requests.post(server.url + CONTROL + "/worlds", json=order, timeout=30)
        assert answer.status_code == 201, answer.text
        made.append((World(answer.json()["name"], answer.json()["baseURL"]), order))
        return made[-1][0]

    yield make
    for world, order in made:
        if itself:
            itself.compare(server, world, order, request.node.nodeid)
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
        browser = LivingBrowser(lambda: driver.chromium.launch(executable_path=path, args=["--no-sandbox"]))
        yield browser
        browser.close()


@pytest.fixture
def browse(chromium):
    """A function that goes to an address, in the same window as long as the options are the same; the address as the user
    would find it, with scripts started and streams open. Whatever the browser complains of fails the test."""
    windows, complaints = {}, []

    def listen(message):
        # Chromium tells a page that is not found, a refusal, and a server that is gone, as errors; tests want all three.
        if message.type in ("error", "warning") and not re.search("status of 40[049]|net::ERR_", message.text):
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
            if page.locator("#mails, #entries, #codes, #transactions, #records, #faults, #flows, #drawing, #pieces").count():
                page.locator(".light[data-state=live]").wait_for()
        return page

    yield go
    for page in windows.values():
        page.context.close()
    assert complaints == []


@pytest.fixture
def window(chromium):
    """Opens windows; what a page complains of fails the test."""
    contexts, complaints = [], []

    def window(**options):
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type in ("error", "warning")
                and not re.search("status of 40[01]|favicon", message.text + message.location["url"])
                and complaints.append(message.text))
        return page

    yield window
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def app(receiver):
    """The address at which the application takes the browser back."""
    receiver.pages["/callback"] = "<!doctype html><title>The application</title><h1>Welcome back</h1>"
    return receiver.url + "/callback"


@pytest.fixture
def certificate(tmp_path):
    """Files of a self-made certificate for localhost and of its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256()))
    (tmp_path / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (tmp_path / "key.pem").write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return tmp_path / "cert.pem", tmp_path / "key.pem"
