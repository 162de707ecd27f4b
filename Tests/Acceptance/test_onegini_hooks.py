"""Back ends of the integrator's that the token server asks before it issues anything: the scope verification service and the web
hook that customizes access tokens. One local server plays both."""

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt
import pytest
import requests

from oauth_browser import ADA, Browser
from oauth_party import Party

VERIFY, CUSTOMIZE = "/verify-scope", "/hooks/v1/customize-access-token"
READ, WRITE = "accounts:read", "payments:write"
SCOPE = f"openid email {READ} {WRITE}"
UPGRADE = "https://upgrade.example.test/offer"
ADMIN = ("hook-admin", "hook-admin-secret")
GATEWAY = ("resource-gateway", "resource-gateway-secret")


class BackEnd:
    """Checks HTTP Basic with `credentials`, and answers by path: JSON, or what a function of the handler does."""

    def __init__(self):
        self.asked = {VERIFY: [], CUSTOMIZE: []}
        self.credentials = {VERIFY: ("checker", "check secret"), CUSTOMIZE: ("hook", "hook secret")}
        self.answers = {VERIFY: {"verification_result": "SUCCESS"}, CUSTOMIZE: {}}
        self.released = threading.Event()
        back_end = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                assert self.headers["Content-Type"].startswith("application/json")
                back_end.asked[self.path].append(question)
                login = requests.auth._basic_auth_str(*back_end.credentials[self.path])
                answer = back_end.answers[self.path]
                if self.headers["Authorization"] != login:
                    self.say(401, "{}")
                elif callable(answer):
                    answer(self)
                else:
                    self.say(200, json.dumps(answer))

            def say(self, status, body, **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def back_end():
    with contextlib.closing(BackEnd()) as back_end:
        yield back_end


@pytest.fixture
def prepared(world, back_end):
    """A world whose client `web-app` has the hook, linked by the API, and whose two scopes are verified."""
    fixtures = world.get("/fixtures")
    onegini = fixtures["onegini"]
    onegini["scope_verification"] = {
        "service_endpoint": back_end.url + VERIFY, "username": "checker", "password": "check secret"}
    onegini["oauth"]["clients"].append({
        "client_id": ADMIN[0], "client_secret": ADMIN[1], "kind": "api", "grant_types": [],
        "scope": "onegini_api_admin onegini_api_config"})
    loaded = world.control("PUT", "/fixtures", json=fixtures)
    assert loaded.ok, loaded.text
    configure(world, "PATCH", "/scopes/" + READ, {"scope_id": READ, "service_endpoint": "https://read.example.test"})
    configure(world, "PATCH", "/scopes/" + WRITE, {
        "scope_id": WRITE, "service_endpoint": "https://write.example.test", "verification_failed_endpoint": UPGRADE})
    configure(world, "POST", "/web-hooks", {
        "id": "hook", "type": "CUSTOMIZE_TOKEN", "name": "Hook", "base_uri": back_end.url + "/hooks",
        "authentication_method": "BASIC", "username": "hook", "password": "hook secret"})
    configure(world, "PATCH", "/web-clients/web-app", {"web_hook_ids": ["hook"]})
    return world


def configure(world, method, path, body):
    answer = requests.request(
        method, world.oauth + "/api/v1/configuration" + path, json=body, auth=ADMIN, timeout=30)
    assert answer.ok, answer.text


@pytest.fixture
def party(prepared):
    known = next(
        client for client in prepared.get("/fixtures")["onegini"]["oauth"]["clients"] if client["client_id"] == "web-app")
    return Party(prepared.oauth, Browser(), known)


def ask(party, **parameters):
    """Where the browser is sent in the end."""
    return party.browser.authorize(party.url(scope=SCOPE, **parameters))


def tokens(party, **parameters):
    answer = party.redeem(ask(party, **parameters).parameters["code"])
    assert answer.status_code == 200, answer.text
    return answer.json()


def claims(party, token):
    key = jwt.PyJWKClient(party.metadata["jwks_uri"]).get_signing_key_from_jwt(token)
    return jwt.decode(token, key, algorithms=["RS256"], options={"verify_aud": False})


def introspect(world, token):
    answer = requests.post(
        world.oauth + "/api/v2/token/introspect", data={"token": token}, auth=GATEWAY, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def events(world, name):
    return [entry for entry in world.journal() if entry.get("event") == name]


def test_both_are_asked_before_the_code_is_made(prepared, back_end, party):
    got = tokens(party, **{
        "hook_context_custom_param.on_behalf_of": "grace", "hook_context_custom_param.type": "person"})
    assert set(got["scope"].split()) == set(SCOPE.split())

    [verified] = back_end.asked[VERIFY]
    assert verified["user_id"] == ADA and verified["external_identity"]
    assert verified["scopes"] == [
        {"id": READ, "service_endpoint": "https://read.example.test"},
        {"id": WRITE, "service_endpoint": "https://write.example.test"}]
    [hooked] = back_end.asked[CUSTOMIZE]
    assert hooked["user"] == {"id": ADA} and hooked["client"] == {"id": "web-app"}
    assert hooked["scopes"] == SCOPE.split()
    assert hooked["contextCustomParams"] == {"on_behalf_of": ["grace"], "type": ["person"]}
    assert hooked["userClaims"]["name"] == "Ada Lovelace"

    assert len(events(prepared, "scope verification answered")) == 1
    [told] = events(prepared, "web hook answered")
    assert back_end.url + CUSTOMIZE in told["explanation"] and '"on_behalf_of":["grace"]' in told["explanation"]


def test_some_scopes_are_taken_away_and_claims_arrive(prepared, back_end, party):
    back_end.answers[CUSTOMIZE] = {
        "removeScopes": [WRITE, "never-asked-for"],
        "additionalClaims": {"x:tier": "gold", "x:limits": {"day": 3}, "sub": "mallory", "scope": "everything"}}
    got = tokens(party)
    assert set(got["scope"].split()) == set(SCOPE.split()) - {WRITE}

    inside = claims(party, got["access_token"])
    assert inside["x:tier"] == "gold" and inside["x:limits"] == {"day": 3}
    assert inside["sub"] == ADA and inside["scope"] == got["scope"]
    shown = introspect(prepared, got["access_token"])
    assert shown["active"] and shown["x:tier"] == "gold" and shown["sub"] == ADA and shown["scope"] == got["scope"]
    [rejected] = events(prepared, "claims rejected")
    assert "scope, sub" in rejected["explanation"]


def test_without_any_scope_the_flow_fails(prepared, back_end, party):
    back_end.answers[CUSTOMIZE] = {"removeScopes": SCOPE.split()}
    refused = ask(party)
    assert refused.parameters["error"] == "access_denied" and "code" not in refused.parameters
    assert "were removed" in prepared.explanations()[0]


def test_a_user_who_may_not_have_a_scope(prepared, back_end, party):
    back_end.answers[VERIFY] = {"verification_result": "FAILURE", "unauthorized_scope": READ}
    assert ask(party).parameters["error"] == "access_denied"
    assert f'may not have the scope “{READ}”' in prepared.explanations()[0]

    back_end.answers[VERIFY] = {"verification_result": "FAILURE", "unauthorized_scope": WRITE}
    assert ask(party).url == UPGRADE
    assert party.browser.open(party.url(scope=SCOPE, prompt="none")).parameters["error"] == "access_denied"
    assert back_end.asked[CUSTOMIZE] == []


def test_a_refresh_asks_the_hook_again_and_a_refusal_spends_nothing(prepared, back_end, party):
    first = tokens(party)
    back_end.answers[CUSTOMIZE] = {"removeScopes": [WRITE], "additionalClaims": {"x:tier": "silver"}}
    second = party.refresh(first["refresh_token"]).json()
    assert WRITE not in second["scope"].split()
    assert claims(party, second["access_token"])["x:tier"] == "silver"

    back_end.answers[CUSTOMIZE] = {"removeScopes": SCOPE.split()}
    refused = party.refresh(second["refresh_token"])
    assert refused.status_code == 400 and refused.json()["error"] == "invalid_scope"
    back_end.answers[CUSTOMIZE] = lambda handler: handler.say(500, "{}")
    refused = party.refresh(second["refresh_token"])
    assert refused.status_code == 500 and refused.json()["error"] == "server_error"

    back_end.answers[CUSTOMIZE] = {}
    third = party.refresh(second["refresh_token"])
    assert third.status_code == 200, third.text
    assert set(third.json()["scope"].split()) == set(SCOPE.split())
    assert len(back_end.asked[VERIFY]) == 1


@pytest.mark.parametrize("path, event", [(VERIFY, "scope verification failed"), (CUSTOMIZE, "web hook failed")])
@pytest.mark.parametrize("answer, reason", [
    (lambda handler: handler.say(500, "{}"), "it answered 500"),
    (lambda handler: handler.say(302, "{}", Location="/elsewhere"), "it answered 302"),
    (lambda handler: handler.say(200, "<html>"), "not the expected JSON"),
    (lambda handler: handler.say(200, "[]"), "its answer"),
    (lambda handler: handler.connection.close(), "there was no answer"),
], ids=["error", "redirect", "no-json", "other-json", "broken"])
def test_a_service_that_fails(prepared, back_end, party, path, event, answer, reason):
    back_end.answers[path] = answer
    refused = ask(party)
    assert refused.parameters["error"] == "server_error" and "code" not in refused.parameters
    [failed] = events(prepared, event)
    assert reason in failed["explanation"] and back_end.url + path in failed["explanation"]
    assert reason in prepared.explanations()[0]

    back_end.answers[path] = {"verification_result": "SUCCESS"}
    assert "code" in ask(party).parameters


def test_a_service_that_never_answers(prepared, back_end, party):
    back_end.answers[CUSTOMIZE] = lambda handler: back_end.released.wait(30)
    refusals = []
    waiting = threading.Thread(target=lambda: refusals.append(ask(party).parameters["error"]))
    start = time.monotonic()
    waiting.start()
    while not back_end.asked[CUSTOMIZE]:
        time.sleep(0.01)
    # Meanwhile the world goes on: nothing is locked.
    asked = time.monotonic()
    assert requests.get(prepared.oauth + "/v1/keys", timeout=3).ok
    assert introspect(prepared, "unknown") == {"active": False}
    assert time.monotonic() - asked < 3
    waiting.join(20)
    assert refusals == ["server_error"] and time.monotonic() - start >= 4.5
    [failed] = events(prepared, "web hook failed")
    assert "timed out" in failed["explanation"]


def test_wrong_credentials(prepared, back_end, party):
    back_end.credentials[VERIFY] = ("checker", "another secret")
    assert ask(party).parameters["error"] == "server_error"
    [failed] = events(prepared, "scope verification failed")
    assert "it answered 401" in failed["explanation"] and "credentials" in failed["explanation"]
    [audited] = [
        one for one in prepared.get("/fixtures")["onegini"]["events"] if one["event_type"] == "EXTERNAL_SCOPE_CHECK_FAILED"]
    assert audited["user_id"] == ADA and audited["client_id"] == "web-app"

    back_end.credentials = {VERIFY: ("checker", "check secret"), CUSTOMIZE: ("hook", "changed")}
    assert ask(party).parameters["error"] == "server_error"
    assert "it answered 401" in events(prepared, "web hook failed")[0]["explanation"]


def test_a_limited_token_wears_out(prepared, back_end, party):
    configure(prepared, "PATCH", "/scopes/" + READ, {"scope_id": READ, "usage_limit": 2})
    got = tokens(party)
    assert "refresh_token" not in got
    for count in (1, 2):
        shown = introspect(prepared, got["access_token"])
        assert (shown["usage_count"], shown["usage_limit"]) == (count, 2)
    assert introspect(prepared, got["access_token"]) == {"active": False}


def test_what_was_asked_survives_an_export(prepared, back_end, party):
    back_end.answers[CUSTOMIZE] = {"additionalClaims": {"x:tier": "gold"}}
    got = tokens(party, **{"hook_context_custom_param.key": "value"})
    exported = prepared.get("/fixtures")
    assert exported["onegini"]["scope_verification"]["username"] == "checker"
    assert prepared.control("PUT", "/fixtures", json=exported).ok
    assert introspect(prepared, got["access_token"])["x:tier"] == "gold"
    assert party.refresh(got["refresh_token"]).status_code == 200
    assert back_end.asked[CUSTOMIZE][-1]["contextCustomParams"] == {"key": ["value"]}


def test_an_id_token_of_another_world_is_not_exchanged(make_world):
    here, there = make_world(), make_world()

    def exchange(world, token):
        return requests.post(
            world.oauth + "/v1/token", auth=("exchanger", "exchanger-secret"), timeout=30, data={
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": token,
                "subject_token_type": "urn:ietf:params:oauth:token-type:id_token", "scope": READ})

    def id_token(world):
        fixtures = world.get("/fixtures")
        clients = fixtures["onegini"]["oauth"]["clients"]
        [client] = [one for one in clients if one["client_id"] == "exchanger"]
        client["grant_types"].append("authorization_code")
        client["redirect_uris"] = ["https://app.example.test/callback"]
        assert world.control("PUT", "/fixtures", json=fixtures).ok
        party = Party(world.oauth, Browser(), client)
        party.log_in()
        return party.hint

    own, foreign = id_token(here), id_token(there)
    assert exchange(here, own).status_code == 200
    refused = exchange(here, foreign)
    assert refused.status_code == 400 and refused.json()["error"] == "invalid_request"
    assert f'expected iss “{here.oauth}”' in here.explanations()[0] and there.oauth in here.explanations()[0]
