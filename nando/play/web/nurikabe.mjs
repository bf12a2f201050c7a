// The rules of Nurikabe: 1 is white, a cell of an island; 2 is black, a cell of the river.

const WHITE = 1;
const BLACK = 2;

function neighbours({ rows, columns }, cell) {
  const column = cell % columns;
  const row = Math.floor(cell / columns);
  return [
    row > 0 ? cell - columns : -1,
    row < rows - 1 ? cell + columns : -1,
    column > 0 ? cell - 1 : -1,
    column < columns - 1 ? cell + 1 : -1,
  ].filter((other) => other >= 0);
}

// Return the connected groups of cells for which `belongs` is true.
function partsOf(puzzle, belongs) {
  const seen = new Set();
  const parts = [];
  for (let start = 0; start < puzzle.givens.length; start++) {
    if (seen.has(start) || !belongs(start)) continue;
    const part = [start];
    seen.add(start);
    for (const cell of part) {
      for (const other of neighbours(puzzle, cell)) {
        if (seen.has(other) || !belongs(other)) continue;
        seen.add(other);
        part.push(other);
      }
    }
    parts.push(part);
  }
  return parts;
}

function pools(game) {
  const { rows, columns } = game.puzzle;
  const found = [];
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column + 1 < columns; column++) {
      const cell = row * columns + column;
      const block = [cell, cell + 1, cell + columns, cell + columns + 1];
      if (block.every((one) => game.at(one) === BLACK)) found.push({ cells: block, key: "pool" });
    }
  }
  return found;
}

// Return the conflicts of islands that are joined, too large, or closed too early.
function badIslands(game) {
  const { puzzle } = game;
  const found = [];
  for (const cells of partsOf(puzzle, (cell) => game.at(cell) === WHITE)) {
    const numbered = cells.filter((cell) => puzzle.numbers[cell]);
    const closed = !cells.some((cell) => neighbours(puzzle, cell).some((near) => !game.at(near)));
    if (numbered.length > 1) found.push({ cells, key: "islands_joined" });
    else if (numbered.length === 1) {
      const wanted = puzzle.numbers[numbered[0]];
      if (wanted < 0) continue;
      const sizes = { number: wanted, size: cells.length };
      if (cells.length > wanted) found.push({ cells, key: "island_large", with: sizes });
      else if (closed && cells.length < wanted) found.push({ cells, key: "island_small", with: sizes });
    } else if (closed) found.push({ cells, key: "island_numberless" });
  }
  return found;
}

// Return the conflict of parts of the river that cannot be connected through open cells.
function cutRiver(game) {
  const parts = partsOf(game.puzzle, (cell) => game.at(cell) !== WHITE)
    .map((part) => part.filter((cell) => game.at(cell) === BLACK))
    .filter((part) => part.length);
  if (parts.length < 2) return [];
  const [, ...others] = parts.sort((one, two) => two.length - one.length);
  return others.map((cells) => ({ cells, key: "river_cut" }));
}

export const nurikabe = {
  marks: false,
  digits: () => 2,
  symbol: (value) => ["", "•", "■"][value],
  valueOf: (key) => ({ ".": WHITE, "1": WHITE, "2": BLACK, x: BLACK, "#": BLACK })[key] ?? -1,
  peers: () => [],
  candidates: (puzzle) => puzzle.givens.map(() => 0),
  conflicts: (game) => [...pools(game), ...badIslands(game), ...cutRiver(game)],

  // White cells need no dot: the puzzle is solved once the river is complete.
  solved: (game) =>
    game.puzzle.solution?.every((value, cell) => (game.at(cell) === BLACK) === (value === BLACK)),
  full: (game) => game.values.every((_, cell) => game.at(cell)),

  // Return the value after a tap: open becomes black, black becomes a dot, a dot becomes open.
  next: (value) => ({ 0: BLACK, [BLACK]: WHITE, [WHITE]: 0 })[value],

  // Return the number of white cells so far of each island, by the cell of its number.
  counts(game) {
    const found = new Map();
    for (const cells of partsOf(game.puzzle, (cell) => game.at(cell) === WHITE)) {
      for (const cell of cells) if (game.puzzle.numbers[cell]) found.set(cell, cells.length);
    }
    return found;
  },
};
