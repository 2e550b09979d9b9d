"""ReviewBench from end to end: both experiments, an evaluator with a model, and no leak."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

import revkit
from revkit.errors import RunError
from revkit_reviewbench.dimensions import NAMES, TONE
from tests.llm_server.server import LlmServer
from tests.plugins.revkit_reviewbench.bench_files import record, review, write

ROOT = Path(__file__).parents[3]
SHARED = ROOT.parent / "shared" / "data"
BUILD = ROOT / "experiments" / "reviewbench-build.yaml"
BENCH = ROOT / "experiments" / "reviewbench.yaml"
CHEAP = "reports=[terminal]"


def run(spec: Path, folder: Path, *overrides: str, **more: Any) -> revkit.Run:
    return revkit.run(
        spec,
        out=folder / spec.stem,
        store=folder / "store.sqlite3",
        overrides=[CHEAP, *overrides],
        **more,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    run(BUILD, folder)
    return folder


@pytest.fixture(scope="module")
def bench(folder: Path) -> revkit.Run:
    return run(BENCH, folder, f"corpus.with.run={folder / BUILD.stem}")


def by_agent(run: revkit.Run, table: str) -> dict[str, dict[str, Any]]:
    return {str(row["agent"]): row for row in run.table(table).records()}


def test_planted_weaknesses_are_found(bench: revkit.Run) -> None:
    rows = by_agent(bench, "bench-scores")
    whole = rows["outline"]

    def lower(agent: str) -> set[str]:
        names = [name.replace("-", "_") for name in NAMES]
        return {name for name in names if rows[agent][name] < whole[name]}

    assert {"results_interpretation", "comparative_analysis"} <= lower("no-results")
    assert lower("no-critique") == {"evidence_based_critique"}
    assert lower("false-claims") == {"false_or_contradictory_claims"}
    assert lower("harsh") == {"constructive_tone"}
    assert lower("generous") == set()
    assert all(rows[agent]["overall"] <= whole["overall"] for agent in rows)


def test_nothing_is_lost(bench: revkit.Run) -> None:
    rows = by_agent(bench, "bench-scores")
    assert len(rows) == 6
    for row in rows.values():
        assert (row["planned"], row["failed"], row["n"], row["incomplete"]) == (12, 0, 12, 0)


def test_ratings_against_peoples(folder: Path) -> None:
    rows = by_agent(run(BUILD, folder), "rating-agreement")
    # Papers of the bench with an ablation have ratings of 7 in the mean, the others of 4 and some.
    assert rows["outline"]["accuracy"] == 1.0
    assert rows["generous"]["bias"] == pytest.approx(rows["outline"]["bias"] + 2)
    assert rows["generous"]["mse"] > rows["outline"]["mse"]
    assert rows["outline"]["mapped"] == "1 to 10, as given"


def test_an_evaluator_never_knows_whose_review_it_reads(folder: Path) -> None:
    lines = (folder / BENCH.stem / "records" / "papers.jsonl").read_text(encoding="utf-8")
    for line in lines.splitlines():
        row = json.loads(line)
        seen = json.dumps([row["title"], row["text"], row["materials"]])
        assert row["topic"] not in seen.replace("harsh", "") or row["topic"] == "outline"


def test_without_the_first_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="not a folder of a finished run"):
        run(BENCH, tmp_path)


def test_a_model_is_one_line_away() -> None:
    spec = yaml.safe_load(BENCH.read_text(encoding="utf-8"))
    spec["judges"]["llm"] = {"use": "bench-evaluator", "with": {"model": "openai/gpt-4.1"}}
    revkit.validate(spec)


def evaluated(body: Mapping[str, Any]) -> str:
    """An evaluator that finds every key point addressed, quoting the review's first words; it
    breaks its reply on tone."""
    asked = body["messages"][1]["content"]
    words = re.search(r"review [0-9a-f]{16} begins -----\nSummary:\n(\S+ \S+ \S+)", asked)
    assert words is not None
    quote = words[1]
    points = asked.partition("Its key points:")[2].partition(" ends -----")[0]
    numbers = [int(number) for number in re.findall(r"^(\d+)\. ", points, re.MULTILINE)]
    if "Constructive Tone" in asked:
        return "Very kind."
    if '"faults"' in asked:
        faults = [{"number": n, "evidence": "", "shown": False, "severe": False} for n in numbers]
        return json.dumps({"faults": faults})
    row = {"evidence": quote, "verdict": "addressed", "false_claim": "", "material_error": False}
    return json.dumps({"verdicts": [{"number": n, **row} for n in numbers]})


def test_with_a_model_as_the_evaluator(folder: Path, tmp_path: Path) -> None:
    with LlmServer(reply=evaluated) as server:
        done = run(
            BENCH,
            tmp_path,
            f"corpus.with.run={folder / BUILD.stem}",
            "judges={llm: {use: bench-evaluator, with: {model: openai/judge}}}",
            f"services={{llm: {{default: {{base-url: '{server.url}', backoff: 0}}}}}}",
            limit=3,
        )
    (row,) = [row for row in done.table("bench-scores").records() if row["agent"] == "outline"]
    # Tone failed, so no review is complete: no overall score, and no zero.
    assert (row["n"], row["overall"], row["incomplete"]) == (0, None, 1)
    vector = {row["dimension"]: row for row in done.table("bench-vector").records()
              if row["agent"] == "outline"}  # fmt: skip
    assert vector[TONE]["lost"] == "unparseable 1"
    assert {vector[name]["mean"] for name in NAMES if name not in (TONE, NAMES[-1])} == {2.0}
    assert vector[NAMES[-1]]["mean"] == 0.0


CANARY = "zebrafish"


def built(body: Mapping[str, Any]) -> str:
    """A model that plays all parts; what it derives holds a word that no paper has."""
    asked = body["messages"][1]["content"]
    if "The reviews:" in asked:
        merged = {"summary": CANARY, "strengths": [CANARY], "weaknesses": [], "questions": []}
        return json.dumps(merged)
    if "The eight qualities" in asked:
        quote = "leaves are counted at four heights"
        point = {"point": f"Says that LadderCount counts {CANARY} leaves", "place": "Section 1"}
        rows = [
            {"dimension": name, "points": [{**point, "quote": quote, "minor": False}]}
            for name in NAMES
        ]
        return json.dumps({"rubrics": rows})
    return json.dumps({"reasons": "Leaves were counted.", "accept": True, "score": 7})


def test_nothing_of_the_bench_reaches_a_reviewer(tmp_path: Path) -> None:
    """A whole run: models build the bench, a model reviews; its requests are looked through."""
    secret = "heliotrope"
    reviews = [review(6, summary=f"The {secret} review."), review(7), review(8)]
    path = write(tmp_path / "x.jsonl", [record(f"paper-{n}", review=reviews) for n in range(2)])
    # Papers must differ, or the second review is taken from the store.
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[1] = lines[1].replace("41,200", "41,300")
    path.write_text("\n".join(lines), encoding="utf-8")
    spec = {
        "revkit": 1,
        "name": "leak",
        "corpus": {
            "use": "review-bench",
            "with": {"path": str(path), "share": 1.0, "least-words": 20, "model": "openai/maker"},
        },
        "perturbations": {"unsure": "hedging"},
        "agents": {
            "model": {"use": "llm", "with": {"model": "openai/reviewer", "form": "accept-score"}},
            "outline": "outline-reviewer",
        },
        "reports": ["terminal"],
    }
    with LlmServer(reply=built) as server:
        spec["services"] = {"llm": {"default": {"base-url": server.url, "backoff": 0}}}
        done = revkit.run(spec, out=tmp_path / "run", store=tmp_path / "store.sqlite3")
        first = server.requests
        again = revkit.run(spec, out=tmp_path / "again", store=tmp_path / "store.sqlite3")
        assert server.requests == first  # nothing is paid for twice
        assert again.folder != done.folder
    making = [body for body in server.bodies if body["model"] == "maker"]
    reviewing = [body for body in server.bodies if body["model"] == "reviewer"]
    assert len(making) == 3  # both papers have the same reviews to merge: asked once
    assert len(reviewing) >= 2
    assert any(secret in json.dumps(body) for body in making)
    for body in reviewing:
        request = json.dumps(body)
        assert "LadderCount" in request
        for word in (CANARY, secret, "paper-0", "paper-1", "rubric", *NAMES):
            assert word not in request, word
    for row in (done.folder / "records" / "outcomes.jsonl").read_text().splitlines():
        assert CANARY not in row
        assert secret not in row
    papers = (done.folder / "records" / "papers.jsonl").read_text(encoding="utf-8")
    assert papers.count(f'"summary":"{CANARY}"') == 2  # it is in the labels, where it belongs


def test_failed_and_empty_reviews_are_counted(tmp_path: Path) -> None:
    first = tmp_path / "first"
    (first / "records").mkdir(parents=True)
    rubrics = [{"dimension": TONE, "points": [{"point": "Is kind."}]}]
    papers = [
        {"id": id_, "title": "", "text": "A text.", "ratings": [6], "rating_scale": "rating-1-10",
         "accept": True, "extra": {"rubrics": rubrics} if id_ != "bare" else {}}
        for id_ in ("p1", "p2", "bare")
    ]  # fmt: skip
    row = {"perturbation": "", "index": 0, "repeat": 0, "failure": "", "score": 6, "accept": True}
    outcomes = [
        {**row, "agent": "a", "paper": "p1", "text": "Good."},
        {**row, "agent": "a", "paper": "p2", "text": " "},
        {**row, "agent": "a", "paper": "bare", "text": "Fine."},
        {**row, "agent": "b", "paper": "p1", "text": "", "failure": "timeout", "score": None},
        {**row, "agent": "a", "paper": "p1", "perturbation": "x", "text": "Not this."},
    ]
    for name, rows in (("papers", papers), ("outcomes", outcomes)):
        write(first / "records" / f"{name}.jsonl", rows)
    done = run(BENCH, tmp_path, f"corpus.with.run={first}")
    skipped = (done.folder / "records" / "skipped.jsonl").read_text(encoding="utf-8")
    assert sorted(json.loads(line)["reason"] for line in skipped.splitlines()) == [
        "its paper has no rubrics (checklists: meta judges without)",
        "no review: a wrote no text",
        "no review: b failed (timeout)",
    ]
    table = by_agent(done, "bench-scores")
    assert (table["a"]["planned"], table["a"]["failed"], table["a"]["incomplete"]) == (3, 1, 1)
    assert (table["b"]["planned"], table["b"]["failed"], table["b"]["overall"]) == (1, 1, None)
    assert "rejected 7" in table["a"]["lost"]
    other = run(BENCH, tmp_path / "meta", f"corpus.with.run={first}", "corpus.with.checklists=meta")
    assert by_agent(other, "bench-scores")["a"]["n"] == 2
    variant = run(BENCH, tmp_path / "x", f"corpus.with.run={first}", "corpus.with.perturbation=x")
    texts = (variant.folder / "records" / "papers.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["text"] for line in texts.splitlines()] == ["Not this."]


def test_agreement_with_people_in_a_run(bench: revkit.Run, folder: Path, tmp_path: Path) -> None:
    """People who give each reviewer the same score for all papers: the evaluator's mean."""
    outcomes = (folder / BUILD.stem / "records" / "outcomes.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in outcomes.splitlines()]
    means = by_agent(bench, "bench-scores")
    lines = [f"{row['paper']},{row['agent']},{means[row['agent']]['overall']}" for row in rows]
    path = tmp_path / "human.csv"
    path.write_text("paper,agent,score\n" + "\n".join(lines) + "\nno-paper,outline,3\n", "utf-8")
    done = run(
        BENCH,
        tmp_path,
        f"corpus.with.run={folder / BUILD.stem}",
        f"metrics=[{{use: evaluator-agreement, with: {{file: '{path}'}}}}]",
    )
    (row,) = done.table("evaluator-agreement").records()
    assert (row["n"], row["papers"], row["unmatched"]) == (72, 12, 1)
    assert row["pearson"] > 0.8  # people's scores are the evaluator's means by agent
    assert 0 < row["pairwise_rank_error"] < 0.25


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/data")
def test_on_real_papers(tmp_path: Path) -> None:
    """Six full papers of ICLR 2017 in the sample; judged by the meta-rubrics, without a model."""
    first = run(
        BUILD,
        tmp_path,
        "corpus.use=review-bench",
        f"corpus.with.path={SHARED / 'peerread_layout'}",
        "corpus.with.form=any-text",
    )
    assert by_agent(first, "rating-agreement")["outline"]["rated"] == 6
    done = run(BENCH, tmp_path, f"corpus.with.run={first.folder}", "corpus.with.checklists=meta")
    rows = by_agent(done, "bench-scores")
    assert len(rows) == 6
    assert all((row["n"], row["incomplete"]) == (6, 0) for row in rows.values())


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/data")
def test_on_the_ready_made_bench(tmp_path: Path) -> None:
    first = run(
        BUILD,
        tmp_path,
        "corpus.use=review-bench",
        f"corpus.with.path={SHARED / 'reviewbench' / 'eval_rubrics.json'}",
        "agents={outline: outline-reviewer}",
    )
    done = run(BENCH, tmp_path, f"corpus.with.run={first.folder}")
    (row,) = done.table("bench-scores").records()
    assert (row["n"], row["papers"], row["incomplete"]) == (3, 3, 0)
