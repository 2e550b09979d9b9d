"""The design of a simulation: the size of an experiment, and the behaviour of its agents."""

from __future__ import annotations

from revkit.dataclass import dataclass
from revkit.errors import StatisticsError


@dataclass(frozen=True)
class Design:
    """An experiment of ``papers`` papers, ``families`` variants of each, and several agents.

    - ``rates``: the chance of each agent that an edit turns its verdict, one entry an agent;
    - ``repeats``: reviews of each text;
    - ``clustering``: the correlation of such turns within a paper, 0 to below 1 (the intraclass
      correlation of a beta-binomial distribution);
    - ``agreement``: the chance that an agent shares the verdict and the steadiness of a paper with
      all others that do, instead of having its own;
    - ``accepts``: the share of unchanged papers that an agent accepts;
    - ``upward``: the share of turns from reject to accept; ``None``: rejects and accepts are turned
      equally often;
    - ``noise``: the chance that two reviews of one text disagree, 0 to 1/2;
    - ``failures``: the chance that all reviews of a text fail, at random.

    Raises `StatisticsError` for a value outside its range.
    """

    papers: int = 150
    families: int = 4
    rates: tuple[float, ...] = (0.05,) * 5
    repeats: int = 1
    clustering: float = 0.3
    agreement: float = 0.5
    accepts: float = 0.5
    upward: float | None = None
    noise: float = 0.0
    failures: float = 0.0

    def __post_init__(self) -> None:
        for name in ("papers", "families", "repeats"):
            if getattr(self, name) < 1:
                raise StatisticsError(f"{name} must be at least 1, but is {getattr(self, name)}")
        if not self.rates:
            raise StatisticsError("rates must have an entry for each agent, but is empty")
        for name, value, most in (
            *(("rates", rate, 1.0) for rate in self.rates),
            ("agreement", self.agreement, 1.0),
            ("accepts", self.accepts, 1.0),
            ("upward", 0.0 if self.upward is None else self.upward, 1.0),
            ("noise", self.noise, 0.5),
        ):
            if not 0 <= value <= most:
                raise StatisticsError(f"{name} must lie within [0, {most:g}], but is {value:g}")
        for name in ("clustering", "failures"):
            if not 0 <= getattr(self, name) < 1:
                raise StatisticsError(f"{name} must be from 0 to below 1")
        for rate in self.rates:
            self._check_turns(rate)

    def _check_turns(self, rate: float) -> None:
        if self.upward is None:
            return
        parts = ((self.upward, 1 - self.accepts), (1 - self.upward, self.accepts))
        if any(rate * part > risk + 1e-12 for part, risk in parts):
            raise StatisticsError(
                f"upward: {rate:g} of all verdicts turn, {self.upward:g} of them from reject to "
                f"accept, but only {1 - self.accepts:g} of the papers are rejected"
            )

    @property
    def agents(self) -> int:
        """The number of agents."""
        return len(self.rates)

    def turn_rates(self, agent: int) -> tuple[float, float]:
        """Return the probability that an edit changes a reject of the agent, and that it changes an
        accept.
        """
        rate = self.rates[agent]
        if self.upward is None:
            return rate, rate
        rejects = rate * self.upward / (1 - self.accepts) if self.upward else 0.0
        accepts = rate * (1 - self.upward) / self.accepts if self.upward < 1 else 0.0
        return min(1.0, rejects), min(1.0, accepts)


@dataclass(frozen=True)
class Truth:
    """The true figures of one agent, which the statistics of a simulated experiment estimate.

    ``up`` and ``down`` are the chances that a review of a paper and one of its variant differ
    towards accept and towards reject, ``rejects`` the chance that a review rejects the paper.
    """

    up: float
    down: float
    rejects: float
    noise: float
    excess: float

    @property
    def flip(self) -> float:
        """The flip rate."""
        return self.up + self.down

    @property
    def change(self) -> float:
        """The change of the share of accepted texts."""
        return self.up - self.down

    @property
    def share(self) -> float:
        """The share of flips that go to accept."""
        return self.up / self.flip if self.flip else 0.5

    @property
    def reject_rate(self) -> float:
        """The share of reject verdicts that flip."""
        return self.up / self.rejects if self.rejects else 0.0

    @property
    def accept_rate(self) -> float:
        """The share of accept verdicts that flip."""
        return self.down / (1 - self.rejects) if self.rejects < 1 else 0.0


def truth_of(design: Design, agent: int) -> Truth:
    """Return the true figures of ``agent``.

    A review departs from the agent's settled verdict with chance e, so that two reviews disagree
    with chance noise = 2 e (1 - e), and an edit that turns the verdict has the net effect
    (1 - 2 e)^2 = 1 - 2 noise.
    """
    e = slip_of(design.noise)
    of_rejects, of_accepts = design.turn_rates(agent)
    a, r = design.accepts, 1 - design.accepts
    steady = e * (1 - e)
    up = r * ((1 - of_rejects) * steady + of_rejects * (1 - e) ** 2)
    up += a * ((1 - of_accepts) * steady + of_accepts * e**2)
    down = r * ((1 - of_rejects) * steady + of_rejects * e**2)
    down += a * ((1 - of_accepts) * steady + of_accepts * (1 - e) ** 2)
    turned = r * of_rejects + a * of_accepts
    return Truth(up, down, r * (1 - e) + a * e, design.noise, turned * (1 - 2 * design.noise))


def slip_of(noise: float) -> float:
    """Return the probability e <= 1/2 with 2 e (1 - e) = ``noise``."""
    return float((1 - max(0.0, 1 - 2 * noise) ** 0.5) / 2)
