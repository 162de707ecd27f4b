"""The measure `instructions`: what a request takes of the processor in user space, counted by callgrind.

A count hardly depends on the machine and on what else it does, unlike time. The kernel's part is not in it. Requests follow each other on one
connection, and what the server did before the first of them is not counted. The profile of each figure stays in
`.build/bench/instructions`, for callgrind_annotate; the names of functions are in it where the binary has them.
"""

import json
import re
import subprocess

import tools
from clients import basic, token_server
from powerauth import HEALTH, prepared
from tools import BUILD, Connection, Process, free_port

COUNT = 200
#: Before what is counted, so that what happens once has happened.
WARM_UP = 50
PROFILES = BUILD / "instructions"
#: Seconds until a server answers that runs under callgrind on a busy machine.
PATIENCE = 180

WORLDS = "/_understudy/v1/worlds"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Counted:
    """A server under callgrind; ends with the `with` block."""

    def __init__(self, command, port, path, name):
        PROFILES.mkdir(exist_ok=True)
        self.file = PROFILES / name
        for old in PROFILES.glob(f"{name}.*"):
            old.unlink()
        self.dumps = 0
        callgrind = ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={self.file}"]
        self.server = Process([*callgrind, *command], port, path, PATIENCE)
        self.connection = Connection(port)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.connection.socket.close()
        self.server.__exit__(*error)

    def ask(self, status, request):
        self.connection.socket.sendall(request)
        got, body = self.connection.receive()
        if got != status:
            raise SystemExit(f"bench: {request.split(b' HTTP')[0].decode()} answered {got}: {body.decode()}")
        return body

    def dump(self, name):
        """Instructions since the last one; what was counted is kept under that name."""
        done = subprocess.run(
            ["callgrind_control", "--dump", str(self.server.process.pid)], capture_output=True, text=True, timeout=PATIENCE)
        self.dumps += 1
        written = self.file.with_name(f"{self.file.name}.{self.dumps}")
        if not written.exists():
            raise SystemExit(f"bench: callgrind writes no counts: {done.stdout}{done.stderr}")
        kept = written.rename(self.file.with_name(f"{self.file.name}.{name}"))
        return int(re.search(r"^totals: (\d+)", kept.read_text(), re.MULTILINE).group(1))

    def count(self, name, status, make):
        """Thousands of instructions a request; `make` makes each from its number."""
        requests = [make(number) for number in range(WARM_UP + COUNT)]
        for request in requests[:WARM_UP]:
            self.ask(status, request)
        self.dump("before")
        for request in requests[WARM_UP:]:
            self.ask(status, request)
        return self.dump(name) / COUNT / 1e3


def counted_understudy(*options):
    port = free_port()
    command = [str(tools.program), "serve", "--port", str(port), "--quiet", *map(str, options)]
    return Counted(command, port, "/_understudy/v1/ready", "understudy")


def counted_reference():
    port = free_port()
    return Counted([str(BUILD / "refserver"), str(port), str(BUILD / "rsa.pem")], port, "/health", "refserver")


def get(path):
    return lambda _: prepared("GET", path)


def post_form(path, body, client):
    return lambda _: prepared("POST", path, FORM | {"Authorization": basic(client)}, body.encode())


def new_world(number):
    return prepared("POST", WORLDS, body=json.dumps({"name": f"counted-{number}"}).encode())


def measure_instructions(table):
    grant = "grant_type=client_credentials&scope=api"
    lookup = json.dumps({"email": "nobody@example.com"}).encode()
    with counted_reference() as server:
        theirs = {name: server.count(name, 200, make) for name, make in [
            ("health", get("/health")), ("jwks", get("/jwks")), ("discovery", get("/discovery")),
            ("es256", post_form("/token/es", grant, "bench-es")), ("rs256", post_form("/token/rs", grant, "bench-rs"))]}
    with token_server(counted_understudy) as server:
        def add(figure, name, status, make, **bars):
            table.add(f"{figure}, instructions", server.count(name, status, make), "k", theirs.get(name), **bars)

        add("health", "health", 200, get(HEALTH), bar=30)
        add("JWKS", "jwks", 200, get("/oauth/v1/keys"), bar=32)
        add("discovery", "discovery", 200, get("/oauth/.well-known/openid-configuration"), bar=40)
        add("Hanko's 404", "lookup", 404, lambda _: prepared("POST", "/hanko/user", body=lookup), bar=90)
        add("new world over HTTP", "world", 201, new_world, bar=200)
        issued = json.loads(server.ask(200, post_form("/oauth/v1/token", grant, "bench-opaque")(0)))["access_token"]
        add("introspection of an opaque token", "introspection", 200,
            post_form("/oauth/introspect", f"token={issued}", "bench-opaque"), bar=163)
        add("client credentials ES256", "es256", 200, post_form("/oauth/v1/token", grant, "bench-es"), ratio_bar=2)
        add("client credentials RS256", "rs256", 200, post_form("/oauth/v1/token", grant, "bench-rs"), ratio_bar=1.03)
