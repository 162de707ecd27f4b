"""Version 3 of nextAuth's Mobile SDK in the stubs: flows and their updates, beside the callbacks of version 2."""

import json

import pytest

from compilers import compile_java, compile_kotlin, kotlin_library
from nextauth_server import Backend, new_nonce
from stub_app import STUBS, StubApp, java_app, kotlin_app, swift_app, swift_module_check, with_guide
from understudy import until

CONFIGURATION = {"appLoginInactivityTimeout": "5m", "automaticallySelectSingleAccountWhenSecondFactorNeeded": False}
ADA = "ada@example.com"


@pytest.fixture(params=[java_app, kotlin_app, swift_app], ids=["java", "kotlin", "swift"])
def start_app(request, world, tmp_path):
    apps = []

    def start(**configuration):
        options = json.dumps(CONFIGURATION | {"legacyUserInteraction": False} | configuration)
        command = request.param("NextAuth", "NextAuth3")
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


def enrol(app, backend, nonce, factor="pin 13524"):
    app.do("scan " + backend.enrolment_code(nonce, "Ada", ADA).decode())
    app.sees("Flow ENROL PROCESSING", "Flow ENROL WAIT_FOR_INPUT CONFIRM nobody")
    app.do("confirm")
    app.sees("Flow ENROL PROCESSING CONFIRM [CONFIRM] nobody",
             "Flow ENROL WAIT_FOR_INPUT SET_SECOND_FACTOR [PIN, BIOMETRICS]/[PIN] after CONFIRM SUCCESS")
    app.do(factor)
    app.sees("Flow ENROL PROCESSING SET_SECOND_FACTOR *", "Flow ENROL DONE after SET_SECOND_FACTOR SUCCESS", "SessionUpdate ACTIVE")


def test_a_login_as_the_quick_start_says(start_app, backend):
    app, nonce = start_app(), new_nonce()
    enrol(app, backend, new_nonce())
    app.do("scan " + backend.login_code(nonce).decode())
    # https://docs.nextauth.com/mobile-sdk/quick-start/login-qr.html, “The expected sequence of FlowUpdate callbacks”
    app.sees("Flow LOGIN PROCESSING", "Flow LOGIN WAIT_FOR_INPUT CONFIRM Ada")
    app.do("confirm")
    app.sees("Flow LOGIN PROCESSING CONFIRM [CONFIRM] Ada", "Flow LOGIN WAIT_FOR_INPUT VERIFY_SECOND_FACTOR [PIN]/[] after CONFIRM SUCCESS")
    app.do("pin 13524")
    app.sees("Flow LOGIN PROCESSING VERIFY_SECOND_FACTOR [PIN] [PIN]/[] after CONFIRM SUCCESS",
             "Flow LOGIN DONE after VERIFY_SECOND_FACTOR SUCCESS", "SessionUpdate ACTIVE")
    assert backend.session(nonce)["loggedin"]
    backend.log_out(nonce)
    app.sees("SessionUpdate DONE")


def test_an_app_login_and_a_wrong_pin_until_it_is_blocked(start_app, world, backend):
    app = start_app()
    enrol(app, backend, new_nonce())
    world.advance(61)
    app.do("login")
    app.sees("Flow LOGIN PROCESSING", "Flow LOGIN WAIT_FOR_INPUT VERIFY_SECOND_FACTOR [PIN]/[]")
    for _ in range(4):
        app.do("pin 99999")
        app.sees("Flow LOGIN PROCESSING VERIFY_SECOND_FACTOR *",
                 "Flow LOGIN WAIT_FOR_INPUT VERIFY_SECOND_FACTOR [PIN]/[] after VERIFY_SECOND_FACTOR PIN_FAIL")
    app.do("pin 99999")
    app.sees("Flow LOGIN PROCESSING *", "Flow LOGIN ERROR after VERIFY_SECOND_FACTOR PIN_FAIL SECOND_FACTOR_BLOCKED blocked")


def test_refusals_of_a_start(start_app, backend):
    app = start_app()
    app.do("scan https://example.test/")
    app.sees("thrown QR_PARSING_ERROR")
    app.do("scan " + backend.login_code(new_nonce()).decode())
    app.sees("Flow LOGIN PROCESSING", "Flow LOGIN ERROR NO_ACCOUNTS_FOR_SERVER")
    app.do("scan " + backend.enrolment_code(new_nonce(), "Ada", ADA).decode())
    app.sees("Flow ENROL PROCESSING", "Flow ENROL WAIT_FOR_INPUT CONFIRM nobody")
    app.do("scan " + backend.enrolment_code(new_nonce(), "Ada", ADA).decode())
    app.sees("thrown WRONG_STATE")
    app.do("cancel")
    app.sees("Flow ENROL ERROR", "SessionUpdate ERROR")
    enrol(app, backend, new_nonce(), "pin+finger 13524")
    app.do("token", "create")
    assert {app.sees("*"), app.sees("*")} == {"Error NOT_EMULATED", "thrown NOT_EMULATED"}


def test_a_transaction_comes_by_push(start_app, backend):
    app, nonce = start_app(), new_nonce()
    enrol(app, backend, nonce)
    transaction = backend.transaction(nonce, amount="12.00", benificiary="Bob", description="Books")
    app.sees("Flow SIGN_TRANSACTION PROCESSING", "Flow SIGN_TRANSACTION WAIT_FOR_INPUT CONFIRM_TRANSACTION 12.00")
    app.do("sign yes")
    app.sees("Flow SIGN_TRANSACTION PROCESSING CONFIRM_TRANSACTION [CONFIRM] 12.00", "Flow SIGN_TRANSACTION WAIT_FOR_INPUT VERIFY_SECOND_FACTOR *")
    app.do("pin 13524")
    app.sees("Flow SIGN_TRANSACTION PROCESSING *", "Flow SIGN_TRANSACTION DONE *")
    until(lambda: backend.outcome(transaction) == "1", "the approval")
    app.do("messages")
    app.sees("RetrievedMessages *")


def test_legacy_user_interaction_asks_for_one_version_alone(start_app, backend):
    old = start_app(legacyUserInteraction=True)
    old.do("scan " + backend.enrolment_code(new_nonce(), "Ada", ADA).decode())
    old.sees("ConfirmEnrol")
    old.is_silent()
    old.close()
    both = start_app(legacyUserInteraction=None)
    both.do("scan " + backend.enrolment_code(new_nonce(), "Ada", ADA).decode())
    shown = {both.sees("*") for _ in range(3)}
    assert shown == {"Flow ENROL PROCESSING", "Flow ENROL WAIT_FOR_INPUT CONFIRM nobody", "ConfirmEnrol"}


def test_the_code_of_the_vendors_pages_compiles():
    stub = compile_kotlin(STUBS / "NextAuth.kt")
    java = with_guide("NextAuth3Pages.java", "flows-guide.md")
    assert (compile_java(java, classpath=[stub, kotlin_library()]) / "guide/NextAuth3Pages.class").exists()
    swift_module_check("NextAuth", with_guide("NextAuth3Pages.swift", "flows-guide.md"))
