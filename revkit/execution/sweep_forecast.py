"""Estimate the calls of a sweep: the sum over its points, with shared calls counted once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from revkit.execution.estimate import Forecast, RoleForecast
from revkit.execution.forecast import forecast
from revkit.model.values import Json, digest_of
from revkit.model_settings import Cost
from revkit.planning.plan import build_plan
from revkit.spec import Experiment, Sweep

_SHARED = ("agents", "judges", "perturbations", "rubrics", "metrics", "reports", "name")


def sweep_forecast(sweep: Sweep, store: Path | None = None) -> Forecast | None:
    """Estimate the calls of all points of ``sweep``; None if no point calls a model.

    An agent, judge or perturbation that another point sets up alike, on the same papers, is counted
    once. What others share with each other, such as one role's calls, is counted at each point, so
    the sum is an upper bound.
    """
    seen: set[str] = set()
    found: list[Forecast] = []
    for point in sweep.points:
        experiment = point.experiment
        known = {path for path, digest in _parts(experiment) if digest in seen}
        seen.update(digest for _, digest in _parts(experiment))
        estimate = forecast(experiment, build_plan(experiment).papers, store, leave_out=known)
        if estimate is not None:
            found.append(estimate)
    return _together(found) if found else None


def _parts(experiment: Experiment) -> Iterator[tuple[str, str]]:
    """Return the components that may call models, by path, with a digest of everything that decides
    their calls.
    """
    spec = experiment.deciding()
    common: Json = {name: value for name, value in spec.items() if name not in _SHARED}
    perturbations = spec.get("perturbations", {})
    beside: dict[str, Json] = {
        "agents": perturbations,
        "judges": [perturbations, spec.get("rubrics")],
        "perturbations": None,
    }
    for section, more in beside.items():
        steps = spec.get(section)
        for name, step in steps.items() if isinstance(steps, dict) else ():
            yield f"{section}.{name}", digest_of([common, section, more, step])


def _together(found: Sequence[Forecast]) -> Forecast:
    """Return the sum; it is unknown if it is unknown for one point."""
    unknown = next((each for each in found if each.calls is None), None)
    sampled = max(each.sampled for each in found)
    spent = Cost(
        sum(each.spent.calls for each in found),
        sum(each.spent.tokens for each in found),
        sum(each.spent.usd or 0.0 for each in found),
    )
    if unknown is not None:
        return replace(unknown, sampled=sampled, spent=spent)
    roles: dict[tuple[str, str, str], RoleForecast] = {}
    for row in (row for each in found for row in each.roles):
        place = (row.agent, row.role, row.model)
        roles[place] = _added(roles[place], row) if place in roles else row
    return Forecast(
        sampled,
        sum(each.calls or 0 for each in found),
        sum(each.prompt_tokens or 0 for each in found),
        sum(each.most_reply_tokens or 0 for each in found),
        _sum([each.most_usd for each in found]),
        roles=tuple(roles.values()),
        spent=spent,
        budget=found[0].budget,
        batch_usd=_sum([each.batch_usd for each in found]),
        known_usd=sum(each.known_usd for each in found),
        unpriced=tuple(sorted({model for each in found for model in each.unpriced})),
    )


def _added(one: RoleForecast, other: RoleForecast) -> RoleForecast:
    return replace(
        one,
        calls=one.calls + other.calls,
        prompt_tokens=one.prompt_tokens + other.prompt_tokens,
        most_reply_tokens=one.most_reply_tokens + other.most_reply_tokens,
        most_usd=_sum([one.most_usd, other.most_usd]),
    )


def _sum(prices: Sequence[float | None]) -> float | None:
    total = 0.0
    for price in prices:
        if price is None:
            return None
        total += price
    return total
