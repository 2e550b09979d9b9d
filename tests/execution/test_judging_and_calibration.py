"""Judges, anchors, maps and peers in a whole run: counted, stored, exported and replayed."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

import revkit
from revkit.contracts import Agent, Calibrator, Context, Corpus, Curve, Metric, Perturbation, Rubric
from revkit.errors import SpecError, TooFewAnchors
from revkit.model.criterion import Criterion
from revkit.model.edits import Edit
from revkit.model.paper import Labels, Material, Paper, Skipped
from revkit.model.records import Records
from revkit.model.review import Failure, Review, Scale
from revkit.model.table import Column, Table
from revkit.model.variant import Rejection
from revkit.options import option
from revkit.testing import toys

Run = Callable[..., Any]
SEVERITY = Scale("severity", 0, 100, higher_is_better=False, accept_at=50)


@dataclass(frozen=True)
class Short(Rubric):
    """Is it short?"""

    name: ClassVar[str] = "short"
    version: ClassVar[str] = "1"
    called: str = option("short", help="Name of the criterion.")

    @property
    def criterion(self) -> Criterion:
        return Criterion(self.called, "Is it short?", ((1, "no"), (2, "yes")))


@dataclass(frozen=True)
class Counting(Agent):
    """Reviews by counting words; judges short what has at most ``most`` words, and fails "bad"."""

    name: ClassVar[str] = "counting"
    version: ClassVar[str] = "1"
    deterministic: ClassVar[bool] = True
    scale = SEVERITY
    most: int = option(5, help="Words of a short text.")
    step: float = option(10.0, help="Points a word.")

    def review(self, paper: Paper, ctx: Context) -> revkit.Outcome:
        if "bad" in paper.text:
            return Failure("refusal", "it says bad", "no")
        score = min(100.0, self.step * len(paper.text.split()))
        return Review(score <= 50, score)

    def judge(self, paper: Paper, criterion: Criterion, ctx: Context) -> revkit.Outcome:
        if "bad" in paper.text:
            return Failure("refusal", "it says bad", "no")
        if "odd" in paper.text:
            return Review(score=1.5)
        if "mute" in paper.text:
            return Review(text="I would rather not say")
        return Review(score=2.0 if len(paper.text.split()) <= self.most else 1.0)


@dataclass(frozen=True)
class Words(Corpus):
    """Papers of 1, 2, 3, ... words whose severity is ten for each word."""

    name: ClassVar[str] = "words"
    version: ClassVar[str] = "1"
    most: int = option(8, help="Words of the longest.")
    last: str = option("", help="A word at the end of the longest.")
    skip: int = option(0, help="Records that are no papers.")

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        for number in range(self.skip):
            yield Skipped(f"s{number}", "no text", "here")
        for number in range(1, self.most + 1):
            words = [f"word{i}" for i in range(number)]
            if number == self.most and self.last:
                words[-1] = self.last
            labels = Labels(severity=10.0 * number, topic="even" if number % 2 == 0 else "odd")
            materials = (Material("question", f"Question {number % 3}?"),)
            yield Paper(f"p{number}", " ".join(words) + ".", "", labels, materials=materials)

    def count(self) -> int:
        return self.most


@dataclass(frozen=True)
class Borrow(Perturbation):
    """Appends the text of a peer with the same topic that answers another question."""

    name: ClassVar[str] = "borrow"
    version: ClassVar[str] = "1"
    uses: ClassVar[Any] = ("corpus",)

    def perturb(self, paper: Paper, ctx: Context) -> Any:
        peers = ctx.peers()
        own = next(peer for peer in peers if peer.paper.digest == paper.digest)
        others = [
            peer.paper.text
            for peer in peers
            if peer.topic == own.topic and peer.paper.materials != paper.materials
        ]
        if not others:
            return Rejection("no peer")
        return [Edit(len(paper.text), len(paper.text), " " + ctx.rng.choice(others))]


class Line(Curve):
    """A line through zero."""

    def __init__(self, slope: float) -> None:
        self.slope = slope

    def __call__(self, raw: Any) -> Any:
        return [min(100.0, self.slope * float(value)) for value in raw]

    def extrapolated(self, raw: Any) -> Any:
        return [value > 80 for value in raw]

    def to_json(self) -> Any:
        return {"slope": self.slope}


@dataclass(frozen=True)
class Slope(Calibrator):
    """The ratio of the means."""

    name: ClassVar[str] = "slope"
    version: ClassVar[str] = "1"
    fewest: int = option(2, help="Anchors needed.")

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        if len(raw) < self.fewest:
            raise TooFewAnchors(f"{len(raw)} anchors")
        return Line(sum(target) / sum(raw))

    def load(self, value: Any) -> Curve:
        return Line(value["slope"])


@dataclass(frozen=True)
class Crashing(Calibrator):
    """Crashes."""

    name: ClassVar[str] = "crashing"
    version: ClassVar[str] = "1"

    def fit(self, raw: Any, target: Any, weights: Any = None) -> Curve:
        raise ZeroDivisionError("as told")


@dataclass(frozen=True)
class Shown(Metric):
    """What the records hold of judgements and maps."""

    name: ClassVar[str] = "shown"
    version: ClassVar[str] = "1"

    def measure(self, records: Records) -> Table:
        anchors = records.anchors
        maps = [] if anchors is None else anchors.maps
        rows: list[dict[str, Any]] = [
            {"name": f"{found.agent}/{found.name}", "value": found.curve([10.0])[0]}
            for found in maps
            if found.curve is not None
        ]
        rows += [
            {"name": f"{j.paper}{j.perturbation}", "value": j.score} for j in records.judgements
        ]
        return Table.of(self.name, "Shown", [Column("name"), Column("value")], rows, headline=True)


PARTS: list[Any] = [Short, Counting, Words, Borrow, Slope, Crashing, Shown]


def spec(**sections: Any) -> dict[str, Any]:
    return {
        "revkit": 1,
        "name": "t",
        "seed": 3,
        "corpus": "words",
        "metrics": ["shown"],
        **sections,
    }


def judged(**corpus: Any) -> dict[str, Any]:
    return spec(
        corpus={"use": "words", "with": corpus},
        perturbations={"borrow": "borrow"},
        judges={"j": "counting"},
        rubrics=["short"],
        repeats=2,
    )


def calibrated(**calibration: Any) -> dict[str, Any]:
    return spec(
        agents={"a": "counting", "b": {"use": "counting", "with": {"step": 5.0}}},
        calibration={"maps": {"line": "slope"}, **calibration},
    )


def test_every_text_is_judged_and_what_is_no_score_is_a_failure(run_toy: Run) -> None:
    run = run_toy(judged(most=6, last="odd"), plugins=PARTS)
    made = sum(not variant.rejected for variant in run.records.variants)
    assert len(run.records.judgements) == 2 * (6 + made)
    by_place = {(j.paper, j.perturbation, j.repeat): j for j in run.records.judgements}
    assert by_place["p5", "", 0].score == 2.0
    assert by_place["p6", "", 1].failure == "schema"
    assert by_place["p6", "", 1].score is None
    # A borrowed text is longer than five words here but for the two shortest peers.
    assert {j.score for j in run.records.judgements} == {1.0, 2.0, None}
    assert run.exit_code == 1
    assert "judgement" in run.closing
    assert not run.records.agents


def test_a_judgement_without_a_score_is_a_failure(run_toy: Run) -> None:
    run = run_toy({**judged(most=2, last="mute"), "perturbations": {}}, plugins=PARTS)
    assert [j.failure for j in run.records.judgements] == ["", "", "schema", "schema"]


def test_a_judge_is_no_agent_to_be_tried_and_the_message_says_what_to_do() -> None:
    with pytest.raises(SpecError, match="'j' is a judge, and only agents are tried"):
        revkit.check_agent(judged(), "j", plugins=PARTS)


def test_a_second_run_computes_nothing_but_failures(run_toy: Run) -> None:
    first = run_toy(judged(most=6, last="bad"), plugins=PARTS)
    again = run_toy(judged(most=6, last="bad"), out="again", plugins=PARTS)
    assert again.counts.computed == sum(bool(j.failure) for j in first.records.judgements) > 0
    assert again.table("shown") == first.table("shown")


def test_threads_and_order_change_no_donor(run_toy: Run) -> None:
    one = run_toy({**judged(), "workers": 1}, store="one.db", plugins=PARTS)
    many = run_toy({**judged(), "workers": 8}, out="many", store="many.db", plugins=PARTS)
    assert list(one.rows("edits")) == list(many.rows("edits"))
    assert all(row["new"].startswith(" word") for row in one.rows("edits"))


def test_another_corpus_gives_other_donors_and_is_not_answered_from_the_store(run_toy: Run) -> None:
    run_toy(judged(most=6), plugins=PARTS)
    more = run_toy(judged(most=7), out="more", plugins=PARTS)
    # All variants anew, since a peer was added; the judgements of the six papers are known.
    assert more.counts.computed >= 7 + 2
    again = run_toy(judged(most=7), out="again", plugins=PARTS)
    assert again.counts.computed == 0


def test_only_perturbations_see_the_corpus(run_toy: Run) -> None:
    @dataclass(frozen=True)
    class Peeping(Counting):
        """Looks at other papers."""

        name: ClassVar[str] = "peeping"
        uses: ClassVar[Any] = ("corpus",)

    with pytest.raises(SpecError, match="only perturbations and constraints may see the corpus"):
        run_toy(spec(agents={"a": "peeping"}), plugins=[*PARTS, Peeping])


def test_a_map_for_each_agent_and_way(run_toy: Run) -> None:
    given = calibrated(anchors={"use": "words", "with": {"most": 5, "skip": 2}}, repeats=2)
    given["calibration"]["maps"] |= {
        "many": {"use": "slope", "with": {"fewest": 9}},
        "c": "crashing",
    }
    run = run_toy(given, plugins=PARTS)
    anchors = run.records.anchors
    assert (len(anchors.papers), len(anchors.verdicts)) == (5, 20)
    assert anchors.skipped == {"no text": 2}
    maps = {(found.agent, found.name): found for found in anchors.maps}
    # Agent a gives ten points a word, as the consensus has it; agent b five.
    assert maps["a", "line"].curve([10.0]) == [10.0]
    assert maps["b", "line"].curve([10.0]) == [20.0]
    assert maps["a", "many"].curve is None
    assert maps["a", "many"].refused.startswith("too_few")
    assert maps["b", "c"].refused == "crashed: ZeroDivisionError"
    assert [(fault.kind, fault.name) for fault in run.faults] == [("fit", "a/c"), ("fit", "b/c")]
    assert run.exit_code == 1
    assert len(list(run.rows("maps"))) == 6
    assert len(list(run.rows("scores"))) == 20


def test_the_share_set_aside_is_in_no_figure_and_does_not_depend_on_order(run_toy: Run) -> None:
    run = run_toy(
        {**calibrated(share=0.4), "corpus": {"use": "words", "with": {"most": 40}}}, plugins=PARTS
    )
    held, aside = run.records.papers, run.records.anchors.papers
    assert len(held) + len(aside) == 40
    assert not {row.id for row in held} & {row.id for row in aside}
    assert 5 <= len(aside) <= 28  # 16 expected, standard deviation 3.1
    fewer = run_toy(
        {**calibrated(share=0.4), "corpus": {"use": "words", "with": {"most": 30}}},
        out="fewer",
        plugins=PARTS,
    )
    assert {row.id for row in fewer.records.anchors.papers} <= {row.id for row in aside}


def test_failed_anchors_are_counted_and_left_out_of_the_map(run_toy: Run) -> None:
    given = calibrated(anchors={"use": "words", "with": {"most": 4, "last": "bad"}})
    run = run_toy(given, plugins=PARTS)
    assert sum(bool(verdict.failure) for verdict in run.records.anchors.verdicts) == 2
    maps = {found.agent: found for found in run.records.anchors.maps}
    assert maps["b"].curve([10.0]) == [20.0]
    assert "2 failed" in run.closing


@pytest.mark.parametrize("share", [False, True])
def test_export_and_replay(run_toy: Run, tmp_path: Path, share: bool) -> None:
    how = (
        {"share": 0.5}
        if share
        else {"anchors": {"use": "words", "with": {"last": "bad", "skip": 1}}}
    )
    given = {
        **calibrated(**how, maps={"line": "slope", "c": "crashing"}),
        "corpus": {"use": "words", "with": {"most": 12, "last": "bad"}},
        "perturbations": {"borrow": "borrow"},
        "judges": {"j": "counting"},
        "rubrics": ["short", {"use": "short", "with": {"called": "brief"}}],
        "reports": ["toy-report"],
    }
    run = run_toy(given, plugins=PARTS)
    assert run.records.anchors.papers
    bundle = tmp_path / "b.zip"
    plugins: list[Any] = [toys, *PARTS]
    revkit.export(tmp_path / "run", bundle, store=tmp_path / "store.db", plugins=plugins)
    shutil.rmtree(tmp_path / "run")
    again = revkit.replay(bundle, out=tmp_path / "again", plugins=plugins)
    assert again.identical, again.differences
    maps = [(found.agent, found.name) for found in again.run.records.anchors.maps]
    assert maps == [("a", "line"), ("a", "c"), ("b", "line"), ("b", "c")]
    assert again.run.faults == run.faults != ()


@dataclass(frozen=True)
class Filed(Agent):
    """Cannot be built without its file."""

    name: ClassVar[str] = "filed"
    version: ClassVar[str] = "1"
    scale = SEVERITY
    path: str = option(help="A file.")

    def __post_init__(self) -> None:
        Path(self.path).read_text(encoding="utf-8")

    def files_needed(self) -> Sequence[str]:
        return (self.path,)

    def identity(self) -> Any:
        return Path(self.path).read_text(encoding="utf-8")

    def review(self, paper: Paper, ctx: Context) -> revkit.Outcome:
        return Review(True, float(len(Path(self.path).read_text(encoding="utf-8"))))


def test_a_bundle_carries_the_files_of_components(run_toy: Run, tmp_path: Path) -> None:
    file = tmp_path / "form.yaml"
    file.write_text("12345", encoding="utf-8")
    run_toy(
        spec(agents={"f": {"use": "filed", "with": {"path": str(file)}}}), plugins=[*PARTS, Filed]
    )
    bundle, plugins = tmp_path / "b.zip", [toys, *PARTS, Filed]
    revkit.export(tmp_path / "run", bundle, store=tmp_path / "store.db", plugins=plugins)
    file.unlink()
    again = revkit.replay(bundle, out=tmp_path / "again", plugins=plugins)
    assert again.identical
    assert str(file) in (tmp_path / "again" / "spec.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("sections", "told"),
    [
        ({"judges": {"j": "counting"}}, "judges need rubrics"),
        (
            {"judges": {"j": "counting"}, "rubrics": ["short", "short"]},
            "appears twice in this list",
        ),
        ({"judges": {"j": "toy-length"}, "rubrics": ["short"]}, "cannot judge by rubrics"),
        (
            {"agents": {"a": "counting"}, "calibration": {"maps": {"x": "slope"}}},
            "anchors, or the share",
        ),
        (
            {"agents": {"a": "counting"}, "calibration": {"maps": {"raw": "slope"}, "share": 0.5}},
            "choose another name",
        ),
        ({"agents": {"a": "counting"}, "calibration": {"maps": {}, "share": 0.5}}, "maps"),
        (
            {"agents": {"a": "counting"}, "calibration": {"maps": {"x": "slope"}, "share": 1.5}},
            "share",
        ),
        (
            {"agents": {"a": {"use": "counting", "calibration": "no-such-map.json"}}},
            "no-such-map.json",
        ),
        ({}, "name at least one agent"),
    ],
)
def test_what_cannot_be_run_is_told(run_toy: Run, sections: dict[str, Any], told: str) -> None:
    with pytest.raises(SpecError, match=told):
        run_toy(spec(**sections), plugins=PARTS)
