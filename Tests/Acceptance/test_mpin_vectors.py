"""The phone's side of M-Pin, which the tests of MIRACL rely on, against published values and values of another implementation.

Source: `Tests/Vectors/mpin/README.md`.
"""

import json
from itertools import chain

import pytest

import mpin
import mpin_pairing
from mpin import Identity, NotAPoint, add, hex_of, map_to_point, point_of, times
from understudy import ROOT

VECTORS = ROOT / "Tests/Vectors/mpin"


def rows(name):
    found = json.loads((VECTORS / f"bn254cx-{name}.json").read_text())
    assert len(found) >= 41
    return found


def number(row, name):
    return int(row[name], 16)


def master_of(row):
    return (number(row, "MS1") + number(row, "MS2")) % mpin.R


def identity_of(row):
    """The identity of a row, once its secrets are right."""
    made = Identity(row["MPIN_ID_HEX"], [row["CS1"], row["CS2"]], row["PIN1"])
    assert bytes.fromhex(row["MPIN_ID_HEX"]).decode() == row["mpin_id"]
    assert made.hashed.hex() == row["HASH_MPIN_ID_HEX"]
    for share, secret in (("CS1", "MS1"), ("CS2", "MS2")):
        assert hex_of(times(number(row, secret), made.point)) == row[share]
    assert hex_of(times(master_of(row), made.point)) == row["CLIENT_SECRET"]
    assert hex_of(made.token) == row["TOKEN"]
    return made


def permit_of(row, identity):
    """The time permit and the identity's point for the day, once they are right."""
    day = map_to_point(mpin.date_hash(row["DATE"], identity.hashed))
    for share, secret in (("TP1", "MS1"), ("TP2", "MS2")):
        assert hex_of(times(number(row, secret), day)) == row[share]
    permit = add(point_of(row["TP1"]), point_of(row["TP2"]))
    assert hex_of(permit) == row["TIME_PERMIT"]
    return permit, identity.permitted(row["DATE"])


def check_verdict(row, y, u, v, point, permitted=None):
    """The verdict of a row, by the equation that needs no pairing; and by how much a wrong PIN is wrong."""
    day_u, day_point = permitted or (u, point)
    accepted = row["SERVER_OUTPUT"] == 0
    error = row["PIN2"] - row["PIN1"]
    assert accepted == (error == 0), row
    assert mpin.accepts(master_of(row), day_u, y, v, day_point) == accepted
    assert mpin.is_off_by(error, master_of(row), u, y, v, point, permitted)
    assert not mpin.is_off_by(error + 1, master_of(row), u, y, v, point, permitted)


def test_the_curves_are_those_of_the_document():
    assert mpin.P == 0x2400000008702A0DB0BDDF647A6366D3243FD6EE18093EE1BE6623EF5C1B55B3
    assert mpin.R == 0x2400000008702A0DB0BDDF647A6366D2C43FD6EE0CC906CEBE11C0A636EB1F6D
    assert mpin.is_on_curve(mpin.GENERATOR) and add(times(mpin.R - 1, mpin.GENERATOR), mpin.GENERATOR) is None
    assert mpin_pairing.is_on_twist(mpin_pairing.GENERATOR)
    assert mpin_pairing.times_twisted(mpin.R, mpin_pairing.GENERATOR) is None


def test_proofs_in_two_passes():
    verdicts = []
    for row in rows("two-pass-plain"):
        identity = identity_of(row)
        x, u = identity.commit(number(row, "X"))
        v = identity.answer(x, number(row, "Y"), row["PIN2"])
        assert (hex_of(u), hex_of(v)) == (row["U"], row["V"])
        check_verdict(row, number(row, "Y"), u, v, identity.point)
        verdicts.append(row["SERVER_OUTPUT"])
    assert (verdicts.count(0), verdicts.count(-19)) == (27, 14)


def test_proofs_in_two_passes_with_time_permits():
    verdicts = []
    for row in rows("two-pass-permits"):
        identity = identity_of(row)
        permit, day_point = permit_of(row, identity)
        x, u = identity.commit(number(row, "X"))
        day_u = times(x, day_point)
        assert (hex_of(u), hex_of(day_u)) == (row["U"], row["UT"])
        assert hex_of(add(identity.token, times(row["PIN2"], identity.point), permit)) == row["SEC"]
        v = identity.answer(x, number(row, "Y"), row["PIN2"], permit)
        assert hex_of(v) == row["V"]
        check_verdict(row, number(row, "Y"), u, v, identity.point, (day_u, day_point))
        verdicts.append(row["SERVER_OUTPUT"])
    assert (verdicts.count(0), verdicts.count(-19)) == (134, 67)


def test_proofs_in_one_pass_with_time_permits():
    verdicts = []
    for row in rows("one-pass-permits"):
        identity = identity_of(row)
        permit, day_point = permit_of(row, identity)
        x, u = identity.commit(number(row, "X"))
        day_u = times(x, day_point)
        assert (hex_of(u), hex_of(day_u)) == (row["U"], row["UT"])
        y = mpin.signature_challenge(row["TimeValue"], day_u, b"")
        assert y == number(row, "Y")
        v = identity.answer(x, y, row["PIN2"], permit)
        assert hex_of(v) == row["SEC"]
        check_verdict(row, y, u, v, identity.point, (day_u, day_point))
        verdicts.append(row["SERVER_OUTPUT"])
    assert (verdicts.count(0), verdicts.count(-19)) == (134, 67)


def test_the_public_secret_of_a_server():
    for row in chain(rows("two-pass-plain"), rows("two-pass-permits")):
        made = mpin_pairing.times_twisted(master_of(row), mpin_pairing.GENERATOR)
        assert mpin_pairing.key_hex(made) == row["SERVER_SECRET"]


def test_proofs_and_signatures_with_a_key_pair():
    verdicts = []
    for row in rows("key-pair"):
        identity = Identity(row["MPIN_ID_HEX"], [row["CS1"], row["CS2"]], row["PIN1"], number(row, "Z"), row["PUBLIC_KEY"])
        assert mpin_pairing.public_key_of(identity.secret) == row["PUBLIC_KEY"]
        assert identity.hashed.hex() == row["HASH_ID_PK_HEX"]
        assert hex_of(times(number(row, "MS1"), identity.point)) == row["CS1"]
        assert hex_of(times(number(row, "MS2"), identity.point)) == row["CS2"]
        assert hex_of(identity.token) == row["TOKEN"]

        # The file does not tell the numbers that the phone drew, so U and V are checked only together.
        sign_u, message = point_of(row["SIGN_U"]), bytes.fromhex(row["SIGN_MESSAGE"])
        sign_y = mpin.signature_challenge(row["SIGN_TIME"], sign_u, message)
        assert sign_y == number(row, "SIGN_Y")
        for u, y, v in ((point_of(row["AUTH_U"]), number(row, "AUTH_Y"), point_of(row["AUTH_V"])),
                        (sign_u, sign_y, point_of(row["SIGN_V"]))):
            asked = master_of(row), u, y, v, identity.point
            assert mpin_pairing.accepts_with_key(*asked, row["PUBLIC_KEY"]) == row["ACCEPT"]
            assert not mpin.accepts(*asked), "a key pair cannot be ignored"
        assert row["ACCEPT"] == (row["PIN1"] == row["PIN2"])
        verdicts.append(row["ACCEPT"])
    assert (verdicts.count(True), verdicts.count(False)) == (27, 14)


def test_an_identity_made_here_is_accepted_with_its_pin_alone():
    master = mpin.new_scalar()
    secret, public_key = mpin_pairing.new_key_pair()
    mpin_id = b'{"userID":"ada@example.com"}'.hex()
    for z, key in ((1, ""), (secret, public_key)):
        point = map_to_point(mpin.identity_hash(bytes.fromhex(mpin_id), bytes.fromhex(key)))
        shares = [hex_of(times(share, point)) for share in (7, master - 7)]
        identity = Identity(mpin_id, shares, "0042", z, key)
        for pin in ("0042", "42", "0043"):
            x, u = identity.commit()
            y = mpin.new_scalar()
            v = identity.answer(x, y, pin)
            right = mpin_pairing.accepts_with_key(master, u, y, v, point, key) if key else mpin.accepts(master, u, y, v, point)
            assert right == (int(pin) == 42)


def test_a_pairing_is_bilinear_and_not_degenerate():
    a, b = mpin.new_scalar(), mpin.new_scalar()
    left, right = times(a, mpin.GENERATOR), mpin_pairing.times_twisted(b, mpin_pairing.GENERATOR)
    product = times(-a * b, mpin.GENERATOR)
    assert mpin_pairing.cancel((left, right), (product, mpin_pairing.GENERATOR))
    assert not mpin_pairing.cancel((left, right), (product, right))
    assert not mpin_pairing.cancel((left, right))


@pytest.mark.parametrize("change", [
    lambda text: "02" + text[2:], lambda text: text[:-2], lambda text: text + "00", lambda text: text[:-1] + "0f"[text[-1] == "0"],
    lambda text: "04" + f"{int(text[2:66], 16) + mpin.P:064x}" + text[66:], lambda text: "00", lambda text: ""])
def test_what_is_no_point_is_refused(change):
    right = hex_of(times(5, mpin.GENERATOR))
    assert hex_of(point_of(right)) == right
    with pytest.raises(NotAPoint):
        point_of(change(right))


def test_the_twist_has_points_outside_the_subgroup():
    outside = mpin_pairing.key_of(mpin_pairing.point_outside_the_subgroup())
    assert mpin_pairing.is_on_twist(outside)
    assert mpin_pairing.times_twisted(mpin.R, outside) is not None
