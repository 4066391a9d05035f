#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut view STUDY.db: the table that pages get, and runs that are simulated again to the bits of their rows."""
import gzip
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

from test_view import COMMAND, PATIENCE, PAUSED, SOURCE, Viewer, check, run_tests

# Random worlds, set points, noise, runs that a condition ends, and some that are not possible.
WORLD = """<world timestep="5 ms" duration="1 s"><sensor type="imu" name="imu" period="20 ms"/>
  <include file="vehicles/rover.xml" name="r" x="$f{rand()}" speed="1.5"/>
  <mechanism name="m"><body name="b" joint="slide" axis="1 0 0" mass="1" inertia="1 1 1 0 0 0" initial_position="30"/></mechanism></world>"""
STUDY = """<study world="noisy.xml" design="monte_carlo" samples="3" inputs="drive.csv" interpolate="true">
  <vary type="list" name="mass" path="r/chassis.mass" unit="kg" values="9; 12"/>
  <vary type="choice" name="ground"><option name="firm"/><option name="icy"><set path="r/tyre.friction" value="0.05"/></option>
    <option name="impossible"><set path="m/b.mass" value="0"/></option></vary>
  <vary type="uniform" name="yaw" path="r.yaw" unit="deg" from="0" to="60"/>
  <measure type="last" name="yaw_angle" signal="r/yaw"/><measure type="last" name="x" signal="r/x"/>
  <stop signal="r/x" above="0.9"/><pass condition="x &gt; 0.5"/></study>"""


def sweep():
    if Path("study.db").exists():
        return
    shutil.copytree(SOURCE / "worlds" / "vehicles", "vehicles", dirs_exist_ok=True)
    Path("noisy.xml").write_text(WORLD)
    Path("drive.csv").write_text("t,vehicle,speed\n0,r,1\n1,r,0.2\n")
    Path("study.xml").write_text(STUDY)
    done = subprocess.run([COMMAND, "sweep", "study.xml", "-q"], capture_output=True, text=True, timeout=PATIENCE, check=False)
    if "SQLite" in done.stderr and done.returncode == 5:
        print("skipped: built without SQLite")
        sys.exit(77)
    check(done.returncode == 4, f"sweep: {done}")  # some runs are not possible


def rows():
    with sqlite3.connect("study.db") as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute("SELECT * FROM run ORDER BY run")]


def of_study(status):
    return status.get("study", {"run": None, "outcome": ""})


def outcome(client, run):
    """How a run ends that has been asked for."""
    told = client.text("status", lambda s: of_study(s)["run"] == run and of_study(s)["outcome"])
    return of_study(told)["outcome"], told


def test_table():
    sweep()
    with Viewer("study.db", "--paused") as viewer:
        status, headers, body = viewer.get("/study.json")
        check(status == 200 and headers["Content-Type"] == "application/json", f"{status} {headers}")
        packed = viewer.get("/study.json", {"Accept-Encoding": "gzip"})[2]
        check(gzip.decompress(packed) == body, "packed")
        told = json.loads(body)
        names = [c["name"] for c in told["columns"]]
        check(names == ["run", "mass", "ground", "yaw", "yaw_angle", "x", "time", "ends", "pass"], names)
        units = {c["name"]: c["unit"] for c in told["columns"]}
        check(units["mass"] == "kg" and units["yaw"] == "deg" and units["yaw_angle"] == "deg", units)
        check(told["runs"] == told["rows_in_all"] == len(told["rows"]) == 18, told["runs"])
        for shown, row in zip(told["rows"], rows()):
            line = dict(zip(names, shown))
            check(line["run"] == row["run"] and line["ground"] == row["ground"] and line["ends"] == row["ends"], line)
            check(line["pass"] == (row["pass"] or 0) and line["mass"] == row["mass"], line)
            if row["ends"] == "invalid":
                check(line["x"] is None, f"a measure of a run that was not possible: {line}")
            else:
                check(abs(line["yaw_angle"] * 0.017453292519943295 - row["yaw_angle"]) < 1e-12, "degrees")


def test_runs():
    """Each row again, on one page, up to where it ended there: with the bits of the row."""
    sweep()
    with Viewer("study.db", "--paused") as viewer:
        client, first = viewer.page()
        check(first.time == 0, "begins at the start")
        client.say("rate", value=0)
        status = client.text("status", lambda s: s["rate"] == 0)
        check(of_study(status) == {"run": 0, "outcome": ""}, status)
        client.say("resume")
        check(outcome(client, 0)[0] == "same", "the first run")
        seen = set()
        for row in reversed(rows()):
            if row["ends"] == "invalid":
                client.say("run", index=row["run"])
                told = client.text("error")["message"]
                check(f"run {row['run']} was not possible" in told, told)
                continue
            client.say("run", index=row["run"])
            how, told = outcome(client, row["run"])
            check(how == "same" and told["paused"], f"run {row['run']}: {told}")
            client.say("hello")
            client.frame(lambda f, t=row["time"]: f.bits & PAUSED and abs(f.time - t) < 1e-9, f"end at {row['time']} s")
            seen.add(row["ends"])
        check(seen == {"finished", "stopped"}, seen)
        # from the start again
        client.say("reset")
        client.text("status", lambda s: of_study(s)["outcome"] == "")
        client.say("resume")
        client.text("status", lambda s: of_study(s)["outcome"] == "same")


def test_changes():
    """A parameter makes another world of a run; the next run is whole again."""
    sweep()
    with Viewer("study.db", "--run", "1", "--paused") as viewer:
        client, _ = viewer.page()
        client.text("status", lambda s: of_study(s)["run"] == 1)
        client.say("set", path="r/chassis.mass", value="11 kg")
        client.text("status", lambda s: of_study(s)["run"] == -1)
        client.say("rate", value=0)
        client.say("run", index=1)
        check(outcome(client, 1)[0] == "same", "a run after a change")
        # one that is driven ends in another state
        client.say("rate", value=0.01)
        client.say("run", index=1)
        client.text("status", lambda s: of_study(s) == {"run": 1, "outcome": ""} and not s["paused"])
        client.say("drive", vehicle=0, throttle=1, steering=1)
        client.text("status", lambda s: s["driven"] == ["page"])
        client.say("rate", value=0)
        check(outcome(client, 1)[0] == "other", "a run that is driven")
        for wrong in (18, -1, "one", 2**63):
            client.say("run", index=wrong)
            client.text("error")


def test_refusals():
    sweep()
    Path("far").mkdir(exist_ok=True)
    shutil.copy("study.db", "far/study.db")
    for code, words, said in ((3, ["far/study.db"], "--study"), (2, ["study.db", "--set", "r/chassis.mass=3"], "--set"),
                              (2, ["study.db", "--seed", "3"], "--seed"), (2, ["noisy.xml", "--run", "1"], "study"),
                              (2, ["study.db", "--run", "77"], "run 77"), (2, ["study.db", "--run", "6"], "not possible")):
        done = subprocess.run([COMMAND, "view", "--no-open", "--port", "0", *words], capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        check(done.returncode in (code, 3, 6) and said in done.stderr, f"{words}: {done}")
    with Viewer("far/study.db", "--study", "study.xml", "--paused") as viewer:
        check(viewer.get("/study.json")[0] == 200, "a study that is named")
    with Viewer("noisy.xml", "--paused") as viewer:
        client, _ = viewer.page()
        check(viewer.get("/study.json")[0] == 404, "a table without a study")
        check("study" not in client.text("status"), "a study without one")
        client.say("run", index=0)
        check("does not know 'run'" in client.text("error")["message"], "a run without a study")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
