// SPDX-License-Identifier: BSD-3-Clause
//
// Cases of what touches: a chassis in soil, planar bodies, blocks in space.
#ifndef RUT_CLI_VALIDATE_TOUCHING_H
#define RUT_CLI_VALIDATE_TOUCHING_H

#include "lab.h"

// Rows of groups; as many as there are.
enum {
  CLI_CASES_TURNED = 31,
  CLI_CASES_FIRST_STEP = 8,
  CLI_CASES_MEETING = 22,
  CLI_CASES_IN_SOIL = 12,
};
extern const cliCase cli_cases_turned[CLI_CASES_TURNED], cli_cases_first_step[CLI_CASES_FIRST_STEP],
    cli_cases_meeting[CLI_CASES_MEETING], cli_cases_in_soil[CLI_CASES_IN_SOIL];

cliCaseFunction cli_case_hull_sinkage, cli_case_hull_side, cli_case_hull_pitch, cli_case_hull_roll,
    cli_case_hull_drag_soil, cli_case_hull_drag_plate, cli_case_hull_drag_across,
    cli_case_hull_spin, cli_case_hull_fall, cli_case_hull_print, cli_case_hull_rebound,
    cli_case_hull_balance;
cliCaseFunction cli_case_planar_oblique, cli_case_planar_aside, cli_case_planar_flush,
    cli_case_planar_spin, cli_case_planar_overlap, cli_case_planar_row, cli_case_pin_limit;
cliCaseFunction cli_case_space_balls, cli_case_space_oblique, cli_case_space_table,
    cli_case_space_cylinder, cli_case_space_post, cli_case_space_sunk, cli_case_space_planar,
    cli_case_free_default, cli_case_space_ledge;
cliCaseFunction cli_case_first_implicit, cli_case_first_explicit, cli_case_first_straight,
    cli_case_first_steered, cli_case_first_loops, cli_case_first_engine, cli_case_first_slide,
    cli_case_inflation_rate, cli_case_inflation_height, cli_case_pin_energy;
cliCaseFunction cli_case_glide_explicit;
cliCaseFunction cli_case_turned_cleats, cli_case_turned_cams, cli_case_turned_soft,
    cli_case_turned_kerb, cli_case_turned_crate, cli_case_turned_belly, cli_case_mirrored_cams,
    cli_case_mirrored_soft, cli_case_mirrored_kerb, cli_case_mirrored_belly,
    cli_case_balance_cleats, cli_case_balance_cams, cli_case_balance_soft, cli_case_balance_kerb,
    cli_case_balance_belly;
cliCaseFunction cli_case_turned_soil, cli_case_mirrored_soil, cli_case_balance_soil;
cliCaseFunction cli_case_turned_discs, cli_case_turned_ideal, cli_case_turned_ford,
    cli_case_mirrored_discs, cli_case_mirrored_ideal, cli_case_mirrored_ford,
    cli_case_balance_discs, cli_case_balance_ford, cli_case_order_slides, cli_case_order_linkage;
cliCaseFunction cli_case_turned_light, cli_case_mirrored_light, cli_case_balance_light,
    cli_case_spin_geared;
cliCaseFunction cli_case_air_drag, cli_case_hitch_pull;

#endif  // RUT_CLI_VALIDATE_TOUCHING_H
