"""`meaning_changes`: apply all rules to one pair of sentences."""

from __future__ import annotations

from revkit.grammar import parsed, parser_available
from revkit.meaning.binding import Pairs, binding_changes, label_changes
from revkit.meaning.change import MeaningChange
from revkit.meaning.clauses import part_changes
from revkit.meaning.contrasts import contrast_changes, inclusion_changes, order_changes
from revkit.meaning.direction import direction_changes
from revkit.meaning.items import name_changes, number_changes
from revkit.meaning.polarity import polarity_changes
from revkit.meaning.quantity import quantity_changes
from revkit.meaning.roles import coordinated, role_changes
from revkit.meaning.scope import scope_changes
from revkit.meaning.small_edits import (
    Synonyms,
    adverb_changes,
    content_changes,
    modifier_changes,
    repeated_changes,
    superlative_changes,
    term_changes,
    word_changes,
)
from revkit.meaning.words import Words, small_edit


def meaning_changes(
    old: str, new: str, *, synonyms: Synonyms = frozenset(), parser: bool | None = None
) -> list[MeaningChange]:
    """Return the signs that ``new`` differs in meaning from ``old``; without any, the rewording
    passes.

    Both are English sentences, or runs of a few. ``synonyms`` are pairs of families (`family`)
    that may replace one another. ``parser`` states whether roles are compared on a parse; None:
    where the parser is installed. Blanks and line ends do not count. A pair without signs can still
    differ: a model or a person has to judge truth.
    """
    # A second blank would be a token of the parse.
    old, new = " ".join(old.split()), " ".join(new.split())
    if old == new:
        return []
    use = parser_available() if parser is None else parser
    before, after = Words(old), Words(new)
    directions = direction_changes(before, after)
    found = [
        *number_changes(before, after),
        *name_changes(before, after),
        *polarity_changes(before, after, directions.agreeing),
        *quantity_changes(before, after),
        *contrast_changes(before, after),
        *inclusion_changes(before, after),
        *order_changes(before, after),
        *word_changes(before, after, synonyms),
        *content_changes(before, after),
        *binding_changes(before, after),
        *label_changes(before, after),
        *part_changes(before, after),
        *directions.changes,
    ]
    if not found and small_edit(before, after):
        free: Pairs = coordinated(parsed([old])[0]) if use else frozenset()
        found += binding_changes(before, after, nouns=True, free=free)
    if not found and use:
        one, other = parsed([old, new])
        parses = (one, other)
        found = (
            term_changes(before, after, parses, synonyms)
            or modifier_changes(before, after, parses, synonyms)
            or adverb_changes(before, after, parses, synonyms)
            or repeated_changes(before, after, parses)
            or superlative_changes(before, after, parses)
        )
        found += role_changes(old, new)
        found += scope_changes(before, after, parses)
    return list(dict.fromkeys(found))  # several rules can see the same change
