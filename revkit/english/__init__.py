"""English: word lists for reviewers and perturbations, each in one data file, and articles.

====================== ==========================================================================
``hedges.tsv``         words that soften a statement
``negations.tsv``      words that deny
``comparisons.tsv``    words of comparison and direction
``directions.tsv``     words that say which part of a sentence causes, precedes or exceeds another
``function-words.tsv`` words that carry grammar and no content
``generic-nouns.tsv``  nouns that say nothing of a subject
``implicit-negations.tsv`` words and phrases that may express a negation
``negative-words.tsv`` words that say the opposite of their base
``opposites.tsv``      words with opposite meanings, by what they differ in
``quantities.tsv``     words that say how many, how often or within which bounds
``stop-words.tsv``     words that carry no content of a kind
``synonyms.tsv``       words that may replace each other, whatever the subject
====================== ==========================================================================

Each file lists a word once, with what it is used for: where two readers need different words, the
difference and its reason are in the file. A component that uses a list names the file in its
``data``, as ``revkit.english:negations.tsv``, so that a changed list changes its identity.
"""

from revkit.english.articles import article_before, article_for, repair_article
from revkit.english.generated_text import (
    capitalise,
    capitalise_as,
    enumerate_names,
    fill_slots,
    headline,
)
from revkit.english.language import is_english
from revkit.english.lists import (
    ImplicitKind,
    comparisons,
    compile_words,
    directions,
    function_words,
    generic_nouns,
    hedges,
    implicit_negations,
    negations,
    negative_words,
    opposites,
    quantities,
    stop_words,
    synonyms,
    table_rows,
)

__all__ = [
    "ImplicitKind",
    "article_before",
    "article_for",
    "capitalise",
    "capitalise_as",
    "comparisons",
    "compile_words",
    "directions",
    "enumerate_names",
    "fill_slots",
    "function_words",
    "generic_nouns",
    "headline",
    "hedges",
    "implicit_negations",
    "is_english",
    "negations",
    "negative_words",
    "opposites",
    "quantities",
    "repair_article",
    "stop_words",
    "synonyms",
    "table_rows",
]
