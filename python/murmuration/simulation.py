"""A swarm under way."""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import _native
from ._arguments import (
    Files,
    bad_input,
    decimal,
    engine_of,
    numbers,
    path_text,
    place,
    plain,
    preset_arguments,
    threads_of,
    unknown_name,
    whole,
    whole_or_none,
    word,
)
from .presets import Key, key_from_native
from .records import History, Trajectories

if TYPE_CHECKING:
    from .widget import View

Engine = Literal["auto", "cpu", "gpu"]
#: The greatest whole number of 32 bits.
_U32 = 2**32 - 1
Mood = Literal["flee", "follow"]
#: The phases of a falcon by their numbers.
PHASES = ("waits", "stoops", "climbs", "yields")
#: The columns of lives, with the factor from the whole number to the unit of the metrics.
LIFE_COLUMNS: tuple[tuple[str, float], ...] = tuple(_native.LIFE_COLUMNS)
FALCON = np.dtype([("position", float, 3), ("velocity", float, 3), ("phase", "U6"), ("rest", int)])


@dataclass(frozen=True)
class Parameter:
    """A parameter of a swarm under way: its value, and what is known of its key.

    Attributes
    ----------
    name : str
        The dotted key.
    value
        The present value.
    key : Key or None
        Unit, bounds, default and documentation.
    """

    name: str
    value: Any
    key: Key | None


class Parameters(MutableMapping[str, Any]):
    """The parameters of a swarm by their dotted keys; a value that is set acts from the next step on.

    >>> import murmuration as m
    >>> sim = m.Simulation("droplets", size=(48, 32))
    >>> sim.parameters["weights.cohesion"] = 0.8
    >>> sim.parameters["weights.cohesion"]
    0.8
    >>> sim.parameters.describe("weights.cohesion").key.most
    32.0

    A key that acts at the start alone is refused: begin another simulation with it.
    """

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def _values(self) -> dict[str, Any]:
        return self._simulation._cached("parameters", self._simulation._core.parameters)

    def __getitem__(self, key: str) -> Any:
        values = self._values()
        if key in values:
            return values[key]
        written = self._simulation._core.text_of(key) if isinstance(key, str) else None
        if written is None:
            raise unknown_name("parameters", key, values)
        return _native.value_of_toml(written)

    def __setitem__(self, key: str, value: Any) -> None:
        self._simulation._core.set(path_text("parameters", key), _native.toml_value(plain(value)))

    def __delitem__(self, key: str) -> None:
        raise TypeError("a parameter cannot be taken away; set it to its default, which describe(key).key.default tells")

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def describe(self, key: str) -> Parameter:
        """The value of a parameter with its unit, bounds, default and documentation."""
        facts = _native.Simulation.key(key)
        return Parameter(key, self[key], None if facts is None else key_from_native(facts))

    def __repr__(self) -> str:
        return f"Parameters({self._values()!r})"


class Simulation:
    """A preset under way, played step by step.

    Parameters
    ----------
    preset : str, path or dict
        The name of a built-in preset (:func:`murmuration.presets` lists them), the path of one, which ends in ``.toml``, the text of one
        in TOML, or a dictionary with its keys.
    size : (int, int) or (int, int, int), optional
        Cells along x and y, and along z in a deep world, in place of the preset's, at its density.
    seed : int, optional
        The seed of all chance, in place of the preset's.
    engine : {"auto", "cpu", "gpu"}
        ``auto`` takes a GPU if there is a hardware one. All engines give the same bits.
    threads : int, optional
        Threads of the CPU engine; by default one for each core.
    set : dict, optional
        Values of keys in place of the preset's, as in ``{"weights.cohesion": 0.8}``.
    chain : str or path, optional
        A chain by name or path, or its text in TOML, in place of the preset's.
    individuals : bool
        Whether individuals play a preset of cells: every boid of its start becomes one.
    files : dict, optional
        Files that are not on the disk, by the names under which the preset or the chain names them: texts of chains and kernels in WGSL,
        bytes of pictures, arrays.

    Raises
    ------
    BadInput
        If anything is wrong in the preset, the chain, a kernel or an argument. It tells the file, the line, the key and the cure.
    DeviceError
        If the engine that is asked for cannot play.

    Examples
    --------
    >>> import murmuration as m
    >>> sim = m.Simulation("droplets", size=(96, 64), seed=7, engine="cpu")
    >>> sim.advance(20)
    >>> sim.density.shape, int(sim.density.sum()) == sim.account()["quanta"]
    ((64, 96), True)

    Notes
    -----
    Any thread may call any method. Steps are played without Python's global lock, and Ctrl-C ends them after
    a whole step (``docs/python.md``, Threads and processes).
    """

    def __init__(
        self,
        preset: str | os.PathLike[str] | Mapping[str, Any] = "murmuration",
        *,
        size: Sequence[int] | None = None,
        seed: int | None = None,
        engine: Engine = "auto",
        threads: int | None = None,
        set: Mapping[str, Any] | None = None,  # noqa: A002 - the name of the option
        chain: str | os.PathLike[str] | None = None,
        individuals: bool = False,
        files: Files | None = None,
    ) -> None:
        arguments = preset_arguments(
            preset, size=size, seed=seed, set=set, chain=chain, individuals=individuals, files=files
        )
        self._adopt(_native.Simulation(arguments, engine_of(engine), threads_of(threads)))

    def _adopt(self, core: _native.Simulation) -> None:
        self._core = core
        self._cache: tuple[int, dict[str, Any]] = (-1, {})

    @classmethod
    def _from_core(cls, core: _native.Simulation) -> Simulation:
        simulation = cls.__new__(cls)
        simulation._adopt(core)
        return simulation

    def _cached(self, name: str, make: Callable[[], Any]) -> Any:
        """A value that is made once for each state of the swarm."""
        version, values = self._cache
        present = self._core.version
        if version != present:
            values = {}
            self._cache = (present, values)
        if name not in values:
            values[name] = make()
        return values[name]

    # Where a simulation comes from, and where it is kept.

    @classmethod
    def resume(
        cls, checkpoint: bytes | str | os.PathLike[str], *, engine: Engine = "auto", threads: int | None = None
    ) -> Simulation:
        """Goes on from a checkpoint: its bytes, or the path of its file.

        Examples
        --------
        >>> sim = Simulation("droplets", size=(48, 32))
        >>> again = Simulation.resume(sim.checkpoint())
        >>> again.state_hash == sim.state_hash
        True
        """
        origin = "checkpoint"
        if not isinstance(checkpoint, (bytes, bytearray, memoryview)):
            origin, checkpoint = os.fspath(checkpoint), Path(checkpoint).read_bytes()
        core = _native.Simulation.resume(bytes(checkpoint), origin, engine_of(engine), threads_of(threads))
        return cls._from_core(core)

    @classmethod
    def replay(
        cls, path: str | os.PathLike[str], *, engine: Engine = "auto", threads: int | None = None
    ) -> Simulation:
        """Plays a replay, and returns the swarm at its end.

        Raises
        ------
        BadInput
            If the file is no replay.
        ValueError
            If the state at its end has another hash than the replay says.
        """
        text = Path(path).read_text(encoding="utf-8-sig")
        core, expected = _native.Simulation.replay(text, os.fspath(path), engine_of(engine), threads_of(threads))
        simulation = cls._from_core(core)
        if expected and simulation.state_hash != expected:
            raise ValueError(f"{os.fspath(path)}: the run ends in the hash {simulation.state_hash}, and the replay expects {expected}")
        return simulation

    def checkpoint(self, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """The swarm as it is, as bytes, or in a file that is written whole or not at all."""
        if path is None:
            return self._core.checkpoint()
        self._core.save_checkpoint(os.fspath(path))
        return None

    def save_replay(self, path: str | os.PathLike[str]) -> None:
        """Writes all inputs and steps so far, with the hash of the present state, for :meth:`replay` and ``murmuration replay``.

        Raises
        ------
        BadInput
            If the run was resumed from a checkpoint, or its velocities were set.
        """
        self._core.save_replay(os.fspath(path))

    def save_preset(self, folder: str | os.PathLike[str] = ".") -> Path:
        """Saves the preset with all that was set and painted since. Returns the path of its file."""
        return Path(self._core.save_preset(os.fspath(folder)))

    def copy(self) -> Simulation:
        """Another simulation with the same swarm at the same step."""
        return type(self)._from_core(self._core.copy())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Simulation:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        # The engine of the process that takes it over may be another one; the bits are the same.
        facts = self._core.describe()
        return _resumed, (type(self), self._core.checkpoint(), facts["engine"], facts["threads"])

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *exception: object) -> None:
        """Nothing is to be closed; memory and threads are given back when nobody refers to the simulation."""

    # Steps.

    def advance(self, steps: int = 1) -> None:
        """Plays steps.

        Parameters
        ----------
        steps : int
            How many, 0 or more.
        """
        self._core.advance(whole("steps", steps))

    def run(
        self,
        steps: int,
        every: int = 1,
        *,
        before_step: Callable[[Simulation], None] | None = None,
    ) -> Iterator[Simulation]:
        """Plays steps, and gives the simulation after every ``every`` of them; so ``tqdm`` shows how far it is.

        Parameters
        ----------
        steps : int
            Steps in all.
        every : int
            Steps between two pauses.
        before_step : callable, optional
            Called with the simulation before each single step. It may read arrays, set :attr:`control` or :attr:`velocities`, and hunt,
            spawn or paint. This is the slow and simple way to try a rule: every step copies the whole swarm to NumPy and back. Write a
            kernel in WGSL for a rule that stays (``docs/kernels.md``).

        Examples
        --------
        >>> sim = Simulation("droplets", size=(48, 32))
        >>> [s.step for s in sim.run(6, every=2)]
        [2, 4, 6]
        """
        every, last = whole("every", every, 1), self.step + whole("steps", steps)
        while (left := last - self.step) > 0:
            piece = min(every, left)
            if before_step is None:
                self.advance(piece)
            else:
                for _ in range(piece):
                    before_step(self)
                    self.advance(1)
            yield self

    def restart(self, seed: int | None = None) -> None:
        """Begins anew at step 0 with the present parameters, and with another seed if one is given."""
        self._core.restart(whole_or_none("seed", seed))

    def undo(self) -> None:
        """Brings swarm, ledger and solids back to before the last :meth:`spawn`, :meth:`lift`, :meth:`feed` or :meth:`paint_solid`."""
        self._core.undo()

    # What it is.

    @property
    def step(self) -> int:
        """Steps played so far."""
        return self._core.step()

    @property
    def preset(self) -> str:
        """The name of the preset."""
        return self._core.describe()["preset"]

    @property
    def seed(self) -> int:
        """The seed of all chance."""
        return self._core.describe()["seed"]

    @property
    def size(self) -> tuple[int, ...]:
        """Cells along x, y, and in a deep world z."""
        return tuple(self._core.describe()["size"])

    @property
    def model(self) -> str:
        """``cells`` or ``individuals``."""
        return self._core.describe()["model"]

    @property
    def chain(self) -> str:
        """The name of the chain of passes."""
        return self._core.describe()["chain"]

    @property
    def species_names(self) -> list[str]:
        """The names of the species, in the order of their numbers; empty where there is one."""
        return self._core.describe()["species"]

    @property
    def engine(self) -> str:
        """``cpu`` or ``gpu``. Another one goes on with the same swarm: ``sim.engine = "gpu"``."""
        return self._core.describe()["engine"]

    @engine.setter
    def engine(self, engine: Engine) -> None:
        self._core.switch_engine(engine_of(engine), None)

    @property
    def device(self) -> str:
        """What the engine runs on, for people."""
        return self._core.describe()["device"]

    @property
    def notes(self) -> list[str]:
        """What is to be known of the preset though nothing is wrong."""
        return self._core.describe()["notes"]

    def remarks(self) -> list[str]:
        """What happened to the engine since the last call: that a device was lost, and what plays now."""
        return self._core.remarks()

    @property
    def parameters(self) -> Parameters:
        """The parameters by their keys, to be read and set under way."""
        return Parameters(self)

    @property
    def provenance(self) -> dict[str, Any]:
        """What made the present swarm: preset, overrides, seed, steps, hashes, engine, version (``docs/formats.md``, Provenance)."""
        return self._core.provenance()

    # The swarm as arrays.

    @property
    def density(self) -> np.ndarray:
        """How many boids are in each cell: uint32 in 1/65536 boid, shape (y, x) or (z, y, x), read only.

        Of several species of cells the shape is (species, y, x). Of individuals it is what the lattice sees of them.
        """
        return self._cached("density", self._core.density)

    @property
    def control(self) -> np.ndarray:
        """The velocity in each cell: int16 in 1/16384 cell a step, the shape of :attr:`density` and an axis for x, y, (z), read only.

        A changed copy of any type of whole numbers may be set in its place. Vectors longer than one cell a step are
        shortened, however long they are. Fractions, NaN and infinities are refused. The run has no replay then.
        """
        return self._cached("control", self._core.control)

    @control.setter
    def control(self, control: np.ndarray) -> None:
        self._core.set_control(numbers("control", control))

    def _bodies(self) -> dict[str, np.ndarray]:
        return self._cached("bodies", self._core.bodies)

    @property
    def ids(self) -> np.ndarray:
        """The numbers of the individuals, ascending: uint32, shape (individuals,). All arrays of individuals have their order."""
        return self._bodies()["ids"]

    @property
    def positions(self) -> np.ndarray:
        """Where the individuals are: float64 in cells, exact, shape (individuals, 2) or (individuals, 3), x first, read only."""
        return self._bodies()["positions"]

    @property
    def velocities(self) -> np.ndarray:
        """The velocities of the individuals: float64 in cells a step, exact, shape of :attr:`positions`, read only.

        A changed copy may be set in its place. It is rounded to 1/16384, and shortened to the greatest speed in its
        direction. NaN and infinities are refused. The run has no replay then.
        """
        return self._bodies()["velocities"]

    @velocities.setter
    def velocities(self, velocities: np.ndarray) -> None:
        self._core.set_velocities(numbers("velocities", velocities))

    @property
    def species(self) -> np.ndarray:
        """The number of the species of each individual: uint8, shape (individuals,). :attr:`species_names` has their names."""
        return self._bodies()["species"]

    @property
    def lives(self) -> np.ndarray | None:
        """The lives of individuals: a structured array with the fields ``species``, ``mood`` (-1 to 1), ``hunger`` and ``health`` (0 to
        1), ``perishing`` and the six genes ``dna_…`` (0 to 255); ``None`` where they have none.
        """
        words = self._bodies().get("lives")
        if words is None:
            return None
        array = np.empty(len(words), dtype=[(name, float) for name, _ in LIFE_COLUMNS])
        for index, (name, factor) in enumerate(LIFE_COLUMNS):
            array[name] = words[:, index] * factor
        return array

    @property
    def food(self) -> np.ndarray | None:
        """The food in each cell of its lattice: uint32 in 1/65535 of the greatest hunger, shape (y, x) or (z, y, x); ``None``: there is none."""
        return self._cached("food", self._core.food)

    @property
    def terrain(self) -> np.ndarray:
        """Whether each cell is solid: bool, shape (y, x) or (z, y, x). Where individuals fly among rock it is the rock in their space."""
        return self._cached("terrain", self._core.terrain)

    @property
    def falcons(self) -> np.ndarray:
        """The falcons: a structured array with ``position`` in cells, ``velocity`` in cells a step, ``phase``, and ``rest``: its energy."""
        rows = self._cached("falcons", self._core.falcons)
        array = np.empty(len(rows), dtype=FALCON)
        array["position"], array["velocity"] = rows[:, :3], rows[:, 3:6]
        array["phase"] = [PHASES[int(phase)] for phase in rows[:, 6]]
        array["rest"] = rows[:, 7]
        return array

    def region(self, first: Sequence[int], size: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Density and control vectors of a part of the lattice. On a torus the part goes on at the opposite edge.

        Parameters
        ----------
        first : (int, int) or (int, int, int)
            The first cell along x, y (and z).
        size : of the same length
            Cells along each axis.

        Returns
        -------
        density, control : numpy.ndarray
            Copies, with the units of :attr:`density` and :attr:`control`.
        """
        facts = self._core.describe()
        density, control = self.density, self.control
        axes = control.shape[-1]
        if len(first) != axes or len(size) != axes:
            raise bad_input("first", f"the world has {axes} axes", f"give {axes} numbers for first and for size")
        extents = control.shape[-1 - axes : -1]
        species = control.ndim - 1 - axes
        for axis, (begin, length, extent) in enumerate(zip(reversed(first), reversed(size), extents, strict=True)):
            if length < 0 or (not facts["is_torus"] and not 0 <= begin <= begin + length <= extent):
                raise IndexError(f"cells {begin} to {begin + length} of an axis of {extent} cells")
            cells = np.arange(begin, begin + length) % extent
            density = density.take(cells, axis=species + axis)
            control = control.take(cells, axis=species + axis)
        return density, control

    # Measures.

    @property
    def state_hash(self) -> str:
        """BLAKE3 of the state, in hex; the same for the same preset, seed and steps everywhere (``docs/formats.md``, State hash)."""
        return self._cached("state_hash", self._core.state_hash)

    def account(self) -> dict[str, Any]:
        """What there is, what came and what went, in 1/65536 boid, and ``lost``, which is 0 for every chain that conserves."""
        return self._core.account()

    def metrics(self) -> dict[str, Any]:
        """The measures of the present step: order, speed, rotation, shape, clusters (``docs/formats.md``, Metrics).

        ``liveliness`` is ``None`` here, because it needs 1000 steps that were sampled; :meth:`history` has it.
        """
        return self._cached("metrics", self._core.metrics)

    def statistics(self) -> dict[str, Any]:
        """The statistics of the present step: C(r) and its length, g(r), number fluctuations, neighbours (``docs/formats.md``)."""
        return self._cached("statistics", self._core.statistics)

    def history(self, steps: int, every: int = 1) -> History:
        """Plays steps, and measures now and after every ``every`` of them.

        Examples
        --------
        >>> sim = Simulation("droplets", size=(48, 32))
        >>> history = sim.history(40, every=10)
        >>> history["step"].tolist(), history["polarisation"].shape
        ([0, 10, 20, 30, 40], (5,))
        """
        rows = self._core.history(whole("steps", steps), whole("every", every, 1))
        return History(rows, self.provenance)

    def trajectories(self, steps: int, every: int = 1) -> Trajectories:
        """Plays steps, and keeps where every individual is now and after every ``every`` of them.

        Raises
        ------
        BadInput
            If the preset has no individuals.
        """
        columns = self._core.trajectories(whole("steps", steps), whole("every", every, 1))
        return Trajectories(columns, self.provenance)

    # What touches the swarm. Places are in cells.

    def hunt(
        self,
        at: Sequence[float] | None,
        *,
        reach: int = 60,
        mood: Mood = "flee",
        weight: float = 2.0,
        jaws: int = 0,
    ) -> None:
        """Puts the player's hunter at a place, until it is put elsewhere. ``None`` takes it away.

        Parameters
        ----------
        at : (x, y), (x, y, z) or None
            Its place in cells. Two numbers are a column in a deep world.
        reach : int
            How far it is noticed, in cells, at most 255.
        mood : {"flee", "follow"}
            Whether the swarm flees from it or follows it.
        weight : float
            The weight of the rule, at most 32.
        jaws : int
            Boids so many cells away are caught, at most 64; 0 catches none.
        """
        self._core.hunt(
            None if at is None else place("at", at),
            whole("reach", reach, 0, 255),
            word("mood", mood, ("flee", "follow")),
            decimal("weight", weight),
            whole("jaws", jaws, 0, 64),
        )

    def spawn(self, at: Sequence[float], radius: int, boids: int) -> None:
        """Adds boids, spread evenly over the cells within ``radius`` cells that have room."""
        self._core.spawn(place("at", at), whole("radius", radius, 0, _U32), whole("boids", boids, 0, _U32))

    def lift(self, at: Sequence[float], radius: int) -> None:
        """Takes all boids within ``radius`` cells; they count as caught."""
        self._core.lift(place("at", at), whole("radius", radius, 0, _U32))

    def paint_solid(self, at: Sequence[float], radius: int, solid: bool = True) -> None:
        """Makes the cells within ``radius`` cells solid, or free again."""
        self._core.paint_solid(place("at", at), whole("radius", radius, 0, _U32), bool(solid))

    def feed(self, at: Sequence[float], radius: int, food: int) -> None:
        """Adds food to every cell of food within ``radius`` cells where any grows, in 1/65535 of the greatest hunger."""
        self._core.feed(place("at", at), whole("radius", radius, 0, _U32), whole("food", food, 0, _U32))

    # Pictures.

    def picture(self, width: int | None = None) -> np.ndarray:
        """The swarm as the program draws it: uint8, shape (height, width, 3).

        Parameters
        ----------
        width : int, optional
            Reduces the picture to so many pixels.

        Notes
        -----
        Cells are drawn as points that the control vectors carry. They are seeded at the first picture, as in the program, which draws step
        0 first.
        """
        if width is None:
            return self._cached("picture", lambda: self._core.picture(None))
        return self._core.picture(whole("width", width, 1, _U32))

    def save_picture(self, path: str | os.PathLike[str], width: int | None = None) -> None:
        """Writes the picture as PNG, with its provenance. The path ends in ``.png``."""
        path = path_text("path", path)
        if not path.lower().endswith(".png"):
            raise bad_input("path", f"{path} does not end in .png, and the picture is a PNG", "give it that ending")
        self._core.save_png(path, whole_or_none("width", width, 1, _U32))

    def film(
        self,
        path: str | os.PathLike[str],
        steps: int,
        every: int = 1,
        *,
        fps: int = 30,
        width: int | None = None,
        before_frame: Callable[[Simulation], None] | None = None,
    ) -> int:
        """Plays steps and films every ``every``th. Returns the number of frames.

        Parameters
        ----------
        path : path
            Ends in ``.apng``, ``.gif``, or with ``ffmpeg`` in ``.mp4`` or ``.webm``; a path without an ending is a folder of PNGs.
        steps, every : int
            Steps in all, and between two frames.
        fps : int
            Frames a second.
        width : int, optional
            The width in pixels.
        before_frame : callable, optional
            Called with the simulation before each frame, for hunts.

        Notes
        -----
        An interrupted film is complete up to its last frame.
        """
        steps, every = whole("steps", steps), whole("every", every, 1)
        fps, width = whole("fps", fps, 1, _U32), whole_or_none("width", width, 1, _U32)
        film = _native.Film(self._core, path_text("path", path), fps, width)
        try:
            for _ in self.run(steps, every):
                if before_frame is not None:
                    before_frame(self)
                film.add(self._core)
        finally:
            frames = film.finish()
        return frames

    def view(self, *, width: int = 640, every: int = 2) -> View:
        """The swarm as a widget for Jupyter: it plays, is hunted with the mouse, and has sliders of its parameters.

        Raises
        ------
        ImportError
            If ``anywidget`` is not there: ``pip install "murmuration-sim[widget]"``.
        """
        from .widget import View

        return View(self, width=width, every=every)

    def _repr_png_(self) -> bytes:
        return self._cached("png", lambda: self._core.png(720))

    def _repr_html_(self) -> str:
        import base64

        facts, account = self._core.describe(), self.account()
        size = " × ".join(map(str, facts["size"]))
        title = f"{facts['preset']} · {size} · seed {facts['seed']} · step {facts['step']} · {facts['engine']}"
        ledger = " · ".join(f"{name} {account[name] / _native.BOID:,.1f}" for name in ("spawned", "caught") if account[name])
        rows = "".join(
            f"<tr><td style='text-align:left'>{html.escape(key)}</td><td>{html.escape(str(value))}</td></tr>"
            for key, value in self.parameters.items()
        )
        png = base64.b64encode(self._repr_png_()).decode()
        return (
            f"<div><b>{html.escape(title)}</b><br><img alt='the swarm' style='max-width:100%' src='data:image/png;base64,{png}'><br>"
            f"{account['boids']:,.1f} boids · {ledger + ' · ' if ledger else ''}lost {account['lost']}"
            f"<details><summary>parameters</summary><table>{rows}</table></details></div>"
        )

    def __repr__(self) -> str:
        facts = self._core.describe()
        return (
            f"Simulation({facts['preset']!r}, size={tuple(facts['size'])}, seed={facts['seed']}, "
            f"step={facts['step']}, engine={facts['engine']!r})"
        )


def _resumed(kind: type[Simulation], checkpoint: bytes, engine: Engine, threads: int | None) -> Simulation:
    """A simulation that was pickled. Where there is no GPU the CPU goes on."""
    try:
        return kind.resume(checkpoint, engine=engine, threads=threads)
    except _native.DeviceError:
        return kind.resume(checkpoint, engine="cpu")
