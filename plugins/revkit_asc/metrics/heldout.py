"""The held-out items of a run as arrays: the severities of every agent, and the consensus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.consensus import consensus_of
from revkit.model.records import AgentRow, PaperRow, Records, Verdict

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from revkit.stats.values import FloatArray

NO_SCORE = "no score"
NOT_REVIEWED = "not reviewed"


@dataclass(frozen=True)
class Scores:
    """One agent's severities of papers (0: no flaw, 100: reject), with one row for each paper and
    one column for each call; NaN if a call gave no score, in which case ``reasons``, of the same
    shape, states why.
    """

    severity: FloatArray
    reasons: NDArray[np.str_]

    def unscored(self, calls: int) -> Counter[str]:
        """Count the calls without a score among the first ``calls`` calls, by reason."""
        return Counter(reason for reason in self.reasons[:, :calls].ravel().tolist() if reason)


@dataclass(frozen=True)
class HeldOut:
    """Papers with a consensus that are not anchors, and each agent's scores of these papers.

    ``without_consensus`` and ``also_anchors`` count the papers that were left out for that.
    """

    papers: tuple[PaperRow, ...]
    consensus: FloatArray
    scores: Mapping[str, Scores]
    without_consensus: int
    also_anchors: int

    @property
    def agents(self) -> tuple[str, ...]:
        """The names of the agents."""
        return tuple(self.scores)

    def only(self, agent: str) -> HeldOut:
        """Return the same items with one agent only."""
        return replace(self, scores={agent: self.scores[agent]})


def agents_of(records: Records, without: Sequence[str], metric: str) -> tuple[AgentRow, ...]:
    """Return the agents of the run except those in ``without``. Raises `OptionError` for an unknown
    name.
    """
    known = [agent.name for agent in records.agents]
    wrong = [name for name in without if name not in known]
    if wrong:
        text = f"no agent is called {', '.join(map(repr, wrong))}; agents: {', '.join(known)}"
        raise OptionError(metric, [("without", text)])
    return tuple(agent for agent in records.agents if agent.name not in without)


def held_out(records: Records, agents: Sequence[AgentRow]) -> HeldOut:
    """Read the held-out items of a run. A copy of an anchor, by id or by text, does not count as
    held out.
    """
    ids, digests = set(), set()
    if records.anchors is not None:
        ids = {paper.id for paper in records.anchors.papers if records.anchors.shared is not None}
        digests = {paper.digest for paper in records.anchors.papers if paper.digest}
    kept: list[PaperRow] = []
    severities: list[float] = []
    without = also = 0
    for paper in records.papers:
        consensus = consensus_of(paper.labels)
        if consensus is None:
            without += 1
        elif paper.id in ids or paper.digest in digests:
            also += 1
        else:
            kept.append(paper)
            severities.append(consensus.severity)
    verdicts = [verdict for verdict in records.verdicts if not verdict.perturbation]
    return HeldOut(
        tuple(kept),
        np.array(severities, dtype=np.float64),
        scores_of(kept, agents, verdicts, records.repeats),
        without,
        also,
    )


def scores_of(
    papers: Sequence[PaperRow],
    agents: Sequence[AgentRow],
    verdicts: Sequence[Verdict],
    repeats: int,
) -> dict[str, Scores]:
    """Return the severities in ``verdicts`` for each agent, in the order of the agents.

    Raises `PaperError` for a score that the agent's scale does not allow.
    """
    place = {paper.id: i for i, paper in enumerate(papers)}
    shape = (len(papers), max(1, repeats))
    found = {
        agent.name: (np.full(shape, np.nan), np.full(shape, NOT_REVIEWED, dtype=object))
        for agent in agents
    }
    scales = {agent.name: agent.scale for agent in agents}
    for verdict in verdicts:
        if verdict.agent not in found or verdict.paper not in place:
            continue
        severity, reasons = found[verdict.agent]
        at = place[verdict.paper], verdict.repeat
        if verdict.score is None:
            reasons[at] = verdict.failure or NO_SCORE
        else:
            severity[at] = scales[verdict.agent].to_severity(verdict.score)
            reasons[at] = ""
    return {name: Scores(*arrays) for name, arrays in found.items()}
