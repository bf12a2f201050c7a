// Plays games outside a browser: a JSON request a line, a JSON answer a line.
//
//   node driver.mjs FOLDER_OF_THE_MODULES

import { createInterface } from "node:readline";

const folder = process.argv[2];
const load = (name) => import(`${folder}/${name}.mjs`);
const [{ Archive }, { KINDS }, { Keeper }, hints, { cleanName }, { Paces, shareOf }] = await Promise.all(
  ["archive", "page", "storage", "hints", "log", "pace"].map(load),
);

class Memory {
  constructor(most = Infinity) {
    this.items = new Map();
    this.most = most;
  }
  getItem(key) {
    return this.items.get(key) ?? null;
  }
  setItem(key, text) {
    const size = [...this.items.values()].reduce((sum, item) => sum + item.length, text.length);
    if (size > this.most) throw new Error("full");
    this.items.set(key, text);
  }
  removeItem(key) {
    this.items.delete(key);
  }
}

function state(game) {
  return {
    layers: game.layers, played: game.clock.ms, finished: game.finished, name: game.name,
    conflicts: game.rules.conflicts(game), full: game.rules.full(game), solved: game.rules.solved(game),
  };
}

const REQUESTS = {
  // Do one thing after the other; after some of them load everything again, as after a crash.
  play({ page, player = "", deeds, most }) {
    const store = new Memory(most ?? Infinity);
    let now = 0;
    let failures = 0;
    const open = () => new Archive(page, KINDS, new Keeper(store, page.id, { onFailure: () => failures++ }), {
      now: () => now, epoch: () => 1e12 + now,
    });
    let archive = open();
    archive.player = cleanName(player);
    archive.keep();
    for (const { at, ...deed } of deeds) {
      now = at;
      const game = archive.game();
      if (deed.do === "start") game.clock.start();
      if (deed.do === "stop") game.clock.stop();
      if (deed.do === "tick") archive.tick();
      if (deed.do === "restart") archive.restart();
      if (deed.do === "open") archive.puzzle = deed.puzzle;
      if (deed.do === "record") game.record(deed.event);
      if (deed.do === "reload") {
        archive = open();
        if (archive.game().finished === null) archive.game().clock.start();
      }
    }
    const again = open();
    return {
      ...state(archive.game()), csv: archive.log(), failures,
      reloaded: { ...state(again.game()), csv: again.log() },
    };
  },

  // Follow every hint from the beginning to the end.
  follow({ page }) {
    const archive = new Archive(page, KINDS, new Keeper(null, page.id), { now: () => 0, epoch: () => 0 });
    const game = archive.game();
    const marks = [];
    for (let k = hints.nextStep(game); k !== null && marks.length < 1000; k = hints.nextStep(game)) {
      const degree = hints.nextDegree(game, k);
      marks.push([k, degree]);
      game.record({ e: "hint", k, d: degree });
      const { set, out } = game.puzzle.steps[k];
      if (degree === 3) game.record({ e: "follow", k, set, out });
    }
    return { marks, ...state(game) };
  },

  // What a step of the walk is seen on.
  positions({ puzzle }) {
    return puzzle.steps.map((_, k) => hints.positionBefore(KINDS[puzzle.kind], puzzle, k));
  },

  hint({ page, values, marks }) {
    const archive = new Archive(page, KINDS, new Keeper(null, page.id), { now: () => 0, epoch: () => 0 });
    const game = archive.game();
    for (const [cell, v] of values) game.record({ e: "value", c: [cell], v });
    for (const [cell, v] of marks) game.record({ e: "centre", c: [cell], v });
    return { step: hints.nextStep(game), mistakes: hints.mistakes(game), likely: hints.likelyNext(game) };
  },

  // Faults of boards that are filled in by others.
  judge({ puzzle, boards }) {
    const rules = KINDS[puzzle.kind];
    return boards.map((values) => {
      const game = { puzzle, values, at: (cell) => puzzle.givens[cell] || values[cell] };
      const [conflicts, candidates] = [rules.conflicts(game), rules.candidates(puzzle, values)];
      return { conflicts, candidates, solved: rules.solved(game), full: rules.full(game) };
    });
  },

  // Keep the paces of games, and say what is usual at each.
  paces({ games, most }) {
    const store = new Memory(most ?? Infinity);
    const usual = games.map(([name, model, share]) => {
      new Paces(store).keep(name, model, share);
      return new Paces(store).usual(name, model);
    });
    return { usual, kept: new Paces(store).games.length, without: new Paces(null).usual("1.1", "m") };
  },

  shares: ({ games }) => games.map((game) => shareOf(game)),

  kinds: () => Object.keys(KINDS),
  name: ({ text }) => cleanName(text),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { request, ...values } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(REQUESTS[request](values))}\n`);
}
