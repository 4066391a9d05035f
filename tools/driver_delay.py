#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Delays that the steering of the human driver bears, by linear theory.

    python3 tools/driver_delay.py

The loop: the two-point law S (c f' + (1 - c) n' + k n) with n, f = -(e/D + psi), a steering lag of 0.1 s, a pure delay, and a
bicycle with tyres, that of worlds/vehicles/hmmwv_loaded.xml (public data of MichiganAutonomousVehicles.jl). The delay margin is the
phase that is left where the gain of the open loop is 1 over that frequency: exact, without a rational approximation of the delay.
Prints for each speed the gain that the driver chooses, the window of gains that are stable with the delay it expects, the largest
total delay with that gain, the delay of its own (age of what it saw, half a cycle, the hands), and what is left for video and
commands.
"""
import cmath
import math

MASS, INERTIA, FRONT, REAR = 2688.7, 4110.1, 1.5775, 1.7245
STIFF_FRONT, STIFF_REAR = 84138.6, 78123.6  # of each axle [N/rad]
SHARE, RATE, LAG = 0.8, 0.03, 0.1
PRODUCTION, ATTENTION, MOTOR = 0.05, 0.055, 0.05
DELAYS = (0.2, 0.3, 0.5, 0.7, 0.9)
GAINS = {5: (0.319, 0.319, 0.285, 0.264, 0.236), 10: (0.256, 0.235, 0.200, 0.169, 0.143),
         15: (0.186, 0.170, 0.144, 0.121, 0.102), 20: (0.150, 0.141, 0.119, 0.097, 0.081),
         25: (0.133, 0.121, 0.102, 0.085, 0.070)}


def open_loop(speed, s):
    """Open loop for S = 1 without the delay, at the complex frequency s."""
    near, far = max(10, speed), max(20, 3 * speed)
    # [a b; c d] (v_y, r) = (f, g) delta
    a = MASS * s + (STIFF_FRONT + STIFF_REAR) / speed
    b = MASS * speed + (FRONT * STIFF_FRONT - REAR * STIFF_REAR) / speed
    c = (FRONT * STIFF_FRONT - REAR * STIFF_REAR) / speed
    d = INERTIA * s + (FRONT**2 * STIFF_FRONT + REAR**2 * STIFF_REAR) / speed
    determinant = a * d - b * c
    sideways = (STIFF_FRONT * d - b * FRONT * STIFF_FRONT) / determinant
    rate = (a * FRONT * STIFF_FRONT - c * STIFF_FRONT) / determinant
    heading = rate / s
    offset = (sideways + speed * heading) / s
    seen_near, seen_far = offset / near + heading, offset / far + heading
    law = (SHARE * s * seen_far + ((1 - SHARE) * s + RATE) * seen_near) / s
    return law / (LAG * s + 1)


def response(speed):
    """Frequencies, magnitudes and continuous phases of the open loop with S = 1; the phase begins at -270 degrees."""
    points, phase = [], None
    for i in range(6001):
        w = 10 ** (-4 + i / 1000)
        value = open_loop(speed, 1j * w)
        if phase is None:
            phase = -1.5 * math.pi
            turn = cmath.phase(value)
            phase += (turn - phase + math.pi) % (2 * math.pi) - math.pi
        else:
            phase += (cmath.phase(value) - phase + math.pi) % (2 * math.pi) - math.pi
        points.append((w, abs(value), phase))
    return points


def delay_margin(points, gain):
    """Largest delay that is stable with this gain, 0 if none is: of the frequencies at which the gain is 1, the last."""
    for w, size, phase in reversed(points):
        if gain * size >= 1:
            return max(0, (phase + math.pi) / w)
    return 0


def window(points, delay):
    """Least and largest gain that is stable with a delay."""
    stable = [1 / size for w, size, phase in points if phase - w * delay > -math.pi]
    return (min(stable), max(stable)) if stable else (math.nan, math.nan)


def main():
    own = (SHARE * 2 * PRODUCTION + (1 - SHARE) * (3 * PRODUCTION + ATTENTION) + (4 * PRODUCTION + ATTENTION) / 2 + MOTOR)
    print("speed  S      stable at .3 s  largest delay  own    left")
    for speed, gains in GAINS.items():
        points = response(speed)
        low, high = window(points, 0.3)
        margin = delay_margin(points, gains[1])
        print(f"{speed:4}   {gains[1]:.3f}  {low:.3f} - {high:.3f}   {margin:.2f} s         {own:.2f} s  {margin - own:.2f} s")
    print("\nwindows of stable gains over delays " + ", ".join(f"{d} s" for d in DELAYS))
    for speed, gains in GAINS.items():
        points = response(speed)
        print(f"{speed:4} m/s  " + "  ".join("%.3f-%.2f" % window(points, d) for d in DELAYS))


if __name__ == "__main__":
    main()
