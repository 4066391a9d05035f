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


SIGNALS = """<?xml version="1.0"?>
<OpenDRIVE><header revMajor="1" revMinor="4"/><road id="1" length="100" junction="-1">
<planView><geometry s="0" x="10" y="0" hdg="1.5707963267948966" length="100"><line/></geometry></planView>
<lanes><laneSection s="0"><center><lane id="0" type="none"/></center><right><lane id="-1" type="driving"><width sOffset="0" a="3.5"/></lane>
<lane id="-2" type="shoulder"><width sOffset="0" a="2"/></lane></right></laneSection></lanes>
<signals><signal id="a" s="20" t="-5" zOffset="2.2" type="274" subtype="50" country="DE" orientation="-" dynamic="no" width="0.75"/>
<signal id="b" s="40" t="5" zOffset="0" height="3" type="1000001" dynamic="yes" orientation="+"/>
<signal id="c" s="60" t="-1.7" zOffset="5" type="101" dynamic="no" orientation="+"/>
<signal id="d" s="70" t="-4" type="101" dynamic="no" orientation="+"/></signals></road></OpenDRIVE>"""


def signals():
    """A road to the north from (10, 0): t = -5 at s = 20 is (15, 20). A sign against s faces south: -90 deg. What is in a lane hangs above it."""
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder) / "road.xodr", Path(folder) / "world.xml"
        file.write_text(SIGNALS, encoding="utf-8")
        done = rut("convert", file, "-o", out)
        check(done.returncode == 0, f"signals: {done.stderr}")
        for told in ("kept: 'a' of road '1', type 274-50 of DE, at (15, 20) m", "kept: 'b' of road '1', type 1000001, a light, at (5, 40) m",
                     "dropped, since it is in a lane: 'c'", "dropped: 'd' of road '1', type 101"):
            check(told in done.stderr, f"not told: {told} in {done.stderr}")
        signs = [dict(re.findall(r'(\w+)="([^"]*)"', part)) for part in re.findall(r"<scenery\b([^>]*)>", out.read_text(encoding="utf-8"))]
        check([sign["type"] for sign in signs] == ["sign", "pole"], f"{signs}")
        for sign, place, yaw in zip(signs, ((15, 20), (5, 40)), (-math.pi / 2, math.pi / 2)):
            for k in range(2):
                near(float(sign["places"].split()[k].strip(",")), place[k], 1e-9, "place of a sign")
            near(float(sign["yaw"].split()[0]), yaw, 1e-9, "heading of a sign")
        check(signs[0]["kind"] == "order" and signs[0]["height"] == "2.2 m" and signs[0]["plate"] == "0.75 m", f"{signs[0]}")
        done = rut("run", file, "--quiet", "--duration", 0.1)
        check(done.returncode == 0, f"signals: {done.stderr}")


def partly():
    """What rut does not read is told, and the rest of the file is driven: of two roads one has no length, of two sections the first."""
    text = re.sub(r"<signals>.*</signals>", '<surface><CRG file="a.crg"/></surface>', SIGNALS, flags=re.DOTALL)
    text = text.replace("<laneSection", '<laneSection s="0"><center><lane id="0"/></center></laneSection><laneSection', 1)
    text = text.replace("</OpenDRIVE>", '<road id="2" length="0"><planView/></road><include file="b.xml"/></OpenDRIVE>')
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "road.xodr"
        file.write_text(text, encoding="utf-8")
        done = rut("check", file)
        told = done.stdout + done.stderr
        check(done.returncode == 0, f"a file that is read in part: {told}")
        for part in ("dropped: the road '2'", "dropped: it has no length", "the surface 'a.crg'", "what 'b.xml' holds", "surface of 1 roads"):
            check(part in told, f"not told: {part} in {told}")
        check("a car drives in lane -1" in told, f"the later section does not hold: {told}")


def referred():
    """A file that refers to the one with the data ($ROAD_CRG_FILE): blocks of options and modifiers of the outer one hold, empty ones too;
    keys hold that are read last."""
    road = "REFERENCE_LINE_INCREMENT = 1\n$KD_DEFINITION\n#:LRFI\nD:long section at v = -1,m\nD:long section at v = 1,m\n$$$$\n" + "         0         0\n" * 3
    cases = {"": 6, "$ROAD_CRG_MODS\n": 4, "$ROAD_CRG_MODS\nREFLINE_OFFSET_X = 30\n": 34, "$ROAD_CRG\nREFERENCE_LINE_START_X = 9\n": 6,
             "after": 11}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "data").mkdir()
        (folder / "data" / "road.crg").write_text("$ROAD_CRG_MODS\nREFLINE_OFFSET_X = 2\n$ROAD_CRG\nREFERENCE_LINE_START_X = 4\n" + road)
        (folder / "data" / "middle.crg").write_text("$ROAD_CRG_FILE\nroad\n* a remark\n  .crg ! another\n")
        (folder / "circle.crg").write_text("$ROAD_CRG_FILE\ncircle.crg\n")
        (folder / "nowhere.crg").write_text("$ROAD_CRG_FILE\nnone.crg\n")
        for inner in ("road", "middle"):
            for text, x in cases.items():
                file = folder / "outer.crg"
                named = f"$ROAD_CRG_FILE\ndata/{inner}.crg\n"
                file.write_text(named + "$ROAD_CRG\nREFERENCE_LINE_START_X = 9\n" if text == "after" else text + named)
                out = folder / "out.xml"
                done = rut("convert", file, "-o", out)
                check(done.returncode == 0, f"{text}: {done.stderr}")
                position = re.search(r'<vehicle [^>]*position="(\S+)', out.read_text(encoding="utf-8")) if out.exists() else None
                check(position and float(position[1]) == x, f"{inner}, '{text}': the line begins at {position and position[1]}, not {x}")
        done = rut("run", folder / "outer.crg", "--quiet", "--duration", 0.1)
        check(done.returncode == 0, f"a road of two files: {done.stderr}")
        for name, told in (("circle", "in a circle"), ("nowhere", "nowhere.crg:1:1: error: '")):
            done = rut("check", folder / f"{name}.crg")
            check(done.returncode != 0 and told in done.stdout, f"{name}: {done}")


def others():
    for file in sorted(SHARED.glob("data/open*/*.*")):
        if file.suffix in (".xodr", ".crg"):
            done = rut("run", file, "--quiet", "--duration", 0.2)
            check(done.returncode == 0, f"{file}: {done.stderr}")


own()
paths()
signals()
partly()
referred()
others()
raise SystemExit(verdict())
