"""Addresses of a real service become ours on the way to the client, and again those of the service on the way back."""

import json
from urllib.parse import quote

import pytest
import requests

from upstream_server import Service


@pytest.fixture
def service():
    service = Service()
    yield service
    service.stop()


@pytest.fixture
def mount(service, world):
    """The service's path and our mount differ, so that each has to be exchanged."""
    world.control("PUT", "/upstreams/hanko", json={"url": service.url + "/base"})
    return world.hanko


def get(service, mount, body, kind="application/json", fields=(), **options):
    service.answers["/base/x"] = (200, [("Content-Type", kind), *fields], body)
    return requests.get(mount + "/x", timeout=10, **options)


@pytest.mark.parametrize("theirs, ours", [
    ("{service}/base/login?a=1", "{mount}/login?a=1"),
    ("{service}/base", "{mount}"),
    ("/base/login", "{path}/login"),
    ("login", "login"),
    ("{service}/other", "{service}/other"),
    ("{service}/basement", "{service}/basement"),
    ("http://localhost:5000/cb?code=1", "http://localhost:5000/cb?code=1"),
    ("https://evil.example/?next={service}/base/a", "https://evil.example/?next={mount}/a"),
])
def test_location(service, mount, theirs, ours):
    names = {"service": service.url, "mount": mount, "path": "/" + mount.split("/", 3)[3]}
    service.answers["/base/x"] = (302, [("Location", theirs.format(**names))], "")
    answer = requests.get(mount + "/x", timeout=10, allow_redirects=False)
    assert answer.headers["Location"] == ours.format(**names)


def test_a_client_that_follows_redirects_stays_on_our_address(service, mount):
    service.answers["/base/x"] = (302, [("Location", service.url + "/base/y")], "")
    service.answers["/base/y"] = (307, [("Location", "/base/z")], "")
    service.answers["/base/z"] = (200, [], "there")
    answer = requests.get(mount + "/x", timeout=10)
    assert answer.text == "there" and answer.url == mount + "/z"


@pytest.mark.parametrize("theirs, ours", [
    ("a=1; Domain=127.0.0.1; Path=/base; Secure; HttpOnly", "a=1; Path={path}; HttpOnly"),
    ("a=1; Path=/base/deep; SameSite=None; Secure", "a=1; Path={path}/deep; SameSite=Lax"),
    ("a=1; path=/; samesite=strict", "a=1; Path={path}; samesite=strict"),
    ("a=1", "a=1"),
    ("a=1; Domain=else.example", "a=1; Domain=else.example"),
    ("__Host-a=1; Path=/; Secure; SameSite=None", "__Host-a=1; Path=/; Secure; SameSite=None"),
    ("a=b; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Max-Age=9", "a=b; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Max-Age=9"),
])
def test_cookies(service, mount, theirs, ours):
    answer = get(service, mount, "{}", fields=[("Set-Cookie", theirs)])
    assert answer.raw.headers.getlist("Set-Cookie") == [ours.format(path="/" + mount.split("/", 3)[3])]


def test_a_cookie_comes_back_to_the_service(service, mount):
    session = requests.Session()
    service.answers["/base/x"] = (200, [("Set-Cookie", "a=1; Domain=127.0.0.1; Path=/base; Secure"), ("Set-Cookie", "b=2")], "")
    session.get(mount + "/x", timeout=10)
    session.get(mount + "/x", timeout=10)
    assert sorted(service.last.headers["Cookie"].split("; ")) == ["a=1", "b=2"]


def test_json_bodies_in_every_spelling(service, mount):
    theirs = service.url + "/base"
    document = {"url": theirs + "/a", "next": "go to " + theirs + ", please", "query": "x?r=" + quote(theirs + "/b", safe=""),
                "longer": theirs + "ment/a", "port": service.url + "1/base", "issuer": theirs, "iss": theirs, "list": [theirs]}
    escaped = json.dumps(document).replace("/", "\\/")
    for body in (json.dumps(document), escaped, json.dumps(document, indent=2)):
        got = get(service, mount, body).json()
        assert got == {
            "url": mount + "/a", "next": "go to " + mount + ", please", "query": "x?r=" + quote(mount + "/b", safe=""),
            "longer": theirs + "ment/a", "port": service.url + "1/base", "issuer": theirs, "iss": theirs, "list": [mount]}


def test_pages(service, mount):
    path = "/" + mount.split("/", 3)[3]
    page = ('<a href="/base/a?b">1</a><A HREF=/base/b>2</A><form action=\'/base/c\'><img src="//cdn.example/i">'
            '<a href="/other">3</a><a href="#x">4</a><script>let u = "%s/base/d"</script><a data-x="href=/no">5</a>' % service.url)
    got = get(service, mount, page, "text/html; charset=utf-8").text
    assert got == ('<a href="%s/a?b">1</a><A HREF=%s/b>2</A><form action=\'%s/c\'><img src="//cdn.example/i">'
                   '<a href="/other">3</a><a href="#x">4</a><script>let u = "%s/d"</script><a data-x="href=/no">5</a>'
                   % (path, path, path, mount))


@pytest.mark.parametrize("kind", ["image/png", "application/octet-stream", "application/pkcs7-mime"])
def test_what_is_no_text_stays_as_it_came(service, mount, kind):
    assert get(service, mount, service.url + "/base", kind).text == service.url + "/base"


def test_a_coding_that_was_not_asked_for_is_passed_on_and_said(service, mount, world):
    answer = get(service, mount, b"anything", fields=[("Content-Encoding", "br")], stream=True)
    assert answer.raw.read(decode_content=False) == b"anything"
    assert "coding br although none was asked for" in world.explanations(kind="request")[0]


def test_fields_that_would_bind_our_address_are_left_out(service, mount):
    answer = get(service, mount, "{}", fields=[
        ("Strict-Transport-Security", "max-age=9"), ("Alt-Svc", "h3=\":443\""), ("Access-Control-Allow-Origin", service.url),
        ("Content-Security-Policy", f"default-src 'self'; connect-src {service.url}; img-src {service.url}/base/i")])
    assert not {"Strict-Transport-Security", "Alt-Svc"} & set(answer.headers)
    origin = "/".join(mount.split("/")[:3])
    assert answer.headers["Access-Control-Allow-Origin"] == origin
    assert answer.headers["Content-Security-Policy"] == f"default-src 'self'; connect-src {origin}; img-src {mount}/i"


def test_the_request_back_has_the_service_s_addresses(service, mount, world):
    origin = "/".join(mount.split("/")[:3])
    service.answers["/base/x"] = (200, [], "")
    requests.post(mount + "/x", timeout=10, params={"redirect_uri": mount + "/cb", "other": origin + "/app/cb"},
                  data={"redirect_uri": mount + "/cb"}, headers={"Origin": origin, "Referer": mount + "/page?a"})
    seen, theirs = service.last, service.url + "/base"
    assert seen.headers["Origin"] == service.url and seen.headers["Referer"] == theirs + "/page?a"
    assert "redirect_uri=" + quote(theirs + "/cb", safe="") in seen.target
    assert "other=" + quote(origin + "/app/cb", safe="") in seen.target
    assert seen.body.decode() == "redirect_uri=" + quote(theirs + "/cb", safe="")

    requests.post(mount + "/x", timeout=10, json={"url": mount + "/a"},
                  headers={"Origin": origin, "Referer": world.url + "/app/page"})
    assert service.last.headers["Origin"] == origin and service.last.headers["Referer"] == world.url + "/app/page"
    assert json.loads(service.last.body) == {"url": theirs + "/a"}

    requests.post(mount + "/x", timeout=10, headers={"Origin": "http://localhost:5173"})
    assert service.last.headers["Origin"] == "http://localhost:5173"


def test_two_services_at_one_host_know_each_other_s_addresses(service, mount, world):
    world.control("PUT", "/upstreams/hanko-admin", json={"url": service.url + "/base/admin"})
    got = get(service, mount, json.dumps([service.url + "/base/admin/a", service.url + "/base/b"])).json()
    assert got == [world.url + "/hanko-admin/a", mount + "/b"]


def test_at_a_host_name_of_its_own_the_mount_is_the_root(service, server, world):
    world.control("PUT", "/upstreams/hanko", json={"url": service.url})
    host = f"{world.name}--hanko.localhost:{server.address[1]}"
    service.answers["/x"] = (302, [("Location", "/login"), ("Set-Cookie", "a=1; Path=/"), ("Link", f"<{service.url}/n>; rel=next")], "")
    answer = requests.get(server.url + "/x", headers={"Host": host}, timeout=10, allow_redirects=False)
    assert answer.headers["Location"] == "/login" and answer.headers["Set-Cookie"] == "a=1; Path=/"
    assert answer.headers["Link"] == f"<http://{host}/n>; rel=next"
