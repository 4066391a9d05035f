#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Drives the rover of worlds/demo.xml around a square, from outside. Start it, and then

    rut run worlds/demo.xml --duration 30 --remote udp:9870 \\
        --remote-signals rover/x --remote-signals rover/y --remote-signals rover/yaw
"""
import math
import sys

from rut_remote import State, Udp

LAYOUT = 4102874658  # of these signals: the same command with --remote-layout prints it
CORNERS = [(2, 0), (2, 2), (0, 2), (0, 0)]


def main():
    link = Udp(int(sys.argv[1]) if len(sys.argv) > 1 else 9870)
    corner = 0
    while True:
        try:
            state = State(link.take(), LAYOUT)
        except ValueError as fault:  # damaged on its way, or a run with other signals
            print(fault, file=sys.stderr)
            continue
        x, y, yaw = state.values
        goal = CORNERS[corner % len(CORNERS)]
        if math.hypot(goal[0] - x, goal[1] - y) < 0.15:
            corner += 1
            print(f"t = {state.time:.2f} s: corner {corner}", flush=True)
        bearing = math.atan2(goal[1] - y, goal[0] - x) - yaw
        off = math.atan2(math.sin(bearing), math.cos(bearing))
        # set points of the rover: speed [m/s] and yaw rate [rad/s]
        link.give(state.answer([0.5 * max(math.cos(off), 0), 1.5 * off]))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
