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

export function showStandings(body, lines, own = null) {
  fillTable(
    body,
    lines.map(({ rank, name, points, solved, time_ms: time }) => [
      rank, name, points, solved, solved ? clockText(time) : "",
    ]),
  );
  lines.forEach(({ name }, n) => body.children[n].classList.toggle("own", name === own));
}
