#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs what is missing, builds rut as users run it, and runs its tests.
#
#   scripts/test.sh                   the tests, with gcc, without the few that take long
#   RUT_TEST_FULL=1 scripts/test.sh   every test; also, with warnings as errors: all of it optimised
#                                     by clang with the address and undefined behaviour sanitizers,
#                                     the same bits under the thread sanitizer, fuzzing, format,
#                                     clang-tidy
#
# RUT_FUZZ_SECONDS is the time for each fuzz target (5).
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

full=${RUT_TEST_FULL:-0}
fuzz_seconds=${RUT_FUZZ_SECONDS:-5}

# Tests that must give the same bits in every build.
readonly same_bits='tests_determinism tests_golden'

# test_same_bits PRESET: build and run only those.
test_same_bits() {
  say "build $1"
  # shellcheck disable=SC2086  # a list of targets
  build "$1" $same_bits || { count 0 1; return; }
  say "tests of $1"
  run_ctest "$1" --label-regex '^(determinism|golden)$'
}

# Newer kernels scatter memory to where the thread sanitizer of gcc 12 cannot follow: switch that off.
test_threads() {
  if setarch -R true 2>/dev/null; then ctest_command=(setarch -R ctest); fi
  test_same_bits tsan
  ctest_command=(ctest)
}

# Folders of inputs that a fuzz target NAME begins with: those made for it, else everything.
seeds_of() {
  local name=$1 folder folders=()
  for folder in "fuzz/corpus/$name" "test/bad_input/${name%%_*}"; do
    if [ -d "$root/$folder" ]; then folders+=("$root/$folder"); fi
  done
  case $name in
    # each map that is right takes a second
    map) folders=("$root/test/bad_input/native") ;;
    chrono | mavs* | sdf | urdf) folders+=("$root/worlds/vehicles") ;;
    roads) folders+=("$root/worlds/roads") ;;
    compile | native | mvsim) folders+=("$root/worlds") ;;
  esac
  if [ ${#folders[@]} = 0 ]; then folders=("$root"/worlds "$root"/test/bad_input "$root"/fuzz/corpus); fi
  printf '%s\n' "${folders[@]}"
}

# One fuzz target for a limited time; new inputs stay in build/fuzz/corpus for the next run.
fuzz_one() {
  local program=$1 name
  name=$(basename "$program")
  local corpus=$root/build/fuzz/corpus/$name log=$root/build/fuzz/$name.log seeds
  mapfile -t seeds < <(seeds_of "${name#fuzz_}")
  mkdir -p "$corpus"
  "$program" -max_total_time="$fuzz_seconds" -rss_limit_mb=2048 -malloc_limit_mb=1024 -timeout=60 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="$root/build/fuzz/$name-" "$corpus" \
    "${seeds[@]}" >"$log" 2>&1 || { tail -n 60 "$log"; return 1; }
  echo "$name: $(awk '/number_of_executed_units/ {print $2}' "$log") runs"
}

# The fuzz targets are a part of the asan build: nothing is built for them alone.
test_fuzz() {
  say "build asan"
  build asan fuzz_targets || { count 0 1; return; }
  say "fuzzing, $fuzz_seconds s each"
  local program running=()
  for program in "$root"/build/asan/fuzz/fuzz_*; do
    [ -x "$program" ] || continue
    # as many at once as there are cores
    while [ ${#running[@]} -ge "$jobs" ]; do
      wait_first
    done
    fuzz_one "$program" &
    running+=($!)
  done
  while [ ${#running[@]} -gt 0 ]; do
    wait_first
  done
}

# Wait for the oldest job in `running` and count it.
wait_first() {
  if wait "${running[0]}"; then count 1 0; else count 0 1; fi
  running=("${running[@]:1}")
}

check_format() {
  c_files | xargs -n 32 -P "$jobs" clang-format --dry-run --Werror && return
  echo "scripts/format.sh would mend this"
  return 1
}

# In a copy beside the packages that the build has fetched.
check_page() {
  local copy=$root/build/page
  rm -rf "$copy"
  mkdir "$copy"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard web |
    xargs -0 cp --parents --target-directory="$copy")
  ln -s "$page/node_modules" "$copy/web/node_modules"
  (cd "$copy/web" && npm run --silent check)
}

# The compile commands of the asan preset tell clang-tidy how each file is compiled. The analyzer
# follows a seventieth of its usual number of paths: many times as fast, and the rest found
# nothing. Of several files in one process it sometimes takes a name of one for va_list in the next,
# so files with va_list have a process each, and others are not searched for faults of those.
check_tidy() {
  local limit=(-Xclang -analyzer-config -Xclang max-nodes=3000)
  local tidy=(clang-tidy -p "$root/build/asan" --quiet "${limit[@]/#/--extra-arg=}")
  local folders=("$root"/src "$root"/cli "$root"/helper "$root"/bench) good=1
  {
    grep -rl --include='*.c' va_list "${folders[@]}" | xargs -r -n 1 -P "$jobs" "${tidy[@]}" || good=0
    grep -rL --include='*.c' va_list "${folders[@]}" | LC_ALL=C sort |
      xargs -r -n 4 -P "$jobs" "${tidy[@]}" --checks=-clang-analyzer-valist.* || good=0
    [ "$good" = 1 ]
  } 2>&1 | { grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -header' || true; }
}

# What is for tests and checks only. The tests of the Python package fetch more from PyPI.
later_packages() {
  wish libfastrtps-dev chromium
  wish python3-venv python3-dev
  if [ "$full" = 1 ]; then
    need clang libclang-rt-dev clang-format && wish clang-tidy
  fi
}

say "packages"
need_build_tools
need libcmocka-dev python3
wish_extras
wish libgd-dev libsuitesparse-dev libembree-dev cyclonedds-dev
# links the tests of each build in a third of the time
wish lld
beside "packages for tests" later_packages
only=(--label-exclude '^long$')
if [ "$full" = 1 ]; then
  configure_options=(-DRUT_WERROR=ON)
  # broken worlds, attacks and inputs of fuzzers come under the sanitizers
  only=(--exclude-regex '^(cli\.bad_input$|attack\.|fuzz\.)')
fi
builds release all && built=1
join_all
if [ "${built:-0}" = 1 ]; then
  say "tests of release"
  run_ctest release "${only[@]}"
fi
if [ "$full" != 1 ]; then
  long=$(cd "$root" && ctest --preset release --show-only --label-regex '^long$' | tail -n 1)
  say "left out: tests that take long (${long##* }); RUT_TEST_FULL=1 runs them too"
fi
# the other builds embed the same page
page=$root/build/release/web
if [ -f "$page/dist/index.html" ]; then configure_options+=(-DRUT_VIEWER_PAGE="$page/dist"); fi

if [ "$full" = 1 ]; then
  beside "format" check_format
  if [ -d "$page/node_modules" ]; then beside "format and types of the page" check_page; fi
  builds asan all && built_asan=1
  join_all
  # the fuzz targets start from the inputs of the tests with that label, under the same sanitizers,
  # and what is about the sources or packages has been seen. Tests of physics compare numbers over
  # long runs; random vehicles take the same ways through the code. What makes the same bits is
  # compared under the thread sanitizer
  if [ "${built_asan:-0}" = 1 ]; then
    say "tests of asan"
    run_ctest asan --label-exclude '^(fuzz|arch|install|physics|determinism)$'
    run_ctest asan --tests-regex '^physics\.random_vehicles$'
  fi
  test_threads
  if present clang-tidy; then stage "clang-tidy" check_tidy; fi
  test_fuzz
fi
finish
