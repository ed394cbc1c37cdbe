"""A browser without scripts: it reads the forms of a page and presses their buttons."""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urljoin

from django.http import HttpResponse
from django.test import Client, TestCase


@dataclass
class Button:
    name: str
    value: str
    words: str
    disabled: bool
    action: str = ""
    """Where it sends its form, if not where the form goes."""


@dataclass
class Form:
    action: str
    method: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    """Every field that can be filled in."""


def markup(html: str) -> str:
    """HTML for comparison: white space is one space, and there is none at the edges of tags."""
    return re.sub(r" ?(<[^<>]*?) ?(/?>) ?", r"\1\2", " ".join(html.split()))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.links: list[tuple[str, str]] = []
        self.text: list[str] = []
        self._form: Form | None = None
        self._words: list[str] | None = None
        self._area: str | None = None
        self._select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        got = {name: value or "" for name, value in attrs}
        here = dict(attrs)
        if tag == "form":
            assert self._form is None, "a form inside a form"
            self._form = Form(got.get("action", ""), got.get("method", "get").lower())
            self.forms.append(self._form)
        if tag == "a":
            self.links.append((got.get("href", ""), ""))
            self._words = []
        if self._form is None:
            return
        if tag == "button" and got.get("type") != "button":
            words = got.get("aria-label", "")
            action = got.get("formaction", "")
            self._form.buttons.append(
                Button(got.get("name", ""), got.get("value", ""), words, "disabled" in here, action)
            )
            self._words = []
        if tag == "textarea":
            self._area = got["name"]
            self._form.names.add(got["name"])
        if tag == "select":
            self._select = got["name"]
            self._form.names.add(got["name"])
        if tag == "option" and "selected" in here and self._select:
            self._form.fields.append((self._select, got["value"]))
        if tag == "input" and got.get("name"):
            kind = got.get("type", "text")
            if kind != "hidden":
                self._form.names.add(got["name"])
            if kind not in ("radio", "checkbox") or "checked" in here:
                self._form.fields.append((got["name"], got.get("value", "on" if kind == "checkbox" else "")))

    def handle_data(self, data: str) -> None:
        self.text.append(data)
        if self._area and self._form:
            self._form.fields.append((self._area, data))
        if self._words is not None:
            self._words.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if tag == "textarea":
            self._area = None
        if tag == "select":
            self._select = None
        if tag == "button" and self._form and self._form.buttons and self._words is not None:
            button = self._form.buttons[-1]
            button.words = button.words or " ".join("".join(self._words).split())
            self._words = None
        if tag == "a" and self._words is not None:
            self.links[-1] = (self.links[-1][0], " ".join("".join(self._words).split()))
            self._words = None


class Browser:
    """A visitor; `answer` is the page that they see."""

    def __init__(self, client: Client | None = None, language: str = "en") -> None:
        self.client = client or Client()
        self.headers = {"Accept-Language": language}
        self.answer: HttpResponse | None = None
        self.path = ""
        self.last_post: tuple[str, dict[str, list[str]]] = "", {}
        self._read = _Reader()

    @property
    def status(self) -> int:
        assert self.answer is not None
        return self.answer.status_code

    @property
    def forms(self) -> list[Form]:
        return self._read.forms

    @property
    def words(self) -> str:
        return " ".join(" ".join(self._read.text).split())

    @property
    def markup(self) -> str:
        assert self.answer is not None
        return markup(self.answer.content.decode())

    def open(self, path: str) -> "Browser":
        return self._arrive(path, self._ask(self.client.get, path))

    def follow(self, words: str) -> "Browser":
        """Follows the link that contains these words."""
        href = next(href for href, text in self._read.links if words in text)
        return self.open(urljoin(self.path, html.unescape(href)))

    def button(self, words: str) -> tuple[Form, Button]:
        found = [(form, button) for form in self.forms for button in form.buttons if button.words.startswith(words)]
        assert found, f"no button {words!r} among {[b.words for f in self.forms for b in f.buttons]}"
        return found[0]

    def has_button(self, words: str) -> bool:
        return any(button.words.startswith(words) for form in self.forms for button in form.buttons)

    def press(self, words: str, **typed: str | list[str]) -> "Browser":
        """Fills in the fields of a form, and presses its first button whose text begins with these words."""
        form, button = self.button(words)
        assert not button.disabled, f"{words!r} is disabled"
        body: dict[str, list[str]] = {}
        for name, value in form.fields:
            body.setdefault(name, []).append(value)
        for name, value in typed.items():
            field_name = name if name in form.names else name.replace("_", "-")
            assert field_name in form.names, f"there is no field {field_name} among {sorted(form.names)}"
            body[field_name] = value if isinstance(value, list) else [value]
        if button.name:
            body[button.name] = [button.value]
        return self.post(urljoin(self.path, button.action or form.action or self.path), body)

    def post(self, path: str, body: dict[str, list[str]]) -> "Browser":
        self.last_post = path, body
        return self._arrive(path, self._ask(self.client.post, path, body))

    def _ask(self, method: Callable[..., HttpResponse], *what: Any) -> HttpResponse:
        """The answer, after all callbacks on commit have run."""
        with TestCase.captureOnCommitCallbacks(execute=True):
            return method(*what, headers=self.headers)

    def _arrive(self, path: str, answer: HttpResponse) -> "Browser":
        while answer.status_code in (301, 302, 303):
            path = urljoin(path, answer["Location"])
            answer = self._ask(self.client.get, path)
        self.answer, self.path, self._read = answer, path, _Reader()
        self._read.feed(answer.content.decode())
        return self
