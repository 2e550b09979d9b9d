"""No pattern of the product takes more than time in proportion to the text it reads."""

import re
from functools import cache

import pytest

from tests.pattern_attacks import Found, all_patterns, blows_up, growth

# Read on text of at most this many characters, or on text that no paper and no reply writes.
BOUNDED = {
    "inline_patterns._LETTERS_BEFORE": "12 characters",
    "line_kinds._STOPPED": "28 characters",
    "sentence_ends._WORD_BEFORE": "24 characters",
    "ratings._FORMS": "1,000 characters",
    "external.packages:": "names of installed files",
    "searchers.entries:": "names, cut at a fixed length",
    "perturbations.connectors:": "30 characters",
    "complete_sentences._ENDING": "400 characters",
}
# Modules (by their last name) that make patterns when called: of escaped words of data or of a
# template, never of the text of a paper, a reply or an option. Patterns that users write are run by
# the package `regex` with a time limit (`revkit_external.parse.patterns`).
MADE_BY_CALLS = {
    "citation_sites",  # the escaped name of a subject
    "operations",
    "paragraph_faults",  # the escaped name of a system
    "anchor_index",
    "attribute_rules",  # expressions of the parser's model, which is read behind its digest
    "baseline",
    "citation_outcomes",
    "citation_matches",
    "connectors",
    "direction",
    "hedge_lexicon",
    "lists",
    "item_checks",
    "latex_definitions",
    "latex_macros",
    "length_trims",
    "llm_hedging",
    "measures",
    "missing_content",
    "missing_mentions",
    "missing_topics",
    "names",
    "plain_schema",
    "repair",
    "missing_headings",
    "restatement",
    "reviewers",
    "scaffold",
    "scanner",
    "substitutions",
    "trouble",
    "yaml_source",
    "wide_tables",
    "merged_faults",  # an escaped number
    "table",  # the escaped words of a term
}


@cache
def collected() -> tuple[list[Found], list[str]]:
    return all_patterns()


def test_patterns_are_found_wherever_they_are_written() -> None:
    patterns, made = collected()
    places = {found.place.split(":")[0] for found in patterns}
    assert len(patterns) > 600
    assert {"revkit.model.inline.TAG", "revkit.model.blocks._YAML_KEY"} <= places
    assert any(place.endswith(".MARKERS_ALONE") for place in places)
    assert {place.split(":")[0].rpartition(".")[2] for place in made} <= MADE_BY_CALLS


def test_no_pattern_takes_exponential_time() -> None:
    slow = [(found.place, blows_up(found)) for found in collected()[0]]
    assert [(place, attack) for place, attack in slow if attack] == []


@pytest.mark.slow
def test_time_grows_in_proportion_to_the_text() -> None:
    grown = [(found.place, growth(found)) for found in collected()[0]]
    assert [
        (place, attack)
        for place, attack in grown
        if attack and not any(part in place for part in BOUNDED)
    ] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pattern", "exponential", "superlinear"),
    [(r"(?:a|aa)+c", True, True), (r"\s+x", False, True), (r"(?<!\s)\s+x", False, False)],
)
def test_the_attacks_find_slow_patterns(pattern: str, exponential: bool, superlinear: bool) -> None:
    found = Found("here", re.compile(pattern), frozenset(("search",)))
    assert (blows_up(found) is not None) == exponential
    assert (growth(found) is not None) == superlinear
