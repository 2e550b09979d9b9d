"""Register: how far a sentence is from academic style, in points."""

from __future__ import annotations

import re

# Each pattern with its points: three for chat and social media, one for everyday talk. The words
# are those that style guides for academic writing advise against, and signs of online chat.
_CHAT = 3
_TALK = 1
_PATTERNS: tuple[tuple[int, re.Pattern[str]], ...] = (
    (_CHAT, re.compile(r"(?<![\w&])#[A-Za-z]\w{1,40}")),
    (_CHAT, re.compile(r"(?<![\w.])@[A-Za-z_]\w{1,40}")),
    (_CHAT, re.compile("[\U0001f000-\U0001faff\u2600-\u27bf\u2764]")),
    (_CHAT, re.compile(r"(?<![\w)])[:;]-?[)(DPp](?![\w(])|<3(?!\d)|\bx[DO]\b")),
    (_CHAT, re.compile(r"[!?]{2,10}")),
    (
        _CHAT,
        re.compile(
            r"\b(?:lol|lmao|rofl|omg|wtf|btw|imo|imho|tbh|idk|smh|ngl|fyi|thx|pls|plz|ppl|luv|nite"
            r"|gonna|wanna|gotta|dunno|lemme|gimme|ain['’]?t|y['’]?all|ha(?:ha){1,9}|hehe|yay|woot"
            r"|meh|ugh|dude|bro|bruh|asap)\b",
            re.I,
        ),
    ),
    (_CHAT, re.compile(r"\b(?:u|ur|rn|bc|cuz|coz|fam|im|ive|cant|dont|wont|didnt|thats)\b|\bw/")),
    (_TALK, re.compile(r"(?<![!?])[!?](?![!?])")),
    (_TALK, re.compile(r"\b\w{1,12}(?:n['’]t|['’](?:re|ve|ll|m|d))\b", re.I)),
    (_TALK, re.compile(r"\b(?:it|that|there|here|what|who|he|she|let|where|how)['’]s\b", re.I)),
    (_TALK, re.compile(r"\b(?:my|me|mine|myself|you|your|yours|yourself)\b", re.I)),
    (
        _TALK,
        re.compile(
            r"(?:^|[,.;:!?\"(–—-]\s{0,2}|\b(?:and|so|but|or|when|that|if|because|as|what|where|there|then|than"
            r"|while|until|since|before|after)\s)I\s[a-z]"
        ),
    ),
    (
        _TALK,
        re.compile(
            r"\b(?:yeah|yep|yup|nope|nah|hey|hi|hello|wow|oops|okay|ok|folks|guys|kids|buddy|stuff"
            r"|awesome|(?:so|pretty|super|very) cool|crazy|weird|literally|totally|honestly"
            r"|basically|actually|anyway"
            r"|kinda|sorta|pretty (?:much|sure|good)|a lot|lots of|kind of|sort of|a bunch of"
            r"|a ton of|tons of|you know|i mean|by the way|to be honest|guess what|no idea|no way"
            r"|big deal|so much|so many|these days|at the end of the day|huge fan|love|loved|loves"
            r"|fun|funny|mess|messy|grab|grabbed|hang out|figured out|figure out|turns out|mind"
            r"-?blowing|blew my|sorry|thanks|thank you|please|maybe|really)\b",
            re.I,
        ),
    ),
)
_LOWER_START = re.compile(r"[\s\"'“‘(]{0,3}[a-z]{2,}\b")


def points(sentence: str) -> int:
    """Return the distance of the register of ``sentence`` from academic style in points; 0 is
    academic.

    A lower-case start adds a point only if there are others: names of genes and proteins may have
    one.
    """
    total = sum(weight * len(pattern.findall(sentence)) for weight, pattern in _PATTERNS)
    if total and _LOWER_START.match(sentence):
        total += _TALK
    return total
