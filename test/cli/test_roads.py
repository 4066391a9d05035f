#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Roads of OpenDRIVE and OpenCRG: own ones are driven, converted and give paths; those of others are read."""
import math
import re
import tempfile
from pathlib import Path

from harness import SHARED, SOURCE, check, near, rut, verdict

ROADS = SOURCE / "worlds" / "roads"


def own():
    with tempfile.TemporaryDirectory() as folder:
        for name, told in (("course.xodr", "kept: the surface of 8 roads, 15 objects as blocks"),
                           ("rough.crg", "kept: 241 rows of 6 heights, 60 m long, 4 m wide")):
            out = Path(folder) / "world.xml"
            done = rut("convert", ROADS / name, "-o", out)
            check(done.returncode == 0 and told in done.stderr, f"{name}: {done.stderr}")
            text = out.read_text(encoding="utf-8")
            check(f'type="open{"drive" if "xodr" in name else "crg"}"' in text, f"{name}: no terrain in {text[:400]}")
            hashes = [rut("run", file, "--quiet", "--duration", 1, "--json", "--allow-dir", ROADS).stdout.split('"hash": ')[1][:20]
                      for file in (ROADS / name, out)]
            check(hashes[0] == hashes[1], f"{name}: the converted world runs differently: {hashes}")


def paths():
    """The middle of lane -1 of road 1: 1.75 m to the right of a straight line, then of a banked arc of 40 m."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "course.xodr").write_bytes((ROADS / "course.xodr").read_bytes())
        world = Path(folder) / "world.xml"

        def points(attributes):
            world.write_text("<world><vehicle name='a'><chassis mass='1 kg'/><wheel place='left' position='0 1'/><wheel place='right' "
                             "position='0 -1'/><tyre type='coulomb'/><drive type='direct'/><controller type='waypoints'><value "
                             f"field='points' file='course.xodr' {attributes}/></controller></vehicle></world>", encoding="utf-8")
            out = Path(folder) / "out.xml"
            done = rut("convert", world, "-o", out)
            if done.returncode:
                return done.stderr
            text = out.read_text(encoding="utf-8")
            listed = re.search(r'[" ]points(?:">|=")([^<"]*)', text).group(1)
            numbers = [float(x) for x in listed.replace(" m", "").replace(",", " ").split()]
            return list(zip(numbers[::2], numbers[1::2]))

        forward = points("road='1' lane='-1'")
        near(forward[0][1], -1.75, 1e-9, "y of the start of lane -1")
        # the arc's centre: from the end of the spiral of 30 m, 40 m along its normal
        spiral = [(i + 0.5) * 30 / 20000 for i in range(20000)]
        x = 80 + sum(math.cos(s * s / 2400) for s in spiral) * 30 / 20000 - 40 * math.sin(0.375)
        y = sum(math.sin(s * s / 2400) for s in spiral) * 30 / 20000 + 40 * math.cos(0.375)
        on_arc = [p for p in forward if p[0] > 115 and 20 < p[1] < 60]
        check(len(on_arc) > 5, f"{len(on_arc)} points of the arc")
        for px, py in on_arc:
            # banked by 0.12 rad: 1.75 m along the surface
            near(math.hypot(px - x, py - y), 40 + 1.75 * math.cos(0.12), 1e-5, "distance from the arc's centre")
        backward = points("road='1' lane='1'")
        near(backward[-1][1], 1.75, 1e-9, "y of the end of lane 1, which is driven against s")
        near(backward[-1][0], 0, 1e-6, "x of it")
        turned = points("road='2 11 4' lane='-1'")
        near(turned[-1][0] > 35 and turned[-1][1] > 130, True, 0, "the path turns off to the side road")
        wrong = points("road='1 77' lane='-1'")
        check("the file has no road '77'" in wrong and "world.xml:1" in wrong, f"{wrong}")
        wrong = points("road='1' lane='-9'")
        check("has no lane -9" in wrong, f"{wrong}")


def others():
    for file in sorted(SHARED.glob("data/open*/*.*")):
        if file.suffix in (".xodr", ".crg"):
            done = rut("run", file, "--quiet", "--duration", 0.2)
            check(done.returncode == 0, f"{file}: {done.stderr}")


own()
paths()
others()
verdict()
