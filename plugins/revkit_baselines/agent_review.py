"""The agent `agent-review`."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Literal

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.roles import AgentRole
from revkit.model.values import Json
from revkit.options import option, unknown_name
from revkit.prompting import Answer, Data, Places, Values, name_failure, paper_data
from revkit_baselines.agent_review_roles import (
    ASPECTS,
    CHAIRS,
    CHARACTERS,
    DECISION,
    FORM,
    META,
    OPPOSITES,
    REBUTTAL,
    UPDATE,
)
from revkit_baselines.baseline import Baseline, bounded, panel, steps_of

_MOST_REVIEWERS = 20
# Slots of the calls of one review: each phase has its own, with room for all reviewers.
_REBUTTAL, _DISCUSSION, _CHAIR, _DECISION = 100, 200, 300, 400
_UNSET: tuple[str, ...] = ("neutral", "neutral", "neutral")


@dataclass(frozen=True)
class Record:
    """The results of the phases, with one entry for each reviewer."""

    reviews: tuple[Answer, ...]
    rebuttals: tuple[Answer, ...] = ()
    updates: tuple[Answer, ...] = ()

    def ratings(self) -> list[int]:
        """The ratings after the rebuttal, or before it where reviews were not updated."""
        return [each.data["rating"] for each in self.updates or self.reviews]

    def of(self, number: int, *, update: bool) -> str:
        """Return the texts of reviewer ``number`` (from 0) and the answers to them."""
        parts = [f"Review:\n{FORM.canonical(self.reviews[number].data)}"]
        if self.rebuttals:
            parts.append(f"Authors' answer:\n{self.rebuttals[number].data['rebuttal']}")
        if update and self.updates:
            parts.append(f"After the discussion:\n{UPDATE.canonical(self.updates[number].data)}")
        return "\n\n".join(parts)


@dataclass(frozen=True)
class AgentReview(Baseline):
    """Peer review in five phases between reviewers, an author and an area chair.

    Jin et al. 2024 ("AgentReview", section 2), with our prompts: (I) the reviewers review
    independently; (II) the author answers each of them; (III) each reviewer reads all reviews and
    answers and gives a comment and a final rating; (IV) the area chair writes a meta-review; (V)
    and decides. The score is the mean of the ratings after phase III (those of phase I without a
    discussion), the verdict the chair's decision, aspects are means of phase I and confidence the
    mean that goes with the ratings. ``details`` hold the results of all phases. In the paper the
    chair decides on batches under an acceptance rate; here on one paper, by its merits, since other
    papers must not change a verdict. A part that fails makes the review a Failure.
    """

    name: ClassVar[str] = "agent-review"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("prompts/agent-review-*.md",)
    scale: ClassVar[Scale] = Scale("iclr-mean-1-10", 1, 10)
    places: ClassVar[Mapping[str, Places]] = {
        "reviewer": Places(("form", "character"), ("paper",), ("form", "paper")),
        "author": Places(("form",), ("paper", "review"), ("form", "review")),
        "discussion": Places(
            ("form", "character"), ("paper", "own", "others"), ("form", "own", "others")
        ),
        "chair": Places(("form", "chair"), ("paper", "record"), ("form", "record")),
        "decision": Places(
            ("form", "chair"), ("paper", "record", "meta-review"), ("form", "meta-review")
        ),
    }
    temperature: float = option(
        0.4, help="Sampling temperature; the paper does not state one.", minimum=0, maximum=5
    )
    reviewers: tuple[str, ...] = option(
        _UNSET,
        help="The reviewers, one entry each: neutral, or traits joined by + (responsible or "
        "irresponsible, benign or malicious, knowledgeable or unknowledgeable).",
    )
    chair: Literal["neutral", "inclusive", "conformist", "authoritarian"] = option(
        "neutral",
        help="The weight that the area chair gives to the reviewers compared with its own reading.",
    )
    rebuttal: bool = option(True, help="Whether the author answers (phase II).")
    discussion: bool = option(True, help="Whether the reviewers discuss and update (phase III).")

    def problems(self) -> Sequence[tuple[str, str]]:
        problems = list(super().problems())
        if not 1 <= len(self.reviewers) <= _MOST_REVIEWERS:
            problems.append(("reviewers", f"expected 1 to {_MOST_REVIEWERS} reviewers"))
        for entry in self.reviewers:
            traits = entry.split("+")
            problems.extend(
                ("reviewers", unknown_name("trait", trait, CHARACTERS))
                for trait in traits
                if trait not in CHARACTERS
            )
            problems.extend(
                ("reviewers", f"{entry!r}: {one} and {other} exclude each other")
                for one, other in OPPOSITES
                if one in traits and other in traits
            )
        return problems

    def review_roles(self) -> Sequence[AgentRole]:
        """Return the roles of the phases: each role reads the placeholders of its template."""
        count = len(self.reviewers)
        found = [self.role("reviewer", calls=count)]
        if self.rebuttal:
            found.append(self.role("author", ["reviewer"], count))
        record = [each.name for each in found]
        if self.discussion:
            # The placeholder of the others' texts may be used even with one reviewer, who has none.
            others = count > 1 and self.template("discussion").holds("others")
            read = self.template("discussion").holds("own") or others
            found.append(self.role("discussion", record if read else [], count))
            record.append("discussion")
        found.append(self.role("chair", record if self.template("chair").holds("record") else []))
        last = record if self.template("decision").holds("record") else []
        if self.template("decision").holds("meta-review"):
            last = [*last, "chair"]
        return [*found, self.role("decision", last)]

    def review(self, paper: Paper, ctx: Context) -> Outcome:
        """Run all phases for ``paper``."""
        record = self._reviewed(paper, ctx)
        if isinstance(record, Failure):
            return name_failure("phase I (reviews)", record)
        if self.rebuttal:
            record = self._answered(record, paper, ctx)
            if isinstance(record, Failure):
                return name_failure("phase II (rebuttal)", record)
        if self.discussion:
            record = self._discussed(record, paper, ctx)
            if isinstance(record, Failure):
                return name_failure("phase III (discussion)", record)
        values = self._chair_values(record, paper)
        asked: Values = {**values, "form": META.description}
        meta = self.ask(self.turns("chair", asked), META.schema, _CHAIR, ctx, "chair")
        if isinstance(meta, Failure):
            return name_failure("phase IV (meta-review)", meta)
        shown = (Data("meta-review", META.canonical(meta.data)),)
        asked = {**values, "form": DECISION.description, "meta-review": shown}
        messages = self.turns("decision", asked)
        decision = self.ask(messages, DECISION.schema, _DECISION, ctx, "decision")
        if isinstance(decision, Failure):
            return name_failure("phase V (decision)", decision)
        return self._review(record, meta, decision)

    def _character(self, number: int) -> str:
        traits = self.reviewers[number].split("+")
        return " ".join(CHARACTERS[trait] for trait in traits if CHARACTERS[trait])

    def _reviewed(self, paper: Paper, ctx: Context) -> Record | Failure:
        data = paper_data(paper.title, paper.text)

        def one(number: int) -> Answer | Failure:
            values: Values = {
                "form": FORM.description,
                "character": self._character(number),
                "paper": data,
            }
            messages = self.turns("reviewer", values)
            return self.ask(messages, FORM.schema, number, ctx, "reviewer")

        found = self._all(one, ctx)
        return found if isinstance(found, Failure) else Record(tuple(found))

    def _answered(self, record: Record, paper: Paper, ctx: Context) -> Record | Failure:
        data = paper_data(paper.title, paper.text)

        def one(number: int) -> Answer | Failure:
            shown = (Data(f"review {number + 1}", FORM.canonical(record.reviews[number].data)),)
            values: Values = {"form": REBUTTAL.description, "paper": data, "review": shown}
            messages = self.turns("author", values)
            return self.ask(messages, REBUTTAL.schema, _REBUTTAL + number, ctx, "author")

        found = self._all(one, ctx)
        return found if isinstance(found, Failure) else Record(record.reviews, tuple(found))

    def _discussed(self, record: Record, paper: Paper, ctx: Context) -> Record | Failure:
        data = paper_data(paper.title, paper.text)
        said = [
            Data(f"review {n + 1}", record.of(n, update=False)) for n in range(len(self.reviewers))
        ]

        def one(number: int) -> Answer | Failure:
            others = tuple(each for n, each in enumerate(said) if n != number)
            values: Values = {
                "form": UPDATE.description,
                "character": self._character(number),
                "paper": data,
                "own": (said[number],),
                "others": others or (Data("reviews of others", "There is no other reviewer."),),
            }
            messages = self.turns("discussion", values)
            return self.ask(messages, UPDATE.schema, _DISCUSSION + number, ctx, "discussion")

        found = self._all(one, ctx)
        if isinstance(found, Failure):
            return found
        return Record(record.reviews, record.rebuttals, tuple(found))

    def _all(self, one: Any, ctx: Context) -> list[Answer] | Failure:
        outcomes = ctx.gather([partial(one, number) for number in range(len(self.reviewers))])
        replies = [None if isinstance(each, Failure) else dict(each.data) for each in outcomes]
        return panel("reviewer", outcomes, replies)

    def _chair_values(self, record: Record, paper: Paper) -> Values:
        said = tuple(
            Data(f"review {n + 1}", record.of(n, update=True)) for n in range(len(self.reviewers))
        )
        return {
            "chair": CHAIRS[self.chair],
            "paper": paper_data(paper.title, paper.text),
            "record": said,
        }

    def _review(self, record: Record, meta: Answer, decision: Answer) -> Review:
        ratings = record.ratings()
        reviewers: list[Json] = []
        for number, review in enumerate(record.reviews):
            row: dict[str, Json] = {
                "character": self.reviewers[number],
                "review": bounded(dict(review.data)),
            }
            if record.rebuttals:
                row["rebuttal"] = bounded(record.rebuttals[number].data["rebuttal"])
            if record.updates:
                row["update"] = bounded(dict(record.updates[number].data))
            reviewers.append(row)
        details: dict[str, Json] = {
            "rule": "score: mean of the last ratings; verdict: the area chair's decision",
            "ratings-before": [each.data["rating"] for each in record.reviews],
            "ratings": list(ratings),
            "reviewers": reviewers,
            "meta-review": bounded(dict(meta.data)),
            "decision": bounded(dict(decision.data)),
        }
        answers = (*record.reviews, *record.rebuttals, *record.updates, meta, decision)
        if steps := steps_of(answers):
            details["reading"] = steps
        last = record.updates or record.reviews
        texts = [META.text(meta.data), DECISION.text(decision.data)]
        texts += [
            f"Review {number} of {len(ratings)}\n\n{FORM.text(each.data)}"
            for number, each in enumerate(record.reviews, 1)
        ]
        return Review(
            accept=decision.data["decision"] == "accept",
            score=statistics.fmean(ratings),
            text="\n\n".join(text for text in texts if text),
            confidence=statistics.fmean(each.data["confidence"] for each in last),
            aspects={
                name: statistics.fmean(each.data[name] for each in record.reviews)
                for name in ASPECTS
            },
            details=details,
        )
