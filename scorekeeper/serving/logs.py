"""What the server writes to its log: one JSON object a line for programs, or text for people. No secrets."""

import json
import logging
import re
import secrets
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

# These addresses let in whoever knows them.
SECRET = re.compile(r"/(t|setup|password|invitation|here|claim|captain|address)/[^/\s]+")

request_id: ContextVar[str] = ContextVar("request id", default="")
requests = logging.getLogger("scorekeeper.requests")


def new_id() -> str:
    """A short name for a request, which people can read out."""
    return secrets.token_hex(4)


def answered(method: str, path: str, status: int, seconds: float) -> None:
    """A line for a request, without its query."""
    told = {"status": status, "ms": round(1000 * seconds)}
    requests.info("%s %s", method, path, extra={"told": told})


class OfRequests(logging.Filter):
    """Adds the id of the request during which something was logged, and takes the tokens out of addresses."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        record.msg, record.args = SECRET.sub(r"/\1/…", record.getMessage()), ()
        return True


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "request": getattr(record, "request_id", ""),
            **getattr(record, "told", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps({name: value for name, value in line.items() if value != ""}, ensure_ascii=False)
