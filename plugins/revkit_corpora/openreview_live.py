"""OpenReview live: the submissions of a venue, asked from the service once and kept in a file."""

from __future__ import annotations

import json
import os
import random
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from revkit.dataclass import dataclass
from revkit.errors import OptionError, RunError
from revkit.files import CorpusFile
from revkit.http import SHORTEST, AskError, Patience, Query, address_problem, ask
from revkit.model.values import digest_of
from revkit.options import option
from revkit_corpora.openreview import OpenReview

_ADDRESSES = {"v1": "https://api.openreview.net", "v2": "https://api2.openreview.net"}
_SUBMISSIONS = {"v1": "Blind_Submission", "v2": "Submission"}
_DETAILS = {"v1": "directReplies", "v2": "replies"}
_MOST_NOTES = 100_000
_LARGEST_PAGE = 200_000_000
_UNSAFE = re.compile(r"[^A-Za-z0-9.-]+")


@dataclass(frozen=True)
class OpenReviewLive(OpenReview):
    """The submissions of a venue with their replies, from OpenReview's service.

    ``venue`` is the group of the venue ("ICLR.cc/2024/Conference"). The first use asks the service
    and writes the notes to a file in the folder ``path``; each later use reads that file, so that
    a run can be repeated. Delete the file to ask again. What the notes mean is as in `openreview`:
    the service gives abstracts, not full texts.

    ``api`` is the version of the interface that the venue uses: v2 for venues since late 2023, v1
    for older ones. ``invitation`` is what submissions answer to, where a venue calls it otherwise.
    Notes that are not public need a token of yours in the environment variable ``token-env``. It
    goes to no file and no message. Requests are few and paced, and asked again as the service says.
    """

    name: ClassVar[str] = "openreview-live"
    version: ClassVar[str] = "1"
    paths: ClassVar[tuple[str, ...]] = (
        "path",
        "base-url",
        "token-env",
        "page-size",
        "timeout",
        "attempts",
        "per-second",
    )

    path: str = option(help="Folder in which the notes are kept.", nonempty=True)
    venue: str = option("", help='Group of the venue, such as "ICLR.cc/2024/Conference".')
    api: Literal["v1", "v2"] = option("v2", help="Version of the service's interface.")
    invitation: str = option("", help="What submissions answer to; empty: VENUE/-/Submission.")
    base_url: str = option("", help="Address of the service; empty: that of OpenReview.")
    token_env: str = option("", help="Environment variable that holds a token; empty: none.")
    page_size: int = option(200, minimum=1, maximum=1000, help="Submissions of one reply.")
    timeout: float = option(60.0, help="Seconds for one try.", minimum=0.01, maximum=600)
    attempts: int = option(5, help="Most tries of one page.", minimum=1, maximum=20)
    per_second: float = option(1.0, help="Most requests each second.", minimum=0.01, maximum=100)

    def __post_init__(self) -> None:
        super().__post_init__()
        problem = address_problem(self._address)
        problems = [("base-url", problem)] if problem else []
        if not self.venue and not self.invitation:
            problems.append(("venue", "is missing; set it, such as ICLR.cc/2024/Conference"))
        if problems:
            raise OptionError(self.name, problems)

    @property
    def _address(self) -> str:
        return (self.base_url or _ADDRESSES[self.api]).rstrip("/")

    @property
    def _invitation(self) -> str:
        return self.invitation or f"{self.venue}/-/{_SUBMISSIONS[self.api]}"

    @property
    def notes_file(self) -> Path:
        """The file of the notes: named by what was asked, so that no other venue is read."""
        asked = f"{self.api} {self._address} {self._invitation}"
        slug = _UNSAFE.sub("_", self._invitation).strip("._")[:100]
        return self.root / f"{slug}.{self.api}.{digest_of(asked)[:8]}.jsonl"

    @property
    def root(self) -> Path:
        """The folder of the notes, which is made where it is missing."""
        folder = Path(self.path).expanduser()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise RunError(f"{self.name}: {folder} is not a folder: {reason}") from None
        return folder

    def ready(self) -> Sequence[str]:
        """A token that is not set, where the service has to be asked."""
        if not self.token_env or self.notes_file.is_file() or self._token():
            return ()
        return (f"{self.name}: the environment variable {self.token_env} holds no token",)

    def _token(self) -> str:
        token = os.environ.get(self.token_env, "").strip() if self.token_env else ""
        return token if len(token) >= SHORTEST and token.isascii() else ""

    def files(self) -> Sequence[CorpusFile]:
        """The file of the notes; asks the service where there is none yet."""
        kept = self.notes_file
        if not kept.is_file():
            _write(kept, self._notes())
        return [CorpusFile(kept, kept.name)]

    def passed_over(self) -> Sequence[CorpusFile]:
        return ()

    def _notes(self) -> Iterator[Mapping[str, Any]]:
        """The submissions of the venue in the order of their ids. Raises `RunError`."""
        after, count = "", 0
        while True:
            page = self._page(after)
            yield from page
            count += len(page)
            if len(page) < self.page_size:
                break
            last = str(page[-1].get("id") or "")
            if not last or last == after or count > _MOST_NOTES:
                raise RunError(f"{self.name}: {self._address} gives no end of its notes")
            after = last
        if not count:
            raise RunError(
                f"{self.name}: {self._address} has no public note for {self._invitation}; check "
                "venue, api and invitation, or set token-env"
            )

    def _page(self, after: str) -> list[Mapping[str, Any]]:
        token = self._token()
        query = Query(
            f"{self._address}/notes",
            {
                "invitation": self._invitation,
                "details": _DETAILS[self.api],
                "limit": str(self.page_size),
                "sort": "id",
                **({"after": after} if after else {}),
            },
            {"Authorization": f"Bearer {token}"} if token else {},
            token,
        )
        patience = Patience(self.timeout, self.attempts, 60.0, self.per_second, most=_LARGEST_PAGE)
        try:
            reply = ask(query, patience, random.Random(after))
        except AskError as error:
            raise RunError(f"{self.name}: {self._address}: {error.detail}") from None
        notes = reply.get("notes") if isinstance(reply, Mapping) else None
        if not isinstance(notes, list) or not all(isinstance(each, Mapping) for each in notes):
            raise RunError(f"{self.name}: {self._address} replied without a list of notes")
        return notes


def _write(path: Path, notes: Iterator[Mapping[str, Any]]) -> None:
    """Write the notes to ``path``, whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".notes-")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            for note in notes:
                file.write(json.dumps(note, ensure_ascii=True) + "\n")
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
