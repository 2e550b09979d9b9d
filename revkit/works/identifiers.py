"""Identifiers of works in a normal form: "doi:10.1/x", "arxiv:2401.00001", "openalex:W1".

`any_identifier` reads one that is given as such, `find_identifiers` all that a text names, such as
an entry of a reference list. The same number comes in many spellings, which all are one here:

- a DOI after "doi:", as an address, percent-encoded, in any case (DOIs have none), with balanced
  brackets within and with punctuation, a query or the page of a publisher ("/full") after it;
- an arXiv number of either style, as an address (abs, pdf, html), with a version, with a subject
  class ("math.GT/0309136" is "math/0309136") or as the DOI that arXiv registers for it;
- identifiers of the ACL Anthology, of PubMed and PubMed Central, of OpenReview.

An ISBN is none of these: all chapters of a book share it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from urllib.parse import unquote

from revkit.works.plain_text import plain

PREFERENCE = ("doi", "arxiv", "acl", "pubmed", "pmid", "openalex", "s2", "corpusid", "dblp", "mag")
"""The kinds in the order in which the first that is known is taken: a DOI is the most widely
shared, the number of a single service the least."""

_MOST = 250
_MOST_TEXT = 4_000  # characters of an entry that are searched
_OLD = r"[a-z-]{2,20}(?:\.[a-z]{2})?/\d{7}"
_NEW = r"\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}"
_ARXIV = re.compile(rf"(?:{_OLD}|\d{{4}}\.\d{{4,5}})(?:v\d{{1,3}})?", re.I)
_ARXIV_ADDRESS = re.compile(
    r"(?:arxiv|alphaxiv)\.org/(?:abs|pdf|html|format)/([^\s?#,;]{5,40})", re.I
)
_ARXIV_NAMED = re.compile(
    rf"(?:arxiv|corr)[\w\s:.,/\[\](-]{{0,40}}?(?<![\d.])({_OLD}|{_NEW})(?:v\d{{1,3}})?(?!\d)"
    rf"|\b(?:abs|pdf)/({_OLD}|{_NEW})(?:v\d{{1,3}})?(?!\d)",
    re.I,
)
_SPLIT_ARXIV = re.compile(r"(?<=\d\d\d\d\.)\s(?=\d{4,5}(?!\d))")
_DOI = re.compile(r"10\.\d{4,9}/[^\s\"“”‘’{}|\\^`]{1,200}")
_SPLIT_DOI = re.compile(r"(10\.\d{4,9}/(?:[^\s\"“”{}|\\^`]{0,200}[./_(-])?)\s{1,4}(?=[\w(])")
_PAGE = re.compile(r"(?:/(?:abstract|full|fulltext|pdf|epdf|html|meta|references|summary)|\.pdf)\Z")
_ACL = re.compile(
    r"(?:aclanthology\.org|aclweb\.org/anthology)/(?:[A-Z]/[A-Z]\d\d/)?([a-z0-9.-]{4,60})", re.I
)
_PUBMED = re.compile(
    r"(?:\bpmid:?\s{0,3}|pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/)(\d{1,9})(?!\d)",
    re.I,
)
_PMC = re.compile(r"\bPMC(\d{4,9})(?!\d)", re.I)
_OPENREVIEW = re.compile(
    r"openreview\.net/(?:forum|pdf|attachment)\?(?:[a-z]{1,20}=\w{1,40}&)?id=([\w-]{5,20})", re.I
)
_KIND = re.compile(r"[a-z][a-z0-9.-]{0,19}")
_OPENING = {")": "(", "]": "[", "}": "{", ">": "<"}
_ALIASES = {"pubmed": "pmid", "pubmedcentral": "pmc", "pmcid": "pmc"}
# Prefixes of DOIs under which preprints are registered: the publication of one has another DOI.
_PREPRINTS = ("10.48550/", "10.1101/", "10.21203/", "10.2139/", "10.31234/", "10.31219/",
              "10.36227/", "10.26434/", "10.20944/", "10.5281/", "10.64898/")  # fmt: skip
_ACL_PREFIXES = ("doi:10.18653/v1/", "doi:10.3115/v1/")
# Submitted again, a paper gets a new page there.
_REPEATED = ("openreview",)


def arxiv(text: str) -> str:
    """Return "arxiv:..." without version if ``text`` is or contains an arXiv number, else ""."""
    address = _ARXIV_ADDRESS.search(text)
    number = address.group(1) if address else text.strip()
    if number.lower().startswith("arxiv:"):
        number = number[6:].strip()
    number = number.rstrip("./)]").removesuffix(".pdf").lower()
    if not _ARXIV.fullmatch(number):
        return ""
    number = re.sub(r"v\d{1,3}\Z", "", number)
    archive, slash, rest = number.partition("/")
    return f"arxiv:{archive.partition('.')[0]}/{rest}" if slash else f"arxiv:{number}"


def doi(text: str) -> str:
    """Return "doi:..." if ``text`` is or contains a DOI, else ""; those of arXiv become
    "arxiv:...".
    """
    text = _decoded(text[:1000])
    found = _DOI.search(text)
    return _doi(found.group()) if found else ""


def _doi(number: str) -> str:
    number = _trimmed(re.split(r"[?#]|https?://", number, maxsplit=1)[0].lower())
    number = _trimmed(_PAGE.sub("", number))
    if not number.partition("/")[2]:
        return ""
    if number.startswith("10.48550/arxiv."):
        return arxiv(number.removeprefix("10.48550/arxiv.")) or f"doi:{number}"
    return f"doi:{number}"


def _trimmed(number: str) -> str:
    """Return ``number`` without the punctuation of the sentence around it: stops, quotes, and
    brackets that it does not open itself.
    """
    while number:
        last = number[-1]
        opening = _OPENING.get(last)
        if last not in ".,;:'’*_/" and (not opening or number.count(last) <= number.count(opening)):
            break
        number = number[:-1]
    return number


def _decoded(text: str) -> str:
    return unquote(text) if "%" in text and "10." in text else text


def identifier(kind: str, text: str) -> str:
    """Return ``text``, an identifier of ``kind`` ("DOI", "ArXiv", "openalex", ...), in normal
    form.
    """
    kind, text = kind.strip().lower(), plain(text, _MOST).replace(" ", "")
    kind = _ALIASES.get(kind, kind)
    if not text:
        return ""
    if kind == "doi":
        return doi(text)
    if kind == "arxiv":
        return arxiv(text)
    if kind in ("openalex", "pmid", "pmc"):
        text = text.rstrip("/").rpartition("/")[2]
    if kind == "pmc":
        text = text.upper().removeprefix("PMC")
    return f"{kind}:{text}" if text and _KIND.fullmatch(kind) else ""


def any_identifier(text: str) -> str:
    """Return an identifier of unknown kind in normal form; unchanged if the kind is not
    recognised.
    """
    text = plain(text, _MOST)
    known = arxiv(text) or (doi(text) if "10." in text else "")
    if not known and "." in text and "/" in text:
        known = next(_of_services(text), "")
    if known:
        return known
    kind, colon, rest = text.partition(":")
    if colon and not rest.startswith("//"):
        return identifier(kind, rest)
    return text if " " not in text else ""


def _of_services(text: str) -> Iterator[str]:
    yield from (f"acl:{_trimmed(found).removesuffix('.pdf')}" for found in _ACL.findall(text))
    yield from (f"pmid:{found}" for found in _PUBMED.findall(text))
    yield from (f"pmc:{found}" for found in _PMC.findall(text))
    yield from (f"openreview:{found}" for found in _OPENREVIEW.findall(text))


def find_identifiers(text: str) -> frozenset[str]:
    """Return all identifiers in ``text``, in the form of `comparable`.

    Where a line break may have cut a DOI, both what precedes it and the whole are returned.
    """
    text = _decoded(text[:_MOST_TEXT])
    found: set[str] = set(_of_services(text))
    whole = _SPLIT_DOI.sub(r"\1", text) if "10." in text else text
    for form in {text, whole}:
        found.update(_doi(number) for number in _DOI.findall(form))
    rest = _SPLIT_ARXIV.sub("", _DOI.sub(" ", text))
    found.update(arxiv(address) for address in _ARXIV_ADDRESS.findall(rest))
    found.update(arxiv(old or new) for old, new in _ARXIV_NAMED.findall(rest))
    found.discard("")
    return comparable(found)


def comparable(identifiers: Iterable[str]) -> frozenset[str]:
    """Return ``identifiers`` in normal form, each with its equivalents. For example, a DOI of ACL
    also gives the number of the paper in the ACL Anthology. Case does not count in these numbers.
    """
    found: set[str] = set()
    for text in identifiers:
        one = any_identifier(text)
        if one.startswith("acl:"):
            one = one.lower()
        for prefix in _ACL_PREFIXES:
            if one.startswith(prefix):
                found.add(f"acl:{one.removeprefix(prefix)}")
        found.add(one)
    return frozenset(found - {""})


def _kind(identifier: str) -> str:
    """Return the kind of ``identifier`` within which a work has only one number; "" if it may have
    several, or if the kind is unknown.
    """
    kind, colon, number = identifier.partition(":")
    if not colon or kind in _REPEATED or number.startswith("//"):
        return ""
    return "preprint" if kind == "doi" and number.startswith(_PREPRINTS) else kind


def contradict(one: Collection[str], other: Collection[str]) -> bool:
    """Return whether two sets of `comparable` identifiers belong to two different works.

    They are where one kind is in both, and no identifier of that kind is. A DOI that begins as the
    other one does is a cut one. A preprint's DOI says nothing against that of its publication, and
    pages of OpenReview nothing against one another, as a paper that is submitted again gets a new
    one; identifiers without a kind are a file's own.
    """
    for kind in {_kind(each) for each in one} - {""}:
        mine = [each for each in one if _kind(each) == kind]
        theirs = [each for each in other if _kind(each) == kind]
        if theirs and not any(_is_cut(a, b) for a in mine for b in theirs):
            return True
    return False


def _is_cut(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return one == other or (
        short.startswith("doi:") and long.startswith(short) and long[len(short)] in "./_-("
    )
