// SPDX-License-Identifier: BSD-3-Clause
//
// Cases of what touches: a chassis in soil, planar bodies, blocks in space.
#ifndef RUT_CLI_VALIDATE_TOUCHING_H
#define RUT_CLI_VALIDATE_TOUCHING_H

#include "lab.h"

// Worlds of turned.c.
#define CLI_SCENES(X) X(discs) X(light) X(soil) X(kerb) X(waves) X(haul)
#define X(name)       CLI_SCENE_##name,
typedef enum cliCaseScene { CLI_SCENES(X) } cliCaseScene;
#undef X
// As it is, neither turned nor mirrored. Returns the time to which it is to run [s].
double cli_case_scene(cliLab* lab, cliCaseScene scene);

// Rows of groups; as many as there are.
enum {
  CLI_CASES_TURNED = 34,
  CLI_CASES_FIRST_STEP = 15,
  CLI_CASES_MEETING = 23,
  CLI_CASES_IN_SOIL = 14,
  CLI_CASES_TOLD = 39,
  CLI_CASES_TWICE = 16,
  CLI_CASES_STEPS = 6,
  CLI_CASES_LINKS = 4,
  CLI_CASES_MEET = 16,
  CLI_CASES_HARD = 7,
  CLI_CASES_STANDS = 5,
  CLI_CASES_EIGHT = 30,
};
extern const cliCase cli_cases_turned[CLI_CASES_TURNED], cli_cases_first_step[CLI_CASES_FIRST_STEP],
    cli_cases_meeting[CLI_CASES_MEETING], cli_cases_in_soil[CLI_CASES_IN_SOIL],
    cli_cases_told[CLI_CASES_TOLD], cli_cases_twice[CLI_CASES_TWICE],
    cli_cases_links[CLI_CASES_LINKS], cli_cases_meet[CLI_CASES_MEET],
    cli_cases_hard[CLI_CASES_HARD], cli_cases_stands[CLI_CASES_STANDS],
    cli_cases_eight[CLI_CASES_EIGHT], cli_cases_steps[CLI_CASES_STEPS];

cliCaseFunction cli_case_hull_sinkage, cli_case_hull_side, cli_case_hull_side_edge,
    cli_case_hull_spin_ahead, cli_case_hull_pitch, cli_case_hull_roll, cli_case_hull_drag_soil,
    cli_case_hull_drag_plate, cli_case_hull_drag_across, cli_case_hull_spin, cli_case_hull_fall,
    cli_case_hull_print, cli_case_hull_rebound, cli_case_hull_balance;
cliCaseFunction cli_case_planar_oblique, cli_case_planar_aside, cli_case_planar_flush,
    cli_case_planar_spin, cli_case_planar_overlap, cli_case_planar_row, cli_case_pin_limit;
cliCaseFunction cli_case_space_balls, cli_case_space_oblique, cli_case_space_table,
    cli_case_space_cylinder, cli_case_space_post, cli_case_space_sunk, cli_case_space_planar,
    cli_case_free_default, cli_case_space_ledge;
cliCaseFunction cli_case_first_implicit, cli_case_first_explicit, cli_case_first_straight,
    cli_case_first_steered, cli_case_first_loops, cli_case_first_engine, cli_case_first_slide,
    cli_case_first_spin, cli_case_first_spin_engine, cli_case_first_drift, cli_case_inflation_rate,
    cli_case_inflation_height, cli_case_pin_energy;
cliCaseFunction cli_case_link_corrects;
cliCaseFunction cli_case_first_random, cli_case_first_random_loops, cli_case_first_random_moving;
cliCaseFunction cli_case_glide_explicit, cli_case_wading_balance, cli_case_first_drift_steered;
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
cliCaseFunction cli_case_turned_haul, cli_case_mirrored_haul, cli_case_balance_haul;

// Of what vehicles tell, and driving backward: X(kind, scene, tolerance). What goes as it is told
// turns within a step; the nearest place along an arc is searched from one end.
#define CLI_TOLD_MOTION(X) \
  X(motion, discs, 1e-6)   \
  X(motion, light, 1e-6) X(motion, kerb, 1e-6) X(motion, waves, 1e-3) X(motion, haul, 1e-6)
#define CLI_TOLD_PASSIVE(X)       X(passive, soil, 1e-3)
#define X(kind, scene, tolerance) cli_case_##kind##_##scene,
cliCaseFunction CLI_TOLD_MOTION(X) CLI_TOLD_PASSIVE(X) cli_case_momentum_soil;
#undef X
cliCaseFunction cli_case_momentum_haul, cli_case_energy_soil, cli_case_energy_haul,
    cli_case_energy_light;
cliCaseFunction cli_case_heap_planar, cli_case_heap_sliding, cli_case_heap_floating,
    cli_case_heap_falling, cli_case_momenta_planar, cli_case_momenta_floating,
    cli_case_ideal_stands, cli_case_wading_heel, cli_case_wading_drift, cli_case_kerb_balance;
cliCaseFunction cli_case_rig_axes, cli_case_rig_moves, cli_case_rig_load, cli_case_rig_spin,
    cli_case_rig_rotor, cli_case_rig_slip, cli_case_rut_wall;
#define CLI_BACKWARD(X)    \
  X(backward, cams, 1e-6)  \
  X(backward, arc, 2e-3)   \
  X(backward, light, 1e-6) \
  X(backward, soft, 1e-6) X(backward, soil, 1e-6) X(backward, ford, 1e-6) X(backward, step, 1e-6)
#define X(kind, scene, tolerance) cli_case_##kind##_##scene,
cliCaseFunction CLI_BACKWARD(X) cli_case_kerb_rim;
#undef X
cliCaseFunction cli_case_kerb_damper, cli_case_kerb_friction, cli_case_kerb_energy;
cliCaseFunction cli_case_air_drag, cli_case_hitch_pull;

#endif  // RUT_CLI_VALIDATE_TOUCHING_H
