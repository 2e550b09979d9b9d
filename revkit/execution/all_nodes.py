"""The nodes of a run that need all items: maps, tables and reports, each cached or computed.

One that crashes is a fault of the run: it is reported and counted, and the run goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from revkit.cache import KeyBase, Store
from revkit.contracts import Calibrator, Curve, Metric, Reporter, RunView
from revkit.errors import CalibrationError, RunError, StoreError, describe_error
from revkit.execution.fault import Fault, FaultKind
from revkit.execution.folder import RunFolder
from revkit.execution.keys import key_base
from revkit.execution.recorded_run import Recorded
from revkit.figures.cards import TABLE as CARDS
from revkit.figures.cards import cards_of, cards_table, check_lines
from revkit.model.card import AgentCard, CardLine
from revkit.model.consensus import consensus_of
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, FittedMap, PaperRow, Records, Verdict
from revkit.model.review import LARGEST_SEVERITY
from revkit.model.table import Table
from revkit.model.values import Json, canonical_json, digest_of
from revkit.observing.time_limit import call_within
from revkit.planning import Graph
from revkit.spec import Experiment

if TYPE_CHECKING:
    from revkit.calibration import AnchorScores

T = TypeVar("T")
_ROUNDING = 1e-9


class AllNodes:
    """Computes the results that depend on all items of one run. ``faults`` collects crashes.

    ``check_stop`` is asked before each piece of work.
    """

    def __init__(
        self,
        experiment: Experiment,
        graph: Graph,
        store: Store,
        recorded: Recorded | None,
        check_stop: Callable[[], None],
    ) -> None:
        self.faults: list[Fault] = []
        self.cards: tuple[AgentCard, ...] = ()
        self._experiment = experiment
        self._graph = graph
        self._store = store
        self._recorded = recorded
        self._check_stop = check_stop

    def _known(self, node_id: str, digest: str) -> tuple[bytes, Json]:
        """Return the key of a whole-run answer, and the answer if the store contains it.

        Raises `RunError` in a recorded run where it does not.
        """
        recorded = self._recorded
        if recorded is not None and recorded.keys and not recorded.concludes:
            base = KeyBase(recorded.keys[node_id])
        else:
            base = key_base(self._experiment, self._graph.by_id[node_id])
        key = base.item(digest)
        found = self._store.get_json(key)
        if found is None:
            self._store.name_damaged(key, node_id)
        if found is None and recorded is not None and not recorded.concludes:
            raise recorded.missing(node_id)
        return key, found

    def _crashed_before(self, kind: FaultKind, name: str) -> Fault | None:
        """Return the fault of this node in the recorded run, which is reported again."""
        fault = self._recorded.fault(kind, name) if self._recorded else None
        if fault is not None:
            self.faults.append(fault)
        return fault

    def fit(
        self,
        agents: Sequence[AgentRow],
        labels: Mapping[str, Labels],
        verdicts: Sequence[Verdict],
    ) -> list[FittedMap]:
        """Fit each map of the calibration to each agent's scores of the anchors."""
        calibration = self._experiment.calibration
        if calibration is None:
            return []
        given: dict[str, dict[str, float]] = {agent.name: {} for agent in agents}
        scales = {agent.name: agent.scale for agent in agents}
        for verdict in verdicts:
            if verdict.score is not None:
                severity = scales[verdict.agent].to_severity(verdict.score)
                given[verdict.agent].setdefault(verdict.paper, severity)
        fitted = []
        for agent in agents:
            anchors = anchor_scores(given[agent.name], labels)
            for name, calibrator in calibration.maps.items():
                self._check_stop()
                fitted.append(self._fit(agent.name, name, calibrator, anchors))
        return fitted

    def _fit(
        self, agent: str, name: str, calibrator: Calibrator, anchors: AnchorScores
    ) -> FittedMap:
        node_id = f"fit/{agent}/{name}"
        blank = FittedMap(agent, name, calibrator.name, None)
        before = self._crashed_before("fit", f"{agent}/{name}")
        if before is not None:
            return _refused(blank, f"crashed: {before.error}")
        key, found = self._known(node_id, anchors.digest)
        compute = partial(_curve_json, calibrator, anchors, self._experiment.deadline)
        try:
            body = compute() if found is None else found
            fitted = _fitted(blank, calibrator, body, anchors)
        except StoreError:
            raise
        except (Exception, SystemExit) as error:
            if found is not None:
                raise self._damaged(node_id, error) from error
            self.faults.append(Fault.of("fit", f"{agent}/{name}", error))
            return _refused(blank, f"crashed: {type(error).__name__}")
        self._confirm(f"map {agent}/{name}", found, compute)
        if found is None:
            # Of two runs that fit the same at once, the first one's map counts for both.
            kept = self._store.put_json(key, body)
            fitted = _fitted(blank, calibrator, kept, anchors)
        return fitted

    def _damaged(self, what: str, error: BaseException) -> StoreError:
        """Return the error for an invalid stored answer."""
        return StoreError(
            f"the store {self._store.path} contains an invalid answer of {what} "
            f"({describe_error(error)}); move the file to another place; its answers are "
            "then computed again"
        )

    def measure(self, records: Records, digest: str) -> list[Table]:
        """Compute each metric, or read its cached table; then fill the cards of agents. A metric
        that raises an error becomes a fault. Raises `RunError` for a stored table that is damaged
        and for a table with the name of the cards.
        """
        tables: list[Table] = []
        declared: list[tuple[Sequence[CardLine], Table]] = []
        for metric in self._experiment.metrics:
            self._check_stop()
            what = f"metric {metric.name}"
            if self._crashed_before("metric", metric.name):
                continue
            key, found = self._known(f"metric/{metric.name}", digest)
            try:
                table = (
                    self._in_time("it", partial(_measured, metric, records))
                    if found is None
                    else _table(found)
                )
                if table.name in [other.name for other in tables]:
                    raise ValueError(f"another metric already returned a table {table.name!r}")
            except (Exception, SystemExit) as error:
                if found is not None:
                    raise self._damaged(what, error) from error
                self.faults.append(Fault.of("metric", metric.name, error))
                continue
            if found is None:
                table = _table(self._store.put_json(key, table.to_json()))
            tables.append(table)
            again = partial(self._in_time, what, partial(_measured_json, metric, records))
            self._confirm(f"table {table.name}", found, again)
            if self._experiment.cards:
                declared += self._card_lines(metric, table)
        if not self._experiment.cards:
            return tables
        self.cards = cards_of(records, declared)
        if any(table.name == CARDS for table in tables):
            raise RunError(f"a metric returned a table {CARDS!r}, the name of the table of cards")
        return [*tables, cards_table(self.cards)]

    def _card_lines(
        self, metric: Metric, table: Table
    ) -> Sequence[tuple[Sequence[CardLine], Table]]:
        """Return what ``metric`` puts on cards; nothing if its declaration is not valid."""
        try:
            lines = self._in_time("it", partial(_lines_of, metric, table))
            check_lines(lines, table)
        except (Exception, SystemExit) as error:
            self.faults.append(Fault.of("metric", metric.name, error))
            return ()
        return ((lines, table),)

    def _in_time(self, what: str, compute: Callable[[], T]) -> T:
        """Return the result of a component that computes a whole node, within the deadline;
        ``what`` names it in the message of `NotReturned` ("it" where a fault names it).
        """
        return call_within(self._experiment.deadline, what, compute)

    def _confirm(self, what: str, found: Json, compute: Callable[[], Json]) -> None:
        """Compare a stored answer with the one computed here, if the recorded run requires it."""
        if self._recorded is not None and self._recorded.recomputed is not None:
            self._recorded.recomputed.compare(what, found, compute)

    def report(self, view: RunView, folder: RunFolder) -> str:
        """Render each report, or read it from the cache; write its files and return the text to
        print.
        """
        summaries = []
        written: set[str] = set()
        for reporter in self._experiment.reports:
            self._check_stop()
            what = f"report {reporter.name}"
            if self._crashed_before("report", reporter.name):
                continue
            key, found = self._known(f"report/{reporter.name}", view.digest)
            if found is not None:
                files = self._found_files(found, what)
            try:
                if found is None:
                    render = partial(reporter.render, _apart(view))
                    files = rendered(self._in_time("it", render))
                for name in files:
                    folder.check_free(name, written)
                summary = self._in_time("it", partial(_summary, reporter, dict(files)))
            except (Exception, SystemExit) as error:
                self.faults.append(Fault.of("report", reporter.name, error))
                continue
            if found is None:
                files = self._found_files(self._store.put_json(key, files), what)
            again = partial(self._in_time, what, partial(_rendered_json, reporter, view))
            self._confirm(what, found, again)
            for name, text in files.items():
                folder.write(name, text)
            written.update(files)
            summaries.append(summary)
        return "\n".join(summary for summary in summaries if summary)

    def _found_files(self, found: Json, what: str) -> dict[str, str]:
        try:
            return rendered(cast(Any, found))
        except (TypeError, ValueError, AttributeError) as error:
            raise self._damaged(what, error) from error


def anchor_scores(severities: Mapping[str, float], labels: Mapping[str, Labels]) -> AnchorScores:
    """Return the rows to fit: anchors that the agent scored and that have a consensus.

    Of several scores of one anchor the first counts. A map from means of calls is too steep for
    the single calls that it is applied to, since a mean holds less of the agent's noise.
    """
    from revkit.calibration import AnchorScores

    rows = []
    for paper, given in severities.items():
        consensus = consensus_of(labels[paper])
        if consensus is not None:
            rows.append((given, consensus.severity, consensus.error))
    # In one order, whatever the order of the corpus: a calibrator may add up what it is given.
    rows.sort(key=lambda row: (row[0], row[1], -1.0 if row[2] is None else row[2]))
    return AnchorScores(
        tuple(row[0] for row in rows), tuple(row[1] for row in rows), tuple(row[2] for row in rows)
    )


def digest_of_rows(records: Records) -> Json:
    """Return the digest of the facts about components in the records. They come from the spec and
    the classes and not from the items, so they are a separate part of the keys of tables and
    reports.
    """
    rows: list[Json] = [repr(row) for row in (*records.agents, *records.perturbations)]
    rows += [repr(row) for row in (*records.judges, *records.rubrics)]
    if records.attack is not None:
        rows += [repr(row) for row in records.attack.strategies]
    usage = records.usage
    rows += [repr(row) for row in (*usage.by_source, *usage.total, *usage.by_paper)]
    if records.anchors is not None:
        rows += [found.to_json() for found in records.anchors.maps]
    return digest_of(rows)


def _refused(blank: FittedMap, reason: str) -> FittedMap:
    return FittedMap(blank.agent, blank.name, blank.calibrator, None, reason)


def _curve_json(calibrator: Calibrator, anchors: AnchorScores, deadline: float) -> dict[str, Json]:
    from revkit.calibration import fit_curve

    try:
        return {"curve": fit_curve(calibrator, anchors, seconds=deadline).to_json(), "refused": ""}
    except CalibrationError as error:
        return {"curve": None, "refused": f"{error.code}: {error}"}


def _fitted(
    blank: FittedMap, calibrator: Calibrator, stored: Json, anchors: AnchorScores
) -> FittedMap:
    """Return the map in ``stored``. Raises if it does not contain a map for the anchors."""
    body = cast(Mapping[str, Any], stored)
    refused = body["refused"]
    if not isinstance(refused, str) or bool(refused) != (body["curve"] is None):
        raise ValueError("the answer is neither a curve nor a refusal")
    if refused:
        return _refused(blank, refused)
    curve = calibrator.load(body["curve"])
    if not isinstance(curve, Curve):
        raise TypeError(f"expected a Curve, not {type(curve).__name__}")
    if canonical_json(curve.to_json()) != canonical_json(body["curve"]):
        raise ValueError(f"calibrator {calibrator.name!r} does not load the curve that was stored")
    mapped = [float(value) for value in curve(anchors.raw)]
    if len(mapped) != len(anchors.raw):
        raise ValueError(f"the curve returned {len(mapped)} values for {len(anchors.raw)} anchors")
    wrong = [value for value in mapped if not -_ROUNDING <= value <= LARGEST_SEVERITY + _ROUNDING]
    if wrong:
        raise ValueError(
            f"the curve maps an anchor to {wrong[0]!r}, which is not a severity from 0 to 100"
        )
    return FittedMap(blank.agent, blank.name, calibrator.name, curve)


def _measured(metric: Metric, records: Records) -> Table:
    return _table(_measured_json(metric, records))


def _measured_json(metric: Metric, records: Records) -> Json:
    table = metric.measure(_apart_records(records))
    if not isinstance(table, Table):
        raise TypeError(f"expected a Table, not {type(table).__name__}")
    return table.to_json()


def _lines_of(metric: Metric, table: Table) -> tuple[CardLine, ...]:
    return tuple(metric.card_lines(table))


def _summary(reporter: Reporter, files: Mapping[str, str]) -> str:
    return str(reporter.summary(files))


def _rendered_json(reporter: Reporter, view: RunView) -> Json:
    return dict(rendered(reporter.render(_apart(view))))


def _table(value: Json) -> Table:
    table = Table.from_json(cast(Any, value))
    texts = [t for c in table.columns for t in (c.name, c.title, c.unit, c.help, c.role, c.of)]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(
            f"table {table.name!r}: name, title, unit, help, role and of of a column must be text"
        )
    said = [*(finding.text for finding in table.findings), *(w.text for w in table.warnings)]
    if not all(isinstance(text, str) for text in said):
        raise TypeError(f"table {table.name!r}: findings and warnings must be text")
    text = canonical_json(value)
    text.encode()  # a lone surrogate is in no file
    if canonical_json(table.to_json()) != text:
        raise ValueError(f"table {table.name!r} changes when it is written as JSON and read again")
    return table


def _apart(view: RunView) -> RunView:
    """Return a copy of ``view`` for one reporter, so that changes by it do not affect others."""
    return replace(
        view,
        spec=deepcopy(dict(view.spec)),
        versions=dict(view.versions),
        records=_apart_records(view.records),
    )


def _apart_records(records: Records) -> Records:
    """Return a copy of the mutable parts of ``records`` for one metric: otherwise a table would
    depend on which others were computed before it, and which were cached.
    """
    anchors = records.anchors
    return replace(
        records,
        papers=tuple(map(_apart_paper, records.papers)),
        perturbations=tuple(
            replace(row, options=deepcopy(dict(row.options))) for row in records.perturbations
        ),
        anchors=None
        if anchors is None
        else replace(anchors, papers=tuple(map(_apart_paper, anchors.papers))),
    )


def _apart_paper(row: PaperRow) -> PaperRow:
    return replace(row, labels=replace(row.labels, extra=deepcopy(dict(row.labels.extra))))


def rendered(files: Mapping[str, Any]) -> dict[str, str]:
    """Return the files of a reporter. Raises `TypeError` for content that is not text, and
    `ValueError` for text that cannot be written to a file.
    """
    if not isinstance(files, Mapping):
        raise TypeError(f"expected files by name, not {type(files).__name__}")
    for name, text in files.items():
        if not isinstance(name, str) or not isinstance(text, str):
            raise TypeError(f"expected the text of a file, not {type(text).__name__} ({name!r})")
        text.encode()  # a lone surrogate is in no file
    return dict(files)
