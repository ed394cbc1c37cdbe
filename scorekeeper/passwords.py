"""How passwords are stored."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class OneCoreArgon2(Argon2PasswordHasher):
    """Argon2 as in Django, but in one thread: whoever tries passwords must not take all processors from the tables."""

    parallelism = 1
