"""Build the reference review and the rubrics of one paper with language models.

Two steps, as in ReviewBench (Li et al., sections 3.1 and 3.2.2), each a call whose answer the run
stores: human reviews are merged into a reference review, then eight checklists are made from the
paper, the meta-rubrics and the reference. Key points that fail a check (`item_checks`) go back once
with what was found; those that fail again are dropped, and the record says so. Rating and decision
of the reference come from the data.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from revkit.contracts import Context
from revkit.dataclass import dataclass
from revkit.model.exchange import Message
from revkit.model.review import Failure
from revkit.model.values import Json
from revkit.prompting import Data, Sampling, ask, assistant_turn, fill, mark_for, neutralize
from revkit_reviewbench.checklists import Checklist, Point
from revkit_reviewbench.corpora.item_checks import Ground
from revkit_reviewbench.corpora.normalise import NormalReview
from revkit_reviewbench.dimensions import BY_NAME, DIMENSIONS, PITFALL, TONE
from revkit_reviewbench.prompt_parts import digest_of_prompt, parts, schema


@dataclass(frozen=True)
class Recipe:
    """How the derived parts are built: the models that write the rubrics and merge the reviews, and
    the requirements for key points.
    """

    sampling: Sampling
    aggregator: str
    single: bool = False
    ngram: int = 5
    limit: float = 0.2
    least: int = 2
    most: int = 6
    prompt: str = "rubrics"  # or "rubrics-2", which also asks for what the paper lacks


@dataclass(frozen=True)
class Derived:
    """The parts derived for one paper, with dropped points and the reasons; they become
    ``labels.extra``.
    """

    reference: Mapping[str, Json]
    rubrics: tuple[Checklist, ...]
    dropped: tuple[Mapping[str, Json], ...]
    asked_again: bool

    @property
    def missing(self) -> tuple[str, ...]:
        """The dimensions without a key point."""
        made = {checklist.dimension for checklist in self.rubrics}
        return tuple(each.name for each in DIMENSIONS if each.name not in made)


@dataclass(frozen=True)
class Case:
    """One paper that passed the rules, with the input for its derived parts."""

    id: str
    title: str
    text: str
    reviews: tuple[NormalReview, ...]
    rating: float
    decision: str


def derive(case: Case, recipe: Recipe, seed: int, ctx: Context) -> Derived | tuple[str, Failure]:
    """Return the reference and the rubrics of one paper, or the step that failed and the failure.

    With ``recipe.single`` one human review, drawn by ``seed`` and the paper's id, takes the
    place of the merged one (Li et al., section A.3).
    """
    content: Mapping[str, Any]
    if recipe.single:
        number = random.Random(f"{seed}/{case.id}").randrange(len(case.reviews))
        chosen = case.reviews[number]
        text = chosen.as_text()
        content = {**chosen.to_json(), "from": f"review {number + 1}"}
    else:
        merged = _merged(case, recipe, ctx)
        if isinstance(merged, Failure):
            return "reference", merged
        text, content = _reference_text(merged), {**merged, "from": "merged"}
    rubrics = _rubrics(case, recipe, text, ctx)
    if isinstance(rubrics, Failure):
        return "rubrics", rubrics
    checklists, dropped, again = rubrics
    reference = {**content, "rating": case.rating, "decision": case.decision}
    return Derived(reference, checklists, dropped, again)


def _merged(case: Case, recipe: Recipe, ctx: Context) -> Mapping[str, Any] | Failure:
    template = parts("reference")
    texts = [review.as_text() for review in case.reviews]
    mark = mark_for(digest_of_prompt("reference"), case.title, *texts)
    values = {
        "mark": mark,
        "title": Data("title", case.title or "(none)").between_marks(mark),
        "reviews": "\n\n".join(
            Data(f"review {number}", text).between_marks(mark)
            for number, text in enumerate(texts, 1)
        ),
    }
    turns = (
        Message("system", template["system"]),
        Message("user", fill(template["user"], values)),
    )
    merging = replace(recipe.sampling, model=recipe.aggregator)
    answer = ask(ctx.complete, merging, turns, schema("reference"), replicate=ctx.repeat)
    return answer if isinstance(answer, Failure) else answer.data


def _reference_text(merged: Mapping[str, Any]) -> str:
    parts_ = [f"Summary:\n{merged['summary']}"]
    for name in ("strengths", "weaknesses", "questions"):
        items = "\n".join(f"- {item}" for item in merged[name])
        parts_ += [f"{name.capitalize()}:\n{items}"] if items else []
    return "\n\n".join(parts_)


_Rubrics = tuple[tuple[Checklist, ...], tuple[Mapping[str, Json], ...], bool]


def _rubrics(case: Case, recipe: Recipe, reference: str, ctx: Context) -> _Rubrics | Failure:
    ground = Ground(
        case.text,
        (reference, *(review.as_text() for review in case.reviews)),
        recipe.ngram,
        recipe.limit,
    )
    turns = _rubric_turns(case, recipe, reference)
    kept: dict[str, list[Point]] = {}
    bad: list[tuple[str, Point, tuple[str, ...]]] = []
    for again in (False, True):
        answer = ask(
            ctx.complete, recipe.sampling, turns, schema(recipe.prompt), replicate=ctx.repeat
        )
        if isinstance(answer, Failure):
            if not again:
                return answer
            break  # what the first reply got right is kept
        found, bad_now = _sorted_out(answer.data, ground, recipe.most)
        if again:
            kept, bad = _better(kept, found), bad_now
            break
        kept, bad = found, bad_now
        missing = [name for name in BY_NAME if not kept.get(name)]
        if not bad and not missing:
            return _result(kept, [], again=False)
        findings = [f"- {name}: {p.point[:200]!r}: {'; '.join(why)}" for name, p, why in bad]
        findings += [f"- {name}: it has no usable key point" for name in missing]
        listed = neutralize("\n".join(findings))
        correction = fill(parts(recipe.prompt)["again"], {"findings": listed})
        turns = (*turns, assistant_turn(answer.text), Message("user", correction))
    return _result(kept, bad, again=True)


def _better(
    first: Mapping[str, list[Point]], second: Mapping[str, list[Point]]
) -> dict[str, list[Point]]:
    """Return, for each dimension, the reply with more usable key points; the second one in a
    tie.
    """
    return {name: max(second.get(name, []), first.get(name, []), key=len) for name in BY_NAME}


def _sorted_out(
    data: Mapping[str, Any], ground: Ground, most: int
) -> tuple[dict[str, list[Point]], list[tuple[str, Point, tuple[str, ...]]]]:
    """Return usable key points by dimension, with their overlap, and the unusable ones with their
    faults.
    """
    kept: dict[str, list[Point]] = {}
    bad = []
    for row in data["rubrics"]:
        name = row["dimension"]
        for item in row["points"]:
            text, place, quote = (
                " ".join(item[key].split()) for key in ("point", "place", "quote")
            )
            searched = tuple(" ".join(term.split()) for term in item.get("searched", ()))
            absent = item.get("absent", False)
            point = Point(text, place, quote, item["minor"], None, absent, searched)
            faults = list(ground.faults(point, name))
            mine = kept.setdefault(name, [])
            if any(point.point.casefold() == other.point.casefold() for other in mine):
                faults.append("it stands there twice")
            if not faults and len(mine) >= most:
                faults.append(f"there are more than {most} key points")
            if faults:
                bad.append((name, point, tuple(faults)))
            else:
                measured = round(ground.overlap(point), 4)
                mine.append(replace(point, overlap=measured))
    return kept, bad


def _result(
    kept: Mapping[str, Sequence[Point]],
    bad: Sequence[tuple[str, Point, tuple[str, ...]]],
    *,
    again: bool,
) -> _Rubrics:
    checklists = tuple(
        Checklist(each.name, tuple(kept[each.name])) for each in DIMENSIONS if kept.get(each.name)
    )
    dropped: tuple[Mapping[str, Json], ...] = tuple(
        {"dimension": name, **point.to_json(), "why": list(why)} for name, point, why in bad
    )
    return checklists, dropped, again


def _rubric_turns(case: Case, recipe: Recipe, reference: str) -> tuple[Message, ...]:
    template = parts(recipe.prompt)
    mark = mark_for(digest_of_prompt(recipe.prompt), case.title, case.text, reference)
    values = {
        "mark": mark,
        "paper": Data("paper", f"{case.title}\n\n{case.text}").between_marks(mark),
        "reference": Data("what reviewers said", reference).between_marks(mark),
        "dimensions": "\n".join(f"- {each.name}: {each.asks}" for each in DIMENSIONS),
        "pitfall": PITFALL,
        "tone": TONE,
        "least": str(recipe.least),
        "most": str(recipe.most),
    }
    return (
        Message("system", template["system"]),
        Message("user", fill(template["user"], values)),
    )
