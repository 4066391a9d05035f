#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a run of a world from above, or plots columns of its tables against time.

    tools/draw_run.py WORLD... -o FILE.svg [--inputs FILE.csv] [--duration S] [--set PATH=VALUE]
    tools/draw_run.py WORLD -o FILE.svg --detail '-6 -6 6 6'
    tools/draw_run.py WORLD -o FILE.svg --plot 'tug.velocity_x,rover.velocity_x; rover.yaw_rate'

Each world is run by `rut run WORLD --csv` and drawn with its walls, blocks, maps and ground, ruts
by their depth, the path of every vehicle, its outline at the start and at the end, and the last
scan of its lasers. Several worlds become panels side by side; --detail adds one of a part of the
last. --plot makes one panel for each list between semicolons, with a line for each `table.column`
in it. A name that ends in .png is converted by rsvg-convert or inkscape, whichever there is. Needs
nothing but Python and rut.
"""
import argparse
import os
import base64
import csv
import math
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import raster  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent

# Colours that people with any kind of colour vision tell apart (Okabe and Ito 2008), darkened.
COLOURS = ["#0068a8", "#c8500a", "#00815f", "#a8458a", "#7a6a00", "#3a8fc4", "#8a4b2a", "#5a5a5a"]
INK, FAINT = "#22262e", "#70757f"
GROUND, GROUND_EDGE = "#f7f6f2", "#d9d6cb"
ROAD, ROAD_EDGE = "#ece5d3", "#cbbf9f"
STONE, STONE_EDGE = "#4a5160", "#2c313c"
FONT = "font-family=\"'Inter','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif\""
MANY_VEHICLES = 9  # from here on the legend lists kinds, not names


class DrawError(Exception):
    """A run that could not be made or drawn."""


# ---- numbers, geometry ----

def numbers(text):
    """Numbers at the start of an attribute, without its unit."""
    return [float(word) for word in re.findall(
        r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])", text or "")]


def number(node, name, default):
    found = numbers(node.get(name))
    return found[0] if found else default


def turn(point, angle):
    c, s = math.cos(angle), math.sin(angle)
    return (c * point[0] - s * point[1], s * point[0] + c * point[1])


def place(points, x, y, yaw):
    """Points of a body's frame in the world."""
    return [(x + px, y + py) for px, py in (turn(p, yaw) for p in points)]


def hull(points):
    """Convex hull, counter-clockwise (Andrew's monotone chain)."""
    points = sorted(set(points))
    if len(points) < 3:
        return points

    def half(sequence):
        chain = []
        for p in sequence:
            while len(chain) > 1 and ((chain[-1][0] - chain[-2][0]) * (p[1] - chain[-2][1]) -
                                      (chain[-1][1] - chain[-2][1]) * (p[0] - chain[-2][0])) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return half(points) + half(reversed(points))


def rectangle(length, width):
    x, y = length / 2, width / 2
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def nice_step(span, pieces):
    """Step of 1, 2 or 5 times a power of ten that divides a span into about so many pieces."""
    raw = span / pieces
    power = 10 ** math.floor(math.log10(raw))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= raw * 0.999)


def ticks(low, high, step):
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def label_of(value, step):
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return f"{value:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def simplify(points, tolerance):
    """Leave out points of a line that lie this near to it (Ramer, Douglas and Peucker)."""
    keep = [False] * len(points)
    todo = [(0, len(points) - 1)] if points else []
    while todo:
        first, last = todo.pop()
        keep[first] = keep[last] = True
        (ax, ay), (bx, by) = points[first], points[last]
        length = math.hypot(bx - ax, by - ay)
        worst, where = tolerance, None
        for i in range(first + 1, last):
            px, py = points[i][0] - ax, points[i][1] - ay
            if length > 1e-9:
                off = abs(px * (by - ay) - py * (bx - ax)) / length
                along = (px * (bx - ax) + py * (by - ay)) / length
                off = max(off, -along, along - length)
            else:
                off = math.hypot(px, py)
            if off > worst:
                worst, where = off, i
        if where is not None:
            todo += [(first, where), (where, last)]
    return [p for p, kept in zip(points, keep) if kept]


# ---- a run ----

class Table:
    """Columns of a CSV file by name, without units."""

    def __init__(self, path):
        with path.open(newline="", encoding="utf-8") as file:
            rows = csv.reader(file)
            head = next(rows)
            content = [row for row in rows if row]
        self.unit = {}
        self.column = {}
        for i, text in enumerate(head):
            name, _, unit = text.partition(" [")
            self.unit[name] = unit.rstrip("]")
            self.column[name] = [self._value(row[i]) for row in content]
        self.rows = len(content)
        yaw = self.column.get("yaw", [])
        for i in range(1, len(yaw)):
            # headings may jump by a turn; without jumps they can be interpolated
            yaw[i] -= 2 * math.pi * round((yaw[i] - yaw[i - 1]) / (2 * math.pi))

    @staticmethod
    def _value(text):
        try:
            return float(text)
        except ValueError:
            return text

    def __getitem__(self, name):
        return self.column[name]

    def at(self, name, time):
        """Value at a time, linear between rows."""
        t, values = self["t"], self[name]
        low, high = 0, len(t) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if t[middle] <= time else (low, middle)
        if high == low or t[high] == t[low]:
            return values[low]
        part = min(1, max(0, (time - t[low]) / (t[high] - t[low])))
        return values[low] + part * (values[high] - values[low])


class Ruts:
    """Change of the surface by place, from the table of `rut run --ruts`."""

    def __init__(self, path):
        with path.open(encoding="utf-8") as file:
            next(file)
            cells = [tuple(map(float, line.split(",")[:3])) for line in file]
        xs = sorted({x for x, _, _ in cells})
        self.cell = min((b - a for a, b in zip(xs, xs[1:])), default=1)
        self.height = {(math.floor(x / self.cell), math.floor(y / self.cell)): h
                       for x, y, h in cells if h}
        # all but the outermost, so that one pit does not make the rest pale
        sizes = sorted(self.height.values())
        few = len(sizes) // 200
        self.low = min(sizes[few], -1e-3) if sizes else 0
        self.high = max(sizes[-1 - few], 1e-3) if sizes else 0


class Run:
    """A world as rut reads it, and the tables of its run."""

    def __init__(self, rut, world, inputs, duration, settings):
        with tempfile.TemporaryDirectory() as folder:
            native = Path(folder) / "world.xml"
            options = [word for text in settings for word in ("--set", text)]
            self._call([rut, "convert", world, "-o", native, "--quiet", *options])
            self.root = ElementTree.parse(native).getroot()
            command = [rut, "run", world, "--csv", folder, "--quiet", *options]
            if duration is not None:
                command += ["--duration", str(duration)]
            if inputs:
                command += ["--inputs", inputs]
            step = number(self.root, "timestep", 0)
            if step > 0:
                command += ["--csv-every", str(max(1, round(0.02 / step)))]
            # not named .csv: it is no table over time
            cells = Path(folder) / "ruts.cells"
            if self.root.find("deformable") is not None:
                command += ["--ruts", cells]
            self._call(command)
            self.ruts = Ruts(cells) if cells.exists() else None
            self.table = {path.stem: Table(path) for path in sorted(Path(folder).glob("*.csv"))}
        # the converted world names files from where it stood
        self.folder = Path(folder).resolve()
        self.name = Path(world).name
        self.vehicles = [v for v in self.root.iter("vehicle") if self.of(v) is not None]
        self.end = max((t["t"][-1] for t in self.table.values() if t.rows and "x" in t.column),
                       default=0)
        self.colour = {}
        kinds = list(dict.fromkeys(v.get("class", "") for v in self.vehicles))
        many = len(self.vehicles) >= MANY_VEHICLES
        for i, v in enumerate(self.vehicles):
            index = kinds.index(v.get("class", "")) if many and len(kinds) > 1 else i
            self.colour[v.get("name")] = COLOURS[index % len(COLOURS)]

    @staticmethod
    def _call(command):
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True,
                              check=False)
        if done.returncode:
            raise DrawError(done.stderr.strip() or f"{command[0]} {command[1]} failed")

    def of(self, node):
        """Table of an element, None if it has none."""
        name = re.sub(r"[^A-Za-z0-9._+-]", "_", node.get("log") or node.get("name") or "")
        return self.table.get(name)

    def path(self, name):
        """File that an attribute names."""
        return Path(os.path.normpath(self.folder / name))

    def pose(self, name, time):
        """Pose of a vehicle or block at a time: x, y, yaw."""
        for node in self.root:
            if node.get("name") != name:
                continue
            table = self.of(node)
            if table is not None and "yaw" in table.column:
                return tuple(table.at(c, time) for c in ("x", "y", "yaw"))
            x, y = (numbers(node.get("position")) + [0, 0])[:2]
            return x, y, number(node, "yaw", 0)
        return 0, 0, 0


# ---- drawing ----

class Canvas:
    """A list of SVG elements, and the map from world to picture."""

    def __init__(self, left, top, width, height, x, y):
        self.items = []
        self.left, self.top, self.width, self.height = left, top, width, height
        self.x_min, self.x_max = x
        self.y_min, self.y_max = y

    def at(self, x, y):
        return (self.left + (x - self.x_min) / (self.x_max - self.x_min) * self.width,
                self.top + (self.y_max - y) / (self.y_max - self.y_min) * self.height)

    @property
    def scale(self):
        """Pixels per metre."""
        return self.width / (self.x_max - self.x_min)

    def add(self, text):
        self.items.append(text)

    def points(self, points):
        return " ".join(f"{px:.1f},{py:.1f}" for px, py in (self.at(*p) for p in points))

    def polygon(self, points, style):
        self.add(f'<polygon points="{self.points(points)}" {style}/>')

    def polyline(self, points, style):
        pixels = simplify([self.at(*p) for p in points], 0.12)
        text = " ".join(f"{px:.1f},{py:.1f}" for px, py in pixels)
        self.add(f'<polyline points="{text}" fill="none" {style}/>')

    def circle(self, point, radius, style):
        px, py = self.at(*point)
        self.add(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="{radius}" {style}/>')

    def text(self, px, py, content, size=12, colour=INK, anchor="start", extra=""):
        self.add(f'<text x="{px:.1f}" y="{py:.1f}" font-size="{size}" fill="{colour}" '
                 f'text-anchor="{anchor}" {extra}>{escape(content)}</text>')

    def image(self, rows, x0, y0, x1, y1):
        """An image of RGBA rows (top first) over a rectangle of the world."""
        left, top = self.at(x0, y1)
        right, bottom = self.at(x1, y0)
        data = base64.b64encode(raster.png_bytes(rows)).decode()
        self.add(f'<image x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
                 f'height="{bottom - top:.1f}" preserveAspectRatio="none" '
                 f'href="data:image/png;base64,{data}"/>')


def bounds(run):
    """What the picture shows: the ground if it is not much larger than what happens on it."""
    points = [p for box in (wall_ends(w) for w in run.root.iter("wall")) for p in box]
    for v in run.vehicles:
        table = run.of(v)
        margin = max((math.hypot(*p) for p in outline_of(v)), default=0.5)
        for sign in (-margin, margin):
            points += [(x + sign, y + sign) for x, y in zip(table["x"], table["y"])]
    for block in run.root.iter("block"):
        for time in (0, run.end):
            points += place(block_outline(block), *block_pose(block, run, time))
    if not points:
        raise DrawError(f"{run.name}: nothing moves in the plane; try --plot")
    x_min, x_max = min(p[0] for p in points), max(p[0] for p in points)
    y_min, y_max = min(p[1] for p in points), max(p[1] for p in points)
    pad = 0.04 * max(x_max - x_min, y_max - y_min) + 0.3
    box = [x_min - pad, x_max + pad, y_min - pad, y_max + pad]
    for area in ground_areas(run):
        larger = [min(box[0], area[0]), max(box[1], area[1]), min(box[2], area[2]),
                  max(box[3], area[3])]
        sizes = [(b[1] - b[0]) * (b[3] - b[2]) for b in (larger, box)]
        if sizes[0] < 2.2 * sizes[1]:
            box = larger
    return box


def ground_areas(run):
    """x_min, x_max, y_min, y_max of planes and occupancy grids."""
    for plane in run.root.iter("plane"):
        x, y = (numbers(plane.get("position")) + [0, 0])[:2]
        yield (x + number(plane, "x_min", -10), x + number(plane, "x_max", 10),
               y + number(plane, "y_min", -10), y + number(plane, "y_max", 10))
    for node in run.root.iter("occupancy_grid"):
        grid = read_grid(run, node)
        if grid:
            width, height, _, cell, (x, y) = grid
            yield x, x + width * cell, y, y + height * cell


def draw_ground(canvas, run):
    for plane in run.root.iter("plane"):
        x, y = (numbers(plane.get("position")) + [0, 0])[:2]
        low = number(plane, "x_min", -10), number(plane, "y_min", -10)
        high = number(plane, "x_max", 10), number(plane, "y_max", 10)
        corners = [low, (high[0], low[1]), high, (low[0], high[1])]
        lifted = plane.find("keyframe") is not None
        style = (f'fill="#e9e3f4" stroke="#6b5a9a" stroke-dasharray="5 3"' if lifted
                 else f'fill="{GROUND}" stroke="{GROUND_EDGE}"')
        canvas.polygon(place(corners, x, y, number(plane, "yaw", 0)), style)
    for node in run.root.iter("elevation_map"):
        draw_elevation(canvas, run, node)
    for region in run.root.iter("region"):
        draw_region(canvas, region)
    for node in run.root.iterfind('.//terrain[@type="opendrive"]'):
        draw_roads(canvas, run, node)
    for node in run.root.iter("occupancy_grid"):
        draw_occupancy(canvas, run, node)


def road_edges(road, apart=1.0):
    """Left and right edge of a road of lines and arcs whose lanes keep their width; none of others."""
    section = road.findall("lanes/laneSection")
    width = {side: sum(number(w, "a", 0) for w in section[0].iterfind(f"{side}/lane/width")) for side in ("left", "right")}
    edges = [], []
    for piece in road.iterfind("planView/geometry"):
        if piece.find("line") is None and piece.find("arc") is None:
            return None
        curvature = number(piece.find("arc"), "curvature", 0) if piece.find("arc") is not None else 0
        x, y, heading, length = (number(piece, name, 0) for name in ("x", "y", "hdg", "length"))
        steps = max(1, math.ceil(length / apart))
        for i in range(steps + 1):
            turned = curvature * length * i / steps
            chord = length * i / steps * (math.sin(turned / 2) / (turned / 2) if turned else 1)
            at = x + chord * math.cos(heading + turned / 2), y + chord * math.sin(heading + turned / 2)
            for edge, offset in zip(edges, (width["left"], -width["right"])):
                edge.append((at[0] - offset * math.sin(heading + turned), at[1] + offset * math.cos(heading + turned)))
    return edges


def draw_roads(canvas, run, node):
    for road in ElementTree.parse((run.folder / node.get("file")).resolve()).iter("road"):
        edges = road_edges(road)
        if edges:
            canvas.polygon(edges[0] + edges[1][::-1], f'fill="{ROAD}" stroke="{ROAD_EDGE}"')


# Ruts by the part of the deepest, and what is pushed up by the part of the highest.
RUT_COLOURS = [(0, (247, 243, 232)), (0.25, (232, 203, 146)), (0.5, (201, 139, 70)),
               (0.75, (143, 78, 28)), (1, (74, 34, 12))]
RAISED_COLOURS = [(0, (247, 243, 232)), (0.5, (171, 202, 196)), (1, (70, 134, 132))]


def blend(stops, part):
    part = min(max(part, 0), 1)
    for (a, left), (b, right) in zip(stops, stops[1:]):
        if part <= b:
            f = (part - a) / (b - a)
            return tuple(round(x + f * (y - x)) for x, y in zip(left, right))
    return stops[-1][1]


def rut_scale(ruts):
    """Depth and height at which the colours end, round numbers, and the step between ticks [m]."""
    step = nice_step(ruts.high - ruts.low, 6)
    return step * math.ceil(-ruts.low / step), step * math.ceil(ruts.high / step), step


def draw_ruts(canvas, ruts):
    """Change of the surface by colour, shaded by light from the north-west."""
    deepest, highest, _ = rut_scale(ruts)
    # as many cells to a dot as a dot covers, of which the largest change counts
    many = max(1, math.floor(1 / (canvas.scale * ruts.cell)))
    side = ruts.cell * many
    left, right = math.floor(canvas.x_min / side), math.ceil(canvas.x_max / side)
    low, high = math.floor(canvas.y_min / side), math.ceil(canvas.y_max / side)
    dots = {}
    for (i, j), h in ruts.height.items():
        at = (i // many, j // many)
        if left <= at[0] < right and low <= at[1] < high and abs(h) > abs(dots.get(at, 0)):
            dots[at] = h
    if not dots:
        return
    left, right = min(i for i, _ in dots), max(i for i, _ in dots) + 1
    low, high = min(j for _, j in dots), max(j for _, j in dots) + 1

    def tint(i, j):
        h = dots.get((i, j))
        if h is None:
            return (0, 0, 0, 0)
        base = blend(RUT_COLOURS, -h / deepest) if h < 0 else blend(RAISED_COLOURS, h / highest)
        slope_x = (dots.get((i + 1, j), 0) - dots.get((i - 1, j), 0)) / (2 * side)
        slope_y = (dots.get((i, j + 1), 0) - dots.get((i, j - 1), 0)) / (2 * side)
        light = 1 + 0.6 * (slope_x - slope_y) / math.sqrt(1 + slope_x ** 2 + slope_y ** 2)
        shaded = tuple(int(min(255, max(0, light * c))) for c in base)
        return shaded + (int(255 * min(1, abs(h) / (0.06 * deepest))),)

    canvas.image([[tint(i, j) for i in range(left, right)] for j in reversed(range(low, high))],
                 left * side, low * side, right * side, high * side)


def draw_rut_bar(canvas, ruts, left, top, height):
    """Colour bar of the ruts, in millimetres."""
    deepest, up, step = rut_scale(ruts)
    span = deepest + up
    rows = []
    for k in range(120):
        h = up - span * (k + 0.5) / 120
        colour = blend(RAISED_COLOURS, h / up) if h > 0 else blend(RUT_COLOURS, -h / deepest)
        rows.append([colour + (255,)] * 2)
    data = base64.b64encode(raster.png_bytes(rows)).decode()
    canvas.add(f'<image x="{left:.1f}" y="{top:.1f}" width="14" height="{height:.1f}" '
               f'preserveAspectRatio="none" href="data:image/png;base64,{data}"/>')
    canvas.add(f'<rect x="{left:.1f}" y="{top:.1f}" width="14" height="{height:.1f}" fill="none" '
               f'stroke="{INK}" stroke-opacity="0.5" stroke-width="0.8"/>')
    for value in ticks(-deepest, up, step):
        py = top + (up - value) / span * height
        canvas.add(f'<path d="M{left + 14:.1f} {py:.1f}h4" stroke="{INK}" stroke-opacity="0.6"/>')
        canvas.text(left + 22, py + 4, label_of(1000 * value, 1), 11, FAINT)
    canvas.text(left, top - 9, "surface [mm]", 12)


def draw_region(canvas, region):
    low = number(region, "x_min", -1), number(region, "y_min", -1)
    high = number(region, "x_max", 1), number(region, "y_max", 1)
    low = max(low[0], canvas.x_min), max(low[1], canvas.y_min)
    high = min(high[0], canvas.x_max), min(high[1], canvas.y_max)
    if low[0] >= high[0] or low[1] >= high[1]:
        return
    friction = number(region, "friction", None)
    icy = friction is not None and friction < 0.35
    canvas.polygon([low, (high[0], low[1]), high, (low[0], high[1])],
                   f'fill="{"#bfe0f2" if icy else "#ecdfb8"}" fill-opacity="0.55"')
    words = []
    if friction is not None:
        words.append(f"friction {friction:g}")
    if region.get("soil"):
        words.append(region.get("soil").replace("_", " "))
    if region.get("rolling_resistance"):
        words.append(f"rolling resistance {number(region, 'rolling_resistance', 0):g}")
    if words:
        px, py = canvas.at(low[0], high[1])
        canvas.text(px + 6, py + 14, ", ".join(words), 10.5, "#35708f" if icy else "#7d6a2c")


def heights_of(run, node):
    """Heights of an elevation map, rows along x; None if they are not in the file or an image."""
    # long values stand in an element of their own
    texts = [v.text for v in node.findall("value") if v.get("field") == "matrix"]
    matrix = node.get("matrix") or "".join(texts)
    if matrix:
        rows = [numbers(row) for row in matrix.strip(" \n[]").split(";")]
        scale = number(node, "matrix_scale", 1)
        return [[scale * h for h in row] for row in rows if row]
    if not node.get("image"):
        return None
    _, _, rows = raster.read_grey(run.path(node.get("image")))
    low, high = min(map(min, rows)), max(map(max, rows))
    z_min, z_max = number(node, "z_min", 0), number(node, "z_max", 5)
    return [[z_min + (z_max - z_min) * (g - low) / ((high - low) or 1) for g in row]
            for row in rows]


def height_at(heights, u, v):
    """Bilinear height at row u, column v."""
    i = min(max(int(u), 0), len(heights) - 2)
    j = min(max(int(v), 0), len(heights[0]) - 2)
    a, b = min(max(u - i, 0), 1), min(max(v - j, 0), 1)
    return ((1 - a) * ((1 - b) * heights[i][j] + b * heights[i][j + 1]) +
            a * ((1 - b) * heights[i + 1][j] + b * heights[i + 1][j + 1]))


def draw_elevation(canvas, run, node):
    """Tint, shade from the north-west, and contour lines."""
    heights = heights_of(run, node)
    if not heights or len(heights) < 2:
        print(f"draw_run: the heights of {node.get('name') or 'a map'} are not drawn",
              file=sys.stderr)
        return
    cell = number(node, "resolution", 1)
    rows, columns = len(heights), len(heights[0])
    corner = numbers(node.get("corner")) or [-0.5 * cell * (rows - 1), -0.5 * cell * (columns - 1)]
    low, high = min(map(min, heights)), max(map(max, heights))
    span = (high - low) or 1
    x1, y1 = corner[0] + cell * (rows - 1), corner[1] + cell * (columns - 1)
    nx = min(220, 8 * (rows - 1))
    ny = max(2, min(220, round(nx * (columns - 1) / (rows - 1))))
    fine = [[height_at(heights, i * (rows - 1) / nx, j * (columns - 1) / ny)
             for j in range(ny + 1)] for i in range(nx + 1)]
    step = cell * (rows - 1) / nx

    near = max(1, nx // (2 * (rows - 1)))

    def tint(i, j):
        part = (fine[i][j] - low) / span
        # slopes over the size of a cell, so that the shade does not jump from cell to cell
        west, east, south, north = (fine[max(i - near, 0)][j], fine[min(i + near, nx)][j],
                                    fine[i][max(j - near, 0)], fine[i][min(j + near, ny)])
        slope_x, slope_y = (east - west) / (2 * near * step), (north - south) / (2 * near * step)
        light = 1 + 0.5 * (slope_x - slope_y) / math.sqrt(1 + slope_x ** 2 + slope_y ** 2)
        base = [a + part * (b - a) for a, b in zip((176, 200, 160), (232, 220, 192))]
        return tuple(int(min(255, max(0, light * c))) for c in base) + (255,)

    canvas.image([[tint(i, j) for i in range(nx)] for j in reversed(range(ny))],
                 corner[0], corner[1], x1, y1)
    interval = nice_step(span, 8)
    for level in ticks(low + 1e-9, high, interval):
        draw_contour(canvas, fine, corner, step, cell * (columns - 1) / ny, level)
    canvas.text(canvas.left + 8, canvas.top + canvas.height - 8,
                f"contours every {interval:g} m", 10.5, "#6b5f45")


def draw_contour(canvas, heights, corner, dx, dy, level):
    """Line of one height, square by square."""
    pieces = []
    for i in range(len(heights) - 1):
        for j in range(len(heights[0]) - 1):
            corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
            cut = []
            for (ai, aj), (bi, bj) in zip(corners, corners[1:] + corners[:1]):
                a, b = heights[ai][aj], heights[bi][bj]
                if (a < level) != (b < level):
                    part = (level - a) / (b - a)
                    cut.append((corner[0] + dx * (ai + part * (bi - ai)),
                                corner[1] + dy * (aj + part * (bj - aj))))
            for a, b in zip(cut[::2], cut[1::2]):
                (ax, ay), (bx, by) = canvas.at(*a), canvas.at(*b)
                pieces.append(f"M{ax:.1f} {ay:.1f}L{bx:.1f} {by:.1f}")
    canvas.add(f'<path d="{"".join(pieces)}" fill="none" stroke="#a8977099" stroke-width="0.8"/>')


def read_grid(run, node):
    """Width, height, occupied cells (top first), cell size, lower left corner of a grid map."""
    path = run.path(node.get("file"))
    cell = number(node, "resolution", 0.1)
    center = numbers(node.get("center_pixel")) or [-1, -1]
    origin = (-center[0] * cell, -center[1] * cell)
    threshold, negate = 0.5, False
    if path.suffix in (".yaml", ".yml"):
        entry = dict(re.findall(r"^(\w+):\s*(.+?)\s*(?:#.*)?$", path.read_text("utf-8"), re.M))
        cell = float(entry["resolution"])
        origin = tuple(numbers(entry["origin"])[:2])
        threshold = float(entry.get("occupied_thresh", 0.65))
        negate = entry.get("negate", "0") not in ("0", "false")
        path = path.parent / entry["image"].strip("\"'")
    try:
        width, height, rows = raster.read_grey(path)
    except (OSError, ValueError):
        print(f"draw_run: {path.name} is not drawn", file=sys.stderr)
        return None
    occupied = [[(g if negate else 1 - g) > threshold for g in row] for row in rows]
    return width, height, occupied, cell, origin


def draw_occupancy(canvas, run, node):
    grid = read_grid(run, node)
    if not grid:
        return
    _, height, occupied, cell, (x, y) = grid
    pieces = []
    for column, row, columns, rows in merged(occupied):
        left, top = canvas.at(x + column * cell, y + (height - row) * cell)
        w, h = columns * cell * canvas.scale, rows * cell * canvas.scale
        pieces.append(f"M{left:.1f} {top:.1f}h{w:.1f}v{h:.1f}h{-w:.1f}z")
    canvas.add(f'<path d="{"".join(pieces)}" fill="{STONE}"/>')


def merged(occupied):
    """Rectangles (column, row, columns, rows) that cover the occupied cells."""
    open_runs, found = {}, []
    for row, line in enumerate(occupied + [[]]):
        runs, column = {}, 0
        while column < len(line):
            start = column
            while column < len(line) and line[column]:
                column += 1
            if column > start:
                runs[start, column] = open_runs.get((start, column), row)
            column += 1
        for (start, end), first in open_runs.items():
            if (start, end) not in runs:
                found.append((start, first, end - start, row - first))
        open_runs = runs
    return found


def wall_ends(wall):
    a, b = (numbers(wall.get("from")) or [0, 0])[:2], (numbers(wall.get("to")) or [1, 0])[:2]
    return tuple(a), tuple(b)


def draw_walls(canvas, run):
    for wall in run.root.iter("wall"):
        (ax, ay), (bx, by) = wall_ends(wall)
        length, yaw = math.hypot(bx - ax, by - ay), math.atan2(by - ay, bx - ax)
        # a thin wall is drawn as thick as a line that one can see
        thick = max(number(wall, "thickness", 0.02), 2.2 / canvas.scale)

        def part(start, end, style):
            body = [(start, -thick / 2), (end, -thick / 2), (end, thick / 2), (start, thick / 2)]
            canvas.polygon(place(body, ax, ay, yaw), style)

        at = 0
        for opening in sorted(wall.findall("opening"), key=lambda o: number(o, "position", 0.5)):
            middle, half = number(opening, "position", 0.5) * length, number(opening, "width", 1) / 2
            part(at, middle - half, f'fill="{STONE}"')
            window = number(opening, "z_min", 0) > 0.02
            fill = "#bcd9ea" if window else "#ffffff"
            part(middle - half, middle + half, f'fill="{fill}" stroke="{STONE}" stroke-width="0.8"')
            at = middle + half
        part(at, length, f'fill="{STONE}"')


def outline_of(vehicle):
    chassis = vehicle.find("chassis")
    flat = numbers(chassis.get("outline")) if chassis is not None else []
    return hull(list(zip(flat[::2], flat[1::2])))


def block_outline(block):
    """Corners of a block in its own frame."""
    shape = block.get("shape", "polygon")
    if shape in ("cylinder", "sphere"):
        r = number(block, "radius", 0.5)
        return [(r * math.cos(a * math.pi / 18), r * math.sin(a * math.pi / 18))
                for a in range(36)]
    if shape == "polygon":
        flat = numbers(block.get("outline"))
        return hull(list(zip(flat[::2], flat[1::2])))
    size = numbers(block.get("size")) or [1, 1, 1]
    return rectangle(size[0], size[1])


def block_pose(block, run, time=0):
    if run.of(block) is not None:
        return run.pose(block.get("name"), time)
    x, y = (numbers(block.get("position")) + [0, 0])[:2]
    return x, y, number(block, "yaw", 0)


def draw_blocks(canvas, run):
    """Blocks where they are at the end; those that moved also, dashed, where they began."""
    for block in run.root.iter("block"):
        if block.get("intangible") == "true":
            continue
        keyframes = block.find("keyframe") is not None
        if block.get("shape") in ("ramp", "bump"):
            fill, edge = "#ddd3c0", "#8a7b5e"
        elif keyframes:
            fill, edge = "#d9d0ec", "#6b5a9a"
            draw_travel(canvas, block)
        elif block.get("fixed") == "true":
            fill, edge = STONE, STONE_EDGE
        else:
            fill, edge = "#f3c98b", "#a8701c"
        time = 0
        if run.of(block) is not None and not keyframes:
            start = place(block_outline(block), *block_pose(block, run))
            canvas.polygon(start, f'fill="none" stroke="{edge}" stroke-dasharray="3 2"')
            draw_block_path(canvas, run.of(block))
        if run.of(block) is not None:
            time = run.end
        shape = place(block_outline(block), *block_pose(block, run, time))
        canvas.polygon(shape, f'fill="{fill}" stroke="{edge}" stroke-width="1.1" '
                              'stroke-linejoin="round"')


def draw_block_path(canvas, table):
    canvas.polyline(list(zip(table["x"], table["y"])),
                    'stroke="#a8701c" stroke-width="1.2" stroke-dasharray="1 3" '
                    'stroke-linecap="round"')


def draw_travel(canvas, block):
    """Line through the places that keyframes give a block."""
    x, y = (numbers(block.get("position")) + [0, 0])[:2]
    points = [(x + dx, y + dy) for dx, dy in
              ((numbers(k.get("position")) + [0, 0])[:2] for k in block.findall("keyframe"))]
    canvas.polyline(points, 'stroke="#6b5a9a" stroke-width="1.2" stroke-dasharray="1 3" '
                            'stroke-linecap="round"')


def draw_scans(canvas, run):
    """Last scan of every laser: what it can see, and the points that it hits."""
    for parent in run.root.iter():
        for sensor in parent.findall("sensor"):
            if sensor.get("type") != "laser":
                continue
            carried = parent.tag == "vehicle"
            name = f"{parent.get('name')}.{sensor.get('name')}" if carried else sensor.get("name")
            table = run.table.get(re.sub(r"[^A-Za-z0-9._+-]", "_", name or ""))
            if table is None or not table.rows:
                continue
            colour = run.colour.get(parent.get("name"), INK) if carried else INK
            draw_scan(canvas, run, parent if carried else None, sensor, table, colour)


def draw_scan(canvas, run, vehicle, sensor, table, colour):
    time = table["t"][-1]
    x, y, yaw = run.pose(vehicle.get("name"), time) if vehicle is not None else (0, 0, 0)
    (ox, oy), = place([(number(sensor, "x", 0), number(sensor, "y", 0))], x, y, yaw)
    yaw += number(sensor, "yaw", 0)
    ranges = [values[-1] for name, values in table.column.items() if name.startswith("range_")]
    fov, reach = number(sensor, "fov", math.pi), number(sensor, "max_range", 80)
    first, step = (-fov / 2, fov / (len(ranges) - 1)) if len(ranges) > 1 else (0, 0)
    edge, hits = [], []
    for i, distance in enumerate(ranges):
        angle = yaw + first + i * step
        length = distance if distance >= 0 else reach
        edge.append((ox + length * math.cos(angle), oy + length * math.sin(angle)))
        if distance >= 0:
            hits.append(edge[-1])
    centre = [] if fov > 2 * math.pi - 1e-6 else [(ox, oy)]
    canvas.polygon(centre + edge, f'fill="{colour}" fill-opacity="0.07"')
    # dots: lines of no length with round ends
    dots = "".join(f"M{px:.1f} {py:.1f}h0" for px, py in (canvas.at(*hit) for hit in hits))
    canvas.add(f'<path d="{dots}" stroke="{colour}" stroke-width="2.6" stroke-linecap="round"/>')
    if vehicle is None:
        canvas.circle((ox, oy), 5, f'fill="#fff" stroke="{colour}" stroke-width="2"')


def wheels_of(vehicle):
    """Name, place, radius, width and mounting angle of each wheel."""
    for i, wheel in enumerate(vehicle.findall("wheel")):
        x, y = (numbers(wheel.get("position")) or [0, 0])[:2]
        yield (wheel.get("name") or f"wheel_{i}", x, y, number(wheel, "radius", 0.2),
               number(wheel, "width", 0.2), number(wheel, "yaw", 0))
    axles = sorted(vehicle.findall("axle"), key=lambda axle: -number(axle, "x", 0))
    for i, axle in enumerate(axles):
        part = "" if len(axles) == 1 else f"axle{i + 1}_"
        part = {0: part and "front_", len(axles) - 1: part and "rear_"}.get(i, part)
        half = number(axle, "track", 1) / 2
        for side, y in (("left", half), ("right", -half))[:2 if half > 0 else 1]:
            yield (part + side, number(axle, "x", 0), y, number(axle, "radius", 0.3),
                   number(axle, "width", 0.2), 0)


def draw_vehicle(canvas, run, vehicle, time, colour, final):
    """Outline and wheels at a time: pale at the start, solid at the end."""
    pose = run.pose(vehicle.get("name"), time)
    table = run.of(vehicle)
    shape = outline_of(vehicle)
    body = place(shape, *pose)
    line, dashes = (1.5, "") if final else (1.0, 'stroke-dasharray="3 2"')
    canvas.polygon(body, f'fill="{"#ffffff" if final else "none"}"')
    canvas.polygon(body, f'fill="{colour}" fill-opacity="{0.35 if final else 0.06}" '
                         f'stroke="{colour}" stroke-width="{line}" stroke-linejoin="round" '
                         f'{dashes}')
    for name, x, y, radius, width, yaw in wheels_of(vehicle):
        steer = f"{name}.steer"
        yaw = table.at(steer, time) if steer in table.column else yaw
        rim = place(rectangle(2 * radius, max(width, 0.02)), x, y, yaw)
        style = f'fill="{INK}"' if final else f'fill="{colour}" fill-opacity="0.45"'
        canvas.polygon(place(rim, *pose), style)
    if final and shape:
        # an arrow head inside the front of the body tells where it heads
        front, side = max(p[0] for p in shape), max(p[1] for p in shape)
        half = min(0.8 * side, max(0.3 * side, 4 / canvas.scale))
        tip = [(front - 2.4 * half, half), (front - 0.6 * half, 0), (front - 2.4 * half, -half)]
        canvas.polygon(place(tip, *pose), f'fill="{colour}"')


def draw_paths(canvas, run, interval):
    """Paths under the vehicles, with a dot at every interval of time."""
    for vehicle in run.vehicles:
        table, colour = run.of(vehicle), run.colour[vehicle.get("name")]
        points = list(zip(table["x"], table["y"]))
        canvas.polyline(points, f'stroke="#ffffff" stroke-width="4" stroke-opacity="0.7" '
                                'stroke-linejoin="round" stroke-linecap="round"')
        canvas.polyline(points, f'stroke="{colour}" stroke-width="2" stroke-linejoin="round" '
                                'stroke-linecap="round"')
    if len(run.vehicles) >= MANY_VEHICLES:
        return
    for vehicle in run.vehicles:
        table, colour = run.of(vehicle), run.colour[vehicle.get("name")]
        for time in ticks(interval, run.end - 1e-9, interval):
            canvas.circle((table.at("x", time), table.at("y", time)), 2.6,
                          f'fill="#ffffff" stroke="{colour}" stroke-width="1.4"')


def draw_joints(canvas, run):
    for joint in run.root.iter("joint"):
        ends = []
        for side in "ab":
            x, y = (numbers(joint.get(f"anchor_{side}")) or [0, 0])[:2]
            ends += place([(x, y)], *run.pose(joint.get(f"body_{side}"), run.end))
        canvas.polyline(ends, f'stroke="{INK}" stroke-width="1.6"')
        for end in ends:
            canvas.circle(end, 2.4, f'fill="#ffffff" stroke="{INK}" stroke-width="1.2"')


def draw_events(canvas, run):
    """A cross where two things began to touch. Returns the number of crosses."""
    table = run.table.get("events")
    if table is None or not table.rows:
        return 0
    drawn = []
    for event, x, y in zip(table["event"], table["x"], table["y"]):
        if event != "begin" or any(math.dist(d, (x, y)) < 6 / canvas.scale for d in drawn):
            continue
        drawn.append((x, y))
        px, py = canvas.at(x, y)
        path = f"M{px - 4:.1f} {py - 4:.1f}l8 8m0 -8l-8 8"
        for colour, width in (("#ffffff", 4.4), ("#d4183d", 2.2)):
            canvas.add(f'<path d="{path}" stroke="{colour}" stroke-width="{width}" '
                       'stroke-linecap="round"/>')
    return len(drawn)


# ---- frame, legend, pages ----

def draw_frame(canvas, x_label, y_label, x_pieces=8, y_pieces=4):
    """Grid lines and numbers along the axes."""
    bottom, right = canvas.top + canvas.height, canvas.left + canvas.width
    x_step = nice_step(canvas.x_max - canvas.x_min, x_pieces)
    y_span = canvas.y_max - canvas.y_min
    y_step = x_step if x_label == "x [m]" and y_span > 2 * x_step else nice_step(y_span, y_pieces)
    for value in ticks(canvas.x_min, canvas.x_max, x_step):
        px, _ = canvas.at(value, canvas.y_min)
        canvas.add(f'<path d="M{px:.1f} {canvas.top}V{bottom:.1f}" stroke="{INK}" stroke-opacity="0.09"/>')
        canvas.text(px, bottom + 17, label_of(value, x_step), 11, FAINT, "middle")
    for value in ticks(canvas.y_min, canvas.y_max, y_step):
        _, py = canvas.at(canvas.x_min, value)
        canvas.add(f'<path d="M{canvas.left} {py:.1f}H{right:.1f}" stroke="{INK}" stroke-opacity="0.09"/>')
        canvas.text(canvas.left - 7, py + 4, label_of(value, y_step), 11, FAINT, "end")
    canvas.text((canvas.left + right) / 2, bottom + 36, x_label, 12, INK, "middle")
    px, py = canvas.left - 42, canvas.top + canvas.height / 2
    canvas.text(px, py, y_label, 12, INK, "middle", f'transform="rotate(-90 {px:.1f} {py:.1f})"')


def draw_scale_bar(canvas, used):
    """A bar of a round length, below the legend, which takes so much of the height."""
    length = nice_step(130 / canvas.scale, 2)
    x, y = canvas.left + canvas.width + 24, canvas.top + max(canvas.height - 2, used)
    canvas.add(f'<path d="M{x:.1f} {y - 6:.1f}v6h{length * canvas.scale:.1f}v-6" fill="none" '
               f'stroke="{INK}" stroke-width="1.6"/>')
    canvas.text(x + length * canvas.scale / 2, y - 9, f"{length:g} m", 11, INK, "middle")


def legend_rows(run, interval, crosses):
    """Symbol and text of every line of the legend; symbols are 26 x 14 pixels."""
    rows = []
    if len(run.vehicles) < MANY_VEHICLES:
        for vehicle in run.vehicles:
            name = vehicle.get("name")
            kind = vehicle.get("class") or ""
            text = name if kind in ("", name) else f"{name} ({kind})"
            rows.append((f'<path d="M1 7H25" stroke="{run.colour[name]}" stroke-width="3" '
                         'stroke-linecap="round"/>', text))
        rows.append((f'<circle cx="13" cy="7" r="3" fill="#fff" stroke="{INK}" '
                     'stroke-width="1.5"/>', f"every {interval:g} s"))
    else:
        kinds = {}
        for vehicle in run.vehicles:
            kinds.setdefault(vehicle.get("class") or "vehicle", []).append(vehicle.get("name"))
        for kind, names in kinds.items():
            rows.append((f'<path d="M1 7H25" stroke="{run.colour[names[0]]}" stroke-width="3"/>',
                         f"{len(names)} \N{MULTIPLICATION SIGN} {kind}"))
    rows.append((f'<rect x="4" y="2" width="18" height="10" fill="none" stroke="{FAINT}" '
                 'stroke-dasharray="3 2"/>', "at the start"))
    rows.append((f'<rect x="4" y="2" width="18" height="10" fill="{FAINT}" fill-opacity="0.35" '
                 f'stroke="{FAINT}" stroke-width="1.5"/>', "at the end"))
    if any(s.get("type") == "laser" for s in run.root.iter("sensor")):
        rows.append(("".join(f'<circle cx="{x}" cy="{y}" r="1.6" fill="{FAINT}"/>'
                             for x, y in ((4, 10), (9, 7), (14, 5), (19, 4), (24, 4))),
                     "last laser scan"))
    solid = [b for b in run.root.iter("block") if b.get("intangible") != "true"]
    if any(b.get("fixed") != "true" and b.find("keyframe") is None and
           b.get("shape") not in ("ramp", "bump") for b in solid):
        rows.append(('<rect x="5" y="1" width="16" height="12" fill="#f3c98b" stroke="#a8701c"/>',
                     "movable block"))
    if any(b.find("keyframe") is not None for b in run.root):
        rows.append(('<rect x="5" y="1" width="16" height="12" fill="#d9d0ec" stroke="#6b5a9a" '
                     'stroke-dasharray="5 3"/>', "moves by keyframes"))
    if run.root.find("joint") is not None:
        rows.append((f'<path d="M5 7H21" stroke="{INK}" stroke-width="1.6"/>'
                     f'<circle cx="5" cy="7" r="2.4" fill="#fff" stroke="{INK}"/>'
                     f'<circle cx="21" cy="7" r="2.4" fill="#fff" stroke="{INK}"/>', "joint"))
    if crosses:
        rows.append(('<path d="M9 3l8 8m0 -8l-8 8" stroke="#d4183d" stroke-width="2.2" '
                     'stroke-linecap="round"/>', "begins to touch"))
    return rows


def draw_legend(canvas, left, top, rows):
    for i, (symbol, text) in enumerate(rows):
        y = top + 22 * i
        canvas.add(f'<g transform="translate({left:.1f} {y:.1f})" fill="none">{symbol}</g>')
        canvas.text(left + 34, y + 11, text, 12)


def title_of(run):
    count = len(run.vehicles)
    about = [run.name, f"{count} vehicle{'s' if count != 1 else ''}", f"{run.end:g} s"]
    return run.root.get("description") or run.name, " \N{MIDDLE DOT} ".join(about)


def draw_world(canvas, run, interval):
    """Everything within the frame of a map. Returns the number of places of first contact."""
    clip = f"clip{round(canvas.left)}"
    box = (f'x="{canvas.left:.1f}" y="{canvas.top:.1f}" width="{canvas.width:.1f}" '
           f'height="{canvas.height:.1f}"')
    canvas.add(f'<clipPath id="{clip}"><rect {box}/></clipPath>')
    canvas.add(f'<g clip-path="url(#{clip})">')
    if run.ruts:
        canvas.add(f'<rect {box} fill="{GROUND}"/>')
    draw_ground(canvas, run)
    if run.ruts:
        draw_ruts(canvas, run.ruts)
    canvas.add("</g>")
    draw_frame(canvas, "x [m]", "y [m]")
    canvas.add(f'<g clip-path="url(#{clip})">')
    draw_scans(canvas, run)
    draw_walls(canvas, run)
    for vehicle in run.vehicles:
        draw_vehicle(canvas, run, vehicle, 0, run.colour[vehicle.get("name")], False)
    draw_paths(canvas, run, interval)
    draw_blocks(canvas, run)
    for vehicle in run.vehicles:
        draw_vehicle(canvas, run, vehicle, run.end, run.colour[vehicle.get("name")], True)
    draw_joints(canvas, run)
    crosses = draw_events(canvas, run)
    canvas.add("</g>")
    return crosses


BAR = 130  # height of the bar of the ruts' colours


def draw_map(run, left, top, longest):
    """A panel with the map of a run. Returns the canvas, and the panel's width and height."""
    x_min, x_max, y_min, y_max = bounds(run)
    scale = min(longest / (x_max - x_min), 0.8 * longest / (y_max - y_min))
    width, height = scale * (x_max - x_min), scale * (y_max - y_min)
    canvas = Canvas(left + 60, top + 62, width, height, (x_min, x_max), (y_min, y_max))
    title, about = title_of(run)
    canvas.text(left + 60, top + 28, title, 17, INK, extra='font-weight="600"')
    canvas.text(left + 60, top + 48, about, 12, FAINT)
    interval = nice_step(max(run.end, 1e-3), 8)
    crosses = draw_world(canvas, run, interval)
    rows = legend_rows(run, interval, crosses)
    right, below = canvas.left + width + 22, canvas.top + 4
    draw_legend(canvas, right, below, rows)
    used = 22 * len(rows) + 30
    if run.ruts and run.ruts.height:
        draw_rut_bar(canvas, run.ruts, right, below + 22 * len(rows) + 24, BAR)
        used += BAR + 56
    draw_scale_bar(canvas, used - 2 if run.ruts else 0)
    widest = max(len(text) for _, text in rows)
    return canvas, 60 + width + 22 + 34 + 7 * widest + 16, max(height, used) + 62 + 50


def draw_detail(run, box, left, top, height):
    """A part of the map, as high as given. Returns the canvas and the panel's width."""
    x_min, y_min, x_max, y_max = box
    width = height * (x_max - x_min) / (y_max - y_min)
    canvas = Canvas(left + 60, top + 62, width, height, (x_min, x_max), (y_min, y_max))
    draw_world(canvas, run, nice_step(max(run.end, 1e-3), 8))
    return canvas, 60 + width + 16


def draw_plot(run, columns, left, top, width, height):
    """A panel with columns against time."""
    lines = []
    for column in columns:
        name, _, field = column.partition(".")
        table = run.table.get(name)
        if table is None or field not in table.column:
            raise DrawError(f"{run.name}: there is no column '{column}'; tables: " +
                            ", ".join(run.table))
        lines.append((column, table["t"], table[field], table.unit[field]))
    values = [v for line in lines for v in line[2]]
    low, high = min(values), max(values)
    pad = 0.06 * ((high - low) or 1)
    end = max(line[1][-1] for line in lines)
    canvas = Canvas(left + 60, top, width, height, (0, end), (low - pad, high + pad))
    units = list(dict.fromkeys(line[3] for line in lines))
    fields = list(dict.fromkeys(line[0].partition(".")[2] for line in lines))
    title = fields[0] if len(fields) == 1 else ""
    draw_frame(canvas, "t [s]", f"{title} [{', '.join(units)}]".strip())
    for i, (_, t, v, _) in enumerate(lines):
        canvas.polyline(list(zip(t, v)), f'stroke="{COLOURS[i % len(COLOURS)]}" '
                                         'stroke-width="1.8" stroke-linejoin="round"')
    rows = [(f'<path d="M1 7H25" stroke="{COLOURS[i % len(COLOURS)]}" stroke-width="3"/>', line[0])
            for i, line in enumerate(lines)]
    draw_legend(canvas, canvas.left + width + 22, top + 4, rows)
    return canvas, 60 + width + 56 + 7 * max(len(line[0]) for line in lines) + 16


def page(items, width, height):
    body = "\n".join(items)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" {FONT}>\n'
            f'<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n')


def maps_page(runs, detail=None):
    items, left, height = [], 0, 0
    for run in runs:
        longest = 860 if len(runs) == 1 and not detail else 560
        canvas, wide, high = draw_map(run, left, 0, longest)
        items += canvas.items
        left, height = left + wide, max(height, high)
    if detail:
        x_min, y_min, x_max, y_max = detail
        corners = [(x_min, y_min), (x_max, y_min), (x_max, y_max), (x_min, y_max)]
        canvas.items.clear()
        canvas.polygon(corners, f'fill="none" stroke="{INK}" stroke-width="1" '
                                'stroke-dasharray="4 3"')
        items += canvas.items
        part, wide = draw_detail(runs[-1], detail, left, 0, max(canvas.height, 320))
        items += part.items
        left, height = left + wide, max(height, part.height + 112)
    return page(items, left, height)


def plots_page(run, groups):
    items, width, top = [], 0, 62
    head = Canvas(0, 0, 1, 1, (0, 1), (0, 1))
    head.text(60, 28, run.root.get("description") or run.name, 17, INK,
              extra='font-weight="600"')
    head.text(60, 48, run.name, 12, FAINT)
    for group in groups:
        canvas, wide = draw_plot(run, group, 0, top, 720, 220)
        items += canvas.items
        width, top = max(width, wide), top + 220 + 60
    return page(head.items + items, width, top)


def save(svg, path):
    if path.suffix != ".png":
        path.write_text(svg, encoding="utf-8")
        return
    with tempfile.NamedTemporaryFile("w", suffix=".svg", encoding="utf-8") as file:
        file.write(svg)
        file.flush()
        if shutil.which("rsvg-convert"):
            command = ["rsvg-convert", "--zoom", "1.5", "-o", path, file.name]
        elif shutil.which("inkscape"):
            command = ["inkscape", file.name, "-o", path]
        else:
            raise DrawError("PNG needs rsvg-convert (apt-get install librsvg2-bin) or inkscape")
        subprocess.run([str(c) for c in command], check=True)


def find_rut(given):
    for candidate in (given, ROOT / "build/release/rut", ROOT.parent.parent / "bin/rut",
                      shutil.which("rut")):
        if candidate and Path(candidate).exists():
            return candidate
    raise DrawError("there is no rut; build it with scripts/demo.sh, or give --rut PATH")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("world", nargs="+")
    parser.add_argument("-o", "--output", required=True, type=Path, help="FILE.svg or FILE.png")
    parser.add_argument("-i", "--inputs", help="set points over time, as for rut run")
    parser.add_argument("-d", "--duration", type=float, help="simulated seconds")
    parser.add_argument("-s", "--set", action="append", default=[], metavar="PATH=VALUE")
    parser.add_argument("--detail", metavar="BOX", help="a part: 'x_min y_min x_max y_max'")
    parser.add_argument("--plot", metavar="COLUMNS", help="'tug.velocity_x,rover.velocity_x; rover.yaw_rate'")
    parser.add_argument("--rut", help="the rut command (default: build/release/rut)")
    args = parser.parse_args()
    try:
        rut = find_rut(args.rut)
        runs = [Run(rut, world, args.inputs, args.duration, args.set) for world in args.world]
        if args.plot:
            groups = [[c.strip() for c in g.split(",")] for g in args.plot.split(";") if g.strip()]
            save(plots_page(runs[0], groups), args.output)
        else:
            box = numbers(args.detail)
            if args.detail and (len(box) != 4 or box[0] >= box[2] or box[1] >= box[3]):
                raise DrawError("--detail is 'x_min y_min x_max y_max'")
            save(maps_page(runs, box), args.output)
    except (DrawError, OSError) as error:
        print(f"draw_run: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
