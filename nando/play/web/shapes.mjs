// Pictures of steps on the board: the shapes that `nando explain` draws, in the colours of the page.

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

// Tints of whole cells lie under what is written in them, everything else above.
export function drawShapes(under, over, shapes, columns) {
  const tints = shapes.filter(([kind]) => kind === "s").flatMap(([, fill, cells]) =>
    cells.map((cell) => ["r", cell % columns, Math.floor(cell / columns), 1, 1, fill]),
  );
  under.replaceChildren(...tints.map(drawn));
  over.replaceChildren(...shapes.filter(([kind]) => kind !== "s").map(drawn));
}

// What a hint of a degree shows of a step: of 2 and 3 a part is the same.
export function shapesOf(step, degree) {
  const [first, shared, second, third] = step.shapes;
  return degree === 1 ? first : [...shared, ...(degree === 2 ? second : third)];
}

// Candidates, each at its own place in the cell, as `nando explain` has them.
export function markShapes(marks, { columns, box }, symbol) {
  const inset = 0.08;
  const step = (1 - 2 * inset) / box;
  return marks.flatMap((mask, cell) => {
    const [left, top] = [(cell % columns) + inset, Math.floor(cell / columns) + inset];
    return digitsOf(mask).map((digit) => {
      const [row, column] = [Math.floor((digit - 1) / box), (digit - 1) % box];
      return ["t", left + (column + 0.5) * step, top + (row + 0.5) * step, symbol(digit), 0.8 / box, "grey", 0];
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
