#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rut video: frames are the samples of the camera, in folders and through ffmpeg; of worlds, from behind a vehicle, and
of logs, whose poses make the film that the simulation makes; rut log --images; what is refused."""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from harness import SOURCE, check, faults, rut
from png_reader import read_png

HMMWV = str(SOURCE / "worlds" / "hmmwv.xml")
# A crate on keyframes passes the camera.
WORLD = """<world timestep="10 ms" duration="2 s">
  <block name="crate" shape="box" size="1 1 1" position="6 -4">
    <keyframe time="0 s" position="6 -4 m"/><keyframe time="2 s" position="6 4 m"/></block>
  <sensor type="camera" name="eye" period="0.1" noise="none" z="1" width="63" height="41" fov="80 deg"/>
</world>"""


def film(*words):
    done = rut("video", *words, "--json")
    check(done.returncode == 0, f"{words}: {done.returncode} {done.stderr}")
    return json.loads(done.stdout) if done.returncode == 0 else {}


def frames(folder):
    return [p.read_bytes() for p in sorted(Path(folder).glob("*.png"))]


def folders():
    told = film("world.xml", "-o", "all/")
    check((told.get("frames"), told.get("rate"), told.get("start")) == (20, 10, 0.1), told)
    check((told.get("width"), told.get("height"), told.get("duration")) == (63, 41, 2), told)
    pictures = frames("all")
    check(len(pictures) == 20, "20 frames")
    rut("sense", "world.xml", "eye", "--time", "0.7", "-o", "one.png")
    check(pictures[6] == Path("one.png").read_bytes(), "frame 6 is the image at 0.7 s")
    film("world.xml", "-o", "part/", "--from", "0.5", "--duration", "0.6")
    check(frames("part") == pictures[4:10], "a part of it")
    told = film("world.xml", "-o", "fine/", "--rate", "50", "--size", "160x100", "-d", "1")
    check((told.get("frames"), told.get("width"), told.get("start")) == (50, 160, 0.02), told)
    check(len(set(frames("fine"))) > 40, "frames at 50 Hz are images of their own")
    # in simulated time, whatever is missing: images at 0.1, ... 0.4 and from 0.8 s on; one a step of 10 ms at 400 Hz
    noisy = WORLD.replace('noise="none"', "")
    Path("noisy.xml").write_text(noisy, encoding="utf-8")
    film("noisy.xml", "-o", "noisy/")
    pictures = frames("noisy")
    failing = noisy.replace('fov="80 deg"/>', 'fov="80 deg"><failure type="dropout" from="0.45" to="0.75"/></sensor>')
    Path("failing.xml").write_text(failing, encoding="utf-8")
    film("failing.xml", "-o", "held/")
    check(frames("held") == pictures[:4] + 3 * [pictures[3]] + pictures[7:], "the image before a dropout is held")
    film("failing.xml", "-o", "cut/", "-d", "0.7")
    check(frames("cut") == pictures[:4] + 3 * [pictures[3]], "also at the end")
    told = film("world.xml", "-o", "fast/", "--rate", "400", "--size", "640x100", "-d", "0.1", "--from", "0.1")
    fast = frames("fast")
    check((told.get("frames"), len(set(fast))) == (40, 10) and fast[0] == fast[3], f"{told} {len(set(fast))}")
    told = film(HMMWV, "-o", "chase/", "--size", "80x60", "-d", "0.4")
    check((told.get("frames"), told.get("camera")) == (10, "hmmwv/rut_video"), told)
    _, _, rows, _ = read_png(frames("chase")[-1])
    middle, ground = rows[38][3 * 40:3 * 41], rows[55][:3]
    check(0.7 * middle[0] < middle[2] < 0.9 * middle[0] and max(ground) - min(ground) < 8 and max(ground) < 0.7 * middle[0],
          f"a sand-coloured vehicle on dark grey asphalt: {list(middle)} {list(ground)}")


def logs():
    for name, more in (("raw", ()), ("png", ("--set", "eye.log_colour=png", "--set", "eye.log_depth=millimetres"))):
        done = rut("run", "world.xml", "-q", "--log", f"{name}.mcap", *more)
        check(done.returncode == 0, done.stderr)
        told = film(f"{name}.mcap", "-o", f"{name}/")
        check(frames(name) == frames("all"), f"{name}: frames of a log are those of the world")
    told = film("raw.mcap", "-o", "slow/", "--camera", "eye", "--rate", "20", "--from", "0.5", "-d", "0.5")
    check(told.get("frames") == 10, told)
    check(frames("slow") == [frames("all")[4 + k // 2] for k in range(10)], "each image twice")
    done = rut("log", "raw.mcap", "--images", "eye", "-o", "images")
    check(done.returncode == 0 and "20 images" in done.stdout, done.stderr)
    check(frames("images") == frames("all"), "images of a log")
    table = Path("images/times.csv").read_text(encoding="ascii").splitlines()
    check(table[0] == "file,time [s]" and table[5] == "eye_image_raw-000004.png,0.500000000", table[5])
    rut("sense", "world.xml", "eye", "--time", "2", "--image", "depth", "-o", "depth.png")
    for name in ("raw", "png"):
        rut("log", f"{name}.mcap", "--images", "/eye/depth/image_raw", "-o", f"depth_{name}")
        check(frames(f"depth_{name}")[-1] == Path("depth.png").read_bytes(), f"{name}: depths of a log")


def numbers(frame):
    _, _, rows, _ = read_png(frame)
    return b"".join(bytes(row) for row in rows)


def apart(a, b):
    """Part of the numbers of two pictures that differ."""
    a, b = numbers(a), numbers(b)
    return sum(x != y for x, y in zip(a, b)) / len(a) if len(a) == len(b) else 1


def chases():
    """A log from behind a vehicle against the simulation: poses are those of its rows, at 50 Hz, to rounding, which moves
    an edge over a pixel here and there. Wishbones tell their travel and steering a step late. At other times poses are
    between two rows: 0.1 mm off at an acceleration of 2 m/s2."""
    for world, vehicle, start, rate, most in (("hmmwv", "hmmwv", 4, 25, 1e-3), ("depot", "rover", 7, 25, 2e-4),
                                              ("trailer", "tug", 3, 25, 2e-4), ("trailer", "tug", 3, 40, 5e-3)):
        path = str(SOURCE / "worlds" / f"{world}.xml")
        done = rut("run", path, "-q", "-d", str(start + 1), "--log", f"{world}.mcap", "--seed", "3")
        check(done.returncode == 0, done.stderr)
        words = ("--chase", vehicle, "--from", str(start), "-d", "0.4", "--rate", str(rate), "--size", "200x150")
        for source, folder in ((path, "ran/"), (f"{world}.mcap", "logged/")):
            shutil.rmtree(folder, ignore_errors=True)
            more = ("--seed", "3") if source == path else ()
            told = film(source, "-q", *words, *more, "-o", folder)
            check((told.get("frames"), told.get("camera")) == (0.4 * rate, f"{vehicle}/rut_video"), told)
        ran, logged = frames("ran"), frames("logged")
        worst = max((apart(a, b) for a, b in zip(ran, logged)), default=1)
        print(f"{world} at {rate} Hz: {worst:.1e} of the numbers differ, {apart(ran[0], ran[-1]):.1e} in the whole film")
        check(worst <= most, f"{world} at {rate} Hz: {worst} of the numbers differ")
        check(apart(ran[0], ran[-1]) > 10 * most, f"{world}: something moves")
    # without images a log is filmed from behind its first vehicle
    check(film("trailer.mcap", "-q", "-o", "plain/", "-d", "0.04", "--size", "64x48").get("camera") == "tug/rut_video", "")
    rut("run", HMMWV, "-q", "-d", "0.1", "--log", "few.mcap", "--log-signals", "*/speed")
    done = rut("video", "few.mcap", "-o", "x/", "--chase", "hmmwv")
    check(done.returncode == 2 and "does not tell where 'hmmwv' was" in done.stderr, done.stderr)
    done = rut("video", "trailer.mcap", "-o", "x/", "--chase", "hmmw")
    check(done.returncode == 2 and "no vehicle called" in done.stderr, done.stderr)


def coded():
    if not shutil.which("ffmpeg") or not shutil.which("ffprobe"):
        print("no ffmpeg: films are not tested")
        return
    for name in ("f.mp4", "f.gif"):
        told = film("world.xml", "-o", name)
        check(told.get("frames") == 20, told)
        probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                "stream=nb_read_frames,avg_frame_rate,width,height,duration", "-of", "json", name],
                               capture_output=True, text=True, timeout=60, check=True)
        stream = json.loads(probe.stdout)["streams"][0]
        check(stream["nb_read_frames"] == "20" and stream["avg_frame_rate"] == "10/1", stream)
        check(abs(float(stream["duration"]) - 2) < 0.11, stream)
        # 4:2:0 needs even sizes
        check((stream["width"], stream["height"]) == ((64, 42) if name == "f.mp4" else (63, 41)), stream)
    done = rut("video", "world.xml", "-o", "no/such/f.mp4")
    check(done.returncode == 6 and "no/such" in done.stderr, done.stderr)
    old = Path("f.mp4").read_bytes()
    done = rut("video", "world.xml", "-o", "f.mp4", "--duration", "0.001", "--from", "1.995")
    check(Path("f.mp4").read_bytes() == old or done.returncode == 0, "a film that fails replaces none")


def refusals():
    Path("empty.xml").write_text("<world/>", encoding="utf-8")
    plain = dict(os.environ, PATH="/nowhere")
    done = rut("video", "world.xml", "-o", "none.mp4", env=plain)
    check(done.returncode == 5 and "apt-get install ffmpeg" in done.stderr, f"{done.returncode} {done.stderr}")
    check(not Path("none.mp4").exists() and not list(Path(".").glob("*.part*")), "nothing is left behind")
    for code, says, words in (
            (2, "is needed", ("world.xml",)),
            (2, "is needed", ("world.xml", "-o", "f.avi")),
            (2, "WIDTHxHEIGHT", ("world.xml", "-o", "x/", "--size", "640")),
            (2, "WIDTHxHEIGHT", ("world.xml", "-o", "x/", "--size", "9999999999x1")),
            (2, "did you mean 'eye'", ("world.xml", "-o", "x/", "--camera", "eya")),
            (2, "no vehicle called", ("world.xml", "-o", "x/", "--chase", "r")),
            (2, "exclude each other", ("world.xml", "-o", "x/", "--chase", "r", "--camera", "eye")),
            (3, "neither a camera nor a vehicle", ("empty.xml", "-o", "x/")),
            (2, "no length", ("world.xml", "-o", "x/", "--from", "5")),
            (2, "no images of smell", ("raw.mcap", "-o", "x/", "--camera", "smell")),
            (2, "is for --chase", ("raw.mcap", "-o", "x/", "--size", "3x3")),
            (2, "are for worlds", ("raw.mcap", "-o", "x/", "--set", "eye.width=3")),
            (2, "no vehicle called", ("raw.mcap", "-o", "x/", "--chase", "r")),
            (2, "need each other", None),
            (6, "No such file", ("nothing.mcap", "-o", "x/"))):
        done = rut("video", *words) if words else rut("log", "raw.mcap", "--images", "eye")
        check(done.returncode == code and says in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    done = rut("run", "world.xml", "-q", "--log", "huge.mcap", "--set", "eye.width=4096", "--set", "eye.height=4096")
    check(done.returncode != 0 and "too many for a log" in done.stderr, f"huge images: {done.returncode} {done.stderr}")


for name in ("all", "part", "fine", "chase", "noisy", "held", "cut", "fast", "raw", "png", "slow", "images", "depth_raw", "depth_png", "plain"):
    shutil.rmtree(name, ignore_errors=True)
Path("world.xml").write_text(WORLD, encoding="utf-8")
folders()
logs()
chases()
coded()
refusals()
for fault in faults[:30]:
    print("failed:", fault)
print(f"{len(faults)} failed")
sys.exit(len(faults) > 0)
