"""Reading of every file that the program writes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._arguments import bad_input
from .simulation import Simulation

if TYPE_CHECKING:
    from .table import Table


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a file of the program by what it is.

    Parameters
    ----------
    path : path
        Its name tells what it is.

    Returns
    -------
    numpy.ndarray
        Of ``.npy``: an array, exactly as it was written.
    dict of str to numpy.ndarray
        Of ``.npz``: trajectories or a sweep.
    Table
        Of ``.csv``: metrics, trajectories, lineages, sweeps, comparisons, as a ``pandas.DataFrame`` with ``to_xarray``; ``attrs`` has the record of
        the file ``….csv.json`` beside it, with the units of the columns and the provenance.
    Simulation
        Of a checkpoint, which goes on; of a replay, at its end; and of a preset, at its step 0.
    dict
        Of other JSON: statistics, records, results of ``--json``.

    Raises
    ------
    BadInput
        If the file is none of them, or is damaged.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending == ".npy":
        return np.load(path, allow_pickle=False)
    if ending == ".npz":
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    if ending == ".csv":
        return read_table(path)
    if ending == ".toml":
        return Simulation(path)
    content = path.read_bytes()
    if content.lstrip()[:1] in (b"{", b"["):
        try:
            value = json.loads(content)
        except ValueError as error:
            raise bad_input(path, f"is no JSON: {error}", "name a file that the program wrote") from None
        is_replay = isinstance(value, dict) and {"version", "events", "state_hash"} <= value.keys()
        return Simulation.replay(path) if is_replay else value
    return Simulation.resume(path)


def read_table(path: Path) -> Table:
    """A table of the program, with the record beside it as its ``attrs``. The word ``none`` is no missing value."""
    import pandas

    from .table import Table

    table = Table(pandas.read_csv(path, keep_default_na=False, na_values=["", "NaN"]))
    beside = path.with_name(path.name + ".json")
    if beside.exists():
        table.attrs = json.loads(beside.read_text(encoding="utf-8"))
    return table


def record(path: str | os.PathLike[str]) -> dict[str, Any] | None:
    """The provenance of a PNG, or of the JSON beside a table or an array; ``None``: it has none."""
    path = Path(path)
    beside = path.with_name(path.name + ".json")
    if beside.exists():
        return json.loads(beside.read_text(encoding="utf-8")).get("provenance")
    text = _native.png_record(path.read_bytes())
    return None if text is None else json.loads(text)
