"""Check that a review is independent: it must not cite another reviewer, a chair or a rebuttal.

The seed's case study shows a model writing "as reviewer 1 correctly pointed out" in a review of a
paper that nobody else reviewed (ReviewGrounder, appendix F.3).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Literal, TypeAlias

from revkit_reviewground.checks.finding import Certainty, Finding
from revkit_reviewground.checks.paper_text import PaperText
from revkit_reviewground.checks.review_text import ReviewField

Participant: TypeAlias = Literal["reviewers", "chair", "authors"]

_SAID = (
    r"(?:correctly\s+|rightly\s+|also\s+|already\s+|both\s+|all\s+|has\s+|have\s+|had\s+){0,3}"
    r"(?:point(?:s|ed)|not(?:es|ed)|mention(?:s|ed)|rais(?:es|ed)|stat(?:es|ed)|sa(?:ys|id)"
    r"|argu(?:es|ed)"
    r"|observ(?:es|ed)|highlight(?:s|ed)|suggest(?:s|ed)|request(?:s|ed)|ask(?:s|ed)|agree[sd]?"
    r"|identif(?:ies|ied)|express(?:es|ed)|criticiz(?:es|ed)|wrote|writes|indicat(?:es|ed)"
    r"|comment\w*)"
)
_ABOUT = (
    r"(?:comments?|concerns?|points?|remarks?|questions?|reviews?|criticisms?|assessments?"
    r"|opinions?"
    r"|ratings?|scores?|feedback|suggestions?|view)"
)
_PATTERNS: tuple[tuple[Participant, re.Pattern[str]], ...] = (
    (
        "reviewers",
        re.compile(
            r"\b(?:Anon)?[Rr]eviewers?\s?(?:#|[Nn]o\.?|[Nn]umber)?\s?(?:\d{1,2}|[A-HJ-Z]|[Oo]ne"
            r"|[Tt]wo"
            r"|[Tt]hree|[Ff]our)\b"
            r"|\b[Rr]eviewer\s(?=[A-Za-z]{0,3}\d)[A-Za-z0-9]{4}\b"
            r"|\b[Rr]eviewer\s[Aa]non[A-Za-z0-9]{1,12}\b"
            r"|\b(?i:(?:first|second|third|fourth)\s+(?:reviewer|referee)['’]s)\s+(?!guide|form)\w+"
            r"|\b(?i:panel\s+of\s+(?:reviewers|referees))\b|\b(?i:(?:others"
            r"|another\s+member)\s+(?:on|of|in)\s+the"
            r"\s+(?:review\s+panel|panel|committee))\b"
            r"|\b(?i:(?:my\s+)?colleagues?\s+on\s+the\s+(?:committee|panel))\b"
            rf"|\b(?i:(?:first|second|third|fourth)\s+(?:reviewers?|referees?)\s+{_SAID})\b"
            r"|\b(?i:by\s+the\s+(?:first|second|third|fourth)\s+reviewer)\b"
            r"|\b(?:[Rr]eferee|REVIEWER)\s?#?\s?\d{1,2}\b"
            r"|\b(?i:other|fellow|remaining|previous|both|two(?:\sof\sthe)?|three(?:\sof\sthe)?"
            r"|all(?:\sthe)?|several|most)"
            r"\s(?i:reviewers|referees|reviews\b)(?!\s+of\s+(?:the\s+)?(?:liter|method|field))"
            r"|\b(?i:another|the\sother|one\sof\sthe|a\sfellow|an?\sprevious)\s(?i:reviewers?"
            r"|referees?)\b"
            r"|\b(?i:co-?reviewers?)\b"
            rf"|\b(?i:(?:as|what)\s+(?:was\s+|were\s+)?(?:the\s+)?reviewers?)\s+{_SAID}\b"
            rf"|\b(?i:(?:by|with|from)\s+(?:the|other)\s+reviewers?)\b(?!\s+(?:guidelines?|form"
            rf"|instructions))"
            rf"|\b(?i:the\sreviewers?(?:'s?|’s?)\s+{_ABOUT})\b"
            rf"|\b(?i:the\s+reviewers?\s+{_SAID})\b"
            r"|\b(?i:(?:other|previous|earlier|first|second|third|both|two)\s+(?:referee\s+"
            r"|review(?:er)?\s+)?reports?\s+(?:also\s+|already\s+|all\s+)?(?:rais(?:e|es|ed)|agree[ds]?"
            r"|shar(?:e|es|ed)|complain(?:s|ed)?|point(?:s|ed)?\s+out)\s[^.;:!?\n]{0,30}?"
            r"(?:issue|concern|point|problem|objection|criticism|complaint))"
            r"|\b(?i:(?:raised|noted|discussed|mentioned|pointed\s+out|agreed)\s+(?:in|during|by|on)"
            r"\s+the\s+(?:(?:reviewer|panel|committee|internal|post-rebuttal)\s+discussion"
            r"|review\s+panel|(?:other|previous)\s+(?:referee\s+)?reports?))\b"
            r"|\b(?i:agree|concur|disagree|echo(?:ing)?|second|share|side|by|with|from|as|to)\s+"
            rf"(?:\w+\s+){{0,3}}?(?:R|Rev)\s?#?\d{{1,2}}\b(?!\s*[=<>^_(\[])"
            rf"|\b(?:R|Rev)\s?#?\d{{1,2}}(?:\s?(?:,|and|&)\s?(?:R"
            rf"|Rev)\s?#?\d{{1,2}}){{0,6}}\s+{_SAID}\b"
            rf"|\b(?:R|Rev)\s?#?\d{{1,2}}['’]s?\s+{_ABOUT}\b"
        ),
    ),
    (
        "chair",
        re.compile(
            r"\b(?:[Ss]enior\s)?[Aa]rea\s[Cc]hairs?\b|\b[Mm]eta-?\s?[Rr]eview(?:er)?s?\b"
            rf"|\b(?:The|Our)\s(?:S?AC|PC)s?(?=\s+{_SAID}\b|['’]s?\s)"
            r"|\b(?:the|our|an|by|with|from)\s(?:S?AC|PC)s?\b(?=[\s,.;:'’])(?!\s+(?:algorithm"
            r"|method"
            r"|agent|model|baseline|polic|loss|power|optimal))|\b[Pp]rogram\s[Cc]hairs?\b"
        ),
    ),
    (
        "authors",
        re.compile(
            r"\b(?i:rebuttals?)\b(?!\s+(?:phase|period|stage|of\s+(?!the\s+authors)))"
            r"|\b(?i:author(?:s|['’]s"
            r"|s['’])?\s(?:response|reply|replies))\b"
            r"|\b(?i:thank\w*\s+(?:to\s+)?the\s+authors\s+for\s+(?:their"
            r"|the)\s+(?:detailed\s+)?(?:response|reply|replies|clarifications?|answers?))\b"
            r"|\b(?i:authors\s(?:have\s|also\s|already\s){0,2}(?:replied|responded|rebutted))\b"
            r"|\b(?i:in\stheir\s(?:response|reply|answers))\b"
            r"|\b(?i:(?:responses?|reply|replies)\s(?:from|by|of)\s(?:the\s)?authors?)\b"
            r"|\b(?i:(?:in|after|with|saw|read)\s(?:the|their|your)\s(?:revised\s(?:version"
            r"|manuscript|draft|paper)"
            r"|revision))\b|\b(?i:in\s(?:the\s)?previous\sround)\b|\b(?i:(?:previous|earlier"
            r"|first|last)\s+rounds?\s+of\s+reviews?)\b"
            r"|\b(?i:(?:during|in|after)\s+the\s+(?:author\s+)?discussion(?:\s+(?:phase"
            r"|period))?,?\s+the\s+authors"
            r"\s+(?:have\s+)?(?:promised|said|agreed|added|showed|replied|explained|clarified"
            r"|confirmed))\b"
        ),
    ),
)
# What is still to come, or addressed, is not cited.
_TO_COME = re.compile(
    r"\b(?:will|would|could|should|can|may|might|please|hope|expect|look(?:ing)?\s+forward"
    r"|await(?:ing)?|happy"
    r"|willing"
    r"|open\s+to|if|during|before|until|pending|future|leave|defer|up\s?to|decide|for\s+the|clarify"
    r"|address"
    r"\s+(?:this|these|the\s+following)|include|add|recommend|suggest|encourage|ask|like\s+to"
    r"|in\s+a)\b",
    re.IGNORECASE,
)
_CITED = re.compile(
    r"\b(?:as\s+(?:also\s+)?(?:an|the|other|another|both|all|my|R\d|Re|noted|raised|pointed"
    r"|concerned"
    r"|mentioned|stated|said|by|for)|after|based\s+on|having|I\s+(?:have\s+)?read|thank|thanks"
    r"|according|agree|concur"
    r"|echo|share|like\s+(?:the\s+)?(?:other\s+)?(?:reviewer|referee)s?"
    rf"|addressed|convinced|persuaded|clarified|explained|showed|resolved|acknowledged|{_SAID})\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:(?:after|having|have|I)\s+read(?:ing)?|based\s+on|according|thanks?|agree|as\s+(?:the"
    r"|noted|mentioned|stated)"
    r"|addressed|clarified|explained|showed|resolved|acknowledged|increased|raised|lowered"
    r"|changed)\b",
    re.IGNORECASE,
)
_SELF = re.compile(
    r"\b(?:as\s+)?(?:a|the|this|your|an?\s+\w+)\s+reviewer\s*,?\s+I\b", re.IGNORECASE
)
# "I have not read other reviews" cites none.
_UNREAD = re.compile(
    r"\b(?:not|never|n['’]t|without|before)\s+(?:yet\s+)?(?:read(?:ing)?|see[n]?|seeing"
    r"|look(?:ed|ing)?\s+at"
    r"|consult(?:ed|ing)?)\b",
    re.IGNORECASE,
)
_MESSAGES: dict[Participant, str] = {
    "reviewers": "no other reviewer is in the input",
    "chair": "no area chair is in the input",
    "authors": "no reply of the authors is in the input",
}


def check_reviewers(
    paper: PaperText, review: Sequence[ReviewField], present: Collection[Participant] = ()
) -> Iterator[Finding]:
    """Yield a finding for each other reviewer, chair or authors' reply that the review cites.

    ``present`` names who is in the input and may be cited. "This reviewer" and "as a reviewer, I"
    are the writer; hopes for a rebuttal and words to the chair cite nobody. In a paper that is
    itself about reviewing, a finding is only "suspect".
    """
    subject = paper.lower.count("reviewer") > 4
    for field in review:
        for start, sentence in field.sentences:
            for participant, pattern in _PATTERNS:
                if participant in present:
                    continue
                match = pattern.search(sentence)
                if match is None or _is_exempt(participant, sentence, match, paper):
                    continue
                certainty: Certainty = "suspect" if subject else "false"
                at = start + match.start()
                message = f"{_MESSAGES[participant]}, but the review cites one"
                yield field.finding("reviewer", at, start + match.end(), message, certainty)


def _is_exempt(
    participant: Participant, sentence: str, match: re.Match[str], paper: PaperText
) -> bool:
    if _SELF.search(sentence) and "eviewer" in match.group():
        return True
    if _UNREAD.search(sentence, 0, match.start()):
        return True
    cited = bool(_CITED.search(sentence) or re.search("[’']s", match.group()))
    if participant == "reviewers":
        label = re.search(r"\bR\d{1,2}\b", match.group())
        if label and re.search(rf"(?<![A-Za-z]){label.group()}(?!\d)", paper.text):
            return True
        return not cited and _TO_COME.search(sentence) is not None
    # In a paper that has methods of these letters, they are those.
    short = re.search(r"\b(?:S?AC|PC)s?\b", match.group())
    said = re.compile(rf"\s+{_SAID}").match(sentence, match.end())
    if short and not said and re.search(rf"(?<![A-Za-z]){short.group()}(?![a-z])", paper.text):
        return True
    return _TO_COME.search(sentence) is not None and _PAST.search(sentence) is None
