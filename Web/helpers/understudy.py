"""Understudy @VERSION@ for tests in Python 3.9 or later: one file, nothing else to install. understudy helper python > understudy.py

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
# A proxy for the internet knows nothing of a program on this machine.
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))

class Problem(Exception):
    """The control API said no: the status of HTTP, a title, which for a phone is the SDK's name of the error, and a sentence."""
    def __init__(self, status, text):
        told = json.loads(text) if text.startswith("{") else {}
        self.status, self.title, self.detail = status, told.get("title", "no answer of Understudy"), told.get("detail", text)
        super().__init__(f"{self.status} {self.title}: {self.detail}")

class Understudy:
    """A running program: that of UNDERSTUDY_URL, or one that start() began."""
    def __init__(self, url, token=None, process=None):
        self.url, self.token, self._process = url.rstrip("/"), token, process

    @classmethod
    def start(cls, *options):
        """A program of our own on a free port, with options of understudy serve: UNDERSTUDY_BINARY, or else the one on the PATH."""
        binary = os.environ.get("UNDERSTUDY_BINARY") or shutil.which("understudy")
        if not binary:
            raise FileNotFoundError("understudy is not on the PATH; set UNDERSTUDY_BINARY, or UNDERSTUDY_URL for one that runs")
        process = subprocess.Popen([binary, "serve", "--port", "0", "--json", *options], stdout=subprocess.PIPE, text=True)
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
            with self._process as process:
                process.terminate()

    def world(self, **order):
        """A new world. Order: name, fixtures, seed, clock (such as "2026-03-04T10:15:00Z"), frozen, from (write it from_)."""
        made = self.call("POST", "/worlds", order)
        return World(self, made["name"], made["baseURL"], made["urls"])

    def call(self, method, path, body=None, query=None, base=None):
        """A call of the control API; what it answers, JSON or text. A line behind a name, as in with_, is for Python alone."""
        known = {name.rstrip("_"): value for name, value in (query or {}).items() if value is not None}
        url = (base or self.url) + CONTROL + path + ("?" + urllib.parse.urlencode(known) if known else "")
        headers = {"Content-Type": "application/json", **({"Authorization": "Bearer " + self.token} if self.token else {})}
        data = None if body is None else json.dumps({name.rstrip("_"): value for name, value in body.items()}).encode()
        try:
            with OPENER.open(urllib.request.Request(url, data, headers, method=method), timeout=90) as answer:
                text, kind = answer.read().decode(), answer.headers.get_content_type()
        except urllib.error.HTTPError as refusal:
            with refusal:
                raise Problem(refusal.code, refusal.read().decode(errors="replace")) from None
        return json.loads(text) if kind.endswith("json") else text

class World:
    """A complete set of users, keys, mails, time and journal, which no other test sees. urls: base URLs by platform, such as hanko."""
    def __init__(self, server, name, url, urls):
        self.server, self.name, self.url, self.urls = server, name, url, urls

    def call(self, method, path, body=None, query=None):
        return self.server.call(method, path, body, query, self.url)

    def code(self, to, wait=10, **query):
        """The newest code that was sent to somebody and is still good, waited for. Query: kind, after, used."""
        return self.message(to, wait, **query)["code"]
    def message(self, to, wait=10, **query):
        """The same with id, kind, link and times."""
        return self.call("GET", "/codes", query={"to": to, "wait": wait, **query})

    def outbox(self, **query):
        return self.call("GET", "/outbox", query=query)["messages"]
    def latest(self, wait=10, **query):
        """The newest message, whole, with all codes and links in it. Query: to, subject, kind, q, after, explain."""
        return self.call("GET", "/outbox/latest", query={"wait": wait, **query})
    def send_text(self, to, text, from_=None):
        """A text message of your own back end. Returns it with the code in it."""
        return self.call("POST", "/outbox", {"to": to, "text": text, "from_": from_})
    def clear_outbox(self, to=None):
        self.call("DELETE", "/outbox", query={"to": to})

    def advance(self, seconds):
        """Lets time pass in this world alone."""
        self.call("POST", "/clock/advance", {"seconds": seconds})
    def set_clock(self, **clock):
        """The time of this world: now, frozen, tokenTimes."""
        self.call("PUT", "/clock", clock)

    def fault(self, name=None, match=None, **effect):
        """Something goes wrong from now on: fault(match={"path": "/users"}, answer={"status": 503}). Returns the fault's name."""
        return self.call("POST", "/faults", {"name": name, "match": match, "effect": effect})["name"]

    def clear_faults(self):
        self.call("DELETE", "/faults")
    def snapshot(self, name):
        self.call("POST", "/snapshots", {"name": name})
    def restore(self, name):
        self.call("POST", f"/snapshots/{urllib.parse.quote(name)}/restore")

    def phone(self, name):
        """A simulated phone that is there, such as ada."""
        return Phone(self, name)
    def add_phone(self, name, **order):
        """A new and empty phone. Order: owner, mail, model, policy and what else set() knows."""
        self.call("POST", "/phones", {"name": name, **order})
        return self.phone(name)

    def flow(self, wait=5, format="text", **query):
        """The newest flow, such as a login, as text that is the same in each run (or mermaid, svg, json). Query: user, platform, since."""
        return self.call("GET", "/flows/last", query={"wait": wait, "format": format, **query})

    def refusals(self):
        """What was refused in this world and why, the oldest first, a line each."""
        entries = self.call("GET", "/journal", query={"refused": "true"})["entries"]
        return ["{method} {target} → {status}: ".format(**entry["exchange"]) + str(entry.get("explanation")) for entry in reversed(entries)]

    def delete(self):
        self.server.call("DELETE", "/worlds/" + self.name)

class Phone:
    """A simulated phone with an app for each platform. What its app or the platform refuses is a Problem with the SDK's name for it."""
    def __init__(self, world, name):
        self.world, self.name = world, name

    def _tell(self, method, action, body=None, query=None):
        return self.world.call(method, f"/phones/{urllib.parse.quote(self.name)}{action}", body, query)

    def enrol(self, **order):
        """Has its owner enrolled. Order: platform, pin, protocol and more."""
        return self._tell("POST", "/enrol", order)
    def scan(self, text, **order):
        """Takes the text of a QR code, a link or a typed code."""
        return self._tell("POST", "/scan", {"text": text, **order})

    def pending(self, wait=0):
        """The requests that wait for an answer."""
        return self._tell("GET", "/pending", query={"wait": wait})["requests"]

    def approve(self, wait=10, **answer):
        """The first request that waits, waited for. Answer: id, with_ ("wrong-pin", "biometry"), pin, after, fault, platform, account."""
        return self._tell("POST", "/approve", answer, {"wait": wait})
    def decline(self, wait=10, **answer):
        return self._tell("POST", "/decline", answer, {"wait": wait})

    def sign(self, **order):
        """The header fields with which its app would send a request. Order: platform, method, uriId, body, with_, token."""
        return self._tell("POST", "/sign", order)["headers"]

    def begin(self, action, platform=None, **inputs):
        """What the owner can do in an app: begin("applogin", "nextauth")."""
        return self._tell("POST", "/do", {"action": action, "platform": platform, "inputs": inputs})

    def set(self, **change):
        """policy="approve after 3 s", network="offline", clockSkew=120 and more."""
        return self._tell("PATCH", "", change)

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
        if call.when == "call" and report.failed and isinstance(world, World) and (refusals := world.refusals()):
            report.sections.append((f"refused in the world {world.name}", "\n".join(refusals)))
