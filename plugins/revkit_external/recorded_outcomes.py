"""The agent `recorded`: outcomes that were produced elsewhere and exported to a file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import Unreadable, holds_json_lines
from revkit.files.csv_tables import CsvTable
from revkit.model.criterion import Criterion
from revkit.model.paper import Paper
from revkit.model.review import FailureKind
from revkit.model.values import Json
from revkit.options import Nested, NestedItems, option, options_of
from revkit_external.base import External
from revkit_external.call.attempt import Answered, CallError
from revkit_external.grammar import Columns, Place
from revkit_external.parse.documents import Document, json_of_tool
from revkit_external.parse.outputs import Output
from revkit_external.parse.paths import compile_path, open_texts
from revkit_external.wide_tables import WideTable, rated_texts, text_key

_LARGEST = 500_000_000
_MOST_TABLES = 32


@dataclass(frozen=True, kw_only=True)
class Recorded(External):
    """Returns reviews from a file, for reviewers that cannot run where revkit runs.

    Agents see no ids, so a row is found by what it reviewed. The way there and back:

    1. Run the experiment with any agent, such as ``constant``; its perturbations make the variants.
    2. ``revkit export texts RUN texts.jsonl`` writes every text with its ``digest``.
    3. Let your agent review each text, and save one row each (JSON Lines or CSV) with the
       ``digest`` and whatever it says, under any column names.
    4. Run the experiment again with this agent, same corpus, seed and perturbations.

    ``by: digest`` finds a row by the digest of step 2 (column ``digest``, or the one that
    ``columns`` names). ``by: ids`` finds it by paper, perturbation and index, joined to digests by
    ``texts``, the file of step 2; an empty or absent perturbation is the unchanged paper, an absent
    index 0. ``by: title`` finds it by the paper's title (column ``title``), so every variant of a
    paper gets the row of the paper: for scores of papers that are not perturbed. ``by: paper``
    serves a table of scores by the id of the paper (column ``paper``): for papers of the corpus
    ``score-table``, whose title is their id, it needs nothing else; for others ``texts`` joins the
    id to the text of the unchanged paper, and variants have no row. ``where`` keeps
    the rows whose columns hold the given texts, such as those of one agent among many. Repeats have
    their number from 0 in column ``repeat``; without it there is one row a text. ``map`` reads the
    columns: ``score: {column: rating, scale: [1, 10]}``; a ``path`` reads from within a row of
    JSON: ``{path: "$.reviewers[*].rating", reduce: mean, scale: [1, 10]}``, also where a text or a
    cell of a table holds JSON. ``columns`` and ``where`` take such paths too
    (``columns: {title: $.paper.title}``). As a judge it
    takes the rows whose column ``rubric`` holds the criterion's name; rows without one are reviews.

    ``by: text`` serves the published replies of a judge, with the ratings of several rubrics in one
    row. Each entry of ``tables`` states where ratings and rated texts are, and gives one row for
    each rating: columns ``rubric``, ``rating``, and those that the entry names. A row is found by
    the text itself, blanks aside. If two entries contain a text, the first counts. A text that
    was rated, but not by a rubric, is left out for that rubric, in one warning.

    A text without a row is a Failure ("provider"), and so is a row whose ``failure`` column is not
    empty, of the kind that it names. Two rows for one text and repeat are a Failure ("schema") of
    that text, since which one counts would be a guess; `ready` lists them before a run.
    """

    name: ClassVar[str] = "recorded"
    version: ClassVar[str] = "2"
    deterministic: ClassVar[bool] = False
    default_output: ClassVar[str] = "row"

    file: str = option(
        help="The exported file: .jsonl, .json (a list, or an object with one list), .csv or .tsv."
    )
    format: Literal["auto", "jsonl", "json", "csv", "tsv"] = option(
        "auto", help="The format of the file; by default its ending decides."
    )
    by: Literal["digest", "ids", "title", "paper", "text"] = option(
        "digest", help="How rows are matched to texts; see above."
    )
    texts: str = option(
        "",
        help="With by: ids or paper, the file of texts with their digests that "
        "'revkit export texts RUN texts.jsonl' writes of a finished run.",
    )
    columns: Nested[Columns | None] = option(
        None, help="Other names of the columns that identify a row and state a failure."
    )
    output: None = option(None, help="A recorded row has no other output.")
    where: Mapping[str, str] | None = option(
        None,
        help=(
            "Columns and their required values; rows with other values are ignored. None: all rows."
        ),
    )

    tables: NestedItems[tuple[WideTable, ...] | None] = option(
        None, help="With by: text, the tables of ratings and texts, at most 32.", nonempty=True
    )

    def _check(self, problems: list[tuple[str, str]]) -> None:
        super()._check(problems)
        if (self.by == "text") != bool(self.tables):
            problems.append(("tables", "goes with 'by: text', which needs it"))
        if len(self.tables or ()) > _MOST_TABLES:
            problems.append(("tables", f"has more than {_MOST_TABLES} entries"))
        if self.by == "ids" and not self.texts:
            problems.append(
                (
                    "texts",
                    "'by: ids' needs it: the file that 'revkit export texts RUN texts.jsonl' "
                    "writes of a finished run (by: paper needs none with score-table)",
                )
            )
        named = [] if self.columns is None else options_of(self.columns).items()
        given = [(f"columns.{key}", name) for key, name in named if isinstance(name, str)]
        given += [("where", name) for name in self.where or ()]
        problems += [(key, fault) for key, name in given if (fault := _path_fault(name))]
        if self.texts and self.by not in ("ids", "paper"):
            problems.append(("texts", "goes with 'by: ids' or 'by: paper'"))

    def _parse_output(self, place: Place) -> Output:
        return Output("row", format="row")

    def reviewer_identity(self) -> Json:
        """Return digests of the files' content; their paths and the order of columns do not
        count.
        """
        return [_content_digest(Path(name)) for name in self._files()]

    def _files(self) -> list[str]:
        found = [self.file, self.texts]
        for table in self.tables or ():
            found += [table.ratings, table.texts]
        return [name for name in dict.fromkeys(found) if name]

    def identity(self) -> Json:
        """Return the options, with the content of the files instead of their paths."""
        identity = super().identity()
        assert isinstance(identity, Mapping)
        options = {key: value for key, value in identity.items() if key not in ("file", "texts")}
        tables = options.pop("tables", None)
        if tables is None:  # so that answers which were stored without this option stay valid
            return options
        assert isinstance(tables, list)
        places = [
            {key: value for key, value in each.items() if key not in ("ratings", "texts")}
            for each in tables
            if isinstance(each, Mapping)
        ]
        return {**options, "tables": places}

    def ready(self) -> list[str]:
        """Return the problems: an unreadable file, texts with two rows, ids without a text."""
        try:
            table = self._table()
        except CallError as error:
            return [error.detail]
        except RunError as error:
            return [str(error)]
        troubles = []
        if table.twice:
            troubles.append(
                f"{len(table.twice)} texts have more than one row for one repeat, "
                f"such as {table.twice[0]}"
            )
        if self.where and not table.total:
            troubles.append(f"no row of {self.file} meets the conditions of 'where'")
        if table.strangers:
            troubles.append(
                f"{table.strangers} rows name a paper, perturbation and index that {self.texts} "
                "does not contain"
            )
        return troubles

    def call(self, paper: Paper, ctx: Context, criterion: Criterion | None = None) -> Answered:
        """Return the row of ``paper``."""
        table = self._table()
        by_title = self.by == "title" or (self.by == "paper" and not self.texts)
        sought = paper.title if by_title else paper.digest
        if self.by == "text":
            sought = text_key(paper.text)
        given: dict[str, Json] = {"digest": paper.digest, "repeat": ctx.repeat}
        if by_title:
            given["title"] = paper.title
        rubric = criterion.name if criterion is not None else ""
        if rubric:
            given["rubric"] = rubric
        rows = table.rows.get((sought, ctx.repeat, rubric), [])
        shown: dict[str, Json] = {"rows": [dict(row) for row in rows[:3]], "in file": table.total}
        if len(rows) > 1:
            raise CallError(
                "schema",
                f"output: {len(rows)} rows for this text and repeat {ctx.repeat}",
                given=given,
                shown=shown,
            )
        if not rows:
            other = sum(key == sought and of == rubric for key, _, of in table.rows)
            message = f"no row for repeat {ctx.repeat} of" if other else "no row for"
            what = f"title {sought[:200]!r}" if by_title else f"digest {sought}"
            if by_title and self.by == "paper":
                what = (
                    f"paper {sought[:200]!r}, which is its title; if its id differs, set texts to "
                    "the file that 'revkit export texts RUN texts.jsonl' writes"
                )
            what = "this text" if self.by == "text" else what
            what += f" and rubric {rubric!r}" if rubric else ""
            raise CallError("provider", f"output: {message} {what}", given=given, shown=shown)
        failure = str(cell_of(rows[0], self._column("failure")) or "").strip()
        if failure:
            kind: Any = failure if failure in get_args(FailureKind) else "provider"
            raise CallError(kind, f"recorded failure: {failure[:200]}", given=given, shown=shown)
        return Answered(json.dumps(dict(rows[0]), ensure_ascii=False), given, shown)

    def cannot_judge(self, paper: Paper, criterion: Criterion) -> str:
        """With ``by: text``, return a reason for a text that was rated by other rubrics only."""
        if self.by != "text":
            return ""
        table = self._table()
        key = text_key(paper.text)
        if key not in table.keys or (key, 0, criterion.name) in table.rows:
            return ""
        return "the file has no rating by this rubric of texts that it rates by others"

    def _document(self, text: str, output: Output) -> Document:
        return Document(text, "row", open_texts(json.loads(text), json_of_tool))

    def _column(self, name: str) -> str:
        return getattr(self.columns, name, None) or name

    def _table(self) -> _Table:
        table: _Table | None = self._parsed.get("table")
        if table is None:
            own = self.by if self.by in ("title", "paper", "text") else "digest"
            rows = self._rows()
            if self.by == "paper" and self.texts:
                rows = [self._unchanged(row) for row in rows]
            table = self._parsed["table"] = _Table(
                rows, self._digests(), self._column, own, self.file
            )
        return table

    def _unchanged(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the row as a row of the unchanged paper, regardless of other columns."""
        other = {self._column("perturbation"): "", self._column("index"): ""}
        return {**row, **other}

    def _digests(self) -> dict[tuple[str, str, int], str] | None:
        if not self.texts:
            return None
        found: dict[tuple[str, str, int], str] = {}
        for row in read_rows(Path(self.texts), "auto"):
            try:
                key = (str(row["paper"]), str(row["perturbation"] or ""), int(row["index"] or 0))
                found[key] = str(row["digest"])
            except (KeyError, ValueError) as error:
                raise CallError(
                    "crashed", f"{self.texts} is not a file of texts: {error!r} in a row"
                ) from None
        return found

    def _rows(self) -> list[Mapping[str, Any]]:
        rows: list[Mapping[str, Any]]
        if self.tables:
            rows = [*rated_texts(self.tables, self.file, read_rows)]
        else:
            rows = read_rows(Path(self.file), self.format)
        wanted = dict(self.where or {})
        for name in wanted:
            if rows and all(cell_of(row, name, _ABSENT) is _ABSENT for row in rows):
                raise CallError("crashed", f"{self.file} has no column {name!r}{_has(rows[0])}")
        return [
            row
            for row in rows
            if all(str(cell_of(row, name, "")).strip() == text for name, text in wanted.items())
        ]


class _Table:
    """The rows by digest (or title), repeat and rubric; texts with two rows; rows whose ids match
    no text.
    """

    def __init__(
        self,
        rows: Sequence[Mapping[str, Any]],
        digests: Mapping[tuple[str, str, int], str] | None,
        column: Any,
        own: str,
        file: str,
    ) -> None:
        self.rows: dict[tuple[str, int, str], list[Mapping[str, Any]]] = {}
        self.strangers = 0
        self.total = len(rows)
        for number, row in enumerate(rows, 1):
            place = f"{file}, row {number}"
            repeat = _count_of(cell_of(row, column("repeat")), f"{place}: {column('repeat')}")
            known = own if digests is None else "paper"
            value = cell_of(row, column(known), _ABSENT)
            if value is _ABSENT or isinstance(value, dict | list):
                fault = "no column" if value is _ABSENT else "no text in"
                raise CallError(
                    "crashed",
                    f"{place} has {fault} {column(known)!r}{_has(row)}; name the one with the "
                    f"{known} under 'columns' ({known}: NAME, or {known}: $.NAME.NAME within an "
                    "object)",
                )
            if digests is None:
                digest = str(value or "").strip()
            else:
                key = (
                    str(value),
                    str(cell_of(row, column("perturbation")) or ""),
                    _count_of(cell_of(row, column("index")), f"{place}: {column('index')}"),
                )
                digest = digests.get(key, "")
            if digest:
                rubric = str(cell_of(row, column("rubric")) or "").strip()
                self.rows.setdefault((digest, repeat, rubric), []).append(row)
            else:
                self.strangers += 1
        self.keys = frozenset(key for key, *_ in self.rows)
        self.twice = [digest for (digest, *_), found in self.rows.items() if len(found) > 1]


_ABSENT: Any = object()


def cell_of(row: Mapping[str, Any], name: str, absent: Any = None) -> Any:
    """Return the value of a row in the column ``name``, which may be a path into the row."""
    if name in row or not _is_path(name):
        return row.get(name, absent)
    found = compile_path(name).walk(open_texts(dict(row), json_of_tool)).found
    return found[0][1] if found else absent


def _is_path(name: str) -> bool:
    return name.startswith(("$.", "$["))


def _path_fault(name: str) -> str:
    """Return what is wrong with the name of a column that is a path; "" for others."""
    if not _is_path(name):
        return ""
    try:
        many = compile_path(name).many
    except ValueError as error:
        return str(error)
    return f"{name} leads to several values; write a path to one" if many else ""


def _has(row: Mapping[str, Any]) -> str:
    names = [str(name)[:40] for name in row]
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    return f"; it has {', '.join(names[:12]) or 'none'}{more}"


def _rows_in(value: Any, path: Path) -> list[Any]:
    """Return the list that a JSON file is, or the only list of objects in the object that it is."""
    if isinstance(value, dict):
        lists = [
            name
            for name, each in value.items()
            if isinstance(each, list) and each and all(isinstance(row, dict) for row in each)
        ]
        if len(lists) == 1:
            rows: list[Any] = value[lists[0]]
            return rows
        if len(lists) > 1:
            names = ", ".join(repr(name[:40]) for name in lists[:8])
            raise CallError(
                "crashed",
                f"{path} is an object with several lists of objects ({names}); save the one with "
                "the rows as a file",
            )
        if any(isinstance(each, dict) for each in value.values()):
            inner = [each for each in value.values() if isinstance(each, dict)]
            if len(inner) == 1:
                return _rows_in(inner[0], path)
    rows = value if isinstance(value, list) else []
    wrong = next((n for n, row in enumerate(rows, 1) if not isinstance(row, dict)), 0)
    if wrong or not isinstance(value, list):
        place = f": row {wrong} is none" if wrong else ""
        raise CallError(
            "crashed",
            f"{path} is not a list of objects{place}; save one object for each text, as JSON "
            'Lines, as a list, or as {"rows": [...]}',
        )
    return rows


def _count_of(value: Any, place: str) -> int:
    if value is None or value == "":
        return 0
    text = str(value).strip()
    if isinstance(value, bool) or not (text.isascii() and text.isdigit()):
        raise CallError("crashed", f"{place}: {value!r} is not a whole number")
    return int(text)


def read_rows(path: Path, format: str) -> list[Mapping[str, Any]]:
    """Read a table in any of the formats. Raises `CallError`, which names the invalid line."""
    try:
        if path.stat().st_size > _LARGEST:
            raise CallError("crashed", f"{path} is larger than {_LARGEST} bytes")
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CallError("crashed", f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise CallError("crashed", f"{path} is not UTF-8: byte {error.start}") from None
    kind = path.suffix.lower().lstrip(".") if format == "auto" else format
    if kind in ("csv", "tsv"):
        return _csv_rows(path, text, "\t" if kind == "tsv" else ",")
    if kind not in ("jsonl", "json", "ndjson"):
        raise CallError("crashed", f"{path}: its format is unknown; set 'format'")
    return _json_rows(path, text, kind)


def _json_rows(path: Path, text: str, kind: str) -> list[Mapping[str, Any]]:
    try:
        if kind == "json" and not holds_json_lines(text.encode()):
            rows = json_of_tool(text)
        else:
            lines = enumerate(text.split("\n"), 1)
            rows = [_object(line, f"line {number}") for number, line in lines if line.strip()]
    except ValueError as error:
        raise CallError("crashed", f"{path} is not JSON: {error}") from None
    return _rows_in(rows, path)


def _object(line: str, place: str) -> Any:
    try:
        return json_of_tool(line)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None


def _csv_rows(path: Path, text: str, mark: str) -> list[Mapping[str, Any]]:
    try:
        rows = CsvTable(text, mark).rows
    except Unreadable as error:
        raise CallError("crashed", f"{path}: {error}") from None
    for row in rows:
        if row.problem:
            raise CallError("crashed", f"{path}, line {row.line}: {row.problem}")
    return [row.cells for row in rows]


def _content_digest(path: Path) -> Json:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "absent"
