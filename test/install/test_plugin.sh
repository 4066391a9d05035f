#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds examples/plugin_controller against an installed rut from outside the tree, and uses it with
# `rut run`, `check`, `convert` and `doc`. What is no plug-in is refused with a reason.
source "$RUT_SOURCE_DIR/test/cli/lib.bash"

flags=
if [ -n "${RUT_SANITIZE:-}" ]; then flags="-fsanitize=$RUT_SANITIZE"; fi
cmake --install "$RUT_BINARY_DIR" --prefix "$scratch/rut" >"$scratch/install.log"
check 'configures' cmake -S "$RUT_SOURCE_DIR/examples/plugin_controller" -B "$scratch/build" \
  -DCMAKE_PREFIX_PATH="$scratch/rut" -DCMAKE_C_COMPILER="$CC" \
  -DCMAKE_C_FLAGS="-Wall -Wextra -Werror $flags"
check 'builds' cmake --build "$scratch/build"
plugin=$scratch/build/careful.so

# car SPEED STEER: a car that turns over at speed, on level ground
car() {
  cat <<XML
<world timestep="2 ms" duration="8 s">
  <vehicle name="car">
    <chassis mass="1200" outline="-1.5 -0.6, 1.5 -0.6, 1.5 0.6, -1.5 0.6" z_min="0.4" z_max="2"/>
    <suspension type="slider" stiffness="50 kN/m" damping="5 kN s/m"/>
    <tyre type="linear" stiffness="300 kN/m" damping="2 kN s/m"/>
    <axle x="1.2" track="1.2" radius="0.4" width="0.2" max_steer="30 deg" brake="2000 N m"/>
    <axle x="-1.2" track="1.2" radius="0.4" width="0.2" brake="2000 N m"/>
    <drive type="open"/>
    <controller type="careful" speed="$1" steer="$2"/>
  </vehicle>
</world>
XML
}
car 5 0 >"$scratch/straight.xml"
car 12 '12 deg' >"$scratch/bend.xml"

run run "$scratch/straight.xml" --plugin "$plugin" --json
check 'runs' code_is 0
# v' = gain (v_d - v) with the spin of the wheels: within e^-2t of its end
check 'reaches its speed' json "$out" 'abs(d["vehicles"][0]["speed"] - 5) < 0.05'
run run "$scratch/bend.xml" --plugin "$plugin" --json
check 'runs in a bend' code_is 0
# it turns over where v^2 > g T R/(2 h): R = 2.4 m/tan(12 deg), T = 1.2 m, h = 1.15 m, 7.6 m/s
check 'slows down in a bend' json "$out" '2 < d["vehicles"][0]["speed"] < 7.6'
check 'stays on its wheels' json "$out" 'abs(d["vehicles"][0]["z"]) < 0.1'
hash=$(python3 -c 'import json,sys; print(json.loads(sys.argv[1])["hash"])' "$out")
run run "$scratch/bend.xml" --plugin "$plugin" --json --set car/controller.period=0.02
check 'its period is kept' json "$out" "d['hash'] != '$hash'"
run run "$scratch/bend.xml" --plugin "$plugin" --json --set car/controller.light=0
check 'turns over where it does not care' json "$out" 'd["vehicles"][0]["z"] > 0.5'
cat >"$scratch/in.csv" <<'CSV'
t,vehicle,speed,steer
4,car,2,0
CSV
run run "$scratch/straight.xml" --plugin "$plugin" --json --inputs "$scratch/in.csv"
check 'follows a table of set points' json "$out" 'abs(d["vehicles"][0]["speed"] - 2) < 0.05'

# a log that the controller turns on and off: on a straight only the start lifts the front wheels
log='<log name="light" signals="speed controller/slowing" record_while="controller/slowing"/></vehicle>'
for road in straight bend; do
  sed "s#</vehicle>#$log#" "$scratch/$road.xml" >"$scratch/logged_$road.xml"
  run run "$scratch/logged_$road.xml" --plugin "$plugin" --json --output "$scratch/logs_$road"
  check "runs with a log: $road" code_is 0
done
end_of() { tail -n 1 "$scratch/logs_$1/car.light.csv" | cut -d. -f1; }
check 'a log of the start of a straight' equal "$(end_of straight)" 0
check 'a log of a bend' test "$(end_of bend | cut -d, -f1)" -ge 7
check 'rows only while it slows down' equal "$(cut -d, -f3 "$scratch/logs_bend/car.light.csv" | sort -u)" \
  "$(printf '%s\n' 1 controller/slowing)"

run check "$scratch/bend.xml" --plugin "$plugin"
check 'check' equal "$out" '0 errors, 0 warnings'
run convert "$scratch/bend.xml" --plugin "$plugin" -o "$scratch/again.xml"
check 'convert' code_is 0
run run "$scratch/again.xml" --plugin "$plugin" --json
check 'convert: the same world' json "$out" "d['hash'] == '$hash'"
run doc controller/careful --plugin "$plugin"
check 'doc' has "$out" 'slows down when a wheel load gets small'
check 'doc: fields' has "$out" '| `light` |'

# a name without a slash is a file here, and nothing else
cd "$scratch/build" || exit 1
run run "$scratch/straight.xml" --plugin careful.so --json
check 'in the working folder' code_is 0
cd "$scratch" || exit 1
run run "$scratch/straight.xml" --plugin careful.so
check 'not elsewhere' code_is 6
run run "$scratch/straight.xml" --plugin libc.so.6
check 'not where the system has its libraries' code_is 6

run run "$scratch/straight.xml"
check 'without the plug-in: an unknown type' code_is 3
run run "$scratch/straight.xml" --plugin "$scratch/none.so"
check 'no file' code_is 6
check 'no file: reason' has "$err" "none.so': No such file"
run run "$scratch/straight.xml" --plugin "$scratch/straight.xml"
check 'no library' code_is 3
check 'no library: reason' has "$err" 'invalid ELF header'
run check "$scratch/straight.xml" --plugin "$plugin" --plugin "$plugin"
check 'twice' code_is 3
check 'twice: reason' has "$out" "controller 'careful' is registered already"

# library NAME CODE: a shared library made of some lines
library() {
  echo "$2" >"$scratch/$1.c"
  # word splitting is meant: flags are a list
  # shellcheck disable=SC2086
  "$CC" $flags -shared -fPIC -I"$scratch/rut/include" "$scratch/$1.c" -o "$scratch/$1.so"
}
library no_symbol 'int rut_something;'
run check "$scratch/straight.xml" --plugin "$scratch/no_symbol.so"
check 'no symbol' code_is 3
check 'no symbol: reason' has "$out" 'has no function rut_plugin'
library empty 'void* rut_plugin(void) { static void* none[1]; return none; }'
run check "$scratch/straight.xml" --plugin "$scratch/empty.so"
check 'no types' code_is 3
check 'no types: reason' has "$out" 'brings no component types'
head='#include <rut/component.h>
static const rutComponent type = {.abi = ABI, .struct_size = sizeof(rutComponent) + MORE,
  .kind = "controller", .name = "odd", .parents = "vehicle", .doc = "Odd."};
const rutComponent* const* rut_plugin(void);
const rutComponent* const* rut_plugin(void) {
  static const rutComponent* const types[] = {&type, 0};
  return types;
}'
library other_abi "#define ABI (RUT_ABI + 1)
#define MORE 0
$head"
run check "$scratch/straight.xml" --plugin "$scratch/other_abi.so"
check 'another ABI' code_is 3
abi=$(sed -n 's/^#define RUT_ABI *\([0-9]*\)u$/\1/p' "$RUT_SOURCE_DIR/include/rut/descriptor.h")
check 'another ABI: reason' has "$out" "component has ABI $((abi + 1)), this library has $abi"
library other_size "#define ABI RUT_ABI
#define MORE 8
$head"
run check "$scratch/straight.xml" --plugin "$scratch/other_size.so" --json
check 'another size' code_is 3
check 'another size: reason' has "$out" 'descriptor of a controller has'
library needy 'void nowhere_to_be_found(void); void* rut_plugin(void) { nowhere_to_be_found(); return 0; }'
run check "$scratch/straight.xml" --plugin "$scratch/needy.so"
check 'a library that needs another' code_is 3
check 'a library that needs another: reason' has "$out" 'nowhere_to_be_found'
finish
