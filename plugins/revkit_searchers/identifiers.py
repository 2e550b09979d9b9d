"""Identifiers of works, in one form: "doi:10.1/x", "arxiv:2401.00001", "openalex:W1"."""

from __future__ import annotations

import re

from revkit_searchers.cleaning import plain

_ARXIV = re.compile(r"(?:[a-z-]{2,20}(?:\.[a-z]{2})?/\d{7}|\d{4}\.\d{4,5})(?:v\d{1,3})?", re.I)
_ARXIV_ADDRESS = re.compile(r"arxiv\.org/(?:abs|pdf)/(\S{5,40})", re.I)
_DOI = re.compile(r"10\.\d{4,9}/\S{1,200}")
_KIND = re.compile(r"[a-z][a-z0-9.-]{0,19}")
_MOST = 250
# The first that is there is taken: a DOI is the most widely shared, a service's own the least.
PREFERENCE = ("doi", "arxiv", "acl", "pubmed", "pmid", "openalex", "s2", "corpusid", "dblp", "mag")


def arxiv(text: str) -> str:
    """Return "arxiv:..." without version where ``text`` is or holds an arXiv number, else ""."""
    found = _ARXIV_ADDRESS.search(text)
    number = found.group(1) if found else text.strip()
    if number.lower().startswith("arxiv:"):
        number = number[6:].strip()
    number = number.removesuffix(".pdf")
    if not _ARXIV.fullmatch(number):
        return ""
    return "arxiv:" + re.sub(r"v\d{1,3}\Z", "", number.lower())


def doi(text: str) -> str:
    """Return "doi:..." where ``text`` is or holds a DOI, else ""; arXiv's are "arxiv:..."."""
    found = _DOI.search(text[:1000])
    if found is None:
        return ""
    number = found.group().rstrip(".,;").lower()
    if number.startswith("10.48550/arxiv."):
        return arxiv(number.removeprefix("10.48550/arxiv.")) or f"doi:{number}"
    return f"doi:{number}"


def identifier(kind: str, text: str) -> str:
    """Return ``text``, an identifier of ``kind`` ("DOI", "ArXiv", "openalex", ...), in one form."""
    kind, text = kind.strip().lower(), plain(text, _MOST).replace(" ", "")
    if not text:
        return ""
    if kind == "doi":
        return doi(text)
    if kind == "arxiv":
        return arxiv(text)
    if kind == "openalex":
        text = text.rpartition("/")[2]
    return f"{kind}:{text}" if _KIND.fullmatch(kind) else ""


def any_identifier(text: str) -> str:
    """Return an identifier of unknown kind in one form; what has none known stays as it is."""
    text = plain(text, _MOST)
    known = arxiv(text) or (doi(text) if "10." in text else "")
    if known:
        return known
    kind, colon, rest = text.partition(":")
    if colon and not rest.startswith("//"):
        return identifier(kind, rest)
    return text if " " not in text else ""
