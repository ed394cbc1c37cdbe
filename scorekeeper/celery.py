"""The Celery app. Its settings are the names in settings.py that start with CELERY_."""

import os
from pathlib import Path
from threading import Thread
from typing import Any

from celery import Celery
from celery.beat import Service
from celery.signals import worker_init, worker_ready

from scorekeeper.serving import broker
from scorekeeper.serving.garbage import skip_what_stays
from scorekeeper.serving.worker import end_with_parent, has_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
broker.use()
app = Celery("scorekeeper")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_configure.connect
def make_folders(sender: Celery, **_: Any) -> None:
    """Makes the folders of the filesystem broker, which does not do so itself."""
    for name, folder in sender.conf.broker_transport_options.items():
        if name.startswith("data_folder"):
            Path(folder).mkdir(parents=True, exist_ok=True)


@worker_init.connect
def follow_the_server(**_: Any) -> None:
    """The worker of `manage.py up` ends with it, and is also the beat: a thread, so that neither runs without the
    other. Celery's own option would make a process that nobody starts again."""
    if has_parent():
        end_with_parent(os.getpgrp())
        beat = Service(app, scheduler_cls=app.conf.beat_scheduler)
        Thread(target=beat.start, name="beat", daemon=True).start()


@worker_ready.connect
def begin_at_once(**_: Any) -> None:
    """A new worker sweeps now, not after half a minute: then all know that it is there."""
    app.tasks["scorekeeper.sweep"].delay()
    skip_what_stays()  # all is loaded now
