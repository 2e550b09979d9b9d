"""The metric `reading-range`: how far agents read, and which edits lie beyond."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.model.records import ProbeRow, Records
from revkit.model.table import Cell, Column, Finding, Table

COLUMNS = (
    Column("agent", "Agent", "", "Your name of the agent."),
    Column("basis", "Basis", "", "markers: repeated words; tokens: counted tokens of prompts."),
    Column("n", "Papers", "count", "Papers measured: the longest of the run."),
    Column("markers", "Markers", "", "Which of the words (start, middle, end) were repeated."),
    Column("least", "Reads at least", "share", "Share of the text; empty: not known."),
    Column("most", "Reads at most", "share", "Share of the text; empty: not known."),
    Column("perturbation", "Perturbation", "", "Your name of the perturbation."),
    Column("edits", "Edits", "count", "Edits of the generated variants."),
    Column(
        "beyond",
        "Beyond",
        "count",
        "Edits that start after the last position that the agent was shown to read.",
    ),
    Column(
        "share", "Share beyond", "share", "Edits beyond as a share of all edits; empty: not known."
    ),
    Column("note", "Note", "", "Why a value is not known.", "note"),
)


@dataclass(frozen=True)
class ReadingRange(Metric):
    """How far each agent that calls a language model reads, and which edits lie beyond that point.

    With this metric a run asks each agent that has a reading probe once: the longest paper, with
    three invented words at its start, middle and end, in the prompt of a review; the model is to
    repeat them. Other agents are measured by the tokens of their longest prompt about that paper: a
    text has no fewer tokens than words, so a lower count shows that a part is missing. An edit lies
    beyond if it starts after the last marker that was repeated without a gap, or after the share of
    the text that the tokens allow, in characters from the start. A repeated word shows that the
    model received that part of the text, not that it uses it (Liu et al. 2024, "Lost in the
    Middle", Transactions of the ACL 12). These are counts, so they have no intervals.
    """

    name: ClassVar[str] = "reading-range"
    version: ClassVar[str] = "2"
    table_columns: ClassVar[tuple[Column, ...]] = COLUMNS
    reads_probes: ClassVar[bool] = True

    def measure(self, records: Records) -> Table:
        names = [row.name for row in records.perturbations if row.name in records.edit_starts]
        rows = [
            _row(probe, name, records.edit_starts.get(name, ()))
            for probe in records.probes
            for name in names or [""]
        ]
        notes = [
            "Measured on the longest paper of the run, so shorter ones are read at least as far. "
            "The values come from one question and have no interval.",
        ]
        if not rows:
            notes.append("No agent of this run asks a language model.")
        findings = [Finding(_sentence(probe), place="section") for probe in records.probes]
        return Table.of(
            self.name,
            "How far agents read",
            COLUMNS,
            rows,
            notes,
            headline=True,
            section=True,
            findings=findings,
        )


def _row(probe: ProbeRow, perturbation: str, starts: Sequence[int]) -> dict[str, Cell]:
    row: dict[str, Cell] = {
        "agent": probe.agent,
        "basis": probe.basis,
        "n": 1,
        "markers": ", ".join(probe.markers),
        "least": _share(probe.least, probe.characters),
        "most": _share(probe.most, probe.characters),
        "perturbation": perturbation,
        "edits": len(starts),
        "note": _note(probe),
    }
    reach = _reach(probe)
    if reach is not None:
        beyond = sum(start >= reach for start in starts)
        row |= {"beyond": beyond, "share": beyond / len(starts) if starts else None}
    return row


def _reach(probe: ProbeRow) -> float | None:
    """Return the number of characters up to which the agent reads; infinite if it reads to the
    end.
    """
    reach = probe.most if probe.least is None else probe.least
    return float("inf") if reach == probe.characters else reach


def _share(place: int | None, characters: int) -> float | None:
    return None if place is None or not characters else place / characters


def _note(probe: ProbeRow) -> str:
    if probe.failure:
        return f"the probe failed: {probe.failure}"
    if _reach(probe) is not None:
        return ""
    if probe.basis == "tokens":
        return "no token count shows that a part is missing"
    return "the model did not repeat the word at the start"


def _sentence(probe: ProbeRow) -> str:
    on = "the longest paper (n = 1)"
    if probe.least is None and probe.most is None:
        return f"It is not known how far {probe.agent} reads {on}: {_note(probe)}."
    if probe.least == probe.most:
        text = f"{probe.agent} reads to {_percent(probe.most, probe)} of the text of {on}"
    elif probe.least is None:
        text = f"{probe.agent} reads to at most {_percent(probe.most, probe)} of the text of {on}"
    else:
        text = (
            f"{probe.agent} reads to at least {_percent(probe.least, probe)} of the text of {on}, "
            f"but not to {_percent(probe.most, probe)}"
        )
    if probe.basis == "markers":
        return f"{text}, by the marker words that it repeated."
    return f"{text}, by the tokens of its longest prompt."


def _percent(place: int | None, probe: ProbeRow) -> str:
    return f"{100 * (place or 0) / probe.characters:.0f} %"
