"""Measures the shipped binary beside bare C programs, and prints one table. Called by script/bench, which builds them.

Medians throughout; reference and ours take turns, so that what else the machine does falls on both. `--before BINARY` takes each
measure of an earlier binary first, and adds its figures to the table.
"""

import argparse
import html
import http.client
import json
import os
import platform
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

import tools
from clients import basic, token_server
from console import measure_console, measure_flows
from farm import measure_farm
from hanko import measure_hanko
from instructions import measure_instructions
from mail import measure_smtp
from miracl import measure_miracl
from nextauth import measure_app_login, measure_websockets
from phone import measure_phones
from postquantum import measure_postquantum
from powerauth import measure_powerauth
from routes import measure_routes
from tools import BUILD, ROOT, Connection, free_port, median, percentile, reference, understudy, wait_readable, wrk
from upstream import measure_compare, measure_upstream
from waiters import measure_waiters, raise_file_limit

HEALTH = "/_understudy/v1/health"
JWKS = "/oauth/v1/keys"
DISCOVERY = "/oauth/.well-known/openid-configuration"
WORLDS = "/_understudy/v1/worlds"
LOOKUP = {"email": "bench@example.com"}


class Table:
    """Rows of what was measured: ours, the reference's, the bar."""

    def __init__(self, before=None):
        """`before` is the table of the version before."""
        self.rows = []
        self.values = {}
        self.before = before

    def add(self, figure, ours, unit, reference=None, bar=None, ratio_bar=None, floor=None, unbarred=None):
        """`bar` is the most that ours may be, `floor` the least, `ratio_bar` the most that ours divided by the reference may be; `unbarred` says
        why there is neither."""
        ratio = ours / reference if reference else None
        claims = [(ours, bar, f"≤ {bar:g} {unit}") if bar else None,
                  (ratio, ratio_bar, f"≤ {ratio_bar:g} ×") if ratio_bar else None,
                  (-ours, -floor, f"≥ {floor:,} {unit}") if floor else None]
        claims = [claim for claim in claims if claim]
        self.values[figure] = ours
        self.rows.append([
            figure, f"{ours:,.{digits(ours)}f} {unit}", *self.beside_before(figure, ours),
            f"{reference:,.{digits(reference)}f} {unit}" if reference else "",
            f"{ratio:.2f} ×" if ratio else "", ", ".join(text for *_, text in claims) or unbarred or "",
            "" if not claims else "met" if all(value <= most for value, most, _ in claims) else "MISSED"])

    def beside_before(self, figure, ours):
        """Cells: the figure of the version before, and ours divided by it. None without such a version."""
        if self.before is None:
            return []
        theirs = self.before.values.get(figure)
        return [f"{theirs:,.{digits(theirs)}f}", f"{ours / theirs:.2f} ×"] if theirs else ["", ""]

    def __str__(self):
        beside = [] if self.before is None else ["before", "now"]
        head = ["figure", "understudy", *beside, "reference", "ratio", "bar", ""]
        rows = [head, *self.rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
        lines = []
        for row in rows:
            cells = [cell.ljust(width) if column in (0, len(head) - 2, len(head) - 1) else cell.rjust(width)
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
        ours.append(once("/_understudy/v1/ready", [str(tools.program), "serve", "--port", "PORT"]))
        theirs.append(once("/health", [f"{BUILD}/refserver", "PORT", f"{BUILD}/rsa.pem"]))
    table.add("process start to first 200", median(ours), "ms", median(theirs), bar=10, ratio_bar=2)
    measure_start_with_fixtures(table, once)


def measure_start_with_fixtures(table, once):
    """The built-in cast and a file of one's own: made anew, and found in the cache from the second start on."""
    with tempfile.TemporaryDirectory() as folder:
        fixtures = Path(folder, "team.json")
        fixtures.write_text('{"people": [{"id": "ann", "name": "Ann", "email": "ann@example.com", "story": "s"}]}')
        os.environ["XDG_CACHE_HOME"] = folder
        command = [str(tools.program), "serve", "--port", "PORT", "--fixtures", "default", "--fixtures", str(fixtures)]
        anew = [once("/_understudy/v1/ready", [*command, "--no-cache"]) for _ in range(21)]
        with understudy("--fixtures", "default", "--fixtures", fixtures):
            pass
        found = [once("/_understudy/v1/ready", command) for _ in range(21)]
        del os.environ["XDG_CACHE_HOME"]
    table.add("the same with own fixtures, made anew", median(anew), "ms")
    table.add("the same with own fixtures, from the second start on", median(found), "ms", bar=8)


def measure_size(table):
    table.add("binary, static, stripped", tools.program.stat().st_size / 1e6, "MB", bar=15)


def in_turn(table, name, ours, theirs, our_call, their_call, ratio_bar=None, bar=None, rounds=3):
    """Requests a second and CPU of each, in rounds of the reference and ours in turn. A call is a path and settings of one.lua."""
    rates, costs = {}, {}
    for _ in range(rounds):
        for server, (path, settings) in [(theirs, their_call), (ours, our_call)]:
            before = server.cpu
            count, seconds = wrk("one.lua", server.port, path, 2, **settings)
            rates.setdefault(server, []).append(count / seconds)
            costs.setdefault(server, []).append((server.cpu - before) / count * 1e6)
    table.add(f"{name}, requests a second", median(rates[ours]), "/s", median(rates[theirs]))
    table.add(f"{name}, CPU per request", median(costs[ours]), "µs", median(costs[theirs]), bar=bar, ratio_bar=ratio_bar)


def measure_load(table):
    with understudy() as ours, reference() as theirs:
        for name, path, their_path, ratio_bar in [
                ("health", HEALTH, "/health", None), ("JWKS", JWKS, "/jwks", 2), ("discovery", DISCOVERY, "/discovery", 2)]:
            in_turn(table, name, ours, theirs, (path, {}), (their_path, {}), ratio_bar=ratio_bar)


def post(body, name):
    return {"BENCH_METHOD": "POST", "BENCH_BODY": body, "BENCH_AUTHORIZATION": basic(name)}


def measure_tokens(table):
    """Client credentials with a signed access token beside the bare signature; introspection of an opaque one beside a hash."""
    grant = "grant_type=client_credentials&scope=api"
    with token_server() as ours, reference() as theirs:
        for name, algorithm, bar in [("bench-rs", "RS256", 1.2), ("bench-es", "ES256", 1.75)]:
            in_turn(table, f"client credentials {algorithm}", ours, theirs, ("/oauth/v1/token", post(grant, name)),
                    (f"/token/{algorithm[:2].lower()}", post(grant, name)), ratio_bar=bar)
        issued = form(ours.port, "/oauth/v1/token", {"grant_type": "client_credentials", "scope": "api"}, basic("bench-opaque"))
        asked = post(f"token={json.loads(issued[2])['access_token']}", "bench-opaque")
        in_turn(table, "introspection of an opaque token", ours, theirs, ("/oauth/introspect", asked), ("/introspect", asked), bar=25)


def form(port, path, fields=None, authorization=None, cookies=None):
    """Status, headers and body of a form that is sent, or of a page without one; over a connection of its own."""
    connection = http.client.HTTPConnection("localhost", port, timeout=30)
    headers = {"Content-Type": "application/x-www-form-urlencoded"} if fields is not None else {}
    if authorization:
        headers["Authorization"] = authorization
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    body = None if fields is None else urllib.parse.urlencode(fields)
    connection.request("GET" if fields is None else "POST", path, body, headers)
    answer = connection.getresponse()
    result = answer.status, answer.headers, answer.read().decode()
    connection.close()
    if cookies is not None:
        for line in result[1].get_all("Set-Cookie") or []:
            name, _, value = line.split(";")[0].partition("=")
            cookies[name] = value
    return result


def logged_in(port, authorize):
    """The cookies of a browser in which a user logged in by one click."""
    cookies = {}
    status, headers, page = form(port, authorize, cookies=cookies)
    while status == 303 and headers["Location"].startswith(("/", f"http://localhost:{port}/")):
        status, headers, page = form(port, headers["Location"].removeprefix(f"http://localhost:{port}"), cookies=cookies)
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    fields = {name: html.unescape(value) for name, value in fields.items()}
    [first, *_] = re.findall(r'<button[^>]* name="([^"]+)" value="([^"]+)"', page)
    target = html.unescape(re.search(r'<form[^>]* action="([^"]+)"', page).group(1))
    status, _, page = form(port, target, fields | {first[0]: first[1]}, cookies=cookies)
    if status != 303:
        raise SystemExit(f"bench: the login answered {status}: {page}")
    return cookies


def measure_code_flow(table, count=1500):
    """Authorization with a session that is there, and the code's redemption: opaque access token, ID token signed with RS256."""
    authorize = "/oauth/v1/authorize?" + urllib.parse.urlencode({
        "client_id": "bench-opaque", "redirect_uri": "http://localhost:3000/cb", "response_type": "code", "scope": "openid"})
    with token_server() as ours:
        cookies = logged_in(ours.port, authorize)
        cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
        connection = http.client.HTTPConnection("localhost", ours.port, timeout=30)
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": basic("bench-opaque")}

        def flow():
            connection.request("GET", authorize, headers={"Cookie": cookie})
            answer = connection.getresponse()
            answer.read()
            code = answer.headers["Location"].split("code=")[1].split("&")[0]
            connection.request(
                "POST", "/oauth/v1/token", f"grant_type=authorization_code&code={code}&redirect_uri=http://localhost:3000/cb", headers)
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                raise SystemExit(f"bench: the code was refused: {body.decode()}")

        flow()
        before, began = ours.cpu, time.perf_counter()
        for _ in range(count):
            flow()
        table.add("full code flow, CPU", (ours.cpu - before) / count * 1e3, "ms", bar=0.6)
        table.add("full code flow, one client after the other", count / (time.perf_counter() - began), "/s")


def measure_qr_page(table):
    with token_server() as ours:
        started = form(ours.port, "/oauth/api/v4/authenticate/user", {
            "type": "qr-code", "message": "Bench", "callback_uri": "http://localhost:9/"}, basic("portal-api"))
        if started[0] != 200:
            raise SystemExit(f"bench: no transaction: {started[2]}")
        listed = json.loads(form(ours.port, "/_understudy/v1/transactions")[2])["transactions"]
        path = listed[0]["page"].removeprefix(f"http://localhost:{ours.port}")
        costs = []
        for _ in range(3):
            before = ours.cpu
            count, _ = wrk("one.lua", ours.port, path, 2)
            costs.append((ours.cpu - before) / count * 1e3)
        table.add("OTP page with QR code, CPU", median(costs), "ms", bar=0.5)


def measure_memory(table):
    with understudy() as ours, reference() as theirs:
        table.add("resident memory, idle", ours.memory, "MiB", theirs.memory, bar=15)
        done, wanted = 0, 100_000
        while done < wanted:
            done += wrk("mixed.lua", ours.port, "/", 2)[0]
        table.add(f"resident memory after {wanted:,} requests or more", ours.memory, "MiB", bar=24)
    with understudy() as ours, Connection(ours.port) as connection:
        def ask(count):
            for _ in range(count):
                connection.expect(404, "POST", "/hanko/user", LOOKUP)

        # The journal keeps ten thousand entries.
        ask(1000)
        before = ours.memory
        ask(9000)
        table.add("an entry of the journal, of a small request", (ours.memory - before) * 1024 / 9000, "KiB", bar=1.2)


def measure_idle(table):
    """Clients that are connected and ask nothing, or nothing more."""
    count = raise_file_limit(10_000)
    with understudy("--max-connections", count + 100) as ours, Connection(ours.port) as acting:
        before = ours.memory
        clients = [socket.create_connection(("127.0.0.1", ours.port), timeout=70) for _ in range(count)]
        acting.expect(200, "GET", HEALTH)
        table.add(f"memory of {count:,} connections that asked nothing", ours.memory - before, "MiB", bar=8)
        for client in clients:
            client.sendall(f"GET {HEALTH} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            client.recv(65536)
        time.sleep(1)
        table.add(f"memory of {count:,} connections that asked once", ours.memory - before, "MiB", bar=8)
        for client in clients:
            client.close()


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


def measure_worlds_inside(table):
    """What worlds cost without HTTP, by a program of this tree."""
    if tools.program != tools.SHIPPED:
        return
    bench = subprocess.run([BUILD / "WorldsBench", ROOT / "Fixtures/default.json"], capture_output=True, text=True, check=True)
    inside = json.loads(bench.stdout)
    for name, figure, bar in [
            ("create", "new world, without HTTP", 5), ("first_query", "its first query", 10),
            ("second_query", "its second query", None), ("reset", "world reset, without HTTP", 5),
            ("image", "world's database put back to an image, without HTTP", 5),
            ("snapshot", "snapshot taken of a world, without HTTP", 20),
            ("restore", "world put back to a snapshot, without HTTP", 20)]:
        table.add(figure, inside[name], "µs", bar=bar)


def measure_worlds(table):
    """What making, first using and resetting a world over HTTP costs beyond an ordinary call."""
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


def log_in(connection, world):
    """A user of Hanko, and a login with a passcode from the outbox."""
    user = json.loads(connection.expect(200, "POST", f"/w/{world}/hanko/users", LOOKUP))["user_id"]
    passcode = json.loads(connection.expect(200, "POST", f"/w/{world}/hanko/passcode/login/initialize", {"user_id": user}))["id"]
    code = json.loads(connection.expect(200, "GET", f"/w/{world}/_understudy/v1/codes?to={LOOKUP['email']}"))["code"]
    connection.expect(200, "POST", f"/w/{world}/hanko/passcode/login/finalize", {"id": passcode, "code": code})


def measure_many_worlds(table):
    with understudy() as ours, Connection(ours.port) as connection:
        for _ in range(1000):
            connection.expect(404, "POST", "/hanko/user", LOOKUP)
        before = ours.memory
        for number in range(1000):
            connection.expect(201, "POST", WORLDS, {"name": f"used-{number}"})
            log_in(connection, f"used-{number}")
        table.add("memory of 1,000 worlds after a login", ours.memory - before, "MiB", bar=48)
        for number in range(1000):
            connection.expect(204, "DELETE", f"{WORLDS}/used-{number}")
        time.sleep(3)
        table.add("resident memory after they were deleted", ours.memory, "MiB", before, ratio_bar=1.2)
    with understudy() as ours, Connection(ours.port) as connection:
        for number in range(19_990):
            connection.expect(201, "POST", WORLDS, {"name": f"used-{number}"})
            connection.expect(404, "POST", f"/w/used-{number}/hanko/user", LOOKUP)
        table.add("resident memory, 20,000 worlds in use", ours.memory, "MiB", bar=512)


def measure_mint(table, count=500):
    """Tokens to order over HTTP, beyond an ordinary call: signed, registered, and told to the journal."""
    orders = {
        "session of Hanko": {"platform": "hanko", "kind": "session", "user": "grace@example.com"},
        "access token as JWT": {"platform": "onegini", "kind": "jwt_access_token", "user": "ada", "client": "web-app"},
        "opaque access token": {"platform": "onegini", "kind": "access_token", "user": "ada", "client": "web-app"},
        "token with a wrong key": {
            "platform": "hanko", "kind": "session", "user": "grace@example.com", "flaw": "wrong_key"},
    }
    with understudy() as ours, Connection(ours.port) as connection:
        for name, order in orders.items():
            trips, mints = [], []
            for _ in range(count):
                trips.append(connection.time(200, "GET", HEALTH))
                mints.append(connection.time(201, "POST", "/_understudy/v1/tokens", order))
            table.add(f"minted: {name}", median(mints) - median(trips), "ms")


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


MEASURES = {measure.__name__.removeprefix("measure_"): measure for measure in [
    measure_start, measure_memory, measure_idle, measure_size, measure_load, measure_instructions, measure_tokens, measure_code_flow, measure_qr_page, measure_logins,
    measure_hanko, measure_postquantum, measure_powerauth, measure_miracl, measure_app_login, measure_websockets, measure_worlds_inside,
    measure_worlds,
    measure_many_worlds, measure_mint, measure_wake_up, measure_waiters, measure_smtp, measure_farm, measure_phones,
    measure_console, measure_flows, measure_routes, measure_upstream, measure_compare]}


def forget_how_it_was_written(path):
    """Drops a file from the page cache: pages that the linker just wrote lie there in large pieces, each of which counts as resident
    as soon as one of its bytes is read."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def take(name, table, before):
    """One measure, of the version before as well if there is one."""
    print(f"  {name.replace('_', ' ')} …", flush=True)
    if before:
        now, tools.program = tools.program, before
        try:
            MEASURES[name](table.before)
        except (Exception, SystemExit) as problem:  # An older version need not know what this one does.
            print(f"    the version before could not: {problem}", flush=True)
        finally:
            tools.program = now
    MEASURES[name](table)


def main():
    options = argparse.ArgumentParser(prog="script/bench")
    options.add_argument("measure", nargs="*", help=f"one of {' '.join(MEASURES)}; all without one")
    options.add_argument("--before", type=Path, metavar="BINARY", help="an earlier binary, measured in the same run")
    options = options.parse_args()
    asked = options.measure or list(MEASURES)
    if unknown := [name for name in asked if name not in MEASURES]:
        raise SystemExit(f"bench: no measure {', '.join(unknown)}; there are: {' '.join(MEASURES)}")
    began = time.monotonic()
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, Linux {platform.release()}", flush=True)
    forget_how_it_was_written(tools.program)
    table = Table(Table() if options.before else None)
    for name in asked:
        take(name, table, options.before)
    print(f"\n{table}\n\nmeasured in {time.monotonic() - began:.0f} s; read the ratios, the machine is shared")


if __name__ == "__main__":
    main()
