// Tables of plain values: every cell is shown as text, never as HTML.

import { clockText } from "./play/clock.mjs";

export function fillTable(body, rows) {
  body.replaceChildren(
    ...rows.map((values) => {
      const row = document.createElement("tr");
      row.append(
        ...values.map((value) => {
          const cell = document.createElement("td");
          cell.textContent = String(value);
          return cell;
        }),
      );
      return row;
    }),
  );
}

// `say` returns the text of a key: for games whose entries were mostly sent late.
export function showStandings(body, lines, say, own = null) {
  fillTable(
    body,
    lines.map(({ rank, name, points, solved, time_ms: time, late }) => [
      rank, name, points, late ? say("solved_late", { solved, late }) : solved, solved ? clockText(time) : "",
    ]),
  );
  lines.forEach(({ name }, n) => body.children[n].classList.toggle("own", name === own));
}
