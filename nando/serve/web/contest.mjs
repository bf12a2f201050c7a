// The page of the players: join, wait for the start, play, and see who leads.

import { clockText } from "./play/clock.mjs";
import { $ } from "./play/dom.mjs";
import { openPage, seen } from "./play/page.mjs";
import { Keeper, memoryStore, usableStorage } from "./play/storage.mjs";
import { Words } from "./play/words.mjs";
import { ask, refusalText } from "./http.mjs";
import { Outbox, STATES } from "./outbox.mjs";
import { isBehind, restore } from "./restore.mjs";
import { showStandings } from "./standings.mjs";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const STANDINGS = 3_000;
const AGAIN = 2_000;

class ContestPage {
  constructor(texts) {
    this.texts = texts;
    this.words = new Words(texts, document.documentElement.lang);
    this.words.fill(document);
    this.contest = null;
    this.table = null;
    this.store = usableStorage(() => window.localStorage) ?? memoryStore();
    this.isOpening = false;
    this.ownDevice = null;
  }

  say(key, values) {
    return this.words.say(key, values);
  }

  // ---------------------------------------------------------------- joining and waiting

  async begin() {
    await this.look();
    $("join").addEventListener("submit", (event) =>
      this.enter(event, "contest/join", { name: $("join-name").value, code: $("join-code").value }),
    );
    $("return-form").addEventListener("submit", (event) =>
      this.enter(event, "contest/return", { name: $("return-name").value, key: $("return-key").value }),
    );
    setInterval(() => this.tick(), SECOND);
    setInterval(() => this.refreshStandings(), STANDINGS);
  }

  // Ask the server for the contest and the player; everything else waits for the answer.
  async look() {
    for (;;) {
      try {
        this.contest = await ask("GET", "contest");
        break;
      } catch {
        $("connection").textContent = this.say("no_server");
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
      }
    }
    $("connection").textContent = "";
    // Continue the server's clock by one that nobody can set.
    this.offset = this.contest.now_ms - performance.now();
    this.player = this.contest.player;
    $("join").hidden = $("return").hidden = this.player !== null;
    $("join-code-label").hidden = !this.contest.has_code;
    // Enter in the name field leads to the code first.
    $("join-code").required = this.contest.has_code;
    $("waiting").hidden = this.player === null;
    this.follow(this.contest);
    this.tick();
  }

  // Show what the organiser rules: an announcement, a pause, another end.
  follow(rulings) {
    const wasPaused = this.contest.is_paused;
    Object.assign(this.contest, rulings);
    const { is_paused: isPaused, announcement } = this.contest;
    // A screen reader announces a text whenever it is set.
    const texts = { announcement, paused: isPaused ? this.say("paused") : "" };
    for (const [id, text] of Object.entries(texts)) if ($(id).textContent !== text) $(id).textContent = text;
    if (!this.table) return;
    if (isPaused) this.table.pause();
    $("table").hidden = isPaused;
    if (isPaused) this.showState(this.outbox.state);
    else if (wasPaused) this.outbox.retry();
  }

  async enter(event, path, body) {
    event.preventDefault();
    $("refusal").textContent = "";
    try {
      const { key } = await ask("POST", path, { body });
      await this.look();
      this.pocket.write("key", key);
      this.tick();
    } catch (error) {
      $("refusal").textContent = refusalText(error, this.words, "no_server");
    }
  }

  // Return the prefix that separates this player's games from those of others in the same browser.
  get id() {
    return `contest.${this.contest.id}.${this.player.id}`;
  }

  // Return the storage of the player's secrets, which is separate from the games.
  get pocket() {
    return new Keeper(this.store, `${this.id}-own`);
  }

  get now() {
    return performance.now() + this.offset;
  }

  tick() {
    const { start_ms: start, end_ms: end } = this.contest;
    let text = this.say("over");
    if (this.contest.is_paused) text = this.say("refused_paused");
    else if (this.now < start) text = this.until(start, "starts_in", "starts_in_days");
    else if (this.now < end) text = this.until(end, "ends_in", "ends_in_days");
    $("countdown").textContent = text;
    if (this.player) this.showKey();
    const isOn = this.now >= start && !this.contest.is_paused;
    if (this.player && isOn && !this.table && !this.isOpening) this.open();
  }

  // Return the time left in words: with seconds, or in whole days from two days on.
  until(moment, inSeconds, inDays) {
    const ms = Math.ceil((moment - this.now) / SECOND) * SECOND;
    if (ms >= 2 * DAY) return this.say(inDays, { n: Math.floor(ms / DAY) });
    return this.say(inSeconds, { time: clockText(ms) });
  }

  showKey() {
    const { name } = this.player;
    const key = this.pocket.read("key", "");
    const words = key ? this.say("your_key", { name, key }) : this.say("you_are", { name });
    $("waiting").textContent = `${this.say("waiting")} ${words}`;
    $("key").textContent = words;
  }

  // ---------------------------------------------------------------- playing

  async open() {
    this.isOpening = true;
    await seen();
    try {
      const { puzzles } = await ask("GET", "contest/puzzles");
      const moves = await this.earlier();
      this.play(puzzles, moves);
    } catch (error) {
      if (error.status === 401) location.reload();
      $("connection").textContent = this.say("no_server");
      setTimeout(() => (this.isOpening = false), AGAIN);
      return;
    }
    $("connection").textContent = "";
    $("lobby").hidden = true;
    for (const id of ["table", "puzzle", "settings", "log", "print", "standings"]) $(id).hidden = false;
    this.refreshStandings();
  }

  // Return the server's events if this browser lacks some of them, else null.
  async earlier() {
    if (!this.player.seq) return null;
    if (!isBehind(new Keeper(this.store, this.id), this.player, this.device)) return null;
    return (await ask("GET", "contest/moves")).moves;
  }

  get device() {
    this.ownDevice ??= this.pocket.read("device", null);
    if (!this.ownDevice) {
      this.ownDevice = crypto.getRandomValues(new Uint32Array(3)).join("-");
      this.pocket.write("device", this.ownDevice);
    }
    return this.ownDevice;
  }

  play(puzzles, moves) {
    const { device } = this;
    const epoch = () => performance.timeOrigin + performance.now();
    const { csrf } = this.player;
    const outbox = new Outbox({
      post: (sent) => ask("POST", "contest/moves", { csrf, body: { device, moves: sent } }),
      now: epoch,
      later: (call, ms) => setTimeout(call, ms),
      onAcknowledged: ({ solved }) => this.solved(solved),
      onState: (state) => this.showState(state),
      onElsewhere: () => this.table.archive.keeper.lose(),
    });
    this.outbox = outbox;
    const page = {
      id: this.id, words: this.texts, language: this.words.language, player: this.player.name,
      puzzles: puzzles.map((puzzle) => ({ ...puzzle, steps: [] })),
    };
    const onOpen = (keeper) => {
      if (moves) restore(keeper, moves, puzzles.length, epoch());
    };
    let isLoaded = false;
    const onEntry = (puzzle, attempt, entry, game) => {
      if (isLoaded) outbox.add(puzzle, attempt, entry, game.started);
    };
    this.table = openPage(page, {
      store: this.store, onEntry, onOpen, isJudged: () => !outbox.waiting, onLost: () => outbox.stop(),
    });
    this.words = this.table.words;
    outbox.load(this.before(), this.player.seq);
    isLoaded = true;
    this.solved(this.player.solved);
    window.addEventListener("online", () => outbox.retry());
    document.addEventListener("visibilitychange", () => outbox.retry());
  }

  // Entries of earlier pages, in the order in which they were made.
  before() {
    const found = this.table.archive.attempts.flatMap((games, puzzle) =>
      games.flatMap((game, attempt) =>
        game.entries.map(({ event, changes }) => ({ puzzle, attempt, event, changes, time: game.started + event.w })),
      ),
    );
    return found.filter(({ event }) => event.s).sort((one, two) => one.event.s - two.event.s);
  }

  // End the games whose puzzles are solved according to the server.
  solved(numbers) {
    const { archive } = this.table;
    if (!archive.keeper.holds()) return;
    for (const number of numbers) {
      const game = archive.attempts[number].at(-1);
      if (!game?.begun || archive.attempts[number].some(({ finished }) => finished !== null)) continue;
      game.finish();
      if (game === this.table.game) this.table.selection.clear();
      this.table.onFinish();
      this.refreshStandings();
    }
    this.table.refresh();
  }

  showState(state) {
    const { waiting } = this.outbox;
    const words = {
      // In a pause the server takes no moves; they wait.
      [STATES.WAITING]: () => (this.contest.is_paused ? "" : this.say("offline", { n: waiting })),
      [STATES.OVER]: () => this.say("session_over"),
      [STATES.REFUSED]: () => this.say("refused"),
      [STATES.CLEAR]: () => "",
      [STATES.STOPPED]: () => "",
    }[state];
    if (words && words() !== $("connection").textContent) $("connection").textContent = words();
  }

  // Show when the player solved each puzzle, on the clock of the contest.
  showTimes(own) {
    const times = Object.entries(own).sort(([, one], [, two]) => one - two);
    const list = times.map(([number, ms]) => this.say("own_time", { n: Number(number) + 1, time: clockText(ms) }));
    $("own-times").textContent = list.length ? this.say("own_times", { list: list.join(", ") }) : "";
  }

  async refreshStandings() {
    if (!this.player || document.visibilityState !== "visible") return;
    try {
      const { standings, name, own, ...rulings } = await ask("GET", "contest/standings");
      this.player.name = name;
      showStandings($("standings-rows"), standings, (...text) => this.say(...text), name);
      this.showTimes(own);
      this.follow(rulings);
    } catch {
      // The outbox reports a lost connection.
    }
  }
}

const texts = await ask("GET", "static/words.json");
await new ContestPage(texts).begin();
