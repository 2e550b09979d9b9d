"""Warnings of a run: what casts doubt on its reviews as a whole, though no item failed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from revkit.model.values import Json

if TYPE_CHECKING:
    from revkit.services.llm.truncation import EqualCounts


@dataclass(frozen=True, slots=True)
class RunWarning:
    """One warning: its kind, what it is about, and what was seen.

    "equal-prompt-counts": the server of the model ``subject`` counted prompts of clearly different
    lengths as the same number of tokens, so it cuts long prompts.
    """

    kind: Literal["equal-prompt-counts"]
    subject: str
    detail: str

    def to_json(self) -> dict[str, Json]:
        return {"kind": self.kind, "subject": self.subject, "detail": self.detail}


def equal_counts_warning(found: EqualCounts) -> RunWarning:
    """The warning that ``found`` gives rise to."""
    detail = (
        f"the server of model {found.model!r} counted {found.prompts} prompts of "
        f"{found.shortest:,} to {found.longest:,} characters as {found.tokens:,} tokens each; it "
        "seems to cut long prompts, so these reviews may be of parts of papers: give the server a "
        "larger window and set context-window"
    )
    return RunWarning("equal-prompt-counts", found.model, detail)
