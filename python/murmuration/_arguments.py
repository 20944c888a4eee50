"""Arguments that several calls share, in the form in which the compiled module takes them."""

from __future__ import annotations

import io
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


def seed_list(seeds: Iterable[int] | int | None) -> list[int] | None:
    """The seeds in ascending order; a number n stands for 1 to n."""
    if seeds is None:
        return None
    listed = sorted({int(seed) for seed in (range(1, seeds + 1) if isinstance(seeds, int) else seeds)})
    if not listed:
        raise _native.BadInput("seeds: there are none; give at least one")
    return listed


def size_text(size: Sequence[int]) -> str:
    """A size as ``--size`` takes it."""
    return "x".join(str(int(extent)) for extent in size)


def setting(key: str, value: Any) -> str:
    """A setting as ``--set`` takes it."""
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
        else:
            contents[path] = bytes(content)
    if isinstance(chain, str) and "\n" in chain:
        texts["chain.toml"] = chain
        chain = "chain.toml"
    return {
        "preset": os.fspath(name),
        "text": text,
        "size": None if size is None else [int(extent) for extent in size],
        "seed": None if seed is None else int(seed),
        "set": [setting(key, value) for key, value in (set or {}).items()],
        "chain": None if chain is None else os.fspath(chain),
        "individuals": bool(individuals),
        "texts": texts,
        "contents": contents,
    }
