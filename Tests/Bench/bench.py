"""Measures the shipped binary beside a bare C server, and prints one table. Called by script/bench, which builds both.

Medians throughout; reference and ours take turns, so that what else the machine does falls on both.
"""

import os
import platform
import subprocess
import tempfile
import time
from pathlib import Path

from tools import BUILD, Connection, free_port, median, percentile, reference, understudy, wait_readable, wrk

HEALTH = "/_understudy/v1/health"
JWKS = "/hanko/.well-known/jwks.json"
WORLDS = "/_understudy/v1/worlds"
LOOKUP = {"email": "bench@example.com"}


class Table:
    """Rows of what was measured: ours, the reference's, the bar."""

    def __init__(self):
        self.rows = []

    def add(self, figure, ours, unit, reference=None, bar=None, ratio_bar=None):
        """`bar` is the most that ours may be, `ratio_bar` the most that ours divided by the reference may be."""
        ratio = ours / reference if reference else None
        claims = [(ours, bar, f"≤ {bar:g} {unit}") if bar else None,
                  (ratio, ratio_bar, f"≤ {ratio_bar:g} ×") if ratio_bar else None]
        claims = [claim for claim in claims if claim]
        self.rows.append([
            figure, f"{ours:,.{digits(ours)}f} {unit}", f"{reference:,.{digits(reference)}f} {unit}" if reference else "",
            f"{ratio:.2f} ×" if ratio else "", ", ".join(text for *_, text in claims),
            "" if not claims else "met" if all(value <= most for value, most, _ in claims) else "MISSED"])

    def __str__(self):
        head = ["figure", "understudy", "bare C", "ratio", "bar", ""]
        rows = [head, *self.rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
        lines = []
        for row in rows:
            cells = [cell.ljust(width) if column in (0, 4, 5) else cell.rjust(width)
                     for column, (cell, width) in enumerate(zip(row, widths))]
            lines.append("  ".join(cells).rstrip())
        lines.insert(1, "─" * max(map(len, lines)))
        return "\n".join(lines)


def digits(value):
    return 0 if value >= 1000 else 1 if value >= 10 else 2 if value >= 1 else 3


def measure_start(table):
    def once(path, command):
        port = free_port()
        command = [part.replace("PORT", str(port)) for part in command]
        done = subprocess.run([BUILD / "ready", str(port), path, "--", *command], capture_output=True, text=True, check=True)
        return float(done.stdout)

    ours, theirs = [], []
    for _ in range(21):
        ours.append(once("/_understudy/v1/ready", [f"{BUILD}/understudy", "serve", "--port", "PORT"]))
        theirs.append(once("/health", [f"{BUILD}/refserver", "PORT", f"{BUILD}/rsa.pem"]))
    table.add("process start to first 200", median(ours), "ms", median(theirs), bar=10, ratio_bar=2)


def measure_size(table):
    table.add("binary, static, stripped", (BUILD / "understudy").stat().st_size / 1e6, "MB", bar=15)


def measure_load(table):
    """Requests a second and CPU of each, three rounds of each server and path in turn."""
    with understudy() as ours, reference() as theirs:
        for name, path, their_path, ratio_bar in [("health", HEALTH, "/health", None), ("JWKS", JWKS, "/jwks", 2)]:
            rates, costs = {}, {}
            for _ in range(3):
                for server, at in [(theirs, their_path), (ours, path)]:
                    before = server.cpu
                    count, seconds = wrk("one.lua", server.port, at, 2)
                    rates.setdefault(server, []).append(count / seconds)
                    costs.setdefault(server, []).append((server.cpu - before) / count * 1e6)
            table.add(f"{name}, requests a second", median(rates[ours]), "/s", median(rates[theirs]))
            table.add(f"{name}, CPU per request", median(costs[ours]), "µs", median(costs[theirs]), ratio_bar=ratio_bar)


def measure_memory(table):
    with understudy() as ours, reference() as theirs:
        table.add("resident memory, idle", ours.memory, "MiB", theirs.memory, bar=15)
        done = 0
        while done < 100_000:
            done += wrk("mixed.lua", ours.port, "/", 2)[0]
        table.add(f"resident memory after {done:,} requests", ours.memory, "MiB", bar=30)


def measure_logins(table):
    with tempfile.TemporaryDirectory() as folder:
        fixtures, users = Path(folder, "unlimited.json"), Path(folder, "users")
        fixtures.write_text('{"hanko": {"config": {"rate_limiter": {"enabled": false}}}}')
        with understudy("--fixtures", "default", "--fixtures", fixtures) as ours:
            with Connection(ours.port) as connection, users.open("w") as lines:
                for number in range(1000):
                    address = f"bench{number}@example.com"
                    created = connection.expect(200, "POST", "/hanko/users", {"email": address})
                    identifier = created.split(b'"user_id":"')[1].split(b'"')[0].decode()
                    lines.write(f"{identifier} {address}\n")
            before = ours.cpu
            count, seconds = wrk("logins.lua", ours.port, "/", 4, connections=16, BENCH_USERS=str(users))
            cost = (ours.cpu - before) / count * 1e6
    table.add("passcode logins (initialize, read code, finalize)", count / seconds, "/s")
    table.add("passcode login, CPU", cost, "µs")


def measure_worlds(table):
    """Beyond the round trip of an ordinary call: what making, first using and resetting a world costs."""
    made, reset = [], []
    with understudy() as ours, Connection(ours.port) as connection:
        def lookup(name):
            return connection.time(404, "POST", f"/w/{name}/hanko/user", LOOKUP)

        for number in range(300):
            name = f"bench-{number}"
            trip = connection.time(200, "GET", HEALTH)
            creation = connection.time(201, "POST", WORLDS, {"name": name})
            first, second = lookup(name), lookup(name)
            made.append(creation - trip + first - second)
            resetting = connection.time(RESET_STATUS, "POST", f"{WORLDS}/{name}/reset")
            first, second = lookup(name), lookup(name)
            reset.append(resetting - trip + first - second)
    table.add("new world, made and first used", median(made), "ms", bar=0.2)
    table.add("world reset and first used again", median(reset), "ms", bar=0.2)


def measure_many_worlds(table):
    with understudy() as ours, Connection(ours.port) as connection:
        for number in range(1000):
            connection.expect(201, "POST", WORLDS, {"name": f"used-{number}"})
            connection.expect(200, "POST", f"/w/used-{number}/hanko/users", LOOKUP)
        table.add("resident memory, 1,000 worlds in use", ours.memory, "MiB", bar=256)
    with understudy() as ours, Connection(ours.port) as connection:
        for number in range(10_000):
            connection.expect(201, "POST", WORLDS, {"name": f"untouched-{number}"})
        table.add("resident memory, 10,000 worlds untouched", ours.memory, "MiB", bar=64)


def measure_wake_up(table):
    """From sending the request that sends a mail to the answer of a call that waited for the code."""
    waits = []
    with understudy() as ours, Connection(ours.port) as waiting, Connection(ours.port) as acting:
        for number in range(300):
            address = f"wake{number}@example.com"
            created = acting.expect(200, "POST", "/hanko/users", {"email": address})
            user = created.split(b'"user_id":"')[1].split(b'"')[0].decode()
            waiting.send("GET", f"/_understudy/v1/codes?to={address}&wait=10")
            time.sleep(0.003)
            if wait_readable([waiting], 0):
                raise SystemExit(f"bench: codes did not wait: {waiting.receive()}")
            began = time.perf_counter()
            acting.send("POST", "/hanko/passcode/login/initialize", {"user_id": user})
            if not wait_readable([waiting], 10):
                raise SystemExit("bench: the waiting call was not answered")
            waits.append((time.perf_counter() - began) * 1e3)
            waiting.receive()
            acting.receive()
    table.add("waiting codes call after the mail's request, median", median(waits), "ms", bar=2)
    table.add("waiting codes call after the mail's request, p99", percentile(waits, 0.99), "ms", bar=2)


#: What a reset answers.
RESET_STATUS = 204


def main():
    began = time.monotonic()
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Linux {platform.release()}", flush=True)
    table = Table()
    for measure in [measure_start, measure_memory, measure_size, measure_load, measure_logins, measure_worlds,
                    measure_many_worlds, measure_wake_up]:
        print(f"  {measure.__name__.replace('_', ' ')} …", flush=True)
        measure(table)
    print(f"\n{table}\n\nmeasured in {time.monotonic() - began:.0f} s; read the ratios, the machine is shared")


if __name__ == "__main__":
    main()
