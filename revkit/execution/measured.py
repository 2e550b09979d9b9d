"""Measured: the records of a run, as metrics and reports read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, cast

from revkit.cache import Store
from revkit.errors import RunError
from revkit.execution.record import Recorder
from revkit.model.records import (
    AgentRow,
    Anchors,
    FittedMap,
    PerturbationRow,
    Records,
    UsageRow,
)
from revkit.options import options_of
from revkit.spec import AgentStep, Experiment


def agent_rows(steps: Iterable[tuple[str, AgentStep]]) -> list[AgentRow]:
    """The agents of a section, as records name them."""
    return [
        AgentRow(
            name,
            step.component.name,
            step.component.scale,
            step.component.deterministic,
            tuple(defense.name for defense in step.defenses),
            None if step.calibration is None else step.calibration.accept_up_to,
        )
        for name, step in steps
    ]


def records_of(
    experiment: Experiment, recorder: Recorder, maps: Sequence[FittedMap], store: Store
) -> Records:
    """What ``recorder`` holds, with the experiment's rows; ``store`` tells what calls used."""
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
        usage=tuple(usage_rows(recorder, store)),
    )


def usage_rows(recorder: Recorder, store: Store) -> list[UsageRow]:
    """What the calls behind the answers used, by component, sort of text and model.

    Read from the stored replies, so a run that asked nobody tells the same as the one that paid.
    """
    rows = []
    for (path, source), calls in sorted(recorder.calls.items()):
        used: dict[str, list[list[Any]]] = {}
        for call in calls:
            reply = cast(Any, store.get_json(bytes.fromhex(call)))
            if reply is None:
                raise RunError(
                    f"the store {store.path} no longer holds the call {call[:16]}, which an answer "
                    "of it stands on; move the file away, and its answers are worked out again"
                )
            used.setdefault(str(reply["model"]), []).append(list(reply["usage"]))
        for model, usages in sorted(used.items()):
            prompts, completions, _, prices = zip(*usages, strict=True)
            rows.append(
                UsageRow(
                    path,
                    source,
                    model,
                    len(usages),
                    None if None in prompts else sum(prompts),
                    None if None in completions else sum(completions),
                    None if None in prices else round(sum(sorted(prices)), 9),
                )
            )
    return rows
