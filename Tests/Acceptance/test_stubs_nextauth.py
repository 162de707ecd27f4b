"""The stubs of nextAuth's Mobile SDK: an app of the vendor's guide, by the guide's own code, does what it says, against the program itself."""

import json

import pytest

from compilers import compile_java
from nextauth_server import Backend, new_nonce
from stub_app import StubApp, check_on_apple, java_app, kotlin_app, swift_app
from understudy import until

CONFIGURATION = {"appLoginInactivityTimeout": "5m", "singleAccount": True}
ADA = "ada@example.com"


@pytest.fixture(params=[java_app, kotlin_app, swift_app], ids=["java", "kotlin", "swift"])
def start_app(request, start_installation):
    """Starts the guide's app; each start is the same installation."""
    return lambda **configuration: start_installation(request.param("NextAuth"), **configuration)


@pytest.fixture
def start_installation(world, tmp_path):
    apps = []

    def start(command, **configuration):
        options = json.dumps(CONFIGURATION | configuration)
        apps.append(StubApp([*command, world.url + "/nextauth", options, tmp_path / "installation.json"]))
        return apps[-1]

    yield start
    for app in apps:
        app.close()


@pytest.fixture
def world(make_world):
    return make_world(clock="2026-03-02T09:00:00Z", frozen=True)


@pytest.fixture
def backend(world):
    return Backend(world.url + "/nextauth")


def enrol(app, backend, nonce, pin="pin 13524"):
    app.sees("onboarding")
    app.do("scan " + backend.enrolment_code(nonce, "Ada", ADA).decode())
    app.sees("ConfirmEnrol true")
    app.do("confirm")
    app.sees("SecondFactor FIRST_SET")
    app.do(pin)
    app.sees("SecondFactor SUCCESS", "SessionLogin")


def without_login(shown):
    return [line for line in shown if line != "login"]


def log_in(app):
    """The web nonce of an AppLogin that asks for the PIN."""
    app.do("login")
    app.sees("SecondFactor VERIFY")
    app.do("pin 13524")
    return app.sees("SecondFactor SUCCESS", "SessionLogin", "home Ada *")


def test_the_guide_from_enrolment_to_logout(start_app, world, backend):
    app, nonce = start_app(), new_nonce()
    enrol(app, backend, nonce)
    told = backend.session(nonce)
    assert told["loggedin"] and told["userid"] == ADA

    app.do("login")
    first = app.sees("SessionLogin", "home Ada *")  # right after an enrolment nothing is asked
    assert backend.session(first)["userid"] == ADA
    app.do("logout")
    app.sees("SessionStop USER", "login")
    until(lambda: not backend.session(first)["loggedin"], "the logout")

    app.do("login")
    app.sees("SecondFactor VERIFY")
    app.do("pin 99999")
    app.sees("SecondFactor WRONG")
    app.do("pin 13524")
    second = app.sees("SecondFactor SUCCESS", "SessionLogin", "home Ada *")
    assert second != first and backend.session(second)["loggedin"]
    backend.log_out(second)
    app.sees("SessionStop SERVER_LOGOUT", "login")


def test_what_ends_an_app_login(start_app, world, backend):
    app = start_app()
    enrol(app, backend, new_nonce())
    app.do("login")
    app.sees("SessionLogin", "home Ada *")
    world.advance(301)
    app.sees("SessionStop INACTIVITY", "login")  # found out by the ping that is due
    log_in(app)
    world.advance(200)
    app.do("resume")  # looks at the accounts, which is activity
    app.sees("home Ada")
    app.is_silent()
    world.advance(200)
    app.is_silent(1)
    backend.delete_account(backend.accounts()[0]["id"])
    # The AppLogin, and the enrolment's own session, after which the guide's Swift does not look at the AppLogin.
    assert without_login(app.reaches("onboarding")) == ["SessionStop ACCOUNT_DELETED"] * 2 + ["AccountDeleted", "onboarding"]


def test_an_installation_outlives_the_process(start_app, world, backend):
    app = start_app()
    enrol(app, backend, new_nonce(), "pin+finger 13524")
    app.do("login")
    nonce = app.sees("SessionLogin", "home Ada *")
    app.close()
    app = start_app()
    app.sees("login")
    until(lambda: not backend.session(nonce)["loggedin"], "the end of what ran when the app was closed")
    app.do("login")
    app.sees("SecondFactor VERIFY")
    app.do("finger")
    app.sees("SecondFactor SUCCESS", "SessionLogin", "home Ada *")
    app.do("forget")
    app.sees("SessionStop ACCOUNT_DELETED", "login", "AccountDeleted", "onboarding")
    assert backend.accounts() == []


def test_a_browser_is_logged_in_by_code_push_and_transaction(start_app, world, backend):
    app, nonce = start_app(singleAccount=False, automaticallySelectSingleAccountWhenSecondFactorNeeded=False), new_nonce()
    app.sees("onboarding")
    app.do("scan " + backend.login_code(nonce).decode())
    app.sees("UserErrorMessage 34")  # no account for this server
    app.do("scan " + backend.enrolment_code(new_nonce(), "Ada", ADA).decode())
    app.sees("ConfirmEnrol true")
    app.do("decline")
    app.sees("SessionStop USER")
    app.do("resume")
    assert without_login(app.reaches("onboarding")) == ["onboarding"]
    app.do("resume")
    enrol(app, backend, new_nonce())

    app.do("scan " + backend.login_code(nonce, {"announceinfo": {"info": {"shop": "Books"}}}).decode())
    app.sees("ConfirmLogin Ada Books")
    app.do("confirm")
    app.sees("SecondFactor VERIFY")
    app.do("pin 13524")
    app.sees("SecondFactor SUCCESS", "SessionLogin")
    told = backend.session(nonce)
    assert told["loggedin"] and told["userid"] == ADA

    transaction = backend.transaction(nonce, amount="12.00", benificiary="Bob", description="Books")
    app.sees("ConfirmTransaction 12.00 Bob")
    app.do("sign yes")
    app.sees("SecondFactor VERIFY")
    app.do("pin 13524")
    app.sees("SecondFactor SUCCESS")
    until(lambda: backend.outcome(transaction) == "1", "the approval")


def test_blocked_by_wrong_pins(start_app, world, backend):
    app = start_app()
    enrol(app, backend, new_nonce())
    world.advance(61)
    app.do("login")
    app.sees("SecondFactor VERIFY")
    for _ in range(4):
        app.do("pin 99999")
        app.sees("SecondFactor WRONG")
    app.do("pin 99999")
    app.sees("SecondFactor BLOCKED", "UserErrorMessage 1041")


def test_a_world_made_anew_is_a_new_installation(start_app, world, backend):
    app = start_app()
    enrol(app, backend, new_nonce())
    assert world.control("POST", f"/worlds/{world.name}/reset").ok
    app.do("login")
    shown = app.reaches("UserErrorMessage 1002")
    assert without_login(shown) == ["SessionStop ACCOUNT_DELETED", "AccountDeleted", "onboarding", "UserErrorMessage 1002"]
    app.do("resume")
    enrol(app, backend, new_nonce())


def test_the_guides_swift_compiles_as_on_an_apple_system():
    check_on_apple("NextAuth", "NextAuthGuideController.swift")


@pytest.mark.parametrize("foreign, code", [
    ("scan https://example.test/q?1", 32), ("scan na1", 32), ("open example:!", 32), ("open example:QUJD", 32), ("scan na1;X;a;b;c;d", 33)])
def test_somebody_elses_code_is_an_error_and_no_more(start_app, backend, foreign, code):
    app = start_app()
    app.sees("onboarding")
    app.do(foreign)
    app.sees(f"UserErrorMessage {code}")
    app.do("resume")
    enrol(app, backend, new_nonce())


@pytest.mark.parametrize("effect", [
    {"truncate": {"bytes": 40}}, {"answer": {"status": 200, "body": "<html>Accept the terms of this café.</html>"}},
    {"answer": {"status": 200, "body": "[1]"}}, {"drop": {"when": "before"}}], ids=["cut", "portal", "shape", "drop"])
@pytest.mark.parametrize("path", ["/device/v1/flows", "/device/v1/flows/*/secondfactor"], ids=["start", "pin"])
def test_what_answers_wrongly_ends_one_login_and_not_the_next(start_app, world, backend, path, effect):
    app = start_app()
    enrol(app, backend, new_nonce())
    world.advance(61)
    fault(world, path, effect)
    app.do("login")
    if path.endswith("secondfactor"):
        app.sees("SecondFactor VERIFY")
        app.do("pin 13524")
    app.sees("UserErrorMessage 0")
    world.control("DELETE", "/faults")
    log_in(app)


def fault(world, path, effect, **match):
    added = world.control("POST", "/faults", json={"name": "f", "match": {"platform": "nextauth", "path": path} | match, "effect": effect})
    assert added.status_code == 201, added.text


def test_a_ping_that_fails_leaves_a_login_alone(start_app, world, backend):
    nonce = new_nonce()
    app = start_app(automaticallySelectSingleAccountWhenSecondFactorNeeded=False, secondFactorUserInputTimeout="1h")
    enrol(app, backend, new_nonce())
    app.do("scan " + backend.login_code(nonce).decode())
    app.sees("ConfirmLogin Ada *")
    fault(world, "/device/v1/sessions/*/ping", {"answer": {"status": 503}})
    world.advance(200)
    until(lambda: world.get("/faults/f")["struck"] > 0, "a ping that is struck")
    app.is_silent()
    world.control("DELETE", "/faults")
    app.do("confirm")
    app.sees("SecondFactor VERIFY")
    app.do("pin 13524")
    app.sees("SecondFactor SUCCESS", "SessionLogin")
    assert backend.session(nonce)["loggedin"]


def test_a_second_start_and_a_wrong_call_leave_the_first_alone(start_app, backend):
    app, nonce = start_app(), new_nonce()
    app.sees("onboarding")
    app.do("scan " + backend.enrolment_code(nonce, "Ada", ADA).decode())
    app.sees("ConfirmEnrol true")
    for wrong in ("login", "pin 13524", "scan " + backend.login_code(new_nonce()).decode()):
        app.do(wrong)
        app.sees("UserErrorMessage 1037")
    app.do("confirm")
    app.sees("SecondFactor FIRST_SET")
    app.do("finger")
    app.sees("UserErrorMessage 1037")
    app.do("pin 13524")
    app.sees("SecondFactor SUCCESS", "SessionLogin")


def test_durations_are_the_vendors(start_app, world, backend):
    app = start_app(timeoutAppLogin="0", appLoginInactivityTimeout="1.5h", secondFactorUserInputTimeout="0s")
    enrol(app, backend, new_nonce())
    log_in_right_after_enrolment(app)
    world.advance(301)
    app.is_silent(1)


def log_in_right_after_enrolment(app):
    app.do("login")
    app.sees("SessionLogin", "home Ada *")


def test_a_push_token_before_the_first_enrolment_is_kept(start_app, world, backend):
    app = start_app()
    app.sees("onboarding")
    app.do("push token-of-the-system")
    app.is_silent()
    app.do("resume")
    enrol(app, backend, new_nonce())


@pytest.mark.parametrize("app_of", [kotlin_app, swift_app], ids=["kotlin", "swift"])
def test_reading_lists_does_not_queue_requests(start_installation, world, backend, app_of):
    app = start_installation(app_of("NextAuth"))
    enrol(app, backend, new_nonce())
    world.advance(61)
    app.do("login")
    app.sees("SecondFactor VERIFY")
    fault(world, "/device/v1/sessions", {"delay": {"seconds": 0.3}})
    app.do("read 100", "pin 13524")
    app.sees("SecondFactor SUCCESS", "SessionLogin", "home Ada *")
    assert world.get("/faults/f")["struck"] < 10


@pytest.mark.parametrize("looper", ["null", "new Looper()"])
def test_without_a_main_thread_callbacks_come_all_the_same(start_installation, backend, tmp_path, looper):
    """As Android's own classes are in tests on the JVM: there, and doing nothing."""
    (tmp_path / "Looper.java").write_text(
        f"package android.os; public class Looper {{ public static Looper getMainLooper() {{ return {looper}; }} }}")
    (tmp_path / "Handler.java").write_text(
        "package android.os; public class Handler { public Handler(Looper looper) {} public boolean post(Runnable work) { return false; } }")
    android = compile_java(tmp_path / "Looper.java", tmp_path / "Handler.java")
    enrol(start_installation(kotlin_app("NextAuth", classpath=[android])), backend, new_nonce())
