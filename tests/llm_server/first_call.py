"""The first call of litellm, which loads most of it and warns."""

from __future__ import annotations

import gc
import warnings
from functools import cache


@cache
def load_litellm() -> None:
    """Import what litellm imports with its first call, warns of once, and never releases: later
    passes of the garbage collector leave it out.
    """
    from revkit.services.llm.litellm_transport import load

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        turn = {"role": "user", "content": "x"}
        load().completion(model="openai/x", messages=[turn], mock_response="y", api_key="none")
        import litellm.llms.github_copilot.per_user_auth  # noqa: F401
    gc.collect()
    gc.freeze()
