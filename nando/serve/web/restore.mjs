// What a player did before: in this browser, or, after another device was used, as the server has it.

// Entries of all games in the keeper, by their numbers.
export function keptEvents(keeper) {
  const attempts = keeper.read("page", {}).attempts ?? [];
  const found = attempts.flatMap((games, puzzle) =>
    games.flatMap((_, attempt) => keeper.events(`${puzzle}.${attempt}`)),
  );
  return found.filter((event) => event.s).sort((one, two) => one.s - two.s);
}

// Whether the server has something that this browser does not.
export function isBehind(keeper, { seq, device }, ownDevice) {
  return seq > 0 && (device !== ownDevice || keptEvents(keeper).length < seq);
}

// Put the server's events in the place of those in the browser; `now` is milliseconds since 1970.
export function restore(keeper, moves, nPuzzles, now) {
  keeper.clear();
  const games = Array.from({ length: nPuzzles }, () => []);
  moves.forEach(({ puzzle, attempt, event }, n) => {
    (games[puzzle][attempt] ??= []).push({ ...event, s: n + 1 });
  });
  games.forEach((attempts, puzzle) =>
    attempts.forEach((events, attempt) => events.forEach((event) => keeper.append(`${puzzle}.${attempt}`, event))),
  );
  // When each began is not known here: the last event was not later than now.
  const attempts = games.map((list) => list.map((events) => Math.round(now) - events.at(-1).w));
  keeper.write("page", { ...keeper.read("page", {}), attempts });
}
