"""Recordings for `understudy compare`: flows of this suite's clients, and what is put into them."""

import copy
import json

import pytest
import requests

from powerauth_answers import Refused
from understudy import CONTROL, run


def recording(world):
    """What was asked in a world, as an HTTP archive."""
    answer = requests.get(world.url + CONTROL + "/journal.har", timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


class Comparisons:
    """Compares recordings, each in a file of its own."""

    def __init__(self, folder):
        self.folder = folder

    def run(self, har, *options):
        file = self.folder / "session.har"
        file.write_text(json.dumps(har) if isinstance(har, dict) else har)
        return run("compare", file, *options)

    def report(self, har, *options):
        """The report for programs, whose exit status fits it."""
        ran = self.run(har, "--json", *options)
        assert ran.returncode in (0, 1), ran.stderr
        report = json.loads(ran.stdout)
        assert (ran.returncode == 0) == (report["differences"] == 0)
        return report

    def differences(self, har, *options):
        """`(route, kind, place, sentence)` of each."""
        return [(route["route"], found["kind"], found["place"], found["sentence"])
                for platform in self.report(har, *options)["platforms"] for route in platform["routes"]
                for found in route["differences"] if "allowed" not in found]


@pytest.fixture
def compare(tmp_path):
    return Comparisons(tmp_path)


def refusal(call, *arguments, **options):
    """The status with which PowerAuth refuses a call."""
    with pytest.raises(Refused) as refused:
        call(*arguments, **options)
    return refused.value.status


def reasons(report):
    """Why requests could not be compared, without the numbers in it."""
    return {reason["reason"].split("#")[0] for platform in report["platforms"] for route in platform["routes"]
            for reason in route["notComparable"]}


def agrees(report, platform, *unequal):
    """Nothing differs, most of it was compared, and what was not is named."""
    [told] = [one for one in report["platforms"] if one["name"] == platform]
    assert report["differences"] == 0, told
    assert told["agree"] > 0 and told["differ"] == told["notEmulated"] == 0
    assert all(any(words in reason for words in unequal) for reason in reasons(report)), reasons(report)
    return told


def whole(report, platform):
    """Nothing differs, and nothing was left out."""
    told = agrees(report, platform)
    assert (told["notComparable"], reasons(report)) == (0, set())
    return told


class Changed:
    """A copy of a recording with one thing changed in it."""

    def __init__(self, har):
        self.har = copy.deepcopy(har)

    def entry(self, path, method=None):
        """The first request to a path that ends so."""
        return next(entry for entry in self.har["log"]["entries"]
                    if entry["request"]["url"].split("?")[0].endswith(path)
                    and method in (None, entry["request"]["method"]))

    def answer(self, path, method=None):
        return self.entry(path, method)["response"]

    def body(self, path, change, method=None):
        """Hands the JSON of an answer to a function that changes it."""
        content = self.answer(path, method)["content"]
        value = json.loads(content["text"])
        value = change(value) or value
        content["text"] = json.dumps(value)

    def header(self, path, name, value, method=None):
        """Sets a field of an answer; None takes it away."""
        answer = self.answer(path, method)
        kept = [field for field in answer["headers"] if field["name"].lower() != name.lower()]
        answer["headers"] = kept + ([] if value is None else [{"name": name, "value": value}])

    def cookie(self, path, old, new, method=None):
        """Changes the text of what sets cookies."""
        fields = [field for field in self.answer(path, method)["headers"] if field["name"].lower() == "set-cookie"]
        assert any(old in field["value"] for field in fields), fields
        for field in fields:
            field["value"] = field["value"].replace(old, new)
