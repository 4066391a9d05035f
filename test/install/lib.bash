# SPDX-License-Identifier: BSD-3-Clause
# What the tests of an installed tree share: is everything there, and does a program outside of the
# tree build against it?
set -euo pipefail

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
flags=
if [ -n "$RUT_SANITIZE" ]; then flags="-fsanitize=$RUT_SANITIZE"; fi
example=$RUT_SOURCE_DIR/examples/embed
world=$RUT_SOURCE_DIR/worlds/demo.xml

fail() { echo "$*"; exit 1; }

# installed FILE...: they are in the prefix, and not empty
installed() {
  for file in "$@"; do
    [ -s "$prefix/rut/$file" ] || fail "not installed: $file"
  done
}

# runs PROGRAM: it loads the world and tells where the vehicle is after one second
runs() {
  "$1" "$world" | tee "$prefix/out"
  grep -Eq ' after 1\.000 s: x -?[0-9.]+ m, y -?[0-9.]+ m' "$prefix/out"
  if "$1" /no/such/world.xml 2>/dev/null; then return 1; fi
}

# build_embedded TREE: examples/embed builds against an installed tree, with CMake's package and with
# pkg-config; the programs are $prefix/build/embed and $prefix/embed
build_embedded() {
  local libdir
  libdir=$(dirname "$(find "$1" -name 'librut.*' -print -quit)")
  cmake -S "$example" -B "$prefix/build" -DCMAKE_PREFIX_PATH="$1" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_C_FLAGS="$flags" >"$prefix/configure.log"
  cmake --build "$prefix/build" >"$prefix/build.log"
  # word splitting is meant: flags are lists
  # shellcheck disable=SC2046,SC2086
  "$CC" $flags "$example/main.c" $(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs rut) \
    -o "$prefix/embed"
}
