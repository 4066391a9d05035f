# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of worlds, taken by a camera of rut, for notebooks."""
from __future__ import annotations

import base64
import html
import struct
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .simulation import Simulation
    from .world import World

_NAME = "picture taken from outside"
_MOST = 20  # vehicles that fit into a picture
_VIEW, _DOWN, _AROUND = 0.8, 0.42, 0.75  # angles: of view, of the camera downwards, of its heading [rad]
_NEAR, _BESIDE = 6.0, 4.5  # least distance, room around vehicles [m]


def _place(sim: Simulation) -> dict[str, float]:
    """Where a camera sees the vehicles."""
    places = np.array([vehicle.position for vehicle in sim.vehicles[:_MOST]] or [[0.0, 0.0, 0.0]])
    middle = (places.max(0) + places.min(0)) / 2
    extent = np.linalg.norm(places - middle, axis=1).max() + _BESIDE
    far = max(extent / np.tan(_VIEW / 2), _NEAR)
    ground = np.nan_to_num(float(sim.terrain_height(middle[0], middle[1])))
    x, y = middle[:2] - far * np.cos(_DOWN) * np.array([np.cos(_AROUND), np.sin(_AROUND)])
    # cameras in the world stand so high above the ground under them
    under = np.nan_to_num(float(sim.terrain_height(x, y)))
    return {"x": x, "y": y, "z": max(ground + far * np.sin(_DOWN) - under, 1.0), "yaw": _AROUND, "pitch": _DOWN}


def take(world: World, width: int = 640, height: int = 360) -> np.ndarray:
    """The world at its start, seen from outside: [height][width][3], bytes of sRGB. The world stays as it is."""
    with world.start() as sim:
        place, period = _place(sim), sim.timestep
    seen = world.copy()
    seen.add("sensor", "camera", name=_NAME, width=width, height=height, fov=_VIEW, period=period, noise="none", exposure=1.0, **place)
    with seen.start() as sim:
        while not len(sim.sensor(_NAME).sample["colour"]) or sim.sensor(_NAME).stamp < 0:
            sim.step()
        linear = sim.sensor(_NAME).sample["colour"] / 255.0
    curve = np.where(linear < 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.round(255 * curve).astype(np.uint8)


def png(image: np.ndarray) -> bytes:
    """An image [height][width][3] of bytes as a PNG file."""
    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = image.shape[:2]
    rows = np.concatenate([np.zeros((height, 1), np.uint8), image.reshape(height, -1)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows.tobytes(), 6)) + part(b"IEND", b"")


def world_html(world: World) -> str:
    """What a notebook shows of a world."""
    image = base64.b64encode(png(take(world))).decode()
    return f'<img alt="{html.escape(repr(world))}" src="data:image/png;base64,{image}"/>'


def simulation_html(sim: Simulation) -> str:
    """What a notebook shows of a run: its time, and where its vehicles are."""
    rows = "".join(
        f"<tr><td>{html.escape(v.name)}</td>" + "".join(f"<td>{value:.3f}</td>" for value in (*v.position, float(v.state["yaw"]))) + "</tr>"
        for v in sim.vehicles[:_MOST])
    more = f"<p>and {len(sim.vehicles) - _MOST} more</p>" if len(sim.vehicles) > _MOST else ""
    return (f"<p>{sim.time:.3f} s, {sim.steps} steps of {1e3 * sim.timestep:g} ms</p><table>"
            f"<tr><th>vehicle</th><th>x [m]</th><th>y [m]</th><th>z [m]</th><th>yaw [rad]</th></tr>{rows}</table>{more}")
