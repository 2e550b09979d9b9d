"""Parse an entry of a reference list as a work: authors, title, venue and year, or nothing.

Entries are free text, and a work that is cited elsewhere must be right. So an entry is read only
where its parts are beyond doubt: names that look like names, a year, a title of plain words between
full stops, and no trace of a broken extraction. What is left out costs little, since a known work
is in several lists.
"""

from __future__ import annotations

import re

from revkit.model.structure import Reference
from revkit.works import fold_words, split_name
from revkit_robustrev.citation_pool import PoolWork

_MOST_NAMES = 10
_LONGEST = 900
_MARKUP = re.compile(r"(?<!\w)[*_]{1,3}|[*_]{1,3}(?!\w)")
_SPOILT = re.compile(r"\w_\w|\ufffd|[¨´ˆ˜`¸]|<|>|\\|\$|[{}]|\?\?|—")
_LABEL = re.compile(r"\A(?:\[[^\[\]]{1,30}\][.:]?|\d{1,3}[.)]|[-*+•])\s+")
# One word of a name: initials, a particle, or a name with a capital.
_NAME_WORD = re.compile(
    r"(?:[^\W\d_a-z]\.(?:-?[A-Z]\.)*|[Vv]an|[Vv]on|der|den|de|la|del|di|da|dos|Jr\.?"
    r"|[^\W\d_a-z][^\W\d_]*(?:['’-][^\W\d_]+)*)\Z"
)
_FAMILY_FIRST = re.compile(
    r"((?:(?:van|von|de|der|den|la|Van|Von|De|La) )*[A-Z][^\W\d_]+(?:['’ -][A-Z]?[^\W\d_]+)?), "
    r"((?:[A-Z]\.(?:[- ]?[A-Z]\.)*))(?:, (?:and |& )?|,? and |,? & |(?=[ (]|\Z))"
)
_ET_AL = re.compile(r",? (?:and )?(?:et\.? al\.?|others)\Z")
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)[a-z]?(?!\d)")
_YEAR_AFTER = re.compile(r"\A\(?((?:19|20)\d\d)[a-z]?\)?[.,:]?\s+")
# A full stop that ends a part: not one of an initial or an abbreviation.
_STOP = re.compile(
    r"(?<![A-Z])(?<!\bvs)(?<!\bSt)(?<!\bJr)[.?!] +"
    r"(?=[^\W_a-z]|[“\"(]|arXiv|bioRxiv|abs/)"
)
_TITLE_ODD = re.compile(
    r"\b(?:arxiv|preprint|proceedings|vol\.|pp\.|pages|in press|available|https?|university press"
    r"|technical report|phd thesis|conference on|transactions)\b|\d{4}",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\[?(?:\bURL\b|https?:|\bdoi\b|\bISSN\b|\bISBN\b)", re.IGNORECASE)
_YEAR_LAST = re.compile(r"\(?(?:19|20)\d\d[a-z]?\)?\Z")
_MONTH_LAST = re.compile(
    r"(?:\d{1,2}(?:[-–]\d{1,2})? )?\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)"
    r"[a-z]{0,6}(?:\. ?|,? |\Z)(?:\d{1,2}(?:[-–]\d{1,2})?)?\Z"
)
# What follows the pages: a publisher, a place.
_AFTER_PAGES = re.compile(r"((?:,|:) ?(?:pp\.|pages|p\.)? ?\d+ ?[-–] ?\d+)[.,].*\Z")
_EDITORS = re.compile(r"\A[Ii]n .{5,200}?\((?:[Ee]ds?\.|editors?)\), ")
_INNER_STOP = re.compile(r"(?<!\bpp)(?<!\bno)(?<!\bvol)(?<!\bProc)(?<!\bConf)(?<!\bInt)\. ")
_WHOLE_VENUE = re.compile(r"\d ?[-–] ?\d+\Z|[a-z]{4}\Z|\b[A-Z]{2,}\Z")
_NO_VENUE = re.compile(r"- |\b[A-Z]\. [A-Z]|\beds?\b|editor")
_NUMBER = re.compile(r"(?<![\d.])(\d{4}\.\d{4,5}|(?:cs|stat|math)[.\w-]*/\d{7})(?!\d)")
_ARXIV = re.compile(r"\b(?:arxiv|corr|abs/)\b", re.IGNORECASE)


def read_entry(reference: Reference) -> PoolWork | None:
    """Return the work that an entry names, or None if any part of it is uncertain."""
    raw = " ".join(reference.text.split())
    if len(raw) > _LONGEST:
        return None
    text = _MARKUP.sub("", _LABEL.sub("", raw))
    if _SPOILT.search(text):
        return None
    parts = _parts(text)
    if parts is None:
        return None
    authors, et_al, title, rest = parts
    year = reference.year
    if year is None or str(year) not in _YEAR.findall(text) or not _is_title(title):
        return None
    venue, identifier = _venue(rest)
    if venue is None:
        return None
    return work_of(title, authors, et_al, year, venue, identifier)


def work_of(
    title: str, authors: tuple[str, ...], et_al: bool, year: int, venue: str, identifier: str
) -> PoolWork:
    """A work with a key of its first author, year and title."""
    families = tuple(split_name(author)[1] for author in authors)
    first = fold_words(families[0])
    return PoolWork(
        key="".join(first) + str(year) + "".join(fold_words(title)[:3]),
        title=title,
        authors=authors,
        et_al=et_al,
        year=year,
        venue=venue,
        identifier=identifier,
        families=families,
        name=" ".join(first),
        title_key=f" {' '.join(fold_words(title))} ",
        keywords=frozenset(),
    )


def _parts(text: str) -> tuple[tuple[str, ...], bool, str, str] | None:
    """Authors, whether their list is cut, title, and the rest; None where they are not clear."""
    split = _authors_and_rest(text)
    if split is None:
        return None
    authors, cut, rest = split
    year = _YEAR_AFTER.match(rest)
    if year:
        rest = rest[year.end() :]
    quoted = re.match(r"[“\"]([^“”\"]{8,250}?)[,.]?[”\"][,.]?\s*", rest)
    if quoted:
        return authors, cut, quoted[1], rest[quoted.end() :]
    stop = _STOP.search(rest)
    if stop is None:
        if not rest.endswith("."):
            return None
        title = re.sub(r",? \(?(?:19|20)\d\d[a-z]?\)?\.\Z", "", rest).rstrip(".")
        return authors, cut, title, ""
    mark = rest[stop.start()]
    title = rest[: stop.start()] + (mark if mark != "." else "")
    return authors, cut, title, rest[stop.end() :]


def _authors_and_rest(text: str) -> tuple[tuple[str, ...], bool, str] | None:
    listed = _family_first(text)
    if listed is not None:
        names, cut, end = listed
        return names, cut, text[end:].lstrip(" ,.")
    stop = _STOP.search(text)
    if stop is None:
        return None
    head = text[: stop.start()]
    after = re.search(r"[,.]? \(((?:19|20)\d\d)[a-z]?\)\Z", head)
    given = _given_first(head[: after.start()] if after else head)
    return None if given is None else (*given, text[stop.end() :])


def _family_first(text: str) -> tuple[tuple[str, ...], bool, int] | None:
    """Authors written "Lee, J. and Kim, S. B."; with the end of their list."""
    names: list[str] = []
    position = 0
    while match := _FAMILY_FIRST.match(text, position):
        names.append(f"{match[2]} {match[1]}")
        position = match.end()
        if len(names) > 40:
            return None
    if not names:
        return None
    cut = re.match(r"(?:and )?(?:et\.? al\.?|others)[,.]? ?", text[position:])
    if cut:
        position += cut.end()
    return tuple(names[:_MOST_NAMES]), cut is not None or len(names) > _MOST_NAMES, position


def _given_first(head: str) -> tuple[tuple[str, ...], bool] | None:
    """Authors written "Jae Lee, S. B. Kim, and Ann van der Berg"."""
    cut = _ET_AL.search(head)
    if cut:
        head = head[: cut.start()]
    names = [name.strip() for name in re.sub(r",? (?:and|&) ", ", ", head).split(", ")]
    if not names or len(names) > 60 or not all(map(_is_person, names)):
        return None
    return tuple(names[:_MOST_NAMES]), cut is not None or len(names) > _MOST_NAMES


def _is_person(name: str) -> bool:
    """Whether a name has two to five words that are written like names."""
    words = name.split(" ")
    return 2 <= len(words) <= 5 and all(map(_NAME_WORD.match, words))


def _is_title(title: str) -> bool:
    words = title.split()
    return (
        2 <= len(words) <= 28
        and title[0].isalnum()
        and not _TITLE_ODD.search(title)
        and title.count("(") == title.count(")")
        and not re.search(r"\b[A-Z]\. [A-Z]|\.\s", title)
        and sum(word[0].isalnum() for word in words) >= 0.8 * len(words)
    )


def _venue(rest: str) -> tuple[str | None, str]:
    """The venue without its year, and an identifier; None for a rest that is not clear."""
    if _ARXIV.search(rest):
        number = _NUMBER.search(rest)
        return ("", f"arXiv:{number[1]}") if number else (None, "")
    venue = _ADDRESS.split(_EDITORS.sub("", rest), maxsplit=1)[0]
    for tail in (_YEAR_LAST, _MONTH_LAST):
        venue = tail.sub("", venue.rstrip(" ,.;")).rstrip(" ,.;")
    venue = _AFTER_PAGES.sub(r"\1", venue)
    venue = re.sub(r"\A[Ii]n:? ", "", venue).strip(" ,.;")
    stop = _INNER_STOP.search(venue)
    if stop is not None and _WHOLE_VENUE.search(venue[: stop.start()]):
        venue = venue[: stop.start()]
    if len(venue) > 160 or venue.count("(") != venue.count(")") or _INNER_STOP.search(venue):
        return None, ""
    if venue and (not venue[0].isalpha() or _NO_VENUE.search(venue)):
        return None, ""
    return venue, ""
