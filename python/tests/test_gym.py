"""The environments of Gymnasium and PettingZoo, held against their own checkers."""

from __future__ import annotations

import os
import subprocess
import sys

import gymnasium
import murmuration.gym
import murmuration.pettingzoo
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import parallel_api_test, parallel_seed_test

SMALL = {"size": (32, 32), "episode_steps": 20}


def towards_the_densest(seen):
    density = seen["density"]
    y, x = np.unravel_index(density.argmax(), density.shape)
    middle = density.shape[0] // 2
    return np.sign(np.array([x - middle, y - middle], dtype=np.float32))


def test_the_hunt_passes_the_checker():
    check_env(gymnasium.make("murmuration/Hunt-v0", render_mode="rgb_array", **SMALL).unwrapped)


def test_a_hunter_that_follows_the_swarm_catches_more_than_one_that_rests():
    def play(policy):
        env = gymnasium.make("murmuration/Hunt-v0", **SMALL)
        seen, _ = env.reset(seed=3)
        total, is_over = 0.0, False
        while not is_over:
            seen, reward, terminated, truncated, facts = env.step(policy(seen))
            total += reward
            is_over = terminated or truncated
            assert facts["lost"] == 0 and env.observation_space.contains(seen)
        assert facts["caught"] == pytest.approx(total)
        return total

    rests = play(lambda seen: np.zeros(2, dtype=np.float32))
    assert play(towards_the_densest) > rests > 0
    assert play(towards_the_densest) == play(towards_the_densest)


def test_an_action_that_is_none_is_named():
    env = murmuration.gym.HuntEnv(**SMALL)
    env.reset(seed=1)
    for action in ([float("nan"), 0], [0], "left", [[0, 0]]):
        with pytest.raises(ValueError, match="^action: "):
            env.step(action)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="LEFT OUT: there is no fork")
def test_environments_play_in_forked_processes_after_a_reset():
    program = f"""
import signal, gymnasium, numpy, murmuration.gym
signal.alarm(110)
gymnasium.make("murmuration/Hunt-v0", **{SMALL!r}).reset(seed=1)
make = lambda: gymnasium.make("murmuration/Hunt-v0", **{SMALL!r})
envs = gymnasium.vector.AsyncVectorEnv([make, make], context="fork")
envs.reset(seed=1)
envs.step(numpy.zeros((2, 2), dtype=numpy.float32))
envs.close()
print("played")
"""
    command = [sys.executable, "-W", "ignore", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "played" in done.stdout, done.stderr


def test_many_hunts_are_the_hunts_alone():
    many = murmuration.gym.HuntVectorEnv(4, **SMALL)
    seen, facts = many.reset(seed=8)
    assert many.observation_space.contains(seen) and seen["density"].shape == (4, 16, 16)
    singles = []
    for seed in facts["seed"]:
        env = murmuration.gym.HuntEnv(**SMALL)
        env.reset(seed=1)
        env.simulation.restart(int(seed))
        singles.append(env)
    random = np.random.default_rng(5)
    for step in range(20):
        actions = random.uniform(-1, 1, (4, 2)).astype(np.float32)
        seen, rewards, terminated, truncated, facts = many.step(actions)
        for index, env in enumerate(singles):
            own, reward, *_ = env.step(actions[index])
            assert reward == pytest.approx(rewards[index])
            last = facts["final_obs"][index] if truncated[index] else {name: seen[name][index] for name in seen}
            np.testing.assert_array_equal(own["density"], last["density"])
        assert truncated.all() == (step == 19)
    assert (many.batch.lost == 0).all() and [world.step for world in many.batch] == [0] * 4
    # It goes on with new swarms.
    many.step(np.zeros((4, 2), dtype=np.float32))
    made = gymnasium.make_vec("murmuration/Hunt-v0", num_envs=2, vectorization_mode="vector_entry_point", **SMALL)
    made.reset(seed=1)
    made.close()


def test_hunters_pass_the_checkers():
    parallel_api_test(murmuration.pettingzoo.HuntersEnv(8, **SMALL), num_cycles=40)
    parallel_seed_test(lambda: murmuration.pettingzoo.HuntersEnv(3, **SMALL), num_cycles=10)


def test_hunters_catch_together_and_share():
    env = murmuration.pettingzoo.HuntersEnv(3, **SMALL)
    seen, _ = env.reset(seed=2)
    total = 0.0
    while env.agents:
        actions = {agent: towards_the_densest(seen[agent]) for agent in env.agents}
        seen, rewards, _, _, facts = env.step(actions)
        total += sum(rewards.values())
        assert len(set(rewards.values())) == 1
    fact = next(iter(facts.values()))
    assert fact["caught"] == pytest.approx(total) and total > 0 and fact["lost"] == 0
    with pytest.raises(ValueError):
        murmuration.pettingzoo.HuntersEnv(9)
    with pytest.raises(ValueError):
        murmuration.gym.HuntEnv(size=(8, 8))
