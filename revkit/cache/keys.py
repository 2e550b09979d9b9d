"""Keys: identify a question by its content.

A key is the SHA-256 of canonical JSON over the record's type, the component (kind, name, version,
options), the services it uses, the experiment's seed, and the item (digest of its input, variant
index, repeat). Never ids, order, paths or workers; so a paper that moves, or comes second instead
of first, is still known.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from revkit.contracts import Component
from revkit.dataclass import dataclass
from revkit.identity import core_digest, identity_of, kind_of
from revkit.model.values import Json, canonical_json, digest_of
from revkit.options import under_former_names

FORMAT = 1


@dataclass(frozen=True)
class KeyBase:
    """The part of a key that all items of one node share; `item` adds the rest."""

    digest: str

    @classmethod
    def of(
        cls,
        record: str,
        components: Sequence[Component],
        *,
        seed: int,
        services: Sequence[Component] = (),
        core: bool = True,
        models: Json = None,
        corpus: str = "",
    ) -> KeyBase:
        """Return the key base; ``record`` names the type of the answer, so that two types never
        share a key.

        ``core`` states whether revkit's own text model affects the answer. It does not for a
        service that passes its input on unchanged, whose answers therefore outlive a change of
        revkit. ``models`` is the identity of the language models' endpoints, where one may be
        asked; ``corpus`` the digest of all papers, where a component sees them.
        """
        return cls(
            digest_of(
                {
                    "format": FORMAT,
                    "core": core_digest() if core else "",
                    "record": record,
                    "components": [identity_of(component) for component in components],
                    "services": [identity_of(service) for service in services],
                    "models": models,
                    "seed": seed,
                    **({"corpus": corpus} if corpus else {}),
                }
            )
        )

    def item(self, input_digest: str, *numbers: int) -> bytes:
        """Return the key of one item: 32 bytes."""
        text = canonical_json([self.digest, input_digest, *numbers])
        return hashlib.sha256(text.encode()).digest()


@dataclass(frozen=True)
class SeedBase:
    """The part of a seed that all items of one component share; `item` adds the rest.

    The component's version is not part of it, so a change of code that alters nothing draws the
    same numbers, and so does an option that got another name.
    """

    digest: str

    @classmethod
    def of(cls, component: Component, seed: int) -> SeedBase:
        """Return the base for ``component`` under the seed of the experiment."""
        options = under_former_names(type(component), component.identity())
        return cls(digest_of([seed, kind_of(component), component.name, options]))

    def item(self, input_digest: str, *numbers: int) -> int:
        """Return the seed of one item, in [0, 2**63)."""
        text = canonical_json([self.digest, input_digest, *numbers])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
