"""Rules on single words: numbers, names, negations, opposites and quantities before and after."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache

from revkit import english
from revkit.meaning.change import ChangeKind, MeaningChange
from revkit.meaning.denials import (
    base_of,
    count_denials,
    denial_range,
    denies,
    denies_next,
    idle_denial,
    is_few,
    plainly_denies,
)
from revkit.meaning.words import CARDINALS as _CARDINALS
from revkit.meaning.words import Word, Words, family, related, small_edit

# Classes of quantities that a rewording neither adds nor drops.
_STRICT = ("only", "at most", "at least", "almost", "exactly", "one", "either")
# "Not all" and "not usually" say little.
_NOT_MANY = re.compile(
    r"(?:\b(?:not|cannot|never|hardly|nor)|n['’]t)\s+(?:\w+\s+)?(?:all|every\w*|always|most\w*"
    r"|usually|typically|often|frequently|generally|commonly|both|fully|completely|entirely|many)\b",
    re.IGNORECASE,
)
_RANKS = ("all", "most", "some", "both")
_MANY, _FEW = ("all", "most", "both", "multiple"), ("half", "few", "sole")  # far apart
# A number in words that refers to things already named: "the two methods", "A and B, two methods".
_REFERRING = re.compile(
    r"(?:\b(?:the|these|those|both|all|its|their|our)\s+|[,;(]\s*)(?P<number>"
    + "|".join(("two", "three", "four"))
    + r")\b",
    re.IGNORECASE,
)
_PAIR = re.compile(
    r"\b(?:both|either|neither|each other|respective|respectively|pair"
    r"|double|twice|the other|former|latter)\b",
    re.I,
)


def number_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return added or lost numbers; a number in words equals its figure. "The two methods" may
    become "both methods" or "the methods".
    """
    before, after = (Counter(w.family for w in words.all if w.number) for words in (old, new))
    for these, those, words, other in ((before, after, old, new), (after, before, new, old)):
        for match in _REFERRING.finditer(words.text):
            number = family(match["number"].lower())
            others = (these - those).keys() | (those - these).keys()
            if these[number] > those[number] and others == {number}:
                these[number] -= 1
        for part in {part for word in other.lowers for part in word.split("-")[1:]}:
            if part.isdigit() and these[part] > those[part]:
                these[part] -= 1  # "of depth 2" and "depth-2"
        pairs = len(_PAIR.findall(other.text)) - len(_PAIR.findall(words.text))
        if these["2"] == those["2"] + 1 and pairs > 0:
            these["2"] -= 1
    return _differences("number", before, after)


def name_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return added or lost names and acronyms."""
    known, left = _known(old), _known(new)
    gained = {w.family for w in new.all if _is_name(w) and not _names(w) & known}
    lost = {w.family for w in old.all if _is_name(w) and not _names(w) & left}
    return [MeaningChange("name", f"gained {name}") for name in sorted(gained)] + [
        MeaningChange("name", f"lost {name}") for name in sorted(lost)
    ]


def _known(words: Words) -> frozenset[str]:
    return frozenset(part for word in words.all for part in _names(word) | {word.family})


def _names(word: Word) -> set[str]:
    """Return a word and, of a compound, the parts that are names: "ISP" of "ISP-supporting"."""
    parts = [part for part in re.split(r"[-/]", word.text) if part]
    if len(parts) == 1:
        return {word.family}
    named = {family(part.lower()) for part in parts if any(letter.isupper() for letter in part)}
    return named | {word.family}


def _is_name(word: Word) -> bool:
    """Return whether a capital indicates a name: not a capital that only opens the sentence."""
    return (
        word.named
        and (word.content or word.text.isupper())
        and (word.start > 1 or any(letter.isupper() for letter in word.text[1:]))
    )


Agreeing = tuple[AbstractSet[str], AbstractSet[str]]


def polarity_changes(
    old: Words, new: Words, agreeing: Agreeing = (frozenset(), frozenset())
) -> list[MeaningChange]:
    """Return added or lost negations and opposites that replaced each other.

    ``agreeing`` are words of comparison of each sentence that say the same from two sides, as in
    "A is better than B" and "B is worse than A".

    A word with a negative prefix denies ("is unstable" equals "is not stable"), and a negation
    with an opposite cancel each other ("not well" equals "badly").
    """
    if not small_edit(old, new):
        return _free_polarity_changes(old, new, agreeing)
    before, after = count_denials(old, new), count_denials(new, old)
    flips = opposite_changes(old, new)
    if flips and abs(before - after) == len({flip.detail.split(" became ")[0] for flip in flips}):
        return []
    found = flips
    if before != after:
        few = [sum(is_few(word) for word in words.lowers) for words in (old, new)]
        exchanged = before - few[0] == after - few[1] and any(
            set(_RANKS) & (_classes(one.text) - _classes(other.text)).keys()
            for one, other in ((old, new), (new, old))
        )
        kind: ChangeKind = "quantity" if exchanged else "negation"
        found = [MeaningChange(kind, f"{before} before, {after} after"), *flips]
    return found


def _free_polarity_changes(old: Words, new: Words, agreeing: Agreeing) -> list[MeaningChange]:
    """The changes of polarity of a free rewording, which may express a negation by another word:
    "not change over time" by "time-invariant".

    Each sentence has a range of negations: those by a word of negation, and those together with
    words that may express one. Ranges that overlap mean that nothing changed. Opposites are left
    out too if the ranges allow a difference of that many negations.
    """
    (fewest, most), (least, greatest) = denial_range(old, new), denial_range(new, old)
    flips = [flip for flip in opposite_changes(old, new) if not _agrees(flip, agreeing)]
    gap = max(fewest - greatest, least - most, 0)
    open_flips = [flip for flip in flips if not _denied_once(flip, old, new)]
    if gap > len(flips) - len(open_flips):
        return [
            MeaningChange("negation", f"{fewest} to {most} before, {least} to {greatest} after"),
            *open_flips,
        ]
    return open_flips


def _agrees(flip: MeaningChange, agreeing: Agreeing) -> bool:
    one, other = flip.detail.split(" became ")
    return one in agreeing[0] and other in agreeing[1]


_REACH = 6  # words before an opposite in which a word of negation denies it
_CLOSE = 2  # the same for words that may deny: "few", "avoids"


def _denied_once(flip: MeaningChange, old: Words, new: Words) -> bool:
    """Whether exactly one of two opposites is denied: "badly" became "not well"."""
    one, other = flip.detail.split(" became ")
    return _denied(one, old, new) != _denied(other, new, old)


def _denied(word: str, words: Words, others: Words) -> bool:
    """Whether a negation is close before ``word``, or the word is in a phrase of negation."""
    first = word.split(" ")[0]
    place = next((n for n, each in enumerate(words.all) if each.lower == first), -1)
    near = words.all[max(0, place - _REACH) : place]
    return place >= 0 and any(
        plainly_denies(each.lower) or (len(near) - step <= _CLOSE and denies_next(each.lower))
        for step, each in enumerate(near)
        if not idle_denial(words, each)
    )


Side = tuple[int, int]  # an axis, and which side of it


@lru_cache(maxsize=50_000)
def _sides(word: str) -> tuple[Side, ...]:
    """Return the sides of all axes on which a word is."""
    return tuple(side for side, matches in _matchers() if matches(word))


@cache
def _matchers() -> tuple[tuple[Side, Callable[[str], object]], ...]:
    return tuple(
        ((axis, side), english.compile_words(forms).fullmatch)
        for axis, pair in enumerate(english.opposites())
        for side, forms in enumerate(pair)
    )


def opposite_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return opposites that replaced each other: one side of an axis is lost, the other is
    added.
    """
    before, after = _count_sides(old), _count_sides(new)
    lost, gained = before - after, after - before
    found = []
    for axis, side in sorted(lost):
        if (axis, 1 - side) in gained:
            one = _example(old, new, (axis, side))
            other = _example(new, old, (axis, 1 - side))
            small = small_edit(old, new)
            if _opposed(one, other, small) or (small and denies(one) != denies(other)):
                continue  # it counts as a negation
            found.append(MeaningChange("opposite", f"{one} became {other}"))
    return found


def _opposed(one: str, other: str, exactly: bool) -> bool:
    """Whether one word is the other with a negative prefix: "stable" and "unstable"; if not
    ``exactly``, a relative of it: "independent" and "depends".
    """
    pairs = ((base_of(one), other), (base_of(other), one))
    if exactly:
        return any(base == word for base, word in pairs)
    return any(len(base) > 3 and related(family(base), family(word)) for base, word in pairs)


def _count_sides(words: Words) -> Counter[Side]:
    lowers = Counter(words.lowers)
    lowers["end"] -= len(_PURPOSE.findall(words.text))
    parts = (part for word in lowers.elements() for part in (word, *_first(word)))
    counted = Counter(side for part in parts for side in _sides(part))
    counted.update(side for phrase in _phrases(words) for side in _phrase_sides()[phrase])
    return counted


@cache
def _phrase_sides() -> dict[str, list[Side]]:
    """Return the phrases of the table of opposites with their sides."""
    found: dict[str, list[Side]] = {}
    for axis, pair in enumerate(english.opposites()):
        for side, forms in enumerate(pair):
            for form in forms:
                if " " in form:
                    found.setdefault(form, []).append((axis, side))
    return found


@cache
def _phrase() -> re.Pattern[str]:
    return english.compile_words(frozenset(_phrase_sides()), ignore_case=True)


def _phrases(words: Words) -> list[str]:
    return [" ".join(match[0].lower().split()) for match in _phrase().finditer(words.text)]


_PURPOSE = re.compile(r"\bto (?:this|that|which) end\b", re.IGNORECASE)


def _first(word: str) -> list[str]:
    """Return the first part of a compound: "low" of "low-dimensional"."""
    part, hyphen, _ = word.partition("-")
    return [part] if hyphen else []


def _example(words: Words, others: Words, side: Side) -> str:
    extra = Counter(words.lowers) - Counter(others.lowers)
    phrases = Counter(_phrases(words)) - Counter(_phrases(others))
    return next(
        (word for word in extra if any(side in _sides(part) for part in (word, *_first(word)))),
        next((phrase for phrase in phrases if side in _phrase_sides()[phrase]), "?"),
    )


@cache
def _quantity() -> re.Pattern[str]:
    return english.compile_words(frozenset(english.quantities()), ignore_case=True)


def quantity_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return quantities that changed their class: "all" became "some", "only" was added, "up to"
    became "at least".
    """
    before, after = _classes(old.text), _classes(new.text)
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
    found = _differences(
        "quantity",
        Counter({name: n for name, n in before.items() if name in _STRICT}),
        Counter({name: n for name, n in after.items() if name in _STRICT}),
    )
    lost, gained = before - after, after - before
    ranks = any(lost[name] for name in _RANKS) and any(gained[name] for name in _RANKS)
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
    few = before["some"] or before["multiple"] or before["one"]
    ones = [len(_ONE.findall(words.text)) for words in (old, new)]
    articles = [len(_ARTICLE.findall(words.text)) for words in (old, new)]
    if ones[1] > ones[0] and articles[0] <= articles[1] and small_edit(old, new):
        return [MeaningChange("quantity", "gained one")]
    if gained["some"] and not few and small_edit(old, new):
        return [MeaningChange("quantity", "gained some")]
    return []


_RESTRICTED = re.compile(
    r"\b(?:just|until|unless|but|except|unique\w*|sole|mere|restrict\w*|confin\w*|limited"
    r"|apart from|other than|no (?:more|other)|nothing (?:but|else)|if and when|provided"
    r"|part(?:s|ly|ial\w*)?|single|beyond)\b",
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
_ONLY_IF = re.compile(r"\bonly\b.*\b(?:if|when|by)\b", re.IGNORECASE | re.DOTALL)
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
    r"\s+(?:a |an |the )?(?:\d|half|several|factor|" + "|".join(_CARDINALS) + r")\b|\s+\d"
)


def _classes(text: str) -> Counter[str]:
    classes = english.quantities()
    found = Counter(
        classes[form]
        for match in _quantity().finditer(text)
        if (form := " ".join(match[0].lower().split())) != "up to"
        or _AMOUNT.match(text, match.end())
    )
    del found["no quantity"]
    return found


def _differences(
    kind: ChangeKind, before: Counter[str], after: Counter[str]
) -> list[MeaningChange]:
    return [MeaningChange(kind, f"lost {item}") for item in sorted(before - after)] + [
        MeaningChange(kind, f"gained {item}") for item in sorted(after - before)
    ]


def _join_words(counted: Counter[str]) -> str:
    return ", ".join(sorted(counted))


# Words of contrast; "as" and "since" are causes or times.
_CONTRAST = re.compile(
    r"\b(?:although|though|despite|in spite of|regardless|irrespective|notwithstanding|nevertheless"
    r"|nonetheless|even (?:if|though|when))\b",
    re.IGNORECASE,
)
_WEAK_CONTRAST = re.compile(
    r"\b(?:but|however|yet|still|while|whilst|whereas|even|unlike|instead"
    r"|without|independent(?:ly)?|not|no)\b",
    re.IGNORECASE,
)


def contrast_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a word of contrast ("despite") that only the new sentence has, if the old one has none
    of a weaker kind ("but", "while").
    """
    found = []
    match = _CONTRAST.search(new.text)
    if match and not _CONTRAST.search(old.text) and not _contrasts(old, new):
        found.append(MeaningChange("opposite", f"gained {match[0].lower()}"))
    if not small_edit(old, new):
        for one, other in ((old, new), (new, old)):
            if (
                _DIFFERS.search(one.text)
                and not _RESEMBLES.search(one.text)
                and _RESEMBLES.search(other.text)
                and not _DIFFERS.search(other.text)
                and not any(denies(word) for word in (*one.lowers, *other.lowers))
            ):
                found.append(MeaningChange("opposite", "like and unlike"))
    return found


_BOTH = re.compile(
    r"\b(?:both|as well as|alike|and also|not only|along with|together with)\b", re.I
)
_BUT_NOT = re.compile(
    r"\b(?:(?:but|and) (?:not|no)|rather than|instead of|not (?:for|in|on|of|with|to|the))\b", re.I
)


def inclusion_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a change if one sentence names two things together ("both A and B") and the other
    one of the two without the other ("A but not B").
    """
    if any(
        _BOTH.search(one.text)
        and not _BUT_NOT.search(one.text)
        and _BUT_NOT.search(other.text)
        and not _BOTH.search(other.text)
        for one, other in ((old, new), (new, old))
    ):
        return [MeaningChange("quantity", "both and one without the other")]
    return []


def _contrasts(old: Words, new: Words) -> bool:
    """Whether the old sentence has a weak word of contrast; a negation is none where the new one
    has lost what states a cause or a condition.
    """
    match = _WEAK_CONTRAST.search(old.text)
    if match is None or _BUT.search(old.text):
        return match is not None
    return not (_REASON.search(old.text) and not _REASON.search(new.text))


_BUT = re.compile(
    r"\b(?:but|however|yet|still|while|whilst|whereas|unlike|instead)\b", re.IGNORECASE
)
_REASON = re.compile(
    r"\b(?:because|since|due to|owing to|thanks to|therefore|thus|hence|(?<!even )if|(?<!even )when"
    r"|unless|given that|without|so that|in order to)\b",
    re.IGNORECASE,
)
_DIFFERS = re.compile(
    r"\b(?:unlike|in contrast (?:to|with)|contrary to|as opposed to"
    r"|differ(?:s|ed|ent(?:ly)?)? from)\b",
    re.IGNORECASE,
)
_RESEMBLES = re.compile(
    r"(?:^|, )[Ll]ike (?!to\b)|\b(?:similar(?:ly)? to|resembl\w+|in line with|just like"
    r"|(?:is|are) like|the same (?:way )?as)\b"
)


_ORDINAL = re.compile(r"\b(?:first|second|third|fourth|last)\b(?!\s*,)", re.IGNORECASE)
_ORDER = re.compile(
    r"\b(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|last(?:ly)?|initial(?:ly)?|final(?:ly)?"
    r"|begin\w*|began|start\w*|then|next|later|before|prior|after\w*|follow\w*|subsequent\w*"
    r"|previous\w*|earl\w+|precede\w*|once|until|when|as soon|since|now|end\w*|further|pre-?\w+"
    r"|sequen\w+|success\w+|order|other|former|latter)\b",
    re.IGNORECASE,
)
_SEQUENCE = re.compile(
    r"\b(?:before|prior to|(?<!one )after|afterwards|subsequent(?:ly)?)\b(?! all\b)", re.IGNORECASE
)


def order_changes(old: Words, new: Words) -> list[MeaningChange]:
    """Return a word of order in time ("after", "second") that only one sentence has, if the other
    has no word of order at all.
    """
    found = []
    for these, those, verb in ((new, old, "gained"), (old, new, "lost")):
        match = _SEQUENCE.search(these.text) or _ORDINAL.search(these.text)
        if match and not _ORDER.search(those.text) and not _names_step(match, these, those):
            found.append(MeaningChange("opposite", f"{verb} {match[0].lower()}"))
        if _AHEAD.search(those.text) and not _PLAN.search(these.text) and _done(these, those):
            found.append(MeaningChange("opposite", "future and past"))
    return found


def _names_step(match: re.Match[str], these: Words, those: Words) -> bool:
    """Whether a free rewording says "after training" for "trained": the other sentence has the
    step.
    """
    if match[0].lower() != "after" or small_edit(these, those):
        return False
    step = next((word for word in these.content if word.start >= match.end()), None)
    return step is not None and any(related(step.family, word.family) for word in those.all)


_AHEAD = re.compile(
    r"\b(?:will|shall|plan(?:s|ned)? to|intend\w* to|hope(?:s|fully)?|in (?:the )?future)\b", re.I
)
_PLAN = re.compile(
    r"\b(?:will|shall|would|if|going to|plan\w*|hope\w*|may|future|next)\b", re.IGNORECASE
)
_PERFECT = re.compile(
    r"\b(?:have|has|had|was|were)\s+(?:\w+ly\s+)?(?:been\s+)?\w+(?:ed|en|wn|ne)\b", re.IGNORECASE
)


def _done(these: Words, those: Words) -> bool:
    return bool(_PERFECT.search(these.text)) and not _PERFECT.search(those.text)
