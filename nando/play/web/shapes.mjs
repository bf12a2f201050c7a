// Draw steps on the board with the shapes of `nando explain`, in the colours of the page.

import { SVG } from "./dom.mjs";

// Names of the colours in the data; each is a variable of the style sheet.
const colour = (name) => (name === null || name === undefined ? "none" : `var(--draw-${name})`);

const DRAWN = {
  r: ([x, y, width, height, fill, stroke, line]) =>
    element("rect", { x, y, width, height, ...painted(fill, stroke, line) }),
  c: ([cx, cy, r, fill, stroke, line]) =>
    element("circle", { cx, cy, r, ...painted(fill, stroke, line) }),
  g: ([points, fill]) => element("polygon", { points: points.flat().join(" "), style: `fill:${colour(fill)}` }),
  p: ([points, stroke, line, dashed, curved]) => {
    const [first, ...others] = points.map((point) => point.join(" "));
    return element("path", {
      d: `M${first}${curved ? "Q" : "L"}${others.join(" ")}`,
      style: `fill:none;stroke:${colour(stroke)};stroke-width:${line}`,
      ...(dashed ? { "stroke-dasharray": `${2.6 * line} ${2 * line}` } : {}),
    });
  },
  t: ([x, y, text, size, fill, bold]) => {
    const made = element("text", {
      x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle",
      "font-weight": bold ? "bold" : "normal", style: `fill:${colour(fill)}`,
    });
    made.textContent = text;
    return made;
  },
};

function painted(fill, stroke, line) {
  return { style: `fill:${colour(fill)};stroke:${colour(stroke)};stroke-width:${line ?? 0}` };
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// Tints of whole cells are drawn below their contents, everything else above.
export function drawShapes(under, over, shapes, columns) {
  under.replaceChildren(...tintsOf(shapes, columns).map(drawn));
  over.replaceChildren(...shapes.filter(([kind]) => kind !== "s").map(drawn));
}

// Draw the marks of a puzzle's rules: tints lowest, lines above the tints of hints, the rest on top.
export function drawRules({ tints, lines, marks }, { below = [], behind = [], above = [], columns }) {
  tints.replaceChildren(...tintsOf(below, columns).map(drawn));
  lines.replaceChildren(...behind.map(drawn));
  marks.replaceChildren(...above.map(drawn));
}

function tintsOf(shapes, columns) {
  return shapes.filter(([kind]) => kind === "s").flatMap(([, fill, cells]) =>
    cells.map((cell) => ["r", cell % columns, Math.floor(cell / columns), 1, 1, fill]),
  );
}

// Return the shapes that a hint of a degree shows of a step; degrees 2 and 3 share some of them.
export function shapesOf(step, degree) {
  const [first, shared, second, third] = step.shapes;
  return degree === 1 ? first : [...shared, ...(degree === 2 ? second : third)];
}

// Draw candidates, each at the place in its cell that `nando explain` uses.
export function markShapes(marks, { columns, box, pencil }, symbol) {
  const area = pencil ?? { wide: box, tall: box, left: 0.08, top: 0.08, width: 0.84, height: 0.84, size: 0.8 / box };
  return marks.flatMap((mask, cell) => {
    const [left, top] = [(cell % columns) + area.left, Math.floor(cell / columns) + area.top];
    return digitsOf(mask).map((digit) => {
      const [row, column] = [Math.floor((digit - 1) / area.wide), (digit - 1) % area.wide];
      const x = left + ((column + 0.5) * area.width) / area.wide;
      return ["t", x, top + ((row + 0.5) * area.height) / area.tall, symbol(digit), area.size, "grey", 0];
    });
  });
}

export function digitsOf(mask) {
  const digits = [];
  for (let digit = 1; mask >> digit; digit++) if (mask & (1 << digit)) digits.push(digit);
  return digits;
}

function drawn([kind, ...values]) {
  return DRAWN[kind](values);
}
