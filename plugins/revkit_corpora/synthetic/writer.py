"""Write the text of a paper from its latent values."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from revkit.english import capitalise
from revkit_corpora.synthetic.grammar import Voice, write
from revkit_corpora.synthetic.latent import Latent
from revkit_corpora.synthetic.references import NARRATIVE, PLACE, cite, invent_works
from revkit_corpora.synthetic.results import Results, ablation_table, main_table
from revkit_corpora.synthetic.sentences import ELABORATION, sentences
from revkit_corpora.synthetic.topics import PaperTopic
from revkit_corpora.synthetic.words import Subject, column_words, draw_subject, result_words


@dataclass(slots=True)
class WrittenProse:
    """A paragraph under construction: elaborations of the kind ``room`` fit after its first
    sentence.

    ``tail`` is what must stay at its end; an empty ``room`` takes none.
    """

    sentences: list[str]
    room: str = ""
    tail: str = ""

    def __str__(self) -> str:
        return " ".join([*self.sentences, self.tail] if self.tail else self.sentences)


class _Writer:
    """Writes the body of one paper as headings, tables, formulas and `WrittenProse`."""

    def __init__(
        self, subject: Subject, results: Results, latent: Latent, rng: random.Random
    ) -> None:
        self.words = dict(subject.words) | result_words(results, latent.evidence, rng)
        self.evidence = latent.evidence
        self.style = latent.style
        self.results = results
        self.rng = rng
        self.voice = Voice(latent.style.hedging, latent.style.vocabulary)

    def body(self) -> list[str]:
        """Return the paper between its author line and its references, block by block."""
        parts = [*self._opening(), *self._method(), *self._experiments(), *self._findings()]
        parts += self._closing()
        self._elaborate([part for part in parts if isinstance(part, WrittenProse)])
        return [str(part) for part in parts]

    def _elaborate(self, prose: Sequence[WrittenProse]) -> None:
        """Add elaborations until paragraphs reach the mean length of the style."""
        missing = self.style.paragraph * len(prose) - sum(len(str(p).split()) for p in prose)
        spare = {
            name.removeprefix(ELABORATION): self.rng.sample(pool, len(pool))
            for name, pool in sentences().items()
            if name.startswith(ELABORATION)
        }
        places = [p for p in prose if p.room]
        while missing > 8:
            places = [p for p in places if spare[p.room]]
            if not places:
                break
            place = self.rng.choice(places)
            sentence = self._write(spare[place.room].pop())
            place.sentences.insert(1 + int(self.rng.random() * len(place.sentences)), sentence)
            missing -= len(sentence.split())

    def _say(self, *positions: str) -> list[str]:
        """Return one sentence for each position."""
        return [self._write(self.rng.choice(sentences()[position])) for position in positions]

    def _write(self, template: str) -> str:
        text = write(template, self.words, self.voice, self.rng)
        return text.replace("@@", f" {PLACE}").replace("@who", NARRATIVE)

    def _opening(self) -> list[str | WrittenProse]:
        overclaim = ["overclaim"] if self.evidence.overclaim else []
        abstract = ("abstract-problem", "abstract-method", "abstract-mechanism", "abstract-finding")
        related = ("related-first", "related-who", "related-other", "related-difference")
        return [
            "## Abstract",
            WrittenProse(self._say(*abstract)),
            "## 1 Introduction",
            WrittenProse(self._say("intro-context", "intro-problem", "intro-gap"), "introduction"),
            WrittenProse(self._say("intro-idea", "intro-contribution", *overclaim), "introduction"),
            "## 2 Related Work",
            WrittenProse(self._say(*related), "related"),
        ]

    def _method(self) -> list[str | WrittenProse]:
        formula = self.rng.choice(sentences()["formula"])
        formula = formula.replace("{symbol}", str(self.words["symbol"]))
        lead = self._say("method-setting", "method-part")
        terms = self._say("method-terms")[0]
        return [
            "## 3 Method",
            WrittenProse(lead, "method", tail=self._say("method-objective")[0]),
            f"$$\n{formula}\n$$",
            WrittenProse([terms[0].lower() + terms[1:], *self._say("method-cost")], "method"),
        ]

    def _experiments(self) -> list[str | WrittenProse]:
        runs = "setup-runs" if self.evidence.seeds > 1 else "setup-single"
        code = ["code"] if self.evidence.code else []
        setup = self._say("setup-data", "setup-baselines", runs, *code)
        return [
            "## 4 Experiments",
            WrittenProse(setup, "results"),
            self._caption(),
            main_table(self.results),
        ]

    def _caption(self) -> str:
        metric = str(self.words["metric"])
        seeds = self.evidence.seeds
        spread = " and standard deviation" if self.results.spreads else ""
        runs = f"; mean{spread} over {seeds} seeds" if seeds > 1 else ""
        return (
            f"Table 1: {capitalise(metric)} (%) of {self.words['m']} and "
            f"{self.words['n_base']} on {self.words['n_data']}{runs}."
        )

    def _findings(self) -> list[str | WrittenProse]:
        sentences = []
        base = self.words
        for column in self._columns():
            gain = self.results.gain(column)
            kind = "result-gain" if gain > 0 else "result-loss" if gain < 0 else "result-tie"
            self.words = base | column_words(self.results, column)
            sentences += self._say(kind)
        self.words = base
        sentences += self._say("result-noise" if self.results.spreads else "result-no-noise")
        if self.evidence.test and self.results.gain(0) > 0:
            sentences += self._say("result-test")
        parts: list[str | WrittenProse] = ["## 5 Results", WrittenProse(sentences, "results")]
        if self.results.ablation:
            table = ablation_table(self.results, str(self.words["metric"]))
            parts += ["### 5.1 Ablation", WrittenProse(self._say("ablation"), "results"), table]
        return parts

    def _columns(self) -> list[int]:
        """Return up to three datasets to report in prose: the worst and the two best."""
        columns = sorted(range(len(self.results.datasets)), key=self.results.gain)
        return sorted(columns[:1] + columns[-2:]) if len(columns) > 3 else sorted(columns)

    def _closing(self) -> list[str | WrittenProse]:
        parts: list[str | WrittenProse] = ["## 6 Discussion"]
        parts += [WrittenProse(self._say("discussion-why", "discussion-scope"), "discussion")]
        if self.evidence.limitations:
            limits = self.rng.sample(sentences()["limits"], 3)
            parts += ["## 7 Limitations", WrittenProse([self._write(limit) for limit in limits])]
        end = self._say("end-summary", "end-result", "end-future")
        number = 8 if self.evidence.limitations else 7
        return [*parts, f"## {number} Conclusion", WrittenProse(end, "discussion")]


def write_paper(topic: PaperTopic, latent: Latent, rng: random.Random) -> tuple[str, str]:
    """Return the title and the Markdown text of a paper on ``topic`` that shows ``latent``."""
    subject, results = draw_subject(topic, latent.evidence, rng)
    body = _Writer(subject, results, latent, rng).body()
    works = invent_works(latent.style.references, topic, rng)
    cited, entries = cite(body, works, latent.style.numeric, rng)
    references = ("\n\n" if latent.style.numeric else "\n").join(entries)
    parts = [f"# {subject.title}", subject.authors, *cited, "## References", references]
    return subject.title, "\n\n".join(parts) + "\n"
