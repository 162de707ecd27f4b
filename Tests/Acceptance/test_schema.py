"""The published schema of fixture files: it and the program take the same files, as far as a schema can say."""

import copy
import json

import json5
import jsonschema
import pytest
import requests

from understudy import CONTROL, ROOT, run

SCHEMA = json.loads((ROOT / "Fixtures/schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker())


def faults(document):
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(document)]


def resolved(node):
    return SCHEMA["$defs"][node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node


def sample(node):
    """The least that fits a part of the schema."""
    node = resolved(node)
    if "examples" in node:
        return node["examples"][0]
    if "enum" in node:
        return node["enum"][0]
    if "type" not in node:
        return {}
    if node["type"] == "object":
        choices = node.get("oneOf", [{}])[0].get("required", [])
        members = node.get("properties", {})
        least = list(members)[:node.get("minProperties", 0)]
        return {name: sample(members[name]) for name in node.get("required", []) + choices or least}
    if node["type"] == "array":
        return [sample(node["items"])]
    if node["type"] == "boolean":
        return True
    if node["type"] == "string":
        if node.get("format") == "date-time":
            return "2026-01-02T03:04:05Z"
        return "123456" if "[0-9]{6}" in node.get("pattern", "") else "ada00000-0000-4000-8000-000000000001"
    return max(node.get("minimum", 1), 1)


def objects(node, wrap=lambda inner: inner):
    """Every object that the schema describes, with a function that puts one in its place in a file."""
    node = resolved(node)
    if node.get("type") == "array":
        yield from objects(node["items"], lambda inner: wrap([inner]))
    # One whose list of members is not closed may have any.
    if node.get("type") == "object" and node.get("additionalProperties") is False:
        yield node, wrap
        least = sample(node)
        for name, member in node["properties"].items():
            yield from objects(member, lambda inner, name=name: wrap(copy.deepcopy(least) | {name: inner}))


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_program_prints_it_and_a_server_has_it(server, start):
    printed = run("schema")
    assert printed.returncode == 0 and json.loads(printed.stdout) == SCHEMA
    served = requests.get(server.url + CONTROL + "/schema.json", timeout=30)
    assert served.headers["Content-Type"] == "application/schema+json" and served.text == printed.stdout
    # An editor has no token.
    guarded = start("--host", "0.0.0.0", "--control-token", "of-the-team")
    assert requests.get(guarded.url + CONTROL + "/schema.json", timeout=30).json() == SCHEMA


@pytest.mark.parametrize("platform", [None, "hanko", "miracl", "nextauth", "onegini", "passkeyapi", "powerauth"])
def test_files_that_init_writes_name_it_and_fit(platform, tmp_path):
    file = tmp_path / "team.json"
    assert run("fixtures", "init", *([platform] if platform else []), file).returncode == 0
    document = json5.loads(file.read_text())
    assert document["$schema"] == f"http://localhost:8420{CONTROL}/schema.json"
    assert faults(document) == []


def test_the_built_in_fixtures_fit():
    assert faults(json5.loads((ROOT / "Fixtures/default.json").read_text())) == []


def test_an_export_fits(world, hanko):
    hanko.log_in(world, "fits@example.com")
    hanko.start(hanko.sign_up("waits@example.com"))
    assert faults(world.get("/fixtures")) == []
    world.advance(60)
    assert faults(world.get("/fixtures")) == []
    world.control("PUT", "/clock", json={"frozen": True})
    exported = world.get("/fixtures")
    assert faults(exported) == []
    assert exported["hanko"]["passcodes"] and exported["hanko"]["sessions"] and exported["hanko"]["rate_limits"]
    assert exported["clock"]["now"]


@pytest.mark.parametrize("node, place", [pytest.param(*found, id=str(index)) for index, found in enumerate(objects(SCHEMA))])
def test_the_program_knows_the_members_that_the_schema_names(world, node, place):
    document = place(sample(node) | {"unheard_of": 1})
    assert any("unheard_of" in fault for fault in faults(document))

    refused = world.control("PUT", "/fixtures", json=document)
    if "config" in document.get("hanko", {}):
        # Hanko reads over what it does not know: an editor underlines it, fixtures check remarks on it.
        assert "unheard_of" not in refused.text, refused.text
        return
    assert refused.status_code == 422, refused.text
    [told] = refused.json()["errors"]
    assert told["field"].endswith("unheard_of"), told
    known = told["message"].partition("known here: ")[2].split(", ")
    assert set(known) == {name for name in node["properties"] if not name.startswith("$")}


def test_members_that_begin_with_a_dollar_are_nobodys_business(world):
    document = {"$comment": 1, "hanko": {"$comment": [], "config": {"session": {"$why": {}}}}}
    assert faults(document) == []
    assert world.control("PUT", "/fixtures", json=document).status_code == 204


@pytest.mark.parametrize(
    "document",
    [
        {"clock": {"now": "2026-01-02T03:04:05Z", "offset_seconds": 1}}, {"clock": {"offset_seconds": 1e300}},
        {"clock": {"now": "soon"}}, {"clock": {"now": 5}},
        {"keys": [{"kid": "a", "alg": "HS256", "for": "hanko", "pem": ["x"]}]},
        {"keys": [{"kid": "a", "alg": "RS256", "for": "hanko", "pem": "x"}]},
        {"keys": [{"kid": "a", "alg": "RS256", "pem": ["x"]}]}, {"keys": {}},
        {"people": [{"id": "ada", "name": "Ada", "email": "ada@example.com"}]},
        {"hanko": {"users": [{"id": "ADA00000-0000-4000-8000-000000000001"}]}},
        {"hanko": {"config": {"session": {"limit": 0}}}}, {"hanko": {"config": {"email": {"limit": 1000001}}}},
        {"hanko": {"config": {"session": {"cookie": {"same_site": "never"}}}}},
    ])
def test_what_the_schema_refuses_the_program_refuses(world, document):
    assert faults(document)
    assert world.control("PUT", "/fixtures", json=document).status_code == 422
