#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A HMMWV that drives off its map is told of, in the summary, as JSON, among the events and in the log.
source "$(dirname "$0")/lib.bash"

mkdir "$scratch/worlds"
cp -r "$RUT_SOURCE_DIR/worlds/vehicles" "$scratch/worlds"
cat >"$scratch/worlds/map.xml" <<'XML'
<world timestep="1 ms" duration="3 s">
  <soil type="magic_formula" name="road" surface="user" d="0.8"/>
  <include file="vehicles/hmmwv.xml" speed="15"/>
  <elevation_map matrix="[1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1; 1 1 1 1 1]" resolution="10 m"
                 corner="-20 -20 m"/>
</world>
XML
world=$scratch/worlds/map.xml

run run "$world" --json --csv "$scratch/csv" --log "$scratch/run.mcap"
check 'it ends well' code_is 0
# the rear axle, 1.653 m behind the reference point, passes x = 20 m at about 15 m/s
check 'as JSON' json "$out" \
  '1.4 < d["vehicles"][0]["left_ground"]["time"] < 1.65'
check 'as JSON: where' json "$out" '21.6 < d["vehicles"][0]["left_ground"]["x"] < 22.6'
check 'as a warning' json "$out" \
  'len(d["warnings"]) == 1 and d["warnings"][0].startswith("'"'hmmwv'"' left the ground at t = 1.")'
check 'among the events' grep -q '^1\.[0-9]*,hmmwv,ground,left,2[12]\.' "$scratch/csv/events.csv"
run log "$scratch/run.mcap"
check 'in the log' grep -Eq '^/rosout +rcl_interfaces/msg/Log +1 ' <<<"$out"

run run "$world"
check 'as text' has "$err" "warning: 'hmmwv' left the ground at t = 1."
check 'counted' has "$out" '1 warning'
run run "$world" --duration 1 --json
check 'not before' json "$out" '"left_ground" not in d["vehicles"][0] and d["warnings"] == []'

finish
