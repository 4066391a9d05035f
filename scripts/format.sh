#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Formats every C file in place.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
need clang-format
c_files | xargs -r clang-format -i
