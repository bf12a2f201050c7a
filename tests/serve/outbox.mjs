// The outbox and the restoring of games in Node: requests as lines of JSON, answers as lines.

import { createInterface } from "node:readline";

const [play, serve] = process.argv.slice(2);
const { Archive } = await import(`${play}/archive.mjs`);
const { KINDS } = await import(`${play}/page.mjs`);
const { Keeper, memoryStore } = await import(`${play}/storage.mjs`);
const { Outbox } = await import(`${serve}/outbox.mjs`);
const { isBehind, keptEvents, restore } = await import(`${serve}/restore.mjs`);

const settled = () => new Promise((resolve) => setImmediate(resolve));

const REQUESTS = {
  // Send entries through a connection that fails as it is told: "ok", "lost" before it arrives,
  // "unanswered" after it arrived, or a status. `restarts` are the places at which the page is
  // loaded again.
  async send({ count, outcomes, restarts, known = 0 }) {
    const server = [];
    const sent = [];
    const left = [...outcomes];
    let due = [];
    const post = async (moves) => {
      const outcome = left.shift() ?? "ok";
      sent.push(moves.map(({ seq }) => seq));
      if (outcome === "lost") throw new TypeError("no connection");
      if (outcome === "elsewhere") throw Object.assign(new Error(), { status: 409, reason: "elsewhere" });
      if (typeof outcome === "number") throw Object.assign(new Error(), { status: outcome });
      for (const move of moves) {
        if (move.seq > server.length + 1) {
          throw Object.assign(new Error(), { status: 409, detail: { seq: server.length } });
        }
        if (move.seq === server.length + 1) server.push(move.event.w);
      }
      if (outcome === "unanswered") throw new TypeError("the answer is lost");
      return { seq: server.length, solved: [] };
    };
    let left_to_others = 0;
    const open = () => new Outbox({
      post, now: () => 10_000, later: (call) => due.push(call), onElsewhere: () => left_to_others++,
    });
    let outbox = open();
    for (let n = 1; n <= count; n++) {
      if (restarts.includes(n)) {
        const { entries } = outbox;
        await settled();
        outbox = open();
        due = [];
        outbox.load(entries, Math.min(server.length, known || server.length));
      }
      outbox.add(0, 0, { event: { e: "value", w: n }, changes: [] }, 0);
      await settled();
    }
    for (let turn = 0; turn < 200 && outbox.waiting; turn++) {
      const now = due;
      due = [];
      for (const call of now) call();
      await settled();
    }
    return { server, sent, waiting: outbox.waiting, state: outbox.state, left_to_others };
  },

  // Games that another device takes over from the server are those that were played.
  async restored({ page, deeds }) {
    const time = { now: () => 0, epoch: () => 5_000 };
    const events = [];
    const onEntry = (puzzle, attempt, entry) => {
      entry.event.s = events.length + 1;
      events.push({ puzzle, attempt, ...entry });
    };
    const first = new Keeper(memoryStore(), page.id);
    const archive = new Archive(page, KINDS, first, time, onEntry);
    for (const deed of deeds) {
      if (deed.do === "restart") archive.restart();
      else if (deed.do === "open") archive.puzzle = deed.puzzle;
      else archive.game().record(deed.event);
    }
    archive.keep();
    const other = new Keeper(memoryStore(), page.id);
    const me = { seq: events.length, device: "first" };
    const behind = [isBehind(first, me, "first"), isBehind(first, me, "other"), isBehind(other, me, "first")];
    restore(other, events, page.puzzles.length, 6_000);
    const again = new Archive(page, KINDS, other, time);
    const begun = (one) => one.attempts.map((games) => games.filter((game) => game.begun));
    const layers = (one) => begun(one).map((games) => games.map((game) => game.layers));
    return {
      behind, kept: keptEvents(other).map(({ s }) => s), layers: layers(archive), again: layers(again),
      undone: [archive, again].map((one) => begun(one).flat().map((game) => game.past.length)),
      events,
    };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { request, ...values } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await REQUESTS[request](values))}\n`);
}
