#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Terrain, a sensor and a controller of one's own: a rover rolls in a bowl and a sensor tells where it is.

    python own_parts.py

The controller lets the wheels roll. A rigid body on a paraboloid of curvature k swings like a pendulum with the
period 2 pi sqrt(m / (k g M)), m being its mass with what the wheels add in rolling, I/r^2, and M without it.
"""
import math

import numpy as np
import rut

CURVATURE, START = 0.02, 1.0


class Bowl(rut.TerrainType):
    name = "bowl"
    doc = "A paraboloid."
    fields = {"curvature": (CURVATURE, "1/m", "of the ground at the origin")}

    def height(self, param, x, y):
        k = param["curvature"]
        return 0.5 * k * (x * x + y * y), k * x, k * y


class Place(rut.SensorType):
    name = "place"
    doc = "Distance from the middle of the bowl, ahead."
    output = {"ahead": ("m", "place along the world's x axis")}

    def sample(self, seen):
        seen.output["ahead"][...] = seen.pose[0]


class Coast(rut.Controller):
    name = "coast"
    doc = "Asks for no torque."

    def update(self, seen):
        seen.demand[:] = 0


WORLD = f"""<world timestep="5 ms">
  <terrain type="bowl"/>
  <vehicle name="rover" position="{START} 0">
    <chassis mass="15 kg" outline="-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2"/>
    <wheel name="left" place="left" position="0 0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <wheel name="right" place="right" position="0 -0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <tyre type="coulomb" friction="0.7" bearing_damping="0" rolling_resistance="0"/>
    <drive type="direct"/>
    <controller type="coast"/>
    <sensor type="place" name="place" period="10 ms"/>
  </vehicle>
</world>"""


def main():
    world = rut.parse(WORLD, components=[Bowl(), Place(), Coast()])
    place, time = [], []
    with world.start() as sim:
        while sim.time < 12:
            sim.step(2)
            time.append(sim.time)
            place.append(float(sim["rover/place"].ahead))
    place = np.array(place)
    # half a period lies between two passes through the middle
    passes = np.flatnonzero(np.diff(np.sign(place)))
    period = 2 * (time[passes[1]] - time[passes[0]])
    mass = 15 + 2 * 1.5
    wanted = 2 * math.pi * math.sqrt((mass + 2 * 0.5 * 1.5) / (CURVATURE * 9.81 * mass))
    print(f"period {period:.2f} s, of the pendulum {wanted:.2f} s")


if __name__ == "__main__":
    main()
