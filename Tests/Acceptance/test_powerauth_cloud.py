"""PowerAuth Cloud as back ends call it: accounts, forms, errors, and what real clients send that is not quite right."""

import json
import socket
import uuid

import pytest
import requests

from powerauth_answers import checked
from powerauth_arithmetic import b64, unb64
from powerauth_backend import INTEGRATION, Backend
from powerauth_messages import Configuration

NOBODY = "0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0"


# Accounts.

def test_who_does_not_log_in_gets_nothing(world):
    name, password = INTEGRATION
    for credentials in (None, ("", ""), (name, "wrong"), ("nobody", password), (name.upper(), password)):
        for path in ("/v2/registrations?userId=eva", "/admin/applications", "/v2/operations/" + NOBODY):
            answer = requests.get(world.url + "/powerauth-cloud" + path, auth=credentials, timeout=30)
            assert answer.status_code == 401 and answer.headers["WWW-Authenticate"].startswith("Basic "), (credentials, path)
            body = answer.json()
            assert body["status"] == "ERROR" and body["responseObject"]["code"] in ("HTTP_401", "ERROR_UNAUTHORIZED"), body
            assert world.journal(status=401, limit=1)[0]["explanation"]


def test_credentials_that_are_none(world):
    for header in ("Basic", "Basic !!!", "Basic " + b64(b"no colon"), "Bearer x", 'Digest username="x"',
                   "Basic " + b64(b"\xff:\xfe")):
        answer = requests.get(
            world.url + "/powerauth-cloud/v2/registrations?userId=eva", headers={"Authorization": header}, timeout=30)
        assert answer.status_code == 401 and answer.headers["WWW-Authenticate"].startswith("Basic "), header


def test_an_account_without_the_role_is_forbidden(world, administrator, application):
    made = administrator.create_user("till")
    plain = Backend(world.url + "/powerauth-cloud", (made["username"], made["password"]))
    assert (made["enabled"], made["role"], made["applications"]) == (True, ["ROLE_USER"], [])
    for method, path, body in (("GET", "/admin/applications", None), ("POST", "/admin/users", {"username": "x"}),
                               ("GET", f"/admin/applications/{application}", None)):
        refused = plain.call(method, path, body)
        assert refused.status_code == 403 and refused.json()["status"] == "ERROR", refused.text
        assert world.journal(status=403)[0]["explanation"]


def test_an_account_sees_its_own_applications_alone(world, administrator, refused, application, make_phone):
    administrator.create_application("another-app", ["ROLE_A", "ROLE_B"])
    made = administrator.create_user("till")
    stranger = Backend(world.url + "/powerauth-cloud", (made["username"], made["password"]))
    assigned = administrator.assign("till", "another-app")
    assert assigned["applications"] == ["another-app"] and "password" not in assigned

    phone = make_phone("eva")
    with refused(400, "ERROR_REGISTRATION_NOT_FOUND"):
        stranger.registration(phone.activation_id)
    with refused(400, "ERROR_REGISTRATION_NOT_FOUND"):
        stranger.remove(phone.activation_id)
    with refused(400):
        stranger.register("eva", application)
    assert stranger.registrations("eva") == []
    started = stranger.register("eva", "another-app")
    assert stranger.registration(started["registrationId"])["applicationId"] == "another-app"


def test_an_application_is_made_ready_to_use(world, administrator, refused):
    made = administrator.create_application("shop", ["ROLE_B", "ROLE_A"])
    assert made == administrator.application("shop")
    assert (made["id"], made["roles"]) == ("shop", ["ROLE_B", "ROLE_A"])
    assert made["serviceBaseUrl"] == world.url + "/enrollment-server"
    read = Configuration(made["mobileSdkConfig"])
    assert (read.key, read.secret) == (made["appKey"], made["appSecret"])
    assert len(unb64(made["appKey"])) == len(unb64(made["appSecret"])) == 16
    assert "shop" in [one["id"] for one in administrator.ask("GET", "/admin/applications")["applications"]]
    for identifier in ("shop", "", "a", "with a blank", "x" * 256):
        with refused(400, "ERROR_REQUEST"):
            administrator.create_application(identifier)
    with refused(400):
        administrator.application("nowhere")


# What real clients send.

def raw(backend, method, path, body=b"", **headers):
    """A request with just these headers."""
    session = requests.Session()
    session.auth = backend.session.auth
    request = session.prepare_request(requests.Request(method, backend.base + path, data=body))
    for name in ("Content-Type", "Accept", "User-Agent"):
        request.headers.pop(name, None)
    request.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
    return session.send(request, timeout=30)


def test_a_content_type_may_be_missing_but_no_other_than_json(backend, application):
    body = json.dumps({"userId": "eva", "appId": application}).encode()
    for headers in ({}, {"Content_Type": "application/json; charset=UTF-8"}, {"cONTENT_tYPE": "Application/JSON"}):
        assert checked(raw(backend, "POST", "/v2/registrations", body, **headers))["registrationId"]
    assert raw(backend, "POST", "/v2/registrations", body, Content_Type="text/plain").status_code == 415


def test_what_follows_the_value_is_overlooked(backend, application):
    for tail in (b"}", b"\n", b" }}", b" x"):
        body = json.dumps({"userId": "eva", "appId": application}).encode() + tail
        assert checked(raw(backend, "POST", "/v2/registrations", body))["registrationId"]


def test_members_that_are_null_or_unknown_are_overlooked(backend, make_phone):
    phone = make_phone("eva", commit=False)
    nulls = {"template": "login", "userId": None, "registrationId": phone.activation_id, "parameters": None, "language": None,
             "externalId": None, "flag": None, "timestampExpires": None, "proximityCheckEnabled": None, "silent": None,
             "operationType": "login", "somethingNew": {"a": [1]}}
    commit = {"externalUserId": None, "otp": None, "extra": 1}
    checked(raw(backend, "POST", f"/v2/registrations/{phone.activation_id}/commit", json.dumps(commit).encode()))
    told = checked(raw(backend, "POST", "/v2/operations", json.dumps(nulls).encode()))
    assert told["status"] == "PENDING" and told["userId"] == "eva" and told["parameters"] == {}


def test_a_deletion_needs_no_body_and_has_an_answer(backend, application):
    for body, headers in ((b"", {}), (b"", {"Content_Type": "application/json"}), (b"{}", {"Content_Type": "application/json"}),
                          (b"\n", {})):
        registration = backend.register("eva", application)["registrationId"]
        operation = backend.start("login", userId="eva")["operationId"]
        for path in (f"/v2/operations/{operation}", f"/v2/registrations/{registration}"):
            assert checked(raw(backend, "DELETE", path, body, **headers)) == {"status": "OK"}
        assert backend.operation(operation)["status"] == "CANCELED"


def test_an_assignment_needs_no_body(administrator, application):
    administrator.create_user("till")
    told = checked(raw(administrator, "POST", f"/admin/users/till/applications/{application}"))
    assert told["applications"] == [application]


def test_a_header_is_read_with_and_without_its_commas(backend, make_phone):
    phone = make_phone()

    def header():
        return phone.authorization("POST", "/login")["X-PowerAuth-Authorization"]

    for separator in (", ", ",", " ", " , ", "  "):
        for text in (header().replace(", ", separator), header().replace(", ", separator, 1)):
            assert backend.verify({"X-PowerAuth-Authorization": text}, "POST", "/login")["signatureValid"] is True, text
        token = phone.token_header(phone.create_token())["X-PowerAuth-Token"].replace(", ", separator)
        assert backend.verify_token({"X-PowerAuth-Token": token})["tokenValid"] is True, token


# Errors.

@pytest.mark.parametrize("path", ["/v2/registrations", "/v2/operations", "/v2/authentication/verify", "/v2/token/verify",
                                  "/v2/inbox/messages"])
def test_bodies_that_are_no_request(backend, refused, path):
    for body in (b"", b"{", b"[]", b"null", b'"text"', b"\xff\xfe", b"[" * 5000, b'{"userId": 5, "appId": []}'):
        with refused(400, "ERROR_REQUEST", about=body):
            checked(raw(backend, "POST", path, body))


def test_what_is_missing_is_named(backend, refused):
    for path, body, missing in (
            ("/v2/registrations", {}, {"userId", "appId"}), ("/v2/registrations", {"userId": "eva"}, {"appId"}),
            ("/v2/operations", {"userId": "eva"}, {"template"}), ("/v2/token/verify", {}, {"authHeader"}),
            ("/v2/authentication/verify", {"method": "POST"}, {"uriId", "authHeader"})):
        with refused(400, "ERROR_REQUEST", about=path) as refusal:
            refusal.of(backend.call("POST", path, body))
        violations = refusal.details["violations"]
        assert missing <= {one["fieldName"] for one in violations}, violations
        assert all(one["hint"] for one in violations)


def test_what_does_not_exist(backend, refused):
    for action in (backend.registration, backend.commit, backend.block, backend.unblock, backend.remove):
        for identifier in (NOBODY, "not-a-uuid"):
            with refused(400, "ERROR_REGISTRATION_NOT_FOUND"):
                action(identifier)
    for action in (backend.operation, backend.cancel):
        for identifier in (NOBODY, "not-a-uuid"):
            with refused(400, "ERROR_OPERATION_NOT_FOUND"):
                action(identifier)
    with refused(400, "ERROR_OPERATION_NOT_FOUND"):
        backend.offline_qr(NOBODY, NOBODY)
    with refused(404, "ERROR_NOT_FOUND"):
        backend.ask("GET", "/v2/nowhere")
    assert backend.registrations("nobody") == [] and backend.operations("nobody") == []


def test_a_reason_for_cancelling_has_its_length(backend, refused):
    operation = backend.start("login", userId="eva")["operationId"]
    with refused(400, "ERROR_REQUEST"):
        backend.cancel(operation, statusReason="x" * 33)
    backend.cancel(operation, statusReason="x" * 32)
    assert backend.operation(operation)["statusReason"] == "x" * 32


def test_headers_that_cannot_be_read(backend, refused):
    for header in ("", "PowerAuth", "Bearer x", 'PowerAuth pa_version="3.3"'):
        with refused(400, "ERROR_SIGNATURE_INVALID" if header else None):
            backend.verify({"X-PowerAuth-Authorization": header}, "POST", "/login")
        with refused(400, "ERROR_TOKEN_INVALID" if header else None):
            backend.verify_token({"X-PowerAuth-Token": header})


def test_a_token_of_nobody_is_invalid_and_no_error(backend, make_phone):
    phone = make_phone("eva")
    token = phone.create_token()
    token.id = str(uuid.uuid4())
    assert backend.verify_token(phone.token_header(token)) == {"tokenValid": False}


# Lists and history.

def test_registrations_are_listed_newest_first(backend, application, make_phone):
    made = [make_phone("eva").activation_id for _ in range(3)]
    backend.block(made[0])
    listed = backend.registrations("eva")
    assert [one["registrationId"] for one in listed] == made[::-1]
    assert [one["registrationStatus"] for one in listed] == ["ACTIVE", "ACTIVE", "BLOCKED"]
    assert listed[2]["blockedReason"] == "NOT_SPECIFIED" and "blockedReason" not in listed[0]
    assert {one["applicationId"] for one in listed} == {application}


def test_operations_are_listed_newest_first_and_in_pages(backend):
    made = [backend.start("login", userId="eva", externalId=f"order-{number % 2}")["operationId"] for number in range(4)]
    backend.cancel(made[0])

    def ids(**query):
        return [one["operationId"] for one in backend.operations("eva", **query)]

    assert ids() == made[::-1] and ids(page=1, size=3) == made[:1] and ids(page=2, size=3) == []
    assert ids(status="CANCELED") == made[:1] and ids(externalId="order-1") == [made[3], made[1]]


def test_the_audit_tells_of_codes(backend, make_phone):
    phone = make_phone("eva")
    backend.verify(phone.authorization("POST", "/login"), "POST", "/login")
    backend.verify(phone.authorization("POST", "/login", pin="00000"), "POST", "/login")
    items = backend.ask("GET", "/audit/log", userId="eva")["items"]
    assert items and all(one["activationId"] == phone.activation_id and type(one["timestamp"]) is int for one in items)
    assert "signature_ok" in {one["eventType"] for one in items}


# On the wire.

def test_a_request_without_any_header_but_the_needed(server, world, application):
    """As a client writes it that has no library."""
    body = json.dumps({"userId": "eva", "appId": application}).encode()
    host, port = server.address
    path = world.url.removeprefix(server.url) + "/powerauth-cloud/v2/registrations"
    head = (f"POST {path} HTTP/1.1\r\nhost: {host}:{port}\r\nAUTHORIZATION: Basic {b64(':'.join(INTEGRATION).encode())}\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n")
    with socket.create_connection((host, port), timeout=30) as connection:
        connection.sendall(head.encode() + body)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 200") and b"registrationId" in answer
