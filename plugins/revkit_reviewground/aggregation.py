"""Write the final review from draft, audits and debriefs, and check it against the paper.

The aggregator gets the findings of the checks and the score policy to correct them, as often as the
agent allows (once by default); remaining findings are marked in the review and recorded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.forms import Form
from revkit.model.exchange import Message
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.prompting import Answer, Data, RoleUsage, Template, assistant_turn, estimate_tokens
from revkit_reviewground.audits import paper_data
from revkit_reviewground.checks import Finding
from revkit_reviewground.excerpts import PaperExcerpt, readings
from revkit_reviewground.findings import check, findings_json, violations
from revkit_reviewground.role_call import ask, ask_reading, crashed, failure_json
from revkit_reviewground.roles import Role
from revkit_reviewground.scores import INSTRUCTIONS, Policy, breaches
from revkit_reviewground.templates import conversation, follow_up, meta_rubrics

_MOST_BESIDE = 0.6  # of the prompt; the rest is for the paper
_NO_REPORT = "(no report: do without it, and be the more careful with what it would cover)"
_NO_WORKS = "(none: do not speak of related work beyond what the paper itself names)"


@dataclass
class Aggregated:
    """The final fields, the findings of the checks in each round, and the changes by corrections.

    ``rounds`` has the findings on the aggregator's first review and on each corrected one, so its
    last entry has the remaining ones. ``failure`` is set if there is no review;
    ``correction_failure`` if a correction failed, so that the review before it is used.
    """

    review: Mapping[str, Any] | None = None
    failure: Failure | None = None
    reading: PaperExcerpt = field(default_factory=lambda: PaperExcerpt(""))
    rounds: list[tuple[Finding, ...]] = field(default_factory=list)
    correction_failure: Failure | None = None
    check_failure: Failure | None = None

    def findings_json(self) -> dict[str, Json]:
        """Return first, fixed and remaining findings for the record."""
        first = self.rounds[0] if self.rounds else ()
        last = self.rounds[-1] if self.rounds else ()
        left = [_same(each) for each in last]
        value: dict[str, Json] = {
            "corrections": len(self.rounds) - 1 if self.rounds else 0,
            "first": [each.to_json() for each in first],
            "fixed": [each.to_json() for each in first if _same(each) not in left],
            "remaining": [each.to_json() for each in last],
        }
        if self.correction_failure is not None:
            value["correction-failed"] = failure_json(self.correction_failure)
        if self.check_failure is not None:
            value["check-failed"] = failure_json(self.check_failure)
        return value


def _same(finding: Finding) -> tuple[str, str]:
    """Return what identifies a finding in two rounds: items may have moved in between."""
    return finding.kind, " ".join(finding.excerpt.split())


@dataclass(frozen=True)
class Aggregator:
    """The aggregator of one review: its role, templates and rules."""

    role: Role
    template: Template
    correction: Template
    shared: str
    form: Form
    scores: Policy
    corrections: int
    checked: bool
    ctx: Context

    def run(
        self,
        paper: Paper,
        draft: Mapping[str, Any],
        reports: Mapping[str, Mapping[str, Any] | None],
        debriefs: Sequence[Mapping[str, Json]],
        usage: RoleUsage,
    ) -> Aggregated:
        """Write the final review of ``paper``, check it, and request corrections.

        Where draft and reports would leave too little of the prompt to the paper, debriefs are left
        out, the last ones first.
        """
        values = self._values(draft, reports, debriefs)
        left_out = 0
        while debriefs and self._crowded(values):
            debriefs, left_out = debriefs[:-1], left_out + 1
            values = self._values(draft, reports, debriefs)

        def turns(reading: PaperExcerpt) -> tuple[Message, ...]:
            return conversation(self.template, self.shared, paper_data(paper, reading), values)

        def texts(limit: int) -> Any:
            return readings(paper, self.role.name, limit, whole=True)

        answer, reading = ask_reading(self.role, texts, turns, self.form.schema, self.ctx, usage)
        if left_out:
            note = f"debriefs left out to fit: {left_out}"
            reading = replace(reading, notes=(*reading.notes, note))
        if isinstance(answer, Failure):
            return Aggregated(failure=answer, reading=reading)
        found = Aggregated(self.form.ordered(answer.data), None, reading)
        self._corrected(paper, draft, debriefs, answer, found, usage)
        return found

    def leave(self, paper: Paper, draft: Mapping[str, Any]) -> Aggregated:
        """Use the draft as the review: it is checked, but never sent back for correction."""
        found = Aggregated(draft)
        found.rounds.append(self._checked(paper, draft, (), found))
        return found

    def _crowded(self, values: Mapping[str, str | Data]) -> bool:
        """Return whether the text besides the paper takes more than its share of the prompt."""
        texts = (each.text if isinstance(each, Data) else each for each in values.values())
        return sum(map(estimate_tokens, texts)) > self.role.input_tokens * _MOST_BESIDE

    def _values(
        self,
        draft: Mapping[str, Any],
        reports: Mapping[str, Mapping[str, Any] | None],
        debriefs: Sequence[Mapping[str, Json]],
    ) -> dict[str, str | Data]:
        return {
            "draft": Data("draft", _json(draft)),
            "insights": _report("report on the method", reports.get("miner")),
            "results": _report("report on the results", reports.get("analyzer")),
            "related-work": Data("related work", _json(list(debriefs))) if debriefs else _NO_WORKS,
            "meta-rubrics": meta_rubrics(),
            "scores-policy": INSTRUCTIONS[self.scores],
            "venue": self.form.title,
            "form": self.form.description,
        }

    def _corrected(
        self,
        paper: Paper,
        draft: Mapping[str, Any],
        debriefs: Sequence[Mapping[str, Json]],
        answer: Answer,
        found: Aggregated,
        usage: RoleUsage,
    ) -> None:
        turns = answer.turns
        for number in range(self.corrections + 1):
            assert found.review is not None
            review = found.review
            seen = self._checked(paper, review, debriefs, found)
            found.rounds.append(seen)
            wrong = violations(seen)
            # Kept scores are put right in code, without a call.
            broken = (
                ()
                if self.scores == "keep-draft"
                else breaches(self.form, draft, review, self.scores)
            )
            if number == self.corrections or not (wrong or broken):
                return
            text = follow_up(
                self.correction, {"findings": Data("findings", findings_json(wrong, broken))}, turns
            )
            turns = (*turns, assistant_turn(_json(review)), Message("user", text))
            again = ask(self.role, turns, self.form.schema, self.ctx, usage, "correction")
            if isinstance(again, Failure):
                found.correction_failure = again
                return
            found.review = self.form.ordered(again.data)

    def _checked(
        self,
        paper: Paper,
        review: Mapping[str, Any],
        debriefs: Sequence[Mapping[str, Json]],
        found: Aggregated,
    ) -> tuple[Finding, ...]:
        if not self.checked:
            return ()
        try:
            return check(self.form, paper, review, debriefs)
        except Exception as error:  # the review counts, marked as unchecked
            found.check_failure = crashed(error)
            return ()


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _report(what: str, report: Mapping[str, Any] | None) -> str | Data:
    return _NO_REPORT if report is None else Data(what, _json(report))
