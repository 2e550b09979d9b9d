"""Parses as a service: each sentence is parsed once, and read from the store after that."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from revkit import api
from revkit.cache import Store
from revkit.contracts import Context, Perturbation
from revkit.grammar import forget_parses, parsed, parser, parser_available
from revkit.grammar.parse_keeper import parses_kept_by
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.services import StoredParses
from revkit.testing import toys

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("spacy") is None or not parser_available(),
    reason="needs the extra 'parser'",
)
TEXTS = [
    "Our  model outperforms\nBERT .",
    "It doesn't hold for \u00e9tudes, e.g. [3].",
    "",
    "Oh.",
]
SPEC: dict[str, Any] = {
    "revkit": 1,
    "name": "parses",
    "corpus": {"use": "toy-papers", "with": {"papers": 3}},
    "perturbations": {"roots": "roots"},
    "agents": {"length": "toy-length"},
    "metrics": ["toy-flips"],
    "reports": ["toy-report"],
}
PAPERS = 3


@dataclass(frozen=True)
class Roots(Perturbation):
    """Writes the root of the parse of each sentence, and a number from the seed."""

    name: ClassVar[str] = "roots"
    version: ClassVar[str] = "1"

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit]:
        sentences = [paper.text[s.start : s.end] for s in paper.sentences]
        roots = [parse.roots[0].lemma for parse in parsed(sentences)]
        return [Edit(0, 0, f"# {ctx.rng.random()} {roots[0]}\n\n")]


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The sentences that were really parsed, in order."""
    found: list[str] = []
    pipe = parser._pipe

    def noted(texts: Sequence[str]) -> Any:
        found.extend(texts)
        return pipe(texts)

    monkeypatch.setattr(parser, "_pipe", noted)
    forget_parses()
    yield found
    forget_parses()


def test_a_stored_parse_is_that_of_the_parser(tmp_path: Path, parses: list[str]) -> None:
    plain = parsed(TEXTS)
    forget_parses()
    parses.clear()
    with Store(tmp_path / "s.db") as store:
        keeper = StoredParses(store)
        with parses_kept_by(keeper):
            assert parsed(TEXTS[:2]) == plain[:2]
            assert parsed(TEXTS) == plain
        assert keeper.parsed == len(TEXTS)
        assert parses == TEXTS
    forget_parses()
    with Store(tmp_path / "s.db") as store, parses_kept_by(StoredParses(store)):
        assert parsed([*TEXTS[::-1], "A new sentence."])[:-1] == plain[::-1]
    assert parses == [*TEXTS, "A new sentence."]


@pytest.mark.slow
@pytest.mark.parametrize("processes", [0, 1])
def test_runs_with_other_seeds_and_agents_parse_nothing_again(
    processes: int, tmp_path: Path, parses: list[str], no_plugins: None
) -> None:
    plugins: list[Any] = [toys, Roots]
    store = tmp_path / "s.db"
    changes: list[dict[str, Any]] = [
        {"processes": processes},
        {"seed": 2},
        {"agents": {"coin": "toy-coin"}, "seed": 3},
    ]
    edits = set()
    for number, change in enumerate(changes):
        forget_parses()
        out = tmp_path / str(number)
        run = api.run({**SPEC, **change}, out=out, store=store, plugins=plugins)
        assert {row.outcome for row in run.records.variants} == {"made"}
        edits |= {row.digest for row in run.records.variants}
        assert len(parses) == (0 if processes else 5)

    assert len(edits) == len(changes) * PAPERS, "each seed makes other variants"
