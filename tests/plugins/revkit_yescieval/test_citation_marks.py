"""A borrowed sentence carries no citation mark in any form, and is whole without the mark."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from revkit_yescieval.perturbations.citation_marks import without_marks

PLAIN = "Insulin pumps improve the control of glucose in most children"
AT_THE_END = [
    " (1; 2)", " (1-3)", " (1, 2, 3, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 23, 26)",
    " [1, 2]", "[3]", "(4)", " (refs 1 and 2)", " (Refs. 1, 2; see also 4)", " (Paper 1, Paper 2)",
    " (Papers 1-3, 5 and 7)", " (from papers 1, 2, and 3)", " (study 2)", " (see 2)", " (#3)",
    " <sup>2</sup>", "^1,2", " \u00b9", "\u00b9\u207b\u00b3", " [[1](#bib.bib1)]", "[1](#bib.bib1)",
    " (*1*, *2*)", " (1)(2)", " (1) [2]", " \u30101\u3011", "\uff083\uff09", " [^1]", " {1}",
]  # fmt: skip
OTHERS = [
    "Insulin helps most children (Smith et al., 2019).", "Smith (2019) shows that insulin helps.",
    "Insulin helps according to Paper (2).", "Insulin helps, as reported (3).",
    "Insulin helps in (2).", "Insulin helps (1, 2, ..., 26).", "Insulin helps (Study One).",
    "As Paper 3 shows, insulin helps.", "Insulin (1) helps and pumps do, too.",
    "Insulin helps most children12.", "Insulin helps most children.12", "Insulin helps (Lee).",
    "The second study shows that insulin helps.", "Lee and colleagues saw that insulin helps.",
    "Insulin helps (Paper 1", "Insulin helps $^{1,2}$.", "Insulin helps [@lee2019].",
    "Insulin helps \\cite{lee}.", "Insulin helps, see 2.", "Insulin helps \u207d\u00b9\u207e.",
    "insulin helps most children (1).", "Insulin helps most children, and (1)",
]  # fmt: skip
WHOLE = [
    "The pandemic of COVID-19 began in March 2019.", "IL6 and CD4 grow in the presence of B12.",
    "It lowers the risk in adults (95% CI 1-2).", "It helps most children (n = 12).",
    "Vitamin D (25-OH) is low in winter.", "In 2019 the number of cases grew.",
    "Mortality was 2.0-fold higher in both groups.",
]  # fmt: skip


@pytest.mark.parametrize("mark", AT_THE_END)
def test_a_mark_at_the_end_is_left_out(mark: str) -> None:
    assert without_marks(f"{PLAIN}{mark}.") == f"{PLAIN}."


@pytest.mark.parametrize("sentence", OTHERS)
def test_a_sentence_that_needs_its_mark_is_not_used(sentence: str) -> None:
    assert without_marks(sentence) == ""


@pytest.mark.parametrize("sentence", WHOLE)
def test_numbers_that_are_no_marks_stay(sentence: str) -> None:
    assert without_marks(sentence) == sentence


ITEMS = st.sampled_from(["", "Paper ", "paper ", "Ref. ", "study ", "see ", "*", "#"])
NUMBERS = st.integers(1, 199)
JOINS = st.sampled_from([", ", "; ", ",", " and ", "-", "\u2013", " & ", ", and "])


@given(st.lists(st.tuples(ITEMS, NUMBERS, JOINS), min_size=1, max_size=25),
       st.sampled_from(["()", "[]", "{}", "\uff08\uff09", "\u3010\u3011"]))  # fmt: skip
def test_no_list_of_numbers_in_brackets_is_left(
    items: list[tuple[str, int, str]], brackets: str
) -> None:
    inside = "".join(f"{word}{number}{join}" for word, number, join in items[:-1])
    inside += f"{items[-1][0]}{items[-1][1]}"
    found = without_marks(f"{PLAIN} {brackets[0]}{inside}{brackets[1]}.")
    assert found in ("", f"{PLAIN}.")
    assert not re.search(r"\d", found)
