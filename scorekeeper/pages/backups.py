"""The page of the backups."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.utils.translation import gettext as _

from scorekeeper.models import Club, Job


@dataclass(frozen=True, slots=True)
class BackupLine:
    name: str
    why: str
    made_at: datetime
    size: int


@dataclass(frozen=True, kw_only=True)
class BackupsPage:
    club: Club | None
    """The owner's only club; None if they own several."""
    job: Job | None
    """The newest one."""
    going: bool
    restoring: bool
    can_restore: bool
    """Whether the server can restart itself."""
    refused: str
    """Why the chosen backup cannot be restored."""
    backups: list[BackupLine]
    folder: Path
    newest: Path | None


def backups_page(
    clubs: Sequence[Club],
    folder: Path,
    files: list[Path],
    job: Job | None,
    *,
    restoring: bool,
    can_restore: bool,
    refused: str = "",
) -> BackupsPage:
    """`clubs`: those of the owner. `files`: the newest first."""
    return BackupsPage(
        club=clubs[0] if len(clubs) == 1 else None,
        job=job,
        going=job is not None and job.state in (Job.State.NEW, Job.State.RUNNING),
        restoring=restoring,
        can_restore=can_restore,
        refused=refused,
        backups=[_line(file) for file in files],
        folder=folder,
        newest=files[0] if files else None,
    )


def _line(file: Path) -> BackupLine:
    reasons = {
        "daily": _("once a day"),
        "before-upgrade": _("before an upgrade"),
        "before-restore": _("before a restore"),
        "by-hand": _("by hand"),
        "after-deletion": _("after the name of a person was deleted"),
    }
    why = next((reason for start, reason in reasons.items() if file.name.startswith(start)), "")
    found = file.stat()
    return BackupLine(file.name, why, datetime.fromtimestamp(found.st_mtime, UTC), found.st_size)
