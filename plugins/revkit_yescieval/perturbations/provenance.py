"""Markers of provenance: the words that attribute a claim to its source.

"According to Lee et al. (2019),", "as reported by two trials,", "Studies have shown that", "Paper 3
found that". Phrases that also hedge ("Studies suggest that") do not count, because the claim would
change without them. Statements of the text itself do not count either ("Our
experiments show that").
"""

from __future__ import annotations

import re

_AUTHOR = r"[A-ZÀ-Þ][\w'’-]{1,30}"
_YEAR = r"(?:\(\d{4}[a-z]?\)|\[[\d,\s–-]{1,20}\])"
_NAMED = (
    rf"(?:{_AUTHOR}(?: et al\.?| and (?:colleagues|co-workers|{_AUTHOR}))?,? ?{_YEAR}"
    rf"|{_AUTHOR} et al\.?|{_AUTHOR} and colleagues"
    r"|[Pp]apers? \d{1,3}(?:(?:, \d{1,3})*,? and \d{1,3})?"
    r"|[Rr]ef(?:erence|s|\.)? ?\[?\d{1,3}\]?)"
)
_SOURCE_NOUN = (
    r"(?:stud(?:y|ies)|trials?|reports?|authors|researchers|investigators|meta-analys[ei]s"
    r"|experiments|surveys?|literature|papers?|works?|research|evidence|articles?|abstracts?)"
)
_KIND_WORDS = r"(?:(?!that\b|which\b|who\b|of\b|in\b|on\b|and\b|,)[\w-]{1,20} ){0,4}?"
_GENERAL = (
    rf"(?!our\b|my\b)(?:(?:the|a|an|one|two|three|[\w-]{{2,20}}) )?{_KIND_WORDS}{_SOURCE_NOUN}"
)
_REPORTED = (
    r"(?:reported|described|noted|stated|observed|documented|shown|demonstrated|found|concluded"
    r"|summari[sz]ed|discussed|outlined)"
)
_REPORTS = (
    r"(?:(?:have |has |had )?(?:also |recently |consistently |further |clearly |previously )?"
    r"(?:found|shown|showed|reported|demonstrated|observed|concluded|noted|revealed|confirmed"
    r"|established)"
    r"|(?:also )?(?:finds?|shows?|reports?|demonstrates?|observes?|concludes?|notes?|reveals?"
    r"|confirms?))"
)
_IMPERSONAL = rf"it (?:has been|was|is) (?:also |widely |well |recently )?{_REPORTED} that "
FRAME = re.compile(
    rf"(?:(?:{_NAMED}(?: {_YEAR})?|(?i:{_GENERAL})(?: {_YEAR})?) {_REPORTS} that "
    rf"|(?i:{_IMPERSONAL}))"
)
ACCORDING = re.compile(
    rf"(?i:according to|in line with|as (?:{_REPORTED}) (?:by|in)) (?:{_NAMED}|(?i:{_GENERAL}))"
    rf"(?: {_YEAR})?, "
)
REPORTED_INSIDE = re.compile(
    rf",? (?:according to|as (?:previously |recently )?{_REPORTED} (?:by|in))"
    rf" (?:{_NAMED}|{_GENERAL})(?: {_YEAR})?(?P<after>,(?= )|(?=[.;])|(?= [(\[]))"
)
SECOND_THAT = re.compile(r"(?:\band|\bor|\bbut|,) that\b")
