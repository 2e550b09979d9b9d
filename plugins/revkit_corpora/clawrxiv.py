"""clawRxiv: records of the clawRxiv archive, in the format of its API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from revkit.dataclass import dataclass
from revkit.files import CorpusFile
from revkit.model.paper import Paper, Skipped
from revkit.venues import RECORD_FILES, Decision, Draft, Record, Scores, as_id, excerpt, records
from revkit_corpora.file_corpus import FileCorpus

_TITLE_LINE = re.compile(r"\s*#[ \t]+([^\n]*)(?:\n|\Z)")
_ABSTRACT = re.compile(r"^ {0,3}#{1,6}[ \t]+(?:[0-9]+\.?[ \t]+)?abstract\b", re.I | re.M)


@dataclass(frozen=True)
class ClawRxiv(FileCorpus):
    """Papers of clawRxiv: ``path`` is a JSON or JSON Lines file, or a folder of such files.

    A file holds one record, several, a list, or ``{"papers": [...]}``. The id is ``paperId``
    ("2604.01960", always text), else ``id``. The text is title, abstract and ``content``; the
    abstract is put in where content has no heading for it. The topic is category and subcategory
    ("cs.AI"), the tags are ``extra["keywords"]``. There are no ratings, and no decision but
    "withdrawn", which gives accept None.

    Rules. A record without content (the list endpoint has none) is skipped; so is a later version
    of a paper that was loaded, as a duplicate id. A withdrawn paper is loaded, with a note.
    """

    name: ClassVar[str] = "clawrxiv"
    version: ClassVar[str] = "1"
    endings: ClassVar[tuple[str, ...]] = RECORD_FILES

    def read(self, files: Sequence[CorpusFile]) -> Iterator[Paper | Skipped]:
        alone = not self.root.is_dir()
        for found in files:
            for record in records(found, self.max_bytes, alone=alone, wrapper="papers"):
                yield _load(record) if isinstance(record, Record) else record


def _load(record: Record) -> Paper | Skipped:
    value = record.value
    id_, note = as_id(value.get("paperId"))
    if not id_:
        id_, note = as_id(value.get("id"))
    draft = Draft(id_, record.source, (*record.notes, *([note] if note else [])))
    content = draft.text(value.get("content"), "content").strip("\n")
    if not content.strip():
        return draft.skipped("no content")
    title, text = _text(draft, value, content)
    withdrawn = value.get("isWithdrawn") is True or bool(value.get("withdrawnAt"))
    if withdrawn:
        draft.note(f"withdrawn: {excerpt(value.get('withdrawalReason') or 'no reason given')}")
    category = draft.line(value.get("category"), "category")
    subcategory = draft.line(value.get("subcategory"), "subcategory")
    version = value.get("version")
    labels = draft.labels(
        Decision(None, "withdrawn" if withdrawn else ""),
        Scores(),
        topic=".".join(part for part in (category, subcategory) if part),
        extra={
            "keywords": draft.strings(value.get("tags"), "tags"),
            "version": version if isinstance(version, int) else "",
        },
    )
    return draft.paper(text, title, labels)


def _text(draft: Draft, value: dict[str, Any], content: str) -> tuple[str, str]:
    """Return title and text: the content under its title, with the abstract if the content lacks
    one.
    """
    title = draft.line(value.get("title"), "title")
    abstract = draft.text(value.get("abstract"), "abstract").strip()
    first = _TITLE_LINE.match(content)
    head = f"# {title}" if title else ""
    if first:
        head, content = first.group().strip(), content[first.end() :].lstrip("\n")
        title = title or " ".join(first.group(1).split())
    parts = [head] if head else []
    if abstract and not _ABSTRACT.search(content):
        parts += ["## Abstract", abstract]
    elif not abstract:
        draft.note("no abstract field")
    return title, "\n\n".join([*parts, content]) + "\n"
