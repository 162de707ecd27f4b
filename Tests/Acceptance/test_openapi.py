"""The description of the control API is valid, and true: what it says is what the server does."""

import os

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.checks import CHECKS, load_all_checks

from understudy import CONTROL, Server

load_all_checks()
#: Would have every request accepted that the schema allows. A schema cannot say all that is asked of a fixture file.
BEYOND_SCHEMAS = CHECKS.get_one("positive_data_acceptance")
#: Holds `Allow` against the description.
ALLOWED_METHODS = CHECKS.get_one("allow_header_conformance")
EXAMPLES = int(os.environ.get("UNDERSTUDY_EXAMPLES", 15))


@pytest.fixture(scope="module")
def exercised():
    """A program of its own, whose worlds and clocks may be led astray."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def description(exercised):
    return schemathesis.openapi.from_url(exercised.url + CONTROL + "/openapi.json")


schema = schemathesis.pytest.from_fixture("description").exclude(path_regex="/stream$")


def test_the_description_is_valid(server):
    described = requests.get(server.url + CONTROL + "/openapi.json", timeout=30).json()
    OpenAPIV31SpecValidator(described).validate()
    assert described["openapi"].startswith("3.1.")


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck))
def test_every_answer_is_one_that_the_description_names(case):
    # A well-formed wait would only make this test wait; what is wrong in it is kept.
    if str((case.query or {}).get("wait", "")).replace(".", "", 1).isdigit():
        case.query["wait"] = 0
    excluded = [BEYOND_SCHEMAS]
    if case.path.endswith("/qr"):
        # A POST there is an action called `qr`, which no transaction knows.
        excluded.append(ALLOWED_METHODS)
    case.call_and_validate(timeout=30, excluded_checks=excluded)


def test_the_stream_sends_events_of_the_journal(exercised):
    url = exercised.url
    with requests.get(url + CONTROL + "/journal/stream", stream=True, timeout=10) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        requests.get(url + "/hanko/.well-known/config", timeout=10)
        lines = (line for line in stream.iter_lines(decode_unicode=True) if line.startswith("data:"))
        assert "/.well-known/config" in next(lines)
