"""Understudy for tests in Python 3.9 or later: one file, nothing else to install. understudy helper python > understudy.py

With pytest: pytest_plugins = ["understudy"] in conftest.py gives the fixtures understudy (a program, by UNDERSTUDY_URL or started for the
session) and world (a world for each test), and a failing test says what was refused in its world and why. Works with pytest-xdist.
"""

import json
import os
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request

CONTROL = "/_understudy/v1"


class Problem(Exception):
    """The control API said no. status is the one of HTTP; the text is its sentence."""

    def __init__(self, status, detail):
        super().__init__(f"{status}: {detail}")
        self.status = status


class Understudy:
    """A running program: that of UNDERSTUDY_URL, or one that start() began."""

    def __init__(self, url, token=None, process=None):
        self.url, self.token, self._process = url.rstrip("/"), token, process

    @classmethod
    def start(cls, *options, binary=None):
        """A program of our own on a free port, with options of understudy serve; binary is UNDERSTUDY_BINARY, or else on the PATH."""
        binary = binary or os.environ.get("UNDERSTUDY_BINARY") or shutil.which("understudy")
        if not binary:
            raise FileNotFoundError("understudy is not on the PATH; set UNDERSTUDY_BINARY, or UNDERSTUDY_URL for one that runs")
        settings = {name: value for name, value in os.environ.items() if name != "UNDERSTUDY_PORT"}
        process = subprocess.Popen(
            [binary, "serve", "--port", "0", "--json", *options], stdout=subprocess.PIPE, env=settings, text=True)
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"understudy did not start: exit status {process.wait()}")
        banner = json.loads(line)
        return cls(banner["url"], banner.get("controlToken"), process)

    @classmethod
    def connect(cls, *options):
        """The program of UNDERSTUDY_URL, or a new one."""
        url = os.environ.get("UNDERSTUDY_URL")
        return cls(url, os.environ.get("UNDERSTUDY_CONTROL_TOKEN")) if url else cls.start(*options)

    def stop(self):
        """Ends a program that start() began; leaves any other alone."""
        if self._process:
            self._process.terminate()
            self._process.wait(15)
            self._process.stdout.close()

    def world(self, **order):
        """A new world. Order: name, fixtures, seed, clock, from (write it from_)."""
        made = self.call("POST", "/worlds", {key.rstrip("_"): value for key, value in order.items()})
        return World(self, made["name"], made["baseURL"], made["urls"])

    def call(self, method, path, body=None, timeout=90, base=None, **query):
        """A call of the control API; what it answers, from JSON."""
        query = {key.rstrip("_"): value for key, value in query.items() if value is not None}
        url = (base or self.url) + CONTROL + path + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = {"Content-Type": "application/json"} | ({"Authorization": "Bearer " + self.token} if self.token else {})
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=timeout) as answer:
                text = answer.read()
        except urllib.error.HTTPError as refusal:
            with refusal:
                text = refusal.read().decode(errors="replace")
            try:
                detail = json.loads(text).get("detail", text)
            except ValueError:
                detail = text
            raise Problem(refusal.code, detail) from None
        return json.loads(text) if text else None


class World:
    """A complete set of users, keys, mails, time and journal, which no other test sees. urls: base URLs by platform, such as hanko."""

    def __init__(self, server, name, url, urls):
        self.server, self.name, self.url, self.urls = server, name, url, urls

    def call(self, method, path, body=None, **query):
        return self.server.call(method, path, body, base=self.url, **query)

    def code(self, to, wait=10, **query):
        """The newest code that was sent to somebody and is still good, waited for. Query: kind, after, used."""
        return self.message(to, wait, **query)["code"]

    def message(self, to, wait=10, **query):
        """The same with id, kind, link and times."""
        return self.call("GET", "/codes", to=to, wait=wait, **query)

    def outbox(self, **query):
        return self.call("GET", "/outbox", **query)["messages"]

    def advance(self, seconds):
        """Lets time pass in this world alone."""
        return self.call("POST", "/clock/advance", {"seconds": seconds})

    def fault(self, name=None, match=None, **effect):
        """Something goes wrong from now on: fault(match={"path": "/users"}, answer={"status": 503}). Returns the fault's name."""
        rule = {"match": match or {}, "effect": effect} | ({"name": name} if name else {})
        return self.call("POST", "/faults", rule)["name"]

    def clear_faults(self):
        self.call("DELETE", "/faults")

    def snapshot(self, name):
        """Remembers what the world is like now."""
        return self.call("POST", "/snapshots", {"name": name})["name"]

    def restore(self, name):
        self.call("POST", f"/snapshots/{urllib.parse.quote(name)}/restore")

    def phone(self, name, action, body=None, **query):
        """A simulated phone: enrol, scan, pending, approve, decline, sign. phone("ada", "approve", wait=10)"""
        method = "GET" if action in ("pending", "messages") else "POST"
        return self.call(method, f"/phones/{urllib.parse.quote(name)}/{action}", None if method == "GET" else body or {}, **query)

    def refusals(self):
        """What was refused in this world and why, the oldest first, a line each."""
        entries = self.call("GET", "/journal", refused="true")["entries"]
        lines = []
        for entry in reversed(entries):
            exchange = entry.get("exchange", {})
            lines.append(f"{exchange.get('method')} {exchange.get('target')} → {exchange.get('status')}: {entry.get('explanation')}")
        return lines

    def delete(self):
        self.server.call("DELETE", "/worlds/" + self.name)


try:
    import pytest
except ImportError:
    pass
else:

    @pytest.fixture(scope="session")
    def understudy():
        server = Understudy.connect()
        yield server
        server.stop()

    @pytest.fixture
    def world(understudy):
        world = understudy.world()
        yield world
        world.delete()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(item, call):
        report = (yield).get_result()
        world = getattr(item, "funcargs", {}).get("world")
        if call.when == "call" and report.failed and isinstance(world, World):
            refusals = world.refusals()
            if refusals:
                report.sections.append((f"refused in the world {world.name}", "\n".join(refusals)))
