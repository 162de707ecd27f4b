"""The camera of a phone's page, in Chromium: what it films is a file, made from a code of ours.

Source: the Shape Detection API of the WICG for BarcodeDetector, which Chromium on Linux does not have; zbar reads the frames in its place.
"""

import base64
import io
import shutil

import pytest
from PIL import Image

from accessibility import overflow
from camera import needs_zbar, seen
from phones import Phone, new_phone
from powerauth_backend import APPLICATION, INTEGRATION, Backend
from understudy import until

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")
pytestmark = [
    needs_zbar,
    pytest.mark.skipif(not shutil.which("chromium"), reason="chromium is not on the path"),
]

WIDTH, HEIGHT = 640, 480
#: In place of the browser's, what is seen is handed out of the page. Tells what the page did with the camera.
STAND_IN = """
    window.BarcodeDetector = class {
        static async getSupportedFormats() { return ["aztec", "qr_code"]; }
        async detect(video) {
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
            canvas.getContext("2d").drawImage(video, 0, 0);
            const text = await window.zbar(canvas.toDataURL("image/png").split(",")[1]);
            return text ? [{ rawValue: text }] : [];
        }
    };
"""
EARS = """
    const media = navigator.mediaDevices, open = media?.getUserMedia.bind(media);
    if (media) media.getUserMedia = async (wish) => {
        const stream = await open(wish);
        window.told("started");
        return stream;
    };
    const stop = MediaStreamTrack.prototype.stop;
    MediaStreamTrack.prototype.stop = function () {
        stop.call(this);
        window.told(this.readyState);
    };
"""


def film(picture, path):
    """A film of one still frame, which Chromium plays again and again: Y4M, with the colours left out.

    Source: YUV4MPEG2 as mjpegtools describes it, `yuv4mpeg(5)`.
    """
    frame = Image.new("L", (WIDTH, HEIGHT), 200)
    if picture:
        code = Image.open(io.BytesIO(picture)).convert("L").resize((400, 400), Image.NEAREST)
        frame.paste(code, ((WIDTH - 400) // 2, (HEIGHT - 400) // 2))
    grey = bytes([128]) * (WIDTH * HEIGHT // 2)
    one = b"FRAME\n" + frame.tobytes() + grey
    path.write_bytes(f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F10:1 Ip A1:1 C420jpeg\n".encode() + one * 10)
    return path


@pytest.fixture
def office(world):
    return Backend(world.url + "/powerauth-cloud", INTEGRATION)


@pytest.fixture
def camera(tmp_path):
    """Opens a page of a browser before whose camera lies a picture, or that has none; what it told, and the page."""
    opened = []

    def open_page(url, picture=b"", has_camera=True, is_allowed=True, scripts=(STAND_IN, EARS)):
        arguments = ["--no-sandbox"]
        if has_camera:
            arguments += ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film(picture, tmp_path / 'film.y4m')}"]
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        opened.append(browser)
        context = browser.new_context(permissions=["camera"] if is_allowed else [])
        page, told = context.new_page(), []
        page.on("pageerror", lambda error: told.append(f"error: {error}"))
        page.expose_function("told", lambda word: told.append(word))
        page.expose_function("zbar", read)
        for script in scripts:
            page.add_init_script(script)
        page.goto(url)
        page.locator(".light[data-state=live]").wait_for()
        return page, told

    with playwright.sync_playwright() as driver:
        yield open_page
        for browser in opened:
            browser.close()


def read(picture):
    return seen(base64.b64decode(picture)).decode()


def test_the_camera_finds_a_code_and_is_off_then(camera, world, office):
    registration = office.register("eva", APPLICATION)["registrationId"]
    picture = world.control("GET", f"/records/powerauth/{registration}/qr", params={"format": "png"}).content
    eva = new_phone(world, "eva", owner="eva")
    page, told = camera(world.url + "/phones/eva/scan", picture)
    page.get_by_role("button", name="Use the camera").click()
    page.locator(".told", has_text="The app is activated").wait_for()
    assert eva.registration == registration and office.state(registration) == "PENDING_COMMIT"
    assert told == ["started", "ended"]


def test_who_has_enough_of_it_stops_the_camera(camera, world):
    page, told = camera(world.url + "/phones/grace/scan")
    start = page.get_by_role("button", name="Use the camera")
    start.click()
    view = page.locator("video")
    until(lambda: view.evaluate("video => video.videoWidth") == WIDTH, "the picture")
    assert start.is_disabled()
    page.set_viewport_size({"width": 360, "height": 780})
    assert overflow(page) == 0
    page.get_by_role("button", name="Stop the camera").click()
    view.wait_for(state="detached")
    playwright.expect(start).to_be_enabled()
    # By the button, and once more at the end of the watch.
    assert told == ["started", "ended", "ended"] and page.locator("#lost").is_hidden()
    # And once more.
    start.click()
    view.wait_for()


def test_a_page_that_is_drawn_anew_goes_on_looking(camera, world, office):
    """Whoever turns the camera on first and has the code made then: the code itself has the page drawn anew."""
    blind = "window.code = ''; BarcodeDetector.prototype.detect = async () => code ? [{ rawValue: code }] : [];"
    page, told = camera(world.url + "/phones/grace/scan", scripts=(STAND_IN, blind, EARS))
    start, view = page.get_by_role("button", name="Use the camera"), page.locator("video")
    start.click()
    view.wait_for()
    registration = office.register("grace", APPLICATION)
    page.get_by_role("button", name="Scan: ").first.wait_for()
    assert start.is_disabled() and view.count() == 1 and told == ["started"]
    shown = view.evaluate("video => video.currentTime")
    until(lambda: view.evaluate("video => video.currentTime") > shown, "the picture to move")
    page.evaluate("text => window.code = text", registration["activationQrCodeData"])
    page.locator(".told", has_text="The app is activated").wait_for()
    assert told == ["started", "ended"] and view.count() == 0


def test_a_reader_that_fails_leaves_no_camera_on(camera, world):
    failing = "BarcodeDetector.prototype.detect = async () => { throw new Error('The reader is out of order.'); };"
    page, told = camera(world.url + "/phones/grace/scan", scripts=(STAND_IN, failing, EARS))
    page.get_by_role("button", name="Use the camera").click()
    page.locator("#lost", has_text="The reader is out of order.").wait_for()
    assert told == ["started", "ended"] and page.locator("video").count() == 0


@pytest.mark.parametrize("circumstances, sentence", [
    ({"is_allowed": False}, "The browser does not let this page use the camera."),
    ({"has_camera": False}, "The browser finds no camera.")])
def test_without_permission_or_a_camera_the_page_says_so(camera, world, circumstances, sentence):
    page, told = camera(world.url + "/phones/grace/scan", **circumstances)
    start = page.get_by_role("button", name="Use the camera")
    start.click()
    page.locator("#lost", has_text=sentence).wait_for()
    playwright.expect(start).to_be_enabled()
    assert told == [] and page.locator("video").count() == 0


@pytest.mark.parametrize("lack, sentence", [
    ("delete window.BarcodeDetector;", "This browser cannot read codes through the camera"),
    ("Object.defineProperty(navigator, 'mediaDevices', { value: undefined });", "only on https pages and on localhost")])
def test_without_a_reader_or_a_camera_there_is_a_sentence_in_the_place_of_the_button(camera, world, lack, sentence):
    page, _ = camera(world.url + "/phones/grace/scan", scripts=(STAND_IN, lack))
    page.locator("form[aria-label=Scan] .hint", has_text=sentence).wait_for()
    assert page.get_by_role("button", name="Use the camera").count() == 0


def test_a_reader_of_other_codes_says_so(camera, world):
    other = "BarcodeDetector.getSupportedFormats = async () => ['aztec'];"
    page, told = camera(world.url + "/phones/grace/scan", scripts=(STAND_IN, other, EARS))
    page.get_by_role("button", name="Use the camera").click()
    page.locator("#lost", has_text="This browser cannot read codes through the camera").wait_for()
    assert told == []


def test_a_code_that_is_none_of_an_app_is_refused(camera, world):
    """Nothing that an app knows: the page says it, and the camera is off."""
    grace = Phone(world, "grace")
    page, told = camera(world.url + "/phones/grace/scan", scripts=(STAND_IN, "BarcodeDetector.prototype.detect = async () => [{ rawValue: 'hello' }];", EARS))
    page.get_by_role("button", name="Use the camera").click()
    page.locator(".refusal", has_text="No app on the phone knows").wait_for()
    assert told == ["started", "ended"] and grace.shown()["apps"] == []
