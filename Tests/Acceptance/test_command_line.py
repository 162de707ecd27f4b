"""The program as a shell sees it: exit status, signals, one line for what went wrong."""

import http.server
import json
import signal
import socket
import sys
import threading
import time

import pytest
import requests

from understudy import BINARY, CONTROL, free_port, run


def test_version_and_help():
    version = run("version")
    assert version.returncode == 0 and "0.1.0" in version.stdout
    overview = run("help")
    assert overview.returncode == 0
    for command in ("serve", "ready", "exec", "code", "outbox", "otp", "world", "clock", "fixtures", "version", "help"):
        assert command in overview.stdout
        told = run("help", command)
        assert told.returncode == 0 and told.stdout.strip(), command


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve", "--prot", "1"], ["serve", "--port"], ["serve", "--port", "70000"], ["serve", "--port", "x"],
        ["serve", "--seed", "x"], ["dance"], ["code"], ["exec"], ["world", "dance"], ["clock", "advance"],
        ["ready", "--timeout", "soon"], ["otp"], ["otp", "start", "--client", "no-secret"], ["otp", "confirm"],
    ])
def test_wrong_usage_is_status_2_and_told_on_standard_error(arguments):
    wrong = run(*arguments)
    assert wrong.returncode == 2, wrong
    assert wrong.stderr.strip() and not wrong.stdout


def test_the_banner_is_one_json_line_and_the_last_line_of_the_other_says_ready(start):
    server = start()
    assert server.banner["url"] == server.url
    assert server.output.read_text().count("\n") == 1


def test_settings_come_from_the_environment_too(start):
    port = free_port()
    server = start(port=port, UNDERSTUDY_PUBLIC_URL="http://understudy.test:1234")
    world = requests.post(
        f"http://127.0.0.1:{port}{CONTROL}/worlds", json={"name": "env"}, timeout=30).json()
    assert world["baseURL"].startswith("http://understudy.test:1234/w/env")
    assert server.process.poll() is None


def test_ready_tells_by_its_status(server):
    assert run("ready", "--url", server.url).returncode == 0
    nobody = f"http://127.0.0.1:{free_port()}"
    began = time.monotonic()
    assert run("ready", "--url", nobody).returncode == 1
    assert time.monotonic() - began < 5
    assert run("ready", "--url", nobody, "--wait", "--timeout", "1s").returncode == 1


@pytest.mark.parametrize("status", [200, 302])
def test_ready_takes_no_other_program_for_understudy(status):
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(status)
            self.send_header("Location", "/login")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Another program</title>")

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Page) as other:
        threading.Thread(target=other.serve_forever).start()
        try:
            ended = run("ready", "--url", f"http://127.0.0.1:{other.server_port}")
        finally:
            other.shutdown()
    assert ended.returncode == 1
    assert "is it Understudy that runs at" in ended.stderr


def test_ready_waits_for_a_server_that_comes_later(start):
    port = free_port()
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(
            run("ready", "--url", f"http://127.0.0.1:{port}", "--wait", "--timeout", "20s").returncode))
    waiting.start()
    start(port=port)
    waiting.join(timeout=25)
    assert answers == [0]


def test_code_prints_the_code_alone(world, hanko):
    hanko.start(hanko.sign_up("terminal@example.com"))
    printed = run("code", "terminal@example.com", "--wait", "10s", url=world.url)
    assert printed.returncode == 0
    assert printed.stdout == world.code("terminal@example.com")["code"] + "\n"

    nothing = run("code", "nobody@example.com", url=world.url)
    assert nothing.returncode == 1 and nothing.stdout == "" and "nobody@example.com" in nothing.stderr


def test_outbox_lists_and_shows(world, hanko):
    hanko.start(hanko.sign_up("lister@example.com"))
    [message] = world.messages(to="lister@example.com")

    listed = run("outbox", url=world.url)
    assert listed.returncode == 0 and "lister@example.com" in listed.stdout
    shown = run("outbox", "show", message["id"], url=world.url)
    assert shown.returncode == 0 and message["code"] in shown.stdout


def test_clock_moves_one_world(world, make_world):
    other = make_world()
    before = other.get("/clock")["now"]
    assert run("clock", "set", "2030-01-02T03:04:05Z", url=world.url).returncode == 0
    assert world.get("/clock")["now"].startswith("2030-01-02T03:04:")
    assert run("clock", "freeze", url=world.url).returncode == 0
    assert world.get("/clock") == world.get("/clock")
    assert run("clock", "advance", "1h", url=world.url).returncode == 0
    assert world.get("/clock")["now"].startswith("2030-01-02T04:04:")
    assert "2030-01-02T04:04:" in run("clock", "show", url=world.url).stdout
    assert other.get("/clock")["now"][:4] == before[:4]


def test_worlds_come_and_go(server):
    assert run("world", "create", "by-hand", url=server.url).returncode == 0
    assert "by-hand" in run("world", "list", url=server.url).stdout
    assert run("world", "create", "by-hand", url=server.url).returncode == 1
    assert run("world", "reset", "by-hand", url=server.url).returncode == 0
    assert run("world", "delete", "by-hand", url=server.url).returncode == 0
    assert "by-hand" not in run("world", "list", url=server.url).stdout


def test_exec_runs_a_command_against_a_server_of_its_own():
    script = (
        "import os, urllib.request, json\n"
        "print(json.load(urllib.request.urlopen(os.environ['UNDERSTUDY_URL'] + '/_understudy/v1/health'))['status'])\n"
        "print(urllib.request.urlopen(os.environ['UNDERSTUDY_HANKO_URL'] + '/health/alive').status)\n"
        "raise SystemExit(7)")
    ran = run("exec", "--", sys.executable, "-c", script)
    assert ran.returncode == 7, ran.stderr
    assert ran.stdout.split() == ["ok", "200"]


def test_exec_of_nothing_that_exists_fails():
    assert run("exec", "--", "/nowhere/to/be/found").returncode != 0


def test_a_port_in_use_is_one_clear_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = run("serve", "--port", port)
    assert refused.returncode == 1
    assert str(port) in refused.stderr and "--port" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_any_number_of_signals_is_one_clean_exit(start, number):
    server = start()
    seen = []

    def wait_long():
        try:
            seen.append(requests.get(server.url + CONTROL + "/codes?to=nobody@example.com&wait=60", timeout=30))
        except requests.ConnectionError as error:
            seen.append(error)

    waiting = threading.Thread(target=wait_long)
    waiting.start()
    health = server.url + CONTROL + "/health"
    assert requests.get(health, timeout=5).ok
    began = time.monotonic()
    for _ in range(20):
        if server.process.poll() is None:
            server.signal(number)
    assert server.process.wait(timeout=10) == 0
    assert time.monotonic() - began < 6
    waiting.join(timeout=5)
    assert seen, "the waiting call hangs though the server is gone"
    errors = server.errors.read_text()
    assert "fatal" not in errors.lower() and "bug" not in errors.lower()


def test_an_answer_under_way_is_finished_before_the_end(start):
    server = start()
    with socket.create_connection(server.address, timeout=10) as connection:
        body = b'{"email": "underway@example.com"}'
        head = (b"POST /hanko/users HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: %d\r\n\r\n" % len(body))
        connection.sendall(head + body[:10])
        assert requests.get(server.url + CONTROL + "/health", timeout=5).ok
        server.signal(signal.SIGTERM)
        connection.sendall(body[10:])
        assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
    assert server.process.wait(timeout=10) == 0


def test_the_program_works_from_any_folder_with_nothing_beside_it(start):
    # The server's working folder is an empty one of the test.
    server = start()
    home = requests.get(server.url + "/", timeout=30)
    assert home.status_code == 200 and home.headers["Content-Type"].startswith("text/html")
    assert BINARY.parent not in server.output.parents


def test_log_json_writes_one_object_a_line(start):
    server = start("--log", "json")
    requests.get(server.url + "/hanko/.well-known/config", timeout=30)
    for line in (server.output.read_text() + server.errors.read_text()).splitlines():
        assert isinstance(json.loads(line), dict)


@pytest.mark.parametrize("command", [["phone", "list"], ["code", "ada@example.com"], ["ready"], ["journal"], ["world", "list"]])
def test_a_platforms_address_in_the_place_of_the_servers_is_said_to_be_one(server, command):
    for path, own in (("/hanko", ""), ("/w/blue/oauth/", "/w/blue")):
        wrong = run(*command, url=server.url + path)
        assert wrong.returncode == 2, wrong
        assert f"UNDERSTUDY_URL is {server.url}{path.rstrip('/')}, the address of a platform" in wrong.stderr
        assert f"commands take the server's: {server.url}{own}\n" in wrong.stderr


def test_a_prefix_of_a_proxy_may_be_called_as_a_platform_is(server):
    wrong = run("phone", "list", url=server.url + "/app")
    assert wrong.returncode == 1 and f"or is that a platform's address, and {server.url} the server's?" in wrong.stderr
