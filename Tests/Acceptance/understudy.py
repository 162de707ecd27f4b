"""Starts the program and speaks to it: what every acceptance test needs."""

import json
import os
import random
import resource
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import requests

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("UNDERSTUDY_BINARY") or ROOT / ".build/debug/understudy").resolve()
CONTROL = "/_understudy/v1"


def until(claim, what, seconds=10.0):
    """Asks `claim` until its answer is true, and returns the answer; `what` names what was waited for."""
    end = time.monotonic() + seconds
    while True:
        answer = claim()
        if answer:
            return answer
        assert time.monotonic() < end, f"waited {seconds:g} s for {what}"
        time.sleep(0.01)


def free_port(count=1):
    """A TCP port of the loopback that nobody listens on, nor on the `count - 1` ports after it.

    Below those that the system gives to outgoing connections: tests that run beside this one never get it by chance.
    """
    while True:
        first = random.randrange(10_000, 30_000)
        if all(map(is_free, range(first, first + count))):
            return first


def is_free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def plain_environment(**more):
    """This process's environment without any setting of Understudy."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("UNDERSTUDY_")}
    # What one test leaves in the user's cache folder is nothing to another.
    return kept | {"UNDERSTUDY_NO_CACHE": "1"} | more


def run(*arguments, url=None, stdin="", seconds=30, **environment):
    """Runs a command of the program to its end; `url` is the server that it shall speak to."""
    if url:
        environment["UNDERSTUDY_URL"] = url
    return subprocess.run(
        [BINARY, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=seconds,
        env=plain_environment(**environment))


class Server:
    """A started program. `url` is its base URL, `banner` the JSON line that it greeted with."""

    def __init__(self, *options, port=0, address_space=None, group=None, **environment):
        """`address_space`: the most bytes of it that the program may take; `group`: the folder of a control group that it enters first."""
        self.address_space, self.group = address_space, group
        self.options = [str(option) for option in options]
        self.port = port
        self.environment = environment
        self.folder = tempfile.TemporaryDirectory(prefix="understudy-test-")
        self.process = None
        self.start()

    def start(self):
        """Starts the program, with the same options each time, and waits for its banner."""
        self.output = Path(self.folder.name, "output")
        self.errors = Path(self.folder.name, "errors")
        with self.output.open("wb") as output, self.errors.open("wb") as errors:
            self.process = subprocess.Popen(
                [BINARY, "serve", "--port", str(self.port), "--json", *self.options], stdin=subprocess.DEVNULL,
                stdout=output, stderr=errors, cwd=self.folder.name, env=plain_environment(**self.environment),
                preexec_fn=self._limit if self.address_space or self.group else None)
        line = until(self._first_line, "the banner", seconds=20)
        self.banner = json.loads(line)
        self.url = self.banner["url"].rstrip("/")

    def _limit(self):
        if self.group:
            Path(self.group, "cgroup.procs").write_text(str(os.getpid()))
        if self.address_space:
            resource.setrlimit(resource.RLIMIT_AS, (self.address_space, self.address_space))

    def _first_line(self):
        ended = self.process.poll()
        assert ended is None, f"the program ended with {ended}: {self.errors.read_text()}"
        text = self.output.read_text()
        return text.split("\n")[0] if "\n" in text else None

    @property
    def address(self):
        """Host and port, to open a socket by hand."""
        host, port = self.url.split("://")[1].rsplit(":", 1)
        return host.strip("[]"), int(port)

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        """Ends the program without a chance to put anything in order."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """Ends the program however it takes, and removes what it wrote."""
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.kill()
        self.folder.cleanup()

    @property
    def default_world(self):
        return World("default", self.url)


class World:
    """A set of users of its own, seen from outside."""

    def __init__(self, name, url):
        self.name = name
        self.url = url.rstrip("/")
        self.hanko = self.url + "/hanko"
        self.oauth = self.url + "/oauth"

    def control(self, method, path, /, **options):
        """A call of the control API in this world."""
        options.setdefault("timeout", 70)
        return requests.request(method, self.url + CONTROL + path, **options)

    def get(self, path, /, **query):
        answer = self.control("GET", path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def code(self, to, **query):
        """The newest code that was sent to `to`, waited for."""
        return self.get("/codes", **{"to": to, "wait": 10} | query)

    def messages(self, **query):
        return self.get("/outbox", **query)["messages"]

    def raw(self, identifier):
        """A message as it would travel, in bytes."""
        answer = self.control("GET", f"/outbox/{identifier}/raw")
        assert answer.status_code == 200, answer.text
        return answer.content

    def journal(self, **query):
        return self.get("/journal", **query)["entries"]

    def explanations(self, **query):
        """What the journal says to those requests, newest first."""
        return [entry["explanation"] for entry in self.journal(**query) if entry.get("explanation")]

    def advance(self, seconds):
        answer = self.control("POST", "/clock/advance", json={"seconds": seconds})
        assert answer.status_code == 200, answer.text


class Client:
    """A mobile app's view of Hanko: JSON over HTTP, no cookie jar, the session as a bearer token."""

    def __init__(self, base):
        self.base = base

    def post(self, path, body=None, **options):
        return requests.post(self.base + path, json=body, timeout=30, **options)

    def get(self, path, token=None, **options):
        if token:
            options["headers"] = {"Authorization": "Bearer " + token}
        return requests.get(self.base + path, timeout=30, **options)

    def put(self, path, token, body):
        return requests.put(self.base + path, json=body, headers={"Authorization": "Bearer " + token}, timeout=30)

    def patch(self, path, token, body):
        return requests.patch(self.base + path, json=body, headers={"Authorization": "Bearer " + token}, timeout=30)

    def delete(self, path, token):
        return requests.delete(self.base + path, headers={"Authorization": "Bearer " + token}, timeout=30)

    def sign_up(self, email):
        """A new user's id."""
        created = self.post("/users", {"email": email})
        assert created.status_code == 200, created.text
        return created.json()["user_id"]

    def start(self, user):
        """Has a passcode sent; the passcode's id."""
        started = self.post("/passcode/login/initialize", {"user_id": user})
        assert started.status_code == 200, started.text
        return started.json()["id"]

    def finish(self, passcode, code):
        return self.post("/passcode/login/finalize", {"id": passcode, "code": code})

    def log_in(self, world, email):
        """Signs up and logs in with the passcode from the outbox; the session token."""
        passcode = self.start(self.sign_up(email))
        return token_of(self.finish(passcode, world.code(email)["code"]))


def token_of(answer):
    """The session token of a login, from wherever the profile puts it."""
    assert answer.status_code == 200, answer.text
    token = answer.headers.get("X-Auth-Token") or answer.cookies.get("hanko")
    assert token, answer.headers
    return token
