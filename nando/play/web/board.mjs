// The board as a grid for the eye and for screen readers: one element per cell, changed only if needed.

import { SVG } from "./dom.mjs";
import { drawn } from "./shapes.mjs";

// A board with more columns is scrolled on a narrow screen instead of shrunk.
const LARGE = 16;

// Layers of drawings below and above the cells: for rules, and for hints (under and over).
const LAYERS = ["tints", "under", "lines", "marks", "over"];

export class Board {
  // `say` returns a text of the page in its language.
  constructor(frame, puzzle, rules, say) {
    this.frame = frame;
    this.puzzle = puzzle;
    this.rules = rules;
    this.say = say;
    this.shown = [];
    this.cells = [];
    this.build();
    this.active = this.cells.findIndex((_, cell) => !this.isGap(cell));
  }

  build() {
    const { rows, columns, margins = [0, 0, 0, 0] } = this.puzzle;
    const [left, top, right, bottom] = margins;
    const size = { left, top, wide: columns + left + right, tall: rows + top + bottom, columns, rows };
    const layers = Object.fromEntries(LAYERS.map((name) => [name, layer(name, size)]));
    const { tints, under, lines, marks, over } = layers;
    Object.assign(this, { under, over });
    const { below = [], behind = [], above = [] } = this.puzzle;
    for (const [into, shapes] of [[tints, below], [lines, behind], [marks, above]]) into.append(...shapes.map(drawn));
    this.grid = document.createElement("div");
    const named = { role: "grid", "aria-multiselectable": "true", "aria-label": this.say(this.puzzle.kind) };
    for (const [name, value] of Object.entries(named)) this.grid.setAttribute(name, value);
    this.grid.className = `grid ${this.puzzle.kind}`;
    for (let row = 0; row < rows; row++) {
      const line = document.createElement("div");
      line.setAttribute("role", "row");
      line.className = "row";
      for (let column = 0; column < columns; column++) line.append(this.cell(row, column));
      this.grid.append(line);
    }
    for (const [name, value] of Object.entries(size)) this.frame.style.setProperty(`--${name}`, value);
    this.shape(this.frame.parentElement, size.wide > LARGE);
    this.frame.replaceChildren(tints, under, lines, this.grid, marks, over);
  }

  // Let a large board be scrolled, by touch and by the keys of a screen or its reader.
  shape(scroller, isLarge) {
    scroller.classList.toggle("large", isLarge);
    for (const [name, value] of Object.entries({ tabindex: "0", role: "region", "aria-label": this.say("board") })) {
      if (isLarge) scroller.setAttribute(name, value);
      else scroller.removeAttribute(name);
    }
  }

  cell(row, column) {
    const { box, columns } = this.puzzle;
    const made = document.createElement("div");
    made.setAttribute("role", "gridcell");
    made.tabIndex = -1;
    if (box) {
      made.dataset.right = String((column + 1) % box === 0);
      made.dataset.below = String((row + 1) % box === 0);
    }
    made.dataset.cell = String(row * columns + column);
    if (this.isGap(row * columns + column)) made.setAttribute("aria-hidden", "true");
    this.cells.push(made);
    return made;
  }

  // Return the cell at a point of the screen; -1 outside the board.
  at(x, y) {
    const place = this.grid.getBoundingClientRect();
    const column = Math.floor(((x - place.left) / place.width) * this.puzzle.columns);
    const row = Math.floor(((y - place.top) / place.height) * this.puzzle.rows);
    const inside = column >= 0 && column < this.puzzle.columns && row >= 0 && row < this.puzzle.rows;
    const cell = row * this.puzzle.columns + column;
    return inside && !this.isGap(cell) ? cell : -1;
  }

  // Return true if there is no cell at a position, as between several grids.
  isGap(cell) {
    return Boolean(this.rules.isGap?.(this.puzzle, cell));
  }

  eachCell(visit) {
    this.cells.forEach((_, cell) => this.isGap(cell) || visit(cell));
  }

  focus(cell) {
    this.cells[this.active].tabIndex = -1;
    this.active = cell;
    this.cells[cell].tabIndex = 0;
    this.cells[cell].focus({ preventScroll: true });
    this.show(cell);
  }

  // Scroll a large board until a cell is visible.
  show(cell) {
    if (this.frame.parentElement.classList.contains("large")) {
      this.cells[cell].scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  // `view` has values and marks, and sets of cells: selected, conflicts, same, likely.
  render(view) {
    this.cells[this.active].tabIndex = 0;
    this.cells.forEach((made, cell) => {
      const state = this.stateOf(cell, view);
      const drawn = JSON.stringify(state);
      if (this.shown[cell] === drawn) return;
      this.shown[cell] = drawn;
      made.className = `cell ${state.classes.join(" ")}`;
      made.setAttribute("aria-label", state.label);
      made.setAttribute("aria-selected", String(state.classes.includes("selected")));
      if (state.classes.includes("conflict")) made.setAttribute("aria-invalid", "true");
      else made.removeAttribute("aria-invalid");
      made.replaceChildren(...state.parts.map(([name, text]) => part(name, text)));
    });
  }

  draw(shapes) {
    this.frame.classList.toggle("drawn", shapes.length > 0);
    // Tints of whole cells are drawn below their contents, everything else above.
    const tinted = shapes.filter(isTint);
    this.under.replaceChildren(...tinted.map(drawn));
    this.over.replaceChildren(...shapes.filter((shape) => !isTint(shape)).map(drawn));
    const [, x, y] = tinted.find(([, , , , , fill]) => fill === tinted.at(-1)[5]) ?? [];
    if (tinted.length) this.show(y * this.puzzle.columns + x);
  }

  stateOf(cell, view) {
    const { puzzle, rules } = this;
    if (this.isGap(cell)) return { classes: ["gap"], parts: [], label: "" };
    const given = puzzle.givens[cell];
    const value = given || view.values[cell];
    const classes = ["selected", "conflict", "same", "likely"].filter((name) => view[name].has(cell));
    const parts = [];
    const number = puzzle.numbers?.[cell];
    if (given) classes.push("given");
    if (puzzle.numbers && value) classes.push(value === 2 ? "black" : "white");
    if (number) {
      const count = view.counts?.get(cell) ?? 1;
      parts.push(["value", number < 0 ? "?" : String(number)]);
      if (number > 1) parts.push(["count", `${count}/${number}`]);
      if (count === number) classes.push("complete");
    } else if (value) parts.push(["value", rules.symbol(value)]);
    else if (rules.marks) {
      const corner = digitsOf(view.corner[cell]).map(rules.symbol);
      const centre = digitsOf(view.centre[cell]).map(rules.symbol);
      if (corner.length) parts.push(["corner", corner.join(" ")]);
      if (centre.length) parts.push([centre.length > 5 ? "centre many" : "centre", centre.join("")]);
    }
    return { classes, parts, label: this.label(cell, view, value, given) };
  }

  label(cell, view, value, given) {
    const number = this.puzzle.numbers?.[cell];
    const where = this.say("cell", {
      row: Math.floor(cell / this.puzzle.columns) + 1,
      column: (cell % this.puzzle.columns) + 1,
    });
    const said = [];
    if (number) {
      said.push(this.say("island", { number: number < 0 ? "?" : number, size: view.counts?.get(cell) ?? 1 }));
    } else if (this.puzzle.numbers) said.push(this.say(["open", "white", "black"][value]));
    else said.push(value ? this.rules.symbol(value) : this.say("empty"));
    if (given && !number) said.push(this.say("given"));
    const corner = value ? [] : digitsOf(view.corner[cell]);
    const centre = value ? [] : digitsOf(view.centre[cell]);
    if (corner.length) said.push(`${this.say("corner")} ${corner.map(this.rules.symbol).join(" ")}`);
    if (centre.length) said.push(`${this.say("centre")} ${centre.map(this.rules.symbol).join(" ")}`);
    if (view.conflict.has(cell)) said.push(this.say("conflict"));
    const marked = this.rules.marked?.(this.puzzle, cell) ?? [];
    said.push(...marked.map(({ key, with: values }) => this.say(key, values)));
    return `${where}: ${said.join(", ")}`;
  }
}

function layer(name, { left, top, wide, tall }) {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", `${-left} ${-top} ${wide} ${tall}`);
  made.setAttribute("aria-hidden", "true");
  made.setAttribute("class", name);
  return made;
}

function part(name, text) {
  const made = document.createElement("span");
  made.className = name;
  made.textContent = text;
  return made;
}

function isTint([kind, , , wide, tall, , stroke]) {
  return kind === "r" && wide === 1 && tall === 1 && !stroke;
}

// Return shapes of candidates, each at the place in its cell that `nando explain` uses.
export function markShapes(marks, { columns, box, pencil }, symbol) {
  const area = pencil ?? { wide: box, tall: box, left: 0.08, top: 0.08, width: 0.84, height: 0.84, size: 0.8 / box };
  return marks.flatMap((mask, cell) => {
    const [left, top] = [(cell % columns) + area.left, Math.floor(cell / columns) + area.top];
    return digitsOf(mask).map((digit) => {
      const [row, column] = [Math.floor((digit - 1) / area.wide), (digit - 1) % area.wide];
      const x = left + ((column + 0.5) * area.width) / area.wide;
      return ["t", x, top + ((row + 0.5) * area.height) / area.tall, symbol(digit), area.size, "grey"];
    });
  });
}

export function digitsOf(mask) {
  const digits = [];
  for (let digit = 1; mask >> digit; digit++) if (mask & (1 << digit)) digits.push(digit);
  return digits;
}
