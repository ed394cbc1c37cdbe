"""The server's own settings, with a data folder that is gone afterwards and a hash that is quick."""

import os
import tempfile

if "SCOREKEEPER_DATA" not in os.environ:
    _folder = tempfile.TemporaryDirectory(prefix="scorekeeper-tests-")
    os.environ["SCOREKEEPER_DATA"] = _folder.name

from scorekeeper.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
