"""Reports draw any table by what it declares: no module of theirs names a metric, column or option
of a plugin."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

import revkit_reports
from revkit.contracts import Metric
from revkit.model import table as model
from revkit.model.records import Records
from revkit.options import schema_of
from revkit.registry import load_registry

FOLDER = Path(revkit_reports.__file__).parent
MODULES = sorted(FOLDER.glob("*.py"))
TEMPLATES = sorted(FOLDER.glob("*.jinja"))
# Words that are the model's own: kinds and roles of columns, subjects, aspects, fields of records
# and of tables, units. A column may be called so as well.
_LITERALS = (model.Role, model.Subject, model.Aspect, model.WarningKind, model.OpeningPart)
VOCABULARY = {
    *(word for literal in _LITERALS for word in get_args(literal)),
    *(
        field.name
        for cls in (model.Table, model.Column, model.Chart, Records)
        for field in dataclasses.fields(cls)
    ),
    *("share", "count", "p", "ratio", "points", "lines", "bars", "value", "family", "kind"),
    # Outcomes of a paper, a review and an edit, as the records call them.
    *("accept", "reject", "crashed", "rejected", "failed", "made", "declined", "gate", "unmoved"),
    *("decrease", "increase", "invariant", "raw", "paper", "papers", "item", "unit", "scores"),
}


def columns_of(module: ModuleType) -> Iterator[str]:
    """The names of columns that a module of a plugin holds, in tuples or alone."""
    for value in vars(module).values():
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, model.Column):
                yield each.name


def names_of_plugins() -> dict[str, str]:
    """Names of metrics, of their columns and of their options, each with what it is."""
    found: dict[str, str] = {}
    for entry in load_registry().entries:
        if entry.kind != "metric":
            continue
        found[entry.name] = "metric"
        options = schema_of(entry.component)["properties"]
        assert isinstance(options, dict)
        found.update(dict.fromkeys(options, f"option of {entry.name}"))
        package = importlib.import_module(entry.component.__module__.rpartition(".")[0])
        for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(info.name)
            names = columns_of(module)
            found.update(dict.fromkeys(names, f"column of {info.name}"))
    return {name: what for name, what in found.items() if name not in VOCABULARY}


NAMES = names_of_plugins()
# Words that mean something else where a report has them.
OTHERS = {
    "chart_frame.py": {"both"},  # both axes
    "chart_lines.py": {"right"},  # an edge of the drawing
    "chart_opposed.py": {"right"},  # an edge of the drawing
    "chart_panels.py": {"panel"},  # a noun in a sentence
    "flips.py": {"kept", "gap"},  # pieces of a passage
    "html.py": {"left_out", "scores", "all"},  # places of the template, an anchor of the page
    "limits.py": {"score"},  # a noun in a sentence
    "overview.py": {"error"},  # a column of the points of a sweep
    "plot_style.py": {"grid", "width"},  # a colour, an attribute of a drawing
    "plots_of_scores.py": {"right", "lower"},  # an edge of the drawing, a direction of a measure
    "report.html.jinja": {"gap"},  # a piece of a passage
    "tables.py": {"lower"},  # a direction of a measure
    "summary.py": {"calibration"},  # what a report with anchors is called
}


def literals_of(path: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a module that are not docstrings, each with its line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def test_the_names_are_those_of_our_metrics() -> None:
    for name in ("flip-rate", "mcnemar", "rubric-diagonal", "calibration", "cluster_low", "mae"):
        assert name in NAMES
    assert len(NAMES) > 200


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_names_what_is_a_plugins(path: Path) -> None:
    named = [f"{path.name}:{line}: {text!r} is a {NAMES[text]}"
             for line, text in literals_of(path)
             if text in NAMES and text not in OTHERS.get(path.name, ())]  # fmt: skip
    assert not named, "\n".join(named)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_names_what_is_a_plugins(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    code = " ".join(re.findall(r"\{[{%](.*?)[%}]\}", text, flags=re.DOTALL))
    named = NAMES.keys() & set(re.findall(r"""["']([\w-]+)["']""", code))
    assert not named - OTHERS.get(path.name, set())


def test_no_module_picks_a_note_by_its_first_words() -> None:
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        for found in re.finditer(r"\b(note|text)\w*\.startswith\(", source):
            pytest.fail(f"{path.name}: {found.group()}")


def test_reports_import_no_plugin() -> None:
    for path in MODULES:
        source = path.read_text(encoding="utf-8")
        for name in re.findall(r"^\s*from (revkit_\w+)", source, flags=re.MULTILINE):
            assert name == "revkit_reports"
    assert inspect.isabstract(Metric)
