#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Makes the pictures of README and manual anew: those of the gallery, of the page, and the drawings.
#
#   scripts/pictures.sh                  all, into docs/manual/pictures
#   scripts/pictures.sh gallery ropes    some worlds of the gallery
#   scripts/pictures.sh page             those of the page
#   scripts/pictures.sh drawings         those that tools/draw_*.py and rut plot make
#
# Not made here: step_steer.svg, which needs a record of Project Chrono (tools/draw_manoeuvres.py), and first_steps.svg, whose world
# the reader writes. Worlds whose maps are not there (tools/dem_from_matplotlib.py) keep the picture that they have.
#
# Needs build/release/rut with the viewer (or RUT_COMMAND), node, npm and chromium. Pictures are rendered in software: one takes
# from ten seconds to a minute. Look at every one before it is committed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out="${RUT_PICTURES:-$root/docs/manual/pictures}"
export RUT_COMMAND="${RUT_COMMAND:-$root/build/release/rut}"
export RUT_SOURCE_DIR="$root"
mkdir -p "$out"

browser_script() {
  cd "$root/web"
  [ -d node_modules/playwright-core ] || npm ci --no-audit --no-fund
  node "test/page/$1" "$out" "${@:2}"
}

# draw TOOL PICTURE ARGUMENT...
draw() {
  echo "$2.svg"
  "$root/tools/$1.py" "${@:3}" --rut "$RUT_COMMAND" -o "$out/$2.svg"
}

dashboard() {
  echo dashboard.png
  local log
  log=$(mktemp -d)
  "$RUT_COMMAND" run worlds/manoeuvres/double_lane_change_nato.xml --quiet --log "$log/run.mcap"
  "$RUT_COMMAND" plot --dashboard "$log/run.mcap" -o "$out/dashboard.png" --title 'Double lane change of a HMMWV'
  rm -r "$log"
}

# Figures of studies, which take some minutes.
studies() {
  local results
  results=$(mktemp -d)
  for study in lane_change rough shared_control teleoperation; do
    "$RUT_COMMAND" sweep worlds/studies/$study.xml --quiet -o "$results/$study.db"
  done
  "$RUT_COMMAND" plot "$results/lane_change.db" --figure pass surface speed mass -o "$out/study_pass.svg"
  "$RUT_COMMAND" plot "$results/lane_change.db" --figure tornado clearance roll -o "$out/study_tornado.svg"
  "$RUT_COMMAND" plot "$results/rough.db" --figure indices absorbed_power pitch -o "$out/study_indices.svg"
  "$RUT_COMMAND" plot "$results/teleoperation.db" --figure means error -o "$out/study_latency.svg"
  "$RUT_COMMAND" plot "$results/shared_control.db" --figure parallel control one_way authority workload error -o "$out/study_shared.svg"
  # a part of the runs: two fields at 60 mph with three latencies
  sed -e 's/values="20; 30; 40; 50; 60"/values="60"/' -e 's/values="0; 0.1; 0.25; 0.5"/values="0; 0.25; 0.5"/' -e 's/replicas="17"/replicas="2"/' \
    -e "s|world=\"|world=\"$root/worlds/studies/|" worlds/studies/avoidance_loaded.xml >"$results/avoidance.xml"
  "$RUT_COMMAND" sweep "$results/avoidance.xml" --allow-dir "$root/worlds" --quiet -o "$results/avoidance.db"
  "$RUT_COMMAND" plot "$results/avoidance.db" --figure parallel range latency x load -o "$out/study_avoidance.svg"
  rm -r "$results"
}

drawings() {
  cd "$root"
  studies
  draw draw_run hills worlds/hills.xml
  draw draw_run mixed_ground worlds/mixed_ground.xml
  draw draw_controllers rover_ramp worlds/rover_ramp.xml
  draw draw_controllers rover_sine worlds/rover_sine.xml
  draw draw_manoeuvres lane_change lane_change
  draw draw_manoeuvres hitch hitch
  draw draw_soil drawbar_pull worlds/soils.xml
  draw draw_soil multi_pass worlds/soils.xml --passes 8
  draw draw_suspension hmmwv_suspension worlds/hmmwv.xml
  draw draw_run trail worlds/autonomy/trail.xml
  draw draw_run ruts worlds/figure_of_eight.xml --detail '-6.5 -5.5 6.5 5.5'
  dashboard
  tipping
}

# A lift-off table, and the fishhook with and without stability control.
tipping() {
  local log
  log=$(mktemp -d)
  "$RUT_COMMAND" liftoff worlds/vehicles/hmmwv_loaded.xml --quiet --plot "$out/liftoff.svg" >/dev/null
  "$RUT_COMMAND" run worlds/autonomy/fishhook.xml --quiet --log "$log/run.mcap" --log-rate 100
  "$RUT_COMMAND" plot "$log/run.mcap" {without,with}/roll {without,with}/load_transfer_ratio {without,with}/speed --to 3.2 \
    --title 'Fishhook at 45 mph, without and with stability control' -o "$out/fishhook.svg"
  rm -r "$log"
}

what=${1:-all}
case "$what" in
all) # each part, whatever becomes of the others
  failed=()
  for part in gallery page drawings; do "${BASH_SOURCE[0]}" "$part" || failed+=("$part"); done
  [ ${#failed[@]} -eq 0 ] || { echo "not complete: ${failed[*]}" >&2; exit 1; }
  ;;
gallery) browser_script gallery.mjs "${@:2}" ;;
page) browser_script pictures.mjs "${@:2}" ;;
drawings) drawings ;;
*)
  sed -n '3,13s/^# \{0,1\}//p' "$0"
  exit 2
  ;;
esac
