"""Who may call, and that nothing a caller sends costs anybody else."""

import socket

import pytest
import requests

from understudy import CONTROL, Client


def raw(server, request):
    """Sends bytes, and returns all that comes until the server closes."""
    with socket.create_connection(server.address, timeout=10) as connection:
        connection.sendall(request)
        connection.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
        return answer


@pytest.mark.parametrize("host", ["attacker.example", "localhost.attacker.example", "127.0.0.1.nip.io"])
@pytest.mark.parametrize("path", [CONTROL + "/outbox", "/hanko/.well-known/config", "/"])
def test_a_rebound_name_is_refused(server, host, path):
    port = server.address[1]
    refused = requests.get(server.url + path, headers={"Host": f"{host}:{port}"}, timeout=30)
    assert refused.status_code == 421
    assert host in refused.json()["detail"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "understudy", "hanko.localhost"])
def test_our_own_names_are_answered(server, host):
    port = server.address[1]
    health = requests.get(server.url + CONTROL + "/health", headers={"Host": f"{host}:{port}"}, timeout=30)
    assert health.status_code == 200
    assert health.json()["status"] == "ok"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://attacker.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:1"},
    ])
@pytest.mark.parametrize("method, path", [("GET", "/outbox"), ("POST", "/worlds"), ("POST", "/clock/advance")])
def test_another_sites_page_cannot_use_the_control_api(server, headers, method, path):
    refused = requests.request(method, server.url + CONTROL + path, headers=headers, json={}, timeout=30)
    assert refused.status_code == 403
    assert refused.headers["Content-Type"].startswith("application/problem+json")
    assert "Access-Control-Allow-Origin" not in refused.headers


def test_beyond_loopback_the_control_api_demands_its_token(start):
    server = start("--host", "0.0.0.0", "--control-token", "open-sesame")
    url = f"http://127.0.0.1:{server.address[1]}"

    def outbox(**headers):
        return requests.get(url + CONTROL + "/outbox", headers=headers, timeout=30).status_code

    assert outbox() == 401
    assert outbox(Authorization="Bearer open-sesam") == 401
    assert outbox(Authorization="Bearer open-sesame") == 200
    # The emulated services, and the question whether we live, need none.
    assert requests.get(url + "/hanko/.well-known/config", timeout=30).status_code == 200
    assert requests.get(url + CONTROL + "/health", timeout=30).status_code == 200
    assert requests.get(url + CONTROL + "/ready", timeout=30).status_code == 200


def test_beyond_loopback_the_mails_of_miracl_demand_the_token_too(start):
    server = start("--host", "0.0.0.0", "--control-token", "open-sesame")
    base = f"http://127.0.0.1:{server.address[1]}"
    client = Client(base + "/hanko")
    client.start(client.sign_up("newcomer@example.com"))
    ask = lambda path, **headers: requests.get(base + "/miracl" + path, headers=headers, timeout=30)  # noqa: E731

    for path in ("/api/v1/search?query=to:ada", "/api/v1/message/1", "/otpgen?client_id=miracl-app"):
        assert ask(path).status_code == 401
        assert ask(path, Authorization="Bearer open-sesam").status_code == 401
    found = ask("/api/v1/search?query=to:ada", Authorization="Bearer open-sesame")
    assert found.status_code == 200 and found.json()["total"] == 0
    # The one mail that there is has a passcode of Hanko's.
    assert ask("/api/v1/message/1", Authorization="Bearer open-sesame").status_code == 404


@pytest.mark.parametrize("path", [
    "/powerauth-java-server/rest/v3/application/create", "/powerauth-cloud/v2/registrations", "/hanko/users", "/hanko-admin/users",
    "/nextauth/device/v1/instances", "/app/login/init"])
def test_a_web_page_of_another_site_changes_nothing(world, path):
    before = world.control("GET", "/fixtures").content
    evil = {"Origin": "http://evil.com", "Content-Type": "text/plain", "Sec-Fetch-Site": "cross-site"}
    body = '{"requestObject": {"applicationId": "evil"}, "email": "evil@example.com"}'
    refused = requests.post(world.url + path, data=body, headers=evil, timeout=30)
    assert refused.status_code == 403 and "http://evil.com" in refused.json()["detail"]
    assert "http://evil.com" in world.explanations(status=403)[0]
    assert world.control("GET", "/fixtures").content == before


@pytest.mark.parametrize(
    "request_bytes, status",
    [
        (b"GARBAGE\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        (b"GET / HTTP/3.0\r\nHost: localhost\r\n\r\n", 505),
        (b"GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400),
        (b"POST /hanko/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: +2\r\n\r\n{}", 400),
        (b"POST /hanko/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
         b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (b"POST /hanko/users HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        (b"POST /hanko/users HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n", 413),
        (b"GET /" + b"a" * 70000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 70000 + b"\r\n\r\n", 431),
    ])
def test_malformed_requests_are_refused_and_the_connection_closed(server, request_bytes, status):
    answer = raw(server, request_bytes)
    assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:200]


def test_deeply_nested_json_is_refused_and_harms_nobody(world, hanko):
    for opening in (b"[", b'{"a":'):
        deep = requests.post(
            hanko.base + "/users", data=opening * 100_000, headers={"Content-Type": "application/json"}, timeout=30)
        assert deep.status_code == 400
    assert Client(world.hanko).post("/users", {"email": "after@example.com"}).status_code == 200


def test_strange_targets_never_reach_a_file(server):
    for target in (b"/../../etc/passwd", b"/%2e%2e/%2e%2e/etc/passwd", b"/..%2f..%2fetc%2fpasswd", b"//etc/passwd",
                   b"/%00", b"/%zz", b"/_console/../../etc/passwd"):
        answer = raw(server, b"GET " + target + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        status = int(answer.split(b" ")[1])
        assert status in (400, 404, 405), (target, answer[:200])
        assert b"root:" not in answer


def test_pages_of_the_console_carry_a_strict_policy(server):
    home = requests.get(server.url + "/", timeout=30)
    assert home.status_code == 200
    assert home.headers["X-Content-Type-Options"] == "nosniff"
    policy = home.headers["Content-Security-Policy"]
    assert "default-src" in policy and "unsafe-inline" not in policy and "unsafe-eval" not in policy
