"""Access sessions of MIRACL between a browser and a phone: their states, their details, and their end.

Source: client-js 5 to 8, MIRACL's Trust SDKs and integration tests, the open core.
"""

import json
from base64 import b64decode

import pytest
import requests

from miracl_backend import CLIENT, PROJECT, REDIRECT, AccessSession
from miracl_channel import Refused
from miracl_device import PIN

AUTHORIZE = {"client_id": CLIENT, "redirect_uri": REDIRECT, "response_type": "code", "scope": "openid email", "state": "the state",
             "nonce": "the nonce"}


@pytest.fixture
def session(customer):
    return customer.start_session()


def test_every_way_of_starting_one_answers_alike(customer):
    started = [
        customer.post(customer.base + "/rps/v2/session", {"projectId": PROJECT}),
        customer.post(customer.base + "/authorize", params=AUTHORIZE),
        customer.post(customer.base + "/authorize", {"prerollid": "ada@example.com"}, params=AUTHORIZE),
        customer.post(customer.base + "/authorize", {"prerollId": "ada@example.com", "registerOnly": True}, params=AUTHORIZE),
        customer.post(customer.base + "/authorize", data=AUTHORIZE)]
    for told in started:
        session = AccessSession(told)
        assert told["accessURL"] == customer.base + "/rps/v2/access"
        assert told["qrURL"].endswith("/mobile-login/#" + session.code)
        assert session.status == "new"
    assert len({told["accessId"] for told in started} | {told["webOTT"] for told in started}) == 2 * len(started)


@pytest.mark.parametrize("changes", [
    {"client_id": "nobody"}, {"client_id": None}, {"redirect_uri": REDIRECT + "/"}, {"redirect_uri": None},
    {"redirect_uri": "https://evil.example/login"}, {"response_type": "token"}, {"scope": "email"}])
def test_an_access_code_needs_a_right_question(customer, changes):
    query = {name: value for name, value in (AUTHORIZE | changes).items() if value is not None}
    answer = customer.send("POST", customer.base + "/authorize", params=query)
    assert 400 <= answer.status_code < 500, answer.text
    assert "Location" not in answer.headers


def test_a_session_for_a_project_nobody_knows(customer):
    answer = customer.send("POST", customer.base + "/rps/v2/session", {"projectId": "nobody"})
    assert 400 <= answer.status_code < 500, answer.text


def test_the_details_that_all_sdks_need(customer, trust, world):
    session = customer.start_session(userId=trust.user, description="Pay 10.00", hash="ab" * 32)
    told = trust.session_details(session.code)

    project = world.get("/fixtures")["miracl"]["projects"][0]
    assert (told["prerollId"], told["projectId"], told["projectName"]) == (trust.user, PROJECT, project["name"])
    assert (told["pinLength"], told["verificationMethod"], told["identityType"]) == (4, "standardEmail", "email")
    assert (told["description"], told["hash"]) == ("Pay 10.00", "ab" * 32)
    for name in ("appName", "appLogoURL", "appIconUrl", "customerId", "customerName", "customerIconUrl", "clientId", "redirectURI"):
        assert type(told[name]) is str, (name, told)
    assert session.status == "wid"


def test_the_details_follow_the_project(customer, trust, change_miracl):
    change_miracl(pin_length=5, verification_method="custom", verification_url="https://verify.example/",
                  verification_text="Call us", identity_type="alphanumeric", identity_type_label="Customer number",
                  enable_registration_code=False, limit_reg_code_verified=True, name="The bank",
                  logo_url="https://bank.example/logo.svg")
    told = trust.session_details(customer.start_session().code)
    assert (told["pinLength"], told["verificationMethod"], told["verificationURL"]) == (5, "fullCustom", "https://verify.example/")
    assert (told["verificationCustomText"], told["identityType"]) == ("Call us", "alphanumeric")
    assert (told["identityTypeLabel"], told["enableRegistrationCode"]) == ("Customer number", False)
    assert (told["projectName"], told["projectLogoURL"]) == ("The bank", "https://bank.example/logo.svg")
    assert told["limitRegCodeVerified"] is True and told["prerollId"] == "" and told["description"] == ""


def test_details_of_a_login_name_its_client(customer, native):
    session = AccessSession(customer.post(customer.base + "/authorize", {"prerollId": native.user}, params=AUTHORIZE))
    told = native.session_details(session.code)
    assert (told["clientId"], told["redirectURI"], told["prerollId"]) == (CLIENT, REDIRECT, native.user)
    assert told["appName"]


def test_a_session_from_new_to_aborted(session, trust, declined):
    trust.session_details(session.code)
    trust.choose_user(session.code)
    told = session.poll()
    assert (told["status"], told["userId"]) == ("user", trust.user)
    trust.abort(session.code)
    assert session.status == "abort"
    for call in (trust.session_details, trust.choose_user, trust.abort):
        with declined(404, "INVALID_AUTH_SESSION"):
            call(session.code)


def test_a_session_expires(session, trust, world, declined):
    world.advance(301)
    assert session.status == "expired"
    with declined(404, "INVALID_AUTH_SESSION"):
        trust.session_details(session.code)


def test_a_session_nobody_knows(trust, miracl, declined):
    with declined(404, "INVALID_AUTH_SESSION"):
        trust.choose_user("0" * 32)
    answer = requests.post(miracl + "/rps/v2/access", json={"webOTT": "0" * 32}, timeout=30)
    assert answer.status_code in (200, 404), answer.text
    if answer.status_code == 200:
        assert answer.json()["status"] == "expired"


def test_a_status_nobody_knows(session, trust):
    with pytest.raises(Refused) as refused:
        trust.tell_status("authenticated", session.code, userId=trust.user)
    assert refused.value.status == 400
    assert session.status == "new"


def test_the_browser_s_token_is_no_access_code(session, trust, declined):
    with declined(404, "INVALID_AUTH_SESSION"):
        trust.session_details(session.told["webOTT"])
    answer = requests.post(session.told["accessURL"], json={"webOTT": session.code}, timeout=30)
    assert answer.status_code != 200 or answer.json()["status"] == "expired"


def test_a_session_without_a_client_logs_in_without_a_code(session, trust):
    trust.session_details(session.code)
    trust.choose_user(session.code)
    trust.log_in(PIN, ["oidc"], session.code)
    told = session.poll()
    assert (told["status"], told["userId"]) == ("authenticated", trust.user)
    assert not told.get("redirectURL")


def test_a_signing_session(customer, trust, declined):
    session = customer.start_session(userId=trust.user, description="Pay 10.00", hash="ab" * 32)
    text = trust.sign_session(session.code)

    told = session.poll()
    assert (told["status"], told["signature"]) == ("signed", text)
    signature = json.loads(b64decode(told["signature"]))
    assert customer.verify(signature)["hash"] == "ab" * 32
    with declined(404, "INVALID_AUTH_SESSION"):
        trust.sign_session(session.code)


# Pushes.

def test_a_push_goes_to_the_user_s_device(customer, make_native, enroll, world):
    phone = enroll(make_native(ready=False), pushToken="the push token")
    answer = customer.send("POST", customer.base + "/pushauth", {"prerollId": phone.user}, params=AUTHORIZE)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert requests.post(customer.base + "/rps/v2/access", json={"webOTT": told["webOTT"]}, timeout=30).json()["status"] == "new"
    [push] = [one for one in world.messages() if one["channel"] == "push"]
    payload = json.loads(push["text"])
    assert (payload["projectID"], payload["userID"]) == (PROJECT, phone.user)
    assert "mobile-login/#" in payload["qrURL"] and {type(value) for value in payload.values()} == {str}
    details = phone.session_details(payload["qrURL"].split("#")[1])
    assert details["prerollId"] == phone.user


def test_no_push_without_a_token(customer, native):
    answer = customer.send("POST", customer.base + "/pushauth", {"prerollId": native.user}, params=AUTHORIZE)
    assert 400 <= answer.status_code < 500 and answer.json()["error"] == "NO_PUSH_TOKEN"


# The older sessions for signatures.

def test_an_older_signing_session(customer, trust):
    order = {"userID": trust.user, "hash": "cd" * 32, "description": "Pay 20.00"}
    made = customer.post(customer.base + "/dvs/session", order, headers=customer.basic)
    assert made["qrURL"].endswith("#" + made["id"])

    details = trust.post(trust.base + "/dvs/session/details", {"id": made["id"]})
    assert (details["userID"], details["hash"], details["description"]) == (trust.user, "cd" * 32, "Pay 20.00")
    assert (details["status"], details["projectId"], details["pinLength"]) == ("active", PROJECT, 4)
    for name in ("projectName", "projectLogoURL", "verificationMethod", "verificationURL", "verificationCustomText", "identityType",
                 "identityTypeLabel"):
        assert type(details[name]) is str, name
    assert type(details["expireTime"]) is int
    assert type(details["enableRegistrationCode"]) is bool and type(details["limitRegCodeVerified"]) is bool

    signature = trust.sign_document("cd" * 32)
    told = trust.put(trust.base + "/dvs/session", {"id": made["id"], "signature": signature, "timestamp": signature["timestamp"]})
    assert told["status"] == "signed"
    assert trust.post(trust.base + "/dvs/session/details", {"id": made["id"]})["status"] == "signed"


def test_an_older_signing_session_is_taken_back_by_a_body(customer, trust):
    order = {"userID": trust.user, "hash": "cd" * 32, "description": "Pay 20.00"}
    made = customer.post(customer.base + "/dvs/session", order, headers=customer.basic)
    answer = trust.send("DELETE", trust.base + "/dvs/session", {"id": made["id"]})
    assert answer.status_code == 200, answer.text
    # The SDK for iOS decodes texts by name, or nothing.
    assert not answer.content or {type(value) for value in answer.json().values()} <= {str}
    for identifier in (made["id"], "0" * 32):
        with pytest.raises(Refused) as refused:
            trust.post(trust.base + "/dvs/session/details", {"id": identifier})
        assert (refused.value.code, refused.value.context["params"]) == ("INVALID_REQUEST_PARAMETERS", "id")
