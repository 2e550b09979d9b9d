"""Fingerprints: what decides the scores of an agent in an experiment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revkit.calibration import fingerprint_of
from revkit.contracts import Component
from revkit.model.values import Json
from revkit.model_settings import endpoint_identity

if TYPE_CHECKING:
    from revkit.spec.experiment import Experiment


def agent_fingerprint(experiment: Experiment, name: str) -> str:
    """Return the fingerprint of the agent ``name``: its own, with its defenses, the services behind
    them, and the addresses of its models if they are set.
    """
    step = experiment.agent_steps[name]
    parts: list[Component] = [step.component, *step.defenses]
    asking = tuple(parts)
    used = {service for part in parts for service in part.uses}
    services = {"embedder": experiment.embedder, "searcher": experiment.searcher}
    for name_of, service in services.items():
        if name_of in used and service is not None:
            parts.append(service)
    beside: list[Json] = []
    for model in sorted({model for part in asking for model in part.models()}):
        address = endpoint_identity(experiment.llm.of(model))
        if address is not None:
            beside.append([model, address])
    return fingerprint_of(parts, beside)
