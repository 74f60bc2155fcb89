"""The builder's page: a word for all that it offers."""

from html import escape

from app.export import locks, pieces
from app.figures import FIGURES
from app.pages import FORMATS, builder_page
from widgets.words import catalogue


def test_every_piece_and_lock_of_every_figure_has_a_word_and_no_word_is_left_over():
    used = {name for figure in FIGURES for name in [*pieces(figure), *locks(figure)]}
    words = {name.removeprefix("piece.") for name in catalogue() if name.startswith("piece.")}
    assert used == words


def test_it_offers_every_figure_and_format():
    page = builder_page()
    for name, figure in FIGURES.items():
        assert f'<option value="{name}">{escape(figure.title)}</option>' in page
    for form in FORMATS:
        assert f'<option value="{form}">' in page
