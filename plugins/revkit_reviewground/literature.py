"""Literature searcher: keywords, one search for each, selection of works, and a debrief of each
work.

It reads the submission's title, abstract and related work (section 4.2), not the draft, so it runs
in parallel with the drafter. The paper states both 10 works in total (section 4.2) and 10 for each
keyword (section 5.2.2); here it is 10 in total, as in the final prompt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model.exchange import Message
from revkit.model.paper import Paper
from revkit.model.review import Failure
from revkit.prompting import BYTES_PER_TOKEN, Answer, Data, RoleUsage, Template, estimate_tokens
from revkit.works import Publications, Work, filled
from revkit_reviewground.excerpts import PaperExcerpt, head
from revkit_reviewground.related_work import Debriefed, Literature
from revkit_reviewground.repair import repaired
from revkit_reviewground.role_call import Lengths, ask, ask_reading, reply_schema
from revkit_reviewground.roles import Role
from revkit_reviewground.same_work import Submission
from revkit_reviewground.templates import conversation

_LONGEST_KEYWORD = 120
_LONGEST_ABSTRACT = 6000
_ANY_KEYWORDS = {
    "type": "object",
    "properties": {
        "keywords": {
            "type": "array",
            "items": {"type": "string", "maxLength": _LONGEST_KEYWORD},
            "maxItems": 5,
        }
    },
}


@dataclass(frozen=True)
class Wanted:
    """The selection of works: how many of how many ``candidates`` for each keyword, and the first
    year.
    """

    works: int
    candidates: int
    from_year: int | None


@dataclass(frozen=True)
class Searching:
    """The literature searcher of one review: its roles, templates and search limits."""

    searcher: Role
    summarizer: Role
    templates: tuple[Template, Template]
    shared: str
    wanted: Wanted
    lengths: Lengths
    ctx: Context

    def run(self, paper: Paper, usages: dict[str, RoleUsage]) -> Literature:
        """Search for ``paper``. Errors are reported in `Literature.failure` and not raised."""
        found = Literature()
        answer, found.reading = ask_reading(
            self.searcher,
            lambda limit: iter([_fitting(head(paper), limit)]),
            lambda reading: self._turns(0, reading, {}),
            reply_schema("keywords", Lengths()),
            self.ctx,
            usages["searcher"],
        )
        found.keywords = _keywords(answer)
        if not found.keywords:
            none = Failure("schema", "the model gave no keyword")
            found.failure = answer if isinstance(answer, Failure) else none
            return found
        if isinstance(answer, Failure):
            usages["searcher"].set_unknown()
            step = f"keywords: {len(found.keywords)} taken from a reply of another layout"
            usages["searcher"].steps.append(step)
        hits = self._searched(found)
        if found.failure is None:
            self._debriefed(paper, self._chosen(paper, hits, found), found, usages["summarizer"])
        return found

    def _searched(self, found: Literature) -> list[tuple[str, Sequence[Work]]]:
        if self.ctx.services.search is None:
            found.failure = Failure("provider", "this context has no searcher")
            return []
        limit = self.wanted.candidates
        calls = [partial(self.ctx.search, keyword, limit) for keyword in found.keywords]
        outcomes = self.ctx.gather(calls)
        hits: list[tuple[str, Sequence[Work]]] = []
        for keyword, outcome in zip(found.keywords, outcomes, strict=True):
            if isinstance(outcome, Failure):
                found.searches[keyword] = outcome
            else:
                found.searches[keyword] = len(outcome)
                hits.append((keyword, outcome))
        if not hits:
            failures = [each for each in outcomes if isinstance(each, Failure)]
            found.failure = replace(failures[0], detail=f"no search worked: {failures[0].detail}")
        return hits

    def _chosen(
        self, paper: Paper, hits: list[tuple[str, Sequence[Work]]], found: Literature
    ) -> list[tuple[Work, tuple[str, ...]]]:
        """Return the selected works, best first: each publication once, never the submission
        itself.
        """
        submission = Submission.of(paper)
        publications = Publications(misspelt=True)
        kept: list[Work] = []
        named: list[list[str]] = []
        ranks: list[list[int]] = []
        for keyword, works in hits:
            for rank, work in enumerate(works, 1):
                found.found += 1
                reason = self._unfit(work, submission)
                if reason:
                    found.dropped[reason] += 1
                    continue
                index, new = publications.place(work)
                if new:
                    kept.append(work)
                    named.append([keyword])
                    ranks.append([rank])
                    continue
                found.dropped["found before"] += 1
                kept[index] = _better(kept[index], work)
                ranks[index].append(rank)
                if keyword not in named[index]:
                    named[index].append(keyword)
        scored = bool(kept) and all(work.score is not None for work in kept)
        found.ordered_by = "score" if scored else "rank"

        def order(index: int) -> tuple[bool, float, float, str]:
            # Without scores: reciprocal ranks added up over the keywords, as rank fusion does.
            fused = sum(1 / (60 + rank) for rank in ranks[index])
            score = kept[index].score
            unread = not kept[index].abstract.strip()  # of use, but less than what can be read
            return (unread, -(score or 0.0) if scored else 0.0, -fused, kept[index].title)

        best = sorted(range(len(kept)), key=order)
        if len(best) > self.wanted.works:
            found.dropped["beyond the number wanted"] += len(best) - self.wanted.works
        return [(kept[index], tuple(named[index])) for index in best[: self.wanted.works]]

    def _unfit(self, work: Work, submission: Submission) -> str:
        own = submission.is_same(work)
        if own:
            return f"the submission itself (by its {own})"
        if self.wanted.from_year is not None:
            if work.year is None:
                return "year not known"
            if work.year < self.wanted.from_year:
                return f"before {self.wanted.from_year}"
        return ""

    def _debriefed(
        self,
        paper: Paper,
        chosen: list[tuple[Work, tuple[str, ...]]],
        found: Literature,
        usage: RoleUsage,
    ) -> None:
        # Each call counts for itself: threads must not write to one usage.
        readable = [work for work, _ in chosen if work.abstract.strip()]
        usages = [RoleUsage(usage.role, usage.model) for _ in readable]
        calls = [
            partial(self._debrief, paper, work, each)
            for work, each in zip(readable, usages, strict=True)
        ]
        outcomes = iter(made := self.ctx.gather(calls))
        for each in usages:
            usage.merge(each)
        found.works = tuple(
            Debriefed(work, keywords, next(outcomes) if work.abstract.strip() else None)
            for work, keywords in chosen
        )
        failed = [each for each in made if isinstance(each, Failure)]
        if failed and len(failed) == len(chosen):
            found.failure = replace(failed[0], detail=f"no debrief worked: {failed[0].detail}")

    def _debrief(self, paper: Paper, work: Work, usage: RoleUsage) -> Answer | Failure:
        fields = {
            "title": work.title,
            "year": work.year,
            "venue": work.venue,
            "abstract": work.abstract[:_LONGEST_ABSTRACT],
        }
        text = "\n".join(f"{key}: {value}" for key, value in fields.items() if value)
        beside = self._turns(1, PaperExcerpt(""), {"work": Data("work", text)})
        room = self.summarizer.input_tokens - sum(estimate_tokens(each.content) for each in beside)
        reading = _fitting(head(paper), room)
        turns = self._turns(1, reading, {"work": Data("work", text)})
        return ask(self.summarizer, turns, reply_schema("debrief", self.lengths), self.ctx, usage)

    def _turns(
        self, which: int, reading: PaperExcerpt, values: dict[str, str | Data]
    ) -> tuple[Message, ...]:
        return conversation(
            self.templates[which], self.shared, Data("submission", reading.text), values
        )


def _fitting(reading: PaperExcerpt, limit: int) -> PaperExcerpt:
    """Return ``reading`` cut at its end to ``limit`` tokens."""
    if estimate_tokens(reading.text) <= limit:
        return reading
    raw = reading.text.encode("utf-8", "replace")[: max(0, int(limit * BYTES_PER_TOKEN))]
    text = raw.decode("utf-8", "ignore") + "\n[The rest is not shown]"
    return replace(reading, text=text, notes=(*reading.notes, "cut at its end to fit"))


def _keywords(answer: Answer | Failure) -> tuple[str, ...]:
    """Return the keywords, each once. Fewer than three are accepted: the search is then smaller,
    not wrong.
    """
    if isinstance(answer, Answer):
        given: Sequence[str] = answer.data["keywords"]
    else:
        loose = repaired(answer.raw, _ANY_KEYWORDS) if answer.kind == "schema" else None
        given = loose[0]["keywords"] if loose else ()
    plain = (" ".join(each.split())[:_LONGEST_KEYWORD].strip() for each in given)
    found: dict[str, str] = {}
    for each in plain:
        if any(map(str.isalnum, each)):
            found.setdefault(each.casefold(), each)
    return tuple(found.values())


def _better(one: Work, other: Work) -> Work:
    """Merge two records of the same publication: the higher score, with missing fields filled
    in.
    """
    score = max((each.score for each in (one, other) if each.score is not None), default=None)
    longer = max(one.abstract, other.abstract, key=len)
    return replace(filled(one, other), score=score, abstract=longer)
