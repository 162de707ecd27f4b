"""The same login where the fixtures ask for it differently: a cookie instead of a header, the original's strictness."""

import json
import re

import requests

from understudy import Client


def overlay(folder, section):
    """Options that lay a section for Hanko over the built-in fixtures."""
    file = folder / "overlay.json"
    file.write_text(json.dumps({"hanko": section}))
    return "--fixtures", "default", "--fixtures", file


def test_a_browser_gets_its_session_as_a_cookie(start, tmp_path):
    server = start(*overlay(tmp_path, {"config": {"session": {"enable_auth_token_header": False}}}))
    world = server.default_world
    client = Client(world.hanko)
    passcode = client.start(client.sign_up("browser@example.com"))
    finished = client.finish(passcode, world.code("browser@example.com")["code"])

    assert "X-Auth-Token" not in finished.headers
    cookie = finished.headers["Set-Cookie"]
    assert re.fullmatch(r"hanko=[\w-]+\.[\w-]+\.[\w-]+; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict", cookie)
    me = requests.get(world.hanko + "/me", headers={"Cookie": cookie.split(";")[0]}, timeout=30)
    assert me.status_code == 200

    out = requests.post(world.hanko + "/logout", headers={"Cookie": cookie.split(";")[0]}, timeout=30)
    assert out.status_code == 204
    assert re.match(r"hanko=(\"\")?; Path=/; Max-Age=0", out.headers["Set-Cookie"])


def test_the_strict_profile_needs_the_cookie_of_the_address(start, tmp_path):
    server = start(*overlay(tmp_path, {"strict_pending_address": True}))
    world = server.default_world
    client = Client(world.hanko)
    created = client.post("/users", {"email": "strict@example.com"})
    user = created.json()["user_id"]

    without = client.post("/passcode/login/initialize", {"user_id": user})
    assert (without.status_code, without.json()) == (500, {"code": 500, "message": "Internal Server Error"})
    assert world.explanations(status=500)
    cookie = created.headers["Set-Cookie"]
    assert cookie == f"hanko_email_id={created.json()['email_id']}; HttpOnly; Secure; SameSite=None"
    given = client.post("/passcode/login/initialize", {"user_id": user}, headers={"Cookie": cookie.split(";")[0]})
    assert given.status_code == 200


def test_with_mfa_on_the_passcode_endpoints_do_not_exist(start, tmp_path):
    server = start(*overlay(tmp_path, {"config": {"mfa": {"enabled": True}}}))
    client = Client(server.default_world.hanko)
    user = client.sign_up("mfa@example.com")

    lost = client.post("/passcode/login/initialize", {"user_id": user})
    assert (lost.status_code, lost.json()) == (404, {"code": 404, "message": "Not Found"})
    assert any("mfa" in sentence.lower() for sentence in server.default_world.explanations(status=404))


def test_a_page_of_an_allowed_origin_may_read_the_answer_and_no_other(hanko):
    def asked(origin):
        return requests.get(hanko.base + "/.well-known/config", headers={"Origin": origin}, timeout=30)

    allowed = asked("http://localhost:8888")
    assert allowed.headers["Access-Control-Allow-Origin"] == "http://localhost:8888"
    assert allowed.headers["Access-Control-Allow-Credentials"] == "true"
    assert "X-Auth-Token" in allowed.headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Origin" not in asked("https://attacker.example").headers

    preflight = requests.options(
        hanko.base + "/users", timeout=30,
        headers={"Origin": "http://localhost:8888", "Access-Control-Request-Method": "POST",
                 "Access-Control-Request-Headers": "content-type,x-own"})
    assert preflight.status_code == 204
    assert preflight.headers["Access-Control-Allow-Headers"].lower() == "content-type,x-own"
    assert preflight.headers["Access-Control-Max-Age"] == "7200"


def test_the_cast_is_in_its_telling_states(world, hanko):
    states = {name: hanko.post("/user", {"email": f"{name}@example.com"}).status_code
              for name in ("ada", "grace", "linus", "margaret")}
    assert states == {"ada": 200, "grace": 200, "linus": 200, "margaret": 404}
