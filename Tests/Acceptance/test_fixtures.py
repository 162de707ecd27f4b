"""Fixture files: errors that lead to the place, all or nothing, and the way out and in again."""

import re

import pytest
import requests

from understudy import CONTROL, ROOT, Client, World, run

#: Some user's.
ID = "0c1f7f2e-94a5-4a0f-8a5c-5f5f0e5a3b11"


@pytest.mark.parametrize(
    "text, line, column, field",
    [
        ('{\n  "hanko": {\n    "users": [\n      {"id": "%s", "emails": [{"address": 5}]}\n    ]\n  }\n}' % ID, 4, 77,
         "hanko.users[0].emails[0].address"),
        ('{\n  "hanko": {"usres": []}\n}', 2, 13, "hanko.usres"),
        ('{\n  "hanko": {"users": {}}\n}', 2, 22, "hanko.users"),
        ('{\n\n  "handkerchief": {}\n}', 3, 3, "handkerchief"),
    ])
def test_a_mistake_is_told_with_file_line_column_and_field(tmp_path, text, line, column, field):
    file = tmp_path / "wrong.json"
    file.write_text(text)

    checked = run("fixtures", "check", file)
    assert checked.returncode == 1
    assert f"wrong.json:{line}:{column}: {field}" in checked.stderr + checked.stdout


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a" 1}', '{"hanko": {}} x', "\ufeff{", '{"a": 01}', "[" * 100_000])
def test_what_is_no_fixture_file_is_told_with_its_place(tmp_path, text):
    file = tmp_path / "broken.json"
    file.write_text(text)

    checked = run("fixtures", "check", file)
    assert checked.returncode == 1
    assert re.search(r"broken\.json:\d+:\d+: ", checked.stderr + checked.stdout), checked


def test_what_changes_nothing_is_remarked_and_is_no_mistake(tmp_path):
    file = tmp_path / "hanko.json"
    file.write_text('{"hanko": {"config": {\n  "database": {"host": "db"},\n  "secrets": {"keys": ["x"]}\n}}}')

    checked = run("fixtures", "check", "default", file)
    assert checked.returncode == 0, checked.stderr
    assert re.search(r"hanko\.json:2:15: hanko\.config\.database: ignored: \S", checked.stdout), checked
    assert re.search(r"hanko\.json:3:14: hanko\.config\.secrets: ignored: \S", checked.stdout), checked
    assert "hanko.json: fine" in checked.stdout
    assert "ignored" not in checked.stdout.split("default: fine")[0]


def test_a_server_does_not_start_on_a_wrong_file(tmp_path):
    file = tmp_path / "wrong.json"
    file.write_text('{"hanko": {"users": 5}}')

    refused = run("serve", "--port", "0", "--fixtures", file)
    assert refused.returncode == 1
    assert "wrong.json:1:" in refused.stderr


def test_the_built_in_fixtures_and_the_starter_file_are_right(tmp_path):
    assert run("fixtures", "check", ROOT / "Fixtures/default.json").returncode == 0
    assert run("fixtures", "init", tmp_path / "starter.json").returncode == 0
    assert run("fixtures", "check", tmp_path / "starter.json").returncode == 0


def test_export_and_load_is_the_identity(server, world, hanko, make_world):
    hanko.log_in(world, "exported@example.com")
    hanko.sign_up("pending@example.com")
    exported = world.get("/fixtures")

    again = make_world(fixtures=exported)
    assert again.get("/fixtures") == exported
    # And the state is a working one: the address is known there too.
    assert Client(again.hanko).post("/user", {"email": "exported@example.com"}).status_code == 200


def test_export_by_command_starts_another_program(server, world, hanko, start, tmp_path):
    hanko.log_in(world, "carried@example.com")
    exported = run("fixtures", "export", url=world.url)
    assert exported.returncode == 0, exported.stderr
    file = tmp_path / "carried.json"
    file.write_text(exported.stdout)

    other = start("--fixtures", file)
    assert Client(other.default_world.hanko).post("/user", {"email": "carried@example.com"}).status_code == 200
    assert run("fixtures", "export", url=other.url).stdout == exported.stdout


def test_a_refused_order_leaves_no_world_behind(server):
    order = {"name": "half-made", "fixtures": {"hanko": {"users": [{"id": ID, "emails": [{"address": 5}]}]}}}
    refused = requests.post(server.url + CONTROL + "/worlds", json=order, timeout=30)
    assert refused.status_code in (400, 422)
    assert "hanko.users[0].emails[0].address" in refused.json()["detail"]
    assert requests.get(World("", server.url + "/w/half-made").hanko + "/health/alive", timeout=30).status_code == 404
