"""Drives a headless Chromium through its DevTools protocol, for tests of pages."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any

CHROMIUM = next(
    (
        path
        for name in ("chromium", "chromium-browser", "google-chrome")
        if (path := shutil.which(name))
    ),
    None,
)
WAIT = 60.0  # seconds
# axe-core is not a package of this project: a file of it is named by this variable.
AXE = Path(os.environ.get("REVKIT_AXE", ""))


class Browser:
    """One browser with one page at a time. Collects what would show that a text was executed:
    dialogs, exceptions, messages of the console, and requests.
    """

    def __init__(self, folder: Path) -> None:
        assert CHROMIUM is not None
        self._loop = asyncio.new_event_loop()
        self._numbers = itertools.count(1)
        self._session = ""
        self.events: list[dict[str, Any]] = []
        self._process = subprocess.Popen(
            [
                CHROMIUM,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                f"--user-data-dir={folder}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._run(self._connect(folder / "DevToolsActivePort"))

    def _run(self, coroutine: Any) -> Any:
        return self._loop.run_until_complete(asyncio.wait_for(coroutine, WAIT))

    async def _connect(self, port_file: Path) -> None:
        import aiohttp

        end = time.monotonic() + WAIT
        while not port_file.is_file() or port_file.read_text().count("\n") < 1:
            assert time.monotonic() < end, "the browser does not start"
            await asyncio.sleep(0.05)
        port, path = port_file.read_text().split("\n")[:2]
        self._client = aiohttp.ClientSession()
        self._socket = await self._client.ws_connect(
            f"ws://127.0.0.1:{port}{path}", max_msg_size=2**28
        )
        target = await self._send("Target.createTarget", url="about:blank")
        attached = await self._send(
            "Target.attachToTarget", targetId=target["targetId"], flatten=True
        )
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            await self._send(f"{domain}.enable")

    async def _send(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        await self._socket.send_str(json.dumps(message))
        while True:
            found = await self._next()
            if found.get("id") == number:
                assert "error" not in found, (method, found["error"])
                return found["result"]

    async def _next(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((await self._socket.receive()).data)
        if "method" in found:
            self.events.append(found)
            if found["method"] == "Page.javascriptDialogOpening":
                await self._socket.send_str(
                    json.dumps(
                        {
                            "id": next(self._numbers),
                            "method": "Page.handleJavaScriptDialog",
                            "params": {"accept": True},
                            "sessionId": self._session,
                        }
                    )
                )
        return found

    def send(self, method: str, **parameters: Any) -> Any:
        return self._run(self._send(method, **parameters))

    def view(self, width: int, *, dark: bool = False, height: int = 900) -> None:
        """Set the size of the window, and the scheme of colours that the user prefers."""
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, address: str) -> float:
        """Open an address, and return the seconds from its start to the second frame after it."""

        async def load() -> None:
            self.events.clear()
            found = await self._send("Page.navigate", url=address)
            assert "errorText" not in found, found
            while not any(each["method"] == "Page.loadEventFired" for each in self.events):
                await self._next()

        self._run(load())
        frames = "new Promise(d => requestAnimationFrame(() => requestAnimationFrame(d)))"
        return float(self.evaluate(f"{frames}.then(() => performance.now())")) / 1000

    def evaluate(self, script: str) -> Any:
        """Return the value of a script as JSON."""
        found = self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def picture(self, path: Path) -> None:
        """Save what the page shows."""
        import base64

        found = self.send("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(found["data"]))

    def violations(self) -> list[str]:
        """The rules of axe-core that the page breaks, each with the first place."""
        self.send("Page.setBypassCSP", enabled=True)
        try:
            self.open(self.evaluate("location.href"))
            self.evaluate(AXE.read_text(encoding="utf-8") + ";1")
            script = "axe.run().then(f => f.violations.map(v => v.id + ' ' + v.nodes[0].html))"
            found: list[str] = self.evaluate(script)
            return found
        finally:
            self.send("Page.setBypassCSP", enabled=False)

    def troubles(self) -> list[str]:
        """Everything that a quiet page does not do: dialogs, exceptions, messages."""
        kinds = {"Page.javascriptDialogOpening", "Runtime.exceptionThrown", "Log.entryAdded"}
        kinds.add("Runtime.consoleAPICalled")
        return [json.dumps(each)[:600] for each in self.events if each["method"] in kinds]

    def requests(self) -> list[str]:
        """The addresses that were asked since the page was opened."""
        return [
            each["params"]["request"]["url"]
            for each in self.events
            if each["method"] == "Network.requestWillBeSent"
        ]

    def close(self) -> None:
        async def close() -> None:
            await self._socket.close()
            await self._client.close()

        self._run(close())
        self._process.terminate()
        self._process.wait(WAIT)
        self._loop.close()

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
