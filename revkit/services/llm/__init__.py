"""Language models: one gateway for all calls, with budget and ledger."""

from revkit.services.llm.gateway import ModelGateway

__all__ = ["ModelGateway"]
