"""One paper read by every corpus that can: the same severity, decision and title."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from revkit.contracts import Corpus
from revkit.model.consensus import Consensus, consensus_of
from revkit.model.paper import Paper
from revkit.testing import context
from revkit_corpora.aiscientist import AIScientist
from revkit_corpora.deepreview import DeepReview
from revkit_corpora.openreview import OpenReview
from revkit_corpora.peerread import PeerRead
from revkit_corpora.score_table import ScoreTable
from revkit_reviewbench.corpora import ReviewBench

DATA = Path(__file__).parents[2] / "shared" / "data"
if not DATA.is_dir():
    DATA = Path(__file__).parents[3] / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="needs ../shared/data")


def bench(folder: str) -> ReviewBench:
    path = str(DATA / folder)
    return ReviewBench(path=path, share=1.0, least_words=1, form="any-text")


def papers(corpus: Corpus) -> dict[str, Paper]:
    found = [item for item in corpus.papers(context()) if isinstance(item, Paper)]
    return {paper.id: paper for paper in found}


def seen(paper: Paper) -> tuple[Consensus | None, bool | None, str, str]:
    labels = paper.labels
    return consensus_of(labels), labels.accept, labels.decision, paper.title


@pytest.mark.parametrize(
    ("id_", "severity", "form", "accept"),
    [
        # ICLR 2026 rates 0 to 10: ratings 6, 4, 4, 4; (10 - 4.5) / 10.
        ("zzo3Sy3NSX", 55.0, "iclr-2026", None),
        # ICLR 2020 rates 1 to 8: ratings 6, 8, 6; (8 - 20 / 3) / 7.
        ("ryxz8CVYDH", 100 * (8 - 20 / 3) / 7, "iclr-2020", True),
    ],
)
def test_a_paper_of_iclr(id_: str, severity: float, form: str, accept: bool | None) -> None:
    corpora: list[Corpus] = [
        DeepReview(path=str(DATA / "deepreview_layout")),
        OpenReview(path=str(DATA / "openreview_raw")),
        bench("deepreview_layout"),
        bench("openreview_raw"),
    ]
    found = [papers(corpus)[id_] for corpus in corpora]
    assert len({seen(paper) for paper in found}) == 1
    consensus = consensus_of(found[0].labels)
    assert consensus is not None
    assert consensus.severity == pytest.approx(severity)
    assert consensus.scores == len(found[0].labels.ratings)
    assert found[0].labels.accept is accept
    assert {paper.labels.scale.name for paper in found if paper.labels.scale} == {form}


def test_papers_of_iclr_2017_in_two_readers() -> None:
    one, two = (
        papers(PeerRead(path=str(DATA / "peerread_layout"))),
        papers(bench("peerread_layout")),
    )
    assert len(one) == len(two) == 102
    assert {key: seen(paper) for key, paper in one.items()} == {
        key: seen(paper) for key, paper in two.items()
    }
    assert {paper.labels.scale.label for paper in one.values() if paper.labels.scale} == {
        "iclr-2017"
    }


def test_scores_of_iclr_2022_with_and_without_texts() -> None:
    folder = DATA / "iclr2022_aiscientist"
    columns = tuple(str(number) for number in range(7))
    table = ScoreTable(
        path=str(folder / "ratings_subset.tsv"), id="paper_id", ratings=columns, decision="decision"
    )
    texts, rows = papers(AIScientist(path=str(folder))), papers(table)
    assert len(texts) == 46
    for id_, paper in texts.items():
        labels = rows[id_].labels
        assert (consensus_of(labels), labels.accept) == (
            consensus_of(paper.labels),
            paper.labels.accept,
        )


def test_where_sources_hold_other_ratings_each_is_reported(tmp_path: Path) -> None:
    record = json.loads((DATA / "deepreview_layout/sample.json").read_text(encoding="utf-8"))[1]
    record["review"] = record["review"][:2]
    (tmp_path / "x.json").write_text(json.dumps([record]), encoding="utf-8")
    (paper,) = papers(DeepReview(path=str(tmp_path))).values()
    consensus = consensus_of(paper.labels)
    assert consensus is not None
    assert consensus.severity == pytest.approx(100 * (8 - 7) / 7)
    assert (paper.labels.ratings, consensus.scores) == ((6.0, 8.0), 2)
