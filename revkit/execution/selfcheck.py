"""Simulate the statistics of an experiment: coverage, type I error and power."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from revkit.dataclass import dataclass
from revkit.errors import Problem, RunError, SpecError
from revkit.figures.numbers import count_of
from revkit.files.run_files import read_rows, records_file
from revkit.planning import build_plan
from revkit.spec import Experiment

if TYPE_CHECKING:
    from revkit.simulation import Behaviour, Design

RUNS = 1000
RISES = (0.05, 0.1, 0.2)
SHARES = (0.65, 0.8, 0.95)
LEAST = 0.93  # the coverage that every unwarned interval reaches
EFFORT = 1_000_000  # papers x agents x runs that take under a minute


@dataclass(frozen=True)
class Power:
    """How often a test detects an effect: ``effect`` describes it, ``found`` is the share of
    runs.
    """

    test: str
    effect: str
    found: float


@dataclass(frozen=True)
class SelfCheck:
    """The expected behaviour of the figures of an experiment with this design.

    ``equal`` is the behaviour of intervals and tests where all agents have one flip rate and
    rejects turn as often as accepts; ``powers`` states how often the tests find given effects.
    ``source`` states where rates and clustering come from.
    """

    design: Design
    source: str
    equal: Behaviour
    powers: tuple[Power, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the check as JSON values."""
        return {
            "design": asdict(self.design),
            "source": self.source,
            "runs": self.equal.runs,
            "intervals": [asdict(each) for each in self.equal.intervals],
            "tests": [asdict(each) for each in self.equal.tests],
            "power": [asdict(each) for each in self.powers],
        }

    def text(self) -> str:
        """The check as text for a terminal."""
        design, runs = self.design, self.equal.runs
        error = 100 * math.sqrt(LEAST * (1 - LEAST) / runs)
        lines = [
            f"{count_of(design.papers, 'paper')} x {count_of(design.families, 'variant')} x "
            f"{count_of(design.agents, 'agent')}, "
            f"repeats: {design.repeats}",
            f"assumed: flips {100 * design.rates[0]:.1f}%, clustering {design.clustering:.2f}, "
            f"agreement {design.agreement:.2f}, noise {100 * design.noise:.1f}% ({self.source})",
            f"{runs} simulated experiments; coverage is within {error:.1f} points (standard "
            "error). No agent is called.",
            "",
            f"{'95% interval':<42} {'covers':>7} {'width':>8} {'warned':>7}",
        ]
        for each in self.equal.intervals:
            held = "-" if each.held is None else f"{100 * each.held:.1f}%"
            width = "-" if each.width is None else f"{each.width:.3f}"
            lines.append(f"{each.figure:<42} {held:>7} {width:>8} {100 * each.warned:>6.0f}%")
        lines += [
            "",
            "In how many of the simulated experiments a test finds an effect; no p: there were too "
            "few flips for a test.",
            f"{'test at 5%, no effect':<42} {'finds it':>8} {'no p':>8}",
        ]
        lines += [
            f"{each.test:<42} {100 * each.rejected:>7.1f}% {100 * each.without:>7.0f}%"
            for each in self.equal.tests
        ]
        lines += ["", f"{'test at 5%, with an effect':<58} {'finds it':>8}"]
        for power in self.powers:
            lines.append(f"{f'{power.test}: {power.effect}':<58} {100 * power.found:>7.0f}%")
        return "\n".join(lines) + "\n"


def check_design(
    experiment: Experiment,
    *,
    papers: int | None = None,
    rate: float | None = None,
    clustering: float | None = None,
    agreement: float = 0.5,
    noise: float | None = None,
    run: Path | None = None,
    runs: int = RUNS,
    seed: int = 0,
) -> SelfCheck:
    """Simulate the design of ``experiment``; no agent is called.

    ``rate`` (default 5 %), ``clustering`` (0.3) and ``noise`` (0) are assumed, or those of a
    finished ``run`` where given; ``agreement`` as in `revkit.simulation.Design`. ``runs`` is
    lowered for large designs. Raises `SpecError` where the number of papers is not known or there
    is nothing to compare, and `RunError` for a folder that is not a run.
    """
    from revkit.simulation import behaviour

    design, source = _design(experiment, papers, agreement, run)
    design = replace(
        design,
        clustering=design.clustering if clustering is None else clustering,
        noise=design.noise if noise is None else noise,
    )
    if rate is not None:
        design = replace(design, rates=(rate,) * design.agents)
    if any(value is not None for value in (rate, clustering, noise)):
        source += ", and given values"
    runs = max(100, min(runs, EFFORT // (design.papers * design.agents)))
    resamples = 1000 if design.papers <= 500 else 400
    equal = behaviour(design, runs=runs, seed=seed, resamples=resamples)
    return SelfCheck(design, source, equal, _powers(design, runs, seed))


def _powers(design: Design, runs: int, seed: int) -> tuple[Power, ...]:
    from revkit.simulation import behaviour

    rate, found = design.rates[0], []
    for rise in RISES if design.agents > 1 else ():
        if rate + rise <= 1:
            other = replace(design, rates=(rate, rate + rise, *design.rates[2:]))
            test = behaviour(other, runs=runs, seed=seed + 1, parts=()).test
            effect = f"{100 * rate:.1f}% and {100 * (rate + rise):.1f}%"
            name = "difference of two agents"
            found.append(Power(name, effect, test(name).rejected))
    for share in SHARES:
        if rate * share <= 1 - design.accepts and rate * (1 - share) <= design.accepts:
            tilted = replace(design, upward=share)
            tests = behaviour(tilted, runs=runs, seed=seed + 2, parts=()).tests
            effect = f"{100 * share:.0f}% of flips to accept"
            found += [
                Power(each.test, effect, each.rejected)
                for each in tests
                if each.test.startswith("direction")
            ]
    return tuple(found)


def _design(
    experiment: Experiment, papers: int | None, agreement: float, run: Path | None
) -> tuple[Design, str]:
    from revkit.simulation import Design

    number = papers or build_plan(experiment).papers
    families = sum(step.variants for step in experiment.perturbation_steps.values())
    problems = []
    if number is None:
        problems.append(Problem("the corpus does not state its number of papers; give papers"))
    if not families or not experiment.agents:
        problems.append(Problem("a selfcheck needs an agent and a perturbation"))
    if problems:
        raise SpecError(problems)
    assert number is not None
    design = Design(
        papers=number,
        families=families,
        rates=(0.05,) * len(experiment.agents),
        repeats=experiment.repeats,
        agreement=agreement,
    )
    if run is None:
        return design, "defaults"
    measured = _measured(run)
    design = replace(
        design,
        rates=(measured["rate"],) * design.agents,
        accepts=measured["accepts"],
        clustering=measured.get("clustering", design.clustering),
        noise=measured.get("noise", design.noise),
    )
    return design, f"measured in {run.name}"


def _measured(run: Path) -> dict[str, float]:
    """Return mean flip rate, clustering and noise over the agents of a finished run."""
    import numpy as np

    from revkit import stats

    by_agent: dict[str, dict[tuple[str, str, int], list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for agent, key, accept in _verdicts(run):
        by_agent[agent][key].append(accept)
    rates, correlations, noises, accepts = [], [], [], []
    for texts in by_agent.values():
        flips: dict[str, list[float]] = defaultdict(list)
        for (paper, family, _), values in texts.items():
            before = texts.get((paper, "", 0))
            if family and before:
                flips[paper].append(abs(float(np.mean(before)) - float(np.mean(values))))
        if not flips:
            continue
        rates.append(sum(map(sum, flips.values())) / sum(map(len, flips.values())))
        accepts += [float(np.mean(v)) for (_, family, _), v in texts.items() if not family]
        within = [stats.distance_within(values) for values in texts.values()]
        noises += [each for each in within if each is not None]
        turned = [[round(flip) for flip in each] for each in flips.values()]
        effect = stats.design_effect([sum(each) for each in turned], [len(e) for e in turned])
        if effect.correlation is not None:
            correlations.append(min(0.95, max(0.0, effect.correlation)))
    if not rates:
        raise RunError(f"{run}: no pair of a paper and its variant has a verdict on both sides")
    found = {"rate": float(np.mean(rates)), "accepts": float(np.mean(accepts))}
    if correlations:
        found["clustering"] = float(np.mean(correlations))
    if noises:
        found["noise"] = min(0.5, float(np.mean(noises)))
    return found


def _verdicts(run: Path) -> Sequence[tuple[str, tuple[str, str, int], float]]:
    """Return agent, text (paper, perturbation, index) and verdict of every review with a
    verdict.
    """
    path = records_file(run, "outcomes")
    if not path.is_file():
        raise RunError(f"{run} is not the folder of a finished run: it has no {path.name}")
    found = []
    for row in read_rows(path):
        try:
            key = str(row["paper"]), str(row["perturbation"]), int(row["index"])
            agent, accept = str(row["agent"]), row["accept"]
        except (KeyError, TypeError, ValueError):
            raise RunError(f"{path} has a row without paper, agent or verdict") from None
        if isinstance(accept, bool):
            found.append((agent, key, float(accept)))
    return found
