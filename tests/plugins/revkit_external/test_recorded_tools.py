"""The ready YAML reads what real tools printed; the expected values are in their files."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Context
from revkit.model.paper import Paper
from revkit.model.review import Failure, Review
from revkit_external.command import Command

ROOT = Path(__file__).parents[3]
CASES = ROOT.parent / "shared" / "data" / "agents"
EXAMPLES = ROOT / "experiments" / "agents"
STUB = """
import json, shutil, sys
case, out = sys.argv[1:3]
run = json.load(open(case + "/run.json"))
for name in run["files_kept"]:
    shutil.copy(case + "/files/" + name, out + "/" + name.rsplit("/", 1)[-1])
sys.stdout.write(open(case + "/stdout.txt", encoding="utf-8").read())
sys.stderr.write(open(case + "/stderr.txt", encoding="utf-8").read())
sys.exit(run["exit_code"])
"""
pytestmark = pytest.mark.skipif(
    not CASES.is_dir(), reason="the recorded outputs of real tools are not beside this checkout"
)


@pytest.fixture
def replay(
    script: Callable[[str], tuple[str, ...]],
    paper: Paper,
    ctx: Context,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., Any]:
    """Review with the agent of ``experiments/agents/TOOL.yaml``, its program replaced by a stub."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "key-for-tests")

    def run(tool: str, case: str, **changes: Any) -> Any:
        import revkit
        import revkit_external

        experiment = revkit.validate(EXAMPLES / f"{tool}.yaml", plugins=[revkit_external])
        agent = experiment.agent_steps[tool].component
        assert isinstance(agent, Command)
        argv = (*script(STUB), str(CASES / tool / case), "{out_dir}")
        return dataclasses.replace(agent, argv=argv, **changes).review(paper, ctx)

    return run


@pytest.mark.parametrize(
    ("case", "accept", "score", "severity"),
    [
        ("ok-000", True, 8.0, 10.0),
        ("ok-000-quiet-strict", True, 8.0, 10.0),
        ("ok-003", True, 6.67, 35.0),
    ],
)
def test_refereed_is_read(
    replay: Callable[..., Any], case: str, accept: bool, score: float, severity: float
) -> None:
    review = replay("refereed", case)
    assert isinstance(review, Review), review
    assert (review.accept, review.score) == (accept, score)
    assert review.aspects == {"severity": severity}
    assert review.text.startswith("Summary")
    assert len(review.details["texts"]["weaknesses"]) >= 3  # type: ignore[call-overload,arg-type,index]


def test_refereed_below_the_bar_is_a_review_where_exit_1_is_allowed(
    replay: Callable[..., Any],
) -> None:
    failure = replay("refereed", "ok-003-strict-below")
    assert isinstance(failure, Failure)
    assert failure.kind == "crashed"
    assert failure.detail.startswith("exit: code 1")
    review = replay("refereed", "ok-003-strict-below", ok_exit=(0, 1))
    assert (review.accept, review.score) == (True, 6.67)


@pytest.mark.parametrize("case", ["fail-no-key", "fail-server-down"])
def test_refereed_that_exits_0_with_every_call_failed_is_a_failure(
    replay: Callable[..., Any], case: str
) -> None:
    failure = replay("refereed", case)
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.detail) == ("provider", "fail-if: every reviewer failed")
    assert "FAILED" in failure.raw


def test_refereed_without_one_reviewer_is_partial_and_kept_apart(
    replay: Callable[..., Any],
) -> None:
    failure = replay("refereed", "partial-one-refused")
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.detail) == ("partial", "partial: a reviewer failed")
    kept = json.loads(failure.raw)["read"]["values"]
    assert (kept["accept"], kept["score"]) == (True, 8.0)
    review = replay("refereed", "partial-one-refused", partial="keep")
    assert (review.accept, review.score) == (True, 8.0)
    assert review.details["partial"] == ["a reviewer failed"]


@pytest.mark.parametrize(
    ("case", "accept", "score"),
    [("ok-json-000", True, 9.0), ("ok-json-003", False, 4.0), ("ok-pdf-003", False, 4.0)],
)
def test_peersight_is_read(
    replay: Callable[..., Any], case: str, accept: bool, score: float
) -> None:
    review = replay("peersight", case)
    assert isinstance(review, Review), review
    assert (review.accept, review.score) == (accept, score)
    assert "Strengths" in review.text
    assert review.details["native"]["accept"] in ("Accept", "Major Revision")  # type: ignore[call-overload,index]


def test_peersight_file(replay: Callable[..., Any]) -> None:
    output = {"file": "{out_dir}/review.json", "format": "json"}
    review = replay("peersight", "ok-file-000", output=output)
    assert (review.accept, review.score) == (True, 9.0)


@pytest.mark.parametrize(("case", "accept"), [("ok-text-000", True), ("ok-text-003", False)])
def test_peersight_text(replay: Callable[..., Any], case: str, accept: bool) -> None:
    mapping = {
        "accept": {"heading": "Recommendation", "labels": "@journal4"},
        "summary": {"heading": "Summary"},
    }
    review = replay("peersight", case, output={"format": "markdown"}, map=mapping)
    assert review.accept is accept
    assert review.text.startswith('Summary\n\nThe paper "')


@pytest.mark.parametrize("case", ["fail-bare-output-name", "fail-md-input", "fail-server-down"])
def test_peersight_failures(replay: Callable[..., Any], case: str) -> None:
    failure = replay("peersight", case)
    assert isinstance(failure, Failure)
    assert failure.kind == "crashed"
    assert failure.detail.startswith("exit: code 1; stderr ends: ")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_ready_experiment_is_valid(path: Path) -> None:
    import revkit
    import revkit_external

    experiment = revkit.validate(path, plugins=[revkit_external])
    assert list(experiment.agent_steps) == [path.stem]
