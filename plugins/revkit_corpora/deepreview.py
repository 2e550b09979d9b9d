"""DeepReview: records, each with the text and the reviews of one paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.files import CorpusFile
from revkit.model.paper import Paper, Skipped
from revkit.venues import RECORD_FILES, Submission, read_deepreview, records
from revkit_corpora.file_corpus import ReviewedCorpus


@dataclass(frozen=True)
class DeepReview(ReviewedCorpus):
    """Papers in the layout of DeepReview: ``path`` is a JSON or JSON Lines file, or a folder.

    The text is ``paper_context`` as written, mostly LaTeX. Ratings are each review's ``rating``, or
    ``content.rating`` ("6: marginally above ..."); confidence is ``content.confidence``. The
    model's own reviews (``pred_...``) are not read.

    Rules. A record without a word of prose in ``paper_context`` is skipped. A review whose two
    ratings differ has none, with a note. ``decision`` may be missing or null: then accept is None.
    Records name no venue as a rule: the form is that whose labels beside the ratings, or whose
    fields and values, the reviews have. Where several forms with different scales fit, the ratings
    have no scale and the paper no consensus, with a note: name the ``form`` then.
    """

    name: ClassVar[str] = "deepreview"
    version: ClassVar[str] = "2"
    endings: ClassVar[tuple[str, ...]] = RECORD_FILES
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        declared = self.declared
        alone = not self.root.is_dir()
        for found in files:
            for record in records(found, self.max_bytes, alone=alone):
                read: Submission | Skipped
                read = record if isinstance(record, Skipped) else read_deepreview(record, declared)
                yield read.paper if isinstance(read, Submission) else read
