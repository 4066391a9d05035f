#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut replay: a log that rut view wrote shows what the pages saw; scrubbing, curves, two logs."""
import csv
import math
import struct
import subprocess
import sys
import time
from pathlib import Path

from test_view import (COMMAND, DEMO, JUMPED, PATIENCE, PAUSED, SLOW, SOURCE, WHEELS, Viewer,
                       check, near, run_tests)

END = 4
SOFT = SOURCE / "worlds" / "figure_of_eight.xml"


def record(world, name, steps, *options):
    """A log of some steps, and the frame after each of ten parts of them."""
    log = Path(name).absolute()
    frames = {}
    with Viewer(world, "--paused", "--record", str(log), *options) as viewer:
        scene = viewer.scene()
        client, _ = viewer.page()
        for _ in range(10):
            frame = client.step(steps // 10)
            frames[round(frame.time, 6)] = frame
        check(viewer.get("/scene.json")[0] == 200, "scene while recording")
    return log, scene, frames


def replay(log, *options):
    return Viewer(log, *options, verb="replay")


def seek(client, time_, flag=JUMPED):
    client.drain()
    client.say("seek", time=time_)
    return client.frame(lambda f: f.bits & flag, f"frame after a seek to {time_}")


def test_frames():
    log, live, frames = record(DEMO, "demo.mcap", 800)
    with replay(log, "--paused") as viewer:
        scene = viewer.scene()
        check(scene["mode"] == "replay" and "parameters" not in scene, "mode")
        check(not any(v["drivable"] for v in scene["vehicles"]), "a log cannot be driven")
        for key in ("extent", "ground", "blocks", "walls", "sensors", "gui", "timestep"):
            check(scene.get(key) == live.get(key), f"scene: {key}")
        names = {signal["name"] for signal in scene["signals"]}
        check({"rover/speed", "car/x", "crate/x"} <= names, "signals of the log")
        client, first = viewer.page()
        check(first.time < 0.01 and first.bits & PAUSED, "begins at the start")
        status = client.text("status")
        check(status["mode"] == "replay" and abs(status["end"] - 4) < 0.05, f"status {status}")
        for t, want in frames.items():
            got = seek(client, t + 1e-4)
            # 20 frames a second, fewer where a machine is too slow for them, at least 2
            check(-1e-6 < t + 1e-4 - got.time < 0.51, f"seek to {t}: at {got.time}")
            if abs(got.time - t) < 1e-6:
                check(got.state() == want.state(), f"another state at {t}")
                check(got.scans.keys() <= want.scans.keys() | {0}, "scans")
        check(seek(client, 1e9).time > 3.9 and seek(client, 0).time < 0.01, "beyond the ends")
        for kind, members in (("drive", {"vehicle": 0}), ("set", {"path": "gravity", "value": "1"}),
                              ("save", {"slot": 1}), ("command", {"vehicle": 0, "values": []})):
            client.say(kind, **members)
            check("replay" in client.text("error")["message"], f"{kind} in a replay")
        check(viewer.get("/state/1")[0] == 404, "a state")
        check(viewer.get("/state/1", method="PUT", body=b"x" * 50)[0] == 405, "PUT of a state")
        status, _, body = viewer.get("/terrain?x0=-5&y0=-5&x1=5&y1=5&nx=3&ny=3")
        check(struct.unpack("<9f", body) == (0.0,) * 9, "terrain")


def test_playing():
    log, _, _ = record(DEMO, "playing.mcap", 600)
    with replay(log) as viewer:
        client, first = viewer.page()
        client.say("rate", value=2)
        begin, t = time.monotonic(), client.frame().time
        frame = client.frame(lambda f: f.time > t + 1)
        rate = (frame.time - t) / (time.monotonic() - begin)
        check(1.2 < rate < 2.6, f"rate {rate}")
        check(1 < frame.factor < 2.6, f"factor {frame.factor}")
        end = client.frame(lambda f: f.bits & END, "end")
        check(end.bits & PAUSED and end.time > 2.9, "stops at the end")
        client.say("resume")
        check(client.frame(lambda f: f.bits & JUMPED).time < 0.1, "begins again")
        client.say("loop", on=True)
        client.say("rate", value=20)
        client.frame(lambda f: f.bits & JUMPED, "second time round")
        client.frame(lambda f: f.bits & JUMPED, "third time round")
        client.say("pause")
        client.frame(lambda f: f.bits & PAUSED)
        # three frames of the log one by one, which stand at most 0.5 s apart, then at once
        held = seek(client, 1)
        times = [held.time]
        for _ in range(3):
            client.say("step", n=1)
            times.append(client.frame(lambda f: f.time > times[-1], "frame after a step").time)
            check(times[-1] - times[-2] < 0.51, f"a step of {times[-1] - times[-2]} s")
        check(seek(client, 1).time == held.time, "another frame at the same time")
        client.say("step", n=3)
        stepped = client.frame(lambda f: f.time > held.time, "frame after steps")
        check(stepped.time == times[3], f"three steps to {stepped.time} s, one by one to {times}")
        client.say("reset")
        check(client.frame(lambda f: f.bits & JUMPED).time < 0.01, "reset")
    with replay(log, "--loop", "--paused") as viewer:
        client, _ = viewer.page()
        check(client.text("status")["paused"], "--paused")


def run_log(name, seconds, *options):
    """A log of rut run."""
    subprocess.run([COMMAND, "run", str(DEMO), "--quiet", "--duration", str(seconds), "--log", name,
                    *options], check=True, capture_output=True)
    return name


def rows_until(client, end):
    """Rows of curves up to a time, from the frames that come."""
    rows = []
    while not rows or rows[-1][0] < end:
        rows += client.frame(lambda f: f.rows, "rows").rows
    return rows


def test_fastest():
    """As fast as it goes is faster than the slider's hundredfold."""
    log = run_log("long.mcap", 400, "--log-rate", "1")
    with replay(log, "--paused") as viewer:
        client, _ = viewer.page()
        client.say("rate", value=0)
        begin = time.monotonic()
        client.say("resume")
        end = client.frame(lambda f: f.bits & END, "end")
        took = time.monotonic() - begin
        check(end.time > 399 and took < 3 * SLOW, f"{end.time} s in {took} s")


def test_peaks():
    """Curves of very many rows keep the least and the largest value of each signal."""
    names = ["rover/lateral_acceleration", "car/fl/load", "crate/y"]
    subprocess.run([COMMAND, "run", str(DEMO), "--quiet", "--duration", "160", "--csv", "peaks",
                    "--csv-every", "1", "--log", "peaks.mcap", "--log-rate", "200"], check=True,
                   capture_output=True)
    columns = (("crate", "y [m]", 2), ("car", "fl.load [N]", 1))
    with replay("peaks.mcap", "--paused") as viewer:
        known = {s["name"] for s in viewer.scene()["signals"]}
        client, _ = viewer.page()
        check(set(names) <= known, f"signals {set(names) - known}")
        client.say("subscribe", signals=names)
        client.say("seek", time=1e9)
        rows = rows_until(client, 159.9)
        times = [t for t, _ in rows]
        check(times == sorted(times) and len(set(times)) == len(times), "order of rows")
        check(15000 < len(rows) <= 20002, f"{len(rows)} rows")
        for name, column, i in columns:
            with open(Path("peaks") / f"{name}.csv", encoding="utf-8") as file:
                want = [float(row[column]) for row in csv.DictReader(file)]
            got = [values[i] for _, values in rows]
            check(near(max(got), max(want), 1e-6) and near(min(got), min(want), 1e-6),
                  f"{name} {column}: {min(got)} to {max(got)}, not {min(want)} to {max(want)}")
            # each value stands near where it was
            wrong = [t for (t, _), value in zip(rows, got)
                     if not any(near(value, want[k], 1e-6) for k in range(
                         max(0, round(t / 0.005) - 4), min(len(want), round(t / 0.005) + 5)))]
            check(not wrong, f"{name} {column}: values of elsewhere at {wrong[:3]}")


def test_inputs():
    """What holds from the start stands in the first row of a log, also after a reset."""
    log = Path("inputs.mcap").absolute()
    table = str(SOURCE / "worlds" / "inputs" / "slalom.csv")
    with Viewer(SOURCE / "worlds" / "slalom.xml", "--paused", "--record", str(log), "--inputs",
                table) as viewer:
        client, _ = viewer.page()
        client.step(20)
        client.say("reset")
        client.frame(lambda f: f.bits & JUMPED)
    with replay(log, "--paused") as viewer:
        client, _ = viewer.page()
        client.say("subscribe", signals=["direct/command_speed"])
        client.say("seek", time=1e9)
        rows = []
        while client.read(1):
            rows += [row for frame in client.drain() for row in frame.rows]
        check(len(rows) > 2 and all(values == (4.0,) for _, values in rows), f"{rows[:2]} {rows[-2:]}")


def test_curves():
    log, _, frames = record(DEMO, "curves.mcap", 800)
    with replay(log, "--paused") as viewer:
        client, _ = viewer.page()
        client.say("subscribe", signals=["rover/x", "car/speed"])
        frame = seek(client, 2)
        rows = list(frame.rows)
        while not rows or rows[-1][0] < 1.9:
            frame = client.frame(lambda f: f.rows, "rows up to the present")
            rows += frame.rows
        check(frame.signals == 2 and frame.subscription == 1, "subscription")
        check(rows[0][0] < 0.1 and len(rows) > 35, f"{len(rows)} rows from {rows[0][0]}")
        check([t for t, _ in rows] == sorted({t for t, _ in rows}), "order of rows")
        at = {round(t, 6): values for t, values in rows}
        for t, frame in frames.items():
            if t in at:
                check(near(at[t][0], frame.vehicle(0)[0], 1e-5), f"rover/x at {t}")
        client.say("subscribe", signals=["nothing/at/all"])
        client.text("error")


def test_ground():
    log, _, _ = record(SOFT, "soft.mcap", 6000)
    with replay(log, "--paused") as viewer:
        client, first = viewer.page()
        check(not first.tiles, "ruts before the start")
        tiles = {}
        late = seek(client, 100)
        tiles.update(late.tiles)
        while client.read(0.5):
            for frame in client.drain():
                tiles.update(frame.tiles)
        deep = min(min(h) for _, _, h in tiles.values()) if tiles else 0
        check(-0.3 < deep < -0.005, f"{len(tiles)} tiles, deepest {deep} m")
        back = seek(client, 0)
        flat = dict(back.tiles)
        rutted = {place for place, (_, _, heights) in tiles.items() if min(heights) < 0}
        while not rutted <= flat.keys():
            flat.update(client.frame(lambda f: f.tiles, "ground of the start").tiles)
        check(all(h == 0 for _, _, heights in flat.values() for h in heights), "ruts at the start")


def test_ground_after_reset():
    """A reset while recording gives the ground back, though it is measured by and by."""
    log = Path("again.mcap").absolute()
    with Viewer(SOFT, "--record", str(log)) as viewer:
        client, _ = viewer.page()
        client.say("rate", value=4)
        client.frame(lambda f: f.time > 8)
        client.say("reset")
        client.frame(lambda f: f.bits & JUMPED)
        last = client.frame(lambda f: f.time > 0.2)

    def ground(viewer, time_):
        client, _ = viewer.page()
        tiles = seek(client, time_).tiles
        while client.read(0.5):
            for frame in client.drain():
                tiles.update(frame.tiles)
        return {place for place, (_, _, heights) in tiles.items() if min(heights) < -0.005}

    with replay(log, "--paused") as viewer:
        end = viewer.page()[0].text("status")["end"]
        # the last of the log is at or after the last that was seen
        before, after = ground(viewer, end - last.time - 1), ground(viewer, end)
        check(len(before) > 10 and len(after) < len(before), f"{len(before)}, {len(after)} tiles")
        check(all(max(map(abs, place)) < 5 for place in after), f"ruts at {sorted(after)}")


def test_ramp():
    """Ground that is not flat comes from the log, as the world had it."""
    world = SOURCE / "worlds" / "rover_sine.xml"
    log, _, _ = record(world, "sine.mcap", 100)
    query = "/terrain?x0=5&y0=-2&x1=30&y1=2&nx=101&ny=3"
    with Viewer(world, "--paused") as viewer:
        live = struct.unpack("<303f", viewer.get(query)[2])
    with replay(log, "--paused") as viewer:
        kept = struct.unpack("<303f", viewer.get(query)[2])
        off = struct.unpack("<4f", viewer.get("/terrain?x0=1e6&y0=0&x1=2e6&y1=1&nx=2&ny=2")[2])
    check(all(abs(a - b) < 2e-3 for a, b in zip(live, kept)), "heights of a log")
    check(max(live) - min(live) > 0.2 and all(math.isnan(z) for z in off), "off the ground")


def test_two_logs():
    one, _, frames = record(DEMO, "one.mcap", 400)
    two, _, others = record(DEMO, "two.mcap", 800, "--set", "rover/controller.speed=0.5 m/s")
    with replay(one, "--compare", str(two), "--paused") as viewer:
        scene = viewer.scene()
        check([v.get("ghost", False) for v in scene["vehicles"]] == [False] * 4 + [True] * 4,
              "ghosts")
        client, _ = viewer.page()
        check(abs(client.text("status")["end"] - 4) < 0.05, "the longer log's end")
        got = seek(client, 2 + 1e-4)
        check(near(got.vehicle(0)[0], frames[2.0].vehicle(0)[0], 0.02), "the first log")
        check(near(got.vehicle(4)[0], others[2.0].vehicle(0)[0], 0.02), "the second log")
        check(len(got.parts[WHEELS]) == 2 * len(frames[2.0].parts[WHEELS]), "wheels of both")
        client.say("subscribe", signals=["rover/speed", "ghost/rover/speed"])
        rows = list(seek(client, 2).rows)
        while not rows or rows[-1][0] < 1.9:
            rows += client.frame(lambda f: f.rows).rows
        check(near(rows[-1][1][0], 1, 0.1) and near(rows[-1][1][1], 0.5, 0.1), f"{rows[-1]}")


def test_damaged():
    """Logs that are cut anywhere open, or are refused; noise does no harm."""
    log, _, _ = record(DEMO, "whole.mcap", 400)
    data = log.read_bytes()
    for part in (0, 10, len(data) // 20, len(data) // 3, len(data) // 2, len(data) - 3):
        cut = Path("cut.mcap")
        cut.write_bytes(data[:part])
        try:
            with replay(cut, "--paused") as viewer:
                viewer.scene()
                viewer.page()
        except RuntimeError as error:
            check("rut: error" in str(error) or "error:" in str(error), f"cut at {part}: {error}")
    process = subprocess.run([COMMAND, "run", str(DEMO), "--quiet", "--duration", "1", "--log",
                              "plain.mcap"], capture_output=True, check=False)
    check(process.returncode == 0, "rut run --log")
    for wrong in (["nothing.mcap"], [str(DEMO)], [str(log), "--compare", "nothing.mcap"]):
        done = subprocess.run([COMMAND, "replay", "--no-open", *wrong], capture_output=True,
                              text=True, timeout=PATIENCE, check=False)
        check(done.returncode in (3, 6) and "error" in done.stderr, f"{wrong}: {done}")


def last_chunk(data):
    """Where the content of a log's last chunk begins, and how long it is."""
    at, found, chunks = 8, None, 0
    while at + 9 <= len(data):
        op, size = data[at], struct.unpack_from("<Q", data, at + 1)[0]
        if op == 6:
            found, chunks = (at + 9, size), chunks + 1
        at += 9 + size
    return found, chunks


def test_damaged_chunk():
    """A log whose end cannot be read plays up to there, and says so once."""
    data = bytearray(Path(run_log("chunks.mcap", 30, "--log-rate", "200")).read_bytes())
    (at, size), chunks = last_chunk(data)
    check(chunks > 2, f"{chunks} chunks")
    data[at + size // 2] ^= 0xff
    Path("chunks.mcap").write_bytes(data)
    with replay("chunks.mcap", "--paused") as viewer:
        client, _ = viewer.page()
        client.say("rate", value=100)
        client.say("resume")
        told = client.text("error")["message"]
        check("cannot be read on" in told and "damaged" in told, told)
        client.frame(lambda f: f.bits & END, "end")
        client.say("resume")
        client.frame(lambda f: f.bits & JUMPED, "start")
        client.frame(lambda f: f.bits & END, "second end")
        check(not any(t["type"] == "error" for t in client.texts), "told again")


if __name__ == "__main__":
    sys.exit(run_tests(globals()))
