"""Make a judgement of the authors their opinion, or bound it by what they know."""

from __future__ import annotations

import re

from revkit import Edit
from revkit_robustrev.guards import words
from revkit_robustrev.hedge_place import HedgePlace

_OPENING = re.compile(
    r"(?:(?:However|Moreover|Furthermore|In addition|Additionally|Finally|Overall|In general"
    r"|More generally|Besides|Also|Nevertheless|Nonetheless|In summary|In conclusion|Ultimately"
    r"|In the future|As such|Lastly),[ \n])?"
)
# A first word that is not a name, so that it may get a small letter within a sentence.
_PLAIN_FIRST = re.compile(
    r"(?:This|These|Those|Our|The|Such|We|It|An?|There|No|None|Both|Many|Most|Several|Further"
    r"|Future|Another|Other|[A-Z][a-z]{3,12}ing)[ \n]"
)
_OWN_SUBJECT = re.compile(
    r"(?:our|this|these|the (?:proposed|present|presented|current|resulting)|we)\b", re.IGNORECASE
)


def _from_its_beginning(place: HedgePlace, phrase: str) -> Edit | None:
    """An edit that puts ``phrase`` before the sentence, behind a word such as "However,"."""
    opening = _OPENING.match(place.text, place.low, place.start)
    start = opening.end() if opening else place.low
    if start == place.low:
        if not _PLAIN_FIRST.match(place.text, start, place.start):
            return None
        first = place.text[start]
        return Edit(start, start + 1, f"{phrase} {first.lower()}", place.hedge.action)
    if not place.text[start].islower():
        return None  # a name
    small = phrase[0].lower() + phrase[1:] if not phrase.startswith("We ") else "we " + phrase[3:]
    return Edit(start, start, f"{small} ", place.hedge.action)


def _subject(place: HedgePlace) -> str:
    """What comes before the form in its sentence, without a word such as "However,"."""
    opening = _OPENING.match(place.text, place.low, place.start)
    return place.text[opening.end() if opening else place.low : place.start].strip()


_CLAUSES = re.compile(r"[,;:]|\b(?:that|which|who|if|when|while|because|since|whether|where|as)\b")


def add_knowledge(place: HedgePlace) -> Edit | None:
    """ "This is the first work" becomes "To the best of our knowledge, this is the first work"."""
    subject = _subject(place)
    if (
        not _FIRST_WORK.match(place.rest)
        or "know" in place.rest
        or _CLAUSES.search(subject)
        or len(subject.split()) > 5
    ):
        return None
    own = re.fullmatch(r"(?:[Tt]his|[Ww]e|[Oo]urs|[Ii]t)(?: also)?", subject)
    work = re.fullmatch(
        r"(?:[Oo]ur|[Tt]his|[Tt]he (?:present|proposed))(?: [a-z-]+){0,2}"
        r" (?:work|paper|study|approach|method|model|analysis|report|contribution|results?)",
        subject,
    )
    if sum(letter.isupper() for letter in subject) > 1 and " " not in subject:
        opening = _OPENING.match(place.text, place.low, place.start)
        if opening and opening.end() > place.low:
            return None
        return Edit(place.low, place.low, f"{place.hedge.new}, ", place.hedge.action)
    if not (own or work):
        return None
    return _from_its_beginning(place, f"{place.hedge.new},")


_FIRST_WORK = re.compile(
    r"[ \n](?:to[ \n](?!last\b)[a-z]+|(?:[a-z-]+[ \n]){0,4}(?:work|works|study|studies|paper"
    r"|papers|attempt"
    r"|attempts|demonstration|report|reports|evidence|method|methods|approach|application|dataset"
    r"|benchmark|framework|investigation|analysis|systematic|comprehensive|large-scale|end-to-end"
    r"|time)\b)"
)


def add_unstudied(place: HedgePlace) -> Edit | None:
    """ "Has not been studied" becomes "has not, to our knowledge, been studied"."""
    if not _STUDIED.match(place.rest) or _OWN_SUBJECT.match(_subject(place)):
        return None
    if re.search(r"\b(?:this|these)\b", _subject(place)):
        return None
    if place.before.mark or re.search(
        r"\b(?:we|our|us)\b", place.text[place.low : place.high], re.I
    ):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


_STUDIED = re.compile(
    r"[ \n](?:(?:well|fully|extensively|thoroughly|systematically|widely|previously|sufficiently"
    r"|adequately|directly|carefully|explicitly|rigorously)[ \n-])?(?:explored|studied|investigated"
    r"|addressed|considered|reported|examined|attempted|characterized|elucidated|analyzed"
    r"|analysed|described|documented|established|understood|explained|identified)\b"
)


def add_belief(place: HedgePlace) -> Edit | None:
    """ "Our work opens up" becomes "We believe that our work opens up"."""
    subject = _subject(place)
    words_ = subject.split()
    if (
        not words_
        or len(words_) > 12
        or re.search(r"[,;:]|\b(?:that|which|who|if|when|while)\b", subject)
    ):
        return None
    own = _OWN_SUBJECT.match(subject) is not None
    if "direction" not in place.form and "avenue" not in place.form and not own:
        return None
    if (
        words_[-1].lower() in ("we", "it", "and", "or", "to", "also", "not")
        or words_[0].lower() == "we"
    ):
        return None
    if re.search(
        r"\b(?:believe|hope|expect|think|future work will)\b", place.text[place.low : place.high]
    ):
        return None
    return _from_its_beginning(place, place.hedge.new)


def add_reach(place: HedgePlace) -> Edit | None:
    """ "Can be extended to other tasks" becomes "could potentially be extended to other tasks"."""
    if place.before.mark or place.before.word in _NO_REACH:
        return None
    if not _ELSEWHERE.match(place.rest) or re.search(r"\b(?:including|e\.g|such as)\b", place.rest):
        return None
    if re.search(
        r"\b(?:shown?|showed|demonstrate[sd]?|results?|by definition|note that)\b",
        place.text[place.low : place.start],
        re.I,
    ):
        return None
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


_NO_REACH = words("that or we one you they i it who not")
_ELSEWHERE = re.compile(
    r"[ \n][^.;:,]{0,70}\b(?:other|different|new|novel|further|future|broader|many|various|wide"
    r"|variety|diverse|additional|larger|more complex|more general|real-world|general"
    r"|similar|real world|practical|practice)\b"
)


def add_direction(place: HedgePlace) -> Edit | None:
    """ "A promising direction is to" becomes "a promising direction could be to"."""
    if re.search(r"\b(?:we|our)\b", place.text[place.low : place.start], re.IGNORECASE):
        return None
    if re.search(r"e\.g|et al|\[\d", place.text[place.low : place.high]):
        return None  # a direction that others took
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


def add_arguably(place: HedgePlace) -> Edit | None:
    """ "A is one of the most" becomes "A is arguably one of the most"."""
    if re.search(
        r"\b(?:shows?|showed|demonstrates?|confirms?) that\b", place.text[place.low : place.start]
    ):
        return None
    if not _JUDGED.match(place.rest):
        return None
    if _KNOWN_KIND.match(place.rest):
        return None
    if re.search(r"\b(?:we|our|experiments?)\b", place.text[place.low : place.high], re.I):
        return None  # what the own study saw
    return Edit(place.start, place.end, place.hedge.new, place.hedge.action)


# What is a matter of judgement; what is "most common" can be counted.
_JUDGED = re.compile(
    r"[ \n](?:[a-z]+[ \n]and[ \n])?(?:important|challenging|fundamental|promising|popular"
    r"|powerful|successful|critical"
    r"|crucial|interesting|difficult|prominent|influential|natural|exciting|pressing|intuitive"
    r"|versatile|impressive|striking|impactful|significant|effective|compelling|remarkable"
    r"|well-known|appealing|attractive|practical|straightforward|relevant|notable|valuable"
    r"|urgent|serious|central|vital|essential|useful)\b(?![ \n](?:to|for|in|when|of)\b)"
)
# "One of the most important crops": nobody doubts that.
_KNOWN_KIND = re.compile(
    r"[^.;,]{0,60}\b(?:crops?|cereals?|foods?|grains?|plants?|vegetables?|fruits?|species|diseases?"
    r"|pests?|pathogens?|weeds?|nutrients?|vitamins?|organs?|hormones?|enzymes?|genes?|proteins?"
    r"|causes?|sources?|resources?|complications?|symptoms?|elements?|staples?|legumes?|minerals?"
    r"|stress(?:es)?|pollutants?)\b"
)


def add_remains(place: HedgePlace) -> Edit | None:
    """ "Remains a key challenge" becomes "arguably remains a key challenge"."""
    if re.search(
        r"\b(?:shows?|showed|demonstrates?|confirms?) that\b", place.text[place.low : place.start]
    ):
        return None
    if (
        place.before.mark
        or not _OPEN_PROBLEM.match(place.rest)
        or place.before.word in ("still", "it")
    ):
        return None
    return Edit(place.start, place.start, place.hedge.new + " ", place.hedge.action)


_OPEN_PROBLEM = re.compile(
    r"[ \n](?:key|major|difficult|challenging|fundamental|significant|central|important|critical"
    r"|main|great"
    r"|serious|big|pressing)\b"
)


def add_perhaps(place: HedgePlace) -> Edit | None:
    """ "The most popular method is" becomes "Perhaps the most popular method is"."""
    if place.text[place.low : place.start].strip() not in ("The", "One of the"):
        return None
    if not (_JUDGED.match(place.rest) or _OF_USE.match(place.rest)) or _KNOWN_KIND.match(
        place.rest
    ):
        return None
    if not re.match(
        r"[^.;,]{0,110}[ \n](?:is|are|was|were)[ \n](?!(?:shown|given|listed|presented|summarized"
        r"|described)\b)",
        place.rest,
    ):
        return None
    first = place.text[place.low]
    return Edit(place.low, place.low + 1, f"Perhaps {first.lower()}", place.hedge.action)


_OF_USE = re.compile(
    r"[ \n](?:common|widely[ \n](?:used|known|studied|adopted)|closely[ \n]related|related"
    r"|similar|obvious|direct|basic|simple)\b"
)
