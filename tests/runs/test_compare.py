"""Comparisons of runs: the same papers paired, tests over papers, what differs in the spec."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import revkit
import revkit_external
from revkit.errors import RunError
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.model.review import Scale
from revkit.runs import OpenedRun, compare_runs
from revkit.runs.differences import differing_paths
from revkit.runs.page import comparison_markdown, comparison_page, comparison_text
from revkit.runs.paper_matches import match_papers
from revkit.testing import toys

SCALE = Scale("ten", 1, 10, accept_at=6)


def opened(
    name: str,
    flips: Sequence[Sequence[bool | None]],
    *,
    agent: str = "a",
    family: str = "words",
    prefix: str = "text",
) -> OpenedRun:
    """A run of one agent that accepts all papers; ``flips`` gives, by paper and repeat, whether the
    variant is rejected (None: the review failed)."""
    papers = [
        PaperRow(f"p{i}", Labels(accept=True), digest=f"{prefix}{i}") for i in range(len(flips))
    ]
    verdicts: list[Verdict] = []
    for paper, row in zip(papers, flips, strict=True):
        for repeat, flip in enumerate(row):
            verdicts.append(Verdict(agent, paper.id, "", 0, repeat, True, 8.0))
            verdicts.append(
                Verdict(agent, paper.id, family, 0, repeat, None, None, "timeout")
                if flip is None
                else Verdict(agent, paper.id, family, 0, repeat, not flip, 3.0 if flip else 8.0)
            )
    records = Records(
        seed=1,
        repeats=max(map(len, flips)),
        papers=papers,
        perturbations=[PerturbationRow(family, "toy", "invariant")],
        agents=[AgentRow(agent, "toy", SCALE, True)],
        variants=[VariantRow(paper.id, family, 0, 1, 0, ()) for paper in papers],
        verdicts=verdicts,
    )
    found = OpenedRun(Path(name), {"name": name, "experiment": name, "records": name}, {})
    found.__dict__.update(records=records, spec={"seed": 1, "agents": {agent: {"use": name}}})
    return found


def row_of(found: revkit.Comparison, figure: str, family: str | None = None) -> dict[str, Any]:
    return next(
        row
        for row in found.table.records()
        if row["figure"] == figure and (family is None or row["family"] == family)
    )


def test_a_difference_is_tested_over_papers() -> None:
    first = opened("one", [[i < 10] for i in range(12)])
    second = opened("two", [[i < 2] for i in range(12)])
    found = compare_runs([first, second], figures=["flip_rate"])
    row = row_of(found, "flip_rate", "words")
    assert (row["papers"], row["n"], row["informative"]) == (12, 12, 8)
    assert row["first"] == pytest.approx(10 / 12)
    assert row["second"] == pytest.approx(2 / 12)
    assert row["difference"] == pytest.approx(-8 / 12)
    assert row["difference_low"] < -8 / 12 < row["difference_high"] < 0
    # By hand: eight papers differ, all one way; 2 of 2^8 sign patterns are as extreme.
    assert row["p"] == pytest.approx(2 / 256)
    # Two tests: the family alone, and all families together.
    assert row["p_holm"] == pytest.approx(4 / 256)
    assert row["real"] is True
    assert "2 differences of 2 figures (2 tests) are statistically significant" in found.text
    assert len(found.real) == 2


def test_repeats_are_one_value_of_their_paper() -> None:
    first = opened("one", [[False] * 10 for _ in range(8)])
    second = opened("two", [[True] * 10 if i == 0 else [False] * 10 for i in range(8)])
    row = row_of(compare_runs([first, second]), "flip_rate")
    assert (row["n"], row["informative"]) == (8, 1)
    assert row["p"] is None
    assert row["real"] is None
    assert row["difference"] == pytest.approx(1 / 8)
    half = opened("three", [[True, False]] * 8)
    assert row_of(compare_runs([first, half]), "flip_rate")["second"] == pytest.approx(0.5)


def test_failures_are_left_out_and_counted() -> None:
    first = opened("one", [[True]] * 6)
    second = opened("two", [[None], *[[False]] * 5])
    found = compare_runs([first, second])
    row = row_of(found, "flip_rate")
    assert (row["papers"], row["first"], row["second"]) == (5, 1.0, 0.0)
    assert "1 value without a valid answer in both" in str(row["note"])
    failed = row_of(found, "failures")
    # Two texts a paper; one of twelve reviews failed.
    assert (failed["n"], failed["first"]) == (12, 0.0)
    assert failed["second"] == pytest.approx(1 / 12)


def test_papers_are_paired_by_their_text() -> None:
    def row(name: str, digest: str) -> PaperRow:
        return PaperRow(name, Labels(), digest=digest)

    found = match_papers(
        [row("a", "1"), row("b", "2"), row("c", "3"), row("d", "4"), row("d2", "4")],
        [row("x", "1"), row("b", "9"), row("d2", "4"), row("e", "4"), row("f", "5")],
    )
    assert found.shared == {"a": "x", "d2": "d2", "d": "e"}
    assert (found.only_first, found.only_second) == (("b", "c"), ("b", "f"))
    assert found.changed == ("b",)
    first, second = opened("one", [[True]] * 8), opened("two", [[True]] * 6)
    assert "6 papers in both runs" in compare_runs([first, second]).table.notes[0]
    left = "Left out: 2 papers that only the run 'one' has and 0 that only the run 'two' has"
    assert left in compare_runs([first, second]).table.notes[0]


def test_agents_are_paired_by_name_or_as_named() -> None:
    first, second = opened("one", [[True]] * 6), opened("two", [[False]] * 6, agent="b")
    assert row_of(compare_runs([first, second]), "flip_rate")["agent"] == "a / b"
    with pytest.raises(RunError, match="unknown agent"):
        compare_runs([first, second], agents={"a": "c"})
    with pytest.raises(RunError, match="unknown figure"):
        compare_runs([first, second], figures=["fliprate"])
    with pytest.raises(RunError, match="share no paper"):
        compare_runs([first, opened("three", [[True]], prefix="other")])
    with pytest.raises(RunError, match="two runs or more"):
        compare_runs([first])


def test_more_runs_share_one_correction() -> None:
    runs = [opened("one", [[True]] * 8), *(opened(n, [[False]] * 8) for n in ("two", "three"))]
    found = compare_runs(runs, figures=["flip_rate"])
    rows = found.table.records()
    assert {row["run"] for row in rows} == {"two", "three"}
    assert [row["p_holm"] for row in rows] == [pytest.approx(4 * 2 / 256)] * 4


def test_hostile_names_stay_text() -> None:
    name = "<script>alert(1)</script>|*x*\u202e"
    runs = [opened("one", [[True]] * 8, agent=name), opened(name, [[False]] * 8, agent=name)]
    found = compare_runs(runs)
    page = comparison_page(found)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "\u202e" not in page + comparison_markdown(found) + comparison_text(found)
    for line in comparison_markdown(found).splitlines():
        assert "<script" not in line


def test_the_command(
    run_toy: Callable[..., Any],
    toy_spec: dict[str, Any],
    revkit_command: Callable[..., Any],
    tmp_path: Path,
) -> None:
    run_toy(toy_spec, out="runs/a")
    toy_spec["agents"]["length"] = "toy-coin"
    run_toy(toy_spec, out="runs/b")
    done = revkit_command("compare", "a", "b", "--html", "page.html", "--markdown", "page.md")
    assert done.returncode == 0, done.stderr
    assert "agents.length.use" in done.stdout
    assert "6 papers in both runs" in done.stdout
    assert "Content-Security-Policy" in (tmp_path / "page.html").read_text(encoding="utf-8")
    value = json.loads(revkit_command("compare", "a", "b", "--json").stdout)
    assert value["others"][0]["papers"]["shared"] == 6
    same = json.loads(revkit_command("compare", "a", "a", "--json").stdout)
    assert same["finding"].startswith("No difference is statistically significant")
    assert same["others"][0]["differences"] == []
    assert revkit_command("compare", "a").returncode == 2
    bad = revkit_command("compare", "a", "b", "--agents", "length")
    assert (bad.returncode, "is not OLD=NEW" in bad.stderr) == (2, True)


def test_sections_that_decide_no_result_are_no_difference() -> None:
    spec = {"seed": 1, "repeats": 2}
    machine = {"workers": 3, "processes": 2, "executor": {"use": "local"}, "deadline": 9}
    assert differing_paths(spec, {**spec, **machine, "budget": {"calls": 3}}) == []
    assert differing_paths(spec, {**spec, **machine, "seed": 2}) == ["seed"]


def test_a_changed_script_of_an_agent_is_a_difference(
    run_toy: Callable[..., Any], toy_spec: dict[str, Any], tmp_path: Path
) -> None:
    script = tmp_path / "reviewer.py"
    toy_spec["agents"] = {
        "mine": {
            "use": "command",
            "with": {
                "argv": [sys.executable, str(script), "{paper_md}"],
                "map": {"accept": {"path": "$.accept"}},
            },
        }
    }
    toy_spec["limit"] = 2
    folders = []
    for word in ("true", "false"):
        script.write_text(f"print('{{\"accept\": {word}}}')\n", encoding="utf-8")
        folders.append(tmp_path / f"run-{word}")
        run_toy(toy_spec, out=folders[-1], plugins=[toys, revkit_external])
    found = compare_runs(folders)
    differences = found.others[0].differences
    shown = [(each.where, each.path) for each in differences]
    assert ("content", "agents.mine: reviewer.named.reviewer.py") in shown
    assert all(where == "content" for where, _ in shown)
    assert "agents.mine: reviewer.named.reviewer.py" in comparison_text(found)
    text = comparison_text(compare_runs([folders[0], folders[0]]))
    assert "same spec, components, packages, and contents of files" in text
    assert "Where  Path" not in text


def test_a_run_without_contents_is_named() -> None:
    first, second = opened("a", [[True]] * 7), opened("b", [[True]] * 7)
    second.provenance["contents"] = {"agents.a": {"prompt": "1f"}}
    [*_, last] = compare_runs([first, second]).others[0].differences
    assert (last.where, last.path, last.first, last.second) == (
        "content", "(digests)", None, "on record",
    )  # fmt: skip
