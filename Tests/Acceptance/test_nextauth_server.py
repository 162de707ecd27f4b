"""nextAuth's server API 2.2 and API 0.0.3, seen by a back end; its published description held against the program."""

import base64
import copy
import json
import os
import urllib.parse

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS, load_all_checks

from camera import needs_zbar, read
from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ADA
from nextauth_server import KEY, SERVER, Backend, new_nonce, url_safe
from understudy import ROOT, Server

DESCRIPTION = json.loads((ROOT / "Tests/Vectors/nextauth/server-2.2.swagger.json").read_text())
EXAMPLES = max(int(os.environ.get("UNDERSTUDY_EXAMPLES", 15)) // 3, 1)
load_all_checks()


def test_a_key_of_ones_own(backend):
    """From nothing to a back end that may do just what it needs."""
    shop = backend.new_server(serverName="Shop", pingTime=300)
    made = requests.post(
        backend.base + "/apikeys/", params={"description": "Shop"}, headers={"X-apikey": KEY}, timeout=30).json()
    mine = Backend(backend.base, shop.server_id, made["apikey"])
    refused = mine.call("GET", "/sessions/", new_nonce())
    assert refused.status_code == 403
    assert refused.json() == {"error": {"code": "forbidden", "message": "The role lacks a permission"}}

    role = "/permissions/" + urllib.parse.quote(made["role"], safe="")
    shop.ask("POST", role, None, ["sessions"])
    assert mine.session(new_nonce())["loggedin"] is False
    assert mine.call("GET", "/users/").status_code == 403
    other = Backend(backend.base, SERVER["id"], made["apikey"])
    assert other.call("GET", "/sessions/", new_nonce()).status_code == 403
    shop.ask("DELETE", role)
    assert mine.call("GET", "/sessions/", new_nonce()).status_code == 403


@pytest.mark.parametrize("spell", [
    lambda text: text, lambda text: urllib.parse.quote(text, safe=""), url_safe, lambda text: text.rstrip("=")])
@pytest.mark.parametrize("slash", ["", "/"])
def test_every_spelling_of_a_path_answers_without_a_detour(backend, spell, slash):
    answer = requests.get(
        f"{backend.base}/servers/{spell(SERVER['id'])}/sessions{slash}", allow_redirects=False, timeout=30,
        headers={"x-apikey": KEY, "x-nonce": "a nonce"})
    assert answer.status_code == 200, answer.text
    assert answer.json()["hsid"] == backend.session("a nonce")["hsid"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_the_app_shows_of_the_browser(backend, enrol, method):
    context = {
        "announceinfo": {"ip": "192.0.2.1", "useragent": "Firefox", "info": {"city": "Leuven"}},
        "sessioninfo": {"ip": "192.0.2.1"}}
    sdk = enrol(autoSelectSingleAccount=False)
    code = backend.ask(method, "/sessions/qr/login", nonce := new_nonce(), context).content
    sdk.start_session(code)
    assert sdk.shown["announceinfo"] == context["announceinfo"]
    assert sdk.shown["sessioninfo"] == context["sessioninfo"]
    assert backend.session(nonce)["userid"] == ADA


@needs_zbar
@pytest.mark.parametrize("edge", [None, 150, 1024])
def test_a_scanner_reads_the_picture_of_a_code(backend, edge):
    nonce = new_nonce()
    picture = backend.login_code(nonce, img="png", **({"s": edge} if edge else {}))
    assert int.from_bytes(picture[16:20]) == int.from_bytes(picture[20:24]) == (edge or 500)
    assert read(picture) == backend.login_code(nonce)
    assert base64.b64encode(backend.login_code(nonce)).decode() == backend.session(nonce)["loginqrdata"]


def test_attributes_are_a_text_that_holds_json(backend):
    path = f"/users/{urllib.parse.quote(ADA)}/attributes/"
    backend.ask("POST", path, None, {"name": "Ada", "tags": ["a", "b"], "größe": 1.5})
    backend.ask("PUT", path, None, {"name": "Ada Lovelace"})
    backend.ask("DELETE", path + "tags")
    answer = backend.ask("GET", path)
    assert answer.headers["Content-Type"].startswith("text/plain")
    assert json.loads(answer.text) == {"name": "Ada Lovelace", "größe": 1.5}
    assert backend.ask("GET", "/users/", filter="name=Ada Lovelace").json()["totalnumber"] == 1


def test_users_and_accounts_of_phones(backend, enrol):
    enrol(user="bob")
    enrol(user="bob")
    users = backend.ask("GET", "/users/", sort="numberaccounts:desc").json()
    assert [(user["userid"], user["numberaccounts"]) for user in users["users"]] == [("bob", 2), (ADA, 0)]
    page = backend.ask("GET", "/users/bob/accounts", limit=1, marker=1).json()
    assert page["totalnumber"] == 2 and len(page["accounts"]) == 1
    assert page["accounts"][0]["clientVersion"] == "1.0"

    backend.ask("DELETE", "/users/bob/")
    assert backend.accounts() == []
    assert backend.call("DELETE", "/users/bob/").status_code == 404


def test_the_older_api(world, backend, sdk):
    base = f"{backend.base}/api/servers/{SERVER['id']}"
    headers = {"x-apikey": KEY}
    nonce = base64.b64encode(os.urandom(16)).decode()
    session = base + "/sessions/" + urllib.parse.quote(nonce, safe="")
    code = requests.get(session + "/qr?type=LOGIN", headers=headers, timeout=30).content
    assert code == backend.login_code(nonce)
    sdk.start_session(code)
    status = requests.get(session + "/", headers=headers, timeout=30).json()
    assert status["loggedin"] and status["userid"] == ADA
    assert requests.post(session + "/logout", headers=headers, timeout=30).json() == {"result": True}
    assert not backend.session(nonce)["loggedin"]

    refused = requests.post(backend.base + "/api/nauth", data=b"\0", timeout=30)
    assert refused.status_code == 501
    assert "/nextauth/device/v1" in world.explanations(status=501)[0]


# The published description.

#: What it cannot know, or says of the hosted product.
NOT_OURS = [CHECKS.get_one(name) for name in (
    # That a text is an id which there is, a logo Base64, a number in its range.
    "positive_data_acceptance",
    # Unknown members are ignored; limits that are none are refused, and every text is a number to somebody.
    "negative_data_rejection",
    "missing_required_header",
    # The key is given with every call here, and test_a_key_of_ones_own takes it away.
    "ignored_auth",
    # TRACE and the like are answered by the server before any platform; POST is there wherever a GET has a body.
    "unsupported_method", "allow_header_conformance",
    # A world is shared by all examples.
    "use_after_free", "ensure_resource_availability",
)]

#: Answers on which it is silent, and why the program gives them: which paths, the statuses, the reason.
DIFFERENCES = [
    (lambda path: True, ["400", "401", "403"], "it names refusals only in places, and never their shape, which is ours"),
    (lambda path: True, ["404"], "X-su names no role"),
    (lambda path: "{serverid}" in path, ["404"], "no such server; it says so only of some calls"),
]
#: Types of answers that it has otherwise, and why.
TYPES = {
    "createServer": (["application/json"], "it says octet-stream, and describes an object"),
    "getQrLogin": (["application/octet-stream", "image/png"], "a picture says what it is"),
    "getQrEnrol": (["application/octet-stream", "image/png"], "a picture says what it is"),
    "getServerVash": (["image/png"], "a picture says what it is"),
}


@pytest.fixture(scope="module")
def description():
    document = copy.deepcopy(DESCRIPTION)
    for path, call in ((path, call) for path, calls in document["paths"].items() for call in calls.values()):
        for fits, statuses, _ in DIFFERENCES:
            for status in statuses if fits(path) else []:
                call["responses"].setdefault(status, {"description": "as the program does"})
        schema = call["responses"]["200"].get("schema")
        if schema is None:
            # An empty answer has no type, though the whole document says JSON.
            call.pop("produces", None)
        else:
            types = TYPES.get(call["operationId"], [call.get("produces", ["application/json"])])[0]
            # A refusal is JSON, whatever the success is.
            call["produces"] = sorted({*types, "application/json"})
        if schema == {"type": "file"}:
            del call["responses"]["200"]["schema"]
    del document["produces"]
    schema = schemathesis.openapi.from_dict(document)
    schema.config.phases.coverage.enabled = False
    return schema


described = schemathesis.pytest.from_fixture("description")


@pytest.fixture(scope="module")
def exercised():
    """A program of its own, whose worlds may be led astray."""
    server = Server()
    yield server
    server.stop()


def rounds(examples=EXAMPLES):
    return settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck))


def validate(case, server):
    case.call_and_validate(
        base_url=server.url + "/nextauth", timeout=30, excluded_checks=NOT_OURS, headers={"X-apikey": KEY})


@described.parametrize()
@rounds()
def test_every_answer_is_one_that_the_description_names(exercised, case):
    validate(case, exercised)


@described.include(path_regex=r"\{serverid\}").parametrize()
@rounds()
def test_so_is_every_answer_about_something_that_is_there(exercised, case):
    backend = Backend(exercised.url + "/nextauth")
    backend.ask("POST", "/users/ada/attributes/", None, {})
    known = {"serverid": SERVER["id"], "userid": "ada"}
    case.path_parameters.update({name: known[name] for name in known.keys() & case.path_parameters.keys()})
    (case.headers or {}).pop("X-su", None)
    validate(case, exercised)
