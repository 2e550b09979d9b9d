"""A text that holds its own reviews is named: when it is checked, in papers.csv, in the report."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import revkit
from revkit.api import check_papers
from revkit.papers import find_leaks, leaks, page_of

PRINT_OUT = """# Sparse gates

## Abstract

We count gates.

Paper Decision

Program Chairs. Decision: Accept (Poster)

Official Review of Paper7 by AnonReviewer2. Rating: 7: Good paper. Confidence: 4
"""


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        (PRINT_OUT, ("reviewers", "ratings", "confidences", "a decision", "reviews")),
        ("Reviewer xY3z Official Review. Rating: 3", ("reviewers", "ratings", "reviews")),
        ("We study the rating: 7 of 10 forums print a recommendation.", ()),
        ("Our model writes an Official Review for each paper.", ()),
        ("", ()),
    ],
)
def test_at_least_two_signs(text: str, signs: tuple[str, ...]) -> None:
    assert find_leaks(text) == signs


@settings(max_examples=50)
@given(st.data())
def test_a_text_with_two_signs_is_never_passed_over(data: st.DataObject) -> None:
    """The literals that are looked for first occur in whatever the signs match."""
    names = sorted(leaks._SIGNS)
    chosen = data.draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True))
    ascii = st.characters(codec="ascii")
    texts = [data.draw(st.from_regex(leaks._SIGNS[name], alphabet=ascii)) for name in chosen]
    assert {*chosen} <= {*find_leaks("\n".join(texts))}


def test_a_run_and_a_check_name_the_paper(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "print.md").write_text(PRINT_OUT, encoding="utf-8")
    (folder / "plain.md").write_text(PRINT_OUT.split("Paper Decision")[0], encoding="utf-8")
    spec: dict[str, Any] = {
        "revkit": 1,
        "name": "leaks",
        "seed": 1,
        "corpus": {"use": "markdown", "with": {"path": str(folder)}},
        "agents": {"counter": "citation-counter"},
        "metrics": ["clean-accuracy"],
        "reports": ["markdown"],
    }
    run = revkit.run(spec, out=tmp_path / "out", store=tmp_path / "store.sqlite")
    found = {paper.id: paper.leaks for paper in run.records.papers}
    assert found["plain"] == ()
    assert found["print"][:2] == ("reviewers", "ratings")
    with open(tmp_path / "out" / "records" / "papers.csv", encoding="utf-8") as file:
        cells = {row["id"]: row["leaks"] for row in csv.DictReader(file)}
    assert cells["plain"] == "[]"
    assert "a decision" in cells["print"]
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "1 of 2 papers hold their own reviews" in report
    readings, _ = check_papers(folder)
    assert [bool(reading.leaks) for reading in readings] == [False, True]
    assert "holds its own reviews: reviewers, ratings" in page_of(readings)
