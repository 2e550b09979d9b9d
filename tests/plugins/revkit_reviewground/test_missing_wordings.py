"""The table of wordings by which a review says that its paper lacks something."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from revkit_reviewground.checks import missing_grammar
from revkit_reviewground.checks.missing_grammar import (
    AFTER,
    BEFORE,
    WORDINGS,
    Wording,
    read_wordings,
)

TABLE = Path(missing_grammar.__file__).parent / "missing-wordings.toml"
ROWS = [pytest.param(row, id=f"{row.kind}: {row.example}") for row in WORDINGS.rows]


@pytest.mark.parametrize("row", ROWS)
def test_every_wording_matches_its_example(row: Wording) -> None:
    assert re.search(WORDINGS.filled(row.pattern), f"{row.example} ", re.IGNORECASE)


@pytest.mark.parametrize("row", ROWS)
def test_the_joined_patterns_find_every_example(row: Wording) -> None:
    """A wording before the thing ends at its name, one after it starts there."""
    if row.kind == "before":
        assert BEFORE.search(f"{row.example} ")
    elif row.kind == "after":
        assert AFTER.match(f" {row.example}")
    else:
        assert AFTER.match(f" is {row.example}")


def test_every_wording_is_listed_once() -> None:
    keys = [(row.kind, row.pattern) for row in WORDINGS.rows]
    assert len(keys) == len(set(keys)) == 73


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('example = "lack"', 'sample = "lack"', "a row of before has the keys"),
        ("[frames]", '[[between]]\nwording = "x"\n[frames]', "unknown tables of wordings"),
        ("ADVERB = ", "NEVER = 'x'\nADVERB = ", "no wording has the fragments NEVER"),
    ],
)
def test_a_table_with_a_mistake_is_refused(old: str, new: str, reason: str) -> None:
    text = TABLE.read_text(encoding="utf-8")
    assert text.count(old) == 1
    with pytest.raises(ValueError, match=reason):
        read_wordings(text.replace(old, new))
