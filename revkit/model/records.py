"""Records: the results of a run in the form that metrics read. Small rows without texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from revkit.dataclass import dataclass
from revkit.model.attack import AttackRecords
from revkit.model.criterion import Criterion
from revkit.model.pair_set import PairSet
from revkit.model.paper import Labels
from revkit.model.review import Scale
from revkit.model.sample import Sampled
from revkit.model.structure import Part
from revkit.model.values import Json
from revkit.model.variant import Check, VariantOutcome, check_outcome

if TYPE_CHECKING:
    from revkit.contracts import Curve

Expectation = Literal["invariant", "may-lower", "decrease", "increase"]
"""What a fair review does under a family's edits.

"invariant": it stays as it is. "may-lower": the science is as it was, but a careful reader can
notice the edits, so a fair score may stay or get worse. "decrease", "increase": its score moves
that way.
"""


def keeps_science(expect: Expectation) -> bool:
    """Return whether edits with this expected effect leave the science of a paper unchanged; flips
    under such families are pooled.
    """
    return expect in ("invariant", "may-lower")


@dataclass(frozen=True, slots=True)
class PaperRow:
    """One loaded paper. ``words`` counts its prose, ``notes`` lists the repairs by its loader.

    ``digest`` is that of its text: papers that share one are copies. Empty where it is not known.
    ``structure`` is the score (0 to 1) of what was understood of it, None where it is not known;
    ``unread`` lists the parts that its text must have and that were not recognised, ``leaks`` the
    signs that the text contains its own reviews.
    """

    id: str
    labels: Labels
    words: int = 0
    notes: tuple[str, ...] = ()
    digest: str = ""
    structure: float | None = None
    unread: tuple[Part, ...] = ()
    leaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class VariantRow:
    """One variant: its outcome, as in `Variant`, and the counts of its edits.

    ``digest`` is that of its text: variants that share one are the same text. Empty where none was
    made. ``direction`` is which way the family went where it has several, such as "add".
    ``words_changed`` to ``distance`` are as in `revkit.model.dose.Dose`; None where not known.
    """

    paper: str
    perturbation: str
    index: int
    edits: int
    dropped: int
    checks: tuple[Check, ...]
    rejected: str = ""
    outcome: VariantOutcome = "made"
    gate: str = ""
    digest: str = ""
    direction: str = ""
    words_changed: int | None = None
    words_moved: int | None = None
    dose: float | None = None
    sentences: float | None = None
    distance: float | None = None

    def __post_init__(self) -> None:
        check_outcome(self.outcome, self.rejected, self.gate)

    @property
    def crashed(self) -> bool:
        """Whether the perturbation raised an error, which is not a property of the paper."""
        return self.outcome == "crashed"

    @property
    def failed_gate(self) -> bool:
        """Whether edits were made and a gate rejected them, rather than the family itself."""
        return self.outcome == "gate"


@dataclass(frozen=True, slots=True)
class VariantCounts:
    """The numbers of variants by outcome: ``made``, ``declined`` by the family, rejected by
    ``gates``, and ``crashed``.
    """

    made: int
    declined: int
    gates: int
    crashed: int

    @property
    def attempted(self) -> int:
        """The number of all variants."""
        return self.made + self.rejected + self.crashed

    @property
    def rejected(self) -> int:
        """The number of variants that could not be made or failed a gate, without crashes."""
        return self.declined + self.gates


def count_variants(rows: Iterable[VariantRow]) -> VariantCounts:
    """Return the numbers of variants of ``rows`` by outcome."""
    found = Counter(row.outcome for row in rows)
    return VariantCounts(found["made"], found["declined"], found["gate"], found["crashed"])


@dataclass(frozen=True, slots=True)
class Verdict:
    """One outcome of ``agent`` on ``paper``, unchanged (``perturbation`` "") or as a variant.

    ``failure`` holds the kind of a Failure and is "" for a review. ``accept`` and ``score`` may be
    None in a review too, where the agent gives none. ``common`` is the score on the common 0-100
    severity scale, where the agent carries a calibration map, and ``extrapolated`` states that the
    score lies outside the range of the map's anchors. ``warnings`` and ``certified`` are those of
    the `Review`. ``asked`` counts the reviews that the agent made for it: more than one with a
    defense that asks several times.
    """

    agent: str
    paper: str
    perturbation: str
    index: int
    repeat: int
    accept: bool | None
    score: float | None
    failure: str = ""
    common: float | None = None
    extrapolated: bool = False
    warnings: tuple[str, ...] = ()
    asked: int = 1
    certified: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """One score of ``judge`` by criterion ``rubric``, for an unchanged paper (``perturbation`` "")
    or a variant. ``score`` is None if ``failure`` names the kind of failure. ``agent`` names the
    reviewer whose review of the paper was judged, in the review's ``repeat``; "" where the paper
    itself was.
    """

    judge: str
    rubric: str
    paper: str
    perturbation: str
    index: int
    repeat: int
    score: float | None
    failure: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True)
class FittedMap:
    """The calibration map of one agent: ``name`` is its name in the experiment, ``calibrator`` its
    component. ``curve`` is None if ``refused`` states why there is none.
    """

    agent: str
    name: str
    calibrator: str
    curve: Curve | None
    refused: str = ""

    def to_json(self) -> dict[str, Json]:
        return {
            "agent": self.agent,
            "name": self.name,
            "calibrator": self.calibrator,
            "curve": None if self.curve is None else self.curve.to_json(),
            "refused": self.refused,
        }


@dataclass(frozen=True)
class Anchors:
    """The anchors of a calibration: their rows, the scores of each agent, the fitted maps.

    ``shared`` is the part of the corpus that was set aside as anchors (None: another corpus).
    ``synthetic`` says that a program made the anchors and their severities, not people.
    """

    papers: Sequence[PaperRow]
    verdicts: Sequence[Verdict]
    maps: Sequence[FittedMap]
    skipped: Mapping[str, int] = field(default_factory=dict)
    repeats: int = 1
    shared: float | None = None
    synthetic: bool = False


@dataclass(frozen=True, slots=True)
class UsageRow:
    """The model calls behind the answers of one component, by its path in the experiment: distinct
    calls and their usage, no matter when they were paid for.

    ``source`` is the perturbation whose variants they were about, "" for papers as they are,
    "anchors" for anchors, and "all" in `RunUsage.total`, where a call that answers about several
    sorts of text share counts once.

    A number is None where a reply came without it: tokens without a count, ``usd`` (US dollars)
    without a known price, ``cached_tokens`` (those of the prompt that the provider read from its
    cache) where it does not report them. ``roles`` are the roles of the component for which the
    calls were made, () where none was named; several where they share the calls.
    """

    component: str
    source: str
    model: str
    calls: int
    prompt_tokens: int | None
    completion_tokens: int | None
    usd: float | None
    roles: tuple[str, ...] = ()
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class PaperUsage:
    """The calls of ``roles`` of one component for its answers about one paper, variants and repeats
    included: each answer counts with all its calls, including calls that it shares with another
    answer.

    ``answers`` counts the answers of the component about the paper that rest on a model and name
    roles, whether or not these play a part in them; for no roles (calls that name none) all that
    rest on a model. A number is None where a reply came without it.
    """

    component: str
    paper: str
    roles: tuple[str, ...]
    model: str
    answers: int
    calls: int
    prompt_tokens: int | None
    completion_tokens: int | None
    usd: float | None
    cached_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class RunUsage:
    """The usage of language models by the answers of a run: ``by_source`` for each kind of text,
    ``total`` with each call once, and ``by_paper``.
    """

    by_source: Sequence[UsageRow] = ()
    total: Sequence[UsageRow] = ()
    by_paper: Sequence[PaperUsage] = ()


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """How far ``agent`` reads ``paper``, the longest paper of the run, in ``characters``.

    ``basis`` is "markers" (``markers`` names which of the words at "start", "middle" and "end" the
    model repeated) or "tokens" (of its longest prompt). It reads on from the start to at least the
    character ``least`` and at most to ``most``; None where that is not known. ``failure`` is the
    kind of the failure of a probe, "" where it was answered.
    """

    agent: str
    paper: str
    basis: Literal["markers", "tokens"]
    characters: int
    markers: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class AgentRow:
    """One agent under its name in the experiment.

    ``accept_up_to`` is the severity on the common scale up to which a paper counts as accepted
    there; None for an agent without a calibration map. ``cannot_see`` states what its scores cannot
    show, as its component declares. ``originals_only`` marks one that reviews unchanged papers
    alone, since it reads the reviews that people wrote of them. ``base`` is the name of the agent
    of the same component and options without defenses, for an agent with defenses; "" where there
    is none.
    """

    name: str
    component: str
    scale: Scale
    deterministic: bool
    defenses: tuple[str, ...] = ()
    accept_up_to: float | None = None
    cannot_see: str = ""
    originals_only: bool = False
    base: str = field(default="", repr=False)

    def against_scale(self, verdict: Verdict) -> bool:
        """Whether a verdict contradicts the scale's own accept rule for its score."""
        if verdict.accept is None or verdict.score is None:
            return False
        implied = self.scale.accepts(verdict.score)
        return implied is not None and implied != verdict.accept


@dataclass(frozen=True, slots=True)
class PerturbationRow:
    """One perturbation under its name in the experiment, with the expected effect of its edits."""

    name: str
    component: str
    expect: Expectation
    target: str = ""
    options: Mapping[str, Json] = field(default_factory=dict)

    @property
    def keeps_science(self) -> bool:
        """Whether its edits leave the science of a paper unchanged; such families are pooled."""
        return keeps_science(self.expect)


@dataclass(frozen=True, slots=True)
class Pair:
    """A paper before and after an edit: two outcomes of one agent, in the same repeat."""

    original: Verdict
    variant: Verdict

    @property
    def failed(self) -> bool:
        """Whether either side is a Failure."""
        return bool(self.original.failure or self.variant.failure)

    @property
    def flip(self) -> bool | None:
        """Whether the verdict changed; None if a side failed or gave no verdict."""
        if self.original.accept is None or self.variant.accept is None:
            return None
        return self.original.accept != self.variant.accept

    @property
    def shift(self) -> float | None:
        """The score of the variant minus the score of the original; None if either is missing."""
        if self.original.score is None or self.variant.score is None:
            return None
        return self.variant.score - self.original.score


@dataclass(frozen=True)
class Records:
    """All rows of one run, in the order of the experiment and of its corpus."""

    seed: int
    repeats: int
    papers: Sequence[PaperRow]
    perturbations: Sequence[PerturbationRow]
    agents: Sequence[AgentRow]
    variants: Sequence[VariantRow]
    verdicts: Sequence[Verdict]
    skipped: Mapping[str, int] = field(default_factory=dict)
    sampled: Sampled | None = None
    pair_sets: Sequence[PairSet] = ()
    rubrics: Sequence[Criterion] = ()
    judges: Sequence[AgentRow] = ()
    judgements: Sequence[Judgement] = ()
    anchors: Anchors | None = None
    usage: RunUsage = RunUsage()
    # Only of a run with a metric that reads them: how far agents read, and for each perturbation
    # the first characters of all edits of its variants.
    probes: Sequence[ProbeRow] = ()
    edit_starts: Mapping[str, Sequence[int]] = field(default_factory=dict)
    attack: AttackRecords | None = None

    @cached_property
    def _originals(self) -> Mapping[tuple[str, str, int], Verdict]:
        return {(v.agent, v.paper, v.repeat): v for v in self.verdicts if not v.perturbation}

    @cached_property
    def _pairs(self) -> Mapping[str, Sequence[Pair]]:
        pairs: dict[str, list[Pair]] = {agent.name: [] for agent in self.agents}
        for verdict in self.verdicts:
            if verdict.perturbation:
                original = self._originals[verdict.agent, verdict.paper, verdict.repeat]
                pairs[verdict.agent].append(Pair(original, verdict))
        return pairs

    def pairs(self, agent: str, perturbation: str | None = None) -> Sequence[Pair]:
        """Return the pairs of ``agent``, in order; of one perturbation only if it is named."""
        if perturbation is None:
            return self._pairs[agent]
        return [pair for pair in self._pairs[agent] if pair.variant.perturbation == perturbation]

    def originals(self, agent: str) -> Iterator[Verdict]:
        """Return the outcomes of ``agent`` on unchanged papers, every repeat, in order."""
        return (verdict for key, verdict in self._originals.items() if key[0] == agent)

    def __repr__(self) -> str:
        return (
            f"Records({len(self.papers)} papers, {len(self.variants)} variants, "
            f"{len(self.verdicts)} verdicts, {len(self.judgements)} judgements, "
            f"{len(self.agents)} agents, {len(self.judges)} judges)"
        )

    @property
    def variant_counts(self) -> VariantCounts:
        """The numbers of variants by outcome."""
        return count_variants(self.variants)

    @property
    def copies(self) -> int:
        """The number of papers with the text of an earlier paper."""
        known = [paper.digest for paper in self.papers if paper.digest]
        return len(known) - len(set(known))

    @cached_property
    def labels(self) -> Mapping[str, Labels]:
        """The labels of each paper by its id."""
        return {paper.id: paper.labels for paper in self.papers}
