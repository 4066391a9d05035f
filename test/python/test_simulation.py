#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Worlds and runs from Python: against closed forms, against `rut run`, errors, lifetimes, threads."""
import base64
import gc
import json
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

import numpy as np
import rut

ROOT = Path(os.environ["RUT_SOURCE_DIR"])
sys.path.insert(0, str(ROOT / "test" / "readers"))
from wall_world import wall_world  # noqa: E402

COMMAND = os.environ["RUT_COMMAND"]

# imposes speed and yaw rate: the path is a circle of radius speed over yaw rate
CIRCLE = """<world timestep="1 ms">
  <vehicle name="robot">
    <chassis mass="15 kg" outline="-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2"/>
    <wheel name="left" place="left" position="0 0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <wheel name="right" place="right" position="0 -0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <tyre type="coulomb" friction="0.7"/>
    <drive type="direct"/>
    <controller type="twist_ideal" speed="2 m/s" yaw_rate="1 rad/s"/>
    <sensor type="laser" name="laser" x="0.2 m" z="0.3 m" rays="5" fov="180 deg" max_range="20 m" noise="none"/>
  </vehicle>
  <block name="wall" fixed="true" shape="box" size="1 100 2 m" position="8 0 m"/>
</world>"""


def command_hash(world, duration, *options):
    done = subprocess.run([COMMAND, "run", world, "--json", "--quiet", "--duration", str(duration), *options], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)["hash"]


class Runs(unittest.TestCase):
    def test_circle(self):
        with rut.parse(CIRCLE).start() as sim:
            sim.run(1.5)
            self.assertEqual((sim.steps, sim.timestep), (1500, 0.001))
            # x = R sin wt, y = R (1 - cos wt), R = 2 m; steps of 1 ms leave 2e-6 of the first period
            x, y, _ = sim["robot"].position
            self.assertAlmostEqual(x, 2 * math.sin(1.5), delta=4e-3)
            self.assertAlmostEqual(y, 2 * (1 - math.cos(1.5)), delta=4e-3)
            self.assertAlmostEqual(sim["robot/yaw"], 1.5, places=6)
            self.assertAlmostEqual(sim.state["yaw"][0], 1.5, places=6)

    def test_same_bits_as_the_command(self):
        for name, duration, settings in (("demo.xml", 2, {}), ("hmmwv.xml", 0.5, {"hmmwv/chassis.mass": "2600 kg"}),
                                         ("figure_of_eight.xml", 0.5, {})):
            path = ROOT / "worlds" / name
            options = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
            with rut.load(path, settings).start(seed=3) as sim:
                sim.run(duration)
                self.assertEqual(sim.hash, command_hash(path, duration, "--seed", "3", *options), name)

    def test_state_goes_back_exactly(self):
        sim = rut.load(ROOT / "worlds/demo.xml").start()
        sim.step(100)
        saved = sim.save()
        sim.step(100)
        after = sim.hash
        sim.restore(saved)
        self.assertAlmostEqual(sim.time, 0.5)
        self.assertNotEqual(sim.hash, after)
        sim.step(100)
        self.assertEqual(sim.hash, after)
        sim.reset()
        self.assertEqual(sim.steps, 0)

    def test_set_points(self):
        with rut.parse(CIRCLE).start() as sim:
            robot = sim.vehicle("robot")
            self.assertEqual(robot.commands, {"speed": 2, "lateral_speed": 0, "yaw_rate": 1})
            robot.command(yaw_rate=0)
            self.assertEqual(robot.commands, {"speed": 2, "lateral_speed": 0, "yaw_rate": 0})
            sim.run(1)
            self.assertAlmostEqual(robot.x, 2, delta=1e-2)
            robot.command(-1, 0)
            self.assertEqual(robot.commands["speed"], -1)
            for wrong in (lambda: robot.command(sped=1), lambda: robot.command(1, 2, 3, 4), lambda: robot.command(speed=math.nan)):
                self.assertRaises(rut.Error, wrong)
            self.assertEqual(robot.commands["speed"], -1)

    def test_laser_sees_the_wall(self):
        with rut.parse(CIRCLE, {"robot/controller.speed": 0, "robot/controller.yaw_rate": 0}).start() as sim:
            sim.step(200)
            laser = sim["robot/laser"]
            # ahead: wall at 7.5 m, laser at 0.2 m; at 45 degrees the root of two times as far; to the sides nothing
            np.testing.assert_allclose(laser.range, [-1, 7.3 * math.sqrt(2), 7.3, 7.3 * math.sqrt(2), -1], rtol=1e-12)
            np.testing.assert_allclose(laser.points[1:4], [[7.3, -7.3], [7.3, 0], [7.3, 7.3]], atol=1e-12)
            self.assertEqual(laser.scan["rays"], 5)
            self.assertEqual(laser.stamp, 0.2)

    def test_points_of_a_cloud_are_a_view(self):
        with rut.load(ROOT / "worlds/lidar.xml").start() as sim:
            sim.run(0.5)
            lidar = next(s for s in sim.sensors if "intensity" in s.variables)
            points = lidar.points
            self.assertTrue(np.shares_memory(points, lidar.x))
            for axis, name in enumerate("xyz"):
                np.testing.assert_array_equal(points[..., axis], lidar.sample[name])
            hit = lidar.range > 0
            self.assertGreater(hit.sum(), 100)
            # beams begin 3 mm off the axis and ranges are rounded: the distance is the range but for that
            np.testing.assert_allclose(np.linalg.norm(points[hit], axis=-1), lidar.range[hit], atol=4e-3)

    def test_map_and_path_around_a_wall(self):
        with rut.parse(wall_world("none")).start() as sim:
            before = sim["truck"].navigation
            self.assertEqual((before.controller, before.map_time, before.cost.shape, before.path.shape), ("drive_to_goal", None, (0, 0), (0, 3)))
            sim.run(0.7)
            seen = sim["truck"].navigation
            goal, path = seen.goal.copy(), seen.path.copy()
            sim.step(300)
        # the face of the wall is at 10.1 m, behind it nothing is seen; arrays outlive the simulation
        gc.collect()
        self.assertEqual((seen.cost.shape, seen.resolution, seen.cost.dtype), ((128, 128), 0.25, np.float32))
        y, x = (seen.origin[1 - axis] + seen.resolution * (np.indices(seen.cost.shape)[axis] + 0.5) for axis in (0, 1))
        wall = (x > 10) & (x < 10.25) & (abs(y) < 3.8)
        behind = (x > 11.5) & (x < 13) & (abs(y) < 2.5)
        free = (x > 4) & (x < 9) & (abs(y) < 3)
        self.assertTrue(wall.any() and (seen.cost[wall] == 1).all() and (seen.occupancy[wall] == 100).all())
        self.assertTrue(np.isnan(seen.cost[behind]).all() and (seen.occupancy[behind] == -1).all() and np.isnan(seen.height[behind]).all())
        self.assertTrue((seen.cost[free] == 0).all() and (seen.occupancy[free] == 0).all())
        # rounding of heights: 2^-10 m
        self.assertLess(abs(seen.height[free & ~np.isnan(seen.height)]).max(), 2e-3)
        self.assertTrue((seen.path == path).all() and goal[:2].tolist() == [30, 0] and math.isnan(goal[2]))
        beside = seen.path[(seen.path[:, 0] > 10) & (seen.path[:, 0] < 11)]
        self.assertTrue(len(beside) > 2 and (abs(beside[:, 1]) > 4).all())
        with self.assertRaises(ValueError):
            seen.cost[0, 0] = 0
        with rut.parse(CIRCLE).start() as sim:
            self.assertIsNone(sim["robot"].navigation)

    def test_energy_and_wheels(self):
        with rut.load(ROOT / "worlds/hmmwv.xml").start() as sim:
            car = sim["hmmwv"]
            # at rest before the first step forces are none; after half a second the wheels carry the weight
            sim.vehicle().command(0, 1, 0)
            sim.run(3)
            self.assertAlmostEqual(sum(wheel.load for wheel in car.wheels) / (9.81 * car.mass), 1, delta=0.01)
            self.assertEqual(len(car.wheels), 4)
            self.assertLess(abs(car.energy["residual"]), 1e-3 * car.energy["throughput"])

    def test_table_after_going_back(self):
        with tempfile.TemporaryDirectory() as folder, rut.parse(CIRCLE).start() as sim:
            path = Path(folder) / "table.csv"
            path.write_text("t,vehicle,speed,yaw_rate\n0,robot,1,0\n0.2,robot,-1,0\n", encoding="utf-8")
            sim.inputs(path)
            sim.run(0.1)
            saved = sim.save()
            hashes = []
            for _ in range(2):
                sim.run(0.15)
                self.assertEqual(sim["robot"].commands["speed"], 1)
                sim.run(0.3)
                self.assertEqual(sim["robot"].commands["speed"], -1)
                hashes.append(sim.hash)
                sim.restore(saved)
            self.assertEqual(*hashes)

    def test_what_an_element_does_not_have(self):
        with rut.parse(CIRCLE).start() as sim:
            robot, laser = sim["robot"], sim["robot/laser"]
            every = [name for name, found in vars(rut.Vehicle).items() if isinstance(found, property)]
            self.assertTrue(any(not hasattr(robot, name) for name in every))
            self.assertFalse(hasattr(robot, "sped") or hasattr(sim["robot/left"], "points"))
            self.assertTrue(hasattr(robot, "speed") and hasattr(laser, "points"))
            for mount in ([], [1, 2, 3], range(7)):
                self.assertRaises(rut.Error, robot.motion, mount)
            robot.motion([0.1, 0, 0, 0, 0, 0])


class Errors(unittest.TestCase):
    def test_place_and_cure(self):
        with self.assertRaises(rut.Error) as caught:
            rut.parse('<world>\n  <vehicle name="a">\n    <chassis mas="15 kg"/>\n  </vehicle>\n</world>', name="my.xml")
        error = caught.exception
        self.assertEqual((error.file, error.line, error.column, error.status), ("my.xml", 3, 14, "PARSE"))
        self.assertIn("did you mean 'mass'", str(error))
        self.assertEqual([f.level for f in error.findings], ["error"])

    def test_no_file(self):
        with self.assertRaises(rut.Error) as caught:
            rut.load("/no/such/world.xml")
        self.assertEqual(caught.exception.status, "IO")

    def test_bad_input_raises(self):
        """Every broken world of the corpus is an exception with a message, as it is an error of the command."""
        folder = ROOT / "test/bad_input"
        lines = (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
        rows = [[part.strip() for part in line.split("|")] for line in lines if line.startswith("native/") and "/log" not in line]
        rows = [row for row in rows if len(row) == 3]
        self.assertGreater(len(rows), 100)
        for name, message, place in rows[::5]:
            with self.assertRaises(rut.Error, msg=name) as caught:
                rut.load(folder / name, allow=[folder]).compile()
            told = [str(found).replace(f"{folder}/", "") for found in (caught.exception, *caught.exception.findings)]
            self.assertTrue(any(message in words for words in told), (name, message, told))
            if place[0].isdigit():
                lines = {caught.exception.line, *(f.line for f in caught.exception.findings)}
                self.assertIn(int(place.split(":")[0]), lines, name)

    def test_settings_and_paths(self):
        world = rut.parse(CIRCLE)
        for path, value in (("robot/chassis.mas", 1), ("robo/chassis.mass", 1), ("robot/chassis.mass", "3 m"), ("robot/chassis.mass", -1)):
            with self.assertRaises(rut.Error, msg=path):
                world[path] = value
                world.compile()
        world = rut.parse(CIRCLE)
        with world.start() as sim:
            for path in ("robot/sped", "robt", "", "robot/laser/x/y"):
                with self.assertRaises(rut.Error, msg=path):
                    sim[path]
            with self.assertRaises(AttributeError):
                sim["robot"].sped
            self.assertRaises(rut.Error, sim.step, -1)
            self.assertRaises(rut.Error, sim.restore, b"nonsense")
        with self.assertRaises(rut.Error):
            sim.step()
        with self.assertRaises(rut.Error):
            sim["robot"].speed


class Worlds(unittest.TestCase):
    def test_built_in_python_as_from_a_file(self):
        world = rut.World()
        world.root["timestep"] = "1 ms"
        robot = world.add("vehicle", name="robot")
        robot.add("chassis", mass=15, outline=[(-0.3, -0.2), (0.3, -0.2), (0.3, 0.2), (-0.3, 0.2)])
        for name, y in (("left", 0.25), ("right", -0.25)):
            robot.add("wheel", name=name, place=name, position=(0, y), mass="1.5 kg", radius="15 cm", width=0.05)
        robot.add("tyre", "coulomb", friction=0.7)
        robot.add("drive", "direct")
        robot.add("controller", "twist_ideal", speed=2, yaw_rate="1 rad/s")
        robot.add("sensor", "laser", "laser", x=0.2, z=0.3, rays=5, fov="180 deg", max_range=20, noise="none")
        world.add("block", name="wall", fixed=True, shape="box", size=(1, 100, 2), position=(8, 0))
        with world.start() as one, rut.parse(CIRCLE).start() as other:
            one.step(500)
            other.step(500)
            self.assertEqual(one.hash, other.hash)

    def test_edit(self):
        world = rut.parse(CIRCLE)
        self.assertEqual(world["robot/wheel[0].radius"], 0.15)
        self.assertEqual(world["robot/chassis"]["outline"].shape, (4, 2))
        other = world.copy()
        other["robot/chassis.mass"] = "30 kg"
        self.assertEqual((world["robot/chassis.mass"], other["robot/chassis.mass"]), (15, 30))
        self.assertEqual([n.kind for n in world["robot"].children("wheel")], ["wheel", "wheel"])
        self.assertEqual(world["robot/chassis"].parent.name, "robot")
        with world.start() as one, other.start() as two:
            self.assertAlmostEqual(two["robot"].mass - one["robot"].mass, 15)
        with self.assertRaises(rut.Error):
            world.add("vehicle", name="x", no_such_field=1)
        self.assertEqual(len(list(world.root.children("vehicle"))), 1)

    def test_saved_world_has_the_same_bits(self):
        world = rut.load(ROOT / "worlds/demo.xml")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "saved.xml"
            world.save(path)
            with world.start() as one, rut.load(path, allow=[ROOT / "worlds"]).start() as two:
                one.step(50)
                two.step(50)
                self.assertEqual(one.hash, two.hash)

    def test_rows(self):
        known = {(c.kind, c.type): c for c in rut.components()}
        friction = known["tyre", "coulomb"].fields["friction"]
        self.assertEqual((friction.type, friction.default), ("real", 0.8))
        self.assertIn("friction", rut.help("tyre", "coulomb"))
        self.assertRaises(rut.Error, rut.help, "tyre", "colomb")
        self.assertIn("forward", rut.Vehicle.velocity_x.__doc__)

    def test_removed_elements(self):
        world = rut.parse(CIRCLE)
        laser = world["robot/laser"]
        laser.remove()
        for use in (laser.help, lambda: laser.component, lambda: laser["rays"], lambda: laser.kind, lambda: laser.parent, lambda: laser.children(),
                    laser.remove, lambda: laser.add("tyre", "coulomb"), lambda: laser.__setitem__("rays", 3), lambda: "rays" in laser):
            with self.assertRaisesRegex(rut.Error, "removed"):
                use()
        self.assertIn("removed", repr(laser))
        for child in world["robot"].children():
            child.remove()
        self.assertEqual(list(world["robot"].children()), [])

    def test_log_of_a_world_that_was_edited(self):
        """The log has the world that runs: what a log of the same run before the edit has."""
        world = rut.parse(CIRCLE)
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / f"{i}.mcap" for i in range(3)]
            with world.start() as sim, world.start() as other:
                sim.record(paths[0])
                world["robot/chassis.mass"] = 500
                other.record(paths[1])
                with world.start() as edited:
                    edited.record(paths[2])
            before, after, changed = (path.read_bytes() for path in paths)
        self.assertEqual(before, after)
        self.assertNotEqual(before, changed)



class Lifetimes(unittest.TestCase):
    def test_views_outlive_the_simulation(self):
        views = []
        for _ in range(20):
            world = rut.parse(CIRCLE)
            sim = world.start()
            sim.step(200)
            laser = sim["robot/laser"]
            views.append((laser.range, laser.range.copy(), sim.contacts))
            sim.close()
            del sim, world, laser
            gc.collect()
            # what would reuse memory that was given back
            junk = [np.full(50_000, 1e300) for _ in range(10)]
            del junk
        for seen, copied, _ in views:
            np.testing.assert_array_equal(seen, copied)
            self.assertFalse(seen.flags.writeable)

    def test_order_of_destruction(self):
        """Whatever goes first, also in cycles that the collector takes apart."""
        for order in range(6):
            world = rut.parse(CIRCLE)
            sim = world.start()
            sim.step(200)
            seen = sim["robot/laser"].range
            held = [world, sim, seen]
            held.append(held)
            del world, sim, seen
            held.pop(order % 3)
            del held
            gc.collect()


class Threads(unittest.TestCase):
    def test_same_bits_in_threads(self):
        world = rut.load(ROOT / "worlds/demo.xml")
        model_hash = []

        def run():
            with world.start() as sim:
                sim.step(1000)
                model_hash.append(sim.hash)

        world.compile()
        threads = [threading.Thread(target=run) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(model_hash), 6)
        self.assertEqual(set(model_hash), {command_hash(ROOT / "worlds/demo.xml", 5)})

    def test_python_runs_meanwhile(self):
        """Python never takes its lock from a thread here: only a step that gives it away lets this thread go on."""
        sim = rut.parse(CIRCLE).start()
        started, seen, rounds = threading.Event(), [], []

        def work():
            started.set()
            for _ in range(300):
                sim.step(2000)
                rounds.append(1)
                if seen:
                    break

        before = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        try:
            thread = threading.Thread(target=work)
            thread.start()
            started.wait()
            seen.append(1)
            thread.join()
        finally:
            sys.setswitchinterval(before)
        self.assertLess(len(rounds), 300)

    def test_picture_of_a_world(self):
        world = rut.load(ROOT / "worlds/demo.xml")
        before = world.text()
        image = world.picture(160, 90)
        self.assertEqual((image.shape, image.dtype), ((90, 160, 3), np.uint8))
        # the demo has a blue car on sand: both are in the picture, and the world is as before
        red, green, blue = image.astype(int).transpose(2, 0, 1)
        self.assertTrue(((blue > red + 40) & (blue > 120)).any())
        self.assertTrue(((red > blue + 30) & (red > 120)).any())
        self.assertEqual(world.text(), before)
        shown = world._repr_html_()
        coded = base64.b64decode(shown.split("base64,")[1].split('"')[0])
        self.assertTrue(coded.startswith(b"\x89PNG\r\n\x1a\n") and coded.endswith(b"IEND\xaeB`\x82"))

    def test_interrupt_ends_a_long_step(self):
        """A signal that raises, as Ctrl-C does, is seen soon; the run can go on."""
        one = CIRCLE[CIRCLE.index("<vehicle"):CIRCLE.index("</vehicle>") + len("</vehicle>")]
        many = "".join(one.replace('name="robot"', f'name="robot_{i}" position="{4 * i} 0"', 1) for i in range(150))
        world = rut.parse(CIRCLE.replace(one, many))

        def interrupt(number, frame):
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGALRM, interrupt)
        try:
            with world.start() as sim:
                signal.setitimer(signal.ITIMER_REAL, 0.02)
                self.assertRaises(KeyboardInterrupt, sim.step, 10**9)
                made = sim.steps
                self.assertLess(made, 20000)
                sim.step(3)
                self.assertEqual(sim.steps, made + 3)
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_one_thread_at_a_time(self):
        sim = rut.parse(CIRCLE).start()
        refused, stop = [], []

        def work():
            while not stop:
                try:
                    sim.step(5000)
                except rut.Error:
                    refused.append(1)

        thread = threading.Thread(target=work)
        thread.start()
        for _ in range(2000):
            try:
                sim.step(100)
            except rut.Error as error:
                self.assertIn("another thread", str(error))
                refused.append(1)
            if refused:
                break
        stop.append(1)
        thread.join()
        self.assertTrue(refused)


if __name__ == "__main__":
    unittest.main()
