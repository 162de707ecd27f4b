"""Worlds never meet, and can be reached by path and by host name."""

import threading

import requests

from understudy import CONTROL, Client, until


def test_what_happens_in_one_world_is_unknown_in_another(make_world):
    blue, green = make_world(), make_world()
    in_blue, in_green = Client(blue.hanko), Client(green.hanko)

    token = in_blue.log_in(blue, "same@example.com")
    assert in_blue.post("/user", {"email": "same@example.com"}).status_code == 200
    assert in_green.post("/user", {"email": "same@example.com"}).status_code == 404
    assert green.messages() == []
    assert in_green.get("/me", token).status_code == 401

    blue.advance(100)
    assert blue.get("/clock")["now"] > green.get("/clock")["now"]


def test_a_reset_world_is_as_it_was_made(world, hanko):
    hanko.log_in(world, "gone@example.com")

    reset = requests.post(world.url.split("/w/")[0] + CONTROL + f"/worlds/{world.name}/reset", timeout=30)
    assert reset.ok, reset.text
    assert hanko.post("/user", {"email": "gone@example.com"}).status_code == 404
    assert world.messages() == []


def test_an_unknown_world_names_those_that_exist(server, world):
    lost = requests.get(server.url + "/w/nowhere/hanko/.well-known/config", timeout=30)
    assert lost.status_code == 404
    assert lost.headers["Content-Type"].startswith("application/problem+json")
    assert "default" in lost.json()["detail"] and world.name in lost.json()["detail"]


def test_a_name_that_is_taken_is_not_given_twice(server, world):
    again = requests.post(server.url + CONTROL + "/worlds", json={"name": world.name}, timeout=30)
    assert again.status_code == 409
    assert world.name in again.json()["detail"]


def test_a_platform_answers_at_the_root_of_its_host_name(server, world):
    port = server.address[1]
    by_path = requests.get(server.url + "/hanko/.well-known/config", timeout=30)
    by_name = requests.get(
        server.url + "/.well-known/config", headers={"Host": f"hanko.localhost:{port}"}, timeout=30)
    assert by_name.status_code == 200
    assert by_name.json() == by_path.json()

    in_world = requests.post(
        server.url + "/users", json={"email": "host@example.com"},
        headers={"Host": f"{world.name}--hanko.localhost:{port}"}, timeout=30)
    assert in_world.status_code == 200
    again = requests.post(world.hanko + "/users", json={"email": "host@example.com"}, timeout=30)
    assert again.json()["email_id"] == in_world.json()["email_id"]


def test_the_same_seed_draws_the_same_codes(make_world):
    def story(world):
        client = Client(world.hanko)
        user = client.sign_up("seed@example.com")
        client.start(user)
        return user, world.code("seed@example.com")["code"]

    first, second, other = (story(make_world(seed=seed)) for seed in (7, 7, 8))
    assert first == second
    assert first[0] != other[0]


def test_a_waiting_call_returns_when_the_mail_is_sent_and_not_before(world, hanko):
    user = hanko.sign_up("wait@example.com")
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(world.code("wait@example.com", wait=30)))
    waiting.start()
    until(lambda: requests.get(world.url + CONTROL + "/health", timeout=5).ok, "another answer meanwhile")
    assert answers == []

    hanko.start(user)
    waiting.join(timeout=10)
    assert answers and answers[0]["to"] == "wait@example.com"
