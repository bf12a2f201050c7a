"""Find and check data files, and build the results of loaders."""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypedDict, TypeVar
from urllib.parse import quote

import numpy as np

from nando.puzzles import Sudoku
from nando.solvers import count_many
from nando.stages import stage
from nando.tables import load_table


class Download:
    """A progress bar for pooch that reports a stage; the server gives its total.

    Parameters
    ----------
    name : str
        Name of the file.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._stage = ExitStack()
        self._total = 0

    @property
    def total(self) -> int:
        """Bytes of the file; 0 if the server does not report them."""
        return self._total

    @total.setter
    def total(self, n_bytes: int) -> None:
        self._total = n_bytes
        self._advance = self._stage.enter_context(stage(f"bytes of {self._name}", n_bytes))

    def update(self, n_bytes: int) -> None:
        """Add the number of bytes received."""
        self._advance(n_bytes)

    def reset(self) -> None:
        """End the stage; pooch resets its bar to fill it, but all bytes are counted already."""
        self._stage.close()
        self._advance = lambda _: None

    def close(self) -> None:
        """End the stage."""
        self._stage.close()


class DataNotFoundError(OSError):
    """A data file that is missing and cannot be downloaded; the message says what to do."""


@dataclass(frozen=True)
class DataFile:
    """A published file.

    Attributes
    ----------
    name : str
        File name, as published.
    address : str or None
        Address of the download; None for a file that was never published separately.
    sha256 : str or None
        Hash of the file; None if its publisher still adds to it.
    """

    name: str
    address: str | None
    sha256: str | None


@dataclass(frozen=True)
class DataSet:
    """A data set: its description and its files.

    Attributes
    ----------
    name : str
        Name of the set and of its folder.
    summary : str
        Summary in one line.
    licence : str
    files : tuple of DataFile
        Empty for a set that ships with nando.
    commit : str or None
        Commit of the repository that the addresses point to.
    """

    name: str
    summary: str
    licence: str
    files: tuple[DataFile, ...] = field(default=())
    commit: str | None = None

    def folders(self, data_home: str | Path | None = None) -> list[Path]:
        """Return the folders to search, in order; downloads go to the last."""
        if data_home is not None:
            return [Path(data_home) / self.name]
        import pooch

        named = os.environ.get("NANDO_DATA")
        kept = Path(pooch.os_cache("nando")) / self.name
        return [Path(named) / self.name, kept] if named else [kept]

    def find(self, name: str, data_home: str | Path | None = None) -> Path | None:
        """Return the path of a local file, or None."""
        for folder in self.folders(data_home):
            if (folder / name).is_file():
                return folder / name
        return None

    def is_available(self, data_home: str | Path | None = None) -> bool:
        """Return True if every file is stored locally."""
        return all(self.find(file.name, data_home) is not None for file in self.files)

    def path(self, name: str, data_home: str | Path | None = None) -> Path:
        """Return the path of a file after checking it; download the file if necessary.

        Raises
        ------
        DataNotFoundError
            If it is not on this machine and cannot be downloaded.
        ValueError
            If its SHA-256 is not that of the published file.
        """
        file = next(file for file in self.files if file.name == name)
        path = self.find(name, data_home)
        if path is None:
            return self._download(file, data_home)
        if file.sha256 is not None:
            digest = _sha256(path, path.stat().st_mtime_ns)
            if digest != file.sha256:
                raise ValueError(
                    f"{path}: SHA-256 is {digest}, wanted {file.sha256}: not the published file; "
                    "delete it to have it downloaded again"
                )
        return path

    def _download(self, file: DataFile, data_home: str | Path | None) -> Path:
        folders = self.folders(data_home)
        looked = " and ".join(str(folder) for folder in folders)
        if file.address is None:
            raise DataNotFoundError(
                f"{file.name} of {self.name} is not in {looked}, and was never published by "
                "itself: set NANDO_DATA to a folder that has it"
            )
        import pooch

        try:
            return Path(
                pooch.retrieve(
                    url=file.address,
                    known_hash=None if file.sha256 is None else f"sha256:{file.sha256}",
                    fname=file.name,
                    path=folders[-1],
                    progressbar=Download(file.name),
                )
            )
        except ValueError as error:  # pooch: the hash of the download is another
            raise ValueError(f"{file.address}: {error}") from None
        except Exception as error:
            raise DataNotFoundError(
                f"{file.name} of {self.name} is not in {looked} and could not be downloaded "
                f"from {file.address} ({type(error).__name__}): put the file there by hand, or "
                "set NANDO_DATA to a folder that has it"
            ) from None

    def provenance(self) -> dict[str, Any]:
        """Return the licence, the commit, and the address and SHA-256 of each file."""
        return {
            "name": self.name,
            "licence": self.licence,
            "commit": self.commit,
            "files": {
                file.name: {"address": file.address, "sha256": file.sha256} for file in self.files
            },
        }

    def description(self) -> str:
        """Return the set's page: counts, columns with units, who solved, known bias.

        For a set of your own, which has no page, return its summary and licence.
        """
        page = resources.files("nando.datasets") / "descr" / f"{self.name}.md"
        if not page.is_file():
            return f"# {self.name}: {self.summary}\n\n- **Licence**: {self.licence}\n"
        return page.read_text(encoding="utf-8")


def data_set(name: str) -> DataSet:
    """Return the published data set that ``data_sets.toml`` describes under a name.

    Its files are in one folder of a GitHub repository.
    """
    table = _describe()[name]
    parts = table["repository"], table["commit"], table.get("folder", "")
    source = f"https://raw.githubusercontent.com/{quote('/'.join(filter(None, parts)))}"
    files = tuple(
        DataFile(file, f"{source}/{quote(file)}", sha256 or None)
        for file, sha256 in table["files"].items()
    )
    return DataSet(name, table["summary"], table["licence"], files, table["commit"])


@cache
def _describe() -> dict[str, Any]:
    return load_table("nando.datasets", "data_sets.toml")


@cache
def _sha256(path: Path, changed: int) -> str:
    """Return the digest of a file; its modification time is part of the cache key."""
    del changed
    return hashlib.sha256(path.read_bytes()).hexdigest()


class Form(TypedDict, total=False):
    """How a loader returns its data set; every loader has these options."""

    return_X_y: bool
    """Return only puzzles and target."""
    as_frame: bool
    """Return ``frame`` as well."""


def bunch(
    data_set: DataSet,
    puzzles: list[Any],
    frame: Any,
    target: str,
    more: Mapping[str, Any] = MappingProxyType({}),
    *,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Any:
    """Return the result of a loader: a Bunch, or puzzles and target.

    Parameters
    ----------
    data_set : DataSet
    puzzles : list of Puzzle
    frame : DataFrame
        A row for each puzzle; returned only with `as_frame`.
    target : str
        A column of `frame`.
    more : mapping
        Further contents of the Bunch.
    as_frame, return_X_y : bool
        The options of :class:`Form`.
    """
    values = frame[target].to_numpy(np.float64)
    if return_X_y:
        return puzzles, values
    from sklearn.utils import Bunch

    return Bunch(
        puzzles=puzzles,
        target=values,
        frame=frame if as_frame else None,
        feature_names=["puzzle"],
        target_names=[target],
        **more,
        DESCR=data_set.description(),
        provenance=data_set.provenance(),
    )


@dataclass(frozen=True)
class PublishedRow:
    """A row of a published file: where it is, for example ``easy.txt, line 12``, and its puzzle."""

    place: str
    level: int
    puzzle: Sudoku


Row = TypeVar("Row", bound=PublishedRow)
Entry = TypeVar("Entry")
Read = TypeVar("Read")


def read_each(
    entries: Iterable[Entry], read: Callable[[Entry], Read], place: str, problems: list[str]
) -> Iterator[tuple[str, Read]]:
    """Yield the place and the content of each entry; name those that cannot be read in `problems`.

    Parameters
    ----------
    entries : iterable
    read : callable
        Takes an entry; raises ValueError if it cannot be read.
    place : str
        What precedes the number of an entry, for example ``easy.txt, line``.
    problems : list of str
        Modified in place.
    """
    for number, entry in enumerate(entries, 1):
        try:
            result = read(entry)
        except ValueError as error:
            problems.append(f"{place} {number}: {error}")
        else:
            yield f"{place} {number}", result


def with_one_solution(rows: Sequence[Row], problems: list[str]) -> list[Row]:
    """Return the rows whose puzzle has exactly one solution; name the others in `problems`."""
    kept = []
    for row, count in zip(rows, count_many([row.puzzle for row in rows]), strict=True):
        if count == 1:
            kept.append(row)
        else:
            problems.append(f"{row.place}: {'several solutions' if count else 'no solution'}")
    return kept
