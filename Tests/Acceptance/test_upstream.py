"""A real service in the place of a platform: what goes to it, what comes back, and what the journal says of it."""

import socket

import pytest
import requests

from understudy import CONTROL, free_port, run
from upstream_server import Service


@pytest.fixture
def service():
    service = Service()
    yield service
    service.stop()


@pytest.fixture
def behind(world):
    """Puts a service behind a mount of the test's world; the mount's URL."""
    def behind(url, mount="hanko", **more):
        answer = world.control("PUT", f"/upstreams/{mount}", json={"url": url} | more)
        assert answer.status_code in (200, 201), answer.text
        return f"{world.url}/{mount}"

    return behind


def test_a_request_goes_to_the_service_and_its_answer_comes_back(service, behind, world):
    service.answers["/base/users/1"] = (
        203, [("Content-Type", "text/plain"), ("X-Own", "one"), ("X-Own", "two"), ("Keep-Alive", "timeout=5"), ("Connection", "X-Hop"),
              ("X-Hop", "1")], "hello")
    hanko = behind(service.url + "/base/")

    answer = requests.post(hanko + "/users/1?a=%2F&b=c+d", data=b"\x00\xff", timeout=10, headers={
        "X-Mine": "1", "Connection": "X-Gone", "X-Gone": "1", "Content-Type": "application/octet-stream", "X-Forwarded-For": "10.0.0.1"})

    assert (answer.status_code, answer.text) == (203, "hello")
    assert answer.raw.headers.getlist("X-Own") == ["one", "two"]
    assert not {"Keep-Alive", "X-Hop"} & set(answer.headers)
    seen = service.last
    assert (seen.method, seen.target, seen.body) == ("POST", "/base/users/1?a=%2F&b=c+d", b"\x00\xff")
    assert seen.headers["Host"] == service.url.removeprefix("http://")
    assert seen.headers["X-Mine"] == "1" and seen.headers["Accept-Encoding"] == "identity"
    assert not {"X-Gone", "X-Forwarded-For"} & set(seen.headers)
    [entry] = world.journal(kind="request")
    assert entry["upstream"] == service.url + "/base" and entry["platform"] == "hanko"
    assert entry["exchange"]["status"] == 203


def test_requests_share_a_connection_to_the_service(service, behind):
    service.answers["/x"] = (200, [("Content-Type", "text/plain")], "body")
    service.answers["/close"] = (200, [("Connection", "close")], "body")
    hanko = behind(service.url)
    for method in "GET", "POST", "HEAD", "PUT", "POST":
        assert requests.request(method, hanko + "/x", timeout=10).status_code == 200
    assert service.connections == 1
    assert not any(seen.headers["Connection"] for seen in service.seen)

    # The service closes after this one.
    assert requests.get(hanko + "/close", timeout=10).text == "body"
    assert requests.post(hanko + "/x", timeout=10).text == "body"
    assert service.connections == 2


def test_everything_else_stays_emulated(service, behind, world, make_world):
    behind(service.url)
    other = make_world()
    assert requests.get(other.hanko + "/.well-known/jwks.json", timeout=10).json()["keys"]
    assert requests.get(world.oauth + "/.well-known/openid-configuration", timeout=10).status_code == 200
    assert service.seen == []


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_every_method_is_passed_on(service, behind, method):
    service.answers["/x"] = (200, [("X-Method", method)], "body")
    answer = requests.request(method, behind(service.url) + "/x", timeout=10)
    assert answer.status_code == 200 and answer.headers["X-Method"] == method == service.last.method
    assert answer.text == ("" if method == "HEAD" else "body")


def test_a_redirect_is_an_answer_like_any_other(service, behind):
    service.answers["/go"] = (302, [("Location", "http://10.255.255.1/private")], "")
    answer = requests.get(behind(service.url) + "/go", timeout=10, allow_redirects=False)
    assert (answer.status_code, answer.headers["Location"]) == (302, "http://10.255.255.1/private")
    assert len(service.seen) == 1


def test_an_error_of_the_service_is_told_in_its_words(service, behind, world):
    service.answers["/token"] = (400, [("Content-Type", "application/json")],
                                 '{"error": "invalid_grant", "error_description": "The code has expired"}')
    assert requests.post(behind(service.url) + "/token", timeout=10).json()["error"] == "invalid_grant"
    [sentence] = world.explanations(status="400")
    assert "The upstream " + service.url + " refused it: 400" in sentence
    assert "“invalid_grant: The code has expired”" in sentence


def test_a_service_that_is_not_there_is_a_502_with_the_reason(behind, world):
    answer = requests.get(behind(f"http://127.0.0.1:{free_port()}") + "/x", timeout=10)
    assert answer.status_code == 502 and answer.headers["Content-Type"] == "application/problem+json"
    assert "Connection refused" in answer.json()["detail"]
    assert world.explanations(status="502") == [answer.json()["detail"]]


def test_a_name_that_does_not_resolve_is_a_502(behind):
    answer = requests.get(behind("https://no-such-host.invalid") + "/x", timeout=40)
    assert answer.status_code == 502 and "no-such-host.invalid" in answer.json()["detail"]


def test_the_list_shows_which_address_stands_for_which(service, behind, world):
    assert world.get("/upstreams") == {"own": False, "upstreams": []}
    behind(service.url + "/")
    assert world.get("/upstreams") == {
        "own": True, "upstreams": [{"mount": "hanko", "url": service.url, "ours": world.hanko}]}
    assert world.control("DELETE", "/upstreams/hanko").status_code == 204
    assert world.control("DELETE", "/upstreams/hanko").status_code == 404
    assert requests.get(world.hanko + "/.well-known/jwks.json", timeout=10).json()["keys"]
    assert [entry["event"] for entry in world.journal(kind="event")][:2] == ["upstream removed", "upstream set"]


@pytest.mark.parametrize("mount, order, status, words", [
    ("hanko", {"url": "tenant.example"}, 422, "http or https URL"),
    ("hanko", {"url": "ftp://tenant.example"}, 422, "http or https URL"),
    ("hanko", {"url": "https://a@tenant.example"}, 422, "http or https URL"),
    ("hanko", {"url": "https://tenant.example/?a"}, 422, "http or https URL"),
    ("hanko", {"url": "https://tenant.example/a/../b"}, 422, "http or https URL"),
    ("hanko", {"url": "https://tenant.example", "ca": "none"}, 422, "PEM"),
    ("hanko", {"url": 1}, 400, "url"),
    ("hanko", {}, 400, "url"),
    ("hanko", {"url": "https://tenant.example", "more": 1}, 400, "more"),
    ("hnako", {"url": "https://tenant.example"}, 422, "hanko"),
])
def test_what_is_no_upstream_changes_nothing(world, mount, order, status, words):
    answer = world.control("PUT", f"/upstreams/{mount}", json=order)
    assert answer.status_code == status and words in answer.json()["detail"]
    assert world.get("/upstreams")["upstreams"] == []


def test_fixtures_name_upstreams_and_export_them(service, make_world):
    service.answers["/x"] = (200, [], "real")
    world = make_world(fixtures={"upstreams": {"hanko": {"url": service.url.replace("http:", "HTTP:") + "/"}}})
    assert requests.get(world.hanko + "/x", timeout=10).text == "real"
    assert world.get("/fixtures")["upstreams"] == {"hanko": {"url": service.url}}
    saved = world.control("POST", "/snapshots", json={"name": "with"})
    assert saved.status_code == 201, saved.text
    world.control("DELETE", "/upstreams/hanko")
    assert world.control("POST", "/snapshots/with/restore").status_code in (200, 204)
    assert requests.get(world.hanko + "/x", timeout=10).text == "real"


def test_fixtures_with_a_mistake_are_refused_with_its_place(make_world, server):
    answer = requests.post(server.url + CONTROL + "/worlds", timeout=10, json={
        "fixtures": {"upstreams": {"hanko": {"url": "nowhere"}}}})
    assert answer.status_code == 422 and answer.json()["errors"][0]["field"] == "upstreams.hanko.url"


def test_the_option_holds_for_all_worlds_and_says_so(service, start):
    service.answers["/x"] = (200, [], "real")
    server = start("--upstream", f"hanko={service.url}")
    assert server.banner["upstreams"] == [{"mount": "hanko", "ours": server.url + "/hanko", "upstream": service.url}]
    assert f"/hanko is NOT emulated: its requests go to the real service {service.url}" in server.errors.read_text()
    assert requests.get(server.url + "/hanko/x", timeout=10).text == "real"
    made = requests.post(server.url + CONTROL + "/worlds", json={"name": "blue"}, timeout=10).json()
    assert requests.get(made["urls"]["hanko"] + "/x", timeout=10).text == "real"
    requests.delete(server.url + "/w/blue" + CONTROL + "/upstreams/hanko", timeout=10)
    assert requests.get(made["urls"]["hanko"] + "/x", timeout=10).text != "real"
    assert requests.get(server.url + "/hanko/x", timeout=10).text == "real"


def test_a_file_of_the_folder_names_upstreams_and_the_start_says_that_it_does(service, start, tmp_path):
    service.answers["/x"] = (200, [], "real")
    file = tmp_path / "team.json"
    file.write_text('{"$serve": {"upstream": ["hanko=%s"]}}' % service.url)
    server = start("--config", file)
    assert requests.get(server.url + "/hanko/x", timeout=10).text == "real"
    assert server.banner["configOpens"] == [f"--upstream hanko={service.url}"]


@pytest.mark.parametrize("options, words", [
    (["--upstream", "hanko"], "MOUNT=URL"),
    (["--upstream", "hnako=https://x.example"], "did you mean"),
    (["--upstream", "hanko=x.example"], "http or https URL"),
    (["--upstream", "hanko=https://x.example", "--upstream", "hanko=https://y.example"], "two URLs"),
    (["--upstream-ca", "/dev/null"], "needs --upstream"),
    (["--upstream", "hanko=https://x.example", "--upstream-ca", "/nowhere"], "/nowhere"),
    (["--upstream", "hanko=https://x.example", "--upstream-ca", __file__], "PEM"),
])
def test_a_wrong_option_is_refused_at_the_start(options, words):
    refused = run("serve", "--port", 0, *options)
    assert refused.returncode in (1, 2) and words in refused.stderr, refused.stderr


def test_this_program_does_not_call_itself_for_ever(start):
    port = free_port()
    server = start("--upstream", f"hanko=http://localhost:{port}/hanko", port=port)
    answer = requests.get(server.url + "/hanko/x", timeout=30)
    assert answer.status_code == 502 and "leads back to this program" in answer.json()["detail"]
    assert len(server.default_world.journal(kind="request")) == 2


def test_two_programs_that_name_each_other_do_not_call_for_ever(start):
    """Source: RFC 9110 §7.6.3: who passes a request on adds its name to Via, and finds it there when the request comes back."""
    ports = free_port(), free_port()
    first, second = (start("--upstream", f"hanko=http://localhost:{there}/hanko", port=here) for here, there in (ports, reversed(ports)))
    answer = requests.get(first.url + "/hanko/x", timeout=30)
    assert answer.status_code == 502 and "leads back to this program" in answer.text
    assert [len(server.default_world.journal(kind="request")) for server in (first, second)] == [2, 1]


def test_the_control_token_stays_here(service, start):
    service.answers["/x"] = (200, [], "real")
    server = start("--control-token", "the-secret-token", "--upstream", f"hanko={service.url}")
    requests.get(server.url + "/hanko/x", timeout=10, headers={
        "Authorization": "Bearer the-secret-token", "Cookie": "understudy_control=the-45-secret-45-token; own=1",
        "X-Understudy-Explain": "the-secret-token"})
    assert service.last.headers["Cookie"] == "own=1"
    assert "Authorization" not in service.last.headers
    assert not [name for name in service.last.headers if name.lower().startswith("x-understudy")]


@pytest.mark.parametrize("path", ["/a/../b", "/%2e%2E/b", "/a/..", "/./b", "/..;x/b"])
def test_a_path_does_not_lead_out_of_the_service(service, behind, world, path):
    mount = behind(service.url + "/base")
    host, port = mount.split("/")[2].split(":")
    with socket.create_connection((host, int(port)), timeout=10) as raw:
        raw.sendall(f"GET /w/{world.name}/hanko{path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: raw.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400 ") and "segments “.” or “..”".encode() in answer
    assert service.seen == []


def test_the_fields_of_the_service_are_neither_changed_nor_joined_by_ours(service, behind, world):
    fields = [("X-Request-Id", "theirs-1"), ("X-Content-Type-Options", "theirs"), ("Cache-Control", "max-age=7"), ("Content-Type", "image/png")]
    service.answers["/own"], service.answers["/none"] = (200, fields, b"\x89PNG"), (200, fields[3:], b"\x89PNG")
    hanko = behind(service.url)
    own, none = requests.get(hanko + "/own", timeout=10), requests.get(hanko + "/none", timeout=10)

    mine = [entry["correlation"] for entry in reversed(world.journal(kind="request"))]
    added = {"X-Understudy-Request-Id", "Content-Length", "Date", "Server"}
    assert set(own.headers) == {name for name, _ in fields} | added and own.headers.items() >= set(fields)
    assert own.headers["X-Understudy-Request-Id"] == mine[0]
    # A service that says none leaves room for ours.
    assert set(none.headers) == {"Content-Type", "X-Request-Id"} | added
    assert none.headers["X-Request-Id"] == none.headers["X-Understudy-Request-Id"] == mine[1]
