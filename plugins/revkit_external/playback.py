"""Playback: read recorded runs of a tool with an agent's own rules, without starting the tool.

A folder holds one folder for each run: ``run.json`` with the ``exit_code``, ``stdout.txt``,
``stderr.txt``, and in ``files`` what the tool wrote, by its path in the working folder. A run is
read as if the tool had just ended so: the exit code, the output, ``fail-if``, ``map`` and
``require`` decide. What comes out is a row for each run, and one for each rule: how many runs it
caught, and whether it ever held. A rule that never held has not been tried by any of the runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.errors import RunError
from revkit.files import Unreadable, parsed, read_bytes
from revkit.model.paper import Paper
from revkit.model.review import Outcome, Review
from revkit.model.values import Json
from revkit_external.parse.outputs import Output
from revkit_external.parse.rules import Rule, first_failing
from revkit_external.parse.trouble import ReadingError
from revkit_external.tries import Try

if TYPE_CHECKING:
    from collections.abc import Iterator

    from revkit_external.command import Command, Player

_LARGEST = 50_000_000
_PAPER = Paper("recorded", "A paper.", "A paper")
Expected = Literal["review", "failure", "partial", ""]
# What the name of a run's folder says that it should come out as.
_PREFIXES: tuple[tuple[str, Expected], ...] = (
    ("ok", "review"),
    ("partial", "partial"),
    ("fail", "failure"),
)


@dataclass(frozen=True)
class RecordedRun:
    """One run of the tool: its exit code, its output, and the folder of the files that it wrote."""

    name: str
    code: int
    stdout: bytes
    stderr: bytes
    files: Path

    @property
    def expected(self) -> Expected:
        """The outcome that its name states; "" if the name states none."""
        return next((kind for start, kind in _PREFIXES if self.name.startswith(start)), "")

    def written(self) -> Iterator[tuple[Path, str]]:
        """Return the files that the tool wrote, with their paths in the working folder."""
        if self.files.is_dir():
            for path in sorted(self.files.rglob("*")):
                if path.is_file() and not path.is_symlink():
                    yield path, path.relative_to(self.files).as_posix()


def read_runs(folder: Path) -> list[RecordedRun]:
    """Return the recorded runs below ``folder``, by name. Raises `RunError` if there are none, or
    if a run cannot be read.
    """
    if not folder.is_dir():
        raise RunError(f"{folder} is not a folder of recorded runs")
    runs = [_read_run(place) for place in sorted(folder.iterdir()) if (place / "run.json").exists()]
    if not runs:
        raise RunError(
            f"{folder} contains no recorded run: a folder with run.json, stdout.txt, "
            "stderr.txt, files"
        )
    return runs


def _read_run(folder: Path) -> RecordedRun:
    try:
        about = parsed(read_bytes(folder / "run.json", _LARGEST))
        out, err = (_bytes(folder / name) for name in ("stdout.txt", "stderr.txt"))
    except Unreadable as error:
        raise RunError(f"the recorded run {folder}: {error}") from None
    code = about.get("exit_code") if isinstance(about, Mapping) else None
    if not isinstance(code, int) or isinstance(code, bool):
        raise RunError(f"the recorded run {folder}: run.json has no exit_code that is a number")
    return RecordedRun(folder.name, code, out, err, folder / "files")


def _bytes(path: Path) -> bytes:
    return read_bytes(path, _LARGEST) if path.exists() else b""


def play_back(agent: Command, player: type[Player], folder: Path) -> dict[str, Json]:
    """Read every run in ``folder`` as ``agent`` would: ``cases``, with one row for each run, and
    ``rules``.
    """
    played = [(run, _try(agent, player, run)) for run in read_runs(folder)]
    rules: Sequence[Rule] = agent._parsed["rules"]
    caught = [_catcher(agent, run, tried, rules) for run, tried in played]
    return {
        "cases": [_case(*each, by) for each, by in zip(played, caught, strict=True)],
        "rules": _rules(agent, rules, [tried for _, tried in played], caught),
    }


def _try(agent: Command, player: type[Player], run: RecordedRun) -> Try:
    values: dict[str, Any] = {
        each.name: getattr(agent, each.name) for each in fields(agent) if each.init
    }
    output: Output = agent._parsed["output"]
    silent = {"argv": ("recorded",), "stdin": None, "env": None, "files": None, "inputs": ()}
    playing = player(**{**values, **silent, "retry": None})
    playing._parsed |= {"output": output, "recorded": run}
    return playing.tries(_PAPER, Context())[-1]


def _case(run: RecordedRun, tried: Try, caught: str) -> dict[str, Json]:
    outcome = tried.outcome
    review = outcome if isinstance(outcome, Review) else None
    return {
        "case": run.name,
        "exit": run.code,
        "outcome": "review" if isinstance(outcome, Review) else outcome.kind,
        "score": None if review is None else review.score,
        "accept": None if review is None else review.accept,
        "caught by": caught,
        "detail": "" if isinstance(outcome, Review) else outcome.detail,
        "expected": run.expected,
        "as expected": _as_expected(outcome, run.expected),
    }


def _as_expected(outcome: Outcome, expected: Expected) -> bool | None:
    if not expected:
        return None
    if isinstance(outcome, Review):
        return expected == "review"
    return outcome.kind == "partial" if expected == "partial" else expected == "failure"


def _catcher(agent: Command, run: RecordedRun, tried: Try, rules: Sequence[Rule]) -> str:
    """Return the step that caused the failure, for ``fail-if`` with the number of the rule from 1;
    "" for a review.
    """
    if isinstance(tried.outcome, Review):
        return ""
    if run.code not in agent.ok_exit:
        return "ok-exit"
    if tried.document is not None:
        try:
            found = first_failing(tried.document, rules)
        except ReadingError:
            return "fail-if, nothing to judge"
        if found is not None:
            return f"fail-if {rules.index(found[0]) + 1}"
        return "map or require"
    return "output"


def _rules(
    agent: Command, rules: Sequence[Rule], tries: Sequence[Try], caught: Sequence[str]
) -> list[Json]:
    """Return a row for the exit code, the output, each rule of fail-if, and map with require."""
    rows: list[Json] = [
        _row("ok-exit", f"exit code in {list(agent.ok_exit)}", caught),
        _row("output", "an output that can be parsed", caught),
    ]
    for number, rule in enumerate(rules, 1):
        held = sum(_holds(rule, each) for each in tries)
        shown = f"{rule}" + (f" ({rule.because})" if rule.because else "")
        rows.append({**_row(f"fail-if {number}", shown, caught), "held": held})
    rows.append(_row("map or require", f"fields {', '.join(agent.fields)}", caught))
    return rows


def _row(name: str, text: str, caught: Sequence[str]) -> dict[str, Json]:
    count = caught.count(name)
    return {"rule": name, "text": text, "caught": count, "held": count}


def _holds(rule: Rule, tried: Try) -> bool:
    """Return whether a rule holds for a run, even if an earlier rule decided."""
    if tried.document is None:
        return False
    try:
        return first_failing(tried.document, [rule]) is not None
    except ReadingError:
        return False
