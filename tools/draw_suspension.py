#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plots toe, camber, hub displacement and motion ratio of wheels on double wishbones over travel.

    tools/draw_suspension.py worlds/hmmwv.xml -o docs/manual/pictures/hmmwv_suspension.svg

Dots mark the static position. Needs nothing but Python and rut.
"""
import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import draw_run  # noqa: E402

DEGREE = 180 / math.pi
PANELS = (("toe [deg]", "toe", DEGREE), ("camber [deg]", "camber", DEGREE),
          ("hub outwards [mm]", "outward", 1e3), ("spring length per travel", "motion_ratio", 1))
COLOURS = ("#1f5fa8", "#c2410c", "#15803d", "#7c3aed")
# beyond this ratio a mechanism is near its end, and curves run off
END = 0.58


def tables(rut, world):
    """What rut tells of each left wheel."""
    done = subprocess.run([rut, "suspension", world, "--json", "--points", "81"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise draw_run.DrawError(done.stderr.strip())
    return json.loads(done.stdout)


def panel(wheels, index):
    """One quantity of all wheels over their travel."""
    label, key, scale = PANELS[index]
    lines = [[(1e3 * p["travel"], scale * p[key]) for p in wheel["points"]
              if abs(p["motion_ratio"]) < END] for wheel in wheels]
    xs, ys = zip(*[point for line in lines for point in line])
    room = 0.06 * ((max(ys) - min(ys)) or 1)
    canvas = draw_run.Canvas(70 + 440 * (index % 2), 70 + 280 * (index // 2), 340, 210,
                             (min(xs), max(xs)), (min(ys) - room, max(ys) + room))
    draw_run.draw_frame(canvas, "travel [mm]", label)
    for k, (wheel, line) in enumerate(zip(wheels, lines)):
        style = f'stroke="{COLOURS[k % 4]}" stroke-width="1.8" stroke-linejoin="round"'
        canvas.polyline(line, style)
        stands = 1e3 * wheel["standing_travel"]
        canvas.circle(min(line, key=lambda p: abs(p[0] - stands)), 4, f'fill="{COLOURS[k % 4]}"')
    return canvas.items


def draw(wheels, name):
    head = draw_run.Canvas(0, 0, 1, 1, (0, 1), (0, 1))
    head.text(70, 28, "Suspension over its travel", 17, draw_run.INK, extra='font-weight="600"')
    head.text(70, 48, name, 12, draw_run.FAINT)
    rows = [(f'<path d="M1 7H25" stroke="{COLOURS[k % 4]}" stroke-width="3"/>', wheel["wheel"])
            for k, wheel in enumerate(wheels)]
    draw_run.draw_legend(head, 880, 74, rows)
    items = head.items
    for index in range(len(PANELS)):
        items += panel(wheels, index)
    return draw_run.page(items, 1110, 620)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("world")
    parser.add_argument("-o", "--output", required=True, type=Path, help="FILE.svg or FILE.png")
    parser.add_argument("--rut", help="the rut command (default: build/release/rut)")
    args = parser.parse_args()
    try:
        wheels = tables(draw_run.find_rut(args.rut), args.world)
        draw_run.save(draw(wheels, Path(args.world).name), args.output)
    except (draw_run.DrawError, KeyError, OSError) as error:
        print(f"draw_suspension: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
