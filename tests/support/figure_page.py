"""Any figure alone on its page: opened by a link, then moved from state to state as a link in the text moves it."""

from urllib.parse import urlencode

from playwright.sync_api import Page, expect

GO = """([figure, state]) => new Promise((resolve, reject) => {
  const follow = ({ detail }) => {
    if (detail.figure !== figure || detail.by !== "link") return;
    removeEventListener("figure-state", follow);
    resolve();
  };
  addEventListener("figure-state", follow);
  dispatchEvent(new CustomEvent("figure-go", { detail: { figure, state, stay: true } }));
  setTimeout(() => reject(new Error(`${figure} is not in ${JSON.stringify(state)} after 20 s`)), 20000);
})"""


TEXTS = """root => Object.fromEntries([...root.querySelectorAll("[data-text], [data-kpi]")]
  .map(el => [el.dataset.text ?? el.dataset.kpi, el.textContent]))"""


def texts_of(figure):
    """Every text that follows the state, by its place: of a page with one figure, or of that figure."""
    root = figure.locator("[data-figure]") if isinstance(figure, Page) else figure
    return root.evaluate(TEXTS)


def open_figure(page, url, figure, *, canvas=False, **state):
    query = urlencode({name: int(value) if isinstance(value, bool) else value for name, value in state.items()})
    page.goto(f"{url}/embed/{figure}?{query}", wait_until="commit")
    ready = '[data-ready="canvas"]' if canvas else "[data-ready]"
    expect(page.locator(f'[data-mount="{figure}"]{ready}')).to_be_attached(timeout=20_000)
    return page


def each_opened(page, url, figure, states, *, links_every=7):
    """Show one state after another: one in `links_every` in a page just loaded, the others where the page is."""
    for i, state in enumerate(states):
        if i % links_every == 0:
            open_figure(page, url, figure, **state)
        else:
            page.evaluate(GO, [figure, state])
        yield state
