#!/usr/bin/env python3
"""Scorekeeper's commands: `manage.py up` starts everything, `manage.py help` lists the rest."""

import os
import sys


def take_data(argv: list[str]) -> list[str]:
    """`argv` without `--data DIR`, which goes into the environment for the settings."""
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "--data" or word.startswith("--data="):
            folder = word.removeprefix("--data").removeprefix("=") or next(words, "")
            if not folder:
                sys.exit("manage.py: --data needs the name of a folder.")
            os.environ["SCOREKEEPER_DATA"] = os.path.abspath(folder)
        else:
            rest.append(word)
    return rest


def main() -> None:
    os.umask(0o077)  # data is for its owner only
    argv = take_data(sys.argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
    try:
        from django.conf import settings
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError as error:
        sys.exit(f"manage.py: {error}. Install the dependencies first, as README.md shows.")
    try:
        _ = settings.DATABASES
    except ImproperlyConfigured as error:
        sys.exit(f"manage.py: {error}")
    execute_from_command_line(argv)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:  # before a command handles it
        sys.exit(130)
    except BrokenPipeError:  # the reader of the output has closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
