"""Data sets of reviews: what is loaded equals a count by other means, and bad input is counted."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from revkit.contracts import Corpus
from revkit.errors import RunError
from revkit.model.paper import Paper, Skipped
from revkit.testing import context
from revkit_corpora.disapere import Disapere
from revkit_corpora.iclr_csv import IclrTables
from revkit_corpora.mred import Mred
from revkit_corpora.nlpeer import NLPeer
from revkit_corpora.peersum import PeerSum
from revkit_corpora.substanreview import SubstanReview

Load = Callable[[Corpus], tuple[list[Paper], list[Skipped]]]


def measures_of(paper: Paper) -> dict[str, float]:
    found: Any = paper.labels.extra["measures"]
    return dict(found)


def test_disapere_equals_a_count_of_its_files(shared_data: Path, load: Load) -> None:
    root = shared_data / "disapere" / "final_dataset"
    values = [json.loads(path.read_text(encoding="utf-8")) for path in root.rglob("*.json")]
    by_forum: dict[str, list[float]] = {}
    for value in values:
        about = value["metadata"]
        by_forum.setdefault(about["forum_id"], []).append(about["rating"])
    table = (shared_data / "disapere" / "mred_full_data_info_rows.txt").read_text(encoding="utf-8")
    decisions = {
        cells[8].split("id=")[1]: cells[6] for cells in map(_cells, table.strip().splitlines())
    }
    papers, skipped = load(
        Disapere(
            path=str(root),
            texts=str(shared_data / "markdown_papers"),
            info=str(shared_data / "disapere" / "mred_full_data_info_rows.txt"),
        )
    )
    assert not skipped
    assert len(papers) == len(by_forum) == 27
    for paper in papers:
        assert sorted(paper.labels.ratings) == sorted(by_forum[paper.id])
        assert paper.labels.decision == decisions[paper.id]
        assert paper.labels.accept is decisions[paper.id].startswith("Accept")
        assert paper.words > 2000
        assert len(paper.reviews) == len(by_forum[paper.id])


def _cells(line: str) -> list[str]:
    return line.split("\t")


def test_the_labels_of_disapere_equal_a_count(shared_data: Path, load: Load) -> None:
    root = shared_data / "disapere" / "final_dataset"
    papers, _ = load(Disapere(path=str(root), items="reviews"))
    assert len(papers) == 73
    found = {paper.id.split("/")[1]: measures_of(paper) for paper in papers}
    for path in root.rglob("*.json"):
        value = json.loads(path.read_text(encoding="utf-8"))
        rows = value["review_sentences"]
        mine = found[value["metadata"]["review_id"]]
        assert mine["sentences"] == len(rows)
        negative = sum(row["polarity"] == "pol_negative" for row in rows)
        assert mine["negative"] == pytest.approx(negative / len(rows))
        actions = Counter(row["review_action"] for row in rows)
        assert mine["request"] == pytest.approx(actions["arg_request"] / len(rows))
        assert mine["aspects"] == len({row["aspect"] for row in rows} - {"none"})


def test_without_texts_disapere_has_no_papers(shared_data: Path, load: Load) -> None:
    papers, skipped = load(Disapere(path=str(shared_data / "disapere" / "final_dataset")))
    assert not papers
    assert {each.reason for each in skipped} == {
        "the data set contains no text of papers: set texts"
    }


def test_mred_equals_a_count_of_its_rows(shared_data: Path, load: Load) -> None:
    root = shared_data / "mred"
    lines = (root / "full_data_info.txt").read_text(encoding="utf-8").strip().split("\n")
    sentences = Counter(
        line.split("\t")[0]
        for line in (root / "classification_data.txt").read_text(encoding="utf-8").split("\n")
        if line.strip()
    )
    papers, skipped = load(Mred(path=str(root), texts=str(shared_data / "markdown_papers")))
    assert (len(papers), len(skipped)) == (len(lines), 0) == (17, 0)
    for paper, line in zip(papers, lines, strict=True):
        cells = line.split("\t")
        scores = [float(score) for score in re.findall(r": (\d+)", cells[4])]
        assert list(paper.labels.ratings) == scores
        assert paper.labels.decision == cells[6]
        assert sum(scores) / len(scores) == pytest.approx(float(cells[5]))
        assert paper.labels.scale is not None
        assert paper.labels.scale.name == f"iclr-{cells[2]}"
        assert [each.meta for each in paper.reviews] == [False] * len(scores) + [True]
    metas, left = load(Mred(path=str(root), items="reviews"))
    assert {paper.id.split("/")[0]: measures_of(paper)["sentences"] for paper in metas} == {
        paper.id: sentences[str(paper.labels.extra["mred-id"])] for paper in papers
    }
    assert len(left) == sum(len(paper.labels.ratings) for paper in papers)


def test_peersum_equals_a_count_of_its_lines(shared_data: Path, load: Load) -> None:
    root = shared_data / "peersum"
    rows = [
        json.loads(line)
        for path in sorted(root.rglob("*.json"))
        for line in path.read_text(encoding="utf-8").split("\n")
        if line.strip()
    ]
    papers, skipped = load(PeerSum(path=str(root)))
    assert ([paper.id for paper in papers], skipped) == ([row["paper_id"] for row in rows], [])
    for paper, row in zip(papers, rows, strict=True):
        assert paper.labels.extra["documents"] == len(row["source_documents"]) - 1
        assert row["source_documents"][0].split()[:5] == paper.text.split()[2:7]
        assert [each.meta for each in paper.reviews] == [True]
    accepted = [row["paper_acceptance"].casefold().startswith("accept") for row in rows]
    assert [paper.labels.accept is True for paper in papers] == accepted
    # Withdrawn and rejected at once is no verdict of reviewers.
    assert sum(paper.labels.accept is None for paper in papers) == sum(
        row["paper_acceptance"].startswith("withdrawn") for row in rows
    )


def peersum_rows() -> list[dict[str, Any]]:
    reviews = [
        {"review_id": "a", "writer": "official_reviewer", "comment": "Good.", "rating": 8,
         "confidence": 4, "reply_to": "f"},
        {"review_id": "b", "writer": "author", "comment": "Thanks.", "rating": -1,
         "confidence": -1, "reply_to": "a"},
        {"review_id": "c", "writer": "official_reviewer", "comment": "Weak.", "rating": 3,
         "confidence": 5, "reply_to": "f"},
        {"review_id": "d", "writer": "official_reviewer", "comment": "I agree.", "rating": -1,
         "confidence": -1, "reply_to": "c"},
    ]  # fmt: skip
    about = {
        "paper_title": "Gates",
        "paper_abstract": "We study gates.",
        "paper_acceptance": "Accept (Poster)",
        "meta_review": "Both sides have a point.",
        "label": "train",
    }
    parallel = {
        f"review_{name}s" if name != "reply_to" else "review_reply_tos": [
            row[key] for row in reviews
        ]
        for name, key in (
            ("id", "review_id"),
            ("writer", "writer"),
            ("content", "comment"),
            ("rating", "rating"),
            ("confidence", "confidence"),
            ("reply_to", "reply_to"),
        )
    }
    return [
        {"paper_id": "iclr_2022_x_Y-1", **about, "reviews": reviews},
        {"paper_id": "iclr_2022_x_Y-2", **about, **parallel},
    ]


def test_peersum_as_published_has_ratings(tmp_path: Path, load: Load) -> None:
    path = tmp_path / "peersum_all.json"
    path.write_text("\n".join(map(json.dumps, peersum_rows())), encoding="utf-8")
    papers, skipped = load(PeerSum(path=str(path)))
    assert not skipped
    for paper in papers:
        assert paper.labels.ratings == (8, 3)
        assert paper.labels.confidences == (4, 5)
        assert paper.labels.scale is not None
        assert paper.labels.scale.name == "iclr-2022"
        assert [each.text for each in paper.reviews if not each.meta] == [
            "Review:\nGood.",
            "Review:\nWeak.",
        ]
        assert "2 comments not counted as reviews" in paper.notes


def test_substanreview_equals_a_count_of_its_spans(shared_data: Path, load: Load) -> None:
    root = shared_data / "substanreview"
    rows = [
        json.loads(line)
        for path in root.rglob("*.jsonl")
        for line in path.read_text(encoding="utf-8").strip().split("\n")
    ]
    papers, skipped = load(SubstanReview(path=str(root)))
    assert (len(papers), len(skipped)) == (len(rows), 0) == (40, 0)
    totals: Counter[str] = Counter()
    for paper, row in zip(papers, rows, strict=True):
        tags = {tag for _, _, tag in row["label"]}
        claims = {tag[5:] for tag in tags if tag.startswith("Eval_")}
        supported = {claim for claim in claims if f"Jus_{claim}" in tags}
        mine = measures_of(paper)
        assert paper.text == row["review"].strip()
        assert (mine["claims"], mine["supported"]) == (len(claims), len(supported))
        if claims:
            assert mine["substantiation"] == pytest.approx(len(supported) / len(claims))
        totals.update(claims=len(claims), supported=len(supported))
    assert totals["supported"] < totals["claims"]


def test_iclr_tables_equal_a_count_of_their_rows(shared_data: Path, load: Load) -> None:
    root = shared_data / "iclr2017_csv"
    with (root / "ICLR17_submissions.csv").open(encoding="utf-8", newline="") as file:
        submissions = list(csv.DictReader(file))
    with (root / "ICLR17_reviews.csv").open(encoding="utf-8", newline="") as file:
        reviews = list(csv.DictReader(file))
    papers, skipped = load(IclrTables(path=str(root)))
    assert ([paper.id for paper in papers], skipped) == ([row["PID"] for row in submissions], [])
    written = Counter(row["PID"] for row in reviews)
    assert {paper.id: len(paper.reviews) for paper in papers} == written
    accepted = {row["PID"]: row["Decision"] in ("1", "2") for row in submissions}
    assert {paper.id: paper.labels.accept for paper in papers} == accepted
    for paper in papers:
        mine = [float(row["Rating"]) for row in reviews if row["PID"] == paper.id]
        # One digit of each rating is kept: a 1 may be a 10, and is left out.
        assert list(paper.labels.ratings) == [rating for rating in mine if rating != 1]
    left_out = [paper for paper in papers if any("may be a 10" in note for note in paper.notes)]
    assert [paper.id for paper in left_out] == ["H1oyRlYgg"]


def test_iclr_tables_say_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "X_submissions.csv").write_text("PID,Title\np,T\n", encoding="utf-8")
    with pytest.raises(RunError, match="must contain one file that ends in _submissions"):
        list(IclrTables(path=str(tmp_path)).papers(context()))
    (tmp_path / "X_reviews.csv").write_text("PID,Review\np,Good\n", encoding="utf-8")
    with pytest.raises(RunError, match="lacks the column"):
        list(IclrTables(path=str(tmp_path)).papers(context()))


def nlpeer(root: Path, dataset: str, overall: object, nodes: list[tuple[str, str]]) -> None:
    place = root / dataset / "data" / "p1" / "v1"
    place.mkdir(parents=True)
    graph = {
        "nodes": [
            {"ix": f"n{number}", "ntype": kind, "content": text}
            for number, (kind, text) in enumerate(nodes)
        ][::-1],
        "edges": [
            {"src_ix": f"n{number}", "tgt_ix": f"n{number + 1}", "etype": "next"}
            for number in range(len(nodes) - 1)
        ],
    }
    review = {
        "rid": "r1",
        "reviewer": None,
        "report": {
            "paper_summary": "On gates.",
            "summary_of_weaknesses": "Few seeds.",
            "ethical_concerns": "None.",
        },
        "scores": {"overall": overall, "confidence": "4"},
        "meta": {"sentences": []},
    }
    (place / "paper.itg.json").write_text(json.dumps(graph), encoding="utf-8")
    (place / "reviews.json").write_text(json.dumps([review]), encoding="utf-8")
    (place / "meta.json").write_text(json.dumps({"title": "Gates"}), encoding="utf-8")


NODES = [
    ("title", "Gates"),
    ("abstract", "We study gates."),
    ("heading", "1 Introduction"),
    ("paragraph", "Gates are small."),
    ("bib_item", "A. Lee. Gates. 2020."),
]


def test_nlpeer_text_follows_the_order_of_its_edges(tmp_path: Path, load: Load) -> None:
    nlpeer(tmp_path, "ARR-22", "3.5 = Between good and strong", NODES)
    papers, skipped = load(NLPeer(path=str(tmp_path)))
    assert not skipped
    (paper,) = papers
    assert paper.id == "p1"
    assert paper.text == (
        "# Gates\n\n## Abstract\n\nWe study gates.\n\n## 1 Introduction\n\nGates are small.\n\n"
        "## References\n\n[1] A. Lee. Gates. 2020.\n"
    )
    assert paper.labels.ratings == (3.5,)
    assert paper.labels.scale is not None
    assert (paper.labels.scale.minimum, paper.labels.scale.maximum) == (1, 5)
    assert paper.labels.confidences == (4,)
    assert paper.reviews[0].text == (
        "Summary:\nOn gates.\n\nWeaknesses:\nFew seeds.\n\nReview:\nethical_concerns:\nNone."
    )


@pytest.mark.parametrize(
    ("dataset", "overall", "rating", "ends"),
    [
        ("F1000", "approve-with-reservations", 1.0, (0, 2)),
        ("COLING2020", "4", 4.0, (1, 5)),
        ("PeerRead-ACL2017", 3, 3.0, (1, 5)),
        ("PeerRead-CONLL2016", "2", 2.0, (1, 5)),
    ],
)
def test_nlpeer_ratings_are_on_the_scale_of_the_data_set(
    tmp_path: Path, load: Load, dataset: str, overall: object, rating: float, ends: tuple[int, int]
) -> None:
    nodes = [("article-title", "Gates"), ("title", "Methods"), ("p", "Gates are small.")]
    nlpeer(tmp_path, dataset, overall, nodes)
    papers, _ = load(NLPeer(path=str(tmp_path)))
    assert papers[0].text.startswith("# Gates\n\n## Methods\n\nGates are small.")
    assert papers[0].labels.ratings == (rating,)
    scale = papers[0].labels.scale
    assert scale is not None
    assert (scale.minimum, scale.maximum) == ends


def test_nlpeer_counts_what_cannot_be_read(tmp_path: Path, load: Load) -> None:
    nlpeer(tmp_path, "ARR-22", "3", [])
    nlpeer(tmp_path, "COLING2020", "3", NODES)
    (tmp_path / "ARR-22" / "data" / "p1" / "v1" / "reviews.json").write_text("{", encoding="utf-8")
    papers, skipped = load(NLPeer(path=str(tmp_path)))
    assert [paper.id for paper in papers] == ["COLING2020/p1"]
    assert "malformed JSON" in skipped[0].reason
    with pytest.raises(RunError, match="did you mean"):
        list(NLPeer(path=str(tmp_path), dataset="ARR-23").papers(context()))
    with pytest.raises(RunError, match="contains no paper"):
        list(NLPeer(path=str(tmp_path), version_=3).papers(context()))
