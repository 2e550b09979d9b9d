"""The counts of a training set as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_PAPERS = ("copies", "without-reviews", "without-usable-reviews")


def summary_of(manifest: Mapping[str, Any]) -> str:
    """Return what was written and what was left out, one line for each."""
    return "\n".join(_lines(manifest))


def _lines(manifest: Mapping[str, Any]) -> Iterator[str]:
    papers, check, examples = manifest["papers"], manifest["check"], manifest["examples"]
    yield (
        f"{examples['train']:,} conversation{'s' * (examples['train'] != 1)} to train on, "
        f"{examples['validation']:,} to validate, of {papers['used']:,} "
        f"paper{'s' * (papers['used'] != 1)}."
    )
    yield from _counts("in the bench", papers["excluded"])
    yield from _counts("papers", {name: papers[name] for name in _PAPERS if papers[name]})
    yield from _counts("reviews", manifest["reviews"]["skipped"])
    yield from _counts("records", papers["skipped"])
    yield (
        f"Highest similarity to the bench: {check['most-alike-left-in']['similarity']:.3f}; "
        f"papers from {check['threshold']:g} on are left out"
    )


def _counts(what: str, counts: Mapping[str, int]) -> Iterator[str]:
    if counts:
        reasons = "; ".join(f"{name.replace('-', ' ')} ({n:,})" for name, n in counts.items())
        yield f"Left out, {what}: {reasons}"
