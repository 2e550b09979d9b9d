"""Active and passive: the object of what "we" do becomes the subject, or an agent the doer."""

from __future__ import annotations

from collections.abc import Iterator

from revkit.english import capitalise
from revkit.grammar import Token
from revkit_robustrev.guards import words
from revkit_robustrev.restructuring.inflection import finite_form, participle
from revkit_robustrev.restructuring.view import PRONOUNS, Restructuring, Swap, View

# What "we" do and what can be reported without saying who did it.
_IMPERSONAL = words(
    "train evaluate use compute report apply test perform conduct compare select add collect"
    " measure sample define denote initialize initialise split remove repeat fix choose adopt"
    " employ generate construct implement extract present propose introduce describe discuss"
    " provide study analyze analyse investigate examine explore obtain derive prove normalize"
    " normalise optimize optimise update develop build design calculate estimate summarize"
    " summarise visualize visualise plot list outline review formulate create assess validate"
    " verify simulate utilize utilise combine establish demonstrate illustrate highlight address"
    " consider show set approximate augment pick keep exclude specify extend partition decompose"
    " assign recover convert downsample replace leverage sort reduce solve learn include treat feed"
    " freeze tune concatenate stack average minimize maximize exploit modify adjust increase encode"
    " embed crop resize rescale filter discard drop omit vary scale preprocess pretrain insert"
    " integrate incorporate inject prune quantize label annotate cluster rank crawl gather record"
    " monitor track plug transform aggregate pool mask shuffle perturb regularize parameterize"
    " approximate characterize quantify investigate revisit adapt rewrite reformulate relax"
)
_AGENTIVE = words(
    "outperform affect influence motivate confirm support inspire dominate guide accompany"
    " complement produce generate compute process predict encode capture improve reduce determine"
    " control describe represent require achieve minimize maximize select update enhance exploit"
    " address solve avoid ensure facilitate employ define extend validate verify introduce"
    " estimate limit replace preserve model simplify increase decrease use learn map provide"
    " combine apply measure perform train optimize leverage adopt approximate express receive store"
    " integrate incorporate satisfy parameterize transform construct evaluate maintain eliminate"
    " remove regularize alleviate mitigate handle tackle govern"
)
# Quantities whose scope may change with the voice.
_FREE = words("all each every any no some most many few only both either neither which what")
_OF_NOUN = words("over under between among of about against within")
# What may follow the verb at the front of a phrase that says where, when or how it was done.
_HOW = words("in on at by during through via across before after using when while because")
_WHERE = words("above below")
# Verbs that have their phrase with them: "the rate is set to 0.1", "the model is trained with".
_WITH_THEM = {
    "to": words("set add apply extend fix compare reduce change convert increase map feed"),
    "as": words("use define denote treat choose employ consider regard adopt select"),
    "with": words("train initialize replace compare combine augment optimize pretrain"),
    "from": words("sample obtain collect extract draw compute take remove recover estimate learn"),
    "for": words("use train report repeat run compute choose select perform"),
}
_NAMING = ("NOUN", "PROPN", "SYM", "X", "NUM", "ADJ")
_PLACES = words("appendix section sections table tables figure figures fig fig. tab tab. sec sec.")
_ADVERBS = words("also then first further now thus therefore hence next finally additionally")


def passives(view: View) -> Iterator[Restructuring]:
    """ "We train the model on X" becomes "The model is trained on X"."""
    root, subject = view.root, view.subject
    if root is None or subject is None:
        return
    helping = _helping(view, root)
    if helping is None:
        return
    thing = view.parse.child(root, "dobj")
    span = _phrase(view, thing) if thing is not None else None
    own = view.parse.span(subject)
    if thing is None or span is None or own is None or view.parse.child(root, "neg"):
        return
    if view.at(root.index + 1).lower == "as":
        return  # "we consider as safe a model": the quality comes before the object
    second = _second(view, root)
    if second is None or (not second and view.lacks_subject(root)):
        return  # "is tested on A and achieve B": a verb that the parse joins elsewhere
    if own[0] > 0 and view.tokens[own[0] - 1].text != "," and not _after_phrase(view, root, own[0]):
        return
    if view.parse.child(root, "ccomp", "dative", "prt", "oprd", "expl", "parataxis"):
        return
    if view.parse.child(root, "xcomp") and root.lemma not in ("use", "employ", "apply"):
        return
    impersonal = subject.lower == "we" and root.lemma in _IMPERSONAL
    agentive = root.lemma in _AGENTIVE and subject.pos in ("NOUN", "PROPN")
    if not (impersonal or agentive) or not _plain(view, thing, span):
        return
    after = view.tokens[span[1]] if span[1] < len(view.tokens) else None
    if after is not None and after.pos == "ADP" and (agentive or _belongs_to_name(root, after)):
        return  # "A is represented by B for C": whose phrase it is would be lost
    phrase = after is not None and (after.pos == "ADP" or after.lower == "to")
    if after is not None and phrase and after.lower not in _HOW and not _chosen(root, after):
        return  # "the model is used with size 10": the phrase may belong to the noun
    if view.tokens[span[0]].text[:1].isdigit() or view.has_word(span[1], len(view.tokens), _WHERE):
        return
    if after is not None and (after.lower in _OF_NOUN or after.pos in _NAMING):
        return  # "sample a state θ from", "use a distribution over X": a part would stay behind
    follows = view.at(span[1] + 1)
    if after is not None and after.lower == "and" and follows.pos in _NAMING and not second:
        return  # "A are selected and B": the parse ends the list too early
    if "xxx" in thing.lower and view.parse.child(thing, "det"):
        return  # "a $75\%$ masking ratio": the formula is a part of the name
    if thing.text[-1:].isdigit():
        return  # "ResNet-50 are chosen": the number of the verb is in doubt
    if root.lemma == "build" and view.parse.child(thing, "acl"):
        return  # "the analysis based on A is built"
    if any(
        below.index >= span[1] and (below.dep == "ccomp" or below.tag != "VB")
        for below in view.parse.having(thing, "acl", "ccomp")
    ):
        return  # "the hypothesis was studied that"
    if root.lemma == "set" and (after is None or after.lower != "to"):
        return  # "a bit of notation is set"
    if view.has_word(*span, _PLACES):
        return  # "more details in Appendix A are given"
    if agentive and (second or view.parse.child(root, "conj") or view.has_word(*span, _OURS)):
        return
    if own[1] > root.index or span[0] != root.index + 1 or own[0] > 8:
        return
    if view.has_word(0, root.index, _ASKING) or view.tokens[span[1] - 1].pos == "PUNCT":
        return
    if _list_left(view, thing, span[1]):
        return
    adverbs = [token.lower for token in view.tokens[own[1] : root.index] if token.lower != helping]
    if not set(adverbs) <= _ADVERBS or (agentive and (adverbs or own[1] - own[0] > 7)):
        return
    if view.parse.child(thing, "conj") is not None and view.parse.child(thing, "prep") is not None:
        return  # "a test of A and B": whether one or two things are meant is in doubt
    if agentive and view.parse.child(thing, "relcl") is not None:
        return  # "methods are outperformed by the model that rely on"
    if agentive and (
        view.parse.child(root, "advcl", "xcomp")
        or view.below(subject, ("relcl", "acl", "appos", "conj"), root.index)
        or view.has_word(*own, _FREE)
        or view.has_word(*span, _FREE)
        or span[1] - span[0] > 8
    ):
        return
    done = participle(root.lemma)
    if done is None:
        return
    counted = view.parse.child(thing, "nummod")
    counted = counted if counted is not None and counted.index < thing.index else None
    plural = view.plural(thing) or (counted is not None and counted.lower not in ("one", "1"))
    start = own[0]
    if not helping:
        parts = ["", _be(plural, root.tag == "VBD"), *adverbs, done]
    elif helping in ("have", "has"):
        parts = ["", "have" if plural else "has", *adverbs, "been", done]
    else:
        parts = ["", helping, *adverbs, "be", done]
    if agentive:
        parts += ["by", view.lowered(*own)]
    opening = view.lowered(span[0], span[0] + 1)
    end = view.tokens[span[1] - 1].end
    yield Restructuring(
        f"active to passive: {root.lemma}",
        (
            Swap(
                view.tokens[start].start,
                view.tokens[span[0]].end,
                capitalise(opening) if start == 0 else opening,
            ),
            Swap(end, end, " ".join(parts)),
            *second,
        ),
    )


def _chosen(root: Token, after: Token) -> bool:
    """Whether a preposition behind the object is one that the verb has."""
    purpose = after.lower == "to" and after.dep == "aux"
    return purpose or (
        after.head == root.index and root.lemma in _WITH_THEM.get(after.lower, frozenset())
    )


def _belongs_to_name(root: Token, after: Token) -> bool:
    """Whether the phrase behind an object is a part of its name: "use Area under the curve"."""
    return after.lower == "under" or (after.lower == "with" and root.lemma in _MAKING)


def _list_left(view: View, thing: Token, end: int) -> bool:
    """Whether a list begins in the phrase that stays behind: "A for B, C and D" may be three
    things."""
    return any(
        token.dep == "conj" and token.index >= end and view.parse.child(token, "conj") is not None
        for below in view.parse.having(thing, "prep")
        for token in view.parse.subtree(below)
    )


def _after_phrase(view: View, root: Token, at: int) -> bool:
    """Whether a phrase of the verb opens the sentence and ends at ``at``, without a comma."""
    return any(
        below.dep == "prep" and view.parse.span(below) == (0, at)
        for below in view.parse.children[root.index]
    )


def _second(view: View, root: Token) -> tuple[Swap, ...] | None:
    """What a second verb of the same subject needs when the first turns passive: its own "we"; None
    where it cannot have one."""
    verb = view.parse.child(root, "conj")
    if verb is None:
        return ()
    if view.parse.child(verb, "conj") or verb.pos not in ("VERB", "AUX"):
        return None
    if view.parse.child(verb, "nsubj", "nsubjpass"):
        return ()
    joint = view.parse.child(root, "cc")
    if joint is None or joint.lower not in ("and", "but") or verb.tag not in ("VBP", "VBD"):
        return None
    if not joint.index < verb.index <= joint.index + 2 or view.parse.child(verb, "aux", "auxpass"):
        return None
    before = view.tokens[joint.index - 1]
    comma = "" if before.text == "," else ","
    return (Swap(before.end, joint.end, f"{comma} {joint.text} we"),)


_OURS = words("we our ourselves")
_ASKING = words("how what why whether which who")
_HELPING = words("can will could must may have has")


def _helping(view: View, root: Token) -> str | None:
    """The auxiliary of an active verb whose voice may change: "" without one, None if none may."""
    helping = view.parse.having(root, "aux")
    if not helping:
        return "" if root.tag in ("VBP", "VBD", "VBZ") else None
    if len(helping) > 1 or helping[0].lower not in _HELPING:
        return None
    perfect = helping[0].lower in ("have", "has")
    return helping[0].lower if root.tag == ("VBN" if perfect else "VB") else None


_PRESENTING = words(
    "present provide show visualize visualise report list describe discuss summarize summarise"
    " illustrate give plot"
)
# What is made or described has its phrase with it: "a model with two heads".
_MAKING = words(
    "describe present introduce propose develop design provide discuss consider review construct"
    " build create formulate define derive"
)
# What is done to a thing for a purpose: "a method is described to measure A" is something else.
_SERVING = words(
    "propose introduce develop use employ apply adopt design construct build conduct perform derive"
    " formulate create utilize"
)
_EXHIBITS = words("section sec sec. appendix table figure fig fig. chapter")
_COMPARED = words("similar same different such more less further equal identical other better")


def _phrase(view: View, thing: Token) -> tuple[int, int] | None:
    """The object without a phrase at its end that says where or what for: that stays behind the
    verb. None where the phrase cannot be parted, or what follows could be taken for the doer."""
    span = view.parse.span(thing)
    if span is None:
        return None
    end = span[1]
    exhibits = view.tokens[thing.head].lemma in _PRESENTING
    for below in view.parse.having(thing, "prep"):
        if below.index < thing.index or below.lower == "of":
            continue
        place = view.exhibit(min(below.index + 1, len(view.tokens) - 1)) in _EXHIBITS
        shown = below.lower == "in" and (exhibits or place)
        made = view.tokens[thing.head].lemma in _MAKING and not shown
        if made or thing.pos == "PROPN" or (below.lower in ("in", "on", "about") and not shown):
            continue  # it is part of a name, says which of them, or what they are about
        end = min(end, below.index)
    for clause in view.parse.having(thing, "relcl"):
        first = view.first(clause)
        if view.parse.child(thing, "conj") is not None:
            return None
        if view.tokens[first].lower == "that" and first > thing.index and end == span[1]:
            end = first  # "An analysis is given that explains ..."
    for clause in view.parse.having(thing, "acl", "relcl"):
        first = view.first(clause)
        purpose = clause.tag == "VB" and view.tokens[first].lower == "to" and first < clause.index
        purpose = purpose and view.tokens[thing.head].lemma in _SERVING
        if (
            purpose
            and first > thing.index
            and end == span[1]
            and not view.parse.child(thing, "conj")
        ):
            end = first  # "A criterion is proposed to measure ..."
    if view.tokens[end - 1].lower in ("below", "above"):
        end -= 1
    if view.written(span[0], end).count("(") != view.written(span[0], end).count(")"):
        return None
    if end < span[1] and view.has_word(span[0], end, _COMPARED):
        return None
    if end < len(view.tokens) and view.tokens[end].lower in ("by", "to", "than", "and", "or"):
        after = view.tokens[end]
        goal = after.lower == "to" and (after.dep == "aux" or after.head == thing.head)
        joined = after.lower == "and" and after.head == thing.head
        serves = after.dep == "aux" and after.lower == "to" and end < span[1]
        return (span[0], end) if goal or joined or serves else None
    return span[0], end


def _plain(view: View, thing: Token, span: tuple[int, int]) -> bool:
    """Whether an object can open its clause: short, no pronoun, without a clause below it."""
    if span[1] - span[0] > 12 or thing.pos not in ("NOUN", "PROPN"):
        return False
    if view.has_word(*span, PRONOUNS | words("we ourselves which or")):
        return False
    joints = [token for token in view.tokens[span[0] : span[1]] if token.lower == "and"]
    if joints and (len(joints) > 1 or joints[0].head != thing.index):
        return False
    first = view.tokens[span[0]].text
    if not first[:1].isascii() or (len(first) == 1 and first not in "aA"):
        return False
    following = view.tokens[span[1]] if span[1] < len(view.tokens) else None
    if following is not None and (
        (following.text == "," and not joined_after(view, span[1]))
        or following.pos not in ("ADP", "PUNCT", "SCONJ", "PART", "VERB", "ADV", "CCONJ", "PRON")
        or view.has_word(span[1], len(view.tokens), words("then compared"))
    ):
        return False
    after = view.tokens[span[1]] if span[1] < len(view.tokens) else None
    if after is not None and after.text in ("(", ":", "-", "—", "["):
        return False
    if after is not None and after.tag in ("IN", "TO") and after.dep == "mark":
        return False
    if view.below(thing, ("relcl", "advcl", "ccomp", "appos"), span[1]):
        return False
    return not view.below(thing, ("acl",), span[1]) or _based(view, thing, span)


def _based(view: View, thing: Token, span: tuple[int, int]) -> bool:
    """Whether the only clause below a short object is a participle: "a method based on trees"."""
    clause = view.parse.child(thing, "acl")
    return (
        clause is not None
        and clause.tag == "VBN"
        and clause.index == thing.index + 1
        and span[1] - span[0] <= 9
        and not view.below(clause, ("acl", "conj"), span[1])
        and view.at(span[1]).text in (".", ",")
    )


def joined_after(view: View, at: int) -> bool:
    """Whether ", and" and a clause follow at ``at``."""
    return at + 2 < len(view.tokens) and view.tokens[at + 1].lower in ("and", "but")


def _be(plural: bool, past: bool) -> str:
    return ("were" if plural else "was") if past else ("are" if plural else "is")


def actives(view: View) -> Iterator[Restructuring]:
    """ "Y is influenced by X" becomes "X influences Y"; "Y can be computed" becomes "one can
    compute Y"."""
    root, subject = view.root, view.subject
    if root is None or subject is None or root.tag != "VBN" or not view.opens_with_subject:
        return
    if view.parse.child(root, "conj", "ccomp", "xcomp", "neg", "oprd", "advcl"):
        return
    own = view.parse.span(subject)
    if own is None or own[1] > 9 or subject.pos not in ("NOUN", "PROPN"):
        return
    if view.has_word(*own, PRONOUNS) or view.below(subject, ("relcl", "acl"), own[1]):
        return
    between = [token.lower for token in view.tokens[own[1] : root.index]]
    agent = view.parse.child(root, "agent")
    if agent is None and between == ["can", "be"] and view.tokens[root.index + 1].lower != "to":
        if root.lemma in _IMPERSONAL:
            text = f"One can {root.lemma} {view.lowered(*own)}"
            yield Restructuring(
                f"passive to active: {root.lemma}",
                (Swap(0, view.tokens[root.index].end, text),),
            )
    elif agent is not None and len(between) == 1 and between[0] in ("is", "are", "was", "were"):
        yield from _doer(view, root, agent, own, between[0])


def _doer(
    view: View, root: Token, agent: Token, own: tuple[int, int], be: str
) -> Iterator[Restructuring]:
    doer, span = view.parse.child(agent, "pobj"), view.parse.span(agent)
    if doer is None or span is None or agent.index != root.index + 1 or span[1] - span[0] > 9:
        return
    determined = view.parse.child(doer, "det", "poss") is not None or doer.tag == "NNS"
    if doer.pos != "NOUN" or not determined or view.has_word(*span, PRONOUNS):
        return
    if view.below(agent, ("relcl", "acl", "advcl", "appos"), span[1]):
        return
    if root.lemma not in _AGENTIVE | words("determine produce drive control cause govern train"):
        return
    verb = finite_form(root.lemma, view.plural(doer), be in ("was", "were"))
    if verb is None:
        return
    text = f"{capitalise(view.written(span[0] + 1, span[1]))} {verb} {view.lowered(*own)}"
    yield Restructuring(
        f"passive to active: {root.lemma}", (Swap(0, view.tokens[span[1] - 1].end, text),)
    )


# What authors do in their study, whoever does it in a general description.
_STUDIED = words(
    "train evaluate initialize initialise optimize optimise implement tune pretrain split normalize"
    " normalise preprocess collect repeat measure compute report perform conduct apply add use"
    " employ choose select set fix generate extract remove replace compare test run crop resize"
    " augment average divide partition concatenate sample estimate calculate define construct"
    " create build obtain present describe discuss show list plot summarize visualize provide adopt"
    " introduce propose analyze analyse investigate examine study consider derive prove"
    " approximate utilize include exclude filter scale adjust modify combine reduce decay multiply"
    " increase decrease halve vary monitor record label annotate group stop tokenize mask encode"
    " embed quantize prune freeze convert resample downsample shuffle update"
)
_OPENED = 14  # tokens before the subject


def done_by_us(view: View) -> Iterator[Restructuring]:
    """ "The network is trained for 50 epochs" becomes "We train the network for 50 epochs", where
    the text around it says "we"."""
    root, subject = view.root, view.subject
    if root is None or subject is None or not view.ours or root.tag != "VBN":
        return
    if subject.dep != "nsubjpass" or root.lemma not in _STUDIED:
        return
    if view.parse.child(root, "conj", "cc", "ccomp", "neg", "agent", "oprd", "parataxis", "prt"):
        return
    own = view.parse.span(subject)
    if own is None or own[1] - own[0] > 10 or subject.pos not in ("NOUN", "PROPN"):
        return
    if own[0] > 0 and (view.tokens[own[0] - 1].text != "," or own[0] > _OPENED):
        return
    if view.has_word(*own, PRONOUNS | _FREE) or view.lacks_subject(root):
        return
    if view.below(subject, ("relcl", "acl", "appos", "advcl"), own[1]):
        return
    between = [token.lower for token in view.tokens[own[1] : root.index]]
    adverbs = [word for word in between if word not in ("is", "are", "was", "were")]
    if len(between) - len(adverbs) != 1 or between[0] in adverbs or len(adverbs) > 1:
        return
    if not all(word in _ADVERBS or word.endswith("ly") for word in adverbs):
        return
    if view.has_word(0, root.index, _HABITS):
        return  # "such methods are widely used": not by us
    after = view.at(root.index + 1)
    if root.lemma in ("build", "construct") and after.lower in ("on", "upon", "from"):
        return  # "such models are built on a principle"
    if after.lower in ("by", "and", "or", "up", "out", "that") or after.text in ("-", ":"):
        return
    if view.has_word(0, len(view.tokens), _OURS) or view.has_word(root.index, view.stop, _ITS):
        return
    does = finite_form(root.lemma, True, between[0] in ("was", "were"))
    if does is None:
        return
    text = " ".join(["we", *adverbs, does, view.lowered(*own)])
    yield Restructuring(
        f"passive to active: {root.lemma}",
        (Swap(view.tokens[own[0]].start, root.end, capitalise(text) if own[0] == 0 else text),),
    )


_HABITS = words(
    "widely usually often commonly typically generally normally frequently traditionally mostly"
    " recently previously originally historically popularly"
)
_ITS = words("it its itself they them their themselves")
