"""The page on the source papers: quotations, calculations and our own figures are as it says."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "seeds.md"
SEEDS = ROOT.parent / "shared" / "seeds"
FILES = {
    "R": "robust-rev.md",
    "A": "asc-calibration.md",
    "Y": "yescieval-heuristics.md",
    "G": "reviewgrounder-reviewbench.md",
}
ANSWERS = {"agrees", "contradicted", "cannot be checked"}

_ROW = re.compile(
    r"^\| ([A-Z]\d{1,2}) \| ([^|]{1,400}) \| ([a-z ]{1,20}) \| ([^|]{1,600}) \|$", re.M
)
ROWS = {row[0]: row[1:] for row in _ROW.findall(PAGE.read_text(encoding="utf-8"))}

FULL = 10.7699
TABLE_1 = {
    "4.8675": "1.1300 0.1600 0.1100 0.1250 1.3400 0.5900 2.0000 -0.1600",
    "4.9620": "1.0300 0.1300 0.1200 0.0000 1.4100 0.6300 1.9800 -0.1600",
    "3.6800": "0.8500 0.0000 0.0200 0.0000 0.6700 0.1800 1.7600 -0.1900",
    "7.0893": "1.6700 0.4800 0.3600 0.0830 1.5600 1.1300 1.9400 -0.0900",
    "10.7699": "1.8507 1.4075 0.9059 1.4831 1.9191 1.3289 1.9992 -0.1245",
}
OTHER_TABLES = {
    "6.2302": "1.5443 0.5327 0.1672 0.0982 1.5327 0.6672 1.9899 -0.3019",
    "6.5882": "1.5891 0.5844 0.2008 0.1502 1.5673 0.7136 1.9938 -0.2111",
    "4.8675": "1.0652 0.1321 0.1204 0.0348 1.2191 0.5585 1.8846 -0.1472",
    "7.7825": "1.6485 0.6260 0.4417 0.3616 1.7232 1.1812 1.9899 -0.1896",
    "10.3298": "1.8336 1.3771 0.7582 1.4962 1.8002 1.2201 1.9782 -0.1337",
    "10.5776": "1.8240 1.3620 0.8860 1.4336 1.9040 1.3040 2.0000 -0.1360",
    "10.7402": "1.8300 1.4320 0.8460 1.4762 1.9240 1.3560 2.0000 -0.1240",
}
TOTALS = "7.8047 7.3517 4.5756 7.6616 4.8675 4.9620 3.6800 7.0893 3.0989 3.5220 6.3183 7.9004"


def total(parts: str) -> float:
    return sum(map(float, parts.split()))


def flips(rate: float, n: int) -> str:
    """Return the two whole counts next to a rate, with the rates that they give."""
    below = int(rate * n)
    return f"{below} are {100 * below / n:.1f}% and {below + 1} are {100 * (below + 1) / n:.1f}%"


def standard_error() -> str:
    error = (0.187 * 0.813 / 600) ** 0.5
    low, high = 0.187 - 1.96 * error, 0.187 + 1.96 * error
    return f"{error:.4f} and [{low:.3f}, {high:.3f}]"


CALCULATIONS: dict[str, Callable[[], str]] = {
    "R1": lambda: f"150 x 4 = {150 * 4}",
    "R5": lambda: flips(0.091, 600),
    "R6": lambda: flips(0.314, 600),
    "R10": lambda: (
        f"{sum((11.2, 28.4, 19.6, 14.8)) / 4:.2f}% and "
        f"{sum((9.1, 14.7, 18.7, 23.0, 31.4)) / 5:.2f}%"
    ),
    "R11": lambda: f"28.4 / 11.2 = {28.4 / 11.2:.1f}",
    "R13": standard_error,
    "R14": lambda: f"112 flips of 600 are {100 * 112 / 600:.1f}%",
    "R15": lambda: f"give {(174 - 39 - 1) ** 2 / (174 + 39):.1f}",
    "R16": lambda: flips(0.121, 600),
    "R17": lambda: flips(0.864, 150),
    "A1": lambda: f"240 / 28 = {240 / 28:.2f}",
    "A6": lambda: f"1 - 6.1 / 22.4 = {100 * (1 - 6.1 / 22.4):.1f}%",
    "A11": lambda: f"= {(15 * 9.4 - 10 * 6.1) / 5:.1f} points",
    "A13": lambda: (
        f"{240 * 6 / 0.017:,.0f} reviews a week; daily scoring of the same volume is {7 * 1.7:.1f}%"
    ),
    "G5": lambda: f"falls by {100 * (1 - 1.1607 / 3.9232):.0f}% ",
    "G6": lambda: " and ".join(f"{2 * a / (1 + a):.4f}" for a in (0.2354, 0.1545)),
    "G8": lambda: f"{1.8507 - 1.0476:.2f} more; the overall score falls by {FULL - 10.0186:.2f}",
    "G12": lambda: f"10.3917 / 6.9436 = {10.3917 / 6.9436:.4f}",
}


@pytest.mark.parametrize("row", CALCULATIONS)
def test_a_calculation_gives_what_the_page_says(row: str) -> None:
    assert CALCULATIONS[row]() in ROWS[row][2]


def test_the_flips_behind_the_test_of_two_agents() -> None:
    """R15: 15 joint flips with 39 and 174 others are 54 and 189; independence expects 17."""
    assert (15 + 39, 15 + 174) == (54, 189)
    assert round(54 * 189 / 600) == 17


def test_sums_of_rows() -> None:
    for printed, parts in OTHER_TABLES.items():
        assert total(parts) == pytest.approx(float(printed), abs=0.00015)
    wrong = {t for t, parts in TABLE_1.items() if abs(total(parts) - float(t)) > 0.00015}
    assert wrong == set(re.findall(r"\d\.\d{4}", ROWS["G2"][0]))
    assert [f"{total(TABLE_1[t]):.4f}" for t in TABLE_1 if t in wrong] == re.findall(
        r"\d\.\d{4}", ROWS["G2"][2]
    )


def test_gains_of_table_1() -> None:
    printed = map(int, re.findall(r"(\d+)%", ROWS["G3"][0]))
    gains = [100 * (FULL / float(t) - 1) for t in TOTALS.split()]
    assert all(abs(p - gain) < 1 for p, gain in zip(printed, gains, strict=True))


def test_our_figures_are_those_of_our_reports() -> None:
    robust = (ROOT / "docs/examples/robust-report.txt").read_text(encoding="utf-8")
    median = re.search(r"median flip rate of these \d+ agents is ([\d.]+%)", robust)
    assert median
    assert median[1] in ROWS["R7"][2]
    asc = (ROOT / "docs/examples/asc-report.txt").read_text(encoding="utf-8")
    raw = re.search(r"^raw +([\d.]+) +([\d.]+) +- +[\d.]+ +([\d.]+) +([\d.]+)", asc, re.M)
    ways = dict(re.findall(r"^(mean-sigma|spline) +([\d.]+) +[\d.]+ ", asc, re.M))
    week = re.search(r"^every 7 +[\d.]+ +([\d.]+)", asc, re.M)
    assert raw
    assert week
    assert f"have D {raw[1]} and, over pairs of agents, an sd of {raw[2]}" in ROWS["A5"][2]
    assert f"D {ways['spline']}" in ROWS["A6"][2]
    assert f"from {raw[3]} to {raw[4]}" in ROWS["A7"][2]
    assert f"D {ways['mean-sigma']}" in ROWS["A8"][2]
    assert f"D {week[1]}" in ROWS["A12"][2]


def test_each_row_has_an_answer() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(ROWS) == len(re.findall(r"^\| [RAYG]\d", page, re.M))
    assert {answer for _, answer, _ in ROWS.values()} == ANSWERS


def seed(letter: str) -> str:
    path = SEEDS / FILES[letter]
    if not path.exists():
        pytest.skip("the source papers are not here")
    return re.sub(r"\s+", " ", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", ROWS)
def test_quotations_are_in_the_document(row: str) -> None:
    text = seed(row[0])
    quotations = re.findall(r'"([^"]+)"', ROWS[row][0])
    assert quotations
    for quotation in quotations:
        assert re.sub(r"\s+", " ", quotation) in text


@pytest.mark.parametrize("letter", ["R", "A"])
def test_no_number_of_the_results_is_missing(letter: str) -> None:
    """The two short papers: every number with a decimal point or a per cent sign has its row."""
    body = seed(letter).split("## References")[0]
    body = re.sub(r"```.*?```", "", body, flags=re.S)
    quoted = " ".join(row[0] for key, row in ROWS.items() if key[0] == letter)
    numbers = set(re.findall(r"\d+\.\d+|\d+(?=\\?%)", body)) - SECTIONS[letter]
    assert {n for n in numbers if n not in quoted} == set()


SECTIONS = {"R": {"5.1", "5.2", "5.3"}, "A": set()}


def test_each_command_names_a_shipped_spec() -> None:
    names = set(re.findall(r"`revkit run ([a-z0-9-]+)`", PAGE.read_text(encoding="utf-8")))
    assert names
    assert {n for n in names if not (ROOT / "experiments" / f"{n}.yaml").exists()} == set()
