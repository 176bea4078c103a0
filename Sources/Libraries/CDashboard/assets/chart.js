// Small charts, each with the same in words for those who do not see them.

import { h, s } from "./dom.js";

const WIDTH = 320;
const HEIGHT = 100;

function frame(title, unit, summary, legend, drawing) {
  return h("figure", { class: "chart" },
    h("figcaption", {}, h("b", {}, title), h("span", {}, unit)),
    drawing, legend && h("div", { class: "legend" }, legend), h("p", { class: "summary" }, summary));
}

function axis(top, left, right) {
  return [
    s("line", { class: "axis", x1: 0, x2: WIDTH, y1: HEIGHT - 14, y2: HEIGHT - 14 }),
    s("text", { class: "tick", x: WIDTH - 1, y: 10, "text-anchor": "end" }, top),
    s("text", { class: "tick", x: 1, y: HEIGHT - 1 }, left),
    s("text", { class: "tick", x: WIDTH - 1, y: HEIGHT - 1, "text-anchor": "end" }, right),
  ];
}

const clock = (at) => new Date(at).toISOString().slice(11, 19);

/** The first kind of a stack is broad, the second narrow, the third hollow, so that none is told by its colour alone. */
const SHAPES = [["", 1], ["", 0.5], [" hollow", 1]];

/** Bars of stacked values: `names` are `[class, title]`, `bars` as `Series.bars()` makes them. */
export function barChart({ title, unit, summary, names, bars, format = String }) {
  const most = Math.max(1, ...bars.map(({ values }) => values.reduce((sum, value) => sum + value, 0)));
  const slots = Math.max(bars.length, 12);
  const step = WIDTH / slots;
  const high = HEIGHT - 30;
  const shapes = [];
  bars.forEach(({ at, values }, index) => {
    let y = HEIGHT - 14;
    values.forEach((value, kind) => {
      if (!value) return;
      const height = Math.max(1.5, value / most * high);
      y -= height;
      const [shape, share] = SHAPES[kind];
      const width = Math.max(1, step - 1.5);
      shapes.push(s("rect", {
        class: `bar ${names[kind][0]}${shape}`, x: ((slots - bars.length + index) * step + 0.5 + width * (1 - share) / 2).toFixed(2), y: y.toFixed(2),
        width: (width * share).toFixed(2), height: height.toFixed(2), rx: 1,
      }, s("title", {}, `${clock(at)}: ${format(value)} ${names[kind][1]}`)));
    });
  });
  const drawing = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}: ${summary}` },
    axis(bars.some(({ values }) => values.some(Boolean)) ? format(most) : "", bars.length ? clock(bars[0].at) : "", bars.length ? clock(bars.at(-1).at) : ""), shapes);
  const legend = names.length > 1 && names.map(([name, text], kind) =>
    h("span", {}, s("svg", { class: "key", viewBox: "0 0 8 8", width: 8, height: 8, "aria-hidden": "true" },
      s("rect", { class: `bar ${name}${SHAPES[kind][0]}`, x: 4 * (1 - SHAPES[kind][1]), width: 8 * SHAPES[kind][1], height: 8, rx: 1 })), text));
  return frame(title, unit, summary, legend, drawing);
}

/** One dot for each value, the newest on the right, on a scale of powers of ten. */
export function dotChart({ title, unit, summary, dots, format = String }) {
  const most = Math.max(1, ...dots.map(({ value }) => value));
  const scale = (value) => Math.log10(1 + value) / Math.log10(1 + most);
  const shown = dots.slice(-80);
  const step = WIDTH / Math.max(shown.length, 20);
  const shapes = shown.map(({ value, kind, text }, index) => s("circle", {
    class: `dot ${kind}`, cx: (WIDTH - (shown.length - index - 0.5) * step).toFixed(2),
    cy: (HEIGHT - 18 - scale(value) * (HEIGHT - 38)).toFixed(2), r: 2.6,
  }, s("title", {}, text)));
  return frame(title, unit, summary, null,
    s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${title}: ${summary}` },
      axis(dots.length ? format(most) : "", dots.length ? "older" : "", dots.length ? "newest" : ""), shapes));
}
