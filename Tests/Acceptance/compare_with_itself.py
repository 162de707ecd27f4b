"""`--compare-with-itself`: what each test asked in a world of its own is played by `understudy compare` in fresh worlds of other chance.
The program agrees with itself, so each difference is a mistake of the comparison or chance in an answer; what could not be compared is named.
Recordings that differ are kept in `.build/compared`, with their fixtures."""

import collections
import json
import re
import shutil
import tempfile
from pathlib import Path

import pytest
import requests

from compare_recordings import recording
from understudy import CONTROL, World, run

KEPT = Path(__file__).parents[2] / ".build/compared"

# What of the control API and the console leaves a world as it is, or shows in its recording: the time of requests, those of phones.
HARMLESS = re.compile(r"/_understudy/v1/(clock/|journal|outbox|codes|flows|phones|authenticators|comparison)|/compare\b")


class Heard:
    """What a program's log says of each request, which its recordings may not have."""

    def __init__(self, server):
        self.server, self.read, self.lines = server, 0, collections.defaultdict(list)

    def changes(self, world, recorded):
        """What changed a world without being in its recording, since its fixtures were put in place the last time."""
        with self.server.errors.open("rb") as errors:
            errors.seek(self.read)
            text = errors.read()
        whole = text[:text.rfind(b"\n") + 1]
        self.read += len(whole)
        for line in whole.splitlines():
            if not line.startswith(b'{"'):
                continue
            told = json.loads(line)
            parts = told["target"].split("/", 3)
            if parts[1:2] == ["w"] and told["method"] not in ("GET", "HEAD", "OPTIONS") and told["status"] < 400:
                self.lines[parts[2]].append((told["method"], "/" + "".join(parts[3:]), told["request"]))
        changes = []
        for method, target, request in self.lines.pop(world.name, []):
            path = target.split("?")[0]
            if (method, path) == ("PUT", "/_understudy/v1/fixtures"):
                changes = []
            elif request not in recorded and not HARMLESS.match(path):
                changes.append(f"{method} {re.sub('[^/]*[0-9][^/]*', '…', path.removeprefix('/_understudy/v1'))}")
        return changes


class Counts:
    """What several processes found, each for itself."""

    def __init__(self):
        self.worlds = self.requests = 0
        self.left_out, self.unequal = collections.Counter(), collections.Counter()
        self.differences = []

    def plain(self):
        """For another process."""
        return {"worlds": self.worlds, "requests": self.requests, "left_out": list(self.left_out.items()),
                "unequal": [[*key, count] for key, count in self.unequal.items()], "differences": self.differences}

    def add(self, plain):
        self.worlds += plain["worlds"]
        self.requests += plain["requests"]
        self.left_out.update(dict(plain["left_out"]))
        self.unequal.update({(reason, route): count for reason, route, count in plain["unequal"]})
        self.differences += plain["differences"]

    def write(self, write):
        write(f"{self.worlds} worlds, {self.requests} requests, {len(self.differences)} differences, {sum(self.unequal.values())} not comparable")
        for route, place, sentence, test in sorted(self.differences):
            write(f"DIFFERS {route}, {place}: {sentence} ({test})")
        for (reason, route), count in self.unequal.most_common():
            write(f"not comparable, {count} times: {route}: {reason}")
        for reason, count in self.left_out.most_common():
            write(f"left out, {count} worlds: {reason}")


class Itself:
    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="understudy-itself-")
        self.folder = Path(self.temporary.name)
        self.counts, self.fixtures, self.heard = Counts(), {}, None
        self.notice_fixtures()

    def notice_fixtures(self):
        """A recording is compared with the fixtures that its world had from its beginning."""
        control = World.control

        def noticing(world, method, path, /, **options):
            answer = control(world, method, path, **options)
            if answer.ok and (method, path) == ("PUT", "/fixtures") and "json" in options:
                self.fixtures[world.url] = options["json"]
            return answer

        World.control = noticing

    def compare(self, server, world, order, test):
        """Before the world goes."""
        self.heard = self.heard or Heard(server)
        if requests.get(world.url + CONTROL + "/journal", timeout=30).status_code == 404:
            self.counts.left_out["the test deleted its world"] += 1
            return
        har = recording(world)
        if not har["log"]["entries"]:
            return
        if missing := self.missing(world, order):
            self.counts.left_out[missing] += 1
            return
        for old in self.folder.iterdir():
            old.unlink()
        file, options = self.folder / "session.har", []
        file.write_text(json.dumps(har))
        fixtures = self.fixtures.pop(world.url, order.get("fixtures"))
        if fixtures is not None:
            (self.folder / "fixtures.json").write_text(json.dumps(fixtures))
            options = ["--fixtures", self.folder / "fixtures.json"]
        ran = run("compare", file, "--json", *options, seconds=600)
        if ran.returncode not in (0, 1):
            self.counts.left_out[ran.stderr.strip().removeprefix("understudy: ")[:200]] += 1
            return
        if ran.returncode == 1:
            self.keep(test, world)
        self.count(json.loads(ran.stdout), test)

    def keep(self, test, world):
        KEPT.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "-", test.split("::", 1)[-1])[:80] + "-" + world.name
        for file in self.folder.iterdir():
            shutil.move(file, KEPT / (name + (".har" if file.suffix == ".har" else ".fixtures.json")))

    def missing(self, world, order):
        """What the recording does not show of how its world came about; nil where it shows all."""
        ids, before = set(), {}
        while part := world.journal(kind="request", limit=1000, **before):
            ids.update(entry["correlation"] for entry in part)
            before = {"before": min(entry["id"] for entry in part)}
        if changes := self.heard.changes(world, ids):
            return f"the test changed the world by {changes[0]}, which no recording shows"
        if world.url.split("/w/")[0] in json.dumps(self.fixtures.get(world.url, order.get("fixtures") or "")):
            return "its fixtures name the address of the server, and a comparison has another one"
        if unusual := sorted(order.keys() - {"name", "fixtures", "clock", "frozen", "now", "seed"}):
            return f"the world was made with “{unusual[0]}”, which no recording shows"
        return None

    def count(self, report, test):
        self.counts.worlds += 1
        for platform in report["platforms"]:
            for route in platform["routes"]:
                self.counts.requests += route["requests"]
                self.counts.differences += [[route["route"], found["place"], found["sentence"], test] for found in route["differences"]]
                self.counts.unequal.update(
                    (re.sub(r"#\d+", "#…", reason["reason"]), route["route"]) for reason in route["notComparable"])

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node):
        if plain := getattr(node, "workeroutput", {}).get("compared-with-itself"):
            self.counts.add(plain)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["compared-with-itself"] = self.counts.plain()
        if self.counts.differences and session.exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section("compared with itself")
        self.counts.write(terminalreporter.write_line)


def configure(config):
    if not hasattr(config, "workerinput"):
        shutil.rmtree(KEPT, ignore_errors=True)
    config.pluginmanager.register(Itself(), "compare-with-itself")
