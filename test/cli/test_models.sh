#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# --models and RUT_MODELS: where meshes and files that a world names by a URI are found.
source "$(dirname "$0")/lib.bash"
unset RUT_MODELS

mkdir -p "$scratch"/{own,models/pack/parts,other/pack/parts}
cat >"$scratch/own/w.world.xml" <<'XML'
<mvsim_world>
  <include file="package://pack/parts/robot.xml" name="r1" x="0"/>
  <block name="pole"><shape_from_visual/><static>true</static>
    <visual><model_uri>https://example.org/models/pack.zip/parts/pole.obj</model_uri></visual>
    <init_pose>0.7 0 0</init_pose></block>
</mvsim_world>
XML
cat >"$scratch/models/pack/parts/robot.xml" <<'XML'
<vehicle name="${name}"><dynamics class="differential"/><init_pose>${x} 0 0</init_pose></vehicle>
XML
sed 's/{x}/{x|}3/' "$scratch/models/pack/parts/robot.xml" >"$scratch/other/pack/parts/robot.xml"
world=$scratch/own/w.world.xml
cd "$scratch" || exit 1

run check "$world"
check 'without models: an error' code_is 6
check 'without models: says what helps' has "$out$err" \
  "--models DIR names a folder that has 'pack/parts/robot.xml'"

run check "$world" --models models
check 'a stand-in in the way is an error' code_is 3
check 'it names place and mesh' has "$out$err" "w.world.xml:4:"
check 'it names both' has "$out$err" "vehicle 'r1' starts in block 'pole'"
check 'it names the cure' has "$out$err" "--models DIR names a folder that has 'parts/pole.obj'"
run run "$world" --models models -d 1
check 'it is never run' code_is 3

# elsewhere the box is a warning
run run "$world" --models other -d 1 --json
check 'a stand-in that is in nobody'"'"'s way' code_is 0
check 'a stand-in that is in nobody'"'"'s way is a warning' json "$out" \
  'any("a box of 1 m stands in its place; --models" in w for w in d["warnings"])'
RUT_MODELS=absent:other: run run "$world" -d 1 --json
check 'RUT_MODELS' code_is 0
check 'RUT_MODELS: a folder that is not there is a warning' json "$out" \
  'any("absent" in w for w in d["warnings"])'
RUT_MODELS=models run run "$world" --models other -d 1 --json
check 'options go before RUT_MODELS' code_is 0
run check "$world" --models absent
check 'an absent folder' code_is 6

# the mesh itself
cat >models/pack/parts/pole.obj <<'OBJ'
v -0.1 -0.1 0
v 0.1 -0.1 0
v 0.1 0.1 0
v -0.1 0.1 0
v 0 0 1
f 1 2 3
f 1 3 4
f 1 2 5
f 2 3 5
f 3 4 5
f 4 1 5
OBJ
run run "$world" --models models -d 1 --json
if ! [[ $err$out == *assimp* ]]; then
  check 'with the mesh it runs' code_is 0
  check 'with the mesh there is no warning' json "$out" 'd["warnings"] == []'
  run convert "$world" --models models -o own/native.xml
  check 'a converted world keeps the URI' grep -q 'model="https://example.org' own/native.xml
  check 'and stands in for nothing' bash -c '! grep -q stand_in_for own/native.xml'
fi

# every verb that loads worlds takes the option
for verb in run view check convert suspension soil; do
  run $verb --help
  check "$verb takes --models" has "$out" '--models DIR'
done

finish
