"""Whether an experiment could run now: paths, keys, models and files; nothing is spent."""

from __future__ import annotations

from pathlib import Path

from revkit.cache import Store
from revkit.errors import Problem, RevkitError
from revkit.execution.frames import error_text
from revkit.execution.work import ItemWorker
from revkit.files.resources import PREFIX, located
from revkit.spec import Experiment


def find_unready(experiment: Experiment) -> list[Problem]:
    """Return what would stop a run or make all calls of a component fail, each with the path of
    the component in the spec.

    Every component is asked what it lacks, models are probed without a paid call, files that
    options name are looked for, and the first record of each corpus is read.
    """
    problems: dict[tuple[str, str], Problem] = {}

    def add(path: str, message: str) -> None:
        problems.setdefault((path, message), Problem(message, path=path))

    with Store(None) as store, ItemWorker(experiment, store) as worker:
        for path, component in experiment.components():
            for trouble in worker.troubles(component):
                add(path, trouble)
            for file in component.files_needed():
                if missing := _missing(file):
                    add(path, missing)
        corpora = [("corpus", experiment.corpus)]
        if experiment.calibration is not None and experiment.calibration.anchors is not None:
            corpora.append(("calibration.anchors", experiment.calibration.anchors))
        for path, corpus in corpora:
            if corpus.models():
                continue  # its first record might cost a call
            try:
                if next(iter(worker.papers_of(corpus)), None) is None:
                    add(path, f"corpus {corpus.name!r} returns no record")
            except RevkitError as error:
                add(path, str(error))
            except (Exception, SystemExit) as error:  # a plugin may raise anything
                add(path, error_text(error))
    return list(problems.values())


def _missing(file: str) -> str:
    """Why a file that an option names cannot be read; "" if it exists."""
    try:
        found = located(file).expanduser().exists()
    except ValueError as error:
        return str(error)
    where = "" if file.startswith(PREFIX) else f" (in {Path.cwd()})"
    return "" if found else f"the file {file} does not exist{where}"
