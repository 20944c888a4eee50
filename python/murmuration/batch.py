"""Many small worlds, stepped at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from . import _native
from ._arguments import Files, bad_input, decimal, numbers, preset_arguments, seeds_of, threads_of, whole, word
from .simulation import Mood, Simulation


class Batch(Sequence[Simulation]):
    """Many worlds that are played at once over all cores, each to the hash that it has alone.

    Parameters
    ----------
    worlds : list of Simulation, or str, path or dict
        Simulations, which are shared and not copied, or a preset that every seed plays.
    seeds : iterable of int
        The seeds of the worlds of a preset.
    threads : int, optional
        Threads in all; by default one for each core. Each world is played by one thread.
    size, set, chain, individuals, files
        As of :class:`Simulation`.

    Examples
    --------
    >>> import murmuration as m
    >>> batch = m.Batch("flock", seeds=range(8), size=(16, 16))
    >>> batch.advance(10)
    >>> len(batch), batch[3].step, len(set(batch.state_hashes))
    (8, 10, 8)
    """

    def __init__(
        self,
        worlds: Iterable[Simulation] | str | os.PathLike[str] | Mapping[str, Any],
        *,
        seeds: Iterable[int] | None = None,
        threads: int | None = None,
        size: Sequence[int] | None = None,
        set: Mapping[str, Any] | None = None,  # noqa: A002 - the name of the option
        chain: str | os.PathLike[str] | None = None,
        individuals: bool = False,
        files: Files | None = None,
    ) -> None:
        if isinstance(worlds, (str, os.PathLike, Mapping)):
            if seeds is None:
                raise TypeError("a batch of a preset needs seeds, as in seeds=range(16)")
            arguments = preset_arguments(worlds, size=size, set=set, chain=chain, individuals=individuals, files=files)
            self._core = _native.Batch.from_seeds(arguments, seeds_of(seeds), threads_of(threads))
            self._simulations = [Simulation._from_core(self._core.world(index)) for index in range(len(self._core))]
            return
        if seeds is not None or size is not None or set is not None or chain is not None or individuals or files is not None:
            raise TypeError("simulations have their seeds, sizes and parameters already")
        self._simulations = list(worlds)
        self._core = _native.Batch([simulation._core for simulation in self._simulations], threads_of(threads))

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, index: Any) -> Any:
        return self._simulations[index]

    def __iter__(self) -> Iterator[Simulation]:
        return iter(self._simulations)

    def advance(self, steps: int = 1) -> None:
        """Plays a number of steps of every world."""
        self._core.advance(whole("steps", steps))

    def hunt(
        self, at: np.ndarray, *, reach: int = 60, mood: Mood = "flee", weight: float = 2.0, jaws: int = 0
    ) -> None:
        """Puts a hunter into every world.

        Parameters
        ----------
        at : array of shape (worlds, axes)
            Places in cells; a row of NaN takes the hunter of a world away.
        reach, mood, weight, jaws
            As of :meth:`Simulation.hunt`.
        """
        places = numbers("at", at)
        if places.ndim != 2:
            raise bad_input("at", f"has the shape {places.shape}", "give a place for each world, as rows")
        self._core.hunt(
            places,
            whole("reach", reach, 0, 255),
            word("mood", mood, ("flee", "follow")),
            decimal("weight", weight),
            whole("jaws", jaws, 0, 64),
        )

    @property
    def density(self) -> np.ndarray:
        """The densities of all worlds along a first axis: uint32, shape (worlds, y, x) or (worlds, z, y, x)."""
        return self._core.density()

    @property
    def control(self) -> np.ndarray:
        """The control vectors of all worlds along a first axis (:attr:`Simulation.control`)."""
        return self._core.control()

    @property
    def positions(self) -> np.ndarray:
        """The positions of the individuals of all worlds along a first axis, in cells; all worlds must have as many."""
        return self._core.positions()

    @property
    def velocities(self) -> np.ndarray:
        """The velocities of the individuals of all worlds along a first axis, in cells a step; all worlds must have as many."""
        return self._core.velocities()

    @property
    def state_hashes(self) -> list[str]:
        """The hash of every world."""
        return self._core.state_hashes()

    @property
    def caught(self) -> np.ndarray:
        """What was caught in every world since its start, in boids: float64, shape (worlds,)."""
        return np.array(self._core.caught_and_lost()[0]) / _native.BOID

    @property
    def lost(self) -> np.ndarray:
        """What is missing in every world by its ledger, in 1/65536 boid: int64, shape (worlds,); zeros."""
        return np.array(self._core.caught_and_lost()[1], dtype=np.int64)

    def metrics(self) -> list[dict[str, Any]]:
        """The measures of every world (:meth:`Simulation.metrics`)."""
        return self._core.metrics()

    def __repr__(self) -> str:
        return f"Batch({len(self)} worlds)"
