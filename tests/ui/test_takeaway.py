"""Take it along: pictures, tables and scripts as files, as exact as the figure's table, and safe to open."""

import csv
import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from folder_server import FolderServer
from lab_page import LabPage
from playwright.sync_api import expect

from app.cli import main
from app.figures import FIGURES, cached_table, table_key

OWN = 'Größe =1+1 -x @sum +1 "a,b"'


class Menu:
    """The menu of one figure."""

    def __init__(self, page, name):
        self.page = page
        self.figure = page.locator(f'[data-mount="{name}"]')
        self.details = self.figure.locator("[data-takeaway]")
        self.summary = self.figure.locator("summary", has_text="Take it along")

    def open(self):
        self.summary.click()
        expect(self.details.get_by_role("button", name="NumPy script")).to_be_visible()
        return self

    def button(self, name):
        return self.details.get_by_role("button", name=name)

    def take(self, name, **options):
        with self.page.expect_download() as download:
            self.button(name).first.click()
        expect(self.details.get_by_role("status")).to_have_text(f"Saved as {download.value.suggested_filename}")
        return download.value.suggested_filename, Path(download.value.path()).read_bytes()


def rows_of(body):
    assert body.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(body.decode("utf-8-sig"), newline="")))


def test_the_labs_files_hold_its_state(new_context, app_url):
    page = new_context(color_scheme="dark").new_page()
    lab = LabPage(page, app_url).open(d_k=64, scaled=False, row=2, text=OWN, canvas=True)
    menu = Menu(page, "attention-lab").open()
    stem = "attention-lab_d_k-64_scaled-0_fault-none_row-2_seed-5108"
    state = FIGURES["attention-lab"].State.default() | {"d_k": 64, "scaled": False, "row": 2, "text": OWN}

    name, body = menu.take("Table (CSV): The weights")
    head, *rows = rows_of(body)
    table = cached_table("attention-lab", table_key(FIGURES["attention-lab"], state))
    weights = table.weights[62, 0, 0]
    assert name == f"{stem}_weights.csv"
    # What opens like a formula is no formula any more; numbers are untouched.
    assert head[1:-1] == ["Größe", "'=1+1", "'-x", "'@sum", "'+1", '"a,b"']
    assert [row[0] for row in rows] == head[1:-1]
    got = np.array([row[1:-1] for row in rows], dtype=np.float64)
    np.testing.assert_array_equal(got.astype(np.float32), weights)

    name, body = menu.take("NumPy script")
    assert name == f"{stem}.py"
    assert body.decode() == FIGURES["attention-lab"].script.fill(state)

    name, body = menu.take("Picture (SVG)")
    picture = ET.fromstring(body)
    title = picture.find("{*}title").text
    assert name == f"{stem}.svg" and title.startswith("The attention lab: d_k 64 · ÷√d_k off") and OWN in title
    assert picture.find("{*}rect").get("fill") == "#ffffff"
    # Each text stands there twice: filled, and as an outline that is none.
    filled = (text for text in picture.iter("{http://www.w3.org/2000/svg}text") if text.get("fill") != "none")
    texts = {"".join(text.itertext()): text.get("fill") for text in filled}
    assert texts["Größe"] == "rgb(28,27,34)", "the axis is not in the light theme's ink"

    name, body = menu.take("Picture (PNG)")
    assert name == f"{stem}.png" and body.startswith(b"\x89PNG\r\n")
    width, height = (int.from_bytes(body[at : at + 4], "big") for at in (16, 20))
    assert width == 2 * int(picture.get("width")) and height == 2 * int(picture.get("height"))
    # The figure on the page has its own colours again.
    assert page.locator("[data-figure]").get_attribute("data-theme") is None
    lab.expect_state(d_k=64, scaled=False, row=2, text=OWN)


def trained_extra(table):
    rows = (f"        [{', '.join(f'{v:.9g}' for v in row)}]," for row in table.scores[1, 8, 0].tolist())
    return {"tokens": json.dumps(table.tokens, separators=(",", ":")), "rows": "\n".join(rows)}


def test_every_figure_of_a_lesson_gives_its_script_and_tables(page, app_url):
    page.goto(f"{app_url}/lessons/05-trainable-attention")
    for name, figure in FIGURES.items():
        menu = Menu(page, name)
        menu.summary.press("Enter")  # figures that come into view take their sizes: a click may miss
        config = json.loads(menu.figure.locator("[data-config]").first.text_content())
        table = cached_table(name, table_key(figure, config["state"]))
        _, body = menu.take("NumPy script")
        if name == "trained-head":
            assert [
                float(v) for v in body.decode().split("raw = np.array(\n    [\n        [")[1].split("]")[0].split(",")
            ] == (pytest.approx(table.scores[1, 8, 0, 0].tolist(), rel=1e-8))
        else:
            assert body.decode() == figure.script.fill(config["state"])
        file, body = menu.take("Table (CSV)" if name != "gradient-health" else "Table (CSV): Jacobian")
        rows = rows_of(body)
        if name == "gradient-health":
            state = config["state"]
            at = (state["d_k"] - 2, int(state["scaled"]), state["row"])
            got = np.array([row[1:] for row in rows[1:]], dtype=np.float64)
            np.testing.assert_array_equal(got.astype(np.float32), np.float32(table.jacobian[at]))
        assert file.endswith(".csv") and len({len(row) for row in rows}) == 1
        menu.summary.press("Enter")
        expect(menu.details).not_to_have_attribute("open", "")


@pytest.mark.parametrize(
    ("name", "plots", "words"),
    [
        ("variance-law", 3, {"dotted", "raw"}),
        ("whole-operation", 0, {"W_q", "2.21", "journey"}),
        ("training-race", 4, {"scale"}),
    ],
)
def test_a_picture_has_all_plots_and_what_belongs_to_them(name, plots, words, page, app_url):
    page.goto(f"{app_url}/embed/{name}")
    expect(page.locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
    _, body = Menu(page, name).open().take("Picture (SVG)")
    picture = ET.fromstring(body)
    assert len(picture.findall("{*}svg")) == plots
    assert words <= {
        word for text in picture.iter("{http://www.w3.org/2000/svg}text") for word in "".join(text.itertext()).split()
    }


def test_numbers_are_short_and_exact(page, app_url):
    page.goto(f"{app_url}/embed/memory-wall")
    expect(page.locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
    cells = {
        **{"Math.fround(0.1)": "0.1", "1 / 3": "0.3333333333333333", "-0.5": "-0.5", "0": "0"},
        **{"137438953472": "137438953472", "Math.fround(1e-9)": "1e-9", "'−0.25'": "-0.25", "'4,096'": '"4,096"'},
        **{"'=x'": "'=x", "'-1'": "-1", "'-a'": "'-a", "'\\t=x'": "'=x", "'a\\nb'": "a b", "'\"'": '""""'},
    }
    csv = "const { csvCell } = (await import('takeaway')).csv_module;"
    source = f"async () => {{ {csv} return [{', '.join(cells)}].map(csvCell); }}"
    assert page.evaluate(source) == list(cells.values())
    _, body = Menu(page, "memory-wall").open().take("Table (CSV)")
    table = cached_table("memory-wall", ())
    got = [[float(cell) for cell in row] for row in rows_of(body)[1:]]
    assert got == [
        list(row) for row in zip(table.T, table.score_table[:, 0], table.streaming[:, 0], table.ratio, strict=True)
    ]


def test_a_picture_is_offered_before_the_plot_is_there(page, app_url):
    held = []
    page.route("**/static/bokeh*", lambda route: held.append(route))
    page.goto(f"{app_url}/embed/memory-wall")
    menu = Menu(page, "memory-wall").open()
    with page.expect_download() as download:
        menu.button("Picture (SVG)").click()
        for route in held:
            route.continue_()
    picture = ET.fromstring(Path(download.value.path()).read_bytes())
    assert len(picture.findall("{*}svg")) == 1


def test_the_keyboard_opens_takes_and_closes(page, app_url):
    page.goto(f"{app_url}/embed/memory-wall")
    menu = Menu(page, "memory-wall")
    menu.summary.focus()
    page.keyboard.press("Enter")
    expect(menu.button("NumPy script")).to_be_visible()
    for _ in range(4):
        page.keyboard.press("Tab")
    expect(menu.button("NumPy script")).to_be_focused()
    with page.expect_download():
        page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(menu.details).not_to_have_attribute("open", "")
    expect(menu.summary).to_be_focused()


def test_a_sandboxed_frame_shows_what_it_may_not_save(tmp_path, page, app_url):
    size = "width: 60rem; height: 60rem"
    frame = f'<iframe sandbox="allow-scripts" style="{size}" src="{app_url}/embed/memory-wall"></iframe>'
    (tmp_path / "host.html").write_text(f'<link rel="icon" href="data:,">{frame}')
    with FolderServer(tmp_path) as host:
        page.goto(f"{host.url}/host.html")
        inside = page.frame_locator("iframe")
        expect(inside.locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
        menu = Menu(inside, "memory-wall").open()
        menu.button("NumPy script").click()
        expect(menu.details.get_by_role("status")).to_contain_text("this frame may not save files")
        expect(menu.details.get_by_role("textbox")).to_have_value(
            FIGURES["memory-wall"].script.fill(FIGURES["memory-wall"].State.default()).rstrip()
        )
        menu.button("Picture (PNG)").click()
        expect(menu.details.get_by_role("img", name="memory-wall_length-11")).to_be_visible()


def test_a_file_from_disk_gives_files_too(tmp_path, new_context):
    file = tmp_path / "wall.html"
    assert main(["export", str(file), "--figure", "variance-law", "--state", "d_k=64", "--quiet"]) == 0
    page = new_context(offline=True).new_page()
    page.goto(file.as_uri())
    expect(page.locator("[data-mount]")).to_have_attribute("data-ready", "canvas")
    menu = Menu(page, "variance-law").open()
    name, body = menu.take("NumPy script")
    assert name == "variance-law_d_k-64_scaled-0.py" and b"d_k, scaled, row = 64, False, 1" in body
    _, body = menu.take("Picture (PNG)")
    assert body.startswith(b"\x89PNG")
    _, body = menu.take("Table (CSV)")
    assert rows_of(body)[1][-1] == "dead rows (%)"
