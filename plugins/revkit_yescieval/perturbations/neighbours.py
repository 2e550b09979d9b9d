"""Neighbours: sentences of other texts of the same domain, which perturbations borrow.

The order of a corpus must not matter, so its papers are sorted by digest: a draw depends only on
the seed and on the content of the corpus.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from revkit.contracts import Peer
from revkit.model import Paper, Rejection
from revkit_yescieval.perturbations.citation_marks import without_marks
from revkit_yescieval.perturbations.passage import Passage

_FEWEST_WORDS = 8
_MOST_WORDS = 60
_TRIES = 16
# A sentence that refers to another place of its text, or that is a label.
_BOUND = re.compile(
    r"(?:Table|Figure|Fig\.|Section|Appendix|Eq\.|Equation|Note|Abstract|Keywords?|References?)\b"
    r"|[A-Za-z ]{2,30}:"
    r"|(?:This|These|That|Those|It|They|Its|Their|Such|He|She|His|Her|Here|Both|Each)\b"
    r"|[^.]{1,45}\b(?:this|these|those|such|latter|former|above)\b|(?:The|A likely) reason\b"
)
# Signs of text that breaks off or repeats itself, as generated text sometimes does.
_BROKEN = re.compile(r"\s\s|\b(\w{2,30})\W{1,5}\1\b|\w-(?!\s(?:and|or|to|as)\b)[\s.,]|\.\.|…", re.I)
_WORD = re.compile(r"[^\W\d_]{3,}")


def question_of(paper: Paper) -> tuple[str, ...]:
    """Return what a text answers: its questions, else its sources; empty if it has neither."""
    for role in ("question", "source"):
        texts = sorted(_plain(m.text) for m in paper.materials if m.role == role)
        if texts:
            return (role, *texts)
    return ()


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


@dataclass
class _Neighbour:
    paper: Paper
    question: tuple[str, ...]
    text: str
    parts: tuple[tuple[str, ...], ...] | None = None

    def sentences(self, part: int, parts: int) -> tuple[str, ...]:
        """Return the suitable sentences that belong to ``part`` of ``parts``, in the order of the
        text.
        """
        if self.parts is None:
            by_part: list[list[str]] = [[] for _ in range(parts)]
            for sentence in _suitable(self.paper):
                digest = hashlib.sha256(sentence.encode()).digest()
                by_part[digest[0] % parts].append(sentence)
            self.parts = tuple(map(tuple, by_part))
        return self.parts[part]


def _suitable(paper: Paper) -> list[str]:
    passage = Passage.of(paper)
    if isinstance(passage, Rejection):
        return []
    sentences: dict[str, None] = {}
    for piece in passage.sentences:
        block = paper.blocks[piece.block]
        sentence = without_marks(passage.text(piece))
        words = len(sentence.split())
        if (
            block.kind == "paragraph"
            and _FEWEST_WORDS <= words <= _MOST_WORDS
            and "\n" not in sentence
            and not _BOUND.match(sentence)
            and not _is_broken(sentence)
        ):
            sentences[sentence] = None
    return list(sentences)


def _is_broken(sentence: str) -> bool:
    """Return whether a sentence breaks off or repeats itself, such as a phrase of three words."""
    if _BROKEN.search(sentence):
        return True
    words = _WORD.findall(sentence.lower())
    if any(words[n : n + 2] == words[n + 2 : n + 4] for n in range(len(words) - 3)):
        return True
    phrases = list(zip(words, words[1:], words[2:], strict=False))
    return len(set(phrases)) < len(phrases) or len(set(words)) < 0.6 * len(words)


@dataclass
class Neighbourhood:
    """The papers of one corpus by topic."""

    topics: dict[str, list[_Neighbour]] = field(default_factory=dict)
    by_digest: dict[str, tuple[str, ...]] = field(default_factory=dict)
    by_question: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, peers: Iterable[Peer]) -> Neighbourhood:
        """Read the neighbours from the papers of the corpus."""
        neighbours = cls()
        digests: dict[str, set[str]] = {}
        questions: dict[tuple[str, ...], set[str]] = {}
        for peer in sorted(peers, key=lambda peer: (peer.paper.digest, peer.topic)):
            question = question_of(peer.paper)
            neighbour = _Neighbour(peer.paper, question, _plain(peer.paper.text))
            neighbours.topics.setdefault(peer.topic, []).append(neighbour)
            digests.setdefault(peer.paper.digest, set()).add(peer.topic)
            if question:
                questions.setdefault(question, set()).add(peer.topic)
        neighbours.by_digest = {key: tuple(sorted(topics)) for key, topics in digests.items()}
        neighbours.by_question = {key: tuple(sorted(topics)) for key, topics in questions.items()}
        return neighbours

    def topics_of(self, paper: Paper) -> tuple[str, ...]:
        """Return the topics of a paper, else those of texts on the same question, else the only
        topic.
        """
        known = self.by_digest.get(paper.digest) or self.by_question.get(question_of(paper))
        return known or (tuple(self.topics) if len(self.topics) == 1 else ())


# The last corpus, so that a run sorts it once per process. The sequence itself is kept, so that
# no other object can get its identity.
_LAST: list[tuple[Sequence[Peer], Neighbourhood]] = []


def neighbourhood(peers: Sequence[Peer]) -> Neighbourhood:
    """Return the neighbourhood that consists of ``peers``."""
    for known, result in _LAST[-1:]:
        if known is peers:
            return result
    result = Neighbourhood.of(peers)
    if isinstance(peers, tuple):
        _LAST[:] = [(peers, result)]
    return result


def borrow_sentence(
    paper: Paper, peers: Sequence[Peer], part: int, parts: int, rng: random.Random
) -> str | Rejection:
    """Return a sentence of another text on the paper's topic, drawn by ``rng``.

    It never comes from the same text, nor from one that answers the same question or has the same
    sources. The sentences of a corpus are divided among ``parts`` heuristics, so that two of them
    never borrow the same one; if ``part`` has no sentence, those of other parts are used.
    """
    around = neighbourhood(peers)
    topics = around.topics_of(paper)
    if not topics:
        return Rejection("the corpus does not state the topic of this text")
    question, text = question_of(paper), _plain(paper.text)

    def eligible(neighbour: _Neighbour) -> bool:
        return (not question or neighbour.question != question) and neighbour.text != text

    everyone = [neighbour for topic in topics for neighbour in around.topics[topic]]
    for _ in range(_TRIES):
        drawn = rng.choice(everyone)
        if eligible(drawn) and (foreign := _foreign(drawn.sentences(part, parts), text)):
            return rng.choice(foreign)
    others = [neighbour for neighbour in everyone if eligible(neighbour)]
    if not others:
        return Rejection("no other text on the same topic answers another question")
    for chosen in ([part], range(parts)):
        foreign = [
            sentence
            for neighbour in others
            for one in chosen
            for sentence in _foreign(neighbour.sentences(one, parts), text)
        ]
        if foreign:
            return rng.choice(foreign)
    return Rejection("no complete sentence to borrow from the texts on the same topic")


def _foreign(sentences: Sequence[str], text: str) -> list[str]:
    """Return the sentences that do not occur in ``text``."""
    return [sentence for sentence in sentences if _plain(sentence) not in text]
