"""Prompts stay byte for byte the same, so that replies that were paid for are found again.

``prompts.json`` holds, for every component that asks a language model, the SHA-256 of each request
as the gateway stores its answer: messages, schema, sampling parameters, replicate. To add a case,
or where a change is meant to alter prompts, write the file anew::

    python -m tests.compat.test_prompts
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import pytest

from revkit.model.paper import Paper
from tests.compat.prompt_cases import PromptCase, cases
from tests.compat.prompt_model import Recorder
from tests.compat.prompt_papers import BARE, CONTROL, LONG, SMALL, hostile

GOLDEN = Path(__file__).parent / "prompts.json"
Keys = list[list[str]]
CHANGED = (
    "the prompts of {case} changed, so every stored reply to them would be paid for again. Keep "
    "the old prompt byte for byte; a better prompt is a new version beside it (`prompt: 2`). "
    "Only where the loss is intended and in the changelog: python -m tests.compat.test_prompts"
)


def requests_of(case: PromptCase, folder: Path) -> dict[str, Keys]:
    """The keys of the requests of ``case`` by paper."""
    found: dict[str, Keys] = {}
    marks: set[str] = set()
    for paper in (SMALL, BARE, LONG, CONTROL) if case.papers is None else case.papers:
        found[paper.id], seen = _asked(case, paper, folder)
        marks |= seen
    if case.papers is None:
        # An author who has seen earlier prompts closes their fences.
        found["hostile"], _ = _asked(case, hostile(marks), folder)
    return found


def _asked(case: PromptCase, paper: Paper, folder: Path) -> tuple[Keys, set[str]]:
    recorder = Recorder(folder, case.window, case.free)
    case.ask(paper, recorder.context(case.repeat))
    return recorder.keys(), recorder.marks()


def names() -> list[str]:
    with tempfile.TemporaryDirectory() as folder:
        return list(cases(Path(folder)))


@pytest.mark.parametrize("name", names())
def test_prompts_are_the_same_byte_for_byte(name: str, tmp_path: Path) -> None:
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    found = requests_of(cases(tmp_path)[name], tmp_path)
    assert any(found.values()), "nothing was asked: the case guards no prompt"
    assert found == golden[name], CHANGED.format(case=name)


def test_no_case_is_lost() -> None:
    assert sorted(json.loads(GOLDEN.read_text(encoding="utf-8"))) == sorted(names())


def write() -> None:
    """Write all digests anew."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        golden = {name: requests_of(case, path) for name, case in cases(path).items()}
    GOLDEN.write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
    sys.exit(0)
