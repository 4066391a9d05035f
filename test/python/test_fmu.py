#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""FMUs that rut writes, in FMPy: validated, against closed forms and runs of rut, bit by bit. And FMUs of PythonFMU that drive."""
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import rut
from fmpy.fmi1 import FMICallException
from fmpy.fmi2 import FMU2Slave, fmi2CallbackFunctions, fmi2CallbackLoggerTYPE
from fmpy.fmi3 import FMU3Slave, fmi3LogMessageCallback
from fmpy.validation import validate_fmu
from test_simulation import CIRCLE, COMMAND, ROOT

FOLDER = Path(tempfile.mkdtemp(prefix="rut-test-fmu-"))
KEPT = []  # callbacks, which C calls


def run(*words, **options):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, check=False, timeout=100, **options)


def export(world, version, *options, name=None):
    path = FOLDER / f"{name or Path(world).stem}{version}.fmu"
    if not path.exists() or options:
        done = run("fmu", "export", world, "-o", path, "--fmi", version, "--quiet", *options)
        assert done.returncode == 0, done.stderr
    return path


class Unit:
    """An instance in FMPy, with one form for both versions."""

    def __init__(self, path, folder=None, token=None):
        self.description = fmpy.read_model_description(str(path))
        self.two = self.description.fmiVersion == "2.0"
        self.variable = {v.name: v for v in self.description.modelVariables}
        self.reference = {name: v.valueReference for name, v in self.variable.items()}
        self.folder = folder or fmpy.extract(str(path), tempfile.mkdtemp(dir=FOLDER))
        self.said = []
        kind = FMU2Slave if self.two else FMU3Slave
        self.fmu = kind(guid=token or self.description.guid, unzipDirectory=str(self.folder), instanceName="unit",
                        modelIdentifier=self.description.coSimulation.modelIdentifier)
        if self.two:
            calls = fmi2CallbackFunctions()
            calls.logger = fmi2CallbackLoggerTYPE(lambda *words: self.said.append(words))
            KEPT.append(calls)
            self.fmu.instantiate(callbacks=calls)
        else:
            log = fmi3LogMessageCallback(lambda environment, status, category, message: self.said.append(message.decode()))
            KEPT.append(log)
            self.fmu.instantiate(logMessage=log)
        self.time = 0.0

    def start(self, parameters=(), time=0.0):
        for name, value in dict(parameters).items():
            self.set(name, value)
        if self.two:
            self.fmu.setupExperiment(startTime=time)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=time)
        self.fmu.exitInitializationMode()
        self.time = time
        return self

    def set(self, name, value):
        reference, kind = [self.reference[name]], self.variable[name].type
        call = {"Real": "setReal", "Integer": "setInteger", "Boolean": "setBoolean", "Float64": "setFloat64", "Int32": "setInt32",
                "Enumeration": "setInteger" if self.two else "setInt64"}[kind]
        getattr(self.fmu, call)(reference, [value])

    def get(self, *names):
        references = [self.reference[name] for name in names]
        return list((self.fmu.getReal if self.two else self.fmu.getFloat64)(references))

    def step(self, size, n=1):
        for _ in range(n):
            self.fmu.doStep(currentCommunicationPoint=self.time, communicationStepSize=size)
            self.time += size
        return self

    def state(self):
        return self.fmu.getFMUstate() if self.two else self.fmu.getFMUState()

    def restore(self, state):
        (self.fmu.setFMUstate if self.two else self.fmu.setFMUState)(state)

    def outputs(self):
        return self.get(*(name for name, v in self.variable.items() if v.causality == "output"))

    def close(self):
        self.fmu.freeInstance()


def circle():
    path = FOLDER / "circle.xml"
    path.write_text(CIRCLE, encoding="utf-8")
    return path


def same(a, b):
    return np.array_equal(np.array(a), np.array(b), equal_nan=True)


HMMWV = ROOT / "worlds" / "hmmwv.xml"
DEMO = ROOT / "worlds" / "demo.xml"
PLACE = ("x", "y", "z", "yaw", "roll", "pitch", "speed", "yaw_rate")


class Export(unittest.TestCase):
    def test_valid(self):
        for version in (2, 3):
            for world in (DEMO, HMMWV, circle()):
                self.assertEqual(validate_fmu(str(export(world, version))), [], f"{world.name}, FMI {version}")
        description = fmpy.read_model_description(str(export(HMMWV, 3)))
        mass = next(v for v in description.modelVariables if v.name == "hmmwv/chassis.mass")
        self.assertEqual((mass.causality, mass.variability, mass.unit), ("parameter", "fixed", "kg"))
        force = next(u for u in description.unitDefinitions if u.name == "N")
        self.assertEqual((force.baseUnit.kg, force.baseUnit.m, force.baseUnit.s), (1, 1, -2))

    def test_closed_form(self):
        for version in (2, 3):
            unit = Unit(export(circle(), version)).start()
            unit.step(0.01, 150)
            # x = R sin wt, y = R (1 - cos wt) with R = 2 m, as in test_simulation
            x, y, yaw, time = unit.get("robot/x", "robot/y", "robot/yaw", "time")
            self.assertAlmostEqual(x, 2 * np.sin(1.5), delta=4e-3)
            self.assertAlmostEqual(y, 2 * (1 - np.cos(1.5)), delta=4e-3)
            self.assertAlmostEqual(yaw, 1.5, places=6)
            self.assertAlmostEqual(time, 1.5, places=9)
            unit.close()

    def test_same_bits_as_a_run(self):
        for version in (2, 3):
            unit = Unit(export(HMMWV, version)).start({"hmmwv/chassis.mass": 2600.0, "seed": 3})
            with rut.load(HMMWV, {"hmmwv/chassis.mass": "2600"}).start(seed=3) as sim:
                for k in range(20):
                    if k == 10:
                        unit.set("hmmwv/command_throttle", 0.9)
                        unit.set("hmmwv/command_steering", -0.2)
                        sim.vehicle("hmmwv").command(throttle=0.9, steering=-0.2)
                    unit.step(0.02)
                    sim.step(20)
                    self.assertEqual(unit.get(*(f"hmmwv/{name}" for name in PLACE)), [sim[f"hmmwv/{name}"] for name in PLACE])
            unit.close()
            unit = Unit(export(DEMO, version)).start()
            with rut.load(DEMO).start() as sim:
                unit.step(sim.timestep, 50)
                sim.step(50)
                names = [f"{v}/{name}" for v in ("rover", "car", "tug") for name in ("x", "y", "yaw", "speed")]
                self.assertEqual(unit.get(*names), [sim[name] for name in names])
            unit.close()

    def test_step_of_the_export(self):
        path = export(circle(), 3, "--step", "5 ms", "--set", "robot/controller.speed=3 m/s", name="coarse")
        unit = Unit(path).start({"robot/controller.yaw_rate": 0.0})
        unit.step(0.005, 200)
        self.assertAlmostEqual(unit.get("robot/x")[0], 3.0, delta=0.02)
        self.assertEqual(float(unit.description.coSimulation.fixedInternalStepSize), 0.005)
        unit.close()

    def test_two_instances(self):
        for version in (2, 3):
            path = export(circle(), version)
            folder = fmpy.extract(str(path), tempfile.mkdtemp(dir=FOLDER))
            slow, fast = Unit(path, folder), Unit(path, folder)
            slow.start({"robot/controller.speed": 1.0, "robot/controller.yaw_rate": 0.0})
            fast.start({"robot/controller.speed": 4.0, "robot/controller.yaw_rate": 0.0}, time=10.0)
            for _ in range(100):
                slow.step(0.01)
                fast.step(0.01)
            self.assertAlmostEqual(slow.get("robot/x")[0], 1.0, delta=2e-3)
            self.assertAlmostEqual(fast.get("robot/x")[0], 4.0, delta=8e-3)
            self.assertAlmostEqual(fast.get("time")[0], 11.0, places=9)
            slow.close()
            fast.step(0.01)
            fast.close()

    def test_states(self):
        for version in (2, 3):
            path = export(HMMWV, version)
            unit = Unit(path).start({"hmmwv/chassis.mass": 3000.0})
            unit.step(0.01, 20)
            state, time = unit.state(), unit.time
            end = unit.step(0.01, 20).outputs()
            unit.restore(state)
            unit.time = time
            self.assertTrue(same(unit.step(0.01, 20).outputs(), end))
            # as bytes, to another instance with other parameters
            unit.restore(state)
            saved = unit.fmu.serializeFMUstate(state) if unit.two else unit.fmu.serializeFMUState(state)
            other = Unit(path, unit.folder).start()
            back = other.fmu.deSerializeFMUstate(saved) if unit.two else other.fmu.deserializeFMUState(saved)
            other.restore(back)
            other.time = time
            self.assertTrue(same(other.step(0.01, 20).outputs(), end))
            damaged = bytearray(saved)
            damaged[len(damaged) // 2] ^= 1
            wrong = other.fmu.deSerializeFMUstate(bytes(damaged)) if unit.two else other.fmu.deserializeFMUState(bytes(damaged))
            with self.assertRaises(FMICallException):
                other.restore(wrong)
            # from the start again
            unit.fmu.reset()
            unit.start({"hmmwv/chassis.mass": 3000.0})
            self.assertTrue(same(unit.step(0.01, 40).outputs(), end))
            unit.close()
            other.close()

    def test_errors(self):
        for version in (2, 3):
            unit = Unit(export(circle(), version))
            with self.assertRaises(FMICallException):
                unit.set("robot/chassis.mass", -1.0)
            self.assertIn("robot/chassis.mass", str(unit.said[-1]) + " robot/chassis.mass" * unit.two)
            unit.start()
            for call in (lambda: unit.set("robot/chassis.mass", 20.0), lambda: unit.set("robot/command_speed", float("nan")),
                         lambda: unit.set("robot/x", 1.0), lambda: unit.step(0.0015), lambda: unit.step(-0.001),
                         lambda: unit.fmu.doStep(currentCommunicationPoint=5.0, communicationStepSize=0.001),
                         lambda: (unit.fmu.getReal if unit.two else unit.fmu.getFloat64)([999999])):
                n = len(unit.said)
                with self.assertRaises(FMICallException):
                    call()
                self.assertGreater(len(unit.said), n)
            unit.time = 0.0
            unit.step(0.001)
            unit.fmu.terminate()
            with self.assertRaises(FMICallException):
                unit.step(0.001)
            unit.close()

    def test_malformed(self):
        path = export(circle(), 3)
        folder = Path(fmpy.extract(str(path), tempfile.mkdtemp(dir=FOLDER)))
        with self.assertRaises(Exception):
            Unit(path, folder, token="another")
        world = folder / "resources" / "world.xml"
        world.write_text(world.read_text(encoding="utf-8")[:300], encoding="utf-8")
        with self.assertRaises(Exception):
            Unit(path, folder)
        shutil.rmtree(folder / "resources")
        with self.assertRaises(Exception):
            Unit(path, folder)

    def test_simulate(self):
        for version in (2, 3):
            result = fmpy.simulate_fmu(str(export(circle(), version)), stop_time=0.5, step_size=0.01, output=["robot/speed", "robot/yaw"],
                                       start_values={"robot/controller.speed": 3.0})
            # at the end of a step the imposed speed holds
            self.assertAlmostEqual(result["robot/speed"][-1], 3.0, places=9)
            self.assertAlmostEqual(result["robot/yaw"][-1], 0.5, places=6)

    def test_files(self):
        """All files that a world reads are inside; the same world gives the same FMU."""
        world = ROOT / "worlds" / "warehouse.xml"
        first = export(world, 3)
        with zipfile.ZipFile(first) as packed:
            names = packed.namelist()
        # the grid names its picture
        self.assertLessEqual({"resources/files/warehouse.yaml", "resources/files/warehouse.pgm"}, set(names))
        second = export(world, 3, "--seed", 0, name="again")
        content = []
        for path in (first, second):
            with zipfile.ZipFile(path) as packed:
                content.append({n: packed.read(n) for n in packed.namelist() if n.startswith("resources/")})
        self.assertEqual(*content)
        Unit(first).start().step(0.01, 3).close()

    def test_choices(self):
        path = export(circle(), 3, "--outputs", "robot/speed", "--parameters", "robot/*", name="few")
        description = fmpy.read_model_description(str(path))
        outputs = [v.name for v in description.modelVariables if v.causality == "output"]
        self.assertEqual(outputs, ["robot/speed"])
        self.assertEqual(validate_fmu(str(path)), [])
        for option in ("--outputs", "--parameters"):
            done = run("fmu", "export", circle(), "-o", FOLDER / "no.fmu", option, "nothing*")
            self.assertEqual(done.returncode, 2)
            self.assertIn("nothing*", done.stderr)

    def test_standard_headers(self):
        """Our declarations are those of the standard: its own headers, which FMPy has, agree with the definitions."""
        headers = Path(fmpy.__file__).parent / "c-code"
        generated = Path(COMMAND).parent / "include"
        for name in ("fmi2.c", "fmi3.c"):
            done = subprocess.run(["cc", "-std=c17", "-fsyntax-only", "-Wall", "-Werror", "-DRUT_FMI_HEADERS=1", f"-isystem{headers}",
                                   f"-I{ROOT / 'include'}", f"-I{generated}", f"-I{ROOT / 'fmu'}", ROOT / "fmu" / name],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        # every function of the standard for co-simulation is there, and nothing else
        table = subprocess.run(["nm", "-D", "--defined-only", Path(COMMAND).parent / "rut-fmu.so"], capture_output=True, text=True, check=True)
        symbols = {line.split()[-1] for line in table.stdout.splitlines()}
        wanted = set(re.findall(r"\bfmi3\w+?(?=TYPE\s*\()", (headers / "fmi3FunctionTypes.h").read_text(encoding="utf-8")))
        self.assertGreater(len(wanted), 70)
        self.assertEqual({s for s in symbols if s.startswith("fmi3")}, wanted)
        self.assertTrue(all(s.startswith(("fmi2", "fmi3")) for s in symbols), symbols)


# v follows r: u := u + gain (r - v) in each step
CONTROLLER = '''
from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real

class Speed(Fmi2Slave):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.measured, self.pedal, self.gain, self.goal = 0.0, 0.0, 0.1, 1.0
        self.register_variable(Real("measured", causality=Fmi2Causality.input))
        self.register_variable(Real("pedal", causality=Fmi2Causality.output))
        self.register_variable(Real("gain", causality=Fmi2Causality.parameter, variability=Fmi2Variability.fixed))
        self.register_variable(Real("goal", causality=Fmi2Causality.parameter, variability=Fmi2Variability.fixed))

    def do_step(self, current_time, step_size):
        self.pedal += self.gain * (self.goal - self.measured)
        return True
'''


def driven(file, inside):
    world = FOLDER / "driven.xml"
    text = CIRCLE.replace('<controller type="twist_ideal" speed="2 m/s" yaw_rate="1 rad/s"/>',
                          f'<controller type="twist_ideal"/><controller type="fmu" file="{file}" period="0.02 s">{inside}</controller>')
    world.write_text(text.replace('<world timestep', '<world duration="0.4 s" timestep'), encoding="utf-8")
    return world


def table(world, **options):
    out = FOLDER / "table"
    shutil.rmtree(out, ignore_errors=True)
    done = run("run", world, "--allow-fmu", "--csv", out, "--csv-every", 20, "--quiet", **options)
    assert done.returncode == 0, done.stderr
    rows = (out / "robot.csv").read_text(encoding="utf-8").splitlines()
    values = np.array([[float(x or "nan") for x in row.split(",")] for row in rows[1:]])
    return dict(zip(rows[0].split(","), values.T))


class Import(unittest.TestCase):
    def python_fmu(self, source):
        """Build it; the environment in which it runs: FMUs of PythonFMU take Python from the process that loads them."""
        library = Path(sysconfig.get_config_var("LIBDIR")) / str(sysconfig.get_config_var("INSTSONAME"))
        if ".so" not in library.name or not library.exists():
            self.skipTest("this Python has no shared library")
        subprocess.run([sys.executable, "-m", "pythonfmu", "build", "-f", source, "-d", FOLDER], check=True, capture_output=True)
        packages = Path(np.__file__).parents[1]
        return dict(os.environ, LD_PRELOAD=str(library), PYTHONPATH=str(packages), PYTHONHOME=sys.base_prefix)

    def test_drive_in_python(self):
        """The example's motors, throttle 0.6: w_0 and 2 T_s/w_0 on J; each period of 10 ms brings w by a factor nearer."""
        environment = self.python_fmu(ROOT / "examples" / "fmu" / "motor.py")
        text = (ROOT / "examples" / "fmu" / "drive.xml").read_text(encoding="utf-8")
        world = FOLDER / "drive.xml"
        world.write_text(text.replace('friction="0.7"', 'friction="0.7" bearing_damping="0"'), encoding="utf-8")
        values = table(world, env=environment)
        factor = 1 - 0.01 * 2 * 1.2 / 20 / (18 * 0.15**2 + 1.5 * 0.15**2)
        for t, w in zip(values["t [s]"], values["left.speed [rad/s]"]):
            self.assertAlmostEqual(w, 0.6 * 20 * (1 - factor**round(t / 0.01)), places=9)

    def test_controller_in_python(self):
        (FOLDER / "speed.py").write_text(CONTROLLER, encoding="utf-8")
        environment = self.python_fmu(FOLDER / "speed.py")
        world = driven("Speed.fmu", '<fmu_input variable="measured" signal="speed"/><fmu_output variable="pedal" set_point="speed"/>'
                       '<fmu_parameter variable="gain" value="0.25"/><fmu_parameter variable="goal" value="2"/>')
        for k, v in enumerate(table(world, env=environment)["speed [m/s]"]):
            self.assertAlmostEqual(v, 2 * (1 - 0.75**max(k - 1, 0)), places=12)

    def test_own_export(self):
        """A robot of an FMU of rut leads another: the set point is the other's speed."""
        for version in (2, 3):
            path = export(circle(), version)
            world = driven(path.name, '<fmu_output variable="robot/speed" set_point="speed"/>'
                           '<fmu_parameter variable="robot/controller.speed" value="1.5"/>'
                           '<fmu_input variable="robot/command_yaw_rate" signal="command_yaw_rate"/>')
            self.assertAlmostEqual(table(world)["speed [m/s]"][-1], 1.5, places=9)


if __name__ == "__main__":
    try:
        unittest.main(argv=sys.argv)
    finally:
        shutil.rmtree(FOLDER, ignore_errors=True)
