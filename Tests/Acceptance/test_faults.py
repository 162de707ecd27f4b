"""What goes wrong on purpose: a suite of faults that a mobile team would write, by clients that are not ours."""

import http.client
import json
import re
import shlex
import time
import uuid

import json5
import jwt
import pytest
import requests
from joserfc import jwt as jose
from joserfc.jwk import ECKey

from oauth_browser import Browser, metadata_of
from oauth_party import Party
from powerauth_mobile_token import MobileToken
from understudy import ROOT, Client, run, token_of, until

CALL = (requests.exceptions.ConnectionError, requests.exceptions.ChunkedEncodingError)


@pytest.fixture
def fault(world):
    """Adds a fault to the test's world; its name."""
    def fault(effect, name=None, **match):
        rule = {"match": match, "effect": effect} | ({"name": name} if name else {})
        added = world.control("POST", "/faults", json=rule)
        assert added.status_code == 201, added.text
        return added.json()["name"]

    return fault


@pytest.fixture
def struck(world):
    """How often a fault struck."""
    return lambda name: world.get(f"/faults/{name}")["struck"]


@pytest.fixture
def login(issuer, browser):
    """Logs somebody in at the token server; the relying party, before the code was redeemed, and the code."""
    def login():
        party = Party(issuer, browser)
        arrival = browser.authorize(party.url())
        return party, arrival.parameters["code"]

    return login


def last(world):
    """The explanation of the newest request."""
    return world.journal(kind="request", limit=1)[0].get("explanation")


# The ten.

def test_the_token_endpoint_is_down_twice_and_a_client_that_tries_again_gets_in(world, fault, struck, login):
    name = fault({"answer": {"status": 503}}, platform="onegini", path="/*/token", method="POST", to=2)
    party, code = login()

    answers = [party.redeem(code) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [503, 503, 200]
    assert answers[0].json() == {"error": "temporarily_unavailable"}, "the platform's own form"
    assert party.verify(answers[2].json()["id_token"])["sub"]
    assert struck(name) == 2
    told = [entry for entry in world.journal(q=name) if entry["kind"] == "request"]
    assert [entry["exchange"]["status"] for entry in told] == [503, 503]


def test_the_passcode_is_slow_and_the_app_waits_for_it(world, hanko, fault):
    fault({"mail": {"fate": "late", "seconds": 30}}, "slow-mail", platform="hanko")
    passcode = hanko.start(hanko.sign_up("slow@example.com"))

    assert world.messages(to="slow@example.com") == []
    assert last(world) == 'By the fault “slow-mail” the mail to slow@example.com is late by 30 s.'
    world.advance(29)
    assert world.messages(to="slow@example.com") == []
    world.advance(2)

    assert token_of(hanko.finish(passcode, world.code("slow@example.com")["code"]))


def test_a_late_mail_comes_by_itself_and_wakes_who_waits(world, hanko, fault):
    fault({"mail": {"fate": "late", "seconds": 0.5}}, to=1)
    began = time.monotonic()
    hanko.start(hanko.sign_up("wait@example.com"))
    assert world.code("wait@example.com")["code"]
    assert 0.4 < time.monotonic() - began < 5


def test_the_connection_breaks_after_the_operation_was_approved(world, backend, mobile, fault, start_operation):
    operation = start_operation()
    shown = mobile.operation(operation)
    fault({"drop": {"when": "after"}}, "cut", path="/api/auth/token/app/operation/authorize", user="eva", to=1)

    with pytest.raises(requests.exceptions.ConnectionError):
        mobile.authorize(shown)

    assert backend.operation(operation)["status"] == "APPROVED", "it was done, and the app does not know"
    assert mobile.ids() == []
    [entry] = world.journal(q='fault “cut” closed')
    assert entry["explanation"].endswith(
        'The fault “cut” closed the connection instead of sending this answer; what the request asked for was done.')


def test_the_connection_breaks_before_anything_was_done(world, hanko, fault):
    fault({"drop": {"when": "before"}}, platform="hanko", path="/users", to=1)
    with pytest.raises(requests.exceptions.ConnectionError):
        hanko.post("/users", {"email": "twice@example.com"})
    assert world.journal(kind="request", limit=1)[0]["exchange"]["status"] == 0
    assert hanko.post("/users", {"email": "twice@example.com"}).status_code == 200, "there was no user yet"


def test_the_answer_ends_in_the_middle_of_its_json(world, fault):
    name = fault({"truncate": {"bytes": 40}}, platform="hanko", path="/.well-known/config", to=1)
    host, port = world.url.split("/")[2].split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=10)
    connection.request("GET", "/" + world.hanko.split("/", 3)[3] + "/.well-known/config")
    answer = connection.getresponse()
    length = int(answer.headers["Content-Length"])

    with pytest.raises(http.client.IncompleteRead) as broken:
        answer.read()

    assert len(broken.value.partial) == 40 and broken.value.expected == length - 40
    with pytest.raises(json.JSONDecodeError):
        json.loads(broken.value.partial)
    assert last(world) == f'The fault “{name}” ended this answer after 40 of the {length} bytes of its body.'
    assert requests.get(world.hanko + "/.well-known/config", timeout=10).json()


def test_the_connection_is_reset(world, fault):
    fault({"reset": {"when": "before"}}, platform="hanko", to=1)
    host, port = world.url.split("/")[2].split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=10)
    connection.request("GET", "/" + world.hanko.split("/", 3)[3] + "/.well-known/config")
    with pytest.raises(ConnectionResetError):
        connection.getresponse()


def test_too_many_requests_are_refused_until_the_time_that_the_answer_says(world, fault, struck):
    name = fault({"rate_limit": {"requests": 3, "seconds": 60}}, platform="hanko", path="/.well-known/jwks.json")
    address = world.hanko + "/.well-known/jwks.json"
    answers = [requests.get(address, timeout=10) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[3].json() == {"code": 429, "message": "Too Many Requests"}
    wait = int(answers[3].headers["Retry-After"])
    assert 50 <= wait <= 60
    world.advance(wait)
    assert requests.get(address, timeout=10).status_code == 200
    assert struck(name) == 1


@pytest.mark.parametrize("flaw, error", [
    ("expired", jwt.ExpiredSignatureError), ("not_yet_valid", jwt.ImmatureSignatureError),
    ("wrong_audience", jwt.InvalidAudienceError), ("wrong_issuer", jwt.InvalidIssuerError),
    ("damaged_signature", jwt.InvalidSignatureError), ("wrong_key", jwt.InvalidSignatureError),
    ("alg_none", jwt.PyJWTError), ("unknown_kid", jwt.PyJWTError)])
def test_the_id_token_is_wrong_and_the_app_notices(world, fault, login, flaw, error):
    name = fault({"token": {"flaw": flaw, "kind": "id_token"}}, platform="oauth", to=1)
    party, code = login()
    spoilt = party.redeem(code).json()["id_token"]

    def check(token):
        key = jwt.PyJWKClient(party.metadata["jwks_uri"]).get_signing_key_from_jwt(token)
        return jwt.decode(token, key, algorithms=["RS256"], audience=party.id, issuer=party.issuer)

    with pytest.raises(error):
        check(spoilt)
    assert f'The fault “{name}” spoilt the id token' in world.explanations(q=name)[0]
    assert check(Party.redeem(party, Browser().authorize(party.url()).parameters["code"]).json()["id_token"])["sub"]


def test_push_and_callback_come_twice(world, backend, application, receiver, mobile, fault):
    backend.create_callback(application, "OPERATION_STATUS_CHANGE", receiver.url + "/hook")
    fault({"callback": {"fate": "twice"}}, platform="powerauth", to=1)
    operation = backend.start("login", userId="eva")["operationId"]
    told = [json.loads(one["body"]) for one in receiver.wait("/hook", count=2)]
    assert [one["operationId"] for one in told] == [operation, operation]


def test_what_the_console_decides_is_told_twice_too(world, backend, application, receiver, fault, struck, start_operation):
    operation = start_operation()
    backend.create_callback(application, "OPERATION_STATUS_CHANGE", receiver.url + "/hook")
    name = fault({"callback": {"fate": "twice"}}, platform="powerauth")
    assert world.control("POST", f"/transactions/{operation}/approve").status_code == 200
    told = [json.loads(one["body"])["operationId"] for one in receiver.wait("/hook", count=2)]
    assert told == [operation, operation] and struck(name) == 1
    assert world.journal(q=f'fault “{name}”', kind="event")[0]["event"] == "fault struck"


def test_the_clock_of_the_device_is_wrong_by_an_hour(make_world):
    fixtures = json5.loads((ROOT / "Fixtures/default.json").read_text())
    fixtures["onegini"]["oauth"]["settings"] = {"dpop": True}
    fixtures["faults"] = [
        {"name": "skew", "match": {"client": "backend", "to": 1}, "effect": {"clock_skew": {"seconds": 3600}}}]
    world = make_world(fixtures=fixtures)
    key, metadata = ECKey.generate_key("P-256"), metadata_of(world.oauth)

    def ask():
        claims = {"jti": str(uuid.uuid4()), "htm": "POST", "htu": metadata["token_endpoint"], "iat": int(time.time())}
        proof = jose.encode({"typ": "dpop+jwt", "alg": "ES256", "jwk": key.as_dict(private=False)}, claims, key)
        return requests.post(
            metadata["token_endpoint"], {"grant_type": "client_credentials", "scope": "accounts:read"},
            auth=("backend", "backend-secret"), headers={"DPoP": proof}, timeout=10)

    refused = ask()
    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_dpop_proof")
    assert 'By the fault “skew” the platform took the clock of this device to be 3600 s ahead.' in last(world)
    assert ask().status_code == 200


# And what holds for all of them.

def test_an_answer_is_late_and_a_client_without_patience_asks_again_in_vain(world, fault, login):
    fault({"delay": {"seconds": 1.5}}, "slow", platform="oauth", path="/*/token", to=1)
    party, code = login()
    with pytest.raises(requests.exceptions.ReadTimeout):
        requests.post(
            party.metadata["token_endpoint"], timeout=0.3, auth=(party.id, party.client["client_secret"]),
            data={"grant_type": "authorization_code", "code": code, "redirect_uri": party.client["redirect_uris"][0]})
    again = party.redeem(code)
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant"), "the first one had used it up"
    assert until(lambda: world.journal(q="“slow” delayed this answer by 1.5 s."), "the late answer")


def test_many_late_answers_hold_no_thread(world, fault):
    fault({"delay": {"seconds": 1}}, platform="hanko", path="/.well-known/config")
    from concurrent.futures import ThreadPoolExecutor

    def ask(_):
        return requests.get(world.hanko + "/.well-known/config", timeout=10).status_code

    began = time.monotonic()
    with ThreadPoolExecutor(60) as pool:
        assert set(pool.map(ask, range(60))) == {200}
    assert time.monotonic() - began < 5, "one after the other would take a minute"


def test_a_body_trickles(world, fault):
    whole = requests.get(world.hanko + "/.well-known/config", timeout=10).json()
    fault({"trickle": {"bytes": 100, "seconds": 0.1}}, platform="hanko", to=1)
    began = time.monotonic()
    assert requests.get(world.hanko + "/.well-known/config", timeout=10).json() == whole
    assert time.monotonic() - began > 0.2


def test_a_push_is_lost_and_the_app_asks_by_itself(world, make_phone, backend, fault):
    mobile = MobileToken(make_phone())
    fault({"push": {"fate": "lost"}}, platform="powerauth")
    operation = backend.start("login", userId="eva")["operationId"]
    assert [one for one in world.messages() if one["channel"] == "push"] == []
    assert mobile.ids() == [operation]


def test_a_fault_strikes_in_its_world_alone(world, make_world, fault, struck):
    name = fault({"answer": {"status": 500}}, platform="hanko")
    other = make_world()
    assert requests.get(other.hanko + "/.well-known/config", timeout=10).status_code == 200
    assert requests.get(world.hanko + "/.well-known/config", timeout=10).status_code == 500
    assert struck(name) == 1 and other.get("/faults") == {"faults": []}


def test_snapshots_fixtures_and_worlds_take_faults_along(world, make_world, fault, hanko):
    fault({"answer": {"status": 500}}, "broken", platform="hanko", to=2)
    assert hanko.get("/.well-known/config").status_code == 500
    world.control("POST", "/snapshots", json={"name": "one-left"})
    assert [hanko.get("/.well-known/config").status_code for _ in range(2)] == [500, 200]
    world.control("POST", "/snapshots/one-left/restore")
    assert [hanko.get("/.well-known/config").status_code for _ in range(2)] == [500, 200]

    copy = make_world(**{"from": {"world": world.name, "snapshot": "one-left"}})
    assert copy.get("/faults/broken")["struck"] == 1
    exported = world.get("/fixtures")
    assert exported["faults"][0]["name"] == "broken" and exported["faults"][0]["struck"] == 2
    third = make_world(fixtures=exported)
    assert third.get("/faults") == world.get("/faults")


def test_faults_outlive_the_program_with_data(start, tmp_path):
    server = start("--data", tmp_path / "data")
    server.default_world.control(
        "PUT", "/faults/broken", json={"match": {"to": 2}, "effect": {"answer": {"status": 500}}})
    hanko = Client(server.default_world.hanko)
    assert hanko.get("/.well-known/config").status_code == 500
    server.kill()
    server.start()
    hanko = Client(server.default_world.hanko)
    assert [hanko.get("/.well-known/config").status_code for _ in range(2)] == [500, 200]


def test_a_bad_rule_is_refused_and_changes_nothing(world, fault):
    fault({"drop": {"when": "after"}}, "good", path="/never")
    before = world.get("/faults")
    for rule, member in [
            ({"effect": {"answer": {"status": 99}}}, "effect.answer.status"),
            ({"effect": {}}, "effect"),
            ({"match": {"platform": "hankoo"}, "effect": {"drop": {"when": "after"}}}, "match.platform"),
            ({"effect": {"token": {"flaw": "stale"}}}, "effect.token.flaw"),
            ({"match": {"pth": "/x"}, "effect": {"drop": {"when": "after"}}}, "match.pth")]:
        refused = world.control("POST", "/faults", json=rule)
        assert refused.status_code == 422, refused.text
        assert refused.json()["errors"][0]["field"] == member
    assert world.get("/faults") == before


def test_the_command_line_adds_lists_and_deletes(server, make_world):
    world = make_world()

    def understudy(*arguments):
        return run("fault", *arguments, "--world", world.name, url=server.url)

    assert understudy().stdout.startswith("No faults.")
    added = understudy(
        "add", "--platform", "oauth", "--path", "/*/token", "--status", 503, "--times", 2, "--body", '{"error": "busy"}')
    assert added.stdout == "answer-503\n", added.stderr
    assert understudy("add", "slow", "--delay", "1s..3s", "--user", "ada", "--chance", 50).stdout == "slow\n"
    rules = world.get("/faults")["faults"]
    assert rules[0]["match"] == {"platform": "oauth", "path": "/*/token", "to": 2}
    assert rules[0]["effect"] == {"answer": {"status": 503, "body": {"error": "busy"}}}
    assert rules[1] == {"name": "slow", "match": {"user": "ada", "probability": 0.5}, "seen": 0, "struck": 0,
                        "effect": {"delay": {"seconds": 1, "spread": 2}}}
    listed = understudy("list").stdout
    assert "answer-503" in listed and "oauth /*/token, the first 2" in listed and "delays by 1 to 3 s" in listed
    assert understudy("delete", "slow").stdout == "deleted slow\n"
    assert understudy("delete", "slow").returncode == 1
    for wrong in [["add"], ["add", "--status", "x"], ["add", "--status", 500, "--drop", "after"], ["add", "--mail", "late"]]:
        assert understudy(*wrong).returncode == 2
    assert understudy("clear").returncode == 0
    assert world.get("/faults") == {"faults": []}


def test_the_page_shows_strikes_as_they_come(world, hanko, browse):
    page = browse(f"{world.url}/faults")
    page.get_by_text("Add a fault").click()
    page.get_by_label("Effect").select_option("answer")
    page.get_by_label("Value").fill("503")
    page.get_by_role("main").get_by_label("Name (optional)").fill("down")
    page.locator("select[name=platform]").select_option("hanko")
    page.get_by_role("button", name="Add fault").click()
    row = page.locator("#faults .fault")
    row.wait_for()
    assert row.locator(".outcome").inner_text() == "not yet"
    page.locator(".light[data-state=live]").wait_for()

    assert hanko.get("/.well-known/config").status_code == 503
    until(lambda: row.locator(".outcome").inner_text() == "struck once", "the strike on the page")
    row.get_by_role("button", name="Delete down").click()
    page.locator("#faults-empty").wait_for()
    assert hanko.get("/.well-known/config").status_code == 200


def test_each_effect_of_the_documentation_is_one_by_json_and_by_option(world):
    page = (ROOT / "Web/docs/faults.md").read_text()
    rows = re.findall(r"^\| `(\{.*?\})` \| `(--[^`]*)` \|", page, re.MULTILINE)
    known = {option for option in re.findall(r"^  --([a-z-]+) ", run("help", "fault").stdout, re.MULTILINE)}
    assert len(rows) == 14
    for effect, options in rows:
        made = world.control("POST", "/faults", json={"effect": json.loads(effect)})
        assert made.status_code == 201, made.text
        words = shlex.split(options.replace("TEXT", "down"))
        assert {word[2:] for word in words if word.startswith("--")} <= known
        added = run("fault", "add", *words, url=world.url)
        assert added.returncode == 0, added.stderr
