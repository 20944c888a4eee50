"""The hunt as an environment of Gymnasium: the player is the hunter, and the reward is what it catches.

>>> import gymnasium, murmuration.gym
>>> env = gymnasium.make("murmuration/Hunt-v0", size=(64, 64))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from . import _native
from ._arguments import bad_input, decimal, extents, numbers, table_of, whole
from .batch import Batch
from .simulation import Engine, Simulation

#: Cells along each axis of what a hunter sees of the density.
VIEW = 16


class Task:
    """What is the same for one hunter and for many: the world, what a hunter sees, and how it moves.

    Parameters
    ----------
    preset, size, set
        As of :class:`murmuration.Simulation`; a flat preset of cells.
    speed : float
        The greatest speed of the hunter along an axis, in cells a step.
    jaws : int
        Boids so many cells away are caught.
    reach : int
        How far the swarm notices the hunter, in cells.
    frame_skip : int
        Steps between two actions.
    episode_steps : int
        Actions of an episode.
    """

    def __init__(
        self,
        preset: str = "droplets",
        size: Sequence[int] = (96, 96),
        set: Mapping[str, Any] | None = None,  # noqa: A002 - the name of the option
        *,
        speed: float = 1.5,
        jaws: int = 4,
        reach: int = 24,
        frame_skip: int = 4,
        episode_steps: int = 250,
    ) -> None:
        own = extents(size)
        if len(own) != 2 or min(own) < VIEW:
            raise bad_input("size", f"{tuple(own)} is no size of a hunt", f"give two extents of at least {VIEW} cells")
        self.preset, self.size, self.set = preset, (own[0], own[1]), dict(table_of("set", set))
        self.speed, self.jaws = decimal("speed", speed), whole("jaws", jaws, 0, 64)
        self.reach = whole("reach", reach, 0, 255)
        self.frame_skip = whole("frame_skip", frame_skip, 1)
        self.episode_steps = whole("episode_steps", episode_steps, 1)
        self.extents = np.array(self.size, dtype=float)

    def action_space(self) -> spaces.Box:
        """The velocity of the hunter along x and y, in parts of its greatest speed."""
        return spaces.Box(-1.0, 1.0, (2,), np.float32)

    def observation_space(self) -> spaces.Dict:
        """The density around the hunter, and where the hunter is."""
        return spaces.Dict(
            {
                "density": spaces.Box(0.0, 1.0, (VIEW, VIEW), np.float32),
                "position": spaces.Box(0.0, 1.0, (2,), np.float32),
            }
        )

    def middle(self) -> np.ndarray:
        """Where a hunter begins."""
        return self.extents / 2

    def moved(self, position: np.ndarray, action: np.ndarray) -> np.ndarray:
        """The position one step later; the world is a torus for a hunter."""
        # One action, or one for each of many hunters.
        velocity = numbers("action", action)
        if velocity.shape != position.shape or np.isnan(velocity).any():
            problem = f"{np.asarray(action).tolist()!r} is no action"
            raise bad_input("action", problem, f"give numbers from -1 to 1, with the shape {position.shape}")
        return (position + np.clip(velocity, -1.0, 1.0) * self.speed) % self.extents

    def seen(self, density: np.ndarray, position: np.ndarray) -> dict[str, np.ndarray]:
        """What a hunter sees: the world, moved so that it is in the middle, as means over equal blocks. 1 is 16 boids a cell."""
        height, width = density.shape
        shift = (height // 2 - int(position[1]), width // 2 - int(position[0]))
        rolled = np.roll(density, shift, (0, 1))
        rows = np.linspace(0, height, VIEW + 1).astype(int)
        columns = np.linspace(0, width, VIEW + 1).astype(int)
        sums = np.add.reduceat(np.add.reduceat(rolled.astype(np.float64), rows[:-1], 0), columns[:-1], 1)
        means = sums / np.outer(np.diff(rows), np.diff(columns)) / _native.BOID
        return {
            "density": np.minimum(np.sqrt(means) / 4.0, 1.0).astype(np.float32),
            "position": (position / self.extents).astype(np.float32),
        }


class HuntEnv(gymnasium.Env[dict[str, np.ndarray], np.ndarray]):
    """One hunter in one world. The reward is what it catches, in boids.

    Parameters
    ----------
    render_mode : {"rgb_array"}, optional
        ``render()`` gives the picture of the program then.
    engine : {"cpu", "gpu", "auto"}
        The engine of the world.
    **task
        The parameters of :class:`Task`.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 30}

    def __init__(self, render_mode: str | None = None, engine: Engine = "cpu", **task: Any) -> None:
        if render_mode not in (None, "rgb_array"):
            raise bad_input("render_mode", f"{render_mode!r} is no mode", "use 'rgb_array' or None")
        self.task, self.engine, self.render_mode = Task(**task), engine, render_mode
        self.action_space = self.task.action_space()
        self.observation_space: Any = self.task.observation_space()
        self.simulation: Simulation | None = None
        self._position = self.task.middle()
        self._caught, self._actions = 0, 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        super().reset(seed=seed)
        world_seed = int(self.np_random.integers(1 << 31))
        if self.simulation is None:
            task = self.task
            self.simulation = Simulation(task.preset, size=task.size, seed=world_seed, set=task.set, engine=self.engine)
        else:
            self.simulation.restart(world_seed)
        self._position = self.task.middle()
        self._caught, self._actions = self.simulation.account()["caught"], 0
        return self._seen(), {"seed": world_seed}

    def step(self, action: np.ndarray) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        if self.simulation is None:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        for _ in range(self.task.frame_skip):
            self._position = self.task.moved(self._position, action)
            self.simulation.hunt(self._position.tolist(), reach=self.task.reach, jaws=self.task.jaws)
            self.simulation.advance(1)
        account = self.simulation.account()
        reward = (account["caught"] - self._caught) / _native.BOID
        self._caught = account["caught"]
        self._actions += 1
        is_over = account["quanta"] == 0
        information = {"caught": account["caught"] / _native.BOID, "step": account["step"], "lost": account["lost"]}
        return self._seen(), reward, is_over, self._actions >= self.task.episode_steps, information

    def _seen(self) -> dict[str, np.ndarray]:
        assert self.simulation is not None
        return self.task.seen(self.simulation.density, self._position)

    def render(self) -> np.ndarray | None:
        if self.render_mode is None or self.simulation is None:
            return None
        return self.simulation.picture()

    def close(self) -> None:
        self.simulation = None


class HuntVectorEnv(gymnasium.vector.VectorEnv):
    """Many hunts at once, stepped over all cores by a :class:`murmuration.Batch`. A world that is over begins anew in the same step; ``final_obs`` has what was seen last.

    Parameters
    ----------
    num_envs : int
        Worlds.
    threads : int, optional
        Threads in all.
    **task
        The parameters of :class:`Task`.
    """

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP}

    def __init__(self, num_envs: int = 16, threads: int | None = None, **task: Any) -> None:
        self.task, self.num_envs, self._threads = Task(**task), num_envs, threads
        self.single_action_space = self.task.action_space()
        self.single_observation_space = self.task.observation_space()
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.batch: Batch | None = None
        self._positions = np.tile(self.task.middle(), (num_envs, 1))
        self._caught = np.zeros(num_envs)
        self._actions = np.zeros(num_envs, dtype=int)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        super().reset(seed=seed)
        seeds = self.np_random.integers(1 << 31, size=self.num_envs)
        if self.batch is None:
            task = self.task
            self.batch = Batch(task.preset, seeds=seeds, size=task.size, set=task.set, threads=self._threads)
        else:
            for world, own in zip(self.batch, seeds, strict=True):
                world.restart(int(own))
        self._positions[:] = self.task.middle()
        self._caught, self._actions[:] = self.batch.caught, 0
        return self._seen(), {"seed": seeds}

    def step(self, actions: np.ndarray) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        if self.batch is None:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        for _ in range(self.task.frame_skip):
            self._positions = self.task.moved(self._positions, np.asarray(actions))
            self.batch.hunt(self._positions, reach=self.task.reach, jaws=self.task.jaws)
            self.batch.advance(1)
        caught = self.batch.caught
        rewards = caught - self._caught
        self._caught = caught
        self._actions += 1
        terminated = np.array([world.account()["quanta"] == 0 for world in self.batch])
        truncated = self._actions >= self.task.episode_steps
        information: dict[str, Any] = {"caught": caught, "_caught": np.ones(self.num_envs, dtype=bool)}
        is_over = terminated | truncated
        seen = self._seen()
        if is_over.any():
            last = np.full(self.num_envs, None, dtype=object)
            for index in np.flatnonzero(is_over):
                last[index] = {name: values[index].copy() for name, values in seen.items()}
                self.batch[index].restart(int(self.np_random.integers(1 << 31)))
                self._positions[index], self._actions[index] = self.task.middle(), 0
            self._caught = self.batch.caught
            information |= {"final_obs": last, "_final_obs": is_over.copy()}
            seen = self._seen()
        return seen, rewards, terminated, truncated, information

    def _seen(self) -> dict[str, np.ndarray]:
        assert self.batch is not None
        seen = [self.task.seen(density, at) for density, at in zip(self.batch.density, self._positions, strict=True)]
        return {name: np.stack([one[name] for one in seen]) for name in ("density", "position")}

    def close_extras(self, **kwargs: Any) -> None:
        self.batch = None


gymnasium.register("murmuration/Hunt-v0", entry_point=HuntEnv, vector_entry_point=HuntVectorEnv)
