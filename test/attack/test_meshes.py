#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes made to harm: each ends in one clear warning and a box in its place, within bounds of time
and memory, and none makes rut open another file.

RUT_COMMAND is the command, RUT_HELPERS the folder of its helper programs, RUT_SANITIZE is not empty if
it was built with sanitizers."""
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = os.environ.get("RUT_COMMAND", str(SOURCE / "build" / "dev" / "rut"))
SANITIZE = os.environ.get("RUT_SANITIZE", "")
CPU_SECONDS = 60 if SANITIZE else 10  # of each process; what is right takes less than one
MOST = 1 << 30  # bytes that rut and its helper may hold; what is right takes half of it
LIMITED = ["prlimit", f"--cpu={CPU_SECONDS}", "--core=0"] + ([] if SANITIZE else [f"--as={3 << 30}"])
COLLADA = ('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" '
           'version="1.4.1"><asset><up_axis>Z_UP</up_axis></asset>{}<library_visual_scenes>'
           '<visual_scene id="s">{}</visual_scene></library_visual_scenes>'
           '<scene><instance_visual_scene url="#s"/></scene></COLLADA>')
BLOCK = ('<block:class name="{0}"><shape_from_visual/><visual><model_uri>{0}</model_uri></visual>'
         '</block:class><block class="{0}"><init_pose>{1} 0 0</init_pose></block>\n')

passed = failed = 0


def check(name, fault):
    global passed, failed
    passed += not fault
    failed += bool(fault)
    if fault:
        print(f"FAILED {name}: {fault}")


def rut_check(files, **environment):
    """Exit code, output and largest resident size of any process, of a world with these meshes."""
    world = "".join(BLOCK.format(file, 3 * i) for i, file in enumerate(files))
    Path("w.world.xml").write_text(f'<mvsim_world version="1.0">\n{world}</mvsim_world>')
    with subprocess.Popen([*LIMITED, COMMAND, "check", "w.world.xml"], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, NO_COLOR="1", **environment)) as process:
        try:
            output = process.communicate(timeout=60)[0].decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            process.kill()
            return None, "", 0
    return process.returncode, output, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def expect(name, files, pattern, warnings, **environment):
    """A world with these meshes loads, with so many warnings that fit the pattern."""
    code, output, size = rut_check(files, **environment)
    found = len(re.findall(f"warning: .*{pattern}", output))
    fault = ""
    if code is None:
        fault = "it hangs"
    elif code < 0:
        fault = f"killed by signal {-code}"
    elif code != 0:
        fault = f"exit code {code}: {output[:300]}"
    elif found != warnings or f"0 errors, {warnings} warning" not in output:
        fault = f"{found} warnings of {warnings} say '{pattern}': {output[:600]}"
    elif size > MOST and not SANITIZE:
        fault = f"it took {size >> 20} MiB"
    check(name, fault)


def write(name, content):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return name


def nested():
    return write("nested.dae", COLLADA.format("", '<node id="n">' * 20000 + "</node>" * 20000))


def instance_of_itself():
    loop = '<node id="itself"><instance_node url="#itself"/></node>'
    return write("itself.dae", COLLADA.format(f"<library_nodes>{loop}</library_nodes>", loop))


def doubled_nodes():
    nodes = "".join(f'<node id="n{i}">' + f'<instance_node url="#n{i - 1}"/>' * 2 + "</node>"
                    for i in range(1, 40))
    library = f'<library_nodes><node id="n0"/>{nodes}</library_nodes>'
    return write("doubled.dae", COLLADA.format(library, '<node><instance_node url="#n39"/></node>'))


def claims_4_gigabytes():
    return write("claim.glb", b"glTF" + struct.pack("<II", 2, 22) + struct.pack("<I", 0xffffffff) +
                 b"JSON{}")


GOOD = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n"


def main():
    crashed = "rut-import crashed on it"
    expect("20000 nested nodes", [nested()], crashed, 1)
    expect("a node that is an instance of itself", [instance_of_itself()], crashed, 1)
    if not SANITIZE:  # their allocator reserves its addresses beforehand, which no limit counts
        expect("nodes doubled 39 times", [doubled_nodes()], "takes too much memory", 1)
        expect("a chunk of 4 GB in 22 bytes", [claims_4_gigabytes()], "mesh cannot be read", 1)
    # every one is named, and the good ones beside them are read
    many = [write(f"n{i}.dae", Path("nested.dae").read_bytes()) for i in range(20)]
    expect("20 that crash among good ones", [write("good.obj", GOOD), *many,
                                             write("fine.obj", GOOD)], crashed, 20)

    # whoever opens a pipe waits for its other end
    os.mkfifo("pipe")
    for where in ("pipe", os.path.abspath("pipe")):
        code, output, _ = rut_check([write("library.obj", f"mtllib {where}\n{GOOD}")])
        check(f"materials from {where}", "it opens the file" if code is None else
              output if code != 0 or "0 errors, 0 warnings" not in output else "")

    expect("helper is not there", ["good.obj"], "need the program rut-import", 1, RUT_HELPERS="/nowhere")
    Path("bin").mkdir()
    fake = Path("bin/rut-import")
    answers = {"says little": "echo rutmesh3",
               "says nonsense": "head -c 100000 /dev/urandom",
               "claims points that it does not send":
                   r"printf 'rutmesh3\0\0\0\0\377\377\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0'",
               "steers the terminal":
                   r"printf 'rutmesh3\377\377\377\377\0\0\0\0\0\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\033[2Jx'"}
    for name, line in answers.items():
        fake.write_text(f"#!/bin/sh\n{line}\n")
        fake.chmod(0o755)
        pattern = r"\?\[2Jx" if "terminal" in name else "mesh cannot be read: rut-import ended"
        expect(f"a helper that {name}", ["good.obj"], pattern, 1, RUT_HELPERS=os.path.abspath("bin"))
    # one that stayed from another version: it refuses the call, or answers in another form
    for line in ("exit 2", "printf 'rutmesh2' && head -c 24 /dev/zero"):
        fake.write_text(f"#!/bin/sh\n{line}\n")
        expect("a helper of another version", ["good.obj"], "of the same version as rut", 1,
               RUT_HELPERS=os.path.abspath("bin"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        main()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
