"""What the corpus makes of a record: the normalised case, its labels, the paper or why there is
none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from revkit.errors import PaperError
from revkit.model.intake import clean_text
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.venues import Submission
from revkit_reviewbench.corpora.building import Case
from revkit_reviewbench.corpora.normalise import NormalReview, written_reviews
from revkit_reviewbench.corpora.venues import Venue
from revkit_reviewbench.dimensions import NAMES


@dataclass(frozen=True)
class Normalised:
    """A paper that rules and sample kept, before anything is derived."""

    case: Case
    labels: Labels
    source: str
    notes: tuple[str, ...]


def extra_of(
    found: Submission, reviews: Sequence[NormalReview], venue: Venue | None
) -> dict[str, Json]:
    """What the labels state about a record; with a venue also the scales that its people used."""
    layout = "eval-rubrics" if "rubrics" in found.record else found.layout
    extra: dict[str, Json] = {"layout": layout}
    extra["reviews"] = [review.to_json() for review in reviews]
    if venue is not None:
        scales: dict[str, Json] = {name: [*ends] for name, ends in venue.scales().items()}
        extra |= {"venue": venue.name, "venue-scales": scales}
    return extra


def plain(failure: Failure) -> str:
    """The kind of a failure: details differ from paper to paper, and reasons are counted."""
    return f"the model's answer failed ({failure.kind})"


def lacking(made: Sequence[str]) -> str:
    """The note on dimensions for which no rubric was made; "" where all are there."""
    missing = [name for name in NAMES if name not in made]
    return f"no rubric for {', '.join(missing)}" if missing else ""


def paper_of(
    id_: str,
    title: str,
    text: str,
    labels: Labels,
    source: str,
    notes: Sequence[str],
    reviews: Sequence[NormalReview],
) -> Paper | Skipped:
    """The paper with its complete reviews, or a `Skipped` where the record is not valid."""
    try:
        lines = tuple(note for note in notes if note)
        written = written_reviews(reviews)
        return Paper(id_, text, title, labels, clean_text(source)[0], lines, reviews=written)
    except PaperError as error:
        return Skipped(id_, str(error), source)
