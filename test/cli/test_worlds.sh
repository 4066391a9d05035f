#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every world in worlds/ is right and runs, those with a table of set points also with it, and
# tools/draw_run.py draws it.
source "$(dirname "$0")/lib.bash"

# Does a world run for 2 s, without a warning? The rest is more options.
runs() {
  run run "$1" --duration 2 --json "${@:2}"
  code_is 0 && json "$out" 'd["end"] == "done" and d["warnings"] == []' && equal "$err" ''
}

# An SVG file that is XML, with a path for every vehicle.
draws() {
  "$python" "$RUT_SOURCE_DIR/tools/draw_run.py" "$1" -o "$scratch/$2.svg" --duration 2 \
    --rut "$RUT" || return
  "$python" - "$scratch/$2.svg" <<'PY'
import sys
import xml.etree.ElementTree as ElementTree
root = ElementTree.parse(sys.argv[1]).getroot()
assert root.tag.endswith("svg") and len(list(root.iter())) > 20
PY
}

python=$(command -v python3)
for world in "$RUT_SOURCE_DIR"/worlds/*.xml; do
  name=$(basename "$world" .xml)
  run check "$world"
  check "$name: right" code_is 0
  check "$name: no warning" equal "$out" '0 errors, 0 warnings'
  check "$name: runs" runs "$world"
  inputs=$RUT_SOURCE_DIR/worlds/inputs/$name.csv
  if [[ -f $inputs ]]; then
    check "$name: runs with its inputs" runs "$world" --inputs "$inputs"
  fi
  # pictures are of things that move in the plane
  if [[ -n $python && $name != mechanisms ]]; then
    check "$name: is drawn" draws "$world" "$name"
  fi
done

# every table of set points belongs to a world
for inputs in "$RUT_SOURCE_DIR"/worlds/inputs/*.csv; do
  check "$(basename "$inputs"): has a world" \
    test -f "$RUT_SOURCE_DIR/worlds/$(basename "$inputs" .csv).xml"
done

check 'a plot' "$python" "$RUT_SOURCE_DIR/tools/draw_run.py" "$RUT_SOURCE_DIR/worlds/ramp.xml" \
  -o "$scratch/plot.svg" --duration 2 --rut "$RUT" --plot 'free.vx,climber.vx; climber.lr.torque'
finish
