"""What a run leaves behind: its metrics, and where its individuals were."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._arguments import unknown_name

if TYPE_CHECKING:
    import pandas
    import xarray


class History(Mapping[str, np.ndarray]):
    """The metrics of some steps of a run: an array for each column, with a row for each step.

    It is a mapping from the names of columns to arrays. Columns that are empty in every row are left out; other empty cells are NaN.

    Attributes
    ----------
    units : dict of str to str
        The unit of each column; ``1`` for a plain number.
    provenance : dict
        What made the swarm.
    """

    def __init__(self, rows: list[dict[str, Any]], provenance: dict[str, Any]) -> None:
        self.provenance = provenance
        self._columns: dict[str, np.ndarray] = {}
        for name in rows[0] if rows else ():
            values = [row.get(name) for row in rows]
            if all(value is None for value in values):
                continue
            if any(isinstance(value, list) for value in values):
                # A histogram.
                longest = max(len(value) for value in values if value)
                self._columns[name] = np.array([value or [0] * longest for value in values])
            elif all(isinstance(value, int) for value in values):
                # Beyond the integers of 64 bits with a sign NumPy takes those without.
                self._columns[name] = np.array(values)
            else:
                self._columns[name] = np.array([np.nan if value is None else value for value in values], dtype=float)
        self.units = {name: _native.unit_of(name) for name in self._columns}

    def __getitem__(self, column: str) -> np.ndarray:
        if column not in self._columns:
            raise unknown_name("columns", column, self._columns)
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        rows = len(next(iter(self._columns.values()), ()))
        return f"History({rows} steps of {self.provenance.get('preset')!r}, {len(self)} columns)"

    def to_pandas(self) -> pandas.DataFrame:
        """The columns as a table with the step as its index. Histograms are left out. Units are in ``attrs``."""
        import pandas

        plain = {name: column for name, column in self._columns.items() if column.ndim == 1}
        frame = pandas.DataFrame(plain).set_index("step")
        frame.attrs = {"units": self.units, "provenance": self.provenance}
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """The columns along the dimension ``step``, with their units as attributes. ``provenance`` is JSON."""
        import xarray

        variables = {
            name: (("step",) if column.ndim == 1 else ("step", f"{name}_bin"), column, {"units": self.units[name]})
            for name, column in self._columns.items()
            if name != "step"
        }
        attributes = {"provenance": json.dumps(self.provenance)}
        return xarray.Dataset(variables, coords={"step": self["step"]}, attrs=attributes)


class Trajectories(Mapping[str, np.ndarray]):
    """Where every individual was at some steps: an array for each column, with a row for each individual and step.

    The columns are ``id``, ``t``, ``x``, ``y`` (and ``z``), ``vx``, ``vy`` (and ``vz``), ``species``, and of lives ``mood``, ``hunger`` and
    ``health``: the names that R's ``trackdf`` and others expect.

    Attributes
    ----------
    units : dict of str to str
        The unit of each column.
    provenance : dict
        What made the swarm.
    """

    def __init__(self, columns: list[tuple[str, str, np.ndarray]], provenance: dict[str, Any]) -> None:
        self._columns = {name: numbers for name, _, numbers in columns}
        self.units = {name: unit for name, unit, _ in columns}
        self.provenance = provenance

    def __getitem__(self, column: str) -> np.ndarray:
        if column not in self._columns:
            raise unknown_name("columns", column, self._columns)
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        return f"Trajectories({len(self['id'])} rows of {self.provenance.get('preset')!r})"

    @property
    def axes(self) -> tuple[str, ...]:
        """The names of the axes of the world."""
        return tuple(axis for axis in ("x", "y", "z") if axis in self._columns)

    def to_numpy(self) -> np.ndarray:
        """A structured array with a field for each column."""
        kind = [(name, column.dtype) for name, column in self._columns.items()]
        array = np.empty(len(self["id"]), dtype=kind)
        for name, column in self._columns.items():
            array[name] = column
        return array

    def to_pandas(self) -> pandas.DataFrame:
        """A table with the same columns. Units are in ``attrs``."""
        import pandas

        frame = pandas.DataFrame(self._columns)
        frame.attrs = {"units": self.units, "provenance": self.provenance}
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """Positions and velocities with the dimensions ``time``, ``space`` and ``individuals``, as the package ``movement`` has them.

        An individual that is not there at a step has NaN. The attribute ``provenance`` is JSON.
        """
        import xarray

        steps, time = np.unique(self["t"], return_inverse=True)
        ids, individual = np.unique(self["id"], return_inverse=True)
        axes = self.axes

        def spread(columns: list[str]) -> np.ndarray:
            array = np.full((len(steps), len(columns), len(ids)), np.nan)
            for index, name in enumerate(columns):
                array[time, index, individual] = self[name]
            return array

        dimensions = ("time", "space", "individuals")
        variables: dict[str, Any] = {
            "position": (dimensions, spread(list(axes)), {"units": "cell"}),
            "velocity": (dimensions, spread([f"v{axis}" for axis in axes]), {"units": "cell/step"}),
        }
        for name in ("mood", "hunger", "health"):
            if name in self._columns:
                variables[name] = (("time", "individuals"), spread([name])[:, 0], {"units": "1"})
        coordinates = {
            "time": ("time", steps, {"units": "step"}),
            "space": ("space", list(axes)),
            "individuals": ("individuals", [str(identity) for identity in ids]),
        }
        attributes = {"time_unit": "steps", "source_software": "murmuration", "ds_type": "poses"}
        attributes["provenance"] = json.dumps(self.provenance)
        return xarray.Dataset(variables, coords=coordinates, attrs=attributes)
