"""What web pages have of nextAuth: the WebSocket, spoken by the library websockets, and the HTML blocks in a real browser."""

import contextlib
import re
import threading

import pytest
import requests
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ADA
from nextauth_server import link, new_nonce, url_safe
from understudy import until


@pytest.fixture
def open_socket(backend):
    """Opens web sockets; they close with the test."""
    with contextlib.ExitStack() as opened:
        yield lambda path="/ws": opened.enter_context(
            connect(backend.base.replace("http", "ws", 1) + path, proxy=None))


@pytest.fixture
def subject(backend):
    """How a message names a session."""
    return lambda nonce: f"{backend.session(nonce)['hsid']} {url_safe(backend.server_id)}"


def closed_with(socket):
    with pytest.raises(ConnectionClosed) as caught:
        for _ in range(1000):
            socket.recv(timeout=10)
    return caught.value.rcvd.code


@pytest.mark.parametrize("path", ["/ws", "/ns/sigmai"])
def test_several_sessions_on_one_socket(backend, sdk, open_socket, subject, path):
    one, other = new_nonce(), new_nonce()
    socket = open_socket(path)
    for nonce in (one, other):
        socket.send("REGISTER " + subject(nonce))
        assert socket.recv(timeout=10) == "LOGOUT " + subject(nonce)
    for nonce in (other, one):
        sdk.start_session(backend.login_code(nonce))
        assert socket.recv(timeout=10) == "CONFIRMSCAN " + subject(nonce)
        assert socket.recv(timeout=10) == "LOGIN " + subject(nonce)
    backend.log_out(other)
    assert socket.recv(timeout=10) == "LOGOUT " + subject(other)
    assert socket.recv(timeout=10) == "CANPROVOKE " + subject(other)


def test_a_message_in_fragments_with_a_ping_between(open_socket, subject):
    socket, nonce = open_socket(), new_nonce()
    text = "REGISTER " + subject(nonce)

    def pieces():
        yield text[:5]
        assert socket.ping().wait(10)
        yield text[5:40]
        yield text[40:]

    socket.send(pieces())
    assert socket.recv(timeout=10) == "LOGOUT " + subject(nonce)


@pytest.mark.parametrize("message, code", [
    pytest.param(b"REGISTER", 1003, id="binary"), pytest.param("x" * 4097, 1009, id="too big")])
def test_messages_that_are_none(open_socket, message, code):
    socket = open_socket()
    socket.send(message)
    assert closed_with(socket) == code


def test_nonsense_is_ignored(world, open_socket, subject):
    socket, nonce = open_socket(), new_nonce()
    for text in ("", "HELLO", "REGISTER", "LOGIN " + subject(nonce), "REGISTER x y", "x" * 4096):
        socket.send(text)
    socket.send("REGISTER " + subject(nonce))
    assert socket.recv(timeout=10) == "LOGOUT " + subject(nonce)
    events = [entry for entry in world.journal() if entry.get("event") == "web socket message ignored"]
    assert len(events) == 6
    socket.close()
    assert socket.close_code == 1000


def test_a_socket_has_room_for_a_hundred_sessions(open_socket, subject):
    socket, nonce = open_socket(), new_nonce()
    server = subject(nonce).split()[1]
    for number in range(101):
        socket.send(f"REGISTER {'A' * 40}{number // 26 % 26 + 65:c}{number % 26 + 65:c}A {server}")
    assert closed_with(socket) == 1008


def test_what_is_no_handshake(backend):
    answer = requests.get(backend.base + "/ws", timeout=30)
    assert answer.status_code == 426
    assert answer.headers["Upgrade"] == "websocket"


def test_a_missed_ping_is_told_without_anybodys_asking(world, backend, sdk, open_socket, subject):
    sdk.start_session(backend.login_code(nonce := new_nonce()))
    socket = open_socket()
    socket.send("REGISTER " + subject(nonce))
    assert socket.recv(timeout=10) == "LOGIN " + subject(nonce)
    world.advance(303)
    assert socket.recv(timeout=10) == "LOGOUT " + subject(nonce)


def test_a_world_that_is_put_back(server, world, backend, sdk, open_socket, subject):
    sdk.start_session(backend.login_code(nonce := new_nonce()))
    socket = open_socket()
    socket.send("REGISTER " + subject(nonce))
    assert socket.recv(timeout=10) == "LOGIN " + subject(nonce)
    reset = requests.post(f"{server.url}/_understudy/v1/worlds/{world.name}/reset", timeout=30)
    assert reset.status_code == 204
    assert socket.recv(timeout=10) == "LOGOUT " + subject(nonce)


# HTML blocks.

def page(backend, nonce):
    block = backend.ask("GET", "/sessions/html/login", nonce).text
    footer = backend.ask("GET", "/sessions/html/footer", nonce).text
    return f"<!doctype html><html lang='en'><meta charset='utf-8'><title>Shop</title>{block}{footer}</html>"


def test_a_page_with_blocks_follows_the_phone(backend, sdk, enrol, receiver, window):
    nonce = new_nonce()
    receiver.pages["/shop"] = page(backend, nonce)
    browser = window()
    browser.goto(receiver.url + "/shop")
    assert browser.locator(".nextauth-block svg").is_visible()
    assert not browser.locator(".nextauth-app").is_visible()
    browser.locator(".nextauth-block[data-state=LOGOUT]").wait_for()

    # The phone has read the code, and its user declines.
    declining = enrol(autoSelectSingleAccount=False)
    declining.user.confirms = False
    declining.start_session(backend.login_code(nonce))
    browser.get_by_text("You declined on your phone.").wait_for()

    # The page learns of the login, and loads itself until the site shows it.
    flow = sdk.start_session(backend.login_code(nonce))
    assert flow["state"] == "DONE"
    receiver.pages["/shop"] = page(backend, nonce)
    browser.get_by_text(f"Logged in as {ADA}").wait_for()

    # A logout elsewhere; now there is a button, which asks the phone.
    browser.locator(".nextauth-block[data-state=LOGIN]").wait_for()
    backend.log_out(nonce)
    receiver.pages["/shop"] = page(backend, nonce)
    browser.locator(".nextauth-block[data-state=CANPROVOKE]").wait_for()
    browser.get_by_role("button", name="Log in with nextAuth on your phone").click()
    browser.get_by_text("Look at your phone.").wait_for()
    [push] = until(lambda: [one for one in sdk.device.messages() if one["type"] == "LOGIN"], "the push of the page")
    assert push["hsid"] == backend.session(nonce)["hsid"]


def test_a_button_without_a_connection_says_so(backend, sdk, receiver, window):
    sdk.start_session(backend.login_code(nonce := new_nonce()))
    backend.log_out(nonce)
    receiver.pages["/shop"] = page(backend, nonce)
    browser, is_there = window(), threading.Event()
    browser.route_web_socket(re.compile("/ws$"), lambda socket: socket.connect_to_server() if is_there.is_set() else socket.close())
    browser.goto(receiver.url + "/shop")
    push = browser.get_by_role("button", name="Log in with nextAuth on your phone")
    push.click()
    lost = browser.get_by_text("No connection to the server. Try again in a moment.")
    lost.wait_for()
    is_there.set()
    lost.wait_for(state="hidden")
    assert not [one for one in sdk.device.messages() if one["type"] == "LOGIN"]
    push.click()
    browser.get_by_text("Look at your phone.").wait_for()
    until(lambda: [one for one in sdk.device.messages() if one["type"] == "LOGIN"], "the push of the page")


def test_a_phone_gets_a_link_to_the_app(backend, sdk, receiver, window):
    receiver.pages["/shop"] = page(backend, nonce := new_nonce())
    browser = window(is_mobile=True, has_touch=True)
    browser.goto(receiver.url + "/shop")
    address = browser.locator(".nextauth-app a").get_attribute("href")
    assert browser.locator(".nextauth-app").is_visible()
    assert not browser.locator(".nextauth-qr").is_visible()
    assert address == link(backend.login_code(nonce))
    sdk.start_session(address)
    assert backend.session(nonce)["loggedin"]


def test_an_enrolment_block_is_good_for_one_account(backend, make_sdk):
    nonce = new_nonce()
    html = backend.ask("GET", "/sessions/html/enrol", nonce, name="Ada at the shop", userid=ADA).text
    address = re.search(r'class="nextauth-app"><a href="([^"]+)"', html)[1]
    flow = make_sdk().start_session(address)
    assert flow["session"]["username"] == "Ada at the shop"
    assert backend.session(nonce)["userid"] == ADA
