"""The control API, held against its own description by tools that are not ours, and its streams over a real connection.

Needs the environment variable UNDERSTUDY_BINARY.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import requests

validator = pytest.importorskip("openapi_spec_validator", reason="the Python package openapi-spec-validator is missing")
pytest.importorskip("schemathesis", reason="the Python package schemathesis is missing")

BINARY = os.environ.get("UNDERSTUDY_BINARY")
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "missing_required_header",
    "unsupported_method",
    "use_after_free",
]

pytestmark = pytest.mark.skipif(not BINARY, reason="UNDERSTUDY_BINARY does not name the program")


@pytest.fixture(scope="module")
def api():
    """Base URL of the control API of a fresh program."""
    with subprocess.Popen([BINARY, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
        try:
            ready = next(line for line in process.stdout if line.startswith("ready "))
            yield ready.split()[1].rstrip("/") + "/_understudy/v1"
        finally:
            process.terminate()
    assert process.returncode == 0


def test_the_description_is_valid_openapi(api):
    validator.validate(requests.get(api + "/openapi.json").json())


def test_every_answer_is_described(api, tmp_path):
    document = requests.get(api + "/openapi.json").json()
    # Waiting would only make the run long; streams have no end to wait for.
    for item in document["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and "parameters" in operation:
                operation["parameters"] = [p for p in operation["parameters"] if not p["$ref"].endswith("/wait")]
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(document))

    run = subprocess.run(
        [Path(sys.executable).parent / "schemathesis", "run", path, "--url", api, "--checks", ",".join(CHECKS)]
        + ["--exclude-path-regex", "/stream$", "--max-examples", "25", "--seed", "1", "--generation-database", "none"]
        + ["--request-timeout", "20", "--continue-on-failure", "--no-color"],
        cwd=tmp_path, capture_output=True, text=True, timeout=600,
    )

    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]


def test_a_stream_tells_what_happens_and_what_was_missed(api):
    api = requests.post(api + "/worlds", json={}).json()["baseURL"] + "/_understudy/v1"
    requests.post(api + "/clock/advance", json={"seconds": 1}).raise_for_status()
    with requests.get(api + "/journal/stream", params={"after": 0}, stream=True, timeout=10) as stream:
        assert stream.headers["Content-Type"] == "text/event-stream"
        lines = stream.iter_lines(chunk_size=1, decode_unicode=True)
        assert next(lines) == ": hello"
        first = event(lines)
        requests.post(api + "/clock/advance", json={"seconds": 2}).raise_for_status()
        later = event(lines)

    assert [first["explanation"], later["explanation"]] == [
        "The clock was moved forward by 1 s.",
        "The clock was moved forward by 2 s.",
    ]


def event(lines):
    """The data of the next event, which has the id that its data says."""
    fields = {}
    for line in lines:
        if not line and "data" in fields:
            data = json.loads(fields["data"])
            assert fields["id"] == str(data["id"])
            return data
        name, _, value = line.partition(": ")
        fields[name] = value
