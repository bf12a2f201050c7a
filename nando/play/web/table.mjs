// The table that a game is played at: the board, the selection, and the actions of the buttons.

import { Board, markShapes } from "./board.mjs";
import { Controls } from "./controls.mjs";
import { clockText } from "./clock.mjs";
import { $ } from "./dom.mjs";
import { likelyNext, mistakes, MISTAKE, nextDegree, nextStep, positionBefore, shapesOf } from "./hints.mjs";
import { Paces, shareOf } from "./pace.mjs";

const NOTHING = new Set();

export class Table {
  // `onFinish` is called when a game ends. `isJudged` returns true if a full board that is not finished
  // is known to be wrong.
  constructor(archive, words, onFinish, isJudged = () => true) {
    this.archive = archive;
    this.paces = new Paces(archive.keeper.store);
    this.onFinish = onFinish;
    this.isJudged = isJudged;
    this.words = words;
    this.selection = new Set();
    this.multiple = false;
    this.mode = "value";
    this.hinted = null;
    this.degree = 0;
    this.walkAt = null;
    this.conflictsShown = "";
    this.stoppedByHiding = false;
    this.frame = null;
    new Controls(this).attach($("frame"));
    this.open(archive.puzzle);
  }

  get puzzle() {
    return this.game.puzzle;
  }

  get settings() {
    return this.archive.settings;
  }

  // Return true if entries count now.
  get playable() {
    const { game } = this;
    return this.archive.keeper.holds() && game.clock.running && game.finished === null && this.walkAt === null;
  }

  say(key, values) {
    return this.words.say(key, values);
  }

  // ---------------------------------------------------------------- opening, pausing, ending

  open(number) {
    if (this.game?.clock.running) this.pause();
    this.archive.puzzle = number;
    this.game = this.archive.game(number);
    this.rules = this.game.rules;
    this.reset();
    this.archive.keep();
  }

  reset() {
    this.selection.clear();
    this.hinted = null;
    this.walkAt = null;
    this.conflictsShown = "";
    this.mode = this.rules.marks ? "value" : "cycle";
    this.board = new Board($("frame"), this.puzzle, this.rules, (key, values) => this.say(key, values));
    this.buildPad();
    this.listRules();
    for (const text of ["hint-text", "conflicts"]) $(text).textContent = "";
    this.refresh();
  }

  // Show all texts in another language; a hint and a step of the walk stay.
  retell() {
    const { hinted, degree, walkAt } = this;
    this.reset();
    this.walkAt = walkAt;
    if (walkAt !== null) this.showWalk();
    else if (hinted !== null) this.showHint(hinted, degree);
  }

  start() {
    const { game } = this;
    if (!game.record({ e: game.begun ? "resume" : "start" })) return;
    game.clock.start();
    this.refresh();
    this.board.focus(this.board.active);
  }

  pause() {
    if (!this.game.clock.running) return;
    this.game.clock.stop();
    this.game.record({ e: "pause" });
    this.archive.tick();
    this.refresh();
  }

  // The clock stops while nobody can see the page.
  visible(isVisible) {
    const { game } = this;
    if (!game.begun || game.finished !== null || game.paused) return;
    if (isVisible && this.stoppedByHiding) {
      this.stoppedByHiding = false;
      if (game.record({ e: "show" })) game.clock.start();
    } else if (!isVisible && game.clock.running) {
      this.stoppedByHiding = true;
      game.clock.stop();
      game.record({ e: "hide" });
      this.archive.tick();
    }
    this.refresh();
  }

  restart() {
    if (this.game.clock.running) this.pause();
    this.game = this.archive.restart();
    this.archive.keep();
    this.reset();
  }

  // ---------------------------------------------------------------- entries

  // Record an entry and show it; `show` decides when.
  act(event, show = () => this.refresh()) {
    if (!this.playable) return false;
    if (this.hinted !== null && event.e !== "hint") this.showHint(null);
    const entry = this.game.record(event);
    if (this.game.finished !== null) {
      this.selection.clear();
      const share = shareOf(this.game);
      if (share !== null) this.paces.keep(this.game.name, this.puzzle.model, share);
      this.onFinish();
    }
    show();
    return Boolean(entry);
  }

  enter(what, value) {
    const cells = [...this.selection].sort((one, two) => one - two);
    if (!cells.length) return true;
    if (what === "erase" || !this.rules.marks) {
      this.act(what === "erase" ? { e: "erase", c: cells } : { e: "value", c: cells, v: value });
    } else this.act({ e: what, c: cells, v: value, ...(this.settings.clean ? { clean: true } : {}) });
    return true;
  }

  // Change to the next entry mode, or the cell to its next colour (space bar).
  space() {
    if (this.rules.marks) {
      const modes = ["value", "corner", "centre"];
      this.setMode(modes[(modes.indexOf(this.mode) + 1) % modes.length]);
    } else {
      const [cell] = this.selection;
      if (cell !== undefined) this.enter("value", this.rules.next(this.game.values[cell]));
    }
    return true;
  }

  setMode(mode) {
    this.mode = mode;
    this.refreshPad();
  }

  // ---------------------------------------------------------------- hints and the walk

  hint() {
    if (!this.playable || !this.puzzle.steps.length) return;
    const k = nextStep(this.game);
    if (k === null) {
      this.speak(this.say("no_hint"));
      return;
    }
    const degree = nextDegree(this.game, k);
    this.game.record({ e: "hint", k, d: degree });
    this.showHint(k, degree);
  }

  showHint(k, degree = 0) {
    this.hinted = k;
    this.degree = degree;
    $("follow").hidden = k === null || k === MISTAKE || degree < 3;
    if (k === null) this.speak("");
    else if (k === MISTAKE) this.speak(this.mistakeText(degree));
    else this.speak(this.stepText(k, degree));
    this.board.draw(k === null ? [] : this.hintShapes(k, degree));
  }

  mistakeText(degree) {
    const [cell] = mistakes(this.game);
    const row = Math.floor(cell / this.puzzle.columns) + 1;
    const name = this.say("cell_name", { row, column: (cell % this.puzzle.columns) + 1 });
    return this.say(`mistake_${degree}`, { row, cell: name });
  }

  hintShapes(k, degree) {
    if (k !== MISTAKE) return shapesOf(this.puzzle.steps[k], degree);
    const { columns } = this.puzzle;
    const [cell] = mistakes(this.game);
    const row = Math.floor(cell / columns);
    if (degree === 2) return [["r", 0, row, columns, 1, null, "red", 0.08]];
    return degree === 3 ? [["r", cell % columns, row, 1, 1, null, "red", 0.1]] : [];
  }

  follow() {
    const k = this.hinted;
    if (k === null || k === MISTAKE) return;
    const { set, out } = this.puzzle.steps[k];
    this.act({ e: "follow", k, set, out });
  }

  // Show step k of the walk; null goes back to the game.
  walk(k) {
    const { steps } = this.puzzle;
    if (this.walkAt === null && k !== null && this.game.begun) this.game.record({ e: "walk" });
    this.walkAt = k === null ? null : Math.max(0, Math.min(steps.length - 1, k));
    this.showWalk();
  }

  showWalk() {
    this.refresh();
    if (this.walkAt === null) this.showHint(null);
    else {
      const { steps } = this.puzzle;
      const step = steps[this.walkAt];
      this.board.draw([...this.candidateShapes(step), ...shapesOf(step, 3)]);
      this.speak(`${this.walkAt + 1}/${steps.length}. ${this.stepText(this.walkAt, 3)}`);
    }
  }

  // Return the candidates before a step, without those of the cells that it fills.
  candidateShapes(step) {
    if (!this.rules.marks) return [];
    const { marks } = positionBefore(this.rules, this.puzzle, this.walkAt);
    for (const [cell] of step.set) marks[cell] = 0;
    return markShapes(marks, this.puzzle, this.rules.symbol);
  }

  // Return the words that a hint of this degree has for a step of the walk.
  stepText(k, degree) {
    return this.puzzle.steps[k].say[this.words.language][degree - 1];
  }

  // Show a text under the board, which screen readers announce.
  speak(text) {
    $("hint-text").textContent = text;
  }

  // ---------------------------------------------------------------- display

  view() {
    const { game, settings, selection } = this;
    const [corner, centre] = [game.layers[1], game.layers[2]];
    const found = settings.conflicts ? game.rules.conflicts(game) : [];
    this.tell(found);
    return {
      values: game.values, corner, centre, selected: selection, conflicts: found,
      conflict: new Set(found.flatMap(({ cells }) => cells)),
      same: settings.same ? this.sameDigits() : NOTHING,
      likely: new Set(settings.likely && game.finished === null ? likelyNext(game) : []),
      counts: this.rules.counts?.(game),
    };
  }

  walkView() {
    const { values } = positionBefore(this.rules, this.puzzle, this.walkAt);
    const at = (cell) => this.puzzle.givens[cell] || values[cell];
    const none = values.map(() => 0);
    return {
      values, corner: none, centre: none, selected: NOTHING, conflict: NOTHING, same: NOTHING,
      likely: NOTHING,
      counts: this.rules.counts?.({ puzzle: this.puzzle, at }),
    };
  }

  sameDigits() {
    const values = new Set([...this.selection].map((cell) => this.game.at(cell)));
    values.delete(0);
    if (values.size !== 1 || !this.rules.marks) return NOTHING;
    const [value] = values;
    return new Set(this.game.values.map((_, cell) => cell).filter((cell) => this.game.at(cell) === value));
  }

  // Announce conflicts when they appear, not repeatedly.
  tell(conflicts) {
    const text = conflicts.map(({ key, with: values }) => this.say(key, values)).join(" ");
    const isFull = this.rules.full(this.game) && this.game.finished === null && this.isJudged();
    const whole = [text, isFull && !text ? this.say("full_wrong") : ""].join("").trim();
    if (whole !== this.conflictsShown) $("conflicts").textContent = whole;
    this.conflictsShown = whole;
  }

  // Show all changes until the next frame at once.
  refreshSoon() {
    this.frame ??= requestAnimationFrame(() => this.refresh());
  }

  refresh() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    const { game } = this;
    const hidden = !game.clock.running && game.finished === null && this.walkAt === null;
    $("frame").classList.toggle("hidden", hidden);
    $("curtain").hidden = !hidden;
    if (!hidden || !this.board.shown.length) {
      this.board.render(this.walkAt === null ? this.view() : this.walkView());
    }
    $("prediction").textContent = this.words.prediction(this.puzzle);
    $("start").disabled = !this.archive.keeper.holds();
    $("start").textContent = this.say(game.begun ? "resume" : "start");
    $("pause").disabled = !game.clock.running;
    $("undo").disabled = !this.playable || !game.past.length;
    $("redo").disabled = !this.playable || !game.future.length;
    $("hint").disabled = !this.playable || !this.puzzle.steps.length;
    $("fill").disabled = !this.playable;
    $("walk").disabled = !this.puzzle.steps.length;
    $("restart").disabled = !game.begun;
    $("walk-bar").hidden = this.walkAt === null;
    $("pad").hidden = hidden || this.walkAt !== null || game.finished !== null;
    $("result").hidden = game.finished === null;
    $("result").textContent = game.finished === null ? "" : this.result();
    this.refreshPad();
    this.showTime();
  }

  showTime() {
    const text = clockText(this.game.finished ?? this.game.clock.ms);
    $("time").textContent = this.settings.timer || this.game.finished !== null ? text : "";
  }

  result() {
    const { predicted, low, high } = this.puzzle;
    const time = clockText(this.game.finished);
    const hints = this.game.entries.filter(({ event }) => ["hint", "walk"].includes(event.e)).length;
    const said = [this.say("solved", { time })];
    if (predicted !== null) {
      const seconds = this.game.finished / 1000;
      const prediction = this.words.amount(predicted, this.puzzle);
      const verdict = seconds < low ? "faster" : seconds > high ? "slower" : "as_predicted";
      said.push(this.say("against", { prediction }), this.say(verdict));
    }
    const share = shareOf(this.game);
    if (share !== null) {
      const [percent, usual] = [(one) => Math.round(100 * one), this.paces.usual(this.game.name, this.puzzle.model)];
      said.push(this.say("own_share", { share: percent(share) }));
      if (usual) said.push(this.say("own_pace", { share: percent(usual.share), n: usual.n }));
    }
    if (hints) said.push(this.say("hints_taken", { n: hints }));
    return said.join(" ");
  }

  // Show the rules of this puzzle if it has its own.
  listRules() {
    const sentences = this.puzzle.said?.[this.words.language] ?? [];
    $("rules").hidden = !sentences.length;
    $("rule-list").replaceChildren(...sentences.map((sentence) => {
      const item = document.createElement("li");
      item.textContent = sentence;
      return item;
    }));
  }

  buildPad() {
    const digits = this.rules.digits(this.puzzle);
    const modes = this.rules.marks ? ["value", "corner", "centre"] : ["cycle", "black", "white"];
    const button = (label, press, name = "") => {
      const made = document.createElement("button");
      made.type = "button";
      made.className = name;
      made.textContent = label;
      made.addEventListener("click", press);
      return made;
    };
    $("modes").replaceChildren(...[...modes, ...(this.rules.marks ? [] : ["erase"])].map((mode) => {
      const made = button(this.say(`mode_${mode}`), () => this.setMode(mode));
      made.dataset.mode = mode;
      return made;
    }));
    $("digits").style.setProperty("--wide", digits <= 9 ? 5 : digits <= 16 ? 6 : 7);
    $("digits").replaceChildren();
    if (!this.rules.marks) return;
    for (let value = 1; value <= digits; value++) {
      $("digits").append(button(this.rules.symbol(value), () => this.enter(this.mode, value), "digit"));
    }
    const erase = button("⌫", () => this.enter("erase"), "digit");
    erase.setAttribute("aria-label", this.say("erase"));
    $("digits").append(erase);
  }

  refreshPad() {
    for (const made of $("modes").children) {
      made.setAttribute("aria-pressed", String(made.dataset.mode === this.mode));
    }
    $("multiple").hidden = !this.rules.marks;
    $("multiple").setAttribute("aria-pressed", String(this.multiple));
    $("fill").hidden = !this.rules.marks;
  }
}
