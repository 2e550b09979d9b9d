"""Hidden Markdown: definitions that nothing refers to, and fields above the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from revkit.papers.hidden_html import Places, Span, Unseen
from revkit.papers.prose import Body, is_prose

_DEFINITION = re.compile(
    r"^ {0,3}\[(?P<label>[^\[\]\n]{1,200})\]:"
    r"(?P<address>[ \t]*+(?:\n[ \t]*+)?+(?:<[^<>\n]*+>|[^\s<][^\s]*+))"
    r"(?P<title>(?:[ \t]++(?:\n[ \t]*+)?+|\n[ \t]*+)"
    r"(?:\"(?:[^\"\n]|\n(?![ \t]*\n))*+\"|'(?:[^'\n]|\n(?![ \t]*\n))*+'"
    r"|\((?:[^()\n]|\n(?![ \t]*\n))*+\)))?+[ \t]*+$",
    re.MULTILINE,
)
_NOTE = re.compile(
    r"^ {0,3}\[\^(?P<label>[^\[\]\s]{1,60})\]:"
    r"(?P<says>[^\n]*+(?:\n(?!\[|[ \t]*+\n)[^\n]++|\n[ \t]*+(?=\n {4}\S))*+)",
    re.MULTILINE,
)
_LABEL = re.compile(r"\[([^\[\]\n]{1,200})\](?!:)")
_FRONT = re.compile(r"\A---[ \t]*\n(?P<fields>.*?)^(?:---|\.\.\.)[ \t]*$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(
    r"^(?:(?P<key>[A-Za-z][\w -]{0,40}?)[ \t]{0,3}:|#)"
    r"(?P<says>[^\n]*(?:\n(?=[ \t]|-[ \t]|\n)[^\n]*)*)",
    re.MULTILINE,
)
# Fields whose words a program that prints the text shows, and lists of names.
_SHOWN_FIELDS = frozenset(
    [
        "title",
        "subtitle",
        "abstract",
        "author",
        "authors",
        "keywords",
        "tags",
        "categories",
        "date",
        "description",
        "summary",
        "affiliation",
        "affiliations",
        "institute",
        "institution",
        "institutions",
        "bibliography",
        "references",
        "acknowledgements",
        "acknowledgments",
        "thanks",
        "subject",
        "editor",
        "editors",
        "contributor",
        "contributors",
        "rights",
        "license",
        "licence",
        "copyright",
        "header-includes",
        "lang",
        "funding",
    ]
)
_NAME_IN_LIST = re.compile(r"^[ \t]{0,8}-(?:[ \t]+[^\s]+){1,3}$", re.MULTILINE)
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 4
_FEWEST_IN_ADDRESS = 8
_SCHEME = re.compile(r"<?(?:[a-z][a-z0-9+.-]{1,20}://|mailto:|www\.|\.{0,2}/|#)", re.IGNORECASE)


def hidden_markdown(text: str, code: Sequence[Span]) -> Iterator[Unseen]:
    """The parts of Markdown ``text`` outside ``code`` that a reader does not see, beside its HTML:
    titles and addresses of links and notes that are defined and not referred to, and fields above
    the text that hold prose of eight words which the text does not hold.
    """
    front = _FRONT.match(text) if text.startswith("---") else None
    if front is not None:
        yield from _fields(text, front)
    if "]:" not in text:
        return
    used = {_folded(match[1]) for match in _LABEL.finditer(text)}
    shown = Places(code)
    for pattern, read in ((_DEFINITION, _definition), (_NOTE, _note)):
        for match in pattern.finditer(text):
            says = read(match, used)
            if says and shown.end_at(match.start()) is None:
                yield Unseen("link-definition", *match.span(), says)


def _folded(label: str) -> str:
    return " ".join(label.casefold().split())


def _definition(match: re.Match[str], used: set[str]) -> str:
    if match["label"].startswith("^"):
        return ""
    title = (match["title"] or "").strip()[1:-1]
    address = match["address"].strip().strip("<>")
    is_used = _folded(match["label"]) in used
    if address in ("", "#"):
        return title
    if is_used:
        return ""
    words = _WORD.findall(address)
    is_prose_address = len(words) >= _FEWEST_IN_ADDRESS and not _SCHEME.match(address)
    said = title if len(_WORD.findall(title)) >= _FEWEST_WORDS else ""
    return " ".join(filter(None, (address if is_prose_address else "", said)))


def _note(match: re.Match[str], used: set[str]) -> str:
    if "^" + _folded(match["label"]) in used:
        return ""
    return match["says"] if len(_WORD.findall(match["says"])) >= _FEWEST_WORDS else ""


def _fields(text: str, front: re.Match[str]) -> Iterator[Unseen]:
    body: Body | None = None
    for field in _FIELD.finditer(text, *front.span("fields")):
        key, says = (field["key"] or "").lower(), field["says"]
        if key in _SHOWN_FIELDS or not is_prose(_NAME_IN_LIST.sub("", says)):
            continue
        body = body or Body(text[front.end() :])
        if not body.holds(says):
            yield Unseen("front-matter", *field.span(), says.strip())
