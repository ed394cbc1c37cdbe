"""The Celery app. Its settings are the names in settings.py that start with CELERY_."""

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
    """Makes the folders of the filesystem broker, which does not do so itself."""
    for name, folder in sender.conf.broker_transport_options.items():
        if name.startswith("data_folder"):
            Path(folder).mkdir(parents=True, exist_ok=True)


@worker_init.connect
def follow_the_server(**_: Any) -> None:
    end_with_parent(os.getpgrp())
