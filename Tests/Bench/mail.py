"""Mail that a back end brings by SMTP, beside a bare sink that keeps nothing; mailload.c sends to both."""

import contextlib
import json
import socket
import subprocess
import time
from pathlib import Path

from tools import BUILD, TICKS, Connection, free_port, median, understudy


class Sink:
    """The bare sink; ends with the `with` block."""

    def __init__(self):
        self.port = free_port()
        self.process = subprocess.Popen([BUILD / "mailsink", str(self.port)])
        end = time.monotonic() + 10
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
        raise SystemExit("bench: the mail sink does not listen")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    @property
    def cpu(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


def sent(port, connections=16, seconds=4):
    """Mails that were accepted, and the seconds that it took."""
    done = subprocess.run([BUILD / "mailload", str(port), str(connections), str(seconds)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"bench: the mails were not taken: {done.stderr}")
    count, took = done.stdout.split()
    return int(count), float(took)


def measure_smtp(table, rounds=3):
    """Mails of text and HTML, parsed, with their code found, kept and announced."""
    port, rates, costs = free_port(), {}, {}
    with understudy("--smtp-port", port) as ours, Sink() as theirs:
        for _ in range(rounds):
            for server, at in [(theirs, theirs.port), (ours, port)]:
                before = server.cpu
                count, seconds = sent(at)
                rates.setdefault(server, []).append(count / seconds)
                costs.setdefault(server, []).append((server.cpu - before) / count * 1e6)
        with Connection(ours.port) as connection:
            [newest] = json.loads(connection.expect(200, "GET", "/_understudy/v1/outbox?limit=1"))["messages"]
        if newest["subject"] != "Dein Bestätigungscode" or len(newest["code"]) != 6:
            raise SystemExit(f"bench: the mail was not understood: {newest}")
        memory = ours.memory
    table.add("mails by SMTP, a second", median(rates[ours]), "/s", median(rates[theirs]), floor=8000)
    table.add("mails by SMTP, CPU of each", median(costs[ours]), "µs", median(costs[theirs]))
    table.add("resident memory after them", memory, "MiB")
