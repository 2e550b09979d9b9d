"""SubstanReview: reviews in which annotators marked claims and their support."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from revkit.dataclass import dataclass
from revkit.files import CorpusFile
from revkit.model.paper import Skipped
from revkit.options import option
from revkit.venues import RECORD_FILES, Record, as_id, records
from revkit_corpora.review_sets import ReviewSet, SetPaper, SetReview

_TAG = re.compile(r"(Eval|Jus)_(pos|neg)_([0-9]{1,4})")


@dataclass(frozen=True)
class SubstanReview(ReviewSet):
    """SubstanReview (Guo et al., Findings of EMNLP 2023): ``path`` is a JSON Lines file of reviews
    with spans, or a folder of them. The texts are the reviews; their papers are not in the data.

    Measures of a review: ``claims``, the evaluations that annotators marked, by polarity and
    number; ``supported``, how many of them have a justification of the same polarity and number;
    ``substantiation``, supported over claims, absent where there is no claim; ``positive`` and
    ``negative``, the claims of each polarity.
    """

    name: ClassVar[str] = "substanreview"
    version: ClassVar[str] = "1"
    endings: ClassVar[tuple[str, ...]] = RECORD_FILES
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)
    items: Literal["papers", "reviews"] = option(
        "reviews", help="The texts are reviews, because the data set contains no papers."
    )

    def set_papers(self, files: Sequence[CorpusFile]) -> Iterator[SetPaper | Skipped]:
        alone = not self.root.is_dir()
        for found in files:
            for record in records(found, self.max_bytes, alone=alone):
                yield record if isinstance(record, Skipped) else _paper(record)


def _paper(record: Record) -> SetPaper | Skipped:
    value = record.value
    id_, note = as_id(value.get("id"))
    if not id_:
        return Skipped(record.source, "no id", record.source)
    review = SetReview("", {"review": value.get("review")}, measures=_measures(value.get("label")))
    notes = (*record.notes, *([note] if note else []))
    return SetPaper(id_, record.source, reviews=(review,), notes=notes)


def _measures(spans: Any) -> Mapping[str, float]:
    if not isinstance(spans, list):
        return {}
    claims: set[tuple[str, str]] = set()
    support: set[tuple[str, str]] = set()
    for span in spans:
        tag = span[2] if isinstance(span, list) and len(span) == 3 else None
        match = _TAG.fullmatch(tag) if isinstance(tag, str) else None
        if match is not None:
            (claims if match[1] == "Eval" else support).add((match[2], match[3]))
    supported = len(claims & support)
    found = {"claims": float(len(claims)), "supported": float(supported)}
    for name, polarity in (("positive", "pos"), ("negative", "neg")):
        found[name] = float(sum(each == polarity for each, _ in claims))
    return {**found, "substantiation": supported / len(claims)} if claims else found
