"""Understudy @VERSION@ for tests in Python 3.9 or later: one file, nothing else to install. understudy helper python > understudy.py

With pytest: pytest_plugins = ["understudy"] in conftest.py gives the fixtures understudy (a program, by UNDERSTUDY_URL or started for the
session) and world (a world for each test), and a failing test says what was refused in its world and why. Works with pytest-xdist.
"""

import functools
import json
import os
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

CONTROL = "/_understudy/v1"
quote = functools.partial(urllib.parse.quote, safe="")
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
        binary = os.environ.get("UNDERSTUDY_BINARY") or shutil.which("understudy") or shutil.which("understudy", path=os.path.dirname(sys.executable))
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
        known = {name.rstrip("_"): json.dumps(value) if value is True or value is False else value
                 for name, value in (query or {}).items() if value is not None}
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
    """A complete set of users, keys, mails, time and journal, which no other test sees. urls: base URLs by their path, such as hanko."""
    def __init__(self, server, name, url, urls):
        self.server, self.name, self.url, self.urls = server, name, url, urls

    def call(self, method, path, body=None, query=None):
        """A call of the control API in this world; what it answers, JSON or text."""
        return self.server.call(method, path, body, query, self.url)

    def code(self, to, **query):
        """The newest code that was sent to somebody and is still good, waited for. Query: wait, kind, after, used."""
        return self.message(to, **query)["code"]
    def message(self, to, **query):
        """The same with id, kind, link and times."""
        return self.call("GET", "/codes", query={"to": to, "wait": 10, **query})
    def mail(self, to, **query):
        """The newest mail to somebody, whole, waited for: html is the text of its HTML part. Query: wait, subject, kind, q, after."""
        mail = self.latest(to=to, **query)
        return {**mail, "html": self.call("GET", f"/outbox/{mail['id']}/html") if mail["html"] else None}

    def outbox(self, **query):
        """All messages, the newest first. Query: to, subject, kind, q, after, limit, wait."""
        return self.call("GET", "/outbox", query=query)["messages"]
    def latest(self, **query):
        """The newest message, whole, with all codes and links in it. Query: to, wait, subject, kind, q, after, explain."""
        return self.call("GET", "/outbox/latest", query={"wait": 10, **query})
    def send_text(self, to, text, from_=None):
        """A text message of your own back end. Returns it with the code in it."""
        return self.call("POST", "/outbox", {"to": to, "text": text, "from_": from_})
    def clear_outbox(self, to=None):
        """Deletes all messages, or those to somebody."""
        self.call("DELETE", "/outbox", query={"to": to})

    def advance(self, seconds):
        """Lets time pass in this world alone."""
        self.call("POST", "/clock/advance", {"seconds": seconds})
    def set_clock(self, **clock):
        """The time of this world: now, frozen, tokenTimes."""
        self.call("PUT", "/clock", clock)

    def fault(self, name, match, **effect):
        """Something goes wrong from now on: fault("down", {"platform": "hanko"}, answer={"status": 503}). A name of None is made up."""
        return self.call("POST", "/faults", {"name": name, "match": match, "effect": effect})["name"]

    def clear_faults(self):
        """Ends what goes wrong."""
        self.call("DELETE", "/faults")
    def snapshot(self, name):
        """Remembers what this world is like now."""
        self.call("POST", "/snapshots", {"name": name})
    def restore(self, name):
        """Takes this world back to a snapshot."""
        self.call("POST", f"/snapshots/{quote(name)}/restore")

    def phone(self, name):
        """A simulated phone that is there, such as ada."""
        return Phone(self, name)
    def add_phone(self, name, **order):
        """A new and empty phone. Order: owner, mail, model, policy and what else set() knows."""
        self.call("POST", "/phones", {"name": name, **order})
        return self.phone(name)
    def authenticator(self, phone):
        """What keeps the passkeys of a phone that is there, such as ada."""
        return Authenticator(self, phone)

    def mint(self, platform, kind, **order):
        """A token without its flow: mint("hanko", "session", user="ada@example.com")["token"]. Order: user, client, scope, claims, lifetime, flaw, key."""
        return self.call("POST", "/tokens", {"platform": platform, "kind": kind, **order})
    def transactions(self, **query):
        """What waits for a decision or did lately, the newest first. Query: platform, state, user, open, limit, wait."""
        return self.call("GET", "/transactions", query=query)["transactions"]
    def decide(self, id, action):
        """Does with a transaction what a person would do, by an action that it names."""
        return self.call("POST", f"/transactions/{quote(id)}/{action}")

    def records(self, **query):
        """What platforms keep, such as users and devices, the newest first. Query: platform, kind, user, state, limit, wait."""
        return self.call("GET", "/records", query=query)["records"]
    def add_record(self, platform, kind, **inputs):
        """Makes what the console can make, such as a registration at PowerAuth."""
        return self.call("POST", "/records", {"platform": platform, "kind": kind, "inputs": inputs})
    def change_record(self, platform, id, action, **inputs):
        """Does to a record what the console offers, by an action that it names; None when it is gone then."""
        return self.call("POST", f"/records/{platform}/{quote(id)}/{action}", {"inputs": inputs}) or None

    def flow(self, **query):
        """The newest flow, such as a login, as text that is the same in each run. Query: wait, user, platform, since, format (mermaid, svg)."""
        return self.call("GET", "/flows/last", query={"wait": 5, "format": "text", **query})

    def refusals(self):
        """What was refused in this world and why, the oldest first, a line each."""
        entries = self.call("GET", "/journal", query={"refused": True})["entries"]
        return ["{method} {target} → {status}: ".format(**entry["exchange"]) + str(entry.get("explanation")) for entry in reversed(entries)]

    def delete(self):
        """Deletes this world."""
        self.server.call("DELETE", "/worlds/" + self.name)

class Phone:
    """A simulated phone with an app for each platform. What its app or the platform refuses is a Problem with the SDK's name for it."""
    def __init__(self, world, name):
        self.world, self.name = world, name

    def _tell(self, method, action, body):
        query = {"wait": body.pop("wait", None)}
        return self.world.call(method, f"/phones/{quote(self.name)}{action}", None if method == "GET" else body, query)

    def enrol(self, **order):
        """Has its owner enrolled. Order: platform, pin, protocol and more."""
        return self._tell("POST", "/enrol", order)
    def scan(self, text, **order):
        """Takes the text of a QR code, a link or a typed code."""
        return self._tell("POST", "/scan", {"text": text, **order})

    def pending(self, **query):
        """The requests that wait for an answer. Query: wait."""
        return self._tell("GET", "/pending", query)["requests"]
    def approve(self, **answer):
        """The first request that waits, waited for. Answer: wait, id, with_ ("wrong-pin", "biometry"), pin, after, fault, platform, account."""
        return self._tell("POST", "/approve", {"wait": 10, **answer})
    def decline(self, **answer):
        """The same with no. Answer: wait, id, reason, platform, account and more."""
        return self._tell("POST", "/decline", {"wait": 10, **answer})

    def sign(self, **order):
        """The header fields with which its app would send a request. Order: platform, method, uriId, body, with_, token."""
        return self._tell("POST", "/sign", order)["headers"]
    def begin(self, action, platform=None, **inputs):
        """What the owner can do in an app: begin("applogin", "nextauth", inactivity_timeout="120")."""
        return self._tell("POST", "/do", {"action": action, "platform": platform, "inputs": inputs})
    def set(self, **change):
        """Changes the phone: policy="approve after 3 s", network="offline", clockSkew=120 and more."""
        self._tell("PATCH", "", change)

class Authenticator:
    """Passkeys without a browser: it takes the options of any relying party and answers with the credential; as JSON text to JSON text."""
    def __init__(self, world, phone):
        self.world, self.phone = world, phone

    def _ask(self, call, options, query):
        given = json.loads(options) if isinstance(options, str) else options
        answer = self.world.call("POST", f"/authenticators/{quote(self.phone)}/{call}", given, query)
        return json.dumps(answer) if isinstance(options, str) else answer

    def create(self, options, **query):
        """What navigator.credentials.create() does. Query: origin, of the page or app."""
        return self._ask("create", options, query)
    def get(self, options, **query):
        """What navigator.credentials.get() does. Query: origin, credential (an id, where several fit)."""
        return self._ask("get", options, query)
    def set(self, **change):
        """Changes how it behaves: origin="https://example.com", behaviour={"userHandleForm": "text", "neverSettles": "create", "breaksSignature": True} and more."""
        self.world.call("PATCH", "/authenticators/" + quote(self.phone), change)

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
