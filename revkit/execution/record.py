"""Write the records of a run: every paper, variant, edit, check and outcome, as JSON Lines and
CSV.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from revkit.errors import RunError
from revkit.execution.folder import RunFolder
from revkit.execution.loop import PaperJob
from revkit.execution.paper_facts import FactsOfPapers
from revkit.execution.record_lines import RecordLines, digest_of_files
from revkit.execution.record_rows import (
    ATTACKED,
    CALIBRATED,
    JUDGED,
    PROBED,
    RECORDS,
    SAMPLED,
    CheckRecord,
    EditRecord,
    OutcomeRecord,
    PaperRecord,
    ScreenRecord,
    SkippedRecord,
    UndrawnRecord,
    VariantRecord,
    agreement,
    answer_columns,
    outcome_in,
)
from revkit.execution.work import Answer, Roles
from revkit.model.attack import AttackRow, TransferRow
from revkit.model.columns import copy_fields, row_of
from revkit.model.edits import Edit
from revkit.model.paper import HiddenNote, LeftOut, Material, Paper, Skipped, Undrawn
from revkit.model.records import FittedMap, Judgement, PaperRow, ProbeRow, VariantRow, Verdict
from revkit.model.review import Failure, Outcome, Review
from revkit.model.sample import Sampled, sampled
from revkit.model.variant import Variant
from revkit.planning.graph import review_judgement
from revkit.planning.probes import wants_probes
from revkit.spec import Experiment

if TYPE_CHECKING:
    from revkit.execution.attack import AttackedPaper, Searched
    from revkit.execution.section_rows import TransferRecord


def records_of(experiment: Experiment) -> tuple[str, ...]:
    """Return the names of the records of a run of ``experiment``."""
    sampled = SAMPLED if experiment.sample else ()
    judged = JUDGED if experiment.judges else ()
    attacked = ATTACKED if experiment.attack else ()
    probed = PROBED if wants_probes(experiment) else ()
    calibrated = CALIBRATED if experiment.calibration else ()
    return (*RECORDS, *sampled, *judged, *attacked, *probed, *calibrated)


_UNMAPPED: Mapping[str, Any] = {"common": None, "extrapolated": False, "certified": None}


class Recorder:
    """Writes the records of a run and keeps the small rows that metrics read.

    Lines come in the order of the corpus and of the experiment, so the same answers give the same
    bytes, whatever the threads did. ``facts`` reads what a record states about the text of a paper.
    """

    def __init__(self, folder: RunFolder, experiment: Experiment, facts: FactsOfPapers) -> None:
        self.papers: list[PaperRow] = []
        self.variants: list[VariantRow] = []
        self.verdicts: list[Verdict] = []
        self.skipped: dict[str, int] = {}
        self.first_skipped: dict[str, str] = {}  # the first record with each reason
        self.undrawn: dict[str, int] = {}
        self.titles: dict[str, str] = {}
        self.judgements: list[Judgement] = []
        self.anchors: list[PaperRow] = []
        self.anchors_skipped: dict[str, int] = {}
        self.first_anchors_skipped: dict[str, str] = {}
        self.scores: list[Verdict] = []
        self.calls: dict[tuple[str, str], dict[str, Roles]] = {}
        self.probe_calls: dict[str, tuple[str, ...]] = {}  # of no paper's answer, but paid
        self.answers: dict[tuple[str, str], list[tuple[tuple[str, ...], tuple[Roles, ...]]]] = {}
        self.probes: list[ProbeRow] = []
        self.attacks: list[AttackRow] = []
        self.transfers: list[TransferRow] = []
        self.queries = 0
        self.failed_queries = 0
        self.edit_starts: dict[str, array[int]] = {}
        self._facts = facts
        self._experiment = experiment
        self._agent_steps = experiment.agent_steps
        self._perturbation_steps = experiment.perturbation_steps
        self._paper_places: dict[str, tuple[int, int]] = {}
        self._variant_places: dict[tuple[str, str, int], tuple[int, int]] = {}
        self._outcome_ends = array("q")  # of each verdict, in order: a dict would be far larger
        try:
            self._lines = {name: RecordLines(folder, name) for name in records_of(experiment)}
        except OSError as error:
            raise RunError(f"records cannot be written: {error}") from error

    def skip(self, skipped: Skipped) -> None:
        """Record a record of the corpus that was skipped, or a paper that was not drawn."""
        if isinstance(skipped, Undrawn):
            self.undrawn[skipped.stratum] = self.undrawn.get(skipped.stratum, 0) + 1
            self._write("undrawn", copy_fields(UndrawnRecord, skipped))
            return
        self.skipped[skipped.reason] = self.skipped.get(skipped.reason, 0) + 1
        self.first_skipped.setdefault(skipped.reason, skipped.id)
        self._write("skipped", copy_fields(SkippedRecord, skipped))

    def paper(self, job: PaperJob) -> None:
        """Record a paper with everything computed for it."""
        paper = job.paper
        row, place = self._paper_row("papers", job)
        self.papers.append(row)
        self.titles[paper.id] = paper.title
        self._paper_places[paper.id] = place
        steps = self._perturbation_steps
        repeats = range(self._experiment.repeats)
        items = [("", 0, 0)]
        items += [
            (name, index, 0) for name, step in steps.items() for index in range(step.variants)
        ]
        for name, index, _ in items[1:]:
            self._variant(job, name, index)
        for agent in self._experiment.agents:
            for name, index, _ in items:
                for repeat in repeats:
                    answer = job.answers.get(
                        (f"review/{agent}/{name or 'unchanged'}", index, repeat)
                    )
                    if answer is not None:
                        self._outcome(agent, paper, name, index, repeat, answer)
        self._judgements(job, items)
        self._review_judgements(job)

    @property
    def sampled(self) -> Sampled | None:
        """How many papers were drawn, and of how many; None without a sample."""
        experiment = self._experiment
        if experiment.sample is None:
            return None
        calibration = experiment.calibration
        own = self.anchors if calibration is not None and calibration.anchors is None else []
        labels = (row.labels for row in (*self.papers, *own))
        return sampled(experiment.sample, labels, self.undrawn)

    def skip_anchor(self, skipped: Skipped) -> None:
        """Record a record of the anchors that was skipped."""
        count = self.anchors_skipped.get(skipped.reason, 0)
        self.anchors_skipped[skipped.reason] = count + 1
        self.first_anchors_skipped.setdefault(skipped.reason, skipped.id)
        self._write("anchors-skipped", copy_fields(SkippedRecord, skipped))

    def anchor(self, job: PaperJob) -> None:
        """Record an anchor with the answer of each agent about it."""
        from revkit.execution.section_rows import ScoreRecord

        paper = job.paper
        row, _ = self._paper_row("anchors", job)
        self.anchors.append(row)
        calibration = self._experiment.calibration
        assert calibration is not None
        for agent in self._experiment.agents:
            for repeat in range(calibration.repeats):
                answer = job.answers[f"score/{agent}", 0, repeat]
                self._noted(f"agents.{agent}", "anchors", f"anchor {paper.id}", answer)
                record = ScoreRecord(
                    agent=agent, paper=paper.id, repeat=repeat, **answer_columns(_outcome(answer))
                )
                self.scores.append(
                    copy_fields(
                        Verdict,
                        record,
                        perturbation="",
                        index=0,
                        asked=answer.asked,
                        **_UNMAPPED,
                    )
                )
                self._write("scores", record)

    def maps(self, fitted: Sequence[FittedMap]) -> None:
        """Record the fitted maps."""
        if self._experiment.calibration is not None:
            from revkit.execution.section_rows import MapRecord

            for each in fitted:
                curve = None if each.curve is None else each.curve.to_json()
                synthetic = self._experiment.has_synthetic_anchors
                record = copy_fields(MapRecord, each, curve=curve, synthetic_anchors=synthetic)
                self._write("maps", record)

    def note_probe(self, agent: str, answer: Answer) -> None:
        """Store the model calls behind the probe of an agent."""
        if answer.lasting and answer.calls:
            self.probe_calls[f"agents.{agent}"] = answer.calls

    def probe(self, row: ProbeRow, failure: Failure | None) -> None:
        """Record how far an agent reads."""
        from revkit.execution.section_rows import ProbeRecord

        self.probes.append(row)
        detail = None if failure is None else failure.detail
        raw = None if failure is None else failure.raw
        self._write("probes", copy_fields(ProbeRecord, row, detail=detail, raw=raw))

    def attacked(
        self,
        paper: AttackedPaper,
        searched: Sequence[Searched],
        transfers: Sequence[tuple[TransferRecord, Answer]],
    ) -> None:
        """Record the searches of a paper, in the order of agents and strategies."""
        from revkit.execution.section_rows import UnitRecord

        for each in paper.units:
            record = copy_fields(
                UnitRecord, each.unit, paper=paper.id, index=each.index, edits=each.edits
            )
            self._write("units", record)
        for found in searched:
            self.attacks.append(copy_fields(AttackRow, found.record))
            self._write("attacks", found.record)
            for query in found.queries:
                self._counted(query.failure)
                self._write("queries", query)
            for path, answer in found.answers:
                self._noted(path, "attack", paper.id, answer)
        for transfer, answer in transfers:
            self.transfers.append(copy_fields(TransferRow, transfer))
            self._counted(transfer.failure)
            self._noted(f"agents.{transfer.agent}", "attack", paper.id, answer)
            self._write("transfers", transfer)

    def _counted(self, failure: str) -> None:
        self.queries += 1
        self.failed_queries += bool(failure)

    def paper_of(self, name: str) -> Paper:
        """An original paper as components see it, read from the records."""
        row = self._lines["papers"].read(self._paper_places[name])
        materials = tuple(Material(**material) for material in row.get("materials", ()))
        return Paper(row["id"], row["text"], row["title"], materials=materials).blind()

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
                        self._judgement(judge, rubric, "", paper.id, name, index, repeat, answer)

    def _review_judgements(self, job: PaperJob) -> None:
        for judge in self._experiment.judges:
            for rubric in self._experiment.rubrics:
                name = rubric.criterion.name
                for agent in self._experiment.agents:
                    for repeat in range(self._experiment.repeats):
                        place = (review_judgement(judge, name, agent), 0, repeat)
                        if (answer := job.answers.get(place)) is not None:
                            self._judgement(judge, name, agent, job.paper.id, "", 0, repeat, answer)

    def _judgement(
        self,
        judge: str,
        rubric: str,
        agent: str,
        paper: str,
        name: str,
        index: int,
        repeat: int,
        answer: Answer,
    ) -> None:
        from revkit.execution.section_rows import JudgementRecord

        record = JudgementRecord(
            judge=judge,
            rubric=rubric,
            agent=agent,
            paper=paper,
            perturbation=name,
            index=index,
            repeat=repeat,
            **answer_columns(_outcome(answer)),
        )
        self._noted(f"judges.{judge}", name, paper, answer)
        self.judgements.append(copy_fields(Judgement, record))
        self._write("judgements", record)

    def _noted(self, path: str, source: str, paper: str, answer: Answer) -> None:
        """Store the model calls behind an answer, with the roles that made them."""
        if not answer.calls or not answer.lasting:
            return
        roles: tuple[Roles, ...] = answer.roles or ((),) * len(answer.calls)
        calls = self.calls.setdefault((path, source), {})
        for call, asking in zip(answer.calls, roles, strict=True):
            known = calls.setdefault(call, asking)
            if known != asking:
                calls[call] = tuple(sorted({*known, *asking}))
        self.answers.setdefault((path, paper), []).append((answer.calls, roles))

    def _paper_row(self, name: str, job: PaperJob) -> tuple[PaperRow, tuple[int, int]]:
        paper, facts = job.paper, self._facts.of(job.blind, job.facts)
        read = facts.structure
        score, unread = read.score, read.unread
        row = PaperRow(
            paper.id,
            paper.labels,
            facts.words,
            paper.notes,
            paper.digest,
            score,
            unread,
            facts.leaks,
        )
        record = PaperRecord(
            id=paper.id,
            title=paper.title,
            words=facts.words,
            **cast(Any, paper.labels.to_json()),
            **agreement(paper.labels),
            notes=paper.notes,
            left_out=tuple(note for note in paper.notes if isinstance(note, LeftOut)),
            hidden_notes=tuple(note for note in paper.notes if isinstance(note, HiddenNote)),
            source=paper.source,
            digest=paper.digest,
            text=paper.text,
            materials=paper.materials,
            file=None if paper.file is None else paper.file.to_json(),
            reviews_digest=job.reviews_digest,
            structure=round(score, 4),
            has_title=read.title,
            has_abstract=read.abstract,
            headings=read.headings,
            references=read.references,
            works_cited=read.citations,
            works_matched=read.matched,
            known_text=round(read.known, 4),
            repairs=len(paper.notes),
            unread=unread,
            leaks=facts.leaks,
        )
        return row, self._write(name, record)

    def _variant(self, job: PaperJob, name: str, index: int) -> None:
        paper, answer = job.paper, job.answers[f"perturb/{name}", index, 0]
        variant = answer.value
        assert isinstance(variant, Variant)
        self._noted(f"perturbations.{name}", name, paper.id, answer)
        made = variant.outcome == "made"
        from revkit.model.dose import dose_of  # with the parsers, which other runs may not need

        dose = dose_of(job.blind, variant.edits, variant.checks)
        record = copy_fields(
            VariantRecord,
            variant,
            paper=paper.id,
            perturbation=name,
            index=index,
            digest=paper.edited(variant.edits).digest if made else "",
            words_changed=dose.words_changed,
            words_moved=dose.words_moved,
            dose=_rounded(dose.dose),
            sentences=_rounded(dose.sentences),
            distance=_rounded(dose.distance),
        )
        self.variants.append(copy_fields(VariantRow, record, edits=len(variant.edits)))
        if made and "probes" in self._lines:
            starts = self.edit_starts.setdefault(name, array("q"))
            starts.extend(edit.start for edit in variant.edits)
        place = paper.id, name, index
        self._variant_places[place] = self._write("variants", record)
        for edit in variant.edits:
            old = paper.text[edit.start : edit.end]
            row = copy_fields(
                EditRecord, edit, paper=paper.id, perturbation=name, index=index, old=old
            )
            self._write("edits", row)
        for check in variant.checks:
            of = copy_fields(CheckRecord, check, paper=paper.id, perturbation=name, index=index)
            self._write("checks", of)

    def _outcome(
        self, agent: str, paper: Paper, name: str, index: int, repeat: int, answer: Answer
    ) -> None:
        self._noted(f"agents.{agent}", name, paper.id, answer)
        answered = answer_columns(_outcome(answer))
        common, extrapolated = self._common(agent, answered["score"])
        record = OutcomeRecord(
            agent=agent,
            paper=paper.id,
            perturbation=name,
            index=index,
            repeat=repeat,
            common=common,
            extrapolated=extrapolated,
            asked=answer.asked,
            certified=answer.value.certified if isinstance(answer.value, Review) else None,
            **answered,
        )
        self.verdicts.append(copy_fields(Verdict, record, extrapolated=bool(extrapolated)))
        self._outcome_ends.append(self._write("outcomes", record)[1])
        for defense, edits in answer.screens:
            for edit in edits:
                screen = copy_fields(
                    ScreenRecord,
                    edit,
                    agent=agent,
                    paper=paper.id,
                    perturbation=name,
                    index=index,
                    repeat=repeat,
                    defense=defense,
                )
                self._write("screens", screen)

    def _common(self, agent: str, score: float | None) -> tuple[float | None, bool | None]:
        """Return a score on the common scale, if the agent has a map."""
        calibration = self._agent_steps[agent].calibration
        if calibration is None or score is None:
            return None, None
        mapped = calibration.map.apply([score])[0]
        return mapped.common, mapped.extrapolated

    def _write(self, name: str, record: object) -> tuple[int, int]:
        try:
            return self._lines[name].write(row_of(record))
        except OSError as error:
            raise RunError(
                f"{self._lines[name].part} cannot be written: {error}; answers are kept in the "
                "store, so the same command continues from here"
            ) from error

    @property
    def digest(self) -> str:
        """Return the SHA-256 over all records."""
        return digest_of_files({name: lines.hexdigest() for name, lines in self._lines.items()})

    def text_of(self, paper: str) -> str:
        """Return the text of an original paper, read from the records."""
        return str(self._lines["papers"].read(self._paper_places[paper])["text"])

    def edits_of(self, paper: str, perturbation: str, index: int) -> tuple[Edit, ...]:
        """Return the edits of a variant, read from the records."""
        row = self._lines["variants"].read(self._variant_places[paper, perturbation, index])
        return tuple(Edit.from_json(edit) for edit in row["edits"])

    def outcomes_of(
        self, agent: str, paper: str, perturbation: str, index: int
    ) -> tuple[Outcome, ...]:
        """Return the reviews and failures of one agent for one text, read from the records."""
        found = self._outcome_rows.get((agent, paper, perturbation, index), ())
        return tuple(
            outcome_in(self._lines["outcomes"].read(self._outcome_place(i))) for i in found
        )

    @cached_property
    def _outcome_rows(self) -> Mapping[tuple[str, str, str, int], Sequence[int]]:
        found: dict[tuple[str, str, str, int], list[int]] = {}
        for row, each in enumerate(self.verdicts):
            key = each.agent, each.paper, each.perturbation, each.index
            found.setdefault(key, []).append(row)
        return found

    def _outcome_place(self, row: int) -> tuple[int, int]:
        return self._outcome_ends[row - 1] if row else 0, self._outcome_ends[row]

    def close(self, *, finish: bool) -> None:
        """Close all files; if the run is complete, give them their final names. Raises `RunError`
        where they cannot be written.
        """
        if finish:
            self._facts.keep()
        try:
            for lines in self._lines.values():
                lines.close(finish=finish)
        except OSError as error:
            raise RunError(f"records cannot be written: {error}") from error


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _outcome(answer: Answer) -> Outcome:
    assert not isinstance(answer.value, Variant)
    return answer.value
