// The log of games as CSV: first the columns that `nando audit`, `fit` and `order` read, then all other
// recorded data.

import { CENTRE, CORNER, VALUE } from "./game.mjs";

export const COLUMNS = [
  "game", "player", "puzzle", "t_ms", "cell", "value", "event", "by", "detail", "real_ms",
];

const EVENT_OF = { [VALUE]: "value", [CORNER]: "corner", [CENTRE]: "centre" };
const BY = { undo: "undo", redo: "redo", follow: "hint", fill: "automatic" };

// Return the rows of a game: one for each changed value or mark, one for every other event.
export function rowsOf(game, name, player) {
  const rows = [];
  for (const { event, changes } of game.entries) {
    const row = (more) => rows.push({
      game: name, player: noFormula(player), puzzle: game.puzzle.text, t_ms: event.t, cell: "", value: "", event: "",
      by: BY[event.e] ?? "", detail: "", real_ms: event.w, ...more,
    });
    if (!changes.length) row({ event: event.e, detail: detailOf(event) });
    for (const [layer, cell, before, after] of changes) {
      const place = { cell: nameOf(game.puzzle, cell), event: EVENT_OF[layer] };
      if (layer === VALUE) row({ ...place, value: after });
      else row({ ...place, ...isConsequence(event, layer), detail: marksChanged(before, after) });
    }
  }
  return rows;
}

// Marks that were removed by entering a value were not typed.
function isConsequence(event, layer) {
  return event.e === "value" && layer !== VALUE ? { by: "automatic" } : {};
}

function marksChanged(before, after) {
  const parts = [];
  for (let digit = 1; digit <= 25; digit++) {
    const bit = 1 << digit;
    if ((before ^ after) & bit) parts.push(`${after & bit ? "+" : "-"}${digit}`);
  }
  return parts.join(" ");
}

function detailOf(event) {
  if (event.e === "hint") return `degree=${event.d} step=${event.k < 0 ? "mistake" : event.k + 1}`;
  if (event.e === "aid") return `${event.n}=${event.v ? "on" : "off"}`;
  return "";
}

export function nameOf(puzzle, cell) {
  return `r${Math.floor(cell / puzzle.columns) + 1}c${(cell % puzzle.columns) + 1}`;
}

// Return a name that no spreadsheet takes for a formula.
function noFormula(name) {
  return /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(name) ? `'${name}` : name;
}

export function csv(rows) {
  const lines = rows.map((row) => COLUMNS.map((name) => quoted(String(row[name]))).join(","));
  return [COLUMNS.join(","), ...lines, ""].join("\n");
}

function quoted(text) {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// Return a name as one line that fits into a table. Neither a joiner inside a word or an emoji, nor
// the end of the line, splits what is seen as one sign.
export function cleanName(text) {
  const line = text.replace(
    /([^\p{C}\p{Z}][\u200c\u200d](?=[^\p{C}\p{Z}]))|[\p{C}\p{Z}\s]+/gu,
    (_, joined) => joined ?? " ",
  );
  let name = "";
  for (const { segment } of new Intl.Segmenter().segment(line.trim())) {
    if (name.length + segment.length > 60) break;
    name += segment;
  }
  return name.trim();
}
