"""A simulation: where it comes from, what touches it, what it refuses, and that no thread, signal or fork harms it."""

from __future__ import annotations

import copy
import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import murmuration as m
import numpy as np
import pytest
from conftest import REPOSITORY

SMALL = {"size": (48, 32), "engine": "cpu"}


def small(preset="droplets", **more):
    return m.Simulation(preset, **{**SMALL, **more})


def test_presets_come_from_names_files_texts_and_dictionaries(tmp_path):
    by_name = small()
    text = m.preset_text("droplets")
    (tmp_path / "mine.toml").write_text(text)
    import tomllib

    for source in (tmp_path / "mine.toml", str(tmp_path / "mine.toml"), text, tomllib.loads(text)):
        assert small(source).state_hash == by_name.state_hash
    assert list(m.presets())[0] == "murmuration"
    assert m.keys()["weights.*"].doc


def test_settings_take_values_of_python_and_numpy():
    sim = small(set={"weights.cohesion": np.float32(0.5), "world.edges": "walls", "world.margin": np.int64(4)})
    assert sim.parameters["weights.cohesion"] == 0.5
    assert sim.parameters["world.edges"] == "walls" and sim.parameters["world.margin"] == 4
    with pytest.raises(m.BadInput) as caught:
        small(set={"weights.cohesion": object()})
    assert "no value of TOML" in str(caught.value)


def test_parameters_are_a_mapping_that_acts_at_once():
    sim, other = small(), small()
    sim.parameters["weights.cohesion"] = 2
    sim.advance(20), other.advance(20)
    assert sim.state_hash != other.state_hash
    described = sim.parameters.describe("weights.cohesion")
    assert described.value == 2 and described.key.least < 0 < described.key.most and described.key.doc
    assert dict(sim.parameters)["weights.cohesion"] == 2 and len(sim.parameters) > 10
    with pytest.raises(KeyError):
        sim.parameters["weights.nonsense"]
    before = sim.state_hash
    for key, value, said in (
        ("weights.cohesion", "much", "number"),
        ("weights.cohesion", 1e9, "32"),
        ("seed", 5, "start"),
        ("nonsense.key", 1, "nonsense"),
    ):
        with pytest.raises(m.BadInput) as caught:
            sim.parameters[key] = value
        assert said in str(caught.value), caught.value
        assert caught.value.problem and isinstance(caught.value, ValueError)
    assert sim.state_hash == before
    sim.advance(1)


def test_mistakes_name_file_line_key_and_cure():
    text = m.preset_text("droplets") + "\n[nonsense]\nkey = 1\n"
    with pytest.raises(m.BadInput) as caught:
        small(text)
    error = caught.value
    assert (error.origin, error.key) == ("preset.toml", "nonsense") and error.line == text.count("\n") - 1
    assert error.problem and error.cure and error.cure in str(error)
    with pytest.raises(m.BadInput, match="there is no preset"):
        small("droplet")
    with pytest.raises(m.BadInput, match="engine: 'tpu' is none of its words"):
        small(engine="tpu")
    for threads in (0, 1025, 4_000_000_000):
        for play in (lambda: small(threads=threads), lambda: m.Batch("flock", seeds=[1], threads=threads)):
            with pytest.raises(m.BadInput, match="threads: .*from 1 to 1024"):
                play()
    with pytest.raises(m.BadInput, match="extents"):
        small(size=(3,))
    with pytest.raises(m.BadInput):
        m.Simulation("/nowhere/at/all.toml")


def test_wrong_arguments_are_named_with_the_cure():
    sim = small()
    history = sim.history(2)
    for argument, wrong in (
        ("size", lambda: small(size=64)),
        ("size", lambda: small(size=(48.9, 32.2))),
        ("size", lambda: small(size=(-1, 32))),
        ("size", lambda: small(size="48x32")),
        ("size", lambda: small(size=np.array(64))),
        ("size", lambda: small(size={48, 32})),
        ("seed", lambda: small(seed=1.7)),
        ("seed", lambda: small(seed=-1)),
        ("seed", lambda: small(seed="x")),
        ("seed", lambda: sim.restart(2**64)),
        ("preset", lambda: small(5)),
        ("set", lambda: small(set=["weights.cohesion=1"])),
        ("set k=1", lambda: small(set={"k": np.array(1)})),
        ("set weights.cohesion=99", lambda: small(set={"weights.cohesion": 99})),
        ("size 100000x2", lambda: small(size=(100_000, 2))),
        ("chain", lambda: small(chain=3)),
        ("files", lambda: small(files={"a": 3})),
        ("engine", lambda: small(engine=1)),
        ("engine", lambda: small(engine=np.array(["cpu", "gpu"]))),
        ("seeds", lambda: m.Batch("flock", seeds=[1.0, 1.9])),
        ("seeds", lambda: m.Batch("flock", seeds=[1, 1, 2])),
        ("seeds", lambda: m.Batch("flock", seeds=3)),
        ("seeds", lambda: m.Batch("flock", seeds=np.array(3))),
        ("steps", lambda: sim.advance(-5)),
        ("steps", lambda: sim.advance(1e3)),
        ("steps", lambda: m.Batch([sim]).advance(0.5)),
        ("steps", lambda: next(sim.run(-1))),
        ("every", lambda: next(sim.run(5, every=0))),
        ("every", lambda: sim.history(5, every=0.5)),
        ("boids", lambda: sim.spawn((1, 2), 3, boids=-3)),
        ("radius", lambda: sim.lift((1, 2), 2.5)),
        ("at", lambda: sim.hunt((1, 1e300))),
        ("at", lambda: sim.hunt("ab")),
        ("at", lambda: sim.hunt(np.array(3.0))),
        ("at", lambda: m.Batch([sim]).hunt(np.array(3.0))),
        ("at", lambda: sim.spawn(3, 1, 1)),
        ("weight", lambda: sim.hunt((1, 2), weight="much")),
        ("width", lambda: sim.picture(0)),
        ("path", lambda: sim.save_picture("x.bmp")),
        ("columns", lambda: history["order"]),
        ("parameters", lambda: sim.parameters["weights.cohesio"]),
        ("preset", lambda: m.preset_text("droplet")),
    ):
        with pytest.raises(m.BadInput) as caught:
            wrong()
        error = caught.value
        assert error.origin == argument and error.problem and error.cure in str(error), error
        assert str(error).startswith(f"{argument}: ") and "--" not in str(error), error
    assert "order" not in history and history.get("order") is None
    with pytest.raises(KeyError, match="weights.cohesion"):
        sim.parameters["weights.cohesio"]
    assert small(size=np.array([48, 32]), seed=np.uint64(7)).seed == 7
    pandas = pytest.importorskip("pandas")
    sim.hunt(pandas.Series([1.0, 2.0], index=["x", "y"]))
    sim.spawn(pandas.Series([1, 2]), 3, 1)


def test_a_chain_and_kernels_are_given_as_texts():
    folder = REPOSITORY / "examples/wind"
    preset, chain, kernel = ((folder / name).read_text() for name in ("windy.toml", "wind.toml", "wind.wgsl"))
    # A mistake in a kernel is found without a device.
    broken = kernel + "\nfn broken( {\n"
    with pytest.raises(m.BadInput) as caught:
        m.check(preset, files={"wind.toml": chain, "wind.wgsl": broken})
    assert caught.value.line == broken.count("\n") and caught.value.origin == "wind.wgsl", caught.value
    assert m.check(preset, files={"wind.toml": chain, "wind.wgsl": kernel})["chain"] == "wind"
    with pytest.raises(m.BadInput, match="only"):
        m.Simulation(preset, size=(48, 32), files={"wind.toml": chain, "wind.wgsl": kernel}, engine="cpu")
    # A chain of built-in kernels plays on the CPU.
    own = small(chain='description = "the cell system"\nextends = "cell"\n')
    own.advance(3)
    assert own.chain == "chain" and own.account()["lost"] == 0
    try:
        on_disk = m.Simulation(folder / "windy.toml", size=(48, 32), engine="gpu")
    except m.DeviceError as error:
        pytest.skip(f"LEFT OUT: there is no graphics adapter: {error}")
    by_text = m.Simulation(preset, size=(48, 32), files={"wind.toml": chain, "wind.wgsl": kernel}, engine="gpu")
    by_chain = m.Simulation("droplets", size=(48, 32), seed=1, chain=chain, files={"wind.wgsl": kernel}, engine="gpu")
    for sim in (on_disk, by_text, by_chain):
        sim.advance(20)
    assert on_disk.state_hash == by_text.state_hash != small().state_hash
    assert by_chain.account()["lost"] == 0


def test_a_hunt_spawns_lifts_solids_and_undo():
    sim = small()
    sim.advance(10)
    start = sim.account()["quanta"]
    sim.spawn((20, 10), 4, 100)
    assert sim.account()["spawned"] == 100 * m.BOID
    sim.undo()
    assert sim.account()["quanta"] == start and sim.account()["spawned"] == 0
    sim.lift((20, 10), 4)
    assert sim.account()["caught"] == start - sim.account()["quanta"] > 0
    sim.paint_solid((5, 5), 2)
    assert sim.terrain.sum() == 13 and sim.terrain[5, 5] and sim.terrain.shape == (32, 48)
    sim.undo(), sim.undo()
    assert not sim.terrain.any() and sim.account()["quanta"] == start
    sim.hunt((24, 16), jaws=8, mood="follow")
    sim.advance(40)
    caught = sim.account()["caught"]
    assert caught > 0 and sim.account()["lost"] == 0
    sim.hunt(None)
    sim.advance(40)
    assert sim.account()["caught"] == caught
    for call, said in (
        (lambda: sim.hunt((1, 2), mood="angry"), "mood"),
        (lambda: sim.hunt((1,)), "place"),
        (lambda: sim.hunt((1, float("nan"))), "place"),
        (lambda: sim.hunt((1, 2), reach=1000), "reach: .*bounds"),
        (lambda: sim.hunt((1, 2), jaws=65), "bounds"),
        (lambda: sim.hunt((1, 2), weight=33), "bounds"),
        (lambda: sim.spawn((1, 2), 100000, 5), "bounds"),
        (lambda: sim.feed((1, 2), 3, 5), "food"),
    ):
        before = sim.state_hash
        with pytest.raises(m.BadInput, match=said):
            call()
        assert sim.state_hash == before
    sim.advance(1)


def test_arrays_are_made_once_for_each_state():
    sim = small()
    density = sim.density
    assert sim.density is density
    with pytest.raises(ValueError):
        density[0, 0] = 1
    sim.advance(1)
    assert sim.density is not density
    flock = m.Simulation("flock", size=(32, 32, 8), engine="cpu")
    assert flock.positions is flock.positions and flock.positions.shape == flock.velocities.shape == (len(flock.ids), 3)
    assert (flock.positions >= 0).all() and (flock.positions < (32, 32, 8)).all()
    with pytest.raises(m.BadInput, match="has no individuals"):
        sim.positions


def test_a_region_goes_on_at_the_opposite_edge():
    sim = small()
    sim.advance(5)
    density, control = sim.region((40, 28), (16, 8))
    expected = np.roll(sim.density, (-28, -40), (0, 1))[:8, :16]
    np.testing.assert_array_equal(density, expected)
    assert control.shape == (8, 16, 2)
    walls = small("lagoon")
    with pytest.raises(IndexError):
        walls.region((40, 28), (16, 8))
    deep = m.Simulation("murmuration", size=(16, 16, 16), engine="cpu", set={"world.edges": "torus", "world.margin": 0})
    density, control = deep.region((14, 0, 15), (4, 2, 3))
    assert density.shape == (3, 2, 4) and control.shape == (3, 2, 4, 3)
    np.testing.assert_array_equal(density[0, :, :2], deep.density[15, :2, 14:])


def test_a_rule_in_numpy_sets_velocities_and_loses_nothing():
    def wind(sim):
        control = sim.control.astype(np.int32)
        control[..., 0] += 2000
        sim.control = np.clip(control, -m.ONE, m.ONE).astype(np.int16)

    sim, still = small(), small()
    steps = [s.step for s in sim.run(10, every=5, before_step=wind)]
    still.advance(10)
    assert steps == [5, 10] and sim.account()["lost"] == 0
    assert sim.metrics()["heading_x"] > still.metrics()["heading_x"] + 0.2
    with pytest.raises(m.BadInput, match="replay"):
        sim.save_replay("nowhere.replay")
    with pytest.raises(m.BadInput, match="shape"):
        sim.control = sim.control[:-1]
    flock = m.Simulation("flock", size=(32, 32, 8), engine="cpu")
    flock.velocities = np.tile([1000.0, 0, 0], (len(flock.ids), 1))
    speeds = np.linalg.norm(flock.velocities, axis=1)
    assert (flock.velocities[:, 0] > 0).all() and np.ptp(speeds) < 1e-3 and speeds.max() < 10
    with pytest.raises(m.BadInput, match="finite"):
        flock.velocities = np.full_like(flock.velocities, np.nan)


def test_control_vectors_are_shortened_or_refused_and_never_wrap():
    sim = small()
    sim.advance(5)
    control = sim.control.astype(np.int64)
    control[..., 0], control[..., 1] = 40_000, 0
    sim.control = control
    assert (sim.control[..., 0] == m.ONE).all() and (sim.control[..., 1] == 0).all()
    # The direction stays, however long a vector is.
    control[..., 0], control[..., 1] = 3 * 10**9, 4 * 10**9
    for given in (control, control.astype(float)):
        sim.control = given
        np.testing.assert_allclose(sim.control, np.broadcast_to([0.6 * m.ONE, 0.8 * m.ONE], sim.control.shape), atol=3)
    before = sim.state_hash
    fractions = ((wrong, "whole") for wrong in (0.4, np.nan, np.inf))
    for wrong, said in (*fractions, (1j, "real"), ("x", "real"), (None, "real")):
        with pytest.raises(m.BadInput, match=f"control: .*{said}"):
            sim.control = np.full(sim.control.shape, wrong)
    assert sim.state_hash == before
    three = small("three")
    turned = -three.control.astype(np.int32)
    three.control = turned
    np.testing.assert_array_equal(three.control, turned)
    # Velocities keep their directions too.
    flock = m.Simulation("flock", size=(32, 32, 8), engine="cpu")
    flock.velocities = np.tile([1000.0, 100.0, 0], (len(flock.ids), 1))
    np.testing.assert_allclose(flock.velocities[:, 0] / flock.velocities[:, 1], 10, rtol=2e-3)


@pytest.mark.parametrize("preset", ["flock", "moods", "feeding", "reef", "chase", "rings", "school"])
def test_a_rule_in_numpy_steers_individuals_step_by_step(preset):
    def turn(sim):
        velocities = sim.velocities.copy()
        velocities[:, :2] = velocities[:, 1::-1] * (1, -1)
        sim.velocities = velocities

    hashes = set()
    for chain in ("agents-brute", "agents-grid", "agents-octree"):
        size = (48, 32, 24) if preset in ("reef", "rings") else (48, 32)
        sim = m.Simulation(preset, size=size, seed=2, engine="cpu", chain=chain)
        sim.advance(10)
        for _ in sim.run(5, before_step=turn):
            pass
        before = sim.velocities
        turn(sim)
        # A vector at the greatest speed may be a unit longer when it is turned.
        np.testing.assert_allclose(sim.velocities[:, 0], before[:, 1], atol=1.5 / m.ONE)
        assert sim.account()["lost"] == 0 and sim.step == 15
        hashes.add(sim.state_hash)
    assert len(hashes) == 1


def test_checkpoints_copies_and_pickles_go_on_alike(tmp_path):
    for preset in ("droplets", "flock", "moods", "three"):
        sim = small(preset)
        sim.advance(7)
        sim.checkpoint(tmp_path / "kept.checkpoint")
        others = [
            m.Simulation.resume(tmp_path / "kept.checkpoint"),
            m.Simulation.resume(sim.checkpoint()),
            m.load(tmp_path / "kept.checkpoint"),
            copy.copy(sim),
            copy.deepcopy(sim),
            pickle.loads(pickle.dumps(sim)),
        ]
        sim.advance(10)
        for other in others:
            other.advance(10)
            assert (other.step, other.state_hash) == (17, sim.state_hash), preset
    damaged = bytearray(sim.checkpoint())
    damaged[len(damaged) // 2] ^= 1
    with pytest.raises(m.BadInput, match="checkpoint"):
        m.Simulation.resume(bytes(damaged))
    with pytest.raises(FileNotFoundError):
        sim.checkpoint(tmp_path / "no/such/folder/x")


def test_replays_play_to_their_hash_here_and_on_the_command_line(program, tmp_path):
    sim = small(seed=3)
    sim.hunt((20, 10), jaws=5)
    sim.advance(30)
    sim.parameters["weights.cohesion"] = 0.4
    sim.spawn((5, 5), 3, 20)
    sim.advance(15)
    sim.save_replay(tmp_path / "run.replay")
    assert m.Simulation.replay(tmp_path / "run.replay").state_hash == sim.state_hash
    assert m.load(tmp_path / "run.replay").account() == sim.account()
    assert sim.state_hash in program("replay", "run.replay", "--json", folder=tmp_path)
    text = (tmp_path / "run.replay").read_text()
    (tmp_path / "other.replay").write_text(text.replace(sim.state_hash, "0" * 64))
    with pytest.raises(ValueError, match="expects"):
        m.Simulation.replay(tmp_path / "other.replay")
    (tmp_path / "bad.replay").write_text(text[:-20])
    with pytest.raises(m.BadInput):
        m.Simulation.replay(tmp_path / "bad.replay")


def test_presets_are_saved_with_all_that_was_set(tmp_path):
    sim = small(seed=9)
    sim.parameters["weights.cohesion"] = 0.75
    path = sim.save_preset(tmp_path)
    again = m.Simulation(path, engine="cpu")
    assert again.parameters["weights.cohesion"] == 0.75 and again.size == (48, 32) and again.seed == 9


def test_restart_begins_anew():
    sim = small(seed=4)
    start = sim.state_hash
    sim.advance(5)
    sim.restart()
    assert (sim.step, sim.state_hash) == (0, start)
    sim.restart(5)
    assert sim.seed == 5 and sim.state_hash == small(seed=5).state_hash != start


def test_threads_play_beside_python_and_on_one_simulation():
    sims = [m.Simulation("droplets", size=(128, 128), seed=seed, engine="cpu", threads=1) for seed in range(4)]
    alone = m.Simulation("droplets", size=(128, 128), seed=2, engine="cpu")
    alone.advance(100)
    threads = [threading.Thread(target=sim.advance, args=(100,)) for sim in sims]
    for thread in threads:
        thread.start()
    counted = 0
    while any(thread.is_alive() for thread in threads):
        counted += 1
        time.sleep(0)
    for thread in threads:
        thread.join()
    assert sims[2].state_hash == alone.state_hash and counted > 10
    shared = small()
    readers = [threading.Thread(target=lambda: [shared.advance(5), shared.density.sum(), shared.account()]) for _ in range(8)]
    for thread in readers:
        thread.start()
    for thread in readers:
        thread.join()
    expected = small()
    expected.advance(40)
    assert (shared.step, shared.state_hash) == (40, expected.state_hash)


@pytest.mark.skipif(os.name != "posix", reason="LEFT OUT: signals are those of POSIX")
def test_ctrl_c_ends_steps_after_a_whole_one():
    program = """
import murmuration as m, time, threading, os, signal
# A program in the background may have inherited that it ignores Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)
sim = m.Simulation("droplets", size=(256, 256), engine="cpu")
def send():
    time.sleep(0.5)
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send).start()
try:
    sim.advance(10**9)
except KeyboardInterrupt:
    took = time.monotonic() - sent
    step = sim.step
    other = m.Simulation("droplets", size=(256, 256), engine="cpu")
    other.advance(step)
    assert step > 0 and other.state_hash == sim.state_hash, step
    sim.advance(1)
    print(f"after {took:.3f} s")
    assert took < 2
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "after" in done.stdout, done.stderr


#: A program waits for a child with this limit in seconds.
LIMIT = 120


@pytest.mark.skipif(os.name != "posix", reason="LEFT OUT: signals are those of POSIX")
@pytest.mark.parametrize(
    "work",
    [
        'm.Batch("murmuration", seeds=range(200))',
        'm.Simulation("droplets", size=(4096, 4096), engine="cpu")',
        'm.Simulation("droplets", size=(256, 256), engine="cpu", set={"start.run_in": 100000})',
        'm.check("droplets", size=(4096, 4096))',
    ],
)
def test_ctrl_c_ends_every_call_at_once(work):
    program = f"""
import murmuration as m, time, threading, os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
def send():
    time.sleep(0.3)
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send).start()
try:
    while True:
        {work}
except KeyboardInterrupt:
    print(time.monotonic() - sent, flush=True)
    os._exit(0)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=False)
    # 0.2 s, and what a busy machine adds.
    assert done.returncode == 0 and float(done.stdout) < 1, (done.stdout, done.stderr)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="LEFT OUT: there is no fork")
def test_ctrl_c_ends_a_sweep_in_a_forked_process():
    program = f"""
import murmuration as m, pandas, os, signal, sys, threading
m.Simulation("droplets", size=(48, 32), engine="cpu")
if child := os.fork():
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0)
signal.alarm({LIMIT - 10})
signal.signal(signal.SIGINT, signal.default_int_handler)
begun = threading.Event()
def send():
    begun.wait()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=send).start()
try:
    # It takes longer than the alarm.
    m.sweep("droplets", sizes=[(64, 64)], seeds=10_000, steps=10_000, progress=lambda *_: begun.set())
except KeyboardInterrupt:
    os._exit(0)
os._exit(3)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="LEFT OUT: there is no fork")
@pytest.mark.parametrize("preset", ["droplets", "flock"])
def test_a_forked_process_plays_simulations_of_its_own(preset):
    program = f"""
import concurrent.futures, multiprocessing, os, signal, sys, warnings
import murmuration as m
warnings.simplefilter("ignore")
signal.alarm({LIMIT - 10})
arguments = {{"size": (48, 32), "engine": sys.argv[1]}}
sim = m.Simulation({preset!r}, **arguments)
sim.advance(3)
sim.picture(), sim.metrics()

def later(sim):
    sim.advance(1)
    return sim.state_hash

def play(seed):
    own = m.Simulation({preset!r}, seed=seed, **arguments)
    own.advance(3)
    own.picture(), own.metrics(), own.statistics()
    batch = m.Batch({preset!r}, seeds=[seed, seed + 1], size=(48, 32))
    batch.advance(3)
    assert batch.state_hashes[0] == own.state_hash
    return own.state_hash

if child := os.fork():
    assert os.waitpid(child, 0)[1] == 0
else:
    try:
        sim.advance(1)
        os._exit(3)
    except RuntimeError as error:
        assert "forked" in str(error) and "spawn" in str(error), error
    play(1)
    del sim
    os._exit(0)
with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
    hashes = list(pool.map(play, range(4)))
    assert hashes == [play(seed) for seed in range(4)] and len(set(hashes)) == 4
    assert pool.submit(later, sim).result() == later(sim)
print("played")
"""
    for engine in ("cpu", "auto"):
        command = [sys.executable, "-c", program, engine]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
        assert done.returncode == 0 and "played" in done.stdout, (engine, done.returncode, done.stderr)


@pytest.mark.skipif(sys.platform != "linux", reason="LEFT OUT: only Linux has Wayland")
def test_the_engine_auto_says_nothing_without_a_desktop_session():
    left_out = ("XDG_RUNTIME_DIR", "NODEVICE_SELECT")
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    program = 'import murmuration as m; [m.Simulation("droplets", size=(48, 32)) for _ in range(2)]'
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def _hash_after(sim, steps):
    sim.advance(steps)
    return sim.state_hash


def test_a_simulation_goes_to_another_process():
    sim = small()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.apply(_hash_after, (sim, 5))
    assert there == _hash_after(sim, 5)


def test_histories_and_trajectories_have_their_steps_and_units(program, tmp_path):
    sim = m.Simulation("flock", size=(40, 32, 12), seed=2, engine="cpu")
    history = sim.history(30, every=10)
    assert history["step"].tolist() == [0, 10, 20, 30] and history.units["mean_speed"] == "cell/step"
    frame, dataset = history.to_pandas(), history.to_xarray()
    assert frame.index.name == "step" and frame.attrs["units"]["centre_x"] == "cell"
    assert dataset["mean_speed"].attrs["units"] == "cell/step" and dataset["mean_speed"].sizes == {"step": 4}
    assert json.loads(dataset.attrs["provenance"]) == history.provenance
    sim.restart()
    paths = sim.trajectories(30, every=10)
    line = "render flock --size 40x32x12 --seed 2 --steps 30 --every 10 --engine cpu --trajectories t.npz"
    program(*line.split(), folder=tmp_path)
    arrays = m.load(tmp_path / "t.npz")
    assert list(arrays) == list(paths)
    for name, array in arrays.items():
        np.testing.assert_array_equal(paths[name], array, err_msg=name)
    table = paths.to_pandas()
    assert len(table) == 4 * len(sim.ids) and table.attrs["units"]["x"] == "cell"
    assert paths.to_numpy()["x"][0] == table["x"][0]
    movement = paths.to_xarray()
    assert movement["position"].dims == ("time", "space", "individuals")
    np.testing.assert_array_equal(movement["position"].sel(time=30).values.T, sim.positions)
    assert json.loads(movement.attrs["provenance"]) == paths.provenance
    with pytest.raises(m.BadInput, match="individuals"):
        small().trajectories(3)
    with pytest.raises(m.BadInput, match="every"):
        sim.history(3, every=0)


def test_a_long_history_has_liveliness_like_the_program(program, tmp_path):
    sim = small(seed=1)
    history = sim.history(1100, every=550)
    program(*"render droplets --size 48x32 --seed 1 --steps 1100 --every 550 --engine cpu --metrics m.csv".split(), folder=tmp_path)
    table = m.load(tmp_path / "m.csv")
    assert history["liveliness"][-1] == table["liveliness"].iloc[-1] > 0
    assert table.attrs["columns"]["liveliness"] == "1" and table.attrs["provenance"]["preset"] == "droplets"


def test_pictures_films_and_notebooks(tmp_path):
    sim = small(size=(96, 64))
    picture = sim.picture()
    assert picture.ndim == 3 and picture.shape[2] == 3 and picture.dtype == np.uint8 and picture.max() > 50
    assert sim.picture(width=64).shape[1] == 64
    sim.save_picture(tmp_path / "p.png")
    from murmuration.files import record

    assert record(tmp_path / "p.png") == sim.provenance
    assert sim._repr_png_().startswith(b"\x89PNG")
    html = sim._repr_html_()
    assert "data:image/png;base64," in html and "weights.cohesion" in html and "lost 0" in html
    assert sim.film(tmp_path / "f.gif", 12, every=3, fps=20) == 4
    from PIL import Image

    assert Image.open(tmp_path / "f.gif").n_frames == 4
    hunted = []
    frames = sim.film(tmp_path / "g.apng", 4, before_frame=lambda s: hunted.append(s.step), width=48)
    assert frames == 4 and len(hunted) == 4 and Image.open(tmp_path / "g.apng").n_frames == 4
    with pytest.raises(m.BadInput):
        sim.film(tmp_path / "f.doc", 1)
    assert "droplets" in repr(sim)


def test_fields_of_other_worlds():
    stoop = small("stoop", size=(80, 50))
    assert len(stoop.falcons) > 0 and stoop.falcons["phase"][0] in ("waits", "stoops", "climbs", "yields")
    feeding = small("feeding", size=(64, 40))
    assert feeding.food.sum() > 0 and feeding.food.dtype == np.uint32
    assert small().food is None
    reef = m.Simulation("reef", size=(48, 32, 24), engine="cpu")
    assert reef.terrain.shape == (24, 32, 48) and 0 < reef.terrain.mean() < 1
    three = small("three")
    assert three.density.shape == (3, 32, 48) and len(three.species_names) == 3
    assert sum(own["quanta"] for own in three.account()["species"].values()) == three.account()["quanta"]


def test_statistics_and_provenance_are_those_of_the_program(program, tmp_path):
    import json

    sim = m.Simulation("flock", size=(40, 32, 12), seed=2, engine="cpu", threads=1)
    sim.advance(20)
    line = "render flock --size 40x32x12 --seed 2 --steps 20 --every 20 --threads 1 --statistics s.json --json"
    result = program(*line.split(), folder=tmp_path)
    result = json.loads(result[result.index("{") :])
    rows = m.load(tmp_path / "s.json")["rows"]
    own = sim.statistics()
    # The angles need the statistics before.
    assert {**rows[-1], "turning": None} == {**own, "turning": None}
    assert sim.provenance == result["provenance"]


def test_readers_of_files_refuse_what_is_none(tmp_path):
    (tmp_path / "x.json").write_text("{ broken")
    with pytest.raises(m.BadInput, match="no JSON"):
        m.load(tmp_path / "x.json")
    (tmp_path / "x").write_bytes(b"nothing at all")
    with pytest.raises(m.BadInput, match="checkpoint"):
        m.load(tmp_path / "x")
    with pytest.raises(FileNotFoundError):
        m.load(tmp_path / "none.npy")


def test_nothing_leaks_over_thousands_of_simulations():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("LEFT OUT: the system does not tell its memory")

    def play(count):
        for seed in range(count):
            sim = m.Simulation("droplets", size=(16, 16), seed=seed, engine="cpu", threads=1)
            sim.advance(1)
            sim.density

    play(500)
    before = resident()
    play(5000)
    after = resident()
    assert after - before < 12, f"{before:.0f} MB before 5000 simulations, {after:.0f} MB after"
