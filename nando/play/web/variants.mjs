// The rules of a variant of Sudoku, as constraints on cells: [name, kind, cells, ...].

import { LETTERS } from "./sudoku.mjs";

const gapSets = new WeakMap();

function gapsOf(puzzle) {
  if (!gapSets.has(puzzle)) gapSets.set(puzzle, new Set(puzzle.gaps));
  return gapSets.get(puzzle);
}

const bitOf = (digit) => 1 << (digit - 1);

// Return the cells of each digit that appears twice, which is a conflict.
function twice(cells, at) {
  const places = new Map();
  for (const cell of cells) {
    const value = at(cell);
    if (value) places.set(value, [...(places.get(value) ?? []), cell]);
  }
  return [...places.values()].filter((same) => same.length > 1);
}

// Return true if the sum can still be reached when every open cell may hold any digit.
function sumFits(cells, total, weights, at, size) {
  let [least, most] = [0, 0];
  cells.forEach((cell, i) => {
    const value = at(cell);
    const ends = [weights[i] * (value || 1), weights[i] * (value || size)];
    least += Math.min(...ends);
    most += Math.max(...ends);
  });
  return least <= total && total <= most;
}

// Return true if the table allows the pair, or some digit of an open cell together with the other one.
function pairFits([first, second], table) {
  const masks = first ? [table[first - 1]] : table;
  return masks.some((mask) => (second ? mask & bitOf(second) : mask));
}

// Return true if an automaton accepts the line when every open cell may hold any digit.
function patternFits(cells, { moves, accepting }, at) {
  let states = new Set([0]);
  for (const cell of cells) {
    const value = at(cell);
    const next = new Set();
    for (const state of states) {
      for (const to of value ? [moves[state][value - 1]] : moves[state]) if (to >= 0) next.add(to);
    }
    states = next;
  }
  return accepting.some((state) => states.has(state));
}

// Return the groups of cells that break a constraint.
const BROKEN = {
  different: (_, at, cells) => twice(cells, at),
  sum: ({ size }, at, cells, total, weights) => (sumFits(cells, total, weights, at, size) ? [] : [cells]),
  relation: ({ tables }, at, cells, table) => (pairFits(cells.map(at), tables[table]) ? [] : [cells]),
  pattern: ({ automata }, at, cells, number) => (patternFits(cells, automata[number], at) ? [] : [cells]),
  candidates: (_, at, cells, mask) => (!at(cells[0]) || mask & bitOf(at(cells[0])) ? [] : [cells]),
};

// Return a conflict with the name of its house, mark or rule in all languages.
function conflict(puzzle, name, kind, group, at) {
  const cells = group.filter(at);
  const rule = inLanguages(puzzle, name);
  return { cells, key: `broken_${kind}`, with: { rule, digit: LETTERS[at(cells[0])] } };
}

const markLists = new WeakMap();

// Return, for each cell, its marks as [name, number of the cell in the mark, cells of the mark].
function marksOf(puzzle) {
  if (!markLists.has(puzzle)) {
    const lists = puzzle.givens.map(() => []);
    for (const [name, cells] of puzzle.marked) {
      cells.forEach((cell, i) => lists[cell].push([name, i + 1, cells.length]));
    }
    markLists.set(puzzle, lists);
  }
  return markLists.get(puzzle);
}

// Return a name of the puzzle in all languages.
function inLanguages(puzzle, name) {
  return Object.fromEntries(Object.entries(puzzle.names).map(([tag, list]) => [tag, list[name]]));
}

export const variant = {
  marks: true,
  digits: (puzzle) => puzzle.size,
  symbol: (value) => LETTERS[value],
  valueOf: (key) => (key.length === 1 && key !== "." ? LETTERS.indexOf(key.toUpperCase()) : -1),

  // Return the cells that may not hold the digit of a cell.
  peers(puzzle, cell) {
    const near = puzzle.constraints.filter(([, kind, cells]) => kind === "different" && cells.includes(cell));
    return [...new Set(near.flatMap(([, , cells]) => cells))].filter((other) => other !== cell);
  },

  // Return, for each cell, a mask of the digits that peers and given marks allow; 0 for a filled cell.
  candidates(puzzle, values) {
    const at = puzzle.givens.map((given, cell) => given || values[cell]);
    const gaps = gapsOf(puzzle);
    const masks = at.map((value, cell) => (value || gaps.has(cell) ? 0 : (1 << (puzzle.size + 1)) - 2));
    for (const [, kind, cells, mask] of puzzle.constraints) {
      if (kind === "candidates") masks[cells[0]] &= mask << 1;
      if (kind !== "different") continue;
      const used = cells.reduce((bits, cell) => bits | (at[cell] && 1 << at[cell]), 0);
      for (const cell of cells) masks[cell] &= ~used;
    }
    return masks;
  },

  // Return every constraint that is broken or can no longer be satisfied.
  conflicts(game) {
    const { puzzle } = game;
    const at = (cell) => game.at(cell);
    return puzzle.constraints.flatMap(([name, kind, cells, ...more]) =>
      cells.some(at)
        ? BROKEN[kind](puzzle, at, cells, ...more).map((group) => conflict(puzzle, name, kind, group, at))
        : [],
    );
  },

  solved: (game) => game.puzzle.solution?.every((value, cell) => game.at(cell) === value),
  full: (game) => game.values.every((_, cell) => game.at(cell) || gapsOf(game.puzzle).has(cell)),

  // Return what is drawn at a cell for the rules, as keys of texts with their values.
  marked: (puzzle, cell) =>
    marksOf(puzzle)[cell].map(([name, n, all]) => ({
      key: all > 2 ? "mark_part" : "mark", with: { mark: inLanguages(puzzle, name), n, all },
    })),
  isGap: (puzzle, cell) => gapsOf(puzzle).has(cell),
};
