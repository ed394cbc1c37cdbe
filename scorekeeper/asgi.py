"""The application of the web server in scorekeeper/serving/server.py, which limits what connections may cost."""

import os
import warnings

import django
from django.utils.module_loading import import_string

from scorekeeper.serving.patience import answer_in_time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
# WhiteNoise sends small files in one piece; Django's advice to stream them would only worry a host.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
django.setup(set_prefix=False)
answer_in_time()
application = import_string("scorekeeper.serving.application.Application")()
