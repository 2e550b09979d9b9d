"""The report in Chromium: fast, nothing cut, hostile text inert, both reviews side by side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from revkit.contracts import RunView
from revkit_reports.html import Html
from tests.browser.chromium import AXE, CHROMIUM, Browser
from tests.plugins.revkit_reports.conftest import HABITS, Habit, make_run

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
]
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>"
    "</textarea></p><a href='javascript:alert(4)'>x</a>{{ 7*7 }} \u202eevil"
)
OPEN_ALL = "document.querySelectorAll('details').forEach(each => { each.open = true })"
OPEN_SOME = """['.block', '.block .variant', '.both'].forEach(name =>
  [...document.querySelectorAll(name)].slice(0, 6).forEach(each => { each.open = true }))"""
CUT = """[...document.querySelectorAll('main .wide')]
  .filter(each => each.offsetParent && each.scrollWidth > each.clientWidth + 1
                  && each.querySelector('table'))
  .map(each => each.getAttribute('aria-label') + ' ' + each.scrollWidth)"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as found:
        yield found


@cache
def usual() -> RunView:
    """600 pairs: 30 papers, four families, five agents."""
    return make_run(30)


def written(run: RunView, folder: Path) -> str:
    path = folder / "report.html"
    path.write_text(Html().render(run)["report.html"], encoding="utf-8")
    return path.as_uri()


def fastest(browser: Browser, address: str) -> float:
    """The shortest of three times: other programs can only make it longer."""
    return min(browser.open(address) for _ in range(3))


def test_a_report_of_600_pairs_shows_in_a_second(browser: Browser, tmp_path: Path) -> None:
    browser.view(1280)
    assert fastest(browser, written(usual(), tmp_path)) < 1
    assert browser.troubles() == []


def test_a_report_of_60_000_pairs_shows_in_three_seconds(browser: Browser, tmp_path: Path) -> None:
    run = make_run(3_000, resamples=100)
    assert sum(len(run.records.pairs(agent.name)) for agent in run.records.agents) > 55_000
    browser.view(1280)
    address = written(run, tmp_path)
    assert (tmp_path / "report.html").stat().st_size < 8_000_000
    assert fastest(browser, address) < 3


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_is_cut(browser: Browser, tmp_path: Path, width: int, dark: bool) -> None:
    browser.view(width, dark=dark)
    browser.open(written(usual(), tmp_path))
    browser.evaluate(OPEN_ALL)
    if width == 1280:
        assert browser.evaluate(CUT) == []
    assert browser.evaluate("document.documentElement.scrollWidth") <= width
    colour = browser.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert colour == ("rgb(20, 23, 27)" if dark else "rgb(255, 255, 255)")


@pytest.mark.skipif(not AXE.is_file(), reason="REVKIT_AXE names no axe.min.js")
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_nothing(browser: Browser, tmp_path: Path, width: int, dark: bool) -> None:
    browser.send("Page.setBypassCSP", enabled=True)
    try:
        browser.view(width, dark=dark)
        browser.open(written(make_run(6, resamples=100), tmp_path))
        browser.evaluate(OPEN_SOME)
        browser.evaluate(AXE.read_text(encoding="utf-8") + ";1")
        found = "axe.run().then(found => found.violations.map(each => each.id))"
        assert browser.evaluate(found) == []
    finally:
        browser.send("Page.setBypassCSP", enabled=False)


def test_both_reviews_of_a_pair_are_side_by_side(browser: Browser, tmp_path: Path) -> None:
    browser.view(1280)
    browser.open(written(usual(), tmp_path))
    browser.evaluate(OPEN_ALL)
    sides = browser.evaluate(
        "[...document.querySelector('#flipped ~ details .sides').children]"
        ".map(each => [each.innerText, each.getBoundingClientRect().top,"
        " [...each.querySelectorAll('mark')].map(mark => mark.innerText)])"
    )
    (before, top, marked), (after, other_top, _) = sides
    assert before.startswith("Original: ")
    assert after.startswith("Variant: ")
    assert top == other_top
    assert "Same first line." in before
    assert all(text.startswith("The score is") for text in marked)
    assert len(marked) == 1
    browser.view(400)
    tops = browser.evaluate(
        "[...document.querySelector('#flipped ~ details .sides').children]"
        ".map(each => each.getBoundingClientRect().top)"
    )
    assert tops[0] < tops[1]


def test_hostile_text_executes_nothing(browser: Browser, tmp_path: Path) -> None:
    habits = {HOSTILE: Habit({"citations": 3.0}, fails=0.2), "usual": HABITS["citation-counter"]}
    run = make_run(
        8,
        habits,
        families=("citations",),
        change_text=lambda text: text.replace("The", HOSTILE + " The"),
        change_review=lambda text: HOSTILE + text,
        title=HOSTILE,
        skipped={HOSTILE: 3},
    )
    browser.view(1280)
    address = written(run, tmp_path)
    browser.open(address)
    browser.evaluate(OPEN_ALL)
    browser.evaluate("document.querySelectorAll('button.sort').forEach(each => each.click())")
    browser.evaluate(
        "document.querySelectorAll('input.filter').forEach(each => { each.value = '<img';"
        " each.dispatchEvent(new Event('input')) })"
    )
    browser.evaluate("new Promise(done => setTimeout(done, 300))")
    assert browser.troubles() == []
    assert browser.requests() == [address]
    assert (
        browser.evaluate("document.querySelectorAll('img, iframe, a[href^=javascript]').length")
        == 0
    )
    assert browser.evaluate("document.scripts.length") == 1
    assert "<script>alert(1)</script>" in browser.evaluate("document.body.innerText")
