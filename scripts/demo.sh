#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing (Debian, Ubuntu), builds rut, and drives the demo world.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need_build_tools
wish_extras
say "building build/release/rut"
build release rut_product

say "build/release/rut run worlds/demo.xml"
cd "$root"
build/release/rut run worlds/demo.xml

cat <<'END'

What to try next:
  build/release/rut --help                                   what else rut can do
  build/release/rut view worlds/hmmwv.xml                    see it in the browser, and drive
  build/release/rut run worlds/demo.xml --log run.mcap       the same run in one file, for replay and plots
  build/release/rut check worlds/*.xml                       errors with file, line and column
  build/release/rut doc                                      every element and parameter
  scripts/test.sh                                            build and run the tests
END
