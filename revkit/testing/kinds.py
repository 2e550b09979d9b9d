"""The contract of each kind of component, as checks that collect faults."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Protocol

from revkit.contracts import (
    Calibrator,
    Context,
    Curve,
    Exported,
    Reviewing,
    SearchSpace,
    Try,
    Unit,
    conversing,
    guards_of,
    may_converse,
)
from revkit.errors import PaperError, RevkitError, describe_error
from revkit.model.attack import Goal
from revkit.model.criterion import Criterion
from revkit.model.edits import Edit, ordered_edits
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.records import Records
from revkit.model.review import Failure, Review, Scale, checked
from revkit.model.table import Table
from revkit.model.values import canonical_json
from revkit.model.variant import Check, Layout, Rejection
from revkit.model.work import Work
from revkit.prompting import answer_requests
from revkit.testing.problems import Problems
from revkit.testing.records import tiny_experiment, tiny_records, tiny_run

_MOST_RECORDS = 20
_PROSE = ("paragraph", "list-item", "quote")


class KindCheck(Protocol):
    """One kind's check; ``context`` makes a context from a seed."""

    def __call__(
        self,
        component: Any,
        problems: Problems,
        *,
        papers: tuple[Paper, ...],
        may_edit: frozenset[str],
        context: Callable[[int], Context],
    ) -> None:
        """Add the faults of ``component`` to ``problems``."""


def _disguised(paper: Paper) -> Paper:
    """Return the same text under another id and other labels: a component must not see the
    difference.
    """
    labels = Labels(accept=not paper.labels.accept, decision="Withdrawn", severity=99.0)
    return replace(paper, id="another-" + paper.id, labels=labels, source="elsewhere")


def _same_answers(
    problems: Problems, papers: tuple[Paper, ...], ask: Callable[[Paper, int], Any]
) -> list[Any]:
    """Ask for each paper with two seeds; then again in another order, and with other ids and
    labels.
    """
    items = [(paper, seed) for paper in papers for seed in (0, 1)]

    def attempt(paper: Paper, seed: int) -> tuple[Any] | None:
        return problems.attempt(f"paper {paper.id!r}", lambda: (ask(paper, seed),))

    answered = [attempt(paper, seed) for paper, seed in items]
    first = [answer[0] for answer in answered if answer is not None]
    if len(first) < len(items):
        return first
    again = [ask(paper, seed) for paper, seed in reversed(items)][::-1]
    problems.expect(first == again, "the same paper and seed gave another answer the second time")
    hidden = [ask(_disguised(paper), seed) for paper, seed in items]
    problems.expect(first == hidden, "its answer depends on the id or the labels of a paper")
    blind = [ask(paper.blind(), seed) for paper, seed in items]
    problems.expect(first == blind, "its answer depends on the id or the labels of a paper")
    return first


def check_edits(
    paper: Paper, edits: Sequence[Edit], may_edit: frozenset[str], problems: Problems
) -> None:
    """Record where ``edits`` do not fit ``paper``, or touch what must not be edited."""
    try:
        kept = ordered_edits(paper.text, edits)
        paper.edited(kept)
    except PaperError as error:
        problems.add(str(error))
        return
    problems.expect(len(kept) == len(edits), "it returns edits that change nothing")
    before, after = _kept_blocks(paper, may_edit), _kept_blocks(paper.edited(kept), may_edit)
    if before != after:
        changed = [block for block in before if block not in after] or after
        problems.add(f"its edits of {paper.id!r} change blocks that are not prose: {changed[:1]}")
    for edit in kept:
        excerpt = paper.text[edit.start : edit.end][:40]
        where = f"edit {edit.start}:{edit.end} of {paper.id!r} ({excerpt!r} -> {edit.new[:40]!r})"
        for block in paper.blocks:
            if (
                block.kind not in (*_PROSE, *may_edit)
                and edit.start < block.end
                and edit.end > block.start
            ):
                problems.add(f"{where} touches a {block.kind}")
        if "protected" not in may_edit:
            _check_protected(paper, edit, where, problems)


def _kept_blocks(paper: Paper, may_edit: frozenset[str]) -> list[tuple[str, str]]:
    return [
        (block.kind, paper.text[block.start : block.end])
        for block in paper.blocks
        if block.kind not in (*_PROSE, *may_edit)
    ]


def _check_protected(paper: Paper, edit: Edit, where: str, problems: Problems) -> None:
    for block in paper.blocks:
        if block.kind in _PROSE and edit.start < block.end and edit.end > block.start:
            for span in paper.protected(block.start, block.end):
                if edit.start < span.end and edit.end > span.start:
                    text = paper.text[span.start : span.end][:40]
                    problems.add(f"{where} touches {text!r}, which is not prose")


def _corpus(component: Any, problems: Problems, **given: Any) -> None:
    def read() -> list[Paper | Skipped]:
        return list(islice(component.papers(given["context"](0)), _MOST_RECORDS))

    first = problems.attempt("reading it", read)
    if first is None:
        return
    for record in first:
        if isinstance(record, Paper):
            problems.attempt("labels", partial(canonical_json, record.labels.to_json()))
        elif not isinstance(record, Skipped):
            problems.add(f"it yields a {type(record).__name__}, neither Paper nor Skipped")
    problems.expect(read() == first, "a second reading returns other records")
    ids = [record.id for record in first if isinstance(record, Paper)]
    problems.expect(len(set(ids)) == len(ids), "two papers share an id")
    count = problems.attempt("count", lambda: (component.count(),))
    if count and count[0] is not None and len(first) < _MOST_RECORDS:
        problems.expect(
            count[0] == len(first), f"its count is {count[0]}, but it yields {len(first)}"
        )
    most = problems.attempt("most_papers", lambda: (component.most_papers(),))
    if most and most[0] is not None and len(first) < _MOST_RECORDS:
        problems.expect(
            len(ids) <= most[0], f"it yields {len(ids)} papers, more than its most_papers {most[0]}"
        )


def _perturbation(component: Any, problems: Problems, **given: Any) -> None:
    def ask(paper: Paper, seed: int) -> Any:
        made = component.perturb(paper, given["context"](seed))
        if isinstance(made, Layout | Rejection):
            return made
        if not isinstance(made, Iterable):
            raise TypeError(f"expected edits, a Layout or a Rejection, not {type(made).__name__}")
        return tuple(made)

    papers = given["papers"]
    answers = _same_answers(problems, papers, ask)
    for made, (paper, seed) in zip(answers, [(p, s) for p in papers for s in (0, 1)], strict=False):
        if isinstance(made, Rejection):
            problems.expect(bool(made.reason), "it rejects without a reason")
            continue
        if isinstance(made, Layout):
            problems.expect(bool(made.name), "its layout has no name")
            problems.attempt("layout", partial(paper.laid_out, made.name))
            continue
        check_edits(paper, made, given["may_edit"], problems)
        way = problems.attempt("direction", partial(component.direction, paper, made))
        problems.expect(isinstance(way, str), f"its direction must be a text, not {way!r}")
        context = given["context"](seed)
        checks = problems.attempt("gates", partial(component.gates, paper, made, context))
        for check in checks or ():
            _check_check(check, problems)


def _check_check(check: object, problems: Problems) -> None:
    if not isinstance(check, Check) or not isinstance(check.passed, bool):
        problems.add(f"expected a Check that passed or not, got {check!r}")
        return
    problems.attempt("a check as JSON", lambda: canonical_json(check.to_json()))
    problems.expect(
        check.value is not None or check.limit is None or not check.passed,
        f"check {check.name!r} has a limit that it passed without a value",
    )


def _some_edits(paper: Paper) -> tuple[Edit, ...]:
    """Return harmless edits to judge: the first word of each of the first three sentences,
    doubled.
    """
    return tuple(
        Edit(sentence.start, sentence.start, paper.text[sentence.start :].split()[0] + " ")
        for sentence in paper.sentences[:3]
    )


def _constraint(component: Any, problems: Problems, **given: Any) -> None:
    def ask(paper: Paper, seed: int) -> Any:
        edits = _some_edits(paper)
        context = given["context"](seed)
        kept = tuple(component.prune(paper, edits, context))
        problems.expect(set(kept) <= set(edits), "prune returns new edits; it may only drop some")
        return kept, component.check(paper, kept, context)

    for _, check in _same_answers(problems, given["papers"], ask):
        _check_check(check, problems)


def _agent(component: Any, problems: Problems, **given: Any) -> None:
    scale = problems.attempt("scale", lambda: component.scale)
    if not isinstance(scale, Scale):
        problems.add(f"its scale must be a Scale, not {scale!r}")
        return
    from revkit.planning.roles import roles_of

    problems.attempt("its roles", lambda: roles_of(component))

    def ask(paper: Paper, seed: int) -> Any:
        return component.review(paper, given["context"](seed))

    answers = _same_answers(problems, given["papers"], ask)
    for answer in answers:
        _check_outcome(answer, scale, problems)
    if component.deterministic and answers[::2] != answers[1::2]:
        problems.add("it declares itself deterministic, but another seed gives another answer")
    if may_converse(component):
        for paper in given["papers"]:
            problems.attempt(
                "a conversation", partial(_check_talk, component, problems, paper, given)
            )


def _check_talk(component: Any, problems: Problems, paper: Paper, given: Mapping[str, Any]) -> None:
    context = given["context"](1)
    talk = component.conversation(paper.blind(), conversing(context))
    talked = answer_requests(talk, context.complete)
    problems.expect(
        talked == component.review(paper.blind(), given["context"](1)),
        "its conversation has another outcome than its review",
    )


def _check_outcome(answer: object, scale: Scale, problems: Problems) -> None:
    if isinstance(answer, Failure):
        return
    found = checked(answer, scale)  # type: ignore[arg-type]
    if isinstance(found, Failure):
        problems.add(found.detail)
    elif isinstance(answer, Review) and answer.score is not None and answer.accept is not None:
        implied = scale.accepts(answer.score)
        problems.expect(
            implied is None or implied == answer.accept,
            f"its verdict {answer.accept} contradicts its score {answer.score} on its own scale",
        )


def _defense(component: Any, problems: Problems, **given: Any) -> None:
    def ask(paper: Paper, seed: int) -> Any:
        screened = component.screen(paper, given["context"](seed))
        return screened if isinstance(screened, Failure) else tuple(screened)

    papers = given["papers"]
    answers = _same_answers(problems, papers, ask)
    for screened, paper in zip(answers, [p for p in papers for _ in (0, 1)], strict=False):
        if not isinstance(screened, Failure):
            check_edits(paper, screened, given["may_edit"], problems)
    _check_guard(component, problems, papers, given["context"])


def _check_guard(
    component: Any, problems: Problems, papers: tuple[Paper, ...], context: Callable[[int], Context]
) -> None:
    """Let a guard wrap a reviewer that counts words, twice, and check what it returns."""
    if component.changes_prompts or not guards_of([component]):
        return
    scale = Scale("words", 0, 1e6, accept_at=10)

    def count(paper: Paper, _change: object) -> Review:
        words = len(paper.text.split())
        return Review(words >= 10, float(words))

    def ask(paper: Paper, seed: int) -> Any:
        return component.guard(paper.blind(), Reviewing(scale, count), context(seed))

    for answer in _same_answers(problems, papers, ask):
        _check_outcome(answer, scale, problems)


def _rubric(component: Any, problems: Problems, **_: Any) -> None:
    from revkit.spec.problems import criterion_fault

    found = problems.attempt("the criterion", lambda: (component.criterion,))
    if found is None:
        return
    criterion = found[0]
    if fault := criterion_fault(criterion):
        problems.add(fault)
    elif isinstance(criterion, Criterion):
        problems.attempt("the criterion as JSON", lambda: canonical_json(criterion.to_json()))
        problems.expect(bool(criterion.question.strip()), "the criterion asks no question")


def _strategy(component: Any, problems: Problems, **given: Any) -> None:
    scale = Scale("check", 1.0, 10.0, accept_at=6.0)
    units = tuple(Unit(n, "ab"[n % 2], n // 3, "may", "will") for n in range(12))
    clean = Try((), "missed", False, 4.0)
    space = SearchSpace(units, 15, Goal(), "score", clean, scale)

    def play(good: int) -> list[tuple[int, ...]]:
        """Let it search where each unit below ``good`` is worth half a point."""
        asked: list[tuple[int, ...]] = []
        search = component.search(space, given["context"](0))
        try:
            proposal = next(search)
            for _ in range(space.budget):
                chosen = space.applied(proposal)
                asked.append(chosen)
                score = 4.0 + sum(unit < good for unit in chosen) / 2
                outcome: Any = "met" if score >= 6.0 else "missed"
                proposal = search.send(Try(chosen, outcome, score >= 6.0, score))
        except StopIteration:
            pass
        search.close()
        return asked

    for good in (0, 12):
        asked = problems.attempt("searching", partial(play, good))
        if asked is not None:
            problems.expect(play(good) == asked, "the same answers lead to other proposals")
            problems.expect(bool(asked), "it proposes nothing")


def _calibrator(component: Any, problems: Problems, **_: Any) -> None:
    # Tuples, as in a run: a fit cannot change them.
    raw = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)
    target = (5.0, 10.0, 20.0, 30.0, 50.0, 60.0, 80.0, 95.0)
    fitted = problems.attempt("fit", lambda: (component.fit(raw, target),))
    if fitted is None:
        return
    curve = fitted[0]
    if not isinstance(curve, Curve):
        problems.add(f"expected a Curve from fit, not {type(curve).__name__}")
        return
    stored = problems.attempt("the curve as JSON", lambda: canonical_json(curve.to_json()))
    if stored is not None and type(component).load is not Calibrator.load:
        _check_load(component, stored, problems)
    mapped = problems.attempt("mapping scores", lambda: [float(value) for value in curve(raw)])
    if mapped is not None:
        problems.expect(len(mapped) == len(raw), "the curve returns another number of scores")
        problems.expect(
            all(map(math.isfinite, mapped)), "the curve returns values that are not finite"
        )


def _check_load(component: Any, stored: str, problems: Problems) -> None:
    loaded = problems.attempt("load", lambda: (component.load(json.loads(stored)),))
    if loaded is None:
        return
    curve = loaded[0]
    if not isinstance(curve, Curve):
        problems.add(f"expected a Curve from load, not {type(curve).__name__}")
        return
    again = problems.attempt("the loaded curve as JSON", lambda: canonical_json(curve.to_json()))
    problems.expect(again in (None, stored), "load returns another curve than the one stored")


def _metric(component: Any, problems: Problems, **_: Any) -> None:
    full = tiny_records()
    table = problems.attempt("measuring", lambda: component.measure(full))
    if not isinstance(table, Table):
        problems.add(f"expected a Table, not {type(table).__name__}")
        return
    problems.expect(
        component.measure(tiny_records()) == table, "the same records give two different tables"
    )
    declared = component.table_columns
    measures = {(each.by, each.column, each.aspect) for each in component.table_measures}
    fits = (component.name, tuple(declared)) == (table.name, tuple(table.columns))
    fits = fits and measures >= {(each.by, each.column, each.aspect) for each in table.measures}
    problems.expect(
        fits or not declared,
        "its table has another name, other columns or other measures than it declares",
    )
    stored = Table.from_json(table.to_json())
    problems.expect(stored == table, "the table changes when it is stored and read again")
    # Degenerate records: a defined table, or an error that says what is missing.
    emptied: list[Records] = [
        replace(full, papers=[], variants=[], verdicts=[], skipped={}),
        replace(full, verdicts=[v for v in full.verdicts if not v.perturbation], variants=[]),
        replace(full, verdicts=[_failed(v) for v in full.verdicts]),
        replace(full, agents=full.agents[:1], verdicts=full.verdicts[:3]),
    ]
    for records in emptied:
        try:
            component.measure(records)
        except RevkitError:
            continue
        except Exception as error:
            problems.add(f"degenerate records raised {describe_error(error)}")


def _failed(verdict: Any) -> Any:
    return replace(verdict, accept=None, score=None, failure="timeout")


def _searcher(component: Any, problems: Problems, **given: Any) -> None:
    def search() -> Any:
        found = component.search("attention over long documents", 3, given["context"](0))
        return found if isinstance(found, Failure) else list(found)

    found = problems.attempt("searching", search)
    if found is None or isinstance(found, Failure):
        return
    problems.expect(len(found) <= 3, f"asked for 3 works, it returns {len(found)}")
    strange = [work for work in found if not isinstance(work, Work)]
    problems.expect(
        not strange, f"expected a Work, not {type(strange[0]).__name__}" if strange else ""
    )
    if not strange:
        problems.attempt("works as JSON", lambda: canonical_json([w.to_json() for w in found]))
        problems.expect(search() == found, "the same search returns other works")


def _embedder(component: Any, problems: Problems, **_: Any) -> None:
    import numpy

    texts = ["A gate on tokens.", "Peer review is slow.", "A gate on tokens.", "x", "\u00e9 \u4e2d"]
    vectors = problems.attempt("embedding", lambda: numpy.asarray(component.embed(texts)))
    if vectors is None:
        return
    if vectors.ndim != 2 or vectors.shape[0] != len(texts):
        problems.add(f"expected one row for each of {len(texts)} texts, got {vectors.shape}")
        return
    problems.expect(vectors.dtype == numpy.float32, f"expected float32, not {vectors.dtype}")
    norms = numpy.linalg.norm(vectors.astype(float), axis=1)
    problems.expect(bool((abs(norms - 1) < 1e-3).all()), f"rows are not unit vectors: {norms}")
    problems.expect(
        bool((vectors[0] == vectors[2]).all()), "the same text has two vectors in one call"
    )
    alone = numpy.asarray(component.embed(texts[1:2]))
    problems.expect(
        bool(numpy.allclose(alone[0], vectors[1], atol=1e-5)),
        "the vector of a text depends on the other texts in the call",
    )


def _reporter(component: Any, problems: Problems, **_: Any) -> None:
    files = problems.attempt("rendering", lambda: dict(component.render(tiny_run())))
    if files is None:
        return
    for name, text in files.items():
        problems.expect(
            isinstance(name, str) and isinstance(text, str), f"file {name!r} is not text"
        )
        problems.expect(
            not str(name).startswith("/") and ".." not in str(name).split("/"),
            f"file {name!r} lies outside the run folder",
        )
    again = dict(component.render(tiny_run()))
    problems.expect(again == files, "rendering twice gives two reports")
    summary = problems.attempt("summary", lambda: component.summary(files))
    problems.expect(summary is None or isinstance(summary, str), "its summary is not text")


def echo(text: str) -> str:
    """Return what an executor was given to do: the work with which `check_component` tries it."""
    return f"done {text}"


def _executor(component: Any, problems: Problems, **_: Any) -> None:
    problems.expect(1 <= component.at_once <= component.shards, "expected at_once from 1 to shards")
    tasks = [json.dumps({"number": number}) for number in range(3)]
    try:
        done = sorted(component.run(echo, tasks, lambda: False))
        none = list(component.run(echo, tasks, lambda: True))
    except RevkitError:
        return  # its workers cannot be reached here
    except (Exception, SystemExit) as error:
        problems.add(f"running crashes: {describe_error(error)}")
        return
    problems.expect(done == sorted(map(echo, tasks)), f"expected three results, got {done!r}")
    problems.expect(not none, f"a run that is stopped began {len(none)} tasks")


def _exporter(component: Any, problems: Problems, **_: Any) -> None:
    problems.expect(
        bool(component.folder) and not Path(component.folder).is_absolute(),
        f"folder {component.folder!r} is not a valid folder name",
    )
    files = [_exported_files(component, problems) for _ in range(2)]
    problems.expect(files[0] == files[1], "exporting twice gives different files")


def _exported_files(component: Any, problems: Problems) -> dict[str, bytes] | None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "out"
        try:
            done = component.export(tiny_experiment(), folder)
        except RevkitError:
            return None  # this experiment is not one that it can export
        except (Exception, SystemExit) as error:
            problems.add(f"exporting crashes: {describe_error(error)}")
            return None
        problems.expect(isinstance(done, Exported), f"expected an Exported, not {done!r}")
        return {
            path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }


CHECKS: Mapping[str, KindCheck] = {
    "corpus": _corpus,
    "perturbation": _perturbation,
    "constraint": _constraint,
    "agent": _agent,
    "defense": _defense,
    "rubric": _rubric,
    "strategy": _strategy,
    "calibrator": _calibrator,
    "metric": _metric,
    "searcher": _searcher,
    "embedder": _embedder,
    "reporter": _reporter,
    "exporter": _exporter,
    "executor": _executor,
}
