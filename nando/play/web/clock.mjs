// The clock of a game: it counts whole milliseconds while the game is visible.

export class Clock {
  // `now` returns milliseconds that never decrease, for example performance.now.
  constructor(now, played = 0) {
    this.now = now;
    this.played = played;
    this.since = null;
  }

  get running() {
    return this.since !== null;
  }

  get ms() {
    const more = this.running ? Math.max(0, this.now() - this.since) : 0;
    return Math.round(this.played + more);
  }

  start() {
    if (!this.running) this.since = this.now();
  }

  stop() {
    this.played = this.ms;
    this.since = null;
  }

  // Continue from a later time, for example after a reload.
  advanceTo(ms) {
    if (ms > this.ms) {
      this.played = ms;
      if (this.running) this.since = this.now();
    }
  }
}

// Format minutes and seconds, with hours if there are any.
export function clockText(ms) {
  const total = Math.floor(ms / 1000);
  const parts = [Math.floor(total / 60) % 60, total % 60];
  if (total >= 3600) parts.unshift(Math.floor(total / 3600));
  return parts.map((part, i) => (i ? String(part).padStart(2, "0") : part)).join(":");
}
