"""Simulate the design of an experiment before it runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from revkit.api.specs import Spec, validate

if TYPE_CHECKING:
    from revkit.execution.selfcheck import SelfCheck


def selfcheck(
    spec: Spec,
    *,
    run: str | Path | None = None,
    rate: float | None = None,
    clustering: float | None = None,
    agreement: float = 0.5,
    noise: float | None = None,
    papers: int | None = None,
    runs: int = 1000,
    **options: Any,
) -> SelfCheck:
    """Simulate the design of ``spec`` and return the expected coverage, type I error and power.

    No agent is called. ``rate`` (flip rate, 0 to 1; default 0.05), ``clustering`` (correlation of
    flips within a paper, 0 to below 1; default 0.3) and ``noise`` (chance that two reviews of one
    text disagree, up to 0.5; default 0) are given, or measured in the folder of a finished ``run``.
    ``agreement`` is the chance that an agent shares a paper's verdict and steadiness with others,
    ``papers`` the number of papers where the corpus does not state it, ``runs`` the number of
    simulated experiments; ``options`` are those of `validate`. Raises `SpecError`, and `RunError`
    where ``run`` is not a run.
    """
    experiment = validate(spec, **options)
    from revkit.execution.selfcheck import check_design

    return check_design(
        experiment,
        papers=papers,
        rate=rate,
        clustering=clustering,
        agreement=agreement,
        noise=noise,
        run=None if run is None else Path(run),
        runs=runs,
        seed=experiment.seed % 2**32,
    )
