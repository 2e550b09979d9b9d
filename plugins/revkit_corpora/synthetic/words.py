"""The words of one paper: its subject, method, datasets, and the numbers in its text."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from revkit.dataclass import dataclass
from revkit.english import capitalise, enumerate_names, headline
from revkit_corpora.synthetic.latent import Evidence
from revkit_corpora.synthetic.results import Results, draw_results, points
from revkit_corpora.synthetic.topics import PaperTopic, vocabulary

_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
)
_MANNERS = (
    "gated",
    "adaptive",
    "two-stage",
    "contrastive",
    "sparse",
    "regularized",
    "hierarchical",
    "recurrent",
    "selective",
    "calibrated",
    "modular",
    "stochastic",
    "residual",
    "mixed",
)
_THINGS = ("network", "model", "architecture", "procedure", "learner", "framework", "scheme")
_ENDINGS = ("", "", "", "Net", "-S", "-2", "Mix", "Flow")
_SYMBOLS = ("\\lambda", "\\beta", "\\gamma", "\\mu", "\\eta", "\\tau")
_TITLES = (
    "{m}: {Task} with @ {Part}",
    "{m}: Learning to {Goal}",
    "Reducing {Hard} in {Task} with {m}",
    "{m}: @ {Kind} for {Task}",
    "Toward {Task} without {Hard}: {m}",
)
_SMALL = frozenset(
    ("a", "an", "and", "for", "from", "in", "of", "on", "the", "to", "under", "with")
)


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a paper: its title, author line, and words by slot."""

    title: str
    authors: str
    words: Mapping[str, str | Sequence[str]]


def draw_subject(
    topic: PaperTopic, evidence: Evidence, rng: random.Random
) -> tuple[Subject, Results]:
    """Draw a paper's subject on ``topic``, and its results."""
    known = vocabulary()
    method = rng.choice(known.method_starts) + rng.choice(known.method_ends)
    method += rng.choice(_ENDINGS)
    task, task2 = rng.sample(topic.tasks, 2)
    hard = rng.sample(topic.hard, len(topic.hard))
    part = rng.sample(topic.parts, 3)
    goal, goal2 = rng.sample(topic.goals, 2)
    kind = f"{rng.choice(_MANNERS)} {rng.choice(_THINGS)}"
    symbol = rng.choice(_SYMBOLS)
    baselines = tuple(rng.sample(topic.baselines, evidence.baselines))
    stems = rng.sample(known.dataset_stems, len(evidence.margins))
    datasets = tuple(f"{stem}-{rng.choice(topic.suffixes)}" for stem in stems)
    results = draw_results(method, baselines, datasets, part[:2], evidence, rng)
    names = {"Task": task, "Part": part[0], "Goal": goal, "Hard": hard[0], "Kind": kind}
    title = _fill(rng.choice(_TITLES), method, names)
    words: dict[str, str | Sequence[str]] = {
        "m": method,
        "kind": kind,
        "area": topic.area,
        "task": task,
        "Task": capitalise(task),
        "task2": task2,
        "inputs": topic.inputs,
        "hard": hard[0],
        "hard2": hard[1:],
        "part": part[0],
        "part2": part[1],
        "part3": part[2],
        "goal": goal,
        "goal2": goal2,
        "base": baselines,
        "metric": rng.choice(topic.metrics),
        "symbol": symbol,
        "sym": f"${symbol}$",
        "weight": f"${symbol} = {rng.choice(('0.01', '0.05', '0.1', '0.2', '0.3', '0.5'))}$",
        "rate": f"${rng.choice((1, 2, 3, 5))} \\times 10^{{-{rng.choice((2, 3, 4, 5))}}}$",
        "cost": str(2 + int(rng.random() * 28)),
        "small": [str(3 + int(rng.random() * 90)) for _ in range(8)],
        "n_sym": f"$n = {rng.choice((16, 32, 64, 128, 256, 512))}$",
    }
    return Subject(title, _author_line(rng), words), results


def result_words(
    results: Results, evidence: Evidence, rng: random.Random
) -> dict[str, str | Sequence[str]]:
    """Return the words that report ``results``, with each number rounded as in the table."""
    datasets = results.datasets
    baselines = results.methods[:-1]
    columns = range(len(datasets))
    clear = sum(results.clear(column) for column in columns)
    return {
        "d_any": datasets,
        "best_0": results.methods[results.best_baseline(0)],
        "d0": datasets[0],
        "n_data": _counted(len(datasets), "dataset"),
        "n_base": _counted(len(baselines), "baseline"),
        "data_list": enumerate_names(datasets),
        "data_short": enumerate_names(datasets[:2])
        if len(datasets) < 3
        else _counted(len(datasets), "dataset"),
        "base_list": enumerate_names(baselines),
        "Base_list": enumerate_names(baselines),
        "seeds": _NUMBERS[evidence.seeds],
        "sd": " and standard deviation" if results.spreads else "",
        "clear": _share(clear, len(datasets)),
        "noise_verdict": _verdict(clear, len(datasets)),
        "p": f"$p = 0.0{int(10 + rng.random() * 30):02d}$",
        "average": points(round(sum(map(results.gain, columns)) / len(datasets))),
        "own0": points(results.means[-1][0]),
        "against0": _against(results),
        "without1": points(results.ablation[0][1]) if results.ablation else "",
        "without2": points(results.ablation[1][1]) if results.ablation else "",
    }


def column_words(results: Results, column: int) -> dict[str, str]:
    """Return the words that report the results on one dataset."""
    best = results.best_baseline(column)
    return {
        "d_i": results.datasets[column],
        "own_i": points(results.means[-1][column]),
        "other_i": points(results.means[best][column]),
        "gain_i": points(abs(results.gain(column))),
        "best_i": results.methods[best],
    }


def _against(results: Results) -> str:
    best = results.best_baseline(0)
    return f"against {points(results.means[best][0])}% for {results.methods[best]}"


def _share(clear: int, datasets: int) -> str:
    if datasets == 1:
        return "the dataset at hand" if clear else "no dataset"
    if clear == datasets:
        return f"all {_NUMBERS[datasets]} datasets"
    return f"{_NUMBERS[clear] if clear else 'none'} of the {_NUMBERS[datasets]} datasets"


def _verdict(clear: int, datasets: int) -> str:
    if clear == datasets:
        return "noise does not explain it"
    if clear:
        return "it is not uniform"
    return "noise can explain it"


def _counted(count: int, noun: str) -> str:
    return f"{_NUMBERS[count]} {noun}{'' if count == 1 else 's'}"


def _author_line(rng: random.Random) -> str:
    count = 1 + int(rng.random() * 4)
    initials = ["ABCDEFGHIJKLMNOPRSTVWYZ"[int(rng.random() * 23)] for _ in range(count)]
    names = rng.sample(vocabulary().surnames, count)
    return ", ".join(f"{i}. {n}" for i, n in zip(initials, names, strict=True))


def _fill(pattern: str, method: str, names: Mapping[str, str]) -> str:
    for key, value in names.items():
        words = headline(value, _SMALL, first=True)
        article = "an" if words[0] in "AEIO" else "a"
        at_start = pattern.startswith(f"{{m}}: @ {{{key}}}")
        pattern = pattern.replace(
            f"@ {{{key}}}", f"{article.title() if at_start else article} {words}"
        )
        pattern = pattern.replace(f"{{{key}}}", words)
    return pattern.replace("{m}", method)
