#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every broken world is refused with a clear error: by `rut check` and `rut run`, at its place, in
bounded time and memory.

test/bad_input/expected.txt names each stored file, a part of the message, and the place that the
message must give. Files that are large are made here. RUT_COMMAND is the command, RUT_SANITIZE is
not empty if it was built with sanitizers."""
import concurrent.futures
import contextlib
import gzip
import io
import os
import re
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

from harness import COMMAND, SANITIZE, SOURCE

FOLDER = SOURCE / "test" / "bad_input"
# its worlds share the folder parts
ALLOWED = ["--allow-dir", str(FOLDER)]
CPU_SECONDS = 60 if SANITIZE else 5
MEMORY = 2 << 30
INVALID, MISSING, IO = 3, 5, 6
PLACED = re.compile(r"^(.+?):(\d+):(\d+): error: ", re.MULTILINE)
CRASH = re.compile(r"Sanitizer|runtime error:|Assertion|Segmentation")

passed = failed = 0


# Processor time, not wall time: the test shall not depend on what else the machine does. Sanitizers
# reserve terabytes of addresses. By a command, as a function in the child makes Python slow to start it.
LIMITED = ["prlimit", f"--cpu={CPU_SECONDS}", "--core=0"] + ([] if SANITIZE else [f"--as={MEMORY}"])


def rut(*arguments):
    """Exit code and all output."""
    done = subprocess.run([*LIMITED, COMMAND, *map(str, arguments), *ALLOWED], cwd=FOLDER,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=280,
                          env=dict(os.environ, NO_COLOR="1"), check=False)
    return done.returncode, done.stdout.decode("utf-8", "replace")


def places(output):
    """What errors point at: (file, "line:column")."""
    return {(os.path.normpath(m[0]), f"{m[1]}:{m[2]}") for m in PLACED.findall(output)}


def faults(verb, file, code, output, text, place, codes):
    if code < 0:
        return f"killed by signal {-code} (more than {CPU_SECONDS} s, or a crash)"
    if CRASH.search(output):
        return "a sanitizer or an assertion reported"
    if code not in codes:
        return f"exit code {code} instead of {codes}"
    if "root:" in output:
        return "the output has text of another file"
    if text not in output:
        return f"the output does not have '{text}'"
    if place == "-":
        return "" if ": error: " in output else "no error message"
    at, _, line_column = place.rpartition("@")
    wanted = (os.path.normpath(at or str(file)), line_column)
    found = places(output)
    pattern = re.compile(re.escape(line_column).replace(r"\*", r"\d+"))
    if not any(f.endswith(wanted[0]) and pattern.fullmatch(p) for f, p in found):
        return f"no error at {wanted[0]}:{wanted[1]}, but at {sorted(found)[:3]}"
    return ""


def expect(file, text, place="-", codes=(INVALID, IO), verbs=None):
    """Check that both verbs refuse a world. place is "line:column", "file@line:column" or "-"."""
    global passed, failed
    first_code = None
    # both load files alike: with sanitizers, whose start takes long, one is enough
    verbs = verbs or [["check"], ["run", "--duration", "0.01"]][:1 if SANITIZE else 2]
    for arguments in verbs:
        code, output = rut(*arguments, file)
        # a library that is optional and not here is refused as well
        missing = (MISSING,) if "needs the GDAL library" in output else ()
        fault = faults(arguments[0], file, code, output, text, place, codes + missing)
        if not fault and first_code not in (None, code):
            fault = f"exit code {code}, but `rut check` gave {first_code}"
        first_code = code
        if fault:
            failed += 1
            print(f"{arguments[0]} {file}: {fault}\n    " + output[:600].replace("\n", "\n    "))
        else:
            passed += 1


def stored_rows():
    table = (FOLDER / "expected.txt").read_text(encoding="utf-8").splitlines()
    return [[cell.strip() for cell in row.split(" | ")] for row in table
            if row.strip() and not row.startswith("#")]


def stored(rows):
    """With sanitizers a start takes long: there one command checks several files, and every fourth
    runs as well."""
    global passed, failed
    if not SANITIZE:
        for row in rows:
            expect(*row)
        return
    code, output = rut("check", *[row[0] for row in rows])
    for file, text, *place in rows:
        fault = faults("check", file, code, output, text, *(place or ["-"]), (INVALID, IO))
        passed += not fault
        failed += bool(fault)
        if fault:
            print(f"check {file}, with others: {fault}\n    {output[-2000:]}")
    for row in rows[::4]:
        expect(*row, verbs=[["run", "--duration", "0.01"]])


def unlisted(rows):
    """Every world of the folder is in the table."""
    listed = {row[0] for row in rows}
    for folder in ("native", "mvsim", "mavs", "urdf", "sdf", "chrono"):
        for path in sorted((FOLDER / folder).iterdir()):
            if f"{folder}/{path.name}" not in listed:
                expect(f"{folder}/{path.name}", "it is not in expected.txt")


def write(path, *parts):
    with open(path, "wb") as out:
        for part in parts:
            out.write(part if isinstance(part, bytes) else part.encode())
    return path


def deep(tmp):
    levels = 100_000
    for name, root in (("native", "world"), ("mvsim", "mvsim_world")):
        for tag in ("block", "if condition='1'"):
            nested = f"<{tag}>" * levels + f"</{tag.split()[0]}>" * levels
            file = write(tmp / f"deep_{name}_{tag[:2]}.xml", f"<{root}>", nested, f"</{root}>")
            expect(file, "nested more than")
    file = write(tmp / "unclosed.xml", "<world>", "<block>" * levels)
    expect(file, "nested more than")
    brackets = "(" * 1_000_000
    expect(write(tmp / "brackets.xml", f'<world gravity="$f{{{brackets}"/>'), "missing", "1:8")
    braces = "${" * 200_000
    expect(write(tmp / "braces.xml", f'<world gravity="{braces}"/>'), "", "1:8")
    unary = "-" * 1_000_000
    expect(write(tmp / "signs.xml", f'<world gravity="$f{{{unary}1}}"/>'), "too deep", "1:8")


def large(tmp):
    megabyte = b"x" * (1 << 20)
    for size in (50, 100):
        text = [megabyte] * size
        for name, before, after in (
                ("value", '<world description="', '"/>'),
                ("number", '<world gravity="1', '"/>'),
                ("attribute", "<world ", '="1"/>'),
                ("tag", "<world><", "/></world>"),
                ("name", '<world><block name="', '"/></world>'),
                ("text", "<world>", "</world>"),
                ("mvsim", '<mvsim_world><variable name="', '" value="1"/></mvsim_world>'),
                ("mvsim_value", '<mvsim_world><simul_timestep>', "</simul_timestep></mvsim_world>")):
            file = write(tmp / "large.xml", before, *text, after)
            # a long description as such is no fault
            if name != "value" or size == 100:
                expect(file, "")
            file.unlink()
    numbers = b"1 " * (1 << 20)
    expect(write(tmp / "numbers.xml", '<world><block name="b" outline="', *[numbers] * 4,
                 '"/></world>'), "longer than", "1:24")
    expect(write(tmp / "matrix.xml", '<world><elevation_map matrix="[', *[numbers] * 4,
                 '; 1]"/></world>'), "")
    attributes = " ".join(f'a{i}="1"' for i in range(100_000))
    expect(write(tmp / "attributes.xml", f"<world {attributes}/>"), "")
    elements = "".join(f"<blok{i}/>" for i in range(100_000))
    expect(write(tmp / "errors.xml", f"<world>{elements}</world>"), "too many errors")
    expect(write(tmp / "mvsim_errors.xml", '<mvsim_world version="1.0">' + "<element/>" * 100_000 +
                 "</mvsim_world>"), "")


def circles():
    """Variables that name each other: a file cannot make them, the environment can."""
    os.environ["RUT_TEST_A"] = "${RUT_TEST_B}"
    os.environ["RUT_TEST_B"] = "x${RUT_TEST_A}"
    with tempfile.TemporaryDirectory() as folder:
        for value in ("${RUT_TEST_A}", "$env{RUT_TEST_A}", "${${RUT_TEST_A}}"):
            file = write(Path(folder) / "circle.xml", f'<world gravity="{value}"/>')
            expect(file, "", "1:8")


def many(tmp):
    box = '<block name="b{0}" shape="box" fixed="true"/>'
    loop = '<world><for var="i" from="1" to="{1}">{0}</for></world>'
    expect(write(tmp / "blocks.xml", loop.format(box.format("${i}"), 300_000)), "more than")
    openings = "".join(f'<opening position="{i / 64}" width="0.01 m" z_min="0.1 m"/>'
                       for i in range(64))
    wall = f'<wall from="0 ${{i}} m" to="50 ${{i}} m">{openings}</wall>'
    expect(write(tmp / "walls.xml", loop.format(wall, 9_000)), "solid parts")
    vehicle = ('<vehicle name="r${i}"><chassis mass="$f{i} kg"/><wheel name="l"/></vehicle>')
    expect(write(tmp / "vehicles.xml", loop.format(vehicle, 40_000)), "differ from each other")
    joint = '<joint type="distance" body_a="a${i}" body_b="b${i}"/>'
    expect(write(tmp / "joints.xml", loop.format(box.format("${i}") + joint, 20_000)),
           "no vehicle or block")


def chains(tmp):
    for i in range(100):
        write(tmp / f"chain_{i}.xml", f'<include file="chain_{i + 1}.xml"/>')
    for name, root in (("native", "world"), ("mvsim", "mvsim_world")):
        file = write(tmp / f"chain_{name}.xml", f'<{root}><include file="chain_0.xml"/></{root}>')
        expect(file, "deep")
    # each file includes the next one ten times: 10^20 elements
    for i in range(20):
        write(tmp / f"tree_{i}.xml", f'<include file="tree_{i + 1}.xml"/>' * 10)
    write(tmp / "tree_20.xml", "<block/>")
    for name, root in (("native", "world"), ("mvsim", "mvsim_world")):
        file = write(tmp / f"tree_{name}.xml", f'<{root}><include file="tree_0.xml"/></{root}>')
        expect(file, "")


def packed_map(head, zeros):
    """A .gridmap.gz of a head and a run of zero bytes, which hardly take room."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    parts = [packer.compress(head)]
    parts += [packer.compress(bytes(1 << 20)) for _ in range(zeros >> 20)]
    return b"".join(parts) + packer.flush()


def maps(tmp):
    grid = '<world><occupancy_grid file="{}"/></world>'
    good = FOLDER.parents[1] / "fuzz" / "corpus" / "gridmap" / "plain.gridmap"
    head = good.read_bytes()[:40] if good.is_file() else b""
    write(tmp / "bomb.gridmap.gz", packed_map(head, 512 << 20))
    expect(write(tmp / "bomb.xml", grid.format("bomb.gridmap.gz")), "cannot be used as a map", "1:24")
    write(tmp / "twice.gridmap.gz", gzip.compress(packed_map(b"", 64 << 20)))
    expect(write(tmp / "twice.xml", grid.format("twice.gridmap.gz")), "cannot be used as a map")
    write(tmp / "long.yaml", "image: ", b"x" * (1 << 20), "\nresolution: 1\norigin: [0, 0, 0]\n")
    expect(write(tmp / "long.xml", grid.format("long.yaml")), "")
    # the same large image many times over
    rows = zlib.compress(bytes(8001) * 8000, 9)
    header = (8000).to_bytes(4, "big") * 2 + b"\x08\0\0\0\0"

    def chunk(kind, data):
        return (len(data).to_bytes(4, "big") + kind + data +
                zlib.crc32(kind + data).to_bytes(4, "big"))

    write(tmp / "black.png", b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", header), chunk(b"IDAT", rows),
          chunk(b"IEND", b""))
    expect(write(tmp / "grids.xml", "<world>", '<occupancy_grid file="black.png"/>' * 50,
                 "</world>"), "cells")


def odd_files(tmp):
    expect(tmp, "is not a file", codes=(IO,))
    expect(tmp / "no_such_world.xml", "cannot be read", codes=(IO,))
    expect("/dev/zero", "is not a file", codes=(IO,))
    pipe = tmp / "pipe.xml"
    os.mkfifo(pipe)
    expect(pipe, "is not a file", codes=(IO,))
    loop = tmp / "loop.xml"
    loop.symlink_to(loop)
    expect(loop, "cannot be read", codes=(IO,))


def plugins(tmp):
    """What is no plug-in; test/install has those that are libraries but do not fit."""
    global passed, failed
    world = write(tmp / "plain.xml", "<world/>")
    text = write(tmp / "text.so", "no library")
    whole = Path(os.path.realpath(COMMAND)).read_bytes()
    cut = write(tmp / "cut.so", whole[:2000])
    for file, reason, wanted in ((tmp / "none.so", "No such file", IO), (tmp, "director", None),
                                 (text, "plug-in '", INVALID), (cut, "plug-in '", INVALID)):
        code, output = rut("check", world, "--plugin", file)
        fault = faults("check", world, code, output, reason, "-",
                       (wanted,) if wanted else (INVALID, IO))
        if not fault and str(file) not in output:
            fault = "the message does not name the plug-in"
        passed += not fault
        failed += bool(fault)
        if fault:
            print(f"--plugin {file}: {fault}\n    {output[:400]}")


def unusual():
    """What looks odd and is right: it runs, without an error."""
    global passed, failed
    axle = '<suspension type="slider"/><tyre type="linear"/><axle x="0.4" track="{0}" max_steer="0.3"/>'\
           '<axle x="-0.4" track="{0}"/>'
    for inside in (
            '<terrain type="ramp" length="0" height="1 m"/><vehicle name="r">' + axle.format(1) +
            "</vehicle>",
            '<vehicle name="r">' + axle.format(0) + '<drive type="dc_motor"/>'
            '<controller type="raw" torque_left="1"/></vehicle>',
            '<vehicle name="r">' + axle.format(0) + '<drive type="direct"/>'
            '<controller type="cdta" speed="1"/></vehicle>',
            '<vehicle name="r">' + axle.format(1) + '</vehicle><block name="b" shape="box" '
            'position="5 0"/><joint type="distance" body_a="r" body_b="b"/>',
            '<soil name="s" type="clay"/><soil name="t" type="sand"/>'
            '<region soil="t" x_min="0" x_max="1"/><vehicle name="r">' + axle.format(1) +
            "</vehicle>"):
        with tempfile.TemporaryDirectory() as folder:
            file = write(Path(folder) / "unusual.xml", f"<world>{inside}</world>")
            code, output = rut("run", "--duration", "0.2", file)
        fault = "" if code == 0 and "nan" not in output.replace("\n", " ").split() else (
            f"exit code {code}")
        passed += not fault
        failed += bool(fault)
        if fault:
            print(f"{inside}: {fault}\n    {output[:600]}")


def truncated(tmp):
    """Worlds cut off anywhere are refused, with a place."""
    for name in ("native/joint_to_nothing.xml", "mvsim/joint_to_nothing.xml"):
        whole = (FOLDER / name).read_bytes().rstrip()
        for cut in range(1, len(whole), max(1, len(whole) // 40)):
            file = write(tmp / "cut.xml", whole[:cut])
            code, output = rut("check", file)
            fault = faults("check", file, code, output, "", "-", (INVALID,))
            if not fault and not PLACED.search(output):
                fault = "no place in the message"
            global passed, failed
            passed += not fault
            failed += bool(fault)
            if fault:
                print(f"{name} cut to {cut} bytes: {fault}\n    {output[:400]}")


def in_folder(cases):
    with tempfile.TemporaryDirectory(prefix="rut_bad_input_") as folder:
        cases(Path(folder))


def counted(cases, *arguments):
    """Numbers of checks that passed and failed, and what they print."""
    before, output = (passed, failed), io.StringIO()
    with contextlib.redirect_stdout(output):
        cases(*arguments)
    return passed - before[0], failed - before[1], output.getvalue()


def main():
    global passed, failed
    rows = stored_rows()
    unlisted(rows)
    circles()
    unusual()
    with concurrent.futures.ProcessPoolExecutor() as pool:
        # what takes longest starts first
        groups = [pool.submit(counted, in_folder, cases) for cases in
                  (many, large, maps, chains, truncated, deep, odd_files, plugins)]
        groups += [pool.submit(counted, stored, rows[i:i + 8]) for i in range(0, len(rows), 8)]
        for group in groups:
            good, bad, output = group.result()
            passed += good
            failed += bad
            print(output, end="")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
