"""The settings of the server, with a sweep every second, little patience with a database that hangs, and a clock that a
test can set: by the number of seconds in the file that the variable CLOCK names."""

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.utils import timezone

from scorekeeper.settings import *  # noqa: F403
from scorekeeper.settings import CELERY_BEAT_SCHEDULE, every

CELERY_BEAT_SCHEDULE = {"sweep": CELERY_BEAT_SCHEDULE["sweep"] | {"schedule": every(1.0)}}
ANSWER_WITHIN = 1.5

if clock := os.environ.get("CLOCK"):
    real_time = time.time
    time.time = lambda: real_time() + float(Path(clock).read_text())
    timezone.now = lambda: datetime.now(UTC) + timedelta(seconds=float(Path(clock).read_text()))
