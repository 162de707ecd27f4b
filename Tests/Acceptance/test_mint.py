"""Tokens to order: good ones are accepted, each flaw is refused for the reason that it names; and what else tests ask for.

What a token says is checked by PyJWT and joserfc with the published keys; whether it is accepted, by the platform itself.
"""

import re

import jwt
import pytest
import requests
from joserfc import jwt as jose
from joserfc.jwk import KeySet

from understudy import run, until

FLAWS = {
    "expired": (jwt.ExpiredSignatureError, r"expired \d+ s ago"),
    "not_yet_valid": (jwt.ImmatureSignatureError, r"valid only in \d+ s"),
    "wrong_key": (jwt.InvalidSignatureError, r"signature (of the session token )?is wrong"),
    "unknown_kid": (jwt.PyJWKSetError, r"no key has the id|not a key of this world"),
    "wrong_audience": (jwt.InvalidAudienceError, r"aud is|the audience|whose audience|the token is for"),
    "wrong_issuer": (jwt.InvalidIssuerError, r"\biss\b|elsewhere.invalid"),
    "wrong_type": (TypeError, r"\btyp\b|is not an ID token"),
    "alg_none": (jwt.InvalidAlgorithmError, r"“none” is not accepted"),
    "hs256_public_key": (jwt.InvalidAlgorithmError, r"HS256 is not allowed"),
    "damaged_signature": (jwt.InvalidSignatureError, r"signature (of the session token )?is wrong"),
}
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"
TYPES = {"jwt_access_token": "at+jwt", "nextauth_access_token": "at+jwt", "logout_token": "logout+jwt"}


def mint(world, platform, kind=None, **order):
    return world.control("POST", "/tokens", json={"platform": platform, "kind": kind, **order})


def minted(world, *kind, **order):
    answer = mint(world, *kind, **order)
    assert answer.status_code == 201, answer.text
    return answer.json()


def bearer(url):
    def accept(token):
        return requests.get(url, headers={"Authorization": "Bearer " + token}, timeout=10).ok

    return accept


@pytest.fixture
def party(world):
    """Adds a client that may exchange tokens to the world."""
    fixtures = world.control("GET", "/fixtures").json()
    fixtures["onegini"]["oauth"]["clients"].append(
        {
            "client_id": "party",
            "client_secret": "party-secret",
            "kind": "web",
            "grant_types": ["authorization_code", "refresh_token", EXCHANGE],
            "redirect_uris": ["http://localhost:3000/callback"],
            "scope": "openid profile",
            "default_scope": "openid profile",
        }
    )
    assert world.control("PUT", "/fixtures", json=fixtures).ok
    return "party"


@pytest.fixture
def kinds(world, party, trust):
    """What is minted of each kind, where its keys are, whom it is for, and what the platform makes of it (None: only clients look)."""

    trust.jwt()  # A proof makes the identity active.

    def token_endpoint(**form):
        url = world.url + "/oauth/v1/token"
        return requests.post(url, data=form, auth=(party, party + "-secret"), timeout=10).ok

    def exchange(token):
        kind = "urn:ietf:params:oauth:token-type:id_token"
        return token_endpoint(grant_type=EXCHANGE, subject_token=token, subject_token_type=kind)

    def refresh(token):
        return token_endpoint(grant_type="refresh_token", refresh_token=token)

    def renew(token):
        form = {"grant_type": "refresh_token", "refresh_token": token}
        return requests.post(miracl + "/oidc/token", data=form, auth=("miracl-app", "miracl-secret"), timeout=10).ok

    def quick_code(token):
        body = {"projectId": trust.project, "jwt": token, "deviceName": "other"}
        return requests.post(world.url + "/miracl/verification/quickcode", json=body, timeout=10).ok

    oauth, miracl, hanko = world.url + "/oauth", world.url + "/miracl", world.url + "/hanko"
    user = {"user": "ada", "client": party}
    pin = {"user": trust.user, "client": "miracl-app"}
    return {
        ("hanko", "session"): ({"user": "grace@example.com"}, hanko, ["localhost"], bearer(hanko + "/me")),
        ("hanko", "webhook"): ({}, hanko, ["localhost"], None),
        ("passkeyapi", "login"): (
            {"user": "ada"}, world.url + "/passkeyapi/7a3e1c52-52ab-4b1f-9a54-6f0d3c1b2a10", ["localhost"], None),
        ("onegini", "access_token"): (user, oauth, None, bearer(oauth + "/v1/userinfo")),
        ("onegini", "jwt_access_token"): (user, oauth, oauth, bearer(oauth + "/v1/userinfo")),
        ("onegini", "id_token"): (user, oauth, party, exchange),
        ("onegini", "refresh_token"): (user, oauth, None, refresh),
        ("onegini", "logout_token"): (user, oauth, party, None),
        ("app", "nextauth_access_token"): (
            {"user": "ada@example.com"},
            world.url + "/app",
            world.url + "/app",
            bearer(world.url + "/app/nextauth/me"),
        ),
        ("miracl", "access_token"): (pin, miracl, None, bearer(miracl + "/oidc/userinfo")),
        ("miracl", "jwt_access_token"): (pin, miracl, miracl, bearer(miracl + "/oidc/userinfo")),
        ("miracl", "id_token"): (pin, miracl, "miracl-app", None),
        ("miracl", "refresh_token"): (pin, miracl, None, renew),
        ("miracl", "jwt"): ({"user": trust.user}, miracl, trust.project, quick_code),
        ("miracl", "certificate"): ({}, miracl, None, None),
    }


KEYS = {
    "hanko": "/.well-known/jwks.json",
    "passkeyapi": "/.well-known/jwks.json",
    "onegini": "/v1/keys",
    "miracl": "/oidc/certs",
    "app": "/nextauth/jwks",
}


def check(token, platform, kind, base, audience):
    """As a careful client does it."""
    keys = requests.get(base + KEYS[platform], timeout=10).json()
    header = jwt.get_unverified_header(token)
    if header["alg"] != "RS256":
        raise jwt.InvalidAlgorithmError(header["alg"])
    key = jwt.PyJWKSet.from_dict(keys)
    if not any(one.key_id == header["kid"] for one in key.keys):
        raise jwt.PyJWKSetError(header["kid"])
    options = {"verify_aud": audience is not None}
    claims = jwt.decode(token, key[header["kid"]].key, algorithms=["RS256"], audience=audience, options=options)
    if audience is None and "aud" in claims:
        raise jwt.InvalidAudienceError(claims["aud"])
    names_issuer = platform not in ("hanko", "passkeyapi") and kind != "certificate"
    if claims.get("iss") != (base if names_issuer else None):
        raise jwt.InvalidIssuerError(claims["iss"])
    if header["typ"] != TYPES.get(kind, "JWT"):
        raise TypeError(header["typ"])
    assert jose.decode(token, KeySet.import_key_set(keys), algorithms=["RS256"]).claims == claims
    return claims


def test_every_kind_with_every_flaw(world, kinds):
    listed = world.control("GET", "/tokens").json()
    assert {(kind["platform"], kind["kind"]) for kind in listed["kinds"]} == set(kinds), "a new kind needs its check here"
    assert [flaw["name"] for flaw in listed["flaws"]] == list(FLAWS)
    for kind in listed["kinds"]:
        platform, name = kind["platform"], kind["kind"]
        order, base, audience, accept = kinds[platform, name]
        good = minted(world, platform, name, **order)
        if kind["format"] == "jwt":
            assert check(good["token"], platform, name, base, audience) == good["claims"]
        assert accept is None or accept(good["token"]), (platform, name, world.explanations()[:3])
        for flaw in kind["flaws"]:
            wrong = minted(world, platform, name, flaw=flaw, **order)
            if kind["format"] == "jwt":
                with pytest.raises(FLAWS[flaw][0]):
                    check(wrong["token"], platform, name, base, audience)
            if accept is None:
                continue
            assert not accept(wrong["token"]), (platform, name, flaw)
            refused = world.journal(refused="true", limit=1)[0]
            assert re.search(FLAWS[flaw][1], refused["explanation"]), (platform, name, flaw, refused["explanation"])


def test_a_good_token_is_known_as_if_it_had_been_issued(world, party):
    session = minted(world, "hanko", "session", user="grace@example.com", claims={"role": "admin"}, lifetime=600)
    assert session["claims"]["role"] == "admin"
    assert session["claims"]["exp"] - session["claims"]["iat"] == 600
    user = session["claims"]["sub"]
    listed = requests.get(world.url + f"/hanko-admin/users/{user}/sessions", timeout=10).json()
    assert session["claims"]["session_id"] in [one["id"] for one in listed]
    headers = {"Authorization": "Bearer " + session["token"]}
    assert requests.post(world.url + "/hanko/logout", headers=headers, timeout=10).status_code == 204
    assert requests.get(world.url + "/hanko/me", headers=headers, timeout=10).status_code == 401

    order = {"user": "ada", "client": "web-app", "scope": "openid accounts:read", "lifetime": 60}
    access = minted(world, "oauth", "jwt_access_token", claims={"tier": "gold"}, **order)

    def introspected():
        return requests.post(
            world.url + "/oauth/introspect",
            data={"token": access["token"]},
            auth=("resource-gateway", "resource-gateway-secret"),
            timeout=10,
        ).json()

    told = introspected()
    assert told["active"] and told["sub"] == "ada" and told["scope"] == "openid accounts:read" and told["tier"] == "gold"
    revoked = requests.post(
        world.url + "/oauth/v1/revoke", data={"token": access["token"]}, auth=("web-app", "web-app-secret"), timeout=10
    )
    assert revoked.ok and introspected() == {"active": False}
    assert [entry["subject"] for entry in world.journal(user="ada") if entry.get("event") == "token minted"] == ["ada"]


def test_another_key_of_the_platform_signs(world):
    keys = requests.get(world.url + "/hanko/.well-known/jwks.json", timeout=10).json()["keys"]
    for key in keys:
        token = minted(world, "hanko", "session", user="grace@example.com", key=key["kid"])
        assert token["header"]["kid"] == key["kid"]
        assert bearer(world.url + "/hanko/me")(token["token"])


@pytest.mark.parametrize(
    "order, status, words",
    [
        ({"platform": "nobody"}, 404, "tokens are minted for"),
        ({"platform": "powerauth"}, 404, "signs no tokens"),
        ({"platform": "nextauth"}, 404, "signs no tokens"),
        ({}, 400, "hanko"),
        ({"platform": "hanko"}, 400, "session"),
        ({"platform": "hanko", "kind": "id_token"}, 404, "only session, webhook"),
        ({"platform": "hanko", "kind": "session"}, 422, '“user” is missing'),
        ({"platform": "hanko", "kind": "session", "user": "nobody"}, 404, "grace@example.com"),
        ({"platform": "hanko", "kind": "session", "user": "grace@example.com", "client": "x"}, 422, "leave"),
        ({"platform": "hanko", "kind": "session", "user": "grace@example.com", "key": "x"}, 404, "no key"),
        ({"platform": "hanko", "kind": "session", "user": "grace@example.com", "claims": {"sub": 1}}, 422, "“sub”"),
        ({"platform": "hanko", "kind": "session", "user": "grace@example.com", "flaw": "rotten"}, 400, "wrong_key"),
        ({"platform": "hanko", "kind": "session", "user": "grace@example.com", "lifetime": 0}, 400, "whole seconds"),
        ({"platform": "onegini", "kind": "id_token", "user": "ada", "client": "shop"}, 404, "web-app"),
        ({"platform": "onegini", "kind": "id_token", "user": "eve", "client": "web-app"}, 404, "grace"),
        ({"platform": "onegini", "kind": "id_token", "user": "ada", "client": "web-app", "scope": "x"}, 422, "x"),
        ({"platform": "onegini", "kind": "refresh_token", "user": "ada", "client": "portal"}, 422, "no refresh tokens"),
        ({"platform": "onegini", "kind": "access_token", "client": "web-app", "flaw": "alg_none"}, 422, "only expired"),
        ({"platform": "onegini", "kind": "access_token", "client": "web-app", "claims": {"a": 1}}, 422, "opaque"),
        ({"platform": "miracl", "kind": "jwt", "user": "nobody"}, 404, "no user"),
    ],
)
def test_a_refused_order_names_what_there_is_and_changes_nothing(world, order, status, words):
    before = world.control("GET", "/fixtures").json()
    answer = world.control("POST", "/tokens", json=order)
    assert answer.status_code == status, answer.text
    assert words in answer.json()["detail"], answer.text
    assert world.control("GET", "/fixtures").json() == before


def test_the_command_prints_the_token_and_nothing_else(world):
    order = ("mint", "hanko", "session", "--user", "grace@example.com", "--claim", "role=admin", "--claim", "level=3")
    made = run(*order, "--lifetime", "10m", url=world.url)
    assert made.returncode == 0, made.stderr
    assert bearer(world.url + "/hanko/me")(made.stdout.strip())
    claims = jwt.decode(made.stdout.strip(), options={"verify_signature": False})
    assert (claims["role"], claims["level"], claims["exp"] - claims["iat"]) == ("admin", 3, 600)
    wrong = run(*order, "--flaw", "expired", url=world.url)
    assert wrong.returncode == 0 and "expired" not in wrong.stdout and "has expired" in wrong.stderr
    unknown = run("mint", "hanko", "session", "--user", "nobody", url=world.url)
    assert unknown.returncode == 1 and f"world {world.name}: There is no user" in unknown.stderr
    assert run("mint", "hanko", "session", "--lifetime", "soon", url=world.url).returncode == 2


def test_the_world_is_told_by_the_path_of_the_address(world, server):
    order = ("clock", "show")
    assert f"in the world {world.name}" in run(*order, url=world.url).stdout
    assert f"in the world {world.name}" in run(*order, "--world", world.name, url=server.url).stdout
    assert "in the world" not in run(*order, "--world", "default", url=world.url).stdout, "the command line counts more"
    both = run(*order, "--url", world.url, "--world", "other")
    assert both.returncode == 2 and "other" in both.stderr and world.name in both.stderr


def test_a_code_is_an_answer_until_it_is_used_or_over(world):
    client = requests.Session()
    base = world.url + "/hanko"
    user = client.post(base + "/users", json={"email": "once@example.com"}, timeout=10).json()["user_id"]

    def passcode():
        return client.post(base + "/passcode/login/initialize", json={"user_id": user}, timeout=10).json()["id"]

    def code(**query):
        return world.control("GET", "/codes", params={"to": "once@example.com", **query})

    first = passcode()
    found = code().json()
    done = client.post(base + "/passcode/login/finalize", json={"id": first, "code": found["code"]}, timeout=10)
    assert done.ok
    gone = code(wait=0.2)
    assert gone.status_code == 404 and "was used up at" in gone.json()["detail"], gone.text
    assert code(used="true").json()["usedAt"] and code(used="true").json()["code"] == found["code"]
    missed = run("code", "once@example.com", url=world.url)
    assert missed.returncode == 1 and "used up" in missed.stderr
    assert run("code", "once@example.com", "--used", url=world.url).stdout.strip() == found["code"]

    passcode()
    fresh = code(after=found["id"]).json()
    assert run("code", "once@example.com", "--after", str(found["id"]), url=world.url).stdout.strip() == fresh["code"]
    world.advance(301)
    late = code()
    assert late.status_code == 404 and "expired at" in late.json()["detail"]


def test_the_journal_is_asked_for_a_user(world):
    token = minted(world, "hanko", "session", user="grace@example.com")
    requests.get(world.url + "/hanko/me", headers={"Authorization": "Bearer " + token["token"]}, timeout=10)
    requests.get(world.url + "/hanko/me", timeout=10)
    about = world.journal(user=token["claims"]["sub"].upper(), kind="request")
    assert [entry["exchange"]["status"] for entry in about] == [200]
    assert world.journal(user="nobody") == []


def test_the_log_says_why(start):
    server = start("--log", "text")
    requests.get(server.url + "/hanko/me", timeout=10)
    requests.get(server.url + "/hanko/health/alive", timeout=10)
    lines = until(lambda: (found := server.errors.read_text().splitlines())[2:] and found, "three lines")
    refused = next(number for number, line in enumerate(lines) if " 401 GET " in line)
    assert lines[refused + 1].startswith("    The request carries no session"), lines
    assert " 200 GET " in lines[refused + 2], lines
