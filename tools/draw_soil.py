#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plots pull and efficiency of a wheel on the soils of a world over slip, or its passes in one rut.

    tools/draw_soil.py worlds/soils.xml -o docs/manual/pictures/drawbar_pull.svg
    tools/draw_soil.py worlds/soils.xml --passes 8 -o docs/manual/pictures/multi_pass.svg

Options after -- are passed to rut soil: `-- --radius 0.3 --load 3000`. Needs nothing but Python and rut.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import draw_run  # noqa: E402

COLOURS = draw_run.COLOURS
TOP, WIDTH, HEIGHT = 70, 370, 270


def tables(rut, words):
    """What rut tells of each soil."""
    done = subprocess.run([rut, "soil", *words, "--json"], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise draw_run.DrawError(done.stderr.strip())
    return json.loads(done.stdout)


def points_of(soil):
    return [p for p in soil["points"] if p["carried"]]


def wheel_text(soil):
    wheel = soil["wheel"]
    tyre = f"{wheel['stiffness'] / 1e3:g} kN/m" if wheel["stiffness"] else "rigid"
    return (f"one wheel, {2 * wheel['radius']:g} m x {wheel['width']:g} m, {tyre}, "
            f"load {wheel['load'] / 1e3:g} kN").replace(" x ", " \N{MULTIPLICATION SIGN} ")


def style(soil, index):
    """Line of a soil: dashed if it is hard ground."""
    dashes = "" if soil["deformable"] else ' stroke-dasharray="7 4"'
    return f'stroke="{COLOURS[index % len(COLOURS)]}"{dashes}'


def panel(left, soils, lines, labels, dots):
    """One quantity of all soils."""
    xs, ys = zip(*[point for line in lines for point in line])
    room = 0.04 * ((max(ys) - min(ys)) or 1)
    side = 0.3 if dots else 0
    canvas = draw_run.Canvas(left, TOP, WIDTH, HEIGHT, (min(xs) - side, max(xs) + side),
                             (min(ys) - room, max(ys) + room))
    draw_run.draw_frame(canvas, *labels, y_pieces=7)
    if canvas.y_min < 0:
        canvas.polyline([(canvas.x_min, 0), (canvas.x_max, 0)],
                        f'stroke="{draw_run.INK}" stroke-opacity="0.5" stroke-width="1"')
    for k, (soil, line) in enumerate(zip(soils, lines)):
        canvas.polyline(line, f'{style(soil, k)} stroke-width="2" stroke-linejoin="round"')
        for point in line if dots else []:
            canvas.circle(point, 3, f'fill="{COLOURS[k % len(COLOURS)]}"')
    return canvas.items


def page(title, about, soils, panels, rows):
    head = draw_run.Canvas(0, 0, 1, 1, (0, 1), (0, 1))
    head.text(70, 28, title, 17, draw_run.INK, extra='font-weight="600"')
    head.text(70, 48, about, 12, draw_run.FAINT)
    legend = [(f'<path d="M1 7H25" {style(soil, k)} stroke-width="3"/>', text)
              for k, (soil, text) in enumerate(zip(soils, rows))]
    right = 70 + len(panels) * (WIDTH + 90) - 60
    draw_run.draw_legend(head, right, TOP + 4, legend)
    items = head.items + [item for panel_items in panels for item in panel_items]
    return draw_run.page(items, right + 50 + 7 * max(len(text) for text in rows), TOP + HEIGHT + 55)


def draw_slips(soils):
    """Pull over load and efficiency over slip."""
    load = soils[0]["wheel"]["load"]
    panels = []
    for key, unit, label in (("drawbar_pull", load, "drawbar pull / load"),
                             ("efficiency", 1, "efficiency")):
        lines = [[(p["slip"], p[key] / unit) for p in points_of(s)] for s in soils]
        left = 70 + len(panels) * (WIDTH + 90)
        panels.append(panel(left, soils, lines, ("slip", label), False))
    return page("Drawbar pull", wheel_text(soils[0]), soils, panels, [s["soil"] for s in soils])


def first_sinkage(soil):
    return points_of(soil)[0]["sinkage"]


def draw_passes(soils):
    """Sinkage as a part of the first, and resistance over load, over the passes."""
    wheel = soils[0]["wheel"]
    soils = [s for s in soils if s["deformable"]]
    # where the wheel digs in by half its radius nothing rolls, and the scale would be lost
    deep = [s for s in soils if first_sinkage(s) > 0.5 * wheel["radius"]]
    soils = [s for s in soils if s not in deep]
    if not soils:
        raise draw_run.DrawError("no soil is deformable")
    sinkage = [[(p["pass"], p["sinkage"] / first_sinkage(s)) for p in points_of(s)] for s in soils]
    resistance = [[(p["pass"], p["resistance"] / wheel["load"]) for p in points_of(s)]
                  for s in soils]
    panels = [panel(70, soils, sinkage, ("pass", "sinkage / that of the first pass"), True),
              panel(160 + WIDTH, soils, resistance, ("pass", "motion resistance / load"), True)]
    about = wheel_text(soils[0])
    if deep:
        about += "; not shown: " + ", ".join(s["soil"] for s in deep)
    return page("Pass after pass in one rut", about, soils, panels,
                [f"{s['soil']}, at first {1e3 * first_sinkage(s):.0f} mm" for s in soils])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("world")
    parser.add_argument("-o", "--output", required=True, type=Path, help="FILE.svg or FILE.png")
    parser.add_argument("--passes", type=int, help="this many in one rut, in place of slips")
    parser.add_argument("--rut", help="the rut command (default: build/release/rut)")
    parser.add_argument("words", nargs="*", help="after --: more options of rut soil")
    args = parser.parse_args()
    how = ["--passes", str(args.passes)] if args.passes else ["--slip", "0:0.8:0.01"]
    try:
        soils = tables(draw_run.find_rut(args.rut), [args.world, *how, *args.words])
        soils = [s for s in soils if points_of(s)]
        draw_run.save(draw_passes(soils) if args.passes else draw_slips(soils), args.output)
    except (draw_run.DrawError, KeyError, OSError) as error:
        print(f"draw_soil: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
