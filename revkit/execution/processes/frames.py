"""Messages between a run and its child processes: pickled values, each after its length.

Only a run and the processes that it started itself exchange them; nothing from elsewhere is
unpickled.
"""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

_LENGTH = struct.Struct(">Q")


def send(stream: IO[bytes], message: object) -> None:
    """Write one message."""
    body = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message. Raises `EOFError` if the other side has ended."""
    (size,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return pickle.loads(_exactly(stream, size))


def _exactly(stream: IO[bytes], size: int) -> bytes:
    body = stream.read(size)
    if len(body) < size:
        raise EOFError
    return body
