"""Merge the shards of an experiment: one store, and the run folder that a run in one piece writes.

No item is computed: answers come from the stores of the shards, failures from their records. Only
maps, tables and reports, which need all items, are computed here.
"""

from __future__ import annotations

import heapq
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from revkit.cache import Store
from revkit.dataclass import dataclass
from revkit.errors import RunError, reason_of
from revkit.execution.bundle.export import read_json
from revkit.execution.bundle.rows import (
    answers_from_failures,
    failures_of,
    paper_of,
    reviews_in,
    skipped_of,
)
from revkit.execution.folder import MARK, digest_of_run, in_use
from revkit.execution.record_lines import digest_of_records
from revkit.execution.recorded_run import Recorded
from revkit.execution.run import Run
from revkit.execution.runner import repeat_run
from revkit.execution.shards.shard import Shard
from revkit.execution.shards.shard_run import ABOUT, FORMAT
from revkit.execution.sources import digest_of_peers
from revkit.execution.warning import RunWarning, mixed_arithmetic_warning
from revkit.files.run_files import records_file, records_folder, rows_if_any
from revkit.files.yaml_source import read_source
from revkit.identity import core_digest
from revkit.model.paper import Paper, Skipped
from revkit.places import STORE
from revkit.registry import Registry
from revkit.services import arithmetic_in
from revkit.spec import Experiment, load_experiment

_SHOWN = 8
# What all shards of one run have in common, and how an error names it.
_COMMON: Mapping[str, str] = {
    "format": "the format",
    "count": "the number of shards",
    "experiment": "the experiment",
    "revkit": "the version of revkit",
    "core": "the code of revkit",
    "components": "the versions of components or their data files",
    "contents": "the files or prompts of components",
    "keys": "the versions, options or files of components",
    "packages": "the versions of packages",
    "corpus": "the content of the corpus",
    "papers_of_corpus": "the number of papers in the corpus",
    "anchors_of_corpus": "the number of anchors in the corpus",
}


@dataclass(frozen=True)
class FinishedShard:
    """The folder of a finished shard, and what its ``shard.json`` states."""

    folder: Path
    shard: Shard
    about: Mapping[str, Any]

    @property
    def store(self) -> Path:
        """The store of the shard: in its folder, or at the place that it names."""
        return self.folder / str(self.about["store"])

    def records(self, name: str) -> Path:
        """Return the path of one file of records."""
        return records_file(self.folder, name)


def merge_shards(
    folders: Sequence[Path],
    registry: Registry,
    *,
    out: Path | None = None,
    store: Path | None = None,
    overwrite: bool = False,
    quiet: bool = True,
    stop: threading.Event | None = None,
) -> Run:
    """Merge the shards in ``folders`` and write the run folder ``out``; see `revkit.api.merge`."""
    shards = find_shards(folders)
    check_together(shards)
    _check_assertions(shards)
    experiment = _experiment(shards[0], registry)
    return _merged(
        shards, experiment, out=out, store=store, overwrite=overwrite, quiet=quiet, stop=stop
    )


def merge_into(
    experiment: Experiment,
    folders: Sequence[Path],
    *,
    out: Path,
    store: Path,
    quiet: bool = True,
    stop: threading.Event | None = None,
) -> Run:
    """Merge the shards of ``experiment`` in ``folders`` and write the run folder ``out``. Raises
    `RunError` where a shard is missing, unfinished or of another experiment.
    """
    shards = find_shards(folders)
    check_together(shards)
    if shards[0].about["experiment"] != experiment.digest:
        raise RunError(f"{shards[0].folder} is not a shard of {experiment.name}")
    return _merged(shards, experiment, out=out, store=store, quiet=quiet, stop=stop)


def _merged(
    shards: Sequence[FinishedShard],
    experiment: Experiment,
    *,
    out: Path | None,
    store: Path | None,
    quiet: bool,
    overwrite: bool = False,
    stop: threading.Event | None = None,
) -> Run:
    out = out or Path("runs") / f"{experiment.name}-{experiment.digest[:8]}"
    ways: dict[str, None] = {}
    with Store(store or STORE) as answers:
        for path in dict.fromkeys(each.store.resolve() for each in shards):
            if not path.is_file():
                names = ", ".join(
                    str(each.shard) for each in shards if each.store.resolve() == path
                )
                raise RunError(f"the store {path} of shard {names} is missing; copy it there")
            if experiment.embedder is not None:
                with Store(path) as part:
                    ways[arithmetic_in(part, experiment.embedder)] = None
            answers.merge(path)
        return repeat_run(
            experiment,
            _recorded(shards, answers),
            out=out,
            store=answers,
            quiet=quiet,
            overwrite=overwrite,
            stop=stop,
            warnings=_mixed(experiment, [way for way in ways if way]),
        )


def _mixed(experiment: Experiment, ways: Sequence[str]) -> Iterator[RunWarning]:
    """The warning about shards whose vectors were computed in several ways."""
    if experiment.embedder is not None and len(ways) > 1:
        yield mixed_arithmetic_warning(experiment.embedder.name, ways[0], "; ".join(ways[1:]))


def find_shards(folders: Sequence[Path]) -> list[FinishedShard]:
    """Return the shards in ``folders`` and directly below them, in the order of their numbers.

    Raises `RunError` if one is unreadable, unfinished or still running, or if there is none.
    """
    found = [_finished(each) for folder in folders for each in _candidates(folder)]
    if not found:
        names = ", ".join(map(str, folders))
        raise RunError(f"there is no shard in {names}; `revkit run SPEC --shard 1/4` makes one")
    return sorted(found, key=lambda each: each.shard.number)


def _candidates(folder: Path) -> list[Path]:
    if (folder / ABOUT).is_file() or (folder / MARK).is_file():
        return [folder]
    if not folder.is_dir():
        raise RunError(f"the folder {folder} does not exist")
    inner = [each for each in folder.iterdir() if (each / MARK).is_file()]
    return sorted(inner)


def _finished(folder: Path) -> FinishedShard:
    if in_use(folder):
        raise RunError(f"{folder} is still running; wait for it")
    if not (folder / ABOUT).is_file():
        what = "a whole run, not" if (folder / "result.json").is_file() else "not"
        raise RunError(f"{folder} is {what} a finished shard; run its command again")
    about = read_json(folder, ABOUT)
    try:
        found = about["format"]
        if type(found) is not int or found > FORMAT:
            raise RunError(
                f"{folder} was written by a newer revkit (format {found!r:.20}); upgrade"
            )
        if found < FORMAT:
            raise RunError(
                f"{folder} was written by an older revkit; merge its shards with that version, or "
                "run them again"
            )
        shard = Shard(int(about["number"]), int(about["count"]))
        whole = [about[name] for name in (*_COMMON, "papers", "anchors", "skipped")]
        whole += [about["records"], about["store"]]
        if not all(map(_are_places, whole[-5:-2])):
            raise TypeError("papers, anchors and skipped must be lists of numbers")
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(
            f"{folder / ABOUT} was not written by a shard ({reason_of(error):.100})"
        ) from None
    if digest_of_run(folder) != shard.digest(str(about["experiment"])):
        raise RunError(f"{folder / ABOUT} does not belong to the run in {folder}")
    try:
        if digest_of_records(folder) != about["records"]:
            raise RunError(f"the records in {folder} were changed; run its command again")
    except OSError as error:
        raise RunError(
            f"the records in {folder} cannot be read: {error.strerror or error}; run its command "
            "again"
        ) from error
    return FinishedShard(folder, shard, about)


def _are_places(value: Any) -> bool:
    return isinstance(value, list) and all(type(each) is int and each >= 0 for each in value)


def check_together(shards: Sequence[FinishedShard]) -> None:
    """Raise `RunError` unless ``shards`` are all the shards of one experiment, run by the same code
    on the same corpus.
    """
    first = shards[0]
    for each in shards[1:]:
        for name, what in _COMMON.items():
            if each.about[name] != first.about[name]:
                detail = _difference(first.about[name], each.about[name])
                remedy = (
                    "Name the shards of one experiment that was divided once"
                    if name in ("count", "experiment")
                    else "Run one of them again, so that both use the same software and files"
                )
                raise RunError(
                    f"{first.folder} and {each.folder} are not shards of one run; this is not the "
                    f"same in both: {what}{detail}. {remedy}"
                )
    numbers: dict[int, Path] = {}
    for each in shards:
        if each.shard.number in numbers:
            other = numbers[each.shard.number]
            raise RunError(f"{other} and {each.folder} are both shard {each.shard}; name one")
        numbers[each.shard.number] = each.folder
    missing = [number for number in range(1, first.shard.count + 1) if number not in numbers]
    if missing:
        names = ", ".join(f"{number}/{first.shard.count}" for number in missing[:_SHOWN])
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        raise RunError(
            f"{len(missing)} of {first.shard.count} shards are missing: {names}{more}; run each "
            "with --shard, or name its folder"
        )
    for source in ("papers", "anchors"):
        taken = sorted(chain.from_iterable(each.about[source] for each in shards))
        if taken != list(range(first.about[f"{source}_of_corpus"])):
            raise RunError(
                f"the shards do not have each of the {source} exactly once; run them again"
            )


def _check_assertions(shards: Sequence[FinishedShard]) -> None:
    """Raise `RunError` unless all shards have the same assertions, which the merged run is to meet.

    Assertions change no answer, so they are not part of the digest of an experiment.
    """
    first, *others = shards
    expected = _assertions_of(first)
    for each in others:
        found = _assertions_of(each)
        if found != expected:
            both = {*expected} & {*found}
            apart = next((text for text in [*expected, *found] if text not in both), "")
            which = f" ({apart:.120})" if apart else ""
            raise RunError(
                f"{first.folder} and {each.folder} do not have the same assertions{which}, so it "
                "is not known which the merged run has to meet. Run one of them again with the "
                "specification of the other; its answers are cached"
            )


def _assertions_of(shard: FinishedShard) -> list[str]:
    value = read_source(shard.folder / "spec.yaml").value
    texts = value.get("assert") if isinstance(value, dict) else None
    return [str(each) for each in texts] if isinstance(texts, list) else []


def _difference(one: Any, other: Any) -> str:
    """Return the first entries that differ, for an error; "" for long values."""
    if isinstance(one, dict) and isinstance(other, dict):
        names = sorted(name for name in {*one, *other} if one.get(name) != other.get(name))
        pairs = [(name, one.get(name), other.get(name)) for name in names[:_SHOWN]]
        values = [
            f"{name} {first:.20} and {second:.20}"
            if isinstance(first, str) and isinstance(second, str)
            else str(name)
            for name, first, second in pairs
        ]
        return f" ({'; '.join(values)})"
    if isinstance(one, list):
        return ""
    return f" ({str(one)[:20]} and {str(other)[:20]})"


def _experiment(shard: FinishedShard, registry: Registry) -> Experiment:
    if shard.about["core"] != core_digest():
        raise RunError(
            f"{shard.folder} was made by another revkit ({shard.about['revkit']}); merge the "
            "shards with the version that made them"
        )
    experiment = load_experiment(shard.folder / "spec.yaml", registry, report_renamed=False)
    if experiment.digest != shard.about["experiment"]:
        raise RunError(
            f"{shard.folder / 'spec.yaml'} is not the experiment of the shard here: a component "
            "or a file that it names differs"
        )
    return experiment


def _recorded(shards: Sequence[FinishedShard], store: Store) -> Recorded:
    """Return what the shards recorded, as one run that is repeated."""
    try:
        failures = chain.from_iterable(failures_of(records_folder(each.folder)) for each in shards)
        files = [each.records(name) for name in ("papers", "anchors") for each in shards]
        peers = (
            (str(row["digest"]), str(row["topic"]))
            for each in shards
            for row in rows_if_any(each.records("papers"))
        )
        return Recorded(
            papers=_papers(shards),
            anchors=chain(
                skipped_of(shards[0].records("anchors-skipped")),
                (paper for _, paper in _in_order(shards, "anchors")),
            ),
            peers=digest_of_peers(peers),
            reviews=reviews_in(*files),
            answers=answers_from_failures(failures),
            keys={str(name): str(key) for name, key in shards[0].about["keys"].items()},
            contents=dict(shards[0].about["contents"]),
            where=f"the store {store.path}",
            remedy="run the shards again, with the same stores",
            concludes=True,
        )
    except (OSError, KeyError, TypeError, AttributeError) as error:
        raise RunError(f"the records of the shards cannot be read: {reason_of(error)}") from error


def _papers(shards: Sequence[FinishedShard]) -> Iterator[Paper | Skipped]:
    """Yield what the corpus yielded, in its order; every shard has the skipped records."""
    first = shards[0]
    yield from skipped_of(first.records("undrawn"))
    places: list[int] = list(first.about["skipped"])
    skipped = deque(zip(places, skipped_of(first.records("skipped")), strict=True))
    for number, paper in _in_order(shards, "papers"):
        while skipped and skipped[0][0] <= number:
            yield skipped.popleft()[1]
        yield paper
    yield from (item for _, item in skipped)


def _in_order(shards: Sequence[FinishedShard], source: str) -> Iterator[tuple[int, Paper]]:
    """Yield the papers of all shards with their numbers, in the order of the corpus."""
    parts: list[Iterable[tuple[int, Any]]] = [
        zip(each.about[source], rows_if_any(each.records(source)), strict=True) for each in shards
    ]
    try:
        for number, row in heapq.merge(*parts, key=lambda pair: pair[0]):
            yield number, paper_of(row, row.get("text"), row.get("title"))
    except ValueError as error:
        raise RunError(f"the records of {source} of a shard are not complete: {error}") from None
