"""The classic M-Pin SDK against MIRACL's server, with and without time permits.

Source: the M-Pin SDK core in C++ and its recorded exchanges, the open servers of Apache Milagro.
"""

import time

import pytest

from miracl_channel import Refused
from miracl_device import BLOCKED, PIN, WRONG
from mpin import hex_of, times


@pytest.fixture
def permits(change_miracl):
    """Time permits are switched on."""
    change_miracl(time_permits=True)


def classic_status(phone, pin=PIN, **options):
    try:
        phone.log_in(pin, **options)
    except Refused as refused:
        return refused.status
    return 200


@pytest.mark.parametrize("prefix", ["rps", "rps/v2"])
def test_registration_and_login(make_classic, prefix):
    phone = make_classic(prefix=prefix)
    assert phone.uses_permits is False
    assert phone.start_authentication() is None
    assert phone.log_in(PIN)["status"] == 200
    assert [classic_status(phone, pin) for pin in (WRONG, PIN, WRONG, WRONG, WRONG, PIN)] == [401, 200, 401, 401, 410, 410]
    assert phone.state == BLOCKED


def test_a_one_time_password_comes_with_the_second_pass(make_classic, customer):
    phone = make_classic()
    phone.wants_otp = True
    told = phone.log_in(PIN)

    otp = phone.second_answer["OTP"]
    assert otp.isdigit() and len(otp) == 6
    # Milliseconds, for this generation alone.
    assert told["expireTime"] - told["nowTime"] == told["ttlSeconds"] * 1000
    assert abs(told["nowTime"] / 1000 - time.time()) < 60
    assert customer.check_otp(phone.user, otp).status_code == 200


def test_a_one_time_password_for_a_wrong_pin_is_worth_nothing(make_classic, customer, declined):
    phone = make_classic()
    phone.wants_otp = True
    with declined(401):
        phone.log_in(WRONG)
    otp = phone.second_answer["OTP"]
    assert otp.isdigit() and len(otp) == 6
    assert customer.check_otp(phone.user, otp).status_code == 401


def test_an_access_number_that_is_none(make_classic, declined):
    phone = make_classic()
    for pin in (WRONG, WRONG, WRONG):
        with declined(412):
            phone.log_in(pin, wid="1234567")
    assert phone.log_in(PIN)["status"] == 200


def test_a_browser_is_logged_in_by_an_access_number(make_classic):
    """A browser shows seven digits, the last of them a check; a phone types them in."""
    phone = make_classic()
    shown = phone.post(phone.settings["getAccessNumberURL"])
    assert shown["accessNumber"].isdigit() and len(shown["accessNumber"]) == phone.settings["accessNumberDigits"]
    polled = phone.post(phone.settings["accessNumberURL"], {"webOTT": shown["webOTT"]})
    assert polled["status"] == "new"

    assert classic_status(phone, WRONG, wid=shown["accessNumber"]) == 401
    assert classic_status(phone, PIN, wid=shown["accessNumber"]) == 200

    polled = phone.post(phone.settings["accessNumberURL"], {"webOTT": shown["webOTT"]})
    assert (polled["status"], polled["userId"]) == ("authenticate", phone.user)
    assert classic_status(phone, PIN, wid=shown["accessNumber"]) == 412


def test_the_second_authority_s_address_ends(make_classic, open_mail, world, declined):
    phone = make_classic(ready=False)
    phone.set_backend()
    phone.start_registration()
    open_mail(phone.user)
    first = phone.confirm_registration()
    world.advance(61)
    with declined(408):
        phone.get(phone.settings["certivoxURL"] + "clientSecret?" + first["params"])


# Time permits.

def test_a_permit_for_the_day(permits, make_classic):
    phone = make_classic()
    assert phone.uses_permits is True
    told = phone.start_authentication()
    assert {"timePermit", "date", "storageId", "signature"} <= set(told)
    assert told["storageId"] == phone.identity.hashed.hex()
    assert told["date"] == int(time.time()) // 86400
    assert phone.log_in(PIN)["status"] == 200
    assert [classic_status(phone, pin) for pin in (WRONG, WRONG, PIN, WRONG, WRONG, WRONG)] == [401, 401, 200, 401, 401, 410]


def test_both_ways_to_the_second_share_agree(permits, make_classic):
    phone = make_classic()
    told = phone.start_authentication()
    assert phone.stored_permit(told) == phone.permit_of_the_authority(told)
    assert phone.stored_permit(told | {"storageId": "0" * 64}) is None


def test_no_login_without_a_permit(permits, make_classic):
    phone = make_classic()
    with pytest.raises(Refused) as refused:
        phone.log_in(PIN)
    assert refused.value.status in (400, 403), refused.value


def test_a_permit_is_for_one_day(permits, make_classic, world):
    phone = make_classic()
    phone.start_authentication()
    assert classic_status(phone) == 200
    world.advance(86400)
    assert classic_status(phone) == 401
    told = phone.start_authentication()
    assert told["date"] == int(time.time() + 86400) // 86400
    assert classic_status(phone) == 200


def test_a_revoked_user_gets_no_permit(permits, make_classic, customer, declined):
    phone = make_classic()
    customer.revoke(phone.mpin_id)
    with declined(410):
        phone.start_authentication()


def test_a_forged_signature_gets_no_second_share(permits, make_classic):
    phone = make_classic()
    told = phone.start_authentication()
    with pytest.raises(Refused):
        phone.permit_of_the_authority(told | {"signature": "0" * len(told["signature"])})
    with pytest.raises(Refused):
        phone.permit_of_the_authority(told | {"storageId": "0" * 64})


def test_a_point_for_the_day_has_to_be_one(permits, make_classic, declined):
    phone = make_classic()
    phone.start_authentication()
    for wrong in ("04" + "0" * 128, "00", hex_of(times(2, phone.identity.point))[:-2]):
        with declined(400):
            phone.commit(UT=wrong)


def test_newer_clients_need_no_permit(permits, make_native, make_trust):
    assert make_native().status_of(PIN, scope=["otp"]) == 200
    assert make_trust().jwt()
