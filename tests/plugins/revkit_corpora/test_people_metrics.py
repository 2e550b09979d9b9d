"""Distance of agents and of people from people, and scores against what people marked."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import spearmanr

import revkit
from revkit.model.paper import Labels
from revkit.model.rating_scale import RatingScale
from revkit.model.records import AgentRow, PaperRow, Records, Verdict
from revkit.model.review import Scale
from revkit.model.table import Table
from revkit_corpora.annotation_agreement import WORDS, AnnotationAgreement
from revkit_corpora.people_floor import PeopleFloor

ROOT = Path(__file__).parents[3]
SCALE = RatingScale("mine", 1, 5, source="by hand")


def records(papers: list[PaperRow], scores: dict[tuple[str, int], float | None]) -> Records:
    agent = AgentRow("mine", "mine", Scale("mine", 0, 10), deterministic=True)
    verdicts = [
        Verdict("mine", paper, "", 0, repeat, None, score)
        for (paper, repeat), score in scores.items()
    ]
    return Records(
        seed=1,
        repeats=2,
        papers=papers,
        perturbations=(),
        agents=(agent,),
        variants=(),
        verdicts=verdicts,
    )


def rows_of(table: Table) -> list[dict[str, Any]]:
    return [dict(row) for row in table.records()]


def test_the_distance_is_from_the_others() -> None:
    papers = [
        PaperRow("a", Labels(ratings=(1, 3, 5), scale=SCALE)),  # severities 100, 50, 0
        PaperRow("b", Labels(ratings=(3, 5), scale=SCALE)),  # 50, 0
        PaperRow("c", Labels(ratings=(3,), scale=SCALE)),  # nobody to compare with
        PaperRow("d", Labels(ratings=(1, 5), rating_scale="elsewhere")),  # no known scale
    ]
    scores = {("a", 0): 10.0, ("a", 1): 5.0, ("b", 0): None, ("c", 0): 1.0}
    table = PeopleFloor(resamples=100).measure(records(papers, scores))
    assert table.notes[1] == "2 of 4 papers do not have two ratings on a known scale."
    people, mine = rows_of(table)
    # a: |100 - 25|, |50 - 50|, |0 - 75|; b: |50 - 0|, |0 - 50|.
    assert people["mae"] == pytest.approx((75 + 0 + 75 + 50 + 50) / 5)
    assert (people["papers"], people["n"], people["reviewer"]) == (2, 5, "people")
    # The agent's severity of a is 25, the mean of 0 and 50; targets 25, 50 and 75.
    assert mine["mae"] == pytest.approx((0 + 25 + 50) / 3)
    assert (mine["papers"], mine["n"], mine["left_out"]) == (1, 3, 1)
    assert mine["difference"] == pytest.approx(25 - 50)


def test_without_two_ratings_there_is_no_figure() -> None:
    found = PeopleFloor(resamples=100).measure(
        records([PaperRow("c", Labels(ratings=(3,), scale=SCALE))], {("c", 0): 1.0})
    )
    assert [row["mae"] for row in rows_of(found)] == [None, None]
    assert found.notes == ("No paper has two ratings on a known scale.",)


def test_an_agent_that_repeats_people_has_no_figure() -> None:
    papers = [PaperRow("a", Labels(ratings=(1, 3, 5), scale=SCALE))]
    given = records(papers, {("a", 0): 6.0})
    agents = [replace(given.agents[0], originals_only=True)]
    table = PeopleFloor(resamples=100).measure(replace(given, agents=agents))
    people, mine = rows_of(table)
    assert people["mae"] is not None
    assert (mine["mae"], mine["difference"], mine["n"]) == (None, None, 0)
    assert "it reads the reviews that people wrote" in mine["note"]
    assert table.findings == ()


def marked(id_: str, paper: str, words: int, **measures: float) -> PaperRow:
    return PaperRow(id_, Labels(extra={"paper": paper, "measures": measures}), words)


def test_correlations_with_measures_are_those_of_scipy() -> None:
    values = [(3, 9.0), (1, 2.0), (2, 4.0), (5, 4.0), (4, 8.0), (6, 1.0)]
    papers = [
        marked(f"r{number}", f"p{number // 2}", 10 * number, claims=value)
        for number, (value, _) in enumerate(values)
    ]
    papers.append(PaperRow("other", Labels(), 5))
    papers.append(marked("silent", "p9", 7, claims=3, more=1))
    scores: dict[tuple[str, int], float | None] = {
        (f"r{number}", 0): score for number, (_, score) in enumerate(values)
    }
    table = AnnotationAgreement(resamples=100).measure(records(papers, scores))
    rows = {(row["scorer"], row["measure"]): row for row in rows_of(table)}
    mine = rows["mine", "claims"]
    expected = spearmanr(*zip(*values, strict=True)).statistic
    assert mine["spearman"] == pytest.approx(expected)
    assert (mine["n"], mine["papers"], mine["unscored"]) == (6, 3, 1)
    assert rows[WORDS, "claims"]["n"] == 7
    assert rows["mine", "more"]["spearman"] is None
    assert table.notes[0].startswith("4 correlations")


def test_texts_without_measures_are_named() -> None:
    table = AnnotationAgreement(resamples=100).measure(records([PaperRow("x", Labels())], {}))
    assert not table.rows
    assert "items: reviews" in table.notes[0]


def tables_of_page() -> list[list[list[str]]]:
    """The cells of each table of figures on the page, without its header."""
    lines = (ROOT / "docs" / "people.md").read_text(encoding="utf-8").split("\n")
    groups = itertools.groupby(lines, key=lambda line: line.startswith("|"))
    tables = [list(group) for is_table, group in groups if is_table]
    return [
        [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]
        for table in tables
    ]


def shown(row: dict[str, Any], name: str, digits: int, factor: float = 1) -> str:
    if row[name] is None:
        return ""
    value, low, high = (factor * row[key] for key in (name, f"{name}_low", f"{name}_high"))
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def spec(number: int, **paths: Path) -> str:
    """The experiment ``number`` on the page, on the shared data."""
    page = (ROOT / "docs" / "people.md").read_text(encoding="utf-8")
    text = page.split("```yaml\n")[number + 1].split("```")[0]
    for name, path in paths.items():
        text = text.replace(f"path: {name}", f"path: {path}")
    return text


def run_page(tmp_path: Path, text: str) -> Any:
    place = tmp_path / "spec.yaml"
    place.write_text(text, encoding="utf-8")
    return revkit.run(place, out=tmp_path / "out", store=tmp_path / "store.sqlite")


@pytest.mark.slow
def test_the_page_has_the_distances_of_people(shared_data: Path, tmp_path: Path) -> None:
    text = spec(0, **{"peerread/": shared_data / "peerread_layout"})
    table = run_page(tmp_path, text).table("people-floor")
    assert tables_of_page()[0] == [
        [row["reviewer"], shown(row, "mae", 1), shown(row, "difference", 1)]
        for row in rows_of(table)
    ]


@pytest.mark.slow
def test_the_page_has_the_row_of_people(shared_data: Path, tmp_path: Path) -> None:
    text = spec(1, **{"peerread/": shared_data / "peerread_layout"})
    table = run_page(tmp_path, text).table("rating-agreement")
    figures = [shown(row, "accuracy", 1, 100) for row in rows_of(table)]
    assert [row[1] for row in tables_of_page()[1]] == figures
    judged = revkit.run(
        ROOT / "experiments" / "reviewbench.yaml",
        overrides=[f"corpus.with.run={tmp_path / 'out'}", "corpus.with.checklists=meta"],
        out=tmp_path / "judged",
        store=tmp_path / "store.sqlite",
    )
    scores = [shown(row, "overall", 2) for row in rows_of(judged.table("bench-scores"))]
    assert [row[2] for row in tables_of_page()[1]] == scores


@pytest.mark.parametrize("data", ["substanreview", "disapere"])
def test_the_page_has_the_validation_of_the_evaluator(
    shared_data: Path, tmp_path: Path, data: str
) -> None:
    text = spec(2, **{"SubstanReview/annotation_final": shared_data / "substanreview"})
    measure, place = "substantiation", 2
    if data == "disapere":
        path = shared_data / "disapere" / "final_dataset"
        use = f"use: disapere, with: {{path: {path}, items: reviews}}"
        text = text.replace(
            f"use: substanreview, with: {{path: {shared_data / 'substanreview'}}}", use
        ).replace("[claims, supported, substantiation]", "[aspects]")
        measure, place = "aspects", 3
    found = rows_of(run_page(tmp_path, text).table("annotation-agreement"))
    expected = [
        [row["scorer"], row["rubric"], shown(row, "spearman", 2)]
        for row in found
        if row["measure"] == measure and row["rubric"] != "constructive-tone"
    ]
    assert tables_of_page()[place] == expected
