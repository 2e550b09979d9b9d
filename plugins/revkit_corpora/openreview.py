"""OpenReview: submissions with their replies, as versions 1 and 2 of its API give them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from revkit.files import Found, find_files
from revkit.model.paper import Paper, Skipped
from revkit_corpora.draft import Draft
from revkit_corpora.forum import Reply, content_of, is_reply, read_reply, replies_of, venue_of
from revkit_corpora.reading import FileCorpus
from revkit_corpora.records import JSON_FILES, Record, as_id, records
from revkit_corpora.texts import plural
from revkit_corpora.verdicts import labels_of

_SUMMARIES = ("TL;DR", "TLDR", "tldr", "one-sentence_summary")


@dataclass(frozen=True)
class OpenReview(FileCorpus):
    """Submissions of OpenReview: ``path`` is a JSON or JSON Lines file, or a folder of such files.

    A file holds one note, several, a list, ``{"notes": [...]}``, or a crawler's list of venues with
    ``submissions``. Fields may be bare (API v1) or wrapped as ``{"value": ...}`` (v2). Replies are
    taken from ``details.replies`` or ``details.directReplies``, from ``notes`` of a submission, and
    from notes of the same file that reply to it.

    The API gives no full text: the text is title, abstract, TL;DR and keywords, and a note says
    "abstract only". Ratings are those of official reviews, each a number or "6: Weak Accept", with
    the scale named after venue and year ("iclr-2020"). The topic is ``primary_area``.

    Rules. Comments, replies of authors and meta-reviews give no rating. The decision is that of the
    decision note; else what ``venueid`` or ``venue`` says; else, with a note, a meta-review's
    recommendation. Decision notes that contradict each other give accept None. Deleted notes
    (``ddate``) are left out: a deleted submission is skipped, as is one without abstract.
    Replies without their submission are skipped, once for each forum, at the end of their file.
    """

    name: ClassVar[str] = "openreview"
    version: ClassVar[str] = "1"

    def files(self) -> Sequence[Found]:
        return find_files(self.root, JSON_FILES)

    def read(self, files: Sequence[Found]) -> Iterator[Paper | Skipped]:
        alone = not self.root.is_dir()
        for found in files:
            loose = self._loose_replies(found)
            forums: set[str] = set()
            for record in records(found, self.max_bytes, alone=alone, wrapper="notes"):
                if isinstance(record, Skipped):
                    yield record
                    continue
                for note in _notes(record):
                    if isinstance(note, Skipped):
                        yield note
                    elif not is_reply(note.value):
                        forum = _forum(note.value)
                        forums.add(forum)
                        yield _load(note, loose.get(forum, []))
            for forum in sorted(set(loose) - forums):
                reason = f"{plural(len(loose[forum]), 'reply', 'replies')} without their submission"
                yield Skipped(forum or found.name, reason, found.name)

    def _loose_replies(self, found: Found) -> dict[str, list[Reply]]:
        """Read the file once for the replies that stand beside their submissions."""
        loose: dict[str, list[Reply]] = {}
        for record in records(found, self.max_bytes, alone=False, wrapper="notes"):
            if isinstance(record, Record) and is_reply(record.value):
                loose.setdefault(_forum(record.value), []).append(read_reply(record.value))
        return loose


def _forum(note: Mapping[str, Any]) -> str:
    return as_id(note.get("forum"))[0] or as_id(note.get("id"))[0]


def _notes(record: Record) -> Iterator[Record | Skipped]:
    """Yield the notes of a record: itself, or the submissions of a venue that a crawler wrote."""
    submissions = record.value.get("submissions")
    if not isinstance(submissions, list):
        yield record
        return
    for number, value in enumerate(submissions, start=1):
        source = f"{record.source}[{number}]"
        if isinstance(value, dict):
            yield Record(value, source, record.notes)
        else:
            yield Skipped(source, "not an object", source)


def _load(record: Record, loose: Sequence[Reply]) -> Paper | Skipped:
    note = record.value
    id_, odd = as_id(note.get("id"))
    draft = Draft(id_ or _forum(note), record.source, (*record.notes, *([odd] if odd else [])))
    if note.get("ddate") is not None:
        return draft.skipped("deleted at its source (ddate)")
    content = content_of(note)
    if not content:
        return draft.skipped("no content")
    title = draft.line(content.get("title"), "title")
    abstract = draft.text(content.get("abstract"), "abstract").strip()
    if not abstract:
        return draft.skipped("no abstract, and the API gives no full text")
    keywords = draft.strings(content.get("keywords"), "keywords")
    draft.note("abstract only")
    replies = list({reply.key: reply for reply in (*replies_of(note, draft), *loose)}.values())
    labels = labels_of(note, content, replies, draft, keywords, venue_of(note))
    parts = [f"# {title}"] if title else []
    parts += ["## Abstract", abstract]
    summaries = [draft.line(content.get(key), key) for key in _SUMMARIES]
    parts += [f"**TL;DR:** {summary}" for summary in summaries if summary][:1]
    parts += [f"**Keywords:** {', '.join(keywords)}"] if keywords else []
    return draft.paper("\n\n".join(parts) + "\n", title, labels)
