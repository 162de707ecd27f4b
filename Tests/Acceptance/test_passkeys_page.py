"""The page /app/passkeys in a real browser with a virtual authenticator: a user's life from the first mail to the second login."""

import re
import shutil

import pytest

from accessibility import CONTRAST, SMALL, UNNAMED, found, overflow

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")
expect = playwright.expect

VIRTUAL = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def open_page(chromium):
    """Opens pages in windows of their own; an error of a script fails the test. What Hanko refuses is told on the page."""
    contexts, complaints = [], []

    def open_page(url, autofill=False, **options):
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce", **options)
        contexts.append(context)
        # The virtual authenticator answers autofill by itself, sooner or later: the page would log in before the test asks.
        if not autofill:
            context.add_init_script(
                "if (window.PublicKeyCredential) PublicKeyCredential.isConditionalMediationAvailable = async () => false")
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type in ("error", "warning")
                and not re.search("status of 40[0148]|status of 410|favicon", message.text + message.location["url"])
                and complaints.append(message.text))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def give_authenticator(page, **options):
    """A device that has no passkeys yet; what it answers when it is asked what it has."""
    client = page.context.new_cdp_session(page)
    client.send("WebAuthn.enable")
    made = client.send("WebAuthn.addVirtualAuthenticator", {"options": VIRTUAL | options})
    return lambda: client.send("WebAuthn.getCredentials", made)["credentials"]


def log_in_by_mail(page, world, email):
    page.get_by_label("Or have a code sent by mail").fill(email)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A code was sent to")).to_contain_text(email)
    page.get_by_role("textbox", name="Code", exact=True).fill(world.code(email)["code"])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text(email)


def live_through_it(page, world, email):
    """From the first code to a login with a passkey, with the keyboard alone."""
    credentials = give_authenticator(page)
    log_in_by_mail(page, world, email)
    expect(page.locator("#no-passkeys")).to_be_visible()

    page.get_by_role("button", name="Create a passkey").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#passkeys li")).to_have_count(1)
    [credential] = credentials()
    assert credential["isResidentCredential"] is True

    page.get_by_role("button", name="Log out").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()

    page.get_by_role("button", name="Log in with a passkey").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text(email)
    expect(page.locator("#news")).to_have_text("Logged in with a passkey.")
    assert credentials()[0]["signCount"] > credential["signCount"]

    # Who is logged in stays so when the page is opened anew.
    page.reload()
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text(email)


def test_a_passkey_is_made_and_logs_in(world, open_page):
    live_through_it(open_page(f"{world.url}/app/passkeys"), world, "passkey@example.com")


def test_the_page_works_with_the_session_cookie_too(make_world, open_page):
    world = make_world(fixtures={"hanko": {
        "config": {"mfa": {"enabled": False}, "session": {"enable_auth_token_header": False}}, "any_localhost_origin": True}})
    live_through_it(open_page(f"{world.url}/app/passkeys"), world, "cookie@example.com")


def flow_world(make_world, **config):
    """A world of the profile `current`, which has flows alone."""
    return make_world(fixtures={"hanko": {"profile": "current", "config": {
        "mfa": {"enabled": False}, "session": {"enable_auth_token_header": True}, **config}, "any_localhost_origin": True}})


def register_by_flow(page, world, email, password=None):
    page.get_by_label("Or have a code sent by mail").fill(email)
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", name="A code was sent to")).to_contain_text(email)
    page.get_by_role("textbox", name="Code", exact=True).fill(world.code(email)["code"])
    page.keyboard.press("Enter")
    if password:
        expect(page.get_by_role("heading", name="Hanko asks for a password")).to_be_visible()
        assert found(page, UNNAMED) == []
        page.get_by_label("A password of your own").fill("too short")
        page.keyboard.press("Enter")
        expect(page.locator("#problem")).to_contain_text("Hanko answered 400 to /registration")
        page.get_by_label("A password of your own").fill(password)
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text(email)


@pytest.mark.parametrize("password", [None, "correct horse"])
def test_the_page_works_by_flows_where_hanko_has_nothing_else(make_world, open_page, password):
    world = flow_world(make_world, **({"password": {"min_length": 12} if password else {"enabled": False}}))
    page = open_page(f"{world.url}/app/passkeys")
    credentials = give_authenticator(page)
    register_by_flow(page, world, "flows@example.com", password)
    expect(page.locator("#no-passkeys")).to_be_visible()
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.locator("#passkeys li")).to_have_count(1)
    [credential] = credentials()

    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text("flows@example.com")
    expect(page.locator("#news")).to_have_text("Logged in with a passkey.")
    assert credentials()[0]["signCount"] > credential["signCount"]
    page.reload()
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text("flows@example.com")

    # Whom Hanko knows logs in with a code, after a wrong one too.
    page.get_by_role("button", name="Log out").click()
    page.get_by_label("Or have a code sent by mail").fill("flows@example.com")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="A code was sent to")).to_be_visible()
    right = world.code("flows@example.com")["code"]
    page.get_by_role("textbox", name="Code", exact=True).fill("000001" if right != "000001" else "000002")
    page.keyboard.press("Enter")
    expect(page.locator("#problem")).to_have_text("The code is wrong, or too old.")
    page.get_by_role("textbox", name="Code", exact=True).fill(right)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text("flows@example.com")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator("#no-passkeys")).to_be_visible()


def test_by_flows_a_passkey_comes_from_the_autofill(make_world, open_page):
    world = flow_world(make_world, password={"enabled": False})
    page = open_page(f"{world.url}/app/passkeys", autofill=True)
    give_authenticator(page)
    register_by_flow(page, world, "autofill@example.com")
    page.get_by_role("button", name="Create a passkey").click()
    expect(page.locator("#passkeys li")).to_have_count(1)
    # The virtual authenticator answers autofill by itself.
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", name="Logged in as")).to_contain_text("autofill@example.com")


def test_where_rest_endpoints_are_nobody_has_to_register(world, open_page):
    page = open_page(f"{world.url}/app/passkeys")
    expect(page.get_by_role("button", name="Send a code")).to_be_visible()
    expect(page.get_by_role("button", name="Register")).to_be_hidden()


def test_a_passkey_that_was_removed_logs_nobody_in(world, open_page):
    page = open_page(f"{world.url}/app/passkeys")
    give_authenticator(page)
    log_in_by_mail(page, world, "removed@example.com")
    page.get_by_role("button", name="Create a passkey").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.locator("#no-passkeys")).to_be_visible()

    page.get_by_role("button", name="Log out").click()
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.locator("#problem")).to_contain_text("Hanko answered 401 to /webauthn/login/finalize")


def test_a_wrong_code_is_told(world, open_page):
    page = open_page(f"{world.url}/app/passkeys")
    page.get_by_label("Or have a code sent by mail").fill("wrong@example.com")
    page.get_by_role("button", name="Send a code").click()
    right = world.code("wrong@example.com")["code"]
    page.get_by_role("textbox", name="Code", exact=True).fill("000001" if right != "000001" else "000002")
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.locator("#problem")).to_have_text("The code is wrong.")

    page.get_by_role("button", name="Another address").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_focused()
    expect(page.locator("#problem")).to_be_hidden()


def test_a_device_without_a_passkey_is_told(world, open_page):
    page = open_page(f"{world.url}/app/passkeys")
    give_authenticator(page)
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.locator("#problem")).to_contain_text("there is no passkey for this site on this device")


def test_a_device_without_a_passkey_is_no_news_before_anybody_asks(world, open_page):
    page = open_page("about:blank", autofill=True)
    page.add_init_script("""
        window.ended = [];
        const get = navigator.credentials?.get.bind(navigator.credentials);
        if (get) navigator.credentials.get = (options) => get(options).catch((error) => {
          window.ended.push(`${options.mediation} ${error.name}`);
          throw error;
        });""")
    give_authenticator(page)
    page.goto(f"{world.url}/app/passkeys")
    # Not wait_for_function, which the page's content security policy forbids to evaluate its text.
    for _ in range(200):
        if page.evaluate("window.ended.length"):
            break
        page.wait_for_timeout(50)
    assert page.evaluate("window.ended") == ["conditional NotAllowedError"]
    expect(page.locator("#problem")).to_be_hidden()


def test_an_address_that_is_no_domain_is_told(world, open_page):
    page = open_page(f"{world.url.replace('localhost', '127.0.0.1')}/app/passkeys")
    expect(page.locator("#obstacle")).to_contain_text("127.0.0.1 is an IP address")
    assert page.locator("#obstacle a").get_attribute("href") == f"{world.url}/app/passkeys"
    expect(page.get_by_role("button", name="Log in with a passkey")).to_be_hidden()
    log_in_by_mail(page, world, "address@example.com")


def test_the_home_page_of_the_console_leads_there(world, open_page):
    page = open_page(f"{world.url}/")
    page.get_by_role("link", name="Passkeys").click()
    assert page.url == f"{world.url}/app/passkeys"
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def test_an_origin_that_is_not_secure_is_told(world, chromium):
    # What the address of another machine is to a browser.
    launched = chromium.browser_type.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox", "--host-resolver-rules=MAP machine 127.0.0.1"])
    try:
        page = launched.new_page()
        page.goto(f"{world.url.replace('localhost', 'machine')}/app/passkeys")
        expect(page.locator("#obstacle")).to_contain_text("Browsers offer passkeys only on https and on http://localhost")
        expect(page.get_by_role("button", name="Log in with a passkey")).to_be_hidden()
    finally:
        launched.close()


def test_the_page_is_found_under_the_host_of_the_sample_app(server, open_page):
    page = open_page(server.url.replace("localhost", "app.localhost") + "/passkeys")
    assert page.url == server.url + "/app/passkeys"
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()


def test_a_browser_without_passkeys_is_told(world, open_page):
    page = open_page("about:blank")
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto(f"{world.url}/app/passkeys")
    expect(page.locator("#obstacle")).to_contain_text("This browser does not support passkeys")


def test_every_part_is_accessible_in_light_and_dark_at_any_width(world, open_page):
    page = open_page(f"{world.url}/app/passkeys")
    give_authenticator(page)
    judge(page, "Log in")
    page.get_by_label("Or have a code sent by mail").fill("seen@example.com")
    page.keyboard.press("Enter")
    judge(page, "A code was sent to")
    page.get_by_role("textbox", name="Code", exact=True).fill(world.code("seen@example.com")["code"])
    page.keyboard.press("Enter")
    judge(page, "Logged in as")


def judge(page, heading):
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    assert found(page, UNNAMED) == []
    for scheme in "light", "dark":
        page.emulate_media(color_scheme=scheme)
        assert found(page, CONTRAST) == [], (heading, scheme)
    small = SMALL.replace("select')]", "select')].filter((node) => node.checkVisibility())")
    for width in 1280, 360:
        page.set_viewport_size({"width": width, "height": 740})
        assert found(page, small) == [], (heading, width)
        assert overflow(page) == 0, (heading, width)
