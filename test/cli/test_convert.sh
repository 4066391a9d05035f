#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# rut convert: what is written runs to the same state; rut doc --schema accepts it.
source "$(dirname "$0")/lib.bash"

hash_of() {
  "$RUT" run "$1" --quiet --json --duration 1 | python3 -c 'import json,sys; print(json.load(sys.stdin)["hash"])'
}
run convert "$world" -o "$scratch/again.xml"
check 'convert' code_is 0
check 'the same state' equal "$(hash_of "$scratch/again.xml")" "$(hash_of "$world")"
run convert "$scratch/again.xml" -o "$scratch/third.xml"
check 'the same text' cmp "$scratch/again.xml" "$scratch/third.xml"
run convert "$world" --set 'r1/chassis.mass=20 kg' -o "$scratch/heavy.xml"
check 'settings are written' grep -q 'mass="20' "$scratch/heavy.xml"

cat >"$scratch/demo.world.xml" <<'XML'
<mvsim_world version="1.0">
  <vehicle name="m1">
    <dynamics class="differential">
      <l_wheel pos="0.0 0.3" mass="4.0" width="0.1" diameter="0.3"/>
      <r_wheel pos="0.0 -0.3" mass="4.0" width="0.1" diameter="0.3"/>
      <chassis mass="15.0" zmin="0.05" zmax="0.6">
        <shape><pt>-0.3 -0.3</pt><pt>-0.3 0.3</pt><pt>0.3 0.3</pt><pt>0.3 -0.3</pt></shape>
      </chassis>
      <controller class="twist_pid"><KP>5</KP><KI>1</KI><max_torque>20</max_torque><V>0.5</V></controller>
    </dynamics>
    <init_pose>1 2 30</init_pose>
  </vehicle>
</mvsim_world>
XML
run convert "$scratch/demo.world.xml" -o "$scratch/demo.xml"
check 'convert an MVSim world' code_is 0
check 'the same state as the MVSim world' equal "$(hash_of "$scratch/demo.xml")" \
  "$(hash_of "$scratch/demo.world.xml")"

run doc --schema
printf '%s\n' "$out" >"$scratch/rut.xsd"
if command -v xmllint >/dev/null; then
  check 'the schema is well formed' xmllint --noout "$scratch/rut.xsd"
  for file in world again demo heavy; do
    check "schema: $file.xml" xmllint --noout --schema "$scratch/rut.xsd" "$scratch/$file.xml"
  done
  sed 's/<chassis mass=/<chassis masss=/' "$world" >"$scratch/wrong.xml"
  check 'schema: a wrong attribute' \
    bash -c '! xmllint --noout --schema "$1/rut.xsd" "$1/wrong.xml"' - "$scratch"
fi
finish
