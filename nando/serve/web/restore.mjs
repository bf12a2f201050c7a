// Restore earlier moves from this browser, or from the server after another device was used.

// Return the entries of all games in the keeper, sorted by number.
export function keptEvents(keeper) {
  const attempts = keeper.read("page", {}).attempts ?? [];
  const found = attempts.flatMap((games, puzzle) =>
    games.flatMap((_, attempt) => keeper.events(`${puzzle}.${attempt}`)),
  );
  return found.filter((event) => event.s).sort((one, two) => one.s - two.s);
}

// Return true if the server has entries that this browser lacks.
export function isBehind(keeper, { seq, device }, ownDevice) {
  return seq > 0 && (device !== ownDevice || keptEvents(keeper).length < seq);
}

// Replace the events in the browser by the server's; `now` is milliseconds since 1970.
export function restore(keeper, moves, nPuzzles, now) {
  keeper.clear();
  const games = Array.from({ length: nPuzzles }, () => []);
  moves.forEach(({ puzzle, attempt, event }, n) => {
    (games[puzzle][attempt] ??= []).push({ ...event, s: n + 1 });
  });
  games.forEach((attempts, puzzle) =>
    attempts.forEach((events, attempt) => events.forEach((event) => keeper.append(`${puzzle}.${attempt}`, event))),
  );
  // The start of each game is unknown here, but its last event was not later than now.
  const attempts = games.map((list) => list.map((events) => Math.round(now) - events.at(-1).w));
  keeper.write("page", { ...keeper.read("page", {}), attempts });
}
