"""The collection for Postman, Bruno and others: every call of the control API once, and requests that the program takes."""

import json
import re
import subprocess

import requests

from understudy import ROOT

COLLECTION = json.loads(subprocess.run([ROOT / "script/postman"], capture_output=True, text=True, check=True).stdout)
REQUESTS = [item["request"] for folder in COLLECTION["item"] for item in folder["item"]]


def test_every_call_is_there_once():
    paths = json.loads((ROOT / "Web/openapi.json").read_text())["paths"]
    described = sorted((method.upper(), path) for path, calls in paths.items() for method in calls if method != "parameters")
    written = sorted((one["method"], re.sub(r":(\w+)", r"{\1}", one["url"]["raw"].partition("/_understudy/v1")[2])) for one in REQUESTS)
    assert written == described


def test_what_it_reads_the_program_answers(server):
    variables = {one["key"]: one["value"] for one in COLLECTION["variable"]} | {"server": server.url, "token": ""}
    plain = [one for one in REQUESTS if one["method"] == "GET" and not one["url"]["variable"] and "stream" not in one["url"]["raw"]]
    assert len(plain) > 15
    for one in plain:
        address = one["url"]["raw"].replace("{{server}}", variables["server"]).replace("{{world}}", variables["world"])
        answer = requests.get(address, timeout=30)
        assert answer.status_code in (200, 404), address
        assert "There is no call" not in answer.text and "expected" not in answer.text[:200], answer.text[:200]


def test_bodies_are_examples_of_the_description():
    for one in REQUESTS:
        if "body" in one and one["header"][0]["value"] == "application/json":
            assert isinstance(json.loads(one["body"]["raw"]), (dict, list))
    assert any("seconds" in one["body"]["raw"] for one in REQUESTS if "body" in one)
