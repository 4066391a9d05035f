#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each program of README.md does what its comments say: the first line of a block names its file and how it is started, the last what
it prints. Each runs in an empty folder beside the worlds and examples of an installed rut, with no variable of this environment but
where that rut and the environment of the Python package are. Programs whose packages cannot be had are left out, and a line says so."""
import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, BUILD = Path(os.environ["RUT_SOURCE_DIR"]), Path(os.environ["RUT_BINARY_DIR"])
PYTHON = BUILD / "python" / "venv"
BLOCK = re.compile(r"^```(\w+)\n(?://|#) (\w+\.\w+): ([^\n]*)\n(.*?)(?://|#) prints: ([^\n]*)\n```$", re.M | re.S)
PROGRAMS = ["hello.c", "hello.py", "learn.py", "fmu.py", "drive.py", "listen.py"]
# everything stays on 127.0.0.1, in a domain of its own
DOMAIN = random.randint(1, 200)
CYCLONE = (f'<CycloneDDS><Domain Id="{DOMAIN}"><General><Interfaces><NetworkInterface address="127.0.0.1"/></Interfaces>'
           "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto</ParticipantIndex>"
           '<SPDPInterval>200ms</SPDPInterval><Peers><Peer address="127.0.0.1"/></Peers></Discovery></Domain></CycloneDDS>')


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return str(one.getsockname()[1])


def lacks(prefix, name):
    """What a program needs and is not here; None where all is."""
    if name.endswith(".c"):
        return None
    if not (BUILD / "python" / "installed").exists():
        return "the environment of python.environment"
    package = {"fmu.py": "fmpy", "listen.py": "cyclonedds", "learn.py": "gymnasium"}.get(name)
    if package and subprocess.run([PYTHON / "bin" / "python", "-c", f"import {package}"], capture_output=True, check=False).returncode:
        return f"the package {package} of PyPI"
    if name == "fmu.py" and not (prefix / "libexec" / "rut" / "rut-fmu.so").exists():
        return "rut fmu (libminizip-dev)"
    if name == "listen.py":
        topics = subprocess.run([prefix / "bin" / "rut", "run", SOURCE / "worlds" / "ros2.xml", "--ros2-topics"], capture_output=True, check=False)
        if topics.returncode:
            return "rut run --ros2 (cyclonedds-dev)"
    return None


def run(prefix, name, command, text):
    """What a program prints."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        command, text = command.replace("9870", port), text.replace("9870", port)
        Path(folder, name).write_text(text, encoding="utf-8")
        for part, place in (("worlds", "rut/worlds"), ("examples", "doc/rut/examples")):
            Path(folder, part).symlink_to(prefix / "share" / place)
        library = next(prefix.rglob("librut.*")).parent
        environment = {"PATH": f"{prefix}/bin:{PYTHON}/bin:/usr/bin:/bin", "HOME": folder, "PKG_CONFIG_PATH": f"{library}/pkgconfig",
                       "LD_LIBRARY_PATH": str(library), "CYCLONEDDS_URI": CYCLONE, "ROS_DOMAIN_ID": str(DOMAIN)}
        # runs in the background say what they say elsewhere
        command = re.sub(r"^rut run (.*) & ", r"rut run \1 >run.out & ", command) + " && wait"
        done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=100, check=False)
    return done.stdout.strip() if done.returncode == 0 else f"{done.stdout}{done.stderr}, exit code {done.returncode}"


def main():
    if os.environ.get("RUT_SANITIZE"):
        print("skipped: as users build it")
        return 77
    found = {name: (command, text, printed) for _, name, command, text, printed in
             BLOCK.findall((SOURCE / "README.md").read_text(encoding="utf-8"))}
    assert list(found) == PROGRAMS, f"the programs of README.md are {list(found)}, not {PROGRAMS}"
    command, text, printed = found["hello.c"]
    # as the page says
    found["hello.cpp"] = command.replace("cc hello.c", "c++ hello.cpp"), text, printed
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder, "rut")
        subprocess.run([shutil.which("cmake"), "--install", BUILD, "--prefix", prefix], stdout=subprocess.DEVNULL, check=True)
        for name, (command, text, printed) in found.items():
            missing = lacks(prefix, name) if not name.endswith(".cpp") else None
            if missing:
                print(f"left out: {name} needs {missing}")
                continue
            got = run(prefix, name, command, text)
            if got != printed:
                faults += 1
                print(f"FAIL: {name} prints {got!r}, README.md says {printed!r}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
