#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The viewer's page in a real browser against the real command: what web/test has, from a copy of web/.

Needs node, npm and chromium (apt-get install npm chromium fonts-dejavu-core). The packages are those
that the build has fetched, else they are fetched here.
"""
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

SOURCE = Path(os.environ.get("RUT_SOURCE_DIR", Path(__file__).resolve().parents[2]))
COMMAND = Path(os.environ.get("RUT_COMMAND", SOURCE / "build" / "dev" / "rut")).absolute()
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def find_browser():
    named = os.environ.get("RUT_CHROMIUM")
    found = named or next(filter(None, map(shutil.which, BROWSERS)), None)
    return found or skip("no chromium: apt-get install chromium")


def copy_sources(to):
    """The sources of the page, without what npm and Vite have made."""
    if to.is_symlink() or to.exists():
        shutil.rmtree(to)
    shutil.copytree(SOURCE / "web", to, ignore=shutil.ignore_patterns("node_modules", "dist", "out"))


def add_packages(web):
    built = COMMAND.parent / "web"
    lock = "package-lock.json"
    same = (built / lock).is_file() and (built / lock).read_bytes() == (web / lock).read_bytes()
    if same and (built / "node_modules" / "playwright-core").is_dir():
        (web / "node_modules").symlink_to(built / "node_modules")
        return
    done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--prefer-offline"], cwd=web,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout)
        skip("npm ci failed")


def main():
    if os.environ.get("RUT_SANITIZE"):
        skip("the page is not what sanitizers look at, and a browser is slow enough")
    for tool in ("node", "npm"):
        if not shutil.which(tool):
            skip(f"no {tool}: apt-get install npm")
    browser = find_browser()
    # 5: built without the viewer
    if subprocess.run([COMMAND, "view", SOURCE / "worlds" / "demo.xml", "--host", "no such address"],
                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 5:
        skip("built without the viewer")
    web = Path("web").absolute()
    copy_sources(web)
    add_packages(web)
    environment = dict(os.environ, RUT_COMMAND=str(COMMAND), RUT_SOURCE_DIR=str(SOURCE),
                       RUT_CHROMIUM=browser)
    failed = []
    for name, command in (("types", ["npx", "--no-install", "tsc", "--noEmit"]),
                          ("units", ["npm", "run", "--silent", "test"]),
                          ("page", ["npm", "run", "--silent", "test:page"])):
        begin = time.monotonic()
        code = subprocess.run(command, cwd=web, env=environment).returncode
        print(f"{name}: {'passed' if code == 0 else f'exit code {code}'}, "
              f"{time.monotonic() - begin:.1f} s", flush=True)
        if code:
            failed.append(name)
    if failed:
        print("FAIL:", ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
