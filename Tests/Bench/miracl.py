"""The measure `miracl`: what a login with M-Pin costs beside its bare arithmetic on the curve.

A phone computes its proofs with Python's integers, against a server whose chance has a seed and whose clock stands. Another server with
the same seed gives the same challenges, so that Tests/Bench/replay.c can send it the same requests, one after the other.
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

from powerauth import HEALTH, ROUNDS, bare, prepared, replay
from tools import HERE, Connection, median, understudy

sys.path.insert(0, str(HERE.parent / "Acceptance"))

from mpin import Identity, hex_of, point_of  # noqa: E402

RPS = "/miracl/rps/v2"
PIN = "1234"
PROOFS = 200
HEADERS = {"X-MIRACL-CID": "bench"}
BASIC = "Basic " + base64.b64encode(b"bench:bench").decode()
PROJECT = {"clock": {"now": "2026-03-02T09:00:00Z"}, "miracl": {"projects": [{
    "id": "bench", "name": "Bench", "force_activation": True,
    "applications": [{"client_id": "bench", "client_secret": "bench", "redirect_uris": ["http://localhost:3000/"]}]}]}}


SEED = 7
#: What is measured in a round, in requests.
ROUND = 3 * PROOFS


class Phone:
    """A phone with an identity without a key pair, which remembers what it sent."""

    def __init__(self, connection):
        self.connection = connection
        self.sent = []
        begun = self.call("PUT", "/user", {"userId": "bench@example.com", "deviceName": "bench"})
        self.mpin_id = begun["mpinId"]
        first = self.call("GET", f"/signature/{self.mpin_id}?regOTT={begun['regOTT']}")
        second = self.call("GET", first["cs2url"].split(RPS)[1])
        self.identity = Identity(self.mpin_id, [first["clientSecretShare"], second["clientSecret"]], PIN)
        assert point_of(first["clientSecretShare"]) != point_of(second["clientSecret"])

    def call(self, method, path, body=None):
        self.sent.append(prepared(method, RPS + path, HEADERS, b"" if body is None else json.dumps(body).encode()))
        return json.loads(self.connection.expect(200, method, RPS + path, body))

    def log_in(self):
        """Both passes and what follows: three requests."""
        x, u = self.identity.commit()
        told = self.call("POST", "/pass1", {"mpin_id": self.mpin_id, "U": hex_of(u), "UT": "", "scope": ["jwt"], "pass": 1})
        v = self.identity.answer(x, int(told["y"], 16), PIN)
        told = self.call("POST", "/pass2", {"mpin_id": self.mpin_id, "V": hex_of(v), "WID": "0", "pass": 2})
        self.call("POST", "/authenticate", {"authOTT": told["authOTT"]})


def recorded(options):
    """The requests of a registration and of every login that is measured."""
    with understudy(*options) as server, Connection(server.port, HEADERS) as connection:
        phone = Phone(connection)
        registration = phone.sent
        phone.sent = []
        for _ in range(ROUNDS * PROOFS):
            phone.log_in()
        return registration, phone.sent


def require_logins(server):
    """Every proof was right, as the audit has it: the answers alone would not tell."""
    with Connection(server.port, {"Authorization": BASIC}) as connection:
        path = f"/miracl/api/v1/projects/bench/audit?limit={ROUNDS * PROOFS}"
        lines = json.loads(connection.expect(200, "GET", path))["list"]
    good = sum(line["eventStatus"] == "authenticate_success" for line in lines)
    if good != ROUNDS * PROOFS:
        raise SystemExit(f"bench: {good} of {ROUNDS * PROOFS} logins were good")


def measure_miracl(table):
    """Logins of an identity without a key pair, whose proofs need no pairing."""
    with tempfile.TemporaryDirectory() as folder:
        fixtures = Path(folder, "project.json")
        fixtures.write_text(json.dumps(PROJECT))
        options = ["--fixtures", fixtures, "--seed", SEED]
        registration, logins = recorded(options)
        with understudy(*options) as server:
            replay(server, registration, "{", connections=1)
            get = prepared("GET", HEALTH)
            costs, proofs, mapped, health = [], [], [], []
            for start in range(0, len(logins), ROUND):
                proofs.append(bare("mpin"))
                mapped.append(bare("mpin-mapped"))
                costs.append(3 * replay(server, logins[start:start + ROUND], "{", connections=1)[1])
                health.append(replay(server, [get] * 20_000, "{")[1])
            require_logins(server)
    table.add("M-Pin login (pass1, pass2, authenticate), CPU beside bare arithmetic", median(costs), "µs", median(proofs), ratio_bar=2)
    table.add("M-Pin login, CPU beside the same from the identity's hash on", median(costs), "µs", median(mapped))
    table.add("M-Pin login, CPU beside three requests of health", median(costs), "µs", 3 * median(health))
