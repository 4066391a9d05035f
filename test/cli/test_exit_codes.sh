#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Exit codes, and that messages name what is wrong and the nearest right thing.
source "$(dirname "$0")/lib.bash"

run run "$world"
check 'a good run' code_is 0

# 2: the command line
usage() {
  local says=$1
  shift
  run "$@"
  check "usage: $*" code_is 2
  check "usage: $* says '$says'" has "$err" "$says"
}
usage "did you mean 'run'?" rnu
usage "unknown option '--hepl'" --hepl
usage "did you mean '--duration'?" run "$world" --duratoin 5
usage "'--duration' takes a number" run "$world" --duration five
usage "'--duration' takes a number" run "$world" --duration -1
usage "'--duration' takes a number" run "$world" --duration nan
usage "'--duration' needs a value" run "$world" --duration
usage "'--workers' takes a whole number" run "$world" --workers 0
usage "'--workers' takes a whole number" run "$world" --workers 1.5
usage "'--seed' takes a whole number" run "$world" --seed 99999999999999999999
usage "'--json' takes no value" run "$world" --json=1
usage 'WORLD is missing' run
usage 'one argument too many' run "$world" "$world"
usage 'WORLD... is missing' check
usage '-o FILE' convert "$world"
usage "did you mean 'tyre/coulomb'?" doc tyre/colomb
usage "did you mean 'pendulum_period'?" validate pendulum_perod
usage "'--workers' takes a whole number" validate --workers 0
usage "did you mean 'grid_laser'?" bench grid_lasr
usage 'PATH=VALUE' run "$world" --set mass
usage "did you mean 'mass'?" run "$world" --set r1/chassis.masss=3
usage 'r1/chassis.mass=3 m' run "$world" --set 'r1/chassis.mass=3 m'

# 3: the file
cat >"$scratch/bad.xml" <<'XML'
<world timestep="5 ms">
  <vehicle name="r1">
    <chassis mass="15 m" masss="3"/>
    <wheel name="l" position="0 0.3" place="left"/>
  </vehicle>
</world>
XML
for verb in run check; do
  run "$verb" "$scratch/bad.xml"
  check "$verb: bad file" code_is 3
  text=$out$err
  check "$verb: place and kind" has "$text" "bad.xml:3:14: error:"
  check "$verb: every error" has "$text" "bad.xml:3:26: error:"
  check "$verb: hint" has "$text" "did you mean 'mass'?"
  check "$verb: the line" has "$text" '    3 |     <chassis mass="15 m" masss="3"/>'
  check "$verb: the caret" has "$text" '      |                          ^~~~~'
  check "$verb: no colours off a terminal" lacks "$text" $'\033'
done
run check "$scratch/bad.xml"
check 'check counts' has "$out" '2 errors, 0 warnings'
run check --json "$scratch/bad.xml"
check 'check --json' json "$out" 'len(d) == 2 and d[0]["line"] == 3 and d[1]["column"] == 26'
run check "$world"
check 'check: nothing wrong' equal "$out" '0 errors, 0 warnings'
# a tyre with a fault is there: no word that there is none, and one word for both axles
cp "$RUT_SOURCE_DIR/test/bad_input/parts/tir_number.tir" "$scratch/bad.tir"
cat >"$scratch/axles.xml" <<'XML'
<world><vehicle name="v"><chassis mass="800"/><suspension type="slider" stiffness="3e4" damping="3e3"/>
  <axle x="1" track="1" radius="0.3" wheel_mass="10"><tyre type="pac2002" file="bad.tir"/></axle>
  <axle x="-1" track="1" radius="0.3" wheel_mass="10"><tyre type="pac2002" file="bad.tir"/></axle>
  <drive type="open"/></vehicle></world>
XML
run check "$scratch/axles.xml"
check 'a faulty tyre' has "$out" "'1,6' is not a finite number"
check 'a faulty tyre is not missing' lacks "$out" 'has no <tyre>'
check 'a faulty tyre is told of once' has "$out" '1 error, 0 warnings'
printf '<world><vehicle' >"$scratch/cut.xml"
run run "$scratch/cut.xml"
check 'truncated file' code_is 3
run check "$world" "$scratch/cut.xml"
check 'one bad file among good ones' code_is 3
printf 't,vehicle\n0,r3,1\n' >"$scratch/in.csv"
run run "$world" --inputs "$scratch/in.csv"
check 'bad inputs' code_is 3
check 'bad inputs: place' has "$err" 'in.csv:2:3: error:'

# 4: divergence, of a spring that is far too stiff for the step
sed 's|</world>|<mechanism name="spring"><body joint="slide" axis="1 0 0" mass="1e-6" stiffness="1e12" initial_position="1"/></mechanism></world>|' "$world" >"$scratch/stiff.xml"
run run "$scratch/stiff.xml" --csv "$scratch/diverged" --json
check 'divergence' code_is 4
check 'divergence tells the time' has "$err" 'diverged after'
check 'divergence tells the last good state' has "$err" 'r1: x'
check 'divergence: summary' json "$out" 'd["end"] == "diverged" and d["duration"] < 2'
check 'divergence: log' test -s "$scratch/diverged/spring.csv"

# 6: input and output
run run "$scratch/none.xml"
check 'missing world' code_is 6
check 'missing world is named' has "$err" 'none.xml'
run check "$scratch/none.xml"
check 'check: missing world' code_is 6
run run "$world" --inputs "$scratch/none.csv"
check 'missing inputs' code_is 6
run run "$world" --csv /dev/null/log
check 'log folder that cannot be' code_is 6
run convert "$world" -o "$scratch/none/x.xml"
check 'convert into no folder' code_is 6
if [[ -w /dev/full ]]; then
  "$RUT" run "$world" --json >/dev/full 2>/dev/null
  check 'full disk' equal $? 6
fi

# 130: interrupted, logs closed
"$RUT" run "$world" --duration 1e6 --csv "$scratch/log" --csv-every 1000 --json \
  >"$scratch/interrupted.json" 2>/dev/null &
pid=$!
for _ in $(seq 100); do
  [[ -s $scratch/log/r1.csv ]] && break
  sleep 0.1
done
kill -INT $pid
wait $pid
check 'interrupted' equal $? 130
check 'interrupted: summary' json "$(cat "$scratch/interrupted.json")" 'd["end"] == "interrupted"'
check 'interrupted: whole rows' equal "$(tail -c 1 "$scratch/log/r1.csv" | od -An -c | tr -d ' ')" '\n'
columns=$(awk -F, '{ print NF }' "$scratch/log/r1.csv" | sort -u | wc -l)
check 'interrupted: equal columns' equal "$columns" 1
finish
