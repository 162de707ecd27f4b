"""A page of all components of `Web/DESIGN.md`, rendered: it is built as real pages are, and stands at every width and in both schemes."""

import re

import pytest

from accessibility import CONTRAST, UNNAMED, found, overflow
from console_test import HERE, Shapes
from understudy import ROOT

playwright = pytest.importorskip("playwright.sync_api", reason="the Python package playwright is missing")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="the Python package axe-playwright-python is missing")

PAGE = HERE / "components.html"
WIDTHS = [320, 360, 768, 1280, 1920]

#: Puts the page into the frame of another one, with what scripts add to it.
PUT = """async text => {
    const main = document.querySelector("main");
    main.innerHTML = text;
    const { decorate } = await import(document.querySelector("script[type=module]").src.replace("app.js", "dom.js"));
    decorate(main);
}"""

#: Of each kind of button its ground, edge and colour.
LOOKS = """() => [".primary", ".acts button:not([class]):enabled", ".grave"].map(kind => {
    const { backgroundColor, borderColor, color } = getComputedStyle(document.querySelector("[data-component=buttons] .acts " + kind.replace(".acts ", "")));
    return [backgroundColor, borderColor, color].join(" ");
})"""


@pytest.fixture
def components(world, browse):
    def components(**options):
        page = browse(world.url + "/nowhere", **options)
        page.evaluate(PUT, PAGE.read_text())
        return page

    return components


def test_each_component_of_the_design_is_on_the_page_and_in_the_markup_of_real_ones():
    design = (ROOT / "Web/DESIGN.md").read_text()
    named = re.findall(r"^- \*\*([\w ]+)\*\*:", design.split("## Five components")[1].split("\n## ")[0], re.M)
    shown = set(re.findall(r'data-component="(\w+)"', PAGE.read_text()))
    assert named == ["List row", "Detail pane", "Form", "Empty state", "Notice"]
    assert shown == {"rows", "messages", "pane", "form", "empty", "notice", "buttons"}
    known = set().union(*(Shapes(file.read_text()).found for file in HERE.glob("console_fragments/*.html")))
    known |= {("div", "components"), ("details", "menu"), ("form", "acts inputs")}
    assert Shapes(PAGE.read_text()).found - known == set()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_components_owe_their_readers_what_pages_do(components, scheme):
    page = components(color_scheme=scheme)
    assert found(page, CONTRAST) == []
    assert found(page, UNNAMED) == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert overflow(page) == 0, width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_among_the_components(components, scheme):
    page = components(color_scheme=scheme, bypass_csp=True)
    found = axe.Axe().run(page).response["violations"]
    assert {one["id"]: [node["html"] for node in one["nodes"]] for one in found} == {}


def test_the_three_kinds_of_buttons_look_different(components):
    assert len(set(components().evaluate(LOOKS))) == 3


def test_no_view_has_two_primary_buttons(server, world, browse):
    """A form, a phone's request or a menu is a view: what lies over the page or is folded shows when it is opened."""
    for place in ("/", "/outbox", "/transactions", "/devices", "/devices?create=powerauth/operation", "/phones", "/phones/ada", "/phones/ada/scan",
                  "/phones/ada/settings", "/faults", "/flows", "/journal", "/audit", "/compare", "/mint", "/worlds", "/time", "/snapshots", "/ca", "/search"):
        page = browse(world.url + place)
        shown = [one for one in page.locator("main .primary").all() if one.is_visible()]
        assert len(shown) <= 1, place


def test_what_loses_something_asks_first_and_names_it(world, browse):
    world.control("POST", "/snapshots", json={"name": "before"})
    asked = {}
    for place in ("/worlds", "/snapshots", "/phones/ada/settings"):
        page = browse(world.url + place)
        asked |= {button.evaluate("one => one.ariaLabel || one.textContent"): button.get_attribute("data-ask") for button in page.locator("main .grave").all()}
    assert len(asked) >= 5
    assert {name: ask for name, ask in asked.items() if not ask or not ask.endswith(("?", ".")) or len(ask.split()) < 4} == {}
