"""Compare the relations of two parses: who does what to whom, before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from revkit.dataclass import dataclass
from revkit.grammar import Parse, Token, parsed
from revkit.meaning.change import MeaningChange
from revkit.meaning.words import family

_SUBJECT = frozenset(("nsubj", "csubj"))
_OBJECT = frozenset(("dobj", "nsubjpass", "csubjpass", "attr", "oprd"))
_MODIFIER = frozenset(("compound", "amod", "nummod", "poss", "nmod", "appos", "advmod", "npadvmod"))
_TAKES = frozenset(("object", "to", "from", "over", "than"))  # parts that an agent can become
_CONTENT = frozenset(("NOUN", "PROPN", "NUM", "ADJ", "PRON", "VERB"))
_WH = frozenset(("which", "that", "who"))


@dataclass(frozen=True, slots=True)
class Relation:
    """A content word, its role, and the word that assigns the role, both as families.

    ``role`` is the same for active and passive: "subject" is who does it, "object" whom it is done
    to; further roles are a preposition ("with") and "modifier". Every part of an enumeration has
    the role of the first.
    """

    word: str
    role: str
    of: str


def relations(parse: Parse) -> frozenset[Relation]:
    """Return the relations between the content words of a parsed sentence.

    A noun that occurs more than once is named with its modifiers ("student network"). Beside the
    roles there is one relation for each pair of a subject and an object of one verb, whose role is
    the verb: two clauses with one verb may not exchange their objects.
    """
    names = _names(parse)
    found = set()
    acting: dict[int, list[str]] = {}
    acted: dict[int, list[str]] = {}
    for token in parse.tokens:
        if token.pos not in _CONTENT:
            continue
        for word, role, governor in _relation(parse, token):
            found.add(Relation(names[word.index], role, names[governor.index]))
            if role in ("subject", "object"):
                side = acting if role == "subject" else acted
                side.setdefault(governor.index, []).append(names[word.index])
    for verb, subjects in acting.items():
        for thing in acted.get(verb, ()):
            found |= {Relation(subject, names[verb], thing) for subject in subjects}
    return frozenset(found)


def _names(parse: Parse) -> list[str]:
    """Return the family of each token; for a repeated noun, with the families of its modifiers."""
    families = [family(token.lower) for token in parse.tokens]
    counted = Counter(families)
    return [
        " ".join(
            [
                *sorted(
                    families[m.index] for m in parse.having(token, "compound", "amod", "nummod")
                ),
                families[token.index],
            ]
        )
        if counted[families[token.index]] > 1 and token.pos in ("NOUN", "PROPN")
        else families[token.index]
        for token in parse.tokens
    ]


def _relation(parse: Parse, token: Token) -> Iterator[tuple[Token, str, Token]]:
    first = _first(parse, token)
    head = parse.tokens[first.head]
    if first.dep in _SUBJECT:
        yield from _of_verb(parse, token, "subject", head)
    elif first.dep in _OBJECT:
        yield from _of_verb(parse, token, "object", head)
    elif first.dep == "pobj":
        governor = parse.tokens[_first(parse, head).head]
        verb = _passive(parse, head, governor)
        yield token, "subject" if verb else head.lower, verb or governor
        for other in parse.having(verb, "xcomp", "advcl") if verb else ():
            if other.tag == "VB" and not parse.child(other, "nsubj", "nsubjpass"):
                yield token, "subject", other
    elif first.dep in _MODIFIER:
        yield token, "modifier", head
    elif first.dep == "acl" and token.tag in ("VBG", "VBN"):
        yield head, "subject" if token.tag == "VBG" else "object", token


def _passive(parse: Parse, by: Token, governor: Token) -> Token | None:
    """Return the passive verb whose agent a preposition brings: its own, or the verb above the
    noun on which "by" depends in the parse.
    """
    if by.dep == "agent":
        return governor
    if by.lower != "by" or governor.pos not in ("NOUN", "PROPN"):
        return None
    for _ in range(2):
        governor = parse.tokens[governor.head]
        if parse.child(governor, "auxpass"):
            return None if parse.child(governor, "agent") else governor
    return None


def _of_verb(
    parse: Parse, token: Token, role: str, verb: Token
) -> Iterator[tuple[Token, str, Token]]:
    """Return a relation to a verb; a relative pronoun represents the noun to which its clause
    belongs.
    """
    if token.lower in _WH and verb.dep == "relcl":
        token = parse.tokens[verb.head]
    adjective = parse.child(verb, "acomp") if role == "subject" else None
    yield token, role, adjective or verb
    for other in parse.having(verb, "xcomp", "advcl"):
        if role == "subject" and other.tag == "VB" and not parse.child(other, "nsubj", "nsubjpass"):
            for each in (other, *parse.having(other, "conj")):
                yield token, role, each
    for other in parse.having(verb, "conj"):
        if not parse.child(other, "nsubj", "nsubjpass") and role == "subject":
            yield token, "object" if parse.child(other, "auxpass") else role, other


def _first(parse: Parse, token: Token) -> Token:
    """Return the first part of the enumeration to which ``token`` belongs."""
    for _ in range(len(parse.tokens)):
        if token.dep != "conj":
            break
        token = parse.tokens[token.head]
    return token


def role_changes(old: str, new: str) -> list[MeaningChange]:
    """Return pairs of words that exchanged their roles: "A outperforms B" and "B outperforms A".

    Raises `RunError` where the parser is not installed.
    """
    before, after = (relations(parse) for parse in parsed([old, new]))
    lost, gained = before - after, after - before
    found = set()
    for one in lost:
        for other in lost:
            if (
                one.word < other.word
                and Relation(other.word, one.role, one.of) in gained
                and Relation(one.word, other.role, other.of) in gained
            ):
                found.add((one.word, other.word))
    return [MeaningChange("role", f"{one} and {other}") for one, other in sorted(found)] + [
        MeaningChange("role", f"{one} and {other}, with {verb}")
        for verb, one, other in sorted(_other_subjects(before, after))
    ]


def _other_subjects(
    before: frozenset[Relation], after: frozenset[Relation]
) -> Iterator[tuple[str, str, str]]:
    """Yield verbs with the noun that does it before and the one after, if each has exactly one and
    the other noun was another part of the verb ("the bot asks the users"), or both have one head
    ("the meta controller" and "the subtask controller").
    """
    known = {one.word for one in before} & {one.word for one in after}
    old, new = _subjects(before), _subjects(after)
    below: dict[str, set[str]] = {verb: set() for verb in old}
    for relation in before:
        if relation.role in _TAKES and relation.of in below:
            below[relation.of].add(relation.word)
    for verb in old.keys() & new.keys():
        if len(old[verb]) == len(new[verb]) == 1 and old[verb] != new[verb]:
            [one], [other] = old[verb], new[verb]
            head = one.split(" ")[-1]
            alike = head != one and other.endswith(f" {head}")
            if {one, other} <= known and (alike or other in below[verb]):
                yield verb, one, other


def _subjects(found: frozenset[Relation]) -> dict[str, set[str]]:
    subjects: dict[str, set[str]] = {}
    for relation in found:
        if relation.role == "subject":
            subjects.setdefault(relation.of, set()).add(relation.word)
    return subjects


def coordinated(parse: Parse) -> frozenset[tuple[str, str]]:
    """Return the pairs of families that are parts of one enumeration, or modify one, in both
    orders.
    """
    groups: dict[int, list[str]] = {}
    for token in parse.tokens:
        group = groups.setdefault(_first(parse, token).index, [])
        group.append(family(token.lower))
        group += [family(m.lower) for m in parse.having(token, "compound", "amod", "nmod")]
    return frozenset((one, other) for group in groups.values() for one in group for other in group)
