// Moves the histogram that variance_law.py made: bars, the curve over them, one draw's scores beneath.

import { joinRoles } from "bands";

const ROLES = { bars: "many", curve: "law", marks: "law", "mark-texts": "law", scores: "draw" };
const MARK_SHIFT = 5; // px between a mark and its text

export async function joinBell(target, item, { root }) {
  const { plot, sources, recolour } = await joinRoles(target, item, { root, roles: ROLES });
  let [low, top] = [plot.y_range.start, plot.y_range.end];

  return {
    recolour,
    /** The axes of a scale: fixed while d_k moves. */
    axes({ start, end, low: below, high, ticks, title }) {
      [low, top] = [below, high];
      plot.x_range.setv({ start, end });
      plot.y_range.setv({ start: below, end: high });
      plot.below[0].ticker.ticks = ticks;
      plot.below[0].axis_label = title;
    },
    /** Bars between edges, a curve through points, this draw's scores, marks one standard deviation away. */
    draw({ edges, heights, points, curve, scores, law, mark }) {
      sources.bars.data = { left: edges.slice(0, -1), right: edges.slice(1), top: heights };
      sources.curve.data = { x: points, y: curve };
      sources.scores.data = { x: scores, low: Array.from(scores, () => low) };
      sources.marks.data = {
        x: [-law, law],
        top: [top, top],
        text: [`−${mark}`, mark],
        align: ["right", "left"],
        shift: [-MARK_SHIFT, MARK_SHIFT],
      };
    },
  };
}
