"""The three ways in which PowerAuth's guide logs users of an app in, at the sample app's back end: a code over the login request,
an operation that the user approves, and the same hardened by MAC tokens."""

import json

import pytest

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


# A code over the login request.

@pytest.mark.parametrize("factors", ["possession_knowledge", "possession_biometry"])
@pytest.mark.parametrize("body", [b"", b'{"user":"eva"}', b"\x00\xff"])
def test_a_code_over_the_request(app, factors, body):
    answer = app.log_in(body, factors=factors)
    assert answer.status_code == 200, answer.text


def test_a_code_over_another_request(app):
    for wrong in ({"sent": b'{"user":"eve"}'}, {"uri_id": "/logout"}, {"pin": "00000"}, {"factors": "possession"}):
        answer = app.log_in(**wrong)
        assert answer.status_code in (401, 403), answer.text
    assert app.call("/login").status_code == 401
    assert app.log_in().status_code == 200


def test_a_code_of_a_blocked_phone(backend, app):
    backend.block(app.phone.activation_id)
    assert app.log_in().status_code in (401, 403)


# An operation for one device.

def started(answer):
    assert answer.status_code == 200, answer.text
    return answer.json()["operationId"]


def test_an_operation_that_the_user_approves(backend, app):
    operation = started(app.begin())
    told = backend.operation(operation)
    assert (told["userId"], told["registrationId"]) == ("eva", app.phone.activation_id)
    assert app.confirm(operation).status_code in (401, 403)

    app.approve(operation)

    confirmed = app.confirm(operation)
    assert confirmed.status_code == 200, confirmed.text
    again = app.confirm(operation)
    assert again.status_code in (401, 403, 409), again.text


def test_an_operation_that_the_user_rejects(app):
    operation = started(app.begin())
    app.mobile.reject(operation)
    assert app.confirm(operation).status_code in (401, 403)


def test_an_approval_that_is_older_than_a_minute(world, make_app):
    app = make_app()
    operation = started(app.begin())
    app.approve(operation)
    world.advance(61)
    assert app.confirm(operation).status_code in (401, 403)


def test_an_operation_of_another_session_or_of_nobody(make_app, backend):
    app, other = make_app(), make_app()
    operation = started(app.begin())
    app.approve(operation)
    assert other.confirm(operation).status_code in (401, 403)
    foreign = backend.start("login", registrationId=app.phone.activation_id)["operationId"]
    app.approve(foreign)
    assert app.confirm(foreign).status_code in (401, 403)
    assert app.confirm("0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0").status_code in (401, 403, 404)
    assert app.call("/login/init", b'{"registrationId":"0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0"}').status_code in (400, 401, 403)


def test_a_failed_approval_is_tried_again(refused, app):
    operation = started(app.begin())
    with refused(401, "POWERAUTH_AUTH_FAIL"):
        app.approve(operation, pin="00000")
    app.approve(operation)
    assert app.confirm(operation).status_code == 200


# Hardened by tokens.

def test_the_registration_comes_from_the_token(backend, make_app, version):
    app, victim = make_app(version=version), make_app("grace")
    token = app.phone.create_token("possession")
    lie = json.dumps({"registrationId": victim.phone.activation_id}).encode()
    answer = app.call("/login/init", lie, app.phone.token_header(token))
    # Refused or disregarded, but never believed.
    if answer.status_code == 200:
        assert backend.operation(answer.json()["operationId"])["registrationId"] == app.phone.activation_id

    operation = started(app.begin(token))
    assert backend.operation(operation)["registrationId"] == app.phone.activation_id
    app.approve(operation)
    assert app.confirm(operation, token).status_code == 200


def test_tokens_that_do_not_fit(world, backend, make_app):
    app, other = make_app(), make_app("grace")
    token, foreign = app.phone.create_token("possession"), other.phone.create_token("possession")
    header = app.phone.token_header(token)
    assert app.call("/login/init", headers=header).status_code == 200
    assert app.call("/login/init", headers=header).status_code in (401, 403)

    operation = started(app.begin(token))
    app.approve(operation)
    stolen = app.call("/login/confirm", json.dumps({"operationId": operation}).encode(), other.phone.token_header(foreign))
    assert stolen.status_code in (401, 403)

    stale = app.phone.token_header(token, timestamp=app.phone.now() - 7_300_000)
    assert app.call("/login/init", headers=stale).status_code in (401, 403)
    backend.block(app.phone.activation_id)
    assert app.begin(token).status_code in (401, 403)
