#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# rut run: summary, JSON, logs, inputs, settings, determinism.
source "$(dirname "$0")/lib.bash"

run run "$world"
check 'summary names vehicles' has "$out" 'r1'
check 'summary names the class' has "$out" 'carrier'
check 'summary names the parts' has "$out" 'coulomb/twist_pid'
check 'summary: real-time factor' has "$out" 'real time'
check 'summary: hash' has "$out" 'state hash'
check 'no progress off a terminal' equal "$err" ''
run run "$world" --quiet
check 'quiet' equal "$out$err" ''

run run "$world" --json
check 'JSON keys' json "$out" '{"world", "duration", "steps", "timestep", "wall_s",
  "real_time_factor", "hash", "vehicles", "sensors", "warnings"} <= set(d)'
check 'JSON: the duration of the world' json "$out" \
  'd["steps"] == 200 and abs(d["duration"] - 2) < 1e-9 and d["timestep"] == 0.01'
check 'JSON vehicle keys' json "$out" 'all({"name", "x", "y", "z", "yaw", "distance", "speed",
  "max_speed", "collisions"} <= set(v) for v in d["vehicles"])'
check 'JSON: r1 drove forward' json "$out" '0.5 < d["vehicles"][0]["x"] < 1.5 and (
  abs(d["vehicles"][0]["distance"] - d["vehicles"][0]["x"]) < 1e-9)'
check 'JSON: r2 stood still' json "$out" 'd["vehicles"][1]["distance"] == 0'
check 'JSON: one sensor' json "$out" 'len(d["sensors"]) == 1 and d["sensors"][0]["size"] == 5'
hash=$(python3 -c 'import json,sys; print(json.loads(sys.argv[1])["hash"])' "$out")
run run "$world" --json --duration 0.5
check 'duration' json "$out" 'd["steps"] == 50'
run run "$world" --json --duration 0
check 'no step at all' json "$out" 'd["steps"] == 0'
run run "$world" --json --workers 2
check 'the same hash with two workers' json "$out" "d['hash'] == '$hash'"
run run "$world" --json --seed 5
check 'another hash with another seed' json "$out" "d['hash'] != '$hash'"
run run "$world" --profile --json
check 'stages' json "$out" 'd["stages"]["tyre"] > 0'
check 'start' json "$out" 'list(d["start"]) == ["load", "compile", "state", "beside", "first_step"] and min(d["start"].values()) > 0'

# a step that does not resolve a landing is told of, and one that does is found
cat >"$scratch/landing.xml" <<'XML'
<world timestep="5 ms" duration="1"><soil type="magic_formula" surface="user" d="0.8"/>
<vehicle name="truck" position="0 0 1" roll="25 deg" pitch="10 deg" on_ground="false" velocity="10 0 0">
<chassis mass="2090" com="0.1 0 0.85" outline="-2.1 -0.9, 2.3 -0.9, 2.3 0.9, -2.1 0.9" z_min="0.4" z_max="1.7"/>
<suspension type="slider" stiffness="80 kN/m" damping="8 kN s/m"/>
<tyre type="linear" stiffness="320 kN/m" damping="1 kN s/m"/>
<axle x="1.5" track="1.6" radius="0.47" width="0.3" wheel_mass="62"/>
<axle x="-1.3" track="1.6" radius="0.47" width="0.3" wheel_mass="62"/>
<drive type="direct"/><controller type="pedals"/></vehicle></world>
XML
run run "$scratch/landing.xml" --json
check 'a landing at 5 ms: a warning' has "$err" 'does not resolve the motion of'
check 'JSON: when, and how much' json "$out" '(0.1 < d["vehicles"][0]["step_residual"]["time"] < 1 and
  d["vehicles"][0]["step_residual"]["residual"] > 100)'
run run "$scratch/landing.xml" --json --step auto
check 'step auto: no warning' equal "$err" ''
check 'step auto: a whole part' json "$out" '(d["step_choice"]["parts"] > 1 and
  abs(d["timestep"] * d["step_choice"]["parts"] - 5e-3) < 1e-12 and
  d["step_choice"]["residual_share"] <= 1e-4 and "step_residual" not in d["vehicles"][0])'
hash=$(python3 -c 'import json,sys; d=json.loads(sys.argv[1]); print(d["hash"], repr(d["timestep"]))' "$out")
run run "$scratch/landing.xml" --json --step "${hash#* }"
check 'the same as with that step' json "$out" "d['hash'] == '${hash% *}'"
run run "$scratch/landing.xml" --json --set step=auto --set timestep=5e-3
check 'step auto of the world' json "$out" "d['hash'] == '${hash% *}'"
run run "$scratch/landing.xml" --step often
check 'a step that is none' code_is 2

# set points in straight lines
printf 't,vehicle,torque,brake,steer\n0,truck,0,0,0\n1,truck,0,0,0.2\n' >"$scratch/line.csv"
run run "$scratch/landing.xml" --inputs "$scratch/line.csv" --interpolate --set timestep=0.5e-3 \
  --csv "$scratch/line" --csv-every 1000
check 'half way at half time' json "$(python3 -c 'import csv,sys
rows = list(csv.DictReader(open(sys.argv[1] + "/truck.csv")))
print(float(rows[1]["command_steer [rad]"]))' "$scratch/line")" \
  'abs(d - 0.1) < 2e-4'
run run "$scratch/landing.xml" --interpolate
check 'lines need a table' code_is 2

# a place that rounds to zero has no sign
cat >"$scratch/zero.xml" <<'XML'
<world duration="0.1 s">
  <vehicle name="r" position="-0.0001 -0.0001"><chassis mass="10"/>
    <wheel name="l" position="0 0.25" place="left" mass="1" radius="0.1"/>
    <wheel name="r" position="0 -0.25" place="right" mass="1" radius="0.1"/>
    <tyre type="coulomb"/><drive type="direct"/><controller type="twist_pid"/></vehicle>
</world>
XML
run run "$scratch/zero.xml"
check 'zero' has "$out" ' 0.000  0.000  0.000  0.000 '
check 'zero has no sign' lacks "$out" '-0.0'

# settings
run run "$world" --json --set r1/controller.speed=0 --set 'timestep=20 ms'
check 'settings' json "$out" 'd["timestep"] == 0.02 and d["vehicles"][0]["distance"] == 0'

# inputs
cat >"$scratch/in.csv" <<'CSV'
t,vehicle,speed,yaw_rate
0,r1,0,0
1,r2,0.5,0
CSV
run run "$world" --json --inputs "$scratch/in.csv"
check 'inputs' json "$out" 'd["vehicles"][0]["distance"] == 0 and d["vehicles"][1]["x"] > 0.1'
check 'inputs from their time on' json "$out" 'd["vehicles"][1]["x"] < 0.51'
printf 't,vehicle,speed\n0,r1,0.2\n' >"$scratch/short.csv"
run run "$world" --json --inputs "$scratch/short.csv"
check 'missing values keep' json "$out" '0 < d["vehicles"][0]["x"] < 0.45'

# logs
run run "$world" --csv "$scratch/log/deep"
check 'log' code_is 0
log=$scratch/log/deep/r1.csv
header='t [s],x [m],y [m],z [m],speed [m/s],velocity_x [m/s],velocity_y [m/s],velocity_z [m/s],roll [rad],pitch [rad],yaw [rad],roll_rate [rad/s],pitch_rate [rad/s],yaw_rate [rad/s],sideslip_angle [rad],odometry_x [m],odometry_y [m],odometry_yaw [rad],odometry_speed [m/s],odometry_yaw_rate [rad/s],collision,proper_acceleration_x [m/s2],proper_acceleration_y [m/s2],proper_acceleration_z [m/s2],roll_acceleration [rad/s2],pitch_acceleration [rad/s2],yaw_acceleration [rad/s2],load_transfer_ratio,load [N],drive_power [W],consumed_power [W],longitudinal_acceleration [m/s2],lateral_acceleration [m/s2],vertical_acceleration [m/s2],command_speed [m/s],command_yaw_rate [rad/s]'
for wheel in l r; do
  header+=",$wheel.load [N],$wheel.slip,$wheel.slip_angle [rad],$wheel.force_x [N],$wheel.force_y [N],$wheel.tyre_force_x [N],$wheel.tyre_force_y [N],$wheel.torque [N m],$wheel.drive_power [W],$wheel.speed [rad/s],$wheel.angle [rad],$wheel.steer [rad],$wheel.hub_velocity_x [m/s],$wheel.hub_velocity_y [m/s],$wheel.slip_power [W],$wheel.slip_work [J],$wheel.tyre.slip_velocity_x [m/s],$wheel.tyre.slip_velocity_y [m/s],$wheel.tyre.friction_limit [N],$wheel.tyre.friction_utilisation"
done
check 'header' equal "$(head -1 "$log")" "$header"
check 'a row at 0 and after every step' equal "$(wc -l <"$log")" 202
digits() {
  python3 - "$log" <<'PY'
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))[1:]
cells = [c for row in rows for c in row]
assert all(repr(float(c)) == repr(float("%.17g" % float(c))) for c in cells)
long = [c for c in cells if len(c.replace("-", "").replace(".", "").lstrip("0")) >= 16]
assert len(long) > len(rows), "no numbers of 17 digits"
PY
}
check '17 digits' digits
for file in r2.csv r1.scan.csv events.csv; do
  check "log: $file" test -s "$scratch/log/deep/$file"
done
check 'one row per scan' equal "$(head -1 "$scratch/log/deep/r1.scan.csv")" \
  't [s],range_0 [m],range_1 [m],range_2 [m],range_3 [m],range_4 [m]'
run run "$world" --csv "$scratch/some" --csv-every 50
check 'every 50th row' equal "$(wc -l <"$scratch/some/r1.csv")" 6

run run "$world" --csv "$scratch/slow" --csv-rate 10
check 'rows at a rate' equal "$(wc -l <"$scratch/slow/r1.csv")" 22
run run "$world" --csv "$scratch/fine" --set timestep=0.002
check 'at 100 Hz without a word' equal "$(wc -l <"$scratch/fine/r1.csv")" 202
run run "$world" --csv "$scratch/short" --csv-digits 4
check 'few digits' test -z "$(tail -n +2 "$scratch/short/r1.csv" | tr , '\n' | sed 's/e.*//; s/[-.]//g; s/^0*//; s/0*$//' | grep '.....')"
run run "$world" --csv "$scratch/x" --csv-rate 10 --csv-every 2
check 'two rates' code_is 2
run run "$world" --csv-rate 10
check 'a rate of no table' code_is 2

# what a vehicle tells of its path: it stands half a metre beside the first two of ten metres
cat >"$scratch/path.xml" <<'XML'
<world duration="0.1"><vehicle name="follower" position="2 0.5">
<chassis mass="15" outline="-0.3 -0.2 0.3 -0.2 0.3 0.2 -0.3 0.2"/>
<wheel place="left" position="0 0.25"/><wheel place="right" position="0 -0.25"/>
<tyre type="coulomb"/><drive type="direct"/>
<controller type="waypoints" speed="0" points="0 0, 10 0"/></vehicle></world>
XML
run run "$scratch/path.xml"
check 'path in the table' has "$out" 'follower                0.500        0.500         2.000            no'
run run "$scratch/path.xml" --json
check 'path in JSON' has "$out" '"goal_reached": false'
check 'its progress' has "$out" '"progress": 2'
run run "$world"
check 'no path, no word of it' lacks "$out" 'cross-track'

# many vehicles
python3 - "$world" >"$scratch/many.xml" <<'PY'
import re, sys
text = open(sys.argv[1]).read()
vehicle = re.search(r'  <vehicle name="r2".*?</vehicle>\n', text, re.S)[0]
many = "".join(vehicle.replace('"r2" position="0 20"', f'"v{i}" position="0 {3 * i}"')
               for i in range(30))
print(re.sub(r"  <vehicle.*</vehicle>\n", lambda m: many, text, flags=re.S))
PY
run run "$scratch/many.xml"
check 'many vehicles: cut table' has "$out" '... 20 more'
check 'many vehicles: total' has "$out" 'all 30'
check 'many vehicles: first ten' lacks "$out" 'v10'
# A car of 1080 kg that is dropped 2 m onto its roof: what is lost, m g h = 21.19 kJ, went into the hull,
# and little of it into the springs that the wheels hang on.
cat >"$scratch/roof.xml" <<'XML'
<world timestep="1 ms" duration="4 s">
  <soil type="magic_formula" name="road" surface="user" d="0.8"/>
  <vehicle name="c" position="0 0 3" roll="180 deg" on_ground="false">
    <chassis mass="1000" com="0 0 .5" inertia="400 1500 1700" outline="2 .8 2 -.8 -2 -.8 -2 .8" z_min=".3" z_max="1"/>
    <tyre type="linear"/>
    <axle x="1.5" z=".3" track="1.6" radius=".3" wheel_mass="20"><suspension type="slider" stiffness="30000" damping="3000"/></axle>
    <axle x="-1.5" z=".3" track="1.6" radius=".3" wheel_mass="20"><suspension type="slider" stiffness="30000" damping="3000"/></axle>
  </vehicle>
</world>
XML
run run "$scratch/roof.xml" --json
energy='d["vehicles"][0]["energy"]'
check 'energy: what is lost' json "$out" "abs($energy['other'] + $energy['damper'] - 21190) < 212"
check 'energy: most of the rest' json "$out" "$energy['largest_other'] == 'hull'"
check 'energy: the rest is a sum' json "$out" "abs($energy['other'] - sum($energy[k] for k in \
  ('bearing', 'tyre', 'hull', 'obstacle', 'water', 'steering'))) < 1e-6"
run run "$scratch/roof.xml"
check 'energy: named in the table' grep -Eq '^c .* 19\.[0-9]+  hull +-21\.' <<<"$out"

# what pages show of a run is what it prints, apart from the times that it took
run run "$RUT_SOURCE_DIR/worlds/demo.xml"
for page in README.md docs/manual/command.md; do
  shown=$(<"$RUT_SOURCE_DIR/$page")
  while IFS= read -r line; do
    check "$page shows: ${line:0:20}" has "$shown" "    $line"
  done < <(grep -v 'real time\|^$' <<<"$out")
done
run run "$RUT_SOURCE_DIR/worlds/demo.xml" --duration 2
check 'the page on determinism' has "$(<"$RUT_SOURCE_DIR/docs/manual/determinism.md")" "${out##*$'\n'}"

finish
