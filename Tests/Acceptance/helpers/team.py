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
    user = ask(world.urls["hanko"] + "/users", {"email": "you@example.test"})["user_id"]
    passcode = ask(world.urls["hanko"] + "/passcode/login/initialize", {"user_id": user})["id"]
    code = world.code("you@example.test")
    assert [mail["code"] for mail in world.outbox()] == [code]
    assert world.message("you@example.test")["kind"] == "passcode"
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
    assert world.fault(name="down", match={"platform": "hanko"}, answer={"status": 503}) == "down"
    with pytest.raises(urllib.error.HTTPError, match="503"):
        ask(world.urls["hanko"] + "/users", {"email": "you@example.test"})
    world.clear_faults()
    assert ask(world.urls["hanko"] + "/users", {"email": "you@example.test"})["user_id"]
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


def test_fails(world):
    ask(world.urls["hanko"] + "/passcode/login/initialize", {"user_id": "1cd5f0de-0000-4000-8000-000000000000"})
