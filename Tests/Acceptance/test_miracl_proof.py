"""M-Pin proofs against MIRACL's server: right and wrong PINs, points that are none, everything that is good once or for a while.

Source: Apache Milagro's open servers and core; client-js 6 and 8.
"""

import re

import pytest
import requests

import mpin
import mpin_pairing
from miracl_channel import Refused
from miracl_device import BLOCKED, PIN, WRONG
from mpin import Identity, add, hex_of, map_to_point, point_of, times
from oauth_party import at_once


@pytest.fixture(params=["native", "web", "older", "trust"])
def device(request, make_native, make_trust):
    """A registered device of each kind."""
    make = {"native": make_native, "web": lambda: make_native(web=True), "older": lambda: make_trust(older=True),
            "trust": make_trust}
    return make[request.param]()


@pytest.fixture(params=["native", "trust"])
def either(request, make_native, make_trust):
    """A device without and one with a key pair."""
    return {"native": make_native, "trust": make_trust}[request.param]()


def test_the_right_pin(device):
    for _ in range(2):
        told = device.log_in(PIN, ["otp"])
        assert told["status"] == 200 and told["message"] == "OK"


def test_three_wrong_pins_in_a_row_block(device):
    """The second pass tells nothing; the third failure is told otherwise."""
    codes = []
    for _ in range(3):
        token = device.prove(WRONG, ["otp"])
        with pytest.raises(Refused) as refused:
            device.authenticate(token)
        codes.append((refused.value.status, refused.value.code))
    assert codes == [(401, "UNSUCCESSFUL_AUTHENTICATION")] * 2 + [(410, "REVOKED_MPINID")]
    assert device.state == BLOCKED

    token = device.prove(PIN, ["otp"])
    with pytest.raises(Refused) as refused:
        device.authenticate(token)
    assert (refused.value.status, refused.value.code) == (410, "REVOKED_MPINID")


def test_a_right_pin_starts_the_count_again(either):
    told = [either.status_of(pin, scope=["otp"]) for pin in (WRONG, WRONG, PIN, WRONG, WRONG, PIN, WRONG, WRONG, WRONG)]
    assert told == [401, 401, 200, 401, 401, 200, 401, 401, 410]


def test_one_device_is_blocked_and_not_the_user(make_native, make_trust):
    phones = [make_native(user="ada@example.com"), make_native(user="ada@example.com"), make_trust(user="ada@example.com")]
    assert [phones[0].status_of(WRONG) for _ in range(3)] == [401, 401, 410]
    assert [phone.status_of(PIN, scope=["otp"]) for phone in phones] == [410, 200, 200]


def test_a_proof_that_is_never_asked_about_costs_nothing(either):
    for _ in range(5):
        either.prove(WRONG, ["otp"])
    assert either.status_of(PIN, scope=["otp"]) == 200


def test_another_limit_and_longer_pins(change_miracl, make_native):
    change_miracl(max_attempts=1, pin_length=6)
    phone = make_native(pin="012345", ready=True)
    assert phone.status_of("12345", scope=["otp"]) == 200
    assert phone.status_of("123456") == 410


def test_the_journal_tells_how_wrong_a_pin_is(native, world):
    native.status_of("1241")
    told = world.journal(status=401, limit=1)[0]["explanation"]
    assert re.search(r"\b7\b", told), told
    assert re.search(r"\b2\b", told), f"two attempts are left: {told}"


# What is good once.

def test_a_verdict_is_told_once(either, declined):
    token = either.prove(PIN, ["otp"])
    either.authenticate(token)
    for again in (token, "0" * 32, ""):
        with declined(408 if again else 400, "REQUEST_EXPIRED" if again else None):
            either.authenticate(again)


def test_a_verdict_is_told_once_of_many_who_ask_at_the_same_moment(either):
    token = either.prove(PIN, ["otp"])
    given, errors = at_once(8, lambda: either.send("POST", either.authenticate_url, either.last_message(token)))
    assert len(given) == 1 and errors == {"REQUEST_EXPIRED"}


def test_wrong_pins_at_the_same_moment_are_all_counted(make_native):
    """Each of its own proof, since a new challenge replaces the one before."""
    phone = make_native()
    tokens = [phone.prove(WRONG) for _ in range(6)]
    waiting = iter(tokens)
    given, errors = at_once(6, lambda: phone.send("POST", phone.authenticate_url, {"authOTT": next(waiting)}))
    assert given == [] and errors == {"UNSUCCESSFUL_AUTHENTICATION", "REVOKED_MPINID"}
    assert phone.status_of(PIN) == 410


def test_a_wrong_verdict_is_counted_once(native, declined):
    token = native.prove(WRONG)
    with declined(401):
        native.authenticate(token)
    for _ in range(3):
        with declined(408):
            native.authenticate(token)
    assert native.status_of(PIN, scope=["otp"]) == 200


def test_a_challenge_is_answered_once(either, declined):
    x, y = either.commit(["otp"])
    either.answer(x, y)
    with declined(403):
        either.answer(x, y)


def test_a_challenge_is_gone_after_a_wrong_answer(either, declined):
    x, y = either.commit(["otp"])
    either.answer(x, y, WRONG)
    with declined(403):
        either.answer(x, y)


def test_a_second_pass_without_a_first(either, declined):
    with declined(403):
        either.answer(mpin.new_scalar(), mpin.new_scalar())


def test_a_new_challenge_replaces_the_one_before(either):
    x, y = either.commit(["otp"])
    either.commit(["otp"])
    token = either.answer(x, y)
    with pytest.raises(Refused) as refused:
        either.authenticate(token)
    assert refused.value.status == 401


def test_challenges_are_drawn_anew(either):
    assert len({either.commit()[1] for _ in range(4)}) == 4


def test_what_a_challenge_is_good_for_ends(either, world, declined):
    x, y = either.commit(["otp"])
    world.advance(16)
    with declined(403):
        either.answer(x, y)
    token = either.prove(PIN, ["otp"])
    world.advance(61)
    with declined(408, "REQUEST_EXPIRED"):
        either.authenticate(token)
    assert either.status_of(PIN, scope=["otp"]) == 200


# What is no proof.

@pytest.mark.parametrize("wrong", [
    "", "04", "0" * 130, "04" + "0" * 128, "zz", 7, None,
    "04" + f"{1:064x}" + f"{1:064x}", hex_of((mpin.P - 1, 1))[:-2], hex_of((mpin.P - 1, 1)) + "00",
    "02" + hex_of((mpin.P - 1, 1))[2:], "04" + f"{2 * mpin.P - 1:064x}" + f"{1:064x}", "00"])
def test_a_first_point_has_to_be_one(native, declined, wrong):
    with declined(400):
        native.commit(["otp"], U=wrong)


def test_points_in_capitals_are_points(native):
    x, u = native.identity.commit()
    told = native.post(native.pass1_url, native.first_message(native.identity, x, u, ["otp"]) | {"U": hex_of(u).upper()})
    token = native.answer(x, int(told["y"], 16))
    assert native.authenticate(token)["status"] == 200


@pytest.mark.parametrize("wrong", ["04", "00", "zz", "04" + "0" * 128, hex_of((mpin.P - 1, 1)), "02" + hex_of((1, 1))[2:]])
def test_a_second_point_that_is_none_is_a_wrong_pin(native, wrong):
    token = native.answer(*native.commit(["otp"]), V=wrong)
    with pytest.raises(Refused) as refused:
        native.authenticate(token)
    assert refused.value.status == 401


@pytest.mark.parametrize("changes", [{"V": None}, {"mpin_id": None}])
def test_a_second_pass_needs_all_its_members(native, declined, changes):
    x, y = native.commit(["otp"])
    with declined(403):
        native.answer(x, y, **changes)


def test_a_proof_of_one_is_none_of_another(make_native):
    ada, eve = make_native(), make_native()
    x, y = ada.commit(["otp"])
    token = ada.answer(x, y, V=hex_of(eve.identity.answer(x, y, PIN)))
    with pytest.raises(Refused) as refused:
        ada.authenticate(token)
    assert refused.value.status == 401


def test_an_identity_nobody_knows(make_trust, make_native, declined):
    for device in (make_trust(), make_native()):
        device.identity.mpin_id = b'{"userID":"nobody"}'.hex()
        with declined(403, "EXPIRED_MPINID"):
            device.commit()


def test_an_identity_may_end(change_miracl, make_native, world, declined):
    change_miracl(lifetimes={"identity": 1000})
    phone = make_native()
    world.advance(990)
    assert phone.status_of(PIN, scope=["otp"]) == 200
    world.advance(20)
    with declined(403, "EXPIRED_MPINID"):
        phone.commit()


def test_a_blocked_phone_registers_anew(make_native, enroll):
    phone = make_native()
    before = phone.mpin_id
    assert [phone.status_of(WRONG) for _ in range(3)] == [401, 401, 410]
    enroll(phone)
    assert phone.mpin_id != before and phone.status_of(PIN, scope=["otp"]) == 200


def test_ids_in_capitals_are_ids(native):
    native.identity.mpin_id = native.identity.mpin_id.upper()
    assert native.status_of(PIN, scope=["otp"]) == 200


def test_an_identity_nobody_knows_may_look_blocked(change_miracl, make_native):
    """For apps that are to register anew after a reset of this server."""
    change_miracl(block_unknown_identities=True)
    phone = make_native()
    phone.identity.mpin_id = b'{"userID":"nobody"}'.hex()
    assert phone.status_of(PIN) == 410 and phone.state == BLOCKED


def test_an_identity_that_was_never_finished(make_native, declined):
    """Its mail was not opened, so it has no secret; whoever claims to have one is nobody."""
    ready, pending = make_native(), make_native(ready=False)
    pending.set_backend()
    pending.start_registration()
    pending.identity = ready.identity
    x, u = ready.identity.commit()
    answer = pending.send("POST", ready.pass1_url, ready.first_message(ready.identity, x, u, []) | {"mpin_id": pending.mpin_id})
    with declined(403) as refusal:
        refusal.of(answer)


# Key pairs.

def test_the_public_key_has_to_be_the_registered_one(trust, native, declined):
    _, foreign = mpin_pairing.new_key_pair()
    for wrong in (foreign, "", mpin_pairing.point_outside_the_subgroup()):
        with declined(403):
            trust.commit(["jwt"], publicKey=wrong)
    with declined(403):
        native.commit(["otp"], publicKey=foreign)
    assert trust.jwt()


def test_another_key_s_secret_proves_nothing(trust):
    """What the server gave is multiplied by the key's secret; another multiple of it is worth nothing."""
    trust.identity = Identity(trust.mpin_id, trust.shares, PIN, trust.secret + 1, trust.public_key)
    assert trust.status_of(PIN, scope=["jwt"]) == 401


def test_a_key_pair_cannot_be_left_out_of_the_hash(make_trust):
    """The identity's point is that of its id and its key; that of the id alone is another."""
    device = make_trust()
    device.identity.point = map_to_point(mpin.identity_hash(bytes.fromhex(device.mpin_id)))
    assert device.status_of(PIN, scope=["jwt"]) == 401


def test_a_user_is_not_let_into_every_application(native, sample, world, declined):
    code = native.access_code(sample.authorize_url())
    fixtures = world.get("/fixtures")
    for application in fixtures["miracl"]["projects"][0]["applications"]:
        application["allowed_users"] = ["grace@example.com"]
    loaded = world.control("PUT", "/fixtures", json=fixtures)
    assert loaded.ok, loaded.text
    token = native.prove(PIN, ["oidc"], code)
    with declined(403, "FORBIDDEN"):
        native.authenticate(token)


# Access codes.

def test_an_access_code_that_is_none_is_told_before_the_pin(native, declined):
    """No attempt is counted then."""
    for pin in (PIN, WRONG, WRONG, WRONG):
        token = native.prove(pin, ["oidc"], "0" * 32)
        with declined(412, "INVALID_AUTH_SESSION"):
            native.authenticate(token)
    assert native.status_of(WRONG) == 401


def test_an_access_code_ends(native, sample, world, declined):
    code = native.access_code(sample.authorize_url())
    world.advance(290)
    assert native.start_authentication(code)
    world.advance(20)
    token = native.prove(PIN, ["authcode"], code)
    with declined(412, "INVALID_AUTH_SESSION"):
        native.authenticate(token)
    with declined(404, "INVALID_AUTH_SESSION"):
        native.start_authentication(code)


def test_an_access_code_logs_in_once(native, sample, declined):
    code = native.access_code(sample.authorize_url())
    native.code_for(code)
    token = native.prove(PIN, ["authcode"], code)
    with declined(412, "INVALID_AUTH_SESSION"):
        native.authenticate(token)


def test_a_wrong_pin_does_not_use_an_access_code_up(native, sample):
    code = native.access_code(sample.authorize_url())
    assert native.status_of(WRONG, scope=["authcode"], wid=code) == 401
    assert sample.redeem(native.code_for(code), native.user).status_code == 200


@pytest.mark.parametrize("scope", [["otp"], ["jwt"], ["reg-code"], ["dvs-auth"]])
def test_an_old_access_code_does_not_matter_to_what_is_no_login(native, sample, scope):
    """client-js 5 to 8 send it with everything after the first login."""
    code = native.access_code(sample.authorize_url())
    native.code_for(code)
    assert native.status_of(PIN, scope=scope, wid=code) == 200
    assert native.status_of(WRONG, scope=scope, wid=code) == 401


def test_a_code_without_an_access_code_is_taken_by_the_sample_app(native, sample):
    assert sample.redeem(native.log_in(PIN, ["authcode"])["code"], native.user).status_code == 200


@pytest.mark.parametrize("generation", ["native", "trust"])
@pytest.mark.parametrize("distance", [1, -2, 5000])
def test_the_journal_says_how_far_off_a_wrong_pin_is(world, request, generation, distance):
    """With a key pair too, by the pairing of a client that is not ours."""
    device = request.getfixturevalue(generation)
    assert device.status_of(f"{int(PIN) + distance:04}", scope=["jwt"]) == 401
    assert f"The PIN is off by {distance:+}." in world.explanations(status=401)[0]


# Renewal.

def test_a_renewal_of_the_second_generation(make_native, change_miracl):
    phone = make_native(web=True)
    change_miracl("identities", {"mpin_id": phone.mpin_id}, needs_renewal=True)
    told = phone.log_in(PIN, ["otp"])
    phone.renew(told["renewSecret"])
    phone.choose_pin(PIN)
    again = phone.log_in(PIN, ["otp"])
    assert "renewSecret" not in again and again["otp"]


@pytest.mark.parametrize("older", [False, True])
def test_a_renewal_of_the_third_generation(make_trust, change_miracl, older):
    device = make_trust(older=older)
    before = device.mpin_id
    change_miracl("identities", {"mpin_id": before}, needs_renewal=True)
    told = device.log_in_renewing()
    assert told["jwt"]
    assert (device.mpin_id == before) == older
    assert device.jwt()


@pytest.fixture
def shares(change_miracl):
    """Known master shares; a function rotates them."""
    first, second = (f"{mpin.new_scalar():064x}" for _ in range(2))
    change_miracl(first_share=first, second_share=second)

    def rotate():
        change_miracl(first_share=f"{mpin.new_scalar():064x}", second_share=f"{mpin.new_scalar():064x}",
                      previous_shares=[{"first": first, "second": second}])

    return rotate


def test_a_rotated_master_secret_renews_identities(shares, make_native, make_trust):
    phone, device = make_native(web=True), make_trust()
    before = list(phone.shares)
    shares()
    phone.renew(phone.log_in(PIN, ["otp"])["renewSecret"])
    phone.choose_pin(PIN)
    assert phone.shares != before and phone.log_in(PIN, ["otp"])["otp"]
    assert device.log_in_renewing()["jwt"]


def test_a_renewal_that_was_not_heard_of_costs_nothing(world, shares, make_native):
    phone = make_native(web=True)
    shares()
    for _ in range(4):
        told = phone.log_in(PIN, ["otp"])["renewSecret"]
    assert told["mpin_id"] == phone.mpin_id
    old = phone.shares, phone.dtas, phone.identity
    phone.renew(told)
    phone.choose_pin(PIN)
    assert phone.log_in(PIN, ["otp"])["otp"]
    phone.shares, phone.dtas, phone.identity = old
    assert phone.status_of(PIN, scope=["otp"]) == 401
    assert "secrets of the previous master shares" in world.explanations(status=401)[0]


def test_a_rotated_master_secret_still_counts_wrong_pins(shares, make_native):
    phone = make_native(web=True)
    shares()
    assert [phone.status_of(WRONG) for _ in range(3)] == [401, 401, 410]


def test_a_wrong_pin_renews_nothing(make_trust, change_miracl):
    device = make_trust()
    change_miracl("identities", {"mpin_id": device.mpin_id}, needs_renewal=True)
    assert device.status_of(WRONG, scope=["jwt"]) == 401
    assert device.log_in(PIN, ["jwt"])["dvsRegister"]["token"]


def test_a_proof_is_made_by_arithmetic_and_not_by_luck(native):
    """The equation of the document, on what travelled: the shares, the points, the challenge."""
    x, u = native.identity.commit()
    told = native.post(native.pass1_url, native.first_message(native.identity, x, u, ["otp"]))
    y = int(told["y"], 16)
    v = native.identity.answer(x, y, PIN)
    secret = add(*map(point_of, native.shares))
    assert add(v, times(x + y, secret)) is None
    token = native.post(native.pass2_url, native.second_message(native.identity, v, None))["authOTT"]
    assert native.authenticate(token)["status"] == 200


def test_answers_are_200_and_never_another_success(native, sample, world):
    native.set_backend()
    native.code_for(native.access_code(sample.authorize_url()))
    told = [entry["exchange"] for entry in world.journal(platform="miracl", limit=100) if "exchange" in entry]
    assert len(told) > 8 and {exchange["status"] for exchange in told if exchange["status"] < 300} == {200}


def test_bodies_of_refusals_are_texts(miracl):
    told = requests.post(miracl + "/rps/v2/authenticate", json={"authOTT": "0" * 32, "wam": "dvs"}, timeout=30)
    body = told.json()
    assert told.status_code == 408 and body["error"] == "REQUEST_EXPIRED"
    assert type(body["info"]) is str and all(type(value) is str for value in body["context"].values())
