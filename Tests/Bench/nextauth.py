"""What nextAuth costs: an AppLogin from its start to its session; memory of open web sockets, and work of a change that all of them
look at."""

import contextlib
import json
import os
import resource
import secrets
import socket
import sys
import tempfile
from pathlib import Path

import requests

from powerauth import prepared, replay
from tools import HERE, Connection, median, understudy

sys.path.insert(0, str(HERE.parent / "Acceptance"))

from nextauth_device import PIN, Device  # noqa: E402
from nextauth_server import Backend, new_nonce  # noqa: E402

SERVER = "/nextauth/servers/NP3zfIyXOwwzWEIfcetxjQ=="
KEY = {"X-apikey": "nextauth-api-key"}
SOCKETS = 1000
LOGINS = 200
ROUNDS = 3
#: So that another server gives the same ids and challenges; the clock stands.
SEED = 7
CLOCK = {"clock": {"now": "2026-03-02T09:00:00Z"}}


@contextlib.contextmanager
def recording():
    """What the acceptance tests' device and back end send meanwhile, as it goes over the wire."""
    sent, send = [], requests.Session.send

    def remember(session, request, **options):
        kept = {name: value for name, value in request.headers.items() if name in ("Authorization", "X-apikey", "X-nonce")}
        sent.append(prepared(request.method, request.path_url, kept, request.body or b""))
        return send(session, request, **options)

    requests.Session.send = remember
    try:
        yield sent
    finally:
        requests.Session.send = send


def recorded(options):
    """The requests of an enrolment, and of every AppLogin that is measured: the start, and PIN and signature over its challenge."""
    with understudy(*options) as server, recording() as sent:
        url = f"http://localhost:{server.port}/nextauth"
        device, back_end = Device(url), Backend(url)
        flow = device.start("ENROL", data=back_end.enrolment_code(new_nonce(), user="ada@example.com").decode())
        device.keep(device.set_pin(device.confirm_enrolment(flow), PIN))
        [account] = device.keys
        # The first one after an enrolment asks for nothing.
        first = device.start("APPLOGIN")
        first = device.step(first, "complete", signature=device.signature(first, account))
        device.stop(first["session"]["sessionid"])
        begun = len(sent)
        for _ in range(ROUNDS * LOGINS):
            flow = device.prove_pin(device.start("APPLOGIN"), PIN, account)
            if flow["state"] != "DONE" or not flow["session"]["webnonce"]:
                raise SystemExit(f"bench: an AppLogin ended as {flow}")
        return sent[:begun], sent[begun:], device.token, flow["session"]["sessionid"]


def require_session(server, token, expected):
    """The last AppLogin runs, as on the server that the requests were made for: each needs the one before."""
    with Connection(server.port, {"Authorization": "Device " + token}) as connection:
        running = json.loads(connection.expect(200, "GET", "/nextauth/device/v1/instance"))["sessions"]
    if [session["sessionid"] for session in running if session["applogin"]] != [expected]:
        raise SystemExit(f"bench: after the AppLogins there are {running}")


def measure_app_login(table):
    """Two requests, with an HMAC and one ECDSA check in the second."""
    with tempfile.TemporaryDirectory() as folder:
        clock = Path(folder, "clock.json")
        clock.write_text(json.dumps(CLOCK))
        options = ["--fixtures", "default", "--fixtures", clock, "--seed", SEED]
        enrolment, logins, token, last = recorded(options)
        with understudy(*options) as server:
            replay(server, enrolment, "", connections=1)
            each = 2 * LOGINS
            # Only a flow that goes well is answered with its id.
            costs = [
                2 * replay(server, logins[start:start + each], '"flowid"', connections=1)[1] / 1e3
                for start in range(0, len(logins), each)]
            require_session(server, token, last)
    table.add("AppLogin from its start to its session, CPU", median(costs), "ms", bar=1)


def masked(text):
    """One text frame of a client (RFC 6455 §5.2), of 126 bytes at most."""
    mask, payload = os.urandom(4), text.encode()
    return bytes([0x81, 0x80 | len(payload)]) + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def open_watcher(port, hsid, server):
    """A web socket that watches a session, and was told its state."""
    watcher = socket.create_connection(("127.0.0.1", port), timeout=30)
    watcher.sendall(
        f"GET /nextauth/ws HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
        + masked(f"REGISTER {hsid} {server}"))
    told = b""
    while f"LOGOUT {hsid} {server}".encode() not in told:
        piece = watcher.recv(4096)
        if not piece:
            raise SystemExit(f"bench: a web socket was closed: {told}")
        told += piece
    return watcher


def measure_websockets(table):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with understudy() as ours, contextlib.ExitStack() as open_sockets:
        server = SERVER.rsplit("/", 1)[1].rstrip("=")
        for _ in range(SOCKETS):
            # A session id is 32 bytes in base64url; nobody has to have made it.
            watcher = open_watcher(ours.port, secrets.token_urlsafe(32), server)
            open_sockets.enter_context(watcher)
        table.add(f"resident memory, {SOCKETS:,} open web sockets", ours.memory, "MiB", bar=32)
        with Connection(ours.port, KEY | {"X-nonce": "bench"}) as back_end:
            before, count = ours.cpu, 100
            for _ in range(count):
                back_end.expect(200, "GET", SERVER + "/sessions/qr/login")
            table.add(
                f"change that {SOCKETS:,} web sockets look at, CPU", (ours.cpu - before) / count * 1e3, "ms",
                unbarred="no bar: a figure to watch")
        table.add(f"resident memory, {SOCKETS:,} open web sockets, later", ours.memory, "MiB", bar=32)
