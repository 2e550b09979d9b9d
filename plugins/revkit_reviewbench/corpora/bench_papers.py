"""Convert a record of the benchmark to a paper with labels, or state why it is skipped."""

from __future__ import annotations

from collections.abc import Sequence

from revkit.dataclass import dataclass
from revkit.errors import PaperError
from revkit.model.intake import clean_text
from revkit.model.paper import Labels, Paper, Skipped
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.venues import Submission
from revkit_reviewbench.corpora.derivation import Case
from revkit_reviewbench.corpora.normalise import NormalReview, written_reviews
from revkit_reviewbench.corpora.venues import Venue
from revkit_reviewbench.dimensions import NAMES


@dataclass(frozen=True)
class Normalised:
    """A normalised paper that passed the exclusion rules and the sampling."""

    case: Case
    labels: Labels
    source: str
    notes: tuple[str, ...]


def extra_of(
    found: Submission, reviews: Sequence[NormalReview], venue: Venue | None
) -> dict[str, Json]:
    """Return the extra labels of a record; with a venue, also the scales of its reviewers."""
    layout = "eval-rubrics" if "rubrics" in found.record else found.layout
    extra: dict[str, Json] = {"layout": layout}
    extra["reviews"] = [review.to_json() for review in reviews]
    if venue is not None:
        scales: dict[str, Json] = {name: [*ends] for name, ends in venue.scales().items()}
        extra |= {"venue": venue.name, "venue-scales": scales}
    return extra


def plain(failure: Failure) -> str:
    """Return the kind of a failure without details, because details differ by paper and reasons are
    counted.
    """
    return f"the model's answer failed ({failure.kind})"


def lacking(made: Sequence[str]) -> str:
    """Return the note on dimensions without a rubric; "" if all dimensions have one."""
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
    """Return the paper with its complete reviews, or a `Skipped` if the record is not valid."""
    try:
        lines = tuple(note for note in notes if note)
        written = written_reviews(reviews)
        return Paper(id_, text, title, labels, clean_text(source)[0], lines, reviews=written)
    except PaperError as error:
        return Skipped(id_, str(error), source)
