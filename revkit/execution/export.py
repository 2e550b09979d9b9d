"""Export an experiment: the view for an exporter, and the folder that it writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from revkit.cache import SeedBase, Store
from revkit.contracts import Context, ExperimentView, Exported, Exporter
from revkit.errors import RevkitError, RunError, describe_error
from revkit.execution.sources import read_corpus
from revkit.execution.work import ItemWorker
from revkit.model.paper import Paper, Skipped
from revkit.model.sample import Sample
from revkit.places import STORE
from revkit.registry import Registry
from revkit.spec import Experiment, load_experiment
from revkit.spec.fingerprints import agent_fingerprint
from revkit.spec.resolved_spec import without_machine


def export_experiment(
    exporter: Exporter,
    experiment: Experiment,
    out: Path,
    registry: Registry,
    *,
    store: Path | None = None,
) -> Exported:
    """Let ``exporter`` write ``experiment`` to the folder ``out``.

    ``store`` is the file of answers, for a corpus that asks models. Raises `RunError` where the
    exporter crashes.
    """
    try:
        return exporter.export(_view(experiment, registry, store), out)
    except RevkitError:
        raise
    except (Exception, SystemExit) as error:  # a plugin may raise anything
        reason = describe_error(error).splitlines()[0]
        raise RunError(f"exporter {exporter.name!r} crashed: {reason}") from error


def _view(experiment: Experiment, registry: Registry, store: Path | None) -> ExperimentView:
    steps = experiment.agent_steps

    def context_of(agent: str, paper: Paper) -> Context:
        base = SeedBase.of(steps[agent].component, experiment.seed)
        return Context(seed=base.item(paper.digest, 0), uses=())

    return ExperimentView(
        name=experiment.name,
        spec=without_machine(experiment.to_json()),
        seed=experiment.seed,
        corpus=experiment.corpus.name,
        agents={name: step.component for name, step in steps.items()},
        screened=frozenset(name for name, step in steps.items() if step.defenses),
        papers=lambda: _papers(experiment, store),
        papers_of=lambda place: _papers_of(place, registry),
        context_of=context_of,
        fingerprint_of=lambda agent: agent_fingerprint(experiment, agent),
        anchors=experiment.calibration.anchors if experiment.calibration else None,
    )


def _papers(experiment: Experiment, store: Path | None) -> Iterator[Paper | Skipped]:
    """Yield the papers of the corpus once. Model calls are available only to a corpus that uses
    models (for aggregated reviews).
    """
    corpus = experiment.corpus
    serve = bool(corpus.models())
    place = (store or STORE) if serve else None
    with Store(place) as answers, ItemWorker(experiment, answers, serve=serve) as worker:
        troubles = worker.troubles(corpus) if serve else list(corpus.ready())
        if troubles:
            raise RunError(f"corpus {corpus.name!r} cannot be read: {'; '.join(troubles)}")
        yield from read_corpus(corpus, lambda: worker.papers_of(corpus), *_part(experiment))


def _papers_of(place: Path, registry: Registry) -> Iterator[Paper | Skipped]:
    """Yield the papers of another experiment's corpus."""
    experiment = load_experiment(place, registry)
    corpus = experiment.corpus
    if corpus.models():
        # A paper whose answers fail today would be left out here and be in the corpus tomorrow.
        raise RunError(
            f"the corpus of {place} asks language models; run it, and name the folder of the run "
            "in its place"
        )
    with Store(None) as store, ItemWorker(experiment, store, serve=False) as worker:
        yield from read_corpus(corpus, lambda: worker.papers_of(corpus), *_part(experiment))


def _part(experiment: Experiment) -> tuple[int | None, Sample | None]:
    """Return which part of its corpus an experiment reads."""
    return experiment.limit, experiment.sample
