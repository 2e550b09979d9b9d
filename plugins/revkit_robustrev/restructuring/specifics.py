"""What is said of a noun: a participle, a quality or a phrase as a relative clause, and back."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.english import article_for, capitalise_as
from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.view import Restructuring, Swap, View

_BEHIND = ("VERB", "AUX", "ADP", "PUNCT", "CCONJ", "ADV", "SCONJ")
_QUALITIES = {
    "quality": "quality", "resolution": "resolution", "complexity": "complexity",
}  # fmt: skip
_BASES = {
    "attention": "attention", "graph": "graphs", "gradient": "gradients", "kernel": "kernels",
    "rule": "rules", "feature": "features", "sampling": "sampling", "similarity": "similarity",
    "pixel": "pixels", "word": "words", "character": "characters", "likelihood": "likelihood",
    "entropy": "entropy", "retrieval": "retrieval", "learning": "learning",
}  # fmt: skip
_WORLDLY = words("data datasets dataset images examples problems tasks text documents graphs")
_CONDUCTED = {
    "experiments": "the experiments that we conducted", "results": "the results that we obtained",
    "analysis": "the analysis that we carried out",
    "experiment": "the experiment that we conducted",
    "findings": "the findings that we report", "evaluation": "the evaluation that we carried out",
}  # fmt: skip


def specifics(view: View) -> Iterator[Restructuring]:
    """Every attribute or phrase of a noun that can be a clause, or the other way."""
    for token in view.tokens[1:-3]:
        yield from _done(view, token)
        yield from _on(view, token)
        yield from _with(view, token)
        yield from _that_has(view, token)
        yield from _quality(view, token)
        yield from _that_is(view, token)
        yield from _behind_noun(view, token)
        yield from _which_is(view, token)
    for token in view.tokens[:-3]:
        yield from _ours(view, token)


def _ends(view: View, noun: Token) -> bool:
    """Whether a noun phrase ends with ``noun``: nothing behind it belongs to it."""
    after = view.at(noun.index + 1)
    return (
        noun.pos == "NOUN"
        and after.pos in _BEHIND
        and after.text not in ("-", "(", "[", "'s", "’s", "/", ":", "–")
        and not view.parse.child(noun, "relcl", "acl", "conj", "appos", "cc", "prep")
    )


def _be(noun: Token) -> str:
    return "are" if noun.tag == "NNS" else "is"


_QUALITY = words(
    "relevant informative irrelevant redundant plausible realistic meaningful ambiguous coherent"
)
_FIELD = words(
    "language languages image images kernel kernels vector vectors matrix matrices coding network"
    " networks variable variables gradient gradients regression classifier reward rewards"
    " role roles"
)


def _done(view: View, token: Token) -> Iterator[Restructuring]:
    """ "the generated images" becomes "the images that are generated", "relevant features"
    "features that are relevant"."""
    noun, before = view.tokens[token.index + 1], view.tokens[token.index - 1]
    if token.dep != "amod" or token.head != noun.index or token.text != token.lower:
        return
    quality = token.lower in _QUALITY and token.pos == "ADJ" and noun.lower not in _FIELD
    if not quality or not _ends(view, noun) or noun.dep == "compound":
        return
    if view.parse.children[token.index] or noun.tag not in ("NN", "NNS"):
        return
    first, article = token, ""
    if before.lower in ("a", "an") and before.head == noun.index and noun.tag == "NN":
        article = article_for(noun.text)
        if not article:
            return
        first, article = before, f"{capitalise_as(article, before.text)} "
    elif before.lower != "the":
        bare = before.pos in ("VERB", "ADP", "AUX") and before.head != noun.index
        if noun.tag != "NNS" or not bare or before.lower in ("as", "such", "than", "like"):
            return
    elif quality and noun.tag == "NN":
        return
    after = view.at(noun.index + 1)
    if after.pos in ("ADP", "CCONJ") or (noun.tag == "NN" and after.text != "."):
        return
    yield Restructuring(
        f"attribute to clause: {token.lower}",
        (Swap(first.start, noun.end, f"{article}{noun.text} that {_be(noun)} {token.lower}"),),
    )


def _noun_phrase(view: View, preposition: Token) -> Token | None:
    """The noun that a preposition right behind its own noun governs."""
    noun = view.tokens[preposition.index - 1]
    thing = view.parse.child(preposition, "pobj")
    if preposition.dep != "prep" or preposition.head != noun.index or noun.pos != "NOUN":
        return None
    if thing is None or thing.pos not in ("NOUN", "PROPN") or view.parse.child(noun, "relcl"):
        return None
    return thing if noun.tag in ("NN", "NNS") else None


def _on(view: View, token: Token) -> Iterator[Restructuring]:
    """ "results on A" becomes "results that are obtained on A"."""
    noun = view.tokens[token.index - 1]
    done = {"experiments": "conducted"}.get(noun.lower)
    if token.lower != "on" or done is None or noun.dep == "dobj":
        return
    if _noun_phrase(view, token) is None or view.tokens[token.index - 2].lower == "our":
        return
    yield Restructuring(
        f"phrase to clause: {done} on", (Swap(token.start, token.start, f"that are {done} "),)
    )


_WHOLES = words(
    "network networks model models layer layers architecture architectures graph graphs node nodes"
    " dataset datasets task tasks environment environments problem problems matrix matrices vector"
    " vectors function functions distribution distributions system systems tree trees sequence"
    " sequences sentence sentences image images encoder decoder game games agent agents policy"
    " method methods algorithm algorithms module modules block blocks cell cells sample samples"
    " regions region space spaces variable variables setting settings domain domains batch batches"
    " units unit neuron neurons filter filters dimension"
)
_PARTS = words(
    "layer layers connection connections unit units parameter parameters weight weights node nodes"
    " edge edges reward rewards state states action actions dimension dimensions class classes"
    " component components head heads channel channels filter filters neuron neurons feature"
    " features label labels noise variance mean distribution distributions structure structures"
    " architecture memory size sizes depth width length property properties value values entry"
    " entries element elements example examples word words token tokens mode modes option options"
    " variable variables constraint constraints degree capacity complexity dynamics rank norm"
    " activations activation bias input inputs output outputs dependencies vocabulary density"
    " resolution length lengths support range"
)
_NO_WHOLE = words("same such different similar other")


def _with(view: View, token: Token) -> Iterator[Restructuring]:
    """ "networks with many layers" becomes "networks that have many layers"."""
    noun, part = view.tokens[token.index - 1], view.parse.child(token, "pobj")
    if token.lower != "with" or noun.lower not in _WHOLES or part is None:
        return
    if _noun_phrase(view, token) is None or part.lower not in _PARTS or noun.dep == "dobj":
        return
    above = view.tokens[view.tokens[noun.head].head] if noun.dep == "pobj" else None
    if above is not None and (above.pos == "VERB" or above.tag != noun.tag):
        return  # "trained on images with noise", "a set of images with noise": whose phrase it is
    if view.parse.child(noun, "conj", "cc", "relcl", "acl") or view.parse.child(token, "pcomp"):
        return
    if view.has_word(max(token.index - 6, 0), token.index, _NO_WHOLE):
        return
    span = view.parse.span(token)
    if span is None or span[1] - span[0] > 8 or "(" in view.written(*span):
        return
    bare = part.tag == "NN" and view.parse.child(part, "det", "amod", "nummod", "poss") is None
    if bare or view.at(part.index + 1).tag == "CD":
        return  # "an encoder with embedding size 256"
    has = "have" if noun.tag == "NNS" else "has"
    yield Restructuring("phrase to clause: with", (Swap(token.start, token.end, f"that {has}"),))


def _that_has(view: View, that: Token) -> Iterator[Restructuring]:
    """ "networks that have many layers" becomes "networks with many layers"."""
    noun, verb, after = (view.tokens[that.index + step] for step in (-1, 1, 2))
    if that.lower not in ("that", "which") or verb.lower not in ("has", "have"):
        return
    if noun.pos != "NOUN" or verb.dep != "relcl" or verb.head != noun.index:
        return
    if "xxx" in noun.lower or noun.lower in ("one", "ones"):
        return
    thing = view.parse.child(verb, "dobj")
    if thing is None or view.parse.child(verb, "conj", "neg", "xcomp", "aux", "advmod", "advcl"):
        return
    if view.first(thing) != after.index or after.pos not in ("DET", "ADJ", "NOUN", "NUM"):
        return
    if after.lower in ("no", "to") or thing.lower in _FIGURATIVE:
        return
    yield Restructuring("clause to phrase: with", (Swap(that.start, verb.end, "with"),))


_FIGURATIVE = words("effect effects impact influence access role ability potential advantage")


def _quality(view: View, token: Token) -> Iterator[Restructuring]:
    """ "high-quality images" becomes "images of high quality"; "attention-based models" "models
    based on attention"; "real-world data" "data from the real world"."""
    hyphen, second, noun = (view.tokens[token.index + step] for step in (1, 2, 3))
    if hyphen.text != "-" or noun.index + 1 >= len(view.tokens) or not _ends(view, noun):
        return
    if noun.dep == "compound" or noun.tag not in ("NN", "NNS") or token.text != token.lower:
        return
    if token.lower in ("high", "low") and second.lower in _QUALITIES:
        new = f"of {token.lower} {_QUALITIES[second.lower]}"
    elif second.lower == "based" and token.lower in _BASES:
        new = f"based on {_BASES[token.lower]}"
    elif token.lower == "real" and second.lower == "world" and noun.lower in _WORLDLY:
        new = "from the real world"
    else:
        return
    before = view.tokens[token.index - 1]
    first, article = token, ""
    if before.lower in ("a", "an"):
        article = article_for(noun.text)
        if not article:
            return
        first, article = before, f"{capitalise_as(article, before.text)} "
    elif (
        before.tag == "RB"
        or (before.pos in ("ADJ", "NOUN", "PROPN", "VERB") and before.head == noun.index)
        or before.text == "-"
        or (before.text == "," and noun.tag == "NN")
    ):
        return
    yield Restructuring(
        f"attribute to phrase: {token.lower}-{second.lower}",
        (Swap(first.start, noun.end, f"{article}{noun.text} {new}"),),
    )


def _ours(view: View, token: Token) -> Iterator[Restructuring]:
    """ "our experiments" becomes "the experiments that we conducted"."""
    noun = view.at(token.index + 1)
    new = _CONDUCTED.get(noun.lower)
    after = view.at(noun.index + 1)
    if token.lower != "our" or new is None or noun.dep not in ("nsubj", "pobj", "nsubjpass"):
        return
    if after.pos not in ("VERB", "AUX", "ADP", "PUNCT") or after.text in (
        "-",
        "(",
        "'s",
        "’s",
        "[",
    ):
        return
    if view.parse.child(noun, "conj", "relcl", "acl", "cc") or after.lower in ("of", "for", "from"):
        return
    if noun.dep == "pobj" and (after.text != "," or view.tokens[noun.head].lower != "in"):
        return
    done = new.rpartition(" ")[2][:6]
    if any(each.lower.startswith(done) for each in view.tokens[noun.index :]):
        return  # "the experiment that we conducted is conducted on"
    text = capitalise_as(new, token.text)
    yield Restructuring(
        f"attribute to clause: our {noun.lower}", (Swap(token.start, noun.end, text),)
    )


def _that_is(view: View, that: Token) -> Iterator[Restructuring]:
    """ "features that are relevant to A" becomes "features relevant to A"."""
    noun, be, quality, after = (view.tokens[that.index + step] for step in (-1, 1, 2, 3))
    if that.lower not in ("that", "which") or be.lower not in ("is", "are") or noun.pos != "NOUN":
        return
    if be.dep != "relcl" or be.head != noun.index or quality.dep != "acomp":
        return
    if quality.tag != "JJ" or after.lower not in ("to", "for", "in", "from", "with", "on", "of"):
        return
    if after.head != quality.index or after.dep != "prep" or view.parse.child(be, "conj", "neg"):
        return
    if view.parse.child(quality, "conj", "cc"):
        return
    yield Restructuring(
        "relative clause to attribute: that is", (Swap(that.start, quality.start, ""),)
    )


# Qualities that follow their noun with a phrase: "parameters specific to a task".
_POSTPOSED = words(
    "relevant similar related specific necessary suitable capable comparable responsible invariant"
    " robust proportional independent unique inherent equivalent orthogonal consistent equal"
    " available applicable essential identical common"
)


_SET_PHRASES = words("turn general practice particular fact principle part contrast addition")


def _behind_noun(view: View, quality: Token) -> Iterator[Restructuring]:
    """ "features relevant to A" becomes "features that are relevant to A"."""
    noun, after = view.tokens[quality.index - 1], view.tokens[quality.index + 1]
    if quality.tag != "JJ" or quality.lower not in _POSTPOSED or quality.head != noun.index:
        return
    if noun.tag not in ("NN", "NNS") or quality.dep not in ("amod", "acl", "relcl"):
        return
    if noun.lower in _SET_PHRASES or noun.dep in ("npadvmod", "compound", "nmod", "advmod"):
        return  # "which is in turn equivalent to"
    if after.head != quality.index or after.dep != "prep" or view.parse.child(quality, "conj"):
        return
    if view.parse.child(noun, "conj", "cc") or (noun.dep == "dobj" and after.lower == "for"):
        return
    above = view.tokens[view.tokens[noun.head].head] if noun.dep == "pobj" else noun
    if above.pos == "NOUN" and above.tag != noun.tag:
        return
    yield Restructuring(
        "attribute to clause: behind its noun",
        (Swap(quality.start, quality.start, f"that {_be(noun)} "),),
    )


def _which_is(view: View, which: Token) -> Iterator[Restructuring]:
    """ ", which is a measure of A" becomes ", a measure of A"."""
    comma, be, article = (view.tokens[which.index + step] for step in (-1, 1, 2))
    if which.lower != "which" or comma.text != "," or be.lower not in ("is", "are"):
        return
    thing = view.parse.child(be, "attr")
    if be.dep != "relcl" or thing is None or article.lower not in ("a", "an", "the"):
        return
    if view.parse.child(be, "conj", "neg", "advmod", "advcl") or view.first(thing) != article.index:
        return
    if view.tokens[comma.index - 1].pos not in ("NOUN", "PROPN", "PUNCT"):
        return
    span = view.parse.span(be)
    if span is None or span[1] != view.stop or "," in view.text[which.end :]:
        return
    if any(token.text == "," for token in view.tokens[: comma.index]):
        return  # the apposition could be taken for a part of a list
    yield Restructuring("link: which is to apposition", (Swap(which.start, article.start, ""),))
