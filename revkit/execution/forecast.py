"""Estimate the calls and the cost of a run from its real prompts, without a call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.cache import Store, spent_on
from revkit.contracts import (
    Agent,
    Change,
    Component,
    Context,
    Defense,
    Peer,
    Reviewing,
    SearchSpace,
    Services,
    Strategy,
    Try,
    Unit,
    guarded,
)
from revkit.errors import RevkitError
from revkit.execution.bounds import Share, shares_of
from revkit.execution.estimate import Forecast, ModelForecast, RoleForecast
from revkit.execution.sources import read_corpus
from revkit.execution.work import ItemWorker
from revkit.model.criterion import Criterion
from revkit.model.edits import ordered_edits
from revkit.model.judged_review import review_as_paper
from revkit.model.markers import MarkedPaper
from revkit.model.paper import Material, Paper
from revkit.model.review import Failure, Outcome, Review, Scale
from revkit.model.variant import Layout, Rejection
from revkit.model.work import Work
from revkit.papers import refuse_unread
from revkit.planning.attacks import queries_a_paper
from revkit.planning.plan import count_of
from revkit.planning.probes import probe_steps
from revkit.planning.roles import roles_of
from revkit.spec import (
    AgentStep,
    Attack,
    Calibration,
    Experiment,
    PerturbationStep,
    attacked_agents,
)

if TYPE_CHECKING:
    from revkit.services.llm import ModelGateway
    from revkit.services.llm.estimate import Estimator

SAMPLE = 20
# An abstract of a work that a search may find, in characters: few are longer.
_ABSTRACT = 4000
_REVIEW = 6000  # characters of a simulated review
_LATEST = 9999  # a year that no rule leaves out for being early
_UNSIZED = "unknown before the corpus is read"


def forecast(
    experiment: Experiment,
    papers: int | None,
    store: Path | None = None,
    *,
    leave_out: Collection[str] = (),
) -> Forecast | None:
    """Estimate the calls of a run over ``papers`` papers; None if it calls no model.

    ``store`` is the file of answers, if it exists: what it holds is not counted among the sample.
    ``leave_out`` names agents, judges and perturbations that are not counted, by their paths.
    """
    if not any("llm" in component.uses for _, component in experiment.components()):
        return None
    path = store if store and store.is_file() else None
    with Store(path) as answers, ItemWorker(experiment, answers) as worker:
        spent = spent_on(answers, [experiment.digest])
        blank = Forecast(0, None, None, None, None, spent=spent, budget=experiment.budget)
        sample, checklists = _sample(experiment, worker, min(SAMPLE, papers or SAMPLE))
        assert worker.gateway is not None
        try:
            estimates = _estimates(
                experiment, worker, worker.gateway, sample, checklists, papers, leave_out
            )
        except _UnknownCalls as reason:
            return replace(blank, sampled=len(sample), unknown=f"unknown ({reason})")
    if papers is None or not sample or None in [times for times, _ in estimates]:
        return replace(blank, sampled=len(sample), unknown=_UNSIZED)
    share = papers / len(sample)
    total = Share()
    by_role: dict[tuple[str, str], Share] = {}
    for times, parts in estimates:
        for (agent, role), each in parts.items():
            total.add(each, share * (times or 0.0))
            by_role.setdefault((agent, role), Share()).add(each, share * (times or 0.0))
    return replace(
        blank,
        sampled=len(sample),
        calls=round(total.calls),
        prompt_tokens=round(total.prompt_tokens),
        most_reply_tokens=round(total.most_reply_tokens),
        most_usd=total.most_usd,
        known_usd=total.known_usd,
        unpriced=tuple(sorted(total.unpriced)),
        batch_usd=total.batch_usd,
        models=tuple(
            ModelForecast(model, round(calls), round(tokens))
            for model, (calls, tokens) in sorted(total.models.items())
        ),
        paper_bytes=sum(len(peer.paper.text.encode("utf-8", "replace")) for peer in sample)
        / len(sample),
        roles=tuple(_role_forecasts(experiment, by_role)),
    )


def _role_forecasts(
    experiment: Experiment, by_role: Mapping[tuple[str, str], Share]
) -> Iterator[RoleForecast]:
    """Return rows for all components with calls, for agents that declare their roles: agents in the
    order of the experiment, then variants, defenses and judgements.
    """
    known = {
        agent: {role.name: role.model for role in roles_of(step.component)}
        for agent, step in experiment.agent_steps.items()
    }
    if not any(known.values()):
        return
    for agent, models in {**known, "": {}}.items():
        for (name, role), each in by_role.items():
            if name == agent and each.calls:
                yield RoleForecast(
                    agent,
                    role,
                    models.get(role, ""),
                    round(each.calls),
                    round(each.prompt_tokens),
                    round(each.most_reply_tokens),
                    each.most_usd,
                )


class _UnknownCalls(Exception):
    """A component crashed with a simulated model, so its calls are unknown."""


def _sample(
    experiment: Experiment, worker: ItemWorker, most: int
) -> tuple[list[Peer], dict[str, Sequence[Material]]]:
    """Return the first papers of the corpus, as components see them, and by their ids what judges
    of their reviews read.
    """
    corpus = experiment.corpus
    read = read_corpus(corpus, lambda: worker.papers_of(corpus), most)
    papers = [item for item in read if isinstance(item, Paper)]
    checklists = {paper.blind().id: corpus.judging_materials(paper.labels) for paper in papers}
    return [Peer(paper.blind(), paper.labels.topic) for paper in papers], checklists


# What is asked about one paper: by the agent's name in the experiment ("" for others) and by role.
_Parts = dict[tuple[str, str], Share]
Counted = Callable[[], tuple[Services, "Estimator"]]
_Ask = Callable[[Paper, Counted], Iterator[_Parts]]


def _estimates(
    experiment: Experiment,
    worker: ItemWorker,
    gateway: ModelGateway,
    sample: Sequence[Peer],
    checklists: Mapping[str, Sequence[Material]],
    papers: int | None,
    leave_out: Collection[str],
) -> list[tuple[float | None, _Parts]]:
    """Return the calls for reviews and variants of the sample, each with the number of times that a
    paper needs it (None: unknown).

    A simulated model that only counts calls; a reviewer or writer that gets an empty form from it
    asks on as often as it can.
    """
    if experiment.searcher is not None and "llm" in experiment.searcher.uses:
        raise _UnknownCalls("the searcher asks models too")
    variants = experiment.perturbation_steps.values()
    texts = 1.0 + sum(step.variants for step in variants)
    found: list[tuple[float | None, _Ask]] = [
        (texts, _reviewing(experiment, experiment.repeats, leave_out))
    ]
    if experiment.judges:
        found.append((texts, _judging(experiment, leave_out)))
        found.append((len(experiment.agents), _judging(experiment, leave_out, checklists)))
    if experiment.calibration is not None:
        each = _anchors_a_paper(experiment.calibration, papers)
        found.append((each, _reviewing(experiment, experiment.calibration.repeats, leave_out)))
    if sample and probe_steps(experiment):  # one call for each agent, whatever the corpus
        once = None if not papers else len(sample) / papers
        found.append((once, _probing(experiment, sample, leave_out)))
    if experiment.attack is not None:
        agents = attacked_agents(experiment)
        apart = {f"agents.{name}" for name in experiment.agents if name not in agents}
        queries = queries_a_paper(experiment) / max(1, len(agents))
        found.append((queries, _reviewing(experiment, 1, {*leave_out, *apart})))
        found += [
            (len(agents), _proposing(experiment.attack, strategy))
            for name, strategy in experiment.attack.all_strategies.items()
            if f"attack.strategies.{name}" not in leave_out and _asking([strategy])
        ]
    found += [
        (step.variants, _writing(step))
        for name, step in experiment.perturbation_steps.items()
        if f"perturbations.{name}" not in leave_out
    ]

    def counted() -> tuple[Services, Estimator]:
        estimator = gateway.estimator()
        services = Services(
            embed=worker.embed,
            complete=estimator.complete,
            gather=gateway.gather,
            peers=lambda: sample,
            search=partial(_searched, worker),
        )
        return services, estimator

    estimates: list[tuple[float | None, _Parts]] = []
    for times, ask in found:
        parts: _Parts = {}
        for peer in sample:
            try:
                for more in ask(peer.paper, counted):
                    for place, share in more.items():
                        parts.setdefault(place, Share()).add(share)
            except RevkitError:
                raise
            except (Exception, SystemExit) as error:
                reason = f"{type(error).__name__} with a simulated model"
                raise _UnknownCalls(reason) from error
        estimates.append((times, parts))
    return estimates


def _searched(worker: ItemWorker, query: str, limit: int) -> Sequence[Work]:
    """Simulate a literature search: no service is called, and the result is the maximum number of
    works or a stored result.
    """
    found = worker.found_before(query, limit)
    if found is not None:
        return found
    return [
        Work(
            title=f"(estimate {number})",
            year=_LATEST,
            abstract=f"(estimate {number}) ".ljust(_ABSTRACT, "x"),
        )
        for number in range(limit)
    ]


def _anchors_a_paper(calibration: Calibration, papers: int | None) -> float | None:
    """Return the number of anchors for each paper; anchors drawn from the corpus are counted as
    papers too.
    """
    if calibration.anchors is None:
        return calibration.share
    anchors = count_of(calibration.anchors)
    return None if anchors is None or not papers else anchors / papers


def _asking(parts: Iterable[Component]) -> bool:
    return any("llm" in part.uses for part in parts)


def _screened(step: AgentStep, paper: Paper, services: Services) -> Paper | None:
    """Return ``paper`` as the agent sees it; None if a defense refuses it."""
    for defense in step.defenses if _asking(step.defenses) else ():
        screened = defense.screen(paper, Context(0, services, defense.uses))
        if isinstance(screened, Failure):
            return None
        paper = paper.edited(screened).blind()
    return paper


def _judged(judge: Agent, criterion: Criterion, paper: Paper, ctx: Context) -> Outcome:
    return judge.judge(paper, criterion, ctx)


def _within_guards(
    step: AgentStep,
    paper: Paper,
    ask: Callable[[Paper, Context], Outcome],
    ctx: Context,
    services: Services,
) -> None:
    """Let the agent of ``step`` answer within its guards, which ask ``services``, with simulated
    models. An agent that asks no model is not called: its answer is a simulated review."""
    agent = step.component

    def one(seen: Paper, change: Change | None) -> Outcome:
        if "llm" not in agent.uses:
            return Review(score=agent.scale.minimum)
        return ask(seen, ctx if change is None else ctx.changing(change))

    context = partial(_guard_context, services)
    guarded(step.defenses, Reviewing(agent.scale, one), context)(paper)


def _guard_context(services: Services, defense: Defense, _paper: Paper) -> Context:
    return Context(0, services, defense.uses)


def _judging(
    experiment: Experiment,
    leave_out: Collection[str],
    checklists: Mapping[str, Sequence[Material]] | None = None,
) -> _Ask:
    """Return the judgements of one paper or, with ``checklists`` by paper, of a simulated review of
    it.
    """
    reads = "papers" if checklists is None else "reviews"
    judges = [
        step
        for name, step in experiment.judge_steps.items()
        if step.reads == reads
        and _asking((step.component, *step.defenses))
        and f"judges.{name}" not in leave_out
    ]

    def ask(paper: Paper, counted: Counted) -> Iterator[_Parts]:
        for step in judges:
            judge = step.component
            text = paper
            if checklists is not None:
                source = Material("source", paper.text, paper.title)
                review = "(estimate)".ljust(_REVIEW, "x")
                text = review_as_paper("review", review, source, checklists.get(paper.id, ()))
            for rubric in filter(step.judges_by, experiment.rubrics):
                for repeat in range(experiment.repeats):
                    services, estimator = counted()
                    seen = _screened(step, text, services)
                    if seen is not None:
                        ctx = Context(0, services, judge.uses, repeat)
                        judged = partial(_judged, judge, rubric.criterion)
                        _within_guards(step, seen, judged, ctx, services)
                    yield _plain(estimator)

    return ask


def _reviewing(experiment: Experiment, repeats: int, leave_out: Collection[str]) -> _Ask:
    agents = [
        (name, step, roles_of(step.component))
        for name, step in experiment.agent_steps.items()
        if _asking((step.component, *step.defenses)) and f"agents.{name}" not in leave_out
    ]

    def ask(paper: Paper, counted: Counted) -> Iterator[_Parts]:
        for name, step, roles in agents:
            agent = step.component
            for repeat in range(repeats):
                services, screening = counted()
                seen = _screened(step, paper, services)
                yield _plain(screening)
                if seen is None:
                    continue
                services, estimator = counted()
                behind, guarding = counted()
                ctx = Context(0, services, agent.uses, repeat)
                _within_guards(step, seen, agent.review, ctx, behind)
                yield _plain(guarding)
                if "llm" in agent.uses:
                    shares = shares_of(estimator, roles)
                    yield {(name, role): share for role, share in shares.items()}

    return ask


def _probing(experiment: Experiment, sample: Sequence[Peer], leave_out: Collection[str]) -> _Ask:
    longest = min((peer.paper for peer in sample), key=lambda paper: (-paper.words, paper.digest))
    steps = {
        name: step.agent
        for name, step in probe_steps(experiment).items()
        if f"agents.{name}" not in leave_out
    }

    def ask(paper: Paper, counted: Counted) -> Iterator[_Parts]:
        for name, step in steps.items() if paper is longest else ():
            services, screening = counted()
            seen = _screened(step, MarkedPaper(paper).paper, services)
            yield _plain(screening)
            if seen is not None:
                services, estimator = counted()
                step.component.repeat_markers(seen, Context(0, services, step.component.uses))
                shares = shares_of(estimator, ())
                yield {(name, role): share for role, share in shares.items()}

    return ask


def _writing(step: PerturbationStep) -> _Ask:
    """Return the calls for one variant: its perturbation, its gates, and its constraints."""
    component = step.component

    def ask(paper: Paper, counted: Counted) -> Iterator[_Parts]:
        services, estimator = counted()
        ctx = Context(0, services, component.uses)
        made = refuse_unread(paper, component.needs) or component.perturb(paper, ctx)
        edits = () if isinstance(made, Layout | Rejection) else ordered_edits(paper.text, made)
        for constraint in step.keep_if if edits else ():
            kept = constraint.prune(paper, edits, Context(0, services, constraint.uses))
            edits = ordered_edits(paper.text, kept)
        if edits:
            component.gates(paper, edits, ctx)
            for constraint in step.keep_if:
                constraint.check(paper, edits, Context(0, services, constraint.uses))
        yield _plain(estimator)

    return ask if _asking((component, *step.keep_if)) else lambda paper, counted: iter(())


_STAND_INS = 60  # units of edits that a paper is taken to have


def _proposing(attack: Attack, strategy: Strategy) -> _Ask:
    """What a strategy asks in one search that never succeeds, over stand-ins for edits."""

    def ask(paper: Paper, counted: Counted) -> Iterator[_Parts]:
        sentences = [paper.text[each.start : each.end] for each in paper.sentences[:_STAND_INS]]
        units = tuple(Unit(n, "(estimate)", n, old, old) for n, old in enumerate(sentences))
        if not units:
            return
        scale = Scale("(estimate)", 0.0, 1.0)
        clean = Try((), "missed", False, 0.0)
        space = SearchSpace(units, attack.budget, attack.event, attack.sees, clean, scale)
        services, estimator = counted()
        search = strategy.search(space, Context(0, services, strategy.uses))
        try:
            proposal = next(search)
            for _ in range(attack.budget - 1):
                units_tried = space.applied(proposal)
                proposal = search.send(Try(units_tried, "missed", False, 0.0))
        except StopIteration:
            pass
        search.close()
        yield _plain(estimator)

    return ask


def _plain(estimator: Estimator) -> _Parts:
    """Return the calls without the agent that made them."""
    return {("", role): share for role, share in shares_of(estimator, ()).items()}
