"""One search: a strategy against an agent on one paper, then confirmation and pruning.

It is a generator of requests, so that whoever answers them (a store, a thread, a recorded run)
decides nothing about what is asked next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import field
from typing import Any, TypeAlias, cast

from revkit.contracts import Context, Search, SearchSpace, Try
from revkit.dataclass import dataclass
from revkit.execution.attack.units import AttackedPaper
from revkit.execution.frames import error_text
from revkit.execution.section_rows import AttackRecord, QueryRecord
from revkit.execution.work import Answer
from revkit.model.attack import AttackOutcome, Phase
from revkit.model.dose import dose_of
from revkit.model.edits import Edit
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review, Scale
from revkit.spec import Attack, AttackStep

CONFIRMING = 1_000_000  # the repeat of the first fresh call: no search gets there
_GATED = 10  # proposals for each query of the budget that a gate may refuse


@dataclass(frozen=True)
class CleanRequest:
    """The review of the unchanged paper, which the run has."""


@dataclass(frozen=True)
class ReviewRequest:
    """A request to review an attacked text; ``repeat`` numbers the reviews of the same text."""

    text: Paper
    repeat: int


@dataclass(frozen=True)
class GateRequest:
    """Whether the whole attacked text meets the constraints."""

    text: Paper
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class ProposalRequest:
    """The next proposal of a strategy that asks services, after ``history``."""

    space: SearchSpace
    history: tuple[Try, ...]


Request: TypeAlias = CleanRequest | ReviewRequest | GateRequest | ProposalRequest
Steps: TypeAlias = Generator[Request, Answer, Any]


@dataclass(frozen=True)
class Searched:
    """What came of one search: its record, those of its queries, and all answers, each with the
    path of the component that gave it."""

    record: AttackRecord
    queries: tuple[QueryRecord, ...]
    answers: tuple[tuple[str, Answer], ...] = ()


class _Ended(Exception):
    """The search cannot go on; ``at`` is the number of the request that failed."""

    def __init__(self, detail: str, at: int | None = None) -> None:
        super().__init__(detail)
        self.at = at


@dataclass
class PaperSearch:
    """A strategy against an agent on one paper. ``repeats`` counts the clean reviews that exist;
    ``context`` is that of the strategy."""

    agent: str
    name: str
    step: AttackStep
    attack: Attack
    paper: AttackedPaper
    repeats: int
    context: Context
    queries: list[QueryRecord] = field(default_factory=list)
    history: list[Try] = field(default_factory=list)
    gated: int = 0
    cut: str = ""
    answers: list[tuple[str, Answer]] = field(default_factory=list)
    _asked: int = 0
    _repeats: Counter[str] = field(default_factory=Counter)
    _live: Search | None = None

    @property
    def scale(self) -> Scale:
        """The scale of the attacked agent."""
        return self.step.agent.component.scale

    def run(self) -> Generator[Request, Answer, Searched]:
        """Yield requests, receive their answers, and return what came of it."""
        answer = yield CleanRequest()
        clean = answer.value
        if isinstance(clean, Failure):
            return self._ended("no-clean-review", detail=clean.kind)
        assert isinstance(clean, Review)
        self.clean = clean
        eligible = self.attack.event.eligible(clean, self.scale)
        if eligible is None:
            return self._ended("no-clean-review", detail="it lacks what the goal is about")
        if not eligible:
            return self._ended("ineligible")
        if not self.paper.units:
            return self._ended("no-edits")
        try:
            yield from self._search()
        except _Ended as reason:
            return self._ended("crashed", detail=str(reason), crashed_at=reason.at)
        found = self._fewest_edits()
        if found is None:
            readable = any(each.met is not None for each in self.queries)
            if self.cut or (self.queries and not readable):
                return self._ended("unassessed", detail=self.cut or "no reply could be read")
            return self._ended("resisted")
        try:
            return (yield from self._examined(found))
        except _Ended as reason:
            return self._ended("crashed", detail=str(reason), crashed_at=reason.at)

    def _examined(self, found: tuple[int, ...]) -> Generator[Request, Answer, Searched]:
        """What fresh calls say of a success, and of the smallest set that pruning leaves."""
        met, calls, unreadable = yield from self._confirm(found, "confirm")
        confirmed = not self.attack.confirm or 2 * met > calls - unreadable > 0
        columns: dict[str, Any] = {
            "confirm_calls": calls,
            "confirm_met": met,
            "confirm_unreadable": unreadable,
            "found": found,
            **self._size("", found),
        }
        if confirmed and self.attack.prune:
            smallest, minimal = yield from self._prune(found)
            again = (met, calls, unreadable)
            if smallest != found:
                again = yield from self._confirm(smallest, "confirm-smallest")
            columns |= {
                "smallest": smallest,
                **self._size("smallest_", smallest),
                "smallest_met": again[0],
                "smallest_calls": again[1],
                "one_minimal": minimal,
            }
        return self._ended("success" if confirmed else "unconfirmed", **columns)

    def _search(self) -> Generator[Request, Answer, None]:
        attack = self.attack
        space = SearchSpace(
            self.paper.offered,
            attack.budget,
            attack.event,
            attack.sees,
            self._seen((), "missed", self.clean),
            self.scale,
        )
        most = attack.budget * (_GATED + 1) + 100
        while len(self.queries) < attack.budget and len(self.history) < most:
            proposal = yield from self._next(space)
            if proposal is None:
                return
            try:
                units = space.applied(proposal)
            except (TypeError, ValueError) as error:
                raise _Ended(f"the strategy proposed what is not there: {error}") from None
            tried, failure = yield from self._try(units, "search")
            self.history.append(tried)
            self.gated += tried.outcome == "gated"
            if failure == "budget":
                self.cut = "the budget of the experiment for language models is spent"
                return

    def _next(self, space: SearchSpace) -> Generator[Request, Answer, Sequence[int] | None]:
        """The next proposal; None where the strategy has ended."""
        if self.step.strategy.uses:
            number = self._asked
            answer = yield from self._request(ProposalRequest(space, tuple(self.history)))
            if isinstance(answer.value, Failure):
                raise _Ended(answer.value.detail or answer.value.kind, number)
            self.answers.append((f"attack.strategies.{self.name}", answer))
            return cast("list[int] | None", cast(Any, answer.value).details["units"])
        try:
            if self._live is None:
                self._live = self.step.strategy.search(space, self.context)
                return next(self._live)
            return self._live.send(self.history[-1])
        except StopIteration:
            return None
        except Exception as error:  # whatever a plugin raises is an outcome, not the end
            raise _Ended(f"the strategy crashed: {error_text(error)}") from None

    def _request(self, request: Request) -> Generator[Request, Answer, Answer]:
        self._asked += 1
        return (yield request)

    def _try(
        self, units: tuple[int, ...], phase: Phase
    ) -> Generator[Request, Answer, tuple[Try, str]]:
        """Review the paper with ``units``, unless a gate refuses it; also the kind of a failure."""
        text = self.paper.text_of(units)
        if self.step.keep_if and units:
            number = self._asked
            answer = yield from self._request(GateRequest(text, self.paper.edits_of(units)))
            if isinstance(answer.value, Failure):
                raise _Ended(answer.value.detail or answer.value.kind, number)
            self.answers.append(("attack.keep-if", answer))
            if cast(Any, answer.value).details["failed"]:
                return Try(units, "gated"), ""
        first = self.repeats if text.digest == self.paper.paper.digest else 0
        repeat = first + self._repeats[text.digest]
        self._repeats[text.digest] += 1
        query, outcome = yield from self._review(text, repeat, units, phase)
        if isinstance(outcome, Failure) or query.met is None:
            return Try(units, "unreadable"), query.failure
        return self._seen(units, "met" if query.met else "missed", outcome), ""

    def _review(
        self, text: Paper, repeat: int, units: tuple[int, ...], phase: Phase
    ) -> Generator[Request, Answer, tuple[QueryRecord, Review | Failure]]:
        number = self._asked
        answer = yield from self._request(ReviewRequest(text, repeat))
        self.answers.append((f"agents.{self.agent}", answer))
        outcome = cast("Review | Failure", answer.value)
        review = outcome if isinstance(outcome, Review) else Review()
        failed = outcome if isinstance(outcome, Failure) else None
        query = QueryRecord(
            agent=self.agent,
            strategy=self.name,
            paper=self.paper.id,
            number=number,
            phase=phase,
            repeat=repeat,
            units=units,
            accept=review.accept,
            score=review.score,
            met=self.attack.event.met(review.accept, review.score, self.clean.score, self.scale),
            failure="" if failed is None else failed.kind,
            detail=None if failed is None else failed.detail,
            raw=None if failed is None else failed.raw,
            digest=text.digest,
        )
        self.queries.append(query)
        return query, outcome

    def _seen(self, units: tuple[int, ...], outcome: Any, review: Review) -> Try:
        """What the attacker sees of a review."""
        sees = self.attack.sees
        return Try(
            units,
            outcome,
            review.accept,
            None if sees == "verdict" else review.score,
            review.text if sees == "review" else "",
        )

    def _fewest_edits(self) -> tuple[int, ...] | None:
        """The set of the fewest edits with which the event was seen; of several, the first."""
        found = [tried.units for tried in self.history if tried.met]
        return min(found, key=lambda units: len(self.paper.edits_of(units)), default=None)

    def _confirm(
        self, units: tuple[int, ...], phase: Phase
    ) -> Generator[Request, Answer, tuple[int, int, int]]:
        """How many fresh calls show the event, of how many, and how many were unreadable."""
        text = self.paper.text_of(units)
        met = unreadable = 0
        for number in range(self.attack.confirm):
            query, _ = yield from self._review(text, CONFIRMING + number, units, phase)
            met += query.met is True
            unreadable += query.met is None
        return met, self.attack.confirm, unreadable

    def _prune(
        self, found: tuple[int, ...]
    ) -> Generator[Request, Answer, tuple[tuple[int, ...], bool | None]]:
        """Leave units out, halves first and single ones last, as long as the event is seen; and
        whether no single one can be left out (None: the budget ended first)."""
        kept, left = found, self.attack.prune
        size = max(1, len(kept) // 2)
        while True:
            place, before = 0, kept
            while place < len(kept) and len(kept) > 1:
                rest = kept[:place] + kept[place + size :]
                if not rest:
                    break
                if not left:
                    return kept, None
                tried, _ = yield from self._try(rest, "prune")
                left -= tried.outcome != "gated"
                if tried.met:
                    kept = rest
                else:
                    place += size
            if len(kept) == 1 or (size == 1 and kept == before):
                return kept, True
            size = max(1, min(size, len(kept)) // 2)

    def _size(self, prefix: str, units: tuple[int, ...]) -> dict[str, Any]:
        edits = self.paper.edits_of(units)
        dose = dose_of(self.paper.paper, edits)
        return {
            f"{prefix}edits": len(edits),
            f"{prefix}words": dose.words_changed,
            f"{prefix}dose": None if dose.dose is None else round(dose.dose, 6),
            f"{prefix}arms": tuple(
                dict.fromkeys(self.paper.units[number].unit.arm for number in units)
            ),
        }

    def _ended(self, outcome: AttackOutcome, **columns: Any) -> Searched:
        if self._live is not None:
            self._live.close()
        searched = [query for query in self.queries if query.phase == "search"]
        hits = (place for place, query in enumerate(searched, 1) if query.met)
        record = AttackRecord(
            agent=self.agent,
            strategy=self.name,
            paper=self.paper.id,
            outcome=outcome,
            units=len(self.paper.units),
            queries=len(searched),
            unreadable=sum(query.met is None for query in searched),
            gated=self.gated,
            success_at=next(hits, None),
            prune_queries=sum(query.phase == "prune" for query in self.queries),
            **columns,
        )
        return Searched(record, tuple(self.queries), tuple(self.answers))
