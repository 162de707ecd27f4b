"""Ten thousand clients that wait for a code at the same time: what they take, what others feel, and how they are woken."""

import resource
import select
import socket
import time

from tools import Connection, median, percentile, understudy, wait_readable

WAITERS = 10_000
CROWD = "crowd@example.com"


class Crowd:
    """Clients that each wait for a code to the same address, on connections of their own."""

    def __init__(self, port, count):
        request = f"GET /_understudy/v1/codes?to={CROWD}&wait=60 HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode()
        self.sockets = {}
        self.poll = select.epoll()
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", port), timeout=70)
            client.sendall(request)
            client.setblocking(False)
            self.sockets[client.fileno()] = client
            self.poll.register(client.fileno(), select.EPOLLIN)

    def receive_all(self, seconds):
        """Reads an answer of each: how many came."""
        left, end = set(self.sockets), time.perf_counter() + seconds
        while left and time.perf_counter() < end:
            for descriptor, _ in self.poll.poll(0.1, maxevents=len(left)):
                if self.sockets[descriptor].recv(4096).startswith(b"HTTP/1.1 200"):
                    left.discard(descriptor)
        return len(self.sockets) - len(left)

    def close(self):
        for client in self.sockets.values():
            client.close()


def raise_file_limit(wanted):
    """How many of so many connections this process can hold, with some files beside."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return wanted if most == resource.RLIM_INFINITY else min(wanted, most - 500)


def new_user(connection, address):
    created = connection.expect(200, "POST", "/hanko/users", {"email": address})
    return created.split(b'"user_id":"')[1].split(b'"')[0].decode()


def measure_waiters(table):
    count = raise_file_limit(WAITERS)
    with understudy("--max-connections", count + 100) as ours, Connection(ours.port) as acting, Connection(ours.port) as waiting:
        before = ours.memory
        crowd = Crowd(ours.port, count)
        # Until the last of them waits: whoever asks after it is answered after it.
        acting.expect(200, "GET", "/_understudy/v1/health")
        time.sleep(0.5)
        table.add(f"resident memory, {count:,} waiting codes calls", ours.memory, "MiB", bar=48)
        table.add("  that is, for each of them", (ours.memory - before) * 1024 / count, "KiB")

        beside = [acting.time(200, "GET", "/_understudy/v1/health") for _ in range(500)]
        table.add("health beside them, p99", percentile(beside, 0.99), "ms", bar=5)

        woken = []
        for number in range(50):
            user = new_user(acting, f"one{number}@example.com")
            waiting.send("GET", f"/_understudy/v1/codes?to=one{number}@example.com&wait=10")
            time.sleep(0.003)
            began = time.perf_counter()
            acting.send("POST", "/hanko/passcode/login/initialize", {"user_id": user})
            wait_readable([waiting], 10)
            woken.append((time.perf_counter() - began) * 1e3)
            waiting.receive()
            acting.receive()
        table.add("waking one of them, median", median(woken), "ms", bar=2)

        user = new_user(acting, CROWD)
        began = time.perf_counter()
        acting.send("POST", "/hanko/passcode/login/initialize", {"user_id": user})
        answered = crowd.receive_all(30)
        table.add("waking all of them at once", (time.perf_counter() - began) * 1e3, "ms", bar=200)
        if answered != count:
            raise SystemExit(f"bench: of {count} who waited, {answered} were answered")
        crowd.close()
        acting.receive()
