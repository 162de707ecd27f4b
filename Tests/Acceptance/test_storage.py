"""The place where worlds are kept: full, read-only, somebody else's, damaged. Each is said with its remedy, and nothing that was
acknowledged is lost."""

import os
import sqlite3
import subprocess

import pytest

from understudy import BINARY, Client, plain_environment

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")


def refused(*options):
    """What a program says that does not start."""
    ended = subprocess.run(
        [BINARY, "serve", "--port", "0", *map(str, options)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=30,
        env=plain_environment())
    assert ended.returncode == 1, ended
    [line] = ended.stderr.splitlines()
    assert "bug" not in line
    return line


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 4 MiB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "understudy-test", disk], capture_output=True, text=True)
    if mounted.returncode != 0:
        pytest.skip("no disk can be mounted here: " + mounted.stderr.strip())
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@as_root
def test_a_full_disk_is_507_and_goes_on_when_there_is_room(start, small_disk):
    server = start("--data", small_disk / "data")
    world = server.default_world
    client = Client(world.hanko)
    acknowledged = [client.sign_up("first@example.com")]
    ready = lambda: world.control("GET", "/ready")  # noqa: E731
    assert ready().status_code == 200
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file:
        with pytest.raises(OSError):
            while True:
                file.write(b"x" * 1024)

    full = None
    for number in range(2000):
        answer = client.post("/users", {"email": f"user{number}@example.com"})
        if answer.status_code != 200:
            full = answer
            break
        acknowledged.append(answer.json()["user_id"])
    assert full is not None and full.status_code == 507, full and full.text
    assert "the disk is full; make room" in full.json()["detail"]
    told = world.journal(status=507)[0]
    assert "make room" in told["explanation"] and not told.get("bug")
    answer = ready()
    assert answer.status_code == 503 and "no space left" in answer.json()["detail"]
    assert "bug" not in server.errors.read_text()
    # What only reads goes on.
    assert client.get("/.well-known/config").status_code == 200

    filler.unlink()
    assert ready().status_code == 200
    acknowledged.append(client.sign_up("afterwards@example.com"))
    server.kill()
    server.start()
    administrator = Client(server.url + "/hanko-admin")
    assert {administrator.get("/users/" + user).status_code for user in acknowledged} == {200}


@as_root
def test_a_program_does_not_start_on_a_full_disk(small_disk):
    (small_disk / "filler").write_bytes(b"x" * (4 * 1024 * 1024 - 16384))
    line = refused("--data", small_disk / "data")
    assert "the disk is full; make room" in line or "no space left" in line


@as_root
def test_a_read_only_folder_is_said_to_be_one(tmp_path, start, small_disk):
    server = start("--data", small_disk / "data")
    Client(server.default_world.hanko).sign_up("newcomer@example.com")
    server.stop()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    line = refused("--data", small_disk / "data")
    assert "give --data another folder" in line and "default" in line


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "data").write_text("hello")
    line = refused("--data", tmp_path / "data")
    assert "this is a file; name a folder" in line
    assert (tmp_path / "data").read_text() == "hello"


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "default.sqlite").write_bytes(b"not a database, but long enough to be taken for one" * 100)
    line = refused("--data", tmp_path)
    assert "it is not an SQLite database; move it away" in line


def test_a_database_of_another_program_is_left_alone(tmp_path):
    file = tmp_path / "default.sqlite"
    with sqlite3.connect(file) as theirs:
        theirs.execute("CREATE TABLE theirs (a)")
        theirs.execute("INSERT INTO theirs VALUES (7)")
    theirs.close()
    line = refused("--data", tmp_path)
    assert "it is a database of another program; move it away" in line
    with sqlite3.connect(file) as theirs:
        assert theirs.execute("SELECT name FROM sqlite_schema").fetchall() == [("theirs",)]


def test_a_damaged_file(tmp_path, start):
    server = start("--data", tmp_path / "data")
    server.stop()
    file = tmp_path / "data" / "default.sqlite"
    content = bytearray(file.read_bytes())
    content[100:] = os.urandom(len(content) - 100)
    file.write_bytes(content)
    line = refused("--data", tmp_path / "data")
    assert "it is damaged; restore a copy" in line or "it is not an SQLite database" in line


def test_another_world_that_is_damaged_is_503_and_harms_nobody(tmp_path, start):
    server = start("--data", tmp_path / "data")
    assert server.default_world.control("POST", "/worlds", json={"name": "blue"}).status_code == 201
    server.kill()
    (tmp_path / "data" / "blue.sqlite").write_bytes(b"x" * 4096)
    (tmp_path / "data" / "blue.sqlite-wal").unlink(missing_ok=True)
    server.start()
    blue = Client(server.url + "/w/blue/hanko")
    answer = blue.post("/users", {"email": "a@example.com"})
    assert answer.status_code == 503 and "move it away" in answer.json()["detail"]
    assert Client(server.default_world.hanko).post("/users", {"email": "a@example.com"}).status_code == 200
    assert "bug" not in server.errors.read_text()


@pytest.mark.parametrize("path, sentence", [
    ("/dev/zero", "this is a device"), ("/nowhere/at/all", "no such file or folder"), ("/proc/self/mem", "/proc/self/mem: ")])
def test_fixtures_that_are_none(path, sentence):
    line = refused("--fixtures", path)
    assert sentence in line and path in line
