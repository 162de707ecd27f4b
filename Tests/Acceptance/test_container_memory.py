"""What a container of 64 MiB holds, and one of 256 MiB: the same attacks as in test_memory.py, in a control group of that size."""

import collections
import concurrent.futures
import os
import smtplib
import threading
from pathlib import Path

import pytest
import requests

from test_memory import MIB, slow_readers, upload
from understudy import BINARY, CONTROL, Server, free_port, until

#: Where groups with a limit of memory are made: version 1 and version 2, by the name of the file that has the limit.
GROUPS = {"/sys/fs/cgroup/memory": "memory.limit_in_bytes", "/sys/fs/cgroup": "memory.max"}


def make_group(limit):
    """The folder of a new group; None where this machine allows none."""
    for parent, file in GROUPS.items():
        if not Path(parent, "cgroup.procs").exists():
            continue
        folder = Path(parent, f"understudy-{os.getpid()}-{limit}")
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            (folder / file).write_text(str(limit))
            return folder
        except OSError:
            folder.rmdir()
    return None


@pytest.fixture(params=[64, 256], ids="{} MiB".format)
def container(request):
    if "debug" in BINARY.parts:
        pytest.skip("a debug build takes more than 64 MiB before it does anything")
    folder = make_group(request.param * MIB)
    if folder is None:
        pytest.skip("control groups cannot be made here")
    port = free_port()
    try:
        server = Server("--smtp-port", port, group=folder, SWIFT_BACKTRACE="enable=no")
        server.mail_port, server.mebibytes = port, request.param
        yield server
        server.stop()
    finally:
        folder.rmdir()


def uploads(server):
    gate = threading.Barrier(40)
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(lambda _: upload(server, gate), range(40)))
    return collections.Counter(answer[9:12] for answer in answers)


def fill(server, count):
    """Requests that fill the journal, and users that fill the world."""
    def ask(number):
        session = requests.Session()
        return collections.Counter(
            session.post(f"{server.url}/hanko/users", timeout=60,
                         json={"email": f"{number}-{turn}@example.com", "more": "x" * 8000}).status_code
            for turn in range(count // 8))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        return sum(pool.map(ask, range(8)), collections.Counter())


def mails(server, count):
    text = "Subject: large\r\n\r\n" + ("x" * 70 + "\r\n") * 6000
    with smtplib.SMTP("127.0.0.1", server.mail_port, timeout=60) as client:
        for number in range(count):
            try:
                client.sendmail("a@example.com", [f"user{number}@example.com"], text)
            except smtplib.SMTPResponseException as error:
                assert error.smtp_code == 452


def worlds(server, count):
    session = requests.Session()
    return collections.Counter(
        session.put(f"{server.url}{CONTROL}/worlds/w{number}", json={}, timeout=30).status_code for number in range(count))


def check_uploads(server):
    """Of forty at once in 12 MiB, each may be in the way of the others, so that none is taken; one by itself is."""
    statuses = uploads(server)
    assert set(statuses) <= {"400", "503"} and statuses["503"], statuses
    until(lambda: upload(server, threading.Barrier(1))[9:12] == "400", "room for one upload")


def test_it_lives(container):
    check_uploads(container)
    assert fill(container, 2000) == {200: 2000}
    mails(container, 100)
    assert worlds(container, 100) == {201: 100}
    for path in ("/journal?limit=500", "/journal.har", "/fixtures", "/outbox?limit=500"):
        statuses = slow_readers(container, CONTROL + path)
        assert set(statuses) <= {"HTTP/1.1 200", "HTTP/1.1 503", "HTTP/1.1 507"}, (path, statuses)
    check_uploads(container)
    assert requests.get(container.url + CONTROL + "/health", timeout=30).json()["status"] == "ok"
