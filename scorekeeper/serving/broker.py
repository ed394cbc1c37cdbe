"""The folder that is the broker without Redis, for several processes at once."""

import os
from time import monotonic_ns
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]
        """Puts a message into the folder under its name only when it is complete. Kombu's own way opens it there first,
        and a worker that reads it at that moment ends with an error."""
        name = f"{monotonic_ns() // 10**6}_{uuid4()}"
        unfinished = os.path.join(self.data_folder_out, f"{name}.part")  # no queue has this name
        try:
            with open(unfinished, "w", encoding="utf-8") as file:
                file.write(dumps(payload))
            os.replace(unfinished, os.path.join(self.data_folder_out, f"{name}.{queue}.msg"))
        except OSError as error:
            raise ChannelError(f"Cannot write {unfinished!r}.") from error


class Transport(filesystem.Transport):
    Channel = Channel


def use() -> None:
    """Makes addresses that begin with filesystem:// lead to this transport."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"
