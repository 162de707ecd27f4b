"""`--compare-with-itself`: what each test asked in a world of its own is played by `understudy compare` in fresh worlds of other chance.
The program agrees with itself, so each difference is a mistake of the comparison or chance in an answer; what could not be compared is named."""

import collections
import json
import re
import tempfile
from pathlib import Path

import pytest

from compare_recordings import recording
from understudy import World, run

# What of the control API leaves a world's answers as they are, or what a recording has by itself: the time of each request.
HARMLESS = re.compile(r"/(clock|journal|outbox|codes|flows)\b")


class Itself:
    def __init__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="understudy-itself-")
        self.folder = Path(self.temporary.name)
        self.fixtures, self.hidden = {}, {}
        self.worlds = self.requests = 0
        self.left_out, self.unequal = collections.Counter(), collections.Counter()
        self.differences = []
        self.listen()

    def listen(self):
        """Hears what tests ask of the control API: a recording does not show it."""
        control = World.control

        def heard(world, method, path, /, **options):
            answer = control(world, method, path, **options)
            if answer.ok and method != "GET" and not HARMLESS.match(path):
                if (method, path) == ("PUT", "/fixtures") and "json" in options:
                    # The world begins anew, and so does its journal.
                    self.fixtures[world.url], self.hidden[world.url] = options["json"], None
                else:
                    self.hidden[world.url] = self.hidden.get(world.url) or f"{method} {re.sub('[^/]*[0-9][^/]*', '…', path)}"
            return answer

        World.control = heard

    def compare(self, world, order, test):
        """Before the world goes."""
        har = recording(world)
        if not har["log"]["entries"]:
            return
        if hidden := self.hidden.get(world.url):
            self.left_out[f"the test changed the world by {hidden}, which no recording shows"] += 1
            return
        file, options = self.folder / "session.har", []
        file.write_text(json.dumps(har))
        fixtures = self.fixtures.get(world.url, order.get("fixtures"))
        if fixtures is not None:
            (self.folder / "fixtures.json").write_text(json.dumps(fixtures))
            options = ["--fixtures", self.folder / "fixtures.json"]
        ran = run("compare", file, "--json", *options, seconds=300)
        if ran.returncode not in (0, 1):
            self.left_out[ran.stderr.strip().removeprefix("understudy: ")[:200]] += 1
            return
        self.worlds += 1
        for platform in json.loads(ran.stdout)["platforms"]:
            for route in platform["routes"]:
                self.requests += route["requests"]
                self.differences += [(route["route"], found["place"], found["sentence"], test) for found in route["differences"]]
                self.unequal.update(
                    (re.sub(r"#\d+", "#…", reason["reason"]), route["route"]) for reason in route["notComparable"])

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session):
        if self.differences and session.exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter):
        write = terminalreporter.write_line
        terminalreporter.section("compared with itself")
        write(f"{self.worlds} worlds, {self.requests} requests, {len(self.differences)} differences, {sum(self.unequal.values())} not comparable")
        for route, place, sentence, test in self.differences:
            write(f"DIFFERS {route}, {place}: {sentence} ({test})")
        for (reason, route), count in self.unequal.most_common():
            write(f"not comparable, {count} times: {route}: {reason}")
        for reason, count in self.left_out.most_common():
            write(f"left out, {count} worlds: {reason}")


def configure(config):
    if hasattr(config, "workerinput") or getattr(config.option, "numprocesses", None):
        raise pytest.UsageError("--compare-with-itself counts in one process: leave out -n")
    config.pluginmanager.register(Itself(), "compare-with-itself")
