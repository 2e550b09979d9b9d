"""Works: identifiers, titles and names of publications, and whether two records are the same work.

================ ================================================================================
``folding`` titles and names as letters and digits, whatever their spelling ``identifiers`` DOIs,
arXiv numbers and others in one form; all that a text names ``names`` names of authors, split and
compared ``same`` the rules by which two records are one publication; records merged ``catalogue`` a
list of known works, and whether an entry of a reference list names one of them ``records`` a `Work`
from a record of a service or a dump ``bibtex`` works from BibTeX; ``tex`` reads its accents
``cleaning`` untrusted text on one line, without hidden characters ================
================================================================================
"""

from revkit.model.work import Work
from revkit.works.bibtex import parse_bibtex
from revkit.works.catalogue import Catalogue
from revkit.works.identifiers import (
    any_identifier,
    comparable,
    contradict,
    find_identifiers,
    identifier,
)
from revkit.works.names import (
    ET_AL,
    authors_agree,
    family_word,
    is_same_person,
    name_words,
    names_of,
    split_name,
    split_names,
)
from revkit.works.plain_text import plain, plain_url
from revkit.works.records import Entry, IrregularEntry, entry_of
from revkit.works.same import (
    YEARS_APART,
    Excluded,
    Publications,
    filled,
    find_same,
    identifiers_of,
    merge,
    same_title,
    same_work,
)
from revkit.works.title_keys import (
    content_words,
    fold,
    fold_words,
    is_short,
    title_key,
    title_words,
)

__all__ = [
    "ET_AL",
    "YEARS_APART",
    "Catalogue",
    "Entry",
    "Excluded",
    "IrregularEntry",
    "Publications",
    "Work",
    "any_identifier",
    "authors_agree",
    "comparable",
    "content_words",
    "contradict",
    "entry_of",
    "family_word",
    "filled",
    "find_identifiers",
    "find_same",
    "fold",
    "fold_words",
    "identifier",
    "identifiers_of",
    "is_same_person",
    "is_short",
    "merge",
    "name_words",
    "names_of",
    "parse_bibtex",
    "plain",
    "plain_url",
    "same_title",
    "same_work",
    "split_name",
    "split_names",
    "title_key",
    "title_words",
]
