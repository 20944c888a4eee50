"""Murmuration: a swarm as a density on a lattice, and individuals beside it, exact to the last bit.

>>> import murmuration as m
>>> sim = m.Simulation("droplets", size=(96, 64), seed=7)
>>> sim.advance(20)
>>> sim.account()["lost"]
0

A swarm has the same hash here, on the command line, in a page and on every GPU. Lengths are in cells, times in steps, velocities in cells a
step. Densities are in 1/65536 boid (``BOID``), exact whole numbers.
"""

from __future__ import annotations

from ._native import BOID, ONE, BadInput, DeviceError
from ._native import VERSION as __version__
from .atlases import Atlas, atlas
from .batch import Batch
from .comparison import Comparison, compare
from .files import load
from .presets import Key, check, keys, preset_text, presets
from .records import History, Trajectories
from .simulation import Parameter, Parameters, Simulation
from .sweeps import Reproduction, Sweep, reproduce, sweep

__all__ = [
    "BOID",
    "ONE",
    "Atlas",
    "BadInput",
    "Batch",
    "Comparison",
    "DeviceError",
    "History",
    "Key",
    "Parameter",
    "Parameters",
    "Reproduction",
    "Simulation",
    "Sweep",
    "Trajectories",
    "__version__",
    "atlas",
    "check",
    "compare",
    "keys",
    "load",
    "preset_text",
    "presets",
    "reproduce",
    "sweep",
]
