"""Collects the texts to translate, those that the engine marks too."""

from django.core.management.commands.makemessages import Command as Base


class Command(Base):
    """As Django's; `games` has no gettext, so its texts are known by the names they are passed to."""

    xgettext_options = [*Base.xgettext_options, "--keyword=marked", "--keyword=Malformed"]
