"""Up to eight hunters of one swarm, as a parallel environment of PettingZoo.

The hunters are a team: each gets an equal share of what all of them catch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from . import _native
from ._arguments import whole
from .gym import Task
from .simulation import Engine, Simulation

#: The most hunters that a world has.
MAX_HUNTERS = 8


class HuntersEnv(ParallelEnv[str, dict[str, np.ndarray], np.ndarray]):
    """Some hunters in one world. The reward of each is an equal share of the boids that all of them catch.

    Parameters
    ----------
    hunters : int
        1 to 8.
    render_mode : {"rgb_array"}, optional
        ``render()`` gives the picture of the program then.
    engine : {"cpu", "gpu", "auto"}
        The engine of the world.
    **task
        The parameters of :class:`murmuration.gym.Task`.
    """

    metadata = {"name": "murmuration_hunters_v0", "render_modes": ["rgb_array"], "render_fps": 30}

    def __init__(self, hunters: int = 3, render_mode: str | None = None, engine: Engine = "cpu", **task: Any) -> None:
        hunters = whole("hunters", hunters, 1, MAX_HUNTERS)
        self.task, self.engine, self.render_mode = Task(**task), engine, render_mode
        self.possible_agents = [f"hunter_{index}" for index in range(hunters)]
        self.agents: list[str] = []
        self.simulation: Simulation | None = None
        self._positions: dict[str, np.ndarray] = {}
        self._caught, self._actions = 0, 0
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Box:
        return self._action_spaces[agent]

    @property
    def _observation_spaces(self) -> dict[str, spaces.Dict]:
        if not hasattr(self, "_observed"):
            self._observed = {agent: self.task.observation_space() for agent in self.possible_agents}
        return self._observed

    @property
    def _action_spaces(self) -> dict[str, spaces.Box]:
        if not hasattr(self, "_acted"):
            self._acted = {agent: self.task.action_space() for agent in self.possible_agents}
        return self._acted

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, np.ndarray]], dict[str, dict[str, Any]]]:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        world_seed = int(self._random.integers(1 << 31))
        self.agents = list(self.possible_agents)
        # Around the middle, so that no two begin at the same place.
        turns = np.arange(len(self.agents)) * 2 * np.pi / len(self.agents)
        around = np.stack([np.cos(turns), np.sin(turns)], axis=1) * self.task.extents / 4 + self.task.middle()
        self._positions = dict(zip(self.agents, around, strict=True))
        if self.simulation is None:
            hunters = [self._hunter(agent) for agent in self.agents]
            own = self.task.set | {"hunter": hunters, "weights.hunter": 2.0}
            self.simulation = Simulation(self.task.preset, size=self.task.size, seed=world_seed, set=own, engine=self.engine)
        else:
            self._place_hunters()
            self.simulation.restart(world_seed)
        self._caught, self._actions = self.simulation.account()["caught"], 0
        return self._seen(), {agent: {"seed": world_seed} for agent in self.agents}

    def step(self, actions: dict[str, np.ndarray]) -> tuple[dict, dict, dict, dict, dict]:
        if self.simulation is None or not self.agents:
            raise RuntimeError("call reset() before step()")
        agents = self.agents
        for _ in range(self.task.frame_skip):
            for agent in agents:
                self._positions[agent] = self.task.moved(self._positions[agent], actions[agent])
            self._place_hunters()
            self.simulation.advance(1)
        account = self.simulation.account()
        share = (account["caught"] - self._caught) / _native.BOID / len(agents)
        self._caught = account["caught"]
        self._actions += 1
        is_over, is_late = account["quanta"] == 0, self._actions >= self.task.episode_steps
        information = {"caught": account["caught"] / _native.BOID, "step": account["step"], "lost": account["lost"]}
        seen = self._seen()
        if is_over or is_late:
            self.agents = []

        def for_all(value: Any) -> dict[str, Any]:
            return {agent: value for agent in agents}

        return seen, for_all(share), for_all(is_over), for_all(is_late), {agent: dict(information) for agent in agents}

    def _hunter(self, agent: str) -> dict[str, Any]:
        at = (self._positions[agent] / self.task.extents).tolist()
        return {"kind": "path", "at": at, "reach": self.task.reach, "jaws": self.task.jaws, "mood": "flee"}

    def _place_hunters(self) -> None:
        assert self.simulation is not None
        self.simulation.parameters["hunter"] = [self._hunter(agent) for agent in self.possible_agents]

    def _seen(self) -> dict[str, dict[str, np.ndarray]]:
        assert self.simulation is not None
        density = self.simulation.density
        return {agent: self.task.seen(density, self._positions[agent]) for agent in self.possible_agents}

    def render(self) -> np.ndarray | None:
        if self.render_mode is None or self.simulation is None:
            return None
        return self.simulation.picture()

    def close(self) -> None:
        self.simulation = None
