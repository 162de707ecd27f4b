"""MIRACL Trust: verification by mail, code and back end, key pairs, JWTs, and codes for another device.

Source: client-js 7 and 8, MIRACL's Trust SDKs for Android and iOS with their integration tests, documentation of custom user
verification.
"""

import time
from urllib.parse import parse_qs, urlsplit

import pytest
import requests

import mpin_pairing
from miracl_backend import CLIENT, PROJECT, REDIRECT, SERVICE_TOKEN, Backend
from miracl_channel import Refused
from miracl_device import PIN, WRONG
from miracl_trust import TrustDevice
from oauth_party import at_once


@pytest.fixture(params=[False, True], ids=["newest", "older"])
def make(request, make_trust):
    return lambda **options: make_trust(older=request.param, **options)


def test_from_the_mail_to_a_token(make, customer):
    device = make(user="ada@example.com")
    claims = customer.claims_of_jwt(device.jwt())

    assert claims["sub"] == "ada@example.com"
    assert claims["exp"] - claims["iat"] == 60 and abs(claims["iat"] - time.time()) < 60
    assert claims["iss"] == device.base and claims["aud"] in (PROJECT, [PROJECT])


def test_a_login_with_the_other_scopes(trust, customer):
    assert "jwt" in trust.log_in(PIN, ["dvs-auth"])
    both = trust.log_in(PIN, ["otp"])
    assert both["otp"].isdigit() and len(both["otp"]) == 6
    assert both["expireTime"] - both["nowTime"] == both["ttlSeconds"]
    assert customer.check_otp(trust.user, both["otp"]).status_code == 200


def test_nothing_asks_for_a_renewal_unless_one_is_wanted(trust):
    for scope in ("jwt", "otp", "reg-code", "dvs-auth"):
        assert not trust.log_in(PIN, [scope]).get("dvsRegister"), scope


def test_the_registration_says_what_both_sdks_read(make_trust, open_mail):
    device = make_trust(ready=False)
    device.ask_for_mail()
    told = device.register(device.confirm(open_mail(device.user, press=False)))
    assert len(told["secretUrls"]) == 2 and len(set(told["secretUrls"])) == 2
    assert told.get("pinLength", 4) == 4
    first, second = (device.get(url)["dvsClientSecret"] for url in told["secretUrls"])
    assert [first, second] == device.shares and first != second, "a broken GET is repeated"


def test_secrets_are_not_for_everybody_and_not_for_long(make_trust, open_mail, world, declined):
    device = make_trust(ready=False)
    device.ask_for_mail()
    told = device.register(device.confirm(open_mail(device.user, press=False)))
    url = told["secretUrls"][0]
    with declined(404):
        device.get(url[:-1] + "0f"[url.endswith("0")])
    world.advance(61)
    for url in told["secretUrls"]:
        with declined(404):
            device.get(url)


def test_an_activation_token_is_good_once_and_for_its_user(make_trust, open_mail, declined):
    ada, eve = make_trust(ready=False), make_trust(ready=False)
    ada.ask_for_mail()
    token = ada.confirm(open_mail(ada.user, press=False))
    with declined(403, "INVALID_ACTIVATION_TOKEN"):
        eve.register(token)
    ada.register(token)
    for wrong in (token, "0" * 32, ""):
        with declined(403 if wrong else 400):
            ada.register(wrong)


def test_a_wrong_activation_token_of_the_older_libraries(make_trust, open_mail, declined):
    """They go by the code of the error here too."""
    device = make_trust(older=True, ready=False)
    device.ask_for_mail()
    token = device.confirm(open_mail(device.user, press=False))
    with declined(403, "INVALID_ACTIVATION_TOKEN"):
        device.register("0" * 32)
    device.register(token)
    with declined(403, "INVALID_ACTIVATION_TOKEN"):
        device.register(token)


def test_an_activation_token_is_good_once_of_many_who_come_at_the_same_moment(make_trust, open_mail):
    device = make_trust(ready=False)
    device.ask_for_mail()
    _, key = mpin_pairing.new_key_pair()
    order = {"userId": device.user, "deviceName": device.name, "publicKey": key,
             "activationToken": device.confirm(open_mail(device.user, press=False))}
    given, errors = at_once(8, lambda: device.send("POST", device.base + "/registration", order))
    assert len(given) == 1 and errors == {"INVALID_ACTIVATION_TOKEN"}


def test_an_activation_token_ends(make_trust, open_mail, world, declined):
    device = make_trust(ready=False)
    device.ask_for_mail()
    token = device.confirm(open_mail(device.user, press=False))
    world.advance(3601)
    with declined(403, "INVALID_ACTIVATION_TOKEN"):
        device.register(token)


def test_a_registration_needs_a_key_of_the_right_group(make_trust, open_mail, declined):
    device = make_trust(ready=False)
    device.ask_for_mail()
    token = device.confirm(open_mail(device.user, press=False))
    _, right = mpin_pairing.new_key_pair()
    for wrong in ("", right[:-2], "0" * 256, mpin_pairing.point_outside_the_subgroup(), right[:-1] + "0f"[right.endswith("0")]):
        with declined(400):
            device.register(token, publicKey=wrong)
    device.register(token)
    assert device.jwt(), "a refused key does not spend the token"


# Mails.

def test_a_mail_brings_a_link_that_is_good_once(make_trust, open_mail, declined):
    device = make_trust(ready=False)
    told = device.ask_for_mail()
    assert told["method"] == "link"
    link = open_mail(device.user, press=False)
    device.confirm(link)
    with declined(device_status(device, link), "UNSUCCESSFUL_VERIFICATION") as refusal:
        device.confirm(link)
    assert refusal.context["projectId"] == PROJECT and "accessId" in refusal.context


def device_status(device, link):
    """Which of the client errors it is, nobody says."""
    with pytest.raises(Refused) as refused:
        device.confirm(link)
    return refused.value.status


def test_a_link_ends(make_trust, open_mail, world):
    device = make_trust(ready=False)
    device.ask_for_mail()
    link = open_mail(device.user, press=False)
    world.advance(3601)
    with pytest.raises(Refused) as refused:
        device.confirm(link)
    assert refused.value.code == "UNSUCCESSFUL_VERIFICATION"


def test_a_link_is_of_its_user(make_trust, open_mail):
    ada, eve = make_trust(ready=False), make_trust(ready=False)
    ada.ask_for_mail()
    code = parse_qs(urlsplit(open_mail(ada.user, press=False)).query)["code"][0]
    with pytest.raises(Refused) as refused:
        eve.confirm_code(code)
    assert refused.value.code == "UNSUCCESSFUL_VERIFICATION"
    assert ada.confirm_code(code)


def test_a_project_may_send_codes(change_miracl, make_trust, world):
    change_miracl(verification_method="code")
    device = make_trust(ready=False)
    assert device.ask_for_mail()["method"] == "code"
    sent = world.code(device.user)
    [mail] = world.messages(to=device.user)
    assert sent["code"].isdigit() and len(sent["code"]) == 6
    assert "Type the following code to register your device: " + sent["code"] in mail["text"]

    with pytest.raises(Refused) as refused:
        device.confirm_code(f"{(int(sent['code']) + 1) % 10**6:06d}")
    assert refused.value.code == "UNSUCCESSFUL_VERIFICATION"
    device.register(device.confirm_code(sent["code"]))
    assert device.jwt()


def test_a_back_off_is_a_moment(change_miracl, make_trust, declined, world):
    change_miracl(backoff=10)
    device = make_trust(ready=False)
    told = device.ask_for_mail()
    assert 0 < told["backoff"] - time.time() < 20
    with declined(429, "REQUEST_BACKOFF") as refusal:
        device.ask_for_mail()
    assert refusal.context["backoff"] == str(told["backoff"])
    assert len(world.messages(to=device.user)) == 1
    world.advance(11)
    device.ask_for_mail()


def test_no_back_off_unless_it_is_wanted(make_trust, world):
    device = make_trust(ready=False)
    device.ask_for_mail(), device.ask_for_mail()
    assert len(world.messages(to=device.user)) == 2


@pytest.mark.parametrize("members", [{"userId": ""}, {"userId": None}, {"projectId": "nobody"}])
def test_no_mail_to_nobody(make_trust, members):
    with pytest.raises(Refused) as refused:
        make_trust(ready=False).ask_for_mail(**members)
    assert 400 <= refused.value.status < 500


def test_a_mail_of_older_browsers(make_trust, open_mail, miracl):
    device = make_trust(ready=False)
    told = device.post(miracl + "/verification", {"userId": device.user, "projectId": PROJECT, "deviceName": "Browser"})
    assert told["method"] == "link" and type(told["backoff"]) is int
    device.register(device.confirm(open_mail(device.user, press=False)))


def test_a_mail_keeps_the_session_and_the_parameters(customer, make_trust, open_mail):
    session = customer.start_session()
    device = make_trust(ready=False)
    device.ask_for_mail(accessId=session.code, clientId=CLIENT, redirectURI=REDIRECT, state="s 1", nonce="n&1", scope=["openid"])
    device.confirm(open_mail(device.user, press=False))
    assert device.confirmation["accessId"] == session.code
    assert (device.confirmation.get("state"), device.confirmation.get("nonce")) == ("s 1", "n&1")


def test_a_confirmation_without_a_session_says_so(make_trust, open_mail):
    device = make_trust(ready=False)
    device.ask_for_mail()
    device.confirm(open_mail(device.user, press=False))
    assert not device.confirmation["accessId"]


@pytest.mark.parametrize("kind", ["basic", "bearer"])
def test_a_back_end_verifies_its_users_itself(customer, make_trust, world, kind):
    device = make_trust(ready=False, user="ada+trust@example.com")
    link = customer.verification_url(device.user, headers=getattr(customer, kind))
    assert link.startswith(device.base + "/verification/confirmation?")
    device.register(device.confirm(link))
    assert device.jwt() and world.messages(to=device.user) == []


def test_a_back_end_s_link_carries_what_it_was_given(customer):
    link = customer.verification_url(
        "ada@example.com", clientId=CLIENT, redirectURI=REDIRECT, state="s 1", stage="auth", nonce="n")
    query = parse_qs(urlsplit(link).query)
    assert query["client_id"] == [CLIENT] and query["redirect_uri"] == [REDIRECT]
    assert query["state"] == ["s 1"] and query["stage"] == ["auth"]


def test_a_back_end_s_link_ends_when_it_says(customer, make_trust, world):
    device = make_trust(ready=False)
    link = customer.verification_url(device.user, expiration=100)
    world.advance(101)
    with pytest.raises(Refused) as refused:
        device.confirm(link)
    assert refused.value.code == "UNSUCCESSFUL_VERIFICATION"


@pytest.mark.parametrize("changes", [{"secret": "wrong"}, {"client": "nobody"}])
def test_a_back_end_nobody_knows(miracl, changes, declined):
    with declined(401, "UNAUTHORIZED"):
        Backend(miracl, **changes).verification_url("ada@example.com")


def test_a_service_nobody_knows(customer, declined):
    with declined(401, "UNAUTHORIZED"):
        customer.verification_url("ada@example.com", headers={"Authorization": "Bearer " + SERVICE_TOKEN[:-1]})


# Codes for another device.

def test_a_quick_code_brings_in_another_device(trust, make_trust):
    told = trust.quick_code()
    assert told["code"].isdigit() and len(told["code"]) == 6
    assert type(told["expireTime"]) is int and 0 < told["ttlSeconds"] <= 3600

    second = make_trust(user=trust.user, ready=False)
    second.register(second.confirm_code(told["code"]), "7777")
    assert second.jwt("7777") and trust.jwt()
    with pytest.raises(Refused) as refused:
        second.confirm_code(told["code"])
    assert refused.value.code == "UNSUCCESSFUL_VERIFICATION"


def test_a_quick_code_ends(trust, world):
    told = trust.quick_code()
    world.advance(told["ttlSeconds"] + 1)
    with pytest.raises(Refused) as refused:
        trust.confirm_code(told["code"])
    assert refused.value.code == "UNSUCCESSFUL_VERIFICATION"


def test_a_quick_code_needs_the_right_token(trust):
    for wrong in (trust.jwt(), "", "a.b.c", trust.log_in(PIN, ["reg-code"])["jwt"][:-6] + "AAAAAA"):
        with pytest.raises(Refused) as refused:
            trust.quick_code_for(wrong)
        assert refused.value.status in (400, 401, 403), refused.value


def test_a_quick_code_s_token_ends(trust, world):
    token = trust.log_in(PIN, ["reg-code"])["jwt"]
    world.advance(61)
    with pytest.raises(Refused):
        trust.quick_code_for(token)


def test_devices_of_quick_codes_may_be_the_last(trust, make_trust, change_miracl):
    change_miracl(limit_reg_code_verified=True)
    second = make_trust(user=trust.user, ready=False)
    second.register(second.confirm_code(trust.quick_code()["code"]))
    assert second.jwt()
    with pytest.raises(Refused) as refused:
        second.quick_code()
    assert refused.value.code == "LIMITED_QUICKCODE_GENERATION"
    assert trust.quick_code()["code"]


def test_wrong_pins_of_the_newest(trust, declined):
    with declined(401, "UNSUCCESSFUL_AUTHENTICATION"):
        trust.jwt(WRONG)
    with declined(401, "UNSUCCESSFUL_AUTHENTICATION"):
        trust.jwt(WRONG)
    with declined(410, "REVOKED_MPINID"):
        trust.jwt(WRONG)
    with declined(410, "REVOKED_MPINID"):
        trust.jwt(PIN)


def test_a_mailbox_as_the_vendor_s_tests_read_it(make_trust):
    """They search Mailpit for the newest mail of a sender to somebody, and read its text."""
    device = make_trust(ready=False)
    before = int(time.time()) - 1
    device.ask_for_mail()
    query = f"from:noreply@trust.miracl.cloud to:{device.user} after:{before}"
    found = requests.get(device.base + "/api/v1/search", params={"query": query}, timeout=30)
    assert found.status_code == 200, found.text
    newest = found.json()["messages"][0]
    mail = requests.get(f"{device.base}/api/v1/message/{newest['ID']}", timeout=30).json()
    assert {"ID", "From", "To", "Subject", "Date", "Text", "HTML"} <= set(mail)
    text = mail["Text"]
    link = text[text.index("http"):].split()[0]
    assert "code=" in link and link.index("code=") < link.index("user_id=")
    device.register(device.confirm(link))


def test_a_project_that_is_not_the_client_s(make_trust, miracl, open_mail):
    """The client stops by itself; the server says its own project."""
    device = make_trust(ready=False)
    device.ask_for_mail()
    stranger = TrustDevice(miracl, "another", user=device.user)
    with pytest.raises(AssertionError, match="project mismatch"):
        stranger.confirm(open_mail(device.user, press=False))
