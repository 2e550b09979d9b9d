"""What a run would ask of language models and cost, from its real prompts and without a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.cache import Store
from revkit.contracts import Context, Perturbation, Services
from revkit.execution.work import Desk
from revkit.model.paper import Paper
from revkit.spec import Calibration, Experiment

if TYPE_CHECKING:
    from revkit.services.llm import ModelGateway
    from revkit.services.llm.estimate import Estimate

SAMPLE = 20
_UNSIZED = "unknown before the corpus is read"


@dataclass(frozen=True)
class Forecast:
    """Calls and tokens of a whole run, scaled up from ``sampled`` unchanged papers.

    Variants and anchors are taken to be as long as the papers, and variants that a model writes to
    need all of their attempts. ``most_usd`` supposes replies of the greatest length; it is None
    where the price of a model is not known, never 0. ``calls`` and the rest are None where the
    corpus cannot tell its size.
    """

    sampled: int
    calls: int | None
    prompt_tokens: int | None
    most_reply_tokens: int | None
    most_usd: float | None

    def text(self) -> str:
        """The forecast for a reader."""
        if self.most_usd is not None:
            usd = f"at most {self.most_usd:.2f}"
        else:
            usd = _UNSIZED if self.calls is None else "unknown (no price for a model)"
        reply = _told(self.most_reply_tokens)
        rows = (
            ("model calls", _told(self.calls)),
            ("prompt tokens", _told(self.prompt_tokens)),
            ("reply tokens", reply if self.most_reply_tokens is None else f"at most {reply}"),
            ("US dollars", usd),
        )
        lines = [f"{name:<14}{text}" for name, text in rows]
        lines.append(
            f"(from the prompts of {self.sampled} unchanged papers, variants taken as equally "
            "long; answers that the store holds cost nothing)"
        )
        return "\n".join(lines) + "\n"


def forecast(
    experiment: Experiment, papers: int | None, store: Path | None = None
) -> Forecast | None:
    """Estimate what a run over ``papers`` papers would ask; None where it asks no model.

    ``store`` is the file of answers, if it exists: what it holds is not counted among the sample.
    """
    if not any("llm" in component.uses for _, component in experiment.components()):
        return None
    sample: list[Paper] = []
    path = store if store and store.is_file() else None
    with Store(path) as answers, Desk(experiment, answers) as desk:
        corpus = experiment.corpus
        ctx = Context(experiment.seed, desk.services_of(corpus), corpus.uses)
        for item in corpus.papers(ctx):
            if isinstance(item, Paper):
                sample.append(item.blind())
            if len(sample) == min(SAMPLE, papers or SAMPLE):
                break
        assert desk.gateway is not None
        estimates = _estimates(experiment, desk, desk.gateway, sample, papers)
    share = None if papers is None or not sample else papers / len(sample)

    def scaled(name: str) -> int | None:
        if share is None:
            return None
        total: float = sum(times * getattr(each, name) for times, each in estimates)
        return round(share * total)

    usd: float | None = None if share is None else 0.0
    for times, each in estimates:
        if usd is not None and share is not None:
            usd = None if each.most_usd is None else usd + share * times * each.most_usd
    return Forecast(
        len(sample),
        scaled("calls"),
        scaled("prompt_tokens"),
        scaled("most_reply_tokens"),
        usd,
    )


def _estimates(
    experiment: Experiment,
    desk: Desk,
    gateway: ModelGateway,
    sample: list[Paper],
    papers: int | None,
) -> list[tuple[float, Estimate]]:
    """What reviews and variants of the sample would ask, each with how often a paper needs it.

    A stand-in that only counts answers; a reviewer or writer that gets an empty form from it asks
    on as often as it can.
    """
    variants = experiment.perturbation_steps.values()
    texts = 1.0 + sum(step.variants for step in variants)
    found = [(texts, _reviewing(experiment, experiment.repeats))]
    if experiment.judges:
        found.append((texts, _judging(experiment)))
    if experiment.calibration is not None:
        each = _anchors_a_paper(experiment.calibration, papers)
        found.append((each, _reviewing(experiment, experiment.calibration.repeats)))
    found += [
        (step.variants, _writing(step.component))
        for step in variants
        if "llm" in step.component.uses
    ]
    estimates: list[tuple[float, Estimate]] = []
    for times, ask in found:
        estimator = gateway.estimator()
        services = Services(embed=desk.embed, complete=estimator.complete, gather=gateway.gather)
        for paper in sample:
            ask(paper, services)
        estimates.append((times, estimator.estimate))
    return estimates


def _anchors_a_paper(calibration: Calibration, papers: int | None) -> float:
    """How many anchors there are for each paper; set-aside ones are counted as papers too."""
    if calibration.anchors is None:
        return calibration.share or 0.0
    anchors = calibration.anchors.count()
    return 0.0 if anchors is None or not papers else anchors / papers


def _judging(experiment: Experiment) -> Callable[[Paper, Services], None]:
    judges = [step.component for step in experiment.judge_steps.values()]

    def ask(paper: Paper, services: Services) -> None:
        for judge in judges:
            for rubric in experiment.rubrics if "llm" in judge.uses else ():
                for repeat in range(experiment.repeats):
                    ctx = Context(0, services, judge.uses, repeat)
                    judge.judge(paper, rubric.criterion, ctx)

    return ask


def _reviewing(experiment: Experiment, repeats: int) -> Callable[[Paper, Services], None]:
    agents = [step.component for step in experiment.agent_steps.values()]

    def ask(paper: Paper, services: Services) -> None:
        for agent in agents:
            for repeat in range(repeats if "llm" in agent.uses else 0):
                agent.review(paper, Context(0, services, agent.uses, repeat))

    return ask


def _writing(perturbation: Perturbation) -> Callable[[Paper, Services], None]:
    def ask(paper: Paper, services: Services) -> None:
        perturbation.perturb(paper, Context(0, services, perturbation.uses))

    return ask


def _told(count: int | None) -> str:
    return _UNSIZED if count is None else f"{count:,}"
