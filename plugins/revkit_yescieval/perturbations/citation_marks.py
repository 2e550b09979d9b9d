"""Citation marks of a sentence, in whatever form its writer used.

A number would name a source of another text, and so state something false about it.
"""

from __future__ import annotations

import re

_NOUN = (
    r"(?:[Pp]apers?|[Ss]tud(?:y|ies)|[Rr]ef(?:erence)?s?\.?|[Ss]ources?|[Aa]rticles?|[Ww]orks?"
    r"|[Aa]bstracts?|[Cc]itations?|[Tt]rials?|[Dd]ocuments?|[Pp]ublications?|[Rr]eports?)"
)
_NUMBER = r"[#*_]{0,3}\d{1,3}[a-z]?[*_]{0,3}"
_LINK = r"\(#[^()\s]{0,80}\)"
_ITEM = (
    rf"(?:(?:[Ss]ee|[Ii]n|[Bb]y|[Ff]rom|[Aa]lso|[Cc]f\.|e\.g\.|i\.e\.|[Nn]o\.|[Nn]umbers?|{_NOUN}),?"
    rf"\s?){{0,4}}\[?{_NUMBER}\]?(?:{_LINK})?"
)
_JOIN = r"\s?(?:[,;\u2013\u2014&+/-]|\b(?:and|or|to)\b|,\s?and\b)\s?"
_LIST = rf"{_ITEM}(?:{_JOIN}{_ITEM}){{0,40}}(?:{_JOIN}(?:\.\.\.|\u2026))?"
_OPEN, _CLOSE = r"[(\[{\uff08\uff3b\u3010\u3014]", r"[)\]}\uff09\uff3d\u3011\u3015]"
_RAISED = "[\u00b9\u00b2\u00b3\u2070\u2074-\u2079\u207b\u02d2\u1d43-\u1d4d]"
_MARK = (
    rf"(?:{_OPEN}\s?{_LIST}\s?{_CLOSE}(?:{_LINK})?"
    rf"|<sup>\s?[({{\[]?{_LIST}[)}}\]]?\s?</sup>"
    rf"|\^\{{?[(\[]?\d{{1,3}}(?:[,;\u2013-]\s?\d{{1,3}}){{0,40}}[)\]]?\}}?\^?"
    rf"|\[\^[\w-]{{1,20}}\]"
    rf"|{_RAISED}{{1,4}}(?:[,\u02d2\u2013-]{_RAISED}{{1,4}}){{0,20}})"
)
# Before the sign at the end of the sentence, or behind it.
_LAST = re.compile(rf"(?:\s?{_MARK}){{1,4}}(?=[.!?]?$)|(?<=[.!?])(?:\s?{_MARK}){{1,4}}$")
_NAME = r"[A-Z\u00c0-\u00de][\w'\u2019-]{1,40}"
_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|In|Since|Until|By|From|During|After|Before|Between|Around|About|Year|COVID|Spring|Summer"
    r"|Autumn|Fall|Winter)"
)
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|last|final|one|two|three|four|five|six|[A-F]|[IVX]+"
    r"|\#?\d{1,3})"
)
_ANY = re.compile(
    rf"{_MARK}|[\[\]{{}}\uff3b\uff3d\u3010\u3011\u3014\u3015\u2020\u2021\u00a7\u00b6\\@^]"
    rf"|</?[a-zA-Z]|{_RAISED}|\bet al\b|\bibid\b|\bop\. cit\b|\bdoi\b|\bPMID\b|https?:|arXiv"
    r"|[(\uff08][^()\uff08\uff09]{0,160}\b(?:1[89]|20)\d\d[a-z]?\b[^()\uff08\uff09]{0,160}[)\uff09]"
    rf"|\b(?!{_MONTH}\b){_NAME},? (?:1[89]|20)\d\d[a-z]?\b"
    rf"|\({_NAME}(?:,? (?:and|&) {_NAME})?\)"
    r"|\band (?:colleagues|co-?workers|co-?authors)\b"
    rf"|\b{_NOUN} {_ORDINAL}\b|\b(?:{_NOUN}) (?:no\.|number|nos\.) ?\d"
    rf"|\b(?:first|second|third|fourth|fifth|sixth|last|latter|former|other|same) {_NOUN}(?!\w)"
    r"|\b(?:[Ss]ee|[Ii]n|[Bb]y|[Ff]rom|[Tt]o|[Oo]f) \(?\d{1,3}\)?"
    r"(?:(?:,| and| or) \d{1,3}){0,20}(?=[.,;]|$)"
    r"|[a-z]{3}\d{1,3}(?:[,\u2013-]\d{1,3}){0,20}(?=[\s.,;]|$)"
    r"|[a-z]{2}[.,;]\d{1,3}(?=[\s,.;\u2013-]|$)|[\u207d\u207e]"
    r"|[(\uff08]\s?\d{1,3}\s?(?:[,;)\u2013\u2014&]|-\s?\d|and\b)"
    rf"|[(\uff08][^()\uff08\uff09]{{0,160}}\b{_NOUN}(?!\w)[^()\uff08\uff09]{{0,160}}[)\uff09]"
)
_DANGLING = re.compile(
    r"(?:\b(?:the|an?|of|in|to|by|from|with|and|or|as|than|via|per|for|on|at|see|both|between"
    r"|according|is|are|was|were|e\.g|i\.e|cf|but|that|which|also|number)"
    rf"|\b(?:to|in|by|of|from|with|and|or|see|per) {_NOUN}|[a-z,] [A-Z][a-z]{{1,9}}(?<=aper)"
    r"|\bas (?:shown|reported|described|noted|seen|demonstrated|suggested|stated|found)|[,;:(-])"
    r"\s?[.!?]?$",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"[\"'\u201c(]?[A-Z\u00c0-\u00de0-9\u03b1-\u03c9].*[.!?][\"'\u201d)]?$", re.DOTALL
)


def without_marks(sentence: str) -> str:
    """Return the sentence without the citation marks at its end; "" where it has others, or where
    what is left is not a whole sentence.
    """
    plain = _LAST.sub("", sentence).rstrip()
    if plain != sentence and _DANGLING.search(plain):
        return ""
    if _ANY.search(plain) or plain.count("(") != plain.count(")"):
        return ""
    return plain if _WHOLE.match(plain) else ""
