// Show a walk on one board: each step adds some shapes to the picture and drops others.

const SVG = "http://www.w3.org/2000/svg";
const $ = (id) => document.getElementById(id);
const { shapes, walks } = JSON.parse($("walks").textContent);

const colour = (name) =>
  name === null ? "none" : name.startsWith("#") ? name : `var(--draw-${name})`;

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const painted = (fill, stroke, line) => ({
  style: `fill:${colour(fill)};stroke:${colour(stroke)};stroke-width:${line}`,
});

const DRAWN = {
  r: (x, y, width, height, fill, stroke, line) =>
    element("rect", { x, y, width, height, ...painted(fill, stroke, line) }),
  c: (cx, cy, r, fill, stroke, line) => element("circle", { cx, cy, r, ...painted(fill, stroke, line) }),
  t: (x, y, text, size, fill, bold) =>
    element("text", {
      x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle",
      "font-weight": bold ? "bold" : "normal", style: `fill:${colour(fill)}`,
    }, text),
  g: (points, fill) => element("polygon", { points: points.join(" "), style: `fill:${colour(fill)}` }),
  b: (x, y, inner) => {
    const group = element("g", { transform: `translate(${x} ${y})` });
    group.append(...inner.map(([kind, ...values]) => DRAWN[kind](...values)));
    return group;
  },
  p: (points, stroke, line, flags) => {
    const [dashed, curved, headed] = [1, 2, 4].map((bit) => (flags & bit) > 0);
    const way = element("path", {
      d: `M${points.slice(0, 2)}${curved ? "Q" : "L"}${points.slice(2)}`,
      style: `fill:none;stroke:${colour(stroke)};stroke-width:${line}`,
      ...(dashed ? { "stroke-dasharray": `${2.6 * line} ${2 * line}` } : {}),
    });
    if (!headed) return way;
    const both = element("g", {});
    both.append(way, arrowHead(points, stroke));
    return both;
  },
};

// Return a triangle at the end of a curve, along its last direction.
function arrowHead(points, stroke) {
  const [bendX, bendY, x, y] = points.slice(-4);
  const length = Math.hypot(x - bendX, y - bendY) || 1;
  const [alongX, alongY] = [(x - bendX) / length, (y - bendY) / length].map((part) => 20 * part);
  const corners = [
    [x + alongX, y + alongY],
    [x - 0.42 * alongY, y + 0.42 * alongX],
    [x + 0.42 * alongY, y - 0.42 * alongX],
  ];
  return element("polygon", { points: corners.join(" "), style: `fill:${colour(stroke)}` });
}

function draw(numbers) {
  const sorted = [...numbers].sort((a, b) => shapes[a][0] - shapes[b][0] || a - b);
  $("board").replaceChildren(...sorted.map((number) => {
    const [, kind, ...values] = shapes[number];
    return DRAWN[kind](...values);
  }));
}

// Return the shapes of a panel: all that were added up to it, without those dropped again.
export function shapesOf({ panels }, at) {
  const shown = new Set();
  for (const [added, dropped] of panels.slice(0, at + 1)) {
    for (const number of dropped) shown.delete(number);
    for (const number of added) shown.add(number);
  }
  return shown;
}

const at = { walk: 0, step: 0 };

function show(step, { focus = false } = {}) {
  const walk = walks[at.walk];
  at.step = Math.max(0, Math.min(step, walk.panels.length - 1));
  draw(shapesOf(walk, at.step));
  const list = $(`walk-${at.walk}`);
  const lines = list.querySelectorAll("[data-step]");
  lines.forEach((line, i) => {
    if (i === at.step) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
  });
  const line = lines[at.step];
  if (focus) line.focus({ preventScroll: true });
  const box = list.closest(".walk");
  const place = line.offsetTop;
  if (place < box.scrollTop || place + line.offsetHeight > box.scrollTop + box.clientHeight) {
    box.scrollTop = place - box.clientHeight / 3;
  }
  $("said").textContent = line.textContent.trim();
  $("board").setAttribute("aria-label", line.textContent.trim());
  $("count").textContent = `${at.step + 1} / ${walk.panels.length}`;
  for (const id of ["first", "back"]) $(id).disabled = at.step === 0;
  for (const id of ["on", "last"]) $(id).disabled = at.step === walk.panels.length - 1;
}

function open(walk) {
  at.walk = walk;
  document.querySelectorAll("[data-walk]").forEach((section) => {
    section.hidden = Number(section.dataset.walk) !== walk;
  });
  const [width, height] = walks[walk].size;
  $("board").setAttribute("viewBox", `0 0 ${width} ${height}`);
  show(0);
}

const MOVES = {
  first: () => 0,
  back: () => at.step - 1,
  on: () => at.step + 1,
  last: () => walks[at.walk].panels.length - 1,
};
const KEYS = { Home: "first", ArrowLeft: "back", ArrowRight: "on", End: "last" };

for (const [id, move] of Object.entries(MOVES)) $(id).addEventListener("click", () => show(move()));
document.addEventListener("keydown", (event) => {
  const id = KEYS[event.key];
  if (!id || event.ctrlKey || event.metaKey || event.altKey || event.target === $("puzzle")) return;
  event.preventDefault();
  show(MOVES[id](), { focus: event.target.closest("[data-step]") !== null });
});
document.addEventListener("click", (event) => {
  const line = event.target.closest("[data-step]");
  if (line) show(Number(line.dataset.step));
});
$("puzzle")?.addEventListener("change", () => open(Number($("puzzle").value)));
open(0);
