"""Learn the form of the entries of a reference list, and write new entries in the same form."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from revkit.dataclass import dataclass
from revkit.english import table_rows
from revkit.model.structure import Reference
from revkit.works import fold_words, split_name
from revkit_robustrev.citation_marks import cited_names, most
from revkit_robustrev.citation_pool import PoolWork

Names = Literal["given-family", "initials-family", "family-initials", "family-given", "vancouver"]
YearPlace = Literal["end", "end-parentheses", "after-authors", "after-authors-parentheses"]

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d")
_FAMILY_INITIALS = re.compile(r"[^\W\d_][^\W\d_’'\- ]{0,30}[\w’'\- ]{0,30}, ?(?:[A-Z]\.[ -]?)+")
_INITIALS_FAMILY = re.compile(r"(?:[A-Z]\.[ -]{0,2}){1,4}[^\W\d_]{2,}")
_VANCOUVER = re.compile(r"[^\W\d_][\w’'\-]{1,30} [A-Z]{1,3}[,.] ")
_FAMILY_GIVEN = re.compile(r"[^\W\d_][\w’'\-]{1,30}, [A-Z][a-z]{2,20}(?: [A-Z]\.?)?(?: and |;|\. )")
_YEAR_AFTER_AUTHORS = re.compile(
    r"(?P<open>\()?(?:19|20)\d\d[a-z]?(?(open)\))[.,:]? ?(?P<mark>[*_]?)"
)
_YEAR_AT_END = re.compile(r"\((?:19|20)\d\d[a-z]?\)[.,]?\s*\Z")
_LEAD = re.compile(
    r"[^\W\d_][\w’'-]{0,40}(?:,? et al\.?|,? (?:and|&) [^\W\d_][\w’'-]*)? \((?:19"
    r"|20)\d\d[a-z]?\)\.? (?=[A-Z])"
)
_PREFIX = re.compile(
    r"\\bibitem\s*+(?P<option>\[(?:[^\[\]{}]|\{[^{}]*\})*\])?\s*+\{[^{}]*\}\s*"
    r"|\[[^\[\]\s]{1,30}\][.:]?\s+|\d{1,3}[.)]\s+|[-*+•]\s+"
)
_JOURNAL = re.compile(
    r"journal|transactions|letters|annals|magazine|\breview\b|proceedings of the (?:IEEE"
    r"|national)\b",
    re.IGNORECASE,
)
_SERIES = re.compile(
    r"conference|proceedings|advances|workshop|symposium|meeting|annual|\b(?:neurips|nips|icml"
    r"|iclr|sigir|cikm|wsdm|miccai|icra|iros|uist|chi|cvpr|iccv|eccv|acl|emnlp|naacl|aaai|ijcai"
    r"|aistats|uai|colt|kdd|interspeech|icassp|siggraph|www|eacl|coling|sosp|osdi|corl|rss|stoc"
    r"|focs|vldb|sigmod)\b",
    re.IGNORECASE,
)


_RENAMED = 2017  # the last year in which NeurIPS had its earlier name
_LONG_NAME = re.compile(
    r"(?:International )?Conference on (?:Machine|Learning|Computer|Empirical|Artificial)"
    r"|Neural Information Processing Systems|Annual Meeting of the",
    re.IGNORECASE,
)
_SHORT_NAME = re.compile(r"\bIn:? (?:NIPS|NeurIPS|ICML|ICLR|CVPR|ICCV|ECCV|ACL|EMNLP|AAAI|KDD)\b")


@dataclass(frozen=True)
class EntryFormat:
    """The form of entries of a reference list. ``gap`` is what is between two entries.

    ``width`` is the length of its lines where entries are broken into lines; ``lead`` says that an
    entry starts with its mark ("Lewis et al. (2019) Mike Lewis, ..."). ``meeting`` is what is
    before the name of a meeting, ``long_venues`` says that meetings are written in full, and
    ``renamed`` that the list is of a time when venues had the names of today.
    """

    names: Names = "given-family"
    joiner: str = ", and "
    year: YearPlace = "end"
    title_mark: str = ""
    venue_mark: str = ""
    upper: bool = False
    gap: str = "\n\n"
    prefix: str = ""
    width: int = 0
    lead: bool = False
    meeting: str = "In "
    long_venues: bool = False
    renamed: bool = True

    def entry(self, work: PoolWork, label: str) -> str:
        """Return the full entry of ``work``: label, authors, title, venue and year in the list's
        order.
        """
        body = _body(self, work)
        if self.lead:
            body = f"{cited_names(work, 'and')} ({work.year}) {body}"
        option = ""
        if self.prefix.startswith("\\bibitem"):
            if "[" in self.prefix:
                option = f"[{cited_names(work, 'and', 'et~al.')}({work.year})]"
            line = "\n" if "\n" in self.prefix else " "
            return f"\\bibitem{option}{{{label}}}{line}{body}"
        text = self.prefix
        if label:
            text = re.sub(r"[^\[\s.)\]:]+", lambda _: label, text, count=1)
        text += body
        if self.width:
            lines = textwrap.wrap(text, self.width, break_long_words=False, break_on_hyphens=False)
            text = "\n".join(lines)
        return text


def _initials(given: str, dot: str = ".", space: str = " ") -> str:
    words = [word for word in re.split(r"[\s.]+", given) if word]
    return space.join(
        "-".join(f"{part[0].upper()}{dot}" for part in word.split("-") if part) for word in words
    )


def _name(form: EntryFormat, author: str) -> str:
    given, family = split_name(author)
    if form.upper:
        family = family.upper()
    if not given:
        return family
    if form.names == "initials-family":
        return f"{_initials(given)} {family}"
    if form.names == "family-initials":
        return f"{family}, {_initials(given)}"
    if form.names == "family-given":
        return f"{family}, {given}"
    if form.names == "vancouver":
        return f"{family} {_initials(given, '', '')}"
    return f"{given} {family}"


def _authors(form: EntryFormat, work: PoolWork) -> str:
    names = [_name(form, author) for author in work.authors]
    between = " and " if form.names == "family-given" else ", "
    if work.et_al:
        return f"{', '.join(names) if between == ', ' else between.join(names)}, et al."
    if len(names) == 1:
        return names[0]
    last = form.joiner if form.names != "family-given" else between
    if len(names) == 2 and form.names in ("given-family", "initials-family"):
        last = last.replace(", and ", " and ").replace(", & ", " & ")
    return between.join(names[:-1]) + last + names[-1]


def _venue(form: EntryFormat, work: PoolWork) -> tuple[str, str]:
    """Return the venue with its "In" where it is a meeting, and the identifier if it adds to it."""
    kind, _, number = work.identifier.partition(":")
    venue = work.venue
    if not venue or venue.casefold() in ("arxiv", "corr"):
        if kind.casefold() == "arxiv":
            return f"arXiv preprint arXiv:{number}", ""
        return "", f"{kind}:{number}" if number else ""
    venue = venue_name(venue.removeprefix("In "), work.year, form)
    lead = form.meeting if _SERIES.search(venue) and not _JOURNAL.search(venue) else ""
    if form.title_mark in ("“", '"', "``") and lead == "In ":
        lead = "in "
    return f"{lead}{form.venue_mark}{venue}{form.venue_mark}", ""


@lru_cache(maxsize=1)
def _venue_rows() -> tuple[dict[str, str], ...]:
    return tuple(table_rows(Path(__file__).parent / "venue-names.tsv"))


def venue_name(venue: str, year: int, form: EntryFormat) -> str:
    """Return the name of a venue in a year, short or in full as in the list.

    A list from before a venue was renamed has its earlier name in every year.
    """
    if not form.renamed:
        year = min(year, _RENAMED)
    for row in _venue_rows():
        after = not row["from"] or int(row["from"]) <= year
        if row["name"] == venue and after and (not row["to"] or year <= int(row["to"])):
            return row["long"] if form.long_venues else row["short"]
    return venue


def _body(form: EntryFormat, work: PoolWork) -> str:
    authors = _authors(form, work)
    venue, identifier = _venue(form, work)
    if form.title_mark in ("“", '"', "``"):
        closing = {"“": "”", '"': '"', "``": "''"}[form.title_mark]
        parts = [f"{authors}, {form.title_mark}{work.title},{closing}", venue, identifier]
        head = " ".join(part for part in parts if part)
        return f"{head}, {work.year}." if venue else f"{head} {work.year}."
    stop = "" if work.title.endswith(("?", "!")) else "."
    title = f"{form.title_mark}{work.title}{stop}{form.title_mark}"
    tail = [part for part in (venue, identifier) if part]
    end = authors if authors.endswith(".") else f"{authors}."
    if form.year == "after-authors-parentheses":
        return " ".join([f"{authors} ({work.year}).", title, *(f"{part}." for part in tail)])
    if form.year == "after-authors":
        return " ".join([end, f"{work.year}.", title, *(f"{part}." for part in tail)])
    if form.year == "end-parentheses":
        return " ".join([end, title, *(", ".join(tail) and [", ".join(tail)]), f"({work.year})."])
    return " ".join([end, title, f"{', '.join([*tail, str(work.year)])}."])


def entry_format(source: str, references: Sequence[Reference]) -> EntryFormat:
    """Learn the form of entries from up to a dozen of them, spread over the list."""
    step = max(1, len(references) // 12)
    sample = [r for r in references[::step] if len(r.text) > 30 and _YEAR.search(r.text)][:12]
    lead = 2 * sum(bool(_LEAD.match(reference.text)) for reference in sample) > len(sample)
    texts = [_unled(reference.text) if lead else reference.text for reference in sample]
    heads = [text[:240] for text in texts]
    names = most((_names_of(head) for head in heads), "given-family")
    years = [_year_of(text) for text in texts]
    year = most((place for place, _ in years), "end")
    quoted = most((_quote_of(text) for text in texts), "")
    title_mark = quoted or most((mark for place, mark in years if place == year), "")
    slanted = "" if title_mark else most((_venue_mark(text) for text in texts), "")
    upper = sum(bool(re.match(r"[A-Z][A-Z’'\-]{2,}[, ]", head)) for head in heads) * 2 > len(heads)
    prefix = _prefix_of(source, references)
    everything = "\n".join(reference.text for reference in references)
    newest = max((reference.year or 0 for reference in references), default=0)
    return EntryFormat(
        names,  # type: ignore[arg-type]
        _joiner_of(heads, names),
        year,  # type: ignore[arg-type]
        title_mark,
        slanted,
        upper,
        _gap_of(source, references, prefix),
        prefix,
        _width_of(source, references),
        lead,
        "In: " if everything.count("In: ") > everything.count("In ") else "In ",
        len(_LONG_NAME.findall(everything)) > len(_SHORT_NAME.findall(everything)),
        "NeurIPS" in everything or newest > _RENAMED + 1,
    )


def _unled(entry: str) -> str:
    match = _LEAD.match(entry)
    return entry[match.end() :] if match else entry


def _names_of(head: str) -> str:
    if _FAMILY_INITIALS.match(head):
        return "family-initials"
    if _INITIALS_FAMILY.match(head):
        return "initials-family"
    if _VANCOUVER.match(head):
        return "vancouver"
    return "family-given" if _FAMILY_GIVEN.match(head) else "given-family"


def _year_of(entry: str) -> tuple[str, str]:
    """Return the place of the year in ``entry``, and the mark with which a title after it
    starts."""
    match = _YEAR_AFTER_AUTHORS.search(entry)
    if match and match.end() < 0.7 * len(entry) and len(entry) - match.end() > 20:
        before = entry[: match.start()]
        if match["open"] and not re.search(r"[“\"]", before):
            return "after-authors-parentheses", match["mark"]
        if before.endswith(". ") and entry[match.end("mark") - 1 :][:1] in " *_.":
            return "after-authors", match["mark"]
    return ("end-parentheses" if _YEAR_AT_END.search(entry) else "end"), ""


def _quote_of(entry: str) -> str:
    match = re.search(r"“[^”]{10,300}”|\"[^\"]{10,300}\"|``[^']{10,300}''", entry)
    return ("``" if match[0][0] == "`" else match[0][0]) if match else ""


def _venue_mark(entry: str) -> str:
    match = re.search(r"(?<!\w)([*_])[^*_]{2,120}\1(?!\w)", entry)
    return match[1] if match else ""


def _joiner_of(heads: Sequence[str], names: str) -> str:
    found = [re.search(r"(,?) (and|&|\\&) (?=[^\W\d_])", head[:160]) for head in heads]
    default = ", and " if names != "vancouver" else ", "
    return most((f"{m[1]} {m[2]} " for m in found if m), default)


def _prefix_of(text: str, references: Sequence[Reference]) -> str:
    """The label of the last entry that has the usual kind of label, as written."""
    found = [_PREFIX.match(text, r.start, r.end) for r in references]
    labels = [match.group() if match else "" for match in found]
    shapes = [re.sub(r"\w+", "x", label) for label in labels]
    usual = most(shapes, "")
    return next(
        (p for p, s in zip(reversed(labels), reversed(shapes), strict=True) if s == usual), ""
    )


def _gap_of(text: str, references: Sequence[Reference], prefix: str) -> str:
    gaps = [text[a.end : b.start] for a, b in pairwise(references) if b.start - a.end < 12]
    usable = [gap for gap in gaps if not gap.strip(" \t\r\n-*+•") and "\n" in gap]
    return most(usable, "\n" if prefix else "\n\n")


def _width_of(text: str, references: Sequence[Reference]) -> int:
    """The longest line of a list whose entries are broken into lines, else 0."""
    raw = [text[r.start : r.end] for r in references]
    broken = [entry for entry in raw if "\n" in entry.strip()]
    if 2 * len(broken) <= len(raw) or raw[0].startswith("\\bibitem"):
        return 0
    lengths = sorted(len(line) for entry in broken for line in entry.split("\n")[:-1])
    return min(max(lengths[len(lengths) * 9 // 10], 60), 120)


def places(
    form: EntryFormat, references: Sequence[Reference], works: Sequence[PoolWork]
) -> list[int]:
    """Return for each work the number of entries after which its own entry comes.

    A list without numbers that is in alphabetical order keeps it; all others grow at their end.
    """
    end = len(references)
    if form.prefix and not form.prefix.lstrip().startswith(("-", "*", "+", "•")):
        return [end for _ in works]
    keys = [sort_key(form, reference.text) for reference in references]
    ordered = sum(a <= b for a, b in pairwise(keys))
    if end < 3 or ordered < 0.8 * (end - 1):
        return [end for _ in works]
    return [_place(references, keys, sort_key(form, _authors(form, work))) for work in works]


def _place(references: Sequence[Reference], keys: Sequence[str], key: str) -> int:
    """The place that breaks the order least, moved on past pieces of entries without a year."""
    cost = best = sum(k <= key for k in keys)
    place = 0
    for index, other in enumerate(keys, 1):
        cost += 1 if other > key else -1
        if cost <= best:
            best, place = cost, index
    while 0 < place < len(references) and not (
        _is_entry(references[place - 1]) and _is_entry(references[place])
    ):
        place += 1
    return place


def _is_entry(reference: Reference) -> bool:
    return (
        reference.year is not None
        and reference.text[:1].isalpha()
        and (not reference.text[:2].islower() or len(reference.text) > 60)
    )


def sort_key(form: EntryFormat, entry: str) -> str:
    """Return the first author's family name in the form for sorting: lower case, no accents."""
    head = re.split(r"[,;(]| and | & |(?<=[^\W\d_]{3})\. ", entry[:120], maxsplit=1)[0]
    if form.names == "vancouver":
        head = head.rsplit(" ", 1)[0]
    elif form.names in ("given-family", "initials-family"):
        head = split_name(re.sub(r",? et al.*", "", head))[1]
    return " ".join(fold_words(head))
