"""What a run would ask of language models and cost, from its real prompts and without a call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.cache import Store
from revkit.contracts import Component, Context, Peer, Services
from revkit.errors import RevkitError
from revkit.execution.sources import read_corpus
from revkit.execution.work import Desk
from revkit.model.edits import ordered_edits
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.model.variant import Rejection
from revkit.model.work import Work
from revkit.planning.plan import count_of
from revkit.spec import AgentStep, Calibration, Experiment, PerturbationStep

if TYPE_CHECKING:
    from revkit.services.llm import ModelGateway
    from revkit.services.llm.estimate import Estimate

SAMPLE = 20
_UNSIZED = "unknown before the corpus is read"


@dataclass(frozen=True)
class Forecast:
    """Calls and tokens of a whole run, scaled up from ``sampled`` unchanged papers.

    Variants and anchors are taken to be as long as the papers, and variants that a model writes to
    need all of their attempts; a literature search is taken to find as much as it may. ``most_usd``
    supposes replies of the greatest length; it is None where the price of a model is not known,
    never 0. ``calls`` and the rest are None where they cannot be told: ``unknown`` says why.
    """

    sampled: int
    calls: int | None
    prompt_tokens: int | None
    most_reply_tokens: int | None
    most_usd: float | None
    unknown: str = ""

    def text(self) -> str:
        """The forecast for a reader."""
        if self.most_usd is not None:
            usd = f"at most {self.most_usd:.2f}"
        else:
            usd = self.unknown if self.calls is None else "unknown (no price for a model)"
        reply = self._told(self.most_reply_tokens)
        rows = (
            ("model calls", self._told(self.calls)),
            ("prompt tokens", self._told(self.prompt_tokens)),
            ("reply tokens", reply if self.most_reply_tokens is None else f"at most {reply}"),
            ("US dollars", usd),
        )
        lines = [f"{name:<14}{text}" for name, text in rows]
        lines.append(
            f"(from the prompts of {self.sampled} unchanged papers, variants taken as equally "
            "long; answers that the store holds cost nothing)"
        )
        return "\n".join(lines) + "\n"

    def _told(self, count: int | None) -> str:
        return self.unknown if count is None else f"{count:,}"


def forecast(
    experiment: Experiment, papers: int | None, store: Path | None = None
) -> Forecast | None:
    """Estimate what a run over ``papers`` papers would ask; None where it asks no model.

    ``store`` is the file of answers, if it exists: what it holds is not counted among the sample.
    """
    if not any("llm" in component.uses for _, component in experiment.components()):
        return None
    path = store if store and store.is_file() else None
    with Store(path) as answers, Desk(experiment, answers) as desk:
        sample = _sample(experiment, desk, min(SAMPLE, papers or SAMPLE))
        assert desk.gateway is not None
        try:
            estimates = _estimates(experiment, desk, desk.gateway, sample, papers)
        except _Untold as told:
            return Forecast(len(sample), None, None, None, None, f"unknown ({told})")
    if papers is None or not sample or None in [times for times, _ in estimates]:
        return Forecast(len(sample), None, None, None, None, _UNSIZED)
    share = papers / len(sample)
    scaled = [(share * (times or 0.0), each) for times, each in estimates]

    def total(name: str) -> int:
        amount: float = sum(times * getattr(each, name) for times, each in scaled)
        return round(amount)

    prices = [(times, each.most_usd) for times, each in scaled if times]
    usd = 0.0
    for times, most in prices:
        usd += times * (most or 0.0)
    return Forecast(
        len(sample),
        total("calls"),
        total("prompt_tokens"),
        total("most_reply_tokens"),
        None if None in [most for _, most in prices] else usd,
    )


class _Untold(Exception):
    """A component crashed where a stand-in answered for models, so its calls cannot be told."""


def _sample(experiment: Experiment, desk: Desk, most: int) -> list[Peer]:
    """The first papers of the corpus, as components see them."""
    corpus = experiment.corpus
    read = read_corpus(corpus, lambda: desk.papers_of(corpus), most)
    return [Peer(item.blind(), item.labels.topic) for item in read if isinstance(item, Paper)]


_Ask = Callable[[Paper, Services], None]


def _estimates(
    experiment: Experiment,
    desk: Desk,
    gateway: ModelGateway,
    sample: Sequence[Peer],
    papers: int | None,
) -> list[tuple[float | None, Estimate]]:
    """What reviews and variants of the sample would ask, each with how often a paper needs it
    (None: not known).

    A stand-in that only counts answers; a reviewer or writer that gets an empty form from it asks
    on as often as it can.
    """
    if experiment.searcher is not None and "llm" in experiment.searcher.uses:
        raise _Untold("the searcher asks models too")
    variants = experiment.perturbation_steps.values()
    texts = 1.0 + sum(step.variants for step in variants)
    found: list[tuple[float | None, _Ask]] = [(texts, _reviewing(experiment, experiment.repeats))]
    if experiment.judges:
        found.append((texts, _judging(experiment)))
    if experiment.calibration is not None:
        each = _anchors_a_paper(experiment.calibration, papers)
        found.append((each, _reviewing(experiment, experiment.calibration.repeats)))
    found += [(step.variants, _writing(step)) for step in variants]
    estimates: list[tuple[float | None, Estimate]] = []
    for times, ask in found:
        estimator = gateway.estimator()
        services = Services(
            embed=desk.embed,
            complete=estimator.complete,
            gather=gateway.gather,
            peers=lambda: sample,
            search=_searched,
        )
        for peer in sample:
            try:
                ask(peer.paper, services)
            except RevkitError:
                raise
            except (Exception, SystemExit) as error:
                told = f"{type(error).__name__} where a stand-in answers for the model"
                raise _Untold(told) from error
        estimates.append((times, estimator.estimate))
    return estimates


def _searched(_query: str, limit: int) -> list[Work]:
    """A stand-in for the literature: nobody is asked, and as much is found as may be."""
    return [Work(title=f"(estimate {number})") for number in range(limit)]


def _anchors_a_paper(calibration: Calibration, papers: int | None) -> float | None:
    """How many anchors there are for each paper; set-aside ones are counted as papers too."""
    if calibration.anchors is None:
        return calibration.share
    anchors = count_of(calibration.anchors)
    return None if anchors is None or not papers else anchors / papers


def _asking(parts: Iterable[Component]) -> bool:
    return any("llm" in part.uses for part in parts)


def _screened(step: AgentStep, paper: Paper, services: Services) -> Paper | None:
    """``paper`` as the agent sees it; None where a defense refuses it."""
    for defense in step.defenses if _asking(step.defenses) else ():
        screened = defense.screen(paper, Context(0, services, defense.uses))
        if isinstance(screened, Failure):
            return None
        paper = paper.edited(screened).blind()
    return paper


def _judging(experiment: Experiment) -> _Ask:
    judges = [
        step
        for step in experiment.judge_steps.values()
        if _asking((step.component, *step.defenses))
    ]

    def ask(paper: Paper, services: Services) -> None:
        for step in judges:
            judge = step.component
            for rubric in experiment.rubrics:
                for repeat in range(experiment.repeats):
                    seen = _screened(step, paper, services)
                    if seen is not None and "llm" in judge.uses:
                        ctx = Context(0, services, judge.uses, repeat)
                        judge.judge(seen, rubric.criterion, ctx)

    return ask


def _reviewing(experiment: Experiment, repeats: int) -> _Ask:
    agents = [
        step
        for step in experiment.agent_steps.values()
        if _asking((step.component, *step.defenses))
    ]

    def ask(paper: Paper, services: Services) -> None:
        for step in agents:
            agent = step.component
            for repeat in range(repeats):
                seen = _screened(step, paper, services)
                if seen is not None and "llm" in agent.uses:
                    agent.review(seen, Context(0, services, agent.uses, repeat))

    return ask


def _writing(step: PerturbationStep) -> _Ask:
    """What making one variant asks: its writer, its gates, and the constraints on it."""
    component = step.component

    def ask(paper: Paper, services: Services) -> None:
        ctx = Context(0, services, component.uses)
        made = component.perturb(paper, ctx)
        edits = () if isinstance(made, Rejection) else ordered_edits(paper.text, made)
        for constraint in step.keep_if if edits else ():
            kept = constraint.prune(paper, edits, Context(0, services, constraint.uses))
            edits = ordered_edits(paper.text, kept)
        if edits:
            component.gates(paper, edits, ctx)
            for constraint in step.keep_if:
                constraint.check(paper, edits, Context(0, services, constraint.uses))

    return ask if _asking((component, *step.keep_if)) else lambda paper, services: None
