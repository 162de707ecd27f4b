"""How an identity of MIRACL MFA comes to be: by mail, by code, by a token of the back end; and when it does not.

Source: MIRACL's mobile SDK wrappers, the open servers of Apache Milagro, documentation of custom user verification.
"""

import json
import uuid
from datetime import datetime
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests

import mpin
import mpin_pairing
from miracl_device import PIN, REGISTERED
from miracl_mfa import MFADevice
from miracl_trust import OlderTrustDevice, TrustDevice
from mpin import add, hex_of, map_to_point, point_of, times
from oauth_browser import Browser


@pytest.fixture
def started(make_native):
    """A phone whose mail has not been opened."""
    phone = make_native(ready=False)
    phone.set_backend()
    phone.told = phone.start_registration()
    return phone


def test_what_a_registration_tells(started, world):
    told = started.told
    now = told["nowTime"]
    assert told["active"] is False and told["pinLength"] == 4
    assert told["expireTime"] - now == 3600
    assert abs(now - world_now(world)) <= 5
    assert told["projectId"] == started.project and type(told["customerId"]) is str and type(told["appId"]) is str

    claims = json.loads(bytes.fromhex(told["mpinId"]))
    assert claims["userID"] == started.user and claims["cID"] == started.project
    assert claims["v"] == 5 and claims["scope"] == ["auth"] and claims["dta"] == [] and claims["vt"] == "pv"
    assert abs(claims.get("iat", claims.get("issuedAt")) - now) <= 5
    assert len(claims["salt"]) >= 22


def world_now(world):
    return datetime.fromisoformat(world.get("/clock")["now"].replace("Z", "+00:00")).timestamp()


def test_both_shares_are_of_this_identity(started, open_mail):
    """The sum of the shares is the master secret times the identity; with the exported master shares, or else by a proof."""
    open_mail(started.user)
    first, second = started.confirm_registration()

    assert point_of(first["clientSecretShare"]) != point_of(second["clientSecret"])
    assert second["clientSecret"] == second["dvsClientSecret"]
    assert second["message"] == "OK" and second["version"] and type(second["createdAt"]) is int
    assert first["params"]
    started.choose_pin()
    assert started.status_of(PIN, scope=["otp"]) == 200


def test_the_shares_are_the_master_shares_times_the_identity(change_miracl, make_native):
    shares = [mpin.new_scalar(), mpin.new_scalar()]
    change_miracl(first_share=f"{shares[0]:064x}", second_share=f"{shares[1]:064x}")
    phone = make_native()

    point = map_to_point(mpin.identity_hash(bytes.fromhex(phone.mpin_id)))
    assert phone.shares == [hex_of(times(share, point)) for share in shares]
    assert phone.identity.token == add(times(sum(shares) % mpin.R, point), times(-int(PIN), point))


def test_the_mail_says_what_the_vendor_s_tests_read(started, world):
    [mail] = world.messages(to=started.user)
    link = world.code(started.user)["link"]

    assert mail["from"]["address"] == "noreply@trust.miracl.cloud"
    assert link in mail["text"]
    # They look for `code=` first.
    assert link.startswith(started.base + "/verification/confirmation?code=") and "&user_id=" in link


def test_a_plus_in_an_address_survives_the_link(make_native, enroll):
    phone = make_native(user="ada+mobile@example.com", ready=False)
    enroll(phone)
    assert phone.status_of(PIN, scope=["otp"]) == 200


def test_nothing_is_confirmed_by_looking(started, open_mail, declined):
    """Mail scanners open links too."""
    link = open_mail(started.user, press=False)
    assert Browser().open(link).status == 200
    with declined(401):
        started.confirm_registration()


def test_a_link_confirms_the_registration_that_it_was_sent_for(make_native, open_mail, declined):
    first = make_native(user="ada@example.com", ready=False)
    second = make_native(user="ada@example.com", ready=False)
    first.set_backend(), second.set_backend()
    first.start_registration()
    link = open_mail("ada@example.com", press=False)
    second.start_registration()

    browser = Browser()
    [form] = browser.open(link).forms
    assert browser.press(form.buttons[0][0]).status == 200

    first.confirm_registration()
    with declined(401):
        second.confirm_registration()
    open_mail("ada@example.com")
    second.confirm_registration()


def test_no_share_before_the_mail_is_opened(started, declined):
    with declined(401):
        started.confirm_registration()


def test_no_share_for_another_registration_s_token(started, open_mail, declined):
    open_mail(started.user)
    with declined(401):
        started.confirm_registration(regOTT="0" * 32)
    with declined(401):
        started.confirm_registration(regOTT="")
    started.confirm_registration()


def test_no_share_for_an_identity_nobody_knows(started, declined):
    started.mpin_id = b'{"userID":"nobody"}'.hex()
    with declined(404):
        started.confirm_registration()


def test_no_share_after_an_hour(started, open_mail, world, declined):
    open_mail(started.user)
    world.advance(3601)
    with declined(404):
        started.confirm_registration()


def test_a_link_ends_with_its_registration(started, open_mail, world):
    link = open_mail(started.user, press=False)
    world.advance(3601)
    query = parse_qs(urlsplit(link).query)
    answer = requests.post(link.split("?")[0], data={"code": query["code"][0], "user_id": query["user_id"][0]}, timeout=30)
    assert 400 <= answer.status_code < 500, answer.text


def test_shares_are_given_again_until_the_first_proof(started, open_mail, declined):
    open_mail(started.user)
    first, second = started.confirm_registration()
    again, also = started.confirm_registration()
    assert (again["clientSecretShare"], also["clientSecret"]) == (first["clientSecretShare"], second["clientSecret"])

    started.choose_pin()
    assert started.status_of(PIN, scope=["otp"]) == 200
    with declined(404):
        started.confirm_registration()


def test_the_address_of_the_second_share_is_good_for_a_minute(started, open_mail, world, declined):
    open_mail(started.user)
    first, second = started.confirm_registration()

    assert started.get(first["cs2url"])["clientSecret"] == second["clientSecret"]
    with declined(404):
        started.get(first["cs2url"][:-1] + "0f"[first["cs2url"].endswith("0")])
    world.advance(61)
    with declined(404):
        started.get(first["cs2url"])


def test_registering_anew_is_a_second_identity_and_a_second_mail(started, world, make_native):
    again = make_native(user=started.user, ready=False)
    again.set_backend()
    again.start_registration()
    assert again.mpin_id != started.mpin_id
    assert len(world.messages(to=started.user)) == 2


def test_a_restart_keeps_the_identity_and_sends_another_mail(make_classic, world, declined, open_mail):
    phone = make_classic(ready=False)
    phone.set_backend()
    phone.start_registration()
    phone.restart_registration()
    assert len(world.messages(to=phone.user)) == 2
    kept, phone.registration_token = phone.registration_token, "0" * 32
    with declined(403):
        phone.restart_registration()
    phone.registration_token = kept
    open_mail(phone.user)
    phone.confirm_registration()


@pytest.mark.parametrize("user", ["", None, 7, ["a"]])
def test_nobody_cannot_register(started, declined, user):
    started.user = user
    with declined(400):
        started.start_registration()


def test_who_may_not_register(change_miracl, started, declined, world):
    change_miracl(allowed_users=["@example.org", "ada@example.com"])
    for user, allowed in (("ada@example.com", True), ("any@example.org", True), ("grace@example.com", False)):
        started.user = user
        if allowed:
            started.start_registration()
        else:
            with declined(403):
                started.start_registration()
            assert world.messages(to=user) == []


def test_a_code_of_a_registered_phone_brings_in_another(native, make_native, declined):
    told = native.log_in(PIN, ["reg-code"])
    assert told["otp"].isdigit() and len(told["otp"]) == 6
    assert told["expireTime"] - told["nowTime"] == told["ttlSeconds"] and "jwt" not in told

    second = make_native(user=native.user, ready=False)
    second.set_backend()
    assert second.start_registration(activateCode=told["otp"])["active"] is True
    second.confirm_registration()
    second.choose_pin("9999")
    assert second.state == REGISTERED and second.status_of("9999", scope=["otp"]) == 200
    assert native.status_of(PIN, scope=["otp"]) == 200
    with declined(403):
        second.start_registration(activateCode=told["otp"])


def test_a_registration_code_is_of_its_user_and_of_its_time(native, make_native, world, declined):
    code = native.log_in(PIN, ["reg-code"])["otp"]
    stranger = make_native(ready=False)
    stranger.set_backend()
    with declined(403):
        stranger.start_registration(activateCode=code)
    with declined(403):
        stranger.start_registration(activateCode="000000")
    second = make_native(user=native.user, ready=False)
    second.set_backend()
    world.advance(61)
    with declined(403):
        second.start_registration(activateCode=code)


def test_phones_that_came_by_a_code_may_be_the_last(native, make_native, change_miracl):
    change_miracl(limit_reg_code_verified=True)
    second = make_native(user=native.user, ready=False)
    second.set_backend()
    second.start_registration(activateCode=native.log_in(PIN, ["reg-code"])["otp"])
    second.confirm_registration()
    second.choose_pin()
    assert second.status_of(PIN, scope=["reg-code"]) in (400, 403)
    assert second.status_of(PIN, scope=["otp"]) == native.status_of(PIN, scope=["reg-code"]) == 200


def test_registration_codes_may_be_off(native, change_miracl):
    change_miracl(enable_registration_code=False)
    assert native.status_of(PIN, scope=["reg-code"]) in (400, 403)
    assert native.status_of(PIN, scope=["otp"]) == 200


def test_a_company_nobody_knows_registers_nobody(started, declined):
    started.session.headers["X-MIRACL-CID"] = "somebody-else"
    with declined(403):
        started.start_registration()


def test_what_is_in_a_link_is_not_in_the_page(miracl):
    """The address of a page is anybody's to make up."""
    answer = requests.get(miracl + "/verification/confirmation",
                          params={"code": "\"><script>alert(1)</script>", "user_id": "<img src=x onerror=alert(1)>"}, timeout=30)
    assert "<script>alert" not in answer.text and "<img src=x" not in answer.text


def test_a_one_time_password_is_no_registration_code(native, make_native, declined):
    otp = native.log_in(PIN, ["otp"])["otp"]
    second = make_native(user=native.user, ready=False)
    second.set_backend()
    with declined(403):
        second.start_registration(activateCode=otp)


def test_a_token_of_the_back_end_activates_at_once(customer, make_native, world):
    phone = make_native(ready=False)
    phone.set_backend()
    told = customer.post(customer.base + "/activate/initiate", {"userId": phone.user, "deviceName": phone.name},
                         headers=customer.basic)
    assert len(told["actToken"]) == 32 and len(told["hashMPinId"]) == 64 and told["redirectURI"] == ""
    assert type(told["expireTime"]) is int

    assert phone.start_registration(activateCode=told["actToken"])["active"] is True
    phone.confirm_registration()
    phone.choose_pin()
    assert phone.status_of(PIN, scope=["otp"]) == 200
    assert world.messages(to=phone.user) == []


def test_a_classic_phone_sees_no_member_it_cannot_read(make_classic):
    """CORE asserts that a number is a number and a text a text."""
    phone = make_classic(ready=False)
    phone.set_backend()
    told = phone.start_registration()
    assert type(told["mpinId"]) is str and type(told["regOTT"]) is str and type(told["active"]) is bool


# Identities with a key pair over the addresses of MFA.

def keyed_url(phone, public_key):
    query = urlencode({"regOTT": phone.registration_token, "publicKey": public_key})
    return f"{phone.settings['signatureURL']}/{phone.mpin_id}?{query}"


def test_a_public_key_has_to_be_a_point_of_the_right_group(started, open_mail, declined):
    open_mail(started.user)
    _, right = mpin_pairing.new_key_pair()
    outside = mpin_pairing.point_outside_the_subgroup()
    off_the_curve = right[:-1] + "0f"[right.endswith("0")]
    too_large = f"{int(right[:64], 16) + mpin.P:064x}" + right[64:]
    for wrong in ("0" * 256, right[:-2], right + "00", off_the_curve, outside, too_large, "zz" * 128):
        with declined(400):
            started.get(keyed_url(started, wrong))

    first = started.get(keyed_url(started, right.upper()))
    assert "clientSecretShare" not in first
    point_of(first["dvsClientSecretShare"])


def test_an_empty_public_key_is_none(started, open_mail):
    open_mail(started.user)
    first = started.get(keyed_url(started, ""))
    point_of(first["clientSecretShare"])


def test_a_user_may_have_phones_of_two_kinds(make_native, make_trust):
    native, trust = make_native(user="ada@example.com"), make_trust(user="ada@example.com")
    assert native.status_of(PIN, scope=["otp"]) == 200
    assert trust.jwt()


@pytest.fixture
def two_projects(world):
    """A second project beside the built-in one; nobody who names none can be told apart by that alone."""
    fixtures = world.get("/fixtures")
    for project in fixtures["miracl"]["projects"]:
        project.pop("default", None)
    other = {"id": "other", "name": "Other", "backoff": 0, "first_share": f"{5:064x}", "second_share": f"{7:064x}"}
    fixtures["miracl"]["projects"].append(other)
    loaded = world.control("PUT", "/fixtures", json=fixtures)
    assert loaded.ok, loaded.text


def test_projects_do_not_share_users(two_projects, miracl, make_native, enroll):
    at_home = make_native(user="ada@example.com")
    abroad = enroll(MFADevice(miracl, "other", user="ada@example.com"))
    assert json.loads(bytes.fromhex(abroad.mpin_id))["cID"] == "other"
    point = map_to_point(mpin.identity_hash(bytes.fromhex(abroad.mpin_id)))
    assert abroad.shares == [hex_of(times(share, point)) for share in (5, 7)]
    assert abroad.status_of(PIN, scope=["otp"]) == at_home.status_of(PIN, scope=["otp"]) == 200


@pytest.mark.parametrize("project", ["understudy", "other"])
def test_a_device_that_names_no_project_is_known_by_its_token(two_projects, miracl, open_mail, project):
    """The SDK for Android names its project for the mail, and never again."""
    device = TrustDevice(miracl, project, user="ada@example.com")
    device.ask_for_mail()
    assert device.register(device.confirm(open_mail(device.user, press=False)))["projectId"] == project
    assert device.jwt()


@pytest.mark.parametrize("project", ["understudy", "other", "mcl"])
def test_the_older_way_to_register_knows_the_project_by_the_token_too(two_projects, miracl, open_mail, project):
    """The SDK for iOS of 2025."""
    device = OlderTrustDevice(miracl, project, user="ada@example.com")
    device.ask_for_mail()
    token = device.confirm(open_mail(device.user, press=False))
    assert device.register(token)["projectId"] == project
    assert device.jwt()


def test_a_token_that_nobody_was_given_is_one_whatever_the_project(two_projects, miracl):
    order = {"userId": "ada@example.com", "deviceName": "phone", "publicKey": mpin_pairing.new_key_pair()[1]}
    for token, code in ((32 * "0", "INVALID_ACTIVATION_TOKEN"), ("a.b.c", "INVALID_ACTIVATION_TOKEN"),
                        (str(uuid.uuid4()), "INVALID_REQUEST_PARAMETERS")):
        told = requests.post(miracl + "/registration", json=order | {"activationToken": token}, timeout=30).json()
        assert told["error"] == code, told
    assert told["context"] == {"params": "activationToken"}


def test_who_names_no_project_of_several_is_told(two_projects, make_classic, declined):
    with declined(403):
        make_classic(ready=False).set_backend()
