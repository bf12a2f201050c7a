"""The running contest: its players, their boards, and the events that are accepted.

Everything that requests need is in memory. The database is written before anything changes in
memory, so that whatever is in memory is stored.
"""

import asyncio
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy.exc import IntegrityError

from nando.serve.access import Session, as_made, is_same, new_session, new_words, token_hash
from nando.serve.board import (
    MOST_ATTEMPTS,
    BadMoveError,
    Board,
    GapError,
    Layout,
    Move,
    NotStartedError,
    RemovedError,
    move_time,
)
from nando.serve.contest import Contest, ContestPuzzle
from nando.serve.names import RefusedError, check_free, clean_name, fold
from nando.serve.standings import Rulings, Solve, Standing, standings
from nando.serve.store import (
    END_SESSION,
    HAND_OUT,
    INSERT_MOVE,
    INSERT_PLAYER,
    INSERT_SESSION,
    Store,
    StoreError,
    Write,
)


@dataclass(frozen=True)
class ServerClock:
    """Milliseconds since 1970 that never decrease, even if the machine's clock is set back.

    The machine's clock is read once, when the server starts; then a monotonic clock continues.
    """

    epoch: float = field(default_factory=time.time)
    origin: float = field(default_factory=time.monotonic)

    def now(self) -> int:
        """Return the milliseconds since 1970."""
        return round(1000 * (self.epoch + time.monotonic() - self.origin))


@dataclass
class Seat:
    """A player in the contest; `handed_ms` is when the player first had the puzzles."""

    player: int
    name: str
    key_hash: str
    handed_ms: int | None = None
    boards: dict[int, Board] = field(default_factory=dict)
    solved: dict[int, Solve] = field(default_factory=dict)
    seq: int = 0
    t_ms: int = 0
    device: str = ""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Joined(NamedTuple):
    """A player who has just joined: seat, token of the session, and key to return with."""

    seat: Seat
    token: str
    key: str


class Room:
    """A contest that is being played.

    Parameters
    ----------
    contest : Contest
    puzzles : sequence of ContestPuzzle
    store : Store
    clock : ServerClock
    """

    def __init__(
        self, contest: Contest, puzzles: Sequence[ContestPuzzle], store: Store, clock: ServerClock
    ) -> None:
        self.contest = contest
        self.puzzles = puzzles
        self.store = store
        self.clock = clock
        self.n_moves = 0
        self.n_changes = 0
        self.names: dict[str, str] = {}
        self.joining = asyncio.Lock()
        self._seats: dict[int, Seat] = {}
        self._standings: list[Standing] | None = None
        self._layouts = [
            Layout(p.puzzle, p.puzzle.solution_values(p.record.solution)) for p in puzzles
        ]
        self.rulings = Rulings.from_text(store.facts().get("rulings", ""))
        store.set_facts({"rulings": self.rulings.to_text()})
        players, sessions = store.kept(clock.now())
        self._sessions = {row.token_hash: Session._make(row) for row in sessions}
        self._n_numbers = len(players)
        for row in (row for row in players if row.name):
            self._add_seat(Seat(row.id, row.name, row.key_hash, row.handed_ms))
        for row in store.moves():
            seat, event = self._seats[row.player], row.event
            board = seat.boards.get(row.puzzle)
            if board is None or board.attempt != row.attempt:
                board = seat.boards[row.puzzle] = Board(self._layouts[row.puzzle], row.attempt)
            board.apply(event, board.changes_of(event), row.age_ms)
            if board.solved:
                seat.solved.setdefault(row.puzzle, Solve(row.received_ms, board.is_mostly_late))
            seat.seq, seat.t_ms, seat.device = row.seq, row.t_ms, row.device
            self.n_moves += 1

    def __iter__(self) -> Iterator[Seat]:
        return iter(self._seats.values())

    # ---------------------------------------------------------------- joining

    async def join(self, name: str) -> Joined:
        """Add a new player.

        Raises
        ------
        RefusedError
            If the name is not valid or taken, or too many players have joined.
        StoreError
        """
        name = clean_name(name)
        key = new_words()
        async with self.joining:
            if len(self._seats) >= self.contest.most_players:
                raise RefusedError("full", n=f"{self.contest.most_players:,}")
            check_free(name, self.names)
            seat = Seat(self._n_numbers + 1, name, token_hash(key))
            row = {
                "id": seat.player,
                "name": name,
                "folded": fold(name),
                "key_hash": seat.key_hash,
                "joined_ms": self.clock.now(),
            }
            try:
                token = await self._begin(seat.player, Write(INSERT_PLAYER, [row]))
            except IntegrityError:
                raise RefusedError("name_taken", name=name) from None
            self._n_numbers += 1
            self._add_seat(seat)
        return Joined(seat, token, key)

    async def come_back(self, name: str, key: str) -> Joined | None:
        """Continue as a player on another device; None if the name and the key do not match.

        The player's other sessions end, because a player uses one device at a time.
        """
        folded_name, given = fold(name.strip()), token_hash(as_made(key))
        seat_of_name = None
        for seat in self:
            same_name, same_key = fold(seat.name) == folded_name, is_same(seat.key_hash, given)
            seat_of_name = seat if same_name and same_key else seat_of_name
        if seat_of_name is None:
            return None
        ended = self._sessions_of(seat_of_name)
        token = await self._begin(seat_of_name.player, _end(ended))
        for other in ended:
            self._sessions.pop(other.token_hash, None)
        return Joined(seat_of_name, token, key)

    async def organise(self) -> str:
        """Begin a session of the organiser, and return its token."""
        return await self._begin(None)

    async def _begin(self, player: int | None, *writes: Write) -> str:
        """Store a new session after other rows, and return its token."""
        token, session = new_session(player, self.clock.now())
        try:
            await self.store.write(*writes, Write(INSERT_SESSION, [session._asdict()]))
        except StoreError:
            # If nothing can be stored, the organiser must be able to see why.
            if player is not None:
                raise
        self._sessions[session.token_hash] = session
        return token

    async def leave(self, session: Session) -> None:
        """End a session."""
        await self.store.write(_end([session]))
        self._sessions.pop(session.token_hash, None)

    def session_of(self, token: str) -> Session | None:
        """Return the session of a token; None if there is none or it has expired."""
        # The hash is looked up, so that nothing about a token can be learnt from the time it takes.
        session = self._sessions.get(token_hash(token)) if token else None
        if session is not None and session.expires_ms <= self.clock.now():
            self._sessions.pop(session.token_hash, None)
            return None
        return session

    def _sessions_of(self, seat: Seat) -> list[Session]:
        return [session for session in self._sessions.values() if session.player == seat.player]

    def seat(self, session: Session | None) -> Seat | None:
        """Return the player of a session."""
        return None if session is None or session.player is None else self._seats[session.player]

    # ---------------------------------------------------------------- playing

    def _check_started(self) -> None:
        early = self.contest.start_ms - self.clock.now()
        if early > 0:
            raise NotStartedError(early)

    async def hand_out(self, seat: Seat) -> None:
        """Note when a player first has the puzzles.

        Raises
        ------
        NotStartedError, RefusedError
            If the contest has not begun, or is paused.
        StoreError
        """
        self._check_started()
        if self.rulings.is_paused:
            raise RefusedError("paused")
        async with seat.lock:
            if seat.handed_ms is None:
                row = {"handed_to": seat.player, "handed_ms": self.clock.now()}
                await self.store.write(Write(HAND_OUT, [row]))
                seat.handed_ms = row["handed_ms"]

    @property
    def end_ms(self) -> int:
        """When the contest ends, with the organiser's extensions and the pauses so far."""
        return self.rulings.ends(self.contest.end_ms, self.clock.now())

    async def take(self, seat: Seat, device: str, moves: Sequence[Move]) -> tuple[int, list[int]]:
        """Store the events of a player, each of them once, even if it is sent several times.

        Return the number of the last stored event, and the numbers of the solved puzzles.

        Raises
        ------
        NotStartedError, RemovedError
        RefusedError
            If the contest is paused, or another page of the player has sent different events with
            these numbers.
        GapError
            If events before these are missing.
        BadMoveError
            If no page would send an event; none of the events is stored.
        StoreError
            If nothing can be stored now; the page sends the events again.
        """
        self._check_started()
        # Storing is finished even if the client no longer waits for it.
        return await asyncio.shield(asyncio.ensure_future(self._take(seat, device, moves)))

    async def _take(self, seat: Seat, device: str, moves: Sequence[Move]) -> tuple[int, list[int]]:
        async with seat.lock:
            if self._seats.get(seat.player) is not seat:
                raise RemovedError
            if self.rulings.is_paused:
                raise RefusedError("paused")
            new = [move for move in moves if move.seq > seat.seq]
            if len(new) < len(moves) and device != seat.device:
                raise RefusedError("elsewhere")
            if any(move.seq != seat.seq + n for n, move in enumerate(new, 1)):
                raise GapError(seat.seq)
            if new:
                await self._keep(seat, device, new)
            return seat.seq, sorted(seat.solved)

    async def _keep(self, seat: Seat, device: str, moves: Sequence[Move]) -> None:
        received = self.clock.now()
        # Nothing is played before the player has the puzzles, whatever a browser sends.
        had = received if seat.handed_ms is None else seat.handed_ms
        t_ms = max(seat.t_ms, self.contest.start_ms, had)
        boards: dict[int, Board] = {}
        solved: dict[int, Solve] = {}
        rows = []
        for move in moves:
            board = self._trial(seat, move, boards)
            event = move.event.model_dump(exclude_none=True)
            changes = board.check(event, move.changes)
            board.apply(event, changes, move.age_ms)
            if move.puzzle not in seat.solved and board.solved:
                solved.setdefault(move.puzzle, Solve(received, board.is_mostly_late))
            t_ms = move_time(received, move.age_ms, t_ms)
            rows.append(
                {
                    "player": seat.player,
                    "seq": move.seq,
                    "device": device,
                    "puzzle": move.puzzle,
                    "attempt": move.attempt,
                    "event": event,
                    "changes": changes,
                    "t_ms": t_ms,
                    "received_ms": received,
                    "age_ms": move.age_ms,
                }
            )
        await self.store.write(Write(INSERT_MOVE, rows))
        seat.boards |= boards
        seat.solved |= solved
        seat.seq, seat.t_ms, seat.device = moves[-1].seq, t_ms, device
        self.n_moves += len(moves)
        if solved:
            self._standings = None

    def _trial(self, seat: Seat, move: Move, boards: dict[int, Board]) -> Board:
        """Return a copy of the board of a move; it replaces the board when the move is stored."""
        if not 0 <= move.puzzle < len(self.puzzles):
            raise BadMoveError(f"no puzzle {move.puzzle}")
        board = boards.get(move.puzzle) or seat.boards.get(move.puzzle)
        latest = -1 if board is None else board.attempt
        if not latest <= move.attempt <= min(latest + 1, MOST_ATTEMPTS):
            raise BadMoveError(f"attempt {move.attempt} after {latest}")
        if board is None or move.attempt != latest:
            boards[move.puzzle] = Board(self._layouts[move.puzzle], move.attempt)
        elif move.puzzle not in boards:
            boards[move.puzzle] = board.copy()
        return boards[move.puzzle]

    # ---------------------------------------------------------------- telling

    def standings(self) -> list[Standing]:
        """Return the standings now."""
        if self._standings is None:
            ranked = self._list_standings(seat for seat in self if not self._is_out(seat))
            others = self._list_standings(seat for seat in self if self._is_out(seat))
            self._standings = [*ranked, *(line._replace(rank=None) for line in others)]
        return self._standings

    def _is_out(self, seat: Seat) -> bool:
        return seat.player in self.rulings.disqualified

    def _list_standings(self, seats: Iterable[Seat]) -> list[Standing]:
        return standings(
            ((seat.name, self.solves(seat)) for seat in seats),
            [puzzle.points for puzzle in self.puzzles],
            self.contest.start_ms,
            self.contest.end_ms + self.rulings.extended_ms,
        )

    def solves(self, seat: Seat) -> dict[int, Solve]:
        """Return what a player solved, at times on the clock that stands still in pauses."""
        on_clock = self.rulings.on_clock
        return {
            puzzle: solve._replace(received_ms=on_clock(solve.received_ms))
            for puzzle, solve in seat.solved.items()
        }

    def find(self, player: int) -> Seat | None:
        """Return the player with a number."""
        return self._seats.get(player)

    def forget(self, seat: Seat) -> None:
        """Forget a player who is no longer stored, and end the player's sessions."""
        del self._seats[seat.player], self.names[fold(seat.name)]
        for session in self._sessions_of(seat):
            self._sessions.pop(session.token_hash, None)
        self.n_moves -= seat.seq
        self.changed()

    def changed(self) -> None:
        """Make standings and audits anew, because the organiser has changed something."""
        self.n_changes += 1
        self._standings = None

    def _add_seat(self, seat: Seat) -> None:
        self._seats[seat.player] = seat
        self.names[fold(seat.name)] = seat.name
        self._standings = None


def _end(sessions: Sequence[Session]) -> Write:
    return Write(END_SESSION, [{"ended": session.token_hash} for session in sessions])
