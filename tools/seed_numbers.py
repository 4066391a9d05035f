#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rows of `rut validate --seed`: what the four documents publish whose laws rut began with.

Writes cli/validate/seed_*.def. Numbers of their tables stand here as they are printed; equations are
evaluated here as they are printed, errors included, and in SI. It reads nothing of rut.

    tools/seed_numbers.py            # write the files
    tools/seed_numbers.py --check    # exit 1 if they differ
"""

import os
import sys
from math import *  # formulas read as in the documents

from reference_laws import PLAIN, Soil, bisect, steady, text, under

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROWS = {}
WHERE = [""]
DEG = pi / 180


def number(x):
    return repr(float("%.13g" % x) + 0.0)


def row(kind, *parts):
    ROWS.setdefault(WHERE[0], []).append("%s(%s)" % (kind, ", ".join(
        '"%s"' % p if isinstance(p, str) else p[0] if isinstance(p, list) else number(p) for p in parts)))


LAST = [""]


def whole(quantity):
    """Quantities that begin with 'the same' in full."""
    if quantity.startswith("the same"):
        return LAST[0] + quantity[len("the same"):]
    LAST[0] = quantity
    return quantity


def bench(place, quantity, unit, theirs, tolerance, name, kind, settings, at, output, note=""):
    row("BENCH", place, whole(quantity), unit, theirs, tolerance, name, kind, text(settings), text(at), output, note)


def constant(place, quantity, unit, theirs, tolerance, formula, index, name, kind, settings, at, output, note=""):
    row("CONSTANT", place, whole(quantity), unit, theirs, tolerance, ["cli_seed_" + formula], index, name, kind, text(settings),
        text(at), output, note)


def run(place, quantity, unit, theirs, tolerance, function, argument=0, note=""):
    row("RUN", place, whole(quantity), unit, theirs, tolerance, ["cli_seed_" + function], argument, note)


def none(place, quantity, words, reason):
    row("NONE", place, quantity, words, reason)


def sign(x):
    return (x > 0) - (x < 0)


# ---- MAVS ------------------------------------------------------------------------------------------

LOAD, D, B, H, DELTA = 6500.0, 0.94, 0.3175, 0.2604, 0.03
SURFACES = dict(dry=(10.0, 1.9, 1.0, 0.97), wet=(12.0, 2.3, 0.82, 1.0), snow=(5.0, 2.0, 0.3, 1.0), ice=(10.0, 2.0, 0.1, 1.0))
ICE = "ice B is 4 in its source and in MAVS's program"


def magic(c, s):
    b, cc, d, e = c
    return d * sin(cc * atan(b * s - e * (b * s - atan(b * s))))


def two_branches(v, rim):
    if v < rim and v != 0:
        return rim / v - 1
    if v > rim and rim != 0:
        return 1 - v / rim
    return 0.0


def bounded(v, rim):
    return (rim - v) / max(abs(v), abs(rim))


def sand(ci, s, n=LOAD):
    ns = ci / 3.47 * (B * D) ** 1.5 * DELTA / (n * H)
    y = 4.71 + 1.72 / s
    xm = 0.44 + 0.002287 * n
    return 0.66 - 0.66 * y / (ns + 10 + y), xm + sqrt(xm * xm + 0.0000457 * n + 0.08) + 0.05 * DELTA / H


def clay(ci, s, n=LOAD):
    nc = ci * B * D / (n * (1 - DELTA / H) ** 1.5 * (1 + B / D) ** 0.75)
    sp = 21.0 / nc ** 2.5
    return 0.5 * log10(s / sp), 12.0 / nc ** 2 + 0.007, sp


def mavs():
    WHERE[0] = "mavs"
    none("figure", "steps of the update", "picture", "no numbers")
    none("table of symbols", "unit of I_t; of b", "none; 'b'", "kg m2 and m here")
    steer = 0.2
    run("step 1", "v_perp/v_par, v (3, 0.4) m/s, steer 0.2", "rad",
        atan2(-3 * sin(steer) + 0.4 * cos(steer), 3 * cos(steer) + 0.4 * sin(steer)), 1e-5, "slip_angle", steer, "angle of both")
    for v in (0.0, 0.1, -0.1, 2.0):
        n = 2e5 * DELTA - 5000 * v
        bench("step 1, 2", "N = k delta - c v_up, v_up %g m/s" % v, "N", n, 1e-12 if n > 0 else 0, "carcass", "linear",
              dict(stiffness=2e5, damping=5e3), dict(deflection=DELTA, rate=-v), "load",
              "" if n > 0 else "as printed the ground pulls; here it does not")
    run("step 2", "delta = N/k of a standing wheel", "m", 1500 * 9.81 / 4 / 2e5, 1e-6, "deflection")
    run("step 2", "hub at Z + d/2 - delta", "m", 0.4 - 1500 * 9.81 / 4 / 2e5, 1e-6, "hub_height")
    run("step 3", "r_eff = d/2 - delta, rolling freely", "m", 0.4 - 1500 * 9.81 / 4 / 2e5, 0, "rolling_radius", 0,
        "a tyre rolls on about d/2 - delta/3")
    run("step 3", "the same, as printed", "m", 0.4 - 1500 * 9.81 / 4 / 2e5, 1e-4, "rolling_radius", 1, "<axle rolling_radius=loaded>")
    for v, rim in ((5.0, 6.0), (5.0, 4.0), (1.0, 4.0), (4.0, 1.0)):
        s = two_branches(v, rim)
        bench("step 3", "F/N on snow at v %g, r w %g, s = %.4g" % (v, rim, s), "", magic(SURFACES["snow"], s), 0, "traction",
              "magic_formula", dict(surface="snow"), dict(slip_x=bounded(v, rim)), "mu_x",
              "cases exchanged in print: s is %.4g, never beyond 1" % bounded(v, rim))
        bench("step 3", "the same", "", magic(SURFACES["snow"], s), 1e-7, "traction", "magic_formula", dict(surface="snow", slip="two_branches"),
              dict(slip_x=bounded(v, rim)), "mu_x", "slip=two_branches")
    none("step 3", "slip of a wheel that runs backward", "-0.67 for -5, -1.65", "sign wrong: would drive it on; +0.67 here")
    run("step 3", "alpha = atan(v_perp/v_par) - theta, theta 0.1", "rad", -0.2, 0, "wheel_angle", 0.1,
        "v is in the wheel's axes already: theta is taken off twice")
    none("step 4", "F = f(N, delta, s, alpha)", "form", "rut_soil_point and rut_tyre_point have these inputs")
    beta, inertia, q = 0.1, 1.0, 10.0
    run("step 5", "w after 1 s of Q 10 N m, beta 0.1 (listing)", "rad/s", q / beta * (1 - (1 - 1e-3 * beta / inertia) ** 1000), 1e-4,
        "spin", 0, "the step of the print is explicit, ours is not")
    bench("listing", "0.1: viscous friction of the wheel", "N m s", 0.1, 1e-12, "carcass", "linear", dict(bearing=0.1), {}, "bearing",
          "default 0: bearings have about a hundredth")
    none("step 5", "net traction in the sum of torques", "Q - d/2 F", "resistance of a rolling wheel vanishes; gross traction here")
    run("step 6", "direction of F_global of a braked wheel, yaw 0.5", "rad", 0.5, 1e-3, "force_heading", 0, "yaw and F_perp are not quite 0")
    for name, c in SURFACES.items():
        for k, letter in enumerate("BCDE"):
            wrong = name == "ice" and k == 0
            printed = dict(variant="as_published") if name == "ice" else {}
            if wrong:
                constant("table of surfaces", "ice B", "", 10, 0, "magic_ice", k, "traction", "magic_formula", dict(surface=name),
                         dict(slip_x=0.07), "mu_x", ICE)
            constant("table of surfaces", "%s %s" % (name, letter), "", c[k], 1e-7, "magic_" + name, k, "traction", "magic_formula",
                     dict(surface=name, **printed), dict(slip_x=0.07), "mu_x", "variant=as_published" if printed else "")
        for s in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0):
            bench("magic formula", "F/N, %s, s %g" % (name, s), "", magic(c, s), 0 if name == "ice" else 1e-9, "traction", "magic_formula",
                  dict(surface=name), dict(slip_x=s), "mu_x", ICE if name == "ice" else "")
            if name == "ice":
                bench("magic formula", "F/N, ice, s %g" % s, "", magic(c, s), 1e-9, "traction", "magic_formula",
                      dict(surface=name, variant="as_published"), dict(slip_x=s), "mu_x", "variant=as_published")
    printed = dict(variant="as_published", cone_index=6e5)
    names = ("3.47", "X: 0.66", "Y: 4.71", "Y: 1.72", "10", "X_m: 0.44", "X_m: 0.002287", "0.0000457", "0.08", "0.05")
    values = (3.47, 0.66, 4.71, 1.72, 10, 0.44, 0.002287, 0.0000457, 0.08, 0.05)
    notes = {0: "inches, taken for metres", 6: "sign", 7: "load for a numeric"}
    for k, (name, value) in enumerate(zip(names, values)):
        constant("sand", name, "", value, 1e-6, "sand", k, "traction", "sand", printed, dict(slip_x=0.2), "mu_x",
                 "variant=as_published" + ("; " + notes[k] if k in notes else ""))
    for ci in (2e5, 6e5):
        for s in (0.05, 0.2, 0.6):
            t, r = sand(ci, s)
            at = dict(slip_x=s)
            bench("sand", "T - R, CI %g kPa, s %g" % (ci / 1e3, s), "", t - r, 1e-9, "traction", "sand", dict(cone_index=ci, variant="as_published"),
                  at, "mu_x", "variant=as_published")
            bench("sand", "T - R, CI %g kPa, s %g" % (ci / 1e3, s), "", t - r, 0, "traction", "sand", dict(cone_index=ci), at, "net",
                  "N for a numeric in X_m, with the wrong sign; 3.47 in inches")
    names = ("1 - delta/h: 1.5", "1 + b/d: 0.75", "S_sp: 21.0", "S_sp: 2.5", "T: 1/2", "T: 0.25", "R: 12.0", "R: 0.007")
    for k, (name, value) in enumerate(zip(names, (1.5, 0.75, 21, 2.5, 0.5, 0.25, 12, 0.007))):
        constant("clay", name, "", value, 1e-6, "clay", k, "traction", "clay", printed, dict(slip_x=0.2), "mu_x", "variant=as_published")
    run("clay", "S_sp at CI 600 kPa", "", clay(6e5, 1)[2], 0, "self_propelled", 0, "the source adds 0.005")
    for ci in (2e5, 6e5):
        for s in (0.05, 0.2, 0.6):
            t, r, _ = clay(ci, s)
            net = t * (1 + B / D) ** 0.25 - r
            at = dict(slip_x=s)
            bench("clay", "T (1 + b/d)^0.25 - R, CI %g kPa, s %g" % (ci / 1e3, s), "", net, 1e-9, "traction", "clay",
                  dict(cone_index=ci, variant="as_published"), at, "mu_x", "variant=as_published")
            bench("clay", "T (1 + b/d)^0.25 - R, CI %g kPa, s %g" % (ci / 1e3, s), "", net, 0, "traction", "clay", dict(cone_index=ci), at, "net",
                  "T is net at S_sp already: R is taken off twice")
    constant("lateral", "gamma 0.09", "rad", 0.09, 1e-9, "crolla", 0, "traction", "magic_formula", {}, dict(slip_y=tan(0.1)), "mu_y")
    for s, alpha in ((0.0, 0.05), (0.03, 0.05), (0.2, 0.1)):
        f = magic(SURFACES["dry"], s) * (1 - exp(-alpha / 0.09))
        bench("lateral", "F_perp/N, dry, s %g, alpha %g" % (s, alpha), "", -f, 0, "traction", "magic_formula", {},
              dict(slip_x=s, slip_y=tan(alpha)), "mu_y", "as printed none without slip; against alpha, sign added")
        bench("lateral", "the same", "", -f, 1e-8, "traction", "magic_formula", dict(lateral="crolla_longitudinal"),
              dict(slip_x=s, slip_y=tan(alpha)), "mu_y", "lateral=crolla_longitudinal")
    t, r, _ = clay(6e5, 0.2)
    f = abs(t * (1 + B / D) ** 0.25 - r) * (1 - exp(-0.1 / 0.09))
    bench("lateral", "F_perp/N, clay 600 kPa, s 0.2, alpha 0.1", "", -f, 1e-8, "traction", "clay", dict(printed, lateral="crolla_longitudinal"),
          dict(slip_x=0.2, slip_y=tan(0.1)), "mu_y", "variant=as_published lateral=crolla_longitudinal")
    t, r = sand(6e5, 0.25)
    bench("lateral", "F_perp/N, sand, r w/v 1.25, alpha 0.1", "", -abs(t - r) * (1 - exp(-0.1 / 0.09)), 1e-8, "traction", "sand",
          dict(printed, lateral="crolla_longitudinal", slip="two_branches"), dict(slip_x=0.2, slip_y=tan(0.1)), "mu_y", "with slip=two_branches as well")
    for s in (0.25, 3.0):
        t, r, _ = clay(6e5, s)
        bench("clay", "T (1 + b/d)^0.25 - R at r w/v %g" % (1 + s), "", t * (1 + B / D) ** 0.25 - r, 1e-8, "traction", "clay",
              dict(printed, slip="two_branches"), dict(slip_x=bounded(1, 1 + s)), "mu_x", "variant=as_published slip=two_branches")
    none("listing", "0.001 m/s: below it alpha is 0", "0.001", "wheels hold there; no limit of speed here")
    none("listing", "pi/2 bounds v_perp/v_par", "alpha to 57.5 deg", "atan2 here, to 90 deg")
    none("listing", "N = length of the force", "never negative", "a load that pulls is 0 here (step 2)")


# ---- MVSim -----------------------------------------------------------------------------------------

def planar(vx, vy, speed, torque, dt=0.01, load=100.0, mass=10.0, radius=0.2, inertia=0.1, mu=0.8, damp=0.01):
    most = mu * load
    clamp = lambda f: max(-most, min(f, most))
    lat = clamp(mass * -vy / dt)
    desired = (vx / radius - speed) / dt
    lon = clamp((torque - inertia * desired - damp * speed) / radius)
    return lon, lat, (torque - radius * lon - damp * speed) / inertia


def torsen(w1, w2, b=1.5, k=0.5, divide=False):
    top, low = max(abs(w1), abs(w2)), min(abs(w1), abs(w2))
    lock = top - b * low
    dt = (lock / top if divide else lock * top) if lock > 0 else 0
    f1, f2 = (k * (1 - dt), (1 - k) * (1 + dt)) if abs(w1) > abs(w2) else (k * (1 + dt), (1 - k) * (1 - dt))
    return f1 / (f1 + f2), f2 / (f1 + f2)


def drag(v, n=100.0, a=50.0, r1=0.0075, r2=0.02):
    return -sign(v) * n * (r1 * (1 - exp(-a * abs(v))) + r2 * abs(v))


def mvsim():
    WHERE[0] = "mvsim"
    none("section 3", "tags of world files", "no numbers", "rut reads them: rut check, rut run on a world of MVSim")
    none("3.3.1", "files for QtiPlot 1", "program", "rut run --log writes CSV; rut plot draws it")
    note = "F_rr: A 50 s/m, R_1 0.0075, R_2 0.02 s/m of its program"
    none("figure 1a", "rolling resistance over velocity", "picture", "no numbers, no vehicle; F_rr below")
    for v in (-2.0, -0.5, 0.01, 0.02, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0):
        bench("figures 1a, 3", "F_rr/N at %g m/s" % v, "", drag(v) / 100, 1e-9, "wheel", "ward_iagnemma", {},
              dict(vx=v, speed=v / 0.2, load=1.0, mass=1e9), "drag", note)
    none("figure 3", "effect of A_roll, R_1, R_2", "picture", "taken from another paper; no numbers")
    for name, settings, v, k in (("A_roll 10 s/m", dict(drag_onset=10), 0.05, dict(a=10.0)), ("R_1 0.05", dict(drag_constant=0.05), 0.5, dict(r1=0.05)),
                                 ("R_2 0.1 s/m", dict(drag_rate=0.1), 2.0, dict(r2=0.1))):
        bench("figure 3", "F_rr/N at %g m/s, %s" % (v, name), "", drag(v, 1.0, **k), 1e-9, "wheel", "ward_iagnemma", settings,
              dict(vx=v, speed=v / 0.2, load=1.0, mass=1e9), "drag")
    bench("4.2.3", "F_lon + F_rr at 1 m/s, 0.5 N m", "N", (0.5 - 0.05) / 0.2 + drag(1.0), 1e-9, "wheel", "ward_iagnemma", dict(variant="as_published"),
          dict(vx=1.0, speed=5.0, torque=0.5), "fx", "variant=as_published: cancels with the spin")
    bench("4.2.3", "F_lon + F_rr at 1 m/s, 0.5 N m", "N", (0.5 - 0.05) / 0.2 + drag(1.0), 0, "wheel", "ward_iagnemma", {},
          dict(vx=1.0, speed=5.0, torque=0.5), "fx", "F_rr acts on the hub: output drag")
    none("figure 1b", "drive torque over velocity", "picture", "no numbers, no vehicle")
    none("figure 2", "forces of a wheel", "picture", "no numbers")
    run("4.2.2, 4.3.1", "m_wp g = (m/4 + m_w) g, 600 and 10 kg", "N", 160 * 9.81, 1e-9, "planar_load", 0,
        "centre of mass 1.25 m ahead of the axle; equal shares there as here")
    for vx, vy, w, q in ((1.0, 0.0, 5.0, 1.0), (1.0, 0.05, 5.5, 0.4), (2.0, 0.2, 10.0, 30.0), (-1.0, -0.3, -4.0, -2.0)):
        lon, lat, _ = planar(vx, vy, w, q)
        at = dict(vx=vx, vy=vy, speed=w, torque=q)
        say = "v (%g, %g), w %g, tau %g" % (vx, vy, w, q)
        bench("4.2.2", "F_lon at " + say, "N", lon, 1e-9, "wheel", "coulomb", {}, at, "fx", "printed as second of F_f")
        bench("4.2.2", "F_lat at " + say, "N", lat, 1e-9, "wheel", "coulomb", {}, at, "fy", "printed as first of F_f")
    bench("4.2.2", "F_max = mu m_wp g", "N", 80, 1e-12, "wheel", "coulomb", {}, dict(vx=1.0, speed=5.0), "limit", "mu 0.8 of its program")
    bench("4.2.2", "- C_damp w at 5 rad/s", "N m", -0.05, 1e-12, "wheel", "coulomb", {}, dict(vx=1.0, speed=5.0), "spin")
    none("4.2.2", "w_desired", "units", "an acceleration, as the document itself says of alpha")
    run("4.3.2", "omega_veh = (w_r R - w_l R)/(y_r - y_l)", "rad/s", -0.4, 0, "odometry", 0, "sign: y_r - y_l is negative for a robot that turns left")
    run("4.3.2", "v_x = w_l R + omega y_l with that omega", "m/s", 0.76, 0, "odometry", 1, "right with the other sign of omega")
    run("4.3.2", "omega_veh = (w_r R - w_l R)/(y_l - y_r)", "rad/s", 0.4, 1e-3, "odometry", 0, "of the same wheels")
    run("4.3.2", "v_x = w_l R + omega y_l with this omega", "m/s", 1.0, 1e-3, "odometry", 1)
    run("4.4.2", "v_l = v - omega w/2, 1 m/s, 0.4 rad/s, w 0.6 m", "m/s", 0.88, 1e-3, "odometry", 2)
    run("4.4.2", "v_r = v + omega w/2", "m/s", 1.12, 1e-3, "odometry", 3)
    w, l, a = 1.5, 2.5, 0.25
    for k, (name, s) in enumerate((("inner", -1), ("outer", 1))):
        run("4.3.3", "alpha_%s, w 1.5, l 2.5 m, alpha 0.25" % name, "rad", atan(1 / tan(a + s * w / (2 * l))), 0, "ackermann", k,
            "bracket: as printed w/2l is added to an angle")
        run("4.3.3", "the same, acot(cot alpha %s w/2l)" % "-+"[k], "rad", atan(1 / (1 / tan(a) + s * w / (2 * l))), 1e-9, "ackermann", k)
    run("4.4.4", "alpha = atan(w/R), R = v/omega 5 m", "rad", atan(1.5 / 5), 0, "curvature", 0, "w is the track: the wheelbase belongs there")
    run("4.4.4", "the same with the wheelbase 2.5 m", "rad", atan(2.5 / 5), 2e-3, "curvature")
    splits = dict(front_rear_split=0.3, front_left_right_split=0.6, rear_left_right_split=0.45)
    for out, t in (("fl", 1000 * 0.3 * 0.6), ("fr", 1000 * 0.3 * 0.4), ("rl", 1000 * 0.7 * 0.45), ("rr", 1000 * 0.7 * 0.55)):
        bench("4.3.4", "tau_%s, open, K 0.3, 0.6, 0.45" % out.upper(), "N m", t, 1e-12, "drive", "open", splits, dict(demand=1000), out)
    constant("4.3.4", "Torsen b = 1.5", "", 1.5, 1e-9, "torsen", 0, "drive", "torsen", dict(driven="rear"), dict(demand=1000, rl=20, rr=10), "rl", "default of the drive")
    for w1, w2 in ((20, 10), (30, 10), (10, 14)):
        at = dict(demand=1000, rl=w1, rr=w2)
        bench("4.3.4", "Torsen t_1 1000 N m at %g, %g rad/s" % (w1, w2), "N m", 1000 * torsen(w1, w2)[0], 0 if torsen(w1, w2)[0] != 0.5 else 1e-12,
              "drive", "torsen", dict(driven="rear"), at, "rl", "delta_lock w_max has no unit of its own: its program divides")
        bench("4.3.4", "the same, delta_lock/w_max", "N m", 1000 * torsen(w1, w2, divide=True)[0], 1e-12, "drive", "torsen", dict(driven="rear"), at, "rl")
    none("4.4", "gains of controllers", "none given", "rut doc lists the defaults")


# ---- ROAMS -----------------------------------------------------------------------------------------

CS, CA, MU0, MU1, WIDE, CR = 193929.0, 50000.0, 0.9835, 0.5568, 0.318, 0.015


def fiala(sl, alpha, n=LOAD):
    """Eqs 12 to 21, with S_L of eq 11; v_y of a slip angle to the left."""
    sa = -tan(alpha * DEG)
    mu = MU0 - hypot(sl, sa) * (MU0 - MU1)
    star = abs(mu * n / (2 * CS))
    fx = -(CS * sl if abs(sl) < star else sign(sl) * (mu * n - (mu * n) ** 2 / (4 * abs(sl) * CS)))
    h = 1 - CA * abs(sa) / (3 * abs(mu) * n)
    fy = sign(sa) * -mu * n * (1 - h ** 3 if h > 0 else 1)
    mz = 2 * (WIDE / 2) * mu * n * (1 - h) * h ** 3 * sign(sa) if h > 0 else 0.0
    return fx, fy, mz


def larger(r, delta, h, exact=True):
    x, y = sqrt(delta * (2 * r - delta)), sqrt((delta + h) * (2 * r - delta - h))
    return ((x + y) ** 2 / h + h) / 2 if exact else r * (sqrt(1 + delta / h) + sqrt(delta / h)) ** 2


def roams():
    WHERE[0] = "roams"
    none("figures 1 to 3", "scenes and schemes", "pictures", "no numbers")
    none("section 2.1", "20 to 60 mph", "20-60", "range of a planner's use, nothing measured; worlds/manoeuvres/double_lane_change_nato.xml at 37 mph")
    none("section 2.3", "k = 0 teleoperation, k = 1 autonomous", "0, 1", "blends commands outside of the simulator: rut takes the blend")
    for k, (name, sizes, ratio) in enumerate((("CE", (15, 0, 15), 1.0), ("TA", (45, 30, 75), 4.1), ("FA", (216, 201, 417), 120.0))):
        note = ("embedded: steering is prescribed, so 14", "joints cut, 5 bodies a corner are 3 here, 38 - 24", "absolute: 21 bodies here, 126 - 112")[k]
        for i, what in enumerate(("degrees of freedom", "constraints", "overall size")):
            run("table 1", "%s: %s" % (name, what), "", sizes[i], 0, "formulation", 10 * k + i, note if i < 2 else "equations solved at once")
        run("table 1", "%s: time over CE" % name, "", ratio, 0, "formulation", 10 * k + 3, "other bodies, and sparse solvers now; of this machine")
    run("section 3", "over 100x faster than conventional", "", 100, 0, "formulation", 23, "of table 1")
    run("section 3.1", "FA is over 14 times larger: 216/15", "", 14, 0, "formulation", 24, "coordinates, 126/14")
    none("section 3.1", "FA is 120 times slower", "120", "row of table 1")
    none("figures 4, 5", "suspension, angles of sinkage", "pictures", "no numbers; the equations follow")
    n, b = 1.1, 0.3175
    k = 0.99e3 / b + 1528.43e3
    for h in (0.01, 0.05, 0.1):
        bench("eq 1", "sigma(h), h %g m, dry sand" % h, "Pa", k * h ** n, 1e-9, "plate", "bekker", dict(preset="dry_sand", k_c=990.0, k_phi=1528430.0, exponent=1.1),
              dict(depth=h, side=b), "pressure")
    # cohesion alone, sheared in full: torque over R is b R c (theta_f - theta_r)
    soil = dict(PLAIN, exponent=1, k_phi=1e6, k_c=0, cohesion=2000, friction_angle=0, peak_angle=0, peak_angle_slip=0,
                shear_deformation_modulus=1e-6)
    R, wide, h = 0.3, 0.2, 0.04
    tf = acos(1 - h / R)
    bench("eqs 2, 9", "b R c (theta_f - theta_r), h_e = 0", "N", wide * R * 2000 * tf, 3e-5, "sink", "bekker", soil, dict(slip_x=0.5), "torque",
          "theta_f = acos(1 - h/R)")
    tr = acos(1 - 0.5 * h / R)
    bench("eqs 2, 9", "b R c (theta_f - theta_r), h_e = h/2", "N", wide * R * 2000 * (tf - tr), 0, "sink", "bekker", dict(soil, exit_ratio=0.5), dict(slip_x=0.5), "torque",
          "sign of theta_r: as printed the contact ends ahead of the lowest point")
    bench("eqs 2, 9", "b R c (theta_f + theta_r), h_e = h/2", "N", wide * R * 2000 * (tf + tr), 3e-5, "sink", "bekker", dict(soil, exit_ratio=0.5),
          dict(slip_x=0.5), "torque")
    for s in (0.0, 0.2, 0.6):
        w = under(Soil(1.0, 1e6, 1500.0, 25.0, 0.015, 0.3, 0.2), 0.04, 0.3, 0.2, s)
        settings = dict(PLAIN, exponent=1, k_phi=1e6, k_c=0, cohesion=1500, friction_angle=25 * DEG, peak_angle=0.3, peak_angle_slip=0.2,
                        shear_deformation_modulus=0.015)
        for out, key in (("net", "fx"), ("load", "fz"), ("torque", "torque")):
            name = dict(fx="F_x", fz="F_z", torque="M_y/R")[key]
            bench("eqs 3 to 9", "%s at 40 mm, slip %g" % (name, s), "N", w[key] / (0.3 if key == "torque" else 1), 1e-5, "sink", "bekker", settings,
                  dict(slip_x=s), out)
    for beta in (10.0, -10.0):
        dry = Soil.named("dry_sand", 0.3175)
        _, w = steady(dry, LOAD, 0.47, 0.3175, 0.2, 10.0)
        fy = abs(w["fy"])
        bench("eqs 5, 6, 8", "F_y, slip 0.2, angle %g deg, dry sand" % beta, "N", fy * sign(beta), 0, "soil", "bekker", dict(PLAIN, preset="dry_sand"),
              dict(slip=0.2, angle=beta), "lateral", "as printed along the sliding; against it here")
        bench("eqs 5, 6, 8", "the same against the sliding", "N", -fy * sign(beta), 2e-5, "soil", "bekker", dict(PLAIN, preset="dry_sand"),
              dict(slip=0.2, angle=beta), "lateral")
    none("eq 7", "k_x0, k_x1, k_y0, k_y1", "none given", "shear_angle, shear_angle_y; case bekker_rover_angle")
    none("figure 6", "normal force, kinematics", "picture", "no numbers")
    for d, rate in ((0.0112, 0.0), (0.05, 0.3), (0.001, -20.0)):
        f = max(580000 * d + 75 * rate, 0)
        bench("eq 10", "F_z, delta %g m, rate %g m/s" % (d, rate), "N", f, 1e-12, "carcass", "fiala", {}, dict(deflection=d, rate=rate), "load")
    note = "sign: S_L > 0 drives (eq 11), F_x must as well"
    for sl in (0.005, 0.1, 0.5):
        bench("eqs 11, 14, 15, 18", "F_x, driving S_L %g" % sl, "N", fiala(sl, 0)[0], 0, "tyre", "fiala", {}, dict(kappa=sl / (1 - sl)), "fx",
              note + "; S_L/(1 - S_L) here")
        bench("eqs 11, 14, 15, 18", "the same with the other sign", "N", -fiala(sl, 0)[0], 1e-9, "tyre", "fiala", dict(slip="over_larger"),
              dict(kappa=sl / (1 - sl)), "fx", "slip=over_larger")
    for sl in (-0.005, -0.1, -0.5):
        bench("eqs 11, 14, 15, 18", "F_x, braking S_L %g" % sl, "N", fiala(sl, 0)[0], 0, "tyre", "fiala", {}, dict(kappa=sl), "fx", note)
        bench("eqs 11, 14, 15, 18", "the same with the other sign", "N", -fiala(sl, 0)[0], 1e-9, "tyre", "fiala", {}, dict(kappa=sl), "fx")
    for alpha in (1.0, 4.0, 10.0, 40.0):
        _, fy, mz = fiala(0, alpha)
        at = dict(alpha=alpha)
        bench("eqs 12, 16, 17, 19", "F_y at v_y/v_x %g deg" % alpha, "N", fy, 0, "tyre", "fiala", {}, at, "fy", "sign of eq 12: along the sliding as printed")
        bench("eqs 12, 16, 17, 19", "the same with the other sign", "N", -fy, 1e-9, "tyre", "fiala", {}, at, "fy")
        bench("eq 21", "M_z at %g deg, tan alpha = v_y/v_x" % alpha, "N m", -mz, 1e-9, "tyre", "fiala", {}, at, "mz", "with the sign that eq 19 needs")
    bench("eqs 13, 14", "F_y at 70 deg, S 2.7", "N", fiala(0, 70.0)[1], 0, "tyre", "fiala", {}, dict(alpha=70.0), "fy", "mu below mu_1 as printed: S ends at 1 here")
    sl, alpha = -0.05, 5.0
    fx, fy, _ = fiala(sl, alpha)
    for out, theirs in (("fx", -fx), ("fy", -fy)):
        bench("eqs 13, 18, 19", "F_%s, S_L %g and %g deg, signs mended" % (out[1], sl, alpha), "N", theirs, 0,
              "tyre", "fiala", {}, dict(kappa=sl, alpha=alpha), out, "each to mu F_z as printed; both together here")
    none("M_x = 0", "overturning moment", "0", "with Fiala's tyre 0 as well")
    bench("eq 20", "M_y/(F_z R) rolling forward, C_r 15 mm, R 0.47 m", "", CR / 0.47, 1e-12, "tyre", "fiala", {}, dict(kappa=0.01), "resistance",
          "size; as printed forward is Omega < 0 and the moment drives")
    soft = ((200e3, "dry_sand", 0.0325, 0.066497, 2174.39), (411e3, "dry_sand", 0.015815, 0.074829, 1852.33),
            (411e3, "lete_sand", 0.015815, 0.007937, 3247.72), (411e3, "clayey_soil_38", 0.015815, 0.017029, 1300.76))
    for k_t, preset, delta, h, pull in soft:
        at = dict(slip=0.2, stiffness=k_t)
        for out, unit, theirs in (("deflection", "m", delta), ("sinkage", "m", h), ("pull", "N", pull)):
            bench("eqs 9, 10, 22", "%s, %s, k_t %g kN/m" % (out, preset, k_t / 1e3), unit, theirs, 1e-4, "soil", "bekker", dict(PLAIN, preset=preset), at, out,
                  "balance of both loads, worked out apart from rut")
    for k_t, preset, delta, h, pull in soft:
        soil = Soil.named(preset, 0.3175)
        delta = LOAD / k_t
        at = dict(slip=0.2, stiffness=k_t)
        h = bisect(lambda z: under(soil, z, larger(0.47, delta, z, False), 0.3175, 0.2, parts=40)["fz"] - LOAD, 1e-4, 0.2)
        w = under(soil, h, larger(0.47, delta, h, False), 0.3175, 0.2)
        for out, unit, theirs in (("sinkage", "m", h), ("pull", "N", w["fx"])):
            say = "%s, %s, k_t %g kN/m" % (out, preset, k_t / 1e3)
            bench("eq 23", say, unit, theirs, 0, "soil", "bekker", dict(PLAIN, preset=preset), at, out, "approximation; eq 22 here")
            bench("eq 23", "the same", unit, theirs, 2e-5, "soil", "bekker", dict(PLAIN, preset=preset, circle="approximate"), at, out,
                  "circle=approximate")
    soil = Soil.named("lete_sand", 0.3175)
    delta = LOAD / 411e3
    at = dict(slip=0.2, stiffness=411e3)
    for ratio in (0.0, 0.3):
        soil.exit = lambda z: ratio * z
        h = bisect(lambda z: under(soil, z, larger(0.47, delta, z), 0.3175, 0.2, parts=40)["fz"] - LOAD, 1e-4, 0.2)
        w = under(soil, h, larger(0.47, delta, h), 0.3175, 0.2)
        for out, unit, theirs in (("sinkage", "m", h), ("pull", "N", w["fx"])):
            if ratio == 0:
                bench("section 3.4", "%s, lete_sand, tangent at the exit" % out, unit, theirs, 2e-5, "soil", "bekker", dict(PLAIN, preset="lete_sand"), at,
                      out, "theta_r 0 as printed: rebound=ratio exit_ratio=0")
                continue
            say = "%s, lete_sand, h_e 0.3 h, on the larger circle" % out
            springs = dict(PLAIN, preset="lete_sand", exit_ratio=0.3)
            bench("eqs 2, 22", say, unit, theirs, 0, "soil", "bekker", springs, at, out, "where the tyre is as high above its flat part, here")
            bench("eqs 2, 22", "the same", unit, theirs, 2e-5, "soil", "bekker", dict(springs, exit="circle"), at, out, "exit=circle")
    none("figure 7", "larger circle", "picture", "no numbers; eqs 22, 23")
    none("figures 8, 9", "paths, rolls, loads in the lane change", "pictures", "no numbers; figure 10 has their peaks")
    tyres = (("LF", (1.5, 0.5), (1.6, 0.5)), ("RF", (1.5, 0.5), (1.6, 0.5)), ("LR", (1.8, 0.3), (1.7, 0.1)), ("RR", (1.7, 0.2), (1.7, 0.1)))
    rows = [("load %s" % w, "g", a, r) for w, a, r in tyres] + [("lateral acceleration", "g", (0.5, -0.5), (0.6, -0.6)),
        ("roll", "deg", (4.1, -3.7), (4.8, -4.8)), ("roll rate", "deg/s", (16.0, -17.8), (13.2, -14.4))]
    for code, first, which in (("ADAMS", 0, 2), ("ROAMS", 0, 3)):
        for i, r in enumerate(rows):
            note = "speed, friction, springs not published: 15.70 m/s, 0.8"
            if r[1].startswith("deg"):
                note = "springs, centre of mass not published: rolls 3 times as much per g"
            for j, end in enumerate(("max", "min")):
                run("figure 10", "%s %s %s" % (code, r[0], end), r[1], r[which][j], 0, "lane_change", first + 2 * i + j, note)
        run("figure 10", "%s CPU time over simulated time" % code, "s/s", 8.8 if which == 2 else 3.4, 0, "lane_change", first + 14,
            "vehicle alone; theirs on an i7-2600, 3.4 GHz" + (", with sensors" if which == 3 else ""))
    none("section 4", "3.4x real time, 2.5x faster than ADAMS", "3.4, 2.5", "figure 10: 3.4 s per s, so slower than real time; 8.8/3.4 is 2.6")
    none("section 2.2", "driver model in ACT-R", "no numbers", "a path following driver: controller driver")


# ---- VirtualBotz 3D --------------------------------------------------------------------------------

def virtualbotz():
    WHERE[0] = "virtualbotz"
    none("section 1", "420 km of pipeline", "420", "geography")
    none("figures 1 to 5", "robots, terrain, forces", "pictures", "no numbers")
    run("eqs 1, 2", "x_max of 3 x 4 points 0.5 m apart from (2, 1)", "m", 3.0, 1e-6, "ground", 0, "3 rows along x")
    run("eqs 1, 2", "y_max", "m", 2.5, 1e-6, "ground", 1, "4 columns along y")
    z1, z2 = 0.5 * 0.2 + 0.1 * 0.8, 0.3 * 0.2 + 0.5 * 0.8
    heights = ((0, 0.1, 0.3, 0.2), (0.2, 0.5, 0.1, 0), (0.4, 0.3, 0.2, 0.1))
    u, v = 1.2, 1.4
    i, j = int(u), int(v)
    a = heights[i + 1][j] * (u - i) + heights[i][j] * (1 - (u - i))
    c = heights[i + 1][j + 1] * (u - i) + heights[i][j + 1] * (1 - (u - i))
    run("eqs 3 to 5", "height at (2.6, 1.7)", "m", c * (v - j) + a * (1 - (v - j)), 1e-9, "ground", 2)
    none("figure 6", "search for the contact", "picture", "no numbers; slices below")
    run("eq 10", "N/((F_susp - F_x sin g)/cos g)", "", 1, 1e-6, "slope", 0, "front wheels on a grade, rear ones on the level")
    run("eq 9", "F_n/((F_x - F_susp sin g)/cos g)", "", 1, 1e-6, "slope", 1, "printed without its sign")
    for x in (0.05, 0.3):
        c = (8.0, 1.7, 0.7, 0.5)
        bench("eqs 11 to 13", "F_x/N at %g, B 8, C 1.7, D 0.7, E 0.5" % x, "", magic(c, x), 1e-9, "traction", "magic_formula",
              dict(surface="user", b=8, c=1.7, d=0.7, e=0.5), dict(slip_x=x), "mu_x")
    bench("eqs 12, 13", "F_x/N at 0.5, S_h 0.01, S_v 0.05", "", magic(c, 0.51) + 0.05, 1e-9, "traction", "magic_formula",
          dict(surface="user", b=8, c=1.7, d=0.7, e=0.5, horizontal_shift=0.01, vertical_shift=0.05), dict(slip_x=0.5), "mu_x")
    bench("eqs 12, 13", "F_x/N at 0, S_h 0.01, S_v 0.05", "", magic(c, 0.01) + 0.05, 0, "traction", "magic_formula",
          dict(surface="user", b=8, c=1.7, d=0.7, e=0.5, horizontal_shift=0.01, vertical_shift=0.05), {}, "mu_x",
          "a force without slip drives a standing wheel: shifts fade out here")
    c = (8.0, 1.7, 0.7, 0.5)
    shifts = dict(surface="user", b=8, c=1.7, d=0.7, e=0.5, horizontal_shift=0.01, vertical_shift=0.05, variant="as_published")
    for x in (0.0, 0.05, -0.05):
        bench("eqs 12, 13", "F_x/N at %g, S_h 0.01, S_v 0.05" % x, "", magic(c, x + 0.01) + 0.05, 1e-7, "traction", "magic_formula", shifts,
              dict(slip_x=x), "mu_x", "variant=as_published")
    across = (9.0, 1.5, 0.6, -0.5)
    shifts = dict(surface="user", lateral="magic_formula", b_y=9, c_y=1.5, d_y=0.6, e_y=-0.5, horizontal_shift_y=0.01, vertical_shift_y=0.03)
    for y in (0.5, -0.5):
        bench("eqs 12, 13", "F_y/N at tan alpha %g, S_h 0.01, S_v 0.03" % y, "", -(magic(across, y + 0.01) + 0.03), 1e-8, "traction", "magic_formula",
              shifts, dict(slip_y=y), "mu_y", "horizontal_shift_y, vertical_shift_y; to the right")
    for y in (0.05, 0.0):
        theirs = -(magic(across, y + 0.01) + 0.03)
        bench("eqs 12, 13", "F_y/N at tan alpha %g, S_h 0.01, S_v 0.03" % y, "", theirs, 0, "traction", "magic_formula", shifts, dict(slip_y=y), "mu_y",
              "shifts fade out here")
        bench("eqs 12, 13", "the same", "", theirs, 1e-7, "traction", "magic_formula", dict(shifts, variant="as_published"), dict(slip_y=y), "mu_y",
              "variant=as_published")
    bench("eq 14", "1 N m less T_f at 50 rad/s, o_2 0.002, sliding 0.2", "N m", 0.7, 1e-6, "drive", "dc_motor",
          dict(viscous_friction=0.002, static_friction=0.3, coulomb_friction=0.2, stribeck_speed=5, command="wheel", battery_current=10000),
          dict(demand=1, demand2=1, demand3=1, demand4=1, fl=50, fr=50, rl=50, rr=50, steps=400), "fl", "steady; o_0, o_1 have no numbers")
    none("section 2.4", "Magmotor S28-150", "none given", "defaults of dc_motor are its data sheet's")
    run("section 2.5", "step of 100 ns", "s", 1e-7, 1e-9, "timestep", 1e-7, "rut needs no such steps: 1 ms is usual")
    run("section 4", "step of 0.65 us", "s", 0.65e-6, 1e-9, "timestep", 0.65e-6)
    run("section 5", "step of 65 us", "s", 65e-6, 1e-9, "timestep", 65e-6)
    none("section 2.5", "implicit methods are impossible", "claim", "rut's default is linearly implicit")
    none("section 3", "mu N or D limits the traction", "no numbers", "controller cdta")
    run("section 4", "front load, 20 slices: error", "%", 0.34, 0, "slices", 20, "over the refined search; rover not published, 3 N m per wheel")
    run("section 4", "front load, 2000 slices: error", "%", 0.03, 0, "slices", 2000, "without refinement, as the row above")
    run("section 4", "2000 for 20 slices: more time", "%", 467, 0, "slices", 0, "of this machine; ours does little beside the search")
    run("section 4", "front load: largest error", "%", 1.23, 0, "torque", 0, "1, 3, 5 N m")
    run("section 4", "pitch: largest error", "deg", 0.01, 0, "pitch", 0, "1, 3, 5 N m")
    none("figures 8, 9", "parameters of both cases", "pictures", "no numbers")
    for a in (22.5, 35.0, 45.0):
        run("section 4", "jump from %g deg at 5 m/s: range" % a, "m", 25 * sin(2 * a * DEG) / 9.81, 2e-4, "jump", a, "closed form; they are within 0.02 %")
    none("section 5", "10 m/s, gain 100 Hz, 65 us, 10 kHz, 36 V, 80 A", "settings", "of the runs below; step 1 ms, battery of dc_motor 36 V, 80 A")
    none("figure 10", "sine and ramp", "picture", "no numbers; grounds here are similar")
    for k, (place, what, theirs, note) in enumerate((("figure 11", "turned over, proportional control", 1.0, "8 s there, 8.1 s here"),
                                                     ("figure 11", "turned over, CDTA", 0.0, ""))):
        run(place, what, "", theirs, 1e-9, "controllers", k, note)
    for k, what, place in ((2, "level: time to the speed, CDTA/proportional", "figure 11"), (3, "level: energy, CDTA/proportional", "figure 12"),
                           (4, "waves: time to the speed", "section 5"), (5, "waves: energy", "section 5")):
        run(place, what, "", 1.0, 0, "controllers", k, "'sooner', 'less': below 1")
    none("figure 12", "power of the motors, to 2000 W", "picture", "curves without numbers, rover not published; worlds/rover_ramp.xml has its own")


def main():
    mavs()
    mvsim()
    roams()
    virtualbotz()
    differs = False
    for name, rows in ROWS.items():
        path = os.path.join(ROOT, "cli/validate/seed_%s.def" % name)
        want = "// SPDX-License-Identifier: BSD-3-Clause\n//\n// Written by tools/seed_numbers.py; not by hand.\n// clang-format off\n" + "\n".join(rows) + "\n"
        if "--check" in sys.argv:
            have = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
            differs = differs or have != want
        else:
            with open(path, "w", encoding="utf-8") as out:
                out.write(want)
    if differs:
        print("cli/validate/seed_*.def: run tools/seed_numbers.py")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
