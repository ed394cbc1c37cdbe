"""The one Django app."""

from django.apps import AppConfig


class ScorekeeperConfig(AppConfig):
    name = "scorekeeper"

    def ready(self) -> None:
        from axes.signals import user_locked_out
        from django.contrib.auth.signals import user_logged_in
        from django.db.models.signals import post_migrate
        from django.urls import register_converter

        from scorekeeper import celery, checks  # noqa: F401  (both register themselves)
        from scorekeeper.converters import RowConverter
        from scorekeeper.models.named import index_names
        from scorekeeper.services.accounts import note_sign_in
        from scorekeeper.services.audit import locked_out, signed_in

        register_converter(RowConverter, "row")
        post_migrate.connect(index_names, sender=self)
        user_logged_in.connect(signed_in)
        user_logged_in.connect(note_sign_in)
        user_locked_out.connect(locked_out)
