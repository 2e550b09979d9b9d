"""The page: self-contained, escaped, accessible, the same bytes again, and readable when empty."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from revkit.contracts import RunView
from revkit.errors import PaperError
from revkit.model.table import Exhibit
from revkit.options import schema_of
from revkit_reports import html as html_module
from revkit_reports.html import Html
from revkit_reports.sentences import GATES_EXPLAINED

HOSTILE = "<script>alert(1)</script> ]]> {{ 7*7 }} {% raw %} & \"q\" 'a' $x^2$ \x00\u202eevil"
VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(HTMLParser):
    """Collects elements and text, and checks that tags nest."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


def page_of(run: RunView, **options: Any) -> Page:
    return Page(Html(**options).render(run)["report.html"])


def check_closed(page: Page) -> None:
    """No script but that of the page, no handler, nothing from outside, unique ids."""
    assert sum(tag == "script" for tag, _ in page.elements) == 1
    ids = [a["id"] for _, a in page.elements if "id" in a]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.elements:
        assert tag not in ("iframe", "object", "embed", "link", "base", "form", "img")
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("href", "src", "xlink:href"):
                assert (value or "").startswith("#")
                assert (value or "")[1:] in ids
            if name == "aria-labelledby":
                assert value in ids
            for target in re.findall(r"url\((.*?)\)", value or ""):
                assert target.startswith("#")
                assert target[1:] in ids


def test_the_page_stands_alone(run: RunView) -> None:
    page = page_of(run)
    check_closed(page)
    policies = [a["content"] for t, a in page.elements if t == "meta" and "http-equiv" in a]
    text = Html().render(run)["report.html"]
    [script] = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policies == [
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    ]
    words = page.words()
    for agent in run.records.agents:
        assert agent.name in words
    svgs = [a for t, a in page.elements if t == "svg"]
    assert len(svgs) == 6  # the last one is the sweep of thresholds
    assert all(a["role"] == "img" and a["aria-labelledby"] for a in svgs)
    assert sum(t == "caption" or "aria-label" in a for t, a in page.elements) > 10


def test_the_columns_of_the_gates_are_explained(run: RunView) -> None:
    text = Html().render(run)["report.html"]
    table = text.index('aria-label="Gates"')
    assert text.index(GATES_EXPLAINED) > table
    assert text.count(GATES_EXPLAINED) == 1


def test_what_a_reader_sees_is_beside_what_a_program_reads(run: RunView) -> None:
    """Pictures are in the page itself, hostile text is inert, and all is there without a script."""
    picture = "iVBORw0KGgo" + base64.b64encode(b"x" * 300).decode()
    shown = Exhibit(HOSTILE[:40], HOSTILE, "\u200b" * 900 + "<img src=x onerror=alert(1)>", picture)
    first = replace(run.tables[0], exhibits=(shown,))
    text = Html().render(replace(run, tables=[first, *run.tables[1:]]))["report.html"]
    assert len(text) < len(Html().render(run)["report.html"]) + 6_000
    page = Page(text)
    images = [attributes for tag, attributes in page.elements if tag == "img"]
    assert [each["src"] for each in images] == [f"data:image/png;base64,{picture}"]
    assert all(not name.startswith("on") for each in images for name in each)
    assert sum(tag == "script" for tag, _ in page.elements) == 1
    policy = next(a["content"] for t, a in page.elements if t == "meta" and "http-equiv" in a)
    assert (policy or "").endswith("; img-src data:")
    words = page.words()
    assert "A reader sees <script>alert(1)</script> ]]> {{ 7*7 }}" in words
    assert "[U+200B][... 894 more signs without a shape ...]<img src=x onerror=alert(1)>" in words


@pytest.mark.parametrize("picture", ['iVBORw0KGgo"><script>', "x" * 70_000, "R0lGODlhAQABAAAAACw="])
def test_a_picture_that_is_no_png_is_refused(picture: str) -> None:
    with pytest.raises(PaperError, match="exhibit 'a'"):
        Exhibit("a", "", "", picture)


def test_flipped_pairs_are_marked(run: RunView) -> None:
    page = page_of(run, max_pairs=30)
    tags = [tag for tag, _ in page.elements]
    assert "del" in tags
    assert "ins" in tags
    words = page.words()
    assert re.search(r"\d+ pairs flipped\. 30 are shown here", words)
    assert re.search(r"reject \d+ \u2192 accept \d+", words)


def test_hostile_text_stays_text(made: Callable[..., RunView], habit: Any) -> None:
    flips = {HOSTILE: 3.0, "citations": 3.0}
    run = made(
        4,
        {HOSTILE: habit(flips), "\u2066ok": habit(flips)},
        families=("citations",),
        change_text=lambda text: text.replace("The", HOSTILE + " " + "A" * 100_000 + " The"),
        title=HOSTILE,
        skipped={HOSTILE: 3},
    )
    text = Html().render(run)["report.html"]
    page = Page(text)
    check_closed(page)
    assert len(text) < 600_000
    for forbidden in ("\x00", "\u202e", "\u2066", "]]>"):
        assert forbidden not in text
    words = page.words()
    assert "<script>alert(1)</script> ]]> {{ 7*7 }} {% raw %} & \"q\" 'a' $x^2$ \u2400" in words
    assert "49" not in re.findall(r"\d+", words.split("Flipped pairs")[-1].split("Method")[0])


def test_plots_are_well_formed_with_hostile_names(made: Callable[..., RunView], habit: Any) -> None:
    run = made(6, {HOSTILE: habit({"citations": 3.0}), "\u8bba\u6587": habit()})
    text = Html().render(run)["report.html"]
    for svg in re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL):
        root = ElementTree.fromstring(svg)
        assert root.find("title") is not None
        for element in root.iter():
            assert "#1b1f24;" not in element.get("style", "").replace("var(--ink, #1b1f24)", "")


@pytest.mark.parametrize(
    "case", ["no papers", "no agents", "no families", "failed", "constant", "no tables"]
)
def test_little_to_show(case: str, made: Callable[..., RunView], habit: Any) -> None:
    run = {
        "no papers": lambda: made(0),
        "no agents": lambda: made(3, {}),
        "no families": lambda: made(3, {"a": habit()}, families=()),
        "failed": lambda: made(3, {"a": habit(fails=1.0), "b": habit(fails=1.0)}),
        "constant": lambda: made(3, {"a": habit(verdict=False)}, labelled=False),
        "no tables": lambda: made(3, {"a": habit({"citations": 3.0})}),
    }[case]()
    if case == "no tables":
        object.__setattr__(run, "tables", [])
    page = page_of(run)
    check_closed(page)
    words = page.words()
    assert not re.search(r"\bnan\b", words, flags=re.IGNORECASE)
    expected = {
        "failed": "No pair has a verdict on both sides",
        "constant": "No pair flipped.",
        "no agents": "No agents.",
        "no families": "No families.",
        "no tables": "No metric of this experiment measures robustness or accuracy",
    }
    assert expected.get(case, "") in words


def test_many_agents_with_long_names_are_told_apart(
    made: Callable[..., RunView], habit: Any
) -> None:
    names = [f"vendor/some-family/a-rather-long-model-name-{i:02d}-instruct" for i in range(12)]
    run = made(6, {name: habit({"citations": 0.5}) for name in names})
    text = Html().render(run)["report.html"]
    rates = re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)[0]
    for i in range(12):
        assert f"\u2026{i:02d}-instruct" in rates


def test_same_run_same_bytes_whatever_the_hash_seed(run: RunView) -> None:
    first = Html().render(run)["report.html"]
    assert Html().render(run)["report.html"] == first
    code = (
        "import importlib.util, hashlib, sys;"
        "spec = importlib.util.spec_from_file_location('made_up_run', sys.argv[1]);"
        "module = importlib.util.module_from_spec(spec); sys.modules['made_up_run'] = module;"
        "spec.loader.exec_module(module);"
        "from revkit_reports.html import Html;"
        "text = Html().render(module.make_run())['report.html'];"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    environment = dict(os.environ, PYTHONHASHSEED="12345", PYTHONPATH=os.pathsep.join(sys.path))
    result = subprocess.run(
        [sys.executable, "-c", code, str(Path(__file__).parent / "conftest.py")],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == hashlib.sha256(first.encode()).hexdigest()


def test_colours_have_contrast() -> None:
    css = (Path(html_module.__file__).parent / "report.css").read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", css, flags=re.DOTALL)[:2]
    for theme in (light, dark):
        colours = dict(re.findall(r"--([\w-]+): (#\w{6})", theme))
        for name in ("ink", "muted", "blue", "orange"):
            assert contrast(colours[name], colours["paper"]) >= 4.5, name
        assert contrast(colours["muted"], colours["raised"]) >= 4.5
        assert contrast(colours["ink"], colours["warn"]) >= 4.5
        assert contrast(colours["del"], colours["del-back"]) >= 4.5
        assert contrast(colours["ins"], colours["ins-back"]) >= 4.5
        half = mix(colours["blue"], colours["paper"])
        assert contrast(colours["ink"], half) >= 4.5


def luminance(colour: str) -> float:
    """WCAG 2 relative luminance."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mix(one: str, other: str) -> str:
    halves = [(int(one[i : i + 2], 16) + int(other[i : i + 2], 16)) // 2 for i in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in halves)


def test_option_and_import_cost() -> None:
    schema: Any = schema_of(Html)
    assert schema["properties"]["max-pairs"]["default"] == 200
    code = (
        "import sys, revkit_reports.html, revkit_reports.markdown, revkit_reports.terminal,"
        " revkit_robustrev.metrics;"
        "print([m for m in ('numpy', 'scipy', 'matplotlib', 'jinja2') if m in sys.modules])"
    )
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path))
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
