"""The passkeys of a simulated phone: a software authenticator that belongs to it, obeys its policy and goes with it."""

import json
import time

import pytest
import webauthn

from phones import Phone, new_phone
from software_authenticator import ORIGIN, RP, USER, Authenticator


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


def test_the_page_shows_them(browse, world, ada, passkeys):
    made = passkeys.create(creation())["id"]
    page = browse(world.url + "/phones/ada")
    page.get_by_text("Data of Passkeys").click()
    page.get_by_text("ada@example.com at example.com").wait_for()
    assert made in page.locator("details[open]").inner_text()
