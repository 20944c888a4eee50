#!/usr/bin/env python3
"""Flow-Lenia (the package cax, on JAX's CPU) and murmuration's cell system, in turns, in cells a second.

    python3 -m venv venv && venv/bin/pip install cax==0.3.3 jax==0.10.2
    venv/bin/python benches/peers/flow_lenia.py --beside target/release/murmuration

Both move an amount that is conserved over a torus, to neighbouring cells, on all cores. What a cell sees differs: Flow-Lenia
convolves the whole lattice with one kernel by Fourier transforms, so its radius costs nothing; it has one channel and
moves by at most a cell (dd = 1), which is the cheapest form of it. Ours sees as each row says.

Prints one JSON object: seconds a step of Flow-Lenia (median, least, most), its cells a second, how much mass it lost, and
beside each row of `murmuration bench` the ratio of the medians.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time

import jax
import jax.numpy as jnp
from cax.cs.flow_lenia import FlowLenia, GrowthParams, KernelParams, LeniaRuleParams


def flow_lenia(size):
    """One channel and one kernel, with the numbers of Lenia's orbium."""
    rule = LeniaRuleParams(
        channel_source=jnp.array([0]),
        channel_target=jnp.array([0]),
        weight=jnp.array([1.0]),
        kernel_params=KernelParams(r=jnp.array([1.0]), b=jnp.array([[1.0]])),
        growth_params=GrowthParams(mean=jnp.array([0.15]), std=jnp.array([0.015])),
    )
    return FlowLenia((size, size), 1, R=13, T=10, rule_params=rule, dd=1, sigma=0.65)


def spread(samples):
    return {"median": statistics.median(samples), "least": min(samples), "most": max(samples)}


def measured(program, size, sights):
    """The rows of a short bench of the program."""
    command = [program, "bench", "--engine", "cpu", "--quick", "--json", "--size", f"{size}x{size}"]
    for sight in sights:
        command += ["--sight", sight]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    result = json.loads(run.stdout.splitlines()[-1])
    assert result["valid"], "the ledger is off"
    return result["families"][0]["rows"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", type=int, default=512, help="cells along each axis")
    parser.add_argument("--steps", type=int, default=20, help="steps of a repetition")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--beside", metavar="PROGRAM", help="the murmuration to take turns with")
    parser.add_argument("--sight", action="append", help="as of `murmuration bench` [default: rings:8:4 disc:8/3/6]")
    arguments = parser.parse_args()
    sights = arguments.sight or ["rings:8:4", "disc:8/3/6"]

    jax.config.update("jax_platforms", "cpu")
    system = flow_lenia(arguments.size)
    cells = arguments.size**2
    state = jax.random.uniform(jax.random.key(1), (arguments.size, arguments.size, 1))
    mass = float(jnp.sum(state))

    def repetition():
        nonlocal state
        begun = time.perf_counter()
        state = jax.block_until_ready(system(state, num_steps=arguments.steps))
        return (time.perf_counter() - begun) / arguments.steps

    # The first compiles it.
    repetition()
    repetition()
    theirs, ours, labels = [], {}, {}
    for round_ in range(arguments.rounds):
        theirs.append(repetition())
        if arguments.beside:
            for row in measured(arguments.beside, arguments.size, sights):
                ours.setdefault(row["label"], []).append(row["seconds_a_step"]["median"])
                labels[row["label"]] = f"{row['engine']}, chain {row['chain']}"
        print(f"round {round_ + 1} of {arguments.rounds}", file=sys.stderr)
    median = statistics.median(theirs)
    print(
        json.dumps(
            {
                "peer": "Flow-Lenia, cax, JAX on the CPU, one channel, one kernel, dd = 1",
                "size": f"{arguments.size}x{arguments.size}",
                "jax": jax.__version__,
                "seconds_a_step": spread(theirs),
                "cells_a_second": cells / median,
                "lost_of_its_mass": 1 - float(jnp.sum(state)) / mass,
                "ours": [
                    {
                        "label": label,
                        "engine": labels[label],
                        "seconds_a_step": spread(seconds),
                        "cells_a_second": cells / statistics.median(seconds),
                        "times_as_fast": spread([a / b for a, b in zip(theirs, seconds)]),
                    }
                    for label, seconds in ours.items()
                ],
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
