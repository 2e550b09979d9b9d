"""Test one agent on one paper, and return all details."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from revkit.cache import Store
from revkit.contracts import Change, Context, Defense, Reviewing, guarded, guards_of
from revkit.errors import Problem, RevkitError, RunError, SpecError
from revkit.execution.frames import error_text
from revkit.execution.sources import read_corpus
from revkit.execution.work import ItemWorker
from revkit.model.paper import Paper, Skipped
from revkit.model.review import Failure, Outcome
from revkit.model.values import Json
from revkit.options import unknown_name
from revkit.spec import AgentStep, Experiment


def try_agent(experiment: Experiment, name: str, paper: Paper | None = None) -> dict[str, Json]:
    """Let the agent called ``name`` review one paper, outside any store, and return what happened.

    ``paper`` is the first of the experiment's corpus where it is None. Defenses screen it first, as
    in a run. The keys are those of `Agent.explain`, with ``paper`` and ``screens`` (edits of each
    defense) beside them. Where the agent or a defense lacks something, none of them is called:
    then ``lacks`` lists what, and ``outcome`` is a Failure.

    Raises `SpecError` for an agent that the experiment does not have, `RunError` for a corpus
    without a paper.
    """
    step = _step(experiment, name)
    with Store(None) as store, ItemWorker(experiment, store) as worker:
        chosen = paper if paper is not None else _first(experiment, worker)
        details: dict[str, Json] = {"paper": chosen.id, "title": chosen.title}
        parts = (step.component, *step.defenses)
        lacks = list(dict.fromkeys(trouble for part in parts for trouble in worker.troubles(part)))
        if lacks:
            failure = Failure("provider", "not called, because a requirement is missing")
            return {**details, "lacks": [*lacks], "outcome": failure.to_json()}
        seen = chosen.blind().for_reader(step.component.formats)
        if experiment.makes_variants or step.defenses:
            seen = seen.laid_out("")
        screens: dict[str, Json] = {}
        for defense in step.defenses:
            screened = defense.screen(seen, worker.context(defense, seen.digest, 0))
            if isinstance(screened, Failure):
                return {**details, "screens": screens, "outcome": screened.to_json()}
            screens[defense.name] = [edit.to_json() for edit in screened]
            seen = seen.edited(screened).blind()
        ctx = worker.context(step.component, seen.digest, 0)
        if "reviews" in step.component.uses:
            ctx = ctx.with_reviews(chosen.human_reviews)
        if guards_of(step.defenses):
            outcome = _guarded(step, seen, chosen, worker).to_json()
            return {**details, "screens": screens, "outcome": outcome}
        try:
            return {**details, "screens": screens, **step.component.explain(seen, ctx)}
        except RevkitError:
            raise
        except (Exception, SystemExit) as error:  # a plugin may raise anything
            crash = Failure("crashed", error_text(error))
            return {**details, "screens": screens, "outcome": crash.to_json()}


def _guarded(step: AgentStep, seen: Paper, chosen: Paper, worker: ItemWorker) -> Outcome:
    """The outcome of a review within the guards of the agent's defenses."""
    agent = step.component

    def review(paper: Paper, change: Change | None) -> Outcome:
        ctx = worker.context(agent, paper.digest, 0)
        if "reviews" in agent.uses:
            ctx = ctx.with_reviews(chosen.human_reviews)
        return agent.review(paper, ctx if change is None else ctx.changing(change))

    asked = Reviewing(agent.scale, review)
    context = partial(_context, worker)
    return guarded(step.defenses, asked, context)(seen)


def _context(worker: ItemWorker, defense: Defense, paper: Paper) -> Context:
    return worker.context(defense, paper.digest, 0)


def corpus_items(experiment: Experiment) -> Iterator[Paper | Skipped]:
    """Yield the items of ``experiment``'s corpus as a run reads them, without drawing anchors."""
    corpus = experiment.corpus
    with Store(None) as store, ItemWorker(experiment, store) as worker:
        ctx = Context(seed=experiment.seed, services=worker.services_of(corpus), uses=corpus.uses)
        limit, sample = experiment.limit, experiment.sample
        yield from read_corpus(corpus, lambda: corpus.papers(ctx), limit, sample)


def play_agent(experiment: Experiment, name: str, folder: Path) -> dict[str, Json]:
    """Let the agent called ``name`` read the recorded runs in ``folder``: see `Agent.play_back`.

    Raises `SpecError` for an agent that the experiment does not have, `RunError` for a folder
    without runs and for an agent that reads no tool.
    """
    return dict(_step(experiment, name).component.play_back(folder))


def _step(experiment: Experiment, name: str) -> AgentStep:
    steps = experiment.agent_steps
    if name not in steps:
        why = unknown_name("agent", name, steps)
        if name in experiment.judge_steps:
            why = (
                f"{name!r} is a judge, and only agents are tried on one paper; "
                "run the experiment with --limit 1 to see its judgements"
            )
        raise SpecError([Problem(why)])
    return steps[name]


def _first(experiment: Experiment, worker: ItemWorker) -> Paper:
    corpus = experiment.corpus
    ctx = Context(seed=experiment.seed, services=worker.services_of(corpus), uses=corpus.uses)
    for item in corpus.papers(ctx):
        if isinstance(item, Paper):
            return item
    raise RunError(f"corpus {corpus.name!r} returned no paper")
