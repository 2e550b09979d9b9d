"""`ParsedPlace`: a hedge within the dependency parse of its sentence."""

from __future__ import annotations

from functools import cached_property

from revkit.dataclass import dataclass
from revkit.grammar import Parse, Token
from revkit_robustrev.guards import words
from revkit_robustrev.hedge_place import HedgePlace
from revkit_robustrev.subjects import Number, looks_like_verb, noun_number, subject_number

SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass")
_PLURAL_PRONOUNS = words("they these those we both many several few")
_SINGULAR_PRONOUNS = words("it this that one each another everything something")
# These introduce what is asked, supposed, wished or only named as a case.
_SUPPOSING = words("if whether unless lest until provided")
_ASKING = words("how why what when whenever where wherever whether who whom whose")
_WISHING = words(
    "hope wonder ask suppose assume imagine fear worry wish question consider check test doubt"
    " investigate examine explore ensure avoid"
)
_OPEN_NOUNS = words(
    "question hope concern fear risk possibility assumption chance probability likelihood worry"
)


@dataclass(frozen=True)
class ParsedPlace:
    """A hedge and the parse of its sentence, whose offsets count from the sentence's start."""

    place: HedgePlace
    parse: Parse

    @cached_property
    def token(self) -> Token | None:
        """The first token of the hedge; None where the parser divides the words otherwise."""
        at = self.place.start - self.place.low
        return next((token for token in self.parse.tokens if token.start == at), None)

    @cached_property
    def following(self) -> Token | None:
        """The token behind the hedge."""
        at = self.place.end - self.place.low
        return next((token for token in self.parse.tokens if token.start >= at), None)

    def after(self, token: Token) -> Token | None:
        """The token behind ``token``."""
        index = token.index + 1
        return self.parse.tokens[index] if index < len(self.parse.tokens) else None

    def before(self, token: Token) -> Token | None:
        """The token in front of ``token``."""
        return self.parse.tokens[token.index - 1] if token.index else None

    def end(self, token: Token) -> int:
        """Where ``token`` ends in the text of the paper."""
        return self.place.low + token.end

    def written(self, first: int, last: int) -> str:
        """The words from the end of token ``first`` to the start of token ``last``."""
        tokens = self.parse.tokens
        start, end = self.place.low + tokens[first].end, self.place.low + tokens[last].start
        return self.place.text[start:end]

    def subject(self, verb: Token) -> Token | None:
        """The subject of ``verb``, or of the verb that it is joined to; an expletive counts."""
        found = self.parse.child(verb, *SUBJECTS, "expl")
        if found is None and verb.dep == "conj":
            head = self.parse.tokens[verb.head]
            return self.subject(head) if head.pos in ("VERB", "AUX") else None
        return found

    def governors(self, verb: Token) -> list[Token]:
        """The tokens on which ``verb`` depends, the nearest first."""
        found: list[Token] = []
        current = verb
        while current.head != current.index and len(found) < 30:
            current = self.parse.tokens[current.head]
            found.append(current)
        return found

    def supposed(self, verb: Token, *, asked_too: bool = True) -> bool:
        """Whether ``verb`` is within a condition, a wish or a purpose, or a question or a place
        (``asked_too``)."""
        for token in (verb, *self.governors(verb)):
            if token.pos not in ("VERB", "AUX"):
                if token.lower in _OPEN_NOUNS and token.index < verb.index:
                    return True
                continue
            if token is not verb and token.index < verb.index and token.lemma in _WISHING:
                return True
            for child in self.parse.children[token.index]:
                if child.dep in SUBJECTS and child.lower in _OPEN_NOUNS and token is not verb:
                    return True  # "our hope is that it may help"
                if child.index > token.index or child.index > verb.index:
                    continue
                if child.dep == "mark" and child.lower in _SUPPOSING:
                    return True
                asked = child.lower in _ASKING and child.tag in ("WRB", "WP", "WDT", "WP$")
                if asked and asked_too and token.dep != "relcl":
                    return True
                if child.dep == "mark" and self._of_purpose(child):
                    return True
        return False

    def _of_purpose(self, mark: Token) -> bool:
        """Whether "so", "such" or "in order" is before "that"."""
        before = self.before(mark)
        return mark.lower in ("so", "that") and (
            before is not None and before.lower in ("so", "such", "order")
        )

    def number(self, verb: Token) -> Number:
        """The number of the subject of ``verb``; "" where parse and words do not agree."""
        subject = self.subject(verb)
        if subject is None or subject.index > verb.index:
            return ""
        if verb.dep == "relcl" and subject.tag == "NNS" and looks_like_verb(subject.lower):
            # "the masks that the layer learns may": the parser takes the verb for a noun
            whole = self._number_of(self.parse.tokens[verb.head])
            return whole if whole == "plural" else ""
        found = self._number_of(subject)
        by_words = subject_number(self.place.text, self.place.low, self.place.start)
        if by_words and found and by_words != found:
            return ""
        return found

    def _number_of(self, noun: Token) -> Number:
        if noun.dep in ("csubj", "csubjpass"):
            return "singular"
        if noun.lower in ("which", "that", "who") and noun.tag in ("WDT", "WP"):
            head = self.governing_noun(noun)
            return "" if head is None else self._number_of(head)
        joined = self.parse.child(noun, "conj")
        if joined is not None:
            links = [cc.lower for cc in self.parse.having(noun, "cc")]
            both = self._number_of(joined)
            if links == ["and"] and noun.tag.startswith("NN") and joined.tag.startswith("NN"):
                return "plural"
            return both if both == self._single(noun) else ""
        return self._single(noun)

    def _single(self, noun: Token) -> Number:
        lower = noun.lower
        if lower in _PLURAL_PRONOUNS:
            return "plural"
        if lower in _SINGULAR_PRONOUNS or noun.tag == "VBG":
            return "singular"
        if noun.tag not in ("NN", "NNS", "NNP", "NNPS"):
            return ""
        if any(child.lower == "of" for child in self.parse.having(noun, "prep")) and (
            lower in ("number", "majority", "range", "variety", "series", "set", "lot", "couple")
        ):
            return ""
        tagged: Number = "plural" if noun.tag in ("NNS", "NNPS") else "singular"
        # the word as it is written, for the parse may have a mask in its place
        word = self.place.text[self.place.low + noun.start : self.place.low + noun.end]
        written = noun_number(word)
        return tagged if tagged == written else ""

    def governing_noun(self, relative: Token) -> Token | None:
        """The noun to which a relative pronoun refers."""
        verb = self.parse.tokens[relative.head]
        while verb.dep in ("conj", "ccomp", "xcomp") and verb.head != verb.index:
            verb = self.parse.tokens[verb.head]
        if verb.dep != "relcl":
            return None
        noun = self.parse.tokens[verb.head]
        return noun if noun.tag.startswith("NN") else None

    def one_reading(self, relative: Token) -> bool:
        """Whether a relative pronoun has one number, whichever of the words before it is meant."""
        noun, before = self.governing_noun(relative), self.before(relative)
        if noun is None or before is None:
            return False
        comma = before.text == ","
        if noun.index < relative.index - 1 - comma or before.text == "(":
            return False
        plural = noun.tag in ("NNS", "NNPS")
        if comma and plural:
            return False  # the clause before ", which" would be singular
        for head in self.governors(noun):
            if head.pos not in ("NOUN", "PROPN", "ADP") and head.dep != "acl":
                break
            if head.pos in ("NOUN", "PROPN") and (head.tag in ("NNS", "NNPS")) != plural:
                return False
        return True

    def shared(self, verb: Token) -> bool:
        """Whether another base verb or participle hangs on the auxiliary of ``verb``."""
        return any(
            self.parse.child(other, "aux", *SUBJECTS) is None
            and other.tag in ("VB", "VBN", "VBP", "VBG", "NN", "JJ")
            and (other.tag in ("VB", "VBP") or verb.tag == other.tag)
            for other in self.parse.having(verb, "conj")
            if other.index > verb.index
        )
