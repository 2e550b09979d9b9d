"""Records: every paper, variant, edit, check and outcome, as JSON Lines and CSV."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from revkit.errors import RunError
from revkit.execution.folder import RunFolder
from revkit.execution.loop import PaperJob
from revkit.execution.work import Answer, check_rows, joined_roles
from revkit.model.edits import Edit
from revkit.model.paper import Paper, Skipped
from revkit.model.records import FittedMap, Judgement, PaperRow, VariantRow, Verdict
from revkit.model.review import Failure, Review
from revkit.model.values import Json, canonical_bytes, canonical_json
from revkit.model.variant import Variant
from revkit.spec import Experiment

# The columns of each record's CSV; long texts stay in the JSON Lines.
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "papers": (
        "id",
        "title",
        "words",
        "accept",
        "decision",
        "ratings",
        "rating_scale",
        "severity",
        "tier",
        "topic",
        "quality",
        "notes",
        "digest",
    ),
    "skipped": ("id", "reason", "source"),
    "variants": (
        "paper",
        "perturbation",
        "index",
        "rejected",
        "edits",
        "dropped",
        "digest",
        "outcome",
        "gate",
    ),
    "edits": ("paper", "perturbation", "index", "start", "end", "old", "new", "note"),
    "checks": (
        "paper",
        "perturbation",
        "index",
        "name",
        "value",
        "limit",
        "passed",
        "unit",
        "detail",
    ),
    "outcomes": (
        "agent",
        "paper",
        "perturbation",
        "index",
        "repeat",
        "accept",
        "score",
        "confidence",
        "failure",
        "detail",
        "warnings",
    ),
    "screens": (
        "agent",
        "paper",
        "perturbation",
        "index",
        "repeat",
        "defense",
        "start",
        "end",
        "new",
        "note",
    ),
}

_PAPER = tuple(name for name in COLUMNS["papers"] if name not in ("accept", "decision", "quality"))
JUDGED: Mapping[str, tuple[str, ...]] = {
    "judgements": (
        "judge",
        "rubric",
        "paper",
        "perturbation",
        "index",
        "repeat",
        "score",
        "failure",
        "detail",
    )
}
CALIBRATED: Mapping[str, tuple[str, ...]] = {
    "anchors": _PAPER,
    "anchors-skipped": COLUMNS["skipped"],
    "scores": ("agent", "paper", "repeat", "score", "failure", "detail"),
    "maps": ("agent", "name", "calibrator", "refused"),
}


def columns_of(experiment: Experiment) -> dict[str, tuple[str, ...]]:
    """The records that a run of ``experiment`` has, with the columns of each as CSV."""
    judged = JUDGED if experiment.judges else {}
    calibrated = CALIBRATED if experiment.calibration else {}
    return {**COLUMNS, **judged, **calibrated}


_PORTION = 1 << 18  # bytes


class _Lines:
    """One JSON Lines file in the making, its digest, and the offsets of rows to be read again."""

    def __init__(self, folder: RunFolder, name: str) -> None:
        self.path = folder.target(f"records/{name}.jsonl")
        self.part = self.path.with_name(self.path.name + ".part")
        self._digest = hashlib.sha256()
        self._file: IO[bytes] = self.part.open("wb")
        self._place = 0
        self._lines: list[bytes] = []
        self._size = 0

    def write(self, row: Mapping[str, Json]) -> tuple[int, int]:
        line = canonical_bytes(row) + b"\n"
        self._lines.append(line)
        self._size += len(line)
        if self._size >= _PORTION:
            self.flush()
        start = self._place
        self._place += len(line)
        return start, self._place

    def flush(self) -> None:
        """Write what was gathered. In portions: other threads take their turn at each call."""
        portion = b"".join(self._lines)
        self._lines, self._size = [], 0
        self._digest.update(portion)
        self._file.write(portion)

    def hexdigest(self) -> str:
        """The SHA-256 of all lines so far."""
        digest = self._digest.copy()
        digest.update(b"".join(self._lines))
        return digest.hexdigest()

    def read(self, place: tuple[int, int]) -> Any:
        path = self.path if self._file.closed else self.part
        if not self._file.closed:
            self.flush()
            self._file.flush()
        with path.open("rb") as file:
            file.seek(place[0])
            return json.loads(file.read(place[1] - place[0]))

    def close(self, *, finish: bool) -> None:
        with self._file:
            if finish:
                self.flush()
        if finish:
            os.replace(self.part, self.path)


class Recorder:
    """Writes the records of a run and keeps the small rows that metrics read.

    Lines come in the order of the corpus and of the experiment, so the same answers give the same
    bytes, whatever the threads did.
    """

    def __init__(self, folder: RunFolder, experiment: Experiment) -> None:
        self.papers: list[PaperRow] = []
        self.variants: list[VariantRow] = []
        self.verdicts: list[Verdict] = []
        self.skipped: dict[str, int] = {}
        self.titles: dict[str, str] = {}
        self.judgements: list[Judgement] = []
        self.anchors: list[PaperRow] = []
        self.anchors_skipped: dict[str, int] = {}
        self.scores: list[Verdict] = []
        self.calls: dict[tuple[str, str], dict[str, str]] = {}
        self.answers: dict[tuple[str, str], list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
        self._columns = columns_of(experiment)
        self._folder = folder
        self._experiment = experiment
        self._paper_places: dict[str, tuple[int, int]] = {}
        self._variant_places: dict[tuple[str, str, int], tuple[int, int]] = {}
        try:
            self._lines = {name: _Lines(folder, name) for name in self._columns}
        except OSError as error:
            raise RunError(f"records cannot be written: {error}") from error

    def skip(self, skipped: Skipped) -> None:
        """Record a record that is no paper."""
        self.skipped[skipped.reason] = self.skipped.get(skipped.reason, 0) + 1
        self._write("skipped", skipped.to_json())

    def paper(self, job: PaperJob) -> None:
        """Record a paper with everything that was made of it."""
        paper = job.paper
        row, place = self._paper_row("papers", paper, job.blind)
        self.papers.append(row)
        self.titles[paper.id] = paper.title
        self._paper_places[paper.id] = place
        steps = self._experiment.perturbation_steps
        repeats = range(self._experiment.repeats)
        items = [("", 0, 0)]
        items += [
            (name, index, 0) for name, step in steps.items() for index in range(step.variants)
        ]
        for name, index, _ in items[1:]:
            self._variant(paper, name, index, job.answers[f"perturb/{name}", index, 0])
        for agent in self._experiment.agents:
            for name, index, _ in items:
                for repeat in repeats:
                    answer = job.answers.get(
                        (f"review/{agent}/{name or 'unchanged'}", index, repeat)
                    )
                    if answer is not None:
                        self._outcome(agent, paper, name, index, repeat, answer)
        self._judgements(job, items)

    def skip_anchor(self, skipped: Skipped) -> None:
        """Record a record that is no anchor."""
        count = self.anchors_skipped.get(skipped.reason, 0)
        self.anchors_skipped[skipped.reason] = count + 1
        self._write("anchors-skipped", skipped.to_json())

    def anchor(self, job: PaperJob) -> None:
        """Record an anchor with what each agent says of it."""
        paper = job.paper
        row, _ = self._paper_row("anchors", paper, job.blind)
        self.anchors.append(row)
        calibration = self._experiment.calibration
        assert calibration is not None
        for agent in self._experiment.agents:
            for repeat in range(calibration.repeats):
                answer = job.answers[f"score/{agent}", 0, repeat]
                self._noted(f"agents.{agent}", "anchors", f"anchor {paper.id}", answer)
                review, failure, told = _parts(answer)
                self.scores.append(
                    Verdict(agent, paper.id, "", 0, repeat, review.accept, review.score, failure)
                )
                place: dict[str, Json] = {"agent": agent, "paper": paper.id, "repeat": repeat}
                self._write("scores", {**place, **review.to_json(), **told})

    def maps(self, fitted: Sequence[FittedMap]) -> None:
        """Record the maps that were fitted."""
        if self._experiment.calibration is not None:
            for each in fitted:
                self._write("maps", each.to_json())

    def _judgements(self, job: PaperJob, items: Sequence[tuple[str, int, int]]) -> None:
        paper = job.paper
        criteria = [rubric.criterion.name for rubric in self._experiment.rubrics]
        places = [(judge, name) for judge in self._experiment.judges for name in criteria]
        for judge, rubric in places:
            for name, index, _ in items:
                for repeat in range(self._experiment.repeats):
                    node = f"judge/{judge}/{rubric}/{name or 'unchanged'}"
                    answer = job.answers.get((node, index, repeat))
                    if answer is not None:
                        self._judgement(
                            Judgement(judge, rubric, paper.id, name, index, repeat, None), answer
                        )

    def _judgement(self, place: Judgement, answer: Answer) -> None:
        self._noted(f"judges.{place.judge}", place.perturbation, place.paper, answer)
        review, failure, told = _parts(answer)
        self.judgements.append(replace(place, score=review.score, failure=failure))
        row: dict[str, Json] = {
            "judge": place.judge,
            "rubric": place.rubric,
            "paper": place.paper,
            "perturbation": place.perturbation,
            "index": place.index,
            "repeat": place.repeat,
        }
        self._write("judgements", {**row, **review.to_json(), **told})

    def _noted(self, path: str, source: str, paper: str, answer: Answer) -> None:
        """Remember which calls of models an answer stands on, and for which roles."""
        if not answer.calls or not answer.lasting:
            return
        roles = answer.roles or ("",) * len(answer.calls)
        calls = self.calls.setdefault((path, source), {})
        for call, role in zip(answer.calls, roles, strict=True):
            known = calls.setdefault(call, role)
            if known != role:
                calls[call] = joined_roles((known, role))
        self.answers.setdefault((path, paper), []).append((answer.calls, roles))

    def _paper_row(
        self, name: str, paper: Paper, parsed: Paper
    ) -> tuple[PaperRow, tuple[int, int]]:
        words = parsed.words
        row = PaperRow(paper.id, paper.labels, words, paper.notes, paper.digest)
        materials: list[Json] = [material.to_json() for material in paper.materials]
        place = self._write(
            name,
            {
                "id": paper.id,
                "title": paper.title,
                "words": words,
                **paper.labels.to_json(),
                "notes": list(paper.notes),
                "source": paper.source,
                "digest": paper.digest,
                "text": paper.text,
                **({"materials": materials} if materials else {}),
            },
        )
        return row, place

    def _variant(self, paper: Paper, name: str, index: int, answer: Answer) -> None:
        variant = answer.value
        assert isinstance(variant, Variant)
        self._noted(f"perturbations.{name}", name, paper.id, answer)
        self.variants.append(
            VariantRow(
                paper.id,
                name,
                index,
                len(variant.edits),
                variant.dropped,
                variant.checks,
                variant.rejected,
                variant.outcome,
                variant.gate,
            )
        )
        place: dict[str, Json] = {"paper": paper.id, "perturbation": name, "index": index}
        made = variant.outcome == "made"
        digest = paper.edited(variant.edits).digest if made else ""
        edits: list[Json] = [edit.to_json() for edit in variant.edits]
        self._variant_places[paper.id, name, index] = self._write(
            "variants",
            {
                **place,
                "rejected": variant.rejected,
                "outcome": variant.outcome,
                "gate": variant.gate,
                "dropped": variant.dropped,
                "edits": edits,
                "checks": check_rows(variant.checks),
                "digest": digest,
            },
        )
        for edit in variant.edits:
            old = paper.text[edit.start : edit.end]
            self._write("edits", {**place, **edit.to_json(), "old": old})
        for check in variant.checks:
            self._write("checks", {**place, **check.to_json()})

    def _outcome(
        self, agent: str, paper: Paper, name: str, index: int, repeat: int, answer: Answer
    ) -> None:
        self._noted(f"agents.{agent}", name, paper.id, answer)
        review, failure, told = _parts(answer)
        common, extrapolated = self._common(agent, review.score)
        self.verdicts.append(
            Verdict(
                agent,
                paper.id,
                name,
                index,
                repeat,
                review.accept,
                review.score,
                failure,
                common,
                extrapolated,
                review.warnings,
            )
        )
        place: dict[str, Json] = {
            "agent": agent,
            "paper": paper.id,
            "perturbation": name,
            "index": index,
            "repeat": repeat,
        }
        row: dict[str, Json] = {**place, **review.to_json(), **told}
        if common is not None:
            row |= {"common": common, "extrapolated": extrapolated}
        self._write("outcomes", row)
        for defense, edits in answer.screens:
            for edit in edits:
                self._write("screens", {**place, "defense": defense, **edit.to_json()})

    def _common(self, agent: str, score: float | None) -> tuple[float | None, bool]:
        """A score on the common scale, where the agent carries a map."""
        calibration = self._experiment.agent_steps[agent].calibration
        if calibration is None or score is None:
            return None, False
        mapped = calibration.map.apply([score])[0]
        return mapped.common, mapped.extrapolated

    def _write(self, name: str, row: Mapping[str, Json]) -> tuple[int, int]:
        try:
            return self._lines[name].write(row)
        except OSError as error:
            raise RunError(
                f"{self._lines[name].part} cannot be written: {error}; answers are kept in the "
                "store, so the same command goes on from here"
            ) from error

    @property
    def digest(self) -> str:
        """SHA-256 over all records."""
        return _digest_of({name: lines.hexdigest() for name, lines in self._lines.items()})

    def text_of(self, paper: str) -> str:
        """The text of an original paper, read from the records."""
        return str(self._lines["papers"].read(self._paper_places[paper])["text"])

    def edits_of(self, paper: str, perturbation: str, index: int) -> tuple[Edit, ...]:
        """The edits of a variant, read from the records."""
        row = self._lines["variants"].read(self._variant_places[paper, perturbation, index])
        return tuple(Edit.from_json(edit) for edit in row["edits"])

    def close(self, *, finish: bool) -> None:
        """Close all files; of a complete run, move them to their names and write the CSV."""
        try:
            for lines in self._lines.values():
                lines.close(finish=finish)
            if finish:
                for name, columns in self._columns.items():
                    target = self._folder.target(f"records/{name}.csv")
                    write_csv(self._lines[name].path, target, columns)
        except OSError as error:
            raise RunError(f"records cannot be written: {error}") from error


def digest_of_records(run: Path) -> str:
    """SHA-256 over all records in the folder of a finished run, as its ``result.json`` tells it.
    Raises `OSError` where one cannot be read."""
    digests = {}
    for group in (COLUMNS, JUDGED, CALIBRATED):
        paths = {name: run / "records" / f"{name}.jsonl" for name in group}
        if group is not COLUMNS and not any(path.is_file() for path in paths.values()):
            continue  # a run without judges, or without a calibration
        for name, path in paths.items():
            with path.open("rb") as file:
                digests[name] = hashlib.file_digest(file, "sha256").hexdigest()
    return _digest_of(digests)


def _digest_of(digests: Mapping[str, str]) -> str:
    total = hashlib.sha256()
    for name, digest in digests.items():
        total.update(f"{name}:{digest}\n".encode())
    return total.hexdigest()


def _parts(answer: Answer) -> tuple[Review, str, dict[str, Json]]:
    """The review of an answer (an empty one for a failure), the kind of failure, and what its row
    says of that."""
    outcome = answer.value
    if isinstance(outcome, Failure):
        told: dict[str, Json] = {"detail": outcome.detail, "raw": outcome.raw}
        return Review(), outcome.kind, {"failure": outcome.kind, **told}
    assert isinstance(outcome, Review)
    return outcome, "", {"failure": ""}


def write_csv(path: Path, target: Path, columns: tuple[str, ...]) -> None:
    """Write a JSON Lines file again as CSV: ``columns`` only, lists as JSON."""
    part = target.with_name(target.name + ".part")
    with (
        path.open(encoding="utf-8") as rows,
        part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as out,
    ):
        out.write(_csv_line(columns))
        for line in rows:
            row = json.loads(line)
            out.write(_csv_line([_cell(row.get(column)) for column in columns]))
    os.replace(part, target)


def _csv_line(cells: Sequence[str]) -> str:
    """One line of RFC 4180 with a bare line feed; `csv.writer` does not quote a lone "\\r"."""
    quoted = (
        '"' + cell.replace('"', '""') + '"' if any(c in cell for c in ',\r\n"') else cell
        for cell in cells
    )
    return ",".join(quoted) + "\n"


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict):
        return canonical_json(value)
    return value.replace("\0", "") if isinstance(value, str) else str(value)
