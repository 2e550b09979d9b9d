"""The quick search for a place where a mark may begin finds each sign of its pattern."""

import sys

from revkit.model.inline import _memory
from revkit.model.inline_patterns import OPENING


def test_each_sign_that_opens_a_mark_is_found() -> None:
    text = " ".join(map(chr, range(sys.maxunicode + 1)))
    found = [match.start() for match in OPENING.finditer(text)]
    assert len(found) == 22
    memory = _memory(text)
    assert all(memory.opening(place, place + 1) == place for place in found)
    assert memory.opening(found[-1] + 1, len(text)) == -1
