"""Works from records of many shapes, identifiers in one form, duplicates merged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.works import (
    Excluded,
    IrregularEntry,
    Work,
    any_identifier,
    entry_of,
    merge,
    plain,
    plain_url,
)
from revkit.works.records import from_inverted


@pytest.mark.parametrize(
    ("given_authors", "expected"),
    [
        (["Ada Lovelace", "Babbage, Charles"], ("Ada Lovelace", "Charles Babbage")),
        ([{"authorId": "1", "name": "Ada Lovelace"}], ("Ada Lovelace",)),
        ([{"author": {"display_name": "Ada Lovelace"}}], ("Ada Lovelace",)),
        ([{"given": "Ada", "family": "Lovelace"}], ("Ada Lovelace",)),
        ([{"first": "Ada", "last": "Lovelace"}], ("Ada Lovelace",)),
        ("Ada Lovelace; Charles Babbage", ("Ada Lovelace", "Charles Babbage")),
        ("Lovelace, Ada and Babbage, Charles", ("Ada Lovelace", "Charles Babbage")),
        ("Ada Lovelace, Charles Babbage", ("Ada Lovelace", "Charles Babbage")),
        ("Lovelace, A.", ("A. Lovelace",)),
        (["Ada Lovelace", None, "", 7, "et al."], ("Ada Lovelace", "et al.")),
        (None, ()),
        (7, ()),
    ],
)
def test_authors(given_authors: Any, expected: tuple[str, ...]) -> None:
    assert entry_of({"title": "T", "authors": given_authors}).work.authors == expected


def test_more_authors_than_anyone_reads() -> None:
    names = entry_of({"title": "T", "authors": [f"N{n} M" for n in range(3000)]}).work.authors
    assert (len(names), names[-1]) == (101, "et al.")


@pytest.mark.parametrize(
    ("field", "value", "expected", "unclear"),
    [
        ("year", 2024, 2024, False),
        ("year", "2024", 2024, False),
        ("year", 2024.0, 2024, False),
        ("publication_year", 2024, 2024, False),
        ("publicationDate", "2024-03-01", 2024, False),
        ("issued", {"date-parts": [[2024, 3]]}, 2024, False),
        ("year", True, None, True),
        ("year", 24, None, True),
        ("year", "2023-2024", None, True),
        ("year", "in press", None, True),
        ("year", None, None, False),
        ("year", "", None, False),
    ],
)
def test_years(field: str, value: Any, expected: int | None, unclear: bool) -> None:
    entry = entry_of({"title": "T", field: value})
    assert (entry.work.year, entry.unclear_year) == (expected, unclear)


@pytest.mark.parametrize("title", [None, "", "  ", "...", 7, [], {}, ["", "x"]])
def test_no_title_no_work(title: Any) -> None:
    with pytest.raises(IrregularEntry):
        entry_of({"title": title, "year": 2020})


def test_what_hides_goes_and_what_is_long_is_cut() -> None:
    assert plain("A\u202e b\u200b\x00 <jats:p>c</jats:p>\n\n&lt;d &amp; e", 100) == "A b c <d & e"
    assert plain("x < y and a<b>c</b>", 100) == "x < y and a c"
    assert plain("می‌خواهم", 100) == "می‌خواهم"  # a joiner that belongs to the word
    cut = plain("word " * 10_000, 50)
    assert len(cut) <= 50
    assert cut.endswith("…")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60) | st.text("<>&;/ibp \u202e", max_size=60), st.integers(1, 20))
def test_plain_text_is_short_and_stays_as_it_is(text: str, most: int) -> None:
    once = plain(text, most)
    assert len(once) <= most
    assert "\n" not in once
    once.encode()


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "https://a b/", "ftp://x", f"https://{'x' * 600}"],
)
def test_addresses_that_are_none(url: str) -> None:
    assert plain_url(url) == ""
    assert plain_url(" https://example.org/x?y=1\n") == "https://example.org/x?y=1"


def test_an_inverted_abstract() -> None:
    assert from_inverted({"We": [0, 3], "gate": [1], "tokens.": [2]}) == "We gate tokens. We"
    assert from_inverted({"a": [True], "b": "x", "c": [-1], "d": [10**9]}) == "d"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("arXiv:2401.00001v3", "arxiv:2401.00001"),
        ("https://arxiv.org/abs/2401.00001", "arxiv:2401.00001"),
        ("https://doi.org/10.1000/ABC", "doi:10.1000/abc"),
        ("doi:10.1000/ABC", "doi:10.1000/abc"),
        ("https://doi.org/10.48550/arXiv.2401.00001", "arxiv:2401.00001"),
        ("acl:P19-1001", "acl:P19-1001"),
        ("W123", "W123"),
        ("", ""),
    ],
)
def test_identifiers(text: str, expected: str) -> None:
    assert any_identifier(text) == expected


def test_crossref_and_dumps() -> None:
    work = entry_of(
        {
            "title": ["A Title"],
            "container-title": ["A Journal"],
            "author": [{"given": "Ada", "family": "Lovelace"}],
            "DOI": "10.1000/X",
            "issued": {"date-parts": [[2020]]},
            "URL": "https://doi.org/10.1000/x",
        }
    ).work
    assert work == Work(
        "A Title",
        ("Ada Lovelace",),
        2020,
        "A Journal",
        "doi:10.1000/x",
        "",
        "https://doi.org/10.1000/x",
    )


GATES = Work("Token Gates", ("Ada Lindqvist",), 2024, identifier="arxiv:2401.00001")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (replace(GATES, title="Token gates."), True),
        (replace(GATES, title="Another name", identifier="arxiv:2401.00001"), True),
        (replace(GATES, authors=("A. Lindqvist",), year=2026, identifier="doi:10.1000/x"), True),
        (replace(GATES, authors=(), year=None, identifier=""), False),
        (replace(GATES, identifier="arxiv:2401.00002"), False),
        (replace(GATES, authors=("Bo Chen",), identifier=""), False),
        (replace(GATES, year=2015, identifier=""), False),
        (replace(GATES, title="Token Gates II", identifier=""), False),
    ],
)
def test_duplicates(other: Work, same: bool) -> None:
    assert len(merge([GATES, other])) == (1 if same else 2)


def test_what_one_lacks_comes_from_the_other() -> None:
    later = replace(
        GATES, venue="J", abstract="We gate.", url="https://x.org", identifier="doi:10.1/x"
    )
    (work,) = merge([GATES, later])
    assert work == replace(GATES, venue="J", abstract="We gate.", url="https://x.org")


def test_works_left_out() -> None:
    excluded = Excluded(["TOKEN GATES!", "https://doi.org/10.1000/Y", ""])
    assert GATES in excluded
    assert Work("Other", identifier="doi:10.1000/y") in excluded
    assert Work("Other") not in excluded
    assert Work("…") not in Excluded(["", "…"])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        *("title", "authors", "authorships", "year", "venue", "journal", "abstract", "url", "ids"),
        *("abstract_inverted_index", "primary_location", "externalIds", "doi", "id", "keywords"),
    ]
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(KEYS, VALUES, max_size=8))
def test_any_record_is_a_sound_work_or_irregular(record: dict[str, Any]) -> None:
    try:
        work = entry_of(record).work
    except IrregularEntry:
        return
    assert Work.from_json(work.to_json()) == work
    assert work.title
    assert work.year is None or 1500 <= work.year <= 2100
    assert all(isinstance(name, str) and name for name in work.authors)
    assert work.url == "" or work.url.lower().startswith(("http://", "https://"))


def test_works_stored_before_there_was_a_ranker() -> None:
    stored = {key: value for key, value in GATES.to_json().items() if key != "ranked_by"}
    assert Work.from_json(stored) == GATES
    assert Work.from_json(replace(GATES, ranked_by="bm25").to_json()).ranked_by == "bm25"
