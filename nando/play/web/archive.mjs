// All games of the page, loaded from the storage and exported as a log.

import { Clock } from "./clock.mjs";
import { Game } from "./game.mjs";
import { csv, rowsOf } from "./log.mjs";

export const SETTINGS = {
  conflicts: true, same: true, clean: false, likely: false, timer: true, theme: "auto", language: "",
};

export class Archive {
  // `time` has `now`, a clock that never goes back, and `epoch`, milliseconds since 1970. `onEntry` is
  // called before an entry is stored, with the index of the puzzle and the attempt, entry and game.
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

  // Return the current attempt; start one if there is none yet.
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

  // Store the data that is needed to replay the events.
  keep() {
    this.keeper.write("page", {
      player: this.player,
      puzzle: this.puzzle,
      settings: this.settings,
      attempts: this.attempts.map((games) => games.filter((g) => g.begun).map((g) => g.started)),
    });
  }

  // Store the time played so far, because events may be minutes apart.
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
