"""Services that break, lie or never end cost their own request, and nobody else's."""

import gzip
import threading
import time

import pytest
import requests

from understudy import until
from upstream_server import Wire

HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture
def wire(world):
    """Puts a server that sends these bytes behind a mount; the mount's URL."""
    wires = []

    def wire(pieces):
        wires.append(Wire(pieces))
        answer = world.control("PUT", "/upstreams/hanko", json={"url": wires[-1].url})
        assert answer.status_code in (200, 201), answer.text
        return world.hanko

    yield wire
    for made in wires:
        made.stop()


def endless(head, piece, pause=0.0):
    def answer(connection):
        connection.sendall(head)
        while True:
            connection.sendall(piece)
            time.sleep(pause)

    return answer


@pytest.mark.parametrize("bytes_, words", [
    (b"", "closed the connection"),
    (b"nonsense\r\n\r\n", "status line"),
    (b"SSH-2.0-OpenSSH_9.2\r\n", "status line"),
    (HEAD + b"Content-Length: 10\r\nContent-Type: text/html\r\n\r\nshort", "in the middle of the body"),
    (HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", "more than one Content-Length"),
    (HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "both Content-Length and Transfer-Encoding"),
    (HEAD + b"Content-Length: -1\r\n\r\n", "Content-Length"),
    (HEAD + b"Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "chunk"),
    (b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n", "101"),
    (HEAD + b"".join(b"X-%d: 1\r\n" % n for n in range(200)) + b"\r\n", "more than 100 header fields"),
    (HEAD + b"X: " + b"a" * 500_000, ""),
    (b"HTTP/1.1 100 Continue\r\n\r\n" * 1000, ""),
    (HEAD + b"Content-Type: text/html\r\nContent-Length: 6000000\r\n\r\n" + b"a" * 6_000_000, "4194304"),
    (HEAD + "Content-Type: text/html\r\n\r\n".encode() + ("a" + "\u0301" * 300_000).encode(), "combining marks"),
])
def test_what_cannot_be_understood_is_a_502_with_the_reason(wire, world, bytes_, words):
    answer = requests.get(wire([bytes_]) + "/x", timeout=40)
    assert answer.status_code == 502, answer.text
    assert words in answer.json()["detail"], answer.json()
    assert world.explanations(status="502") == [answer.json()["detail"]]
    assert requests.get(world.oauth + "/.well-known/openid-configuration", timeout=10).status_code == 200


def test_a_text_without_end_is_too_long(wire):
    mount = wire(endless(HEAD + b"Content-Type: application/json\r\n\r\n", b"[" * 65536))
    answer = requests.get(mount + "/x", timeout=40)
    assert answer.status_code == 502 and "too long" in answer.json()["detail"]


def test_another_body_without_end_is_passed_on_as_long_as_somebody_reads(wire, world):
    mount = wire(endless(HEAD + b"Content-Type: video/mp4\r\n\r\n", b"v" * 65536))
    with requests.get(mount + "/x", timeout=40, stream=True) as answer:
        read = sum(len(piece) for piece, _ in zip(answer.iter_content(65536), range(400)))
    assert answer.status_code == 200 and read > 5_000_000
    [entry] = world.journal(kind="request")
    assert "passed on as it came" in entry["explanation"] and "responseBody" not in entry["exchange"]


def test_a_long_file_comes_whole(wire):
    content = bytes(range(256)) * 40_000
    mount = wire([HEAD + b"Content-Type: application/zip\r\nContent-Length: %d\r\n\r\n" % len(content), content])
    assert requests.get(mount + "/x", timeout=40).content == content


def test_a_long_file_that_breaks_off_is_broken_off(wire):
    mount = wire([HEAD + b"Content-Type: application/zip\r\nContent-Length: 5000000\r\n\r\n", b"a" * 1_000_000])
    with pytest.raises(requests.exceptions.RequestException):
        requests.get(mount + "/x", timeout=40).content


def test_a_gzip_bomb_is_not_opened(wire, world):
    bomb = gzip.compress(b"\0" * 50_000_000)
    mount = wire([HEAD + b"Content-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(bomb), bomb])
    with requests.get(mount + "/x", timeout=40, stream=True) as answer:
        assert answer.raw.read(decode_content=False) == bomb
    assert "coding gzip although none was asked for" in world.explanations(kind="request")[0]


def test_no_field_of_theirs_begins_another(wire):
    mount = wire([HEAD + b"Location: /a\rSet-Cookie: evil=1\r\nX-A: a\x00b\r\nX-B: \x0bc\r\nContent-Length: 0\r\n\r\n"])
    answer = requests.get(mount + "/x", timeout=40)
    assert "Set-Cookie" not in answer.headers


def test_events_come_as_they_are_sent(wire):
    gate = threading.Event()

    def events(connection):
        connection.sendall(HEAD + b"Content-Type: text/event-stream\r\n\r\ndata: one\n\n")
        gate.wait(20)
        connection.sendall(b"data: two\n\n")

    with requests.get(wire(events) + "/x", timeout=40, stream=True) as answer:
        lines = answer.iter_lines()
        assert next(lines) == b"data: one"
        gate.set()
        assert next(line for line in lines if line) == b"data: two"


def test_services_that_hang_take_no_thread_from_others(wire, world):
    done = threading.Event()
    mount = wire(lambda connection: done.wait(60))
    outcomes = []

    def ask():
        outcomes.append(requests.get(mount + "/x", timeout=60).status_code)

    asking = [threading.Thread(target=ask) for _ in range(70)]
    for thread in asking:
        thread.start()
    # As many as may wait do; the others are told at once.
    until(lambda: outcomes.count(503) == 6, "those beyond the bound", seconds=20)
    assert requests.get(world.oauth + "/.well-known/openid-configuration", timeout=10).status_code == 200
    assert "as many as may at once" in world.explanations(status="503")[0]
    done.set()
    for thread in asking:
        thread.join()
    assert sorted(set(outcomes)) == [502, 503] and outcomes.count(502) == 64


def test_after_clients_left_their_streams_others_get_a_place(wire):
    mount = wire(endless(HEAD + b"Content-Type: video/mp4\r\n\r\n", b"v" * 1000, pause=0.01))
    for _ in range(5):
        answers = [requests.get(mount + "/x", timeout=40, stream=True) for _ in range(20)]
        assert {answer.status_code for answer in answers} == {200}
        for answer in answers:
            answer.close()
        time.sleep(0.3)
