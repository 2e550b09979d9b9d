"""A finished run, opened from its folder alone: no spec, no plugin and no store are needed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from revkit.contracts import RunView
from revkit.dataclass import dataclass
from revkit.errors import PaperError, RevkitError, RunError, unknown_name
from revkit.execution.charts import ChartFile, chart_of
from revkit.execution.fault import Fault, fault_from_json
from revkit.execution.folder import MARK
from revkit.execution.old_format import notes_in
from revkit.execution.record_rows import outcome_in
from revkit.execution.subjects import Subjects
from revkit.files.run_files import (
    OTHER_FORM,
    read_object,
    read_objects,
    read_records,
    records_file,
    rows_if_any,
)
from revkit.model.columns import read_row
from revkit.model.edits import Edit
from revkit.model.figure_at_stop import FigureAtStop, figure_from_json
from revkit.model.notebook import html_facts
from revkit.model.pair_set import pair_sets_from_json
from revkit.model.paper import Paper
from revkit.model.records import (
    Anchors,
    Judgement,
    PaperRow,
    ProbeRow,
    Records,
    VariantRow,
    Verdict,
)
from revkit.model.review import Failure, Review
from revkit.model.sample import sampled_from_json
from revkit.model.table import Table
from revkit.model.values import Json
from revkit.runs.attacks import attack_records
from revkit.runs.pairs import PairView, ReviewedPair, reviewed_pairs

T = TypeVar("T")


def _number(row: Mapping[str, Any], name: str) -> float:
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else 0.0


@dataclass(frozen=True)
class OpenedRun:
    """A finished run as its folder holds it.

    ``result`` and ``provenance`` are the contents of the two JSON files. Tables and records are
    read when they are first asked for. Maps are not loaded, since that needs their plugins: see
    ``rows("maps")`` and `revkit.map_of_run`.
    """

    folder: Path
    result: Mapping[str, Any]
    provenance: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The name of the experiment."""
        return str(self.result.get("name", ""))

    @property
    def digest(self) -> str:
        """SHA-256 of what decides the results of the experiment."""
        return str(self.result.get("experiment", ""))

    @property
    def records_digest(self) -> str:
        """SHA-256 over all records; two runs with the same one have the same answers."""
        return str(self.result.get("records", ""))

    @property
    def started(self) -> str:
        """When the run began, in UTC (ISO 8601); "" if it is not recorded."""
        timing = self.provenance.get("timing")
        return str(timing.get("started", "")) if isinstance(timing, dict) else ""

    @cached_property
    def versions(self) -> Mapping[str, str]:
        """The packages that the run used, with their versions."""
        found = self.provenance.get("packages")
        return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}

    @cached_property
    def tables(self) -> Mapping[str, Table]:
        """The tables of all metrics by name. Raises `RunError` for tables of another form."""
        try:
            found = [Table.from_json(each) for each in self.result["tables"]]
        except OTHER_FORM as error:
            raise RunError(f"{self.folder}: the tables have an unexpected form: {error}") from None
        return {table.name: table for table in found}

    def table(self, name: str) -> Table:
        """The table of one metric. Raises `RunError` naming the tables there are."""
        if name not in self.tables:
            raise RunError(f"this run has no table {name!r}; it has {', '.join(self.tables)}")
        return self.tables[name]

    @cached_property
    def spec(self) -> Mapping[str, Any]:
        """The resolved spec: every default written out. Raises `RunError` where ``spec.yaml`` was
        not written by a run.
        """
        from revkit.files.yaml_source import read_source

        value = read_source(self.folder / "spec.yaml").value
        if not isinstance(value, dict):
            raise RunError(f"{self.folder / 'spec.yaml'} was not written by a run")
        return value

    @cached_property
    def faults(self) -> tuple[Fault, ...]:
        """The maps, metrics and reports that crashed. Raises `RunError` for another form."""
        try:
            return tuple(map(fault_from_json, self.result.get("faults", ())))
        except OTHER_FORM as error:
            raise RunError(f"{self.folder}: {error}") from None

    @cached_property
    def at_stop(self) -> tuple[FigureAtStop, ...]:
        """The figures at the look at which the run stopped early; empty if it did not.

        Raises `RunError` for another form.
        """
        found = self.result.get("stop_when") or {}
        try:
            rows = found["figures"] if found.get("stopped") else ()
            return tuple(map(figure_from_json, rows))
        except OTHER_FORM as error:
            raise RunError(f"{self.folder}: {error}") from None

    @cached_property
    def headline(self) -> str:
        """What came out, in the first sentences that a table states; "" if none does."""
        for place in ("lead", "section"):
            for table in self.tables.values():
                for finding in table.findings:
                    if finding.place == place:
                        return finding.text
        return ""

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before believing the figures: of the run, then of its tables.
        Raises `RunError` for warnings of another form.
        """
        try:
            found = self.provenance.get("warnings", ())
            texts = [str(each["detail"]) for each in found if isinstance(each, dict)]
        except OTHER_FORM as error:
            raise RunError(
                f"{self.folder}: the warnings have an unexpected form: {error}"
            ) from None
        texts += [each.text for table in self.tables.values() for each in table.warnings]
        return tuple(dict.fromkeys(texts))

    @cached_property
    def usd(self) -> float | None:
        """What all commands that ran the experiment with this store paid for language models, in
        US dollars, also for requests without a usable answer; None where the price of a model is
        not known, 0 for a run without models. Requests whose end is not known, as after a lost
        connection, have the most that they can cost, as in the budget. A run that does not record
        this, as a replay, has the cost of its replies, whoever paid for them.
        """
        spending = self.provenance.get("spending")
        paid = spending.get("experiment") if isinstance(spending, dict) else None
        if not isinstance(paid, list):
            prices = [row.get("usd") for row in self.ledger]
        else:
            rows = [row for row in paid if isinstance(row, dict)]
            if any(_number(row, "unpriced") > _number(row, "uncounted") for row in rows):
                return None  # replies with tokens and no price
            prices = [row.get("charged_usd", row.get("usd")) for row in rows]
        known = [float(price) for price in prices if isinstance(price, int | float)]
        return math.fsum(known) if len(known) == len(prices) else None

    @cached_property
    def ledger(self) -> tuple[Mapping[str, Any], ...]:
        """What the replies took, by component and model; empty for a run without models."""
        path = self.folder / "ledger.json"
        return tuple(read_objects(path)) if path.is_file() else ()

    @cached_property
    def subjects(self) -> Subjects:
        """The agents, families, judges and rubrics of the run.

        A folder of an earlier release does not contain them: then they are read from its spec,
        which needs the plugins. Raises `RunError` if they cannot be read.
        """
        if "subjects" in self.provenance:
            try:
                return Subjects.from_json(self.provenance["subjects"])
            except PaperError as error:
                raise RunError(f"{self.folder}: {error}") from None
        from revkit.execution.metric_records import subjects_of
        from revkit.registry import load_registry
        from revkit.spec import load_experiment

        try:
            path = self.folder / "spec.yaml"
            return subjects_of(load_experiment(path, load_registry(), report_renamed=False))
        except RevkitError as error:
            raise RunError(
                f"{self.folder} was written by an earlier release, so its agents are read from its "
                f"spec, and that fails: {error}; run the experiment again from its store"
            ) from None

    def figure(self, table: str, number: int = 1) -> ChartFile:
        """Return a chart of a table, which a notebook shows and which is saved as SVG or PDF.

        Raises `RunError` if the run has no such table, or the table no such chart.
        """
        return chart_of(self._view, table, number)

    @property
    def _view(self) -> RunView:
        return RunView(
            self.name,
            self.spec,
            self.records,
            tuple(self.tables.values()),
            self.versions,
            self.digest,
            lambda paper: self.paper(paper).text,
            self.edits,
        )

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """The rows of one kind of record ("papers", "variants", "edits", "checks", "outcomes",
        "screens", "skipped", "judgements", "attacks", "queries", "units", "transfers", "anchors",
        "scores", "maps"), one by one."""
        return read_records(self.folder, name)

    def _rows_if_any(self, name: str) -> Iterator[dict[str, Any]]:
        return rows_if_any(records_file(self.folder, name))

    @cached_property
    def records(self) -> Records:
        """The records, as metrics read them; ``usage`` is empty (see ``ledger``). Raises `RunError`
        for a record of another form.
        """
        subjects = self.subjects
        searched = (records_file(self.folder, "attacks")).is_file()
        try:
            return Records(
                seed=subjects.seed,
                repeats=subjects.repeats,
                papers=tuple(_paper(row) for row in self._rows_if_any("papers")),
                perturbations=subjects.perturbations,
                agents=subjects.agents,
                variants=tuple(_variant(row) for row in self._rows_if_any("variants")),
                verdicts=tuple(_verdict(row) for row in self._rows_if_any("outcomes")),
                skipped=_counts(self.result.get("skipped")),
                sampled=sampled_from_json(self.result.get("sample")),
                pair_sets=pair_sets_from_json(self.result.get("pair_sets")),
                rubrics=subjects.rubrics,
                judges=subjects.judges,
                judgements=tuple(
                    read_row(Judgement, row) for row in self._rows_if_any("judgements")
                ),
                anchors=self._anchors(subjects),
                probes=tuple(read_row(ProbeRow, row) for row in self._rows_if_any("probes")),
                attack=attack_records(
                    self.spec.get("attack") if searched else None,
                    subjects,
                    self._rows_if_any("attacks"),
                    self._rows_if_any("transfers"),
                ),
            )
        except OTHER_FORM as error:
            raise RunError(f"{self.folder}: a record has an unexpected form: {error}") from None

    def _anchors(self, subjects: Subjects) -> Anchors | None:
        if subjects.anchor_repeats is None:
            return None
        return Anchors(
            papers=tuple(_paper(row) for row in self._rows_if_any("anchors")),
            verdicts=tuple(
                _verdict({**row, "perturbation": "", "index": 0, "accept": row.get("accept")})
                for row in self._rows_if_any("scores")
            ),
            maps=(),
            skipped=_counts(self.result.get("anchors_skipped")),
            repeats=subjects.anchor_repeats,
            shared=subjects.anchors_shared,
            synthetic=subjects.anchors_synthetic,
        )

    def paper(self, name: str) -> Paper:
        """The paper with the id ``name``. Raises `RunError` for one that the run did not load."""
        from revkit.venues import labels_of_row

        for row in self._rows_if_any("papers"):
            if row.get("id") == name:
                try:
                    return Paper(
                        row["id"], row["text"], row["title"], labels_of_row(row), row["source"],
                        notes_in(row),
                    )  # fmt: skip
                except OTHER_FORM as error:
                    raise RunError(f"paper {name!r} has an unexpected form: {error}") from None
        raise RunError(f"this run has no paper {name!r}")

    def edits(self, paper: str, perturbation: str, index: int = 0) -> tuple[Edit, ...]:
        """The edits of one variant. Raises `RunError` for a variant that the run does not have."""
        for row in self._rows_if_any("variants"):
            if (row.get("paper"), row.get("perturbation"), row.get("index")) == (
                paper,
                perturbation,
                index,
            ):
                try:
                    return tuple(Edit.from_json(edit) for edit in row["edits"])
                except OTHER_FORM as error:
                    raise RunError(f"a variant has an unexpected form: {error}") from None
        raise RunError(f"this run has no variant {perturbation!r} {index} of paper {paper!r}")

    def reviews(self) -> Iterator[tuple[dict[str, Any], Review | Failure]]:
        """Every outcome: its row, and the review or the failure that it holds. Raises `RunError`
        for a review of another form.
        """
        for row in self._rows_if_any("outcomes"):
            try:
                yield row, outcome_in(row)
            except OTHER_FORM as error:
                raise RunError(f"a review has an unexpected form: {error}") from None

    def pairs(self, agent: str, perturbation: str | None = None) -> list[ReviewedPair]:
        """Every paper and variant that ``agent`` reviewed, with repeats reduced to one pair. Raises
        `RunError`, which lists the agents, for an unknown agent, and names the nearest family for
        an unknown ``perturbation``.
        """
        if agent not in {row.name for row in self.records.agents}:
            names = ", ".join(row.name for row in self.records.agents)
            raise RunError(f"this run has no agent {agent!r}; it has {names}")
        pairs = reviewed_pairs(self.records, agent)
        families = {row.name for row in self.records.perturbations}
        families |= {pair.family for pair in pairs}
        if perturbation is not None and perturbation not in families:
            raise RunError(unknown_name("family", perturbation, families))
        return [each for each in pairs if perturbation in (None, each.family)]

    def to_json(self) -> dict[str, Json]:
        """What identifies and describes the run, without tables and records."""
        return {
            "name": self.name,
            "folder": str(self.folder),
            "headline": self.headline,
            "warnings": list(self.warnings),
            "faults": [str(fault) for fault in self.faults],
            "counts": {
                key: value
                for key, value in self.result.items()
                if isinstance(value, int) and key != "revkit"
            },
            "experiment": self.digest,
            "records": self.records_digest,
            "started": self.started,
            "usd": self.usd,
            "versions": dict(self.versions),
            "tables": list(self.tables),
        }

    def pair(self, agent: str, paper: str, family: str, index: int = 0) -> PairView:
        """One pair with its texts: the paper, the edits, and the reviews of both sides. In a
        notebook it is shown with the edits marked. Raises `RunError` if there is none."""
        sides: dict[str, list[Review | Failure]] = {"": [], family: []}
        for row, outcome in self.reviews():
            variant = row["perturbation"]
            wanted = agent, paper, index if variant else 0
            if variant in sides and (row["agent"], row["paper"], row["index"]) == wanted:
                sides[variant].append(outcome)
        if not sides[family]:
            raise RunError(f"{agent!r} has no review of variant {family!r} {index} of {paper!r}")
        return PairView(
            agent,
            self.paper(paper),
            family,
            self.edits(paper, family, index),
            tuple(sides[""]),
            tuple(sides[family]),
        )

    def _repr_html_(self) -> str:
        facts = {
            "folder": self.folder,
            "papers": self.result.get("papers"),
            "warnings": len(self.warnings),
            "tables": ", ".join(self.tables),
            "started": self.started,
            "digest": self.digest[:16],
        }
        return html_facts(f"Run {self.name}", facts, [self.headline])

    def __repr__(self) -> str:
        return (
            f"OpenedRun({self.name!r}, {str(self.folder)!r}, papers={self.result.get('papers')}, "
            f"tables={len(self.tables)})"
        )


def open_run(folder: str | Path) -> OpenedRun:
    """Open the finished run in ``folder``, from its files alone.

    Raises `RunError` for a folder that holds no finished run, and for a sweep, whose points are
    run folders themselves.
    """
    path = Path(folder)
    if not (path / MARK).is_file() and not (path / "result.json").is_file():
        raise RunError(
            f"{path} is not a run folder; `revkit runs FOLDER` lists the runs in a folder"
        )
    if not (path / "result.json").is_file():
        raise RunError(f"the run in {path} is not finished; the command that started it resumes it")
    if (path / "sweep.json").is_file():
        points = sorted((path / "points").glob("*")) if (path / "points").is_dir() else []
        named = f", such as {points[0]}" if points else ""
        raise RunError(f"{path} contains a sweep; open one of its points{named}")
    provenance = path / "provenance.json"
    return OpenedRun(
        path,
        MappingProxyType(read_object(path / "result.json")),
        MappingProxyType(read_object(provenance) if provenance.is_file() else {}),
    )


def _counts(value: Any) -> Mapping[str, int]:
    found = value if isinstance(value, dict) else {}
    return MappingProxyType({str(key): int(count) for key, count in found.items()})


def _paper(row: Mapping[str, Any]) -> PaperRow:
    from revkit.venues import labels_of_row

    return PaperRow(
        str(row["id"]),
        labels_of_row(row),
        row["words"],
        notes_in(row),
        str(row["digest"]),
        row.get("structure"),
        tuple(row.get("unread", ())),
        tuple(row.get("leaks", ())),
    )


def _variant(row: Mapping[str, Any]) -> VariantRow:
    return read_row(VariantRow, {**row, "edits": len(row["edits"])})


def _verdict(row: Mapping[str, Any]) -> Verdict:
    return read_row(Verdict, {**row, "extrapolated": bool(row.get("extrapolated"))})
