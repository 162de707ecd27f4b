"""What no honest client sends: every endpoint refuses it in its own words, and goes on."""

import itertools
from urllib.parse import urlencode, urljoin

import pytest
import requests

from oauth_browser import CALLBACK, metadata_of, register

VALUES = [
    "", " ", "\0", "\r\nX-Own: 1", "é" * 100, "a" * 9000, "<script>", "'; DROP TABLE openid_client; --", "../../etc/passwd",
    "9" * 400, "-1", "1e999", "null", "[]", "{" * 2000, "urn:ietf:params:oauth:request_uri:", "a.b.c", "e30.e30.", "." * 50]
BODIES = [
    b"", b"&&&", b"=", b"%", b"%zz=%", b"grant_type=%ff%fe", b"a" * 70_000, b"&".join(b"a=%d" % n for n in range(20_000)),
    b"client_id=1&client_id=2", b"\xff\xfe\x00", b'{"grant_type": "client_credentials"}']
HEADERS = [
    "Basic", "Basic ", "Basic !!!", "Basic " + "A" * 6000, "Basic Og==", "Bearer", "Bearer ", "Negotiate abc",
    "Basic gICAgA=="]
ENDPOINTS = [
    "token_endpoint", "introspection_endpoint", "revocation_endpoint", "device_authorization_endpoint",
    "pushed_authorization_request_endpoint", "registration_endpoint", "userinfo_endpoint"]
PAGES = ["authorization_endpoint", "end_session_endpoint", "check_session_iframe"]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
def line(issuer):
    """One connection for all, as a server that falls over would show."""
    with requests.Session() as session:
        session.metadata = metadata_of(issuer)
        yield session


def refused(answer):
    assert 400 <= answer.status_code < 500, (answer.request.url[:200], answer.request.body, answer.status_code, answer.text)
    is_page = answer.headers.get("Content-Type", "").startswith("text/html")
    # RFC 6750 §3.1: to a request without a token the header says it all.
    is_bare = not answer.content and answer.headers.get("WWW-Authenticate") == "Bearer"
    assert is_page or is_bare or "error" in answer.json(), (answer.request.body, answer.headers, answer.text)
    return answer


@pytest.fixture(autouse=True)
def explained(world):
    """In the end the journal has a sentence for every refusal."""
    yield
    entries = world.journal(status="4xx")
    assert entries
    assert [entry for entry in entries if len((entry.get("explanation") or "").split()) < 4] == []


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_odd_bodies_and_credentials_are_refused(line, endpoint):
    for body in BODIES:
        refused(line.post(line.metadata[endpoint], data=body, headers=FORM, timeout=30))
    for header in HEADERS:
        refused(line.post(line.metadata[endpoint], data="token=a", headers=FORM | {"Authorization": header}, timeout=30))


@pytest.mark.parametrize("endpoint", ENDPOINTS + PAGES)
def test_other_methods_are_refused(line, endpoint):
    for method in ("PATCH", "PROPFIND", "DELETE"):
        answer = refused(line.request(method, line.metadata[endpoint], timeout=30))
        assert answer.status_code == 405 and answer.headers["Allow"]


def test_odd_values_are_refused_at_the_token_endpoint(issuer, line):
    client = register(issuer, grant_types=[
        "authorization_code", "refresh_token", "client_credentials", "urn:ietf:params:oauth:grant-type:device_code",
        "urn:ietf:params:oauth:grant-type:token-exchange"])
    auth = (client["client_id"], client["client_secret"])
    names = {
        "authorization_code": ["code", "redirect_uri", "code_verifier"], "refresh_token": ["refresh_token"],
        "urn:ietf:params:oauth:grant-type:device_code": ["device_code"],
        "urn:ietf:params:oauth:grant-type:token-exchange": ["subject_token", "subject_token_type", "actor_token"]}
    for grant, value in itertools.product(names, VALUES):
        body = {"grant_type": grant} | dict.fromkeys(names[grant], value)
        refused(line.post(line.metadata["token_endpoint"], data=body, auth=auth, timeout=30))
    for value in VALUES:
        refused(line.post(line.metadata["token_endpoint"], data={"grant_type": value}, auth=auth, timeout=30))
        proof = {"client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"}
        refused(line.post(line.metadata["token_endpoint"], timeout=30, data=proof | {
            "grant_type": "client_credentials", "client_assertion": value}))
        told = line.post(line.metadata["introspection_endpoint"], data={"token": value}, auth=auth, timeout=30)
        assert told.status_code == 400 or told.json() == {"active": False}, (value, told.text)


def test_odd_values_are_refused_at_the_pages(issuer, line):
    client = register(issuer)
    good = {"client_id": client["client_id"], "redirect_uri": CALLBACK, "response_type": "code", "scope": "openid"}
    names = [*good, "state", "nonce", "prompt", "max_age", "claims", "acr_values", "id_token_hint", "login_hint", "response_mode",
             "code_challenge", "code_challenge_method", "request", "request_uri", "display", "ui_locales"]
    for name, value in itertools.product(names, VALUES):
        answer = line.get(
            line.metadata["authorization_endpoint"] + "?" + urlencode(good | {name: value}), allow_redirects=False, timeout=30)
        assert answer.status_code in (200, 303, 400), (name, value, answer.status_code, answer.text)
        assert "X-Own" not in answer.headers
        if answer.status_code == 303:
            place = urljoin(answer.url, answer.headers["Location"])
            assert place.startswith((CALLBACK + "?", issuer + "/")), place
    for name, value in itertools.product(["id_token_hint", "client_id", "post_logout_redirect_uri", "state"], VALUES):
        answer = line.get(line.metadata["end_session_endpoint"] + "?" + urlencode({name: value}), timeout=30)
        assert answer.status_code in (200, 400), (name, value, answer.text)


@pytest.mark.parametrize("member", [
    "redirect_uris", "response_types", "grant_types", "contacts", "jwks", "scope", "client_name", "logo_uri", "jwks_uri",
    "token_endpoint_auth_method", "default_max_age", "require_auth_time", "post_logout_redirect_uris", "backchannel_logout_uri",
    "id_token_signed_response_alg", "access_token_lifetime", "sector_identifier_uri"])
def test_odd_metadata_of_clients_is_refused_or_does_no_harm(issuer, line, member):
    for value in [*VALUES, None, True, 1, -1, 1e308, 10**30, [], {}, [1], [None], [[]], {"keys": [{}]}, {"keys": {}}, ["\0"]]:
        order = {"redirect_uris": [CALLBACK]} | {member: value}
        answer = line.post(line.metadata["registration_endpoint"], json=order, timeout=30)
        if answer.status_code != 201:
            refused(answer)
            continue
        made = answer.json()
        page = line.get(line.metadata["authorization_endpoint"], timeout=30, allow_redirects=False, params={
            "client_id": made["client_id"], "redirect_uri": CALLBACK, "response_type": "code", "scope": "openid"})
        assert page.status_code < 500, (member, value, page.text)
    for body in BODIES:
        refused(line.post(line.metadata["registration_endpoint"], data=body, headers={"Content-Type": "application/json"}, timeout=30))
