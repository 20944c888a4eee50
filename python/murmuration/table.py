"""Tables of the program: a data frame that also becomes an xarray dataset."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pandas

if TYPE_CHECKING:
    import xarray


class Table(pandas.DataFrame):
    """A table of the program. ``attrs`` has its record: the units of the columns in ``columns``, and ``provenance``."""

    @property
    def _constructor(self) -> type[Table]:
        return Table

    def to_xarray(self) -> xarray.Dataset:  # type: ignore[override, misc]
        """The columns as variables, with their units as attributes. ``provenance`` is JSON.

        The runs of a sweep have a dimension for each parameter and ``seed``, its means one for each parameter. The runs of an atlas have
        ``combination`` and ``seed``. Other tables have the dimension ``index``.

        Raises
        ------
        ImportError
            If xarray is not installed.
        """
        try:
            import xarray  # noqa: F401
        except ImportError as error:
            raise ImportError("to_xarray needs the package xarray: pip install xarray") from error
        units, provenance = self.attrs.get("columns", {}), self.attrs.get("provenance", {})
        drawn = ["combination"] if "combination" in self.columns else list(provenance.get("parameters", {}))
        dimensions = [name for name in (*drawn, "seed") if name in self.columns] if drawn or "state_hash" in self.columns else []
        plain = pandas.DataFrame(self)
        dataset = (plain.set_index(dimensions) if dimensions else plain).to_xarray()
        for name in dataset.variables:
            if units.get(str(name)):
                dataset[name].attrs["units"] = units[str(name)]
        dataset.attrs = {"provenance": json.dumps(provenance)}
        return dataset
