"""http: one client policy for all requests to servers.

Deadline, pace, ``Retry-After``, redirects, the size of responses, numbers from outside and the mask
of secrets are decided here, for searchers, agents and language models alike.

Each name is loaded when it is first used: a run without servers needs no event loop.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from revkit.http.background import Background
    from revkit.http.client import (
        MOST_REDIRECTS,
        Client,
        Fault,
        HttpError,
        Request,
        Response,
        address_problem,
        exchange,
        origin,
    )
    from revkit.http.delays import LONGEST_RETRY_AFTER, Backoff, Pace, retry_after
    from revkit.http.json_requests import AskError, Patience, Query, ask
    from revkit.http.secret_mask import (
        MASK,
        SHORTEST,
        Mask,
        MissingSecretError,
        Secrets,
        looks_secret,
        read_secret,
    )
    from revkit.http.values import MOST_COUNT, one_line, read_count, read_json, read_number
else:
    from revkit.lazy_names import lazy_names

    __getattr__ = lazy_names(
        __name__,
        {
            "background": "Background",
            "client": "MOST_REDIRECTS Client Fault HttpError Request Response address_problem "
            "exchange origin",
            "delays": "LONGEST_RETRY_AFTER Backoff Pace retry_after",
            "json_requests": "AskError Patience Query ask",
            "secret_mask": "MASK SHORTEST Mask MissingSecretError Secrets looks_secret read_secret",
            "values": "MOST_COUNT one_line read_count read_json read_number",
        },
    )

__all__ = [
    "LONGEST_RETRY_AFTER",
    "MASK",
    "MOST_COUNT",
    "MOST_REDIRECTS",
    "SHORTEST",
    "AskError",
    "Background",
    "Backoff",
    "Client",
    "Fault",
    "HttpError",
    "Mask",
    "MissingSecretError",
    "Pace",
    "Patience",
    "Query",
    "Request",
    "Response",
    "Secrets",
    "address_problem",
    "ask",
    "exchange",
    "looks_secret",
    "one_line",
    "origin",
    "read_count",
    "read_json",
    "read_number",
    "read_secret",
    "retry_after",
]
