"""Lengthening: write sentences that elaborate the text before them, and choose their places.

An elaboration is put together from three parts of ``elaborations.tsv``: a lead ("To fix ideas,"), a
scene ("picture {} in the simplest setting", where {} is a noun phrase of the sentence before), and
perhaps a close (", before returning to the general wording"). All parts of one kind fit all of the
next, and none of them says anything about the paper's subject.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from revkit.dataclass import dataclass
from revkit.english import capitalise
from revkit.model import Edit, Paper, Rejection
from revkit.model.structure import Sentence
from revkit_robustrev.elaboration import is_plain
from revkit_robustrev.length_compress import Aim
from revkit_robustrev.sentence_shape import is_formal, is_whole, leans, runs_on

_TABLE = Path(__file__).parent / "elaborations.tsv"
_PHRASE = re.compile(
    r"\b(?:the|a|an) (?P<words>(?:[a-z]+(?:-[a-z]+)? ){1,2}[a-z]{4,})(?=[,;.]| (?:of|in|for|to|is"
    r"|are|was|were|can|and|or|with|by|on|that|which|from|at|as|will|has|have|had|must|should"
    r"|during|between|over|under|into|through|using|when|where|while|does|do|then|we|given|via"
    r"|without|because|so|if|but)\b)"
)
_NO_PHRASE = re.compile(
    r"\b(?:same|other|former|latter|following|above|below|next|previous|first|second|third|last"
    r"|best|most|more|less|least|fact|case|cases|number|way|ways|lot|set|kind|type|sort|part"
    r"|variety|order|sense|amount|purpose|need|use|result|results|paper|authors|section|rest|end"
    r"|point|goal|aim|idea|reason|of|in|for|to|and|or|is|are|was|were|be|been|that|which|with|by"
    r"|on|at|as|it|its|their|our|we|not|only|very|also|both|such|this|these|those|than|from|can"
    r"|may|will|has|have|over|only|rather|quite|existing|proposed|new|novel|better|worse|higher"
    r"|lower|given|resulting|recent|few|many|large|small|larger|smaller|main|key|important"
    r"|significant|good|bad|poor|strong|weak|superior|optimal|corresponding|entire|whole|current"
    r"|different|similar|certain|general|particular|specific|brought|hard|harder|easy|easier|much"
    r"|greater|made|built|taken|known|shown|seen|held|left|found|kept|chosen|major|minor|likely"
    r"|able|available|necessary|possible|true|false|right|wrong|well|long|short|high|low|full"
    r"|total|overall|great|common|popular|simple|complex|natural|typical|usual|outside|inside"
    r"|without|within|along|instead|together|apart|back|away|around|across|against|among|towards?"
    r"|upon|per|like|where|above-mentioned|so-called|aforementioned|an?|the|one|two|three|hand"
    r"|(?:needs|uses|show|require|allow|provide|make|take|give|help|work|perform|achieve|learn"
    r"|consist|contain|include|depend|lead|become|remain|seem|appear|tend|describe|suggest"
    r"|indicate|consider|capture|produce|generate|return|predict|compute|say|mean|ask)s?)\b"
)
# "The model consisting" is half a phrase; these words in "-ing" are nouns.
_NOUNS_IN_ING = frozenset(
    """
    learning training embedding encoding setting modeling modelling reasoning processing mapping
    smoothing sampling masking weighting ranking tuning building meaning planning testing scaling
    clustering parsing tracking matching decoding pooling padding finding timing routing pruning
    """.split()  # noqa: SIM905
)
_NO_NOUN = re.compile(
    r"(?:ly|ed|ous|ive|ful|less|able|ible|ical|ic|al|est|ish|ize|ise|ates|ifies)\Z"
)
_NOUN_ANYWAY = frozenset(
    """
    signal goal proposal interval terminal trial manual speed seed need topic metric logic
    music statistic heuristic arithmetic objective adaptive additive alternative manifold
    potential material principal tutorial polynomial differential exponential residual
    kernel channel label pixel level model panel table variable interest test request forest
    guest rest embed
    """.split()  # noqa: SIM905
)
_ENGLISH = frozenset(("the", "of", "and", "to", "is", "in", "a", "are", "that", "for"))
_MOST_PER_SITE = 2


@dataclass(frozen=True)
class Parts:
    """The pieces of text from which elaborations are composed, by kind."""

    leads: tuple[str, ...]
    scenes: tuple[str, ...]
    phrase_scenes: tuple[str, ...]
    closes: tuple[str, ...]


@lru_cache(maxsize=1)
def parts() -> Parts:
    """Read the table of parts once."""
    rows = [line.split("\t") for line in _TABLE.read_text("utf-8").splitlines()[1:] if line]
    kinds = {kind: tuple(text for k, text in rows if k == kind) for kind, _ in rows}
    return Parts(kinds["lead"], kinds["scene"], kinds["phrase-scene"], kinds["close"])


def expand(paper: Paper, aim: Aim, note: str, rng: random.Random) -> list[Edit] | Rejection:
    """Return insertions of elaborations with as many words as ``aim`` states."""
    sites = sites_of(paper)
    if not sites:
        return Rejection("no sentence that an elaboration could follow")
    writer = _Writer(rng)
    added: dict[int, list[str]] = {}
    missing = aim.words
    near = (aim.words - aim.least) // 2
    for index in _spread(len(sites), -(-aim.words // 24), rng):
        if missing <= near or missing < writer.shortest:
            break
        phrase = _phrase(paper.text[sites[index].start : sites[index].end], rng)
        sentence, words = writer.write(phrase, missing)
        added.setdefault(index, []).append(sentence)
        missing -= words
    if not aim.least <= aim.words - missing <= aim.most:
        reached = 1 + (aim.words - missing) / paper.words
        return Rejection(f"elaboration comes to {reached:.3f} of the length")
    return [
        Edit(sites[index].end, sites[index].end, "".join(f" {s}" for s in added[index]), note)
        for index in sorted(added)
    ]


def sites_of(paper: Paper) -> list[Sentence]:
    """The sentences that can be followed by an elaboration: whole, English, not leaned on."""
    text, blocks, sentences = paper.text, paper.blocks, paper.sentences
    found: list[Sentence] = []
    for index, sentence in enumerate(sentences):
        block = blocks[sentence.block]
        span = text[sentence.start : sentence.end]
        if block.kind != "paragraph" or block.role == "abstract" or span[-1] != ".":
            continue
        following = sentences[index + 1] if index + 1 < len(sentences) else None
        if following is not None and following.block == sentence.block:
            after = text[following.start : following.end]
            if not text[sentence.end].isspace() or not after[0].isupper() or leans(after):
                continue
        elif sentence.end != block.end or runs_on(paper, sentence.block):
            continue
        words = span.lower().split()
        if (
            len(words) >= 6
            and len(_ENGLISH.intersection(words)) >= 2
            and is_whole(span)
            and is_plain(span)
            and not is_formal(paper, sentence.block)
        ):
            found.append(sentence)
    return found


def _spread(sites: int, wanted: int, rng: random.Random) -> list[int]:
    """An order of visits in which the first ``wanted`` are spread evenly over all sites."""
    if wanted >= sites:
        order = rng.sample(range(sites), sites)
    else:
        edges = [round(i * sites / wanted) for i in range(wanted + 1)]
        picks = [rng.randrange(a, b) for a, b in pairwise(edges)]
        rng.shuffle(picks)
        taken = set(picks)
        rest = [index for index in range(sites) if index not in taken]
        rng.shuffle(rest)
        order = picks + rest
    return order * _MOST_PER_SITE


def _phrase(span: str, rng: random.Random) -> str:
    """A noun phrase of the sentence, such as "the loss function", or "" where none is safe."""
    found = [
        match.group()
        for match in _PHRASE.finditer(span)
        if not _NO_PHRASE.search(match["words"]) and _is_noun(match["words"].rsplit(" ", 1)[1])
    ]
    return rng.choice(found) if found else ""


def _is_noun(word: str) -> bool:
    if word.endswith("ing"):
        return word in _NOUNS_IN_ING
    return word in _NOUN_ANYWAY or not _NO_NOUN.search(word)


@dataclass
class _Writer:
    """Writes elaborations, each part as seldom as possible and no combination twice."""

    rng: random.Random
    shortest: int = 4
    _used: set[tuple[str, str, str]] = field(default_factory=set)
    _decks: dict[str, list[str]] = field(default_factory=dict)

    def write(self, phrase: str, most: int) -> tuple[str, int]:
        """Return one elaboration and its number of words, at most ``most`` where that can be."""
        table = parts()
        scenes = table.phrase_scenes if phrase else table.scenes
        kind = "phrase-scene" if phrase else "scene"
        if most <= 60:
            return self._fitted(scenes, phrase, most)
        while True:
            lead = self._draw("lead", table.leads)
            scene = self._draw(kind, scenes)
            close = self._draw("close", table.closes) if self.rng.random() < 0.7 else ""
            if (lead, scene, close) not in self._used:
                return self._compose(lead, scene, close, phrase)

    def _draw(self, kind: str, items: Sequence[str]) -> str:
        """Deal from a shuffled deck, so that a part comes again only after all others."""
        deck = self._decks.get(kind)
        if not deck:
            deck = self._decks[kind] = self.rng.sample(items, len(items))
        return deck.pop()

    def _fitted(self, scenes: Sequence[str], phrase: str, most: int) -> tuple[str, int]:
        """The combination of up to 240 drawn whose words come nearest to what is still missing.

        More than 30 missing words are taken in two parts.
        """
        table = parts()
        wanted = most if most <= 30 else most // 2
        best: tuple[int, tuple[str, str, str]] | None = None
        for attempt in range(240):
            lead = self.rng.choice(table.leads) if attempt % 4 else ""
            close = self.rng.choice(table.closes) if attempt % 3 else ""
            choice = (lead, self.rng.choice(scenes), close)
            size = len(_join(*choice, phrase).split())
            distance = abs(size - wanted) if size <= most else 1000 + size
            if choice not in self._used and (best is None or distance < best[0]):
                best = (distance, choice)
                if distance == 0:
                    break
        assert best is not None
        return self._compose(*best[1], phrase)

    def _compose(self, lead: str, scene: str, close: str, phrase: str) -> tuple[str, int]:
        self._used.add((lead, scene, close))
        sentence = _join(lead, scene, close, phrase)
        return sentence, len(sentence.split())


def _join(lead: str, scene: str, close: str, phrase: str) -> str:
    body = f"{lead} {scene}" if lead else capitalise(scene)
    return body.replace("{}", phrase) + close + "."


def elaborations() -> Mapping[str, int]:
    """How many distinct elaborations there are, with and without a noun phrase."""
    table = parts()
    frames = (len(table.leads) + 1) * (len(table.closes) + 1)
    return {
        "without-phrase": frames * len(table.scenes),
        "with-phrase": frames * len(table.phrase_scenes),
    }
