"""The unchanged paper reviewed several times: what an agent does without any perturbation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from revkit.figures import Resampling
from revkit.model.records import AgentRow, Records, Verdict

if TYPE_CHECKING:
    from revkit.stats import NoiseFloor


def repeats_of(records: Records, agent: AgentRow) -> list[list[Verdict]]:
    """The outcomes of ``agent`` on each unchanged paper of the run, in its order."""
    by_paper: dict[str, list[Verdict]] = {paper.id: [] for paper in records.papers}
    for verdict in records.originals(agent.name):
        by_paper[verdict.paper].append(verdict)
    return list(by_paper.values())


def floor_of(records: Records, agent: AgentRow, resampling: Resampling) -> NoiseFloor:
    """The chance that two reviews of one unchanged paper disagree, with its interval."""
    from revkit import stats

    return stats.noise_floor(
        [[verdict.accept for verdict in repeats] for repeats in repeats_of(records, agent)],
        resampling=resampling,
    )


def disagreement(repeats: Sequence[Verdict]) -> float | None:
    """The share of the pairs of repeats of one paper that disagree; None below two verdicts."""
    verdicts = [verdict.accept for verdict in repeats if verdict.accept is not None]
    k, accepts = len(verdicts), sum(verdicts)
    return 2 * accepts * (k - accepts) / (k * (k - 1)) if k > 1 else None


def score_difference(repeats: Sequence[Verdict]) -> float | None:
    """The mean |difference| between the scores of two repeats of one paper; None below two."""
    scores = [verdict.score for verdict in repeats if verdict.score is not None]
    k = len(scores)
    if k < 2:
        return None
    gaps = [abs(a - b) for i, a in enumerate(scores) for b in scores[i + 1 :]]
    return math.fsum(gaps) / len(gaps)
