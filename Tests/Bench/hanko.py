"""The measure `hanko`: what passkeys cost beside their bare cryptography and beside a request without any.

An authenticator of the acceptance tests prepares the responses; Tests/Bench/replay.c sends them.
"""

import json
import sys

from powerauth import CONNECTIONS, HEALTH, prepared, rounds
from tools import HERE, Connection, understudy

sys.path.insert(0, str(HERE.parent / "Acceptance"))

from passkey_device import PasskeyDevice  # noqa: E402

ORIGIN = "http://localhost:3000"
WEBAUTHN = "/hanko/webauthn"


class Passkeys:
    """A server with users who are signed in, each with a passkey of its own."""

    def __init__(self, server):
        self.connection = Connection(server.port)
        self.sessions = [self._signed_in(f"bench{number}@example.com", server) for number in range(CONNECTIONS)]
        self.devices = [PasskeyDevice(ORIGIN) for _ in range(CONNECTIONS)]
        for device, session in zip(self.devices, self.sessions):
            with Connection(server.port, session) as connection:
                options = json.loads(connection.expect(200, "POST", WEBAUTHN + "/registration/initialize"))
                connection.expect(200, "POST", WEBAUTHN + "/registration/finalize", device.create(options))

    def _signed_in(self, address, server):
        """Header fields with a new user's session."""
        user = json.loads(self.connection.expect(200, "POST", "/hanko/users", {"email": address}))["id"]
        passcode = json.loads(self.connection.expect(
            200, "POST", "/hanko/passcode/login/initialize", {"user_id": user}))["id"]
        code = json.loads(self.connection.expect(200, "GET", f"/_understudy/v1/codes?to={address}&wait=10"))["code"]
        self.connection.send("POST", "/hanko/passcode/login/finalize", {"id": passcode, "code": code})
        return {"Authorization": "Bearer " + self._token()}

    def _token(self):
        """From the header fields of the answer, which the lean client does not keep."""
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.connection.socket.recv(65536)
        head, body = answer.split(b"\r\n\r\n", 1)
        lines = (line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
        fields = {name.lower(): value for name, value in lines}
        while len(body) < int(fields[b"content-length"]):
            body += self.connection.socket.recv(65536)
        return fields[b"x-auth-token"].decode()

    def assertions(self, count):
        """`login/finalize` of discoverable logins, each with a challenge of its own."""
        def one(device):
            options = json.loads(self.connection.expect(200, "POST", WEBAUTHN + "/login/initialize"))
            return prepared("POST", WEBAUTHN + "/login/finalize", body=json.dumps(device.get(options)).encode())

        return [one(self.devices[at % CONNECTIONS]) for at in range(count)]

    def registrations(self, server, count):
        """`registration/finalize` without attestation, each of a new passkey of a signed-in user."""
        requests = [None] * count
        for number, session in enumerate(self.sessions):
            with Connection(server.port, session) as connection:
                for at in range(number, count, CONNECTIONS):
                    options = json.loads(connection.expect(200, "POST", WEBAUTHN + "/registration/initialize"))
                    body = json.dumps(PasskeyDevice(ORIGIN).create(options)).encode()
                    requests[at] = prepared("POST", WEBAUTHN + "/registration/finalize", session, body)
        return requests


def measure_hanko(table):
    """Logins and registrations with passkeys. A login also signs a session token, a registration also checks one."""
    with understudy() as server:
        passkeys = Passkeys(server)
        get = prepared("GET", HEALTH)
        _, health, _ = rounds(server, lambda: [get] * 20_000, "{", [])

        def add(name, prepare, recipe, most):
            rate, cost, references = rounds(server, prepare, '"credential_id"', [recipe, recipe + "-session"])
            table.add(f"{name}, requests a second", rate, "/s")
            table.add(f"{name}, CPU beside bare cryptography", cost, "µs", references[recipe + "-session"], ratio_bar=most)
            table.add(f"{name}, CPU beside the same without the session", cost, "µs", references[recipe])
            table.add(f"{name}, CPU beside health", cost, "µs", health)

        add("registration/finalize", lambda: passkeys.registrations(server, 800), "registration", None)
        add("login/finalize", lambda: passkeys.assertions(2000), "assertion", 2)
