#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Builds and installs rut with a shared librut: its soname, what it shows, that the command and
# programs outside of the tree run with it, and that they are not asked for its own libraries. The
# objects of librut are those of the build under test.
source "$(dirname "$0")/lib.bash"
if [ -n "$RUT_SANITIZE" ]; then
  echo "skipped: once is enough"
  exit 77
fi

cmake -S "$RUT_SOURCE_DIR" -B "$prefix/shared" -G Ninja -DCMAKE_C_COMPILER="$CC" \
  -DRUT_OBJECTS="$RUT_BINARY_DIR" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 \
  -DBUILD_SHARED_LIBS=ON -DRUT_WITH_TESTS=OFF -DRUT_WITH_VIEWER=OFF \
  >"$prefix/shared.log"
cmake --build "$prefix/shared" --parallel 2 >"$prefix/shared.log" || { tail "$prefix/shared.log"; exit 1; }
cmake --install "$prefix/shared" --prefix "$prefix/rut" >"$prefix/install.log"
libdir=$(dirname "$(find "$prefix/rut" -name 'librut.so')")
[ -z "$(find "$prefix/rut" -name 'librut.a')" ] || fail "a static library as well"

version=$(sed -n 's/.*RUT_VERSION_STRING "\(.*\)"/\1/p' "$prefix/rut/include/rut/version.h")
readelf -d "$libdir/librut.so" >"$prefix/dynamic"
grep -q "SONAME.*\[librut\.so\.${version%%.*}\]" "$prefix/dynamic" || fail "its soname is another"
[ -e "$libdir/librut.so.$version" ] || fail "no librut.so.$version"

# what the headers declare, and nothing else
nm -D --defined-only "$libdir/librut.so" | awk '{ print $3 }' | sort >"$prefix/shown"
grep -v '^rut_' "$prefix/shown" && fail "shows other names"
grep -Eoh 'RUT_API [^(;]*\(' "$prefix/rut/include/rut/"{rut,host,descriptor,sensor,component,mesh}.h |
  sed -n 's/.*[ *]\(rut_[a-z0-9_]*\)($/\1/p' | sort >"$prefix/declared"
[ "$(wc -l <"$prefix/declared")" -gt 100 ] || fail "the headers were not read"
missing=$(comm -23 "$prefix/declared" "$prefix/shown")
[ -z "$missing" ] || fail "not shown: $missing"

# the tree moves: the command finds its library, programs are told where it is
mv "$prefix/rut" "$prefix/moved"
libdir=${libdir/#$prefix\/rut/$prefix/moved}
ldd "$prefix/moved/bin/rut" >"$prefix/needed"
grep -q 'librut\.so' "$prefix/needed" || fail "the command does not use it"
"$prefix/moved/bin/rut" run "$world" --duration 1 --quiet
build_embedded "$prefix/moved"
for program in "$prefix/build/embed" "$prefix/embed"; do
  readelf -d "$program" >"$prefix/needed"
  grep -q 'NEEDED.*\[librut\.so' "$prefix/needed" || fail "$program is linked otherwise"
  if grep -q 'NEEDED.*libxml2' "$prefix/needed"; then fail "$program is linked with libxml2"; fi
  LD_LIBRARY_PATH=$libdir runs "$program"
done
