"""Compute one item: call a step's components, and return every possible outcome as a value."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from revkit.contracts import (
    Change,
    Constraint,
    Context,
    Conversation,
    Defense,
    Reviewing,
    SearchSpace,
    Strategy,
    Try,
    conversing,
    guarded,
    guards_of,
)
from revkit.errors import StoreError
from revkit.execution.frames import error_text
from revkit.execution.work.answer import (
    Answer,
    Calls,
    ItemStep,
    based_on,
    check_of_plugin,
    judged_outcome,
)
from revkit.execution.work.services import RunServices
from revkit.grammar.parse_keeper import parses_kept_by
from revkit.model.edits import Edit, ordered_edits
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper
from revkit.model.review import Failure, Outcome, Review, Scale, checked, plain_failure
from revkit.model.values import Json, canonical_json, digest_of
from revkit.model.variant import Layout, Rejection, Variant
from revkit.model.written_review import PaperReviews
from revkit.papers import refuse_unread
from revkit.spec import AgentStep, JudgeStep, PerturbationStep


class ItemWorker(RunServices):
    """Computes variants, reviews, judgements and probes with the services of one run."""

    def not_in_time(self, step: ItemStep) -> Answer:
        """Return the answer for an item that passed the deadline."""
        reason = f"not done in {self._experiment.deadline} s, and given up (deadline)"
        if isinstance(step, PerturbationStep):
            return Answer(Variant(rejected=reason, outcome="crashed"), lasting=False)
        return Answer(Failure("timeout", reason), lasting=False)

    def variant(self, step: PerturbationStep, paper: Paper, index: int) -> Answer:
        """Make variant ``index`` of ``paper``, or state why there is none."""
        calls: Calls = []
        try:
            with parses_kept_by(self.parses):
                made = self._variant(step, paper, index, calls)
            answer = based_on(calls, Answer(made))
            canonical_json(answer.to_json())  # NaN in a check, or what else no file can hold
        except StoreError:
            raise
        except BaseException as error:  # whatever a plugin raises is an outcome, not the end
            reason = f"crashed: {error_text(error)}"
            return Answer(Variant(rejected=reason, outcome="crashed"), lasting=False)
        return answer

    def _variant(self, step: PerturbationStep, paper: Paper, index: int, calls: Calls) -> Variant:
        component = step.component
        ctx = self.context(component, paper.digest, index, calls=calls)
        made = refuse_unread(paper, component.needs) or component.perturb(paper, ctx)
        if isinstance(made, Rejection):
            if made.unread:
                return _rejected_by("structure", made.reason, 0)
            return _declined(made.reason or "rejected without a reason")
        if isinstance(made, Layout):
            paper.laid_out(made.name)
            return Variant(layout=made.name)
        edits = ordered_edits(paper.text, made)
        if not edits:
            return _declined("nothing to edit")
        count = len(edits)
        contexts = [self.context(c, paper.digest, index, calls=calls) for c in step.keep_if]
        for constraint, context in zip(step.keep_if, contexts, strict=True):
            edits = _pruned(paper, edits, constraint.prune(paper, edits, context), constraint.name)
            if not edits:
                return _rejected_by(constraint.name, f"no edit passed {constraint.name}", count)
        if paper.edited(edits).text == paper.text:
            return _declined("the edits cancel each other out", count - len(edits))
        checks = [
            *component.gates(paper, edits, ctx),
            *(
                constraint.check(paper, edits, context)
                for constraint, context in zip(step.keep_if, contexts, strict=True)
            ),
        ]
        for check in checks:
            check_of_plugin(check)
        dropped = count - len(edits)
        failed = next((check.name for check in checks if not check.passed), None)
        if failed is None:
            direction = component.direction(paper, edits)
            return Variant(edits, tuple(checks), dropped, direction=direction)
        rejected = _rejected_by(failed, f"did not pass {failed}", dropped)
        return replace(rejected, edits=edits, checks=tuple(checks))

    def review(
        self, step: AgentStep, paper: Paper, repeat: int, written: PaperReviews | None = None
    ) -> Answer:
        """Let the agent review ``paper``, after its defenses have screened it. ``written`` are the
        human reviews, for an agent that requests them.
        """

        def reviewed(seen: Paper, calls: Calls, change: Change | None) -> Outcome:
            agent = step.component
            ctx = self.context(agent, seen.digest, repeat, repeat=repeat, calls=calls)
            ctx = ctx if written is None else ctx.with_reviews(written)
            ctx = ctx if change is None else ctx.changing(change)
            return checked(_awaited(agent.review(seen, ctx)), agent.scale)

        with self.clock.timing(step):
            return self._asked(step, paper, repeat, reviewed, step.component.scale)

    async def conversed(self, step: AgentStep, paper: Paper, repeat: int) -> Answer:
        """`review` by an agent that converses and has no defenses, in the event loop of calls."""
        from asyncio import CancelledError  # it is loaded by now; a replay does not need it

        agent = step.component
        calls: Calls = []
        with self.clock.timing(step), parses_kept_by(self.parses):
            try:
                ctx = conversing(self.context(agent, paper.digest, repeat, repeat=repeat))
                answered = partial(self.answered, agent, calls)
                outcome = checked(await _led(agent.conversation(paper, ctx), answered), agent.scale)
            except (StoreError, CancelledError):
                raise
            except BaseException as error:  # whatever a plugin raises is an outcome, not the end
                outcome = Failure("crashed", error_text(error))
            self.changed_files.compare(agent)
            return based_on(calls, Answer(outcome, lasting=isinstance(outcome, Review)))

    def judgement(self, step: JudgeStep, paper: Paper, repeat: int) -> Answer:
        """Let the agent judge ``paper`` by a rubric, after its defenses have screened it."""

        def judged(seen: Paper, calls: Calls, change: Change | None) -> Outcome:
            agent, criterion = step.agent.component, step.rubric.criterion
            digest = digest_of([seen.digest, criterion.to_json()])
            ctx = self.context(agent, digest, repeat, repeat=repeat, calls=calls)
            ctx = ctx if change is None else ctx.changing(change)
            return judged_outcome(agent.judge(seen, criterion, ctx), step)

        return self._asked(step.agent, paper, repeat, judged, step.rubric.criterion.scale)

    def gate(
        self, constraints: Sequence[Constraint], paper: Paper, edits: tuple[Edit, ...]
    ) -> Answer:
        """Judge an attacked text as a whole: a review without a verdict, whose details name the
        first constraint that it does not meet, or ""."""
        calls: Calls = []
        digest = paper.edited(edits).digest
        try:
            failed = ""
            for constraint in constraints:
                ctx = self.context(constraint, digest, calls=calls)
                with parses_kept_by(self.parses):
                    check = constraint.check(paper, edits, ctx)
                check_of_plugin(check)
                if not check.passed:
                    failed = constraint.name
                    break
        except StoreError:
            raise
        except BaseException as error:  # whatever a plugin raises is an outcome, not the end
            failure = Failure("crashed", f"the gate crashed: {error_text(error)}")
            return Answer(failure, lasting=False)
        return based_on(calls, Answer(Review(details={"failed": failed})))

    def proposal(
        self, strategy: Strategy, space: SearchSpace, history: Sequence[Try], digest: str
    ) -> Answer:
        """What ``strategy`` proposes after ``history``, on the paper with ``digest``: a review
        without a verdict, whose details hold the units, or None where it has ended."""
        calls: Calls = []
        try:
            search = strategy.search(space, self.context(strategy, digest, calls=calls))
            try:
                units: list[Json] | None = list(next(search))
                for tried in history:
                    units = list(search.send(tried))
            except StopIteration:
                units = None
            outcome = checked(Review(details={"units": units}), space.scale)
        except StoreError:
            raise
        except BaseException as error:  # whatever a plugin raises is an outcome, not the end
            outcome = Failure("crashed", f"the strategy crashed: {error_text(error)}")
        return based_on(calls, Answer(outcome, lasting=isinstance(outcome, Review)))

    def probe(self, step: AgentStep, paper: Paper) -> Answer:
        """Let the agent repeat the marker words in ``paper``, after its defenses have screened it:
        the answer is a review without a verdict, whose details hold the words. No guard acts."""

        def repeated(seen: Paper, calls: Calls, _change: Change | None) -> Outcome:
            agent = step.component
            words = agent.repeat_markers(seen, self.context(agent, seen.digest, calls=calls))
            if isinstance(words, Failure):
                return plain_failure(words)
            return checked(Review(details={"words": list(map(str, words))}), agent.scale)

        return self._asked(step, paper, 0, repeated)

    def _asked(
        self,
        step: AgentStep,
        paper: Paper,
        repeat: int,
        ask: Callable[[Paper, Calls, Change | None], Outcome],
        scale: Scale | None = None,
    ) -> Answer:
        """The answer of ``ask`` behind the defenses of ``step``; without a ``scale``, behind their
        screens alone."""
        screens: list[tuple[str, tuple[Edit, ...]]] = []
        calls: Calls = []
        asked = 0

        def one(seen: Paper, change: Change | None) -> Outcome:
            nonlocal asked
            asked += 1
            with parses_kept_by(self.parses):
                return ask(seen, calls, change)

        try:
            for defense in step.defenses:
                screened = self._screen(defense, paper, repeat, calls)
                if isinstance(screened, Failure):
                    return Answer(screened, tuple(screens), lasting=False, asked=0)
                paper = paper.edited(screened).blind()
                screens.append((defense.name, screened))
            if scale is None or not guards_of(step.defenses):
                outcome = one(paper, None)
            else:
                guard = partial(self._guard_context, repeat, calls)
                review = guarded(step.defenses, Reviewing(scale, one), guard)
                outcome = checked(review(paper), scale)
        except StoreError:
            raise
        except BaseException as error:  # whatever a plugin raises is an outcome, not the end
            outcome = Failure("crashed", error_text(error))
        self.changed_files.compare(step.component)
        lasting = isinstance(outcome, Review)
        return based_on(calls, Answer(outcome, tuple(screens), lasting, asked=asked))

    def _guard_context(self, repeat: int, calls: Calls, defense: Defense, paper: Paper) -> Context:
        return self.context(defense, paper.digest, repeat, repeat=repeat, calls=calls)

    def _screen(
        self, defense: Defense, paper: Paper, repeat: int, calls: Calls
    ) -> tuple[Edit, ...] | Failure:
        screened = defense.screen(paper, self.context(defense, paper.digest, repeat, calls=calls))
        if isinstance(screened, Failure):
            return plain_failure(screened)
        return ordered_edits(paper.text, screened)


def _declined(reason: str, dropped: int = 0) -> Variant:
    return Variant(dropped=dropped, rejected=reason, outcome="declined")


def _rejected_by(gate: str, reason: str, dropped: int) -> Variant:
    return Variant(dropped=dropped, rejected=reason, outcome="gate", gate=gate)


def _pruned(
    paper: Paper, edits: tuple[Edit, ...], kept: Sequence[Edit], name: str
) -> tuple[Edit, ...]:
    chosen = ordered_edits(paper.text, kept)
    if not set(chosen) <= set(edits):
        raise ValueError(f"constraint {name!r} made new edits; it may only leave some out")
    return chosen


async def _led(
    conversation: Conversation, answered: Callable[[ModelRequest], Awaitable[ModelReply | Failure]]
) -> Outcome:
    """Answer each request of ``conversation`` in turn, and return its outcome."""
    try:
        request = next(conversation)
        while True:
            request = conversation.send(await answered(request))
    except StopIteration as ended:
        outcome: Outcome = ended.value
        return outcome


def _awaited(outcome: Any) -> Any:
    """What an agent returned; the result of a coroutine, which is run to its end here."""
    if not inspect.isawaitable(outcome):
        return outcome

    import asyncio

    async def result() -> Any:
        return await outcome

    return asyncio.run(result())
