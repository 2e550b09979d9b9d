"""Evaluators against people: definitions by hand, correlations against SciPy, files with faults."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.errors import OptionError
from revkit.figures import Resampling
from revkit.stats.linearisation import skewness_corrected
from revkit_reviewbench.metrics import EvaluatorAgreement
from revkit_reviewbench.metrics.pairwise import pairwise_abs_error, pairwise_rank_error
from tests.plugins.revkit_reviewbench.bench_records import judged

HOW: dict[str, Any] = {"resampling": Resampling(1, resamples=200)}


def test_pairwise_errors_by_hand() -> None:
    human, judge = [0, 2, 4], [1, 1, 5]
    # |-2 - 0|, |-4 + 4|, |-2 + 4|; the pair (0, 1) is tied by the evaluator.
    assert pairwise_abs_error(human, judge, "abc", **HOW).value == pytest.approx(4 / 3)
    assert pairwise_rank_error(human, judge, "abc", **HOW).value == pytest.approx(0.5 / 3)
    # Pairs that people tie are not pairs: of (0, 2) and (1, 2) the second is put wrongly.
    assert pairwise_rank_error([1, 1, 2], [0, 9, 5], "abc", **HOW).value == 0.5


def test_pairwise_errors_that_are_undefined() -> None:
    assert pairwise_abs_error([1], [1], "a", **HOW).value is None
    none = pairwise_rank_error([1, 1], [1, 2], "ab", **HOW)
    assert (none.value, none.note) == (None, "people order no pair")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=9))
def test_pairwise_errors_as_sums_over_pairs(scores: list[tuple[int, int]]) -> None:
    human, judge = [h for h, _ in scores], [a for _, a in scores]
    pairs = [(i, j) for i in range(len(scores)) for j in range(i)]
    direct = sum(abs((human[i] - human[j]) - (judge[i] - judge[j])) for i, j in pairs)
    names = list(range(len(scores)))
    assert pairwise_abs_error(human, judge, names, **HOW).value == pytest.approx(
        direct / len(pairs)
    )
    tau = scipy.stats.kendalltau(human, judge, variant="b").statistic
    found = pairwise_rank_error(human, judge, names, **HOW).value
    ordered = [(i, j) for i, j in pairs if human[i] != human[j]]
    if found is not None and len(set(judge)) == len(judge) and len(set(human)) == len(human):
        assert found == pytest.approx((1 - tau) / 2)
    assert (found is None) is (not ordered)


def test_pairwise_errors_have_a_jackknife_over_papers() -> None:
    human = [1.0, 4.0, 2.0, 8.0, 5.0, 7.0]
    judge = [2.0, 3.0, 3.0, 9.0, 1.0, 6.0]
    papers = ["a", "a", "b", "c", "c", "d"]

    def value(kept: list[int]) -> float:
        pairs = [(i, j) for i in kept for j in kept if i < j]
        return sum(abs(human[i] - human[j] - judge[i] + judge[j]) for i, j in pairs) / len(pairs)

    found = pairwise_abs_error(human, judge, papers, **HOW)
    assert found.value == pytest.approx(value([0, 1, 2, 3, 4, 5]))
    left = [
        value([i for i, own in enumerate(papers) if own != paper]) for paper in sorted(set(papers))
    ]
    middle = sum(left) / 4
    error = math.sqrt(3 / 4 * sum((each - middle) ** 2 for each in left))
    parts = np.array([3 / 4 * (middle - each) for each in left])
    assert math.sqrt(4 / 3 * float((parts**2).sum())) == pytest.approx(error)
    low, high = skewness_corrected(value([0, 1, 2, 3, 4, 5]), parts, 0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx((max(0.0, low), high))
    assert found.interval.short
    order = [5, 2, 0, 3, 1, 4]
    again = pairwise_abs_error(
        [human[i] for i in order], [judge[i] for i in order], [papers[i] for i in order], **HOW
    )
    assert (again.interval.low, again.interval.high) == pytest.approx((max(0.0, low), high))


def scores_file(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def row_of(overall: int) -> list[float | str]:
    """Eight scores with the sum ``overall`` (0 to 14)."""
    full = min(7, overall // 2)
    rest = overall - 2 * full
    scores: list[float | str] = [*[2] * full, *[0] * (8 - full)]
    if rest:
        scores[full] = rest
    return scores


def test_figures_against_scipy(tmp_path: Path) -> None:
    draw = random.Random(2)
    judge = {("a" if i % 2 else "b", f"p{i // 2}"): draw.randrange(15) for i in range(40)}
    human = {
        key: min(14.0, max(-2.0, score + draw.randrange(-2, 3))) for key, score in judge.items()
    }
    lines = [f"{paper},{agent},{score}" for (agent, paper), score in human.items()]
    draw.shuffle(lines)
    path = scores_file(tmp_path / "h.csv", "\n".join(["paper,agent,score", *lines, "p99,a,3"]))
    records = judged({key: row_of(score) for key, score in judge.items()})
    (row,) = EvaluatorAgreement(file=path, resamples=200).measure(records).records()
    h = [human[key] for key in judge]
    a = [float(judge[key]) for key in judge]
    assert row["spearman"] == pytest.approx(scipy.stats.spearmanr(h, a).statistic)
    assert row["pearson"] == pytest.approx(scipy.stats.pearsonr(h, a).statistic)
    assert row["mae"] == pytest.approx(float(np.abs(np.subtract(h, a)).mean()))
    assert (row["n"], row["papers"], row["unmatched"], row["dimension"]) == (40, 20, 1, "overall")
    for name in ("mae", "spearman", "pearson", "pairwise_abs_error", "pairwise_rank_error"):
        assert row[f"{name}_low"] <= row[name] <= row[f"{name}_high"], name


def test_raters_are_averaged_and_dimensions_kept_apart(tmp_path: Path) -> None:
    path = scores_file(
        tmp_path / "h.csv",
        "paper,agent,score,dimension,rater\n"
        "p1,a,2,Core Contribution Accuracy,x\n"
        "p1,a,1,core-contribution-accuracy,y\n"
        "p1,a,-1,False or Contradictory Claims,x\n"
        "p1,a,9,,x\n",
    )
    records = judged({("a", "p1"): [1, 1, 1, 1, 1, 1, 1, 0], ("a", "p2"): ["crashed"] * 8})
    found = EvaluatorAgreement(file=path, resamples=200).measure(records).records()
    assert [(row["dimension"], row["mae"]) for row in found] == [
        ("overall", 2.0),  # 9 against 7
        ("core-contribution-accuracy", 0.5),  # 1.5 against 1
        ("false-or-contradictory-claims", 1.0),
    ]
    assert found[0]["spearman"] is None
    assert "spearman: " in found[0]["note"]


def test_human_scores_on_a_scale_of_their_own(tmp_path: Path) -> None:
    path = scores_file(tmp_path / "h.csv", "paper,agent,score\np1,a,0.5\n")
    records = judged({("a", "p1"): [1, 1, 1, 1, 1, 1, 1, 0]})
    metric = EvaluatorAgreement(file=path, human_scale=(0.0, 1.0), resamples=200)
    (row,) = metric.measure(records).records()
    assert row["mae"] == 1.0  # half of -2 to 14 is 6, against 7


def test_an_optional_last_cell_may_be_missing(tmp_path: Path) -> None:
    text = "paper,agent,score,dimension,note\np1,a,9\np1,a,9,overall\np1,a,9,,seen\n"
    records = judged({("a", "p1"): [1, 1, 1, 1, 1, 1, 1, 0]})
    (row,) = (
        EvaluatorAgreement(file=scores_file(tmp_path / "h.csv", text)).measure(records).records()
    )
    assert row["mae"] == 2.0


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("paper,score\np,1\n", "no column 'agent'"),
        ("paper,agent,score\n", "contains no score"),
        ("paper,agent,score\np,a,good\n", "h.csv:2: 'good' is not a score from -2 to 14"),
        ("paper,agent,score\np,a,1\np,a,15\n", "h.csv:3: '15' is not a score from -2 to 14"),
        ("paper,agent,score\np,a,nan\n", "'nan' is not a score"),
        ("paper,agent,score\n,a,1\n", "paper or agent is empty"),
        ("paper,agent,score,dimension\np,a,1,wit\n", "'wit' is not a dimension"),
        ("paper,agent,score,dimension\np,a,1,false or contradictory claims\n", "from -2 to 0"),
    ],
)
def test_files_with_faults(tmp_path: Path, text: str, fault: str) -> None:
    path = scores_file(tmp_path / "h.csv", text)
    with pytest.raises(OptionError, match="file") as caught:
        EvaluatorAgreement(file=path)
    assert fault in str(caught.value)


def test_no_file() -> None:
    with pytest.raises(OptionError, match="is required"):
        EvaluatorAgreement()
    with pytest.raises(OptionError, match="No such file"):
        EvaluatorAgreement(file="nowhere.csv")


def test_identity_is_the_scores_not_the_path(tmp_path: Path) -> None:
    text = "paper,agent,score\np,a,1\n"
    one = EvaluatorAgreement(file=scores_file(tmp_path / "a.csv", text))
    two = EvaluatorAgreement(file=scores_file(tmp_path / "b.csv", text.replace("\n", "\r\n")))
    assert one.identity() == two.identity()
    assert one.files_needed() == (str(tmp_path / "a.csv"),)
