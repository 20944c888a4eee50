"""What presets there are, and what can be set in them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from . import _native
from ._arguments import Files, preset_arguments, unknown_name


@dataclass(frozen=True)
class Key:
    """A key of presets.

    Attributes
    ----------
    name : str
        The dotted key. ``*`` stands for any name, and ``[*]`` for any index.
    kind : str
        ``decimal``, ``whole``, ``decimals``, ``wholes``, ``choice``, ``switch`` or ``text``.
    least, most : float, int or None
        The bounds of its numbers, inclusive.
    words : list of str or None
        The words of a choice.
    unit : str
        The unit of its numbers; empty for a plain number.
    default
        What a preset has that leaves the key out; a sentence where no single value stands for it.
    doc : str
        One line that explains the key.
    cost : str
        What a change costs a swarm under way: ``nothing``, ``passes`` (the engine prepares its passes anew) or ``restart``.
    """

    name: str
    kind: str
    least: float | int | None
    most: float | int | None
    words: list[str] | None
    unit: str
    default: Any
    doc: str
    cost: str


def key_from_native(facts: Mapping[str, Any]) -> Key:
    """The key of what the compiled module knows of it."""
    rest = {name: value for name, value in facts.items() if name != "key"}
    return Key(name=facts["key"], **rest)


@cache
def keys() -> dict[str, Key]:
    """All keys of presets by their names, in the order of ``reference``.

    >>> from murmuration import keys
    >>> keys()["movement.wander"].unit
    ''
    """
    all_keys: dict[str, Key] = {}
    for facts in _native.keys():
        # A key has several rows where its bounds depend on another key; the first row is the usual one.
        all_keys.setdefault(facts["key"], key_from_native(facts))
    return all_keys


def presets() -> dict[str, str]:
    """The built-in presets: what there is to see, by name, in the order of the gallery.

    >>> from murmuration import presets
    >>> "droplets" in presets()
    True
    """
    return dict(_native.presets())


def check(
    preset: str | os.PathLike[str] | Mapping[str, Any],
    *,
    size: Sequence[int] | None = None,
    seed: int | None = None,
    set: Mapping[str, Any] | None = None,  # noqa: A002 - the name of the option
    chain: str | os.PathLike[str] | None = None,
    files: Files | None = None,
) -> dict[str, Any]:
    """Checks a preset, its chain and its kernels without playing them, and without a device.

    Parameters
    ----------
    preset, size, seed, set, chain, files
        As of :class:`murmuration.Simulation`.

    Returns
    -------
    dict
        The provenance that results would have.

    Raises
    ------
    BadInput
        If anything is wrong. It tells the file, the line, the key and the cure.
    """
    return _native.check(preset_arguments(preset, size=size, seed=seed, set=set, chain=chain, files=files))


def preset_text(name: str) -> str:
    """The text of a built-in preset in TOML, to be changed and given to :class:`Simulation`.

    Raises
    ------
    BadInput
        If there is no preset of this name. It is a ``KeyError`` too.
    """
    text = _native.text_of(f"presets/{name}.toml")
    if text is None:
        raise unknown_name("preset", name, presets())
    return text
