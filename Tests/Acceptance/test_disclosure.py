"""Beyond loopback, nobody without the control token learns which worlds there are, who is in them, and what their phones and
snapshots are called: every GET of the program is asked, in every way that names a world."""

import contextlib
import http.client
import itertools
import json
import re
import urllib.parse

import pytest
import requests

from understudy import CONTROL, ROOT, Server

TOKEN = "open-sesame-42"
WORLD, PERSON, PHONE, SNAPSHOT = "secret-customer", "secret-person@example.com", "secret-phone", "secret-snapshot"
USER = "5ec2e700-0000-4000-8000-000000000001"

#: What the real service tells whoever reaches it, and so does this one: an admin API that has no key of its own, which belongs behind a
#: firewall. `Web/docs/settings.md` says so.
OPEN = re.compile(r"(/w/[^/]+)?/(hanko-admin|hanko/admin)/")


def patterns():
    """Every path that some table of routes in the sources has for GET, parameters as `:name`."""
    found = set()
    for file in (ROOT / "Sources").rglob("*.swift"):
        text = file.read_text()
        found |= set(re.findall(r'\.get\(\s*"((?:/[^"\\]*)?)"', text))
        found |= set(re.findall(r'\(\.get,\s*(?:[\w.]+ \+ )?"((?:/[^"\\]*)?)"', text))
        if file.name == "Console.swift":
            found |= set(re.findall(r'^        \("(/[^"]*)", Console\.', text, re.MULTILINE))
    assert len(found) > 200 and {"/worlds", "/hanko", "/.well-known/jwks.json", "/devices/:platform/:id"} & found
    return sorted(found)


def mounts():
    return ["", "/_understudy", CONTROL, "/_console", "/docs", *("/" + name for name in (
        "hanko", "hanko-admin", "miracl", "nextauth", "nextauth/device/v1", "oauth", "oauth/v1", "api", "enrollment-server", "powerauth-cloud",
        "powerauth-java-server", "powerauth-java-server/rest/v3", "powerauth-push-server", "user-data-store", "app"))]


def filled(pattern, values):
    names = re.findall(r"[:*](\w+)", pattern)
    if not names:
        return [pattern]
    return [re.sub(r"[:*]\w+", value, pattern) for value in values]


@pytest.fixture(scope="module")
def house():
    server = Server("--host", "0.0.0.0", "--control-token", TOKEN, "--smtp-port", "0")
    own = next(url for url in server.banner["network"] if url.startswith("http://") and "[" not in url)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    fixtures = json.loads(requests.get(own + CONTROL + "/fixtures", headers=headers, timeout=60).text)
    fixtures["people"].append({"id": "secret", "name": "Secret Person", "email": PERSON, "story": "nobody knows"})
    fixtures["hanko"]["users"].append(
        {"id": USER, "emails": [{"address": PERSON, "is_verified": True, "is_primary": True}]})
    answer = requests.put(own + CONTROL + "/fixtures", headers=headers, json=fixtures, timeout=60)
    assert answer.status_code in (200, 204), answer.text
    made = requests.put(
        own + CONTROL + "/worlds/" + WORLD, headers=headers, json={"fixtures": fixtures}, timeout=60)
    assert made.status_code == 201, made.text
    for place in ("", "/w/" + WORLD):
        control = own + place + CONTROL
        phone = requests.post(control + "/phones", headers=headers, json={"name": PHONE}, timeout=60)
        assert phone.status_code == 201, phone.text
        shot = requests.post(control + "/snapshots", headers=headers, json={"name": SNAPSHOT}, timeout=60)
        assert shot.status_code == 201, shot.text
        # A passcode and a mail of hers.
        begun = requests.post(own + place + "/hanko/passcode/login/initialize", json={"user_id": USER}, timeout=60)
        assert begun.status_code == 200, begun.text
    yield own
    server.stop()


def walk(base, place, **headers):
    """Every path below `place`, with the status and everything else that was answered. The lean client of the standard library: of the time
    that many thousand requests take, most would be that of the other one."""
    # A name that no world, person, phone or snapshot has, and those that they have: nobody learns by asking whether one exists.
    values = ("nope", "1")
    with contextlib.closing(http.client.HTTPConnection(urllib.parse.urlsplit(base).netloc, timeout=60)) as client:
        for mount, pattern in itertools.product(mounts(), patterns()):
            for path in filled(place + mount + pattern, values):
                if path.endswith("/stream"):
                    continue
                client.request("GET", path, headers=headers)
                answer = client.getresponse()
                text = answer.read().decode("utf-8", "replace")
                yield path, answer.status, text + "".join(f"\n{name}: {value}" for name, value in answer.getheaders())


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
@pytest.mark.parametrize("place", ["", "/w/nope", "/w/secret-custome", "/w/" + WORLD])
def test_without_the_token_no_get_tells_a_name(house, place, accept):
    told, asked = [], 0
    for path, status, text in walk(house, place, Accept=accept, **{"X-Understudy-Explain": "1"}):
        asked += 1
        names = [PERSON, PHONE, SNAPSHOT, "secret-person"] + ([] if WORLD in place else [WORLD])
        if any(name in text for name in names) and not OPEN.match(path):
            told.append((path, status, text[:300]))
    assert asked > 2000
    assert not told, "\n".join(map(str, told[:20]))
