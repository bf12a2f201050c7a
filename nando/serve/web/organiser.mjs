// The page of the organiser: the password, then the standings and the evidence so far.

import { $ } from "./play/dom.mjs";
import { Words } from "./play/words.mjs";
import { ask, refusalText } from "./http.mjs";
import { fillTable, showStandings } from "./standings.mjs";

const REFRESH = 4_000;

const words = new Words(await ask("GET", "static/words.json"), document.documentElement.lang);
words.fill(document);
// Format dates for the reader's region if its language is that of the page.
const locale = navigator.languages.find((tag) => tag.startsWith(words.language)) ?? words.language;
const say = (key, values) => words.say(key, values);
const clock = (ms) => new Date(ms).toLocaleTimeString(locale);

let csrf = "";
let shown = "";
let chosen = null;

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
  $("pause").hidden = state.is_paused;
  $("resume").hidden = !state.is_paused;
  if (document.activeElement !== $("announcement-text")) $("announcement-text").value = state.announcement;
  // Only if something has changed, so that a focused name keeps the focus.
  if (shown !== JSON.stringify(state.standings)) {
    shown = JSON.stringify(state.standings);
    showStandings($("standings-rows"), state.standings, say, null, nameButton);
  }
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
  $("puzzle-times").hidden = !audit.has_times;
  const picture = `organiser/puzzles.svg?${audit.made_ms}`;
  if (audit.has_times && $("puzzle-picture").getAttribute("src") !== picture) {
    $("puzzle-picture").src = picture;
    $("puzzle-picture").alt = say("puzzle_times");
  }
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

// ---------------------------------------------------------------- rulings

function nameButton(line, text) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "name";
  button.textContent = text;
  button.addEventListener("click", () => openPlayer(line));
  return button;
}

function openPlayer(line) {
  chosen = line;
  const { name, rank } = line;
  $("player-title").textContent = say("change_player", { name });
  $("remove-question").textContent = say("remove_question", { name });
  $("new-name").value = name;
  $("disqualify").hidden = rank === null;
  $("reinstate").hidden = rank !== null;
  $("removing").hidden = true;
  $("player-refusal").textContent = "";
  $("player-dialog").showModal();
}

// Send a ruling and show what it changed, or why the server refuses it. Return true if it was made.
async function rule(path, body, refusal) {
  $(refusal).textContent = "";
  try {
    await ask("POST", path, { body, csrf });
  } catch (error) {
    $(refusal).textContent = refusalText(error, words, "no_answer");
    return false;
  }
  await refresh();
  return true;
}

const ruleContest = (body) => rule("organiser/contest", body, "ruling-refusal");

async function rulePlayer(body) {
  if (await rule(`organiser/players/${chosen.player}`, body, "player-refusal")) $("player-dialog").close();
}

function onSubmit(id, act) {
  $(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

onSubmit("extend", () => ruleContest({ do: "extend", minutes: Number($("minutes").value) }));
onSubmit("announce", () => ruleContest({ do: "announce", text: $("announcement-text").value }));
onSubmit("rename", () => rulePlayer({ do: "rename", name: $("new-name").value }));
const presses = {
  pause: () => ruleContest({ do: "pause" }),
  resume: () => ruleContest({ do: "resume" }),
  disqualify: () => rulePlayer({ do: "disqualify" }),
  reinstate: () => rulePlayer({ do: "reinstate" }),
  remove: () => ($("removing").hidden = false),
  "remove-yes": () => rulePlayer({ do: "remove" }),
  "player-close": () => $("player-dialog").close(),
};
for (const [id, press] of Object.entries(presses)) $(id).addEventListener("click", press);

// ---------------------------------------------------------------- the session

async function refresh() {
  try {
    show(await ask("GET", "organiser/state"));
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
    await ask("POST", "organiser/login", { body: { password: $("password").value } });
    $("password").value = "";
    await refresh();
  } catch (error) {
    $("refusal").textContent = refusalText(error, words, "no_answer");
  }
});
$("logout").addEventListener("click", async () => {
  await ask("POST", "organiser/logout", { body: {}, csrf });
  show(null);
});
if (document.body.dataset.session === "open") await refresh();
else show(null);
setInterval(() => document.visibilityState === "visible" && $("login").hidden && refresh(), REFRESH);
