"""Services that break the rules of web sockets: a client hears a code and a reason, and the journal has them. The frames are made by hand."""

import base64
import hashlib
import re
import struct
import time

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from understudy import until
from upstream_server import Wire

# Source: RFC 6455 §1.3.
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


def frame(first, payload=b"", mask=b""):
    """A frame with this first byte. Source: RFC 6455 §5.2."""
    size = len(payload)
    length = bytes([size]) if size < 126 else b"\x7e" + struct.pack(">H", size) if size < 1 << 16 else b"\x7f" + struct.pack(">Q", size)
    if mask:
        length = bytes([length[0] | 0x80]) + length[1:]
        payload = bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))
    return bytes([first]) + length + mask + payload


def accept(wire):
    key = re.search(rb"Sec-WebSocket-Key: (\S+)", wire.heard, re.IGNORECASE)[1]
    return base64.b64encode(hashlib.sha1(key + GUID).digest())


def agreement(wire, proof=None, upgrade=b"websocket", connection=b"Upgrade", more=b""):
    return (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: %b\r\nConnection: %b\r\nSec-WebSocket-Accept: %b\r\n%b\r\n"
            % (upgrade, connection, proof or accept(wire), more))


@pytest.fixture
def behind(world):
    """Puts a service behind a mount, which is given its wire and the connection; the address of our web socket."""
    wires = []

    def behind(serve):
        wires.append(wire := Wire(lambda connection: serve(wire, connection)))
        assert world.control("PUT", "/upstreams/hanko", json={"url": wire.url}).status_code in (200, 201)
        return world.hanko.replace("http", "ws", 1) + "/socket"

    yield behind
    for wire in wires:
        wire.stop()


def drain(connection):
    """Waits until the other side has gone."""
    heard = b""
    while piece := connection.recv(65536):
        heard += piece
    return heard


@pytest.mark.parametrize("answer, words", [
    (lambda wire: agreement(wire, proof=b"AAAAAAAAAAAAAAAAAAAAAAAAAAA="), "Sec-WebSocket-Accept"),
    (lambda wire: agreement(wire, more=b"Sec-WebSocket-Accept: x\r\n"), "Sec-WebSocket-Accept"),
    (lambda wire: agreement(wire, upgrade=b"h2c"), "something else than a web socket"),
    (lambda wire: agreement(wire, connection=b"close"), "Connection does not name Upgrade"),
    (lambda wire: agreement(wire, more=b"Sec-WebSocket-Extensions: permessage-deflate\r\n"), "extension that nobody offered"),
    (lambda wire: agreement(wire, more=b"Sec-WebSocket-Protocol: chat\r\n"), "subprotocol that nobody offered"),
    (lambda wire: agreement(wire, more=b"Set-Cookie: a=1\rX-Evil: 1\r\n"), "cannot understand"),
    (lambda wire: agreement(wire, more=b"X" * 100_000 + b"\r\n"), "cannot understand"),
    (lambda wire: b"HTTP/1.1 101 Switching", "closed the connection"),
    (lambda wire: b"", "closed the connection"),
])
def test_no_web_socket_is_opened_by_a_wrong_handshake(behind, world, answer, words):
    with pytest.raises(InvalidStatus) as refused:
        connect(behind(lambda wire, connection: connection.sendall(answer(wire))))
    assert refused.value.response.status_code == 502
    [said] = world.explanations(kind="request")
    assert words in said


@pytest.mark.parametrize("frames, code, words", [
    (frame(0x81, b"hello", mask=b"abcd"), 1002, "masked"),
    (frame(0x80, b"nothing began"), 1002, "no message has begun"),
    (frame(0x01, b"a") + frame(0x81, b"b"), 1002, "within another"),
    (frame(0xC1, b"compressed"), 1002, ""),
    (frame(0x83, b"unknown"), 1002, ""),
    (frame(0x09, b"a ping in pieces"), 1002, ""),
    (frame(0x89, b"p" * 126), 1002, ""),
    (frame(0x81, b"\xff\xfe"), 1007, "UTF-8"),
    (b"\x82\x7f" + struct.pack(">Q", (1 << 20) + 1), 1009, "1048576"),
    (b"\x82\x7f" + struct.pack(">Q", (1 << 63) - 1), 1009, "1048576"),
    (frame(0x02) + frame(0x00, b"x" * 1000) * 1049, 1009, "1048576"),
    (frame(0x02) + frame(0x00) * 20_000, 1008, "16384 frames"),
    (frame(0x89) * 20_000, 1008, "pings"),
    (frame(0x88, b"\x03"), 1002, ""),
    (frame(0x88, struct.pack(">H", 1005)), 1002, "1005"),
    (frame(0x88, struct.pack(">H", 999)), 1002, "999"),
], ids=[
    "masked", "a piece of nothing", "a message within a message", "compressed", "unknown", "a ping in pieces", "a long ping", "no UTF-8",
    "longer than may be", "longer than there is", "long in pieces", "many pieces", "many pings", "half a code", "a code of nobody's",
    "a code below all",
])
def test_who_breaks_the_rules_of_frames_is_let_go(behind, world, frames, code, words):
    heard = []

    def serve(wire, connection):
        connection.sendall(agreement(wire) + frames)
        heard.append(drain(connection))

    with connect(behind(serve)) as client:
        with pytest.raises(ConnectionClosed) as end:
            client.recv(timeout=30)
    assert end.value.rcvd.code == code and words in end.value.rcvd.reason
    # The service hears the same: its first frame that is neither ping nor pong is a Close, masked.
    frames = until(lambda: heard, "the end at the service")[0]
    while frames[:1] in (b"\x89", b"\x8a"):
        frames = frames[6 + (frames[1] & 0x7F):]
    mask, sent = frames[2:6], frames[6:8]
    assert frames[0] == 0x88 and frames[1] & 0x80 and bytes(byte ^ key for byte, key in zip(sent, mask)) == struct.pack(">H", code)
    [said] = [entry["explanation"] for entry in world.journal(kind="event") if entry["event"] == "web socket closed"]
    assert f"ended with {code}" in said


def test_a_service_that_reads_late_hears_why_all_the_same(behind):
    """What it has sent and nobody reads any more takes nothing from it."""
    heard = []

    def serve(wire, connection):
        connection.sendall(agreement(wire) + frame(0x89) * 20_000)
        time.sleep(0.5)
        heard.append(drain(connection))

    with connect(behind(serve)) as client, pytest.raises(ConnectionClosed):
        client.recv(timeout=30)
    frames = until(lambda: heard, "the end at the service")[0]
    while frames[:1] == b"\x8a":
        frames = frames[6:]
    mask, sent = frames[2:6], frames[6:8]
    assert frames[0] == 0x88 and bytes(byte ^ key for byte, key in zip(sent, mask)) == struct.pack(">H", 1008)


def test_what_comes_with_the_handshake_is_not_lost(behind):
    def serve(wire, connection):
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n" + agreement(wire) + frame(0x81, b"at once") + frame(0x8a) + frame(0x01, b"in ")[:2])
        time.sleep(0.1)
        connection.sendall(b"in " + frame(0x89, b"?") + frame(0x80, b"pieces"))
        drain(connection)

    with connect(behind(serve)) as client:
        assert [client.recv(timeout=30) for _ in range(2)] == ["at once", "in pieces"]


def test_a_service_that_goes_on_after_its_goodbye_holds_nobody(behind):
    def serve(wire, connection):
        connection.sendall(agreement(wire) + frame(0x88, struct.pack(">H", 4000) + b"bye"))
        while True:
            connection.sendall(frame(0x81, b"and another thing"))

    with connect(behind(serve)) as client:
        with pytest.raises(ConnectionClosed) as end:
            client.recv(timeout=30)
    assert (end.value.rcvd.code, end.value.rcvd.reason) == (4000, "bye")


def test_a_service_that_does_not_read_holds_its_own_client_alone(behind, world, server):
    def serve(wire, connection):
        connection.sendall(agreement(wire))
        time.sleep(5)

    with connect(behind(serve)) as client:
        with pytest.raises((ConnectionClosed, TimeoutError)):
            client.socket.settimeout(1)
            for _ in range(64):
                client.send(b"x" * (1 << 20))
        began = time.monotonic()
        assert world.control("GET", "/journal").status_code == 200 and time.monotonic() - began < 2
