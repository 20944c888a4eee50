"""A swarm in a notebook: it plays, is hunted with the mouse, and has sliders of its parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

try:
    import anywidget
    import traitlets
except ImportError as error:
    raise ImportError('the widget needs anywidget: pip install "murmuration-sim[widget]"') from error

from . import _native
from ._arguments import whole
from .simulation import Simulation

_FOLDER = Path(__file__).parent
#: Keys of the parameters that have a slider, in their order, as far as a swarm has them.
_SLIDERS = ("weights.", "movement.", "noise.", "sight.", "look.exposure")


class View(anywidget.AnyWidget):
    """The widget of a simulation, made by :meth:`Simulation.view`.

    The page asks for the next picture when it has shown the last one, so that a slow connection shows fewer pictures and waits for none. While
    a cell runs, the swarm rests. In a flat world the mouse hunts: a pressed button catches.

    Parameters
    ----------
    simulation : Simulation
        What is shown. It may be played and changed by other cells too.
    width : int
        The width of the picture in pixels.
    every : int
        Steps between two pictures.
    """

    # Texts: anywidget would watch the file of a path. The watch would keep every closed view and its simulation.
    _esm = (_FOLDER / "widget.js").read_text(encoding="utf-8")
    _css = (_FOLDER / "widget.css").read_text(encoding="utf-8")

    #: The picture as PNG.
    picture = traitlets.Bytes().tag(sync=True)
    #: Step, boids and loss, for people.
    status = traitlets.Unicode().tag(sync=True)
    #: What went wrong at the last message; empty if nothing did.
    mistake = traitlets.Unicode().tag(sync=True)
    #: Whether the page asks for pictures.
    playing = traitlets.Bool(True).tag(sync=True)
    #: The parameters with a slider: key, value, least, most, step, unit, doc.
    sliders: Any = traitlets.List().tag(sync=True)
    #: Whether the mouse hunts.
    hunts = traitlets.Bool().tag(sync=True)

    def __init__(self, simulation: Simulation, *, width: int = 640, every: int = 2) -> None:
        super().__init__()
        width, every = whole("width", width, 16, 2**32 - 1), whole("every", every, 1)
        self.simulation, self.width, self.every = simulation, width, every
        self.hunts = len(simulation.size) == 2
        self.sliders = self._sliders()
        self._draw()
        self.on_msg(self._receive)

    def _sliders(self) -> list[dict[str, Any]]:
        sliders: list[dict[str, Any]] = []
        for name in self.simulation.parameters:
            value = self.simulation.parameters[name]
            key = self.simulation.parameters.describe(name).key
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not name.startswith(_SLIDERS) or not is_number or key is None or key.least is None or key.cost == "restart":
                continue
            # The bounds are far apart; a slider that reaches to four times the present value can be aimed.
            most = min(key.most, max(4 * abs(value), 1.0 if key.kind == "decimal" else 8))
            least = max(key.least, -most if key.least < 0 else key.least)
            step = 1 if key.kind == "whole" else (most - least) / 200
            sliders.append(
                {"key": name, "value": value, "least": least, "most": most, "step": step, "unit": key.unit, "doc": key.doc}
            )
        return sliders

    def _draw(self) -> None:
        account = self.simulation.account()
        caught = account["caught"] / _native.BOID
        said = f"step {account['step']:,} · {account['boids']:,.0f} boids"
        self.status = said + (f" · caught {caught:,.0f}" if caught else "") + f" · lost {account['lost']}"
        self.picture = self.simulation._core.png(self.width)

    def _receive(self, _: Any, message: dict[str, Any], __: Any) -> None:
        """What the page asks for. A mistake is shown there, and the swarm goes on."""
        try:
            match message.get("ask"):
                case "next":
                    self.simulation.advance(self.every)
                case "hunt":
                    self._hunt(message.get("at"), bool(message.get("catches")))
                    return
                case "set":
                    self.simulation.parameters[str(message["key"])] = message["value"]
                    self.mistake = ""
                    return
                case "restart":
                    self.simulation.restart()
                case "undo":
                    self.simulation.undo()
            self._draw()
        except (ValueError, RuntimeError, KeyError, TypeError) as error:
            self.mistake = str(error)

    def _hunt(self, at: list[float] | None, catches: bool) -> None:
        if at is None or not self.hunts:
            self.simulation.hunt(None)
            return
        size = self.simulation.size
        place = [min(max(part, 0.0), 1.0) * extent for part, extent in zip(at, size, strict=True)]
        reach = max(8, min(255, min(size) // 6))
        self.simulation.hunt(place, reach=reach, jaws=max(2, reach // 6) if catches else 0)
