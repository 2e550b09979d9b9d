"""The treatment `expose-role`: an attack that reaches one role of a reviewer, or one member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from threading import Lock
from typing import ClassVar

from revkit.contracts import Context, Defense, Reviewing
from revkit.dataclass import dataclass
from revkit.model import Failure, Outcome, Paper, Review
from revkit.model.exchange import Message, ModelRequest
from revkit.model.values import Json
from revkit.options import option
from revkit.prompting import neutralize
from revkit_attacks.marker import MARKER

_REPEAT = 1_000  # replicate numbers of one repeat of a review


@dataclass(frozen=True)
class ExposeRole(Defense):
    """Show a planted text to one role of an agent, or to one member of a panel, and to no other.

    It is set on an agent like a defense, but it is a treatment: it measures how far an attack
    spreads that reaches only a part of a reviewer. In the requests of all other roles and members,
    the paper is without the lines that contain the marker of `instruction-injection`; what the
    exposed member writes reaches the others as usual. ``role`` is the name of the exposed role
    (``revkit graph`` lists the roles), and ``member`` counts its members from 1 (0: all of them).
    ``spacing`` is the number of calls that an agent reserves for one member: 1 for `agent-review`
    and `planted-panel`, 20 for `ai-scientist`.

    ``details["exposure"]`` of the review counts for each role the requests, those with the planted
    text in the paper, and those with the marker elsewhere, such as in the review of a member that
    repeats it; and whether the final review contains the marker. A paper without the marker is
    reviewed as usual. If no request shows the text of the paper, the review is a failure, because
    nothing was treated.
    """

    name: ClassVar[str] = "expose-role"
    version: ClassVar[str] = "1"
    changes_prompts: ClassVar[bool] = True

    role: str = option("reviewer", help="The role that sees the planted text.")
    member: int = option(1, help="Which member of the role, from 1; 0: all.", minimum=0)
    spacing: int = option(1, help="Calls that the agent reserves for one member.", minimum=1)

    def guard(self, paper: Paper, review: Reviewing, ctx: Context) -> Outcome:
        """Review ``paper`` once, with the planted text in the exposed requests alone."""
        clean = _without_marked_lines(paper.text)
        if clean == paper.text:
            return review(paper)
        traces: dict[str, list[int]] = {}
        lock = Lock()

        def treated(request: ModelRequest) -> ModelRequest:
            shown, in_paper, elsewhere = self._treated(request, paper.text, clean)
            with lock:
                counts = traces.setdefault(request.role or "reviewer", [0, 0, 0])
                counts[0] += 1
                counts[1] += in_paper
                counts[2] += elsewhere
            return shown

        outcome = review(paper, treated)
        if not isinstance(outcome, Review):
            return outcome
        if not any(counts[1] for counts in traces.values()):
            detail = f"{self.name}: no request of role {self.role!r} shows the text of the paper"
            return Failure("rejected", detail, outcome.text)
        found: dict[str, Json] = {
            role: {"requests": a, "planted": b, "repeated": c}
            for role, (a, b, c) in sorted(traces.items())
        }
        exposure: dict[str, Json] = {"roles": found, "review": MARKER in outcome.text}
        return replace(outcome, details={**outcome.details, "exposure": exposure})

    def _treated(
        self, request: ModelRequest, text: str, clean: str
    ) -> tuple[ModelRequest, bool, bool]:
        """The request as it is sent, whether it shows the planted text in the paper, and whether
        the marker is elsewhere."""
        number = request.replicate % _REPEAT // self.spacing + 1
        exposed = request.role == self.role and self.member in (0, number)
        turns: list[Message] = []
        in_paper = elsewhere = False
        for turn in request.messages:
            content, cut = _replaced(turn.content, text, clean)
            in_paper |= cut and exposed
            elsewhere |= MARKER in content
            turns.append(turn if exposed or not cut else replace(turn, content=content, stable=0))
        return replace(request, messages=tuple(turns)), in_paper, elsewhere


def _replaced(content: str, text: str, clean: str) -> tuple[str, bool]:
    """``content`` with the clean paper instead of the attacked one, and whether it was there."""
    for old, new in ((text, clean), (neutralize(text), neutralize(clean))):
        for one, other in ((old, new), (old.strip(), new.strip())):
            if one in content:
                return content.replace(one, other), True
    return content, False


def _without_marked_lines(text: str) -> str:
    """``text`` without the paragraphs that contain the marker."""
    parts: Sequence[str] = text.split("\n\n")
    return "\n\n".join(part for part in parts if MARKER not in part)
