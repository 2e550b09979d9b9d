"""Write the text of a short manuscript from its planted flaws."""

from __future__ import annotations

import random
from collections.abc import Mapping

from revkit.dataclass import dataclass
from revkit.english import capitalise, headline
from revkit_asc.simulation.prose import NUMBERS, Cluster, aspects, frame

MENTION = 0.7
"""The share of sound aspects that a manuscript mentions; a flaw always shows."""


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A title and a Markdown text."""

    title: str
    text: str


def write_manuscript(cluster: Cluster, flaws: Mapping[str, int], rng: random.Random) -> Manuscript:
    """Write a manuscript of 200 to 300 words in ``cluster`` with exactly these ``flaws``.

    ``flaws`` gives a grade (0, 1, 2) for each aspect. The same arguments and the same state of
    ``rng`` give the same text.
    """
    words = _words(cluster, flaws[NUMBERS], rng)
    shared = frame()

    def say(*lists: tuple[str, ...]) -> list[str]:
        return [_sentence(rng.choice(wordings), words) for wordings in lists]

    found: dict[str, list[str]] = {"method": [], "experiments": [], "results": [], "discussion": []}
    for aspect in aspects():
        grade = flaws[aspect.name]
        if grade or rng.random() < MENTION:
            found[aspect.section] += say(aspect.wordings[grade])
    for sentences in found.values():
        rng.shuffle(sentences)
    title = rng.choice(shared["titles"]).format_map(words)
    abstract = (cluster.words["problems"], *(shared[name] for name in ("gaps", "ideas", "claimed")))
    parts = [
        f"# {title}",
        "## Abstract",
        " ".join(say(*abstract)),
        "## Method",
        " ".join([*say(cluster.words["methods"]), *found["method"]]),
        "## Experiments",
        " ".join([*found["experiments"], *say(shared["costs"])]),
        "## Results",
        " ".join([*say(shared["measured"], shared["contexts"]), *found["results"]]),
        "## Discussion",
        " ".join([*found["discussion"], *say(shared["closings"])]),
    ]
    return Manuscript(title, "\n\n".join(parts) + "\n")


def _words(cluster: Cluster, contradiction: int, rng: random.Random) -> dict[str, str]:
    shared = frame()
    base, base2 = rng.sample(cluster.words["baselines"], 2)
    data, data2 = rng.sample(cluster.words["datasets"], 2)
    part, part2 = rng.sample(cluster.words["parts"], 2)
    task = rng.choice(cluster.words["tasks"])
    measured = rng.randrange(12, 69)
    # A minor slip is half a point at most, a grave one several points.
    claimed = measured + (0, rng.randrange(2, 6), rng.randrange(25, 90))[contradiction]
    return {
        "area": cluster.area,
        "m": rng.choice(shared["stems"]) + rng.choice(shared["endings"]),
        "Manner": rng.choice(shared["manners"]),
        "task": task,
        "Task": headline(task),
        "inputs": rng.choice(cluster.words["inputs"]),
        "base": base,
        "base2": base2,
        "data": data,
        "data2": data2,
        "part": part,
        "part2": part2,
        "Part": headline(part),
        "metric": rng.choice(cluster.words["metrics"]),
        "digit": str(rng.randrange(1, 8)),
        "big": f"{rng.randrange(2, 60)},{rng.randrange(1000):03d}",
        "trials": str(rng.choice((20, 40, 60, 80, 120))),
        "hours": str(rng.randrange(3, 40)),
        "measured": f"{measured / 10:.1f}",
        "claimed": f"{claimed / 10:.1f}",
    }


def _sentence(template: str, words: Mapping[str, str]) -> str:
    return capitalise(template.format_map(words))
