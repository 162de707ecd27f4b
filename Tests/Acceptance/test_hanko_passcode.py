"""The passcode login of Hanko's guide for mobile apps, by clients that are not ours.

Source: Hanko documentation, “Mobile” guide; API description of the public API 1.2.0.
"""

import uuid
from datetime import datetime

import jwt
import pytest
import requests

from understudy import token_of


def test_the_guide_step_by_step(world, hanko):
    # 1. Is the address known?
    looked_up = hanko.post("/user", {"email": "newcomer@example.com"})
    assert looked_up.status_code == 404
    assert looked_up.json() == {"code": 404, "message": "Not Found"}

    # 2. No: create the user.
    created = hanko.post("/users", {"email": "Newcomer@example.com"})
    assert created.status_code == 200
    user = created.json()["id"]
    assert user == created.json()["user_id"] == str(uuid.UUID(user))

    # 3. Have a passcode sent. The guide knows the user's id and nothing else.
    started = hanko.post("/passcode/login/initialize", {"user_id": user})
    assert started.status_code == 200
    assert started.json()["ttl"] == 300
    assert datetime.fromisoformat(started.json()["created_at"]).utcoffset().total_seconds() == 0

    code = world.code("newcomer@example.com")
    assert code["kind"] == "passcode"
    assert len(code["code"]) == 6 and code["code"].isdecimal()

    # 4. Type it.
    finished = hanko.post("/passcode/login/finalize", {"id": started.json()["id"], "code": code["code"]})
    assert finished.json()["id"] == started.json()["id"]
    assert finished.headers["X-Session-Lifetime"] == "43200"
    token = token_of(finished)

    me = hanko.get("/me", token)
    assert me.status_code == 200
    assert me.json()["id"] == user

    # From now on the address is known.
    again = hanko.post("/user", {"email": "newcomer@example.com"})
    assert again.json() == {
        "id": user, "email_id": created.json()["email_id"], "verified": True, "has_webauthn_credential": False}


def test_pyjwt_verifies_the_token_through_our_jwks(world, hanko):
    token = hanko.log_in(world, "verify@example.com")

    keys = jwt.PyJWKClient(world.hanko + "/.well-known/jwks.json")
    key = keys.get_signing_key_from_jwt(token)
    claims = jwt.decode(
        token, key, algorithms=["RS256"], audience="localhost",
        options={"require": ["sub", "iat", "exp", "aud", "session_id"]})
    assert claims["sub"] == hanko.get("/me", token).json()["id"]
    assert claims["exp"] - claims["iat"] == 43200
    assert claims["email"] == {"address": "verify@example.com", "is_primary": True, "is_verified": True}
    with pytest.raises(jwt.InvalidAudienceError):
        jwt.decode(token, key, algorithms=["RS256"], audience="somebody.else")


def test_a_token_with_one_changed_letter_is_refused(world, hanko):
    token = hanko.log_in(world, "letter@example.com")
    head, claims, signature = token.split(".")
    changed = ".".join([head, claims, ("A" if signature[0] != "A" else "B") + signature[1:]])

    refused = hanko.get("/me", changed)
    assert refused.status_code == 401
    assert refused.json() == {"code": 401, "message": "Unauthorized"}
    assert world.explanations(status=401, path="/me")


def test_the_third_wrong_code_is_the_last(world, hanko):
    passcode = hanko.start(hanko.sign_up("typo@example.com"))
    right = world.code("typo@example.com")["code"]
    wrong = "000000" if right != "000000" else "000001"

    answers = [hanko.finish(passcode, wrong) for _ in range(3)]
    assert [(answer.status_code, answer.json()["message"]) for answer in answers] == [
        (401, "Unauthorized"), (401, "Unauthorized"), (410, "max attempts reached")]
    too_late = hanko.finish(passcode, right)
    assert (too_late.status_code, too_late.json()["message"]) == (401, "passcode not found")

    told = world.explanations(path="/passcode/login/finalize")
    assert len(told) == 4, told
    assert all(len(sentence.split()) > 3 for sentence in told), told


def test_a_passcode_expires_by_the_clock_of_its_world(world, hanko):
    passcode = hanko.start(hanko.sign_up("late@example.com"))
    code = world.code("late@example.com")["code"]

    world.advance(301)
    late = hanko.finish(passcode, code)
    assert (late.status_code, late.json()["message"]) == (408, "passcode request timed out")
    assert world.explanations(status=408)


def test_a_session_expires_by_the_clock_of_its_world(world, hanko):
    token = hanko.log_in(world, "session@example.com")
    assert hanko.get("/me", token).status_code == 200

    world.advance(43201)
    assert hanko.get("/me", token).status_code == 401


def test_the_fourth_passcode_in_a_minute_is_refused(world, hanko):
    user = hanko.sign_up("eager@example.com")
    answers = [hanko.post("/passcode/login/initialize", {"user_id": user}) for _ in range(4)]

    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert [answer.headers["X-RateLimit-Remaining"] for answer in answers] == ["2", "1", "0", "0"]
    assert answers[3].json() == {"code": 429, "message": "Too Many Requests"}
    assert answers[3].headers["Retry-After"] == answers[3].headers["X-RateLimit-Reset"]

    world.advance(61)
    assert hanko.post("/passcode/login/initialize", {"user_id": user}).status_code == 200


def test_after_logging_out_the_token_is_worth_nothing(world, hanko):
    token = hanko.log_in(world, "bye@example.com")
    bearer = {"Authorization": "Bearer " + token}

    assert hanko.post("/logout", headers=bearer).status_code == 204
    assert hanko.get("/me", token).status_code == 401
    assert hanko.post("/sessions/validate", {"session_token": token}).json() == {"is_valid": False}


def test_the_session_cookie_is_accepted_like_the_token(world, hanko):
    token = hanko.log_in(world, "cookie@example.com")

    me = requests.get(world.hanko + "/me", headers={"Cookie": "theme=dark; hanko=" + token}, timeout=30)
    assert me.status_code == 200


@pytest.mark.parametrize(
    "body, status",
    [
        (b"{", 400), (b"[]", 400), (b'{"email": 5}', 400), (b'{"email": "nobody"}', 400), (b"{}", 400),
        (b'{"email": "\xff@example.com"}', 400), (b"", 400),
    ])
def test_what_is_no_address_is_refused_in_hankos_own_shape(hanko, body, status):
    refused = requests.post(
        hanko.base + "/user", data=body, headers={"Content-Type": "application/json"}, timeout=30)
    assert refused.status_code == status
    assert set(refused.json()) == {"code", "message"}


def test_a_body_that_is_not_called_json_is_refused(hanko):
    refused = requests.post(
        hanko.base + "/user", data='{"email": "a@example.com"}', headers={"Content-Type": "text/plain"}, timeout=30)
    assert refused.status_code == 415


def test_what_another_world_gave_out_is_known_by_its_world(make_world):
    blue, red = make_world(), make_world()
    user = requests.post(blue.hanko + "/user", json={"email": "grace@example.com"}, timeout=30).json()["id"]
    passcode = requests.post(blue.hanko + "/passcode/login/initialize", json={"user_id": user}, timeout=30).json()["id"]
    code = blue.code("grace@example.com")["code"]
    lost = requests.post(red.hanko + "/passcode/login/finalize", json={"id": passcode, "code": code}, timeout=30)
    assert lost.status_code == 401
    assert f"it is one of the world “{blue.name}”" in red.explanations(path="finalize")[0]

    session = requests.post(blue.hanko + "/passcode/login/finalize", json={"id": passcode, "code": code}, timeout=30)
    token = session.headers["X-Auth-Token"]
    assert requests.get(blue.hanko + "/me", headers={"Authorization": f"Bearer {token}"}, timeout=30).status_code == 200
    refused = requests.get(red.hanko + "/me", headers={"Authorization": f"Bearer {token}"}, timeout=30)
    assert refused.status_code == 401
    assert f"it is one of the world “{blue.name}”" in red.explanations(path="/me")[0]
    # What a world used up itself is none of another one.
    again = requests.post(blue.hanko + "/passcode/login/finalize", json={"id": passcode, "code": code}, timeout=30)
    assert again.status_code == 401 and "it was used" in blue.explanations(path="finalize")[0]
