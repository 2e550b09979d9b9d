"""The evidence checks on reviews that people wrote: every mark, and the labels of those read.

`evidence-labels.jsonl` holds a line for each mark that was read next to its review and its paper:
corpus, paper, review, kind, certainty, place in the review, and the label. It holds no text. The
labels:

- right: the text of the paper contradicts the review;
- version: so it does, but the review probably speaks of an earlier version of the paper;
- wrong: a false alarm.

`evidence-labels-other.jsonl` holds the other marks: long quotations, and anchors that the text
cannot confirm. There, right means that the quotation is in the paper and longer than 20 words, or
that the text of the paper has no such place.

The reader was a language model, not a person, which knew the rules; it read each mark once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import table
from revkit.stats import wilson_interval
from revkit_reviewground.checks import Finding, check_review
from tests.plugins.revkit_reviewground.planted_papers import DATA
from tests.plugins.revkit_reviewground.unseen import read_cases, read_paper, statement

LABELS = Path(__file__).with_name("evidence-labels.jsonl")
OTHER = Path(__file__).with_name("evidence-labels-other.jsonl")
ANSWERS = Path(__file__).with_name("absence-answers.jsonl")
NAMES = ("right", "version", "wrong")


@dataclass(frozen=True, slots=True)
class HumanReview:
    """One review: its corpus, the id of its paper, its own, the paper's file, and its text."""

    corpus: str
    paper: str
    review: str
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Label:
    """The label of one mark, which starts at character ``at`` of the review."""

    corpus: str
    paper: str
    review: str
    kind: str
    certainty: str
    at: int
    label: str


def human_reviews(folder: Path = DATA) -> Iterator[HumanReview]:
    """The reviews of ICLR 2017 (PeerRead's layout) and of DISAPERE whose papers are there."""
    for path in sorted(folder.glob("peerread_layout/data/*/*/reviews/*.json")):
        [paper] = (path.parent.parent / "parsed_pdfs").glob(f"{path.stem}*")
        name = paper.relative_to(folder).as_posix()
        record = json.loads(path.read_text(encoding="utf-8"))
        for number, review in enumerate(record["reviews"]):
            yield HumanReview("iclr2017", path.stem, str(number), name, review["comments"])
    papers = {path.stem.split("_", 1)[1]: path for path in folder.glob("markdown_papers/*.md")}
    for path in sorted(folder.glob("disapere/final_dataset/*/*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        about = record["metadata"]
        text = "".join(one["text"] + one["suffix"] for one in record["review_sentences"])
        if about["forum_id"] in papers:
            name = papers[about["forum_id"]].relative_to(folder).as_posix()
            yield HumanReview("disapere", about["forum_id"], about["review_id"], name, text)


def marks(review: HumanReview) -> list[Finding]:
    """The marks that count: false and suspect ones; a quotation that is only long is true."""
    found = check_review(read_paper(review.file), {"comments": review.text})
    return [
        one for one in found if one.certainty in ("false", "suspect") and one.kind != "long-quote"
    ]


def read_labels(path: Path = LABELS) -> list[Label]:
    """The labels, in the order of the file. Raises `ValueError` for an unknown label."""
    lines = path.read_text(encoding="utf-8").splitlines()
    labels = [Label(**json.loads(line)) for line in lines]
    for label in labels:
        if label.label not in NAMES:
            raise ValueError(f"unknown label {label.label!r}")
    return labels


def count(labels: Sequence[Label]) -> tuple[int, int, int]:
    """How many are right, of an earlier version, and wrong."""
    right, version, wrong = (sum(one.label == name for one in labels) for name in NAMES)
    return right, version, wrong


def share(part: int, whole: int) -> str:
    """A share with its 95% Wilson interval."""
    if not whole:
        return "none"
    interval = wilson_interval(part, whole)
    return f"{part / whole:.2f} [{interval.low:.2f}, {interval.high:.2f}]"


def absences() -> list[tuple[bool, bool, bool]]:
    """Of each planted case that was answered: whether the claim is false, whether the rules mark
    it, and whether a language model did, which read only the passages of the verifier's prompt."""
    cases = read_cases()
    found = []
    for line in ANSWERS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        case = cases[row["case"]]
        paper = read_paper(case["paper"])
        review = {"weaknesses": statement(case, paper)}
        rules = any(
            one.kind == "missing" and one.certainty != "unverifiable"
            for one in check_review(paper, review)
        )
        found.append((bool(case["false"]), rules, bool(row["mark"])))
    return found


def _print_absences() -> None:
    rows = []
    cases = absences()
    for name, marked in (
        ("rules", [rules for _, rules, _ in cases]),
        ("verifier", [model for _, _, model in cases]),
        ("both", [rules or model for _, rules, model in cases]),
    ):
        hits = [mark for (false, _, _), mark in zip(cases, marked, strict=True) if false]
        alarms = [mark for (false, _, _), mark in zip(cases, marked, strict=True) if not false]
        total = sum(hits) + sum(alarms)
        rows.append(
            (name, share(sum(hits), len(hits)), share(sum(hits), total), sum(alarms), len(alarms))
        )
    table(("called missing", "recall", "precision", "false alarms", "controls"), rows)


def main() -> None:
    """Print the precision by kind, marks without a label, and the verifier beside the rules."""
    labels = read_labels()
    kinds = list(dict.fromkeys(one.kind for one in labels))
    groups = {kind: [one for one in labels if one.kind == kind] for kind in kinds}
    groups["without reviewers"] = [one for one in labels if one.kind != "reviewer"]
    groups["all"] = labels
    rows = []
    for name, group in groups.items():
        right, version, wrong = count(group)
        rows.append(
            (
                name, right, version, wrong,
                share(right + version, len(group)),
                share(right, right + wrong),
                share(right, len(group)),
            )
        )  # fmt: skip
    heads = ("kind", "right", "version", "wrong", "precision", "without versions", "versions wrong")
    table(heads, rows)
    other = read_labels(OTHER)
    right, version, wrong = count(other)
    print(f"\nother marks: {right} right, {version} of an earlier version, {wrong} wrong")
    if DATA.is_dir():
        known = {(one.corpus, one.paper, one.review, one.kind, one.at) for one in labels}
        reviews = list(human_reviews())
        new = [
            (each.corpus, each.paper, each.review, one.kind, one.at)
            for each in reviews
            for one in marks(each)
            if (each.corpus, each.paper, each.review, one.kind, one.at) not in known
        ]
        print(f"\n{len(reviews)} reviews; {len(new)} marks without a label:", *new, sep="\n")
        print()
        _print_absences()


if __name__ == "__main__":
    main()
