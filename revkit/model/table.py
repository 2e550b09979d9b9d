"""Table: the result of a metric, with units and notes for every figure."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.model.frames import columns_of, load_package
from revkit.model.notebook import html_rows
from revkit.model.values import Json, canonical_json

Cell = None | bool | int | float | str
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


# What a column is to its table. Those up to "n" belong to the column that ``of`` names, or to all
# figures of the row where it names none; those from "agent" on name the rows.
Role = Literal[
    "",
    "low",
    "high",
    "sharp-low",
    "sharp-high",
    "method",
    "n",
    "note",
    "confidence",
    "unit",
    "agent",
    "family",
    "judge",
    "rubric",
]
_RANGES = {
    "share": (-1.0, 1.0),
    "p": (0.0, 1.0),
    "correlation": (-1.0, 1.0),
    "count": (0.0, math.inf),
}
# The roles of the ends of a figure's interval, and of those of a sharper interval beside it.
ENDS: tuple[Role, ...] = ("low", "high", "sharp-low", "sharp-high")
Subject = Literal["agent", "family", "judge", "rubric"]
Aspect = Literal["", "robustness", "accuracy"]
OpeningPart = Literal["question", "answer", "limit"]
WarningKind = Literal["no-figure", "misleading", "incomplete", "not-shown", "unproven", "imprecise"]
Rows = tuple[tuple[str, Cell], ...]
MOST_PICTURE, MOST_EXCERPT = 60_000, 2_000  # characters of an exhibit
_PNG = re.compile(r"iVBORw0KGgo[A-Za-z0-9+/]*={0,2}")  # the signature of a PNG, in base64


@dataclass(frozen=True, slots=True)
class Column:
    """One column: ``name`` as in the CSV, ``title`` for a reader, ``unit`` ("share", "count", "p",
    "score points", ...), ``help`` the definition in one sentence.

    ``role`` says what it is to the table and ``of`` to which column it belongs (see `Role`), so
    that nothing has to be read from names. ``clear`` says that the title explains itself, so
    that reports do not explain the column below the table.
    """

    name: str
    title: str = ""
    unit: str = ""
    help: str = ""
    role: Role = ""
    of: str = ""
    clear: bool = False

    @property
    def range(self) -> tuple[float, float] | None:
        """The least and the greatest value that the unit allows, None where it sets no limit.

        A share is from -1, because a column may contain the difference of two shares; a few
        ratios that are printed as shares exceed 1.
        """
        return _RANGES.get(self.unit)

    def to_json(self) -> dict[str, Json]:
        value: dict[str, Json] = {
            "name": self.name,
            "title": self.title,
            "unit": self.unit,
            "help": self.help,
        }
        if self.role:
            value["role"] = self.role
        if self.of:
            value["of"] = self.of
        if self.clear:
            value["clear"] = True
        return value


@dataclass(frozen=True, slots=True)
class Measure:
    """A column that reports show in their first tables, one row for each agent, family or judge.

    ``by`` is the role of the column that names the rows. ``where`` keeps the rows whose cells equal
    its pairs; they should be one for each name. ``title`` is short, by default the column's.
    ``aspect`` says what the figure speaks of, where reports set figures of two aspects side by
    side (a share is then a rate from 0 to 1); ``better`` which way is better, and the first measure
    with it gives the order of the rows.
    ``ranked`` names a column that is false where the figure must not be compared with the others:
    these rows come last.
    """

    by: Subject
    column: str
    where: Rows = ()
    title: str = ""
    aspect: Aspect = ""
    better: Literal["", "lower", "higher"] = ""
    ranked: str = ""

    def to_json(self) -> dict[str, Json]:
        value: dict[str, Json] = {
            "by": self.by,
            "column": self.column,
            "where": [[name, cell] for name, cell in self.where],
            "title": self.title,
            "aspect": self.aspect,
            "better": self.better,
        }
        return value | ({"ranked": self.ranked} if self.ranked else {})

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Measure:
        return cls(**{**value, "where": _rows(value["where"])})


@dataclass(frozen=True, slots=True)
class Headline:
    """A number that reports show large: the words below it, the number in the unit of a column
    ("share", "count", "ratio", ...), and its interval if it has one. ``sharp_width`` is the width
    of a sharper interval where this one is conservative.
    """

    title: str
    value: int | float
    unit: str = ""
    low: float | None = None
    high: float | None = None
    sharp_width: float | None = None

    def __post_init__(self) -> None:
        for value in (self.value, self.low, self.high, self.sharp_width):
            if value is not None and (not isinstance(value, int | float) or value - value != 0):
                raise PaperError(f"headline {self.title!r} contains {value!r}, not a finite number")

    def to_json(self) -> dict[str, Json]:
        value: dict[str, Json] = {
            "title": self.title,
            "value": self.value,
            "unit": self.unit,
            "low": self.low,
            "high": self.high,
        }
        return value | ({} if self.sharp_width is None else {"sharp_width": self.sharp_width})


@dataclass(frozen=True, slots=True)
class Finding:
    """One result in a sentence or a few, with the numbers that reports show large.

    A finding with the place "lead" opens a report, one with "section" opens the part of the report
    that is about its table. ``part`` is the line of the opening to which a leading finding belongs:
    what was asked, what was found, or the most important limit of it.
    """

    text: str
    headlines: tuple[Headline, ...] = ()
    place: Literal["lead", "section"] = "lead"
    part: OpeningPart = "answer"

    def to_json(self) -> dict[str, Json]:
        value: dict[str, Json] = {
            "text": self.text,
            "headlines": [each.to_json() for each in self.headlines],
            "place": self.place,
        }
        return value | ({} if self.part == "answer" else {"part": self.part})

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Finding:
        headlines = tuple(Headline(**each) for each in value["headlines"])
        return cls(value["text"], headlines, value["place"], value.get("part", "answer"))


@dataclass(frozen=True, slots=True)
class TableWarning:
    """What a reader must know before trusting a figure of the table, in one sentence.

    ``advice`` says in a sentence or two why it matters and what to do. ``kind`` orders the warnings
    of a report, most serious first: "no-figure" (what was asked for is not there), "misleading" (a
    figure says less than it seems to), "incomplete" (failures and losses may move it),
    "not-shown" (it was tested, and the data do not show it), "unproven" (it was not checked),
    "imprecise" (too few data).
    ``places`` are the figures that the warning is about, if other tables can have the same warning
    about others; ``common`` is then the part of ``text`` without them. A report shows warnings with
    the same ``common`` once, with the places of all.
    """

    kind: WarningKind
    text: str
    common: str = ""
    places: tuple[str, ...] = ()
    advice: str = ""

    @classmethod
    def of_places(
        cls, kind: WarningKind, common: str, places: Sequence[str], advice: str = ""
    ) -> TableWarning:
        """Return the warning "COMMON: PLACE; PLACE."."""
        return cls(kind, f"{common}: {'; '.join(places)}.", common, tuple(places), advice)

    def to_json(self) -> dict[str, Json]:
        value: dict[str, Json] = {"kind": self.kind, "text": self.text}
        if self.advice:
            value["advice"] = self.advice
        if self.common:
            value |= {"common": self.common, "places": list(self.places)}
        return value

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> TableWarning:
        places = tuple(str(place) for place in value.get("places", ()))
        common, advice = (str(value.get(name, "")) for name in ("common", "advice"))
        return cls(value["kind"], str(value["text"]), common, places, advice)


@dataclass(frozen=True, slots=True)
class Term:
    """A word that a report explains where it uses it: ``name``, and ``text``, one sentence that
    defines it. ``forms`` are other forms of the word ("flips", "flipped"), or the ends of names
    ("-control"); the plural with "s" need not be listed.
    """

    name: str
    text: str
    forms: tuple[str, ...] = ()

    def is_in(self, text: str) -> bool:
        """Return whether ``text`` uses the word, in any case of letters."""
        words = "|".join(
            ("" if each.startswith("-") else r"(?<![\w-])") + re.escape(each)
            for each in (self.name, *self.forms)
        )
        return re.search(rf"(?:{words})s?(?![\w-])", text, re.IGNORECASE) is not None

    def to_json(self) -> dict[str, Json]:
        return {"name": self.name, "text": self.text, "forms": list(self.forms)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Term:
        return cls(str(value["name"]), str(value["text"]), tuple(map(str, value["forms"])))


def _rows(value: Sequence[Sequence[Any]]) -> Rows:
    return tuple((str(name), cell) for name, cell in value)


@dataclass(frozen=True, slots=True)
class Chart:
    """How to draw rows of a table; every field but ``kind`` and ``title`` names a column.

    "lines": ``y`` over ``x`` (numbers), one line for each ``group``; "points": the same without
    lines; "bars": ``y`` for each ``x`` (a name) and ``group``; "heat-map": ``value`` at ``x`` and
    ``y`` (names), its scale centred on 0 where values have both signs; "panels": ``y`` with its
    interval for each ``x`` (a name), one panel for each ``group``; "opposed": for each ``x`` (a
    name), ``value`` to the left and ``y`` to the right. ``low`` and ``high`` bound ``y``. ``where``
    keeps the rows whose cells equal its pairs. ``diagonal`` draws y = x, and ``mark`` a vertical
    line with its label.
    """

    kind: Literal["lines", "points", "bars", "heat-map", "panels", "opposed"]
    title: str
    x: str
    y: str
    value: str = ""
    group: str = ""
    low: str = ""
    high: str = ""
    where: Rows = ()
    diagonal: bool = False
    mark: tuple[float, str] | None = None

    def columns(self) -> tuple[str, ...]:
        """The columns that the chart names."""
        names = (self.x, self.y, self.value, self.group, self.low, self.high)
        return tuple(name for name in (*names, *(name for name, _ in self.where)) if name)

    def to_json(self) -> dict[str, Json]:
        return {
            "kind": self.kind,
            "title": self.title,
            "x": self.x,
            "y": self.y,
            "value": self.value,
            "group": self.group,
            "low": self.low,
            "high": self.high,
            "where": [[name, cell] for name, cell in self.where],
            "diagonal": self.diagonal,
            "mark": None if self.mark is None else list(self.mark),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Chart:
        mark = value["mark"]
        return cls(
            **{
                **value,
                "where": _rows(value["where"]),
                "mark": None if mark is None else (mark[0], mark[1]),
            }
        )


@dataclass(frozen=True, slots=True)
class Exhibit:
    """One place of a paper as a person sees it, beside what a program reads there.

    ``picture`` is the drawn place as a PNG in base64, "" without one; ``seen`` the text that a
    reader sees, ``read`` the text that a program gives to a reviewer. A picture has at most 60,000
    characters and a text 2,000; a longer one raises `PaperError`.
    """

    title: str
    seen: str
    read: str
    picture: str = ""

    def __post_init__(self) -> None:
        if len(self.picture) > MOST_PICTURE or max(len(self.seen), len(self.read)) > MOST_EXCERPT:
            raise PaperError(f"exhibit {self.title!r} is too large")
        if self.picture and not _PNG.fullmatch(self.picture):
            raise PaperError(f"exhibit {self.title!r}: the picture is not a PNG in base64")

    def to_json(self) -> dict[str, Json]:
        return {"title": self.title, "seen": self.seen, "read": self.read, "picture": self.picture}


@dataclass(frozen=True)
class Table:
    """Rows of cells under named columns. A cell without a value is None, never NaN or 0.

    ``notes`` say what a reader must know: the unit of resampling, what was left out, why a cell is
    empty. ``name`` is kebab-case and becomes a file name. ``headline`` asks reports to show the
    table itself where they summarise a run, not only among all tables, without the columns that
    ``fine`` names and with those rows only whose cells equal the pairs of ``rows_shown``;
    ``section`` asks the same of reports that are longer than a screen. ``charts`` say how to draw
    it.

    The rest is what a report says of the table without knowing its metric: ``measures`` for its
    first tables, ``findings`` for its first paragraph, ``warnings``, and ``method``, those of the
    notes that belong in a paragraph on method and not below the table, ``exhibits`` places of
    papers to look at. ``reading`` says in one sentence how to read the table, and ``terms`` are the
    words of its metric that reports explain.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = field(default=())
    headline: bool = False
    fine: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    section: bool = False
    rows_shown: Rows = ()
    measures: tuple[Measure, ...] = ()
    findings: tuple[Finding, ...] = ()
    warnings: tuple[TableWarning, ...] = ()
    method: tuple[str, ...] = ()
    exhibits: tuple[Exhibit, ...] = ()
    reading: str = ""
    terms: tuple[Term, ...] = ()

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise PaperError(f"table {self.name!r}: the name must be kebab-case")
        names = [column.name for column in self.columns]
        if len(set(names)) < len(names):
            raise PaperError(f"table {self.name!r}: two columns share a name")
        if unknown := self._columns_named() - set(names):
            raise PaperError(f"table {self.name!r} has no columns {sorted(unknown)}")
        roles = {column.role for column in self.columns}
        if nameless := {measure.by for measure in self.measures} - roles:
            raise PaperError(
                f"table {self.name!r}: a measure names its rows by the role {sorted(nameless)}, "
                "but no column has this role"
            )
        if not set(self.method) <= set(self.notes):
            raise PaperError(f"table {self.name!r}: a sentence of `method` is not in `notes`")
        for row in self.rows:
            if len(row) != len(self.columns):
                raise PaperError(
                    f"table {self.name!r}: a row has {len(row)} cells for "
                    f"{len(self.columns)} columns"
                )
            for cell, column in zip(row, self.columns, strict=True):
                if cell is not None and not isinstance(cell, bool | int | float | str):
                    raise PaperError(
                        f"table {self.name!r}: {column.name} contains a {type(cell).__name__}, not "
                        "a bool, int, float or str"
                    )
                if isinstance(cell, float) and cell - cell != 0.0:
                    raise PaperError(f"table {self.name!r}: {column.name} contains {cell!r}")

    def _columns_named(self) -> set[str]:
        """Return the columns to which charts, measures and other columns refer."""
        return {
            *self.fine,
            *(name for name, _ in self.rows_shown),
            *(column.of for column in self.columns if column.of),
            *(name for chart in self.charts for name in chart.columns()),
            *(measure.column for measure in self.measures),
            *(measure.ranked for measure in self.measures if measure.ranked),
            *(name for measure in self.measures for name, _ in measure.where),
        }

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Sequence[Column],
        rows: Sequence[Mapping[str, Cell]],
        notes: Sequence[str] = (),
        *,
        headline: bool = False,
        fine: Sequence[str] = (),
        charts: Sequence[Chart] = (),
        section: bool = False,
        rows_shown: Rows = (),
        measures: Sequence[Measure] = (),
        findings: Sequence[Finding] = (),
        warnings: Sequence[TableWarning] = (),
        method: Sequence[str] = (),
        exhibits: Sequence[Exhibit] = (),
        reading: str = "",
        terms: Sequence[Term] = (),
    ) -> Table:
        """Build a table from mappings; a missing key is an empty cell, an unknown one an error."""
        names = [column.name for column in columns]
        for row in rows:
            unknown = set(row) - set(names)
            if unknown:
                raise PaperError(f"table {name!r} has no columns {sorted(unknown)}")
        return cls(
            name,
            title,
            tuple(columns),
            tuple(tuple(row.get(key) for key in names) for row in rows),
            tuple(notes),
            headline,
            tuple(fine),
            tuple(charts),
            section,
            rows_shown,
            tuple(measures),
            tuple(findings),
            tuple(warnings),
            tuple(method),
            tuple(exhibits),
            reading,
            tuple(terms),
        )

    def records(self) -> list[dict[str, Cell]]:
        """Return the rows as mappings from column name to cell."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]

    def to_pandas(self) -> Any:
        """The table as a `pandas.DataFrame` with its column names; a missing cell is missing.

        ``attrs`` has the title, the notes, and units and help of the columns. Raises
        `MissingPackage` if pandas is not installed.
        """
        pandas = load_package("pandas", "pandas")
        frame = pandas.DataFrame(columns_of(self))
        frame.attrs.update(
            title=self.title,
            notes=list(self.notes),
            units={column.name: column.unit for column in self.columns},
            help={column.name: column.help for column in self.columns},
        )
        return frame

    def to_polars(self) -> Any:
        """The table as a `polars.DataFrame`. Raises `MissingPackage` if Polars is not installed."""
        return load_package("polars", "polars").DataFrame(columns_of(self))

    def to_arrow(self) -> Any:
        """The table as a `pyarrow.Table`, with title and notes as metadata. Raises
        `MissingPackage` if PyArrow is not installed."""
        arrow = load_package("pyarrow", "pyarrow")
        about = {"title": self.title, "notes": canonical_json(list(self.notes))}
        return arrow.table(columns_of(self)).replace_schema_metadata(about)

    def __repr__(self) -> str:
        return f"Table({self.name!r}, {len(self.rows)} rows, {len(self.columns)} columns)"

    def _repr_html_(self) -> str:
        header = [column.title or column.name for column in self.columns]
        return html_rows(self.title, header, self.rows, self.notes[:3])

    def of_column(self, role: Role, name: str) -> Column | None:
        """Return the column with ``role`` for the column ``name``, else the one of the whole
        row.
        """
        found = [column for column in self.columns if column.role == role]
        own = [column for column in found if column.of == name]
        return next(iter((*own, *(column for column in found if not column.of))), None)

    def to_json(self) -> dict[str, Json]:
        value: dict[str, Json] = {
            "name": self.name,
            "title": self.title,
            "columns": [column.to_json() for column in self.columns],
            "rows": [list(row) for row in self.rows],
            "notes": list(self.notes),
        }
        optional: dict[str, Json] = {
            "headline": self.headline,
            "fine": list(self.fine),
            "charts": [chart.to_json() for chart in self.charts],
            "section": self.section,
            "rows_shown": [[name, cell] for name, cell in self.rows_shown],
            "measures": [measure.to_json() for measure in self.measures],
            "findings": [finding.to_json() for finding in self.findings],
            "warnings": [warning.to_json() for warning in self.warnings],
            "method": list(self.method),
            "exhibits": [each.to_json() for each in self.exhibits],
            "reading": self.reading,
            "terms": [term.to_json() for term in self.terms],
        }
        return value | {name: each for name, each in optional.items() if each}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Table:
        return cls(
            str(value["name"]),
            str(value["title"]),
            tuple(Column(**column) for column in value["columns"]),
            tuple(tuple(row) for row in value["rows"]),
            tuple(str(note) for note in value["notes"]),
            bool(value.get("headline", False)),
            tuple(str(name) for name in value.get("fine", ())),
            tuple(Chart.from_json(chart) for chart in value.get("charts", ())),
            bool(value.get("section", False)),
            _rows(value.get("rows_shown", ())),
            tuple(Measure.from_json(measure) for measure in value.get("measures", ())),
            tuple(Finding.from_json(finding) for finding in value.get("findings", ())),
            tuple(TableWarning.from_json(warning) for warning in value.get("warnings", ())),
            tuple(str(note) for note in value.get("method", ())),
            tuple(Exhibit(**each) for each in value.get("exhibits", ())),
            str(value.get("reading", "")),
            tuple(Term.from_json(term) for term in value.get("terms", ())),
        )
