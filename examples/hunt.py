"""A hunter that circles in a swarm, filmed: python examples/hunt.py"""

import math

import murmuration as m

sim = m.Simulation("droplets", size=(192, 192), seed=4)


def circle(sim):
    turn = 2 * math.pi * sim.step / 200
    sim.hunt((96 + 50 * math.cos(turn), 96 + 50 * math.sin(turn)), reach=30, jaws=6)


frames = sim.film("hunt.gif", steps=300, every=3, fps=25, before_frame=circle)
account = sim.account()
print(f"{frames} frames in hunt.gif; {account['caught'] / m.BOID:.1f} boids caught, lost {account['lost']}")
