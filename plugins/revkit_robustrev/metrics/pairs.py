"""Pairs of one agent and one family, and their sums over papers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from revkit.figures import Sums, sums
from revkit.model.records import AgentRow, Pair, Records

ALL_AGENTS = "all agents"
ALL_FAMILIES = "all families"

Value = Callable[[Pair], float | None]


@dataclass(frozen=True)
class Group:
    """The pairs of one agent under one family, or under all families that keep the
    science of a paper.

    ``rejected`` counts the variants of the family (or families) that could not be made fairly or
    that a gate turned down, ``crashed`` those whose perturbation raised an error: they never became
    pairs. ``expect`` is what a fair review does; for "all families" it is "may-lower" where one of
    them has that.
    """

    agent: AgentRow
    family: str
    expect: str
    rejected: int
    crashed: int
    pairs: Sequence[Pair]


def pooled_families(records: Records) -> tuple[str, ...]:
    """The families that keep the science of a paper, in the order of the experiment."""
    return tuple(row.name for row in records.perturbations if row.keeps_science)


def left_out_note(records: Records) -> tuple[str, ...]:
    """State which families "all families" does not pool, and which a careful reader may notice."""
    others = [row.name for row in records.perturbations if not row.keeps_science]
    seen = [row.name for row in records.perturbations if row.expect == "may-lower"]
    notes: list[str] = []
    if others:
        notes.append(
            f'"{ALL_FAMILIES}" pools the families whose edits keep the science; '
            f"{', '.join(others)} should move a fair review and have their own rows."
        )
    if seen:
        notes.append(
            f"A careful reader may notice the edits of {', '.join(seen)}: a fair review may lower "
            "its score there, so not every flip is an error of the reviewer."
        )
    return tuple(notes)


def groups(records: Records, agent: AgentRow) -> list[Group]:
    """One group for each family of the experiment, then "all families"."""
    pooled = set(pooled_families(records))
    rejected = {row.name: 0 for row in records.perturbations}
    crashed = dict(rejected)
    for variant in records.variants:
        if variant.rejected:
            (crashed if variant.crashed else rejected)[variant.perturbation] += 1
    by_family: dict[str, list[Pair]] = {row.name: [] for row in records.perturbations}
    for pair in records.pairs(agent.name):
        by_family[pair.variant.perturbation].append(pair)
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


def family_names(records: Records) -> tuple[str, ...]:
    """The families of the experiment, then "all families"."""
    return (*(row.name for row in records.perturbations), ALL_FAMILIES)


def sums_over_papers(records: Records, pairs: Sequence[Pair], value: Value) -> Sums:
    """Add ``value`` over the pairs of each paper; a pair whose value is None is left out."""
    papers = (paper.id for paper in records.papers)
    return sums(papers, ((pair.original.paper, value(pair)) for pair in pairs))


def flipped(pair: Pair) -> float | None:
    """1 for a flip, 0 for none, None where a side gives no verdict."""
    return None if pair.flip is None else float(pair.flip)
