"""What the reviews of one text by one agent say together.

Repeats say more about an agent, not about more papers, so the reviews of a text are reduced to one
share or mean.
"""

from __future__ import annotations

from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.model.records import AgentRow, Judgement, Verdict


def accepts_of(verdicts: Sequence[Verdict]) -> list[float]:
    """Return the verdicts that exist, as 0 (reject) and 1 (accept)."""
    return [float(verdict.accept) for verdict in verdicts if verdict.accept is not None]


def scores_of(verdicts: Sequence[Verdict]) -> list[float]:
    """Return the scores that exist, on the agent's own scale."""
    return [verdict.score for verdict in verdicts if verdict.score is not None]


def accept_share(verdicts: Sequence[Verdict]) -> float | None:
    """Return the share of verdicts that accept, from 0 to 1; None without a verdict."""
    return _mean(accepts_of(verdicts))


def mean_score(verdicts: Sequence[Verdict]) -> float | None:
    """Return the mean of the scores, on the agent's own scale; None without a score."""
    return _mean(scores_of(verdicts))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def flips_each_way(before: float | None, after: float | None) -> tuple[float, float] | None:
    """Return the probabilities that a review of one text and one of another disagree: from reject
    to accept, and from accept to reject.

    ``before`` and ``after`` are the shares of accepting verdicts on the two texts, from 0 to 1.
    None where one of them is None.
    """
    if before is None or after is None:
        return None
    return (1 - before) * after, before * (1 - after)


def flip_between(before: float | None, after: float | None) -> float | None:
    """Return the flip of a pair: the probability that a review of one text and one of another
    disagree, over all comparisons between their repeats. With one review of each it is 0 or 1.

    ``before`` and ``after`` are as in `flips_each_way`; None where one of them is None.
    """
    ways = flips_each_way(before, after)
    return None if ways is None else sum(ways)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An agent that declares itself deterministic and is not: of ``texts`` that it reviewed more
    than once, ``differing`` have different scores or verdicts.
    """

    agent: str
    differing: int
    texts: int
    defended: bool

    @property
    def text(self) -> str:
        """The contradiction in words, without the full stop."""
        defenses = "; its defenses may be the reason" if self.defended else ""
        return (
            f"agent {self.agent!r} declares itself deterministic, but {self.differing:,} of "
            f"{self.texts:,} texts that it reviewed more than once have different scores or "
            f"verdicts{defenses}"
        )


def find_contradictions(
    agents: Sequence[AgentRow], *answers: Sequence[Verdict | Judgement]
) -> list[Contradiction]:
    """Return the contradictions between what ``agents`` declare and their reviews, or what judges
    declare and their judgements. Answers about one text in two of ``answers``, such as those about
    papers and anchors, are not compared. An agent that reads what people wrote is left out: it
    may return another person's review in each repeat.
    """
    if not any(row.repeat for group in answers for row in group):
        return []
    declared = {agent.name for agent in agents if agent.deterministic and not agent.originals_only}
    found: dict[str, dict[tuple[object, ...], list[tuple[bool | None, float | None]]]] = {}
    for number, group in enumerate(answers):
        for row in group:
            by = row.agent if isinstance(row, Verdict) else row.judge
            if by not in declared or row.failure:
                continue
            text: tuple[object, ...] = (number, row.paper, row.perturbation, row.index)
            if isinstance(row, Judgement):
                text += (row.rubric, row.agent, row.repeat if row.agent else 0)
            answer = (row.accept if isinstance(row, Verdict) else None, row.score)
            found.setdefault(by, {}).setdefault(text, []).append(answer)
    contradictions = []
    for agent in agents:
        repeated = [each for each in found.get(agent.name, {}).values() if len(each) > 1]
        differing = sum(len(set(each)) > 1 for each in repeated)
        if differing:
            contradictions.append(
                Contradiction(agent.name, differing, len(repeated), bool(agent.defenses))
            )
    return contradictions
