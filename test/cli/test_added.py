#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A sensor, a controller and a tyre that rut does not know: brought by plug-ins (examples/plugins), and by files in the
source tree (test/inside) with a line each of builtin.def. Manual, schema, tables, logs, plots and the page find what they
take and tell, with units, from their rows alone; and what they tell is right."""
import csv
import json
import math
import os
import re
import signal
import subprocess
import urllib.request
from pathlib import Path

from harness import SANITIZE, SOURCE, check, faults

BINARY = Path(os.environ.get("RUT_BINARY_DIR", SOURCE / "build" / "dev"))
COMMAND = os.environ.get("RUT_COMMAND", str(BINARY / "rut"))
WITH_MORE = str(BINARY / "test" / "rut_with_more")
MOST_LINES = 40


class Rut:
    """A command and what it is always given."""

    def __init__(self, name, command, *options):
        self.name, self.command, self.options = name, command, options

    def __call__(self, *words):
        options = () if words[0] in ("log", "plot") else self.options
        done = subprocess.run([self.command, *words, *options], capture_output=True, text=True, timeout=250, check=False)
        check(done.returncode == 0, f"{self.name}: {words}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def scene(self, world):
        """What the page is told of a world."""
        with subprocess.Popen([self.command, "view", world, "--port", "0", "--no-open", "--paused", *self.options],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as view:
            try:
                place = re.match(r"listening on (http\S+)", view.stdout.readline())
                return json.load(urllib.request.urlopen(place[1] + "scene.json", timeout=30))
            finally:
                view.send_signal(signal.SIGINT)


def table(path):
    """Columns of a table by their headers."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}


def count_lines(paths):
    for path in paths:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        check(lines <= MOST_LINES, f"{path.name} has {lines} lines")


def knows(rut, components):
    """Manual and schema: pages with all rows, and types that editors offer."""
    index, schema, outputs = rut("doc"), rut("doc", "--schema"), rut("doc", "outputs")
    for component, fields, told in components:
        page = rut("doc", component)
        check(component in index, f"{component}: not in the index")
        for name, unit in fields + told:
            check(f"| `{name}` | {unit} |" in page, f"{component}: no {name} [{unit}] on its page")
        for name, _ in fields:
            check(f'"{name}"' in schema, f"{component}: no {name} in the schema")
        for name, unit in told:
            check(f"# {component}\n" in outputs and f"| `{name}` | {unit} |" in outputs, f"{name}: no output")
        check(f'value="{component.split("/")[1]}"' in schema, f"{component}: no type of the schema")


def tells(rut, world, csv_names, signals, commands, sensor):
    """Tables, logs, plots and the page of a run; returns columns of its tables by file."""
    name = rut.name
    check("0 errors" in rut("check", world), f"{name}: check")
    rut("run", world, "-q", "--csv", name, "--log", f"{name}.mcap")
    tables = {path.stem: table(path) for path in Path(name).glob("*.csv")}
    for file, header in csv_names:
        check(header in tables.get(file, {}), f"{name}: no '{header}' in {file}.csv: {list(tables.get(file, {}))}")
    log = json.loads(rut("log", f"{name}.mcap", "--json"))
    logged = {s["name"]: s["unit"] for s in log["signals"]}
    topics = {t["topic"]: (t["type"], t["messages"]) for t in log["topics"]}
    topic, schema = sensor
    samples = len(next(iter(tables[topic[1:].replace("/", ".")].values())))
    check(topics.get(topic) == (schema, samples), f"{name}: {topic}: {topics.get(topic)}")
    listed = rut("log", f"{name}.mcap", "--signals")
    scene = rut.scene(world)
    shown = {s["name"]: s["unit"] for s in scene["signals"]}
    for wanted, unit in signals:
        check(logged.get(wanted) == unit, f"{name}: {wanted} in the log: {logged.get(wanted)}")
        check(wanted in listed, f"{name}: rut log lists no {wanted}")
        check(shown.get(wanted) == unit, f"{name}: {wanted} on the page: {shown.get(wanted)}")
        plot = rut("plot", f"{name}.mcap", wanted)
        check(wanted in plot, f"{name}: rut plot {wanted}: {plot}")
    Path(f"{name}.csv").write_text(f"t,vehicle,{commands[0][0]}\n0.1,{scene['vehicles'][0]['name']},0.25\n", encoding="utf-8")
    rut("run", world, "-q", "-d", "0.2", "--inputs", f"{name}.csv", "--csv", f"{name}_inputs")
    given = table(Path(f"{name}_inputs", scene["vehicles"][0]["name"] + ".csv"))
    check(0.25 in next(iter(v for k, v in given.items() if k.startswith("command_"))), f"{name}: a set point of a table")
    points = [(c["name"], c["unit"]) for c in scene["vehicles"][0]["commands"]]
    check(points == commands, f"{name}: set points on the page: {scene['vehicles'][0]}")
    parameters = {p["path"]: p["unit"] for p in scene["parameters"]}
    return tables, parameters


# ---- from outside ----

OUTSIDE = """<world timestep="5 ms" duration="8 s">
  <vehicle name="r">
    <chassis mass="40 kg" outline="-0.3 -0.2 0.3 -0.2 0.3 0.2 -0.3 0.2"/>
    <wheel name="left" place="left" position="0 0.25" radius="0.1" mass="1 kg"/>
    <wheel name="right" place="right" position="0 -0.25" radius="0.1" mass="1 kg"/>
    <wheel name="caster" position="0.2 0" radius="0.1" mass="1 kg" driven="false"/>
    <tyre type="viscous" viscosity="50 N s/m"/>
    <drive type="direct"/>
    <controller type="cruise" speed="1 m/s"/>
    <sensor name="ahead" type="sonar" period="0.1 s" x="0.3" z="0.1" max_range="20" range_noise="0"/>
  </vehicle>
  <block name="wall" position="10 0" shape="box" size="1 4 1" fixed="true"/>
</world>
"""


def outside():
    sources = sorted((SOURCE / "examples" / "plugins").glob("*.c"))
    flags = ["-fsanitize=" + SANITIZE] if SANITIZE else []
    count_lines(sources)
    options = []
    for source in sources:
        library = Path.cwd() / (source.stem + ".so")
        subprocess.run([os.environ.get("CC", "cc"), "-std=c17", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror",
                        "-shared", "-fPIC", *flags, f"-I{SOURCE}/include", f"-I{BINARY}/include", str(source), "-o",
                        str(library)], check=True)
        options += ["--plugin", str(library)]
    Path("outside.xml").write_text(OUTSIDE, encoding="utf-8")
    rut = Rut("outside", COMMAND, *options)
    knows(rut, [("sensor/sonar", [("max_range", "m"), ("range_noise", "m")], [("distance", "m")]),
                ("controller/cruise", [("gain", "1/s"), ("speed", "m/s")], [("force", "N")]),
                ("tyre/viscous", [("viscosity", "N s/m")], [("viscous_power", "W"), ("slip_speed", "m/s")])])
    tables, parameters = tells(
        rut, "outside.xml",
        [("r.ahead", "distance [m]"), ("r", "controller.force [N]"), ("r", "tyre.slip_speed_0 [m/s]"),
         ("r", "left.tyre.viscous_power [W]")],
        [("r/ahead/distance", "m"), ("r/controller/force", "N"), ("r/tyre/slip_speed_0", "m/s"), ("r/command_speed", "m/s"),
         ("r/left/tyre/viscous_power", "W")],
        [("speed", "m/s")], ("/r/ahead", "rut/msg/Sonar"))
    check(parameters.get("r/ahead.max_range") == "m", "outside: the sensor's parameter on the page")
    states, distance = tables["r"], tables["r.ahead"]
    # the face of the wall is at 9.5 m, the sensor 0.3 m ahead of the reference point
    for t, d in zip(distance["t [s]"], distance["distance [m]"]):
        at = min(range(len(states["t [s]"])), key=lambda i, t=t: abs(states["t [s]"][i] - t))
        check(abs(d - (9.2 - states["x [m]"][at])) < 1e-6, f"outside: {d} m at {t} s, x = {states['x [m]'][at]}")
    # nothing resists: it comes to the speed that was asked for
    check(abs(states["velocity_x [m/s]"][-1] - 1) < 0.01, f"outside: speed {states['velocity_x [m/s]'][-1]}")
    # m v' = the film's force of both wheels that are driven; the caster turns along without
    slip, force = states["tyre.slip_speed_0 [m/s]"], states["left.force_x [N]"]
    check(all(abs(f - 50 * s) < 1e-9 for s, f in zip(slip, force)) and max(slip) > 0.1, "outside: the tyre's own output")
    power = states["left.tyre.viscous_power [W]"]
    check(all(abs(p - f * s) < 1e-9 for p, f, s in zip(power, force, slip)) and max(power) > 0, "outside: a wheel's output")


# ---- from inside ----

INSIDE = """<world timestep="2 ms" duration="6 s">
  <terrain type="plane" slope_x="0.1"/>
  <vehicle name="car">
    <chassis mass="1200" outline="-1.5 -0.6, 1.5 -0.6, 1.5 0.6, -1.5 0.6" z_min="0.4" z_max="2"/>
    <suspension type="slider" stiffness="50 kN/m" damping="5 kN s/m"/>
    <tyre type="solid" stiffness="200 kN/m" stiffening="10 MN/m2"/>
    <axle x="1.2" track="1.2" radius="0.4" width="0.2"/>
    <axle x="-1.2" track="1.2" radius="0.4" width="0.2"/>
    <drive type="open"/>
    <controller type="creep"/>
    <sensor name="below" type="altimeter" period="0.5 s" x="0.5" z="0.7" height_noise="0"/>
  </vehicle>
</world>
"""


def inside():
    count_lines(sorted((SOURCE / "test" / "inside").glob("*/*.c")))
    Path("inside.xml").write_text(INSIDE, encoding="utf-8")
    rut = Rut("inside", WITH_MORE)
    knows(rut, [("sensor/altimeter", [("height_noise", "m")], [("height", "m"), ("soil", "")]),
                ("controller/creep", [("gain", "1/s"), ("pace", "m/s")], [("climb", "rad")]),
                ("tyre/solid", [("stiffness", "N/m"), ("stiffening", "N/m2")], [("radial_stiffness", "N/m")])])
    tables, parameters = tells(
        rut, "inside.xml", [("car.below", "height [m]"), ("car.below", "soil"), ("car", "controller.climb [rad]")],
        [("car/below/height", "m"), ("car/below/soil", ""), ("car/controller/climb", "rad"), ("car/command_pace", "m/s")],
        [("pace", "m/s")], ("/car/below", "rut/msg/Altimeter"))
    check(parameters.get("car/tyre.stiffening") == "N/m2", "inside: the tyre's parameter on the page")
    states, height = tables["car"], tables["car.below"]["height [m]"]
    last = {name: column[-1] for name, column in states.items()}
    # 1200 kg and four wheels of 20 kg stand on a slope of 0.1, and every tyre on its spring
    total = 0
    for wheel in ("front_left", "front_right", "rear_left", "rear_right"):
        load, d = last[f"{wheel}.load [N]"], last[f"{wheel}.deflection [m]"]
        check(abs(load - (2e5 * d + 1e7 * d * d)) < 1e-3 * load, f"inside: {wheel} carries {load} N at {d} m")
        stiffness = last[f"{wheel}.tyre.radial_stiffness [N/m]"]
        check(abs(stiffness - (2e5 + 2e7 * d)) < 1e-3 * stiffness, f"inside: {wheel} has {stiffness} N/m at {d} m")
        total += load
    check(abs(total - 1280 * 9.81 / math.hypot(1, 0.1)) < 1e-3 * total, f"inside: weight {total}")
    pitch = last["pitch [rad]"]
    check(abs(last["controller.climb [rad]"] + pitch) < 1e-6 and abs(pitch + math.atan(0.1)) < 0.01, f"inside: pitch {pitch}")
    ahead = last["x [m]"] + 0.5 * math.cos(pitch) + 0.7 * math.sin(pitch)
    up = last["z [m]"] - 0.5 * math.sin(pitch) + 0.7 * math.cos(pitch)
    check(abs(height[-1] - (up - 0.1 * ahead)) < 1e-6, f"inside: height {height[-1]}, not {up - 0.1 * ahead}")
    check(set(tables["car.below"]["soil"]) == {-1}, "inside: no soil is named")


try:
    outside()
    inside()
finally:
    print("\n".join(faults))
raise SystemExit(bool(faults))
