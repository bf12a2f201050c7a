// Show a walk on one board: each step adds some shapes to the picture and drops others.

import { $ } from "./dom.mjs";
import { drawn } from "./shapes.mjs";

const { shapes, walks } = JSON.parse($("walks").textContent);

function draw(numbers) {
  const sorted = [...numbers].sort((a, b) => shapes[a][0] - shapes[b][0] || a - b);
  $("board").replaceChildren(...sorted.map((number) => drawn(shapes[number].slice(1))));
}

// Return the shapes of a panel: all that were added up to it, without those dropped again.
function shownAt({ panels }, at) {
  const shown = new Set();
  for (const [added, dropped] of panels.slice(0, at + 1)) {
    for (const number of numbersOf(dropped)) shown.delete(number);
    for (const number of numbersOf(added)) shown.add(number);
  }
  return shown;
}

// Numbers are written as distances from the number before.
function numbersOf(steps) {
  let number = 0;
  return steps.map((step) => (number += step));
}

const at = { walk: 0, step: 0 };

function show(step, { focus = false } = {}) {
  const walk = walks[at.walk];
  at.step = Math.max(0, Math.min(step, walk.panels.length - 1));
  draw(shownAt(walk, at.step));
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
