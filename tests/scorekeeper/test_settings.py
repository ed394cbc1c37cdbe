"""Settings are read strictly, and combinations that cannot work are reported."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as live_settings
from django.core.exceptions import ImproperlyConfigured

from scorekeeper import settings as ours
from scorekeeper.checks import settings_work_together


@pytest.mark.parametrize(("text", "value"), [("", True), ("1", True), ("0", False)])
def test_a_flag(monkeypatch: pytest.MonkeyPatch, text: str, value: bool) -> None:
    monkeypatch.setenv("FLAG", text)
    assert ours.env_flag("FLAG", True) is value


@pytest.mark.parametrize(
    ("name", "text", "read"),
    [
        ("FLAG", "yes", lambda: ours.env_flag("FLAG", False)),
        ("FLAG", "true", lambda: ours.env_flag("FLAG", False)),
        ("REDIS_URL", "localhost:6379", lambda: ours.env_url("REDIS_URL", "redis")),
        ("EMAIL_URL", "mail.example.org", lambda: ours.env_url("EMAIL_URL", "smtp")),
        ("EMAIL_URL", "smtp://mail.example.org", lambda: ours.mail("smtp://mail.example.org")),
        ("EMAIL_URL", "smtp://?from=a@example.org", lambda: ours.mail("smtp://?from=a@example.org")),
        ("EMAIL_URL", "smtp://h:x?from=a@example.org", lambda: ours.mail("smtp://h:x?from=a@example.org")),
        ("EMAIL_URL", "smtp://h?from=a@b&x=1", lambda: ours.mail("smtp://h?from=a@b&x=1")),
        ("SCOREKEEPER_PUBLIC_URL", "scores.example.org", ours.public_url),
        ("SCOREKEEPER_PUBLIC_URL", "ftp://scores.example.org", ours.public_url),
        ("SCOREKEEPER_PUBLIC_URL", "https://", ours.public_url),
        ("SCOREKEEPER_PUBLIC_URL", "https://example.org/scores", ours.public_url),
    ],
)
def test_an_odd_value_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, read: Callable[[], Any]
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(ImproperlyConfigured, match=name):
        read()


def test_a_mail_server() -> None:
    mail = ours.mail("smtp+tls://ann:p%40ss@mail.example.org?from=scores@example.org")
    assert (mail["EMAIL_HOST"], mail["EMAIL_PORT"]) == ("mail.example.org", 587)
    assert (mail["EMAIL_HOST_USER"], mail["EMAIL_HOST_PASSWORD"]) == ("ann", "p@ss")
    assert (mail["EMAIL_USE_TLS"], mail["EMAIL_USE_SSL"]) == (True, False)
    assert mail["DEFAULT_FROM_EMAIL"] == "scores@example.org"


@pytest.mark.parametrize(
    ("zone", "read"),
    [("Europe/Madrid", "Europe/Madrid"), (":America/Chicago", "America/Chicago"), ("Etc/UTC", "UTC"), ("XYZ3", "UTC")],
)
def test_the_time_zone_of_the_machine(monkeypatch: pytest.MonkeyPatch, zone: str, read: str) -> None:
    monkeypatch.setenv("TZ", zone)
    assert ours.machine_zone() == read


def test_words_and_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORDS", " a.example , b.example,, ")
    monkeypatch.setenv("SCOREKEEPER_PUBLIC_URL", " https://scores.example.org/ ")
    monkeypatch.delenv("NOTHING", raising=False)
    assert ours.env_words("WORDS") == ["a.example", "b.example"]
    assert ours.env_words("NOTHING") == []
    assert ours.public_url() == "https://scores.example.org"
    assert ours.env_url("NOTHING", "redis") == ""


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (
            "postgres://ann:p%40ss@db.example:5433/scores",
            ("scores", "ann", "p@ss", "db.example", "5433", {"options": "-c jit=off"}),
        ),
        ("postgres:///scores", ("scores", "", "", "", "", {"options": "-c jit=off"})),
        (
            "postgresql://ann@/scores?host=/run/postgresql&options=-c%20jit%3Don",
            ("scores", "ann", "", "/run/postgresql", "", {"options": "-c jit=on"}),
        ),
        (
            "postgres://h/scores?sslmode=require",
            ("scores", "", "", "h", "", {"options": "-c jit=off", "sslmode": "require"}),
        ),
    ],
)
def test_a_database_address(url: str, expected: tuple[Any, ...]) -> None:
    read = ours.database(url, Path("/nowhere"))
    options = {name: value for name, value in read["OPTIONS"].items() if name not in {"pool", *ours.PATIENCE}}
    assert (*(read[name] for name in ("NAME", "USER", "PASSWORD", "HOST", "PORT")), options) == expected
    assert read["OPTIONS"]["pool"]


@pytest.mark.parametrize(
    "url", ["postgres://host", "postgres://host/", "postgres://h:port/x", "postgres://h/x?sslmode"]
)
def test_an_odd_database_address_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL"):
        ours.database(url, Path("/nowhere"))


def test_without_one_the_database_is_a_file_in_the_data_folder(tmp_path: Path) -> None:
    read = ours.database("", tmp_path)
    assert read["NAME"] == tmp_path / "db.sqlite3"
    assert read["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_the_secret_key_is_made_once_and_read_by_its_owner_only(tmp_path: Path) -> None:
    key = ours.secret_key(tmp_path / "new")
    assert ours.secret_key(tmp_path / "new") == key
    assert len(key) >= 50
    assert [(file.name, file.stat().st_mode & 0o777) for file in (tmp_path / "new").iterdir()] == [
        ("secret_key", 0o600)
    ]
    assert ours.secret_key(tmp_path / "other") != key


def test_first_starts_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as threads:
        assert len(set(threads.map(lambda _: ours.secret_key(tmp_path), range(16)))) == 1


def test_a_folder_or_key_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    (tmp_path / "secret_key").write_text("\n")
    with pytest.raises(ImproperlyConfigured, match="is empty"):
        ours.secret_key(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(ImproperlyConfigured, match="cannot be used"):
        ours.secret_key(tmp_path / "file")


# --- system checks -------------------------------------------------------------------------------------------
def test_our_own_settings_work_together() -> None:
    assert settings_work_together() == []


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"ALLOWED_HOSTS": ["*"]}, ["scorekeeper.E001"]),
        ({"DEBUG": True, "PUBLIC_URL": "http://scores.example.org"}, ["scorekeeper.E002"]),
        ({"DEBUG": True, "PUBLIC_URL": "http://localhost:8000"}, []),
        ({"DEBUG": True}, []),
        ({"PUBLIC_URL": "https://scores.example.org", "SESSION_COOKIE_SECURE": False}, ["scorekeeper.E003"]),
        ({"PUBLIC_URL": "https://scores.example.org", "SESSION_COOKIE_SECURE": True}, []),
    ],
)
def test_what_cannot_work_together_is_found(settings: Any, values: dict[str, Any], found: list[str]) -> None:
    for name, value in values.items():
        setattr(settings, name, value)
    assert [message.id for message in settings_work_together()] == found


def test_no_host_is_answered_but_those_named() -> None:
    assert "*" not in live_settings.ALLOWED_HOSTS
