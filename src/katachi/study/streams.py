"""Answers that come line by line, made in threads, and closed whatever becomes of the visitor."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator
from threading import Lock
from typing import Any

from anyio.to_thread import run_sync
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from katachi.errors import KatachiError
from katachi.study.wire import to_json

Lines = Generator[dict[str, Any], None, None]


class Stream:
    """A generator that runs in threads, one step at a time.

    A step that nobody waits for any more goes on to its end in its thread, and the generator is
    closed there: it may be closed at any time.
    """

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._running = Lock()
        self._closed = False

    async def step(self) -> dict[str, Any] | None:
        """The next line; None if there is no other."""
        # If the task is cancelled, as by Ctrl-C, nobody waits for the thread: it may be compiling
        return await run_sync(self._step, abandon_on_cancel=True)

    def _step(self) -> dict[str, Any] | None:
        with self._running:
            found = next(self._lines, None)
        if self._closed:
            self._end()
        return found

    def close(self) -> None:
        """Close the generator, now or as soon as its step has ended. Does not wait."""
        self._closed = True  # before the attempt: the step looks at it after it has let go
        self._end()

    def _end(self) -> None:
        if self._running.acquire(blocking=False):
            try:
                self._lines.close()
            finally:
                self._running.release()


class LinesResponse(Response):
    """Lines of JSON: the first, which is there already, and those that the stream still has."""

    def __init__(self, first: dict[str, Any] | None, stream: Stream) -> None:
        super().__init__()
        self._first = first
        self._stream = stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it. The stream is closed at the end, even if the visitor has gone."""
        answer = StreamingResponse(self._bytes(), media_type="application/x-ndjson")
        try:
            await answer(scope, receive, send)
        finally:
            self._stream.close()

    async def _bytes(self) -> AsyncIterator[bytes]:
        line = self._first
        try:
            while line is not None:
                yield to_json(line) + b"\n"
                line = await self._stream.step()
        except KatachiError as error:
            yield to_json({"error": str(error)}) + b"\n"
