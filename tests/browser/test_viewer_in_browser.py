"""`revkit view` in Chromium: pages work without script, and hostile text executes nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revkit.runs.marks import Marks
from tests.browser.chromium import AXE, CHROMIUM, Browser

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
]
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>'\"><svg onload=alert(3)>"
    "</title></textarea><a href='javascript:alert(4)'>x</a>{{ 7*7 }}"
)


def poison(folder: Path) -> None:
    """Put hostile text into all texts of a finished run."""
    for name in ("papers", "outcomes", "edits", "variants"):
        path = folder / "records" / f"{name}.jsonl"
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for row in rows:
            for key in ("title", "text", "detail", "raw", "new", "note"):
                if isinstance(row.get(key), str):
                    row[key] = HOSTILE + row[key]
        text = "".join(json.dumps(row) + "\n" for row in rows)
        path.write_text(text, encoding="utf-8")


def test_a_reader_marks_a_pair_of_hostile_texts(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    run_toy(toy_spec, out="runs/a")
    poison(tmp_path / "runs/a")
    command = [sys.executable, "-m", "revkit", "view", str(tmp_path / "runs/a"), "--no-open"]
    command += ["--marks", str(tmp_path / "marks.sqlite"), "--reader", HOSTILE[:80]]
    marks = Marks(tmp_path / "marks.sqlite")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            with Browser(tmp_path / "browser") as browser:
                browser.view(1280)
                browser.open(address)
                home = browser.evaluate("location.origin")
                assert "token" not in browser.evaluate("location.href")
                pages = ["/", "/marks"]
                pages += [f"/{name}?run=a" for name in ("pairs", "reviews", "papers", "variants")]
                for page in pages:
                    browser.open(home + page)
                    check_quiet(browser, home)
                browser.open(f"{home}/pairs?run=a")
                pair = browser.evaluate("document.querySelector('td a[href^=\\'/pair?\\']').href")
                browser.open(pair)
                check_quiet(browser, home)
                assert "<script>alert(1)</script>" in browser.evaluate("document.body.innerText")
                assert browser.evaluate("document.querySelectorAll('ins').length") > 0
                browser.evaluate(
                    "document.querySelector('input[name=meaning-kept][value=yes]').checked = true;"
                    f"document.querySelector('textarea').value = {json.dumps(HOSTILE)};"
                    "setTimeout(() => document.querySelector('form.mark').submit(), 0)"
                )
                end = time.monotonic() + 20
                while len(marks.read()) < 2 and time.monotonic() < end:
                    time.sleep(0.1)
                browser.open(pair)
                check_quiet(browser, home)
                assert "Do the edits keep what the paper says? yes" in browser.evaluate(
                    "document.body.innerText"
                )
                browser.open(f"{home}/marks")
                check_quiet(browser, home)
                browser.view(400, dark=True)
                browser.open(pair)
                assert browser.evaluate("document.documentElement.scrollWidth") <= 400
        finally:
            process.terminate()


# The words of up to 20 letters in tables that are broken over two lines.
BROKEN = """(() => {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector('table'), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const word of node.data.matchAll(/[\\p{L}\\p{N}]{2,20}/gu)) {
      const range = document.createRange();
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      if (new Set([...range.getClientRects()].map(each => Math.round(each.top))).size > 1)
        found.push(word[0]);
    }
  return found;
})()"""


@pytest.mark.parametrize("width", [1280, 400])
def test_no_word_of_a_table_is_broken(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path, width: int
) -> None:
    agents = {"citation-reader": "toy-length", "paraphrase-hater": "toy-length"}
    run_toy({**toy_spec, "agents": agents}, out="runs/a")
    command = [sys.executable, "-m", "revkit", "view", str(tmp_path / "runs/a"), "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            with Browser(tmp_path / "browser") as browser:
                browser.view(width)
                browser.open(process.stdout.readline().strip())
                home = browser.evaluate("location.origin")
                for name in ("pairs", "reviews", "variants", "papers"):
                    browser.open(f"{home}/{name}?run=a")
                    assert browser.evaluate("document.querySelectorAll('td').length") > 0
                    assert browser.evaluate(BROKEN) == [], name
                    assert browser.evaluate("document.documentElement.scrollWidth") <= width
        finally:
            process.terminate()


@pytest.mark.skipif(not AXE.is_file(), reason="REVKIT_AXE names no axe.min.js")
def test_axe_finds_nothing(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    for name in ("a", "b"):
        run_toy(toy_spec, out=f"runs/{name}")
    command = [sys.executable, "-m", "revkit", "view", "--no-open"]
    command += [str(tmp_path / "runs" / name) for name in ("a", "b")]
    command += ["--marks", str(tmp_path / "marks.sqlite"), "--reader", "Ada"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            with Browser(tmp_path / "browser") as browser:
                browser.view(1280)
                browser.open(process.stdout.readline().strip())
                home = browser.evaluate("location.origin")
                pages = {home + "/"}
                for _ in range(2):  # the pages that the first page names, and those that they name
                    for page in sorted(pages):
                        browser.open(page)
                        links = "[...document.querySelectorAll('a[href]')].map(each => each.href)"
                        pages |= {each for each in browser.evaluate(links) if home in each}
                kinds = {}
                for page in sorted(pages):
                    kinds.setdefault(page.partition("?")[0], page)
                assert {kind.rpartition("/")[2] for kind in kinds} >= {
                    "", "pair", "pairs", "reviews", "papers", "variants", "marks", "calls",
                }  # fmt: skip
                for dark in (False, True):
                    for width in (1280, 400):
                        browser.view(width, dark=dark)
                        for page in kinds.values():
                            browser.open(page)
                            assert browser.violations() == [], (page, width, dark)
                            wide = browser.evaluate("document.documentElement.scrollWidth")
                            assert wide <= width, (page, width)
        finally:
            process.terminate()


def check_quiet(browser: Browser, home: str) -> None:
    assert browser.troubles() == []
    assert all(each.startswith(home) for each in browser.requests())
    assert browser.evaluate("document.scripts.length") == 0
    assert (
        browser.evaluate("document.querySelectorAll('img, svg, a[href^=javascript]').length") == 0
    )
