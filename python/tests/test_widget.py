"""The widget, without a page: what it sends, and what it does with what a page asks."""

from __future__ import annotations

import gc
import weakref

import murmuration as m


def test_a_widget_plays_hunts_and_sets():
    sim = m.Simulation("droplets", size=(64, 48), engine="cpu")
    view = sim.view(width=64, every=3)
    assert view.picture.startswith(b"\x89PNG") and view.hunts and "boids" in view.status
    keys = {slider["key"]: slider for slider in view.sliders}
    assert keys["weights.cohesion"]["least"] <= keys["weights.cohesion"]["value"] <= keys["weights.cohesion"]["most"]
    first = view.picture
    view._receive(view, {"ask": "next"}, [])
    assert sim.step == 3 and view.picture != first
    view._receive(view, {"ask": "hunt", "at": [0.5, 0.5], "catches": True}, [])
    for _ in range(10):
        view._receive(view, {"ask": "next"}, [])
    assert sim.account()["caught"] > 0 and "caught" in view.status
    view._receive(view, {"ask": "set", "key": "weights.cohesion", "value": 0.3}, [])
    assert sim.parameters["weights.cohesion"] == 0.3
    for wrong in ({"ask": "set", "key": "weights.cohesion", "value": 1e9}, {"ask": "set"}, {"ask": "set", "key": "x", "value": 1}):
        view._receive(view, wrong, [])
        assert view.mistake
    view._receive(view, {"ask": "restart"}, [])
    assert sim.step == 0


def test_a_closed_widget_is_given_back():
    view = m.Simulation("droplets", size=(64, 48), engine="cpu").view(width=64)
    simulation, widget = weakref.ref(view.simulation), weakref.ref(view)
    view.close()
    del view
    gc.collect()
    assert widget() is None and simulation() is None


def test_a_deep_world_is_shown_and_not_hunted():
    sim = m.Simulation("murmuration", size=(16, 16, 12), engine="cpu")
    view = sim.view(width=64)
    assert not view.hunts and view.picture
