"""Meaning: rules that find signs of a different meaning in two English sentences.

They look at what sentence embeddings do not see: numbers and what they belong to, names,
denials, opposites, quantities, roles, and small edits that nothing known explains.
"""

from revkit.meaning.change import ChangeKind, MeaningChange
from revkit.meaning.comparison import meaning_changes
from revkit.meaning.roles import Relation, relations, role_changes
from revkit.meaning.small_edits import Synonyms
from revkit.meaning.words import family

__all__ = [
    "ChangeKind",
    "MeaningChange",
    "Relation",
    "Synonyms",
    "family",
    "meaning_changes",
    "relations",
    "role_changes",
]
