"""The records of a run in the form that metrics and reports read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from revkit.contracts import Component
from revkit.execution.model_usage import Used, usage_of
from revkit.execution.record import Recorder
from revkit.execution.subjects import Subjects
from revkit.identity import package_of
from revkit.model.attack import AttackRecords, StrategyRow
from revkit.model.pair_set import PairSet
from revkit.model.records import (
    AgentRow,
    Anchors,
    FittedMap,
    PerturbationRow,
    Records,
)
from revkit.model.values import Json, digest_of
from revkit.options import options_of
from revkit.registry import first_sentence
from revkit.spec import AgentStep, Experiment, attack_arms, attacked_agents


def agent_rows(steps: Iterable[tuple[str, AgentStep]]) -> list[AgentRow]:
    """The agents of a section, as records name them."""
    steps = list(steps)
    plain = {_settings(step.component): name for name, step in reversed(steps) if not step.defenses}
    return [
        AgentRow(
            name,
            step.component.name,
            step.component.scale,
            step.component.deterministic,
            tuple(defense.name for defense in step.defenses),
            None if step.calibration is None else step.calibration.accept_up_to,
            step.component.cannot_see,
            "reviews" in step.component.uses,
            plain.get(_settings(step.component), "") if step.defenses else "",
        )
        for name, step in steps
    ]


def descriptions_of(experiment: Experiment) -> dict[str, str]:
    """Return what the agents and families of ``experiment`` say of themselves, by their path."""
    return {
        **{
            f"agents.{name}": first_sentence(type(step.component))
            for name, step in experiment.agent_steps.items()
        },
        **{
            f"perturbations.{name}": first_sentence(type(step.component))
            for name, step in experiment.perturbation_steps.items()
        },
    }


def controls_of(experiment: Experiment) -> frozenset[str]:
    """Return the names of the agents of ``experiment`` that are controls."""
    return frozenset(
        name for name, step in experiment.agent_steps.items() if step.component.control
    )


def _settings(component: Component) -> str:
    """What two agents share that differ only in their defenses."""
    return digest_of([component.name, package_of(type(component)), options_of(component)])


def subjects_of(experiment: Experiment) -> Subjects:
    """What ``experiment`` compares, as records and the folder of the run name it."""
    calibration = experiment.calibration
    return Subjects(
        seed=experiment.seed,
        repeats=experiment.repeats,
        agents=tuple(agent_rows(experiment.agent_steps.items())),
        perturbations=tuple(
            PerturbationRow(
                name,
                step.component.name,
                step.component.expect,
                step.component.target,
                _options(step.component),
            )
            for name, step in experiment.perturbation_steps.items()
        ),
        judges=tuple(agent_rows(experiment.judge_steps.items())),
        rubrics=tuple(rubric.criterion for rubric in experiment.rubrics),
        anchor_repeats=None if calibration is None else calibration.repeats,
        anchors_shared=None if calibration is None else calibration.share,
        anchors_synthetic=experiment.has_synthetic_anchors,
    )


def _options(component: Component) -> dict[str, Json]:
    """Options with the content of files instead of their paths, which differ in a replay."""
    options = options_of(component)
    files = set(component.files_needed())
    paths = [name for name, value in options.items() if isinstance(value, str) and value in files]
    if not paths:
        return options
    identity = component.identity()
    by_content = identity if isinstance(identity, Mapping) else {}
    return {**options, **{name: by_content.get(name) for name in paths}}


def records_of(
    experiment: Experiment,
    recorder: Recorder,
    maps: Sequence[FittedMap],
    used: Mapping[str, Used],
) -> Records:
    """What ``recorder`` holds, with the experiment's rows and what calls ``used``."""
    subjects = subjects_of(experiment)
    return Records(
        seed=subjects.seed,
        repeats=subjects.repeats,
        papers=tuple(recorder.papers),
        perturbations=subjects.perturbations,
        agents=subjects.agents,
        variants=tuple(recorder.variants),
        verdicts=tuple(recorder.verdicts),
        skipped=MappingProxyType(dict(recorder.skipped)),
        sampled=recorder.sampled,
        pair_sets=pair_sets_of(experiment),
        rubrics=subjects.rubrics,
        judges=subjects.judges,
        judgements=tuple(recorder.judgements),
        anchors=None
        if subjects.anchor_repeats is None
        else Anchors(
            papers=tuple(recorder.anchors),
            verdicts=tuple(recorder.scores),
            maps=tuple(maps),
            skipped=MappingProxyType(dict(recorder.anchors_skipped)),
            repeats=subjects.anchor_repeats,
            shared=subjects.anchors_shared,
            synthetic=subjects.anchors_synthetic,
        ),
        attack=_attack_records(experiment, recorder),
        usage=usage_of(recorder, used),
        probes=tuple(recorder.probes),
        edit_starts=MappingProxyType(
            {name: tuple(starts) for name, starts in recorder.edit_starts.items()}
        ),
    )


def pair_sets_of(experiment: Experiment) -> tuple[PairSet, ...]:
    """The published pair sets that perturbations of ``experiment`` read, each with their names."""
    sets: dict[str, PairSet] = {}
    readers: dict[str, list[str]] = {}
    for name, step in experiment.perturbation_steps.items():
        found = step.component.pair_set()
        if found is not None:
            sets.setdefault(found.digest, found)
            readers.setdefault(found.digest, []).append(name)
    return tuple(found.read_by(*readers[digest]) for digest, found in sets.items())


def _attack_records(experiment: Experiment, recorder: Recorder) -> AttackRecords | None:
    attack = experiment.attack
    if attack is None:
        return None
    return AttackRecords(
        goal=attack.event,
        sees=attack.sees,
        budget=attack.budget,
        confirm=attack.confirm,
        agents=tuple(attacked_agents(experiment)),
        arms=attack_arms(experiment),
        strategies=tuple(
            StrategyRow(name, strategy.name, strategy is attack.baseline)
            for name, strategy in attack.all_strategies.items()
        ),
        rows=tuple(recorder.attacks),
        transfers=tuple(recorder.transfers),
    )
