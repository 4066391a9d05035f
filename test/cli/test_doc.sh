#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# rut doc: a page per component type; rut validate and rut bench: their JSON.
source "$(dirname "$0")/lib.bash"

run doc
check 'index' code_is 0
names=$(awk '{ print $1 }' <<<"$out")
check 'index has tyres' has "$names" 'tyre/coulomb'
for name in $names; do
  "$RUT" doc "$name" >"$scratch/page.md" 2>"$scratch/stderr"
  check "page of $name" grep -q "^# $name" "$scratch/page.md"
done
run doc tyre
check 'all types of a kind' has "$out" '# tyre/ellipse'
run doc controller/twist_pid
check 'set points' has "$out" '| `yaw_rate` | rad/s |'
check 'units' has "$out" '| N m |'
run doc engine
check 'a type by its own name' equal "${out%%$'\n'*}" '# drive/engine'
check 'and nothing else' equal "$(grep -c '^# ' <<<"$out")" 1
run doc plane
check 'an element before a type of its name' equal "${out%%$'\n'*}" '# plane'
run doc engin
check 'misspelt type' code_is 2
check 'what was meant' has "$err" "did you mean 'engine'?"
run doc laser
check 'presets' has "$out" '| `utm30lx` | Hokuyo UTM-30LX'
run doc -o "$scratch/one" engine
check 'page of a type by its own name' test -s "$scratch/one/drive_engine.md"
run doc -o "$scratch/pages"
check 'pages' code_is 0
check 'a file per type' equal "$(find "$scratch/pages" -name '*.md' | wc -l)" \
  "$(($(wc -w <<<"$names") + 1))"
run doc --schema -o "$scratch/pages"
check 'schema file' test -s "$scratch/pages/rut.xsd"
check 'schema: presets' grep -q '<xs:enumeration value="utm30lx">' "$scratch/pages/rut.xsd"

run validate --list
check 'case list' has "$out" 'pendulum_period'
# optimised, since the sanitizers see the same code in the tests of physics
if [ -z "${RUT_SANITIZE:-}" ]; then
  run validate
  check 'every validation case' code_is 0
  check 'count' has "$out" ' passed, 0 failed'
fi
run validate --json pendulum_period projectile_height
check 'validate --json' json "$out" 'len(d) == 2 and all(
  {"name", "value", "reference", "error", "tolerance", "pass", "source"} <= set(c) for c in d)'

# what runs at the same time changes neither numbers nor order
cases=(rest_stays_rest pendulum_period jump_range static_axle_loads projectile_height)
run validate --workers 1 "${cases[@]}"
alone=$out
run validate --workers 4 "${cases[@]}"
check 'validate --workers' equal "$out" "$alone"
check 'validate --workers: every case' has "$out" '5 passed, 0 failed'

run bench --list
check 'scene list' has "$out" 'circle_1000_laser181'
run bench --json circle_1 grid_laser
check 'bench --json' json "$out" 'len(d) == 2 and all({"scene", "vehicles", "steps", "ns_per_step",
  "ns_per_vehicle_step", "real_time_factor", "peak_rss_mb", "stages"} <= set(s) for s in d)'
check 'bench: rays' json "$out" '"ns_per_ray" in d[1] and d[1]["stages"]["sensor"] > 0'
run bench --json rays_mesh
check 'bench rays_mesh' json "$out" 'len(d) == 4 and all(s["mrays_per_s"] > 0 and 0.3 < s["hits"] < 0.8
  and s["build_ms"] > 0 for s in d) and [("move_ms" in s) for s in d] == [False, False, True, True]'
cat >"$scratch/sensors.xml" <<'EOW'
<world timestep="10 ms"><sensor type="imu" name="imu" period="20 ms"/><sensor type="laser" name="eye" period="0.1 s"/></world>
EOW
run bench --json sensors "$scratch/sensors.xml"
check 'bench sensors' json "$out" 'd["share"] > 0 and [
  (s["name"], s["samples"]) for s in d["sensors"]] == [("imu", 100), ("eye", 20)]'
run bench --json steps "$scratch/sensors.xml"
check 'bench steps' json "$out" 'd["steps"] > 0 and d["longest_s"] >= 0 and d["time_s"] > 0'
cat >"$scratch/decisions.xml" <<'EOW'
<world timestep="10 ms" duration="1 s"><vehicle name="truck"><chassis mass="100 kg" outline="-1 -0.5, -1 0.5, 1 0.5, 1 -0.5"/>
<wheel place="left" position="0 0.5 m" radius="0.2 m"/><wheel place="right" position="0 -0.5 m" radius="0.2 m"/>
<controller type="twist_ideal" name="legs" period="50 ms"/><sensor type="laser" name="eye" period="0.1 s"/></vehicle></world>
EOW
run bench --json decisions "$scratch/decisions.xml"
check 'bench decisions' json "$out" '{(p["name"], p["kind"], p["type"], p["decisions"]) for p in d["pieces"]} == {
  ("truck/legs", "controller", "twist_ideal", 20), ("truck/eye", "sensor", "laser", 10)} and all(
  0 <= p["mean_s"] <= p["longest_s"] for p in d["pieces"]) and d["real_time_factor"] > 0'
run bench decisions
check 'bench decisions: without a world' code_is 2
run bench steps
check 'bench steps: without a world' code_is 2
run bench sensors
check 'bench sensors: without a world' code_is 2
finish
