"""Services that a run offers to components through their `Context`.

The gateway to language models is `revkit.services.llm.ModelGateway`; it loads only where a model
may be asked.
"""

from revkit.services.embed import EmbedService, arithmetic_in
from revkit.services.parses import StoredParses
from revkit.services.search import SearchService

__all__ = ["EmbedService", "SearchService", "StoredParses", "arithmetic_in"]
