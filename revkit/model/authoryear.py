"""Author-year citation markers: decide whether brackets with a year name works or only a date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_YEARS = re.compile(
    r"(?<![\w.])((?:19|20)\d\d)([a-z]?)(?![\w])((?:\s*[,&/]\s*(?:(?:19|20)\d\d[a-z]?|[a-z])(?!\w))*)"
)
_MORE = re.compile(r"(?:19|20)\d\d[a-z]?|[a-z]")
_LINK = re.compile(r"\]\(#?[^()\s]*\)")
_ELIDED = re.compile(r"[dlDL][’'][^\W\d_a-z]")
_TOKEN = re.compile(r"\S+")
_TIE = re.compile(r"(?<!\\)~")
"""The blank of LaTeX at which no line ends; after a backslash the sign is an accent."""
_ENDS = frozenset(("al.", "al", "et", "others", "al.,"))
_PARTICLES = frozenset(
    str.split(
        "van von de der den del della di da dos das du la le el al ter ten bin ibn zu zur af av"
    )
)
_JOINS = frozenset(("and", "&", "et", "al.", "al", "al.,", "\\&", "und", "y", "others"))
# Before a year these mark a date, a venue or a place in the paper, whatever is between.
_DATES = frozenset(
    str.split(
        "january february march april may june july august september october november december"
        " jan feb mar apr jun jul aug sep sept oct nov dec spring summer autumn fall winter year"
        " years figure fig table section sec version equation eq appendix chapter copyright"
        " edition week iclr icml nips neurips acl emnlp naacl cvpr iccv eccv aaai ijcai kdd sigir"
        " www interspeech icassp wmt semeval conll coling imagenet ilsvrc voc coco trec release"
        " vol no theorem lemma"
    )
)
# These may be names ("See et al.", "An, 1996"), so only a bare year after them marks a date.
_OPENERS = frozenset(
    str.split(
        "since in until early late mid circa around before after during from the a an this these"
        " our we it its see on at by for of as is was were are that python matlab windows ubuntu"
        " office"
    )
)
# Words that open a sentence, with a comma before the names: "Similarly, Huang and Wang (2018)".
_ADVERBS = frozenset(
    str.split(
        "however moreover furthermore therefore thus hence then further next finally lastly first"
        " firstly second secondly third thirdly instead meanwhile nevertheless nonetheless besides"
        " additionally alternatively accordingly consequently conversely contrarily contrastingly"
        " similarly likewise equivalently analogously correspondingly recently previously"
        " originally historically traditionally initially earlier later lately currently presently"
        " notably importantly interestingly surprisingly remarkably crucially specifically"
        " particularly especially generally typically usually commonly often sometimes"
        " theoretically empirically practically technically essentially basically ideally"
        " independently concurrently simultaneously subsequently ultimately eventually overall"
        " indeed namely also again still yet otherwise here there today nowadays afterwards"
        " formally intuitively conceptually algorithmically mathematically inspired motivated"
        " concretely briefly closely roughly separately relatedly clearly naturally unfortunately"
        " contrary elsewhere perhaps so and but or while whereas although though since unlike like"
        " see e.g i.e cf in work works literature example instance addition contrast particular"
        " fact general turn parallel practice theory summary following"
    )
)
_PLURAL_ACRONYM = re.compile(r"[A-Z][A-Za-z-]*[A-Z]s\Z")
_PREFIX = frozenset(
    str.split(
        "see also e.g. eg e.g i.e. cf. cf c.f. for example instance, instance details, details"
        " review, reviews survey, survey, and or in to as used reviewed discussed by similar like"
        " such recently more recent work, a among others, notably following overview, of the from"
        " adapted taken by, inspired based on both both, compare but contra respectively, figure"
        " fig. recently, example, e.g., e.g.: i.e., see, see: also, eg, cf.,"
    )
)


class Work(NamedTuple):
    """The works of one author in a marker, and the spans of names and years within the brackets."""

    keys: tuple[str, ...]
    start: int
    end: int


class Mark(NamedTuple):
    """A parsed marker. ``whole`` states that the brackets contain only works and usual words such
    as "see e.g."; otherwise the works are part of a longer remark.
    """

    works: tuple[Work, ...]
    whole: bool

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all works in the mark, in order."""
        return tuple(key for work in self.works for key in work.keys)


def _is_name(token: str, *, strong: bool = True) -> bool:
    """Return whether ``token`` may be a name; ``strong`` if a comma or "et al." indicates a
    name.
    """
    bare = token.strip("\"'“‘’*_~`,.:()[]")
    if not bare or not (bare[0].isupper() or _ELIDED.match(bare)):
        return False
    lower = bare.lower()
    if lower in _DATES or (not strong and lower in _OPENERS):
        return False
    return not any(map(str.isdigit, bare))


def _is_particle(tokens: Sequence[re.Match[str]]) -> bool:
    """Return whether the first of two ``tokens`` is a particle of the name after it, as "van" and
    "Van" in "van Gansbeke", "Van Gansbeke".
    """
    token, behind = (each.group() for each in tokens)
    bare = token.strip("([,*_")
    if bare in _PARTICLES:
        return True
    return bare.lower() in _PARTICLES and token[-1] != "," and behind.strip("(,") not in _JOINS


def _names(segment: str, comma: bool) -> int:
    """Return where the author names at the end of ``segment`` start, or -1 without names.

    ``comma`` states that a comma was between names and year, which is the stronger evidence.
    Read from the right: "et al." takes one name, "&" the one before it, and a comma before either
    ("Lee, Xu, & Li") takes the names before as well.
    """
    tokens = list(_TOKEN.finditer(segment, max(0, len(segment) - 300)))
    index = len(tokens) - 1
    first = -1
    strong = comma
    names = 0
    joined = listed = False
    while index >= 0:
        token = tokens[index].group()
        bare = token.strip("([,*_")
        if bare in _JOINS:
            if not names and bare not in _ENDS:
                break
            strong = strong or bare not in ("and", "und", "y")
            joined = True
            listed = index > 0 and tokens[index - 1].group()[-1] == ","
        elif names and _is_particle(tokens[index : index + 2]):
            first = tokens[index].start() + len(token) - len(token.lstrip("(["))
        elif _is_name(token, strong=strong or bool(names)):
            if names and token[-1] == "," and not (joined and listed):
                break
            if names and token[-1] == "," and token.strip("([,.").lower() in _ADVERBS:
                break
            if (
                names
                and joined
                and not listed
                and tokens[index + 1].group().strip(",") not in (_JOINS | _PARTICLES)
            ):
                break
            names += 1
            first = tokens[index].start() + len(token) - len(token.lstrip("([\"'“‘*_"))
            if token[0] in "([":
                break
        else:
            break
        index -= 1
    if first < 0:
        return -1
    if not strong and not joined:
        last = tokens[-1].group().strip("([.,")
        if names > 2 or last.isupper():
            return -1
    return first


def without_ties(text: str) -> str:
    """Return a text of the same length with blanks for the ties of LaTeX."""
    return _TIE.sub(" ", text)


def parse_mark(inner: str) -> Mark | None:
    """Return the works named in ``inner``, the text between brackets, or `None` if it is not a
    citation.

    "Lee et al., 2021; Xu & Li, 2020b" names two works; "January 2021", "in 2021" and "ICLR 2021"
    name none.
    """
    inner = without_ties(inner)
    linked = "](" in inner
    source = _LINK.sub("", inner).replace("[", "") if linked else inner
    works: list[Work] = []
    previous = 0
    plain = True
    author = ""
    for match in _YEARS.finditer(source):
        raw = source[previous : match.start()]
        segment = raw.rstrip(" \t\n\u00a0,(*_")
        stripped = segment.strip(" \t\n,;:&()[]")
        start = match.start()
        if stripped or not author:
            piece = segment.rfind(";") + 1
            first = _names(segment[piece:], "," in raw[len(segment) :])
            if first < 0:
                author = ""
                plain = plain and not stripped
                previous = match.end()
                continue
            first += piece
            author = " ".join(segment[first:].split()).rstrip(",")
            start = previous + first
            plain = plain and all(
                token.strip("(").lower() in _PREFIX or len(token) < 2
                for token in segment[:first].replace(";", " ").split()
            )
        keys = [f"{author}, {match[1]}{match[2]}"]
        keys.extend(
            f"{author}, {more if len(more) > 1 else match[1] + more}"
            for more in _MORE.findall(match[3])
        )
        end = match.end()
        if source.count("(", start, end) > source.count(")", start, end) and (
            source[end : end + 1] == ")"
        ):
            end += 1
        works.append(Work(tuple(keys), start, end))
        previous = end
    if not works:
        return None
    rest = source[previous:].strip(" ,;.()")
    return Mark(tuple(works), linked or (plain and len(rest.split()) <= 4))


def _is_listed(token: str) -> bool:
    """Return whether ``token`` is a name with its comma, and not a word that opens a sentence."""
    return token[-1] == "," and _is_name(token) and token.strip("(,.").lower() not in _ADVERBS


_ET_AL = re.compile(
    r"\b(?:et\.?\s+al\.?|and\s+(?:colleagues|co-?workers|collaborators)),?(?:['’]s?)?\s*\Z"
)


def narrative_start(text: str, start: int, position: int) -> int:
    """Return where the names before a bracketed year at ``position`` start, or -1 without names.

    Only "Lee et al.", "Smith and Jones", "Smith, Jones, and Lee" and a single surname count; a
    given name before a surname is left out, as it cannot be distinguished from the word before a
    name.
    """
    base = max(start, position - 120)
    head = without_ties(text[base:position])
    found = _ET_AL.search(head)
    stop = found.start() if found else len(head.rstrip(" \t\n"))
    tokens = list(re.finditer(r"\S+", head[:stop]))
    if not tokens:
        return -1
    index = len(tokens) - 1
    last = tokens[index].group()
    bare = last.strip('([,"“*_').removesuffix("’s").removesuffix("'s")
    if not _is_name(bare) or (last[-1] in ".;:)]" and not (len(bare) == 2 and found)):
        return -1
    if not found and (bare.isupper() or len(bare) < 2 or _PLURAL_ACRONYM.match(bare)):
        return -1
    first = index
    if index >= 2 and tokens[index - 1].group() in ("and", "&", "\\&"):
        candidate = tokens[index - 2].group()
        if _is_name(candidate) and candidate[-1] not in ".;:)]":
            first = index - 2
            while first >= 1 and _is_listed(tokens[first - 1].group()):
                first -= 1
    elif found:
        while first >= 1 and _is_listed(tokens[first - 1].group()) and last[-1] == ",":
            first -= 1
    while first >= 1 and tokens[first - 1].group() in _PARTICLES:
        first -= 1
    token = tokens[first].group()
    return base + tokens[first].start() + len(token) - len(token.lstrip('(["“*_'))
