"""From a lesson or a figure to a page; the server and the export make the same one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from app.activities import render_activity, render_print, render_progress
from app.figures import FIGURES, MAIN_FIGURE
from app.hosting import SERVER, Hosting, folder_of
from app.languages import tongue
from app.lessons import Directive, Lesson
from app.links import Ignored
from app.page_template import render
from app.placed import PlacedFigure, place_figure
from widgets.figure import script_json
from widgets.words import catalogue, fill, languages


def lesson_page(
    lesson: Lesson,
    state: Mapping[str, Any] | None = None,
    ignored: Sequence[Ignored] = (),
    *,
    before: Lesson | None = None,
    after: Lesson | None = None,
    hosting: Hosting = SERVER,
    theme: str | None = None,
    start: str = "",
    head_script: Markup | None = None,
) -> str:
    """A whole lesson, with its neighbours, in the current language or else in English.

    A state given in the link is for its main figure.

    `head_script` is an element that runs before the page's modules.
    """
    lesson, before, after = lesson.here(), before and before.here(), after and after.here()
    in_text = tongue(lesson.lang)
    blocks: list[Markup | PlacedFigure] = []
    # The link's state is for the lab, or where a lesson has none, for its first figure.
    names = [block.name for block in lesson.figures]
    main = names.index(MAIN_FIGURE) if MAIN_FIGURE in names else 0
    count = activities = 0
    for block in lesson.blocks:
        if isinstance(block, str):
            blocks.append(Markup(block))
            continue
        if not isinstance(block, Directive):
            activities += 1
            blocks.append(render_activity(block, f"a{activities}", lesson.sections, lesson.lang))
            continue
        eager = count == main
        chosen = state if state is not None and eager else block.state
        count += 1
        placed = place_figure(block.name, chosen, id=f"f{count}", hosting=hosting, eager=eager, number=count)
        blocks.append(placed)
    figures = [block for block in blocks if isinstance(block, PlacedFigure)]
    return render(
        "lesson.html",
        title=fill(catalogue()["site.title"], {"title": lesson.meta["title"]}),
        hosting=hosting,
        figures=figures,
        theme=theme or (str(state["theme"]) if state else "auto"),
        ignored=ignored,
        start=start,
        lesson=lesson,
        blocks=blocks,
        in_text=in_text,
        lesson_progress=render_progress(lesson.slug, in_text),
        print_button=render_print(in_text),
        head_script=head_script,
        scripts=re.findall(r">([\s\S]*)</script>", head_script or ""),
        before=before,
        after=after,
        body_class="lesson",
    )


def embed_page(
    name: str,
    state: Mapping[str, Any],
    ignored: Sequence[Ignored] = (),
    *,
    hosting: Hosting = SERVER,
    start: str = "",
) -> str:
    """One figure alone, without chrome."""
    placed = place_figure(name, state, id="f1", hosting=hosting)
    return render(
        "embed.html",
        title=fill(catalogue()["site.title"], {"title": placed.title}),
        hosting=hosting,
        figures=[placed],
        theme=str(state["theme"]),
        ignored=ignored,
        start=start,
        body_class="embedded",
    )


FORMATS = ("iframe", "element", "link", "markdown", "myst", "quarto", "jupyter")


def builder_page(*, hosting: Hosting = SERVER) -> str:
    """Where an instructor makes the code that puts a figure into their page."""
    words = {name: text for name, text in catalogue().items() if name.startswith(("builder.", "piece."))}
    titles = figure_titles()
    folders = {lang: folder_of(lang) for lang in languages()} if hosting.static else {}
    return render(
        "builder.html",
        title=fill(catalogue()["site.title"], {"title": words["builder.title"]}),
        hosting=hosting,
        builder=script_json({"words": words, "titles": titles, "base": hosting.root, "folders": folders}),
        figure_titles=titles,
        formats=FORMATS,
        body_class="building",
    )


def index_page(lessons: Sequence[Lesson], *, hosting: Hosting = SERVER) -> str:
    """The list of lessons, and of figures by themselves."""
    return render(
        "index.html",
        title=catalogue()["site.name"],
        hosting=hosting,
        lessons=[(lesson.here(), tongue(lesson.here().lang).own) for lesson in lessons],
        figure_titles=figure_titles(),
        body_class="index",
    )


def figure_titles() -> dict[str, str]:
    """The figures' titles by name, in the current language."""
    return {name: figure.title for name, figure in FIGURES.items()}


def message_page(title: str, message: str, *, hosting: Hosting = SERVER) -> str:
    """A page that says what went wrong and where to go."""
    return render("message.html", title=title, hosting=hosting, message=message, body_class="message")
