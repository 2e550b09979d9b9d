"""Human scores without texts: what is read, what is left out, and what cannot be read at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from revkit.errors import OptionError, RunError
from revkit.model.consensus import consensus_of
from revkit.model.paper import Paper
from revkit.testing import context
from revkit_corpora.score_table import ScoreTable

TABLE = """id\t0\t1\t2\tdecision\tfield\tseverity
a\t5.0\t6\t\tReject\tvision\t40
b\t\t\t\tAccept (Oral)\t\t
c\t10\t11\tsix\tmaybe\tspeech\t140
"""


def read(path: Path, **options: object) -> list[Paper]:
    given = {"path": str(path), "ratings": ("0", "1", "2"), **options}
    found = list(ScoreTable(**given).papers(context()))  # type: ignore[arg-type]
    assert all(isinstance(paper, Paper) for paper in found)
    return found  # type: ignore[return-value]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "scores.tsv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_rows_are_papers_known_by_their_id(table: Path) -> None:
    a, b, c = read(table, decision="decision", topic="field")
    assert (a.id, a.title, a.text) == ("a", "a", "a")
    assert (a.labels.ratings, a.labels.rating_scale) == ((5.0, 6.0), "1-10")
    assert (a.labels.accept, b.labels.accept, c.labels.accept) == (False, True, None)
    assert (a.labels.topic, b.labels.ratings) == ("vision", ())
    assert len({paper.digest for paper in (a, b, c)}) == 3


def test_what_is_no_score_is_left_out_and_told(table: Path) -> None:
    *_, c = read(table, decision="decision")
    assert c.labels.ratings == (10.0,)
    message = " ".join(c.notes)
    assert "rating 1" in message
    assert "outside the scale" in message
    assert "rating 2" in message
    assert "not a score" in message


def test_the_consensus_follows_from_the_ratings_or_is_given(table: Path) -> None:
    a, b, c = read(table)
    # Ratings 5 and 6 of 1 to 10: mean 5.5, so (10 - 5.5) / 9 of the way to reject.
    found = consensus_of(a.labels)
    assert found is not None
    assert found.severity == pytest.approx(50.0)
    # The standard error of the mean of 5 and 6 is 0.5, and a point is 100 / 9 of severity.
    assert found.error == pytest.approx(0.5 * 100 / 9)
    assert consensus_of(b.labels) is None
    a, b, c = read(table, severity="severity")
    assert (a.labels.severity, b.labels.severity, c.labels.severity) == (40.0, None, None)
    assert "outside the scale" in " ".join(c.notes)


def test_a_table_that_cannot_be_read_is_an_error(table: Path, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="lacks the column 9"):
        read(table, ratings=("9",))
    with pytest.raises(RunError, match="is not a file"):
        read(tmp_path)
    with pytest.raises(OptionError, match="lowest"):
        read(table, scale=(10.0, 1.0))
    table.write_text("id\t0\na\t1\na\t2\n", encoding="utf-8")
    with pytest.raises(RunError, match="twice"):
        read(table, ratings=("0",))
