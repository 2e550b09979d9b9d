"""Measured: the records of a run, as metrics and reports read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from revkit.contracts import Component
from revkit.execution.model_usage import Used, usage_of
from revkit.execution.record import Recorder
from revkit.identity import package_of
from revkit.model.records import (
    AgentRow,
    Anchors,
    FittedMap,
    PerturbationRow,
    Records,
)
from revkit.model.values import digest_of
from revkit.options import options_of
from revkit.spec import AgentStep, Experiment


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


def _settings(component: Component) -> str:
    """What two agents share that differ only in their defenses."""
    return digest_of([component.name, package_of(type(component)), options_of(component)])


def records_of(
    experiment: Experiment,
    recorder: Recorder,
    maps: Sequence[FittedMap],
    used: Mapping[str, Used],
) -> Records:
    """What ``recorder`` holds, with the experiment's rows and what calls ``used``."""
    calibration = experiment.calibration
    return Records(
        seed=experiment.seed,
        repeats=experiment.repeats,
        papers=tuple(recorder.papers),
        perturbations=tuple(
            PerturbationRow(
                name,
                step.component.name,
                step.component.expect,
                step.component.target,
                options_of(step.component),
            )
            for name, step in experiment.perturbation_steps.items()
        ),
        agents=tuple(agent_rows(experiment.agent_steps.items())),
        variants=tuple(recorder.variants),
        verdicts=tuple(recorder.verdicts),
        skipped=MappingProxyType(dict(recorder.skipped)),
        rubrics=tuple(rubric.criterion for rubric in experiment.rubrics),
        judges=tuple(agent_rows(experiment.judge_steps.items())),
        judgements=tuple(recorder.judgements),
        anchors=None
        if calibration is None
        else Anchors(
            papers=tuple(recorder.anchors),
            verdicts=tuple(recorder.scores),
            maps=tuple(maps),
            skipped=MappingProxyType(dict(recorder.anchors_skipped)),
            repeats=calibration.repeats,
            shared=calibration.share,
        ),
        usage=usage_of(recorder, used),
        probes=tuple(recorder.probes),
        edit_starts=MappingProxyType(
            {name: tuple(starts) for name, starts in recorder.edit_starts.items()}
        ),
    )
