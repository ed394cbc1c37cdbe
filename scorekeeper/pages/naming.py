"""The page that asks whom a typed name means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scorekeeper.forms.typed import answer_to
from scorekeeper.selectors.people import Question


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the field with its answer."""

    field: str
    question: Question

    @property
    def words(self) -> str:
        return question_words(self.question)


@dataclass(frozen=True, slots=True)
class WhomPage:
    sent: list[tuple[str, str]]
    """The fields of the form that was sent."""
    asked: list[Asked]


def question_words(question: Question) -> str:
    if len(question.people) == 1:
        text = _("You typed {typed}. Did you mean {name}?")
        return text.format(typed=question.name, name=question.people[0].name)
    return _("You typed {typed}. Did you mean one of these people?").format(typed=question.name)


def whom_page(sent: Mapping[str, Sequence[str]], questions: Sequence[Question]) -> WhomPage:
    asked = [Asked(answer_to(each.name), each) for each in questions]
    out = {"csrfmiddlewaretoken", *(each.field for each in asked)}
    return WhomPage([(name, text) for name, texts in sent.items() if name not in out for text in texts], asked)
