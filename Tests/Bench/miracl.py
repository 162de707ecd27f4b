"""The measure `miracl`: what a login with M-Pin costs beside its bare arithmetic on the curve.

A phone computes with Python's integers, one proof after the other; what it costs itself is not measured.
"""

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
PROJECT = {"miracl": {"projects": [{
    "id": "bench", "name": "Bench", "force_activation": True,
    "applications": [{"client_id": "bench", "client_secret": "bench", "redirect_uris": ["http://localhost:3000/"]}]}]}}


class Phone:
    """A phone with an identity without a key pair."""

    def __init__(self, connection):
        self.connection = connection
        begun = self.call("PUT", "/user", {"userId": "bench@example.com", "deviceName": "bench"})
        self.mpin_id = begun["mpinId"]
        first = self.call("GET", f"/signature/{self.mpin_id}?regOTT={begun['regOTT']}")
        second = self.call("GET", first["cs2url"].split(RPS)[1])
        self.identity = Identity(self.mpin_id, [first["clientSecretShare"], second["clientSecret"]], PIN)
        assert point_of(first["clientSecretShare"]) != point_of(second["clientSecret"])

    def call(self, method, path, body=None):
        return json.loads(self.connection.expect(200, method, RPS + path, body))

    def log_in(self):
        """Both passes and what follows: three requests."""
        x, u = self.identity.commit()
        told = self.call("POST", "/pass1", {"mpin_id": self.mpin_id, "U": hex_of(u), "UT": "", "scope": ["jwt"], "pass": 1})
        v = self.identity.answer(x, int(told["y"], 16), PIN)
        told = self.call("POST", "/pass2", {"mpin_id": self.mpin_id, "V": hex_of(v), "WID": "0", "pass": 2})
        self.call("POST", "/authenticate", {"authOTT": told["authOTT"]})


def measure_miracl(table):
    """Logins of an identity without a key pair, whose proofs need no pairing."""
    with tempfile.TemporaryDirectory() as folder:
        fixtures = Path(folder, "project.json")
        fixtures.write_text(json.dumps(PROJECT))
        with understudy("--fixtures", fixtures) as server, Connection(server.port, {"X-MIRACL-CID": "bench"}) as connection:
            phone = Phone(connection)
            phone.log_in()
            get = prepared("GET", HEALTH)
            costs, proofs, mapped, health = [], [], [], []
            for _ in range(ROUNDS):
                proofs.append(bare("mpin"))
                mapped.append(bare("mpin-mapped"))
                before = server.cpu
                for _ in range(PROOFS):
                    phone.log_in()
                costs.append((server.cpu - before) / PROOFS * 1e6)
                health.append(replay(server, [get] * 20_000, "{")[1])
    table.add("M-Pin login (pass1, pass2, authenticate), CPU beside bare arithmetic", median(costs), "µs", median(proofs), ratio_bar=2)
    table.add("M-Pin login, CPU beside the same from the identity's hash on", median(costs), "µs", median(mapped))
    table.add("M-Pin login, CPU beside three requests of health", median(costs), "µs", 3 * median(health))
