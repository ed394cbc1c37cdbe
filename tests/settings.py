"""The settings of the server, with a temporary data folder and a fast password hash."""

import os
import tempfile

if "SCOREKEEPER_DATA" not in os.environ:
    _folder = tempfile.TemporaryDirectory(prefix="scorekeeper-tests-")
    os.environ["SCOREKEEPER_DATA"] = _folder.name

from scorekeeper.settings import *  # noqa: F403
from scorekeeper.settings import DATABASES

# Tests read times as they wrote them.
TIME_ZONE = "UTC"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A test's client reads no static files; looking for them takes longer than most requests.
WHITENOISE_USE_FINDERS = False
# Some tests have hundreds of threads, which a server never has.
if pool := DATABASES["default"]["OPTIONS"].get("pool"):
    pool["timeout"] = 60
