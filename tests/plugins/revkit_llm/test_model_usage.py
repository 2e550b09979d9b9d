"""Calls and tokens behind the answers, against the design that reviews pair by pair."""

from __future__ import annotations

from dataclasses import replace

import pytest

from revkit.model.paper import Labels
from revkit.model.records import PaperRow, Records, RunUsage, UsageRow, VariantRow
from revkit_llm.usage import ModelUsage


def records(usage: list[UsageRow], total: list[UsageRow] | None = None) -> Records:
    papers = [PaperRow(name, Labels()) for name in "abc"]
    # Two families: one variant of each paper, and one of which paper c has none.
    variants = [VariantRow(name, family, 0, 1, 0, ()) for family in "xy" for name in "abc"]
    variants[5] = replace(variants[5], rejected="too short", outcome="declined")
    return Records(
        1, 1, papers, (), (), variants, (), usage=RunUsage(usage, usage if total is None else total)
    )


def test_a_paper_is_reviewed_once_and_not_once_a_pair() -> None:
    usage = [
        UsageRow("agents.a", "", "m", 3, 3000, 30, 0.3),
        UsageRow("agents.a", "x", "m", 3, 3300, 30, 0.3),
        UsageRow("agents.a", "y", "m", 2, 2200, 20, 0.2),
    ]
    (row,) = ModelUsage().measure(records(usage)).records()
    assert (row["calls"], row["prompt_tokens"], row["completion_tokens"]) == (8, 8500, 80)
    assert row["usd"] == pytest.approx(0.8)
    # 5 pairs, both sides each: 5 variants and 5 reviews of papers of 1,000 tokens.
    assert row["pairwise_calls"] == 10
    assert row["pairwise_prompt_tokens"] == 10_500
    assert row["saved"] == pytest.approx(0.2)


def test_anchors_that_share_calls_with_papers_leave_no_saving_to_report() -> None:
    usage = [
        UsageRow("agents.a", "", "m", 3, 3000, 30, 0.3),
        UsageRow("agents.a", "x", "m", 3, 3300, 30, 0.3),
        UsageRow("agents.a", "anchors", "m", 3, 3000, 30, 0.3),
    ]
    apart = records(usage, [UsageRow("agents.a", "all", "m", 9, 9, 9, 0.9)])
    (row,) = ModelUsage().measure(apart).records()
    # Each of the 5 variants needs its paper reviewed: 3 calls for variants, 5 for papers.
    assert row["pairwise_calls"] == 8
    assert row["saved"] == pytest.approx(1 - 6 / 8)
    shared = records(usage, [UsageRow("agents.a", "all", "m", 6, 6, 6, 0.6)])
    (row,) = ModelUsage().measure(shared).records()
    assert (row["calls"], row["pairwise_calls"], row["saved"]) == (6, None, None)


def test_what_is_not_known_is_not_counted_as_nothing() -> None:
    usage = [
        UsageRow("agents.a", "", "m", 3, None, 30, None),
        UsageRow("judges.b", "", "n", 2, 10, 5, 0.1),
    ]
    first, second, total = ModelUsage().measure(records(usage)).records()
    assert (first["calls"], first["prompt_tokens"], first["usd"]) == (3, None, None)
    assert (second["pairwise_calls"], second["usd"]) == (None, 0.1)
    assert (total["calls"], total["completion_tokens"], total["usd"]) == (5, 35, None)


def test_a_run_without_models_says_so() -> None:
    table = ModelUsage().measure(records([]))
    assert not table.rows
    # Calls behind failures are left out, and a reader of the table must know it.
    assert "failed answers and retries" in table.notes[0]
    assert "No variant" in table.notes[-1]
