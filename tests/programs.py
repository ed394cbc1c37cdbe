"""Programs for tests that call the API."""

import json
from datetime import timedelta
from secrets import token_hex
from typing import Any

from django.test import Client
from django.utils import timezone

from scorekeeper.services import programs
from tests.conftest import Cast


class Program:
    """Sends JSON to the API as somebody who is signed in, or with a token. `events`: the kind that its steps are of."""

    def __init__(self, client: Client, events: str = "tournaments") -> None:
        self.client, self.events = client, events

    def call(self, method: str, path: str, body: Any = None, expected: int = 200) -> Any:
        """The JSON of the answer, which must have this status, or be 201 for something new."""
        sent = {"data": json.dumps(body), "content_type": "application/json"} if method == "POST" else {}
        answer = getattr(self.client, method.lower())(f"/api/v1/{path}", **sent)
        assert answer.status_code in ({200, 201} if expected == 200 else {expected}), answer.content
        return answer.json()

    def step(self, event: int, kind: str, expected: int = 200, **more: Any) -> Any:
        """One step by somebody who has seen all others."""
        seen = self.call("GET", f"{self.events}/{event}/")["length"]
        body = {"seen": seen, "key": token_hex(8), "kind": kind, **more}
        return self.call("POST", f"{self.events}/{event}/entries/", body, expected)


def directors_program(cast: Cast, events: str = "tournaments") -> Program:
    """With a token of a director, so it needs no session and no CSRF token."""
    lives = timedelta(days=1)
    token = programs.add(user=cast.users["director"], club=cast.club, name="Arbiter", lives=lives, now=timezone.now())
    return Program(Client(enforce_csrf_checks=True, headers={"authorization": f"Bearer {token}"}), events)
