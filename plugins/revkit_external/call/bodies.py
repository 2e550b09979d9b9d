"""Bodies of HTTP requests: JSON, forms, and forms with files."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode


def json_body(value: Any) -> tuple[bytes, str]:
    """Return ``value`` as a JSON body, and its content type."""
    return json.dumps(value, ensure_ascii=False).encode(), "application/json"


def form_body(fields: Mapping[str, str]) -> tuple[bytes, str]:
    """Return fields as a form body, and its content type."""
    return urlencode(fields).encode(), "application/x-www-form-urlencoded"


def multipart_body(parts: Mapping[str, tuple[str, bytes]]) -> tuple[bytes, str]:
    """Return fields (file name "") and files as a multipart body, and its content type."""
    mark = secrets.token_hex(16)
    body = bytearray()
    for name, (file, data) in parts.items():
        body += f'--{mark}\r\nContent-Disposition: form-data; name="{_quote(name)}"'.encode()
        if file:
            body += f'; filename="{_quote(file)}"\r\n'.encode()
            body += b"Content-Type: application/octet-stream"
        body += b"\r\n\r\n" + data + b"\r\n"
    body += f"--{mark}--\r\n".encode()
    return bytes(body), f"multipart/form-data; boundary={mark}"


def _quote(text: str) -> str:
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
