"""Beside: what text in a file beside its pages is: hidden text, or a text to be read.

Alternative texts of pictures and attached data are usual. Such a text is a note, so that a person
can read it, and it is hidden text if it speaks to a reviewer, or is in a language whose words the
rule does not know. All other texts are hidden text if they are prose that the pages do not hold.
Texts of one kind are also read as one, since an order may be split over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from revkit.dataclass import dataclass
from revkit.papers import WORDS, ChannelKind, HiddenText, find_hidden_text, shorten
from revkit.papers.orders import addresses_reviewer, find_order, is_read, split_orders
from revkit.papers.prose import WORD, is_prose
from revkit.papers.prose import Body as PageBody

MOST_FINDINGS = 200
_LONGEST = 400
_FEWEST_IN_ROW = 3
_QUOTED = 3
_LONGEST_QUOTE = 80


@dataclass(frozen=True, slots=True)
class Beside:
    """One text beside the pages. ``evidence`` states its place.

    ``is_usual`` states that honest files have such a text; ``is_weighed`` that the text alone may
    be hidden text: a field for names or keywords is read only together with the others.
    """

    kind: ChannelKind
    page: int | None
    says: str
    evidence: str
    is_usual: bool = False
    is_weighed: bool = True


class Body(PageBody):
    """The words of all pages, to compare text beside the pages with."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._row = f" {' '.join(self.words)} "
        self._lines = {_row(line) for line in text.splitlines()}

    def is_new_prose(self, text: str) -> bool:
        """Whether ``text`` is prose that the pages do not hold."""
        return (_spells_unseen(text) or is_prose(text)) and not self.holds(text)

    def shows(self, text: str) -> bool:
        """Whether the pages show the words of ``text`` in a row, or as a line of the same words if
        they are fewer than three.
        """
        row = _row(text)
        return row in self._lines or (
            row.count(" ") + 1 >= _FEWEST_IN_ROW and f" {row} " in self._row
        )


def _row(text: str) -> str:
    return " ".join(word.casefold() for word in WORD.findall(text))


def _spells_unseen(text: str) -> bool:
    """Whether ``text`` has characters that spell words which no font shows."""
    return any(place.kind in ("tag-characters", "selectors") for place in find_hidden_text(text))


@dataclass
class Judged:
    """The findings among texts beside the pages, the notes on those to be read, and whether more
    findings were left out."""

    findings: list[HiddenText]
    notes: list[str]
    is_cut: bool


def judge(texts: Iterable[Beside], body: Body) -> Judged:
    """Find hidden text among ``texts``, in their order; those that a person reads become notes."""
    judged = Judged([], [], is_cut=False)
    noted: dict[ChannelKind, list[str]] = {}
    parts: dict[ChannelKind, list[Beside]] = {}
    for each in texts:
        if _is_hidden(each, body):
            is_long = each.is_usual and len(each.says) > _LONGEST
            _add(
                judged, replace(each, says=find_order(each.says) or each.says) if is_long else each
            )
        else:
            if each.is_usual and (each.kind == "attachment" or body.is_new_prose(each.says)):
                quote = each.evidence if each.kind == "attachment" else shorten(each.says)
                noted.setdefault(each.kind, []).append(quote)
            if not body.shows(each.says):
                parts.setdefault(each.kind, []).append(each)
        if judged.is_cut:
            break
    for split in parts.values():
        for each in _split(split):
            _add(judged, each)
    judged.notes += [_note(kind, quotes) for kind, quotes in noted.items()]
    return judged


def _is_hidden(each: Beside, body: Body) -> bool:
    says = each.says
    if not each.is_weighed:
        return False
    if each.kind == "attachment":
        return not each.is_usual or addresses_reviewer(says)
    if _spells_unseen(says):
        return True
    if addresses_reviewer(says):
        return not (body.shows(says) or body.holds(says))
    return body.is_new_prose(says) and not (each.is_usual and is_read(says, body))


def _add(judged: Judged, each: Beside) -> None:
    place = HiddenText(
        each.kind, None, None, None, shorten(each.says), each.page, None, each.evidence
    )
    if place in judged.findings:
        return
    if len(judged.findings) >= MOST_FINDINGS:
        judged.is_cut = True
    else:
        judged.findings.append(place)


def _split(parts: list[Beside]) -> Iterator[Beside]:
    """The orders that several texts of one kind spell together."""
    for start, end in split_orders([each.says for each in parts]):
        first = parts[start]
        says = " ".join(each.says[:_LONGEST] for each in parts[start:end])
        evidence = f"{first.evidence}; spelled by {end - start} texts, one after the other"
        yield Beside(first.kind, first.page, says, evidence)


def _note(kind: ChannelKind, quotes: list[str]) -> str:
    named = "; ".join(f'"{shorten(each)[:_LONGEST_QUOTE]}"' for each in quotes[:_QUOTED])
    more = f" and {len(quotes) - _QUOTED} more" if len(quotes) > _QUOTED else ""
    return f"to be read by a person: {WORDS[kind]}: {named}{more}"
