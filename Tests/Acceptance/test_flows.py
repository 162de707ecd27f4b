"""Flows: which requests belong together, without a client saying so, and what a login looks like as text, picture and Mermaid."""

import contextlib
import importlib.util
import json
import re
import xml.etree.ElementTree
from pathlib import Path
from urllib.parse import quote

import pytest
import requests

from flow_golden import expect_flow, now, told  # noqa: F401 - one of them a fixture
from oauth_browser import Browser
from oauth_party import Party
from onegini_device import Device
from phones import Phone
from powerauth_backend import INTEGRATION, Backend
from test_onegini_otp import PIN, Portal, signature
from test_passkeys_page import give_authenticator, log_in_by_mail, open_page  # noqa: F401 - a fixture
from test_powerauth_login import App
from understudy import ROOT, run, until


# A login at each platform.

def test_hanko_a_login_by_passcode(world, hanko, now):  # noqa: F811 - fixtures
    since = now()
    hanko.get("/me", hanko.log_in(world, "newcomer@example.com"))
    expect_flow(world, since, "hanko", platform="hanko", user="newcomer@example.com")


def test_onegini_a_login_with_otp(world, now):  # noqa: F811 - fixtures
    with contextlib.closing(Device(world.url + "/oauth", signature("android"))) as phone, \
            contextlib.closing(Portal(world.url + "/oauth")) as portal:
        phone.log_in(Browser(), "ada", PIN)
        phone.enroll()
        since = now()
        started = portal.start()
        question = phone.scan(started["otp"])
        phone.answer(question, "confirm")
        until(lambda: portal.callbacks, "the callback")
        assert portal.result(started["transaction_id"])["is_authenticated"]
        golden_callback = re.compile(r"callback receiver: callback “.+”")
        until(lambda: golden_callback.search(told(world, since)), "the callback in the flow")
        expect_flow(world, since, "onegini", user="ada")


def test_powerauth_a_login_by_operation(world, make_phone, now):  # noqa: F811 - fixtures
    app = App(world.url + "/app", make_phone("eva"))
    since = now()
    operation = app.begin().json()["operationId"]
    app.approve(operation)
    assert app.confirm(operation).status_code == 200
    expect_flow(world, since, "powerauth", platform="powerauth")


def test_miracl_a_login_with_pin(world, native, sample, now):  # noqa: F811 - fixtures
    native.set_backend()
    since = now()
    code = native.access_code(sample.authorize_url())
    native.start_authentication(code)
    assert sample.redeem(native.code_for(code), native.user).status_code == 200
    expect_flow(world, since, "miracl", platform="miracl")


def test_an_authorization_code_ties_the_browser_to_the_bearer(world, issuer, browser, now):  # noqa: F811 - fixtures
    since = now()
    party = Party(issuer, browser)
    tokens = party.redeem(browser.authorize(party.url()).parameters["code"]).json()
    userinfo = requests.get(issuer + "/v1/userinfo", headers={"Authorization": "Bearer " + tokens["access_token"]}, timeout=30)
    assert userinfo.status_code == 200
    text = told(world, since)
    steps = re.findall(r"^\d+\. +(.+?) → onegini: (\w+ /oauth/[a-z0-9/]+)", text, re.MULTILINE)
    assert steps[0] == ("browser", "GET /oauth/v1/authorize") and ("back end", "POST /oauth/v1/token") in steps
    assert steps[-1][1] == "GET /oauth/v1/userinfo"


# Every form, and where it is found.

def test_every_form_and_the_command(world, hanko, now):  # noqa: F811 - fixtures
    since = now()
    hanko.log_in(world, "flow@example.com")
    shown = world.get("/flows/last", since=since)
    flow = shown["flow"]
    assert flow["requests"] == len([row for row in shown["rows"] if row["kind"] == "request"])
    assert {row["entry"] for row in shown["rows"]} <= set(flow["entries"])

    svg = world.control("GET", f"/flows/{flow['id']}", params={"format": "svg"})
    assert svg.headers["Content-Type"] == "image/svg+xml"
    root = xml.etree.ElementTree.fromstring(svg.text)
    texts = ["".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "POST /hanko/passcode/login/finalize" in texts and "mailbox" in texts
    assert world.url.split("/w/")[1] in root.find(".//{http://www.w3.org/2000/svg}a").get("href")

    mermaid = told(world, since, "mermaid")
    assert mermaid.startswith("sequenceDiagram\n") and "passcode sent" in mermaid
    printed = run("flow", "show", "--last", "--user", "flow@example.com", "--world", world.name, url=world.url.split("/w/")[0])
    assert printed.stdout == told(world, since)
    listed = run("flow", "list", "--world", world.name, url=world.url.split("/w/")[0])
    assert "Login of flow@example.com by passcode" in listed.stdout
    missing = run("flow", "show", "999999", "--world", world.name, url=world.url.split("/w/")[0])
    assert missing.returncode == 1 and "No flow contains entry 999999" in missing.stderr


def test_a_flow_can_be_waited_for(world, hanko):
    assert world.control("GET", "/flows/last", params={"user": "later@example.com"}).status_code == 404
    hanko.sign_up("later@example.com")
    assert world.get("/flows/last", user="later@example.com", wait=5)["flow"]["users"]


def test_a_phone_is_called_by_its_name(world, now):  # noqa: F811 - fixtures
    office, ada = Backend(world.url + "/powerauth-cloud", INTEGRATION), Phone(world, "ada")
    ada.pending()
    since = now()
    operation = office.ask("POST", "/v2/operations", {"template": "login", "userId": "ada"})["operationId"]
    ada.approve(operation, wait=10)
    text = told(world, since)
    assert "back end → powerauth: POST /powerauth-cloud/v2/operations → 200" in text
    assert "phone ada → powerauth: POST /enrollment-server/api/auth/token/app/operation/authorize → 200" in text


def test_mermaid_reads_what_is_told(world, hanko, chromium, now):  # noqa: F811 - fixtures
    """By Mermaid's own parser; with what a client sends to break out of its place."""
    spec = importlib.util.find_spec("mermaid_parser")
    if not spec:
        pytest.skip("the Python package mermaid-parser-py is missing")
    bundle = (Path(spec.origin).parent / "js/parser.bundle.js").read_text()
    since = now()
    hanko.log_in(world, "mermaid@example.com")
    hostile = "end;#%%{init: {}}--> `x`\\ wrap: <b>&amp;\u2028Note over p1: x"
    requests.get(f"{world.url}/hanko/users/{quote(hostile)}?{quote(hostile)}", timeout=30)
    requests.get(world.url + "/oauth/v1/authorize", params={"client_id": hostile, "state": hostile}, timeout=30)
    flows = world.get("/flows", since=since)["flows"]
    assert len(flows) == 3
    with contextlib.closing(chromium.new_context()) as context:
        page = context.new_page()
        page.add_script_tag(content="var module = {};\n" + bundle)
        for flow in flows:
            text = world.control("GET", f"/flows/{flow['id']}", params={"format": "mermaid"}).text
            read = json.loads(page.evaluate("text => parse_mermaid(text)", text))
            assert read["graph_type"] == "sequence"
            drawn = world.get(f"/flows/{flow['id']}")
            state = read["graph_data"]["state"]["records"]
            assert len(state["messages"]) == len(drawn["rows"])
            assert [actor["description"] for actor in state["actors"].values()] == [party["name"] for party in drawn["parties"]]


# In a browser, live.

def text_of(page):
    return page.locator("#flow-text").text_content()


def test_the_pages_follow_an_otp_login_live(world, browse, now):  # noqa: F811 - fixtures
    page = browse(world.url + "/flows")
    page.get_by_role("heading", name="No flows yet").wait_for()
    with contextlib.closing(Portal(world.url + "/oauth")) as portal, \
            contextlib.closing(Device(world.url + "/oauth", signature("android"))) as phone:
        phone.log_in(Browser(), "ada", PIN)
        phone.enroll()
        since = now()
        started = portal.start()
        # Where there is no room for it beside the list, it is a page.
        page.set_viewport_size({"width": 1000, "height": 800})
        page.get_by_role("link", name=re.compile("^Login by OTP$")).click()
        page.locator("svg.diagram").wait_for()
        assert "qr" not in page.title()
        phone.answer(phone.scan(started["otp"]), "confirm")
        until(lambda: portal.callbacks, "the callback")
        portal.result(started["transaction_id"])
        expect_flow(world, since, "onegini", user="ada")
        until(lambda: text_of(page) == told(world, since, user="ada"), "the page to follow")
    page.locator("svg.diagram a").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="POST /w/").or_(page.get_by_role("heading", name="POST /oauth/")).wait_for()
    page.locator("dt", has_text="Flow").wait_for()


def test_the_pages_follow_an_approval_live(world, browse, now):  # noqa: F811 - fixtures
    office, ada = Backend(world.url + "/powerauth-cloud", INTEGRATION), Phone(world, "ada")
    ada.pending()
    since = now()
    operation = office.ask("POST", "/v2/operations", {"template": "login", "userId": "ada"})["operationId"]
    page = browse(world.url + f"/flows/{world.get('/flows/last', since=since)['flow']['id']}")
    ada.approve(operation, wait=10)
    page.locator("svg.diagram text", has_text="operation/authorize").wait_for()
    until(lambda: text_of(page) == told(world, since, user="ada"), "the page to follow")


def test_the_pages_follow_a_passkey_login_live(world, browse, open_page, now):  # noqa: F811 - fixtures
    site = open_page(world.url + "/app/passkeys")
    give_authenticator(site)
    log_in_by_mail(site, world, "pass@example.com")
    site.get_by_role("button", name="Create a passkey").click()
    site.locator("#passkeys li").wait_for()
    site.get_by_role("button", name="Log out").click()
    login = site.get_by_role("button", name="Log in with a passkey")
    login.wait_for()
    since, held = now(), []
    # The page of the flow is open before the login goes on.
    site.route("**/webauthn/login/finalize", lambda route: held.append(route))
    login.click()
    until(lambda: site.wait_for_timeout(20) or held, "the assertion")
    [flow] = [flow for flow in world.get("/flows", since=since)["flows"]
              if any(subject["kind"] == "challenge" for subject in flow["subjects"])]
    page = browse(world.url + f"/flows/{flow['id']}")
    page.locator("svg.diagram text", has_text="login/initialize").wait_for()
    assert "finalize" not in text_of(page)
    held[0].continue_()
    site.get_by_role("heading", name="Logged in as").wait_for()
    page.locator("svg.diagram text", has_text="login/finalize").wait_for()
    golden = (ROOT / "Tests/Acceptance/flows/passkey.txt").read_text()
    until(lambda: page.wait_for_timeout(50) or text_of(page) == golden, "the page to follow", seconds=5)
    assert world.control("GET", f"/flows/{flow['id']}", params={"format": "text"}).text == golden


def test_two_flows_are_compared(world, hanko, browse):
    codes = {}
    for name in ("one@example.com", "two@example.com"):
        codes[name] = hanko.start(hanko.sign_up(name))
    hanko.finish(codes["one@example.com"], world.code("one@example.com")["code"])
    hanko.finish(codes["two@example.com"], "000000")
    flows = {user: flow for flow in world.get("/flows")["flows"] for user in flow["users"]}
    first, second = flows["one@example.com"], flows["two@example.com"]
    page = browse(world.url + f"/flows/{first['id']}", java_script_enabled=False)
    page.get_by_label("Compare with").select_option(str(second["id"]))
    page.get_by_role("button", name="Compare").click()
    assert page.locator("svg.diagram").count() == 2
    difference = page.locator("#difference")
    assert any("finalize" in line and "200" in line for line in difference.locator("del").all_inner_texts())
    assert any("401" in line for line in difference.locator("ins").all_inner_texts())
