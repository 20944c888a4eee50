"""The measures of exported arrays by NumPy, as docs/formats.md defines them, against a table of metrics.

python measures.py TABLE FOLDER STEP KIND EDGES WIDTH HEIGHT DEPTH, with the arrays of KIND (agents or npy) in FOLDER.
"""

import csv
import sys

import numpy as np

table, folder, step, kind, edges = sys.argv[1:6]
extents = np.array([int(extent) for extent in sys.argv[6:9]], float)
axes = 2 if extents[2] == 1 else 3


def load(name):
    return np.load(f"{folder}/{name}-{int(step):06}.npy")


if kind == "agents":
    places, velocities = load("positions") / 65536, load("velocities") / 16384
    weights = np.ones(len(places))
else:
    density, control = load("density"), load("control")
    places = np.stack(np.indices(density.shape)[::-1], axis=-1).reshape(-1, axes) + 0.5
    velocities, weights = control.reshape(-1, axes) / 16384, density.reshape(-1).astype(float)
    places, velocities, weights = (of[weights > 0] for of in (places, velocities, weights))


def on_three_axes(vectors):
    return np.hstack([vectors, np.zeros((len(vectors), 3 - vectors.shape[1]))])


places, velocities = on_three_axes(places), on_three_axes(velocities)


def mean(values):
    return np.average(values, axis=0, weights=weights)


def unit(vectors):
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def short_way(offsets):
    if edges == "torus":
        offsets = offsets - extents * np.round(offsets / extents)
    return offsets


if edges == "torus":
    angles = places / extents * 2 * np.pi
    centre = np.arctan2(mean(np.sin(angles)), mean(np.cos(angles))) / (2 * np.pi) * extents % extents
else:
    centre = mean(places)
offsets = short_way(places - centre)
offsets[:, axes:] = 0
tensor = np.cov(offsets.T, bias=True, aweights=weights) + np.outer(mean(offsets), mean(offsets))
rotation = mean(np.cross(unit(offsets), unit(velocities)))
principal = np.sqrt(np.linalg.eigvalsh(tensor[:axes, :axes]))[::-1]
first = 0 if kind == "agents" else 0.5
expected = {
    "polarisation": np.linalg.norm(mean(unit(velocities))),
    "mean_speed": mean(np.linalg.norm(velocities, axis=1)),
    "milling": np.linalg.norm(rotation),
    "rotation_z": rotation[2],
    "gyration_xy": tensor[0, 1],
}
for axis, name in enumerate("xyz"[:axes]):
    expected[f"heading_{name}"] = mean(unit(velocities))[axis]
    expected[f"centre_{name}"] = (centre - first)[axis] % extents[axis] if edges == "torus" else (centre - first)[axis]
    expected[f"gyration_{name}"] = np.sqrt(tensor[axis, axis])
    expected[f"gyration_axis_{axis + 1}"] = principal[axis]
if axes == 3:
    expected |= {"gyration_xz": tensor[0, 2], "gyration_yz": tensor[1, 2]}
if kind == "agents":
    nearest = [np.linalg.norm(short_way(np.delete(places, i, 0) - places[i]), axis=1).min() for i in range(len(places))]
    expected["nearest_distance"] = np.mean(nearest)

row = next(row for row in csv.DictReader(open(table)) if row["step"] == step)
for name, value in expected.items():
    if not abs(float(row[name]) - value) < 1e-9:
        sys.exit(f"{name}: the table has {row[name]}, and NumPy {value}")
print(len(expected), "measures are equal")
