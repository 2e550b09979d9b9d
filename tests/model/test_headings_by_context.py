"""Headings by place and context: comments of algorithms and labels of figures are none."""

from __future__ import annotations

import pytest

from revkit.model.blocks import parse_blocks

PROSE = "We set the threshold of each gate with a small net, as in the work before.\n\n"
HEAD = f"# Gates for Nets\n\n## 1 Introduction\n\n{PROSE}## 2 Method\n\n{PROSE}"

NO_HEADINGS = [
    "# training step\n\nloss = f(x, y)\n\n# update the gates\n\nw = w - d\n",
    "# of clusters Bird Car Dog\n\nActual 26 12 8\n",
    "**scores**\n\n0.2 0.4 0.9\n",
    f"**overfit the training dataset of**\n\n{PROSE}",
    "**Encoder**\n\n**Goal**\n\nHER 0.2 0.4\n",
    "**Environment**\n\nFigure 1: The parts of a gate and what they see.\n",
    f"**for all agents i do**\n\n{PROSE}",
    f"**Output: the gates of all nets**\n\n{PROSE}",
    f"**h = W x + b**\n\n{PROSE}",
    "**Supervised learning**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
]
HEADINGS = [
    (f"**Quality of gates**\n\n{PROSE}", "**Quality of gates**"),
    (f"## 3 Results\n\n{PROSE}", "3 Results"),
    (
        "**What we add**\n\n- We set the threshold of each gate with a small net.\n",
        "**What we add**",
    ),
    ("3.2 THEORY OF GATES\n\nx\n", "3.2 THEORY OF GATES"),
]


def headings(text: str) -> list[str]:
    return [text[b.start : b.end] for b in parse_blocks(text) if b.kind == "heading"]


@pytest.mark.parametrize("part", NO_HEADINGS)
def test_comments_and_labels_head_nothing(part: str) -> None:
    assert headings(HEAD + part) == ["Gates for Nets", "1 Introduction", "2 Method"]


@pytest.mark.parametrize(("part", "heading"), HEADINGS)
def test_headings_of_sections_stay(part: str, heading: str) -> None:
    assert headings(HEAD + part)[3:] == [heading]


def test_a_paper_may_write_its_headings_small() -> None:
    text = f"# gates for nets\n\n## introduction\n\n{PROSE}## our gates\n\n{PROSE}"
    assert headings(text) == ["gates for nets", "introduction", "our gates"]


SUMMARIES = [
    ("## 1 Introduction", "## 7 SUMMARY"),
    ("## I. INTRODUCTION", "## VII. SUMMARY"),
    ("1 INTRODUCTION", "7 SUMMARY"),
    ("## Introduction", "## Summary"),
    ("## 1. Introduction", "## 6. Summary and Outlook"),
    ("1. Introduction", "9. Summary and Discussion"),
    ("**1 Introduction**", "**5 Summary**"),
    ("\\section{Introduction}", "\\section{Summary}"),
    ("## 1 Introduction", "## Summary"),
    ("## 1 Introduction", "## Summary."),
    ("## I. Introduction", "## SUMMARY"),
    ("1 INTRODUCTION", "Summary"),
    ("## 1 Introduction", "## Zusammenfassung"),
    ("## 1 Introduction", "## Final Remarks"),
]


@pytest.mark.parametrize(("first", "last"), SUMMARIES)
def test_a_summary_at_the_end_is_a_conclusion(first: str, last: str) -> None:
    entry = "## References\n\n[1] A. Lee. Gates. 2014.\n"
    text = f"# Gates\n\n## Abstract\n\n{PROSE}{first}\n\n{PROSE}{last}\n\n{PROSE}{entry}"
    roles = [block.role for block in parse_blocks(text) if block.kind == "heading"]
    assert roles == ["front", "abstract", "introduction", "conclusion", "references"]


def test_a_summary_at_the_front_is_the_abstract() -> None:
    text = f"# Gates\n\n## Summary\n\n{PROSE}## 1 Introduction\n\n{PROSE}### 1.2 Summary\n\n{PROSE}"
    roles = [block.role for block in parse_blocks(text) if block.kind == "heading"]
    assert roles == ["front", "abstract", "introduction", "introduction"]
