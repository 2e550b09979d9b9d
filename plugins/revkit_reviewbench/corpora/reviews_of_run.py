"""The corpus `reviews-of-run`: the reviews of a finished run, to be judged in a second one."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from revkit.contracts import Context, Corpus
from revkit.errors import PaperError, RunError
from revkit.model.paper import Labels, Material, Paper, Skipped
from revkit.model.values import Json
from revkit.options import option, options_of
from revkit_reviewbench.checklists import (
    Checklist,
    ChecklistProblem,
    checklists_from_json,
    meta_checklists,
)
from revkit_reviewbench.corpora.files import digest_of_file

_RECORDS = ("papers", "outcomes")


@dataclass(frozen=True)
class ReviewsOfRun(Corpus):
    """One paper for each review of a finished run: what ReviewBench's evaluator scores.

    ``run`` is the folder of a run whose corpus carries rubrics (`review-bench`,
    `synthetic-bench`). The text of a paper is the review's text as its agent wrote it; its
    ``materials`` are the reviewed paper (role "source") and the checklists of its dimensions (role
    "rubric", the dimension as title). ``labels.topic`` is the agent's name, which no judge sees,
    and ``labels.extra`` holds ``paper``, ``agent``, ``repeat``, the review's ``rating`` and
    ``accept``, the reference's, and ``tally``: of each agent of the run how many reviews were
    planned, failed or came without text.

    Skipped and counted: reviews that failed or have no text, reviews of papers without rubrics.
    ``checklists: meta`` judges every paper by the eight meta-rubrics instead of its own. Reviews
    of variants are left alone, unless ``perturbation`` names one: then its reviews are taken, and
    judged by the rubrics and the text of the unchanged paper.
    """

    name: ClassVar[str] = "reviews-of-run"
    run: str = option(help="The folder of the finished run.")
    checklists: Literal["paper", "meta"] = option(
        "paper", help="Judge by the rubrics of each paper, or by the meta-rubrics for all."
    )
    perturbation: str = option(
        "", help="The perturbation whose reviews to take; empty: reviews of unchanged papers."
    )

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the reviews in the order of the run. Raises `RunError` where it is no run."""
        reviewed = {str(row["id"]): _Reviewed.of(row) for row in self._rows("papers")}
        tally = self._tally()
        found = False
        for row in self._outcomes():
            found = True
            paper = reviewed.get(str(row["paper"]))
            if paper is None:
                raise RunError(f"{self.run}: a review is of {row['paper']!r}, which is no paper")
            yield self._review(row, paper, tally)
        if not found:
            of = f"of the perturbation {self.perturbation!r}" if self.perturbation else "at all"
            raise RunError(f"{self.run} holds no review {of}; name a run with agents")

    def identity(self) -> Json:
        """The options, with the content of the records in the place of the folder's path."""
        options = {key: value for key, value in options_of(self).items() if key != "run"}
        return {**options, **{name: digest_of_file(self._path(name)) for name in _RECORDS}}

    def _path(self, name: str) -> Path:
        path = Path(self.run).expanduser() / "records" / f"{name}.jsonl"
        if not self.run or not path.is_file():
            raise RunError(
                f"{self.name}: {self.run or 'an empty path'} is no folder of a finished run (it "
                f"has no records/{name}.jsonl); first run the experiment that makes the reviews, "
                f"with --out {self.run or 'FOLDER'}"
            )
        return path

    def _rows(self, name: str) -> Iterator[dict[str, Any]]:
        path = self._path(name)
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                try:
                    row = json.loads(line)
                    if (
                        not isinstance(row, dict)
                        or ("id" if name == "papers" else "paper") not in row
                    ):
                        raise ValueError("no record of a run")
                except (ValueError, RecursionError) as error:
                    raise RunError(f"{path}:{number}: {error}; run it again") from None
                yield row

    def _outcomes(self) -> Iterator[dict[str, Any]]:
        for row in self._rows("outcomes"):
            if row.get("perturbation") == self.perturbation:
                yield row

    def _tally(self) -> dict[str, Json]:
        counts: dict[str, dict[str, int]] = {}
        for row in self._outcomes():
            mine = counts.setdefault(str(row["agent"]), {"planned": 0, "failed": 0, "empty": 0})
            mine["planned"] += 1
            if row.get("failure"):
                mine["failed"] += 1
            elif not str(row.get("text") or "").strip():
                mine["empty"] += 1
        return {agent: {**counted} for agent, counted in counts.items()}

    def _review(
        self, row: Mapping[str, Any], paper: _Reviewed, tally: Mapping[str, Json]
    ) -> Paper | Skipped:
        agent, text = str(row["agent"]), str(row.get("text") or "")
        index, repeat = int(row.get("index", 0)), int(row.get("repeat", 0))
        more = "".join(f"#{number}" for number in (index, repeat) if number or index)
        id_, source = f"{agent}/{paper.id}{more}", f"{agent} on {paper.id}"
        if row.get("failure"):
            return Skipped(id_, f"no review: {agent} failed ({row['failure']})", source)
        if not text.strip():
            return Skipped(id_, f"no review: {agent} wrote no text", source)
        lists = meta_checklists() if self.checklists == "meta" else paper.checklists
        if not lists:
            return Skipped(id_, paper.lack or "its paper has no rubrics", source)
        extra: dict[str, Json] = {
            "paper": paper.id,
            "agent": agent,
            "repeat": repeat,
            "index": index,
            "rating": row.get("score"),
            "accept": row.get("accept"),
            "reference-rating": paper.rating,
            "reference-scale": paper.scale,
            "reference-accept": paper.accept,
            "tally": dict(tally),
        }
        materials = (
            Material("source", paper.text, paper.title),
            *(checklist.to_material() for checklist in lists),
        )
        try:
            # Without a title: a judge is not to know whose review it reads.
            labels = Labels(topic=agent, extra=extra)
            return Paper(id_, text, "", labels, source, (), materials)
        except PaperError as error:
            return Skipped(id_, f"no review: {error}", source)


@dataclass(frozen=True)
class _Reviewed:
    """A paper of the first run, as its record holds it."""

    id: str
    title: str
    text: str
    rating: float | None
    scale: str
    accept: bool | None
    checklists: tuple[Checklist, ...]
    lack: str

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> _Reviewed:
        extra = row.get("extra")
        checklists: tuple[Checklist, ...] = ()
        lack = ""
        rubrics = extra.get("rubrics") if isinstance(extra, Mapping) else None
        if rubrics:
            try:
                checklists = checklists_from_json(rubrics)
            except ChecklistProblem as error:
                lack = f"its paper has no rubrics that can be read: {error}"
        ratings = [float(rating) for rating in row.get("ratings") or ()]
        accept = row.get("accept")
        return cls(
            str(row["id"]),
            str(row.get("title") or ""),
            str(row.get("text") or ""),
            math.fsum(ratings) / len(ratings) if ratings else None,
            str(row.get("rating_scale") or ""),
            accept if isinstance(accept, bool) else None,
            checklists,
            lack,
        )
