"""The Celery app: its settings are the CELERY_… of settings.py."""

import os
from pathlib import Path
from typing import Any

from celery import Celery
from celery.signals import worker_init

from scorekeeper.serving.worker import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
app = Celery("scorekeeper")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@app.on_after_configure.connect
def make_folders(sender: Celery, **_: Any) -> None:
    """The filesystem broker does not make the folders it works in."""
    for name, folder in sender.conf.broker_transport_options.items():
        if name.startswith("data_folder"):
            Path(folder).mkdir(parents=True, exist_ok=True)


@worker_init.connect
def follow_the_server(**_: Any) -> None:
    end_with_parent(os.getpgrp())
