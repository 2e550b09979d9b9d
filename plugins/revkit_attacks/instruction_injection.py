"""`InstructionInjection`: plants an instruction to the reviewer in the text of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from revkit.contracts import Context, Perturbation
from revkit.errors import OptionError
from revkit.files import Unreadable
from revkit.model import Check, Edit, Paper, Rejection
from revkit.model.values import Json, digest_of
from revkit.options import option, options_of
from revkit_attacks.payloads import PAYLOADS, read_payloads
from revkit_attacks.places import Position, insertion


@dataclass(frozen=True)
class InstructionInjection(Perturbation):
    """Inserts one paragraph that instructs the reviewer what to write.

    Ye et al. (2024, "Are We There Yet? Revealing the Risks of Utilizing Large Language Models in
    Scholarly Peer Review") hide such sentences in the PDF, in white on white; what reads the PDF's
    text sees them like any other. ReviewGrounder's authors repeat it (Li et al., section 5.3 and
    Figure 4) and give neither wording nor place. Here both are options, and the wordings are ours:
    ``praise`` asks for praise alone, ``ignore-earlier`` to drop earlier instructions,
    ``demand-rating`` for the highest rating; ``any`` draws one of them for each paper. ``file``
    names a text file of others, divided by blank lines, from which one is drawn.

    Nothing else of the paper changes, so a fair review does not either. Two gates hold each
    variant to that: the payload is in it exactly once, and without it the text is the old one,
    character by character. A paper without the place that is asked for is rejected.
    """

    name: ClassVar[str] = "instruction-injection"
    version: ClassVar[str] = "1"

    position: Position = option("end", help="Where the paragraph is put.")
    payload: Literal["any", "praise", "ignore-earlier", "demand-rating"] = option(
        "any", help="The content of the instruction; any: drawn for each paper."
    )
    file: str = option(
        "", help="Text file with other payloads, separated by blank lines; one is drawn."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.file and self.payload != "any":
            message = "names a built-in payload; omit it if you set a file"
            raise OptionError(self.name, [("payload", message)])
        self._payloads()

    def _payloads(self) -> tuple[str, ...]:
        if self.file:
            try:
                return read_payloads(self.file)
            except Unreadable as error:
                raise OptionError(self.name, [("file", str(error))]) from None
        return tuple(PAYLOADS.values()) if self.payload == "any" else (PAYLOADS[self.payload],)

    def identity(self) -> Json:
        """Return the options, with the payloads instead of the file's path."""
        return {**options_of(self), "file": digest_of(list(self._payloads()))}

    def files_needed(self) -> Sequence[str]:
        """Return the file of payloads, if the options name one."""
        return (self.file,) if self.file else ()

    def perturb(self, paper: Paper, ctx: Context) -> Sequence[Edit] | Rejection:
        """Return the one insertion, or the reason why the paper has no place for it."""
        payload = ctx.rng.choice(self._payloads())
        if payload in paper.text:
            return Rejection("the payload is there already")
        found = insertion(paper, self.position, payload)
        return Rejection(found) if isinstance(found, str) else [found]

    def gates(self, paper: Paper, edits: Sequence[Edit], ctx: Context) -> Sequence[Check]:
        """Check that the payload occurs once, and that the text around it is unchanged."""
        text = paper.edited(edits).text
        payload = edits[0].new.strip()
        times = text.count(payload)
        before, _, after = text.partition(edits[0].new)
        changed = sum(bool(edit.end > edit.start) for edit in edits) + (len(edits) - 1)
        same = not changed and before + after == paper.text
        return [
            Check("payload-once", float(times), 1.0, times == 1, "count"),
            Check("rest-unchanged", float(changed), 0.0, same, "count"),
        ]
