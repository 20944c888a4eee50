"""Sweeps: a preset with every combination of values of some keys, each with several seeds. Experiments: published results, made again by sweeps."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._arguments import engine_of, path_text, seed_list, size_text, table_of, threads_of, values_of, whole_or_none
from .files import read_table

if TYPE_CHECKING:
    import pandas

    from .table import Table


@contextmanager
def _folder(out: str | os.PathLike[str] | None) -> Iterator[Path]:
    """The folder of some results; without one, a folder that is removed at the end."""
    if out is not None:
        yield Path(out)
        return
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


def _kept(out: str | os.PathLike[str] | None) -> Path | None:
    return None if out is None else Path(out)


class Sweep:
    """The results of a sweep.

    Attributes
    ----------
    runs : Table
        A row for each run: the parameters, the seed, the state hash, ``lost``, and of each measure mean, deviation and moments. It is a
        ``pandas.DataFrame``; ``runs.to_xarray()`` has a dimension for each parameter and the seed.
    means : Table
        A row for each combination: of each measure the mean over the seeds, its standard error, the number of runs with
        a value (``<measure>_runs``), the variance and the Binder cumulant.
    folder : pathlib.Path or None
        Where the tables, the journal and the page of plots are; ``None``: nothing was kept.
    """

    def __init__(self, runs: Table, means: Table, folder: Path | None) -> None:
        self.runs, self.means, self.folder = runs, means, folder

    def __repr__(self) -> str:
        return f"Sweep({len(self.runs)} runs, {len(self.means)} combinations)"

    def _repr_html_(self) -> str:
        return self.means.to_html()


def sweep(
    preset: str | os.PathLike[str],
    set: Mapping[str, Iterable[Any]] | None = None,  # noqa: A002 - the name of the option
    *,
    sizes: Sequence[Sequence[int]] | None = None,
    seeds: Iterable[int] | int | None = None,
    steps: int | None = None,
    warm_up: int | None = None,
    every: int | None = None,
    measures: Sequence[str] = (),
    chain: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    engine: str = "cpu",
    threads: int | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> Sweep:
    """Plays a preset with every combination of values, each with several seeds, and measures them.

    Parameters
    ----------
    preset : str or path
        A preset by name or path, or the file of a sweep (``docs/formats.md``, Sweeps), whose keys the other arguments replace.
    set : dict
        The values that each key takes, as in ``{"noise.angle": [0, 1, 2]}``.
    sizes : list of (int, int) or (int, int, int), optional
        Sizes of the world, at the density of the preset.
    seeds : iterable of int, or int
        The seeds; a number n stands for 1 to n.
    steps, warm_up, every : int, optional
        Steps of a run (1000), the first of them that are not measured (half), and steps between two samples (10).
    measures : list of str
        Columns of the metrics; by default ``polarisation``, ``mean_speed`` and ``milling``.
    out : path, optional
        A folder for journal, tables and a page of plots. A sweep that was interrupted goes on there.
    jobs : int, optional
        Runs at once; by default one for each core.
    progress : callable, optional
        Called several times a second with the finished runs, all runs, and the steps played.

    Returns
    -------
    Sweep

    Examples
    --------
    >>> import murmuration as m
    >>> result = m.sweep("droplets", {"weights.cohesion": [0.5, 1]}, sizes=[(32, 24)], seeds=2, steps=40)
    >>> len(result.runs), len(result.means)
    (4, 2)
    """
    import pandas  # noqa: F401 - a lack of it is said before anything is played

    def listed(key: str, values: Any) -> str:
        return f"{key}={','.join(_native.toml_value(value) for value in values_of(values))}"

    arguments = {
        "preset": path_text("preset", preset),
        "set": [listed(key, values) for key, values in table_of("set", set).items()],
        "sizes": ",".join(size_text(size) for size in sizes) if sizes else None,
        "seeds": seed_list(seeds),
        "steps": whole_or_none("steps", steps),
        "warm_up": whole_or_none("warm_up", warm_up),
        "every": whole_or_none("every", every, 1),
        "measures": list(measures),
        "chain": None if chain is None else path_text("chain", chain),
    }
    jobs = whole_or_none("jobs", jobs, 1, 1024)
    with _folder(out) as folder:
        _native.sweep(arguments, os.fspath(folder), jobs, engine_of(engine), threads_of(threads), progress)
        return Sweep(read_table(folder / "runs.csv"), read_table(folder / "means.csv"), _kept(out))


class Reproduction:
    """Published results, made again.

    Attributes
    ----------
    results : pandas.DataFrame
        A row for each result: ``experiment``, ``title``, ``source``, ``published`` and ``published_error``, the ends ``least`` and ``greatest`` of its
        band, ``value`` and ``error`` as found, the number of ``seeds`` with a value, and ``is_inside``.
    folder : pathlib.Path or None
        Where the page and the tables of the runs are; ``None``: nothing was kept.
    """

    def __init__(self, results: pandas.DataFrame, folder: Path | None) -> None:
        self.results, self.folder = results, folder

    def __repr__(self) -> str:
        return f"Reproduction({int(self.results['is_inside'].sum())} of {len(self.results)} results within their bands)"

    def _repr_html_(self) -> str:
        return self.results.to_html()


def reproduce(
    *experiments: str | os.PathLike[str],
    quick: bool = False,
    out: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> Reproduction:
    """Makes published results of collective motion again, and holds them against what was published (``docs/experiments.md``).

    Parameters
    ----------
    *experiments : str or path
        Experiments by name or path; by default all built-in ones, which take some 25 minutes on two cores.
    quick : bool
        Leaves out experiments that take longer than some seconds.
    out : path, optional
        A folder for the page and the tables. What was interrupted goes on there, and earlier experiments stay on the page.
    jobs : int, optional
        Runs at once; by default one for each core.
    progress : callable, optional
        Called several times a second with the finished runs, all runs, and the steps played.

    Returns
    -------
    Reproduction

    Examples
    --------
    >>> import murmuration as m
    >>> m.reproduce("random-places")
    Reproduction(2 of 2 results within their bands)
    """
    import pandas

    jobs = whole_or_none("jobs", jobs, 1, 1024)
    with _folder(out) as folder:
        names = [path_text("experiments", name) for name in experiments]
        _native.reproduce(names, bool(quick), os.fspath(folder), jobs, progress)
        text = (folder / "results.json").read_text(encoding="utf-8")
    rows = []
    for experiment in json.loads(text)["experiments"]:
        for result in experiment["results"]:
            least, greatest = result.pop("band")
            source = result.pop("source") or experiment["source"]
            rows.append(
                {"experiment": experiment["experiment"], **result, "source": source, "least": least, "greatest": greatest}
            )
    return Reproduction(pandas.DataFrame(rows), _kept(out))
