#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Models and worlds of Gazebo (SDF): rut's example, frames and joints by hand, an articulated steering of old, a world with obstacles, and a
robot that is the same as a URDF and as SDF."""
import csv
import json
import math
import re
import tempfile
from pathlib import Path

from harness import SOURCE, check, near, rut, verdict

SCOUT = SOURCE / "worlds" / "vehicles" / "scout.sdf"
BODY = """<link name="{0}">{1}<inertial><mass>{2}</mass><inertia><ixx>{3}</ixx><iyy>{3}</iyy><izz>{4}</izz></inertia></inertial>
  <collision name="c">{5}<geometry>{6}</geometry></collision></link>"""
DISC = "<cylinder><radius>0.1</radius><length>0.05</length></cylinder>"


def body(name, pose, mass, inertia, spin, shape, offset=""):
    return BODY.format(name, f"<pose>{pose}</pose>" if pose else "", mass, inertia, spin, f"<pose>{offset}</pose>" if offset else "", shape)


def joint(name, kind, parent, child, rest):
    return f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{rest}</joint>'


def convert(text, folder, name="robot.sdf"):
    file, out = Path(folder) / name, Path(folder) / "out.xml"
    file.write_text(text, encoding="utf-8")
    done = rut("convert", file, "-o", out)
    check(done.returncode == 0, f"convert: {done.stderr}")
    return (out.read_text(encoding="utf-8") if done.returncode == 0 else ""), done.stderr


def fields(xml, element, nth=0):
    part = re.findall(rf"<{element}\b([^>]*)>", xml)[nth]
    return dict(re.findall(r'(\w+)="([^"]*)"', part))


def numbers(text):
    return [float(part.strip(",")) for part in re.findall(r"-?[\d.]+(?:e-?\d+)?", text)]


def drive(file, name, settings, duration=6):
    with tempfile.TemporaryDirectory() as folder:
        words = [word for setting in settings for word in ("--set", f"{name}/controller.{setting}")]
        done = rut("run", file, "--quiet", "--duration", duration, "--csv", folder, "--csv-rate", 20, *words)
        check(done.returncode == 0, f"{file}: {done.stderr}")
        with open(Path(folder) / f"{name}.csv", encoding="utf-8") as text:
            row = list(csv.DictReader(text))[-1]
    return float(row["velocity_x [m/s]"]), float(row["yaw_rate [rad/s]"])


def example():
    with tempfile.TemporaryDirectory() as folder:
        xml, told = convert(SCOUT.read_text(encoding="utf-8"), folder, "scout.sdf")
        for text in ("kept: 20 kg in 5 links as a differential drive", "guessed: 'caster' is a caster"):
            check(text in told, f"convert does not say '{text}': {told}")
        chassis = fields(xml, "chassis")
        near(numbers(chassis["com"])[0], 1.1 / 17, 1e-12, "centre of mass: 14 x 0.05 + 1 x 0.2 + 2 x 0.1 over 17")
        # each body's own, and m d^2 about the common centre of mass
        near(numbers(chassis["yaw_inertia"])[0], 0.4106 + 14 * 0.05**2 + 0.2**2 + 2 * 0.1**2 - 1.1**2 / 17, 1e-12, "yaw inertia")
        near(numbers(fields(xml, "sensor", 1)["z"])[0], 0.55, 1e-12, "height of the scanner on the mast")
        check(numbers(fields(xml, "wheel")["position"]) == [-0.1, 0.2], f"left wheel: {fields(xml, 'wheel')}")
        hashes = [json.loads(rut("run", file, "--quiet", "--duration", 1, "--json", "--set", "scout/controller.speed=1").stdout)["hash"]
                  for file in (SCOUT, Path(folder) / "out.xml")]
        check(hashes[0] == hashes[1], f"the converted robot drives differently: {hashes}")
        world = Path(folder) / "world.xml"
        world.write_text('<world><vehicle file="scout.sdf" name="a" position="1 2"/><vehicle file="scout.sdf" name="b"/></world>', encoding="utf-8")
        done = rut("check", world)
        check(done.returncode == 0, f"two robots: {done}")
    v, w = drive(SCOUT, "scout", ["speed=1", "yaw_rate=0.8"])
    near(v, 1, 0.005, "speed")
    near(w, 0.8, 0.005, "turn rate")


def frames():
    """A wheel whose joint is beside its link's frame turns about the joint; poses relative to others; quaternions. The left wheel's link is
    at x = 0.3, its joint at 0.3 - 0.1 sin(90 deg) in a frame turned by 90 deg about z."""
    half = math.sqrt(0.5)
    left = f"""<frame name="turned"><pose rotation_format="quat_xyzw">0.3 0.25 0.1 0 0 {half} {half}</pose></frame>
      <link name="l"><pose relative_to="turned"/><inertial><mass>1</mass><inertia><ixx>0.003</ixx><iyy>0.003</iyy><izz>0.003</izz></inertia></inertial>
      <collision name="c"><pose>0 0.1 0 0 1.5707963267948966 0</pose><geometry>{DISC}</geometry></collision></link>
      <joint name="lj" type="continuous"><pose>0 0.1 0 0 0 0</pose><parent>base</parent><child>l</child><axis><xyz>1 0 0</xyz></axis></joint>"""
    right = body("r", "0.2 -0.25 0.1 0 0 0", 1, 0.003, 0.003, DISC, "0 0 0 1.5707963267948966 0 0") + \
        joint("rj", "revolute", "base", "r", "<axis><xyz>0 1 0</xyz></axis>")
    base = body("base", "0 0 0.1 0 0 0", 10, 0.3, 0.3, "<box><size>0.4 0.3 0.1</size></box>")
    with tempfile.TemporaryDirectory() as folder:
        xml, _ = convert(f'<sdf version="1.7"><model name="m">{base}{left}{right}</model></sdf>', folder)
        wheels = {fields(xml, "wheel", i)["name"]: fields(xml, "wheel", i) for i in range(2)}
        for name, place in (("l", (0.2, 0.25)), ("r", (0.2, -0.25))):
            for value, reference in zip(numbers(wheels[name]["position"]), place):
                near(value, reference, 1e-9, f"place of the wheel {name}")
            near(numbers(wheels[name]["radius"])[0], 0.1, 1e-12, f"radius of {name}")
        loop = f'<sdf version="1.7"><model name="m">{base}{right}<frame name="a"><pose relative_to="b"/></frame><frame name="b">' \
            '<pose relative_to="a"/></frame></model></sdf>'
        (Path(folder) / "loop.sdf").write_text(loop, encoding="utf-8")
        done = rut("check", Path(folder) / "loop.sdf")
        check(done.returncode != 0 and "go round in a circle" in done.stderr + done.stdout, f"frames in a circle: {done}")


def car():
    """Steered and driven by joints of two axes, as models of Gazebo classic have them: yaw rate 0.5 at 1 m/s is a circle of 2 m."""
    parts = [body("base", "0.25 0 0.15 0 0 0", 20, 1, 1.2, "<box><size>0.8 0.3 0.15</size></box>")]
    turned = "0 0 0 -1.5707963267948966 0 0"
    for name, y in (("rl", 0.2), ("rr", -0.2)):
        parts += [body(name, f"0 {y} 0.1 0 0 0", 1, 0.004, 0.004, DISC, turned), joint(name + "_j", "revolute", "base", name, "<axis><xyz>0 1 0</xyz></axis>")]
    for name, y in (("fl", 0.2), ("fr", -0.2)):
        axes = "<axis><xyz>0 0 1</xyz><limit><lower>-0.6</lower><upper>0.6</upper></limit></axis><axis2><xyz>0 1 0</xyz></axis2>"
        parts += [body(name, f"0.5 {y} 0.1 0 0 0", 1, 0.004, 0.004, DISC, turned), joint(name + "_j", "revolute2", "base", name, axes)]
    with tempfile.TemporaryDirectory() as folder:
        text = f'<sdf version="1.5"><model name="car">{"".join(parts)}</model></sdf>'
        xml, told = convert(text, folder)
        check("kept: 24 kg in 5 links as a vehicle that steers" in told, f"the car: {told}")
        check(xml.count('steered="true"') == 2, "two wheels steer")
        v, w = drive(Path(folder) / "robot.sdf", "car", ["speed=1", "yaw_rate=0.5"])
        near(v, 1, 0.005, "speed of the car")
        near(w, 0.5, 0.005, "turn rate of the car")


def skid():
    """Four wheels by the plug-in of Gazebo classic; what is fixed at the world is let go."""
    parts = [body("base", "0 0 0.15 0 0 0", 20, 1, 1.2, "<box><size>0.8 0.3 0.15</size></box>"), joint("hold", "fixed", "world", "base", "")]
    for name, x, y in (("lf", 0.25, 0.2), ("rf", 0.25, -0.2), ("lr", -0.25, 0.2), ("rr", -0.25, -0.2)):
        parts += [body(name, f"{x} {y} 0.1 0 0 0", 1, 0.004, 0.004, DISC, "0 0 0 1.5707963267948966 0 0"),
                  joint(name + "_j", "revolute", "base", name, "<axis><xyz>0 1 0</xyz></axis>")]
    parts.append('<plugin name="d" filename="libSkidSteerDrivePlugin.so"><right_front>rf_j</right_front><left_front>lf_j</left_front>'
                 "<right_rear>rr_j</right_rear><left_rear>lr_j</left_rear></plugin>")
    with tempfile.TemporaryDirectory() as folder:
        _, told = convert(f'<sdf version="1.6"><model name="s">{"".join(parts)}</model></sdf>', folder)
        check("as a skid-steered vehicle, with 4 wheels, 4 of them driven" in told, f"the skid-steered one: {told}")
        check("holds the model at the world" in told, f"a joint with the world: {told}")


def world():
    """A world: a robot at its pose, a wall and a post that stand, a crate that can be pushed, the ground, gravity of the Moon."""
    scout = SCOUT.read_text(encoding="utf-8")
    model = scout[scout.index("<model"):scout.rindex("</sdf>")].replace('<model name="scout">', '<model name="scout"><pose>1 2 0 0 0 0.5</pose>', 1)
    box = '<model name="{0}"><static>{1}</static><pose>{2}</pose><link name="l"><inertial><mass>7</mass></inertial><collision name="c">' \
          "<geometry>{3}</geometry></collision></link></model>"
    text = '<sdf version="1.9"><world name="w"><gravity>0 0 -1.62</gravity><spherical_coordinates><latitude_deg>45</latitude_deg>' \
        "<longitude_deg>-90</longitude_deg></spherical_coordinates><include><uri>model://sun</uri></include><include><uri>model://house</uri></include>" \
        '<model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal></plane></geometry>' \
        "</collision></link></model>" + model + \
        box.format("wall", "true", "5 0 0.5 0 0 1.5707963267948966", "<box><size>4 0.2 1</size></box>") + \
        box.format("post", "true", "-3 1 1 0 0 0", "<cylinder><radius>0.15</radius><length>2</length></cylinder>") + \
        box.format("crate", "false", "3 3 0.25 0 0 0.3", "<box><size>0.5 0.4 0.5</size></box>") + "</world></sdf>"
    with tempfile.TemporaryDirectory() as folder:
        xml, told = convert(text, folder, "world.sdf")
        check("kept: 1 vehicles and 3 blocks" in told, f"the world: {told}")
        check("the model 'model://house' is not found" in told and "'model://sun' is" not in told, f"includes: {told}")
        near(numbers(fields(xml, "world")["gravity"])[0], 1.62, 1e-12, "gravity")
        near(numbers(fields(xml, "world")["latitude"])[0], math.pi / 4, 1e-12, "latitude")
        vehicle = fields(xml, "vehicle")
        check(numbers(vehicle["position"]) == [1, 2], f"place of the robot: {vehicle}")
        near(numbers(vehicle["yaw"])[0], 0.5, 1e-12, "heading of the robot")
        wall, crate = fields(xml, "block"), fields(xml, "block", 2)
        outline = numbers(wall["outline"])
        near(max(outline[0::2]), 0.1, 1e-9, "half of the wall's thickness along x, turned by 90 degrees")
        near(max(outline[1::2]), 2, 1e-9, "half of its length along y")
        near(numbers(wall["z_max"])[0], 1, 1e-9, "height of the wall")
        check(wall["fixed"] == "true" and crate["fixed"] == "false", "what is static is fixed")
        near(numbers(crate["mass"])[0], 7, 1e-12, "mass of the crate")
        done = rut("run", Path(folder) / "world.sdf", "--quiet", "--duration", 1, "--set", "scout/controller.speed=0.5")
        check(done.returncode == 0, f"the world runs: {done.stderr}")


def models(folder):
    """Folders of models: a crate whose model.config names three versions, a rover of a body, a wheel and the same wheel merged, and two that
    include each other."""
    crate = '<sdf version="1.10"><model name="crate"><pose>9 9 9 0 0 0</pose><static>true</static><link name="l"><inertial><mass>7</mass>' \
        '</inertial><collision name="c"><geometry><box><size>0.5 0.4 0.5</size></box></geometry></collision></link></model></sdf>'
    wheel = f'<sdf version="1.9"><model name="wheel">{body("disc", "", 1, 0.003, 0.003, DISC, "0 0 0 1.5707963267948966 0 0")}</model></sdf>'
    rover = '<sdf version="1.9"><model name="rover">' + body("base", "0 0 0.1 0 0 0", 10, 0.3, 0.3, "<box><size>0.4 0.3 0.1</size></box>") + \
        "<include><uri>model://wheel</uri><name>left</name><pose>0.1 0.2 0.1 0 0 0</pose></include>" \
        '<include merge="true"><uri>../wheel</uri><pose>0.1 -0.2 0.1 0 0 0</pose></include>' + \
        joint("lj", "continuous", "base", "left::disc", "<axis><xyz>0 1 0</xyz></axis>") + \
        joint("rj", "continuous", "base", "disc", "<axis><xyz>0 1 0</xyz></axis>") + \
        "<include><uri>model://arm</uri></include>" + joint("aj", "fixed", "base", "arm::l", "") + "</model></sdf>"
    config = "".join(f'<sdf version="{version}">{version}.sdf</sdf>' for version in ("1.9", "1.10", "1.4"))
    for name, text in {"crate/1.10.sdf": crate, "crate/1.9.sdf": "<sdf/>", "crate/1.4.sdf": "<sdf/>", "wheel/model.sdf": wheel,
                       "crate/model.config": f"<model><name>c</name>{config}</model>", "rover/model.sdf": rover,
                       "hen/model.sdf": '<sdf version="1.9"><model name="h"><include><uri>model://egg</uri></include></model></sdf>',
                       "egg/model.sdf": '<sdf version="1.9"><model name="e"><include><uri>model://hen</uri></include></model></sdf>'}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def includes():
    """What <include>s name: beside the file and in --models; names, poses and static of the <include> go before the model's. The second crate
    stands 1 m along x in the frame of the first, which is turned by 0.5 rad."""
    inside = "<include><uri>model://sun</uri></include><include><uri>model://crate</uri><pose>3 1 0.25 0 0 0.5</pose></include>" \
        '<include><uri>crate</uri><static>0</static><pose relative_to="crate">1 0 0 0 0 0</pose></include>' \
        "<include><uri>model://rover/model.sdf</uri><name>r</name><pose>-1 2 0 0 0 0.25</pose></include>" \
        "<include><uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Big%20House</uri></include>"
    text = '<sdf version="1.9"><world name="w">{}</world></sdf>'
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        models(folder / "models")
        xml, told = convert(text.format(inside), folder / "models", "world.sdf")
        check("kept: 1 vehicles and 2 blocks" in told, f"the world: {told}")
        check("as a folder 'Big House' in a folder of --models DIR" in told and "model://sun' is" not in told, f"what is not there: {told}")
        check("it is called 'crate_1'" in told, f"two of a name: {told}")
        check("'model://arm' is not found" in told and "its link 'arm::l' is not here" in told, f"an arm that is not there: {told}")
        fixed, pushed = fields(xml, "block"), fields(xml, "block", 1)
        check(fixed["fixed"] == "true" and pushed["fixed"] == "false", "static of the <include>")
        check(numbers(fixed["position"]) == [3, 1], f"pose of the <include>: {fixed}")
        near(numbers(pushed["position"])[0], 3 + math.cos(0.5), 1e-12, "relative to another model, x")
        near(numbers(pushed["position"])[1], 1 + math.sin(0.5), 1e-12, "relative to another model, y")
        vehicle = fields(xml, "vehicle")
        check(vehicle["name"] == "r" and numbers(vehicle["position"]) == [-1, 2], f"the rover: {vehicle}")
        wheels = {fields(xml, "wheel", i)["name"]: numbers(fields(xml, "wheel", i)["position"]) for i in range(2)}
        check(wheels == {"left__disc": [0.1, 0.2], "disc": [0.1, -0.2]}, f"wheels from a file of their own: {wheels}")
        # elsewhere, they are found by --models alone, or beside in a folder called models
        away = folder / "away" / "world.sdf"
        away.parent.mkdir()
        away.write_text(text.format(inside), encoding="utf-8")
        check("1 vehicles and 2 blocks" in rut("check", away, "--models", folder / "models").stdout, "--models")
        check("1 vehicles and 2 blocks" in rut("check", away).stdout, "models beside the folder of the world")
        away.write_text(text.format("<include><uri>model://barn</uri></include>"), encoding="utf-8")
        done = rut("check", away)
        check(done.returncode == 3 and "nothing is left of it: 1 of its models" in done.stdout, f"nothing left: {done}")
        away.write_text(text.format("<include><uri>model://hen</uri></include>"), encoding="utf-8")
        done = rut("check", away)
        chain = [done.stdout.find(name, done.stdout.find("a model includes itself")) for name in ("hen/", "egg/", "hen/")]
        check(done.returncode == 3 and -1 < chain[0] < chain[1], f"a model in itself: {done}")


def placement():
    """Models placed by a frame in them, Y, are at X Y^-1 with the pose X of that: here Y is 1.5 m ahead and turned to the left, so that the model is
    1.5 m to the left of X, turned to the right. Links that an <include> brings and merges are placed likewise."""
    turn = "0 0 1.5707963267948966"
    link = '<link name="l"><pose>0.5 0 0 0 0 0</pose><inertial><mass>7</mass></inertial><collision name="c"><geometry><box><size>1 1 1</size>' \
        '</box></geometry></collision></link>'
    crate = f'<model name="crate" {{}}>{link}<frame name="f" attached_to="l"><pose>1 0 0 {turn}</pose></frame>{{}}</model>'
    inside = crate.format('placement_frame="f"', "<pose>5 2 0 0 0 0</pose>") + \
        "<include><uri>model://crate</uri><name>c2</name><placement_frame>f</placement_frame><pose>7 2 0 0 0 0</pose></include>" \
        "<include><uri>model://crate</uri><name>c3</name><pose>9 2 0 0 0 0</pose></include>" \
        "<include><uri>model://rover</uri></include>"
    text = '<sdf version="1.9"><world name="w">{}</world></sdf>'
    wheel = '<sdf version="1.9"><model name="wheel">{}<frame name="hub" attached_to="disc"><pose>0 0.05 0 0 0 0</pose></frame></model></sdf>'
    rover = '<sdf version="1.9"><model name="rover">' + body("base", "0 0 0.1 0 0 0", 10, 0.3, 0.3, "<box><size>0.4 0.3 0.1</size></box>") + \
        "<include><uri>model://wheel</uri><name>left</name><placement_frame>hub</placement_frame><pose>0.1 0.25 0.1 0 0 0</pose></include>" \
        '<include merge="true"><uri>model://wheel</uri><placement_frame>hub</placement_frame><pose>0.1 -0.15 0.1 0 0 0</pose></include>' + \
        joint("lj", "continuous", "base", "left::disc", "<axis><xyz>0 1 0</xyz></axis>") + \
        joint("rj", "continuous", "base", "disc", "<axis><xyz>0 1 0</xyz></axis>") + "</model></sdf>"
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        disc = body("disc", "", 1, 0.003, 0.003, DISC, "0 0 0 1.5707963267948966 0 0")
        for name, it in {"crate": '<sdf version="1.9">' + crate.format("", "") + "</sdf>", "wheel": wheel.format(disc), "rover": rover}.items():
            (folder / name).mkdir()
            (folder / name / "model.sdf").write_text(it, encoding="utf-8")
        xml, told = convert(text.format(inside), folder, "world.sdf")
        # f is at (1.5, 0) of the model
        for i, (x, y, yaw) in enumerate([(5, 3.5, -90), (7, 3.5, -90), (9, 2, 0)]):
            block = fields(xml, "block", i)
            at = numbers(block["position"])
            near(at[0], x, 1e-12, f"crate {i}, x of {told}")
            near(at[1], y, 1e-12, f"crate {i}, y")
            near(numbers(block.get("yaw", "0"))[0], math.radians(yaw), 1e-9, f"crate {i}, yaw")
        wheels = {fields(xml, "wheel", i)["name"]: numbers(fields(xml, "wheel", i)["position"]) for i in range(2)}
        near(wheels["left__disc"][1], 0.2, 1e-12, "a wheel placed by its hub")
        near(wheels["disc"][1], -0.2, 1e-12, "a merged wheel placed by its hub")
        for bad, told in (("<include><uri>model://crate</uri><placement_frame>f</placement_frame></include>", "needs <pose> beside it"),
                          (crate.format('placement_frame="g"', ""), "there is no frame 'g' in it"),
                          (crate.format('placement_frame="f"', '<frame name="f2" attached_to="f"/>').replace('attached_to="l"', 'attached_to="f2"'), "circle")):
            away = folder / "bad.sdf"
            away.write_text(text.format(bad), encoding="utf-8")
            done = rut("check", away)
            check(done.returncode == 3 and told in done.stdout, f"{told}: {done}")


def included_urdf():
    """A URDF in a world, twice: each is a vehicle where its <include> says, the second 1 m ahead of the first. An attribute that looks as if
    it were of ours reads nothing."""
    include = "<include {}><uri>{}</uri><name>{}</name><pose {}>{}</pose></include>"
    text = '<sdf version="1.9"><world name="w">' + include.format("", "model://cart/cart.urdf", "a", "", "1 2 0 0 0 0.5") + \
        include.format('urdf="/etc/hostname"', "cart/cart.urdf", "b", 'relative_to="a"', "1 0 0 0 0 0") + '<light urdf="/etc/hostname"/></world></sdf>'
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "models" / "cart"
        folder.mkdir(parents=True)
        cart = SOURCE / "worlds" / "vehicles" / "cart.urdf"
        (folder / "cart.urdf").write_bytes(cart.read_bytes())
        xml, told = convert(text, Path(scratch) / "models", "world.sdf")
        check("kept: 2 vehicles and 0 blocks" in told and "hostname" not in told, f"two carts: {told}")
        a, b = fields(xml, "vehicle"), fields(xml, "vehicle", 1)
        check((a["name"], b["name"]) == ("a", "b") and numbers(a["position"]) == [1, 2], f"the first cart: {a}, {b}")
        near(numbers(b["position"])[0], 1 + math.cos(0.5), 1e-12, "the second cart, x")
        near(numbers(b["position"])[1], 2 + math.sin(0.5), 1e-12, "the second cart, y")
        near(numbers(b["yaw"])[0], 0.5, 1e-12, "the second cart, yaw")


example()
includes()
included_urdf()
placement()
frames()
car()
skid()
world()
raise SystemExit(verdict())
