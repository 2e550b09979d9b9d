"""Pipeline: run the roles of one review in order, and return the review and its evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Literal

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.errors import StoreError
from revkit.forms import Form
from revkit.model.exchange import Message
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review
from revkit.model.values import Json
from revkit.prompting import Answer, RoleUsage, Template, name_failure, total_usage
from revkit_reviewground.aggregation import Aggregated, Aggregator
from revkit_reviewground.audits import Audit, audit, paper_data
from revkit_reviewground.drafts import Drafts, draft_of
from revkit_reviewground.excerpts import PaperExcerpt, readings
from revkit_reviewground.findings import marked, verified, violations
from revkit_reviewground.literature import Searching, Wanted
from revkit_reviewground.related_work import Literature
from revkit_reviewground.report import RoleState, lacking, markdown, role_json, status
from revkit_reviewground.role_call import Lengths, ask_reading, crashed
from revkit_reviewground.roles import Role
from revkit_reviewground.scores import Policy, settle_scores
from revkit_reviewground.templates import conversation


@dataclass
class Grounding:
    """The results of the roles before the aggregator."""

    draft: Answer | Failure
    reading: PaperExcerpt
    audits: dict[str, Audit]
    literature: Literature | None = None


@dataclass(frozen=True)
class Pipeline:
    """One review: see `revkit_reviewground.agent.ReviewGrounder` for the meaning of the parts."""

    roles: Mapping[str, Role]
    templates: Mapping[str, Template]
    form: Form
    without: Sequence[str]
    works: int
    candidates: int
    from_year: int | None
    whole: bool
    lengths: Lengths
    scores: Policy
    corrections: int
    partial: Literal["keep-lasting", "keep", "fail"]
    report_in_text: bool
    drafts: Drafts | None
    ctx: Context

    @property
    def _shared(self) -> str:
        return self.templates["system"].user

    def run(self, paper: Paper) -> Outcome:
        """Review ``paper``. Draft and literature search run in parallel, since the search does not
        read the draft; both audits run in parallel after the draft.
        """
        usages = {name: RoleUsage(name, role.sampling.model) for name, role in self.roles.items()}
        made = self._grounding(paper, usages)
        if isinstance(made.draft, Failure):
            return name_failure("drafter", made.draft)
        refused = self._refused(made)
        if refused is not None:
            return refused
        draft = self.form.ordered(made.draft.data)
        if "aggregator" in self.without:
            aggregated = self._aggregator().leave(paper, draft)
            return self._review(draft, made, aggregated, usages)
        aggregated = self._aggregator().run(
            paper,
            draft,
            {name: each.annotated for name, each in made.audits.items()},
            made.literature.debriefs if made.literature else [],
            usages["aggregator"],
        )
        if aggregated.failure is not None:
            return name_failure("aggregator", aggregated.failure)
        if aggregated.correction_failure and aggregated.correction_failure.kind == "budget":
            return name_failure("aggregator", aggregated.correction_failure)
        return self._review(draft, made, aggregated, usages)

    def _grounding(self, paper: Paper, usages: dict[str, RoleUsage]) -> Grounding:
        calls: list[Any] = [partial(self._drafted, paper, usages)]
        if "searcher" not in self.without:
            calls.append(partial(self._searched, paper, usages))
        outcomes = self.ctx.gather(calls)
        made: Grounding = outcomes[0]
        if len(outcomes) > 1:
            made.literature = outcomes[1]
        return made

    def _searched(self, paper: Paper, usages: dict[str, RoleUsage]) -> Literature:
        try:
            return self._searching().run(paper, usages)
        except StoreError:
            raise
        except Exception as error:  # a searcher may return anything; the others' work counts
            return Literature(failure=crashed(error))

    def _audited(
        self, name: str, paper: Paper, draft: Mapping[str, Any], usage: RoleUsage
    ) -> Audit:
        try:
            found = audit(
                self.roles[name],
                self.templates[name],
                self._shared,
                paper,
                draft,
                self.ctx,
                usage,
                whole=self.whole,
                lengths=self.lengths,
            )
        except StoreError:
            raise
        except Exception as error:
            return Audit(failure=crashed(error))
        if found.report is not None and "checks" not in self.without:
            try:
                found.annotated, found.unsupported = verified(paper, found.report)
            except Exception as error:  # the report counts, marked as unchecked
                found.notes = (*found.notes, f"not checked: {crashed(error).detail}")
        return found

    def _drafted(self, paper: Paper, usages: dict[str, RoleUsage]) -> Grounding:
        draft, reading = self.draft(paper, usages["drafter"])
        if isinstance(draft, Failure):
            return Grounding(draft, reading, {})
        names = [name for name in ("miner", "analyzer") if name not in self.without]
        fields = self.form.ordered(draft.data)
        calls = [partial(self._audited, name, paper, fields, usages[name]) for name in names]
        return Grounding(draft, reading, dict(zip(names, self.ctx.gather(calls), strict=True)))

    def draft(self, paper: Paper, usage: RoleUsage) -> tuple[Answer | Failure, PaperExcerpt]:
        """Call the drafter, and return its answer with the part of the paper that it received."""
        if self.drafts is not None:
            return draft_of(self.drafts, paper, self.form, usage), PaperExcerpt("")
        values = {"venue": self.form.title, "form": self.form.description}
        role = self.roles["drafter"]

        def turns(reading: PaperExcerpt) -> tuple[Message, ...]:
            return conversation(
                self.templates["drafter"], self._shared, paper_data(paper, reading), values
            )

        def texts(limit: int) -> Any:
            return readings(paper, role.name, limit, whole=True)

        return ask_reading(role, texts, turns, self.form.schema, self.ctx, usage)

    def _searching(self) -> Searching:
        return Searching(
            self.roles["searcher"],
            self.roles["summarizer"],
            (self.templates["searcher"], self.templates["summarizer"]),
            self._shared,
            Wanted(self.works, self.candidates, self.from_year),
            self.lengths,
            self.ctx,
        )

    def _aggregator(self) -> Aggregator:
        return Aggregator(
            self.roles["aggregator"],
            self.templates["aggregator"],
            self.templates["correction"],
            self._shared,
            self.form,
            self.scores,
            self.corrections,
            "checks" not in self.without,
            self.ctx,
        )

    def _review(
        self,
        draft: Mapping[str, Any],
        made: Grounding,
        aggregated: Aggregated,
        usages: Mapping[str, RoleUsage],
    ) -> Review:
        assert aggregated.review is not None
        fields, numbers = settle_scores(self.form, draft, aggregated.review, self.scores)
        if "aggregator" in self.without:
            numbers["kept"] = "draft"
        left = violations(aggregated.rounds[-1])
        evidence = self._evidence(draft, made, aggregated, usages, numbers)
        # What the agent was set up to leave out needs no warning.
        unwanted: dict[str, RoleState] = {
            name: "done" if state == "left out" else state
            for name, state in self._states(made).items()
        }
        text = self.form.text(marked(fields, left) if self.report_in_text else fields)
        if self.report_in_text:
            text += "\n\n" + markdown(evidence, left, made.literature, made.audits)
        confidence = self.form.confidence
        return Review(
            accept=self.form.accepts(fields),
            score=float(fields[self.form.score]),
            text=text,
            confidence=float(fields[confidence]) if confidence else None,
            aspects={name: float(fields[name]) for name in self.form.aspects},
            details={
                "form": self.form.name,
                "review": fields,
                "evidence": evidence,
            },
            warnings=tuple(f"not grounded in {name}" for name in lacking(unwanted)),
        )

    def _evidence(
        self,
        draft: Mapping[str, Any],
        made: Grounding,
        aggregated: Aggregated,
        usages: Mapping[str, RoleUsage],
        numbers: Mapping[str, Json],
    ) -> dict[str, Json]:
        states = self._states(made)
        failures = self._failures(made)
        literature = made.literature
        roles: dict[str, Json] = {}
        for name in self.roles:
            asked = usages[name].calls + usages[name].failed
            if name == "summarizer" and not asked:
                continue
            state: RoleState = states.get(name, "done")
            usage = None if state == "left out" else usages[name]
            if name == "drafter" and self.drafts is not None:
                state, usage = "from a file", None
            roles[name] = role_json(state, usage, failures.get(name))
        findings = None if "checks" in self.without else aggregated.findings_json()
        return {
            "not-grounded-in": list(lacking(states)),
            "roles": roles,
            "usage": total_usage(usages),
            "draft": dict(draft),
            "miner": _report(made.audits.get("miner")),
            "analyzer": _report(made.audits.get("analyzer")),
            "unsupported": {
                name: [finding.to_json() for finding in each.unsupported]
                for name, each in made.audits.items()
            },
            "literature": literature.to_json() if literature else None,
            "reading": {
                "drafter": made.reading.to_json(),
                "aggregator": aggregated.reading.to_json(),
                **{name: each.reading.to_json() for name, each in made.audits.items()},
            },
            "findings": findings,
            "scores": dict(numbers),
        }

    def _refused(self, made: Grounding) -> Failure | None:
        """The failure if there must be no review although there is a draft. An exhausted budget
        says nothing about the paper: the next run continues where this one stopped."""
        failures = dict(self._failures(made))
        for each in made.literature.works if made.literature else ():
            if isinstance(each.debrief, Failure) and each.debrief.kind == "budget":
                failures["searcher"] = each.debrief
        for name, failure in failures.items():
            if failure is not None and failure.kind == "budget":
                return name_failure(name, failure)
            passing = failure is not None and failure.kind in ("provider", "timeout")
            if failure is not None and (
                self.partial == "fail" or (passing and self.partial == "keep-lasting")
            ):
                return Failure("partial", f"{name}: {failure.detail}", failure.raw)
        return None

    @staticmethod
    def _failures(made: Grounding) -> dict[str, Failure | None]:
        failures = {name: each.failure for name, each in made.audits.items()}
        if made.literature is not None:
            failures["searcher"] = made.literature.failure
        return failures

    def _states(self, made: Grounding) -> dict[str, RoleState]:
        states: dict[str, RoleState] = {}
        for name in ("miner", "analyzer"):
            found = made.audits.get(name, Audit())
            states[name] = status(name, self.without, found.failure, found.empty)
        literature = made.literature or Literature()
        if "aggregator" in self.without:
            states["aggregator"] = "left out"
        states["searcher"] = status(
            "searcher",
            self.without,
            literature.failure,
            not literature.debriefs,
            titles_alone=literature.read.nothing,
        )
        return states


def _report(audit: Audit | None) -> Json:
    return None if audit is None or audit.report is None else dict(audit.report)
