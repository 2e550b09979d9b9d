"""Manuscripts: what was planted is what a reader finds, and nothing else."""

from __future__ import annotations

import random
import re
import time
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from revkit.model.paper import Paper
from revkit.testing import check_component, context, tiny_papers
from revkit_asc.bank.corpus import embedded_bank
from revkit_asc.bank.watermark import mark, pairs
from revkit_asc.simulation import SimulatedReviewer, SimulatedVenue
from revkit_asc.simulation.flaws import draw_flaws, nearest, severity_of
from revkit_asc.simulation.people import tier_of
from revkit_asc.simulation.prose import NUMBERS, aspects, clusters, frame, points
from revkit_asc.simulation.reader import read_manuscript
from revkit_asc.simulation.writer import write_manuscript


def test_the_points_are_those_of_the_table() -> None:
    assert len(points()) == 14
    assert sum(grades[2] for grades in points().values()) == 140
    assert points()["leak"] == (0, 7, 16)
    for aspect in aspects():
        assert 0 < aspect.points[1] < aspect.points[2]
        assert all(len(kind) == 3 for kind in aspect.wordings)
        assert [len(signs) for signs in aspect.signs] == [0, 3, 3]


def test_the_signs_of_flaws_are_unmistakable() -> None:
    """No sign is part of another, stands in another sentence, or holds a watermark's word."""
    signs = [sign for aspect in aspects() for kind in aspect.signs for sign in kind]
    marked = {word for pair in pairs() for word in pair}
    for sign in signs:
        assert sum(sign in other for other in signs) == 1, sign
        assert not marked & set(re.findall("[a-z]+", sign)), sign
    sentences = [text for aspect in aspects() for kind in aspect.wordings for text in kind]
    shared = [text for name in frame().lists for text in frame()[name]]
    named = [text for cluster in clusters() for texts in cluster.words.values() for text in texts]
    for sign in signs:
        assert sum(sign in text.lower() for text in (*sentences, *shared, *named)) == 1, sign


@settings(max_examples=150, deadline=None)
@given(st.floats(-50, 150), st.integers(0, 2**32))
def test_flaws_add_up_to_the_severity_asked_for(severity: float, seed: int) -> None:
    flaws = draw_flaws(severity, random.Random(seed))
    assert set(flaws) == set(points())
    assert sum(points()[name][grade] for name, grade in flaws.items()) == nearest(severity)
    assert severity_of(flaws) == nearest(severity)
    # Only 1 cannot be made: the smallest flaw has 2 points.
    assert abs(nearest(severity) - min(100.0, max(0.0, severity))) <= 1.0


def test_every_set_of_flaws_is_as_likely() -> None:
    """Severity 5 by hand: seven ways. 5 of one aspect (limits grave, seeds minor, statistic minor),
    or 2 (limits minor) + 3 (code, annotation, failures or numbers minor): all as likely."""
    rng = random.Random(1)
    counts: Counter[tuple[tuple[str, int], ...]] = Counter()
    for _ in range(3500):
        flaws = draw_flaws(5, rng)
        counts[tuple(item for item in flaws.items() if item[1])] += 1
    assert len(counts) == 7
    assert all(400 < count < 600 for count in counts.values())


def test_what_is_planted_is_read() -> None:
    for seed in range(400):
        rng = random.Random(seed)
        cluster = clusters()[seed % 7]
        flaws = draw_flaws(rng.uniform(0, 100), rng)
        manuscript = write_manuscript(cluster, flaws, rng)
        for text in (
            manuscript.text,
            manuscript.text.upper(),
            "\n".join(manuscript.text.split()),
            mark(manuscript.text, "secret", str(seed)),
        ):
            found = read_manuscript(text)
            assert found.flaws == {name: grade for name, grade in flaws.items() if grade}
            assert found.cluster == cluster.name
            assert found.severity == severity_of(flaws)


def test_manuscripts_look_like_short_papers() -> None:
    papers = list(SimulatedVenue(papers_=300).papers(context(seed=2)))
    assert len({paper.text for paper in papers}) == 300
    words = sorted(len(paper.text.split()) for paper in papers)
    assert words[0] >= 190
    assert words[-1] <= 350
    assert 230 <= words[150] <= 300
    for paper in papers[:40]:
        assert [block.level for block in paper.blocks if block.kind == "heading"] == [
            1, 2, 2, 2, 2, 2,
        ]  # fmt: skip
        assert not re.search(r"[{}\[\]]|  |\ba [aeiou]", paper.text), paper.text
        assert all(
            sentence[0].isupper() or sentence[0] == "#"
            for block in paper.text.split("\n\n")
            for sentence in re.split(r"(?<=[a-z)]\.) ", block)
        )


def test_contradictory_numbers_are_read_from_the_numbers() -> None:
    text = "It gains {} points of recall. We measure a gain of {} points on it."
    for first, second, grade in ((4.2, 4.2, 0), (4.2, 4.0, 1), (4.2, 3.2, 2), (9.0, 2.5, 2)):
        found = read_manuscript(text.format(first, second))
        assert found.flaws.get(NUMBERS, 0) == grade
    assert read_manuscript("It gains 4.2 points.").flaws == {}


def test_a_text_without_planted_flaws_has_none() -> None:
    for paper in tiny_papers():
        assert read_manuscript(paper.text).severity == 0.0
    assert read_manuscript("\x00 points " * 1000).cluster == ""


def test_the_venue_keeps_its_contract_and_its_labels() -> None:
    check_component(SimulatedVenue)
    papers = list(SimulatedVenue(papers_=400).papers(context(seed=3)))
    for paper in papers:
        labels = paper.labels
        assert labels.severity is not None
        assert labels.tier == tier_of(labels.severity)
        assert labels.accept is (labels.severity <= 50)
        scores = [100 - rating for rating in labels.ratings]
        if max(scores) - min(scores) <= 20:
            assert labels.severity == pytest.approx(sum(scores) / 3, abs=0.01)
            assert labels.severity_se == pytest.approx(9 / 3**0.5, abs=0.001)
        else:
            assert labels.severity_se == 4.5
        assert labels.extra["shown"] == read_manuscript(paper.text).severity
    assert {paper.labels.topic for paper in papers} == {cluster.name for cluster in clusters()}
    # The paper-like stream has its tiers 16.5 : 33.5 : 33.5 : 16.5 before people err.
    tiers = Counter(paper.labels.tier for paper in papers)
    assert tiers["none"] + tiers["reject"] == pytest.approx(0.33 * 400, abs=35)


def test_paper_i_depends_on_seed_and_i_alone_and_no_series_shares_a_text() -> None:
    few, many = SimulatedVenue(papers_=3), SimulatedVenue(papers_=9)
    assert list(few.papers(context(seed=1))) == list(many.papers(context(seed=1)))[:3]
    even = SimulatedVenue(papers_=200, shares="even")
    texts = [
        {paper.text for paper in corpus.papers(context(seed=seed))}
        for corpus in (SimulatedVenue(papers_=200), even)
        for seed in (0, 1)
    ]
    texts.append({anchor.text for anchor in embedded_bank().bank.anchors})
    assert len(set.union(*texts)) == sum(map(len, texts))
    tiers = Counter(paper.labels.tier for paper in even.papers(context()))
    assert min(tiers.values()) > 30


def test_a_venue_is_written_and_reviewed_in_seconds() -> None:
    """1,050 papers and 1,290 x 6 reviews cost 1.3 s of CPU when measured; the limit is 10 s."""
    began = time.thread_time()
    papers = [paper.blind() for paper in SimulatedVenue().papers(context())]
    anchors = [anchor.paper().blind() for anchor in embedded_bank().bank.anchors]
    agents = [SimulatedReviewer(profile=name) for name in ("g1", "g2", "g3", "g4", "g5", "g6")]
    given = context(seed=1)
    reviews = [agent.review(paper, given) for agent in agents for paper in (*papers, *anchors)]
    assert len(reviews) == 6 * 1290
    assert time.thread_time() - began < 10.0


def test_papers_are_papers() -> None:
    [paper] = SimulatedVenue(papers_=1).papers(context())
    assert isinstance(paper, Paper)
    assert SimulatedVenue(papers_=7).count() == 7
