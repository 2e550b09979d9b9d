"""Each analysis of the paper has its spec; here each runs small, and its planted truth is found."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

import revkit
from revkit_reviewbench.corpora.synthetic.writer import write_papers
from revkit_reviewbench.dimensions import NAMES
from tests.llm_server.server import LlmServer
from tests.plugins.revkit_reviewground.scripted import ANSWERS, role_in

ROOT = Path(__file__).parents[3]
SPECS = ROOT / "experiments"
SHARED = ROOT.parent / "shared" / "data"
CHEAP = "reports=[terminal]"


def run(name: str, folder: Path, *overrides: str, first: Path | None = None) -> revkit.Run:
    options = [CHEAP, *overrides, *([f"corpus.with.run={first}"] if first else ())]
    return revkit.run(
        SPECS / f"{name}.yaml", out=folder / name, store=folder / "store.db", overrides=options
    )


def by(run: revkit.Run, table: str, *names: str) -> dict[Any, dict[str, Any]]:
    rows = run.table(table).records()
    return {tuple(row[name] for name in names) if len(names) > 1 else row[names[0]]: row
            for row in rows}  # fmt: skip


@pytest.mark.parametrize("path", sorted(SPECS.glob("review*.yaml")), ids=lambda path: path.stem)
def test_every_spec_says_how_to_run_it_and_which_line_names_a_model(path: Path) -> None:
    head = path.read_text(encoding="utf-8").partition("\nrevkit: 1")[0]
    assert "model" in head
    for command in re.findall(r"revkit run (\S+)", head):
        assert (ROOT / command).is_file(), command


# Figure 4 and the layout of Table 6.


def test_an_instruction_in_the_paper(tmp_path: Path) -> None:
    first = run("reviewbench-attack-build", tmp_path)
    # Whoever obeys gives 10 to all: a planted flip on the six papers that it rejected before.
    flips = by(first, "flip-rate", "agent", "family")
    assert flips["outline", "instruction"]["flips"] == 0
    assert flips["obedient", "instruction"]["flips"] == 6
    done = run("reviewbench-attack", tmp_path, first=first.folder)
    change = by(done, "bench-change", "agent")
    fair, obedient = change["outline"], change["obedient"]
    assert (fair["n"], fair["papers"], fair["lost"]) == (12, 12, 0)
    assert (fair["change"], fair["rose"], fair["fell"], fair["rating_change"]) == (0, 0, 0, 0)
    # Praise alone keeps the tone and makes no false claim; all else is gone.
    assert obedient["after"] == 2.0
    assert obedient["before"] == fair["before"]
    assert obedient["change"] == pytest.approx(2.0 - fair["before"])
    assert obedient["change_high"] < 0
    assert (obedient["fell"], obedient["rating_after"]) == (12, 10.0)
    assert obedient["rating_change"] > 0  # what the attacker wanted, while the review got worse
    scores = by(done, "bench-scores", "agent", "perturbation")
    assert scores["obedient", "instruction"]["overall"] == 2.0
    assert scores["obedient", "unchanged"]["overall"] == scores["outline", "instruction"]["overall"]


def test_the_attack_stands_in_what_reviewers_read_alone(tmp_path: Path) -> None:
    """Evaluators see the paper as it was, and its own checklists."""
    first = run("reviewbench-attack-build", tmp_path)
    done = run("reviewbench-attack", tmp_path, first=first.folder)
    records = (done.folder / "records" / "papers.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in records.splitlines()]
    assert len(rows) == 48
    sources: dict[str, set[str]] = {}
    for row in rows:
        sources.setdefault(row["extra"]["paper"], set()).add(json.dumps(row["materials"]))
    assert [len(each) for each in sources.values()] == [1] * 12
    assert "recommend acceptance" not in records
    # Reviews that are the same are not copies of a paper: intervals resample what they review.
    assert "counts as independent" not in done.summary


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs ../shared/data")
def test_an_instruction_in_real_papers(tmp_path: Path) -> None:
    """The six papers of ICLR 2017 in the sample, each with the instruction after its abstract."""
    first = run(
        "reviewbench-attack-build",
        tmp_path,
        "corpus.use=review-bench",
        f"corpus.with.path={SHARED / 'peerread_layout'}",
        "corpus.with.form=any-text",
        "perturbations.instruction.with.position=after-abstract",
    )
    meta = "corpus.with.checklists=meta"
    done = run("reviewbench-attack", tmp_path, meta, first=first.folder)
    change = by(done, "bench-change", "agent")
    assert (change["outline"]["n"], change["outline"]["rating_change"]) == (6, 0)
    assert (change["obedient"]["n"], change["obedient"]["rating_after"]) == (6, 10)


# Table 5.


def test_several_venues(tmp_path: Path) -> None:
    first = run("reviewbench-venues-build", tmp_path)
    # Ratings of three scales on one schema: what rounding to coarser scales can do, and no more.
    (outline, *_) = first.table("rating-agreement").records()
    assert (outline["rated"], outline["mapped"]) == (12, "1 to 10, as given")
    assert outline["mae"] < 1.0 + 9 / 4 / 2
    done = run("reviewbench-venues", tmp_path, first=first.folder)
    rows = by(done, "bench-venues", "agent", "venue")
    whole = by(done, "bench-scores", "agent")
    for agent in ("outline", "no-results"):
        parts = [rows[agent, venue] for venue in ("Alder", "Birch", "Cedar")]
        assert [part["n"] for part in parts] == [4, 4, 4]
        assert rows[agent, "all venues"]["overall"] == whole[agent]["overall"]
        mean = sum(part["overall"] * part["n"] for part in parts) / 12
        assert mean == pytest.approx(whole[agent]["overall"])
    # The planted weakness shows at every venue.
    for venue in ("Alder", "Birch", "Cedar"):
        assert rows["no-results", venue]["results_interpretation"] == 0
        assert rows["outline", venue]["results_interpretation"] > 1


# Table 7.


def test_rubrics_of_a_single_review(tmp_path: Path) -> None:
    spec, store = SPECS / "reviewbench-single-build.yaml", tmp_path / "store.db"
    first = revkit.sweep(spec, out=tmp_path / "first", store=store, overrides=[CHEAP])
    done = run("reviewbench-single", tmp_path, first=first.folder)
    rows = by(done, "bench-scores", "agent")
    assert len(rows) == 6
    for point in ("merged", "single"):
        whole, less, mild = (
            rows[f"reference={point}/{agent}"] for agent in ("outline", "no-results", "no-critique")
        )
        # The order of reviewers is the same under both, which is what Table 7 is about.
        assert less["overall"] < mild["overall"] < whole["overall"]
        assert (whole["gain"], whole["n"], whole["incomplete"]) == (None, 12, 0)
        assert less["gain"] == pytest.approx(whole["overall"] - less["overall"])
        assert less["gain_low"] > 0
    # One review asks for no more than all of them together, so as much of it is covered or more.
    assert rows["reference=single/outline"]["overall"] > rows["reference=merged/outline"]["overall"]


def test_rubrics_of_a_single_review_hold_less() -> None:
    from revkit.testing import context
    from revkit_reviewbench.corpora.synthetic import SyntheticBench

    merged = list(SyntheticBench().papers(context()))
    single = list(SyntheticBench(reference="single").papers(context()))
    drawn = Counter()
    for whole, part in zip(merged, single, strict=True):
        one: Any = part.labels.extra["reference"]
        drawn[one["from"]] += 1
        reviews: Any = whole.labels.extra["reviews"]
        assert one["summary"] == reviews[int(one["from"][-1]) - 1]["summary"]
        lists: Any = whole.labels.extra["rubrics"]
        kept: Any = part.labels.extra["rubrics"]
        assert [each["dimension"] for each in kept] == list(NAMES)
        for before, after in zip(lists, kept, strict=True):
            assert 0 < len(after["points"]) <= len(before["points"])
            assert all(point in before["points"] for point in after["points"])
            assert not all(point["minor"] for point in after["points"])
        assert (part.text, part.labels.ratings) == (whole.text, whole.labels.ratings)
    assert len(drawn) == 3  # all three reviews are drawn for some paper
    again = list(SyntheticBench(reference="single", papers_=3).papers(context(seed=9)))
    assert again == single[:3]  # what is drawn depends on the paper alone
    other = list(SyntheticBench(reference="single", sample_seed=7).papers(context()))
    assert other != single


# Table 4.


def human() -> dict[tuple[str, str], float]:
    with (SPECS / "human-scores.csv").open(encoding="utf-8") as file:
        return {(row["paper"], row["agent"]): float(row["score"]) for row in csv.DictReader(file)}


def test_the_scores_that_come_along_follow_the_stated_rule() -> None:
    base = {
        "outline": 9, "generous": 9, "no-critique": 8, "false-claims": 7, "harsh": 7,
        "no-results": 4,
    }  # fmt: skip
    assert human() == {
        (paper.id, agent): float(score + (number % 2 == 0))
        for number, paper in enumerate(write_papers())
        for agent, score in base.items()
    }
    head = (SPECS / "reviewbench-human.yaml").read_text(encoding="utf-8")
    assert "No person gave the scores" in head


def test_agreement_with_people(tmp_path: Path) -> None:
    """Against scipy, from the judgements of the run."""
    from scipy import stats

    first = run("reviewbench-build", tmp_path)
    file = f"metrics.0.with.file={SPECS / 'human-scores.csv'}"
    done = run("reviewbench-human", tmp_path, file, first=first.folder)
    (row,) = done.table("evaluator-agreement").records()
    totals: dict[tuple[str, str], float] = {}
    labels = {paper.id: paper.labels.extra for paper in done.records.papers}
    for each in done.records.judgements:
        extra = labels[each.paper]
        key = (str(extra["paper"]), str(extra["agent"]))
        assert each.score is not None
        totals[key] = totals.get(key, 0.0) + each.score
    pairs = [(score, totals[key]) for key, score in human().items()]
    people, judge = [h for h, _ in pairs], [a for _, a in pairs]
    assert (row["n"], row["papers"], row["unmatched"], row["dimension"]) == (72, 12, 0, "overall")
    assert row["mae"] == pytest.approx(sum(abs(h - a) for h, a in pairs) / 72)
    assert row["pearson"] == pytest.approx(stats.pearsonr(people, judge)[0])
    assert row["spearman"] == pytest.approx(stats.spearmanr(people, judge)[0])
    ordered = [(i, j) for i in range(72) for j in range(i)]
    gaps = [abs((people[i] - people[j]) - (judge[i] - judge[j])) for i, j in ordered]
    assert row["pairwise_abs_error"] == pytest.approx(sum(gaps) / len(gaps))
    assert row["pearson_low"] < row["pearson"] < row["pearson_high"]


# Tables 3, 8, 9 and Figures 3, 5, 6, with a stand-in for the models.


def scripted(body: dict[str, Any]) -> str:
    """An answer by role. The aggregator on the large model states what the paper proposes, and its
    main result where somebody reported on results; on the small one it states neither."""
    role = role_in(body)
    answer = ANSWERS[role]
    if role == "aggregator" and body["model"] == "gpt-oss-120b":
        asked = "\n".join(str(each["content"]) for each in body["messages"])
        texts = re.findall(
            r"(?:We propose|At the heart of|Our starting point)[^.\n]{5,200}\.", asked
        )
        answer = {**answer, "summary": " ".join(dict.fromkeys(texts))}
        if '"key_results"' in asked:
            found = re.findall(r"On \w+ \w+ reaches [^(\n]{5,200}|All scores are [^\n]+", asked)
            answer["strengths"] = [each.strip(" ,") for each in dict.fromkeys(found)]
    return json.dumps(answer)


def served(name: str, server: LlmServer, **changes: Any) -> dict[str, Any]:
    spec = yaml.safe_load((SPECS / f"{name}.yaml").read_text(encoding="utf-8"))
    for settings in spec["services"]["llm"]["models"].values():
        settings["base-url"] = server.url
    return {**spec, "reports": ["terminal"], **changes}


def test_the_ablation_gives_the_papers_tables(tmp_path: Path) -> None:
    corpus = {"use": "synthetic-bench", "with": {"papers": 3}}
    with LlmServer(reply=scripted, keep=10_000) as server:
        spec = served("reviewgrounder-ablation", server, corpus=corpus)
        first = revkit.run(spec, out=tmp_path / "first", store=tmp_path / "store.db")
    done = run("reviewbench-ablation", tmp_path, first=first.folder)
    rows = by(done, "bench-scores", "agent")
    assert set(rows) == {
        "full",
        "drafter-phi-4-7b", "drafter-qwen3-4b", "without-searcher", "without-miner",
        "without-analyzer",  # Table 3
        "small-miner", "small-summarizer", "small-analyzer",  # Table 9
        "backbone-8b", "backbone-8b-drafter-7b",  # Table 8
        "works-5", "works-20",  # Figure 3a
        "without-checks",
    }  # fmt: skip
    assert all((row["n"], row["failed"], row["incomplete"]) == (3, 0, 0) for row in rows.values())
    for row in rows.values():
        parts = [row[name.replace("-", "_")] for name in NAMES]
        assert row["overall"] == sum(parts)
    apart = by(done, "bench-difference", "agent")
    assert "full" not in apart
    assert apart["backbone-8b"]["core_contribution_accuracy"] < 0
    assert apart["without-analyzer"]["results_interpretation"] < 0
    assert apart["without-analyzer"]["core_contribution_accuracy"] == 0
    for agent in ("works-5", "works-20", "small-miner", "without-checks"):
        assert apart[agent]["difference"] == 0
    for agent, row in apart.items():
        assert row["shared"] == 3
        assert row["difference"] == pytest.approx(-(rows[agent]["gain"]))


def test_a_sweep_over_rerankers(tmp_path: Path) -> None:
    """The points have their own order of works and all else in common; their reviews are judged in
    one run, each under the name of its point."""
    rerankers = {"plain": "", "words": "bm25", "vectors": "embeddings"}
    with LlmServer(reply=scripted, keep=10_000) as server:
        spec = served(
            "reviewgrounder-reranker",
            server,
            corpus={"use": "synthetic-bench", "with": {"papers": 2}},
            sweep={"services.searcher.with.reranker": rerankers},
        )
        first = revkit.sweep(spec, out=tmp_path / "first", store=tmp_path / "store.db")
    asked = Counter(role_in(body) for body in server.bodies)
    assert (asked["drafter"], asked["searcher"]) == (2, 2)  # once for all three points
    named = "metrics.{}.with.reference=reranker=plain/grounder"
    done = run(
        "reviewbench-ablation", tmp_path, named.format(0), named.format(1), first=first.folder
    )
    rows = by(done, "bench-scores", "agent")
    assert list(rows) == [f"reranker={label}/grounder" for label in ("plain", "words", "vectors")]
    assert all((row["n"], row["shared"] or 2) == (2, 2) for row in rows.values())
    assert set(by(done, "bench-difference", "agent")) == {
        "reranker=words/grounder", "reranker=vectors/grounder",
    }  # fmt: skip


def test_the_rerankers_of_the_paper_are_named() -> None:
    spec = yaml.safe_load((SPECS / "reviewgrounder-reranker.yaml").read_text(encoding="utf-8"))
    (values,) = spec["sweep"].values()
    assert values["openscholar"] == "OpenSciLM/OpenScholar_Reranker"
    assert len(revkit.points(SPECS / "reviewgrounder-reranker.yaml").points) == 3


# Tables 1 and 2.


def test_the_main_tables(tmp_path: Path) -> None:
    with LlmServer(reply=scripted) as server:
        spec = served("reviewgrounder", server)
        spec["agents"]["plain"] = "outline-reviewer"
        first = revkit.run(spec, out=tmp_path / "first", store=tmp_path / "store.db")
    ratings = by(first, "rating-agreement", "agent")
    # Every review rates 5 of 10 and rejects; people gave 7 and accept, 13 / 3 and reject.
    grounder = ratings["grounder"]
    assert (grounder["accuracy"], grounder["decided"]) == (0.5, 2)
    assert grounder["mae"] == pytest.approx((2 + 2 / 3) / 2)
    assert grounder["mse"] == pytest.approx((4 + 4 / 9) / 2)
    changes = "metrics=[{use: bench-scores, with: {reference: grounder}}]"
    done = run("reviewbench", tmp_path, changes, first=first.folder)
    scores = by(done, "bench-scores", "agent")
    row = scores["plain"]
    assert row["gain_share"] == pytest.approx(scores["grounder"]["overall"] / row["overall"] - 1)
    assert row["gain_share_low"] is None or row["gain_share_low"] <= row["gain_share"]
