// The rules of Sudoku, of any order.

export const LETTERS = ".123456789ABCDEFGHIJKLMNOP";

const houseLists = new WeakMap();

// Rows, columns and boxes as [type, number, cells].
function houses(puzzle) {
  if (!houseLists.has(puzzle)) houseLists.set(puzzle, listHouses(puzzle));
  return houseLists.get(puzzle);
}

function listHouses({ rows: size, box }) {
  const found = { row: [], column: [], box: [] };
  for (let cell = 0; cell < size * size; cell++) {
    const row = Math.floor(cell / size);
    const column = cell % size;
    const places = {
      row, column, box: Math.floor(row / box) * box + Math.floor(column / box),
    };
    for (const [what, number] of Object.entries(places)) (found[what][number] ??= []).push(cell);
  }
  return Object.entries(found).flatMap(([what, lists]) =>
    lists.map((cells, i) => [what, i + 1, cells]),
  );
}

function peers(puzzle, cell) {
  const near = houses(puzzle).filter(([, , cells]) => cells.includes(cell));
  return [...new Set(near.flatMap(([, , cells]) => cells))].filter((other) => other !== cell);
}

export const sudoku = {
  marks: true,
  digits: (puzzle) => puzzle.rows,
  symbol: (value) => LETTERS[value],
  valueOf: (key) => (key.length === 1 && key !== "." ? LETTERS.indexOf(key.toUpperCase()) : -1),
  peers,

  // Return, for each cell, a mask of the digits that no peer has; 0 for a filled cell.
  candidates(puzzle, values) {
    const at = puzzle.givens.map((given, cell) => given || values[cell]);
    const masks = at.map((value) => (value ? 0 : (1 << (puzzle.rows + 1)) - 2));
    for (const [, , cells] of houses(puzzle)) {
      const used = cells.reduce((mask, cell) => mask | (at[cell] && 1 << at[cell]), 0);
      for (const cell of cells) masks[cell] &= ~used;
    }
    return masks;
  },

  // Return the digits that appear twice in a house.
  conflicts(game) {
    const found = [];
    for (const [what, number, cells] of houses(game.puzzle)) {
      const places = new Map();
      for (const cell of cells) {
        const value = game.at(cell);
        if (value) places.set(value, [...(places.get(value) ?? []), cell]);
      }
      for (const [value, twice] of places) {
        if (twice.length < 2) continue;
        found.push({ cells: twice, key: `twice_${what}`, with: { digit: LETTERS[value], number } });
      }
    }
    return found;
  },

  solved: (game) => game.puzzle.solution?.every((value, cell) => game.at(cell) === value),
  full: (game) => game.values.every((_, cell) => game.at(cell)),
};
