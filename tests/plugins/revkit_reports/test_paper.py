"""The reporter `paper`: files for a paper, with captions, and hostile names that stay names."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from revkit.contracts import RunView
from revkit.model.table import Column, Table
from revkit_reports.paper import PaperFiles, latex
from revkit_robustrev.metrics.flip_columns import RATES
from revkit_robustrev.metrics.pairs import ALL_FAMILIES

HOSTILE = r"\input{x} & % $ # _ ^ ~ {y} <script>alert(1)</script>"


def test_every_headline_table_has_its_files(run: RunView) -> None:
    files = PaperFiles().render(run)
    tables = {table.name for table in run.tables if table.headline or table.section}
    assert tables
    for name in tables:
        tex = files[f"paper/{name}.tex"]
        parts = re.findall(r"\\begin\{tabular\}\{([lr]+)\}(.*?)\\end\{tabular\}", tex, re.DOTALL)
        assert tex.count(r"\toprule") == tex.count(r"\bottomrule") == len(parts) > 0
        for layout, body in parts:
            for line in body.splitlines():
                if line.endswith(r" \\"):
                    assert len(re.findall(r"(?<!\\)&", line)) == len(layout) - 1
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


def test_the_tables_that_reports_show_first_have_files(run: RunView) -> None:
    files = PaperFiles().render(run)
    flips = next(table for table in run.tables if table.name == "flip-rate")
    rates = {
        str(row["agent"]): row["rate"]
        for row in flips.records()
        if (row["statistic"], row["family"]) == (RATES, ALL_FAMILIES)
    }
    agents = list(csv.DictReader(io.StringIO(files["paper/by-agent.csv"])))
    assert {row["Agent"] for row in agents} == set(rates)
    for row in agents:
        rate = rates[row["Agent"]]
        assert isinstance(rate, float)
        assert row["Flip rate"] == f"{100 * rate:.1f}%"
        assert float(row["Flip rate, low"]) <= 100 * rate <= float(row["Flip rate, high"])
    families = list(csv.DictReader(io.StringIO(files["paper/by-family.csv"])))
    assert [row["Family"] for row in families] == [row.name for row in run.records.perturbations]
    assert all(row["Mean flip rate"].endswith("%") for row in families)
    for name in ("by-agent", "by-family"):
        tex = files[f"paper/{name}.tex"]
        assert rf"\label{{tab:{name}}}" in tex
        assert r"The brackets contain 95\% intervals" in tex


def test_a_heat_map_has_a_table_of_its_values(run: RunView) -> None:
    rows = list(csv.DictReader(io.StringIO(PaperFiles().render(run)["paper/flip-rate-grid.csv"])))
    flips = next(table for table in run.tables if table.name == "flip-rate")
    seen = 0
    for row in flips.records():
        if row["statistic"] == RATES and row["rate"] is not None:
            own = next(each for each in rows if each["Agent"] == row["agent"])
            assert isinstance(row["rate"], float)
            assert own[str(row["family"])] == f"{100 * row['rate']:.1f}%"
            seen += 1
    assert seen > 10


def test_captions_are_whole_and_explain_what_their_table_shows(run: RunView) -> None:
    files = PaperFiles().render(run)
    starred = 0
    for name, text in files.items():
        if name.endswith(".tex"):
            caption = next(line for line in text.splitlines() if line.startswith(r"\caption"))
            assert "..." not in caption.split("run 0000")[0].replace("[...", "")
            assert len(caption.split()) < 150, name
            cells = "".join(text.split(r"\midrule")[1:])
            assert ("]*" in cells) == ("is conservative" in caption)
            starred += "]*" in cells
            assert (r"]\textdagger{}" in cells) == ("may be too short:" in caption)
    assert starred
    lines = files["paper/clean-accuracy.tex"].splitlines()
    caption = next(line for line in lines if line.startswith(r"\caption"))
    accuracy = next(table for table in run.tables if table.name == "clean-accuracy").records()
    methods = {str(row["method"]) for row in accuracy}
    assert methods
    for method in methods:
        assert latex(method) in caption
    counts = {row["n"] for row in accuracy}
    assert len(counts) > 1 or f"n = {counts.pop()}" in caption


def test_tables_with_the_name_of_another_do_not_replace_it(run: RunView) -> None:
    accuracy = next(table for table in run.tables if table.name == "clean-accuracy")
    files = PaperFiles().render(
        replace(run, tables=[*run.tables, replace(accuracy, name="by-agent")])
    )
    assert "Flip rate" in files["paper/by-agent.csv"]
    assert files["paper/by-agent-2.csv"] == files["paper/clean-accuracy.csv"]


def test_a_table_is_as_wide_as_the_text_and_has_all_cells(run: RunView, tmp_path: Path) -> None:
    files = {name: text for name, text in PaperFiles().render(run).items() if name.endswith(".tex")}
    for name, text in files.items():
        rows = list(csv.reader(io.StringIO(PaperFiles().render(run)[f"{name[:-4]}.csv"])))
        flat = " ".join(text.split())
        for row in rows[1:]:
            assert all(latex(cell.removeprefix("'")) in flat for cell in row), name
    program = shutil.which("pdflatex")
    if program is None:
        pytest.skip("needs pdflatex")
    for name, text in files.items():
        page = (
            r"\documentclass{article}\usepackage{booktabs}\begin{document}"
            f"{text}"
            r"\listoftables\end{document}"
        )
        (tmp_path / "page.tex").write_text(page, encoding="utf-8")
        command = [program, "-interaction=nonstopmode", "page.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, name
        assert "Overfull" not in done.stdout, name


def test_a_table_without_values_has_no_file(run: RunView) -> None:
    columns = [Column("agent", "Agent", role="agent"), Column("rate", "Rate", "share")]
    tables = [
        Table.of("empty", "No rows", columns, [], ["No paper has a decision."], headline=True),
        Table.of("blank", "No cells", columns, [{"agent": None, "rate": None}], headline=True),
        Table.of("single", "One column", columns[:1], [{"agent": "a"}], headline=True),
    ]
    files = PaperFiles().render(replace(run, tables=tables))
    assert not [name for name in files if "empty" in name or "blank" in name]
    assert r"\begin{tabular}{l}" in files["paper/single.tex"]
    assert files["paper/single.csv"] == "Agent\na\n"
    captions = files["paper/captions.md"]
    assert "- No file for No rows: the table has no values.\n    - No paper has a" in captions
    assert "- No file for No cells: the table has no values.\n" in captions
