"""Literature searches: a local index, Semantic Scholar, OpenAlex; each may rerank."""

from __future__ import annotations

from revkit import Register, hookimpl


@hookimpl
def register_searchers(register: Register) -> None:
    """Register the searchers by module path; each module is imported only when it is used."""
    register("local-index = revkit_searchers.local_index:LocalIndex")
    register("semantic-scholar = revkit_searchers.semantic_scholar:SemanticScholar")
    register("openalex = revkit_searchers.openalex:OpenAlex")
