"""What `understudy compare` finds: differences put into a recording one at a time, each told once; what is no difference, never."""

import base64
import json
import re
import uuid

import pytest
import requests

from compare_recordings import Changed, agrees, recording, refusal
from oauth_browser import Browser
from oauth_party import Party
from understudy import Client, token_of

ME, FINALIZE, INITIALIZE, USERS = "/hanko/me", "/hanko/passcode/login/finalize", "/hanko/passcode/login/initialize", "/hanko/users"
AUTHORIZE, TOKEN, USERINFO = "/oauth/v1/authorize", "/oauth/v1/token", "/oauth/v1/userinfo"


@pytest.fixture(scope="module")
def session(server):
    """A login at Hanko with one wrong code, a login at the token server with a refusal; each as an archive."""
    answer = requests.post(server.url + "/_understudy/v1/worlds", json={}, timeout=30).json()
    from understudy import World
    world = World(answer["name"], answer["baseURL"])
    hanko = Client(world.hanko)
    passcode = hanko.start(hanko.sign_up("newcomer@example.com"))
    assert hanko.finish(passcode, "000000").status_code == 401
    token = token_of(hanko.finish(passcode, world.code("newcomer@example.com")["code"]))
    assert hanko.get("/me", token, ).status_code == 200
    requests.options(world.hanko + "/me", headers={
        "Origin": "http://localhost:8888", "Access-Control-Request-Method": "GET"}, timeout=30)
    party = Party(world.oauth, Browser())
    party.log_in()
    party.userinfo()
    assert party.redeem("no code").status_code == 400
    assert requests.get(world.oauth + "/v1/userinfo", headers={"Authorization": "Bearer x"}, timeout=30).status_code == 401
    yield recording(world)
    requests.delete(server.url + "/_understudy/v1/worlds/" + world.name, timeout=30)


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def token_with(token, header=None, **claims):
    """The token with other members; None takes one away. Nobody verifies it."""
    parts = token.split(".")
    values = [json.loads(base64.urlsafe_b64decode(text + "==")) for text in parts[:2]]
    values[0] |= header or {}
    values[1] = {name: value for name, value in (values[1] | claims).items() if value is not None}
    return ".".join([part(values[0]), part(values[1]), parts[2]])


def everywhere(changed, old, new):
    """In the place of a text, wherever the recording has it."""
    text = json.dumps(changed.har)
    assert old in text, old
    changed.har = json.loads(text.replace(old, new))


def session_token(changed):
    """The one of Hanko's login."""
    [field] = changed.fields(changed.answer_of_login(), "X-Auth-Token")
    return field["value"]


class Session(Changed):
    def last(self, path, status=None):
        return [entry["response"] for entry in self.har["log"]["entries"]
                if entry["request"]["url"].split("?")[0].endswith(path) and entry["request"]["method"] != "OPTIONS"
                and status in (None, entry["response"]["status"])][-1]

    def answer_of_login(self):
        return self.last(FINALIZE, 200)

    def edit(self, answer, change):
        value = json.loads(answer["content"]["text"])
        answer["content"]["text"] = json.dumps(change(value) or value)

    def fields(self, answer, name):
        return [field for field in answer["headers"] if field["name"].lower() == name.lower()]

    def set(self, answer, name, value):
        answer["headers"] = [field for field in answer["headers"] if field["name"].lower() != name.lower()]
        if value is not None:
            answer["headers"].append({"name": name, "value": value})

    def retoken(self, header=None, **claims):
        token = session_token(self)
        everywhere(self, token, token_with(token, header, **claims))

    def id_token(self, header=None, **claims):
        answer = self.last(TOKEN, 200)
        old = json.loads(answer["content"]["text"])["id_token"]
        everywhere(self, old, token_with(old, header, **claims))


def without(name):
    return lambda body: {key: value for key, value in body.items() if key != name}


#: What is changed, the kind of the difference, the place and words of its sentence.
DIFFERENCES = {
    "another status": (lambda s: s.last(ME).update(status=203), "status", "status", "the recording has 203"),
    "a refusal where we allow": (lambda s: s.last(ME).update(status=403), "status", "status", "the recording has 403 Forbidden"),
    "an unknown route": (lambda s: s.entry(ME)["request"].update(url=s.entry(ME)["request"]["url"] + "/new"),
                         "not emulated", "route", "no such route"),
    "a member more": (lambda s: s.edit(s.last(ME), lambda b: b | {"plan": "free"}), "missing", "body plan", '"free"'),
    "a member less": (lambda s: s.edit(s.last(ME), without("created_at")), "more", "body created_at", "is not in the recording"),
    "a member inside": (lambda s: s.edit(s.last(ME), lambda b: b["emails"][0].update(label="home")),
                        "missing", "body emails[].label", '"home"'),
    "a string for a number": (lambda s: s.edit(s.last(INITIALIZE), lambda b: b | {"ttl": "300"}),
                              "type", "body ttl", "a string in the recording, a number"),
    "an object for a string": (lambda s: s.edit(s.last(ME), lambda b: b | {"id": {"value": b["id"]}}),
                               "type", "body id", "an object in the recording, a string"),
    "null for a value": (lambda s: s.edit(s.last(ME), lambda b: b | {"created_at": None}), "null", "body created_at", "is null"),
    "null for what is absent": (lambda s: s.edit(s.last(ME), lambda b: b | {"username": None}),
                                "null", "body username", "leaves it out"),
    "another number": (lambda s: s.edit(s.last(INITIALIZE), lambda b: b | {"ttl": 120}), "value", "body ttl", "is 120"),
    "a fraction": (lambda s: s.last(INITIALIZE)["content"].update(
        text=s.last(INITIALIZE)["content"]["text"].replace("300", "300.0")), "form", "body ttl", "a number with a fraction"),
    "another truth": (lambda s: s.edit(s.last(ME), lambda b: b["emails"][0].update(is_primary=False)),
                      "value", "body emails[].is_primary", "is false"),
    "an id of another form": (lambda s: s.edit(s.last(ME), lambda b: b["emails"][0].update(id="k8Qz3vN5xT7bW2mR9pL4")),
                              "form", "body emails[].id", "a UUID from Understudy"),
    "a time with an offset": (lambda s: s.edit(s.last(ME), lambda b: b | {"created_at": b["created_at"][:-1] + "+01:00"}),
                              "form", "body created_at", "with an offset"),
    "an entry more": (lambda s: s.edit(s.last(ME), lambda b: b["emails"].append(dict(b["emails"][0]))),
                      "value", "body emails", "2 entries in the recording, one entry"),
    "another error word": (lambda s: s.edit(s.last(TOKEN, 400), lambda b: b | {"error": "invalid_request"}),
                           "word", "body error", "“invalid_request” in the recording, Understudy says “invalid_grant”"),
    "another token type": (lambda s: s.edit(s.last(TOKEN, 200), lambda b: b | {"token_type": "mac"}),
                           "word", "body token_type", "“mac”"),
    "a header less": (lambda s: s.set(s.last(TOKEN, 200), "Cache-Control", None), "header", "header Cache-Control", "is not in"),
    "a header more": (lambda s: s.set(s.last(ME), "Retry-After", "5"), "header", "header Retry-After", "is missing"),
    "another header": (lambda s: s.set(s.last(TOKEN, 200), "Cache-Control", "max-age=60"), "header", "header Cache-Control", "max-age=60"),
    "another media type": (lambda s: s.set(s.last(ME), "Content-Type", "application/problem+json"),
                           "header", "header Content-Type", "problem+json"),
    "another challenge": (lambda s: s.set(s.last(USERINFO, 401), "WWW-Authenticate", 'Basic realm="x"'),
                          "header", "header WWW-Authenticate", "Basic"),
    "a limit of rates": (lambda s: s.set(s.last(ME), "X-RateLimit-Limit", "10"), "header", "header X-Ratelimit-Limit", "“10”"),
    "a cookie for scripts": (lambda s: s.cookie_of_login("; HttpOnly", ""), "cookie", "cookie onegini.session HttpOnly", "no HttpOnly"),
    "a cookie for the site alone": (lambda s: s.cookie_of_login("SameSite=Lax", "SameSite=Strict"),
                                    "cookie", "cookie onegini.session SameSite", "SameSite=Strict in the recording"),
    "a cookie more": (lambda s: s.answer_of_login()["headers"].append({"name": "Set-Cookie", "value": "seen=1; Path=/"}),
                      "cookie", "cookie seen", "is missing"),
    "a claim more": (lambda s: s.retoken(tenant="blue"), "claim", "header X-Auth-Token claim tenant", "tenant is missing"),
    "a claim less": (lambda s: s.id_token(auth_time=None), "claim", "body id_token claim auth_time", "is not in the recording"),
    "another audience": (lambda s: s.retoken(aud=["tenant"]), "claim", "header X-Auth-Token claim aud", "tenant"),
    "another algorithm": (lambda s: s.id_token({"alg": "ES512"}), "claim", "body id_token header alg", "ES512"),
    "a token that lasts longer": (lambda s: s.retoken(exp=4_000_000_000), "claim", "header X-Auth-Token claim exp", "behind iat"),
    "one more parameter of a redirect": (lambda s: s.redirect("&tenant=1"), "missing",
                                         "header Location parameter tenant", "tenant"),
    "a redirect elsewhere": (lambda s: s.redirect(replace=("/callback", "/back")), "value", "header Location", "/back"),
    "another origin": (lambda s: s.preflight("https://app.example"), "header", "header Access-Control-Allow-Origin", "app.example"),
}


def _cookie_of_login(self, old, new):
    [field] = [one for one in self.fields(self.last("/oauth/login", 303), "Set-Cookie") if one["value"].startswith("onegini.session=")]
    assert old in field["value"], field
    field["value"] = field["value"].replace(old, new)


def _redirect(self, more="", replace=("", "")):
    """Of the last redirect that brings a code."""
    answer = [entry["response"] for entry in self.har["log"]["entries"]
              if any("code=" in field["value"] for field in self.fields(entry["response"], "Location"))][-1]
    for field in self.fields(answer, "Location"):
        field["value"] = field["value"].replace(*replace, 1) + more if replace[0] else field["value"] + more


def _preflight(self, origin):
    answer = next(entry["response"] for entry in self.har["log"]["entries"] if entry["request"]["method"] == "OPTIONS")
    [field] = self.fields(answer, "Access-Control-Allow-Origin")
    field["value"] = origin


Session.cookie_of_login, Session.redirect, Session.preflight = _cookie_of_login, _redirect, _preflight


def test_the_session_as_it_was_agrees(session, compare):
    assert compare.differences(session) == []


@pytest.mark.parametrize("what", DIFFERENCES)
def test_a_difference_is_told_once(session, compare, what):
    change, kind, place, words = DIFFERENCES[what]
    changed = Session(session)
    change(changed)
    assert json.dumps(changed.har) != json.dumps(session)
    found = compare.differences(changed.har)
    assert [(one[1], one[2]) for one in found] == [(kind, place)], found
    assert any(word in found[0][3] for word in words.split("|")), found


@pytest.mark.parametrize("what", DIFFERENCES)
def test_until_it_is_mended_faults_answer_as_recorded(session, compare, tmp_path, what):
    """A server with the faults that were written agrees with the recording; what they cannot do is told."""
    changed = Session(session)
    DIFFERENCES[what][0](changed)
    file = tmp_path / "as-recorded.json"
    ran = compare.run(changed.har, "--faults", str(file))
    assert ran.returncode == 1, ran.stderr
    count, left = len(json.loads(file.read_text())["faults"]), ran.stderr.count("understudy: not in ")
    assert (count, left) in [(1, 0), (0, 1)], ran.stderr
    found = compare.differences(changed.har, "--fixtures", "default", "--fixtures", str(file))
    assert len(found) == left, found


def reordered(value):
    if isinstance(value, dict):
        return {name: reordered(one) for name, one in reversed(value.items())}
    return [reordered(one) for one in value] if isinstance(value, list) else value


def turn_around(changed):
    for entry in changed.har["log"]["entries"]:
        content = entry["response"]["content"]
        if "json" in content.get("mimeType", ""):
            content["text"] = json.dumps(reordered(json.loads(content["text"])), indent=2)


def other_ids(changed):
    """Each id that chance made is another one, at Hanko, which packs none into Base64."""
    entries = changed.har["log"]["entries"]
    ours = [entry for entry in entries if "/hanko/" in entry["request"]["url"]]
    text = json.dumps(ours)
    made = set(re.findall(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", text))
    for one in made:
        text = text.replace(one, str(uuid.uuid5(uuid.NAMESPACE_URL, one)))
    changed.har["log"]["entries"] = json.loads(text) + [entry for entry in entries if entry not in ours]


def other_times(changed):
    """A year before."""
    changed.har = json.loads(re.sub(r"\b20(\d\d)-(\d\d)-(\d\d)T", lambda m: f"20{int(m[1]) - 1:02}-{m[2]}-28T"
                                    if m[3] > "28" else f"20{int(m[1]) - 1:02}-{m[2]}-{m[3]}T", json.dumps(changed.har)))


def another_language(changed):
    for path, status in ((FINALIZE, 401), (TOKEN, 400)):
        def translate(body):
            return {name: "Das geht so nicht." if name in ("message", "error_description") else value for name, value in body.items()}
        changed.edit(changed.last(path, status), translate)


def names_in_lower_case(changed):
    for entry in changed.har["log"]["entries"]:
        for side in ("request", "response"):
            for field in entry[side]["headers"]:
                field["name"] = field["name"].lower()
        entry["request"]["headers"].insert(0, {"name": ":authority", "value": "tenant.example"})


@pytest.mark.parametrize("change", [turn_around, other_ids, other_times, another_language, names_in_lower_case])
def test_what_is_no_difference_is_not_told(session, compare, change):
    changed = Session(session)
    change(changed)
    assert json.dumps(changed.har) != json.dumps(session)
    assert compare.differences(changed.har) == []
