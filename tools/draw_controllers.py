#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plots speed and motor power of the vehicles of a world, as in figures 11 and 12 of VirtualBotz 3D.

    tools/draw_controllers.py worlds/rover_ramp.xml -o docs/manual/pictures/rover_ramp.svg

For vehicles on axles with a dc_motor at each wheel. The power is that which the motors of an axle draw from the
battery: with the wheel torque T and speed w of the tables, gear n and friction T_f of the shaft, the
current is i = (T/n + T_f sign w)/K, and the power R i^2 + K i n w; means over 0.1 s. Needs nothing but
Python and rut.
"""
import argparse
import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))
import draw_run  # noqa: E402

MEAN_OVER = 0.1
# of the Magmotor S28-150, which are rut's defaults
DEFAULTS = {"gear": 1, "torque_constant": 0.03757, "resistance": 0.064, "coulomb_friction": 0.128}
AXLES = (("front", ("front_left", "front_right")), ("rear", ("rear_left", "rear_right")))


def means(times, values):
    """Means over whole intervals, at their middles."""
    sums, last = {}, int(times[-1] / MEAN_OVER + 1e-9)
    for time, value in zip(times, values):
        sums.setdefault(int(time / MEAN_OVER + 1e-9), []).append(value)
    return [((k + 0.5) * MEAN_OVER, sum(v) / len(v)) for k, v in sorted(sums.items()) if k < last]


def power_of(run, vehicle, wheels):
    """Points of time and electrical power of the motors at some wheels."""
    drive = vehicle.find("drive")
    if drive is None or drive.get("type") != "dc_motor":
        raise draw_run.DrawError(f"{vehicle.get('name')} has no dc_motor")
    gear, constant, resistance, friction = (
        draw_run.number(drive, name, default) for name, default in DEFAULTS.items())
    table = run.of(vehicle)
    power = [0] * table.rows
    for wheel in wheels:
        for k, (torque, speed) in enumerate(zip(table[f"{wheel}.torque"], table[f"{wheel}.speed"])):
            rubbing = math.copysign(friction, speed) if abs(speed) > 1e-3 else 0
            current = (torque / gear + rubbing) / constant
            power[k] += resistance * current ** 2 + constant * current * gear * speed
    return means(table["t"], power)


def panel(run, lines, label, top, low, high):
    """Lines of points against time, and their legend."""
    canvas = draw_run.Canvas(60, top, 720, 190, (0, run.end), (low, high))
    draw_run.draw_frame(canvas, "t [s]", label)
    rows = []
    for name, colour, points in lines:
        canvas.polyline(points, f'stroke="{colour}" stroke-width="1.8" stroke-linejoin="round"')
        rows.append((f'<path d="M1 7H25" stroke="{colour}" stroke-width="3"/>', name))
    draw_run.draw_legend(canvas, canvas.left + canvas.width + 22, top + 4, rows)
    return canvas.items


def draw(run):
    head = draw_run.Canvas(0, 0, 1, 1, (0, 1), (0, 1))
    head.text(60, 28, run.root.get("description") or run.name, 17, draw_run.INK,
              extra='font-weight="600"')
    head.text(60, 48, run.name, 12, draw_run.FAINT)
    panels = [("speed [m/s]", [(v, list(zip(run.of(v)["t"], run.of(v)["velocity_x"]))) for v in run.vehicles])]
    panels += [(f"{axle} motors [W]", [(v, power_of(run, v, wheels)) for v in run.vehicles])
               for axle, wheels in AXLES]
    items, top = head.items, 62
    powers = [p[1] for _, lines in panels[1:] for _, points in lines for p in points]
    for label, lines in panels:
        values = powers if label.endswith("[W]") else [p[1] for _, points in lines for p in points]
        low, high = min(values), max(values)
        pad = 0.06 * ((high - low) or 1)
        named = [(v.get("name"), run.colour[v.get("name")], points) for v, points in lines]
        items += panel(run, named, label, top, low - pad, high + pad)
        top += 190 + 60
    widest = max(len(v.get("name")) for v in run.vehicles)
    return draw_run.page(items, 60 + 720 + 56 + 7 * widest + 16, top)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("world")
    parser.add_argument("-o", "--output", required=True, type=Path, help="FILE.svg or FILE.png")
    parser.add_argument("-d", "--duration", type=float, help="simulated seconds")
    parser.add_argument("-s", "--set", action="append", default=[], metavar="PATH=VALUE")
    parser.add_argument("--rut", help="the rut command (default: build/release/rut)")
    args = parser.parse_args()
    try:
        run = draw_run.Run(draw_run.find_rut(args.rut), args.world, None, args.duration, args.set)
        draw_run.save(draw(run), args.output)
    except (draw_run.DrawError, KeyError, OSError) as error:
        print(f"draw_controllers: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
