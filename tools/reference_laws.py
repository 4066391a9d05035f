#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Numbers of the law cases of `rut validate`, worked out from published formulas.

Writes cli/validate/laws_*.def. It is an implementation of its own, by the formulas of the cited
texts and in the plainest way (Newton's method, fine sums, differences), and reads nothing of rut.
Numbers that were published or recorded stand here as they are.

    tools/reference_laws.py            # write the files
    tools/reference_laws.py --check    # exit 1 if they differ
"""

import os
import re
import sys
from math import *  # formulas read as in the texts

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILES = {}
DEG = pi / 180


def text(values):
    """ "name=value ..." of a dict; numbers with ten digits."""
    def one(v):
        if isinstance(v, str):
            return v
        if isinstance(v, (list, tuple)):
            return ",".join("%.10g" % x for x in v)
        return "%.10g" % (0.0 if abs(v) < 1e-13 else v)
    return " ".join("%s=%s" % (k, one(v)) for k, v in values.items())


def case(where, name, bench, kind, settings, at, gives, source, tolerance):
    if any(row.startswith('LAW("%s",' % name) for rows in FILES.values() for row in rows):
        sys.exit("reference_laws: two cases are named " + name)
    row = 'LAW("%s", %g, "%s", "%s", "%s", "%s", "%s",\n    "%s")' % (
        name, tolerance, bench, kind, text(settings), text(at), text(gives), source)
    FILES.setdefault(where, []).append(row)


def sign(x):
    return (x > 0) - (x < 0)


def bisect(f, low, high):
    """Root of a rising f."""
    for _ in range(200):
        mid = 0.5 * (low + high)
        if mid in (low, high):
            break  # neighbours
        if f(mid) < 0:
            low = mid
        else:
            high = mid
    return 0.5 * (low + high)


def integrate(f, a, b, n=4000):
    """Gauss-Legendre, five points in each of n parts."""
    x = (0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640, -0.9061798459386640)
    w = (0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891, 0.2369268850561891)
    h = (b - a) / n
    return sum(wi * f(a + (i + 0.5 + 0.5 * xi) * h) for i in range(n) for xi, wi in zip(x, w)) * 0.5 * h


# ---- tyres with laws of their own ----------------------------------------------------------------

FIALA = "Fiala 1954; Madsen, Seidl and Negrut, eqs 10-21, corrected"


def fiala(kappa, alpha, load=6500.0, mu=None, cs=193929.0, ca=50000.0, mu0=0.9835, mu1=0.5568, w=0.318, road=0.8):
    t = tan(alpha * DEG)
    s = min(1.0, hypot(kappa, t))
    scale = 1.0 if mu is None else mu / road
    m = (mu0 - (mu0 - mu1) * s) * scale
    crit = m * load / (2 * cs)
    fx = cs * kappa if abs(kappa) <= crit else sign(kappa) * (m * load - (m * load) ** 2 / (4 * abs(kappa) * cs))
    h = max(0.0, 1 - ca * abs(t) / (3 * m * load))
    fy = -m * load * (1 - h ** 3) * sign(t)
    mz = m * load * w * (1 - h) * h ** 3 * sign(t)
    k = min(1.0, m * load / max(hypot(fx, fy), 1e-30))
    return dict(fx=fx * k, fy=fy * k, mz=mz * k)


def fiala_peak(load, cs=193929.0, mu0=0.9835, mu1=0.5568):
    """Largest longitudinal force over load, by a fine scan."""
    return max(fiala(i / 20000.0, 0, load)["fx"] for i in range(1, 20001)) / load


def fiala_cases():
    published = [("0.005", 0, dict(fx=969.645, fy=0, mz=0)), ("0.02", 0, dict(fx=3748.63, fy=0, mz=0)),
                 ("0.1", 0, dict(fx=5633.28, fy=0, mz=0)), ("1", 0, dict(fx=3602.31, fy=0, mz=0)),
                 ("0", 1, dict(fx=0, fy=-833.345, mz=80.3602)), ("0", 4, dict(fx=0, fy=-2880.18, mz=198.413)),
                 ("0", 10, dict(fx=0, fy=-5155.89, mz=118.375)), ("0", 45, dict(fx=0, fy=-3619.20, mz=0))]
    for kappa, alpha, gives in published:
        case("tyre", "fiala_k%s_a%g" % (kappa, alpha), "tyre", "fiala", {}, dict(kappa=kappa, alpha=alpha), gives,
             FIALA + ", six digits", 3e-6)
    for i, (kappa, alpha, load, mu) in enumerate([
            (0.05, 5, 6500, None), (-0.05, -5, 6500, None), (-0.2, 0, 6500, None), (0.01, -2, 3000, None),
            (0.03, 3, 12000, None), (-0.4, 12, 9000, None), (0.02, 2, 6500, 0.4), (-0.08, 6, 6500, 0.25),
            (0.004, -1, 6500, 0.4)]):
        at = dict(kappa=kappa, alpha=alpha, load=load)
        if mu is not None:
            at["mu"] = mu
        case("tyre", "fiala_combined_%d" % (i + 1), "tyre", "fiala", {}, at, fiala(kappa, alpha, load, mu), FIALA, 1e-8)
    own = dict(slip_stiffness=120000, cornering_stiffness=70000, friction_max=0.9, friction_min=0.7, width=0.25,
               road_friction=1.0)
    for i, (kappa, alpha, load, mu) in enumerate([(0.015, 1, 4000, 0.6), (0.1, -8, 8000, 0.9)]):
        g = fiala(kappa, alpha, load, mu, 120000, 70000, 0.9, 0.7, 0.25, 1.0)
        case("tyre", "fiala_own_%d" % (i + 1), "tyre", "fiala", own, dict(kappa=kappa, alpha=alpha, load=load, mu=mu), g,
             FIALA, 1e-8)
    case("tyre", "fiala_backward", "tyre", "fiala", {}, dict(kappa=0.02, alpha=3, speed=-20),
         dict(fx=-fiala(0.02, 3)["fx"], fy=fiala(0.02, 3)["fy"], mz=-fiala(0.02, 3)["mz"]),
         FIALA + "; the wheel turned by half a turn", 1e-8)
    case("tyre", "fiala_slow_moment", "tyre", "fiala", {}, dict(alpha=3, speed=0.5),
         dict(fx=0, fy=fiala(0, 3)["fy"], mz=0.5 * fiala(0, 3)["mz"]),
         FIALA + "; moments rise as u^2 (3 - 2u) up to 1 m/s", 1e-8)
    case("tyre", "fiala_peak", "tyre", "fiala", {}, dict(kappa=0.02),
         dict(peak=fiala_peak(6500), secant_x=3748.63 / 6500 / 0.02 * 1.02, resistance=0.015 / 0.47),
         FIALA + ": largest by a scan, force over slip of the patch, C_r/R", 3e-6)
    case("tyre", "fiala_peak_place", "tyre", "fiala", {}, dict(
        kappa=max(range(1, 20001), key=lambda i: fiala(i / 20000.0, 0)["fx"]) / 20000.0), dict(rho=1.0),
        FIALA + ": slip 1 at the largest force", 2e-3)
    for load in (3000.0, 6500.0, 12000.0):
        top = max(range(1, 5001), key=lambda i: abs(fiala(0, i * 0.01, load)["fy"])) * 0.01
        case("tyre", "fiala_lateral_peak_%d" % load, "tyre", "fiala", {}, dict(alpha=top, load=load), dict(rho=1.0),
             FIALA + ": slip 1 at the largest lateral force, quotient within 2 %", 2e-2)
    for i, (d, rate) in enumerate([(0.0112, 0), (0.05, 0.3), (0.27, -0.5)]):
        load = 580000 * d + 580000 * max(d - 0.25, 0) + 75 * rate
        case("tyre", "fiala_carcass_%d" % (i + 1), "carcass", "fiala", {}, dict(deflection=d, rate=rate),
             dict(load=load, stiffness=580000 * (2 if d > 0.25 else 1), damping=75,
                  energy=290000 * (d * d + max(d - 0.25, 0) ** 2), relaxation_x=193929 / 185004.0,
                  relaxation_y=50000 / 164448.0, bearing=0, crossover=0.09),
             "spring, rim and damper; C/k (Pacejka, ch. 7); HMMWV of Project Chrono", 1e-9)
    case("tyre", "fiala_carcass_lifts", "carcass", "fiala", {}, dict(deflection=0.0001, rate=-1),
         dict(load=0, stiffness=0, damping=0), "the ground does not pull", 1e-12)
    case("tyre", "fiala_carcass_given", "carcass", "fiala", dict(relaxation_x=0.3, relaxation_y=0.6, bearing=2, crossover=0.1),
         dict(deflection=0.02), dict(relaxation_x=0.3, relaxation_y=0.6, bearing=2, crossover=0.1), "as given", 1e-12)


RILL = "Rill, Road Vehicle Dynamics 2012, ch. 3; numbers of Project Chrono's HMMWV"
TMEASY = dict(
    dfx0=(152216.2309, 248837.4538), fxm=(7703.5470, 13315.3666), fxs=(3954.5702, 7252.5429), sxm=(0.10811, 0.12389),
    sxs=(0.66667, 0.66667), dfy0=(63376.0486, 117319.2874), fym=(6497.1303, 12438.0194), fys=(5846.3555, 11186.3054),
    sym=(0.33167, 0.33216), sys=(1.0296, 1.0296), n0=(0.178, 0.19), sy0=(0.36484, 0.36538), sye=(1.0296, 1.0296))


def tmeasy(kappa, alpha, load=6500.0, mu=None, camber=0.0, deflection=0.02, radius=0.47, speed=20.0, nominal=8562.82661,
           largest=29969.89313, road=0.8, width=0.3175, cz=411120.9242):
    q = min(load, largest) / nominal
    force = lambda y: q * (2 * y[0] - 0.5 * y[1] - (y[0] - 0.5 * y[1]) * q)
    slip = lambda y: y[0] + (q - 1) * (y[1] - y[0])
    scale = 1.0 if mu is None else mu / road
    rim, across = speed * (1 + kappa), speed * tan(alpha * DEG)
    sx, sy = (rim - speed) / abs(rim), -across / abs(rim)
    s = hypot(sx, sy)
    c, d = (sx / s, sy / s) if s else (1, 0)
    t = {}
    for key in TMEASY:
        y = (force if key[0] in "df" else slip)(TMEASY[key])
        t[key] = y * (scale if key[:2] in ("fx", "fy", "sx", "sy") else 1)
    df0, fm, fs = (hypot(t[a] * c, t[b] * d) for a, b in (("dfx0", "dfy0"), ("fxm", "fym"), ("fxs", "fys")))
    sm, ss = hypot(t["sxm"] * c, t["sym"] * d), hypot(t["sxs"] * c, t["sys"] * d)
    df0 = max(df0, 2 * fm / sm)
    a = (fm / sm) ** 2 / (df0 * sm)
    star = sm + (fm - fs) / (a * (ss - sm))
    if s < sm:
        x = s / sm
        f = df0 * sm * x / (1 + x * (x + df0 * sm / fm - 2))
    elif s < ss and star <= ss:
        b = a * (star - sm) / (ss - star)
        f = fm - a * (s - sm) ** 2 if s <= star else fs + b * (ss - s) ** 2
    elif s < ss:
        u = (s - sm) / (ss - sm)
        f = fm - (fm - fs) * u * u * (3 - 2 * u)
    else:
        f = fs
    fx, fy = f * c, f * d
    n, s0, se = t["n0"], t["sy0"], t["sye"]
    w, v = s0 / se, abs(sy)
    if v <= s0:
        u = v / s0
        part = (1 - w) * (1 - u) + w * (1 - (3 - 2 * u) * u * u)
    else:
        part = 0.0 if v >= se else -(1 - w) * (v - s0) / s0 * ((se - v) / (se - s0)) ** 2
    trail = n * part * 2 * sqrt(radius * deflection)
    edge = 0.5 * width * load
    mx = -cz * width * width / 12 * camber * DEG
    return dict(fx=fx, fy=fy, mz=-fy * trail, mx=max(-edge, min(edge, mx)))


def tmeasy_cases():
    for i, (kappa, alpha, load, mu, camber) in enumerate([
            (0.01, 0, 6500, None, 0), (0.06, 0, 6500, None, 0), (0.2, 0, 6500, None, 0), (0.8, 0, 6500, None, 0),
            (4.0, 0, 6500, None, 0), (-0.05, 0, 6500, None, 0), (-0.3, 0, 6500, None, 0), (0, 1, 6500, None, 0),
            (0, 6, 6500, None, 0), (0, -12, 6500, None, 2), (0, 20, 3000, None, 0), (0, 50, 6500, None, -3),
            (0.03, 3, 6500, None, 0), (0.1, -8, 12000, None, 0), (-0.1, 10, 16000, None, 1), (0.02, 2, 6500, 0.4, 0),
            (-0.3, 15, 9000, 0.5, 0), (0.05, 4, 35000, None, 0), (0.15, 25, 4000, None, 0)]):
        at = dict(kappa=kappa, alpha=alpha, load=load)
        if mu is not None:
            at["mu"] = mu
        if camber:
            at["camber"] = camber
        case("tyre", "tmeasy_%d" % (i + 1), "tyre", "tmeasy", {}, at,
             tmeasy(kappa, alpha, load, mu, camber), RILL, 1e-8)
    case("tyre", "tmeasy_peak", "tyre", "tmeasy", {}, dict(kappa=0.108 / 0.892, load=8562.82661),
         dict(peak=7703.5470 / 8562.82661, resistance=0.015), RILL, 1e-8)
    q = 6500 / 8562.82661
    sym = 0.33167 + (q - 1) * (0.33216 - 0.33167)
    sxm = 0.10811 + (q - 1) * (0.12389 - 0.10811)
    case("tyre", "tmeasy_rho_x", "tyre", "tmeasy", {}, dict(kappa=sxm / (1 - sxm)), dict(rho=1), RILL + ": 1 at s_xm", 1e-8)
    case("tyre", "tmeasy_rho_y", "tyre", "tmeasy", {}, dict(alpha=atan(sym) / DEG), dict(rho=1), RILL + ": 1 at s_ym", 1e-8)
    lines = lambda y, load: load / 8562.82661 * (2 * y[0] - 0.5 * y[1] - (y[0] - 0.5 * y[1]) * load / 8562.82661)
    for i, (d, rate) in enumerate([(0.0158, 0), (0.04, 0.2), (0.26, 0)]):
        over = max(d - (0.47 - 0.21955), 0)
        load = 411120.9242 * d + 2055604.621 * over + 3931.68498 * rate
        case("tyre", "tmeasy_carcass_%d" % (i + 1), "carcass", "tmeasy", {}, dict(deflection=d, rate=rate),
             dict(load=load, damping=3931.68498, stiffness=411120.9242 + (2055604.621 if over else 0),
                  energy=0.5 * (411120.9242 * d * d + 2055604.621 * over * over),
                  relaxation_x=lines(TMEASY["dfx0"], min(load, 29969.89313)) / 185004,
                  relaxation_y=lines(TMEASY["dfy0"], min(load, 29969.89313)) / 164448),
             RILL + "; df_0/c", 1e-9)
    case("tyre", "tmeasy_carcass_given", "carcass", "tmeasy", dict(relaxation_x=0.3, relaxation_y=0.6), dict(deflection=0.02),
         dict(relaxation_x=0.3, relaxation_y=0.6), "as given", 1e-12)


PACEJKA = "Pacejka, Tyre and Vehicle Dynamics 2002, sect. 4.3.2"
# round numbers of a tyre of the class 37x12.5, and one with all coefficients
PAC = dict(fnomin=8500.0, r0=0.47, pcx1=1.6, pdx1=0.90, pdx2=-0.08, pdx3=0, pex1=0.1, pex2=0.1, pex3=0, pex4=0, pkx1=20.0,
           pkx2=0, pkx3=0.2, phx1=0, phx2=0, pvx1=0, pvx2=0, ppx1=0, ppx2=0, ppx3=0, ppx4=0, rbx1=12.0, rbx2=10.0, rcx1=1.0,
           rhx1=0, rex1=0, rex2=0, pcy1=1.4, pdy1=0.85, pdy2=-0.10, pdy3=0, pey1=-0.5, pey2=0, pey3=0, pey4=0, pky1=-12.0,
           pky2=2.0, pky3=0, phy1=0, phy2=0, phy3=0, pvy1=0, pvy2=0, pvy3=0, pvy4=0, ppy1=0, ppy2=0, ppy3=0, ppy4=0,
           rby1=10.0, rby2=8.0, rby3=0, rcy1=1.0, rhy1=0, rhy2=0, rey1=0, rey2=0, rvy1=0, rvy2=0, rvy3=0, rvy4=0, rvy5=0,
           rvy6=0, qbz1=8.0, qbz2=-1.0, qbz3=0, qbz4=0, qbz5=0, qbz9=0, qbz10=0, qcz1=1.1, qdz1=0.12, qdz2=0, qdz3=0,
           qdz4=0, qdz6=0, qdz7=0, qdz8=0, qdz9=0, qez1=-1.5, qez2=0, qez3=0, qez4=0, qez5=0, qhz1=0, qhz2=0, qhz3=0,
           qhz4=0, qpz1=0, qpz2=0, ssz1=0, ssz2=0, ssz3=0, ssz4=0, qsy1=0.015, qsy2=0, qsy3=0, qsy4=0, qsy5=0, qsy6=0,
           qsy7=0, qsy8=0, qsx1=0, qsx2=0, qsx3=0, qsx4=0, qsx5=0, qsx6=0, qsx7=0, qsx8=0, qsx9=0, qsx10=0, qsx11=0,
           qpx1=0, longvl=16.7, ip=300000.0, ip_nom=300000.0, road=0.8)
SCALES = ("lfzo lcx lmux lex lkx lhx lvx lgax lcy lmuy ley lky lhy lvy lgay lkg ltr lres lgaz lxal lyka lvyka ls lmx lvmx "
          "lmy lsgkp lsgal lcz lip").split()
WHOLE = dict(
    pdx3=0.6, pex3=-0.05, pex4=0.1, pkx2=1.2, phx1=0.002, phx2=-0.001, pvx1=0.004, pvx2=-0.002, rhx1=0.01, rex1=-0.4,
    rex2=0.1, pdy3=1.1, pey2=0.1, pey3=0.12, pey4=-1.0, pky3=0.4, phy1=0.003, phy2=-0.001, phy3=0.03, pvy1=0.02, pvy2=-0.01,
    pvy3=-0.15, pvy4=-0.1, rby3=0.01, rhy1=0.008, rhy2=0.002, rey1=0.3, rey2=-0.1, rvy1=0.03, rvy2=-0.01, rvy3=0.2, rvy4=8.0,
    rvy5=1.7, rvy6=12.0, qbz3=-0.2, qbz4=0.15, qbz5=-0.1, qbz9=15.0, qbz10=0.1, qdz2=-0.004, qdz3=0.3, qdz4=-1.0, qdz6=0.002,
    qdz7=-0.001, qdz8=-0.15, qdz9=-0.04, qez2=0.2, qez3=-0.1, qez4=0.2, qez5=-0.8, qhz1=0.004, qhz2=-0.002, qhz3=0.1,
    qhz4=0.03, ssz1=0.01, ssz2=0.006, ssz3=0.3, ssz4=-0.1, qsy2=0.02, qsy3=0.003, qsy4=0.001, qsy5=0.4, qsy6=0.2, qsx1=0.01,
    qsx2=0.5, qsx3=0.06)
PRESSED = dict(ip=360000.0, ppx1=-0.3, ppx2=0.2, ppx3=-0.1, ppx4=0.05, ppy1=-0.6, ppy2=-0.06, ppy3=-0.15, ppy4=0.02,
               qpz1=0.3, qpz2=0.2, qpx1=0.5)
SCALED = dict(lfzo=1.1, lcx=1.05, lmux=0.9, lex=0.8, lkx=1.2, lhx=0.5, lvx=0.7, lgax=0.6, lcy=0.95, lmuy=0.85, ley=1.3,
              lky=1.15, lhy=0.4, lvy=0.6, lgay=0.7, lkg=0.8, ltr=0.75, lres=0.5, lgaz=0.9, lxal=1.1, lyka=0.9, lvyka=0.6,
              ls=0.8, lmx=0.7, lvmx=0.6, lmy=1.2)


def pac2002(kappa, alpha_deg, load, camber_deg=0.0, speed=20.0, mu=None, extra=None, moves=1.0):
    """Forces of a tyre measured on the left, on the left, rolling. moves: part that shifts, camber
    thrust and moments have at less than full rolling speed."""
    p = dict(PAC)
    p.update({k: 1.0 for k in SCALES})
    p.update(extra or {})
    g = lambda k: p[k]
    fz0 = g("fnomin") * g("lfzo")
    fz = load
    df = (fz - fz0) / fz0
    r0 = g("r0")
    dpi = g("ip") * g("lip") / g("ip_nom") - 1
    road = 1.0 if mu is None else mu / g("road")
    lmux, lmuy = g("lmux") * road, g("lmuy") * road
    # on less friction, weakening begins at slips smaller in proportion (similarity)
    al, gam = alpha_deg * DEG, camber_deg * DEG
    gx, gy, gz = gam * g("lgax"), gam * g("lgay"), gam * g("lgaz")
    # longitudinal
    cx = g("pcx1") * g("lcx")
    mux = (g("pdx1") + g("pdx2") * df) * (1 + g("ppx3") * dpi + g("ppx4") * dpi ** 2) * (1 - g("pdx3") * gx ** 2) * lmux
    kx = kappa + (g("phx1") + g("phx2") * df) * g("lhx") * moves
    ex = min(1, (g("pex1") + g("pex2") * df + g("pex3") * df ** 2) * (1 - g("pex4") * sign(kx) * moves) * g("lex"))
    kxk = fz * (g("pkx1") + g("pkx2") * df) * exp(g("pkx3") * df) * g("lkx") * (1 + g("ppx1") * dpi + g("ppx2") * dpi ** 2)
    dx = mux * fz
    bx = kxk / (cx * dx)
    svx = fz * (g("pvx1") + g("pvx2") * df) * g("lvx") * lmux * moves
    fx0 = dx * sin(cx * atan(bx * kx - ex * (bx * kx - atan(bx * kx)))) + svx
    # lateral
    cy = g("pcy1") * g("lcy")
    muy = (g("pdy1") + g("pdy2") * df) * (1 + g("ppy3") * dpi + g("ppy4") * dpi ** 2) * (1 - g("pdy3") * gy ** 2) * lmuy
    kya = (g("pky1") * (1 + g("ppy1") * dpi) * fz0 * sin(2 * atan(fz / (g("pky2") * (1 + g("ppy2") * dpi) * fz0)))
           * (1 - g("pky3") * abs(gy)) * g("lky"))
    shy = ((g("phy1") + g("phy2") * df) * g("lhy") + g("phy3") * gy * g("lkg")) * moves
    ay = al + shy
    ey = min(1, (g("pey1") + g("pey2") * df) * (1 - (g("pey3") + g("pey4") * gy) * sign(ay) * moves) * g("ley"))
    dy = muy * fz
    by = kya / (cy * dy)
    svy = fz * ((g("pvy1") + g("pvy2") * df) * g("lvy") + (g("pvy3") + g("pvy4") * df) * gy * g("lkg")) * lmuy * moves
    fy0 = dy * sin(cy * atan(by * ay - ey * (by * ay - atan(by * ay)))) + svy
    # combined
    ks, als = kappa / road, al / road
    def weight(b, c, e, x, s):
        z = lambda u: cos(c * atan(b * u - e * (b * u - atan(b * u))))
        return z(x + s) / z(s)
    bxa = g("rbx1") * cos(atan(g("rbx2") * ks)) * g("lxal")
    fx = fx0 * weight(bxa, g("rcx1"), g("rex1") + g("rex2") * df, als, g("rhx1") * moves)
    byk = g("rby1") * cos(atan(g("rby2") * (als - g("rby3") * moves))) * g("lyka")
    dvy = muy * fz * (g("rvy1") + g("rvy2") * df + g("rvy3") * gam) * cos(atan(g("rvy4") * als))
    svyk = dvy * sin(g("rvy5") * atan(g("rvy6") * ks)) * g("lvyka") * moves
    fy = fy0 * weight(byk, g("rcy1"), g("rey1") + g("rey2") * df, ks, (g("rhy1") + g("rhy2") * df) * moves) + svyk
    # aligning
    sht = g("qhz1") + g("qhz2") * df + (g("qhz3") + g("qhz4") * df) * gz
    at_ = al + sht * moves
    shf = shy + svy / kya
    ar = al + shf
    ratio = kxk / kya * kappa
    at_eq = atan(sqrt(tan(at_) ** 2 + ratio ** 2))
    ar_eq = atan(sqrt(tan(ar) ** 2 + ratio ** 2))
    bt = (g("qbz1") + g("qbz2") * df + g("qbz3") * df ** 2) * (1 + g("qbz4") * gz + g("qbz5") * abs(gz)) * g("lky") / lmuy
    ct = g("qcz1")
    dt = fz * (g("qdz1") + g("qdz2") * df) * (1 - g("qpz1") * dpi) * (1 + g("qdz3") * gz + g("qdz4") * gz ** 2) * r0 / fz0 * g("ltr")
    et = (g("qez1") + g("qez2") * df + g("qez3") * df ** 2) * (1 + (g("qez4") + g("qez5") * gz) * (2 / pi) * atan(bt * ct * at_) * moves)
    et = min(1, et)
    trail = dt * cos(ct * atan(bt * at_eq - et * (bt * at_eq - atan(bt * at_eq)))) * cos(al)
    br = g("qbz9") * g("lky") / lmuy + g("qbz10") * by * cy
    dr = fz * ((g("qdz6") + g("qdz7") * df) * g("lres") + (g("qdz8") + g("qdz9") * df) * (1 + g("qpz2") * dpi) * gz) * r0 * lmuy
    mzr = dr * cos(atan(br * ar_eq)) * cos(al)
    arm = (g("ssz1") * moves + g("ssz2") * fy / fz0 + (g("ssz3") + g("ssz4") * df) * gam * moves) * r0 * g("ls")
    mz = (-trail * (fy - svyk) + mzr) * moves + arm * fx
    # overturning and rolling
    mx = fz * r0 * (g("qsx1") * g("lvmx") * moves + (-g("qsx2") * (1 + g("qpx1") * dpi) * gam + g("qsx3") * fy / fz0
                    + g("qsx4") * cos(g("qsx5") * atan((g("qsx6") * fz / fz0) ** 2))
                    * sin(g("qsx7") * gam + g("qsx8") * atan(g("qsx9") * fy / fz0))
                    + g("qsx10") * atan(g("qsx11") * fz / fz0) * gam) * g("lmx"))
    v = abs(speed) / g("longvl")
    my = r0 * (g("qsy1") + g("qsy2") * fx / fz0 * moves + g("qsy3") * v + g("qsy4") * v ** 4
               + (g("qsy5") + g("qsy6") * fz / fz0) * gam ** 2) * g("lmy")
    my *= (fz / fz0) ** g("qsy7") * (g("ip") * g("lip") / g("ip_nom")) ** g("qsy8")
    return dict(fx=fx, fy=fy, mz=mz, mx=mx, resistance=my / 0.47)


def pac2002_cases():
    published = [(0.05, 0, 8500, dict(fx=6274.3, fy=0, mz=0)), (0, 3, 8500, dict(fx=0, fy=-3917.0, mz=196.98)),
                 (0, 10, 8500, dict(fx=0, fy=-7154.3, mz=132.01)), (0.05, 3, 8500, dict(fx=5469.7, fy=-3556.9, mz=114.37)),
                 (0.1, 6, 4250, dict(fx=2939.3, fy=-2733.8, mz=19.807)), (-0.2, -8, 12000, dict(fx=-7651.3, fy=5339.5, mz=6.3985))]
    for kappa, alpha, load, gives in published:
        case("tyre", "pac2002_k%g_a%g" % (kappa, alpha), "tyre", "pac2002", {}, dict(kappa=kappa, alpha=alpha, load=load),
             gives, PACEJKA + ", five digits", 3e-5)
    points = [(0.02, 1, 6000, 0), (0.06, -4, 10000, 2), (-0.1, 7, 8500, -3), (-0.03, -2, 4000, 4), (0.3, 0.5, 12000, 1),
              (0.005, 12, 7000, -2)]
    sets = [("plain", {}, 1e-9), ("whole", WHOLE, 1e-9), ("pressed", dict(WHOLE, **PRESSED), 1e-9),
            ("scaled", dict(WHOLE, **SCALED), 1e-9)]
    for name, extra, tolerance in sets:
        for i, (kappa, alpha, load, camber) in enumerate(points):
            case("tyre", "pac2002_%s_%d" % (name, i + 1), "tyre", "pac2002", extra,
                 dict(kappa=kappa, alpha=alpha, load=load, camber=camber),
                 pac2002(kappa, alpha, load, camber, extra=extra), PACEJKA, tolerance)
    full = dict(WHOLE, qsx4=0.03, qsx5=1.2, qsx6=0.9, qsx7=2.0, qsx8=0.5, qsx9=1.5, qsx10=-0.4, qsx11=1.3, qsy7=0.8, qsy8=-0.4,
                ip=330000.0)
    case("tyre", "pac2002_moments", "tyre", "pac2002", full, dict(kappa=0.03, alpha=4, load=7000, camber=3),
         pac2002(0.03, 4, 7000, 3, extra=full), PACEJKA + "; MF-Tyre 5.2 for M_x, M_y", 1e-9)
    for mu, kappa, alpha in ((0.4, 0.03, 2), (0.5, -0.05, -3)):
        case("tyre", "pac2002_friction_%g" % mu, "tyre", "pac2002", {}, dict(kappa=kappa, alpha=alpha, load=7000, mu=mu),
             {k: v for k, v in pac2002(kappa, alpha, 7000, mu=mu).items() if k in ("fx", "fy")},
             PACEJKA + "; similarity, sect. 4.2", 1e-9)
    # mirror image, and travel backward: half a turn about the vertical
    r = pac2002(0.04, 3, 8000, 2, extra=WHOLE)
    case("tyre", "pac2002_other_side", "tyre", "pac2002", WHOLE, dict(kappa=0.04, alpha=-3, load=8000, camber=-2, side=-1),
         dict(fx=r["fx"], fy=-r["fy"], mz=-r["mz"], mx=-r["mx"]), "mirror image", 1e-9)
    case("tyre", "pac2002_backward", "tyre", "pac2002", {}, dict(kappa=0.05, alpha=3, load=8500, speed=-20),
         dict(fx=-5469.7, fy=-3556.9, mz=-114.37), "half a turn about the vertical, five digits", 3e-5)
    ellipse = dict(rbx1=0, rby1=0)
    fx0, fy0 = pac2002(0.08, 0, 8500)["fx"], pac2002(0, 6, 8500)["fy"]
    over = max(1, hypot(fx0 / (0.9 * 8500), fy0 / (0.85 * 8500)))
    case("tyre", "pac2002_ellipse", "tyre", "pac2002", ellipse, dict(kappa=0.08, alpha=6, load=8500),
         dict(fx=fx0 / over, fy=fy0 / over), "friction ellipse", 1e-9)
    case("tyre", "pac2002_pure", "tyre", "pac2002", dict(use_mode=13), dict(kappa=0.08, alpha=6, load=8500),
         dict(fx=fx0, fy=fy0), "use mode 13: no influence on each other", 1e-9)
    case("tyre", "pac2002_only_x", "tyre", "pac2002", dict(use_mode=11), dict(kappa=0.08, alpha=6, load=8500),
         dict(fx=fx0, fy=0, mz=0), "use mode 11", 1e-9)
    case("tyre", "pac2002_peak", "tyre", "pac2002", {}, dict(kappa=0.05, load=8500), dict(peak=0.9, secant_x=6274.3 / 8500 / 0.05 * 1.05),
         PACEJKA + ": D, and force over the patch's slip", 3e-5)
    beyond = pac2002(1.5, 0, 8500)
    case("tyre", "pac2002_limit", "tyre", "pac2002", {}, dict(kappa=2.5, load=8500), dict(fx=beyond["fx"]), "slip counts up to kpumax", 1e-9)
    # loads and relaxation
    for i, (d, rate, extra) in enumerate([(0.019, 0, {}), (0.03, 0.2, dict(lcz=1.2)), (0.26, 0, {})]):
        k = 450e3 * extra.get("lcz", 1)
        over = max(d - (0.47 - 0.22), 0)
        load = k * d + 10 * k * over + 1000 * rate
        case("tyre", "pac2002_carcass_%d" % (i + 1), "carcass", "pac2002", extra, dict(deflection=d, rate=rate),
             dict(load=load, stiffness=k * (11 if over else 1), damping=1000, energy=0.5 * k * (d * d + 10 * over * over),
                  relaxation_x=0.235, relaxation_y=0.235), "spring, rim and damper", 1e-9)
    relax = dict(ptx1=1.8, ptx2=0.3, ptx3=-0.2, pty1=2.1, pty2=1.9, lsgkp=1.1, lsgal=0.9)
    for d in (0.012, 0.03):
        fz = 450e3 * d
        df = fz / 8500 - 1
        case("tyre", "pac2002_relaxation_%g" % d, "carcass", "pac2002", relax, dict(deflection=d),
             dict(relaxation_x=fz * (1.8 + 0.3 * df) * exp(-0.2 * df) * 0.47 / 8500 * 1.1,
                  relaxation_y=2.1 * 0.47 * sin(2 * atan(fz / (1.9 * 8500))) * 0.9), PACEJKA, 1e-9)
    soft = dict(longitudinal_stiffness=300e3, lateral_stiffness=200e3)
    fz = 450e3 * 0.02
    df = fz / 8500 - 1
    case("tyre", "pac2002_relaxation_stiffness", "carcass", "pac2002", soft, dict(deflection=0.02),
         dict(relaxation_x=fz * 20 * exp(0.2 * df) / 300e3, relaxation_y=12 * 8500 * sin(2 * atan(fz / 17000)) / 200e3),
         "K/k (Pacejka, ch. 7)", 1e-9)
    curve = dict(deflection_load_curve=[0, 0, 0.01, 3000, 0.03, 12000], bottoming_curve=[0.02, 0, 0.03, 5000], bottoming_radius=0)
    case("tyre", "pac2002_load_curve", "carcass", "pac2002", curve, dict(deflection=0.025),
         dict(load=3000 + 9000 * 0.75 + 2500, energy=15 + 0.015 * 3000 + 0.5 * 450e3 * 0.015 ** 2 + 0.5 * 5e5 * 0.005 ** 2),
         "straight between the points", 1e-9)


def linear_cases():
    for i, (d, rate, extra) in enumerate([(0.02, 0, {}), (0.3, 0.1, {}), (0.05, -0.2, dict(
            stiffness=300e3, damping=900, bottoming_deflection=0.04, rim_stiffness=1e6, relaxation_length=0.4, crossover=0.12,
            bearing=1.5))]):
        k, c = extra.get("stiffness", 200e3), extra.get("damping", 500)
        rim, depth = extra.get("rim_stiffness", 2e6), extra.get("bottoming_deflection", 0.6 * 0.47)
        over = max(d - depth, 0)
        case("tyre", "linear_carcass_%d" % (i + 1), "carcass", "linear", extra, dict(deflection=d, rate=rate),
             dict(load=k * d + rim * over + c * rate, stiffness=k + (rim if over else 0), damping=c,
                  energy=0.5 * (k * d * d + rim * over * over), relaxation_x=extra.get("relaxation_length", 0.235),
                  relaxation_y=extra.get("relaxation_length", 0.235), crossover=extra.get("crossover", 0.09),
                  bearing=extra.get("bearing", 0)), "spring, rim and damper", 1e-10)


# ---- wheels of planar vehicles -------------------------------------------------------------------

MVSIM = "Blanco-Claraco et al. 2023, sect. 3"


def planar(dt=0.01, vx=0.0, vy=0.0, gx=0.0, gy=0.0, speed=0.0, torque=0.0, load=100.0, mass=10.0, radius=0.2, inertia=0.1,
           friction=0.8, bearing=0.01, rolling=0.0, scrub=0.0):
    """Force that ends the slip in the step, within the square of friction."""
    resist = -bearing * speed
    if rolling:
        stop = (inertia + mass * radius ** 2) * abs(speed) / dt
        resist -= sign(speed) * min(rolling * load * radius * tanh(100 * abs(speed)), stop)
    x = (torque + resist - inertia * (vx / radius - speed) / dt) / radius
    y = -mass * (vy / dt + gy + scrub)
    most = friction * load
    return dict(fx=max(-most, min(most, x)), fy=max(-most, min(most, y)), spin=resist, roll=x, limit=most)


def circle(x, y, most, wx, wy):
    """Force of the size `most` against the slip that is left: F_i = x_i W_i/(W_i + lambda)."""
    if hypot(x, y) <= most:
        return x, y
    size = lambda l: hypot(x * wx / (wx + l), y * wy / (wy + l))
    lam = bisect(lambda l: most - size(l), 0, 1e9)
    return x * wx / (wx + lam), y * wy / (wy + lam)


def wheel_cases():
    points = [dict(vx=1.0, speed=5.0, torque=1.0), dict(vx=1.0, speed=5.5, torque=0.4, vy=0.05),
              dict(vx=2.0, speed=10.0, torque=30.0), dict(vx=-1.0, vy=-0.3, speed=-4.0, torque=-2.0, gy=0.5),
              dict(vx=1.0, vy=0.02, speed=5.0, torque=3.0, load=250.0, mass=20.0, inertia=0.3, radius=0.25, scrub=0.4)]
    for i, at in enumerate(points):
        case("tyre", "coulomb_%d" % (i + 1), "wheel", "coulomb", {}, at, planar(**at), MVSIM, 1e-9)
        if i in (1, 2, 4):
            case("tyre", "coulomb_rolling_%d" % (i + 1), "wheel", "coulomb", dict(rolling_resistance=0.05), at,
                 planar(rolling=0.05, **at), MVSIM + "; C N R against the spin", 1e-9)
    for i, at in enumerate([dict(vx=1.0, vy=0.4, speed=9.0, torque=4.0), dict(vx=1.0, vy=-0.1, speed=5.2, torque=0.5)]):
        free = planar(friction=1e9, **at)
        fx, fy = circle(free["fx"], free["fy"], 80.0, 0.2 ** 2 * 0.01 / 0.1, 0.01 / 10)
        left = 80.0 ** 2 - free["fy"] ** 2
        limit = abs(fx) if free["fx"] ** 2 > max(left, 0) else sqrt(left)
        case("tyre", "coulomb_circle_%d" % (i + 1), "wheel", "coulomb", dict(combined=1), at,
             dict(fx=fx, fy=fy, limit=limit), "trust region, Conn, Gould and Toint 2000, sect. 7.3", 1e-6)
    case("tyre", "coulomb_place", "wheel", "coulomb", {}, dict(vx=2.0, speed=10.0, torque=30.0, friction=0.3, rolling=0.1),
         planar(friction=0.3, rolling=0.1, vx=2.0, speed=10.0, torque=30.0), MVSIM + "; friction of the place", 1e-9)
    case("tyre", "coulomb_stops", "wheel", "coulomb", dict(rolling_resistance=10, bearing_damping=1000),
         dict(speed=0.01, vx=0.002), dict(spin=-0.1 / 0.01 * 0.01 - (0.1 + 10 * 0.04) * 0.01 / 0.01),
         "no torque does more than stop what it acts on", 1e-9)
    free = planar(vx=1.0, speed=5.0, torque=1.0, gx=1.0)
    case("tyre", "coulomb_as_published", "wheel", "coulomb", dict(variant="as_published"), dict(vx=1.0, speed=5.0, torque=1.0, gx=1.0),
         dict(fx=free["fx"], drag=-min(10.0, 80.0 - abs(free["fx"]))), MVSIM + ": gravity held by the grip left", 1e-9)
    for i, at in enumerate([dict(vx=1.0, speed=5.0, torque=0.5), dict(vx=-0.01, speed=-0.05), dict(vx=3.0, speed=15.0, torque=2.0, vy=0.03)]):
        g = planar(**at)
        v = abs(at["vx"])
        size = 100 * (0.0075 * (1 - exp(-50 * v)) + 0.02 * v)
        g["drag"] = -sign(at["vx"]) * min(size, 10 * v / 0.01)
        case("tyre", "ward_iagnemma_%d" % (i + 1), "wheel", "ward_iagnemma", {}, at, g,
             "Ward and Iagnemma 2008: N (R1 (1 - exp(-A v)) + R2 v)", 1e-9)
    own = dict(drag_onset=5, drag_constant=0.02, drag_rate=0.05, friction=0.6, bearing_damping=0.02)
    g = planar(vx=0.3, speed=1.6, torque=0.2, friction=0.6, bearing=0.02)
    g["drag"] = -100 * (0.02 * (1 - exp(-1.5)) + 0.05 * 0.3)
    case("tyre", "ward_iagnemma_own", "wheel", "ward_iagnemma", own, dict(vx=0.3, speed=1.6, torque=0.2), g,
         "Ward and Iagnemma 2008", 1e-9)
    at = dict(vx=1.0, vy=0.4, speed=9.0, torque=4.0)
    free = planar(friction=1e9, **at)
    fx, fy = circle(free["fx"], free["fy"], 80.0, 0.2 ** 2 * 0.01 / 0.1, 0.01 / 10)
    case("tyre", "ward_iagnemma_circle", "wheel", "ward_iagnemma", dict(combined=1), at,
         dict(fx=fx, fy=fy, limit=abs(fx)), "trust region, Conn, Gould and Toint 2000, sect. 7.3", 1e-6)
    g = planar(vx=1.0, speed=5.0, torque=0.5)
    drag = 100 * (0.0075 * (1 - exp(-50)) + 0.02)
    case("tyre", "ward_iagnemma_as_published", "wheel", "ward_iagnemma", dict(variant="as_published"), dict(vx=1.0, speed=5.0, torque=0.5),
         dict(fx=g["roll"] - drag, drag=0), MVSIM + ": in the force that spins the wheel", 1e-9)
    for i, (at, variant) in enumerate([(dict(vx=1.0, vy=0.03, speed=5.2, torque=0.3), 0), (dict(vx=1.0, vy=0.3, speed=9.0, torque=2.0), 0),
                                       (dict(vx=1.0, vy=0.04, speed=5.3, torque=0.1, gx=0.2, gy=-0.3), 0),
                                       (dict(vx=-1.0, vy=0.05, speed=-4.8, torque=0.2), 0),
                                       (dict(vx=1.0, vy=0.05, speed=5.3, torque=0.3), 1)]):
        dt, r, inertia, mass, load = 0.01, 0.2, 0.1, 10.0, 100.0
        resist = -0.01 * at["speed"]
        if variant:
            rim, u, v = r * at["speed"], at["vx"], at["vy"]
            ratio = min(abs(rim - u) / abs(rim), 1)
        else:
            rim = r * (at["speed"] + dt * (at["torque"] + resist) / inertia)
            u, v = at["vx"] + dt * at.get("gx", 0), at["vy"] + dt * at.get("gy", 0)
            ratio = min(abs(rim - u) / max(abs(rim), abs(u)), 1)
        angle = atan2(abs(v), abs(u))
        s, a = min(ratio, 0.1), min(angle, 0.1)
        lx = load * 7.5 * s * sqrt(1 - 0.5 * (a / 0.1) ** 2)
        ly = load * 8.5 * a * sqrt(1 - 0.5 * (s / 0.1) ** 2)
        x = (at["torque"] + resist - inertia * (at["vx"] / r - at["speed"]) / dt) / r
        y = -mass * (at["vy"] / dt + at.get("gy", 0))
        case("tyre", "ellipse_%d" % (i + 1), "wheel", "ellipse", dict(variant="as_published") if variant else {}, at,
             dict(fx=max(-lx, min(lx, x)), fy=max(-ly, min(ly, y)), limit=lx, spin=resist, roll=x),
             "MVSim 1.2: C_s s sqrt(1 - C_sa (a/a_s)^2)", 1e-9)
    own = dict(slip_stiffness=10, cornering_stiffness=6, slip_saturation=0.2, angle_saturation=0.15, lateral_weakening=0.3,
               longitudinal_weakening=0.8, rolling_resistance=0.02)
    resist = -0.01 * 6 - 0.02 * 100 * 0.2
    rim = 0.2 * (6 + 0.01 * (0.3 + resist) / 0.1)
    s, a = min(abs(rim - 1) / rim, 0.2), min(atan(0.1), 0.15)
    case("tyre", "ellipse_own", "wheel", "ellipse", own, dict(vx=1.0, vy=0.1, speed=6.0, torque=0.3),
         dict(limit=100 * 10 * s * sqrt(1 - 0.8 * (a / 0.15) ** 2), fy=-100 * 6 * a * sqrt(1 - 0.3 * (s / 0.2) ** 2), spin=resist),
         "MVSim 1.2", 1e-9)


# ---- inflation pressure, what tyres tell ----------------------------------------------------------

INFLATED = "Besselink, Schmeitz and Pacejka 2010: X (1 + c dp), 0.5 to 2; rolling with (p/p_0)^e, SAE J2452"


def inflation_cases():
    for pressure, named in ((325e3, "more"), (100e3, "less"), (900e3, "bound"), (1500e3, "most")):
        q = pressure / 250e3
        stiff = 1 + 0.7 * (q - 1)
        held = lambda c: min(2, max(0.5, 1 + c * (q - 1)))
        slip, corner, side, roll = held(-0.35), held(-0.6), held(0.25), q ** -0.4
        asked = dict(pressure=pressure)
        # planar wheels
        at = dict(vx=1.0, speed=5.5, torque=0.4, vy=0.05)
        case("tyre", "coulomb_pressure_" + named, "wheel", "coulomb", dict(asked, rolling_resistance=0.05), at,
             planar(rolling=0.05 * roll, **at), INFLATED, 1e-9)
        g = planar(vx=0.3, speed=1.6, torque=0.2, rolling=0.01 * roll)
        g["drag"] = -100 * roll * (0.0075 * (1 - exp(-50 * 0.3)) + 0.02 * 0.3)
        case("tyre", "ward_iagnemma_pressure_" + named, "wheel", "ward_iagnemma", dict(asked, rolling_resistance=0.01),
             dict(vx=0.3, speed=1.6, torque=0.2), g, INFLATED, 1e-9)
        resist = -0.01 * 6 - 0.02 * roll * 100 * 0.2
        rim = 0.2 * (6 + 0.01 * (0.3 + resist) / 0.1)
        s, a = min(abs(rim - 1) / rim, 0.1), min(atan(0.05), 0.1)
        case("tyre", "ellipse_pressure_" + named, "wheel", "ellipse", dict(asked, rolling_resistance=0.02),
             dict(vx=1.0, vy=0.05, speed=6.0, torque=0.3),
             dict(limit=100 * 7.5 * slip * s * sqrt(1 - 0.5 * (a / 0.1) ** 2),
                  fy=-min(100 * 8.5 * corner * a * sqrt(1 - 0.5 * (s / 0.1) ** 2), 10 * 0.05 / 0.01), spin=resist), INFLATED, 1e-9)
        # springs and patches
        d = 0.03
        case("tyre", "fiala_pressure_carcass_" + named, "carcass", "fiala", asked, dict(deflection=d),
             dict(load=580000 * stiff * d, stiffness=580000 * stiff, energy=290000 * stiff * d * d,
                  relaxation_x=193929 * slip / 185004.0, relaxation_y=50000 * corner / (164448.0 * side)), INFLATED, 1e-9)
        case("tyre", "fiala_pressure_" + named, "tyre", "fiala", asked, dict(kappa=0.01, alpha=2),
             dict(fiala(0.01, 2, cs=193929 * slip, ca=50000 * corner), resistance=0.015 * roll / 0.47), INFLATED, 1e-9)
        case("tyre", "linear_pressure_" + named, "carcass", "linear", asked, dict(deflection=0.3),
             dict(load=200e3 * stiff * 0.3 + 2e6 * (0.3 - 0.6 * 0.47), stiffness=200e3 * stiff + 2e6), INFLATED + "; the rim's stays", 1e-9)
        kept = dict(TMEASY)
        for keys, gain in ((("dfx0",), slip), (("sxm", "sxs"), 1 / slip), (("dfy0",), corner),
                           (("sym", "sys", "sy0", "sye"), 1 / corner)):
            for k in keys:
                TMEASY[k] = tuple(gain * x for x in kept[k])
        got = tmeasy(0.03, 3)
        line = lambda y, load: load / 8562.82661 * (2 * y[0] - 0.5 * y[1] - (y[0] - 0.5 * y[1]) * load / 8562.82661)
        load = 411120.9242 * stiff * 0.012
        case("tyre", "tmeasy_pressure_" + named, "tyre", "tmeasy", asked, dict(kappa=0.03, alpha=3),
             dict(got, resistance=0.015 * roll), INFLATED, 1e-8)
        case("tyre", "tmeasy_pressure_carcass_" + named, "carcass", "tmeasy", asked, dict(deflection=0.012),
             dict(load=load, relaxation_x=line(TMEASY["dfx0"], load) / 185004,
                  relaxation_y=line(TMEASY["dfy0"], load) / (164448 * side)), INFLATED, 1e-8)
        TMEASY.update(kept)
    # PAC2002 has pressure among its coefficients; its radial spring by q_pFz1 dp
    for ip, low, high, counts in ((360000.0, 0, 0, 360000.0), (200000.0, 260000.0, 0, 260000.0), (400000.0, 0, 330000.0, 330000.0)):
        spring = 1 + 0.65 * (ip / 300000.0 - 1)
        inside = dict(ip=ip, qpfz1=0.65, **({"presmin": low} if low else {}), **({"presmax": high} if high else {}))
        over = 0.26 - 0.25
        case("tyre", "pac2002_pressure_carcass_%d" % (ip / 1e3), "carcass", "pac2002", inside, dict(deflection=0.26),
             dict(load=450e3 * spring * 0.26 + 4.5e6 * over, stiffness=450e3 * (spring + 10)), INFLATED, 1e-9)
        more = dict(WHOLE, **dict(PRESSED, ip=counts))
        row = dict(WHOLE, **dict(PRESSED, **inside))
        case("tyre", "pac2002_pressure_%d" % (ip / 1e3), "tyre", "pac2002", row, dict(kappa=0.02, alpha=1, load=6000),
             pac2002(0.02, 1, 6000, extra=more), PACEJKA + "; pressure within its bounds", 1e-9)
    curve = dict(deflection_load_curve=[0, 0, 0.01, 3000, 0.03, 12000], ip=360000, qpfz1=0.65)
    case("tyre", "pac2002_pressure_curve", "carcass", "pac2002", curve, dict(deflection=0.02),
         dict(load=7500 * (1 + 0.65 * 0.2)), INFLATED, 1e-9)


def seen_cases():
    told = "by definition: "
    at = dict(speed=6.0, vx=1.5, vy=-0.2, radius=0.2, load=100.0, fx=30.0, fy=-40.0)
    slide = dict(slip_velocity_x=1.5 - 0.2 * 6.0, slip_velocity_y=-0.2)
    for combined, force in ((0, 40.0), (1, 50.0)):
        case("tyre", "coulomb_seen_%d" % combined, "seen", "coulomb", dict(combined=combined), at,
             dict(slide, friction_limit=80, friction_utilisation=force / 80), told + "mu N, force over it", 1e-12)
    case("tyre", "coulomb_seen_place", "seen", "coulomb", {}, dict(at, friction=0.5), dict(friction_limit=50, friction_utilisation=0.8),
         told + "friction of the place", 1e-12)
    case("tyre", "coulomb_seen_lifted", "seen", "coulomb", {}, dict(at, load=-5.0), dict(slide, friction_limit=0, friction_utilisation=0),
         told + "no load", 1e-12)
    drag = -100 * (0.0075 * (1 - exp(-50 * 1.5)) + 0.02 * 1.5)
    case("tyre", "ward_iagnemma_seen", "seen", "ward_iagnemma", dict(combined=1), at,
         dict(slide, friction_utilisation=hypot(30 - drag, 40) / 80, resistance_force=drag), told + "friction without the drag", 1e-9)
    case("tyre", "ward_iagnemma_seen_slow", "seen", "ward_iagnemma", {}, dict(at, vx=-1e-4, mass=0.2),
         dict(friction_utilisation=0.5, resistance_force=0.2 * 1e-4 / 0.01), told + "a drag that stops the wheel within the step", 1e-9)
    rim = 0.2 * (6 + 0.01 * (0.5 - 0.01 * 6) / 0.1)
    s, a = min(abs(rim - 1.5) / max(rim, 1.5), 0.1), min(atan2(0.02, 1.5), 0.1)
    case("tyre", "ellipse_seen", "seen", "ellipse", {}, dict(at, vx=1.18, vy=-0.02, torque=0.5),
         (lambda s, a: dict(slip_velocity_x=1.18 - 1.2, slip_velocity_y=-0.02, friction_limit_x=750 * s * sqrt(1 - 0.5 * (a / 0.1) ** 2),
                            friction_limit_y=850 * a * sqrt(1 - 0.5 * (s / 0.1) ** 2)))(
             min((rim - 1.18) / rim, 0.1), min(atan2(0.02, 1.18), 0.1)), "MVSim 1.2: C_s s sqrt(1 - C_sa (a/a_s)^2)", 1e-9)
    at = dict(vx=20, load=6500, deflection=0.0112, patch_x=0.01, patch_y=-0.02, fy=-833.345, aligning=80.3602)
    lx, ly = 193929 / 185004.0, 50000 / 164448.0
    case("tyre", "fiala_seen", "seen", "fiala", {}, at,
         dict(radial_stiffness=580000, elastic_energy=290000 * 0.0112 ** 2, relaxation_length_x=lx, relaxation_length_y=ly,
              transient_slip=0.01 / lx, transient_slip_angle=atan(-0.02 / ly), slip_stiffness=193929, cornering_stiffness=50000,
              pneumatic_trail=80.3602 / 833.345), "C/k; its slopes; M_z over F_y of six published digits", 1e-6)
    case("tyre", "fiala_seen_straight", "seen", "fiala", {}, dict(at, vx=-20, fy=0.5), dict(cornering_stiffness=50000, pneumatic_trail=0),
         "no trail without a lateral force", 1e-6)


# ---- hard ground and cone index ------------------------------------------------------------------

SURFACES = dict(dry=(10, 1.9, 1.0, 0.97), wet=(12, 2.3, 0.82, 1.0), snow=(5, 2, 0.3, 1.0), ice=(4, 2, 0.1, 1.0),
                gravel=(6, 2.08, 0.6, 1.0))
BAKKER = "Bakker, Nyborg and Pacejka 1987; table of MAVS"


def magic(c, x):
    b, c, d, e = c
    return d * sin(c * atan(b * x - e * (b * x - atan(b * x))))


def scan_peak(f):
    best = max(range(1, 10001), key=lambda i: f(i / 10000.0)) / 10000.0
    low, high = best - 1e-4, min(best + 1e-4, 1.0)
    for _ in range(100):
        a, b = low + (high - low) / 3, high - (high - low) / 3
        if f(a) > f(b):
            high = b
        else:
            low = a
    return 0.5 * (low + high)


def similar(x, y, px, py, along, across):
    """Both forces from the curves of each direction, by similarity (Pacejka, ch. 4)."""
    rho = hypot(x / px, y / py)
    rx, ry = rho * px, rho * py
    return dict(mu_x=along(min(rx, 1)) * x / rx if rx else 0, mu_y=-across(min(ry, 1e9)) * y / ry if ry else 0, rho=rho)


def crolla(slip, crossover):
    return 1 - exp(-atan(slip) / crossover)


def hard_cases():
    for name, c in SURFACES.items():
        px = scan_peak(lambda s: magic(c, s))
        for x, y in ((0.03, 0.0), (-0.15, 0.0), (0.6, 0.0), (0.04, 0.1), (-0.1, -0.05)):
            g = similar(x, y, px, tan(0.27), lambda s: magic(c, s), lambda s: magic(c, px) * crolla(s, 0.09))
            g.update(peak=magic(c, px), resistance=0.01)
            if x and y:
                g.update(secant_x=g["mu_x"] / x, secant_y=-g["mu_y"] / y)
            case("soil", "hard_%s_%g_%g" % (name, x, y), "traction", "magic_formula", dict(surface=name),
                 dict(slip_x=x, slip_y=y), g, BAKKER + "; Crolla and El-Razaz", 3e-6)
    user = dict(surface="user", b=8, c=1.7, d=0.7, e=0.5, b_y=9, c_y=1.5, d_y=0.6, e_y=-0.5, lateral="magic_formula",
                rolling_resistance=0.03)
    along, across = (8, 1.7, 0.7, 0.5), (9, 1.5, 0.6, -0.5)
    px, py = scan_peak(lambda s: magic(along, s)), scan_peak(lambda s: magic(across, s))
    for x, y in ((0.05, 0.08), (0.0, -0.2), (-0.3, 0.02)):
        g = similar(x, y, px, py, lambda s: magic(along, s), lambda s: magic(across, min(s, 1)))
        case("soil", "hard_user_%g_%g" % (x, y), "traction", "magic_formula", user, dict(slip_x=x, slip_y=y),
             dict(g, resistance=0.03), BAKKER, 3e-6)
    g = similar(0.05, 0.08, px, py, lambda s: magic(along, s), lambda s: magic(across, s))
    case("soil", "hard_place", "traction", "magic_formula", user, dict(slip_x=0.05, slip_y=0.08, friction=0.35),
         dict(mu_x=g["mu_x"] * 0.5, mu_y=g["mu_y"] * 0.5, peak=0.35), BAKKER + "; half the friction", 3e-6)
    shifted = dict(user, horizontal_shift=0.01, vertical_shift=0.05)
    for s in (0.1, 0.6, -0.5):
        part = sign(s) * min(abs(s) / px, 1)
        want = magic(along, abs(s) + part * 0.01) + part * 0.05
        case("soil", "hard_shift_%g" % s, "traction", "magic_formula", shifted, dict(slip_x=s), dict(mu_x=sign(s) * want),
             BAKKER + "; shifts in full from the peak on", 3e-6)
    sideways = dict(user, horizontal_shift_y=-0.02, vertical_shift_y=0.03)
    for y in (0.1, -0.1, 0.7, -0.7):
        part = sign(y) * min(abs(y) / py, 1)
        want = magic(across, abs(y) - part * 0.02) + part * 0.03
        case("soil", "hard_shift_y_%g" % y, "traction", "magic_formula", sideways, dict(slip_y=y), dict(mu_y=-sign(y) * want),
             BAKKER + "; shifts in full from the peak on", 3e-6)


def cone_cases():
    tyre = dict(load=6500.0, deflection=0.03, diameter=0.94, width=0.3175, section=0.2604)
    n, b, d, h, delta = 6500.0, 0.3175, 0.94, 0.2604, 0.03

    def clay(ci, s):
        nc = ci * b * d / (n * (1 - delta / h) ** 1.5 * (1 + b / d) ** 0.75)
        sp, r = 21 / nc ** 2.5 + 0.005, 12 / nc ** 2 + 0.007
        net = lambda s: 0.5 * log10(s / sp) * (1 + b / d) ** 0.25
        gross = lambda s: min(0.9, r * s / sp if s < sp else net(s) + r)
        return gross, r

    def sand(ci, s):
        ns = ci / 0.088138 * (b * d) ** 1.5 * delta / (n * h)
        y = lambda s: 4.71 + 1.72 / s
        gross = lambda s: 0.66 - 0.66 * y(s) / (ns + 10 + y(s))
        star = ci * (b * d) ** 1.5 / ((1 - delta / h) * n) / 0.0254
        x = 0.44 - 0.002287 * star
        return gross, x + sqrt(x * x + 0.0000457 * star + 0.08) + 0.05 * delta / h

    def brixius(ci, s, radial=False):
        bn = ci * b * d / n * (1 + 5 * delta / h) / (1 + 3 * b / d)
        rate, one, own = (10.5, 0.9, 0.0325) if radial else (7.5, 1.0, 0.04)
        gross = lambda s: 0.88 * (1 - exp(-0.1 * bn)) * (1 - exp(-rate * s)) + own * (1 - exp(-s / 0.01))
        return gross, one / bn + 0.5 * abs(s) / sqrt(bn) + own

    sources = dict(clay="Dettwiller et al. 2018; WES", sand="Mason et al. 2018; Williams et al. 2019",
                   brixius="Brixius 1987, ASAE 87-1622")
    for kind, law in (("clay", clay), ("sand", sand), ("brixius", brixius)):
        for ci, x, y in ((200e3, 0.2, 0), (300e3, 0.5, 0), (600e3, -0.3, 0), (1500e3, 0.1, 0), (400e3, 0.15, 0.1),
                         (800e3, 0.002, 0), (500e3, 0, -0.3)):
            gross, r = law(ci, x)
            size = hypot(x, y)
            got = dict(mu_x=gross(min(size, 1)) * x / size, mu_y=-gross(1.0) * crolla(size, 0.09) * y / size,
                       resistance=r, peak=gross(1.0))
            if x and abs(x) > 0.01:
                got["secant_x"] = got["mu_x"] / x
            if y:
                got["secant_y"] = -got["mu_y"] / y
            case("soil", "%s_%d_%g_%g" % (kind, ci / 1e3, x, y), "traction", kind, dict(cone_index=ci),
                 dict(tyre, slip_x=x, slip_y=y), got, sources[kind], 1e-5 if kind != "sand" else 3e-6)
    gross, r = brixius(400e3, 0.2, True)
    case("soil", "brixius_radial", "traction", "brixius", dict(cone_index=400e3, ply="radial"), dict(tyre, slip_x=0.2),
         dict(mu_x=gross(0.2), resistance=r), sources["brixius"], 1e-6)
    for mu in (0.9, 0.5):
        case("soil", "clay_rubber_%g" % mu, "traction", "clay", dict(cone_index=2e6, **({} if mu == 0.9 else dict(rubber_friction=mu))),
             dict(tyre, slip_x=-1), dict(mu_x=-mu, peak=mu), "rubber on firm ground holds mu of the load", 1e-12)
    gross, r = clay(300e3, 0.2)
    case("soil", "clay_place", "traction", "clay", {}, dict(tyre, slip_x=0.2, strength=300e3),
         dict(mu_x=gross(0.2), resistance=r, net=0.3908), sources["clay"] + ": cone index of the place", 2e-4)
    case("soil", "clay_rig", "soil", "clay", dict(cone_index=300e3), dict(slip=0.2, stiffness=6500 / 0.03),
         dict(traction=gross(0.2) * n, resistance=r * n, pull=(gross(0.2) - r) * n, deflection=0.03,
              torque=gross(0.2) * n * 0.46, efficiency=(1 - r / gross(0.2)) * 0.8, limit=gross(1.0) * n),
         sources["clay"] + "; rolling radius R - d/3", 1e-6)
    # sand as printed: inches for metres, and the load in the mobility numeric
    s = 0.2
    ns = 600e3 / 3.47 * (b * d) ** 1.5 * delta / (n * h)
    x = 0.44 + 0.002287 * n
    printed = 0.66 - 0.66 * (4.71 + 1.72 / s) / (ns + 10 + 4.71 + 1.72 / s) - (
        x + sqrt(x * x + 0.0000457 * n + 0.08) + 0.05 * delta / h)
    case("soil", "sand_as_published", "traction", "sand", dict(cone_index=600e3, variant="as_published"), dict(tyre, slip_x=s),
         dict(mu_x=printed, resistance=0), "the same as printed", 1e-9)


# ---- deformable soil -----------------------------------------------------------------------------

WONG = "Wong and Reece 1967, Janosi and Hanamoto 1961"
# n, k_c, k_phi [kN], c [kPa], phi [deg], K [cm]: Wong, Theory of Ground Vehicles, table 2.3, and 1989
TABLE = dict(dry_sand=(1.10, 0.99, 1528.43, 1.04, 28, 2.5), sandy_loam_15=(0.70, 5.27, 1515.04, 1.72, 29, 2.5),
             sandy_loam_22=(0.20, 2.56, 43.12, 1.38, 38, 2.5), sandy_loam_michigan=(0.90, 52.53, 1127.97, 4.83, 20, 2.5),
             clayey_soil_38=(0.50, 13.19, 692.15, 4.14, 13, 1.0), clayey_soil_55=(0.70, 16.03, 1262.53, 2.07, 10, 1.0),
             heavy_clay=(0.13, 12.70, 1555.95, 68.95, 34, 0.6), lean_clay=(0.20, 16.43, 1724.69, 68.95, 20, 0.6),
             lete_sand=(0.793, 102, 5301, 1.3, 31.1, 1.2), upland_sandy_loam=(1.10, 74.6, 2080, 3.3, 33.7, 2.5),
             rubicon_sandy_loam=(0.66, 6.9, 752, 3.7, 29.8, 2.5), north_gower_clayey_loam=(0.73, 41.6, 2471, 6.1, 26.6, 2.5),
             grenville_loam=(1.01, 0.06, 5880, 3.1, 29.8, 1.8), snow_harrison=(1.60, 4.37, 196.72, 1.03, 19.7, 3),
             snow_sweden=(1.44, 10.55, 66.08, 6.0, 20.7, 3), scm_default=(1.1, 0, 2000, 0, 30, 1),
             scm_hard=(1.1, 0, 20000, 0, 20, 1), lunar_nominal=(1.0, 1.4, 820, 0.17, 36, 1.78))
PLAIN = dict(plate="width", rebound="ratio", shear="separate", rubber_share=0, slip_sinkage="none", rolling_resistance=0,
             quadrature="exact")


class Soil:
    """A soil of the textbook integrals, and options of theirs."""

    def __init__(self, n, k, c=0.0, phi=0.0, K=0.01, a0=0.0, a1=0.0, **more):
        self.n, self.k, self.c, self.phi, self.K, self.a0, self.a1 = n, k, c, phi * DEG, K, a0, a1
        self.Ky = more.get("Ky", K)
        self.shear = more.get("shear", "separate")
        self.exit = more.get("exit", lambda z: 0.0)       # rebound [m] of soil pressed to z
        self.line = more.get("line", False)               # unloads along a line behind
        self.counts = more.get("counts", lambda s: 1.0)   # part of the depth that counts
        self.curve = more.get("curve", lambda x: 1 - exp(-x))
        self.rubber = more.get("rubber", None)            # share, c_a, tan delta, mu
        self.wall = more.get("wall", None)                # side resistance per length

    @classmethod
    def named(cls, name, b, **more):
        n, kc, kp, c, phi, K = TABLE[name]
        # Chrono's soils press by the depth of each place
        peak = (0.0, 0.0) if name.startswith("scm") else (0.18, 0.32)
        return cls(n, kc * 1e3 / b + kp * 1e3, c * 1e3, phi, K / 100, *peak, **more)

    def strength(self, p):
        own = self.c + p * tan(self.phi)
        if not self.rubber:
            return own
        share, ca, td, mu = self.rubber
        return (1 - share) * own + share * min(own, ca + p * td, mu * p)


def under(soil, h, R, b, s, beta=0.0, pressed=0.0, parts=300, standing=False):
    """Forces of a rigid wheel at the sinkage h: F_x, F_z, F_y, torque, and the largest torque; the
    part of the torque that slip brings, over slip; the largest pressure. A standing wheel has no
    front: soil only shears as far as it slips."""
    z0 = pressed - soil.exit(pressed) if pressed else 0.0
    tf = acos(1 - (h - z0) / R)
    tr = -acos(1 - min(soil.exit(max(h, pressed)), h - z0) / R)
    tm = (soil.a0 + soil.a1 * s) * tf
    one = soil.counts(s)

    def virgin(z):
        return soil.k * max(one * z, 0) ** soil.n

    def front(th):
        z = R * (cos(th) - cos(tf)) + z0
        if pressed and z < pressed:
            return virgin(pressed) * (z - z0) / (pressed - z0)
        return virgin(z)

    def sigma(th):
        if th >= tm:
            return front(th)
        at = tf - (th - tr) / (tm - tr) * (tf - tm)
        if soil.line:
            return front(tm) * (cos(at) - cos(tf)) / (cos(tm) - cos(tf))
        return front(at)

    vy = (1 - s) * tan(beta * DEG)  # over R Om

    def tau(th, p):
        jx = R * ((tf - th) * (not standing) - (1 - s - standing) * (sin(tf) - sin(th)))
        jy = R * vy * (tf - th)
        most = soil.strength(p)
        if soil.shear == "isotropic":
            j = hypot(jx, jy)
            if j == 0:
                return 0.0, 0.0, 0.0
            f = soil.curve(j / soil.K)
            return most * f * jx / j, -most * f * jy / j, f * jy / j
        fx, fy = soil.curve(abs(jx) / soil.K), soil.curve(abs(jy) / soil.Ky)
        over = max(1, hypot(fx, fy)) if soil.shear == "projected" else 1
        return sign(jx) * most * fx / over, -sign(jy) * most * fy / over, sign(jy) * fy / over

    f = [0.0] * 8

    def add(a, c):
        # x = u^2 (3 - 2u): even where the pressure has an infinite slope
        for i in range(parts):
            for xi, wi in ((0.0, 0.5688888888888889), (0.5384693101056831, 0.4786286704993665),
                           (-0.5384693101056831, 0.4786286704993665), (0.9061798459386640, 0.2369268850561891),
                           (-0.9061798459386640, 0.2369268850561891)):
                u = (i + 0.5 + 0.5 * xi) / parts
                th = a + (c - a) * u * u * (3 - 2 * u)
                w = (c - a) * 6 * u * (1 - u) * 0.5 * wi / parts
                p = sigma(th)
                tx, ty, way = tau(th, p)
                f[0] += w * (tx * (1 if standing else cos(th)) - p * sin(th))
                f[1] += w * (tx * (0 if standing else sin(th)) + p * cos(th))
                jx = R * ((tf - th) * (not standing) - (1 - s - standing) * (sin(tf) - sin(th)))
                f[7] += w * tx / jx * R * (sin(tf) - sin(th)) if jx else 0.0
                f[2] += w * ty
                if soil.wall:
                    z = R * (cos(th) - cos(tf))
                    f[2] -= w * way * soil.wall(z) * (1 - z * cos(th) / R) / b
                f[3] += w * tx
                f[5] -= w * ty * (1 - cos(th))
                f[6] += w * ty * sin(th)
                f[4] += w * soil.strength(p)

    knots = [tr, 0.0, tm, tf]
    if pressed and h > pressed:
        y = acos(max(-1, min(1, 1 - (h - pressed) / R)))
        knots += [y, tm - (tm - tr) * (y - tm) / (tf - tm)]
    knots = sorted(set(knots))
    for a, c in zip(knots, knots[1:]):
        if c > a:
            add(a, c)
    return dict(fx=b * R * f[0], fz=b * R * f[1], fy=b * R * f[2], torque=b * R * R * f[3], most=b * R * f[4],
                mx=b * R * R * f[5], mz=b * R * R * f[6], gain=b * R * f[7], top=front(tm), arc=R * tf)


def steady(soil, load, R, b, s, beta=0.0):
    h = bisect(lambda z: under(soil, z, R, b, s, beta, parts=40)["fz"] - load, 1e-5, 0.9 * R)
    low, high = h - 1e-4 * h, h + 1e-4 * h
    for _ in range(30):  # the last digits, with finer sums
        h = 0.5 * (low + high)
        if under(soil, h, R, b, s, beta)["fz"] < load:
            low = h
        else:
            high = h
    return h, under(soil, h, R, b, s, beta)


def bekker_cases():
    rover = dict(radius=0.09, width=0.11, load=64.68)
    lunar = dict(PLAIN, preset="lunar_simulant")
    six = "2 x 64 Gauss points, six digits: "
    for s, mm, fx, torque in ((0, 23.5794, -15.9558, .644579), (.1, 23.6401, -12.2763, .981799), (.2, 23.7341, -9.1132, 1.275805),
                              (.4, 24.0150, -4.0378, 1.759815), (.6, 24.4134, -.2637, 2.136866), (.8, 24.9282, 2.5247, 2.434462)):
        case("soil", "bekker_rover_%g" % s, "soil", "bekker", lunar, dict(rover, slip=s),
             dict(sinkage=mm / 1e3, pull=fx, torque=torque), six + WONG + "; wheel of Ishigami 2007", 2e-4 if s == .6 else 3e-5)
    for s, mm, fx, torque in ((.2, 15.5711, 10.0574, 1.47168), (.6, 16.5270, 23.9570, 2.86241)):
        case("soil", "bekker_rover_exit_%g" % s, "soil", "bekker", dict(lunar, exit_ratio=0.9), dict(rover, slip=s),
             dict(sinkage=mm / 1e3, pull=fx, torque=torque), six + WONG, 2e-5)
    case("soil", "bekker_rover_angle", "soil", "bekker", dict(lunar, exit_ratio=0.9), dict(rover, slip=.5, angle=5),
         dict(sinkage=16.29457e-3, pull=19.51572, lateral=-7.82199, torque=2.425120),
         six + "Ishigami 2007, K by the slip angle", 2e-5)
    for s, mm, pull, torque in ((0, 95.477, .00964, .27233), (.05, 95.414, .07022, .33382), (.1, 95.590, .11024, .37559),
                                (.2, 96.444, .15446, .42496), (.3, 97.773, .17319, .45033), (.5, 101.453, .17893, .47228),
                                (.8, 109.292, .15855, .48223)):
        case("soil", "bekker_truck_%g" % s, "soil", "bekker", dict(PLAIN, preset="dry_sand"), dict(slip=s),
             dict(sinkage=mm / 1e3, pull=pull * 6500, torque=torque * 6500 * 0.47), "five digits: " + WONG, 1e-3 if s == 0 else 1e-4)
    case("soil", "bekker_truck_angle", "soil", "bekker", dict(PLAIN, preset="dry_sand"), dict(slip=.2, angle=10),
         dict(lateral=-2007.58, pull=1003.98), six + WONG, 2e-5)
    for name, kt, delta, mm, fx in (("dry_sand", 200e3, 32.500, 66.497, 2174.39), ("dry_sand", 411e3, 15.815, 74.829, 1852.33),
                                    ("lete_sand", 411e3, 15.815, 7.937, 3247.72), ("clayey_soil_38", 411e3, 15.815, 17.029, 1300.76)):
        case("soil", "bekker_soft_%s_%d" % (name, kt / 1e3), "soil", "bekker", dict(PLAIN, preset=name), dict(slip=.2, stiffness=kt),
             dict(sinkage=mm / 1e3, deflection=delta / 1e3, pull=fx), "larger circle of a soft tyre (Madsen et al., eq 22)", 1e-4)
    # each named soil by its table
    for name in TABLE:
        R, b, load, s = 0.47, 0.3175, 6500.0, 0.2
        if name.startswith("snow") or name in ("sandy_loam_22", "lunar_nominal"):
            load = 1000.0
        h, f = steady(Soil.named(name, b), load, R, b, s)
        case("soil", "preset_" + name, "soil", "bekker", dict(PLAIN, preset=name), dict(slip=s, load=load),
             dict(sinkage=h, pull=f["fx"], torque=f["torque"]), "Wong, table 2.3, by the textbook integrals", 2e-5)
    # Mars, in the form of Reece
    for name, n0, n1, kc, kp, c, phi, K, a0, a1, g in (("mars_soft", 1.4, .354, 212.2, 677.5, 600., 35, .0146, .365, .503, 1550 * 3.71),
                                                       ("mars_dune", 1.4, .45, 9.1, 500.8, 200., 30, .029, .33, .11, 1650 * 3.71)):
        b, R, load, s = 0.16, 0.13, 100.0, 0.3
        n = n0 + n1 * s
        soil = Soil(n, (c * kc + round(g, -1) * b * kp) / b ** n, c, phi, K, a0, a1)
        h, f = steady(soil, load, R, b, s)
        case("soil", "preset_" + name, "soil", "bekker", dict(PLAIN, preset=name), dict(radius=R, width=b, load=load, slip=s),
             dict(sinkage=h, pull=f["fx"], torque=f["torque"]), "Reece 1965; n = n_0 + n_1 s", 3e-4)
    # closed forms at a given sinkage
    bare = dict(PLAIN, preset="user", exponent=1, k_phi=1e6, k_c=0, cohesion=0, friction_angle=0, peak_angle=0,
                peak_angle_slip=0)
    del bare["preset"]
    h, R, b = 0.04, 0.3, 0.2
    tf = acos(1 - h / R)
    case("soil", "bekker_compaction_n1", "sink", "bekker", bare, {}, dict(load=809.5097140, resistance=160.0, torque=0, side=0),
         "b k R^2 (a - sin a cos a)/2, b k h^2/2", 1e-7)
    case("soil", "bekker_compaction_n07", "sink", "bekker", dict(bare, exponent=0.7), {}, dict(resistance=494.405),
         "b k h^(n+1)/(n+1), six digits", 2e-6)
    case("soil", "bekker_k_c", "sink", "bekker", dict(bare, k_phi=4e5, k_c=1.2e5), {}, dict(load=809.5097140),
         "k = k_c/b + k_phi", 1e-7)
    cohesive = dict(bare, cohesion=2000, shear_deformation_modulus=1e-6)
    whole = integrate(lambda t: 1e6 * R * (cos(t) - cos(tf)) * cos(t) + 2000 * sin(t), 0, tf, 400) * b * R
    case("soil", "bekker_cohesion", "sink", "bekker", cohesive, dict(slip_x=0.5),
         dict(load=whole, torque=b * R * 2000 * tf, peak=b * R * 2000 * tf, net=b * R * 2000 * sin(tf) - 160),
         "b R c a, b R c sin a - b k h^2/2", 3e-5)
    # shear curves, directions, strength
    def at_depth(name, soil, settings, at, source, tol=3e-6, keys=("load", "torque", "net", "side"), **wheel):
        f = under(soil, h, R, b, at.get("slip_x", 0.0), wheel.get("beta", 0.0), wheel.get("pressed", 0.0))
        got = dict(load=f["fz"], torque=f["torque"] / R, net=f["fx"], side=f["fy"], peak=f["most"], overturning=f["mx"],
                   aligning=f["mz"])
        s = at.get("slip_x", 0.0)
        row = dict(at)
        if wheel.get("beta"):
            row["slip_y"] = (1 - s) * tan(wheel["beta"] * DEG)
        if wheel.get("pressed"):
            row["pressed"] = wheel["pressed"]
        case("soil", name, "sink", "bekker", settings, row, {k: got[k] for k in keys}, source, tol)

    shear = dict(bare, cohesion=1500, friction_angle=25 * DEG, shear_deformation_modulus=0.015, peak_angle=0.3, peak_angle_slip=0.2)
    own = dict(c=1500.0, phi=25, K=0.015, a0=0.3, a1=0.2)
    for s in (0.0, 0.15, 0.6):
        at_depth("bekker_shear_%g" % s, Soil(1, 1e6, **own), shear, dict(slip_x=s), WONG, keys=("load", "torque", "net", "peak"))
    at_depth("bekker_isotropic", Soil(1, 1e6, shear="isotropic", **own), dict(shear, shear="isotropic"), dict(slip_x=0.3),
             WONG + ", along the slip", keys=("load", "torque", "net", "side", "overturning", "aligning"), beta=8)
    damped = 1e5 * b * R * tf * 0.1
    case("soil", "bekker_damping", "sink", "bekker", dict(bare, damping=1e5), dict(sinkage=0.0399, rate=0.1, k=1e12, load=1e8),
         dict(load=809.5097140 + damped, damping=0), "c A z' while it sinks, A = b R a", 1e-5)
    at_depth("bekker_projected", Soil(1, 1e6, shear="projected", Ky=0.02, **own),
             dict(shear, shear="projected", shear_deformation_modulus_y=0.02), dict(slip_x=0.3), WONG + ", within the strength", 3e-4,
             ("load", "torque", "side"), beta=20)
    at_depth("bekker_separate", Soil(1, 1e6, Ky=0.02, **own), dict(shear, shear_deformation_modulus_y=0.02), dict(slip_x=0.3),
             WONG, beta=20)
    kr = 0.6
    hump = lambda x: kr * (1 + (1 / (kr * (1 - exp(-1))) - 1) * exp(1 - x)) * (1 - exp(-x))
    at_depth("bekker_hump", Soil(1, 1e6, curve=hump, **own), dict(shear, shear_curve="hump", residual=kr), dict(slip_x=0.2),
             "Wong's curve with a peak at K", keys=("load", "torque", "net"))
    rubber = (0.7, 0.4 * 1500, tan(0.8 * 25 * DEG), 0.9)
    at_depth("bekker_rubber", Soil(1, 1e6, rubber=rubber, **own),
             dict(shear, rubber_share=0.7, adhesion_ratio=0.4, adhesion_angle_ratio=0.8), dict(slip_x=0.3),
             "soil over soil between lugs, the weakest under them", 3e-4, ("load", "torque", "peak"))
    at_depth("bekker_rubber_dry", Soil(1, 1e6, rubber=(1.0, 5000., tan(35 * DEG), 0.3), **own),
             dict(shear, rubber_share=1, adhesion_ratio=5000 / 1500., adhesion_angle_ratio=1.4, rubber_friction=0.3), dict(slip_x=0.5),
             "rubber's own friction is least", 3e-4, ("load", "torque", "peak"))
    lyasko = lambda s: (1 - 0.5 * s) / (1 + s)
    for s in (0.1, 0.5):
        at_depth("bekker_lyasko_%g" % s, Soil(1, 1e6, counts=lyasko, **own), dict(shear, slip_sinkage="lyasko"), dict(slip_x=s),
                 "Lyasko, z/z_0 = (1 + s)/(1 - s/2)", keys=("load", "torque", "net"))
    d0 = 45 - 15.0
    cot = 1 / tan(d0 * DEG)
    d1 = cot + tan((d0 + 30) * DEG)
    d2 = cot + cot * cot * tan(30 * DEG)
    dozer = dict(bare, cohesion=800, friction_angle=30 * DEG, unit_weight=16e3, shear_deformation_modulus=1e-5, bulldozing="both")
    wall = lambda z: d1 * (800 * z + 0.5 * d2 * 16e3 * z * z)
    f = under(Soil(1, 1e6, 800., 30, 1e-5, wall=wall), h, R, b, 0.2, 15)
    # passive pressure of Rankine on the face in front, K_p = tan(45 deg + phi/2)^2
    passive = tan(60 * DEG) ** 2
    push = b * (0.5 * passive * 16e3 * h * h + 2 * 800 * sqrt(passive) * h)
    case("soil", "bekker_bulldozing", "sink", "bekker", dozer, dict(slip_x=0.2, slip_y=0.8 * tan(15 * DEG)),
         dict(load=f["fz"], side=f["fy"], net=f["fx"] - push), "Hegedus 1960 at the side, Rankine in front", 2e-4)
    # what springs back: k_u = k_0 + A_u z, at most a part of the sinkage
    for name, k0, au, most in (("stiff", 30e6, 0.0, 1.0), ("wong", 0.0, 503e6, 1.0), ("part", 1e6, 0.0, 0.08)):
        ze = min(1e6 * h / (k0 + au * h), most * h)
        soil = Soil(1, 1e6, exit=lambda z: min(1e6 * z / (k0 + au * z), most * z), line=True)
        settings = dict(bare, rebound="stiffness", rebound_stiffness=k0, rebound_gradient=au, largest_rebound=most)
        f = under(soil, h, R, b, 0)
        case("soil", "bekker_rebound_" + name, "sink", "bekker", settings, {}, dict(rut=h - ze, pressed=h),
             "Wong: rut z - p/(k_0 + A_u z)", 1e-6)
    # the largest pressure next to the front edge; at this exponent a series of powers takes all of its terms
    at_depth("bekker_foremost", Soil(0.4, 1e6, a0=0.9), dict(bare, exponent=0.4, peak_angle=0.9), {}, WONG + ", k z^n with n below 1", 1.5e-7,
             ("load", "net"))
    # a wheel in the rut of another
    soil = Soil(1, 1e6, exit=lambda z: 0.2 * z)
    f = under(soil, h, R, b, 0, 0, 0.03)
    case("soil", "bekker_second_pass", "sink", "bekker", dict(bare, exit_ratio=0.2), dict(pressed=0.03),
         dict(load=f["fz"], net=f["fx"], rut=0.8 * h), "reload line, then the virgin curve (Wong)", 3e-4)
    case("soil", "bekker_exit", "sink", "bekker", dict(bare, exit_ratio=0.2), {},
         (lambda f: dict(load=f["fz"], net=f["fx"], rut=0.8 * h))(under(soil, h, R, b, 0)), WONG, 1e-6)
    case("soil", "bekker_exponent_slip", "sink", "bekker", dict(bare, exponent_slip=0.4), dict(slip_x=0.5),
         dict(resistance=b * 1e6 * h ** 2.2 / 2.2), "b k h^(n+1)/(n+1), n = n_0 + n_1 s", 3e-5)


# ---- forms that were printed, plates, soil of a place ------------------------------------------------

def printed_cases():
    mavs = "as MAVS prints it: "
    both = lambda s: s / (1 - abs(s))
    slip, side = dict(slip="two_branches"), dict(lateral="crolla_longitudinal")
    c = SURFACES["wet"]
    px = scan_peak(lambda s: magic(c, s))
    for s in (0.03, -0.02, 0.3, -0.4):
        case("soil", "hard_branches_%g" % s, "traction", "magic_formula", dict(slip, surface="wet"), dict(slip_x=s),
             dict(mu_x=sign(s) * magic(c, abs(both(s))), rho=abs(both(s)) / px), mavs + "r w/v - 1, 1 - v/(r w)", 3e-6)
    for s, y in ((0.05, 0.1), (-0.2, -0.3)):
        along = sign(s) * magic(c, abs(s))
        case("soil", "hard_longitudinal_%g" % s, "traction", "magic_formula", dict(side, surface="wet"), dict(slip_x=s, slip_y=y),
             dict(mu_x=along, mu_y=-sign(y) * abs(along) * crolla(abs(y), 0.09), secant_x=abs(along / s),
                  secant_y=abs(along / y) * crolla(abs(y), 0.09)), mavs + "|F_x| (1 - exp(-|a|/g))", 3e-6)
    user = dict(surface="user", b=8, c=1.7, d=0.7, e=0.5, b_y=9, c_y=1.5, d_y=0.6, e_y=-0.5, lateral="magic_formula",
                horizontal_shift=0.01, vertical_shift=0.05, horizontal_shift_y=-0.02, vertical_shift_y=0.03, variant="as_published")
    mx, my = (8, 1.7, 0.7, 0.5), (9, 1.5, 0.6, -0.5)
    for s, y in ((0.1, 0.05), (-0.04, -0.3), (0.02, -0.1), (-0.3, 0.04)):
        fx = sign(s) * magic(mx, abs(s) + sign(s) * 0.01) + 0.05
        fy = -(sign(y) * magic(my, abs(y) - sign(y) * 0.02) + 0.03)
        case("soil", "hard_published_%g" % s, "traction", "magic_formula", user, dict(slip_x=s, slip_y=y), dict(mu_x=fx, mu_y=fy),
             mavs + "shifts in full, each direction alone", 3e-6)
    tyre = dict(load=6500.0, deflection=0.03, diameter=0.94, width=0.3175, section=0.2604)
    n, b, d, h, delta = 6500.0, 0.3175, 0.94, 0.2604, 0.03

    def clay(ci, s):
        nc = ci * b * d / (n * (1 - delta / h) ** 1.5 * (1 + b / d) ** 0.75)
        sp, r = 21 / nc ** 2.5 + 0.005, 12 / nc ** 2 + 0.007
        return min(0.9, r * s / sp if s < sp else 0.5 * log10(s / sp) * (1 + b / d) ** 0.25 + r)

    def sand(ci, s):
        ns = ci / 0.088138 * (b * d) ** 1.5 * delta / (n * h)
        return 0.66 - 0.66 * (4.71 + 1.72 / s) / (ns + 10 + 4.71 + 1.72 / s)

    for kind, law in (("clay", clay), ("sand", sand)):
        for s, y in ((0.2, 0.1), (-0.3, -0.2)):
            along = sign(s) * law(500e3, abs(s))
            case("soil", "%s_longitudinal_%g" % (kind, s), "traction", kind, dict(side, cone_index=500e3), dict(tyre, slip_x=s, slip_y=y),
                 dict(mu_x=along, mu_y=-sign(y) * abs(along) * crolla(abs(y), 0.09)), mavs + "|F_x| (1 - exp(-|a|/g))", 1e-5)
        for s in (0.2, -0.3):
            case("soil", "%s_branches_%g" % (kind, s), "traction", kind, dict(slip, cone_index=500e3), dict(tyre, slip_x=s),
                 dict(mu_x=sign(s) * law(500e3, min(abs(both(s)), 1))), mavs + "r w/v - 1, 1 - v/(r w)", 1e-5)
    for s in (0.2, 0.5):
        u = both(s)
        nc = 500e3 * b * d / (n * (1 - delta / h) ** 1.5 * (1 + b / d) ** 0.75)
        sp, r = 21 / nc ** 2.5, 12 / nc ** 2 + 0.007
        case("soil", "clay_published_%g" % s, "traction", "clay", dict(slip, cone_index=500e3, variant="as_published"), dict(tyre, slip_x=s),
             (lambda net: dict(mu_x=net, resistance=0, secant_x=net / s))(0.5 * log10(u / sp) * (1 + b / d) ** 0.25 - r), mavs + "net of gross twice, both branches of slip", 1e-5)


def janosi(kc, kp, n):
    """Mean over 15 cm of the force on a cone of 15 deg over its area, of rings (k_c/2r + k_phi) z^n."""
    tip, area, sine = 0.0381, 3.2258e-4, sin(15 * DEG)
    def force(at):
        low = max(at - tip, 0.0)
        ring = lambda z: z ** n * (pi * kc * sine + 2 * pi * kp * sine * sine * (at - z))
        return integrate(ring, low, at, 40)
    return integrate(force, tip, tip + 0.15, 60) / (0.15 * area)


def plate_cases():
    n, kc, kp, c, phi, gamma = 0.8, 30e3, 900e3, 1800.0, 28 * DEG, 16e3
    k0, au, b = 5e6, 200e6, 0.25
    soil = dict(exponent=n, k_c=kc, k_phi=kp, cohesion=c, friction_angle=phi, unit_weight=gamma, rebound_stiffness=k0,
                rebound_gradient=au, largest_rebound=1, adhesion_ratio=0.4, adhesion_angle_ratio=0.8)
    k = kc / b + kp
    strength = dict(cohesion=c, tan_phi=tan(phi), adhesion=0.4 * c, tan_delta=tan(0.8 * phi))
    for z in (0.01, 0.06):
        p = k * z ** n
        case("soil", "plate_%g" % z, "plate", "bekker", soil, dict(depth=z, side=b),
             dict(strength, pressure=p, stiffness=n * p / z, rut=z - p / (k0 + au * z), front_cohesion=0, front_weight=0),
             "Bekker 1969; Wong: rut z - p/(k_0 + A_u z)", 1e-9)
        case("soil", "plate_work_%g" % z, "plate", "bekker", soil, dict(depth=z, side=b), dict(work=p * z / (n + 1)), "k z^(n+1)/(n+1)", 1e-9)
    passive = tan(45 * DEG + phi / 2)
    case("soil", "plate_front", "plate", "bekker", dict(soil, bulldozing="front"), dict(depth=0.05, side=b),
         dict(front_cohesion=2 * c * passive, front_weight=0.5 * gamma * passive ** 2), "Rankine: gamma z^2 K_p/2 + 2 c z sqrt K_p", 1e-9)
    reece = dict(soil, k_c=0, k_phi=0, reece_c=60, reece_phi=900)
    case("soil", "plate_reece", "plate", "bekker", reece, dict(depth=0.05, side=b),
         dict(pressure=(c * 60 + gamma * b * 900) * (0.05 / b) ** n), "Reece 1965: (c k_c + gamma b k_phi) (z/b)^n", 1e-9)
    zu, z = 0.06, 0.055
    p, springs = k * zu ** n, k * zu ** n / (k0 + au * zu)
    case("soil", "plate_again", "plate", "bekker", soil, dict(depth=z, side=b, pressed=zu),
         dict(pressure=p * (1 - (zu - z) / springs), rut=zu - springs), "Wong: back along p - k_u (z_u - z)", 1e-9)
    case("soil", "plate_again_slope", "plate", "bekker", soil, dict(depth=z, side=b, pressed=zu), dict(stiffness=k0 + au * zu),
         "k_u = k_0 + A_u z_u", 1e-9)
    case("soil", "plate_above", "plate", "bekker", soil, dict(depth=zu - 1.5 * springs, side=b, pressed=zu), dict(pressure=0, stiffness=0),
         "not above where the soil sprang back to", 1e-12)
    # other curves: snow of two layers, peat, thaw
    snow = dict(soil, curve="limited", layer_stiffness=40e3, layer_depth=0.3)
    u = 0.12 / 0.3
    case("soil", "plate_snow", "plate", "bekker", snow, dict(depth=0.12, side=b),
         dict(pressure=-12e3 * log(1 - u)), "Wong 1983: k_m z_m (-ln(1 - z/z_m))", 1e-9)
    case("soil", "plate_snow_slope", "plate", "bekker", snow, dict(depth=0.12, side=b), dict(stiffness=40e3 / (1 - u)), "its slope", 1e-4)
    peat = dict(soil, curve="mat", mat_stiffness=290e3, mat_strength=51e3, mat_limit=0)
    case("soil", "plate_peat", "plate", "bekker", peat, dict(depth=0.1, side=b),
         dict(pressure=290e3 * 0.1 + 4 * 51e3 * 0.01 / b), "Wong 1979: k_p z + 4 m_m z^2/D_h, D_h the side of a square", 1e-9)
    whole = 290e3 * 0.1 + 4 * 51e3 * 0.01 / b
    case("soil", "plate_peat_broken", "plate", "bekker", dict(peat, mat_limit=0.9 * whole), dict(depth=0.1, side=b),
         dict(pressure=29e3), "beyond its strength without the mat", 1e-9)
    case("soil", "plate_peat_place", "plate", "bekker", dict(peat, mat_limit=1.2 * whole),
         dict(depth=0.1, side=b, strength=2 * (janosi(0, 290e3, 1) + janosi(4 * 51e3, 0, 2))),
         dict(pressure=2 * whole), "twice the cone index: twice the strength", 1e-7)
    # soil of a place
    own = janosi(kc, kp, n)
    firm = "Janosi: pressures go with the cone index of the curve"
    case("soil", "plate_place", "plate", "bekker", soil, dict(depth=0.05, side=b, strength=0.7 * own),
         dict(pressure=0.7 * k * 0.05 ** n), firm, 1e-7)
    case("soil", "plate_place_strength", "plate", "bekker", soil, dict(depth=0.05, side=b, strength=1.6 * own),
         dict(cohesion=1.6 * c, adhesion=0.64 * c), firm + ", and cohesion", 1e-7)
    wet = dict(soil, reference_moisture=0.15, moisture_exponent=2.4)
    case("soil", "plate_moisture", "plate", "bekker", wet, dict(depth=0.05, side=b, moisture=0.22),
         dict(pressure=k * 0.05 ** n * (0.22 / 0.15) ** -2.4, cohesion=c * (0.22 / 0.15) ** -2.4), "(w/w_0)^-b", 1e-9)
    case("soil", "plate_moisture_known", "plate", "bekker", wet, dict(depth=0.05, side=b, moisture=0.22, strength=0.7 * own),
         dict(pressure=0.7 * k * 0.05 ** n), "cone index counts before moisture", 1e-7)
    frozen = dict(soil, curve="frozen", frost_depth=0.1)
    case("soil", "plate_thaw", "plate", "bekker", frozen, dict(depth=0.06, side=b, soft_depth=0.055),
         dict(pressure=k * 0.055 ** n + 1e8 * 0.005), "the curve to the frost, 0.1 GN/m3 below", 1e-9)


def place_cases():
    """Wheels of passes, on soil of a place, with printed circles, turned."""
    h, R, b = 0.04, 0.3, 0.2
    bare = dict(PLAIN, exponent=1, k_phi=1e6, k_c=0, cohesion=0, friction_angle=0, peak_angle=0, peak_angle_slip=0)
    shear = dict(bare, cohesion=1500, friction_angle=25 * DEG, shear_deformation_modulus=0.015, peak_angle=0.3, peak_angle_slip=0.2)
    own = dict(phi=25, K=0.015, a0=0.3, a1=0.2)

    def at_depth(name, soil, settings, at, source, keys=("load", "torque", "net"), tol=3e-6, beta=0.0):
        s = at.get("slip_x", 0.0)
        f = under(soil, h, R, b, s, beta)
        got = dict(load=f["fz"], torque=f["torque"] / R, net=f["fx"], side=f["fy"], peak=f["most"])
        if beta:
            at = dict(at, slip_y=(1 - s) * tan(beta * DEG))
        case("soil", name, "sink", "bekker", settings, at, {k: got[k] for k in keys}, source, tol)

    firm = "X (1 + (1 - exp(-s/k_1)) k_2 + k_3 n), Senatore and Sandu 2011"
    for passes, slip in ((2, 0.0), (1, 0.15)):
        more = 1 + (1 - exp(-slip / 0.1178)) * 0.5 + 0.1 * passes
        at_depth("bekker_passes_%d" % passes, Soil(1, 1e6, c=1500 * more, **own), dict(shear, pass_gain=0.1, pass_slip_gain=0.5),
                 dict(slip_x=0.2, passes=passes, pass_slip=slip), firm)
    ci = janosi(0, 1e6, 1)
    at_depth("bekker_place", Soil(1, 0.6e6, c=0.6 * 1500, **own), shear, dict(slip_x=0.2, strength=0.6 * ci),
             "Janosi: pressures and cohesion go with the cone index", tol=1e-5)
    at_depth("bekker_moisture", Soil(1, 1e6 * 1.4 ** -2.955, c=1500 * 1.4 ** -2.955, **own), dict(shear, reference_moisture=0.1),
             dict(slip_x=0.2, moisture=0.14), "(w/w_0)^-b", tol=1e-5)
    kb = 20.0 * 1500 + 700 * 15e3 * b
    at_depth("bekker_reece", Soil(1, kb / b, c=1500, **own), dict(shear, k_phi=0, reece_c=20, reece_phi=700), dict(slip_x=0.2),
             "Reece 1965")
    # K grows with the slip angle (Ishigami 2007)
    turn = 12 * DEG
    at_depth("bekker_turned", Soil(1, 1e6, c=1500, Ky=0.015 + 0.03 * turn, phi=25, K=0.015 + 0.02 * turn, a0=0.3, a1=0.2),
             dict(shear, shear_angle=0.02, shear_angle_y=0.03), dict(slip_x=0.3), "Ishigami 2007: K_x, K_y by the slip angle",
             keys=("load", "torque", "side"), beta=12)
    # a soft tyre as a larger circle, R (sqrt(1 + d/z) + sqrt(d/z))^2: the soil's part of the depth has the tyre's load
    z, d = 0.04, 0.015
    R2 = R * (sqrt(1 + d / z) + sqrt(d / z)) ** 2
    f = under(Soil(1, 1e6), z, R2, b, 0.0)
    case("soil", "bekker_circle", "sink", "bekker", dict(bare, circle="approximate"),
         dict(depth=z + d, sinkage=z, k=1e9, load=f["fz"]), dict(load=f["fz"], sinkage=z), "Schmid 1995, eq 23 of ROAMS", 1e-4)


# ---- drives --------------------------------------------------------------------------------------

def drive_cases():
    d = "drive"
    case(d, "open_shares", "drive", "open", dict(front_rear_split=0.3, front_left_right_split=0.6, rear_left_right_split=0.45),
         dict(demand=1000), dict(fl=180, fr=120, rl=315, rr=385), "K_f K_fl, K_f (1 - K_fl), ...; MVSim", 1e-12)
    for driven, g in (("rear", dict(fl=0, fr=0, rl=500, rr=500)), ("front", dict(fl=500, fr=500, rl=0, rr=0))):
        case(d, "open_" + driven, "drive", "open", dict(driven=driven), dict(demand=1000), g, "shares of a half", 1e-12)

    def torsen(w1, w2, bias, split):
        a, b = abs(w1), abs(w2)
        if min(a, b) == 0:
            return split
        m = max(max(a, b) - bias * min(a, b), 0) / max(a, b)
        dt = -m if a > b else m
        f1, f2 = split * (1 + dt), (1 - split) * (1 - dt)
        return f1 / (f1 + f2)
    case(d, "torsen_published", "drive", "torsen", dict(driven="rear"), dict(demand=1000, rl=20, rr=10),
         dict(rl=375, rr=625), "MVSim: (20, 10), b 1.5 gives 0.375, 0.625", 1e-12)
    case(d, "torsen_published_2", "drive", "torsen", dict(driven="rear"), dict(demand=1000, rl=30, rr=10),
         dict(rl=250, rr=750), "MVSim: (30, 10) gives 0.25, 0.75", 1e-12)
    w = dict(fl=30, fr=12, rl=9, rr=14)
    ctr = torsen(42, 23, 1.2, 0.4)
    left, rear = torsen(30, 12, 1.7, 0.55), torsen(9, 14, 1.3, 0.5)
    case(d, "torsen_all", "drive", "torsen", dict(front_rear_split=0.4, front_rear_bias=1.2, front_left_right_bias=1.7,
         front_left_right_split=0.55, rear_left_right_bias=1.3), dict(demand=2000, **w),
         dict(fl=2000 * ctr * left, fr=2000 * ctr * (1 - left), rl=2000 * (1 - ctr) * rear, rr=2000 * (1 - ctr) * (1 - rear)),
         "MVSim, axles then wheels", 1e-9)

    def biased(t, w1, w2, bias, preload, width, split):
        half = 0.5 * (abs(t) * (bias - 1) / (bias + 1) + preload) * tanh((w1 - w2) / width)
        return split * t - half, (1 - split) * t + half
    f, r = biased(1200, 0.5 * (10 + 9.6), 0.4 * 9 + 0.6 * 9.3, 2.0, 30, 0.5, 0.45)
    fl, fr = biased(f, 10, 9.6, 3.0, 30, 0.5, 0.5)
    rl, rr = biased(r, 9, 9.3, 2.5, 30, 0.5, 0.4)
    case(d, "biasing_all", "drive", "torque_biasing", dict(front_rear_split=0.45, front_rear_bias=2, front_left_right_bias=3,
         preload=30, rear_left_right_split=0.4), dict(demand=1200, fl=10, fr=9.6, rl=9, rr=9.3, inertia=1e6),
         dict(fl=fl, fr=fr, rl=rl, rr=rr), "T (B - 1)/(B + 1) + T_0, tanh(dw/w_s)", 1e-9)
    # light wheels: the width within which a step cannot overshoot, (D/2) dt (1/J1 + 1/J2)
    def light(t, w1, w2, bias, mobility, split):
        half = 0.5 * (abs(t) * (bias - 1) / (bias + 1) + 30)
        return biased(t, w1, w2, bias, 30, max(0.5, half * mobility * 0.01), split)
    y = 1 / 0.05
    mine = (0.7 ** 2 + 0.3 ** 2) * y + (0.4 ** 2 + 0.6 ** 2) * y
    f, r = light(1200, 0.7 * 60 + 0.3 * 20, 0.4 * 30 + 0.6 * 50, 2.0, mine, 0.45)
    fl, fr = light(f, 60, 20, 3.0, 2 * y, 0.7)
    rl, rr = light(r, 30, 50, 2.5, 2 * y, 0.4)
    case(d, "biasing_light_all", "drive", "torque_biasing", dict(front_rear_split=0.45, front_rear_bias=2, front_left_right_bias=3,
         preload=30, rear_left_right_split=0.4, front_left_right_split=0.7),
         dict(demand=1200, fl=60, fr=20, rl=30, rr=50, inertia=0.05, dt=0.01),
         dict(fl=fl, fr=fr, rl=rl, rr=rr), "T (B - 1)/(B + 1) + T_0, tanh(dw/w_s), w_s that of a step", 1e-9)
    rl, rr = biased(-800, 9, 8, 2.5, 0, 0.5, 0.5)
    case(d, "biasing_brakes", "drive", "torque_biasing", dict(driven="rear"), dict(demand=-800, rl=9, rr=8, inertia=1e6),
         dict(rl=rl, rr=rr), "the faster wheel is braked more", 1e-9)
    stable = 0.5 * 1000 * 1.5 / 3.5 * (2 / 0.5) * 0.001
    half = 0.5 * 1000 * 1.5 / 3.5 * tanh(0.3 / max(0.5, stable))
    case(d, "biasing_light", "drive", "torque_biasing", dict(driven="rear"), dict(demand=1000, rl=9, rr=8.7, inertia=0.5),
         dict(rl=500 - half, rr=500 + half), "width that a step allows: half mobility dt", 1e-9)

    def locked(q, dw, mobility, dt, k=1e4, c=10.0):
        q += dt * dw
        return q, (k * q + (k * dt + c) * dw) / (1 + dt * mobility * (k * dt + c))
    q, t = locked(0, 0.5, 0.2, 0.001)
    case(d, "locked_rear", "drive", "locked", dict(driven="rear"), dict(demand=100, rl=5.5, rr=5.0),
         dict(rl=50 - t, rr=50 + t), "shaft of stiffness k, damping c, implicit", 1e-9)
    qs = 0.0
    for _ in range(50):
        qs, t = locked(qs, 0.5, 0.2, 0.001)
    case(d, "locked_twist", "drive", "locked", dict(driven="rear"), dict(demand=100, rl=5.5, rr=5.0, steps=50),
         dict(rl=50 - t, rr=50 + t), "the same after 50 steps", 1e-9)
    _, tc = locked(0, 5.2 - 5.05, 0.25 * 0.4, 0.001)
    _, tf = locked(0, 0.2, 0.2, 0.001)
    _, tr = locked(0, -0.1, 0.2, 0.001)
    case(d, "locked_all", "drive", "locked", {}, dict(demand=400, fl=5.3, fr=5.1, rl=5.0, rr=5.1),
         dict(fl=0.5 * (200 - tc) - tf, fr=0.5 * (200 - tc) + tf, rl=0.5 * (200 + tc) - tr, rr=0.5 * (200 + tc) + tr),
         "the same between the axles", 1e-9)
    case(d, "locked_yields", "drive", "locked", dict(driven="rear", limit=100), dict(demand=0, rl=5.05, rr=5.0, steps=2000),
         dict(rl=-100, rr=100), "it yields at its limit, however slowly", 1e-9)
    case(d, "locked_limit", "drive", "locked", dict(driven="rear", limit=100), dict(demand=0, rl=9, rr=0, steps=2000),
         dict(rl=-100, rr=100), "slips above its limit", 1e-12)

    # engine of MAVS: straight line, governor, drag, gears
    def engine(demand, w, gears=(1.0,), fd=3.3, eff=1.0, tmax=583.0, top=150 * pi, band=20.0, drag=0.0, rate=0.0, idle=0.0):
        full = lambda e: max(tmax * (1 - e / top), 0) * max(0, min(1, (top - e) / band))
        best = max((fd * g * eff * full(max(fd * g * w, idle)), -g) for g in gears)
        ratio = -best[1] * fd
        brake = ratio / eff * (drag + rate * ratio * w)
        given = max(-brake, min(best[0], demand))
        burnt = max(given, max(-given - brake, 0))
        return given, burnt / (ratio * eff) * max(ratio * w, idle) / 0.3
    for name, demand, w, extra, more in (("full", 1e5, 20, {}, {}), ("part", 800, 30, {}, {}), ("governor", 1e5, 140, {}, {}),
                                         ("drag", -1e4, 40, dict(drag=40, drag_rate=0.1), dict(drag=40., rate=0.1)),
                                         ("gears", 1e5, 25, dict(gears=[3, 1.8, 1], efficiency=0.9, final_drive=4),
                                          dict(gears=(3., 1.8, 1.), eff=0.9, fd=4.))):
        t, fuel = engine(demand, w, **more)
        case(d, "engine_" + name, "drive", "engine", extra, dict(demand=demand, fl=w, fr=w, rl=w, rr=w),
             dict(sum=t, fl=t / 4, rr=t / 4, power=fuel), "T (1 - w/w_0), governor, drag, best gear", 1e-8)
    curve = dict(curve_speed=[100, 200, 300], curve_torque=[200, 300, 250])
    t = 3.3 * (300 - 50 * (0.3 * 0.01 + (66 * 3.3 - 200) / 100 - 0.003))
    case(d, "engine_curve", "drive", "engine", curve, dict(demand=1e5, fl=66, fr=66, rl=66, rr=66),
         dict(sum=3.3 * (300 - 50 * (66 * 3.3 - 200) / 100)), "straight between the points", 1e-9)
    case(d, "engine_standstill", "drive", "engine", {}, dict(demand=-500), dict(sum=-500, full=583 * 3.3),
         "either way at rest, 3.3 x 583 N m", 1e-9)
    case(d, "engine_mean_speed", "drive", "engine", {}, dict(demand=1e5, fl=10, fr=20, rl=30, rr=40),
         dict(sum=engine(1e5, 25)[0]), "mean of the wheels", 1e-8)

    # DC motor S28-150: V = R i + K w, friction, gear, battery
    def lugre(w, dt, inertia, z, tc=0.128, ts=0.19, ws=1.0, s0=50.0, s1=0.2, s2=0.0, k=1000.0):
        s0, s1, s2 = min(s0, 0.5 * inertia / dt ** 2), min(s1, 0.25 * inertia / dt), min(s2, 0.25 * inertia / dt)
        g = tc + (ts - tc) * exp(-(w / ws) ** 2)
        size = w * tanh(k * w)
        a = s0 * size / g
        end = z * exp(-a * dt) + (w * (1 - exp(-a * dt)) / a if a else w * dt)
        end = max(-ts / s0, min(ts / s0, end))
        return end, s0 * end + s1 / (1 + s1 * size / g) * (end - z) / dt + s2 * w

    def friction(w, steps, dt=0.001, inertia=10.0, **more):
        z = 0.0
        for _ in range(steps):
            z, t = lugre(w, dt, inertia, z, **more)
        return t
    K, R = 0.03757, 0.064
    for name, w, demand, steps, extra in (("steady", 300.0, 0.5, 400, {}), ("slow", 0.2, 0.4, 5, {}), ("limit", 100.0, 1e3, 400, dict(battery_current=1e4)),
                                          ("voltage", 900.0, 1e3, 400, dict(battery_current=1e4)),
                                          ("voltage_back", -900.0, -1e3, 400, dict(battery_current=1e4)), ("plug", 500.0, -1e3, 400, dict(battery_current=1e4, max_current=1e3)), ("against", -500.0, 1e3, 400, dict(battery_current=1e4, max_current=1e3)),
                                          ("viscous", 50.0, 1.0, 400, dict(viscous_friction=0.002, static_friction=0.3, coulomb_friction=0.2, stribeck_speed=5))):
        most = extra.get("max_current", 100)
        i = max(-most, min(most, demand / K))
        i = max((-36 - K * w) / R, min((36 - K * w) / R, i))
        names = dict(viscous_friction="s2", static_friction="ts", coulomb_friction="tc", stribeck_speed="ws")
        t = K * i - friction(w, steps, inertia=10.0, **{names[k]: v for k, v in extra.items() if k in names})
        case(d, "motor_" + name, "drive", "dc_motor", dict(extra, command="wheel", **({} if "battery_current" in extra else dict(battery_current=1e4))),
             dict(demand=demand, demand2=demand, demand3=demand, demand4=demand, fl=w, fr=w, rl=w, rr=w, steps=steps),
             dict(fl=t, rr=t, power=4 * (R * i * i + K * w * i)), "K i, V = R i + K w; LuGre, S28-150", 1e-6)
    i = 60.0
    gear, eff, w = 5.0, 0.8, 20.0
    shaft = K * i - friction(gear * w, 400, inertia=10 / 25.0)
    case(d, "motor_gear", "drive", "dc_motor", dict(command="vehicle", gear=gear, efficiency=eff, battery_current=1e4),
         dict(demand=4 * i * K * gear, fl=w, fr=w, rl=w, rr=w, steps=400),
         dict(fl=gear * shaft * exp(gear * w / sqrt((gear * w) ** 2 + 1) * log(eff)), reflected=25 * 2e-4, momentum=5 * 2e-4),
         "n eta (K i - T_f), n^2 J, n J", 1e-6)
    case(d, "motor_sides", "drive", "dc_motor", dict(battery_current=1e4), dict(demand=1, demand2=-0.5, fl=50, fr=-50, rl=50, rr=-50, steps=400),
         dict(fl=1 - friction(50, 400), fr=-(0.5 - friction(50, 400)), rl=1 - friction(50, 400)), "a demand for each side", 1e-6)
    # 36 V and 80 A for four motors: l^2 sum R i^2 + l sum K w i = V I
    w, i = 100.0, 99.0
    a, b = 4 * R * i * i, 4 * K * w * i
    lam = (-b + sqrt(b * b + 4 * a * 36 * 80)) / (2 * a)
    case(d, "motor_battery", "drive", "dc_motor", dict(command="wheel"),
         dict(demand=i * K, demand2=i * K, demand3=i * K, demand4=i * K, fl=w, fr=w, rl=w, rr=w, steps=400),
         dict(fl=K * lam * i - friction(w, 400), power=2880), "VirtualBotz 3D: all currents by one factor, 36 V x 80 A", 1e-6)
    rb = 0.05
    cur = min(80.0, 0.5 * 36 / rb)
    most = cur * (36 - rb * cur)
    lam = (-b + sqrt(b * b + 4 * a * most)) / (2 * a)
    case(d, "motor_battery_sag", "drive", "dc_motor", dict(command="wheel", battery_resistance=rb),
         dict(demand=i * K, demand2=i * K, demand3=i * K, demand4=i * K, fl=w, fr=w, rl=w, rr=w, steps=400),
         dict(power=most), "I (V - R I)", 1e-6)
    case(d, "motor_brakes", "drive", "dc_motor", dict(command="wheel", charging_current=10, battery_current=1e4),
         dict(demand=-2, demand2=-2, demand3=-2, demand4=-2, fl=300, fr=300, rl=300, rr=300, steps=400),
         dict(power=max(-360, 4 * (R * (2 / K) ** 2 - 300 * 2)), fl=-2 - friction(300, 400)), "charged by at most V I", 1e-6)
    # motors whose torque falls from T to 0 at w0; by default they pull with the weight, to 10 m/s
    motors = dict(max_torque=200, no_load_speed=40, voltage=48, driven="all")
    case(d, "direct_limits", "drive", "direct", motors, dict(demand=500, demand2=-60, fl=10, fr=12, rl=-8, rr=50),
         dict(fl=150, fr=-60, rl=200, rr=-60, low=-200, high=200, low2=-200, high2=140, gain_fl=0, gain2_rr=1,
              current_fl=150 * 40 / 48., current_rr=-60 * 40 / 48.), "T (1 - w/w_0), I = T w_0/U", 1e-9)
    case(d, "direct_default", "drive", "direct", dict(driven="rear"), dict(demand=1e6, demand2=100, rl=5, rr=5),
         dict(fl=0, rl=2000 * 9.80665 / 2 * 0.47 * (1 - 5 * 0.47 / 10), rr=100), "weight, 10 m/s", 1e-9)
    case(d, "direct_front", "drive", "direct", dict(max_torque=0), dict(demand=70, demand2=-30), dict(fl=70, fr=-30, rl=0, rr=0, gain_fl=1),
         "without limit; front wheels of a vehicle that steers", 1e-12)
    case(d, "direct_steep", "drive", "direct", dict(max_torque=200, no_load_speed=10, driven="rear"),
         dict(demand=1e3, demand2=1e3, rl=9.9, rr=5, inertia=0.01, dt=0.001), dict(rl=0.01 / 0.001 * 0.1, rr=50),
         "no faster in a step than to w_0: J/dt", 1e-9)
    case(d, "gain_open", "drive", "open", dict(front_rear_split=0.3, front_left_right_split=0.6), dict(demand=10),
         dict(gain_fl=0.18, gain_rr=0.35), "shares", 1e-12)
    case(d, "gain_torsen", "drive", "torsen", dict(driven="rear"), dict(demand=1000, rl=20, rr=10), dict(gain_rr=0.625), "as its torque", 1e-12)
    case(d, "gain_biasing", "drive", "torque_biasing", dict(front_rear_split=0.4, rear_left_right_split=0.3), dict(demand=10),
         dict(gain_fl=0.2, gain_rr=0.42), "open without demand", 1e-12)
    case(d, "gain_motor", "drive", "dc_motor", dict(battery_current=1e4), dict(demand=1, demand2=9, fl=10, fr=10, rl=10, rr=10),
         dict(gain_fl=1, gain2_fl=0, gain2_rr=0), "0 beyond 100 A", 1e-12)
    i = 0.5 / K
    case(d, "motor_tells", "drive", "dc_motor", dict(command="wheel", battery_current=1e4, battery_resistance=0.01),
         dict(demand=0.5, demand2=0.5, demand3=0.5, demand4=0.5, fl=100, fr=100, rl=100, rr=100, steps=400),
         dict(current_fl=i, tells0=i, tells4=0.5), "K i", 1e-9)
    powertrain_cases()


CHRONO_FULL = (
    (-10.47197551, 83.7758041, 94.24777961, 104.7197551, 115.1917306, 125.6637061, 136.1356817, 146.6076572, 157.0796327,
     167.5516082, 178.0235837, 188.4955592, 198.9675347, 209.4395102, 219.9114858, 230.3834613, 240.8554368, 251.3274123,
     261.7993878, 282.7433388),
    (300, 382, 490, 579, 650, 706, 746, 774, 789, 793, 788, 774, 754, 728, 697, 664, 628, 593, 558, -400))
CHRONO_DRAG = ((-5.235987756, 0, 5.235987756, 104.7197551, 209.4395102, 314.1592654), (30, 0, -30, -50, -70, -90))
CHRONO_NU = (0, 0.25, 0.5, 0.75, 0.9, 1)
CHRONO_K = (15, 15, 15, 16, 18, 35)
CHRONO_R = (2.0, 1.8, 1.5, 1.15, 1.06, 1.0)


def table(xs, ys, x):
    x = max(xs[0], min(xs[-1], x))
    for i in range(len(xs) - 1):
        if x <= xs[i + 1]:
            return ys[i] + (ys[i + 1] - ys[i]) * (x - xs[i]) / (xs[i + 1] - xs[i])
    return ys[-1]


def converter_balance(turbine, throttle):
    """Engine speed at which throttle and impeller agree; torque of the turbine."""
    def impeller(w):
        nu = turbine / w
        return (w / table(CHRONO_NU, CHRONO_K, nu)) ** 2 * min(1, abs(1 - nu) / 0.02)
    gas = lambda w: table(*CHRONO_DRAG, w) + throttle * max(table(*CHRONO_FULL, w), 0)
    w = bisect(lambda w: impeller(w) - gas(w), max(turbine, 1.0), 300.0)
    return w, impeller(w) * table(CHRONO_NU, CHRONO_R, turbine / w), gas(w)


def powertrain_cases():
    d, chrono = "drive", "numbers of Project Chrono's HMMWV"
    stay = dict(shift_up=[1e5], shift_down=[0])
    for name, wheel, throttle in (("stall", 0.0, 1.0), ("half", 2.0, 0.5), ("pulls", 4.0, 1.0), ("fast", 7.0, 0.8)):
        turbine = wheel * 25.0
        w, t, _ = converter_balance(turbine, throttle)
        full = converter_balance(0.0, 1.0)[1] * 25
        case(d, "powertrain_" + name, "drive", "powertrain", stay,
             dict(throttle=throttle, fl=wheel, fr=wheel, rl=wheel, rr=wheel, steps=6000, dt=0.001),
             dict(sum=25 * t, fl=25 * t / 4, full=full), "engine = impeller (w/K)^2; " + chrono, 1e-4)
    for name, gear, extra in (("rigid", 5, {}), ("low", 5 * 2.61, dict(range="low")),
                              ("hub", 5 * 1.9, dict(hub_reduction=1.9)), ("shares", 5, dict(front_rear_split=0.3, front_left_right_split=0.6))):
        wheel = 160.0 / (gear * 5)
        e = gear * 5 * wheel
        gas = max(table(*CHRONO_FULL, e), 0)
        t = (table(*CHRONO_DRAG, e) + gas) * gear * 5
        got = dict(sum=t)
        if name == "shares":
            got.update(fl=t * 0.18, fr=t * 0.12, rl=t * 0.35)
        full_lock = dict(stay, coupling="rigid", **extra)
        case(d, "powertrain_" + name, "drive", "powertrain", full_lock,
             dict(throttle=1, fl=wheel, fr=wheel, rl=wheel, rr=wheel, steps=50), got,
             "(drag + full torque) x gear x final drive; " + chrono, 1e-6)
    wheel = 6.0
    e = wheel * 25
    t = table(*CHRONO_DRAG, e) * 25
    case(d, "powertrain_drag", "drive", "powertrain", dict(stay, coupling="rigid"),
         dict(throttle=0, fl=wheel, fr=wheel, rl=wheel, rr=wheel, steps=50), dict(sum=t), "drag of the engine; " + chrono, 1e-6)
    case(d, "powertrain_efficiency", "drive", "powertrain", dict(stay, coupling="rigid", efficiency=0.8),
         dict(throttle=1, fl=wheel, fr=wheel, rl=wheel, rr=wheel, steps=50),
         dict(sum=(table(*CHRONO_DRAG, e) + table(*CHRONO_FULL, e)) * 25 * 0.8), "eta in the direction of power", 1e-6)
    case(d, "powertrain_efficiency_back", "drive", "powertrain", dict(stay, coupling="rigid", efficiency=0.8),
         dict(throttle=0, fl=wheel, fr=wheel, rl=wheel, rr=wheel, steps=50), dict(sum=t / 0.8), "1/eta backwards", 1e-6)
    case(d, "powertrain_governor", "drive", "powertrain", dict(stay, coupling="rigid", max_speed=160, governor_band=20),
         dict(throttle=1, fl=wheel, fr=wheel, rl=wheel, rr=wheel, steps=50),
         dict(sum=(table(*CHRONO_DRAG, e) + 0.5 * table(*CHRONO_FULL, e)) * 25), "half way through its band", 1e-6)
    brake = dict(stay, coupling="rigid", full_load="brake", full_speed=[0, 1000], full_torque=[400, 300])
    case(d, "powertrain_brake_torque", "drive", "powertrain", brake,
         dict(throttle=1, fl=wheel, fr=wheel, rl=wheel, rr=wheel, steps=50), dict(sum=(400 - 0.1 * e) * 25), "what the shaft gives", 1e-6)
    case(d, "powertrain_fuel", "drive", "powertrain", dict(stay, coupling="rigid"),
         dict(throttle=1, fl=wheel, fr=wheel, rl=wheel, rr=wheel, steps=50), dict(power=table(*CHRONO_FULL, e) * e / 0.3),
         "indicated power over 0.3; " + chrono, 1e-6)
    # shifts up at 261.8 rad/s, down at 125.7; reverse
    for name, start, end, gear in (("up", 9.0, 11.0, 2.5), ("up_twice", 9.0, 22.0, 1.25), ("stays", 20.0, 10.6, 2.5),
                                   ("down", 20.0, 9.5, 5.0)):
        e = end * 5 * gear
        case(d, "powertrain_shift_" + name, "drive", "powertrain", dict(coupling="rigid"),
             {"throttle": 1, "from": start, "fl": end, "fr": end, "rl": end, "rr": end, "steps": 9000},
             dict(sum=(table(*CHRONO_DRAG, e) + table(*CHRONO_FULL, e)) * 5 * gear),
             "up above 261.8 rad/s, back below 125.7; " + chrono, 1e-5)
    bias = dict(stay, coupling="rigid", rear_differential="torque_biasing", driven="rear", preload=20)
    t = (table(*CHRONO_DRAG, 150) + table(*CHRONO_FULL, 150)) * 25
    half = 0.5 * (t * 1.5 / 3.5 + 20) * tanh(0.4 / 0.5)
    case(d, "powertrain_biasing", "drive", "powertrain", bias, dict(throttle=1, fl=6, fr=6, rl=6.2, rr=5.8, steps=50, inertia=1e6),
         dict(rl=0.5 * t - half, rr=0.5 * t + half), "T (B - 1)/(B + 1) + T_0", 1e-4)


    # light wheels: differences that a step allows to grow, from the mobility of what they turn
    light = dict(stay, coupling="rigid", centre_differential="torque_biasing", rear_differential="torque_biasing", preload=10)
    t = (table(*CHRONO_DRAG, 150) + table(*CHRONO_FULL, 150)) * 25
    casing = 10 / (1 + (0.6 + 25 * 0.5) * 10)
    half = 0.5 * (t * 1.5 / 3.5 + 10)
    moved = half * tanh(0.4 / max(0.5, half * 2 * casing * 0.001))
    front, rear = 0.5 * t - moved, 0.5 * t + moved
    half = 0.5 * (rear * 1.5 / 3.5 + 10)
    side = half * tanh(0.2 / max(0.5, half * 40 * 0.001))
    case(d, "powertrain_biasing_light", "drive", "powertrain", light,
         dict(throttle=1, fl=6.2, fr=6.2, rl=5.9, rr=5.7, inertia=0.05, steps=50),
         dict(fl=0.5 * front, rl=0.5 * rear - side, rr=0.5 * rear + side), "width half mobility dt of tanh", 1e-6)
    # shafts: energy of all that turns with the axles, and what is locked
    w = dict(fl=6.3, fr=6.1, rl=5.7, rr=5.9)
    hub, fd, gear = 1.9, 5.0, 5.0
    w1, w2 = 0.6 * 6.3 + 0.4 * 6.1, 0.5 * (5.7 + 5.9)
    axle = hub ** 2 * (0.6 + fd ** 2 * 0.5)
    wide = (hub * fd) ** 2 * (0.5 + gear ** 2 * 0.3)
    both = dict(stay, front_rear_split=0.3, front_left_right_split=0.6, hub_reduction=hub)
    case(d, "shafts_converter", "drive", "powertrain", both, dict(throttle=0.5, steps=1, **w),
         dict(shafts=0.5 * (axle * (w1 ** 2 + w2 ** 2) + wide * (0.3 * w1 + 0.7 * w2) ** 2), reflected=hub ** 2 * 0.4, momentum=hub * 0.4,
              locked=0), "F w1^2 + R w2^2 + C (f w1 + (1 - f) w2)^2", 1e-6)
    case(d, "shafts_locked", "drive", "powertrain", dict(both, centre_differential="locked", rear_differential="locked"),
         dict(throttle=0.5, steps=1, **w), dict(locked=abs(w1 - w2) + 0.2), "w1 = w2, both rear wheels alike", 1e-6)
    case(d, "shafts_one_axle", "drive", "powertrain", dict(stay, driven="rear"), dict(throttle=0.5, steps=1, **w),
         dict(shafts=0.5 * 5.8 ** 2 * (0.6 + 25 * 0.5 + 25 * (0.5 + 25 * 0.3))), "one axle", 1e-6)
    e = 150.0
    full = table(*CHRONO_DRAG, e) + table(*CHRONO_FULL, e)
    case(d, "powertrain_tells", "drive", "powertrain", dict(stay, coupling="rigid"), dict(throttle=1, fl=6, fr=6, rl=6, rr=6, steps=50),
         dict(tells0=e, tells1=full, tells2=1, tells3=1, tells5=e * full), "speed, torque, throttle, gear, power; " + chrono, 1e-6)
    clutch = dict(stay, coupling="clutch", idle_speed=70, clutch_speed=120, clutch_torque=300)
    case(d, "powertrain_clutch_slips", "drive", "powertrain", clutch, dict(throttle=1, steps=6000), dict(sum=300 * 25),
         "largest torque of the clutch against standing wheels", 1e-4)
    lock = dict(gears=[5], shift_up=[1e5], shift_down=[0], lockup="on")
    wheel = 240.0 / 25
    case(d, "powertrain_lockup", "drive", "powertrain", lock, {"throttle": 0.3, "from": 8.0, "fl": wheel, "fr": wheel, "rl": wheel, "rr": wheel, "steps": 9000},
         dict(sum=(table(*CHRONO_DRAG, 240) + 0.3 * table(*CHRONO_FULL, 240)) * 25, tells4=1), "above 150 rad/s and a ratio of 0.85; " + chrono, 1e-3)


# ---- suspensions ---------------------------------------------------------------------------------

def suspension_cases():
    s = "suspension"
    for name, extra, z, v in (("middle", {}, 0.03, 0.2), ("rebound", dict(rebound_damping=900), -0.05, -0.3),
                              ("bump", dict(stop_stiffness=4e5), 0.3, 0.1), ("droop", {}, -0.4, 0)):
        p = dict(stiffness=30e3, damping=2e3, bump_travel=0.1, rebound_travel=0.12, stop_stiffness=0, rebound_damping=0)
        p.update(extra)
        stop = p["stop_stiffness"] or 10 * p["stiffness"]
        over = max(z - 0.1, 0) + min(z + 0.12, 0)
        c = p["rebound_damping"] if v < 0 and p["rebound_damping"] else p["damping"]
        case(s, "slider_" + name, "suspension", "slider", p, dict(travel=z, rate=v),
             dict(force=5000 + p["stiffness"] * z + stop * over + c * v, stiffness=p["stiffness"] + (stop if over else 0),
                  damping=c, energy=5000 * z + 0.5 * (p["stiffness"] * z * z + stop * over * over), low=-0.12, high=0.1),
             "spring, damper and stops", 1e-10)
    tables = dict(spring=[-0.2, -3000, 0, 0, 0.1, 4000, 0.2, 12000], damper=[-1, -2000, 0, 0, 1, 1000], bump_travel=0.3,
                  rebound_travel=0.3, stop_stiffness=1e5)
    case(s, "slider_tables", "suspension", "slider", tables, dict(travel=0.15, rate=0.4),
         dict(force=5000 + 8000 + 400, stiffness=80e3, damping=1000, energy=750 + 0.5 * 0.1 * 4000 + 0.05 * 6000),
         "straight between the points", 1e-10)
    case(s, "slider_tables_back", "suspension", "slider", tables, dict(travel=-0.1, rate=-0.5),
         dict(force=5000 - 1500 - 1000, stiffness=15e3, damping=2000, energy=-500 + 0.5 * 0.1 * 1500), "straight between the points", 1e-10)
    case(s, "slider_tables_beyond", "suspension", "slider", tables, dict(travel=0.28, rate=1.5),
         dict(force=5000 + 18400 + 1500, stiffness=80e3, damping=1000, energy=1400 + 200 + 800 + 0.08 * 15200), "straight beyond the last points", 1e-10)
    case(s, "slider_tables_before", "suspension", "slider", tables, dict(travel=-0.28, rate=-1.5),
         dict(force=5000 - 4200 - 3000, stiffness=15e3, damping=2000, energy=-1400 + 0.5 * 0.28 * 4200), "straight before the first points", 1e-10)
    for name, extra, z, v in (("middle", {}, 0.04, 0.3), ("stop", {}, 0.12, 0), ("stop_own", dict(stop_stiffness=3e6), 0.13, 0.1),
                              ("pulls_not", {}, 0.01, -1.0), ("limit", dict(force_limit=300), 0.05, 0), ("free", {}, -0.01, 1.0)):
        k, c, travel = 10e3, 500.0, 0.1
        stop = extra.get("stop_stiffness", 100 * k * travel / travel ** 2)
        limit = extra.get("force_limit", 1e30)
        at = max(z, 0)
        inner, over = min(at, travel), max(at - travel, 0)
        f = max(0, min(limit, k * inner + c * v)) if z > 0 else 0
        full = min(inner, limit / k)
        follows = z > 0 and 0 <= k * inner + c * v <= limit
        case(s, "massless_" + name, "suspension", "massless", dict(extra, stiffness=k, damping=c, travel=travel), dict(travel=z, rate=v),
             dict(force=f + stop * over ** 2, stiffness=k * follows + 2 * stop * over, damping=c * follows,
                  energy=0.5 * k * full ** 2 + (limit * (inner - full) if inner > full else 0) + stop * over ** 3 / 3,
                  low=0, high=0.2), "spring, damper, stop k x^2", 1e-10)
    wishbone_cases()


# ---- double wishbone: loops closed by Newton's method, motion by differences ---------------------

def add(a, b, s=1.0):
    return [x + s * y for x, y in zip(a, b)]


def sub(a, b):
    return add(a, b, -1.0)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def scale(a, s):
    return [x * s for x in a]


def unit(a):
    return scale(a, 1 / sqrt(dot(a, a)))


def turn_about(v, axis, angle):
    """Rodrigues."""
    return add(add(scale(v, cos(angle)), cross(axis, v), sin(angle)), axis, dot(axis, v) * (1 - cos(angle)))


# HMMWV, left side, from the axle: Aardema, TACOM TR 13337, as in Project Chrono [m]
FRONT = dict(
    upper_front=[-0.0075286, 0.4459605, 0.2446223], upper_rear=[-0.2278278, 0.4777359, 0.1955597],
    upper_ball=[-0.0126492, 0.7155180, 0.2154936], upper_com=[-0.0651510, 0.5886704, 0.2178050],
    lower_front=[0.2636520, 0.3070860, 0], lower_rear=[-0.1828800, 0.3070860, 0], lower_ball=[0.0048260, 0.7865110, -0.1181100],
    lower_com=[0.0403860, 0.5468112, -0.0590550], upright_com=[0, 0.7510145, -0.0262890],
    tie_rod_inner=[-0.2099310, 0.4484370, 0.0542290], tie_rod_outer=[-0.1354328, 0.8211058, -0.0163322],
    spring_top=[0.1443990, 0.5097780, 0.1974850], spring_foot=[0.1375918, 0.5431790, -0.0466090],
    damper_top=[0.1443990, 0.4977892, 0.3231388], damper_foot=[0.1375918, 0.5431790, -0.0466090],
    upper_inertia=[0.03, 0.03, 0.06276], lower_inertia=[0.4, 0.4, 0.8938], upright_inertia=[0.1656, 0.1934, 0.04367])
MASSES = dict(upper=5.813, lower=23.965, upright=19.45, tie=0.0)


class Corner:
    """One corner; the place of every body by the lower arm's angle q and the linkage's s."""

    def __init__(self, side=1.0, hub=(0.0, 0.909701, -0.026289), arm=None, axis=None, rack=0.0, tie=0.0, toe=0.0, camber=0.0, **more):
        p = dict(FRONT)
        flip = lambda v: [v[0], side * v[1], v[2]]
        self.p = {k: flip(v) if "inertia" not in k else v for k, v in p.items()}
        self.side, self.hub0 = side, flip(hub)
        self.arm, self.axis, self.rack = arm, unit(axis) if axis else None, rack
        self.tie_mass = tie
        self.more = more
        ts, tc, cs, cc = sin(side * toe), cos(toe), sin(side * camber), cos(camber)
        self.spin0 = [ts * cc, tc * cc, -cs]
        p = self.p
        self.kingpin = sub(p["upper_ball"], p["lower_ball"])
        self.rod = sqrt(dot(sub(p["tie_rod_outer"], p["tie_rod_inner"]), sub(p["tie_rod_outer"], p["tie_rod_inner"])))

    def arm_axis(self, which):
        p = self.p
        axis = unit(sub(p[which + "_front"], p[which + "_rear"]))
        out = sub(p[which + "_ball"], p[which + "_rear"])
        return axis if cross(axis, out)[2] > 0 else scale(axis, -1)

    def turned(self, which, point, angle):
        p = self.p
        return add(p[which + "_rear"], turn_about(sub(p[point], p[which + "_rear"]), self.arm_axis(which), angle))

    def inner(self, s):
        at = self.p["tie_rod_inner"]
        if self.arm:
            at = add(at, sub(turn_about(self.arm, self.axis, s), self.arm))
        return add(at, [0, -self.rack * s, 0])

    def carry(self, angles, v):
        """A vector of the upright, turned by three angles in turn."""
        for k, e in enumerate(([1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0])):
            v = turn_about(v, e, angles[k])
        return v

    def solve(self, q, s, start=None):
        """Angle of the upper arm and angles of the upright."""
        p = self.p
        low, inner = self.turned("lower", "lower_ball", q), self.inner(s)
        pin, tie = self.kingpin, sub(p["tie_rod_outer"], p["lower_ball"])
        x = list(start or [q, 0.0, 0.0, 0.0])

        def miss(x):
            top = self.turned("upper", "upper_ball", x[0])
            gap = sub(sub(top, low), self.carry(x[1:], pin))
            rod = sub(add(low, self.carry(x[1:], tie)), inner)
            return gap + [dot(rod, rod) - self.rod ** 2]
        for _ in range(40):
            f = miss(x)
            if max(map(abs, f)) < 1e-15:
                break
            jac = []
            for k in range(4):
                y, z = list(x), list(x)
                y[k] += 1e-6
                z[k] -= 1e-6
                jac.append([(a - b) / 2e-6 for a, b in zip(miss(y), miss(z))])
            step = solve([[jac[c][r] for c in range(4)] for r in range(4)], f)
            x = sub(x, step)
        return x

    def bodies(self, q, s, start=None):
        """(mass, centre, attitude columns, own moments) of each body, and hub and spin axis."""
        p, x = self.p, None
        x = self.solve(q, s, start)
        low = self.turned("lower", "lower_ball", q)
        out = []
        for which, angle in (("lower", q), ("upper", x[0])):
            axis = self.arm_axis(which)
            ball = sub(p[which + "_ball"], p[which + "_rear"])
            e1 = axis
            e2 = unit(add(ball, axis, -dot(ball, axis)))
            frame = [e1, e2, cross(e1, e2)]
            out.append((MASSES[which], self.turned(which, which + "_com", angle), [turn_about(e, axis, angle) for e in frame],
                        p[which + "_inertia"]))
        at = add(low, self.carry(x[1:], sub(p["upright_com"], p["lower_ball"])))
        out.append((MASSES["upright"], at, [self.carry(x[1:], e) for e in ([1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0])], p["upright_inertia"]))
        hub = add(low, self.carry(x[1:], sub(self.hub0, p["lower_ball"])))
        spin = self.carry(x[1:], self.spin0)
        if self.tie_mass:
            a, b = self.inner(s), add(low, self.carry(x[1:], sub(p["tie_rod_outer"], p["lower_ball"])))
            out.append((self.tie_mass, scale(add(a, b), 0.5), (a, b), None))
        return out, hub, spin

    def strut(self, which, q):
        d = sub(self.turned("lower", which + "_foot", q), self.p[which + "_top"])
        return sqrt(dot(d, d))


def solve(a, b):
    """Gauss with pivots."""
    n = len(b)
    m = [list(row) + [b[i]] for i, row in enumerate(a)]
    for k in range(n):
        best = max(range(k, n), key=lambda r: abs(m[r][k]))
        m[k], m[best] = m[best], m[k]
        for r in range(k + 1, n):
            f = m[r][k] / m[k][k]
            m[r] = [x - f * y for x, y in zip(m[r], m[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (m[k][n] - sum(m[k][j] * x[j] for j in range(k + 1, n))) / m[k][k]
    return x


H1, H2 = 2e-4, 2e-3  # differences of fourth order: first, second


def first(f):
    a, b, c, d = f(-2 * H1), f(-H1), f(H1), f(2 * H1)
    return [(w - 8 * x + 8 * y - z) / (12 * H1) for w, x, y, z in zip(a, b, c, d)]


def second(f):
    a, b, c, d, e = f(-2 * H2), f(-H2), f(0), f(H2), f(2 * H2)
    return [(-v + 16 * w - 30 * x + 16 * y - z) / (12 * H2 * H2) for v, w, x, y, z in zip(a, b, c, d, e)]


def omega_of(rate, frame):
    """Angular velocity of a frame whose columns have these rates."""
    return scale(add(add(cross(frame[0], rate[0]), cross(frame[1], rate[1])), cross(frame[2], rate[2])), 0.5)


def apply_inertia(body, w):
    _, _, frame, moments = body
    if moments is None:
        a, b = frame
        rod = sub(b, a)
        length2 = dot(rod, rod)
        return scale(sub(w, scale(rod, dot(w, rod) / length2)), body[0] * length2 / 12)
    return add(add(scale(frame[0], moments[0] * dot(frame[0], w)), frame[1], moments[1] * dot(frame[1], w)), frame[2],
               moments[2] * dot(frame[2], w))


def wishbone_at(corner, q, qd, s, sd, w, g):
    """The rows of a corner."""
    bodies, hub, spin = corner.bodies(q, s)
    everything = {}

    def rates(dq, ds):
        key = (dq, ds)
        if key in everything:
            return everything[key]
        def at(t):
            b, h, a = corner.bodies(q + dq * t, s + ds * t)
            flat = list(h) + list(a)
            for body in b:
                flat += list(body[1])
                for e in body[2]:
                    flat += list(e)
            return flat
        v, acc = first(at), second(at)
        out, place = [], 6
        for body in b_all:
            size = len(body[2])
            com_v, com_a = v[place:place + 3], acc[place:place + 3]
            place += 3
            cols = [v[place + 3 * k:place + 3 * k + 3] for k in range(size)]
            cola = [acc[place + 3 * k:place + 3 * k + 3] for k in range(size)]
            place += 3 * size
            if body[3] is None:
                a, b = body[2]
                rod, rod_v, rod_a = sub(b, a), sub(cols[1], cols[0]), sub(cola[1], cola[0])
                l2 = dot(rod, rod)
                om, al = scale(cross(rod, rod_v), 1 / l2), scale(cross(rod, rod_a), 1 / l2)
            else:
                om = omega_of(cols, body[2])
                al = scale([sum(x) for x in zip(*[add(cross(e, ca), cross(ev, ev)) for e, ev, ca in zip(body[2], cols, cola)])], 0.5)
            out.append((com_v, om, com_a, al))
        everything[key] = (v[0:3], acc[0:3], out)
        return everything[key]
    b_all = bodies
    hub_q, _, per_q = rates(1.0, 0.0)
    hub_s, _, per_s = rates(0.0, 1.0)
    hub_m, hub_a, move = rates(qd, sd)
    r = {}

    def put(name, v):
        for c, x in zip("xyz", v):
            r["%s_%s" % (name, c)] = x
    put("hub", hub)
    put("axis", spin)
    put("hub_v", hub_q)
    put("hub_w", per_q[2][1])
    put("steer_v", hub_s)
    put("steer_w", per_s[2][1])
    put("move_v", hub_m)
    put("move_w", move[2][1])
    put("rest_v", hub_a)
    put("rest_w", move[2][3])
    first_sum, qv, qw, sv, sw, force, moment = ([0.0] * 3 for _ in range(7))
    second_sum = [[0.0] * 3 for _ in range(3)]
    qq = qs = ss = along_q = along_s = 0.0
    for k, body in enumerate(bodies):
        m, at = body[0], body[1]
        vq, wq, vs, ws = per_q[k][0], per_q[k][1], per_s[k][0], per_s[k][1]
        vm, wm, am, alm = move[k]
        first_sum = add(first_sum, at, m)
        for c in range(3):
            e = [1.0 if c == d else 0.0 for d in range(3)]
            col = add(apply_inertia(body, e), scale(sub(scale(e, dot(at, at)), scale(at, at[c])), m))
            second_sum[c] = add(second_sum[c], col)
        qv, sv = add(qv, vq, m), add(sv, vs, m)
        hq, hs = apply_inertia(body, wq), apply_inertia(body, ws)
        qw = add(qw, add(hq, cross(at, vq), m))
        sw = add(sw, add(hs, cross(at, vs), m))
        qq += m * dot(vq, vq) + dot(wq, hq)
        qs += m * dot(vq, vs) + dot(wq, hs)
        ss += m * dot(vs, vs) + dot(ws, hs)
        a = add(add(add(cross(w, cross(w, at)), cross(w, vm), 2.0), am), g, -1.0)
        f = scale(a, m)
        whole = add(w, wm)
        mom = add(apply_inertia(body, add(cross(w, wm), alm)), cross(whole, apply_inertia(body, whole)))
        force, moment = add(force, f), add(moment, add(mom, cross(at, f)))
        along_q += dot(vq, f) + dot(wq, mom)
        along_s += dot(vs, f) + dot(ws, mom)
    for name, v in (("first", first_sum), ("q_v", qv), ("q_w", qw), ("s_v", sv), ("s_w", sw), ("rest_force", force), ("rest_moment", moment)):
        put(name, v)
    for name, i, j in (("xx", 0, 0), ("yy", 1, 1), ("zz", 2, 2), ("xy", 0, 1), ("xz", 0, 2), ("yz", 1, 2)):
        r["second_" + name] = second_sum[i][j]
    r.update(qq=qq, qs=qs, ss=ss, rest_q=along_q, rest_s=along_s)
    # spring and damper between chassis and lower arm
    m = corner.more
    length, damper = corner.strut("spring", q), corner.strut("damper", q)
    slope = first(lambda t: [corner.strut("spring", q + t)])[0]
    lever = first(lambda t: [corner.strut("damper", q + t)])[0]
    free, bump, rebound = m.get("free_length", 0.339), m.get("bump_length", 0.15), m.get("rebound_length", 0.30)

    def press(length):
        x = free - length
        force = table_on(m["spring"], x) if "spring" in m else m.get("spring_rate", 190e3) * x
        stop = lambda d: 0.0 if d <= 0 else (table_on(m["stop"], d) if "stop" in m else m.get("stop_rate", 2e6) * d)
        return force + stop(bump - length) - (stop(length - rebound) if rebound > 0 else 0)
    speed = lever * qd
    zones = m.get("zone_long", 0) > 0 and not m["zone_short"] <= damper <= m["zone_long"]
    c_in, c_out = m.get("compression_damping", 12521.5641), m.get("rebound_damping", 22460.0083)
    if zones:
        c_in, c_out = m["zone_compression_damping"], m["zone_rebound_damping"]
    rate = c_in if speed < 0 else c_out
    r["force"] = press(length) * slope - rate * speed * lever
    r["spring_arm"] = slope
    r["damping"] = rate * lever * lever
    stiff = -first(lambda t: [press(length + t)])[0]
    bend = second(lambda t: [corner.strut("spring", q + t)])[0]
    r["stiffness"] = max(stiff, 0) * slope * slope + max(-press(length) * bend, 0)
    gone = bisect(lambda x: -press(x), 0.05, 0.6)
    r["energy"] = integrate(press, length, gone, 4000)
    r["travel"] = hub[2] - corner.hub0[2]
    return r


def table_on(xy, x):
    """Straight between points; the outer pieces go on."""
    xs, ys = xy[0::2], xy[1::2]
    k = 0
    while k < len(xs) - 2 and x > xs[k + 1]:
        k += 1
    return ys[k] + (ys[k + 1] - ys[k]) * (x - xs[k]) / (xs[k + 1] - xs[k])


def wishbone_cases():
    arm, axis = [0.122334, 0.0, -0.040932], [-0.317305, 0.0, -0.948324]
    source = "loops closed by Newton's method, motion by differences; HMMWV, TACOM TR 13337"
    places = [("left", 1.0, 0.1, 1.3, 0.2, 0.6, [0.4, -0.7, 0.9], {}), ("right", -1.0, -0.12, -0.8, -0.25, 0.5, [-0.3, 0.5, 1.1], {}),
              ("design", 1.0, 0.0, 0.9, 0.0, 0.0, [0.0, 0.0, 0.0], {}),
              ("rod", 1.0, -0.05, 0.7, 0.15, -0.9, [0.2, 0.3, -0.4], dict(tie=6.0)),
              ("rack", -1.0, 0.06, 0.5, 0.3, 0.4, [0.1, -0.2, 0.3], dict(rack=0.12, toe=0.01, camber=-0.02))]
    groups = dict(pose=("hub", "axis"), rates=("hub_v", "hub_w", "steer_v", "steer_w", "move_v", "move_w"),
                  accelerations=("rest_v", "rest_w"), mass=("first", "second"), momentum=("q_v", "q_w", "s_v", "s_w", "qq", "qs", "ss"),
                  inertia_forces=("rest_force", "rest_moment", "rest_q", "rest_s"),
                  spring=("force", "stiffness", "damping", "energy", "travel", "spring_arm"))
    for name, side, q, qd, s, sd, w, more in places:
        rack = more.get("rack", 0.0)
        corner = Corner(side, arm=None if rack else arm, axis=None if rack else axis, **more)
        rows = wishbone_at(corner, q, qd, s, sd, w, [0.3, -0.4, -9.7])
        settings = dict(rack=rack, toe=more["toe"], camber=more["camber"]) if rack else dict(steering_arm=arm, steering_axis=axis)
        if "tie" in more:
            settings["tie_rod_mass"] = more["tie"]
        at = dict(side=side, q=q, qd=qd, s=s, sd=sd, wx=w[0], wy=w[1], wz=w[2], gx=0.3, gy=-0.4, gz=-9.7)
        for group, heads in groups.items():
            if group == "spring" and rack:
                continue
            keys = [k for k in rows if any(k == h or k[:-2] == h or k[:-3] == h for h in heads)]
            got = {k: rows[k] for k in keys if abs(rows[k]) > 1e-6}
            case("suspension", "wishbone_%s_%s" % (name, group), "mechanism", "double_wishbone", settings, at, got, source,
                 2e-5 if group in ("accelerations", "inertia_forces") else 1e-7 if group != "spring" else 1e-6)
    spring = [-0.06, -17818.2, 0, 0, 0.02, 3629.92, 0.06, 17818.2, 0.12, 82403, 0.2, 322095.5]
    stop = [0, 0, 0.01, 1000, 0.03, 4500, 0.06, 125000]
    options = dict(spring=spring, stop=stop, zone_short=0.324104, zone_long=0.418592, zone_compression_damping=5896.52,
                   zone_rebound_damping=60068.5, free_length=0.339)
    for name, q, qd, more in (("table", -0.15, 0.6, {}), ("rebound", -0.25, -1.1, {}), ("bump", 0.3, 0.8, dict(bump_length=0.2)),
                              ("zone", 0.25, -0.7, {}), ("droop", -0.3, 0.4, dict(rebound_length=0.28)), ("zone_long", -0.33, -0.5, {})):
        corner = Corner(1.0, **dict(options, **more))
        rows = wishbone_at(corner, q, qd, 0.0, 0.0, [0, 0, 0], [0, 0, -9.81])
        case("suspension", "wishbone_spring_" + name, "mechanism", "double_wishbone", dict(options, **more), dict(q=q, qd=qd),
             {k: rows[k] for k in groups["spring"]}, source, 3e-6)


# ---- what other cases leave at its default, or do not look at -----------------------------------

def secants(kappa, alpha, load, g):
    """Forces over load and over the slips of the patch."""
    larger = max(1.0, abs(1 + kappa))
    return dict(secant_x=g["fx"] / load * larger / kappa, secant_y=-g["fy"] / load * larger / tan(alpha * DEG))


def more_tyre_cases():
    for i, (kappa, alpha) in enumerate([(0.07, 2.5), (-0.06, -3.5)]):
        at = dict(kappa=kappa, alpha=alpha, load=7300)
        case("tyre", "fiala_secants_%d" % (i + 1), "tyre", "fiala", {}, at, secants(kappa, alpha, 7300, fiala(kappa, alpha, 7300)),
             FIALA + ": force over slip of the patch", 1e-8)
        case("tyre", "tmeasy_secants_%d" % (i + 1), "tyre", "tmeasy", {}, at, secants(kappa, alpha, 7300, tmeasy(kappa, alpha, 7300)),
             RILL + ": force over slip of the patch", 1e-8)
        case("tyre", "pac2002_secants_%d" % (i + 1), "tyre", "pac2002", {}, at,
             dict(secant_x=secants(kappa, alpha, 7300, pac2002(kappa, alpha, 7300))["secant_x"]),
             PACEJKA + ": force over slip of the patch", 1e-8)
        s = kappa / max(1.0, 1 + kappa)
        case("tyre", "fiala_over_larger_%d" % (i + 1), "tyre", "fiala", dict(slip="over_larger"), at, fiala(s, alpha, 7300),
             FIALA + "; slip over the larger of both speeds", 1e-8)
    q = 7300 / 8562.82661
    rise = lambda y: q * (2 * y[0] - 0.5 * y[1] - (y[0] - 0.5 * y[1]) * q)
    case("tyre", "tmeasy_still", "tyre", "tmeasy", {}, dict(load=7300, mu=0.45),
         dict(secant_x=rise(TMEASY["dfx0"]) / 7300, secant_y=rise(TMEASY["dfy0"]) / 7300,
              peak=0.45 / 0.8 * rise(TMEASY["fxm"]) / 7300), RILL + ": initial slopes over load", 1e-8)
    case("tyre", "tmeasy_seen", "seen", "tmeasy", {}, dict(vx=20, load=7300, deflection=7300 / 411120.9242, patch_x=0.01, patch_y=-0.02),
         dict(slip_stiffness=rise(TMEASY["dfx0"]), cornering_stiffness=rise(TMEASY["dfy0"]), radial_stiffness=411120.9242,
              relaxation_length_x=rise(TMEASY["dfx0"]) / 185004, relaxation_length_y=rise(TMEASY["dfy0"]) / 164448,
              transient_slip=0.01 * 185004 / rise(TMEASY["dfx0"])), RILL + "; df_0/c", 1e-8)
    # limits of what was measured, side, speed
    p, h = pac2002(0.03, 2, 9000), pac2002(0.03, 2, 5000)
    for name, extra, load, g, part in (("most_load", dict(fzmax=9000), 12000, p, 12 / 9.0), ("least_load", dict(fzmin=5000), 3000, h, 0.6)):
        case("tyre", "pac2002_" + name, "tyre", "pac2002", extra, dict(kappa=0.03, alpha=2, load=load),
             {k: g[k] * part for k in ("fx", "fy")}, "coefficients of the last load that was measured", 1e-9)
    case("tyre", "pac2002_most_angle", "tyre", "pac2002", dict(alpmax=0.2), dict(alpha=20, load=7000),
         dict(fy=pac2002(0, 0.2 / DEG, 7000)["fy"]), "the largest slip angle that was measured", 1e-9)
    case("tyre", "pac2002_least_angle", "tyre", "pac2002", dict(alpmin=-0.15), dict(alpha=-20, load=7000),
         dict(fy=pac2002(0, -0.15 / DEG, 7000)["fy"]), "the least slip angle that was measured", 1e-9)
    case("tyre", "pac2002_least_slip", "tyre", "pac2002", dict(kpumin=-0.12), dict(kappa=-0.4, load=7000),
         dict(fx=pac2002(-0.12, 0, 7000)["fx"]), "the least slip that was measured", 1e-9)
    for name, limit, camber in (("most_camber", dict(cammax=0.05), 9), ("least_camber", dict(cammin=-0.05), -9)):
        g = pac2002(0.02, 1, 7000, sign(camber) * 0.05 / DEG, extra=WHOLE)
        case("tyre", "pac2002_" + name, "tyre", "pac2002", dict(WHOLE, **limit), dict(kappa=0.02, alpha=1, load=7000, camber=camber), g,
             "the camber that was measured", 1e-9)
    g = pac2002(0.04, 3, 8000, 2, extra=WHOLE)
    case("tyre", "pac2002_right", "tyre", "pac2002", dict(WHOLE, tyreside="right"), dict(kappa=0.04, alpha=3, load=8000, camber=2, side=-1),
         g, PACEJKA + "; measured on the right, on the right", 1e-9)
    case("tyre", "pac2002_only_y", "tyre", "pac2002", dict(use_mode=12), dict(kappa=0.08, alpha=6, load=8500),
         dict(fx=0, fy=pac2002(0, 6, 8500)["fy"]), "use mode 12", 1e-9)
    kx = 7000 * 20 * exp(0.2 * (7000 / 8500 - 1))
    ky = 12 * 8500 * sin(2 * atan(7000 / 17000))
    case("tyre", "pac2002_seen", "seen", "pac2002", {}, dict(vx=20, load=7000, deflection=0.0155),
         dict(slip_stiffness=kx, cornering_stiffness=ky, radial_stiffness=450e3, elastic_energy=225e3 * 0.0155 ** 2,
              relaxation_length_x=0.235), PACEJKA + ": K_x, K_y", 1e-6)
    curve, gain, d = [0, 0, 0.01, 3000, 0.03, 12000], 1 + 0.7 * 0.3, 0.025
    for name in ("fiala", "tmeasy"):
        case("tyre", name + "_load_curve", "carcass", name, dict(load_curve=curve, pressure=325e3), dict(deflection=d),
             dict(load=gain * 9750, stiffness=gain * 450e3, energy=gain * (15 + 0.015 * 3000 + 0.5 * 450e3 * 0.015 ** 2)),
             "straight between the points; " + INFLATED, 1e-9)


def more_drive_cases():
    d, chrono = "drive", "numbers of Project Chrono's HMMWV"
    # engine that idles, its clutch half engaged
    own = dict(final_drive=4.1, efficiency=0.93, max_torque=310, max_speed=420, idle_speed=80, governor_band=35, drag=22, drag_rate=0.07,
               engage_speed=2.5, shaft_inertia=0.6, thermal_efficiency=0.27, gears=[3.1, 1.7])
    w, ratio = 3.2, 4.1 * 3.1
    full = ratio * 0.93 * 310 * (1 - 80 / 420.0)
    brake = 0.28 * ratio / 0.93 * (22 + 0.07 * ratio * w)
    most = max(brake, 0.72 * full)
    same = dict(fl=w, fr=w, rl=w, rr=w)
    case(d, "engine_idles", "drive", "engine", own, dict(demand=-1e5, **same),
         dict(sum=-most, power=(most - brake) / (ratio * 0.93) * 80 / 0.27, reflected=0.6, tells0=80, tells1=1, full=full),
         "both directions meet at rest; idle; T (1 - w/w_0)", 1e-8)
    case(d, "engine_engages", "drive", "engine", {}, dict(demand=-1e5, fl=3, fr=3, rl=3, rr=3),
         dict(sum=-0.5 * 3.3 * 583 * (1 - 9.9 / (150 * pi))), "half engaged at 3 of 2 to 4 rad/s", 1e-8)
    stay = dict(shift_up=[1e5], shift_down=[0])
    rigid = dict(stay, coupling="rigid")
    e = 6.4 * 5 * 4
    case(d, "powertrain_reverse", "drive", "powertrain", dict(rigid, reverse=6.4),
         {"throttle": -1, "from": -4, "fl": -4, "fr": -4, "rl": -4, "rr": -4, "steps": 50},
         dict(sum=-(table(*CHRONO_DRAG, e) + table(*CHRONO_FULL, e)) * 6.4 * 5, tells0=e, tells3=-1), "backwards; " + chrono, 1e-6)
    # an engine that idles by itself: drag = governor
    idle = bisect(lambda w: -(table(*CHRONO_DRAG, w) + max(0, min(1, (83 - w) / 9)) * table(*CHRONO_FULL, w)), 60, 83)
    case(d, "powertrain_idles", "drive", "powertrain", dict(stay, coupling="clutch", idle_speed=83, idle_band=9, thermal_efficiency=0.37),
         dict(steps=9000), dict(tells0=idle, power=-table(*CHRONO_DRAG, idle) * idle / 0.37, tells4=0), "governor holds against drag; " + chrono, 1e-5)
    # overrun: a turbine that drives
    turbine = 4 * 25.0
    def pushed(w):
        nu = turbine / w
        return (w / table(CHRONO_NU, CHRONO_K, 2 - nu)) ** 2 * min(1, (nu - 1) / 0.05)
    w = bisect(lambda w: 0.1 * w - pushed(w), 90, 100)
    case(d, "powertrain_overrun", "drive", "powertrain", dict(stay, slip_band=0.05, drag_speed=[0, 300], drag_torque=[0, -30]),
         {"from": 4, "fl": 4, "fr": 4, "rl": 4, "rr": 4, "steps": 3000}, dict(sum=-25 * pushed(w), tells0=w),
         "the turbine drives the impeller, K of 2 - nu, against a drag of 0.1 w", 1e-4)
    lock = dict(gears=[5], shift_up=[1e5], shift_down=[0], lockup="on")
    for name, wheel, closed in (("stays", 5.6, 1), ("opens", 5.2, 0)):
        case(d, "powertrain_lockup_" + name, "drive", "powertrain", lock,
             {"throttle": 0.3, "from": 8.0, "fl": wheel, "fr": wheel, "rl": wheel, "rr": wheel, "steps": 9000},
             dict(tells4=closed), "open again below 0.9 of 150 rad/s", 1e-9)
    # inertias of all shafts, engine and input shaft joined, low range
    own = dict(rigid, front_shaft_inertia=0.31, rear_shaft_inertia=0.47, drive_shaft_inertia=0.23, differential_inertia=0.83,
               half_shaft_inertia=0.51, input_inertia=0.37, engine_inertia=0.9, range="low", low_range=2.2, final_drive=4.3, hub_reduction=1.7,
               front_rear_split=0.35, front_left_right_split=0.6, rear_left_right_split=0.45)
    wheel = dict(fl=2.3, fr=2.1, rl=1.7, rr=1.9)
    w1, w2 = 0.6 * 2.3 + 0.4 * 2.1, 0.45 * 1.7 + 0.55 * 1.9
    front, rear = (1.7 ** 2 * (0.83 + 4.3 ** 2 * j) for j in (0.31, 0.47))
    centre = (2.2 * 4.3 * 1.7) ** 2 * (0.23 + 25 * (0.37 + 0.9))
    mean = 0.35 * w1 + 0.65 * w2
    case(d, "shafts_joined", "drive", "powertrain", own, dict(throttle=0.5, steps=1, **wheel),
         dict(shafts=0.5 * (front * w1 ** 2 + rear * w2 ** 2 + centre * mean ** 2), reflected=1.7 ** 2 * 0.51, momentum=1.7 * 0.51),
         "F w1^2 + R w2^2 + C (f w1 + (1 - f) w2)^2, engine and input shaft at one speed", 1e-9)
    case(d, "shafts_joined_locked", "drive", "powertrain", dict(own, centre_differential="locked", front_differential="locked"),
         dict(throttle=0.5, steps=1, **wheel), dict(shafts=0.5 * (front + rear + centre) * mean ** 2, locked=w1 - w2 + 0.2),
         "all as one shaft; w1 = w2, both front wheels alike", 1e-9)
    # three torque-biasing differentials, heavy wheels
    bias = dict(rigid, preload=17, full_bias_speed=0.7, front_rear_bias=2.2, front_left_right_bias=3.3, rear_left_right_bias=1.9,
                front_rear_split=0.35, front_left_right_split=0.6, rear_left_right_split=0.45,
                **{k + "_differential": "torque_biasing" for k in ("centre", "front", "rear")})
    wheel = dict(fl=6.3, fr=6.0, rl=5.7, rr=5.9)
    w1, w2 = 0.6 * 6.3 + 0.4 * 6.0, 0.45 * 5.7 + 0.55 * 5.9
    e = 25 * (0.35 * w1 + 0.65 * w2)
    t = 25 * (table(*CHRONO_DRAG, e) + table(*CHRONO_FULL, e))
    moved = lambda t, b, dw: 0.5 * (abs(t) * (b - 1) / (b + 1) + 17) * tanh(dw / 0.7)
    c = moved(t, 2.2, w1 - w2)
    to_front, to_rear = 0.35 * t - c, 0.65 * t + c
    f, r = moved(to_front, 3.3, 0.3), moved(to_rear, 1.9, -0.2)
    case(d, "powertrain_biasing_all", "drive", "powertrain", bias, dict(throttle=1, steps=50, inertia=1e9, **wheel),
         dict(fl=0.6 * to_front - f, fr=0.4 * to_front + f, rl=0.45 * to_rear - r, rr=0.55 * to_rear + r),
         "T (B - 1)/(B + 1) + T_0, tanh(dw/w_s)", 1e-6)
    # motors: limits both ways, gains
    motors = dict(max_torque=200, no_load_speed=40, voltage=48, driven="all")
    case(d, "direct_limits_back", "drive", "direct", motors, dict(demand=-45, demand2=80, fl=-30, fr=25, rl=-35, rr=30),
         dict(fl=-45, fr=75, rl=-25, rr=50, low=-50, high=200, low2=-200, high2=75, gain_fl=1, gain2_rr=0), "T (1 - w/w_0)", 1e-9)
    case(d, "direct_default_current", "drive", "direct", dict(driven="rear", voltage=24), dict(demand2=100, rl=5, rr=5),
         dict(current_rr=100 * 10 / 0.47 / 24), "I = T w_0/U, 10 m/s", 1e-9)


# ---- branches, bounds and forms that other cases pass by ------------------------------------------

def rise(x):
    """0 at 0, 1 from 1 on."""
    x = max(0.0, min(1.0, x))
    return x * x * (3 - 2 * x)


def planar_branch_cases():
    # gravity that the published tyres hold with the grip that is left
    at = dict(vx=1.0, speed=5.0, torque=1.0)
    free = planar(**at)["fx"]
    for name, gx in (("down", 9.0), ("up", -9.0), ("some", -2.0)):
        case("tyre", "coulomb_holds_" + name, "wheel", "coulomb", dict(variant="as_published"), dict(at, gx=gx),
             dict(fx=free, drag=-sign(gx) * min(abs(10 * gx), 80 - free)), MVSIM + ": gravity held by the grip left", 1e-9)
    g = planar(**dict(at, torque=0.5))
    pulls = g["roll"] - 100 * (0.0075 * (1 - exp(-50)) + 0.02)
    case("tyre", "ward_iagnemma_holds", "wheel", "ward_iagnemma", dict(variant="as_published"), dict(at, torque=0.5, gx=9.0),
         dict(fx=pulls, drag=-(80 - abs(pulls))), MVSIM + ": gravity held by the grip left", 1e-9)
    # rolling resistance at speeds at which tanh is not 1, scrub, ground of the place
    at = dict(speed=0.004, vx=0.0008, mass=1000.0, inertia=10.0)
    case("tyre", "coulomb_rolling_slow", "wheel", "coulomb", dict(rolling_resistance=0.05), at, planar(rolling=0.05, **at),
         MVSIM + "; tanh of a hundred times the speed for the sign", 1e-9)
    at = dict(vx=1.0, vy=0.02, speed=5.0, torque=2.0, load=250.0, mass=20.0, inertia=0.3, radius=0.25, scrub=0.4, gy=0.3, friction=0.5)
    g = planar(rolling=0.04, **at)
    g["drag"] = -min(250 * (0.0075 * (1 - exp(-50)) + 0.02), 20 / 0.01)
    case("tyre", "ward_iagnemma_place", "wheel", "ward_iagnemma", dict(rolling_resistance=0.01), dict(at, rolling=0.04), g,
         "Ward and Iagnemma 2008; friction and rolling resistance of the place", 1e-9)
    free = planar(friction=1e9, **{k: v for k, v in at.items() if k != "friction"})
    most = 0.3 * 250
    fx, fy = circle(free["fx"], free["fy"], most, 0.25 ** 2 * 0.01 / 0.3, 0.01 / 20)
    left = most ** 2 - free["fy"] ** 2
    inside = dict(vx=1.0, vy=0.005, speed=5.0, torque=1.0)
    f = planar(**inside)
    case("tyre", "coulomb_circle_inside", "wheel", "coulomb", dict(combined=1), inside,
         dict(fx=f["fx"], fy=f["fy"], limit=sqrt(80.0 ** 2 - f["fy"] ** 2)), MVSIM + ": within the circle", 1e-9)
    case("tyre", "coulomb_circle_place", "wheel", "coulomb", dict(combined=1), dict(at, friction=0.3),
         dict(fx=fx, fy=fy, limit=abs(fx) if free["fx"] ** 2 > max(left, 0) else sqrt(left)),
         "trust region, Conn, Gould and Toint 2000, sect. 7.3; scrub and slope", 1e-6)
    # the ellipse's friction of the place, scrub, dead zones of its published form
    def ellipse(at, s, a, most=1e9):
        s, a = min(s, 0.1), min(a, 0.1)
        return (100 * min(7.5 * s * sqrt(1 - 0.5 * (a / 0.1) ** 2), most), 100 * min(8.5 * a * sqrt(1 - 0.5 * (s / 0.1) ** 2), most))
    at = dict(vx=1.0, vy=0.3, speed=9.0, torque=2.0, scrub=0.5, friction=0.2, rolling=0.05)
    resist = -0.01 * 9 - 0.05 * 100 * 0.2
    rim = 0.2 * (9 + 0.01 * (2 + resist) / 0.1)
    lx, ly = ellipse(at, (rim - 1) / rim, atan(0.3), 0.2)
    x = (2 + resist - 0.1 * (1 / 0.2 - 9) / 0.01) / 0.2
    case("tyre", "ellipse_place", "wheel", "ellipse", dict(rolling_resistance=0.01), at,
         dict(fx=min(lx, x), fy=-ly, limit=lx, spin=resist, roll=x), "MVSim 1.2; friction and rolling resistance of the place", 1e-9)
    at = dict(vx=1.0, vy=0.001, speed=5.02, torque=0.1, scrub=0.5, gy=0.2)
    resist = -0.01 * 5.02
    rim = 0.2 * (5.02 + 0.01 * (0.1 + resist) / 0.1)
    lx, ly = ellipse(at, (rim - 1) / rim, atan2(0.001 + 0.01 * 0.2, 1))
    y = -10 * (0.001 / 0.01 + 0.2 + 0.5)
    case("tyre", "ellipse_scrub", "wheel", "ellipse", {}, at, dict(fy=max(-ly, y), limit=lx), "MVSim 1.2", 1e-9)
    published = dict(variant="as_published")
    for name, vx, vy, speed, a in (("still", 0.0, 0.0, 0.0, 0.0), ("creeps", 5e-4, 5e-4, 0.01, 0.0), ("slides", 0.0, 0.002, 0.01, pi / 2),
                                   ("slow", 0.002, 1e-4, 0.0095, atan2(1e-4, 0.002))):
        rim = 0.2 * speed if speed else 1e-5
        lx, ly = ellipse(None, min(abs(rim - vx) / rim, 1), a)
        x = (1 - 0.01 * speed - 0.1 * (vx / 0.2 - speed) / 0.01) / 0.2
        y = -10 * vy / 0.01
        case("tyre", "ellipse_published_" + name, "wheel", "ellipse", published, dict(vx=vx, vy=vy, speed=speed, torque=1.0),
             dict(fx=max(-lx, min(lx, x)), fy=max(-ly, min(ly, y)), limit=lx), "MVSim 1.2: no angle below 1 mm/s, rim of 0.01 mm/s at least", 1e-9)
    at = dict(vx=1.0, speed=5.2, torque=0.1)
    lx, _ = ellipse(at, 0.04 / 1.04, 0)
    x = (0.1 - 0.052 - 0.1 * (5 - 5.2) / 0.01) / 0.2
    for gx in (9.0, -0.5):
        case("tyre", "ellipse_holds_%g" % gx, "wheel", "ellipse", published, dict(at, gx=gx, friction=0.01),
             dict(fx=x, drag=-sign(gx) * min(abs(10 * gx), lx - x), limit=lx), "MVSim 1.2: gravity held by the grip left", 1e-9)
    # what they tell
    at = dict(speed=6.0, vx=1.16, vy=-0.03, radius=0.2, load=100.0, torque=0.5, gx=1.0, gy=-2.0, rolling=0.05)
    resist = -0.06 - 0.05 * 100 * 0.2
    rim = 0.2 * (6 + 0.01 * (0.5 + resist) / 0.1)
    u, v = 1.16 + 0.01, -0.03 - 0.02
    lx, ly = ellipse(at, abs(rim - u) / max(rim, u), atan2(abs(v), u))
    case("tyre", "ellipse_seen_slope", "seen", "ellipse", dict(rolling_resistance=0.01), at, dict(friction_limit_x=lx, friction_limit_y=ly),
         "MVSim 1.2: slips at the end of the step", 1e-9)
    lx, ly = ellipse(at, (1.2 - 1.16) / 1.2, atan2(0.03, 1.16))
    case("tyre", "ellipse_seen_published", "seen", "ellipse", published, at, dict(friction_limit_x=lx, friction_limit_y=ly),
         "MVSim 1.2: slips at the start of the step", 1e-9)
    at = dict(speed=6.0, vx=1.5, vy=-0.2, radius=0.2, load=100.0, fx=30.0, fy=-20.0)
    drag = -100 * (0.0075 * (1 - exp(-50 * 1.5)) + 0.02 * 1.5)
    case("tyre", "ward_iagnemma_seen_published", "seen", "ward_iagnemma", dict(variant="as_published"), at,
         dict(friction_utilisation=30 / 80.0, resistance_force=drag), "by definition: the drag is part of the tyre's force", 1e-9)
    case("tyre", "ward_iagnemma_seen_back", "seen", "ward_iagnemma", {}, dict(at, vx=-1.5),
         dict(friction_utilisation=(30 + drag) / 80.0, resistance_force=-drag), "by definition", 1e-9)


def held(kappa, alpha, speed):
    """Slips of a law over |v| at a speed below 0.1 m/s, at which slips are deflections."""
    larger = max(1.0, 1 + kappa)
    x, y = kappa / larger, tan(alpha * DEG) / larger
    hub = 1 - max(x, 0) * rise(abs(speed) / 0.1)
    return x / hub, atan(y / hub) / DEG


def tyre_branch_cases():
    for i, (kappa, alpha, speed) in enumerate([(0.2, 3, 0.05), (0.5, -4, 0.02), (-0.2, 2, 0.03)]):
        k, a = held(kappa, alpha, speed)
        g = fiala(k, a)
        g["mz"] *= rise(speed)
        case("tyre", "fiala_holding_%d" % (i + 1), "tyre", "fiala", {}, dict(kappa=kappa, alpha=alpha, speed=speed), g,
             FIALA + "; below 0.1 m/s slips are deflections", 1e-8)
    for stiff in (8000.0, 1500.0):
        top = max(fiala(i / 20000.0, 0, cs=stiff)["fx"] for i in range(1, 20001)) / 6500
        case("tyre", "fiala_peak_%d" % stiff, "tyre", "fiala", dict(slip_stiffness=stiff), dict(kappa=0.02), dict(peak=top),
             FIALA + ": largest by a scan", 3e-6)
    # the slip angle of the largest lateral force: (1 - u)^2 = e u^2 (3 - 2u), e = d N/C_a, tan a = 3 mu N u/C_a
    for name, load, ca in (("light", 800.0, 50000.0), ("heavy", 20000.0, 30000.0)):
        top = max(range(1, 6001), key=lambda i: abs(fiala(0, i * 0.01, load, ca=ca)["fy"])) * 0.01
        case("tyre", "fiala_lateral_peak_" + name, "tyre", "fiala", dict(cornering_stiffness=ca), dict(alpha=top, load=load), dict(rho=1.0),
             FIALA + ": slip 1 at the largest lateral force, quotient within 2 %", 2e-2)
    # TMeasy
    nominal, most = 8562.82661, 29969.89313
    lines = lambda y, load: load / nominal * (2 * y[0] - 0.5 * y[1] - (y[0] - 0.5 * y[1]) * load / nominal)
    slips = lambda y, load: y[0] + (load / nominal - 1) * (y[1] - y[0])
    case("tyre", "tmeasy_peak_heavy", "tyre", "tmeasy", {}, dict(kappa=0.02, load=35000), dict(peak=lines(TMEASY["fxm"], most) / 35000),
         RILL + "; forces stay above the largest load", 1e-8)
    case("tyre", "tmeasy_edge", "tyre", "tmeasy", {}, dict(camber=25, load=6500), dict(mx=-0.5 * 0.3175 * 6500),
         "no farther than the edge of the patch", 1e-9)
    case("tyre", "tmeasy_edge_back", "tyre", "tmeasy", {}, dict(camber=-25, load=6500), dict(mx=0.5 * 0.3175 * 6500),
         "no farther than the edge of the patch", 1e-9)
    flat = dict(slope_x=1000, slope_x_double=2000, slope_y=900, slope_y_double=1800)
    case("tyre", "tmeasy_still_flat", "tyre", "tmeasy", flat, dict(load=7300),
         dict(secant_x=2 * lines(TMEASY["fxm"], 7300) / slips(TMEASY["sxm"], 7300) / 7300,
              secant_y=2 * lines(TMEASY["fym"], 7300) / slips(TMEASY["sym"], 7300) / 7300), RILL + ": no flatter than 2 f_m/s_m", 1e-8)
    for i, (kappa, alpha, mu) in enumerate([(0.05, 4, None), (-0.08, -9, 0.5)]):
        sx, sy = kappa / (1 + kappa), -tan(alpha * DEG) / (1 + kappa)
        scale = 1 if mu is None else mu / 0.8
        best = scale * hypot(slips(TMEASY["sxm"], 6500) * sx, slips(TMEASY["sym"], 6500) * sy) / hypot(sx, sy)
        at = dict(kappa=kappa, alpha=alpha)
        case("tyre", "tmeasy_rho_both_%d" % (i + 1), "tyre", "tmeasy", {}, at if mu is None else dict(at, mu=mu),
             dict(rho=hypot(sx, sy) / best), RILL + ": s/s_m", 1e-8)
    g = tmeasy(0.05, 3)
    case("tyre", "tmeasy_slow_moment", "tyre", "tmeasy", {}, dict(kappa=0.05, alpha=3, speed=0.4), dict(g, mz=g["mz"] * rise(0.4)),
         RILL + "; moments rise as u^2 (3 - 2u) up to 1 m/s", 1e-8)
    # PAC2002: all coefficients on less friction, slowly, backward; loads far above; slopes and peaks
    for i, (kappa, alpha, load, camber, mu) in enumerate([(0.02, 1.5, 6000, 1, 0.5), (-0.04, -3, 9500, -2, 0.6)]):
        case("tyre", "pac2002_friction_whole_%d" % (i + 1), "tyre", "pac2002", WHOLE,
             dict(kappa=kappa, alpha=alpha, load=load, camber=camber, mu=mu),
             pac2002(kappa, alpha, load, camber, mu=mu, extra=WHOLE), PACEJKA + "; similarity, sect. 4.2", 1e-9)
        r = pac2002(kappa, alpha, load, camber, speed=0.6, moves=rise(0.6), extra=WHOLE)
        case("tyre", "pac2002_slow_%d" % (i + 1), "tyre", "pac2002", WHOLE, dict(kappa=kappa, alpha=alpha, load=load, camber=camber, speed=0.6),
             r, PACEJKA + "; shifts and moments rise as u^2 (3 - 2u) up to vxlow", 1e-9)
        r = pac2002(kappa, alpha, load, camber, extra=WHOLE)
        case("tyre", "pac2002_backward_whole_%d" % (i + 1), "tyre", "pac2002", WHOLE,
             dict(kappa=kappa, alpha=alpha, load=load, camber=camber, speed=-20),
             dict(fx=-r["fx"], fy=r["fy"], mz=-r["mz"], mx=r["mx"]), "half a turn about the vertical, then its mirror image", 1e-9)
    p = pac2002(0.03, 2, 25500)
    case("tyre", "pac2002_thrice", "tyre", "pac2002", {}, dict(kappa=0.03, alpha=2, load=34000), {k: p[k] / 0.75 for k in ("fx", "fy")},
         "coefficients of three times the nominal load above that", 1e-9)
    for i, (kappa, alpha) in enumerate([(0.07, 2.5), (-0.06, -3.5)]):
        at = dict(kappa=kappa, alpha=alpha, load=7300)
        case("tyre", "pac2002_secant_y_%d" % (i + 1), "tyre", "pac2002", {}, at,
             dict(secant_y=secants(kappa, alpha, 7300, pac2002(kappa, alpha, 7300))["secant_y"]),
             PACEJKA + ": force over slip of the patch", 1e-8)
    ellipse = dict(rbx1=0, rby1=0)
    fx0, fy0 = pac2002(0.08, 0, 8500)["fx"], pac2002(0, 6, 8500)["fy"]
    over = max(1, hypot(fx0 / (0.9 * 8500), fy0 / (0.85 * 8500)))
    case("tyre", "pac2002_ellipse_secants", "tyre", "pac2002", ellipse, dict(kappa=0.08, alpha=6, load=8500),
         secants(0.08, 6, 8500, dict(fx=fx0 / over, fy=fy0 / over)), "friction ellipse", 1e-9)
    case("tyre", "pac2002_peak_rises", "tyre", "pac2002", dict(pcx1=0.8), dict(kappa=0.05, load=8500), dict(peak=0.9 * sin(0.4 * pi)),
         PACEJKA + ": a curve that only rises, D sin(C pi/2)", 1e-9)
    case("tyre", "pac2002_peak_load", "tyre", "pac2002", {}, dict(kappa=0.05, load=6000, mu=0.4), dict(peak=0.5 * (0.9 - 0.08 * (6000 / 8500.0 - 1))),
         PACEJKA + ": D", 1e-9)
    bend = lambda b, e: b - e * (b - atan(b))
    for name, pcx1, top in (("full", 1.6, 1.0), ("rises", 0.8, 0.95 * 0.8)):
        b = 20.0 / (pcx1 * 0.9)
        case("tyre", "pac2002_rho_x_" + name, "tyre", "pac2002", dict(pcx1=pcx1), dict(kappa=0.06, load=8500),
             dict(rho=pcx1 * atan(bend(b * 0.06, 0.1)) / (top * pi / 2)), PACEJKA + ": angle of the sine over that of its largest", 1e-9)
    b = 12 * sin(2 * atan(0.5)) / (1.4 * 0.85)
    x = 1.6 * atan(bend(20 / (1.6 * 0.9) * 0.06, 0.1)) / (pi / 2)
    y = 1.4 * atan(bend(b * 4 * DEG, -0.5)) / (pi / 2)
    case("tyre", "pac2002_rho", "tyre", "pac2002", {}, dict(kappa=0.06, alpha=4, load=8500), dict(rho=hypot(x, y)),
         PACEJKA + ": of both directions", 1e-9)
    # springs
    case("tyre", "pac2002_load_curve_start", "carcass", "pac2002", dict(deflection_load_curve=[0.01, 3000, 0.03, 12000]), dict(deflection=0.05),
         dict(load=21000, stiffness=450e3, energy=15 + 0.02 * 7500 + 0.02 * 16500), "from the origin, straight beyond the last point", 1e-9)
    case("tyre", "pac2002_rim_given", "carcass", "pac2002", dict(bottoming_stiffness=2e6), dict(deflection=0.27),
         dict(load=450e3 * 0.27 + 2e6 * 0.02, stiffness=2450e3), "spring and rim", 1e-9)
    for kind, most in (("tmeasy", 411120.9242), ("pac2002", 450e3), ("linear", 200e3)):
        case("tyre", kind + "_carcass_lifts", "carcass", kind, {}, dict(deflection=0.0002, rate=-2), dict(load=0, stiffness=0, damping=0),
             "the ground does not pull", 1e-12)
    case("tyre", "carcass_least", "carcass", "tmeasy", {}, dict(deflection=1e-4, radius=0.4), dict(relaxation_x=0.02, relaxation_y=0.02),
         "at least 0.05 of the radius", 1e-9)
    case("tyre", "linear_seen", "seen", "linear", {}, dict(vx=20, load=4000, deflection=0.02, patch_x=0.01, patch_y=-0.03),
         dict(radial_stiffness=200e3, elastic_energy=40, relaxation_length_x=0.235, relaxation_length_y=0.235, transient_slip=0.01 / 0.235,
              transient_slip_angle=atan(-0.03 / 0.235)), "by definition", 1e-9)
    at = dict(vx=20, load=7000, deflection=0.0155, patch_x=0.01, patch_y=-0.02, fy=-900, aligning=45)
    case("tyre", "pac2002_seen_trail", "seen", "pac2002", {}, at, dict(pneumatic_trail=0.05, transient_slip=0.01 / 0.235,
         transient_slip_angle=atan(-0.02 / 0.235)), "by definition", 1e-9)


def hard_branch_cases():
    # tyres of other crossover angles: the slip of the largest force is tan(3 x crossover)
    c = SURFACES["gravel"]
    px = scan_peak(lambda s: magic(c, s))
    for cross in (0.2, 0.6):
        py = tan(min(3 * cross, 1.2))
        for x, y in ((0.05, 0.3), (-0.1, -0.8)):
            g = similar(x, y, px, py, lambda s: magic(c, s), lambda s: magic(c, px) * crolla(s, cross))
            case("soil", "hard_crossover_%g_%g" % (cross, x), "traction", "magic_formula", dict(surface="gravel"),
                 dict(slip_x=x, slip_y=y, crossover=cross), g, BAKKER + "; Crolla and El-Razaz", 1e-5)
    # shifted curves: their own peaks, whichever sense; a place's friction is the larger one
    user = dict(surface="user", b=8, c=1.7, d=0.7, e=0.5, b_y=9, c_y=1.5, d_y=0.6, e_y=-0.5, lateral="magic_formula",
                horizontal_shift=0.01, vertical_shift=0.05, horizontal_shift_y=-0.02, vertical_shift_y=0.03)
    along, across = (8, 1.7, 0.7, 0.5), (9, 1.5, 0.6, -0.5)
    px, py = scan_peak(lambda s: magic(along, s)), scan_peak(lambda s: magic(across, s))
    faded = lambda m, s, sense, peak, h, v: max(0, magic(m, min(s, 1) + sense * min(s / peak, 1) * h) + sense * min(s / peak, 1) * v)
    fx = lambda s, sense: faded(along, s, sense, px, 0.01, 0.05)
    fy = lambda s, sense: faded(across, s, sense, py, -0.02, 0.03)
    peaks = {sense: scan_peak(lambda s: fx(s, sense)) for sense in (1, -1)}
    sides = {sense: scan_peak(lambda s: fy(s, sense)) for sense in (1, -1)}
    best = max(fx(peaks[1], 1), fx(peaks[-1], -1))
    for x, y in ((0.1, 0.05), (-0.06, -0.1), (0.04, -0.3), (-0.3, 0.07)):
        a, b = sign(x), sign(y)
        g = similar(x, y, peaks[a], sides[b], lambda s: fx(s, a), lambda s: fy(s, b))
        case("soil", "hard_shifted_%g_%g" % (x, y), "traction", "magic_formula", user, dict(slip_x=x, slip_y=y),
             dict(g, peak=best, secant_x=g["mu_x"] / x, secant_y=-g["mu_y"] / y), BAKKER + "; peaks of the shifted curves", 1e-5)
    case("soil", "hard_shifted_place", "traction", "magic_formula", user, dict(slip_x=0.1, friction=0.3),
         dict(mu_x=0.3 * fx(0.1, 1) / best, peak=0.3), BAKKER + "; of the place the larger of both peaks", 1e-5)
    printed = dict(user, variant="as_published")
    for s, y in ((0.1, 0.05), (-0.04, -0.3)):
        mu_x = sign(s) * magic(along, abs(s) + sign(s) * 0.01) + 0.05
        mu_y = sign(y) * magic(across, abs(y) - sign(y) * 0.02) + 0.03
        case("soil", "hard_published_secants_%g" % s, "traction", "magic_formula", printed, dict(slip_x=s, slip_y=y, friction=0.35),
             dict(secant_x=0.35 / best * abs(mu_x / s), secant_y=0.35 / best * abs(mu_y / y), mu_x=0.35 / best * mu_x,
                  mu_y=-0.35 / best * mu_y), "as MAVS prints it: force over slip", 1e-5)
    case("soil", "hard_published_crolla", "traction", "magic_formula", dict(printed, lateral="crolla"), dict(slip_x=0.02, slip_y=0.1),
         dict(mu_x=magic(along, 0.03) + 0.05), "as MAVS prints it: along in full", 1e-5)
    ice = (10, 2, 0.1, 1.0)
    pi_ = scan_peak(lambda s: magic(ice, s))
    g = similar(0.05, 0.0, pi_, 1, lambda s: magic(ice, s), lambda s: 0)
    case("soil", "hard_ice_published", "traction", "magic_formula", dict(surface="ice", variant="as_published"), dict(slip_x=0.05),
         dict(mu_x=g["mu_x"], rho=g["rho"]), BAKKER + "; B = 10 in the text of MAVS", 3e-6)
    for name in ("wet", "snow", "ice", "gravel"):
        case("soil", "hard_friction_" + name, "traction", "magic_formula", dict(surface=name), {}, dict(friction=SURFACES[name][2]),
             BAKKER + ": D, for tyres with a law of their own", 1e-12)
    case("soil", "hard_friction_user", "traction", "magic_formula", dict(surface="user", d=0.63), {}, dict(friction=0.63), "as given", 1e-12)
    # cone index: weak and very weak ground, flattened tyres, crossover
    n, b, d, h = 6500.0, 0.3175, 0.94, 0.2604
    for ci, delta, cross in ((20e3, 0.03, 0.09), (100e3, 0.03, 0.2), (400e3, 0.25, 0.6)):
        at = dict(load=n, deflection=delta, diameter=d, width=b, section=h, slip_x=0.25, slip_y=0.2, crossover=cross)
        flat, slender = min(delta / h, 0.9), b / d
        py = tan(min(3 * cross, 1.2))
        size = hypot(0.25, 0.2)  # both directions are read at the same slip
        def both(gross, source, kind, r, tol=1e-5):
            case("soil", "%s_weak_%d" % (kind, ci / 1e3), "traction", kind, dict(cone_index=ci), at,
                 dict(mu_x=gross(min(size, 1)) * 0.25 / size, mu_y=-gross(1.0) * crolla(size, cross) * 0.2 / size, resistance=r,
                      peak=gross(1.0), rho=hypot(0.25, 0.2 / py)), source, tol)
        nc = ci * b * d / (n * (1 - flat) ** 1.5 * (1 + slender) ** 0.75)
        q = min(1 / nc, 1)
        sp, r = 21 * q ** 2.5 + 0.005, 12 * q ** 2 + 0.007
        both(lambda s: min(0.9, r * s / sp if s < sp else 0.5 * log10(s / sp) * (1 + slender) ** 0.25 + r),
             "Dettwiller et al. 2018; a numeric of 1 at least", "clay", r)
        ns = ci / 0.088138 * (b * d) ** 1.5 * flat / n
        star = ci * (b * d) ** 1.5 / ((1 - flat) * n) / 0.0254
        x = 0.44 - 0.002287 * star
        both(lambda s: 0.66 - 0.66 * (4.71 + 1.72 / s) / (ns + 10 + 4.71 + 1.72 / s), "Mason et al. 2018; Williams et al. 2019", "sand",
             x + sqrt(x * x + 0.0000457 * star + 0.08) + 0.05 * flat)
        bn = max(ci * b * d / n * (1 + 5 * flat) / (1 + 3 * slender), 0.1)
        both(lambda s: 0.88 * (1 - exp(-0.1 * bn)) * (1 - exp(-7.5 * s)) + 0.04 * (1 - exp(-s / 0.01)), "Brixius 1987, ASAE 87-1622", "brixius",
             1 / bn + 0.5 * 0.25 / sqrt(bn) + 0.04)
    stuck = dict(load=n, deflection=0.03, diameter=d, width=b, section=h, slip_x=0.4)
    case("soil", "brixius_stuck", "traction", "brixius", dict(cone_index=1000), stuck, dict(resistance=10 + 0.5 * 0.4 * sqrt(10) + 0.04),
         "Brixius 1987; a mobility number of 0.1 at least", 1e-9)
    # both printed forms together, and slopes
    delta, s, y = 0.03, 0.2, 0.1
    nc = 500e3 * b * d / (n * (1 - delta / h) ** 1.5 * (1 + b / d) ** 0.75)
    net = 0.5 * log10(s / (21 / nc ** 2.5)) * (1 + b / d) ** 0.25 - 12 / nc ** 2 - 0.007
    both = dict(cone_index=500e3, variant="as_published", lateral="crolla_longitudinal")
    at = dict(load=n, deflection=delta, diameter=d, width=b, section=h, slip_x=s, slip_y=y)
    case("soil", "clay_published_longitudinal", "traction", "clay", both, at, dict(mu_x=net, mu_y=-abs(net) * crolla(y, 0.09)),
         "as MAVS prints it", 1e-5)
    ns = 500e3 / 3.47 * (b * d) ** 1.5 * delta / (n * h)
    x = 0.44 + 0.002287 * n
    printed = 0.66 - 0.66 * (4.71 + 1.72 / s) / (ns + 10 + 4.71 + 1.72 / s) - (x + sqrt(x * x + 0.0000457 * n + 0.08) + 0.05 * delta / h)
    case("soil", "sand_published_longitudinal", "traction", "sand", both, at, dict(mu_x=printed, mu_y=-abs(printed) * crolla(y, 0.09)),
         "as MAVS prints it", 1e-9)
    case("soil", "sand_published_secant", "traction", "sand", dict(cone_index=500e3, variant="as_published"), at,
         dict(secant_x=abs(printed) / s), "force over slip", 1e-9)


def soil_branch_cases():
    """Wheels at a given depth: braking, backward, standing, in their own prints, on curves that are no powers; slopes."""
    h, R, b = 0.04, 0.3, 0.2
    bare = dict(PLAIN, exponent=1, k_phi=1e6, k_c=0, cohesion=0, friction_angle=0, peak_angle=0, peak_angle_slip=0)
    shear = dict(bare, cohesion=1500, friction_angle=25 * DEG, shear_deformation_modulus=0.015, peak_angle=0.3, peak_angle_slip=0.2)
    own = dict(c=1500.0, phi=25, K=0.015)
    tf = acos(1 - h / R)

    def row(name, settings, at, gives, source, tol=3e-6):
        case("soil", name, "sink", "bekker", settings, at, gives, source, tol)

    # what slip brings of the torque, slopes, displacement over K, pressures
    for s, beta in ((0.3, 8.0), (0.1, -5.0)):
        f = under(Soil(1, 1e6, a0=0.3, a1=0.2, **own), h, R, b, s, beta)
        y = (1 - s) * tan(beta * DEG)
        row("bekker_tells_%g" % s, shear, dict(slip_x=s, slip_y=y),
            dict(secant_x=f["gain"] / f["fz"], secant_y=-f["fy"] / f["fz"] / y, rho=hypot(s, y) / 0.015 * f["arc"] / 3, pressure=f["top"],
                 footprint=h, resistance=f["torque"] / R - f["fx"]), WONG + "; by definition")
    kr = 0.6
    row("bekker_hump_rho", dict(shear, shear_curve="hump", residual=kr), dict(slip_x=0.2), dict(rho=0.2 / 0.015 * R * tf), "j/K at the deepest point")
    f = under(Soil(1, 1e6, a0=0.3, a1=0.2, Ky=0.02, **own), h, R, b, 0.2, 10)
    y = 0.8 * tan(10 * DEG)
    row("bekker_separate_tells", dict(shear, shear_deformation_modulus_y=0.02), dict(slip_x=0.2, slip_y=y),
        dict(rho=hypot(0.2 / 0.015, y / 0.02) * f["arc"] / 3, secant_y=-f["fy"] / f["fz"] / y), WONG + "; by definition")
    # braked, backward, standing
    slip, y = -0.3, 0.05
    along = slip / 0.7
    beta = atan(y / 0.7 / (1 - along)) / DEG
    f = under(Soil(1, 1e6, a0=0.3 - 0.2 * 0.3, **own), h, R, b, along, beta)
    row("bekker_braked", shear, dict(slip_x=slip, slip_y=y),
        dict(load=f["fz"], torque=f["torque"] / R, net=f["fx"], side=f["fy"], secant_y=-f["fy"] / f["fz"] / y, secant_x=f["gain"] / 0.7 / f["fz"]),
        WONG + ", slip over the hub's speed")
    f = under(Soil(1, 1e6, a0=0.3, a1=0.2, shear="isotropic", **own), h, R, b, 0.3, 8)
    y = 0.7 * tan(8 * DEG)
    row("bekker_backward", dict(shear, shear="isotropic"), dict(slip_x=-0.3, slip_y=y, direction=-1),
        dict(load=f["fz"], torque=-f["torque"] / R, side=f["fy"], resistance=f["torque"] / R - f["fx"], overturning=f["mx"], aligning=-f["mz"]),
        WONG + ", the mirror image")
    f = under(Soil(1, 1e6, a0=0.3, **own), h, R, b, 0.05, standing=True)
    row("bekker_stands", shear, dict(slip_x=0.05, direction=0), dict(load=f["fz"], torque=f["torque"] / R, net=f["fx"], secant_x=f["torque"] / R / 0.05 / f["fz"]),
        WONG + ", without a front: soil shears as far as the wheel slips")
    strong = (0.7, 1.5 * 1500, tan(1.3 * 25 * DEG), 3.0)
    f = under(Soil(1, 1e6, rubber=strong, a0=0.3, a1=0.2, **own), h, R, b, 0.3)
    row("bekker_rubber_holds", dict(shear, rubber_share=0.7, adhesion_ratio=1.5, adhesion_angle_ratio=1.3, rubber_friction=3), dict(slip_x=0.3),
        dict(load=f["fz"], torque=f["torque"] / R, peak=f["most"]), "soil that is weaker than what holds the rubber", 1.7e-3)
    # sides of the plate, whichever is smaller
    f = under(Soil(1, 4e5 + 1.2e5 / (R * tf)), h, R, b, 0.0)
    row("bekker_smaller", dict(bare, plate="smaller", k_phi=4e5, k_c=1.2e5), {}, dict(load=f["fz"]), "k = k_c/b + k_phi, b the length of the contact")
    ratio = 0.05
    f = under(Soil(1, 4e5 + 1.2e5 / (R * (tf + acos(1 - ratio * h / R))), exit=lambda z: ratio * z), h, R, b, 0.0)
    row("bekker_smaller_exit", dict(bare, plate="smaller", k_phi=4e5, k_c=1.2e5, exit_ratio=ratio), {}, dict(load=f["fz"]),
        "k = k_c/b + k_phi, b the whole length of the contact", 1e-5)
    # slopes of the load: rigid, on soil that springs back, with a soft tyre in series
    rigid = lambda z, **m: under(Soil(1, 1e6, a0=0.3, **dict(own, **m)), z, R, b, 0.2)["fz"]
    slope = (rigid(h * 1.0001) - rigid(h * 0.9999)) / (0.0002 * h)
    row("bekker_slope", dict(shear, peak_angle_slip=0), dict(slip_x=0.2, k=1e14), dict(stiffness=slope), "difference of the loads", 1e-3)
    row("bekker_slope_tyre", dict(shear, peak_angle_slip=0), dict(slip_x=0.2, k=1e12, load=0, depth=0.04, c=0), dict(stiffness=slope / (1 + slope / 1e12)),
        "tyre and soil in series", 1e-3)
    flat = 0.015
    grown = lambda z, d: under(Soil(1, 1e6), z, R * (sqrt(1 + d / z) + sqrt(d / z)) ** 2, b, 0.0, parts=100)["fz"]
    load, k = grown(h, flat), 300e3
    dz, dd = (grown(h + 1e-6, flat) - grown(h - 1e-6, flat)) / 2e-6, (grown(h, flat + 1e-6) - grown(h, flat - 1e-6)) / 2e-6
    soft = dict(bare, circle="approximate")
    row("bekker_series", soft, dict(depth=h + flat, sinkage=h, k=k, load=load), dict(load=load, sinkage=h, stiffness=k * dz / (dz - dd + k)),
        "k F_z/(F_z - F_d + k)", 6e-2)
    row("bekker_series_damping", soft, dict(depth=h + flat, sinkage=h, k=k, load=load, c=2000, dt=1e9), dict(damping=2000 * (dz - dd) / (dz - dd + k)),
        "c of the tyre, in series with the soil; the slope by deflection is an estimate", 0.1)
    fast = dict(bare, quadrature="fast", friction_angle=25 * DEG, cohesion=1500, shear_deformation_modulus=0.015, shear="isotropic")
    f = under(Soil(1, 1e6, shear="isotropic", **own), h, R, b, 0.2)
    some = lambda z: under(Soil(1, 1e6, shear="isotropic", **own), z, R, b, 0.2)["fz"]
    slope_fast = (some(h * 1.001) - some(h * 0.999)) / (0.002 * h)
    row("bekker_fast", fast, dict(slip_x=0.2), dict(load=f["fz"], torque=f["torque"] / R, net=f["fx"], peak=f["most"]), WONG + ", of few points", 1e-2)
    row("bekker_fast_slope", fast, dict(slip_x=0.2), dict(stiffness=slope_fast), "difference of the loads, estimated", 5e-2)
    # sunk by more than 0.9 of the radius: the contact of that, pressed deeper
    deep = 0.28 / 0.27
    f = under(Soil(1, 1e6 * deep, **own), 0.27, R, b, 0.2)
    row("bekker_buried", dict(shear, peak_angle=0, peak_angle_slip=0), dict(slip_x=0.2, depth=0.28, sinkage=0.28), dict(load=f["fz"], torque=f["torque"] / R),
        "the contact of 0.9 of the radius", 1e-4)
    f = under(Soil(1, 1e6), h, R * (sqrt(1 + flat / h) + sqrt(flat / h)) ** 2, b, 0.0)
    row("bekker_carcass", dict(soft, rolling_resistance=0.02), dict(depth=h + flat, sinkage=h, k=k, load=load),
        dict(resistance=f["torque"] / R - f["fx"] + 0.02 * load), "of the soil, and of the tyre itself", 1e-4)
    row("bekker_carcass_rigid", dict(bare, rolling_resistance=0.02), {}, dict(resistance=b * 1e6 * h * h / 2), "a rigid wheel has none", 1e-5)
    # larger circles that leave as they are printed
    R2 = R * (sqrt(1 + flat / h) + sqrt(flat / h)) ** 2
    f = under(Soil(1, 1e6, exit=lambda z: 0.3 * z), h, R2, b, 0.0)
    row("bekker_circle_exit", dict(soft, exit="circle", exit_ratio=0.3), dict(depth=h + flat, sinkage=h, k=1e9, load=f["fz"]),
        dict(load=f["fz"], sinkage=h, rut=0.7 * h), "acos(1 - rebound/R_s), as ROAMS prints it", 1e-4)
    # slip sinkage: part of the depth that slip has brought
    lyasko = (1 - 0.15) / 1.3
    row("bekker_lyasko_part", dict(shear, slip_sinkage="lyasko"), dict(slip_x=0.3), dict(slip_sinkage=(1 - lyasko) * h), "z/z_0 = (1 + s)/(1 - s/2)")
    row("bekker_exponent_part", dict(bare, exponent_slip=0.4), dict(slip_x=0.5), dict(slip_sinkage=h - b * (h / b) ** 1.2),
        "n = n_0 + n_1 s: the depth that n_0 has at this pressure")
    # prints: a wheel that comes up keeps 1 - (z_p - z)/h of the stresses, h that the soil springs back
    z = 0.039
    whole = under(Soil(1, 1e6, exit=lambda x: 0.1 * x), h, R, b, 0.0)
    spring = dict(bare, exit_ratio=0.1)
    row("bekker_print", spring, dict(depth=z, sinkage=z, footprint=h), dict(load=0.75 * whole["fz"], rut=0.9 * h, footprint=h, pressed=h, pressure=0.75e6 * h),
        "unloading over the rebound", 1e-5)
    row("bekker_print_slope", spring, dict(depth=z, sinkage=z, footprint=h), dict(stiffness=whole["fz"] / 0.004), "load over the rebound", 1e-3)
    for name, distance, resistance in (("rolls", 0.05, 0.3), ("rolls_far", 0.3, 0.01)):
        contact = sqrt(h * (2 * R - h))
        lasts = 1 / (1 + distance * max(resistance / 0.004, 1 / contact))
        left = lasts * (h - z)
        f = under(Soil(1, 1e6, exit=lambda x: 0.1 * x), z + left, R, b, 0.0)
        row("bekker_print_" + name, spring, dict(depth=z, sinkage=z, footprint=h, distance=distance, resistance=resistance),
            dict(load=f["fz"] * (1 - left / (0.1 * (z + left))), footprint=z + left, rut=0.9 * (z + left)), "it fades over h N/R, within the contact's length", 1e-5)
    row("bekker_print_left", spring, dict(depth=0.035, sinkage=0.035, footprint=h), dict(load=0, footprint=h), "no load above where the soil has sprung back", 1e-5)
    # a second pass on soil that springs back along its line
    k0 = 5e6
    soil = Soil(1, 1e6, exit=lambda z: min(1e6 * z / k0, z), line=True)
    for name, pressed in (("through", 0.03), ("within", 0.042)):
        f = under(soil, h, R, b, 0, 0, pressed)
        row("bekker_again_" + name, dict(bare, rebound="stiffness", rebound_stiffness=k0, rebound_gradient=0, largest_rebound=1),
            dict(pressed=pressed), dict(load=f["fz"], net=f["fx"] if pressed < h else 0, rut=0.8 * max(h, pressed)),
            "Wong: along p - k_u (z_u - z); soil that only springs takes no work", 1e-3)
    # bulldozing in front only of what is fresh; firmer by passes and by place
    passive = tan(60 * DEG) ** 2
    dozer = dict(bare, cohesion=800, friction_angle=30 * DEG, unit_weight=16e3, shear_deformation_modulus=1e-5, bulldozing="front")
    f = under(Soil(1, 1e6, 800., 30, 1e-5), h, R, b, 0.2)
    push = lambda z, c, w: b * (0.5 * passive * w * z * z + 2 * c * sqrt(passive) * z)
    row("bekker_front", dozer, dict(slip_x=0.2), dict(net=f["fx"] - push(h, 800, 16e3)), "Rankine in front", 2e-4)
    more = 1 + 0.1 * 2
    f = under(Soil(1, 1e6, 800. * more, 30, 1e-5), h, R, b, 0.2)
    row("bekker_front_passes", dict(dozer, pass_gain=0.1), dict(slip_x=0.2, passes=2), dict(net=f["fx"] - push(h, 800 * more, 16e3 * more)),
        "Rankine in front; Senatore and Sandu 2011", 2e-4)
    d0 = 45 - 15.0
    cot = 1 / tan(d0 * DEG)
    d1, d2 = cot + tan((d0 + 30) * DEG), cot + cot * cot * tan(30 * DEG)
    ci = janosi(0, 1e6, 1)
    wall = lambda z: d1 * (800 * more * 1.3 * z + 0.5 * d2 * 16e3 * more * z * z)
    f = under(Soil(1, 1.3e6, 800. * more * 1.3, 30, 1e-5, wall=wall), h, R, b, 0.2, 15)
    row("bekker_side_passes", dict(dozer, bulldozing="side", pass_gain=0.1), dict(slip_x=0.2, slip_y=0.8 * tan(15 * DEG), passes=2, strength=1.3 * ci),
        dict(load=f["fz"], side=f["fy"], net=f["fx"]), "Hegedus 1960; Senatore and Sandu 2011; cone index of the place", 2e-4)
    f = under(Soil(1, 1e6, exit=lambda z: 0.2 * z), h, R, b, 0, 0, 0.03)
    through = h - 0.8 * 0.03
    fresh = (h - 0.03) / through
    weight = 0.5 * 16e3 * through
    row("bekker_front_again", dict(bare, unit_weight=16e3, bulldozing="front", exit_ratio=0.2), dict(pressed=0.03),
        dict(net=f["fx"] - fresh * b * weight * through), "Rankine in front of what was not pressed before", 1e-3)
    kb = 20.0 * 1500 + 700 * 15e3 * b
    f = under(Soil(1, kb / b * 1.3, c=1500 * 1.3, phi=25, K=0.015, a0=0.3, a1=0.2), h, R, b, 0.2)
    row("bekker_reece_passes", dict(shear, k_phi=0, reece_c=20, reece_phi=700, pass_gain=0.1), dict(slip_x=0.2, passes=3),
        dict(load=f["fz"], torque=f["torque"] / R, net=f["fx"]), "Reece 1965, cohesion and weight by passes")
    f = under(Soil(1.2, (20.0 * 1500 + 700 * 15e3 * b) / b ** 1.2, c=1500, phi=25, K=0.015, a0=0.3, a1=0.2), h, R, b, 0.2)
    row("bekker_reece_slip", dict(shear, k_phi=0, reece_c=20, reece_phi=700, exponent_slip=1.0), dict(slip_x=0.2), dict(load=f["fz"], torque=f["torque"] / R),
        "Reece 1965, n = n_0 + n_1 s", 3e-4)
    # curves that are no powers: the power with the curve's pressure and its work at the deepest point
    chord = sqrt(h * (2 * R - h))
    hydraulic = 2 * b * chord / (b + chord)
    snow = lambda km, zm: (lambda z: -km * zm * log(1 - z / zm))
    first_p, first_w = snow(40e3, 0.03)(0.0297), integrate(snow(40e3, 0.03), 0, 0.0297, 400)
    work = lambda f, z: integrate(f, 0, z, 400)
    two = snow(400e3, 0.2)
    mat = lambda z: 290e3 * z + 4 * 51e3 * z * z / hydraulic
    frost = lambda z: 1e6 * min(z, 0.03) + 1e8 * max(z - 0.03, 0)
    rocky = lambda z: mat(min(z, 0.035)) + 1e8 * max(z - 0.035, 0)
    soft = dict(shear, rebound="stiffness", largest_rebound=0)
    for name, settings, p, w, at in (
            ("snow", dict(curve="limited", layer_stiffness=400e3, layer_depth=0.1), snow(400e3, 0.1)(h), work(snow(400e3, 0.1), h), {}),
            ("snow_second", dict(curve="limited", layer_stiffness=40e3, layer_depth=0.03, second_stiffness=400e3, second_depth=0.2),
             first_p + two(h - 0.0297), first_w + first_p * (h - 0.0297) + work(two, h - 0.0297), {}),
            ("snow_place", dict(curve="limited", layer_stiffness=400e3, layer_depth=0.5), snow(400e3, 0.08)(h), work(snow(400e3, 0.08), h), dict(soft_depth=0.08)),
            ("mat", dict(curve="mat", mat_stiffness=290e3, mat_strength=51e3, mat_limit=0), mat(h), work(mat, h), {}),
            ("mat_flat", None, None, None, None),
            ("mat_broken", dict(curve="mat", mat_stiffness=290e3, mat_strength=51e3, mat_limit=0.9 * mat(h)), 290e3 * h, 145e3 * h * h, {}),
            ("mat_bottom", dict(curve="mat", mat_stiffness=290e3, mat_strength=51e3, mat_limit=0, mat_depth=0.035), rocky(h), work(mat, 0.035) + mat(0.035) * 0.005 + 5e7 * 0.005 ** 2, {}),
            ("frozen", dict(curve="frozen", frost_depth=0.03), frost(h), 5e5 * 0.03 ** 2 + 3e4 * 0.01 + 5e7 * 0.01 ** 2, {})):
        if name == "mat_flat":
            long = sqrt(flat * (2 * R - flat)) + sqrt((flat + h) * (2 * R - flat - h))
            hyd = 2 * b * long / (b + long)
            p, w = 290e3 * h + 4 * 51e3 * h * h / hyd, 145e3 * h * h + 4 * 51e3 * h ** 3 / (3 * hyd)
            n = p * h / w - 1
            f = under(Soil(n, p / h ** n, line=True), h, R2, b, 0.0)
            row("bekker_curve_mat_flat", dict(bare, circle="approximate", rebound="stiffness", largest_rebound=0, curve="mat", mat_stiffness=290e3,
                                              mat_strength=51e3, mat_limit=0), dict(depth=h + flat, sinkage=h, k=1e9, load=f["fz"]),
                dict(load=f["fz"], sinkage=h), "4 A/perimeter of a soft tyre's contact", 1e-4)
            continue
        n = p * h / w - 1
        f = under(Soil(n, p / h ** n, a0=0.3, a1=0.2, line=True, **own), h, R, b, 0.2)
        row("bekker_curve_" + name, dict(soft, **settings), dict(at, slip_x=0.2), dict(load=f["fz"], torque=f["torque"] / R, net=f["fx"], pressure=f["top"]),
            "the power that has the curve's pressure and its work", 1e-3)
    softened = (1 - 0.1) / 1.2
    z = softened * h
    p, w = mat(z), work(mat, z)
    n = p * z / w - 1
    f = under(Soil(n, p / z ** n, a0=0.3, a1=0.2, counts=lambda s: softened, line=True, **own), h, R, b, 0.2)
    row("bekker_curve_mat_slip", dict(soft, slip_sinkage="lyasko", curve="mat", mat_stiffness=290e3, mat_strength=51e3, mat_limit=0), dict(slip_x=0.2),
        dict(load=f["fz"], torque=f["torque"] / R, net=f["fx"]), "Lyasko; the power that has the curve's pressure and its work", 1e-3)


def plate_branch_cases():
    n, kc, kp, b = 0.8, 30e3, 900e3, 0.25
    soil = dict(exponent=n, k_c=kc, k_phi=kp, rebound_stiffness=5e6, rebound_gradient=200e6, largest_rebound=1)
    k = kc / b + kp
    # rebound by a ratio; no more than a part of the depth, nor steeper than the curve
    case("soil", "plate_ratio", "plate", "bekker", dict(soil, rebound="ratio", exit_ratio=0.3), dict(depth=0.05, side=b), dict(rut=0.7 * 0.05),
         "rebound over sinkage", 1e-9)
    case("soil", "plate_rebound_part", "plate", "bekker", dict(soil, rebound_stiffness=1e5, rebound_gradient=0, largest_rebound=0.07), dict(depth=0.05, side=b),
         dict(rut=0.93 * 0.05), "at most a part of the sinkage", 1e-9)
    case("soil", "plate_rebound_steep", "plate", "bekker", dict(soil, exponent=1.6, rebound_stiffness=1e3, rebound_gradient=0), dict(depth=0.05, side=b),
         dict(rut=0.05 * (1 - 1 / 1.6)), "as steep as the curve at least: n p/z", 1e-9)
    # second layers of snow; beyond their ends; hard below peat
    snow = dict(soil, curve="limited", layer_stiffness=40e3, layer_depth=0.1, second_stiffness=400e3, second_depth=0.2)
    layer = lambda km, zm, z: -km * zm * log(1 - z / zm)
    area = lambda km, zm, z: km * zm * zm * ((1 - z / zm) * log(1 - z / zm) + z / zm)
    p1, w1 = layer(40e3, 0.1, 0.099), area(40e3, 0.1, 0.099)
    d = 0.16 - 0.099
    case("soil", "plate_snow_second", "plate", "bekker", snow, dict(depth=0.16, side=b),
         dict(pressure=p1 + layer(400e3, 0.2, d), work=w1 + p1 * d + area(400e3, 0.2, d)), "Wong 1983, of the second layer where the first closes to 0.01", 1e-9)
    one = dict(soil, curve="limited", layer_stiffness=40e3, layer_depth=0.3)
    case("soil", "plate_snow_work", "plate", "bekker", one, dict(depth=0.12, side=b), dict(work=area(40e3, 0.3, 0.12)), "its integral", 1e-9)
    z, end = 0.31, 0.999 * 0.3
    hard = max(40e3 / 0.001, 1e8)
    p = layer(40e3, 0.3, end)
    case("soil", "plate_snow_beyond", "plate", "bekker", one, dict(depth=z, side=b),
         dict(pressure=p + hard * (z - end), work=area(40e3, 0.3, end) + (z - end) * (p + 0.5 * hard * (z - end))), "0.1 GN/m3 beyond 0.999 of its depth", 1e-9)
    stiff, end, z = dict(soil, curve="limited", layer_stiffness=400e3, layer_depth=0.2), 0.999 * 0.2, 0.203
    p, hard = layer(400e3, 0.2, end), 400e3 / 0.001
    case("soil", "plate_snow_stiff", "plate", "bekker", stiff, dict(depth=z, side=b),
         dict(pressure=p + hard * (z - end), work=area(400e3, 0.2, end) + (z - end) * (p + 0.5 * hard * (z - end))), "as stiff as at 0.999 of its depth", 1e-9)
    case("soil", "plate_snow_place", "plate", "bekker", one, dict(depth=0.06, side=b, soft_depth=0.1, moisture=0.3),
         dict(pressure=layer(40e3, 0.1, 0.06)), "depth of the place", 1e-9)
    case("soil", "plate_snow_springs", "plate", "bekker", dict(one, largest_rebound=0.08), dict(depth=0.12, side=b), dict(rut=0.92 * 0.12),
         "a part of its sinkage", 1e-9)
    peat = dict(soil, curve="mat", mat_stiffness=290e3, mat_strength=51e3, mat_limit=0, mat_depth=0.07)
    mat = lambda z: 290e3 * z + 4 * 51e3 * z * z / b
    case("soil", "plate_peat_work", "plate", "bekker", peat, dict(depth=0.05, side=b), dict(work=145e3 * 0.05 ** 2 + 4 * 51e3 * 0.05 ** 3 / (3 * b)), "its integral", 1e-9)
    case("soil", "plate_peat_bottom", "plate", "bekker", peat, dict(depth=0.08, side=b),
         dict(pressure=mat(0.07) + 1e6, work=145e3 * 0.07 ** 2 + 4 * 51e3 * 0.07 ** 3 / (3 * b) + 0.01 * (mat(0.07) + 0.5e6)), "0.1 GN/m3 below the peat", 1e-9)
    case("soil", "plate_peat_again", "plate", "bekker", dict(peat, largest_rebound=0.2), dict(depth=0.055, side=b, pressed=0.06),
         dict(pressure=mat(0.06) * (1 - 0.005 / 0.012), stiffness=mat(0.06) / 0.012), "back along a line over its rebound", 1e-9)
    frozen = dict(soil, curve="frozen", frost_depth=0.05)
    p = k * 0.05 ** n
    case("soil", "plate_thaw_work", "plate", "bekker", frozen, dict(depth=0.06, side=b), dict(pressure=p + 1e6, work=p * 0.05 / 1.8 + 0.01 * (p + 0.5e6)),
         "the curve to the frost, 0.1 GN/m3 below", 1e-9)
    # firm soil of a place
    case("soil", "plate_place_given", "plate", "bekker", dict(soil, reference_cone_index=500e3, unit_weight=16e3, bulldozing="front", cohesion=1000, friction_angle=0),
         dict(depth=0.05, side=b, strength=600e3), dict(pressure=1.2 * k * 0.05 ** n, front_cohesion=2400, front_weight=8e3, stiffness=1.2 * n * k * 0.05 ** (n - 1)),
         "cone index over that of the soil; Rankine", 1e-9)
    case("soil", "plate_layer", "plate", "bekker", dict(soil, shear_deformation_modulus=0.017, tested_pressure=30e3, tested_sinkage=0.16), {},
         dict(slip_layer=0.034, tested_pressure=30e3, tested_sinkage=0.16), "2 K; as given", 1e-12)
    case("soil", "plate_layer_given", "plate", "bekker", dict(soil, slip_layer=0.05), {}, dict(slip_layer=0.05), "as given", 1e-12)


def rig_branch_cases():
    R, b, load = 0.47, 0.3175, 6500.0
    lete = dict(PLAIN, preset="lete_sand")
    # cone index and moisture of the place
    own = janosi(102e3, 5301e3, 0.793)
    k = 102e3 / b + 5301e3
    soil = Soil(0.793, 0.6 * k, 0.6 * 1300, 31.1, 0.012, 0.18, 0.32)
    h, f = steady(soil, load, R, b, 0.2)
    case("soil", "rig_place", "soil", "bekker", lete, dict(slip=0.2, cone_index=0.6 * own),
         dict(sinkage=h, pull=f["fx"], torque=f["torque"], limits=0), "Janosi: pressures and cohesion go with the cone index", 3e-5)
    wet = (0.2 / 0.15) ** -2.955
    soil = Soil(0.7, wet * (5.27e3 / b + 1515.04e3), wet * 1720, 29, 0.025, 0.18, 0.32)
    h, f = steady(soil, load, R, b, 0.2)
    case("soil", "rig_moisture", "soil", "bekker", dict(PLAIN, preset="sandy_loam_15"), dict(slip=0.2, moisture=0.2),
         dict(sinkage=h, pull=f["fx"], torque=f["torque"]), "(w/w_0)^-b", 3e-5)
    # an own track, efficiency driving and braked, the largest pressure
    h, f = steady(Soil.named("dry_sand", b), load, R, b, 0.4)
    case("soil", "rig_efficiency", "soil", "bekker", dict(PLAIN, preset="dry_sand"), dict(slip=0.4),
         dict(efficiency=f["fx"] * 0.6 / (f["torque"] / R), resistance=f["torque"] / R - f["fx"], pressure=f["top"], rut=h, pressed=h),
         "F_x v/(T w)", 3e-4)
    soil = Soil.named("clayey_soil_38", b)
    soil.a0, soil.a1 = soil.a0 - 0.2 * soil.a1, 0.0
    h, f = steady(soil, load, R, b, -0.25)
    case("soil", "rig_braked", "soil", "bekker", dict(PLAIN, preset="clayey_soil_38"), dict(slip=-0.2), dict(sinkage=h, pull=f["fx"], torque=f["torque"], efficiency=0),
         WONG + ", braked", 3e-4)
    # ranges of the law
    for name, kind, load in (("pressure", "snow_harrison", 1500.0), ("deep", "snow_sweden", 2200.0)):
        h, f = steady(Soil.named(kind, b), load, R, b, 0.0)
        case("soil", "rig_limits_" + name, "soil", "bekker", dict(PLAIN, preset=kind), dict(load=load),
             dict(limits=(h > R / 2) + 4 * (f["top"] > 30e3)), "beyond half the radius; beyond 30 kPa", 1e-12)
    case("soil", "rig_limits_sinkage", "soil", "bekker", dict(PLAIN, preset="lete_sand", tested_sinkage=0.004), {}, dict(limits=8), "beyond the plate's sinkage", 1e-12)
    # hard ground of cone index: sections that are not given
    n, d, delta, section = 6500.0, 0.94, 0.03, 0.4 * 0.47
    nc = 300e3 * b * d / (n * (1 - delta / section) ** 1.5 * (1 + b / d) ** 0.75)
    sp, r = 21 / nc ** 2.5 + 0.005, 12 / nc ** 2 + 0.007
    gross = 0.5 * log10(0.2 / sp) * (1 + b / d) ** 0.25 + r
    case("soil", "rig_section", "soil", "clay", dict(cone_index=300e3), dict(slip=0.2, stiffness=6500 / 0.03, section=0),
         dict(traction=gross * n, resistance=r * n), "Dettwiller et al. 2018; a section of 0.4 R", 1e-6)


def drive_branch_cases():
    d = "drive"
    # one pair of wheels; axles alone; unlike wheels
    case(d, "open_one_pair", "drive", "open", dict(front_rear_split=0.3, rear_left_right_split=0.45), dict(demand=1000, pairs=1),
         dict(fl=0, fr=0, rl=450, rr=550, gain_fl=0, gain_rr=0.55), "all to the axle that there is", 1e-12)
    case(d, "locked_one_pair", "drive", "locked", {}, dict(demand=1000, pairs=1), dict(fl=0, rl=500, rr=500, gain_fl=0, gain_rr=0.5),
         "all to the axle that there is", 1e-12)
    case(d, "biasing_front", "drive", "torque_biasing", dict(driven="front", front_left_right_split=0.4), dict(demand=1000, fl=9, fr=9, inertia=1e6),
         dict(fl=400, fr=600, rl=0, gain_fl=0.4, gain_rr=0), "one axle", 1e-12)
    case(d, "torsen_back", "drive", "torsen", dict(driven="front"), dict(demand=1000, fl=-20, fr=10), dict(fl=375, fr=625, rl=0, rr=0),
         "MVSim: (20, 10), b 1.5 gives 0.375, 0.625, of either sense", 1e-12)
    case(d, "torsen_stands", "drive", "torsen", dict(driven="front", front_left_right_split=0.6), dict(demand=1000, fl=0, fr=10), dict(fl=600, fr=400),
         "MVSim: its split beside a wheel that stands", 1e-12)
    case(d, "torsen_one_pair", "drive", "torsen", dict(rear_left_right_split=0.6), dict(demand=1000, rl=5, rr=5, pairs=1), dict(fl=0, rl=600, rr=400),
         "all to the axle that there is", 1e-12)
    case(d, "torsen_slower", "drive", "torsen", dict(front_rear_split=0.5, front_rear_bias=1.5), dict(demand=1000, fl=10, fr=10, rl=20, rr=20),
         dict(fl=312.5, fr=312.5, rl=187.5, rr=187.5, gain_fl=0.3125, gain_rr=0.1875), "MVSim: (10, 20), b 1.5 gives 0.625, 0.375", 1e-12)

    def lock(q, dw, mobility, dt, k=1e4, c=10.0, most=1e6):
        q = max(-most / k, min(most / k, q + dt * dw))
        return q, max(-most, min(most, (k * q + (k * dt + c) * dw) / (1 + dt * mobility * (k * dt + c))))
    m = 1 / 8.0 + 1 / 2.0
    own = dict(stiffness=6e3, damping=25, limit=300)
    q = [0.0] * 3
    for _ in range(20):
        q[0], tc = lock(q[0], 0.5 * (5.3 + 5.1) - 0.5 * (5.0 + 5.1), 0.25 * 2 * m, 0.002, 6e3, 25, 300)
        q[1], tf = lock(q[1], 0.2, m, 0.002, 6e3, 25, 300)
        q[2], tr = lock(q[2], -0.1, m, 0.002, 6e3, 25, 300)
    case(d, "locked_unlike", "drive", "locked", own, dict(demand=400, fl=5.3, fr=5.1, rl=5.0, rr=5.1, inertia=8, inertia_right=2, dt=0.002, steps=20),
         dict(fl=0.5 * (200 - tc) - tf, fr=0.5 * (200 - tc) + tf, rl=0.5 * (200 + tc) - tr, rr=0.5 * (200 + tc) + tr),
         "shafts of stiffness k, damping c, implicit; wheels of unlike inertia", 1e-9)
    q = 0.0
    for k in range(400):
        q, t = lock(q, 2.0, 0.2, 0.001, 1e4, 10, 150)
    back, t = lock(q, 0.0, 0.2, 0.001, 1e4, 10, 150)
    case(d, "locked_keeps", "drive", "locked", dict(driven="rear", limit=150, damping=0), dict(demand=0, rl=5, rr=3, steps=400), dict(rl=-150, rr=150),
         "a coupling at its limit slips", 1e-9)
    f = lambda t, b, dw, mobility, dt, pre: (lambda half: half * tanh(dw / max(0.5, half * mobility * dt)))(0.5 * (abs(t) * (b - 1) / (b + 1) + pre))
    a, b = 1 / 0.08, 1 / 0.03
    casing = lambda s: s * s * a + (1 - s) ** 2 * b
    c = f(900, 2.0, 0.7 * 12 + 0.3 * 10 - (0.4 * 9 + 0.6 * 8), casing(0.7) + casing(0.4), 0.004, 15)
    front, rear = 0.45 * 900 - c, 0.55 * 900 + c
    one, two = f(front, 3.0, 2, a + b, 0.004, 15), f(rear, 2.5, 1, a + b, 0.004, 15)
    case(d, "biasing_unlike", "drive", "torque_biasing", dict(front_rear_split=0.45, front_rear_bias=2, front_left_right_bias=3, preload=15,
         rear_left_right_split=0.4, front_left_right_split=0.7), dict(demand=900, fl=12, fr=10, rl=9, rr=8, inertia=0.08, inertia_right=0.03, dt=0.004),
         dict(fl=0.7 * front - one, fr=0.3 * front + one, rl=0.4 * rear - two, rr=0.6 * rear + two),
         "T (B - 1)/(B + 1) + T_0, tanh(dw/w_s), w_s that of a step; wheels of unlike inertia", 1e-9)
    motor_branch_cases()
    powertrain_branch_cases()


def motor_branch_cases():
    d = "drive"
    K, R = 0.03757, 0.064

    def lugre(w, dt, inertia, z, tc=0.128, ts=0.19, ws=1.0, s0=50.0, s1=0.2, s2=0.0):
        s0, s1, s2 = min(s0, 0.5 * inertia / dt ** 2), min(s1, 0.25 * inertia / dt), min(s2, 0.25 * inertia / dt)
        g = tc + (ts - tc) * exp(-(w / ws) ** 2)
        size = w * tanh(1000 * w)
        a = s0 * size / g
        end = z * exp(-a * dt) + (w * (1 - exp(-a * dt)) / a if a else w * dt)
        end = max(-ts / s0, min(ts / s0, end))
        return end, s0 * end + s1 / (1 + s1 * size / g) * (end - z) / dt + s2 * w

    def friction(w, steps, dt=0.001, inertia=10.0, **more):
        z = 0.0
        for _ in range(steps):
            z, t = lugre(w, dt, inertia, z, **more)
        return t
    same = lambda x: dict(fl=x, fr=x, rl=x, rr=x)
    four = lambda x: dict(demand=x, demand2=x, demand3=x, demand4=x)
    each = dict(command="wheel", battery_current=1e4)
    # bristles: stuck, softened by a long step, limited
    for name, w, steps, dt, inertia, more in (("stuck", 0.01, 30, 0.001, 10.0, {}), ("softened", 0.4, 3, 0.05, 0.02, {}),
                                              ("limit", 0.5, 2, 0.2, 4.0, {}), ("viscous_short", 40.0, 20, 0.02, 0.01, dict(s2=0.3)), ("back", -0.3, 4, 0.001, 10.0, {})):
        case(d, "motor_bristles_" + name, "drive", "dc_motor", dict(each, **({"viscous_friction": 0.3} if more else {})),
             dict(same(w), steps=steps, dt=dt, inertia=inertia), dict(fl=-friction(w, steps, dt, inertia, **more)),
             "Canudas de Wit et al. 1995, as a step resolves it", 1e-6)
    # back-EMF at the end of long steps: the current that a chopper allows, V = R i + K w + K^2 dt/J (i - i')
    J, dt, w = 0.001, 0.05, 500.0
    rise = K * K * dt / J
    i = (36 - K * w) / (R + rise)
    for steps in (1, 2, 3):
        if steps > 1:
            i = (36 - K * w + rise * i) / (R + rise)
        case(d, "motor_long_step_%d" % steps, "drive", "dc_motor", dict(each, max_current=1e3), dict(four(1e3), **dict(same(w), inertia=J, dt=dt, steps=steps)),
             dict(fl=K * i - friction(w, steps, dt, J), current_fl=i, power=4 * (R * i * i + K * w * i)),
             "(V - K w + K^2 dt/J i')/(R + K^2 dt/J)", 1e-6)
    # battery: braked by plugging within its power, beyond the no-load speed, both together
    a, b = 4 * R * 1e4, -4 * K * 50 * 100
    lam = (-b + sqrt(b * b + 4 * a * 720)) / (2 * a)
    case(d, "motor_battery_plugs", "drive", "dc_motor", dict(command="wheel", battery_current=20), dict(four(-1e3), **dict(same(50), steps=400)),
         dict(fl=-K * lam * 100 - friction(50, 400), power=720), "all currents by one factor, 36 V x 20 A", 1e-6)
    over = (36 - K * 1100) / R
    case(d, "motor_overspeed", "drive", "dc_motor", dict(each, charging_current=1e4), dict(same(1100), steps=400),
         dict(fl=K * over - friction(1100, 400), power=4 * (R * over * over + K * 1100 * over)), "(V - K w)/R: it feeds back", 1e-6)
    speeds, wish = (1100.0, 100.0, 120.0, 80.0), (0.0, 95.0, 90.0, -70.0)
    lo = [max(-(36 + K * w) / R, min((36 - K * w) / R, x)) for w, x in zip(speeds, wish)]
    i0 = [min(0.0, (36 - K * w) / R) for w in speeds]
    a = sum(R * (i - j) ** 2 for i, j in zip(lo, i0))
    b = sum((2 * R * j + K * w) * (i - j) for i, j, w in zip(lo, i0, speeds))
    c = sum((R * j + K * w) * j for j, w in zip(i0, speeds))
    limit = 36 * 10.0
    lam = min(1.0, (-b + sqrt(b * b + 4 * a * (limit - c))) / (2 * a)) if a + b + c > limit else 1.0
    got = [j + lam * (i - j) for i, j in zip(lo, i0)]
    case(d, "motor_battery_mixed", "drive", "dc_motor", dict(command="wheel", battery_current=10, charging_current=1e4),
         dict({"demand": 0, "demand2": 95 * K, "demand3": 90 * K, "demand4": -70 * K, "steps": 400}, **dict(zip(("fl", "fr", "rl", "rr"), speeds))),
         {k: K * i - friction(w, 400) for k, i, w in zip(("fl", "fr", "rl", "rr"), got, speeds)}, "currents beyond those at rest by one factor", 1e-6)
    # what it tells, with an internal resistance; a charge that is limited; the whole vehicle's demand
    i, w = 70.0, 90.0
    asked = 4 * (R * i * i + K * w * i)
    volts = 0.5 * (36 + sqrt(36 * 36 - 4 * 0.01 * asked))
    case(d, "motor_tells_power", "drive", "dc_motor", dict(each, battery_resistance=0.01), dict(four(i * K), **dict(same(w), steps=400)),
         dict(tells4=K * i, tells8=4 * K * i * w, tells9=asked, tells10=volts, power=asked), "K i w; V = V_0 - R P/V", 1e-6)
    case(d, "motor_gain_vehicle", "drive", "dc_motor", dict(command="vehicle", battery_current=1e4, gear=3), dict(same(10), demand=4 * 20 * K * 3),
         dict(gain_fl=0.25, gain_rr=0.25), "equal shares", 1e-12)
    case(d, "motor_gain_voltage", "drive", "dc_motor", dict(battery_current=1e4, gear=3), dict(fl=310, fr=200, rl=310, rr=200, demand=20 * K * 3, demand2=20 * K * 3),
         dict(gain_fl=0, gain2_rr=1), "0 beyond 36 V: R i + K w", 1e-12)
    case(d, "motor_middle", "drive", "dc_motor", dict(battery_current=1e4), dict(demand=1.0, demand2=0.4, steps=400, rear_y=0, **same(50)),
         dict(fl=1 - friction(50, 400), fr=0.4 - friction(50, 400), rl=0.7 - friction(50, 400), rr=0.7 - friction(50, 400), gain_rr=0.5, gain2_rr=0.5, gain2_fl=0),
         "motors in the middle: the mean of both demands", 1e-6)
    case(d, "motor_middle_aside", "drive", "dc_motor", dict(battery_current=1e4), dict(demand=1.0, demand2=0.4, steps=400, rear_y=0, aside=1, **same(50)),
         dict(fl=1 - friction(50, 400), fr=0.4 - friction(50, 400), rl=0.7 - friction(50, 400), rr=0.7 - friction(50, 400)),
         "the middle is between the sides", 1e-6)
    case(d, "motor_undriven", "drive", "dc_motor", dict(command="vehicle", battery_current=1e4), dict(demand=3.0, steps=400, undriven=6, **same(50)),
         dict(fl=1.5 - friction(50, 400), fr=0, rl=0, rr=1.5 - friction(50, 400)), "two motors share the demand", 1e-6)
    gear, eff, w, i = 5.0, 0.8, 20.0, -40.0
    shaft = K * i - friction(gear * w, 400, inertia=10 / 25.0)
    case(d, "motor_gear_back", "drive", "dc_motor", dict(command="vehicle", gear=gear, efficiency=eff, battery_current=1e4, charging_current=1e4),
         dict(demand=4 * i * K * gear, steps=400, **same(w)), dict(fl=gear * shaft * exp(-gear * w / sqrt((gear * w) ** 2 + 1) * log(eff))),
         "n (K i - T_f)/eta where the wheel drives", 1e-6)
    # motors with a falling torque: in the middle, one for each side, undriven, without pairs
    motors = dict(max_torque=200, no_load_speed=40, voltage=48)
    case(d, "direct_middle", "drive", "direct", dict(motors, driven="all"), dict(demand=100, demand2=-60, rear_y=0, fl=10, fr=12, rl=-8, rr=50),
         dict(fl=100, fr=-60, rl=20, rr=0, gain_fl=1, gain2_fl=0, gain_rr=0, gain2_rr=0, low=-200, high=200, low2=-200, high2=200),
         "the mean of both demands", 1e-9)
    case(d, "direct_middle_free", "drive", "direct", dict(driven="all", max_torque=0), dict(demand=100, demand2=-60, rear_y=0),
         dict(rl=20, rr=20, gain_rr=0.5, gain2_rr=0.5), "the mean of both demands", 1e-9)
    case(d, "direct_lone", "drive", "direct", dict(motors, driven="rear"), dict(demand=500, demand2=-500, rl=10, rr=-12),
         dict(rl=150, rr=-140, fl=0, low=-200, high=150, low2=-140, high2=200, gain2_rr=0), "T (1 - w/w_0)", 1e-9)
    case(d, "direct_ends", "drive", "direct", dict(motors, driven="front"), dict(demand=100, demand2=50, pairs=1), dict(fl=100, fr=50, rl=0, rr=0),
         "wheels that are farthest ahead", 1e-12)
    case(d, "direct_undriven", "drive", "direct", dict(driven="all"), dict(demand=1e6, demand2=1e6, undriven=1), dict(fl=0, fr=2000 * 9.80665 / 3 * 0.47),
         "three motors pull with the weight", 1e-9)
    case(d, "direct_steep_falls", "drive", "direct", dict(max_torque=200, no_load_speed=10, driven="rear"),
         dict(demand=1e3, demand2=-1e3, rl=9.7, rr=-9.8, inertia=0.01, dt=0.001), dict(rl=3, rr=-2, low2=-2, high=3), "J/dt (w_0 - w)", 1e-9)
    case(d, "engine_undriven", "drive", "engine", {}, dict(demand=900, undriven=2, fl=30, fr=300, rl=30, rr=30), dict(fl=300, fr=0, rl=300, rr=300, tells0=99),
         "mean of the driven wheels", 1e-9)
    case(d, "engine_backward", "drive", "engine", dict(drag=30, drag_rate=0.1, efficiency=0.9), dict(demand=1e4, fl=-40, fr=-40, rl=-40, rr=-40),
         dict(sum=3.3 / 0.9 * (30 + 0.1 * 3.3 * 40), power=0), "drag against the motion, both ways", 1e-8)
    case(d, "engine_gear_tells", "drive", "engine", dict(gears=[3, 1.8, 1]), dict(demand=10, fl=70, fr=70, rl=70, rr=70), dict(tells0=231, tells1=3),
         "gear of the largest torque: the others turn beyond 150 pi rad/s", 1e-9)


def powertrain_branch_cases():
    d, chrono = "drive", "numbers of Project Chrono's HMMWV"
    drag, full = (lambda w: table(*CHRONO_DRAG, w)), (lambda w: table(*CHRONO_FULL, w))
    same = lambda x: dict(fl=x, fr=x, rl=x, rr=x)
    rigid = dict(coupling="rigid", shift_down=[0])
    # a shift that takes its time: the ratio goes from 5 to 2.5; inertia of the shafts goes through the gears
    steps, start, end, up = 2000, 9.0, 10.5, 250.0
    first = next(k for k in range(steps) if (start + 2.0 * (k + 1) / steps * (end - start)) * 25 > up)
    for name, throttle, time, part, eff in (("pulls", 1.0, 2.0, 0.3, 1.0), ("coasts", 0.0, 5.0, 1.0, 1.0), ("loses", 1.0, 2.0, 1.0, 0.9)):
        left0 = time - 0.001 * (steps - 1 - first)
        left1 = left0 - 0.001
        before, after = 2.5 * left0 / time, 2.5 * left1 / time
        out = 5 * end
        turbine, goal = (2.5 + before) * out, (2.5 + after) * out
        whole = lambda left: abs(2 * left / time - 1)
        gas = throttle * (1 - (1 - part) * (1 - whole(left0)))
        shaft = drag(turbine) + gas * full(turbine) - (0.5 + 0.3) * (goal - turbine) / 0.001
        gear = 2.5 if shaft > 0 else 5.0
        mesh = eff if shaft > 0 else 1 / eff
        told = throttle * (1 - (1 - part) * (1 - whole(left1)))
        case(d, "powertrain_shifts_" + name, "drive", "powertrain",
             dict(rigid, shift_up=[up], shift_time=time, shift_throttle=part, shift_margin=0, efficiency=eff),
             dict({"from": start}, throttle=throttle, steps=steps, **same(end)),
             dict(sum=5 * gear * mesh * shaft, tells0=goal, tells1=drag(goal) + told * full(goal), tells2=told, tells3=2, reflected=0.4),
             "torque through the gear in which the shaft turns slower; " + chrono, 1e-6)
    # with full throttle the next gear must carry the load: what of the torque does not accelerate the vehicle
    mass = 2000 * 0.47 ** 2 + 4 * 10
    def most(start, end, steps, throttle=1.0):
        lag, best = start, 0.0
        for k in range(steps):
            w = start + min(2.0 * (k + 1) / steps, 1) * (end - start)
            if 25 * w > 200.0 and abs(w - lag) <= 60 * 0.1:
                given = 25 * (drag(25 * w) + throttle * full(25 * w))
                load = given - (mass + 625 * 0.8) * (w - lag) / 0.1
                best = max(best, 12.5 * (drag(12.5 * w) + full(12.5 * w)) / load if load > 0 else 1e9)
            lag += (w - lag) * 0.001 / 0.101
        return best
    start, end, steps = 6.0, 9.0, 1200
    bound = most(start, end, steps)
    for name, part, gear in (("carries", 0.98, 2), ("carries_not", 1.02, 1)):
        case(d, "powertrain_" + name, "drive", "powertrain", dict(rigid, shift_up=[200], shift_margin=part * bound),
             dict({"from": start}, throttle=1, steps=steps, **same(end)), dict(tells3=gear), "torque of the next gear over the load", 1e-9)
    # slipping wheels do not shift
    def slips(limit):
        lag, start, end, steps = 6.0, 6.0, 9.0, 200
        for k in range(steps):
            w = start + min(2.0 * (k + 1) / steps, 1) * (end - start)
            if 25 * w > 200.0 and abs(w - lag) <= limit * 0.1:
                return True
            lag += (w - lag) * 0.001 / 0.101
        return False
    low = bisect(lambda x: slips(x) - 0.5, 0, 60)
    for name, part, gear in (("slips", 0.96, 1), ("slips_not", 1.04, 2)):
        case(d, "powertrain_" + name, "drive", "powertrain", dict(rigid, shift_up=[200], shift_margin=0, shift_acceleration=part * low),
             dict({"from": 6}, throttle=1, steps=200, **same(9)), dict(tells3=gear), "no shift while the wheels gain speed faster", 1e-9)
    # directions
    for name, wheel, gear in (("turns", 0.45, -1), ("turns_not", 0.55, 1)):
        case(d, "powertrain_" + name, "drive", "powertrain", dict(rigid, shift_up=[1e5]), dict(throttle=-1, steps=30, **same(wheel)), dict(tells3=gear),
             "reverse below 0.5 rad/s", 1e-9)
    for name, wheel, gear in (("back", -0.45, 1), ("back_not", -0.55, -1)):
        case(d, "powertrain_turns_" + name, "drive", "powertrain", dict(rigid, shift_up=[1e5]), dict({"from": -4}, throttle=1, steps=30, **same(wheel)), dict(tells3=gear),
             "forward above -0.5 rad/s", 1e-9)
    # lists of shifts: each gear its own; a start at speed in the gear that it would have
    own = dict(coupling="rigid", shift_up=[220, 180], shift_down=[90, 70], shift_margin=0)
    for name, wheel, gear in (("first", 8.7, 1), ("second", 8.9, 2), ("third", 14.5, 3), ("second_still", 14.3, 2)):
        case(d, "powertrain_starts_" + name, "drive", "powertrain", own, dict(throttle=0, steps=1, **same(wheel)), dict(tells3=gear), "up above 220, 180 rad/s", 1e-9)
    for name, wheel, gear in (("third", 11.4, 3), ("second", 11.0, 2)):
        case(d, "powertrain_falls_" + name, "drive", "powertrain", own, dict({"from": 15}, throttle=0, steps=1200, **same(wheel)), dict(tells3=gear),
             "back below 70 rad/s", 1e-9)
    # engine in overrun at the start: highest speed at which converter and drag agree
    turbine = 8 * 25.0
    def pushed(w):
        nu = turbine / w
        return (w / table(CHRONO_NU, CHRONO_K, 2 - nu)) ** 2 * min(1, (nu - 1) / 0.02)
    low = max((x for x in (turbine * k / 64.0 for k in range(1, 64)) if -drag(x) < pushed(x)), default=0)
    e = bisect(lambda w: -drag(w) - pushed(w), low, turbine) if low else turbine
    case(d, "powertrain_overruns", "drive", "powertrain", dict(shift_up=[1e5], shift_down=[0]), dict(throttle=0, steps=1, dt=1e-9, **same(8)), dict(tells0=e, tells4=0),
         "the highest at which K of 2 - nu and drag agree; " + chrono, 1e-4)
    # converter whose turbine runs ahead of a driven engine; stall; wheels without pairs
    case(d, "powertrain_backwards_turbine", "drive", "powertrain", dict(shift_up=[1e5], shift_down=[0]), dict(throttle=1, steps=6000, fl=-0.2, fr=-0.2, rl=-0.2, rr=-0.2),
         dict(sum=25 * converter_balance(0.0, 1.0)[1]), "a turbine that turns backwards counts as standing; " + chrono, 1e-4)
    e = 150.0
    t = (drag(e) + full(e)) * 25
    case(d, "powertrain_three_wheels", "drive", "powertrain", dict(rigid, shift_up=[1e5]), dict(throttle=1, steps=50, undriven=1, fl=50, fr=6, rl=6, rr=6),
         dict(fl=0, fr=t / 3, rl=t / 3, rr=t / 3, shafts=0.5 * 36 * (2 * 0.6 + 2 * 25 * 0.5 + 25 * (0.5 + 25 * 0.8))),
         "wheels that are no pairs: equal shares; shafts at their mean", 1e-6)
    w1, w2 = 5.8, 6.2
    case(d, "powertrain_front", "drive", "powertrain", dict(rigid, shift_up=[1e5], driven="front", front_left_right_split=0.6, front_shaft_inertia=0.3,
         front_differential="locked", front_rear_split=0.3), dict(throttle=1, steps=50, fl=6.2, fr=5.7, rl=0, rr=0),
         dict(fl=0.6 * t, fr=0.4 * t, rl=0, locked=0.5, shafts=0.5 * 36 * (0.6 + 25 * 0.3 + 25 * (0.5 + 25 * 0.8))), "one axle", 1e-6)
    # light, unlike wheels
    a, b = 1 / 0.08, 1 / 0.03
    f = lambda t, dw, mobility: (lambda half: half * tanh(dw / max(0.5, half * mobility * 0.001)))(0.5 * (abs(t) * 1.5 / 3.5 + 10))
    wheels = lambda s: s * s * a + (1 - s) ** 2 * b
    casing = lambda s, j: wheels(s) / (1 + (0.6 + 25 * j) * wheels(s))
    e = 25 * (0.4 * (0.7 * 6.4 + 0.3 * 6.0) + 0.6 * (0.45 * 5.9 + 0.55 * 5.6))
    t = 25 * (drag(e) + full(e))
    c = f(t, 0.7 * 6.4 + 0.3 * 6.0 - (0.45 * 5.9 + 0.55 * 5.6), casing(0.7, 0.3) + casing(0.45, 0.2))
    front, rear = 0.4 * t - c, 0.6 * t + c
    one, two = f(front, 0.4, a + b), f(rear, 0.3, a + b)
    case(d, "powertrain_biasing_unlike", "drive", "powertrain", dict(rigid, shift_up=[1e5], preload=10, front_shaft_inertia=0.3, rear_shaft_inertia=0.2,
         front_rear_split=0.4, front_left_right_split=0.7, rear_left_right_split=0.45, **{k + "_differential": "torque_biasing" for k in ("centre", "front", "rear")}),
         dict(throttle=1, fl=6.4, fr=6.0, rl=5.9, rr=5.6, inertia=0.08, inertia_right=0.03, steps=50),
         dict(fl=0.7 * front - one, fr=0.3 * front + one, rl=0.45 * rear - two, rr=0.55 * rear + two), "width half mobility dt of tanh", 1e-6)
    # clutch: half closed, slips within its limit; full demand of a rigid or given drive
    clutch = dict(shift_up=[1e5], shift_down=[0], coupling="clutch", idle_speed=70, clutch_speed=120, clutch_torque=300)
    w = bisect(lambda w: 300 * (w - 70) / 50 - drag(w) - 0.2 * full(w), 70, 120)
    case(d, "powertrain_clutch_half", "drive", "powertrain", dict(clutch, idle_band=1e-3), dict(throttle=0.2, steps=9000), dict(sum=25 * 300 * (w - 70) / 50, tells0=w, tells4=0),
         "torque by engine speed between idle and closed; " + chrono, 1e-4)
    case(d, "powertrain_full_rigid", "drive", "powertrain", dict(rigid, shift_up=[1e5], full_demand=0), dict(),
         dict(full=25 * max(drag(w) + y for w, y in zip(*CHRONO_FULL))), "most of the engine at its points; " + chrono, 1e-9)
    case(d, "powertrain_full_given", "drive", "powertrain", dict(rigid, shift_up=[1e5], full_demand=5000), dict(demand=2500, steps=50, **same(6)),
         dict(full=5000, sum=25 * (drag(150) + 0.5 * full(150))), "throttle is the share of the full demand", 1e-6)
    mesh = lambda e, along: 1 - (1 - e) * max(0, min(1, along)) + (1 / e - 1) * max(0, min(1, -along))
    w = 0.4 / 25
    t = drag(0.4) + full(0.4)
    case(d, "powertrain_efficiency_slow", "drive", "powertrain", dict(rigid, shift_up=[1e5], efficiency=0.8), dict(throttle=1, steps=50, **same(w)),
         dict(sum=25 * t * mesh(0.8, 0.4)), "eta sets in over 1 rad/s", 1e-6)
    # lock-up slips above its torque
    lock = dict(gears=[5], shift_up=[1e5], shift_down=[0], lockup="on", lockup_torque=100, lockup_ratio=0.5)
    turbine = 250.0
    fluid = lambda w: (w / table(CHRONO_NU, CHRONO_K, turbine / w)) ** 2 * min(1, abs(1 - turbine / w) / 0.02)
    made = lambda w: drag(w) + 0.6 * full(w)
    w = bisect(lambda w: fluid(w) + 100 - made(w), turbine, 282.0)
    case(d, "powertrain_lockup_slips", "drive", "powertrain", lock, dict({"from": 8}, throttle=0.6, steps=9000, **same(10)),
         dict(tells0=w, sum=25 * (100 + fluid(w) * table(CHRONO_NU, CHRONO_R, turbine / w)), tells4=0), "converter and clutch together; " + chrono, 1e-3)


def field_cases():
    """Numbers that components have where none are given, as their sources print them; of those that are assumed, the manual's."""
    def fields(kind, name, numbers, source):
        case(kind, "%s_numbers" % name, kind + "_fields", name, {}, {}, numbers, source, 1e-9)

    inflated = dict(nominal_pressure=250e3, pressure_rolling_resistance=-0.4)
    grip = dict(pressure_slip_stiffness=-0.35, pressure_cornering_stiffness=-0.6)
    hmmwv = dict(crossover=0.09, road_friction=0.8, pressure_stiffness=0.7, pressure_lateral_stiffness=0.25, stiffness_x=185004, stiffness_y=164448)
    mvsim = dict(friction=0.8, bearing_damping=0.01, **inflated)
    fields("tyre", "coulomb", mvsim, MVSIM)
    fields("tyre", "ward_iagnemma", dict(mvsim, drag_onset=50, drag_constant=0.0075, drag_rate=0.02), "Ward and Iagnemma 2008; " + MVSIM)
    fields("tyre", "ellipse", dict(inflated, bearing_damping=0.01, slip_stiffness=7.5, cornering_stiffness=8.5, slip_saturation=0.1, angle_saturation=0.1,
                                   lateral_weakening=0.5, longitudinal_weakening=0.5, **grip), "MVSim 1.2")
    fields("tyre", "fiala", dict(hmmwv, slip_stiffness=193929, cornering_stiffness=50000, friction_max=0.9835, friction_min=0.5568, width=0.318,
                                 rolling_resistance=0.015, stiffness=580000, damping=75, bottoming_deflection=0.25, rim_stiffness=580000, **inflated, **grip),
           "HMMWV of Project Chrono")
    named = dict(dfx0="slope_x", fxm="largest_x", fxs="sliding_x", sxm="slip_largest_x", sxs="slip_sliding_x", dfy0="slope_y", fym="largest_y",
                 fys="sliding_y", sym="slip_largest_y", sys="slip_sliding_y", n0="trail", sy0="slip_trail_ends", sye="slip_trail_gone")
    numbers = dict(hmmwv, nominal_load=8562.82661, largest_load=29969.89313, width=0.3175, rolling_resistance=0.015, stiffness=411120.9242,
                   damping=3931.68498, rim_radius=0.21955, rim_stiffness=2055604.621, **inflated, **grip)
    for key, name in named.items():
        numbers[name], numbers[name + "_double"] = TMEASY[key]
    fields("tyre", "tmeasy", numbers, RILL)
    renamed = dict(r0="unloaded_radius", road="road_friction")
    numbers = {renamed.get(k, k): v for k, v in PAC.items()}
    numbers.update({k: 1 for k in SCALES})
    numbers.update(width=0.3175, bottoming_radius=0.22, vertical_stiffness=450e3, vertical_damping=1000, qpfz1=0.7, kpumin=-1.5, kpumax=1.5,
                   alpmin=-1.5708, alpmax=1.5708, cammin=-0.26181, cammax=0.26181, vxlow=1, pty2=2, crossover=0.09)
    fields("tyre", "pac2002", numbers, "round numbers of a tyre of the class 37x12.5")
    fields("tyre", "linear", dict(stiffness=200e3, damping=500, crossover=0.09, nominal_pressure=250e3, pressure_stiffness=0.7), "assumed")
    fields("soil", "bekker", dict(exponent=0.793, k_c=102e3, k_phi=5301e3, cohesion=1300, friction_angle=31.1 * DEG, shear_deformation_modulus=0.012,
                                  residual=1, peak_angle=0.18, peak_angle_slip=0.32, unit_weight=15e3, rebound_stiffness=200e6, largest_rebound=0.1,
                                  pass_slip=0.1178, layer_stiffness=40e3, layer_depth=0.54, second_stiffness=400e3, mat_stiffness=290e3,
                                  mat_strength=51e3, frost_depth=0.1, moisture_exponent=2.955, adhesion_angle_ratio=0.884, adhesion_ratio=0.5,
                                  rubber_share=0.6, rubber_friction=0.9, rolling_resistance=0.015),
           "LETE sand (Wong 1989), snow of Greenland (Wong 1983), muskeg of Petawawa (Wong 1979); rebound and adhesion assumed")
    fields("soil", "magic_formula", dict(b=10, c=1.9, d=1, e=0.97, b_y=10, c_y=1.9, d_y=1, e_y=0.97, rolling_resistance=0.01), BAKKER)
    for kind in ("clay", "sand", "brixius"):
        fields("soil", kind, dict(cone_index=700e3), "assumed")
    fields("drive", "dc_motor", dict(gear=1, efficiency=1, torque_constant=0.03757, resistance=0.064, rotor_inertia=2e-4, max_current=100,
                                     battery_voltage=36, battery_current=80, coulomb_friction=0.128, static_friction=0.19, stribeck_speed=1,
                                     bristle_stiffness=50, bristle_damping=0.2, sign_sharpness=1000), "S28-150; VirtualBotz 3D; rotor and bristles assumed")
    fields("drive", "engine", dict(final_drive=3.3, efficiency=1, max_torque=583, max_speed=150 * pi, governor_band=20, engage_speed=2, thermal_efficiency=0.3),
           "MAVS; band and efficiency assumed")
    fields("drive", "direct", dict(voltage=24), "assumed")
    fields("drive", "locked", dict(stiffness=1e4, damping=10, limit=1e6), "assumed")
    half = dict(front_rear_split=0.5, front_left_right_split=0.5, rear_left_right_split=0.5)
    biased = lambda b: dict(half, front_rear_bias=b, front_left_right_bias=b, rear_left_right_bias=b)
    fields("drive", "open", half, "MVSim")
    fields("drive", "torsen", biased(1.5), "MVSim")
    fields("drive", "torque_biasing", dict(biased(2.5), full_bias_speed=0.5), "assumed")
    fields("drive", "powertrain", dict(biased(2.5), engine_inertia=0.5, idle_band=5, max_speed=1e4, governor_band=20, thermal_efficiency=0.3, slip_band=0.02,
                                       lockup_ratio=0.85, lockup_speed=150, lockup_torque=1500, clutch_torque=1500, clutch_speed=120, reverse=10,
                                       efficiency=1, input_inertia=0.3, shift_interval=1, shift_throttle=1, shift_acceleration=60, shift_margin=1.1,
                                       engage_speed=0.5, low_range=2.61, final_drive=5, hub_reduction=1, drive_shaft_inertia=0.5, front_shaft_inertia=0.5,
                                       rear_shaft_inertia=0.5, differential_inertia=0.6, half_shaft_inertia=0.4, full_bias_speed=0.5),
           "HMMWV of Project Chrono; bands, clutches and shifts assumed")
    fields("suspension", "slider", dict(stiffness=50e3, damping=5e3, bump_travel=0.15, rebound_travel=0.15), "assumed")
    fields("suspension", "massless", dict(stiffness=10e3, damping=500, travel=0.1), "assumed")
    fields("suspension", "double_wishbone", dict(upper_mass=5.813, lower_mass=23.965, upright_mass=19.45, spring_rate=190e3, free_length=0.339,
                                                 bump_length=0.15, rebound_length=0.30, stop_rate=2e6, compression_damping=12521.5641,
                                                 rebound_damping=22460.0083), "HMMWV, TACOM TR 13337, of Project Chrono; stops assumed")


def wishbone_range(side=1.0, **how):
    """How far the lower arm goes until the mechanism comes near a dead point, in steps of 5 mrad: squared sines of
    both closures, lift of the upper arm and rise of the hub above a tenth, at no steering and 0.5 either way."""
    corner = Corner(side, **how)
    p = corner.p
    axis = corner.arm_axis("upper")
    foot = add(p["upper_rear"], axis, dot(sub(p["upper_ball"], p["upper_rear"]), axis))
    radius = lambda which: sqrt(dot(*[sub(sub(p[which + "_ball"], p[which + "_rear"]), scale(
        corner.arm_axis(which), dot(sub(p[which + "_ball"], p[which + "_rear"]), corner.arm_axis(which))))] * 2))
    across = lambda v, e: sub(v, scale(e, dot(v, e)))
    squared = lambda a, b: 1 - dot(a, b) ** 2 / (dot(a, a) * dot(b, b))

    def clear(q, guess):
        for s in (-0.5, 0.0, 0.5):
            x = corner.solve(q, s, guess[s])
            guess[s] = x
            low, top = corner.turned("lower", "lower_ball", q), corner.turned("upper", "upper_ball", x[0])
            pin = unit(sub(top, low))
            out = sub(top, foot)
            tie = corner.carry(x[1:], sub(p["tie_rod_outer"], p["lower_ball"]))
            hub = lambda dq: corner.bodies(q + dq, s, x)[1][2]
            rise = (hub(1e-5) - hub(-1e-5)) / 2e-5
            if not (squared(out, across(sub(low, foot), axis)) > 0.1 and squared(across(tie, pin), across(sub(corner.inner(s), low), pin)) > 0.1
                    and abs(dot(pin, unit(cross(axis, out)))) > 0.1 and rise > 0.1 * radius("lower")):
                return False
        return True
    ends = []
    for sense in (-1, 1):
        steps, guess = 0, {s: None for s in (-0.5, 0.0, 0.5)}
        while steps < 260 and clear(sense * (steps + 1) * 0.005, guess):
            steps += 1
        ends.append(sense * steps * 0.005)
    return ends, radius("lower")


def wishbone_end_cases():
    arm, axis = [0.122334, 0.0, -0.040932], [-0.317305, 0.0, -0.948324]
    how = dict(arm=arm, axis=axis)
    (low, high), radius = wishbone_range(1.0, **how)
    limit = 5e6 * radius ** 2
    for name, q, qd in (("in", high + 0.004, 0.7), ("out", high + 0.003, -5.0), ("below", low - 0.005, -0.4)):
        corner = Corner(1.0, **how)
        rows = wishbone_at(corner, q, qd, 0.0, 0.0, [0, 0, 0], [0, 0, -9.81])
        over, sense = (q - high, 1) if q > 0 else (q - low, -1)
        pushes = max(sense * (over + 2e-3 * qd), 0)
        square = (over / 0.01) ** 2
        on = limit if pushes > 0 else 0
        case("suspension", "wishbone_end_" + name, "mechanism", "double_wishbone", dict(steering_arm=arm, steering_axis=axis), dict(q=q, qd=qd),
             dict(force=rows["force"] - limit * (sense * pushes + over * square), stiffness=rows["stiffness"] + on + 3 * limit * square,
                  damping=rows["damping"] + 2e-3 * on, energy=rows["energy"] + limit * over ** 2 * (0.5 + 0.25 * square)),
             "where the mechanism ends: k x (1 + (x/0.01)^2), 2 ms k x' that does not pull", 3e-6)


def main():
    fiala_cases()
    tmeasy_cases()
    pac2002_cases()
    linear_cases()
    wheel_cases()
    inflation_cases()
    seen_cases()
    hard_cases()
    cone_cases()
    bekker_cases()
    printed_cases()
    plate_cases()
    place_cases()
    drive_cases()
    suspension_cases()
    more_tyre_cases()
    more_drive_cases()
    planar_branch_cases()
    tyre_branch_cases()
    hard_branch_cases()
    soil_branch_cases()
    plate_branch_cases()
    rig_branch_cases()
    drive_branch_cases()
    field_cases()
    wishbone_end_cases()
    differ = 0
    for where, rows in sorted(FILES.items()):
        path = os.path.join(ROOT, "cli", "validate", "laws_%s.def" % where)
        content = ("// SPDX-License-Identifier: BSD-3-Clause\n//\n// Written by tools/reference_laws.py; not by hand.\n// clang-format off\n"
                   + "\n".join(rows) + "\n// clang-format on\n")
        if "--check" in sys.argv:
            if not same(open(path).read(), content):
                print("%s is not what tools/reference_laws.py writes" % os.path.relpath(path, ROOT))
                differ = 1
        else:
            open(path, "w").write(content)
            print("%s: %d cases" % (os.path.relpath(path, ROOT), len(rows)))
    sys.exit(differ)


def same(one, two):
    """Equal but for the last digits of numbers, which depend on the machine's functions."""
    number = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
    if number.sub("#", one) != number.sub("#", two):
        return False
    pairs = zip(number.findall(one), number.findall(two))
    return all(abs(float(a) - float(b)) <= 1e-7 * abs(float(b)) + 1e-12 for a, b in pairs)


if __name__ == "__main__":
    main()
