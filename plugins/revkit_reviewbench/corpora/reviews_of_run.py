"""The corpus `reviews-of-run`: the reviews of a finished run, which a second run judges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Literal

from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.errors import PaperError, RunError
from revkit.model.judged_review import ReviewLabels, review_as_paper
from revkit.model.paper import Material, Paper, Skipped
from revkit.model.values import Json, digest_of
from revkit.options import option, options_of
from revkit_reviewbench.checklists import meta_checklists
from revkit_reviewbench.corpora.finished_runs import (
    FinishedRun,
    Planting,
    Reviewed,
    finished_runs,
)

UNCHANGED = "unchanged"
NO_RUBRICS = "its paper has no rubrics (checklists: meta judges without)"
_ALL = "all"


@dataclass(frozen=True)
class ReviewsOfRun(Corpus):
    """One paper for each review of a finished run, which ReviewBench's evaluator scores.

    ``run`` is the folder of a run whose corpus carries rubrics (`review-bench`,
    `synthetic-bench`). The text of a paper is the review's text as its agent wrote it; its
    ``materials`` are the reviewed paper (role "source") and the checklists of its dimensions (role
    "rubric", the dimension as title). ``labels.topic`` is the agent's name, which no judge sees,
    and ``labels.extra`` holds ``paper``, ``agent``, ``perturbation``, ``repeat``, ``venue``, the
    review's ``rating`` and ``accept``, the reference's, and ``tally``: of each agent of the run how
    many reviews were planned, failed or came without text, by perturbation.

    The folder of a sweep represents the runs of all its points. Agents then carry the label of
    their point ("reranker=bge-base/grounder"), also where the sweep changes nothing for them: each
    point has all its agents, and reviews that are the same are judged once. A paper is the same in
    two points if id and text are; else it counts as two, its id with the label before it.

    If perturbations of the run planted statements (such as `misleading-information`), a review of a
    variant also has these statements among its materials (role "planted"), and a review of an
    unchanged paper those of all perturbations of the paper. The judge `planted-checker` reads them.

    Skipped and counted: reviews that failed or have no text, reviews of papers without rubrics.
    ``checklists: meta`` judges every paper by the eight meta-rubrics, not by its rubrics. Reviews
    of variants are left alone, unless ``perturbation`` names them: a variant's review is judged by
    the rubrics and the text of the unchanged paper, since an attack does not change what there is
    to say about a paper.
    """

    name: ClassVar[str] = "reviews-of-run"
    version: ClassVar[str] = "1"
    run: str = option(help="The folder of the finished run, or of a sweep.")
    checklists: Literal["paper", "meta"] = option(
        "paper", help="Judge by the rubrics of each paper, or by the meta-rubrics for all."
    )
    perturbation: str | tuple[str, ...] = option(
        "",
        help=(
            "Which reviews to use: those of one perturbation, a list of them (unchanged: reviews "
            "of unchanged papers), all (these and those of every perturbation); empty: unchanged."
        ),
    )

    def papers(self, ctx: Context) -> Iterator[Paper | Skipped]:
        """Yield the reviews in the order of the run. Raises `RunError` if the folder is not a
        run.
        """
        runs = finished_runs(self.name, self.run)
        loaded = [{str(r["id"]): Reviewed.of(r) for r in run.rows("papers")} for run in runs]
        several = _several(loaded)
        planted = [run.planted() for run in runs]
        tally = self._tally(runs)
        for run, reviewed, statements in zip(runs, loaded, planted, strict=True):
            for row in self._outcomes(run):
                paper = reviewed.get(str(row["paper"]))
                if paper is None:
                    raise RunError(
                        f"{run.folder}: a review is of {row['paper']!r}, which is not a paper"
                    )
                key = f"{run.label}/{paper.id}" if paper.id in several else paper.id
                found = self._review(row, run.agent(str(row["agent"])), paper, key, tally)
                yield _with_statements(found, statements, row)

    def count(self) -> int | None:
        """Return the number of reviews in the run, failed ones included; None before there is a
        run.
        """
        try:
            runs = finished_runs(self.name, self.run)
            return sum(1 for run in runs for _ in self._outcomes(run))
        except (RunError, OSError):
            return None

    def identity(self) -> Json:
        """Return the options, with the content of the records instead of the folder's path."""
        options = {key: value for key, value in options_of(self).items() if key != "run"}
        runs = finished_runs(self.name, self.run)
        digests: list[Json] = [{"label": run.label, **run.digests()} for run in runs]
        planted = [text for run in runs for text in sorted(run.planted().values())]
        own: dict[str, Json] = {"planted": digest_of([*planted])} if planted else {}
        return {**options, "runs": digests, **own}

    @property
    def _named(self) -> tuple[str, ...]:
        """Return the requested perturbations, "" for none; an empty result means every one."""
        given = (self.perturbation,) if isinstance(self.perturbation, str) else self.perturbation
        if given == (_ALL,):
            return ()
        return tuple("" if name == UNCHANGED else name for name in given or ("",))

    def _outcomes(self, run: FinishedRun) -> Iterator[dict[str, Any]]:
        named = self._named
        for row in run.rows("outcomes"):
            if not named or row.get("perturbation") in named:
                yield row

    def _tally(self, runs: Sequence[FinishedRun]) -> dict[str, Json]:
        """Count the outcomes of the reviews. Raises `RunError` if named reviews are missing."""
        counts: dict[str, dict[str, dict[str, int]]] = {}
        for run in runs:
            for row in self._outcomes(run):
                mine = counts.setdefault(run.agent(str(row["agent"])), {})
                kind = str(row.get("perturbation") or "")
                counted = mine.setdefault(kind, {"planned": 0, "failed": 0, "empty": 0})
                counted["planned"] += 1
                if row.get("failure"):
                    counted["failed"] += 1
                elif not str(row.get("text") or "").strip():
                    counted["empty"] += 1
        found = {kind for mine in counts.values() for kind in mine}
        for name in self._named or (() if found else ("",)):
            if name not in found:
                of = f"of the perturbation {name!r}" if name else "of unchanged papers"
                raise RunError(f"{self.run} contains no review {of}; name a run with agents")
        return {
            agent: {kind: {**counted} for kind, counted in mine.items()}
            for agent, mine in counts.items()
        }

    def _review(
        self,
        row: Mapping[str, Any],
        agent: str,
        paper: Reviewed,
        key: str,
        tally: Mapping[str, Json],
    ) -> Paper | Skipped:
        text = str(row.get("text") or "")
        kind = str(row.get("perturbation") or "")
        index, repeat = int(row.get("index", 0)), int(row.get("repeat", 0))
        about = ReviewLabels(
            agent=agent,
            paper=key,
            perturbation=kind,
            repeat=repeat,
            index=index,
            venue=paper.venue,
            rating=row.get("score"),
            accept=row.get("accept"),
            reference_rating=paper.rating,
            reference_scale=paper.scale,
            reference_accept=paper.accept,
        )
        id_, source = about.id, f"{agent} on {f'{key}/{kind}' if kind else key}"
        if row.get("failure"):
            return Skipped(id_, f"no review: {agent} failed ({row['failure']})", source)
        if not text.strip():
            return Skipped(id_, f"no review: {agent} wrote no text", source)
        lists = meta_checklists() if self.checklists == "meta" else paper.checklists
        if not lists:
            return Skipped(id_, paper.lack or NO_RUBRICS, source)
        materials = [checklist.to_material() for checklist in lists]
        reviewed = Material("source", paper.text, paper.title)
        try:
            return review_as_paper(id_, text, reviewed, materials, about.labels(tally), source)
        except PaperError as error:
            return Skipped(id_, f"no review: {error}", source)


def _with_statements(
    found: Paper | Skipped, statements: Mapping[Planting, str], row: Mapping[str, Any]
) -> Paper | Skipped:
    """Return a review with the statements that were planted in the paper of the outcome ``row``."""
    key = (str(row["paper"]), str(row.get("perturbation") or ""), int(row.get("index", 0)))
    text = statements.get(key, "")
    if isinstance(found, Skipped) or not text:
        return found
    return replace(found, materials=(*found.materials, Material("planted", text)))


def _several(loaded: Sequence[Mapping[str, Reviewed]]) -> frozenset[str]:
    """Return the ids under which the points of a sweep have different texts."""
    first: dict[str, str] = {}
    found = set()
    for papers in loaded:
        for id_, paper in papers.items():
            if first.setdefault(id_, paper.text) != paper.text:
                found.add(id_)
    return frozenset(found)
