"""What keeps a session of nextAuth alive and what ends it: pings, the user's activity, the app's and the server's time-outs; and
how the phone hears of it."""

import threading

import pytest
from websockets.exceptions import InvalidStatus

from nextauth_device import received
from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ASKED


def test_pings_keep_a_session_alive(world, backend, sdk):
    sdk.app_login.start()
    for _ in range(10):
        world.advance(150)
        sdk.tick()
    assert backend.session(sdk.app_login.web_nonce)["loggedin"]
    assert sdk.device.ping(sdk.app_login.session["sessionid"]) == {"state": "ACTIVE", "next": 150}


@pytest.mark.parametrize("seconds, alive", [(302, True), (303, False)])
def test_a_missed_ping_ends_a_session(world, backend, sdk, refused, seconds, alive):
    sdk.app_login.start()
    world.advance(seconds)
    assert backend.session(sdk.app_login.web_nonce)["loggedin"] == alive
    if alive:
        sdk.tick()
        world.advance(seconds)
        assert backend.session(sdk.app_login.web_nonce)["loggedin"]
    else:
        refused("SESSION_NOT_FOUND", 42, 404, sdk.device.ping, sdk.app_login.session["sessionid"])
        assert "pingTime is 300 s" in world.explanations(status=404)[0]
        sdk.listen()
        assert sdk.take() == ASKED + ["SessionStop PING_TIMEOUT"]


def test_a_phone_that_listens_is_asked_for_pings(world, sdk):
    sdk.app_login.start()
    assert sdk.device.events()["events"] == []
    world.advance(150)
    assert sdk.listen() == ["PING"]
    world.advance(299)
    assert sdk.listen() == ["PING"]
    world.advance(299)
    assert [one["type"] for one in sdk.device.events(sdk.last_event)["events"]] == ["PING"]


def test_a_long_poll_answers_when_it_happens(backend, sdk):
    sdk.app_login.start()
    heard = []
    thread = threading.Thread(target=lambda: heard.extend(sdk.listen(25)))
    thread.start()
    backend.log_out(sdk.app_login.web_nonce)
    thread.join(timeout=10)
    assert heard[:1] == ["SESSION_STOP"] and not sdk.app_login.is_logged_in
    # By event and by message, and yet one callback.
    sdk.listen(0)
    assert sdk.take() == ASKED + ["SessionStop SERVER_LOGOUT"]


def test_a_web_socket_tells_the_same(world, backend, sdk):
    sdk.app_login.start()
    with sdk.device.socket() as socket:
        assert socket.subprotocol == "device"
        assert received(socket) == {"events": [], "last": 0}
        world.advance(150)
        sdk.hear(received(socket))
        backend.log_out(sdk.app_login.web_nonce)
        while sdk.app_login.is_logged_in:
            sdk.hear(received(socket))
    assert sdk.take() == ASKED + ["SessionStop SERVER_LOGOUT"]
    polled = sdk.device.events()
    assert [one["type"] for one in polled["events"]][:2] == ["PING", "SESSION_STOP"]
    with sdk.device.socket(since=1) as socket:
        assert received(socket) == {"events": polled["events"][1:], "last": polled["last"]}


def test_a_web_socket_needs_the_token(sdk):
    for token in ("nonsense", sdk.device.id):
        sdk.device.token = token
        with pytest.raises(InvalidStatus) as refusal:
            sdk.device.socket()
        assert refusal.value.response.status_code == 401


def test_what_counts_as_activity(world, enrol):
    sdk = enrol(inactivityTimeout=120)
    sdk.app_login.start()
    for _ in range(3):
        world.advance(100)
        sdk.list_accounts()
        sdk.tick()
        world.advance(100)
        sdk.list_sessions()
        sdk.tick()
    assert sdk.app_login.is_logged_in
    world.advance(100)
    sdk.pull()
    sdk.tick()
    assert sdk.app_login.is_logged_in
    world.advance(21)
    sdk.pull()
    sdk.tick()
    assert sdk.take()[-1] == "SessionStop INACTIVITY"


def test_the_server_sees_inactivity_too(world, backend, enrol, refused):
    sdk = enrol(inactivityTimeout=120)
    flow = sdk.app_login.start()
    began, session = sdk.now(), flow["session"]["sessionid"]
    world.advance(120)
    sdk.device.ping(session, began)
    world.advance(1)
    refused("SESSION_NOT_FOUND", 42, 404, sdk.device.ping, session, began)
    assert not backend.session(flow["session"]["webnonce"])["loggedin"]
    sdk.listen()
    assert sdk.take()[-1] == "SessionStop INACTIVITY"


def test_without_a_named_timeout_old_activity_is_fine(world, sdk):
    sdk.app_login.start()
    world.advance(200)
    sdk.device.ping(sdk.app_login.session["sessionid"], sdk.now() - 1_000_000)
    assert sdk.list_sessions()


def test_an_app_login_has_an_end(world, backend, enrol):
    sdk = enrol(appLoginTimeout=200)
    session = sdk.app_login.start()["session"]
    assert session["expires"] == int(sdk.now()) + 200
    world.advance(199)
    sdk.tick()
    assert backend.session(session["webnonce"])["loggedin"]
    world.advance(2)
    assert not backend.session(session["webnonce"])["loggedin"]


def test_reasons_that_are_none(sdk, refused):
    sdk.app_login.start()
    session = sdk.app_login.session["sessionid"]
    for reason in ("PING_TIMEOUT", "SERVER_LOGOUT", "", "user"):
        refused("BAD_REQUEST", 1, 400, sdk.device.stop, session, reason)
    sdk.app_login.stop()
    refused("SESSION_NOT_FOUND", 42, 404, sdk.device.stop, session)
    refused("SESSION_NOT_FOUND", 42, 404, sdk.device.ping, "AAAA")


def test_a_changed_ping_time_is_for_the_next_session(world, backend, sdk):
    sdk.app_login.start()
    backend.update(pingTime=60)
    assert sdk.listen() == ["SERVER_UPDATED"]
    assert sdk.list_sessions()[0]["pingTime"] == 300
    world.advance(200)
    sdk.tick()
    assert sdk.app_login.is_logged_in and backend.session(sdk.app_login.web_nonce)["loggedin"]
    sdk.app_login.stop()
    assert sdk.app_login.start()["session"]["pingTime"] == 60
    world.advance(63)
    assert not backend.session(sdk.app_login.web_nonce)["loggedin"]


@pytest.mark.parametrize("action, reason", [("stop", "ADMIN"), ("miss_ping", "PING_TIMEOUT")])
def test_a_session_is_ended_by_hand(world, backend, sdk, action, reason):
    sdk.app_login.start()
    session, nonce = sdk.app_login.session["sessionid"], sdk.app_login.web_nonce
    assert world.get(f"/records/nextauth/session:{session}")["state"] == "LOGGED_IN"
    assert world.control("POST", f"/records/nextauth/session:{session}/{action}", json={}).status_code < 300
    sdk.listen()
    assert sdk.take() == ASKED + ["SessionStop " + reason] and not backend.session(nonce)["loggedin"]
    assert world.get(f"/records/nextauth/session:{session}")["state"] == "LOGGED_OUT"
    sdk.app_login.start()
    assert sdk.take() == ASKED


def test_events_are_asked_for_by_number(backend, sdk, refused):
    assert sdk.device.events(7) == {"events": [], "last": 0}
    for _ in range(3):
        backend.update(pinTimeout=1)
    assert [one["seq"] for one in sdk.device.events(1)["events"]] == [2, 3] and sdk.device.events(3)["last"] == 3
    for bad in ("-1", "x", "1.5", "9" * 30):
        refused("BAD_REQUEST", 1, 400, sdk.device.events, bad)


def test_a_phone_sees_only_its_own(sdk, enrol, refused):
    other = enrol(user="eve")
    sdk.app_login.start()
    session = sdk.app_login.session["sessionid"]
    assert other.list_sessions() == []
    refused("SESSION_NOT_FOUND", 42, 404, other.device.stop, session)
    refused("SESSION_NOT_FOUND", 42, 404, other.device.ping, session)
    refused("ACCOUNT_NOT_FOUND", 31, 404, other.device.call, "DELETE", f"/accounts/{sdk.account}", {"signature": "AA"})
    other.device.http.headers["Authorization"] = "Device nonsense"
    refused("UNAUTHORIZED", 2, 401, other.list_sessions)
