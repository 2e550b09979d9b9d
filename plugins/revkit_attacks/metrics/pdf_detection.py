"""The metric `pdf-detection`: which hidden texts a scan finds, and which reader returns them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from revkit.contracts import Metric
from revkit.dataclass import dataclass
from revkit.figures import (
    CONFIDENCE,
    NOTE,
    SHORT,
    UNIT,
    Figure,
    Resampled,
    note_of,
    short_of,
    short_warnings,
    sums,
)
from revkit.figures.numbers import count_of
from revkit.model.records import PaperRow, Records
from revkit.model.table import (
    MOST_EXCERPT,
    Cell,
    Column,
    Exhibit,
    Finding,
    Table,
    TableWarning,
)
from revkit.model.values import Json
from revkit_attacks.terms import FILES

OVER_PAPERS = "Korn and Graubard over papers; none for one paper."
FOUND = Figure(
    "found",
    "Found",
    "share",
    "Share of the files in which the scan found hidden text.",
    how=OVER_PAPERS,
)
NO_FILES = "No paper of this run is a PDF file with a planted text: use the corpus pdf-attacks."
ALL = "all"
HONEST = "clean and confounders"
_COLUMNS = (
    Column("hide", "Technique", "", "How the text is hidden, or the kind of honest file."),
    Column(
        "family",
        "Place",
        "",
        "Where the text is: drawn on the page, in the codes of its letters (override), or outside "
        "the page (side-channel).",
    ),
    Column("papers", "Papers", "count", "Papers of these files, the unit of the interval."),
    Column("files", "Files", "count", "Files with this technique, attacks and placebos."),
    Column(
        "detected", "Found in", "count", "Files in which the scan found hidden text.", clear=True
    ),
    *FOUND.columns,
    Column("kinds", "Found as", "", "What the scan calls it.", clear=True),
    Column("returned", "Returned by", "", "The programs that pass the planted text to a reviewer."),
    CONFIDENCE,
    UNIT,
    SHORT,
    NOTE,
)


_QUESTION = "Does the scan find text that is hidden in PDF files, and only there?"
_READING = (
    'A technique with an empty column "Returned by" is hidden, but no program that was tested '
    "passes its text to a reviewer."
)


@dataclass(frozen=True)
class PdfDetection(Resampled, Metric):
    """Which techniques of hiding a text in a PDF the scan finds, and which readers return the text.

    It reads the labels of `pdf-attacks`. A technique that the scan misses stays in the table with
    its count. The row "clean and confounders" shows findings in honest files, which should be none.
    Placebo files contain hidden text too, so they count like attacked files: a finding states that
    text is hidden, and does not accuse anybody. All files of one source are the same paper, so
    papers are the unit of the interval; one paper gives none.
    """

    name: ClassVar[str] = "pdf-detection"
    version: ClassVar[str] = "5"
    table_columns: ClassVar[tuple[Column, ...]] = _COLUMNS

    def measure(self, records: Records) -> Table:
        """Return a row for each technique, one for all of them, and the honest files."""
        cases: dict[str, list[Mapping[str, Json]]] = {}
        for row in records.papers:
            facts = facts_of(row)
            if facts is not None:
                cases.setdefault(str(facts["hide"]), []).append(facts)
        honest = {k: v for k, v in cases.items() if not v[0]["arm"]}
        hidden = {k: v for k, v in cases.items() if v[0]["arm"] and k != "visible"}
        rows = [self._row(records, hide, found) for hide, found in hidden.items()]
        if hidden:
            rows.append(
                self._row(records, ALL, [each for found in hidden.values() for each in found])
            )
        rows += [
            self._row(records, kind, found) for kind, found in cases.items() if kind not in hidden
        ]
        if honest:
            rows.append(
                self._row(records, HONEST, [each for found in honest.values() for each in found])
            )
        return Table.of(
            self.name,
            "Hidden text in PDF files: found by the scan, and returned by readers",
            _COLUMNS,
            rows,
            () if rows else (NO_FILES,),
            headline=True,
            fine=("confidence", "unit", "short", "note"),
            findings=_findings(rows),
            warnings=[
                *_false(rows),
                *short_warnings(self.name, rows, lambda row: str(row["hide"])),
            ],
            exhibits=_exhibits(cases),
            reading=_READING if rows else "",
            terms=FILES,
        )

    def _row(
        self, records: Records, hide: str, facts: Sequence[Mapping[str, Json]]
    ) -> dict[str, Cell]:
        files = {(str(f["paper"]), str(f["hide"]), str(f["arm"])): f for f in facts}
        seen = [(source, float(bool(each["findings"]))) for (source, *_), each in files.items()]
        papers = dict.fromkeys(source for source, _ in seen)
        found = self.rates(records, [sums(papers, seen)])[0]
        kinds = {str(kind) for each in files.values() for kind in _sequence_of(each["kinds"])}
        families = {str(each["family"]) for each in files.values()}
        readers = dict.fromkeys(str(each["reader"]) for each in facts if each["planted"])
        single = hide not in (ALL, HONEST)
        return {
            "hide": hide,
            "family": families.pop() if len(families) == 1 else "",
            "papers": len(papers),
            "files": len(files),
            "detected": round(sum(share for _, share in seen)),
            **FOUND.cells(found),
            "kinds": ", ".join(sorted(kinds)) if single else "",
            "returned": ", ".join(readers) if single else "",
            "confidence": self.confidence,
            "unit": "paper",
            "short": short_of({FOUND.title: found}),
            "note": note_of(found),
        }


def facts_of(row: PaperRow) -> Mapping[str, Json] | None:
    """Return the facts of a paper of `pdf-attacks`; None for another paper."""
    extra = row.labels.extra
    return extra if {"hide", "arm", "reader", "paper", "planted"} <= set(extra) else None


def _exhibits(cases: Mapping[str, Sequence[Mapping[str, Json]]]) -> list[Exhibit]:
    """For each technique: the drawn page, what a program reads there, and what the scan leaves of
    it."""
    found = []
    for hide, facts in cases.items():
        shown = {str(each["reader"]): each for each in facts if "drawn" in each}
        programs = [name for name in shown if name != "scan"]
        if not programs:
            continue
        name = max(programs, key=lambda each: bool(shown[each]["planted"]))
        excerpt = str(shown[name]["excerpt"]) or f"{name} does not return the planted text."
        seen = str(shown["scan"]["excerpt"]) if "scan" in shown else ""
        title = f"{hide}: page as drawn, beside the text that {name} returns"
        picture = str(shown[name]["drawn"])
        found.append(Exhibit(title, seen[:MOST_EXCERPT], excerpt[:MOST_EXCERPT], picture))
    return found


def _sequence_of(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list | tuple) else ()


def _findings(rows: Sequence[dict[str, Cell]]) -> list[Finding]:
    """The question, the counts of hidden and honest files, and the papers behind them."""
    by_kind = {str(row["hide"]): row for row in rows}
    found = []
    if hidden := by_kind.get(ALL):
        found.append(
            f"The scan found hidden text in {hidden['detected']} of {hidden['files']} files that "
            "contain it"
        )
    if honest := by_kind.get(HONEST):
        found.append(
            f"{'' if found else 'The scan found hidden text '}in {honest['detected']} of "
            f"{honest['files']} honest files"
        )
    if not found:
        return []
    papers = max(int(row["papers"] or 0) for row in rows)
    limit = (
        f"All files were made from {count_of(papers, 'paper')} with the techniques that are listed "
        "below; other techniques were not tested."
    )
    return [
        Finding(_QUESTION, part="question"),
        Finding(f"{' and '.join(found)}."),
        Finding(limit, part="limit"),
    ]


def _false(rows: Sequence[dict[str, Cell]]) -> list[TableWarning]:
    """A warning where the scan found hidden text in honest files."""
    names = [str(r["hide"]) for r in rows if r["family"] in ("clean", "confounder", "visible")]
    found = [n for n in names if any(r["hide"] == n and r["detected"] for r in rows)]
    text = f"The scan found hidden text in honest files: {', '.join(found)}."
    advice = "A finding alone is therefore not evidence of an attack; look at the place."
    return [TableWarning("misleading", text, advice=advice)] if found else []
