"""Interpret the status and message of an error in the same way for every transport."""

from __future__ import annotations

import re
from collections.abc import Mapping

from revkit.http import retry_after
from revkit.services.llm.transport import TransportError, Trouble

_CONTEXT = re.compile(
    r"context.{0,10}(?:length|window|size)|maximum (?:context|prompt|input)|too many (?:input )?"
    r"tokens|prompt is too long|input is too long|exceeds? the (?:available )?context"
    r"|reduce the length",
    re.IGNORECASE,
)
# What providers say of an account that cannot pay or may not be used. Gemini reports a limit of
# requests a minute as an exceeded quota, too, and says when to try again.
_ACCOUNT = re.compile(
    r"insufficient[ _](?:quota|balance|credits?|funds)|credit balance is too low|out of credits?\b"
    r"|(?:requires|need|add) more credits|payment[ _]required|billing[ _](?:hard[ _])?limit"
    r"|billing[ _]not[ _]active|account[ _](?:is |has been )?"
    r"(?:not active|inactive|deactivated|suspended|disabled|closed)"
    r"|exceeded your current quota(?!.{0,2000}(?:retry in|per.?minute|metric))",
    re.IGNORECASE | re.DOTALL,
)
_ACCOUNT_STATUSES = (400, 403, 429)
_REFUSED = re.compile(r"content.?(?:filter|policy|management)|responsibleai", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model.{0,80}(?:not found|does not exist|not exist|unknown|unsupported|invalid)"
    r"|(?:unknown|invalid|no such) model",
    re.IGNORECASE,
)
_UNSUPPORTED = re.compile(
    r"unsupported|not support|unrecognized|unknown|unexpected|not permitted|not allowed"
    r"|extra (?:inputs|fields)|invalid (?:value|type|parameter|schema)|must be|deprecated",
    re.IGNORECASE,
)
_STRUCTURE = ("response_format", "json_schema", "response schema", "strict", "guided_json")


def trouble_of(
    status: int | None,
    message: str,
    headers: Mapping[str, str],
    *,
    sent: Mapping[str, object] | None = None,
    raw: str = "",
) -> TransportError:
    """Return the error that ``status`` and ``message`` describe.

    ``sent`` holds the parameters that were sent: one that the message names as unsupported becomes
    ``unsupported`` of the error.
    """
    trouble, unsupported = _kind(status, message, sent or {})
    return TransportError(
        trouble,
        message,
        status=status,
        retry_after=retry_after(headers),
        unsupported=unsupported,
        raw=raw,
    )


def names_account(text: str) -> bool:
    """Return whether a message or a code states that the account has no credit or is closed."""
    return _ACCOUNT.search(text) is not None


def _kind(status: int | None, message: str, sent: Mapping[str, object]) -> tuple[Trouble, str]:
    if status is None or status >= 500 or status in (408, 409, 425):
        # Some servers answer 500 to a schema or a prompt that they cannot take.
        if status is not None and status >= 500 and _CONTEXT.search(message):
            return "context", ""
        return "server", _unsupported(message, sent) if status == 500 else ""
    if status == 402 or (status in _ACCOUNT_STATUSES and names_account(message)):
        return "account", ""
    if status == 429:
        return "rate", ""
    if status in (401, 403):
        return ("refusal", "") if _REFUSED.search(message) else ("key", "")
    if status == 404:
        return "missing", ""
    if status in (400, 413, 422):
        if status == 413 or _CONTEXT.search(message):
            return "context", ""
        if _REFUSED.search(message):
            return "refusal", ""
        unsupported = _unsupported(message, sent)
        if not unsupported and _NO_MODEL.search(message):
            return "missing", ""
        return "request", unsupported
    return "request", ""


def _unsupported(message: str, sent: Mapping[str, object]) -> str:
    """Return the name of the parameter in ``message``, if it is one that was sent."""
    if not _UNSUPPORTED.search(message):
        return ""
    lower = message.lower()
    if "response_format" in sent and any(word in lower for word in _STRUCTURE):
        return "response_format"
    mentioned = [name for name in sent if re.search(rf"\b{re.escape(name.lower())}\b", lower)]
    # A message may name the parameter to use instead: the one that comes first is meant.
    return min(mentioned, key=lambda name: lower.index(name.lower())) if mentioned else ""
