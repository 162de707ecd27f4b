"""Half a million combining marks on one letter are no text: they are refused, or shown without them, before anybody compares or counts them.

Putting them in order, as each comparison and each look into a table of names does (UAX #15), would take many minutes.
"""

import base64
import json
import smtplib
import time
import urllib.parse

import pytest
import requests

from understudy import CONTROL, World

#: Two classes by turns, so that all of them have to move.
MARKS = "a" + "\u0301\u0323" * 15_000
SENTENCE = "more than 100 combining marks in a row"
FEW = "a" + "\u0301\u0323" * 50


def ask(world, path, **how):
    """An answer within the time that any answer takes."""
    return requests.request(how.pop("method", "POST"), world.url + path, timeout=5, **how)


def as_json(text, ascii_only):
    return {"data": json.dumps(text, ensure_ascii=ascii_only).encode(), "headers": {"Content-Type": "application/json"}}


@pytest.mark.parametrize("escaped", [False, True])
@pytest.mark.parametrize("path, body", [
    (CONTROL + "/worlds", lambda text: {"name": "x", "now": text}), (CONTROL + "/worlds", lambda text: {text: 1}),
    ("/hanko/passcode/login/initialize", lambda text: {"user_id": text}), ("/hanko/user", lambda text: {text: "a"}),
    ("/powerauth-java-server/rest/v3/operation/create", lambda text: {"requestObject": {"userId": text, "template": "login"}}),
    ("/miracl/rps/v2/user", lambda text: {"userId": text}), ("/nextauth/api/users", lambda text: {text: text}), ("/oauth/register", lambda text: {text: text})])
def test_in_json(world, path, body, escaped):
    refused = ask(world, path, **as_json(body(MARKS), escaped))
    assert refused.status_code == 400
    assert SENTENCE in (refused.text if CONTROL in path else world.explanations()[0])


def test_a_hundred_are_text(world):
    assert ask(world, CONTROL + "/worlds", **as_json({"name": "x", "now": FEW}, False)).status_code == 400
    assert ask(world, "/hanko/user", **as_json({"email": FEW}, False)).status_code in (400, 404)
    assert SENTENCE not in world.explanations()[0]


@pytest.mark.parametrize("path", ["/oauth/token", "/oauth/introspect", "/app/login"])
def test_in_a_form(world, path):
    for text in (MARKS, urllib.parse.quote(MARKS)):
        refused = ask(world, path, data=("grant_type=" + text).encode(), headers={"Content-Type": "application/x-www-form-urlencoded"})
        assert refused.status_code == 400
        assert SENTENCE in world.explanations()[0]


@pytest.mark.parametrize("path", ["/oauth/authorize?client_id=", CONTROL + "/journal?path=", "/hanko/users/", "/nope/"])
def test_in_an_address(world, path):
    refused = ask(world, path + urllib.parse.quote(MARKS[:9_000]), method="GET")
    assert refused.status_code == 400
    assert "the target cannot be read: it has " + SENTENCE in refused.text


def test_in_a_header(world):
    refused = ask(world, "/hanko/user", headers={"Authorization": ("Bearer " + MARKS[:9_000]).encode()})
    assert refused.status_code == 400
    assert SENTENCE in refused.text


def encoded(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def test_in_a_token(world):
    token = encoded({"alg": "RS256", MARKS[:1_000]: 1}) + "." + encoded({MARKS[:1_000]: 1}) + ".AAAA"
    assert ask(world, "/oauth/v1/userinfo", method="GET", headers={"Authorization": "Bearer " + token}).status_code == 401
    assert ask(world, "/oauth/token", data={
        "grant_type": "client_credentials", "client_assertion": token,
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}).status_code in (400, 401)


def test_in_a_mail(start):
    server = start("--smtp-port", "0")
    marks = MARKS.encode()
    words = base64.b64encode(MARKS[:500].encode()).decode()
    html = "<p>" + "a" + "&#769;&#803;" * 15_000 + " 483920 is your code <a href='https://x.example/verify?t=1'>" + MARKS + "</a></p>"
    mail = (
        f"From: =?utf-8?b?{words}?= <shop@example.com>\r\nTo: ada@example.com\r\nSubject: ".encode() + marks[:901] + b"\r\n " + marks[1:901]
        + b"\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n"
        + b"\r\n".join([marks[:801]] * 60) + b"\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        + base64.encodebytes(html.encode()).replace(b"\n", b"\r\n") + b"\r\n--b--\r\n")
    began = time.monotonic()
    host, port = server.banner["smtp"].rsplit(":", 1)
    with smtplib.SMTP(host, int(port), timeout=20) as smtp:
        smtp.sendmail("shop@example.com", "ada@example.com", mail)
    world = World("default", server.url)
    kept = ask(world, CONTROL + "/outbox", method="GET").json()
    assert [message["code"] for message in kept["messages"]] == ["483920"]
    assert "�" in kept["messages"][0]["subject"]
    assert ask(world, CONTROL + "/outbox?q=a", method="GET").status_code == 200
    assert time.monotonic() - began < 20
