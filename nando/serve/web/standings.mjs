// Tables of texts and elements: a text is shown as text, never as HTML.

import { clockText } from "./play/clock.mjs";

export function fillTable(body, rows) {
  const heads = [...body.parentElement.tHead.rows[0].cells].map((head) => head.textContent);
  body.replaceChildren(
    ...rows.map((values) => {
      const row = document.createElement("tr");
      // On a narrow screen, the style turns rows into cards; the roles keep them rows of a table.
      row.setAttribute("role", "row");
      row.append(
        ...values.map((value, n) => {
          const cell = document.createElement("td");
          cell.setAttribute("role", "cell");
          cell.dataset.head = heads[n];
          cell.append(value);
          return cell;
        }),
      );
      return row;
    }),
  );
}

// `say` returns the text of a key, `named` what is shown for the name of a line.
export function showStandings(body, lines, say, own = null, named = (_, text) => text) {
  const nameOf = (line) => (line.rank === null ? say("disqualified", { name: line.name }) : line.name);
  fillTable(
    body,
    lines.map((line) => {
      const { rank, points, solved, time_ms: time, late } = line;
      const done = late ? say("solved_late", { solved, late }) : solved;
      return [rank ?? "", named(line, nameOf(line)), points, done, solved ? clockText(time) : ""];
    }),
  );
  lines.forEach(({ name }, n) => body.children[n].classList.toggle("own", name === own));
}
