#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The virtual environment of the tests of the Python package, below the build folder.

    environment.py --make      makes it, and installs rut as pip does, with the objects of this build
    environment.py TEST.py     runs a test in it

Exit status 77, skipped, where there is no module venv, no header of Python or no package from PyPI.
"""
import hashlib
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(os.environ["RUT_SOURCE_DIR"])
BUILD = Path(os.environ["RUT_BINARY_DIR"])
FOLDER = BUILD / "python"
PYTHON = FOLDER / "venv" / "bin" / "python"
STAMP, LOG = FOLDER / "installed", FOLDER / "pip.log"
PACKAGES = ["cffi", "numpy", "scikit-build-core>=0.10", "setuptools", "gymnasium>=1.1,<2", "pettingzoo>=1.25,<2", "pandas>=2", "dask[distributed]>=2024", "fmpy>=0.3.20", "pythonfmu>=0.6.9", "cantools>=39"]
# what only programs of README.md, second readers of files and a test in a notebook need, where there are wheels
WISHED = ["cyclonedds", "PyOpenCRG>=0.2", "nbclient ipykernel"]


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def run(log, *command):
    return subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, cwd=FOLDER, check=False).returncode


def fetch(log):
    """The environment with the packages, unless it is there."""
    wanted = FOLDER / "packages"
    if wanted.exists() and wanted.read_text(encoding="utf-8") == " ".join(PACKAGES + WISHED):
        return
    STAMP.unlink(missing_ok=True)
    if run(log, sys.executable, "-m", "venv", "--clear", FOLDER / "venv"):
        skip("no virtual environment: apt-get install python3-venv")
    if run(log, PYTHON, "-m", "pip", "install", "--quiet", "--prefer-binary", "--retries", "1", *PACKAGES):
        skip(f"packages cannot be had from PyPI, see {LOG}")
    for wish in WISHED:
        run(log, PYTHON, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "--retries", "1", *wish.split())
    wanted.write_text(" ".join(PACKAGES + WISHED), encoding="utf-8")


def inputs():
    """A hash of what the package is made of."""
    known = hashlib.sha256()
    files = [p for top in ("python", "include", "worlds") for p in sorted((ROOT / top).rglob("*")) if "__pycache__" not in p.parts]
    for path in [*files, ROOT / "pyproject.toml", BUILD / "librut.a"]:
        if path.is_file():
            known.update(str(path).encode() + path.read_bytes())
    return known.hexdigest()


def make():
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        skip("no Python.h: apt-get install python3-dev")
    FOLDER.mkdir(exist_ok=True)
    with open(LOG, "w", encoding="utf-8") as log:
        fetch(log)
        known = inputs()
        if STAMP.exists() and STAMP.read_text(encoding="utf-8") == known:
            return 0
        settings = {"RUT_OBJECTS": BUILD, "RUT_PYTHON_COMMAND": "OFF", "RUT_WITH_VIEWER": "OFF"}
        options = [word for name, value in settings.items() for word in ("--config-settings", f"cmake.define.{name}={value}")]
        options += ["--config-settings", f"build-dir={FOLDER / 'wheel'}"]
        failed = run(log, PYTHON, "-m", "pip", "install", "--no-build-isolation", "--no-deps", "--force-reinstall", *options, ROOT)
    if failed:
        print(LOG.read_text(encoding="utf-8"))
        return 1
    STAMP.write_text(known, encoding="utf-8")
    return 0


def main():
    if sys.argv[1] == "--make":
        return make()
    if not STAMP.exists():
        skip("no environment, see python.environment")
    # the package that is installed, not the sources
    return subprocess.run([PYTHON, "-B", "-W", "error::ResourceWarning", sys.argv[1]], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
