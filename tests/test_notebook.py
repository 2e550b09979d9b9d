"""What a notebook needs: short reprs, HTML that is escaped, data frames, runs without a spec."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit import Labels, Paper, Review, Scale
from revkit.api.notebook import given_papers, outcome_from
from revkit.contracts import Agent, Context
from revkit.errors import MissingPackage, PaperError, SpecError
from revkit.execution.progress import LineProgress, progress_for
from revkit.model.edits import Edit
from revkit.model.frames import load_package
from revkit.model.notebook import html_edits
from revkit.model.review import Failure
from revkit.model.table import Column, Table
from revkit.testing import toys

HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m"
TEN = Scale("ten", 1, 10, accept_at=6)
TEXTS = [f"# Paper {i}\n\nA text of {i} words that may matter.\n" for i in range(6)]


@pytest.fixture
def run_given(tmp_path: Path, no_plugins: None) -> Callable[..., Any]:
    def run(spec: Any = None, **options: Any) -> Any:
        return revkit.run(
            spec, out=tmp_path / "run", store=tmp_path / "db", plugins=[toys], **options
        )

    return run


async def later(paper: Paper) -> dict[str, Any]:
    return {"accept": len(paper.text) % 2 == 0, "text": HOSTILE}


def scored(paper: Paper, ctx: Context) -> float:
    return 7


class Awaiting(Agent):
    name = "awaiting"
    version = "1"
    scale = TEN

    async def review(self, paper: Paper, ctx: Context) -> Review:  # type: ignore[override]
        return Review(True, 7)


def test_functions_names_and_components_side_by_side(run_given: Callable[..., Any]) -> None:
    from dataclasses import dataclass

    run = run_given(
        papers=TEXTS,
        agents={
            "later": later,
            "scored": scored,
            "verdict": lambda paper: True,
            "bad": lambda paper: "accept",
            "length": "toy-length",
            "awaiting": dataclass(frozen=True)(Awaiting)(),
        },
        perturbations=["toy-words"],
        metrics=["toy-flips"],
        scale={"scored": TEN},
        repeats=2,
    )
    found = {name: [] for name in ("later", "scored", "verdict", "bad", "length", "awaiting")}
    for verdict in run.records.verdicts:
        found[verdict.agent].append((verdict.accept, verdict.score, verdict.failure))
    made = [row for row in run.records.variants if row.outcome == "made"]
    assert {len(each) for each in found.values()} == {2 * (6 + len(made))}
    assert set(found["scored"]) == {(True, 7.0, "")}
    assert set(found["verdict"]) == {(True, None, "")}
    assert set(found["bad"]) == {(None, None, "schema")}
    assert set(found["awaiting"]) == {(True, 7.0, "")}
    assert {accept for accept, _, failure in found["later"] if not failure} <= {True, False}
    assert [row.id for row in run.records.papers][:2] == ["paper-1", "paper-2"]
    assert len(repr(run)) < 300
    assert len(repr(run.records)) < 200
    for shown in (run, run.table("toy-flips"), revkit.open_run(run.folder)):
        assert 0 < len(shown._repr_html_()) < 10_000
    opened = revkit.open_run(run.folder)
    view = opened.pair("later", made[0].paper, "toy-words")
    html = view._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "<ins>" in html or "<del>" in html
    assert len(repr(view)) < 700


def test_parts_beside_a_spec(run_given: Callable[..., Any], toy_spec: dict[str, Any]) -> None:
    run = run_given(toy_spec, agents={"mine": lambda paper: False}, limit=2)
    assert [row.name for row in run.records.agents] == ["mine"]
    assert run.experiment.name == "toy"
    assert len(run.records.papers) == 2


def test_a_spec_may_lack_what_is_given(
    run_given: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    for section in ("agents", "corpus"):
        del toy_spec[section]
    toy_spec |= {"agents": {"broken": "toy-lenght"}, "services": {"embedder": "none-such"}}
    file = tmp_path / "spec.yaml"
    file.write_text(json.dumps(toy_spec), encoding="utf-8")
    for spec in (toy_spec, file):
        run = run_given(
            spec, papers=TEXTS, agents={"mine": lambda paper: False}, embedder="toy-embedder",
            overwrite=True,
        )  # fmt: skip
        assert [row.name for row in run.records.agents] == ["mine"]
        assert len(run.records.papers) == 6
        assert run.records.seed == toy_spec["seed"]
    with pytest.raises(SpecError, match="did you mean 'toy-length'"):
        run_given(toy_spec, papers=TEXTS, embedder="toy-embedder")
    with pytest.raises(SpecError, match="'corpus' is missing"):
        run_given(toy_spec, agents={"mine": lambda paper: False}, embedder="toy-embedder")


def test_the_same_function_is_asked_once(run_given: Callable[..., Any]) -> None:
    asked = []

    def mine(paper: Paper) -> bool:
        asked.append(paper.digest)
        return True

    for _ in range(2):
        run_given(papers=TEXTS, agents={"mine": mine}, metrics=[])
    assert len(asked) == 6
    run_given(papers=TEXTS, agents={"mine": mine}, metrics=[], seed=3, overwrite=True)
    assert len(asked) == 12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"papers": 3}, "papers: expected a list of papers, a data frame"),
        ({"papers": [{"title": "x"}]}, "paper 1 has no key 'text'; it has title"),
        ({"papers": [1]}, "paper 1: expected a Paper, a text or a mapping"),
        ({"papers": TEXTS, "agents": {"a": "toy-lenght"}}, "did you mean 'toy-length'"),
        ({"papers": TEXTS, "agents": {"a": {"use": "toy-coin", "wiht": 1}}}, "did you mean 'with'"),
        ({"papers": TEXTS, "agents": {"a": 3}}, "agents.a: expected the agent, its name"),
        ({"agents": {"a": "toy-coin"}}, "without a spec, papers are needed"),
        (
            {"papers": TEXTS, "agents": {"a": "toy-coin"}, "perturbations": {"p": later}},
            "a perturbation is a class",
        ),
    ],
)
def test_what_cannot_be_used_is_named(
    run_given: Callable[..., Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(SpecError) as error:
        run_given(**options)
    assert message in str(error.value)


def test_what_functions_return() -> None:
    assert outcome_from(True, None) == Review(True)
    assert outcome_from(5, TEN) == Review(False, 5.0)
    assert outcome_from({"score": 8, "text": "x"}, TEN) == Review(True, 8.0, "x")
    assert outcome_from({"accept": False, "score": 8}, TEN) == Review(False, 8.0)
    for value, scale in [
        (5, None), ("accept", TEN), (None, TEN), (11, TEN), ((True, 5), TEN),
        ({"verdict": True}, TEN), ({"accept": 1}, TEN), ({"score": "8"}, TEN),
    ]:  # fmt: skip
        outcome = outcome_from(value, scale)
        assert isinstance(outcome, Failure)
        assert outcome.kind == "schema"


def test_rows_become_papers() -> None:
    nan = float("nan")
    rows = [
        {"text": "# A\n\nText.", "accept": 1, "venue": "X", "decision": nan, "ratings": [1, 2]},
        {"text": nan, "id": "b"},
        Paper("c", "Text.", "C", Labels(accept=False)),
    ]
    first, second, third = given_papers(rows).__dict__["given"]
    assert (first.id, first.title, first.labels.accept) == ("paper-1", "A", True)
    assert (first.labels.extra, first.labels.ratings) == ({"venue": "X"}, (1.0, 2.0))
    assert (second.id, second.reason) == ("b", "no text")
    assert third.labels.accept is False
    with pytest.raises(PaperError, match="paper 1: accept must be True, False or missing"):
        given_papers([{"text": "x", "accept": "yes"}])


class Frame:
    """A data frame as far as it is read: that of pandas."""

    columns = ("text", "accept")

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        return [{"text": text, "accept": True} for text in TEXTS]


def test_a_data_frame_is_read_by_rows() -> None:
    assert len(given_papers(Frame()).__dict__["given"]) == 6  # type: ignore[arg-type]


def test_reprs_are_short_and_html_is_escaped() -> None:
    paper = Paper(HOSTILE, HOSTILE * 1000, HOSTILE)
    review = Review(True, 5.0, HOSTILE * 100, aspects={"x": 1.0})
    table = Table("t", HOSTILE, (Column("a", HOSTILE),), tuple((HOSTILE,) for _ in range(500)))
    for each in (paper, review, table):
        assert len(repr(each)) < 300
        html = each._repr_html_()
        assert "<script" not in html
        assert "\u202e" not in html
        assert "\x1b" not in html
        assert len(html) < 10_000
    html = html_edits("Some <b> words here.", [Edit(5, 8, "<i>")])
    assert "<del>&lt;b&gt;</del><ins>&lt;i&gt;</ins>" in html


def test_tables_as_data_frames() -> None:
    columns = (Column("a", unit="share"), Column("b"), Column("c"))
    table = Table("t", "Title", columns, ((1, "x", None), (0.5, None, 2)), ("A note.",))
    arrow = table.to_arrow()
    assert arrow.to_pydict() == {"a": [1.0, 0.5], "b": ["x", None], "c": [None, 2]}
    assert arrow.schema.metadata[b"title"] == b"Title"
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert frame.attrs["units"] == {"a": "share", "b": "", "c": ""}
    assert list(frame["a"]) == [1.0, 0.5]
    with pytest.raises(MissingPackage, match="run: pip install nowhere"):
        load_package("revkit_nowhere_to_be_found", "nowhere")


def test_progress_in_a_pipe_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stderr", out)
    now = [0.0]
    progress = LineProgress(10, None, lambda: now[0])
    for second in range(100):
        now[0] = float(second)
        progress.item()
    assert out.getvalue().splitlines() == [
        "0:10  0 of 10 papers, 11 variants and reviews",
        "0:40  0 of 10 papers, 41 variants and reviews",
        "1:10  0 of 10 papers, 71 variants and reviews",
    ]
    assert isinstance(progress_for(1, 1, quiet=False), LineProgress)
    assert not isinstance(progress_for(1, 1, quiet=True), LineProgress)
