#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Put faults into the laws, one at a time, and tell which checks catch them.

Works on a copy of the tree. A fault is one changed line of a law: a sign, a factor of 0.5, 10 %
more, exchanged arguments or operands, a dropped term, a constant, sine for cosine. Faults are made
by rule from the sources and chosen by a seed. One that leaves the program the same to the byte, or
that does not compile, does not count. The others run through the cases of `rut validate` that run
through the line (case_lines.py finds them once) and, unless --validate-only, through the tests that
concern the folder.

    tools/mutate.py --count 20 --validate-only
    tools/mutate.py --seed 7 --count 150 --json faults.json
    tools/mutate.py --file src/tyre/fiala.c --kind sign --count 10
    tools/mutate.py --list --count 150          # name the faults, try none
    tools/mutate.py --retry faults.json         # those that survived, again
"""

import argparse
import collections
import hashlib
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import time

import case_lines

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Where laws are: folder, files that are none, and the tests that concern it.
LAWS = [
    ("src/tyre", [], r"unit\.(tyre|tyre_spatial|tir|mavs|mvsim)$|physics\.(tyre_outputs|planar_wheels|hmmwv|spatial)$"),
    ("src/soil", [], r"unit\.(bekker|bekker_any|bekker_ruts|soil|presets|query_soil|mavs)$|physics\.spatial$"),
    ("src/drive", [], r"unit\.(drive|motor|powertrain|powertrain_axles|powertrain_runs)$|physics\.(direct_drive|hmmwv)$"),
    ("src/suspension", [], r"unit\.(double_wishbone|spec)$|physics\.(conservation|corners|hmmwv|spatial|formulations)$"),
    ("src/mbd", [], r"unit\.(rolling|joints)$|physics\.(multibody|sliders|corners|formulations|planar_wheels|conservation|spatial|hmmwv)$"),
    ("src/vehicle", ["report.c", "observe.c", "control.c", "control_job.c", "control_job.h", "control_stack.c",
                     "control_stack.h", "class.h", "batch.h", "environment.h", "state.h", "wheels.h", "start.c",
                     "work.c", "work.h", "traction_rows.h"],
     r"unit\.(stages|control_spatial|control_stack|steering)$|physics\.(spatial|hmmwv|conservation|steering|kinematic|start_loads|random_vehicles|rolling_start|pose)$"),
    ("src/contact", ["snapshot.c", "build.c", "scan.c", "cast.c", "fixed_grid.c", "body_grid.c", "touch_cells.c",
                     "space_build.c", "space_list.c"],
     r"unit\.contact$|physics\.contact$"),
]
# Tests of the whole: hashes of example worlds, and what every component must keep.
WHOLE = r"|determinism\.determinism$|contract\.components$"

# Functions that check input, name things or draw them are no laws; nor are bounds of divisors.
NO_LAW = re.compile(r"^check_|(_check|_fault|_links|_bodies|_report|_observe|_rows|_name|_size|_scratch|_plan|_valid|in_range|rut_converter_best|"
                    # next steps of searches, and how far they look: what they find is the same
                    r"rut_split_advance|is_clear|find_range|box_of|find_reach|is_dry)$")
GUARD = re.compile(r"\bdouble (least|far)\b|\b(\w*_)?(PARTS?|STANDING|SAME|LEAST|MOST|LARGEST|SMALLEST|NARROW|APART|EXACT|FAST|ERROR|PASSES|LOW|NONE|NEARLY|EPSILON|NEXT)(_\w*)?\b")
SKIP_LINE = re.compile(
    r"^\s*X\(|"  # a row of fields: defaults are no laws
    r"^\s*(for|if|while|switch|case|else|do|goto|break|continue|int|const int|static const int|size_t|"
    r"const size_t|bool|const bool|char|const char|enum|typedef|struct|return RUT_|rutStatus|void)\b")
# Numbers of things, which appear in places of arrays, and arrays themselves.
PLUMBING = re.compile(r"^(lanes?|n|nq|nv|ns|stride|count|counts?_of|wheels?|first|row|rows|width|RUT_[A-Z_]*|[A-Z_]{4,}|sizeof|own|scratch)$")
POINTER = re.compile(r"(double|void|int|char|\w+_t|rut\w+|Param|Row)( const)?\s?\*\s?(const |restrict )?\w|restrict|memcpy|memset|sizeof|^\s*(double|rutStressRow) \*?\w+[;,\[]|&\w")
COMMUTES = {"rut_max", "rut_min", "rut_hypot", "sizeof", "RUT_COUNT_OF", "fmax", "fmin", "hypot", "dot", "rut_dot",
            "rut_vec3_add", "rut_vec3_dot", "rut_spatial_add", "rut_spatial_dot", "rut_sym3_add", "rut_inertia_add"}
KINDS = ["sign", "half", "tenth", "exchange", "drop", "constant", "function"]

# Groups of cases that laws of vehicles cannot change.
NO_LAW_GROUPS = {"positioning, range", "inertial", "lidar", "camera", "bumper, battery", "radar"}

NUMBER = r"(?:\d+\.\d*(?:[eE][-+]?\d+)?|\.\d+|\d+(?:[eE][-+]?\d+)?)"
TOKEN = re.compile(r'"[^"]*"|\'[^\']*\'|0x[\w.]+(?:[pP][-+]?\d+)?|' + NUMBER + r"|[A-Za-z_]\w*|->|\+\+|--|[-+*/%]=|[=!<>]=|&&|\|\||<<|>>|\S")


def tokens(text):
    return [(m.group(), m.start(), m.end()) for m in TOKEN.finditer(text)]


def is_value_end(token):
    return bool(re.match(r"[\w.]+$", token)) and token not in ("return", "case") or token in (")", "]")


def term_end(toks, i, stop):
    """Index of the token at which the term that begins at i ends: a token of `stop` at its depth."""
    depth = 0
    while i < len(toks):
        t = toks[i][0]
        if depth == 0 and (t in stop or t in ")]};,?:"):
            return i
        if t in "([{":
            depth += 1
        if t in ")]}":
            depth -= 1
        i += 1
    return i


def call_arguments(toks, i):
    """Spans of the arguments of the call whose '(' is token i."""
    spans, depth, begin = [], 0, i + 1
    for k in range(i, len(toks)):
        t = toks[k][0]
        if t in ("(", "[", "{"):
            depth += 1
        elif t in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                if k > begin:
                    spans.append((toks[begin][1], toks[k - 1][2]))
                return spans
        elif t == "," and depth == 1:
            if k > begin:
                spans.append((toks[begin][1], toks[k - 1][2]))
            begin = k + 1
    return []


def scaled(text, factor):
    value = float(text) * factor
    return repr(value)


def values(toks):
    """Spans of what stands behind = and return, up to the comma or semicolon at its depth."""
    spans = []
    for i, (t, _, _) in enumerate(toks[:-1]):
        if t in ("=", "+=", "-=", "return") and (t == "return" or i):
            last = term_end(toks, i + 1, ",;")
            if last > i + 1 and last < len(toks) and toks[last][0] in ",;":
                spans.append((toks[i + 1][1], toks[last - 1][2]))
    return spans


def line_faults(line):
    """(kind, changed line) of all faults of one line of a function."""
    code = line.split("//")[0].rstrip()
    toks = tokens(code)
    found = []

    def put(kind, begin, end, by):
        found.append((kind, line[:begin] + by + line[end:]))

    # the value that is set or returned, as a whole; of several declarators, each
    if code.endswith(";"):
        for begin, end in values(toks):
            value = line[begin:end]
            truth = value.startswith("!") or "&&" in value or "||" in value
            if re.search(r"[-+*/(]|\[\w", value) and not truth and not value.startswith(("{", "(rut", "(Line", "&")):
                put("half", begin, end, "0.5 * (%s)" % value)
                put("tenth", begin, end, "1.1 * (%s)" % value)
    bracket = 0
    for i, (t, begin, end) in enumerate(toks):
        if t == "[":
            bracket += 1
        if t == "]":
            bracket -= 1
        if bracket > 0:
            continue  # an index
        before = toks[i - 1][0] if i else ""
        after = toks[i + 1][0] if i + 1 < len(toks) else ""
        if PLUMBING.match(before) or PLUMBING.match(after):
            continue
        if t in ("+", "-") and is_value_end(before):
            put("sign", begin, end, "-" if t == "+" else "+")
            last = term_end(toks, i + 1, "+-")
            if last > i + 1:
                put("drop", toks[i - 1][2], toks[last - 1][2], "")
        elif t == "-" and before in ("=", "(", "return", ",", "?", ":"):
            put("sign", begin, end, "")
        elif t in ("+=", "-="):
            put("sign", begin, end, "-=" if t == "+=" else "+=")
        elif t in ("*", "/") and is_value_end(before) and re.match(r"[\w(]", after):
            last = term_end(toks, i + 1, "+-*/<>&|=")
            if last > i + 1:
                put("drop", toks[i - 1][2], toks[last - 1][2], "")
            if t == "/" and re.match(r"[A-Za-z_]\w*$", before) and re.match(r"[A-Za-z_]\w*$", after) and (
                    i + 2 >= len(toks) or toks[i + 2][0] in ";,)+-"):
                put("exchange", toks[i - 1][1], toks[i + 1][2], "%s / %s" % (after, before))
        elif t == "(" and re.match(r"[a-z_]\w*$", before) and before not in COMMUTES:
            spans = call_arguments(toks, i)
            for a, b in zip(spans, spans[1:]):
                one, two = line[a[0]:a[1]], line[b[0]:b[1]]
                # a bound and what it bounds from below commute
                bounded = before == "rut_clamp" and a is spans[0]
                if one != two and not bounded:
                    put("exchange", a[0], b[1], two + line[a[1]:b[0]] + one)
        elif re.match(NUMBER + "$", t) and (after in ("*", "/") or before in ("*", "/", "=", "(", "+", "-", ",")):
            series = before == "/" and float(t) > 100  # of an elementary function
            if float(t) and not series and ("." in t or "e" in t or (after in ("*", "/") or before in ("*", "/"))):
                put("constant", begin, end, scaled(t, 1.1))
        elif t in ("rut_sin", "rut_cos"):
            put("function", begin, end, "rut_cos" if t == "rut_sin" else "rut_sin")
    return found


def table_faults(line):
    """Numbers of tables: defaults of fields, soils, surfaces."""
    row = re.match(r'^\s*X\(\w+, "[^"]*", (' + NUMBER + r"),", line)
    if row and float(row.group(1)):
        value = row.group(1)
        return [("constant", line[:row.start(1)] + scaled(value, f) + line[row.end(1):]) for f in (0.5, 1.1)]
    found = []
    if re.match(r"^\s*[\d., e\-+]+\)\};\s*$", line) or re.match(r"^\s*\[\w+\] = \{[\d., ]+\}", line):
        for m in re.finditer(r"(?<![\w.])" + NUMBER + r"(?![\w.])", line):
            if float(m.group()):
                found.append(("constant", line[:m.start()] + scaled(m.group(), 1.1) + line[m.end():]))
    return found


Fault = collections.namedtuple("Fault", "file line kind before after function")


def faults_of(path):
    """Every fault that the rules make of a file."""
    lines = open(os.path.join(ROOT, path)).read().split("\n")
    found, function, is_truth, inside, comment = [], "", False, False, False
    for number, line in enumerate(lines):
        if comment or line.lstrip().startswith("/*"):
            comment = "*/" not in line
            continue
        if line.startswith("#") or line.startswith("//"):
            continue
        if line[:1].strip() and "(" in line and not line.startswith("}"):
            name = re.search(r"(\w+)\((?!.*\bX\b\))", line)
            if name:
                function = name.group(1)
                is_truth = bool(re.search(r"\bbool \w+\(", line))
        if line.rstrip().endswith("{") and line[:1].strip() or (line.rstrip().endswith(") {")):
            inside = inside or not re.match(r"(typedef|static const|struct|enum|union|const)\b", line)
        if line.startswith("}"):
            inside = False
            continue
        if line.rstrip().endswith("\\"):
            made = table_faults(line) if "X(" in line else []
        elif re.match(r"^\s+X\(", line):
            made = table_faults(line)
        elif not inside:
            made = table_faults(line)
        elif NO_LAW.search(function) or GUARD.search(line.split("=")[0]) or SKIP_LINE.match(line) or POINTER.search(line):
            made = []
        elif not line.split("//")[0].rstrip().endswith((";", "+", "*", "-", "/", "=")) or re.match(r"^\s*[\w.\->]+\(.*;$", line):
            made = []
        else:
            made = line_faults(line)
            if is_truth and line.lstrip().startswith("return"):
                # half of what is true is true
                made = [x for x in made if x[0] not in ("half", "tenth")]
        for kind, after in made:
            if after != line:
                found.append(Fault(path, number + 1, kind, line, after, function))
    return found


def law_files():
    files = []
    for folder, without, _ in LAWS:
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            if name.endswith((".c", ".h")) and name not in without:
                files.append(folder + "/" + name)
    return files


def choose(files, kinds, seed):
    """Endless stream of faults: files in turn, larger ones more often, a line once."""
    pick = random.Random(seed)
    sites = {f: [x for x in faults_of(f) if not kinds or x.kind in kinds] for f in files}
    # each kind as often as the others, whatever the number of places
    queues = {}
    for f in files:
        by_kind = collections.defaultdict(list)
        for x in sites[f]:
            by_kind[x.kind].append(x)
        for xs in by_kind.values():
            pick.shuffle(xs)
        order = []
        while any(by_kind.values()):
            names = [k for k in KINDS if by_kind[k]]
            pick.shuffle(names)
            order += [by_kind[k].pop() for k in names]
        seen, kept = set(), []
        for x in order:
            if x.line not in seen:
                seen.add(x.line)
                kept.append(x)
        queues[f] = kept
    weight = {f: math.sqrt(len(queues[f])) for f in files if queues[f]}
    taken = {f: pick.random() for f in weight}
    while any(queues[f] for f in weight):
        f = min((f for f in weight if queues[f]), key=lambda name: taken[name] / weight[name])
        taken[f] += 1
        yield queues[f].pop(0)


class Bench:
    """The copy of the tree, its build, and what runs on it."""

    def __init__(self, args):
        self.jobs, self.workers = args.jobs, max(2, args.jobs)
        self.tree = os.path.join(args.work, "tree")
        self.build = os.path.join(args.work, "build")
        self.environment = dict(os.environ)
        self.mutant_environment = dict(os.environ, CCACHE_DISABLE="1")
        self.copy_tree()
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            launcher = shutil.which("ccache")
            self.command(["cmake", "-G", "Ninja", "-S", self.tree, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release",
                          "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG -DRUT_NO_CLONES"] +
                         (["-DCMAKE_C_COMPILER_LAUNCHER=" + launcher] if launcher else []), 600, True)
        self.make(["rut"], 3600, self.environment, True)

    def command(self, words, limit, must=False, environment=None):
        try:
            done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit,
                                  env=environment or self.environment, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            return None
        if must and done.returncode:
            sys.exit("mutate: %s failed:\n%s" % (" ".join(words), (done.stdout + done.stderr)[-3000:]))
        return done

    def make(self, targets, limit, environment, must=False):
        words = ["nice", "cmake", "--build", self.build, "-j%d" % self.jobs, "--target"] + targets
        return self.command(words, limit, must, environment)

    def copy_tree(self):
        names = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard", "-z"],
                               stdout=subprocess.PIPE, check=True, text=True).stdout.split("\0")
        for name in filter(None, names):
            source, target = os.path.join(ROOT, name), os.path.join(self.tree, name)
            if not os.path.isfile(source):
                continue
            if os.path.exists(target) and open(source, "rb").read() == open(target, "rb").read():
                continue
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy(source, target)
        for folder, _, names in os.walk(os.path.join(self.tree, "src")):
            for name in names:
                target = os.path.join(folder, name)
                if not os.path.exists(os.path.join(ROOT, os.path.relpath(target, self.tree))):
                    os.remove(target)

    def write(self, path, text):
        with open(os.path.join(self.tree, path), "w") as out:
            out.write(text)

    def put(self, fault):
        lines = open(os.path.join(ROOT, fault.file)).read().split("\n")
        lines[fault.line - 1] = fault.after
        self.write(fault.file, "\n".join(lines))

    def restore(self, path):
        shutil.copyfile(os.path.join(ROOT, path), os.path.join(self.tree, path))

    def program(self):
        return hashlib.sha256(open(os.path.join(self.build, "rut"), "rb").read()).hexdigest()

    def validate(self, limit, cases=()):
        """Results by case, of all or some, or a word for what went wrong."""
        words = ["nice", os.path.join(self.build, "rut"), "validate", "--json", "--workers", str(self.workers)]
        done = self.command(words + list(cases), limit)
        if done is None:
            return "hangs"
        try:
            return {x["name"]: x for x in json.loads(done.stdout)}
        except (json.JSONDecodeError, KeyError):
            return "crashes"

    def tests(self, pattern, limit):
        """Names of the tests that fail."""
        listed = self.command(["ctest", "--test-dir", self.build, "-N", "-R", pattern], 60).stdout
        names = re.findall(r"Test\s+#\d+: (\S+)", listed)
        targets = [n.replace(".", "_", 1) for n in names]
        built = self.make(targets, limit, self.mutant_environment)
        if built is None or built.returncode:
            return ["(build)"]
        done = self.command(["nice", "ctest", "--test-dir", self.build, "-R", pattern, "-j%d" % self.jobs,
                             "--timeout", "120"], limit)
        if done is None:
            return ["(hangs)"]
        return re.findall(r"^\s*\d+ - (\S+) \(", done.stdout, re.M)


def verdict(base, result):
    """Cases that catch a fault, and how near the nearest came that did not."""
    if isinstance(result, str):
        return [result], ""
    caught = [n for n in base if base[n]["pass"] and not result.get(n, {"pass": False})["pass"]]
    nearest, part, changed = "", 0.0, 0
    for name, was in base.items():
        now = result.get(name)
        if not now or now["value"] == was["value"]:
            continue
        changed += 1
        if now["tolerance"] and now["error"] is not None and now["error"] / now["tolerance"] > part:
            nearest, part = name, now["error"] / now["tolerance"]
    if caught:
        return caught, ""
    if not changed:
        return [], "no case shows it"
    return [], "%d cases change, within tolerance (%s: %.2g of it)" % (changed, nearest, part)


def catch(bench, base, limit, fault, lines, first):
    """The verdict of the cases that run through a fault's line, or of those until one catches."""
    parts = lines.cases(fault.file, fault.line)
    if parts is None:
        parts = lines.all_cases()
    if not parts:
        return [], "no case runs through it"
    reason = ""
    for names in in_turn(parts) if first else [[n for _, names in parts for n in names]]:
        names = [n for n in names if n in base]
        cases, why = verdict({n: base[n] for n in names}, bench.validate(limit, names)) if names else ([], "")
        if cases:
            return cases, ""
        reason = why if len(why) > len(reason) else reason
    return [], reason


def in_turn(parts):
    """Cases in portions, each of which costs several times as much as that before."""
    portions, spent, share = [[]], 0.0, 0.01 * sum(s for s, _ in parts)
    for seconds, names in sorted(parts):
        if portions[-1] and (spent + seconds > share or len(portions[-1]) + len(names) > 1000):
            portions.append([])
            share, spent = 4 * share, 0.0
        spent += seconds
        portions[-1] += names
    return portions


def folder_of(path):
    return next(f for f, _, _ in LAWS if path.startswith(f + "/"))


def pattern_of(path):
    return next(p for f, _, p in LAWS if path.startswith(f + "/")) + WHOLE


def show(row):
    kept = ", ".join(row["cases"][:3]) + (" +%d" % (len(row["cases"]) - 3) if len(row["cases"]) > 3 else "")
    tests = "" if row["tests"] is None else " | tests: " + (", ".join(row["tests"][:3]) or "-")
    print("%-8s %s:%d %s: %s%s" % ("caught" if row["cases"] else ("tests" if row["tests"] else "SURVIVES"), row["file"],
                                   row["line"], row["kind"], kept or row["reason"], tests), flush=True)


def summary(rows, only_validate):
    table = collections.OrderedDict((f, [0, 0, 0]) for f, _, _ in LAWS)
    for r in rows:
        cell = table[folder_of(r["file"])]
        cell[0] += 1
        cell[1] += bool(r["cases"])
        cell[2] += bool(r["cases"] or r["tests"])
    table["all"] = [sum(c[k] for c in table.values()) for k in range(3)]
    print("\n%-16s %7s %9s %6s %s" % ("folder", "faults", "validate", "", "" if only_validate else "  with tests"))
    for name, (n, v, t) in table.items():
        if n:
            print("%-16s %7d %9d %5.1f%% %s" % (name, n, v, 100.0 * v / n,
                                                "" if only_validate else "%6d %5.1f%%" % (t, 100.0 * t / n)))
    left = [r for r in rows if not r["cases"]]
    if left:
        print("\nnot caught by validate:")
    for r in left:
        print("  %s:%d %s%s\n    - %s\n    + %s\n    %s" % (
            r["file"], r["line"], r["kind"], ", caught by " + ", ".join(r["tests"][:4]) if r["tests"] else "",
            r["before"].strip(), r["after"].strip(), r["reason"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=150, help="faults that count (default 150)")
    parser.add_argument("--file", action="append", help="only this file or folder; may be repeated")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this kind; may be repeated")
    parser.add_argument("--jobs", type=int, default=1, help="of the build and the tests (default 1)")
    parser.add_argument("--validate-only", action="store_true", help="run no tests")
    parser.add_argument("--survivors-only", action="store_true", help="run tests only where validate finds nothing")
    parser.add_argument("--first", action="store_true", help="run cases, the cheapest first, only until one catches the fault")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "mutants"), help="folder of the copy")
    parser.add_argument("--json", metavar="FILE", help="write all results, after each fault")
    parser.add_argument("--retry", metavar="FILE", help="try what survived validate in an earlier --json")
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    args = parser.parse_args()

    files = [f for f in law_files() if not args.file or any(f == x or f.startswith(x.rstrip("/") + "/") for x in args.file)]
    if not files:
        sys.exit("mutate: no file of the laws is named " + " ".join(args.file))
    if args.retry:
        old = [r for r in json.load(open(args.retry)) if not r["cases"]]
        stream = iter(placed([Fault(*(r[k] for k in Fault._fields)) for r in old]))
        args.count = len(old)
    else:
        stream = choose(files, args.kind, args.seed)
    if args.list:
        for _, x in zip(range(args.count), stream):
            print("%s:%d %s (%s)\n  - %s\n  + %s" % (x.file, x.line, x.kind, x.function, x.before.strip(), x.after.strip()))
        return
    # faults of one file one after the other: what is put back is compiled once
    chosen = [x for _, x in zip(range(2 * args.count), stream)]
    bench = Bench(args)
    began = time.time()
    base = bench.validate(600)
    if isinstance(base, str):
        sys.exit("mutate: rut validate %s without a fault" % base)
    limit = max(60.0, 10 * (time.time() - began))
    base = {n: x for n, x in base.items() if x["group"] not in NO_LAW_GROUPS}
    lines = case_lines.Lines(os.path.join(args.work, "case_lines.json"))
    lines.update(args.work, bench.tree, base)
    failing = [n for n in base if not base[n]["pass"]]
    print("%d cases, %d fail without a fault %s" % (len(base), len(failing), " ".join(failing)))
    whole = bench.program()
    rows, left = [], collections.OrderedDict()
    for x in chosen[:args.count]:
        left.setdefault(x.file, []).append(x)
    spare = chosen[args.count:]
    while left:
        path, queue = left.popitem(last=False)
        while queue:
            fault = queue.pop(0)
            row = try_fault(bench, fault, base, whole, limit, lines, args)
            if row is None:
                # take another of this file, else any
                other = next((s for s in spare if s.file == path), spare[0] if spare else None)
                if other:
                    spare.remove(other)
                    (queue if other.file == path else left.setdefault(other.file, [])).append(other)
                continue
            rows.append(row)
            show(row)
            if args.json:
                with open(args.json, "w") as out:
                    json.dump(rows, out, indent=1)
        bench.restore(path)
        bench.make(["rut"], 3600, bench.environment, True)
    summary(rows, args.validate_only)


def placed(faults):
    """Faults of an earlier run, where their lines are now."""
    for x in faults:
        lines = open(os.path.join(ROOT, x.file)).read().split("\n")
        at = [n for n, line in enumerate(lines) if line == x.before]
        if at:
            near = min(at, key=lambda n: abs(n + 1 - x.line))
            yield x._replace(line=near + 1)


def try_fault(bench, fault, base, whole, limit, lines, args):
    """What catches a fault; None if it is none."""
    bench.put(fault)
    built = bench.make(["rut"], 600, bench.mutant_environment)
    if built is None or built.returncode or bench.program() == whole:
        return None
    cases, reason = catch(bench, base, limit, fault, lines, args.first)
    tests = None
    if not args.validate_only and not (args.survivors_only and cases):
        tests = bench.tests(pattern_of(fault.file), 1800)
    return dict(fault._asdict(), cases=cases, reason=reason, tests=tests)


if __name__ == "__main__":
    main()
