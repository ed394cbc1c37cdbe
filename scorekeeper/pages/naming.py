"""The page that asks whom a typed name means."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.forms.typed import SPELT, answer_to
from scorekeeper.selectors.people import Question


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the field with its answer."""

    field: str
    question: Question

    @property
    def words(self) -> str:
        return question_words(self.question)

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The values of the field, in words."""
        people, spellings, name = self.question.people, self.question.spellings, self.question.name
        use = [(str(each.pk), _("Use {name}").format(name=each.name)) for each in people]
        both = reversed((*spellings, name)) if spellings else ()
        one = [(f"{SPELT}{each}", _("One person: {name}").format(name=each)) for each in both]
        two = _("Two people") if len(spellings) == 1 and not people else _("Add as a new person")
        return [*use, *one, ("new", two)]


@dataclass(frozen=True, slots=True)
class WhomPage:
    sent: list[tuple[str, str]]
    """The fields of the form that was sent."""
    asked: list[Asked]


def question_words(question: Question) -> str:
    if question.spellings and not question.people:
        text = ngettext(
            "{others} and {name} are both new. Are they one person?",
            "{others} and {name} are all new. Is {name} one of the others?",
            len(question.spellings),
        )
        return text.format(others=", ".join(question.spellings), name=question.name)
    if len(question.people) == 1 and not question.spellings:
        text = _("You typed {typed}. Did you mean {name}?")
        return text.format(typed=question.name, name=question.people[0].name)
    return _("You typed {typed}. Did you mean one of these people?").format(typed=question.name)


def whom_page(sent: Mapping[str, Sequence[str]], questions: Sequence[Question]) -> WhomPage:
    asked = [Asked(answer_to(each.name), each) for each in questions]
    out = {"csrfmiddlewaretoken", *(each.field for each in asked)}
    return WhomPage([(name, text) for name, texts in sent.items() if name not in out for text in texts], asked)
