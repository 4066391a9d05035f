#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The same trucks in rut, MuJoCo and Bullet, timed in turn in one run.

A truck of two tons on four sprung wheels of 60 kg starts from rest under a constant torque on its rear wheels, on
a plane, in steps of 1 ms; one of them for 20 s, then 64 side by side for 5 s. Each tool steps on one thread; Bullet
is called for each step, from Python, which takes a microsecond. The distance over that of the closed form,
F t^2/(2 M) with F = T/r and M = m + 4 (m_w + J/r^2), tells whether it solves the same problem. Times are processor
time, the least of some turns; only ratios mean something.

    python3 -m venv venv && venv/bin/pip install mujoco pybullet
    venv/bin/python bench/peers.py --rut build/release/rut [--markdown]
"""
import argparse
import contextlib
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STEP = 1e-3                                             # [s]
MASS, WHEEL, RADIUS, WIDTH = 2000.0, 60.0, 0.45, 0.3    # [kg], [kg], [m], [m]
HEIGHT, BASE, TRACK = 0.8, 1.4, 0.9                     # of the centre of mass, to the axles, to the wheels [m]
SPRING, DAMPER = 60e3, 6e3                              # [N/m], [N s/m]
TORQUE, FRICTION, APART = 800.0, 0.9, 10.0              # of both rear wheels [N m], one, between trucks [m]
SPIN = 0.5 * WHEEL * RADIUS**2                          # [kg m2]
INERTIA = (MASS * (1.8**2 + 0.8**2) / 12, MASS * (4**2 + 0.8**2) / 12, MASS * (4**2 + 1.8**2) / 12)
GRAVITY = 9.80665


def duration(trucks):
    return 20.0 if trucks < 8 else 5.0


def steps(trucks):
    return round(duration(trucks) / STEP)


def closed_form(trucks):
    whole = MASS + 4 * (WHEEL + SPIN / RADIUS**2)
    return 0.5 * TORQUE / RADIUS / whole * duration(trucks)**2


class Rut:
    name, differs = "rut", "tyres with springs and slip, which roll on a radius that is 1 % smaller"

    def __init__(self, command):
        self.command = command
        self.version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

    def run(self, trucks, folder):
        file = Path(folder) / "trucks.xml"
        ixx, iyy, izz = INERTIA
        each = "".join(
            f"<vehicle name='v{i}' position='0 {APART * i}'><chassis mass='{MASS}' com='0 0 {HEIGHT}' "
            f"inertia='{ixx} {iyy} {izz}' outline='-2 -0.9, 2 -0.9, 2 0.9, -2 0.9' z_min='0.4' z_max='1.2'/>"
            f"<suspension type='slider' stiffness='{SPRING}' damping='{DAMPER}'/>"
            f"<tyre type='linear' stiffness='400000' damping='2000'/>"
            + "".join(f"<axle x='{x}' track='{2 * TRACK}' radius='{RADIUS}' width='{WIDTH}' wheel_mass='{WHEEL}' "
                      f"wheel_inertia='{SPIN}'/>"
                      for x in (BASE, -BASE))
            + f"<drive type='open' driven='rear'/><controller type='pedals' torque='{TORQUE}'/></vehicle>"
            for i in range(trucks))
        file.write_text(f"<world timestep='{STEP} s' gravity='{GRAVITY}'><soil name='plane' type='magic_formula' "
                        f"rolling_resistance='0'/>{each}</world>", encoding="utf-8")
        start, _ = self.timed(file, STEP)
        took, x = self.timed(file, duration(trucks))
        return took - start, x

    def timed(self, file, time_span):
        """Processor time of a whole run, and where the first truck is."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run([self.command, "run", str(file), "--duration", str(time_span), "--json"],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(done.stderr)
        took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        return took, json.loads(done.stdout)["vehicles"][0]["x"]


class Mujoco:
    name, differs = "MuJoCo", "rigid wheels, soft constraints with a friction pyramid"

    def __init__(self):
        self.mujoco = importlib.import_module("mujoco")
        self.version = self.mujoco.__version__

    def model(self, trucks):
        def wheel(i, name, x, y):
            return (f"<body pos='{x} {y} {RADIUS - HEIGHT}'><joint type='slide' axis='0 0 1' stiffness='{SPRING}' "
                    f"damping='{DAMPER}'/><joint name='{name}{i}' axis='0 1 0'/><geom type='cylinder' "
                    f"size='{RADIUS} {WIDTH / 2}' euler='90 0 0' mass='{WHEEL}' friction='{FRICTION}'/></body>")
        bodies = "".join(
            f"<body name='v{i}' pos='0 {APART * i} {HEIGHT}'><freejoint/>"
            f"<inertial pos='0 0 0' mass='{MASS}' diaginertia='{INERTIA[0]} {INERTIA[1]} {INERTIA[2]}'/>"
            f"<geom type='box' size='2 0.9 0.4' mass='0' contype='0' conaffinity='0'/>"
            + "".join(wheel(i, n, x, y) for n, x, y in (("fl", BASE, TRACK), ("fr", BASE, -TRACK),
                                                        ("rl", -BASE, TRACK), ("rr", -BASE, -TRACK)))
            + "</body>" for i in range(trucks))
        motors = "".join(f"<motor joint='{n}{i}'/>" for i in range(trucks) for n in ("rl", "rr"))
        return self.mujoco.MjModel.from_xml_string(
            f"<mujoco><option timestep='{STEP}' gravity='0 0 {-GRAVITY}' integrator='implicitfast'/>"
            f"<worldbody><geom type='plane' size='0 0 1' friction='{FRICTION}'/>{bodies}</worldbody>"
            f"<actuator>{motors}</actuator></mujoco>")

    def run(self, trucks, _):
        model = self.model(trucks)
        data = self.mujoco.MjData(model)
        data.ctrl[:] = TORQUE / 2
        begin = time.process_time()
        self.mujoco.mj_step(model, data, nstep=steps(trucks))
        return time.process_time() - begin, float(data.body("v0").xpos[0])


class Bullet:
    name, differs = "Bullet", "rigid axles without springs, spheres as wheels, impulses"

    def __init__(self):
        with quiet():
            self.bullet = importlib.import_module("pybullet")
        self.version = str(self.bullet.getAPIVersion())

    @staticmethod
    def urdf():
        def link(name, mass, inertia, shape):
            return (f"<link name='{name}'><inertial><mass value='{mass}'/><inertia ixx='{inertia[0]}' iyy='{inertia[1]}' "
                    f"izz='{inertia[2]}' ixy='0' ixz='0' iyz='0'/></inertial>{shape}</link>")
        across = WHEEL * (3 * RADIUS**2 + WIDTH**2) / 12
        # a sphere rolls on one point; with Bullet's cylinders the truck loses 30 % of the distance
        sphere = f"<collision><geometry><sphere radius='{RADIUS}'/></geometry></collision>"
        text = "<robot name='truck'>" + link("chassis", MASS, INERTIA, "")
        for n, x, y in (("fl", BASE, TRACK), ("fr", BASE, -TRACK), ("rl", -BASE, TRACK), ("rr", -BASE, -TRACK)):
            text += link(n, WHEEL, (across, SPIN, across), sphere)
            text += (f"<joint name='spin_{n}' type='continuous'><parent link='chassis'/><child link='{n}'/>"
                     f"<origin xyz='{x} {y} {RADIUS - HEIGHT}'/><axis xyz='0 1 0'/></joint>")
        return text + "</robot>"

    def run(self, trucks, folder):
        b = self.bullet
        client = b.connect(b.DIRECT)
        b.setGravity(0, 0, -GRAVITY, physicsClientId=client)
        b.setPhysicsEngineParameter(fixedTimeStep=STEP, numSubSteps=0, physicsClientId=client)
        ground = b.createMultiBody(0, b.createCollisionShape(b.GEOM_PLANE, physicsClientId=client), physicsClientId=client)
        b.changeDynamics(ground, -1, lateralFriction=1, physicsClientId=client)
        file = Path(folder) / "truck.urdf"
        file.write_text(self.urdf(), encoding="utf-8")
        body = [b.loadURDF(str(file), [0, APART * i, HEIGHT], flags=b.URDF_USE_INERTIA_FROM_FILE, physicsClientId=client)
                for i in range(trucks)]
        for one in body:
            b.changeDynamics(one, -1, linearDamping=0, angularDamping=0, physicsClientId=client)
            for wheel in range(4):
                b.changeDynamics(one, wheel, lateralFriction=FRICTION, linearDamping=0, angularDamping=0, jointDamping=0,
                                 physicsClientId=client)
                # a motor that never reaches its speed is a constant torque
                b.setJointMotorControl2(one, wheel, b.VELOCITY_CONTROL, targetVelocity=1e4 if wheel >= 2 else 0,
                                        force=TORQUE / 2 if wheel >= 2 else 0, physicsClientId=client)
        begin = time.process_time()
        for _ in range(steps(trucks)):
            b.stepSimulation(physicsClientId=client)
        took = time.process_time() - begin
        x = b.getBasePositionAndOrientation(body[0], physicsClientId=client)[0][0]
        b.disconnect(client)
        return took, x


@contextlib.contextmanager
def quiet():
    """Without what a compiled module prints."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(nowhere)


def tools(command):
    found = [Rut(command)]
    for kind, module in ((Mujoco, "mujoco"), (Bullet, "pybullet")):
        if importlib.util.find_spec(module):
            found.append(kind())
        else:
            print(f"not here: {kind.name} (pip install {module})", file=sys.stderr)
    return found


def measure(found, trucks, turns, folder):
    """Least time, and distance, of each."""
    best = {tool.name: (float("inf"), 0.0) for tool in found}
    for _ in range(turns):
        for tool in found:
            best[tool.name] = min(best[tool.name], tool.run(trucks, folder))
    return best


def show(rows, found, markdown):
    form = "| {} | {} | {} | {} | {} | {} |" if markdown else "{:>6}  {:<7} {:>9}  {:>9}  {:>8}  {:>10}"
    print(form.format("trucks", "tool", "version", "us a step", "over rut", "distance"))
    if markdown:
        print("|---|---|---|---|---|---|")
    for trucks, tool, version, took, ratio, distance in rows:
        print(form.format(trucks, tool, version, f"{took:.3g}", f"{ratio:.3g}", f"{distance:.4f}"))
    print()
    for tool in found:
        print(f"{'- ' if markdown else ''}{tool.name}: {tool.differs}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rut", default=str(Path(__file__).resolve().parent.parent / "build/release/rut"))
    parser.add_argument("--turns", type=int, default=5, help="turns, of which the least time counts (default 5)")
    parser.add_argument("--trucks", type=int, nargs="+", default=[1, 64])
    parser.add_argument("--markdown", action="store_true", help="print a table for documents")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found, rows = tools(options.rut), []
    with tempfile.TemporaryDirectory() as folder:
        for trucks in options.trucks:
            best = measure(found, trucks, options.turns, folder)
            each = {name: took / trucks / steps(trucks) * 1e6 for name, (took, _) in best.items()}
            for tool in found:
                rows.append((trucks, tool.name, tool.version, each[tool.name], each[tool.name] / each["rut"],
                             best[tool.name][1] / closed_form(trucks)))
    if options.json:
        keys = ("trucks", "tool", "version", "us_per_vehicle_step", "over_rut", "distance_over_closed_form")
        print(json.dumps([dict(zip(keys, row)) for row in rows], indent=1))
    else:
        show(rows, found, options.markdown)


if __name__ == "__main__":
    main()
