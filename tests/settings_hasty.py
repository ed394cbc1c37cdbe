"""The settings of the server, with a sweep every second, and little patience with a database that hangs."""

from scorekeeper.settings import *  # noqa: F403
from scorekeeper.settings import CELERY_BEAT_SCHEDULE

CELERY_BEAT_SCHEDULE = {"sweep": CELERY_BEAT_SCHEDULE["sweep"] | {"schedule": 1.0}}
ANSWER_WITHIN = 1.5
