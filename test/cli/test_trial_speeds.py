#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut trial on trials of speed: a HMMWV against the limits of its driver, figures, and worlds at the limit that run again."""
import json
import os
import sys
from pathlib import Path

from harness import SOURCE, check, rut, verdict

HMMWV = str(SOURCE / "worlds" / "vehicles" / "hmmwv.xml")
G = 9.81


def trial(*words):
    done = rut("trial", HMMWV, "--json", "--quiet", *words)
    # 5: no gnuplot
    check(done.returncode in (0, 5), f"{words}: {done.stderr}")
    return json.loads(done.stdout)["trials"] if done.returncode in (0, 5) else []


def shocks(folder):
    picture = folder / "half_round.svg"
    rows = trial("half_round", "--at", "0.2032", "--at", "0.3048", "--save", str(folder), "-o", str(picture))
    check(len(rows) == 2 and rows[0]["limit"] > rows[1]["limit"] > 0, f"half-rounds: {rows}")
    for row in rows:
        check(row["shock"] <= 2.5 * G and "2.5 g" in row["end"], f"half-round: {row}")
    check(not picture.exists() or "<svg" in picture.read_text(encoding="utf-8"), "no figure")
    # the saved world is the same run
    done = rut("run", str(folder / "half_round_0.2032.xml"), "--ride", "--json", "--quiet")
    check(done.returncode == 0, f"saved world: {done.stderr}")
    if done.returncode == 0 and rows:
        shock = json.loads(done.stdout)["vehicles"][0]["metrics"]["seat_shock"]
        check(0.9 * rows[0]["shock"] < shock < 2.6 * G, f"saved world: {shock}")


def ride():
    """An inch of roughness: as much as 6 W, within the resolution of the speed."""
    row = (trial("ride", "--at", "0.0254") or [{}])[0]
    check(2 < row.get("limit", 0) < 10 and 5 < row["absorbed_power"] <= 6, f"ride: {row}")


def lanes():
    row = (trial("lane_change") or [{}])[0]
    # 16.5 m/s leaves 0.13 m in worlds/manoeuvres/double_lane_change_nato.xml
    check(16 < row.get("limit", 0) < 20 and row["lane_clearance"] >= 0, f"lane change: {row}")


def main():
    if os.environ.get("RUT_SANITIZE"):
        print("skipped: takes too long with sanitizers")
        return 77
    shocks(Path.cwd())
    ride()
    lanes()
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
