"""The stubs of nextAuth's Mobile SDK: an app that is written by the vendor's guides does what they say, against the program itself."""

import json

import pytest

from compilers import compile_java, kotlin_library
from nextauth_server import Backend, new_nonce
from stub_app import APPS, StubApp, kotlin_app, kotlin_classes, swift_app
from understudy import until

CONFIGURATION = {"appLoginInactivityTimeout": "5m", "singleAccount": True}
ADA = "ada@example.test"


@pytest.fixture(params=[kotlin_app, swift_app])
def start_app(request, world, tmp_path):
    """Starts the guide's app; each start is the same installation."""
    command, apps = request.param("NextAuth"), []

    def start(**configuration):
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
    shown = app.reaches("onboarding")
    assert shown.count("SessionStop ACCOUNT_DELETED") == 2, shown  # the AppLogin, and the enrolment's own session
    assert shown[-2] == "AccountDeleted" and set(shown[:-2]) == {"SessionStop ACCOUNT_DELETED", "login"}


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
    app.sees("SessionStop USER", "login")
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
    app.sees("SecondFactor BLOCKED", "UserErrorMessage 41")


def test_a_world_made_anew_is_a_new_installation(start_app, world, backend):
    app = start_app()
    enrol(app, backend, new_nonce())
    assert world.control("POST", f"/worlds/{world.name}/reset").ok
    app.do("login")
    app.sees("SessionStop ACCOUNT_DELETED", "login", "AccountDeleted", "onboarding", "UserErrorMessage 2")
    app.do("resume")
    enrol(app, backend, new_nonce())


def test_the_guides_java_compiles_as_it_stands():
    classpath = [kotlin_classes("NextAuth"), kotlin_library()]
    assert (compile_java(APPS / "GuideActivity.java", classpath=classpath) / "guide/GuideActivity.class").exists()
