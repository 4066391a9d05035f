#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which cases of `rut validate` run through which lines of the laws, and what each case costs.

Builds a copy of the tree with gcc's --coverage and runs the cases, those of laws on a bench by the
first word of their names, the others one by one. What is found is kept in a file beside the copy;
cases that are added later are run alone, and all again once a law has changed.

    tools/case_lines.py                         # lines of the laws that no case runs through
    tools/case_lines.py src/vehicle/soil.c:84   # the cases that run through a line
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import resource
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ["src/tyre", "src/soil", "src/drive", "src/suspension", "src/mbd", "src/vehicle", "src/contact"]
# Those of laws on a bench, which take next to no time.
LAW_GROUPS = {"tyres", "soils", "drives", "suspensions"}


def sources_hash(root):
    """Of everything below src."""
    total = hashlib.sha256()
    for folder, folders, names in os.walk(os.path.join(root, "src")):
        folders.sort()
        for name in sorted(names):
            total.update(open(os.path.join(folder, name), "rb").read())
    return total.hexdigest()


def parts_of(base):
    """Cases that are run together, by a name; base: results by case."""
    parts = collections.OrderedDict()
    for name, result in base.items():
        law = result["group"] in LAW_GROUPS
        parts.setdefault(result["group"] + ": " + name.split("_")[0] if law else name, []).append(name)
    return parts


def run_time(words, **more):
    """Runs a program; its processor time [s], of a process that has no other children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, **more)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def counters(folder):
    """Bytes of all counters in a folder."""
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".gcda"):
                path = os.path.join(where, name)
                found[os.path.relpath(path, folder)] = open(path, "rb").read()
    return found


class Coverage:
    """A folder in which counters of one run at a time are written, beside the notes of the build."""

    def __init__(self, build, tree, folder):
        self.program, self.tree, self.folder = os.path.join(build, "rut"), tree, folder
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        self.environment = dict(os.environ, GCOV_PREFIX=folder,
                                GCOV_PREFIX_STRIP=str(len([x for x in build.split("/") if x])))
        for where, _, names in os.walk(build):
            for name in names:
                if name.endswith(".gcno"):
                    target = os.path.join(folder, os.path.relpath(os.path.join(where, name), build))
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    os.symlink(os.path.join(where, name), target)
        self.run(["validate", "--list"])
        self.still = counters(folder)

    def run(self, words):
        for path in counters(self.folder):
            os.remove(os.path.join(self.folder, path))
        return run_time(["nice", self.program] + words, env=self.environment)

    def gcov(self, paths):
        """(lines with code, lines that ran), by file, of objects."""
        code, ran = collections.defaultdict(set), collections.defaultdict(set)
        paths = [p for p in paths if "/src/" in p]
        if not paths:
            return code, ran
        out = subprocess.run(["nice", "gcov", "--json-format", "--stdout"] + paths, cwd=self.folder,
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        for row in filter(None, out.decode().split("\n")):
            for source in json.loads(row)["files"]:
                name = os.path.relpath(os.path.join(self.tree, source["file"]), self.tree)
                if not name.startswith(tuple(f + "/" for f in FOLDERS)):
                    continue
                for line in source["lines"]:
                    code[name].add(line["line_number"])
                    if line["count"]:
                        ran[name].add(line["line_number"])
        return code, ran

    def lines(self, names):
        """(seconds, lines that ran) of cases."""
        seconds = self.run(["validate", "--workers", "1"] + names)
        return seconds, self.gcov([p for p, x in counters(self.folder).items() if x != self.still.get(p)])[1]


def cover(build, tree, folder, jobs):
    """(part, seconds, lines) of parts; jobs: (part, cases)."""
    coverage = Coverage(build, tree, folder)
    found = []
    for part, names in jobs:
        seconds, ran = coverage.lines(names)
        found.append((part, seconds, {f: sorted(x) for f, x in ran.items()}))
    return found


class Lines:
    """Lines by file, with the parts that run through each."""

    def __init__(self, path):
        self.path = path
        self.data = json.load(open(path)) if os.path.exists(path) else {}

    def update(self, work, tree, base, workers=2):
        """Build and run what is missing. The tree must hold no fault."""
        key = sources_hash(tree)
        parts = parts_of(base)
        if self.data.get("sources") != key:
            self.data = {"sources": key, "parts": {}, "seconds": {}, "code": {}, "ran": {}}
        missing = [(p, n) for p, n in parts.items() if self.data["parts"].get(p) != n]
        if missing or not self.data["code"]:
            self.measure(work, tree, missing, workers)
        self.data["parts"] = {p: n for p, n in parts.items()}
        with open(self.path, "w") as out:
            json.dump(self.data, out)

    def measure(self, work, tree, missing, workers):
        build = os.path.join(work, "coverage")
        if not os.path.exists(os.path.join(build, "build.ninja")):
            launcher = shutil.which("ccache")
            subprocess.run(["cmake", "-G", "Ninja", "-S", tree, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                            "-DCMAKE_C_FLAGS_RELEASE=-O0 -DNDEBUG -DRUT_NO_CLONES --coverage"] +
                           (["-DCMAKE_C_COMPILER_LAUNCHER=" + launcher] if launcher else []),
                           stdout=subprocess.DEVNULL, check=True)
        subprocess.run(["nice", "cmake", "--build", build, "-j%d" % workers, "--target", "rut"],
                       stdout=subprocess.DEVNULL, check=True)
        folders = [os.path.join(work, "counters%d" % k) for k in range(workers)]
        if not self.data["code"]:
            # all objects, whether a case runs through them or not
            whole = Coverage(build, tree, folders[0])
            self.data["code"] = {f: sorted(x) for f, x in whole.gcov(whole.still)[0].items()}
        for part, _ in missing:
            for lines in self.data["ran"].values():
                for by in lines.values():
                    by[:] = [p for p in by if p != part]
        with concurrent.futures.ProcessPoolExecutor(workers) as pool:
            jobs = [pool.submit(cover, build, tree, folders[k], missing[k::workers]) for k in range(workers)]
            for job in jobs:
                for part, seconds, ran in job.result():
                    self.data["seconds"][part] = seconds
                    for name, lines in ran.items():
                        rows = self.data["ran"].setdefault(name, {})
                        for line in lines:
                            rows.setdefault(str(line), []).append(part)

    def cases(self, name, line):
        """(seconds, cases) of the parts that run through a line; None if there is no telling."""
        code = self.data["code"].get(name)
        if not code:
            return None
        if line not in code:
            # a further line of a statement: what is before and behind it, if that is near
            near = [x for x in (max((x for x in code if x < line), default=0), min((x for x in code if x > line), default=0))
                    if x and abs(x - line) <= 3]
            if not near:
                return None
        else:
            near = [line]
        parts = {p for x in near for p in self.data["ran"].get(name, {}).get(str(x), [])}
        return [(self.data["seconds"][p], self.data["parts"][p]) for p in parts if p in self.data["parts"]]

    def all_cases(self):
        """As `cases`, of all."""
        return [(self.data["seconds"][p], names) for p, names in self.data["parts"].items()]

    def untouched(self):
        """Lines with code that no case runs through, by file."""
        found = {}
        for name, code in sorted(self.data["code"].items()):
            ran = self.data["ran"].get(name, {})
            left = [x for x in code if not any(p in self.data["parts"] for p in ran.get(str(x), []))]
            if left:
                found[name] = left
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("line", nargs="*", help="FILE:LINE whose cases are asked for")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "mutants"), help="folder of the copy")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    args = parser.parse_args()
    import mutate  # which makes the copy, and needs this file
    bench = mutate.Bench(args)
    base = {n: x for n, x in bench.validate(3600).items() if x["group"] not in mutate.NO_LAW_GROUPS}
    lines = Lines(os.path.join(args.work, "case_lines.json"))
    lines.update(args.work, bench.tree, base, args.jobs)
    for place in args.line:
        name, number = place.rsplit(":", 1)
        found = lines.cases(name, int(number))
        if found is None:
            sys.exit("case_lines: there is no code near " + place)
        for seconds, cases in sorted(found):
            print("%8.2f s  %s" % (seconds, " ".join(cases[:4]) + (" +%d" % (len(cases) - 4) if len(cases) > 4 else "")))
    if args.line:
        return
    whole = sum(len(x) for x in lines.data["code"].values())
    left = lines.untouched()
    for name, numbers in left.items():
        text = open(os.path.join(ROOT, name)).read().split("\n")
        for number in numbers:
            print("%s:%d: %s" % (name, number, text[number - 1].strip()))
    print("%d of %d lines" % (sum(len(x) for x in left.values()), whole))


if __name__ == "__main__":
    main()
