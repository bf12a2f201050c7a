// The page of the organiser: the password, then the standings and the evidence so far.

import { $ } from "./play/dom.mjs";
import { ask, Refusal } from "./http.mjs";
import { fillTable, showStandings } from "./standings.mjs";

const REFRESH = 4_000;

let csrf = "";

function show(state) {
  csrf = state?.csrf ?? "";
  $("login").hidden = state !== null;
  $("desk").hidden = $("logout").hidden = state === null;
  if (!state) return;
  const date = (ms) => new Date(ms).toLocaleString();
  const players = state.standings.length;
  $("state").textContent =
    `${date(state.start_ms)} to ${date(state.end_ms)}. ${players} players, ${state.n_moves} moves.`;
  showStandings($("standings-rows"), state.standings);
  showAudit(state.audit);
}

function showAudit(audit) {
  const told = [];
  if (audit.made_ms) told.push(`From the first ${audit.n_moves} moves, made ${new Date(audit.made_ms).toLocaleTimeString()}.`);
  else told.push("No audit yet: it comes with the first moves.");
  if (audit.is_working) told.push("The next one is being made.");
  if (audit.problem) told.push(`The last one failed: ${audit.problem}.`);
  $("audit-state").textContent = [...told, ...audit.notes.map((note) => `${note}.`)].join(" ");
  $("audit-link").hidden = !audit.made_ms;
  fillTable(
    $("audit-rows"),
    audit.games.map((game) => [
      game.game, game.player, game.moves, game.p_value.toPrecision(3), game.log10_odds.toFixed(1),
      game.verdict, [game.evidence, game.notes].filter(Boolean).join("; "),
    ]),
  );
}

async function refresh() {
  try {
    show(await ask("GET", "/organiser/state"));
  } catch (error) {
    if (error.status === 401) show(null);
    else $("refusal").textContent = "The server does not answer. Trying again.";
    return;
  }
  $("refusal").textContent = "";
}

$("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await ask("POST", "/organiser/login", { body: { password: $("password").value } });
    $("password").value = "";
    await refresh();
  } catch (error) {
    $("refusal").textContent = error instanceof Refusal ? error.message : "The server does not answer.";
  }
});
$("logout").addEventListener("click", async () => {
  await ask("POST", "/organiser/logout", { body: {}, csrf });
  show(null);
});
if (document.body.dataset.session === "open") await refresh();
else show(null);
setInterval(() => document.visibilityState === "visible" && $("login").hidden && refresh(), REFRESH);
