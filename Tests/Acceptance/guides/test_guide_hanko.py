"""Hanko's guide for mobile apps, from the first step to the last: a user with a passcode from a mail, a passkey on a phone, the login with
it; with the program and requests alone, and once more on a page in Chromium, which asks the phone for the passkey."""

import json

import pytest
import requests
from playwright.sync_api import expect

from phones import Phone
from test_passkeys_page import open_page  # noqa: F401 - a fixture

#: Where the app's pages are: Hanko's built-in configuration takes every port of localhost.
ORIGIN = "http://localhost:3000"


@pytest.fixture
def phone(world):
    """Grace's phone, and the passkeys on it."""
    made = world.control("POST", "/authenticators", json={"phone": "grace", "origin": ORIGIN})
    assert made.status_code == 201, made.text
    phone = Phone(world, "grace")

    def answer(call, options, **query):
        return world.control("POST", f"/authenticators/{made.json()['id']}/{call}", json=options, params=query)

    phone.answer = answer
    return phone


def test_passcode_and_passkey_in_an_app(world, phone):
    def call(path, body=None, token=None):
        return requests.post(world.hanko + path, json=body, headers={"Authorization": "Bearer " + token} if token else {}, timeout=30)

    # 1: a new user, and a passcode by mail.
    user = call("/users", {"email": "eva@example.com"}).json()["user_id"]
    passcode = call("/passcode/login/initialize", {"user_id": user}).json()["id"]
    assert call("/passcode/login/finalize", {"id": passcode, "code": "000000"}).status_code == 401
    code = world.code("eva@example.com")["code"]
    token = call("/passcode/login/finalize", {"id": passcode, "code": code}).headers["X-Auth-Token"]
    assert requests.get(world.hanko + "/me", headers={"Authorization": "Bearer " + token}, timeout=30).json()["id"] == user

    # 2: a passkey on the phone; first its owner says no.
    options = call("/webauthn/registration/initialize", token=token).json()
    phone.change(policy="decline")
    assert phone.answer("create", options).json()["title"] == "NotAllowedError"
    phone.change(policy="approve")
    made = phone.answer("create", options)
    assert call("/webauthn/registration/finalize", made.json(), token).json()["credential_id"] == made.json()["id"]
    assert made.json()["id"] in phone.fact("eva@example.com at localhost", "passkeys")

    # 3: she comes back without saying who she is.
    options = call("/webauthn/login/initialize").json()
    assertion = phone.answer("get", options).json()
    login = call("/webauthn/login/finalize", assertion)
    assert login.status_code == 200 and login.json()["user_id"] == user
    # A challenge is good once.
    assert call("/webauthn/login/finalize", assertion).status_code == 401


#: Asks the phone wherever the page asks the browser: `askPhone` takes the options as JSON and gives the credential so.
BRIDGE = """
const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const isBinary = (value) => value instanceof ArrayBuffer || ArrayBuffer.isView(value);
const plain = (key, value) => (isBinary(value) ? text(value.buffer ?? value) : value);
const ask = (call) => async ({ publicKey }) => {
  const { json, error } = await window.askPhone(call, JSON.stringify(publicKey, plain));
  if (error) throw new DOMException(error, error);
  return { ...json, toJSON: () => json };
};
Object.defineProperty(navigator, "credentials", { value: { create: ask("create"), get: ask("get") } });
"""


def test_passcode_and_passkey_on_a_page(world, phone, open_page):  # noqa: F811
    place = world.url.replace("127.0.0.1", "localhost")

    def ask(call, options):
        answer = phone.answer(call, json.loads(options), origin="/".join(place.split("/")[:3]))
        return {"json": answer.json()} if answer.ok else {"error": answer.json()["title"]}

    page = open_page(place + "/app/passkeys")
    page.expose_function("askPhone", ask)
    page.add_init_script(BRIDGE)
    page.reload()
    # 1: the code from the mail.
    page.get_by_label("Or have a code sent by mail").fill("eva@example.com")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A code was sent to")).to_contain_text("eva@example.com")
    page.get_by_role("textbox", name="Code", exact=True).fill(world.code("eva@example.com")["code"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text("eva@example.com")

    # 2: the passkey, which the phone declines first.
    phone.change(policy="decline")
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.locator("#problem")).to_contain_text("you cancelled")
    phone.change(policy="approve")
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.locator("#passkeys li")).to_have_count(1)

    # 3: out, and in with the phone.
    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.locator("#news")).to_have_text("Logged in with a passkey.")
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text("eva@example.com")
    assert phone.fact("eva@example.com at localhost", "passkeys")
