"""What the server does not take part in: requests from other sites, and those that are too large.

The page has no password: whoever can reach the port can use it. So it listens on the loopback
address only, and a request must name that as its host (a foreign name that was pointed at this
machine does not) and come from the page itself (other pages in the same browser do not).
"""

from __future__ import annotations

import json
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from katachi.errors import KatachiError

LARGEST: Final = 5_000_000  # bytes of a request
HOSTS: Final = ("127.0.0.1", "localhost", "[::1]")

SAFE: Final = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class TooLarge(KatachiError):
    """A request of more than LARGEST bytes."""


class Guard:
    """ASGI middleware: refuses what is foreign, counts what comes in, and marks what goes out."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts  # with their ports

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with the reason why not."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        reason = self._foreign(headers)
        if reason:
            await _answer(send, 403, reason)
            return
        length = headers.get("content-length") or "0"
        if len(length) > 20 or int(length) > LARGEST:
            await _answer(send, 413, _too_large())
            return
        came = 0

        async def counted() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            if came > LARGEST:
                raise TooLarge(_too_large())
            return message

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(k.lower().encode(), v.encode()) for k, v in SAFE.items()]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        await self._app(scope, counted, marked)

    def _foreign(self, headers: Headers) -> str:
        if headers.get("host", "") not in self._hosts:
            return "this server answers to its own address only"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] not in self._hosts:
            return "this server answers to its own page only"
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return "this server answers to its own page only"
        length = headers.get("content-length")
        if length is not None and not (length.isascii() and length.isdigit()):
            return "the length of the request is no number"
        return ""


def _too_large() -> str:
    return f"the file has more than {LARGEST // 10**6} MB, which no game record has"


async def _answer(send: Send, status: int, reason: str) -> None:
    body = json.dumps({"error": reason}).encode()
    headers: list[tuple[bytes, Any]] = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *((k.lower().encode(), v.encode()) for k, v in SAFE.items()),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
