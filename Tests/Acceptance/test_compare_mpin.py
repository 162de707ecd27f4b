"""Proofs and signatures of M-Pin in recordings are made again by secrets of the world: recordings of independent clients of all generations agree
with a fresh world of other chance, and differences that are put into them are found."""

import hashlib
import json

import pytest

import mpin_pairing
from compare_recordings import Changed, agrees, reasons, recording, whole
from miracl_channel import Refused
from miracl_device import PIN, WRONG
from oauth_browser import Browser

DOCUMENT = hashlib.sha256(b"I owe you ten crowns.").hexdigest()
OLDER = "it is of an identity of M-Pin whose beginning is not in the recording"


def test_a_login_of_the_native_sdk(world, make_native, sample, open_mail, compare):
    phone = make_native(user="ada@example.com", ready=False)
    phone.set_backend()
    code = phone.access_code(sample.authorize_url())
    phone.start_registration(code)
    open_mail("ada@example.com")
    phone.confirm_registration()
    phone.choose_pin()
    phone.start_authentication(code)
    assert phone.status_of(WRONG) == 401
    assert sample.redeem(phone.code_for(code), "ada@example.com").status_code == 200

    har = recording(world)
    assert whole(compare.report(har), "miracl")["agree"] >= 9

    # The app sends JSON and calls it a form: browsers take it apart as one.
    posted = Changed(har)
    data = posted.entry("/app/authtoken")["request"]["postData"]
    assert data["mimeType"] == "application/x-www-form-urlencoded"
    data["params"] = [{"name": data.pop("text"), "value": ""}]
    assert whole(compare.report(posted.har), "miracl")["agree"] >= 9


@pytest.mark.parametrize("older", [False, True])
def test_logins_of_the_trust_sdks(world, make_trust, compare, older):
    device = make_trust(older=older)
    assert [device.status_of(pin, scope=["jwt"]) for pin in (PIN, WRONG, PIN)] == [200, 401, 200]
    device.jwt()

    whole(compare.report(recording(world)), "miracl")


def test_wrong_pins_end_an_identity_here_as_there(world, native, compare):
    assert [native.status_of(pin) for pin in (WRONG, WRONG, WRONG, PIN)] == [401, 401, 410, 410]

    whole(compare.report(recording(world)), "miracl")


@pytest.mark.parametrize("permits", [False, True])
def test_the_classic_sdk_with_and_without_time_permits(world, make_classic, change_miracl, compare, tmp_path, permits):
    change_miracl(time_permits=permits)
    file = tmp_path / "tenant.json"
    file.write_text(json.dumps(world.get("/fixtures")))
    world.control("DELETE", "/journal").raise_for_status()
    phone = make_classic()
    phone.start_authentication()
    assert phone.log_in(PIN)["status"] == 200
    with pytest.raises(Refused):
        phone.log_in(WRONG)

    whole(compare.report(recording(world), "--fixtures", file), "miracl")


def test_signatures_of_the_trust_sdk(world, make_trust, customer, compare):
    device = make_trust()
    right, wrong = device.sign_document(DOCUMENT), device.sign(DOCUMENT, pin=WRONG)
    assert customer.verify(right)["hash"] == DOCUMENT
    with pytest.raises(Refused):
        customer.verify(wrong)

    whole(compare.report(recording(world)), "miracl")


def test_what_is_changed_in_a_signature_is_changed_here(world, make_trust, customer, compare):
    device = make_trust()
    signature = device.sign_document(DOCUMENT)
    for changed in (signature | {"hash": "ab" * 32}, signature | {"v": signature["u"]},
                    signature | {"timestamp": signature["timestamp"] + 1}):
        with pytest.raises(Refused):
            customer.verify(changed, changed["timestamp"])
    assert customer.verify(signature)["hash"] == DOCUMENT

    whole(compare.report(recording(world)), "miracl")


def test_a_key_that_was_refused_is_refused_here(world, make_trust, open_mail, compare):
    device = make_trust(ready=False)
    device.ask_for_mail()
    token = device.confirm(open_mail(device.user, press=False))
    for wrong in ("0" * 256, mpin_pairing.point_outside_the_subgroup()):
        with pytest.raises(Refused):
            device.register(token, publicKey=wrong)
    device.register(token)
    device.jwt()

    whole(compare.report(recording(world)), "miracl")


def test_who_unblocked_an_identity_is_not_in_the_recording(world, native, compare):
    assert [native.status_of(pin, scope=["otp"]) for pin in (PIN, WRONG, WRONG, WRONG)] == [200, 401, 401, 410]
    identifier = hashlib.sha256(bytes.fromhex(native.mpin_id)).hexdigest()
    world.control("POST", f"/records/miracl/{identifier}/unblock", json={"inputs": {}}).raise_for_status()
    assert native.status_of(PIN, scope=["otp"]) == 200

    report = compare.report(recording(world))
    agrees(report, "miracl", "its identity was blocked there by request")
    assert len(reasons(report)) == 1


def test_which_link_was_opened_is_not_in_the_recording(world, make_native, open_mail, compare):
    phones = [make_native(user="ada@example.com", ready=False) for _ in range(2)]
    for phone in phones:
        phone.set_backend()
    phones[0].start_registration()
    link = open_mail("ada@example.com", press=False)
    phones[1].start_registration()
    browser = Browser()
    [form] = browser.open(link).forms
    assert browser.press(form.buttons[0][0]).status == 200
    phones[0].confirm_registration()

    agrees(compare.report(recording(world)), "miracl", "several codes or links were waiting", "it depends on request")


def test_signatures_of_an_identity_of_their_own(world, make_native, customer, compare):
    phone = make_native()
    phone.register_signing()
    assert customer.verify(phone.sign_document(DOCUMENT))["hash"] == DOCUMENT

    whole(compare.report(recording(world)), "miracl")


def test_an_identity_that_is_older_than_the_recording(world, native, compare):
    world.control("DELETE", "/journal").raise_for_status()
    native.log_in()

    report = compare.report(recording(world))
    assert report["differences"] == 0 and reasons(report) == {OLDER}


DIFFERENCES = {
    "another status of a right proof": (
        lambda har: har.answer("/authenticate").update(status=202), "status", "status"),
    "a member less in the first pass": (
        lambda har: har.body("/pass1", lambda body: {name: body[name] for name in body if name != "pass"}), "more", "body pass"),
    "another type in the second pass": (
        lambda har: har.body("/pass2", lambda body: body | {"pass": "2"}), "type", "body pass"),
    "a member more in the verdict": (
        lambda har: har.body("/authenticate", lambda body: body | {"level": 3}), "missing", "body level"),
}


@pytest.mark.parametrize("what", DIFFERENCES)
def test_a_difference_is_told_once(world, native, compare, what):
    native.log_in()
    change, kind, place = DIFFERENCES[what]
    har = Changed(recording(world))
    change(har)
    found = compare.differences(har.har)
    assert [(one[1], one[2]) for one in found] == [(kind, place)], found
