"""Precision and recall on wordings that the checks were not written on, and on real reviews."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import lru_cache
from typing import Any

import pytest

from revkit_reviewground.checks import check_review
from tests.plugins.revkit_reviewground.planted_papers import DATA
from tests.plugins.revkit_reviewground.unseen import body, read_cases, read_paper, reviews

# The least recall, somewhat under what was measured. Each kind of each part must also be nearly
# always right where it speaks.
LEAST_RECALL = {
    ("A", "missing"): 0.90,
    ("B", "missing"): 0.80,
    ("C", "missing"): 0.82,
    ("D", "missing"): 0.62,
    ("A", "quote"): 0.92,
    ("B", "quote"): 0.92,
    ("A", "long-quote"): 0.95,
    ("B", "long-quote"): 0.95,
    ("A", "anchor"): 0.95,
    ("B", "anchor"): 0.95,
    ("A", "reviewer"): 0.90,
    ("B", "reviewer"): 0.90,
    ("A", "comparison"): 0.93,
    ("B", "comparison"): 0.93,
    ("D", "comparison"): 0.90,
}
LEAST_PRECISION = 0.98
absent = pytest.mark.skipif(not DATA.is_dir(), reason="the real papers lie outside the repository")


@lru_cache(maxsize=1)
def measured() -> dict[tuple[str, str], dict[str, list[dict[str, Any]]]]:
    """By part and kind: the cases found, missed, and flagged without fault."""
    cases = read_cases()
    hits: set[tuple[str, str]] = set()
    for paper, review in reviews(cases).values():
        for finding in check_review(paper, review):
            if finding.certainty != "unverifiable":
                hits.add((finding.field, finding.kind))
    found: dict[tuple[str, str], dict[str, list[dict[str, Any]]]] = defaultdict(
        lambda: {"found": [], "missed": [], "flagged": []}
    )
    for number, case in enumerate(cases):
        hit = (f"n{number}", case["kind"]) in hits
        name = ("found" if hit else "missed") if case["false"] else "flagged"
        if case["false"] or hit:
            found[case["half"], case["kind"]][name].append(case)
    return dict(found)


@pytest.mark.slow
@absent
@pytest.mark.parametrize(("half", "kind"), sorted(LEAST_RECALL))
def test_unseen_wordings(half: str, kind: str) -> None:
    tally = measured()[half, kind]
    right, wrong, missed = (len(tally[name]) for name in ("found", "flagged", "missed"))
    assert right / (right + wrong) >= LEAST_PRECISION, tally["flagged"]
    assert right / (right + missed) >= LEAST_RECALL[half, kind], [
        (case["form"], case["text"], case["paper"]) for case in tally["missed"]
    ]


def test_the_set_is_large_and_varied() -> None:
    cases = [case for case in read_cases() if case["kind"] == "missing"]
    assert sum(case["false"] for case in cases) >= 300
    assert sum(not case["false"] for case in cases) >= 300
    assert len({case["text"] for case in cases}) >= 300


@pytest.mark.slow
@absent
def test_what_is_called_missing_is_there_by_a_plain_search() -> None:
    for case in read_cases():
        if case["kind"] != "missing" or not case["pattern"]:
            continue
        text = read_paper(case["paper"]).text
        if case["false"]:
            assert re.search(case["pattern"], body(text), re.M), case
        else:
            assert not re.search(case["pattern"], text, re.I), case


@pytest.mark.slow
@absent
def test_people_are_hardly_ever_told_that_what_they_miss_is_there() -> None:
    count = found = 0
    for path in sorted((DATA / "peerread_layout").rglob("reviews/*.json")):
        text = path.parent.parent / "parsed_pdfs" / f"{path.stem}.pdf.json"
        if not text.is_file():
            continue
        paper = read_paper(str(text.relative_to(DATA)))
        for review in json.loads(path.read_text(encoding="utf-8"))["reviews"]:
            count += 1
            findings = check_review(paper, {"review": review["comments"] or ""})
            found += sum(finding.kind == "missing" for finding in findings)
    assert count > 250
    # A reader judged the marks that came up while the checks were written; none is left.
    assert found <= 2
