"""Settings, read strictly from the environment. A fresh clone needs none of them.

SCOREKEEPER_DATA            the data folder (default: data/ next to manage.py)
SCOREKEEPER_ALLOWED_HOSTS   host names the server answers to, separated by commas
SCOREKEEPER_PUBLIC_URL      address at which phones reach it, like https://scores.example.org
SCOREKEEPER_PROXIES         addresses of proxies whose X-Forwarded headers count, separated by commas (default: none)
SCOREKEEPER_METRICS_TOKEN   the token with which Prometheus reads /metrics/ (default: nobody can)
SCOREKEEPER_LOG_JSON        1 or 0: the log as JSON, with a line for each request
SCOREKEEPER_DEBUG           1 or 0
DATABASE_URL                postgres://user:password@host:port/name (default: SQLite in the data folder)
REDIS_URL                   redis://host:port/number for broker, cache and live wake-up (default: none)
EMAIL_URL                   smtp://user:password@host:port?from=scores@example.org for mails (default: none are sent);
                            smtp+tls:// with STARTTLS, smtps:// with TLS from the start
TZ                          the time zone that new clubs have (default: that of the machine)
"""

import os
import secrets
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from celery.schedules import schedule
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured


def env_flag(name: str, default: bool) -> bool:
    text = os.environ.get(name, "")
    if text not in ("", "0", "1"):
        raise ImproperlyConfigured(f"{name} must be 1 or 0, not {text!r}.")
    return text == "1" if text else default


def env_words(name: str) -> list[str]:
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def env_url(name: str, *schemes: str) -> str:
    """The address in the variable `name` without a slash at its end; "" if it is not set."""
    text = os.environ.get(name, "").strip()
    if text and urlsplit(text).scheme not in schemes:
        raise ImproperlyConfigured(f"{name} must start with {' or '.join(s + '://' for s in schemes)}.")
    return text.rstrip("/")


def public_url() -> str:
    url = env_url("SCOREKEEPER_PUBLIC_URL", "http", "https")
    if url and (not urlsplit(url).hostname or urlsplit(url).path):
        raise ImproperlyConfigured(
            "SCOREKEEPER_PUBLIC_URL must be a scheme and a host, like https://scores.example.org."
        )
    return url


def secret_key(folder: Path) -> str:
    """The key in `folder`, made at the first start. Only its owner can read it."""
    file = folder / "secret_key"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not file.exists():
            # Written to another file and linked, so that two first starts at the same time use one complete key.
            fresh = folder / f"secret_key.{secrets.token_hex(8)}"
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as handle:
                handle.write(secrets.token_urlsafe(48))
            try:
                os.link(fresh, file)
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        key = file.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(f"The data folder {folder} cannot be used: {error.strerror}.") from error
    if not key:
        raise ImproperlyConfigured(f"{file} is empty. Delete it and start again: that makes a new key.")
    return key


def machine_zone() -> str:
    """The name of the machine's time zone, like Europe/Madrid; UTC if it has none."""
    name = os.environ.get("TZ", "").removeprefix(":") or os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a path, a rule like EST5EDT4, a folder
        return "UTC"
    return name if "/" in name and not name.startswith("Etc/") else "UTC"


def mail(url: str) -> dict[str, Any]:
    """Django's settings for the mail server at this address."""
    parts = urlsplit(url)
    try:
        given = dict(parse_qsl(parts.query, strict_parsing=True))
        sender, port = given.pop("from"), parts.port
    except (KeyError, ValueError) as error:
        raise ImproperlyConfigured("EMAIL_URL must end with ?from= and the address that mails come from.") from error
    if given or not parts.hostname or parts.path.strip("/"):
        raise ImproperlyConfigured("EMAIL_URL must be like smtp+tls://user:password@host:587?from=scores@example.org.")
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or {"smtp": 25, "smtp+tls": 587, "smtps": 465}[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_TIMEOUT": 20,  # seconds
        "DEFAULT_FROM_EMAIL": sender,
    }


def steady_now() -> datetime:
    """Grows with time, but is no date: a time that nobody can set."""
    return datetime.fromtimestamp(time.monotonic(), UTC)


def every(seconds: float) -> schedule:
    """A schedule for the beat. With a real clock, it would sleep for as long as that is set back."""
    return schedule(seconds, nowfun=steady_now)


# Seconds, a number of tries, and milliseconds, after which a machine that does not answer counts as away: a new
# connection, one without anything to do, and one that has sent something.
PATIENCE: dict[str, Any] = {
    "connect_timeout": 2,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
# Seconds for the answer to a statement of a request: nobody waits longer than three to learn that the database hangs.
ANSWER_WITHIN = 2.5


def database(url: str, folder: Path) -> dict[str, Any]:
    if not url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": folder / "db.sqlite3",
            # Threads keep their connections: closing the last one copies the whole write-ahead log into the file.
            "CONN_MAX_AGE": None,
            # Writers queue from their first statement on. A power cut loses no confirmed entry.
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                # What is deleted is overwritten, so that a deleted name is nowhere in the file.
                "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA secure_delete=ON;",
            },
            # A file, because some tests post from many threads.
            "TEST": {"NAME": folder / "test.sqlite3"},
        }
    parts = urlsplit(url)
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise ImproperlyConfigured("DATABASE_URL must end with the name of a database.")
    try:
        port = str(parts.port or "")
        options: dict[str, Any] = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}.") from error
    try:
        from scorekeeper.serving.postgresql import Connection
    except ImportError as error:
        raise ImproperlyConfigured("PostgreSQL's client is missing: pip install -e '.[postgres]'.") from error
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", "") or unquote(parts.hostname or ""),
        "PORT": port,
        # A pool gives no connection that has broken meanwhile. Without the database, a request waits two seconds.
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": PATIENCE
        | {"options": "-c jit=off"}  # to compile a ranking takes half as long as to read it
        | options
        | {
            "pool": {
                "connection_class": Connection,
                "min_size": 1,
                "max_size": 8,
                "timeout": 2,
                # After a long outage, the pool would wait for minutes before it tries again. Requests make it try.
                "reconnect_timeout": 0,
            }
        },
    }


BASE_DIR = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("SCOREKEEPER_DATA") or BASE_DIR / "data").absolute()
SECRET_KEY = secret_key(DATA)
DEBUG = env_flag("SCOREKEEPER_DEBUG", False)
PUBLIC_URL = public_url()
PROXIES = env_words("SCOREKEEPER_PROXIES")
METRICS_TOKEN = os.environ.get("SCOREKEEPER_METRICS_TOKEN", "").strip()
LOG_JSON = env_flag("SCOREKEEPER_LOG_JSON", False)
REDIS_URL = env_url("REDIS_URL", "redis", "rediss", "unix")
EMAIL_URL = env_url("EMAIL_URL", "smtp", "smtp+tls", "smtps")
if EMAIL_URL:
    globals().update(mail(EMAIL_URL))

ALLOWED_HOSTS = [*env_words("SCOREKEEPER_ALLOWED_HOSTS"), "localhost", "127.0.0.1", "[::1]"]
if PUBLIC_URL:
    ALLOWED_HOSTS.append(urlsplit(PUBLIC_URL).hostname or "")
    CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PUBLIC_URL.startswith("https://")

INSTALLED_APPS = [
    "scorekeeper",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "rest_framework",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "scorekeeper.views.head.as_get",
    "scorekeeper.views.troubles.with_page",
    "scorekeeper.place.visits",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "scorekeeper.urls"
ASGI_APPLICATION = "scorekeeper.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    ["scorekeeper.template_loader.Loader", "django.template.loaders.app_directories.Loader"],
                )
            ],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "scorekeeper.pages.way_back.way_back",
            ],
        },
    },
]

DATABASES = {"default": database(env_url("DATABASE_URL", "postgres", "postgresql"), DATA)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# Seconds. Whoever asks Redis gives up soon, because it may hang.
REDIS_TIMEOUTS = {"socket_connect_timeout": 2, "socket_timeout": 5}
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "OPTIONS": REDIS_TIMEOUTS,
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}

AUTH_USER_MODEL = "scorekeeper.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["scorekeeper.passwords.OneCoreArgon2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "home"
# Wrong passwords lock one user name for one address. Browsers on which that user signed in before are never locked out.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "scorekeeper.views.signing_in.lock_name"
AXES_CLIENT_IP_CALLABLE = "scorekeeper.views.signing_in.network"
AXES_WHITELIST_CALLABLE = "scorekeeper.views.signing_in.is_known"
AXES_LOCKOUT_CALLABLE = "scorekeeper.views.signing_in.locked_out"
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False

# With https, browsers that have been here once use nothing else for a month.
MONTH = 30 * 24 * 3600  # seconds
SECURE_HSTS_SECONDS = MONTH if PUBLIC_URL.startswith("https://") else 0
# The proxy leads from http to https; other names of the host's domain are not ours to decide about.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W008", "security.W021"]
# Browsers use it on https only, and print a warning on http.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if PUBLIC_URL.startswith("https://") else None

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "scorekeeper" / "locale"]
TIME_ZONE = machine_zone()
USE_TZ = True

STATIC_URL = "static/"
# Serves files directly from the packages' folders, without `collectstatic` before the first start.
WHITENOISE_USE_FINDERS = True

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "worker-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["scorekeeper.api.caller.TokenOrSession"],
    "DEFAULT_PERMISSION_CLASSES": [],
    # The doors read the bytes themselves, so that they refuse unreadable text in the same way as a bad record.
    "DEFAULT_PARSER_CLASSES": [],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "scorekeeper.api.answers.AlwaysJson",
    "EXCEPTION_HANDLER": "scorekeeper.api.errors.answer",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}

# For work that takes longer than a second. The rows of the ledger decide (services/jobs.py); a message only wakes a
# worker.
CELERY_BROKER_URL = REDIS_URL or "filesystem://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    REDIS_TIMEOUTS | {"visibility_timeout": 1800}  # longer than any task may take, or a task would run twice at once
    if REDIS_URL
    else {
        "data_folder_in": str(DATA / "queue" / "messages"),
        "data_folder_out": str(DATA / "queue" / "messages"),
        "control_folder": str(DATA / "queue" / "control"),
        "polling_interval": 0.1,
    }
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TASK_DEFAULT_QUEUE = "scorekeeper"
CELERY_TASK_IGNORE_RESULT = CELERY_TASK_ACKS_LATE = CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_TIME_LIMIT = 1500
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_ENABLE_REMOTE_CONTROL = bool(REDIS_URL)
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "scorekeeper.sweep", "schedule": every(30.0)}}
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # keeps no state between runs: the ledger does

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"format": "{asctime} {levelname} {name} {request_id}: {message}", "style": "{"},
        "json": {"()": "scorekeeper.serving.logs.JsonLines"},
    },
    "filters": {
        "without_traces": {
            "()": "django.utils.log.CallbackFilter",
            "callback": "ext://scorekeeper.serving.troubles.without_traces",
        },
        "of_requests": {"()": "scorekeeper.serving.logs.OfRequests"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "json" if LOG_JSON else "text",
            "filters": ["without_traces", "of_requests"],
        }
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        # Refused requests are normal, and their answers say why.
        "django.request": {"level": "ERROR"},
        # A line for each request is for programs to read.
        "scorekeeper.requests": {"level": "INFO" if LOG_JSON else "WARNING"},
    },
}
