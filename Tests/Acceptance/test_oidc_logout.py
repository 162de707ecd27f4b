"""Checks of the OpenID Foundation's conformance suite about the end of a session; each test is named after its module.

Source: the plans oidcc-rp-initiated-logout, oidcc-backchannel-rp-initiated-logout, oidcc-frontchannel-rp-initiated-logout and
oidcc-session-management of https://gitlab.com/openid/conformance-suite.
"""

import hashlib
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from oauth_browser import GRACE, Arrival, Browser, claims_in
from oauth_party import LOGGED_OUT, Party

BACKCHANNEL_EVENT = "http://schemas.openid.net/event/backchannel-logout"


@pytest.fixture
def party(issuer, browser):
    return Party(issuer, browser)


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


# --- In a real browser


def log_in(page, party, app):
    """Where the browser arrived at the application."""
    page.goto(party.url())
    page.get_by_role("button", name="Ada Lovelace").click()
    page.get_by_text("Welcome back").wait_for()
    assert page.url.startswith(app + "?")
    return Arrival(page.url).query


def test_oidcc_frontchannel_rp_initiated_logout_in_chromium(issuer, browser, window, receiver, app):
    receiver.pages["/logged-out"] = "<!doctype html><h1>Logged out of the application</h1>"
    party = Party(
        issuer, browser, redirect_uris=[app], frontchannel_logout_uri=receiver.url + "/frontchannel",
        frontchannel_logout_session_required=True, post_logout_redirect_uris=[receiver.url + "/logged-out"])
    page = window()
    token = party.redeem(log_in(page, party, app)["code"]).json()["id_token"]

    page.goto(party.metadata["end_session_endpoint"] + "?" + urlencode(
        {"id_token_hint": token, "post_logout_redirect_uri": receiver.url + "/logged-out"}))
    notice = receiver.wait("/frontchannel")[0]
    assert dict(parse_qsl(urlsplit(notice["path"]).query)) == {"iss": issuer, "sid": claims_in(token)["sid"]}
    page.get_by_text("Logged out of the application").wait_for()


WATCHER = """<!doctype html><title>watcher</title><body><iframe id="op" src="%s"></iframe><script>
const answers = [];
addEventListener('message', (event) => answers.push([event.origin, event.data]));
async function ask(message) {
  answers.length = 0;
  document.getElementById('op').contentWindow.postMessage(message, '%s');
  while (!answers.length) await new Promise((done) => setTimeout(done, 5));
  return answers[0];
}
</script>"""


def test_oidcc_session_management_rp_initiated_logout(world, issuer, browser, window, receiver, app):
    # The same site as the server: in a frame of another one a browser shows no cookies without TLS.
    origin, app = (url.replace("127.0.0.1", "localhost") for url in (receiver.url, app))
    party = Party(issuer, browser, redirect_uris=[app])
    home = "/".join(world.url.split("/")[:3])
    receiver.pages["/watch"] = WATCHER % (party.metadata["check_session_iframe"], home)
    page = window()
    message = f"{party.id} {log_in(page, party, app)['session_state']}"

    page.goto(origin + "/watch")
    page.frame_locator("#op").locator("body").wait_for(state="attached")
    assert page.evaluate("ask(%r)" % message) == [home, "unchanged"]
    assert page.evaluate("ask('nonsense')") == [home, "error"]
    other = page.context.new_page()
    other.goto(party.metadata["end_session_endpoint"])
    other.get_by_role("button", name="Log out").click()
    other.get_by_text("Your session has ended").wait_for()
    assert page.evaluate("ask(%r)" % message) == [home, "changed"]
