"""Comparison of the two models: one scene played by cells and by individuals."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _native
from ._arguments import Files, bad_input, decimal, engine_of, preset_arguments, threads_of, whole, whole_or_none

if TYPE_CHECKING:
    import pandas


class Comparison:
    """What both models measured.

    Attributes
    ----------
    table : pandas.DataFrame
        A row for each step, with the columns of ``murmuration compare``: ``…_cells`` and ``…_individuals``, and their agreement.
    units : dict of str to str
        The unit of each column.
    hashes, lost, statistics, spectra : dict
        Of the last step, by ``cells`` and ``individuals``.
    """

    def __init__(self, result: dict[str, Any]) -> None:
        import pandas

        self.units = dict(result["columns"])
        # An empty cell is NaN.
        rows = [[float("nan") if cell is None else cell for cell in row] for row in result["rows"]]
        self.table: pandas.DataFrame = pandas.DataFrame(rows, columns=list(self.units)).set_index("step")
        self.table.attrs = {"units": self.units}
        self.hashes, self.lost = result["hashes"], result["lost"]
        self.statistics, self.spectra = result["statistics"], result["spectra"]

    def __repr__(self) -> str:
        return f"Comparison({len(self.table)} steps)"

    def _repr_html_(self) -> str:
        return self.table.to_html()


def compare(
    preset: str | os.PathLike[str] | Mapping[str, Any],
    steps: int = 600,
    every: int | None = None,
    *,
    size: Sequence[int] | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,  # noqa: A002 - the name of the option
    chain: str | os.PathLike[str] | None = None,
    files: Files | None = None,
    grain: int = 5,
    occupied: float = 0.125,
    engine: str = "cpu",
    threads: int | None = None,
) -> Comparison:
    """Plays a preset of cells with its cells and with individuals, from the same start, and measures both.

    Parameters
    ----------
    preset, size, seed, set, chain, files, engine, threads
        As of :class:`murmuration.Simulation`.
    steps, every : int
        Steps to play, and steps between two rows; by default there are 60 rows.
    grain : int
        Densities are compared as means over so many cells along each axis; odd.
    occupied : float
        The least mean density around an occupied cell, in boids a cell.

    Examples
    --------
    >>> import murmuration as m
    >>> m.compare("shoal-compare", steps=20, size=(48, 32)).lost
    {'cells': 0, 'individuals': 0}
    """
    steps, every = whole("steps", steps), whole_or_none("every", every, 1)
    if whole("grain", grain, 1, 63) % 2 == 0:
        raise bad_input("grain", f"{grain} is even", "give an odd number of cells, from 1 to 63")
    arguments = preset_arguments(preset, size=size, seed=seed, set=set, chain=chain, files=files)
    every = every or max(1, -(-steps // 60))
    occupied = decimal("occupied", occupied)
    found = _native.compare(arguments, steps, every, grain, occupied, engine_of(engine), threads_of(threads))
    return Comparison(found)
