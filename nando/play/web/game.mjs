// A game: the board is the result of its events. It knows neither the page nor the storage.
//
// Every event is plain data. Only `apply` changes the state, both when an event happens and when it is
// replayed, so a loaded game is the game that was played.

export const VALUE = 0;
export const CORNER = 1;
export const CENTRE = 2;

export class Game {
  // `rules` are those of the kind, `clock` measures playing time and `wall` elapsed time. Nothing is
  // recorded unless `mayRecord` returns true.
  constructor(rules, puzzle, clock, wall, mayRecord = () => true) {
    this.rules = rules;
    this.puzzle = puzzle;
    this.clock = clock;
    this.wall = wall;
    this.mayRecord = mayRecord;
    this.started = null;
    this.entries = [];
    const cells = puzzle.givens.length;
    this.layers = [VALUE, CORNER, CENTRE].map(() => new Array(cells).fill(0));
    this.past = [];
    this.future = [];
    this.seen = new Set();
    this.paused = false;
    this.finished = null;
    this.listeners = [];
  }

  get values() {
    return this.layers[VALUE];
  }

  get begun() {
    return this.entries.length > 0;
  }

  // Return the value of a cell, given or entered.
  at(cell) {
    return this.puzzle.givens[cell] || this.values[cell];
  }

  isOpen(cell) {
    return !this.puzzle.givens[cell] && !this.rules.isGap?.(this.puzzle, cell);
  }

  // Record an event now and return it; null if it changes nothing or may not be recorded.
  record(event) {
    if (!this.mayRecord()) return null;
    if (this.finished !== null && EDITS.has(event.e)) return null;
    const last = this.entries.at(-1)?.event;
    const wall = Math.round(this.wall());
    this.started ??= wall;
    const timed = {
      ...event,
      t: Math.max(this.clock.ms, last?.t ?? 0),
      w: Math.max(wall - this.started, last?.w ?? 0),
    };
    const entry = this.apply(timed);
    if (entry) for (const listener of this.listeners) listener(entry);
    if (entry?.changes.length && this.rules.solved(this)) this.finish();
    return entry;
  }

  finish() {
    this.record({ e: "finish" });
    this.clock.stop();
  }

  // Apply a recorded event.
  apply(event) {
    const changes = this.changesOf(event);
    if (EDITS.has(event.e) && !changes.length) return null;
    for (const [layer, cell, , after] of changes) this.layers[layer][cell] = after;
    this.remember(event, changes);
    if (event.e === "pause") this.paused = true;
    if (event.e === "resume") this.paused = false;
    if (event.e === "hint" && event.d === 3) this.seen.add(event.k);
    if (event.e === "finish") this.finished = event.t;
    const entry = { event, changes };
    this.entries.push(entry);
    return entry;
  }

  // Save the changes for undo and redo. Changes of one pointer stroke (`g`) are undone together.
  remember(event, changes) {
    if (event.e === "undo") this.future.push(this.past.pop());
    else if (event.e === "redo") this.past.push(this.future.pop());
    else if (changes.length) {
      const top = this.past.at(-1);
      const isMore = event.g !== undefined && top?.g === event.g && !this.future.length;
      if (isMore) top.changes = [...top.changes, ...changes];
      else this.past.push({ changes, g: event.g });
      this.future = [];
    }
  }

  // Load recorded events; `epoch` is the wall clock at the first event.
  replay(events, epoch) {
    for (const event of events) this.apply(event);
    if (events.length) {
      this.started = epoch;
      this.clock.advanceTo(events.at(-1).t);
    }
  }

  // Return lists of [layer, cell, before, after].
  changesOf(event) {
    const edit = EDITS.get(event.e);
    return edit ? edit(this, event) : [];
  }
}

function change(game, layer, cell, after) {
  const before = game.layers[layer][cell];
  return before === after ? [] : [[layer, cell, before, after]];
}

function openCells(game, event) {
  return event.c.filter((cell) => game.isOpen(cell));
}

// Entering a value or mark a second time removes it.
function enterValue(game, event) {
  const cells = openCells(game, event);
  const there = event.v && cells.every((cell) => game.values[cell] === event.v);
  const value = there && !event.keep ? 0 : event.v;
  const changes = cells.flatMap((cell) => change(game, VALUE, cell, value));
  return event.clean && value ? changes.concat(clean(game, cells, value)) : changes;
}

// Remove the marks of a digit from cells that can no longer contain it.
function clean(game, cells, value) {
  const bit = 1 << value;
  const near = new Set(cells.flatMap((cell) => game.rules.peers(game.puzzle, cell)));
  return [...near].flatMap((cell) =>
    [CORNER, CENTRE].flatMap((layer) => change(game, layer, cell, game.layers[layer][cell] & ~bit)),
  );
}

function toggleMark(layer) {
  return (game, event) => {
    const bit = 1 << event.v;
    const cells = openCells(game, event).filter((cell) => !game.values[cell]);
    const all = cells.length && cells.every((cell) => game.layers[layer][cell] & bit);
    return cells.flatMap((cell) => {
      const marks = game.layers[layer][cell];
      return change(game, layer, cell, all ? marks & ~bit : marks | bit);
    });
  };
}

// Erase values; if none of the cells has one, erase marks.
function erase(game, event) {
  const cells = openCells(game, event);
  const filled = cells.filter((cell) => game.values[cell]);
  if (filled.length) return filled.flatMap((cell) => change(game, VALUE, cell, 0));
  return cells.flatMap((cell) => [CORNER, CENTRE].flatMap((layer) => change(game, layer, cell, 0)));
}

function fillMarks(game) {
  const candidates = game.rules.candidates(game.puzzle, game.values);
  return candidates.flatMap((mask, cell) =>
    game.at(cell) ? [] : change(game, CENTRE, cell, mask),
  );
}

// Apply a step of the walk: enter its values and remove the marks that it rules out. The event holds
// them, because another version of nando may find other steps.
function followStep(game, event) {
  const changes = event.set.flatMap(([cell, value]) => change(game, VALUE, cell, value));
  const marks = new Map();
  for (const [cell, digit] of event.out) {
    for (const layer of [CORNER, CENTRE]) {
      const key = `${layer} ${cell}`;
      marks.set(key, (marks.get(key) ?? game.layers[layer][cell]) & ~(1 << digit));
    }
  }
  for (const [key, mask] of marks) changes.push(...change(game, ...key.split(" ").map(Number), mask));
  return changes;
}

function undo(game) {
  const changes = game.past.at(-1)?.changes ?? [];
  return changes.map(([layer, cell, before, after]) => [layer, cell, after, before]).reverse();
}

function redo(game) {
  return game.future.at(-1)?.changes ?? [];
}

const EDITS = new Map([
  ["value", enterValue],
  ["corner", toggleMark(CORNER)],
  ["centre", toggleMark(CENTRE)],
  ["erase", erase],
  ["fill", fillMarks],
  ["follow", followStep],
  ["undo", undo],
  ["redo", redo],
]);
