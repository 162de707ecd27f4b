"""What it costs to stand between a client and a real service, and to compare a recording."""

import json
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

import tools
from tools import Connection, median, reference, understudy, wrk

HEALTH = "/health"
EXCHANGES = 1000


def measure_upstream(table, rounds=5):
    """The bare server asked directly, and through a mount, in turn, over four connections; processor time of ours alone."""
    with reference() as service, understudy("--upstream", f"hanko=http://127.0.0.1:{service.port}") as ours:
        direct, passed, costs = [], [], []
        for _ in range(rounds):
            count, seconds = wrk("one.lua", service.port, HEALTH, 1, connections=4)
            direct.append(seconds / count * 4e6)
            before = ours.cpu
            count, seconds = wrk("one.lua", ours.port, "/hanko" + HEALTH, 2, connections=4)
            passed.append(seconds / count * 4e6)
            costs.append((ours.cpu - before) / count * 1e6)
        table.add("an exchange passed on to another server, CPU of ours", median(costs), "µs", bar=150)
        table.add("the same, time of the exchange", median(passed), "µs", median(direct))


def measure_compare(table, rounds=3):
    """A recording of logins by passcode, with a server that the command starts for itself."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "session.har")
        with understudy() as ours, Connection(ours.port) as connection:
            for number in range(EXCHANGES // 4):
                address = f"bench{number}@example.com"
                user = json.loads(connection.expect(200, "POST", "/hanko/users", {"email": address}))["user_id"]
                passcode = json.loads(connection.expect(200, "POST", "/hanko/passcode/login/initialize", {"user_id": user}))["id"]
                code = json.loads(connection.expect(200, "GET", f"/_understudy/v1/codes?to={address}&wait=10"))["code"]
                connection.expect(200, "POST", "/hanko/passcode/login/finalize", {"id": passcode, "code": code})
                connection.expect(200, "POST", "/hanko/user", {"email": address})
            with urllib.request.urlopen(f"http://127.0.0.1:{ours.port}/_understudy/v1/journal.har", timeout=60) as answer:
                file.write_bytes(answer.read())
        times = []
        for _ in range(rounds):
            began = time.perf_counter()
            done = subprocess.run(
                [tools.program, "compare", file, "--json"], capture_output=True, text=True, timeout=120, check=False)
            times.append(time.perf_counter() - began)
            report = json.loads(done.stdout) if done.returncode == 0 else {}
            told = [route for platform in report.get("platforms", []) for route in platform["routes"]]
            if sum(route["requests"] for route in told) != EXCHANGES or any(route["notComparable"] for route in told):
                raise SystemExit(f"bench: compare: {done.stdout[:2000]}{done.stderr}")
        table.add(f"a recording of {EXCHANGES:,} exchanges compared", median(times), "s", bar=5)
