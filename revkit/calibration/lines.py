"""Read a stream of text as numbered lines, in bounded memory."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

from revkit.errors import BadScores

LONGEST = 1 << 24
_PORTION = 1 << 18


class Lines:
    """The lines of ``source`` with their line ends "\\n", without a byte order mark.

    ``source`` gives bytes in UTF-8, or text. ``number`` is the number of the last line, from 1.
    ``dry`` states that the next line is not available yet: the time to write what was gathered,
    since a stream may be slow and its reader should not have to wait for the end.

    Raises `BadScores` with the place for bytes that are not UTF-8 and for a line of more than
    16 million characters.
    """

    def __init__(self, source: IO[bytes] | IO[str]) -> None:
        self.number = 0
        self.dry = False
        # Reads what is available now: `read` would wait for a whole portion.
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
                lines = "".join([*rest, head]).split("\n")
                rest, size = [tail], len(tail)
                last = len(lines) - 1
                for index, line in enumerate(lines):
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
                yield self._decode(portion, final=False)
            else:
                yield portion.removeprefix("\ufeff") if first else portion
            first = False
        yield self._decode(b"", final=True)

    def _decode(self, portion: bytes, *, final: bool) -> str:
        pending = len(self._decoder.getstate()[0])
        try:
            text = self._decoder.decode(portion, final)
        except UnicodeDecodeError as error:
            place = self._bytes - pending + error.start
            raise BadScores(
                f"after line {self.number}: byte {place} is not UTF-8; save the file as UTF-8"
            ) from None
        self._bytes += len(portion)
        return text
