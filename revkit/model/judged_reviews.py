"""The judged reviews of a run as separate records, which metrics of judged reviews read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from revkit.model.judged_review import ReviewLabels
from revkit.model.paper import Labels
from revkit.model.records import PaperRow, Records, RunUsage, Verdict
from revkit.model.values import Json

_Place = tuple[str, str, int]  # agent, paper, repeat


def records_of_reviews(records: Records) -> Records:
    """Return the judged reviews of ``records`` in the form of a run that only judges: each is a
    paper, with the labels of `revkit.model.judged_review`. Where no judge reads reviews, return
    ``records``.
    """
    judged = [each for each in records.judgements if each.agent]
    if not judged:
        return records
    places = dict.fromkeys((each.agent, each.paper, each.repeat) for each in judged)
    tally = _tally(records, places)
    verdicts = {
        (each.agent, each.paper, each.repeat): each
        for agent in records.agents
        for each in records.originals(agent.name)
    }
    about = {place: _about(verdicts[place], records.labels[place[1]]) for place in places}
    judges = {each.judge for each in judged}
    return replace(
        records,
        repeats=1,
        papers=tuple(PaperRow(each.id, each.labels(tally)) for each in about.values()),
        perturbations=(),
        agents=(),
        variants=(),
        verdicts=(),
        skipped={},
        judges=tuple(row for row in records.judges if row.name in judges),
        judgements=tuple(
            replace(each, paper=about[each.agent, each.paper, each.repeat].id, repeat=0, agent="")
            for each in judged
        ),
        anchors=None,
        usage=RunUsage(),
        probes=(),
        edit_starts={},
        attack=None,
    )


def _about(verdict: Verdict, labels: Labels) -> ReviewLabels:
    venue = labels.extra.get("venue")
    ratings = labels.ratings
    return ReviewLabels(
        agent=verdict.agent,
        paper=verdict.paper,
        repeat=verdict.repeat,
        venue=venue if isinstance(venue, str) else "",
        rating=verdict.score,
        accept=verdict.accept,
        reference_rating=math.fsum(ratings) / len(ratings) if ratings else None,
        reference_scale=labels.rating_scale,
        reference_accept=labels.accept,
    )


def _tally(records: Records, judged: Mapping[_Place, None]) -> dict[str, Json]:
    """Count the reviews of unchanged papers by each agent: a valid review that no judge got has no
    text.
    """
    found: dict[str, Json] = {}
    for agent in records.agents:
        verdicts = list(records.originals(agent.name))
        failed = sum(bool(each.failure) for each in verdicts)
        seen = sum(place[0] == agent.name for place in judged)
        counts: dict[str, Json] = {
            "planned": len(verdicts),
            "failed": failed,
            "empty": len(verdicts) - failed - seen,
        }
        found[agent.name] = {"": counts}
    return found
