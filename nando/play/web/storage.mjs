// Games stored in the browser event by event, in pieces, so that little is written each time.

const PIECE = 100;

// `store` is a localStorage, or null if there is none. `onFailure` and `onLost` are called once.
export class Keeper {
  constructor(store, page, { onFailure = () => {}, onLost = () => {} } = {}) {
    this.store = store;
    this.key = `nando.${page}`;
    this.onFailure = onFailure;
    this.onLost = onLost;
    this.failed = false;
    this.tab = null;
    this.isLost = false;
    this.pieces = new Map();
  }

  // Take the games of the page for this tab. Two tabs would overwrite each other, so every other tab
  // that has them open loses them. Without a storage, there is nothing to take.
  take(tab) {
    this.write("tab", tab);
    if (!this.failed) this.tab = tab;
  }

  // Return true while no other tab has taken the games. Browsers notify other tabs late or not at all,
  // so this reads the storage itself.
  holds() {
    if (!this.isLost && this.tab !== null && this.read("tab", null) !== this.tab) this.lose();
    return !this.isLost;
  }

  lose() {
    if (this.isLost) return;
    this.isLost = true;
    this.onLost();
  }

  write(name, value) {
    if (this.failed || !this.holds()) return;
    try {
      this.store.setItem(`${this.key}.${name}`, JSON.stringify(value));
    } catch {
      this.failed = true;
      this.onFailure();
    }
  }

  read(name, otherwise) {
    try {
      return JSON.parse(this.store.getItem(`${this.key}.${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  }

  // Delete everything that is stored for the page.
  clear() {
    this.pieces.clear();
    if (!this.store) return;
    const own = Object.keys(this.store).filter((key) => key.startsWith(`${this.key}.`));
    for (const key of own) this.store.removeItem(key);
  }

  // Store one more event of an attempt at a puzzle.
  append(attempt, event) {
    const pieces = this.pieces.get(attempt) ?? this.piecesOf(attempt);
    this.pieces.set(attempt, pieces);
    if (!pieces.length || pieces.at(-1).length >= PIECE) pieces.push([]);
    pieces.at(-1).push(event);
    this.write(`${attempt}.${pieces.length - 1}`, pieces.at(-1));
  }

  events(attempt) {
    return this.piecesOf(attempt).flat();
  }

  piecesOf(attempt) {
    const pieces = [];
    for (let piece = this.read(`${attempt}.0`, null); Array.isArray(piece); ) {
      pieces.push(piece);
      piece = this.read(`${attempt}.${pieces.length}`, null);
    }
    return pieces;
  }
}

// A storage in memory, which ends with the page.
export function memoryStore() {
  return Object.create({
    getItem(key) {
      return this[key] ?? null;
    },
    setItem(key, value) {
      this[key] = value;
    },
    removeItem(key) {
      delete this[key];
    },
  });
}

// Return the browser's storage if it can be written, else null.
export function usableStorage(get) {
  try {
    const store = get();
    store.setItem("nando.probe", "1");
    store.removeItem("nando.probe");
    return store;
  } catch {
    return null;
  }
}
