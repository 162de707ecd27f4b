"""What nextAuth's watched sessions cost: memory of open web sockets, and work of a change that all of them look at."""

import contextlib
import os
import resource
import secrets
import socket

from tools import Connection, understudy

SERVER = "/nextauth/servers/NP3zfIyXOwwzWEIfcetxjQ=="
KEY = {"X-apikey": "nextauth-api-key"}
SOCKETS = 1000


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
