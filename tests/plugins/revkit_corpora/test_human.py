"""The agent `human`: what people wrote of a paper, on a declared scale, and of nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import revkit
from revkit.contracts import Context
from revkit.errors import OptionError, RevkitError, SpecError
from revkit.model.paper import Labels, Paper
from revkit.model.rating_scale import RatingScale
from revkit.model.review import Failure, Review
from revkit.model.written_review import WrittenReview
from revkit.options import from_options
from revkit_corpora.deepreview import DeepReview
from revkit_corpora.file_corpus import ReviewedCorpus
from revkit_corpora.human import Human
from revkit_corpora.openreview import OpenReview
from revkit_corpora.peerread import PeerRead

SCALE = RatingScale("mine", 1, 10, source="by hand")
REVIEWS = (
    WrittenReview(1, "Clear.", 8, 4, aspects={"soundness": 3}),
    WrittenReview(2, "Thin.", 3, None, aspects={"soundness": 2}),
    WrittenReview(4, "No number.", None, 5),
    WrittenReview(5, "The area chair sums up.", None, None, meta=True),
)
PAPER = Paper("p", "A text.", labels=Labels(accept=True, scale=SCALE), reviews=REVIEWS)


def asked(options: dict[str, Any], paper: Paper = PAPER, repeat: int = 0) -> Review | Failure:
    agent = from_options(Human, options)
    ctx = Context(uses=agent.uses, repeat=repeat).with_reviews(paper.human_reviews)
    return agent.review(paper.blind(), ctx)


def test_the_panel_is_the_mean_of_those_who_rated() -> None:
    review = asked({"ends": [1, 10], "accept-at": 5.5})
    assert isinstance(review, Review)
    assert (review.score, review.accept, review.confidence) == (5.5, True, 4.5)
    assert review.text == "Review 1\n\nClear.\n\nReview 2\n\nThin.\n\nReview 4\n\nNo number."
    assert review.aspects == {"soundness": 2.5}
    assert review.details == {"reviews": [1, 2, 4], "ratings": [8, 3, None]}


def test_severity_follows_the_form_of_the_paper() -> None:
    agent = from_options(Human, {"form": "severity"})
    assert not agent.scale.higher_is_better
    review = asked({"form": "severity"})
    # (10 - 8) / 9 and (10 - 3) / 9 of 100, and their mean.
    assert isinstance(review, Review)
    assert review.score == pytest.approx(50)


def test_one_reviewer_by_number_and_by_repeat() -> None:
    for options, repeat in (({"reviewer": 2}, 0), ({"reviewer": "each"}, 1)):
        review = asked({"ends": [1, 10], **options}, repeat=repeat)
        assert isinstance(review, Review)
        assert (review.score, review.text, review.accept) == (3, "Thin.", None)


def test_the_meta_review_has_a_text_and_the_decision_of_the_venue() -> None:
    options = {"ends": [1, 10], "reviewer": "meta", "unrated": "keep", "verdict": "venue"}
    review = asked(options)
    assert isinstance(review, Review)
    assert (review.score, review.accept) == (None, True)
    assert review.text == "The area chair sums up."


@pytest.mark.parametrize(
    ("options", "kind", "part"),
    [
        ({"ends": [1, 10], "reviewer": 3}, "partial", "review 4 without a rating"),
        ({"ends": [1, 10], "reviewer": 4}, "rejected", "has 3 reviews, and no review 4"),
        ({"ends": [1, 5]}, "rejected", "on mine (1 to 10), not on 1-5 (1 to 5)"),
        ({"form": "iclr-2020"}, "rejected", "not on iclr-2020 (1 to 8)"),
    ],
)
def test_what_is_not_there_is_a_failure(options: dict[str, Any], kind: str, part: str) -> None:
    failure = asked(options)
    assert isinstance(failure, Failure)
    assert failure.kind == kind
    assert part in failure.detail


def test_a_paper_without_reviews_or_scale_is_a_failure() -> None:
    bare = replace(PAPER, reviews=())
    unknown = replace(PAPER, labels=Labels(rating_scale="elsewhere"))
    for paper, part in ((bare, "no review of this paper"), (unknown, "scale of its ratings")):
        failure = asked({"form": "severity"}, paper)
        assert isinstance(failure, Failure)
        assert part in failure.detail


def test_nobody_reviewed_a_variant() -> None:
    agent = from_options(Human, {"ends": [1, 10]})
    failure = agent.review(PAPER.blind(), Context(uses=agent.uses))
    assert isinstance(failure, Failure)
    assert failure.kind == "rejected"


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({}, "several scales: declare one of form"),
        ({"form": "iclr-2020", "ends": [1, 8]}, "declare one of form"),
        ({"form": "iclr-1020"}, "iclr-2020"),
        ({"ends": [5, 1]}, "must be below"),
        ({"ends": [1, 5], "reviewer": 0}, "counted from 1"),
        ({"ends": [1, 5], "accept-at": 3, "verdict": "venue"}, "goes with verdict: score"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], part: str) -> None:
    with pytest.raises(OptionError, match=part):
        from_options(Human, options)


def test_other_components_never_see_reviews() -> None:
    assert PAPER.blind().reviews == ()
    assert PAPER.digest == replace(PAPER, reviews=()).digest
    with pytest.raises(RuntimeError, match="declare uses"):
        Context(uses=()).human_reviews()


def write_corpus(path: Path, ratings: list[int]) -> None:
    reviews = [
        {"rating": rating, "content": {"summary": f"Review of {rating}.", "rating": str(rating)}}
        for rating in ratings
    ]
    record = {"id": "p1", "title": "Gates", "decision": "Accept", "review": reviews}
    body = {**record, "paper_context": "We study gates. They may perhaps help. " * 5}
    path.write_text(json.dumps(body) + "\n", encoding="utf-8")


SPEC = """
revkit: 1
name: people
corpus: {{use: deepreview, with: {{path: {path}, form: iclr-2020}}}}
perturbations: {{hedges: hedging}}
agents:
  people: {{use: human, with: {{form: iclr-2020, reviewer: each}}}}
  control: citation-counter
repeats: 2
metrics: [outcomes]
"""


def test_a_run_reviews_originals_alone_and_is_exported_and_replayed(tmp_path: Path) -> None:
    corpus, spec = tmp_path / "papers.jsonl", tmp_path / "spec.yaml"
    write_corpus(corpus, [6, 3])
    spec.write_text(SPEC.format(path=corpus), encoding="utf-8")
    store, out = tmp_path / "store.sqlite", tmp_path / "out"
    run = revkit.run(spec, out=out, store=store)
    found = [
        (v.perturbation, v.repeat, v.score) for v in run.records.verdicts if v.agent == "people"
    ]
    assert found == [("", 0, 6.0), ("", 1, 3.0)]
    counts = [
        (row["of"], row["planned"], row["missing"], row["note"])
        for row in run.table("outcomes").records()
        if row["agent"] == "people"
    ]
    note = "reviews unchanged papers only"
    assert counts == [
        ("unchanged papers", 2, 0, note),
        ("hedges", 0, 0, note),
        ("all", 2, 0, note),
    ]
    bundle = tmp_path / "run.zip"
    revkit.export(out, bundle, store=store)
    assert revkit.replay(bundle, out=tmp_path / "again").identical
    with pytest.raises(RevkitError, match="are human texts"):
        revkit.export(out, tmp_path / "bare.zip", store=store, texts=False)
    # The text is the same and the reviews are others: nothing stored is taken for an answer.
    write_corpus(corpus, [8, 3])
    run = revkit.run(spec, out=tmp_path / "other", store=store)
    assert [v.score for v in run.records.verdicts if v.agent == "people"] == [8.0, 3.0]


def test_only_agents_may_read_what_people_wrote(tmp_path: Path) -> None:
    plugin = tmp_path / "curious.py"
    plugin.write_text(
        "from dataclasses import dataclass\n"
        "from revkit import Perturbation, hookimpl\n"
        "@dataclass(frozen=True)\n"
        "class Curious(Perturbation):\n"
        "    name = 'curious'\n"
        "    uses = ('reviews',)\n"
        "    def perturb(self, paper, ctx):\n"
        "        return ()\n"
        "@hookimpl\n"
        "def register_perturbations(register):\n"
        "    register(Curious)\n",
        encoding="utf-8",
    )
    corpus, spec = tmp_path / "papers.jsonl", tmp_path / "spec.yaml"
    write_corpus(corpus, [6])
    text = SPEC.format(path=corpus).replace("hedging", "curious")
    spec.write_text(text, encoding="utf-8")
    with pytest.raises(SpecError, match="only agents may read human reviews"):
        revkit.run(spec, out=tmp_path / "out", store=tmp_path / "s.sqlite", plugins=[plugin])


@pytest.mark.parametrize(
    ("corpus", "path", "papers", "rated"),
    [
        (DeepReview, "deepreview_layout", 2, 2),
        (OpenReview, "openreview_raw", 3, 2),  # one is of a workshop whose form is not known,
        (PeerRead, "peerread_layout", 102, 102),
    ],
)
def test_people_of_real_papers(
    shared_data: Path, corpus: type[ReviewedCorpus], path: str, papers: int, rated: int
) -> None:
    found = corpus(path=str(shared_data / path))
    loaded = [p for p in found.papers(Context()) if isinstance(p, Paper)]
    assert len(loaded) == papers
    agent = from_options(Human, {"form": "severity"})
    scored = 0
    for paper in loaded:
        outcome = agent.review(paper, Context(uses=agent.uses).with_reviews(paper.human_reviews))
        scored += isinstance(outcome, Review) and outcome.score is not None
        ratings = [each.rating for each in paper.reviews if each.rating is not None]
        assert tuple(ratings) == paper.labels.ratings
    assert scored == rated
