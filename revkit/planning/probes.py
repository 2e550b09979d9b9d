"""Reading probes: the agents of an experiment that are probed for how far they read."""

from __future__ import annotations

from collections.abc import Mapping

from revkit.dataclass import dataclass
from revkit.spec import AgentStep, Experiment


@dataclass(frozen=True)
class ProbeStep:
    """The reading probe of one agent."""

    agent: AgentStep


def wants_probes(experiment: Experiment) -> bool:
    """Return whether a metric of ``experiment`` reads probes; else no agent is probed."""
    return any(metric.reads_probes for metric in experiment.metrics)


def probe_steps(experiment: Experiment) -> Mapping[str, ProbeStep]:
    """Return the probes of ``experiment`` by the names of their agents."""
    if not wants_probes(experiment):
        return {}
    return {
        name: ProbeStep(step)
        for name, step in experiment.agent_steps.items()
        if step.component.probes
    }
