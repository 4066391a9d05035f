#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""FMUs of others that drive: a controller and a motor against closed forms, and those that are made to harm. None takes rut
with it, hangs, or writes outside of its folder; code is run only where the user allows it."""
import os
import re
import shutil
import struct
import subprocess
import sys
import warnings
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
from harness import SOURCE, check, near, rut, verdict  # noqa: E402

HERE = Path(__file__).resolve().parent
SCRATCH = Path.cwd()
MACHINE = {2: "linux64", 3: "x86_64-linux"}
if os.uname().machine != "x86_64":
    MACHINE = {2: "aarch64-linux", 3: "aarch64-linux"}
MODES = {name: i for i, name in enumerate(("good", "loops", "crashes", "refuses", "discards", "not_finite", "ends", "crashes_at_once",
                                           "prints", "motor"))}
GAIN, GOAL, PERIOD = 0.25, 2.0, 0.01

# imposes the speed that it is told: v(t) of the next step is the set point
WORLD = """<world timestep="1 ms" duration="0.3 s">
  <vehicle name="r">
    <chassis mass="15 kg" outline="-0.3 -0.2, 0.3 -0.2, 0.3 0.2, -0.3 0.2"/>
    <wheel name="left" place="left" position="0 0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <wheel name="right" place="right" position="0 -0.25 m" mass="1.5 kg" radius="0.15 m" width="0.05 m"/>
    <tyre type="coulomb" friction="0.7"/>
    <drive type="direct"/>
    <controller type="twist_ideal"/>
    <controller type="fmu" file="{file}" period="{period} s">
      <fmu_input variable="in" signal="{signal}"/>
      <fmu_output variable="out" set_point="speed"/>
      <fmu_parameter variable="gain" value="0.25"/>
      <fmu_parameter variable="goal" value="2"/>
    </controller>
  </vehicle>
</world>"""


def description(version, **change):
    words = {"fmi": f"{version}.0", "identifier": "slave", "token": "the token", "out": "out", **change}
    if version == 2:
        kind = "Real"
        variables = [("in", "input", "continuous", 0, '<Real start="0"/>'), (words["out"], "output", "continuous", 1, "<Real/>"),
                     ("gain", "parameter", "fixed", 2, '<Real start="0.5"/>'), ("goal", "parameter", "fixed", 3, '<Real start="0"/>')]
        text = "".join(f'<ScalarVariable name="{n}" causality="{c}" variability="{v}" valueReference="{r}">{t}</ScalarVariable>'
                       for n, c, v, r, t in variables)
    else:
        kind = "Float64"
        variables = [("in", "input", "continuous", 0), (words["out"], "output", "continuous", 1), ("gain", "parameter", "fixed", 2),
                     ("goal", "parameter", "fixed", 3)]
        text = "".join(f'<{kind} name="{n}" causality="{c}" variability="{v}" valueReference="{r}" start="0"/>' for n, c, v, r in variables)
    token = "guid" if version == 2 else "instantiationToken"
    return (f'<fmiModelDescription fmiVersion="{words["fmi"]}" modelName="m" {token}="{words["token"]}">'
            f'<CoSimulation modelIdentifier="{words["identifier"]}"/><ModelVariables>{text}</ModelVariables></fmiModelDescription>')


def library(mode, version):
    out = SCRATCH / f"{mode}-{version}.so"
    if not out.exists():
        compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
        subprocess.run([compiler, "-shared", "-fPIC", "-O0", f"-DVERSION={version}", f"-DMODE={MODES[mode]}", f"-I{SOURCE / 'fmu'}",
                        "-o", out, HERE / "slave.c"], check=True)
    return out


def fmu(name, mode="good", version=2, text=None, more=(), binary=True):
    path = SCRATCH / f"{name}.fmu"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("modelDescription.xml", description(version) if text is None else text)
        if binary:
            out.write(library(mode, version), f"binaries/{MACHINE[version]}/slave.so")
        for member, content in more:
            out.writestr(member, content)
    return path


def drive(path, *options, period=PERIOD, signal="speed", allow=True, timeout=20):
    world = SCRATCH / f"{path.stem}.xml"
    world.write_text(WORLD.format(file=path.name, period=period, signal=signal), encoding="utf-8")
    return rut("run", world, "--quiet", *(["--allow-fmu", "--fmu-timeout", timeout] if allow else []), *options)


def speeds(path):
    table = SCRATCH / f"{path.stem}-csv"
    done = drive(path, "--csv", table, "--csv-every", 10)
    check(done.returncode == 0, f"{path.name} drives: {done.stderr}")
    if done.returncode:
        return []
    rows = (table / "r.csv").read_text(encoding="utf-8").splitlines()
    column = rows[0].split(",").index("speed [m/s]")
    return [float(row.split(",")[column]) for row in rows[1:]]


def refused(path, pattern, code=6, **options):
    done = drive(path, **options)
    check(done.returncode == code, f"{path.name}: exit {done.returncode}, not {code}: {done.stderr}")
    check(re.search(pattern, done.stderr), f"{path.name}: no '{pattern}' in: {done.stderr}")


def test_drives():
    """v of the next period is u, and u grows by gain (goal - v): the error is goal (1 - gain)^(k - 1) after k periods."""
    for version in (2, 3):
        measured = speeds(fmu(f"good{version}", version=version))
        check(len(measured) == 31, f"rows: {len(measured)}")
        for k, v in enumerate(measured):
            near(v, GOAL * (1 - (1 - GAIN)**max(k - 1, 0)), 1e-12, f"FMI {version}: speed after {k} periods")
    first, second = (drive(SCRATCH / "good2.fmu", "--json").stdout for _ in range(2))
    hashes = [re.search('"hash": *"?([^",]+)', text) for text in (first, second)]
    check(all(hashes) and hashes[0][1] == hashes[1][1], "two runs have the same bits")
    # what it prints does not get between what is said
    check(speeds(fmu("prints", "prints"))[-1] > 1.9, "an FMU that prints drives")


# a motor whose torque falls with the speed of its wheel, K (w_0 - w), on each side
DRIVE = re.sub(r'<drive.*?</controller>\n', """<drive type="fmu" file="{file}" period="{period} s" {more}>
      <fmu_input variable="in" signal="left/speed"/>
      {torques}
      <fmu_parameter variable="gain" value="{gain}"/>
      <fmu_parameter variable="goal" value="20"/>
    </drive>
    <controller type="raw"/>
""", WORLD, flags=re.S).replace('"0.3 s"', '"2 s"').replace('"0.7"', '"0.7" bearing_damping="0"')
EACH = "".join(f'<fmu_torque variable="out" wheel="{side}"/>' for side in ("left", "right"))
MOTOR, FASTEST, RADIUS = 0.02, 20.0, 0.15
# about the axle of the wheels: (M + 2 m) r^2 + 2 I with I = m r^2/2
ROLLING = (15 + 3) * RADIUS**2 + 1.5 * RADIUS**2


def driven(path, *options, more="", torques=EACH, gain=MOTOR, period=PERIOD):
    world = SCRATCH / f"{path.stem}-drive.xml"
    world.write_text(DRIVE.format(file=path.name, period=period, more=more, torques=torques, gain=gain), encoding="utf-8")
    return rut("run", world, "--quiet", "--allow-fmu", *options)


def columns(path, *names, every=10, **options):
    table = SCRATCH / f"{path.stem}-drive"
    done = driven(path, "--csv", table, "--csv-every", every, **options)
    check(done.returncode == 0, f"{path.name} is a drive: {done.stderr}")
    rows = [row.split(",") for row in (table / "r.csv").read_text(encoding="utf-8").splitlines()]
    return [[float(row[rows[0].index(name)]) for row in rows[1:]] for name in names]


def test_drive():
    """Held for a period T, torques 2 K (w_0 - w) on J bring w by the factor 1 - 2 K T/J nearer to w_0 in each; the first
    has none. With half of the ratio they do half. Their work is the energy of the rolling vehicle."""
    for version, ratio in ((2, 1.0), (3, 1.0), (3, 0.5)):
        torques = EACH.replace("/>", f' ratio="{ratio}"/>') if ratio != 1 else EACH
        path = fmu(f"motor{version}", "motor", version)
        speed, power = columns(path, "left.speed [rad/s]", "left.drive_power [W]", every=1, torques=torques)
        near(sum(2 * 1e-3 * p for p in power), ROLLING * speed[-1]**2 / 2, 1e-9, f"FMI {version}: work")
        speed = speed[::10]
        check(len(speed) == 201, f"rows: {len(speed)}")
        factor = 1 - 2 * ratio * MOTOR * PERIOD / ROLLING
        for k, w in enumerate(speed):
            near(w, FASTEST * (1 - factor**max(k - 1, 0)), 1e-9, f"FMI {version}: wheel speed after {k} periods")
    first, second = (driven(SCRATCH / "motor2.fmu", "--json").stdout for _ in range(2))
    hashes = [re.search('"hash": *"?([^",]+)', text) for text in (first, second)]
    check(all(hashes) and hashes[0][1] == hashes[1][1], "two runs have the same bits")
    # max_torque: T t/J in the beginning
    speed, = columns(SCRATCH / "motor2.fmu", "left.speed [rad/s]", more='max_torque="0.1 N m"')
    near(speed[101], 2 * 0.1 * 1.0 / ROLLING, 1e-9, "wheel speed at the largest torque")


def test_drive_errors():
    motor = SCRATCH / "motor2.fmu"
    for torques, words in ((EACH.replace("left", "lefd"), "the vehicle has no wheel 'lefd'"),
                           (EACH.replace("variable=", "wariable="), "variable"),
                           ('<fmu_output variable="out" set_point="speed"/>', "cannot stand in")):
        done = driven(motor, torques=torques)
        check(done.returncode == 3 and words in done.stderr, f"no '{words}' in: {done.stderr}")
    done = driven(motor, period=0.0015)
    check(done.returncode == 3 and "no whole number of steps" in done.stderr, done.stderr)
    world = SCRATCH / "motor2-drive.xml"
    world.write_text(DRIVE.format(file=motor.name, period=PERIOD, more="", torques=EACH, gain=1).replace('place="right"', 'place="right" driven="false"'),
                     encoding="utf-8")
    done = rut("run", world, "--allow-fmu")
    check(done.returncode == 3 and "the wheel 'right' is not driven" in done.stderr, done.stderr)
    done = rut("run", world)
    check(done.returncode == 3 and "--allow-fmu" in done.stderr, done.stderr)
    done = driven(fmu("not_finite", "not_finite"))
    check(done.returncode == 2 and "gives a torque that is not finite at t = 0.01 s" in done.stderr, done.stderr)
    world.write_text(WORLD.replace('type="direct"/>', 'type="direct"><fmu_input variable="in" signal="speed"/></drive>')
                     .format(file=motor.name, period=PERIOD, signal="speed"), encoding="utf-8")
    done = rut("run", world, "--allow-fmu")
    check(done.returncode == 3 and 'only <drive type="fmu"> has such elements' in done.stderr, done.stderr)


def test_own():
    """A robot in an FMU of rut leads: its speed, which is imposed, becomes the set point."""
    text = WORLD.replace('<controller type="twist_ideal"/>', '<controller type="twist_ideal" speed="1 m/s"/>')
    text = re.sub(r'<controller type="fmu".*?</controller>', "", text, flags=re.S)
    (SCRATCH / "leader.xml").write_text(text, encoding="utf-8")
    for version in (2, 3):
        done = rut("fmu", "export", SCRATCH / "leader.xml", "-o", SCRATCH / f"leader{version}.fmu", "--fmi", version, "--outputs", "r/speed")
        check(done.returncode == 0, f"export: {done.stderr}")
        world = WORLD.format(file=f"leader{version}.fmu", period=PERIOD, signal="speed")
        world = re.sub("<fmu_.*/>\n *(?=</controller>)", '<fmu_output variable="r/speed" set_point="speed"/>'
                       '<fmu_parameter variable="r/controller.speed" value="1.5"/>', world, flags=re.S)
        (SCRATCH / "follow.xml").write_text(world, encoding="utf-8")
        done = rut("run", SCRATCH / "follow.xml", "--allow-fmu", "--quiet", "--csv", SCRATCH / "follow", "--csv-every", 10)
        check(done.returncode == 0, f"own FMU {version}: {done.stderr}")
        rows = (SCRATCH / "follow" / "r.csv").read_text(encoding="utf-8").splitlines()
        # it stands at its beginning, and so does the follower for a period
        near(float(rows[-1].split(",")[rows[0].split(",").index("speed [m/s]")]), 1.5, 1e-9, f"FMI {version}: speed of the follower")


def test_permission():
    refused(SCRATCH / "good2.fmu", "--allow-fmu", code=3, allow=False)
    done = rut("check", SCRATCH / "good2.xml")
    check(done.returncode == 3 and "would be run" in done.stderr + done.stdout, f"rut check: {done.stderr}")


def test_misbehaving():
    refused(fmu("loops", "loops"), r"has not answered within 1 s", timeout=1)
    refused(fmu("crashes", "crashes"), r"has crashed: signal 11|has ended its process")
    refused(fmu("crashes_at_once", "crashes_at_once"), r"has crashed: signal 11|has ended its process")
    refused(fmu("refuses", "refuses"), r"fmi2DoStep returns Error")
    refused(fmu("discards3", "discards", 3), r"fmi3DoStep returns Discard")
    refused(fmu("not_finite", "not_finite"), r"set point that is not finite at t = 0.01 s", code=2)
    refused(fmu("ends", "ends"), r"has ended its process: status 7")


def test_descriptions():
    refused(fmu("guid", text=description(2, token="{another}")), r"makes no instance: token \{another\}\?")
    refused(fmu("way_out", text=description(2, identifier="../../../tmp/evil")), r"no name of C")
    refused(fmu("long", text=description(2, identifier="a" * 5000)), r"no name of C")
    refused(fmu("version", text=description(2, fmi="1.0")), r"neither 2.0 nor 3.0")
    refused(fmu("no_xml", text="PK\x00 no xml"), r"modelDescription.xml:1")
    refused(fmu("empty", text=""), r"modelDescription.xml")
    refused(fmu("nothing", text="<a/>"), r"no <fmiModelDescription>")
    refused(fmu("exchange", text=description(2).replace("CoSimulation", "ModelExchange")), r"not for co-simulation")
    refused(fmu("names", text=description(2, out="x" * 3000)), r"the name")
    refused(fmu("number", text=description(2).replace('valueReference="1"', 'valueReference="99999999999999"')), r"no number")
    refused(fmu("bomb_xml", text='<!DOCTYPE a [<!ENTITY b "' + "c" * 1000 + '"><!ENTITY d "&b;&b;&b;&b;">]><a>&d;</a>'), r"modelDescription.xml:1")
    refused(fmu("variable", text=description(2, out="other")), r"no variable 'out'")
    refused(fmu("causality", text=description(2).replace('"output"', '"local"')), r"no output of the FMU is called 'out'")
    refused(fmu("binary", binary=False), r"no library for this machine")
    refused(SCRATCH / "good2.fmu", r"there is no signal 'r/sped'; did you mean 'r/speed'", code=3, signal="sped")
    refused(SCRATCH / "good2.fmu", r"no whole number of steps", code=3, period=0.0015)


def cut(name, size):
    whole = (SCRATCH / "good2.fmu").read_bytes()
    path = SCRATCH / f"{name}.fmu"
    path.write_bytes(whole[:size] if size >= 0 else whole[:len(whole) + size])
    return path


def test_archives():
    refused(cut("cut", -40), r"no ZIP file|damaged")
    refused(cut("half", -4000), r"no ZIP file|damaged")
    refused(cut("none", 0), r"no ZIP file")
    broken = bytearray((SCRATCH / "good2.fmu").read_bytes())
    broken[60:70] = b"\xff" * 10
    (SCRATCH / "broken.fmu").write_bytes(broken)
    refused(SCRATCH / "broken.fmu", r"damaged|modelDescription")
    for i, name in enumerate(("../escaped", "resources/../../escaped", "/tmp/rut-escaped", "resources/../../../escaped", "a\\..\\b", "resources//x")):
        refused(fmu(f"slip{i}", more=[(name, "x")]), r"would not stay in its folder")
    check(not list(SCRATCH.parent.glob("escaped")) and not Path("/tmp/rut-escaped").exists() and not (SCRATCH / "escaped").exists(),
          "nothing is written elsewhere")
    warnings.simplefilter("ignore")
    refused(fmu("twice", more=[("resources/a", "1"), ("resources/a", "2")]), r"twice")
    refused(fmu("many", more=[(f"x/{i}", "") for i in range(10100)]), r"more than 10000 members")


def declare(path, size, other):
    """Let members of a size declare another one, in their own heads and in the directory."""
    data = path.read_bytes()
    check(struct.pack("<I", size) in data, f"{path.name}: sizes")
    path.write_bytes(data.replace(struct.pack("<I", size), struct.pack("<I", other)))


def test_bomb():
    """Members that unpack to more than 1 GiB together, and one that holds more than it declares."""
    bomb = fmu("bomb", more=[(f"resources/zeros{i}", bytes(123457)) for i in range(3)])
    declare(bomb, 123457, 400 << 20)
    refused(bomb, r"more than 1 GiB|damaged")
    huge = fmu("huge", more=[("resources/zeros", bytes(123457))])
    declare(huge, 123457, (1 << 30) + 1)
    refused(huge, r"more than 1 GiB")
    liar = fmu("liar", more=[("resources/zeros", bytes(1 << 22))])
    declare(liar, 1 << 22, 10)
    refused(liar, r"damaged")


def test_leaves_nothing():
    left = [p for p in SCRATCH.glob("temporary/*")]
    check(not left, f"temporary folders are left: {left}")


def main():
    if "minizip" not in subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=False, env={"PATH": "/sbin:/usr/sbin:/bin:/usr/bin"}).stdout:
        print("skipped: no minizip")
        return 77
    (SCRATCH / "temporary").mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(SCRATCH / "temporary")
    for test in (test_drives, test_drive, test_drive_errors, test_own, test_permission, test_misbehaving, test_descriptions, test_archives, test_bomb, test_leaves_nothing):
        test()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
