"""What a run would ask of language models and cost, from its real prompts and without a call."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.cache import Store
from revkit.contracts import Context, Services
from revkit.execution.work import Desk
from revkit.model.paper import Paper
from revkit.model.values import Json
from revkit.spec import Experiment

if TYPE_CHECKING:
    from revkit.services.llm import ModelGateway

SAMPLE = 20
_UNSIZED = "unknown before the corpus is read"


@dataclass(frozen=True)
class Forecast:
    """Calls and tokens of a whole run, scaled up from ``sampled`` unchanged papers.

    Variants are taken to be as long as their originals. ``most_usd`` supposes replies of the
    greatest length; it is None where the price of a model is not known, never 0. ``calls`` and the
    rest are None where the corpus cannot tell its size.
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
        estimate = _asked(experiment, desk, desk.gateway, sample)
    per_paper = 1 + sum(step.variants for step in experiment.perturbation_steps.values())
    share = None if papers is None or not sample else papers / len(sample) * per_paper

    def scaled(key: str) -> int | None:
        value = estimate[key]
        return None if share is None or not isinstance(value, int) else round(value * share)

    usd = estimate["most_usd"]
    return Forecast(
        len(sample),
        scaled("calls"),
        scaled("prompt_tokens"),
        scaled("most_reply_tokens"),
        usd * share if isinstance(usd, float) and share is not None else None,
    )


def _asked(
    experiment: Experiment, desk: Desk, gateway: ModelGateway, sample: list[Paper]
) -> dict[str, Json]:
    """Let each agent that asks models review the sample against a stand-in that only counts."""
    estimator = gateway.estimator()
    services = Services(embed=desk.embed, complete=estimator.complete, gather=gateway.gather)
    for step in experiment.agent_steps.values():
        agent = step.component
        if "llm" not in agent.uses:
            continue
        for paper in sample:
            for repeat in range(experiment.repeats):
                agent.review(paper, Context(0, services, agent.uses, repeat))
    return estimator.estimate.to_json()


def _told(count: int | None) -> str:
    return _UNSIZED if count is None else f"{count:,}"
