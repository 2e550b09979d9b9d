"""Audits: the insight miner and the result analyzer, each with one call about draft and paper."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from revkit.contracts import Context
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.prompting import Data, RoleUsage, Template, add_title
from revkit_reviewground.checks import Finding
from revkit_reviewground.excerpts import PaperExcerpt, readings
from revkit_reviewground.role_call import Lengths, ask_reading, reply_schema
from revkit_reviewground.roles import Role
from revkit_reviewground.templates import conversation

_NAMED = ("apply_to", "target")
SCHEMAS = {"miner": "insights", "analyzer": "results"}


@dataclass
class Audit:
    """The report of one of the two roles, or its failure; ``empty`` if all its lists are empty.

    ``annotated`` is the report for the aggregator, with a note after each piece of evidence that
    the paper does not contain, as listed in ``unsupported``.
    """

    report: Mapping[str, Any] | None = None
    failure: Failure | None = None
    reading: PaperExcerpt = field(default_factory=lambda: PaperExcerpt(""))
    notes: tuple[str, ...] = ()
    annotated: Mapping[str, Any] | None = None
    unsupported: tuple[Finding, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is a report, and it contains nothing."""
        return self.report is not None and not _holds(self.report)


def _holds(value: Any) -> bool:
    """Return whether there is any text besides the names to which a suggestion applies."""
    if isinstance(value, Mapping):
        return any(_holds(each) for key, each in value.items() if key not in _NAMED)
    if isinstance(value, list | tuple):
        return any(_holds(each) for each in value)
    return isinstance(value, str) and bool(value.strip())


def _pruned(value: Any) -> Any:
    """Return a report without empty items."""
    if isinstance(value, Mapping):
        return {key: _pruned(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [each for each in value if _holds(each)]
    return value


def audit(
    role: Role,
    template: Template,
    shared: str,
    paper: Paper,
    draft: Mapping[str, Any],
    ctx: Context,
    usage: RoleUsage,
    *,
    whole: bool,
    lengths: Lengths,
) -> Audit:
    """Let ``role`` ("miner" or "analyzer") check ``draft`` against ``paper``."""
    text = json.dumps(draft, ensure_ascii=False, indent=1)

    def turns(reading: PaperExcerpt) -> Any:
        values: dict[str, str | Data] = {
            "draft": Data("draft", text),
            "passages": passages(reading),
        }
        return conversation(template, shared, paper_data(paper, reading), values)

    answer, reading = ask_reading(
        role,
        lambda limit: readings(paper, role.name, limit, whole=whole),
        turns,
        reply_schema(SCHEMAS[role.name], lengths),
        ctx,
        usage,
    )
    if isinstance(answer, Failure):
        return Audit(failure=answer, reading=reading)
    report = _pruned(answer.data)
    return Audit(report, None, reading, answer.steps, report)


def paper_data(paper: Paper, reading: PaperExcerpt) -> Data:
    """Return the paper for a prompt, with its title first if the text does not begin with it."""
    return Data("paper", add_title(paper.title, paper.text, reading.text))


def passages(reading: PaperExcerpt) -> str | Data:
    """Return the sections for the role and a list of those that its text lacks, fenced as text of
    the paper.
    """
    lines = []
    if reading.focus:
        lines.append("Sections that your part is about, by their headings:")
        lines.extend(f"- {name}" for name in reading.focus)
    lines.extend(f"Note: {note}" for note in reading.notes)
    return Data("guide", "\n".join(lines)) if lines else ""
