"""A made-up run: papers of real-looking prose, real edits of it, agents with planted habits."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import pytest

from revkit.contracts import RunView
from revkit.model.edits import Edit
from revkit.model.paper import Labels
from revkit.model.records import (
    AgentRow,
    PaperRow,
    PerturbationRow,
    Records,
    VariantRow,
    Verdict,
)
from revkit.model.review import Failure, FailureKind, Review, Scale
from revkit.model.table import Table
from revkit.model.variant import Check
from revkit_robustrev.metrics import METRICS

Outcomes = dict[tuple[str, str, str, int], list[Review | Failure]]
TEN = Scale("1-10", 1, 10, accept_at=6, values=tuple(range(1, 11)))
SEVERITY = Scale("severity", 0, 100, higher_is_better=False, accept_at=40)
FAMILIES = ("paraphrase", "citations", "hedging", "length")
SUBJECTS = ("The encoder", "Our estimator", "This schedule", "The proposed loss", "A small probe")
VERBS = ("improves", "reduces", "stabilises", "bounds", "recovers")
OBJECTS = ("the variance of the gradient", "test error on held-out sites", "the gap to the oracle")
TAILS = ("under mild noise", "across five seeds", "for all but two datasets [3]", "(see Table 2)")


@dataclass
class Habit:
    """How a made-up agent behaves: how often each family flips it, and how right it is."""

    flips: dict[str, float] = field(default_factory=dict)
    upward: float = 0.75
    right: float = 0.8
    scale: Scale = TEN
    verdict: bool | None = None
    fails: float = 0.0


HABITS = {
    "evidence-weigher": Habit(
        {"paraphrase": 0.02, "citations": 0.05, "hedging": 0.04, "length": 0.06}
    ),
    "citation-counter": Habit(
        {"paraphrase": 0.01, "citations": 0.62, "hedging": 0.01, "length": 0.1}
    ),
    "confidence-reader": Habit(
        {"paraphrase": 0.05, "citations": 0.02, "hedging": 0.44, "length": 0.08},
        right=0.68,
        fails=0.01,
    ),
    "length-reader": Habit(
        {"paraphrase": 0.02, "citations": 0.06, "hedging": 0.03, "length": 0.38},
        0.55,
        0.6,
        SEVERITY,
    ),
    "constant": Habit({}, verdict=True),
}


def prose(rng: random.Random) -> str:
    """One paper of four sections."""
    parts = []
    for heading in ("Introduction", "Method", "Experiments", "Limitations"):
        sentences = [
            f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)} {rng.choice(TAILS)}."
            for _ in range(8)
        ]
        parts.append(f"## {heading}\n\n{' '.join(sentences[:4])}\n\n{' '.join(sentences[4:])}")
    return f"# A study number {rng.randrange(10**6)}\n\n" + "\n\n".join(parts) + "\n"


def edits_for(text: str, family: str, rng: random.Random) -> list[Edit]:
    """A few edits of the kind that the family makes."""
    if family == "length":
        start = text.index("## Method")
        cut = text.index("\n\n", start + 12)
        return [Edit(start + 11, cut, "", "drops elaboration")]
    places = [i for i in range(len(text)) if text.startswith((" improves", " reduces"), i)]
    ends = [i for i in range(len(text) - 1) if text[i] == "." and text[i + 1] in " \n"]
    if family == "citations":
        chosen = sorted(rng.sample(ends, 4))
        return [Edit(i, i, f" [{20 + n}]", "adds a reference") for n, i in enumerate(chosen)]
    new = " may improve" if family == "hedging" else " betters"
    return [Edit(i, i + (9 if text[i + 1] == "i" else 8), new, family) for i in places]


def verdicts_of(
    name: str, habit: Habit, papers: Sequence[PaperRow], variants: Sequence[VariantRow], seed: int
) -> list[Verdict]:
    rng = random.Random(f"{seed} {name}")
    found: list[Verdict] = []
    before: dict[str, bool] = {}
    better = habit.scale.higher_is_better

    def score(accept: bool) -> float:
        if better:
            return float(rng.randint(6, 9) if accept else rng.randint(2, 5))
        return float(rng.randint(10, 40) if accept else rng.randint(45, 90))

    scores: dict[str, float] = {}
    for paper in papers:
        truth = bool(paper.labels.accept)
        accept = truth if rng.random() < habit.right else not truth
        accept = accept if habit.verdict is None else habit.verdict
        before[paper.id], scores[paper.id] = accept, score(accept)
        failure = "timeout" if rng.random() < habit.fails else ""
        found.append(_verdict(name, paper.id, "", 0, accept, scores[paper.id], failure))
    for variant in variants:
        if variant.rejected:
            continue
        accept = before[variant.paper]
        chance = habit.flips.get(variant.perturbation, 0.0) * 2
        chance *= (1 - habit.upward) if accept else habit.upward
        after = not accept if rng.random() < chance else accept
        moved = score(after) if after != accept or rng.random() < 0.2 else scores[variant.paper]
        failure = "unparseable" if rng.random() < habit.fails else ""
        place = (name, variant.paper, variant.perturbation, variant.index)
        found.append(_verdict(*place, after, moved, failure))
    return found


def _verdict(
    agent: str, paper: str, family: str, index: int, accept: bool, score: float, failure: str
) -> Verdict:
    if failure:
        return Verdict(agent, paper, family, index, 0, None, None, failure)
    return Verdict(agent, paper, family, index, 0, accept, score)


def outcomes_of(verdicts: Sequence[Verdict], change: Callable[[str], str]) -> Outcomes:
    """The review or the failure behind each verdict."""
    found: Outcomes = {}
    for each in verdicts:
        text = change(f"Same first line.\nThe score is {each.score}, see repeat {each.repeat}.")
        outcome: Review | Failure = Review(each.accept, each.score, text=text)
        if each.failure:
            kind: FailureKind = "timeout" if each.failure == "timeout" else "unparseable"
            reason = change(f"no answer within {each.repeat + 1} s")
            outcome = Failure(kind, reason, text)
        place = each.agent, each.paper, each.perturbation, each.index
        found.setdefault(place, []).append(outcome)
    return found


def gates(family: str, rng: random.Random) -> tuple[tuple[Check, ...], bool]:
    distance = round(rng.uniform(0.005, 0.054), 4)
    if family != "paraphrase":
        return (Check("claims-kept", 0.0, 0.0, True, "claims"),), True
    passed = distance < 0.05
    check = Check("same-meaning", distance, 0.05, passed, "cosine distance")
    return (check,), passed


def tables_of(records: Records, resamples: int) -> list[Table]:
    """Every table of ROBUST-REV, with few resamples to save time."""
    tables = []
    for metric in METRICS:
        options: dict[str, Any] = {"resamples": resamples}
        known = {field.name for field in fields(metric)}  # type: ignore[arg-type]
        tables.append(metric(**options if "resamples" in known else {}).measure(records))
    return tables


def make_run(
    papers: int = 40,
    habits: dict[str, Habit] | None = None,
    families: Sequence[str] = FAMILIES,
    labelled: bool = True,
    seed: int = 20260428,
    change_text: Callable[[str], str] = lambda text: text,
    title: str = "",
    skipped: dict[str, int] | None = None,
    resamples: int = 500,
    repeats: int = 1,
    change_review: Callable[[str], str] = lambda text: text,
) -> RunView:
    """A finished run with every table that the metrics give."""
    habits = HABITS if habits is None else habits
    rng = random.Random(seed)
    texts = {f"p{i:03d}": change_text(prose(rng)) for i in range(papers)}
    rows = []
    for name in texts:
        quality = rng.random()
        labels = Labels(accept=quality > 0.5, quality=quality) if labelled else Labels()
        rows.append(PaperRow(name, labels, words=400))
    variants, edits = [], {}
    for paper in rows:
        for family in families:
            made = edits_for(texts[paper.id], family, rng)
            checks, passed = gates(family, rng)
            edits[paper.id, family, 0] = made
            row = VariantRow(paper.id, family, 0, len(made), 0, checks)
            if not passed:
                gate = "same-meaning"
                row = replace(row, rejected=f"did not pass {gate}", outcome="gate", gate=gate)
            variants.append(row)
    verdicts = [
        replace(verdict, repeat=repeat)
        for name, habit in habits.items()
        for repeat in range(repeats)
        for verdict in verdicts_of(name, habit, rows, variants, seed + repeat)
    ]
    outcomes = outcomes_of(verdicts, change_review)
    records = Records(
        seed,
        repeats,
        rows,
        [PerturbationRow(name, name, "invariant") for name in families],
        [AgentRow(name, name, habit.scale, True) for name, habit in habits.items()],
        variants,
        verdicts,
        {"no text": 2} if skipped is None else skipped,
    )
    return RunView(
        name="robust",
        spec={"revkit": 1, "name": "robust", "seed": seed, "corpus": {"use": "synthetic"}},
        records=records,
        tables=tables_of(records, resamples),
        versions={"revkit": "0.1.0", "python": "3.11"},
        digest="0" * 64,
        text_of=texts.__getitem__,
        edits_of=lambda paper, family, index: edits[paper, family, index],
        title_of=lambda paper: title or f"A study of {paper}",
        outcomes_of=lambda *place: outcomes.get(place, ()),
    )


@pytest.fixture(scope="session")
def run() -> RunView:
    """The usual made-up run of 40 papers, made once."""
    return make_run()


@pytest.fixture(scope="session")
def made() -> Callable[..., RunView]:
    """Builds further runs."""
    return make_run


@pytest.fixture(scope="session")
def habit() -> type[Habit]:
    """The class that says how a made-up agent behaves."""
    return Habit
