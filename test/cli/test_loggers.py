#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Logs that a world names, as users of the command have them: files in the folder of --output, orders
on the input, and what is refused."""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import COMMAND, SOURCE, check, faults

LOGGED = str(SOURCE / "worlds" / "logged.xml")


def rut(*words, orders=None):
    return subprocess.run([COMMAND, *words], capture_output=True, text=True, timeout=250, check=False,
                          input=orders, stdin=subprocess.DEVNULL if orders is None else None)


def fine(*words, **options):
    done = rut(*words, **options)
    check(done.returncode == 0, f"{words}: exit code {done.returncode}: {done.stderr}")
    return done


def refused(code, says, *words, **options):
    done = rut(*words, **options)
    check(done.returncode == code and says in done.stderr + done.stdout,
          f"{words} {options}: exit code {done.returncode}: {done.stderr}")


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], [[float(cell) for cell in row] for row in rows[1:]]


def times(path):
    return [round(row[0], 9) for row in table(path)[1]]


def files(folder):
    return sorted(path.name for path in Path(folder).iterdir())


# ---- what is written ----

def a_folder_of_logs():
    plain = json.loads(fine("run", LOGGED, "--json").stdout)
    done = fine("run", LOGGED, "--json", "--output", "out/first", "--csv", "tables", "--csv-every", "1")
    check(json.loads(done.stdout)["hash"] == plain["hash"], "logs change the run")
    names = files("out/first")
    legs = [name for name in names if name.startswith("rover.legs")]
    # 28 m on a square of 5 m are five corners
    check(legs == ["rover.legs-2.csv", "rover.legs-3.csv", "rover.legs-4.csv", "rover.legs-5.csv",
                   "rover.legs-6.csv", "rover.legs.csv"], names)
    check(sorted(set(names) - set(legs)) == ["rover.touch.csv", "run.csv"], names)
    header, rows = table("out/first/run.csv")
    check(header == ["t [s]", "rover/x [m]", "rover/y [m]", "rover/speed [m/s]", "crate/x [m]", "crate/y [m]"],
          header)
    check(len(rows) == 301 and abs(rows[-1][0] - 30) < 1e-9, f"{len(rows)} rows")

    # against the tables of every step
    every_header, every = table("tables/rover.csv")
    at = {round(row[0] / 0.002): row for row in every}
    column = {name.split(" ")[0]: i for i, name in enumerate(every_header)}
    for row in rows:
        check(row[1] == at[round(row[0] / 0.002)][column["x"]], f"x at {row[0]}")
    # a session for each leg: in all of a file the controller follows the same one
    all_times = []
    for number, name in enumerate(["rover.legs.csv"] + [f"rover.legs-{i}.csv" for i in range(2, 7)]):
        header, rows = table(f"out/first/{name}")
        check(header[:5] == ["t [s]", "x [m]", "y [m]", "yaw [rad]", "controller/segment"], header)
        check({row[4] for row in rows} == {number % 4}, f"legs in {name}")
        all_times += [row[0] for row in rows]
    check(len(all_times) == 1501 and all_times == sorted(all_times), "rows of all legs")
    # rows while it touches something, and no others
    touching = {round(row[0] / 0.002) for row in every if row[column["collision"]] > 0}
    touched = [round(t / 0.002) for t in times("out/first/rover.touch.csv")]
    check(touched and set(touched) <= touching, "rows while nothing is touched")
    check(set(touched) == {step for step in touching if step % (touched[1] - touched[0]) == 0}, "rows left out")


def runs_replace_nothing():
    for _ in range(2):
        fine("run", LOGGED, "-q", "-d", "1", "--output", "again")
    check(files("again") == ["rover.legs-2.csv", "rover.legs.csv", "run-2.csv", "run.csv"], files("again"))
    check(Path("again/run.csv").read_bytes() == Path("again/run-2.csv").read_bytes(), "two runs differ")


def without_a_folder():
    done = fine("run", LOGGED, "-d", "0.1")
    check(done.stderr.count("\n") == 1 and "--output DIR" in done.stderr, done.stderr)
    check(fine("run", LOGGED, "-d", "0.1", "-q").stderr == "", "a note although it is to be quiet")
    done = fine("run", str(SOURCE / "worlds" / "ramp.xml"), "-d", "0.1", "--output", "none")
    check("names no logs" in done.stderr and not Path("none").exists(), done.stderr)


# ---- orders ----

def orders_by_time():
    orders = ("# what a person may write\n\n1 resume rover/start\n  2.5\tpause   rover/*\r\n"
              "2 session run\n3 clear run\n4 resume *\n4 session run")
    fine("run", LOGGED, "-q", "-d", "5", "--output", "orders", "--orders", orders=orders)
    check(times("orders/run.csv")[-1] == 1.9, "end of the first session")
    check(times("orders/run-2.csv")[0] == 3 and times("orders/run-2.csv")[-1] == 3.9, "what is cleared")
    check(times("orders/run-3.csv")[0] == 4 and len(times("orders/run-3.csv")) == 11, "the third session")
    legs = times("orders/rover.legs.csv")
    check([t for t in legs if 2.49 < t < 3.99] == [] and 4 in legs, "a pause")
    told = json.loads(fine("log", "orders/rover.start.mcap", "--json").stdout)
    check(told["whole"] and told["start"] == 1 and abs(told["end"] - 5) < 1e-9, told)
    plot = fine("plot", "orders/rover.start.mcap", "rover/speed")
    check("rover/speed" in plot.stdout, plot.stdout)
    # the same orders give the same logs
    fine("run", LOGGED, "-q", "-d", "5", "--output", "orders_again", "--orders", orders=orders)
    for name in files("orders"):
        if name.endswith(".csv"):
            same = Path("orders", name).read_bytes() == Path("orders_again", name).read_bytes()
            check(same, f"{name} differs")


def orders_from_a_slow_program():
    # a run of 5 s takes milliseconds: it waits for orders that come later
    with subprocess.Popen([COMMAND, "run", LOGGED, "-q", "-d", "5", "--output", "slow", "--orders"],
                          stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        for order in ("4 session run\n", "2 session", " run\n"):
            time.sleep(0.2)
            run.stdin.write(order)
            run.stdin.flush()
        run.stdin.close()
        told = run.stderr.read()
        check(run.wait(60) == 0 and told == "", told)
    ends = [times(f"slow/run{n}.csv")[-1] for n in ("", "-2") if Path(f"slow/run{n}.csv").exists()]
    check(ends == [1.9, 3.9], f"sessions end at {ends}")


def orders_in_any_order():
    # those for one time are executed as they came: 2.5 s ends with a pause, 3 s without
    backwards = "".join(f"{8 - 1e-5 * i:.5f} clear rover/start\n" for i in range(200000))
    orders = backwards + "3 pause run\n3 resume run\n2.5 resume run\n2.5 pause run\n"
    done = fine("run", LOGGED, "-d", "5", "--output", "mixed", "--orders", orders=orders)
    rows = times("mixed/run.csv")
    check([t for t in rows if 2.49 < t < 2.99] == [] and 3 in rows and rows[-1] > 4.8, rows)
    # those for 6 to 8 s, after the end
    check("warning: 200000 orders are for times after the end" in done.stderr, done.stderr)


def orders_while_it_runs():
    with subprocess.Popen([COMMAND, "run", LOGGED, "-q", "-d", "3", "--realtime", "--output", "live", "--orders"],
                          stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        while not Path("live/run.csv").exists():
            time.sleep(0.01)
        run.stdin.write("session run\nstop run\n")
        run.stdin.flush()
        while not Path("live/run-2.csv").exists() and run.poll() is None:
            time.sleep(0.01)
        run.stdin.write("pause *")
        run.stdin.close()
        told = run.stderr.read()
        code = run.wait(60)
    check(code == 2, f"exit code {code} after an order that is none")
    check("orders:2" in told and "pause, resume, clear and session" in told, told)
    first, second = times("live/run.csv"), times("live/run-2.csv")
    check(abs(second[0] - first[-1] - 0.1) < 1e-9 and second[-1] < 2.99, (first[-1], second))


def orders_that_are_none():
    base = ("run", LOGGED, "-q", "-d", "1", "--output", "bad", "--orders")
    for orders, says in (("stop run", "there are pause, resume, clear and session"),
                         ("\n\n5 pause rum\n", "run, rover/legs, rover/touch, rover/start"),
                         ("pause", "an order is"), ("x pause run", "an order is"),
                         ("-1 pause run", "an order is"), ("nan pause run", "an order is"), ("inf pause run", "an order is"),
                         ("1 pause run now", "an order is"), ("pause " + 600 * "r", "too long"),
                         ("1 \x1b[2J run", "no order is called")):
        done = rut(*base, orders=orders)
        check(done.returncode == 2 and says in done.stderr and "\x1b" not in done.stderr,
              f"{orders!r}: {done.returncode}: {done.stderr}")
    check("orders:3" in rut(*base, orders="\n\n5 pause rum\n").stderr, "no line number")
    refused(2, "--orders needs --output", "run", LOGGED, "--orders", orders="pause run")


def what_is_wrong():
    Path("w.xml").write_text('<world>\n<log name="a" signals="spede"/></world>\n', encoding="utf-8")
    refused(3, "w.xml:2:", "check", "w.xml")
    refused(3, "no signal is called 'spede'", "run", "w.xml", "-d", "0.1")
    Path("file").write_text("mine", encoding="utf-8")
    refused(6, "folder 'file'", "run", LOGGED, "-d", "0.1", "--output", "file")
    check(Path("file").read_text(encoding="utf-8") == "mine", "a file was replaced by a folder")


def the_manual():
    page = fine("doc", "log").stdout
    for name in ("format", "signals", "rate", "paused", "record_while", "session_on", "clear_on"):
        check(re.search(rf"\b{name}\b", page), f"'rut doc log' lacks {name}")
    check("csv" in page and "mcap" in page, "formats in the manual")


def main():
    with tempfile.TemporaryDirectory(prefix="rut_loggers_") as folder:
        os.chdir(folder)
        try_all()
        os.chdir("/")
    for fault in faults:
        print(f"FAILED {fault}")
    return len(faults) > 0


def try_all():
    for part in (a_folder_of_logs, runs_replace_nothing, without_a_folder, orders_by_time, orders_from_a_slow_program,
                 orders_in_any_order, orders_while_it_runs, orders_that_are_none, what_is_wrong, the_manual):
        try:
            part()
        except (OSError, ValueError, KeyError, IndexError, subprocess.SubprocessError) as error:
            check(False, f"{part.__name__}: {error!r}")


if __name__ == "__main__":
    sys.exit(main())
