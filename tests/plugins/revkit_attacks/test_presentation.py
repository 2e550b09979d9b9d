"""Presentation, bias probes and tables: what is edited, and what stays as it is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from revkit.contracts import Perturbation
from revkit.errors import OptionError
from revkit.model import Edit, Paper, Rejection, Scale
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.options import from_options
from revkit.testing import context
from revkit_agents.evidence_weigher import EvidenceWeigher
from revkit_agents.impressed_reader import ImpressedReader
from revkit_attacks.bias_probe import BiasProbe
from revkit_attacks.metrics.presentation_gain import PresentationGain
from revkit_attacks.presentation import STANCES, Presentation
from revkit_attacks.tables import TableLayout, WorseValues
from revkit_corpora.synthetic import Synthetic

PAPER = Synthetic().paper(1, 5)
WAYS = [
    {"means": means, "mode": mode}
    for means, stance in STANCES.items()
    for mode in ("promote", "demote")
    if getattr(stance, mode)
]
PROBES = [
    ("gender", "feminine"),
    ("names", "eastern"),
    ("affiliation", "unknown"),
    ("country", "nigeria"),
    ("acceptance", "accepted"),
    ("spelling", "british"),
]


def edits_of(family: Perturbation, paper: Paper = PAPER) -> Sequence[Edit]:
    edits = family.perturb(paper, context(1))
    assert isinstance(edits, list), edits
    assert all(check.passed for check in family.gates(paper, edits, context(1)))
    return edits


@pytest.mark.parametrize("options", WAYS, ids=lambda o: f"{o['means']}-{o['mode']}")
def test_sentences_without_a_fact_come_into_paragraphs(options: dict[str, object]) -> None:
    edits = edits_of(from_options(Presentation, options))
    assert len(edits) == 3
    assert all(edit.start == edit.end and not any(map(str.isdigit, edit.new)) for edit in edits)


def test_both_directions_use_the_same_places() -> None:
    up, down = (edits_of(Presentation(mode=mode)) for mode in ("promote", "demote"))
    assert [edit.start for edit in up] == [edit.start for edit in down]


def test_what_cannot_be_combined_is_an_error() -> None:
    for options in ({"means": "discussion", "mode": "demote"}, {"means": "novelty", "count": 4}):
        with pytest.raises(OptionError):
            from_options(Presentation, options)
    with pytest.raises(OptionError):
        BiasProbe(probe="gender", value="prestigious")


@pytest.mark.parametrize(("probe", "value"), PROBES)
def test_a_probe_states_one_thing(probe: str, value: str) -> None:
    family = from_options(BiasProbe, {"probe": probe, "value": value})
    edits = edits_of(family)
    after = PAPER.edited(edits).text
    if probe != "spelling":
        [edit] = edits
        assert after.split("\n\n")[1] == edit.new.strip()
    assert family.direction(PAPER, edits) == value


def test_the_values_of_a_probe_differ_in_nothing_else() -> None:
    lines = [
        edits_of(BiasProbe(probe="affiliation", value=value))[0].new
        for value in ("prestigious", "unknown")
    ]
    assert lines[0].replace("a world-famous research university", "X") == lines[1].replace(
        "a small regional college", "X"
    )


def test_spelling_there_and_back() -> None:
    text = "# T\n\n## 1 Method\n\nWe optimize the behavior of `optimize` by Normalization.\n"
    british = Paper("p", text).edited(
        edits_of(BiasProbe(probe="spelling", value="british"), Paper("p", text))
    )
    assert "We optimise the behaviour of `optimize` by Normalisation." in british.text
    back = british.edited(edits_of(BiasProbe(probe="spelling", value="american"), british))
    assert back.text == text


TABLE = """# T

## 4 Results

Foo reaches 84.8 on A, and the wires 80.0.

Table 1: Accuracy.

| Method | A | B |
| --- | ---: | ---: |
| Wires | 80.0 | 60.5 |
| Gates | 82.0 | 62.0 |
| **Foo** | **84.8 ± 0.5** | 64.7 |
"""


def test_values_of_the_own_method_become_the_worst() -> None:
    paper = Paper("p", TABLE)
    after = paper.edited(edits_of(WorseValues(), paper)).text
    # 80.0 - (84.8 - 80.0) = 75.2, and 60.5 - (64.7 - 60.5) = 56.3.
    assert "| **Foo** | **75.2 ± 0.5** | 56.3 |" in after
    assert "Foo reaches 75.2 on A, and the wires 80.0." in after
    assert "| Gates | 82.0 | 62.0 |" in after
    error = Paper("p", TABLE.replace("Accuracy", "Error"))
    assert isinstance(WorseValues().perturb(error, context()), Rejection)


def test_layout_changes_no_cell() -> None:
    paper = Paper("p", TABLE)
    centred = paper.edited(edits_of(TableLayout(change="alignment"), paper)).text
    assert "| :---: | :---: | :---: |" in centred
    padded = paper.edited(edits_of(TableLayout(), paper)).text
    assert "|  Gates   |  82.0   |  62.0   |" in padded


def test_the_planted_reader_reacts_and_the_fair_one_does_not() -> None:
    for family, sign in ((Presentation(), 1), (Presentation(mode="demote"), -1)):
        variant = PAPER.edited(edits_of(family))
        before, after = (ImpressedReader().review(each, context()) for each in (PAPER, variant))
        assert before.score is not None
        assert after.score is not None
        assert (after.score - before.score) * sign > 0
        fair = [EvidenceWeigher().review(each, context()).score for each in (PAPER, variant)]
        assert fair[0] == fair[1]


def test_a_gain_is_split_by_the_measure_of_quality() -> None:
    scores = {
        ("a", ""): [4, 4], ("a", "f"): [8, 6], ("q", ""): [2, 2], ("q", "f"): [4, 2],
        ("a", "h"): [9, 9], ("q", "h"): [2, 2],
    }  # fmt: skip
    papers = [PaperRow("p0", PAPER.labels), PaperRow("p1", PAPER.labels)]
    agents = [AgentRow(name, name, Scale("s", 0, 10), True) for name in ("a", "q")]
    verdicts = [
        Verdict(agent, f"p{number}", family, 0, 0, None, score)
        for (agent, family), values in scores.items()
        for number, score in enumerate(values)
    ]
    families = [PerturbationRow("f", "f", "invariant"), PerturbationRow("h", "h", "decrease")]
    variants = [
        VariantRow(f"p{number}", family, 0, 1, 0, (), direction="promote")
        for family in ("f", "h")
        for number in (0, 1)
    ]
    found = Records(1, 1, papers, families, agents, variants, verdicts)
    [row] = PresentationGain(quality="q", resamples=100).measure(found).records()
    # Of 10 points: a gains 4 and 2, the measure 2 and 0; in points of 100 these are 30, 10 and 20.
    assert [round(float(str(row[k])), 6) for k in ("gain", "writing", "gaming")] == [30, 10, 20]
    assert (row["family"], row["direction"], row["pairs"], row["lost"]) == ("f", "promote", 2, 0)
    without = PresentationGain().measure(found)
    assert without.warnings[0].kind == "no-figure"


def test_a_score_that_falls_less_than_the_quality_does_not_rise() -> None:
    scores = {("a", ""): 6, ("a", "f"): 5, ("q", ""): 6, ("q", "f"): 2}
    names = [f"p{number}" for number in range(12)]
    papers = [PaperRow(name, PAPER.labels) for name in names]
    agents = [AgentRow(name, name, Scale("s", 0, 10), True) for name in ("a", "q")]
    verdicts = [
        Verdict(
            agent, name, family, 0, 0, None, score + ((agent, family) == ("q", "f")) * (number % 2)
        )
        for (agent, family), score in scores.items()
        for number, name in enumerate(names)
    ]
    variants = [VariantRow(name, "f", 0, 1, 0, (), direction="promote") for name in names]
    found = Records(
        1, 1, papers, [PerturbationRow("f", "f", "invariant")], agents, variants, verdicts
    )
    table = PresentationGain(quality="q", resamples=100).measure(found)
    assert table.findings[1].text.startswith(
        "a: the score is better than the quality explains in 1 of 1 kind of edits, most under "
        "f (+25.0 points"
    )
