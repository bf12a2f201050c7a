// The page of the organiser: the password, then the standings and the evidence so far.

import { $ } from "./play/dom.mjs";
import { Words } from "./play/words.mjs";
import { ask, refusalText } from "./http.mjs";
import { fillTable, showStandings } from "./standings.mjs";

const REFRESH = 4_000;

const words = new Words(await ask("GET", "/static/words.json"), document.documentElement.lang);
words.fill(document);
// Format dates for the reader's region if its language is that of the page.
const locale = navigator.languages.find((tag) => tag.startsWith(words.language)) ?? words.language;
const say = (key, values) => words.say(key, values);
const clock = (ms) => new Date(ms).toLocaleTimeString(locale);

let csrf = "";

function show(state) {
  csrf = state?.csrf ?? "";
  $("login").hidden = state !== null;
  $("desk").hidden = $("logout").hidden = state === null;
  if (!state) return;
  const date = (ms) => new Date(ms).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
  $("state").textContent = say("contest_state", {
    start: date(state.start_ms), end: date(state.end_ms),
    players: state.standings.length, moves: state.n_moves,
  });
  const { problem, since_ms: since } = state.storage;
  const trouble = problem ? say("not_saved", { problem, time: clock(since) }) : "";
  // A screen reader announces an alert whenever it is set.
  if ($("storage").textContent !== trouble) $("storage").textContent = trouble;
  showStandings($("standings-rows"), state.standings, say);
  showAudit(state.audit);
}

function showAudit(audit) {
  const said = [];
  if (audit.made_ms) {
    said.push(say("audit_made", { n: audit.n_moves, time: clock(audit.made_ms) }));
  } else said.push(say("audit_none"));
  if (audit.is_working) said.push(say("audit_working"));
  if (audit.problem) {
    const problem = words.known(`problem_${audit.problem}`, audit.problem);
    said.push(say("audit_failed", { problem }));
  }
  $("audit-state").textContent = said.join(" ");
  $("audit-notes").textContent = audit.notes.map((note) => `${note}.`).join(" ");
  $("audit-link").hidden = !audit.made_ms;
  $("audit-players").hidden = !audit.players.length;
  fillTable(
    $("audit-players-rows"),
    audit.players.map((player) => [
      player.player, player.games, player.p_value.toPrecision(3), player.log10_odds.toFixed(1), player.verdict,
    ]),
  );
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
    else $("refusal").textContent = say("no_server");
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
    $("refusal").textContent = refusalText(error, words, "no_answer");
  }
});
$("logout").addEventListener("click", async () => {
  await ask("POST", "/organiser/logout", { body: {}, csrf });
  show(null);
});
if (document.body.dataset.session === "open") await refresh();
else show(null);
setInterval(() => document.visibilityState === "visible" && $("login").hidden && refresh(), REFRESH);
