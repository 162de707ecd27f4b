"""Snapshots: a world goes back to a moment, from test suites and by hand, and a file takes it elsewhere."""

import sqlite3

import requests

from understudy import CONTROL, Client, World, run


def session_works(hanko, token):
    return hanko.get("/me", token).status_code == 200


def test_a_login_is_made_once_and_gone_back_to_before_each_test(world, hanko):
    token = hanko.log_in(world, "once@example.com")
    assert world.control("POST", "/snapshots", json={"name": "logged-in"}).status_code == 201
    for _ in range(3):
        hanko.sign_up("other@example.com")
        world.advance(13 * 3600)
        assert not session_works(hanko, token)
        assert world.control("POST", "/snapshots/logged-in/restore").status_code == 204
        assert session_works(hanko, token)
        assert requests.post(f"{world.hanko}/user", json={"email": "other@example.com"}, timeout=30).status_code == 404
    assert world.journal(kind="event", limit=1)[0]["event"] == "snapshot restored"
    assert len(world.journal(kind="request", limit=500)) > 12, "the journal tells all of it"


def test_many_worlds_go_on_from_one_login(world, hanko, make_world):
    token = hanko.log_in(world, "shared@example.com")
    world.control("POST", "/snapshots", json={"name": "base"})
    origin = {"world": world.name, "snapshot": "base"}
    worlds = [make_world(**{"from": origin}) for _ in range(5)]
    for one in worlds:
        assert session_works(Client(one.hanko), token)
    worlds[0].advance(13 * 3600)
    assert not session_works(Client(worlds[0].hanko), token)
    assert session_works(Client(worlds[1].hanko), token)


def test_a_program_of_another_machine_takes_the_file(start, tmp_path):
    first, second = start("--seed", 7), start("--data", tmp_path / "data")
    hanko = Client(first.default_world.hanko)
    token = hanko.log_in(first.default_world, "travels@example.com")
    saved = run("snapshot", "save", "moment", url=first.url)
    assert saved.stdout == "moment\n", saved.stderr
    file = tmp_path / "moment.sqlite"
    assert run("snapshot", "export", "moment", file, url=first.url).stdout == f"wrote {file}\n"
    with sqlite3.connect(file) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)

    assert not session_works(Client(second.default_world.hanko), token), "signed with a key that is not here"
    assert run("snapshot", "import", "arrived", file, url=second.url).returncode == 0
    assert run("snapshot", "restore", "arrived", url=second.url).stdout == "restored default to arrived\n"
    assert session_works(Client(second.default_world.hanko), token), "its key and its session have arrived"
    assert second.default_world.messages(to="travels@example.com")
    second.kill()
    second.start()
    assert "arrived" in run("snapshot", url=second.url).stdout
    made = run("world", "create", "next", "--from", "default/arrived", url=second.url)
    assert made.returncode == 0, made.stderr
    assert World("next", second.url + "/w/next").messages(to="travels@example.com")
    assert session_works(Client(World("next", second.url + "/w/next").hanko), token)


def test_the_command_line_tells_what_went_wrong(server, tmp_path):
    nothing = run("snapshot", "restore", "never", url=server.url)
    assert nothing.returncode == 1
    assert 'The world “default” has no snapshot “never”' in nothing.stderr
    file = tmp_path / "no.sqlite"
    file.write_text("hello")
    wrong = run("snapshot", "import", "x", file, url=server.url)
    assert wrong.returncode == 1 and "The snapshot cannot be used" in wrong.stderr
    assert run("snapshot", "import", "x", tmp_path / "none", url=server.url).returncode == 1
    assert run("world", "create", "y", "--from", "default", url=server.url).returncode == 2
    assert run("snapshot", "list", "--world", "default", url=server.url).stdout.startswith("No snapshots yet.")
    answer = requests.put(f"{server.url}{CONTROL}/snapshots/x/file", data=b"x" * 65 * 1024 * 1024, timeout=60)
    assert answer.status_code == 413
