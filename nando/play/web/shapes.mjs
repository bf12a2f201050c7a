// Draw shapes as `plain.py` writes them, in the colours of the page.

import { SVG } from "./dom.mjs";

// A colour is the name of a variable of the style sheet, or a colour of its own.
const colour = (name) =>
  name === null ? "none" : name.startsWith("#") ? name : `var(--draw-${name})`;

const DRAWN = {
  r: (x, y, width, height, fill, stroke, line) =>
    element("rect", { x, y, width, height, ...painted(fill, stroke, line) }),
  c: (cx, cy, r, fill, stroke, line) => element("circle", { cx, cy, r, ...painted(fill, stroke, line) }),
  g: (points, fill) => element("polygon", { points: points.join(" "), style: `fill:${colour(fill)}` }),
  p: (points, stroke, line, dashed, curved) =>
    element("path", {
      d: `M${points.slice(0, 2)}${curved ? "Q" : "L"}${points.slice(2)}`,
      style: `fill:none;stroke:${colour(stroke)};stroke-width:${line}`,
      ...(dashed ? { "stroke-dasharray": `${2.6 * line} ${2 * line}` } : {}),
    }),
  t: (x, y, text, size, fill = "ink", bold = 0) => {
    const made = element("text", {
      x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle",
      "font-weight": bold ? "bold" : "normal", style: `fill:${colour(fill)}`,
    });
    made.textContent = text;
    return made;
  },
  b: (x, y, scale, inner) => {
    const made = element("g", { transform: `translate(${x} ${y}) scale(${scale})` });
    made.append(...inner.map(drawn));
    return made;
  },
};

function painted(fill, stroke = null, line = 0) {
  return { style: `fill:${colour(fill)};stroke:${colour(stroke)};stroke-width:${line}` };
}

function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function drawn([kind, ...values]) {
  return DRAWN[kind](...values);
}
