// The training race: one step for three lanes; losses, heatmaps, words and tables follow.

import { followDraw } from "draw";
import { createFigure } from "figure";
import { followGrid } from "grid";
import { at, one } from "table";
import { fill, fixed, write } from "text";
import { followPlay } from "training-race-play";
import { joinRace } from "training-race-plots";
import { followRun } from "training-race-run";

/** See figure.mjs for what a host passes in. */
export function mount(host) {
  let canvases = null;
  let shown = null; // the table that fields and choices belong to
  let cell = null; // the cell that is told in words, [q, k]

  const lossText = (arrays, lane, step) => fixed(one(arrays.relative_loss, lane, step), 3);

  /** Every text that depends on the state; training_race_view.py writes the same for the first state. */
  function describe(state, { arrays, meta }) {
    const { config, words } = figure;
    const { step } = state;
    const texts = {
      "so-far": fill(words[`race.so-far.${step}`] ?? words["race.so-far"], { step }),
      "step-value": fill(words["race.step.value"], { step, steps: config.steps }),
      "weights-title": fill(words["race.table.weights"], { lane: words[`race.lane.${state.lane}`], step }),
      cell: cell ? tellCell(...cell) : words["race.cell.hint"],
    };
    const stands = [];
    const summaries = [];
    config.lanes.forEach((lane, i) => {
      const held = at(arrays.stuck, i, step);
      const stuck = meta.tokens.filter((_, row) => held[row]);
      const values = {
        lane: words[`race.lane.${lane}`],
        loss: lossText(arrays, i, step),
        arrived: config.arrived,
        since: one(arrays.since, i, step),
        stuck: one(arrays.stuck_rows, i, step),
        rows: meta.tokens.length,
        names: stuck.map((token) => fill(words["race.name"], { token })).join(", "),
      };
      texts[`loss-${lane}`] = values.loss;
      texts[`story-${lane}`] = fill(words[`race.story.${one(arrays.progress, i, step)}`], values);
      texts[`stuck-${lane}`] = fill(words["race.stuck.value"], values);
      texts[`stuck-words-${lane}`] = fill(words[stuck.length ? "race.stuck.words" : "race.stuck.none"], values);
      stands.push(fill(words["race.step.lane"], values));
      const told = { ...values, story: texts[`story-${lane}`], stuck: texts[`stuck-words-${lane}`] };
      summaries.push(fill(words["race.summary.lane"], told));
    });
    texts["step-spoken"] = fill(words["race.step.spoken"], { step, stand: stands.join(", ") });
    texts.summary = fill(words["race.summary"], { far: texts["so-far"], lanes: summaries.join(" ") });
    return texts;
  }

  function tellCell(q, k) {
    const { config, words, data, state } = figure;
    const weights = config.lanes.map((lane, i) =>
      fill(words["race.cell.lane"], {
        lane: words[`race.lane.${lane}`],
        weight: fixed(one(data.arrays.weights, i, state.step, q, k)),
      }),
    );
    const [query, key] = [data.meta.tokens[q], data.meta.tokens[k]];
    return fill(words["race.cell"], { query, key, weights: weights.join(", ") });
  }

  function draw(state, { arrays, meta }) {
    const lane = figure.config.lanes.indexOf(state.lane);
    const weights = at(arrays.weights, lane, state.step);
    const stuck = at(arrays.stuck, lane, state.step);
    const T = meta.tokens.length;
    [...figure.part('[data-part="weights"] tbody').rows].forEach((tr, q) => {
      for (let k = 0; k < T; k++) write(tr.cells[k + 1], fixed(weights[q * T + k]));
      write(tr.cells[T + 2], figure.words[`race.table.stuck.${stuck[q]}`]);
    });
    if (shown && shown !== figure.data) drawing.showFields();
    shown = figure.data;
    running.showChoices();
    canvases?.draw(state, figure.data, cell);
  }

  function point(next) {
    cell = next;
    write(figure.part('[data-text="cell"]'), cell ? tellCell(...cell) : figure.words["race.cell.hint"]);
    canvases?.point(cell);
  }

  const figure = createFigure({
    ...host,
    name: "training-race",
    describe,
    draw,
    settle(next, { meta }) {
      if (cell?.some((i) => i >= meta.tokens.length)) cell = null;
      const { text, seed, d_k, learning_rate } = meta;
      return { ...next, text, seed, d_k, learning_rate };
    },
    async joinPlots(items) {
      canvases = await joinRace(figure, items, { onStep: goTo, onCell: point });
    },
    recolour: () => canvases?.recolour(),
    take({ step, lane }, { arrays, meta }) {
      const { lanes, tabled } = figure.config;
      const weights = at(arrays.weights, lanes.indexOf(lane), step);
      const T = meta.tokens.length;
      return {
        cells: {
          '[data-table="losses"]': (row, column) => (column < 0 ? undefined : one(arrays.relative_loss, row, [step, ...tabled][column])),
          '[data-table="weights"]': (q, k) => (k < 0 || k >= T ? undefined : weights[q * T + k]),
        },
      };
    },
  });

  const play = followPlay(figure);
  const running = followRun({ figure, requestTable: host.requestTable });
  const drawing = followDraw({ figure, requestTable: running.request });

  function goTo(step) {
    play.stop();
    figure.choose({ step: Math.min(Math.max(step, 0), figure.config.steps) });
  }

  const actions = {
    ...drawing.actions,
    play: play.press,
    back: () => goTo(figure.state.step - 1),
    forward: () => goTo(figure.state.step + 1),
    cancel: running.cancel,
  };
  figure.on(figure.root, "click", ({ target }) => actions[target.closest?.("[data-action]")?.dataset.action]?.());
  followGrid({ grid: figure.part('[data-part="weights"]'), on: figure.on, onCell: point, onRow: () => {} });
  running.chosenBefore();
  figure.render();
  return figure.handle;
}
