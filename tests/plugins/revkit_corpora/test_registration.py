"""Registration: the plugin offers every corpus, each with options that a schema can state."""

from __future__ import annotations

import subprocess
import sys

import pytest

import revkit_corpora
from revkit.contracts import Component, Corpus
from revkit.errors import OptionError
from revkit.options import from_options, schema_of
from revkit.registry import load_registry


def registered() -> dict[str, type[Component]]:
    entries = load_registry([revkit_corpora]).entries
    own = [
        entry
        for entry in entries
        if str(entry.mark).startswith("revkit_corpora.") and entry.kind == "corpus"
    ]
    return {entry.name: entry.component for entry in own}


def test_names() -> None:
    assert sorted(registered()) == [
        "aiscientist",
        "clawrxiv",
        "deepreview",
        "disapere",
        "files",
        "iclr-tables",
        "jats",
        "jsonl",
        "markdown",
        "mred",
        "nlpeer",
        "openreview",
        "openreview-live",
        "pairs",
        "pdf",
        "peerread",
        "peersum",
        "s2orc",
        "samples",
        "score-table",
        "substanreview",
        "synthetic",
        "table",
        "tei",
        "word",
    ]


@pytest.mark.parametrize("name", sorted(set(registered()) - {"samples", "synthetic"}))
def test_options(name: str) -> None:
    corpus = registered()[name]
    assert issubclass(corpus, Corpus)
    schema = schema_of(corpus)
    properties = schema["properties"]
    assert isinstance(properties, dict)
    assert schema["required"] == ["path"]
    assert all(isinstance(p, dict) and p.get("description") for p in properties.values())
    with pytest.raises(OptionError, match="path: is required and missing"):
        from_options(corpus, {})
    with pytest.raises(OptionError, match="put it in quotes"):
        from_options(corpus, {"path": 2604.0196})


def test_the_plugin_imports_nothing_heavy() -> None:
    code = "import sys, revkit_corpora; print({'numpy', 'yaml', 'jsonschema'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
