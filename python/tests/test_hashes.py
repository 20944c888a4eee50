"""The same swarm as everywhere: golden hashes, the arrays and the pictures of the program."""

from __future__ import annotations

import json
import tomllib

import murmuration as m
import numpy as np
import pytest
from conftest import REPOSITORY

GOLDEN = tomllib.loads((REPOSITORY / "tests/golden/hashes.toml").read_text())
#: Cells, a deep world, several species, individuals, lives with food, rock, an endless world.
WORLDS = {
    "droplets": (96, 64),
    "murmuration": (24, 20, 16),
    "three": (64, 48),
    "flock": (40, 32, 12),
    "moods": (64, 40),
    "feeding": (64, 40),
    "reef": (48, 32, 24),
    "stoop": (80, 50),
    "rings": (64, 64),
}


@pytest.mark.parametrize("name", GOLDEN["hashes"])
def test_flat_presets_end_where_they_always_did(name):
    sim = m.Simulation(name, size=GOLDEN["size"], set={"start.run_in": 0}, engine="cpu")
    sim.advance(GOLDEN["steps"])
    assert sim.state_hash == GOLDEN["hashes"][name]
    assert sim.account()["lost"] == 0


@pytest.mark.parametrize("name", GOLDEN["deep"]["hashes"])
def test_deep_presets_end_where_they_always_did(name):
    sim = m.Simulation(name, size=GOLDEN["deep"]["size"], set={"start.run_in": 0}, engine="cpu", threads=2)
    sim.advance(GOLDEN["deep"]["steps"])
    assert sim.state_hash == GOLDEN["deep"]["hashes"][name]


@pytest.mark.parametrize("name", WORLDS)
def test_arrays_and_pictures_are_those_of_the_program(name, program, tmp_path):
    size = WORLDS[name]
    sim = m.Simulation(name, size=size, seed=5, engine="cpu")
    kinds = "picture,npy,agents" if sim.model == "individuals" else "picture,npy"
    written = "x".join(map(str, size))
    arguments = ["--size", written, "--seed", "5", "--steps", "30", "--engine", "cpu"]
    said = program("render", name, *arguments, "--out", "f", "--frames", kinds, "--metrics", "m.csv", "--json", folder=tmp_path)
    result = json.loads(said[said.index("{") :])
    first = sim.picture()
    sim.advance(30)
    assert sim.state_hash == result["state_hash"]

    def read(kind):
        return np.load(tmp_path / f"f/{kind}-000030.npy")

    np.testing.assert_array_equal(sim.density, read("density"))
    np.testing.assert_array_equal(sim.control, read("control"))
    assert sim.density.dtype == np.uint32 and not sim.density.flags.writeable
    axes = len(sim.size)
    if sim.model == "individuals":
        np.testing.assert_array_equal(sim.ids, read("numbers"))
        np.testing.assert_array_equal(sim.velocities * m.ONE, read("velocities")[:, :axes])
        origin = sim.positions - read("positions")[:, :axes] / 65536
        np.testing.assert_array_equal(origin, np.broadcast_to(np.round(origin[:1]), origin.shape))
        if sim.lives is not None:
            lives = read("lives")
            np.testing.assert_array_equal(sim.lives["dna_speed"], lives[:, 5])
            np.testing.assert_allclose(sim.lives["mood"] * (lives[:, 1].max() / max(sim.lives["mood"].max(), 1e-9)), lives[:, 1], atol=1e-6)
            np.testing.assert_array_equal(sim.species, lives[:, 0])

    from PIL import Image

    for step, picture in ((0, first), (30, sim.picture())):
        expected = np.asarray(Image.open(tmp_path / f"f/picture-{step:06}.png").convert("RGB"))
        np.testing.assert_array_equal(picture, expected)

    import pandas

    row = pandas.read_csv(tmp_path / "m.csv").iloc[-1]
    metrics = sim.metrics()
    for column, value in metrics.items():
        if isinstance(value, list):
            assert row[column] == " ".join(map(str, value)), column
        elif value is None:
            assert pandas.isna(row[column]), column
        else:
            assert row[column] == value, column
    assert set(metrics) == set(row.index)


def test_a_gpu_gives_the_same_bits():
    try:
        gpu = m.Simulation("droplets", size=(96, 64), engine="gpu")
    except m.DeviceError as error:
        pytest.skip(f"LEFT OUT: there is no graphics adapter: {error}")
    cpu = m.Simulation("droplets", size=(96, 64), engine="cpu")
    for sim in (gpu, cpu):
        sim.advance(30)
        sim.hunt((30.5, 20.25), jaws=6)
        sim.advance(30)
    assert gpu.engine == "gpu" and gpu.state_hash == cpu.state_hash
    assert gpu.account() == cpu.account() and gpu.account()["caught"] > 0
    np.testing.assert_array_equal(gpu.density, cpu.density)
    # The engine changes under way.
    gpu.engine = "cpu"
    for sim in (gpu, cpu):
        sim.advance(10)
    assert gpu.engine == "cpu" and gpu.state_hash == cpu.state_hash
