# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Shared by demo.sh and test.sh: packages, builds, stages and their count.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc 2>/dev/null || echo 2)
ctest_command=(ctest)
configure_options=()
passed=0
failed=0

# Every C file that we format.
c_files() {
  find "$root"/{include,src,cli,helper,fmu,bench,python,test,fuzz,examples} -name '*.[ch]' | LC_ALL=C sort
}

say() { printf '\n== %s\n' "$*"; }

# ---- packages ----

# Is what this Debian package gives here already, whoever installed it?
present() {
  case $1 in
    build-essential) command -v cc && command -v c++ && command -v make ;;
    ninja-build) command -v ninja ;;
    libxml2-dev) pkg-config --exists libxml-2.0 ;;
    zlib1g-dev) pkg-config --exists zlib ;;
    libpng-dev) pkg-config --exists libpng ;;
    libzstd-dev) pkg-config --exists libzstd ;;
    libwebsockets-dev) pkg-config --exists libwebsockets ;;
    libjansson-dev) pkg-config --exists jansson ;;
    gnuplot-nox) command -v gnuplot ;;
    libassimp-dev) pkg-config --exists assimp ;;
    libgd-dev) pkg-config --exists gdlib ;;
    cyclonedds-dev) pkg-config --exists CycloneDDS ;;
    libfastrtps-dev) [ -e /usr/include/fastdds/dds/domain/DomainParticipant.hpp ] ;;
    libsqlite3-dev) pkg-config --exists sqlite3 ;;
    libminizip-dev) pkg-config --exists minizip ;;
    libcmocka-dev) pkg-config --exists cmocka ;;
    libjansson4) compgen -G "/usr/lib/*/libjansson.so.4*" ;;
    libclang-rt-dev) compgen -G "$(clang -print-resource-dir)/lib/linux/libclang_rt.fuzzer-*.a" ;;
    python3-venv) python3 -c 'import ensurepip' ;;
    python3-dev) test -e "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ;;
    lld) command -v ld.lld ;;
    *) command -v "$1" ;;
  esac >/dev/null 2>&1
}

# missing PACKAGE...: those that are not here, one a line.
missing() {
  local package
  for package in "$@"; do
    present "$package" || echo "$package"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Debian keeps package lists apart from packages: fetch the lists once, and only if needed.
apt_install() {
  if ! command -v apt-get >/dev/null; then
    echo "no apt-get here; please install what Debian calls: $*" >&2
    return 1
  fi
  say "installing $*"
  if [ -z "${apt_updated:-}" ]; then
    as_root apt-get update -qq
    apt_updated=1
  fi
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
    >"$apt_log" 2>&1 || { tail -n 20 "$apt_log" >&2; return 1; }
}
apt_log=$(mktemp)
trap 'rm -f "$apt_log"' EXIT

# need PACKAGE...: install what is missing, or fail.
need() {
  local list
  mapfile -t list < <(missing "$@")
  if [ ${#list[@]} -eq 0 ]; then return 0; fi
  apt_install "${list[@]}"
}

# wish PACKAGE...: the same, but go on without.
wish() { need "$@" || echo "going on without: $(missing "$@" | paste -sd ' ')"; }

need_build_tools() {
  need build-essential cmake ninja-build pkg-config libxml2-dev zlib1g-dev libpng-dev \
    libzstd-dev libjansson4
}

# What rut view, rut plot and rut sweep take, and shapes from meshes. A rut without them says what is missing.
wish_extras() { wish libassimp-dev libsqlite3-dev libminizip-dev gnuplot-nox libwebsockets-dev libjansson-dev npm; }

# ---- building ----

# Where ccache is at hand, what was compiled before is not compiled again.
if [ -z "${CMAKE_C_COMPILER_LAUNCHER+set}" ] && command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache
fi

# build PRESET [TARGET...]: configure quietly the first time, then build.
build() {
  local preset=$1 log=$root/build/$1/configure.log
  shift
  mkdir -p "$root/build/$preset"
  (cd "$root" && cmake --preset "$preset" "${configure_options[@]}" >"$log" 2>&1) || { cat "$log" >&2; return 1; }
  (cd "$root" && cmake --build --preset "$preset" --parallel "$jobs" \
    ${1:+--target "$@"})
}

# ---- counting ----

# count PASSED FAILED: add to the totals.
count() {
  passed=$((passed + $1))
  failed=$((failed + $2))
}

# stage TITLE COMMAND...: one thing that passes or fails as a whole.
stage() {
  local title=$1
  shift
  say "$title"
  if "$@"; then
    count 1 0
  else
    count 0 1
    echo "FAILED: $title"
  fi
}

# run_ctest PRESET [ARGUMENT...]: run the tests of a build and count them; skipped ones count as
# neither.
run_ctest() {
  local preset=$1 log=$root/build/$1/ctest.log skipped summary waiting=1
  shift
  # as many as there are cores and those that wait for a clock: cli.view, and cli.page in one build
  if [ "$preset" = release ]; then waiting=2; fi
  (cd "$root" && "${ctest_command[@]}" --preset "$preset" --parallel $((jobs + waiting)) --no-tests=error \
    --no-label-summary "$@") 2>&1 | tee "$log" | grep --line-buffered -v '^ *Start ' || true
  skipped=$(grep -c '\*\*\*Skipped' "$log" || true)
  summary=$(grep -E 'tests passed, [0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1)
  if [[ $summary =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
    count $((BASH_REMATCH[2] - BASH_REMATCH[1] - skipped)) "${BASH_REMATCH[1]}"
  else
    count 0 1
  fi
}

# builds PRESET [TARGET...]: a build that fails counts as one failure.
builds() {
  say "build $1"
  build "$@" && return
  count 0 1
  echo "FAILED: build $1"
  return 1
}

# ---- beside others ----

declare -A beside_job=()

# beside TITLE COMMAND...: start a stage that needs little of the processor, or waits for the network.
beside() {
  local title=$1
  shift
  mkdir -p "$root/build/beside"
  "$@" >"$root/build/beside/${title// /_}.log" 2>&1 &
  beside_job[$title]=$!
}

# join_all: wait for what `beside` has started, tell what it said, and count it.
join_all() {
  local title
  for title in "${!beside_job[@]}"; do stage "$title" ended "$title"; done
  beside_job=()
}
ended() {
  local good=0
  wait "${beside_job[$1]}" || good=1
  cat "$root/build/beside/${1// /_}.log"
  return $good
}

# The last line of a run, and its status.
finish() {
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
