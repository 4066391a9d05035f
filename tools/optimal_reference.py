#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Optimal values that test/unit/test_mpc.c and test_avoidance.c compare with, by IPOPT.

    python3 -m venv env && env/bin/pip install casadi scipy && env/bin/python tools/optimal_reference.py

Nothing of rut is used: each problem is written down again here.
"""
import casadi as ca
import numpy as np
from scipy.linalg import solve_discrete_are


def solve(name, w, f, g, low, high, lbg, ubg, guess):
    solver = ca.nlpsol("s", "ipopt", {"x": ca.vertcat(*w), "f": f, "g": ca.vertcat(*g)},
                       {"ipopt.print_level": 0, "print_time": 0, "ipopt.tol": 1e-10, "ipopt.max_iter": 3000})
    s = solver(x0=guess, lbx=low, ubx=high, lbg=lbg, ubg=ubg)
    print(f"{name}: {float(s['f']):.10f} ({solver.stats()['return_status']})")
    return np.array(s["x"]).ravel()


def horizon(name, nx, nu, n, step, stage, last, x0, bounds, rows=None, last_rows=None, guess=None):
    """Multiple shooting: step(x, u), stage(k, x, u), last(x), rows(x) >= 0 at nodes 1 to n."""
    x = [ca.SX.sym(f"x{k}", nx) for k in range(n + 1)]
    u = [ca.SX.sym(f"u{k}", nu) for k in range(n)]
    f, g, lo, hi = 0, [], [], []
    for k in range(n):
        f += stage(k, x[k], u[k])
        g.append(x[k + 1] - step(x[k], u[k]))
        lo += [0] * nx
        hi += [0] * nx
    f += last(x[n])
    for k in range(1, n + 1):
        if rows:
            r = rows(x[k])
            g.append(r)
            lo += [0] * r.numel()
            hi += [np.inf] * r.numel()
    if last_rows is not None:
        r = last_rows(x[n])
        g.append(r)
        lo += [0] * r.numel()
        hi += [0] * r.numel()
    low, high, start = [], [], []
    for k in range(n + 1):
        low += list(x0) if k == 0 else bounds[0][:nx]
        high += list(x0) if k == 0 else bounds[1][:nx]
        start += list(guess(k) if guess else x0)
    for k in range(n):
        low += bounds[0][nx:]
        high += bounds[1][nx:]
        start += [0] * nu
    z = solve(name, x + u, f, g, low, high, lo, hi, start)
    return z[:(n + 1) * nx].reshape(n + 1, nx), z[(n + 1) * nx:].reshape(n, nu)


def rk4(f, x, u, h):
    k1 = f(x, u)
    k2 = f(x + h / 2 * k1, u)
    k3 = f(x + h / 2 * k2, u)
    k4 = f(x + h * k3, u)
    return x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


INF = np.inf


def riccati():
    a, b = np.array([[1, .1], [0, 1]]), np.array([[.005], [.1]])
    p = solve_discrete_are(a, b, np.diag([1., .1]), np.array([[.01]]))
    k = np.linalg.solve(.01 + b.T @ p @ b, b.T @ p @ a)
    print("double integrator, discrete Riccati equation: P", p.ravel(), "K", k.ravel())


def double_integrator():
    """h .1, 50 intervals, x^2 + .1 v^2 + .01 u^2 halved, P at the end, |u| <= 1, v >= -.8."""
    a, b = np.array([[1, .1], [0, 1]]), np.array([[.005], [.1]])
    p = solve_discrete_are(a, b, np.diag([1., .1]), np.array([[.01]]))
    step = lambda x, u: ca.DM(a) @ x + ca.DM(b) @ u
    x, u = horizon("double integrator with bounds", 2, 1, 50, step,
                   lambda k, x, u: .5 * (x[0]**2 + .1 * x[1]**2 + .01 * u[0]**2),
                   lambda x: .5 * ca.mtimes([x.T, ca.DM(p), x]), [2, 0],
                   ([-INF, -.8, -1], [INF, INF, 1]))
    print("  first control", u[0, 0], "last state", x[-1])


def lane_change():
    """y v r psi delta of the published vehicle at 20 m/s with linear tyres; RK4 with h .025, 40 intervals of two steps."""
    def f(x, u):
        front = -84138 * (ca.atan2(x[1] + 1.5775 * x[2], 20) - x[4])
        rear = -78124 * ca.atan2(x[1] - 1.7245 * x[2], 20)
        return ca.vertcat(20 * ca.sin(x[3]) + x[1] * ca.cos(x[3]), (front + rear) / 2688.7 - 20 * x[2],
                          (1.5775 * front - 1.7245 * rear) / 4110.1, x[2], u[0])

    for rate in (10, 5):
        b = np.deg2rad(rate)
        x, u = horizon(f"lane change at {rate} deg/s", 5, 1, 40, lambda x, u: rk4(f, rk4(f, x, u, .025), u, .025),
                       lambda k, x, u: .05 * (10 * x[4]**2 + 100 * u[0]**2),
                       lambda x: 10 * (x[0] - 3)**2 + 100 * x[3]**2 + 10 * x[1]**2 + 10 * x[2]**2, [0] * 5,
                       ([-INF] * 5 + [-b], [INF] * 5 + [b]))
        print("  first control [deg/s]", np.rad2deg(u[0, 0]), "last y", x[-1, 0])


def bicycle():
    """Kinematic bicycle, x y psi delta, 10 m/s, L 3, around a disc of 4 m at (20, .5); RK4 with h .1, 40 intervals."""
    def f(x, u):
        return ca.vertcat(10 * ca.cos(x[2]), 10 * ca.sin(x[2]), 10 / 3 * ca.tan(x[3]), u[0])

    rows = lambda x: ca.vertcat(((x[0] - 20)**2 + (x[1] - .5)**2) / 16 - 1)
    for name, side in (("right", -1), ("left", 1)):
        x, u = horizon("bicycle around a disc, " + name, 4, 1, 40, lambda x, u: rk4(f, x, u, .1),
                       lambda k, x, u: .05 * (.1 * x[1]**2 + 10 * x[3]**2 + u[0]**2),
                       lambda x: .5 * (x[1]**2 + 10 * x[2]**2), [0, 0, 0, 0],
                       ([-INF, -INF, -INF, -.5, -.4], [INF, INF, INF, .5, .4]), rows,
                       guess=lambda k: [k, side * (4 if 12 < k < 28 else 0), 0, 0])
        print("  largest |y|", np.abs(x[:, 1]).max(), "first control", u[0, 0])


def vehicle(x, u):
    """Rates and loads of the published vehicle: x y psi v r delta U, steering rate and acceleration."""
    m, inertia, la, lb, kx, kf, kr, g = 2688.7, 4110.1, 1.5775, 1.7245, 806, 675, 1076, 9.81
    psi, v, r, delta, speed = [x[i] for i in range(2, 7)]

    def loads(ay):
        dx = kx * (u[1] - v * r)
        f, b = (m * g * lb / (la + lb) - dx) / 2, (m * g * la / (la + lb) + dx) / 2
        return [f - kf * ay, f + kf * ay, b - kr * ay, b + kr * ay]

    def force(fz, a):
        n = .5 * (fz + ca.sqrt(fz**2 + 200**2))
        d = n / 35000 - 1
        mu, e = .73957 - .075004 * d, .37562 - .069325 * d
        k = 10.289 * 35000 * ca.sin(2 * ca.atan(n / (3.3343 * 35000)))
        b = k / (1.5874 * mu * n)
        return -mu * n * ca.sin(1.5874 * ca.atan(b * a - e * (b * a - ca.atan(b * a))))

    af, ar = ca.atan((v + la * r) / speed) - delta, ca.atan((v - lb * r) / speed)
    z = loads(speed * r)
    ff, fr = force(z[0], af) + force(z[1], af), force(z[2], ar) + force(z[3], ar)
    rate = ca.vertcat(speed * ca.cos(psi) - v * ca.sin(psi), speed * ca.sin(psi) + v * ca.cos(psi), r,
                      (ff + fr) / m - speed * r, (la * ff - lb * fr) / inertia, u[0], u[1])
    return rate, ca.vertcat(*loads((ff + fr) / m))


def lift():
    """Steering angle at which a steady turn unloads the rear inner wheel."""
    for speed in (10, 15, 20):
        z = ca.SX.sym("z", 3)
        rate, load = vehicle(ca.vertcat(0, 0, 0, z[0], z[1], z[2], speed), ca.SX([0, 0]))
        solver = ca.rootfinder("s", "newton", {"x": z, "g": ca.vertcat(rate[3], rate[4], load[2] / 1000)})
        found = solver([0, 5 / speed, .05], [])
        print(f"a wheel lifts at {speed} m/s: {np.rad2deg(float(found[2])):.6f} deg, {float(found[1]) * speed:.5f} m/s2")


def avoidance():
    """The vehicle at 20 m/s around a disc of 4.4 m at (35, 0.5), 1000 N on every wheel; RK4 with h .1, 24 intervals."""
    f = lambda x, u: vehicle(x, u)[0]
    n, h, b = 24, .1, np.deg2rad(10)
    x = [ca.SX.sym(f"x{k}", 7) for k in range(n + 1)]
    u = [ca.SX.sym(f"u{k}", 2) for k in range(n)]
    cost, g, hi = 0, [], []
    for k in range(n):
        cost += h * (x[k][5]**2 + 10 * u[k][0]**2 + .01 * u[k][1]**2 + .01 * x[k][1]**2)
        g.append(x[k + 1] - rk4(f, x[k], u[k], h))
        hi += [0] * 7
    cost += .05 * x[n][1]**2 + 4 * x[n][2]**2
    for k in range(1, n + 1):
        g.append(((x[k][0] - 35)**2 + (x[k][1] - .5)**2) / 4.4**2 - 1)
        hi.append(INF)
        if k < n:
            g.append((vehicle(x[k], u[k])[1] - 1000) / 1000)
            hi += [INF] * 4
    start = [0, 0, 0, 0, 0, 0, 20]
    for k in range(1, n + 1):
        start += [2 * k, -4 if 12 < k < 24 else 0, 0, 0, 0, 0, 20]
    low = start[:7] + [-INF] * 7 * n + [-b, -4] * n
    high = start[:7] + [INF] * 7 * n + [b, 1.5] * n
    z = solve("vehicle around a disc", x + u, cost, g, low, high, [0] * len(hi), hi, start + [0] * 2 * n)
    z = z[:7 * (n + 1)].reshape(n + 1, 7)
    print("  largest |y|", np.abs(z[:, 1]).max(), "last speed", z[-1, 6])


if __name__ == "__main__":
    riccati()
    double_integrator()
    lane_change()
    bicycle()
    lift()
    avoidance()
