#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut sweep: results against closed forms, the same bytes whoever runs what and however often it is killed, and commands that repeat a
run with the same bits."""
import json
import math
import os
import random
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import COMMAND, SANITIZE, SOURCE, check, near, rut, verdict

# A body on a spring, which starts at rest at 1 m.
SPRING = """<world timestep="0.5 ms" duration="{duration} s" gravity="0"><mechanism name="m">
  <body name="b" joint="slide" axis="1 0 0" mass="1" inertia="1 1 1 0 0 0" stiffness="4" initial_position="1"/></mechanism></world>"""


def study(folder, attributes, content, world="w.xml", name="s.xml"):
    path = Path(folder) / name
    path.write_text(f'<study world="{world}" {attributes}>{content}</study>')
    return path


def rows(path, query="SELECT * FROM run ORDER BY run"):
    with sqlite3.connect(path) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(query)]


def content(path):
    """All that a database says of a study, but for what differs from one execution to the next."""
    return [rows(path, f"SELECT * FROM {table}") for table in ("input", "measure")] + [rows(path)]


# ---- results ----

def closed_forms():
    Path("w.xml").write_text(SPRING.format(duration=3))
    study(".", "", """<vary type="grid" name="k" path="m/b.stiffness" from="1" to="9" count="3"/>
      <vary type="choice" name="body"><option name="light"><set path="m/b.mass" value="1 kg"/></option>
        <option name="heavy"><set path="m/b.mass" value="4 kg"/></option></vary>
      <measure type="last" name="x" signal="m/q0"/><measure type="crossing" name="back" signal="m/q0" level="0" direction="falling"/>
      <measure type="expression" name="twice" value="2*x"/><pass condition="x &lt; 0"/>""")
    done = rut("sweep", "s.xml", "-j", "2", "--json")
    check(done.returncode == 0, done.stderr)
    told = json.loads(done.stdout)
    check(told["rows"] == 6 and told["finished"] == 6, told)
    passed = 0
    for row in rows("s.db"):
        omega = math.sqrt(row["k"] / {"light": 1, "heavy": 4}[row["body"]])
        near(row["x"], math.cos(3 * omega), 2e-3, f"x of run {row['run']}")
        near(row["twice"], 2 * row["x"], 0, "twice")
        if omega * 3 > math.pi / 2:
            near(row["back"], math.pi / 2 / omega, 1e-3, "crossing")
        else:
            check(row["back"] is None, "no crossing")
        check(row["pass"] == int(row["x"] < 0), "pass")
        passed += row["pass"]
    near(told["pass"]["share"], passed / 6, 1e-12, "share that passes")


def repeat(row, folder):
    """The hash that the row's command gives."""
    words = shlex.split(row["command"])
    check(words[:2] == ["rut", "run"], row["command"])
    done = rut(*words[1:], "--json", "--quiet", cwd=folder)
    return json.loads(done.stdout)["hash"] if done.stdout else done.stderr


def commands_repeat_runs():
    """Each end of a run, with noise, in a world that draws random numbers, and with set points."""
    shutil.copytree(SOURCE / "worlds" / "vehicles", "vehicles", dirs_exist_ok=True)
    Path("noisy.xml").write_text("""<world timestep="5 ms" duration="2 s"><sensor type="imu" name="imu" period="20 ms"/>
      <include file="vehicles/rover.xml" name="r" x="$f{rand()}" speed="1.5"/></world>""")
    Path("drive.csv").write_text("t,vehicle,speed\n0,r,1\n1,r,0.2\n")
    study(".", 'design="monte_carlo" samples="3" replicas="2" inputs="drive.csv" interpolate="true"',
          """<vary type="uniform" name="mass" path="r/chassis.mass" unit="g" from="9000" to="14000"/>
             <measure type="last" name="x" signal="r/x"/><stop signal="r/x" above="1.45"/>""", world="noisy.xml", name="noisy_study.xml")
    done = rut("sweep", "noisy_study.xml", "-j", "2")
    check(done.returncode == 0, done.stderr)
    for row in rows("noisy_study.db"):
        check(repeat(row, ".") == row["state_hash"], f"command of run {row['run']}: {row['command']}")
    check(len({row["x"] for row in rows("noisy_study.db")}) == 6, "seeds differ")
    check({row["ends"] for row in rows("noisy_study.db")} == {"finished", "stopped"}, "some stop, some do not")

    Path("w.xml").write_text(SPRING.format(duration=1))
    study(".", "", """<vary type="list" name="k" path="m/b.stiffness" values="1; 1e9"/><vary type="list" name="mass" path="m/b.mass"
      values="1; 0"/><measure type="last" name="x" signal="m/q0"/>""", name="bad.xml")
    done = rut("sweep", "bad.xml")
    check(done.returncode == 4, "exit code after divergence")
    check("run 2 has diverged" in done.stderr and "rut run" in done.stderr, done.stderr)
    bad = rows("bad.db")
    check([row["ends"] for row in bad] == ["finished", "invalid", "diverged", "invalid"], bad)
    check(all(row["reason"] for row in bad[1:]), "reasons")
    check(repeat(bad[2], ".") == bad[2]["state_hash"], "a diverged run again")


def lanes_repeat_runs():
    """Runs that share lanes, of which some end early: each is what its command gives, for any number of threads."""
    Path("field.xml").write_text("""<world timestep="2 ms" duration="1 s"><sensor type="imu" name="imu" period="20 ms"/>
      <include file="vehicles/rover.xml" name="r" speed="1.5"/></world>""")
    Path("slower.csv").write_text("t,vehicle,speed\n0,r,1\n0.5,r,0.2\n")
    study(".", 'design="monte_carlo" samples="11" replicas="2" rate="100 Hz" inputs="slower.csv"',
          """<vary type="uniform" name="yaw" path="r.yaw" unit="deg" from="0" to="60"/>
             <vary type="uniform" name="grip" path="r/tyre.friction" from="0.3" to="0.9"/>
             <measure type="last" name="x" signal="r/x"/><measure type="rms" name="v" signal="r/speed"/>
             <stop signal="r/x" above="0.4"/>""", world="field.xml", name="lanes.xml")
    told = json.loads(rut("sweep", "lanes.xml", "--dry-run", "--json").stdout)
    check(told["looked_at"] == 22 and told["in_lanes"] == 22, told)
    tables = []
    for workers in ("1", "2"):
        done = rut("sweep", "lanes.xml", "-j", workers, "--json", "-o", f"lanes_{workers}.db", "--csv", f"lanes_{workers}.csv")
        check(done.returncode == 0, done.stderr)
        # the last ones of a thread find too few others; which runs fall to which thread is chance
        check(json.loads(done.stdout)["in_lanes"] >= 22 - 6 * int(workers), done.stdout)
        tables.append(Path(f"lanes_{workers}.csv").read_bytes())
    check(tables[0] == tables[1], "one thread and two")
    runs = rows("lanes_1.db")
    check({row["ends"] for row in runs} == {"finished", "stopped"}, "some stop, some do not")
    check(len({row["state_hash"] for row in runs}) == 22, "all differ")
    for row in runs:
        check(repeat(row, ".") == row["state_hash"], f"command of run {row['run']}: {row['command']}")


def sensitivities():
    """Ishigami's function and a linear one, whose indices and effects are known."""
    Path("w.xml").write_text(SPRING.format(duration=0.001))
    inputs = "".join(f'<vary type="uniform" name="{x}" from="-3.141592653589793" to="3.141592653589793"/>' for x in "abc")
    study(".", 'design="saltelli" samples="1024"', inputs + """
      <measure type="expression" name="y" value="sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)"/>""", name="ishigami.xml")
    told = json.loads(rut("sweep", "ishigami.xml", "--json", "-o", "indices.db").stdout)["measures"]["y"]["inputs"]
    for x, first, total in (("a", 0.3139, 0.5576), ("b", 0.4424, 0.4424), ("c", 0, 0.2437)):
        near(told[x]["first"]["value"], first, 0.03, f"first index of {x}")
        near(told[x]["total"]["value"], total, 0.03, f"total index of {x}")
    study(".", 'design="morris" samples="10"', inputs + '<measure type="expression" name="y" value="2*a - 3*b"/>', name="linear.xml")
    told = json.loads(rut("sweep", "linear.xml", "--json").stdout)["measures"]["y"]["inputs"]
    for x, effect in (("a", 2), ("b", 3), ("c", 0)):
        near(told[x]["effect"]["value"], effect * 2 * math.pi, 1e-9, f"effect of {x} over its range")
        near(told[x]["effect_deviation"], 0, 1e-9, f"its deviation of {x}")


# ---- the same bytes ----

GRID = """<vary type="grid" name="k" path="m/b.stiffness" from="1" to="9" count="20"/>
  <vary type="normal" name="mass" path="m/b.mass" unit="kg" mean="1" deviation="0.1"/>
  <measure type="last" name="x" signal="m/q0"/><measure type="rms" name="r" signal="m/q0"/>"""


def shards_merge_to_the_same_bytes():
    Path("w.xml").write_text(SPRING.format(duration=0.2))
    study(".", 'design="latin_hypercube" samples="3"', GRID)
    Path("elsewhere/deeper").mkdir(parents=True)
    for name in ("w.xml", "s.xml"):
        shutil.copy(name, "elsewhere/deeper")
    sums = []
    for n in (1, 3, 8):
        parts = []
        for k in random.Random(n).sample(range(1, n + 1), n):
            # some from another folder, by another path
            where = "elsewhere" if k % 2 else "."
            path = str(Path("deeper/s.xml" if k % 2 else "s.xml"))
            part = Path(f"part{k}-of-{n}.db").absolute()
            done = rut("sweep", path, "--shard", f"{k}/{n}", "-o", part, "-j", k % 3 + 1, cwd=where)
            check(done.returncode == 0, done.stderr)
            parts.append(part)
        done = rut("sweep", "merge", *parts, "-o", f"all{n}.db", "--csv", f"all{n}.csv")
        check(done.returncode == 0, done.stderr)
        sums.append((Path(f"all{n}.db").read_bytes(), Path(f"all{n}.csv").read_bytes()))
    check(sums[0] == sums[1] == sums[2], "1, 3 and 8 shards give other bytes")
    check(len(sums[0][1].splitlines()) == 61, "rows of the table")
    # merging what is merged, and some twice
    done = rut("sweep", "merge", "all8.db", "part2-of-3.db", "-o", "again.db")
    check(done.returncode == 0 and Path("again.db").read_bytes() == sums[0][0], "merged again")
    done = rut("sweep", "merge", "part2-of-3.db", "-o", "partial.db")
    check(done.returncode == 1 and "40 runs are missing" in done.stderr, done.stderr)
    # results that differ are told
    shutil.copy("part2-of-3.db", "forged.db")
    with sqlite3.connect("forged.db") as db:
        db.execute("UPDATE run SET x = x + 1e-15 WHERE run = 1")
    done = rut("sweep", "merge", "forged.db", "all1.db", "-o", "forged_all.db")
    check(done.returncode == 3 and "run 1 has different results" in done.stderr, done.stderr)
    check(not Path("forged_all.db").exists(), "nothing is left of a merge that failed")
    rut("sweep", "s.xml", "-o", "other.db", "--shard", "1/4")
    Path("s.xml").write_text(Path("s.xml").read_text().replace('to="9"', 'to="8"'))
    done = rut("sweep", "s.xml", "-o", "other.db", "--resume", "--shard", "1/4")
    check(done.returncode == 3 and "another study" in done.stderr, done.stderr)
    done = rut("sweep", "s.xml", "-o", "changed.db")
    done = rut("sweep", "merge", "changed.db", "all1.db", "-o", "mixed.db")
    check(done.returncode == 3 and "different studies" in done.stderr, done.stderr)


def killed_runs_resume():
    """Killed twenty times; what was in the database before a kill is neither run again nor lost."""
    Path("w.xml").write_text(SPRING.format(duration=20 if not SANITIZE else 4))
    study(".", 'design="monte_carlo" samples="3"', GRID, name="killed.xml")
    done = rut("sweep", "killed.xml", "-o", "whole.db")
    check(done.returncode == 0, done.stderr)
    wall = rows("whole.db", "SELECT sum(wall) AS wall FROM timing")[0]["wall"]
    words = [COMMAND, "sweep", "killed.xml", "--resume", "-j", "2", "--quiet", "-o", "killed.db"]
    chance, before, kills = random.Random(1), {}, 0
    for _ in range(20):
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            try:
                process.wait(chance.uniform(0, 0.12) * wall)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                kills += 1
        if not Path("killed.db").exists():
            continue
        has = {row["run"]: row["session"] for row in rows("killed.db", "SELECT * FROM timing")} if rows(
            "killed.db", "SELECT name FROM sqlite_master WHERE name = 'timing'") else {}
        check(before.items() <= has.items(), "a run was lost, or run again")
        before = has
    done = rut(*words[1:])
    check(done.returncode == 0, done.stderr)
    check(kills >= 5, f"only {kills} kills")
    check(content("killed.db") == content("whole.db"), "other results after kills")
    for name in ("killed", "whole"):
        rut("sweep", "merge", f"{name}.db", "-o", f"{name}_all.db", "--csv", f"{name}.csv")
    check(Path("killed_all.db").read_bytes() == Path("whole_all.db").read_bytes(), "other bytes after kills")
    check(Path("killed.csv").read_bytes() == Path("whole.csv").read_bytes(), "another table after kills")


def interruptions_end_in_good_order():
    study(".", 'design="monte_carlo" samples="500"', GRID, name="long.xml")
    for number, mode in (signal.SIGTERM, "wal"), (signal.SIGUSR1, "rollback"):
        with subprocess.Popen([COMMAND, "sweep", "long.xml", "--resume", "-o", "long.db", "--quiet", "--journal", mode],
                              stderr=subprocess.PIPE) as process:
            begun = ["long.db", "long.db-lock"] + (["long.db-wal"] if mode == "wal" else [])
            for _ in range(400):
                time.sleep(0.05)
                if all(Path(name).exists() for name in begun) and Path("long.db").stat().st_size > 0:
                    break
            check(Path("long.db-wal").exists() == (mode == "wal"), f"journal {mode}")
            second = rut("sweep", "long.xml", "--resume", "-o", "long.db", "--quiet")
            check(second.returncode == 6 and "another process" in second.stderr, second.stderr)
            process.send_signal(number)
            check(process.wait(60) == 130, "exit code of an interruption")
    check(not Path("long.db-lock").exists(), "the lock is gone")
    check(rows("long.db", "PRAGMA integrity_check")[0]["integrity_check"] == "ok", "integrity")
    done = rut("sweep", "long.xml", "-o", "long.db")
    check(done.returncode == 6 and "--resume" in done.stderr, done.stderr)


def journals():
    Path("w.xml").write_text(SPRING.format(duration=0.01))
    study(".", "", GRID.replace("normal", "list").replace('mean="1" deviation="0.1"', 'values="1; 2"'), name="journal.xml")
    for mode in ("wal", "rollback"):
        done = rut("sweep", "journal.xml", "--journal", mode, "-o", f"{mode}.db")
        check(done.returncode == 0, done.stderr)
        check(rows(f"{mode}.db", "PRAGMA journal_mode")[0]["journal_mode"] == "delete", f"journal {mode}")
        check(not list(Path(".").glob(f"{mode}.db-*")), "one file at the end")
    check(content("wal.db") == content("rollback.db"), "journals give other results")


def ranks():
    """What mpirun tells in the environment."""
    for k in range(2):
        env = dict(os.environ, OMPI_COMM_WORLD_RANK=str(k), OMPI_COMM_WORLD_SIZE="2")
        done = rut("sweep", "journal.xml", "--mpi", "-o", "ranks.db", env=env)
        check(done.returncode == 0, done.stderr)
    done = rut("sweep", "merge", "ranks.1-of-2.db", "ranks.2-of-2.db", "-o", "ranks.db")
    rut("sweep", "merge", "wal.db", "-o", "alone.db")
    check(done.returncode == 0 and Path("ranks.db").read_bytes() == Path("alone.db").read_bytes(), "ranks give other bytes")
    env = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI", "PMI", "SLURM", "MV2"))}
    done = rut("sweep", "journal.xml", "--mpi", env=env)
    check(done.returncode == 2 and "mpirun" in done.stderr, done.stderr)
    if shutil.which("mpirun"):
        done = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", COMMAND, "sweep", "journal.xml", "--mpi",
                               "-o", "mpi.db", "--quiet"], capture_output=True, text=True, timeout=200, check=False, env=env)
        check(done.returncode == 0, done.stderr)
        rut("sweep", "merge", "mpi.1-of-2.db", "mpi.2-of-2.db", "-o", "mpi.db")
        check(Path("mpi.db").read_bytes() == Path("alone.db").read_bytes(), "mpirun gives other bytes")


# ---- figures ----

def figures():
    Path("w.xml").write_text(SPRING.format(duration=1))
    study(".", 'design="latin_hypercube" samples="40"', """<vary type="list" name="body" path="m/b.mass" values="1 kg; 4 kg"/>
      <vary type="uniform" name="k" path="m/b.stiffness" from="1" to="9"/><measure type="last" name="x" signal="m/q0"/>
      <measure type="max" name="speed" signal="m/v0"/><pass condition="x &lt; 0"/>""", name="plot.xml")
    done = rut("sweep", "plot.xml", "-q")
    check(done.returncode == 0, done.stderr)
    done = rut("plot", "plot.db")
    check(done.returncode == 0 and "80 of 80 runs" in done.stdout and "pass" in done.stdout, done.stdout + done.stderr)
    for words, message in ((["--figure", "tornada"], "did you mean 'tornado'"), (["xx", "--figure", "cdf"], "'xx'"),
                           (["--figure", "indices"], "saltelli"), (["speeed"], "did you mean 'speed'")):
        done = rut("plot", "plot.db", "-o", "figure.png", *words)
        check(done.returncode == 2 and message in done.stderr, f"{words}: {done.stderr}")
    if not shutil.which("gnuplot"):
        return
    ends = ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF"))
    for i, (database, figure) in enumerate((("plot", "histogram"), ("plot", "cdf"), ("plot", "pass"), ("plot", "means"), ("plot", "scatter"), ("plot", "tornado"),
                                            ("plot", "parallel"), ("indices", "indices"))):
        # gnuplot takes most of the time: under sanitizers each figure in one format
        for end, magic in ends[i % 3:i % 3 + 1] if SANITIZE else ends:
            done = rut("plot", f"{database}.db", "--figure", figure, "-o", figure + end, "--title", "It's a study")
            check(done.returncode == 0 and not done.stderr, f"{figure}: {done.stderr}")
            path = Path(figure + end)
            check(path.exists() and path.read_bytes().startswith(magic) and path.stat().st_size > 2000, f"{figure}{end}")
    done = rut("plot", "plot.db", "x", "k", "--figure", "scatter", "-o", "some.svg")
    text = Path("some.svg").read_text()
    check(done.returncode == 0 and "speed" not in text and ">k<" in text, "some columns")


# ---- examples ----

def examples():
    """Each example can be run, and one run of the one with soft soil is."""
    for path in sorted((SOURCE / "worlds" / "studies").glob("*.xml")):
        if "<study " not in path.read_text():
            continue
        done = rut("sweep", path, "--dry-run", "--json")
        check(done.returncode == 0 and not done.stderr and json.loads(done.stdout)["runs"] > 0, f"{path.name}: {done.stderr}")
    if not SANITIZE:
        done = rut("sweep", SOURCE / "worlds" / "studies" / "ramp.xml", "--shard", "144/288", "-o", "ramp.db", "--json")
        check(done.returncode == 0 and json.loads(done.stdout)["now"] == 1, done.stderr)


# ---- words ----

def mistakes():
    study(".", "", '<vary type="grid" name="k"\n  path="m/b.stifness" from="1" to="9"/>', name="typo.xml")
    done = rut("sweep", "typo.xml")
    check(done.returncode == 3 and "typo.xml:2:3" in done.stderr and "did you mean 'stiffness'" in done.stderr, done.stderr)
    for words, code, message in ((["s.xml", "--shard", "4/3"], 2, "K/N"), (["merge"], 2, "merge needs databases"),
                                 (["merge", "w.xml", "-o", "x.db"], 6, "not a database"), (["w.xml"], 3, "<study>"),
                                 (["none.xml"], 6, "none.xml"), (["s.xml", "--journal", "none"], 2, "rollback"),
                                 (["merge", "none.db", "-o", "x.db"], 6, "none.db"), (["s.xml", "-o", "w.xml"], 2, "no place")):
        done = rut("sweep", *words)
        check(done.returncode == code and message in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    done = rut("run", "s.xml")
    check(done.returncode == 3 and "rut sweep runs it" in done.stderr, done.stderr)
    done = rut("sweep", "journal.xml", "--dry-run", "--json")
    told = json.loads(done.stdout)
    check(told["runs"] == 40 and told["combinations"] == 40, told)
    done = rut("sweep", "journal.xml", "--slurm", "--dry-run", "--tasks", "3", "--slurm-option", "partition=long")
    check(done.returncode == 0, done.stderr)
    script = Path("journal.slurm").read_text()
    for line in ("#SBATCH --array=1-3", "#SBATCH --requeue", "#SBATCH --partition=long", "#SBATCH --signal=B:USR1@60"):
        check(line in script, f"{line} in the script")
    for name in ("journal.slurm", "journal.merge.slurm"):
        check(subprocess.run(["bash", "-n", name], check=False).returncode == 0, name)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("empty.db").touch()
        if rut("sweep", "merge", "empty.db", "-o", "x.db").returncode == 5:
            print("skipped: without SQLite")
            return 77
        for part in (closed_forms, commands_repeat_runs, lanes_repeat_runs, sensitivities, shards_merge_to_the_same_bytes, killed_runs_resume,
                     interruptions_end_in_good_order, journals, ranks, figures, examples, mistakes):
            part()
        os.chdir("/")
    return verdict()


if __name__ == "__main__":
    sys.exit(main())
