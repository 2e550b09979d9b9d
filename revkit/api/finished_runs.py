"""Finished runs: list them, find one, open it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from revkit.api.specs import Plugin

if TYPE_CHECKING:
    from revkit.execution import Prompt, Run, SweepRun
    from revkit.runs import AssertionResult, Comparison, OpenedRun, RunEntry


def open_run(folder: str | Path) -> OpenedRun:
    """Open a finished run from its folder alone: tables, records, provenance.

    The spec, the plugins and the store of the run are not needed. Raises `RunError` for a folder
    without a finished run, and for a sweep, of which each point is a run folder.
    """
    from revkit.runs import open_run

    return open_run(folder)


def list_runs(folder: str | Path = "runs", *, points: bool = False) -> list[RunEntry]:
    """Return the runs in ``folder`` and its subfolders, the latest first; ``points`` includes those
    of sweeps. Raises `RunError` where the folder does not exist."""
    from revkit.runs import list_runs

    return list_runs(folder, points=points)


def find_run(text: str | Path, root: str | Path = "runs") -> Path:
    """Return the folder of the run that ``text`` names: a path, a folder in ``root``, the name of
    an experiment, the start of a digest, or "last". Raises `RunError` where there is none."""
    from revkit.runs import find_run

    return find_run(text, Path(root))


def prompts(
    run: str | Path,
    agent: str,
    paper: str,
    family: str = "",
    variant: int = 0,
    repeat: int = 0,
    *,
    store: str | Path | None = None,
    plugins: Iterable[Plugin] = (),
) -> list[Prompt]:
    """Return the prompts of one review of a finished run with their stored replies, in the order of
    asking. ``run`` is a run folder; ``family`` is "" for the unchanged paper.

    The prompts are made again from the spec, the records and the ``store`` of the run; no model is
    asked. A prompt with a reply is exactly what was asked: its ``key`` is the SHA-256 of it. Raises
    `RunError` for an agent that asks no language model, and where the code, the store or the
    records are not those of the run.
    """
    from revkit.execution import prompts_of
    from revkit.registry import load_registry

    registry = load_registry(plugins)
    answers = None if store is None else Path(store)
    return prompts_of(Path(run), registry, agent, paper, family, variant, repeat, store=answers)


def compare(
    runs: Sequence[OpenedRun | Run | str | Path],
    *,
    agents: Mapping[str, str] | None = None,
    figures: Collection[str] = (),
    confidence: float = 0.95,
) -> Comparison:
    """Compare each of ``runs`` with the first, over the papers that both have, and return the
    differences with intervals and tests over papers as ``table``.

    ``agents`` gives pairs of agents with different names (first run: other run), ``figures`` the
    figures to compare (default: all that the runs have). Raises `RunError` where two runs share no
    paper or no agent.
    """
    from revkit.runs import OpenedRun, compare_runs

    opened = [
        each if isinstance(each, OpenedRun | str | Path) else open_run(each.folder) for each in runs
    ]
    return compare_runs(opened, agents=agents, figures=figures, confidence=confidence)


def check_run(
    run: Run | SweepRun | OpenedRun | str | Path, assertions: Iterable[str] | None = None
) -> list[AssertionResult]:
    """Check assertions about a finished run, and return what came of each.

    ``assertions`` are texts such as ``"flip_rate[gpt].high <= 0.2"``; by default those of its spec
    (``assert``), for a sweep at every point. Whatever is missing does not hold.
    """
    from revkit.execution import Run
    from revkit.runs.assertion_results import AssertionResult, check_assertions

    if isinstance(run, Run):
        return check_assertions(
            run.experiment.assertions if assertions is None else assertions, run
        )
    from revkit.execution import SweepRun

    if isinstance(run, SweepRun):
        points = {point.label: point.experiment for point in run.sweep.points}
        results: list[AssertionResult] = []
        for each in run.points:
            texts = points[each.label].assertions if assertions is None else tuple(assertions)
            if texts and each.error:
                results += [
                    AssertionResult(text, "no-data", each.error, each.label) for text in texts
                ]
            elif texts:
                results += check_assertions(texts, open_run(each.folder), label=each.label)
        return results
    opened = open_run(run) if isinstance(run, str | Path) else run
    if assertions is None:
        texts = opened.spec.get("assert", ())
        assertions = [str(each) for each in texts] if isinstance(texts, list) else ()
    return check_assertions(assertions, opened)
