"""How an account comes into an app of nextAuth's Mobile SDK: the code, the camera, the key, the first PIN; and everything that
keeps it from coming twice, late, or by somebody else's key."""

import base64

import pytest

from camera import needs_zbar, read
from nextauth_device import PIN, Key, signed_text, unb64url
from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ADA, ASKED, ENROLLED
from nextauth_server import SERVER, link, new_nonce, url_safe
from nextauth_stub import User


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
    backend.register_user(nonce, "eve@example.com")

    assert sdk.listen() == ["ACCOUNT_UPDATED"]
    assert sdk.take() == ENROLLED + ["AccountUpdate"]
    assert [one["userid"] for one in sdk.accounts.values()] == ["eve@example.com"] == [backend.session(nonce)["userid"]]


def test_registering_a_user_needs_a_login(backend):
    assert backend.call("POST", "/sessions/registeruser", new_nonce(), userid=ADA).status_code == 403


@needs_zbar
@pytest.mark.parametrize("size", [{}, {"s": 300}], ids=["500", "300"])
def test_a_camera_reads_the_code(backend, make_sdk, size):
    picture = backend.enrolment_code(new_nonce(), "Zoë", ADA, img="png", **size)
    assert int.from_bytes(picture[16:20], "big") == size.get("s", 500)

    sdk = make_sdk()
    assert sdk.start_session(read(picture))["session"]["username"] == "Zoë"


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
