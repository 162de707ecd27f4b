"""Several accounts of one app on a simulated phone: by the control API, from the command line, on the page, in exports."""

import pytest
import requests

from miracl_fixtures import *  # noqa: F403 - the fixtures
from phones import Phone, Refused, new_phone
from test_phone_onegini import Handset, portal, push  # noqa: F401 - a fixture
from understudy import run, until


def accounts(phone, platform):
    return [app.get("account") for app in phone.shown()["apps"] if app["platform"] == platform]


def fact(phone, name, account):
    return next(fact["value"] for app in phone.shown()["apps"] if app.get("account") == account for fact in app["facts"] if fact["name"] == name)


@pytest.fixture
def eva(world):
    """Eva's phone, on which Bob has an account too."""
    phone = new_phone(world, "eva", owner="eva", mail="eva@example.com")
    phone.enrol(platform="miracl", pin="1357")
    phone.enrol(platform="miracl", account="work", user="bob@example.com", pin="2468")
    return phone


def test_two_users_of_one_app(customer, eva):
    assert accounts(eva, "miracl") == [None, "work"]
    sessions = {account: customer.start_session() for account in ("", "work")}
    for account, session in sessions.items():
        eva.scan(session.told["qrURL"], account=account)
    assert [(request["id"], request.get("account")) for request in eva.pending()] == [(sessions[""].code, None), (sessions["work"].code, "work")]
    # The answer finds its account, and its PIN.
    with pytest.raises(Refused) as refused:
        eva.approve(sessions["work"].code, pin="1357")
    assert refused.value.error == "AuthenticationException.UnsuccessfulAuthentication"
    for session in sessions.values():
        eva.approve(session.code)
    assert [session.poll()["userId"] for session in sessions.values()] == ["eva@example.com", "bob@example.com"]


def test_the_same_word_in_two_accounts(customer, eva):
    for account in ("", "work"):
        eva.tell("/do", {"action": "otp", "platform": "miracl", "account": account})
    digits = eva.approve("otp", account="work")["code"]
    assert customer.check_otp("bob@example.com", digits).status_code == 200
    assert customer.check_otp("eva@example.com", eva.approve("otp")["code"]).status_code == 200
    assert eva.pending() == []


def test_a_push_reaches_the_account_that_it_is_for(world, portal):  # noqa: F811 - the fixture
    ada = Handset(world, new_phone(world, "tablet", owner="ada").name)
    ada.enrol()
    ada.enrol(account="second", user="grace")
    first, second = fact(ada, "Device", None), fact(ada, "Device", "second")
    assert first != second and fact(ada, "Mobile authentication", "second") == "by QR code and push"
    transaction = portal.start(type="push", user_id="grace", device_id=second)["transaction_id"]
    [request] = ada.pending(wait=10)
    assert (request["id"], request["account"]) == (transaction, "second")
    ada.change(policy="approve")
    until(lambda: portal.result(transaction)["is_authenticated"], "the policy")
    transaction = portal.start(type="push", user_id="ada", device_id=first)["transaction_id"]
    until(lambda: portal.result(transaction)["is_authenticated"], "the policy")


def test_accounts_go_with_snapshots_and_exports(world, customer, eva, make_world):
    fixtures = world.get("/fixtures")
    assert [app["account"] for app in fixtures["phones"]["apps"] if app["phone"] == "eva"] == ["", "work"]
    copy = make_world(fixtures=fixtures)
    assert copy.get("/fixtures")["phones"] == fixtures["phones"]
    phone, there = Phone(copy, "eva"), type(customer)(copy.url + "/miracl")
    session = there.start_session()
    phone.scan(session.told["qrURL"], account="work")
    phone.approve(session.code)
    assert session.poll()["userId"] == "bob@example.com"
    # A fixture may leave it out, and may not make it up.
    for app in fixtures["phones"]["apps"]:
        if app["account"] == "":
            del app["account"]
    assert world.control("PUT", "/fixtures", json=fixtures).status_code == 204
    assert accounts(eva, "miracl") == [None, "work"]
    fixtures["phones"]["apps"][-1]["account"] = "Work!"
    answer = world.control("PUT", "/fixtures", json=fixtures)
    assert answer.status_code == 422 and "account" in answer.text, answer.text


def test_what_names_no_account(eva):
    for call, body, status in (("/enrol", {"platform": "miracl", "account": "Work!"}, 400), ("/do", {"action": "otp", "platform": "miracl", "account": "other"}, 422),
                               ("/approve", {"id": "otp", "account": "other"}, 404), ("/sign", {"platform": "powerauth", "account": "other", "uriId": "/login"}, 422),
                               ("/enrol", {"platform": "miracl", "account": "work"}, 422)):
        with pytest.raises(Refused) as refused:
            eva.tell(call, body)
        assert refused.value.status == status, (call, refused.value.detail)
    assert accounts(eva, "miracl") == [None, "work"]


def test_by_the_command_line(server, world, customer):
    def phone(*arguments):
        return run("phone", *arguments, "--world", world.name, url=server.url)

    assert phone("create", "eva", "--user", "eva", "--mail", "eva@example.com").returncode == 0
    assert phone("enrol", "eva", "--platform", "miracl").returncode == 0
    assert "the user bob@example.com is registered" in phone("enrol", "eva", "--platform", "miracl", "--account", "work", "--user", "bob@example.com").stdout.lower()
    assert "MIRACL, work" in phone("show", "eva").stdout and "MIRACL, MIRACL, work" in phone("list").stdout
    session = customer.start_session()
    phone("scan", "eva", session.told["qrURL"], "--account", "work")
    assert "(account work)" in phone("pending", "eva").stdout
    assert phone("approve", "eva", session.code, "--account", "work").returncode == 0
    assert session.poll()["userId"] == "bob@example.com"
    assert phone("do", "eva", "delete_user", "--account", "work").returncode == 0
    assert "MIRACL, work" not in phone("show", "eva").stdout


def test_the_page_of_a_phone(browse, world, customer):
    eva = new_phone(world, "eva", owner="eva", mail="eva@example.com")
    eva.enrol(platform="miracl")
    page = browse(world.url + "/phones/eva/apps/miracl")
    page.locator("summary", has_text="Actions").click()
    page.get_by_role("link", name="Add another account").click()
    form = page.get_by_role("form", name="Another account at MIRACL")
    form.get_by_label("Account name").fill("work")
    form.get_by_label("User, if not the owner").fill("bob@example.com")
    form.get_by_role("button", name="Enrol another account at MIRACL").click()
    page.locator(".icon", has_text="MIRACL, work").wait_for()
    assert page.url.endswith("/phones/eva/apps/miracl/work") or page.locator(".told").count()
    session = customer.start_session()
    page.get_by_role("link", name="Scan", exact=True).click()
    scanner = page.get_by_role("form", name="Scan", exact=True)
    scanner.get_by_label("Content of a QR code").fill(session.told["qrURL"])
    scanner.locator("summary", has_text="account").click()
    scanner.get_by_label("Account of the app").fill("work")
    scanner.get_by_role("button", name="Scan").click()
    card = page.locator(f".request[data-id='{session.code}']")
    assert "Account work" in card.inner_text()
    card.get_by_role("button", name="Approve with PIN").click()
    card.wait_for(state="detached")
    assert session.poll()["userId"] == "bob@example.com"
    page.get_by_role("link", name="MIRACL, work").click()
    page.locator("summary", has_text="Actions").click()
    page.get_by_role("form", name="One-time password, MIRACL, work").get_by_role("button").click()
    until(lambda: [request.get("account") for request in eva.shown()["requests"]] == ["work"], "the account to be asked")


def test_pushes_of_all_accounts_stand_on_the_page(browse, world, portal):  # noqa: F811 - the fixture
    ada = Handset(world, new_phone(world, "tablet", owner="ada").name)
    ada.enrol()
    ada.enrol(account="second", user="grace")
    for user, account in (("ada", None), ("grace", "second")):
        portal.start(type="push", user_id=user, device_id=fact(ada, "Device", account))
    page = browse(world.url + "/phones/tablet")
    assert page.locator(".pushes .push").count() == 2
