"""Arguments that several calls share, in the form in which the compiled module takes them."""

from __future__ import annotations

import collections
import difflib
import io
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _native

Files = Mapping[str, "str | bytes | np.ndarray"]


def plain(value: Any) -> Any:
    """A value without types of NumPy, which TOML does not know."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(inside) for key, inside in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [plain(inside) for inside in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def bad_input(origin: Any, problem: str, cure: str) -> _native.BadInput:
    """An exception about a file or an argument."""
    error = _native.BadInput(f"{origin}: {problem}; {cure}")
    error.origin, error.line, error.key, error.problem, error.cure = str(origin), None, None, problem, cure
    return error


class UnknownName(_native.BadInput, KeyError):
    """There is no key, column or preset of a name."""

    __str__ = Exception.__str__


def unknown_name(origin: str, name: Any, known: Iterable[str]) -> UnknownName:
    """An exception about a name, with the known ones that are like it."""
    listed = [str(one) for one in known]
    like = difflib.get_close_matches(str(name), listed) or listed
    problem, cure = f"{name!r} is not known", f"use {', '.join(like)}"
    error = UnknownName(f"{origin}: {problem}; {cure}")
    error.origin, error.line, error.key, error.problem, error.cure = origin, None, str(name), problem, cure
    return error


def whole(name: str, value: Any, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number within bounds."""
    try:
        number = operator.index(value)
    except TypeError:
        raise bad_input(name, f"{value!r} is no whole number", f"give a whole number, as in {name}={_near(value, least)}") from None
    if not least <= number <= most:
        raise bad_input(name, f"{number} is out of bounds", f"give a whole number from {least} to {most}")
    return number


def _near(value: Any, least: int) -> int:
    """A whole number near a value."""
    try:
        return max(least, round(value))
    except (TypeError, ValueError, OverflowError):
        return max(least, 1)


def whole_or_none(name: str, value: Any, least: int = 0, most: int = 2**64 - 1) -> int | None:
    """A whole number within bounds, or none."""
    return None if value is None else whole(name, value, least, most)


def decimal(name: str, value: Any) -> float:
    """A number; NaN and infinities are left to the call that takes it."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise bad_input(name, f"{value!r} is no number", f"give a number, as in {name}=1.5") from None


def place(name: str, value: Any) -> list[float]:
    """A place in cells."""
    if isinstance(value, str) or not isinstance(value, (Sequence, np.ndarray)):
        raise bad_input(name, f"{value!r} is no place", "give (x, y), or (x, y, z) in a deep world, in cells")
    return [decimal(name, along) for along in value]


def numbers(name: str, value: Any) -> np.ndarray:
    """An array of real numbers, as float64."""
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise bad_input(name, f"an array of {array.dtype} has no real numbers", "give whole or decimal numbers")
    return np.ascontiguousarray(array, dtype=np.float64)


def path_text(name: str, value: Any) -> str:
    """A path, or a name."""
    try:
        return os.fsdecode(value)
    except TypeError:
        raise bad_input(name, f"{value!r} is no name or path", f'give a text, as in {name}="droplets"') from None


def word(name: str, value: Any, words: Sequence[str]) -> str:
    """One of some words."""
    if value not in words:
        raise bad_input(name, f"{value!r} is none of its words", f"use {' or '.join(repr(one) for one in words)}")
    return str(value)


def engine_of(value: Any) -> str:
    """The name of an engine."""
    if value not in ("auto", "cpu", "gpu"):
        raise bad_input("engine", f"{value!r} is no engine", "use 'auto', 'cpu' or 'gpu'")
    return str(value)


def threads_of(value: Any) -> int | None:
    """A number of threads; the compiled module knows its bound."""
    return whole_or_none("threads", value, 1, 1024)


def table_of(name: str, value: Any) -> Mapping[str, Any]:
    """A dictionary; an empty one for none."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise bad_input(name, f"{value!r} is no dictionary", f'give a dictionary, as in {name}={{"weights.cohesion": 0.8}}')
    return value


def seeds_of(seeds: Any) -> list[int]:
    """The seeds in their order."""
    if isinstance(seeds, str) or not isinstance(seeds, (Iterable, np.ndarray)):
        raise bad_input("seeds", f"{seeds!r} is no list", "give whole numbers, as in seeds=range(16)")
    listed = [whole("seeds", seed) for seed in seeds]
    if not listed:
        raise bad_input("seeds", "there are none", "give at least one")
    for seed, count in collections.Counter(listed).items():
        if count > 1:
            raise bad_input("seeds", f"{seed} stands {count} times", "give each seed once")
    return listed


def seed_list(seeds: Iterable[int] | int | None) -> list[int] | None:
    """The seeds in ascending order; a number n stands for 1 to n."""
    if seeds is None:
        return None
    is_list = isinstance(seeds, (Iterable, np.ndarray)) and not (isinstance(seeds, np.ndarray) and seeds.ndim == 0)
    return sorted(seeds_of(seeds if is_list else range(1, 1 + whole("seeds", seeds, 1, 100_000))))


def extents(size: Any) -> list[int]:
    """The extents of a world in cells."""
    if isinstance(size, str) or not isinstance(size, (Sequence, np.ndarray)) or len(size) not in (2, 3):
        cure = "give (width, height), or (width, height, depth) in a deep world, in cells"
        raise bad_input("size", f"{size!r} has neither two nor three extents", cure)
    return [whole("size", extent, 1, 2**32 - 1) for extent in size]


def size_text(size: Sequence[int]) -> str:
    """A size in one word."""
    return "x".join(str(extent) for extent in extents(size))


def setting(key: str, value: Any) -> str:
    """A setting in one line."""
    return f"{key}={_native.toml_value(plain(value))}"


def preset_arguments(
    preset: str | os.PathLike[str] | Mapping[str, Any],
    *,
    size: Sequence[int] | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,  # noqa: A002 - the name of the option
    chain: str | os.PathLike[str] | None = None,
    individuals: bool = False,
    files: Files | None = None,
) -> dict[str, Any]:
    """What a preset is made of. A text with a line break is the text itself: of a preset in TOML, or of a chain."""
    text = None
    name: Any = preset
    for argument, given in (("set", set), ("files", files)):
        table_of(argument, given)
    if isinstance(preset, Mapping):
        name, text = "preset.toml", _native.toml_of(plain(preset))
    elif isinstance(preset, str) and "\n" in preset:
        name, text = "preset.toml", preset
    texts: dict[str, str] = {}
    contents: dict[str, bytes] = {}
    for path, content in (files or {}).items():
        if isinstance(content, str):
            texts[path] = content
        elif isinstance(content, np.ndarray):
            array = io.BytesIO()
            np.save(array, content)
            contents[path] = array.getvalue()
        elif isinstance(content, (bytes, bytearray, memoryview)):
            contents[path] = bytes(content)
        else:
            raise bad_input("files", f"{path}: {type(content).__name__} is no content", "give a text, bytes or an array of NumPy")
    if isinstance(chain, str) and "\n" in chain:
        texts["chain.toml"] = chain
        chain = "chain.toml"
    return {
        "preset": path_text("preset", name),
        "text": text,
        "size": None if size is None else extents(size),
        "seed": whole_or_none("seed", seed),
        "set": [setting(key, value) for key, value in (set or {}).items()],
        "chain": None if chain is None else path_text("chain", chain),
        "individuals": bool(individuals),
        "texts": texts,
        "contents": contents,
    }
