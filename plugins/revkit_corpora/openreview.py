"""OpenReview: submissions with their replies, in the formats of versions 1 and 2 of its API."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from revkit.dataclass import dataclass
from revkit.files import CorpusFile
from revkit.model.paper import Paper, Skipped
from revkit.venues import RECORD_FILES, Submission, read_openreview
from revkit_corpora.file_corpus import ReviewedCorpus


@dataclass(frozen=True)
class OpenReview(ReviewedCorpus):
    """Submissions of OpenReview: ``path`` is a JSON or JSON Lines file, or a folder of such files.

    A file holds one note, several, a list, ``{"notes": [...]}``, or a crawler's list of venues with
    ``submissions``. Fields may be bare (API v1) or wrapped as ``{"value": ...}`` (v2). Replies are
    taken from ``details.replies`` or ``details.directReplies``, from ``notes`` of a submission, and
    from notes of the same file that reply to it.

    The API gives no full text: unless a crawler added one (``full_text`` or ``paper_context``), the
    text is title, abstract, TL;DR and keywords, and a note says "abstract only". Ratings are those
    of official reviews, on the scale of the form that venue and year have; of a venue without a
    known form they have no scale, unless you declare ``form`` or ``scale``. The topic is
    ``primary_area``.

    Rules. Comments, replies of authors and meta-reviews give no rating. The decision is that of the
    decision note; else what ``venueid`` or ``venue`` says; else, with a note, a meta-review's
    recommendation. Decision notes that contradict each other give accept None. Deleted notes
    (``ddate``) are left out: a deleted submission is skipped, as is one without abstract.
    Replies without their submission are skipped, once for each forum, at the end of their file.
    """

    name: ClassVar[str] = "openreview"
    version: ClassVar[str] = "2"
    endings: ClassVar[tuple[str, ...]] = RECORD_FILES
    data: ClassVar[tuple[str, ...]] = ("revkit.venues:forms.toml",)

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        alone = not self.root.is_dir()
        for found in files:
            for read in read_openreview(found, self.max_bytes, self.declared, alone=alone):
                yield read.paper if isinstance(read, Submission) else read
