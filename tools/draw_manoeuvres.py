#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Draws manoeuvres of the HMMWV.

    tools/draw_manoeuvres.py lane_change -o docs/manual/pictures/lane_change.svg
    tools/draw_manoeuvres.py step_steer RECORD.csv.gz -o docs/manual/pictures/step_steer.svg
    tools/draw_manoeuvres.py hitch -o docs/manual/pictures/hitch.svg

lane_change: the NATO double lane change with its gates, lateral acceleration and roll. step_steer:
a step steer recorded from Project Chrono and its replay at the recorded speed. hitch: drawbar pull
over slip on four soils. A name that ends in .png is converted as by draw_run.py.
"""
import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import conform_chrono  # noqa: E402
import draw_run  # noqa: E402

COLOURS, INK, FAINT = draw_run.COLOURS, draw_run.INK, draw_run.FAINT
MANOEUVRES = Path(__file__).resolve().parent.parent / "worlds" / "manoeuvres"
LEFT, WIDTH = 70, 780
G = 9.81


def run(rut, world, every, settings=()):
    """Table of the HMMWV, a row after every so many steps."""
    with tempfile.TemporaryDirectory() as folder:
        command = [rut, "run", world, "--csv", folder, "--quiet", "--csv-every", str(every)]
        for text in settings:
            command += ["--set", text]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True,
                              check=False)
        if done.returncode:
            raise draw_run.DrawError(done.stderr.strip())
        return draw_run.Table(Path(folder) / "hmmwv.csv")


def heading(title, about):
    head = draw_run.Canvas(0, 0, 1, 1, (0, 1), (0, 1))
    head.text(LEFT, 28, title, 17, INK, extra='font-weight="600"')
    head.text(LEFT, 48, about, 12, FAINT)
    return head


def span(values, pad=0.08):
    low, high = min(values), max(values)
    more = pad * ((high - low) or 1)
    return low - more, high + more


def line(canvas, x, y, colour, extra=""):
    canvas.polyline(list(zip(x, y)), f'stroke="{colour}" stroke-width="1.9" '
                                     f'stroke-linejoin="round" {extra}')


def panel(top, height, x, y, labels, x_pieces=10):
    canvas = draw_run.Canvas(LEFT, top, WIDTH, height, x, y)
    draw_run.draw_frame(canvas, *labels, x_pieces=x_pieces, y_pieces=6)
    return canvas


def zero_line(canvas):
    canvas.polyline([(canvas.x_min, 0), (canvas.x_max, 0)],
                    f'stroke="{INK}" stroke-opacity="0.35" stroke-width="1"')


# ---- double lane change ----

def lanes(vehicle_width, length, start):
    """x from, x to, y right, y left of the three lanes of AVTP 03-160W, the second to the left."""
    at, found = start, []
    for size, part, edge in ((15, 1.1, 0), (25, 1.2, 3.5), (15, 1.3, 0)):
        width = part * vehicle_width + 0.25
        # right edges are in line, or 3.5 m apart
        right = -0.5 * (1.1 * vehicle_width + 0.25) + edge
        found.append((at, at + size, right, right + width))
        at += size + length + 24
    return found


def draw_course(table, top):
    gates = lanes(2.16, 4.93, 0)
    x = [v - 80 for v in table["x"]]
    shown = [(a, b, c) for a, b, c in zip(x, table["y"], table["yaw"]) if -8 < a < 125]
    height = WIDTH * 9 / 133
    canvas = draw_run.Canvas(LEFT, top, WIDTH, 2 * height, (-8, 125), (-3.2, 5.8))
    canvas.add(f'<rect x="{LEFT}" y="{top}" width="{WIDTH}" height="{2 * height:.1f}" '
               f'fill="{draw_run.GROUND}"/>')
    for first, last, right, left in gates:
        canvas.polygon([(first, right), (last, right), (last, left), (first, left)],
                       'fill="#e2ecd9" fill-opacity="0.9"')
    draw_run.draw_frame(canvas, "way from the first gate [m]", "y [m]", x_pieces=14)
    # what the body covers, by its corners
    corners = [(2.46, 1.08), (2.46, -1.08), (-2.46, -1.08), (-2.46, 1.08)]
    for a, b, yaw in shown[::4]:
        if not -5 < a < 122:
            continue
        canvas.polygon(draw_run.place(corners, a, b, yaw),
                       f'fill="{COLOURS[0]}" fill-opacity="0.045"')
    line(canvas, [p[0] for p in shown], [p[1] for p in shown], COLOURS[0])
    for first, last, right, left in gates:
        count = 4 if last - first < 20 else 6
        for k in range(count):
            for side in (right, left):
                px, py = canvas.at(first + (last - first) * k / (count - 1), side)
                canvas.add(f'<path d="M{px - 3.6:.1f} {py + 4:.1f}L{px:.1f} {py - 5:.1f}'
                           f'L{px + 3.6:.1f} {py + 4:.1f}z" fill="{COLOURS[1]}" stroke="#fff" '
                           'stroke-width="0.7"/>')
    return canvas


def lane_change(rut):
    world = MANOEUVRES / "double_lane_change_nato.xml"
    table = run(rut, world, 10)
    step = table["t"][1] - table["t"][0]
    ay = conform_chrono.low_pass(
        conform_chrono.lateral_acceleration({n: table[n] for n in
                                             ("velocity_x", "velocity_y", "velocity_z",
                                              "roll_rate", "pitch_rate", "yaw_rate")}, step), step, 10)
    way = [v - 80 for v in table["x"]]
    rows = [i for i, v in enumerate(way) if -8 < v < 125]
    at = [way[i] for i in rows]
    items = [heading("NATO double lane change",
                     "AVTP 03-160W \N{MIDDLE DOT} 16.5 m/s \N{MIDDLE DOT} friction 0.8 "
                     "\N{MIDDLE DOT} across the way at twice the scale")]
    items.append(draw_course(table, 66))
    values = [ay[i] * G for i in rows]
    canvas = panel(256, 130, (-8, 125), span(values), ("", "a [m/s\N{SUPERSCRIPT TWO}]"), 14)
    zero_line(canvas)
    line(canvas, at, values, COLOURS[0])
    canvas.text(LEFT + 10, 272, "lateral acceleration", 12, INK)
    items.append(canvas)
    values = [math.degrees(table["roll"][i]) for i in rows]
    canvas = panel(430, 130, (-8, 125), span(values), ("way from the first gate [m]", "[deg]"), 14)
    zero_line(canvas)
    line(canvas, at, values, COLOURS[4])
    canvas.text(LEFT + 10, 446, "roll, right side down", 12, INK)
    items.append(canvas)
    return draw_run.page([i for c in items for i in c.items], LEFT + WIDTH + 30, 615)


# ---- step steer ----

TYRES = {"tmeasy": "TMeasy", "fiala": "Fiala", "pac2002": "PAC2002"}

def step_steer(rut, path):
    tyre, _ = conform_chrono.parts_of_name(path)
    record = conform_chrono.read_chrono(path)
    args = SimpleNamespace(rut=str(rut), timestep=1e-3, friction=0.9, hold_speed=True, set=[])
    with tempfile.TemporaryDirectory() as scratch:
        ours = conform_chrono.run_rut(args, record, tyre, Path(scratch))
    begin = next(t for t, s in zip(record["t"], record["steering"])
                 if s > conform_chrono.STEERING_RANGE)
    rows = (("ay_filtered", "a [g]", "lateral acceleration"),
            ("yaw_rate", "[rad/s]", "yaw rate"), ("roll", "[deg]", "roll"))
    items = [heading("Step of the steering wheel, replayed",
                     f"{TYRES.get(tyre, tyre)} tyres \N{MIDDLE DOT} 0.2 of full lock "
                     "\N{MIDDLE DOT} recorded speed \N{MIDDLE DOT} Project Chrono at 1 ms")]
    legend = [(f'<path d="M1 7H25" stroke="{INK}" stroke-width="2.4" stroke-dasharray="5 3"/>',
               "Chrono"),
              (f'<path d="M1 7H25" stroke="{COLOURS[0]}" stroke-width="3"/>', "rut")]
    for k, (name, unit, words) in enumerate(rows):
        def cut(run):
            chosen = [(t - begin, v) for t, v in zip(run["t"], run[name])
                      if -0.5 <= t - begin <= 4]
            return [p[0] for p in chosen], [p[1] for p in chosen]
        theirs, mine = cut(record), cut(ours)
        top = 66 + 180 * k
        canvas = panel(top, 140, (-0.5, 4), span(theirs[1] + mine[1]),
                       ("time from the step [s]" if k == 2 else "", unit))
        line(canvas, *mine, COLOURS[0])
        line(canvas, *theirs, INK, 'stroke-dasharray="5 3" stroke-opacity="0.85"')
        canvas.text(LEFT + 10, top + 16, words, 12, INK)
        items.append(canvas)
    draw_run.draw_legend(items[0], LEFT + WIDTH + 20, 70, legend)
    return draw_run.page([i for c in items for i in c.items], LEFT + WIDTH + 130, 618)


# ---- hitch ----

SOILS = (("lete_sand", "LETE sand"), ("upland_sandy_loam", "upland sandy loam"),
         ("dry_sand", "dry sand"), ("clayey_soil_38", "clayey soil, 38 % moisture"))
WHEELS = ("front_left", "front_right", "rear_left", "rear_right")
WEIGHT = 2573.138 * G


def pull_over_slip(rut, preset):
    """Mean slip and pull over weight, second by second, up to where the wheels only slip."""
    world = MANOEUVRES / "drawbar_pull.xml"
    table = run(rut, world, 10, (f"sand.preset={preset}",))
    found, size = [], 50
    for first in range(0, table.rows - size, size):
        part = range(first, first + size)
        time = sum(table["t"][i] for i in part) / size
        slip = sum(table[f"{w}.slip"][i] for w in WHEELS for i in part) / (4 * size)
        speed = sum(table["velocity_x"][i] for i in part) / size
        if speed < 0.3 or found and 100 * slip < found[-1][0]:
            break
        if time > 3.5:
            found.append((100 * slip, 500 * (time - 3) / WEIGHT))
    return found


def hitch(rut):
    curves = [(name, pull_over_slip(rut, preset)) for preset, name in SOILS]
    most = max(p[1] for _, c in curves for p in c)
    items = [heading("Drawbar pull of the whole vehicle",
                     "drawbar_pull.xml \N{MIDDLE DOT} 500 N more each second, at 3 m/s or full "
                     "throttle")]
    canvas = panel(66, 300, (0, 100), (0, 1.08 * most),
                   ("mean slip of the four wheels [%]", "pull over weight"))
    for k, (_, curve) in enumerate(curves):
        line(canvas, [p[0] for p in curve], [p[1] for p in curve], COLOURS[k])
        for p in curve:
            canvas.circle(p, 1.7, f'fill="{COLOURS[k]}"')
    items.append(canvas)
    draw_run.draw_legend(items[0], LEFT + WIDTH + 20, 70, [
        (f'<path d="M1 7H25" stroke="{COLOURS[k]}" stroke-width="3"/>', name)
        for k, (name, _) in enumerate(curves)])
    return draw_run.page([i for c in items for i in c.items], LEFT + WIDTH + 250, 420)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("what", choices=("lane_change", "step_steer", "hitch"))
    parser.add_argument("record", nargs="?", type=Path, help="for step_steer")
    parser.add_argument("-o", "--output", required=True, type=Path, help="FILE.svg or FILE.png")
    parser.add_argument("--rut", help="the rut command (default: build/release/rut)")
    args = parser.parse_args()
    try:
        rut = draw_run.find_rut(args.rut)
        if args.what == "step_steer" and not args.record:
            raise draw_run.DrawError("step_steer needs a record")
        svg = (lane_change(rut) if args.what == "lane_change" else
               hitch(rut) if args.what == "hitch" else step_steer(rut, args.record))
        draw_run.save(svg, args.output)
    except (draw_run.DrawError, conform_chrono.RunError, OSError, KeyError) as error:
        print(f"draw_manoeuvres: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
