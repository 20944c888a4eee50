"""A rule tried in NumPy: a wind that turns slowly. It is slow, because every step copies the swarm: python examples/rule_in_numpy.py

A rule that stays is a kernel in WGSL (docs/kernels.md), which is as fast as the built-in ones.
"""

import math

import murmuration as m
import numpy as np

STRENGTH = 0.05  # cells a step, each step


def wind(sim):
    turn = 2 * math.pi * sim.step / 400
    blow = np.array([math.cos(turn), math.sin(turn)]) * STRENGTH * m.ONE
    sim.control = np.clip(sim.control + blow, -m.ONE, m.ONE).astype(np.int16)


sim = m.Simulation("shoals", size=(128, 128), seed=2)
for _ in sim.run(200, every=50, before_step=wind):
    metrics = sim.metrics()
    print(f"step {sim.step}: heading {metrics['heading_x']:+.2f} {metrics['heading_y']:+.2f}, lost {metrics['lost']}")
sim.save_picture("wind.png")
