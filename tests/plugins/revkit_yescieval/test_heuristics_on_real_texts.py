"""The eighteen heuristics on six real syntheses, against outputs that were read by hand."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context, Perturbation
from revkit.model import Paper, Rejection
from revkit.model.variant import Layout
from revkit_yescieval.perturbations import PERTURBATIONS as ALL_PERTURBATIONS

PERTURBATIONS = [p for p in ALL_PERTURBATIONS if "llm" not in p.uses]
EXPECTED: dict[str, dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "heuristics_expected.toml").read_text(encoding="utf-8")
)
CASES = [(p, level) for p in PERTURBATIONS for level in ("subtle", "extreme")]


def test_all_eighteen_have_six_texts() -> None:
    assert len(EXPECTED) == 6
    names = {f"{family.name}-{level}" for family, level in CASES}
    assert len(names) == 18
    assert all(set(entry) == names for entry in EXPECTED.values())


@pytest.mark.parametrize("id_", EXPECTED)
@pytest.mark.parametrize(("family", "level"), CASES)
def test_a_real_text_becomes_what_was_read(
    family: type[Perturbation], level: str, id_: str, real: dict[str, Paper], among_real: Any
) -> None:
    paper, ctx = real[id_], among_real(1)
    assert isinstance(ctx, Context)
    edits = family(level=level).perturb(paper, ctx)  # type: ignore[call-arg]
    assert not isinstance(edits, Layout | Rejection)
    expected = EXPECTED[id_][f"{family.name}-{level}"]
    if family.name == "cohesion":
        sentences = [paper.text[s.start : s.end] for s in paper.sentences]
        head = paper.text[: paper.sentences[0].start]
        assert paper.edited(edits).text == head + " ".join(sentences[n - 1] for n in expected)
    else:
        assert [[paper.text[e.start : e.end], e.new] for e in edits] == expected


# The whole of one text each, for the heuristics that leave no choice.
STROKE = (
    " Statins have been shown to increase the risk of hemorrhagic stroke (HS), particularly in "
    "patients with a history of cerebrovascular events, with higher doses associated with an "
    "elevated risk (1)."
)
BOTH = (
    "statins also exhibit neuroprotective effects in ischemic stroke by mitigating mitochondrial "
    "dysfunction, suggesting a dual role in stroke outcomes (2)."
)


@pytest.mark.parametrize(
    ("name", "level", "text"),
    [
        ("cohesion", "subtle", f" However, {BOTH} {STROKE[1:]}"),
        ("completeness", "subtle", STROKE),
        ("integration", "subtle", f"{STROKE} S{BOTH[1:]}"),
        ("integration", "extreme", f"{STROKE} S{BOTH[1:].replace(' also', '')}"),
    ],
)
def test_whole_texts(
    name: str, level: str, text: str, real: dict[str, Paper], among_real: Any
) -> None:
    paper = real["row-0014-mistral-large-instruct"]
    assert paper.text == f"{STROKE} However, {BOTH}"
    family = next(p for p in PERTURBATIONS if p.name == name)
    edits = family(level=level).perturb(paper, among_real(3))  # type: ignore[call-arg]
    assert not isinstance(edits, Layout | Rejection)
    assert paper.edited(edits).text == text


def test_a_list_of_references_without_a_heading_is_no_prose(
    real: dict[str, Paper], among_real: Any
) -> None:
    """This synthesis ends with "References:" and six entries; all changes come before them."""
    paper = real["row-0003-meta-llama-3.1-8b-instruct"]
    at = paper.text.index("\n\nReferences:")
    tail = paper.text[at:]
    last = (
        "Overall, while there is some overlap between EoE and RE, specific clinical, endoscopic, "
        "and histologic features can help distinguish between these two conditions."
    )
    before = (
        "Furthermore, patients with EoE are more likely to respond to topical corticosteroids, "
        "whereas those with RE may benefit from PPI therapy (1, 6)."
    )
    assert paper.text[:at].endswith(f"{before} {last}")
    for family, level in CASES:
        edits = family(level=level).perturb(paper, among_real(2))  # type: ignore[call-arg]
        assert not isinstance(edits, Layout | Rejection), family.name
        assert paper.edited(edits).text.endswith(tail)
        changed = paper.edited(edits).text.removesuffix(tail)
        if (family.name, level) == ("cohesion", "subtle"):
            assert changed.endswith(f"{last} {before}")
        if (family.name, level) == ("completeness", "subtle"):
            assert changed == paper.text[:at].removesuffix(f" {last}")


def test_native_subtle_versions_agree(
    sheets: Path, real: dict[str, Paper], among_real: Any
) -> None:
    """YESciEval's own swap and removal, wherever we make one of the same text.

    They differ in seven of 154: four syntheses end with marks alone, "... physiology. (1, 3, 4)",
    which the native versions take for the last sentence (five cases), and one is broken text whose
    line "Paper 3" they take for a sentence (two cases).
    """
    import openpyxl

    book = openpyxl.load_workbook(sheets / "BioASQ_dataset_adversarial_subtle_clean.xlsx")
    rows = list(book.active.iter_rows(values_only=True))
    families = {family.name: family(level="subtle") for family in PERTURBATIONS}  # type: ignore[call-arg]
    agreed = {"cohesion": 0, "completeness": 0}
    compared = dict(agreed)
    for number, cells in enumerate(rows[1:], start=2):
        row = dict(zip(rows[0], cells, strict=True))
        for name in [n for n in row if n and n.endswith("_synthesis")]:
            model = name.removesuffix("_synthesis")
            paper = real[f"row-{number:04d}-{model}"]
            if row[name] != paper.text:
                continue  # this sheet has another text than the original one
            for rubric in agreed:
                edits = families[rubric].perturb(paper, among_real(1))
                theirs = row[f"{model}_subtle_{rubric}"] or ""
                if isinstance(edits, Layout | Rejection):
                    continue
                compared[rubric] += 1
                ours = paper.edited(edits).text
                agreed[rubric] += "".join(ours.split()) == "".join(theirs.split())
    assert compared == {"cohesion": 77, "completeness": 77}
    assert agreed == {"cohesion": 72, "completeness": 75}
