"""The three ways in which PowerAuth's guide logs users of an app in, at the sample app's back end: a code over the login request,
an operation that the user approves, and the same hardened by MAC tokens."""

import http.server
import json
import threading

import pytest
import requests

from powerauth_mobile_token import MobileToken


@pytest.fixture
def shop(world):
    """The app's own back end."""
    return world.url + "/app"


class App:
    """The app on the phone: it talks to its own back end, and to PowerAuth by the SDK."""

    def __init__(self, base, phone):
        self.base, self.phone, self.mobile = base, phone, MobileToken(phone)

    def call(self, path, body=b"", headers=()):
        return self.phone.session.post(
            self.base + path, data=body, headers={"Content-Type": "application/json"} | dict(headers), timeout=30)

    def log_in(self, body=b'{"user":"eva"}', pin="13524", factors="possession_knowledge", sent=None, uri_id="/login"):
        headers = self.phone.authorization("POST", uri_id, body, factors, pin)
        return self.call("/login", body if sent is None else sent, headers)

    def begin(self, token=None):
        if token:
            return self.call("/login/init", headers=self.phone.token_header(token))
        return self.call("/login/init", json.dumps({"registrationId": self.phone.activation_id}).encode())

    def confirm(self, operation, token=None):
        return self.call("/login/confirm", json.dumps({"operationId": operation}).encode(),
                         self.phone.token_header(token) if token else ())

    def approve(self, operation, **options):
        self.mobile.authorize(self.mobile.operation(operation), **options)


@pytest.fixture
def app(shop, phone):
    return App(shop, phone)


@pytest.fixture
def make_app(shop, make_phone):
    return lambda user="eva", **options: App(shop, make_phone(user, **options))


def said(answer):
    """What the back end says to a login that it refuses."""
    body = answer.json()
    assert set(body) == {"error"}, body
    return answer.status_code, body["error"]


def logged_in(app, answer, user="eva"):
    """Whether the session that was given out is worth something."""
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert (told["userId"], told["registrationId"]) == (user, app.phone.activation_id) and told["expiresIn"] > 0
    bearer = requests.get(app.base + "/me", headers={"Authorization": "Bearer " + told["session"]}, timeout=30)
    return bearer.json() == {"userId": user} == app.phone.session.get(app.base + "/me", timeout=30).json()


# A code over the login request.

@pytest.mark.parametrize("factors", ["possession_knowledge", "possession_biometry"])
@pytest.mark.parametrize("body", [b"", b'{"user":"eva"}', b"\x00\xff"], ids=["empty", "object", "binary"])
def test_a_code_over_the_request(app, factors, body):
    assert logged_in(app, app.log_in(body, factors=factors))


def test_a_code_over_another_request(world, app):
    for wrong in ({"sent": b'{"user":"eve"}'}, {"uri_id": "/logout"}, {"pin": "00000"}):
        assert said(app.log_in(**wrong)) == (401, "authentication_failed")
    assert world.explanations(status=401)
    assert said(app.log_in(factors="possession")) == (403, "factors_insufficient")
    assert said(app.call("/login")) == (401, "authentication_required")
    assert said(app.call("/login", headers={"X-PowerAuth-Authorization": "PowerAuth nonsense"}))[0] == 401
    assert app.phone.session.get(app.base + "/me", timeout=30).status_code == 401
    assert logged_in(app, app.log_in())


def test_a_code_is_good_once(make_app):
    app = make_app()
    header = app.phone.authorization("POST", "/login", b"{}")
    assert app.call("/login", b"{}", header).status_code == 200
    assert said(app.call("/login", b"{}", header)) == (401, "authentication_failed")


def test_a_code_of_a_blocked_phone(backend, app):
    backend.block(app.phone.activation_id)
    assert said(app.log_in()) == (401, "authentication_failed")


# An operation for one device.

def started(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["operationId"]


def test_an_operation_that_the_user_approves(backend, app):
    operation = started(app.begin())
    told = backend.operation(operation)
    assert (told["userId"], told["registrationId"]) == ("eva", app.phone.activation_id)
    assert said(app.confirm(operation)) == (403, "not_approved")

    app.approve(operation)

    assert logged_in(app, app.confirm(operation))
    assert said(app.confirm(operation)) == (403, "already_used")


def test_an_operation_that_the_user_rejects(app):
    operation = started(app.begin())
    app.mobile.reject(operation)
    assert said(app.confirm(operation)) == (403, "not_approved")


@pytest.mark.parametrize("seconds, in_time", [(58, True), (61, False)])
def test_an_approval_is_good_for_a_minute(world, make_app, seconds, in_time):
    app = make_app()
    operation = started(app.begin())
    app.approve(operation)
    world.advance(seconds)
    if in_time:
        assert logged_in(app, app.confirm(operation))
    else:
        assert said(app.confirm(operation)) == (403, "too_late")


def test_an_operation_of_another_session_or_of_nobody(make_app, backend):
    app, other = make_app(), make_app()
    operation = started(app.begin())
    app.approve(operation)
    assert said(other.confirm(operation)) == (403, "login_unknown")
    started(other.begin())
    assert said(other.confirm(operation)) == (403, "login_unknown")
    foreign = backend.start("login", registrationId=app.phone.activation_id)["operationId"]
    app.approve(foreign)
    for unknown in (foreign, "0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0"):
        assert said(app.confirm(unknown)) == (403, "login_unknown")
    nobody = app.call("/login/init", b'{"registrationId":"0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0"}')
    assert (nobody.status_code, nobody.json()) == (400, {"error": "device_unknown"})
    assert said(app.call("/login/init", b"{}")) == (400, "invalid_request")
    assert logged_in(app, app.confirm(operation))


def test_a_failed_approval_is_tried_again(backend, refused, app):
    operation = started(app.begin())
    with refused(401, "POWERAUTH_AUTH_FAIL"):
        app.approve(operation, pin="00000")
    app.approve(operation)
    assert backend.operation(operation)["failureCount"] == 1
    assert logged_in(app, app.confirm(operation))


# Hardened by tokens.

def test_the_registration_comes_from_the_token(backend, make_app, version):
    app, victim = make_app(version=version), make_app("grace")
    token = app.phone.create_token("possession")
    lie = json.dumps({"registrationId": victim.phone.activation_id}).encode()
    claimed = started(app.call("/login/init", lie, app.phone.token_header(token)))
    assert backend.operation(claimed)["registrationId"] == app.phone.activation_id

    operation = started(app.begin(token))
    assert backend.operation(operation)["registrationId"] == app.phone.activation_id
    app.approve(operation)
    assert logged_in(app, app.confirm(operation, token))


def test_tokens_that_do_not_fit(backend, make_app):
    app, other = make_app(), make_app("grace")
    token, foreign = app.phone.create_token("possession"), other.phone.create_token("possession")
    header = app.phone.token_header(token)
    operation = started(app.call("/login/init", headers=header))
    assert said(app.call("/login/init", headers=header)) == (401, "authentication_failed")

    app.approve(operation)
    stolen = app.call("/login/confirm", json.dumps({"operationId": operation}).encode(), other.phone.token_header(foreign))
    assert said(stolen) == (403, "device_mismatch")
    for bad in (app.phone.token_header(token, timestamp=app.phone.now() - 7_300_000), {"X-PowerAuth-Token": "PowerAuth nonsense"}):
        assert said(app.call("/login/init", headers=bad)) == (401, "authentication_failed")
    backend.block(app.phone.activation_id)
    assert said(app.begin(token)) == (401, "authentication_failed")
    assert said(app.confirm(operation, token)) == (401, "authentication_failed")


# Whom the back end asks.

@pytest.fixture
def impostor():
    """A server that confirms whatever it is asked; the paths that it was asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"] or 0))
            asked.append(self.path)
            body = json.dumps({"signatureValid": True, "userId": "eva", "registrationId": "r", "registrationStatus": "ACTIVE",
                               "signatureType": "possession_knowledge"}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("field", ["Host", "X-Forwarded-Host"])
def test_the_host_field_does_not_choose_the_platform(app, impostor, field):
    host, asked = impostor
    headers = app.phone.authorization("POST", "/login", b"{}", pin="00000")
    assert said(app.call("/login", b"{}", headers | {field: host})) == (401, "authentication_failed")
    assert asked == []
