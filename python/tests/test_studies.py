"""Sweeps, comparisons and batches."""

from __future__ import annotations

import json
import sys

import murmuration as m
import numpy as np
import pytest


def test_a_sweep_is_that_of_the_program(program, tmp_path):
    told = []
    result = m.sweep(
        "droplets",
        {"weights.cohesion": [0.5, 1], "movement.keep": np.array([0.9])},
        sizes=[(32, 24)],
        seeds=3,
        steps=60,
        measures=["polarisation", "mean_speed"],
        out=tmp_path / "own",
        progress=lambda runs, of, steps: told.append((runs, of)),
    )
    assert told[-1] == (6, 6) and len(result.runs) == 6 and len(result.means) == 2
    line = "sweep droplets --set weights.cohesion=0.5,1 --set movement.keep=0.9 --size 32x24 --seeds 1..3 --steps 60"
    program(*line.split(), "--measures", "polarisation,mean_speed", "--out", "theirs", folder=tmp_path)
    for name in ("runs.csv", "means.csv", "index.html"):
        assert (tmp_path / "own" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name
    single = m.Simulation("droplets", size=(32, 24), seed=2, set={"weights.cohesion": 0.5, "movement.keep": 0.9})
    single.advance(60)
    row = result.runs[(result.runs["seed"] == 2) & (result.runs["weights.cohesion"] == 0.5)]
    assert row["state_hash"].item() == single.state_hash and (result.runs["lost"] == 0).all()
    # What is finished is not repeated.
    again = m.sweep(
        "droplets",
        {"weights.cohesion": [0.5, 1], "movement.keep": [0.9]},
        sizes=[(32, 24)],
        seeds=[1, 2, 3],
        steps=60,
        measures=["polarisation", "mean_speed"],
        out=tmp_path / "own",
    )
    assert again.runs.equals(result.runs)


def test_a_table_of_a_sweep_becomes_a_dataset(tmp_path, monkeypatch):
    pytest.importorskip("xarray")
    values = {"weights.cohesion": [0.5, 1], "start.headings": ["random", "swirl"]}
    result = m.sweep("droplets", values, sizes=[(32, 24)], seeds=3, steps=40, measures=["mean_speed"], out=tmp_path)
    dataset = result.runs.to_xarray()
    assert dict(dataset.sizes) == {"weights.cohesion": 2, "start.headings": 2, "size": 1, "seed": 3}
    assert dataset["mean_speed"].attrs["units"] == "cell/step" and dataset["size"].attrs["units"] == "cells"
    assert json.loads(dataset.attrs["provenance"]) == result.runs.attrs["provenance"]
    for row in result.runs.to_dict("records"):
        place = {name: row[name] for name in dataset.dims}
        assert dataset["mean_speed"].sel(place).item() == row["mean_speed"]
        assert dataset["state_hash"].sel(place).item() == row["state_hash"]
    assert m.load(tmp_path / "runs.csv").to_xarray().identical(dataset)
    assert dict(result.means.to_xarray().sizes) == {"weights.cohesion": 2, "start.headings": 2, "size": 1}
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ImportError, match="to_xarray needs the package xarray: pip install xarray"):
        result.runs.to_xarray()


def test_a_sweep_refuses_what_is_wrong():
    for arguments, said in (
        ({"set": {"nonsense": [1]}}, "nonsense"),
        ({"set": {"weights.cohesion": []}}, "value"),
        ({"measures": ["beauty"]}, "beauty"),
        ({"steps": 10, "warm_up": 20}, "none is measured"),
        ({"seeds": []}, "seeds"),
        ({"seeds": [1, 1, 2]}, "seeds: 1 stands 2 times"),
        ({"seeds": [1.0, 1.9]}, "seeds: 1.0 is no whole number"),
        ({"seeds": -1}, "seeds"),
        ({"set": {"k": np.array(1)}}, "set k"),
        ({"set": ["a=1"]}, "set: .*dictionary"),
        ({"set": {"weights.cohesion": [99]}}, "^set weights.cohesion=99: "),
        ({"steps": 1.5}, "steps"),
        ({"jobs": 4000}, "jobs"),
        ({"jobs": 0}, "jobs"),
        ({"sizes": [(0, 3)]}, "size"),
    ):
        with pytest.raises(m.BadInput, match=said):
            m.sweep("droplets", **{"steps": 20, **arguments})


def test_a_range_that_misses_its_end_warns(tmp_path):
    file = tmp_path / "s.toml"
    file.write_text('preset = "droplets"\n[set]\nweights.cohesion = ["0:1:0.3"]\n')
    with pytest.warns(UserWarning, match="the range 0:1:0.3 ends at 0.9") as warned:
        result = m.sweep(file, sizes=[(32, 24)], seeds=1, steps=20)
    assert len(result.means) == 4 and warned[0].filename == __file__
    with pytest.warns(UserWarning, match="no boid is left"):
        m.check("droplets", size=(1, 1))


def test_an_atlas_is_that_of_the_program(program, tmp_path):
    told = []
    found = m.atlas(
        "droplets",
        {"weights.cohesion": (0.0, 1.5), "start.boids": (200, 600)},
        {"start.headings": ["random", "aligned"]},
        samples=5,
        size=(48, 32),
        seeds=2,
        steps=60,
        out=tmp_path / "own",
        progress=lambda runs, of, steps: told.append((runs, of)),
    )
    assert told[-1] == (20, 20) and len(found.runs) == 20 and len(found.combinations) == 10
    assert (found.runs["lost"] == 0).all() and found.runs["start.boids"].between(200, 600).all()
    file = """preset = "droplets"
samples = 5
size = "48x32"
seeds = "1..2"
steps = 60
[ranges]
start.boids = [200, 600]
weights.cohesion = [0.0, 1.5]
[set]
start.headings = ["random", "aligned"]
"""
    (tmp_path / "a.toml").write_text(file)
    program("atlas", "run", "a.toml", "--out", "theirs", folder=tmp_path)
    for name in ("runs.csv", "combinations.csv", "index.html"):
        assert (tmp_path / "own" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name
    again = m.atlas(tmp_path / "a.toml", out=tmp_path / "own")
    assert again.combinations.equals(found.combinations) and again.page == found.page
    row = found.runs.iloc[7]
    values = {"weights.cohesion": row["weights.cohesion"], "start.headings": row["start.headings"], "start.boids": int(row["start.boids"])}
    single = m.Simulation("droplets", size=(48, 32), seed=int(row["seed"]), set=values)
    single.advance(60)
    assert single.state_hash == row["state_hash"]


def test_words_are_no_missing_values_and_means_tell_their_runs():
    result = m.sweep("droplets", {"start.headings": ["none", "random"]}, sizes=[(32, 24)], seeds=2, steps=20)
    assert result.means["start.headings"].tolist() == ["none", "random"]
    assert (result.means["polarisation_runs"] == 2).all() and (result.means["seeds"] == 2).all()
    assert result.means.attrs["columns"]["polarisation_runs"] == "1" and result.runs.attrs["columns"]["seed"] == ""


def test_an_atlas_searches_and_refuses_what_is_wrong():
    axis = {"measure": "coverage", "least": 0.0, "greatest": 1.0, "fields": 4}
    search = {"y": axis, "best": "mean_speed"}
    ranges = {"weights.cohesion": (0.0, 1.5)}
    found = m.atlas("droplets", ranges, sampling="search", search=search, samples=40, size=(32, 24), steps=40)
    assert len(found.combinations) == 40 and found.folder is None and "<canvas" in found.page
    for arguments, said in (
        ({"ranges": {}}, "there are no ranges"),
        ({"ranges": {"nonsense": (0, 1)}}, "nonsense"),
        ({"ranges": {"weights.cohesion": (1, 0)}}, "does not go upwards"),
        ({"sampling": "guess"}, "latin-hypercube"),
        ({"measures": ["beauty"]}, "beauty"),
        ({"jobs": 0}, "jobs"),
    ):
        with pytest.raises(m.BadInput, match=said):
            m.atlas("droplets", **{"ranges": ranges, "steps": 20, "samples": 2, **arguments})


def test_an_exception_in_the_progress_ends_a_sweep():
    def stop(runs, of, steps):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        m.sweep("droplets", sizes=[(64, 64)], seeds=50, steps=400, progress=stop)


def test_experiments_are_those_of_the_program(program, tmp_path):
    told = []
    own = m.reproduce("random-places", out=tmp_path / "own", progress=lambda runs, of, steps: told.append((runs, of)))
    assert told[-1] == (8, 8) and own.results["is_inside"].all() and len(own.results) == 2
    program("reproduce", "random-places", "--out", "theirs", folder=tmp_path)
    for name in ("results.json", "index.html", "random-places/means.csv"):
        assert (tmp_path / "own" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name
    for arguments, said in ((["nonsense"], "no such experiment"), (["random-places", "random-places"], "stands twice")):
        with pytest.raises(m.BadInput, match=said):
            m.reproduce(*arguments)
    with pytest.raises(m.BadInput, match="none of the experiments is quick"):
        m.reproduce("zones", quick=True)


def test_a_comparison_is_that_of_the_program(program, tmp_path):
    import pandas

    own = m.compare("shoal-compare", steps=40, every=10, size=(64, 48), seed=3)
    program(*"compare shoal-compare --steps 40 --every 10 --size 64x48 --seed 3 --engine cpu --out out".split(), folder=tmp_path)
    theirs = pandas.read_csv(tmp_path / "out/measures.csv", index_col="step")
    timed = [name for name in theirs if "millisecond" in name]
    pandas.testing.assert_frame_equal(
        own.table.drop(columns=timed), theirs.drop(columns=timed), check_dtype=False, rtol=1e-15
    )
    assert own.lost == {"cells": 0, "individuals": 0} and len(own.spectra["wavelength"]) == 24
    assert own.units["mean_speed_cells"]
    with pytest.raises(ValueError):
        m.compare("shoal-compare", grain=4)


def test_a_batch_plays_each_world_to_the_hash_that_it_has_alone():
    batch = m.Batch("flock", seeds=range(20), size=(24, 24, 8))
    batch.advance(15)
    hashes = batch.state_hashes
    for seed in (0, 7, 19):
        alone = m.Simulation("flock", seed=seed, size=(24, 24, 8))
        alone.advance(15)
        assert hashes[seed] == alone.state_hash == batch[seed].state_hash
        np.testing.assert_array_equal(batch.positions[seed], alone.positions)
    assert batch.positions.shape == batch.velocities.shape and len(batch) == 20
    assert [world.seed for world in batch[2:5]] == [2, 3, 4] and batch[-1].seed == 19
    assert (batch.lost == 0).all() and len(batch.metrics()) == 20
    # A world is shared, and stays of the batch.
    batch[4].advance(5)
    assert batch.state_hashes[4] == batch[4].state_hash != hashes[4]
    with pytest.raises(IndexError):
        batch[20]


def test_a_batch_hunts_and_stacks():
    worlds = [m.Simulation("droplets", size=(32, 24), seed=seed, engine="cpu") for seed in range(6)]
    batch = m.Batch(worlds, threads=2)
    at = np.tile([16.0, 12.0], (6, 1))
    at[3] = np.nan
    batch.hunt(at, jaws=6)
    batch.advance(30)
    assert batch.caught[3] == 0 and (np.delete(batch.caught, 3) > 0).all()
    assert batch.density.shape == (6, 24, 32) and batch.control.shape == (6, 24, 32, 2)
    np.testing.assert_array_equal(batch.density[2], worlds[2].density)
    with pytest.raises(m.BadInput, match="places"):
        batch.hunt(at[:2])
    with pytest.raises(m.BadInput, match="twice"):
        m.Batch([worlds[0], worlds[0]])
    with pytest.raises(TypeError, match="seeds"):
        m.Batch("droplets")
    mixed = m.Batch([worlds[0], m.Simulation("droplets", size=(16, 16), engine="cpu")])
    with pytest.raises(m.BadInput, match="shapes"):
        mixed.density
    mixed.advance(3)
