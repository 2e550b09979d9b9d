"""Layouts: read the records of any file of reviews, recognised by their keys.

A folder may so mix the layouts of DeepReview, OpenReview and PeerRead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from revkit.files import CorpusFile, Unreadable, decoded, read_bytes
from revkit.model.paper import Skipped
from revkit.venues.deepreview import read_deepreview
from revkit.venues.forum import is_reply
from revkit.venues.openreview import (
    forum_of,
    loose_replies,
    notes_of,
    read_submission,
    replies_left,
)
from revkit.venues.peerread import PeerReadFiles, read_peerread
from revkit.venues.records import Record, as_id, parse, records
from revkit.venues.scanner import Malformed
from revkit.venues.submission import NOTHING_DECLARED, Declared, Submission

PARSED = ".pdf.json"
"""The ending of PeerRead's parsed papers, which are read with the reviews that they belong to."""

_LARGEST_TEXT = 50_000_000


def submissions(
    found: CorpusFile, max_bytes: int, declared: Declared = NOTHING_DECLARED, *, alone: bool = False
) -> Iterator[Submission | Skipped]:
    """Yield the records of one file; a `Skipped` for a record without a known layout.

    Raises `RunError` for a file that cannot be read and is ``alone``.
    """
    loose = loose_replies(found, max_bytes)
    forums: set[str] = set()
    for record in records(found, max_bytes, alone=alone, wrapper="notes"):
        if isinstance(record, Skipped):
            yield record
            continue
        if record.value.get("submissions") == []:
            yield Skipped(record.source, "an empty list of submissions", record.source)
        for note in notes_of(record):
            if isinstance(note, Skipped):
                yield note
            elif not _is_openreview(note.value):
                yield _read(note, found, declared)
            elif not is_reply(note.value):
                forum = forum_of(note.value)
                forums.add(forum)
                yield read_submission(note, loose.get(forum, []), declared)
    yield from replies_left(loose, forums, found.name)


def _is_openreview(value: Mapping[str, Any]) -> bool:
    return "paper_context" not in value and isinstance(value.get("content"), Mapping)


def _read(record: Record, found: CorpusFile, declared: Declared) -> Submission | Skipped:
    value = record.value
    if "paper_context" in value:
        return read_deepreview(record, declared)
    if isinstance(value.get("reviews"), list) and "title" in value:
        return _peerread(record, found, declared)
    return Skipped(
        as_id(value.get("id"))[0] or record.source,
        "not a record of DeepReview, OpenReview, PeerRead or a ready-made benchmark",
        record.source,
    )


def _peerread(record: Record, found: CorpusFile, declared: Declared) -> Submission:
    """Read a paper of PeerRead: ``reviews/X.json``, and ``parsed_pdfs/X.pdf.json`` with its
    text.
    """
    stem = found.path.stem
    split = found.path.parent.parent
    files = PeerReadFiles(
        as_id(record.value.get("id"))[0] or stem,
        stem,
        record.source,
        _parsed(split / "parsed_pdfs" / f"{stem}{PARSED}"),
        record.value,
        split.parent.name if found.path.parent.name == "reviews" else "",
    )
    return read_peerread(files, declared, record.notes)


def _parsed(path: Any) -> Mapping[str, Any] | None:
    try:
        value = parse(decoded(read_bytes(path, _LARGEST_TEXT)).removeprefix("\ufeff"))[0]
    except (OSError, Unreadable, Malformed):
        return None
    return value if isinstance(value, Mapping) else None
