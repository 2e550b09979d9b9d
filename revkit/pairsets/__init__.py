"""Pair sets: files of papers and their variants, frozen so that others can report against them.

`write_pair_set` makes one from the folder of a finished run, `read_header` and `read_papers` read
it, `read_family` gives the variants of one family. Every reader checks the digest of each row.
"""

from revkit.pairsets.reader import (
    Family,
    Frozen,
    FrozenFamily,
    Header,
    read_family,
    read_header,
    read_papers,
)
from revkit.pairsets.writer import Written, write_pair_set

__all__ = [
    "Family",
    "Frozen",
    "FrozenFamily",
    "Header",
    "Written",
    "read_family",
    "read_header",
    "read_papers",
    "write_pair_set",
]
