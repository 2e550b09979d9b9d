"""The reporter `paper`: files for a paper, with captions, and hostile names that stay names."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from revkit.contracts import RunView
from revkit_reports.paper import PaperFiles, latex

HOSTILE = r"\input{x} & % $ # _ ^ ~ {y} <script>alert(1)</script>"


def test_every_headline_table_has_its_files(run: RunView) -> None:
    files = PaperFiles().render(run)
    tables = {table.name for table in run.tables if table.headline or table.section}
    assert tables
    for name in tables:
        tex = files[f"paper/{name}.tex"]
        assert tex.count(r"\toprule") == tex.count(r"\bottomrule") == 1
        columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", tex)
        assert columns is not None
        for line in tex.splitlines():
            if line.endswith(r" \\"):
                assert len(re.findall(r"(?<!\\)&", line)) == len(columns[1]) - 1
        rows = list(csv.reader(io.StringIO(files[f"paper/{name}.csv"])))
        assert len({len(row) for row in rows}) == 1
    captions = files["paper/captions.md"]
    for name in files:
        if not name.endswith((".csv", ".md")):
            assert f"`{name.removeprefix('paper/')}`: " in captions
    assert f"run {run.digest[:16]}." in captions
    assert "40 papers" in captions


def test_charts_are_files_that_open_alone(run: RunView) -> None:
    charts = [text for name, text in PaperFiles().render(run).items() if name.endswith(".svg")]
    assert charts
    for text in charts:
        root = ElementTree.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert "<script" not in text


def test_hostile_names_stay_names(made: Callable[..., RunView], habit: Any) -> None:
    files = PaperFiles().render(made(12, {HOSTILE: habit({"citations": 0.5}), "b": habit()}))
    for name, text in files.items():
        if name.endswith(".tex"):
            assert r"\input" not in text
            assert r"\textbackslash{}input" in text or "alert" not in text
        if name.endswith(".svg"):
            ElementTree.fromstring(text)
    assert latex(HOSTILE).startswith(r"\textbackslash{}input\{x\} \& \% \$ \# \_ ")


def test_the_same_run_gives_the_same_files(run: RunView) -> None:
    assert PaperFiles().render(run) == PaperFiles().render(run)
