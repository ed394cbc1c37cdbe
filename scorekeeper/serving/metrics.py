"""Figures about this process, in the format of Prometheus."""

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from scorekeeper.live.hub import hub
from scorekeeper.serving.connections import Connection, crowd

CONTENT_TYPE = CONTENT_TYPE_LATEST
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 3, 10)  # seconds

_registry = CollectorRegistry()
_requests = Counter("scorekeeper_requests", "Answered requests", ["kind", "status"], registry=_registry)
_seconds = Histogram(
    "scorekeeper_request_seconds", "Time until the answer began", ["kind"], buckets=BUCKETS, registry=_registry
)
_followers = Gauge("scorekeeper_followers", "Open live streams", registry=_registry)
_connections = Gauge("scorekeeper_connections", "Open connections", registry=_registry)
# The same in every process: take the greatest, not the sum.
_entries = Gauge("scorekeeper_entries", "Number of the newest entry: it grows with each", registry=_registry)
_job_age = Gauge("scorekeeper_job_age_seconds", "How long the oldest job that is due has waited", registry=_registry)
_free = Gauge("scorekeeper_disk_free_bytes", "Free space for the data folder", registry=_registry)


def answered(kind: str, status: int, seconds: float) -> None:
    """Counts a request. Errors of the server are those with a status from 500 on."""
    _requests.labels(kind, status).inc()
    _seconds.labels(kind).observe(seconds)


def text(*, entries: float, job_age: float, free: int) -> bytes:
    """All figures. Those that nobody knows now are not a number (`math.nan`)."""
    spectators = Connection.spectators.followers if Connection.spectators else 0
    for gauge, value in (
        (_followers, hub.followers + spectators),
        (_connections, crowd.open + spectators),
        (_entries, entries),
        (_job_age, job_age),
        (_free, free),
    ):
        gauge.set(value)
    return generate_latest(_registry)
