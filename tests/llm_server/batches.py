"""Files and batches of the OpenAI protocol, for the local server.

A batch is done after ``polls`` looks. ``fault`` says what becomes of each call, from its
``custom_id``, its body, and how many batches held it before:

"" answered; "error" an error of the server; "bad" refused because of its form; "expired", "missing"
no result; "damaged" a line that is not JSON; "twice" two lines; "foreign" a line for another call
besides its own; "no-choices" a result without a reply.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Fault = Callable[[str, dict[str, Any], int], str]
_FILE_OF_ERRORS = ("error", "bad", "expired")


@dataclass
class BatchRoutes:
    """The state of the files and batches of a server; ``status`` is what batches end as.

    ``fail_look`` gets the number of a look and returns an HTTP status instead of the batch, or 0.
    ``before_create`` is called with the metadata before a batch is answered for, and after it was
    made: "cut" then breaks the connection, so the client cannot know that the batch exists.
    """

    polls: int = 1
    status: str = "completed"
    code: str = ""
    fault: Fault = lambda key, body, times: ""
    fail_look: Callable[[int], int] = lambda number: 0
    after_create: Callable[[int], str] = lambda number: ""
    hold: bool = False  # no batch ends as long as this is set
    files: dict[str, bytes] = field(default_factory=dict)
    made: dict[str, dict[str, Any]] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)
    looks: Counter[str] = field(default_factory=Counter)
    looked: int = 0
    paid: Counter[str] = field(default_factory=Counter)

    def add(self, app: web.Application, complete: Any, denied: Any) -> None:
        """Add the routes; ``complete`` answers a body, ``denied`` checks the key."""
        self._complete = complete
        self._denied = denied
        app.router.add_post("/v1/files", self._upload)
        app.router.add_get("/v1/files/{id}/content", self._content)
        app.router.add_post("/v1/batches", self._create)
        app.router.add_get("/v1/batches", self._list)
        app.router.add_get("/v1/batches/{id}", self._look)

    async def _upload(self, request: web.Request) -> web.Response:
        denied = self._denied(request)
        if denied is not None:
            return denied  # type: ignore[no-any-return]
        form = await request.post()
        file = form["file"]
        assert isinstance(file, web.FileField)
        number = f"file-{len(self.files) + 1}"
        self.files[number] = file.file.read()
        return web.json_response(
            {
                "id": number,
                "object": "file",
                "bytes": len(self.files[number]),
                "created_at": 1,
                "filename": file.filename,
                "purpose": str(form["purpose"]),
                "status": "processed",
            }
        )

    async def _content(self, request: web.Request) -> web.Response:
        found = self.files.get(request.match_info["id"])
        if found is None:
            return _error(404, "No such File object")
        return web.Response(body=found, content_type="application/octet-stream")

    async def _create(self, request: web.Request) -> web.StreamResponse:
        denied = self._denied(request)
        if denied is not None:
            return denied  # type: ignore[no-any-return]
        body = await request.json()
        number = f"batch_{len(self.made) + 1}"
        lines = self.files[body["input_file_id"]].splitlines()
        self.made[number] = {
            "id": number,
            "object": "batch",
            "endpoint": body["endpoint"],
            "input_file_id": body["input_file_id"],
            "completion_window": body["completion_window"],
            "metadata": body.get("metadata"),
            "status": "validating",
            "created_at": int(time.time()),
            "request_counts": {"total": len(lines), "completed": 0, "failed": 0},
        }
        how = self.after_create(len(self.made))
        if how == "cut":
            assert request.transport is not None
            request.transport.abort()
        if how == "hang":
            await asyncio.sleep(60)
        return web.json_response(self.made[number])

    async def _list(self, request: web.Request) -> web.Response:
        denied = self._denied(request)
        if denied is not None:
            return denied  # type: ignore[no-any-return]
        after = request.query.get("after")
        rows = sorted(self.made.values(), key=lambda row: -int(row["id"][6:]))
        if after:
            rows = [row for row in rows if int(row["id"][6:]) < int(after[6:])]
        limit = int(request.query.get("limit", 20))
        more = len(rows) > limit
        return web.json_response({"object": "list", "data": rows[:limit], "has_more": more})

    async def _look(self, request: web.Request) -> web.Response:
        self.looked += 1
        status = self.fail_look(self.looked)
        if status:
            return _error(status, "Rate limit reached" if status == 429 else "Overloaded")
        number = request.match_info["id"]
        if number not in self.made:
            return _error(404, f"No batch found with id '{number}'")
        self.looks[number] += 1
        batch = self.made[number]
        if self.looks[number] >= self.polls and not self.hold and self.status != "in_progress":
            self._end(batch)
        elif batch["status"] == "validating":
            batch["status"] = "in_progress"
        return web.json_response(batch)

    def _end(self, batch: dict[str, Any]) -> None:
        if batch["status"] in ("completed", "failed", "expired", "cancelled"):
            return
        batch["status"] = self.status
        if self.status == "failed":
            error = {"code": self.code, "message": "the batch failed", "line": None, "param": None}
            batch["errors"] = {"object": "list", "data": [error]}
            return
        good: list[str] = []
        bad: list[str] = []
        for raw in self.files[batch["input_file_id"]].splitlines():
            row = json.loads(raw)
            key, body = row["custom_id"], row["body"]
            fault = self.fault(key, body, self.times[key])
            self.times[key] += 1
            if fault not in ("expired", "error", "bad"):
                self.paid[key] += 1
            bad_file = fault in _FILE_OF_ERRORS
            (bad if bad_file else good).extend(self._lines(key, body, fault))
        for name, lines in (("output", good), ("error", bad)):
            if lines:
                number = f"file-{len(self.files) + 1}"
                self.files[number] = ("\n".join(lines) + "\n").encode()
                batch[f"{name}_file_id"] = number
        batch["request_counts"].update(completed=len(good), failed=len(bad))

    def _lines(self, key: str, body: dict[str, Any], fault: str) -> list[str]:
        if fault == "missing":
            return []
        if fault == "expired":
            error = {"code": "batch_expired", "message": "This request could not be executed."}
            return [json.dumps({"custom_id": key, "response": None, "error": error})]
        if fault == "error":
            return [_line(key, 500, {"error": {"message": "The server had an error"}})]
        if fault == "bad":
            message = "Unsupported parameter: 'response_format' is not supported."
            error = {"message": message, "param": "response_format"}
            return [_line(key, 400, {"error": error})]
        whole = _line(key, 200, self._complete(body, ""))
        if fault == "damaged":
            return [whole[: len(whole) // 2]]
        if fault == "no-choices":
            return [_line(key, 200, {"id": "x"})]
        if fault == "twice":
            other = self._complete({**body, "messages": [{"role": "user", "content": "no"}]}, "")
            return [whole, _line(key, 200, other)]
        if fault == "foreign":
            return [_line("ab" * 32, 200, self._complete(body, "")), whole]
        if fault:
            return [_line(key, 200, self._complete(body, fault))]
        return [whole]


def _line(key: str, status: int, body: Any) -> str:
    response = {"status_code": status, "request_id": "r", "body": body}
    return json.dumps({"id": "l", "custom_id": key, "response": response, "error": None})


def _error(status: int, message: str) -> web.Response:
    headers = {"Retry-After": "0.05"} if status == 429 else {}
    body = {"error": {"message": message, "type": "error", "param": None, "code": None}}
    return web.json_response(body, status=status, headers=headers)
