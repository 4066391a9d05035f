#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every world in worlds/ is right and runs, those with a table of set points also with it, and
# tools/draw_run.py draws it.
source "$(dirname "$0")/lib.bash"

# A message without its notes, which say what is right.
without_notes() { sed '/: note: /,+2d' <<<"$1"; }

# with sanitizers, for which a second takes many times as long, only their beginnings
duration=${RUT_SANITIZE:+0.2}
duration=${duration:-2}

# Does a world run that long, without a warning? The rest is more options.
runs() {
  run run "$1" --duration "$duration" --json "${@:2}"
  # wheels deep in snow or dry sand, where laws of soils end, are told of
  if [[ $(basename "$1" .xml) =~ ^(high_centred|soils|winter)$ ]]; then
    code_is 0 && json "$out" 'd["end"] == "done" and all(", in soil " in w or "more wheels" in w for w in d["warnings"])'
    return
  fi
  code_is 0 && json "$out" 'd["end"] == "done" and d["warnings"] == []' &&
    equal "$(without_notes "$err")" ''
}

# An SVG file that is XML, with a path for every vehicle.
draws() {
  "$python" "$RUT_SOURCE_DIR/tools/draw_run.py" "$1" -o "$scratch/$2.svg" --duration 0.5 \
    --rut "$RUT" || return
  "$python" - "$scratch/$2.svg" <<'PY'
import sys
import xml.etree.ElementTree as ElementTree
root = ElementTree.parse(sys.argv[1]).getroot()
assert root.tag.endswith("svg") and len(list(root.iter())) > 20
PY
}

# The map of elevation.xml is made of data that are not ours: by its tool, where they are at hand. Sets
# world; false if there is no map.
with_its_map() {
  local map=maps/jacksboro.asc
  [[ $(basename "$world") == elevation.xml && ! -f $RUT_SOURCE_DIR/worlds/$map ]] || return 0
  cp -r "$RUT_SOURCE_DIR/worlds" "$scratch/worlds"
  world=$scratch/worlds/elevation.xml
  [[ -n $python ]] && "$python" "$RUT_SOURCE_DIR/tools/dem_from_matplotlib.py" \
    -o "$scratch/worlds/$map" >"$scratch/dem.out" 2>&1
}

for world in "$RUT_SOURCE_DIR"/worlds/{scenarios,autonomy}/*.xml; do
  name=$(basename "$(dirname "$world")")/$(basename "$world" .xml)
  run check "$world"
  check "$name: right" code_is 0
  check "$name: no warning" equal "$(without_notes "$out")" '0 errors, 0 warnings'
  check "$name: runs" runs "$world"
done
for world in "$RUT_SOURCE_DIR"/worlds/*.xml; do
  name=$(basename "$world" .xml)
  if ! with_its_map; then
    echo "$name: skipped, its map is not at hand (the world says how to make it)"
    continue
  fi
  run check "$world"
  check "$name: right" code_is 0
  check "$name: no warning" equal "$(without_notes "$out")" '0 errors, 0 warnings'
  check "$name: runs" runs "$world"
  inputs=$RUT_SOURCE_DIR/worlds/inputs/$name.csv
  if [[ -f $inputs ]]; then
    check "$name: runs with its inputs" runs "$world" --inputs "$inputs"
  fi
  # pictures are of things that move in the plane, and their tool is not what sanitizers look at
  if [[ -n $python && $name != mechanisms && -z ${RUT_SANITIZE:-} ]]; then
    check "$name: is drawn" draws "$world" "$name"
  fi
done

# every table of set points belongs to a world
for inputs in "$RUT_SOURCE_DIR"/worlds/inputs/*.csv; do
  check "$(basename "$inputs"): has a world" \
    test -f "$RUT_SOURCE_DIR/worlds/$(basename "$inputs" .csv).xml"
done

check 'a plot' "$python" "$RUT_SOURCE_DIR/tools/draw_run.py" "$RUT_SOURCE_DIR/worlds/ramp.xml" \
  -o "$scratch/plot.svg" --duration 2 --rut "$RUT" --plot 'free.velocity_x,climber.velocity_x; climber.lr.torque'
finish
