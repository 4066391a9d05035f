// SPDX-License-Identifier: BSD-3-Clause
//
// Cases of what touches: a chassis in soil, planar bodies, blocks in space.
#ifndef RUT_CLI_VALIDATE_TOUCHING_H
#define RUT_CLI_VALIDATE_TOUCHING_H

#include "lab.h"

cliCaseFunction cli_case_hull_sinkage, cli_case_hull_side, cli_case_hull_pitch, cli_case_hull_roll,
    cli_case_hull_drag_soil, cli_case_hull_drag_plate, cli_case_hull_drag_across,
    cli_case_hull_spin, cli_case_hull_fall, cli_case_hull_print, cli_case_hull_rebound,
    cli_case_hull_balance;

#endif  // RUT_CLI_VALIDATE_TOUCHING_H
