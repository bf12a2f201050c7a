"""What the organiser does while the contest runs. Everything is stored before it is made."""

import asyncio
from collections.abc import Callable

from sqlalchemy.exc import IntegrityError

from nando.serve.names import RefusedError, check_free, clean_name, fold
from nando.serve.room import Room, Seat
from nando.serve.standings import Rulings
from nando.serve.store import CHANGE_PLAYER, DELETE_PLAYER, SET_FACT, Write


class Desk:
    """The organiser's desk: changes to the players and to the times of a contest.

    Every method raises StoreError, and changes nothing, if the change cannot be stored.

    Parameters
    ----------
    room : Room
    """

    def __init__(self, room: Room) -> None:
        self.room = room
        self._ruling = asyncio.Lock()

    async def rule(self, change: Callable[[Rulings], Rulings]) -> None:
        """Change the organiser's rulings."""
        async with self._ruling:
            rulings = change(self.room.rulings)
            row = {"fact": "rulings", "value": rulings.to_text()}
            await self.room.store.write(Write(SET_FACT, [row]))
            self.room.rulings = rulings
            self.room.changed()

    async def rename(self, seat: Seat, name: str) -> None:
        """Give a player another name.

        Raises
        ------
        RefusedError
            If the name is not valid, taken, or looks like one that is, or the player has been
            removed.
        """
        name = clean_name(name)
        async with self.room.joining:
            self._check_there(seat)
            others = {key: other for key, other in self.room.names.items() if other != seat.name}
            check_free(name, others)
            row = {"changed": seat.player, "name": name, "folded": fold(name)}
            try:
                await self.room.store.write(Write(CHANGE_PLAYER, [row]))
            except IntegrityError:
                raise RefusedError("name_taken", name=name) from None
            self.room.names = others | {fold(name): name}
            seat.name = name
            self.room.changed()

    async def remove(self, seat: Seat) -> None:
        """Delete a player with all games; another player may take the name.

        Raises
        ------
        RefusedError
            If the player has been removed.
        """
        room = self.room
        async with room.joining, seat.lock:
            self._check_there(seat)
            # The number stays in use, because the player's browser keeps games under it.
            empty = {"changed": seat.player, "name": "", "folded": f"\n{seat.player}"}
            gone = (Write(statement, [{"gone": seat.player}]) for statement in DELETE_PLAYER)
            await room.store.write(Write(CHANGE_PLAYER, [empty]), *gone)
            room.forget(seat)

    def _check_there(self, seat: Seat) -> None:
        if self.room.find(seat.player) is not seat:
            raise RefusedError("removed")
