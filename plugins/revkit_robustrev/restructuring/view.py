"""A parsed sentence as the operations see it, and what an operation returns."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from revkit.dataclass import dataclass
from revkit.grammar import Parse, Token
from revkit_robustrev.guards import words

PRONOUNS = words(
    "it they them its their this these that those such he she his her itself themselves former"
    " latter one ones both each same another other others here so"
)
CLAUSES = ("ccomp", "relcl", "acl", "advcl", "xcomp", "parataxis", "conj", "pcomp")


@dataclass(frozen=True)
class Swap:
    """One replacement within a sentence: the characters ``start:end`` become ``new``."""

    start: int
    end: int
    new: str


@dataclass(frozen=True)
class Restructuring:
    """One way to restructure a sentence: what it is called in the record, and its replacements."""

    name: str
    pieces: tuple[Swap, ...]

    @property
    def span(self) -> tuple[int, int]:
        """From the first changed character to the last."""
        return min(p.start for p in self.pieces), max(p.end for p in self.pieces)


class View:
    """A parse with what several operations ask: the main clause, its subject, its last token."""

    def __init__(self, parse: Parse, text: str, *, ours: bool = False) -> None:
        self.parse = parse
        self.ours = ours  # whether the text around it speaks of what "we" did
        self.tokens = parse.tokens
        self.text = text  # the sentence as it is written; the parse has masks in it

    @cached_property
    def root(self) -> Token | None:
        """The finite verb of the main clause; None where there is none, or several roots."""
        if len(self.parse.roots) != 1:
            return None
        root = self.parse.roots[0]
        return root if root.pos in ("VERB", "AUX") else None

    @cached_property
    def subject(self) -> Token | None:
        """The subject of the main clause."""
        return None if self.root is None else self.parse.child(self.root, "nsubj", "nsubjpass")

    @cached_property
    def opens_with_subject(self) -> bool:
        """Whether the sentence begins with the subject of its main clause."""
        return self.subject is not None and self.first(self.subject) == 0

    @property
    def stop(self) -> int:
        """The index of the full stop; the number of tokens where there is none."""
        return len(self.tokens) - 1 if self.tokens[-1].text == "." else len(self.tokens)

    def at(self, index: int) -> Token:
        """The token at ``index``; the last one where the sentence ends before it."""
        return self.tokens[min(index, len(self.tokens) - 1)]

    def first(self, token: Token) -> int:
        return self.parse.subtree(token)[0].index

    def written(self, first: int, last: int) -> str:
        """The words from ``first`` to before ``last``, as they are written."""
        return self.text[self.tokens[first].start : self.tokens[last - 1].end]

    def exhibit(self, index: int) -> str:
        """The first word that is written at a token, in small letters; it may be masked."""
        return self.written(index, index + 1).split()[0].lower()

    def below(self, token: Token, deps: Iterable[str], before: int) -> bool:
        """Whether a relation of ``deps`` hangs anywhere below ``token``, left of ``before``."""
        wanted = frozenset(deps)
        return any(
            each.dep in wanted and each.index != token.index and each.index < before
            for each in self.parse.subtree(token)
        )

    def has_word(self, first: int, last: int, listed: frozenset[str]) -> bool:
        return any(token.lower in listed for token in self.tokens[first:last])

    def lowered(self, first: int, last: int) -> str:
        """The words with a small first letter, unless the first word is a name or an acronym."""
        text = self.written(first, last)
        token = self.tokens[first]
        stays = token.pos == "PROPN" or token.text == "I" or not token.text[1:].islower()
        if token.text in ("A",) or (
            token.pos in ("DET", "ADP", "PRON", "SCONJ") and token.text != "I"
        ):
            stays = False
        return text if stays else text[0].lower() + text[1:]

    def lacks_subject(self, verb: Token) -> bool:
        """Whether a finite verb behind ``verb`` shares its subject, whatever the parse says."""
        return any(
            (token.tag in ("VBZ", "VBP", "VBD") or self._loose(token))
            and self.tokens[token.index - 1].lower in (",", "and", "but")
            and not self.parse.child(token, "nsubj", "nsubjpass", "expl", "csubj")
            for token in self.tokens[verb.index + 1 :]
        )

    def _loose(self, token: Token) -> bool:
        """Whether a base verb is joined to no other base verb: "A is fixed and vary B"."""
        return (
            token.tag == "VB"
            and token.dep == "conj"
            and self.tokens[token.head].tag != "VB"
            and self.parse.child(token, "aux") is None
        )

    def plural(self, noun: Token) -> bool:
        """Whether a noun phrase takes a plural verb."""
        joined = self.parse.child(noun, "conj") and any(
            cc.lower == "and" for cc in self.parse.having(noun, "cc")
        )
        return bool(joined) or noun.tag in ("NNS", "NNPS") or noun.lower in ("these", "those")
