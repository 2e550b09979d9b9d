"""Agents with planted behaviour: what the headline, the tables and the warnings say of each.

The reports are read as a reader reads them: the terminal's, the Markdown and the page.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from html import unescape

import pytest

from revkit.contracts import RunView
from revkit.model.paper import Labels
from revkit.model.records import AgentRow, PaperRow, PerturbationRow, Records, VariantRow, Verdict
from revkit.model.review import Scale
from revkit_reports.html import Html
from revkit_reports.markdown import MarkdownReport
from revkit_reports.terminal import Terminal
from revkit_robustrev.metrics import CleanAccuracy, Direction, FlipRate, ScoreShift

TEN = Scale("1-10", 1, 10, accept_at=6)
FAMILIES = ("f", "g", "h")
PAPERS = 150
# A verdict on a text: the number of the paper, the family ("" for the paper itself), a source of
# chance; None is a failed review.
Habit = Callable[[int, str, random.Random], bool | None]


def steady(paper: int, family: str, rng: random.Random) -> bool:
    """Right, and flips on 6 papers each way."""
    truth = paper % 2 == 0
    return not truth if family and paper % 25 in (3, 4) else truth


def constant(paper: int, family: str, rng: random.Random) -> bool:
    return True


def coin(paper: int, family: str, rng: random.Random) -> bool:
    return rng.random() < 0.5


def marked_coin(paper: int, family: str, rng: random.Random) -> bool:
    """A coin that every change turns into "always accept"."""
    return bool(family) or rng.random() < 0.5


def noisy_reject_all(paper: int, family: str, rng: random.Random) -> bool:
    return bool(family) and rng.random() < 0.2


def refuser(paper: int, family: str, rng: random.Random) -> bool | None:
    """Flips on 30 papers and hides 26 of them by failing."""
    truth = paper % 2 == 0
    if not family or paper % 5:
        return truth
    return not truth if paper < 20 else None


def one_sided(paper: int, family: str, rng: random.Random) -> bool:
    """Flips 15 rejected papers to accept, and never back."""
    return paper % 2 == 0 or bool(family and paper % 10 == 1)


def run_of(habits: dict[str, Habit], repeats: int) -> RunView:
    ids = [f"p{i:03d}" for i in range(PAPERS)]
    rng = random.Random(7)
    verdicts = []
    for name, habit in habits.items():
        for i, paper in enumerate(ids):
            for family in ("", *FAMILIES):
                for repeat in range(repeats):
                    accept = habit(i, family, rng)
                    score = None if accept is None else 8.0 if accept else 3.0
                    failure = "refusal" if accept is None else ""
                    verdicts.append(Verdict(name, paper, family, 0, repeat, accept, score, failure))
    random_ones = {coin, marked_coin, noisy_reject_all}
    records = Records(
        3,
        repeats,
        [PaperRow(paper, Labels(accept=i % 2 == 0)) for i, paper in enumerate(ids)],
        [PerturbationRow(name, name, "invariant") for name in FAMILIES],
        [AgentRow(name, name, TEN, habit not in random_ones) for name, habit in habits.items()],
        [VariantRow(paper, family, 0, 1, 0, ()) for paper in ids for family in FAMILIES],
        verdicts,
    )
    metrics = (FlipRate, ScoreShift, Direction, CleanAccuracy)
    return RunView(
        name="planted",
        spec={"revkit": 1, "name": "planted"},
        records=records,
        tables=[metric(resamples=400).measure(records) for metric in metrics],
        versions={},
        digest="0" * 64,
        text_of=lambda paper: "Text.",
        edits_of=lambda paper, family, index: [],
        title_of=lambda paper: paper,
    )


def words(text: str) -> str:
    return " ".join(text.split())


def reports(run: RunView) -> dict[str, str]:
    """The three reports as plain words."""
    page = re.sub(
        r"<(style|svg).*?</\1>|<[^>]+>",
        " ",
        Html(max_pairs=0).render(run)["report.html"],
        flags=re.S,
    )
    return {
        "terminal": words(Terminal().render(run)["report.txt"]),
        "markdown": words(MarkdownReport().render(run)["report.md"].replace("\\", "")),
        "page": words(unescape(page)),
    }


@pytest.fixture(scope="module")
def once() -> dict[str, str]:
    """One review of each text, by agents that repeat themselves."""
    return reports(
        run_of(
            {"steady": steady, "constant": constant, "refuser": refuser, "lenient": one_sided}, 1
        )
    )


@pytest.fixture(scope="module")
def twice() -> dict[str, str]:
    """Two reviews of each text."""
    habits: dict[str, Habit] = {
        "steady": steady,
        "coin": coin,
        "turned": marked_coin,
        "harsh": noisy_reject_all,
    }
    return reports(run_of(habits, 2))


def headline(report: str) -> str:
    return report.split("Answer: ", 1)[1].split(" Words in this report", 1)[0]


def test_the_headline_ranks_only_what_can_be_ranked(once: dict[str, str]) -> None:
    text = headline(once["terminal"])
    # 12 of 150 papers and 15 of 150 flip under every family: 8 % and 10 %.
    assert "The median flip rate of the 2 agents with a rank is 9.0% (95% interval [" in text
    assert (
        "; 0% is best; 450 pairs for each agent). The rates of the agents range from 8.0% "
        "(steady) to 10.0% (lenient)." in text
    )
    assert "Not ranked: " in text
    assert "constant (accepts all unchanged papers; 0.0% of its pairs flip)" in text
    # 4 of 124 papers with verdicts flip; with all verdicts 4 to 30 of 150.
    assert (
        "refuser (lacks verdicts, so its rate is between 2.7% and 20.0%; 3.2% of its pairs flip)"
    ) in text


def test_agents_that_are_not_ranked_come_last(once: dict[str, str]) -> None:
    table = once["terminal"].split(" Agent ", 1)[1]
    places = [table.index(name) for name in ("steady", "lenient", "constant", "refuser")]
    assert places == sorted(places)
    assert re.search(r"refuser 3\.2% (\[[\d., ]+\] )?2\.7% to 20\.0%", table)


@pytest.mark.parametrize("report", ["terminal", "markdown", "page"])
def test_every_report_warns_of_the_constant_and_the_refuser(
    once: dict[str, str], report: str
) -> None:
    text = once[report]
    assert "constant gives one verdict (accept) to all unchanged papers, so the absence of" in text
    found = re.search(
        r"refuser: 78 of 450 pairs lack a verdict; with all verdicts its flip rate would be "
        r"between 2\.7% and 20\.0% \(\[(\d+\.\d), (\d+\.\d)\] with the sampling of papers; "
        r"without the missing verdicts, the interval is (\d+\.\d) points wide\)",
        text,
    )
    assert found
    assert float(found[1]) < 2.7
    assert float(found[2]) > 20.0


@pytest.mark.parametrize("report", ["terminal", "markdown", "page"])
def test_every_report_states_directions_by_agent_over_papers(
    once: dict[str, str], report: str
) -> None:
    text = once[report]
    # All 15 papers flip one way: exact p 2 / 2^15, times three agents with a p or fewer.
    assert re.search(r"lenient 45 and 0 \(p = (6\.1e-05|1\.2e-04|1\.8e-04)\)", text)
    assert re.search(r"steady 18 and 18 \(p = 1\.000\)", text)
    assert "refuser 6 and 6 (too few papers for a test)" in text
    assert (
        "lenient: edits that do not change the science move its verdicts towards accept (more "
        "lenient): 45 and 0 flips to accept and to reject" in text
    )
    assert "exact sign test" not in text
    # Rejects at risk: 75 papers, of which 15 flip; no accepted one does.
    assert "20.0%" in text
    # Acceptance: 0, 0, 0 and +10 points, every agent with one weight.
    assert "On average over agents, the share of accepted texts changed by +2.5 points (" in text


def test_noise_is_not_an_effect(twice: dict[str, str]) -> None:
    text = headline(twice["terminal"])
    found = re.search(
        r"coin on (\d+\.\d)% \(the excess of its flips is (-?\d+\.\d)% \[(-?\d+\.\d), (\d+\.\d)\], "
        r"acceptance changes by ([+-]?\d+\.\d) points\)",
        text,
    )
    assert found
    assert 45 < float(found[1]) < 55
    assert float(found[3]) <= 0 <= float(found[4])
    assert abs(float(found[5])) < 6
    for report in twice.values():
        assert "No effect of the edits on coin was shown" in report
        assert "No effect of the edits on turned was shown" not in report


def test_an_effect_on_a_noisy_agent_is_seen(twice: dict[str, str]) -> None:
    text = headline(twice["terminal"])
    found = re.search(
        r"turned on \d+\.\d% \(the excess of its flips is "
        r"(\d+\.\d)% \[(\d+\.\d), (\d+\.\d)[^\]]*\], acceptance changes by \+(\d+\.\d) points\)",
        text,
    )
    assert found
    # (p - q)^2 = 25 % and q - p = 50 points.
    assert float(found[2]) <= 25 <= float(found[3])
    assert 45 < float(found[4]) < 55
    for report in twice.values():
        assert (
            "turned: edits that do not change the science move its verdicts towards accept"
            in report
        )


def test_a_noisy_reject_all_is_not_ranked(twice: dict[str, str]) -> None:
    text = headline(twice["terminal"])
    found = re.search(r"harsh \(rejects all unchanged papers; (\d+\.\d)% of its pairs flip\)", text)
    assert found
    assert 15 < float(found[1]) < 25
    for report in twice.values():
        assert "harsh gives one verdict (reject) to all unchanged papers, yet flips on" in report
        assert (
            "harsh: edits that do not change the science move its verdicts towards accept" in report
        )


def test_noise_that_was_not_measured_is_in_the_headline() -> None:
    found = reports(run_of({"steady": steady, "coin": coin}, 1))
    text = headline(found["terminal"])
    assert "The noise of coin was not measured (repeats: 1), so noise may be the reason" in text
    for report in found.values():
        assert (
            "To measure it, set repeats: 2 in the experiment, which reviews each text twice."
            in report
        )


def test_agents_as_a_sample_are_stated_as_such() -> None:
    run = run_of({"steady": steady, "lenient": one_sided, "constant": constant}, 1)
    table = FlipRate(resamples=400, sample_agents=True).measure(run.records)
    text = table.findings[0].text
    assert text.startswith("Over agents of which these 3 are a sample the mean flip rate is 6.0%")
    assert "for new agents and papers)" in text
    assert "Not ranked: constant" in text
    # Rates 8, 10 and 0 %: t(2) = 4.30 at a standard error of at least 3.1 points.
    assert "interval [0.0, " in text


def test_flips_on_few_papers_are_warned_of_in_every_report() -> None:
    def rare(paper: int, family: str, rng: random.Random) -> bool:
        return (paper % 2 == 0) != (bool(family) and paper in (3, 4))

    for text in reports(run_of({"steady": steady, "rare": rare}, 1)).values():
        assert "Some intervals may be too short" in text
        assert "these files of the run: tables/flip-rate.csv (of " in " ".join(text.split())


def test_one_agent_with_one_verdict_shows_nothing() -> None:
    text = headline(reports(run_of({"constant": constant}, 1))["terminal"])
    assert "No verdict changed, but constant accepts all unchanged papers" in text
    assert "nothing about its robustness" in text
    assert "Not ranked" not in text
