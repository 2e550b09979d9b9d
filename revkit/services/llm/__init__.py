"""Language models: one gateway, and what it cost."""

from revkit.services.llm.gateway import ModelGateway

__all__ = ["ModelGateway"]
