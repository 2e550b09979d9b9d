"""AI-Scientist: the 46 parsed papers of ICLR 2022 with their table, the papers it wrote, and
irregular folders by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from revkit.errors import RunError
from revkit.model.paper import Labels, Paper, Skipped
from revkit.testing import context
from revkit_corpora.aiscientist import AIScientist

Load = Callable[[AIScientist], tuple[list[Paper], list[Skipped]]]


def test_iclr_2022(shared_data: Path, load: Load) -> None:
    """46 texts (22 reject, 16 poster, 5 spotlight, 3 oral); 380 rows, so 334 without a text."""
    papers, skipped = load(AIScientist(path=str(shared_data / "iclr2022_aiscientist")))
    assert (len(papers), len(skipped)) == (46, 334)
    assert {s.reason for s in skipped} == {"no text for this row of ratings"}
    assert Counter(p.labels.decision for p in papers) == {
        "Reject": 22,
        "Accept (Poster)": 16,
        "Accept (Spotlight)": 5,
        "Accept (Oral)": 3,
    }
    assert Counter(p.labels.accept for p in papers) == {True: 24, False: 22}
    by_id = {paper.id: paper for paper in papers}
    assert by_id["-TSe5o7STVR"].labels.ratings == (6.0, 3.0, 8.0, 6.0, 8.0)
    assert by_id["-TSe5o7STVR"].labels.confidences == (None,) * 5
    assert (
        by_id["-TSe5o7STVR"].title
        == "NON-PARALLEL TEXT STYLE TRANSFER WITH SELF-PARALLEL SUPERVISION"
    )
    assert by_id["mFpP0THYeaX"].title == (
        "GRADUAL DOMAIN ADAPTATION IN THE WILD: WHEN INTERMEDIATE DISTRIBUTIONS ARE ABSENT"
    )
    assert all(paper.title for paper in papers)
    removed = [p for p in papers if any("control character" in note for note in p.notes)]
    assert len(removed) == 27
    assert not any("\x00" in p.text for p in papers)


def test_folder_of_texts_finds_the_table_above(shared_data: Path) -> None:
    above, inside = (
        AIScientist(path=str(shared_data / name))
        for name in ("iclr2022_aiscientist", "iclr2022_aiscientist/iclr_parsed")
    )
    assert above.identity() == inside.identity()


def test_papers_that_ai_scientist_wrote_have_no_labels(shared_data: Path, load: Load) -> None:
    papers, skipped = load(AIScientist(path=str(shared_data / "aiscientist_ai_papers")))
    assert (len(papers), skipped) == (7, [])
    assert {p.labels.accept for p in papers} == {None}


def put(root: Path, table: str) -> None:
    for id_, text in (("a", "# A\n\nText."), ("2604.01960", "# N\n\nText."), ("b", "\x00")):
        (root / f"{id_}.txt").write_text(text)
    (root / "ratings_subset.tsv").write_text(table)


def test_irregular_rows(tmp_path: Path, load: Load) -> None:
    put(
        tmp_path,
        "paper_id\t0\t1\tdecision\n"
        "a\t10.0\t11\tnot accept\n\n"
        "gone\t5.0\t\tReject\n"
        "b\t5.0\t5.0\tReject\n",
    )
    papers, skipped = load(AIScientist(path=str(tmp_path)))
    assert [p.id for p in papers] == ["2604.01960", "a"]
    assert papers[0].labels == Labels()
    assert papers[0].notes == ("no row in the table of ratings: no labels",)
    assert papers[1].labels.ratings == (10.0,)
    assert (papers[1].labels.accept, papers[1].labels.decision) == (None, "not accept")
    assert papers[1].notes == (
        "unknown decision 'not accept': read as neither accept nor reject",
        "rating 1: rating '11' is outside the scale 1 to 10: left out",
    )
    assert [(s.id, s.reason) for s in skipped] == [
        ("b", "no text"),
        ("gone", "no text for this row of ratings"),
    ]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("id\tdecision\n", "lacks the column paper_id"),
        ("", "names nothing"),
        ("paper_id\tdecision\na\tReject\na\tAccept\n", "line 3: id 'a' given twice"),
        ("paper_id\tdecision\n\tReject\n", "line 2: no id"),
        ("paper_id\tdecision\na\tReject\tx\n", "line 2: 3 cells, but 2 columns"),
    ],
)
def test_broken_table(tmp_path: Path, table: str, message: str) -> None:
    put(tmp_path, table)
    with pytest.raises(RunError, match=message):
        list(AIScientist(path=str(tmp_path)).papers(context()))


def test_wrong_paths(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"contains no \.txt file"):
        AIScientist(path=str(tmp_path)).papers(context())
    put(tmp_path, "paper_id\tdecision\n")
    with pytest.raises(RunError, match="correct the option ratings"):
        AIScientist(path=str(tmp_path), ratings=str(tmp_path / "no.tsv")).papers(context())
    with pytest.raises(RunError, match="is a file; set path to the folder"):
        AIScientist(path=str(tmp_path / "a.txt")).papers(context())
