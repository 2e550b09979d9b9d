"""Replay: repeat the run of a bundle from its answers, and compare the results with the
original.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from revkit.cache import Store
from revkit.contracts import Context, Corpus
from revkit.dataclass import dataclass
from revkit.errors import PluginError, RunError, SpecError, StoreError
from revkit.execution.bundle.archive import read_archive
from revkit.execution.bundle.export import differences, files_of
from revkit.execution.bundle.manifest import Manifest, changes
from revkit.execution.bundle.rows import (
    answers_from_failures,
    fill,
    paper_of,
    papers_of,
    reviews_in,
    skipped_of,
)
from revkit.execution.recomputation import Recomputed
from revkit.execution.recorded_run import Recorded
from revkit.execution.run import Run
from revkit.execution.runner import repeat_run
from revkit.files.run_files import read_rows
from revkit.model.paper import Paper, Skipped
from revkit.planning import build_graph
from revkit.registry import Registry
from revkit.spec import Experiment, load_experiment


@dataclass(frozen=True)
class Replay:
    """The result of replaying a bundle.

    ``differences`` names each file that is not, byte for byte, the original's, and each map, table
    and report that is not what the records in the bundle give; ``files`` counts the files compared.
    ``notes`` names what differs in last digits only, under other versions of numpy and the like.
    The answers themselves (variants, reviews, judgements, replies of models) are taken from the
    bundle: that an agent gave them, no replay can prove.
    """

    run: Run
    files: int
    differences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def identical(self) -> bool:
        """Whether every file is identical, and every figure follows from the records."""
        return not self.differences


def replay_bundle(bundle: Path, registry: Registry, *, out: Path | None = None) -> Replay:
    """Repeat the run in ``bundle``; see `revkit.api.replay`. Raises `RunError` for a bundle that is
    damaged or of another format.
    """
    with tempfile.TemporaryDirectory(prefix="revkit-replay-") as place:
        folder = Path(place)
        manifest = read_archive(bundle, folder)
        found = list(changes(manifest.parts, manifest.core, manifest.revkit, registry))
        if found:
            raise RunError(
                f"{bundle} cannot be replayed with this code: {'; '.join(found)}. To replay it, "
                f"install the versions with which it was made: revkit {manifest.revkit} and the "
                "plugins above"
            )
        experiment = _experiment(bundle, folder, manifest, registry)
        out = out or Path("replays") / f"{experiment.name}-{experiment.digest[:8]}"
        with Store(folder / "store.sqlite3") as store:
            recorded = _recorded(bundle, folder, manifest, experiment, store)
            try:
                run = repeat_run(experiment, recorded, out=out, store=store)
            except StoreError as error:
                raise RunError(f"{bundle} contains an invalid answer: {error}") from error
    changed = differences(manifest.results, files_of(out))
    assert recorded.recomputed is not None
    return Replay(
        run,
        len(manifest.results),
        (*changed, *recorded.recomputed.differences),
        tuple(recorded.recomputed.notes),
    )


def _experiment(bundle: Path, folder: Path, manifest: Manifest, registry: Registry) -> Experiment:
    try:
        files = _placed_files(folder)
        experiment = load_experiment(
            folder / "spec.yaml", registry, files=files, report_renamed=False
        )
    except (SpecError, PluginError) as error:
        reason = str(error).replace(f"{folder}/", "")
        raise RunError(f"the experiment of {bundle} cannot be built here:\n{reason}") from error
    if experiment.digest != manifest.experiment:
        raise RunError(
            f"the experiment of {bundle} differs here: one of its components has other options"
        )
    nodes = {node.id for node in build_graph(experiment).nodes if node.shape != "source"}
    if nodes != set(manifest.keys):
        raise RunError(f"{bundle} is not a bundle: its manifest does not fit its experiment")
    return experiment


def _placed_files(folder: Path) -> dict[str, str]:
    """Write the files of components under generated names; return the new path of each by its old
    path.
    """
    place = folder / "files"
    place.mkdir()
    found: dict[str, str] = {}
    for number, row in enumerate(read_rows(folder / "files.jsonl")):
        path, text = row.get("path"), row.get("text")
        if not isinstance(path, str) or not isinstance(text, str):
            raise RunError("files.jsonl: a row does not contain a file and its path")
        # Some readers go by the ending of a name; nothing else of it is taken over.
        ending = Path(path).suffix if Path(path).suffix[1:].isalnum() else ""
        here = place / f"{number}{ending[:10]}"
        here.write_bytes(text.encode())
        found[path] = str(here)
    return found


def _recorded(
    bundle: Path, folder: Path, manifest: Manifest, experiment: Experiment, store: Store
) -> Recorded:
    for name in ("answers.jsonl", "calls.jsonl"):
        fill(store, folder / name)
    papers, skipped = folder / "papers.jsonl", folder / "skipped.jsonl"
    anchors, others = folder / "anchors.jsonl", folder / "anchors-skipped.jsonl"
    corpus = experiment.corpus
    calibration = experiment.calibration
    bank = corpus if calibration is None else calibration.anchors or corpus
    seed = experiment.seed
    return Recorded(
        papers=papers_of(papers, skipped)
        if manifest.texts
        else _from_corpus(papers, skipped, corpus, seed),
        anchors=papers_of(anchors, others)
        if manifest.texts
        else _from_corpus(anchors, others, bank, seed),
        answers=answers_from_failures(read_rows(folder / "failures.jsonl")),
        faults=manifest.faults,
        versions=manifest.packages,
        keys=manifest.keys,
        reviews=reviews_in(papers, anchors),
        where=f"the bundle {bundle}",
        recomputed=Recomputed(manifest.packages),
    )


def _from_corpus(
    papers: Path, skipped: Path, corpus: Corpus, seed: int
) -> Iterator[Paper | Skipped]:
    """Return the papers of a bundle without texts: the texts from the corpus, everything else from
    the bundle.
    """
    records = iter(corpus.papers(Context(seed, uses=corpus.uses)))
    yield from skipped_of(skipped)
    for row in read_rows(papers):
        name = row.get("id")
        given = next((r for r in records if isinstance(r, Paper) and r.id == name), None)
        if given is None:
            raise RunError(
                f"the corpus here has no paper {str(name)[:200]!r}, or has it at another position; "
                "the bundle contains no texts"
            )
        yield paper_of(row, given.text, given.title, given.materials)
