"""Simulated phones with nextAuth's app: codes, pushes, AppLogin with its pings, transactions, and what is refused."""

import pytest
import requests

from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ADA
from nextauth_server import link, new_nonce
from phones import Phone, Refused, new_phone
from understudy import run, until

PLATFORM = "nextauth"


@pytest.fixture
def ada(world):
    """Enrolled at first use, and a minute later: an AppLogin asks for the PIN."""
    phone = Phone(world, "ada")
    phone.enrol(platform=PLATFORM)
    world.advance(61)
    return phone


def app_login(phone, **inputs):
    """Its web nonce."""
    asked = phone.do("applogin", **inputs)
    return phone.approve(asked["id"])["code"] if asked["kind"] == "applogin" else asked["code"]


def refused(call, *arguments, **options):
    """What the SDK reports, and the sentence beside it."""
    with pytest.raises(Refused) as caught:
        call(*arguments, **options)
    return caught.value.error, caught.value.detail


@pytest.mark.parametrize("model", ["ios", "android"])
@pytest.mark.parametrize("form", ["text", "link"])
def test_from_the_code_to_the_login_of_a_browser(world, backend, model, form):
    phone = new_phone(world, "eva", owner="eva", model=model)
    nonce = new_nonce()
    code = backend.enrolment_code(nonce, "Eva", "eva")
    report = phone.scan(code.decode() if form == "text" else link(code), pin="97531")
    assert report["kind"] == "activation" and "Eva for eva" in report["detail"]
    assert backend.session(nonce)["userid"] == "eva"

    browser = new_nonce()
    with backend.watch(browser) as page:
        page.hear("LOGOUT")
        code = backend.login_code(browser)
        asked = phone.scan(code.decode() if form == "text" else link(code))
        page.hear("CONFIRMSCAN")
        [request] = phone.pending()
        assert (request["id"], request["kind"], request["ways"]) == (asked["id"], "login", ["pin", "biometry"])
        assert phone.approve(request["id"], pin="97531")["kind"] == "approved"
        page.hear("LOGIN")
    assert backend.session(browser)["userid"] == "eva" and phone.pending() == []


def test_the_built_in_phone_enrols_when_it_scans_a_login(world, backend):
    ada, grace = Phone(world, "ada"), Phone(world, "grace")
    nonce = new_nonce()
    ada.scan(backend.login_code(nonce).decode())
    ada.approve(**{"with": "biometry"})
    assert backend.session(nonce)["userid"] == ADA
    with backend.watch(new_nonce()) as page:
        page.hear("LOGOUT")
    # Grace's has no account, which the browser hears.
    nonce = new_nonce()
    with backend.watch(nonce) as page:
        page.hear("LOGOUT")
        error, detail = refused(grace.scan, backend.login_code(nonce).decode())
        assert error == "NO_ACCOUNTS_FOR_SERVER (34)" and "404 NO_ACCOUNTS_FOR_SERVER" in detail and "Enrol first" in detail
        page.hear("NOACCOUNTS")


def test_a_push_is_there_at_once_and_who_declines_logs_nobody_in(world, backend, ada):
    nonce = new_nonce()
    with backend.watch(nonce) as page:
        page.hear("LOGOUT")
        backend.ask("POST", f"/users/{ADA}/provokelogin", nonce, {"announceinfo": {"ip": "192.0.2.7", "info": {"Shop": "Blue"}}})
        [request] = ada.pending(wait=10)
        page.hear("CONFIRMPROVOKE")
        assert {"name": "Address", "value": "192.0.2.7"} in request["details"] and {"name": "Shop", "value": "Blue"} in request["details"]
        ada.decline(request["id"])
        page.hear("CANCEL")
    assert not backend.session(nonce)["loggedin"] and ada.pending() == []


@pytest.mark.parametrize("policy, outcome", [("approve", "1"), ("decline", "2"), ("wrong PIN twice, then right", "1"), ("approve after 1 s", "1")])
def test_transactions_by_policy(world, backend, ada, policy, outcome):
    nonce = app_login(ada)
    ada.change(policy=policy)
    transaction = backend.transaction(nonce, amount="12 EUR", benificiary="Bob", description="Lunch")
    if "after" in policy:
        until(lambda: world.get("/phones/ada")["requests"], "the phone to show it")
        assert backend.outcome(transaction) != outcome, "the clock of this world stands still"
        world.advance(1)
    until(lambda: backend.outcome(transaction) == outcome, "the transaction to be decided")


def test_a_transaction_says_what_it_is(backend, ada):
    nonce = app_login(ada)
    transaction = backend.transaction(nonce, amount="12 EUR", benificiary="Bob", description="Lunch")
    [request] = ada.pending(wait=10)
    assert (request["kind"], request["title"]) == ("transaction", "Lunch")
    assert request["details"] == [{"name": "Amount", "value": "12 EUR"}, {"name": "Beneficiary", "value": "Bob"}]
    assert refused(ada.approve, **{"with": "wrong-pin"})[0] == "SecondFactor.WRONG"
    assert backend.outcome(transaction) == "0"
    assert ada.approve()["id"] == request["id"]
    assert backend.outcome(transaction) == "1"


def test_five_wrong_pins_block_and_biometrics_stand_in(world, backend, ada):
    ada.do("applogin")
    for left in (4, 3, 2, 1):
        error, detail = refused(ada.approve, **{"with": "wrong-pin"})
        assert (error, detail) == ("SecondFactor.WRONG", f"The PIN is wrong; tries left: {left}.")
    assert refused(ada.approve, **{"with": "wrong-pin"})[0] == "SecondFactor.BLOCKED"
    assert ada.fact("Second factor", PLATFORM) == "BLOCKED"
    ada.do("applogin")
    error, detail = refused(ada.approve, **{"with": "pin"})
    assert error == "SECOND_FACTOR_BLOCKED (41)" and "Unlock it" in detail
    ada.do("applogin")
    assert backend.session(ada.approve(**{"with": "biometry"})["code"])["userid"] == ADA


def test_codes_that_are_good_no_more(world, backend, ada):
    other = new_phone(world, "eva", owner="eva")
    code = backend.enrolment_code(new_nonce(), "Eva").decode()
    other.scan(code)
    for phone in (other, ada):
        error, detail = refused(phone.scan, code)
        assert error == "CODE_USED (40)" and "works once" in detail
    code = backend.enrolment_code(new_nonce(), "Eva").decode()
    world.advance(601)
    error, detail = refused(other.scan, code)
    assert error == "CODE_USED (40)" and "expired 1 s ago" in detail
    parts = backend.login_code(new_nonce()).decode().split(";")
    assert refused(ada.scan, ";".join(parts[:3] + ["A" * 22] + parts[4:]))[0] == "SERVER_NOT_FOUND (35)"
    assert refused(ada.scan, "na1;X;y;z;" + parts[4])[1].startswith("No app on the phone knows")

    # Shown on the phone, answered too late.
    ada.scan(backend.login_code(new_nonce()).decode())
    world.advance(121)
    error, detail = refused(ada.approve)
    assert error == "FLOW_NOT_FOUND (36)" and "expired 1 s ago" in detail


def test_blocked_and_deleted_accounts(backend, ada):
    [account] = backend.accounts()
    backend.block(account["id"])
    assert refused(ada.scan, backend.login_code(new_nonce()).decode())[0] == "ACCOUNT_BLOCKED (30)"
    backend.block(account["id"], blocked=False)
    nonce = app_login(ada)
    backend.delete_account(account["id"])
    assert not backend.session(nonce)["loggedin"]
    ada.tell("/pending", method="GET")
    assert ada.actions(PLATFORM) == [] and ada.fact("Account 1", PLATFORM) is None


def test_pings_obey_the_worlds_clock(world, backend, ada):
    nonce = app_login(ada)
    # Each of these moves is behind the pings that were due, for AppLogin and enrolment, and before the server gives up.
    for _ in range(4):
        before = pings(world)
        world.advance(200)
        until(lambda: pings(world) == before + 2, "the pings that were due")
        assert backend.session(nonce)["loggedin"]
    world.advance(3600)
    assert not backend.session(nonce)["loggedin"]
    until(lambda: ada.fact("State", PLATFORM) == "LOGGED_OUT", "the phone to hear of it")
    [failure] = [entry for entry in world.journal() if entry.get("event") == "phone failed"]
    assert "SESSION_NOT_FOUND" in failure["explanation"]


def test_a_phone_that_keeps_alive_pings_on_the_way(world, backend, ada):
    nonce = app_login(ada)
    ada.change(keepsAlive=True)
    before = pings(world)
    world.advance(3600)
    # Every 150 s, for the AppLogin and for the session of the enrolment.
    assert backend.session(nonce)["loggedin"] and pings(world) - before >= 47
    ada.change(network="offline")
    world.advance(303)
    assert not backend.session(nonce)["loggedin"]


def pings(world):
    return len([entry for entry in world.journal(limit=1000) if entry.get("exchange", {}).get("target", "").endswith("/ping")])


@pytest.mark.parametrize("name, seconds, reason", [("inactivity_timeout", 120, "INACTIVITY"), ("applogin_timeout", 400, "APPLOGIN_TIMEOUT")])
def test_the_apps_own_timeouts(world, backend, ada, name, seconds, reason):
    ada.change(keepsAlive=True)
    nonce = app_login(ada, **{name: str(seconds)})
    world.advance(seconds - 1)
    assert backend.session(nonce)["loggedin"]
    ada.do("use")
    world.advance(2)
    assert backend.session(nonce)["loggedin"] is (reason == "INACTIVITY")
    world.advance(seconds)
    assert not backend.session(nonce)["loggedin"]
    ended = [entry["explanation"] for entry in world.journal(limit=1000) if entry.get("event") == "AppLogin ended"]
    assert len(ended) == 1 and reason in ended[0]


def test_pin_and_account_are_the_owners_business(backend, ada):
    ada.do("change_pin", pin="8642")
    ada.do("applogin")
    assert refused(ada.approve, pin="2580")[0] == "SecondFactor.WRONG"
    nonce = ada.approve()["code"]
    assert set(ada.actions(PLATFORM)) == {"stop", "use", "change_pin", "delete_account"}
    ada.do("stop")
    assert not backend.session(nonce)["loggedin"]
    ada.do("delete_account")
    assert backend.accounts() == [] and ada.actions(PLATFORM) == []
    with pytest.raises(Refused) as caught:
        ada.do("fly", PLATFORM)
    assert caught.value.status == 400 and "applogin" in caught.value.detail


def test_two_accounts_are_one_too_many_for_an_app_login(backend, ada):
    ada.scan(backend.enrolment_code(new_nonce(), "Second", ADA).decode())
    assert refused(ada.do, "applogin")[0] == "MULTIPLE_ACCOUNTS (38)"
    assert refused(ada.scan, backend.enrolment_code(new_nonce(), "Third", ADA).decode(), pin="1")[0] == "SecondFactor.WRONG"
    assert len(backend.accounts()) == 2


def test_phone_and_python_device_side_by_side(backend, ada, enrol):
    """Each with its own keys, of one user: the push goes to both, and whoever is first logs the browser in."""
    sdk = enrol()
    nonce = app_login(ada)
    sdk.app_login.start()
    assert backend.session(nonce)["userid"] == backend.session(sdk.app_login.web_nonce)["userid"] == ADA
    assert backend.session(nonce)["accountid"] != backend.session(sdk.app_login.web_nonce)["accountid"]
    ada.do("stop")
    assert backend.session(sdk.app_login.web_nonce)["loggedin"] and not backend.session(nonce)["loggedin"]
    browser = new_nonce()
    sdk.start_session(backend.login_code(browser))
    backend.log_out(browser)
    ada.scan(backend.login_code(browser).decode())
    ada.approve()
    assert backend.session(browser)["loggedin"]


def test_an_offline_phone_and_a_world_that_forgot_it(world, backend, ada):
    ada.change(network="offline")
    error, detail = refused(ada.do, "applogin", PLATFORM)
    assert error == "Session.State.ERROR" and "is offline" in detail
    ada.change(network="online")
    # The server's data of before the enrolment, the phone's of after it.
    kept = world.get("/fixtures")["phones"]
    assert world.control("POST", f"/worlds/{world.name}/reset", json={}).status_code == 204
    assert world.control("PUT", "/fixtures", json={"phones": kept}).status_code == 204
    assert refused(ada.do, "applogin", PLATFORM)[0] == "UNAUTHORIZED (2)"


def test_phones_go_with_snapshots_and_exports(world, backend, ada, make_world):
    nonce = app_login(ada)
    copy = make_world(fixtures=world.get("/fixtures"), clock=world.get("/clock")["now"], frozen=True)
    there = type(backend)(copy.url + "/nextauth")
    assert there.session(nonce)["loggedin"]
    phone = Phone(copy, "ada")
    phone.do("stop")
    assert there.session(app_login(phone))["userid"] == ADA
    assert backend.session(nonce)["loggedin"]


def asked(backend, phone, kind):
    """What waits on the phone, and whether it came to something."""
    if kind == "transaction":
        transaction = backend.transaction(app_login(phone), amount="12 EUR", benificiary="Bob", description="Lunch")
        [request] = phone.pending(wait=10)
        return request["id"], lambda: backend.outcome(transaction) == "1"
    nonce = new_nonce()
    if kind == "login":
        return phone.scan(backend.login_code(nonce).decode())["id"], lambda: backend.session(nonce)["loggedin"]
    backend.ask("POST", f"/users/{ADA}/provokelogin", nonce)
    [request] = phone.pending(wait=10)
    return request["id"], lambda: backend.session(nonce)["loggedin"]


KINDS = ["login", "push", "transaction"]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_sent_two_times_at_once_is_taken_once(backend, ada, kind):
    identifier, is_done = asked(backend, ada, kind)
    told = ada.approve(identifier, fault="twice")
    assert "two times at once: 200; 409, “" in told["detail"] and told["detail"].count("200; 409") == (2 if kind == "transaction" else 1), told
    assert is_done() and ada.pending() == []
    identifier, is_done = asked(backend, ada, "login")
    ada.approve(identifier)
    assert is_done()


@pytest.mark.parametrize("way", ["pin", "biometry"])
@pytest.mark.parametrize("fault", ["changed-counter", "other-data"])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_signed_wrong_is_refused_and_the_flow_goes_on(backend, ada, kind, fault, way):
    identifier, is_done = asked(backend, ada, kind)
    for _ in range(2):
        error, detail = refused(ada.approve, identifier, fault=fault, **{"with": way})
        assert error == "BAD_SIGNATURE (3)" and "403 BAD_SIGNATURE" in detail and not is_done()
    ada.approve(identifier, **{"with": way})
    assert is_done()


def test_a_decline_is_signed_where_it_is_of_a_transaction(backend, ada):
    identifier, is_done = asked(backend, ada, "transaction")
    assert refused(ada.decline, identifier, fault="other-data")[0] == "BAD_SIGNATURE (3)"
    assert "200; 409" in ada.decline(identifier, fault="twice")["detail"] and not is_done()
    identifier, is_done = asked(backend, ada, "login")
    assert "cancelled without a signature" in refused(ada.decline, identifier, fault="changed-counter")[1]
    assert "200; 409" in ada.decline(identifier, fault="twice")["detail"] and not is_done()


@pytest.mark.parametrize("kind", KINDS)
def test_who_copies_the_keys_lacks_the_pin(backend, ada, kind):
    identifier, is_done = asked(backend, ada, kind)
    for left in (4, 3):
        assert refused(ada.approve, identifier, fault="stolen-key") == ("SecondFactor.WRONG", f"The PIN is wrong; tries left: {left}.")
        assert not is_done()
    ada.approve(identifier)
    assert is_done()
    # Where no second factor is asked, the keys are all there is.
    backend.update(pinTimeout=-1)
    identifier, is_done = asked(backend, ada, "login")
    assert "took the copied key alone" in ada.approve(identifier, fault="stolen-key")["detail"] and is_done()


@pytest.mark.parametrize("kind", KINDS)
def test_who_was_not_asked_answers_nothing(world, backend, ada, kind):
    eva = new_phone(world, "eva", owner="eva")
    eva.enrol(platform=PLATFORM)
    identifier, is_done = asked(backend, ada, kind)
    for verdict in (eva.approve, eva.decline):
        error, detail = refused(verdict, identifier, fault="unasked", platform=PLATFORM)
        assert error == "FLOW_NOT_FOUND (36)" and "404 FLOW_NOT_FOUND" in detail
    tried = [entry["exchange"]["target"] for entry in world.journal(limit=1000) if entry.get("exchange", {}).get("status") == 404]
    assert len([target for target in tried if target.endswith("/flows")]) == 4, "each answer takes the id for that of a login and of a transaction first"
    assert not is_done()
    ada.approve(identifier)
    assert is_done()


def test_a_fault_that_the_protocol_does_not_have(backend, ada):
    identifier, _ = asked(backend, ada, "login")
    for fault in ("rooted", "old-protocol"):
        with pytest.raises(Refused) as caught:
            ada.approve(identifier, fault=fault)
        assert caught.value.status == 400 and "“twice”, “changed-counter”, “stolen-key”, “other-data”, “unasked”" in caught.value.detail


def test_by_the_command_line(server, world, backend):
    def phone(*arguments):
        return run("phone", *arguments, "--world", world.name, url=server.url)

    assert phone("create", "eva", "--user", "eva", "--mail", "eva@example.com").returncode == 0
    assert "for eva@example.com" in phone("enrol", "eva", "--platform", "nextauth", "--pin", "1357").stdout
    world.advance(61)
    assert "waiting for PIN" in phone("do", "eva", "applogin", "inactivity_timeout=90").stdout
    refused = phone("approve", "eva", "--with", "wrong-pin")
    assert refused.returncode == 1 and "SecondFactor.WRONG: " in refused.stderr and "tries left: 4." in refused.stderr
    assert "was approved" in phone("approve", "eva").stdout
    assert "LOGGED_IN" in phone("show", "eva").stdout
    assert phone("do", "eva", "stop", "--platform", "nextauth").returncode == 0
    assert phone("do", "eva", "stop").returncode == 1
    assert phone("do", "eva", "applogin", "nonsense").returncode == 2
    assert phone("enrol", "eva", "--platform", "nobody").returncode == 1


def test_the_page_of_a_phone(browse, world, backend, ada):
    page = browse(world.url + "/phones/ada/apps/nextauth")
    page.locator("summary", has_text="Actions").click()
    page.get_by_role("link", name="AppLogin").click()
    page.get_by_role("button", name="AppLogin").click()
    card = page.locator(".request")
    card.wait_for()
    card.get_by_role("button", name="Approve with biometrics").click()
    card.wait_for(state="detached")
    page.locator("summary", has_text="Actions").click()
    nonce = ada.fact("Web nonce", PLATFORM)
    assert backend.session(nonce)["userid"] == ADA
    page.get_by_role("button", name="Stop the AppLogin").click()
    until(lambda: not backend.session(nonce)["loggedin"], "the AppLogin to end")


def test_a_code_on_a_page_of_the_console_is_scanned_by_a_phone(browse, world, backend, ada):
    nonce = new_nonce()
    assert requests.get(backend.base + f"/servers/{backend.server_id}/sessions/qr/login", timeout=30,
                        headers={"X-apikey": backend.key, "X-nonce": nonce}).status_code == 200
    page = browse(world.url + "/transactions")
    page.locator("#transactions .subject").first.click()
    page.frame_locator(".pane iframe").get_by_role("button", name="Scan with the phone ada").first.click()
    page.locator(".request").get_by_role("button", name="Approve with PIN").click()
    until(lambda: backend.session(nonce)["loggedin"], "the login")


def tamper(world, platform, change):
    """What somebody does who has a phone in pieces before them: `change` is given what the app keeps."""
    fixtures = world.get("/fixtures")
    [app] = [app for app in fixtures["phones"]["apps"] if app["platform"] == platform]
    change(app["state"])
    assert world.control("PUT", "/fixtures", json=fixtures).status_code == 204


@pytest.mark.parametrize("key, way", [("account", "pin"), ("biometry", "biometry")])
def test_a_key_that_is_another(world, backend, ada, key, way):
    def change(state):
        pair = state["device"]["accounts"][0]["key"] if key == "account" else state["device"]["biometry"]
        pair["secret"][31] ^= 1

    tamper(world, PLATFORM, change)
    nonce = new_nonce()
    ada.scan(backend.login_code(nonce).decode())
    error, detail = refused(ada.approve, **{"with": way})
    assert error == "BAD_SIGNATURE (3)" and "does not fit" in detail and not backend.session(nonce)["loggedin"]
    if key == "account":
        app_login = ada.do("applogin")
        assert refused(ada.approve, app_login["id"])[0] == "BAD_SIGNATURE (3)"
        assert refused(ada.do, "delete_account")[0] == "BAD_SIGNATURE (3)" and len(backend.accounts()) == 1


def test_an_account_of_somebody_else(world, backend, ada):
    new_phone(world, "eva", owner="eva").enrol(platform=PLATFORM)
    theirs = max(account["id"] for account in backend.accounts())
    fixtures = world.get("/fixtures")
    [app] = [app for app in fixtures["phones"]["apps"] if app["phone"] == "ada"]
    app["state"]["device"]["accounts"][0]["id"] = theirs
    assert world.control("PUT", "/fixtures", json=fixtures).status_code == 204
    assert refused(ada.do, "delete_account")[0] == "ACCOUNT_NOT_FOUND (31)"
    assert len(backend.accounts()) == 2


def test_a_wrong_old_pin_changes_nothing(world, backend, ada):
    tamper(world, PLATFORM, lambda state: state.update(pin="1111"))
    assert refused(ada.do, "change_pin", pin="8642")[0] == "BAD_SIGNATURE (3)"
    ada.do("applogin")
    assert refused(ada.approve)[0] == "SecondFactor.WRONG"
    assert backend.session(ada.approve(pin="2580")["code"])["userid"] == ADA


def test_a_server_whose_logins_are_one_shot_has_no_app_login(backend, ada):
    backend.update(pingTime=0)
    error, detail = refused(ada.do, "applogin")
    assert error == "CONTINUOUS_AUTH_REQUIRED (39)" and "pingTime 0" in detail


def test_a_push_that_is_answered_too_late(world, backend, ada):
    nonce = new_nonce()
    backend.ask("POST", f"/users/{ADA}/provokelogin", nonce)
    assert ada.pending(wait=10)
    # The flow is over after two minutes; who taps the push again begins another.
    world.advance(200)
    assert refused(ada.approve, **{"with": "wrong-pin"})[0] == "SecondFactor.WRONG"
    assert ada.approve()["kind"] == "approved" and backend.session(nonce)["loggedin"]
    other = new_nonce()
    backend.ask("POST", f"/users/{ADA}/provokelogin", other)
    assert ada.pending(wait=10)
    world.advance(601)
    error, _ = refused(ada.approve)
    assert error == "MESSAGE_NOT_FOUND (43)" and not backend.session(other)["loggedin"] and ada.pending() == []
