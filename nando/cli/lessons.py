"""Worksheets on one technique, for the command `explain`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nando.writing import replaced_file, write_file

if TYPE_CHECKING:
    from nando.api.lessons import Lesson
    from nando.drawing.figures import Figure
    from nando.drawing.walks import Panel

FORMS = (".html", ".pdf", ".txt")


def check_output(output: Path | None) -> None:
    """Raise ValueError if a worksheet cannot be written to a file."""
    if output is not None and output.suffix.lower() not in FORMS:
        raise ValueError(f"{output}: a lesson is written as {', '.join(FORMS)}")
    if output is not None and output.suffix.lower() == ".pdf":
        from nando.books.files.pdf import check_pdf

        check_pdf()


def write_lesson(
    lessons: "Sequence[Lesson]", output: Path | None, figure: "Figure", language: str
) -> None:
    """Write a worksheet with its answers, or list the puzzles."""
    from nando.drawing.walks import page_words

    words = page_words(language)
    title = figure.title or words("lesson.title", name=_capital(lessons[0].step.name))
    task = words("lesson.task", name=lessons[0].step.name)
    if output is None or output.suffix.lower() == ".txt":
        lines = [line for lesson in lessons for line in _lines(lesson, figure)]
        text = "\n".join(lines) + "\n"
        if output is None:
            sys.stdout.write(text)
        else:
            write_file(output, text)
        return
    if output.suffix.lower() == ".pdf":
        _write_pdf(lessons, output, figure, language, (title, task, words("lesson.answers")))
        return
    from nando.drawing.walks import Section, html

    asked, answered = (_panels(lessons, figure, answered=known) for known in (False, True))
    sections = [
        Section("", task, [], asked),
        Section("", words("lesson.answers"), [], answered),
    ]
    with replaced_file(output) as file:
        for part in html(title, "sudoku", sections, language):
            file.write(part.encode())


def _panels(lessons: "Sequence[Lesson]", figure: "Figure", *, answered: bool) -> "list[Panel]":
    from nando.drawing.boards import position
    from nando.drawing.walks import Panel

    return [
        figure.panel(
            Panel(
                number,
                lesson.step.sentence() if answered else "",
                position(lesson.step.position, lesson.step.step if answered else None),
            ),
            lesson.puzzle.shape[0],
        )
        for number, lesson in enumerate(lessons, 1)
    ]


def _write_pdf(
    lessons: "Sequence[Lesson]",
    output: Path,
    figure: "Figure",
    language: str,
    texts: tuple[str, str, str],
) -> None:
    from nando.books.worksheet import Exercise, Texts, write_worksheet
    from nando.generators import Record
    from nando.solvers import unique_solution

    asked, answered = (_panels(lessons, figure, answered=known) for known in (False, True))
    exercises = [
        Exercise(
            Record(lesson.puzzle, lesson.puzzle.solution_text(unique_solution(lesson.puzzle))),
            board.picture,
            answer.picture,
            answer.sentence,
        )
        for lesson, board, answer in zip(lessons, asked, answered, strict=True)
    ]
    with replaced_file(output) as file:
        write_worksheet(exercises, Texts(*texts), file, language=language)


def _lines(lesson: "Lesson", figure: "Figure") -> list[str]:
    sentence = figure.text(lesson.step.sentence(), lesson.puzzle.shape[0])
    return [lesson.puzzle.text, f"  {lesson.step.number}. {sentence}"]


def _capital(name: str) -> str:
    return name[:1].upper() + name[1:]
