"""What an ASGI server starts: `uvicorn scorekeeper.asgi:application`."""

import os
import warnings

import django
from django.utils.module_loading import import_string

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
# WhiteNoise hands small files out in one piece; the advice to stream them otherwise would only worry a host.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
django.setup(set_prefix=False)
application = import_string("scorekeeper.serving.application.Application")()
