"""What developers do to MIRACL from outside, by the control API: no mail to open, no PIN to spoil, nothing to wait for.

Source: ours; what it is for, from what client teams ask of such servers.
"""

import hashlib

import pytest

from miracl_backend import PROJECT
from miracl_device import PIN, WRONG
from miracl_mfa import MFADevice


@pytest.fixture
def act(world):
    """Does something to a record, as its button in the console would; the record afterwards."""
    def act(identifier, action, **inputs):
        answer = world.control("POST", f"/records/miracl/{identifier}/{action}", json={"inputs": inputs})
        assert answer.ok, answer.text
        return answer.json()

    return act


@pytest.fixture
def make(world):
    """Makes a record; its id."""
    def make(kind, **inputs):
        answer = world.control("POST", "/records", json={"platform": "miracl", "kind": kind, "inputs": inputs})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    return make


def id_of(device):
    """Records of identities are named as back ends name them."""
    return hashlib.sha256(bytes.fromhex(device.mpin_id)).hexdigest()


def records(world, kind, **query):
    return world.get("/records", platform="miracl", kind=kind, **query)["records"]


def test_an_identity_is_listed_with_its_state(world, make_native, enroll):
    phone = make_native(ready=False)
    phone.set_backend()
    phone.start_registration()
    [listed] = records(world, "identity", user=phone.user)
    assert (listed["id"], listed["state"], listed["title"]) == (id_of(phone), "pending", phone.name)
    enroll(phone)
    phone.log_in(PIN, ["otp"])
    assert {one["state"] for one in records(world, "identity", user=phone.user)} == {"pending", "active"}


def test_a_registration_is_verified_without_its_mail(make_native, act):
    phone = make_native(ready=False)
    phone.set_backend()
    phone.start_registration()
    assert act(id_of(phone), "verify")["state"] == "verified"
    phone.confirm_registration()
    phone.choose_pin()
    assert phone.status_of(PIN, scope=["otp"]) == 200


def test_a_spoilt_identity_is_unblocked(native, act):
    assert native.status_of(PIN, scope=["otp"]) == 200
    assert [native.status_of(WRONG) for _ in range(3)] == [401, 401, 410]
    act(id_of(native), "unblock")
    assert [native.status_of(pin, scope=["otp"]) for pin in (WRONG, WRONG, PIN)] == [401, 401, 200]


@pytest.mark.parametrize("action", ["block", "revoke"])
def test_an_identity_is_put_out(native, act, action):
    assert native.status_of(PIN, scope=["otp"]) == 200
    act(id_of(native), action)
    assert native.status_of(PIN) == 410


def test_a_deleted_identity_is_nobody_s(native, world, declined):
    answer = world.control("POST", f"/records/miracl/{id_of(native)}/delete", json={"inputs": {}})
    assert answer.ok, answer.text
    with declined(403, "EXPIRED_MPINID"):
        native.commit()


def test_an_identity_is_renewed_on_demand(trust, act):
    trust.jwt()
    before = trust.mpin_id
    act(id_of(trust), "renew")
    assert trust.log_in_renewing()["jwt"] and trust.mpin_id != before


def test_master_shares_are_rotated_on_demand(make_native, make_trust, act):
    phone, device = make_native(web=True), make_trust()
    act(PROJECT, "rotate")
    phone.renew(phone.log_in(PIN, ["otp"])["renewSecret"])
    phone.choose_pin()
    assert phone.status_of(PIN, scope=["otp"]) == 200
    assert device.log_in_renewing()["jwt"]
    assert make_native().status_of(PIN, scope=["otp"]) == 200


def test_registrations_are_taken_as_confirmed_on_demand(make_native, act):
    act(PROJECT, "force")
    phone = make_native(ready=False)
    phone.set_backend()
    assert phone.start_registration()["active"] is True
    act(PROJECT, "unforce")
    assert phone.start_registration()["active"] is False


def test_settings_change_at_once(make_native, act, world):
    phone, other = make_native(), make_native(ready=False)
    act(PROJECT, "configure", pin_length="6", max_attempts="2", backoff="30", time_permits="yes", verification_method="code")
    assert other.set_backend()["usePermits"] is True
    assert other.start_registration()["pinLength"] == 6
    assert "Type the following code to register your device: " in world.messages(to=other.user)[0]["text"]
    assert [phone.status_of(WRONG, scope=["otp"]) for _ in range(2)] == [401, 410]


def test_an_access_session_is_ended_from_outside(customer, trust, act, declined):
    expired, aborted = customer.start_session(), customer.start_session()
    act(expired.code, "expire")
    act(aborted.code, "abort")
    assert (expired.status, aborted.status) == ("expired", "abort")
    for session in (expired, aborted):
        with declined(404, "INVALID_AUTH_SESSION"):
            trust.choose_user(session.code)


def test_an_activation_token_is_made_without_a_back_end(make_trust, make):
    device = make_trust(ready=False)
    identifier = make("code", project=PROJECT, user=device.user)
    device.register(identifier.split("-", 1)[1])
    assert device.jwt()


def test_a_project_is_made_and_works_at_once(make, miracl, act):
    make("project", id="acme", name="Acme", client_id="acme-app", client_secret="s", redirect_uri="https://acme.example/login")
    phone = MFADevice(miracl, "acme")
    phone.set_backend()
    phone.start_registration()
    act(id_of(phone), "verify")
    phone.confirm_registration()
    phone.choose_pin()
    query = {"client_id": "acme-app", "redirect_uri": "https://acme.example/login", "response_type": "code", "scope": "openid",
             "state": "s"}
    told = phone.post(miracl + "/authorize", params=query)
    assert phone.log_in(PIN, ["authcode"], told["accessId"])["code"]


@pytest.mark.parametrize("inputs", [{"pin_length": "3"}, {"max_attempts": "none"}, {"time_permits": "maybe"}])
def test_settings_that_are_none_change_nothing(world, inputs):
    before = world.get("/fixtures")["miracl"]["projects"]
    answer = world.control("POST", f"/records/miracl/{PROJECT}/configure", json={"inputs": inputs})
    assert 400 <= answer.status_code < 500 and answer.json()["detail"]
    assert world.get("/fixtures")["miracl"]["projects"] == before


def test_pins_are_told_apart_by_a_clock_that_moves(native, world):
    """Everything that expires obeys the world's clock, and nothing else does."""
    native.status_of(WRONG)
    world.advance(30 * 86400)
    assert [native.status_of(pin, scope=["otp"]) for pin in (WRONG, PIN)] == [401, 200]
