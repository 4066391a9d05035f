#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs rut into an empty prefix, looks whether everything is there and works, and builds
# examples/embed against it from outside the tree, once with CMake's package and once with pkg-config.
# Both programs must run a world.
source "$(dirname "$0")/lib.bash"

cmake --install "$RUT_BINARY_DIR" --prefix "$prefix/rut" >"$prefix/install.log"
share=$prefix/rut/share
installed bin/rut include/rut/{rut,host,descriptor,sensor,component,mesh,rig,batch,version}.h share/man/man1/rut.1 \
  share/doc/rut/{LICENSE,README.md,CHANGELOG.md,SECURITY.md} share/doc/rut/docs/{security,glossary}.md \
  share/doc/rut/docs/manual/{index,api,world_files}.md share/doc/rut/docs/manual/pictures/view.jpg \
  share/doc/rut/docs/adr/0001-c17-cmake-cmocka.md share/doc/rut/examples/embed/main.c \
  share/rut/rut.xsd share/rut/worlds/{demo.xml,vehicles/hmmwv.xml} \
  share/rut/tools/draw_{run,soil,suspension,controllers}.py share/bash-completion/completions/rut \
  share/zsh/site-functions/_rut share/fish/vendor_completions.d/rut.fish
"$prefix/rut/bin/rut" --version

# completion is that of the command that is installed, and right for its shell where that is at hand
for file in bash-completion/completions/rut zsh/site-functions/_rut fish/vendor_completions.d/rut.fish; do
  shell=${file%%[-/]*}
  cmp "$share/$file" <("$prefix/rut/bin/rut" doc --completion "$shell") || fail "$file is another"
  if command -v "$shell" >/dev/null; then "$shell" -n "$share/$file"; fi
done

# the schema is XML, and takes the worlds that come with it
cmp "$share/rut/rut.xsd" <("$prefix/rut/bin/rut" doc --schema)
if command -v xmllint >/dev/null; then
  xmllint --noout --schema "$share/rut/rut.xsd" "$share/rut/worlds/demo.xml"
fi

# pages link to what is there
python3 -B - "$share/doc/rut" <<'PY'
import re
import sys
from pathlib import Path
root = Path(sys.argv[1])
links = [(page, link) for page in root.rglob("*.md")
         for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
         if "://" not in link and not link.startswith("mailto:")]
broken = [f"{page.relative_to(root)}: {link}" for page, link in links
          if not (page.parent / link).exists()]
assert len(links) > 100 and not broken, "\n".join(broken)
PY

# tools find the command of their tree
if [ -z "$RUT_SANITIZE" ]; then
  "$share/rut/tools/draw_run.py" "$share/rut/worlds/demo.xml" -o "$prefix/run.svg" --duration 1
  grep -q '<svg' "$prefix/run.svg"
fi

# the tree moves after installation: package files must not remember where it was
mv "$prefix/rut" "$prefix/moved"
libdir=$(dirname "$(find "$prefix/moved" -name 'librut.*' -print -quit)")
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

build_embedded "$prefix/moved"
runs "$prefix/build/embed"
runs "$prefix/embed"

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

# a wheel on a rig: it is towed, and a second pass in its rut costs less
cmake -S "$RUT_SOURCE_DIR/examples/rig" -B "$prefix/rig" -DCMAKE_PREFIX_PATH="$prefix/moved" \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror $flags" >"$prefix/configure.log"
cmake --build "$prefix/rig" >"$prefix/build.log"
"$prefix/rig/rig" | tee "$prefix/out"
awk '$1 == "0.00" { pull[++n] = $2 } END { exit !(n == 2 && pull[1] < pull[2] && pull[2] < 0) }' "$prefix/out"

# copies of a world: rovers of 16 kinds brake, and one finds its way around a wall
cmake -S "$RUT_SOURCE_DIR/examples/batch" -B "$prefix/batch" -DCMAKE_PREFIX_PATH="$prefix/moved" \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror $flags" >"$prefix/configure.log"
cmake --build "$prefix/batch" >"$prefix/build.log"
"$prefix/batch/batch" | tee "$prefix/out"
grep -q '^96 rovers of 16 kinds stop after ' "$prefix/out"
grep -Eq '^the rover came within 0\.[0-3] m of its goal after [0-9.]+ s, and hit nothing$' "$prefix/out"

# a car that finds its way through a gate, and that there is none when it is closed
cmake -S "$RUT_SOURCE_DIR/examples/plan" -B "$prefix/plan" -DCMAKE_PREFIX_PATH="$prefix/moved" \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror $flags" >"$prefix/configure.log"
cmake --build "$prefix/plan" >"$prefix/build.log"
"$prefix/plan/plan" | tee "$prefix/out"
grep -Eq '^gate of 3\.5 m: 2[3-9]\.[0-9] m in [0-9.]+ s, gear changes: [0-9]$' "$prefix/out"
grep -q '^gate of 0\.0 m: no way$' "$prefix/out"

# a program whose planner runs beside the steps: its robot drives about and hits nothing
cmake -S "$RUT_SOURCE_DIR/examples/planner" -B "$prefix/planner" -DCMAKE_PREFIX_PATH="$prefix/moved" \
  -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror $flags" >"$prefix/configure.log"
cmake --build "$prefix/planner" >"$prefix/build.log"
"$prefix/planner/planner" | tee "$prefix/out"
grep -Eq '^robot drove (2[5-9]|[3-5][0-9])\.[0-9] m in 60 s, and hit nothing$' "$prefix/out"
