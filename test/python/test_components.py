#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Terrain and sensors in Python and compiled, against those that rut has; controllers are in test_parts.py."""
import ctypes
import importlib.util
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
import rut
from rut._native import ffi

ROOT = Path(os.environ["RUT_SOURCE_DIR"])
ROVER = """<vehicle name="robot" position="-3 0.2 m" velocity="1 0">
    <chassis mass="15 kg" outline="-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2"/>
    <wheel name="left" place="left" position="0 0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <wheel name="right" place="right" position="0 -0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <tyre type="coulomb" friction="0.7"/>
    <drive type="direct"/>
    <controller type="twist_pid" speed="1 m/s"/>
    {sensors}
  </vehicle>"""
SLOPE = """<world timestep="5 ms">
  <terrain type="{shape}" slope_x="0.05" slope_y="-0.02" position="1 2 0.3"/>
  """ + ROVER.format(sensors="") + "</world>"
WALL = """<world timestep="5 ms">
  <block name="wall" mass="50" position="2 0" z_max="1" outline="-0.1 -3, 0.1 -3, 0.1 3, -0.1 3"/>
  """ + ROVER.format(sensors="""<sensor type="range_finder" name="known" fov="0" x="0.3 m" z="0.2 m" period="20 ms" max_range="9 m" noise="none"/>
    <sensor type="beam" name="own" x="0.3 m" z="0.2 m" period="20 ms" max_range="9" noise="{noise}"/>""") + "</world>"
C_HEIGHT = r"""
#include <rut/component.h>
void height(const void* param, const void* plan, const rutGroundPoints* at, const rutGroundSurface* out);
void height(const void* param, const void* plan, const rutGroundPoints* at, const rutGroundSurface* out) {
  (void)plan;
  const double* slope = (const double*)param + sizeof(rutTerrainHead) / sizeof(double);
  for (int i = 0; i < at->n; i++) {
    out->z[i] = slope[0] * at->x[i] + slope[1] * at->y[i];
    out->slope_x[i] = slope[0];
    out->slope_y[i] = slope[1];
  }
}
"""


class Slope(rut.TerrainType):
    name, doc = "slope", "A plane."
    fields = {"slope_x": (0.0, "", "rise along x"), "slope_y": (0.0, "", "rise along y")}

    def height(self, param, x, y):
        a, b = param["slope_x"], param["slope_y"]
        return a * x + b * y, a, b


class Bounded(Slope):
    def bounds(self, param, box):
        a, b = param["slope_x"], param["slope_y"]
        return (sum(min(s * low, s * high) if s else 0.0 for s, low, high in ((a, *box[:2]), (b, *box[2:]))),
                sum(max(s * low, s * high) if s else 0.0 for s, low, high in ((a, *box[:2]), (b, *box[2:]))), float(np.hypot(a, b)))


class Beam(rut.SensorType):
    name, doc = "beam", "A single ray."
    fields = {"max_range": (4.0, "m", "farthest distance"), "spread": (0.1, "m", "standard deviation")}
    output = {"range": ("m", "distance ahead"), "both": ("", "place", (2,))}

    def sample(self, seen):
        yaw = seen.pose[5]
        found = seen.cast([np.cos(yaw), np.sin(yaw), 0.0], seen.param["max_range"])[0]
        seen.output["range"][...] = found + seen.param["spread"] * seen.normals(1)[0]
        seen.output["both"][:] = seen.pose[:2]


def drive(world, steps=150):
    with world.start(seed=3) as sim:
        sim.step(steps)
        # the hash knows the types of the world, so motion is compared
        return sim["robot"].state.copy()


class Terrain(unittest.TestCase):
    def test_same_bits_as_the_plane(self):
        wanted = drive(rut.parse(SLOPE.format(shape="plane")))
        self.assertGreater(np.abs(wanted["position"][2]), 0.01)
        for shape in (Slope(), Bounded()):
            np.testing.assert_array_equal(drive(rut.parse(SLOPE.format(shape="slope"), components=[shape])), wanted)

    def test_height_is_the_closed_form(self):
        with rut.parse(SLOPE.format(shape="slope"), components=[Slope()], workers=2).start() as sim:
            x, y = np.linspace(-5, 5, 7), np.linspace(3, -4, 7)
            np.testing.assert_allclose(sim.terrain_height(x, y), 0.3 + 0.05 * (x - 1) - 0.02 * (y - 2), atol=1e-14)

    def test_compiled_by_its_address(self):
        wanted = drive(rut.parse(SLOPE.format(shape="plane")))
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder) / "height.c", Path(folder) / "height.so"
            source.write_text(C_HEIGHT, encoding="utf-8")
            includes = [f"-I{ROOT / 'include'}", f"-I{Path(os.environ['RUT_BINARY_DIR']) / 'include'}"]
            subprocess.run([os.environ["CC"], "-std=c17", "-shared", "-fPIC", "-ffp-contract=off", *includes, source, "-o", library], check=True)
            shape = Slope()
            shape.address = ctypes.cast(ctypes.CDLL(str(library)).height, ctypes.c_void_p).value
            np.testing.assert_array_equal(drive(rut.parse(SLOPE.format(shape="slope"), components=[shape])), wanted)

    def test_callback_of_cffi(self):
        """A function of Python that cffi has made one of C, as one of numba is."""
        @ffi.callback("void(void*, void*, rutGroundPoints*, rutGroundSurface*)")
        def level(param, plan, at, out):
            for i in range(at.n):
                out.z[i], out.slope_x[i], out.slope_y[i] = 0.25, 0, 0

        shape = Slope()
        shape.address = int(ffi.cast("uintptr_t", level))
        with rut.parse(SLOPE.format(shape="slope"), components=[shape]).start() as sim:
            self.assertEqual(sim.terrain_height(1.0, 1.0), 0.55)

    def test_exceptions(self):
        class Fails(Slope):
            failing = False

            def height(self, param, x, y):
                if self.failing:
                    raise KeyError("of the ground")
                return super().height(param, x, y)

        shape = Fails()
        world = rut.parse(SLOPE.format(shape="slope"), components=[shape])
        with world.start() as sim, rut.Batch(world, 2) as batch:
            shape.failing = True
            self.assertRaisesRegex(KeyError, "of the ground", sim.step, 100)
            self.assertEqual(sim.steps, 1)
            self.assertRaisesRegex(KeyError, "of the ground", sim.terrain_height, 0, 0)
            self.assertRaisesRegex(KeyError, "of the ground", batch.step, 3)
            shape.failing = False
            sim.step(10)
            self.assertEqual(sim.steps, 11)
        other = Fails()
        other.failing = True
        self.assertRaisesRegex(KeyError, "of the ground", rut.parse(SLOPE.format(shape="slope"), components=[other]).start)
        self.assertRaises(rut.Error, rut.parse, SLOPE.format(shape="slope"))


class Sensors(unittest.TestCase):
    def test_same_bits_as_the_range_finder(self):
        with rut.parse(WALL.format(noise="none"), components=[Beam()]).start() as sim:
            found = []
            for _ in range(20):
                sim.step(20)
                found.append((float(sim["robot/known"].range), float(sim["robot/own"].range)))
                self.assertEqual(sim["robot/own"].both.shape, (2,))
        known, own = np.array(found).T
        np.testing.assert_array_equal(known, own)
        self.assertLess(own[-1], own[0] - 1)

    def test_noise_is_of_its_own_stream(self):
        runs = []
        for seed in (1, 1, 2):
            with rut.parse(WALL.format(noise="on"), components=[Beam()]).start(seed=seed) as sim:
                runs.append([])
                for _ in range(150):
                    sim.step(4)
                    runs[-1].append(float(sim["robot/own"].range) - float(sim["robot/known"].range))
        self.assertEqual(runs[0], runs[1])
        self.assertNotEqual(runs[0], runs[2])
        # standard deviation of 150 numbers: within 20 % is four of its own
        self.assertAlmostEqual(np.std(runs[0]), 0.1, delta=0.02)

    def test_exceptions(self):
        class Fails(Beam):
            def sample(self, seen):
                raise KeyError("of the sensor")

        with rut.parse(WALL.format(noise="on"), components=[Fails()]).start() as sim:
            self.assertRaisesRegex(KeyError, "of the sensor", sim.step, 1000)
            self.assertLess(sim.steps, 10)
        nothing = Beam()
        nothing.output = {}
        self.assertRaises(rut.Error, rut.World, components=[nothing])


class StubText(unittest.TestCase):
    def test_marks_in_sentences(self):
        """Sentences of rows may end in a quotation mark or a backslash, and have three marks."""
        spec = importlib.util.spec_from_file_location("make_stubs", ROOT / "python/make_stubs.py")
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        for words in ('It is called "rover"', 'three """ marks', "back\\", 'two\nlines"', '"'):
            self.assertEqual(eval(made.quoted(words)), words)


if __name__ == "__main__":
    unittest.main()
