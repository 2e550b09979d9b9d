"""Checklists from a paper's own sentences, for papers that come without rubrics.

They ask whether a review speaks of what the paper itself says in certain places. That is less than
what people ask of a review, but it needs no model and no human review, and it is about this paper.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Literal

from revkit.model.paper import Paper
from revkit.model.structure import SectionRole
from revkit.papers.sentence_lines import sentence_lines
from revkit_reviewbench.checklists import Checklist, Point, checklist_of, meta_checklists
from revkit_reviewbench.dimensions import PITFALL, TONE

_PROPOSES = re.compile(r"\bwe (?:propose|introduce|present|develop|described?|show)\b", re.I)
_IDEA = re.compile(r"\b(?:main|key|central) idea\b|\bthe idea\b|\bcontributions?\b", re.I)
_NUMBER = re.compile(r"(?<![\w.\[])(?!(?:19|20)\d\d\b)\d+(?:\.\d+)?(?![\w\]])")
_COMPARES = re.compile(r"\b(?:compar\w{0,8}|baselines?|outperform\w{0,4}|against)\b", re.I)
_MOST = 3
_Said = tuple[str, SectionRole]


@functools.lru_cache(maxsize=16)
def own_checklists(text: str) -> tuple[Checklist, ...]:
    """Return a checklist for each dimension; where the paper has no sentence of the sort that a
    dimension asks for, the last ones of the paper take their place.
    """
    said = tuple(sentence_lines(Paper("source", text)))
    results = _where(said, lambda s, _: len(_NUMBER.findall(s)) > 1)
    compared = _where(said, lambda s, _: _COMPARES.search(s) is not None)
    limits = _where(said, lambda _, role: role == "limitations")
    last = _where(said, lambda _, role: role in ("discussion", "conclusion", "results"))[-2:]
    method = _where(said, lambda _, role: role == "method")
    tests = _where(said, lambda _, role: role in ("experiments", "results"))
    core = [
        *_where(said, lambda s, _: _PROPOSES.search(s) is not None)[:1],
        *_where(said, lambda s, _: _IDEA.search(s) is not None)[:1],
    ]
    points = {
        "core-contribution-accuracy": core,
        "results-interpretation": results,
        "comparative-analysis": compared,
        "evidence-based-critique": limits,
        "critique-clarity": [*tests[:1], *limits[:1]],
        "completeness-coverage": [*core[:1], *method[:1], *tests[:1], *limits[:1]],
    }
    found = [
        Checklist(name, tuple(Point(line, quote=line) for line in chosen[:_MOST]))
        for name, lines in points.items()
        if (chosen := lines or last or [text for text, _ in said])
    ]
    tone = Point("Grants what is good before it turns to faults, in a professional tone")
    faults = [Point(f"Claims that the paper lacks this: {line}") for line in [*core, *last][:1]]
    faults += [Point("Claims that the paper compares with no baseline")] if compared else []
    faults += [Point("Claims that the paper states no limitation")] if limits else []
    found.append(Checklist(TONE, (tone,)))
    return (*found, *([Checklist(PITFALL, tuple(faults))] if faults else []))


def _where(said: Sequence[_Said], fits: Callable[[str, SectionRole], bool]) -> list[str]:
    """Return distinct sentences that fit, in order."""
    return list(dict.fromkeys(text for text, role in said if fits(text, role)))


def chosen_checklist(
    paper: Paper, dimension: str, which: Literal["paper", "meta", "own"]
) -> Checklist | None:
    """Return the checklist by which a review is judged: the one among its materials, the
    meta-rubric of the dimension, which fits any paper, or sentences of the paper among its
    materials.
    """
    if which == "paper":
        return checklist_of(paper, dimension)
    source = next((each for each in paper.materials if each.role == "source"), None)
    lists = meta_checklists() if which == "meta" else own_checklists(source.text) if source else ()
    return next((each for each in lists if each.dimension == dimension), None)
