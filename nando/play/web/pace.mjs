// Compare a player's times with predictions, over all pages of this browser.

const KEY = "nando.paces";
const [MOST, LATEST, LEAST] = [200, 20, 3];

// Each model predicts for another typical player, so shares are compared within a model only.
export class Paces {
  // `store` is a localStorage, or null if there is none.
  constructor(store) {
    this.store = store;
  }

  // Return the stored games, each with its name, the model and the share of the predicted time.
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
      // Storing the games reports a full storage.
    }
  }

  // Return the median share of the latest games before this one, and their number; null if too few.
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

// Return a finished game's time as a share of the prediction; null with hints, on a second attempt or
// without a prediction, which show no pace.
export function shareOf(game) {
  const { predicted } = game.puzzle;
  const hinted = game.entries.some(({ event }) => ["hint", "walk"].includes(event.e));
  if (game.finished === null || hinted || !game.name.endsWith(".1")) return null;
  return predicted ? game.finished / 1000 / predicted : null;
}
