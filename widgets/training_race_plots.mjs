// The canvases of the race: the course of the losses, and a heatmap a lane.

import { joinRoles } from "bands";
import { joinHeatmap } from "heatmap";
import { followPointer } from "plot";
import { at } from "table";

const NAMES_PX = 76; // room for the lanes' names beside the ends of their lines
const LONGEST_LABEL = 11;
const LABEL_PX = 6; // about the width of a letter of a label

/** Draw all four in their [data-canvas]; onStep(step) for a click on the course, onCell([q, k] or null). */
export async function joinRace(figure, items, { onStep, onCell }) {
  const { lanes } = figure.config;
  const canvas = (name) => figure.part(`[data-canvas="${name}"]`);
  const course = await joinCourse(canvas("course"), items.course, { figure, onStep });
  const maps = [];
  for (const lane of lanes) maps.push(await joinLane(canvas(lane), items[lane], { figure, onCell }));
  return {
    draw(state, data, cell) {
      course.draw(state, data);
      maps.forEach((map, lane) => map.draw(lane, state.step, data, cell));
    },
    point: (cell) => maps.forEach((map) => map.point(cell)),
    recolour: () => [course, ...maps].forEach((part) => part.recolour()),
  };
}

async function joinCourse(target, item, { figure, onStep }) {
  const { lanes, steps } = figure.config;
  const roles = Object.fromEntries([...lanes, "now"].map((name) => [name, name]));
  const { plot, sources, recolour } = await joinRoles(target, item, { root: figure.root, roles });
  const every = Array.from({ length: steps + 1 }, (_, step) => step);
  let shown = null;
  followPointer(target, plot, { onTap: ({ x }) => onStep(Math.round(x)) });

  /** The slider under the plot has the same margins: its thumb stands under the marker. */
  function makeRoom() {
    const width = plot.inner_width;
    if (width > NAMES_PX) plot.x_range.end = (steps * width) / (width - NAMES_PX);
  }
  plot.connect(plot.properties.inner_width.change, makeRoom);
  makeRoom();

  return {
    recolour,
    draw({ step }, data) {
      const losses = lanes.map((_, lane) => at(data.arrays.relative_loss, lane));
      const upTo = (lane, end) => ({ step: every.slice(0, end + 1), loss: Array.from(losses[lane].subarray(0, end + 1)) });
      if (data !== shown) {
        plot.y_range.end = data.meta.top;
        lanes.forEach((lane, i) => {
          sources[`course-${lane}`].data = upTo(i, steps);
          const text = [figure.words[`race.lane.${lane}`]];
          sources[`name-${lane}`].data = { step: [steps], loss: [data.meta.label_places[i]], text };
        });
        shown = data;
      }
      lanes.forEach((lane, i) => {
        sources[`run-${lane}`].data = upTo(i, step);
        sources[`tip-${lane}`].data = { step: [step], loss: [losses[i][step]] };
      });
      sources.now.data = { step: [step] };
    },
  };
}

async function joinLane(target, item, { figure, onCell }) {
  const map = await joinHeatmap(target, item, {
    isDark: (weight) => weight >= figure.config.light_ink_from,
    onCell: (q, k) => onCell([q, k]),
    onLeave: () => onCell(null),
  });
  const { plot, sources } = map;
  const numbers = plot.renderers.find((renderer) => renderer.name === "labels");
  let shown = null;
  let targets = [];
  let stuck = []; // rows

  /** The sign of a stuck row in its target's cell, in the corner beside a number. */
  function fit() {
    const [right, up] = numbers.visible ? [0.36, 0.3] : [0, 0];
    sources.signs.data = { q: stuck.map((q) => q - up), k: stuck.map((q) => targets[q] + right) };
  }

  /** Three in a row have less room than one: smaller labels, slanted where they would touch. */
  function label(tokens) {
    const longest = Math.max(...tokens.map((token) => Math.min(token.length, LONGEST_LABEL)));
    const room = plot.inner_width / tokens.length;
    for (const axis of [...plot.above, ...plot.left]) axis.major_label_text_font_size = tokens.length > 8 ? "10px" : "12px";
    plot.above[0].major_label_orientation = longest * LABEL_PX > room ? 0.7 : "horizontal";
  }

  plot.connect(plot.properties.inner_width.change, () => {
    if (!shown) return;
    label(shown.meta.tokens);
    fit();
  });

  return {
    point: map.point,
    recolour: map.recolour,
    draw(lane, step, data, cell) {
      const { arrays, meta } = data;
      const T = meta.tokens.length;
      map.draw({ tokens: meta.tokens, values: at(arrays.weights, lane, step), row: null, cell });
      if (data !== shown) {
        shown = data;
        targets = Array.from(at(arrays.target_key));
        sources.target.data = { q: targets.map((_, q) => q), k: targets };
        label(meta.tokens);
      }
      const held = at(arrays.stuck, lane, step);
      stuck = targets.map((_, q) => q).filter((q) => held[q]);
      sources.stuck.data = { q: stuck, k: stuck.map(() => (T - 1) / 2), w: stuck.map(() => T - 0.04) };
      fit();
    },
  };
}
