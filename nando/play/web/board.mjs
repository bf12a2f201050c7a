// The board as a grid that is seen and read out: one element a cell, changed only where need be.

import { SVG } from "./dom.mjs";
import { digitsOf, drawShapes } from "./shapes.mjs";

export class Board {
  // `say` puts a text of the page into words.
  constructor(frame, puzzle, rules, say) {
    this.frame = frame;
    this.puzzle = puzzle;
    this.rules = rules;
    this.say = say;
    this.shown = [];
    this.cells = [];
    this.active = 0;
    this.build();
  }

  build() {
    const { rows, columns } = this.puzzle;
    this.under = layer("under", rows, columns);
    this.over = layer("over", rows, columns);
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
    this.frame.style.setProperty("--columns", columns);
    this.frame.style.setProperty("--rows", rows);
    this.frame.replaceChildren(this.under, this.grid, this.over);
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
    this.cells.push(made);
    return made;
  }

  // The cell at a place on the screen; -1 beside the board.
  at(x, y) {
    const place = this.grid.getBoundingClientRect();
    const column = Math.floor(((x - place.left) / place.width) * this.puzzle.columns);
    const row = Math.floor(((y - place.top) / place.height) * this.puzzle.rows);
    const inside = column >= 0 && column < this.puzzle.columns && row >= 0 && row < this.puzzle.rows;
    return inside ? row * this.puzzle.columns + column : -1;
  }

  focus(cell) {
    this.cells[this.active].tabIndex = -1;
    this.active = cell;
    this.cells[cell].tabIndex = 0;
    this.cells[cell].focus({ preventScroll: true });
  }

  // `view` has values and marks, and sets of cells: selected, conflicts, same, likely.
  render(view) {
    this.cells[this.active].tabIndex = 0;
    this.cells.forEach((made, cell) => {
      const state = this.stateOf(cell, view);
      const told = JSON.stringify(state);
      if (this.shown[cell] === told) return;
      this.shown[cell] = told;
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
    drawShapes(this.under, this.over, shapes, this.puzzle.columns);
  }

  stateOf(cell, view) {
    const { puzzle, rules } = this;
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
    const told = [];
    if (number) {
      told.push(this.say("island", { number: number < 0 ? "?" : number, size: view.counts?.get(cell) ?? 1 }));
    } else if (this.puzzle.numbers) told.push(this.say(["open", "white", "black"][value]));
    else told.push(value ? this.rules.symbol(value) : this.say("empty"));
    if (given && !number) told.push(this.say("given"));
    const corner = value ? [] : digitsOf(view.corner[cell]);
    const centre = value ? [] : digitsOf(view.centre[cell]);
    if (corner.length) told.push(`${this.say("corner")} ${corner.map(this.rules.symbol).join(" ")}`);
    if (centre.length) told.push(`${this.say("centre")} ${centre.map(this.rules.symbol).join(" ")}`);
    if (view.conflict.has(cell)) told.push(this.say("conflict"));
    return `${where}: ${told.join(", ")}`;
  }
}

function layer(name, rows, columns) {
  const made = document.createElementNS(SVG, "svg");
  made.setAttribute("viewBox", `0 0 ${columns} ${rows}`);
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
