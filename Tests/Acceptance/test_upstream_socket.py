"""Web sockets that are passed on to a real service: PyPI's websockets is the service and the client."""

import asyncio
import contextlib
import ssl
import threading

import pytest
import requests
from websockets.asyncio.client import connect as asyncio_connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.sync.server import serve

from understudy import until
from upstream_authority import Authority

SUBPROTOCOLS = ["b", "a"]


class Echo:
    """A service that says what it hears, or does what a word asks of it."""

    def __init__(self, context=None):
        self.headers, self.ends, self.is_flooded = [], [], threading.Event()
        self.server = serve(
            self.answer, "127.0.0.1", 0, subprotocols=SUBPROTOCOLS, max_size=4 << 20, ssl=context, process_request=self.refuse,
            select_subprotocol=lambda _, offered: next((name for name in SUBPROTOCOLS if name in offered), None),
            process_response=self.add_cookie)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.place = f"127.0.0.1:{self.server.socket.getsockname()[1]}"

    @staticmethod
    def refuse(socket, request):
        if request.path.startswith("/forbidden"):
            answer = socket.respond(403, "not for you\n")
            answer.headers["X-Why"] = "because"
            return answer

    @staticmethod
    def add_cookie(_, __, response):
        response.headers["Set-Cookie"] = "socket=1; Path=/"

    def answer(self, socket):
        self.headers.append(socket.request.headers)
        words = {
            "close": lambda: socket.close(4001, "enough"), "die": lambda: socket.socket.shutdown(2),
            "ping": lambda: socket.send("pong came" if socket.ping().wait(10) else "no pong"),
            "flood": lambda: [socket.send(b"x" * (1 << 20)) for _ in range(64)] and self.is_flooded.set()}
        with contextlib.suppress(ConnectionClosed):
            while True:
                message = socket.recv()
                words.get(message, lambda: socket.send(message))()
        self.ends.append((socket.close_code, socket.close_reason))


@pytest.fixture
def echo():
    echo = Echo()
    yield echo
    echo.server.shutdown()


@pytest.fixture
def socket(world, echo):
    """The address of our web socket, with an echo behind it."""
    assert world.control("PUT", "/upstreams/hanko", json={"url": f"http://{echo.place}"}).status_code == 201
    return world.hanko.replace("http", "ws", 1) + "/socket?x=1&access_token=t0ps3cret"


def told(world):
    return [entry["explanation"] for entry in world.journal(kind="event") if entry["event"] == "web socket closed"]


def ending(world):
    """What the journal says of the end of the last web socket."""
    return until(lambda: told(world), "the end of the web socket")[-1]


def test_messages_go_both_ways(socket, world, echo):
    with connect(socket, subprotocols=["c", "a"], origin=world.url.split("/w/")[0], additional_headers={"Cookie": "a=1; b=2"}) as client:
        assert client.subprotocol == "a" and client.response.headers["Set-Cookie"].startswith("socket=1")
        for message in "hello", b"\x00\xff", "", "ä" * 1000, "x" * (1 << 20), b"y" * (1 << 20):
            client.send(message)
            assert client.recv(timeout=30) == message
        client.send(["a ", "message in ", "pieces"])
        assert client.recv(timeout=30) == "a message in pieces"
        assert client.ping().wait(10)
        client.send("ping")
        assert client.recv(timeout=30) == "pong came"
    [headers] = echo.headers
    assert headers["Host"] == echo.place and headers["Origin"] == "http://" + echo.place and headers["Cookie"] == "a=1; b=2"
    assert headers.get("Sec-WebSocket-Extensions") is None
    said = ending(world)
    assert f"8 messages ({2 * (1 << 20) + 2000 + 5 + 2 + 19 + 4} bytes) went to the service" in said and "ended with 1000" in said
    assert "t0ps3cret" not in said and "access_token=masked-" in said


def test_the_journal_has_the_messages_as_those_of_the_service(socket, world, echo):
    with connect(socket) as client:
        client.send("hello")
        client.recv(timeout=30)
    until(lambda: told(world), "the end of the web socket")
    events = [entry for entry in world.journal(kind="event") if entry["event"].startswith("web socket")]
    [request] = world.journal(kind="request")
    assert sorted(entry["event"] for entry in events) == ["web socket closed", "web socket message received", "web socket message sent"]
    assert {entry["upstream"] for entry in events + [request]} == {f"http://{echo.place}"}
    assert {entry["correlation"] for entry in events} == {request["correlation"]} and request["exchange"]["status"] == 101


@pytest.mark.parametrize("word, code, reason", [("close", 4001, "enough"), ("die", 1014, "upstream")])
def test_how_the_service_ends_is_told(socket, world, word, code, reason):
    with connect(socket) as client:
        client.send(word)
        with pytest.raises(ConnectionClosed) as end:
            client.recv(timeout=30)
    assert end.value.rcvd.code == code and reason in end.value.rcvd.reason
    assert f"ended with {code}" in ending(world)


@pytest.mark.parametrize("code, reason, heard", [(1000, "", (1000, "")), (4002, "mine", (4002, "mine")), (None, "", (1006, ""))])
def test_how_the_client_ends_is_told_to_the_service(socket, world, echo, code, reason, heard):
    with connect(socket) as client:
        client.send("here")
        assert client.recv(timeout=30) == "here"
        if code:
            client.close(code, reason)
        else:
            client.socket.shutdown(2)
    assert until(lambda: echo.ends, "the end at the service") == [heard]
    assert f"ended with {heard[0]}" in ending(world)


def test_the_end_of_the_world_is_the_end_of_its_web_sockets(socket, world, echo, server):
    with connect(socket) as client:
        client.send("here")
        client.recv(timeout=30)
        answer = requests.delete(f"{server.url}/_understudy/v1/worlds/{world.name}", timeout=30)
        assert answer.status_code == 204, answer.text
        with pytest.raises(ConnectionClosed) as end:
            client.recv(timeout=30)
    assert end.value.rcvd.code == 1001 and until(lambda: echo.ends, "the end at the service")[0][0] == 1001


def test_a_message_that_is_too_long_ends_both_sides(socket, world, echo):
    with connect(socket) as client:
        client.send("x" * (1 << 20) + "x")
        with pytest.raises(ConnectionClosed) as end:
            client.recv(timeout=30)
    assert end.value.rcvd.code == 1009 and until(lambda: echo.ends, "the end at the service")[0][0] == 1009


def test_a_client_that_does_not_read_is_let_go(socket, world, echo):
    with connect(socket, max_queue=1) as client:
        client.send("flood")
        # The service is not kept waiting for a client that is given up.
        assert echo.is_flooded.wait(30)
        client.socket.shutdown(2)
    assert "ended with 1008" in ending(world) and until(lambda: echo.ends, "the end at the service")[0][0] == 1008


def test_what_the_service_refuses_is_an_answer(socket, world):
    with pytest.raises(InvalidStatus) as refused:
        connect(socket.replace("/socket", "/forbidden"))
    answer = refused.value.response
    assert (answer.status_code, answer.body, answer.headers["X-Why"]) == (403, b"not for you\n", "because")
    assert requests.get(world.hanko + "/socket", timeout=10).status_code == 426
    world.control("PUT", "/upstreams/hanko", json={"url": "http://127.0.0.1:9"})
    with pytest.raises(InvalidStatus) as refused:
        connect(socket)
    assert refused.value.response.status_code == 502


def test_a_request_that_is_no_handshake_is_not_passed_on(socket, world, echo):
    answer = requests.get(world.hanko + "/socket", timeout=10, headers={"Upgrade": "websocket", "Connection": "Upgrade"})
    assert answer.status_code == 426 and echo.headers == []


def test_faults_strike_in_the_place_of_the_service(socket, world, echo):
    world.control("POST", "/faults", json={
        "name": "down", "match": {"platform": "hanko", "path": "/socket", "to": 1}, "effect": {"answer": {"status": 503}}})
    with pytest.raises(InvalidStatus) as refused:
        connect(socket)
    assert refused.value.response.status_code == 503 and echo.headers == []
    with connect(socket) as client:
        client.send("on")
        assert client.recv(timeout=30) == "on"


def test_secrets_in_messages_are_masked(socket, world):
    token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln"
    with connect(socket) as client:
        for message in '{"password": "geheim", "name": "Ada"}', "token is " + token, ' [{"otp": 471100}]':
            client.send(message)
            client.recv(timeout=30)
    until(lambda: told(world), "the end of the web socket")
    texts = str(world.journal()) + requests.get(world.url + "/journal", timeout=10).text
    assert "Ada" in texts and not [secret for secret in ("geheim", token, "471100", "t0ps3cret") if secret in texts]


def connected(socket):
    """A client, once one of the places is free that web sockets before it have."""
    def attempt():
        try:
            return connect(socket)
        except InvalidStatus as refused:
            assert refused.response.status_code == 503
    return until(attempt, "a free place")


def test_as_many_are_open_as_may_be(socket, world):
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(connected(socket)) for _ in range(16)]
        with pytest.raises(InvalidStatus) as refused:
            connect(socket)
        assert refused.value.response.status_code == 503
        for client in clients:
            client.send("all at once")
        assert {client.recv(timeout=30) for client in clients} == {"all at once"}
    # Places are free again.
    assert until(lambda: len(told(world)) == 16, "the ends of all")
    with connected(socket) as client:
        client.send("again")
        assert client.recv(timeout=30) == "again"


def test_over_tls_to_the_service_and_from_the_client(start, tmp_path):
    authority = Authority(tmp_path, "right")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*authority.server("localhost"))
    names = []
    context.sni_callback = lambda _, name, __: names.append(name)
    echo = Echo(context)
    service = "https://localhost:" + echo.place.split(":")[1]
    server = start("--upstream", f"hanko={service}", "--upstream-ca", authority.file, "--tls", "auto", XDG_STATE_HOME=str(tmp_path))
    trust = ssl.create_default_context(cafile=tmp_path / "understudy/ca/ca.pem")
    messages = ["hello", b"z" * (1 << 20), "ä" * 300_000]

    async def echoes():
        async with asyncio_connect(server.url.replace("http", "ws", 1) + "/hanko/socket", ssl=trust) as client:
            for message in messages:
                await client.send(message)
            return [await asyncio.wait_for(client.recv(), 30) for _ in messages]

    # By one thread: the client with two reads and writes one session of OpenSSL at once, and its first request is lost now and then.
    assert asyncio.run(echoes()) == messages
    assert names == ["localhost"] and echo.headers[0]["Host"] == service.removeprefix("https://")
    assert until(lambda: echo.ends, "the end at the service") == [(1000, "")]
    echo.server.shutdown()
