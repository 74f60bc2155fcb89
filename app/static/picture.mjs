// A figure's plots as one picture in light inks on white: SVG, and PNG made of it. Plots and whatever carries
// data-picture lie as they do on the page; what is empty between them is left out.

import { views } from "plot";

const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 12; // px around the parts,
const GAP = 20; // and at most so much between one and the next below
const SCALE = 2; // of a PNG: sharp on paper and on a projector

/** Call `make` while a figure has the colours of the light theme; nobody sees it in them. */
export function inLight(root, handle, make) {
  const { theme } = root.dataset;
  root.dataset.theme = "light";
  handle.recolour();
  try {
    return make();
  } finally {
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
    handle.recolour();
  }
}

const clear = (colour) => /^rgba\(.*, 0\)$/.test(colour);

function element(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.textContent = text;
  return made;
}

/** The plot of a [data-canvas] as an SVG element; null where none is drawn. */
export function plotSvg(target) {
  const view = views.get(target);
  const { width = 0, height = 0 } = view?.bbox ?? {};
  if (!width || !height) return null;
  // A glyph takes over a new colour in a later task, which a picture cannot wait for.
  for (const { glyph, model, all_indices } of view.renderer_views.values()) glyph?.set_visuals(model.data_source, all_indices);
  const svg = view.export("svg").canvas;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  return svg;
}

/** What a figure can give a picture of, in the order of the page. */
export function pictured(root) {
  const parts = [...root.querySelectorAll("[data-canvas], [data-picture]")];
  return parts.filter((part) => part.checkVisibility());
}

/** The picture of a figure: { svg, width, height }, the svg as text. */
export function picture(root, handle, title) {
  return inLight(root, handle, () => {
    const drawn = pictured(root).filter((part) => !("canvas" in part.dataset) || views.has(part));
    const rows = drawn.map((part) => ({ part, box: part.getBoundingClientRect() }));
    rows.sort((one, other) => one.box.top - other.box.top);
    const left = Math.min(...rows.map(({ box }) => box.left)) - MARGIN;
    const svg = element("svg", { xmlns: SVG });
    svg.append(element("title", {}, title), element("rect", { width: "100%", height: "100%", fill: "#ffffff" }));
    let moved = MARGIN - rows[0].box.top; // what is added to a place on the page
    let end = rows[0].box.top; // of all parts so far, on the page
    let width = 0;
    for (const { part, box } of rows) {
      moved -= Math.max(box.top - end - GAP, 0);
      end = Math.max(end, box.bottom);
      width = Math.max(width, box.right - left);
      const place = (rect) => ({ x: rect.left - left, y: rect.top + moved });
      if ("canvas" in part.dataset) {
        const plot = plotSvg(part);
        for (const [name, value] of Object.entries(place(box))) plot.setAttribute(name, value);
        svg.append(plot);
      } else paint(svg, part, place);
    }
    const size = { width: Math.ceil(width + MARGIN), height: Math.ceil(end + moved + MARGIN) };
    for (const [name, value] of Object.entries(size)) svg.setAttribute(name, value);
    return { svg: new XMLSerializer().serializeToString(svg), ...size };
  });
}

/** Paint HTML: the grounds of its elements, the keys of a legend, then its words one by one. */
function paint(svg, part, place) {
  for (const el of [part, ...part.querySelectorAll("*")]) {
    const { backgroundColor, outlineStyle, outlineColor, color } = getComputedStyle(el);
    const box = el.getBoundingClientRect();
    const key = el.matches("i[data-role]");
    const line = key && !el.className.endsWith("-band");
    const ground = key ? color : backgroundColor;
    const shape = { ...place(box), width: box.width, height: line ? 3 : box.height, fill: ground };
    if (line) shape.y += box.height / 2 - 1.5;
    if (key && !line) shape["fill-opacity"] = 0.3;
    if (el.matches("td, i") && outlineStyle === "solid") shape.stroke = outlineColor;
    if ((!clear(ground) || shape.stroke) && !el.closest(".visually-hidden")) svg.append(element("rect", shape));
  }
  const brush = document.createElement("canvas").getContext("2d");
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    if (node.parentElement.closest(".visually-hidden, input, select")) continue;
    const { color, fontFamily, fontSize, fontStyle, fontWeight } = getComputedStyle(node.parentElement);
    if (parseFloat(fontSize) === 0 || clear(color)) continue;
    brush.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const box = range.getBoundingClientRect();
      if (!box.width) continue;
      const { x, y } = place(box);
      const font = { "font-family": fontFamily, "font-size": fontSize, "font-style": fontStyle, "font-weight": fontWeight };
      svg.append(element("text", { x, y: y + box.height - brush.measureText(word).fontBoundingBoxDescent, fill: color, ...font }, word));
    }
  }
}

/** The PNG of a picture, as a Blob. */
export async function toPng({ svg, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: width * SCALE, height: height * SCALE });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
