"""Words of quantity before and after: "all", "some", "only", "at most"."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from revkit import english
from revkit.meaning.change import MeaningChange, lost_and_gained
from revkit.meaning.words import CARDINALS, Words, small_edit

# Classes of quantities that a rewording neither adds nor drops.
_STRICT = ("only", "at most", "at least", "almost", "exactly", "one", "either")
# "Not all" and "not usually" say little.
_NOT_MANY = re.compile(
    r"(?:\b(?:not|cannot|never|hardly|nor)|n['’]t)\s+(?:\w+\s+)?(?:all|every\w*|always|most\w*"
    r"|usually|typically|often|frequently|generally|commonly|both|fully|completely|entirely|many)\b",
    re.IGNORECASE,
)
RANKS = ("all", "most", "some", "both")
_MANY, _FEW = ("all", "most", "both", "multiple"), ("half", "few", "sole")  # far apart


@cache
def _quantity() -> re.Pattern[str]:
    return english.compile_words(frozenset(english.quantities()), ignore_case=True)


def quantity_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return quantities that changed their class: "all" became "some", "only" was added, "up to"
    became "at least".
    """
    before, after = classes(old.text), classes(new.text)
    _even(before, after, old, new)
    _even(after, before, new, old)
    if not small_edit(old, new):
        if before["only"] > after["only"] and _ALL_BUT.search(new.text):
            return [MeaningChange("quantity", "only became all but")]
        if before["multiple"] > after["multiple"] and after["one"] > before["one"]:
            after["sole"] = 1
        for name in ("either", "one"):  # "A or B", "the one that": words of grammar in a rewording
            del before[name], after[name]
        if before["both"] and _TWO.search(new.text):
            del before["both"]
        for name, form in (
            ("only", _RESTRICTED),
            ("almost", _NEAR),
            ("at most", _CAPPED),
            ("at least", _FLOORED),
        ):
            if before[name] != after[name] and form.search(
                (old, new)[before[name] > after[name]].text
            ):
                del before[name], after[name]
    found = lost_and_gained(
        "quantity",
        Counter({name: n for name, n in before.items() if name in _STRICT}),
        Counter({name: n for name, n in after.items() if name in _STRICT}),
    )
    lost, gained = before - after, after - before
    ranks = any(lost[name] for name in RANKS) and any(gained[name] for name in RANKS)
    weak = [(one["all"] + one["most"], words) for one, words in ((lost, old), (gained, new))]
    if not found and ranks and not any(n and _NOT_MANY.search(words.text) for n, words in weak):
        found.append(MeaningChange("quantity", f"{_join_words(lost)} became {_join_words(gained)}"))
    if not found and not small_edit(old, new):
        for many, few, words in ((lost, gained, old), (gained, lost, new)):
            if (
                any(many[name] for name in _MANY)
                and any(few[name] for name in _FEW)
                and not _NOT_MANY.search(words.text)
            ):
                detail = f"{_join_words(lost)} became {_join_words(gained)}"
                found.append(MeaningChange("quantity", detail))
    if found or "no" in new.lowers:
        return found
    if (
        lost["all"]
        and new.lowers.count("one") > old.lowers.count("one")
        and not _WHOLLY.search(new.text)
    ):
        return [MeaningChange("quantity", "all became one")]
    if (
        gained["all"]
        and not before["all"]
        and (small_edit(old, new) or not _WHOLLY.search(old.text))
        and not _ANY_DENIED.search(new.text)
        and "each" not in new.lowers
    ):
        return [MeaningChange("quantity", "gained all")]
    vague = before["some"] or before["multiple"] or before["one"]
    ones = [len(_ONE.findall(words.text)) for words in (old, new)]
    articles = [len(_ARTICLE.findall(words.text)) for words in (old, new)]
    if ones[1] > ones[0] and articles[0] <= articles[1] and small_edit(old, new):
        return [MeaningChange("quantity", "gained one")]
    if gained["some"] and not vague and small_edit(old, new):
        return [MeaningChange("quantity", "gained some")]
    return []


_RESTRICTED = re.compile(
    r"\b(?:just|until|unless|but|except|unique\w*|sole|mere|restrict\w*|confin\w*|limited"
    r"|apart from|other than|no (?:more|other)|nothing (?:but|else)|if and when|provided"
    r"|part(?:s|ly|ial\w*)?|single|beyond|simply|amounts? to|purely|besides|aside from"
    r"|none but|entirely)\b",
    re.IGNORECASE,
)
_TWO = re.compile(r"\b(?:two|2)\b", re.IGNORECASE)
_CAPPED = re.compile(
    r"\b(?:only|just|limit\w*|constrain\w*|restrict\w*|bound\w*|cap(?:s|ped)?|maxim\w+|fewer|less"
    r"|upper|within|under|below|not? more)\b",
    re.IGNORECASE,
)
_FLOORED = re.compile(r"\b(?:minim\w+|lower|or more|more than|above|over|fewer|less)\b", re.I)
# What may be said with "all" in other words.
_WHOLLY = re.compile(
    r"\b(?:complete|total(?:ly)?|perfect(?:ly)?|thorough(?:ly)?|exhaustive(?:ly)?|whichever|whatever"
    r"|whenever|wherever|individual(?:ly)?|overall|universal(?:ly)?|consistent(?:ly)?)\b",
    re.IGNORECASE,
)
_ALL_BUT = re.compile(r"\b(?:all|every\w*|each|any\w*) (?:but|except|other than)\b", re.I)
_NEAR = re.compile(
    r"\b(?:close(?:ly)? to|approach\w*|approximat\w+|about|roughly|around|essentially|near(?: to)?"
    r"|hardly|little)\b",
    re.IGNORECASE,
)
# "One method" counts; "one can", "one of" and "every one" do not.
_ONE = re.compile(
    r"(?<!every )(?<!each )\b(?:one|single)\b"
    r"(?!\s+(?:can|may|might|must|should|would|will|is|has|of)\b)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\b(?:an?|the)\b", re.IGNORECASE)
_ANY_DENIED = re.compile(r"\b(?:without|not|no|never|nor|hardly|lack\w*)\b[^.;]*\bany\b", re.I)
_ONLY_IF = re.compile(r"\bonly\b.*\b(?:if|when|by|with|after|once)\b", re.IGNORECASE | re.DOTALL)
_NEEDED = re.compile(r"\b(?:necessary|need(?:s|ed)?|requir\w+|must|essential)\b", re.IGNORECASE)


def _even(these: Counter[str], those: Counter[str], words: Words, others: Words) -> None:
    """Take from ``these`` the classes that other words of the other sentence express."""
    if these["one"] > those["one"] and ("one" in others.lowers or those["some"] > these["some"]):
        these["one"] = those["one"]
    if these["either"] > those["either"] and (
        "two" in others.lowers
        or "2" in others.lowers
        or those["both"]
        or "neither" in others.lowers
    ):
        these["either"] = those["either"]
    if (
        these["only"] > those["only"]
        and _NEEDED.search(others.text)
        and _ONLY_IF.search(words.text)
    ):
        these["only"] = those["only"]


_AMOUNT = re.compile(
    r"\s+(?:a |an |the )?(?:\d|half|several|factor|" + "|".join(CARDINALS) + r")\b|\s+\d"
)


def classes(text: str) -> Counter[str]:
    """Count the words of quantity in ``text`` by their class."""
    classes = english.quantities()
    found = Counter(
        classes[form]
        for match in _quantity().finditer(text)
        if (form := " ".join(match[0].lower().split())) != "up to"
        or _AMOUNT.match(text, match.end())
    )
    del found["no quantity"]
    return found


def _join_words(counted: Counter[str]) -> str:
    return ", ".join(sorted(counted))
