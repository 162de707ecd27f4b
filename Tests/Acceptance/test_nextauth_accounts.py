"""The end of accounts of nextAuth from both sides, and what is left on the phone; installations of the app."""

import pytest

from nextauth_device import PIN, Key, Refused, signed_text, unb64url
from nextauth_fixtures import *  # noqa: F403 - the fixtures
from nextauth_fixtures import ADA, ASKED, ENROLLED
from nextauth_server import SERVER, new_nonce, url_safe


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


def test_worlds_do_not_share_phones(make_world, sdk):
    sdk.device.base = make_world().url + "/nextauth/device/v1"
    with pytest.raises(Refused) as caught:
        sdk.list_accounts()
    assert (caught.value.code, caught.value.status) == ("UNAUTHORIZED", 401)
