"""Worlds and logins a second behind a proxy, with one program and with two."""

import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from tools import ROOT, Connection, free_port, understudy, wrk

sys.path.insert(0, str(ROOT / "Tests/Acceptance"))
from proxies import haproxy  # noqa: E402

USED = 500


def measure_farm(table):
    """By the documentation's recipe for HAProxy; with one program both its servers are that one. All share this machine's cores."""
    for count in (1, 2):
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            unlimited = folder / "unlimited.json"
            unlimited.write_text('{"hanko": {"config": {"rate_limiter": {"enabled": false}}}}')
            programs = [stack.enter_context(understudy("--fixtures", "default", "--fixtures", unlimited)) for _ in range(count)]
            proxy = haproxy(folder, free_port(), [programs[0].port, programs[-1].port])
            stack.callback(proxy.stop)
            port = int(proxy.url.rsplit(":", 1)[1])
            words = "one program" if count == 1 else "two programs"
            users = folder / "users"
            with Connection(port) as connection, users.open("w") as lines:
                for number in range(USED):
                    mount, address = f"/w/used-{number}", f"bench{number}@example.com"
                    connection.expect(201, "PUT", f"/_understudy/v1/worlds/used-{number}", {})
                    created = connection.expect(200, "POST", mount + "/hanko/users", {"email": address})
                    user = json.loads(created)["user_id"]
                    lines.write(f"{user} {address} {mount}\n")
            made, seconds = wrk("worlds.lua", port, "/", 2)
            table.add(f"worlds made through a proxy, {words}", made / seconds, "/s")
            before = sum(program.cpu for program in programs)
            logins, seconds = wrk("logins.lua", port, "/", 4, connections=16, BENCH_USERS=str(users))
            cost = (sum(program.cpu for program in programs) - before) / logins * 1e6
            table.add(f"passcode logins in {USED} worlds through a proxy, {words}", logins / seconds, "/s")
            table.add(f"such a login, CPU, {words}", cost, "µs")
