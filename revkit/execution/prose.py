"""Find papers without prose, which runs leave out: a reviewer has nothing to review in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from revkit.cache import KeyBase, Store
from revkit.model.paper import Paper, Skipped
from revkit.model.values import canonical_bytes

HasProse = Callable[[Paper], bool]

NO_PROSE = (
    "no prose: only headings, tables, formulas, code, references or text that a reader does not see"
)

_MOST = 5_000
_FEWEST_WORDS = 3
_FEWEST_LETTERS = 4
_LETTER = re.compile(r"[^\W\d_]")
_END = re.compile(r"[.!?\u3002\uff01\uff1f\u061f\u0964](?:\s|$|(?=[^\W\d_a-zA-Z]))")
_DOCUMENT = "\\begin{document}"
# A line of words with the end of a sentence. Headings and cells of tables have none.
_SENTENCE = re.compile(
    r"^[A-Z][a-z]{0,20}(?:,? [a-z]{1,20}){2}[^|\n]{0,2000}[a-z]{2}\.(?: [^|\n]*)?$(?!\n[=-]{2})",
    re.MULTILINE,
)
# What may begin text that a reader does not see, or that does not count as prose.
_DOUBT = re.compile(
    r"<|\\if|\\begin\{(?!abstract)|\\end\{document|\$\$|\\\[|```|~~~|^(?:---|:::)|reference|bibliograph|literature"
    r"|works cited",
    re.IGNORECASE | re.MULTILINE,
)


def paper_has_prose(paper: Paper) -> bool:
    """Return whether ``paper`` has a sentence of prose."""
    return _begins_with_prose(paper.text) or _has_prose(paper)


def skip_without_prose(items: Iterable[Paper | Skipped]) -> Iterator[Paper | Skipped]:
    """Yield ``items``, with a `Skipped` in place of each paper without prose."""
    for item in items:
        is_kept = isinstance(item, Skipped) or paper_has_prose(item)
        yield item if is_kept else Skipped(item.id, NO_PROSE, item.source)


class ProseOfPapers:
    """Whether papers have prose; ``store`` keeps the answers that need a parser."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._base = KeyBase.of("prose", (), seed=0)

    def __call__(self, paper: Paper) -> bool:
        """Return whether ``paper`` has a sentence of prose. Raises `StoreError` where the store
        fails.

        Nearly all papers are decided without parsing their text.
        """
        if _begins_with_prose(paper.text):
            return True
        key = self._base.item(paper.digest)
        known = self._store.get_json(key)
        if isinstance(known, dict) and isinstance(known.get("prose"), bool):
            return bool(known["prose"])
        found = _has_prose(paper)
        self._store.put(key, canonical_bytes({"prose": found}))
        return found


def _has_prose(paper: Paper) -> bool:
    """Return whether ``paper`` has words of prose, or a statement below its title or in so few
    words that it could be the label of a figure.
    """
    return paper.words > 0 or any(
        _is_statement(paper.text[block.start : block.end])
        for block in paper.blocks
        if (block.kind in ("front-matter", "quote") and block.role == "front")
        or (block.kind == "figure" and block.role != "references")
    )


def _is_statement(text: str) -> bool:
    """Return whether ``text`` is a statement rather than names of authors and places: several words
    with a full stop at the end, words of which most are in small letters, or a script without them
    that has the end of a sentence.
    """
    words = [word for word in text[:_MOST].split() if _LETTER.search(word) and "@" not in word]
    if len(words) > 1 and text.rstrip()[-1:] in (".", "!", "?"):
        return True
    letters = "".join(words)
    if letters.upper() == letters.lower():
        return len(letters) >= _FEWEST_LETTERS and _END.search(text[:_MOST]) is not None
    small = sum(word.lstrip("\"'([{*_").islower() for word in words)
    return len(words) >= _FEWEST_WORDS and 2 * small >= len(words)


def _begins_with_prose(text: str) -> bool:
    place = text.find(_DOCUMENT) if text.lstrip().startswith(("\\", "%")) else -1
    start = 0 if place < 0 or "\n#" in text[:place] else place + len(_DOCUMENT)
    found = _SENTENCE.search(text, start)
    if found is None or _DOUBT.search(text, start, found.start()):
        return False
    before = text[start : found.start()]
    return before.count("{") == before.count("}")
