"""Arguments that several calls share, in the form in which the compiled module takes them."""

from __future__ import annotations

import collections
import difflib
import io
import operator
import os
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
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
        cure = f"give a whole number, as in {name}={_near(value, least)}"
        raise bad_input(name, f"{value!r} is no whole number", cure) from None
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


def items_of(value: Any) -> list[Any] | None:
    """The items of a list, an array or a series; ``None`` for a single value, a text or a dictionary."""
    is_single = isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable)
    # An array without dimensions is a single value.
    return None if is_single or getattr(value, "ndim", 1) == 0 else list(value)


def _coordinates(value: Any) -> list[Any]:
    """The items of a value with a size and an order; none of any other value."""
    is_ordered = isinstance(value, Collection) and not isinstance(value, Set)
    return (items_of(value) if is_ordered else None) or []


def values_of(value: Any) -> list[Any]:
    """The values of a list, an array or a series, or a single value, without types of NumPy."""
    items = items_of(value)
    return [plain(value)] if items is None else plain(items)


def place(name: str, value: Any) -> list[float]:
    """A place in cells."""
    coordinates = _coordinates(value)
    if not coordinates:
        raise bad_input(name, f"{value!r} is no place", "give (x, y), or (x, y, z) in a deep world, in cells")
    return [decimal(name, along) for along in coordinates]


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
    if not isinstance(value, str) or value not in words:
        raise bad_input(name, f"{value!r} is none of its words", f"use {' or '.join(repr(one) for one in words)}")
    return str(value)


def engine_of(value: Any) -> str:
    """The name of an engine."""
    return word("engine", value, ("auto", "cpu", "gpu"))


def threads_of(value: Any) -> int | None:
    """A number of threads; the compiled module knows its bound."""
    return whole_or_none("threads", value, 1, 1024)


def table_of(name: str, value: Any) -> Mapping[str, Any]:
    """A dictionary; an empty one for none."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        cure = f'give a dictionary, as in {name}={{"weights.cohesion": 0.8}}'
        raise bad_input(name, f"{value!r} is no dictionary", cure)
    return value


def seeds_of(seeds: Any) -> list[int]:
    """The seeds in their order."""
    items = items_of(seeds)
    if items is None:
        raise bad_input("seeds", f"{seeds!r} is no list", "give whole numbers, as in seeds=range(16)")
    listed = [whole("seeds", seed) for seed in items]
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
    items = items_of(seeds)
    return sorted(seeds_of(range(1, 1 + whole("seeds", seeds, 1, 100_000)) if items is None else items))


def extents(size: Any) -> list[int]:
    """The extents of a world in cells."""
    listed = _coordinates(size)
    if len(listed) not in (2, 3):
        cure = "give (width, height), or (width, height, depth) in a deep world, in cells"
        raise bad_input("size", f"{size!r} has neither two nor three extents", cure)
    return [whole("size", extent, 1, 2**32 - 1) for extent in listed]


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
    settings, given_files = table_of("set", set), table_of("files", files)
    if isinstance(preset, Mapping):
        name, text = "preset.toml", _native.toml_of(plain(preset))
    elif isinstance(preset, str) and "\n" in preset:
        name, text = "preset.toml", preset
    texts: dict[str, str] = {}
    contents: dict[str, bytes] = {}
    for path, content in given_files.items():
        if isinstance(content, str):
            texts[path] = content
        elif isinstance(content, np.ndarray):
            array = io.BytesIO()
            np.save(array, content)
            contents[path] = array.getvalue()
        elif isinstance(content, (bytes, bytearray, memoryview)):
            contents[path] = bytes(content)
        else:
            problem = f"{path}: {type(content).__name__} is no content"
            raise bad_input("files", problem, "give a text, bytes or an array of NumPy")
    if isinstance(chain, str) and "\n" in chain:
        texts["chain.toml"] = chain
        chain = "chain.toml"
    return {
        "preset": path_text("preset", name),
        "text": text,
        "size": None if size is None else extents(size),
        "seed": whole_or_none("seed", seed),
        "set": [setting(key, value) for key, value in settings.items()],
        "chain": None if chain is None else path_text("chain", chain),
        "individuals": bool(individuals),
        "texts": texts,
        "contents": contents,
    }
