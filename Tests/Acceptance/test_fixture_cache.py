"""What is made of fixture files is kept for the next start, and never trusted more than it deserves."""

import subprocess

import pytest
import requests

from understudy import BINARY, CONTROL, plain_environment

PEOPLE = '{ "people": [ { "id": "ann", "name": "%s", "email": "ann@example.com", "story": "s" } ] }'


@pytest.fixture
def started(tmp_path):
    """Starts with the fixtures; who is there, and what is kept then."""
    file, cache = tmp_path / "team.json", tmp_path / "cache"

    def started(name="Ann", *options, folder=cache):
        file.write_text(PEOPLE % name)
        environment = plain_environment(XDG_CACHE_HOME=str(folder))
        del environment["UNDERSTUDY_NO_CACHE"]
        program = subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--quiet", "--fixtures", file, *options], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        try:
            url = program.stdout.readline().split()[-1]
            names = [one["name"] for one in requests.get(url + CONTROL + "/info", timeout=30).json()["people"]]
        finally:
            program.terminate()
            assert program.wait(10) == 0 and program.stderr.read() == ""
        return names, sorted((cache / "understudy").glob("*")) if cache.exists() else []

    return started


def test_the_second_start_finds_what_the_first_made(started):
    names, [entry] = started()
    made = entry.stat().st_mtime_ns
    assert names == ["Ann"]
    assert started() == (["Ann"], [entry])
    assert entry.stat().st_mtime_ns == made
    assert entry.parent.stat().st_mode & 0o777 == 0o700


def test_other_content_is_another_world(started):
    _, [first] = started()
    names, entries = started("Bob")
    assert names == ["Bob"] and len(entries) == 2 and first in entries
    assert started()[0] == ["Ann"]


@pytest.mark.parametrize("damage", [
    lambda content: b"", lambda content: content[:-1], lambda content: content[:200] + b"x" + content[201:],
    lambda content: b"x" + content[1:], lambda content: content + b"x", lambda content: content[:23]])
def test_a_damaged_entry_is_made_anew(started, damage):
    _, [entry] = started()
    damaged = damage(entry.read_bytes())
    entry.write_bytes(damaged)
    assert started() == (["Ann"], [entry])
    mended = entry.read_bytes()
    assert mended != damaged
    assert started() == (["Ann"], [entry])
    assert entry.read_bytes() == mended


def test_at_most_sixteen_are_kept(started):
    for number in range(18):
        _, entries = started(f"Ann {number}")
    assert len(entries) == 16
    assert started("Ann 17")[1] == entries


def test_what_a_killed_program_left_half_written_goes(started):
    _, [entry] = started()
    draft = entry.with_name(entry.name + ".1.new")
    draft.write_bytes(entry.read_bytes()[:100])
    entry.unlink()
    assert started() == (["Ann"], [entry])


def test_it_can_be_turned_off_and_a_folder_that_cannot_be_made_is_no_matter(started, tmp_path):
    assert started("Ann", "--no-cache") == (["Ann"], [])
    (tmp_path / "file").write_text("")
    assert started(folder=tmp_path / "file") == (["Ann"], [])
