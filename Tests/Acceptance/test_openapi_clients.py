"""Clients that generators make of our OpenAPI documents: in Python they are used, in TypeScript and Swift a compiler takes them."""

import importlib.metadata
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from compilers import made_once, run_tool, tool
from understudy import CONTROL, ROOT

DOCUMENTS = {"openapi": ROOT / "Web/openapi.json", "onegini-device": ROOT / "Web/openapi/onegini-device.json",
             "nextauth-device": ROOT / "Web/openapi/nextauth-device.json"}


def generated(document, generator, *options):
    """The folder of a client."""
    package = importlib.util.find_spec("openapi_generator_cli")
    if not package:
        pytest.skip("the Python package openapi-generator-cli is missing; script/bootstrap --tests installs it")
    program = Path(package.origin).with_name("openapi-generator.jar")
    command = [tool("java"), "-jar", program, "generate", "-g", generator, *options]
    version = importlib.metadata.version("openapi-generator-cli")

    def make(folder):
        said = run_tool([*command, "-i", DOCUMENTS[document], "-o", folder])
        # What a generator says at an illegal schema, and goes on without it.
        assert "Illegal schema" not in said and "ERROR" not in said, said

    return made_once([*command, version], [DOCUMENTS[document]], make)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_client_in_typescript_is_taken_by_its_compiler(document, tmp_path):
    client = generated(document, "typescript-fetch")
    # TypeScript 4.8, which Debian has, does not narrow “name in value” as the generator's code wants it.
    options = {"strict": True, "noImplicitAny": False, "noEmit": True, "module": "node16", "moduleResolution": "node16", "target": "es2022",
               "lib": ["es2022", "dom"], "types": []}
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": [str(client / "index.ts")]}))
    assert run_tool([tool("tsc"), "-p", tmp_path]) == ""


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_client_in_swift_is_taken_by_its_compiler(document):
    client = generated(document, "swift6")
    sources = sorted((client / "Sources").rglob("*.swift"))
    assert len(sources) > 20
    run_tool([tool("swiftc"), "-typecheck", "-wmo", "-swift-version", "6", "-module-name", "OpenAPIClient", *sources], seconds=600)


def python(document, program, *arguments):
    """What a program says that imports the client."""
    client = generated(document, "python")
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120, cwd=client)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_client_in_python_makes_a_world_and_waits_for_a_code(server):
    said = python("openapi", """
import sys, openapi_client as api
with api.ApiClient(api.Configuration(host=sys.argv[1])) as client:
    worlds = api.WorldsApi(client)
    made = worlds.create_world(api.WorldOrder(name="generated", seed=7))
    print(made.name)
    print(api.ProgramApi(client).health().status)
    try:
        worlds.show_world("nobody")
    except api.exceptions.NotFoundException as problem:
        print(problem.status)
    worlds.delete_world("generated")
""", server.url + CONTROL)
    assert said == ["generated", "ok", "404"]


def test_a_client_in_python_is_a_device_of_the_token_server(world):
    said = python("onegini-device", """
import sys, openapi_client as api
with api.ApiClient(api.Configuration(host=sys.argv[1])) as client:
    registration = api.RegistrationApi(client)
    order = dict(app_identifier="com.example.understudy", app_platform="android", app_version="1.0.0", os_version="15")
    asked = registration.ask_challenge(api.ChallengeOrder(**order))
    print(len(asked.challenge), asked.ocra_suite, asked.integrity_check)
    try:
        registration.ask_challenge(api.ChallengeOrder(**order | {"app_version": "9.9.9"}))
    except api.exceptions.NotFoundException as refusal:
        print(refusal.data.error, refusal.data.sdk_code)
""", world.oauth + "/sdk/v1")
    assert said == ["64 OCRA-1:HOTP-SHA256-8:QH64-T1M FULL", "unknown_app_version 9008"]


def test_a_client_in_python_asks_a_server_of_nextauth(world):
    said = python("nextauth-device", """
import sys, openapi_client as api
with api.ApiClient(api.Configuration(host=sys.argv[1])) as client:
    made = api.InstanceApi(client).register_instance(api.NewInstance(platform="test", client_version="1"))
    try:
        api.AccountsApi(client).list_accounts()
    except api.exceptions.UnauthorizedException as refusal:
        print(refusal.data.code, refusal.data.number)
    client.set_default_header("Authorization", "Device " + made.token)
    print(api.AccountsApi(client).list_accounts(), api.EventsApi(client).list_messages())
""", world.url + "/nextauth/device/v1")
    assert said == ["UNAUTHORIZED 2", "[] []"]


def test_no_document_has_what_generators_stumble_over():
    def parts(node):
        yield node
        for child in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:
            yield from parts(child)

    for name, file in DOCUMENTS.items():
        document = json.loads(file.read_text())
        objects = [part for part in parts(document) if isinstance(part, dict)]
        assert not [part for part in objects if "$ref" in part and len(part) > 1], name
        assert not [part for part in parts(document["components"]["schemas"])
                    if isinstance(part, dict) and ({"enum", "const"} & part.keys()) and "type" not in part and not isinstance(part.get("enum"), dict)], name
        assert len(document["info"]["description"]) < 1000 and "Validation" not in document["components"]["schemas"], name
        # The client has a class of that name itself.
        assert "Configuration" not in document["components"]["schemas"], name
