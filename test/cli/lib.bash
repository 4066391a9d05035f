# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the command share. Each test sources this file, makes checks, and ends with
# `finish`. RUT is the command, RUT_SOURCE_DIR the source tree.
set -u
export LC_ALL=C.UTF-8
unset NO_COLOR
RUT=${RUT:-${RUT_COMMAND:?set RUT to the rut command}}
RUT_SOURCE_DIR=${RUT_SOURCE_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
# the interpreter itself: what stands for it on the path may take longer than the work
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0
failed=0

# check NAME COMMAND...: counts whether the command succeeds
check() {
  local name=$1
  shift
  if "$@" >"$scratch/check.out" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "failed: $name"
    head -20 "$scratch/check.out" | sed 's/^/    /'
  fi
}

# run ARGUMENTS...: runs rut; its output is in $out and $err, its exit code in $code
run() {
  "$RUT" "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
  code=$?
  out=$(cat "$scratch/stdout")
  err=$(cat "$scratch/stderr")
}

# code_is N: about the last run; shows what it said if not
code_is() {
  [[ $code -eq $1 ]] || { echo "exit code $code, not $1"; echo "$out" "$err"; return 1; }
}
has() { [[ $1 == *"$2"* ]] || { printf 'no "%s" in:\n%s\n' "$2" "$1"; return 1; }; }
lacks() { [[ $1 != *"$2"* ]] || { printf '"%s" in:\n%s\n' "$2" "$1"; return 1; }; }
equal() { [[ $1 == "$2" ]] || { printf '"%s" is not "%s"\n' "$1" "$2"; return 1; }; }
# json TEXT EXPRESSION: true if the text is JSON and the Python expression about d holds
json() {
  "$python" -I -S -c 'import json, sys
d = json.loads(sys.argv[1])
assert eval(sys.argv[2]), d' "$1" "$2"
}

finish() {
  echo "$passed passed, $failed failed"
  [[ $failed -eq 0 && $passed -gt 0 ]]
  exit
}

# A robot on a plane, and a heavier one 20 m beside it.
cat >"$scratch/world.xml" <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<world timestep="10 ms" duration="2 s">
  <vehicle name="r1">
    <chassis mass="10 kg" outline="-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3"/>
    <wheel name="l" position="0 0.25" place="left" mass="1" radius="0.1"/>
    <wheel name="r" position="0 -0.25" place="right" mass="1" radius="0.1"/>
    <tyre type="coulomb"/>
    <drive type="direct"/>
    <controller type="twist_pid" speed="0.7" proportional_gain="5"/>
    <sensor type="laser" name="scan" rays="5"/>
  </vehicle>
  <vehicle name="r2" position="0 20" class="carrier">
    <chassis mass="30 kg" outline="-0.3 -0.3 0.3 -0.3 0.3 0.3 -0.3 0.3"/>
    <wheel name="l" position="0 0.25" place="left" mass="1" radius="0.1"/>
    <wheel name="r" position="0 -0.25" place="right" mass="1" radius="0.1"/>
    <tyre type="coulomb"/>
    <drive type="direct"/>
    <controller type="twist_pid" proportional_gain="5"/>
  </vehicle>
</world>
XML
world=$scratch/world.xml
