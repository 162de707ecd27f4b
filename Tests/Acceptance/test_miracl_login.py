"""The vendor's mobile sample against MIRACL MFA, from its first start to its logins, and a web site's login with a phone.

Source: MIRACL's mobile sample apps and SDK wrappers, its documentation of OpenID Connect; the sequence diagrams of its SDKs.
"""

import json
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
import requests

from miracl_backend import CLIENT, REDIRECT, AccessSession, claims_of
from miracl_device import ACTIVATED, BLOCKED, PIN, REGISTERED, STARTED, WRONG
from oauth_browser import Browser, metadata_of

#: What the page of a login shows to a phone, and what it polls with.
SHOWN = re.compile(r"mobile-login/#([0-9a-f]{32})")


def test_the_sample_from_its_first_start_to_a_login(miracl, make_native, sample, declined, open_mail):
    authorize = sample.authorize_url()
    phone = make_native(user="ada@example.com", ready=False)
    phone.set_backend()
    code = phone.access_code(authorize)

    phone.start_registration(code)
    assert phone.state == STARTED
    for _ in range(2):
        with declined(401):
            phone.confirm_registration()
    open_mail("ada@example.com")
    phone.confirm_registration()
    phone.choose_pin()
    assert phone.state == REGISTERED

    # The access code of the registration serves the login that follows.
    phone.start_authentication(code)
    answer = sample.redeem(phone.code_for(code), "ada@example.com")

    assert answer.status_code == 200, answer.text
    keys = metadata_of(miracl)["jwks_uri"]
    claims = claims_of(answer.json()["id_token"], keys, audience=CLIENT, issuer=miracl)
    assert claims["sub"] == "ada@example.com"


def test_the_sample_logs_in_again_and_again(native, sample):
    for _ in range(3):
        native.set_backend()
        code = native.access_code(sample.authorize_url())
        native.start_authentication(code)
        assert sample.redeem(native.code_for(code), native.user).status_code == 200


def test_the_address_for_an_access_code_says_what_openid_connect_wants(miracl, world, sample):
    address = sample.authorize_url()
    query = dict(parse_qsl(urlsplit(address).query))

    assert address.split("?")[0] == miracl + "/authorize"
    assert query["client_id"] == CLIENT and query["response_type"] == "code"
    assert query["redirect_uri"] == world.url + "/app/login"
    assert {"openid", "email"} <= set(query["scope"].split())
    assert query["state"] and query["nonce"]
    again = dict(parse_qsl(urlsplit(sample.authorize_url()).query))
    assert again["state"] != query["state"] and again["nonce"] != query["nonce"]


def test_the_sample_back_end_refuses_another_user_and_the_code_is_spent(native, sample):
    code = native.code_for(native.access_code(sample.authorize_url()))

    stranger = sample.redeem(code, "grace@example.com")
    assert stranger.status_code == 401 and stranger.text
    assert sample.redeem(code, native.user).status_code == 400


def test_the_sample_back_end_takes_a_code_once(native, sample):
    code = native.code_for(native.access_code(sample.authorize_url()))

    assert sample.redeem(code, native.user).status_code == 200
    again = sample.redeem(code, native.user)
    assert again.status_code == 400 and again.text


@pytest.mark.parametrize("changes", [{"code": None}, {"userID": None}, {"code": ""}, {"code": "nothing"}, {"code": 7}])
def test_the_sample_back_end_refuses_what_it_cannot_exchange(sample, changes):
    order = {"code": "0" * 32, "userID": "ada@example.com"} | changes
    answer = sample.send_token(json.dumps({name: value for name, value in order.items() if value is not None}))
    assert answer.status_code == 400 and answer.text


@pytest.mark.parametrize("text", ["", "{", "[]", "code=1&userID=2", "null"])
def test_the_sample_back_end_reads_json_and_no_form(sample, text):
    answer = sample.send_token(text)
    assert answer.status_code == 400 and answer.text


def test_a_wrong_pin_is_told_apart_from_a_blocked_phone(native):
    assert native.status_of(WRONG) == 401
    assert native.state == REGISTERED
    assert native.status_of(WRONG) == 401
    assert native.status_of(WRONG) == 410
    assert native.state == BLOCKED
    assert native.status_of(PIN) == 410


def test_a_native_sdk_that_names_a_client_gets_a_code_without_a_scope(native, sample):
    code = native.access_code(sample.authorize_url())
    native.session.headers["X-MIRACL-Client-ID"] = CLIENT
    told = native.log_in(PIN, [], code)
    assert sample.redeem(told["code"], native.user).status_code == 200


def test_a_code_is_given_to_who_asks_for_one(native, sample):
    code = native.access_code(sample.authorize_url())
    told = native.log_in(PIN, ["oidc"], code, authzRequest=True)
    assert sample.redeem(told["code"], native.user).status_code == 200


def test_a_code_without_a_session_goes_to_the_first_address_of_the_client(native, customer, miracl, world):
    native.session.headers["X-MIRACL-Client-ID"] = CLIENT
    code = native.log_in(PIN, ["authcode"])["code"]

    registered = [one for one in world.get("/fixtures")["miracl"]["projects"][0]["applications"] if one["client_id"] == CLIENT]
    first = registered[0]["redirect_uris"][0]
    redirect = world.url + first if first.startswith("/") else first
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect}
    told = requests.post(metadata_of(miracl)["token_endpoint"], data=form, headers=customer.basic, timeout=30)
    assert told.status_code == 200, told.text


def authorize_url(miracl, **changes):
    asked = {"client_id": CLIENT, "redirect_uri": REDIRECT, "response_type": "code", "scope": "openid email",
             "state": "the state", "nonce": "the nonce"} | changes
    query = {name: value for name, value in asked.items() if value is not None}
    return requests.Request("GET", miracl + "/authorize", params=query).prepare().url


def test_the_sample_s_page_signs_in_by_a_phone(world, native, window):
    page = window()
    page.goto(world.url + "/app/miracl")
    page.get_by_role("button").first.click()
    page.wait_for_url("**/miracl/authorize**")
    code = SHOWN.search(page.content()).group(1)

    native.start_authentication(code)
    native.log_in(PIN, ["oidc"], code)

    page.wait_for_url("**/app/miracl", timeout=15_000)
    assert native.user in page.inner_text("body")


def test_the_sample_refuses_an_answer_to_another_browser(world, native):
    """Whoever sends somebody an answer of their own login signs nobody in."""
    mine, theirs = Browser(), Browser()
    page = mine.press(mine.open(world.url + "/app/miracl").forms[0].buttons[0][0])
    shown = SHOWN.search(page.answer.text).group(1)
    native.start_authentication(shown)
    native.log_in(PIN, ["oidc"], shown)
    token = re.search(r'data-ott="([0-9a-f]{32})"', page.answer.text).group(1)
    told = requests.post(world.url + "/miracl/rps/v2/access", json={"webOTT": token}, timeout=30).json()

    assert theirs.open(told["redirectURL"]).status == 400
    seen = mine.open(told["redirectURL"])
    assert seen.status == 200 and native.user in seen.text
    assert mine.open(told["redirectURL"]).status == 400, "an answer is good once"


def test_a_browser_is_logged_in_by_a_phone(miracl, native):
    page = Browser().open(authorize_url(miracl))
    assert page.status == 200
    code = SHOWN.search(page.answer.text).group(1)

    details = native.session_details(code)
    assert details["clientId"] == CLIENT and details["redirectURI"] == REDIRECT
    native.start_authentication(code)
    assert native.log_in(PIN, ["oidc"], code)["status"] == 200


def test_the_page_polls_until_it_is_sent_back(miracl, native, customer, window):
    page = window()
    arrived = []
    page.route(REDIRECT + "**", lambda route: (arrived.append(route.request.url), route.fulfill(body="Welcome back")))
    page.goto(authorize_url(miracl))
    code = SHOWN.search(page.content()).group(1)

    native.session_details(code)
    native.start_authentication(code)
    native.log_in(PIN, ["oidc"], code)

    page.wait_for_url(REDIRECT + "**", timeout=15_000)
    query = dict(parse_qsl(urlsplit(arrived[0]).query))
    assert query["state"] == "the state"
    form = {"grant_type": "authorization_code", "code": query["code"], "redirect_uri": REDIRECT}
    told = requests.post(metadata_of(miracl)["token_endpoint"], data=form, headers=customer.basic, timeout=30)
    assert told.status_code == 200, told.text
    claims = claims_of(told.json()["id_token"], metadata_of(miracl)["jwks_uri"], audience=CLIENT, issuer=miracl)
    assert (claims["sub"], claims["nonce"]) == (native.user, "the nonce")


def test_a_web_site_follows_its_session_to_the_end(miracl, make_native, customer):
    phone = make_native(web=True)
    session = AccessSession(customer.post(authorize_url(miracl)))

    assert session.poll()["status"] == "new" and "redirectURL" not in session.poll()
    phone.session_details(session.code)
    assert session.status == "wid"
    phone.start_authentication(session.code)
    chosen = session.poll()
    assert (chosen["status"], chosen["userId"]) == ("user", phone.user)
    told = phone.log_in(PIN, ["oidc"], session.code)
    assert "code" not in told and "jwt" not in told

    done = session.poll()
    assert (done["status"], done["userId"]) == ("authenticated", phone.user)
    assert done["redirectURL"].split("?")[0] == REDIRECT
    query = dict(parse_qsl(urlsplit(done["redirectURL"]).query))
    assert query["state"] == "the state"
    form = {"grant_type": "authorization_code", "code": query["code"], "redirect_uri": REDIRECT}
    token = requests.post(metadata_of(miracl)["token_endpoint"], data=form, headers=customer.basic, timeout=30).json()
    about = requests.get(metadata_of(miracl)["userinfo_endpoint"],
                         headers={"Authorization": "Bearer " + token["access_token"]}, timeout=30)
    assert about.headers["Content-Type"].startswith("application/json")
    assert about.json()["sub"] == about.json()["email"] == phone.user and about.json()["email_verified"] is True


def test_activation_by_force_needs_no_mail(change_miracl, make_native, world):
    change_miracl(force_activation=True)
    phone = make_native(ready=False)
    phone.set_backend()
    told = phone.start_registration()
    assert told["active"] is True and phone.state == ACTIVATED
    phone.confirm_registration()
    phone.choose_pin()
    assert world.messages(to=phone.user) == []
    assert phone.status_of(PIN, scope=["otp"]) == 200


