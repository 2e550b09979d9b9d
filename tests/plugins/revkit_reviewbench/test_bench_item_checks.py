"""Key points that a model wrote: grounded, checkable, not copied; each fault planted by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from revkit_reviewbench.checklists import Point, checklists_from_json
from revkit_reviewbench.corpora.item_checks import Ground, numbered_places
from revkit_reviewbench.corpora.synthetic.writer import write_papers
from revkit_reviewbench.dimensions import NAMES
from revkit_reviewbench.quotation import copied_share, copyable, fold, quoted_in, words
from tests.plugins.revkit_reviewbench.bench_files import TEXT

CORE = "core-contribution-accuracy"
HUMAN = "I doubt that one tree in one summer can say much about counting leaves in general."
GROUND = Ground(TEXT, (HUMAN,))
GOOD = Point(
    "Says that LadderCount counts leaves from a ladder at four heights",
    "Section 1",
    "leaves are counted at four heights",
)


def test_a_good_point_has_no_fault() -> None:
    assert GROUND.faults(GOOD, CORE) == ()


@pytest.mark.parametrize(
    ("point", "fault"),
    [
        (Point(GOOD.point, "Section 1", "leaves are counted at nine heights"), "not in the paper"),
        (Point(GOOD.point, "Section 1", ""), "has 0 words"),
        (Point(GOOD.point, "Section 1", "four heights"), "has 2 words"),
        (Point(GOOD.point, "Section 7.2", GOOD.quote), "the paper has no section 7.2"),
        (Point(GOOD.point, "Table 4", GOOD.quote), "the paper has no table 4"),
        (Point("Counts leaves well", "Section 1", GOOD.quote), "has 3 words"),
        (Point("leaves " * 61, "Section 1", GOOD.quote), "has 61 words"),
        (Point("Does it count leaves from a ladder?", "", GOOD.quote), "is a question"),
        (
            Point("Agrees with the reviewers on the ladder", "", GOOD.quote),
            "speaks of 'reviewers'",
        ),
        (
            Point("Says nice things on the whole", "", GOOD.quote),
            "speaks of nothing that is in the paper",
        ),
        (Point(HUMAN.replace("I doubt", "Doubts"), "", GOOD.quote), "copied: "),
    ],
)
def test_planted_faults(point: Point, fault: str) -> None:
    (found,) = GROUND.faults(point, CORE)
    assert fault in found


def test_equations_are_not_held_against_a_paper_without_numbers() -> None:
    point = Point(GOOD.point, "Equation 3", GOOD.quote)
    assert GROUND.faults(point, CORE) == ()


def test_a_paper_on_reviewers_may_be_told_to_be_on_reviewers() -> None:
    ground = Ground(TEXT + "\nOur reviewers are models that read each paper twice.\n", ())
    point = Point("Says that the reviewers are models", "", "models that read each paper twice")
    assert ground.faults(point, CORE) == ()


def test_tone_needs_no_quotation() -> None:
    point = Point("Grants what is good before it turns to faults")
    assert GROUND.faults(point, "constructive-tone") == ()
    assert GROUND.faults(point, CORE) != ()


def test_copying_is_measured_without_the_papers_own_words() -> None:
    # Six 5-word runs, of which the first two are in the source.
    point = "one two three four five six x y z w"
    source = "one two three four five six"
    known = copyable([source], "", 5)
    assert copied_share(point, known, 5) == 2 / 6
    assert copied_share(point, copyable([source], "one two three four five", 5), 5) == 1 / 6
    assert copied_share("one two three four", known, 5) == 0.0
    assert copied_share(source, known, 5) == 1.0


def test_quotations_survive_typesetting() -> None:
    paper = fold(
        "The e\ufb03cient method \u201cworks\u201d on multi-\nlingual   data (see\nTable 2)."
    )
    assert quoted_in("efficient method 'works' on multilingual data", paper)
    assert quoted_in("The efficient \u2026 see Table 2", paper)
    assert quoted_in("The efficient [...] see Table 2", paper)
    assert quoted_in("works on multi-lingual data", paper)  # one word or two: nobody can decide
    assert not quoted_in("inefficient method", paper)
    assert not quoted_in("method works ... on paper", paper)
    assert not quoted_in("", paper)
    assert not quoted_in("...", paper)
    assert not quoted_in("method ... data ... Table", paper)
    assert quoted_in("method works", paper)
    assert not quoted_in("method works", paper, 3)


def test_a_word_is_found_only_whole() -> None:
    assert not quoted_in("art of", fold("the start of it"))
    assert words("State-of-the-art, 3.5%") == ["state", "of", "the", "art", "3", "5"]


def test_numbered_places() -> None:
    found = numbered_places("# 2 Method\n\n## 2.1 Loss\n\nSee Tables 3 and Fig. 4, Eq. (5).\n")
    assert found["section"] == {"2", "2.1"}
    assert found["table"] == {"3"}
    assert found["figure"] == {"4"}
    assert found["equation"] == {"5"}
    assert found["algorithm"] == frozenset()


def test_the_synthetic_bench_keeps_what_it_asks_of_models() -> None:
    papers = write_papers()
    assert len(papers) == 12
    for paper in papers:
        ground = Ground(paper.text, ())
        lists = checklists_from_json(paper.labels.extra["rubrics"])
        assert [each.dimension for each in lists] == list(NAMES)
        for checklist in lists:
            for point in checklist.points:
                assert ground.faults(point, checklist.dimension) == (), (paper.id, point)
    assert sum(paper.labels.accept is True for paper in papers) == 6


LACKS = Point(
    "Says that the counts have no measure of variance over repeated counts",
    "Section 2",
    absent=True,
    searched=("variance", "standard deviation", "confidence interval"),
)


def test_an_absence_that_a_search_confirms_has_no_fault() -> None:
    assert GROUND.faults(LACKS, CORE) == ()
    assert GROUND.faults(replace(LACKS, place="Limitations"), CORE) == ()
    (again,) = checklists_from_json([{"dimension": CORE, "points": [LACKS.to_json()]}])
    assert again.points == (LACKS,)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        # The paper says "four heights" and "one summer": other forms of the words count too.
        ({"searched": ("variance", "height")}, "the paper contains 'height'"),
        ({"searched": ("variance", "a bad heights")}, ""),
        ({"searched": ("variance",)}, "names 1 searched phrases, not 2 to 8"),
        ({"searched": ("standard error", "confidence band")}, "no searched phrase shares a word"),
        ({"searched": ("variance", "a b c d e f")}, "does not have 1 to 5 words"),
        ({"place": "somewhere"}, "nor a heading of the paper"),
        ({"place": "Section 9"}, "the paper has no section 9"),
        ({"quote": "leaves are counted at four heights"}, "cannot be quoted"),
    ],
)
def test_an_absence_needs_a_place_and_a_search_without_a_result(
    change: dict[str, Any], fault: str
) -> None:
    found = GROUND.faults(replace(LACKS, **change), CORE)
    assert len(found) == bool(fault)
    assert all(fault in each for each in found)
