"""Collects the texts to translate, including those of `games`."""

from django.core.management.commands.makemessages import Command as Base


class Command(Base):
    """Django's command. `games` has no gettext: its texts are the arguments of `marked` and `Malformed`."""

    xgettext_options = [*Base.xgettext_options, "--keyword=marked", "--keyword=Malformed"]
