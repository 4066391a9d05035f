#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs rut into an empty prefix and builds examples/embed against it from outside the tree, once
# with CMake's package and once with pkg-config. Both programs must run a world.
set -euo pipefail

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
flags=
if [ -n "$RUT_SANITIZE" ]; then flags="-fsanitize=$RUT_SANITIZE"; fi
example=$RUT_SOURCE_DIR/examples/embed
world=$RUT_SOURCE_DIR/worlds/demo.xml

check() {  # check PROGRAM: it loads the world and tells where the vehicle is after one second
  "$1" "$world" | tee "$prefix/out"
  grep -Eq ' after 1\.000 s: x -?[0-9.]+ m, y -?[0-9.]+ m' "$prefix/out"
  if "$1" /no/such/world.xml 2>/dev/null; then return 1; fi
}

cmake --install "$RUT_BINARY_DIR" --prefix "$prefix/rut" >"$prefix/install.log"
for file in bin/rut include/rut/rut.h include/rut/component.h include/rut/version.h \
  share/rut/worlds/demo.xml; do
  [ -e "$prefix/rut/$file" ] || { echo "not installed: $file"; exit 1; }
done
"$prefix/rut/bin/rut" --version

# the tree moves after installation: package files must not remember where it was
mv "$prefix/rut" "$prefix/moved"
libdir=$(dirname "$(find "$prefix/moved" -name 'librut.*' | head -n 1)")
export LD_LIBRARY_PATH=$libdir

# the program that reads meshes is found where the tree is now
if [ -e "$prefix/moved/libexec/rut/rut-import" ]; then
  printf '%s\n' 'v 0 0 0' 'v 1 0 0' 'v 0 1 0' 'v 0 0 1' 'f 1 2 3' 'f 1 2 4' >"$prefix/shape.obj"
  cat >"$prefix/mesh.world.xml" <<'XML'
<mvsim_world version="1.0"><block name="b"><shape_from_visual/><init_pose>0 0 0</init_pose>
<visual><model_uri>shape.obj</model_uri></visual></block></mvsim_world>
XML
  env -u RUT_HELPERS "$prefix/moved/bin/rut" check "$prefix/mesh.world.xml" | tee "$prefix/out"
  grep -q '^0 errors, 0 warnings$' "$prefix/out"
fi

cmake -S "$example" -B "$prefix/build" -DCMAKE_PREFIX_PATH="$prefix/moved" \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="$flags" >"$prefix/configure.log"
cmake --build "$prefix/build" >"$prefix/build.log"
check "$prefix/build/embed"

export PKG_CONFIG_PATH=$libdir/pkgconfig
# word splitting is meant: flags are lists
# shellcheck disable=SC2046,SC2086
"$CC" $flags "$example/main.c" $(pkg-config --cflags --libs rut) -o "$prefix/embed"
check "$prefix/embed"

# a program that takes the rows of a world's logs itself
cmake -S "$RUT_SOURCE_DIR/examples/log_sink" -B "$prefix/sink" -DCMAKE_PREFIX_PATH="$prefix/moved" \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror $flags" >"$prefix/configure.log"
cmake --build "$prefix/sink" >"$prefix/build.log"
mkdir "$prefix/empty"
(cd "$prefix/empty" && "$prefix/sink/log_sink" "$RUT_SOURCE_DIR/worlds/logged.xml") | tee "$prefix/out"
# 30 s at 10 Hz, and the first leg of the path, which is 5 m at 1 m/s
grep -Eq '^run, session 1: 301 rows of 5 columns, from 0 s to 30 s$' "$prefix/out"
grep -Eq '^rover/legs, session 1: [0-9]+ rows of 5 columns, from 0 s to [56]' "$prefix/out"
grep -Eq '^rover/legs, session 5: ' "$prefix/out"
[ -z "$(ls -A "$prefix/empty")" ] || { echo 'it wrote files'; exit 1; }
