"""McNemar's tests and Holm's correction against statsmodels, SciPy and published examples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as reference
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from revkit.errors import StatisticsError
from revkit.stats import clustered_mcnemar, holm, mcnemar, mcnemar_from_flips


def test_the_only_table_behind_the_seeds_statistic() -> None:
    # Seed audit: chi2 = 84.3 needs b = 39, c = 174 with the correction, (135 - 1)^2 / 213.
    result = mcnemar(39, 174)
    assert result.corrected_statistic == pytest.approx(84.30, abs=0.005)
    assert result.statistic == pytest.approx(85.56, abs=0.005)
    assert result.corrected_p_value < 1e-15


@pytest.mark.parametrize(
    ("b", "c", "plain", "corrected", "exact", "mid"),
    [
        # Bentur et al. 2009 as printed by Fagerland, Lydersen and Laake 2013: cdf(1) = 9/256,
        # so the exact p is 18/256 = .0703 and the mid-p 10/256 = .0391.
        (1, 7, 0.0339, 0.0771, 0.0703, 0.0391),
        # Cavo et al. 2012, the same authors' second example.
        (6, 16, 0.033006, 0.055009, 0.052479, 0.034690),
    ],
)
def test_published_p_values(
    b: int, c: int, plain: float, corrected: float, exact: float, mid: float
) -> None:
    result = mcnemar(b, c)
    assert result.p_value == pytest.approx(plain, abs=5e-5)
    assert result.corrected_p_value == pytest.approx(corrected, abs=5e-5)
    assert result.exact_p_value == pytest.approx(exact, abs=5e-5)
    assert result.mid_p_value == pytest.approx(mid, abs=5e-5)


@settings(deadline=None)
@given(b=st.integers(0, 200), c=st.integers(0, 200))
def test_mcnemar_agrees_with_statsmodels(b: int, c: int) -> None:
    result = mcnemar(b, c)
    p_values = (result.p_value, result.corrected_p_value, result.exact_p_value, result.mid_p_value)
    assert all(0 <= p <= 1 for p in p_values)
    swapped = mcnemar(c, b)
    assert (swapped.statistic, swapped.mid_p_value) == (result.statistic, result.mid_p_value)
    if b + c == 0:
        return
    table = [[5, b], [c, 9]]
    plain = statsmodels_mcnemar(table, exact=False, correction=False)
    assert result.statistic == pytest.approx(plain.statistic)
    assert result.p_value == pytest.approx(plain.pvalue, rel=1e-9)
    exact = statsmodels_mcnemar(table, exact=True)
    assert result.exact_p_value == pytest.approx(min(1.0, exact.pvalue), rel=1e-9)
    assert result.mid_p_value <= result.exact_p_value
    if b != c:  # statsmodels does not clip |b - c| - 1 at 0
        corrected = statsmodels_mcnemar(table, exact=False, correction=True)
        assert result.corrected_statistic == pytest.approx(corrected.statistic)
    else:
        assert (result.statistic, result.corrected_statistic, result.exact_p_value) == (0, 0, 1)
        # Fagerland's supplement: 1 - P(X = b) / 2 at equality.
        assert result.mid_p_value == pytest.approx(1 - reference.binom.pmf(b, 2 * b, 0.5) / 2)


def test_no_discordant_pair() -> None:
    result = mcnemar(0, 0)
    assert (result.statistic, result.corrected_statistic) == (None, None)
    assert (result.p_value, result.exact_p_value, result.mid_p_value) == (1, 1, 1)
    assert result.note == "no discordant pair"


@pytest.mark.parametrize("pair", [(-1, 2), (1.0, 2), (float("nan"), 2), (None, 2)])
def test_mcnemar_refuses(pair) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StatisticsError):
        mcnemar(*pair)


def test_table_from_flips_leaves_failures_out() -> None:
    first = [1, 1, 0, 0, 1, None, 0, None]
    second = [1, 0, 1, 0, 0, 1, None, None]
    result = mcnemar_from_flips(first, second)
    assert (result.both, result.first_only, result.second_only, result.neither) == (1, 2, 1, 1)
    assert result.left_out == 3
    assert result.test == mcnemar(2, 1)


def test_identical_and_empty_flip_vectors() -> None:
    assert mcnemar_from_flips([True, False, True], [True, False, True]).test == mcnemar(0, 0)
    empty = mcnemar_from_flips([], [])
    assert (empty.both, empty.neither, empty.test.p_value) == (0, 0, 1.0)


@pytest.mark.parametrize(
    ("first", "second"), [([1], [1, 0]), ([2], [1]), ([float("nan")], [0]), ([0.5], [0])]
)
def test_flip_vectors_refused(first, second) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(StatisticsError):
        mcnemar_from_flips(first, second)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40), st.randoms())
def test_order_of_pairs_does_not_matter(pairs, random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(pairs, len(pairs))
    one, other = (
        mcnemar_from_flips([a for a, _ in order], [b for _, b in order])
        for order in (pairs, shuffled)
    )
    assert one == other


def test_clustered_mcnemar_by_hand() -> None:
    # d = 2, 1, -1, 0, 1; sum 3, squares 4 + 1 + 1 + 0 + 1 = 7; (4 / 5) * 9 / 7 = 1.02857.
    result = clustered_mcnemar([2, 1, 0, 1, 2], [0, 0, 1, 1, 1])
    assert result.statistic == pytest.approx(0.8 * 9 / 7)
    assert result.p_value == pytest.approx(reference.chi2.sf(0.8 * 9 / 7, 1))
    assert (result.clusters, result.informative) == (5, 4)
    assert "only 4 papers on which" in result.note


def test_clustered_mcnemar_with_one_pair_a_paper_is_mcnemar_times_k_minus_1_over_k() -> None:
    b, c = [1] * 12 + [0] * 28, [0] * 12 + [1] * 5 + [0] * 23
    plain = mcnemar(12, 5).statistic
    assert plain is not None
    assert clustered_mcnemar(b, c).statistic == pytest.approx(39 / 40 * plain)


def test_clustered_mcnemar_is_the_squared_ratio_of_difference_and_its_error() -> None:
    # Obuchowski's own form: difference of two rates over the root of its between-cluster variance.
    random = np.random.default_rng(5)
    size = random.integers(1, 5, 40)
    b = random.binomial(size, 0.3)
    c = random.binomial(size - b, 0.2)
    total, k = size.sum(), len(size)
    difference = (b.sum() - c.sum()) / total
    variance = k / (k - 1) * ((b - c) ** 2).sum() / total**2
    result = clustered_mcnemar(b, c)
    assert result.statistic == pytest.approx(difference**2 / variance)
    assert clustered_mcnemar(c, b).statistic == result.statistic
    assert clustered_mcnemar(b[::-1], c[::-1]).statistic == pytest.approx(result.statistic)


def test_clustered_mcnemar_keeps_its_level_where_mcnemar_does_not() -> None:
    # No true difference, but on each paper both agents' differences lean one way together.
    random = np.random.default_rng(11)
    plain = clustered = 0
    runs = 400
    for _ in range(runs):
        lean = random.beta(0.5, 0.5, 60)
        discordant = random.binomial(4, 0.4, 60)
        b = random.binomial(discordant, lean)
        c = discordant - b
        plain += mcnemar(int(b.sum()), int(c.sum())).p_value < 0.05
        p = clustered_mcnemar(b, c).p_value
        assert p is not None
        clustered += p < 0.05
    assert plain / runs > 0.10
    assert 0.02 <= clustered / runs <= 0.08


def test_clustered_mcnemar_degenerate() -> None:
    same = clustered_mcnemar([1, 2, 0], [1, 2, 0])
    assert (same.statistic, same.p_value) == (None, 1.0)
    for one in ([], [3]):
        lone = clustered_mcnemar(one, [0] * len(one))
        assert (lone.statistic, lone.p_value, lone.note) == (None, None, "fewer than two papers")
    for b, c in (([1], [1, 2]), ([-1, 1], [0, 0]), ([0.5, 1], [0, 0]), ([np.nan, 1], [0, 0])):
        with pytest.raises(StatisticsError):
            clustered_mcnemar(b, c)


def test_holm_by_hand() -> None:
    # Sorted .005 .01 .03 .04 times 4 3 2 1: .02 .03 .06 .04, made monotone: .02 .03 .06 .06.
    adjusted = holm([0.01, 0.04, 0.03, 0.005])
    assert adjusted == pytest.approx((0.03, 0.06, 0.06, 0.02))


def test_holm_leaves_undefined_out_of_the_family() -> None:
    assert holm([None, 0.04, None, 0.01]) == (None, 0.04, None, 0.02)
    assert holm([]) == ()
    assert holm([None]) == (None,)


@pytest.mark.parametrize("p", [-0.1, 1.1, float("nan"), float("inf")])
def test_holm_refuses(p: float) -> None:
    with pytest.raises(StatisticsError):
        holm([0.5, p])


@pytest.mark.slow
@settings(deadline=None, max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    adjusted = holm(p_values)
    assert adjusted == pytest.approx(multipletests(p_values, method="holm")[1], abs=1e-12)
    pairs = sorted(zip(p_values, adjusted, strict=True))
    assert all(a is not None and p <= a <= 1 for p, a in pairs)
    later = [a for _, a in pairs if a is not None]
    assert later == sorted(later)
    assert tuple(reversed(holm(p_values[::-1]))) == adjusted
