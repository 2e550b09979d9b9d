"""Decide which agents' flip rates can be compared, and state why others cannot."""

from __future__ import annotations

from revkit.dataclass import dataclass
from revkit.figures.numbers import percent
from revkit.model.records import AgentRow, Records

# Failures leave more open than sampling does, or more than this.
WIDE = 0.10


@dataclass(frozen=True)
class OpenRate:
    """What pairs without a verdict leave open of an agent's rate, and its interval from papers."""

    best: float | None
    worst: float | None
    low: float | None
    high: float | None

    @property
    def wide(self) -> bool:
        """Whether the bounds are too far apart for the rate to be ranked.

        They are wider than the interval of the rate, or than ten points.
        """
        if self.best is None or self.worst is None:
            return False
        width = self.worst - self.best
        known = self.low is not None and self.high is not None
        sampling = (self.high or 0.0) - (self.low or 0.0) if known else 0.0
        return width > 1e-12 and (width > sampling or width > WIDE)

    @property
    def text(self) -> str:
        """The bounds in words."""
        return f"{percent(self.best)} to {percent(self.worst)}"


def constant_verdict(records: Records, agent: AgentRow) -> bool | None:
    """The verdict of an agent that gives all unchanged papers the same one, else None."""
    verdicts = [(v.paper, v.accept) for v in records.originals(agent.name) if v.accept is not None]
    if len({paper for paper, _ in verdicts}) < 2 or len({accept for _, accept in verdicts}) != 1:
        return None
    return verdicts[0][1]


def unranked_because(records: Records, agent: AgentRow, rate: OpenRate) -> str:
    """Why the rate of ``agent`` must not be ranked among the others; "" where it may be."""
    verdict = constant_verdict(records, agent)
    if verdict is not None:
        return f"{'accepts' if verdict else 'rejects'} all unchanged papers"
    if rate.wide:
        return f"lacks verdicts, so its rate is between {rate.text.replace(' to ', ' and ')}"
    return ""
