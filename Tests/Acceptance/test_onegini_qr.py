"""The QR code as a camera sees it: pages in a real browser, photographed and read by zbar."""

import contextlib
import io
import shutil

import pytest
import requests
from PIL import Image
from playwright.sync_api import Error as PlaywrightError

from camera import needs_zbar, read
from oauth_browser import Browser
from onegini_device import Device
from test_onegini_otp import PIN, Portal, signature
from understudy import run, until

pytestmark = [
    needs_zbar,
    pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not on the path"),
]


def photograph(page):
    """A picture of a page. Pages without scripts load themselves anew, and Chromium has no picture while it changes from one to the next."""
    for _ in range(20):
        try:
            return page.screenshot()
        except PlaywrightError as error:
            if "Unable to capture screenshot" not in str(error):
                raise
            page.wait_for_timeout(250)
    return page.screenshot()


@pytest.fixture
def portal(world):
    with contextlib.closing(Portal(world.url + "/oauth")) as portal:
        yield portal


@pytest.fixture
def phone(world):
    phone = Device(world.url + "/oauth", signature("android"))
    phone.log_in(Browser(), "ada", PIN)
    phone.enroll()
    yield phone
    phone.close()


def page_of(world, transaction):
    [found] = [one for one in world.get("/transactions")["transactions"] if one["id"] == transaction]
    return found["page"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_page_shows_a_code_that_a_camera_reads(world, portal, chromium, scheme, scripts):
    started = portal.start()
    with contextlib.closing(chromium.new_context(color_scheme=scheme, java_script_enabled=scripts)) as context:
        page = context.new_page()
        page.goto(page_of(world, started["transaction_id"]))

        assert read(photograph(page)).decode() == started["otp"]
        assert page.locator("[data-otp]").first.get_attribute("data-otp") == started["otp"]


def test_a_code_of_300_pixels_is_read(world, portal, chromium):
    started = portal.start()
    path, _, key = page_of(world, started["transaction_id"]).partition("?")
    image = requests.get(f"{path}.svg?{key}", timeout=30)
    assert image.headers["Content-Type"].startswith("image/svg+xml")
    with contextlib.closing(chromium.new_context(viewport={"width": 300, "height": 300})) as context:
        page = context.new_page()
        page.set_content(f"<body style='margin:0'>{image.text}")

        assert read(photograph(page)).decode() == started["otp"]


def test_the_code_alone_is_a_picture_too(world, portal):
    started = portal.start()
    path, _, key = page_of(world, started["transaction_id"]).partition("?")
    pictures = [requests.get(f"{path}.png?{key}", timeout=30),
                world.control("GET", f"/transactions/{started['transaction_id']}/qr", params={"format": "png"})]
    for answer in pictures:
        assert answer.headers["Content-Type"] == "image/png"
        with Image.open(io.BytesIO(answer.content)) as picture:
            # Checks the sums of all chunks.
            picture.verify()
        with Image.open(io.BytesIO(answer.content)) as picture:
            assert picture.size == (500, 500) and [one for one, n in enumerate(picture.convert("L").histogram()) if n] == [0, 255]
        assert read(answer.content).decode() == started["otp"]
    other = world.control("GET", f"/transactions/{started['transaction_id']}/qr", params={"format": "gif"})
    assert other.status_code == 400


def test_the_page_follows_the_transaction_live(world, portal, phone, chromium):
    started = portal.start()
    with contextlib.closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(page_of(world, started["transaction_id"]))
        question = phone.scan(read(photograph(page)).decode())
        page.locator("[data-state=FETCHED]").wait_for()
        phone.answer(question, "confirm")
        page.locator("[data-state=AUTHENTICATED]").wait_for()


def test_without_the_key_there_is_no_page(world, portal):
    started = portal.start()
    page = page_of(world, started["transaction_id"])

    for wrong in (page.partition("?")[0], page[:-1] + ("0" if page[-1] != "0" else "1"), page.replace(started["transaction_id"], "x")):
        answer = requests.get(wrong, timeout=30)
        assert answer.status_code == 404
        assert started["otp"] not in answer.text


def test_the_sample_portal_logs_a_user_in_by_scanning(world, phone, chromium):
    with contextlib.closing(chromium.new_context()) as context:
        page = context.new_page()
        page.goto(world.url + "/app/portal")
        page.get_by_role("button", name="Log in with a QR code").click()
        page.locator("[data-otp]").wait_for()

        phone.answer(phone.scan(read(photograph(page)).decode()), "confirm")

        page.locator("[data-user=ada]").wait_for(timeout=15_000)
        assert page.url == world.url + "/app/portal"
        page.get_by_role("button", name="Log out").click()
        page.get_by_role("button", name="Log in with a QR code").wait_for()


def test_the_sample_portal_tells_who_says_no(world, phone, chromium):
    with contextlib.closing(chromium.new_context(java_script_enabled=False)) as context:
        page = context.new_page()
        page.goto(world.url + "/app/portal")
        page.get_by_role("button", name="Log in with a QR code").click()
        phone.answer(phone.scan(read(photograph(page)).decode()), "deny")
        page.get_by_text("User rejected push").wait_for(timeout=15_000)


def test_the_command_line_shows_a_code_and_waits(server, phone, world):
    import threading

    done = {}
    thread = threading.Thread(target=lambda: done.update(
        result=run("otp", "start", "--user", "ada", "--wait", "20s", "--light", url=world.url)))
    thread.start()
    started = until(lambda: world.get("/transactions")["transactions"], "a transaction")[0]
    phone.answer(phone.scan(started["code"]), "confirm")
    thread.join(timeout=30)

    assert done["result"].returncode == 0, done["result"].stderr
    assert "confirmed by ada" in done["result"].stdout
    assert started["code"] in done["result"].stdout
