"""The eight dimensions of ReviewBench (Li et al., section 3.2.1 and appendix D.1).

Names and contents are the paper's; the wording is ours. The paper writes the last one "False or
Contradictionary Claims" in its text and "Contradictory" in its tables; both titles are accepted.
"""

from __future__ import annotations

from revkit.dataclass import dataclass

PITFALL = "false-or-contradictory-claims"
TONE = "constructive-tone"
LOWEST, HIGHEST = -2, 14
"""The ends of the overall score, the sum of seven dimensions from 0 to 2 and one from -2 to 0."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension: ``short`` is its column in Table 1 of the paper, ``asks`` the question that it
    judges.
    """

    name: str
    title: str
    short: str
    question: str
    asks: str

    @property
    def pitfall(self) -> bool:
        """Whether its key points are faults, scored from -2 to 0."""
        return self.name == PITFALL

    @property
    def levels(self) -> tuple[tuple[int, str], ...]:
        """Return the scores with their meanings (appendix E.1.1)."""
        return _FAULTS if self.pitfall else _MERITS


_MERITS = (
    (0, "addresses less than half of the key points, or makes a material false claim about them"),
    (1, "addresses at least half of the key points, without a material false claim"),
    (2, "addresses all key points, or all but one minor one, without a material false claim"),
)
_FAULTS = (
    (-2, "shows several of the faults, or a single severe one"),
    (-1, "shows one of the faults, and it is not severe"),
    (0, "shows none of the faults"),
)

DIMENSIONS: tuple[Dimension, ...] = (
    Dimension(
        "core-contribution-accuracy",
        "Core Contribution Accuracy",
        "Contribution",
        "Does the review say correctly what the paper contributes?",
        "The review names the main contributions and the new idea of the method, above all in its "
        "summary and strengths, and does not misread them.",
    ),
    Dimension(
        "results-interpretation",
        "Results Interpretation",
        "Results",
        "Does the review read the results as the paper reports them?",
        "The review reads tables, figures, metrics and comparisons as they stand, and neither "
        "overstates nor misreads them.",
    ),
    Dimension(
        "comparative-analysis",
        "Comparative Analysis",
        "Comparison",
        "Does the review discuss the comparisons that the paper makes?",
        "The review discusses the baselines and related work that the paper presents, and claims "
        "no comparison to be missing without support.",
    ),
    Dimension(
        "evidence-based-critique",
        "Evidence-Based Critique",
        "Evidence",
        "Does criticism point to places of the paper that bear it out?",
        "Each weakness rests on something that can be found in the paper: a section, an equation, "
        "an algorithm, a table or a figure.",
    ),
    Dimension(
        "critique-clarity",
        "Critique Clarity",
        "Clarity",
        "Can the authors tell from the review what to improve, and how?",
        "Weaknesses and questions are concrete: they name what is affected and what would mend it.",
    ),
    Dimension(
        "completeness-coverage",
        "Completeness Coverage",
        "Coverage",
        "Does the review cover all major parts of the paper?",
        "The review speaks of the method, its theory or formulation, the experiments, and the "
        "place among related work.",
    ),
    Dimension(
        TONE,
        "Constructive Tone",
        "Tone",
        "Is the review professional, and meant to improve the paper?",
        "The review is professional and constructive, grants what is good, and neither dismisses "
        "nor discourages.",
    ),
    Dimension(
        PITFALL,
        "False or Contradictory Claims",
        "Contradiction",
        "Does the review claim what is not so?",
        "The review speaks of experiments or content that the paper does not have, calls missing "
        "what is there, or contradicts its results, conclusions or stated choices.",
    ),
)
NAMES: tuple[str, ...] = tuple(dimension.name for dimension in DIMENSIONS)
BY_NAME = {dimension.name: dimension for dimension in DIMENSIONS}
_BY_TITLE = {dimension.title.casefold(): dimension.name for dimension in DIMENSIONS} | {
    "false or contradictionary claims": PITFALL
}


def name_of(title: object) -> str:
    """Return the name of the dimension with that title or name, or "" if there is none."""
    if not isinstance(title, str):
        return ""
    level = " ".join(title.split()).casefold()
    return level if level in BY_NAME else _BY_TITLE.get(level, "")
