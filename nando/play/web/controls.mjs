// Turn keyboard, mouse and touch input on the board into events of a game.

const MOVES = {
  ArrowUp: { down: -1 },
  ArrowDown: { down: 1 },
  ArrowLeft: { right: -1 },
  ArrowRight: { right: 1 },
  Home: { right: 1, end: true },
  End: { right: -1, end: true },
  PageUp: { down: 1, end: true },
  PageDown: { down: -1, end: true },
};

// The controls act on a `table`: board, game, rules, selection, mode, and `act(event)`.
export class Controls {
  constructor(table) {
    this.table = table;
    this.stroke = null;
    this.strokes = 0;
  }

  attach(frame) {
    frame.addEventListener("pointerdown", (event) => this.pressed(event));
    frame.addEventListener("pointermove", (event) => this.moved(event));
    for (const name of ["pointerup", "pointercancel"]) {
      frame.addEventListener(name, () => this.released());
    }
    frame.addEventListener("contextmenu", (event) => event.preventDefault());
    frame.addEventListener("dblclick", (event) => this.sameValue(event));
    frame.addEventListener("focusin", (event) => this.focused(event));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // ---------------------------------------------------------------- mouse and touch

  pressed(event) {
    const { table } = this;
    const cell = table.board.at(event.clientX, event.clientY);
    if (cell < 0 || !table.playable) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const joins = event.ctrlKey || event.metaKey || event.shiftKey || table.multiple;
    if (table.rules.marks) {
      const removes = joins && table.selection.has(cell);
      if (!joins) table.selection.clear();
      this.stroke = { removes, last: cell };
      this.select(cell);
    } else {
      table.selection.clear();
      this.stroke = { ...this.painting(cell, event), last: cell };
      this.paint(cell);
      table.selection.add(cell);
    }
    table.board.focus(cell);
    table.refresh();
  }

  moved(event) {
    if (!this.stroke) return;
    // A fast stroke skips cells: the browser reports the points in between.
    const places = event.getCoalescedEvents?.() ?? [];
    for (const { clientX, clientY } of places.length ? places : [event]) {
      const cell = this.table.board.at(clientX, clientY);
      if (cell < 0 || cell === this.stroke.last) continue;
      this.stroke.last = cell;
      if (this.table.rules.marks) this.select(cell);
      else this.paint(cell);
    }
    this.table.refreshSoon();
  }

  released() {
    if (this.stroke) this.table.refresh();
    this.stroke = null;
  }

  select(cell) {
    if (this.stroke.removes) this.table.selection.delete(cell);
    else this.table.selection.add(cell);
  }

  // Return what a stroke paints, and the value of the first cell: it changes only cells like that one.
  painting(cell, event) {
    const { game, rules, mode } = this.table;
    const before = game.values[cell];
    const chosen = { black: 2, white: 1, erase: 0 }[mode];
    const wanted = event.button === 2 ? 1 : chosen;
    const value = wanted === undefined ? rules.next(before) : wanted === before ? 0 : wanted;
    return { value, before, g: `${Math.round(game.wall())}.${++this.strokes}` };
  }

  paint(cell) {
    const { game } = this.table;
    const { value, before, g } = this.stroke;
    if (!game.isOpen(cell) || game.values[cell] !== before) return;
    this.table.act({ e: "value", c: [cell], v: value, keep: true, g }, () => this.table.refreshSoon());
  }

  sameValue(event) {
    const { board, game, selection, rules } = this.table;
    const cell = board.at(event.clientX, event.clientY);
    if (cell < 0 || !rules.marks || !game.at(cell)) return;
    game.values.forEach((_, other) => game.at(other) === game.at(cell) && selection.add(other));
    this.table.refresh();
  }

  focused(event) {
    const cell = Number(event.target.dataset?.cell ?? -1);
    if (cell < 0 || this.stroke || this.table.selection.size) return;
    this.table.selection.add(cell);
    this.table.board.focus(cell);
    this.table.refresh();
  }

  // ---------------------------------------------------------------- keyboard

  key(event) {
    const { table } = this;
    const isText = event.target.closest?.("input, select, textarea, dialog, summary");
    // The arrows scroll a board that is focused itself, and not a cell of it.
    const scrolls = event.target.matches?.(".scroller");
    if (isText || scrolls || !table.playable) return;
    const done = this.command(event) || this.movement(event) || this.entry(event);
    if (done) event.preventDefault();
  }

  command(event) {
    const { table } = this;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (control && key === "z") table.act({ e: event.shiftKey ? "redo" : "undo" });
    else if (control && key === "y") table.act({ e: "redo" });
    else if (control && key === "a") table.board.eachCell((cell) => table.selection.add(cell));
    else if (event.key === "Escape") table.selection.clear();
    else if (event.key === "?") table.hint();
    else return false;
    table.refresh();
    return true;
  }

  movement(event) {
    const { table } = this;
    const { rows, columns } = table.game.puzzle;
    const move = MOVES[event.key];
    if (!move) return false;
    const from = table.board.active;
    // Home and End start at the end of a line, an arrow starts at the current cell.
    let row = move.end && move.down ? (move.down > 0 ? 0 : rows - 1) : Math.floor(from / columns);
    let column = move.end && move.right ? (move.right > 0 ? 0 : columns - 1) : from % columns;
    const go = () => {
      row = (row + (move.down ?? 0) + rows) % rows;
      column = (column + (move.right ?? 0) + columns) % columns;
    };
    if (!move.end) go();
    while (table.board.isGap(row * columns + column)) go();
    const cell = row * columns + column;
    if (!event.shiftKey && !event.ctrlKey) table.selection.clear();
    table.selection.add(cell);
    table.board.focus(cell);
    table.refresh();
    return true;
  }

  entry(event) {
    const { table } = this;
    const onButton = event.target.closest?.("button");
    if (["Backspace", "Delete", "0"].includes(event.key)) return table.enter("erase");
    if (event.key === " " && !onButton) return table.space();
    const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
    const value = digit && table.rules.marks ? Number(digit[1]) : table.rules.valueOf(event.key);
    const isShortcut = (event.ctrlKey || event.metaKey) && !digit;
    if (isShortcut || value < 1 || value > table.rules.digits(table.game.puzzle)) return false;
    if (!table.rules.marks) return table.enter("value", value);
    // Letters are digits of large grids, so Shift means a corner mark only with number keys.
    const marks = event.ctrlKey || event.altKey ? "centre" : digit && event.shiftKey ? "corner" : "";
    return table.enter(marks || table.mode, value);
  }
}
