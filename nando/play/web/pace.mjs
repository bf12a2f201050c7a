// How a player's times compare with the predicted ones, kept for all pages of this browser.

const KEY = "nando.paces";
const [MOST, LATEST, LEAST] = [200, 20, 3];

// Each model predicts for somebody else, so times are compared only with others that it predicted.
export class Paces {
  // `store` is a localStorage, or null where there is none.
  constructor(store) {
    this.store = store;
  }

  // The games kept so far, each with the name of the game, the model and the share of its prediction.
  get games() {
    try {
      const kept = JSON.parse(this.store.getItem(KEY));
      return Array.isArray(kept) ? kept : [];
    } catch {
      return [];
    }
  }

  keep(name, model, share) {
    const others = this.games.filter((game) => game[0] !== name);
    try {
      this.store?.setItem(KEY, JSON.stringify([...others, [name, model, share]].slice(-MOST)));
    } catch {
      // A full storage is reported where the games are kept.
    }
  }

  // The median share of the latest games before this one, and their number; null where they are few.
  usual(name, model) {
    const all = this.games;
    const place = all.findIndex((game) => game[0] === name);
    const before = all.slice(0, place < 0 ? all.length : place).filter((game) => game[1] === model);
    const shares = before.slice(-LATEST).map((game) => game[2]).sort((one, two) => one - two);
    const n = shares.length;
    if (n < LEAST) return null;
    return { n, share: (shares[Math.floor((n - 1) / 2)] + shares[Math.floor(n / 2)]) / 2 };
  }
}

// A finished game as a share of its predicted time; null where it shows no pace: with hints, on a second
// attempt, or without a prediction.
export function shareOf(game) {
  const { predicted, unit } = game.puzzle;
  const hinted = game.entries.some(({ event }) => ["hint", "walk"].includes(event.e));
  if (game.finished === null || hinted || !game.name.endsWith(".1")) return null;
  return predicted && unit === "seconds" ? game.finished / 1000 / predicted : null;
}
