"""The glossary and the reports explain words with the same sentences."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from revkit.figures.terms import TERMS
from revkit.model.table import Term

ROOT = Path(__file__).resolve().parents[2]
PLUGINS = sorted(path.parent.name for path in (ROOT / "plugins").glob("*/terms.py"))


def glossary() -> str:
    return " ".join((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize("term", TERMS, ids=lambda term: term.name)
def test_a_word_of_all_reports_is_in_the_glossary(term: Term) -> None:
    assert f": {term.text}" in glossary()


@pytest.mark.parametrize("plugin", PLUGINS)
def test_the_words_of_a_plugin_are_in_the_glossary(plugin: str) -> None:
    for term in importlib.import_module(f"{plugin}.terms").TERMS:
        assert f": {term.text}" in glossary(), term.name


def test_a_word_is_found_in_its_forms_and_not_within_another() -> None:
    term = Term("flip", "A pair with two verdicts.", ("flipped",))
    for text in ("Flips are rare.", "It FLIPPED", "(flip)"):
        assert term.is_in(text)
    for text in ("flipper", "flip-rate", "no verdict"):
        assert not term.is_in(text)
