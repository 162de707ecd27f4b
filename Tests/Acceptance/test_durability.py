"""With --data, what was acknowledged is there after the hardest end."""

import os
import threading

import requests

from understudy import Client


def test_what_was_acknowledged_survives_a_kill(start, tmp_path):
    server = start("--data", tmp_path / "data", "--seed", "1")
    for turn in range(4):
        address = f"turn{turn}@example.com"
        client = Client(server.default_world.hanko)
        user = client.sign_up(address)
        passcode = client.start(user)
        server.kill()

        server.start()
        client = Client(server.default_world.hanko)
        code = server.default_world.code(address)["code"]
        finished = client.finish(passcode, code)
        token = finished.headers.get("X-Auth-Token") or finished.cookies["hanko"]
        server.kill()

        server.start()
        client = Client(server.default_world.hanko)
        me = client.get("/me", token)
        assert me.status_code == 200 and me.json()["id"] == user
    known = [client.post("/user", {"email": f"turn{turn}@example.com"}).status_code for turn in range(4)]
    assert known == [200] * 4


def test_a_kill_amid_many_writers_loses_nothing_acknowledged(start, tmp_path):
    server = start("--data", tmp_path / "data")
    client = Client(server.default_world.hanko)
    acknowledged = [[] for _ in range(4)]
    enough = threading.Event()

    def sign_up(number):
        try:
            for count in range(10_000):
                address = f"writer{number}.{count}@example.com"
                client.start(client.sign_up(address))
                acknowledged[number].append(address)
                if count == 25:
                    enough.set()
        except Exception:
            return  # The server is gone, as it should be.

    writers = [threading.Thread(target=sign_up, args=[number]) for number in range(4)]
    for writer in writers:
        writer.start()
    assert enough.wait(timeout=30)
    server.kill()
    for writer in writers:
        writer.join()

    server.start()
    world = server.default_world
    for address in (address for addresses in acknowledged for address in addresses):
        assert world.messages(to=address), address


def test_worlds_and_their_clocks_are_there_after_a_restart(start, tmp_path):
    server = start("--data", tmp_path / "data")
    assert server.default_world.control("POST", "/worlds", json={"name": "kept"}).status_code == 201
    kept = lambda: type(server.default_world)("kept", server.url + "/w/kept")  # noqa: E731
    token = Client(kept().hanko).log_in(kept(), "kept@example.com")
    kept().advance(3600)
    server.kill()

    server.start()
    assert Client(kept().hanko).get("/me", token).status_code == 200
    kept().advance(43200 - 3600)
    assert Client(kept().hanko).get("/me", token).status_code == 401


def test_what_is_no_file_hides_nothing_and_hangs_nobody(start, tmp_path):
    folder = tmp_path / "data"
    server = start("--data", folder)
    api = server.url + "/_understudy/v1"
    assert requests.post(api + "/snapshots", json={"name": "good"}, timeout=10).status_code == 201
    server.kill()
    os.mkfifo(folder / "pipe.sqlite")
    os.mkfifo(folder / "snapshots/default/still.sqlite")
    (folder / "snapshots/default/torn.sqlite").write_bytes(b"SQLite format 3\0" + b"\0" * 5000)

    server.start()
    refused = requests.get(server.url + "/w/pipe/hanko/.well-known/jwks.json", timeout=10)
    assert refused.status_code == 503, refused.text
    assert "pipe.sqlite is not a file" in refused.text
    api = server.url + "/_understudy/v1"
    listed = requests.get(api + "/snapshots", timeout=10).json()
    assert [snapshot["name"] for snapshot in listed["snapshots"]] == ["good"]
    reasons = {snapshot["name"]: snapshot["reason"] for snapshot in listed["damaged"]}
    assert reasons["still"].endswith("still.sqlite is not a file.")
    assert reasons["torn"] == "it is damaged, or not a SQLite file."
    page = requests.get(server.url + "/snapshots", timeout=10).text
    assert "Cannot be used: it is damaged, or not a SQLite file." in page
    assert requests.post(api + "/snapshots/still/restore", timeout=10).status_code == 422
    for name in reasons:
        assert requests.delete(f"{api}/snapshots/{name}", timeout=10).status_code == 204
    assert "damaged" not in requests.get(api + "/snapshots", timeout=10).json()
