"""The same worlds as numbers without texts, for simulations of many worlds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from revkit.dataclass import dataclass
from revkit_asc.bank.anchor import TIERS, standard_errors
from revkit_asc.simulation.people import DRAWS, opinions
from revkit_asc.simulation.regimes import REGIMES, Regime
from revkit_asc.simulation.response import cluster_views

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]

CLUSTERS = 7


@dataclass(frozen=True)
class Items:
    """Numbers of n manuscripts: ``shown`` is the severity of the flaws in the text, ``consensus``
    that of the simulated people, ``error`` the standard error of the consensus; ``tiers`` and
    ``clusters`` are indices; ``taste``, shape (agents, n), contains the lasting preferences of the
    agents for each manuscript.
    """

    shown: Array
    consensus: Array
    error: Array
    tiers: Array
    clusters: Array
    taste: Array


class World:
    """One draw of a world: anchors, held-out papers, and six agents that score both.

    ``regime`` names one of `revkit_asc.simulation.REGIMES`; the same ``seed`` (at least 0) gives
    the same world. ``anchors`` are as many for each tier, ``held_out`` follow the regime's stream.
    """

    def __init__(
        self, regime: str | Regime, seed: int, *, anchors: int = 240, held_out: int = 1050
    ) -> None:
        import numpy

        self.regime = REGIMES[regime] if isinstance(regime, str) else regime
        self.agents = tuple(self.regime.agents)
        self.seed = seed
        self._views = numpy.array(
            [
                list(
                    cluster_views(
                        f"{seed}:{name}", [str(c) for c in range(CLUSTERS)], response.cluster
                    ).values()
                )
                for name, response in self.regime.agents.items()
            ]
        )
        rng = numpy.random.default_rng([seed, 1])
        self.anchors = self._items(numpy.arange(anchors) % len(TIERS), 1.0, rng)
        rng = numpy.random.default_rng([seed, 2])
        drawn = rng.choice(len(TIERS), size=held_out, p=self.regime.stream)
        self.held_out = self._items(drawn, self.regime.width, rng)

    def _items(self, tiers: Array, width: float, rng: Any) -> Items:
        """Draw manuscripts of these tiers; the consensus of each stays within its tier."""
        import numpy

        count = len(tiers)
        severity = numpy.empty(count)
        scores = numpy.empty((count, 3))
        consensus = numpy.full(count, -1.0)
        left = numpy.arange(count)
        while len(left):
            inside = 0.5 + width * (rng.random(len(left)) - 0.5)
            severity[left] = 25.0 * (tiers[left] + inside)
            said = opinions(severity[left], self.regime.people, rng.normal(size=(len(left), DRAWS)))
            scores[left], consensus[left] = said.scores, said.consensus
            low, high = 25.0 * tiers, 25.0 * (tiers + 1)
            outside = (consensus > high) | ((consensus <= low) & (tiers > 0))
            left = numpy.flatnonzero(outside)
        shown = severity + self.regime.unseen * rng.normal(size=count)
        sd = [self.regime.agents[name].taste for name in self.agents]
        return Items(
            shown=numpy.clip(numpy.floor(shown + 0.5), 0.0, 100.0),
            consensus=consensus,
            error=numpy.array(standard_errors(scores.tolist())),
            tiers=tiers,
            clusters=rng.permutation(count) % CLUSTERS,
            taste=numpy.array(sd)[:, None] * rng.normal(size=(len(sd), count)),
        )

    def scores(
        self, agent: str, items: Items, *, call: int = 0, prompt: int = 0, shift: float = 0.0
    ) -> Array:
        """Return the raw scores of one ``agent`` on ``items``, shape (n,), in [0, 100].

        ``call`` numbers the calls (from 0): each draws its own noise, and the same call gives the
        same scores. ``prompt`` is the version of the agent's prompt; ``shift`` moves what it sees,
        in severity points, as when a provider changes the model bit by bit.
        """
        import numpy

        index = self.agents.index(agent)
        response = self.regime.agents[agent].prompted(prompt)
        kind = 1 if items is self.anchors else 2
        rng = numpy.random.default_rng([self.seed, 3, index, kind, call])
        seen = items.shown + items.taste[index] + self._views[index][items.clusters]
        seen = seen + response.noise * rng.normal(size=len(items.shown)) + shift
        scores: Array = response(seen)  # type: ignore[assignment]
        return scores
