"""What back ends ask of MIRACL: one-time passwords, revocation, the audit, and the pages of the sample.

Source: MIRACL's documentation of the back end API, its .NET sample.
"""

import hashlib

import pytest
import requests

from miracl_backend import CLIENT, SERVICE_TOKEN, Backend
from miracl_channel import Refused
from miracl_device import BLOCKED, PIN, WRONG


def test_a_one_time_password_is_good_once(native, customer):
    told = native.log_in(PIN, ["otp"])
    assert told["expireTime"] - told["nowTime"] == told["ttlSeconds"]
    assert customer.check_otp(native.user, told["otp"]).status_code == 200
    assert customer.check_otp(native.user, told["otp"]).status_code == 401


def test_a_one_time_password_is_of_its_user_and_ends(native, make_native, customer, world):
    other = make_native()
    told = native.log_in(PIN, ["otp"])
    assert customer.check_otp(other.user, told["otp"]).status_code == 401
    assert customer.check_otp(native.user, "000000" if told["otp"] != "000000" else "111111").status_code == 401
    world.advance(told["ttlSeconds"] + 1)
    assert customer.check_otp(native.user, told["otp"]).status_code == 401


def test_a_one_time_password_without_a_user(native, customer):
    otp = native.log_in(PIN, ["otp"])["otp"]
    answer = customer.send("POST", customer.base + "/otp", {"otp": otp}, headers=customer.basic)
    assert answer.status_code == 200, answer.text


def test_who_may_ask_about_a_one_time_password(native, miracl):
    otp = native.log_in(PIN, ["otp"])["otp"]
    assert Backend(miracl, secret="wrong").check_otp(native.user, otp).status_code == 401
    assert Backend(miracl).check_otp(native.user, otp).status_code == 200


@pytest.mark.parametrize("kind", ["basic", "bearer"])
@pytest.mark.parametrize("hashed", [True, False])
def test_a_revoked_device_is_out(make_native, customer, kind, hashed, declined):
    lost, kept = make_native(user="ada@example.com"), make_native(user="ada@example.com")
    digest = hashlib.sha256(bytes.fromhex(lost.mpin_id)).hexdigest()
    told = customer.revoke(digest if hashed else lost.mpin_id, headers=getattr(customer, kind), reason="lost")

    assert told == {"hashMPinID": digest, "reason": "lost"}
    with declined(410, "REVOKED_MPINID"):
        lost.log_in(PIN)
    assert lost.state == BLOCKED
    assert kept.status_of(PIN, scope=["otp"]) == 200


def test_a_revoked_device_of_trust(trust, customer, declined):
    customer.revoke(trust.mpin_id)
    with declined(410, "REVOKED_MPINID"):
        trust.jwt()


def test_who_may_revoke(native, miracl, declined):
    digest = hashlib.sha256(bytes.fromhex(native.mpin_id)).hexdigest()
    with declined(401, "UNAUTHORIZED"):
        Backend(miracl, secret="wrong").revoke(digest)
    with declined(403, "FORBIDDEN"):
        Backend(miracl, project="another").revoke(digest)
    with pytest.raises(Refused) as refused:
        Backend(miracl).revoke("0" * 64)
    assert 400 <= refused.value.status < 500
    assert native.status_of(PIN, scope=["otp"]) == 200


def test_the_audit_tells_who_did_what(native, customer):
    native.log_in(PIN, ["otp"])
    native.status_of(WRONG)
    told = customer.audit(userId=native.user)

    assert told["total"] == len(told["list"]) > 0
    digest = hashlib.sha256(bytes.fromhex(native.mpin_id)).hexdigest()
    for entry in told["list"]:
        assert entry["userID"] == native.user and entry["eventType"] and entry["eventStatus"] and entry["createdAt"]
        assert entry["mpinID"] in ("", digest) and "deviceName" in entry and "IPAddress" in entry
    events = {(entry["eventType"], entry["eventStatus"]) for entry in told["list"]}
    assert ("authentication", "authenticate_success") in events
    assert len({status for kind, status in events if kind == "authentication"}) > 1


def test_the_audit_by_pages_and_by_what_is_asked(make_native, customer):
    for _ in range(2):
        make_native().log_in(PIN, ["otp"])
    whole = customer.audit()
    assert whole["total"] >= 2
    pages = [customer.audit(offset=at, limit=1) for at in range(2)]
    assert [page["list"] for page in pages] == [whole["list"][:1], whole["list"][1:2]]
    assert {page["total"] for page in pages} == {whole["total"]}
    assert customer.audit(userId="nobody@example.com")["total"] == 0
    assert customer.audit(applicationId="nobody")["total"] == 0


def test_who_may_read_the_audit(miracl, declined):
    with declined(401, "UNAUTHORIZED"):
        Backend(miracl, secret="wrong").audit()
    with declined(403, "FORBIDDEN"):
        Backend(miracl, project="another").audit()
    with declined(400, "INVALID_REQUEST_PARAMETERS"):
        Backend(miracl).audit(limit="many")
    assert "list" in Backend(miracl).audit(headers={"Authorization": "Bearer " + SERVICE_TOKEN})


def test_the_generator_of_one_time_passwords_is_a_page(miracl):
    answer = requests.get(miracl + "/otpgen", params={"client_id": CLIENT}, timeout=30)
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html")
