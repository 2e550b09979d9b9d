"""The work on one item: call a step's components; all that can happen becomes a value."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, cast

from revkit.cache import SeedBase, Store, attempts_to_json, spent_on
from revkit.contracts import Agent, Component, Context, Corpus, Defense, Services
from revkit.errors import StoreError
from revkit.execution.changed_files import ChangedFiles
from revkit.execution.keys import services_behind
from revkit.execution.sources import CorpusPapers
from revkit.execution.warning import (
    RunWarning,
    damaged_answers_warning,
    equal_counts_warning,
)
from revkit.model.edits import Edit, edits_to_json, ordered_edits
from revkit.model.exchange import ModelReply, ModelRequest
from revkit.model.paper import Paper, Skipped
from revkit.model.review import Failure, Outcome, Review, checked, plain_failure
from revkit.model.values import Json, canonical_json, digest_of
from revkit.model.variant import Check, Rejection, Variant
from revkit.model.work import Work
from revkit.model.written_review import PaperReviews
from revkit.services import EmbedService, SearchService
from revkit.spec import AgentStep, Experiment, JudgeStep, PerturbationStep

if TYPE_CHECKING:
    from revkit.services.llm import ModelGateway


ItemStep = PerturbationStep | AgentStep | JudgeStep
Calls = list[tuple[str, str]]  # keys of calls, and the roles that they were made for
_LONGEST_ROLES = 10_000
_AND = " + "


@dataclass(frozen=True)
class Answer:
    """What one item gave: a `Variant`, or an `Outcome` with what defenses removed before it.

    ``lasting`` states whether the store keeps it; failures and crashes are tried again next time.
    ``calls`` are the keys of the stored replies of language models behind it, in
    hexadecimal and sorted. ``roles`` says for each for which role of the component it was asked;
    it is empty where none was named.
    """

    value: Variant | Outcome
    screens: tuple[tuple[str, tuple[Edit, ...]], ...] = ()
    lasting: bool = True
    calls: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Json]:
        body: dict[str, Json] = {
            "value": self.value.to_json(),
            "screens": [[name, edits_to_json(edits)] for name, edits in self.screens],
        }
        if self.calls:
            body["calls"] = list(self.calls)
        if any(self.roles):
            body["roles"] = list(self.roles)
        return body


def answer_from_json(value: Mapping[str, Any], record: str) -> Answer:
    """Read an answer back; ``record`` is "variant", "review" or "judgement"."""
    body = value["value"]
    found = Variant.from_json(body) if record == "variant" else Review.from_json(body)
    calls, roles = tuple(value.get("calls", ())), tuple(value.get("roles", ()))
    return Answer(found, screens_from_json(value), calls=calls, roles=roles)


def screens_from_json(value: Mapping[str, Any]) -> tuple[tuple[str, tuple[Edit, ...]], ...]:
    """What defenses edited before an answer, read back."""
    return tuple(
        (name, tuple(Edit.from_json(edit) for edit in edits)) for name, edits in value["screens"]
    )


def is_credible(answer: Answer, step: ItemStep, paper: Paper) -> bool:
    """Whether an answer that was stored can be one of ``step``'s: a file may have been changed.

    It may raise TypeError, ValueError or AttributeError where it holds what no answer does.
    """
    if not all(isinstance(call, str) and len(bytes.fromhex(call)) == 32 for call in answer.calls):
        return False
    if answer.roles and not _credible_roles(answer):
        return False
    if isinstance(step, AgentStep):
        return isinstance(checked(cast(Outcome, answer.value), step.component.scale), Review)
    if isinstance(step, JudgeStep):
        return isinstance(_judged(cast(Outcome, answer.value), step), Review)
    variant = cast(Variant, answer.value)
    for check in variant.checks:
        _check_check(check)
    if ordered_edits(paper.text, variant.edits) != variant.edits:
        return False
    passed = variant.edits and all(check.passed for check in variant.checks)
    # A crash is never stored.
    return bool(passed if variant.outcome == "made" else variant.outcome != "crashed")


def _credible_roles(answer: Answer) -> bool:
    each = all(isinstance(role, str) and len(role) <= _LONGEST_ROLES for role in answer.roles)
    return each and len(answer.roles) == len(answer.calls)


def _check_check(check: object) -> None:
    if not isinstance(check, Check) or not isinstance(check.passed, bool):
        raise TypeError(f"expected a Check that passed or not, got {check!r}")


class ItemWorker:
    """What every call of a component needs besides its item: its seed and the run's services.

    Use it as a context manager: it holds connections to language models, where one may be asked.
    ``stop`` ends waiting for a model early. ``serve`` False offers no service at all: for a run
    that computes nothing, on a machine that may have neither models nor their files. ``sharing``
    are the digests of the experiments that share the budget, as the points of a sweep do.
    """

    def __init__(
        self,
        experiment: Experiment,
        store: Store,
        stop: threading.Event | None = None,
        *,
        serve: bool = True,
        sharing: Collection[str] = (),
    ) -> None:
        components = list(experiment.components())
        self._sharing = {experiment.digest, *sharing}
        embedder = experiment.embedder if serve else None
        self.embed = EmbedService(embedder, store) if embedder else None
        self.asks = serve and any("llm" in component.uses for _, component in components)
        self._gateway: ModelGateway | None = None
        self._opening = threading.Lock()
        self._store = store
        self._stop = stop
        self._experiment = experiment
        self._seed = experiment.seed
        self._seeds: dict[int, SeedBase] = {}
        self._services: dict[int, Services] = {}
        agents = [component for _, component in components if isinstance(component, Agent)]
        self.changed_files = ChangedFiles(agents if serve else (), store)
        self._labels: dict[int, str] = {}
        self.peers = CorpusPapers(experiment, lambda: self.papers_of(experiment.corpus))
        places: dict[int, list[str]] = {}
        for path, component in components:
            places.setdefault(id(component), []).append(path)
        for _, component in components:
            # The ledger counts by the names under which the experiment knows the component.
            label = ", ".join(places[id(component)])
            self._labels[id(component)] = label
            self._services[id(component)] = Services(
                embed=self.embed,
                complete=partial(self._complete, label) if self.asks else None,
                gather=self._gather if self.asks else None,
                peers=self.peers if serve else None,
                search=self._search if serve and experiment.searcher else None,
            )
        self._searcher: SearchService | None = None
        if serve and experiment.searcher is not None:
            searcher = experiment.searcher
            behind = services_behind(experiment, [searcher])
            services = self._services[id(searcher)]
            self._searcher = SearchService(searcher, store, services, behind)

    def __enter__(self) -> ItemWorker:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._gateway is not None:
            self._gateway.close()

    @property
    def gateway(self) -> ModelGateway | None:
        """The language models; None where no component asks one.

        Opened when first needed: a run whose answers are all stored has no use for it.
        """
        if self.asks and self._gateway is None:
            from revkit.services.llm import ModelGateway

            with self._opening:
                self._gateway = self._gateway or ModelGateway(
                    self._experiment.llm,
                    self._store,
                    self._experiment.budget,
                    stop=self._stop,
                    experiment=self._experiment.digest,
                    spent=spent_on(self._store, self._sharing),
                )
        return self._gateway

    def spending(self) -> dict[str, Json] | None:
        """What was asked of language models: by this command, and by all commands that ran the
        experiment with this store; None where no component asks one."""
        if not self.asks:
            return None
        command = [] if self._gateway is None else self._gateway.ledger.to_json()
        whole = attempts_to_json(self._store, self._experiment.digest)
        return {"command": command, "experiment": whole}

    def warnings(self) -> tuple[RunWarning, ...]:
        """What of the calls made so far casts doubt on the reviews, and what the store lost."""
        counts = [] if self._gateway is None else self._gateway.equal_counts()
        found = list(map(equal_counts_warning, counts))
        if damaged := self._store.damaged:
            found.append(damaged_answers_warning(self._store.path, damaged.values()))
        return tuple(found)

    def _complete(self, label: str, request: ModelRequest) -> ModelReply | Failure:
        assert self.gateway is not None
        return self.gateway.complete(request, label)

    def _gather(self, calls: Sequence[Callable[[], Any]]) -> list[Any]:
        assert self.gateway is not None
        return self.gateway.gather(calls)

    def troubles(self, component: Component) -> list[str]:
        """Problems that would make every call of a component fail, found without paid calls.

        A plugin that fails even to say what it lacks lacks that.
        """
        try:
            asked = services_behind(self._experiment, [component])
            troubles = [str(trouble) for each in (component, *asked) for trouble in each.ready()]
            if not troubles and self.gateway is not None:
                troubles = self.gateway.check(component.models())
        except StoreError:
            raise
        except (Exception, SystemExit) as error:
            return [f"{component.name}: {_error_text(error)}"]
        return troubles

    def _search(self, query: str, limit: int) -> Sequence[Work] | Failure:
        assert self._searcher is not None
        return self._searcher(query, limit)

    def found_before(self, query: str, limit: int) -> Sequence[Work] | None:
        """What a search found in an earlier run; None where the store holds no such search."""
        return self._searcher.stored(query, limit) if self._searcher else None

    def papers_of(self, corpus: Corpus) -> Iterable[Paper | Skipped]:
        """What ``corpus`` gives."""
        return corpus.papers(Context(self._seed, self.services_of(corpus), corpus.uses))

    def services_of(self, component: Component) -> Services:
        """What ``component`` may ask of the run."""
        return self._services[id(component)]

    def context(
        self,
        component: Component,
        digest: str,
        *numbers: int,
        repeat: int = 0,
        calls: Calls | None = None,
    ) -> Context:
        """The context of ``component`` for one item, seeded from content alone.

        The keys of the model calls that are answered through it are added to ``calls``, each with
        the role that it was asked for.
        """
        services = self.services_of(component)
        if calls is not None and "llm" in component.uses:
            services = self._noting(services, self._labels[id(component)], calls)
        return Context(
            seed=self._seed_base(component).item(digest, *numbers),
            services=services,
            uses=component.uses,
            repeat=repeat,
        )

    def _seed_base(self, component: Component) -> SeedBase:
        # Only when asked for: an identity may read files, those of a whole corpus for example.
        base = self._seeds.get(id(component))
        if base is None:
            base = self._seeds[id(component)] = SeedBase.of(component, self._seed)
        return base

    def _noting(self, services: Services, label: str, calls: Calls) -> Services:
        if services.complete is None:
            return services

        def noting(request: ModelRequest) -> ModelReply | Failure:
            assert self.gateway is not None
            reply, key = self.gateway.answer(request, label)
            if isinstance(reply, ModelReply):  # a failure is not stored
                calls.append((key.hex(), request.role))
            return reply

        return replace(services, complete=noting)

    def not_in_time(self, step: ItemStep) -> Answer:
        """The answer for an item that passed the deadline."""
        reason = f"not done in {self._experiment.deadline} s, and given up (deadline)"
        if isinstance(step, PerturbationStep):
            return Answer(Variant(rejected=reason, outcome="crashed"), lasting=False)
        return Answer(Failure("timeout", reason), lasting=False)

    def variant(self, step: PerturbationStep, paper: Paper, index: int) -> Answer:
        """Make variant ``index`` of ``paper``, or state why there is none."""
        calls: Calls = []
        try:
            made = self._variant(step, paper, index, calls)
            answer = _standing_on(calls, Answer(made))
            canonical_json(answer.to_json())  # NaN in a check, or what else no file can hold
        except StoreError:
            raise
        except BaseException as error:  # whatever a plugin raises is an outcome, not the end
            reason = f"crashed: {_error_text(error)}"
            return Answer(Variant(rejected=reason, outcome="crashed"), lasting=False)
        return answer

    def _variant(self, step: PerturbationStep, paper: Paper, index: int, calls: Calls) -> Variant:
        component = step.component
        ctx = self.context(component, paper.digest, index, calls=calls)
        made = component.perturb(paper, ctx)
        if isinstance(made, Rejection):
            return _declined(made.reason or "rejected without a reason")
        edits = ordered_edits(paper.text, made)
        if not edits:
            return _declined("nothing to edit")
        count = len(edits)
        contexts = [self.context(c, paper.digest, index, calls=calls) for c in step.keep_if]
        for constraint, context in zip(step.keep_if, contexts, strict=True):
            edits = _pruned(paper, edits, constraint.prune(paper, edits, context), constraint.name)
            if not edits:
                return _turned_down(f"no edit passed {constraint.name}", constraint.name, count)
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
            _check_check(check)
        dropped = count - len(edits)
        failed = next((check.name for check in checks if not check.passed), None)
        if failed is None:
            direction = component.direction(paper, edits)
            return Variant(edits, tuple(checks), dropped, direction=direction)
        turned_down = _turned_down(f"did not pass {failed}", failed, dropped)
        return replace(turned_down, edits=edits, checks=tuple(checks))

    def review(
        self, step: AgentStep, paper: Paper, repeat: int, written: PaperReviews | None = None
    ) -> Answer:
        """Let the agent review ``paper``, after its defenses have screened it. ``written`` is what
        people said of it, for an agent that asks for that."""

        def reviewed(seen: Paper, calls: Calls) -> Outcome:
            agent = step.component
            ctx = self.context(agent, seen.digest, repeat, repeat=repeat, calls=calls)
            ctx = ctx if written is None else ctx.with_reviews(written)
            return checked(agent.review(seen, ctx), agent.scale)

        return self._asked(step, paper, repeat, reviewed)

    def judgement(self, step: JudgeStep, paper: Paper, repeat: int) -> Answer:
        """Let the agent judge ``paper`` by a rubric, after its defenses have screened it."""

        def judged(seen: Paper, calls: Calls) -> Outcome:
            agent, criterion = step.agent.component, step.rubric.criterion
            digest = digest_of([seen.digest, criterion.to_json()])
            ctx = self.context(agent, digest, repeat, repeat=repeat, calls=calls)
            return _judged(agent.judge(seen, criterion, ctx), step)

        return self._asked(step.agent, paper, repeat, judged)

    def probe(self, step: AgentStep, paper: Paper) -> Answer:
        """Let the agent repeat the marker words in ``paper``, after its defenses have screened it:
        the answer is a review without a verdict, whose details hold the words."""

        def repeated(seen: Paper, calls: Calls) -> Outcome:
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
        ask: Callable[[Paper, Calls], Outcome],
    ) -> Answer:
        screens: list[tuple[str, tuple[Edit, ...]]] = []
        calls: Calls = []
        try:
            for defense in step.defenses:
                screened = self._screen(defense, paper, repeat, calls)
                if isinstance(screened, Failure):
                    return Answer(screened, tuple(screens), lasting=False)
                paper = paper.edited(screened).blind()
                screens.append((defense.name, screened))
            outcome = ask(paper, calls)
        except StoreError:
            raise
        except BaseException as error:  # whatever a plugin raises is an outcome, not the end
            outcome = Failure("crashed", _error_text(error))
        self.changed_files.compare(step.component)
        lasting = isinstance(outcome, Review)
        return _standing_on(calls, Answer(outcome, tuple(screens), lasting))

    def _screen(
        self, defense: Defense, paper: Paper, repeat: int, calls: Calls
    ) -> tuple[Edit, ...] | Failure:
        screened = defense.screen(paper, self.context(defense, paper.digest, repeat, calls=calls))
        if isinstance(screened, Failure):
            return plain_failure(screened)
        return ordered_edits(paper.text, screened)


def _declined(reason: str, dropped: int = 0) -> Variant:
    return Variant(dropped=dropped, rejected=reason, outcome="declined")


def _turned_down(reason: str, gate: str, dropped: int) -> Variant:
    return Variant(dropped=dropped, rejected=reason, outcome="gate", gate=gate)


def _judged(outcome: Outcome, step: JudgeStep) -> Outcome:
    """``outcome`` as a judgement: a score on the criterion's scale, or a Failure."""
    outcome = checked(outcome, step.rubric.criterion.scale)
    if isinstance(outcome, Review) and outcome.score is None:
        return Failure("schema", "a judgement without a score", outcome.text)
    return outcome


def _pruned(
    paper: Paper, edits: tuple[Edit, ...], kept: Sequence[Edit], name: str
) -> tuple[Edit, ...]:
    chosen = ordered_edits(paper.text, kept)
    if not set(chosen) <= set(edits):
        raise ValueError(f"constraint {name!r} made new edits; it may only leave some out")
    return chosen


def _standing_on(calls: Calls, answer: Answer) -> Answer:
    """``answer`` with its calls, each once. One that several roles asked is theirs together: which
    came first, threads decide."""
    asked: dict[str, set[str]] = {}
    for call, role in calls:
        asked.setdefault(call, set()).add(role)
    keys = sorted(asked)
    roles = tuple(joined_roles(asked[key]) for key in keys)
    return replace(answer, calls=tuple(keys), roles=roles if any(roles) else ())


def joined_roles(roles: Iterable[str]) -> str:
    """Several roles that share a call, as one name."""
    names = {name for role in roles for name in role.split(_AND) if name}
    return _AND.join(sorted(names))


def _error_text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0][:500]
