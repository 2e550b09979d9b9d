"""The pairs of each agent and family; each pair counts once, no matter how often it was
reviewed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from revkit.dataclass import dataclass
from revkit.figures import Sums, sums
from revkit.figures.numbers import list_names
from revkit.model.records import AgentRow, Records, Verdict
from revkit.model.repeats import accept_share, accepts_of, flip_between, flips_each_way, scores_of

ALL_AGENTS = "all agents"
ALL_FAMILIES = "all families"


@dataclass(frozen=True)
class RepeatedPair:
    """A paper and one of its variants, with all reviews that one agent gave of each.

    Repeats say more about an agent, not about more papers. So the reviews of a side are reduced to
    shares and means, and the pair counts once: ``before`` and ``after`` are the shares of verdicts
    that accept, a flip is the chance that a review of the paper and one of the variant disagree,
    and so on. With one review a side, all of these are 0 or 1.
    """

    paper: str
    family: str
    index: int
    originals: Sequence[Verdict]
    variants: Sequence[Verdict]

    @cached_property
    def before(self) -> float | None:
        """The share of verdicts on the unchanged paper that accept; None without a verdict."""
        return accept_share(self.originals)

    @cached_property
    def after(self) -> float | None:
        """The share of verdicts on the variant that accept; None without a verdict."""
        return accept_share(self.variants)

    @property
    def up(self) -> float | None:
        """The part that flips from reject to accept; None where a side has no verdict."""
        ways = flips_each_way(self.before, self.after)
        return None if ways is None else ways[0]

    @property
    def down(self) -> float | None:
        """The part that flips from accept to reject; None where a side has no verdict."""
        ways = flips_each_way(self.before, self.after)
        return None if ways is None else ways[1]

    @property
    def flip(self) -> float | None:
        """The probability that the two sides disagree; None if a side has no verdict."""
        return flip_between(self.before, self.after)

    @property
    def rejects(self) -> float:
        """The share of verdicts on the unchanged paper that reject."""
        return 1 - (self.before or 0.0)

    @property
    def valid_share(self) -> float:
        """The share of comparisons of a review of the paper with one of the variant that have two
        verdicts."""
        return _share_with_verdict(self.originals) * _share_with_verdict(self.variants)

    @property
    def failed(self) -> bool:
        """Whether there is no flip to count because all reviews of a side failed."""
        return self.flip is None and any(
            all(verdict.failure for verdict in side) for side in (self.originals, self.variants)
        )

    @cached_property
    def scores(self) -> tuple[Sequence[float], Sequence[float]]:
        """The scores of the paper and those of the variant."""
        return scores_of(self.originals), scores_of(self.variants)

    @property
    def verdicts(self) -> tuple[Sequence[float], Sequence[float]]:
        """The verdicts on the paper and on the variant as 0 (reject) and 1 (accept)."""
        return accepts_of(self.originals), accepts_of(self.variants)


Value = Callable[[RepeatedPair], float | None]


def _share_with_verdict(verdicts: Sequence[Verdict]) -> float:
    return len(accepts_of(verdicts)) / len(verdicts) if verdicts else 0.0


@dataclass(frozen=True)
class Group:
    """The pairs of one agent under one family, or under all families that keep the science.

    ``rejected`` counts the variants of the family (or families) that could not be made fairly or
    that a gate rejected, ``crashed`` those whose perturbation raised an error: they never became
    pairs. ``expect`` is what a fair review does; for "all families" it is "may-lower" where one of
    them has that. ``direction`` is set where the pairs are those of one direction of the family.
    """

    agent: AgentRow
    family: str
    expect: str
    rejected: int
    crashed: int
    pairs: Sequence[RepeatedPair]
    direction: str = ""


def pooled_families(records: Records) -> tuple[str, ...]:
    """The families that keep the science of a paper, in the order of the experiment."""
    return tuple(row.name for row in records.perturbations if row.keeps_science)


def left_out_note(records: Records) -> tuple[str, ...]:
    """Return notes on families that "all families" does not pool, and on families that a careful
    reader may notice.
    """
    others = [row.name for row in records.perturbations if not row.keeps_science]
    notes: list[str] = []
    if others:
        notes.append(
            f'"{ALL_FAMILIES}" pools the families whose edits keep the science; '
            f"{', '.join(others)} should move a fair review and have their own rows."
        )
    return (*notes, *noticed_note(records))


def noticed_note(records: Records) -> tuple[str, ...]:
    """Return a note on families that a careful reader may notice, if there are any."""
    seen = [row.name for row in records.perturbations if row.expect == "may-lower"]
    if not seen:
        return ()
    return (
        f"A careful reader may notice the edits of {list_names(seen)}, and therefore give a "
        "lower score, so not every flip under these edits is an error of the reviewer.",
    )


def repeats_note(records: Records) -> tuple[str, ...]:
    """Return how repeats count, if there are any."""
    if records.repeats < 2:
        return ()
    return (
        f"Each text was reviewed {records.repeats} times, and a pair still counts once: as the "
        "share of the comparisons of a review of the paper with a review of the variant in which "
        "the verdicts differ.",
    )


def originals_of(records: Records, agent: str) -> dict[str, list[Verdict]]:
    """All reviews by ``agent`` of each unchanged paper of the run, papers in its order."""
    by_paper: dict[str, list[Verdict]] = {paper.id: [] for paper in records.papers}
    for verdict in records.originals(agent):
        by_paper[verdict.paper].append(verdict)
    return by_paper


def pairs_of(records: Records, agent: str) -> list[RepeatedPair]:
    """The pairs of ``agent`` in the order of the records, repeats put together."""
    originals = originals_of(records, agent)
    variants: dict[tuple[str, str, int], list[Verdict]] = {}
    for pair in records.pairs(agent):
        verdict = pair.variant
        key = (verdict.paper, verdict.perturbation, verdict.index)
        variants.setdefault(key, []).append(verdict)
    return [
        RepeatedPair(paper, family, index, originals[paper], found)
        for (paper, family, index), found in variants.items()
    ]


def groups(records: Records, agent: AgentRow) -> list[Group]:
    """One group for each family of the experiment, then "all families"."""
    pooled = set(pooled_families(records))
    rejected = {row.name: 0 for row in records.perturbations}
    crashed = dict(rejected)
    for variant in records.variants:
        if variant.rejected:
            (crashed if variant.crashed else rejected)[variant.perturbation] += 1
    by_family: dict[str, list[RepeatedPair]] = {row.name: [] for row in records.perturbations}
    for pair in pairs_of(records, agent.name):
        by_family[pair.family].append(pair)
    single = [
        Group(
            agent,
            row.name,
            row.expect,
            rejected[row.name],
            crashed[row.name],
            by_family[row.name],
        )
        for row in records.perturbations
    ]
    fair = [group for group in single if group.family in pooled]
    together = Group(
        agent,
        ALL_FAMILIES,
        "may-lower" if any(group.expect == "may-lower" for group in fair) else "invariant",
        sum(group.rejected for group in fair),
        sum(group.crashed for group in fair),
        [pair for group in fair for pair in group.pairs],
    )
    return [*single, together]


def direction_groups(records: Records, families: Sequence[Group]) -> list[Group]:
    """The pairs of one agent by family and direction, where variants of a family have one.

    Directions are in the order of their names. Rejected variants have none.
    """
    ways = {(row.paper, row.perturbation, row.index): row.direction for row in records.variants}
    found = []
    for group in families:
        names = {row.direction for row in records.variants if row.perturbation == group.family}
        for name in sorted(names - {""}):
            pairs = [
                pair
                for pair in group.pairs
                if ways.get((pair.paper, pair.family, pair.index)) == name
            ]
            found.append(Group(group.agent, group.family, group.expect, 0, 0, pairs, name))
    return found


def family_names(records: Records) -> tuple[str, ...]:
    """The families of the experiment, then "all families"."""
    return (*(row.name for row in records.perturbations), ALL_FAMILIES)


def sums_over_papers(records: Records, pairs: Sequence[RepeatedPair], value: Value) -> Sums:
    """Add ``value`` over the pairs of each paper; a pair whose value is None is left out."""
    papers = (paper.id for paper in records.papers)
    return sums(papers, ((pair.paper, value(pair)) for pair in pairs))


def flipped(pair: RepeatedPair) -> float | None:
    """The chance that the two sides disagree; None where a side gives no verdict."""
    return pair.flip


def as_count(value: float) -> int | float:
    """A sum of shares as a whole number where it is one."""
    nearest = round(value)
    return nearest if math.isclose(value, nearest, abs_tol=1e-9) else value


def one_pair_each(pairs: Sequence[RepeatedPair]) -> bool:
    """Whether each paper has one pair at most, with verdicts that agree over the repeats."""
    return len({pair.paper for pair in pairs}) == len(pairs) and are_whole(pairs)


def are_whole(pairs: Sequence[RepeatedPair]) -> bool:
    """Whether every verdict repeats itself, so that flips are 0 or 1."""
    shares = [share for pair in pairs for share in (pair.before, pair.after)]
    return all(share in (None, 0.0, 1.0) for share in shares)


def by_key(pairs: Sequence[RepeatedPair]) -> Mapping[tuple[str, str, int], RepeatedPair]:
    """The pairs by paper, family and number of the variant: the same for every agent."""
    return {(pair.paper, pair.family, pair.index): pair for pair in pairs}
