"""Apps of nextAuth's Mobile SDK, with their back end beside them: enrolment, AppLogin, logins of browsers, second factors, and all the
ways in which a login ends. Each test has a world of its own, whose clock moves only when the test moves it."""

import base64
import shutil
import subprocess
import threading
from datetime import datetime

import pytest

from nextauth_device import PIN, Device, Key, Refused, received, signed_text, unb64url
from nextauth_server import SERVER, Backend, link, new_nonce, url_safe
from nextauth_stub import SDK, App, User

ADA = "ada@example.test"
ENROLLED = ["ConfirmEnrol", "SecondFactor FIRST_SET", "SecondFactor SUCCESS", "SessionLogin"]
ASKED = ["SecondFactor VERIFY", "SecondFactor SUCCESS", "SessionLogin"]
SILENT = ["SessionLogin"]


@pytest.fixture
def world(make_world):
    return make_world(frozen=True)


@pytest.fixture
def backend(world):
    return Backend(world.url + "/nextauth")


@pytest.fixture
def make_sdk(world):
    """Makes an installation of an app that has no account."""
    def make(*arguments, raw=False, **config):
        now = lambda: datetime.fromisoformat(world.get("/clock")["now"]).timestamp()  # noqa: E731
        return SDK(Device(world.url + "/nextauth", raw=raw), now, *arguments, **config)
    return make


@pytest.fixture
def enrol(world, backend, make_sdk):
    """Makes an app with an account, logged in by nothing any more; its nonce is that of the enrolment."""
    def enrol(*arguments, user=ADA, at=backend, rests=61, **config):
        sdk = make_sdk(*arguments, **config)
        sdk.nonce = new_nonce()
        sdk.enrolment = sdk.start_session(at.enrolment_code(sdk.nonce, "Ada", user))
        assert sdk.enrolment["state"] == "DONE"
        sdk.account = sdk.enrolment["account"]["accountid"]
        for session in list(sdk.sessions):
            sdk.stop(session)
        world.advance(rests)
        sdk.take()
        return sdk
    return enrol


@pytest.fixture
def sdk(enrol):
    return enrol()


@pytest.fixture
def refused(world):
    """Claims that a call is refused with this code, and that the journal says why."""
    def refused(code, number, status, call, *arguments, **options):
        with pytest.raises(Refused) as caught:
            call(*arguments, **options)
        assert (caught.value.code, caught.value.number, caught.value.status) == (code, number, status), caught.value
        assert all(len(told) > 20 for told in world.explanations(status=status)[:1] or [""])
    return refused


# Enrolment.

@pytest.mark.parametrize("raw", [False, True], ids=["DER", "r and s"])
def test_an_account_is_made(backend, make_sdk, raw):
    nonce, sdk = new_nonce(), make_sdk(raw=raw)
    with backend.watch(nonce) as page:
        page.hear("LOGOUT")
        flow = sdk.start_session(backend.enrolment_code(nonce, "Ada's account", ADA))
        page.hear("CONFIRMSCAN", "LOGIN")

    assert sdk.take() == ENROLLED
    [account] = sdk.device.keys
    told = backend.session(nonce)
    assert (told["loggedin"], told["userid"], told["accountid"]) == (True, ADA, account)
    assert told["hsid"] == flow["session"]["hsid"]
    assert base64.b64decode(told["pk"]) == unb64url(sdk.device.keys[account].public)
    assert (flow["session"]["username"], flow["session"]["userid"]) == ("Ada's account", ADA)
    assert (flow["session"]["webnonce"], flow["session"]["applogin"], flow["session"]["type"]) == (None, False, "ENROL")
    assert [one["accountid"] for one in sdk.list_accounts()] == [account]
    assert sdk.device.factor == {"pin": "SET", "triesleft": 5, "biometric": False, "cacheduntil": None}


def test_an_account_without_a_user_gets_one(backend, make_sdk):
    nonce, sdk = new_nonce(), make_sdk()
    sdk.start_session(backend.enrolment_code(nonce))
    assert "userid" not in backend.session(nonce)
    backend.register_user(nonce, "eve@example.test")

    assert sdk.listen() == ["ACCOUNT_UPDATED"]
    assert sdk.take() == ENROLLED + ["AccountUpdate"]
    assert [one["userid"] for one in sdk.accounts.values()] == ["eve@example.test"] == [backend.session(nonce)["userid"]]


def test_registering_a_user_needs_a_login(backend):
    assert backend.call("POST", "/sessions/registeruser", new_nonce(), userid=ADA).status_code == 403


@pytest.mark.skipif(not shutil.which("zbarimg"), reason="zbarimg is not on the path")
@pytest.mark.parametrize("size", [{}, {"s": 300}], ids=["500", "300"])
def test_a_camera_reads_the_code(backend, make_sdk, size):
    picture = backend.enrolment_code(new_nonce(), "Zoë", ADA, img="png", **size)
    assert int.from_bytes(picture[16:20], "big") == size.get("s", 500)
    done = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sbinary", "PNG:-"], input=picture, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()

    sdk = make_sdk()
    assert sdk.start_session(done.stdout)["session"]["username"] == "Zoë"


def test_a_link_does_what_a_code_does(backend, make_sdk):
    sdk, nonce = make_sdk(), new_nonce()
    code = backend.enrolment_code(nonce, "Ada", ADA)
    for data in (link(code).partition(":")[2], link(code, "com.example.app"), base64.b64encode(code).decode()):
        assert sdk.device.start("ENROL", data=data)["interaction"]["type"] == "CONFIRM"
    sdk.start_session(link(code))
    assert backend.session(nonce)["loggedin"]


def test_code_data_has_the_documented_form(world, backend):
    nonce = new_nonce()
    hsid = backend.session(nonce)["hsid"]
    head, kind, base, server, told, ticket = backend.enrolment_code(nonce).decode("ascii").split(";")
    assert (head, kind, base, server, told) == ("na1", "E", world.url + "/nextauth", url_safe(SERVER["id"]), hsid)
    assert len(unb64url(ticket)) == 16 and len(unb64url(hsid)) == 32
    login = backend.login_code(nonce)
    assert login.decode() == f"na1;L;{base};{server};{hsid}"
    assert base64.b64decode(backend.session(nonce)["loginqrdata"]) == login


def test_a_code_is_good_once(backend, make_sdk, refused):
    code, sdk, other = backend.enrolment_code(new_nonce(), "Ada", ADA), make_sdk(), make_sdk()
    sdk.start_session(code)
    for again in (sdk, other):
        refused("CODE_USED", 40, 410, again.start_session, code)
        assert again.take()[-1] == "UserErrorMessage 40"
    assert len(backend.accounts()) == 1


def test_of_two_phones_that_scan_a_code_one_gets_the_account(backend, make_sdk, refused):
    code, first, second = backend.enrolment_code(new_nonce(), "Ada", ADA).decode(), make_sdk().device, make_sdk().device
    flows = [phone.confirm_enrolment(phone.start("ENROL", data=code)) for phone in (first, second)]
    assert first.set_pin(flows[0], PIN)["state"] == "DONE"
    refused("CODE_USED", 40, 410, second.set_pin, flows[1], PIN)
    assert len(backend.accounts()) == 1


@pytest.mark.parametrize("seconds, in_time", [(599, True), (600, False)])
def test_a_code_is_good_for_ten_minutes(world, backend, make_sdk, refused, seconds, in_time):
    code, sdk = backend.enrolment_code(new_nonce(), "Ada", ADA), make_sdk()
    world.advance(seconds)
    if in_time:
        assert sdk.start_session(code)["state"] == "DONE"
    else:
        refused("CODE_USED", 40, 410, sdk.start_session, code)


def test_an_enrolment_that_the_user_declines(backend, make_sdk):
    nonce, sdk = new_nonce(), make_sdk(User(confirms=False))
    with backend.watch(nonce) as page:
        flow = sdk.start_session(backend.enrolment_code(nonce, "Ada", ADA))
        page.hear("LOGOUT", "CONFIRMSCAN", "CANCEL")
    assert (flow["state"], flow["session"]) == ("ERROR", None)
    assert sdk.take() == ["ConfirmEnrol"]
    assert (backend.session(nonce)["loggedin"], backend.accounts(), sdk.list_accounts()) == (False, [], [])


def test_a_second_account_shares_the_pin(backend, sdk):
    other = backend.new_server(serverName="Other", pingTime=300)
    sdk.start_session(other.enrolment_code(new_nonce(), "Ada elsewhere", ADA))
    assert sdk.take() == ["ConfirmEnrol"] + ASKED
    assert len(sdk.list_accounts()) == 2


def test_an_app_with_a_single_account_takes_no_other(backend, enrol, refused):
    sdk = enrol(singleAccount=True)
    refused("MULTIPLE_ACCOUNTS", 38, 409, sdk.start_session, backend.enrolment_code(new_nonce(), "Ada", ADA))


def test_a_headless_account_has_no_second_factor(backend, make_sdk):
    sdk = make_sdk(headless=True)
    sdk.start_session(backend.enrolment_code(new_nonce(), "Thing"))
    assert sdk.take() == ["ConfirmEnrol", "SessionLogin"]
    assert sdk.device.factor["pin"] == "UNSET"
    sdk.app_login.start()
    sdk.app_login.stop()
    sdk.app_login.start()
    assert sdk.take() == ["SessionLogin", "SessionStop USER", "SessionLogin"]


def test_keys_and_signatures_are_verified(backend, make_sdk, refused):
    device, code = make_sdk().device, backend.enrolment_code(new_nonce(), "Ada", ADA).decode()
    flow = device.start("ENROL", data=code)
    key, other = Key(), Key()
    text = signed_text(flow["flowid"], "ENROL", flow["challenge"], key.public)

    def confirm(text, signer=key, public=None):
        return device.step(flow, "confirm", publickey=public or key.public, description="Phone", signature=signer.sign(text))

    for wrong in (text.strip("\n"), text.replace("-1\n", "-2\n", 1), text.replace("ENROL", "LOGIN"), text.replace("\n", "\r\n"),
                  signed_text(flow["flowid"], "ENROL", device.challenge(), key.public)):
        refused("BAD_SIGNATURE", 3, 403, confirm, wrong)
    refused("BAD_SIGNATURE", 3, 403, confirm, text, other)
    refused("BAD_SIGNATURE", 3, 403, confirm, text, key, other.public)
    refused("BAD_REQUEST", 1, 400, confirm, text, key, key.public[:-8])
    assert backend.accounts() == []
    device.new_key = key
    device.keep(device.set_pin(confirm(text), PIN))


def test_steps_that_do_not_fit(backend, make_sdk, refused):
    device = make_sdk().device
    flow = device.start("ENROL", data=backend.enrolment_code(new_nonce(), "Ada", ADA).decode())
    refused("WRONG_STATE", 37, 409, device.set_pin, flow, PIN)
    refused("WRONG_STATE", 37, 409, device.step, flow, "complete", signature="AA")
    flow = device.confirm_enrolment(flow)
    refused("WRONG_STATE", 37, 409, device.confirm_enrolment, flow)
    refused("BAD_REQUEST", 1, 400, device.step, flow, "secondfactor", pinkey="AAAA")
    device.confirm_enrolment(device.start("ENROL", data=backend.enrolment_code(new_nonce(), "Ada", ADA).decode()))
    for bad in ("na1;E;x", "na1;L;;;", "na2;E;a;b;c;d", "", "é", "na1;" * 4000):
        refused("BAD_REQUEST", 1, 400, device.start, "ENROL", data=bad)
    refused("BAD_REQUEST", 1, 400, device.start, "NONSENSE")


@pytest.mark.parametrize("seconds, in_time", [(119, True), (120, False)])
def test_a_flow_waits_for_two_minutes(world, backend, make_sdk, refused, seconds, in_time):
    device = make_sdk().device
    flow = device.start("ENROL", data=backend.enrolment_code(new_nonce(), "Ada", ADA).decode())
    world.advance(seconds)
    if in_time:
        device.keep(device.set_pin(device.confirm_enrolment(flow), PIN))
    else:
        refused("FLOW_NOT_FOUND", 36, 404, device.confirm_enrolment, flow)
        refused("FLOW_NOT_FOUND", 36, 404, device.flow, flow)


def test_a_flow_belongs_to_its_phone(backend, make_sdk, refused):
    device, other = make_sdk().device, make_sdk().device
    flow = device.start("ENROL", data=backend.enrolment_code(new_nonce(), "Ada", ADA).decode())
    assert device.flow(flow) == flow
    refused("FLOW_NOT_FOUND", 36, 404, other.flow, flow)
    refused("FLOW_NOT_FOUND", 36, 404, other.confirm_enrolment, flow)


# AppLogin.

def test_an_app_login(backend, sdk):
    flow = sdk.app_login.start()
    assert sdk.take() == ASKED  # and no ConfirmLogin

    session = flow["session"]
    assert (session["type"], session["applogin"], session["oneshot"], session["pingTime"]) == ("APPLOGIN", True, False, 300)
    assert len(bytes.fromhex(sdk.app_login.web_nonce)) == 16 and sdk.app_login.web_nonce.islower()
    assert sdk.app_login.user_name == "Ada"
    told = backend.session(sdk.app_login.web_nonce)
    assert (told["loggedin"], told["userid"], told["accountid"]) == (True, ADA, sdk.account)
    assert told["hsid"] == session["hsid"]


def test_a_web_nonce_is_there_while_the_login_lasts(backend, sdk):
    flow = sdk.device.start("APPLOGIN")
    assert (flow["state"], flow["session"], sdk.app_login.web_nonce) == ("WAIT_FOR_INPUT", None, None)
    sdk.app_login.start()
    nonce = sdk.app_login.web_nonce
    sdk.app_login.stop()
    assert sdk.take()[-1] == "SessionStop USER"
    assert (sdk.app_login.web_nonce, sdk.app_login.user_name) == (None, None)
    told = backend.session(nonce)
    assert not told["loggedin"] and "userid" not in told
    sdk.app_login.start()
    assert sdk.app_login.web_nonce != nonce and not backend.session(nonce)["loggedin"]


@pytest.mark.parametrize("pin_timeout", [0, 60])
@pytest.mark.parametrize("seconds", [0, 60])
def test_an_app_login_right_after_an_enrolment_is_silent(world, backend, make_sdk, seconds, pin_timeout):
    backend.update(pinTimeout=pin_timeout)
    sdk = make_sdk()
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    world.advance(seconds)
    sdk.take()
    flow = sdk.app_login.start()
    assert sdk.take() == SILENT
    assert flow["interaction"] is None and backend.session(sdk.app_login.web_nonce)["loggedin"]


def test_an_app_login_a_while_after_an_enrolment_asks(world, backend, make_sdk):
    sdk = make_sdk()
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    world.advance(61)
    sdk.take()
    sdk.app_login.start()
    assert sdk.take() == ASKED


def user_stops(world, backend, sdk):
    sdk.app_login.stop()


def user_is_away(world, backend, sdk):
    world.advance(121)
    sdk.tick()


def app_login_is_old(world, backend, sdk):
    for _ in range(5):
        world.advance(100)
        sdk.activity = sdk.now()
        sdk.tick()
    sdk.listen(0)


def ping_is_missed(world, backend, sdk):
    world.advance(303)
    sdk.listen(0)


def back_end_logs_out(world, backend, sdk):
    backend.log_out(sdk.app_login.web_nonce)
    sdk.listen()


def account_is_blocked(world, backend, sdk):
    backend.block(sdk.account)
    backend.block(sdk.account, False)
    sdk.listen()


ENDINGS = {"USER": user_stops, "INACTIVITY": user_is_away, "APPLOGIN_TIMEOUT": app_login_is_old, "PING_TIMEOUT": ping_is_missed,
           "SERVER_LOGOUT": back_end_logs_out, "ACCOUNT_BLOCKED": account_is_blocked}


@pytest.mark.parametrize("pin_timeout", [-1, 0, 60])
@pytest.mark.parametrize("reason", ENDINGS)
def test_after_every_end_an_app_login_asks(world, backend, make_sdk, reason, pin_timeout):
    backend.update(pinTimeout=pin_timeout)
    sdk = make_sdk(inactivityTimeout=120, appLoginTimeout=450)
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    for session in list(sdk.sessions):
        sdk.stop(session)
    sdk.take()
    sdk.app_login.start()
    assert sdk.take() == SILENT
    nonce = sdk.app_login.web_nonce

    ENDINGS[reason](world, backend, sdk)

    assert [one for one in sdk.take() if one != "AccountUpdate"] == ["SessionStop " + reason]
    assert not sdk.app_login.is_logged_in and not backend.session(nonce)["loggedin"]
    assert any(reason in entry["sentence"] for entry in events(world, "AppLogin ended"))
    sdk.app_login.start()
    assert sdk.take() == ASKED


def events(world, name):
    """What the journal tells of itself under that name."""
    return [entry for entry in world.journal() if entry.get("event") == name]


def test_what_an_app_login_needs(backend, make_sdk, sdk, refused):
    new = make_sdk()
    refused("NO_ACCOUNTS_FOR_SERVER", 34, 404, new.app_login.start)
    refused("SERVER_NOT_FOUND", 35, 404, sdk.app_login.start, "AAAA")
    device = sdk.device
    flow = device.start("APPLOGIN")
    refused("WRONG_STATE", 37, 409, device.confirm_login, flow, sdk.account)
    refused("WRONG_STATE", 37, 409, device.step, flow, "complete", signature=device.signature(flow, sdk.account))
    refused("BAD_REQUEST", 1, 400, device.prove_pin, flow, PIN)  # the account's signature is missing
    backend.block(sdk.account)
    refused("ACCOUNT_BLOCKED", 30, 403, sdk.app_login.start)
    backend.block(sdk.account, False)
    backend.update(pingTime=0)
    refused("CONTINUOUS_AUTH_REQUIRED", 39, 409, sdk.app_login.start)


def test_an_app_login_among_several_accounts(backend, sdk, refused):
    other = backend.new_server(serverName="Other", pingTime=300)
    sdk.start_session(other.enrolment_code(new_nonce(), "Elsewhere", "eve"))
    refused("MULTIPLE_ACCOUNTS", 38, 409, sdk.app_login.start)
    sdk.app_login.start(other.server_id)
    assert other.session(sdk.app_login.web_nonce)["userid"] == "eve"
    assert not backend.session(sdk.app_login.web_nonce)["loggedin"]
    sdk.start_session(other.enrolment_code(new_nonce(), "Third", "tom"))
    refused("MULTIPLE_ACCOUNTS", 38, 409, sdk.app_login.start, other.server_id)


def test_a_silent_app_login_has_to_be_signed(backend, make_sdk, refused):
    sdk = make_sdk()
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    [account] = sdk.accounts
    flow = sdk.device.start("APPLOGIN")
    text = signed_text(flow["flowid"], "APPLOGIN", flow["challenge"], str(account))
    refused("BAD_SIGNATURE", 3, 403, sdk.device.step, flow, "complete", signature=Key().sign(text))
    refused("BAD_REQUEST", 1, 400, sdk.device.step, flow, "complete")
    assert sdk.device.step(flow, "complete", signature=sdk.device.keys[account].sign(text))["state"] == "DONE"


def test_a_second_app_login_takes_the_place_of_the_first(backend, sdk):
    sdk.app_login.start()
    first = sdk.app_login.web_nonce
    sdk.app_login.start()
    assert not backend.session(first)["loggedin"] and backend.session(sdk.app_login.web_nonce)["loggedin"]
    assert [one["webnonce"] for one in sdk.list_sessions()] == [sdk.app_login.web_nonce]


def test_an_app_follows_the_callbacks(backend, make_sdk):
    sdk = make_sdk()
    app = App(sdk)
    app.resume()
    assert app.screen == "onboarding"
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    app.resume()
    assert app.screen == "login"
    sdk.app_login.start()
    assert (app.screen, app.greeting) == ("home", "Ada")
    backend.log_out(sdk.app_login.web_nonce)
    sdk.listen()
    assert (app.screen, app.greeting) == ("login", None)
    sdk.app_login.start()
    backend.delete_account(*sdk.accounts)
    sdk.listen()
    assert (app.screen, app.greeting) == ("onboarding", None)


# Running sessions.

def test_pings_keep_a_session_alive(world, backend, sdk):
    sdk.app_login.start()
    for _ in range(10):
        world.advance(150)
        sdk.tick()
    assert backend.session(sdk.app_login.web_nonce)["loggedin"]
    assert sdk.device.ping(sdk.app_login.session["sessionid"]) == {"state": "ACTIVE", "next": 150}


@pytest.mark.parametrize("seconds, alive", [(301, True), (302, False)])
def test_a_missed_ping_ends_a_session(world, backend, sdk, refused, seconds, alive):
    sdk.app_login.start()
    world.advance(seconds)
    assert backend.session(sdk.app_login.web_nonce)["loggedin"] == alive
    if alive:
        sdk.tick()
        world.advance(seconds)
        assert backend.session(sdk.app_login.web_nonce)["loggedin"]
    else:
        refused("SESSION_NOT_FOUND", 42, 404, sdk.device.ping, sdk.app_login.session["sessionid"])
        assert "pingTime is 300 s" in world.explanations(status=404)[0]
        sdk.listen()
        assert sdk.take() == ASKED + ["SessionStop PING_TIMEOUT"]


def test_a_phone_that_listens_is_asked_for_pings(world, sdk):
    sdk.app_login.start()
    assert sdk.device.events()["events"] == []
    world.advance(150)
    assert sdk.listen() == ["PING"]
    world.advance(299)
    assert sdk.listen() == ["PING"]
    world.advance(299)
    assert [one["type"] for one in sdk.device.events(sdk.last_event)["events"]] == ["PING"]


def test_a_long_poll_answers_when_it_happens(backend, sdk):
    sdk.app_login.start()
    heard = []
    thread = threading.Thread(target=lambda: heard.extend(sdk.listen(25)))
    thread.start()
    backend.log_out(sdk.app_login.web_nonce)
    thread.join(timeout=10)
    assert heard[:1] == ["SESSION_STOP"] and not sdk.app_login.is_logged_in
    # By event and by message, and yet one callback.
    sdk.listen(0)
    assert sdk.take() == ASKED + ["SessionStop SERVER_LOGOUT"]


def test_a_web_socket_tells_the_same(world, backend, sdk):
    sdk.app_login.start()
    with sdk.device.socket() as socket:
        assert socket.subprotocol == "device"
        assert received(socket) == {"events": [], "last": 0}
        world.advance(150)
        sdk.hear(received(socket))
        backend.log_out(sdk.app_login.web_nonce)
        while sdk.app_login.is_logged_in:
            sdk.hear(received(socket))
    assert sdk.take() == ASKED + ["SessionStop SERVER_LOGOUT"]
    polled = sdk.device.events()
    assert [one["type"] for one in polled["events"]][:2] == ["PING", "SESSION_STOP"]
    with sdk.device.socket(since=1) as socket:
        assert received(socket) == {"events": polled["events"][1:], "last": polled["last"]}


def test_a_web_socket_needs_the_token(sdk):
    from websockets.exceptions import InvalidStatus

    for token in ("nonsense", sdk.device.id):
        sdk.device.token = token
        with pytest.raises(InvalidStatus) as refusal:
            sdk.device.socket()
        assert refusal.value.response.status_code == 401


def test_what_counts_as_activity(world, enrol):
    sdk = enrol(inactivityTimeout=120)
    sdk.app_login.start()
    for _ in range(3):
        world.advance(100)
        sdk.list_accounts()
        sdk.tick()
        world.advance(100)
        sdk.list_sessions()
        sdk.tick()
    assert sdk.app_login.is_logged_in
    world.advance(100)
    sdk.pull()
    sdk.tick()
    assert sdk.app_login.is_logged_in
    world.advance(21)
    sdk.pull()
    sdk.tick()
    assert sdk.take()[-1] == "SessionStop INACTIVITY"


def test_the_server_sees_inactivity_too(world, backend, enrol, refused):
    sdk = enrol(inactivityTimeout=120)
    flow = sdk.app_login.start()
    began, session = sdk.now(), flow["session"]["sessionid"]
    world.advance(120)
    sdk.device.ping(session, began)
    world.advance(1)
    refused("SESSION_NOT_FOUND", 42, 404, sdk.device.ping, session, began)
    assert not backend.session(flow["session"]["webnonce"])["loggedin"]
    sdk.listen()
    assert sdk.take()[-1] == "SessionStop INACTIVITY"


def test_without_a_named_timeout_old_activity_is_fine(world, sdk):
    sdk.app_login.start()
    world.advance(200)
    sdk.device.ping(sdk.app_login.session["sessionid"], sdk.now() - 1_000_000)
    assert sdk.list_sessions()


def test_an_app_login_has_an_end(world, backend, enrol):
    sdk = enrol(appLoginTimeout=200)
    session = sdk.app_login.start()["session"]
    assert session["expires"] == int(sdk.now()) + 200
    world.advance(199)
    sdk.tick()
    assert backend.session(session["webnonce"])["loggedin"]
    world.advance(1)
    assert not backend.session(session["webnonce"])["loggedin"]


def test_reasons_that_are_none(sdk, refused):
    sdk.app_login.start()
    session = sdk.app_login.session["sessionid"]
    for reason in ("PING_TIMEOUT", "SERVER_LOGOUT", "", "user"):
        refused("BAD_REQUEST", 1, 400, sdk.device.stop, session, reason)
    sdk.app_login.stop()
    refused("SESSION_NOT_FOUND", 42, 404, sdk.device.stop, session)
    refused("SESSION_NOT_FOUND", 42, 404, sdk.device.ping, "AAAA")


def test_a_changed_ping_time_is_for_the_next_session(world, backend, sdk):
    sdk.app_login.start()
    backend.update(pingTime=60)
    assert sdk.listen() == ["SERVER_UPDATED"]
    assert sdk.list_sessions()[0]["pingTime"] == 300
    world.advance(200)
    sdk.tick()
    assert sdk.app_login.is_logged_in and backend.session(sdk.app_login.web_nonce)["loggedin"]
    sdk.app_login.stop()
    assert sdk.app_login.start()["session"]["pingTime"] == 60
    world.advance(62)
    assert not backend.session(sdk.app_login.web_nonce)["loggedin"]


def test_a_phone_sees_only_its_own(sdk, enrol, refused):
    other = enrol(user="eve")
    sdk.app_login.start()
    session = sdk.app_login.session["sessionid"]
    assert other.list_sessions() == []
    refused("SESSION_NOT_FOUND", 42, 404, other.device.stop, session)
    refused("SESSION_NOT_FOUND", 42, 404, other.device.ping, session)
    refused("ACCOUNT_NOT_FOUND", 31, 404, other.device.call, "DELETE", f"/accounts/{sdk.account}", {"signature": "AA"})
    other.device.http.headers["Authorization"] = "Device nonsense"
    refused("UNAUTHORIZED", 2, 401, other.list_sessions)


# Logins of a browser session.

def test_a_browser_is_logged_in(backend, sdk):
    nonce = new_nonce()
    assert (backend.session(nonce)["loggedin"], backend.session(nonce)["canprovoke"]) == (False, False)
    with backend.watch(nonce) as page:
        page.hear("LOGOUT")
        sdk.start_session(backend.login_code(nonce))
        page.hear("CONFIRMSCAN", "LOGIN")
        # With one account and a second factor ahead the confirmation is left out.
        assert sdk.take() == ASKED
        told = backend.session(nonce)
        assert (told["loggedin"], told["userid"], told["accountid"], told["canprovoke"]) == (True, ADA, sdk.account, False)
        page.say("LOGOUT")
        page.hear("LOGOUT", "CANPROVOKE")
    assert (backend.session(nonce)["loggedin"], backend.session(nonce)["canprovoke"]) == (False, True)
    sdk.listen()
    assert sdk.take() == ["SessionStop SERVER_LOGOUT"]
    with backend.watch(nonce) as page:
        page.hear("LOGOUT", "CANPROVOKE")


def test_an_app_that_wants_every_confirmation(backend, enrol):
    sdk, nonce = enrol(autoSelectSingleAccount=False), new_nonce()
    sdk.start_session(backend.login_code(nonce))
    assert sdk.take() == ["ConfirmLogin"] + ASKED
    assert backend.session(nonce)["loggedin"]


def test_without_a_second_factor_the_user_confirms(backend, sdk):
    backend.update(pinTimeout=-1)
    context = {"sessioninfo": {"ip": "192.0.2.1", "info": {"place": "Cambridge"}},
               "announceinfo": {"useragent": "Lynx", "info": {"wish": "log in"}}}
    nonce = new_nonce()
    code = backend.login_code(nonce, context)
    interaction = sdk.device.start("LOGIN", data=code.decode())["interaction"]
    assert interaction["type"] == "CONFIRM" and [one["accountid"] for one in interaction["accounts"]] == [sdk.account]
    assert interaction["announceinfo"]["info"] == {"wish": "log in"}
    assert interaction["sessioninfo"]["info"] == {"place": "Cambridge"}
    sdk.start_session(code)
    assert sdk.take() == ["ConfirmLogin", "SessionLogin"] and backend.session(nonce)["loggedin"]


def test_the_user_chooses_among_accounts(backend, sdk):
    sdk.start_session(backend.enrolment_code(new_nonce(), "Work", "ada@work.test"))
    sdk.take()
    for number, user in enumerate([ADA, "ada@work.test"]):
        nonce, sdk.user.account = new_nonce(), number
        sdk.start_session(backend.login_code(nonce))
        assert sdk.take() == ["ConfirmLogin"] + ASKED
        assert backend.session(nonce)["userid"] == user


def test_an_app_without_an_account_for_the_server(backend, make_sdk, sdk, refused):
    nonce, other = new_nonce(), backend.new_server(serverName="Other", pingTime=0)
    with other.watch(nonce) as page:
        for app in (sdk, make_sdk()):
            refused("NO_ACCOUNTS_FOR_SERVER", 34, 404, app.start_session, other.login_code(nonce))
            assert app.take() == ["UserErrorMessage 34"]
        page.hear("LOGOUT", "NOACCOUNTS", "NOACCOUNTS")


@pytest.mark.parametrize("where", ["ConfirmLogin", "SecondFactor VERIFY"])
def test_a_login_that_the_user_declines(backend, enrol, where):
    sdk, nonce = enrol(autoSelectSingleAccount=where != "ConfirmLogin"), new_nonce()
    sdk.user = User(confirms=False) if where == "ConfirmLogin" else User(None)
    with backend.watch(nonce) as page:
        assert sdk.start_session(backend.login_code(nonce))["state"] == "ERROR"
        page.hear("LOGOUT", "CONFIRMSCAN", "CANCEL")
    assert sdk.take() == [where] + (["SecondFactor CANCELLED"] if where != "ConfirmLogin" else [])
    assert not backend.session(nonce)["loggedin"]


def test_one_shot_logins(world, backend, sdk):
    backend.update(pingTime=0)
    nonce = new_nonce()
    session = sdk.start_session(backend.login_code(nonce))["session"]
    assert (session["oneshot"], session["pingTime"]) == (True, 0)
    world.advance(86_400)
    assert backend.session(nonce)["loggedin"] and sdk.list_sessions() == []
    backend.log_out(nonce)
    assert not backend.session(nonce)["loggedin"]


def test_pin_timeout_is_in_minutes(world, backend, enrol):
    backend.update(pinTimeout=5)
    sdk = enrol()

    def log_in():
        sdk.take()
        sdk.start_session(backend.login_code(new_nonce()))
        return sdk.take()

    world.advance(5 * 60 - 61)
    assert log_in() == ["ConfirmLogin", "SessionLogin"]
    world.advance(1)
    assert log_in() == ASKED
    world.advance(5 * 60)
    assert log_in() == ["ConfirmLogin", "SessionLogin"]
    assert sdk.device.factor["cacheduntil"] == int(sdk.now())


def test_an_app_that_wants_an_app_login_first(backend, enrol):
    backend.update(pinTimeout=60)
    sdk = enrol(alwaysRequireSecondFactorIfInactiveAppLogin=True)
    sdk.start_session(backend.login_code(new_nonce()))
    assert sdk.take() == ASKED
    sdk.app_login.start()
    sdk.take()
    sdk.start_session(backend.login_code(new_nonce()))
    assert sdk.take() == ["ConfirmLogin", "SessionLogin"]


def test_a_login_is_pushed(backend, sdk):
    nonce = new_nonce()
    assert backend.call("POST", "/sessions/provokelogin", nonce).status_code == 403
    sdk.start_session(backend.login_code(nonce))
    assert backend.call("POST", "/sessions/provokelogin", nonce).status_code == 403  # logged in
    backend.log_out(nonce)
    sdk.listen()
    sdk.take()
    with backend.watch(nonce) as page:
        page.hear("LOGOUT", "CANPROVOKE")
        backend.provoke(nonce, {"announceinfo": {"ip": "192.0.2.7", "info": {}}})
        [message] = sdk.device.messages()
        assert (message["type"], message["accountid"], message["announceinfo"]["ip"]) == ("LOGIN", sdk.account, "192.0.2.7")
        assert message["expires"] - message["created"] == 600
        sdk.listen()
        page.hear("CONFIRMPROVOKE", "LOGIN")
    assert sdk.take() == ASKED and backend.session(nonce)["loggedin"]
    assert sdk.device.messages() == []


def test_a_page_asks_for_the_push_and_the_user_declines(backend, sdk):
    nonce = new_nonce()
    sdk.start_session(backend.login_code(nonce))
    backend.log_out(nonce)
    sdk.listen()
    sdk.user = User(None)
    with backend.watch(nonce) as page:
        page.hear("LOGOUT", "CANPROVOKE")
        page.say("NONSENSE")
        page.say("PROVOKE")
        sdk.listen()
        page.hear("CONFIRMPROVOKE", "CANCEL")
    assert not backend.session(nonce)["loggedin"]


def test_a_message_that_is_read_is_gone(world, backend, sdk, refused):
    nonce = new_nonce()
    backend.ask("POST", f"/accounts/{sdk.account}/provokelogin", nonce)
    [message] = sdk.device.messages()
    with backend.watch(nonce) as page:
        page.hear("LOGOUT")
        for _ in range(2):
            assert sdk.device.call("POST", f"/messages/{message['messageid']}/read") == message
        page.hear("CONFIRMPROVOKE")
        assert sdk.device.messages() == []
        sdk.run("LOGIN", messageid=message["messageid"])
        # The phone has read it once.
        page.hear("LOGIN")
    refused("MESSAGE_NOT_FOUND", 43, 404, sdk.run, "LOGIN", messageid=message["messageid"])
    backend.ask("POST", f"/accounts/{sdk.account}/provokelogin", new_nonce())
    [message] = sdk.device.messages()
    world.advance(600)
    assert sdk.device.messages() == []
    refused("MESSAGE_NOT_FOUND", 43, 404, sdk.run, "LOGIN", messageid=message["messageid"])


# The second factor.

def test_five_wrong_pins(world, sdk, refused):
    sdk.user = User("1", "2", "3", "4", "5")
    flow = sdk.app_login.start()
    assert sdk.take() == ["SecondFactor VERIFY"] + 4 * ["SecondFactor WRONG"] + ["SecondFactor BLOCKED"]
    assert (flow["state"], flow["error"]["code"], flow["error"]["number"]) == ("ERROR", "SECOND_FACTOR_BLOCKED", 41)
    assert flow["interaction"]["triesleft"] == 0 and sdk.device.factor["pin"] == "BLOCKED"
    sdk.user = User()
    refused("SECOND_FACTOR_BLOCKED", 41, 423, sdk.app_login.start)
    world.advance(86_400)
    refused("SECOND_FACTOR_BLOCKED", 41, 423, sdk.app_login.start)
    refused("SECOND_FACTOR_BLOCKED", 41, 423, sdk.device.change_pin, PIN, "2468")


def test_a_right_pin_resets_the_counter(sdk):
    for _ in range(3):
        sdk.user = User("1", "2", "3", "4", PIN)
        assert sdk.app_login.start()["state"] == "DONE"
        assert sdk.take() == ["SecondFactor VERIFY"] + 4 * ["SecondFactor WRONG"] + ASKED[1:]
        assert sdk.device.factor["triesleft"] == 5
        sdk.app_login.stop()
        sdk.take()


def test_tries_are_counted_over_flows(sdk):
    sdk.user = User("1", "2", None)
    sdk.app_login.start()
    assert sdk.take()[-1] == "SecondFactor CANCELLED" and sdk.device.factor["triesleft"] == 3
    flow = sdk.device.start("APPLOGIN")
    assert flow["interaction"]["triesleft"] == 3
    flow = sdk.device.prove_pin(flow, "3", sdk.account)
    assert (flow["interaction"]["result"], flow["interaction"]["triesleft"], flow["state"]) == ("WRONG", 2, "WAIT_FOR_INPUT")


def test_a_wrong_try_brings_a_new_challenge(sdk):
    device, flow = sdk.device, sdk.device.start("APPLOGIN")
    again = device.prove_pin(flow, "0", sdk.account)
    assert again["challenge"] != flow["challenge"] and len(unb64url(again["challenge"])) == 32
    assert device.prove_pin(flow, PIN, sdk.account)["interaction"]["result"] == "WRONG"
    last = device.flow(flow)
    assert device.prove_pin(last, PIN, sdk.account)["state"] == "DONE"


def test_a_proof_of_another_phone(backend, sdk, enrol):
    other, flow = enrol(user="eve"), sdk.device.start("APPLOGIN")
    proof = other.device.pin_proof(PIN, flow["challenge"])
    answer = sdk.device.step(flow, "secondfactor", pinproof=proof, signature=sdk.device.signature(flow, sdk.account))
    assert answer["interaction"]["result"] == "WRONG"


@pytest.mark.parametrize("kind", ["APPLOGIN", "LOGIN", "TRANSACTION"])
def test_biometrics_stand_in_for_the_pin(backend, enrol, kind):
    sdk = enrol(User(biometric=True))
    assert sdk.device.factor["biometric"] is True
    if kind == "APPLOGIN":
        sdk.app_login.start()
    else:
        nonce = new_nonce()
        sdk.start_session(backend.login_code(nonce))
    if kind == "TRANSACTION":
        transaction = backend.transaction(nonce, amount="1")
        sdk.take()
        sdk.listen()
        assert backend.outcome(transaction) == "1"
        assert sdk.take() == ["ConfirmTransaction"] + ASKED[:2]
    else:
        assert sdk.take() == ASKED


def test_biometrics_of_another_key(enrol, refused):
    sdk = enrol(User(biometric=True))
    sdk.device.biometry = Key()
    refused("BAD_SIGNATURE", 3, 403, sdk.app_login.start)
    assert sdk.device.factor["triesleft"] == 5


@pytest.mark.parametrize("blocks", [False, True])
def test_biometrics_while_the_pin_is_blocked(enrol, refused, blocks):
    sdk = enrol(User(biometric=True), blockSecondFactorOnPINBlocked=blocks)
    sdk.user = User("wrong")
    assert sdk.app_login.start()["state"] == "ERROR"
    sdk.user = User(biometric=True)
    sdk.take()
    if blocks:
        refused("SECOND_FACTOR_BLOCKED", 41, 423, sdk.app_login.start)
    else:
        assert sdk.device.start("APPLOGIN")["interaction"]["allowed"] == ["BIOMETRIC"]
        sdk.app_login.start()
        assert sdk.take() == ASKED


@pytest.mark.parametrize("by", ["PIN", "biometrics"])
def test_the_pin_is_changed(enrol, by):
    sdk = enrol(User(biometric=True))
    assert sdk.device.change_pin(PIN if by == "PIN" else None, "2468")["secondfactor"]["pin"] == "SET"
    sdk.user = User(PIN, "2468")
    sdk.app_login.start()
    assert sdk.take() == ["SecondFactor VERIFY", "SecondFactor WRONG"] + ASKED[1:]


def test_a_change_of_the_pin_that_is_refused(make_sdk, sdk, refused):
    device = sdk.device
    refused("BAD_SIGNATURE", 3, 403, device.change_pin, "wrong", "2468")
    assert device.factor["triesleft"] == 4
    refused("WRONG_STATE", 37, 409, make_sdk().device.change_pin, PIN, "2468")  # no PIN yet
    challenge = device.challenge()
    order = {"oldproof": device.pin_proof(PIN, challenge), "pinkey": device.pin_proof("any 32 bytes", challenge),
             "challenge": challenge}
    device.challenge()
    refused("WRONG_STATE", 37, 409, device.call, "POST", "/instance/pin", order)  # a newer one was given
    sdk.app_login.start()
    assert sdk.take() == ASKED


# Transactions.

LUNCH = {"amount": "12.50 EUR", "benificiary": "Bob & Söhne", "description": "Lunch"}


@pytest.mark.parametrize("approves, outcome", [(True, "1"), (False, "2")])
def test_a_transaction(backend, enrol, approves, outcome):
    backend.update(pinTimeout=60)
    sdk, nonce = enrol(), new_nonce()
    sdk.start_session(backend.login_code(nonce))
    sdk.take()
    transaction = backend.transaction(nonce, **LUNCH)
    assert backend.outcome(transaction) == "0"
    [message] = sdk.device.messages()
    assert message["type"] == "TRANSACTION"
    shown = sdk.device.start("TRANSACTION", messageid=message["messageid"])["interaction"]
    assert shown["type"] == "CONFIRM_TRANSACTION" and shown["transaction"].items() >= LUNCH.items()

    sdk.user = User(confirms=approves)
    sdk.listen()

    # Never from the cache.
    assert sdk.take() == ["ConfirmTransaction"] + (ASKED[:2] if approves else [])
    assert backend.outcome(transaction) == outcome
    assert backend.session(nonce)["loggedin"]


def test_a_transaction_without_a_second_factor(backend, sdk):
    backend.update(pinTransTimeout=-1)
    nonce = new_nonce()
    sdk.start_session(backend.login_code(nonce))
    sdk.take()
    transaction = backend.transaction(nonce, **LUNCH)
    while "MESSAGE" not in sdk.listen():
        pass
    assert sdk.take() == ["ConfirmTransaction"] and backend.outcome(transaction) == "1"


def test_transactions_that_are_none(backend, sdk, refused):
    assert backend.call("POST", "/sessions/transactions", new_nonce(), LUNCH).status_code == 403
    assert backend.call("GET", "/transactions/AAAA").status_code == 404
    nonce = new_nonce()
    sdk.start_session(backend.login_code(nonce))
    transaction = backend.transaction(nonce, **LUNCH)
    [message] = sdk.device.messages()
    flow = sdk.device.start("TRANSACTION", messageid=message["messageid"])
    # The signature is over the decision.
    refused("BAD_SIGNATURE", 3, 403, sdk.device.step, flow, "confirm", approve=True,
            signature=sdk.device.signature(flow, sdk.account, approve="0"))
    assert backend.outcome(transaction) == "0"
    sdk.pull()
    refused("WRONG_STATE", 37, 409, sdk.device.decide, flow, sdk.account, False)
    assert backend.outcome(transaction) == "1"


# The end of accounts.

def test_the_user_removes_an_account(backend, sdk):
    sdk.app_login.start()
    nonce = sdk.app_login.web_nonce
    sdk.delete_account(sdk.account)
    assert sdk.take() == ASKED + ["SessionStop ACCOUNT_DELETED", "AccountDeleted"]
    assert (backend.session(nonce)["loggedin"], backend.accounts(), sdk.list_accounts()) == (False, [], [])
    assert sdk.device.factor == {"pin": "UNSET", "triesleft": 5, "biometric": False, "cacheduntil": None}
    assert "ACCOUNT_DELETED" not in [one["type"] for one in sdk.device.events()["events"]]
    # As new.
    sdk.start_session(backend.enrolment_code(new_nonce(), "Ada", ADA))
    assert sdk.take() == ENROLLED


@pytest.mark.parametrize("how", ["account", "accounts of the user", "user"])
def test_the_server_removes_an_account(backend, sdk, refused, how):
    sdk.app_login.start()
    nonce = sdk.app_login.web_nonce
    flow = sdk.device.start("LOGIN", data=backend.login_code(new_nonce()).decode())
    backend.ask("DELETE", {"account": f"/accounts/{sdk.account}/", "accounts of the user": f"/users/{ADA}/accounts",
                           "user": f"/users/{ADA}/"}[how])
    assert not backend.session(nonce)["loggedin"]
    refused("ACCOUNT_NOT_FOUND", 31, 404, sdk.device.prove_pin, flow, PIN, sdk.account)
    sdk.listen()
    assert sdk.take() == ASKED + ["SessionStop ACCOUNT_DELETED", "AccountDeleted"]
    refused("NO_ACCOUNTS_FOR_SERVER", 34, 404, sdk.app_login.start)
    assert sdk.device.factor["pin"] == "UNSET" and sdk.list_accounts() == []
    assert backend.call("GET", f"/accounts/{sdk.account}/").status_code == 404


def test_other_accounts_stay(backend, sdk, enrol):
    elsewhere = enrol()
    other = backend.new_server(serverName="Other", pingTime=300)
    sdk.start_session(other.enrolment_code(new_nonce(), "Elsewhere", ADA))
    sdk.delete_account(sdk.account)
    assert sdk.device.factor["pin"] == "SET" and len(sdk.list_accounts()) == len(elsewhere.list_accounts()) == 1
    sdk.take()
    sdk.app_login.start()
    assert sdk.take()[-1] == "SessionLogin"


def test_an_account_is_removed_by_its_own_key_only(backend, sdk, refused):
    right, sdk.device.keys[sdk.account] = sdk.device.keys[sdk.account], Key()
    refused("BAD_SIGNATURE", 3, 403, sdk.delete_account, sdk.account)
    sdk.device.keys[sdk.account] = right
    refused("WRONG_STATE", 37, 409, sdk.device.call, "DELETE", f"/accounts/{sdk.account}",
            {"signature": right.sign(signed_text(sdk.device.id, "DELETE_ACCOUNT", "", str(sdk.account)))})
    assert len(backend.accounts()) == 1


def test_a_blocked_account(backend, sdk, refused):
    sdk.app_login.start()
    backend.block(sdk.account)
    sdk.listen()
    assert sdk.accounts[sdk.account]["blocked"] and not sdk.app_login.is_logged_in
    refused("ACCOUNT_BLOCKED", 30, 403, sdk.start_session, backend.login_code(new_nonce()))
    backend.block(sdk.account, False)
    sdk.start_session(backend.login_code(new_nonce()))
    assert sdk.take()[-3:] == ASKED


# Installations.

def test_an_installation_of_its_own(make_sdk, sdk, refused):
    told = sdk.device.call("PUT", "/instance", {"name": "Ada's phone", "pushtoken": "fcm:1"})
    assert sdk.device.call("GET", "/instance")["name"] == "Ada's phone" == told["name"]
    sdk.app_login.start()
    assert [one["webnonce"] for one in sdk.device.call("GET", "/instance")["sessions"]] == [sdk.app_login.web_nonce]
    assert make_sdk().list_accounts() == []


def test_an_installation_is_wiped(backend, sdk, refused):
    sdk.app_login.start()
    nonce = sdk.app_login.web_nonce
    sdk.device.call("DELETE", "/instance")
    refused("UNAUTHORIZED", 2, 401, sdk.device.call, "GET", "/instance")
    assert (backend.session(nonce)["loggedin"], backend.accounts()) == (False, [])


def test_an_app_sees_the_server_before_it_enrols(backend, make_sdk, refused):
    backend.update(logo="aGVsbG8=", serverFlags=["one"], pinTimeout=7)
    device = make_sdk().device
    del device.http.headers["Authorization"]
    told = device.call("GET", "/servers/" + url_safe(SERVER["id"]))
    assert (told["serverName"], told["pingTime"], told["pinTimeout"], told["serverFlags"]) == ("Understudy", 300, 7, ["one"])
    assert unb64url(told["vash"]).startswith(b"\x89PNG\r\n\x1a\n")
    refused("SERVER_NOT_FOUND", 35, 404, device.call, "GET", "/servers/AAAA")


def test_worlds_do_not_share_phones(make_world, sdk, refused):
    sdk.device.base = make_world().url + "/nextauth/device/v1"
    refused("UNAUTHORIZED", 2, 401, sdk.list_accounts)
