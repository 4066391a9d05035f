#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Controllers of one's own, plug-ins, logs, studies, stubs."""
import ast
import ctypes
import gc
import importlib
import keyword
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import weakref
from pathlib import Path

import numpy as np
import rut
from rut._native import ffi

ROOT = Path(os.environ["RUT_SOURCE_DIR"])
COMMAND = os.environ["RUT_COMMAND"]
MASS, FORCE, RADIUS = 15 + 2 * 1.5, 9.0, 0.15

# Both wheels push with half of a force: a body on massive wheels has M + sum of I/r^2, I = m r^2 / 2.
WORLD = """<world timestep="1 ms">
  <vehicle name="robot">
    <chassis mass="15 kg" outline="-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2"/>
    <wheel name="left" place="left" position="0 0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <wheel name="right" place="right" position="0 -0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <tyre type="coulomb" friction="0.7" bearing_damping="0" rolling_resistance="0"/>
    <drive type="direct"/>
    <controller type="push" gain="{gain}"/>
  </vehicle>
</world>"""

C_UPDATE = r"""
#include <rut/component.h>
void update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in, double* state, const rutControlOut* out);
void update(const void* param, const rutVehicleLayout* layout, const rutControlIn* in, double* state, const rutControlOut* out) {
  (void)state;
  const double gain = ((const double*)param)[sizeof(rutControllerHead) / sizeof(double)];
  for (int i = 0; i < in->demands * in->lanes; i++) out->demand[i] = gain * in->command[i % in->lanes] * layout->radius[0];
}
"""


class Push(rut.Controller):
    name = "push"
    doc = "Pushes with a force at each wheel."
    fields = {"gain": (1.0, "N", "force of each wheel for a set point of 1")}
    command = {"share": ("", "share of the force")}
    output = {"asked": ("N m", "torque of each wheel")}

    def update(self, seen):
        seen.demand[:] = seen.param["gain"] * seen.command["share"] * RADIUS
        seen.output[0] = seen.demand[0]


# With a period, so that torques hold within a step: rut's own controller otherwise tells its demand as a line.
FOLLOWS = WORLD.replace('type="push" gain="{gain}"', 'type="{type}" period="4 ms" proportional_gain="6" integral_gain="12" derivative_gain="0.05" {own}')
LIMIT, HALF_TRACK = 2.5, 0.25


class Pid(rut.Controller):
    """The law of twist_pid with a plain derivative and back-calculation with K_I/K_P (Astrom and Hagglund 1995, 3.5)."""
    name, doc = "pid", "A PID for the speed of each side."
    fields = {"proportional_gain": (0.0, "N s", "K_P"), "integral_gain": (0.0, "N", "K_I"), "derivative_gain": (0.0, "N s2", "K_D")}
    command = {"speed": ("m/s", "forward speed"), "yaw_rate": ("rad/s", "yaw rate")}
    state = {name: ("", name) for name in ("left_integral", "left_error", "right_integral", "right_error", "started")}

    def update(self, seen):
        p = seen.param
        for side, arm in enumerate((-HALF_TRACK, HALF_TRACK)):
            integral, last = seen.state[2 * side:2 * side + 2]
            error = seen.command["speed"] + arm * seen.command["yaw_rate"] - (seen.odo_speed + arm * seen.odo_rate)
            rest = p["proportional_gain"] * error + seen.state[4] * p["derivative_gain"] * (error - last) / seen.dt
            total = integral + p["integral_gain"] * error * seen.dt
            cut = np.clip(rest + total, -LIMIT, LIMIT) - (rest + total)
            total = total + p["integral_gain"] / p["proportional_gain"] * cut * seen.dt
            seen.demand[side] = np.clip(rest + total, -LIMIT, LIMIT)
            integral[:], last[:] = total, error
        seen.state[4] = 1


def compiled_pid():
    """The same law, compiled by numba; its address."""
    import numba
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def numbers(context, address):
        def make(target, builder, signature, args):
            return builder.inttoptr(args[0], target.get_value_type(signature.return_type))
        return types.CPointer(types.float64)(address), make

    def word(kind, field):
        return ffi.offsetof(kind, field) // 8

    first = ffi.sizeof("rutControllerHead") // 8
    dt, command, speed, rate = (word("rutControlIn", f) for f in ("dt", "command", "odo_speed", "odo_rate"))
    demand = word("rutControlOut", "demand")

    @numba.cfunc("void(CPointer(float64), voidptr, CPointer(int64), CPointer(float64), CPointer(int64))")
    def update(param, layout, seen, state, out):
        lanes = seen[0] & 0xffffffff
        want, odo_speed, odo_rate, torque = numbers(seen[command]), numbers(seen[speed]), numbers(seen[rate]), numbers(out[demand])
        step = numba.carray(seen, 16).view(np.float64)[dt]
        k_p, k_i, k_d = param[first], param[first + 1], param[first + 2]
        for lane in range(lanes):
            for side in range(2):
                arm, at = (-HALF_TRACK, HALF_TRACK)[side], 2 * side * lanes + lane
                error = want[lane] + arm * want[lanes + lane] - (odo_speed[lane] + arm * odo_rate[lane])
                rest = k_p * error + state[4 * lanes + lane] * k_d * (error - state[at + lanes]) / step
                total = state[at] + k_i * error * step
                cut = min(max(rest + total, -LIMIT), LIMIT) - (rest + total)
                total += k_i / k_p * cut * step
                torque[side * lanes + lane] = min(max(rest + total, -LIMIT), LIMIT)
                state[at], state[at + lanes] = total, error
            state[4 * lanes + lane] = 1
    return update


class Fails(Push):
    def update(self, seen):
        raise KeyError("of the controller")


class Controllers(unittest.TestCase):
    def run_world(self, controller, share=1.0):
        sim = rut.parse(WORLD.format(gain=FORCE / 2), controllers=[controller]).start()
        sim["robot"].command(share=share)
        sim.step(1000)
        return sim

    def test_closed_form(self):
        sim = self.run_world(Push())
        inertia = MASS + 2 * 0.5 * 1.5
        self.assertAlmostEqual(sim["robot/speed"], FORCE / inertia, delta=1e-2 * FORCE / inertia)
        self.assertAlmostEqual(sim["robot"].asked, FORCE / 2 * RADIUS)
        self.assertAlmostEqual(self.run_world(Push(), -0.5)["robot"].velocity_x, -0.5 * FORCE / inertia, delta=1e-2)

    def test_exception_reaches_the_caller(self):
        sim = rut.parse(WORLD.format(gain=1), controllers=[Fails()]).start()
        with self.assertRaisesRegex(KeyError, "of the controller"):
            sim.step(1000)
        self.assertEqual(sim.steps, 1)
        self.assertRaises(KeyError, sim.step)

    def test_compiled_has_the_same_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder) / "update.c", Path(folder) / "update.so"
            source.write_text(C_UPDATE, encoding="utf-8")
            includes = [f"-I{ROOT / 'include'}", f"-I{Path(os.environ['RUT_BINARY_DIR']) / 'include'}"]
            subprocess.run([os.environ["CC"], "-std=c17", "-shared", "-fPIC", *includes, source, "-o", library], check=True)
            compiled = Push()
            loaded = ctypes.CDLL(str(library))
            compiled.address = ctypes.cast(loaded.update, ctypes.c_void_p).value
            compiled.output = {}
            two = self.run_world(compiled)
            plain = Push()
            plain.output = {}
            plain.update = lambda seen: seen.demand.__setitem__(slice(None), seen.param["gain"] * seen.command["share"] * RADIUS)
            one = self.run_world(plain)
            np.testing.assert_array_equal(one["robot"].state, two["robot"].state)
            self.assertGreater(two["robot/speed"], 0.3)

    def expect_twist_pid(self, controller):
        """Within rounding: a turn, in which torques reach their limits, then another."""
        own = 'max_torque="2.5" anti_windup="true"'
        worlds = rut.parse(FOLLOWS.format(type="twist_pid", own=own)), rut.parse(FOLLOWS.format(type="pid", own=""), controllers=[controller])
        known, found = sims = [world.start() for world in worlds]
        for speed, rate in ((1.0, 0.4), (0.3, -0.6)):
            for sim in sims:
                sim["robot"].command(speed=speed, yaw_rate=rate)
            for _ in range(15):
                for sim in sims:
                    sim.step(40)
                for name in ("x", "y", "yaw", "velocity_x", "yaw_rate"):
                    self.assertAlmostEqual(known[f"robot/{name}"], found[f"robot/{name}"], delta=1e-11)
        self.assertAlmostEqual(found["robot/velocity_x"], 0.3, delta=0.1)

    def test_pid_is_twist_pid(self):
        self.expect_twist_pid(Pid())

    def test_pid_compiled_by_numba(self):
        try:
            update = compiled_pid()
        except ImportError:
            self.skipTest("numba is not installed")
        pid = Pid()
        pid.address = update.address
        self.expect_twist_pid(pid)

    def test_plugin(self):
        """A type of a shared library, its field and its set point come without a line in the binding."""
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder) / "cruise.so"
            includes = [f"-I{ROOT / 'include'}", f"-I{Path(os.environ['RUT_BINARY_DIR']) / 'include'}"]
            subprocess.run([os.environ["CC"], "-std=c17", "-shared", "-fPIC", *includes, ROOT / "examples/plugins/viscous.c", "-o", library], check=True)
            world = rut.World(plugins=[library])
            known = {(c.kind, c.type): c for c in world.components}
            self.assertIn(("tyre", "viscous"), known)
            robot = world.add("vehicle", name="robot")
            tyre = robot.add("tyre", "viscous")
            field = next(iter(known["tyre", "viscous"].fields.values()))
            self.assertEqual(tyre[field.name], field.default)

    def test_refused(self):
        nameless = Push()
        nameless.name = ""
        self.assertRaises(rut.Error, rut.World, controllers=[nameless])
        wrong = Push()
        wrong.uses = ("telepathy",)
        self.assertRaises(rut.Error, rut.World, controllers=[wrong])
        self.assertRaises(rut.Error, rut.parse, WORLD.format(gain=1))

    def test_exceptions_in_a_batch(self):
        world = rut.parse(WORLD.format(gain=1), controllers=[Fails()])
        with rut.Batch(world, 3) as batch, world.start() as sim:
            self.assertRaisesRegex(KeyError, "of the controller", batch.step, 3)
            self.assertRaisesRegex(KeyError, "of the controller", batch.rollout, sim, np.zeros((3, 2, 1)), 2)
            # nothing of it is left for others
            self.assertEqual((world.context.failures, world.context.stop[0]), ([], 0))

    def test_each_thread_has_its_own_exceptions(self):
        class Some(Push):
            def update(self, seen):
                if seen.command["share"][0] < 0:
                    raise KeyError("negative")

        world = rut.parse(WORLD.format(gain=1), controllers=[Some()])
        told = {}

        def work(share):
            with world.start() as sim:
                sim["robot"].command(share=share)
                told[share] = []
                for _ in range(40):
                    try:
                        sim.step(30)
                    except KeyError:
                        told[share].append(sim.steps)
                if share > 0:
                    told[share].append(sim.steps)

        threads = [threading.Thread(target=work, args=(share,)) for share in (-1.0, 0.5, 1.0)]
        before = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(before)
        self.assertEqual(told, {-1.0: list(range(1, 41)), 0.5: [1200], 1.0: [1200]})

    def test_runs_within_an_update(self):
        class Plans(Push):
            def update(self, seen):
                if self.other is not None:
                    other, self.other = self.other, None
                    other.step(2)

        plans = Plans()
        plans.other = None
        world = rut.parse(WORLD.format(gain=1), controllers=[plans])
        plans.other = inner = world.start()
        with world.start() as sim:
            sim.step(1)
        self.assertEqual(inner.steps, 2)
        inner.close()

    def test_one_world_for_each(self):
        push = Push()
        self.assertRaises(rut.Error, rut.parse, "<world", controllers=[push])
        world = rut.parse(WORLD.format(gain=1), controllers=[push])
        self.assertRaisesRegex(rut.Error, "one for each", rut.parse, WORLD.format(gain=1), controllers=[push])
        with world.copy().start() as sim:
            sim.step(1)

    def test_what_was_seen_may_be_kept(self):
        class Keeps(Push):
            uses = ("motion",)
            kept = []

            def update(self, seen):
                super().update(seen)
                self.kept.append((seen, seen.command["share"], seen.demand, seen.vx, float(seen.vx[0])))

        sim = self.run_world(Keeps())
        last = sim["robot"].velocity_x
        sim.close()
        seen, share, demand, vx, was = Keeps.kept[-1]
        self.assertEqual((share[0], demand[0, 0], vx[0]), (1.0, FORCE / 2 * RADIUS, was))
        self.assertAlmostEqual(was, last, delta=1e-3)
        self.assertNotEqual(Keeps.kept[10][3][0], was)
        self.assertFalse(share.flags.writeable or vx.flags.writeable)
        self.assertRaises(rut.Error, lambda: seen.odo_speed)

    def test_worlds_are_given_back(self):
        world = rut.parse(WORLD.format(gain=1), controllers=[Push()])
        with world.start() as sim:
            sim.step(2)
        context = weakref.ref(world.context)
        del world, sim
        gc.collect()
        self.assertIsNone(context())


class Files(unittest.TestCase):
    def test_log(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.mcap"
            seen = []
            with rut.load(ROOT / "worlds/demo.xml").start() as sim:
                sim.record(path, rate=20)
                for _ in range(40):
                    seen.append((sim.time, sim["car/speed"]))
                    sim.step(10)
            with rut.Log(path) as log:
                self.assertTrue(log.info["whole"])
                log.check()
                self.assertEqual(log.signals["car/speed"], "m/s")
                time, speed = log["car/speed"]
                table = log.frame("car/speed", "car/x")
                self.assertRaises(rut.Error, lambda: log["car/sped"])
                self.assertRaises(rut.Error, log.frame, "nothing*")
            np.testing.assert_allclose(time[:40], [t for t, _ in seen], atol=1e-12)
            np.testing.assert_array_equal(speed[:40], [v for _, v in seen])
            self.assertEqual(sorted(table.columns), ["car/speed", "car/x", "t"])
            np.testing.assert_array_equal(table["car/speed"], speed)
            (Path(folder) / "junk").write_bytes(b"no log" * 100)
            self.assertRaises(rut.Error, rut.Log, Path(folder) / "junk")

    def test_study(self):
        study = """<study world="world.xml" design="grid" duration="0.1 s">
          <vary type="list" name="speed" path="rover/controller.speed" values="0.2; 0.4; 0.8"/>
          <measure name="way" signal="rover/x" type="last"/>
        </study>"""
        with tempfile.TemporaryDirectory() as folder:
            base = Path(folder)
            (base / "study.xml").write_text(study, encoding="utf-8")
            (base / "world.xml").write_text((ROOT / "worlds/vehicles/rover.xml").read_text(encoding="utf-8").join(
                ['<world timestep="5 ms">', "</world>"]), encoding="utf-8")
            done = subprocess.run([COMMAND, "sweep", base / "study.xml", "-o", base / "study.db", "--quiet"], capture_output=True, text=True, check=False)
            if done.returncode == 5:
                self.skipTest("this rut has no SQLite")
            self.assertEqual(done.returncode, 0, done.stderr)
            table = rut.read_study(base / "study.db")
            np.testing.assert_array_equal(table["speed"], [0.2, 0.4, 0.8])
            for speed, way in zip(table["speed"], table["way"]):
                with rut.load(base / "world.xml", {"rover/controller.speed": speed}).start() as sim:
                    sim.run(0.1)
                    self.assertEqual(sim["rover/x"], way)
            self.assertRaises(rut.Error, rut.read_study, base / "none.db")
            self.assertRaises(rut.Error, rut.read_study, base / "study.xml")


class Stubs(unittest.TestCase):
    def test_rows_are_in_the_stubs(self):
        folder = Path(rut.__file__).parent
        self.assertTrue((folder / "py.typed").exists())
        for path in folder.glob("*.pyi"):
            ast.parse(path.read_text(encoding="utf-8"))
        tree = ast.parse((folder / "world.pyi").read_text(encoding="utf-8"))
        node = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == "Node")
        adds = {ast.unparse(n.args.args[1].annotation) + ast.unparse(n.args.args[2].annotation): [a.arg for a in n.args.kwonlyargs]
                for n in node.body if getattr(n, "name", "") == "add"}
        for component in rut.components():
            if component.kind in ("world", "format", "study"):
                continue
            key = f"Literal[{component.kind!r}]Literal[{component.type!r}]"
            self.assertIn(key, adds)
            wanted = [f for f in component.fields if not keyword.iskeyword(f) and f not in ("kind", "type", "name")]
            self.assertLessEqual(set(wanted), set(adds[key]), key)
        elements = ast.parse((folder / "elements.pyi").read_text(encoding="utf-8"))
        vehicle = next(n for n in elements.body if isinstance(n, ast.ClassDef) and n.name == "Vehicle")
        self.assertIn("yaw_rate", [getattr(n, "name", "") for n in vehicle.body])

    def test_signatures_are_those_of_the_sources(self):
        for name in ("simulation", "batch", "logs"):
            module = importlib.import_module(f"rut.{name}")
            stub = ast.parse((Path(rut.__file__).parent / f"{name}.pyi").read_text(encoding="utf-8"))
            for made in (n for n in stub.body if isinstance(n, ast.ClassDef)):
                told = {n.name for n in made.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")}
                real = {n for n in vars(getattr(module, made.name)) if not n.startswith("_") and n != "ENDS"}
                self.assertEqual(told, real, name)


if __name__ == "__main__":
    unittest.main()
