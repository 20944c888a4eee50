"""Atlases: many combinations of values of one preset, drawn from ranges, on one page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._arguments import (
    engine_of,
    path_text,
    plain,
    seed_list,
    size_text,
    table_of,
    threads_of,
    values_of,
    whole_or_none,
)
from .files import read_table
from .sweeps import _folder, _kept

if TYPE_CHECKING:
    import pandas


class Atlas:
    """The results of an atlas.

    Attributes
    ----------
    combinations : pandas.DataFrame
        A row for each combination: its values, its ``regime``, and of each measure the mean over the seeds, its
        standard error and the number of runs with a value (``<measure>_runs``).
    runs : pandas.DataFrame
        A row for each run: the values, the seed, the state hash, ``lost`` and the measures.
    page : str
        The page as HTML, which needs no other file.
    folder : pathlib.Path or None
        Where the tables, the journal and the page are; ``None``: nothing was kept.
    """

    def __init__(self, combinations: pandas.DataFrame, runs: pandas.DataFrame, page: str, folder: Path | None) -> None:
        self.combinations, self.runs, self.page, self.folder = combinations, runs, page, folder

    def __repr__(self) -> str:
        counts = self.combinations["regime"].fillna("other").value_counts()
        named = ", ".join(f"{name} {count}" for name, count in counts.items())
        return f"Atlas({len(self.combinations)} combinations: {named})"

    def _repr_html_(self) -> str:
        return self.combinations.to_html()


def atlas(
    preset: str | os.PathLike[str],
    ranges: Mapping[str, Sequence[float]] | None = None,
    set: Mapping[str, Iterable[Any]] | None = None,  # noqa: A002 - the name of the option
    *,
    sampling: str | None = None,
    samples: int | None = None,
    levels: int | None = None,
    sampling_seed: int | None = None,
    search: Mapping[str, Any] | None = None,
    size: Sequence[int] | None = None,
    seeds: Iterable[int] | int | None = None,
    steps: int | None = None,
    warm_up: int | None = None,
    every: int | None = None,
    measures: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    base: str = "",
    jobs: int | None = None,
    engine: str = "cpu",
    threads: int | None = None,
    progress: Callable[[int, int, int], None] | None = None,
) -> Atlas:
    """Plays many combinations of values of a preset, and shows what they can do (``docs/formats.md``, Atlases).

    Parameters
    ----------
    preset : str or path
        The file of an atlas, which stands alone; or a preset by name or path, beside ``ranges``.
    ranges : dict
        The least and the greatest value of each key, as in ``{"weights.cohesion": (0.0, 1.5)}``. Two whole numbers draw whole numbers. Keys are
        drawn in their alphabetical order.
    set : dict
        Values of further keys; each draw is played with each of them, as in ``{"start.headings": ["random", "swirl"]}``.
    sampling : {"latin-hypercube", "grid", "search"}, optional
        How the ranges are drawn; a Latin hypercube by default.
    samples, levels : int, optional
        The draws (200), or of a grid the values of each range (5).
    sampling_seed : int, optional
        The seed of what is drawn by chance.
    search : dict, optional
        The map of a search: ``x`` and ``y``, each ``{"measure": ..., "least": ..., "greatest": ..., "fields": ...}``, and ``best``, a measure.
    size : (int, int) or (int, int, int), optional
        The size of the world, at the density of the preset.
    seeds : iterable of int, or int
        The seeds of each combination; a number n stands for 1 to n.
    steps, warm_up, every : int, optional
        Steps of a run (1200), the first of them that are not measured (1000), and steps between two samples (50).
    measures : list of str
        Columns of the metrics, beside the measures of the regimes.
    out : path, optional
        A folder for journal, tables and page. An atlas that was interrupted goes on there.
    base : str
        The address of the page that plays links.
    jobs : int, optional
        Runs at once; by default one for each core.
    progress : callable, optional
        Called several times a second with the finished runs, all runs, and the steps played.

    Returns
    -------
    Atlas

    Examples
    --------
    >>> import murmuration as m
    >>> found = m.atlas("droplets", {"weights.cohesion": (0.0, 1.5)}, samples=4, size=(32, 24), steps=40)
    >>> len(found.combinations)
    4
    """
    import pandas  # noqa: F401 - a lack of it is said before anything is played

    text = None
    if ranges is not None:
        keys = {
            "preset": path_text("preset", preset),
            "sampling": sampling,
            "samples": whole_or_none("samples", samples, 1),
            "levels": whole_or_none("levels", levels, 1),
            "sampling_seed": whole_or_none("sampling_seed", sampling_seed),
            "size": None if size is None else size_text(size),
            "seeds": seed_list(seeds),
            "steps": whole_or_none("steps", steps),
            "warm_up": whole_or_none("warm_up", warm_up),
            "every": whole_or_none("every", every, 1),
            "measures": list(measures) or None,
            "ranges": {key: values_of(ends) for key, ends in table_of("ranges", ranges).items()},
            "set": {key: values_of(values) for key, values in table_of("set", set).items()} or None,
            "search": search,
        }
        text = _native.toml_of(plain({key: value for key, value in keys.items() if value is not None}))
    # What a text names lies beside the working folder.
    file = path_text("preset", preset) if text is None else "atlas.toml"
    jobs = whole_or_none("jobs", jobs, 1, 1024)
    with _folder(out) as folder:
        _native.atlas(file, text, os.fspath(folder), base, jobs, engine_of(engine), threads_of(threads), progress)
        combinations, runs = (read_table(folder / name) for name in ("combinations.csv", "runs.csv"))
        page = (folder / "index.html").read_text(encoding="utf-8")
        return Atlas(combinations, runs, page, _kept(out))
