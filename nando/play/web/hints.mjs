// Find the next step of the walk, and the board before each step.

import { CENTRE } from "./game.mjs";

export const MISTAKE = -1;

// Return the cells whose value differs from the solution.
export function mistakes(game) {
  const cells = game.values.map((value, cell) => (value ? cell : -1)).filter((cell) => cell >= 0);
  return cells.filter((cell) => game.values[cell] !== game.puzzle.solution[cell]);
}

// Return the index of the first open step; MISTAKE if an entry is wrong, null at the end.
export function nextStep(game) {
  if (mistakes(game).length) return MISTAKE;
  const found = game.puzzle.steps.findIndex((step, k) => !isDone(game, step, k));
  return found < 0 ? null : found;
}

function isDone(game, step, k) {
  if (step.set.length) return step.set.every(([cell, value]) => game.at(cell) === value);
  if (game.seen.has(k)) return true;
  return step.out.every(([cell, digit]) => {
    const marks = game.layers[CENTRE][cell];
    return game.at(cell) || (marks && !(marks & (1 << digit)));
  });
}

// Return the degree of the next hint: one more than the last one if that was on the same step.
export function nextDegree(game, k) {
  const last = game.entries.findLast(({ event }) => event.e === "hint")?.event;
  return last && last.k === k ? Math.min(3, last.d + 1) : 1;
}

// Return the values and candidates before step k of the walk.
export function positionBefore(rules, puzzle, k) {
  const values = puzzle.givens.map(() => 0);
  for (const step of puzzle.steps.slice(0, k)) {
    for (const [cell, value] of step.set) values[cell] = value;
  }
  const marks = rules.candidates(puzzle, values);
  for (const step of puzzle.steps.slice(0, k)) {
    for (const [cell, digit] of step.out) marks[cell] &= ~(1 << digit);
  }
  return { values, marks };
}

// Return the open cells that people are most likely to fill next.
export function likelyNext(game, most = 3) {
  const places = game.puzzle.likely ?? [];
  return places
    .map((place, cell) => [place, cell])
    .filter(([place, cell]) => place > 0 && !game.at(cell))
    .sort(([one], [two]) => one - two)
    .slice(0, most)
    .map(([, cell]) => cell);
}

// Return the shapes that a hint of a degree shows of a step; degrees 2 and 3 share some of them.
export function shapesOf(step, degree) {
  const [first, shared, second, third] = step.shapes;
  return degree === 1 ? first : [...shared, ...(degree === 2 ? second : third)];
}
