"""Hidden alternatives: alternative texts and titles of pictures and links that speak to a reviewer.

Honest texts have them, and few readers see them, so only an order to a reviewer is hidden text,
also one that several of them spell together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from revkit.papers.hidden_html import Places, Unseen
from revkit.papers.orders import addresses_reviewer, split_orders

_LONGEST = 2_000
_MOST = 5_000
# It begins with the sign, which is found a hundred times as fast as a letter of either case.
_ALT = re.compile(r"=(?:(?<=[\s\"']alt=)|(?<=[\s\"']alt\s=))", re.IGNORECASE)
_DESCRIBED = (
    rf"!\[(?P<alternative>[^\[\]\n]{{1,{_LONGEST}}})\]\s?[(\[]"
    rf"|\]\([^()\s]{{1,{_LONGEST}}}\s{{1,9}}(?:\"(?P<title>[^\"]{{1,{_LONGEST}}})\""
    rf"|'(?P<quoted>[^']{{1,{_LONGEST}}})')\s?\)"
    rf"|<desc[^<>]{{0,200}}>(?P<described>[^<>]{{1,{_LONGEST}}})</desc"
)
_PART = re.compile(_DESCRIBED, re.IGNORECASE)
# Where no part begins with a letter, the search is several times as fast.
_PART_OR_ALT = re.compile(
    rf"{_DESCRIBED}|(?<=[\s\"'])alt\s?=\s?(?:\"(?P<double>[^\"<>]{{1,{_LONGEST}}})\""
    rf"|'(?P<single>[^'<>]{{1,{_LONGEST}}})')",
    re.IGNORECASE,
)


def may_describe(text: str) -> bool:
    """Whether ``text`` may have an alternative text or a title."""
    # A single sign is found at once, and many texts have none.
    has_signs = ("[" in text and ("![" in text or "](" in text)) or (
        "<" in text and "<desc" in text
    )
    return has_signs or _ALT.search(text) is not None


def hidden_alternatives(text: str, code: Places) -> Iterator[Unseen]:
    """The alternative texts and titles in Markdown or HTML, outside ``code``, that are or spell an
    order to a reviewer.
    """
    part = _PART if _ALT.search(text) is None else _PART_OR_ALT
    spans = [
        match.span(str(match.lastgroup))
        for match in islice(part.finditer(text), _MOST)
        if code.end_at(match.start()) is None
    ]
    says = [text[start:end] for start, end in spans]
    orders = [(place, place + 1) for place, each in enumerate(says) if addresses_reviewer(each)]
    if not orders:
        orders = list(split_orders(says))
    for first, last in orders:
        whole = " ".join(says[first:last])
        for start, end in spans[first:last]:
            yield Unseen("alternative-text", start, end, whole)
