"""Every language except English is complete, and the compiled catalogue is up to date."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[2]
# The names that mark texts. The last two are of the engine, which does not use gettext.
MARKS = ["_", "gettext", "gettext_lazy", "ngettext", "pgettext", "npgettext", "marked", "Malformed"]
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def texts(language: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / "django.po"


def catalog(file: Path, language: str) -> Catalog:
    with file.open("rb") as source:
        return read_po(source, locale=language, abort_invalid=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_has_its_translation(language: str) -> None:
    missing = []
    for message in catalog(texts(language), language):
        written = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id and (message.fuzzy or not all(written)):
            missing.append(message.id)
    assert not missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_fill_in_the_same_names(language: str) -> None:
    wrong = [message.id for message in catalog(texts(language), language) if list(message.check())]
    assert not wrong


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    def plain(text: str | bytes | list[str] | tuple[str, ...] | None) -> str:
        if isinstance(text, bytes):
            return text.decode()
        return text if isinstance(text, str) else "\0".join(text or ())

    def said(catalog: Catalog) -> dict[tuple[str, str], str]:
        return {(plain(m.context), plain(m.id)): plain(m.string) for m in catalog if m.id}

    with texts(language).with_suffix(".mo").open("rb") as source:
        assert said(read_mo(source)) == said(catalog(texts(language), language))


def marked_texts() -> Iterator[str]:
    """Every text marked for translation, in Python and in templates."""
    files = [*(ROOT / "games").rglob("*.py"), *(ROOT / "scorekeeper").rglob("*.py")]
    sources = [file.read_text() for file in files]
    sources += [unindented(templatize(file.read_text())) for file in (ROOT / "templates").rglob("*.html")]
    for source in sources:
        for _line, name, found, _comments in extract_python(BytesIO(source.encode()), MARKS, [], {}):
            texts = [text for text in (found if isinstance(found, tuple) else (found,)) if text]
            if texts and name in ("pgettext", "npgettext"):
                texts = texts[1:]
            yield from texts[:1]


def unindented(source: str) -> str:
    """Python cannot parse the indentation of a template, so it is removed."""
    return "\n".join(line.lstrip() for line in source.splitlines())


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_was_forgotten(language: str) -> None:
    """If this fails, run `manage.py makemessages -l es`."""
    written = {
        message.id[0] if isinstance(message.id, tuple) else message.id for message in catalog(texts(language), language)
    }
    assert not {text for text in marked_texts() if text.strip()} - written
