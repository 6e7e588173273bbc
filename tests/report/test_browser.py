"""The pages in a real browser: nothing is complained about or sticks out, and keys are enough."""

from __future__ import annotations

import shutil
from functools import lru_cache

import pytest
from click.testing import CliRunner

from dpcomp_sym import cli

pytestmark = pytest.mark.browser

# What the keyboard must reach: what can be used, and what must be scrolled to be read.
REACHABLE = """
const used = "a[href], button, input, select, summary, [tabindex='0']";
function scrolls(one) {
  const inner = ["auto", "scroll"].includes(getComputedStyle(one).overflowX);
  one.scrollLeft = 9;
  const moved = one.scrollLeft > 0;
  one.scrollLeft = 0;
  return inner && moved && one.querySelector(used) === null;
}
return [...document.querySelectorAll("body *")].filter(
  one => one.checkVisibility({visibilityProperty: true}) && (one.matches(used) || scrolls(one)));
"""
# How thick the line around it is, and whether what has the focus is what one sees in its place.
SEEN = """
const one = document.activeElement, style = getComputedStyle(one);
const box = one.getClientRects()[0];
const top = document.elementFromPoint(
  box.left + Math.min(box.width, 40) / 2, box.top + Math.min(box.height, 20) / 2);
return [style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth), one.contains(top)];
"""
TO_THE_TOP = "const b = document.body; b.tabIndex = -1; b.focus(); b.removeAttribute('tabindex')"
MOST = 1000  # steps on a page, or the keyboard is trapped


@pytest.fixture(scope="module")
def browser():
    """Start a browser without a window."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(shutil.which("chromedriver"))
    with webdriver.Chrome(options, service) as driver:
        yield driver


def show(browser, text, folder, width):
    place = folder / "page.html"
    place.write_text(text, encoding="utf-8")
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    browser.get(place.as_uri())


def press(browser, *keys):
    """Press keys, one after the other, and return what has the focus then."""
    from selenium.webdriver import ActionChains

    ActionChains(browser).send_keys(*keys).perform()
    return browser.switch_to.active_element


def tabbed(browser):
    """Yield what the tabulator reaches from the top, until it leaves the page.

    A browser without a window has nothing else, and may be back at the first place at once.
    """
    from selenium.webdriver.common.keys import Keys

    browser.execute_script(TO_THE_TOP)
    first = None
    for _ in range(MOST):
        one = press(browser, Keys.TAB)
        if one.tag_name == "body" or one == first:
            return
        first = first or one
        outline, on_top = browser.execute_script(SEEN)
        assert outline >= 2, one.get_attribute("outerHTML")
        assert on_top, one.get_attribute("outerHTML")
        yield one
    pytest.fail(f"{MOST} steps do not leave the page")


def assert_calm(browser, width):
    """Nothing is complained about, and nothing sticks out."""
    assert browser.get_log("browser") == []
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width


GRANULARITIES = ("unbounded", "bounded")
MAPS = ("identity", "partition", "filter", "cardinality")


@lru_cache
def page_of_the_atlas(folder):
    place = folder / "atlas.html"
    rows = [word for name in GRANULARITIES for word in ("--granularity", name)]
    columns = [word for name in MAPS for word in ("--map", name)]
    places = ["--cache", str(folder / "cache"), "--html", str(place)]
    result = CliRunner().invoke(cli.main, ["atlas", "--jobs", "1", *rows, *columns, *places])
    assert result.exit_code == 0
    return place.read_text(encoding="utf-8")


@pytest.fixture
def text(request, derived, tmp_path_factory):
    """Return the page of an example, or of a small atlas."""
    if request.param == "atlas":
        return page_of_the_atlas(tmp_path_factory.getbasetemp())
    return derived(request.param).page()


every_page = pytest.mark.parametrize(
    "text",
    [
        "nested",
        "bounded-partition",
        "ambulances-bounded-common",
        "fixed-size-unbounded",
        "graph-node-incident",
        "membership/uninformed",
        "membership/hospitals-bounded",
        "uncertain/survey",
        "metric/homes-and-places",
        "atlas",
    ],
    indirect=True,
)


@pytest.mark.parametrize("width", [400, 1400])
@every_page
def test_a_browser_shows_the_page(width, text, browser, tmp_path) -> None:
    """Nothing is complained about, and even with all proofs open nothing sticks out."""
    show(browser, text, tmp_path, width)
    browser.execute_script("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert_calm(browser, width)
    formulas = browser.execute_script("return document.querySelectorAll('math').length")
    assert (formulas > 0) == ("<math" in text)


@every_page
def test_the_keyboard_reaches_everything(text, browser, tmp_path) -> None:
    """In the order of the page, visibly, and out of it again; and it opens and closes proofs."""
    from selenium.webdriver.common.keys import Keys

    show(browser, text, tmp_path, 400)
    assert list(tabbed(browser)) == browser.execute_script(REACHABLE)
    opened = []
    for key, before in ((Keys.ENTER, None), (Keys.SPACE, "true")):
        for one in tabbed(browser):
            if one.tag_name == "summary":
                proof = one.find_element("xpath", "..")
                if proof.get_attribute("open") != before:
                    continue
                press(browser, key)
                assert proof.get_attribute("open") != before
                opened.append(proof)
        if before is None:
            assert opened
            assert list(tabbed(browser)) == browser.execute_script(REACHABLE)
            assert_calm(browser, 400)
    left = browser.find_elements("css selector", "details[open]")
    assert [one for one in left if one.is_displayed()] == []


@pytest.mark.parametrize("text", ["atlas"], indirect=True)
def test_the_atlas_is_filtered_with_keys_alone(text, browser, tmp_path) -> None:
    from selenium.webdriver.common.keys import Keys

    show(browser, text, tmp_path, 400)
    names = [f"{g} / {m}" for g in GRANULARITIES for m in MAPS for _ in range(2)]

    def shown():
        cells = browser.find_elements("css selector", "details.cell > summary > b")
        marks = browser.find_elements("css selector", ".map a")
        said = browser.find_element("id", "count").text
        found = [one.text for one in cells if one.is_displayed()]
        assert len([one for one in marks if one.is_displayed()]) == len(found)
        assert said == f"{len(found)} of {len(names)} cells"
        return found

    assert shown() == names
    # The first step jumps over the map, so that the next one is at the filters.
    assert press(browser, Keys.TAB).tag_name == "a"
    assert press(browser, Keys.ENTER, Keys.TAB).get_attribute("name") == "granularity"
    press(browser, "bo")
    assert shown() == names[8:]
    press(browser, Keys.TAB, Keys.DOWN)
    assert shown() == names[8:10]
    press(browser, Keys.UP)
    while press(browser, Keys.TAB).get_attribute("name") != "text":
        pass
    press(browser, "cardinality")
    assert shown() == names[14:]
    press(browser, " nonsense")
    assert shown() == []
    assert press(browser, Keys.TAB).text == "Show all"
    press(browser, Keys.ENTER)
    assert shown() == names
    assert_calm(browser, 400)


@pytest.mark.parametrize("text", ["atlas"], indirect=True)
def test_a_mark_of_the_map_leads_to_its_cell(text, browser, tmp_path) -> None:
    """Also a second time, when the cell has been closed meanwhile."""
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.wait import WebDriverWait

    show(browser, text, tmp_path, 400)
    mark = next(one for one in tabbed(browser) if "∞" in one.text and one.tag_name == "a")
    for _ in range(2):
        browser.execute_script("arguments[0].focus()", mark)
        press(browser, Keys.ENTER)
        WebDriverWait(browser, 10).until(lambda b: b.switch_to.active_element.tag_name == "summary")
        summary = browser.switch_to.active_element
        assert summary.text.startswith("bounded / partition")
        cell = summary.find_element("xpath", "..")
        assert cell.get_attribute("open")
        assert browser.execute_script(SEEN) == [3, True]
        press(browser, Keys.SPACE)
        assert not cell.get_attribute("open")


@pytest.mark.parametrize("text", ["atlas"], indirect=True)
def test_the_map_scrolls_to_what_has_the_focus(text, browser, tmp_path) -> None:
    """On the way back, too: the names of the rows stay where they are, and cover what is there."""
    from selenium.webdriver import ActionChains
    from selenium.webdriver.common.keys import Keys

    show(browser, text, tmp_path, 220)
    marks = browser.find_elements("css selector", ".map a")
    select = browser.find_element("name", "granularity")
    browser.execute_script("arguments[0].focus()", select)
    found = []
    while len(found) < len(marks):
        ActionChains(browser).key_down(Keys.SHIFT).send_keys(Keys.TAB).key_up(Keys.SHIFT).perform()
        one = browser.switch_to.active_element
        if one in marks:
            assert browser.execute_script(SEEN) == [3, True]
            found.append(one)
    assert found == marks[::-1]
