"""The memory that the system allows is the limit: what is beyond it is refused, and the program lives."""

import collections
import concurrent.futures
import contextlib
import pathlib
import re
import resource
import smtplib
import socket
import threading

import pytest
import requests

from powerauth_backend import INTEGRATION
from test_onegini_otp import Portal
from understudy import BINARY, CONTROL, Server, free_port

MIB = 1024 * 1024
UPLOAD = 4_000_000


@pytest.fixture(scope="module")
def small():
    """One program for all of it, with 128 MiB of address space, and the port at which it takes mail."""
    if "debug" in BINARY.parts:
        pytest.skip("a debug build takes more than 128 MiB of address space before it does anything")
    port = free_port()
    # Without SWIFT_BACKTRACE, a crash would be looked into by a program for which there is no memory either.
    server = Server("--smtp-port", port, address_space=128 * MIB, SWIFT_BACKTRACE="enable=no")
    server.mail_port = port
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def emptied(request):
    """What one test has left in the world takes no memory from the next."""
    yield
    if "small" in request.fixturenames:
        server = request.getfixturevalue("small")
        assert requests.post(server.url + CONTROL + "/worlds/default/reset", timeout=60).ok


def journal(server, query):
    return requests.get(server.url + CONTROL + "/journal?" + query, timeout=30).json()["entries"]


def upload(server, gate, size=UPLOAD):
    """Sends all of a body but its end, waits for the others, and returns the head of the answer."""
    head = (f"POST /hanko/user HTTP/1.1\r\nHost: localhost:{server.address[1]}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {size}\r\n\r\n").encode()
    with socket.create_connection(server.address, timeout=60) as connection:
        try:
            connection.sendall(head + b"x" * (size - 100))
            gate.wait(30)
            connection.sendall(b"x" * 100)
        except (OSError, threading.BrokenBarrierError):
            pass
        try:
            return connection.recv(65536).decode()
        except ConnectionResetError:
            return "reset"


def slow_readers(server, path):
    """200 clients that ask three times each and read a dozen bytes."""
    clients = []
    for _ in range(200):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(60)
        client.connect(server.address)
        client.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost:{server.address[1]}\r\n\r\n".encode() * 3)
        clients.append(client)
    try:
        return collections.Counter(client.recv(12).decode() for client in clients)
    finally:
        for client in clients:
            client.close()


def test_two_hundred_uploads(small):
    answers = []
    for _ in range(5):
        gate = threading.Barrier(40)
        with concurrent.futures.ThreadPoolExecutor(40) as pool:
            answers += pool.map(lambda _, gate=gate: upload(small, gate), range(40))
    statuses = collections.Counter(answer[9:12] for answer in answers)
    refused = [answer for answer in answers if answer.startswith("HTTP/1.1 503")]
    assert set(statuses) <= {"400", "503"}, statuses
    assert refused and statuses["400"], "some are taken, and the rest is told when to come again"
    assert all("Retry-After: 1" in answer for answer in refused)
    assert all("bytes of memory for them; try again in a second" in answer for answer in refused)
    told = [entry for entry in journal(small, "q=memory") if entry.get("event") == "no memory for a request"]
    assert "--body-memory" in told[0]["explanation"]
    assert requests.get(small.url + CONTROL + "/health", timeout=30).json()["status"] == "ok"


def test_what_can_never_be_taken_is_refused_for_good(small):
    answer = requests.put(small.url + CONTROL + "/fixtures", data=b"[" + b"0," * 1_000_000 + b"0]", timeout=30)
    assert answer.status_code == 413
    assert "more than the" in answer.text
    told = [entry for entry in journal(small, "q=memory") if entry.get("event") == "no memory for a request"]
    assert "answered with 413" in told[0]["explanation"]


def test_ten_thousand_requests(small):
    def ask(number):
        session = requests.Session()
        return collections.Counter(
            session.post(f"{small.url}/hanko/users", timeout=60,
                         json={"email": f"{number}-{turn}@example.com", "more": "x" * 8000}).status_code
            for turn in range(1250))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        statuses = sum(pool.map(ask, range(8)), collections.Counter())
    assert statuses == {200: 10_000}
    assert journal(small, "limit=1")[0]["id"] >= 10_000


def test_five_hundred_mails(small):
    refused = []
    text = "Subject: large\r\n\r\n" + ("x" * 70 + "\r\n") * 6000
    with smtplib.SMTP("127.0.0.1", small.mail_port, timeout=60) as client:
        for number in range(500):
            try:
                client.sendmail("a@example.com", [f"user{number}@example.com"], text)
            except smtplib.SMTPResponseException as error:
                refused.append(error)
    assert {error.smtp_code for error in refused} <= {452}
    outbox = requests.get(small.url + CONTROL + "/outbox?limit=500", timeout=60).json()["messages"]
    assert outbox[0]["to"]["address"] == "user499@example.com", "the newest is there; the oldest made room"
    assert len(outbox) < 100


def test_long_secure_messages(small):
    said = []
    with contextlib.closing(Portal(small.url + "/oauth")) as portal:
        for _ in range(24):
            try:
                said.append(portal.start(secure_message="Pay " + "x" * 2_000_000)["transaction_id"])
            except AssertionError:
                # The world has no room for more.
                break
    assert said
    for page in [CONTROL + "/transactions", "/transactions", "/"]:
        answer = requests.get(small.url + page, headers={"Accept": "text/html"}, timeout=60)
        assert answer.status_code == 200 and len(answer.content) < MIB
    assert requests.post(small.url + CONTROL + "/worlds/default/reset", timeout=30).ok


def test_operations_with_long_parameters(small):
    """A list of what a world holds is as long as that: eight clients at once ended the program."""
    operations = small.url + "/powerauth-cloud/v2/operations"
    for _ in range(20):
        made = requests.post(operations, auth=INTEGRATION, timeout=30, json={
            "template": "login", "userId": "ada", "parameters": {"note": "x" * 2_000_000}})
        if made.status_code != 200:
            # The world has no room for more.
            assert made.status_code == 507, made.text
            break

    def look(_):
        return requests.get(operations + "?userId=ada&size=100", auth=INTEGRATION, timeout=60)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(look, range(16)))
    statuses = collections.Counter(answer.status_code for answer in answers)
    assert set(statuses) <= {200, 503, 507}, statuses
    for answer in answers:
        if answer.status_code != 200:
            assert "while it is made" in answer.text, answer.text
            assert answer.headers.get("Retry-After") == ("1" if answer.status_code == 503 else None)
    # What a page shows of each is its beginning, so that one at a time has to fit.
    for page in [CONTROL + "/transactions", "/transactions", "/"]:
        answer = requests.get(small.url + page, headers={"Accept": "text/html"}, timeout=60)
        assert answer.status_code == 200 and len(answer.content) < MIB, answer.text[:1000]
    # Where one list is too long for the memory there is, the search says so, and finds what is in the others.
    searched = requests.get(small.url + "/search?q=ada", headers={"Accept": "text/html"}, timeout=60)
    assert searched.status_code == 200 and "Ada Lovelace" in searched.text, searched.text
    assert "Waiting: not searched" in searched.text
    assert requests.post(small.url + CONTROL + "/worlds/default/reset", timeout=30).ok
    assert requests.get(operations + "?userId=ada", auth=INTEGRATION, timeout=30).status_code == 200


def test_a_search_where_hardly_any_memory_is_left():
    """What the database has no memory to read is left out, as what is too long for a search is."""
    server = Server(address_space=128 * MIB, SWIFT_BACKTRACE="enable=no")
    try:
        for _ in range(6):
            made = requests.post(
                server.url + "/powerauth-cloud/v2/operations", auth=INTEGRATION, timeout=30,
                json={"template": "login", "userId": "ada", "parameters": {"note": "x" * 2_000_000}})
            assert made.status_code == 200, made.text
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        used = int(re.search(r"VmSize:\s+(\d+) kB", status)[1]) * 1024
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (used + MIB, 128 * MIB))
        searched = requests.get(server.url + "/search?q=ada", headers={"Accept": "text/html"}, timeout=60)
        assert searched.status_code == 200 and "Ada Lovelace" in searched.text, searched.text
        assert "Waiting: not searched" in searched.text
    finally:
        server.stop()


def test_a_thousand_worlds(small):
    session = requests.Session()
    statuses = collections.Counter()
    for number in range(1000):
        made = session.put(f"{small.url}{CONTROL}/worlds/w{number}", json={}, timeout=30)
        assert made.status_code == 201, made.text
        for turn in range(3):
            answer = session.post(
                f"{small.url}/w/w{number}/hanko/users", json={"email": f"a{turn}@example.com"}, timeout=30)
            statuses[answer.status_code] += 1
            if answer.status_code == 507:
                assert "worlds in memory take up all that they may have" in answer.text
    assert set(statuses) <= {200, 507}, statuses
    assert statuses[200] >= 1000
    assert session.delete(f"{small.url}{CONTROL}/worlds/w1", timeout=30).status_code == 204
    assert session.get(small.url + CONTROL + "/health", timeout=30).json()["status"] == "ok"


@pytest.mark.parametrize("path", [
    CONTROL + "/journal?limit=500", CONTROL + "/journal.har", CONTROL + "/flows?limit=500", CONTROL + "/fixtures",
    CONTROL + "/records?limit=500", CONTROL + "/outbox?limit=500", CONTROL + "/snapshots/kept/file", "/journal"])
def test_clients_that_do_not_read(small, path):
    requests.post(small.url + CONTROL + "/snapshots", json={"name": "kept"}, timeout=30)
    statuses = slow_readers(small, path)
    # 507: of a world as large as this one there is never a copy; it says what to do.
    assert set(statuses) <= {"HTTP/1.1 200", "HTTP/1.1 503", "HTTP/1.1 507"}, statuses
    assert statuses["HTTP/1.1 200"] or "/fixtures" in path or "/snapshots" in path, statuses
    assert requests.get(small.url + CONTROL + "/health", timeout=30).json()["status"] == "ok"
