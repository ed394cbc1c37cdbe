"""How long a process waits for its database."""

from django.conf import settings


def answer_in_time() -> None:
    """From now on, this process gives up each statement that PostgreSQL does not answer in time. For all that answer
    requests; SQLite cannot hang."""
    if pool := settings.DATABASES["default"]["OPTIONS"].get("pool"):
        pool["connection_class"].patience = settings.ANSWER_WITHIN
