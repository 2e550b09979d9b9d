"""Cut a paper that does not fit a model's window, section by section."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.structure import SectionRole
from revkit.model.values import Json

T = TypeVar("T")
# Bytes of UTF-8 per token: a cautious estimate, the same that the gateway uses for prices.
BYTES_PER_TOKEN = 3.5

# Least important sections first. Abstract, introduction and conclusion are never cut.
_ORDER: tuple[SectionRole, ...] = (
    "appendix",
    "acknowledgements",
    "references",
    "related-work",
    "discussion",
    "limitations",
    "other",
    "method",
    "experiments",
    "results",
)

LEAST_KEPT = 0.25


def estimate_tokens(text: str) -> int:
    """Return the approximate number of tokens of ``text``."""
    return int(len(text.encode("utf-8", "replace")) / BYTES_PER_TOKEN) + 1


@dataclass(frozen=True)
class Cut:
    """A shortened text, the headings of the omitted sections, and the share of characters kept."""

    text: str
    left_out: tuple[str, ...]
    kept: float

    def to_json(self) -> dict[str, Json]:
        return {"left-out": list(self.left_out), "kept": round(self.kept, 4)}


@dataclass(frozen=True)
class _Section:
    start: int
    end: int
    role: SectionRole
    name: str


def cuts(paper: Paper) -> Iterator[Cut]:
    """Yield ever shorter texts of ``paper``, each with one more section replaced by a note. Within
    one kind of section the last is cut first. At least a quarter of the text remains: a review of
    less would not be a review of the paper."""
    sections = _sections(paper)
    dropped: list[_Section] = []
    for role in _ORDER:
        for section in reversed([each for each in sections if each.role == role]):
            dropped.append(section)
            cut = _cut(paper.text, sections, dropped)
            if cut.kept < LEAST_KEPT:
                return
            yield cut


def ask_shortened(
    paper: Paper, ask: Callable[[str], T | Failure]
) -> tuple[T | Failure, Cut | None]:
    """Ask about the whole text of ``paper``, and about ever shorter ones while the model's window
    is too small (a `Failure` of kind "context").

    The second value is the cut that was used: None for the whole text. If the paper does not fit
    at all, or too little of it would remain, the failure is returned.
    """
    outcome = ask(paper.text)
    if not does_not_fit(outcome):
        return outcome, None
    for cut in cuts(paper):
        outcome = ask(cut.text)
        if not does_not_fit(outcome):
            return outcome, cut
    return outcome, None


def does_not_fit(outcome: object) -> bool:
    """Return whether ``outcome`` is the failure of a prompt that is longer than the model's
    window.
    """
    return isinstance(outcome, Failure) and outcome.kind == "context"


def _cut(text: str, sections: list[_Section], dropped: list[_Section]) -> Cut:
    parts = []
    position = 0
    length = len(text)
    for section in sections:
        if section in dropped:
            parts.append(text[position : section.start])
            parts.append(f"[Section left out: {section.name}]\n\n")
            position = section.end
            length -= section.end - section.start
    parts.append(text[position:])
    names = tuple(section.name for section in sections if section in dropped)
    return Cut("".join(parts), names, length / len(text))


def _sections(paper: Paper) -> list[_Section]:
    """Return the sections below the title, each from its heading to the next heading."""
    text = paper.text
    starts = [
        (text.rfind("\n", 0, block.start) + 1, block.role, text[block.start : block.end])
        for block in paper.blocks
        if block.kind == "heading"
    ]
    ends = [*(start for start, _, _ in starts[1:]), len(text)][: len(starts)]
    return [
        _Section(start, end, role, " ".join(name.split())[:120])
        for (start, role, name), end in zip(starts, ends, strict=True)
        if role != "front" and end > start
    ]
