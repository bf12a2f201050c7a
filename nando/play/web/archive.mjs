// All games of the page: loaded from what was kept, and handed out as a log.

import { Clock } from "./clock.mjs";
import { Game } from "./game.mjs";
import { csv, rowsOf } from "./log.mjs";

export const SETTINGS = {
  conflicts: true, same: true, clean: false, likely: false, timer: true, theme: "auto", language: "",
};

export class Archive {
  // `time` has `now`, a clock that never falls, and `epoch`, milliseconds since 1970. `onEntry` is told
  // of every entry before it is kept: number of the puzzle, number of the attempt, entry, game.
  constructor(page, kinds, keeper, time, onEntry = () => {}) {
    this.page = page;
    this.kinds = kinds;
    this.keeper = keeper;
    this.time = time;
    this.onEntry = onEntry;
    const known = keeper.read("page", {});
    this.player = known.player ?? "";
    this.puzzle = page.puzzles[known.puzzle] ? known.puzzle : 0;
    this.settings = { ...SETTINGS, ...known.settings };
    this.attempts = page.puzzles.map((_, i) => this.load(i, known.attempts?.[i] ?? []));
  }

  load(number, epochs) {
    return epochs.map((epoch, i) => {
      const attempt = this.newGame(number, i);
      attempt.replay(this.keeper.events(`${number}.${i}`), epoch);
      const ticked = this.keeper.read("clock", null);
      if (ticked?.attempt === `${number}.${i}` && attempt.finished === null) {
        attempt.clock.advanceTo(ticked.t);
      }
      return attempt;
    });
  }

  newGame(number, i) {
    const puzzle = this.page.puzzles[number];
    const clock = new Clock(this.time.now);
    const mayRecord = () => this.keeper.holds();
    const game = new Game(this.kinds[puzzle.kind], puzzle, clock, this.time.epoch, mayRecord);
    game.name = `${this.page.id}-${number + 1}.${i + 1}`;
    game.listeners.push((entry) => {
      this.onEntry(number, i, entry, game);
      if (game.entries.length === 1) this.keep();
      this.keeper.append(`${number}.${i}`, entry.event);
    });
    return game;
  }

  // The attempt that is played; a new one where there is none yet.
  game(number = this.puzzle) {
    const attempts = this.attempts[number];
    if (!attempts.length) attempts.push(this.newGame(number, 0));
    return attempts.at(-1);
  }

  restart(number = this.puzzle) {
    const attempts = this.attempts[number];
    if (attempts.at(-1)?.begun) attempts.push(this.newGame(number, attempts.length));
    return this.game(number);
  }

  // What must be known before the events can be read again.
  keep() {
    this.keeper.write("page", {
      player: this.player,
      puzzle: this.puzzle,
      settings: this.settings,
      attempts: this.attempts.map((games) => games.filter((g) => g.begun).map((g) => g.started)),
    });
  }

  // The time played so far, which no event may tell for minutes.
  tick() {
    const game = this.game();
    const attempt = `${this.puzzle}.${this.attempts[this.puzzle].length - 1}`;
    if (game.begun) this.keeper.write("clock", { attempt, t: game.clock.ms });
  }

  get isEmpty() {
    return !this.attempts.flat().some((game) => game.begun);
  }

  log() {
    const games = this.attempts.flat().filter((game) => game.begun);
    return csv(games.flatMap((game) => rowsOf(game, game.name, this.player)));
  }
}
