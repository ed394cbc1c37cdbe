"""`manage.py draw`: the process in which `up` draws what people watch. Nobody starts it by hand."""

import os
import sys
from typing import Any

from django.core.management import BaseCommand
from django.urls import get_resolver

from scorekeeper.serving.drawing import answer_all
from scorekeeper.serving.patience import answer_in_time


class Command(BaseCommand):
    help = "Draws for `manage.py up`, which starts this. Not for use by hand."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        _ = get_resolver().url_patterns  # each page registers its parts
        answer_in_time()
        answer_all(sys.stdin.buffer, sys.stdout.buffer)
        os._exit(0)  # it has nothing to tidy up, and nobody should wait for it
