"""What limits or supports a statement and is lost while the statement stays: a condition, a reason,
a word of quantity."""

from __future__ import annotations

import re
from functools import cache

from revkit import english
from revkit.model.sentences import split_sentences
from revkit_robustrev.rewriting.faults import Fault, content

_LEAST_KEPT = 0.4  # of the content words of a clause
_STATED = 0.35  # of those of its sentence beside the clause: less, and the statement is gone too
_ENDS = r"\s+(?P<said>[^,;:.()]+)"
# "Especially when" names a case and no condition, "between when" a time, "by assuming" a means.
_CONDITIONS = re.compile(
    r"(?<!especially )(?<!particularly )(?<!even )(?<!between )(?<!as )"
    r"\b(?:if|unless|when|whenever|provided that|providing that|(?:as|so) long as"
    r"|(?<!by )(?:assuming|supposing|presuming)"
    r"|(?:on|under) (?:the |an? )?(?:condition|assumption)s? (?:of|that)"
    r"|in (?:all |some |many |most |the )?(?:cases?|situations?|settings?) (?:where|in which)"
    r"|in case(?: of)?|in the event (?:of|that)|insofar as|to the extent that)\b" + _ENDS,
    re.IGNORECASE,
)
_REASONS = re.compile(
    r"(?:\b(?:because of|because|due to|owing to|given that)\b|(?:^|,\s)since\b)" + _ENDS,
    re.IGNORECASE,
)
# The next word of content, without "cases" of "in some cases".
_NEXT = re.compile(r"(?!cases\b|situations\b|settings\b)\b[a-z][a-z-]{3,}")
_LIMITS = ("most", "some")  # classes of quantities without which a statement says more
_BEFORE_SOME = re.compile(r"(?:^|[,;:.]|\b(?:in|for|on|at|under|that|but))\s*$", re.IGNORECASE)
_LOOSE = frozenset(("several", "certain"))  # of these classes, what says little


def limit_fault(old: str, new: str) -> Fault | None:
    """Whether ``new`` makes a statement of ``old`` without its condition, its reason, or "most",
    "often", "some" and the like; both on one line and without citation marks."""
    if _clause_lost(_CONDITIONS, old, new):
        return Fault(
            "condition lost", "a condition (if, unless, when) must stay with what it is of"
        )
    if _clause_lost(_REASONS, old, new):
        return Fault(
            "reason lost", "a reason (because, due to, since) must stay with what it is of"
        )
    if _quantity_lost(old, new):
        return Fault("quantity lost", "keep most, usually, often, some and the like in what stays")
    return None


def _clause_lost(clauses: re.Pattern[str], old: str, new: str) -> bool:
    kept = content(new)
    for span in split_sentences(old, 0, len(old)):
        sentence = old[span.start : span.end]
        for match in clauses.finditer(sentence):
            said = content(match["said"])
            rest = content(sentence[: match.start()] + " " + sentence[match.end() :]) - said
            if len(said & kept) < _LEAST_KEPT * len(said) and len(rest & kept) >= _STATED * len(
                rest
            ):
                return True
    return False


def _quantity_lost(old: str, new: str) -> bool:
    kept = content(new)
    after: dict[str, int] = {}
    for match in _limits().finditer(new):
        name = _class_of(match[0])
        after[name] = after.get(name, 0) + 1
    for match in _limits().finditer(old):
        if match[0].lower() == "some" and not _limiting(old, match):
            continue
        name = _class_of(match[0])
        if after.get(name, 0) > 0:
            after[name] -= 1
            continue
        following = _NEXT.search(old[match.end() :].lower())
        if following is not None and content(following[0]) & kept:
            return True
    return False


def _limiting(text: str, match: re.Match[str]) -> bool:
    """Whether "some" limits a statement: "some methods fail", "in some cases", and not "we add some
    noise"."""
    before = text[: match.start()]
    return bool(_BEFORE_SOME.search(before)) or text[match.end() :].startswith(" of ")


@cache
def _limits() -> re.Pattern[str]:
    forms = (form for form, name in english.quantities().items() if name in _LIMITS)
    return english.compile_words(frozenset(forms) - _LOOSE, ignore_case=True)


def _class_of(form: str) -> str:
    return english.quantities()[" ".join(form.lower().split())]
