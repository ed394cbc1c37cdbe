"""The one Django app."""

from django.apps import AppConfig


class ScorekeeperConfig(AppConfig):
    name = "scorekeeper"

    def ready(self) -> None:
        from scorekeeper import celery, checks  # noqa: F401  (both register themselves)
