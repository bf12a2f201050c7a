// The page: its data, its menus, and the events of the browser.

import { Archive } from "./archive.mjs";
import { clockText } from "./clock.mjs";
import { $ } from "./dom.mjs";
import { cleanName } from "./log.mjs";
import { nurikabe } from "./nurikabe.mjs";
import { Keeper, usableStorage } from "./storage.mjs";
import { sudoku } from "./sudoku.mjs";
import { Table } from "./table.mjs";
import { variant } from "./variants.mjs";
import { Words } from "./words.mjs";

// The kinds of puzzle that can be played: a new one needs a file in this folder and a line here.
export const KINDS = { sudoku, nurikabe, variant };

const TICK = 1000;

export async function play() {
  await seen();
  openPage(JSON.parse($("puzzles").textContent));
}

// Wait until the page is visible: a tab opened in the background must not take the games away from the
// tab in use.
export function seen() {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

// `store` replaces the browser's storage. `onOpen` is called with the keeper before anything is read
// from it, `onLost` when another tab takes the games. `onEntry` is passed to the archive, `isJudged` to
// the table.
export function openPage(page, { store, onEntry, isJudged, onOpen = () => {}, onLost = () => {} } = {}) {
  const storage = store ?? usableStorage(() => window.localStorage);
  const keeper = new Keeper(storage, page.id, {
    onFailure: () => warn("storage_full"),
    onLost: () => {
      if (table) leaveToOther(table);
      onLost();
    },
  });
  let table = null;
  keeper.failed = storage === null;
  const time = {
    now: () => performance.now(),
    epoch: () => performance.timeOrigin + performance.now(),
  };
  onOpen(keeper);
  keeper.take(`${performance.timeOrigin}.${Math.random()}`);
  const archive = new Archive(page, KINDS, keeper, time, onEntry);
  archive.player = page.player ?? archive.player;
  const wanted = [archive.settings.language, page.language, ...(navigator.languages ?? [])];
  const words = new Words(page.words, Words.choose(page.words, wanted.filter(Boolean), "en"));
  const warn = (key) => {
    $("warning").hidden = false;
    $("warning").dataset.say = key;
    $("warning").textContent = words.say(key);
  };
  words.fill(document);
  table = new Table(archive, words, () => listPuzzles(table, page), isJudged);
  attachMenus(table, page);
  attachBrowser(table, keeper);
  if (!storage) warn("no_storage");
  if (!keeper.holds()) leaveToOther(table);
  return table;
}

function attachMenus(table, page) {
  const { archive, words, settings } = table;
  listPuzzles(table, page);
  $("puzzle").addEventListener("change", () => table.open(Number($("puzzle").value)));
  for (const one of document.querySelectorAll("dialog")) {
    one.querySelector("[data-close]").addEventListener("click", () => one.close());
    one.addEventListener("close", () => table.board.focus(table.board.active));
  }
  const presses = {
    start: () => table.start(),
    pause: () => table.pause(),
    undo: () => table.act({ e: "undo" }),
    redo: () => table.act({ e: "redo" }),
    fill: () => table.act({ e: "fill" }),
    hint: () => table.hint(),
    follow: () => table.follow(),
    multiple: () => {
      table.multiple = !table.multiple;
      table.refreshPad();
    },
    restart: () => $("restart-question").showModal(),
    "restart-yes": () => {
      $("restart-question").close();
      table.restart();
    },
    walk: () => table.walk(0),
    "walk-back": () => table.walk(table.walkAt - 1),
    "walk-on": () => table.walk(table.walkAt + 1),
    "walk-end": () => table.walk(null),
    settings: () => $("settings-dialog").showModal(),
    log: () => openLog(table),
    save: () => save(archive),
    copy: () => copy(words),
    print: () => window.print(),
  };
  for (const [id, press] of Object.entries(presses)) {
    $(id).addEventListener("click", () => {
      press();
      listPuzzles(table, page);
    });
  }
  attachSettings(table, settings, page);
  const name = $("player");
  if (!name) return;
  name.value = archive.player;
  name.addEventListener("keydown", ({ key }) => key === "Enter" && $("start").click());
  name.addEventListener("change", () => {
    archive.player = cleanName(name.value);
    name.value = archive.player;
    archive.keep();
  });
}

function attachSettings(table, settings, page) {
  const { words } = table;
  const theme = () => {
    if (settings.theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = settings.theme;
  };
  for (const input of document.querySelectorAll("[data-setting]")) {
    const name = input.dataset.setting;
    const field = input.type === "checkbox" ? "checked" : "value";
    input[field] = name === "language" ? words.language : settings[name];
    input.addEventListener("change", () => {
      settings[name] = input[field];
      if (name === "language") speakLanguage(table, page, settings.language);
      const aids = ["conflicts", "same", "clean", "likely"];
      if (aids.includes(name) && table.game.begun && table.game.finished === null) {
        table.game.record({ e: "aid", n: name, v: settings[name] });
      }
      theme();
      table.archive.keep();
      table.refresh();
    });
  }
  theme();
}

function speakLanguage(table, page, language) {
  table.words.language = language;
  table.words.fill(document);
  listPuzzles(table, page);
  table.retell();
}

export function listPuzzles(table, page) {
  const { archive, words } = table;
  const options = page.puzzles.map((puzzle, i) => {
    const games = archive.attempts[i];
    const game = games.at(-1);
    const done = games.find((one) => one.finished !== null);
    const mark = done ? `✓ ${clockText(done.finished)}` : game?.begun ? "…" : "";
    const worth = puzzle.worth === undefined ? "" : words.say("worth", { n: puzzle.worth });
    const prediction = words.prediction({ ...puzzle, low: null });
    const parts = [`${i + 1}`, words.kind(puzzle), worth, prediction, mark];
    const option = document.createElement("option");
    option.value = String(i);
    option.textContent = parts.filter(Boolean).join(" · ");
    return option;
  });
  $("puzzle").replaceChildren(...options);
  $("puzzle").value = String(archive.puzzle);
}

// ---------------------------------------------------------------- the log

function openLog(table) {
  $("csv").value = table.archive.isEmpty ? "" : table.archive.log();
  $("log-empty").hidden = !table.archive.isEmpty;
  $("log-dialog").showModal();
}

function save(archive) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([archive.log()], { type: "text/csv" }));
  link.download = `games-${archive.player.replace(/[^\p{L}\p{N}]+/gu, "-") || archive.page.id}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function copy(words) {
  try {
    await navigator.clipboard.writeText($("csv").value);
  } catch {
    $("csv").select();
    document.execCommand("copy");
  }
  $("copied").textContent = words.say("copied");
}

// ---------------------------------------------------------------- the browser

function attachBrowser(table, keeper) {
  const { archive } = table;
  document.addEventListener("visibilitychange", () => {
    table.visible(document.visibilityState === "visible");
  });
  for (const name of ["visibilitychange", "focus", "pageshow", "storage"]) {
    window.addEventListener(name, () => keeper.holds(), { capture: true });
  }
  window.addEventListener("pagehide", () => archive.tick());
  window.addEventListener("beforeunload", (event) => {
    if (keeper.failed && !archive.isEmpty) event.preventDefault();
  });
  $("take-over").addEventListener("click", () => location.reload());
  setInterval(() => {
    table.showTime();
    if (table.game.clock.running) archive.tick();
  }, TICK);
}

// Stop because another tab has the games, and offer to take them back, which reloads them.
function leaveToOther(table) {
  table.game.clock.stop();
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  for (const part of $("table").children) part.inert = true;
  $("puzzle").disabled = true;
  // A log of this tab would lack the moves of the other one.
  $("log").disabled = !table.archive.keeper.failed;
  $("elsewhere").hidden = false;
  table.refresh();
}
