"""The passkeys of a simulated phone: a software authenticator that belongs to it, obeys its policy and goes with it."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
import webauthn
from webauthn.helpers import options_to_json

from phones import Phone, new_phone
from software_authenticator import ORIGIN, RP, USER, Authenticator
from understudy import CONTROL


def creation():
    return webauthn.generate_registration_options(rp_id=RP, rp_name="Example", user_id=USER, user_name="ada@example.com")


def request():
    return webauthn.generate_authentication_options(rp_id=RP)


@pytest.fixture
def ada(world):
    return Phone(world, "ada")


@pytest.fixture
def passkeys(world):
    return Authenticator(world, phone="ada")


def test_a_phone_makes_a_passkey_and_shows_it(world, ada, passkeys):
    assert world.get("/authenticators")["authenticators"][0]["phone"] == "ada"
    options = creation()
    credential = passkeys.create(options)
    registered = webauthn.verify_registration_response(
        credential=json.dumps(credential), expected_challenge=options.challenge, expected_rp_id=RP, expected_origin=ORIGIN)
    wanted = request()
    webauthn.verify_authentication_response(
        credential=passkeys.get(wanted), expected_challenge=wanted.challenge, expected_rp_id=RP, expected_origin=ORIGIN,
        credential_public_key=registered.credential_public_key, credential_current_sign_count=0)
    # Data on the phone stands beside its apps; the page draws both alike.
    assert ada.app("passkeys")["isEnrolled"] and ada.fact("Authenticator", "passkeys") == passkeys.id
    assert credential["id"] in ada.fact("ada@example.com at example.com", "passkeys")
    assert Phone(world, "grace").app("passkeys") is None


@pytest.mark.parametrize("policy, sentence", [("decline", "The person declined"), ("decline after 1 s", "The person declined"), ("ignore", "Nobody answered, and time ran out")])
def test_a_policy_that_gives_no_passkey_out(world, ada, passkeys, policy, sentence):
    ada.change(policy=policy)
    for call, options in (("create", creation()), ("get", request())):
        refused = passkeys.ask(call, options)
        assert refused.status_code == 422 and refused.json()["title"] == "NotAllowedError"
        assert refused.json()["detail"].startswith(f'{sentence}, as the policy of the phone “ada” says.')
    ada.change(policy="manual")
    assert passkeys.create(creation())["id"]


@pytest.mark.parametrize("policy", ["approve", "wrong PIN twice, then right"])
def test_a_policy_that_approves(ada, passkeys, policy):
    ada.change(policy=policy)
    assert passkeys.create(creation())["id"] == passkeys.get(request())["id"]


def test_a_late_answer(ada, passkeys):
    passkeys.create(creation())
    ada.change(policy="approve after 1 s")
    began = time.monotonic()
    assert passkeys.get(request())["response"]["userHandle"] and time.monotonic() - began >= 1


def test_a_phone_has_one_authenticator_and_takes_it_along(world, ada, passkeys):
    again = world.control("POST", "/authenticators", json={"phone": "ada"})
    assert again.status_code == 409 and passkeys.id in again.json()["detail"]
    assert world.control("POST", "/authenticators", json={"phone": "nobody"}).status_code == 404
    assert world.control("PATCH", passkeys.path, json={"phone": "grace"}).status_code == 400
    passkeys.create(creation())
    ada.tell("", method="DELETE")
    assert world.control("GET", passkeys.path).status_code == 404
    # Another phone of the same name begins without.
    assert new_phone(world, "ada").app("passkeys") is None
    assert Authenticator(world, phone="ada").ask("get", request()).json()["title"] == "NotAllowedError"


def test_passkeys_go_with_snapshots(world, ada, passkeys):
    made = passkeys.create(creation())["id"]
    world.control("POST", "/snapshots", json={"name": "with-passkey"})
    ada.tell("", method="DELETE")
    assert world.control("POST", "/snapshots/with-passkey/restore").status_code == 204
    assert passkeys.get(request())["id"] == made


def test_an_authenticator_by_itself_knows_no_policy(world, ada):
    ada.change(policy="decline")
    alone = Authenticator(world)
    assert alone.create(creation())["id"] == alone.get(request())["id"]


def test_passkeys_of_a_phone_are_synced_ones(world, passkeys):
    options = creation()
    registered = webauthn.verify_registration_response(
        credential=passkeys.create(options), expected_challenge=options.challenge, expected_rp_id=RP, expected_origin=ORIGIN)
    assert registered.credential_device_type.value == "multi_device" and registered.credential_backed_up
    # Another behaviour is possible, and null puts it back to that of a phone.
    assert passkeys.change(backupEligible=False, backedUp=False)["behaviour"]["backupEligible"] is False
    assert passkeys.change(backupEligible=None, backedUp=None)["behaviour"]["backedUp"] is True
    # A security key keeps its own.
    assert Authenticator(world).change()["behaviour"]["backupEligible"] is False


def test_a_phone_is_asked_by_its_name(world, ada):
    assert world.control("GET", "/authenticators/ada").status_code == 404
    by_name = Authenticator.__new__(Authenticator)
    by_name.world, by_name.id = world, "ada"
    made = by_name.create(creation(), origin=ORIGIN)["id"]
    assert by_name.get(request(), origin=ORIGIN)["id"] == made
    kept = world.get("/authenticators/ada")
    assert kept["phone"] == "ada" and [each["id"] for each in kept["credentials"]] == [made]
    # Java's HttpURLConnection knows no PATCH.
    assert world.control("POST", "/authenticators/ada", json={"origin": ORIGIN}).json()["origin"] == ORIGIN
    assert world.control("POST", "/phones/ada", json={"policy": "decline"}).json()["policy"] == "decline"
    assert by_name.ask("get", request()).json()["title"] == "NotAllowedError"
    assert world.control("DELETE", "/authenticators/ada").status_code == 204
    for nobody in ("nobody", "ea9b8d66-4d01-4d21-bce4-b6b48cb575d4"):
        assert world.control("POST", f"/authenticators/{nobody}/get", json={}).status_code == 404


@pytest.mark.parametrize("handle, form, shown", [
    (USER, "base64url", "YWRhJ3MgaGFuZGxl"), (USER, "text", "ada's handle"), (b"\xff\x00", "text", None), (USER, "absent", None)])
def test_the_user_handle_as_libraries_of_apps_have_it(passkeys, handle, form, shown):
    """react-native-passkey, issue 102: on iOS the user handle was the text of its bytes, or absent where they are none."""
    passkeys.create(webauthn.generate_registration_options(rp_id=RP, rp_name="Example", user_id=handle, user_name="ada@example.com"))
    passkeys.change(userHandleForm=form)
    assert passkeys.get(request())["response"].get("userHandle") == shown


def test_a_call_that_never_settles(world, passkeys):
    passkeys.change(neverSettles="create")
    with pytest.raises(requests.ReadTimeout):
        requests.post(world.url + CONTROL + passkeys.path + "/create", data=options_to_json(creation()),
                      headers={"Content-Type": "application/json"}, timeout=1)
    assert passkeys.ask("get", request()).json()["title"] == "NotAllowedError"
    passkeys.change(neverSettles=None)
    assert passkeys.create(creation())["id"] == passkeys.get(request())["id"]


def test_a_call_that_never_settles_ends_with_its_world(make_world):
    world = make_world()
    passkeys = Authenticator(world, phone="ada", behaviour={"neverSettles": "both"})
    with ThreadPoolExecutor() as threads:
        waiting = threads.submit(passkeys.ask, "get", request())
        with pytest.raises(TimeoutError):
            waiting.result(timeout=1)
        world.control("DELETE", "/worlds/" + world.name)
        assert waiting.result(timeout=20).status_code < 500


def test_the_page_shows_them(browse, world, ada, passkeys):
    made = passkeys.create(creation())["id"]
    page = browse(world.url + "/phones/ada")
    page.get_by_role("link", name="Passkeys").click()
    page.get_by_text("ada@example.com at example.com").wait_for()
    assert made in page.locator("[data-piece=holdings]").inner_text()
