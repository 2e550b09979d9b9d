"""Fingerprints: what decides the scores of an agent as an experiment sets it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from revkit.calibration import fingerprint_of
from revkit.identity import identity_of
from revkit.model.values import Json
from revkit.model_settings import endpoint_identity

if TYPE_CHECKING:
    from revkit.spec.experiment import Experiment


def agent_fingerprint(experiment: Experiment, name: str) -> str:
    """The fingerprint of the agent ``name``: its own, with the defenses that screen a paper before
    it, the services behind them, and the addresses of its models where they are set."""
    step = experiment.agent_steps[name]
    parts = [step.component, *step.defenses]
    used = {service for part in parts for service in part.uses}
    services = {"embedder": experiment.embedder, "searcher": experiment.searcher}
    beside: list[Json] = [identity_of(defense) for defense in step.defenses]
    for name_of, service in services.items():
        if name_of in used and service is not None:
            beside.append(identity_of(service))
    for model in sorted({model for part in parts for model in part.models()}):
        address = endpoint_identity(experiment.llm.of(model))
        if address is not None:
            beside.append([model, address])
    return fingerprint_of(step.component, beside)
