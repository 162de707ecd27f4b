"""Tests of a team, with the helper for Python."""

import json
import urllib.error
import urllib.request

import pytest

from understudy import Problem


def ask(url, body, **headers):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", **headers})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@pytest.mark.parametrize("turn", range(4))
def test_logs_in_alone(world, turn):
    user = ask(world.urls["hanko"] + "/users", {"email": "you@example.com"})["user_id"]
    passcode = ask(world.urls["hanko"] + "/passcode/login/initialize", {"user_id": user})["id"]
    code = world.code("you@example.com")
    assert [mail["code"] for mail in world.outbox()] == [code]
    assert world.message("you@example.com")["kind"] == "passcode"
    world.snapshot("asked")
    world.advance(301)
    with pytest.raises(urllib.error.HTTPError, match="408"):
        ask(world.urls["hanko"] + "/passcode/login/finalize", {"id": passcode, "code": code})
    assert "expired" in world.refusals()[-1]
    world.restore("asked")
    assert ask(world.urls["hanko"] + "/passcode/login/finalize", {"id": passcode, "code": code})["id"] == passcode
    assert "passcode accepted" in world.flow()


def test_messages_of_a_back_end(world):
    assert world.send_text("+14155550100", "Your code is 482913", from_="Shop")["code"] == "482913"
    assert world.code("+14155550100") == "482913"
    world.send_text("+14155550101", "Hello")
    whole = world.latest(to="+14155550100", explain=1)
    assert [found["code"] for found in whole["codes"]] == ["482913"] and whole["explanation"][0]["isCode"]
    world.clear_outbox("+14155550100")
    assert [message["text"] for message in world.outbox()] == ["Hello"]
    world.clear_outbox()
    assert world.outbox() == []


def test_things_go_wrong_and_come_right(world):
    assert world.fault("down", {"platform": "hanko"}, answer={"status": 503}) == "down"
    with pytest.raises(urllib.error.HTTPError, match="503"):
        ask(world.urls["hanko"] + "/users", {"email": "you@example.com"})
    world.clear_faults()
    assert ask(world.urls["hanko"] + "/users", {"email": "you@example.com"})["user_id"]
    with pytest.raises(Problem, match="404 Not Found"):
        world.restore("never-saved")


def test_the_clock_is_set_and_worlds_begin_where_they_are_told(world, understudy):
    world.set_clock(now="2026-03-04T10:15:00Z", frozen=True)
    assert world.call("GET", "/clock")["now"].startswith("2026-03-04T10:15:00")
    world.snapshot("then")
    later = understudy.world(from_={"world": world.name, "snapshot": "then"})
    assert later.call("GET", "/clock")["now"].startswith("2026-03-04T10:15:00")
    later.delete()


def test_a_phone_answers(world):
    cloud = world.urls["powerauth-cloud"]
    back_office = {"Authorization": "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0"}
    ada = world.phone("ada")
    ada.enrol(platform="powerauth")
    assert ada.pending() == []
    ask(cloud + "/v2/operations", {"template": "login", "userId": "ada"}, **back_office)
    with pytest.raises(Problem) as refusal:
        ada.approve(with_="wrong-pin")
    assert refusal.value.status == 422 and "PIN" in refusal.value.detail
    assert ada.approve()["kind"] == "approved"
    ask(cloud + "/v2/operations", {"template": "login", "userId": "ada"}, **back_office)
    assert ada.decline(reason="UNKNOWN")["kind"] == "declined"
    assert "X-PowerAuth-Authorization" in ada.sign(method="POST", uriId="/login", body="{}")
    eva = world.add_phone("eva", owner="eva", model="android")
    eva.set(network="offline")
    with pytest.raises(Problem):
        eva.scan("ACTIV-ATION-CODEA-BCDEF")
    with pytest.raises(Problem, match="not enrolled"):
        eva.begin("applogin", "nextauth")


def test_what_platforms_keep(world):
    ada = world.phone("ada")
    ada.enrol(platform="powerauth")
    back_office = {"Authorization": "Basic YmFjay1vZmZpY2U6YmFjay1vZmZpY2Utc2VjcmV0"}
    ask(world.urls["powerauth-cloud"] + "/v2/operations", {"template": "login", "userId": "ada"}, **back_office)
    waiting, = world.transactions(user="ada", open=True)
    assert "approve" in waiting["actions"] and world.decide(waiting["id"], "approve")["state"] == "APPROVED"
    device, = world.records(platform="powerauth", user="ada")
    assert world.change_record("powerauth", device["id"], "block", reason="LOST")["state"] == "BLOCKED"
    assert world.add_record("powerauth", "registration", user="eva", application="my-app")["state"] == "CREATED"
    session = world.mint("hanko", "session", user="ada@example.com")
    assert session["token"].count(".") == 2 and session["claims"]["email"]["address"] == "ada@example.com"


def test_a_mail_is_whole(world):
    user = ask(world.urls["hanko"] + "/users", {"email": "you@example.com"})["user_id"]
    ask(world.urls["hanko"] + "/passcode/login/initialize", {"user_id": user})
    mail = world.mail("you@example.com")
    assert mail["code"] in mail["html"] and mail["code"] in mail["text"] and mail["to"]["address"] == "you@example.com"


@pytest.mark.parametrize("form", [dict, str])
def test_passkeys_without_a_browser(world, form):
    ada, origin = world.authenticator("ada"), "https://login.example.com"
    read = json.loads if form is str else lambda answer: answer
    write = json.dumps if form is str else lambda options: options
    creation = write({"rp": {"id": "example.com", "name": "Example"}, "user": {"id": "YWRh", "name": "ada", "displayName": "Ada"},
                      "challenge": "MDEyMzQ1Njc4OWFiY2RlZg", "pubKeyCredParams": [{"type": "public-key", "alg": -7}]})
    request = write({"rpId": "example.com", "challenge": "MDEyMzQ1Njc4OWFiY2RlZg"})
    with pytest.raises(Problem, match="NotAllowedError"):
        ada.get(request, origin=origin)
    made = read(ada.create(creation, origin=origin))
    ada.set(origin=origin, behaviour={"userHandleForm": "text"})
    used = read(ada.get(request))
    assert used["id"] == made["id"] and used["response"]["userHandle"] == "ada"
    world.phone("ada").set(policy="decline")
    with pytest.raises(Problem, match="The person declined"):
        ada.get(request)


def test_fails(world):
    ask(world.urls["hanko"] + "/passcode/login/initialize", {"user_id": "1cd5f0de-0000-4000-8000-000000000000"})
