// Entries to be sent to the server: each is sent, in order, until it is acknowledged, even if the
// connection is lost repeatedly. The outbox knows neither the page nor the network.

const TOGETHER = 200;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;

export const STATES = {
  CLEAR: "clear", SENDING: "sending", WAITING: "waiting", OVER: "over", REFUSED: "refused", STOPPED: "stopped",
};

export class Outbox {
  // `post` sends a list of moves and resolves to the answer; its errors have a `status` if the server
  // refused. `now` is milliseconds since 1970, `later` calls a function after some milliseconds.
  // `onElsewhere` is called if the server has other moves of the player instead of these.
  constructor({ post, now, later, onAcknowledged = () => {}, onState = () => {}, onElsewhere = () => {} }) {
    Object.assign(this, { post, now, later, onAcknowledged, onState, onElsewhere });
    this.entries = [];
    this.acknowledged = 0;
    this.state = STATES.CLEAR;
    this.wait = FIRST_WAIT;
    this.timer = 0;
  }

  get waiting() {
    return this.entries.length - this.acknowledged;
  }

  // Add an entry and store its number with it.
  add(puzzle, attempt, { event, changes }, started) {
    event.s = this.entries.length + 1;
    this.entries.push({ puzzle, attempt, event, changes, time: started + event.w });
    this.pump();
  }

  // Add the entries of an earlier page; the server has those up to `acknowledged`.
  load(entries, acknowledged) {
    this.entries = entries;
    this.acknowledged = Math.min(acknowledged, entries.length);
    this.pump();
  }

  // Send waiting entries, unless a request is under way or the last one has just failed.
  async pump() {
    if (this.state !== STATES.CLEAR || !this.waiting) return;
    this.become(STATES.SENDING);
    this.timer++;
    const first = this.acknowledged;
    const sent = this.entries.slice(first, first + TOGETHER).map((entry, n) => this.move(entry, first + n + 1));
    try {
      const answer = await this.post(sent);
      this.wait = FIRST_WAIT;
      this.acknowledged = Math.max(this.acknowledged, Math.min(answer.seq, this.entries.length));
      this.become(STATES.CLEAR);
      this.onAcknowledged(answer);
      this.pump();
    } catch (error) {
      this.failed(error);
    }
  }

  move({ puzzle, attempt, event, changes, time }, seq) {
    const age = Math.max(0, Math.round(this.now() - time));
    return { seq, puzzle, attempt, age_ms: age, event, changes };
  }

  failed(error) {
    if (error.reason === "elsewhere") {
      this.stop();
      this.onElsewhere();
    } else if (error.status === 401 || error.status === 403) this.become(STATES.OVER);
    else if (error.status === 422 || error.status === 413) this.become(STATES.REFUSED);
    else {
      // The server expected another number: send everything after it again.
      if (error.status === 409) this.acknowledged = Math.min(error.detail?.seq ?? 0, this.entries.length);
      this.become(STATES.WAITING);
      const timer = this.timer;
      this.later(() => timer === this.timer && this.retry(), this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    }
  }

  // Try again at once, for example when the browser is online again.
  retry() {
    if (this.state === STATES.WAITING) {
      this.become(STATES.CLEAR);
      this.pump();
    }
  }

  // Send nothing more, for example because another tab has the games and their waiting entries.
  stop() {
    this.become(STATES.STOPPED);
  }

  become(state) {
    if (this.state === STATES.STOPPED) return;
    this.state = state;
    this.onState(state);
  }
}
