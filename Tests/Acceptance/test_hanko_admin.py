"""Hanko's admin API and webhooks, seen by a back end; and its two published descriptions held against the program."""

import json
import os

import jwt
import pytest
import requests
import schemathesis
import yaml
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import CHECKS, load_all_checks

from understudy import ROOT, Server, until

DESCRIPTIONS = ROOT / "Tests/Vectors/hanko"
EXAMPLES = max(int(os.environ.get("UNDERSTUDY_EXAMPLES", 15)) // 3, 1)
ADA = "ada00000-0000-4000-8000-00000000acce"
load_all_checks()

#: What a description cannot know: that a text is an id which there is, or a name that is free.
NOT_OURS = [CHECKS.get_one(name) for name in (
    "positive_data_acceptance",
    # Go decodes what it can: unknown members are ignored, an empty body is an empty object, page=0 is no page at all.
    "negative_data_rejection",
    "missing_required_header",
    # Nothing is demanded unless the fixtures set admin_api_key; `security` speaks of the hosted product.
    "ignored_auth",
    # TRACE and the like are answered by the server before any platform.
    "unsupported_method", "allow_header_conformance",
    # Ids are made by the server where a body names none, and a world is shared by all examples.
    "use_after_free", "ensure_resource_availability",
)]


def rounds(examples=EXAMPLES):
    return settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck))


class Loader(yaml.SafeLoader):
    """Leaves times in examples as the texts that they are in JSON."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}


def described(name):
    return yaml.load((DESCRIPTIONS / name).read_text(), Loader)


def operations(document):
    for path, item in document["paths"].items():
        for method in item.keys() & {"get", "post", "put", "patch", "delete"}:
            yield path, method, item[method]


def allow(document, path, method, status, schema=None):
    answer = {"description": "as the servers do"}
    if status >= 400:
        schema = {"$ref": "#/components/schemas/Error"}
    if schema is not None:
        answer["content"] = {"application/json": {"schema": schema}}
    known = document["paths"][path][method]["responses"]
    assert str(status) not in known, f"{method} {path} {status} is described by now"
    known[str(status)] = answer


def schema_of(document):
    """Random examples only: the systematic ones take a minute, and ask what the tests of the program ask."""
    schema = schemathesis.openapi.from_dict(document)
    schema.config.phases.coverage.enabled = False
    return schema


#: Where the published description of the admin API is wrong: path, method, status, why the program answers so.
ADMIN_DIFFERENCES = [
    ("/audit_logs", "get", 400, "a time or number that is none is refused"),
    ("/users/{id}", "delete", 400, "an id that is no UUID is refused, as everywhere"),
    ("/users/{id}", "patch", 409, "the username is another user's"),
    ("/users/{id}/password", "post", 409, "there is a password already"),
    ("/webhooks", "post", 409, "a world takes 100 hooks; ours"),
]


@pytest.fixture(scope="module")
def admin_description():
    document = described("admin-1.2.0.yaml")
    document["servers"] = [{"url": "/"}]
    for path, method, status, _ in ADMIN_DIFFERENCES:
        allow(document, path, method, status)
    for path, method, operation in operations(document):
        if "requestBody" in operation:
            # A body of another type than JSON, which every server of Hanko refuses so.
            allow(document, path, method, 415)
    # The id of a credential is base64url, not a UUID.
    document["components"]["schemas"]["WebAuthnCredential"]["properties"]["id"] = {"type": "string"}
    # Null where nothing is known.
    for name in ("user_agent", "ip_address"):
        document["components"]["schemas"]["Session"]["properties"][name]["nullable"] = True
    # The description lacks one event that the servers have, and one type.
    for name in ("DatabaseWebhookEvent",):
        document["components"]["schemas"][name]["properties"]["event"]["enum"].append("user.update.password.update")
    document["components"]["schemas"]["AuditLogTypes"]["enum"].append("security_notification_sent")
    return schema_of(document)


admin = schemathesis.pytest.from_fixture("admin_description")


@pytest.fixture(scope="module")
def exercised():
    """A program of its own, whose worlds may be led astray."""
    server = Server()
    yield server
    server.stop()


def ensure_ada(url):
    """Ada is there, whatever the examples before did to her."""
    body = {"id": ADA, "username": "acceptance", "emails": [{"address": "acce@example.com", "is_primary": True}]}
    made = requests.post(url + "/hanko-admin/users", json=body, timeout=30)
    assert made.status_code in (200, 409), made.text


@admin.parametrize()
@rounds()
def test_every_answer_of_the_admin_api_is_one_that_the_description_names(exercised, case):
    case.call_and_validate(base_url=exercised.url + "/hanko-admin", timeout=30, excluded_checks=NOT_OURS)


@admin.include(path_regex=r"/\{id\}").exclude(path_regex="^/webhooks").parametrize()
@rounds(max(EXAMPLES // 2, 1))
def test_so_is_every_answer_about_somebody(exercised, case):
    ensure_ada(exercised.url)
    case.path_parameters["id"] = ADA
    case.call_and_validate(base_url=exercised.url + "/hanko-admin", timeout=30, excluded_checks=NOT_OURS)


#: Where the published description of the public API is wrong: path, method, status, why the program answers so.
PUBLIC_DIFFERENCES = [
    ("/emails", "post", 200, "servers answer 200 where the description says 201"),
    ("/emails/{id}", "delete", 204, "servers answer 204 where the description says 201"),
    ("/emails/{id}", "delete", 400, "the id is no UUID"),
    ("/emails/{id}", "delete", 404, "the address is not the user's"),
    ("/emails/{id}/set_primary", "post", 204, "servers answer 204 where the description says 201"),
    ("/emails/{id}/set_primary", "post", 404, "the address is not the user's"),
    ("/passcode/login/initialize", "post", 403, "the session or the address is another user's"),
    ("/passcode/login/initialize", "post", 429, "the rate limit"),
    ("/user", "delete", 405, "account.allow_deletion is false"),
    ("/me", "get", 404, "the user is gone"),
]

#: The other features of the public API, which answer 501 with their name for as long as they are not emulated.
MAY_BE_MISSING = ("/password", "/webauthn", "/thirdparty", "/token")


@pytest.fixture(scope="module")
def public_description():
    document = described("public-1.2.0.yaml")
    document["servers"] = [{"url": "/"}]
    for path, method, status, _ in PUBLIC_DIFFERENCES:
        allow(document, path, method, status, {} if status == 200 else None)
    for path, method, operation in operations(document):
        if "requestBody" in operation:
            allow(document, path, method, 415)
        if "security" in operation and "401" not in operation["responses"]:
            allow(document, path, method, 401)
    # The description demands a member `isValid`, and describes `is_valid`, which servers send.
    document["components"]["responses"]["ValidateSessionResponse"]["content"]["application/json"]["schema"]["required"] = [
        "is_valid"]
    # SAML is left out without a word on the wire.
    document["paths"] = {path: item for path, item in document["paths"].items() if not path.startswith("/saml")}
    return schema_of(document)


public = schemathesis.pytest.from_fixture("public_description")


def call_public(exercised, case, headers=None):
    answer = case.call(base_url=exercised.url + "/hanko", timeout=30, headers=headers, allow_redirects=False)
    if answer.status_code == 501:
        assert case.path.startswith(MAY_BE_MISSING) and "not emulated" in answer.text
        return
    case.validate_response(answer, excluded_checks=NOT_OURS)


@public.parametrize()
@rounds()
def test_every_answer_of_the_public_api_to_a_stranger_is_one_that_the_description_names(exercised, case):
    call_public(exercised, case)


@public.parametrize()
@rounds(max(EXAMPLES // 2, 1))
def test_so_is_every_answer_to_somebody_with_a_session(exercised, case):
    ensure_ada(exercised.url)
    made = requests.post(exercised.url + "/hanko-admin/sessions", json={"user_id": ADA}, timeout=30)
    call_public(exercised, case, {"Authorization": "Bearer " + made.json()["session_token"]})


# --- Webhooks

class BackEnd:
    """What a developer's back end does: it registers a hook, and verifies what comes with the published keys."""

    def __init__(self, world, receiver):
        self.world, self.receiver = world, receiver
        self.admin = world.url + "/hanko-admin"
        self.keys = jwt.PyJWKClient(world.hanko + "/.well-known/jwks.json")

    def call(self, method, path, **options):
        return requests.request(method, self.admin + path, timeout=30, **options)

    def listen(self, *events, path="/hook"):
        made = self.call("POST", "/webhooks", json={"callback": self.receiver.url + path, "events": events})
        assert made.status_code == 201, made.text
        return made.json()["id"]

    def heard(self, count, path="/hook"):
        """The claims of so many calls."""
        calls = [one for one in self.receiver.wait(path, count=count)]
        return [self.verified(one) for one in calls]

    def verified(self, call):
        body = json.loads(call["body"])
        assert set(body) == {"token", "event"} and call["headers"]["Content-Type"] == "application/json"
        key = self.keys.get_signing_key_from_jwt(body["token"])
        claims = jwt.decode(body["token"], key.key, algorithms=["RS256"], audience="localhost")
        assert claims["sub"] == "hanko webhooks" and claims["evt"] == body["event"]
        assert claims["exp"] - claims["iat"] == 300
        return claims


@pytest.fixture
def back_end(world, receiver):
    return BackEnd(world, receiver)


def test_a_back_end_hears_of_users_and_verifies_it_with_the_published_keys(back_end):
    back_end.listen("user")
    made = back_end.call("POST", "/users", json={"emails": [{"address": "hook@example.com", "is_primary": True}]}).json()
    back_end.call("POST", f"/users/{made['id']}/emails", json={"address": "more@example.com"})
    back_end.call("DELETE", f"/users/{made['id']}")

    told = back_end.heard(3)

    assert [one["evt"] for one in told] == ["user.create", "user.update.email.create", "user.delete"]
    assert {one["data"]["id"] for one in told} == {made["id"]}
    assert told[0]["data"]["emails"] == made["emails"]
    assert told[0]["data"]["ip_address"] == "127.0.0.1" and "python-requests" in told[0]["data"]["user_agent"]
    assert [len(one["data"]["emails"]) for one in told] == [1, 2, 2]


def test_the_code_of_a_mail_comes_with_the_hook(back_end, hanko, world):
    back_end.listen("email.send")
    passcode = hanko.start(hanko.sign_up("mailed@example.com"))

    [told] = back_end.heard(1)

    data = told["data"]
    assert data["to_email_address"] == "mailed@example.com" and data["delivered_by_hanko"] is True
    assert data["data"]["otp_code"] == world.code("mailed@example.com")["code"]
    assert data["data"]["otp_code"] in data["body_plain"] and data["type"] == "passcode"
    assert hanko.finish(passcode, data["data"]["otp_code"]).status_code == 200


def test_a_hook_that_fails_too_often_is_switched_off(back_end, receiver):
    hook = back_end.listen("user.create")
    receiver.failures["/hook"] = [500] * 6
    for number in range(6):
        assert back_end.call("POST", "/users", json={"username": f"failing_{number}"}).status_code == 200

    def switched_off():
        seen = back_end.call("GET", f"/webhooks/{hook}").json()
        return None if seen["enabled"] else seen

    assert until(switched_off, "the hook to end")["failures"] == 6
    assert any("switched off" in told for told in back_end.world.explanations())


def test_a_session_of_the_admin_api_is_as_good_as_a_login(back_end, world):
    made = back_end.call("POST", "/users", json={"username": "tester"}).json()
    token = back_end.call("POST", "/sessions", json={"user_id": made["id"]}).json()["session_token"]

    assert requests.get(world.hanko + "/me", headers={"Authorization": "Bearer " + token}, timeout=30).json()["id"] == made["id"]
    claims = jwt.decode(token, back_end.keys.get_signing_key_from_jwt(token).key, algorithms=["RS256"], audience="localhost")
    assert (claims["sub"], claims["username"]) == (made["id"], "tester")
    [session] = back_end.call("GET", f"/users/{made['id']}/sessions").json()
    assert session["id"] == claims["session_id"]
    assert back_end.call("DELETE", f"/users/{made['id']}/sessions/{session['id']}").status_code == 204
    assert requests.get(world.hanko + "/me", headers={"Authorization": "Bearer " + token}, timeout=30).status_code == 401


def test_pages_link_to_each_other(back_end):
    for number in range(5):
        back_end.call("POST", "/users", json={"username": f"page_{number}"})
    seen, url = [], back_end.admin + "/users?username=page_&per_page=2&sort_direction=asc"
    while url:
        page = requests.get(url, timeout=30)
        assert page.headers["X-Total-Count"] == "5"
        seen += [one["username"]["username"] for one in page.json()]
        url = page.links.get("next", {}).get("url")

    assert seen == [f"page_{number}" for number in range(5)]


def test_the_console_makes_and_deletes_users(world):
    made = world.control("POST", "/records", json={
        "platform": "hanko", "kind": "user", "inputs": {"address": "console@example.com"}})
    assert made.status_code in (200, 201), made.text
    found = world.get("/records", platform="hanko", kind="user", user="console@example.com")
    [record] = found["records"]
    gone = world.control("POST", f"/records/hanko/{record['id']}/delete", json={})
    assert gone.status_code in (200, 204), gone.text
    assert world.get("/records", platform="hanko", kind="user", user="console@example.com")["records"] == []
