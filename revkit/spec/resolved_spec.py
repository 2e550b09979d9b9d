"""The resolved spec of an experiment, and the part of it that decides its results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from revkit.contracts import Component
from revkit.model.values import Json
from revkit.model_settings import Budget, LlmServices, llm_to_json
from revkit.options import options_of, under_former_names
from revkit.spec.attack import Attack
from revkit.spec.steps import LONGEST_ITEM, AgentStep, Calibration

if TYPE_CHECKING:
    from revkit.spec.experiment import Experiment


# Sections that divide the work of a run and change no result: run folders do not contain them.
OF_THE_MACHINE = ("workers", "processes", "executor")
# Sections that decide no result.
UNDECIDING = (*OF_THE_MACHINE, "deadline", "budget", "assert")
Use = Callable[[str, Component], dict[str, Json]]


def resolved(
    experiment: Experiment, options: Callable[[Component], Json] = options_of
) -> dict[str, Json]:
    """Return the spec of ``experiment`` with every default written out; it loads again as the same
    experiment.

    ``options`` gives those of a component under the names to write.
    """
    use: Use = partial(_use, experiment, options)
    uses = partial(_uses, use)
    spec: dict[str, Json] = {
        "revkit": 1,
        "name": experiment.name,
        "seed": experiment.seed,
        "corpus": use("corpus", experiment.corpus),
        "perturbations": {
            name: {
                **use(f"perturbations.{name}", step.component),
                "keep-if": uses(f"perturbations.{name}.keep-if", step.keep_if),
                "variants": step.variants,
            }
            for name, step in experiment.perturbation_steps.items()
        },
        **_agents(experiment, use),
        "repeats": experiment.repeats,
        "metrics": uses("metrics", experiment.metrics),
        "reports": uses("reports", experiment.reports),
        "workers": experiment.workers,
    }
    if experiment.cards:
        spec["cards"] = True
    if experiment.processes:
        spec["processes"] = experiment.processes
    if experiment.executor is not None:
        spec["executor"] = use("executor", experiment.executor)
    if experiment.stop_when is not None:
        spec["stop-when"] = experiment.stop_when.to_json()
    if experiment.assertions:
        spec["assert"] = list(experiment.assertions)
    if experiment.deadline != LONGEST_ITEM:
        spec["deadline"] = experiment.deadline
    if experiment.judges:
        spec["judges"] = {
            name: _agent(use, f"judges.{name}", step) | _judged(step)
            for name, step in experiment.judge_steps.items()
        }
        spec["rubrics"] = uses("rubrics", experiment.rubrics)
    if experiment.calibration is not None:
        spec["calibration"] = _calibration(use, experiment.calibration)
    if experiment.attack is not None:
        spec["attack"] = _attack(use, experiment.attack)
    services: dict[str, Json] = {}
    if experiment.embedder is not None:
        services["embedder"] = use("services.embedder", experiment.embedder)
    if experiment.searcher is not None:
        services["searcher"] = use("services.searcher", experiment.searcher)
    if experiment.llm != LlmServices():
        services["llm"] = llm_to_json(experiment.llm)
    if services:
        spec["services"] = services
    if experiment.budget != Budget():
        spec["budget"] = options_of(experiment.budget)
    if experiment.limit is not None:
        spec["limit"] = experiment.limit
    if experiment.sample is not None:
        spec["sample"] = experiment.sample.to_json()
    return cast(dict[str, Json], swapped(spec, experiment.moved))


def without_machine(spec: Mapping[str, Json]) -> dict[str, Json]:
    """Return ``spec`` without threads, child processes and executor: the spec of a run folder or an
    export, whose bytes do not depend on them.
    """
    return {key: value for key, value in spec.items() if key not in OF_THE_MACHINE}


def swapped(value: Any, texts: Mapping[str, str]) -> Any:
    """Return ``value`` with each text that is a key of ``texts`` replaced, at any depth."""
    if not texts:
        return value
    if isinstance(value, str):
        return texts.get(value, value)
    if isinstance(value, Mapping):
        return {key: swapped(item, texts) for key, item in value.items()}
    return [swapped(item, texts) for item in value] if isinstance(value, list) else value


def deciding(experiment: Experiment) -> dict[str, Json]:
    """Return the resolved spec without `UNDECIDING` sections and limits of models, which change no
    result.

    Renamed options keep their first names, so that the digest of an experiment stays the same.
    """
    named = resolved(experiment, lambda each: under_former_names(type(each), options_of(each)))
    spec = {k: v for k, v in named.items() if k not in UNDECIDING}
    services = spec.get("services")
    if isinstance(services, dict) and "llm" in services:
        spec["services"] = {**services, "llm": experiment.llm.identity()}
    agents = cast(dict[str, dict[str, Json]], spec.get("agents", {}))
    for name, step in experiment.agent_steps.items():
        if step.calibration is not None:
            # Dates and notes of a map decide nothing.
            kept = step.calibration
            agents[name]["calibration"] = [kept.map.digest, kept.accept_up_to]
    return spec


def _judged(step: AgentStep) -> dict[str, Json]:
    """Return what a judge reads and its rubrics, where these are not the defaults."""
    reads: dict[str, Json] = {} if step.reads == "papers" else {"reads": step.reads}
    return reads | ({"by": list(step.by)} if step.by else {})


def _agents(experiment: Experiment, use: Use) -> dict[str, Json]:
    """Return the section of agents; an experiment with judges alone has none."""
    agents = {
        name: _agent(use, f"agents.{name}", step) for name, step in experiment.agent_steps.items()
    }
    return {"agents": agents} if agents else {}


def _agent(use: Use, path: str, step: AgentStep) -> dict[str, Json]:
    options: dict[str, Json] = {
        **use(path, step.component),
        "defenses": _uses(use, f"{path}.defenses", step.defenses),
    }
    if step.calibration is not None:
        # The map itself instead of its path, so that the resolved spec needs no other file.
        options["calibration"] = {
            "map": step.calibration.map.to_json(),
            "accept-up-to": step.calibration.accept_up_to,
            "allow": list(step.calibration.allow),
        }
    return options


def _calibration(use: Use, calibration: Calibration) -> dict[str, Json]:
    options: dict[str, Json] = {
        "maps": {
            name: use(f"calibration.maps.{name}", calibrator)
            for name, calibrator in calibration.maps.items()
        },
        "repeats": calibration.repeats,
    }
    if calibration.anchors is not None:
        options["anchors"] = use("calibration.anchors", calibration.anchors)
    if calibration.share is not None:
        options["share"] = calibration.share
    return options


def _attack(use: Use, attack: Attack) -> dict[str, Json]:
    options: dict[str, Json] = {
        "baseline": use("attack.baseline", attack.baseline),
        "strategies": {
            name: use(f"attack.strategies.{name}", strategy)
            for name, strategy in attack.strategies.items()
        },
        "agents": list(attack.agents),
        "arms": list(attack.arms),
        "budget": attack.budget,
        "sees": attack.sees,
        "goal": attack.goal,
        "keep-if": _uses(use, "attack.keep-if", attack.keep_if),
        "confirm": attack.confirm,
        "prune": attack.prune,
        "transfer": attack.transfer,
    }
    return options if attack.by is None else {**options, "by": attack.by}


def _use(
    experiment: Experiment,
    options: Callable[[Component], Json],
    path: str,
    component: Component,
) -> dict[str, Json]:
    plugin = experiment.qualified.get(path)
    name = f"{plugin}:{component.name}" if plugin else component.name
    return {"use": name, "with": options(component)}


def _uses(use: Use, path: str, components: Sequence[Component]) -> list[Json]:
    return [use(f"{path}.{index}", each) for index, each in enumerate(components)]
