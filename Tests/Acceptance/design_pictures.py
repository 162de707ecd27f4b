"""Takes the pictures of Web/DESIGN.md from the running program: started, filled a little, and looked at with Chromium."""

import io
import shutil
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

from phones import new_phone
from test_components import PAGE, PUT
from understudy import ROOT, Client, Server, until

FOLDER = ROOT / "Web/design"
#: Bytes that a picture has at the most, so that the repository stays small.
LIMIT = 60_000


def fill(world):
    """Somebody of whom something is asked, on a phone, and a login that failed."""
    hanko = Client(world.hanko)
    hanko.finish(hanko.start(hanko.sign_up("eva@example.com")), "000000")
    phone = new_phone(world, "pocket", owner="ada", mail="ada@example.com")
    for platform in ("powerauth", "onegini", "nextauth", "miracl"):
        phone.enrol(platform=platform)
    inputs = {"user": "ada", "template": "payment", "parameters": "amount=10\ncurrency=EUR\naccount=CZ65"}
    for _ in range(2):
        world.control("POST", "/records", json={"platform": "powerauth", "kind": "operation", "inputs": inputs})
    until(lambda: len(phone.shown()["requests"]) == 2, "the phone to be asked")


def components(page):
    page.evaluate(PUT, PAGE.read_text())


def open_first(page):
    page.locator(".record .subject").first.click()
    page.frame_locator(".pane iframe").get_by_role("button", name="Approve on the phone pocket").wait_for()


def open_menu(page):
    page.locator(".menu summary").first.click()


#: Name, address, what is done there, colours, width and height.
PICTURES = [
    ("components", "/nowhere", components, "light", 1280, 1560),
    ("components-dark", "/nowhere", components, "dark", 1280, 1560),
    ("pane", "/transactions", open_first, "light", 1280, 620),
    ("phone", "/phones/pocket", None, "light", 1280, 820),
    ("narrow", "/devices", open_menu, "dark", 360, 740),
]


def small(picture):
    """The picture with as many colours as fit."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    for colours in (64, 32, 16):
        out = io.BytesIO()
        image.quantize(colours).save(out, "PNG", optimize=True)
        if len(out.getvalue()) <= LIMIT:
            return out.getvalue()
    sys.exit(f"A picture has {len(out.getvalue())} bytes, more than {LIMIT}.")


def main():
    FOLDER.mkdir(exist_ok=True)
    server = Server()
    try:
        fill(server.default_world)
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            for name, address, act, scheme, width, height in PICTURES:
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
                page = context.new_page()
                page.goto(server.url + address)
                page.locator(".clock").wait_for(state="attached")
                if act:
                    act(page)
                # Times are told anew each second.
                page.wait_for_timeout(1500)
                (FOLDER / f"{name}.png").write_bytes(small(page.screenshot()))
                print(f"{FOLDER / name}.png")
                context.close()
            browser.close()
    finally:
        server.stop()


if __name__ == "__main__":
    main()
