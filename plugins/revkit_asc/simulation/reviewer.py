"""The agent `simulated-reviewer`: reads planted flaws and scores them on its own scale."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import ClassVar, Literal

from revkit.contracts import Agent, Context
from revkit.dataclass import dataclass
from revkit.errors import OptionError
from revkit.model.paper import Paper
from revkit.model.review import Review, Scale
from revkit.options import option
from revkit_asc.simulation.reader import PaperReading, read_manuscript
from revkit_asc.simulation.regimes import REGIMES
from revkit_asc.simulation.response import Response, cluster_views
from revkit_asc.simulation.venue import RegimeName

ProfileName = Literal["g1", "g2", "g3", "g4", "g5", "g6"]


@dataclass(frozen=True)
class SimulatedReviewer(Agent):
    """Reads the planted flaws of a simulated manuscript and scores them on its own scale.

    It sees no labels. The points of the flaws in the text, moved by its view of the paper's
    cluster, by its taste (the same for one title at every call) and by chance (``ctx.rng``), pass
    through its increasing `Response`, which is narrow, bent and coarsely rounded: two agents rarely
    mean the same by one score. ``profile`` and ``regime`` choose a response; the other options
    replace parts of it. In a text without planted flaws it finds none.

    Scores are severities from 0 to 100, lower is better. It accepts up to the score that it gives
    when it sees 50.
    """

    name: ClassVar[str] = "simulated-reviewer"
    version: ClassVar[str] = "1"
    data: ClassVar[tuple[str, ...]] = ("*.toml",)
    deterministic: ClassVar[bool] = False
    profile: ProfileName = option(
        "g1", help="Number of the agent among the six agents of the regime."
    )
    regime: RegimeName = option("paper", help="Kind of world of the agent.")
    prompt: int = option(
        0,
        help=(
            "Version of its prompt. Versions differ in strictness: 1 is stricter by 28 severity "
            "points, 2 milder by 28, 3 stricter by 14."
        ),
        minimum=0,
        maximum=3,
    )
    agent_seed: int = option(1, help="Seed of its preferences for papers and clusters.", minimum=0)
    low: float | None = option(None, help="Lowest score used.", minimum=0, maximum=100)
    high: float | None = option(None, help="Highest score used.", minimum=0, maximum=100)
    bend: float | None = option(
        None,
        help="Height of its response curve in the middle; 0.5 is a straight line.",
        minimum=0.02,
        maximum=0.98,
    )
    steep: float | None = option(
        None,
        help="Below 0.5 the curve is flat at both ends, above 0.5 in the middle.",
        minimum=0.02,
        maximum=0.98,
    )
    step: float | None = option(
        None, help="Scores are multiples of this; 0 does not round.", minimum=0, maximum=50
    )
    noise: float | None = option(
        None, help="Standard deviation from call to call, in severity points.", minimum=0
    )
    taste: float | None = option(
        None, help="Standard deviation of its lasting preferences for papers.", minimum=0
    )
    cluster: float | None = option(
        None, help="Standard deviation of its preferences for clusters.", minimum=0
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        response = self.response
        if response.low >= response.high:
            text = f"must be below high: {response.low:g} and {response.high:g}"
            raise OptionError(self.name, [("low", text)])

    @property
    def response(self) -> Response:
        """The function from the severity that the agent reads to its score, including the effect of
        its prompt.
        """
        chosen = REGIMES[self.regime].agents[self.profile]
        names = ("low", "high", "bend", "steep", "step", "noise", "taste", "cluster")
        given = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return replace(chosen, **given).prompted(self.prompt)

    @property
    def scale(self) -> Scale:
        """Severities from 0 to 100, lower is better."""
        return Scale(
            f"simulated-{self.profile}-0-100",
            0.0,
            100.0,
            higher_is_better=False,
            accept_at=float(self.response(50.0)),
        )

    def review(self, paper: Paper, ctx: Context) -> Review:
        """Return the score of the flaws that it reads; ``details`` list these flaws."""
        response = self.response
        reading = read_manuscript(paper.text)
        seen = reading.severity + self._view(paper, reading, response)
        seen += ctx.rng.gauss(0.0, 1.0) * response.noise
        score = float(response(seen))
        return Review(
            accept=score <= float(response(50.0)),
            score=score,
            text=_words(score, reading),
            details={
                "read": reading.severity,
                "cluster": reading.cluster,
                "flaws": dict(reading.flaws),
            },
        )

    def _view(self, paper: Paper, reading: PaperReading, response: Response) -> float:
        """Return what this agent adds to the severity of any text with this title, in this
        cluster.
        """
        seed = f"{self.agent_seed}:{self.profile}"
        title = paper.title or paper.text.lstrip()[:80]
        taste = random.Random(f"{seed}:taste:{title}").gauss(0.0, 1.0) * response.taste
        if not reading.cluster:
            return taste
        return taste + cluster_views(seed, [reading.cluster], response.cluster)[reading.cluster]


def _words(score: float, reading: PaperReading) -> str:
    grades = ("", "a minor flaw", "a grave flaw")
    found = [f"{name} ({grades[grade]})" for name, grade in sorted(reading.flaws.items())]
    about = f" on {reading.cluster}" if reading.cluster else ""
    said = ", ".join(found) or "none that I know"
    return f"Severity {score:g} of 100. A paper{about}. Flaws: {said}."
