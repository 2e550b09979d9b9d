"""The members of a bundle that contain rows, written from a run folder and read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from revkit.cache import Store
from revkit.errors import PaperError, RunError, reason_of
from revkit.execution.old_format import is_crash, notes_in, renew_crash
from revkit.execution.record_rows import (
    ScreenRecord,
    SkippedRecord,
    UndrawnRecord,
    failure_in,
)
from revkit.execution.recorded_run import Place
from revkit.execution.work import Answer, answer_from_json, asked_in, screens_from_json
from revkit.files.run_files import read_rows, rows_if_any
from revkit.model.columns import copy_fields, read_row
from revkit.model.edits import Edit
from revkit.model.paper import Material, Paper, Skipped, Undrawn
from revkit.model.paper_file import PaperFile
from revkit.model.review import Failure
from revkit.model.values import Json, canonical_bytes
from revkit.model.variant import Variant
from revkit.planning.graph import review_judgement


def write_rows(path: Path, rows: Iterable[Mapping[str, Json]]) -> None:
    """Write rows as JSON Lines."""
    with path.open("wb") as file:
        for row in rows:
            file.write(canonical_bytes(row) + b"\n")


_TEXTS = ("text", "title", "words", "materials")


def without_text(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a paper that a bundle may contain if the licence forbids sharing the
    text.
    """
    return {key: value for key, value in row.items() if key not in _TEXTS}


def papers_of(papers: Path, *skipped: Path) -> Iterator[Paper | Skipped]:
    """Return what a corpus yielded, from the rows of files: first the skipped records and the
    papers that were not drawn, then the papers.

    Their order among each other is in no record.
    """
    for path in skipped:
        yield from skipped_of(path)
    for row in rows_if_any(papers):
        yield paper_of(row, row.get("text"), row.get("title"))


def skipped_of(path: Path) -> Iterator[Skipped]:
    """Return the skipped records and the papers that were not drawn, which have a stratum. Raises
    `RunError` for an incomplete row.
    """
    for row in rows_if_any(path):
        try:
            if "stratum" in row:
                left = read_row(UndrawnRecord, row)
                yield Undrawn(left.id, "", left.source, left.stratum)
            else:
                yield copy_fields(Skipped, read_row(SkippedRecord, row))
        except (KeyError, TypeError):
            raise RunError(f"{path.name}: a row is incomplete") from None


def peers_in(papers: Path) -> Iterator[tuple[str, str]]:
    """Return the digest and the topic of each paper of a run."""
    return ((str(row["digest"]), str(row["topic"])) for row in read_rows(papers))


def reviews_in(*files: Path) -> dict[tuple[str, str], str]:
    """Return the digest of the human reviews of each paper, by its id and digest."""
    return {
        (str(row.get("id")), str(row.get("digest"))): str(digest)
        for path in files
        for row in rows_if_any(path)
        if (digest := row.get("reviews_digest"))
    }


def paper_of(
    row: Mapping[str, Any], text: Any, title: Any, materials: tuple[Material, ...] | None = None
) -> Paper:
    """Return the paper of a row, with its digest checked; ``materials`` replace those of the row.
    Raises `RunError` for a row of another form, and where the digest differs.
    """
    from revkit.venues import labels_of_row  # here: a run that reads no bundle needs none of it

    name = str(row.get("id"))[:200]
    try:
        labels = labels_of_row(row)
        labels.to_json()
        if materials is None:
            materials = tuple(Material(**material) for material in row.get("materials", ()))
        paper = Paper(
            row["id"],
            text,
            title,
            labels,
            row["source"],
            notes_in(row),
            materials,
            file=PaperFile(**row["file"]) if "file" in row else None,
        )
    except (KeyError, TypeError, ValueError, PaperError) as error:
        raise RunError(
            f"paper {name!r} is recorded in an unexpected form: {reason_of(error)}"
        ) from None
    if paper.digest != row.get("digest"):
        raise RunError(f"paper {name!r} is not the paper of the run: its text or title differs")
    return paper


def failures_of(records: Path) -> Iterator[dict[str, Any]]:
    """Return the failures that the store of a run does not keep, from its records: failed reviews
    and crashed variants.
    """
    for row in read_rows(records / "variants.jsonl"):
        if is_crash(row):
            node = f"perturb/{row['perturbation']}"
            crash = Variant(rejected=row["rejected"], outcome="crashed")
            yield _failure(row, node, row["index"], 0, Answer(crash))
    screens: dict[tuple[Any, ...], dict[str, list[Edit]]] = {}
    for row in read_rows(records / "screens.jsonl"):
        screen = read_row(ScreenRecord, row)
        edits = screens.setdefault(_place(row), {}).setdefault(screen.defense, [])
        edits.append(copy_fields(Edit, screen))
    for row in read_rows(records / "outcomes.jsonl"):
        if failure := failure_in(row):
            node = f"review/{row['agent']}/{row['perturbation'] or 'unchanged'}"
            seen = tuple((name, tuple(e)) for name, e in screens.get(_place(row), {}).items())
            answer = Answer(failure, seen, asked=row.get("asked", 1))
            yield _failure(row, node, row["index"], row["repeat"], answer)
    for row in rows_if_any(records / "judgements.jsonl"):
        if failure := failure_in(row):
            source = row["perturbation"] or "unchanged"
            node = f"judge/{row['judge']}/{row['rubric']}/{source}"
            if agent := row.get("agent"):
                node = review_judgement(row["judge"], row["rubric"], agent)
            yield _failure(row, node, row["index"], row["repeat"], Answer(failure))
    for row in rows_if_any(records / "queries.jsonl"):
        if failure := failure_in({"detail": "", "raw": "", **row}):
            node = f"attack/{row['agent']}/{row['strategy']}"
            yield _failure(row, node, row["number"], 0, Answer(failure))
    for row in rows_if_any(records / "attacks.jsonl"):
        if row["crashed_at"] is not None:
            node = f"attack/{row['agent']}/{row['strategy']}"
            failed = Answer(Failure("crashed", row["detail"]))
            yield _failure(row, node, row["crashed_at"], 0, failed)
    for row in rows_if_any(records / "transfers.jsonl"):
        if failure := failure_in({"detail": "", "raw": "", **row}):
            node = f"transfer/{row['target']}/{row['agent']}"
            yield _failure(row, node, 0, 0, Answer(failure))
    for row in rows_if_any(records / "probes.jsonl"):
        if failure := failure_in(row):
            yield _failure(row, f"probe/{row['agent']}", 0, 0, Answer(failure))
    for row in rows_if_any(records / "scores.jsonl"):
        if failure := failure_in(row):
            yield _failure(row, f"score/{row['agent']}", 0, row["repeat"], Answer(failure))


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[key] for key in ("agent", "paper", "perturbation", "index", "repeat"))


def _failure(
    row: Mapping[str, Any], node: str, index: int, repeat: int, answer: Answer
) -> dict[str, Json]:
    return {
        "paper": row["paper"],
        "node": node,
        "index": index,
        "repeat": repeat,
        "answer": answer.to_json(),
    }


def answers_from_failures(rows: Iterable[Mapping[str, Any]]) -> dict[Place, Answer]:
    """Return the answers in rows of `failures_of`, by node and item. Raises `RunError` for a row of
    another form.
    """
    found: dict[Place, Answer] = {}
    for row in rows:
        try:
            place = (row["paper"], row["node"], row["index"], row["repeat"])
            body = row["answer"]
            if str(row["node"]).startswith("perturb/"):
                found[place] = answer_from_json(renew_crash(body), "variant")
            else:
                screens = screens_from_json(body)
                failure = Failure(**body["value"])
                found[place] = Answer(failure, screens, lasting=False, asked=asked_in(body))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RunError(f"a failure is recorded in an unexpected form: {error}") from None
    return found


def calls_of(store: Store, keys: Iterable[bytes]) -> set[bytes]:
    """Return the keys of the model calls behind the answers under ``keys``."""
    calls: set[bytes] = set()
    for key in sorted(keys):
        value = store.get_json(key)
        if isinstance(value, Mapping) and isinstance(named := value.get("calls"), list):
            calls.update(map(_key, named))
    return calls


def write_answers(path: Path, store: Store, keys: Iterable[bytes]) -> None:
    """Write the content of ``store`` under ``keys``."""

    def rows() -> Iterator[dict[str, Json]]:
        for key in sorted(keys):
            value = store.get_json(key)
            if value is None:
                raise RunError(
                    f"the store {store.path} no longer contains the call {key.hex()[:16]}, which a "
                    "review uses"
                )
            yield {"key": key.hex(), "value": value}

    write_rows(path, rows())


def fill(store: Store, path: Path) -> None:
    """Put the answers of a bundle into ``store``. Raises `RunError` for a row that is not an answer
    with its key.
    """
    for row in read_rows(path):
        try:
            key = _key(row["key"])
            body = canonical_bytes(row["value"])
        except (KeyError, ValueError):  # also a number beyond all others, as 1e999
            raise RunError(f"{path.name}: a row is not an answer with its key") from None
        store.put(key, body)


def _key(text: Any) -> bytes:
    try:
        key = bytes.fromhex(text)
    except (TypeError, ValueError):
        key = b""
    if len(key) != 32:
        raise RunError(f"{str(text)[:80]!r} is not a key of an answer")
    return key
