"""The answers of the server: JSON, and mistakes, each a sentence and a status."""

from __future__ import annotations

import sys
import traceback
from typing import Any, Final

from starlette.requests import ClientDisconnect
from starlette.responses import Response

from katachi.errors import KatachiError
from katachi.study.guard import TooLarge
from katachi.study.opponents import Busy
from katachi.study.wire import to_json

LONGEST: Final = 400  # characters of a sentence
RETRY_AFTER: Final = "1"  # seconds


def data_reply(
    data: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """JSON of this, as `to_json` makes it."""
    return Response(to_json(data), status, headers, media_type="application/json")


def mistake(words: str, status: int, headers: dict[str, str] | None = None) -> Response:
    """{"error": words}, which are shortened."""
    short = words if len(words) <= LONGEST else f"{words[:LONGEST]} …"  # it may quote the request
    return data_reply({"error": short}, status, headers)


def failure(error: Exception) -> Response:
    """The answer to a request that something was wrong with."""
    match error:
        case TooLarge():
            return mistake(str(error), 413)
        case Busy():
            return mistake(str(error), 429 if error.own else 503, {"Retry-After": RETRY_AFTER})
        case KatachiError():
            return mistake(str(error), 400)
        case ClientDisconnect():
            return mistake("the request has no end", 400)  # which nobody reads
    traceback.print_exception(error, file=sys.stderr)
    return mistake("something went wrong: see the terminal", 500)
