"""What an ASGI server starts: `uvicorn scorekeeper.asgi:application`."""

import os
import warnings

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "scorekeeper.settings")
# WhiteNoise hands small files out in one piece; the advice to stream them otherwise would only worry a host.
warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
application = get_asgi_application()
