"""Scanner: find the records of a JSON file without parsing the file or keeping it in memory.

It works on bytes: all characters that give JSON its structure are ASCII, and in UTF-8 no other
character contains an ASCII byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from revkit.dataclass import dataclass

_CHUNK = 65_536
_BLANK = re.compile(rb"[ \t\r\n]*")
_STRUCTURE = re.compile(rb'["{}\[\]]')
_STRING_BODY = re.compile(rb'[^"\\]*+(?:\\[\x00-\xff][^"\\]*+)*+')
_SCALAR_END = re.compile(rb"[ \t\r\n,\]}]")
_MAX_TAIL = 1_000_000
_MAX_SCALAR = 65_536


class Malformed(Exception):
    """A text is not JSON; the message is "line 3, column 5: ..." with the fault."""


@dataclass(frozen=True, slots=True)
class Raw:
    """The bytes of one record (None: too many), and line and column of its start.

    Both count from 1, columns in bytes.
    """

    data: bytes | None
    line: int
    column: int = 1


def scan(file: BinaryIO, max_bytes: int, wrapper: str = "") -> Iterator[Raw]:
    """Yield the records of a JSON file: those of an array, of an array under the first key
    ``wrapper`` of an object, or the objects themselves.

    Raises `Malformed` where their bounds cannot be known.
    """
    scanner = _Scanner(file, max_bytes)
    scanner.skip(b"\xef\xbb\xbf")
    first = scanner.peek()
    if not first:
        return
    wrapped = scanner.wrapped(wrapper) if wrapper else 0
    if wrapped:
        scanner.take(wrapped)
    elif first == b"[":
        scanner.take(1)
    elif first in b"{":
        while scanner.peek():
            yield scanner.value()
        return
    else:
        raise Malformed(f"line {scanner.line}: begins with byte 0x{first[0]:02x}, not with {{ or [")
    if scanner.peek() != b"]":
        yield scanner.value()
        while scanner.peek() == b",":
            scanner.take(1)
            yield scanner.value()
    if scanner.peek() != b"]":
        raise Malformed(scanner.expected("a comma or the end of the list"))
    scanner.take(1)
    scanner.end(wrapped=bool(wrapped))


class _Scanner:
    def __init__(self, file: BinaryIO, max_bytes: int) -> None:
        self._file = file
        self._max_bytes = max_bytes
        self._buffer = b""
        self._position = 0
        self.line = 1
        self.column = 1

    def _fill(self) -> bool:
        """Read more, at least as much as is in memory, so that long records take linear time."""
        rest = self._buffer[self._position :]
        more = self._file.read(max(_CHUNK, len(rest)))
        self._buffer, self._position = rest + more, 0
        return bool(more)

    def take(self, length: int) -> bytes:
        """Consume ``length`` bytes, which must be in memory."""
        start = self._position
        self._position += length
        lines = self._buffer.count(b"\n", start, self._position)
        if lines:
            self.line += lines
            self.column = self._position - self._buffer.rindex(b"\n", start, self._position)
        else:
            self.column += length
        return self._buffer[start : self._position]

    def skip(self, prefix: bytes) -> None:
        self._fill()
        if self._buffer.startswith(prefix):
            self._position = len(prefix)

    def peek(self) -> bytes:
        """Consume blanks and return the next byte, or nothing at the end of the file."""
        while True:
            blank = _BLANK.match(self._buffer, self._position)
            if blank:
                self.take(len(blank.group()))
            if self._position < len(self._buffer):
                return self._buffer[self._position : self._position + 1]
            if not self._fill():
                return b""

    def wrapped(self, key: str) -> int:
        """Return the length of ``{"key": [`` if the file begins with it and a record follows, else
        0.
        """
        blank = _BLANK.pattern.decode()
        around = rf'\{{{blank}"{re.escape(key)}"{blank}:{blank}\[{blank}\{{'
        match = re.compile(around.encode()).match(self._buffer, self._position)
        return match.end() - match.start() - 1 if match else 0

    def expected(self, what: str) -> str:
        return f"line {self.line}: expected {what}"

    def value(self) -> Raw:
        """Consume the next value."""
        if not self.peek():
            raise Malformed(self.expected("a record, not the end of the file"))
        line, column = self.line, self.column
        scalar = self._buffer[self._position : self._position + 1] not in (b"{", b"[", b'"')
        kept = self._scalar() if scalar else self._nested(line)
        return Raw(kept, line, column)

    def _scalar(self) -> bytes:
        while True:
            end = _SCALAR_END.search(self._buffer, self._position)
            if end:
                length = end.start() - self._position
                break
            if len(self._buffer) - self._position > _MAX_SCALAR or not self._fill():
                length = len(self._buffer) - self._position
                break
        if not length:
            raise Malformed(self.expected("a record"))
        return self.take(length)

    def _nested(self, line: int) -> bytes | None:
        """Consume a value in brackets or quotes; return None if it is too large."""
        depth, in_string, too_large = 0, False, False
        offset = 0
        while True:
            offset = self._next_mark(offset, in_string)
            mark = self._buffer[self._position + offset : self._position + offset + 1]
            if mark in (b"", b"\\"):
                # What is held ends here, perhaps between a backslash and what it escapes.
                if offset > self._max_bytes:
                    self.take(offset)
                    too_large, offset = True, 0
                if not self._fill():
                    raise Malformed(f"line {line}: a record begins here but has no end")
                continue
            offset += 1
            if mark == b'"':
                in_string = not in_string
            else:
                depth += 1 if mark in b"{[" else -1
            if depth == 0 and not in_string:
                data = self.take(offset)
                return None if too_large or len(data) > self._max_bytes else data

    def _next_mark(self, offset: int, in_string: bool) -> int:
        """Return the position of the next bracket or quote, or the end of the bytes in memory."""
        start = self._position + offset
        if in_string:
            body = _STRING_BODY.match(self._buffer, start)
            return (body.end() if body else start) - self._position
        mark = _STRUCTURE.search(self._buffer, start)
        return (mark.start() if mark else len(self._buffer)) - self._position

    def end(self, *, wrapped: bool) -> None:
        """Check the text after the list: nothing, or the other members of the enclosing object."""
        if not wrapped:
            if self.peek():
                raise Malformed(self.expected("the end of the file"))
            return
        while len(self._buffer) - self._position <= _MAX_TAIL and self._fill():
            pass
        tail = self._buffer[self._position :]
        try:
            members = json.loads(b'{"list": []' + tail)
        except (ValueError, RecursionError):
            raise Malformed(self.expected("the end of the object around the list")) from None
        if "id" in members:
            raise Malformed(
                f"line {self.line}: the object around the list is a record itself; "
                "put its id before the list"
            )
