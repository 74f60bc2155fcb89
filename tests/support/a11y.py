"""What assistive technology and the keyboard get of a page, read from the page itself."""

import re
from itertools import dropwhile

from playwright.sync_api import expect

# At each key the place that has the focus is noted, before the focus moves on: all that scrolls has come to rest.
RECORD = """() => {
  if (window.stops) return void (stops.length = 0);
  window.stops = [];
  const points = ({ left, top, width, height }) => [0.1, 0.5, 0.9].map(x => [left + width * x, top + height / 2]);
  window.noteStop = () => {
    const el = document.activeElement;
    const box = el.getBoundingClientRect();
    const style = getComputedStyle(el);
    const covered = points(box).filter(([x, y]) => {
      const top = document.elementFromPoint(x, y);
      return !top || !(el.contains(top) || [...(top.labels ?? [])].some(label => label.contains(el))
        || top.closest("label")?.control === el
        || (el.matches("a") && top.contains(el) && !top.closest(".bar, .stays")));
    }).length;
    stops.push({
      at: el.matches("body") ? "" : `${el.closest("[data-mount]")?.dataset.mount ?? ""} ${el.localName} ` +
        (el.getAttribute("aria-label") || el.textContent.trim().slice(0, 30) || el.name || el.id),
      // Of radio buttons one is a stop: the first on the way down, the last on the way up.
      order: [...document.querySelectorAll("*")]
        .indexOf(el.type === "radio" ? document.getElementsByName(el.name)[0] : el),
      figure: el.closest("[data-mount]")?.dataset.mount ?? "",
      outline: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
      colour: style.outlineColor,
      covered, fixed: !!el.closest(".bar, .stays, .skip"),
      left: box.left + scrollX, top: box.top + scrollY, right: box.right + scrollX, bottom: box.bottom + scrollY,
    });
  };
  addEventListener("keydown", ({ key }) => key === "Tab" && noteStop(), true);
}"""

FROM_START = """() => {
  scrollTo(0, 0);
  document.body.tabIndex = -1; // Tab goes on from what had the focus last
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""

# WCAG 2.5.8: 24 px, or a link within a sentence, or a circle of 24 px around its centre that meets no other target.
# In the matrices a click chooses a row, wherever it falls.
SMALL = """() => {
  const all = [...document.querySelectorAll(
    "a, button, input, select, textarea, summary, [role=grid] td:not(.op-stage *), .op-stage [role=grid] tbody tr")]
    .filter(el => el.checkVisibility({ visibilityProperty: true }) && !el.disabled && !el.closest("[hidden], .skip"));
  const boxes = el => {
    const label = el.closest("label") ?? el.labels?.[0];
    return (label && el.matches("input[type=radio], input[type=checkbox]") ? label : el).getBoundingClientRect();
  };
  const targets = all.map(el => ({ el, box: boxes(el) })).filter(({ box }) => box.width && box.height);
  const small = ({ box }) => Math.min(box.width, box.height) < 23.95;
  const far = ([x, y], { left, right, top, bottom }) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const meets = (one, other) => {
    const [from, to] = [middle(one.box), middle(other.box)];
    if (far(from, other.box) < 12) return true;
    return small(other) && Math.hypot(from[0] - to[0], from[1] - to[1]) < 24;
  };
  const inSentence = ({ el }) => getComputedStyle(el).display === "inline"
    && el.parentElement.textContent.trim().length > el.textContent.trim().length + 10;
  const nested = (one, other) => one.el.contains(other.el) || other.el.contains(one.el); // itself too
  const crowded = one => targets.some(other => !nested(one, other) && meets(one, other));
  return targets.filter(one => small(one) && !inSentence(one) && crowded(one))
    .map(({ el, box }) => `${el.closest("[data-mount]")?.dataset.mount ?? ""} ${el.localName}.${el.className} ` +
      `${el.textContent.trim().slice(0, 30)} ${Math.round(box.width)} x ${Math.round(box.height)}`);
}"""

# Each change in a place that is spoken without being asked, and how many came before the learner stopped.
LISTEN = """() => {
  window.spoken = [];
  const live = el => el.getAttribute("aria-live") !== "off";
  const places = document.querySelectorAll("[role=status], [role=alert], [role=log], [aria-live], output");
  for (const el of [...places].filter(live)) {
    const note = () => spoken.push([el.closest("[data-mount]")?.dataset.mount ?? "", el.textContent]);
    new MutationObserver(note).observe(el, { childList: true, characterData: true, subtree: true });
  }
}"""

# What has a state that colour shows, and what shows it besides: each must differ from the others of its kind.
SIGNS = """() => {
  const before = el => getComputedStyle(el, "::before").content;
  const each = (el, name, values) => {
    const kept = el.dataset[name];
    const signs = values.map(value => {
      el.dataset[name] = value;
      return before(el);
    });
    el.dataset[name] = kept;
    return signs;
  };
  const verdict = Object.assign(document.createElement("b"), { className: "verdict" });
  document.querySelector("[data-reply]").append(verdict);
  const signs = {
    "softmax state": each(document.querySelector(".kpi-state"), "state", [0, 1, 2, 3]),
    "tasks and checks": each(document.querySelector("[data-mark]"), "mark", ["open", "under-way", "done", "broken"]),
    verdicts: each(verdict, "right", [0, 1]),
    "lanes of the race": [...document.querySelectorAll(".race-board .race-swatch")]
      .map(el => getComputedStyle(el).borderTopStyle),
  };
  verdict.remove();
  for (const legend of document.querySelectorAll(".bands-legend"))
    signs[`legend of ${legend.closest("[data-mount]").dataset.mount}`] = [...legend.querySelectorAll("i")]
      .map(el => el.className);
  return signs;
}"""

# Ten steps of a control as a held key gives them, however slow the machine is.
HOLD = """control => {
  for (let step = 1; step <= 10; step++) {
    if (control.type === "range") control.value = Number(control.min) + step;
    else control.selectedIndex = step % control.options.length;
    control.dispatchEvent(new Event(control.type === "range" ? "input" : "change", { bubbles: true }));
  }
}"""

# Places within a plot that Tab would stop at.
IN_PLOTS = """() => {
  const inside = root => [...root.querySelectorAll("*")]
    .flatMap(el => [el, ...(el.shadowRoot ? inside(el.shadowRoot) : [])]);
  return [...document.querySelectorAll(".canvas")].flatMap(inside).filter(el => el.tabIndex >= 0).length;
}"""

# WCAG 1.4.12.
SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
p { margin-bottom: 2em !important }"""


NOT_CONTROLS = ("RootWebArea", "gridcell", "option")


def wake(page, ready="canvas"):
    """Bring every figure of a lesson to life; what is far from view is laid out too."""
    page.add_style_tag(content=".fig { content-visibility: visible !important }")
    for figure in page.locator("[data-mount]").all():
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_attribute("data-ready", re.compile(ready), timeout=20_000)


def controls(page):
    """Everything in the accessibility tree that takes the focus: role, name, description, states, place."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    by_id = {node["nodeId"]: node for node in nodes}

    def text(node, part):
        return str(node.get(part, {}).get("value", "")).strip()

    def above(node):
        while node := by_id.get(node.get("parentId")):
            yield node

    def place(node):
        around = ("group", "region", "navigation", "figure", "dialog")
        return tuple(text(each, "name") or each["nodeId"] for each in above(node) if text(each, "role") in around)

    def takes_focus(node, states):
        # A plot is one picture: what is in it takes the focus from a script at most.
        return states.get("focusable") and not any(text(each, "role") == "image" for each in above(node))

    found = []
    for node in nodes:
        states = {state["name"]: state["value"].get("value") for state in node.get("properties", [])}
        if not node["ignored"] and takes_focus(node, states) and text(node, "role") not in NOT_CONTROLS:
            parts = {part: text(node, part) for part in ("role", "name", "description")}
            found.append({**parts, "states": states, "place": place(node)})
    return found


def walk(page, key, most=400):
    """Press Tab or Shift+Tab from one end of the page to the other; gives each stop."""
    page.evaluate(RECORD)
    page.evaluate(FROM_START)
    for _ in range(most // 20):
        for _ in range(20):
            page.keyboard.press(key)
        stops = list(dropwhile(lambda stop: not stop["at"], page.evaluate("stops")))
        # Beyond either end of the page the focus is the browser's own, or at the other end at once.
        for i, stop in enumerate(stops[1:], 1):
            if not stop["at"] or stop["order"] == stops[0]["order"]:
                return stops[:i]
    raise AssertionError(f"the end of the page is not reached by {most} times {key}")
