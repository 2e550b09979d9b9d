"""`InstructionInjection`: a text to the reviewer, planted in the paper: payload, hide, place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from revkit.contracts import Context, Perturbation
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.files import Unreadable
from revkit.model import Check, Edit, Paper, Rejection
from revkit.model.latex_sign import is_latex
from revkit.model.values import Json, digest_of
from revkit.options import option, options_of, unknown_name
from revkit_attacks.hides import HIDES, CannotHide, Hide, Syntax
from revkit_attacks.marker import MARKER
from revkit_attacks.payloads import PAYLOADS, Arm, Draw, Language, Payload, read_payloads
from revkit_attacks.places import PLACES, Find, surrounded

_DRAWN = ("praise", "ignore-earlier", "demand-rating")


@dataclass(frozen=True)
class InstructionInjection(Perturbation):
    """Plant a text that orders the reviewer what to write: a payload, a hide and a place.

    Ye et al. (2024, "Are We There Yet? Revealing the Risks of Utilizing Large Language Models in
    Scholarly Peer Review") hide such sentences in the PDF, in white on white; what reads the PDF's
    text sees them like any other. ReviewGrounder's authors repeat it (Li et al., section 5.3 and
    Figure 4) and give neither wording nor place. All wordings are ours, in four languages, and each
    ends in a neutral marker. ``payload`` names one (`revkit_attacks.payloads`), ``any`` draws an
    order for praise, for a favourable review or for the highest rating; ``file`` names a text file
    of others, divided by blank lines, from which one is drawn.

    ``arm`` states what is planted: the order; "benign", a sentence of the same form that orders
    nothing; "placebo", neutral text of the same length. All three are at the same place, hidden in
    the same way.

    Nothing else of the paper changes, so a fair review does not either. Three gates hold each
    variant to that: the text reads back from the variant as it was planted, it is there once, and
    the rest is the paper, character by character. A paper without the place is rejected. Each
    edit records payload, hide, place, arm, aim and the text that it plants.

    A subclass with another name adds to the tables ``payloads``, ``hides`` and ``places``.
    """

    name: ClassVar[str] = "instruction-injection"
    version: ClassVar[str] = "2"
    data: ClassVar[tuple[str, ...]] = ("payloads.toml",)

    payloads: ClassVar[Mapping[str, Draw]] = PAYLOADS
    hides: ClassVar[Mapping[str, Hide]] = HIDES
    places: ClassVar[Mapping[str, tuple[Find, ...]]] = PLACES

    position: str = option("end", help=f"Where it is put: {', '.join(PLACES)}.")
    payload: str = option(
        "any", help=f"What it asks for: {', '.join(PAYLOADS)}; any: drawn for each paper."
    )
    hide: str = option("visible", help=f"How it is written: {', '.join(HIDES)}.")
    arm: Arm = option("attack", help="The order, a benign sentence of its form, or a placebo.")
    language: Language = option("en", help="Language of the text.")
    file: str = option(
        "", help="Text file of payloads instead, divided by blank lines; one is drawn."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if self.file and self.payload != "any":
            message = "names a built-in payload; omit it if you set a file"
            problems.append(("payload", message))
        if self.file and self.arm == "benign":
            problems.append(("arm", "payloads of a file have no benign sentence"))
        for key, value, known in (
            ("payload", self.payload, ("any", *self.payloads)),
            ("hide", self.hide, tuple(self.hides)),
            ("position", self.position, tuple(self.places)),
        ):
            if value not in known:
                problems.append((key, unknown_name(key, value, known)))
        if problems:
            raise OptionError(self.name, problems)
        if self.file:
            self._read_file()

    def _read_file(self) -> tuple[str, ...]:
        try:
            return read_payloads(self.file)
        except Unreadable as error:
            raise OptionError(self.name, [("file", str(error))]) from None

    def identity(self) -> Json:
        """The options, with the payloads instead of the file's path."""
        own = digest_of(list(self._read_file())) if self.file else ""
        return {**options_of(self), "file": own}

    def files_needed(self) -> Sequence[str]:
        """The file of payloads, where one is named."""
        return (self.file,) if self.file else ()

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return one insertion for each place, or why there is none."""
        name, payload = self._draw(paper, ctx)
        if isinstance(payload, str):
            return Rejection(payload)
        text = payload.text(self.arm, self.language)
        if text in paper.text or MARKER in paper.text:
            return Rejection("the payload is there already")
        finders = self.places[self.position]
        syntax: Syntax = "latex" if is_latex(paper.text) else "markdown"
        about = (name, self.hide, self.position, self.arm, payload.aim)
        edits = []
        for finder, part in zip(finders, _parts(text, len(finders)), strict=True):
            place = finder(paper)
            if isinstance(place, str):
                return Rejection(place)
            try:
                written = self.hides[self.hide].write(part, syntax)
            except CannotHide as error:
                return Rejection(str(error))
            new = surrounded(paper.text, place, written)
            note = f"instruction, {self.position}"
            edits.append(Edit(place.offset, place.offset, new, note, "injection", (*about, part)))
        if len({edit.start for edit in edits}) < len(edits):
            return Rejection("two places are the same")
        return edits

    def _draw(self, paper: Paper, ctx: Context) -> tuple[str, Payload | str]:
        if self.file:
            return "file", Payload(ctx.rng.choice(self._read_file()), "", "")
        name = ctx.rng.choice(_DRAWN) if self.payload == "any" else self.payload
        return name, self.payloads[name](paper, ctx.rng, self.language)

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """The text reads back, is there once, and the text around it is unchanged."""
        text = paper.edited(edits).text
        planted = sorted(edits)
        read = self.hides[self.hide].read
        spans = _spans(planted)
        back = sum(
            read(text[start:end].strip()) == edit.about[-1]
            for edit, (start, end) in zip(planted, spans, strict=True)
        )
        times = max(text.count(edit.new.strip()) for edit in planted)
        changed = sum(edit.end > edit.start for edit in planted)
        rest = text
        for start, end in reversed(spans):
            rest = rest[:start] + rest[end:]
        same = not changed and rest == paper.text
        share = spans[0][0] / max(1, len(text))
        return [
            Check("payload-read-back", float(back), float(len(edits)), back == len(edits), "count"),
            Check("payload-once", float(times), 1.0, times == 1, "count"),
            Check("rest-unchanged", float(changed), 0.0, same, "count"),
            Check("placement", share, 1.0, share <= 1, "share of the text before it"),
        ]


def _spans(edits: Sequence[Edit]) -> list[tuple[int, int]]:
    """Where the insertions are in the edited text, in order."""
    spans, shift = [], 0
    for edit in edits:
        spans.append((edit.start + shift, edit.start + shift + len(edit.new)))
        shift += len(edit.new) - (edit.end - edit.start)
    return spans


def _parts(text: str, count: int) -> list[str]:
    """``text`` in ``count`` parts of about the same number of words."""
    if count == 1:
        return [text]
    words = text.split()
    size = -(-len(words) // count)
    return [" ".join(words[place : place + size]) for place in range(0, count * size, size)]
