#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut dataset, read as the development kits of KITTI and COCO describe their files: corners of 3-D boxes projected by
the calibration enclose the 2-D boxes, points of the lidar fall into the 3-D boxes, masks give areas and boxes; the same
bytes again, in pieces, and by other numbers of threads; what is refused."""
import json
import math
import os
import struct
import subprocess
import sys
from pathlib import Path

from harness import SOURCE, check, faults, rut
from png_reader import read_png

STREET = str(SOURCE / "worlds" / "dataset.xml")
SMALL = ("--set", "ego/camera.width=160", "--set", "ego/camera.height=60")
# A camera that is neither level nor upright, a lidar beside it, and things of three classes.
TILTED = """<world timestep="10 ms">
  <block name="van" fixed="true" shape="box" size="4 2 1.8" position="11 1" yaw="30 deg"><material class="Van"/></block>
  <block name="crate" fixed="true" shape="box" size="1 1 1" position="6 -1.5"/>
  <block name="tall" fixed="true" shape="cylinder" radius="0.4" z_max="3" position="9 -3"><material class="person"/></block>
  <sensor type="camera" name="eye" period="0.1" z="2" pitch="12 deg" roll="7 deg" yaw="-3 deg" width="320" height="200" fov="80 deg"/>
  <sensor type="lidar" name="top" preset="vlp16" x="0.3" y="-0.2" z="2.4" yaw="20 deg"/>
</world>"""


def dataset(*words):
    done = rut("dataset", *words)
    check(done.returncode == 0, f"{words}: {done.returncode} {done.stderr}")


def files(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(Path(folder).rglob("*")) if p.is_file()}


# ---- KITTI ----

def calibration(path):
    rows = {}
    for line in Path(path).read_text(encoding="ascii").splitlines():
        name, numbers = line.split(":")
        rows[name] = [float(n) for n in numbers.split()]
    return rows


def apply(rows, columns, point):
    """A row-major matrix times a point, with 1 as its last number if there is one more column."""
    full = list(point) + [1.0] * (columns - len(point))
    return [sum(rows[i * columns + k] * full[k] for k in range(columns)) for i in range(3)]


def kitti_labels(path):
    for line in Path(path).read_text(encoding="ascii").splitlines():
        words = line.split(" ")
        check(len(words) == 15, f"15 columns: {line}")
        yield words[0], [float(w) for w in words[1:]]


def kitti_corners(number):
    """As computeBox3D of the development kit."""
    height, width, length, x, y, z, turn = number[7:14]
    s, c = math.sin(turn), math.cos(turn)
    for i in range(8):
        dx = (0.5 if i & 1 else -0.5) * length
        dz = (0.5 if i & 2 else -0.5) * width
        yield (x + c * dx + s * dz, y - (height if i & 4 else 0), z - s * dx + c * dz)


def kitti_frame(folder, frame, corners):
    base = Path(folder) / "training"
    calib = calibration(base / "calib" / f"{frame:06d}.txt")
    width, height, _, _ = read_png((base / "image_2" / f"{frame:06d}.png").read_bytes())
    cloud = (base / "velodyne" / f"{frame:06d}.bin").read_bytes()
    check(len(cloud) % 16 == 0 and cloud, "records of 16 bytes")
    points = [struct.unpack_from("<4f", cloud, i) for i in range(0, len(cloud), 16)]
    check(all(0 <= p[3] <= 1 for p in points), "reflectances from 0 to 1")
    level = [apply(calib["R0_rect"], 3, apply(calib["Tr_velo_to_cam"], 4, p[:3])) for p in points]
    # the ground is level there: the points on it are 2 m, or 1.65 m, below the camera
    seen = {}
    for kind, n in kitti_labels(base / "label_2" / f"{frame:06d}.txt"):
        seen[kind] = seen.get(kind, 0) + 1
        truncated, occluded, alpha, left, top, right, bottom = n[:7]
        check(0 <= truncated <= 1 and occluded in (0, 1, 2), n)
        check(0 <= left < right <= width - 1 and 0 <= top < bottom <= height - 1, n)
        wanted = n[13] - math.atan2(n[10], n[12])
        check(abs(math.remainder(alpha - wanted, 2 * math.pi)) < 1e-5, f"alpha of {kind}: {n}")
        pixels = []
        for corner in kitti_corners(n):
            u, v, w = apply(calib["P2"], 4, corner)
            if w > 0.1:
                pixels.append((u / w, v / w))
        if len(pixels) < 8:
            continue
        box = [min(p[0] for p in pixels), min(p[1] for p in pixels), max(p[0] for p in pixels),
               max(p[1] for p in pixels)]
        limit = [width - 1, height - 1] * 2
        cut = [min(max(b, 0), m) for b, m in zip(box, limit)]
        if corners:
            check(all(abs(a - b) < 2e-3 for a, b in zip(cut, (left, top, right, bottom))),
                  f"{kind}: corners {cut}, box {n[3:7]}")
        else:
            check(box[0] - 0.51 <= left and box[1] - 0.51 <= top and right <= box[2] + 0.51 and bottom <= box[3] + 0.51,
                  f"{kind}: pixels {n[3:7]} within {box}")
        # points in the image that are nearer than the far side and within the box belong to it
        inside = 0
        for p in level:
            dx, dz = p[0] - n[10], p[2] - n[12]
            s, c = math.sin(n[13]), math.cos(n[13])
            along, across = c * dx - s * dz, s * dx + c * dz
            inside += (abs(along) < n[9] / 2 + 0.1 and abs(across) < n[8] / 2 + 0.1 and
                       n[11] - n[7] - 0.1 < p[1] < n[11] - 0.05)
        if kind == "Van":
            check(inside > 20, f"points in the box of the van: {inside}")
    return seen


def kitti():
    Path("tilted.xml").write_text(TILTED, encoding="utf-8")
    dataset("tilted.xml", "-o", "tilted", "-n", "2", "--corners", "-q")
    seen = kitti_frame("tilted", 1, True)
    check(seen == {"Van": 1, "Misc": 1, "Pedestrian": 1}, seen)
    dataset("tilted.xml", "-o", "pixels", "-n", "1", "-q")
    kitti_frame("pixels", 0, False)
    dataset(STREET, *SMALL, "-o", "street", "-n", "4", "-q")
    for frame in range(4):
        seen = kitti_frame("street", frame, False)
        check(seen.get("Car", 0) > 1, seen)
    names = {name.split("/")[1] for name in files("street") if "/" in name}
    check(names == {"image_2", "label_2", "calib", "velodyne"}, names)
    images = [v for k, v in files("street").items() if "image_2" in k]
    check(len(set(images)) == 4, "each frame is of another street")


# ---- COCO ----

def coco():
    dataset("tilted.xml", "-o", "coco", "--format", "coco", "-n", "2", "-q")
    told = json.loads(Path("coco/annotations/instances.json").read_text(encoding="utf-8"))
    check([c["name"] for c in told["categories"]] == ["Van", "ground", "obstacle", "person", "vehicle", "wall"], told["categories"])
    check([i["id"] for i in told["images"]] == [1, 2], told["images"])
    check(len({a["id"] for a in told["annotations"]}) == len(told["annotations"]) == 6, "numbers of annotations")
    rut("sense", "tilted.xml", "eye", "--image", "instance", "-o", "instance.png", "--time", "0.1")
    width, height, truth, _ = read_png(Path("instance.png").read_bytes())
    numbers = {n for row in truth for n in row}
    for a in told["annotations"]:
        check(a["image_id"] in (1, 2) and a["iscrowd"] == 0, a)
        check(a["segmentation"]["size"] == [height, width], "size of the mask")
        counts = a["segmentation"]["counts"]
        check(sum(counts) == width * height and all(c > 0 for c in counts[1:]), "runs")
        mask, at = [], 0
        for i, run in enumerate(counts):
            if i % 2:
                mask += range(at, at + run)
            at += run
        check(len(mask) == a["area"], "area")
        columns, rows = [m // height for m in mask], [m % height for m in mask]
        box = [min(columns), min(rows), max(columns) - min(columns) + 1, max(rows) - min(rows) + 1]
        check(box == a["bbox"], f"{box} is not {a['bbox']}")
        if a["image_id"] == 1:
            under = {truth[r][c] for r, c in zip(rows, columns)}
            check(len(under) == 1 and under <= numbers, "one instance under a mask")
            value = under.pop()
            check(sum(row.count(value) for row in truth) == a["area"], "all of its pixels")
        low = a["amodal_bbox"]
        check(low[0] <= box[0] + 0.51 and low[0] + low[2] >= box[0] + box[2] - 0.51, "pixels within the projected box")
    read_png(Path("coco/images/000001.png").read_bytes())
    # the same numbers whatever is seen: here nothing is, and a choice of classes in its own order
    dataset("tilted.xml", "-o", "turned", "--format", "coco", "-n", "1", "-q", "--set", "eye.yaw=180 deg")
    blind = json.loads(Path("turned/annotations/instances.json").read_text(encoding="utf-8"))
    check(blind["categories"] == told["categories"] and not blind["annotations"], blind)
    dataset("tilted.xml", "-o", "chosen", "--format", "coco", "-n", "1", "-q", "--classes", "person,bear,Van")
    chosen = json.loads(Path("chosen/annotations/instances.json").read_text(encoding="utf-8"))
    check([c["name"] for c in chosen["categories"]] == ["person", "bear", "Van"], chosen["categories"])
    check(sorted(a["category_id"] for a in chosen["annotations"]) == [1, 3], "people and vans")
    for names in ("person,,Van", "Van,Van", "", "x" * 2000):
        done = rut("dataset", "tilted.xml", "-o", "wrong", "--format", "coco", "-n", "1", "-q", "--classes", names)
        check(done.returncode == 2 and "--classes" in done.stderr, f"{names[:20]}: {done.returncode} {done.stderr}")
    done = rut("dataset", "tilted.xml", "-o", "chosen", "--format", "coco", "-n", "1", "-q", "--classes", "Van")
    check(done.returncode == 2 and "other options" in done.stderr, done.stderr)


# ---- again, and in pieces ----

def again():
    street = files("street")
    dataset(STREET, *SMALL, "-o", "pieces", "-n", "2", "-q")
    Path("pieces/training/label_2/000000.txt").unlink()
    dataset(STREET, *SMALL, "-o", "pieces", "-n", "4", "-q", "--workers", "3")
    check(files("pieces") == street, "the same bytes in pieces")
    before = os.stat("pieces/training/image_2/000002.png").st_mtime_ns
    done = rut("dataset", STREET, *SMALL, "-o", "pieces", "-n", "4", "--json")
    told = json.loads(done.stdout)
    check(told["new"] == 0 and told["frames"] == 4 and told["per_scene"] == 1, told)
    check(os.stat("pieces/training/image_2/000002.png").st_mtime_ns == before, "nothing is written again")
    dataset(STREET, *SMALL, "-o", "run", "-n", "3", "--per-scene", "3", "-q")
    check(len({v for k, v in files("run").items() if "image_2" in k}) == 3, "three images of a run")
    coco_files = files("coco")
    dataset("tilted.xml", "-o", "coco", "--format", "coco", "-n", "2", "-q")
    check(files("coco") == coco_files, "COCO: the same bytes")


def refusals():
    Path("plain.xml").write_text('<world><sensor type="laser" name="l"/></world>', encoding="utf-8")
    Path("fish.xml").write_text(TILTED.replace('fov="80 deg"', 'lens="equidistant" fov="80 deg"'), encoding="utf-8")
    Path("file").write_text("", encoding="utf-8")
    blind = '<sensor type="camera" name="eye"><failure type="dropout" from="0.35"/></sensor>'
    Path("blind.xml").write_text(f"<world>{blind}</world>", encoding="utf-8")
    for code, says, words in (
            (3, "takes no image for frame 3", ("blind.xml", "-o", "blind")),
            (2, "holds a dataset of another world", (STREET, "-o", "street")),
            (2, "holds a dataset of another world", ("tilted.xml", "-o", "tilted", "--seed", "3")),
            (3, "no camera", ("plain.xml", "-o", "x")),
            (2, "did you mean 'eye'", ("tilted.xml", "-o", "x", "-c", "eya")),
            (2, "no lidar called", ("tilted.xml", "-o", "x", "-l", "nothing")),
            (2, "kitti or coco", ("tilted.xml", "-o", "x", "--format", "voc")),
            (2, "--output DIR is needed", ("tilted.xml",)),
            (2, "multiples", ("tilted.xml", "-o", "x", "--every", "0.015")),
            (2, "no distortion", ("fish.xml", "-o", "x")),
            (2, "number from", ("tilted.xml", "-o", "x", "-n", "0")),
            (6, "file", ("tilted.xml", "-o", "file")),
            (6, "/proc", ("tilted.xml", "-o", "/proc/nothing"))):
        done = rut("dataset", *words)
        check(done.returncode == code and says in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    Path("coco/annotations/parts/000001.part").write_text("{}", encoding="utf-8")
    done = rut("dataset", "tilted.xml", "-o", "coco", "--format", "coco", "-n", "2")
    check(done.returncode == 3 and "000001.part' is damaged" in done.stderr, done.stderr)
    # what a link leads to is left alone
    Path("linked/training/image_2").mkdir(parents=True, exist_ok=True)
    link = Path("linked/training/image_2/000000.png")
    link.unlink(missing_ok=True)
    link.symlink_to("/nowhere/at/all.png")
    done = rut("dataset", "tilted.xml", "-o", "linked", "-n", "1")
    check(done.returncode == 6 and "000000.png" in done.stderr, f"a link: {done.returncode} {done.stderr}")


for name in ("tilted", "pixels", "street", "coco", "pieces", "run", "x", "linked", "blind", "turned", "chosen"):
    subprocess.run(["rm", "-rf", name], check=True)
kitti()
coco()
again()
refusals()
for fault in faults[:30]:
    print("failed:", fault)
print(f"{len(faults)} failed")
sys.exit(len(faults) > 0)
