"""Lines: a stream of text cut into lines as it comes, in bounded memory, each with its number."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

from revkit.errors import BadScores

LONGEST = 1 << 24
_PORTION = 1 << 18


class Lines:
    """The lines of ``source`` with their ends, which are "\\n"; a mark of byte order is left out.

    ``source`` gives bytes in UTF-8, or text. ``number`` is that of the last line that was given
    out, from 1. ``dry`` tells that the next one has to be waited for, which is the time to hand on
    what was gathered: a stream may be slow, and its reader should not have to wait for its end.

    Raises `BadScores` with the place for bytes that are not UTF-8 and for a line of more than
    16 million characters.
    """

    def __init__(self, source: IO[bytes] | IO[str]) -> None:
        self.number = 0
        self.dry = False
        # What a pipe holds by now, not what it will hold: `read` would wait for a whole portion.
        self._read = getattr(source, "read1", source.read)
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._bytes = 0

    def __iter__(self) -> Iterator[str]:
        rest: list[str] = []
        size = 0
        for text in self._texts():
            head, end, tail = text.rpartition("\n")
            if not end:
                rest.append(text)
                size += len(text)
            else:
                whole = "".join([*rest, head]).split("\n")
                rest, size = [tail], len(tail)
                last = len(whole) - 1
                for index, line in enumerate(whole):
                    self.number += 1
                    self.dry = index == last
                    yield line + "\n"
            if size > LONGEST:
                raise BadScores(f"line {self.number + 1} has more than {LONGEST:,} characters")
        if size:
            self.number += 1
            self.dry = True
            yield "".join(rest)

    def _texts(self) -> Iterator[str]:
        first = True
        while portion := self._read(_PORTION):
            if isinstance(portion, bytes):
                yield self._decoded(portion, final=False)
            else:
                yield portion.removeprefix("\ufeff") if first else portion
            first = False
        yield self._decoded(b"", final=True)

    def _decoded(self, portion: bytes, *, final: bool) -> str:
        held = len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(portion, final)
        except UnicodeDecodeError as error:
            place = self._bytes - held + error.start
            raise BadScores(
                f"after line {self.number}: byte {place} is not UTF-8; save the file as UTF-8"
            ) from None
        self._bytes += len(portion)
        return text
