"""Checks of the OpenID Foundation's conformance suite that need a browser with cookies, and the time to pass.

Each test is named after the module of the suite that it recreates. The modules that need no browser are unit tests.

Source: onegini.md §20, from the plans oidcc-basic, -formpost-basic, -rp-initiated-logout, -backchannel-rp-initiated-logout,
-frontchannel-rp-initiated-logout and -session-management of https://gitlab.com/openid/conformance-suite.
"""

import hashlib
import threading
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
import pytest
import requests

from oauth_browser import ADA, CALLBACK, GRACE, Arrival, Browser, change_client, claims_in, metadata_of, register

LOGGED_OUT = "https://app.example.test/logged-out"
BACKCHANNEL_EVENT = "http://schemas.openid.net/event/backchannel-logout"


class Party:
    """A relying party that does no more than the suite's, and checks as it does."""

    def __init__(self, issuer, browser, **metadata):
        self.issuer, self.browser = issuer, browser
        self.metadata = metadata_of(issuer)
        self.client = register(issuer, **{"post_logout_redirect_uris": [LOGGED_OUT]} | metadata)
        self.id = self.client["client_id"]

    def url(self, **parameters):
        asked = {"client_id": self.id, "redirect_uri": self.client["redirect_uris"][0], "response_type": "code",
                 "scope": "openid", "state": "the state", "nonce": "the nonce"} | parameters
        query = urlencode({name: value for name, value in asked.items() if value is not None})
        return self.metadata["authorization_endpoint"] + "?" + query

    def redeem(self, code):
        return requests.post(
            self.metadata["token_endpoint"], timeout=30, auth=(self.id, self.client["client_secret"]),
            data={"grant_type": "authorization_code", "code": code, "redirect_uri": self.client["redirect_uris"][0]})

    def refresh(self, token):
        return requests.post(
            self.metadata["token_endpoint"], timeout=30, auth=(self.id, self.client["client_secret"]),
            data={"grant_type": "refresh_token", "refresh_token": token})

    def log_in(self, user=ADA, **parameters):
        """The claims of the ID token, verified; the token itself is then in `hint`, the arrival in `arrival`."""
        self.arrival = self.browser.authorize(self.url(**parameters), user)
        assert self.arrival.parameters["state"] == "the state"
        assert self.arrival.parameters["iss"] == self.issuer
        answer = self.redeem(self.arrival.parameters["code"])
        assert answer.status_code == 200, answer.text
        self.token = answer.json()
        self.hint = self.token["id_token"]
        return self.verify(self.hint)

    def verify(self, token, typ="JWT"):
        assert jwt.get_unverified_header(token)["typ"].lower() == typ.lower()
        key = jwt.PyJWKClient(self.metadata["jwks_uri"]).get_signing_key_from_jwt(token)
        # The clock of the world may be ahead; what expires is checked by the unit tests.
        options = {"verify_iat": False, "verify_nbf": False, "verify_exp": False}
        return jwt.decode(token, key, algorithms=["RS256"], audience=self.id, issuer=self.issuer, options=options)

    def log_out(self, **parameters):
        return self.browser.open(self.metadata["end_session_endpoint"] + "?" + urlencode(parameters))

    def is_logged_in(self):
        silent = self.browser.open(self.url(prompt="none"))
        assert silent.query.get("error") in (None, "login_required")
        return "code" in silent.query


@pytest.fixture
def party(issuer, browser):
    return Party(issuer, browser)


# --- oidcc-basic-certification-test-plan


def test_oidcc_prompt_login(world, party):
    first = party.log_in()
    world.advance(2)
    party.browser.open(party.url(prompt="login"))
    assert party.browser.offers(ADA)
    second = party.log_in(prompt="login")
    assert second["sub"] == first["sub"] and second["auth_time"] > first["auth_time"]


def test_oidcc_prompt_none_not_logged_in(party):
    arrival = party.browser.open(party.url(prompt="none"))
    assert arrival.address == CALLBACK
    assert arrival.query["error"] == "login_required" and arrival.query["state"] == "the state"


def test_oidcc_prompt_none_logged_in(world, party):
    first = party.log_in()
    world.advance(2)
    second = party.log_in(prompt="none")
    assert (second["sub"], second["auth_time"]) == (first["sub"], first["auth_time"])
    assert second["iat"] > first["iat"]


def test_oidcc_max_age_1(world, party):
    first = party.log_in()
    world.advance(2)
    party.browser.open(party.url(max_age=1))
    assert party.browser.offers(ADA)
    second = party.log_in(max_age=1)
    assert second["sub"] == first["sub"] and second["auth_time"] > first["auth_time"]


def test_oidcc_max_age_10000(world, party):
    first = party.log_in()
    world.advance(2)
    went = len(party.browser.went)
    second = party.log_in(max_age=10000)
    assert len(party.browser.went) == went + 1, "nobody was asked"
    assert second["auth_time"] == first["auth_time"]


def test_oidcc_id_token_hint(party):
    first = party.log_in()
    assert party.log_in(prompt="none", id_token_hint=party.hint)["sub"] == first["sub"]
    hint = party.hint
    party.log_in(user=GRACE, prompt="login")
    other = party.browser.open(party.url(prompt="none", id_token_hint=hint))
    assert other.query["error"] == "login_required"


def test_oidcc_login_hint(party):
    page = party.browser.open(party.url(login_hint="ada@example.test"))
    assert page.forms[0].buttons[0][1] == {"subject": ADA}
    assert page.form_with("username").fields["username"]


def test_oidcc_ensure_registered_redirect_uri(party):
    page = party.browser.open(party.url(redirect_uri="https://attacker.example.test/"))
    assert page.status == 400 and "redirect" in page.text.lower()


def test_oidcc_codereuse(party):
    party.log_in()
    again = party.redeem(party.arrival.query["code"])
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")


def test_oidcc_ensure_post_request_succeeds(party):
    parts = urlsplit(party.url())
    page = party.browser.open(party.metadata["authorization_endpoint"], "post", data=dict(parse_qsl(parts.query)))
    assert not isinstance(page, Arrival)
    assert party.redeem(party.browser.press(ADA).query["code"]).status_code == 200


# --- Once is once


def at_once(count, call):
    """What `call` answers when so many call it at the same moment: those who succeeded, and the errors of the others."""
    start, answers = threading.Barrier(count), []

    def run():
        start.wait()
        answers.append(call())

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == count
    given = [answer.json() for answer in answers if answer.status_code == 200]
    return given, {answer.json()["error"] for answer in answers if answer.status_code != 200}


def test_a_code_is_redeemed_by_one_of_a_hundred_at_a_time(party):
    code = party.browser.authorize(party.url()).query["code"]
    given, errors = at_once(100, lambda: party.redeem(code))
    assert len(given) == 1 and errors == {"invalid_grant"}


def test_a_refresh_token_is_spent_by_one_of_fifty_at_a_time(issuer, browser):
    party = Party(issuer, browser, grant_types=["authorization_code", "refresh_token"])
    party.log_in(scope="openid offline_access")
    given, errors = at_once(50, lambda: party.refresh(party.token["refresh_token"]))
    assert len(given) == 1 and errors == {"invalid_grant"}


def test_within_the_grace_all_of_fifty_get_the_same_tokens(world, issuer, browser):
    party = Party(issuer, browser, grant_types=["authorization_code", "refresh_token"])
    change_client(world, party.id, refresh_token_grace=30)
    party.log_in(scope="openid offline_access")
    given, errors = at_once(50, lambda: party.refresh(party.token["refresh_token"]))
    assert len(given) == 50 and errors == set()
    assert len({answer["refresh_token"] for answer in given}) == len({answer["access_token"] for answer in given}) == 1

    world.advance(31)
    assert party.refresh(party.token["refresh_token"]).json()["error"] == "invalid_grant"
    assert party.refresh(given[0]["refresh_token"]).json()["error"] == "invalid_grant"


# --- oidcc-formpost-basic-certification-test-plan


def test_oidcc_formpost_server(party):
    assert party.log_in(response_mode="form_post")["nonce"] == "the nonce"
    assert party.arrival.url == CALLBACK and set(party.arrival.body) >= {"code", "state", "iss"}


def test_oidcc_formpost_prompt_none_not_logged_in(party):
    arrival = party.browser.open(party.url(prompt="none", response_mode="form_post"))
    assert arrival.url == CALLBACK
    assert arrival.body["error"] == "login_required" and arrival.body["state"] == "the state"


# --- oidcc-rp-initiated-logout-certification-test-plan


def test_oidcc_rp_initiated_logout(party):
    party.log_in()
    arrival = party.log_out(id_token_hint=party.hint, post_logout_redirect_uri=LOGGED_OUT, state="bye bye")
    assert arrival.address == LOGGED_OUT and arrival.query == {"state": "bye bye"}
    assert not party.is_logged_in()


def test_oidcc_rp_initiated_logout_with_an_expired_hint(world, party):
    party.log_in()
    world.advance(7200)
    arrival = party.log_out(id_token_hint=party.hint, post_logout_redirect_uri=LOGGED_OUT)
    assert arrival.url == LOGGED_OUT
    assert not party.is_logged_in()


def test_oidcc_rp_initiated_logout_no_state(party):
    party.log_in()
    arrival = party.log_out(id_token_hint=party.hint, post_logout_redirect_uri=LOGGED_OUT)
    assert arrival.url == LOGGED_OUT


def test_oidcc_rp_initiated_logout_no_post_logout_redirect_uri(party):
    party.log_in()
    page = party.log_out(id_token_hint=party.hint)
    assert page.status == 200 and "Logged out" in page.text
    assert not party.is_logged_in()


def test_oidcc_rp_initiated_logout_only_state(party):
    party.log_in()
    page = party.log_out(state="alone")
    assert page.status == 200
    assert party.is_logged_in() and "Logged out" in ask(party, state="alone").text
    assert not party.is_logged_in()


def test_oidcc_rp_initiated_logout_no_params(party):
    party.log_in()
    assert "Logged out" in ask(party).text
    assert not party.is_logged_in()


def test_oidcc_rp_initiated_logout_no_id_token_hint(party):
    party.log_in()
    party.log_out(post_logout_redirect_uri=LOGGED_OUT, client_id=party.id)
    assert party.browser.press("Log out").url == LOGGED_OUT
    assert not party.is_logged_in()


def ask(party, **parameters):
    """Logs out where the user is asked first."""
    party.log_out(**parameters)
    return party.browser.press("Log out")


@pytest.mark.parametrize("name", ["bad_post_logout_redirect_uri", "query_added_to_post_logout_redirect_uri",
                                  "modified_id_token_hint", "bad_id_token_hint"])
def test_oidcc_rp_initiated_logout_with(party, name):
    party.log_in()
    head, body, signature = party.hint.split(".")
    wrong = {
        "bad_post_logout_redirect_uri": {"post_logout_redirect_uri": "https://attacker.example.test/"},
        "query_added_to_post_logout_redirect_uri": {"post_logout_redirect_uri": LOGGED_OUT + "?more=1"},
        "modified_id_token_hint": {"id_token_hint": ".".join([head, body, signature[::-1]])},
        "bad_id_token_hint": {"id_token_hint": "nonsense"},
    }[name]
    page = party.log_out(**{"id_token_hint": party.hint, "post_logout_redirect_uri": LOGGED_OUT} | wrong)
    assert not isinstance(page, Arrival) and page.status == 400
    assert party.is_logged_in()


# --- Clients that hear of a logout


def test_oidcc_backchannel_rp_initiated_logout(world, issuer, browser, receiver):
    party = Party(issuer, browser, backchannel_logout_uri=receiver.url + "/backchannel",
                  backchannel_logout_session_required=True)
    claims = party.log_in()
    party.log_out(id_token_hint=party.hint, post_logout_redirect_uri=LOGGED_OUT)
    notice = receiver.wait("/backchannel")[0]

    told = party.verify(notice["form"]["logout_token"], typ="logout+jwt")
    assert told["events"] == {BACKCHANNEL_EVENT: {}} and "nonce" not in told
    assert (told["sub"], told["sid"]) == (claims["sub"], claims["sid"]) and told["jti"]
    assert 0 < told["exp"] - told["iat"] <= 120


def test_a_browser_does_not_wait_for_a_client_that_is_gone(world, issuer, browser):
    party = Party(issuer, browser, backchannel_logout_uri="http://127.0.0.1:9/backchannel")
    party.log_in()
    arrival = party.log_out(id_token_hint=party.hint, post_logout_redirect_uri=LOGGED_OUT)
    assert arrival.url == LOGGED_OUT
    assert not party.is_logged_in()


def test_oidcc_frontchannel_rp_initiated_logout(issuer, browser, receiver):
    party = Party(issuer, browser, frontchannel_logout_uri=receiver.url + "/frontchannel?own=1",
                  frontchannel_logout_session_required=True)
    claims = party.log_in()
    page = party.log_out(id_token_hint=party.hint, post_logout_redirect_uri=LOGGED_OUT, state="bye")
    frame = urlsplit(page.frames[0])
    assert dict(parse_qsl(frame.query)) == {"own": "1", "iss": issuer, "sid": claims["sid"]}
    assert page.refresh == LOGGED_OUT + "?state=bye"


def test_session_state_is_made_as_session_management_says(party):
    party.log_in()
    state = party.arrival.query["session_state"]
    digest, salt = state.split(".")
    kept = next(cookie.value for cookie in party.browser.session.cookies if cookie.name.endswith(".opbs"))
    text = f"{party.id} https://app.example.test {kept} {salt}"
    assert hashlib.sha256(text.encode()).hexdigest() == digest


def test_the_sessions_of_two_browsers_do_not_meet(issuer, world, party):
    other = Party(issuer, Browser())
    mine, theirs = party.log_in(), other.log_in(user=GRACE)
    assert mine["sid"] != theirs["sid"] and mine["sub"] != theirs["sub"]
    party.log_out(id_token_hint=party.hint)
    assert other.is_logged_in() and not party.is_logged_in()
    assert claims_in(other.hint)["sub"] == theirs["sub"]
